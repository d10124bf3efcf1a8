"""Reference pages that collect parts of the lawbook: glossary, readings, decisions, sources.

They add no statements about the laws: every row links to its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from oddtrick.book.silences import clause_names
from oddtrick.judge import check_document
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import (
    ChosenReading,
    Code,
    Figure,
    Irregularity,
    Law,
    Provision,
    Reading,
    Ruling,
)
from oddtrick.law.names import and_words
from oddtrick.law.reading_choices import computes
from oddtrick.paths import folder
from oddtrick.record import read_document
from oddtrick.report.answers import as_json
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.words import ABOUT, ruling_pieces, when_words
from oddtrick.site.dispute import leaves
from oddtrick.site.gallery import stem_of
from oddtrick.site.record import anchor_of
from oddtrick.site.sources import sources_page
from oddtrick.site.template import page


def reference_pages() -> dict[str, str]:
    """The reference pages by path."""
    return {
        "glossary.md": glossary_page(),
        "readings.md": readings_page(),
        "decisions.md": decisions_page(),
        "sources.md": sources_page(),
    }


# --- glossary -----------------------------------------------------------------------------------


def glossary_page() -> str:
    """`glossary.md`: every term with its definition in each code that defines it. The anchors are
    the ids of the terms.
    """
    return page(
        "glossary",
        "glossary.md",
        terms=sorted(book().vocabulary.terms, key=lambda t: t.label.lower()),
        definitions=definitions,
        labels={t.id: t.label for t in book().vocabulary.terms},
        own_words=_own_words(),
    )


def definitions(term: str) -> dict[str, list[Address]]:
    """The definitions of a term, each with the provisions that use this wording."""
    same_text: dict[str, list[Address]] = {}
    for code in book().codes:
        for item in (p for p in code.provisions if term in p.terms):
            same_text.setdefault(item.text, []).append(item.address)
    return same_text


def _own_words() -> dict[str, dict[str, list[str]]]:
    """The words that codes print where the restatements use a different term: by the id of the
    term, the printed words with their codes.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for code in book().codes:
        for term, word in code.terms.items():
            found.setdefault(term, {}).setdefault(word, []).append(code.id)
    return dict(sorted(found.items()))


# --- readings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bearing:
    """The parts of the program that depend on a reading.

    `supplies` are the rules whose value the reading determines, with the value; `doubts` are the
    figures with doubtful cells; `rulings` is the number of rulings that rest on it, and `disputes`
    their irregularities. If there are none of these, `rules` names the rules of the provisions to
    which the reading belongs. `chosen` maps each other choice that affects the checker to the way a
    record writes it.
    """

    supplies: tuple[tuple[str, str], ...]
    doubts: tuple[tuple[str, str], ...]
    rulings: int
    disputes: tuple[Irregularity, ...]
    rules: tuple[str, ...]
    chosen: Mapping[str, str]


def readings_page() -> str:
    """`readings.md`: every reading of every code."""
    return page(
        "readings",
        "readings.md",
        number=sum(len(c.readings) for c in book().codes),
        codes=[
            (c, [(r, bearing(r)) for r in c.readings])
            for c in book().codes
            if c.readings or c.settled
        ],
    )


def bearing(reading: Reading) -> Bearing:
    """Find the parts of the program that depend on a reading."""
    labels = clause_names()
    choices = {p.id: p.values for p in book().vocabulary.procedures}
    supplied: Mapping[str, Figure] = {**reading.procedures, **reading.figures}
    named = rulings_naming(reading.address)
    supplies = tuple(
        (labels[n], choices.get(n, {}).get(str(v), str(v))) for n, v in supplied.items()
    )
    doubts = tuple((labels[n], and_words(map(_cell, c))) for n, c in reading.touches.items())
    rules: dict[str, None] = {}
    if not (supplies or doubts or named):
        for item in book().code(reading.address.code).provisions:
            if reading.address in item.readings or item.address in reading.places:
                rules |= dict.fromkeys(labels[n] for n in (*item.procedures, *item.figures))
    disputes = {irregularity.id: irregularity for irregularity, _ in named}
    others = (ChosenReading(reading, c) for c in reading.choices if c.id != reading.applied)
    chosen = {one.choice.id: one.written for one in others if computes(book(), one)}
    return Bearing(supplies, doubts, len(named), tuple(disputes.values()), tuple(rules), chosen)


def _cell(cell: str) -> str:
    """A cell of a figure in words: `trump, 3 and 2`."""
    labels = {d.id: d.label for d in book().vocabulary.denominations}
    parts = (labels.get(p) or re.sub(r"^(\d)-(\d)$", r"\1 and \2", p) for p in cell.split("."))
    return ", ".join(parts)


def rulings_naming(address: Address) -> list[tuple[Irregularity, rulings.Ruling]]:
    """The rulings that rest on an address, in its own code, each with its irregularity."""
    found = []
    for entry in (e for e in book().code(address.code).entries if not e.reading):
        named = {case.id for case in entry.rulings if address in _laws_of(case)}
        if named:
            answers = leaves(entry.irregularity, address.code, entry.option)
            table = {a.ruling.id: a.ruling for a in answers if a.ruling}
            irregularity = book().irregularities[entry.irregularity]
            found += [(irregularity, r) for name, r in table.items() if name in named]
    return found


def _laws_of(case: Ruling) -> Iterator[Address]:
    yield from (*case.readings, *case.decisions, *case.provisions)
    yield from (remedy.provision for remedy in case.remedies)


# --- decisions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """A decided case: its heading (`law`), its provisions, its references by relation, the rulings
    that rest on it, and the shipped record that illustrates it.
    """

    law: Law
    provisions: tuple[Provision, ...]
    references: dict[str, list[Address]]
    rulings: list[tuple[Irregularity, rulings.Ruling]]
    record: tuple[str, str] | None


def decisions_page() -> str:
    """`decisions.md`: the cases decided under the codes, the rulings that rest on them, and the
    records that illustrate them.
    """
    found = [(code, decisions(code)) for code in book().codes]
    return page(
        "decisions",
        "decisions.md",
        codes=[(code, cases) for code, cases in found if cases],
        about=ABOUT,
        when_words=when_words,
        ruling_pieces=ruling_pieces,
    )


def decisions(code: Code) -> list[Decision]:
    """The decided cases of a code, in order: passages that gloss its laws."""
    glosses = [k.id for k in code.passages if k.role == "gloss"]
    cases = [law for law in code.laws if law.number.partition(".")[0] in glosses]
    return [_decision(law, code) for law in cases]


def _decision(law: Law, code: Code) -> Decision:
    items = tuple(p for p in code.provisions if p.law == law.address)
    labels = {r.id: r.label for r in book().vocabulary.relations}
    refs: dict[str, list[Address]] = {}
    for ref in (r for p in items for r in p.refs):
        refs.setdefault(labels[ref.how], []).append(ref.to)
    record = record_of(law.heading, code.id)
    return Decision(law, items, refs, rulings_naming(law.address), record)


def record_of(title: str, code: str) -> tuple[str, str] | None:
    """The shipped record with a title under a code: its id, and the URL of its page with the
    fragment; `None` if there is none.
    """
    for path in sorted((folder("laws") / "records").glob("*.hand")):
        data = path.read_bytes()
        if title not in data.decode("utf-8"):
            continue
        for result in check_document(read_document(data, path.name).items):
            answer = as_json(result, "brief")
            if "verdict" in answer and (answer["code"], answer["title"]) == (code, title):
                return answer["id"], f"records/{quote(stem_of(path))}/#{anchor_of(answer)}"
    return None
