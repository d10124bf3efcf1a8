"""The law on one topic, code by code: the table of short facts, and the cards that stand side by
side, rule by rule.

The rows are those of `compare_topic`. A code that changes nothing of its base on a topic shares its
base's card.
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
    """What answers a rule in a code under another topic, or in general words; `topic` where it is
    filed, `owner` the code that has it.
    """

    address: Address
    owner: str | None
    topic: str | None
    general: bool


class Fact(NamedTuple):
    """A cell of the table of facts: words, or a figure with its name, or where the answer stands
    instead.

    `weak` is what is no law of the code.
    """

    words: str = ""
    figure: tuple[str, Figure] | None = None
    there: tuple[Elsewhere, ...] | None = None
    weak: bool = False


class FactCell(NamedTuple):
    """A fact that as many neighbouring codes have as `span` says, and the laws behind it."""

    fact: Fact
    span: int
    laws: tuple[Address, ...]


class FactRow(NamedTuple):
    """A row of the table of facts; `anchor` is that of its rule among the cards."""

    label: str
    anchor: str | None
    cells: tuple[FactCell, ...]


class Band(NamedTuple):
    """A row of the cards: its rule, the anchors of other rules in it; `again` where it only goes on
    with the one before.
    """

    label: str
    anchors: tuple[str, ...]
    again: bool


# --- facts in short -----------------------------------------------------------------------------


def fact_names(topic: str) -> list[str]:
    """The procedures and figures that belong to a topic.

    One belongs if the provisions on the topic have it in at least two codes, or in all where it
    arises in fewer, or if but one code has it at all. One that a code has several times over is a
    number in a text and no fact of the code.
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
    """For each procedure and figure the codes in whose own provisions it stands."""
    found: dict[str, set[str]] = {}
    for code in book().codes:
        for item in code.provisions:
            for name in (*item.procedures, *item.figures):
                found.setdefault(name, set()).add(code.id)
    return found


@cache
def _several() -> frozenset[str]:
    """The figures that stand with different values in one code without options; cells of one figure
    are no such.
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
    """What a code has for a procedure or a figure, and the laws behind it; why it has none, or
    nothing.
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
    """The table of short facts: procedures, figures, then every rule that changed; what neighbours
    share is one cell.
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
    """The parts of a figure in any code, each to have a row of its own; one without a name where
    there are none.
    """
    figures = [f.figure[1] for f, _ in facts if f.figure]
    return list(dict.fromkeys(part for v in figures for part, _ in figure_parts(v))) or [""]


def _part(found: tuple[Fact, tuple[Address, ...]], part: str) -> tuple[Fact, tuple[Address, ...]]:
    """What a fact says of a part of its figure."""
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
    """The codes that have law on the topic; one that changes nothing of what it extends stands with
    its base.
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
    """An anchor for each row: that of the rule whose label it bears, or that of its first
    provision; each once.
    """
    made: list[str] = []
    for row in found.rows:
        first = _first(row).replace(":", "-")
        rule = next((name for name, label in _rules(row) if label == row.label), None)
        anchor = f"rule-{rule}" if rule else first
        made.append(anchor if anchor not in made else first)
    return made


def _first(row: Row) -> str:
    """The first provision of a row."""
    return next(iter(row.cells.values()))[0][0]


def _rules(row: Row) -> list[tuple[str, str]]:
    """The rules of the first provision of a row: id and label."""
    return [(r.id, r.label) for r in book().relations.of.get(_first(row), [])]


def bands(found: Comparison) -> list[Band]:
    """Every row of the cards, with the anchors of its other rules and of its provisions, each once
    on the page.

    A provision that stood alone has its own anchor, and keeps it when another code's turns out to
    answer it.
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
    """Whether a row only goes on with the one before it: the same label, in the same codes."""
    if not index:
        return False
    row, before = found.rows[index], found.rows[index - 1]
    return row.label == before.label and row.cells.keys() == before.cells.keys()


def alike_before(found: Comparison, row: Row, code: str) -> str | None:
    """The first earlier code that has the same words in a row as a code has of its own."""
    mine = [text for _, text in row.cells[code]]
    if row.cells[code][0].address.code != code:
        return None
    earlier = (c for c in found.codes[: found.codes.index(code)] if c in row.cells)
    return next((c for c in earlier if [text for _, text in row.cells[c]] == mine), None)


def elsewhere(topic: str, row: Row, code: str) -> tuple[Elsewhere, ...]:
    """For a code without a provision in a row: what answers the row's provisions under it."""
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
