"""The law on one topic, code by code: the table of short facts, and the cards side by side, rule by
rule.

The rows are those of `compare_topic`. A code that does not change its base on a topic shares the
card of the base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from oddtrick.book.compare import Comparison, Row, texts
from oddtrick.book.silences import clause_names
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import merged
from oddtrick.law.model import SILENT, Figure
from oddtrick.law.rules import Rules
from oddtrick.site.markup import figure_parts

Group = tuple[str, ...]
"""The ids of the codes that share a card."""


class Elsewhere(NamedTuple):
    """A provision that covers a rule in a code under another topic, or in general terms.

    `topic` is the other topic, and `owner` the base code that has the provision; both are `None` if
    they do not differ. `general` says that it covers the rule in general terms.
    """

    address: Address
    owner: str | None
    topic: str | None
    general: bool


class Fact(NamedTuple):
    """The content of a cell in the table of facts: words, or a figure with its name, or the
    provisions that cover the point elsewhere (`there`).

    `weak` marks content that is not a law of the code on the point.
    """

    words: str = ""
    figure: tuple[str, Figure] | None = None
    there: tuple[Elsewhere, ...] | None = None
    weak: bool = False


class FactCell(NamedTuple):
    """A cell of the table of facts: the fact, the number of adjacent codes that share it (`span`),
    and the laws on which it rests.
    """

    fact: Fact
    span: int
    laws: tuple[Address, ...]


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
    has provisions in only one code), or if only one code states it at all. A figure that has
    several values within a code is left out, since it is not a fact of the code.
    """
    here: dict[str, set[str]] = {}
    arises: set[str] = set()
    for code in book().by_date:
        for address, item in texts(code).items():
            if topic in item.topics:
                arises.add(address.code)
                for name in (*item.procedures, *item.figures):
                    here.setdefault(name, set()).add(address.code)
    owners = _owners()
    return [
        name
        for name in clause_names()
        if name in here
        and name not in _several()
        and (len(here[name]) >= min(2, len(arises)) or len(owners[name]) == 1)
    ]


@cache
def _owners() -> dict[str, set[str]]:
    """For each procedure and figure, the codes whose own provisions state it."""
    found: dict[str, set[str]] = {}
    for code in book().codes:
        for item in code.provisions:
            for name in (*item.procedures, *item.figures):
                found.setdefault(name, set()).add(code.id)
    return found


@cache
def _several() -> frozenset[str]:
    """The figures that have different values within one code, options aside; values that are
    separate cells of one figure do not count as different.
    """
    many = {f.id for f in book().vocabulary.figures if f.many}
    found = set()
    for code in book().codes:
        seen: dict[str, Figure] = {}
        for item in (p for p in code.provisions if p.option is None):
            for name, value in item.figures.items():
                other = seen.get(name, value)
                alike = name not in many and merged(value, other) == merged(other, value)
                if other != value and not alike:
                    found.add(name)
                seen[name] = merged(value, other)
    return frozenset(found)


def fact(name: str, rules: Rules) -> tuple[Fact, tuple[Address, ...]]:
    """The fact for a procedure or a figure in a code, with its laws; if the code lacks it, a fact
    that says `none` with the reason, or `not stated`, without laws.
    """
    clause = rules.get(name)
    if clause is None:
        reason = rules.absent.get(name)
        return Fact(f"none. {reason}" if reason else "not stated", weak=True), ()
    choices = next((p.values for p in book().vocabulary.procedures if p.id == name), None)
    if choices:
        return Fact(choices[clause.value]), clause.laws
    return Fact(figure=(name, clause.value)), clause.laws


def fact_rows(topic: str, found: Comparison) -> list[FactRow]:
    """The table of short facts: procedures and figures, then every rule that changed. Equal cells
    of adjacent codes are joined.
    """
    labels = clause_names()
    rows = []
    for name in fact_names(topic):
        facts = [fact(name, book().rules(c)) for c in found.codes]
        for part in _parts(facts):
            words = f"{labels[name]}: {part}" if part else labels[name]
            rows.append(FactRow(words, None, _joined([_part(f, part) for f in facts])))
    shown = {labels[name] for name in fact_names(topic)}
    rows += [
        FactRow(row.label, anchor, _joined([_says(topic, found, row, c) for c in found.codes]))
        for row, anchor in zip(found.rows, row_anchors(found), strict=True)
        if row.says and row.label not in shown  # else a fact above states the same
    ]
    return rows


