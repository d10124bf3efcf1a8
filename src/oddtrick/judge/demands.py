"""What may be demanded of the cards that follow an irregularity, and whether it was done.

A remedy that applies puts demands on players: to lead a suit, to play a card, the highest, to win
the trick. The cards are walked through once with all that are open; each binds from a card on,
until it is met, broken or over. What a record cannot show (a warning, a finesse) is not demanded
here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from oddtrick.cards import OF_SUIT, Card, Seat, Suit, bits
from oddtrick.judge.events import Played
from oddtrick.judge.facts import Case
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import EARLIER_BID, trump_then_suit_led
from oddtrick.judge.remedy_words import NamedRemedy
from oddtrick.judge.score_procedures import trump_of
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Item
from oddtrick.rulings import engine as rulings

if TYPE_CHECKING:
    from oddtrick.judge.incidents import Shown


@dataclass(frozen=True, slots=True)
class Demand:
    """What is demanded, of whom, and how long.

    `of` is that of the effect; `since` the trick and the card in it from which on it binds, `until`
    the last trick in which it does. `suit`, `card`, `chosen` and `leader` are what was named.
    """

    case: Item
    law: str
    of: str
    seats: tuple[Seat, ...]
    since: tuple[int, int]
    until: int
    suit: Suit | None = None
    card: Card | None = None
    chosen: str | None = None
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A card as it was played.

    `at` is its trick and its place in it, from 0; `hand` what its player is known to have held,
    `before` the cards that are known to have lain on the table, `led` the card led, `None` where it
    is this one or is not known; `winner` won the trick.
    """

    at: tuple[int, int]
    seat: Seat
    played: Played
    card: Card
    hand: tuple[Card, ...]
    before: tuple[Card, ...]
    led: Card | None
    winner: Seat | None

    @property
    def leads(self) -> bool:
        """Whether it is the first of its trick."""
        return self.at[1] == 0

    @property
    def known(self) -> bool:
        """Whether every card before it is known."""
        return len(self.before) == self.at[1]

    @property
    def could(self) -> tuple[Card, ...]:
        """The cards of the hand that could have been played without a revoke."""
        led = self.led.suit if self.led else None
        return tuple(c for c in self.hand if c.suit is led) or self.hand


def broken(shown: Shown, demands: Sequence[Demand]) -> Iterator[tuple[Demand, Message, Turn]]:
    """Each demand that was not met: what was done instead, and the card.

    One card is played at a time: who plays a card that was called has obeyed.
    """
    left = list(demands)
    for turn in _turns(shown, demands) if left else ():
        bound = [
            d for d in left if turn.seat in d.seats and d.since <= turn.at and turn.at[0] <= d.until
        ]
        called = [d for d in bound if d.of in EXPOSED and d.card == turn.card]
        for demand in called or bound:
            met = DEMANDS[demand.of].met(demand, turn, shown.law, trump_of(shown.final, shown.law))
            if met is not None:
                left.remove(demand)
            if isinstance(met, Message):
                yield demand, met, turn


def chosen_leads(shown: Shown, demands: Iterable[Demand]) -> Iterator[Item]:
    """The cards that were led by the hand that was chosen to lead: they are not out of turn."""
    for demand in (d for d in demands if d.of == "leader"):
        leads = (t.cards[0] for t in shown.outcome.tricks[demand.since[0] :] if t.cards)
        first = next(((s, p) for s, p in leads if s in demand.seats), None)
        if first and first[0] is demand.leader:
            yield first[1].item


def _turns(shown: Shown, demands: Sequence[Demand]) -> Iterator[Turn]:
    """Every card that is known with its player, in the order played; who exposed a card held it."""
    hands = {seat: list(cards) for seat, cards in shown.outcome.hands.items()}
    held = {card for cards in hands.values() for card in cards}
    for demand in (d for d in demands if d.of in EXPOSED and d.card and d.card not in held):
        for owner in (s for s in demand.seats if len(hands[s]) < shown.law.value("hand-size")):
            hands[owner] += [demand.card] if demand.card else []
    for number, trick in enumerate(shown.outcome.tricks):
        before: list[Card] = []
        for index, (seat, played) in enumerate(trick.cards):
            if seat and played.card:
                yield Turn(
                    (number, index),
                    seat,
                    played,
                    played.card,
                    tuple(hands[seat]),
                    tuple(before),
                    trick.cards[0][1].card if index else None,
                    trick.winner,
                )
            before += [played.card] if played.card else []
        for seat, played in trick.cards:
            if seat and played.card in hands[seat]:
                hands[seat].remove(played.card)


