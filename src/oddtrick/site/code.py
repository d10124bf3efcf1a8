"""The pages of a code: its first page, its complete text on one page, and its readings; and the
list of the codes.

The description of a code, its ten peculiarities and its parts come from the data of the code.
"""

from __future__ import annotations

from typing import NamedTuple

from oddtrick.book.silences import absent_clauses
from oddtrick.book.write_citation import date_words, page_of
from oddtrick.law.book import book
from oddtrick.law.model import Code, Law, Source
from oddtrick.law.names import law_name
from oddtrick.site.descent import children, line_of_time, parents
from oddtrick.site.markup import page_words, upper
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


def code_pages() -> dict[str, str]:
    """The list of the codes, and for each code its first page, its complete text with a style
    sheet, and its readings, if it has any.
    """
    made = {"codes/index.md": page("codes", "codes/index.md")}
    for code in book().codes:
        made[f"codes/{code.id}/index.md"] = code_page(code)
        made[f"codes/{code.id}/whole.md"] = whole_page(code)
        made[f"codes/{code.id}/running.css"] = running_title(code)
        if code.readings or code.settled:
            path = f"codes/{code.id}/readings.md"
            made[path] = page("code_readings", path, code=code)
    return made


# --- words --------------------------------------------------------------------------------------


def source_words(source: Source) -> str:
    """The source of a passage: the book, and the passage or the pages if stated."""
    pages = source.pages or source.page
    where = (source.book, source.passage, page_words(pages) if pages else None)
    return ", ".join(w for w in where if w)


def restated(code: Code) -> str:
    """The extent of a code's restatement: `all 97 numbered laws restated`."""
    number = sum(1 for law in code.laws if law.number.isdigit())
    total = code.numbered_laws
    if number == total:
        return f"all {total} numbered laws restated"
    return f"{number} of {total} numbered laws restated"


def heading(law: Law) -> str:
    """A law's number and heading: `44. The higher declaration`, `Decision 6. A partner's double
    doubled`; only the heading if the law is a passage without a number.
    """
    if not law.number.rpartition(".")[2].isdigit():
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
        page_numbers=page_numbers(code),
        restated=restated(code),
        drawing=line_of_time(code.id),
        first=not parents(code.id),
        after=children(code.id),
        parts=parts(code),
        all=ALL,
        options=zip(code.options, options(code), strict=True),
        last_number=last_number,
        law_name=law_name,
        source_words=source_words,
        absent=absent_clauses(code),
    )


def page_numbers(code: Code) -> str:
    """A phrase that says for how many laws the printed page is known."""
    known = sum(page_of(law.address) is not None for law in code.laws)
    if known == len(code.laws):
        return "known for every law; citations have them"
    return f"known for {known} of {len(code.laws)} laws" if known else "not known"


def whole_page(code: Code) -> str:
    """`codes/CODE/whole.md`, the complete text for reading and printing: contents, laws with
    figures and paragraph marks, and options.
    """
    return page(
        "whole",
        f"codes/{code.id}/whole.md",
        code=code,
        restated=upper(restated(code)),
        sections=[*parts(code), *options(code)],
        heading=heading,
        last_number=last_number,
    )


def running_title(code: Code) -> str:
    """`codes/CODE/running.css`: prints the title at the head of every sheet but the first."""
    title = f"{code.title}, {date_words(code.date)}".replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'@media print {{ @page {{ @top-left {{ content: "{title}" }} }} '
        '@page :first { @top-left { content: "" } } }\n'
    )
