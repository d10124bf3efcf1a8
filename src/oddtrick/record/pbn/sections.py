"""Reads the auction and the play: rows of slots, one for each player in turn.

In the auction `-` is a player whose turn has not come, and `^S` one who was passed over. In the
play `-` is an unknown card. `*` ends a section that is not recorded to its end, `+` one that is to
be continued.

A section is split at white space, commas and bars. A word that is a usual spelling of a call or a
card is looked up; any other is cut into pieces: calls or cards, marks, notes, glyphs, suffixes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, compress, pairwise
from operator import and_
from typing import ClassVar

from oddtrick.cards import BIT_OF_NUMBER, PACK, SEATS, Seat
from oddtrick.record.deal import (
    UNKNOWN_CARD,
    UNRECORDED,
    Comment,
    Event,
    Incident,
    Item,
    Remark,
    Span,
    kind_of,
)
from oddtrick.record.margin import Margin, shown
from oddtrick.record.pbn.fields import CALLS, CARDS_PLAYED, TURNED, is_over
from oddtrick.record.pbn.games import DATA, Part

SKIPPED = {"pass": "pass-out-of-turn", "all-pass": "pass-out-of-turn", "bid": "bid-out-of-turn"}
SKIPPED |= dict.fromkeys(("double", "redouble"), "double-out-of-turn")
"""The irregularity of a call made out of turn, by the kind of call."""
INSUFFICIENT, REVOKED, LED = "insufficient-bid", "revoke", "lead-out-of-turn"
OPEN_AUCTION, OPEN_PLAY = "[Auction] +", "[Play] +"
"""The text kept for a `+`, which marks a section to be continued."""
SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
"""The suffixes in the order of their glyphs, `$1` to `$6` for calls, `$7` to `$12` for cards."""

_BETWEEN = re.compile(r"[\s-]+")
_PIECE = re.compile(
    r"(?P<word>[^\s^=$!?*+,|AaNn][^\s^=$!?*+,|]*+|(?i:all\s+pass|no\s+bid)\b|[^\s^=$!?*+,|]++)"
    r"|(?P<irregular>\^\s*[A-Za-z])"
    r"|(?P<note>=\s*[^=\s]*\s*=)|(?P<glyph>\$\d+)|(?P<suffix>[!?][!?]?)|(?P<end>[*+])"
    r"|(?P<other>[\^=$])"
)


def comment_text(written: str) -> str:
    """The text of a comment without its braces or semicolon."""
    return (written[1:].removesuffix("}") if written.startswith("{") else written[1:]).strip()


class _Section:
    """The calls or cards of a section while it is read, starting with the player `first`.

    `made` holds them and `starts` their offsets. `known` maps their usual spellings, each with a
    line feed. `ended` is the offset where the section ends, if text follows its end. `pending`
    means that marks were read which belong to the next call or card; notes, suffixes and glyphs
    belong to the last one. `note_of` finds a note by its number.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    known: ClassVar[Mapping[str, int]]
    first_glyph: ClassVar[int]

    ended: int | None = None
    pending = False

    def __init__(
        self,
        margin: Margin,
        first: Seat | None,
        parts: Sequence[Part],
        note_of: Callable[[str, str], str | None],
    ) -> None:
        self.margin, self.first, self.parts, self.note_of = margin, first, parts, note_of
        self.text = margin.source.text
        self.made: list[int] = []
        self.starts: list[int] = []
        self.remarks: dict[Event, Remark] = {}
        self.incidents: list[Incident] = []
        self.marks: list[tuple[str, int, Span]] = []

    def _read_parts(self) -> None:
        """Read the lines and comments of the section."""
        for kind, _, start, end in self.parts:
            if kind != DATA:
                self._comment(comment_text(self.text[start:end]), (start, end))
            elif self.ended is None:
                self._read(start, end)
            else:
                self._keep(start, end)

    def _read(self, start: int, end: int) -> None:
        """Read some lines, up to the end of the section."""
        body = self.text[start:end] + "\n"
        for separator in " \t,|":
            body = body.replace(separator, "\n")
        words = body.splitlines(keepends=True)
        starts = [*accumulate(map(len, words), initial=start)]
        if "\n\n" in body:
            used = [word != "\n" for word in words]
            words, starts = [*compress(words, used)], [*compress(starts, used)]
        at, rest = 0, iter(words)
        while at < len(words):
            index, begun, word = len(self.made), at, ""
            try:
                self.made.extend(map(self.known.__getitem__, rest))
            except KeyError:
                word = words[at + len(self.made) - index]
            at += len(self.made) - index
            self.starts += starts[begun:at]
            if self.pending and begun < at:
                self._settle(index)
            if not word:
                return
            begun, at = starts[at], at + 1
            if word.isspace():
                continue
            # An unknown word is cut into pieces, the last of which may end in a later word.
            word_end = begun + len(word)
            for piece in _PIECE.finditer(self.text, begun, end):
                if piece.start() >= word_end:
                    break
                kind = piece.lastgroup or ""
                take = self._mark if kind in ("note", "glyph", "suffix") else self._take
                take(piece[0], kind, piece.span())
                if self.ended is not None:
                    self._keep(self.ended, end)
                    return
                while piece.end() > word_end:
                    word_end, at = starts[at] + len(next(rest)), at + 1

    def _add(self, made: int, start: int) -> None:
        self.made.append(made)
        self.starts.append(start)
        if self.pending:
            self._settle(len(self.made) - 1)

    def _settle(self, index: int) -> None:
        """Apply the pending marks to the call or card at an index."""

    def _take(self, text: str, kind: str, span: Span) -> None:
        raise NotImplementedError

    def _keep(self, start: int, end: int) -> None:
        """Keep the text after the end of the section, if it contains a word."""
        text = self.text[start:end].strip()
        if any(map(str.isalnum, text)):
            self.margin.keep(" ".join(text.split()), (start, end))

    def _anchor(self) -> Item:
        raise NotImplementedError

    def _comment(self, text: str, span: Span) -> None:
        self.margin.comments.append(Comment(text, self._anchor(), "after", span))

    def _mark(self, text: str, kind: str, span: Span) -> None:
        """Add a note or suffix to the last call or card; a glyph without one becomes a comment."""
        event = Event(self.kind, len(self.made) - 1)
        _, mark, note = self.remarks.get(event, Remark(event))
        glyph = int(text[1:]) - self.first_glyph if kind == "glyph" and len(text) < 6 else -1
        if not self.made or kind not in ("note", "glyph", "suffix"):
            self._unknown(text, span)
        elif kind == "note":
            written = self.note_of(self.name, text.strip("= \t\n"))
            if written is None:
                message = f"{shown(text)} refers to a note that does not exist."
                self.margin.unclear("notation.pbn-note", message, span, text)
            else:
                both = f"{note}; {written}" if note and written else note or written
                self.remarks[event] = Remark(event, mark, both)
        elif kind == "glyph" and glyph not in range(len(SUFFIXES)):
            self._comment(text, span)
        elif mark:
            self._unknown(text, span)
        else:
            self.remarks[event] = Remark(event, SUFFIXES[glyph] if kind == "glyph" else text, note)

    def _unknown(self, text: str, span: Span) -> None:
        """Report a piece that has no meaning at its place, and keep it."""
        message = f"{shown(text)} is not recognised here; it was kept unchanged."
        self.margin.unclear("notation.pbn-mark", message, span, text)

    def _incident(
        self, name: str, index: int, player: Seat | None, span: Span, by: Seat | None = None
    ) -> None:
        """Add an irregularity that the record marks at the call or card at an index.

        A marked irregularity was accepted by the other side or not noticed in time, so the player
        on the offender's left is said to have waived it; nobody, if the offender is unknown.
        """
        waived, event = player.left if player else None, Event(self.kind, index)
        self.incidents.append(Incident(name, by=by, waived_by=waived, event=event, span=span))


