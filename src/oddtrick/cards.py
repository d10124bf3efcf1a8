"""Cards, seats and sides, which are the same in every code.

Denominations are not defined here: each code has its own, and a suit becomes trumps only when the
declaration ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

RANKS = "23456789TJQKA"
"""Ranks in play from low to high; `T` is the ten."""


class _Few(Enum):
    """Base of enumerations whose members are frequent dictionary keys: it hashes them by identity.

    `Enum` hashes the name in Python code, which takes four times as long.
    """

    __hash__ = object.__hash__


class Suit(_Few):
    """One of the four suits; the value is its letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def word(self) -> str:
        """The plural word: `spades`."""
        return self.name.lower()

    @property
    def symbol(self) -> str:
        """The printed symbol: `♠`."""
        return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[self.value]


PRINTED_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
"""The suits in the order in which a hand is printed."""

SUIT_OF = {s.value: s for s in Suit} | {s.symbol: s for s in Suit} | {s.word: s for s in Suit}
"""Suit by letter, symbol or word."""


LANE = 4
"""A card's number shifted right by this many bits is the number of its suit."""


class Card(int):
    """One card of the pack: a suit and a rank of `RANKS`.

    A card is also a small integer, so that a set of cards can be a bit set. Within a suit a higher
    card is a greater number. No card is 0.
    """

    suit: Suit
    rank: str

    def __new__(cls, suit: Suit, rank: str) -> Card:
        """Return the one object for this card."""
        return _PACK[suit, rank]

    def __reduce__(self) -> tuple[type[Card], tuple[Suit, str]]:
        return Card, (self.suit, self.rank)

    def __str__(self) -> str:
        return f"{self.suit.symbol}{'10' if self.rank == 'T' else self.rank}"

    def __repr__(self) -> str:
        return f"Card(suit={self.suit!r}, rank={self.rank!r})"

    @property
    def code(self) -> str:
        """The suit and rank as two characters, as in PBN: `ST`."""
        return self.suit.value + self.rank

    @property
    def height(self) -> int:
        """The position of the rank in play, from 0 for the two to 12 for the ace."""
        return RANKS.index(self.rank)


def _made(suit: Suit, rank: str) -> Card:
    card = int.__new__(Card, (list(Suit).index(suit) << LANE) + RANKS.index(rank) + 2)
    card.suit, card.rank = suit, rank
    return card


_PACK = {(suit, rank): _made(suit, rank) for suit in Suit for rank in RANKS}

CARDS = {suit: {rank: Card(suit, rank) for rank in RANKS} for suit in Suit}
"""Every card by suit and rank; there is one object for each card."""

PACK = tuple(CARDS[s][r] for s in PRINTED_SUITS for r in reversed(RANKS))
"""The fifty-two cards, spades first, ace first."""

CARD_OF = {name: card for card in PACK for name in (card.code, str(card))}
"""Cards by their two characters (`ST`) or as printed (`♠10`)."""


OF_SUIT: Mapping[Suit | None, int] = {None: 0} | {
    suit: sum(1 << card for card in CARDS[suit].values()) for suit in Suit
}
"""The cards of each suit as a bit set; empty for `None`."""


BITS: Mapping[Card | None, int] = {None: 0} | {card: 1 << card for card in PACK}
"""Each card as a bit; 0 for `None`, an unknown card."""
BIT_OF_NUMBER = (0, *(1 << number for number in range(1, max(PACK) + 1)))
"""The bit of each card by its number; 0 for the number 0, an unknown card."""
CARD_OF_BIT: Mapping[int, Card | None] = {bit: card for card, bit in BITS.items()}
"""The card of each bit; `None` for 0."""


def bits(cards: Iterable[Card]) -> int:
    """The bit set of some cards."""
    held = 0
    for card in cards:
        held |= 1 << card
    return held


def cards_in(held: int) -> Iterator[Card]:
    """The cards of a bit set, in the order of `PACK`."""
    return (card for card in PACK if held >> card & 1)


def card_in(words: str) -> Card | None:
    """The first card named in a text, such as `♥2`, `♥10` or `H2`; `None` if it names none."""
    return next((CARD_OF[word] for word in words.upper().split() if word in CARD_OF), None)


class Side(_Few):
    """A partnership."""

    NS = "NS"
    EW = "EW"

    @property
    def word(self) -> str:
        """`north-south` or `east-west`."""
        return "north-south" if self is Side.NS else "east-west"

    @property
    def title(self) -> str:
        """`North and South` or `East and West`."""
        return "North and South" if self is Side.NS else "East and West"

    other: Side
    """The adversaries of this side."""


class Seat(_Few):
    """A place at the table; the next to play is on the left."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def word(self) -> str:
        """`north`."""
        return self.name.lower()

    @property
    def title(self) -> str:
        """`North`."""
        return self.name.capitalize()

    number: int
    """Its place in `SEATS`."""
    side: Side
    """The partnership of this seat."""
    left: Seat
    """The player on the left, who is next in turn."""
    partner: Seat
    """The player opposite."""
    right: Seat
    """The player on the right."""

    def after(self, steps: int = 1) -> Seat:
        """The seat `steps` places to the left."""
        return SEATS[(self.number + steps) % 4]


SEATS = NORTH, EAST, SOUTH, WEST = tuple(Seat)
"""The seats in the order of play, clockwise."""

SIDES = NS, EW = tuple(Side)
"""Both sides. Reading a global name is forty times as fast as reading a member of an enumeration.
"""

NS.other, EW.other = EW, NS
for _number, _seat in enumerate(SEATS):
    _seat.number, _seat.side = _number, SIDES[_number % 2]
    _seat.left, _seat.partner, _seat.right = (SEATS[(_number + n) % 4] for n in (1, 2, 3))

SEAT_OF = {s.value: s for s in Seat} | {s.word: s for s in Seat}
"""Seat by letter (`N`) or word (`north`)."""

SIDE_OF = {s.value: s for s in Side} | {s.word: s for s in Side}
"""Side by letters (`NS`) or words (`north-south`)."""
