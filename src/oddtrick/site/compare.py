"""The comparison pages: every pair of codes side by side, topic by topic, and the page on which to
choose a pair.

Each pair has one page, with the earlier code on the left; the URL with the names in reverse order
redirects to it.
"""

from __future__ import annotations

from collections import Counter

from oddtrick.book.compare import texts
from oddtrick.book.write_citation import restatement
from oddtrick.law.book import book
from oddtrick.site.concordance import concordance_pages
from oddtrick.site.lineage import (
    common_words,
    difference_words,
    lineage_page,
    pair_name,
    pairs,
    tally,
)
from oddtrick.site.pairs import cards_of, topic_pairs
from oddtrick.site.template import page

# --- the page of two codes ------------------------------------------------------------------------


def rule_anchors(one: str, other: str) -> dict[tuple[str, int], list[str]]:
    """The anchors of rules on the page of two codes, as ids by topic and row.

    A rule's anchor goes to the first row that has the rule in both codes, or, if there is none, to
    the first row that has it in one of them.
    """
    place: dict[str, tuple[bool, tuple[str, int]]] = {}
    for topic in book().vocabulary.topics:
        for index, pair in enumerate(topic_pairs(topic.id, one, other)[1]):
            cells = (*pair.left, *pair.right)
            held = (rule.id for a, _ in cells for rule in book().relations.of.get(a, ()))
            for rule in (*pair.parallels, *held):
                both = rule in pair.parallels and pair.kind != "alone"
                if rule not in place or (both and not place[rule][0]):
                    place[rule] = (both, (topic.id, index))
    made: dict[tuple[str, int], list[str]] = {}
    for rule, (_, row) in place.items():
        made.setdefault(row, []).append(f"rule-{rule}")
    return made


def repeated(one: str, other: str) -> dict[tuple[str, int], str]:
    """The rows of two codes that occur under an earlier topic too: by topic and row, that earlier
    topic.
    """
    first: dict[object, str] = {}
    made = {}
    for topic in book().topics:
        for index, pair in enumerate(topic_pairs(topic, one, other)[1]):
            both = (pair.left, pair.right)
            parts = [*pair.left, *pair.right] if pair.kind == "alone" else [both]
            before = [first.setdefault(part, topic) for part in parts]
            if topic not in before:
                made[topic, index] = before[0]
    return made


def only_in(one: str, other: str) -> Counter[str]:
    """For each of two codes, the number of rows that only it has, each counted once."""
    again = repeated(one, other)
    return Counter(
        one if pair.left else other
        for topic in book().topics
        for index, pair in enumerate(topic_pairs(topic, one, other)[1])
        if pair.kind == "alone" and not pair.general and (topic, index) not in again
    )


def pair_page(one: str, other: str) -> str:
    """`compare/ONE--OTHER.md`: two codes side by side, the earlier on the left, with a section for
    each topic.
    """
    return page(
        "pair",
        f"compare/{one}--{other}.md",
        one=book().code(one),
        other=book().code(other),
        common_words=common_words,
        alone=only_in(one, other),
        again=repeated(one, other),
        restatement=restatement(),
        pair_name=pair_name,
        anchors=rule_anchors(one, other),
        pairs=lambda topic: topic_pairs(topic, one, other),
        cards_of=cards_of,
        texts=texts,
        difference_words=difference_words,
    )


def compare_pages() -> dict[str, str | bytes]:
    """All files under `compare/` and `concordance/`, `figures.md` and `lineage.md`, by path.

    On `compare/index.md` one chooses two codes or a topic; `compare/LATER--EARLIER.md` redirects to
    the comparison.
    """
    index = page("compare", "compare/index.md", tally=tally, pair_name=pair_name, pairs=topic_pairs)
    made: dict[str, str | bytes] = {"compare/index.md": index}
    for one, other in pairs():
        made[f"compare/{one}--{other}.md"] = pair_page(one, other)
        way = f"compare/{other}--{one}.md"
        made[way] = page("swapped", way, one=book().code(one), other=book().code(other))
    made["lineage.md"] = lineage_page()
    return made | concordance_pages()
