"""Every effect of every code has a record in which it happens, and a neighbour in which it does
not.

An effect happens in a record if the record is judged differently once no remedy of the code has
that effect any more. Each record states its expected result.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lawbook import judged_codes
from made_deals import unworded
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Deal, deals_in
from oddtrick.record.hand.read import read_text
from oddtrick.rulings import engine
from test_classes import records as classes
from test_findings import FILES, read

Effect = tuple[str, str | None]
REMEDY, TABLE, ANSWER = engine.remedy_given, engine._table, engine._answer
PRESUMING = engine._presuming


@pytest.fixture(autouse=True, scope="module")
def as_the_code_is_read() -> Iterator[None]:
    """The records are not judged by other readings too, which takes half the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[Check.__module__], "other_readings", lambda check: check)
        yield


def effects_of(code: str) -> Iterator[Effect]:
    """Every effect of a ruling of a code, with any of its options."""
    for options in ((), *((o.id,) for o in book().code(code).options)):
        for name, item in engine.catalogue().items():
            entry = book().entry(name, code, options)
            for case in entry[0].rulings if entry else ():
                for remedy in case.remedies:
                    yield from ((e.id, e.of) for e in REMEDY(remedy, item).effects)


def every_effect() -> list[tuple[str, Effect]]:
    """The codes with their effects, without duplicates."""
    return [(code, e) for code in judged_codes() for e in dict.fromkeys(effects_of(code))]


@contextmanager
def remedies(changed: Callable[[Remedy], Remedy]) -> Iterator[None]:
    """The rulings with each remedy as a function returns it."""
    engine.remedy_given = lambda given, item: changed(REMEDY(given, item))
    engine._table = cache(TABLE.__wrapped__)  # type: ignore[attr-defined]
    engine._answer = cache(ANSWER.__wrapped__)  # type: ignore[attr-defined]
    engine._presuming = cache(PRESUMING.__wrapped__)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        engine.remedy_given, engine._table, engine._answer = REMEDY, TABLE, ANSWER
        engine._presuming = PRESUMING


def without(effect: Effect) -> Callable[[Remedy], Remedy]:
    """A remedy without any effect."""
    return lambda r: r._replace(effects=tuple(e for e in r.effects if (e.id, e.of) != effect))


@cache
def written() -> tuple[tuple[Path, Deal], ...]:
    """The records of the tests, with their files."""
    texts = [(path, read(path)) for path in FILES]
    texts += [(Path(case.id), read_text(case.values[0], case.id).items) for case in classes()]
    return tuple((path, deal) for path, items in texts for deal in deals_in(items))


def told(check: Any) -> str:
    """The result of a record, with the calls that count, as text."""
    calls = check.declared.calls if check.declared else ()
    return json.dumps([unworded(check), [(m.seat.value, m.void) for m in calls]])


class Judged(NamedTuple):
    """A record, its place, its result, and the effects of the rulings consulted: of those that
    apply, and of all on the same irregularities.
    """

    deal: Deal
    place: str
    answer: str
    had: frozenset[Effect]
    asked: frozenset[Effect]


@cache
def judged_once(code: str, own: str) -> tuple[Judged, ...]:
    """The records of a code, or of one that it amends, with their results under the code."""
    found = []
    for path, deal in written():
        if deal.code != own:
            continue
        if own != code:
            deal = deal._replace(code=code, options=())
        had, asked = set[Effect](), set[Effect]()

        def seen(
            name: str, *given: Any, had: set[Effect] = had, asked: set[Effect] = asked
        ) -> engine.Answer:
            answer, table = ANSWER(name, *given), TABLE(name, *given[:2])
            had |= effects_in((answer.ruling,) if answer.ruling else answer.possible)
            asked |= effects_in(table.rulings.values() if table else ())
            return answer

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "_answer", seen)
            patch.setattr(engine, "_presuming", PRESUMING.__wrapped__)  # type: ignore[attr-defined]
            (check,) = check_document([deal])
        answer = told(check) if asked else ""  # without a ruling, no effect can change it
        place = f"{path.name} {deal.id}"
        found.append(Judged(deal, place, answer, frozenset(had), frozenset(asked)))
    return tuple(found)


def effects_in(rulings: Iterable[engine.Ruling]) -> set[Effect]:
    """The effects of rulings."""
    return {(e.id, e.of) for ruling in rulings for r in ruling.remedies for e in r.effects}


def happens(code: str, effect: Effect, own: str) -> tuple[str, str]:
    """A record in which an effect happens, and a neighbour in which it does not, if they exist. A
    neighbour belongs to the same code and has an irregularity with a ruling. The records likeliest
    to depend on the effect are tried first.
    """
    every = judged_once(code, own)
    in_it, beside = "", next((r.place for r in every if r.asked and effect not in r.asked), "")
    likely = [r for r in every if effect in r.had]
    likely += [r for r in every if effect in r.asked and effect not in r.had]
    with remedies(without(effect)):
        for record in likely:
            if in_it and beside:
                break
            (check,) = check_document([record.deal])
            same = told(check) == record.answer
            in_it, beside = (in_it, beside or record.place) if same else (record.place, beside)
    return in_it, beside


ALWAYS = {
    "unjudged": "what it orders no record shows",
    "stand": "what is not refused counts in any case",
    "void": "what may not be called does not count in any case",
    "redeal": "it concerns the deal after the record",
}
"""Effects that may change nothing, since the law provides the same for every such call, with the
reason.
"""

ELSEWHERE: dict[tuple[str, Effect], str] = {
    ("bridge-elwell", ("no-game", "both")): "89.2 keeps both sides from the game by its limit",
    ("bridge-1904", ("no-game", "side")): "90.5.2 keeps the side from the game by its limit",
    ("bridge-1904", ("no-game", "both")): "90.5.2 keeps both sides from the game by its limit",
    ("auction-1908", ("no-game", "both")): "90 leaves a side that revoked no points for tricks",
    ("royalton-1915", ("both-lose", "everything")): "81.1 orders a new deal besides",
    ("auction-1926", ("go-back", None)): "21.1 makes the bid void in any case",
    ("contract-1927", ("go-back", None)): "21.1 of 1926 makes the bid void in any case",
}
"""Effects of a code that another of its laws has as well, so that no record depends only on them.
"""


def lacking(code: str, effect: Effect) -> str:
    """What an effect lacks: a record or a neighbour; or an excuse that it does not need."""
    if effect[0] in ALWAYS:
        return ""
    in_it, beside = happens(code, effect, code)
    if (code, effect) in ELSEWHERE:
        return f"{in_it} turns on it, and it needs no excuse" if in_it else ""
    if not (in_it and beside) and (base := book().code(code).extends):
        in_it, beside = (
            a or b for a, b in zip((in_it, beside), happens(code, effect, base), strict=True)
        )
    if in_it and beside:
        return ""
    return "no neighbour" if in_it else "no record"


@pytest.mark.shipped
@pytest.mark.slow
def test_every_effect_of_every_code_has_its_pair_of_records() -> None:
    assert {e: wrong for e in every_effect() if (wrong := lacking(*e))} == {}


def test_every_effect_of_the_vocabulary_is_of_a_judged_code() -> None:
    kinds = {(e.id, of) for e in book().vocabulary.effects for of in e.of or (None,)}
    had = {effect for _, effect in every_effect()}
    assert had <= kinds
    # The others belong to a reading that is not applied.
    assert {name for name, _ in kinds} - {name for name, _ in had} == {"turn"}


def test_what_is_excused_is_an_effect_of_its_code() -> None:
    assert set(ELSEWHERE) <= set(every_effect())
