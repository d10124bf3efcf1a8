"""Everything that only a record can state has its notation: the examples of docs/notation.md,
judged.

The expected result of each comes from the laws named beside it.
"""

import re
from pathlib import Path

import pytest

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Severity
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.record.hand.read import read_text

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "notation.md").read_text("utf-8")
PART = TEXT.partition("### What only the record can state")[2].partition("\n### ")[0]
EXAMPLE = re.findall(r"^```hand\n(.*?)^```", PART, re.M | re.S)

EXPECTED: dict[str, tuple[str | None, tuple[int, int]]] = {
    "deal 1": ("remedy.not-allowed", (24, 0)),  # 1926, 44 (b): dummy had left, no penalty
    "deal 2": (None, (0, 0)),  # Bridge 58: the maker consents, and the double counts
    "deal 3": ("remedy.not-obeyed", (0, 0)),  # 1912, 66: west has other suits
    "deal 4": ("remedy.not-obeyed", (0, 0)),  # 1926, 33: west could lead the card that was called
    "deal 5": ("remedy.not-allowed", (0, 0)),  # 1912, 40: the right is lost by looking
    "deal 6": ("remedy.not-allowed", (24, 0)),  # 1926, 47: claimed too late
    "deal 7": ("remedy.not-allowed", (0, 0)),  # Duplicate 110: by consulting it is lost
    "deal 8": (None, (16, 0)),  # 1912, 84: what was waived moves nothing
}


def checks() -> dict[str, Check]:
    """The example of each kind of statement, by its deal."""
    (text,) = EXAMPLE
    document = read_text(text, "notation.md")
    assert not document.unreadable
    return {c.source.id: c for c in check_document(document.items) if isinstance(c, Check)}


@pytest.mark.parametrize("deal", EXPECTED)
def test_what_only_the_record_tells_is_judged(deal: str) -> None:
    check = checks()[deal]
    rule, points = EXPECTED[deal]
    faults = [f.rule for f in check.findings if f.severity is Severity.IRREGULAR]
    assert faults == ([rule] if rule else [])
    if check.account:
        assert tuple(check.account.points(s, "trick") for s in Side) == points


def test_every_example_is_expected_and_every_fact_in_it_is_used() -> None:
    found = checks()
    assert list(found) == list(EXPECTED)
    for check in found.values():
        assert not [n for n in check.not_used if n.kind == "irregularity.when"]
        assert not [f for f in check.findings if f.rule == "record.not-used"]


def test_a_double_by_consent_counts() -> None:
    final = checks()["deal 2"].final
    assert final.doubled == 1


def test_the_presumptions_are_those_of_the_catalogue() -> None:
    part = TEXT.partition("### What is presumed")[2].partition("\nThe checker also makes")[0]
    written = [line for line in part.splitlines() if line.startswith("| ")]
    assert written[2:] == [
        f"| {f.question} | {f.values[f.presumed].removeprefix('and ')} (`{f.id} {f.presumed}`) |"
        for f in book().facts.values()
        if f.presumed
    ]
