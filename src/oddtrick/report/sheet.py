"""The score sheet of a rubber and the card of a match, as the books draw them, in text and SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import zip_longest
from textwrap import fill, wrap

from oddtrick.cards import SEATS, Side
from oddtrick.judge import Json
from oddtrick.law.book import book
from oddtrick.law.names import and_words
from oddtrick.report.check import doubt_words, is_final, law_of, no_totals_words, totals
from oddtrick.report.words import team_words
from oddtrick.rulings.words import upper
from oddtrick.terminal import in_a_line

UNKNOWN = "?"
"""Shown in place of points that the record does not determine."""

Cell = int | str | None
"""A cell of a sheet: points, `UNKNOWN`, or empty."""

Deals = Sequence[Json]
"""The deals of a group."""

Totals = tuple[int, int] | None


class Undrawable(Exception):
    """Raised if no sheet can be drawn for a group; the message says why."""


def groups(answers: Iterable[Json]) -> Iterator[tuple[Json, Deals]]:
    """Each rubber and match of a file with its deals, whose answers precede it."""
    records: list[Json] = []
    for answer in answers:
        if "records" in answer:
            yield answer, records[len(records) - len(answer["records"]) :]
        elif "verdict" in answer:
            records.append(answer)


def sheet(group: Json, deals: Deals, form: str = "text") -> str:
    """The sheet of a rubber or the card of a match, as `text` or `svg`. Raises `Undrawable`."""
    match = group["kind"] == "match"
    drawn = match_card(group, deals) if match else rubber_sheet(group, deals)
    return _svg(drawn) if form == "svg" else _text(drawn)


def _begun(group: Json, deals: Deals) -> tuple[str, tuple[str, str], Totals, tuple[str, ...]]:
    """The title of a sheet, the names of the sides, the totals, and notes on why any are missing.

    Raises `Undrawable` if nothing was judged or the code has no such groups.
    """
    law, both = law_of(group), group["totals"]
    if both is None and not group["scored"]:
        raise Undrawable(f"The sheet cannot be drawn: {no_totals_words(group)}.")
    title = (group["name"] or f"A {group['kind']}") + (f" under {law.short}" if law else "")
    ours, theirs = ((deals[0]["sides"] if deals else {}).get(s.value, s.title) for s in Side)
    if both:
        return title, (ours, theirs), (both["NS"] or 0, both["EW"] or 0), ()
    return title, (ours, theirs), None, (f"The totals are not known: {no_totals_words(group)}.",)


def _points(deal: Json, side: Side, column: str) -> tuple[int, bool]:
    """The points of a side in a column for a deal, and whether part of them is unknown."""
    score = deal["score"]
    if score is None:
        return 0, True
    lost = bool(score["open"]) if column == "honour" else score["made"] is None
    return totals(score["entries"])[side][column], lost


def _result(names: tuple[str, str], totals: Totals) -> tuple[str, ...]:
    """A sentence on which side has the greater total; empty if the totals are not known."""
    if totals is None:
        return ()
    if totals[0] == totals[1]:
        return ("The totals are equal.",)
    ahead = names[totals[1] > totals[0]]
    return (f"{ahead} have the greater total, by {abs(totals[0] - totals[1])}.",)


# --- the sheet of a rubber ------------------------------------------------------------------------

THIN, THICK = "-", "="
"""Characters for the horizontal lines of a drawing."""

Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet or a card as a table: its rows and the lines between them.

    Each of `names` spans a number of columns; `widths` are those of an SVG drawing, in characters.
    `sums` is the last row. `result` and `notes` are sentences below the table: what is missing, and
    what does not count.
    """

    title: str
    names: tuple[tuple[str, int], ...]
    heads: Row
    widths: tuple[int, ...]
    rows: tuple[Row | str, ...]
    sums: Row
    result: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def rubber_sheet(group: Json, deals: Deals) -> Drawing:
    """The sheet of a rubber, finished or not, as in Work's book, with missing points marked.

    Honours are above the thick line, the last on top; tricks below it, with a line under each game;
    then what is added for the rubber. Raises `Undrawable` if nothing was judged or the code has no
    rubbers.
    """
    title, names, both, missing = _begun(group, deals)
    above: tuple[list[Cell], list[Cell]] = ([], [])
    game: tuple[list[Cell], list[Cell]] = ([], [])
    below: list[Row | str] = []
    added = [0, 0]
    for deal in deals[: group["counted"]]:
        for index, side in enumerate(Side):
            for column, line in (("honour", above), ("trick", game)):
                points, lost = _points(deal, side, column)
                line[index].extend([points] * bool(points) + [UNKNOWN] * lost)
            added[index] += _points(deal, side, "total")[0]
        if deal["score"] and deal["score"]["game"]:
            below += [*zip_longest(*game), THIN]
            game = ([], [])
    below += zip_longest(*game)
    if any(added):
        below.append((*(a or None for a in added), "for the rubber"))
    for index, side in enumerate(Side):
        above[index].extend(e["points"] for e in group["entries"] if e["side"] == side.value)
    return Drawing(
        title,
        tuple((name, 1) for name in names),
        (),
        (20, 20),
        (*[*zip_longest(*above)][::-1], THICK, *below),
        both or (UNKNOWN, UNKNOWN),
        _result(names, both) if is_final(group) else (),
        (*missing, *_after_the_end(group)),
    )


