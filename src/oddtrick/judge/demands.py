"""What may be demanded of the cards that follow an irregularity, and whether it was done.

A remedy that applies puts demands on players: to lead a suit, to play a card or the highest, to win
the trick. The cards are walked through once with all open demands; each binds from a certain card
until it is met, broken or expired. What a record cannot show (a warning, a finesse) is not checked
here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from oddtrick.cards import OF_SUIT, Card, Seat, Suit, bits
from oddtrick.judge.events import Played
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import trump_then_suit_led
from oddtrick.judge.remedy_words import NamedRemedy
from oddtrick.judge.score_procedures import trump_of
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Item
from oddtrick.rulings import engine as rulings

if TYPE_CHECKING:
    from oddtrick.judge.incidents import Shown
    from oddtrick.judge.ruling import Case


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand: what is demanded, of whom, and for how long.

    `of` is the object of the effect; `since` is the trick and the card in it from which the demand
    binds, `until` the last trick in which it does. `suit`, `card`, `chosen` and `leader` are what
    the record named.
    """

    case: Item
    law: str
    of: str
    since: tuple[int, int]
    until: int
    seats: tuple[Seat, ...] = ()
    suit: Suit | None = None
    card: Card | None = None
    chosen: str | None = None
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A card as it was played.

    `at` is its trick and its position in it, from 0; `hand` the cards that its player is known to
    have held; `before` the known cards already on the table; `led` the suit led, `None` if this
    card leads or the suit is not known; `winner` the player who won the trick.
    """

    at: tuple[int, int]
    seat: Seat
    played: Played
    card: Card
    hand: tuple[Card, ...]
    before: tuple[Card, ...]
    led: Suit | None
    winner: Seat | None
    trump: Suit | None

    @property
    def leads(self) -> bool:
        """Whether it is the first card of its trick."""
        return self.at[1] == 0

    @property
    def known(self) -> bool:
        """Whether every earlier card of the trick is known."""
        return len(self.before) == self.at[1]

    @property
    def of_suit(self) -> tuple[Card, ...]:
        """The cards of the hand that follow suit."""
        return tuple(c for c in self.hand if c.suit is self.led)

    @property
    def could(self) -> tuple[Card, ...]:
        """The cards of the hand that could be played without a revoke."""
        return self.of_suit or self.hand

    def instead(self, name: str, **data: Hashable) -> Message:
        """The message about what the player did instead of what was demanded."""
        return Message(name, player=self.seat, card=self.card, **data)

    def met(self, right: Sequence[Card], name: str, **data: Hashable) -> Met:
        """`True` if this card is one of the right ones or there are none, otherwise a message."""
        if self.card in right or not right:
            return True
        return self.instead(name, **data, held=right[0])


def broken(shown: Shown, demands: Sequence[Demand]) -> Iterator[tuple[Demand, Message, Turn]]:
    """Each demand that was not met, with what was done instead and the card.

    A player can play only one card at a time: if he plays one card that was called, he has obeyed.
    """
    left = list(demands)
    for turn in _turns(shown, demands) if left else ():
        bound = [
            d for d in left if turn.seat in d.seats and d.since <= turn.at and turn.at[0] <= d.until
        ]
        called = [d for d in bound if d.of in EXPOSED and d.card == turn.card]
        for demand in called or bound:
            met = DEMANDS[demand.of].met(demand, turn)
            if met is not None:
                left.remove(demand)
            if isinstance(met, Message):
                yield demand, met, turn


def chosen_leads(shown: Shown, demands: Iterable[Demand]) -> Iterator[Item]:
    """The leads made by the hand that was chosen to lead, which are not out of turn."""
    for demand in (d for d in demands if d.of == "leader"):
        leads = (t.cards[0] for t in shown.outcome.tricks[demand.since[0] :] if t.cards)
        first = next(((s, p) for s, p in leads if s in demand.seats), None)
        if first and first[0] is demand.leader:
            yield first[1].item


def _turns(shown: Shown, demands: Sequence[Demand]) -> Iterator[Turn]:
    """Every known card of a known player, in the order played.

    A player who exposed a card is taken to have held it.
    """
    hands = {seat: list(cards) for seat, cards in shown.outcome.hands.items()}
    held = {card for cards in hands.values() for card in cards}
    trump = trump_of(shown.final, shown.law)
    for demand in demands:
        if demand.of in EXPOSED and demand.card and demand.card not in held:
            for owner in (s for s in demand.seats if len(hands[s]) < shown.law.value("hand-size")):
                hands[owner].append(demand.card)
    for number, trick in enumerate(shown.outcome.tricks):
        before: list[Card] = []
        for index, (seat, played) in enumerate(trick.cards):
            if seat and played.card:
                led = shown.led(number) if index else None
                hand, lying, winner = tuple(hands[seat]), tuple(before), trick.winner
                at = number, index
                yield Turn(at, seat, played, played.card, hand, lying, led, winner, trump)
            before += [played.card] if played.card else []
        for seat, played in trick.cards:
            if seat and played.card in hands[seat]:
                hands[seat].remove(played.card)


# --- whether a demand was met -------------------------------------------------------------------

Met = Message | Literal[True] | None
"""The message about what was done instead of a demand.

