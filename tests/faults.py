"""Random games of a code with exactly one fault.

A fault changes one call or one card of a legal game and names the finding it must give and where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from oddtrick.cards import PRINTED_SUITS, SEATS, Card
from oddtrick.judge.procedures import may_bridge, may_double
from oddtrick.judge.random_deals import legal_bids, must_declare
from oddtrick.law.rules import Rules
from oddtrick.record.model import Call, Hand, Played, Record, Result, Trick


@dataclass(frozen=True, slots=True)
class Fault:
    """A record with one fault: the finding it must give, and the path of the item it stands at."""

    record: Record
    rule: str
    at: tuple[str | int, ...]


def _with_call(record: Record, index: int, call: Call) -> Record:
    calls = list(record.bidding or ())
    calls[index] = call
    return replace(
        record, bidding=tuple(calls[: index + 1]), declaration=None, play=None, result=None
    )


def insufficient_bid(record: Record, random: Random, law: Rules) -> Fault | None:
    """The call after a bid is made a bid that is not higher."""
    calls = record.bidding or ()
    places = [i for i in range(1, len(calls)) if calls[i - 1].kind == "bid"]
    if not places:
        return None
    index = random.choice(places)
    over = calls[index - 1]
    high = legal_bids(over, law)
    low = [b for b in legal_bids(None, law) if b not in high]
    return Fault(
        _with_call(record, index, random.choice(low)),
        "declaring.insufficient-bid",
        ("bidding", index),
    )


def impossible_bid(record: Record, random: Random, law: Rules) -> Fault | None:
    """A call is made a bid of more tricks than there are."""
    if law.get("bid-range") is None:
        return None
    index = random.randrange(len(record.bidding or ()))
    bid = Call(
        "bid", law.value("bid-range")["most"] + random.randint(1, 3), random.choice(law.order())
    )
    return Fault(_with_call(record, index, bid), "declaring.impossible-bid", ("bidding", index))


def call_out_of_turn(record: Record, random: Random, law: Rules) -> Fault | None:
    """A pass is made by the player after the one whose turn it is."""
    calls = record.bidding or ()
    assert record.dealer is not None
    places = [i for i in range(1, len(calls)) if calls[i].kind == "pass"]
    if not places:
        return None
    index = random.choice(places)
    seat = record.dealer.value.after(index + 1)
    del law
    return Fault(
        _with_call(record, index, replace(calls[index], seat=seat)),
        "declaring.out-of-turn",
        ("bidding", index),
    )


def double_of_partner(record: Record, random: Random, law: Rules) -> Fault | None:
    """A pass over the partner's undoubled bid is made a double."""
    calls = record.bidding or ()
    places = [
        i
        for i in range(2, len(calls))
        if calls[i - 2].kind == "bid" and calls[i - 1].kind == "pass"
    ]
    if not places:
        return None
    index = random.choice(places)
    del law
    return Fault(
        _with_call(record, index, Call("double")), "declaring.double-of-partner", ("bidding", index)
    )


def double_of_nothing(record: Record, random: Random, law: Rules) -> Fault | None:
    """A call before the first bid is made a double."""
    calls = record.bidding or ()
    before = next((i for i, c in enumerate(calls) if c.kind in ("bid", "make")), len(calls) - 1)
    index = random.randint(0, before)
    if law.get("making"):
        return Fault(
            _with_call(record, index, replace(Call("double"), seat=calls[index].seat)),
            "declaring.double-of-nothing",
            ("bidding", index),
        )
    return Fault(
        _with_call(record, index, Call("double")), "declaring.double-of-nothing", ("bidding", index)
    )


def call_after_the_end(record: Record, random: Random, law: Rules) -> Fault | None:
    """A bid is added after the last pass."""
    calls = record.bidding or ()
    del random
    if law.get("making"):
        if calls[-1].kind not in ("yes", "satisfied") or not may_double(
            len(calls), law.order()[-1], law
        ):
            return None
        after = Call("double", seat=record.dealer.value.left if record.dealer else None)
        return Fault(
            replace(record, bidding=(*calls, after)),
            "declaring.after-the-end",
            ("bidding", len(calls)),
        )
    bid = Call("bid", law.value("bid-range")["most"], law.order()[-1])
    return Fault(
        replace(record, bidding=(*calls, bid)), "declaring.after-the-end", ("bidding", len(calls))
    )


