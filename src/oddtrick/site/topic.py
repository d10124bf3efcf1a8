"""The topic pages: each question with its story, a table of short facts, the laws of all codes side
by side, and related topics.

The rows of the laws are those of `compare_topic`. A code that does not change its base on a topic
shares the card of the base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from typing import NamedTuple

from oddtrick.book.compare import Comparison, Row, compare_topic, state_of, texts
from oddtrick.book.first import rule_first, rules_on, topic_first
from oddtrick.book.silences import clause_names
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import merged
from oddtrick.law.model import SILENT, Code, EveningStep, Figure, Parallel, Topic
from oddtrick.law.rules import Rules
from oddtrick.site.concordance import (
    Sheet,
    Value,
    cells_of,
    each_number,
    figure,
    heads,
    lacking,
    spread,
)
from oddtrick.site.law import decided, irregularities_of, neighbours, readings_on
from oddtrick.site.template import page

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


Group = tuple[str, ...]
"""The ids of the codes that share a card."""


class Elsewhere(NamedTuple):
    """A provision that covers a rule in a code under another topic, or in general terms.

    `topic` is the other topic, and `owner` the base code that has the provision; each is `None` if
    it does not differ. `general` says that it covers the rule in general terms.
    """

    address: Address
    owner: str | None
    topic: str | None
    general: bool


class Fact(NamedTuple):
    """The content of a cell in the table of facts: words, or a figure with its name, or the
    provisions that cover the point elsewhere (`there`), or larger or smaller parts of the figure
    that the code states (`parts`).

    `weak` marks content that is not a law of the code on the point.
    """

    words: str = ""
    figure: tuple[str, Figure] | None = None
    there: tuple[Elsewhere, ...] | None = None
    weak: bool = False
    parts: tuple[tuple[str, Value], ...] = ()


class FactCell(NamedTuple):
    """A cell of the table of facts: the fact, the number of adjacent codes that share it (`span`),
    and the laws on which it rests.
    """

    fact: Fact
    span: int
    laws: tuple[Address, ...]


Cell = tuple[Fact, tuple[Address, ...]]
"""A fact of one code with the laws that state it."""


class FactRow(NamedTuple):
    """A row of the table of facts; `anchor` is the anchor of its rule among the cards."""

    label: str
    anchor: str | None
    cells: tuple[FactCell, ...]


class Band(NamedTuple):
    """A row of the cards: the label of its rule and further anchors; `again` if it continues the
    previous row.
    """

    label: str
    anchors: tuple[str, ...]
    again: bool


# --- facts in short -----------------------------------------------------------------------------


def fact_names(topic: str) -> list[str]:
    """The names of the procedures and figures that are shown as facts of a topic.

    A name is shown if the topic's provisions in at least two codes state it (in one, if the topic
    has provisions in only one code), or if only one code states it at all. It must be stated by a
    provision whose first topic this is; otherwise it is a fact of another topic. A figure that has
    several values within a code is left out, since it is not a fact of the code.
    """
    own: set[str] = set()
    here: dict[str, set[str]] = {}
    arises: set[str] = set()
    for code in book().ids:
        for address, item in texts(code).items():
            if topic in item.topics:
                arises.add(address.code)
                own.update((*item.procedures, *item.figures) if item.topics[0] == topic else ())
                for name in (*item.procedures, *item.figures):
                    here.setdefault(name, set()).add(address.code)
    owners, several = _stated()
    return [
        name
        for name in clause_names()
        if name in own
        and name not in several
        and (len(here[name]) >= min(2, len(arises)) or len(owners[name]) == 1)
    ]


@cache
def _stated() -> tuple[dict[str, set[str]], set[str]]:
    """For each procedure and figure, the codes whose own provisions state it; and the figures that
    have different values within one code, options aside. Values that are separate cells of one
    figure do not count as different.
    """
    many = {f.id for f in book().vocabulary.figures if f.many}
    owners: dict[str, set[str]] = {}
    several: set[str] = set()
    for code in book().codes:
        seen: dict[str, Figure] = {}
        for item in code.provisions:
            for name in (*item.procedures, *item.figures):
                owners.setdefault(name, set()).add(code.id)
            for name, value in item.figures.items() if item.option is None else ():
                other = seen.setdefault(name, value)
                seen[name] = merged(value, other)
                alike = name not in many and seen[name] == merged(other, value)
                if other != value and not alike:
                    several.add(name)
    return owners, several


def fact(name: str, rules: Rules) -> tuple[Fact, tuple[Address, ...]]:
    """The fact for a procedure or a figure in a code, with its laws and readings; if the code lacks
    it, the reason, without laws.
    """
    found = figure(name, rules)
    laws = (*found.laws, *found.readings)
    if found.value is None:
        return Fact(found.absent, weak=True), ()
    if procedure := book().procedures.get(name):
        return Fact(procedure.values[str(found.value)]), laws
    return Fact(figure=(name, found.value)), laws


def fact_rows(topic: str, found: Comparison) -> list[FactRow]:
    """The table of short facts: figures that most codes have, then every rule that changed, then
    other figures and procedures. Equal cells of adjacent codes are joined.
    """
    return [FactRow(label, anchor, _joined(cells)) for label, anchor, cells in _rows(topic, found)]


def _rows(topic: str, found: Comparison) -> Iterator[tuple[str, str | None, list[Cell]]]:
    """Each row of the table of short facts: its label, its anchor and a cell for each code."""
    shown = {name: clause_names()[name] for name in fact_names(topic)}
    laws = [book().rules(code) for code in found.codes]

    def stated(names: Iterable[str]) -> Iterator[tuple[str, str | None, list[Cell]]]:
        for name in names:
            each, label = [cells_of(name, law) for law in laws], shown[name]
            for part in dict.fromkeys(part for own in each for part in own) or [""]:
                words = f"{label}: {part}" if part else label
                yield words, None, [_part(name, *of, part) for of in zip(laws, each, strict=True)]

    figures = [name for name in shown if name not in book().procedures]
    rare = [n for n in figures if 2 * sum(law.get(n) is not None for law in laws) < len(laws)]
    yield from stated(name for name in figures if name not in rare)
    here = {a for row in found.rows for cell in row.cells.values() for a, _ in cell}
    there = {rule.id for row in found.rows for rule in row.rules}
    for rule in (rule for rule in rules_on(topic) if rule.id in there):
        cells = [_says(topic, found, rule, c) for c in found.codes]
        differ = len({fact for fact, laws in cells if here.intersection(laws)}) > 1
        if differ and rule.label not in shown.values():  # otherwise a fact states the same
            yield rule.label, f"rule-{rule.id}", cells
    yield from stated([*rare, *(name for name in shown if name in book().procedures)])


def facts_sheet(topic: str, found: Comparison) -> Sheet:
    """The table of short facts for a spreadsheet: a row for each number of a figure, and for each
    code a column with the value and one with the laws that state it.
    """
    made = [heads("Fact")]
    for label, _, cells in _rows(topic, found):
        each = [_in_full(code, *cell) for code, cell in zip(found.codes, cells, strict=True)]
        if any(fact.figure for fact, _ in cells):
            made += spread(label, each)
        else:
            made.append([label, *chain(*((words, ", ".join(laws)) for _, laws, words in each))])
    return made


def _in_full(
    code: str, fact: Fact, laws: tuple[Address, ...]
) -> tuple[Figure | None, tuple[Address, ...], str]:
    """The value of a fact, its laws and its words; what a page refers to is repeated."""
    if fact.there is not None:
        laws = tuple(e.address for e in fact.there)
        own = [texts(code)[e.address].text for e in fact.there if not e.general]
        other = "falls under a general law" if laws else "no counterpart"
        return None, laws, " ".join(own) or other
    laws = laws or tuple(dict.fromkeys(a for _, v in fact.parts for a in (*v.laws, *v.readings)))
    numbers = [n for part, v in fact.parts for n in each_number(part, v.value)]
    alone = len(numbers) == 1
    words = "; ".join(str(n) if alone else f"{name}: {n}" for name, n in numbers)
    return fact.figure and fact.figure[1], laws, words or fact.words


def _part(name: str, rules: Rules, parts: Mapping[str, Value], part: str) -> Cell:
    """A fact restricted to a part of its figure; if the figure lacks it, what it has instead."""
    if not part or not parts:
        return fact(name, rules)
    if (found := parts.get(part)) and found.value is not None:
        return Fact(figure=(name, found.value)), (*found.laws, *found.readings)
    lacks, near = lacking(part, parts)
    own = tuple((p, parts[p]) for p in near)
    return Fact(lacks.absent, weak=True, parts=own), () if near else lacks.laws


def _says(topic: str, found: Comparison, rule: Parallel, code: str) -> Cell:
    """A rule in a code, also if the code states it under another topic."""
    relations = book().relations
    laws = tuple(relations.holding(rule, code))
    if version := relations.version(rule, code):
        return Fact(version.text), laws
    if code in found.states:
        return Fact(SILENT[found.states[code].state], weak=True), ()
    general = [a for a in rule.general if relations.in_force(a, code)]
    return Fact(there=_covering(topic, code, laws or general, general), weak=True), ()


def _joined(cells: Iterable[tuple[Fact, tuple[Address, ...]]]) -> tuple[FactCell, ...]:
    made = []
    for shared, group in groupby(cells, key=lambda cell: cell[0]):
        laws = [laws for _, laws in group]
        made.append(FactCell(shared, len(laws), tuple(dict.fromkeys(chain.from_iterable(laws)))))
    return tuple(made)


# --- the law, code by code ----------------------------------------------------------------------


def groups(found: Comparison) -> list[Group]:
    """The codes with law on the topic, grouped by card; a code that does not change its base is in
    the group of the base.
    """
    made: list[Group] = []
    for code in (c for c in found.codes if c not in found.states):
        base = book().code(code).extends
        at = next((i for i, group in enumerate(made) if base in group), None)
        if (
            not base
            or at is None
            or any(r.cells.get(code) != r.cells.get(base) for r in found.rows)
        ):
            made.append((code,))
        else:
            made[at] = (*made[at], code)
    return made


def row_anchors(found: Comparison) -> list[str]:
    """An anchor for each row: the anchor of the rule with the same label, if there is one and no
    earlier row has it; otherwise the anchor of the first provision.
    """
    made: list[str] = []
    for row in found.rows:
        first = next(iter(row.cells.values()))[0].address.replace(":", "-")
        rule = next((f"rule-{r.id}" for r in _rules(row) if r.label == row.label), first)
        made.append(first if rule in made else rule)
    return made


def _rules(row: Row) -> Sequence[Parallel]:
    """The rules of the first provision of a row."""
    return book().relations.of.get(next(iter(row.cells.values()))[0].address, ())


def bands(found: Comparison) -> list[Band]:
    """The rows of the cards, with the anchors of their other rules and of their provisions; each
    anchor occurs once on the page.

    Every provision has an anchor of its own, so that links to a provision that formerly had a row
    to itself still work.
    """
    used = set(row_anchors(found))
    leading = {rule.id for row in found.rows for rule in _rules(row)}
    made, before = [], None
    for row in found.rows:
        held = [a for cell in row.cells.values() for a, _ in cell]
        others = (r for a in held for r in book().relations.of.get(a, ()) if r.id not in leading)
        anchors = dict.fromkeys(f"rule-{rule.id}" for rule in (*_rules(row), *others))
        anchors |= dict.fromkeys(a.replace(":", "-") for a in held)
        heading = (row.label, row.cells.keys())
        made.append(Band(row.label, tuple(a for a in anchors if a not in used), heading == before))
        used.update(anchors)
        before = heading
    return made


def alike_before(found: Comparison, row: Row, code: str) -> str | None:
    """The first earlier code with the same words in a row; `None` if there is none, or if the words
    are not the code's own.
    """
    mine = [text for _, text in row.cells[code]]
    if row.cells[code][0].address.code != code:
        return None
    earlier = (c for c in found.codes[: found.codes.index(code)] if c in row.cells)
    return next((c for c in earlier if [text for _, text in row.cells[c]] == mine), None)


def elsewhere(topic: str, row: Row, code: str) -> tuple[Elsewhere, ...]:
    """For a code without a provision in a row, the provisions in force under it that cover the
    row.
    """
    general = row.general.get(code, ())
    return _covering(topic, code, row.elsewhere.get(code, ()) or general, general)


def _covering(
    topic: str, code: str, laws: Iterable[Address], general: Collection[Address]
) -> tuple[Elsewhere, ...]:
    """Provisions in force under a code, each with its topic if it is not on this one."""
    made = []
    for address in laws:
        filed = texts(code)[address].topics
        owner = address.code if address.code != code else None
        other = filed[0] if filed and topic not in filed else None
        made.append(Elsewhere(address, owner, other, address in general))
    return tuple(made)
