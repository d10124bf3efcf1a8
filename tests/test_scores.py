"""One account per question: the printed tables and remarks, and cases worked from the law."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from oddtrick.judge.account import account
from oddtrick.law.in_force import in_force
from score_cases import cases, difference, facts, penalties

CASES = list(cases())


def test_every_score_is_as_printed_or_worked_out() -> None:
    assert len(CASES) > 450
    told = {f"{file}: {case['name']}": difference(case) for file, case in CASES}
    assert {name: other for name, other in told.items() if other is not None} == {}


def moves_tricks(case: dict[str, Any]) -> bool:
    """Whether a penalty moves tricks, which makes another result of the deal."""
    return any(p.effect == "move-tricks" for p in penalties(case))


@pytest.mark.parametrize(
    "case", [c for _, c in CASES if c.get("offences")], ids=lambda c: c["name"]
)
def test_every_entry_that_a_penalty_changes_names_the_law_of_the_penalty(
    case: dict[str, Any],
) -> None:
    rules = in_force(case["code"], tuple(case.get("options", ())))
    known = facts(case)
    laws = {law for p in known.penalties for law in p.laws}
    without = set(account(replace(known, penalties=()), rules).entries)
    # A game is won by the points towards it, and its entry by the laws of the game: those points
    # name the penalty.
    changed = [
        e
        for e in account(known, rules).entries
        if e not in without and e.item not in ("game-bonus", "rubber-bonus")
    ]
    assert changed
    assert [e for e in changed if not laws & set(e.laws)] == []


@pytest.mark.parametrize(
    "case",
    [c for _, c in CASES if c.get("offences") and not moves_tricks(c)],
    ids=lambda c: c["name"],
)
def test_what_may_not_be_scored_for_an_offence_stays_in_the_account_with_its_law(
    case: dict[str, Any],
) -> None:
    rules = in_force(case["code"], tuple(case.get("options", ())))
    known = facts(case)
    told = {(e.side, e.item) for e in account(known, rules).entries}
    assert {(e.side, e.item) for e in account(replace(known, penalties=()), rules).entries} <= told


def test_the_names_of_cases_are_sentences_and_differ() -> None:
    names = [(f, c["name"]) for f, c in CASES]
    assert len(set(names)) == len(names)
    assert all(len(name.split()) > 3 for _, name in names)
