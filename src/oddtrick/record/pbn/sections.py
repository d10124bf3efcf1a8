"""The auction and the play of a PBN record: calls and cards, their marks, notes, irregularities.

Both sections are rows of slots, one for each player in turn from the seat in the section's tag. In
the auction `-` is a player whose turn has not come and `^S` one who was passed over; `^I` stands
before an insufficient bid. In the play `-` is a card that is not known, `^L` stands before a lead
out of turn and `^R` before a revoke. `*` ends what is not recorded to its end, `+` what is to be
continued.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TypeVar, cast

from oddtrick.cards import BITS, PACK, SEATS, Card, Seat
from oddtrick.record.model import (
    Call,
    Comment,
    Incident,
    Item,
    Place,
    Played,
    Stated,
    Trick,
    Unreadable,
)
from oddtrick.record.numbers import Columns, Row, Said
from oddtrick.record.pbn.values import DENOMINATIONS
from oddtrick.terminal import in_a_line

SKIPPED = {"pass": "pass-out-of-turn", "bid": "bid-out-of-turn"}
"""What a call is for which a player was passed over; `all pass` is a pass, the rest a double."""
SKIPPED |= {"all-pass": SKIPPED["pass"]} | dict.fromkeys(
    ("double", "redouble"), "double-out-of-turn"
)
INSUFFICIENT = "insufficient-bid"
REVOKED, LED = "revoke", "lead-out-of-turn"
OPEN_AUCTION, OPEN_PLAY = "[Auction] +", "[Play] +"
"""What is kept of a `+`: that the record says it is to be continued."""

MANY = 25
"""How many of a kind are told of one record."""

SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
"""The suffixes in the order of their glyphs, `$1` to `$6` for calls, `$7` to `$12` for cards."""

CALLS: dict[str, Said] = {
    f"{odd}{letter}": ("bid", odd, denomination)
    for odd in range(1, 8)
    for letter, denomination in DENOMINATIONS.items()
}
for _kind, _words in {
    "pass": "PASS P PAS / NB NOBID NO",
    "double": "X DBL DOUBLE D DB",
    "redouble": "XX RDBL REDBL REDOUBLE R RD",
    "all-pass": "AP ALLPASS",
}.items():
    CALLS |= dict.fromkeys(_words.split(), (_kind, None, None))

CARDS = {
    sign + written: card
    for card in PACK
    for sign in (card.suit.value, card.suit.symbol)
    for written in ((card.rank, "10") if card.rank == "T" else (card.rank,))
}
"""Cards by letter or symbol of the suit and `T` or `10`."""
_PLAIN_CARDS = {word: BITS[card] for word, card in CARDS.items()} | {"-": BITS[None]}
_TURNED = {code[1:] + code[0]: card for code, card in CARDS.items()}

PLAIN_CALLS = {w: call for word, call in CALLS.items() for w in (word, word.lower(), word.title())}
"""Calls as they are nearly always written."""

_ITEM = re.compile(
    r"(?P<irregular>\^\s*[A-Za-z])|(?P<note>=\s*[^=\s]*\s*=)|(?P<glyph>\$\d+)"
    r"|(?P<suffix>[!?][!?]?)|(?P<end>[*+])"
    r"|(?P<word>(?i:all\s+pass|no\s+bid)\b|[^\s^=$!?*+,|]+)|(?P<other>[\^=$])"
)
_ROW = re.compile(r"\s*" + r"\s+".join([r"([SHDC][2-9TJQKA])"] * 4) + r"\s*")
_BETWEEN = re.compile(r"[\s-]+")


@dataclass(slots=True)
class Margin:
    """What reading a record leaves beside it: the unreadable, text kept, assumptions, comments."""

    file: str
    unreadable: list[Unreadable] = field(default_factory=list)
    kept: list[Stated[str]] = field(default_factory=list)
    assumed: list[Stated[str]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def unread(self, rule: str, message: str, text: str | None, place: Place) -> None:
        """Say that a piece could not be read at all, and keep it."""
        self._find(rule, message, place)
        if text is not None:
            self.keep(text, place)

    def unclear(self, rule: str, message: str, place: Place) -> None:
        """Say that something does not let a fact be known."""
        self._find(rule, message, place, unclear=True)

    def keep(self, text: str, place: Place) -> None:
        """Keep a text that was not used; noise is kept only in part."""
        if len(self.kept) < 8 * MANY:
            self.kept.append(Stated(text, place))

    def assume(self, text: str, place: Place) -> None:
        """Say what was taken for granted."""
        self.assumed.append(Stated(text, place))

    def _find(self, rule: str, message: str, place: Place, unclear: bool = False) -> None:
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number > MANY + 1:
            return
        if number == MANY + 1:
            message = "There is more of the same kind in this record."
        self.unreadable.append(Unreadable(rule, message, self.file, place, None, unclear))


def shown(text: str) -> str:
    """The beginning of a text in quotation marks, fit for a message."""
    clean = in_a_line(" ".join(text[:200].split()))
    return f'"{clean if len(clean) <= 50 else clean[:47] + "..."}"'


def comment_text(written: str) -> str:
    """The words of a comment without its braces or semicolon."""
    return (written[1:].removesuffix("}") if written.startswith("{") else written[1:]).strip()


class Token(str):
    """A piece of a record's text, as the grammar calls it, with its line and column."""

    __slots__ = ("column", "kind", "line")

    kind: str
    line: int
    column: int

    def __new__(cls, text: str, kind: str, line: int, column: int) -> Token:
        """The piece with where it begins, counted from 1."""
        token = str.__new__(cls, text)
        token.kind, token.line, token.column = kind, line, column
        return token


