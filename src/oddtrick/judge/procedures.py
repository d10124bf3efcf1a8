"""Declaring: what a declaration comes to, and the procedures that a code chooses among.

One pure function for each procedure; the closed set of each choice stands as a table beside its
functions. What has one kind in every code that has it is plain code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from oddtrick.cards import SEATS, Seat
from oddtrick.judge.events import Call
from oddtrick.judge.finding import Finding
from oddtrick.law.rules import Rules
from oddtrick.limits import JUDGED
from oddtrick.record.deal import Declaration

if TYPE_CHECKING:
    from oddtrick.judge.ruling import Case


@dataclass(frozen=True, slots=True)
class Made:
    """A call with the seat that made it, whether it took effect, and whose turn it was.

    `turn` is `None` where that is not known; `counted` is the bid as which the law counts it,
    where that is another than was made.
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
    """The final declaration. `declarer` is `None` where the record does not let it be known.

    `odd_tricks` is 0 where nothing is bid. `doubled` is 0, 1 or 2, and more where doubling has no
    limit; `bridged` says that the play was passed to the partner, who is then the declarer. `laws`
    are those that make it final and name the declarer, `readings` those they rest on.
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
    """What the declaration came to: calls with their callers, the final declaration, findings.

    `relative` is true where the dealer is not known, so that the seats of `calls` are only
    relative. `passed_out` says that all four passed; `unplayed` is a declaration that was final
    and, as the players agreed, not played. `turn` is the player whose turn it is to call when the
    calls end; `stands` is what would be final if nobody called any more. `cases` are those of
    irregular calls, with the rulings on them.
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
    """The height of a bid by its points and, of equal points, by its tricks."""
    values: Mapping[str, int] = law.value("bid-value") or law.value("odd-trick")
    return odd_tricks(bid) * values[str(bid.denomination)], odd_tricks(bid)


def _by_tricks(bid: Call, law: Rules) -> tuple[int, int]:
    """The height of a bid by its tricks and, of equal tricks, by the rank of its denomination."""
    rank: Sequence[str] = law.value("bid-rank") or law.order()
    return odd_tricks(bid), rank.index(str(bid.denomination))


def _equals_a_royal(bid: Call, last: Call, law: Rules) -> bool:
    name = str(last.denomination)
    return odd_tricks(bid) == odd_tricks(last) and plain(name, law) != name


SUFFICIENCY: Mapping[str, Callable[[Call, Call, Rules], bool]] = {
    "points-then-tricks": lambda bid, last, law: _by_points(bid, law) > _by_points(last, law),
    "tricks-then-rank": lambda bid, last, law: _by_tricks(bid, law) > _by_tricks(last, law),
    "tricks-then-rank-under-royals": lambda bid, last, law: (
        not _equals_a_royal(bid, last, law) and _by_tricks(bid, law) > _by_tricks(last, law)
    ),
}
"""Whether a bid is higher than the last."""


def sufficient(bid: Call, last: Call, rules: Rules) -> bool:
    """Whether a bid is higher than the last."""
    return SUFFICIENCY[rules.value("sufficiency")](bid, last, rules)


class Range(NamedTuple):
    """The fewest and the most odd tricks that may be bid."""

    least: int
    most: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.most


def bid_range(rules: Rules) -> Range | None:
    """The odd tricks that may be bid; `None` where nothing is bid."""
    limits = rules.value("bid-range")
    return Range(limits["least"], limits["most"]) if limits else None


def enough(bid: Call, over: Call, rules: Rules) -> Call | None:
    """A bid of the fewest tricks that make it higher than another; `None` where no number of tricks
    that may be bid does.
    """
    limits = bid_range(rules)
    known = {str(bid.denomination), str(over.denomination)} <= {*rules.order()}
    numbers = range(limits.least, limits.most + 1) if limits and known else ()
    bids = (replace(bid, odd_tricks=n) for n in numbers)
    return next((b for b in bids if sufficient(b, over, rules)), None)


