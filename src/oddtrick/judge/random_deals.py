"""Random complete records of legal deals under a code.

The generator chooses among the calls and cards that the code's own procedures allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from oddtrick.cards import OF_SUIT, PACK, SEATS, Card, Seat, bits, cards_in
from oddtrick.judge.declaration import declare
from oddtrick.judge.events import Call, events_of
from oddtrick.judge.procedures import (
    DECLARING,
    Made,
    auction_over,
    bid_range,
    may_bridge,
    may_double,
    sufficient,
    trump_then_suit_led,
)
from oddtrick.judge.table import Dialogue, Table
from oddtrick.law.rules import Rules
from oddtrick.record.deal import NOWHERE, Deal, Declaration, Result, Source
from oddtrick.record.deal import call as packed

Hands = tuple[int, int, int, int]
"""The four hands as bits, in the order of `SEATS`."""


def deal_hands(random: Random) -> Hands:
    """Fifty-two cards dealt at random."""
    pack = list(PACK)
    random.shuffle(pack)
    north, east, south, west = (bits(pack[n : n + 13]) for n in range(0, len(pack), 13))
    return north, east, south, west


def legal_bids(last: Call | None, law: Rules) -> list[Call]:
    """Every bid that is sufficient over the last, lowest number of tricks first."""
    bids = [Call("bid", n, d) for n in bid_range(law) for d in law.order()]
    return [b for b in bids if last is None or sufficient(b, last, law)]


def dialogue(dealer: Seat, random: Random, law: Rules) -> tuple[Call, ...]:
    """A legal making of the trump and the doubling after it, with every caller named."""
    trump, calls = random.choice(law.order()), list[Call]()
    table = Table(dealer, dialogue=Dialogue((dealer, dealer.partner), dealer.left))
    while not table.final and may_double(table.doubled, trump, law):
        if table.last is None:
            kinds = ["make", *(["pass-to-partner"] if not calls else [])]
        elif table.doubled:
            kinds = ["redouble", "satisfied"]
        else:
            kinds = ["double", "yes" if calls[-1].kind == "may-i-lead" else "may-i-lead"]
        kind = random.choice(kinds)
        made = trump if kind == "make" else None
        calls.append(Call(kind, denomination=made, seat=table.turn))
        table = table.called(Made(table.turn, calls[-1]))
    return tuple(calls)


def auction(dealer: Seat, random: Random, law: Rules) -> tuple[Call, ...]:
    """A complete legal auction; the dealer bids first if the code requires it.

    If the code does not state what follows four passes, one of the players bids.
    """
    if law.get("making"):
        return dialogue(dealer, random, law)
    calls, table = list[Call](), Table(dealer)
    bids, first = legal_bids(None, law), law.procedure("first-declaration", DECLARING)
    must, may_pass_out = first and not first(Call("pass"), False), law.has("passed-out")
    while not auction_over(table.last is not None, table.passes, law):
        last, doubled = table.last, table.doubled
        choices = [Call("pass")] * 4
        if bids and (last is None or random.random() < 0.35):
            choices += random.choices(bids[:8], k=4)
        if (
            last is not None
            and may_double(doubled, last.call.denomination, law)
            and (last.seat.side is table.turn.side) == (doubled == 1)
        ):
            choices.append(Call("redouble" if doubled else "double"))
        last_pass = last is None and table.passes == len(SEATS) - 1
        forced = (must and not calls) or (last_pass and not may_pass_out)
        calls.append(random.choice(bids[:5]) if forced else random.choice(choices))
        if calls[-1].kind == "bid":
            bids = legal_bids(calls[-1], law)
        table = table.called(Made(table.turn, calls[-1]))
    return tuple(calls)


def play_out(
    hands: Hands, leader: Seat, denomination: str, random: Random, law: Rules
) -> tuple[Sequence[Card], Sequence[Seat]]:
    """The cards of thirteen legal tricks, chosen at random, and the leader of each trick.

    The winner of the last trick ends the list of leaders.
    """
    held = {seat: list(cards_in(hand)) for seat, hand in zip(SEATS, hands, strict=True)}
    found = law.denomination(denomination)
    trump = OF_SUIT[found.suit if found else None]
    played, leaders = list[Card](), [leader]
    for _ in range(len(held[leader])):
        cards: list[Card] = []
        for offset in range(4):
            seat = leader.after(offset)
            follow = [c for c in held[seat] if cards and c.suit is cards[0].suit]
            card = random.choice(follow or held[seat])
            held[seat].remove(card)
            cards.append(card)
        winner = trump_then_suit_led(bits(cards), OF_SUIT[cards[0].suit], trump)
        leader = leader.after(cards.index(next(cards_in(winner))))
        played += cards
        leaders.append(leader)
    return played, leaders


def legal_game(random: Random, law: Rules, number: int = 1) -> Deal:
    """A record of a legal deal: hands, auction or making, final declaration, play and result."""
    dealer = random.choice(SEATS)
    hands, calls = deal_hands(random), auction(dealer, random, law)
    deal = Deal(
        Source(),
        NOWHERE,
        f"deal {number}",
        code=law.code,
        options=law.options,
        dealer=dealer,
        hands=hands,
        hand_spans=(NOWHERE,) * 4,
        calls=tuple(packed(c.kind, c.odd_tricks, c.denomination) for c in calls),
        callers=tuple((index, c.seat) for index, c in enumerate(calls) if c.seat),
    )
    final = declare(events_of(deal), law).final
    if final is None or final.declarer is None:
        return deal._replace(declaration=Declaration(passed_out=True))
    bridged = may_bridge(final.denomination, law) and random.random() < 0.4
    player = final.declarer.partner if bridged else final.declarer
    cards, leaders = play_out(hands, player.left, final.denomination, random, law)
    return deal._replace(
        declaration=Declaration(
            final.odd_tricks or None, final.denomination, final.doubled, final.declarer, bridged
        ),
        cards=tuple(cards),
        trick_starts=tuple(range(0, len(cards), 4)),
        leaders=tuple(enumerate(leaders[:-1])),
        result=Result("tricks", sum(winner.side is player.side for winner in leaders[1:])),
    )
