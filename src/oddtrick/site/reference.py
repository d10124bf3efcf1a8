"""Reference pages that collect parts of the lawbook: glossary, readings, decisions, sources.

They add no statements about the laws: every row links to its source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from markdown import markdown
from markdown.extensions.toc import TocExtension
from markupsafe import Markup

from oddtrick.book.silences import clause_names
from oddtrick.book.write_citation import cite
from oddtrick.judge import check_document
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Irregularity, Law, Provision, Reading
from oddtrick.law.reading_choices import computed_choices
from oddtrick.paths import folder
from oddtrick.record import read_document
from oddtrick.report.answers import as_json
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.words import ABOUT, ruling_pieces, ruling_words, when_words, with_offender
from oddtrick.site.dispute import leaves
from oddtrick.site.law import decided, laws_of, readings_on
from oddtrick.site.markup import figure_word
from oddtrick.site.record import anchor_of, stem_of
from oddtrick.site.template import page


def reference_pages() -> dict[str, str]:
    """The reference pages by path: terms with their definitions, readings, the decided cases of
    the codes, and the books with how to attach a copy of one's own.
    """
    return {
        "glossary.md": page(
            "glossary", "glossary.md", definitions=definitions, own_words=_own_words()
        ),
        "readings.md": page(
            "readings",
            "readings.md",
            bearing=bearing,
            readings_on=readings_on(),
            kinds=KINDS,
            kinds_of=kinds_of,
            sheet=readings_sheet(),
        ),
        "assets/readings.css": one_topic(),
        "decisions.md": page(
            "decisions",
            "decisions.md",
            decisions=decisions,
            about=ABOUT,
            case_words=lambda r: with_offender(when_words(r.when), ruling_words(r)),
            ruling_pieces=ruling_pieces,
        ),
        "sources.md": page(
            "sources",
            "sources.md",
            cite=cite,
            attaching=_markdown(folder("docs") / "attaching-a-book.md"),
        ),
    }


def _markdown(path: Path) -> Markup:
    """A Markdown document as HTML for a page one folder below the root; links to other documents
    are rewritten to their pages at the root.
    """
    toc = TocExtension(permalink="§", permalink_title="Link to this paragraph")
    made = markdown(path.read_text("utf-8"), extensions=["attr_list", "fenced_code", toc])
    return Markup(re.sub(r'href="([\w-]+)\.md', r'href="../\1/', made))


# --- glossary -----------------------------------------------------------------------------------


def definitions(term: str) -> dict[str, list[Address]]:
    """The definitions of a term, each with the provisions that use this wording."""
    same_text: dict[str, list[Address]] = {}
    for code in book().codes:
        for item in (p for p in code.provisions if term in p.terms):
            same_text.setdefault(item.text, []).append(item.address)
    return same_text


def _own_words() -> dict[str, dict[str, list[str]]]:
    """The words that codes print where the restatements use a different term. They are listed by
    the id of the term, with their codes.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for code in book().codes:
        for term, word in code.terms.items():
            found.setdefault(term, {}).setdefault(word, []).append(code.id)
    return dict(sorted(found.items()))


# --- readings -----------------------------------------------------------------------------------

KINDS = {
    "supplies": "that supply a rule",
    "doubts": "that leave a figure in doubt",
    "rulings": "on which a ruling rests",
    "chosen": "for which another choice can be applied",
}
"""The kinds of readings: the fields of `Bearing` that are filled, each in words."""


def kinds_of(found: Bearing) -> list[str]:
    """The kinds of a reading."""
    return [kind for kind in KINDS if getattr(found, kind)]


def readings_sheet() -> list[list[str]]:
    """The readings for a spreadsheet, with the choice applied and the others."""
    heads = ["Supplies", "Leaves in doubt", "Rulings", "To apply another choice"]
    rows = [["Code", "Address", "Question", "Applied", "Other choices", "Laws", *heads]]
    for reading in (r for code in book().codes for r in code.readings):
        texts = {choice.id: choice.text for choice in reading.choices}
        found = bearing(reading)
        rows.append(
            [
                book().names[reading.address.code],
                reading.address,
                reading.question,
                texts.pop(reading.applied),
                " / ".join(texts.values()),
                ", ".join(reading.places),
                "; ".join(f"{rule}: {value}" for rule, value in found.supplies),
                "; ".join(f"{figure}: {cells}" for figure, cells in found.doubts),
                "; ".join(irregularity.label for irregularity in found.disputes),
                "; ".join(found.chosen.values()),
            ]
        )
    return rows


def one_topic() -> str:
    """`assets/readings.css`: if the fragment of the URL names a topic or a kind (`#on-slam`,
    `#on-rulings`), it hides all other readings.
    """
    return ".reading-on:not(:target) { display: none; }\n" + "".join(
        f"body:has(#on-{topic}:target) :is(.provision:not([data-on~={topic}]), "
        f".readings:not(:has([data-on~={topic}]))) {{ display: none; }}\n"
        for topic in (*readings_on(), *KINDS)
    )


class Bearing(NamedTuple):
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


def bearing(reading: Reading) -> Bearing:
    """Find the parts of the program that depend on a reading."""
    labels, procedures = clause_names(), book().procedures
    named = rulings_naming(reading.address)
    supplies = (
        *((labels[n], procedures[n].values[v]) for n, v in reading.procedures.items()),
        *((labels[n], str(v)) for n, v in reading.figures.items()),
    )
    doubts = tuple(
        (labels[n], "; ".join(", ".join(map(figure_word, cell.split("."))) for cell in c))
        for n, c in reading.touches.items()
    )
    rules: dict[str, None] = {}
    if not (supplies or doubts or named):
        for item in book().code(reading.address.code).provisions:
            if reading.address in item.readings or item.address in reading.places:
                rules |= dict.fromkeys(labels[n] for n in (*item.procedures, *item.figures))
    disputes = {irregularity.id: irregularity for irregularity, _ in named}
    chosen = {one.choice.id: one.written for one in computed_choices(book(), reading)}
    return Bearing(supplies, doubts, len(named), tuple(disputes.values()), tuple(rules), chosen)


def rulings_naming(address: Address) -> list[tuple[Irregularity, rulings.Ruling]]:
    """The rulings that rest on an address, in its own code, each with its irregularity."""
    found = []
    for entry in (e for e in book().code(address.code).entries if not e.reading):
        named = {case.id for case in entry.rulings if address in (*case.readings, *laws_of(case))}
        if named:
            answers = leaves(entry.irregularity, address.code, entry.option)
            table = {a.ruling.id: a.ruling for a in answers if a.ruling}
            irregularity = book().irregularities[entry.irregularity]
            found += [(irregularity, r) for name, r in table.items() if name in named]
    return found


# --- decisions ----------------------------------------------------------------------------------


class Decision(NamedTuple):
    """A decided case: its heading (`law`), its provisions, the rulings that rest on it, and the
    shipped record that illustrates it.
    """

    law: Law
    provisions: tuple[Provision, ...]
    rulings: list[tuple[Irregularity, rulings.Ruling]]
    record: tuple[str, str] | None


def decisions(code: Code) -> list[Decision]:
    """The decided cases of a code, in order."""
    return [
        Decision(
            law,
            tuple(p for p in code.provisions if p.law == law.address),
            rulings_naming(law.address),
            record_of(law.heading, code.id),
        )
        for law in decided(code)
    ]


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
