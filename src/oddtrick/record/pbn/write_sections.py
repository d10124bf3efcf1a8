"""The auction and the play as PBN writes them: rows of four slots, with marks, notes and comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from oddtrick.cards import SEATS, Card, Seat, Suit
from oddtrick.record.model import Call, Incident, Played, Record, Trick
from oddtrick.record.pbn.extension import quoted
from oddtrick.record.pbn.sections import INSUFFICIENT, LED, REVOKED, SUFFIXES, over
from oddtrick.record.pbn.values import PBN_DENOMINATION

Behind = Callable[..., tuple[list[int], list[str]]]
"""The glyphs and the comments of an anchor, such as `("bidding", 3)`, which are taken out by asking."""

_GLYPHS: tuple[list[int], list[str]] = ([], [])
_TRUMPS = {d: next((s for s in Suit if s.word == d), None) for d in PBN_DENOMINATION}


@dataclass(slots=True)
class _Slots:
    """The slots of a section as they are written, four to a line, and the notes that they refer to."""

    first_glyph: int
    slots: list[str] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)

    def add(
        self, word: str, before: str, made: Call | Played, behind: tuple[list[int], list[str]]
    ) -> None:
        """One call or card with what stands before and behind it."""
        words = [before, word] if before else [word]
        if made.note:
            words.append(f"={self.notes.setdefault(made.note, len(self.notes) + 1)}=")
        glyphs, comments = behind
        if made.mark in SUFFIXES:
            glyphs = [*glyphs, self.first_glyph + SUFFIXES.index(made.mark)]
        words += [f"${g}" for g in sorted(glyphs)]
        self.slots.append(" ".join([*words, *comments]))

    def lines(
        self, tag: str, seat: Seat | None, comments: Sequence[str], end: str = ""
    ) -> list[str]:
        """The section: its tag, rows of four, its end and its notes."""
        rows = [" ".join(self.slots[i : i + 4]) for i in range(0, len(self.slots), 4)]
        notes = [f"[Note {quoted(f'{number}:{text}')}]" for text, number in self.notes.items()]
        return [
            f'[{tag} "{seat.value if seat else "?"}"]',
            *comments,
            *rows,
            *([end] if end else []),
            *notes,
        ]


def auction_lines(
    calls: Sequence[Call], first: Seat | None, going_on: bool, behind: Behind
) -> list[str]:
    """The auction section; none where PBN has no word for a call."""
    words = [_call_word(c) for c in calls]
    if (
        None in words
        or any(c.kind == "unrecorded" for c in calls[:-1])
        or any(c.kind == "all-pass" for c in calls[:-1])
    ):
        return []
    if first is None and any(c.seat for c in calls):
        return []
    section = _Slots(1)
    turn = first
    for index, (call, word) in enumerate(zip(calls, words, strict=True)):
        while turn and call.seat and turn is not call.seat:
            section.slots.append("^S")
            turn = turn.left
        before = "^I" if _has(call.incidents, INSUFFICIENT) else ""
        section.add(str(word), before, call, behind("bidding", index))
        turn = turn.left if turn else None
    if going_on and not over(calls):
        section.slots.append("+")
    return section.lines("Auction", first, behind("bidding")[1])


def _call_word(call: Call) -> str | None:
    if call.corrects:
        return None
    if call.kind == "bid":
        letter = PBN_DENOMINATION.get(call.denomination or "")
        return f"{call.odd_tricks}{letter}" if letter and call.odd_tricks in range(1, 8) else None
    return {
        "pass": "Pass",
        "double": "X",
        "redouble": "XX",
        "all-pass": "AP",
        "unrecorded": "*",
    }.get(call.kind)


def _has(incidents: Sequence[Incident], name: str) -> bool:
    return any(i.name == name for i in incidents)


def play_lines(record: Record, going_on: bool, behind: Behind) -> list[str]:
    """The play section in columns from the first leader; none where the players of the cards are not known."""
    tricks = record.play or ()
    declarer = record.declaration.declarer if record.declaration else None
    if not tricks:
        return (
            [f'[Play "{declarer.left.value}"]', *behind("play")[1], "+" if going_on else "*"]
            if declarer
            else []
        )
    rows = _columns(record)
    if rows is None:
        return []
    columns = {t.columns_from for t in tricks}
    first = columns.pop() if len(columns) == 1 else None
    first = first or rows[0].leader
    section = _Slots(7)
    for number, row in enumerate(rows):
        for seat in (first.after(i) for i in range(4)):
            index = row.cards.get(seat)
            played = tricks[number].cards[index] if index is not None else Played(None)
            led = _has(played.incidents, LED) or (row.out_of_turn and seat is row.leader)
            marks = ["^L"] * led + ["^R"] * _has(played.incidents, REVOKED)
            word = played.card.code if played.card else "-"
            if going_on and number == len(rows) - 1 and _next(seat, row, tricks[number]):
                word, going_on = "+", False
            remarks = behind("play", number, index) if index is not None else _GLYPHS
            section.add(word, " ".join(marks), played, remarks)
    whole = (
        len(rows) == 13
        and all(p.card for t in tricks for p in t.cards)
        and all(len(t.cards) == 4 for t in tricks)
    )
    plus = any(slot == "+" for slot in section.slots)
    end = "" if whole or plus else "+" if going_on else "*"
    return section.lines("Play", first, behind("play")[1], end)


def leaders_of(record: Record) -> str:
    """The leader of each trick, a small letter where the record does not name him; empty if one is not known."""
    rows = _columns(record) or []
    tricks = record.play or ()
    return "".join(
        r.leader.value if t.leader else r.leader.value.lower()
        for r, t in zip(rows, tricks, strict=False)
    )


def _next(seat: Seat, row: _Row, trick: Trick) -> bool:
    """Whether a player has not played to a trick to which the player before him has."""
    played = {s for s, i in row.cards.items() if trick.cards[i].card}
    return seat not in played and seat.right in played


@dataclass(frozen=True, slots=True)
class _Row:
    """A trick by columns: its leader (or first column), the index of each player's card.

    `out_of_turn` says that the record names a leader who had not won the trick before.
    """

    leader: Seat
    cards: Mapping[Seat, int]
    out_of_turn: bool = False


def _columns(record: Record) -> list[_Row] | None:
    """The tricks by columns; `None` where a player cannot be known, or plays twice to a trick."""
    owner = {c: s for s, h in record.hands for c in h.cards}
    declaration = record.declaration
    denomination = declaration.denomination if declaration else None
    expected = declaration.declarer.left if declaration and declaration.declarer else None
    rows: list[_Row] = []
    for trick in record.play or ():
        row = _row_of(trick, expected, owner)
        if row is None:
            return None
        marked = any(_has(p.incidents, LED) for p in trick.cards)
        late = (
            trick.leader is not None
            and expected is not None
            and trick.leader is not expected
            and not marked
        )
        rows.append(replace(row, out_of_turn=late))
        cards = {s: trick.cards[i].card for s, i in row.cards.items()}
        start = trick.leader or expected
        expected = (
            _winner(cards, start, _TRUMPS[denomination])
            if denomination in _TRUMPS and start
            else None
        )
    return rows


def _row_of(trick: Trick, expected: Seat | None, owner: Mapping[Card, Seat]) -> _Row | None:
    """Whose each card of a trick is, or `None`."""
    if len(trick.cards) > 4:
        return None
    turn = trick.columns_from
    if turn is None:
        first = trick.cards[0] if trick.cards else None
        turn = trick.leader or (first.seat if first else None) or expected
        turn = turn or (owner.get(first.card) if first and first.card else None)
    if turn is None:
        return None
    leader = trick.leader or turn
    seats: dict[Seat, int] = {}
    for index, played in enumerate(trick.cards):
        seat = played.seat or turn
        if seat in seats:
            return None
        seats[seat] = index
        turn = seat.left
    return _Row(leader, seats)


def _winner(cards: Mapping[Seat, Card | None], start: Seat, trump: Suit | None) -> Seat | None:
    """Who wins a trick of four known cards, or `None`."""
    known = {s: c for s, c in cards.items() if c}
    if len(known) < 4:
        return None
    suit = trump if any(c.suit is trump for c in known.values()) else known[start].suit
    return max((s for s in SEATS if known[s].suit is suit), key=lambda s: known[s].height)
