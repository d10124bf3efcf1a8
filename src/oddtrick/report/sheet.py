"""The score sheet of a rubber, and the card of a match, as the books draw them: text and SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from textwrap import fill, wrap

from oddtrick.cards import Side
from oddtrick.judge.answers import Answer, DeclarationJson, GroupJson, RecordJson
from oddtrick.law.book import book
from oddtrick.report.check import law_of, no_totals_words, totals
from oddtrick.report.words import and_words
from oddtrick.terminal import in_a_line

UNKNOWN = "?"
"""Shown in place of points that the record does not determine."""

Cell = int | str | None
"""A cell of a sheet: points, `UNKNOWN`, or nothing."""


class Undrawable(Exception):
    """Raised if no sheet can be drawn of a group; the message says why."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rubber's sheet, as the one in Work's book is kept.

    The names; what stands above the line, nearest first, a figure for each deal; below it side by
    side, `None` for the line after a game; what is added at the end; the totals, `None` where they
    cannot be told; and in sentences what is missing, and what does not count.
    """

    title: str
    names: tuple[str, str]
    above: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    below: tuple[tuple[Cell, Cell] | None, ...]
    added: tuple[int, int]
    totals: tuple[int, int] | None
    notes: tuple[str, ...]


Deals = Sequence[RecordJson]
"""The deals of a group."""


def groups(answers: Iterable[Answer]) -> Iterator[tuple[GroupJson, Deals]]:
    """Each rubber and match of a file with its deals, which are answered right before it."""
    records: list[RecordJson] = []
    for answer in answers:
        if "records" in answer:
            yield answer, records[len(records) - len(answer["records"]) :]
        elif "verdict" in answer:
            records.append(answer)


def sheet(group: GroupJson, deals: Deals, form: str = "text") -> str:
    """The sheet of a rubber or the card of a match, as `text` or `svg`. Raises `Undrawable`."""
    match = group["kind"] == "match"
    drawn = _card(match_card(group, deals)) if match else _sheet(rubber_sheet(group, deals))
    return _svg(drawn) if form == "svg" else _text(drawn)


def rubber_sheet(group: GroupJson, deals: Deals) -> Sheet:
    """The sheet of a rubber to its end or so far, with what is missing marked.

    Raises `Undrawable` where nothing was judged, or the code has no rubbers.
    """
    _drawable(group)
    above: tuple[list[Cell], list[Cell]] = ([], [])
    below: list[tuple[Cell, Cell] | None] = []
    game: tuple[list[Cell], list[Cell]] = ([], [])
    added = [0, 0]
    for deal in deals[: group["counted"]]:
        score = deal["score"]
        for index, side in enumerate(Side):
            in_honours, in_tricks = _points(deal, side)
            above[index].extend(in_honours)
            game[index].extend(in_tricks)
            added[index] += totals(score["entries"])[side]["total"] if score else 0
        if score and score["game"]:
            below += [*zip_longest(*game), None]
            game = ([], [])
    below += zip_longest(*game)
    for index, side in enumerate(Side):
        above[index].extend(e["points"] for e in group["entries"] if e["side"] == side.value)
    return Sheet(
        _title(group),
        _names(deals),
        (tuple(above[0]), tuple(above[1])),
        tuple(below),
        (added[0], added[1]),
        _totals(group),
        (*_missing_totals(group), *_late(group)),
    )


def _totals(group: GroupJson) -> tuple[int, int] | None:
    both = group["totals"]
    return (both["NS"] or 0, both["EW"] or 0) if both else None


def _points(deal: RecordJson, side: Side) -> tuple[list[Cell], list[Cell]]:
    """What a deal writes above the line and below it for a side, with marks for the unknown."""
    score = deal["score"]
    if score is None:
        return [UNKNOWN], [UNKNOWN]
    found: list[list[Cell]] = []
    for column, lost in (("honour", bool(score["open"])), ("trick", score["made"] is None)):
        points = totals(score["entries"])[side][column]
        found.append([*([points] if points else []), *([UNKNOWN] if lost else [])])
    return found[0], found[1]


def _drawable(group: GroupJson) -> None:
    """Raise `Undrawable` where there is nothing of which a sheet could be drawn."""
    if group["totals"] is None and not group["scored"]:
        raise Undrawable(f"The sheet cannot be drawn: {no_totals_words(group)}.")


def _missing_totals(group: GroupJson) -> tuple[str, ...]:
    """Why there are no totals."""
    if group["totals"] is not None:
        return ()
    return (f"The totals are not known: {no_totals_words(group)}.",)


def _late(group: GroupJson) -> tuple[str, ...]:
    """The deals after the end of a rubber, which do not count, with the law."""
    late, law = group["records"][group["counted"] :], law_of(group)
    if not late or law is None:
        return ()
    deals = and_words(late)
    laws = ", ".join(law.laws("rubber-end"))
    counts = "does" if len(late) == 1 else "do"
    return (f"{deals[0].upper() + deals[1:]} {counts} not count: the rubber was over ({laws}).",)


def _title(group: GroupJson) -> str:
    law = law_of(group)
    code = f" under {law.short}" if law else ""
    return (group["name"] or f"A {group['kind']}") + code


def _names(deals: Deals) -> tuple[str, str]:
    ours, theirs = ((deals[0]["sides"] if deals else {}).get(s.value, s.title) for s in Side)
    return ours, theirs


# --- the card of a match --------------------------------------------------------------------------

HEADS = ("Trick", "Honour", "Gain", "Declaration", "Deal", "Declaration", "Trick", "Honour", "Gain")
WIDTHS = (6, 6, 6, 11, 6, 11, 6, 6, 6)


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match's card: names, a row of nine cells for each deal, the row of totals, the totals.

    The totals are `None` where they cannot be told; `notes` say what is missing.
    """

    title: str
    names: tuple[str, str]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]
    totals: tuple[int, int] | None
    notes: tuple[str, ...]


