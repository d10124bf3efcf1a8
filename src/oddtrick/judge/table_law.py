"""The law in force as it is applied at the table: figures as attributes, procedures bound to them.

A code chooses its procedures by name among closed sets; here each name is looked up once, and
what the code does not have is `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import NamedTuple, NoReturn, TypeVar

from oddtrick.cards import Seat, Side, Suit
from oddtrick.judge import procedures, score_procedures
from oddtrick.judge.procedures import Final, Made
from oddtrick.judge.score_procedures import Totals
from oddtrick.law.rules import Rules
from oddtrick.record.model import Call

T = TypeVar("T")


class Range(NamedTuple):
    """The fewest and the most odd tricks that may be bid."""

    least: int
    most: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.most


@dataclass(frozen=True, slots=True, eq=False)
class TableLaw(Rules):
    """The law in force under a code with its options, resolved for the judge.

    Procedures are functions: `sufficient` says whether a bid is higher than the last, `over`
    whether an auction is at its end by whether a bid was made and the passes in succession,
    `may_double` whether a declaration doubled so often may be doubled once more, `may_change`
    whether a call may replace another, `suffices` whether a bid makes one sufficient, by what is
    just enough in its denomination, `earlier` which bid becomes final, of the last of a side and
    the last of all, where one does, `wins` which card of a trick wins it, `follows` whether a
    card may be played to a suit led from a hand, all of them as bits. `making` is there where the
    trump is made and nothing is bid, `in_rubbers` where the code knows rubbers, `passed_out` where
    it says what follows when all four pass, `either_word` where double and redouble may stand for
    each other.
    """

    hand_size: int
    book: int
    bid_range: Range | None
    games_in_rubber: int | None
    sufficient: Callable[[Call, Call], bool]
    first_declaration: Callable[[Call, bool], bool] | None
    over: Callable[[bool, int], bool]
    passed_out: bool
    next_caller: Callable[[Seat], Seat]
    may_double: Callable[[int, str | None], bool]
    either_word: bool
    may_change: Callable[[Call, Call, bool], bool] | None
    suffices: Callable[[Call, Call | None], bool] | None
    earlier: Callable[[Made | None, Made | None], Made | None] | None
    challenge: Callable[[Call, bool], bool] | None
    making: Callable[[Seat, bool], Seat] | None
    declarer: Callable[[tuple[Made, ...], str, Seat], Seat]
    may_bridge: Callable[[str], bool] | None
    convention: Callable[[int, tuple[int, ...], int], bool | None] | None
    score_floor: Mapping[str, int]
    leader: Callable[[Seat], Seat]
    follows: Callable[[int, int, int], bool]
    wins: Callable[[int, int, int], int]
    nullo: bool
    open_hand: bool
    vulnerable: Callable[[int], bool] | None
    in_rubbers: bool
    rubber_winner: Callable[[Side, Totals | None], Side | None] | None
    rubber_points: Callable[[Totals], int] | None

    def trump(self, final: Final | None) -> Suit | None:
        """The trump suit of a final declaration.

        None at no-trumps, or where there is no declaration.
        """
        return score_procedures.trump_suit(final.denomination, self) if final else None

    def enough(self, bid: Call, over: Call) -> Call | None:
        """A bid of the fewest tricks that make it higher than another; `None` where no number of
        tricks that may be bid does.
        """
        limits = self.bid_range
        known = {str(bid.denomination), str(over.denomination)} <= {*self.order()}
        numbers = range(limits.least, limits.most + 1) if limits and known else ()
        bids = (replace(bid, odd_tricks=n) for n in numbers)
        return next((b for b in bids if self.sufficient(b, over)), None)


def bound(law: Rules) -> TableLaw:
    """The law in force with its procedures bound to its figures, once for each law in force."""
    return law if isinstance(law, TableLaw) else _bind(law)


@cache
def _bind(law: Rules) -> TableLaw:
    """Every attribute of the law at the table."""

    def needed(name: str, table: Mapping[str, Callable[..., T]]) -> Callable[..., T]:
        """A procedure that nobody may ask for in a code that has it not: of bidding in another
        where nothing is bid, of winning a trick where that is read as unsaid."""
        return law.procedure(name, table) or partial(_absent, law.absent.get(name, name))

    limits, passes = law.value("bid-range"), law.value("passes-to-end")
    higher = needed("sufficiency", procedures.SUFFICIENCY)
    ends = needed("auction-end", procedures.AUCTION_END)
    declarer = procedures.DECLARER[law.value("declarer")]
    bridges = law.procedure("bridging", procedures.BRIDGING)
    return TableLaw(
        **{f.name: getattr(law, f.name) for f in fields(Rules) if f.init},
        hand_size=law.value("hand-size"),
        book=law.value("book"),
        bid_range=Range(limits["least"], limits["most"]) if limits else None,
        games_in_rubber=law.value("games-in-rubber"),
        sufficient=lambda bid, last: higher(bid, last, law),
        first_declaration=law.procedure("first-declaration", procedures.FIRST_DECLARATION),
        over=lambda bid_made, in_a_row: ends(bid_made, in_a_row, passes),
        passed_out=law.get("passed-out") is not None,
        next_caller=needed("turn", procedures.TURN),
        may_double=partial(procedures.may_double, law=law),
        either_word=bool(law.value("doubling-by-name")),
        may_change=law.procedure("changing-a-call", procedures.CHANGING_A_CALL),
        suffices=law.procedure("making-sufficient", procedures.MAKING_SUFFICIENT),
        earlier=law.procedure("earlier-bid", procedures.EARLIER_BID),
        challenge=law.procedure("challenge", procedures.CHALLENGE),
        making=law.procedure("making", procedures.MAKING),
        declarer=lambda calls, name, bidder: declarer(calls, name, bidder, law),
        may_bridge=(lambda name: bridges(name, law)) if bridges else None,
        convention=law.procedure("convention", procedures.CONVENTION),
        score_floor=law.value("score-floor") or {},
        leader=procedures.OPENING_LEAD[law.value("opening-lead")],
        follows=procedures.FOLLOWING_SUIT[law.value("following-suit")],
        wins=needed("winning-a-trick", procedures.WINNING_A_TRICK),
        nullo=law.get("nullo") is not None,
        open_hand=law.get("open-hand") is not None,
        vulnerable=law.procedure("vulnerability", score_procedures.VULNERABILITY),
        in_rubbers=law.get("rubber-end") is not None,
        rubber_winner=law.procedure("rubber-winner", score_procedures.RUBBER_WINNER),
        rubber_points=law.procedure("rubber-points", score_procedures.RUBBER_POINTS),
    )


def _absent(why: str, *_: object, **__: object) -> NoReturn:
    raise LookupError(why)
