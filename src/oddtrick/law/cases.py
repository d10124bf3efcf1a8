"""A code's table of rulings for one irregularity: which case applies for which answers to the
facts.

For every combination of the answers exactly one case applies; the compiler proves it of every code
(`irregularities`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from oddtrick.law.model import Case, Irregularity

Facts = Mapping[str, str]

BY_ITSELF = "nobody"
"""The chooser of a remedy that simply follows; the law files leave it out."""


def reached(start: str, cases: Mapping[str, Case]) -> set[str]:
    """The cases that one gives way to, directly and beyond."""
    seen: set[str] = set()
    ahead = list(cases[start].gives_way)
    while ahead:
        step = ahead.pop()
        if step in cases and step not in seen:
            seen.add(step)
            ahead += cases[step].gives_way
    return seen


def facts_of(cases: Iterable[Case], item: Irregularity) -> dict[str, tuple[str, ...]]:
    """The facts that cases mention, in the catalogue's order, with the answers that can occur."""
    mentioned = {f for c in cases for f in c.when}
    return {f: v for f, v in item.facts.items() if f in mentioned}


def combinations(facts: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Every combination of the answers."""
    for answers in product(*facts.values()):
        yield dict(zip(facts, answers, strict=True))


def applying(cases: Iterable[Case], answers: Facts) -> list[Case]:
    """The cases whose facts hold, without those that give way to another of them."""
    table = {c.id: c for c in cases}
    held = [c for c in table.values() if all(answers[f] in v for f, v in c.when.items())]
    names = {c.id for c in held}
    return [c for c in held if not names & reached(c.id, table)]
