"""A page to print on the course of an evening under each code, and an empty score sheet.

The sentences are data (`laws/evenings.yaml`), each with its laws; the figures beside them are those
in force.
"""

from __future__ import annotations

from typing import NamedTuple

from oddtrick.law.address import Address
from oddtrick.law.book import book, column_name, judged_codes
from oddtrick.law.model import Code, Figure
from oddtrick.law.rules import Rules
from oddtrick.report.sheet import blank_match_svg, blank_rubber_svg
from oddtrick.site.template import Head, page

FIGURES = (
    "odd-trick",
    "trick-multiplier",
    "contract-bonus",
    "overtrick",
    "undertrick",
    "honour-values",
    "chicane-value",
    "slam",
    "game-bonus",
    "rubber-bonus",
    "unfinished-rubber-bonus",
)
"""The figures that a scorer needs, in the order of an account."""


DEALS = 12
"""The number of deals on a match card if the code does not state it."""

Sentence = tuple[str, tuple[Address, ...]]
"""A sentence and its laws."""


class Shown(NamedTuple):
    """A figure in force with its name and its laws."""

    name: str
    value: Figure
    laws: tuple[str, ...]


def evening_pages() -> dict[str, str]:
    """`evening.md`, `sheet.md` and its drawing `sheet.svg` for every code that is judged."""
    made: dict[str, str] = {}
    for law in map(book().rules, judged_codes()):
        code, folder = book().code(law.code), f"codes/{law.code}"
        values = {"code": code, "figures": _figures(law)}
        made[f"{folder}/evening.md"] = page(
            "evening",
            f"{folder}/evening.md",
            Head(
                f"{code.short}: how an evening goes",
                f"An evening of {code.short}, from the cut to the settling of the score, on a page "
                "to print, each sentence with its laws.",
                hide="navigation, toc",
            ),
            steps=_steps(law),
            **values,
        )
        made[f"{folder}/sheet.md"] = page(
            "sheet",
            f"{folder}/sheet.md",
            Head(f"{code.short}: an empty sheet", "A score sheet to print.", "toc"),
            match=not law.value("games-in-rubber"),
            **values,
        )
        made[f"{folder}/sheet.svg"] = blank(code, law)
    return made


def _steps(law: Rules) -> list[tuple[str, str, list[Sentence]]]:
    """For each step its id, its heading, and the sentences that are true of a code, with their
    laws.
    """
    steps = []
    for step in book().evening:
        sentences = [(s.text, s.laws[law.code]) for s in step.sentences if law.code in s.laws]
        if sentences:
            steps.append((step.id, step.heading, sentences))
    return steps


def _figures(law: Rules) -> list[Shown]:
    found = ((name, law.value(name)) for name in FIGURES)
    return [Shown(name, value, law.laws(name)) for name, value in found if value]


def blank(code: Code, law: Rules) -> str:
    """The empty sheet of a code as SVG: a rubber's, or the card of a match."""
    if law.value("games-in-rubber"):
        names = (column_name(column, code.id) for column in ("honour", "trick"))
        return blank_rubber_svg(f"A rubber of {code.short}", *names)
    figures = (p.figures.get("deals") for p in code.provisions)
    deals = next((f for f in figures if isinstance(f, int)), DEALS)
    return blank_match_svg(f"A match of {code.short}", deals)