# --- whether a demand was met -------------------------------------------------------------------

Met = Message | Literal[True] | None
"""What was done instead of a demand; `True` if it is met or cannot be, `None` while it is open."""


def called_suit(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """The suit that was called is led by the first of those bound who leads."""
    del law, trump
    held = [c for c in turn.hand if c.suit is demand.suit]
    if not turn.leads or demand.suit is None:
        return None
    if turn.card.suit is demand.suit or not held:
        return True
    return _instead("called-suit-not-led", turn, suit=demand.suit, held=held[0])


def forbidden_suit(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """Another suit than the one forbidden is led by the first of those bound who leads."""
    del law, trump
    others = [c for c in turn.hand if c.suit is not demand.suit]
    if not turn.leads or demand.suit is None:
        return None
    if turn.card.suit is not demand.suit or not others:
        return True
    return _instead("forbidden-suit-led", turn, suit=demand.suit, held=others[0])


def called_card(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """A card that was called is played at the first chance."""
    del law, trump
    if demand.card not in turn.hand:
        return None
    if turn.card == demand.card:
        return True
    if demand.card not in turn.could:
        return None
    return _instead("called-card-not-played", turn, called=demand.card)


def card_or_not(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """A card must be played to the trick, or must not: touched, chosen, or suggested by dummy."""
    del law, trump
    if demand.card not in turn.hand:
        return None
    if demand.chosen == "not" and turn.card == demand.card and turn.could != (demand.card,):
        return _instead("card-not-to-be-played", turn)
    if demand.chosen == "play" and turn.card != demand.card and demand.card in turn.could:
        return _instead("card-to-be-played", turn, called=demand.card)
    return True


def called_rank(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """The highest or lowest of the suit led."""
    del law, trump
    suit = turn.led.suit if turn.led else None
    due = _extreme(turn.hand, suit, demand.chosen == "highest")
    if not turn.known or not due or turn.card == due:
        return True
    return _instead("called-rank-not-played", turn, rank=demand.chosen, held=due)


def called_rank_of_suit(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """The highest of a suit that was named, of a player who has none of the suit led."""
    del law, trump
    due = _extreme(turn.hand, demand.suit, True)
    held = turn.led and _extreme(turn.hand, turn.led.suit, True)
    if not turn.known or not due or held or turn.card == due:
        return True
    return _instead("called-highest-not-played", turn, suit=due.suit, held=due)


def called_result(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """To win the trick or to lose it, as far as could be done against the cards that lay on the
    table."""
    del law

    def wins(card: Card) -> bool:
        trick = (*turn.before, card)
        winner = trump_then_suit_led(bits(trick), OF_SUIT[trick[0].suit], OF_SUIT[trump])
        return card not in turn.before and winner == bits([card])

    if not turn.known:
        return True
    win = demand.chosen == "win"
    others = [c for c in turn.could if wins(c) is win]
    failed = not wins(turn.card) if win else wins(turn.card) and turn.winner is turn.seat
    if not failed or not others:
        return True
    return _instead("trick-not-won-or-lost", turn, aim=demand.chosen, held=others[0])


def called_winning(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """To win the trick, as far as could be done against the cards that lay on the table."""
    return called_result(replace(demand, chosen="win"), turn, law, trump)


def called_trump(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """To trump the trick or not to trump it, of a player who has none of the suit led."""
    del law
    follows = turn.led and any(c.suit is turn.led.suit for c in turn.hand)
    others = [c for c in turn.hand if (c.suit is trump) is (demand.chosen == "trump")]
    if not turn.known or not trump or follows or turn.card in others or not others:
        return True
    asked = "not-trumped" if demand.chosen == "trump" else "trumped"
    return _instead(asked, turn, held=others[0])


def called_leader(demand: Demand, turn: Turn, law: Rules, trump: Suit | None) -> Met:
    """The hand that was chosen leads."""
    del law, trump
    if not turn.leads:
        return None
    if turn.seat is demand.leader or demand.leader is None:
        return True
    return Message("other-hand-leads", player=turn.seat, leader=demand.leader)


def _instead(name: str, turn: Turn, **data: Hashable) -> Message:
    """What a player does with the card that he plays."""
    return Message(name, player=turn.seat, card=turn.card, **data)


APART = ("card-exposed-in-play", "hand-thrown-down")
"""Irregularities by which a card is exposed apart from what the player plays to the trick."""


def _extreme(hand: Iterable[Card], suit: Suit | None, highest: bool) -> Card | None:
    """The highest card of a suit in a hand, or the lowest."""
    suited = sorted((c for c in hand if c.suit is suit), key=lambda c: c.height)
    return (suited[-1] if highest else suited[0]) if suited else None


# --- what is demanded ---------------------------------------------------------------------------


def demands_of(shown: Shown, case: Case, remedy: Remedy) -> Iterator[Demand]:
    """What a remedy demands of the cards, with what the record names: a suit, a card, a hand.

    Where it names no card, that of the irregularity is meant.
    """
    last = len(shown.outcome.tricks)
    asked = case.asked or NamedRemedy()
    asked = replace(asked, card=asked.card or case.card)
    for effect in remedy.effects:
        if effect.id != "demand" or effect.of is None or _after_the_play(case):
            continue
        blank = Demand(case.id, remedy.provision, effect.of, (), case.at or (0, -1), last)
        made = DEMANDS[effect.of].made(blank, shown, case, remedy, asked)
        if made and made.seats:
            yield made


def _after_the_play(case: Case) -> bool:
    """Whether a case is reported when the play is over."""
    return case.trick is None and case.incident is not None and case.incident.after == "play"


def _a_lead(blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy) -> Demand:
    """A suit that is called or forbidden: where none is named, that of the card exposed or led."""
    start, until = _leads(case, remedy, blank.until)
    suit = asked.suit or (asked.card.suit if asked.card else None)
    seats = shown.roles.seats(remedy.whose or "either-adversary", case.seat)
    seats = seats or shown.roles.seats("either-adversary", None) or ()
    return replace(blank, seats=seats, since=(start, 0), until=until, suit=suit)


def _leads(case: Case, remedy: Remedy, last: int) -> tuple[int, int]:
    """The first and the last trick in which a lead may be called or forbidden.

    Of what was before the play, the first where the remedy is for it alone; of a first lead out of
    turn that was taken back, the same trick; else those that follow.
    """
    item = rulings.catalogue()[case.name]
    if case.trick is None or item.before_lead:
        return 0, 0 if remedy.lasts == "to-that-trick" else last
    taken_back = case.facts.get("followed-by", "nobody") == "nobody"
    return case.trick + (item.first_of is None or not taken_back), last


def _a_card(
    blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy
) -> Demand | None:
    """An exposed card that is called, from the card on at which it is recorded."""
    del remedy
    if asked.card is None or case.seat is None or asked.option != "call":
        return None
    seat = case.seat.partner if blank.of == "partners-card" else case.seat
    trick, index = blank.since
    if case.name in APART:
        trick, index = shown.cards.get(case.item, blank.since)
    return replace(blank, seats=(seat,), since=(trick, index + 1), card=asked.card)


def _at_a_turn(
    blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy
) -> Demand | None:
    """A card that must be played to a trick, or must not, by the hand that holds it.

    It is the trick at which it is recorded, or the next if the hand has played to that one, and
    could not have played the card to it.
    """
    del remedy
    if asked.card is None or case.at is None or case.seat is None:
        return None
    adversary = shown.role(case.seat) == "adversary"
    own = (case.seat,) if adversary else (case.seat, case.seat.partner)
    at, index = shown.cards.get(case.item, case.at)
    cards = shown.outcome.tricks[at].cards
    holder = next((s for s in own if asked.card in shown.held(s, at)), None)
    played = holder in [s for s, _ in cards[1 : index + 1]]
    other = {asked.card, case.card}.isdisjoint(p.card for _, p in cards)
    other = other and asked.card.suit is not case.led
    if holder and played and other:
        at += any(c.suit is case.led for c in shown.held(holder, at))
    chosen = "not" if asked.option == "not play" else "play"
    return replace(blank, seats=own, since=(at, 0), until=at, card=asked.card, chosen=chosen)


def _of_player(*among: str) -> Callable[[Demand, Shown, Case, Remedy, NamedRemedy], Demand | None]:
    """Something of a player to the trick of the irregularity; one of two that may be chosen."""

    def of_player(
        blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy
    ) -> Demand | None:
        chosen = asked.option if asked.option in among else None
        if case.trick is None or (among and not chosen) or not (among or asked.suit):
            return None
        cards = shown.outcome.tricks[case.trick].cards
        seats = shown.roles.seats(remedy.whose or "partner", case.seat) or ()
        if remedy.whose == "second-hand":
            seats = tuple(s.left for s, _ in cards[:1] if s)
        # A card that is to be put right is not yet the one that was called for.
        own = case.at[1] if case.at and case.finding and case.seat in seats else 0
        at, since = case.trick, (case.trick, own + 1)
        return replace(blank, seats=seats, since=since, until=at, suit=asked.suit, chosen=chosen)

    return of_player


def _partner_in_the_trick(
    blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy
) -> Demand | None:
    """To win the trick of the irregularity, of the offender's partner."""
    del asked
    if case.trick is None:
        return None
    seats = shown.roles.seats(remedy.whose or "partner", case.seat) or ()
    return replace(blank, seats=seats, since=(case.trick, 1), until=case.trick)


def _a_leader(
    blank: Demand, shown: Shown, case: Case, remedy: Remedy, asked: NamedRemedy
) -> Demand | None:
    """The hand from which is led, of the two of its side."""
    del remedy
    known = {s.word: s for s in Seat}
    if shown.final and (declarer := shown.final.declarer):
        known |= {"declarer": declarer, "dummy": declarer.partner}
    leader = known.get(asked.leader or "")
    if leader is None:
        return None
    start = 0 if case.trick is None else case.trick + 1
    return replace(blank, seats=(leader, leader.partner), since=(start, 0), leader=leader)


class Kind(NamedTuple):
    """A kind of demand on the cards.

    `made` is the demand with what the record names, `None` if it names too little; `met` says what
    was done instead. `called` is
    what was called, by the answers of the catalogue; `None` if no code speaks of it as a call that
    is not obeyed.
    """

    made: Callable[[Demand, Shown, Case, Remedy, NamedRemedy], Demand | None]
    met: Callable[[Demand, Turn, Rules, Suit | None], Met]
    called: str | None = "play"


DEMANDS: Mapping[str, Kind] = {
    "suit": Kind(_a_lead, called_suit),
    "other-suit": Kind(_a_lead, forbidden_suit, "forbidden"),
    "card": Kind(_a_card, called_card, "card"),
    "partners-card": Kind(_a_card, called_card, "card"),
    "played-card": Kind(_at_a_turn, card_or_not, None),
    "card-or-not": Kind(_at_a_turn, card_or_not, None),
    "rank": Kind(_of_player("highest", "lowest"), called_rank),
    "rank-of-suit": Kind(_of_player(), called_rank_of_suit),
    "result": Kind(_of_player("win", "lose"), called_result),
    "winning": Kind(_partner_in_the_trick, called_winning),
    "trump": Kind(_of_player("trump", "not trump"), called_trump),
    "leader": Kind(_a_leader, called_leader, None),
}
"""Every kind of demand, by that of which it is."""
EXPOSED = ("card", "partners-card")
"""Demands of cards that lie exposed."""


# --- calls ---------------------------------------------------------------------------------------


def undone(
    shown: Shown, case: Case, remedy: Remedy, given: Collection[int | None] = ()
) -> Iterator[Message]:
    """What a remedy orders of calls or of the deal, and was not done.

    `given` are the points for tricks that go with it.
    """
    effects = {e.id for e in remedy.effects}
    calls = shown.declared.calls
    after = calls[shown.made[case.item][0] + 1 :] if case.item in shown.made else None
    if "deal-again" in effects and shown.went_on(case, given):
        yield Message("goes-on-with-the-deal")
    if "play-out" in effects and case.item[:1] == ("claims",) and not shown.went_on(case):
        yield Message("not-played-out")
    if "suffice" in effects and after is not None and not (after and after[0].call.corrects):
        yield Message("no-correction")
    maker = next((m.seat for m in after or () if m.call.kind == "make"), None)
    if "must-make" in effects and case.seat and maker not in (None, case.seat):
        yield Message("made-by-another", player=case.seat, maker=maker)
    if any((e.id, e.of) == ("final", "earlier") for e in remedy.effects) and after is not None:
        yield from _no_earlier_bid(shown, case)


def _no_earlier_bid(shown: Shown, case: Case) -> Iterator[Message]:
    """That the side which makes its own earlier bid final has made none."""
    index, made = shown.made[case.item]
    bids = [m for m in shown.declared.calls[:index] if m.call.kind == "bid" and not m.void]
    own = next((m for m in reversed(bids) if m.seat.side is made.seat.side.other), None)
    choice = shown.law.procedure("earlier-bid", EARLIER_BID)
    earlier = choice(own, bids[-1] if bids else None) if choice else own
    if made.call.kind == "bid" and earlier is None:
        yield Message("no-earlier-bid", side=made.seat.side.other)
