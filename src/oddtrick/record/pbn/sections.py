"""The auction and the play of a PBN record: calls and cards with their marks, notes and irregularities.

Both sections are rows of slots, one for each player in turn from the seat in the section's tag. In the
auction `-` is a player whose turn has not come and `^S` one who was passed over; `^I` stands before an
insufficient bid. In the play `-` is a card that is not known, `^L` stands before a lead out of turn and `^R`
before a revoke. `*` ends what is not recorded to its end, `+` what is to be continued.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TypeVar

from lark import Token

from oddtrick.cards import Card, Seat
from oddtrick.judge.finding import Finding, Severity
from oddtrick.record.model import Call, Comment, Incident, Place, Played, Stated, Trick
from oddtrick.record.pbn.values import CARD, DENOMINATIONS, SUITS

SKIPPED, INSUFFICIENT, REVOKED, LED = (
    "out-of-turn",
    "insufficient-bid",
    "revoke",
    "lead-out-of-turn",
)
OPEN_AUCTION, OPEN_PLAY = "[Auction] +", "[Play] +"
"""What is kept of a `+`: that the record says it is to be continued."""

MANY = 25
"""How many findings of a kind are told for one record."""

SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
"""The suffixes in the order of their annotation glyphs, `$1` to `$6` for calls and `$7` to `$12` for cards."""

CALLS: dict[str, tuple[str, int | None, str | None]] = {
    f"{odd}{letter}": ("bid", odd, denomination)
    for odd in range(1, 8)
    for letter, denomination in DENOMINATIONS.items()
}
for _kind, _words in {
    "pass": ("PASS", "P", "PAS", "/", "NB", "NOBID", "NO"),
    "double": ("X", "DBL", "DOUBLE", "D", "DB"),
    "redouble": ("XX", "RDBL", "REDBL", "REDOUBLE", "R", "RD"),
    "all-pass": ("AP", "ALLPASS"),
}.items():
    CALLS |= dict.fromkeys(_words, (_kind, None, None))

CARDS: dict[str, Card] = {
    letter + written: CARD[suit][rank]
    for letter, suit in SUITS.items()
    for rank in CARD[suit]
    for written in ((rank, "10") if rank == "T" else (rank,))
}
_TURNED = {code[1:] + code[0]: card for code, card in CARDS.items()}

_ITEM = re.compile(
    r"(?P<irregular>\^\s*[A-Za-z])|(?P<note>=\s*[^=\s]*\s*=)|(?P<glyph>\$\d+)|(?P<suffix>[!?][!?]?)"
    r"|(?P<end>[*+])|(?P<word>(?i:all\s+pass|no\s+bid)\b|[^\s^=$!?*+,|]+)|(?P<other>[\^=$])"
)
_ROW = re.compile(
    r"\s*([SHDC][2-9TJQKA])\s+([SHDC][2-9TJQKA])\s+([SHDC][2-9TJQKA])\s+([SHDC][2-9TJQKA])\s*"
)
_WORD = re.compile(r"[\s-]+")


@dataclass(slots=True)
class Said:
    """What reading a record leaves beside it: findings, text kept, assumptions, comments."""

    file: str
    found: list[Finding] = field(default_factory=list)
    kept: list[Stated[str]] = field(default_factory=list)
    assumed: list[Stated[str]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def unread(self, rule: str, message: str, text: str | None, place: Place) -> None:
        """Say that a piece could not be read at all, and keep it."""
        self._find(rule, Severity.UNREADABLE, message, place)
        if text is not None:
            self.keep(text, place)

    def unclear(self, rule: str, message: str, place: Place) -> None:
        """Say that something does not let a fact be known."""
        self._find(rule, Severity.INCOMPLETE, message, place)

    def keep(self, text: str, place: Place) -> None:
        """Keep a text that was not used; noise is kept only in part."""
        if len(self.kept) < 8 * MANY:
            self.kept.append(Stated(text, place))

    def _find(self, rule: str, severity: Severity, message: str, place: Place) -> None:
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number <= MANY:
            self.found.append(Finding(rule, severity, message, file=self.file, place=place))
        elif number == MANY + 1:
            message = "There is more of the same kind in this record."
            self.found.append(Finding(rule, severity, message, file=self.file, place=place))

    def assume(self, text: str, place: Place) -> None:
        """Say what was taken for granted."""
        self.assumed.append(Stated(text, place))


C = TypeVar("C", Call, Played)


@dataclass(frozen=True, slots=True)
class _At:
    """Where a mark stands: the anchor of its call or card, and the glyph that is `!` in this section."""

    anchor: tuple[str | int, ...]
    glyph: int


def shown(text: str) -> str:
    """The beginning of a text in quotation marks, fit for a message."""
    line = " ".join(text[:200].split())
    clean = "".join(c if c.isprintable() else "\ufffd" for c in line)
    return f'"{clean if len(clean) <= 50 else clean[:47] + "..."}"'


Item = tuple[str, str, Place]
"""One token of a section: its kind, text and place."""


def _items(text: str, line: int, column: int) -> Iterator[Item]:
    """The tokens of a line of a section's data that begins at that column."""
    for found in _ITEM.finditer(text):
        start, end = found.span()
        yield found.lastgroup or "other", found[0], Place(line, column + start, line, column + end)


