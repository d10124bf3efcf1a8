"""The topic pages: each question with its story, a table of short facts, the laws of all codes side
by side, and related topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from oddtrick.book.compare import compare_topic, state_of, texts
from oddtrick.book.first import rule_first, rules_on, topic_first
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT, Code, Irregularity, Provision, Topic
from oddtrick.site.law import irregularities_of, neighbours
from oddtrick.site.marks import card_pairs
from oddtrick.site.template import page
from oddtrick.site.topic_cards import alike_before, bands, elsewhere, fact_rows, groups, row_anchors

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
    """The page of a topic, `topics/TOPIC.md`, with links to its neighbours."""
    name = topic.id
    found = compare_topic(name, book().by_date)
    story = book().stories[name]
    shared = groups(found)
    return page(
        "topic",
        f"topics/{name}.md",
        topic=topic,
        families={f.id: f.label for f in book().vocabulary.families},
        story=story,
        found=found,
        state_words=SILENT,
        facts=fact_rows(name, found),
        bands=bands(found),
        anchors=row_anchors(found),
        groups=shared,
        elsewhere=elsewhere,
        alike_before=alike_before,
        marks=card_pairs(found, shared),
        options=optional(name),
        disputes=disputes(name),
        near=near(name),
        pairs=pairs(),
        first=[topic_first(name), *map(rule_first, rules_on(name))],
        before=before,
        after=after,
    )


def places() -> str:
    """`assets/topic-places.css`: a class for each row and column of the grid, up to the largest
    topic. The content-security policy forbids inline styles.
    """
    compared = [compare_topic(t.id, book().by_date) for t in book().vocabulary.topics]
    rows = 2 * max(len(bands(found)) for found in compared) + 1
    columns = len(book().by_date)
    named = [
        *(f".topic-by-{n} {{ --cards: {n}; }}" for n in range(1, columns + 1)),
        *(f".topic-column-{n} {{ --c: {n}; }}" for n in range(1, columns + 1)),
        *(f".topic-rows-{n} {{ --rows: {n}; }}" for n in range(1, rows + 1)),
        *(f".topic-row-{n} {{ --r: {n}; }}" for n in range(1, rows + 1)),
    ]
    return "\n".join([*named, ""])


# --- what belongs to it -------------------------------------------------------------------------


def optional(topic: str) -> list[tuple[Code, str, Provision]]:
    """The provisions of options on a topic: the code, the label of the option, the provision."""
    return [
        (code, next(o.label for o in code.options if o.id == item.option), item)
        for code in book().codes
        for item in code.provisions
        if item.option and topic in item.topics
    ]


def disputes(topic: str) -> list[tuple[Irregularity, list[Address]]]:
    """The irregularities whose entries rest on provisions of the topic, with these provisions."""
    resting: dict[str, dict[Address, None]] = {}
    for code in book().codes:
        for item in (p for p in code.provisions if topic in p.topics):
            for name in irregularities_of().get(item.address, ()):
                resting.setdefault(name, {})[item.address] = None
    return [(i, list(resting[i.id])) for i in book().irregularities.values() if i.id in resting]


def near(topic: str) -> list[str]:
    """The ids of the topics that share the most provisions with this one, in descending order."""
    count: dict[str, int] = {}
    for code in book().codes:
        for item in (p for p in code.provisions if topic in p.topics):
            for other in item.topics:
                count[other] = count.get(other, 0) + (other != topic)
    order = [t.id for t in book().vocabulary.topics]
    return sorted((t for t, n in count.items() if n), key=lambda t: (-count[t], order.index(t)))[
        :NEAR
    ]


def pairs() -> dict[str, list[str]]:
    """For each code, the later codes: every pair of codes once."""
    found: dict[str, list[str]] = {}
    for one, other in combinations(book().by_date, 2):
        found.setdefault(one, []).append(other)
    return found


# --- the index ----------------------------------------------------------------------------------


def standing(code: Code, topic: str) -> dict[str, object]:
    """The provisions of a code on a topic.

    `own` are its own provisions; `base` is the code it extends, if that adds provisions; `without`
    is the reason if there are none in force; `optional` are the provisions of its options.
    """
    force = [a for a, p in texts(code.id).items() if topic in p.topics]
    own = [a for a in force if a.code == code.id]
    optional = [p.address for p in code.provisions if p.option and topic in p.topics]
    without = ""
    if not force:
        found = state_of(code.id, topic)
        without = f"{SILENT[found.state]}. {found.reason}"
    return {
        "own": _ordered(own),
        "base": code.extends if len(own) < len(force) else None,
        "without": without,
        "optional": _ordered(optional),
    }


def _ordered(addresses: Sequence[Address]) -> tuple[Address, ...]:
    return tuple(sorted(addresses, key=lambda a: a.order))