def place_of(token: Token, offset: int) -> Place:
    """Where a token stands in the file; `offset` is added to its line."""
    line, column, lines = offset + token.line, token.column, token.split("\n")
    end = len(lines[-1]) + (column if len(lines) == 1 else 1)
    return Place(line, column, line + len(lines) - 1, end)


# --- the pieces of a section ----------------------------------------------------------------------

Piece = tuple[str, str, Place]
"""One piece of a section: its kind, text and place."""
Made = TypeVar("Made", Call, Played)


def lines_in(token: Token, offset: int) -> Iterator[tuple[str, int, int]]:
    """The lines of a token with their line and column in the file."""
    line, column = offset + token.line, token.column
    for text in token.split("\n"):
        yield text, line, column
        line, column = line + 1, 1


def _pieces(text: str, line: int, column: int) -> Iterator[Piece]:
    """The pieces of a line of a section that begins at that column."""
    for found in _ITEM.finditer(text):
        start, end = found.span()
        yield found.lastgroup or "other", found[0], Place(line, column + start, line, column + end)


def _plain_words(tokens: Sequence[Token]) -> list[str]:
    """The words of a section that has no comments; none of one that has."""
    return tokens[0].split() if len(tokens) == 1 and tokens[0].kind == "DATA" else []


def _call_of(text: str) -> tuple[str, int | None, str | None] | None:
    return CALLS.get(text.upper()) or CALLS.get(_BETWEEN.sub("", text).upper())


def _written(pieces: Sequence[Piece]) -> bool:
    """Whether a word stands among pieces, and not only dashes."""
    return any(kind == "word" and text.strip("-") for kind, text, _ in pieces)


