"""The pages of a code: its first page, its complete text on one page, its readings, and, if records
are judged under it, the course of an evening with an empty score sheet; and the list of the codes.

The sentences come from the data of the code and from `laws/evenings.yaml`.
"""

from __future__ import annotations

from typing import NamedTuple

from oddtrick.book.silences import absent_clauses
from oddtrick.book.write_citation import page_of
from oddtrick.law.book import book, column_name, judged_codes
from oddtrick.law.model import Code, Law
from oddtrick.law.names import law_name
from oddtrick.law.rules import Rules
from oddtrick.report.sheet import blank_match_svg, blank_rubber_svg
from oddtrick.rulings.words import upper
from oddtrick.site.drawing import children, timeline
from oddtrick.site.law import decided
from oddtrick.site.template import page

ALL = "Laws"
"""The heading over the laws of a code that prints none."""


class Section(NamedTuple):
    """Laws of a code under a heading, with the anchor of the heading."""

    label: str
    anchor: str
    laws: tuple[Law, ...]

    @property
    def note(self) -> str | None:
        """The note shared by all laws of the section, printed once; `None` if they do not share
        one.
        """
        notes = {law.note for law in self.laws}
        return notes.pop() if len(notes) == 1 and len(self.laws) > 1 else None


DEALS = 12
"""The number of deals on a match card if the code does not state it."""


def code_pages() -> dict[str, str]:
    """The list of the codes, and for each code its first page, its complete text, its readings, if
    it has any, and the pages of an evening, if it is judged.
    """
    made = {
        "codes/index.md": page("codes", "codes/index.md"),
        "evenings.md": page("evenings", "evenings.md", codes=map(book().code, judged_codes())),
    }
    for code in book().codes:
        home = f"codes/{code.id}"
        made[f"{home}/index.md"] = code_page(code)
        made[f"{home}/whole.md"] = whole_page(code)
        if code.readings or code.settled:
            path = f"{home}/readings.md"
            made[path] = page("code_readings", path, code=code)
    for law in map(book().rules, judged_codes()):
        home = f"codes/{law.code}"
        for name in ("evening", "sheet"):
            path = f"{home}/{name}.md"
            made[path] = page(name, path, code=book().code(law.code), law=law)
        made[f"{home}/sheet.svg"] = blank(law)
    return made


# --- words --------------------------------------------------------------------------------------


def heading(law: Law) -> str:
    """A law's number and heading: `44. The higher declaration`, `Decision 6. A partner's double
    doubled`; only the heading if the law is a passage without a number.
    """
    if not last_number(law):
        return law.heading
    name = law.number if law.number.isdigit() else upper(law_name(law.number))
    return f"{name}. {law.heading}"


def last_number(law: Law) -> str:
    """The number of a law within its part: `6` for `decision.6`; empty for a passage."""
    number = law.number.rpartition(".")[2]
    return number if number.isdigit() else ""


# --- parts --------------------------------------------------------------------------------------


def parts(code: Code) -> list[Section]:
    """The parts of a code, without its options; a single part if the code names none."""
    found: list[tuple[str, str, list[Law]]] = []
    named = {p.first: p.label for p in code.parts}
    for law in (n for n in code.laws if not n.option):
        if law.number in named or not found:
            found.append((named.get(law.number, ALL), f"part-{law.number}", []))
        found[-1][2].append(law)
    return [Section(label, anchor, tuple(laws)) for label, anchor, laws in found]


def options(code: Code) -> list[Section]:
    """The laws of each option of a code."""
    return [
        Section(
            f"Option: {o.label}", f"part-{o.id}", tuple(n for n in code.laws if n.option == o.id)
        )
        for o in code.options
    ]


# --- pages --------------------------------------------------------------------------------------


def code_page(code: Code) -> str:
    """`codes/CODE/index.md`: a description, the descent, ten peculiarities, the contents, and the
    rules that the code lacks.
    """
    return page(
        "code",
        f"codes/{code.id}/index.md",
        code=code,
        known=sum(page_of(law.address) is not None for law in code.laws),
        drawing=timeline(code.id),
        after=children(code.id),
        parts=parts(code),
        all=ALL,
        options=zip(code.options, options(code), strict=True),
        last_number=last_number,
        decisions=len(decided(code)),
        law_name=law_name,
        absent=absent_clauses(code),
    )


def whole_page(code: Code) -> str:
    """`codes/CODE/whole.md`, the complete text for reading and printing: contents, laws with
    figures and paragraph marks, and options.
    """
    return page(
        "whole",
        f"codes/{code.id}/whole.md",
        code=code,
        sections=[*parts(code), *options(code)],
        heading=heading,
        last_number=last_number,
    )


def blank(law: Rules) -> str:
    """The empty score sheet of a code as SVG: a rubber sheet, or a match card."""
    if law.value("games-in-rubber"):
        names = (column_name(column, law.code) for column in ("honour", "trick"))
        return blank_rubber_svg(f"A rubber of {law.short}", *names)
    figures = (p.figures.get("deals") for p in book().code(law.code).provisions)
    deals = next((f for f in figures if isinstance(f, int)), DEALS)
    return blank_match_svg(f"A match of {law.short}", deals)