def _all_items(tokens: Sequence[Token], offset: int) -> Iterator[Item]:
    """The tokens of a section's data, and its comments; `offset` is added to their line numbers."""
    for token in tokens:
        line, column = offset + (token.line or 1), token.column or 1
        if token.type != "DATA":
            yield "comment", token.value, _place(token, line)
            continue
        for text in token.split("\n"):
            yield from _items(text, line, column)
            line, column = line + 1, 1


def _place(token: Token, line: int) -> Place:
    lines = token.split("\n")
    start = token.column or 1
    return Place(
        line, start, line + len(lines) - 1, len(lines[-1]) + (start if len(lines) == 1 else 1)
    )


def comment_text(written: str) -> str:
    """The words of a comment without its braces or semicolon."""
    return (written[1:].removesuffix("}") if written.startswith("{") else written[1:]).strip()


def _marked(made: C, kind: str, text: str, place: Place, said: Said, at: _At) -> C:
    """A call or card with a suffix or a glyph; a glyph that is no suffix is kept as a comment."""
    number = int(text[1:]) - at.glyph if kind == "glyph" and len(text) < 6 else -1
    mark = SUFFIXES[number] if 0 <= number < len(SUFFIXES) else text
    if mark.startswith("$"):
        said.comments.append(Comment(mark, at.anchor, "after", place))
    elif made.mark:
        _unknown(text, place, said)
    else:
        return replace(made, mark=mark)
    return made


def _noted(text: str, place: Place, notes: Mapping[str, str], said: Said) -> str | None:
    index = text.strip("= \t")
    if index in notes:
        return notes[index]
    said.unclear("notation.pbn-note", f"{shown(text)} refers to a note that is not there.", place)
    said.keep(text, place)
    return None


# --- the auction ----------------------------------------------------------------------------------


