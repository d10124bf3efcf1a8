"""The codes on a line of time, drawn: when each was made, which amends which, and which game grew
from which.

Everything follows from the data of the codes: `date`, `extends` and `descent`. A code stands in a
lane: the line that leads furthest runs straight on, the others branch off, and a code that amends
another stands below it. `templates/line.html` draws it as SVG with links; the same is told in words
by `told`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oddtrick.book.write_citation import date_words
from oddtrick.judge.words import and_words
from oddtrick.law.book import book
from oddtrick.law.model import Code

Point = tuple[float, float]
Places = dict[str, tuple[Point, Point]]
"""Where each code begins and ends."""
NEAR = 8
"""Of two codes so few years apart in one lane the names would touch."""


def when(date: str) -> tuple[float, float]:
    """The beginning and the end of a date in years: `1926-04-05` is a point, `1912` the
    whole year.
    """
    year, *rest = (int(part) for part in date.split("-"))
    if not rest:
        return year, year + 1
    day = (rest[1] - 1) / 31 if len(rest) > 1 else 0.5
    point = round(year + (rest[0] - 1 + day) / 12, 3)
    return point, point


def parents(code: str) -> list[str]:
    """The codes that a code comes from: the one it amends, and those its game grew from;
    each once.
    """
    own = book().code(code)
    base = [own.extends] if own.extends else []
    return list(dict.fromkeys([*base, *(d.of for d in own.descent)]))


def children(code: str) -> list[str]:
    """The codes that come from a code, in order of date."""
    return [c for c in book().by_date if code in parents(c)]


def lanes() -> dict[str, int]:
    """The lane of each code: 0 for the longest line from code to code, others above and below.

    What grew from a code on the straight line, and what only amends one, stands below; a code that
    grew from none here, and what grew from it, above.
    """
    straight = _longest()
    found: dict[str, int] = {}
    for code in book().by_date:
        base = book().code(code).extends
        near = next((found[p] for p in parents(code) if p in found), -1)
        if code in straight:
            found[code] = 0
        elif base in found:
            found[code] = _clear(found[base] + 1, code, found)
        elif near < 0:
            found[code] = min(found.values(), default=0) - 1
        else:
            found[code] = max(found.values()) + 1
    return found


def _clear(lane: int, code: str, found: Mapping[str, int]) -> int:
    """A lane, or the first below it, in which no code stands so near that their names touch."""
    begin = when(book().code(code).date)[0]
    while any(
        other == lane and abs(begin - when(book().code(c).date)[0]) < NEAR
        for c, other in found.items()
    ):
        lane += 1
    return lane


def _longest() -> list[str]:
    """The line from code to code that leads furthest, without one at its end that only amends."""

    def reach(code: str) -> int:
        return 1 + max((reach(c) for c in children(code)), default=0)

    found = [max(book().by_date, key=reach)]
    while heirs := [c for c in children(found[-1]) if children(c) or not book().code(c).extends]:
        found.append(max(heirs, key=reach))
    return found


def years() -> tuple[int, int]:
    """The first year of the line of time and the year after its last."""
    spans = [when(code.date) for code in map(book().code, book().by_date)]
    return int(min(a for a, _ in spans)), int(max(b for _, b in spans)) + 1


# --- the drawings ---------------------------------------------------------------------------------
# Time runs along one side of a drawing and the lanes along the other; lengths are CSS pixels at its
# own size.


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a code: a disc where it has a day or a month, else a bar as long as the year
    (`size`).
    """

    at: Point
    size: Point | None
    here: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A year on the axis: its stroke, and every fifth its words with their place."""

    stroke: str
    year: int | None
    at: Point


@dataclass(frozen=True, slots=True)
class Name:
    """A code as a link: the place of its name, to which side it runs, the surface that answers a
    pointer, its mark.

    `lead` is the line that leads from the mark to the name, where they stand apart.
    """

    code: Code
    at: Point
    anchor: str
    surface: tuple[float, float, float, float]
    mark: Mark
    date: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A line of time: its size, its axis with the years, the ways from code to code (kind and
    path), the names.
    """

    id: str
    kind: str
    size: Point
    axis: str
    ticks: tuple[Tick, ...]
    ways: tuple[tuple[str, str], ...]
    names: tuple[Name, ...]
    told: str