def dealer_passes(record: Record, random: Random, law: Rules) -> Fault | None:
    """Where the dealer must bid he passes."""
    del random
    if not must_declare(law):
        return None
    return Fault(_with_call(record, 0, Call("pass")), "declaring.dealer-must-bid", ("bidding", 0))


def wrong_maker(record: Record, random: Random, law: Rules) -> Fault | None:
    """Where the trump is made, a player makes it who may not."""
    calls = record.bidding or ()
    index = next((i for i, c in enumerate(calls) if c.kind == "make"), None)
    if not law.get("making") or index is None or record.dealer is None:
        return None
    wrong = random.choice([s for s in SEATS if s is not calls[index].seat])
    changed = replace(calls[index], seat=wrong)
    own = wrong.side is record.dealer.value.side
    rule = "declaring.made-without-leave" if own else "declaring.made-by-adversary"
    return Fault(_with_call(record, index, changed), rule, ("bidding", index))


def question_unasked(record: Record, random: Random, law: Rules) -> Fault | None:
    """Where the eldest hand asks leave to lead, his partner doubles before the question."""
    del random, law
    calls = record.bidding or ()
    index = next((i for i, c in enumerate(calls) if c.kind == "may-i-lead"), None)
    if index is None or calls[index].seat is None:
        return None
    double = Call("double", seat=calls[index].seat.partner)  # type: ignore[union-attr]
    return Fault(_with_call(record, index, double), "declaring.out-of-turn", ("bidding", index))


def wrongly_bridged(record: Record, random: Random, law: Rules) -> Fault | None:
    """Where a code has bridging, the play of a declaration is passed that may not be."""
    del random
    stated = record.declaration
    if (
        not law.has("bridging")
        or stated is None
        or stated.denomination is None
        or may_bridge(stated.denomination, law)
    ):
        return None
    return Fault(
        replace(record, declaration=replace(stated, bridged=True)),
        "declaring.bridged",
        ("declaration",),
    )


def wrong_declarer(record: Record, random: Random, law: Rules) -> Fault | None:
    """The record names the declarer's partner; a declarer of the other side changes the result."""
    del law, random
    if record.declaration is None or record.declaration.declarer is None:
        return None
    stated = replace(record.declaration, declarer=record.declaration.declarer.partner)
    return Fault(replace(record, declaration=stated), "declaring.wrong-declarer", ("declaration",))


def _with_card(record: Record, trick: int, index: int, card: Card) -> Record:
    tricks = list(record.play or ())[: trick + 1]
    cards = list(tricks[trick].cards)[: index + 1]
    cards[index] = Played(card)
    tricks[trick] = replace(tricks[trick], cards=tuple(cards))
    return replace(record, play=tuple(tricks), result=None)


def revoke(record: Record, random: Random, law: Rules) -> Fault | None:
    """A player who follows suit is made to play another suit he still holds."""
    places = []
    held = {s: set(h.cards) for s, h in record.hands}
    stated = record.declaration
    dummy = None
    if stated and stated.declarer:
        dummy = stated.declarer if stated.bridged else stated.declarer.partner
    for number, trick in enumerate(record.play or ()):
        assert trick.leader is not None
        led = trick.cards[0].card
        for index, played in enumerate(trick.cards):
            seat = trick.leader.after(index)
            assert played.card is not None
            assert led is not None
            other = [c for c in held[seat] if c.suit is not led.suit]
            if index and played.card.suit is led.suit and other:
                places.append((number, index, seat, other))
            held[seat].discard(played.card)
    if not places:
        return None
    number, index, seat, other = random.choice(
        [(n, i, s, sorted(o, key=lambda c: c.code)) for n, i, s, o in places]
    )
    rule = "play.dummys-revoke" if seat is dummy and law.has("open-hand") else "play.revoke"
    return Fault(
        _with_card(record, number, index, random.choice(other)), rule, ("play", number, index)
    )


