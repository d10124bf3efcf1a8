"""The mutation run: no number or procedure of a code changes without a failing test.

Each number of the law data is raised by one, each procedure swapped. A mutant is caught if a case
of tests/scores or tests/readings.yaml differs, or if a record of tests/findings or laws/records is
judged otherwise than it states.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lawbook
import score_cases
from conftest import WHOLE
from files import table
from lawbook import Clause, Rules
from oddtrick.law import lawbook as book_module
from oddtrick.law.book import book
from oddtrick.law.lawbook import Book
from oddtrick.law.rules import resolve
from test_findings import FILES, expected, found
from test_readings import CASES as READINGS
from test_readings import hold, judged
from test_readings import (
    test_a_fraction_is_dropped_between_teams_a_point_apart_where_only_ties_keep_it as fractions,
)

Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Mutant:
    """One changed place: its law, the clause's name, where in its value, and its new value."""

    law: str
    name: str
    path: Path_
    value: Any

    def __str__(self) -> str:
        place = ".".join(str(p) for p in self.path)
        return f"{self.law} {self.name}{f'[{place}]' if place else ''} -> {self.value}"


GAMES = lawbook.every_game()


@cache
def ORIGINAL(code: str, options: tuple[str, ...]) -> Rules:
    """The law in force as in the data."""
    return resolve(book(), code, options)


