"""The comparison pages: every pair of codes side by side, topic by topic, and the page on which to
choose a pair.

Each pair has one page, with the earlier code on the left; the URL with the names in reverse order
redirects to it. The differing words of a rule are marked and its changes listed. A counterpart
filed under another topic is shown with the name of that topic, so that it is not reported as
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from oddtrick.book.compare import Cell, Comparison, Restated, Row, Run, compare_topic, marked, texts
from oddtrick.book.write_citation import restatement
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Change
from oddtrick.site.concordance import concordance_pages
from oddtrick.site.lineage import (
    KINDS,
    common_words,
    difference_words,
    lineage_page,
    pair_name,
    pairs,
    tally,
)
from oddtrick.site.template import page

# --- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule in two codes: its kind, the provisions of each code, the differences, and the ids of
    the rules concerned (`parallels`).

    `kind` is one of `KINDS`, or `alone` if only one code has provisions; `general` then has the
    general laws of the other code that cover the point. It is `summary` if that code's provisions
    only restate its other laws. `differences` has no duplicates.
    """

    label: str
    kind: str
    left: Cell
    right: Cell
    differences: tuple[Change, ...]
    parallels: tuple[str, ...]
    general: tuple[Address, ...]


def pair_of(row: Row, one: str, other: str) -> Pair:
    """A row of a comparison as a pair, with counterparts that are filed under other topics."""
    mine, theirs = row.cells.get(one, ()), row.cells.get(other, ())
    left = mine or _answers(theirs, other, one)
    right = theirs or _answers(mine, one, other)
    changed: dict[tuple[str, str, str], Change] = {}
    for a, _ in left:
        for b, _ in right:
            if a != b:
                for d in book().relations.differences(a, b, one, other):
                    changed[d.rule, d.ours, d.theirs] = d
    if not left or not right:
        kind = "summary" if all(book().restates(a) for a, _ in left or right) else "alone"
    elif [t for _, t in left] == [t for _, t in right]:
        kind = "same"
    else:
        kind = max((d.difference for d in changed.values()), key=KINDS.index, default="wording")
    differences = tuple(changed.values()) if kind != "same" else ()
    general = row.general.get(other if left else one, ()) if kind == "alone" else ()
    return Pair(row.label, kind, left, right, differences, tuple(_parallels(left, right)), general)


def _parallels(left: Cell, right: Cell) -> dict[str, None]:
    """The ids of the rules of a row: the rules with provisions of both sides, if both have any;
    otherwise all rules of the provisions.
    """
    facing = {a for a, _ in right} if left else set()
    rules = (rule for a, _ in (left or right) for rule in book().relations.of.get(a, ()))
    return {
        rule.id: None
        for rule in rules
        if not facing or any(a in facing for members in rule.members.values() for a in members)
    }


def _answers(found: Cell, ours: str, theirs: str) -> Cell:
    answers = dict.fromkeys(
        b for a, _ in found for b in book().relations.counterparts(a, ours, theirs)
    )
    return tuple(Restated(b, texts(theirs)[b].text) for b in answers)


@cache
def topic_pairs(topic: str, one: str, other: str) -> tuple[Comparison, tuple[Pair, ...]]:
    """A topic in two codes: the comparison, and its rows as pairs."""
    found = compare_topic(topic, (one, other))
    return found, tuple(pair_of(row, one, other) for row in found.rows)


# --- as the page shows them -----------------------------------------------------------------------


class Passage(NamedTuple):
    """A provision as a card shows it: its address with the code under which it is in force (both
    addresses if the codes say the same), and its text in runs.
    """

    heads: tuple[tuple[Address, str], ...]
    runs: Sequence[Run]


class Card(NamedTuple):
    """The provisions of a code in a row; `differs` if the text differs throughout from the other
    code's.
    """

    passages: list[Passage]
    differs: bool = False


def cards_of(pair: Pair, one: str, other: str) -> tuple[Card | None, ...]:
    """The cards of a row: one if both codes say the same, otherwise one for each code, or `None`
    for a code without a provision.
    """
    if pair.kind == "same":
        both = zip(pair.left, pair.right, strict=True)
        heads = ((*([(a, one)] if a != b else []), (b, other)) for (a, _), (b, _) in both)
        words = ([(False, text)] for _, text in pair.left)
        return (Card(list(map(Passage, heads, words))),)
    texts_of = [" ".join(text for _, text in cell) for cell in (pair.left, pair.right)]
    if not pair.left or not pair.right:
        runs: Iterable[Sequence[Run]] = ([(False, text)] for text in texts_of)
    else:
        runs = marked(*texts_of)
    return tuple(map(_card, (pair.left, pair.right), runs, (one, other)))


def _card(cell: Cell, runs: Sequence[Run], side: str) -> Card | None:
    """The card of a code, on which the runs of its joined texts are split at the provisions."""
    if not cell:
        return None
    words = iter([(differs, word) for differs, run in runs for word in run.split()])
    passages = []
    for address, text in cell:
        own = groupby(islice(words, len(text.split())), key=itemgetter(0))
        split = [(differs, " ".join(word for _, word in run)) for differs, run in own]
        passages.append(Passage(((address, side),), split))
    return Card(passages, len(runs) == 1 and runs[0][0])


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
