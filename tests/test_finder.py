"""Finding a dispute in a player's words: descriptions by authors who did not write the finder,
facts that follow from words, and texts that are not about a dispute.
"""

import re
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from files import ROOT, table
from oddtrick.book.disputes import Sought, find
from oddtrick.law.book import book
from oddtrick.law.yaml import read as read_yaml

AUTHORS = sorted((ROOT / "tests").glob("tellings_[b-z].yaml"))
"""Descriptions by other authors, who had not seen those of `laws/tellings.yaml` and whose sentences
were not used for training.
"""

FLOORS = {"short": 0.9, "long": 0.8}
"""The share of an author's descriptions that must be found among the first three, by code."""


ENOUGH = 20
"""The number of irregularities requested, so that five remain after those that cannot arise are
removed.
"""


@cache
def enough(ask: str, code: str | None = None) -> Sought:
    """What is found under a code or under none."""
    return find(ask, code, limit=ENOUGH)


DEALERS = [c for c in book().ids if book().rules(c).value("declarer") == "dealer"]
"""The codes in which the dealer is the declarer."""


def order(ask: str, code: str | None = None) -> tuple[str, ...]:
    """The irregularities that match best; the code matters only if it makes the dealer declarer."""
    own = code if code in DEALERS and "dealer" in ask.lower() else None
    return tuple(f.irregularity for f in enough(ask, own).found)


def ranks(asked: list[dict[str, Any]], code: str | None) -> list[int]:
    """The rank of the irregularity of each description among those that can arise under a code."""
    never = absent(code)
    found = []
    for telling in asked:
        if wanted := set(telling["answer"]) - never:
            left = [i for i in order(telling["ask"], code) if i not in never]
            found.append(next((n for n, name in enumerate(left) if name in wanted), 99))
    return found


@cache
def absent(code: str | None) -> frozenset[str]:
    """The irregularities that cannot arise under a code."""
    found = ((i, book().entry(i, code)) for i in book().irregularities if code)
    return frozenset(i for i, entry in found if entry and entry[0].absent)


@cache
def silent(code: str) -> frozenset[str]:
    """The irregularities on which a code is silent: they give way to those that fit as well."""
    found = ((i, book().entry(i, code)) for i in book().irregularities)
    return frozenset(i for i, entry in found if entry and entry[0].silent)


def share(found: list[int], first: int) -> float:
    """The share with a rank among the first."""
    return sum(rank < first for rank in found) / len(found)


@pytest.mark.parametrize("author", AUTHORS, ids=lambda path: path.stem)
def test_what_others_tell_fits_and_is_found_among_the_first_three_under_every_code(
    author: Path,
) -> None:
    told = read_yaml(author.read_text("utf-8"))
    asked = [t["ask"] for length in FLOORS for t in told[length]]
    assert [ask for ask in asked if not enough(ask).fits] == []
    low = []
    for length, floor in FLOORS.items():
        for code in (None, *book().ids):
            found = ranks(told[length], code)
            at = [share(found, n) for n in (1, 3, 5)]
            low += [(length, code, at)] if at[1] < floor else []
    assert low == []


@pytest.mark.parametrize("author", AUTHORS, ids=lambda path: path.stem)
def test_under_a_code_the_same_are_found_but_for_what_cannot_arise_or_is_not_ruled(
    author: Path,
) -> None:
    told, compared = read_yaml(author.read_text("utf-8"))["long"], 0
    for telling, code in zip(told, cycle(book().ids), strict=False):
        ask, never = telling["ask"], absent(code)
        of_code, anywhere = find(ask, code).found, enough(ask).found
        moved = {f.irregularity for f in (*of_code, *anywhere) if f.second} | silent(code)
        found = [f.irregularity for f in of_code]
        ruled = [i for i in found[:5] if i not in moved]
        can = [i for i in order(ask, code) if i not in never | moved]
        assert ruled == can[: len(ruled)], ask
        assert set(found[5:]) <= never, ask
        compared += len(ruled)
    assert compared > 3 * len(told)


@pytest.mark.parametrize("code", DEALERS)
def test_what_is_told_of_the_declarer_is_found_if_it_is_told_of_the_dealer(code: str) -> None:
    told = [t for a in AUTHORS for of in read_yaml(a.read_text("utf-8")).values() for t in of]
    ours = [
        {**t, "ask": re.sub(r"\bdeclarer\b", "dealer", t["ask"].lower())}
        for t in told
        if "declarer" in t["ask"].lower()
    ]
    assert share(ranks(ours, code), 3) >= 0.9


LONG = table("tellings_long")


@pytest.mark.parametrize(("manner", "floor"), [("plain", 0.95), ("oblique", 0.8)])
def test_a_long_story_is_found_among_the_first_three(manner: str, floor: float) -> None:
    found = ranks(LONG[manner], None)
    assert share(found, 3) >= floor


def test_what_strangers_say_is_found_among_the_first_three() -> None:
    told = table("tellings_strangers")["like"]
    found = ranks(told, None)
    assert [t["ask"] for t, rank in zip(told, found, strict=True) if rank > 2] == []
    assert found[:5] == [0] * 5
    assert share(found, 1) >= 0.94


