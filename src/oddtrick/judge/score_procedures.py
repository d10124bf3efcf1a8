"""Scoring: the facts a score depends on, and the procedures that a code chooses among.

One pure function for each procedure; a table of them at the end of each part. `account` makes the
entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from oddtrick.cards import Side, Suit
from oddtrick.judge.answers import ScoreJson, StandingJson, of_sides
from oddtrick.judge.finding import Entry, Missing
from oddtrick.judge.procedures import (
    CHANGING_A_CALL,
    CONVENTION,
    DECLARER,
    DOUBLING,
    EARLIER_BID,
    FIRST_DECLARATION,
    LOST_PENALTY,
    MAKING_SUFFICIENT,
    REOPENING,
    SUFFICIENCY,
    Final,
    at_nullo,
)
from oddtrick.law.rules import Rules
from oddtrick.rulings.engine import catalogue


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a rubber: games won, points towards the next, by side; `None`: not known."""

    games: tuple[int | None, int | None] = (None, None)
    trick: tuple[int | None, int | None] = (None, None)

    def games_of(self, side: Side) -> int | None:
        """Games won by a side."""
        return self.games[side is Side.EW]

    def trick_of(self, side: Side) -> int | None:
        """Points of a side towards the game being played."""
        return self.trick[side is Side.EW]

    def as_json(self) -> StandingJson:
        """The state as the JSON of a check gives it."""
        return {"games": of_sides(self.games), "trick": of_sides(self.trick)}


UNKNOWN = Standing()
"""The state of a rubber of which nothing is known."""

LOVE = Standing((0, 0), (0, 0))
"""The state at the beginning of a rubber."""


