"""Figures as tables of cells, each of which a different provision may state.

A cell is named by its path, `vulnerable.doubled`; a figure that is not a table is one unnamed cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddtrick.law.model import Figure

NUMBERS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen",
)  # fmt: skip

ROMAN = {
    ten + one: 10 * tens + ones
    for tens, ten in enumerate(" x xx xxx xl l lx lxx lxxx xc c cx".split(" "))
    for ones, one in enumerate(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
    if ten + one
}
"""The Roman numerals below 120, with their values; no code has more laws."""


def flat(value: Figure, path: str = "") -> dict[str, Figure]:
    """The cells of a figure by name; `path` is the prefix of the names."""
    if not isinstance(value, dict):
        return {path: value}
    inner = (flat(v, f"{path}.{k}" if path else k) for k, v in value.items())
    return {name: cell for found in inner for name, cell in found.items()}


def whole_numbers(value: Figure) -> set[int]:
    """The whole numbers in a figure."""
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        return {number for part in inner for number in whole_numbers(part)}
    return {value} if isinstance(value, int) else set()


def matches(name: str, cell: str) -> bool:
    """Whether a name matches a cell, that is, whether its words occur, in order, in the name of the
    cell.

    `doubled` matches `vulnerable.doubled`, and `trump.4-0` matches `trump.values.4-0`. An empty
    name matches every cell.
    """
    ahead = iter(cell.split("."))
    return not name or all(word in ahead for word in name.split("."))


def merged(value: Figure, below: Figure) -> Figure:
    """A figure, completed with the cells of `below` that it lacks."""
    if not isinstance(value, dict) or not isinstance(below, dict):
        return value
    both = {k: merged(v, below[k]) if k in below else v for k, v in value.items()}
    return both | {k: v for k, v in below.items() if k not in value}


def without(value: Any, name: str, path: str = "") -> Any:
    """A figure in which the cells that a name matches are `None`."""
    if not isinstance(value, dict):
        return None if matches(name, path) else value
    return {k: without(v, name, f"{path}.{k}" if path else k) for k, v in value.items()}


def arranged(value: Figure, order: Sequence[str]) -> Figure:
    """A figure with its keys in the order given; other keys follow in their original order."""
    if not isinstance(value, dict):
        return value
    known = [k for k in order if k in value]
    return {k: arranged(value[k], order) for k in dict.fromkeys([*known, *value])}
