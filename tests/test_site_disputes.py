"""The pages of disputes: what the page answers is what the command answers, for every irregularity,
code and answer.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from typing import Any

import pytest

from lawbook import code_data, codes
from oddtrick.cli.ruling import answer_text
from oddtrick.law.book import book
from oddtrick.law.cases import applying, combinations, facts_of
from oddtrick.law.model import Case, Entry
from oddtrick.law.names import path_of
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as words_of
from oddtrick.site.dispute import AS_PRINTED, dispute_data, dispute_page, variants
from oddtrick.terminal import Style

pytestmark = pytest.mark.slow

NAMES = list(rulings.catalogue())
LINK = re.compile(r'href="\.\./\.\./([^"]+)"')


@cache
def data(name: str) -> Any:
    return json.loads(json.dumps(dispute_data(name)))


def starts(name: str) -> list[tuple[str, list[str], Any]]:
    """The code, the options and the first node of the law of every tree of an irregularity."""
    found = []
    for code, node in data(name)["start"]["then"].items():
        options = node["then"] if node.get("ask") == "option" else {AS_PRINTED: node}
        found += [(code, [] if o == AS_PRINTED else [o], start) for o, start in options.items()]
    return found


def walked(node: Any, facts: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """The node to which facts lead, as the script walks, and the facts that were asked for."""
    asked = {}
    while "ask" in node and node["ask"] in facts:
        asked[node["ask"]] = facts[node["ask"]]
        node = node["then"][facts[node["ask"]]]
    return node, asked


def bare(text: str) -> str:
    """The words of HTML or of the command's answer, without tags, numbers of choices and spaces."""
    lines = (re.sub(r"^ +\d+\. ", "", line) for line in text.split("\n"))
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]*>", " ", " ".join(lines))))


@pytest.mark.parametrize("name", NAMES)
def test_every_combination_of_facts_leads_to_the_ruling_of_the_engine(name: str) -> None:
    item = rulings.catalogue()[name]
    for code, options, start in starts(name):
        entry = book().entry(name, code, options)
        assert entry is not None
        for facts in combinations(facts_of(entry[0].rulings, item)):
            wanted = rulings.answer(name, code, options, facts)
            found, asked = walked(start, facts)
            assert found["finding"] == words_of.as_json(wanted)["finding"] or facts != asked
            assert (found["kind"], found["ruling"]) == (
                wanted.kind,
                wanted.ruling.id if wanted.ruling else None,
            ), (code, options, facts)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_in_the_page_is_the_commands_to_the_word(name: str) -> None:
    item = rulings.catalogue()[name]
    texts = data(name)["texts"]
    for code, options, start in starts(name):
        entry = book().entry(name, code, options)
        assert entry is not None
        for facts in combinations(facts_of(entry[0].rulings, item)):
            found, asked = walked(start, facts)
            said = " ".join(texts[p] for p in found["parts"])
            assert bare(said) == bare(
                html.escape(
                    answer_text(rulings.answer(name, code, options, asked), Style(1_000_000))
                )
            )


@pytest.mark.parametrize("name", NAMES)
def test_an_open_case_asks_what_the_engine_asks_first_and_tells_what_it_may_come_to(
    name: str,
) -> None:
    texts = data(name)["texts"]

    def below(code: str, options: list[str], node: Any, facts: dict[str, str]) -> None:
        if "ask" not in node:
            return
        found = rulings.answer(name, code, options, facts)
        assert found.questions[0].fact == node["ask"]
        buttons = html.unescape(texts[node["set"]])
        assert f'<fieldset data-fact="{node["ask"]}">' in buttons
        assert f">{found.questions[0].question}</legend>" in buttons
        assert list(node["then"]) == [v for v, _ in found.questions[0].answers]
        for index, ruling in zip(node["may"], found.possible, strict=True):
            pieces = words_of.ruling_pieces(ruling)
            assert bare("".join(p.words for p in pieces)) in bare(
                re.sub(r" \((<a [^>]*>[^<]*</a>(, )?)+\)", "", texts[index])
            )
            assert LINK.findall(texts[index]) == [path_of(a) for p in pieces for a in p.laws]
        for value, further in node["then"].items():
            words = words_of.fact_words(node["ask"], value).removeprefix("and ")
            said = words[:1].upper() + words[1:]
            assert f'value="{value}" aria-pressed="false">{said}</button>' in buttons
            below(code, options, further, {**facts, node["ask"]: value})

    for code, options, start in starts(name):
        below(code, options, start, {})


