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
from oddtrick.judge import procedures as declaring
from oddtrick.judge.answers import ScoreJson, StandingJson, of_sides
from oddtrick.judge.finding import Entry, Missing
from oddtrick.judge.message import Say
from oddtrick.judge.procedures import Final, at_nullo
from oddtrick.law.rules import Rules


class Standing(NamedTuple):
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


HONOURS = ("honours", "chicane")
"""The items of an account that are for honours."""

AS_WRITTEN = "as-written"
"""The item of an entry by which a column comes to what was written, not to what the law gives."""


class Closed(NamedTuple):
    """Points of a side in a column as they were written, which the law `by` lets stand."""

    side: Side
    column: str
    points: int
    by: str


class Facts(NamedTuple):
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


class Account(NamedTuple):
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

    def points(self, side: Side, column: str = "", item: str = "") -> int:
        """The sum of one side's entries: of all, of those in a column, of those for an item."""
        return sum(
            e.points
            for e in self.entries
            if e.side is side and column in ("", e.column) and item in ("", e.item)
        )

    def as_json(self, say: Say) -> ScoreJson:
        """The account as the JSON of a check gives it."""
        columns = ("trick", "honour")
        return {
            "NS": {c: self.points(Side.NS, c) for c in columns},
            "EW": {c: self.points(Side.EW, c) for c in columns},
            "entries": [e.as_json(say) for e in self.entries],
            "lacks": [m.as_json() for m in self.missing],
            "open": [m.as_json() for m in self.open],
            "made": self.made,
            "game": self.game.value if self.game else None,
            "rubber": self.rubber.value if self.rubber else None,
            "after": self.standing.as_json(),
        }


# --- procedures -----------------------------------------------------------------------------------

TRICKS_SCORED: Mapping[str, Callable[[int, int, int], tuple[int, int]]] = {
    "either-side": lambda _contract, won, lost: (max(won, 0), max(lost, 0)),
    "all-odd-tricks": lambda contract, won, _lost: (won if won >= contract else 0, 0),
    "contracted-only": lambda contract, won, _lost: (contract if won >= contract else 0, 0),
}
"""The odd tricks that count for declarer and adversaries, by those contracted for and those that
either has above its book."""


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


def as_moved_but(*as_played: str) -> Callable[[int, int], Counted]:
    """The tricks count as moved, except for what counts them as they were played."""
    fields = Counted._fields
    return lambda played, moved: Counted(*(played if f in as_played else moved for f in fields))


SLAMS = ("slam", "adverse_slam")

REVOKE_TRICKS: Mapping[str, Callable[[int, int], Counted]] = {
    "as-won": as_moved_but(),
    "as-won-given-at-nullo": as_moved_but(),
    "no-slam": as_moved_but(*SLAMS),
    "no-slam-for-either": lambda played, moved: as_moved_but()(played, moved)._replace(
        slam=min(played, moved), adverse_slam=max(played, moved)
    ),
    "no-bonus-no-slam": as_moved_but("bonuses", *SLAMS),
    "no-bonus-no-slam-no-game": as_moved_but("bonuses", *SLAMS, "game"),
}
"""What the tricks count for, by those played and those after some were moved for a revoke."""

GIVEN_AT_NULLO = frozenset({"as-won-given-at-nullo"})
"""The procedures by which tricks taken for a revoke go the other way at nullo."""