It is `True` if the demand is met or cannot be met, `None` while it is open.
"""


def called_suit(demand: Demand, turn: Turn) -> Met:
    """Check that a bound player's first lead is of the called suit, or not of the forbidden one."""
    if not turn.leads or demand.suit is None:
        return None
    called = demand.of == "suit"
    right = [c for c in turn.hand if (c.suit is demand.suit) is called]
    name = "called-suit-not-led" if called else "forbidden-suit-led"
    return turn.met(right, name, suit=demand.suit)


def called_card(demand: Demand, turn: Turn) -> Met:
    """Check that a called card is played at the first opportunity."""
    if demand.card not in turn.hand:
        return None
    if turn.card == demand.card:
        return True
    if demand.card not in turn.could:
        return None
    return turn.instead("called-card-not-played", called=demand.card)


def card_or_not(demand: Demand, turn: Turn) -> Met:
    """Check that a card touched, chosen or suggested is played to the trick, or is not."""
    if demand.card not in turn.hand:
        return None
    plays = turn.card == demand.card
    if demand.chosen == "not" and plays and turn.could != (demand.card,):
        return turn.instead("card-not-to-be-played")
    if demand.chosen == "play" and not plays and demand.card in turn.could:
        return turn.instead("card-to-be-played", called=demand.card)
    return True


def called_rank(demand: Demand, turn: Turn) -> Met:
    """Check that the player plays his highest or lowest of the suit led.

    For `rank-of-suit`, check that a player who cannot follow plays his highest of the suit called.
    """
    another = demand.of == "rank-of-suit"
    suit = demand.suit if another else turn.led
    suited = sorted((c for c in turn.hand if c.suit is suit), key=lambda c: c.height)
    if not turn.known or (another and turn.of_suit):
        return True
    name = "called-highest-not-played" if another else "called-rank-not-played"
    right = suited[-1:] if demand.chosen == "highest" else suited[:1]
    return turn.met(right, name, rank=demand.chosen, suit=suit)


def called_result(demand: Demand, turn: Turn) -> Met:
    """Check that the player wins or loses the trick, if he could against the cards on the table."""

    def wins(card: Card) -> bool:
        trick = (*turn.before, card)
        winner = trump_then_suit_led(bits(trick), OF_SUIT[trick[0].suit], OF_SUIT[turn.trump])
        return card not in turn.before and winner == bits([card])

    if not turn.known:
        return True
    win = demand.chosen == "win"
    others = [c for c in turn.could if wins(c) is win]
    failed = not wins(turn.card) if win else wins(turn.card) and turn.winner is turn.seat
    if not failed or not others:
        return True
    return turn.instead("trick-not-won-or-lost", aim=demand.chosen, held=others[0])


