"""A deal as this program writes it, read in numbers; no object is made of a call or a card.

It begins with its `deal` line, then come code and options, what is said for readers, and paragraphs
with an empty line between them. A deal with a comment, an irregularity, a mark or a claim, or one
that is written in any other way, is left to `scopes`, which reads line by line; what is taken here
means the same there, and nothing is to be said of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import CARDS, RANKS, SEATS, Seat, Suit, bits, hand_of
from oddtrick.record.hand.lines import CALL_WORDS, DENOMINATION_WORDS, PLAYED_CARDS, statement_of
from oddtrick.record.hand.words import SECTIONS, Statement, text_of
from oddtrick.record.numbers import Numbers, Row, Said

LONGEST = 5_000
"""A longer deal is read line by line."""

_TEXT = r'"[^"\\\n]*+"'
_OPENING = rf"deal (?:{_TEXT}|[0-9]++)(?: {_TEXT})?"
_GROUP = rf"(?:rubber|match)(?: {_TEXT})?|end (?:rubber|match)"
_BOUNDARY = re.compile(rf"\n(?=(?:{_OPENING}|{_GROUP})(?:\n|\Z))")
_TAG = r"(?:source|event|venue|scorer|note|date|tag [A-Za-z][A-Za-z0-9_]*+)"
_DATE = "date [0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?"
_PLAYERS = "".join(f"(?: {seat.word} {_TEXT})?" for seat in SEATS)
_HEAD = re.compile(
    rf"deal ({_TEXT}|[0-9]++)(?: {_TEXT})?(?:\n|\Z)"
    r"((?:(?:code|option|reading) [a-z0-9:.=-]++\n)*+)"
    rf"(?:(?:{_TAG} {_TEXT}|{_DATE})\n)*+(?:players(?= ){_PLAYERS}\n)?"
)
_SCORING = re.compile(rf"^tag Scoring ({_TEXT})", re.MULTILINE)
_HANDS = re.compile(
    r"\n".join(
        rf"  {seat.word} ++♠ ([^♥\n]++)♥ ([^♦\n]++)♦ ([^♣\n]++)♣ ([^\n]++)" for seat in SEATS
    )
)
_CLUBS = {("10" if rank == "T" else rank): CARDS[Suit.CLUBS][rank] for rank in RANKS}

_CALLS: dict[str, Said] = {
    f"{odd} {word}": ("bid", odd, denomination)
    for odd in range(1, 8)
    for word, denomination in DENOMINATION_WORDS.items()
} | {word: (kind, None, denomination) for word, (kind, denomination) in CALL_WORDS.items()}
_BIDDING: dict[str, Seat | None] = {"bidding": None}
_BIDDING |= {f"bidding from {seat.word}": seat for seat in SEATS}
_PLAY: dict[str, Seat | None] = {"play": None}
_PLAY |= {f"play in columns from {seat.word}": seat for seat in SEATS}
_LEADERS = {f"{seat.word}:": seat for seat in SEATS}
FACTS = ("dealer", "vulnerable", "declaration", "result")


class PlainDeal(NamedTuple):
    """A plain deal: its name, where its first line ends, its code and options, its numbers, its
    text, and the section that is open at its end, as the start symbol of the grammar.
    """

    name: str
    end: int
    header: Sequence[Statement]
    numbers: Numbers
    text: str
    mode: str


def blocks(text: str) -> list[str]:
    """A text in pieces, each but the first from a line on that certainly begins a deal, or begins
    or ends a rubber or match.
    """
    return _BOUNDARY.split(text)


def plain_deal(text: str, line: int) -> PlainDeal | None:
    """The deal that a text is that begins on a line of a file; `None` where it is not plain."""
    head = _HEAD.match(text)
    if head is None or len(text) > LONGEST or "#" in text:
        return None
    header = list[Statement]()
    for number, words in enumerate(head[2].splitlines(), line + 1):
        said = statement_of(words, number, "statement_line")
        if said is None or (said.word == "code" and header):
            return None
        header.append(said)
    body = _Paragraphs()
    for paragraph in filter(None, text[head.end() :].strip("\n").split("\n\n")):
        if not body.take(paragraph):
            return None
    end, scoring = head[0].partition("\n")[0], _SCORING.search(head[0])
    numbers = body.numbers(text_of(scoring[1]) if scoring else None)
    return PlainDeal(f"deal {text_of(head[1])}", len(end), header, numbers, text, body.mode)


@dataclass(slots=True)
class _Paragraphs:
    """What the paragraphs of a deal say; `mode` is the section that the last of them is."""

    hands: Sequence[int] | None = None
    opened: Seat | None = None
    calls: Sequence[Said] | None = None
    rows: Sequence[Row] | None = None
    facts: dict[str, Statement] = field(default_factory=dict)
    mode: str = "statement_line"

    def take(self, paragraph: str) -> bool:
        """Take a paragraph; false where it is not plain, or says again what has been said."""
        first, _, rows = paragraph.partition("\n")
        self.mode = SECTIONS.get(first.partition(" ")[0], "statement_line")
        if first in _BIDDING:
            before, self.opened, self.calls = self.calls, _BIDDING[first], _calls(rows)
            return before is None and self.calls is not None
        if first in _PLAY:
            played, self.rows = self.rows, _tricks(_PLAY[first], rows)
            return played is None and self.rows is not None
        if first == "hands":
            dealt, self.hands = self.hands, _hands(rows)
            return dealt is None and self.hands is not None
        return all(map(self._fact, paragraph.split("\n")))

    def _fact(self, line: str) -> bool:
        said = _fact(line)
        if said is None or said.word in self.facts:
            return False
        self.facts[said.word] = said
        return True

    def numbers(self, scoring: str | None) -> Numbers:
        """The numbers of all, with how the deal says that it is scored."""
        told = (self.facts.get(word) for word in FACTS)
        dealer, vulnerable, declaration, result = (said.value if said else None for said in told)
        calls, rows, hands = self.calls, self.rows, self.hands
        cards = sum(len(row.cards) for row in rows or ())
        most = max(len(calls or ()), cards, sum(map(int.bit_count, hands or ())))
        turn, sides = dealer and dealer.value, vulnerable and vulnerable.value
        return Numbers(
            calls, rows, hands, most, False, turn, self.opened, declaration, result, sides, scoring
        )


@lru_cache(2000)
def _fact(text: str) -> Statement | None:
    """The statement of a line that numbers tell, but for its place; the same few come again."""
    said = statement_of(text, 1, "statement_line")
    return said if said and said.word in FACTS else None


# --- rows -----------------------------------------------------------------------------------------


@lru_cache(20_000)
def _holding(ranks: str) -> int:
    """The cards of a suit as bits, as if clubs, by their ranks as a hand has them.

    Raises `KeyError` where a rank is none, or stands twice.
    """
    cards = [_CLUBS[rank] for rank in ranks.split(" ")] if ranks != "-" else []
    if len(set(cards)) < len(cards):
        raise KeyError(ranks)
    return bits(cards)


def _hands(rows: str) -> Sequence[int] | None:
    """The cards of four players as bits, by `SEATS`."""
    found = _HANDS.fullmatch(rows)
    if found is None:
        return None
    try:
        held = [_holding(ranks.rstrip(" ")) for ranks in found.groups()]
    except KeyError:
        return None
    return [hand_of(held[at : at + 4]) for at in range(0, 16, 4)]


def _calls(rows: str) -> Sequence[Said] | None:
    """The calls of rows with commas between them."""
    words = rows[2:].replace("\n  ", ", ").split(", ")
    calls = [_CALLS[word] for word in words if word in _CALLS]
    return calls if rows.startswith("  ") and len(calls) == len(words) else None


def _tricks(columns: Seat | None, rows: str) -> Sequence[Row] | None:
    """The tricks of rows, with the player who led where he is named."""
    tricks = list[Row]()
    if not rows.startswith("  "):
        return None
    try:
        for row in rows[2:].split("\n  "):
            words = row.split(" ")
            leader = _LEADERS.get(words[0])
            cards = [PLAYED_CARDS[word] for word in (words[1:] if leader else words)]
            if not 0 < len(cards) <= len(SEATS):
                return None
            tricks.append(Row(cards, columns, leader))
    except KeyError:
        return None
    return tricks