def drawings() -> list[Drawing]:
    """The line of time from left to right, and from top to bottom for a phone."""
    return [wide(), tall()]


def _kind(code: str, parent: str) -> str:
    """How a code comes from another: `amends`, `grew`, or `through` a game whose laws are not among
    the codes.
    """
    own = book().code(code)
    if own.extends == parent:
        return "amends"
    return "through" if next(d for d in own.descent if d.of == parent).through else "grew"


def _path(start: Point, end: Point, down: bool) -> str:
    """A line from a code to the next, bent into its lane shortly before it."""
    (x1, y1), (x2, y2) = ((y, x) for x, y in (start, end)) if down else (start, end)
    bend = max(x1, x2 - 64)
    points = [(bend, y1), ((bend + x2) / 2, y1), ((bend + x2) / 2, y2), (x2, y2)]
    shown = [f"{y:g} {x:g}" if down else f"{x:g} {y:g}" for x, y in points]
    curve = f"C{shown[1]} {shown[2]} {shown[3]}" if y1 != y2 else f"L{shown[3]}"
    return f"M{start[0]:g} {start[1]:g}L{shown[0]}{curve}"


def _mark(begin: Point, end: Point, here: bool = False) -> Mark:
    if begin == end:
        return Mark(begin, None, here)
    x, y, across, high = begin[0], begin[1], end[0] - begin[0], end[1] - begin[1]
    x, across = (x, across) if across else (x - 5.5, 11)
    y, high = (y, high) if high else (y - 5.5, 11)
    return Mark((x, y), (across, high), here)


def _middle(begin: Point, end: Point) -> Point:
    return round((begin[0] + end[0]) / 2, 1), round((begin[1] + end[1]) / 2, 1)


def _ways(places: Places, down: bool) -> Iterator[tuple[str, str]]:
    for code in book().by_date:
        for parent in parents(code):
            start, end = _middle(*places[parent]), _middle(*places[code])
            yield _kind(code, parent), _path(start, end, down)


def _places(scale: float, start: float, lane: float, first: float, down: bool) -> Places:
    """Where each code begins and ends: `scale` pixels a year from `start`, lanes `lane` apart from
    `first`.
    """
    begin, _ = years()
    rows = lanes()
    top = min(rows.values())
    made = {}
    for code in map(book().code, book().by_date):
        a, b = (round(start + (t - begin) * scale, 1) for t in when(code.date))
        across = first + (rows[code.id] - top) * lane
        made[code.id] = ((across, a), (across, b)) if down else ((a, across), (b, across))
    return made


def wide() -> Drawing:
    """The line of time from left to right."""
    begin, end = years()
    scale, left = 900 / (end - begin), 30.0
    rows = lanes()
    places = _places(scale, left, 84, 56, False)
    ground = 56 + (max(rows.values()) - min(rows.values())) * 84 + 52
    ticks = []
    for year in range(begin, end + 1):
        x, fifth = round(left + (year - begin) * scale, 1), year % 5 == 0
        stroke = f"M{x:g} {ground}v{8 if fifth else 4}"
        ticks.append(Tick(stroke, year if fifth else None, (x, ground + 24)))
    names = []
    for code in map(book().code, book().by_date):
        first, last = places[code.id]
        late = (first[0] - left) / 900 > 0.6
        if rows[code.id] == 0 or children(code.id):  # over the line that goes on
            x, y = last[0] + 6 if late else first[0], first[1] - 32
        else:
            x, y = first[0] - 16 if late else last[0] + 14, first[1] - 2
        reach = 14 + 8.4 * len(code.short)
        surface = (x - (reach if late else 6), y - 18, reach + 6, 42)
        anchor = "end" if late else "start"
        names.append(Name(code, (x, y), anchor, surface, _mark(first, last), date_words(code.date)))
    return Drawing(
        "line-wide",
        "d-wide",
        (960, ground + 32),
        f"M{left:g} {ground}H{left + 900:g}",
        tuple(ticks),
        tuple(_ways(places, False)),
        tuple(names),
        _all_told(),
    )


