"""Cards, hands' seats and sides: what is the same in every code.

Denominations are not here: each code has its own, and a suit becomes trumps only when the
declaration ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from operator import lshift

RANKS = "23456789TJQKA"
"""Ranks in play from low to high; `T` is the ten."""


class _Few(Enum):
    """Members that are keys everywhere: each is one object, so its identity is its hash.

    `Enum` hashes the name, in Python, which takes four times as long.
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
"""The order in which a hand is printed."""

SUIT_OF = {s.value: s for s in Suit} | {s.symbol: s for s in Suit} | {s.word: s for s in Suit}
"""Suit by letter, symbol or word."""


LANE = 4
"""A card's number, shifted so far to the right, is that of its suit."""


class Card(int):
    """One card of the pack: a suit and a rank of `RANKS`.

    It is a small number too, so that many cards may be the bits of one: of two cards of a suit the
    higher is the greater number, and no card is 0.
    """

    suit: Suit
    rank: str

    def __new__(cls, suit: Suit, rank: str) -> Card:
        """The card, one object each."""
        return _PACK[suit, rank]

    def __reduce__(self) -> tuple[type[Card], tuple[Suit, str]]:
        return Card, (self.suit, self.rank)

    def __str__(self) -> str:
        return f"{self.suit.symbol}{'10' if self.rank == 'T' else self.rank}"

    def __repr__(self) -> str:
        return f"Card(suit={self.suit!r}, rank={self.rank!r})"

    @property
    def code(self) -> str:
        """Two letters, as PBN writes it: `ST`."""
        return self.suit.value + self.rank

    @property
    def height(self) -> int:
        """Place of the rank in play, 0 for the two to 12 for the ace."""
        return RANKS.index(self.rank)


def _made(suit: Suit, rank: str) -> Card:
    card = int.__new__(Card, (list(Suit).index(suit) << LANE) + RANKS.index(rank) + 2)
    card.suit, card.rank = suit, rank
    return card


_PACK = {(suit, rank): _made(suit, rank) for suit in Suit for rank in RANKS}

CARDS = {suit: {rank: Card(suit, rank) for rank in RANKS} for suit in Suit}
"""Every card, one object each, by suit and rank."""

PACK = tuple(CARDS[s][r] for s in PRINTED_SUITS for r in reversed(RANKS))
"""The fifty-two cards, spades first, ace first."""

CARD_OF = {name: card for card in PACK for name in (card.code, str(card))}
"""Card by its two letters (`ST`) or as it is printed (`♠10`)."""


OF_SUIT: Mapping[Suit | None, int] = {None: 0} | {
    suit: sum(1 << card for card in CARDS[suit].values()) for suit in Suit
}
"""All cards of a suit as bits, none of no suit."""


BITS: Mapping[Card | None, int] = {None: 0} | {card: 1 << card for card in PACK}
"""A card as a bit; no bit where it is not known."""
CARD_OF_BIT: Mapping[int, Card | None] = {bit: card for card, bit in BITS.items()}
"""The card that a bit is, `None` if there is none."""


_SHIFTS = tuple(CARDS[suit]["A"] - CARDS[Suit.CLUBS]["A"] for suit in PRINTED_SUITS)


def hand_of(suits: Iterable[int]) -> int:
    """The cards of a hand as bits, of its four suits as they are printed, each as if clubs."""
    return sum(map(lshift, suits, _SHIFTS))


def bits(cards: Iterable[Card]) -> int:
    """Cards as the bits of a number."""
    held = 0
    for card in cards:
        held |= 1 << card
    return held


def cards_in(held: int) -> Iterator[Card]:
    """The cards that are the bits of a number, as a hand is printed."""
    return (card for card in PACK if held >> card & 1)


def card_in(words: str) -> Card | None:
    """The first card that words name, as `♥2`, `♥10` or `H2`; `None` where they name none."""
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

    @property
    def other(self) -> Side:
        """The adversaries of this side."""
        return Side.EW if self is Side.NS else Side.NS


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
        """The seat so many places to the left."""
        return SEATS[(self.number + steps) % 4]


SEATS = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
"""The seats in the order of play, clockwise."""

for _number, _seat in enumerate(SEATS):
    _seat.number, _seat.side = _number, (Side.NS, Side.EW)[_number % 2]
    _seat.left, _seat.partner, _seat.right = (SEATS[(_number + n) % 4] for n in (1, 2, 3))

SEAT_OF = {s.value: s for s in Seat} | {s.word: s for s in Seat}
"""Seat by letter (`N`) or word (`north`)."""

SIDE_OF = {s.value: s for s in Side} | {s.word: s for s in Side}
"""Side by letters (`NS`) or words (`north-south`)."""