def odd_tricks(call: Call) -> int:
    """The odd tricks of a call, 0 where it names none."""
    return call.odd_tricks or 0


MAKING_SUFFICIENT: Mapping[str, Callable[[Call, Call | None], bool]] = {
    "as-needed": lambda bid, enough: enough is not None and _is_same_bid(bid, enough),
    "as-needed-where-any-are": lambda bid, enough: enough is None or _is_same_bid(bid, enough),
    "any-higher-bid": lambda _bid, _enough: True,  # that it is higher is judged by itself
}
"""Whether a bid is one that makes an insufficient one sufficient, by what is just enough."""


def _is_same_bid(one: Call, other: Call) -> bool:
    return (one.denomination, one.odd_tricks) == (other.denomination, other.odd_tricks)


# --- the course of an auction ---------------------------------------------------------------------

FIRST_DECLARATION: Mapping[str, Callable[[Call, bool], bool]] = {
    "dealer-must-bid": lambda call, _barred: call.kind == "bid",
    "dealer-must-bid-unless-barred": lambda call, barred: (
        call.kind == ("pass" if barred else "bid")
    ),
    "dealer-may-pass": lambda call, _barred: call.kind in ("bid", "pass"),
}
"""Whether a dealer may begin with a call, by whether he is barred."""


def auction_over(bid_made: bool, passes: int, rules: Rules) -> bool:
    """Whether the auction has ended: a bid passed by the needed number in succession, or all four
    passed.
    """
    return passes >= int(rules.value("passes-to-end") if bid_made else len(SEATS))


EARLIER_BID: Mapping[str, Callable[[Made | None, Made | None], Made | None]] = {
    "of-that-side": lambda own, _last: own,
    "or-the-last-of-all": lambda own, last: own or last,
}
"""The bid that becomes final, by the last of the side that chooses and the last of all."""

REOPENING: Mapping[str, Callable[[], bool]] = {
    "next-player": lambda: False,
    "player-who-passed": lambda: True,
}
"""Whether the player who passed calls again when the auction is reopened."""


