"""Records in our own notation, in the canonical form: one way to write everything, and nothing lost.

Statements stand in the order of `docs/notation.md`, suits as symbols, calls in words, four to a row.
A comment stays with its statement: on the lines before it, or at the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddtrick.cards import PRINTED_SUITS, Seat
from oddtrick.record.hand.read import Document
from oddtrick.record.hand.words import (
    CONTROL,
    call_words,
    claim_words,
    declaration_words,
    figures_words,
    holding_words,
    honours_words,
    incident_words,
    quoted,
    result_words,
    tag_words,
    trick_words,
    word_or_quoted,
)
from oddtrick.record.model import Comment, Group, Hand, Header, Incident, Item, Record

NO_HEADER = Header()


def write_hand(document: Document) -> str:
    """The whole document, each statement where it stood. What has findings should not be rewritten."""
    pen = _Pen(document.comments)
    pen.comments(("start",))
    pen.gap()
    _write_header(pen, document.header)
    parts = [_item(item, document.header) for item in document.items]
    text = "\n".join(part for part in [pen.text(), *parts] if part)
    ending = pen.rest()
    return "\n".join(part for part in (text, ending) if part)


def write_items(items: Iterable[Record | Group]) -> str:
    """Deals and groups one after another, each with everything that holds for it."""
    return "\n".join(_item(item, NO_HEADER) for item in items)


def write_record(record: Record) -> str:
    """One deal with everything that holds for it."""
    return _deal(record, _whole(record))


def _item(item: Record | Group, above: Header) -> str:
    return _group(item, above) if isinstance(item, Group) else _deal(item, _own(item, above))


def _whole(record: Record) -> Header:
    return Header(record.code, record.options, record.tags, record.players, record.sides)


def _own(record: Record, above: Header) -> Header:
    """What the deal must state itself below what is stated above it."""
    whole = _whole(record)
    return record.own if record.own is not None and record.own.below(above) == whole else whole


class _Pen:
    """Lines in order, each with the comments that belong to it."""

    def __init__(self, comments: Iterable[Comment]) -> None:
        self.lines: list[str] = []
        self.left: dict[tuple[Item, str], list[str]] = {}
        self._gap = False
        for comment in comments:
            self.left.setdefault((comment.anchor, comment.where), []).extend(
                _comment_lines(comment.text)
            )

    def gap(self) -> None:
        """Leave a blank line before what comes next."""
        self._gap = bool(self.lines)

    def put(self, text: str) -> None:
        """Write a line."""
        if self._gap:
            self.lines.append("")
        self.lines.append(text)
        self._gap = False

    def comments(self, anchor: Item, indent: str = "") -> None:
        """Write the comments that stand before something on lines of their own."""
        for text in self.left.pop((anchor, "before"), ()):
            self.put(indent + text)

    def say(self, text: str, first: Item, last: Item | None = None, indent: str = "") -> None:
        """Write a statement with its comments."""
        *more, behind = self.left.pop((last or first, "after"), None) or [""]
        self.comments(first, indent)
        for comment in more:
            self.put(indent + comment)
        self.put(f"{indent}{text}  {behind}" if behind else indent + text)

    def close(self) -> None:
        """Write the comments at the end, right below the last line."""
        self._gap = False
        self.comments(("end",))

    def breaks(self, before: Item, after: Item) -> bool:
        """Whether a comment forces a new line between two neighbours."""
        return bool(self.left.get((before, "after")) or self.left.get((after, "before")))

    def text(self) -> str:
        """What is written so far."""
        return "".join(line + "\n" for line in self.lines)

    def rest(self) -> str:
        """The comments that belong to nothing that was written, as lines."""
        return "".join(f"{text}\n" for texts in self.left.values() for text in texts)


def _comment_lines(text: str) -> list[str]:
    lines = re.split(r"\r\n|\r|\n", text)
    return [("# " + CONTROL.sub(" ", line)).rstrip() for line in lines]


# --- what holds for many deals --------------------------------------------------------------------


def _write_header(pen: _Pen, header: Header, skip_title: bool = False) -> None:
    if header.code:
        pen.say(f"code {word_or_quoted(header.code.value)}", ("code",))
    for number, option in enumerate(header.options):
        pen.say(f"option {word_or_quoted(option.value)}", ("option", number))
    for number, (name, value) in enumerate(header.tags):
        if number or not skip_title:
            pen.say(tag_words(name, value), ("tag", number))
    if header.players:
        pen.say(
            " ".join(["players", *(f"{s.word} {quoted(n)}" for s, n in header.players)]),
            ("players",),
        )
    if header.sides:
        pen.say(
            " ".join(["sides", *(f"{s.word} {quoted(n)}" for s, n in header.sides)]), ("sides",)
        )


def _group(group: Group, above: Header) -> str:
    """A rubber or a match."""
    pen = _Pen(group.comments)
    own = Header(group.code, group.options, group.tags, group.players, group.sides)
    pen.say(
        group.kind if group.name is None else f"{group.kind} {quoted(group.name)}", (group.kind,)
    )
    _write_header(pen, own)
    deals = "".join(f"\n{_deal(r, _own(r, own.below(above)))}" for r in group.records)
    opening = pen.text()
    pen.lines.clear()
    if group.unfinished:
        pen.say(
            "unfinished" + (f" retired {group.retired.value.word}" if group.retired else ""),
            ("unfinished",),
        )
    if group.total and (group.total.ns, group.total.ew) != (None, None):
        pen.say(f"total {figures_words(group.total)}", ("total",))
    if group.won_by:
        points = f" {group.points.value}" if group.points else ""
        pen.say(f"won by {group.won_by.value.word}{points}", ("won",))
    pen.say(f"end {group.kind}", ("end",))
    closing = pen.text()
    return f"{opening}{deals}\n{pen.rest()}{closing}"


# --- a deal ---------------------------------------------------------------------------------------


def _deal(record: Record, own: Header) -> str:
    pen = _Pen(record.comments)
    name = record.id.removeprefix("deal ")
    titled = bool(own.tags) and own.tags[0][0] == "title"
    title = f" {quoted(own.tags[0][1])}" if titled else ""
    pen.say(f"deal {name if re.fullmatch('[0-9]+', name) else quoted(name)}{title}", ("deal",))
    _write_header(pen, own, titled)
    for kept in record.kept:
        pen.put(f"note {quoted(kept.value)}")
    _write_facts(pen, record)
    _write_hands(pen, record.hands)
    _write_deals_incidents(pen, record, None)
    _write_bidding(pen, record)
    # A deal of which only the outcome is known stays in one piece.
    gap = (
        pen.gap
        if record.hands or record.bidding is not None or record.play is not None
        else lambda: None
    )
    if record.declaration and (text := declaration_words(record.declaration)):
        gap()
        pen.say(f"declaration {text}", ("declaration",))
    _write_play(pen, record)
    gap()
    _write_outcome(pen, record)
    _write_deals_incidents(pen, record, "play")
    pen.close()
    return pen.text() + pen.rest()


def _write_facts(pen: _Pen, record: Record) -> None:
    if record.dealer:
        pen.say(f"dealer {record.dealer.value.word}", ("dealer",))
    standing = (record.standing_games, record.standing_trick, record.standing_honour)
    for column, figures in zip(("games", "trick", "honour"), standing, strict=True):
        if figures and (figures.ns, figures.ew) != (None, None):
            pen.say(f"standing {column} {figures_words(figures)}", (f"standing {column}",))
    if record.vulnerable:
        sides = record.vulnerable.value
        said = "both" if len(sides) == 2 else next((s.word for s in sides), "none")
        pen.say(f"vulnerable {said}", ("vulnerable",))
    if record.tray:
        pen.say(f"tray {record.tray.value}", ("tray",))
    if record.table:
        pen.say(f"table {quoted(record.table.value)}", ("table",))
    if record.playing:
        pen.say("original play" if record.playing.value == "original" else "overplay", ("playing",))


def _write_hands(pen: _Pen, hands: Sequence[tuple[Seat, Hand]]) -> None:
    """Hands in columns, a column for each suit that any of them has."""
    if not hands:
        return
    pen.gap()
    pen.say("hands", ("hands",))
    rows = [[holding_words(hand, suit) for suit in PRINTED_SUITS] for _, hand in hands]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for (seat, hand), row in zip(hands, rows, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width]
        text = "  ".join([seat.word.ljust(5), *cells]).rstrip()
        pen.say(f"{text}  ..." if hand.partial else text, ("hands", seat.value), indent="  ")


# --- calls ----------------------------------------------------------------------------------------


def _write_bidding(pen: _Pen, record: Record) -> None:
    if record.bidding is None:
        return
    pen.gap()
    opener = f" from {record.bidding_from.value.word}" if record.bidding_from else ""
    pen.say(f"bidding{opener}", ("bidding",))
    row: list[str] = []
    for number, call in enumerate(record.bidding):
        row.append(call_words(call))
        last, here, following = (
            number + 1 == len(record.bidding),
            ("bidding", number),
            ("bidding", number + 1),
        )
        if last or following[1] % 4 == 0 or call.incidents or pen.breaks(here, following):
            pen.say(", ".join(row), ("bidding", number + 1 - len(row)), here, indent="  ")
            _write_incidents(pen, call.incidents, here)
            row = []


def _write_incidents(pen: _Pen, incidents: Iterable[Incident], anchor: Item) -> None:
    for number, incident in enumerate(incidents):
        pen.say(incident_words(incident), (*anchor, "irregularity", number), indent="  ")


def _write_deals_incidents(pen: _Pen, record: Record, after: str | None) -> None:
    for number, incident in enumerate(record.incidents):
        if incident.after == after:
            pen.gap()
            pen.say(incident_words(incident), ("irregularity", number))


# --- play -----------------------------------------------------------------------------------------


def _write_play(pen: _Pen, record: Record) -> None:
    played = record.play is not None or record.table_claims or record.more_play
    if record.declaration or not played:
        _write_deals_incidents(pen, record, "bidding")
    if not played:
        return
    tricks = record.play or ()
    columns = next((t.columns_from for t in tricks if t.columns_from), None)
    pen.gap()
    pen.say(f"play in columns from {columns.word}" if columns else "play", ("play",))
    if not record.declaration:
        _write_deals_incidents(pen, record, "bidding")
    claims = list(enumerate(record.table_claims))
    for number, trick in enumerate((*tricks, None)):
        while claims and (trick is None or claims[0][1].after_trick <= number):
            index, claim = claims.pop(0)
            pen.say(claim_words(claim), ("claims", index), indent="  ")
            _write_incidents(pen, claim.incidents, ("claims", index))
        if trick:
            pen.say(trick_words(trick), ("play", number), indent="  ")
            _write_incidents(
                pen, trick.cards[-1].incidents if trick.cards else (), ("play", number)
            )
    if record.more_play:
        pen.say("...", ("more",), indent="  ")


# --- what came of it ------------------------------------------------------------------------------


def _write_outcome(pen: _Pen, record: Record) -> None:
    if record.result:
        pen.say(f"result {result_words(record.result)}", ("result",))
    for number, claim in enumerate(record.honours):
        pen.say(f"honours {honours_words(claim)}", ("honours", number))
    for number, chicane in enumerate(record.chicane):
        pen.say(f"chicane {chicane.value.word}", ("chicane", number))
    row: list[str] = []
    for number, score in enumerate(record.scores):
        row.append(f"{score.column} {' '.join(map(str, score.points or (0,)))}")
        here, following = ("score", number), ("score", number + 1)
        others = record.scores[number + 1 :]
        if not others or others[0].side is not score.side or pen.breaks(here, following):
            pen.say(
                f"score {score.side.word} {' '.join(row)}", ("score", number + 1 - len(row)), here
            )
            row = []
    if record.game:
        pen.say(f"game {record.game.value.word}", ("game",))
