"""`import oddtrick`: its functions, the output shown on its page, and its cost."""

import doctest
import json
import re
import subprocess
import sys
from typing import Any, cast

import pytest

import oddtrick
from command import commanded
from files import ROOT


@pytest.mark.shipped
def test_the_provisions_of_a_code_are_all_its_own() -> None:
    assert (
        oddtrick.provisions("auction-1912")
        == next(c for c in oddtrick.codes() if c.id == "auction-1912").provisions
    )
    assert {str(p.law) for p in oddtrick.provisions("1926 law 46")} == {"auction-1926:46"}


def test_the_examples_of_the_page_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert done.attempted > 20
    assert done.failed == 0


def test_every_name_has_a_docstring_and_stands_on_the_page() -> None:
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    for name in oddtrick.__all__:
        assert getattr(oddtrick, name).__doc__, name
        assert f"`{name}" in page, name
    assert set(oddtrick.__all__) <= set(dir(oddtrick))
    with pytest.raises(AttributeError):
        _ = oddtrick.nothing  # type: ignore[attr-defined]


def test_a_finding_has_the_same_words_alone_as_in_its_record() -> None:
    for name in ("auction-1908-oracle", "royalton-1915-score"):
        for check in oddtrick.check(ROOT / "tests" / "findings" / f"{name}.hand"):
            alone = [oddtrick.as_json(finding) for finding in check.findings]
            assert alone == oddtrick.as_json(check)["findings"]


ATTRIBUTES = re.compile(r"\| attribute of an? `(\w+)` .*\n.*\n((?:\|.*\n)+)")


def test_the_tables_of_the_page_list_attributes_that_there_are() -> None:
    """Of the small classes, all are listed."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    answer = oddtrick.rule("lead-out-of-turn", "royalton", offender="adversary")
    comparison = oddtrick.compare("slam")
    samples: tuple[Any, ...] = (
        *(answer, answer.questions[0], answer.possible[0], answer.possible[0].remedies[0]),
        *(comparison, comparison.rows[0], oddtrick.codes()[0], oddtrick.codes()[0].provisions[0]),
        oddtrick.check("code 1926\ndeal 1\n")[0],
    )
    samples += (samples[-1].findings[0],)
    listed = {
        name: {n.partition(".")[0] for row in rows.splitlines() for n in names_in(row)}
        for name, rows in ATTRIBUTES.findall(page)
    }
    assert sorted(listed) == sorted(type(sample).__name__ for sample in samples)
    for sample in samples:
        of = type(sample).__name__
        names = listed[of]
        assert [name for name in names if not hasattr(sample, name)] == []
        if of in ("Answer", "Question", "Comparison", "Row"):
            assert set(sample.__annotations__) <= names


def names_in(row: str) -> list[str]:
    """The names in the first cell of a row."""
    return re.findall(r"`([\w.]+)`", row.split("|")[1])


def test_the_lists_are_those_that_the_functions_take() -> None:
    for topic in oddtrick.topics():
        assert oddtrick.compare(topic.id, "1926").question == topic.question
    for one in oddtrick.irregularities():
        answer = oddtrick.rule(one.id, "1926")
        assert {question.fact for question in answer.questions} <= one.facts.keys()


def test_the_import_loads_nothing_of_the_program() -> None:
    code = "import sys, oddtrick; print([m for m in sys.modules if m.startswith('oddtrick.')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout == "[]\n"


def test_a_notebook_shows_a_deal_and_a_check() -> None:
    text = 'deal 1 "<A deal>"\ncode auction-1926\ndeclaration 4 hearts by south\nresult made 1\n'
    (deal,) = oddtrick.read(text + "score north-south trick 45\n")
    assert isinstance(deal, oddtrick.Deal)
    shown = deal._repr_html_()  # type: ignore[attr-defined]
    assert "&lt;A deal&gt;" in shown
    shown = oddtrick.check(deal)._repr_html_()  # type: ignore[attr-defined]
    for part in ("&lt;A deal&gt;", "irregular", "score.odd-tricks", "Auction 1926, law 37"):
        assert part in shown
    assert "<A deal>" not in shown


def test_a_ruling_is_the_json_of_its_command() -> None:
    for facts in ({}, {"offender": "adversary"}):
        given = [w for fact, value in facts.items() for w in (f"--{fact}", value)]
        done = commanded("ruling", "lead-out-of-turn", "--code", "1915", *given, "--format", "json")
        answer = oddtrick.rule("lead-out-of-turn", "1915", **facts)
        assert oddtrick.as_json(answer) == json.loads(done.stdout)


def test_a_code_is_named_as_people_name_it_and_a_wrong_name_is_a_lookup_error() -> None:
    assert oddtrick.rule("revoke", "kwc", which_revoke="first").code == "contract-1927"
    for wrong, why in {"1926:46": "is a law", "whatever": "there is no code `whatever`"}.items():
        with pytest.raises(LookupError, match=why):
            oddtrick.rule("revoke", wrong)
        with pytest.raises(LookupError, match=why):
            oddtrick.score("4 hearts made", wrong)
    with pytest.raises(LookupError, match="no option"):
        oddtrick.score("4 hearts made", "1926", options=["canadian"])
    for only, why in (
        ("scores", "`scores` is not one"),
        ((), "takes"),
        (["play", "Score"], "Score"),
    ):
        with pytest.raises(ValueError, match=why):
            oddtrick.check("code elwell\ndeal 1\n", only=only)
    assert oddtrick.check("code elwell\ndeal 1\n", only="play, score")
    with pytest.raises(ValueError, match="tricks"):
        oddtrick.score("4 hearts")
    with pytest.raises(LookupError, match="no irregularity `misspelt`"):
        oddtrick.rule("misspelt", "1926")
    for source in (42, None, [42], ["a path"], [{"id": "deal 1"}]):
        with pytest.raises(TypeError, match="check takes a path, the text of a record"):
            oddtrick.check(source)  # type: ignore[call-overload]
    text: Any = "1926"
    for call in (
        oddtrick.score,
        oddtrick.provisions,
        oddtrick.cite,
        oddtrick.compare,
        oddtrick.search,
    ):
        for given in ((5,), (None,)):
            with pytest.raises(TypeError, match="must be a string, not"):
                cast(Any, call)(*given)
    for given in ((5, text), (text, 5)):
        with pytest.raises(TypeError, match="must be a string, not `int`"):
            oddtrick.rule(*given)
    for options in (5, "canadian", [5]):
        with pytest.raises(TypeError, match="must be a"):
            oddtrick.rule("revoke", text, options=cast(Any, options))
    with pytest.raises(ValueError, match="there is no notation `xyz`"):
        oddtrick.read("deal 1\n", "xyz")
