"""The topic pages: every story is there and rests on laws that exist, old anchors still exist,
cards are aligned, facts merged.
"""

import html
import re
from itertools import combinations

import pytest

from lawbook import in_force
from oddtrick.book.compare import compare_topic
from oddtrick.book.first import rules_on
from oddtrick.law.book import book
from oddtrick.site.topic import fact, fact_names

TOPICS = [t.id for t in book().vocabulary.topics]
PROVISIONS = {p.address: p for c in book().codes for p in c.provisions}


@pytest.fixture(scope="module")
def made(pages: dict[str, str | bytes]) -> dict[str, str]:
    return {
        path: html.unescape(str(text)) for path, text in pages.items() if path.startswith("topics/")
    }


def test_every_topic_has_its_story_in_order_and_no_other_has_one() -> None:
    assert list(book().stories) == TOPICS


@pytest.mark.parametrize("topic", TOPICS)
def test_a_story_is_two_to_ten_sentences_and_rests_on_the_topic(topic: str) -> None:
    story = book().stories[topic]
    assert 2 <= len(re.findall(r'[.?!]"?(?:\s|$)', story.text)) <= 10
    assert any(topic in PROVISIONS[a].topics for a in story.laws)


def test_the_index_has_every_provision_under_its_topics(made: dict[str, str]) -> None:
    sections = {s.split('"')[0]: s for s in made["topics/index.md"].split('<h3 id="')}
    for address, provision in PROVISIONS.items():
        short = book().code(address.code).short
        for topic in provision.topics:
            row = sections[topic].split(f"<dt>{short}</dt>")[1].split("</div>")[0]
            law, _, options = row.partition("With an option: ")
            shown = options if provision.option else law
            assert f">{address.local}</a>" in shown, (topic, address)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_code_in_which_a_topic_does_not_arise_has_a_rule_of_it(topic: str) -> None:
    states = {code.id: code.topics.get(topic) for code in book().codes}
    for code in (c for c, how in states.items() if how and how.state == "does-not-arise"):
        assert not [r.id for r in rules_on(topic) if book().relations.holding(r, code)], code


def test_every_cell_of_a_table_in_short_names_the_code_of_its_laws(made: dict[str, str]) -> None:
    for topic in TOPICS:
        for cited in re.findall(r'topic-cited">(.*?)</span>', made[f"topics/{topic}.md"]):
            assert any(cited.startswith(f"{code.short} ") for code in book().codes), topic


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_has_every_provision_in_force_every_state_and_every_pair(
    made: dict[str, str], topic: str
) -> None:
    page = made[f"topics/{topic}.md"]
    found = compare_topic(topic, book().ids)
    law = page.split('class="topic-grid"')[1].split('class="topic-states"')[0]
    for row in found.rows:
        for provisions in row.cells.values():
            for address, text in provisions:
                assert text in law, address
    for code, how in found.states.items():
        assert f'data-codes="{code}"' in page
        assert how.reason in page
    before = compare_topic(topic, [c.id for c in book().codes if c.ancestor])
    for _, text in (x for row in before.rows for cell in row.cells.values() for x in cell):
        assert text in page
    assert all(how.reason in page for how in before.states.values())
    for one, other in combinations(book().ids, 2):
        assert f'href="../../compare/{one}--{other}/#{topic}"' in page


def test_facts_are_those_of_the_code_or_say_why_there_is_none() -> None:
    rules = {c: in_force(c) for c in book().ids}
    for topic in TOPICS:
        for name in fact_names(topic):
            assert any(r.get(name) for r in rules.values())
    said, laws = fact("game", rules["royalton-1915"])
    assert said.figure == ("game", 40)
    assert laws == ("royalton-1915:84.1",)
    said, laws = fact("contract-bonus", rules["bridge-elwell"])
    assert said.words.startswith("There is no contract.")
    assert said.weak
    assert laws == ()


def test_an_empty_cell_says_where_the_answer_stands(made: dict[str, str]) -> None:
    page = made["topics/game.md"]
    assert (
        'see <a href="../../codes/auction-1912/84/#1">law 84 (1)</a>, filed under <a href="../revoke-penalty/">the penalty for a revoke</a>'
        in page
    )
