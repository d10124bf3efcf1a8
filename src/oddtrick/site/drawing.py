"""Line drawings in rows and columns: the timeline, the similarity of the codes, the rules of a
family. `templates/drawing.html` renders them all.

Lengths are in CSS pixels for a drawing as wide as a phone screen; the page scales it up. The
timeline, drawn and in words, is computed from the data of the codes: `date`, `extends` and
`descent`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oddtrick.book.write_citation import date_words, restatement
from oddtrick.law.book import book
from oddtrick.law.names import and_words
from oddtrick.paths import folder
from oddtrick.site.template import LICENCE, rendered

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
    `numbers` (x, y, text) are placed beside these paths. `key` says what the marks mean.
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
    key: Sequence[tuple[list[Path], str]] = ()

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
    credit = f"{restatement()}, {LICENCE}"
    return {
        path: rendered("picture", path, shown=one, style=style, root=site or "../", credit=credit)
        for one in drawings
        for path in [f"drawings/{one.id}.svg"]
    }


def marks(placed: Iterable[tuple[str, float]], y: float) -> list[Path]:
    """The marks of a row at height `y`, joined into one path for each kind."""
    found: dict[str, str] = {}
    for kind, x in placed:
        found[kind] = f"{found.get(kind, '')}M{x:g} {y:g}{SHAPES[kind]}"
    return [(kind, path, None) for kind, path in found.items()]


# --- the timeline ---------------------------------------------------------------------------------

LABELS, STEP, HEAD = 122, 29, 22
"""The x position at which the years begin, to the right of the labels; the height of a row; the
height of the header with the years.
"""


def when(date: str) -> tuple[float, float]:
    """The start and end of a date in fractional years: the same point for `1926-04-05` or
    `1926-04`, and a span of a year for `1912`.
    """
    year, *rest = (int(part) for part in date.split("-"))
    if not rest:
        return year, year + 1
    day = (rest[1] - 1) / 31 if len(rest) > 1 else 0.5
    point = round(year + (rest[0] - 1 + day) / 12, 3)
    return point, point


def descent(code: str) -> dict[str, tuple[str, str]]:
    """The codes from which a code derives: the one it amends, and those of the games from which its
    own game developed.

    For each: how the code derives from it (`amends`, `grew`, or `through` a game whose laws are not
    among the codes), and the same in words.
    """
    own, found = book().code(code), dict[str, tuple[str, str]]()
    if own.extends:
        found[own.extends] = ("amends", f"amends {book().code(own.extends).short}")
    for d in own.descent:
        way = f" by way of {d.through}" if d.through else ""
        words = f"grew out of {book().code(d.of).short}{way}"
        found.setdefault(d.of, ("through" if way else "grew", words))
    return found


def children(code: str) -> list[str]:
    """The codes that derive from a code, in order of date."""
    return [c for c in book().ids if code in descent(c)]


def timeline(here: str = "") -> Drawing:
    """The timeline: a row for each code in order of date, joined to the codes from which it
    derives. The code `here` is marked.
    """
    spans = {code: when(book().code(code).date) for code in book().ids}
    first, last = int(min(a for a, _ in spans.values())), max(b for _, b in spans.values())
    scale = (WIDE - 14 - LABELS) / (last - first)
    places = {c: [round(LABELS + (t - first) * scale, 1) for t in at] for c, at in spans.items()}
    rows, joined = list[Row](), list[Path]()
    ys = {code: HEAD + STEP * (i + 0.5) for i, code in enumerate(spans)}
    for code, (begin, end) in places.items():
        middle, y = (begin + end) / 2, ys[code]
        for parent, (kind, _) in descent(code).items():
            x = sum(places[parent]) / 2
            joined.append((kind, f"M{x:g} {ys[parent]:g}V{y:g}H{middle:g}", None))
        bar = [("year", f"M{begin:g} {y:g}H{end:g}", None)] if begin < end else []
        own = book().code(code)
        paths = (*bar, *marks([("here" if code == here else "begins", middle)], y))
        rows.append(Row(own.short, f"codes/{code}/", y, paths, date_words(own.date)))
    years = range(-(-first // 5) * 5, int(last) + 1, 5)
    return Drawing(
        "line-of-time",
        "The codes on a timeline",
        " ".join(map(sentence, book().ids)),
        [(round(LABELS + (year - first) * scale, 1), str(year)) for year in years],
        rows,
        STEP,
        HEAD,
        joined,
    )


def sentence(code: str) -> str:
    """A sentence that gives the name, the date and the descent of a code."""
    own = book().code(code)
    earliest = ["the earliest of these codes"] if code == book().ids[0] else []
    ways = and_words([*earliest, *(words for _, words in descent(code).values())])
    return ", ".join(filter(None, (own.short, date_words(own.date), ways))) + "."
