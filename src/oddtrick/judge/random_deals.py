"""Random complete records of legal games under a code.

The generator chooses among the calls and cards that the code's own procedures allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from oddtrick.cards import OF_SUIT, PACK, PRINTED_SUITS, SEATS, Card, Seat, bits, cards_in
from oddtrick.judge.declaration import declare
from oddtrick.judge.procedures import (
    FIRST_DECLARATION,
    auction_over,
    bid_range,
    may_bridge,
    may_double,
    sufficient,
    trump_then_suit_led,
)
from oddtrick.law.rules import Rules
from oddtrick.record.model import Call, Declaration, Hand, Played, Record, Result, Stated, Trick


def deal_hands(random: Random) -> tuple[tuple[Seat, Hand], ...]:
    """Fifty-two cards dealt at random, each hand in printed order."""
    pack = list(PACK)
    random.shuffle(pack)
    hands = []
    for index, seat in enumerate(SEATS):
        cards = sorted(
            pack[index * 13 : index * 13 + 13],
            key=lambda c: (PRINTED_SUITS.index(c.suit), -c.height),
        )
        hands.append((seat, Hand(tuple(cards))))
    return tuple(hands)


def legal_bids(last: Call | None, law: Rules) -> list[Call]:
    """Every bid that is high enough over the last, lowest number of tricks first."""
    limits = bid_range(law)
    if limits is None:
        return []
    bids = [Call("bid", n, d) for n in range(limits.least, limits.most + 1) for d in law.order()]
    return [b for b in bids if last is None or sufficient(b, last, law)]


def dialogue(dealer: Seat, random: Random, law: Rules) -> tuple[Call, ...]:
    """A legal making of the trump with the doubling that follows, every caller named."""
    trump = random.choice(law.order())
    calls = []
    maker = dealer
    if random.random() < 0.5:
        calls.append(Call("pass-to-partner", seat=dealer))
        maker = dealer.partner
    calls.append(Call("make", denomination=trump, seat=maker))
    eldest = dealer.left
    if random.random() < 0.7:
        calls.append(Call("may-i-lead", seat=eldest))
        if random.random() < 0.6:
            return (*calls, Call("yes", seat=eldest.partner))
        doubler = eldest.partner
    else:
        doubler = eldest
    calls.append(Call("double", seat=doubler))
    doubled, first, other = 1, maker, doubler
    while may_double(doubled, trump, law):
        speaker = first
        if random.random() < 0.5:
            calls.append(Call("satisfied", seat=first))
            speaker = first.partner
            if random.random() < 0.6:
                return (*calls, Call("satisfied", seat=speaker))
        calls.append(Call("redouble", seat=speaker))
        doubled, first, other = doubled + 1, other, speaker
    return tuple(calls)


def must_declare(law: Rules) -> bool:
    """Whether the dealer may not pass."""
    first = law.procedure("first-declaration", FIRST_DECLARATION)
    return first is not None and not first(Call("pass"), False)


def auction(dealer: Seat, random: Random, law: Rules) -> tuple[Call, ...]:
    """A legal auction that ends; the dealer bids first where the code says that he must.

    Where the code does not say what follows when all four pass, one of them bids.
    """
    if law.get("making"):
        return dialogue(dealer, random, law)
    calls: list[Call] = []
    last: Call | None = None
    bidder, doubled, passes, seat = dealer, 0, 0, dealer
    must = must_declare(law)
    may_pass_out = law.get("passed-out") is not None
    bids = legal_bids(None, law)
    while not auction_over(last is not None, passes, law):
        choices: list[Call] = [Call("pass")] * 4
        if bids and (last is None or random.random() < 0.35):
            choices += random.choices(bids[:8], k=4)
        if (
            last is not None
            and may_double(doubled, last.denomination, law)
            and (bidder.side is seat.side) == (doubled == 1)
        ):
            choices.append(Call("redouble" if doubled else "double"))
        last_pass = last is None and passes == len(SEATS) - 1
        forced = (must and not calls) or (last_pass and not may_pass_out)
        call = random.choice(bids[:5]) if forced else random.choice(choices)
        calls.append(call)
        if call.kind == "pass":
            passes += 1
        elif call.kind == "bid":
            last, bidder, doubled, passes = call, seat, 0, 0
            bids = legal_bids(last, law)
        else:
            doubled, passes = doubled + 1, 0
        seat = seat.left
    return tuple(calls)


def play_out(
    hands: Mapping[Seat, tuple[Card, ...]],
    leader: Seat,
    denomination: str,
    random: Random,
    law: Rules,
) -> tuple[tuple[Trick, ...], dict[str, int]]:
    """Thirteen legal tricks, cards chosen at random among those that follow suit, and tricks won by
    side."""
    held = {s: list(c) for s, c in hands.items()}
    found = law.denomination(denomination)
    trump = OF_SUIT[found.suit if found else None]
    tricks, won = [], {"NS": 0, "EW": 0}
    for _ in range(len(hands[leader])):
        cards: list[Card] = []
        for offset in range(4):
            seat = leader.after(offset)
            follow = [c for c in held[seat] if cards and c.suit is cards[0].suit]
            card = random.choice(follow or held[seat])
            held[seat].remove(card)
            cards.append(card)
        tricks.append(Trick(tuple(Played(c) for c in cards), leader=leader))
        winner = trump_then_suit_led(bits(cards), OF_SUIT[cards[0].suit], trump)
        leader = leader.after(cards.index(next(cards_in(winner))))
        won[leader.side.value] += 1
    return tuple(tricks), won


def legal_game(random: Random, law: Rules, number: int = 1) -> Record:
    """A complete record of a legal deal under a code.

    Hands, auction, final declaration, play, result.
    """
    dealer = random.choice(SEATS)
    record = Record(
        f"deal {number}",
        code=Stated(law.code),
        options=tuple(Stated(o) for o in law.options),
        dealer=Stated(dealer),
        hands=deal_hands(random),
        bidding=auction(dealer, random, law),
    )
    final = declare(record, law).final
    if final is None or final.declarer is None:
        return replace(record, declaration=Declaration(passed_out=True))
    bridged = may_bridge(final.denomination, law) and random.random() < 0.4
    stated = Declaration(
        final.odd_tricks or None, final.denomination, final.doubled, final.declarer, bridged
    )
    player = final.declarer.partner if bridged else final.declarer
    hands = {s: h.cards for s, h in record.hands}
    tricks, won = play_out(hands, player.left, final.denomination, random, law)
    return replace(
        record, declaration=stated, play=tricks, result=Result("tricks", won[player.side.value])
    )
