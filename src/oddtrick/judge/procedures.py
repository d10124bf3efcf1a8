"""Declaring: the outcome of a declaration, and the procedures that a code chooses among.

There is one pure function for each procedure, in the table `DECLARING`; `laws/vocabulary.yaml`
states what each does. Whatever is the same in every code is an ordinary function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from oddtrick.cards import SEATS, Seat
from oddtrick.judge.events import Call
from oddtrick.judge.finding import Finding
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Declaration

if TYPE_CHECKING:
    from oddtrick.judge.ruling import Case


@dataclass(frozen=True, slots=True)
class Made:
    """A call with its player, whether it is void, and whose turn it was.

    `turn` is `None` if it is not known; `counted` is what the law counts it as, if not the bid
    that was made.
    """

    seat: Seat
    call: Call
    void: bool = False
    turn: Seat | None = None
    counted: Call | None = None

    @property
    def bid(self) -> Call:
        """The call as the law counts it."""
        return self.counted or self.call


class Final(NamedTuple):
    """The final declaration. `declarer` is `None` if the record does not determine it.

    `odd_tricks` is 0 if the code has no bids. `doubled` is 0, 1 or 2, or more if doubling has no
    limit; `bridged` is true if the play was passed to the partner, who is then the declarer. `laws`
    make it final and name the declarer; `readings` are those they rest on.
    """

    odd_tricks: int
    denomination: str
    doubled: int
    declarer: Seat | None
    bidder: Seat | None = None
    dealers_first: bool | None = None
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    bridged: bool = False

    @property
    def dummy(self) -> Seat | None:
        """The declarer's partner."""
        return self.declarer.partner if self.declarer else None


class Declared(NamedTuple):
    """The outcome of the declaration: calls with their callers, the final declaration, findings.

    `relative` is true if the dealer is not known, so that the seats of `calls` are only relative.
    `passed_out` is true if all four passed; `unplayed` is a final declaration that the players
    agreed not to play. `turn` is the player whose turn it is to call when the calls end; `stands`
    is what would be final if nobody called again. `cases` are those of irregular calls, with
    their rulings.
    """

    calls: tuple[Made, ...]
    final: Final | None
    passed_out: bool
    findings: tuple[Finding, ...]
    relative: bool = False
    unplayed: Final | None = None
    turn: Seat | None = None
    stands: Final | None = None
    cases: tuple[Case, ...] = ()


# --- which bid is higher ------------------------------------------------------------------------


def _by_points(bid: Call, law: Rules) -> tuple[int, int]:
    """Sort key of a bid: its points, then its tricks."""
    values: Mapping[str, int] = law.value("bid-value") or law.value("odd-trick")
    return odd_tricks(bid) * values[str(bid.denomination)], odd_tricks(bid)


def _by_tricks(bid: Call, law: Rules) -> tuple[int, int]:
    """Sort key of a bid: its tricks, then the rank of its denomination."""
    rank: Sequence[str] = law.value("bid-rank") or law.order()
    return odd_tricks(bid), rank.index(str(bid.denomination))


def sufficient(bid: Call, last: Call, rules: Rules) -> bool:
    """Whether a bid is higher than the last."""
    return bool(DECLARING["sufficiency"][rules.value("sufficiency")](bid, last, rules))


def bid_range(rules: Rules) -> range:
    """The numbers of odd tricks that may be bid; empty if the code has no bids."""
    limits = rules.value("bid-range")
    return range(limits["least"], limits["most"] + 1) if limits else range(0)


def enough(bid: Call, over: Call, rules: Rules) -> Call | None:
    """The lowest bid in the same denomination that is higher than another bid.

    `None` if no permitted number of tricks is enough.
    """
    known = {str(bid.denomination), str(over.denomination)} <= {*rules.order()}
    bids = (replace(bid, odd_tricks=n) for n in bid_range(rules) if known)
    return next((b for b in bids if sufficient(b, over, rules)), None)


def odd_tricks(call: Call) -> int:
    """The odd tricks of a call, 0 if it names none."""
    return call.odd_tricks or 0


# --- the course of an auction ---------------------------------------------------------------------


def auction_over(bid_made: bool, passes: int, rules: Rules) -> bool:
    """Whether the auction has ended.

    It ends after a bid and the required number of successive passes, or after four without a bid.
    """
    return passes >= int(rules.value("passes-to-end") if bid_made else len(SEATS))


