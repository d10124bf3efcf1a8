"""Every effect of every code with the records in which it happens, and their neighbours in which
it does not.

An effect happens in a record when the record is judged otherwise without it: when no remedy of the
code has that effect any more. What the record must come to is written in it. Also a program:
`effects_coverage.py` prints the records, and what no record has.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from lawbook import judged_codes
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Deal, deals_in
from oddtrick.record.hand.read import read_text
from oddtrick.rulings import engine
from test_classes import records as classes
from test_findings import FILES

Effect = tuple[str, str | None]
REMEDY, TABLE, ANSWER = engine._remedy, engine._table, engine._answer


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
def remedies(changed: Callable[[Remedy], Remedy]) -> Iterator[None]:
    """The rulings with each remedy as a function gives it."""
    engine._remedy = lambda given: changed(REMEDY(given))
    engine._table = cache(TABLE.__wrapped__)  # type: ignore[attr-defined]
    engine._answer = cache(ANSWER.__wrapped__)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        engine._remedy, engine._table, engine._answer = REMEDY, TABLE, ANSWER


def without(effect: Effect) -> Callable[[Remedy], Remedy]:
    """A remedy as it would be if none had an effect."""
    return lambda r: r._replace(effects=tuple(e for e in r.effects if (e.id, e.of) != effect))


@cache
def records(code: str) -> tuple[tuple[Path, Deal], ...]:
    """The records of the tests under a code, with their files.

    Where it amends another code those of that one too, as they are judged under it.
    """
    base = book().code(code).extends
    found = [(p, replace(d, code=code, options=())) for p, d in records(base)] if base else []
    own = ((p, d) for p, d in written() if d.code == code)
    return (*found, *own)


@cache
def written() -> tuple[tuple[Path, Deal], ...]:
    """The records of the tests, with their files."""
    texts = [(path, path.read_text("utf-8")) for path in FILES]
    texts += [(Path(case.id), case.values[0]) for case in classes()]
    return tuple(
        (path, deal) for path, text in texts for deal in deals_in(read_text(text, str(path)).items)
    )


def judged(deal: Deal) -> str:
    """What a record comes to, with the calls that count, as text."""
    (check,) = check_document([deal])
    assert isinstance(check, Check)
    calls = check.declared.calls if check.declared else ()
    return json.dumps([check.answer(), [(m.seat.value, m.void) for m in calls]])


@cache
def judged_once(code: str) -> tuple[tuple[Path, Deal, str, frozenset[Effect]], ...]:
    """The records of a code with what they come to, and the effects of the rulings asked for."""
    found = []
    for path, deal in records(code):
        asked: set[Effect] = set()

        def seen(remedy: Remedy, asked: set[Effect] = asked) -> Remedy:
            asked.update((e.id, e.of) for e in remedy.effects)
            return remedy

        with remedies(seen):
            answer = judged(deal)
        found.append((path, deal, answer, frozenset(asked)))
    return tuple(found)


def happens(code: str, effect: Effect, most: int = 3) -> tuple[list[str], list[str]]:
    """Records in which an effect happens, and neighbours in which it does not, a few of each.

    A neighbour is of the same code, and something irregular in it has a ruling.
    """
    in_it, beside = [], []
    for path, deal, answer, asked in judged_once(code):
        place = f"{path.name} {deal.id}"
        if effect not in asked:
            beside += [place] if asked else []
        elif len(in_it) < most:
            with remedies(without(effect)):
                same = judged(deal) == answer
            (beside if same else in_it).append(place)
    return in_it, beside[:most]


ALWAYS = {
    "unjudged": "what it orders no record shows",
    "stand": "what is not refused counts in any case",
    "void": "what may not be called does not count in any case",
}
"""Effects that may change nothing, since the law says it of every such call, with the reason."""

ELSEWHERE: dict[tuple[str, Effect], str] = {
    ("bridge-elwell", ("no-game", "both")): "89.2 keeps both sides from the game by its limit",
    (
        "bridge-1904",
        ("no-game", "side"),
    ): "90.5.2 keeps the side from the game by its limit as well",
    ("bridge-1904", ("no-game", "both")): "90.5.2 keeps both sides from the game by its limit",
    ("auction-1908", ("no-game", "both")): "90 leaves a side that revoked no points for tricks",
    ("royalton-1915", ("both-lose", "everything")): "81.1 orders a new deal besides",
    ("auction-1926", ("go-back", None)): "21.1 makes the bid void in any case",
    ("contract-1927", ("go-back", None)): "21.1 of 1926 makes the bid void in any case",
}
"""Effects of a code that another law of it has as well, so that no record turns on them alone."""


OWED = {
    (code, ("demand", "winning"))
    for code in ("bridge-elwell", "duplicate-1912", "auction-1912", "royalton-1915")
}
"""Effects of codes whose records are still to be written; the list may only shrink."""


def lacking() -> list[str]:
    """The effects of each code that lack a record or a neighbour, and those excused that need no
    excuse.
    """
    found = []
    for code, effect in every_effect():
        in_it, beside = happens(code, effect, 1)
        excused = effect[0] in ALWAYS or (code, effect) in ELSEWHERE
        if (code, effect) in OWED and in_it:
            found.append(f"{code} {effect}: {in_it[0]} turns on it, and it is owed no more")
        if (code, effect) not in OWED and not excused and not (in_it and beside):
            found.append(f"{code} {effect}: {'no neighbour' if in_it else 'no record'}")
        if (code, effect) in ELSEWHERE and in_it:
            found.append(f"{code} {effect}: {in_it[0]} turns on it, and it needs no excuse")
    return found


def main() -> int:
    """Print each effect of each code with its records, and what is lacking."""
    for code, effect in every_effect():
        in_it, beside = happens(code, effect)
        why = ELSEWHERE.get((code, effect), ALWAYS.get(effect[0], "none"))
        said = f"{', '.join(in_it) or why}; beside: {', '.join(beside[:1]) or 'none'}"
        print(f"{code:<16}{effect[0]} {effect[1] or ''}: {said}")
    print("\n".join(lacking()))
    return 1 if lacking() else 0


if __name__ == "__main__":
    sys.exit(main())
