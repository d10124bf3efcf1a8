"""The topic pages: every story there and resting on laws that exist, old anchors kept, cards aligned, facts merged."""

from __future__ import annotations

import html
import re
from itertools import combinations
from pathlib import Path

import pytest

from oddtrick.book.compare import compare_topic
from oddtrick.law.in_force import code_data, codes, in_force, vocabulary
from oddtrick.paths import folder
from oddtrick.site import topic as site_topics
from oddtrick.site.topic_cards import (
    cards,
    cards_html,
    fact_cell,
    fact_names,
    facts_html,
    row_anchors,
)

TOPICS = [t["id"] for t in vocabulary()["topics"]]
PROVISIONS = {p["address"]: p for c in codes() for p in code_data(c)["provisions"]}


@pytest.fixture(scope="module")
def made(pages: dict[str, str | bytes]) -> dict[str, str]:
    return {path: str(text) for path, text in pages.items() if path.startswith("topics/")}


def test_every_topic_has_its_story_in_order_and_no_other_has_one() -> None:
    assert list(site_topics.stories()) == TOPICS


def test_a_story_stands_once_and_every_address_is_a_provision() -> None:
    written = re.findall(
        r"^  - topic: (\S+)$", (folder("laws") / "stories.yaml").read_text("utf-8"), re.M
    )
    assert sorted(written) == sorted(set(written))
    order = {code: i for i, code in enumerate(codes())}
    for story in site_topics.stories().values():
        assert [a for a in story["laws"] if a not in PROVISIONS] == []
        places = [order[a.partition(":")[0]] for a in story["laws"]]
        assert places == sorted(places), story["topic"]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_story_is_two_to_five_sentences_and_rests_on_the_topic(topic: str) -> None:
    story = site_topics.stories()[topic]
    assert 2 <= len(re.findall(r'[.?!]"?(?:\s|$)', story["text"])) <= 5
    assert any(topic in PROVISIONS[a]["topics"] for a in story["laws"])


@pytest.mark.parametrize("topic", TOPICS)
def test_a_story_names_only_codes_it_rests_on_or_that_are_without_law(topic: str) -> None:
    """A code that is named and has law of its own on the topic is cited, itself or by its base."""
    story = site_topics.stories()[topic]
    states = compare_topic(topic, codes()).states
    cited = {a.partition(":")[0] for a in story["laws"]}
    for code in codes():
        data = code_data(code)
        own = any(topic in p["topics"] and p["option"] is None for p in data["provisions"])
        if code not in states and own and re.search(rf"\b{data['short']}\b", story["text"]):
            assert code in cited, code


def test_a_broken_story_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "schema").symlink_to(folder("laws") / "schema")
    (tmp_path / "stories.yaml").write_text(
        'stories:\n  - {topic: no-such-topic, text: "A. B.", laws: ["auction-1912:1"]}\n'
    )
    monkeypatch.setattr(site_topics, "folder", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"stories\.yaml:2.*no-such-topic"):
        site_topics.stories.__wrapped__()


def test_the_index_keeps_its_anchors_and_links_every_topic(made: dict[str, str]) -> None:
    index = made["topics/index.md"]
    for topic in TOPICS:
        assert f'id="{topic}"' in index
        assert f"({topic}.md)" in index
    for family in vocabulary()["families"]:
        assert f'{{ id="family-{family["id"]}" }}' in index


def test_the_index_has_every_provision_under_its_topics(made: dict[str, str]) -> None:
    sections = {s.split('"')[0]: s for s in made["topics/index.md"].split('{ id="')}
    for address, provision in PROVISIONS.items():
        code, _, rest = address.partition(":")
        for topic in provision["topics"]:
            row = (
                sections[topic].split(f"<dt>{code_data(code)['short']}</dt>")[1].split("</div>")[0]
            )
            law, _, options = row.partition("By an option: ")
            assert f">{rest}</a>" in (options if provision["option"] else law), (topic, address)