def called_trump(demand: Demand, turn: Turn) -> Met:
    """Check that a player without the suit led trumps the trick, or does not trump it."""
    trump = demand.chosen == "trump"
    right = [c for c in turn.hand if (c.suit is turn.trump) is trump]
    if not (turn.known and turn.trump) or (turn.led and turn.of_suit):
        return True
    return turn.met(right, "not-trumped" if trump else "trumped")


def called_leader(demand: Demand, turn: Turn) -> Met:
    """Check that the hand chosen to lead does lead."""
    if not turn.leads:
        return None
    if turn.seat is demand.leader:
        return True
    return Message("other-hand-leads", player=turn.seat, leader=demand.leader)


# --- what is demanded ---------------------------------------------------------------------------


class Asked(NamedTuple):
    """A remedy that demands something of the cards, with its case and what the record names."""

    shown: Shown
    case: Case
    remedy: Remedy
    named: NamedRemedy

    def seats(self, otherwise: str) -> tuple[Seat, ...]:
        """The players on whom the demand is made."""
        return self.shown.roles.seats(self.remedy.whose or otherwise, self.case.seat) or ()


def demands_of(shown: Shown, case: Case, remedy: Remedy) -> Iterator[Demand]:
    """The demands that a remedy makes on the cards, with what the record names.

    If the record names no card, the card of the irregularity is meant. Once the play is over
    nothing is demanded.
    """
    named = case.asked or NamedRemedy()
    asked = Asked(shown, case, remedy, replace(named, card=named.card or case.card))
    over = case.trick is None and case.incident is not None and case.incident.after == "play"
    for effect in remedy.effects if not over else ():
        if effect.id == "demand" and effect.of:
            since, last = case.at or (0, -1), len(shown.outcome.tricks)
            blank = Demand(case.id, remedy.provision, effect.of, since, last)
            made = DEMANDS[effect.of].made(blank, asked)
            if made and made.seats:
                yield made


def _a_lead(blank: Demand, asked: Asked) -> Demand:
    """The demand that a suit be led or not led: by default the suit of the card exposed or led.

    For an offence before the play it binds the first lead, if the remedy lasts for that trick only.
    For a first lead out of turn that was taken back it starts with the same trick; otherwise with
    the next.
    """
    shown, case, named = asked.shown, asked.case, asked.named
    item, start, until = rulings.catalogue()[case.name], 0, blank.until
    if case.trick is None or item.before_lead:
        until = 0 if asked.remedy.lasts == "to-that-trick" else until
    else:
        taken_back = case.facts.get("followed-by", "nobody") == "nobody"
        start = case.trick + (item.first_of is None or not taken_back)
    suit = named.suit or (named.card.suit if named.card else None)
    seats = asked.seats("either-adversary") or shown.roles.seats("either-adversary", None) or ()
    return replace(blank, seats=seats, since=(start, 0), until=until, suit=suit)


def _a_card(blank: Demand, asked: Asked) -> Demand | None:
    """The demand that an exposed card be played, from the next card after it was recorded.

    If it was exposed separately from a card played to the trick, the demand starts where that is
    written.
    """
    case, card = asked.case, asked.named.card
    if card is None or case.seat is None or asked.named.option != "call":
        return None
    seat = case.seat.partner if blank.of == "partners-card" else case.seat
    trick, index = blank.since
    if rulings.catalogue()[case.name].apart:
        trick, index = asked.shown.cards.get(case.item, blank.since)
    return replace(blank, seats=(seat,), since=(trick, index + 1), card=card)