def tall() -> Drawing:
    """The same from top to bottom: the names stand beside the line in a column."""
    begin, end = years()
    scale, top = 17.0, 16.0
    places = _places(scale, top, 26, 62, True)
    right = 62 + (max(lanes().values()) - min(lanes().values())) * 26
    bottom = top + (end - begin) * scale
    ticks = []
    for year in range(begin, end + 1):
        y, fifth = round(top + (year - begin) * scale, 1), year % 5 == 0
        stroke = f"M40 {y:g}h-{8 if fifth else 4}"
        ticks.append(Tick(stroke, year if fifth else None, (28, y + 4.5)))
    column = right + 34
    wanted = {c: _middle(*places[c])[1] for c in book().by_date}
    names = []
    for name, y in spread(wanted, 42, bottom - 4).items():
        x, own = _middle(*places[name])
        lead = f"M{x + 8:g} {own:g}H{right + 12:g}L{column - 6:g} {y:g}"
        surface = (column - 5, y - 19, 344 - column, 39)
        code, mark = book().code(name), _mark(*places[name])
        names.append(
            Name(code, (column, y - 2), "start", surface, mark, date_words(code.date), lead)
        )
    return Drawing(
        "line-tall",
        "d-tall",
        (340, bottom + 18),
        f"M40 {top:g}V{bottom:g}",
        tuple(ticks),
        tuple(_ways(places, True)),
        tuple(names),
        _all_told(),
    )


def spread(wanted: dict[str, float], apart: float, last: float) -> dict[str, float]:
    """Places as near as can be to those wanted, in the same order, so far apart at least and none
    beyond the last.
    """
    order = sorted(wanted, key=lambda c: wanted[c])
    made: dict[str, float] = {}
    limit = last - apart * (len(order) - 1)
    for index, code in enumerate(order):
        least = made[order[index - 1]] + apart if index else 0.0
        made[code] = max(least, min(wanted[code], limit + apart * index))
    return made


@dataclass(frozen=True, slots=True)
class Place:
    """The whole line of time small, without names, with one code filled: where it stands among the
    others.
    """

    high: float
    axis: str
    drop: str
    ways: tuple[tuple[str, str], ...]
    marks: tuple[Mark, ...]
    date: str
    at: Point
    anchor: str
    title: str


def place(code: str) -> Place:
    """The line of time for the page of a code."""
    begin, end = years()
    places = _places(332 / (end - begin), 14, 24, 18, False)
    ground = 18 + (max(lanes().values()) - min(lanes().values())) * 24 + 20
    own = book().code(code)
    x = _middle(*places[code])[0]
    return Place(
        ground + 28,
        f"M14 {ground}H346M{x:g} {ground - 4}v8",
        f"M{x:g} {places[code][0][1] + 8:g}V{ground - 4}",
        tuple(_ways(places, False)),
        tuple(_mark(*places[c], c == code) for c in book().by_date),
        date_words(own.date),
        (x, ground + 20),
        "start" if x < 60 else "end" if x > 300 else "middle",
        f"{own.short} on the line of time. {told(code)}",
    )


# --- in words -------------------------------------------------------------------------------------


def told(code: str) -> str:
    """One code in a sentence: its name, its date, what it comes from."""
    own = book().code(code)
    ways = []
    for parent in parents(code):
        name, kind = book().code(parent).short, _kind(code, parent)
        through = next((d.through for d in own.descent if d.of == parent and d.through), None)
        way = f" by way of {through}" if through and kind == "through" else ""
        ways.append(f"amends {name}" if kind == "amends" else f"grew out of {name}{way}")
    head = f"{own.short}, {date_words(own.date)}"
    return f"{head}, {and_words(ways) if ways else 'the first of them'}."


def _all_told() -> str:
    return " ".join(told(code) for code in book().by_date)


LEGEND = (
    ("grew", "the game grew out of the other"),
    ("through", "by way of a game whose laws are not here"),
    ("amends", "amends a code that stays in force"),
)
"""The lines of the drawing and what they mean."""
