"""compare, concordance, topics, cite, search, export and law on the command line, as a new user
meets them.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import lawbook
from oddtrick.book.compare import compare_topic
from oddtrick.law.model import STATES
from test_cli import clear, run


@pytest.mark.shipped
def test_a_law_is_compared_with_what_answers_it_everywhere() -> None:
    body = json.loads(clear(run("compare", "auction 1912 law 88", "--format", "json"), 0))
    cells = body["rows"][0]["cells"]
    assert cells["auction-1912"][0]["address"] == "auction-1912:88"
    assert cells["contract-1927"][0]["address"] == "auction-1926:47"
    assert len(body["codes"]) == 8


def test_every_topic_can_be_compared_and_holds_each_provision_once() -> None:
    for topic in lawbook.vocabulary()["topics"]:
        found = compare_topic(topic["id"], lawbook.codes())
        for code in lawbook.codes():
            shown = [a for row in found.rows for a, _ in row.cells.get(code, ())]
            assert len(shown) == len(set(shown)), (topic["id"], code)
            assert bool(shown) != (code in found.states), (topic["id"], code)
        assert all(s.reason and s.state in STATES for s in found.states.values()), topic["id"]


def test_what_answers_beside_another_law_is_no_missing_counterpart() -> None:
    """Royalton 53 (a) corresponds to Bridge 62 (d) and (f); 53.1 states in general that dummy takes
    no part.
    """
    found = compare_topic("dummys-rights", ["bridge-elwell", "royalton-1915"])
    row = {
        row.cells["bridge-elwell"][0][0]: row
        for row in found.rows
        if row.cells.get("bridge-elwell")
    }
    assert row["bridge-elwell:62.f"].elsewhere == {"royalton-1915": ("royalton-1915:53.a",)}
    assert row["bridge-elwell:62.e"].general == {"royalton-1915": ("royalton-1915:53.1",)}


def test_a_concordance_is_told_line_by_line() -> None:
    body = json.loads(
        clear(run("concordance", "auction-1912", "auction-1926", "--format", "json"), 0)
    )
    line = next(x for x in body["lines"] if x["address"] == "auction-1912:44")
    assert line["counterparts"] == ["auction-1926:19"]
    assert line["differences"][0]["difference"] == "substance"
    rows = list(
        csv.reader(
            io.StringIO(clear(run("concordance", "auction-1912", "1926", "--format", "csv"), 0))
        )
    )
    names = ["Auction 1912", "Auction 1912: address", "Relation"]
    assert rows[0] == [*names, "Auction 1926", "Auction 1926: address", "What differs"]
    cells = [[row[1], row[4]] for row in rows[1:]]
    lines = [[x["address"], " ".join(x["counterparts"])] for x in body["lines"]]
    assert cells[: len(lines)] == lines
    assert all(not ours and theirs for ours, theirs in cells[len(lines) :])
    row = next(row for row in rows if row[1] == "auction-1912:44")
    assert (row[0], row[3]) == ("law 44, The higher declaration", "law 19, Rank of bids")


def test_the_export_is_valid_under_the_published_schema(tmp_path: Path) -> None:
    out = tmp_path / "book.json"
    clear(run("export", "--out", str(out)), 0)
    schema = json.loads(clear(run("export", "--schema"), 0))
    Draft202012Validator.check_schema(schema)
    book = json.loads(out.read_text("utf-8"))
    Draft202012Validator(schema).validate(book)
    assert [c["id"] for c in book["codes"]] == list(lawbook.codes())
    assert not any("file" in p for c in book["codes"] for p in c["provisions"])
    book["codes"] = book["codes"][:1]
    book["codes"][0]["provisions"][0]["surprise"] = 1
    book["codes"][0]["provisions"][1]["figures"] = {"surprise": 1, "slam": {"little": "forty"}}
    assert len(list(Draft202012Validator(schema).iter_errors(book))) == 3
    for command in ("check", "score", "ruling"):
        text = clear(run("export", "--schema", command), 0)
        Draft202012Validator.check_schema(json.loads(text))
        assert ".json#" not in text
        assert len(text) < 100_000  # each definition is printed once


def test_law_shows_counterparts_and_reads_citations() -> None:
    found = json.loads(clear(run("law", "Royalton L. 77c", "--format", "json"), 0))
    answers = found["provisions"][0]["counterparts"]["auction-1912"]
    assert answers[0]["address"] == "auction-1912:84.c"
    assert answers[0]["kind"] == "different"
    shown = " ".join(clear(run("law", "bridge-1904:102"), 0).split())
    own = shown.index("win or lose the trick, even if the offender named his card when asked")
    assert own < shown.index("same subject, different rule: bridge-elwell:100 (the partner may be")


@pytest.mark.shipped
def test_a_question_when_a_rule_came_leads_to_a_law_that_can_be_compared() -> None:
    """The best hit is a provision of an option, which no comparison of codes contains."""
    found = clear(run("search", "when was vulnerability introduced"), 0)
    assert "oddtrick compare contract-1927:7" in found