def _after_the_end(group: Json) -> tuple[str, ...]:
    """A note on deals after the end of a rubber, which do not count, with the law."""
    late, law = group["records"][group["counted"] :], law_of(group)
    if not late or law is None:
        return ()
    deals, laws = and_words(late), ", ".join(law.laws("rubber-end"))
    counts = "does" if len(late) == 1 else "do"
    return (f"{deals[0].upper() + deals[1:]} {counts} not count: the rubber was over ({laws}).",)


# --- the card of a match --------------------------------------------------------------------------

HEADS = ("Trick", "Honour", "Gain", "Declaration", "Deal", "Declaration", "Trick", "Honour", "Gain")
WIDTHS = (6, 6, 6, 11, 6, 11, 6, 6, 6)


def match_card(group: Json, deals: Deals) -> Drawing:
    """The card of a match: nine cells for each deal, missing points marked.

    The team that sits North and South first is on the left throughout. Raises `Undrawable` if
    nothing was judged, the code has no matches or there are more than two teams.
    """
    title, names, both, notes = _begun(group, deals)
    seated = [[deal["sides"].get(s.value, s.title) for s in Side] for deal in deals]
    if len(teams := dict.fromkeys(team for sides in seated for team in sides)) > 2:
        raise Undrawable(
            "The card cannot be drawn: it has room for two teams, but the deals name "
            f"{and_words(teams)}. Write `sides` in every deal, with the same two names."
        )
    on_left = (Side.NS if ours == names[0] else Side.EW for ours, _ in seated)
    drawn = enumerate(zip(deals, on_left, strict=True), 1)
    rows = [_match_row(deal, number, left) for number, (deal, left) in drawn]
    columns = ([row[i] for row in rows] for i in (0, 1, 2, 6, 7, 8))
    sums = [UNKNOWN if UNKNOWN in c else str(sum(int(cell or 0) for cell in c)) for c in columns]
    result = _result(names, both)
    if both:
        result = (f"{names[0]} {both[0]}, {names[1]} {both[1]}. {result[0]}",)
    elif group["teams"]:
        result, notes = tuple(f"{team_words(team)}." for team in group["teams"]), ()
    result += tuple(f"{upper(words)}." for words in doubt_words(group))
    foot = (*sums[:3], "", "Totals", "", *sums[3:])
    return replace(_card(title, *names, rows, foot), result=result, notes=notes)


def _card(title: str, ours: str, theirs: str, rows: Iterable[Row], sums: Row) -> Drawing:
    names = ((ours, 4), ("", 1), (theirs, 4))
    return Drawing(title, names, HEADS, WIDTHS, tuple(rows), sums)


def _match_row(deal: Json, number: int, left: Side) -> tuple[str, ...]:
    """The nine cells of a deal: points and gains of both sides, the declaration, the tray."""
    score, final = deal["score"], deal["declaration"]
    made = [[_points(deal, side, c) for c in ("trick", "honour")] for side in (left, left.other)]
    ours, theirs = (sum(points for points, _ in of) for of in made)
    known = score is not None and not score["lacks"]
    for of, gain in zip(made, (ours - theirs, theirs - ours), strict=True):
        of.append((max(gain, 0), not known))
    first, last = ([UNKNOWN if lost else str(n or "") for n, lost in of] for of in made)
    words = _declared(final) if final else "passed out" if deal["passed_out"] else UNKNOWN
    declares = final is not None and final["declarer"] in [s.value for s in SEATS if s.side is left]
    middle = (words if declares else "", str(deal["tray"] or number), "" if declares else words)
    return (*first, *middle, *last)


def _declared(final: Json) -> str:
    found, doubled = book().denominations.get(final["denomination"]), final["doubled"]
    number = f"{final['odd_tricks']} " if final["odd_tricks"] else ""
    times = ("", " X", " XX")[doubled] if doubled < 3 else f" X{doubled}"
    return f"{number}{found.short if found else final['denomination']}{times}"


