"""The calls and cards of a record as small numbers: all that the judge asks where all is in order.

A call or a card as an object knows its place in the file, its marks and its notes. To make them
takes longer than to judge them, so a reader may leave them for later and give these at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from oddtrick.cards import SEATS, Card, Seat, Side, bits

if TYPE_CHECKING:
    from oddtrick.record.model import Call, Declaration, Hand, Record, Result, Trick

Said = tuple[str, int | None, str | None]
"""A call and nothing else: its kind, its odd tricks, its denomination."""


class Row(NamedTuple):
    """The cards of a trick, `None` where the record leaves one out; the rest as a `Trick` has it.

    `seats` are the players that the record names card by card, none where it names nobody.
    """

    cards: Sequence[Card | None]
    columns_from: Seat | None = None
    leader: Seat | None = None
    seats: Sequence[Seat | None] = ()


class Numbers(NamedTuple):
    """A record in numbers.

    `calls` are those of an auction in which each is made in turn, `None` where there is none or a
    call says more. `rows` are the tricks, `None` where no play is recorded. `hands` are the cards
    of the four players as bits, by `SEATS`, `None` where not every hand is written, or one in part.
    `most` is the number of calls, of cards held or played, or of irregularities, whichever is
    greatest; `told` says that the record tells of irregularities. `scoring` is the tag of the name,
    `None` where the tags of the record must be asked. The rest is what the record states, of which
    the places may not be known here.
    """

    calls: Sequence[Said] | None
    rows: Sequence[Row] | None
    hands: Sequence[int] | None
    most: int
    told: bool
    dealer: Seat | None
    opened: Seat | None
    declaration: Declaration | None
    result: Result | None
    vulnerable: frozenset[Side] | None
    scoring: str | None = None


def numbers_of(record: Record) -> Numbers:
    """The numbers of a record whose calls, tricks and hands are objects."""
    bidding, play, hands, claims = record.bidding, record.play, record.hands, record.table_claims
    calls, cards = bidding or (), [c for t in play or () for c in t.cards]
    held = sum(len(h.cards) + sum(n for _, n in h.small) for _, h in hands)
    told = sum(len(i.incidents) for many in (calls, cards, claims) for i in many if i.incidents)
    told += len(record.incidents)
    return Numbers(
        None if bidding is None else _in_turn(calls),
        None if play is None else tuple(map(_row, play)),
        _bits(hands),
        max(len(calls), len(cards), held, len(claims), told),
        told > 0,
        record.dealer.value if record.dealer else None,
        record.bidding_from.value if record.bidding_from else None,
        record.declaration,
        record.result,
        record.vulnerable.value if record.vulnerable else None,
    )


def _in_turn(calls: Sequence[Call]) -> Sequence[Said] | None:
    if any(c.seat or c.corrects or c.incidents or c.kind == "unrecorded" for c in calls):
        return None
    return [(c.kind, c.odd_tricks, c.denomination) for c in calls]


def _row(trick: Trick) -> Row:
    seats = [c.seat for c in trick.cards]
    cards = [c.card for c in trick.cards]
    return Row(cards, trick.columns_from, trick.leader, seats if any(seats) else ())


def _bits(hands: Sequence[tuple[Seat, Hand]]) -> Sequence[int] | None:
    held = {s: bits(h.cards) for s, h in hands if not (h.partial or h.small)}
    return [held[s] for s in SEATS] if len(held) == len(hands) == len(SEATS) else None
