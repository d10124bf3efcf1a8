"""Records in our own notation, in the canonical form: one way to write everything, nothing lost.

Statements stand in the order of `docs/notation.md`, suits as symbols, calls in words, four to a
row. A comment stays with its statement: on the lines before it, or at the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddtrick.cards import PRINTED_SUITS, Seat, Side, Suit
from oddtrick.record.hand.read import BREAK, NO_HEADER, Document
from oddtrick.record.hand.words import DENOMINATIONS
from oddtrick.record.model import (
    Call,
    Comment,
    Declaration,
    Group,
    Hand,
    Header,
    HonoursClaim,
    Incident,
    Item,
    Played,
    Record,
    Result,
    SideFigures,
    TableClaim,
    Trick,
)


def write_document(document: Document) -> str:
    """The whole document, each statement where it stood; none that is damaged."""
    pen = _Pen(document.comments)
    pen.comments(("start",))
    pen.gap()
    _write_header(pen, document.header)
    parts = [_item(item, document.header) for item in document.items]
    text = "\n".join(part for part in [pen.text(), *parts] if part)
    return "\n".join(part for part in (text, pen.rest()) if part)


def write_hand(items: Iterable[Record | Group]) -> str:
    """Deals and groups one after another, each with everything that holds for it."""
    return "\n".join(_item(item, NO_HEADER) for item in items)


def _item(item: Record | Group, above: Header) -> str:
    return _group(item, above) if isinstance(item, Group) else _deal(item, above)


class _Pen:
    """Lines in order, each with the comments that belong to it."""

    def __init__(self, comments: Iterable[Comment]) -> None:
        self.lines: list[str] = []
        self.left: dict[tuple[Item, str], list[str]] = {}
        self._gap = False
        for comment in comments:
            self.left.setdefault((comment.anchor, comment.where), []).extend(
                ("# " + CONTROL.sub(" ", line)).rstrip() for line in BREAK.split(comment.text)
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


# --- what holds for many deals --------------------------------------------------------------------


def _write_header(pen: _Pen, header: Header, skip_title: bool = False) -> None:
    if header.code:
        pen.say(f"code {word_or_quoted(header.code.value)}", ("code",))
    for number, option in enumerate(header.options):
        said = f"option {word_or_quoted(option.value)}"
        if "=" in option.value:
            plain = CHOICE.fullmatch(option.value) and option.value == option.value.lower()
            said = f"reading {option.value if plain else quoted(option.value)}"
        pen.say(said, ("option", number))
    for number, (name, value) in enumerate(header.tags):
        if number or not skip_title:
            pen.say(tag_words(name, value), ("tag", number))
    for word, names in (("players", header.players), ("sides", header.sides)):
        if names:
            pen.say(" ".join([word, *(f"{s.word} {quoted(n)}" for s, n in names)]), (word,))


def _group(group: Group, above: Header) -> str:
    """A rubber or a match."""
    pen = _Pen(group.comments)
    own = Header(group.code, group.options, group.tags, group.players, group.sides)
    named = "" if group.name is None else f" {quoted(group.name)}"
    pen.say(group.kind + named, (group.kind,))
    _write_header(pen, own)
    deals = "".join(f"\n{_deal(record, own.below(above))}" for record in group.records)
    opening = pen.text()
    pen.lines.clear()
    if group.unfinished:
        retired = f" retired {group.retired.value.word}" if group.retired else ""
        pen.say(f"unfinished{retired}", ("unfinished",))
    _write_figures(pen, "total", group.total)
    if group.team_totals:
        teams = (f"{quoted(name)} {points}" for name, points in group.team_totals.value)
        pen.say(" ".join(["total", *teams]), ("total",))
    if group.won_by:
        points = f" {group.points.value}" if group.points else ""
        pen.say(f"won by {group.won_by.value.word}{points}", ("won",))
    pen.say(f"end {group.kind}", ("end",))
    closing = pen.text()
    return f"{opening}{deals}\n{pen.rest()}{closing}"


def _write_figures(pen: _Pen, word: str, figures: SideFigures | None) -> None:
    sides = [(side, figures.of(side)) for side in Side] if figures else []
    said = [f"{side.word} {number}" for side, number in sides if number is not None]
    if said:
        pen.say(" ".join([word, *said]), (word,))


# --- a deal ---------------------------------------------------------------------------------------


def _deal(record: Record, above: Header) -> str:
    """A deal below what is stated above it."""
    pen = _Pen(record.comments)
    own = Header(record.code, record.options, record.tags, record.players, record.sides)
    if record.own is not None and record.own.below(above) == own:
        own = record.own
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
    apart = bool(record.hands or record.bidding is not None or record.play is not None)
    if record.declaration and (text := declaration_words(record.declaration)):
        if apart:
            pen.gap()
        pen.say(f"declaration {text}", ("declaration",))
    _write_play(pen, record)
    if apart:
        pen.gap()
    _write_outcome(pen, record)
    _write_deals_incidents(pen, record, "play")
    pen.close()
    return pen.text() + pen.rest()


def _write_facts(pen: _Pen, record: Record) -> None:
    if record.dealer:
        pen.say(f"dealer {record.dealer.value.word}", ("dealer",))
    _write_figures(pen, "standing games", record.standing_games)
    _write_figures(pen, "standing trick", record.standing_trick)
    _write_figures(pen, "standing honour", record.standing_honour)
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


def _write_bidding(pen: _Pen, record: Record) -> None:
    if record.bidding is None:
        return
    pen.gap()
    opener = f" from {record.bidding_from.value.word}" if record.bidding_from else ""
    pen.say(f"bidding{opener}", ("bidding",))
    row: list[str] = []
    for number, call in enumerate(record.bidding, 1):
        row.append(call_words(call))
        here = ("bidding", number - 1)
        full = number % 4 == 0 or number == len(record.bidding)
        if full or call.incidents or pen.breaks(here, ("bidding", number)):
            pen.say(", ".join(row), ("bidding", number - len(row)), here, indent="  ")
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
            last = trick.cards[-1].incidents if trick.cards else ()
            _write_incidents(pen, last, ("play", number))
    if record.more_play:
        pen.say("...", ("more",), indent="  ")


def _write_outcome(pen: _Pen, record: Record) -> None:
    if record.result:
        pen.say(f"result {result_words(record.result)}", ("result",))
    for number, claim in enumerate(record.honours):
        pen.say(f"honours {honours_words(claim)}", ("honours", number))
    for number, chicane in enumerate(record.chicane):
        pen.say(f"chicane {chicane.value.word}", ("chicane", number))
    row: list[str] = []
    for number, score in enumerate(record.scores, 1):
        row.append(f"{score.column} {' '.join(map(str, score.points or (0,)))}")
        here, following = ("score", number - 1), record.scores[number : number + 1]
        goes_on = following and following[0].side is score.side
        if not goes_on or pen.breaks(here, ("score", number)):
            text = f"score {score.side.word} {' '.join(row)}"
            pen.say(text, ("score", number - len(row)), here)
            row = []
    if record.game:
        pen.say(f"game {record.game.value.word}", ("game",))


# --- values in words, each the way back from a rule of `hand.lark` --------------------------------

SPOKEN = {
    "may-i-lead": "may I lead",
    "all-pass": "all pass",
    "pass-to-partner": "pass to partner",
    "unrecorded": "...",
}
NAMED_TAGS = ("source", "event", "venue", "scorer", "note")
CHOICE = re.compile(r"[^\W\d_]\w*(?:['.:-]\w+)*=\w+(?:['-]\w+)*")
WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def quoted(text: str) -> str:
    """A text in quotation marks as the notation writes it."""
    text = BREAK.sub("\n", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{CONTROL.sub(" ", text)}"'


def word_or_quoted(text: str) -> str:
    """A name as a word where it is one, or else in quotation marks."""
    return text if WORD.fullmatch(text) and text == text.lower() else quoted(text)


def tag_words(name: str, value: str) -> str:
    """The statement that keeps a tag: `source "..."`, `date 1927`, `tag Name "..."`."""
    if name in NAMED_TAGS:
        return f"{name} {quoted(value)}"
    if name == "date":
        return f"date {value if DATE.fullmatch(value) else quoted(value)}"
    return f"tag {name if WORD.fullmatch(name) else quoted(name)} {quoted(value)}"


def holding_words(hand: Hand, suit: Suit) -> str:
    """The cards of one suit, `♠ A 10 2`; empty where nothing is to be written."""
    ranks = ["10" if c.rank == "T" else c.rank for c in hand.cards if c.suit is suit]
    small = dict(hand.small).get(suit)
    ranks += ["x"] * (small or 0)
    # A void is written, but of a hand not wholly known only where the record states it.
    if not ranks and (not hand.partial or small == 0):
        ranks = ["-"]
    return " ".join([suit.symbol, *ranks]) if ranks else ""


def call_words(call: Call) -> str:
    """A call with its caller and marks: `south: 2 hearts!`."""
    words = [f"{call.seat.word}:"] if call.seat else []
    words += ["corrects"] if call.corrects else []
    if call.kind == "bid":
        words.append(bid_words(call.odd_tricks, call.denomination))
    elif call.kind == "make":
        words.append(f"make {bid_words(None, call.denomination)}")
    else:
        words.append(SPOKEN.get(call.kind, call.kind))
    return marked(" ".join(words), call.mark, call.note)


def bid_words(odd_tricks: int | None, denomination: str | None) -> str:
    """`4 hearts`, `1 no-trump`, or the denomination alone."""
    one, many = DENOMINATIONS.get(denomination or "", (denomination or "", denomination or ""))
    return many if odd_tricks is None else f"{odd_tricks} {one if odd_tricks == 1 else many}"


def marked(text: str, mark: str | None, note: str | None) -> str:
    """A call or card with its mark and remark."""
    return f"{text}{mark or ''}{'' if note is None else f' {quoted(note)}'}"


def incident_words(incident: Incident) -> str:
    """The statement of an irregularity."""
    words = ["irregularity", word_or_quoted(incident.name)]
    for name in ("by", "of", "noticed_by", "remedy", "chosen_by", "waived_by", "when", "note"):
        said = getattr(incident, name)
        if said is not None:
            words += [name.replace("_", " "), said.word if isinstance(said, Seat) else quoted(said)]
    return " ".join(words)


def trick_words(trick: Trick) -> str:
    """The cards of a trick. What is irregular with the last card stands on the lines below."""
    leader = [f"{trick.leader.word}:"] if trick.leader else []
    cards = [played_words(p, p.incidents) for p in trick.cards[:-1]]
    return " ".join(leader + cards + [played_words(p, ()) for p in trick.cards[-1:]])


def played_words(played: Played, incidents: Sequence[Incident]) -> str:
    """A card, in brackets where more is said of it: `(east ♥2)`."""
    text = marked(str(played.card or "-"), played.mark, played.note)
    if played.seat is None and not incidents:
        return text
    seat = [played.seat.word] if played.seat else []
    return f"({' '.join([*seat, text, *map(incident_words, incidents)])})"


def claim_words(claim: TableClaim) -> str:
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


def honours_words(claim: HonoursClaim) -> str:
    """`north-south 5, 4 in one hand`."""
    said, held = f"{claim.side.word} {claim.total}", claim.in_one_hand
    if held is None:
        return said
    return f"{said} in one hand" if held == claim.total else f"{said}, {held} in one hand"
