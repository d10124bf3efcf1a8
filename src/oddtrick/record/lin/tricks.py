"""How many tricks a claim in LIN leaves to the declarer, by who won those that were played.

A trick is won as at whist: by the highest trump, or else the highest card of the suit led. Nothing
is judged.
"""

from __future__ import annotations

from collections.abc import Sequence

from oddtrick.cards import Card, Seat, Suit
from oddtrick.record.lin.values import TRICKS
from oddtrick.record.model import Result, TableClaim, identified
from oddtrick.record.numbers import Numbers

SUITS = {suit.word: suit for suit in Suit}
NO_TRUMP = "no-trump"


def _winner(cards: Sequence[Card | None], leader: Seat | None, trump: Suit | None) -> Seat | None:
    """Who wins a trick of four known cards, or `None`."""
    known = [card for card in cards if card is not None]
    if leader is None or len(known) != 4 or len(cards) != 4:
        return None
    suit = trump if any(c.suit is trump for c in known) else known[0].suit
    best = max((c for c in known if c.suit is suit), key=lambda c: c.height)
    return leader.after(known.index(best))


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
