"""The topic pages: each question with its story, a table of short facts, the laws of all codes side
by side, and related topics.
"""

from __future__ import annotations

from collections import Counter

from oddtrick.book.compare import compare_topic, state_of, texts
from oddtrick.book.first import rule_first, rules_on, topic_first
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT, Code, EveningStep, Topic
from oddtrick.site.law import decided, irregularities_of, neighbours, readings_on
from oddtrick.site.template import page
from oddtrick.site.topic_cards import (
    alike_before,
    bands,
    elsewhere,
    fact_rows,
    facts_sheet,
    groups,
    row_anchors,
)

NEAR = 6
"""The maximum number of related topics shown."""


def topic_pages() -> dict[str, str]:
    """`topics/index.md`, a page for each topic, and the style sheet that positions the cards."""
    made = {
        "topics/index.md": page("topics", "topics/index.md", standing=standing),
        "assets/topic-places.css": places(),
    }
    for before, topic, after in neighbours(book().vocabulary.topics):
        made[f"topics/{topic.id}.md"] = topic_page(topic, before, after)
    return made


def topic_page(topic: Topic, before: Topic | None, after: Topic | None) -> str:
    """The page of a topic, `topics/TOPIC.md`, with links to its neighbours.

    `options` are its provisions that belong to options; `disputes` the irregularities whose entries
    rest on its provisions; `near` the topics that share the most provisions with it.
    """
    name = topic.id
    found = compare_topic(name, book().ids)
    shared = groups(found)
    own = [(code, p) for code in book().codes for p in code.provisions if name in p.topics]
    resting: dict[str, list[Address]] = {}
    for _, item in own:
        for irregularity in irregularities_of().get(item.address, ()):
            resting.setdefault(irregularity, []).append(item.address)
    count = Counter(other for _, item in own for other in item.topics if other != name)
    order = list(book().topics)
    return page(
        "topic",
        f"topics/{name}.md",
        topic=topic,
        story=book().stories[name],
        found=found,
        facts=fact_rows(name, found),
        sheet=facts_sheet(name, found),
        bands=bands(found),
        anchors=row_anchors(found),
        groups=shared,
        elsewhere=elsewhere,
        alike_before=alike_before,
        amended_by=book().amended_by,
        options=[(code, item) for code, item in own if item.option],
        readings=readings_on().get(name, ()),
        decisions=[
            law
            for code in book().codes
            for law in decided(code)
            if any(p.law == law.address for c, p in own if c is code)
        ],
        steps=steps_on({item.address for _, item in own}),
        disputes=[(i, resting[i.id]) for i in book().irregularities.values() if i.id in resting],
        near=sorted(count, key=lambda t: (-count[t], order.index(t)))[:NEAR],
        first=[topic_first(name), *map(rule_first, rules_on(name))],
        before=before,
        after=after,
    )


def steps_on(laws: set[Address]) -> list[tuple[EveningStep, list[str]]]:
    """The steps of an evening that rest on some of these laws, each with the codes concerned."""
    found = []
    for step in book().evening:
        cited = {a for sentence in step.sentences for of in sentence.laws.values() for a in of}
        codes = {law.code for law in laws if any(map(law.within, cited))}
        if codes:
            found.append((step, sorted(codes, key=book().ids.index)))
    return found


def places() -> str:
    """`assets/topic-places.css`: a class for each row and column of the grid, up to the largest
    topic. The content-security policy forbids inline styles.
    """
    compared = [compare_topic(t.id, book().ids) for t in book().vocabulary.topics]
    rows = 2 * max(len(bands(found)) for found in compared) + 1
    codes = len(book().ids)
    numbered = (("by", "cards", codes), ("column", "c", codes), ("rows", "rows", rows))
    return "".join(
        f".topic-{name}-{n} {{ --{value}: {n}; }}\n"
        for name, value, most in (*numbered, ("row", "r", rows))
        for n in range(1, most + 1)
    )


def standing(code: Code, topic: str) -> dict[str, object]:
    """The provisions of a code on a topic.

    `own` are its own provisions; `base` is the code that it extends, if that code adds provisions;
    `without` is the reason if there are none in force; `optional` are the provisions of its
    options.
    """
    force = [a for a, p in texts(code.id).items() if topic in p.topics]
    own = [a for a in force if a.code == code.id]
    optional = [p.address for p in code.provisions if p.option and topic in p.topics]
    found = None if force else state_of(code.id, topic)
    return {
        "own": sorted(own, key=lambda a: a.order),
        "base": code.extends if len(own) < len(force) else None,
        "without": found and f"{SILENT[found.state]}. {found.reason}",
        "optional": sorted(optional, key=lambda a: a.order),
    }
