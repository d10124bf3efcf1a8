"""Accounts: the printed tables and remarks, and cases worked out from the law."""

from typing import Any

import pytest

from lawbook import in_force
from oddtrick.judge.account import account
from score_cases import cases, difference, facts, penalties

CASES = list(cases())


def test_every_score_is_as_printed_or_worked_out() -> None:
    assert len(CASES) > 450
    told = {f"{file}: {case['name']}": difference(case) for file, case in CASES}
    assert {name: other for name, other in told.items() if other is not None} == {}


def test_only_in_a_doubled_contract_do_honours_and_slams_cite_the_law_on_doubling() -> None:
    for _, case in CASES:
        rules, known = in_force(case["code"], tuple(case.get("options", ()))), facts(case)
        for entry in account(known, rules).entries:
            clause = f"{entry.item}-doubled"
            if laws := rules.get(clause) and rules.laws(clause):
                assert (known.final.doubled > 0) == (set(laws) <= set(entry.laws)), case["name"]


def moves_tricks(case: dict[str, Any]) -> bool:
    """Whether a penalty moves tricks, which changes the result of the deal."""
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
    without = set(account(known._replace(penalties=()), rules).entries)
    # The points towards a game win it, and its entry cites the laws of the game: those points
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
    assert {(e.side, e.item) for e in account(known._replace(penalties=()), rules).entries} <= told
