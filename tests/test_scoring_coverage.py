"""Every provision on scoring has a case or a record that depends on it, or a stated reason."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import score_cases
from lawbook import code_data, codes, in_force, vocabulary
from oddtrick.judge.account import account
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding
from oddtrick.judge.rubber import check_document
from oddtrick.law.yaml import read as read_yaml
from test_findings import FILES, read

REASONS = Path(__file__).resolve().parent / "scores" / "without-a-case.yml"


@cache
def scoring_provisions() -> dict[str, Any]:
    """Every provision of a code on a topic of scoring, by its address, in the order of the codes."""
    topics = {t["id"] for t in vocabulary()["topics"] if t["family"] == "scoring"} | {
        "doubling-effect"
    }
    return {
        p["address"]: p
        for code in codes()
        for p in code_data(code)["provisions"]
        if topics & set(p["topics"])
    }


@cache
def leaned_on() -> dict[str, str]:
    """The first case or record that depends on each address."""
    first: dict[str, str] = {}
    for _, case in score_cases.cases():
        rules = in_force(case["code"], tuple(case.get("options", ())))
        entries = account(score_cases.facts(case), rules).entries
        for law in {law for e in entries for law in e.laws} | set(case.get("shows", ())):
            first.setdefault(law, case["name"])
    for path in FILES:
        for result in check_document(read(path)):
            if isinstance(result, Finding):
                continue
            laws = {law for f in result.findings for law in f.laws}
            if isinstance(result, Check):
                laws |= {
                    law
                    for e in (result.account.entries if result.account else ())
                    for law in e.laws
                }
                name = result.source.id
            else:
                laws |= {law for e in result.entries for law in e.laws} | set(result.laws)
                name = f"{result.group.kind} {result.group.name or ''}".strip()
            for law in laws:
                first.setdefault(law, f"`{path.name}`, {name}")
    return first


def reasons() -> dict[str, str]:
    """Why a provision has no case, by its address."""
    groups = read_yaml(REASONS.read_text("utf-8"))
    return {address: group["why"] for group in groups for address in group["laws"]}


@pytest.mark.shipped
@pytest.mark.slow
def test_every_provision_on_scoring_has_a_case_or_a_reason_and_not_both() -> None:
    provisions, shown, why = scoring_provisions(), leaned_on(), reasons()
    assert [a for a in provisions if a not in shown and a not in why] == []
    assert [a for a in why if a in shown] == [], "these have a case after all"
    assert [a for a in why if a not in provisions] == []


def test_a_figure_of_the_score_has_a_case_and_no_excuse() -> None:
    provisions, why = scoring_provisions(), reasons()
    without = {a for a in why if provisions[a]["figures"]}
    # These figures are not used in a deal's account.
    assert without == set(
        """
        duplicate-1912:27.1 duplicate-1912:requisites.players.1
        duplicate-1912:requisites.score-card duplicate-1912:requisites.trays.1
        duplicate-1912:technique.match.1
    """.split()
    )
