"""Every provision on scoring has a case or a reason, and the published table says which."""

from __future__ import annotations

import pytest

from oddtrick.law.book import book
from score_cases import cases
from scoring_coverage import PAGE, leaned_on, page, reasons, scoring_provisions


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
    # What these figures are for is not part of a deal's account.
    assert without == {
        "duplicate-1912:27.1",
        "duplicate-1912:requisites.players.1",
        "duplicate-1912:requisites.score-card",
        "duplicate-1912:requisites.trays.1",
        "duplicate-1912:technique.match.1",
    }


def test_a_case_names_only_provisions_of_its_own_code_or_its_base() -> None:
    for _, case in cases():
        own = (
            ["auction-1926", "contract-1927"] if case["code"] == "contract-1927" else [case["code"]]
        )
        for address in case.get("shows", ()):
            assert address.partition(":")[0] in own
            assert book().provision(address), address


@pytest.mark.shipped
@pytest.mark.slow
def test_the_published_table_is_the_one_that_is_true() -> None:
    assert PAGE.read_text("utf-8") == page(), "run tests/scoring_coverage.py"
