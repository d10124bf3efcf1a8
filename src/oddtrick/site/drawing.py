"""Line drawings in rows and columns: the timeline, the similarity of the codes, the rules of a
family. `templates/drawing.html` renders them all.

Lengths are in CSS pixels for a drawing as wide as a phone screen; the page scales it up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oddtrick.paths import folder
from oddtrick.site.template import rendered

WIDE = 360

SHAPES = {
    "begins": "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0",
    "here": "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "wording": "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0",
    "figure": "m-3.6-3.6h7.2v7.2h-7.2z",
    "substance": "m0-5.4l5.4 5.4l-5.4 5.4l-5.4-5.4z",
    "same": "m0-3.4v6.8",
}
"""The marks by kind, as SVG paths relative to their centre."""

_COLOURS = re.compile(r"^:root \{.*?\}\n", re.MULTILINE | re.DOTALL)
_GROUND = "svg { background: var(--ot-paper); }\n"

Path = tuple[str, str, float | None]
"""A line, or marks of one kind: the kind, the SVG path, and the width of the line, if it carries
meaning.
"""


class Row(NamedTuple):
    """A row: its label, a link relative to the root of the site, its y position, its paths, and a
    note in smaller type.
    """

    label: str
    href: str
    y: float
    paths: tuple[Path, ...]
    note: str = ""


class Drawing(NamedTuple):
    """A drawing: its title, a description in words, columns (x, label) and rows.

    `step` is the height of a row and `head` that of the header. `paths` join the rows, and
    `numbers` (x, y, text) are placed beside these paths.
    """

    id: str
    title: str
    words: str
    columns: Sequence[tuple[float, str]]
    rows: Sequence[Row]
    step: float
    head: float
    paths: Sequence[Path] = ()
    numbers: Sequence[tuple[float, float, str]] = ()

    @property
    def height(self) -> float:
        """The height of the drawing."""
        return self.head + self.step * len(self.rows) + 6

    @property
    def upright(self) -> bool:
        """Whether the column labels are vertical: they are if one has more than four letters."""
        return any(len(label) > 4 for _, label in self.columns)


def pictures(drawings: Iterable[Drawing], site: str = "") -> dict[str, str]:
    """Drawings as SVG files that need no other file, by path; their links begin with the base URL
    of the site, if it is known.
    """
    assets = folder("site_overrides") / "assets"
    colours = _COLOURS.findall((assets / "oddtrick.css").read_text("utf-8"))
    style = "".join([*colours, _GROUND, (assets / "drawing.css").read_text("utf-8")])
    return {
        path: rendered("picture", path, shown=one, style=style, root=site or "../")
        for one in drawings
        for path in [f"drawings/{one.id}.svg"]
    }


def marks(placed: Iterable[tuple[str, float]], y: float) -> list[Path]:
    """The marks of a row at height `y`, joined into one path for each kind."""
    found: dict[str, str] = {}
    for kind, x in placed:
        found[kind] = f"{found.get(kind, '')}M{x:g} {y:g}{SHAPES[kind]}"
    return [(kind, path, None) for kind, path in found.items()]