def slip_of_denomination(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a second call corrects a slip: another suit, or no-trump for no bid or the reverse.

    Making a bid sufficient in the same denomination, or changing a make, also counts.
    """
    if first.kind == second.kind == "make":
        return True
    if first.kind == "bid" and second.kind == "bid":
        suits = "no-trump" not in (first.denomination, second.denomination)
        return (suits and first.odd_tricks == second.odd_tricks) or (
            not sufficient and first.denomination == second.denomination
        )
    kinds = {first.kind: first, second.kind: second}
    return set(kinds) == {"bid", "pass"} and kinds["bid"].denomination == "no-trump"


# --- doubling -------------------------------------------------------------------------------------

DOUBLING_KEYS = ("undoubled", "doubled", "redoubled")


def multiplier(doubled: int, law: Rules) -> int:
    """The factor by which the trick value is multiplied.

    It comes from the figures of the code; doubles beyond those listed multiply as much as the last
    one.
    """
    table: Mapping[str, int] = law.value("trick-multiplier")
    known = [table[k] for k in DOUBLING_KEYS if k in table]
    if doubled < len(known):
        return known[doubled]
    return int(known[-1] * (known[-1] // known[-2]) ** (doubled - len(known) + 1))


def may_double(doubled: int, denomination: str | None, law: Rules) -> bool:
    """Whether a declaration may be doubled once more under a code.

    `doubled` is how often it is doubled already.
    """
    now, then = (odd_trick_worth(str(denomination), n, law) for n in (doubled, doubled + 1))
    may = DECLARING["doubling"][law.value("doubling")]
    return bool(may(doubled, now, then, law.value("doubling-ceiling") or 0))


def odd_trick_worth(denomination: str, doubled: int, law: Rules) -> int:
    """The points for an odd trick in a denomination that is doubled this many times."""
    values: Mapping[str, int] = law.value("odd-trick") or {}
    worth = values.get(denomination, 0) * multiplier(doubled, law)
    made_up = law.value("doubling") == "up-to-the-limit"  # the value is cut to the limit
    return min(worth, law.value("doubling-ceiling")) if made_up else worth


# --- who plays the hand --------------------------------------------------------------------------


def first_to_name(calls: Iterable[Made], names: Collection[str], bidder: Seat) -> Seat:
    """The first of the last bidder's side with a valid bid or make in one of the denominations."""
    for made in calls:
        call, seat = made.call, made.seat
        own = seat is bidder or seat is bidder.partner
        if own and call.kind in ("bid", "make") and not made.void and call.denomination in names:
            return seat
    return bidder


@cache
def _alike(denomination: str, law: Rules) -> frozenset[str]:
    """A denomination with its plain and royal forms in a code."""
    wanted = without_royal(denomination, law)
    return frozenset((denomination, *(n for n in law.order() if without_royal(n, law) == wanted)))


def without_royal(denomination: str, law: Rules) -> str:
    """The plain form of a royal denomination; any other denomination unchanged."""
    found = law.denomination(denomination)
    return (found.royal_of or denomination) if found else denomination


def is_royal(denomination: str, law: Rules) -> bool:
    """Whether a denomination is royal."""
    return without_royal(denomination, law) != denomination


def at_nullo(denomination: str, law: Rules) -> bool:
    """Whether a denomination is a nullo, plain or royal.

    In some codes its declarer may pass the play to his partner.
    """
    return without_royal(denomination, law) == "nullo"


def without_suit(denomination: str, law: Rules) -> bool:
    """Whether a denomination has no suit."""
    found = law.denomination(denomination)
    return found is None or found.suit is None


DECLARING: Mapping[str, Mapping[str, Any]] = {
    # Whether the dealer may begin with a call, given whether he is barred.
    "first-declaration": {
        "dealer-must-bid": lambda call, _barred: call.kind == "bid",
        "dealer-must-bid-unless-barred": lambda call, barred: (
            call.kind == ("pass" if barred else "bid")
        ),
        "dealer-may-pass": lambda call, _barred: call.kind in ("bid", "pass"),
    },
    # Whether a bid is higher than the last.
    "sufficiency": {
        "points-then-tricks": lambda bid, last, law: _by_points(bid, law) > _by_points(last, law),
        "tricks-then-rank": lambda bid, last, law: _by_tricks(bid, law) > _by_tricks(last, law),
        "tricks-then-rank-under-royals": lambda bid, last, law: (
            _by_tricks(bid, law) > _by_tricks(last, law)
            and (odd_tricks(bid) > odd_tricks(last) or not is_royal(str(last.denomination), law))
        ),
    },
    # Whether a declaration may be doubled once more, given how often it is doubled, the value of an
    # odd trick now and after one more double, and the limit.
    "doubling": {
        "double-and-redouble": lambda doubled, _now, _then, _ceiling: doubled < 2,
        "without-limit": lambda _doubled, _now, _then, _ceiling: True,
        "to-a-ceiling": lambda _doubled, now, _then, ceiling: now <= ceiling,
        "until-reached": lambda _doubled, now, _then, ceiling: now < ceiling,
        "within-a-limit": lambda _doubled, _now, then, ceiling: then <= ceiling,
        "up-to-the-limit": lambda _doubled, now, _then, ceiling: now < ceiling,
    },
    # Whether a player may replace his first call by a second before the next player has called,
    # given whether the first is sufficient.
    "changing-a-call": {
        "never": lambda _first, _second, _sufficient: False,
        "slip-before-next-call": lambda _first, _second, _sufficient: True,
        "slip-of-denomination": slip_of_denomination,
    },
    # Whether a bid lawfully corrects an insufficient one, given the lowest sufficient bid.
    "making-sufficient": {
        "as-needed": lambda bid, enough: enough is not None and bid.name == enough.name,
        "as-needed-where-any-are": lambda bid, enough: enough is None or bid.name == enough.name,
        "any-higher-bid": lambda _bid, _enough: True,  # whether it is higher is judged separately
    },
    # The bid that becomes final, given the last bid of the side that chooses and the last of all.
    "earlier-bid": {
        "of-that-side": lambda own, _last: own,
        "or-the-last-of-all": lambda own, last: own or last,
    },
    # Whether the player who passed calls again when the auction is reopened.
    "reopening": {"next-player": lambda: False, "player-who-passed": lambda: True},
    # The declarer is the first of his side to name the denomination: whether its plain or royal
    # form also counts, and the denominations in which the last bidder is declarer instead.
    "declarer": {
        "first-to-name": (False, None),
        "first-to-name-suit": (True, at_nullo),
        "first-to-name-in-a-suit": (False, without_suit),
        "first-to-name-suit-or-nullo": (True, None),
        "first-to-name-but-nullo": (False, at_nullo),
        # whoever made the trump; the dealer is passed as the last bidder
        "dealer": (False, lambda _denomination, _law: True),
    },
    # Whether a make that the players agreed not to play must be played, given how often it is
    # doubled, the scores of both sides and the floor. `None`: the players are free to choose.
    "convention": {
        "played-at-floor": lambda doubled, scores, floor: bool(doubled) or max(scores) >= floor,
        "may-be-played-at-floor": lambda doubled, scores, floor: (
            True if doubled else None if max(scores) >= floor else False
        ),
    },
    # Whether part of a penalty remains when the right to it is lost, given whether a player must
    # exact that part.
    "lost-penalty": {
        "what-nobody-exacts": lambda exacted: not exacted,
        "nothing": lambda _exacted: False,
    },
}
"""The procedures of declaring, by the id of the procedure and the id of the value in the
vocabulary.
"""


def declarer_of(calls: Iterable[Made], denomination: str, bidder: Seat, rules: Rules) -> Seat:
    """The declarer of a final declaration, given its denomination and the last bidder."""
    alike, of_last_bidder = DECLARING["declarer"][rules.value("declarer")]
    if of_last_bidder and of_last_bidder(denomination, rules):
        return bidder
    names = _alike(denomination, rules) if alike else (denomination,)
    return first_to_name(calls, names, bidder)


def may_bridge(denomination: str, rules: Rules) -> bool:
    """Whether the declarer may pass the play to his partner: at nullo, if the code allows it."""
    return rules.has("bridging") and at_nullo(denomination, rules)


def as_recorded(final: Final, stated: Declaration | None) -> Final:
    """The declaration for which a result was written: the one stated, or else the lawful one."""
    if stated is None or stated.passed_out:
        return final
    given = (stated.odd_tricks, stated.denomination, stated.doubled, stated.declarer)
    if given == final[:4]:
        return final
    names = "odd_tricks", "denomination", "doubled", "declarer"
    known = {name: value for name in names if (value := getattr(stated, name)) is not None}
    return final._replace(**known)


# --- the play -----------------------------------------------------------------------------------


def trump_then_suit_led(cards: int, led: int, trump: int) -> int:
    """The card that wins a trick: the highest trump, or else the highest of the suit led.

    Cards, the suit led, trumps and the winner are bits; the suit led is the suit of one of the
    cards.
    """
    return 1 << (cards & trump or cards & led).bit_length() - 1
