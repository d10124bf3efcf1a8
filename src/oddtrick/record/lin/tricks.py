"""The play of a record in the order of play, and who won each trick, as far as it can be known.

Plain whist play: the led suit must be won by its highest card or a trump. Nothing is judged; it
tells a notation without columns which card came first, and how many tricks a claim left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oddtrick.cards import Card, Seat, Suit
from oddtrick.record.model import Declaration, Played, Record
from oddtrick.record.pbn.sections import over

SUITS = {suit.word: suit for suit in Suit}
NO_TRUMP = "no-trump"


class Ordered(NamedTuple):
    """A trick: its cards in the order played, and its winner where he is known."""

    cards: tuple[Played, ...]
    winner: Seat | None


def final_of(record: Record) -> Declaration | None:
    """The declaration that the calls come to; where they do not end in one, what is stated."""
    calls = record.bidding or ()
    opened = record.bidding_from or record.dealer
    if opened is None or not over(calls):
        return record.declaration
    turn, last = opened.value, None
    named: dict[tuple[object, str | None], Seat] = {}
    for call in calls:
        seat = call.seat or turn
        if call.kind == "bid":
            key = (seat.side, call.denomination)
            last = Declaration(call.odd_tricks, call.denomination, 0, named.setdefault(key, seat))
        turn = seat.left
    return last


def in_order(record: Record) -> list[Ordered] | None:
    """Every trick in the order played; `None` where columns do not tell who led."""
    final = final_of(record)
    declarer = final.declarer if final else None
    trump = SUITS.get(final.denomination or "") if final else None
    told = bool(trump or (final and final.denomination == NO_TRUMP))
    leader = declarer.left if declarer else None
    tricks: list[Ordered] = []
    for trick in record.play or ():
        leader, cards = trick.leader or leader, trick.cards
        if trick.columns_from:
            if leader is None:
                return None
            turn = [leader.after(i) for i in range(4)]
            at = {p.seat or trick.columns_from.after(i): p for i, p in enumerate(cards)}
            cards = tuple(at[s] for s in turn if s in at)
            while cards and cards[-1].card is None:
                cards = cards[:-1]
        leader = _winner(cards, leader, trump) if told else None
        tricks.append(Ordered(cards, leader))
    return tricks


def _winner(cards: Sequence[Played], leader: Seat | None, trump: Suit | None) -> Seat | None:
    """Who wins a trick of four known cards, or `None`."""
    known: list[Card] = [p.card for p in cards if p.card]
    if leader is None or len(known) != 4 or len(cards) != 4:
        return None
    suit = trump if any(c.suit is trump for c in known) else known[0].suit
    best = max((c for c in known if c.suit is suit), key=lambda c: c.height)
    return leader.after(known.index(best))