def _parts(facts: Iterable[tuple[Fact, tuple[Address, ...]]]) -> list[str]:
    """The names of the parts of a figure in any code, one row each; a single empty name if the
    figure has no parts.
    """
    figures = [f.figure[1] for f, _ in facts if f.figure]
    return list(dict.fromkeys(part for v in figures for part, _ in figure_parts(v))) or [""]


def _part(found: tuple[Fact, tuple[Address, ...]], part: str) -> tuple[Fact, tuple[Address, ...]]:
    """A fact restricted to a part of its figure; `none` if the figure lacks the part."""
    fact, laws = found
    if not part or not fact.figure:
        return found
    value = dict(figure_parts(fact.figure[1])).get(part)
    if value is None:
        return Fact("none", weak=True), ()
    return Fact(figure=(fact.figure[0], value)), laws


def _says(topic: str, found: Comparison, row: Row, code: str) -> tuple[Fact, tuple[Address, ...]]:
    if code in row.says:
        return Fact(row.says[code]), tuple(Address(a) for a, _ in row.cells[code])
    if code in found.states:
        return Fact(SILENT[found.states[code].state], weak=True), ()
    return Fact(there=elsewhere(topic, row, code), weak=True), ()


def _joined(cells: Sequence[tuple[Fact, tuple[Address, ...]]]) -> tuple[FactCell, ...]:
    made = []
    for shared, group in groupby(cells, key=lambda cell: cell[0]):
        laws = [laws for _, laws in group]
        made.append(
            FactCell(shared, len(laws), tuple(dict.fromkeys(a for each in laws for a in each)))
        )
    return tuple(made)


# --- the law, code by code ----------------------------------------------------------------------


def groups(found: Comparison) -> list[Group]:
    """The codes with law on the topic, grouped by card; a code that does not change its base is in
    the group of the base.
    """
    made: list[Group] = []
    for code in (c for c in found.codes if c not in found.states):
        base = book().code(code).extends
        shared = base in found.codes and all(
            row.cells.get(code) == row.cells.get(base) for row in found.rows
        )
        at = next((i for i, group in enumerate(made) if shared and base in group), None)
        if at is None:
            made.append((code,))
        else:
            made[at] = (*made[at], code)
    return made


def row_anchors(found: Comparison) -> list[str]:
    """An anchor for each row: that of the rule with the same label, if there is one and no earlier
    row has its anchor; otherwise that of the first provision.
    """
    made: list[str] = []
    for row in found.rows:
        first = _first(row).replace(":", "-")
        rule = next((name for name, label in _rules(row) if label == row.label), None)
        anchor = f"rule-{rule}" if rule else first
        made.append(anchor if anchor not in made else first)
    return made


def _first(row: Row) -> str:
    """The address of the first provision of a row."""
    return next(iter(row.cells.values()))[0][0]


def _rules(row: Row) -> list[tuple[str, str]]:
    """The rules of the first provision of a row: id and label."""
    return [(r.id, r.label) for r in book().relations.of.get(_first(row), [])]


def bands(found: Comparison) -> list[Band]:
    """The rows of the cards, with the anchors of their other rules and of their provisions; each
    anchor occurs once on the page.

    Every provision has an anchor of its own, so that links to a provision that formerly had a row
    to itself still work.
    """
    used = set(row_anchors(found))
    leading = {name for row in found.rows for name, _ in _rules(row)}
    made = []
    for index, row in enumerate(found.rows):
        anchors = dict.fromkeys(f"rule-{name}" for name, _ in _rules(row))
        held = [a for cell in row.cells.values() for a, _ in cell]
        others = (r.id for a in held for r in book().relations.of.get(a, ()) if r.id not in leading)
        anchors |= dict.fromkeys(f"rule-{name}" for name in others)
        anchors |= dict.fromkeys(a.replace(":", "-") for a in held)
        made.append(
            Band(row.label, tuple(a for a in anchors if a not in used), _again(found, index))
        )
        used.update(anchors)
    return made


def _again(found: Comparison, index: int) -> bool:
    """Whether a row continues the previous one: the same label in the same codes."""
    if not index:
        return False
    row, before = found.rows[index], found.rows[index - 1]
    return row.label == before.label and row.cells.keys() == before.cells.keys()


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
    force = texts(code)
    answers, general = row.elsewhere.get(code, ()), row.general.get(code, ())
    return tuple(
        Elsewhere(
            address,
            address.code if address.code != code else None,
            filed[0] if (filed := force[address].topics) and topic not in filed else None,
            address in general,
        )
        for address in (answers or general)
    )
