"""The codes on a line of time, drawn: when each was made, which amends which, and which game grew from which.

Everything follows from the data of the codes: `date`, `extends` and `descent`. A code stands in a lane: the
line that leads furthest runs straight on, the others branch off, and a code that amends another stands below it.
The drawings are SVG with links; the same is told in words by `told`.
"""

from __future__ import annotations

import html
from typing import Any

from oddtrick.book.citation import date_words
from oddtrick.judge.words import and_words
from oddtrick.law.in_force import code_data, codes

Json = Any
Point = tuple[float, float]


def when(date: str) -> tuple[float, float]:
    """The beginning and the end of a date in years: `1926-04-05` is a point, `1912` the whole year."""
    year, *rest = (int(part) for part in date.split("-"))
    if not rest:
        return year, year + 1
    day = (rest[1] - 1) / 31 if len(rest) > 1 else 0.5
    point = round(year + (rest[0] - 1 + day) / 12, 3)
    return point, point


def parents(code: str) -> list[str]:
    """The codes that a code comes from: the one it amends, and those its game grew from; each once."""
    data = code_data(code)
    base = [data["extends"]] if data["extends"] else []
    return list(dict.fromkeys([*base, *(d["from"] for d in data["descent"])]))


def children(code: str) -> list[str]:
    """The codes that come from a code, in order of date."""
    return [c for c in codes() if code in parents(c)]


def lanes() -> dict[str, int]:
    """The lane of each code: 0 for the first and the line that leads furthest from it, the others above and below."""

    def reach(code: str) -> int:
        return 1 + max((reach(c) for c in children(code)), default=0)

    found: dict[str, int] = {}
    branches = 0
    for code in codes():
        base = code_data(code)["extends"]
        ancestors = [p for p in parents(code) if p in found]
        if base in found:
            found[code] = found[base] + 1
        elif not found:
            found[code] = 0
        else:
            heirs = (
                [c for c in children(ancestors[0]) if not code_data(c)["extends"]]
                if ancestors
                else []
            )
            if heirs and code == max(heirs, key=reach):
                found[code] = found[ancestors[0]]
            else:
                branches += 1
                found[code] = (branches + 1) // 2 * (-1 if branches % 2 else 1)
    return found


def years() -> tuple[int, int]:
    """The first year of the line of time and the year after its last."""
    spans = [when(code_data(c)["date"]) for c in codes()]
    return int(min(a for a, _ in spans)), int(max(b for _, b in spans)) + 1


# --- the drawings ---------------------------------------------------------------------------------
# Time runs along one side of a drawing and the lanes along the other; lengths are CSS pixels at its own size.


def _kind(code: str, parent: str) -> str:
    """How a code comes from another: `amends`, `grew`, or `through` a game whose laws are not among the codes."""
    if code_data(code)["extends"] == parent:
        return "amends"
    way = next(d for d in code_data(code)["descent"] if d["from"] == parent)
    return "through" if way.get("through") else "grew"


def _path(start: Point, end: Point, down: bool) -> str:
    """A line from a code to the next, bent into its lane shortly before it."""
    (x1, y1), (x2, y2) = ((y, x) for x, y in (start, end)) if down else (start, end)
    bend = max(x1, x2 - 64)
    points = [(bend, y1), ((bend + x2) / 2, y1), ((bend + x2) / 2, y2), (x2, y2)]
    shown = [f"{y:g} {x:g}" if down else f"{x:g} {y:g}" for x, y in points]
    first = f"{start[0]:g} {start[1]:g}"
    return f"M{first}L{shown[0]}" + (
        f"C{shown[1]} {shown[2]} {shown[3]}" if y1 != y2 else f"L{shown[3]}"
    )


def _mark(begin: Point, end: Point, here: bool = False) -> str:
    """The mark of a code: a disc where it has a day or a month, a bar as long as the year where it has only that."""
    now = " d-here" if here else ""
    if begin == end:
        return f'<circle class="d-mark{now}" cx="{begin[0]:g}" cy="{begin[1]:g}" r="6"/>'
    x, y, wide, high = begin[0], begin[1], end[0] - begin[0], end[1] - begin[1]
    x, wide = (x, wide) if wide else (x - 5.5, 11)
    y, high = (y, high) if high else (y - 5.5, 11)
    return f'<rect class="d-mark{now}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="5.5"/>'