@dataclass(frozen=True, slots=True)
class _Section:
    """What auction and play share.

    The glyph that is `!`, the notes, the margin of the record.
    """

    first_glyph: int
    notes: Mapping[str, str]
    margin: Margin

    def marked(self, made: Made, piece: Piece, anchor: Item) -> Made:
        """A call or card with a note, suffix or glyph; a glyph that is no suffix is a comment."""
        kind, text, place = piece
        if kind == "note":
            note = self._note(text, place)
            both = f"{made.note}; {note}" if made.note and note else made.note or note
            return replace(made, note=both)
        number = int(text[1:]) - self.first_glyph if kind == "glyph" and len(text) < 6 else -1
        mark = SUFFIXES[number] if 0 <= number < len(SUFFIXES) else text
        if mark.startswith("$"):
            self.margin.comments.append(Comment(mark, anchor, "after", place))
        elif made.mark:
            self.unknown(text, place)
        else:
            return replace(made, mark=mark)
        return made

    def _note(self, text: str, place: Place) -> str | None:
        index = text.strip("= \t")
        if index not in self.notes:
            said = f"{shown(text)} refers to a note that is not there."
            self.margin.unclear("notation.pbn-note", said, place)
            self.margin.keep(text, place)
        return self.notes.get(index)

    def unknown(self, text: str, place: Place) -> None:
        """Say that a piece means nothing where it stands."""
        said = f"{shown(text)} means nothing here; it was kept."
        self.margin.unclear("notation.pbn-mark", said, place)
        self.margin.keep(text, place)

    def keep(self, pieces: Sequence[Piece]) -> None:
        """Keep the rest of a section, which is not used."""
        first, last = pieces[0][2], pieces[-1][2]
        place = Place(first.line, first.column, last.end_line, last.end_column)
        self.margin.kept.append(Stated(" ".join(text for _, text, _ in pieces), place))


def accepted(incidents: Iterable[Incident], offender: Seat | None) -> tuple[Incident, ...]:
    """Irregularities that a record marks, as the standard has them.

    They were accepted by the other side, or not noticed in time: the player behind the offender
    waived them. Where the offender is not known nobody did.
    """
    return tuple(replace(i, waived_by=offender.left if offender else None) for i in incidents)


# --- the auction ----------------------------------------------------------------------------------


def plain_auction(first: Seat, tokens: Sequence[Token]) -> tuple[Seat, Sequence[Said]] | None:
    """Who calls first, and the calls, of an auction section that has nothing else in it.

    `None` of any other: `read_auction` reads them all.
    """
    return calls_of(first, _plain_words(tokens))


def calls_of(first: Seat, words: Sequence[str]) -> tuple[Seat, Sequence[Said]] | None:
    """Who calls first, and the calls, of words that are calls behind dashes, and nothing else."""
    begin = 0
    while begin < len(words) and words[begin] == "-":
        begin += 1
    calls = [PLAIN_CALLS.get(word) for word in (words[begin:] if begin else words)]
    return None if not calls or None in calls else (first.after(begin), cast("list[Said]", calls))


def read_auction(
    first: Seat | None,
    tokens: Sequence[Token],
    offset: int,
    notes: Mapping[str, str],
    margin: Margin,
) -> tuple[tuple[Call, ...], Seat | None]:
    """The calls of an auction section, and whose turn was first where the tag names a seat."""
    pieces: list[Piece] = []
    for token in tokens:
        if token.kind != "DATA":
            pieces.append(("comment", token, place_of(token, offset)))
            continue
        for line in lines_in(token, offset):
            pieces += _pieces(*line)
    auction = _Auction(first, _Section(1, notes, margin))
    auction.take(pieces)
    return tuple(auction.calls), auction.opened


