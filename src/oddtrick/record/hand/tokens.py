"""The smallest pieces of our own notation, read: seats, suits, ranks, texts; and what a line comes to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oddtrick.cards import PRINTED_SUITS, SEAT_OF, SUIT_OF, Seat, Suit
from oddtrick.record.model import Place

if TYPE_CHECKING:
    from lark import Token

SUITS = SUIT_OF | dict(zip("♤♡♢♧", PRINTED_SUITS, strict=True)) | {s.word[:-1]: s for s in Suit}
SECTIONS = {"hands": "hand_line", "bidding": "call_line", "play": "trick_line"}
"""The sections and what their lines are: start symbols of the grammar."""
NUMBERS = (
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
    ),
    *("twelve", "thirteen"),
)
RANK = re.compile(r"10|kn(?:ave)?|[2-9tjqkax]", re.IGNORECASE)
ESCAPED = re.compile(r'\\(["\\n])')


@dataclass(frozen=True, slots=True)
class Statement:
    """What one line says: the word it is known by and its value.

    Rows of sections are statements too: `hand`, `calls`, `trick`, `claim`, `more`.
    """

    word: str
    value: Any
    place: Place


def unquoted(token: str) -> str:
    """The text between quotation marks."""
    if token[0] == "“":
        return str(token[1:-1])
    return ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])


def seat_of(token: Token) -> Seat:
    """The seat that a word or letter names."""
    return SEAT_OF.get(token.lower()) or SEAT_OF[token.upper()]


def suit_of(text: str) -> Suit:
    """The suit that a word, letter or symbol names."""
    return SUITS.get(text.lower()) or SUITS[text.upper()]


def rank_of(text: str) -> str:
    """The rank that is written: `T` for `10`, `J` for `Kn` and `knave`, `X` for a small card."""
    if text[:2].lower() == "kn":
        return "J"
    return "T" if text == "10" else text.upper()


def text_of(token: Token) -> str:
    """A text in quotation marks, or a word as it is."""
    return unquoted(token) if token.type == "STRING" else str(token)
