"""The comparison pages: every pair of codes side by side, topic by topic, and the page on which to
choose a pair.

Each pair has one page, with the earlier code on the left; the URL with the names in reverse order
redirects to it.
"""

from __future__ import annotations

from oddtrick.book.compare import texts
from oddtrick.book.write_citation import restatement
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT, Label, Topic
from oddtrick.law.names import and_words
from oddtrick.report.words import number_words
from oddtrick.site.concordance import concordance_pages
from oddtrick.site.lineage import (
    KINDS,
    difference_words,
    lineage_page,
    pair_name,
    pairs,
    shared,
    tally,
)
from oddtrick.site.pairs import cards_of, counts_words, same_words, title_of, topic_pairs
from oddtrick.site.provisions import provisions_files
from oddtrick.site.template import page

Families = list[tuple[Label, list[Topic]]]
"""The families of topics, each with its topics."""


def families() -> Families:
    """Every family with its topics, in order."""
    words = book().vocabulary
    return [(f, [t for t in words.topics if t.family == f.id]) for f in words.families]


# --- the page of two codes ------------------------------------------------------------------------


def rule_anchors(one: str, other: str) -> dict[str, dict[int, list[str]]]:
    """The anchors of rules on the page of two codes, as ids by topic and row.

    A rule's anchor goes to the first row that has the rule in both codes, or, if there is none, to
    the first row that has it in one of them.
    """
    place: dict[str, tuple[bool, str, int]] = {}
    for topic in book().vocabulary.topics:
        for index, pair in enumerate(topic_pairs(topic.id, one, other)[1]):
            cells = (*pair.left, *pair.right)
            held = (rule.id for a, _ in cells for rule in book().relations.of.get(a, ()))
            for rule in (*pair.parallels, *held):
                both = rule in pair.parallels and pair.kind != "alone"
                if rule not in place or (both and not place[rule][0]):
                    place[rule] = (both, topic.id, index)
    made: dict[str, dict[int, list[str]]] = {}
    for rule, (_, topic_id, index) in place.items():
        made.setdefault(topic_id, {}).setdefault(index, []).append(f"rule-{rule}")
    return made


def summary_words(one: str, other: str) -> str:
    """The number of rules that two codes share, by kind, and of provisions without a counterpart,
    in up to three sentences.
    """
    found, relations = tally(one, other), book().relations
    a, b = book().code(one).short, book().code(other).short
    alone = [
        (theirs, sum(not relations.stands(address, x, y) for address in relations.sides[x]), ours)
        for x, y, ours, theirs in ((one, other, a, b), (other, one, b, a))
    ]
    unanswered = [
        f" Nothing in {theirs} answers {number_words(number, 'provision')} of {ours}."
        for theirs, number, ours in alone
        if number
    ]
    kinds = and_words(
        f"{found[k]} {'in the same words' if k == 'same' else difference_words(k)}"
        for k in KINDS
        if found[k]
    )
    return (
        f"{a} and {b} have {number_words(sum(found.values()), 'rule')} in common: {kinds}."
        f"{''.join(unanswered)}"
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
        summary=summary_words(one, other),
        restatement=restatement(),
        pair_name=pair_name,
        families=families(),
        anchors=rule_anchors(one, other),
        pairs=lambda topic: topic_pairs(topic, one, other),
        title_of=title_of,
        cards_of=cards_of,
        same_words=same_words,
        counts_words=counts_words,
        texts=texts,
        difference_words=difference_words,
        silent=SILENT,
    )


def swapped_page(one: str, other: str) -> str:
    """`compare/OTHER--ONE.md`, which redirects to the comparison."""
    a, b = book().code(one), book().code(other)
    return page(
        "swapped", f"compare/{other}--{one}.md", one=a, other=b, topics=book().vocabulary.topics
    )


# --- where to choose ------------------------------------------------------------------------------


def index_page() -> str:
    """`compare/index.md`, on which to choose two codes, a topic or two provisions to compare."""

    def fold(topic: Topic) -> tuple[Topic, list[tuple[str, str, str]]]:
        """A topic, and for each pair of codes the numbers of its rules by kind, in words."""
        return topic, [(a, b, counts_words(topic_pairs(topic.id, a, b)[1])) for a, b in pairs()]

    return page(
        "compare",
        "compare/index.md",
        codes=[book().code(name) for name in book().by_date],
        chosen=(book().principal[0], book().principal[-1]),
        shared=shared,
        example=_example(),
        families=[(f, [fold(t) for t in topics]) for f, topics in families()],
    )


def _example() -> tuple[Address, Address]:
    """Two provisions that the input fields suggest: those of the first rule that changed and has a
    lettered paragraph in both codes.
    """
    force = {code: frozenset(found) for code, found in book().relations.sides.items()}
    for one, other in pairs():
        for rule in book().relations.all:
            members = [a for own in rule.members.values() for a in own]
            found = [
                next((a for a in members if a in force[c] and a.rpartition(".")[2].isalpha()), None)
                for c in (one, other)
            ]
            a, b = found
            if a and b and a != b and not book().relations.same(a, b):
                return a, b
    address = book().relations.sides[book().ids[0]][0]
    return address, address


def compare_pages() -> dict[str, str | bytes]:
    """All files under `compare/` and `concordance/`, `figures.md` and `lineage.md`, by path."""
    made: dict[str, str | bytes] = {"compare/index.md": index_page(), **provisions_files()}
    for one, other in pairs():
        made[f"compare/{one}--{other}.md"] = pair_page(one, other)
        made[f"compare/{other}--{one}.md"] = swapped_page(one, other)
    made["lineage.md"] = lineage_page()
    return made | concordance_pages()
