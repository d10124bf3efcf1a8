"""Random games of a code with exactly one fault. A fault changes one call or one card of a legal
game, and names the finding to which it must lead and its position.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from made_deals import with_calls, with_tricks, without_play
from oddtrick.cards import PACK, SEATS, Card, bits
from oddtrick.judge.events import Call, Played, Trick, events_of
from oddtrick.judge.procedures import DECLARING, may_bridge, may_double
from oddtrick.judge.random_deals import legal_bids
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Result, held


@dataclass(frozen=True, slots=True)
class Fault:
    """A deal with one fault: the finding that it must cause, and the path of the item at fault."""

    deal: Deal
    rule: str
    at: tuple[str | int, ...]


def _calls(deal: Deal) -> tuple[Call, ...]:
    return events_of(deal).calls or ()


def _tricks(deal: Deal) -> tuple[Trick, ...]:
    return events_of(deal).tricks or ()


def _called(deal: Deal, index: int, call: Call, rule: str) -> Fault:
    """A call in place of one of a deal and of all that follows."""
    made = with_calls(without_play(deal), [*_calls(deal)[:index], call])
    return Fault(made._replace(declaration=None), f"declaring.{rule}", ("bidding", index))


def _played(deal: Deal, trick: int, index: int, card: Card, rule: str) -> Fault:
    """A card in place of one of the play and of all that follows."""
    *before, last = _tricks(deal)[: trick + 1]
    changed = last._replace(cards=(*last.cards[:index], Played(card)))
    made = with_tricks(deal, [*before, changed])._replace(result=None)
    return Fault(made, f"play.{rule}", ("play", trick, index))


def insufficient_bid(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The call after a bid is made a bid that is not higher."""
    calls = _calls(deal)
    places = [i for i in range(1, len(calls)) if calls[i - 1].kind == "bid"]
    if not places:
        return None
    index = random.choice(places)
    high = legal_bids(calls[index - 1], law)
    low = [b for b in legal_bids(None, law) if b not in high]
    return _called(deal, index, random.choice(low), "insufficient-bid")