# --- drawings -------------------------------------------------------------------------------------


def _cells(row: Row) -> list[str]:
    return ["" if cell is None else str(cell) for cell in row]


def _text(drawn: Drawing) -> str:
    rows = (THIN, *drawn.rows, THICK, drawn.sums)
    cells = [_cells(row) for row in rows if not isinstance(row, str)]
    wide = max(16, *(len(name) + 2 for name, _ in drawn.names))
    heads = [len(head) for head in _cells(drawn.heads)] or [wide] * len(drawn.names)
    widths = [max(least, *(len(row[i]) for row in cells)) for i, least in enumerate(heads)]
    over, start = list[str](), 0
    for name, columns in drawn.names:
        wide = sum(widths[start : start + columns]) + 3 * (columns - 1)
        over.append(f"{name:>{wide}}" if columns == 1 else f"{name:<{wide}}")
        start += columns

    def line(row: Row | str) -> str:
        if isinstance(row, str):
            return row * (sum(widths) + 3 * (len(widths) - 1))
        listed = _cells(row)
        joined = " | ".join(f"{c:>{w}}" for c, w in zip(listed, widths, strict=False))
        return "   ".join([joined, *listed[len(widths) :]]).rstrip()

    out = [drawn.title, "", " | ".join(over).rstrip()]
    out += [line(drawn.heads)] if drawn.heads else []
    ends = (fill(end, 80, break_on_hyphens=False) for end in (*drawn.result, *drawn.notes))
    return "\n".join([*out, *map(line, rows), *ends]) + "\n"


STYLE = (
    "text{font-family:Georgia,'Times New Roman',serif;font-size:15px;fill:#1c1a17}"
    ".t{font-size:20px}.n{font-size:14px;font-style:italic}"
    "line{stroke:#1c1a17;stroke-width:1}.d{stroke-width:2.5}"
)
LEFT, STEP, LETTER = 30, 26, 11
"""The margin, the height of a row and the width of a character in an SVG drawing, in pixels."""


def _svg(drawn: Drawing, ruled: bool = False) -> str:
    """A drawing as SVG; if `ruled`, with a line under each row."""
    edges = [LEFT + LETTER * sum(drawn.widths[:i]) for i in range(len(drawn.widths) + 1)]
    right, parts = edges[-1], list[str]()

    def text(x: float, y: float, words: str, anchor: str = "end", kind: str = "n") -> None:
        place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}"'
        parts.append(f"<text {place}>{escape(in_a_line(words))}</text>")

    def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>')

    middle, y, start = (LEFT + right) / 2, 68, 0
    text(middle, 38, drawn.title, "middle", "t")
    for name, columns in drawn.names:
        text((edges[start] + edges[start + columns]) / 2, y, name, "middle")
        start += columns
    heads = [drawn.heads] if drawn.heads else []
    for row in (*heads, THICK, *drawn.rows, THICK, drawn.sums):
        if isinstance(row, str):
            line(LEFT, y + 8, right, y + 8, "d" if row == THICK else "")
            y += 10 if row == THIN else 6
            continue
        y += STEP
        for cell, edge in zip(_cells(row), edges[1:], strict=False):
            text(edge - 10, y, cell, kind="n" if row is drawn.heads else "")
        if ruled:
            line(LEFT, y + 8, right, y + 8, "")
    for edge in edges[1:-1]:
        line(edge, 76, edge, y + 8, "")
    wide = max(40, (right - LEFT) // 8)
    for words in (
        w for end in (*drawn.result, *drawn.notes) for w in wrap(end, wide, break_on_hyphens=False)
    ):
        y += 24
        text(middle, y + 14, words, "middle")
    wide, high = right + LEFT, y + 40
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{escape(in_a_line(drawn.title))}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{wide}" height="{high}" fill="#fffdf7"/>',
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def blank_rubber_svg(title: str, above: str, below: str) -> str:
    """An empty rubber sheet; `above` and `below` are the names of the two parts."""
    empty = [("", "")] * 9
    rows = ((above, ""), *empty, THICK, (below, ""), *empty)
    return _svg(Drawing(title, (), (), (20, 20), rows, ("total", "")))


def blank_match_svg(title: str, deals: int) -> str:
    """An empty match card for this many deals, with a ruled row for each."""
    empty = ("",) * 4
    rows = [(*empty, str(n), *empty) for n in range(1, deals + 1)]
    return _svg(_card(title, "", "", rows, (*empty, "Totals", *empty)), ruled=True)
