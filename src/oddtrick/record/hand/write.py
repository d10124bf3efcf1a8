"""Writes deals in our own notation in its canonical form, which loses nothing.

Statements are in the order of `docs/notation.md`, suits are symbols, and calls are words, four to
a row. A comment stays with its statement: on the lines before it, or at the end of its line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from oddtrick.cards import CARDS, PRINTED_SUITS, SEATS, Card, Seat, Side, Suit
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
from oddtrick.record.hand.words import BEFORE_CARDS, DENOMINATIONS


def write_document(document: Document) -> str:
    """The text of a document: its header, its deals and groups in order, and its comments.

    Damaged deals are not part of the document, so they are not written.
    """
    pen = _Pen(document.comments)
    pen.comments(("start",))
    pen.gap()
    pen.header(document.header)
    parts = [_item(item, document.header) for item in document.items]
    text = "\n".join(part for part in [pen.text(), *parts] if part)
    return "\n".join(part for part in (text, pen.rest()) if part)


def write_hand(items: Iterable[Deal | Group]) -> str:
    """The text of deals and groups in order, each with its complete header."""
    return "\n".join(_item(item, NO_HEADER) for item in items)


def _item(item: Deal | Group, above: Header) -> str:
    return _group(item, above) if isinstance(item, Group) else _DealPen(item).deal_text(above)


class _Pen:
    """Collects lines of text, each with its comments; `left` holds the comments not yet written."""

    def __init__(self, comments: Iterable[Comment]) -> None:
        self.lines: list[str] = []
        self.left: dict[tuple[Item, str], list[str]] = {}
        self._gap = False
        for comment in comments:
            self.left.setdefault((comment.anchor, comment.where), []).extend(
                ("# " + CONTROL.sub(" ", line)).rstrip() for line in _BREAK.split(comment.text)
            )

    def gap(self) -> None:
        """Put a blank line before the next line, unless that is the first."""
        self._gap = bool(self.lines)

    def put(self, text: str) -> None:
        """Write a line."""
        if self._gap:
            self.lines.append("")
        self.lines.append(text)
        self._gap = False

    def comments(self, anchor: Item, indent: str = "") -> None:
        """Write the comments that precede an item, on lines of their own."""
        for text in self.left.pop((anchor, "before"), ()):
            self.put(indent + text)

    def state(self, text: str, first: Item, last: Item | None = None, indent: str = "") -> None:
        """Write a statement with its comments."""
        *more, after = self.left.pop((last or first, "after"), None) or [""]
        self.comments(first, indent)
        for comment in more:
            self.put(indent + comment)
        self.put(f"{indent}{text}  {after}" if after else indent + text)

    def row(self, text: str, first: Item, last: Item | None = None) -> None:
        """Write a row of a section with its comments."""
        self.state(text, first, last, indent="  ")

    def facts(self, of: Deal | Group, words: Iterable[str]) -> None:
        """Write statements that have one value."""
        for word in words:
            value = getattr(of, word.replace(" ", "_"))
            if value is not None and (text := _WORDS[word](value)):
                self.state(text if word == "playing" else f"{word} {text}", (word,))

    def header(self, header: Header, titled: bool = False) -> None:
        """Write a header; if `titled`, without its first tag, the title already written."""
        if header.code:
            self.state(f"code {_word_or_quoted(header.code)}", ("code",))
        for number, option in enumerate(header.options):
            text = f"option {_word_or_quoted(option)}"
            if "=" in option:
                unquoted = _CHOICE.fullmatch(option) and option == option.lower()
                text = f"reading {option if unquoted else quoted(option)}"
            self.state(text, ("option", number))
        for number, (name, value) in enumerate(header.tags):
            if number or not titled:
                self.state(_tag_words(name, value), ("tag", number))
        for word, names in (("players", header.players), ("sides", header.sides)):
            if names:
                words = [f"{who.word} {quoted(name)}" for who, name in names]
                self.state(" ".join([word, *words]), (word,))

    def text(self) -> str:
        """The lines written so far."""
        return "".join(line + "\n" for line in self.lines)

    def rest(self) -> str:
        """The comments not written yet, because no item was written for their anchor."""
        return "".join(f"{text}\n" for texts in self.left.values() for text in texts)


def _group(group: Group, above: Header) -> str:
    pen = _Pen(group.comments)
    named = "" if group.name is None else f" {quoted(group.name)}"
    pen.state(group.kind + named, (group.kind,))
    pen.header(group.header)
    header = below(group.header, above)
    deals = "".join(f"\n{_item(deal, header)}" for deal in group.deals)
    opening = pen.text()
    pen.lines.clear()
    if group.unfinished:
        retired = f" retired {group.retired.word}" if group.retired else ""
        pen.state(f"unfinished{retired}", ("unfinished",))
    pen.facts(group, ["total"])
    if group.team_totals:
        teams = (f"{quoted(name)} {points}" for name, points in group.team_totals)
        pen.state(" ".join(["total", *teams]), ("total",))
    if group.won_by:
        points = "" if group.points is None else f" {group.points}"
        pen.state(f"won by {group.won_by.word}{points}", ("won",))
    pen.state(f"end {group.kind}", ("end",))
    closing = pen.text()
    return f"{opening}{deals}\n{pen.rest()}{closing}"


class _DealPen(_Pen):
    """Collects the lines of one deal."""

    def __init__(self, deal: Deal) -> None:
        super().__init__(deal.comments)
        self.deal = deal
        self.remarks = {remark.event: remark for remark in deal.remarks}
        self.players = dict(deal.players_named)
        self.incidents: dict[Event | None, list[Incident]] = defaultdict(list)
        for incident in deal.incidents:
            self.incidents[incident.event].append(incident)

    def deal_text(self, above: Header) -> str:
        """The text of the deal, without what `above` already states."""
        deal = self.deal
        own = Header(deal.code, deal.options, deal.tags, deal.players, deal.sides)
        if deal.own is not None and replace(below(deal.own, above), stated=()) == own:
            own = deal.own
        name = deal.id.removeprefix("deal ")
        titled = bool(own.tags) and own.tags[0][0] == "title"
        title = f" {quoted(own.tags[0][1])}" if titled else ""
        number = re.fullmatch("[0-9]+", name)
        self.state(f"deal {name if number else quoted(name)}{title}", ("deal",))
        self.header(own, titled)
        for note, _ in deal.unused:
            self.put(f"note {quoted(note)}")
        self.facts(deal, BEFORE_CARDS)
        self.hands()
        self.irregular(None)
        self.bidding()
        # A deal with nothing but an outcome has no blank lines.
        apart = any(deal.hand_spans) or deal.calls is not None or deal.cards is not None
        if apart:
            self.gap()
        self.facts(deal, ["declaration"])
        self.play()
        if apart:
            self.gap()
        self.outcome()
        self.irregular(None, after="play")
        self._gap = False  # the final comments follow without a blank line
        self.comments(("end",))
        return self.text() + self.rest()

    def cut(self, before: Item, after: Item) -> bool:
        """Whether a comment forces a new line between two neighbours."""
        return bool(self.left.get((before, "after")) or self.left.get((after, "before")))

    def marked(self, event: Event, text: str) -> str:
        """A call or card with its mark and remark."""
        remark = self.remarks.get(event)
        return marked(text, remark.mark, remark.note) if remark else text

    def irregular(self, event: Event | None, anchor: Item = (), after: str | None = None) -> None:
        """Write the irregularities of an event below its row.

        If `event` is `None`, write those of the deal that belong after the part `after`.
        """
        for number, incident in enumerate(self.incidents.get(event, ())):
            if event:
                self.row(incident_words(incident), (*anchor, "irregularity", number))
            elif incident.after == after:
                self.gap()
                self.state(incident_words(incident), ("irregularity", number))

    def hands(self) -> None:
        details = {detail.seat: detail for detail in self.deal.hand_details}
        written = [
            (seat, held(self.deal, seat), details.get(seat, HandDetail(seat)))
            for seat, span in zip(SEATS, self.deal.hand_spans, strict=True)
            if span is not None
        ]
        if written:
            self.gap()
            self.state("hands", ("hands",))
        rows = hand_rows((seat, cards, dict(d.small), d.partial) for seat, cards, d in written)
        for (seat, _, _), row in zip(written, rows, strict=True):
            self.row(row, ("hands", seat.value))

    def bidding(self) -> None:
        deal = self.deal
        if deal.calls is None:
            return
        self.gap()
        opener = f" from {deal.first_caller.word}" if deal.first_caller else ""
        self.state(f"bidding{opener}", ("bidding",))
        callers, corrections = dict(deal.callers), set(deal.corrections)
        calls = [
            self.marked(Event("call", n), call_words(call, callers.get(n), n in corrections))
            for n, call in enumerate(deal.calls)
        ]

        def ends(n: int) -> bool:
            comments = self.cut(("bidding", n), ("bidding", n + 1))
            return n % 4 == 3 or Event("call", n) in self.incidents or comments

        for first, last in rows_of(len(calls), ends):
            here = "bidding", last
            self.row(", ".join(calls[first : last + 1]), ("bidding", first), here)
            self.irregular(Event("call", last), here)

    def play(self) -> None:
        deal = self.deal
        played = deal.cards is not None or deal.claims or deal.more_play
        if deal.declaration or not played:
            self.irregular(None, after="bidding")
        if not played:
            return
        self.gap()
        columns = f" in columns from {deal.columns.word}" if deal.columns else ""
        self.state(f"play{columns}", ("play",))
        if not deal.declaration:
            self.irregular(None, after="bidding")
        claims, leaders = list(enumerate(deal.claims)), {n: seat.word for n, seat in deal.leaders}
        bounds = [*pairwise((*deal.trick_starts, len(deal.cards or ())))]
        for trick, (start, end) in enumerate(bounds):
            self.claims(claims, trick)
            cards = [self.card(n, n == end - 1) for n in range(start, end)]
            self.row(trick_words(leaders.get(trick, ""), cards), ("play", trick))
            self.irregular(Event("card", end - 1), ("play", trick))
        self.claims(claims, None)
        if deal.more_play:
            self.row("...", ("more",))

    def card(self, number: int, last: bool) -> list[str]:
        """The words for a card: its player if named, the card, and its irregularities.

        Those of the last card of a trick are left for the lines below the trick.
        """
        event = Event("card", number)
        named = [self.players[number].word] if number in self.players else []
        within = () if last else self.incidents.get(event, ())
        card = self.marked(event, card_words((self.deal.cards or ())[number]))
        return [*named, card, *map(incident_words, within)]

    def claims(self, claims: list[tuple[int, Claim]], trick: int | None) -> None:
        """Write the claims made before a trick, or all that remain if `trick` is `None`."""
        while claims and (trick is None or claims[0][1].after_trick <= trick):
            number, claim = claims.pop(0)
            self.row(claim_words(claim), ("claims", number))
            self.irregular(Event("claim", number), ("claims", number))

    def outcome(self) -> None:
        deal = self.deal
        self.facts(deal, ["result"])
        for number, honours in enumerate(deal.honours):
            self.state(f"honours {honours_words(honours)}", ("honours", number))
        for number, chicane in enumerate(deal.chicane):
            self.state(f"chicane {chicane.word}", ("chicane", number))
        scores = deal.scores

        def ends(n: int) -> bool:
            other = n + 1 < len(scores) and scores[n + 1].side is not scores[n].side
            return other or self.cut(("score", n), ("score", n + 1))

        for first, last in rows_of(len(scores), ends):
            row = [
                f"{s.column} {' '.join(map(str, s.points or (0,)))}"
                for s in scores[first : last + 1]
            ]
            text = " ".join(["score", scores[first].side.word, *row])
            self.state(text, ("score", first), ("score", last))
        self.facts(deal, ["game"])


# --- rows -----------------------------------------------------------------------------------------


def rows_of(number: int, ends: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of each row of `number` items; `ends(n)` ends a row at n."""
    first = 0
    for n in range(number):
        if n == number - 1 or ends(n):
            yield first, n
            first = n + 1


