"""The pages of disputes: the page answers as the command does, for every irregularity, code and
answer.
"""

import html
import json
import re
from functools import cache
from typing import Any

import pytest

from lawbook import code_data, codes, contradictory
from oddtrick.law.book import book
from oddtrick.law.cases import combinations, facts_of
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as words_of
from oddtrick.site.dispute import AS_PRINTED, dispute_data, dispute_page, variants

pytestmark = pytest.mark.slow

NAMES = list(rulings.catalogue())


@cache
def data(name: str) -> Any:
    return json.loads(json.dumps(dispute_data(name)))


def starts(name: str) -> list[tuple[str, list[str], Any]]:
    """The code, the options and the first node of every tree of an irregularity."""
    found = []
    for code, node in data(name)["start"]["then"].items():
        by_option = not isinstance(node, str) and node["ask"] == "option"
        options = node["then"] if by_option else {AS_PRINTED: node}
        found += [(code, [] if o == AS_PRINTED else [o], start) for o, start in options.items()]
    return found


def walked(node: Any, facts: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """The node to which facts lead, as the script walks, and the facts requested."""
    asked = {}
    while not isinstance(node, str) and node["ask"] in facts:
        asked[node["ask"]] = facts[node["ask"]]
        node = node["then"][facts[node["ask"]]]
    return node, asked


def bare(text: str) -> str:
    """The words of HTML or of the command's answer, without tags, numbers of choices and spaces."""
    lines = (re.sub(r"^ +\d+\. ", "", line) for line in text.split("\n"))
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]*>", " ", " ".join(lines))))


@cache
def cards(name: str) -> dict[str, str]:
    """The rulings on the page, and the texts shown instead of one, by their anchors."""
    page = re.sub(r"\n\s*", "", dispute_page(rulings.catalogue()[name]))
    return dict(re.findall(r'<div class="(?:ruling|state)[^"]*" id="([^"]+)"(.*?</dd>)', page))


@pytest.mark.parametrize("name", NAMES)
def test_every_combination_of_facts_leads_to_the_answer_of_the_command(name: str) -> None:
    """The laws, the citation, and every line on remedies and readings."""
    item, shorts = rulings.catalogue()[name], {c.id: bare(c.short) for c in book().codes}
    for code, options, start in starts(name):
        entry = book().entry(name, code, options)
        assert entry is not None
        for facts in combinations(facts_of(entry[0].rulings, item)):
            if contradictory(facts, item.never):
                continue
            wanted = rulings.answer(name, code, options, facts)
            found, asked = walked(start, facts)
            assert found.rpartition(".")[2] == (wanted.ruling.id if wanted.ruling else "none")
            wanted = rulings.answer(name, code, options, asked)
            assert not wanted.questions
            assert dict(wanted.facts) == asked  # the script builds the finding from these
            row = cards(name)[found]
            parts = {part.id: part.lines for part in words_of.parts_of(wanted)}
            own, shown = re.compile(f"{code}:|{entry[1].id}:"), shorts[entry[1].id]
            said = own.sub("", bare(row))
            # under a code without law of its own the page shows the answer of its base
            for line in (*parts["given"], *parts.get("readings", ())):
                for piece in line.pieces:
                    words = own.sub("", bare(piece.words)).replace(shorts[code], shown)
                    assert words in said, (words, row)
            laws = [a for line in parts.get("law", ()) for a in line.head]
            assert f'data-laws="{" ".join(laws)}"' in row
            cite = "".join(p.words for line in parts.get("cite", ()) for p in line.pieces)
            assert f'data-cite="{html.escape(cite)}"' in row
            for law in laws:
                assert law in words_in_full(name)


@cache
def words_in_full(name: str) -> set[str]:
    """The laws whose restatements are on the page."""
    return set(re.findall(r'<li data-law="([^"]+)"', dispute_page(rulings.catalogue()[name])))


@pytest.mark.parametrize("name", NAMES)
def test_an_open_case_asks_what_the_engine_asks_first_and_tells_what_it_may_come_to(
    name: str,
) -> None:
    known = data(name)["facts"]

    def below(code: str, options: list[str], node: Any, facts: dict[str, str]) -> None:
        if isinstance(node, str):
            return
        found = rulings.answer(name, code, options, facts)
        question = found.questions[0]
        assert (question.fact, question.question) == (node["ask"], known[node["ask"]][0])
        assert list(node["then"]) == [v for v, _ in question.answers]
        assert [one.rpartition(".")[2] for one in node["may"]] == [r.id for r in found.possible]
        assert set(node["may"]) <= cards(name).keys()
        for value, words in question.answers:
            assert known[node["ask"]][1][value] == words
            below(code, options, node["then"][value], {**facts, node["ask"]: value})

    for code, options, start in starts(name):
        below(code, options, start, {})


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
