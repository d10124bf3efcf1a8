"""Scoring: the facts a score depends on, and the procedures that a code chooses among.

There is one pure function for each procedure, in the table `SCORING`; `laws/vocabulary.yaml` states
what each does. `account` creates the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from oddtrick.cards import EW, NS, Seat, Side, Suit
from oddtrick.judge.finding import Entry, Message, Missing
from oddtrick.judge.procedures import DECLARING, Final, at_nullo
from oddtrick.law.rules import Rules


class Standing(NamedTuple):
    """The state of a rubber by side: games won, points towards the next, and the honour score.

    A figure is `None` if it is not known. The honour score affects no later score. `dealer` is the
    player whose turn it is to deal, if known.
    """

    games: tuple[int | None, int | None] = (None, None)
    trick: tuple[int | None, int | None] = (None, None)
    honour: tuple[int | None, int | None] = (None, None)
    dealer: Seat | None = None

    def games_of(self, side: Side) -> int | None:
        """The games won by a side."""
        return self.games[side is EW]

    def trick_of(self, side: Side) -> int | None:
        """The points of a side towards the current game."""
        return self.trick[side is EW]


UNKNOWN = Standing()
"""The state of a rubber about which nothing is known."""

LOVE = Standing((0, 0), (0, 0), (0, 0))
"""The state at the beginning of a rubber."""


class Holding(NamedTuple):
    """The honours of a side: in both hands, and `more` in the hand that has more, if known."""

    total: int
    more: int | None = None

    @property
    def split(self) -> str | None:
        """The split as the key of a figure: `4-1`."""
        return None if self.more is None else f"{self.more}-{self.total - self.more}"


@dataclass(frozen=True, slots=True)
class Penalty:
    """The effect of a remedy on the score: the offending side, the effect and its amount.

    `of` is the object of the effect, `irregularity` an id of the catalogue; `laws` provide the
    remedy. `column` is the column of points awarded, if the law names one.
    """

    offenders: Side
    effect: str
    number: int | None
    irregularity: str
    laws: tuple[str, ...]
    readings: tuple[str, ...] = ()
    of: str | None = None
    column: str | None = None

    def entry(self, points: int, readings: tuple[str, ...] = ()) -> Entry:
        """The entry for the points that the penalty awards to the other side."""
        of = self.irregularity
        reason, rests_on = (Message("penalty", irregularity=of),), readings or self.readings
        column = self.column or "honour"
        return Entry(
            self.offenders.other, column, points, "penalty", reason, self.laws, rests_on, (of,)
        )


HONOURS = ("honours", "chicane")
"""The items of an account that concern honours."""

AS_WRITTEN = "as-written"
"""The item of an entry that adjusts a column to what was written instead of the lawful points."""


class Closed(NamedTuple):
    """Points written for a side in a column that may not be corrected under the law `by`."""

    side: Side
    column: str
    points: int
    by: str


class Facts(NamedTuple):
    """All that the score of a deal depends on; `None` if not known.

    `honours` and `voids` (hands without a trump) are by side; `standing` is the state before the
    deal; `closed` are figures that may no longer be corrected.
    """

    final: Final
    tricks: int | None
    honours: Mapping[Side, Holding] | None = None
    voids: Mapping[Side, int] | None = None
    standing: Standing = UNKNOWN
    penalties: tuple[Penalty, ...] = ()
    closed: tuple[Closed, ...] = ()


COLUMNS = ("trick", "honour", "total")
"""The columns of a score."""


class Account(NamedTuple):
    """The entries of a deal, the facts missing for others, and the state of the rubber after it.

    `missing` names every fact that was not known, `open` those on which the honour score depends.
    `facts` are those on which it rests.
    """

    entries: tuple[Entry, ...]
    missing: tuple[Missing, ...]
    standing: Standing
    game: Side | None = None
    rubber: Side | None = None
    made: bool | None = None
    open: tuple[Missing, ...] = ()
    facts: Facts | None = None

    def points(self, side: Side, column: str = "", item: str = "") -> int:
        """The sum of one side's entries: all of them, those in a column, or those for an item."""
        return sum(
            e.points
            for e in self.entries
            if e.side is side and column in ("", e.column) and item in ("", e.item)
        )

    @property
    def columns(self) -> list[int]:
        """The points of each side in each column."""
        return [self.points(side, column) for side in Side for column in COLUMNS]


# --- procedures -----------------------------------------------------------------------------------


class Counted(NamedTuple):
    """The declaring side's tricks for each purpose when some were moved for a revoke.

    The purposes are the contract, bonuses, a slam of its own, a slam of the adversaries, and the
    game of a doubled contract.
    """

    contract: int
    bonuses: int
    slam: int
    adverse_slam: int
    game: int


