"""Compares codes: a topic or a provision in several codes, and the concordance of two codes.

A provision appears in only one row. A code that extends another is shown with the provisions that
it inherits.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from oddtrick.book.silences import clause_names, silences_on
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Change, Parallel, Provision, Silence, Treatment
from oddtrick.law.names import cited

Run = tuple[bool, str]  # a run of words: whether the other text lacks it, and the words


class Restated(NamedTuple):
    """A provision in a row: its address and its text."""

    address: Address
    text: str


Cell = tuple[Restated, ...]  # the provisions of one code in a row


class Row(NamedTuple):
    """One parallel: its label, the provisions of each code, and a summary of the rule in each.

    For a code without a cell, `elsewhere` lists its laws in other rows that correspond to the rule,
    and `general` the general laws that cover it. `rules` are all the rules that the provisions
    state; the first is the one in the label.
    """

    label: str
    cells: dict[str, Cell]
    says: dict[str, str]
    elsewhere: dict[str, tuple[Address, ...]]
    general: dict[str, tuple[Address, ...]]
    rules: tuple[Parallel, ...]


class Comparison(NamedTuple):
    """A comparison of several codes.

    `states` holds the codes without a provision on the topic; `lacks` the other silences shown.
    """

    title: str
    question: str | None
    codes: tuple[str, ...]
    rows: tuple[Row, ...]
    states: dict[str, Treatment]
    lacks: tuple[Silence, ...] = ()


@cache
def texts(code: str) -> dict[Address, Provision]:
    """The provisions in force under a code by address, its own before those of its base."""
    own = {p.address: p for owner in reversed(book().chain(code)) for p in owner.provisions}
    return {a: own[a] for a in book().relations.sides[code]}


def compare_topic(topic: str, codes: Sequence[str]) -> Comparison:
    """Compare several codes on a topic; rules that belong to another topic first come last.

    Raises `LookupError` for an unknown topic.
    """
    entry = book().topics.get(topic)
    if entry is None:
        raise LookupError(f"there is no topic `{topic}`")
    books = {c: texts(c) for c in codes}
    wanted = {c: [a for a, p in own.items() if topic in p.topics] for c, own in books.items()}
    states = {c: state_of(c, topic) for c in codes if not wanted[c]}
    lacks = tuple(s for c in codes if c not in states for s in silences_on(c, topic))
    main = {a for own in books.values() for a, p in own.items() if p.topics[0] == topic}

    def is_beside(row: Row) -> bool:
        return main.isdisjoint(a for cell in row.cells.values() for a, _ in cell)

    rows = tuple(sorted(_rows(wanted, books), key=is_beside))
    return Comparison(entry.label, entry.question, tuple(codes), rows, states, lacks)


def compare_address(subject: str, codes: Sequence[str]) -> Comparison:
    """Compare a law or provision with its counterparts; its own code comes first.

    Raises `LookupError` for an unknown address.
    """
    address = Address(subject)
    code = book().code(address.code)
    own = code.id
    ordered = (own, *(c for c in codes if c != own))
    books = {c: texts(c) for c in ordered}
    mine = {p.address: p for p in code.provisions}
    books[own] = mine | books[own]
    start = [a for a in mine if a.within(address)]
    law = book().law(start[0]) if start else None
    if law is None:
        raise LookupError(f"there is no law at `{address}`")
    relations = book().relations
    wanted = {own: start}
    for other in ordered[1:]:
        found = [q for a in start for q in relations.counterparts(a, own, other)]
        wanted[other] = list(dict.fromkeys(found))
    rows = _rows(wanted, books)
    first = dict.fromkeys(t for a in start for t in mine[a].topics[:1])
    without = (other for other in ordered[1:] if not wanted[other])
    silent = (s for other in without for topic in first for s in silences_on(other, topic))
    # An absent clause is one that a code lacks although it has laws on the topic.
    lacks = tuple(s for s in silent if s.state != "absent")
    return Comparison(f"{code.short}: {law.heading}", None, ordered, rows, {}, lacks)


def state_of(code: str, topic: str) -> Treatment:
    """Whether a code is silent on a topic or the topic does not arise, with the reason."""
    return next(c.topics[topic] for c in book().chain(code) if topic in c.topics)


def _rows(
    wanted: Mapping[str, list[Address]], books: Mapping[str, Mapping[Address, Provision]]
) -> tuple[Row, ...]:
    """The rows of a comparison, each provision once, in the order of the first code that has it."""
    relations = book().relations
    taken: set[tuple[str, Address]] = set()
    rows: list[Row] = []
    everything = {a for found in wanted.values() for a in found}
    wanted_sets = {c: set(found) for c, found in wanted.items()}
    ordered = {c: [a for a in books[c] if a in own] for c, own in wanted_sets.items()}
    # The rule of most codes leads; among equals it is the first, which states the matter itself.
    leads = {
        a: max(rules, key=lambda r: len({o.code for o in r.addresses if o in everything}))
        for a in everything
        if (rules := relations.of.get(a))
    }
    for code, addresses in wanted.items():
        for address in addresses:
            if (code, address) in taken:
                continue
            rules, lead = relations.of.get(address, []), leads.get(address)
            # A provision goes to the row of its first rule if that rule leads.
            mates = {address} | {
                a
                for a in (lead.addresses if lead else ())
                if a in leads and (lead is relations.of[a][0] or leads[a] is not relations.of[a][0])
            }
            new = {new for a in mates for new in relations.amending.get(a, ())}
            mates |= new & relations.unrelated
            cells: dict[str, Cell] = {}
            for other, own in ordered.items():
                if found := [a for a in own if a in mates and (other, a) not in taken]:
                    cells[other] = tuple(Restated(a, books[other][a].text) for a in found)
                    taken |= {(other, a) for a in found}
            here = {a for cell in cells.values() for a, _ in cell}
            held = [r for r in rules if here.intersection(r.addresses)]
            # The rule of the most codes comes first. The sort is stable, so among equals the first
            # stays first: the rule that states the matter itself.
            held.sort(key=lambda r: -len({a.code for a in here.intersection(r.addresses)}))
            more = {r.id: r for a in sorted(here) for r in relations.of.get(a, ())}
            every = ({r.id: r for r in held} | more).values()
            label = held[0].label if held else books[code][address].heading
            if not held and any(r.label == label and r.cells.keys() != cells.keys() for r in rows):
                label = f"{label} ({cited(address)})"
            elsewhere = _answers(cells, books, relations.counterparts)
            general = _answers(cells, books, relations.general)
            laws = elsewhere | {c: tuple(a for a, _ in cell) for c, cell in cells.items()}
            says = _says(held, {c: laws[c] for c in books if c in laws})
            rows.append(Row(label, cells, says, elsewhere, general, tuple(every)))
    return tuple(rows)


def _answers(
    cells: Mapping[str, Cell],
    codes: Iterable[str],
    answering: Callable[[str, str, str], Iterable[Address]],
) -> dict[str, tuple[Address, ...]]:
    found = {
        code: dict.fromkeys(
            a
            for other, cell in cells.items()
            for address, _ in cell
            for a in answering(address, other, code)
        )
        for code in codes
        if code not in cells
    }
    return {code: tuple(laws) for code, laws in found.items() if laws}


def _says(rules: Iterable[Parallel], laws: Mapping[str, tuple[Address, ...]]) -> dict[str, str]:
    """For each code of a row, the text of the first rule on which the codes differ."""
    for rule in rules:
        stated = {
            code: version.text
            for code, (first, *_) in laws.items()
            if first in rule.addresses and (version := book().relations.version(rule, code))
        }
        if len(set(stated.values())) > 1:
            return stated
    return {}


class Line(NamedTuple):
    """A line of a concordance: a provision with its counterparts.

    `kind` is the kind of its counterparts, `partly` if their kinds differ, or `none` if it has no
    counterpart.
    """

    address: Address
    kind: str
    shape: str
    counterparts: tuple[Address, ...]
    differences: tuple[Change, ...]


@cache
def concordance(ours: str, theirs: str) -> list[Line]:
    """Every provision in force under one code, with its counterparts in another.

    Passages that only restate a law of the code are omitted.
    """
    relations = book().relations
    lines = []
    for address in relations.sides[ours]:
        if book().restates(address):
            continue
        found = relations.detailed_counterparts(address, ours, theirs)
        changed = {(d.rule, d.ours, d.theirs): d for other in found for d in other.differences}
        kinds = {c.kind for c in found} or {"none"}
        shapes = {c.shape for c in found if c.shape}
        kind = kinds.pop() if len(kinds) == 1 else "partly"
        shape = shapes.pop() if len(shapes) == 1 else ""
        others = tuple(other.address for other in found)
        lines.append(Line(address, kind, shape, others, tuple(changed.values())))
    return lines


@cache
def marked(left: str, right: str) -> tuple[list[Run], list[Run]]:
    """Both texts divided into runs of words, each marked if the other text lacks it.

    Punctuation, case and short accidental matches are ignored. If fewer than half of the words
    of the shorter text match, the texts count as completely different.
    """
    mine, theirs = left.split(), right.split()
    one, other = ([w.strip(",.;:").lower() or w for w in words] for words in (mine, theirs))
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    # A short match must be adjacent to its neighbour or the beginning in one of the texts, or to
    # the end of both.
    blocks = [(0, 0, 0), *matcher.get_matching_blocks()]
    matches = [
        (a, b, n)
        for before, (a, b, n), after in zip(blocks, blocks[1:], blocks[2:], strict=False)
        if n > 2
        or before[0] + before[2] == a
        or before[1] + before[2] == b
        or (a + n == after[0]) + (b + n == after[1]) > (after[2] == 0)
    ]
    alike = sum(n for _, _, n in matches)
    if 2 * alike < min(len(mine), len(theirs)):
        return [(True, " ".join(mine))], [(True, " ".join(theirs))]
    ours, others = [(a, n) for a, _, n in matches], [(b, n) for _, b, n in matches]
    return _in_runs(mine, ours), _in_runs(theirs, others)


def _in_runs(words: list[str], matches: list[tuple[int, int]]) -> list[Run]:
    runs: list[Run] = []
    at = 0
    for start, length in [*matches, (len(words), 0)]:
        if start > at:
            runs.append((True, " ".join(words[at:start])))
        if length:
            runs.append((False, " ".join(words[start : start + length])))
        at = start + length
    return runs


def topic_of(words: str) -> str | None:
    """The id of the topic with this id or label, ignoring case and hyphens; `None` if unknown."""
    return _named(words, {t.id: t.label for t in book().vocabulary.topics})


def law_of_rule(words: str, code: str | None = None) -> Address | None:
    """The first law of a code, or of any code if it has none, that states the rule, figure or
    procedure with this id or label; `None` if there is none.
    """
    rule = _named(words, {r.id: r.label for r in book().relations.all})
    name = _named(words, clause_names())
    own = (p for c in book().codes for p in c.provisions)
    stated = [p.address for p in own if name in (*p.figures, *p.procedures)]
    laws = next((r.addresses for r in book().relations.all if r.id == rule), stated)
    return next((a for a in laws if a.code == code), laws[0] if laws else None)


def _named(words: str, labels: Mapping[str, str]) -> str | None:
    """The id in `labels` that the words name, or whose label they are."""
    normalised = " ".join(words.lower().replace("-", " ").split())
    for name, label in labels.items():
        if normalised in (name.replace("-", " "), label.lower().replace("-", " ")):
            return name
    return None


def provisions_on(topic: str, code: str) -> list[Address]:
    """The provisions in force under a code on a topic, in printed order."""
    found = (a for a, p in texts(code).items() if topic in p.topics)
    return sorted(found, key=lambda a: (a.code, a.order))