class _Auction:
    """The calls of an auction section while they are read."""

    def __init__(self, first: Seat | None, section: _Section) -> None:
        self.section, self.margin = section, section.margin
        self.calls: list[Call] = []
        self.incidents: list[Incident] = []
        # The seats of the next slot and the next in turn part where a player is passed over.
        self.seat = self.turn = self.opened = first
        self.skipped: Place | None = None

    def take(self, pieces: Sequence[Piece]) -> None:
        """Take the pieces of the section up to its end."""
        numbers = range(len(pieces) - 1, -1, -1)
        last = next((n for n in numbers if pieces[n][0] == "word" and _call_of(pieces[n][1])), -1)
        for index, (kind, text, place) in enumerate(pieces):
            if kind == "word":
                if not self._word(text, place):
                    said = f"{shown(text)} is no call; what follows was not used."
                    self.margin.unread("notation.pbn-call", said, None, place)
                    self.section.keep(pieces[index:])
                    self._break_off(place)
                    return
            elif kind == "comment":
                self.margin.comments.append(
                    Comment(comment_text(text), self._anchor(), "after", place)
                )
            elif kind == "irregular" and text[-1] in "sS":
                self.skipped, self.seat = place, self._left()
            elif kind == "irregular" and text[-1] in "iI":
                self.incidents.append(Incident(INSUFFICIENT, place=place))
            elif text == "*" and index < last:
                # Some programs write it behind a call that is alerted.
                said = f'the "*" behind {self._spoken()} was passed over, for calls follow it'
                self.margin.assume(said, place)
            elif kind == "end":
                if text == "+":
                    self.margin.keep(OPEN_AUCTION, place)
                else:
                    self._break_off(place)
                if _written(pieces[index + 1 :]):
                    self.section.keep(pieces[index + 1 :])
                return
            elif not self.calls or kind in ("irregular", "other"):
                self.section.unknown(text, place)
            else:
                piece = (kind, text, place)
                self.calls[-1] = self.section.marked(self.calls[-1], piece, self._anchor())

    def _word(self, text: str, place: Place) -> bool:
        """Take a call, or a dash for a player; false where a word is neither."""
        if call := _call_of(text):
            if self.skipped:
                out = Incident(SKIPPED[call[0]], by=self.seat, place=self.skipped)
                self.incidents.append(out)
            elif self.seat is not self.turn:
                said = "a dash between calls was read as no call of that player"
                self.margin.assume(said, place)
            caller = self.seat if self.seat is not self.turn else None
            incidents = accepted(self.incidents, self.seat)
            self.calls.append(Call(*call, caller, False, None, None, incidents, place))
            self.incidents, self.skipped = [], None
            self.seat = self.turn = self._left()
        elif not text.strip("-"):
            self.seat = self._left()
            if not self.calls and not self.skipped:
                self.turn = self.opened = self.seat
        else:
            return False
        return True

    def _left(self) -> Seat | None:
        return self.seat.left if self.seat else None

    def _break_off(self, place: Place) -> None:
        """The record does not go on though the auction does."""
        if not over(self.calls):
            self.calls.append(Call("unrecorded", place=place))

    def _anchor(self) -> Item:
        return ("bidding", len(self.calls) - 1) if self.calls else ("bidding",)

    def _spoken(self) -> str:
        if not self.calls:
            return "the first calls"
        return f"call {len(self.calls)} ({self.calls[-1].kind})"


def over(calls: Sequence[Call]) -> bool:
    """Whether calls end the auction: all pass, three passes behind a bid, or four passes."""
    kinds = [c.kind for c in calls]
    return kinds[-1:] == ["all-pass"] or (len(kinds) > 3 and kinds[-3:] == ["pass"] * 3)


# --- the play -------------------------------------------------------------------------------------


def plain_play(first: Seat, tokens: Sequence[Token]) -> Sequence[Row] | None:
    """The tricks of a play section that has nothing in it but four cards or dashes for each, and
    `*` behind a play that is broken off.

    `None` of any other: `read_play` reads them all.
    """
    return rows_of(first, _plain_words(tokens))


def rows_of(first: Seat, words: Sequence[str]) -> Sequence[Row] | None:
    """The tricks of words that are cards or dashes, four for each, in columns from a player on."""
    if words and words[-1] == "*":
        words = words[:-1]
    try:
        cards = [_PLAIN_CARDS[word] for word in words]
    except KeyError:
        return None
    if len(cards) % len(SEATS):
        return None
    while cards and not any(cards[-len(SEATS) :]):
        del cards[-len(SEATS) :]
    return Columns(first, cards) if cards else None


def read_play(
    first: Seat, tokens: Sequence[Token], offset: int, notes: Mapping[str, str], margin: Margin
) -> tuple[Trick, ...]:
    """The tricks of a play section, in columns from the seat of its tag."""
    slots = _Play(_Section(7, notes, margin))
    for token in tokens:
        if token.kind == "DATA":
            for line in lines_in(token, offset):
                slots.line(*line)
        else:
            slots.comment(token, offset)
    tricks = []
    for cards in slots.rows():
        start, end = cards[0].place, cards[-1].place
        leader = None
        for column, played in enumerate(cards):
            if played.incidents:
                seat = first.after(column)
                cards[column] = replace(played, incidents=accepted(played.incidents, seat))
                if any(i.name == LED for i in played.incidents):
                    leader = seat
        place = Place(start.line, start.column, end.end_line, end.end_column)
        tricks.append(Trick(tuple(cards), leader, first, place))
    return tuple(tricks)