def read_auction(
    first: Seat | None, tokens: Sequence[Token], offset: int, notes: Mapping[str, str], said: Said
) -> tuple[tuple[Call, ...], Seat | None]:
    """The calls of an auction section, and the seat whose turn was first, where the tag names a seat."""
    calls: list[Call] = []
    marks: list[Incident] = []
    # Of the next slot and the next in turn; they part where a player is passed over.
    seat = turn = opened = first
    skipped: Place | None = None
    items = list(_all_items(tokens, offset))
    last = _last_call(items)
    for index, (kind, text, place) in enumerate(items):
        if kind == "word":
            found = CALLS.get(text.upper()) or CALLS.get(_WORD.sub("", text).upper())
            if found:
                if skipped:
                    marks.append(Incident(SKIPPED, by=seat, place=skipped))
                elif seat is not turn:
                    said.assume("a dash between calls was read as no call of that player", place)
                caller = seat if seat is not turn else None
                calls.append(Call(*found, caller, False, None, None, tuple(marks), place))
                marks, skipped = [], None
                seat = turn = seat.left if seat else None
            elif not text.strip("-"):
                seat = seat.left if seat else None
                if not calls and not skipped:
                    turn = opened = seat
            else:
                said.unread(
                    "notation.pbn-call",
                    f"{shown(text)} is no call; what follows was not used.",
                    None,
                    place,
                )
                said.kept.append(_rest(items[index:]))
                if not over(calls):
                    calls.append(Call("unrecorded", place=place))
                break
        elif kind == "comment":
            anchor: tuple[str | int, ...] = ("bidding", len(calls) - 1) if calls else ("bidding",)
            said.comments.append(Comment(comment_text(text), anchor, "after", place))
        elif kind == "irregular" and text[-1] in "sS":
            skipped, seat = place, seat.left if seat else None
        elif kind == "irregular" and text[-1] in "iI":
            marks.append(Incident(INSUFFICIENT, place=place))
        elif kind == "end" and not (text == "*" and index < last):
            if text == "+":
                said.keep(OPEN_AUCTION, place)
            elif not over(calls):
                calls.append(Call("unrecorded", place=place))
            if any(k == "word" and t.strip("-") for k, t, _ in items[index + 1 :]):
                said.kept.append(_rest(items[index + 1 :]))
            break
        elif kind == "end":
            said.assume(
                f'the "*" behind {_spoken(calls)} was passed over, for calls follow it', place
            )
        elif not calls or kind in ("irregular", "other"):
            _unknown(text, place, said)
        elif kind == "note":
            note = _noted(text, place, notes, said)
            calls[-1] = replace(calls[-1], note=_both(calls[-1].note, note))
        else:
            calls[-1] = _marked(
                calls[-1], kind, text, place, said, _At(("bidding", len(calls) - 1), 1)
            )
    return tuple(calls), opened


def over(calls: Sequence[Call]) -> bool:
    """Whether the calls have ended the auction: all pass, three passes behind a bid, or four passes."""
    kinds = [c.kind for c in calls]
    return kinds[-1:] == ["all-pass"] or (len(kinds) > 3 and kinds[-3:] == ["pass"] * 3)


def _last_call(items: Sequence[Item]) -> int:
    """Where the last call is: some programs write a `*` behind a call that is alerted, and calls follow it."""
    calls = (
        i
        for i in range(len(items) - 1, -1, -1)
        if items[i][0] == "word" and _WORD.sub("", items[i][1]).upper() in CALLS
    )
    return next(calls, -1)


def _spoken(calls: Sequence[Call]) -> str:
    last = calls[-1] if calls else None
    return "the first calls" if last is None else f"call {len(calls)} ({last.kind})"


def _unknown(text: str, place: Place, said: Said) -> None:
    said.unclear("notation.pbn-mark", f"{shown(text)} means nothing here; it was kept.", place)
    said.keep(text, place)


def _rest(items: Sequence[Item]) -> Stated[str]:
    first, last = items[0][2], items[-1][2]
    place = Place(first.line, first.column, last.end_line, last.end_column)
    return Stated(" ".join(text for _, text, _ in items), place)


def _both(first: str | None, second: str | None) -> str | None:
    return f"{first}; {second}" if first and second else first or second


# --- the play -------------------------------------------------------------------------------------


def read_play(
    first: Seat, tokens: Sequence[Token], offset: int, notes: Mapping[str, str], said: Said
) -> tuple[Trick, ...]:
    """The tricks of a play section, in columns from the seat of its tag."""
    slots = _Slots(notes, said)
    for token in tokens:
        line, column = offset + (token.line or 1), token.column or 1
        if token.type != "DATA":
            slots.broken |= "\n" in token
            slots.comment(token.value, _place(token, line))
            continue
        for text in token.split("\n"):
            slots.line(text, line, column)
            line, column = line + 1, 1
    tricks = []
    for cards in slots.rows():
        start, end = cards[0].place, cards[-1].place
        leader = None
        for column, played in enumerate(cards):
            if played.incidents and any(i.name == LED for i in played.incidents):
                leader = first.after(column)
        place = Place(start.line, start.column, end.end_line, end.end_column)
        tricks.append(Trick(tuple(cards), leader, first, place))
    return tuple(tricks)


