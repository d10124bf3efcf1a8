"""The score sheet of a rubber, and the card of a match, as the books draw them: text and SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import zip_longest

from oddtrick.cards import Side
from oddtrick.judge.procedures import Final
from oddtrick.judge.rubber import GroupCheck
from oddtrick.law.in_force import denomination_table

UNSCORED = "The sheet cannot be drawn: not every deal could be scored."


class Undrawable(Exception):
    """A group of which no sheet can be drawn; the message says why."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rubber's sheet, as the one in Work's book is kept.

    The names; what stands above the line, nearest first, a figure for each deal; below it side by
    side, `None` for the line after a game; what is added at the end; the totals.
    """

    title: str
    names: tuple[str, str]
    above: tuple[tuple[int, ...], tuple[int, ...]]
    below: tuple[tuple[int | None, int | None] | None, ...]
    added: tuple[int, int]
    totals: tuple[int, int]


def sheet(group: GroupCheck, form: str = "text") -> str:
    """The sheet of a rubber or the card of a match, as `text` or `svg`. Raises `Undrawable`."""
    if group.group.kind == "match":
        card = match_card(group)
        return match_svg(card) if form == "svg" else match_text(card)
    page = rubber_sheet(group)
    return rubber_svg(page) if form == "svg" else rubber_text(page)


def rubber_sheet(group: GroupCheck) -> Sheet:
    """The sheet of a rubber that has been scored to its end or so far. Raises `Undrawable`."""
    if group.totals is None:
        raise Undrawable(UNSCORED)
    above: tuple[list[int], list[int]] = ([], [])
    below: list[tuple[int | None, int | None] | None] = []
    game: tuple[list[int], list[int]] = ([], [])
    added = [0, 0]
    for check in group.checks:
        if check.account is None:
            continue
        for index, side in enumerate(Side):
            if points := check.account.points(side, "honour"):
                above[index].append(points)
            if points := check.account.points(side, "trick"):
                game[index].append(points)
            added[index] += check.account.points(side, "total")
        if check.account.game:
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
    )


def _title(group: GroupCheck) -> str:
    code = f" under {group.rules.short}" if group.rules else ""
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
    out += ["=" * (2 * width + 3), row(*sheet.totals)]
    return "\n".join(out) + "\n" + _result(sheet.names, sheet.totals)


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
    """A match's card: names, a row of nine cells for each deal, and the row of totals."""

    title: str
    names: tuple[str, str]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]
    totals: tuple[int, int]


def match_card(group: GroupCheck) -> MatchCard:
    """The card of a match played in one position. Raises `Undrawable`."""
    if group.totals is None:
        raise Undrawable(
            UNSCORED
            if not group.teams
            else "The card cannot be drawn: the teams change their seats."
        )
    rows = []
    sums = [0] * 6
    for number, check in enumerate(group.checks, 1):
        account = check.account
        assert account is not None
        scores = [(account.points(s, "trick"), account.points(s, "honour")) for s in Side]
        balance = sum(scores[0]) - sum(scores[1])
        gains = (max(balance, 0), max(-balance, 0))
        for i, value in enumerate((*scores[0], gains[0], *scores[1], gains[1])):
            sums[i] += value
        words = _declared(check.final)
        ours = (
            check.final is not None
            and check.final.declarer is not None
            and check.final.declarer.side is Side.NS
        )
        tray = str(check.record.tray.value) if check.record.tray else str(number)
        cells = (
            *(_cell(v) for v in (*scores[0], gains[0])),
            words if ours else "",
            tray,
            "" if ours else words,
            *(_cell(v) for v in (*scores[1], gains[1])),
        )
        rows.append(cells)
    total = (*(str(v) for v in sums[:3]), "", "Totals", "", *(str(v) for v in sums[3:]))
    return MatchCard(_title(group), _names(group), tuple(rows), total, group.totals)


def _cell(value: int) -> str:
    return str(value) if value else ""


def _declared(final: Final | None) -> str:
    if final is None:
        return "passed out"
    found = denomination_table().get(final.denomination)
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
    return "\n".join(body) + f"\n{_ends(card)}"


def _ends(card: MatchCard) -> str:
    """Both totals, and which is the greater."""
    ends = f"{card.names[0]} {card.totals[0]}, {card.names[1]} {card.totals[1]}. "
    return ends + _result(card.names, card.totals)


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
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" fill="#fffdf7"/>',
        ]

    def text(self, x: float, y: float, words: str, anchor: str = "end", kind: str = "") -> None:
        of_kind = f' class="{kind}"' if kind else ""
        place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"{of_kind}'
        self.parts.append(f"<text {place}>{escape(words)}</text>")

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
    for value, edge in zip(sheet.totals, (middle, right), strict=True):
        svg.text(edge - 20, y + 34, str(value), kind="s")
    svg.line(middle, 56, middle, y + 44)
    svg.text(230, y + 70, _result(sheet.names, sheet.totals).strip(), "middle", "n")
    svg.height = int(y + 92)
    svg.parts[2] = f'<rect width="{svg.width}" height="{svg.height}" fill="#fffdf7"/>'
    return svg.done()


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
    svg.text(svg.width / 2, y + 38, _ends(card).strip(), "middle", "n")
    return svg.done()