def as_moved_but(*as_played: str) -> Callable[[int, int], Counted]:
    """A procedure by which tricks transferred as a penalty count where they went.

    For the purposes named in `as_played` (fields of `Counted`) they count as they were won.
    """
    fields = Counted._fields
    return lambda played, moved: Counted(*(played if f in as_played else moved for f in fields))


def paid_in_turn(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, each limited to what the payer then has."""
    for moved in moves:
        played = min(max(played + moved, 0), total)
    return played


def paid_at_once(played: int, moves: Sequence[int], total: int) -> int:
    """The declaring side's tricks after penalties, limited to what each side won in play."""
    gained, given = (sum(max(sign * m, 0) for m in moves) for sign in (1, -1))
    return played + min(gained, total - played) - min(given, played)


def tricks_taken(
    _odd: int, _book: int, tricks: int, adverse: int, total: int
) -> tuple[bool, str] | None:
    """A procedure for slams: either side scores one by taking the tricks, whatever was bid."""
    for mine, taken in ((True, tricks), (False, adverse)):
        if taken >= total - 1:
            return mine, "grand" if taken >= total else "little"
    return None


def bid_and_made(
    odd: int, book: int, tricks: int, _adverse: int, total: int
) -> tuple[bool, str] | None:
    """A procedure for slams: only the declaring side scores one, if it bid and made it."""
    if tricks < book + odd or book + odd < total - 1:
        return None
    return True, "grand" if book + odd == total else "little"


Totals = tuple[int, int]
"""The totals of North-South and of East-West."""


def greater_total(totals: Totals | None) -> Side | None:
    """The side with the greater total; `None` if they are equal or not known."""
    if totals is None or totals[0] == totals[1]:
        return None
    return NS if totals[0] > totals[1] else EW


def add_or_deduct(voids: int, side_scores: bool, other_scores: bool, _other_voids: int) -> int:
    """How chicane counts if the side adds it or has it deducted from the other side.

    Double chicane is only deducted.
    """
    if voids == 1 and side_scores:
        return 1
    return -1 if voids and other_scores else 0


SLAMS = ("slam", "adverse_slam")

SCORING: Mapping[str, Mapping[str, Any]] = {
    # The odd tricks that count for declarer and for the adversaries, given the odd tricks
    # contracted for and those that each side has above its book.
    "tricks-scored": {
        "either-side": lambda _contract, won, lost: (max(won, 0), max(lost, 0)),
        "all-odd-tricks": lambda contract, won, _lost: (won if won >= contract else 0, 0),
        "contracted-only": lambda contract, won, _lost: (contract if won >= contract else 0, 0),
    },
    # The tricks for each purpose, given those played and those after a revoke moved some.
    "revoke-tricks": {
        "as-won": as_moved_but(),
        "as-won-given-at-nullo": as_moved_but(),
        "no-slam": as_moved_but(*SLAMS),
        "no-slam-for-either": lambda played, moved: as_moved_but()(played, moved)._replace(
            slam=min(played, moved), adverse_slam=max(played, moved)
        ),
        "no-bonus-no-slam": as_moved_but("bonuses", *SLAMS),
        "no-bonus-no-slam-no-game": as_moved_but("bonuses", *SLAMS, "game"),
    },
    # The declaring side's tricks after penalties, given its tricks in play, the tricks that each
    # penalty moves to it, and the number of all tricks.
    "tricks-lacking": {
        "not-owed": paid_in_turn,
        "not-owed-of-the-play": paid_at_once,
        "counted": lambda played, moves, _total: played + sum(moves),
    },
    # The value of a trick that is added or deducted for a revoke, given its doubled and its
    # undoubled value.
    "revoke-value": {
        "as-doubled": lambda worth, _first: worth,
        "undoubled": lambda _worth, first: first,
    },
    # The score towards the game from which points are deducted for a revoke, given the score before
    # the hand and the points made in it.
    "revoke-deduction": {
        "score-after-the-hand": lambda before, made: before + made,
        "score-before-the-hand": lambda before, _made: before,
    },
    # The points for odd tricks that remain under a limit, given the points, the room below the
    # limit and the value of a trick.
    "ceiling": {
        "to-the-point": lambda points, room, _each: min(points, room),
        "whole-tricks": lambda points, room, each: min(points, room - room % each),
    },
    # Whether an entry of the adversaries counts towards the limit on a loss.
    "limited-loss": {
        "undertricks": lambda entry: entry.item == "undertricks",
        "all-but-honours": lambda entry: entry.item not in HONOURS,
    },
    # The points for an irregularity that remain to a declarer who fails.
    "failed-declarer": {"penalties-kept": lambda points: points, "honours-only": lambda _points: 0},
    # The slam of a deal, whether it is the declarer's, and its size, given the odd tricks of the
    # contract, the book, the tricks of declarer and of the adversaries, and the number of all
    # tricks.
    "slam-when": {
        "tricks-taken": tricks_taken,
        "bid-and-made": bid_and_made,
        "bid-and-taken": lambda odd, book, tricks, adverse, total: (
            bid_and_made(odd, book, tricks, adverse, total) if tricks == book + odd else None
        ),
        "bid-and-made-or-given": bid_and_made,
    },
    # The trick score compared with a game, given the trick scores of earlier deals and of this one;
    # and the score with which a side that lost a game begins the next, given its score before.
    "game-score": {
        "across-deals": (lambda before, now: before + now, lambda _loser: 0),
        "across-games": (lambda before, now: before + now, lambda loser: loser),
        "single-deal": (lambda _before, now: now, lambda _loser: 0),
    },
    # The winner of a finished rubber, given the side that won the games and the totals.
    "rubber-winner": {
        "two-games": lambda ended, _totals: ended,
        "greater-total": lambda _ended, totals: greater_total(totals),
        "greater-total-or-games": lambda ended, totals: (
            greater_total(totals) or (ended if totals else None)
        ),
    },
    # Whether a side gets the bonus of an unfinished rubber, given the games of both sides.
    "unfinished-rubber": {
        "each-game": lambda own, _theirs: own > 0,
        "a-game-ahead": lambda own, theirs: own > theirs,
    },
    # The standard for the result of a team, given its total and the totals of the other teams.
    "match-result": {
        "from-the-average": lambda own, others: Fraction(own + sum(others)) / (1 + len(others)),
        "from-the-best-other": lambda own, others: max(others, default=own),
    },
    # The column of the rubber bonus.
    "rubber-bonus-place": {"honour-score": "honour", "total": "total"},
    # Whether the only pair of a team is an odd pair, to which the average of the pairs opposite is
    # added.
    "odd-pairs": {"average-of-the-opposite": False, "average-also-for-one-pair": True},
    # Whether fractions are retained, given the teams' results without and with them. They are if
    # teams would otherwise be equal or, under one procedure, if no team would win.
    "fraction": {
        "avoids-a-tie": lambda rounded, exact: (
            len(set(rounded)) < len(set(exact)) or max(rounded) <= 0 < max(exact)
        ),
        "parts-equals": lambda rounded, exact: len(set(rounded)) < len(set(exact)),
    },
    # How chicane counts (1: added to the side's honours, -1: deducted from the others', 0: not at
    # all), given the side's hands without a trump, whether it scores honours, whether the others
    # do, and the others' hands without a trump.
    "chicane": {
        "add-or-deduct": add_or_deduct,
        "add-or-deduct-alone": lambda voids, ours, theirs, others: (
            0 if others else add_or_deduct(voids, ours, theirs, others)
        ),
        "each-added": lambda voids, _ours, _theirs, _others: int(voids > 0),
    },
}
"""The procedures of scoring, by the id of the procedure and the id of the value in the vocabulary.
"""

PROCEDURES = {**DECLARING, **SCORING}
"""Every procedure that codes choose among."""

# --- what every code has in common ----------------------------------------------------------------


def counted_tricks(tricks: int, final: Final, law: Rules) -> int:
    """The tricks that count for a declaration: at nullo, those of the adversaries."""
    if law.has("nullo") and at_nullo(final.denomination, law):
        return int(law.value("hand-size")) - tricks
    return tricks


def tricks_after(
    played: int, penalties: Iterable[Penalty], side: Side, denomination: str, rules: Rules
) -> tuple[int, tuple[str, ...]]:
    """The declaring side's tricks after penalties, and the clauses on missing tricks that matter.

    `side` is the declaring side; tricks are missing if a side has fewer than it must pay.
    """
    given = rules.value("revoke-tricks") == "as-won-given-at-nullo"  # instead of taken
    turned = given and at_nullo(denomination, rules)
    moves = [
        (p.number or 0) * (1 if (p.offenders is not side) is not turned else -1)
        for p in penalties
        if p.effect == "move-tricks"
    ]
    if not moves:
        return played, ()
    total = rules.value("hand-size")
    after = {name: how(played, moves, total) for name, how in SCORING["tricks-lacking"].items()}
    in_turn, at_once, in_full = after.values()
    lacking = ["tricks-lacking"] if {in_turn, at_once} != {in_full} else []
    lacking += ["tricks-lacking.order"] if in_turn != at_once else []
    return after[rules.value("tricks-lacking") or "counted"], tuple(lacking)


def half_up(points: Fraction) -> Fraction:
    """Points rounded to a whole number, halves up."""
    return Fraction((2 * points.numerator + points.denominator) // (2 * points.denominator))


def trump_suit(denomination: str, law: Rules) -> Suit | None:
    """The trump suit of a denomination; `None` at no-trumps."""
    found = law.denomination(denomination)
    return found.suit if found else None


def trump_of(final: Final | None, law: Rules) -> Suit | None:
    """The trump suit of a final declaration; `None` at no-trumps or without a declaration."""
    return trump_suit(final.denomination, law) if final else None
