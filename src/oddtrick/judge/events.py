"""The events of a deal in the order of play, each with the irregularities recorded at it.

If something irregular happened, the judge reads calls and cards as the objects defined here;
otherwise it reads the integers of the `Deal`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from oddtrick.cards import PACK, SEATS, Card, Seat, Suit, card_in
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.record import deal as record
from oddtrick.record.deal import Deal, Incident, Item
from oddtrick.rulings.engine import catalogue


class CallName(NamedTuple):
    """The content of a call, without its caller."""

    kind: str
    odd_tricks: int | None
    denomination: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `seat` is `None` if it was made in turn and the record does not name the caller.

    `odd_tricks` and `denomination` are set for a bid, only `denomination` for a make. `corrects`
    is true if the caller replaces his own last call.
    """

    kind: str
    odd_tricks: int | None = None
    denomination: str | None = None
    seat: Seat | None = None
    corrects: bool = False
    incidents: tuple[Incident, ...] = ()
    item: Item = field(default=(), compare=False)

    @property
    def name(self) -> CallName:
        """The content of the call, without its caller."""
        return CallName(self.kind, self.odd_tricks, self.denomination)


class Played(NamedTuple):
    """A card played, `None` if the record omits it, with its player if the record names him."""

    card: Card | None
    seat: Seat | None = None
    incidents: tuple[Incident, ...] = ()
    item: Item = ()


class Trick(NamedTuple):
    """The cards of a trick as written; `leader` is set if the record names him."""

    cards: tuple[Played, ...]
    leader: Seat | None = None
    item: Item = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as written: its cards, small cards by suit, and whether it held more."""

    cards: tuple[Card, ...]
    small: tuple[tuple[Suit, int], ...] = ()
    partial: bool = False

    @property
    def number(self) -> int:
        """The number of cards written."""
        return len(self.cards) + sum(number for _, number in self.small)


Hands = tuple[tuple[Seat, Hand], ...]
"""The hands that are written, with their seats."""


@dataclass(frozen=True, slots=True)
class Events:
    """A deal with its hands, calls and cards as objects.

    `calls` and `tricks` are `None` if none are recorded. `every` are the irregularities, wherever
    they are written: those of the deal itself, then those of calls, cards and claims. `taken_back`
    are the leads that were taken back and so are not among the tricks, each with the number of
    tricks before it; the claims of the deal count the tricks without them.
    """

    deal: Deal
    hands: Hands = ()
    calls: tuple[Call, ...] | None = None
    tricks: tuple[Trick, ...] | None = None
    every: tuple[Incident, ...] = ()
    taken_back: tuple[tuple[int, Trick], ...] = ()


def events_of(deal: Deal) -> Events:
    """The hands, calls, cards and irregularities of a deal as objects."""
    every = tuple(sorted(record.with_items(deal), key=_in_order))
    at: At = {}
    for incident in every:
        if incident.event:
            at[incident.event] = (*at.get(incident.event, ()), incident)
    rows, calls = _tricks(deal, at), _calls(deal, at)
    back = [row for row in rows or () if _is_taken_back(row, row is not (rows or ())[-1])]
    if not back:
        return Events(deal, hands_of(deal), calls, rows, every)
    of = {i.item: str(row.cards[0].card) for row in back for i in row.cards[0].incidents}
    every = tuple(replace(i, of=of.get(i.item, i.of)) for i in every)
    tricks = tuple(row for row in rows or () if row not in back)

    def before(number: int) -> int:
        """The number of tricks among the first rows of the play."""
        return sum(int(trick.item[1]) < number for trick in tricks)

    claims = tuple(replace(c, after_trick=before(c.after_trick)) for c in deal.claims)
    taken_back = tuple((before(int(row.item[1])), row) for row in back)
    counted = deal._replace(claims=claims)
    return Events(counted, hands_of(deal), calls, tricks, every, taken_back)


def _is_taken_back(row: Trick, followed: bool) -> bool:
    """Whether a row of the play is a lead that was taken back.

    It is if the card is alone in its row, an irregularity of a player's own card is reported at it,
    and another trick follows or a remedy was chosen that does not let it stand.
    """
    alone = row.cards if len(row.cards) == 1 else ()
    for card, incident in ((p.card, i) for p in alone if p.card for i in p.incidents):
        known = catalogue().get(incident.name)
        chosen = [effect.id for effect in read_remedy(incident.remedy or "").effects]
        withdrawn = "stand" not in chosen and (followed or chosen)
        if known and known.own_card and withdrawn and card_in(incident.of or "") in (None, card):
            return True
    return False


def hands_of(deal: Deal) -> Hands:
    """The hands that are written, with their seats."""
    details = {detail.seat: detail for detail in deal.hand_details}
    found = []
    for seat, span in zip(SEATS, deal.hand_spans, strict=True):
        if span is None:
            continue
        detail, cards = details.get(seat), tuple(record.held(deal, seat))
        hand = Hand(cards, detail.small, detail.partial) if detail else Hand(cards)
        found.append((seat, hand))
    return tuple(found)


def _in_order(incident: Incident) -> tuple[int, int]:
    """Sort key: the deal's own irregularities first, then those of calls, cards and claims."""
    event = incident.event
    return (ORDER.index(event.kind), event.number) if event else (-1, 0)


ORDER = ("call", "card", "claim")
At = dict[tuple[str, int], tuple[Incident, ...]]
"""The irregularities recorded at each event."""


def _calls(deal: Deal, at: At) -> tuple[Call, ...] | None:
    if deal.calls is None:
        return None
    callers = dict(deal.callers)
    return tuple(
        Call(
            record.kind_of(one),
            record.odd_tricks_of(one),
            record.denomination_of(one),
            callers.get(number),
            number in deal.corrections,
            at.get(("call", number), ()),
            ("bidding", number),
        )
        for number, one in enumerate(deal.calls)
    )


def _tricks(deal: Deal, at: At) -> tuple[Trick, ...] | None:
    if deal.cards is None:
        return None
    leaders, players, tricks = dict(deal.leaders), dict(deal.players_named), []
    for number, (start, end) in enumerate(pairwise((*deal.trick_starts, len(deal.cards)))):
        cards = tuple(
            Played(
                CARD_OF_NUMBER.get(deal.cards[index]),
                players.get(index),
                at.get(("card", index), ()),
                ("play", number, index - start),
            )
            for index in range(start, end)
        )
        tricks.append(Trick(cards, leaders.get(number), ("play", number)))
    return tuple(tricks)


CARD_OF_NUMBER: dict[int, Card] = {int(card): card for card in PACK}