def numbers(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, int]]:
    """Every number in a value, with the path to it."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from numbers(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, (*path, key))


def swapped(value: list[str]) -> Iterator[tuple[str, ...]]:
    """A list of names with each pair of neighbours exchanged."""
    for i in range(len(value) - 1):
        yield (*value[:i], value[i + 1], value[i], *value[i + 2 :])


def shortened(value: list[str]) -> Iterator[tuple[str, ...]]:
    """A list of names with each name left out in turn."""
    for i in range(len(value)):
        yield (*value[:i], *value[i + 1 :])


LISTS = {"denominations": shortened, "bid-rank": swapped}
"""The figures that are lists of names, and how they are changed: in one the order is significant,
in the others the whole list.
"""


def put(value: Any, path: Path_, new: Any) -> Any:
    """A copy of a value with something else in one place."""
    if not path:
        return new
    if isinstance(value, list):
        return [put(v, path[1:], new) if i == path[0] else v for i, v in enumerate(value)]
    return {k: put(v, path[1:], new) if k == path[0] else v for k, v in value.items()}


def law_at(clause: Clause, path: Path_) -> str:
    """The address that states a place in the value of a clause."""
    return clause.laws_of(".".join(p for p in path if isinstance(p, str)))[0]


def mutants() -> list[Mutant]:
    """Every mutant of every code and option, without duplicates."""
    words = book().vocabulary
    sets = {p.id: p.values for p in words.procedures}
    figures = {f.id for f in words.figures if not f.many}
    made: dict[Mutant, None] = {}
    for code, options in GAMES:
        for clause in ORIGINAL(code, options).clauses.values():
            name, law = clause.name, clause.law
            if name in sets:
                for value in sets[name]:
                    alike = {(code, name, value), ("any", name, value)} & ALIKE
                    if value != clause.value and not alike:
                        made[Mutant(law, name, (), value)] = None
            elif name in figures:
                for path, number in numbers(clause.value):
                    made[Mutant(law_at(clause, path), name, path, number + 1)] = None
                lists = LISTS.get(name)
                for names in lists(clause.value) if lists else ():
                    made[Mutant(law, name, (), names)] = None
    return list(made)


@contextmanager
def law_changed(mutant: Mutant) -> Iterator[None]:
    """The law in force with one mutant in every code and option to which the rule extends."""

    def mutated(_: Book, code: str, options: tuple[str, ...]) -> Rules:
        law = ORIGINAL(code, options)
        clause = law.clauses.get(mutant.name)
        if clause is None or law_at(clause, mutant.path) != mutant.law:
            return law
        new = list(mutant.value) if isinstance(mutant.value, tuple) else mutant.value
        changed = replace(clause, value=put(clause.value, mutant.path, new))
        names = changed.value if mutant.name == "denominations" else law.order()
        known = {n: book().denominations[n] for n in names}
        return replace(law, clauses={**law.clauses, mutant.name: changed}, denominations=known)

    book()._rules.cache_clear()
    book_module.resolve = mutated
    try:
        yield
    finally:
        book()._rules.cache_clear()
        book_module.resolve = resolve


ALIKE = {tuple(mutant.split()) for mutants in table("mutants_alike").values() for mutant in mutants}
"""Mutants with the same meaning, in one code or in any."""

CASES = list(score_cases.cases())
TEXTS = {path: path.read_text("utf-8") for path in FILES}
WANTED = {path: sorted(expected(text)) for path, text in TEXTS.items()}
LAWS_OF = {path: {law for *_, laws in wanted for law in laws} for path, wanted in WANTED.items()}
CODES_OF = {path: set(re.findall(r"^\s*code (\S+)", text, re.M)) for path, text in TEXTS.items()}


def reached(mutant: Mutant) -> set[str]:
    """The codes in which the clause of a mutant is in force, with or without an option."""
    return {
        code
        for code, options in GAMES
        if (clause := ORIGINAL(code, options).clauses.get(mutant.name))
        and law_at(clause, mutant.path) == mutant.law
    }


CATCHERS: dict[str, Path] = {}
"""By the name of a clause, the file that caught its last mutant; it is tried first for the next."""

LAST_CASE: dict[tuple[str, str], tuple[str, Any]] = {}
"""By clause and code, the score case that caught the last mutant; it is tried first for the next.
"""


def caught(mutant: Mutant) -> str | None:
    """What catches a mutant: the name of a case or of a file; `None` if nothing does."""
    codes = reached(mutant)
    files = [path for path in FILES if CODES_OF[path] & codes]
    # Files that name the law are likely to catch it, and short ones are judged quickly.
    files.sort(key=lambda path: (mutant.law not in LAWS_OF[path], len(TEXTS[path])))
    with law_changed(mutant):
        if (likely := CATCHERS.get(mutant.name)) in files and _fails(lambda: _otherwise(likely)):
            return likely.name
        last = [LAST_CASE[mutant.name, c] for c in codes if (mutant.name, c) in LAST_CASE]
        for file, case in (*last, *CASES):
            if case["code"] in codes and _fails(
                lambda c=case: score_cases.difference(c) is not None
            ):
                LAST_CASE[mutant.name, case["code"]] = file, case
                return f"{file}: {case['name']}"
        for case in READINGS:
            if case["code"] in codes and _fails(lambda c=case: _read_otherwise(c)):
                return f"readings: {case['name']}"
        if _fails(lambda: bool(fractions())):
            return "fractions"
        for path in files:
            if _fails(lambda p=path: _otherwise(p)):
                CATCHERS[mutant.name] = path
                return path.name
    return None


def _otherwise(path: Path) -> bool:
    got = sorted((f.place.line, f.rule, f.severity.value, f.laws) for f in found(path))
    return got != WANTED[path]


def _read_otherwise(case: Any) -> bool:
    """Whether the result of a case of the readings differs from that of the choice applied."""
    hold(judged(case), case["applied"])  # an assertion that fails is a difference
    return False


def _fails(test: Callable[[], bool]) -> bool:
    try:
        return test()
    except Exception:
        return True  # a program that stops is a test that fails


ALL = mutants()
CODES = lawbook.judged_codes()


@pytest.mark.shipped
@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_number_raised_and_every_procedure_swapped_is_caught(code: str) -> None:
    own = [m for m in ALL if m.law.startswith(f"{code}:")]
    assert len(own) > 40
    if not WHOLE:  # the first of each clause, and one in four
        first = {m.name: m for m in reversed(own)}
        own = [m for n, m in enumerate(own) if n % 4 == 0 or m is first[m.name]]
    assert [str(m) for m in own if caught(m) is None] == []


def test_the_mutants_are_of_every_rule_that_the_checker_reads() -> None:
    words = lawbook.vocabulary()
    read = {f["id"] for f in words["figures"] if not f.get("many")} | {
        p["id"] for p in words["procedures"]
    }
    one_value = {p["id"] for p in words["procedures"] if len(p["values"]) == 1}
    names_of_cards = {"honour-cards", "chicane-value"}
    in_use = {name for game in GAMES for name in lawbook.in_force(*game).clauses} & read
    assert in_use - {m.name for m in ALL} <= one_value | names_of_cards
