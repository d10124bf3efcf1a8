"""Declaring: what a declaration comes to, and the procedures that a code chooses among.

One pure function for each procedure; the closed set of each choice stands as a table beside its
functions. What has one kind in every code that has it is plain code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    from oddtrick.judge.ruling import Ruled


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
    calls end; `stands` is what would be final if nobody called any more. `closed` are the rulings
    on irregular calls.
    """

    calls: tuple[Made, ...]
    final: Final | None
    passed_out: bool
    findings: tuple[Finding, ...]
    relative: bool = False
    unplayed: Final | None = None
    turn: Seat | None = None
    stands: Final | None = None
    closed: tuple[Ruled, ...] = ()


# --- which bid is higher ------------------------------------------------------------------------


def higher_by_points(bid: Call, last: Call, law: Rules) -> bool:
    """Whether a bid outranks another by points and, of equal points, by tricks."""
    values: Mapping[str, int] = law.value("bid-value") or law.value("odd-trick")
    new, old = (odd_tricks(c) * values[str(c.denomination)] for c in (bid, last))
    return (new, odd_tricks(bid)) > (old, odd_tricks(last))


def higher_by_tricks(bid: Call, last: Call, law: Rules) -> bool:
    """Whether a bid outranks another by tricks and, of equal tricks, by the rank of the
    denominations."""
    rank: list[str] = law.value("bid-rank") or list(law.order())
    new, old = ((odd_tricks(c), rank.index(str(c.denomination))) for c in (bid, last))
    return new > old


def higher_under_royals(bid: Call, last: Call, law: Rules) -> bool:
    """Whether a bid outranks another by tricks and, of equal tricks, by rank, but over no royal."""
    name = str(last.denomination)
    if odd_tricks(bid) == odd_tricks(last) and plain(name, law) != name:
        return False
    return higher_by_tricks(bid, last, law)


SUFFICIENCY: Mapping[str, Callable[[Call, Call, Rules], bool]] = {
    "points-then-tricks": higher_by_points,
    "tricks-then-rank": higher_by_tricks,
    "tricks-then-rank-under-royals": higher_under_royals,
}


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


# --- the first declaration ----------------------------------------------------------------------


def dealer_must_bid(call: Call, barred: bool) -> bool:
    """Whether a dealer may begin with a call, in a code in which he must bid, barred or not."""
    del barred
    return call.kind == "bid"


def dealer_must_bid_unless_barred(call: Call, barred: bool) -> bool:
    """Whether a dealer may begin with a call: he must bid, or if he is barred pass."""
    return call.kind == ("pass" if barred else "bid")


def dealer_may_pass(call: Call, barred: bool) -> bool:
    """Whether a dealer may begin with a call, in a code in which he may bid or pass."""
    del barred
    return call.kind in ("bid", "pass")


FIRST_DECLARATION: Mapping[str, Callable[[Call, bool], bool]] = {
    "dealer-must-bid": dealer_must_bid,
    "dealer-must-bid-unless-barred": dealer_must_bid_unless_barred,
    "dealer-may-pass": dealer_may_pass,
}

# --- the end, the limit of doubling ---------------------------------------------------------------


def auction_over(bid_made: bool, passes: int, rules: Rules) -> bool:
    """Whether the auction has ended: a bid passed by the needed number in succession, or all four
    passed.
    """
    return passes >= int(rules.value("passes-to-end") if bid_made else len(SEATS))


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


class Worth(NamedTuple):
    """What an odd trick is worth as doubled so far, and when it is doubled once more."""

    now: int
    then: int


def double_and_redouble(doubled: int, worth: Worth, ceiling: int) -> bool:
    """Whether a bid doubled so far may be doubled once more.

    Undoubled or doubled, but not redoubled.
    """
    del worth, ceiling
    return doubled < 2


def without_limit(doubled: int, worth: Worth, ceiling: int) -> bool:
    """Whether a declaration may be doubled once more: always."""
    del doubled, worth, ceiling
    return True


def to_a_ceiling(doubled: int, worth: Worth, ceiling: int) -> bool:
    """Whether a declaration may be doubled once more.

    While the odd trick, as doubled so far, is worth no more than a limit.
    """
    del doubled
    return worth.now <= ceiling


def until_reached(doubled: int, worth: Worth, ceiling: int) -> bool:
    """Whether a declaration may be doubled once more: while the odd trick is below a limit."""
    del doubled
    return worth.now < ceiling


def within_a_limit(doubled: int, worth: Worth, ceiling: int) -> bool:
    """Whether a declaration may be doubled once more: while that keeps it within a limit."""
    del doubled
    return worth.then <= ceiling


DOUBLING: Mapping[str, Callable[[int, Worth, int], bool]] = {
    "double-and-redouble": double_and_redouble,
    "without-limit": without_limit,
    "to-a-ceiling": to_a_ceiling,
    "until-reached": until_reached,
    "within-a-limit": within_a_limit,
    "up-to-the-limit": until_reached,
}

