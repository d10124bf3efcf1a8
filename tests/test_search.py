"""Searching: players' questions find their law among the first three; spelling, inflection and
slips do not matter.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from oddtrick.book.search import INDEX, search
from oddtrick.law import store
from oddtrick.law.yaml import read as read_yaml

HERE = Path(__file__).parent
QUESTIONS = read_yaml((HERE / "search_questions.yaml").read_text("utf-8"))["questions"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["ask"])
def test_a_players_question_is_answered_among_the_first_three(question: dict[str, object]) -> None:
    hits = search(question["ask"], question.get("code"), question.get("topic"))[:3]  # type: ignore[arg-type]
    found = {a for h in hits for a in (h.address, *h.also)}
    assert found & set(question["answer"]), [h.address for h in hits]  # type: ignore[call-overload]


def test_there_are_at_least_sixty_questions_and_their_answers_exist() -> None:
    assert len(QUESTIONS) >= 60
    known = {p["address"] for c in store.load("index") for p in store.load(c)["provisions"]}
    assert {a for q in QUESTIONS for a in q["answer"]} <= known


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("honours", "honors"),
        ("jack of trumps", "knave of trumps"),
        ("revokes", "renege"),
        ("doubling", "doubled"),
        ("bystander", "kibitzer"),
        ("insufficient bid", "insuficient bids"),
    ],
)
def test_two_ways_of_asking_find_the_same_law(one: str, other: str) -> None:
    assert search(one)[0].address == search(other)[0].address


def test_a_citation_comes_first() -> None:
    assert search("1912 law 84")[0].address == "auction-1912:84.a"
    assert search("auction 84")[0].address == "auction-1912:84.a"
    assert search("Royalton L. 77c")[0].address == "royalton-1915:77.c"


def test_a_code_and_a_topic_restrict_the_hits() -> None:
    assert {h.address.partition(":")[0] for h in search("revoke", code="royalton-1915")} == {
        "royalton-1915"
    }
    topic = {
        p["address"]
        for p in store.load("auction-1912")["provisions"]
        if "revoke-claim" in p["topics"]
    }
    hits = search("revoke", code="auction-1912", topic="revoke-claim")
    assert hits
    assert {h.address for h in hits} <= topic


def test_one_rule_is_one_hit() -> None:
    hits = search("time to claim a revoke")
    assert hits[0].address == "auction-1912:88" or "auction-1912:88" in hits[0].also
    assert not any({h.address, *h.also} & {hits[0].address} for h in hits[1:])


def test_noise_finds_nothing() -> None:
    assert search("xyzzy qwrtp") == []
    assert search("what if I may") == []
    assert search('"" ( * ) -- ;') == []


def test_the_index_is_made_once_and_used_when_it_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search("revoke")
    assert any(Path(home, INDEX).is_file() for home in store.homes())
    monkeypatch.setattr(
        import_module("oddtrick.book.search"), "INDEX", "no/such/folder/index.sqlite"
    )
    assert search("time to claim a revoke")


def test_a_damaged_index_is_made_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = search("time to claim a revoke")
    monkeypatch.setattr(store, "homes", lambda: iter([str(tmp_path)]))
    index = tmp_path / INDEX
    for content in (b"", b"no index", b"SQLite format 3\0" + bytes(200)):
        index.write_bytes(content)
        assert search("time to claim a revoke") == found
        assert index.stat().st_size > 10_000
