"""Figures of the score that are more than a number, each with a type that evaluates it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from oddtrick.cards import CARDS, Suit, bits
from oddtrick.judge.procedures import DOUBLING_KEYS, Final
from oddtrick.judge.score_procedures import Holding
from oddtrick.law.figures import flat
from oddtrick.law.rules import Rules

Progressive = int | Sequence[int]
"""The points of the first, the second and so on; the last number repeats."""


@dataclass(frozen=True, slots=True)
class HonourValues:
    """The values of honours by how they are split (`4-1`), in points or in odd tricks.

    A value is `None` if the code does not say what that split counts.
    """

    in_odd_tricks: bool
    values: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class LossLimit:
    """The most that a declaration of this many odd tricks in a denomination may lose.

    If `dealers_first`, the limit applies only to the dealer's first declaration. `lifted_by` is how
    often the declaration must be doubled to lift the limit, `None` if doubling does not.
    """

    odd_tricks: int
    denomination: str
    dealers_first: bool
    most: int
    lifted_by: int | None

    def holds(self, final: Final) -> bool:
        """Whether it limits the loss of this declaration."""
        return (
            (self.odd_tricks, self.denomination) == (final.odd_tricks, final.denomination)
            and not (self.dealers_first and final.dealers_first is False)
            and (self.lifted_by is None or final.doubled < self.lifted_by)
        )


def progressive(cells: Progressive, count: int) -> int:
    """The sum of the first `count` values of a progressive figure, whose last value repeats."""
    if isinstance(cells, int):
        return cells * count
    return sum(cells[:count]) + cells[-1] * max(0, count - len(cells))


def has_chicane(rules: Rules) -> bool:
    """Whether the code scores chicane."""
    return rules.has("chicane") and rules.has("chicane-value")


@cache
def honour_values(rules: Rules) -> dict[str, HonourValues]:
    """The values of honours, keyed `trump` and `no-trump`; empty if the code has no honours."""
    return {
        kind: HonourValues(table["count"] == "odd-trick-values", table["values"])
        for kind, table in (rules.value("honour-values") or {}).items()
    }


@cache
def loss_limits(rules: Rules) -> tuple[LossLimit, ...]:
    """The limits on what a declaration may lose."""
    return tuple(
        LossLimit(
            row["odd_tricks"],
            row["denomination"],
            row["call"] == "dealers-first",
            row["most"],
            DOUBLING_KEYS.index(row["lifted_by"]) if row.get("lifted_by") else None,
        )
        for row in rules.value("undertrick-limit") or ()
    )


@cache
def honour_cards(law: Rules) -> Mapping[Suit | None, int]:
    """The honours as bits, by trump suit, `None` for no-trumps; 0 if the code has no honours."""
    ranks = law.value("honour-cards") or {"trump": (), "no-trump": ()}
    found: dict[Suit | None, int] = {s: bits(CARDS[s][r] for r in ranks["trump"]) for s in Suit}
    return found | {None: bits(CARDS[s][r] for s in Suit for r in ranks["no-trump"])}


@cache
def figure_cells(law: Rules, name: str) -> Mapping[str, Any]:
    """The cells of a figure by name (`doubled`, `vulnerable.doubled`, `royal-doubled`).

    Empty if the code does not have the figure.
    """
    return flat(law.value(name) or {})


def honour_points(holding: Holding, counted: HonourValues, odd_trick: int) -> int | None:
    """The points for a holding of honours; `None` if the split is needed and not known.

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