def match_card(group: GroupJson, deals: Deals) -> MatchCard:
    """The card of a match played in one position, with what is missing marked.

    Raises `Undrawable` where nothing was judged, the code has no matches or the teams change seats.
    """
    if group["totals"] is None and group["teams"]:
        raise Undrawable("The card cannot be drawn: the teams change their seats.")
    _drawable(group)
    rows = [_match_row(deal, number) for number, deal in enumerate(deals, 1)]
    sums = [
        UNKNOWN
        if any(UNKNOWN in row[i] for row in rows)
        else str(sum(int(row[i] or 0) for row in rows))
        for i in (0, 1, 2, 6, 7, 8)
    ]
    total = (*sums[:3], "", "Totals", "", *sums[3:])
    found = tuple(rows), total, _totals(group), _missing_totals(group)
    return MatchCard(_title(group), _names(deals), *found)


def _match_row(deal: RecordJson, number: int) -> tuple[str, ...]:
    """The nine cells of a deal: points of both sides and their gains, the declaration, the tray."""
    score, final = deal["score"], deal["declaration"]
    sums = totals(score["entries"] if score else ())
    cells = []
    for side in Side:
        for column in ("trick", "honour"):
            lost = score is None or (score["open"] if column == "honour" else score["made"] is None)
            cells.append(UNKNOWN if lost else _cell(sums[side][column]))
    if score and not score["lacks"]:
        balance = sum(sums[Side.NS].values()) - sum(sums[Side.EW].values())
        gains = [_cell(max(balance, 0)), _cell(max(-balance, 0))]
    else:
        gains = [UNKNOWN, UNKNOWN]
    words = _declared(final)
    ours = final is not None and final["declarer"] in ("N", "S")
    tray = str(deal["tray"] or number)
    middle = (words if ours else "", tray, "" if ours else words)
    return (*cells[:2], gains[0], *middle, *cells[2:], gains[1])


def _cell(value: int) -> str:
    return str(value) if value else ""


def _declared(final: DeclarationJson | None) -> str:
    if final is None:
        return "passed out"
    found, doubled = book().denominations.get(final["denomination"]), final["doubled"]
    number = f"{final['odd_tricks']} " if final["odd_tricks"] else ""
    times = ("", " X", " XX")[doubled] if doubled < 3 else f" X{doubled}"
    return f"{number}{found.short if found else final['denomination']}{times}"


# --- drawn ----------------------------------------------------------------------------------------

THIN, THICK = "-", "="
"""Lines across a drawing."""

Rows = tuple[tuple[Cell, ...] | str, ...]
"""Rows of cells, and lines across."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet or a card as a table. `names` stand over so many columns each; `widths` are those of
    an SVG drawing, in letters; `ends` are the sentences below the table.
    """

    title: str
    names: tuple[tuple[str, int], ...]
    heads: tuple[str, ...]
    widths: tuple[int, ...]
    rows: Rows
    ends: tuple[str, ...] = ()


