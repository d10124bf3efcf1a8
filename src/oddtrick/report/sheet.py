"""The score sheet of a rubber, and the card of a match, as the books draw them: text and SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from textwrap import fill, wrap

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.procedures import Final
from oddtrick.judge.rubber import GroupCheck
from oddtrick.judge.words import and_words
from oddtrick.law.book import book
from oddtrick.report.check import why_untold
from oddtrick.terminal import in_a_line

UNKNOWN = "?"
"""Stands where points belong that the record does not let be told."""

Cell = int | str | None
"""What stands in a column of a sheet: points, `UNKNOWN`, or nothing."""


class Undrawable(Exception):
    """A group of which no sheet can be drawn; the message says why."""


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


def sheet(group: GroupCheck, form: str = "text") -> str:
    """The sheet of a rubber or the card of a match, as `text` or `svg`. Raises `Undrawable`."""
    if group.group.kind == "match":
        card = match_card(group)
        return match_svg(card) if form == "svg" else match_text(card)
    page = rubber_sheet(group)
    return rubber_svg(page) if form == "svg" else rubber_text(page)


def rubber_sheet(group: GroupCheck) -> Sheet:
    """The sheet of a rubber to its end or so far, with what is missing marked.

    Raises `Undrawable` where nothing was judged, or the code has no rubbers.
    """
    _drawable(group)
    above: tuple[list[Cell], list[Cell]] = ([], [])
    below: list[tuple[Cell, Cell] | None] = []
    game: tuple[list[Cell], list[Cell]] = ([], [])
    added = [0, 0]
    for check in group.counted:
        account = check.account
        for index, side in enumerate(Side):
            in_honours, in_tricks = _points(check, side)
            above[index].extend(in_honours)
            game[index].extend(in_tricks)
            added[index] += account.points(side, "total") if account else 0
        if account and account.game:
            below += [*zip_longest(*game), None]
            game = ([], [])
    below += zip_longest(*game)
    for index, side in enumerate(Side):
        above[index].extend(e.points for e in group.entries if e.side is side)
    return Sheet(
        _title(group),
        _names(group),
        (tuple(above[0]), tuple(above[1])),
        tuple(below),
        (added[0], added[1]),
        group.totals,
        (*_untold(group), *_late(group)),
    )


def _points(check: Check, side: Side) -> tuple[list[Cell], list[Cell]]:
    """What a deal writes above the line and below it for a side, with marks for the unknown."""
    account = check.account
    if account is None:
        return [UNKNOWN], [UNKNOWN]
    found: list[list[Cell]] = []
    for column, lost in (("honour", bool(account.open)), ("trick", account.made is None)):
        points = account.points(side, column)
        found.append([*([points] if points else []), *([UNKNOWN] if lost else [])])
    return found[0], found[1]


def _drawable(group: GroupCheck) -> None:
    """Raise `Undrawable` where there is nothing of which a sheet could be drawn."""
    if group.totals is None and (group.law is None or not group.scored):
        raise Undrawable(f"The sheet cannot be drawn: {why_untold(group)}.")


def _untold(group: GroupCheck) -> tuple[str, ...]:
    """Why there are no totals."""
    if group.totals is not None:
        return ()
    return (f"The totals are not told: {why_untold(group)}.",)


def _late(group: GroupCheck) -> tuple[str, ...]:
    """The deals after the end of a rubber, which do not count, with the law."""
    late = group.checks[len(group.counted) :]
    if not late or group.law is None:
        return ()
    deals = and_words(c.record.id for c in late)
    laws = ", ".join(group.law.laws("rubber-end"))
    counts = "does" if len(late) == 1 else "do"
    return (f"{deals[0].upper() + deals[1:]} {counts} not count: the rubber was over ({laws}).",)


def _title(group: GroupCheck) -> str:
    code = f" under {group.law.short}" if group.law else ""
    return (group.group.name or f"A {group.group.kind}") + code


def _names(group: GroupCheck) -> tuple[str, str]:
    names = dict(group.checks[0].record.sides) if group.checks else {}
    return names.get(Side.NS, "North and South"), names.get(Side.EW, "East and West")


def rubber_text(sheet: Sheet) -> str:
    """The sheet in text: honours above the line, tricks below, a rule under each game, totals."""
    width = max(16, *(len(n) + 2 for n in sheet.names))

    def row(left: object, right: object) -> str:
        cells = ("" if cell is None else str(cell) for cell in (left, right))
        return " | ".join(f"{cell:>{width}}" for cell in cells).rstrip()

    height = max(len(a) for a in sheet.above)
    out = [sheet.title, "", row(*sheet.names), "-" * (2 * width + 3)]
    for index in range(height - 1, -1, -1):
        out.append(row(*(a[index] if index < len(a) else None for a in sheet.above)))
    out.append("=" * (2 * width + 3))
    out += [row(*line) if line else "-" * (2 * width + 3) for line in sheet.below]
    if any(sheet.added):
        out.append(row(*(a or None for a in sheet.added)) + "   for the rubber")
    out += ["=" * (2 * width + 3), row(*(sheet.totals or (UNKNOWN, UNKNOWN)))]
    ends = (fill(said, 80) for said in _ends(sheet.names, sheet.totals, sheet.notes))
    return "\n".join([*out, *ends]) + "\n"


def _ends(
    names: tuple[str, str], totals: tuple[int, int] | None, notes: tuple[str, ...]
) -> list[str]:
    """The sentences below a sheet or a card: what it comes to, what is missing or does not
    count."""
    return [*([_result(names, totals).strip()] if totals else []), *notes]


def _result(names: tuple[str, str], totals: tuple[int, int]) -> str:
    if totals[0] == totals[1]:
        return "The totals are equal.\n"
    return (
        f"{names[totals[1] > totals[0]]} have the greater total, by {abs(totals[0] - totals[1])}.\n"
    )


# --- the card of a match --------------------------------------------------------------------------

HEADS = ("Trick", "Honour", "Gain", "Declaration", "Deal", "Declaration", "Trick", "Honour", "Gain")


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


def match_card(group: GroupCheck) -> MatchCard:
    """The card of a match played in one position, with what is missing marked.

    Raises `Undrawable` where nothing was judged, the code has no matches or the teams change seats.
    """
    if group.totals is None and group.teams:
        raise Undrawable("The card cannot be drawn: the teams change their seats.")
    _drawable(group)
    rows = [_match_row(check, number) for number, check in enumerate(group.checks, 1)]
    sums = [
        UNKNOWN
        if any(UNKNOWN in row[i] for row in rows)
        else str(sum(int(row[i] or 0) for row in rows))
        for i in (0, 1, 2, 6, 7, 8)
    ]
    total = (*sums[:3], "", "Totals", "", *sums[3:])
    found = tuple(rows), total, group.totals, _untold(group)
    return MatchCard(_title(group), _names(group), *found)


def _match_row(check: Check, number: int) -> tuple[str, ...]:
    """The nine cells of a deal: points of both sides and their gains, the declaration, the tray."""
    account, final = check.account, check.final
    cells = []
    for side in Side:
        for column, lost in (("trick", "made"), ("honour", "open")):
            known = account is not None and (
                account.made is not None if lost == "made" else not account.open
            )
            points = account.points(side, column) if account else 0
            cells.append(_cell(points) if known else UNKNOWN)
    if account and not account.missing:
        balance = account.total(Side.NS) - account.total(Side.EW)
        gains = [_cell(max(balance, 0)), _cell(max(-balance, 0))]
    else:
        gains = [UNKNOWN, UNKNOWN]
    words = _declared(final)
    ours = final is not None and final.declarer is not None and final.declarer.side is Side.NS
    tray = str(check.record.tray.value) if check.record.tray else str(number)
    middle = (words if ours else "", tray, "" if ours else words)
    return (*cells[:2], gains[0], *middle, *cells[2:], gains[1])


def _cell(value: int) -> str:
    return str(value) if value else ""


def _declared(final: Final | None) -> str:
    if final is None:
        return "passed out"
    found = book().denominations.get(final.denomination)
    number = f"{final.odd_tricks} " if final.odd_tricks else ""
    times = ("", " X", " XX")[final.doubled] if final.doubled < 3 else f" X{final.doubled}"
    return f"{number}{found.short if found else final.denomination}{times}"


def match_text(card: MatchCard) -> str:
    """The card in text."""
    widths = [
        max(len(h), *(len(r[i]) for r in (*card.rows, card.sums))) for i, h in enumerate(HEADS)
    ]

    def row(cells: tuple[str, ...]) -> str:
        return " | ".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True)).rstrip()

    line = "-+-".join("-" * w for w in widths)
    half = sum(widths[:4]) + 9
    names = f"{card.names[0]:<{half}} | {'':>{widths[4]}} | {card.names[1]}"
    body = [
        card.title,
        "",
        names,
        row(HEADS),
        line,
        *(row(r) for r in card.rows),
        line,
        row(card.sums),
    ]
    return "\n".join([*body, *_card_ends(card)]) + "\n"


def _card_ends(card: MatchCard) -> list[str]:
    """Both totals and which is the greater, or what is missing."""
    if card.totals is None:
        return list(card.notes)
    ends = f"{card.names[0]} {card.totals[0]}, {card.names[1]} {card.totals[1]}. "
    return [ends + _result(card.names, card.totals).strip(), *card.notes]


# --- SVG ------------------------------------------------------------------------------------------

_STYLE = (
    "text{font-family:Georgia,'Times New Roman',serif;font-size:15px;fill:#1c1a17}"
    ".t{font-size:20px}.n{font-size:14px;font-style:italic}.s{font-weight:bold}"
    "line{stroke:#1c1a17;stroke-width:1}.d{stroke-width:2.5}"
)


class _Svg:
    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height = width, height
        self.parts = [
            f"<title>{escape(in_a_line(title))}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" fill="#fffdf7"/>',
        ]

    def text(self, x: float, y: float, words: str, anchor: str = "end", kind: str = "") -> None:
        of_kind = f' class="{kind}"' if kind else ""
        place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"{of_kind}'
        self.parts.append(f"<text {place}>{escape(in_a_line(words))}</text>")

    def line(self, x1: float, y1: float, x2: float, y2: float, double: bool = False) -> None:
        kind = ' class="d"' if double else ""
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"{kind}/>')

    def done(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">'
        )
        return "\n".join([head, *self.parts, "</svg>"]) + "\n"


def rubber_svg(sheet: Sheet) -> str:
    """The sheet as SVG: two columns, the line across the middle, a rule under each game."""
    step, left, middle, right = 24, 40, 230, 420
    height = max(len(a) for a in sheet.above)
    rows = height + len(sheet.below) + 6
    svg = _Svg(460, 120 + step * rows, sheet.title)
    svg.text(230, 38, sheet.title, "middle", "t")
    svg.text((left + middle) / 2, 70, sheet.names[0], "middle", "n")
    svg.text((middle + right) / 2, 70, sheet.names[1], "middle", "n")
    svg.line(left, 80, right, 80)
    y = 80 + step * (height + 1)
    for index in range(height):
        for column, edge in ((0, middle), (1, right)):
            if index < len(sheet.above[column]):
                svg.text(edge - 20, y - 10 - step * index, str(sheet.above[column][index]))
    svg.line(left, y, right, y, True)
    for entry in sheet.below:
        if entry is None:
            svg.line(left, y + 8, right, y + 8)
            y += 10
            continue
        y += step
        for value, edge in zip(entry, (middle, right), strict=True):
            if value:
                svg.text(edge - 20, y - 4, str(value))
    if any(sheet.added):
        y += step
        for value, edge in zip(sheet.added, (middle, right), strict=True):
            if value:
                svg.text(edge - 20, y - 2, str(value))
    svg.line(left, y + 12, right, y + 12, True)
    for total, edge in zip(sheet.totals or (UNKNOWN, UNKNOWN), (middle, right), strict=True):
        svg.text(edge - 20, y + 34, str(total), kind="s")
    svg.line(middle, 56, middle, y + 44)
    for sentence in _ends(sheet.names, sheet.totals, sheet.notes):
        for words in wrap(sentence, 60):
            svg.text(230, y + 70, words, "middle", "n")
            y += 20
    svg.height = int(y + 72)
    svg.parts[2] = f'<rect width="{svg.width}" height="{svg.height}" fill="#fffdf7"/>'
    return svg.done()


def blank_rubber_svg(title: str, above: str, below: str) -> str:
    """An empty sheet of a rubber: `above` and `below` are what the two parts are called."""
    left, middle, right, top, line, foot = 40, 250, 460, 96, 400, 640
    svg = _Svg(500, 720, title)
    svg.text(middle, 38, title, "middle", "t")
    svg.line(left, top - 24, right, top - 24)
    svg.line(left, top, right, top)
    svg.text(left, top + 18, above, "start", "n")
    svg.line(left, line, right, line, True)
    svg.text(left, line + 18, below, "start", "n")
    svg.line(left, foot, right, foot, True)
    svg.text(left, foot + 24, "total", "start", "n")
    svg.line(left, foot + 48, right, foot + 48)
    svg.line(middle, top - 48, middle, foot + 48)
    return svg.done()


def blank_match_svg(title: str, deals: int) -> str:
    """An empty card of a match of so many deals, two lines to each."""
    empty = ("",) * len(HEADS)
    rows = tuple((*empty[:4], str(n), *empty[5:]) for n in range(1, deals + 1))
    sums = (*empty[:4], "Totals", *empty[5:])
    return match_svg(MatchCard(title, ("", ""), rows, sums, None, ()))


def match_svg(card: MatchCard) -> str:
    """The card as SVG: nine columns, a row for each deal."""
    widths = (60, 66, 60, 110, 64, 110, 60, 66, 60)
    edges = [30 + sum(widths[: i + 1]) for i in range(len(widths))]
    step, top = 26, 112
    height = top + step * (len(card.rows) + 2) + 60
    svg = _Svg(edges[-1] + 30, height, card.title)
    svg.text(svg.width / 2, 38, card.title, "middle", "t")
    svg.text((30 + edges[3]) / 2, 68, card.names[0], "middle", "n")
    svg.text((edges[4] + edges[-1]) / 2, 68, card.names[1], "middle", "n")
    for head, edge, width in zip(HEADS, edges, widths, strict=True):
        svg.text(edge - width / 2, 98, head, "middle", "n")
    y = top - 6
    svg.line(30, y, edges[-1], y, True)
    for row in (*card.rows, card.sums):
        total = row is card.sums
        if total:
            svg.line(30, y + 4, edges[-1], y + 4, True)
        y += step
        for cell, edge, width in zip(row, edges, widths, strict=True):
            svg.text(edge - width / 2, y - 4, cell, "middle", "s" if total else "")
        if not total:
            svg.line(30, y + 4, edges[-1], y + 4)
    for edge in (30, *edges):
        svg.line(edge, 78, edge, y + 6)
    for place, words in enumerate(w for s in _card_ends(card) for w in wrap(s, 90)):
        svg.text(svg.width / 2, y + 38 + 20 * place, words, "middle", "n")
        svg.height = max(svg.height, int(y + 60 + 20 * place))
    svg.parts[2] = f'<rect width="{svg.width}" height="{svg.height}" fill="#fffdf7"/>'
    return svg.done()
