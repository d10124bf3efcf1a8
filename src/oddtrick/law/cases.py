"""Finds the ruling of a code on an irregularity, given answers to the facts.

The compiler (`irregularities`) checks that exactly one applies for every combination of answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from oddtrick.law.model import Entry, Irregularity, Ruling

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
    """The cases whose conditions hold, except any that yields to another such case."""
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


OF_ENTRY = ("silent", "absent", "provisions")
"""The parts of an entry, other than its rulings, that another entry may change."""


def merged_entry(general: Entry, changed: Sequence[Entry]) -> Entry:
    """The general entry with the changes made by several entries for readings or options.

    Raises `Clash` if two of them change the same part of a ruling in different ways.
    """
    before = _parts(general)
    merged = dict(before)
    for after in map(_parts, changed):
        for part in (k for k in before | after if after.get(k) != before.get(k)):
            if merged.get(part) not in (before.get(part), after.get(part)):
                raise Clash
            merged[part] = after.get(part)
    tables: dict[str, dict[str, Any]] = {}
    for (name, field, *reading), value in merged.items():
        table = tables.setdefault(name, {"readings": (), "line": 0})
        if not reading:
            table[field] = value
        elif value:
            table["readings"] += (*reading,)
    rulings = tuple(Ruling(**table) for table in tables.values() if table.get("id"))
    return general._replace(rulings=rulings, **{field: tables[""][field] for field in OF_ENTRY})


def _parts(entry: Entry) -> dict[tuple[str, ...], Any]:
    """The parts of an entry: the fields of each ruling by its id, and its readings one by one."""
    found: dict[tuple[str, ...], Any] = {("", field): getattr(entry, field) for field in OF_ENTRY}
    for case in entry.rulings:
        fields = case._asdict().items()
        found |= {(case.id, k): v for k, v in fields if k not in ("readings", "line")}
        found |= {(case.id, "readings", reading): True for reading in case.readings}
    return found