def slip_of_denomination(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a call corrects one suit to another, no bid to no-trump or the reverse, or makes a
    bid sufficient.
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


CHANGING_A_CALL: Mapping[str, Callable[[Call, Call, bool], bool]] = {
    "never": lambda _first, _second, _sufficient: False,
    "slip-before-next-call": lambda _first, _second, _sufficient: True,
    "slip-of-denomination": slip_of_denomination,
}
"""Whether a player may replace his call by a second before the next player has called, by whether
the first is sufficient."""

BARRED_CALLS: Mapping[str, tuple[str, ...]] = {
    "bids-until-adversary-acts": ("bid",),
    "bids-and-doubles-until-overbid-or-doubled": ("bid", "double"),
    "bids-and-doubles-to-the-end": ("bid", "double"),
}
"""The calls that a bar is against, by the limit that the remedy names, where it is not all."""


def barred_from(lasts: str, call: Call) -> bool:
    """Whether a bar of a limit is against a call: some are against bidding alone."""
    return call.kind in BARRED_CALLS.get(lasts, (call.kind,))


BAR_LIFTED: Mapping[str, Callable[[bool, bool], bool]] = {
    "until-adversary-acts": lambda adversary, _bid: adversary,
    "bids-until-adversary-acts": lambda adversary, _bid: adversary,
    "until-overbid-or-doubled": lambda _adversary, bid: bid,
    "bids-and-doubles-until-overbid-or-doubled": lambda _adversary, bid: bid,
    "to-the-end": lambda _adversary, _bid: False,
    "bids-and-doubles-to-the-end": lambda _adversary, _bid: False,
}
"""Whether a bid or double lifts a bar, by the limit that the remedy names.

By whether an adversary of the barred player acts, and whether there was a bid to be overbid.
"""


def partner_must_act(call: Call, bid_between: bool) -> bool:
    """Whether the challenger's partner does what the Challenge asks.

    A bid or a double, unless relieved.
    """
    return bid_between or call.kind in ("bid", "double")


LOST_PENALTY: Mapping[str, Callable[[bool], bool]] = {
    "what-nobody-exacts": lambda exacted: not exacted,
    "nothing": lambda _exacted: False,
}
"""Whether a part of a penalty is left when the right to it is lost, by whether it is exacted."""

# --- doubling -------------------------------------------------------------------------------------

DOUBLING_KEYS = ("undoubled", "doubled", "redoubled")


def multiplier(doubled: int, law: Rules) -> int:
    """How many times the trick value counts.

    As the figures say, and beyond them each double as the last one.
    """
    table: Mapping[str, int] = law.value("trick-multiplier")
    known = [table[k] for k in DOUBLING_KEYS if k in table]
    if doubled < len(known):
        return known[doubled]
    return int(known[-1] * (known[-1] // known[-2]) ** (doubled - len(known) + 1))


DOUBLING: Mapping[str, Callable[[int, int, int, int], bool]] = {
    "double-and-redouble": lambda doubled, _now, _then, _ceiling: doubled < 2,
    "without-limit": lambda _doubled, _now, _then, _ceiling: True,
    "to-a-ceiling": lambda _doubled, now, _then, ceiling: now <= ceiling,
    "until-reached": lambda _doubled, now, _then, ceiling: now < ceiling,
    "within-a-limit": lambda _doubled, _now, then, ceiling: then <= ceiling,
    "up-to-the-limit": lambda _doubled, now, _then, ceiling: now < ceiling,
}
"""Whether a declaration doubled so often may be doubled once more, by what an odd trick is worth
now, what it would then be worth, and the limit."""

MADE_UP = frozenset({"up-to-the-limit"})
"""The procedures of doubling by which no odd trick is worth more than the limit."""


def may_double(doubled: int, denomination: str | None, law: Rules) -> bool:
    """Whether a declaration doubled so often may be doubled once more under a code."""
    now, then = (odd_trick_worth(str(denomination), n, law) for n in (doubled, doubled + 1))
    return DOUBLING[law.value("doubling")](doubled, now, then, law.value("doubling-ceiling") or 0)


def odd_trick_worth(denomination: str, doubled: int, law: Rules) -> int:
    """What an odd trick in a denomination is worth in points when it is doubled so often."""
    values: Mapping[str, int] = law.value("odd-trick") or {}
    worth = values.get(denomination, 0) * multiplier(doubled, law)
    return min(worth, law.value("doubling-ceiling")) if law.value("doubling") in MADE_UP else worth


@cache
def most_calls(law: Rules) -> tuple[int, int]:
    """How many bids there are under a code, and how many calls its longest auction has.

    Each bid is doubled as often as may be, and before each call as many pass as can. Both 0 where
    nothing is bid.
    """
    numbers = bid_range(law)
    if numbers is None:
        return 0, 0
    levels, passes = numbers.most - numbers.least + 1, law.value("passes-to-end")
    most = JUDGED.most  # where nothing limits the doubling
    doublings = [
        next((n for n in range(most) if not may_double(n, d, law)), most) for d in law.order()
    ]
    calls = levels * sum(1 + n for n in doublings)
    return levels * len(doublings), passes * (calls + 1) + 1


CONVENTION: Mapping[str, Callable[[int, tuple[int, ...], int], bool | None]] = {
    "played-at-floor": lambda doubled, scores, floor: bool(doubled) or max(scores) >= floor,
    "may-be-played-at-floor": lambda doubled, scores, floor: (
        True if doubled else None if max(scores) >= floor else False
    ),
}
"""Whether a make that the players agreed not to play is played, by how often it is doubled, the
scores of both sides and the floor; `None`: as they please."""

# --- who plays the hand --------------------------------------------------------------------------


def _first_to_name(calls: Iterable[Made], names: Collection[str], bidder: Seat) -> Seat:
    """Of the bidder's side, the partner whose bid (or make) that stands first named one of them."""
    for made in calls:
        call, seat = made.call, made.seat
        own = seat is bidder or seat is bidder.partner
        if own and call.kind in ("bid", "make") and not made.void and call.denomination in names:
            return seat
    return bidder


def first_to_name(calls: tuple[Made, ...], denomination: str, bidder: Seat, _law: Rules) -> Seat:
    """The partner, on the side of the last bid, who first named its denomination."""
    return _first_to_name(calls, (denomination,), bidder)


def first_to_name_plain(
    calls: tuple[Made, ...], denomination: str, bidder: Seat, law: Rules
) -> Seat:
    """Of the side of the last bid, the partner who first named its denomination, plain or royal."""
    wanted = plain(denomination, law)
    names = {denomination, *(name for name in law.order() if plain(name, law) == wanted)}
    return _first_to_name(calls, names, bidder)


def plain(denomination: str, law: Rules) -> str:
    """The denomination that a royal is the royal of, or the denomination itself."""
    found = law.denomination(denomination)
    return (found.royal_of or denomination) if found else denomination


def at_nullo(denomination: str, law: Rules) -> bool:
    """Whether a denomination is a nullo, plain or royal.

    In some codes its declarer may pass the play to his partner.
    """
    return plain(denomination, law) == "nullo"


def without_suit(denomination: str, law: Rules) -> bool:
    """Whether a denomination has no suit."""
    found = law.denomination(denomination)
    return found is None or found.suit is None


Declarer = Callable[[tuple[Made, ...], str, Seat, Rules], Seat]
"""Who plays: by the calls, the final denomination and who bid it last."""


def last_bidder_at(kind: Callable[[str, Rules], bool], otherwise: Declarer) -> Declarer:
    """The procedure by which the last bidder plays a kind of denomination, and another the rest."""

    def player(calls: tuple[Made, ...], denomination: str, bidder: Seat, law: Rules) -> Seat:
        return bidder if kind(denomination, law) else otherwise(calls, denomination, bidder, law)

    return player


DECLARER: Mapping[str, Declarer] = {
    "first-to-name": first_to_name,
    "first-to-name-suit": last_bidder_at(at_nullo, first_to_name_plain),
    "first-to-name-in-a-suit": last_bidder_at(without_suit, first_to_name),
    "first-to-name-suit-or-nullo": first_to_name_plain,
    "first-to-name-but-nullo": last_bidder_at(at_nullo, first_to_name),
    # whoever made the trump; the dealer stands in the place of the last bidder
    "dealer": lambda _calls, _denomination, dealer, _law: dealer,
}


def declarer_of(calls: tuple[Made, ...], denomination: str, bidder: Seat, rules: Rules) -> Seat:
    """Who plays a final declaration, by its denomination and who bid it last."""
    return DECLARER[rules.value("declarer")](calls, denomination, bidder, rules)


def may_bridge(denomination: str, rules: Rules) -> bool:
    """Whether the declarer may pass the play to his partner: at nullo, where the code lets him."""
    return rules.has("bridging") and at_nullo(denomination, rules)


def as_recorded(final: Final, stated: Declaration | None) -> Final:
    """The declaration for which a result was written: as stated, else as the law has it."""
    if stated is None or stated.passed_out:
        return final
    names = "odd_tricks", "denomination", "doubled", "declarer"
    known = {name: value for name in names if (value := getattr(stated, name)) is not None}
    return final._replace(**known)


# --- the play -----------------------------------------------------------------------------------


def follow_if_able(card: int, led: int, held: int) -> bool:
    """Whether a card follows suit, or the hand has none of the suit led: all three as bits."""
    return bool(card & led) or not held & led


def trump_then_suit_led(cards: int, led: int, trump: int) -> int:
    """The card that wins a trick: the highest trump, or else the highest of the suit led.

    Cards, the suit led, trumps and the winner are bits; the suit led is that of one of the cards.
    """
    return 1 << (cards & trump or cards & led).bit_length() - 1
