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
from typing import Any, NamedTuple

from oddtrick.cards import PACK, PRINTED_SUITS, SEATS, Seat, Side, Suit
from oddtrick.record.deal import (
    NO_HEADER,
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
from oddtrick.record.hand.read import Document, below
from oddtrick.record.hand.words import BEFORE_CARDS, DENOMINATIONS


class Line(NamedTuple):
    """A line, and the items whose comments come before it (`first`) and at its end (`last`)."""

    text: str
    first: Item
    last: Item | None = None
    indent: str = ""


GAP = None
"""An empty line between two others; it is never written before the first line."""
Lines = Iterator[Line | None]


def write_document(document: Document) -> str:
    """The text of a document: its header, its deals and groups in order, and its comments.

    Damaged deals are not part of the document, so they are not written.
    """
    comments = _Comments(document.comments)
    top = comments.added_to((Line("", ("start",)), GAP, *_header(document.header)))
    parts = [top, *(_item(item, document.header) for item in document.items)]
    text = "\n".join(filter(None, parts))
    return "\n".join(filter(None, (text, comments.rest())))


def write_hand(items: Iterable[Deal | Group]) -> str:
    """The text of deals and groups in order, each with its complete header."""
    return "\n".join(_item(item, NO_HEADER) for item in items)


def _item(item: Deal | Group, above: Header) -> str:
    """The text of a deal or a group, without what the header `above` already states."""
    comments = _Comments(item.comments)
    if isinstance(item, Deal):
        return comments.added_to(_Deal(item).lines(above)) + comments.rest()
    named = "" if item.name is None else f" {quoted(item.name)}"
    opening = Line(item.kind + named, (item.kind,))
    header = below(item.header, above)
    parts = [comments.added_to((opening, *_header(item.header)))]
    parts += (_item(deal, header) for deal in item.deals)
    closing = comments.added_to(_closing(item))
    return "\n".join(parts) + f"\n{comments.rest()}{closing}"


class _Comments:
    """The comments of an item; `left` holds those not yet written, by anchor and `where`."""

    def __init__(self, comments: Iterable[Comment]) -> None:
        self.left: dict[tuple[Item, str], list[str]] = {}
        for comment in comments:
            self.left.setdefault((comment.anchor, comment.where), []).extend(
                ("# " + CONTROL.sub(" ", line)).rstrip() for line in _BREAK.split(comment.text)
            )

    def added_to(self, lines: Iterable[Line | None]) -> str:
        out, gap = list[str](), False
        for line in lines:
            if line is GAP:
                gap = bool(out)
                continue
            text, first, last, indent = line
            *more, after = self.left.pop((last or first, "after"), ("",))
            text = f"{text}  {after}" if after else text
            for one in (*self.left.pop((first, "before"), ()), *more, text):
                if one:
                    out += ["", indent + one] if gap else [indent + one]
                    gap = False
        return "".join(f"{line}\n" for line in out)

    def rest(self) -> str:
        """The comments not yet written, such as those at the end."""
        return "".join(f"{text}\n" for texts in self.left.values() for text in texts)


# --- headers and groups ---------------------------------------------------------------------------


def _facts(of: Deal | Group, *words: str) -> Lines:
    """The lines of statements that have one value."""
    for word in words:
        value = getattr(of, word.replace(" ", "_"))
        if value is not None and (text := _TEXTS[word](value)):
            yield Line(text if word == "playing" else f"{word} {text}", (word,))


def _header(header: Header, titled: bool = False) -> Lines:
    """The lines of a header; if `titled`, the first tag is the title and already written."""
    if header.code:
        yield Line(f"code {_word_or_quoted(header.code)}", ("code",))
    for number, option in enumerate(header.options):
        yield Line(_option_words(option), ("option", number))
    for number, tag in enumerate(header.tags):
        if number or not titled:
            yield Line(_tag_words(*tag), ("tag", number))
    for word, names in (("players", header.players), ("sides", header.sides)):
        if names:
            yield Line(" ".join([word, *(f"{w.word} {quoted(n)}" for w, n in names)]), (word,))


def _closing(group: Group) -> Lines:
    if group.unfinished:
        retired = f" retired {group.retired.word}" if group.retired else ""
        yield Line(f"unfinished{retired}", ("unfinished",))
    yield from _facts(group, "total")
    if group.team_totals:
        teams = (f"{quoted(name)} {points}" for name, points in group.team_totals)
        yield Line(" ".join(["total", *teams]), ("total",))
    if group.won_by:
        points = "" if group.points is None else f" {group.points}"
        name = group.won_by
        winner = name.word if isinstance(name, Side) else quoted(name)
        yield Line(f"won by {winner}{points}", ("won",))
    yield Line(f"end {group.kind}", ("end",))


# --- deals ----------------------------------------------------------------------------------------


class _Deal:
    """The lines of a deal, section by section."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.remarks = {remark.event: remark for remark in deal.remarks}
        self.commented = {(comment.anchor, comment.where) for comment in deal.comments}
        self.incidents: dict[Event | None, list[Incident]] = defaultdict(list)
        for incident in deal.incidents:
            self.incidents[incident.event].append(incident)

    def lines(self, above: Header) -> Lines:
        deal = self.deal
        yield from self.opening(above)
        yield from _facts(deal, *BEFORE_CARDS)
        yield from self.hands()
        yield from self.irregularities(None)
        yield from self.bidding()
        # A deal with nothing but an outcome has no blank lines.
        blank = [GAP] if any(deal.hand_spans) or (deal.calls, deal.cards) != (None, None) else []
        yield from blank
        yield from _facts(deal, "declaration")
        yield from self.play()
        yield from blank
        yield from self.outcome()
        yield from self.irregularities("play")

    def opening(self, above: Header) -> Lines:
        deal = self.deal
        own = Header(deal.code, deal.options, deal.tags, deal.players, deal.sides)
        if deal.own is not None and replace(below(deal.own, above), stated=()) == own:
            own = deal.own
        unread = (("note", text) for text, _ in deal.unused)
        name = deal.id.removeprefix("deal ")
        titled = bool(own.tags) and own.tags[0][0] == "title"
        title = f" {quoted(own.tags[0][1])}" if titled else ""
        number = re.fullmatch("[0-9]+", name)
        yield Line(f"deal {name if number else quoted(name)}{title}", ("deal",))
        yield from _header(replace(own, tags=(*own.tags, *unread)), titled)

    def marked(self, event: Event, text: str) -> str:
        if (remark := self.remarks.get(event)) is None:
            return text
        note = "" if remark.note is None else f" {quoted(remark.note)}"
        return f"{text}{remark.mark or ''}{note}"

    def row(self, cells: Sequence[str], event: Event, first: Item, last: Item) -> Lines:
        """A row, and below it the irregularities of its last event."""
        yield Line(" ".join(cells), first, last, "  ")
        for number, incident in enumerate(self.incidents.get(event, ())):
            yield Line(incident_words(incident), (*last, "irregularity", number), indent="  ")

    def irregularities(self, after: str | None) -> Lines:
        """The irregularities of the deal itself that were recorded after the part `after`."""
        for number, incident in enumerate(self.incidents.get(None, ())):
            if incident.after == after:
                yield GAP
                yield Line(incident_words(incident), ("irregularity", number))

    def hands(self) -> Lines:
        deal, details = self.deal, {detail.seat: detail for detail in self.deal.hand_details}
        seats = [seat for seat in SEATS if deal.hand_spans[seat.number] is not None]
        shown = [details.get(seat) or HandDetail(seat) for seat in seats]
        rows = [_holdings(deal, detail) for detail in shown]
        # There is a column for each suit that is written for any hand.
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        if rows:
            yield from (GAP, Line("hands", ("hands",)))
        for detail, cells in zip(shown, rows, strict=True):
            aligned = [cell.ljust(w) for cell, w in zip(cells, widths, strict=True) if w]
            text = "  ".join([detail.seat.word.ljust(5), *aligned]).rstrip()
            text += "  ..." if detail.partial else ""
            yield Line(text, ("hands", detail.seat.value), indent="  ")

    def bidding(self) -> Lines:
        deal = self.deal
        if deal.calls is None:
            return
        opener = f" from {deal.first_caller.word}" if deal.first_caller else ""
        yield from (GAP, Line(f"bidding{opener}", ("bidding",)))
        callers, corrections = dict(deal.callers), set(deal.corrections)

        def ends(n: int) -> bool:
            return n % 4 == 3 or Event("call", n) in self.incidents or self.cut("bidding", n)

        for first, last in _rows(len(deal.calls), ends):
            calls = []
            for n in range(first, last + 1):
                words = call_words(deal.calls[n], callers.get(n), n in corrections)
                calls.append(self.marked(Event("call", n), words))
            items = ("bidding", first), ("bidding", last)
            yield from self.row([", ".join(calls)], Event("call", last), *items)

    def cut(self, kind: str, n: int) -> bool:
        """Whether a comment forces a new line after an item."""
        before, after = ((kind, n), "after"), ((kind, n + 1), "before")
        return not self.commented.isdisjoint((before, after))

    def play(self) -> Lines:
        deal, named = self.deal, dict(self.deal.players_named)
        played = deal.cards is not None or deal.claims or deal.more_play
        if deal.declaration or not played:
            yield from self.irregularities("bidding")
        if not played:
            return
        columns = f" in columns from {deal.columns.word}" if deal.columns else ""
        yield from (GAP, Line(f"play{columns}", ("play",)))
        if not deal.declaration:
            yield from self.irregularities("bidding")
        leaders = {n: [f"{seat.word}:"] for n, seat in deal.leaders}
        bounds = [*pairwise((*deal.trick_starts, len(deal.cards or ())))]
        claims = [(claim.after_trick, 0, number) for number, claim in enumerate(deal.claims)]
        for trick, is_trick, number in sorted([*claims, *((n, 1, n) for n in range(len(bounds)))]):
            if is_trick:
                start, end = bounds[trick]
                cards = [self.card(n, named.get(n), n == end - 1) for n in range(start, end)]
                event, item = Event("card", end - 1), ("play", trick)
                yield from self.row([*leaders.get(trick, ()), *cards], event, item, item)
            else:
                item = "claims", number
                words = claim_words(deal.claims[number])
                yield from self.row([words], Event("claim", number), item, item)
        if deal.more_play:
            yield Line("...", ("more",), indent="  ")

    def card(self, number: int, player: Seat | None, last: bool) -> str:
        """A card, in brackets with its player and irregularities unless it is the `last`."""
        event = Event("card", number)
        words = [player.word] if player else []
        words.append(self.marked(event, _CARDS.get((self.deal.cards or ())[number], "-")))
        words += () if last else map(incident_words, self.incidents.get(event, ()))
        return f"({' '.join(words)})" if len(words) > 1 else words[0]

    def outcome(self) -> Lines:
        deal, scores = self.deal, self.deal.scores
        yield from _facts(deal, "result")
        for number, honours in enumerate(deal.honours):
            yield Line(f"honours {honours_words(honours)}", ("honours", number))
        for number, chicane in enumerate(deal.chicane):
            yield Line(f"chicane {chicane.word}", ("chicane", number))

        def ends(n: int) -> bool:
            return scores[n + 1].side is not scores[n].side or self.cut("score", n)

        for first, last in _rows(len(scores), ends):
            words = ["score", scores[first].side.word]
            for score in scores[first : last + 1]:
                words += [score.column, *map(str, score.points or (0,))]
            yield Line(" ".join(words), ("score", first), ("score", last))
        yield from _facts(deal, "game")


def _rows(number: int, ends: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of each row of `number` items; `ends(n)` ends a row at n."""
    first = 0
    for n in range(number):
        if n == number - 1 or ends(n):
            yield first, n
            first = n + 1


def _holdings(deal: Deal, detail: HandDetail) -> list[str]:
    """The text of each suit of a hand, such as `♠ A 10 2`; empty if nothing is to be written."""
    cells, small = list[str](), dict(detail.small)
    ranks: Mapping[Suit, list[str]] = {suit: [] for suit in PRINTED_SUITS}
    for card in held(deal, detail.seat):
        ranks[card.suit].append(str(card)[1:])
    for suit, written in ranks.items():
        written += ["x"] * small.get(suit, 0)
        # A void is always written in a complete hand; in a partial one only if it was stated.
        if not written and (not detail.partial or suit in small):
            written.append("-")
        cells.append(" ".join([suit.symbol, *written]) if written else "")
    return cells


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
_CARDS = {int(card): str(card) for card in PACK}


def quoted(text: str) -> str:
    """A text escaped and in quotation marks; control characters become spaces."""
    text = _BREAK.sub("\n", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{CONTROL.sub(" ", text)}"'


def _word_or_quoted(text: str) -> str:
    return text if _WORD.fullmatch(text) and text == text.lower() else quoted(text)


def _option_words(option: str) -> str:
    if "=" not in option:
        return f"option {_word_or_quoted(option)}"
    unquoted = _CHOICE.fullmatch(option) and option == option.lower()
    return f"reading {option if unquoted else quoted(option)}"


def _tag_words(name: str, value: str) -> str:
    if name in _NAMED_TAGS:
        return f"{name} {quoted(value)}"
    if name == "date":
        return f"date {value if _DATE.fullmatch(value) else quoted(value)}"
    return f"tag {name if _WORD.fullmatch(name) else quoted(name)} {quoted(value)}"


def figures_words(figures: Figures) -> str:
    """`north-south 1 east-west 0`, or `none`; empty if neither side has a number."""
    if figures == Figures(0, 0):
        return "none"
    sides = zip(Side, figures, strict=True)
    return " ".join(f"{side.word} {number}" for side, number in sides if number is not None)


def call_words(packed: int, caller: Seat | None = None, corrects: bool = False) -> str:
    """A call with its caller: `south: 2 hearts`."""
    kind = kind_of(packed)
    words = [f"{caller.word}:"] if caller else []
    words += ["corrects"] if corrects else []
    words += [_PHRASES.get(kind, kind)] if kind != "bid" else []
    if named := denomination_of(packed):
        words.append(bid_words(odd_tricks_of(packed), named))
    return " ".join(words)


def bid_words(odd_tricks: int | None, denomination: str | None) -> str:
    """`4 hearts`, `1 no-trump`, or only the denomination if `odd_tricks` is `None`."""
    one, many = DENOMINATIONS.get(denomination or "", (denomination or "", denomination or ""))
    return many if odd_tricks is None else f"{odd_tricks} {one if odd_tricks == 1 else many}"


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


_TEXTS: dict[str, Callable[[Any], str]] = {
    "dealer": lambda seat: seat.word,
    "standing games": figures_words,
    "standing trick": figures_words,
    "standing honour": figures_words,
    "vulnerable": lambda on: "both" if len(on) == 2 else next((s.word for s in on), "none"),
    "tray": str,
    "table": quoted,
    "playing": lambda kind: "original play" if kind == "original" else "overplay",
    "declaration": declaration_words,
    "result": result_words,
    "game": lambda side: side.word,
    "total": figures_words,
}
"""The statements with one value, each with the function that writes it."""
