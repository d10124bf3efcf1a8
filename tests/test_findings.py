"""For each finding, a record that breaks the rule and a neighbour that does not, matched exactly.

The expectation is a comment on the offending line: `# finds RULE LAW LAW`; severities other than
irregular follow a slash: `# finds declaring.double-of-nothing/silent`. In a deal without such a
comment, only missing facts may be found. The files under tests/findings and the shipped records are
all read.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from files import ROOT
from lawbook import code_data, every_game, vocabulary
from oddtrick.judge.check import check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.record.deal import Deal, Group, Unreadable
from oddtrick.record.hand.read import read_text

FILES = sorted((ROOT / "tests" / "findings").rglob("*.hand")) + sorted(
    (ROOT / "laws" / "records").rglob("*.hand")
)
EXPECTED = re.compile(r"finds (\S+?)(?:/(\w+))?((?: [\w:.-]+)*)\s*$")

Expected = tuple[int, str, str, tuple[str, ...]]


def expected(text: str) -> list[Expected]:
    """Line, rule, severity and laws of each expectation in a file."""
    return [
        (number, m[1], m[2] or "irregular", tuple(m[3].split()))
        for number, line in enumerate(text.splitlines(), 1)
        for said in line.partition("# ")[2].split("; ")
        for m in [EXPECTED.match(said)]
        if m
    ]


@cache
def read(path: Path) -> tuple[Unreadable | Deal | Group, ...]:
    """The items of a file, read once: judging does not change them."""
    document = read_text(path.read_text("utf-8"), str(path))
    return (*document.unreadable, *document.items)


def found(path: Path) -> Iterator[Finding]:
    """Every finding of a file, except those of incompleteness."""
    return (finding for findings in judged(path) for finding in findings)


def judged(path: Path) -> Iterator[list[Finding]]:
    """Each result of a file with its findings, except those of incompleteness."""
    for result in check_document(read(path)):
        findings = (result,) if isinstance(result, Finding) else result.findings
        yield [f for f in findings if f.severity is not Severity.INCOMPLETE]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_is_found_is_what_the_record_says_on_its_lines(path: Path) -> None:
    """A file written for its findings has a neighbour without any."""
    results = list(judged(path))
    got = [(f.place.line, f.rule, f.severity.value, f.laws) for fs in results for f in fs]
    assert sorted(got) == sorted(expected(path.read_text("utf-8")))
    assert [] in results or "findings" not in path.parts


def breaking() -> dict[str, set[str]]:
    """Each rule with the codes for which some file breaks it."""
    rules: dict[str, set[str]] = {}
    for path in FILES:
        text = path.read_text("utf-8")
        code = re.search(r"^code (\S+)", text, re.M)
        for _, rule, _, _ in expected(text):
            rules.setdefault(rule, set()).add(code[1] if code else "")
    return rules


NOT_IN_A_HAND_FILE = {"record.unknown-code": "test_check.py"}
"""Findings whose record cannot be in a file with others, with the test that has them."""


def test_every_finding_of_the_checker_has_a_record_that_breaks_it() -> None:
    irregular = {f["id"] for f in vocabulary()["findings"] if not f["id"].startswith("record.")} - {
        "declaring.unfinished"
    }
    assert irregular - set(NOT_IN_A_HAND_FILE) <= set(breaking())


def deals() -> Iterator[Deal]:
    """The deals in which an examiner combined several faults, and every fifth of the others."""
    examined = [p for p in FILES if p.stem.startswith("examined-")]
    others = [p for p in FILES if p.stem.endswith("-second-reader")]
    for number, item in enumerate(i for path in others for i in read(path)):
        if isinstance(item, Deal) and number % 5 == 0:
            yield item
    yield from (i for path in examined for i in read(path) if isinstance(i, Deal))


@pytest.mark.parametrize(("code", "options"), every_game(), ids=lambda v: v if v else "plain")
def test_a_deal_told_under_another_code_is_judged_by_that_codes_laws_alone(
    code: str, options: tuple[str, ...]
) -> None:
    chain = {c.id for c in book().chain(code)}
    own = [p for p in code_data(code)["provisions"] if p["option"] in (None, *options)]
    displaced = {d for p in own for d in p["displaces"]}

    def foreign(law: str) -> bool:
        return law.split(":")[0] not in chain or any(
            law == d or law.startswith(f"{d}.") for d in displaced
        )

    wrong = []
    for deal in deals():
        done = check(deal._replace(code=code, options=options))
        told = [(f.rule, f.laws) for f in done.findings if f.severity not in RESTS_ON_NONE]
        told += [(e.reason, e.laws) for e in (done.account.entries if done.account else ())]
        lawless = [what for what, laws in told if not laws and not what.startswith(NO_LAW)]
        wrong += [(deal.id, what) for what in lawless]
        wrong += [(deal.id, what, a) for what, laws in told for a in laws if foreign(a)]
    assert wrong == []


RESTS_ON_NONE = (Severity.INCOMPLETE, Severity.SILENT)
"""Severities that no law decides."""

NO_LAW = ("notation.", "record.")
"""Findings that report how something was read, and rest on no law."""
