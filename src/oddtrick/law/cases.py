"""A code's table of rulings for one irregularity: which case applies for which answers to the
facts.

For every combination of the answers exactly one case applies; the compiler proves it of every code
(`irregularities`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from oddtrick.law.model import Entry, Irregularity, Ruling

Part = TypeVar("Part")

Facts = Mapping[str, str]

BY_ITSELF = "nobody"  # chooses a remedy that simply follows; law files leave it out


def reached(start: str, cases: Mapping[str, Ruling]) -> set[str]:
    """The cases that one gives way to, directly and beyond."""
    seen: set[str] = set()
    ahead = list(cases[start].gives_way)
    while ahead:
        step = ahead.pop()
        if step in cases and step not in seen:
            seen.add(step)
            ahead += cases[step].gives_way
    return seen


def facts_of(cases: Iterable[Ruling], item: Irregularity) -> dict[str, tuple[str, ...]]:
    """The facts that cases mention, in the catalogue's order, with the answers that can occur."""
    mentioned = {f for c in cases for f, _ in c.when}
    return {f: v for f, v in item.facts.items() if f in mentioned}


def combinations(facts: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Every combination of the answers."""
    for answers in product(*facts.values()):
        yield dict(zip(facts, answers, strict=True))


def applying(cases: Iterable[Ruling], answers: Facts) -> list[Ruling]:
    """The cases whose facts hold, without those that give way to another of them."""
    table = {c.id: c for c in cases}
    held = [c for c in table.values() if all(answers[f] in v for f, v in c.when)]
    names = {c.id for c in held}
    return [c for c in held if not names & reached(c.id, table)]


# --- entries of several readings put together -----------------------------------------------------


class Clash(ValueError):
    """Two readings change the same part of a ruling, each in its own way."""


def merged_entry(general: Entry, changed: Sequence[Entry]) -> Entry:
    """The entry in which all hold that change the general one, each under a reading or an option.

    Of each part of each case what one of them has otherwise than the general entry. Raises `Clash`
    where two have the same part each in its own way.
    """
    tables = [{c.id: c for c in e.rulings} for e in changed]
    own = {c.id: c for c in general.rulings}
    names = dict.fromkeys(name for table in (own, *tables) for name in table)
    cases = [_case(own.get(name), [table.get(name) for table in tables]) for name in names]
    return general._replace(
        rulings=tuple(case for case in cases if case),
        silent=_one(general.silent, [e.silent for e in changed]),
        absent=_one(general.absent, [e.absent for e in changed]),
        provisions=_one(general.provisions, [e.provisions for e in changed]),
    )


def _one(general: Part, others: Iterable[Part]) -> Part:
    """What one of several has otherwise than is general. Raises `Clash` where two have."""
    found = [general]
    found += [other for other in others if other not in found]
    if len(found) > 2:
        raise Clash
    return found[-1]


def _case(general: Ruling | None, others: Sequence[Ruling | None]) -> Ruling | None:
    """One case of several entries put together; `None` where one of them does not have it."""
    there = [case for case in others if case]
    if general is None:
        first = there[0]
        if any(_parts(case) != _parts(first) for case in there):
            raise Clash
        return first
    if len(there) < len(others):
        if any(_parts(case) != _parts(general) for case in there):
            raise Clash
        return None
    own = general.readings
    dropped = {r for case in there for r in own if r not in case.readings}
    readings = dict.fromkeys((*own, *(r for case in there for r in case.readings)))
    parts = (f for f in Ruling._fields if f not in ("id", "readings", "line"))
    changed: dict[str, Any] = {
        name: _one(getattr(general, name), [getattr(c, name) for c in there]) for name in parts
    }
    return general._replace(readings=tuple(r for r in readings if r not in dropped), **changed)


def _parts(case: Ruling) -> Ruling:
    """A case apart from the readings it rests on and its line."""
    return case._replace(readings=(), line=0)
