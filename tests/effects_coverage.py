"""Every effect of every code with the records in which it happens, and their neighbours in which
it does not.

An effect happens in a record when the record is judged otherwise without it: when no remedy of the
code has that effect any more. What the record must come to is written in it. Also a program:
`effects_coverage.py` prints the records, and what no record has.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.law import model
from oddtrick.law.book import book
from oddtrick.law.in_force import judged_codes
from oddtrick.record.hand.read import read_text
from oddtrick.record.model import Group, Record, Stated
from oddtrick.rulings import engine
from test_findings import FILES

Effect = tuple[str, str | None]
REMEDY = engine._remedy


def effects_of(code: str) -> Iterator[Effect]:
    """Every effect that a ruling of a code, with any of its options, has."""
    for options in ((), *((o.id,) for o in book().code(code).options)):
        for name in engine.catalogue():
            entry = book().entry(name, code, options)
            for case in entry[0].rulings if entry else ():
                for remedy in case.remedies:
                    yield from ((e.id, e.of) for e in REMEDY(remedy).effects)


def every_effect() -> list[tuple[str, Effect]]:
    """The codes with their effects, each once."""
    return [(code, e) for code in judged_codes() for e in dict.fromkeys(effects_of(code))]


@contextmanager
def without(effect: Effect) -> Iterator[None]:
    """The catalogue with an effect that no remedy has."""

    def bare(given: model.Remedy) -> engine.Remedy:
        remedy = REMEDY(given)
        return replace(remedy, effects=tuple(e for e in remedy.effects if tuple(e) != effect))

    engine._remedy = bare
    try:
        yield
    finally:
        engine._remedy = REMEDY


@cache
def records(code: str) -> tuple[tuple[Path, Record], ...]:
    """The records of the tests under a code, with their files.

    Where it amends another code those of that one too, as they are judged under it.
    """
    base = book().code(code).extends
    found = (
        [(p, replace(r, code=Stated(code), options=())) for p, r in records(base)] if base else []
    )
    for path in FILES:
        for item in read_text(path.read_text("utf-8"), str(path)).items:
            for record in item.records if isinstance(item, Group) else (item,):
                if isinstance(record, Record) and record.code and record.code.value == code:
                    found.append((path, record))
    return tuple(found)


def judged(record: Record) -> str:
    """What a record comes to, as text."""
    (check,) = check_document([record])
    assert isinstance(check, Check)
    calls = check.declared.calls if check.declared else ()
    return json.dumps([check.answer(), [(m.seat.value, m.void) for m in calls]])


def told(record: Record) -> bool:
    """Whether a remedy can be had in a record: something irregular is told or found in it."""
    (check,) = check_document([record])
    return isinstance(check, Check) and any(f.remedies for f in check.findings)


@cache
def judged_once(code: str) -> tuple[tuple[Path, Record, str], ...]:
    """The records of a code in which a remedy can be had, with what they come to."""
    return tuple((p, r, judged(r)) for p, r in records(code) if told(r))


def happens(
    code: str, effect: Effect
) -> tuple[list[tuple[Path, Record]], list[tuple[Path, Record]]]:
    """The records in which an effect happens, and their neighbours in which it does not."""
    before = judged_once(code)
    with without(effect):
        in_it = [(p, r) for p, r, own in before if judged(r) != own]
    ids = {(p, r.id) for p, r in in_it}
    files = {p for p, _ in in_it}
    return in_it, [(p, r) for p, r in records(code) if p in files and (p, r.id) not in ids]


def main() -> int:
    """Print each effect of each code with its records, and those that have none."""
    lacking = 0
    for code, effect in every_effect():
        in_it, beside = happens(code, effect)
        lacking += not in_it or not beside
        said = ", ".join(f"{p.name} {r.id}" for p, r in in_it[:3]) or "NO RECORD"
        print(f"{code:<16}{effect[0]} {effect[1] or ''}: {said}{'' if beside else ' NO NEIGHBOUR'}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