def impossible_bid(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A call is made a bid of more tricks than there are."""
    if law.get("bid-range") is None:
        return None
    index = random.randrange(len(_calls(deal)))
    most = law.value("bid-range")["most"] + random.randint(1, 3)
    return _called(deal, index, Call("bid", most, random.choice(law.order())), "impossible-bid")


def call_out_of_turn(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A pass is made by the player after the one whose turn it is."""
    calls = _calls(deal)
    places = [i for i in range(1, len(calls)) if calls[i].kind == "pass"]
    if not places:
        return None
    index = random.choice(places)
    passed = replace(calls[index], seat=deal.dealer.after(index + 1))
    return _called(deal, index, passed, "out-of-turn")


def double_of_partner(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A pass over the partner's undoubled bid is made a double."""
    kinds = [c.kind for c in _calls(deal)]
    places = [i for i in range(2, len(kinds)) if kinds[i - 2 : i] == ["bid", "pass"]]
    if not places:
        return None
    return _called(deal, random.choice(places), Call("double"), "double-of-partner")


def double_of_nothing(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A call before the first bid is made a double."""
    calls = _calls(deal)
    before = next((i for i, c in enumerate(calls) if c.kind in ("bid", "make")), len(calls) - 1)
    index = random.randint(0, before)
    double = Call("double", seat=calls[index].seat if law.get("making") else None)
    return _called(deal, index, double, "double-of-nothing")


def call_after_the_end(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A bid is added after the last pass."""
    calls = _calls(deal)
    if not law.get("making"):
        after = Call("bid", law.value("bid-range")["most"], law.order()[-1])
    elif calls[-1].kind in ("yes", "satisfied") and may_double(len(calls), law.order()[-1], law):
        after = Call("double", seat=deal.dealer.left if deal.dealer else None)
    else:
        return None
    made = with_calls(deal, [*calls, after])
    return Fault(made, "declaring.after-the-end", ("bidding", len(calls)))


def dealer_passes(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The dealer passes although he must bid."""
    first = law.procedure("first-declaration", DECLARING)
    if first is None or first(Call("pass"), False):
        return None
    return _called(deal, 0, Call("pass"), "dealer-must-bid")


def wrong_maker(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A player who may not make the trump makes it."""
    calls = _calls(deal)
    index = next((i for i, c in enumerate(calls) if c.kind == "make"), None)
    if not law.get("making") or index is None or deal.dealer is None:
        return None
    wrong = random.choice([s for s in SEATS if s is not calls[index].seat])
    changed = replace(calls[index], seat=wrong)
    own = wrong.side is deal.dealer.side
    rule = "made-without-leave" if own else "made-by-adversary"
    return _called(deal, index, changed, rule)


def question_unasked(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The eldest hand's partner doubles before the eldest hand has asked leave to lead."""
    calls = _calls(deal)
    index = next((i for i, c in enumerate(calls) if c.kind == "may-i-lead"), None)
    if index is None or calls[index].seat is None:
        return None
    double = Call("double", seat=calls[index].seat.partner)  # type: ignore[union-attr]
    return _called(deal, index, double, "out-of-turn")


def wrongly_bridged(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The play of a declaration is passed to the partner although the code forbids that."""
    stated = deal.declaration
    named = stated and stated.denomination
    if not law.has("bridging") or named is None or may_bridge(named, law):
        return None
    bridged = deal._replace(declaration=replace(stated, bridged=True))
    return Fault(bridged, "declaring.bridged", ("declaration",))


def wrong_declarer(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The record names the declarer's partner; a declarer of the other side changes the result."""
    if deal.declaration is None or deal.declaration.declarer is None:
        return None
    stated = replace(deal.declaration, declarer=deal.declaration.declarer.partner)
    return Fault(deal._replace(declaration=stated), "declaring.wrong-declarer", ("declaration",))


def revoke(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A player who follows suit is made to play another suit he still holds."""
    places = []
    left = {seat: set(held(deal, seat)) for seat in SEATS}
    stated = deal.declaration
    dummy = None
    if stated and stated.declarer:
        dummy = stated.declarer if stated.bridged else stated.declarer.partner
    for number, trick in enumerate(_tricks(deal)):
        led = trick.cards[0].card
        for index, played in enumerate(trick.cards):
            seat = trick.leader.after(index)
            other = [c for c in left[seat] if c.suit is not led.suit]
            if index and played.card.suit is led.suit and other:
                places.append((number, index, seat, other))
            left[seat].discard(played.card)
    if not places:
        return None
    number, index, seat, other = random.choice(places)
    card = random.choice(sorted(other, key=lambda c: c.code))
    rule = "dummys-revoke" if seat is dummy and law.has("open-hand") else "revoke"
    return _played(deal, number, index, card, rule)


def card_not_held(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A player plays a card that another holds."""
    tricks = _tricks(deal)
    if not tricks:
        return None
    number = random.randrange(len(tricks))
    trick = tricks[number]
    index = random.randrange(4)
    seat = trick.leader.after(index)
    gone = {p.card for t in tricks[: number + 1] for p in t.cards}
    theirs = [c for s in SEATS if s is not seat for c in held(deal, s) if c not in gone]
    if not theirs:
        return None
    return _played(deal, number, index, random.choice(theirs), "card-not-held")


def card_again(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A player plays a card that he has already played."""
    tricks = _tricks(deal)
    if len(tricks) < 2:
        return None
    number = random.randrange(1, len(tricks))
    trick, before = tricks[number], tricks[number - 1]
    index = random.randrange(4)
    seat = trick.leader.after(index)
    card = before.cards[(SEATS.index(seat) - SEATS.index(before.leader)) % 4].card
    return _played(deal, number, index, card, "card-again")


def lead_out_of_turn(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A player other than the winner of the last trick leads one of his cards."""
    tricks = _tricks(deal)
    if not tricks:
        return None
    number = random.randrange(len(tricks))
    trick = tricks[number]
    leader = trick.leader
    seat = random.choice([s for s in SEATS if s is not leader])
    card = trick.cards[(SEATS.index(seat) - SEATS.index(leader)) % 4].card
    changed = with_tricks(deal, [*tricks[:number], Trick((Played(card),), leader=seat)])
    rule = "play.lead-out-of-turn" if number else "play.wrong-leader"
    return Fault(changed._replace(result=None), rule, ("play", number, 0))


def wrong_tricks(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """The recorded result contradicts the play."""
    if not deal.result:
        return None
    others = [n for n in range(law.value("hand-size") + 1) if n != deal.result.number]
    other = deal._replace(result=Result("tricks", random.choice(others)))
    return Fault(other, "score.tricks", ("result",))


def card_twice(deal: Deal, random: Random, law: Rules) -> Fault | None:
    """A card of one hand is written in another hand too, in place of one of its cards."""
    earlier, later = sorted(random.sample(SEATS, 2), key=SEATS.index)
    cards = list(held(deal, later))
    cards[random.randrange(13)] = doubled = random.choice(held(deal, earlier))
    cards.sort(key=PACK.index)
    hands = [*deal.hands]
    hands[later.number] = bits(cards)
    north, east, south, west = hands
    bare = without_play(deal)._replace(hands=(north, east, south, west))
    return Fault(bare, "deal.card-twice", ("hands", later.value, cards.index(doubled)))


FAULTS: Mapping[str, Callable[[Deal, Random, Rules], Fault | None]] = {
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
"""Every fault that can be put into a legal record. A fault returns `None` if the record has no room
for it.
"""
