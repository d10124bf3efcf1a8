"""Deals in our own notation, in the canonical form: one way to write everything, nothing lost.

Statements stand in the order of `docs/notation.md`, suits as symbols, calls in words, four to a
row. A comment stays with its statement: on the lines before it, or at the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from oddtrick.cards import CARDS, PRINTED_SUITS, SEATS, Seat, Side
from oddtrick.record.deal import (
    Claim,
    Comment,
    Deal,
    Declaration,
    Event,
    Figures,
    Group,
    HandDetail,
    Header,
    Honours,
    Incident,
    Item,
    Result,
    denomination_of,
    held,
    kind_of,
    odd_tricks_of,
)
from oddtrick.record.hand.read import NO_HEADER, Document, below
from oddtrick.record.hand.words import DENOMINATIONS


def write_document(document: Document) -> str:
    """The complete document, each statement where it stood; none that is damaged."""
    pen = _Pen(document.comments)
    pen.comments(("start",))
    pen.gap()
    _write_header(pen, document.header)
    parts = [_item(item, document.header) for item in document.items]
    text = "\n".join(part for part in [pen.text(), *parts] if part)
    return "\n".join(part for part in (text, pen.rest()) if part)


def write_hand(items: Iterable[Deal | Group]) -> str:
    """Deals and groups one after another, each with everything that holds for it."""
    return "\n".join(_item(item, NO_HEADER) for item in items)


def _item(item: Deal | Group, above: Header) -> str:
    return _group(item, above) if isinstance(item, Group) else _deal(item, above)


class _Pen:
    """Lines in order, each with the comments that belong to it."""

    def __init__(self, comments: Iterable[Comment]) -> None:
        self.lines: list[str] = []
        self.left: dict[tuple[Item, str], list[str]] = {}
        self._gap = False
        for comment in comments:
            self.left.setdefault((comment.anchor, comment.where), []).extend(
                ("# " + CONTROL.sub(" ", line)).rstrip() for line in _BREAK.split(comment.text)
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

    def state(self, text: str, first: Item, last: Item | None = None, indent: str = "") -> None:
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


# --- what holds for many deals --------------------------------------------------------------------


def _write_header(pen: _Pen, header: Header, skip_title: bool = False) -> None:
    if header.code:
        pen.state(f"code {_word_or_quoted(header.code)}", ("code",))
    for number, option in enumerate(header.options):
        text = f"option {_word_or_quoted(option)}"
        if "=" in option:
            plain = _CHOICE.fullmatch(option) and option == option.lower()
            text = f"reading {option if plain else quoted(option)}"
        pen.state(text, ("option", number))
    for number, (name, value) in enumerate(header.tags):
        if number or not skip_title:
            pen.state(_tag_words(name, value), ("tag", number))
    for word, names in (("players", header.players), ("sides", header.sides)):
        if names:
            pen.state(" ".join([word, *(f"{s.word} {quoted(n)}" for s, n in names)]), (word,))


def _group(group: Group, above: Header) -> str:
    pen = _Pen(group.comments)
    named = "" if group.name is None else f" {quoted(group.name)}"
    pen.state(group.kind + named, (group.kind,))
    _write_header(pen, group.header)
    header = below(group.header, above)
    deals = "".join(f"\n{_deal(deal, header)}" for deal in group.deals)
    opening = pen.text()
    pen.lines.clear()
    if group.unfinished:
        retired = f" retired {group.retired.word}" if group.retired else ""
        pen.state(f"unfinished{retired}", ("unfinished",))
    if total := _figures("total", group.total):
        pen.state(total, ("total",))
    if group.team_totals:
        teams = (f"{quoted(name)} {points}" for name, points in group.team_totals)
        pen.state(" ".join(["total", *teams]), ("total",))
    if group.won_by:
        points = "" if group.points is None else f" {group.points}"
        pen.state(f"won by {group.won_by.word}{points}", ("won",))
    pen.state(f"end {group.kind}", ("end",))
    closing = pen.text()
    return f"{opening}{deals}\n{pen.rest()}{closing}"


# --- a deal ---------------------------------------------------------------------------------------


def _figures(word: str, figures: Figures | None) -> str:
    sides = zip(Side, figures or (), strict=False)
    stated = [f"{side.word} {number}" for side, number in sides if number is not None]
    return " ".join([word, *stated]) if stated else ""


def _vulnerable(deal: Deal) -> str:
    if deal.vulnerable is None:
        return ""
    sides = deal.vulnerable
    return f"vulnerable {'both' if len(sides) == 2 else next((s.word for s in sides), 'none')}"


_FACTS: dict[str, Callable[[Deal], str]] = {
    "dealer": lambda d: f"dealer {d.dealer.word}" if d.dealer else "",
    "standing games": lambda d: _figures("standing games", d.standing_games),
    "standing trick": lambda d: _figures("standing trick", d.standing_trick),
    "standing honour": lambda d: _figures("standing honour", d.standing_honour),
    "vulnerable": _vulnerable,
    "tray": lambda d: "" if d.tray is None else f"tray {d.tray}",
    "table": lambda d: "" if d.table is None else f"table {quoted(d.table)}",
    "playing": lambda d: {"original": "original play", None: ""}.get(d.playing, "overplay"),
}
"""The statements before the cards, in their order."""


def _deal(deal: Deal, above: Header) -> str:
    """A deal below what is stated above it."""
    pen = _Pen(deal.comments)
    own = Header(deal.code, deal.options, deal.tags, deal.players, deal.sides)
    if deal.own is not None and _bare(below(deal.own, above)) == own:
        own = deal.own
    name = deal.id.removeprefix("deal ")
    titled = bool(own.tags) and own.tags[0][0] == "title"
    title = f" {quoted(own.tags[0][1])}" if titled else ""
    pen.state(f"deal {name if re.fullmatch('[0-9]+', name) else quoted(name)}{title}", ("deal",))
    _write_header(pen, own, titled)
    for kept, _ in deal.kept:
        pen.put(f"note {quoted(kept)}")
    for word, words in _FACTS.items():
        if text := words(deal):
            pen.state(text, (word,))
    incidents: dict[Event | None, list[Incident]] = {}
    for incident in deal.incidents:
        incidents.setdefault(incident.event, []).append(incident)
    _write_hands(pen, deal)
    _write_deals_incidents(pen, deal, None)
    _write_bidding(pen, deal, incidents)
    # A deal of which only the outcome is known stays in one piece.
    apart = any(deal.hand_spans) or deal.calls is not None or deal.cards is not None
    if deal.declaration and (text := declaration_words(deal.declaration)):
        if apart:
            pen.gap()
        pen.state(f"declaration {text}", ("declaration",))
    _write_play(pen, deal, incidents)
    if apart:
        pen.gap()
    _write_outcome(pen, deal)
    _write_deals_incidents(pen, deal, "play")
    pen.close()
    return pen.text() + pen.rest()


def _bare(header: Header) -> Header:
    return Header(header.code, header.options, header.tags, header.players, header.sides)


def _write_hands(pen: _Pen, deal: Deal) -> None:
    """Hands in columns, a column for each suit that any of them has."""
    seats = [s for s, span in zip(SEATS, deal.hand_spans, strict=True) if span is not None]
    if not seats:
        return
    pen.gap()
    pen.state("hands", ("hands",))
    rows = [_holdings(deal, seat) for seat in seats]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    partial = {d.seat for d in deal.hand_details if d.partial}
    for seat, row in zip(seats, rows, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width]
        text = "  ".join([seat.word.ljust(5), *cells]).rstrip()
        pen.state(f"{text}  ..." if seat in partial else text, ("hands", seat.value), indent="  ")


def _holdings(deal: Deal, seat: Seat) -> list[str]:
    """The cards of each suit, `♠ A 10 2`; empty where nothing is to be written."""
    detail = next((d for d in deal.hand_details if d.seat is seat), HandDetail(seat))
    small, cells = dict(detail.small), list[str]()
    for suit in PRINTED_SUITS:
        cards = [c for c in held(deal, seat) if c.suit is suit]
        ranks = ["10" if c.rank == "T" else c.rank for c in cards] + ["x"] * small.get(suit, 0)
        # A void is written, but of a hand not wholly known only where the record states it.
        if not ranks and (not detail.partial or suit in small):
            ranks = ["-"]
        cells.append(" ".join([suit.symbol, *ranks]) if ranks else "")
    return cells


def _write_bidding(pen: _Pen, deal: Deal, incidents: dict[Event | None, list[Incident]]) -> None:
    if deal.calls is None:
        return
    pen.gap()
    opener = f" from {deal.first_caller.word}" if deal.first_caller else ""
    pen.state(f"bidding{opener}", ("bidding",))
    callers, corrections = dict(deal.callers), set(deal.corrections)
    remarks = {r.event: r for r in deal.remarks}
    row: list[str] = []
    for number, packed in enumerate(deal.calls):
        event, here = Event("call", number), ("bidding", number)
        remark = remarks.get(event)
        row.append(
            marked(
                call_words(packed, callers.get(number), number in corrections),
                remark and remark.mark,
                remark and remark.note,
            )
        )
        full = number % 4 == 3 or number == len(deal.calls) - 1
        if full or event in incidents or pen.breaks(here, ("bidding", number + 1)):
            pen.state(", ".join(row), ("bidding", number + 1 - len(row)), here, indent="  ")
            _write_incidents(pen, incidents.get(event, ()), here)
            row = []


def _write_incidents(
    pen: _Pen, incidents: Iterable[Incident], anchor: Item, first: int = 0
) -> None:
    for number, incident in enumerate(incidents, first):
        pen.state(incident_words(incident), (*anchor, "irregularity", number), indent="  ")


def _write_deals_incidents(pen: _Pen, deal: Deal, after: str | None) -> None:
    for number, incident in enumerate(i for i in deal.incidents if i.event is None):
        if incident.after == after:
            pen.gap()
            pen.state(incident_words(incident), ("irregularity", number))


def _write_play(pen: _Pen, deal: Deal, incidents: dict[Event | None, list[Incident]]) -> None:
    played = deal.cards is not None or deal.claims or deal.more_play
    if deal.declaration or not played:
        _write_deals_incidents(pen, deal, "bidding")
    if not played:
        return
    pen.gap()
    pen.state(f"play in columns from {deal.columns.word}" if deal.columns else "play", ("play",))
    if not deal.declaration:
        _write_deals_incidents(pen, deal, "bidding")
    claims = list(enumerate(deal.claims))
    leaders, named = dict(deal.leaders), dict(deal.players_named)
    remarks = {r.event: r for r in deal.remarks}
    cards = deal.cards or ()
    bounds = [*pairwise((*deal.trick_starts, len(cards))), (0, 0)]
    for number, (start, end) in enumerate(bounds):
        last = number == len(bounds) - 1
        while claims and (last or claims[0][1].after_trick <= number):
            index, claim = claims.pop(0)
            pen.state(claim_words(claim), ("claims", index), indent="  ")
            _write_incidents(pen, incidents.get(Event("claim", index), ()), ("claims", index))
        if last:
            break
        words = [f"{leaders[number].word}:"] if number in leaders else []
        for n in range(start, end):
            event = Event("card", n)
            remark = remarks.get(event)
            card = marked(card_words(cards[n]), remark and remark.mark, remark and remark.note)
            # What is irregular with the last card stands on the lines below.
            within = incidents.get(event, []) if n < end - 1 else []
            seat = [named[n].word] if n in named else []
            if seat or within:
                card = f"({' '.join([*seat, card, *map(incident_words, within)])})"
            words.append(card)
        pen.state(" ".join(words), ("play", number), indent="  ")
        _write_incidents(pen, incidents.get(Event("card", end - 1), ()), ("play", number))
    if deal.more_play:
        pen.state("...", ("more",), indent="  ")


def _write_outcome(pen: _Pen, deal: Deal) -> None:
    if deal.result:
        pen.state(f"result {result_words(deal.result)}", ("result",))
    for number, honours in enumerate(deal.honours):
        pen.state(f"honours {honours_words(honours)}", ("honours", number))
    for number, chicane in enumerate(deal.chicane):
        pen.state(f"chicane {chicane.word}", ("chicane", number))
    row: list[str] = []
    for number, score in enumerate(deal.scores, 1):
        row.append(f"{score.column} {' '.join(map(str, score.points or (0,)))}")
        here, following = ("score", number - 1), deal.scores[number : number + 1]
        goes_on = following and following[0].side is score.side
        if not goes_on or pen.breaks(here, ("score", number)):
            text = f"score {score.side.word} {' '.join(row)}"
            pen.state(text, ("score", number - len(row)), here)
            row = []
    if deal.game:
        pen.state(f"game {deal.game.word}", ("game",))


# --- values in words, each the way back from a rule of `hand.lark` --------------------------------

_PHRASES = {
    "may-i-lead": "may I lead",
    "all-pass": "all pass",
    "pass-to-partner": "pass to partner",
    "unrecorded": "...",
}
_NAMED_TAGS = ("source", "event", "venue", "scorer", "note")
_CHOICE = re.compile(r"[^\W\d_]\w*(?:['.:-]\w+)*=\w+(?:['-]\w+)*")
_WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BREAK = re.compile(r"\r\n|\r|\n")
_CARDS = {int(card): str(card) for cards in CARDS.values() for card in cards.values()}


def quoted(text: str) -> str:
    """A text in quotation marks as the notation writes it."""
    text = _BREAK.sub("\n", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{CONTROL.sub(" ", text)}"'


def _word_or_quoted(text: str) -> str:
    return text if _WORD.fullmatch(text) and text == text.lower() else quoted(text)


def _tag_words(name: str, value: str) -> str:
    """The statement that keeps a tag: `source "..."`, `date 1927`, `tag Name "..."`."""
    if name in _NAMED_TAGS:
        return f"{name} {quoted(value)}"
    if name == "date":
        return f"date {value if _DATE.fullmatch(value) else quoted(value)}"
    return f"tag {name if _WORD.fullmatch(name) else quoted(name)} {quoted(value)}"


def call_words(packed: int, caller: Seat | None = None, corrects: bool = False) -> str:
    """A call with its caller: `south: 2 hearts`."""
    kind, named = kind_of(packed), denomination_of(packed)
    words = [f"{caller.word}:"] if caller else []
    words += ["corrects"] if corrects else []
    if kind == "bid":
        words.append(bid_words(odd_tricks_of(packed), named))
    elif kind == "make":
        words.append(f"make {bid_words(None, named)}")
    else:
        words.append(_PHRASES.get(kind, kind))
    return " ".join(words)


def bid_words(odd_tricks: int | None, denomination: str | None) -> str:
    """`4 hearts`, `1 no-trump`, or the denomination alone."""
    one, many = DENOMINATIONS.get(denomination or "", (denomination or "", denomination or ""))
    return many if odd_tricks is None else f"{odd_tricks} {one if odd_tricks == 1 else many}"


def card_words(card: int) -> str:
    """`♥2`, or `-` for a card that is not known."""
    return _CARDS.get(card, "-")


def marked(text: str, mark: str | None, note: str | None) -> str:
    """A call or card with its mark and remark."""
    return f"{text}{mark or ''}{'' if note is None else f' {quoted(note)}'}"


def incident_words(incident: Incident) -> str:
    """The statement of an irregularity."""
    words = ["irregularity", _word_or_quoted(incident.name)]
    for name in ("by", "of", "noticed_by", "remedy", "chosen_by", "waived_by", "when", "note"):
        value = getattr(incident, name)
        if value is not None:
            text = value.word if isinstance(value, Seat) else quoted(value)
            words += [name.replace("_", " "), text]
    return " ".join(words)


def claim_words(claim: Claim) -> str:
    """`south claims the rest agreed`."""
    number = "the rest" if claim.tricks is None else str(claim.tricks)
    return " ".join(filter(None, (claim.seat.word, claim.verb, number, claim.answer)))


def declaration_words(declaration: Declaration) -> str:
    """`4 spades redoubled by south`; empty where nothing is stated."""
    if declaration.passed_out:
        return "passed out"
    named = declaration.denomination
    doubled = {
        None: "doubling unknown" if named else "",
        0: "" if named else "undoubled",
        1: "doubled",
        2: "redoubled",
    }
    words = (
        bid_words(declaration.odd_tricks, named) if named else "",
        doubled.get(declaration.doubled, f"doubled {declaration.doubled} times"),
        f"by {declaration.declarer.word}" if declaration.declarer else "",
        "bridged" if declaration.bridged else "",
    )
    return " ".join(filter(None, words))


def result_words(result: Result) -> str:
    """`9 tricks`, `3 odd`, `made 1`, `down 2`."""
    if result.kind == "tricks":
        return "1 trick" if result.number == 1 else f"{result.number} tricks"
    return f"{result.number} odd" if result.kind == "odd" else f"{result.kind} {result.number}"


def honours_words(honours: Honours) -> str:
    """`north-south 5, 4 in one hand`."""
    words, in_one = f"{honours.side.word} {honours.total}", honours.in_one_hand
    if in_one is None:
        return words
    if in_one == honours.total:
        return f"{words} in one hand"
    even = in_one == (honours.total + 1) // 2
    return f"{words} in two hands" if even else f"{words}, {in_one} in one hand"