def _at_a_turn(blank: Demand, asked: Asked) -> Demand | None:
    """The demand that a card be played to a trick, or not, by the hand that holds it.

    The trick is the one at which it is recorded; it is the next one if the hand has already played
    to that trick and could not have played the card to it.
    """
    shown, case, card = asked.shown, asked.case, asked.named.card
    if card is None or case.at is None or case.seat is None:
        return None
    adversary = shown.role(case.seat) == "adversary"
    own = (case.seat,) if adversary else (case.seat, case.seat.partner)
    at, index = shown.cards.get(case.item, case.at)
    cards = shown.outcome.tricks[at].cards
    holder = next((s for s in own if card in shown.held(s, at)), None)
    played = holder in [s for s, _ in cards[1 : index + 1]]
    other = {card, case.card}.isdisjoint(p.card for _, p in cards)
    if holder and played and other and card.suit is not case.led:
        at += any(c.suit is case.led for c in shown.held(holder, at))
    chosen = "not" if asked.named.option == "not play" else "play"
    return replace(blank, seats=own, since=(at, 0), until=at, card=card, chosen=chosen)


def _of_player(blank: Demand, asked: Asked) -> Demand | None:
    """The demand on a player for the trick of the irregularity, with the alternative chosen."""
    case, among = asked.case, DEMANDS[blank.of].among
    chosen = asked.named.option if asked.named.option in among[1:] else among[0]
    if case.at is None or chosen is None:
        return None
    seats = asked.seats("partner")
    if asked.remedy.whose == "second-hand":
        seats = tuple(s.left for s, _ in asked.shown.outcome.tricks[case.at[0]].cards[:1] if s)
    # The offending card that must be corrected is not itself the answer to the demand.
    own = case.at[1] if case.finding and case.seat in seats else 0
    at, since = case.at[0], (case.at[0], own + 1)
    return replace(blank, seats=seats, since=since, until=at, suit=asked.named.suit, chosen=chosen)


def _a_leader(blank: Demand, asked: Asked) -> Demand | None:
    """The demand that one of the two hands of a side lead."""
    known, final = {s.word: s for s in Seat}, asked.shown.final
    if final and (declarer := final.declarer):
        known |= {"declarer": declarer, "dummy": declarer.partner}
    leader = known.get(asked.named.leader or "")
    if leader is None:
        return None
    start = 0 if asked.case.trick is None else asked.case.trick + 1
    return replace(blank, seats=(leader, leader.partner), since=(start, 0), leader=leader)


class Kind(NamedTuple):
    """A kind of demand on the cards.

    `made` builds the demand with what the record names, or returns `None` if it names too little;
    `met` returns what was done instead. `called` is what was called, as an answer of the catalogue;
    it is `None` if no code treats it as a call that can be disobeyed. `among` holds the default and
    then the alternatives that may be chosen.
    """

    made: Callable[[Demand, Asked], Demand | None]
    met: Callable[[Demand, Turn], Met]
    called: str | None = "play"
    among: tuple[str | None, ...] = (None,)


DEMANDS: Mapping[str, Kind] = {
    "suit": Kind(_a_lead, called_suit),
    "other-suit": Kind(_a_lead, called_suit, "forbidden"),
    "card": Kind(_a_card, called_card, "card"),
    "partners-card": Kind(_a_card, called_card, "card"),
    "played-card": Kind(_at_a_turn, card_or_not, None),
    "card-or-not": Kind(_at_a_turn, card_or_not, None),
    "rank": Kind(_of_player, called_rank, among=(None, "highest", "lowest")),
    "rank-of-suit": Kind(_of_player, called_rank, among=("highest",)),
    "result": Kind(_of_player, called_result, among=(None, "win", "lose")),
    "winning": Kind(_of_player, called_result, among=("win",)),
    "trump": Kind(_of_player, called_trump, among=(None, "trump", "not trump")),
    "leader": Kind(_a_leader, called_leader, None),
}
"""Every kind of demand, by the object of the effect."""
EXPOSED = tuple(of for of, kind in DEMANDS.items() if kind.called == "card")
"""The kinds of demand on exposed cards."""