class Holding(NamedTuple):
    """Honours of a side: in both hands, and `more` in the one that has more, where known."""

    total: int
    more: int | None = None

    @property
    def split(self) -> str | None:
        """As the figures key it: `4-1`."""
        return None if self.more is None else f"{self.more}-{self.total - self.more}"


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a remedy does to the score: the side that offended, the effect, its amount.

    `of` is what the effect is of, `irregularity` its id in the catalogue, `laws` give the remedy;
    `column` is that of points which are given, where the law names one.
    """

    offenders: Side
    effect: str
    number: int | None
    irregularity: str
    laws: tuple[str, ...]
    readings: tuple[str, ...] = ()
    of: str | None = None
    column: str | None = None

    @property
    def reason(self) -> str:
        """The irregularity in words."""
        return catalogue()[self.irregularity].label.lower()


AS_WRITTEN = "as-written"
"""The item of an entry by which a column comes to what was written, not to what the law gives."""


class Closed(NamedTuple):
    """Points of a side in a column as they were written, which the law `by` lets stand."""

    side: Side
    column: str
    points: int
    by: str


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the score of a deal depends on. What is not known is `None`.

    `honours` and `voids` (hands without a trump) are by side; `standing` is the state before the
    deal; `closed` are figures that may not be corrected any more.
    """

    final: Final
    tricks: int | None
    honours: Mapping[Side, Holding] | None = None
    voids: Mapping[Side, int] | None = None
    standing: Standing = UNKNOWN
    penalties: tuple[Penalty, ...] = ()
    closed: tuple[Closed, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """The entries of a deal, what could not be told and why, and the state of the rubber after it.

    `missing` names every fact that was not known, `open` those on which the honour score depends.
    """

    entries: tuple[Entry, ...]
    missing: tuple[Missing, ...]
    standing: Standing
    game: Side | None = None
    rubber: Side | None = None
    made: bool | None = None
    played: Standing = UNKNOWN
    open: tuple[Missing, ...] = ()

    def points(self, side: Side, column: str) -> int:
        """The sum of one side's entries in a column."""
        return sum(e.points for e in self.entries if e.side is side and e.column == column)

    def bonus(self, side: Side) -> int:
        """What a side has for the rubber, in whatever column."""
        return sum(e.points for e in self.entries if (e.side, e.item) == (side, "rubber-bonus"))

    def total(self, side: Side) -> int:
        """The sum of one side's entries."""
        return sum(e.points for e in self.entries if e.side is side)

    def as_json(self) -> ScoreJson:
        """The account as the JSON of a check gives it."""
        columns = ("trick", "honour")
        return {
            "NS": {c: self.points(Side.NS, c) for c in columns},
            "EW": {c: self.points(Side.EW, c) for c in columns},
            "entries": [e.as_json() for e in self.entries],
            "lacks": [m.as_json() for m in self.missing],
            "open": [m.as_json() for m in self.open],
            "made": self.made,
            "game": self.game.value if self.game else None,
            "rubber": self.rubber.value if self.rubber else None,
            "after": self.standing.as_json(),
        }


# --- procedures -----------------------------------------------------------------------------------


def all_odd_tricks(contract: int, won: int, lost: int) -> tuple[int, int]:
    """Odd tricks that count for declarer and adversaries: all won, if the contract is made."""
    del lost
    return (won if won >= contract else 0), 0


def contracted_only(contract: int, won: int, lost: int) -> tuple[int, int]:
    """Odd tricks that count for declarer and adversaries: those contracted for, if made."""
    del lost
    return (contract if won >= contract else 0), 0


def either_side(contract: int, won: int, lost: int) -> tuple[int, int]:
    """Odd tricks that count for declarer and adversaries: what either wins above its book."""
    del contract
    return max(won, 0), max(lost, 0)


TRICKS_SCORED: Mapping[str, Callable[[int, int, int], tuple[int, int]]] = {
    "either-side": either_side,
    "all-odd-tricks": all_odd_tricks,
    "contracted-only": contracted_only,
}


class Counted(NamedTuple):
    """What the declaring side's tricks come to when some were moved for a revoke.

    For the contract, for bonuses, for a slam of its own and one of the adversaries, for a game of a
    doubled contract.
    """

    contract: int
    bonuses: int
    slam: int
    adverse_slam: int
    game: int


def as_won(played: int, moved: int) -> Counted:
    """What the tricks count for: those moved for a revoke for everything."""
    del played
    return Counted(moved, moved, moved, moved, moved)


def no_slam(played: int, moved: int) -> Counted:
    """What the tricks count for: those moved for a revoke make no slam, and take none away."""
    return Counted(moved, moved, played, played, moved)


def no_slam_for_either(played: int, moved: int) -> Counted:
    """What the tricks count for: those moved for a revoke make no slam, and are lost for one."""
    return Counted(moved, moved, min(played, moved), max(played, moved), moved)


def no_bonus_no_slam(played: int, moved: int) -> Counted:
    """What the tricks count for: those moved for a revoke help the contract alone."""
    return Counted(moved, played, played, played, moved)


def no_bonus_no_slam_no_game(played: int, moved: int) -> Counted:
    """What the tricks count for: those moved help the contract, and win no game when doubled."""
    return Counted(moved, played, played, played, played)


REVOKE_TRICKS: Mapping[str, Callable[[int, int], Counted]] = {
    "as-won": as_won,
    "as-won-given-at-nullo": as_won,
    "no-slam": no_slam,
    "no-slam-for-either": no_slam_for_either,
    "no-bonus-no-slam": no_bonus_no_slam,
    "no-bonus-no-slam-no-game": no_bonus_no_slam_no_game,
}


def paid_in_turn(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, each paid with what the side then has."""
    for moved in moves:
        played = min(max(played + moved, 0), total)
    return played


def paid_at_once(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, paid with what each side won in play."""
    gained, given = (sum(max(sign * m, 0) for m in moves) for sign in (1, -1))
    return played + min(gained, total - played) - min(given, played)


def paid_in_full(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, fewer than none or more than there are too."""
    del total
    return played + sum(moves)


TRICKS_LACKING: Mapping[str, Callable[[int, Sequence[int], int], int]] = {
    "not-owed": paid_in_turn,
    "not-owed-of-the-play": paid_at_once,
    "counted": paid_in_full,
}
"""The tricks after penalties, by how many each moves to the declaring side."""


def as_doubled(worth: int, first: int) -> int:
    """What a trick is worth whose value is taken or added for a revoke: as it is doubled."""
    del first
    return worth


def undoubled(worth: int, first: int) -> int:
    """What a trick is worth whose value is taken or added for a revoke: its first value."""
    del worth
    return first


REVOKE_VALUE: Mapping[str, Callable[[int, int], int]] = {
    "as-doubled": as_doubled,
    "undoubled": undoubled,
}


def score_after_the_hand(before: int, made: int) -> int:
    """The score towards the game from which points are taken for a revoke: the whole of it."""
    return before + made


def score_before_the_hand(before: int, made: int) -> int:
    """The score towards the game from which points are taken for a revoke: that before the hand."""
    del made
    return before


REVOKE_DEDUCTION: Mapping[str, Callable[[int, int], int]] = {
    "score-after-the-hand": score_after_the_hand,
    "score-before-the-hand": score_before_the_hand,
}


def to_the_point(points: int, room: int, each: int) -> int:
    """The points of odd tricks that a ceiling leaves: all for which there is room."""
    del each
    return min(points, room)


def whole_tricks(points: int, room: int, each: int) -> int:
    """The points of odd tricks that a ceiling leaves: those of whole tricks."""
    return min(points, room - room % each)


CEILING: Mapping[str, Callable[[int, int, int], int]] = {
    "to-the-point": to_the_point,
    "whole-tricks": whole_tricks,
}


def undertricks_alone(entry: Entry) -> bool:
    """Whether an entry of the adversaries is part of a limited loss: undertricks are."""
    return entry.item == "undertricks"


def all_but_honours(entry: Entry) -> bool:
    """Whether an entry of the adversaries is part of a limited loss: all but honours are."""
    return entry.item not in ("honours", "chicane")


LIMITED_LOSS: Mapping[str, Callable[[Entry], bool]] = {
    "undertricks": undertricks_alone,
    "all-but-honours": all_but_honours,
}


def penalties_kept(points: int) -> int:
    """What a declarer who fails has of the points for an irregularity: all."""
    return points


def penalties_lost(points: int) -> int:
    """What a declarer who fails has of the points for an irregularity: nothing."""
    del points
    return 0


FAILED_DECLARER: Mapping[str, Callable[[int], int]] = {
    "penalties-kept": penalties_kept,
    "honours-only": penalties_lost,
}


GIVEN_AT_NULLO = frozenset({"as-won-given-at-nullo"})
"""The procedures by which tricks taken for a revoke go the other way at nullo."""

Lost = Callable[[Entry, Side, bool], bool]
"""Whether an entry is lost, by the side that offended, and whether there are trumps."""


def no_tricks(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: what it won in odd tricks."""
    del trumps
    return entry.side is offenders and entry.item == "odd-tricks"


def no_tricks_nor_bonus(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: its odd tricks, and what it has for
    making a doubled contract."""
    del trumps
    return entry.side is offenders and entry.item in ("odd-tricks", "contract-bonus", "overtricks")


def no_slam_scored(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: its slam."""
    del trumps
    return entry.side is offenders and entry.item == "slam"


def honours_only(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: all it has but honours and chicane."""
    return entry.side is offenders and only_honours(entry, offenders, trumps)


def only_honours(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: all but honours and chicane of both."""
    del offenders, trumps
    return entry.item not in ("honours", "chicane")


def only_trump_honours(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: all but honours in trumps and chicane of
    both."""
    return not trumps or only_honours(entry, offenders, trumps)


def nothing(entry: Entry, offenders: Side, trumps: bool) -> bool:
    """Whether an entry is lost for an offence of a side: all that either has."""
    del entry, offenders, trumps
    return True


CANNOT_SCORE: Mapping[tuple[str, str | None], Lost] = {
    ("lose", "tricks"): no_tricks,
    ("lose", "tricks-and-bonus"): no_tricks_nor_bonus,
    ("lose", "slam"): no_slam_scored,
    ("lose", "all-but-honours"): honours_only,
    ("both-lose", "all-but-honours"): only_honours,
    ("both-lose", "all-but-trump-honours"): only_trump_honours,
    ("both-lose", "everything"): nothing,
}
"""The effects by which what was won may not be scored."""


def tricks_taken(
    odd_tricks: int, declaring: int, tricks: int, adverse: int, total: int
) -> tuple[bool, str] | None:
    """The slam of a deal when either side scores what it takes: (declarer's?, its size)."""
    del odd_tricks, declaring
    for mine, taken in ((True, tricks), (False, adverse)):
        if taken >= total - 1:
            return mine, "grand" if taken >= total else "little"
    return None


def bid_and_made(
    odd_tricks: int, declaring: int, tricks: int, adverse: int, total: int
) -> tuple[bool, str] | None:
    """The slam of a deal when only a slam bid and made counts."""
    del adverse
    if tricks < declaring + odd_tricks or declaring + odd_tricks < total - 1:
        return None
    return True, "grand" if declaring + odd_tricks == total else "little"


def bid_and_taken(
    odd_tricks: int, declaring: int, tricks: int, adverse: int, total: int
) -> tuple[bool, str] | None:
    """The slam of a deal when only a slam counts of which no more was taken than was bid."""
    if tricks != declaring + odd_tricks:
        return None
    return bid_and_made(odd_tricks, declaring, tricks, adverse, total)


SLAM: Mapping[str, Callable[[int, int, int, int, int], tuple[bool, str] | None]] = {
    "tricks-taken": tricks_taken,
    "bid-and-made": bid_and_made,
    "bid-and-taken": bid_and_taken,
    "bid-and-made-or-given": bid_and_made,
}

SLAM_BY_COUNT = frozenset({"bid-and-made-or-given"})
"""The procedures of a slam that look at the tricks as they count, at nullo those given away."""


def after_a_game(games: int) -> bool:
    """Whether a side that has won so many games of the rubber is vulnerable."""
    return games > 0


def across_deals(before: int, now: int) -> int:
    """The trick score that may reach a game: that of earlier deals of the game and this one's."""
    return before + now


def single_deal(before: int, now: int) -> int:
    """The trick score that may reach a game: that of this deal alone."""
    del before
    return now


def begins_anew(loser: int | None) -> int | None:
    """What a side that lost a game has towards the next: nothing."""
    del loser
    return 0


def keeps_its_score(loser: int | None) -> int | None:
    """What a side that lost a game has towards the next: what it had."""
    return loser


AFTER_A_GAME: Mapping[str, Callable[[int | None], int | None]] = {
    "across-deals": begins_anew,
    "across-games": keeps_its_score,
    "single-deal": begins_anew,
}

GAME_SCORE: Mapping[str, Callable[[int, int], int]] = {
    "across-deals": across_deals,
    "across-games": across_deals,
    "single-deal": single_deal,
}


def adversaries_odd_tricks(tricks: int, total: int) -> int:
    """The tricks that count for the declarer of a nullo: those that the adversaries take."""
    return total - tricks


def counted_tricks(tricks: int, final: Final, law: Rules) -> int:
    """The tricks by which a declaration is made: the declaring side's, or as nullo counts them."""
    if law.has("nullo") and at_nullo(final.denomination, law):
        return adversaries_odd_tricks(tricks, law.value("hand-size"))
    return tricks


def gains_tricks(penalty: Penalty, side: Side, denomination: str, rules: Rules) -> bool:
    """Whether the declaring side gains the tricks that a penalty moves; it gives them otherwise."""
    reversed_ = rules.value("revoke-tricks") in GIVEN_AT_NULLO and at_nullo(denomination, rules)
    return (penalty.offenders is not side) is not reversed_


def tricks_after(
    played: int, penalties: Iterable[Penalty], side: Side, denomination: str, rules: Rules
) -> tuple[int, tuple[str, ...]]:
    """The tricks of the declaring side, `side`, after penalties, and the clauses on tricks that are
    lacking, as far as they decide."""
    moves = [
        (p.number or 0) * (1 if gains_tricks(p, side, denomination, rules) else -1)
        for p in penalties
        if p.effect == "move-tricks"
    ]
    total = rules.value("hand-size")
    in_turn, at_once, in_full = (how(played, moves, total) for how in TRICKS_LACKING.values())
    paid = rules.procedure("tricks-lacking", TRICKS_LACKING) or paid_in_full
    lacking = ["tricks-lacking"] if {in_turn, at_once} != {in_full} else []
    lacking += ["tricks-lacking.order"] if in_turn != at_once else []
    return paid(played, moves, total), tuple(lacking)


def two_games(games: int, needed: int) -> bool:
    """Whether the rubber is over when a side has won so many games."""
    return games >= needed


Totals = tuple[int, int]
"""The totals of North and South and of East and West."""


def side_of_the_games(ended: Side, totals: Totals | None) -> Side | None:
    """Who wins a rubber that is over: the side that has won its games, whatever the totals."""
    del totals
    return ended


def greater_total(ended: Side | None, totals: Totals | None) -> Side | None:
    """Who wins a rubber that is over: the greater total; `None` where equal or not known."""
    del ended
    if totals is None or totals[0] == totals[1]:
        return None
    return Side.NS if totals[0] > totals[1] else Side.EW


def greater_total_or_games(ended: Side, totals: Totals | None) -> Side | None:
    """Who wins a rubber that is over: the greater total; of equal ones, that of the games."""
    if totals is not None and totals[0] == totals[1]:
        return ended
    return greater_total(ended, totals)


RUBBER_WINNER: Mapping[str, Callable[[Side, Totals | None], Side | None]] = {
    "two-games": side_of_the_games,
    "greater-total": greater_total,
    "greater-total-or-games": greater_total_or_games,
}


def each_game(games: tuple[int, int], mine: int) -> bool:
    """Whether a side has the bonus of an unfinished rubber: whoever has won a game."""
    return games[mine] > 0


def a_game_ahead(games: tuple[int, int], mine: int) -> bool:
    """Whether a side has the bonus of an unfinished rubber: who has won more games."""
    return games[mine] > games[1 - mine]


UNFINISHED: Mapping[str, Callable[[tuple[int, int], int], bool]] = {
    "each-game": each_game,
    "a-game-ahead": a_game_ahead,
}


def from_the_average(totals: Sequence[Fraction], mine: int) -> Fraction:
    """From what the result of a team is reckoned: the average of all the teams."""
    del mine
    return sum(totals, Fraction(0)) / len(totals)


def from_the_best_other(totals: Sequence[Fraction], mine: int) -> Fraction:
    """From what the result of a team is reckoned: the best of the other teams."""
    others = [*totals[:mine], *totals[mine + 1 :]]
    return max(others, default=totals[mine])


MATCH_RESULT: Mapping[str, Callable[[Sequence[Fraction], int], Fraction]] = {
    "from-the-average": from_the_average,
    "from-the-best-other": from_the_best_other,
}


def difference(totals: Totals) -> int:
    """What a rubber or a match is worth: the difference of the totals."""
    return abs(totals[0] - totals[1])


def honour_score() -> str:
    """The column of the rubber bonus: the honour score."""
    return "honour"


def total() -> str:
    """The column of the rubber bonus: the total at the end of the rubber."""
    return "total"


RUBBER_BONUS_PLACE: Mapping[str, Callable[[], str]] = {"honour-score": honour_score, "total": total}


def half_up(total: int, count: int) -> int:
    """An average as a whole number, a half counting as one."""
    return (2 * total + count) // (2 * count)


def average_of_the_opposite(opposite: Sequence[int]) -> Fraction:
    """What a team adds for its odd pair: the average, as a fraction, of the pairs opposite."""
    return Fraction(sum(opposite), len(opposite))


ODD_PAIRS: Mapping[str, Callable[[Sequence[int]], Fraction]] = {
    "average-of-the-opposite": average_of_the_opposite,
    "average-also-for-one-pair": average_of_the_opposite,
}

ODD_ALONE = frozenset({"average-also-for-one-pair"})
"""The procedures by which the only pair of a team is an odd one."""


def avoids_a_tie(rounded: Sequence[Fraction], exact: Sequence[Fraction]) -> bool:
    """Whether fractions are kept: where without them two teams would be equal, or none win.

    By the teams' results without and with them.
    """
    return parts_equals(rounded, exact) or (max(rounded) <= 0 < max(exact))


def parts_equals(rounded: Sequence[Fraction], exact: Sequence[Fraction]) -> bool:
    """Whether fractions are kept: only where without them two teams would be equal."""
    return len(set(rounded)) < len(set(exact))


FRACTION: Mapping[str, Callable[[Sequence[Fraction], Sequence[Fraction]], bool]] = {
    "avoids-a-tie": avoids_a_tie,
    "parts-equals": parts_equals,
}


def add_or_deduct(voids: int, side_scores: bool, other_scores: bool, other_voids: int) -> int:
    """How chicane counts: 1 added to the side's honours, -1 deducted from the others', 0 not.

    Double chicane (two hands void) can only be deducted.
    """
    del other_voids
    if voids == 1 and side_scores:
        return 1
    return -1 if voids and other_scores else 0


def add_or_deduct_alone(voids: int, side_scores: bool, other_scores: bool, other_voids: int) -> int:
    """How chicane counts: the same, but not beside chicane of the other side."""
    if other_voids:
        return 0
    return add_or_deduct(voids, side_scores, other_scores, other_voids)


def each_added(voids: int, side_scores: bool, other_scores: bool, other_voids: int) -> int:
    """How chicane counts: always added to the honours of the side that holds it."""
    del side_scores, other_scores, other_voids
    return int(voids > 0)


CHICANE: Mapping[str, Callable[[int, bool, bool, int], int]] = {
    "add-or-deduct": add_or_deduct,
    "add-or-deduct-alone": add_or_deduct_alone,
    "each-added": each_added,
}


def trump_of(final: Final | None, law: Rules) -> Suit | None:
    """The trump suit of a final declaration; none at no-trumps, or where there is none."""
    return trump_suit(final.denomination, law) if final else None


def trump_suit(denomination: str, law: Rules) -> Suit | None:
    """The trump suit of a denomination; none at no-trumps."""
    found = law.denomination(denomination)
    return found.suit if found else None


# --- all of them ----------------------------------------------------------------------------------

PROCEDURES: Mapping[str, Mapping[str, Callable[..., object]]] = {
    "first-declaration": FIRST_DECLARATION,
    "sufficiency": SUFFICIENCY,
    "doubling": DOUBLING,
    "changing-a-call": CHANGING_A_CALL,
    "making-sufficient": MAKING_SUFFICIENT,
    "earlier-bid": EARLIER_BID,
    "reopening": REOPENING,
    "declarer": DECLARER,
    "convention": CONVENTION,
    "tricks-scored": TRICKS_SCORED,
    "fraction": FRACTION,
    "odd-pairs": ODD_PAIRS,
    "chicane": CHICANE,
    "slam-when": SLAM,
    "revoke-tricks": REVOKE_TRICKS,
    "lost-penalty": LOST_PENALTY,
    "tricks-lacking": TRICKS_LACKING,
    "revoke-value": REVOKE_VALUE,
    "revoke-deduction": REVOKE_DEDUCTION,
    "ceiling": CEILING,
    "limited-loss": LIMITED_LOSS,
    "failed-declarer": FAILED_DECLARER,
    "unfinished-rubber": UNFINISHED,
    "match-result": MATCH_RESULT,
    "game-score": GAME_SCORE,
    "rubber-winner": RUBBER_WINNER,
    "rubber-bonus-place": RUBBER_BONUS_PLACE,
}
"""Every procedure that codes choose among, by its id in the vocabulary: the functions by name."""
