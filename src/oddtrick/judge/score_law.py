"""The law in force as a score is counted by it: figures as attributes, procedures as functions.

As `table_law` has it for the table. Each figure and each name of a procedure is looked up once;
what the code does not have is `None`, or empty. A figure that is more than a number is a type of
its own, which says what it comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Generic, TypeVar

from oddtrick.cards import CARDS, Side, Suit, bits
from oddtrick.judge.finding import Entry
from oddtrick.judge.procedures import DOUBLING_KEYS, Final
from oddtrick.judge.score_procedures import (
    AFTER_A_GAME,
    CEILING,
    CHICANE,
    FAILED_DECLARER,
    GAME_SCORE,
    HONOURS,
    LIMITED_LOSS,
    REVOKE_DEDUCTION,
    REVOKE_TRICKS,
    REVOKE_VALUE,
    RUBBER_BONUS_PLACE,
    RUBBER_END,
    SLAM,
    SLAM_BY_COUNT,
    SLAM_ON_LOST_CONTRACT,
    TRICKS_LACKING,
    TRICKS_SCORED,
    VULNERABILITY,
    Counted,
    Holding,
)
from oddtrick.law.figures import flat
from oddtrick.law.rules import Rules

Progressive = int | Sequence[int]
"""The points of the first, the second and so on; the last, or the only one, repeats."""

Amount = TypeVar("Amount")


@dataclass(frozen=True, slots=True)
class ByDoubling(Generic[Amount]):
    """A figure by how far a declaration is doubled: its name, and its cells by theirs.

    A cell is `doubled`, where the figure tells the vulnerable from others `vulnerable.doubled`, of
    a royal declaration `royal-doubled` where it has cells of its own.
    """

    name: str
    cells: Mapping[str, Amount]

    @property
    def by_vulnerability(self) -> bool:
        """Whether a vulnerable side has cells of its own."""
        return any("." in name for name in self.cells)

    def cell(
        self, doubled: int, vulnerable: bool | None, royal: bool
    ) -> tuple[Amount | None, str] | None:
        """What it has for a declaration, and the name of the cell; that of both where it does not
        matter whether the side is vulnerable.

        `None` where that does matter, and is not known.
        """
        key = DOUBLING_KEYS[doubled]
        if royal and f"royal-{key}" in self.cells:
            return self.cells[f"royal-{key}"], f"royal-{key}"
        if key in self.cells or not self.by_vulnerability:
            return self.cells.get(key), key
        if vulnerable is None:
            one, other = (self.cells.get(f"{state}.{key}") for state in VULNERABLE_STATES)
            return (one, key) if one == other else None
        name = f"{VULNERABLE_STATES[not vulnerable]}.{key}"
        return self.cells.get(name), name


VULNERABLE_STATES = ("vulnerable", "invulnerable")
"""The keys of a figure by the state of a side: once it is vulnerable, and before."""


@dataclass(frozen=True, slots=True)
class HonourValues:
    """What honours count by how they are split (`4-1`), in points or in values of an odd trick.

    `None` where the code does not say what a split counts.
    """

    in_odd_tricks: bool
    values: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class LossLimit:
    """The most that a declaration may lose, where it is of so many odd tricks in a denomination.

    `dealers_first`: only as the dealer's first declaration. `lifted_by` is how often doubled it has
    no limit any more, `None` where that does not matter.
    """

    odd_tricks: int
    denomination: str
    dealers_first: bool
    most: int
    lifted_by: int | None

    def holds(self, final: Final) -> bool:
        """Whether it limits what a declaration may lose."""
        return (
            (self.odd_tricks, self.denomination) == (final.odd_tricks, final.denomination)
            and not (self.dealers_first and final.dealers_first is False)
            and (self.lifted_by is None or final.doubled < self.lifted_by)
        )


def progressive(cells: Progressive, count: int) -> int:
    """The sum of the first so many of a progressive figure, whose last cell repeats."""
    if isinstance(cells, int):
        return cells * count
    return sum(cells[:count]) + cells[-1] * max(0, count - len(cells))


@dataclass(frozen=True, slots=True, eq=False)
class ScoreLaw(Rules):
    """The law in force under a code with its options, resolved for the account of a deal.

    `tricks_scored` says which odd tricks count, `revoke_tricks` for what those count that were
    moved for a revoke, `revoke_value` and `revoke_deduction` what the value of tricks is that is
    added for one and from what score it is taken, `slam` whose and which slam a deal has,
    `slam_points` what it counts, by `little` or `vulnerable.little`; `game_score` which trick score
    may reach a game, `rubber_end` whether a rubber is over, `rubber_bonus_place` in which column
    its bonus goes.
    """

    hand_size: int
    book: int
    odd_trick: Mapping[str, int]
    tricks_scored: Callable[[int, int, int], tuple[int, int]]
    revoke_tricks: Callable[[int, int], Counted] | None
    tricks_lacking: Callable[[int, int], int] | None
    revoke_value: Callable[[int, int], int] | None
    revoke_deduction: Callable[[int, int], int] | None
    vulnerable: Callable[[int], bool] | None
    contract_bonus: ByDoubling[int] | None
    overtrick: ByDoubling[int] | None
    undertrick: ByDoubling[Progressive] | None
    loss_limits: tuple[LossLimit, ...]
    limited_loss: Callable[[Entry], bool] | None
    ceiling: Callable[[int, int, int], int] | None
    failed_declarer: Callable[[int], int] | None
    slam: Callable[[int, int, int, int, int], tuple[bool, str] | None] | None
    slam_by_count: bool
    slam_points: Mapping[str, int]
    slam_on_lost_contract: Callable[[bool], bool] | None
    honours: Callable[[Mapping[Side, Holding]], Mapping[Side, Holding]] | None
    honour_cards: Mapping[Suit | None, int]
    honour_values: Mapping[str, HonourValues]
    chicane: Callable[[int, bool, bool, int], int] | None
    chicane_value: Mapping[str, str | int]
    game: int | None
    game_score: Callable[[int, int], int] | None
    after_a_game: Callable[[int | None], int | None] | None
    game_bonus: int | None
    games_in_rubber: int | None
    rubber_end: Callable[[int, int], bool] | None
    rubber_bonus: int | None
    rubber_bonus_place: Callable[[], str] | None


def score_law(law: Rules) -> ScoreLaw:
    """The law in force resolved for accounts, once for each law in force."""
    return law if isinstance(law, ScoreLaw) else _resolve(law)


@cache
def _resolve(law: Rules) -> ScoreLaw:
    """Every attribute of the law of the score."""
    slam: dict[str, Any] = flat(law.value("slam") or {})
    honours = law.value("honour-values") or {}
    return ScoreLaw(
        **{f.name: getattr(law, f.name) for f in fields(Rules) if f.init},
        hand_size=law.value("hand-size"),
        book=law.value("book"),
        odd_trick=law.value("odd-trick") or {},
        tricks_scored=TRICKS_SCORED[law.value("tricks-scored")],
        revoke_tricks=law.procedure("revoke-tricks", REVOKE_TRICKS),
        tricks_lacking=law.procedure("tricks-lacking", TRICKS_LACKING),
        revoke_value=law.procedure("revoke-value", REVOKE_VALUE),
        revoke_deduction=law.procedure("revoke-deduction", REVOKE_DEDUCTION),
        vulnerable=law.procedure("vulnerability", VULNERABILITY),
        contract_bonus=_by_doubling(law, "contract-bonus"),
        overtrick=_by_doubling(law, "overtrick"),
        undertrick=_by_doubling(law, "undertrick"),
        loss_limits=tuple(map(_loss_limit, law.value("undertrick-limit") or ())),
        limited_loss=law.procedure("limited-loss", LIMITED_LOSS),
        ceiling=law.procedure("ceiling", CEILING),
        failed_declarer=law.procedure("failed-declarer", FAILED_DECLARER),
        slam=law.procedure("slam-when", SLAM) if slam else None,
        slam_by_count=law.value("slam-when") in SLAM_BY_COUNT,
        slam_points=slam,
        slam_on_lost_contract=law.procedure("slam-on-lost-contract", SLAM_ON_LOST_CONTRACT),
        honours=law.procedure("honours", HONOURS) if honours else None,
        honour_cards=_honour_cards(law),
        honour_values={
            kind: HonourValues(table["count"] == "odd-trick-values", table["values"])
            for kind, table in honours.items()
        },
        chicane=law.procedure("chicane", CHICANE) if law.get("chicane-value") else None,
        chicane_value=law.value("chicane-value") or {},
        game=law.value("game"),
        game_score=law.procedure("game-score", GAME_SCORE),
        after_a_game=law.procedure("game-score", AFTER_A_GAME),
        game_bonus=law.value("game-bonus"),
        games_in_rubber=law.value("games-in-rubber"),
        rubber_end=law.procedure("rubber-end", RUBBER_END),
        rubber_bonus=law.value("rubber-bonus"),
        rubber_bonus_place=law.procedure("rubber-bonus-place", RUBBER_BONUS_PLACE),
    )


def _honour_cards(law: Rules) -> Mapping[Suit | None, int]:
    """The honours by the trump suit, `None` at no-trumps; none where the code has no honours."""
    ranks = law.value("honour-cards") or {"trump": (), "no-trump": ()}
    found: dict[Suit | None, int] = {s: bits(CARDS[s][r] for r in ranks["trump"]) for s in Suit}
    return found | {None: bits(CARDS[s][r] for s in Suit for r in ranks["no-trump"])}


def _by_doubling(law: Rules, name: str) -> ByDoubling[Any] | None:
    value = law.value(name)
    return ByDoubling(name, flat(value)) if value else None


def _loss_limit(row: Mapping[str, Any]) -> LossLimit:
    lifted = row.get("lifted_by")
    return LossLimit(
        row["odd_tricks"],
        row["denomination"],
        row["call"] == "dealers-first",
        row["most"],
        DOUBLING_KEYS.index(lifted) if lifted else None,
    )


def honour_points(holding: Holding, counted: HonourValues, odd_trick: int) -> int | None:
    """What a holding of honours counts, in points; `None` where the split must be known.

    `odd_trick` is the value of an odd trick in the denomination.
    """
    unit = odd_trick if counted.in_odd_tricks else 1
    if holding.split is not None:
        points = counted.values.get(holding.split, 0)
        return None if points is None else points * unit
    listed = [
        points
        for split, points in counted.values.items()
        if sum(map(int, split.split("-"))) == holding.total
    ]
    possible = {*listed, *([0] if len(listed) <= holding.total // 2 else [])}
    value = possible.pop() if len(possible) == 1 else None
    return None if value is None else value * unit