class _Slots:
    """The slots of a play section in the order written."""

    def __init__(self, notes: Mapping[str, str], said: Said) -> None:
        self.notes, self.said = notes, said
        self.slots: list[Played] = []
        self.counts: list[int] = []
        self.last_line = 0
        self.marks: list[Incident] = []
        self.broken = False
        self.ended = False

    def line(self, text: str, line: int, column: int) -> None:
        """One line of the section: nearly always four plain cards."""
        row = _ROW.fullmatch(text)
        if row and not self.marks and not self.ended:
            for index in (1, 2, 3, 4):
                start = column + row.start(index)
                place = Place(line, start, line, start + 2)
                self.slots.append(Played(CARDS[row[index]], None, None, None, (), place))
            self._count(line, 4)
            return
        items = list(_items(text, line, column))
        for index, (kind, word, place) in enumerate(items):
            if self.ended:
                if any(k == "word" and t.strip("-") for k, t, _ in items[index:]):
                    self.said.kept.append(_rest(items[index:]))
                return
            self._item(kind, word, place)

    def comment(self, text: str, place: Place) -> None:
        """A comment behind the last card, or behind the section's tag."""
        self.said.comments.append(Comment(comment_text(text), self._anchor(), "after", place))

    def _anchor(self) -> tuple[str | int, ...]:
        last = len(self.slots) - 1
        return ("play", last // 4, last % 4) if self.slots else ("play",)

    def rows(self) -> list[list[Played]]:
        """The slots in rows of four.

        A line of fewer is a row by itself where the first line has four and the slots do not come out even,
        unless a comment over several lines has `broken` the rows.
        """
        slots, counts, said = self.slots, self.counts, self.said
        rows: list[list[Played]] = []
        if (
            not self.broken
            and len(slots) % 4
            and counts[0] == max(counts) == 4
            and min(counts[:-1]) < 4
        ):
            ends = list(accumulate(counts))
            rows = [slots[end - count : end] for end, count in zip(ends, counts, strict=True)]
            short = next(r for r in rows if len(r) < 4)
            said.assume(
                "a row of fewer than four cards was read as one trick, from the first column",
                short[0].place,
            )
        else:
            rows = [slots[i : i + 4] for i in range(0, len(slots), 4)]
        while rows and not any(p.card for p in rows[-1]):
            rows.pop()
        return rows

    def _count(self, line: int, number: int) -> None:
        if line == self.last_line:
            self.counts[-1] += number
        else:
            self.counts.append(number)
            self.last_line = line

    def _item(self, kind: str, text: str, place: Place) -> None:
        slots, said = self.slots, self.said
        if kind == "word":
            slots.append(Played(_card(text, place, said), incidents=tuple(self.marks), place=place))
            self.marks = []
            self._count(place.line, 1)
        elif kind == "irregular" and text[-1] in "rRlL":
            self.marks.append(Incident(REVOKED if text[-1] in "rR" else LED, place=place))
        elif kind == "end" and text == "+":
            slots.append(Played(None, place=place))
            said.keep(OPEN_PLAY, place)
            self._count(place.line, 1)
        elif kind == "end":
            self.ended = True
        elif not slots or kind in ("irregular", "other"):
            _unknown(text, place, said)
        elif kind == "note":
            note = _noted(text, place, self.notes, said)
            slots[-1] = replace(slots[-1], note=_both(slots[-1].note, note))
        else:
            slots[-1] = _marked(slots[-1], kind, text, place, said, _At(self._anchor(), 7))


def _card(text: str, place: Place, said: Said) -> Card | None:
    written = text.upper()
    card = CARDS.get(written)
    if card or not written.strip("-"):
        return card
    if card := _TURNED.get(written):
        said.assume(f'"{text}" was read as {card}', place)
    else:
        said.unread("notation.pbn-card", f"{shown(text)} is no card.", text, place)
    return card