@pytest.mark.parametrize("name", ["held", "untried"])
def test_what_was_held_back_is_found_as_well_as_it_was_when_it_was_measured(name: str) -> None:
    told = table(f"tellings_{name}")
    for length, floor in FLOORS.items():
        assert share(ranks(told[length], None), 3) >= floor, length


FACTS = table("tellings_facts")["tellings"]


def test_what_words_say_of_the_facts_is_taken_from_them_and_nothing_else() -> None:
    wrong = []
    for telling in FACTS:
        found = {f.irregularity: f for f in find(telling["said"], telling.get("code")).found}
        facts = {fact: value for fact, value, _ in found[telling["of"]].facts}
        wrong += [(telling["said"], facts)] if facts != telling["facts"] else []
    assert wrong == []


def test_names_seats_suits_and_pronouns_decide_nothing() -> None:
    for one, other in (
        ("he revoked in hearts", "my partner Mabel revoked in spades"),
        ("north led out of turn", "I led out of turn"),
        ("she bid two clubs over two hearts", "his bid of one diamond over one spade"),
        ("dropped the king of clubs in the bidding", "dropped the two of hearts in the bidding"),
    ):
        assert find(one).found[0].irregularity == find(other).found[0].irregularity


def test_what_cannot_arise_under_the_code_comes_last_and_is_told() -> None:
    anywhere = find("his bid was not high enough")
    assert anywhere.found[0].irregularity == "insufficient-bid"
    found = find("his bid was not high enough", "bridge-elwell").found
    assert [f.irregularity for f in found if f.absent] == [f.irregularity for f in found[5:]]
    assert "insufficient-bid" in [f.irregularity for f in found[5:]]


WORDS = table("tellings_words")


@pytest.mark.parametrize("words", WORDS["exchanged"])
def test_exchanged_hands_are_a_dispute_of_duplicate_only(words: str) -> None:
    assert find(words, "duplicate-1912").found[0].irregularity == "hands-exchanged"
    assert [f.irregularity for f in find(words, "auction-1912").found if f.absent][:1] == [
        "hands-exchanged"
    ]


@pytest.mark.parametrize("told", WORDS["topics"], ids=lambda t: t["ask"])
def test_a_question_that_is_no_dispute_is_sent_to_its_topic(told: dict[str, str]) -> None:
    assert told["answer"] in find(told["ask"]).topics


@pytest.mark.parametrize("told", WORDS["asked"], ids=lambda t: t["ask"])
def test_words_that_tell_of_no_event_ask_about_the_rules(told: dict[str, str]) -> None:
    found = find(told["ask"])
    assert found.asked
    assert found.topics[0] == told["answer"]


@pytest.mark.parametrize("told", WORDS["claims"], ids=lambda t: t["ask"])
def test_a_claim_is_the_declarers_unless_it_is_said_to_be_an_adversarys(
    told: dict[str, str],
) -> None:
    assert find(told["ask"], "royalton-1915").found[0].irregularity == told["answer"]


@pytest.mark.parametrize("told", WORDS["second"], ids=lambda t: t["ask"])
def test_of_two_acts_the_second_is_named_too(told: dict[str, Any]) -> None:
    first, *others = find(told["ask"]).found
    assert first.irregularity in told["answer"]
    assert {first.irregularity, *(f.irregularity for f in others if f.second)} >= {*told["answer"]}


def test_a_long_question_is_sent_to_its_topic() -> None:
    sent = [find(q["ask"]).asked and q["topic"] in find(q["ask"]).topics for q in LONG["questions"]]
    assert sum(sent) >= 0.9 * len(sent)


@pytest.mark.parametrize("length", ["short", "long"])
def test_what_is_told_is_no_question_of_a_topic(length: str) -> None:
    told = read_yaml(AUTHORS[0].read_text("utf-8"))[length]
    sent = [t["ask"] for t in told if find(t["ask"]).asked]
    assert len(sent) <= 0.03 * len(told), sent


@pytest.mark.parametrize("words", WORDS["nothing"])
def test_words_that_tell_of_no_dispute_fit_nothing(words: str) -> None:
    assert not find(words).fits


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("revok", "revoke"),
        ("dubble out of turn", "double-out-of-turn"),
        ("he leed out of turn", "lead-out-of-turn"),
        ("an expossed card", "card-exposed-in-play"),
        ("insuficient bid", "insufficient-bid"),
        ("shuffel", "improper-shuffle"),
    ],
)
def test_a_misspelt_word_is_read_as_the_one_that_is_meant(words: str, answer: str) -> None:
    found = find(words)
    assert found.fits
    assert found.found[0].irregularity == answer


FIT = table("tellings_fit")["fit"]


@pytest.mark.parametrize("told", FIT, ids=lambda t: t["ask"])
def test_a_short_telling_fits_and_is_found_among_the_first_three(told: dict[str, str]) -> None:
    found = find(told["ask"])
    assert found.fits
    assert told["answer"] in [f.irregularity for f in found.found[:3]]


def test_most_long_texts_of_another_matter_fit_nothing() -> None:
    """Tennis has doubles too, and poker raises."""
    fit = [text for text in LONG["other"] if find(text).fits]
    assert len(fit) <= 0.25 * len(LONG["other"]), fit