def hand_rows(hands: Iterable[tuple[Seat, Iterable[Card], Mapping[Suit, int], bool]]) -> list[str]:
    """Hands as aligned lines, with a column for each suit written for any of them.

    A hand is given by its player, its cards, its small cards by suit, and whether it is partial.
    """
    rows = [(seat, _holdings(cards, small, more), more) for seat, cards, small, more in hands]
    widths = [max(map(len, column)) for column in zip(*(r[1] for r in rows), strict=True)]
    lines = list[str]()
    for seat, row, partial in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width]
        text = "  ".join([seat.word.ljust(5), *cells]).rstrip()
        lines.append(f"{text}  ..." if partial else text)
    return lines


def _holdings(cards: Iterable[Card], small: Mapping[Suit, int], partial: bool) -> list[str]:
    """The text of each suit, such as `♠ A 10 2`; empty if nothing is to be written."""
    cells, held = list[str](), [*cards]
    for suit in PRINTED_SUITS:
        ranks = [str(card)[1:] for card in held if card.suit is suit] + ["x"] * small.get(suit, 0)
        # A void is always written in a complete hand; in a partial one only if it was stated.
        if not ranks and (not partial or suit in small):
            ranks = ["-"]
        cells.append(" ".join([suit.symbol, *ranks]) if ranks else "")
    return cells