class _Play:
    """The slots of a play section in the order written."""

    def __init__(self, section: _Section) -> None:
        self.section, self.margin = section, section.margin
        self.slots: list[Played] = []
        self.counts: list[int] = []
        self.last_line = 0
        self.incidents: list[Incident] = []
        self.broken = False
        self.ended = False

    def line(self, text: str, line: int, column: int) -> None:
        """One line of the section: nearly always four plain cards."""
        row = _ROW.fullmatch(text)
        if row and not self.incidents and not self.ended:
            for index in (1, 2, 3, 4):
                start = column + row.start(index)
                place = Place(line, start, line, start + 2)
                self.slots.append(Played(CARDS[row[index]], None, None, None, (), place))
            self._count(line, 4)
            return
        pieces = list(_pieces(text, line, column))
        for index, piece in enumerate(pieces):
            if self.ended:
                if _written(pieces[index:]):
                    self.section.keep(pieces[index:])
                return
            self._take(piece)

    def comment(self, token: Token, offset: int) -> None:
        """A comment behind the last card, or behind the section's tag."""
        self.broken |= "\n" in token
        said, place = comment_text(token), place_of(token, offset)
        self.margin.comments.append(Comment(said, self._anchor(), "after", place))

    def _anchor(self) -> Item:
        last = len(self.slots) - 1
        return ("play", last // 4, last % 4) if self.slots else ("play",)

    def rows(self) -> list[list[Played]]:
        """The slots in rows of four.

        A line of fewer is a row by itself where the first line has four and the slots do not come
        out even, unless a comment over several lines has `broken` the rows.
        """
        slots, counts = self.slots, self.counts
        rows = [slots[i : i + 4] for i in range(0, len(slots), 4)]
        uneven = len(slots) % 4 and counts[0] == max(counts) == 4 and min(counts[:-1]) < 4
        if uneven and not self.broken:
            ends = zip(accumulate(counts), counts, strict=True)
            rows = [slots[end - count : end] for end, count in ends]
            short = next(row for row in rows if len(row) < 4)
            said = "a row of fewer than four cards was read as one trick, from the first column"
            self.margin.assume(said, short[0].place)
        while rows and not any(p.card for p in rows[-1]):
            rows.pop()
        return rows

    def _count(self, line: int, number: int) -> None:
        if line == self.last_line:
            self.counts[-1] += number
        else:
            self.counts.append(number)
            self.last_line = line

    def _take(self, piece: Piece) -> None:
        kind, text, place = piece
        slots = self.slots
        if kind == "word":
            incidents = tuple(self.incidents)
            slots.append(Played(self._card(text, place), incidents=incidents, place=place))
            self.incidents = []
            self._count(place.line, 1)
        elif kind == "irregular" and text[-1] in "rRlL":
            name = REVOKED if text[-1] in "rR" else LED
            self.incidents.append(Incident(name, place=place))
        elif text == "+":
            slots.append(Played(None, place=place))
            self.margin.keep(OPEN_PLAY, place)
            self._count(place.line, 1)
        elif kind == "end":
            self.ended = True
        elif not slots or kind in ("irregular", "other"):
            self.section.unknown(text, place)
        else:
            slots[-1] = self.section.marked(slots[-1], piece, self._anchor())

    def _card(self, text: str, place: Place) -> Card | None:
        written = text.upper()
        card = CARDS.get(written)
        if card or not written.strip("-"):
            return card
        if card := _TURNED.get(written):
            self.margin.assume(f'"{text}" was read as {card}', place)
        else:
            said = f"{shown(text)} is no card."
            self.margin.unread("notation.pbn-card", said, text, place)
        return card
