"""The mutation run: no number or procedure of a code changes without a failing test."""

from __future__ import annotations

import pytest

import lawbook
from mutation import GAMES, caught, law_changed, mutants

ALL = mutants()
CODES = lawbook.judged_codes()


@pytest.mark.shipped
@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_number_raised_and_every_procedure_swapped_is_caught(code: str) -> None:
    own = [m for m in ALL if m.law.startswith(f"{code}:")]
    assert len(own) > 40
    assert [str(m) for m in own if caught(m) is None] == []


def test_a_mutant_is_the_law_only_while_it_is_tried() -> None:
    before = {game: lawbook.in_force(*game) for game in GAMES}
    mutant = next(m for m in ALL if m.name == "rubber-bonus")
    code = mutant.law.partition(":")[0]
    with law_changed(mutant):
        assert (
            lawbook.in_force(code).value("rubber-bonus")
            == before[code, ()].value("rubber-bonus") + 1
        )
    assert {game: lawbook.in_force(*game) for game in GAMES} == before


def test_the_mutants_are_of_every_rule_that_the_checker_reads() -> None:
    words = lawbook.vocabulary()
    read = {f["id"] for f in words["figures"] if not f.get("many")} | {
        p["id"] for p in words["procedures"]
    }
    one_value = {p["id"] for p in words["procedures"] if len(p["values"]) == 1}
    names_of_cards = {"honour-cards", "chicane-value"}
    in_use = {name for game in GAMES for name in lawbook.in_force(*game).clauses} & read
    assert in_use - {m.name for m in ALL} <= one_value | names_of_cards
