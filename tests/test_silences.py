"""What a code lacks is found and reported: silent, cannot arise, or not in the code."""

import json
from typing import Any

import pytest

from files import table
from oddtrick.book.compare import compare_address, texts
from oddtrick.book.search import find_silences
from oddtrick.book.silences import silences
from oddtrick.cli import law
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT
from oddtrick.law.names import silence_text
from oddtrick.terminal import Style
from test_cli import clear, run

DATA: Any = table("silences")


@pytest.mark.parametrize("case", DATA["silences"], ids=lambda c: f"{c['code']}-{c['label']}")
def test_a_silence_is_found_and_told_by_every_command(case: dict[str, str]) -> None:
    silence = next(s for s in silences(case["code"]) if s.label == case["label"])
    assert silence.state == case["state"]
    assert silence in find_silences(case["search"])
    told = " ".join(clear(run("search", case["search"]), 0).split())
    assert silence_text(silence) in told
    for command in ("compare", "topics"):
        said = " ".join(clear(run(command, case["topic"]), 0).split())
        assert silence.reason in said
        assert SILENT[silence.state] in said.lower()
    owner = book().code(case["code"]).extends or case["code"]
    assert silence.reason in " ".join(clear(run("law", owner), 0).split())


@pytest.mark.parametrize("case", DATA["asked"], ids=lambda c: f"{c['code']}-{c['search']}")
def test_a_word_that_no_law_of_a_code_has_tells_its_silence(case: dict[str, str]) -> None:
    told = [s.label for s in find_silences(case["search"], case["code"]) if s.state != "absent"]
    assert told == ([] if case["label"] == "none" else [case["label"]])


@pytest.mark.parametrize("question", DATA["questions"])
def test_what_every_code_answers_finds_no_silence(question: str) -> None:
    assert find_silences(question) == []


@pytest.mark.parametrize("case", DATA["laws"], ids=lambda c: c["law"])
def test_the_comparison_of_a_law_says_why_another_code_has_none(case: dict[str, str]) -> None:
    found = compare_address(case["law"], [case["code"]])
    assert [(s.code, s.state) for s in found.lacks] == [(case["code"], case["state"])]


def test_a_law_tells_what_other_codes_have_not_of_it_and_its_own_has_not_beside_it() -> None:
    shape = Style(width=1000, colour=False)
    wrong = []
    for case in DATA["beside"]:
        found = law.find(Address(case["law"]))
        assert isinstance(found, law.Passage)
        told = law.text(found, shape)
        body = json.dumps(law.as_json(found), ensure_ascii=False)
        for words in case.get("tells", ()):
            reason = words.partition(". ")[2]
            wrong += [] if words in told and reason in body else [(case["law"], words)]
        wrong += [(case["law"], words) for words in case.get("never", ()) if words in told]
    assert wrong == []


@pytest.mark.parametrize("code", book().ids)
def test_every_topic_is_answered_or_said_to_be_without_a_law(code: str) -> None:
    treated = {t for p in texts(code).values() for t in p.topics}
    told = {t for s in silences(code) if s.state != "absent" for t in s.topics}
    assert treated | told == set(book().topics)
    assert not treated & told


def test_what_a_code_has_not_comes_first_if_it_is_asked_about() -> None:
    told = clear(run("search", "insufficient", "bid", "--code", "bridge-elwell"), 0)
    first, topic, _ = told.split("\n\n", 2)
    assert topic.startswith("Topic: Insufficient bid.")
    assert first.startswith("Elwell 1905, Insufficient bid: does not arise.")
    fits = clear(run("search", "unfinished", "rubber", "--code", "auction-1926"), 0)
    assert fits.split("\n\n")[1].startswith("Auction 1926, law")
