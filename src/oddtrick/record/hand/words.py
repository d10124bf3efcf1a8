"""The smallest pieces of our own notation: words, numbers, ranks, texts, and what a line says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from oddtrick.cards import PRINTED_SUITS, SUIT_OF, Suit
from oddtrick.record.model import Place

SUITS = SUIT_OF | dict(zip("♤♡♢♧", PRINTED_SUITS, strict=True)) | {s.word[:-1]: s for s in Suit}
SECTIONS = {"hands": "hand_line", "bidding": "call_line", "play": "trick_line"}
"""The sections and what their lines are: start symbols of the grammar."""
NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen").split()
DENOMINATIONS = {
    "spades": ("spade", "spades"),
    "clubs": ("club", "clubs"),
    "diamonds": ("diamond", "diamonds"),
    "hearts": ("heart", "hearts"),
    "royal-spades": ("royal spade", "royal spades"),
    "no-trump": ("no-trump", "no-trumps"),
    "nullo": ("nullo", "nullo"),
}
DENOMINATIONS |= {
    f"{name}-royal": (f"{one} royal", f"{many} royal")
    for name, (one, many) in DENOMINATIONS.items()
    if name != "royal-spades"
}
"""Denominations after the number one and after others, as in `laws/vocabulary.yaml`."""
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


class Malformed(Exception):
    """A line that cannot be read: rule, message, place, and the word that may have been meant."""

    def __init__(self, rule: str, message: str, place: Place, guess: str = "") -> None:
        """Keep what is said."""
        super().__init__(message)
        self.rule, self.message, self.place, self.guess = rule, message, place, guess


def unquoted(token: str) -> str:
    """The text between quotation marks."""
    if token[0] == "“":
        return str(token[1:-1])
    return ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])


def text_of(token: str) -> str:
    """A text in quotation marks, or a word as it is."""
    return unquoted(token) if token[0] in '"“' else str(token)


def suit_of(text: str) -> Suit:
    """The suit that a word, letter or symbol names."""
    return SUITS.get(text.lower()) or SUITS[text.upper()]


def rank_of(text: str) -> str:
    """The rank that is written: `T` for `10`, `J` for `Kn` and `knave`, `X` for a small card."""
    if text[:2].lower() == "kn":
        return "J"
    return "T" if text == "10" else text.upper()
