"""Printable pages for each code: the course of an evening, and an empty score sheet.

The sentences come from `laws/evenings.yaml`, each with its laws; the figures beside them are those
in force under the code.
"""

from __future__ import annotations

from oddtrick.law.book import book, column_name, judged_codes
from oddtrick.law.model import Code
from oddtrick.law.rules import Rules
from oddtrick.report.sheet import blank_match_svg, blank_rubber_svg
from oddtrick.site.template import page

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


def evening_pages() -> dict[str, str]:
    """For every code that the checker judges, `evening.md`, `sheet.md`, and the sheet as an image,
    `sheet.svg`.
    """
    made: dict[str, str] = {}
    for law in map(book().rules, judged_codes()):
        code, folder = book().code(law.code), f"codes/{law.code}"
        figures = [name for name in FIGURES if law.value(name)]
        for name in ("evening", "sheet"):
            path = f"{folder}/{name}.md"
            made[path] = page(name, path, code=code, law=law, figures=figures)
        made[f"{folder}/sheet.svg"] = blank(code, law)
    return made


def blank(code: Code, law: Rules) -> str:
    """The empty score sheet of a code as SVG: a rubber sheet, or a match card."""
    if law.value("games-in-rubber"):
        names = (column_name(column, code.id) for column in ("honour", "trick"))
        return blank_rubber_svg(f"A rubber of {code.short}", *names)
    figures = (p.figures.get("deals") for p in code.provisions)
    deals = next((f for f in figures if isinstance(f, int)), DEALS)
    return blank_match_svg(f"A match of {code.short}", deals)