def test_the_index_says_where_the_law_of_a_base_is_in_force(made: dict[str, str]) -> None:
    def row(topic: str, code: str) -> str:
        section = next(
            s for s in made["topics/index.md"].split('{ id="') if s.startswith(f'{topic}"')
        )
        return re.sub(
            "<[^>]*>",
            "",
            section.split(f"<dt>{code_data(code)['short']}</dt>")[1].split("</div>")[0],
        )

    assert (
        row("who-declares", "contract-1927")
        == "as Auction 1926. By an option: challenge.1, challenge.2, challenge.3"
    )
    assert row("slam", "contract-1927").startswith("11.1, 11.2")
    assert ", and as Auction 1926" in row("revoke-penalty", "contract-1927")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_has_every_provision_in_force_every_state_and_every_pair(
    made: dict[str, str], topic: str
) -> None:
    page = made[f"topics/{topic}.md"]
    found = compare_topic(topic, codes())
    law = page.split('class="topic-grid"')[1].split('class="topic-states"')[0]
    for row in found.rows:
        for provisions in row.cells.values():
            for address, text in provisions:
                assert html.escape(text, False) in law, address
    for code, (_, reason) in found.states.items():
        assert f'data-codes="{code}"' in page
        assert reason in page
    for one, other in combinations(codes(), 2):
        assert f'href="../../compare/{one}--{other}/#{topic}"' in page


def test_cells_of_one_rule_stand_in_one_row_of_the_grid() -> None:
    found = compare_topic("revoke-penalty", codes())
    page = cards_html("revoke-penalty", found, row_anchors(found))
    assert f"--rows:{2 * len(found.rows) + 1}" in page
    for card in re.findall(r"<article.*?</article>", page):
        places = [int(n) for n in re.findall(r'class="topic-cell[^"]*" style="--r:(\d+)"', card)]
        assert places == [2 * i + 1 for i in range(1, len(found.rows) + 1)]


def test_a_code_shares_the_card_of_its_base_only_where_it_changes_nothing() -> None:
    base = next(code_data(c)["extends"] for c in codes() if code_data(c)["extends"])
    over = next(c for c in codes() if code_data(c)["extends"] == base)
    assert (base, over) in cards(compare_topic("shuffle", codes()))
    assert (over,) in cards(compare_topic("revoke-penalty", codes()))


def test_anchors_of_rows_are_each_once_and_on_the_page(made: dict[str, str]) -> None:
    for topic in TOPICS:
        anchors = row_anchors(compare_topic(topic, codes()))
        assert len(set(anchors)) == len(anchors)
        for anchor in anchors:
            assert made[f"topics/{topic}.md"].count(f'id="{anchor}"') == 1


def test_facts_are_those_of_the_code_or_say_why_there_is_none() -> None:
    rules = {c: in_force(c) for c in codes()}
    for topic in TOPICS:
        for name in fact_names(topic):
            assert any(r.get(name) for r in rules.values())
    said, laws = fact_cell("game", rules["royalton-1915"])
    assert "40" in said
    assert laws == ["royalton-1915:84.1"]
    said, laws = fact_cell("contract-bonus", rules["bridge-elwell"])
    assert "none. There is no contract." in said
    assert laws == []


def test_what_is_alike_in_neighbours_is_one_cell() -> None:
    found = compare_topic("honours", codes())
    table = facts_html("honours", found, row_anchors(found))
    row = next(r for r in table.split("<tr>") if "Who scores honours" in r)
    assert re.findall(r'<td(?: colspan="(\d)")?>', row) == ["3", "", "2"]


def test_every_column_of_the_facts_is_filled() -> None:
    for topic in TOPICS:
        found = compare_topic(topic, codes())
        table = re.sub(
            r'<div class="figure">.*?</div>', "", facts_html(topic, found, row_anchors(found))
        )
        for row in re.findall(r'<tr><th scope="row">.*?</tr>', table):
            assert sum(int(n or 1) for n in re.findall(r'<td(?: colspan="(\d)")?>', row)) == len(
                codes()
            ), topic


def test_an_empty_cell_says_where_the_answer_stands() -> None:
    found = compare_topic("game", codes())
    page = cards_html("game", found, row_anchors(found))
    assert (
        'see <a href="../../codes/auction-1912/84/#1">law 84 (1)</a>, under <a href="../revoke-penalty/">the penalty for a revoke</a>'
        in page
    )


def test_disputes_link_only_when_their_pages_are_there(made: dict[str, str]) -> None:
    assert "../../disputes/" in made["topics/revoke-penalty.md"]
    assert "../../disputes/" not in "".join(map(str, site_topics.topic_pages().values()))
