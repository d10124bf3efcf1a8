"""The play of a record in the order of play, and who won each trick, as far as it can be known.

Plain whist play: the led suit must be won by its highest card or a trump. Nothing is judged; it
tells a notation without columns which card came first, and how many tricks a claim left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oddtrick.cards import Card, Seat, Suit
from oddtrick.record.lin.values import TRICKS
from oddtrick.record.model import Declaration, Played, Record, Result, TableClaim, identified
from oddtrick.record.numbers import Numbers
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
        leader = _winner([p.card for p in cards], leader, trump) if told else None
        tricks.append(Ordered(cards, leader))
    return tricks


def _winner(cards: Sequence[Card | None], leader: Seat | None, trump: Suit | None) -> Seat | None:
    """Who wins a trick of four known cards, or `None`."""
    known = [card for card in cards if card is not None]
    if leader is None or len(known) != 4 or len(cards) != 4:
        return None
    suit = trump if any(c.suit is trump for c in known) else known[0].suit
    best = max((c for c in known if c.suit is suit), key=lambda c: c.height)
    return leader.after(known.index(best))


# --- in numbers -----------------------------------------------------------------------------------


def claim_of(numbers: Numbers, claimed: Result | None) -> tuple[TableClaim, ...]:
    """The claim that ended a play before its end, by the tricks of the declarer that it comes to;
    none where these do not follow.
    """
    declarer, denomination = _final(numbers)
    rows = numbers.rows
    if not (claimed and declarer and rows):
        return ()
    whole = [row.cards for row in rows if len(row.cards) == 4]
    won, rest = _won(whole, declarer, denomination), TRICKS - len(whole)
    if won is None or not 0 <= claimed.number - won <= rest or not rest:
        return ()
    tricks, place = claimed.number - won, claimed.place
    claim = TableClaim(declarer, "claims", tricks, "agreed", len(rows), place=place)
    return identified((claim,), ("claims",))


def _final(numbers: Numbers) -> tuple[Seat | None, str | None]:
    """The declarer and the denomination that the calls come to, or that are stated."""
    opened, stated = numbers.opened or numbers.dealer, numbers.declaration
    kinds = [kind for kind, _, _ in numbers.calls or ()]
    if opened is None or kinds[-3:] != ["pass"] * 3 or len(kinds) < 4:
        return (stated.declarer, stated.denomination) if stated else (None, None)
    bids = [(n, name) for n, (_, odd, name) in enumerate(numbers.calls or ()) if odd]
    if not bids:
        return None, None
    last, denomination = bids[-1]
    first = next(n for n, name in bids if name == denomination and (last - n) % 2 == 0)
    return opened.after(first), denomination


def _won(
    tricks: Sequence[Sequence[Card | None]], declarer: Seat, denomination: str | None
) -> int | None:
    """How many of some whole tricks the declarer's side won; `None` where that is not known."""
    trump = SUITS.get(denomination or "")
    if trump is None and denomination != NO_TRUMP:
        return None if tricks else 0
    leader, won = declarer.left, 0
    for cards in tricks:
        winner = _winner(cards, leader, trump)
        if winner is None:
            return None
        leader, won = winner, won + (winner.side is declarer.side)
    return won