def _sheet(sheet: Sheet) -> Drawing:
    """Honours above the line, tricks below, a line under each game, totals."""
    honours = [*zip_longest(*sheet.above)][::-1]
    tricks = [row or THIN for row in sheet.below]
    added = [(*(a or None for a in sheet.added), "for the rubber")] if any(sheet.added) else []
    rows = (*honours, THICK, *tricks, *added, THICK, sheet.totals or (UNKNOWN, UNKNOWN))
    totals = [_result(sheet.names, sheet.totals)] if sheet.totals else []
    names = tuple((name, 1) for name in sheet.names)
    return Drawing(sheet.title, names, (), (20, 20), rows, (*totals, *sheet.notes))


def _card(card: MatchCard) -> Drawing:
    """A row for each deal, and the totals."""
    ours, theirs = card.names
    ends = []
    if card.totals:
        both = f"{ours} {card.totals[0]}, {theirs} {card.totals[1]}."
        ends = [f"{both} {_result(card.names, card.totals)}"]
    names = ((ours, 4), ("", 1), (theirs, 4))
    rows: Rows = (*card.rows, THICK, card.sums)
    return Drawing(card.title, names, HEADS, WIDTHS, rows, (*ends, *card.notes))


def _result(names: tuple[str, str], totals: tuple[int, int]) -> str:
    if totals[0] == totals[1]:
        return "The totals are equal."
    ahead = names[totals[1] > totals[0]]
    return f"{ahead} have the greater total, by {abs(totals[0] - totals[1])}."


def _cells(row: Sequence[Cell]) -> list[str]:
    return ["" if cell is None else str(cell) for cell in row]


def _text(drawn: Drawing) -> str:
    """A drawing in text: the columns with bars between."""
    cells = [_cells(row) for row in drawn.rows if not isinstance(row, str)]
    wide = max(16, *(len(name) + 2 for name, _ in drawn.names))
    heads = [len(head) for head in drawn.heads] or [wide] * len(drawn.names)
    widths = [max(least, *(len(row[i]) for row in cells)) for i, least in enumerate(heads)]
    over, start = list[str](), 0
    for name, columns in drawn.names:
        wide = sum(widths[start : start + columns]) + 3 * (columns - 1)
        over.append(f"{name:>{wide}}" if columns == 1 else f"{name:<{wide}}")
        start += columns

    def line(row: Sequence[Cell]) -> str:
        listed = _cells(row)
        joined = " | ".join(f"{c:>{w}}" for c, w in zip(listed, widths, strict=False))
        return "   ".join([joined, *listed[len(widths) :]]).rstrip()

    out = [
        drawn.title,
        "",
        " | ".join(over).rstrip(),
        *([line(drawn.heads)] if drawn.heads else []),
    ]
    for row in (THIN, *drawn.rows):
        across = row * (sum(widths) + 3 * (len(widths) - 1)) if isinstance(row, str) else ""
        out.append(across or line(row))
    return "\n".join([*out, *(fill(end, 80) for end in drawn.ends)]) + "\n"


STYLE = (
    "text{font-family:Georgia,'Times New Roman',serif;font-size:15px;fill:#1c1a17}"
    ".t{font-size:20px}.n{font-size:14px;font-style:italic}"
    "line{stroke:#1c1a17;stroke-width:1}.d{stroke-width:2.5}"
)
LEFT, STEP, LETTER = 30, 26, 11
"""The margin of a drawing, the height of a row and the width of a letter in pixels."""


def _svg(drawn: Drawing, ruled: bool = False) -> str:
    """A drawing as SVG; `ruled` with a line under each row."""
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
    for row in (*([drawn.heads] if drawn.heads else []), THICK, *drawn.rows):
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
    for words in (w for end in drawn.ends for w in wrap(end, max(40, (right - LEFT) // 8))):
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
    """An empty sheet of a rubber: `above` and `below` are what the two parts are called."""
    empty = [("", "")] * 9
    rows: Rows = ((above, ""), *empty, THICK, (below, ""), *empty, THICK, ("total", ""))
    return _svg(Drawing(title, (), (), (20, 20), rows))


def blank_match_svg(title: str, deals: int) -> str:
    """An empty card of a match of so many deals, two lines to each."""
    empty = ("",) * 4
    rows = tuple((*empty, str(n), *empty) for n in range(1, deals + 1))
    sums = (*empty, "Totals", *empty)
    return _svg(_card(MatchCard(title, ("", ""), rows, sums, None, ())), ruled=True)