def paid_in_turn(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, each paid with what the side then has."""
    for moved in moves:
        played = min(max(played + moved, 0), total)
    return played


def paid_at_once(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, paid with what each side won in play."""
    gained, given = (sum(max(sign * m, 0) for m in moves) for sign in (1, -1))
    return played + min(gained, total - played) - min(given, played)


TRICKS_LACKING: Mapping[str, Callable[[int, Sequence[int], int], int]] = {
    "not-owed": paid_in_turn,
    "not-owed-of-the-play": paid_at_once,
    "counted": lambda played, moves, _total: played + sum(moves),
}
"""The declaring side's tricks after penalties, by how many each moves to it."""

REVOKE_VALUE: Mapping[str, Callable[[int, int], int]] = {
    "as-doubled": lambda worth, _first: worth,
    "undoubled": lambda _worth, first: first,
}
"""What a trick is worth whose value is taken or added for a revoke, by its worth as doubled and its
first value."""

REVOKE_DEDUCTION: Mapping[str, Callable[[int, int], int]] = {
    "score-after-the-hand": lambda before, made: before + made,
    "score-before-the-hand": lambda before, _made: before,
}
"""The score towards the game from which points are taken for a revoke, by that before the hand and
that made in it."""

CEILING: Mapping[str, Callable[[int, int, int], int]] = {
    "to-the-point": lambda points, room, _each: min(points, room),
    "whole-tricks": lambda points, room, each: min(points, room - room % each),
}
"""The points of odd tricks that a ceiling leaves, by the room below it and the worth of a trick."""

LIMITED_LOSS: Mapping[str, Callable[[Entry], bool]] = {
    "undertricks": lambda entry: entry.item == "undertricks",
    "all-but-honours": lambda entry: entry.item not in HONOURS,
}
"""Whether an entry of the adversaries is part of a limited loss."""

FAILED_DECLARER: Mapping[str, Callable[[int], int]] = {
    "penalties-kept": lambda points: points,
    "honours-only": lambda _points: 0,
}
"""What a declarer who fails has of the points for an irregularity."""


def tricks_taken(
    _odd: int, _book: int, tricks: int, adverse: int, total: int
) -> tuple[bool, str] | None:
    """The slam when either side scores what it takes."""
    for mine, taken in ((True, tricks), (False, adverse)):
        if taken >= total - 1:
            return mine, "grand" if taken >= total else "little"
    return None


def bid_and_made(
    odd: int, book: int, tricks: int, _adverse: int, total: int
) -> tuple[bool, str] | None:
    """The slam when only one that was bid and made counts."""
    if tricks < book + odd or book + odd < total - 1:
        return None
    return True, "grand" if book + odd == total else "little"


SLAM: Mapping[str, Callable[[int, int, int, int, int], tuple[bool, str] | None]] = {
    "tricks-taken": tricks_taken,
    "bid-and-made": bid_and_made,
    "bid-and-taken": lambda odd, book, tricks, adverse, total: (
        bid_and_made(odd, book, tricks, adverse, total) if tricks == book + odd else None
    ),
    "bid-and-made-or-given": bid_and_made,
}
"""The slam of a deal (the declarer's or not, its size), by the odd tricks of the contract, the
declarer's book, the tricks of either side and all tricks."""

SLAM_BY_COUNT = frozenset({"bid-and-made-or-given"})
"""The procedures of a slam that look at the tricks as they count, at nullo those given away."""

AFTER_A_GAME: Mapping[str, Callable[[int | None], int | None]] = {
    "across-deals": lambda _loser: 0,
    "across-games": lambda loser: loser,
    "single-deal": lambda _loser: 0,
}
"""What a side that lost a game has towards the next."""

GAME_SCORE: Mapping[str, Callable[[int, int], int]] = {
    "across-deals": lambda before, now: before + now,
    "across-games": lambda before, now: before + now,
    "single-deal": lambda _before, now: now,
}
"""The trick score that may reach a game, by that of earlier deals and of this one."""

Totals = tuple[int, int]
"""The totals of North and South and of East and West."""


def greater_total(totals: Totals | None) -> Side | None:
    """The side with the greater total; `None` where they are equal or not known."""
    if totals is None or totals[0] == totals[1]:
        return None
    return Side.NS if totals[0] > totals[1] else Side.EW


RUBBER_WINNER: Mapping[str, Callable[[Side, Totals | None], Side | None]] = {
    "two-games": lambda ended, _totals: ended,
    "greater-total": lambda _ended, totals: greater_total(totals),
    "greater-total-or-games": lambda ended, totals: (
        greater_total(totals) or (ended if totals else None)
    ),
}
"""Who wins a rubber that is over, by the side that won its games and the totals."""

UNFINISHED: Mapping[str, Callable[[int, int], bool]] = {
    "each-game": lambda own, _theirs: own > 0,
    "a-game-ahead": lambda own, theirs: own > theirs,
}
"""Whether a side has the bonus of an unfinished rubber, by the games of either."""

MATCH_RESULT: Mapping[str, Callable[[Fraction, Sequence[Fraction]], Fraction]] = {
    "from-the-average": lambda own, others: Fraction(own + sum(others)) / (1 + len(others)),
    "from-the-best-other": lambda own, others: max(others, default=own),
}
"""From what the result of a team is reckoned, by its total and those of the others."""

RUBBER_BONUS_PLACE: Mapping[str, str] = {"honour-score": "honour", "total": "total"}
"""The column of the rubber bonus."""

ODD_PAIRS: Mapping[str, bool] = {
    "average-of-the-opposite": False,
    "average-also-for-one-pair": True,
}
"""Whether the only pair of a team is an odd one; an odd pair adds the average of those opposite."""

FRACTION: Mapping[str, Callable[[Sequence[Fraction], Sequence[Fraction]], bool]] = {
    "avoids-a-tie": lambda rounded, exact: (
        len(set(rounded)) < len(set(exact)) or max(rounded) <= 0 < max(exact)
    ),
    "parts-equals": lambda rounded, exact: len(set(rounded)) < len(set(exact)),
}
"""Whether fractions are kept, by the teams' results without and with them: where without them teams
would be equal, or none win."""


def add_or_deduct(voids: int, side_scores: bool, other_scores: bool, _other_voids: int) -> int:
    """How chicane counts when it is added, or deducted from the others; double chicane only so."""
    if voids == 1 and side_scores:
        return 1
    return -1 if voids and other_scores else 0


CHICANE: Mapping[str, Callable[[int, bool, bool, int], int]] = {
    "add-or-deduct": add_or_deduct,
    "add-or-deduct-alone": lambda voids, ours, theirs, others: (
        0 if others else add_or_deduct(voids, ours, theirs, others)
    ),
    "each-added": lambda voids, _ours, _theirs, _others: int(voids > 0),
}
"""How chicane counts: 1 added to the side's honours, -1 deducted from the others', 0 not.

By the hands of the side without a trump, whether either side scores honours, the others' voids.
"""

# --- what every code has in common ----------------------------------------------------------------


def after_a_game(games: int) -> bool:
    """Whether a side that has won so many games of the rubber is vulnerable."""
    return games > 0


def counted_tricks(tricks: int, final: Final, law: Rules) -> int:
    """The tricks by which a declaration is made: at nullo those that the adversaries take."""
    if law.has("nullo") and at_nullo(final.denomination, law):
        return int(law.value("hand-size")) - tricks
    return tricks


def tricks_after(
    played: int, penalties: Iterable[Penalty], side: Side, denomination: str, rules: Rules
) -> tuple[int, tuple[str, ...]]:
    """The tricks of the declaring side, `side`, after penalties, and the clauses on tricks that are
    lacking, as far as they decide."""
    turned = rules.value("revoke-tricks") in GIVEN_AT_NULLO and at_nullo(denomination, rules)
    moves = [
        (p.number or 0) * (1 if (p.offenders is not side) is not turned else -1)
        for p in penalties
        if p.effect == "move-tricks"
    ]
    if not moves:
        return played, ()
    total = rules.value("hand-size")
    after = {name: how(played, moves, total) for name, how in TRICKS_LACKING.items()}
    in_turn, at_once, in_full = after.values()
    lacking = ["tricks-lacking"] if {in_turn, at_once} != {in_full} else []
    lacking += ["tricks-lacking.order"] if in_turn != at_once else []
    return after[rules.value("tricks-lacking") or "counted"], tuple(lacking)


def half_up(points: Fraction) -> Fraction:
    """Points as a whole number, a half counting as one."""
    return Fraction((2 * points.numerator + points.denominator) // (2 * points.denominator))


def trump_suit(denomination: str, law: Rules) -> Suit | None:
    """The trump suit of a denomination; none at no-trumps."""
    found = law.denomination(denomination)
    return found.suit if found else None


def trump_of(final: Final | None, law: Rules) -> Suit | None:
    """The trump suit of a final declaration; none at no-trumps, or where there is none."""
    return trump_suit(final.denomination, law) if final else None


# --- all of them ----------------------------------------------------------------------------------

PROCEDURES: Mapping[str, Mapping[str, object]] = {
    "first-declaration": declaring.FIRST_DECLARATION,
    "sufficiency": declaring.SUFFICIENCY,
    "doubling": declaring.DOUBLING,
    "changing-a-call": declaring.CHANGING_A_CALL,
    "making-sufficient": declaring.MAKING_SUFFICIENT,
    "earlier-bid": declaring.EARLIER_BID,
    "reopening": declaring.REOPENING,
    "declarer": declaring.DECLARER,
    "convention": declaring.CONVENTION,
    "lost-penalty": declaring.LOST_PENALTY,
    "tricks-scored": TRICKS_SCORED,
    "fraction": FRACTION,
    "odd-pairs": ODD_PAIRS,
    "chicane": CHICANE,
    "slam-when": SLAM,
    "revoke-tricks": REVOKE_TRICKS,
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
"""Every procedure that codes choose among, by its id in the vocabulary: what each value does."""