class Auction(_Section):
    """The calls of an auction; `opened` is the first caller, `callers` those not in turn.

    `before` counts the slots so far that hold no call, and `moved` those since the last call,
    which move the turn. The marks before a call are applied once it is read (`_settle`). `stopped`
    is a `*` after which no call has been read; some programs write one after an alerted call.
    """

    name, kind, first_glyph = "Auction", "call", 1
    # "No" may be the beginning of "no bid".
    known: ClassVar = {f"{word}\n": made for word, made in CALLS.items() if word.lower() != "no"}

    before = moved = 0
    skipped: Span | None = None
    stopped: Span | None = None

    def read(self) -> None:
        """Read the auction."""
        self.opened = self.first
        self.callers: list[tuple[int, Seat]] = []
        self._read_parts()
        if self.stopped:
            self._break_off(self.stopped)

    def _settle(self, index: int) -> None:
        player = self.first.after(self.before + index) if self.first else None
        for irregularity, _, span in self.marks:
            self._incident(irregularity, index, player, span)
        is_moved = player and self.moved % len(SEATS)
        if self.skipped and (name := SKIPPED.get(kind_of(self.made[index]))):
            self._incident(name, index, player, self.skipped, player)
        elif self.skipped:
            self._unknown(self.text[slice(*self.skipped)], self.skipped)
        if player and is_moved:
            self.callers.append((index, player))
        self.skipped, self.marks, self.moved, self.pending = None, [], 0, False
        self.stopped = None

    def _take(self, text: str, kind: str, span: Span) -> None:
        made = CALLS.get(text.upper()) or CALLS.get(_BETWEEN.sub("", text).upper())
        if kind == "word" and made:
            self._add(made, span[0])
        elif kind == "word" and not text.strip("-"):
            self.before += 1
            if self.made or self.skipped:
                self.moved, self.pending = self.moved + 1, True
            elif self.first:
                self.opened = self.first.after(self.before)
        elif kind == "word":
            message = f"{shown(text)} is not a call; what follows was ignored."
            self.margin.unread("notation.pbn-call", message, span)
            self._break_off(span)
            self.ended = span[0]
        elif kind == "irregular" and text[-1] in "sS":
            self.skipped, self.pending = span, True
            self.before, self.moved = self.before + 1, self.moved + 1
        elif kind == "irregular" and text[-1] in "iI":
            self.marks.append((INSUFFICIENT, len(self.made), span))
            self.pending = True
        elif text == "+":
            self.margin.keep(OPEN_AUCTION, span)
            self.ended = span[1]
        elif text == "*":
            self.stopped, self.pending = span, True
        else:
            self._mark(text, kind, span)

    def _break_off(self, span: Span) -> None:
        """Add `UNRECORDED` unless the auction is over."""
        if not is_over(self.made):
            self._add(UNRECORDED, span[0])

    def _anchor(self) -> Item:
        return ("bidding", len(self.made) - 1) if self.made else ("bidding",)