@pytest.mark.parametrize("name", NAMES)
def test_each_ruling_of_a_code_stands_in_its_card(name: str) -> None:
    page = re.sub(r"\n\s*", "", dispute_page(rulings.catalogue()[name]))
    card = r'<div class="provision dispute-code"><h2 id="([^"]+)"(.*?)(?=<div class="provision|\Z)'
    cards = dict(re.findall(card, page))
    assert list(cards) == list(codes())
    for code in codes():
        for option in variants(name, code):
            found = book().entry(name, code, [option] if option else [])
            assert found is not None
            entry, owner = found
            if owner.id != code:
                assert f'href="#{owner.id}"' in cards[code]
                continue
            for reason in (entry.silent, entry.absent):
                if reason:
                    assert bare(reason) in bare(cards[code])
            for ruling in entry.rulings:
                row = re.search(
                    rf'id="{re.escape(".".join([code, *([option] if option else []), ruling.id]))}">(.*?)</dd>',
                    cards[code],
                )
                assert row is not None
                given = rulings.answer(
                    name, code, [option] if option else [], first_facts(entry, ruling)
                ).ruling
                assert given is not None
                assert given.id == ruling.id
                said = bare(row[1])
                assert said.startswith(
                    bare(words_of.case_words(given).replace("as a rule", "As a rule"))[:1].upper()
                )
                assert bare(words_of.case_words(given))[1:] in said
                assert all(bare(words_of.remedy_words(r))[1:] in said for r in given.remedies)
                assert all(
                    f'href="../../{path_of(a)}"' in row[1] for a in (*given.laws, *given.readings)
                )
                assert bare(given.silent or given.says or "") in said


def first_facts(entry: Entry, ruling: Case) -> dict[str, str]:
    """Facts with which a ruling applies."""
    table = facts_of(entry.rulings, rulings.catalogue()[entry.irregularity])
    return next(c for c in combinations(table) if applying(entry.rulings, c)[0].id == ruling.id)


def test_every_link_of_the_answers_leads_where_a_law_or_a_reading_stands() -> None:
    # what the script writes into the page is not seen by the checker of links
    links = {link for name in NAMES for text in data(name)["texts"] for link in LINK.findall(text)}
    stand = {
        path_of(item["address"])
        for code in codes()
        for part in ("laws", "provisions", "readings")
        for item in code_data(code)[part]
    }
    assert len(links) > 500
    assert links - stand == set()


def test_an_option_is_offered_only_where_it_changes_the_law() -> None:
    offered = [
        (name, code, o) for name in NAMES for code in codes() for o in variants(name, code)[1:]
    ]
    assert offered
    for name, code, option in offered:
        assert book().entry(name, code, [option or ""]) != book().entry(name, code)
    entries = {
        (e["irregularity"], code, e["option"])
        for code in codes()
        for e in code_data(code)["irregularities"]
        if e["option"]
    }
    assert set(offered) == entries


def test_the_catalogue_lists_every_irregularity_with_its_meaning(
    pages: dict[str, str | bytes],
) -> None:
    index = html.unescape(str(pages["disputes/index.md"]))
    for group, label in rulings.groups():
        assert f'<h2 id="{group}"' in index
        assert f">{label}<a" in index
    for name, item in rulings.catalogue().items():
        line = re.search(
            rf'<li><a href="{name}/">{re.escape(item.label)}</a> <span>(.*?)</span>', index, re.S
        )
        assert line is not None, name
        assert line[1] == item.meaning
