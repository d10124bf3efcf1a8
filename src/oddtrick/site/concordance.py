"""Tables of the codes: the matrix of all figures, and the concordance of every ordered pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, permutations
from typing import NamedTuple

from oddtrick.book.columns import concordance_rows
from oddtrick.book.compare import concordance, texts
from oddtrick.book.silences import silences_on
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import flat
from oddtrick.law.model import Figure, FigureKind
from oddtrick.law.rules import Rules
from oddtrick.site.lineage import difference_words, pair_name
from oddtrick.site.markup import figure_parts, figure_value, figure_word
from oddtrick.site.template import page

# --- figures --------------------------------------------------------------------------------------


class Value(NamedTuple):
    """A figure of one code: its value with the laws that state it and the readings it rests on, or
    the reason why the code has none.
    """

    value: Figure | None
    laws: tuple[Address, ...] = ()
    readings: tuple[Address, ...] = ()
    absent: str = ""


UNSTATED = Value(None, absent="not stated")
"""A figure that a code does not state, without a reason."""


def figure(name: str, law: Rules) -> Value:
    """A figure of one code; if the code lacks it, a `Value` that gives the reason, or
    `not stated`.
    """
    rule = law.get(name)
    if rule is None:
        return Value(None, absent=law.absent[name]) if name in law.absent else UNSTATED
    return Value(rule.value, rule.laws, tuple(r for r in rule.doubts if r not in rule.laws))


def cells_of(name: str, law: Rules) -> dict[str, Value]:
    """The parts of a figure of one code in words, each with the laws and readings of its cell."""
    rule = law.get(name)
    if rule is None:
        return {}
    found = {}
    for cell, (words, value) in zip(flat(rule.value), figure_parts(rule.value), strict=False):
        laws = rule.laws_of(cell)
        readings = tuple(r for r in rule.readings_of(cell) if r not in laws)
        found[words] = Value(value, laws, readings)
    return found


def every_place(name: str, code: str) -> list[Value]:
    """The values of a figure that several laws of a code may state, each with its law."""
    laws = ((a, p) for a, p in texts(code).items() if not book().restates(a))
    found = [Value(p.figures[name], (a,)) for a, p in laws if name in p.figures]
    return found or [UNSTATED]


def cell(kind: FigureKind, code: str) -> list[Value]:
    """The values of a figure in a code: a single one, unless several laws may state the figure."""
    return every_place(kind.id, code) if kind.many else [figure(kind.id, book().rules(code))]


Cells = list[list[Value]]
"""A row of the matrix: the values in each code, in order of date."""


def figure_rows(kind: FigureKind) -> list[tuple[str, Cells]]:
    """The rows of a figure, each with its label; every cell has a value or the reason for none.

    The first row has no label. It holds the value, or all the laws if the figure has parts, or the
    reason why there is none; it is empty if a code states several values. Each part, and each of
    several values in a code, has a further row.
    """
    codes = book().ids
    found = [cell(kind, code) for code in codes]
    subjects = {label for own in found for value in own for label in _subjects(value)[:1]}
    rows: dict[str, Cells] = {"": [[] for _ in found]}

    def put(part: str, column: int, value: Value) -> None:
        rows.setdefault(part, [[] for _ in found])[column].append(value)

    for column, own in enumerate(found):
        for value in own:
            several = kind.many and any(len(values) > 1 for values in found)
            if isinstance(value.value, dict) and kind.many:
                for part, number in figure_parts(value.value):
                    put(part, column, value._replace(value=number))
            elif value.value is not None and several:
                heading = texts(codes[column])[value.laws[0]].heading
                for label in [s for s in _subjects(value) if s in subjects] or [heading]:
                    put(label, column, value)
            elif isinstance(value.value, dict):
                put("", column, Value(None, value.laws))
                parts = cells_of(kind.id, book().rules(codes[column]))
                for part, of_cell in parts.items():
                    has = of_cell.value is not None
                    put(part, column, of_cell if has else lacking(part, parts)[0])
            elif value.value is not None or not kind.many:
                put("", column, value)
    for part, cells in rows.items():
        laws = [a for own in cells for v in own for a in v.laws]
        for column, own in enumerate(cells) if part or len(rows) == 1 else ():
            own += [] if own else [_lacking(kind, part, codes[column], laws)]
    return list(rows.items())


def _lacking(kind: FigureKind, part: str, code: str, laws: Iterable[Address]) -> Value:
    """Why a code has no value for a part of a figure that the laws of other codes state.

    It is the reason for the whole figure, what the code has instead, or that the question does not
    arise.
    """
    if not kind.many:
        law = book().rules(code)
        parts = cells_of(kind.id, law)
        return lacking(part, parts)[0] if parts else figure(kind.id, law)
    relations = book().relations
    for rule in (r for r in relations.all if r.label == part):
        if version := relations.version(rule, code):
            return Value(None, tuple(relations.holding(rule, code)), absent=version.text)
    topics = sorted({p.topics[0] for a in laws if (p := book().provision(a))})
    silent = (s for topic in topics for s in silences_on(code, topic))
    reasons = [s.reason for s in silent if s.state == "does-not-arise"]
    return UNSTATED if not reasons or len(reasons) < len(topics) else Value(None, absent=reasons[0])


def lacking(part: str, parts: Mapping[str, Value]) -> tuple[Value, list[str]]:
    """A cell for a part that a figure lacks, with the laws of the figure.

    Also returns the parts of the figure that include this part or belong to it.
    """
    near = [p for p in parts if p.endswith(f", {part}") or part.endswith(f", {p}")]
    laws = dict.fromkeys(a for p in near or parts for a in parts[p].laws)
    words = f"see “{'” and “'.join(near)}”" if near else "not in this code"
    return Value(None, tuple(laws), absent=words), near


def _subjects(value: Value) -> list[str]:
    """The labels of what several codes state in the law of a figure."""
    return [rule.label for law in value.laws for rule in book().relations.of.get(law, ())]


Sheet = list[list[str | int]]
"""A table for a spreadsheet: its header, then its rows."""


def heads(first: str) -> list[str | int]:
    """The header of a table of the codes: for each code a column, and a column for its laws."""
    return [first, *(head for c in book().codes for head in (c.short, f"{c.short}: law"))]


def spread(label: str, cells: Iterable[tuple[Figure | None, tuple[Address, ...], str]]) -> Sheet:
    """The rows of a figure, one for each number, from its value and laws in each code, and the
    words for a code that has no value; a number that a value lacks is `none`.
    """
    each = [
        (dict(each_number(label, value)), ", ".join(laws), words or "none")
        for value, laws, words in cells
    ]
    return [
        [name, *chain(*((own.get(name, words), laws) for own, laws, words in each))]
        for name in dict.fromkeys(name for own, _, _ in each for name in own)
    ]


def noted(address: Address) -> str:
    """`(see its note)`, if a provision has a note; otherwise empty."""
    item = book().provision(address)
    return " (see its note)" if item and item.note else ""


def each_number(label: str, value: Figure | None) -> Iterator[tuple[str, int | str]]:
    """Each number or word of a figure, with a label of its own."""
    if isinstance(value, dict):
        for part, inner in figure_parts(value):
            yield from each_number(f"{label}: {part}", inner)
    elif isinstance(value, list) and all(isinstance(v, str) for v in value):
        yield label, ", ".join(map(figure_word, value))
    elif isinstance(value, list):
        *first, last = value
        for n, inner in enumerate(first, 1):
            yield from each_number(f"{label}, {n}", inner)
        yield from each_number(f"{label}, {len(value)} and each further" if first else label, last)
    elif value is not None:
        yield label, value if isinstance(value, int) else figure_value(str(value))


def figures_sheet() -> Sheet:
    """Every figure of every code."""
    made = [heads("Figure")]
    for kind in book().vocabulary.figures:
        for part, cells in figure_rows(kind):
            found = [next(iter(values), Value(None)) for values in cells]
            absent = (v.absent for v in found)
            label = f"{kind.label}: {part}" if part else kind.label
            laws = [(*v.laws, *v.readings) for v in found]
            made += spread(label, zip((v.value for v in found), laws, absent, strict=True))
    return made


def options() -> Iterator[tuple[FigureKind, str, str, Value, Value]]:
    """The figures that an option changes: figure, code, option, value with and without it."""
    for code in book().codes:
        without_it = book().rules(code.id)
        for option in code.options:
            with_it = book().rules(code.id, (option.id,))
            for kind in book().vocabulary.figures:
                now, before = figure(kind.id, with_it), figure(kind.id, without_it)
                if now != before:
                    yield kind, code.id, option.label, now, before


# --- concordance ----------------------------------------------------------------------------------


def concordance_page(ours: str, theirs: str) -> str:
    """`concordance/OURS--THEIRS.md`: every provision in force under one code with its counterparts
    in the other, followed by the provisions that are new in the other.
    """
    lines = concordance(ours, theirs)
    return page(
        "concordance",
        f"concordance/{ours}--{theirs}.md",
        ours=book().code(ours),
        theirs=book().code(theirs),
        number=Counter(line.kind for line in lines),
        pair=pair_name(ours, theirs),
        lines=lines,
        sheet=concordance_rows(ours, theirs),
        difference_words=difference_words,
        new=[line.address for line in concordance(theirs, ours) if line.kind == "none"],
    )


def concordance_pages() -> dict[str, str | bytes]:
    """`figures.md`, `concordance/index.md` and a page for every ordered pair of codes."""
    index = "concordance/index.md"
    made: dict[str, str | bytes] = {
        "figures.md": page(
            "figures",
            "figures.md",
            rows=figure_rows,
            options=list(options()),
            noted=noted,
            sheet=figures_sheet(),
        ),
        index: page("concordances", index, concordance=concordance),
    }
    for ours, theirs in permutations(book().ids, 2):
        made[f"concordance/{ours}--{theirs}.md"] = concordance_page(ours, theirs)
    return made