def card_not_held(record: Record, random: Random, law: Rules) -> Fault | None:
    """A player plays a card that another holds."""
    del law
    if not record.play:
        return None
    number = random.randrange(len(record.play))
    trick = record.play[number]
    index = random.randrange(4)
    assert trick.leader is not None
    seat = trick.leader.after(index)
    gone = {p.card for t in record.play[: number + 1] for p in t.cards}
    theirs = [c for s, h in record.hands if s is not seat for c in h.cards if c not in gone]
    if not theirs:
        return None
    return Fault(
        _with_card(record, number, index, random.choice(theirs)),
        "play.card-not-held",
        ("play", number, index),
    )


def card_again(record: Record, random: Random, law: Rules) -> Fault | None:
    """A player plays a card that he has already played."""
    del law
    if not record.play or len(record.play) < 2:
        return None
    number = random.randrange(1, len(record.play))
    trick, before = record.play[number], record.play[number - 1]
    assert trick.leader is not None
    assert before.leader is not None
    index = random.randrange(4)
    seat = trick.leader.after(index)
    card = before.cards[(SEATS.index(seat) - SEATS.index(before.leader)) % 4].card
    assert card is not None
    return Fault(
        _with_card(record, number, index, card), "play.card-again", ("play", number, index)
    )


def lead_out_of_turn(record: Record, random: Random, law: Rules) -> Fault | None:
    """Another player than the winner of the last trick leads one of his cards."""
    del law
    if not record.play:
        return None
    number = random.randrange(len(record.play))
    trick = record.play[number]
    assert trick.leader is not None
    leader = trick.leader
    seat = random.choice([s for s in SEATS if s is not leader])
    card = trick.cards[(SEATS.index(seat) - SEATS.index(leader)) % 4].card
    tricks = [*record.play[:number], Trick((Played(card),), leader=seat)]
    rule = "play.lead-out-of-turn" if number else "play.wrong-leader"
    return Fault(replace(record, play=tuple(tricks), result=None), rule, ("play", number, 0))


def wrong_tricks(record: Record, random: Random, law: Rules) -> Fault | None:
    """The result recorded is not what the play gives."""
    if not record.result:
        return None
    others = [n for n in range(law.value("hand-size") + 1) if n != record.result.number]
    return Fault(
        replace(record, result=Result("tricks", random.choice(others))), "score.tricks", ("result",)
    )


def card_twice(record: Record, random: Random, law: Rules) -> Fault | None:
    """A card of one hand is written in another hand too, in the place of one of its cards."""
    del law
    (a, one), (b, two) = random.sample(list(record.hands), 2)
    later, earlier = (
        ((a, one), (b, two)) if SEATS.index(a) > SEATS.index(b) else ((b, two), (a, one))
    )
    index = random.randrange(13)
    cards = list(later[1].cards)
    cards[index] = random.choice(earlier[1].cards)
    cards.sort(key=lambda c: (PRINTED_SUITS.index(c.suit), -c.height))
    doubled = next(i for i, c in enumerate(cards) if c in earlier[1].cards)
    hands = tuple((s, Hand(tuple(cards)) if s is later[0] else h) for s, h in record.hands)
    bare = replace(record, hands=hands, play=None, result=None)
    return Fault(bare, "deal.card-twice", ("hands", later[0].value, doubled))


FAULTS: Mapping[str, Callable[[Record, Random, Rules], Fault | None]] = {
    f.__name__.replace("_", "-"): f
    for f in (
        insufficient_bid,
        impossible_bid,
        call_out_of_turn,
        double_of_partner,
        double_of_nothing,
        call_after_the_end,
        dealer_passes,
        wrong_maker,
        question_unasked,
        wrongly_bridged,
        wrong_declarer,
        revoke,
        card_not_held,
        card_again,
        lead_out_of_turn,
        wrong_tricks,
        card_twice,
    )
}
"""Every fault that can be put into a legal record.

A fault gives `None` where the record has no room for it.
"""