def trick_words(leader: str, cards: Iterable[Sequence[str]]) -> str:
    """The row of a trick; a card with a player or an irregularity is put in brackets."""
    row = [f"({' '.join(words)})" if len(words) > 1 else words[0] for words in cards]
    return " ".join([f"{leader}:", *row] if leader else row)


# --- values as text, the inverse of the rules of `hand.lark` --------------------------------------

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
    """A text escaped and in quotation marks; control characters become spaces."""
    text = _BREAK.sub("\n", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{CONTROL.sub(" ", text)}"'


def _word_or_quoted(text: str) -> str:
    return text if _WORD.fullmatch(text) and text == text.lower() else quoted(text)


def _tag_words(name: str, value: str) -> str:
    """The statement for a tag: `source "..."`, `date 1927`, `tag Name "..."`."""
    if name in _NAMED_TAGS:
        return f"{name} {quoted(value)}"
    if name == "date":
        return f"date {value if _DATE.fullmatch(value) else quoted(value)}"
    return f"tag {name if _WORD.fullmatch(name) else quoted(name)} {quoted(value)}"


def figures_words(figures: Figures) -> str:
    """`north-south 1 east-west 0`; empty if neither side has a number."""
    sides = zip(Side, figures, strict=True)
    return " ".join(f"{side.word} {number}" for side, number in sides if number is not None)


def _vulnerable_words(sides: frozenset[Side]) -> str:
    return "both" if len(sides) == 2 else next((side.word for side in sides), "none")


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
    """`4 hearts`, `1 no-trump`, or only the denomination if `odd_tricks` is `None`."""
    one, many = DENOMINATIONS.get(denomination or "", (denomination or "", denomination or ""))
    return many if odd_tricks is None else f"{odd_tricks} {one if odd_tricks == 1 else many}"


def card_words(card: int) -> str:
    """`♥2`, or `-` for an unknown card."""
    return _CARDS.get(card, "-")


def marked(text: str, mark: str | None, note: str | None) -> str:
    """A call or card with its mark and remark."""
    return f"{text}{mark or ''}{'' if note is None else f' {quoted(note)}'}"


def incident_words(incident: Incident) -> str:
    """`irregularity revoke by south`, followed by the other clauses stated."""
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
    """`4 spades redoubled by south`; empty if nothing is stated."""
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


_WORDS: dict[str, Callable[[Any], str]] = {
    "dealer": lambda seat: seat.word,
    "standing games": figures_words,
    "standing trick": figures_words,
    "standing honour": figures_words,
    "vulnerable": _vulnerable_words,
    "tray": str,
    "table": quoted,
    "playing": lambda kind: "original play" if kind == "original" else "overplay",
    "declaration": declaration_words,
    "result": result_words,
    "game": lambda side: side.word,
    "total": figures_words,
}
"""The statements with one value, each with the function that writes it."""