def _middle(begin: Point, end: Point) -> Point:
    return round((begin[0] + end[0]) / 2, 1), round((begin[1] + end[1]) / 2, 1)


def _lines(places: dict[str, tuple[Point, Point]], down: bool) -> str:
    drawn = []
    for code in codes():
        for parent in parents(code):
            start, end = _middle(*places[parent]), _middle(*places[code])
            drawn.append(f'<path class="d-{_kind(code, parent)}" d="{_path(start, end, down)}"/>')
    return "".join(drawn)


def _places(
    scale: float, start: float, lane: float, first: float, down: bool
) -> dict[str, tuple[Point, Point]]:
    """Where each code begins and ends: `scale` pixels a year from `start`, lanes `lane` apart from `first`."""
    begin, _ = years()
    rows = lanes()
    top = min(rows.values())
    made = {}
    for code in codes():
        a, b = (round(start + (t - begin) * scale, 1) for t in when(code_data(code)["date"]))
        across = first + (rows[code] - top) * lane
        made[code] = ((across, a), (across, b)) if down else ((a, across), (b, across))
    return made


def _link(code: str, up: str, x: float, y: float, anchor: str, hit: str, mark: str) -> str:
    """A code as a link: its name and its date, and the surface that answers a pointer."""
    data = code_data(code)
    date = date_words(data["date"])
    return (
        f'<a class="d-code" href="{up}codes/{code}/">{hit}{mark}'
        f'<text class="d-name" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{html.escape(data["short"])}</text>'
        f'<text class="d-date" x="{x:g}" y="{y + 17:g}" text-anchor="{anchor}"> {date}</text></a>'
    )


def _svg(name: str, kind: str, wide: float, high: float, title: str, inside: str) -> str:
    told_ = html.escape(" ".join(told(c) for c in codes()))
    return (
        f'<svg class="d-svg {kind}" viewBox="0 0 {wide:g} {high:g}" role="group" aria-labelledby="{name}-t" aria-describedby="{name}-d">'
        f'<title id="{name}-t">{html.escape(title)}</title><desc id="{name}-d">{told_}</desc>{inside}</svg>'
    )


TITLE = "The codes on a line of time"


def wide_svg(up: str) -> str:
    """The line of time from left to right; `up` leads to the root of the site."""
    begin, end = years()
    scale, left = 900 / (end - begin), 30.0
    rows = lanes()
    top = min(rows.values())
    places = _places(scale, left, 84, 56, False)
    ground = 56 + (max(rows.values()) - top) * 84 + 52
    axis = [f'<path class="d-axis" d="M{left:g} {ground}H{left + 900:g}"/>']
    for year in range(begin, end + 1):
        x = round(left + (year - begin) * scale, 1)
        axis.append(f'<path class="d-axis" d="M{x:g} {ground}v{8 if year % 5 == 0 else 4}"/>')
        if year % 5 == 0:
            axis.append(
                f'<text class="d-year" x="{x:g}" y="{ground + 24}" text-anchor="middle">{year}</text>'
            )
    made = []
    for code in codes():
        first, last = places[code]
        late = (first[0] - left) / 900 > 0.6
        if rows[code] == 0:  # over the line that goes on
            x, y, anchor = (
                (last[0] + 6, first[1] - 32, "end") if late else (first[0], first[1] - 32, "start")
            )
        else:
            x, y, anchor = (
                (first[0] - 16, first[1] - 2, "end")
                if late
                else (last[0] + 14, first[1] - 2, "start")
            )
        reach = 14 + 8.4 * len(code_data(code)["short"])
        hit = f'<rect class="d-hit" x="{x - (reach if anchor == "end" else 6):g}" y="{y - 18:g}" width="{reach + 6:g}" height="42" rx="3"/>'
        made.append(_link(code, up, x, y, anchor, hit, _mark(first, last)))
    inside = f'<g aria-hidden="true">{"".join(axis)}{_lines(places, False)}</g>{"".join(made)}'
    return _svg("line-wide", "d-wide", 960, ground + 32, TITLE, inside)


