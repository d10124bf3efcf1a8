"""The timeline of the codes, drawn and in words: their dates, which code amends which, and which
game grew out of which.

It is computed from the data of the codes: `date`, `extends` and `descent`.
"""

from __future__ import annotations

from oddtrick.book.write_citation import date_words
from oddtrick.law.book import book
from oddtrick.law.names import and_words
from oddtrick.site.drawing import WIDE, Drawing, Path, Row, marks

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
    """The codes from which a code derives: the one it amends, and those whose games its game grew
    out of.

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


def line_of_time(here: str = "") -> Drawing:
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