class Play(_Section):
    """The cards of a play; `leaders` names those who led out of turn, by trick."""

    name, kind, first_glyph = "Play", "card", 7
    known: ClassVar = {f"{word}\n": card for word, card in CARDS_PLAYED.items()}
    known |= {"-\n": UNKNOWN_CARD}

    def read(self, first: Seat, hands: Sequence[int]) -> None:
        """Read the play, in columns from the player `first`; `hands` in the order of `SEATS`."""
        self.leaders: list[tuple[int, Seat]] = []
        self._read_parts()
        self.trick_starts = self._tricks()
        for event in [e for e in self.remarks if e.number >= len(self.made)]:
            _, mark, note = self.remarks.pop(event)
            self.margin.keep(" ".join(filter(None, (mark, note))), self.parts[0][2:])
        if sum(map(int.bit_count, hands)) == len(PACK):
            self._put_under_holders(first, hands)
        for name, index, span in self.marks:
            if index < len(self.made):
                trick = bisect_right(self.trick_starts, index) - 1
                player = first.after(index - self.trick_starts[trick])
                self._incident(name, index, player, span)
                if name == LED:
                    self.leaders.append((trick, player))
            else:
                self._unknown(self.text[slice(*span)], span)

    def _take(self, text: str, kind: str, span: Span) -> None:
        if kind == "word" or text == "+":
            self._add(self._card(text, span), span[0])
        elif kind == "irregular" and text[-1] in "rRlL":
            self.marks.append((REVOKED if text[-1] in "rR" else LED, len(self.made), span))
        elif kind == "end":
            self.ended = span[1]
        else:
            self._mark(text, kind, span)

    def _card(self, text: str, span: Span) -> int:
        """The card for a word in an unusual spelling; `UNKNOWN_CARD` if it is not a card."""
        card = CARDS_PLAYED.get(text.upper())
        if not card and (card := TURNED.get(text.upper())):
            self.margin.assume(f'"{text}" was read as {card}', span)
        elif text == "+":
            self.margin.keep(OPEN_PLAY, span)
        elif not card and text.strip("-"):
            self.margin.unread("notation.pbn-card", f"{shown(text)} is not a card.", span, text)
        return card or UNKNOWN_CARD

    def _tricks(self) -> tuple[int, ...]:
        """The indexes where tricks begin, four slots each; removes final tricks without a card.

        If the first line has four slots and a later one, not the last, has fewer, each line is a
        trick, unless one has more or a comment of several lines has broken the rows.
        """
        number = len(self.made)
        tricks = [*range(0, number, len(SEATS))]
        if number % len(SEATS) and (rows := self._rows()):
            counts = [after - before for before, after in pairwise((*rows, number))]
            if counts[0] == max(counts) == len(SEATS) and min(counts[:-1]) < len(SEATS):
                tricks, at = rows, self.starts[rows[counts.index(min(counts[:-1]))]]
                message = "a row of fewer than four cards was read as one trick, starting in the"
                self.margin.assume(f"{message} first column", (at, at))
        while tricks and not any(self.made[tricks[-1] :]):
            start = tricks.pop()
            del self.made[start:], self.starts[start:]
        return tuple(tricks)

    def _rows(self) -> list[int]:
        """The indexes where rows begin; empty if a comment of several lines has broken them."""
        text, starts = self.text, self.starts
        if any("\n" in text[start:end] for kind, _, start, end in self.parts if kind != DATA):
            return []
        ends = enumerate(pairwise(starts), 1)
        return [0, *(n for n, (before, after) in ends if "\n" in text[before:after])]

    def _put_under_holders(self, first: Seat, hands: Sequence[int]) -> None:
        """Turn each row that begins with another player than `first`, according to the hands.

        In some files the columns shift after the first row. If that row does not fit the hands, the
        hands themselves may be shifted, and nothing is turned.
        """
        bits = [*map(BIT_OF_NUMBER.__getitem__, self.made)]
        p, q, r, s = others = [~hand for hand in (*hands[first.number :], *hands[: first.number])]
        columns = sum(bits[::4]), sum(bits[1::4]), sum(bits[2::4]), sum(bits[3::4])
        if not any(map(and_, columns, others)):
            return
        turns = [(*others[steps:], *others[:steps]) for steps in (1, 2, 3)]
        rows, back = list[int](), dict[int, int]()
        for row, (start, end) in enumerate(pairwise((*self.trick_starts, len(bits))), 1):
            a, b, c, d = (*bits[start:end], 0, 0, 0)[:4]
            if not (a & p or b & q or c & r or d & s):
                continue
            if row == 1:
                return
            for steps, (t, u, v, w) in enumerate(turns, 1):
                if end - start == 4 and not (a & t or b & u or c & v or d & w):
                    rows.append(row)
                    back |= {start + n: start + (n + steps & 3) for n in range(4)}
                    for many in self.made, self.starts:
                        here = many[start:end]
                        many[start:end] = here[-steps:] + here[:-steps]
                    break
        if not rows:
            return
        self.marks = [(name, back.get(n, n), span) for name, n, span in self.marks]
        if self.remarks:
            at = [Event(self.kind, back.get(e.number, e.number)) for e in self.remarks]
            self.remarks = {
                e: r._replace(event=e) for e, r in zip(at, self.remarks.values(), strict=True)
            }
        for number, comment in enumerate(self.margin.comments):
            match comment.anchor:
                case "play", int(trick), int(card):
                    place = divmod(back.get(trick * 4 + card, trick * 4 + card), 4)
                    moved = replace(comment, anchor=("play", *place))
                    self.margin.comments[number] = moved
        which = f"row {rows[0]} begins" if len(rows) == 1 else f"{len(rows)} rows begin"
        start = self.starts[self.trick_starts[rows[0] - 1]]
        message = f"{which} with a player other than {first.title}"
        message += "; each card was assigned to the player who holds it"
        self.margin.assume(message, (start, start))

    def _anchor(self) -> Item:
        return ("play", *divmod(len(self.made) - 1, len(SEATS))) if self.made else ("play",)