def tall_svg(up: str) -> str:
    """The same from top to bottom, for a phone: the names stand beside the line in a column."""
    begin, end = years()
    scale, first_y = 17.0, 16.0
    places = _places(scale, first_y, 26, 62, True)
    right = 62 + (max(lanes().values()) - min(lanes().values())) * 26
    bottom = first_y + (end - begin) * scale
    axis = [f'<path class="d-axis" d="M40 {first_y:g}V{bottom:g}"/>']
    for year in range(begin, end + 1):
        y = round(first_y + (year - begin) * scale, 1)
        axis.append(f'<path class="d-axis" d="M40 {y:g}h-{8 if year % 5 == 0 else 4}"/>')
        if year % 5 == 0:
            axis.append(
                f'<text class="d-year" x="28" y="{y + 4.5:g}" text-anchor="end">{year}</text>'
            )
    made = []
    column = right + 34
    for code, y in spread({c: _middle(*places[c])[1] for c in codes()}, 42, bottom - 4).items():
        x, own = _middle(*places[code])
        lead = f'<path class="d-lead" d="M{x + 8:g} {own:g}H{right + 12:g}L{column - 6:g} {y:g}"/>'
        hit = f'<rect class="d-hit" x="{column - 5:g}" y="{y - 19:g}" width="{344 - column:g}" height="39" rx="3"/>'
        made.append(_link(code, up, column, y - 2, "start", hit, lead + _mark(*places[code])))
    inside = f'<g aria-hidden="true">{"".join(axis)}{_lines(places, True)}</g>{"".join(made)}'
    return _svg("line-tall", "d-tall", 340, bottom + 18, TITLE, inside)


def spread(wanted: dict[str, float], apart: float, last: float) -> dict[str, float]:
    """Places as near as can be to those wanted, in the same order, at least so far apart and none beyond the last."""
    order = sorted(wanted, key=lambda c: wanted[c])
    made: dict[str, float] = {}
    limit = last - apart * (len(order) - 1)
    for index, code in enumerate(order):
        least = made[order[index - 1]] + apart if index else 0.0
        made[code] = max(least, min(wanted[code], limit + apart * index))
    return made


def place_svg(code: str) -> str:
    """The whole line of time small, without names, with one code filled: where it stands among the others."""
    begin, end = years()
    places = _places(332 / (end - begin), 14, 24, 18, False)
    ground = 18 + (max(lanes().values()) - min(lanes().values())) * 24 + 20
    data = code_data(code)
    marks = "".join(_mark(*places[c], c == code) for c in codes())
    x = _middle(*places[code])[0]
    axis = f'<path class="d-axis" d="M14 {ground}H346M{x:g} {ground - 4}v8"/>'
    drop = f'<path class="d-lead" d="M{x:g} {places[code][0][1] + 8:g}V{ground - 4}"/>'
    anchor = "start" if x < 60 else "end" if x > 300 else "middle"
    date = f'<text class="d-year" x="{x:g}" y="{ground + 20}" text-anchor="{anchor}">{date_words(data["date"])}</text>'
    title = html.escape(f"{data['short']} on the line of time. {told(code)}")
    return (
        f'<svg class="d-svg d-place" viewBox="0 0 360 {ground + 28}" role="img" aria-labelledby="place-t"><title id="place-t">{title}</title>'
        f"{axis}{drop}{_lines(places, False)}{marks}{date}</svg>"
    )


# --- in words -------------------------------------------------------------------------------------


def told(code: str) -> str:
    """One code in a sentence: its name, its date, what it comes from."""
    data = code_data(code)
    head = f"{data['short']}, {date_words(data['date'])}"
    ways = []
    for parent in parents(code):
        name = code_data(parent)["short"]
        kind = _kind(code, parent)
        through = next(
            (
                f" by way of {d['through']}"
                for d in data["descent"]
                if d["from"] == parent and kind == "through"
            ),
            "",
        )
        ways.append(f"amends {name}" if kind == "amends" else f"grew out of {name}{through}")
    return f"{head}, {and_words(ways) if ways else 'the first of them'}."


LEGEND = (
    ("grew", "the game grew out of the other"),
    ("through", "by way of a game whose laws are not here"),
    ("amends", "amends a code that stays in force"),
)


def legend() -> str:
    """The lines and the bar of the drawing and what they mean."""
    lines = "".join(
        f'<li><svg viewBox="0 0 34 12" aria-hidden="true"><path class="d-{kind}" d="M1 6H33"/></svg>{words}</li>'
        for kind, words in LEGEND
    )
    bar = '<li><svg viewBox="0 0 34 12" aria-hidden="true"><rect class="d-mark" x="2" y="1.5" width="30" height="9" rx="4.5"/></svg>only the year is known</li>'
    return f'<ul class="d-legend">{lines}{bar}</ul>'
