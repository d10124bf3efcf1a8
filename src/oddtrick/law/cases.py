"""Finds the ruling of a code on an irregularity that applies for given answers to the facts.

The compiler (`irregularities`) checks that exactly one applies for every combination of answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from oddtrick.law.model import Entry, Irregularity, Ruling

Part = TypeVar("Part")

Facts = Mapping[str, str]

BY_ITSELF = "nobody"  # the chooser of a remedy that follows automatically; law files omit it


def reached(start: str, cases: Mapping[str, Ruling]) -> set[str]:
    """The ids of the cases to which the case `start` yields, directly or indirectly."""
    seen: set[str] = set()
    ahead = list(cases[start].gives_way)
    while ahead:
        step = ahead.pop()
        if step in cases and step not in seen:
            seen.add(step)
            ahead += cases[step].gives_way
    return seen


def facts_of(cases: Iterable[Ruling], item: Irregularity) -> dict[str, tuple[str, ...]]:
    """The facts that the cases mention, in the catalogue's order, with their possible answers."""
    mentioned = {f for c in cases for f, _ in c.when}
    return {f: v for f, v in item.facts.items() if f in mentioned}


def combinations(facts: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Yield every combination of answers to the facts."""
    for answers in product(*facts.values()):
        yield dict(zip(facts, answers, strict=True))


def applying(cases: Iterable[Ruling], answers: Facts) -> list[Ruling]:
    """The cases whose conditions hold, except those that yield to another of them."""
    table = {c.id: c for c in cases}
    held = [c for c in table.values() if all(answers[f] in v for f, v in c.when)]
    names = {c.id for c in held}
    return [c for c in held if not names & reached(c.id, table)]


def decisive(
    ruled: Mapping[tuple[str, ...], str], facts: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Yield the facts that can change the ruling.

    `ruled` maps combinations of answers, in the order of `facts`, to the id of the ruling.
    """
    for place, fact in enumerate(facts):
        others = {(*answers[:place], *answers[place + 1 :]) for answers in ruled}
        given = {((*a[:place], *a[place + 1 :]), case) for a, case in ruled.items()}
        if len(given) > len(others):
            yield fact


class Clash(ValueError):
    """Raised if two readings change the same part of a ruling in different ways."""


def merged_entry(general: Entry, changed: Sequence[Entry]) -> Entry:
    """The general entry with the changes of several entries for readings or options applied.

    Raises `Clash` if two of them change the same part of a ruling in different ways.
    """
    tables = [{c.id: c for c in entry.rulings} for entry in (general, *changed)]
    names = dict.fromkeys(name for table in tables for name in table)
    cases = [_case([table.get(name) for table in tables]) for name in names]
    return general._replace(
        rulings=tuple(case for case in cases if case),
        silent=_one(general.silent, [e.silent for e in changed]),
        absent=_one(general.absent, [e.absent for e in changed]),
        provisions=_one(general.provisions, [e.provisions for e in changed]),
    )


def _one(general: Part, others: Iterable[Part]) -> Part:
    """The value that differs from the general value, if any. Raises `Clash` if several do."""
    found = [general]
    found += [other for other in others if other not in found]
    if len(found) > 2:
        raise Clash
    return found[-1]


def _case(versions: Sequence[Ruling | None]) -> Ruling | None:
    """Merge the general version of a ruling with the others; `None` if one of these drops it."""
    general, *there = (case for case in versions if case)
    if None in versions:  # an entry adds or drops the ruling, so no other may change it
        if any(_parts(case) != _parts(general) for case in there):
            raise Clash
        return None if versions[0] else general
    own = general.readings
    dropped = {r for case in there for r in own if r not in case.readings}
    readings = dict.fromkeys((*own, *(r for case in there for r in case.readings)))
    changed: dict[str, Any] = {
        name: _one(getattr(general, name), [getattr(c, name) for c in there])
        for name in Ruling._fields
        if name not in ("id", "readings", "line")
    }
    return general._replace(readings=tuple(r for r in readings if r not in dropped), **changed)


def _parts(case: Ruling) -> Ruling:
    return case._replace(readings=(), line=0)