MADE_UP = frozenset({"up-to-the-limit"})
"""The procedures of doubling by which no odd trick is worth more than the limit."""


def may_double(doubled: int, denomination: str | None, law: Rules) -> bool:
    """Whether a declaration doubled so often may be doubled once more under a code."""
    worth = Worth(*(odd_trick_worth(str(denomination), n, law) for n in (doubled, doubled + 1)))
    return DOUBLING[law.value("doubling")](doubled, worth, law.value("doubling-ceiling") or 0)


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


def odd_trick_worth(denomination: str, doubled: int, law: Rules) -> int:
    """What an odd trick in a denomination is worth in points when it is doubled so often."""
    values: Mapping[str, int] = law.value("odd-trick") or {}
    worth = values.get(denomination, 0) * multiplier(doubled, law)
    return min(worth, law.value("doubling-ceiling")) if law.value("doubling") in MADE_UP else worth


def never(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a player may replace his last call: never."""
    del first, second, sufficient
    return False


def slip_before_next_call(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a player may replace his last call: any slip, before the next player has called."""
    del first, second, sufficient
    return True


def slip_of_denomination(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a player may replace his last call.

    One suit for another, no bid for no-trump or the reverse, or to make a bid sufficient.
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


def as_needed(bid: Call, enough: Call | None) -> bool:
    """Whether a bid makes one sufficient that had to be what is just enough in its denomination."""
    return enough is not None and (bid.denomination, bid.odd_tricks) == (
        enough.denomination,
        enough.odd_tricks,
    )


def as_needed_where_any_are(bid: Call, enough: Call | None) -> bool:
    """Whether a bid makes one sufficient: what is just enough, or anything where nothing is."""
    return enough is None or as_needed(bid, enough)


def any_higher_bid(bid: Call, enough: Call | None) -> bool:
    """Whether a bid makes one sufficient: whatever is higher, which is judged by itself."""
    del bid, enough
    return True


MAKING_SUFFICIENT: Mapping[str, Callable[[Call, Call | None], bool]] = {
    "as-needed": as_needed,
    "as-needed-where-any-are": as_needed_where_any_are,
    "any-higher-bid": any_higher_bid,
}
"""Whether a bid is one that makes an insufficient one sufficient, by what is just enough."""


def of_that_side(own: Made | None, last: Made | None) -> Made | None:
    """Which bid becomes final where an earlier one does: the side's own, or none."""
    del last
    return own


def or_the_last_of_all(own: Made | None, last: Made | None) -> Made | None:
    """Which bid becomes final where an earlier one does: the side's own, or the last of all."""
    return own or last


EARLIER_BID: Mapping[str, Callable[[Made | None, Made | None], Made | None]] = {
    "of-that-side": of_that_side,
    "or-the-last-of-all": or_the_last_of_all,
}
"""The bid that becomes final, by the last of the side that chooses and the last of all."""


CHANGING_A_CALL: Mapping[str, Callable[[Call, Call, bool], bool]] = {
    "never": never,
    "slip-before-next-call": slip_before_next_call,
    "slip-of-denomination": slip_of_denomination,
}


BARRED_ALONE: Mapping[str, tuple[str, ...]] = {
    "bids-until-adversary-acts": ("bid",),
    "bids-and-doubles-until-overbid-or-doubled": ("bid", "double"),
    "bids-and-doubles-to-the-end": ("bid", "double"),
}
"""The calls that a bar is against, by the limit that the remedy names, where it is not all."""


def barred_from(lasts: str, call: Call) -> bool:
    """Whether a bar of a limit is against a call: some are against bidding alone."""
    return call.kind in BARRED_ALONE.get(lasts, (call.kind,))


def until_adversary_acts(adversary: bool, bid: bool) -> bool:
    """Whether a bid or double lifts a bar: an adversary's does."""
    del bid
    return adversary


def until_overbid_or_doubled(adversary: bool, bid: bool) -> bool:
    """Whether a bid or double lifts a bar: anybody's, once there is a bid for it to be over."""
    del adversary
    return bid


def to_the_end(adversary: bool, bid: bool) -> bool:
    """Whether a bid or double lifts a bar: none does."""
    del adversary, bid
    return False


BAR_LIFTED: Mapping[str, Callable[[bool, bool], bool]] = {
    "until-adversary-acts": until_adversary_acts,
    "bids-until-adversary-acts": until_adversary_acts,
    "until-overbid-or-doubled": until_overbid_or_doubled,
    "bids-and-doubles-until-overbid-or-doubled": until_overbid_or_doubled,
    "to-the-end": to_the_end,
    "bids-and-doubles-to-the-end": to_the_end,
}
"""What lifts a bar, by the limit that the remedy names.

By whether an adversary of the barred player acts, and whether there was a bid to be overbid.
"""


def partner_must_act(call: Call, bid_between: bool) -> bool:
    """Whether the challenger's partner does what the Challenge asks.

    A bid or a double, unless relieved.
    """
    return bid_between or call.kind in ("bid", "double")


def next_player() -> bool:
    """Whether the player who passed calls again when the auction is reopened: he does not."""
    return False


def player_who_passed() -> bool:
    """Whether the player who passed calls again when the auction is reopened: he does."""
    return True


REOPENING: Mapping[str, Callable[[], bool]] = {
    "next-player": next_player,
    "player-who-passed": player_who_passed,
}

# --- making the trump ----------------------------------------------------------------------------


def played_at_floor(doubled: int, scores: tuple[int, ...], floor: int) -> bool:
    """Whether a make that the players agreed not to play is played.

    Doubled, or either side has so many points.
    """
    return doubled > 0 or any(score >= floor for score in scores)


def may_be_played_at_floor(doubled: int, scores: tuple[int, ...], floor: int) -> bool | None:
    """Whether a make that the players agreed not to play is played.

    If doubled; where either side has so many points it may be.
    """
    if doubled:
        return True
    return None if played_at_floor(doubled, scores, floor) else False


CONVENTION: Mapping[str, Callable[[int, tuple[int, ...], int], bool | None]] = {
    "played-at-floor": played_at_floor,
    "may-be-played-at-floor": may_be_played_at_floor,
}
"""`None`: as they please."""

# --- who plays the hand --------------------------------------------------------------------------


def first_to_name(calls: tuple[Made, ...], denomination: str, bidder: Seat, law: Rules) -> Seat:
    """Of the side of the last bid, the partner who first named its denomination."""
    del law
    return _first_namer(calls, bidder, lambda named: named == denomination)


def _first_namer(calls: tuple[Made, ...], bidder: Seat, meant: Callable[[str], bool]) -> Seat:
    """Of the bidder's side, the partner whose bid (or make) that stands was the first meant."""
    for made in calls:
        call, seat = made.call, made.seat
        own = seat is bidder or seat is bidder.partner
        if own and call.kind in ("bid", "make") and not made.void and meant(str(call.denomination)):
            return seat
    return bidder


def dealer(calls: tuple[Made, ...], denomination: str, bidder: Seat, law: Rules) -> Seat:
    """The dealer, whoever made the trump; he stands in the place of the last bidder."""
    del calls, denomination, law
    return bidder


def first_to_name_plain(
    calls: tuple[Made, ...], denomination: str, bidder: Seat, law: Rules
) -> Seat:
    """Of the side of the last bid, the partner who first named its denomination, plain or royal."""
    wanted = plain(denomination, law)
    return _first_namer(calls, bidder, lambda named: plain(named, law) == wanted)


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
    "dealer": dealer,
}


def declarer_of(calls: tuple[Made, ...], denomination: str, bidder: Seat, rules: Rules) -> Seat:
    """Who plays a final declaration, by its denomination and who bid it last."""
    return DECLARER[rules.value("declarer")](calls, denomination, bidder, rules)


def may_bridge(denomination: str, rules: Rules) -> bool:
    """Whether the declarer may pass the play to his partner: at nullo, where the code lets him."""
    return rules.has("bridging") and at_nullo(denomination, rules)


# --- the play -----------------------------------------------------------------------------------


def follow_if_able(card: int, led: int, held: int) -> bool:
    """Whether a card follows suit, or the hand has none of the suit led: all three as bits."""
    return bool(card & led) or not held & led


def trump_then_suit_led(cards: int, led: int, trump: int) -> int:
    """The card that wins a trick: the highest trump, or else the highest of the suit led.

    Cards, the suit led, trumps and the winner are bits; the suit led is that of one of the cards.
    """
    return 1 << (cards & trump or cards & led).bit_length() - 1


def as_recorded(final: Final, stated: Declaration | None) -> Final:
    """The declaration for which a result was written: as stated, else as the law has it."""
    if stated is None or stated.passed_out:
        return final
    written = stated.odd_tricks, stated.denomination, stated.doubled, stated.declarer
    if written == (final.odd_tricks, final.denomination, final.doubled, final.declarer):
        return final
    names = "odd_tricks", "denomination", "doubled", "declarer"
    known = {n: value for n, value in zip(names, written, strict=True) if value is not None}
    return final._replace(**known)  # type: ignore[arg-type]


def what_nobody_exacts(exacted: bool) -> bool:
    """Whether a part of a penalty that is lost is left: what nobody has to exact is."""
    return not exacted


def nothing(exacted: bool) -> bool:
    """Whether a part of a penalty that is lost is left: none is."""
    del exacted
    return False


LOST_PENALTY: Mapping[str, Callable[[bool], bool]] = {
    "what-nobody-exacts": what_nobody_exacts,
    "nothing": nothing,
}
"""Whether a part of a penalty is left when the right to it is lost, by whether it is exacted."""
