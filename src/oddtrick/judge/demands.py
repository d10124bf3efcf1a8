"""What may be demanded of the cards that follow an irregularity, and whether it was done.

A remedy that applies imposes demands on players: to lead a suit, to play a card or the highest, to
win the trick. The cards are walked through once with all open demands; each binds from a certain
card until it is met, is broken or expires. What a record cannot show (a warning, a finesse) is not
checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from oddtrick.cards import OF_SUIT, Card, Seat, Suit, bits
from oddtrick.judge.events import Played
from oddtrick.judge.finding import Message
from oddtrick.judge.procedures import trump_then_suit_led
from oddtrick.judge.score_procedures import trump_of
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Item

if TYPE_CHECKING:
    from oddtrick.judge.incidents import Shown
    from oddtrick.judge.ruling import Case


class Kind(NamedTuple):
    """A kind of demand on the cards, in a row of `effects.EFFECTS`.

    `made` completes a demand, or returns `None` if the record states too little; `met` decides
    whether a card meets it. `called` is the answer of the catalogue that says what was
    called; it is `None` if no code has a rule on disobeying such a call. `among` holds the default
    and then the alternatives that may be chosen.
    """

    made: Callable[[Demand, Shown, Case, Remedy], Demand | None]
    met: Callable[[Demand, Turn], Met]
    called: str | None = "play"
    among: tuple[str | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand: what is demanded, of whom, and for how long.

    `of` is the object of the effect; `seats` are the players bound; `since` is the trick and the
    card in it from which the demand binds, `until` the last trick in which it does. `suit`, `card`,
    `chosen` and `leader` are what the record named.
    """

    case: Item
    law: str
    of: str
    kind: Kind
    since: tuple[int, int]
    until: int
    seats: tuple[Seat, ...]
    suit: Suit | None
    card: Card | None
    chosen: str | None
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A card as it was played.

    `at` is the trick and the card's position in the trick, both from 0; `hand` the cards that the
    player is known to have held; `before` the known cards already on the table; `led` the suit
    led, `None` if this card leads or the suit is not known; `winner` the player who won the trick.
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

    def met(self, demand: Demand, right: Sequence[Card], name: str) -> Met:
        """`True` if this card meets the demand, or if no card of the hand could; else a message."""
        if self.card in right or not right:
            return True
        of = {"suit": demand.suit, "called": demand.card, "chosen": demand.chosen}
        return Message(name, player=self.seat, card=self.card, held=right[0], **of)


def broken(shown: Shown, demands: Sequence[Demand]) -> Iterator[tuple[Demand, Message, Turn]]:
    """Each demand that was not met, with what was done instead and the card.

    A player can play only one card at a time: if he plays one card that was called, he has obeyed.
    """
    left = list(demands)
    for turn in _turns(shown, demands) if left else ():
        bound = [
            d for d in left if turn.seat in d.seats and d.since <= turn.at and turn.at[0] <= d.until
        ]
        # One lead cannot obey the call of a suit and of a card of another suit, and no law says
        # which prevails. If the suit is led, the card stays callable until it is played.
        led = turn.card.suit
        if not turn.at[1] and any(d.of == "suit" and d.suit is led for d in bound):
            bound = [d for d in bound if d.kind.called != "card" or (d.card and d.card.suit is led)]
        called = [d for d in bound if d.kind.called == "card" and d.card == turn.card]
        for demand in called or bound:
            met = demand.kind.met(demand, turn)
            if met is not None:
                left.remove(demand)
            if isinstance(met, Message):
                yield demand, met, turn


def chosen_leads(shown: Shown, demands: Iterable[Demand]) -> Iterator[Item]:
    """Yield the leads by a hand that the other side chose to lead; they are not out of turn."""
    for demand in (d for d in demands if d.leader):
        leads = (t.cards[0] for t in shown.outcome.tricks[demand.since[0] :] if t.cards)
        first = next(((s, p) for s, p in leads if s in demand.seats), None)
        if first and first[0] is demand.leader:
            yield first[1].item


def _turns(shown: Shown, demands: Sequence[Demand]) -> Iterator[Turn]:
    """Every known card of a known player, in the order played.

    A player who exposed a card is assumed to have held it.
    """
    hands = {seat: list(cards) for seat, cards in shown.outcome.hands.items()}
    held = {card for cards in hands.values() for card in cards}
    trump = trump_of(shown.final, shown.law)
    for demand in demands:
        if demand.kind.called == "card" and demand.card and demand.card not in held:
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
    if turn.at[1] or demand.suit is None:
        return None
    called = demand.of == "suit"
    right = [c for c in turn.hand if (c.suit is demand.suit) is called]
    return turn.met(demand, right, "called-suit-not-led" if called else "forbidden-suit-led")


def called_card(demand: Demand, turn: Turn) -> Met:
    """Check that a called card is played at the first opportunity."""
    card = demand.card
    if card not in turn.hand or card not in (turn.card, *turn.could):
        return None
    return turn.met(demand, [card], "called-card-not-played")


def card_or_not(demand: Demand, turn: Turn) -> Met:
    """Check that a card touched, chosen or suggested is played to the trick, or is not."""
    card = demand.card
    if card not in turn.hand:
        return None
    if demand.chosen == "play":
        return turn.met(demand, [card] if card in turn.could else [], "card-to-be-played")
    others = [c for c in turn.hand if c != card] if turn.could != (card,) else []
    return turn.met(demand, others, "card-not-to-be-played")


def called_rank(demand: Demand, turn: Turn) -> Met:
    """Check that the player plays his highest or lowest of the suit led.

    For `rank-of-suit`, check that a player who cannot follow plays his highest of the suit called.
    """
    another = demand.of == "rank-of-suit"
    if not turn.known or (another and turn.of_suit):
        return True
    suit = demand.suit if another else turn.led
    suited = sorted((c for c in turn.hand if c.suit is suit), key=lambda c: c.height)
    right = suited[-1:] if demand.chosen == "highest" else suited[:1]
    name = "called-highest-not-played" if another else "called-rank-not-played"
    return turn.met(demand, right, name)


def called_result(demand: Demand, turn: Turn) -> Met:
    """Check that the player wins or loses the trick, if he could against the cards on the table."""

    def wins(card: Card) -> bool:
        trick = (*turn.before, card)
        winner = trump_then_suit_led(bits(trick), OF_SUIT[trick[0].suit], OF_SUIT[turn.trump])
        return card not in turn.before and winner == bits([card])

    win = demand.chosen == "win"
    if not turn.known or wins(turn.card) is win or not (win or turn.winner is turn.seat):
        return True
    right = [c for c in turn.could if wins(c) is win]
    return turn.met(demand, right, "trick-not-won-or-lost")


def called_trump(demand: Demand, turn: Turn) -> Met:
    """Check that a player without the suit led trumps the trick, or does not trump it."""
    trump = demand.chosen == "trump"
    if not (turn.known and turn.trump) or (turn.led and turn.of_suit):
        return True
    right = [c for c in turn.hand if (c.suit is turn.trump) is trump]
    return turn.met(demand, right, "not-trumped" if trump else "trumped")


def called_leader(demand: Demand, turn: Turn) -> Met:
    """Check that the hand chosen to lead does lead."""
    if turn.at[1]:
        return None
    if turn.seat is demand.leader:
        return True
    return Message("other-hand-leads", player=turn.seat, leader=demand.leader)


# --- what is demanded ---------------------------------------------------------------------------


def a_lead(demand: Demand, shown: Shown, case: Case, remedy: Remedy) -> Demand:
    """The demand that a suit be led or not led: by default the suit of the card exposed or led.

    After an offence before the play the demand binds the first lead, if the remedy lasts for that
    trick only. After a first lead out of turn that was taken back, the demand starts with the same
    trick; otherwise it starts with the next.
    """
    item, start, until = case.irregularity, 0, demand.until
    if case.trick is None or item.before_lead:
        until = 0 if remedy.lasts == "to-that-trick" else until
    else:
        taken_back = case.facts.get("followed-by", "nobody") == "nobody"
        start = case.trick + (item.first_of is None or not taken_back)
    suit = demand.suit or (demand.card.suit if demand.card else None)
    seats = remedy.whose and shown.roles.seats(remedy.whose, case.seat)
    seats = seats or shown.roles.seats("either-adversary", None) or ()
    return replace(demand, seats=seats, since=(start, 0), until=until, suit=suit)


def a_card(demand: Demand, shown: Shown, case: Case, _: Remedy) -> Demand | None:
    """The demand that an exposed card be played, from the next card after it was recorded.

    If it was exposed separately from a card played to the trick, the demand starts where the
    exposure is written.
    """
    if demand.card is None or case.seat is None or demand.chosen != "call":
        return None
    seat = case.seat.partner if demand.of == "partners-card" else case.seat
    trick, index = demand.since
    if case.irregularity.apart:
        trick, index = shown.cards.get(case.item, demand.since)
    return replace(demand, seats=(seat,), since=(trick, index + 1))


def at_a_turn(demand: Demand, shown: Shown, case: Case, _: Remedy) -> Demand | None:
    """The demand that a card be played to a trick, or not, by the hand that holds it.

    It is the trick at which the irregularity is recorded, or the next one if the hand has already
    played to that trick and could not have played the card to it.
    """
    card = demand.card
    if card is None or case.at is None or case.seat is None:
        return None
    adversary = shown.roles.role(case.seat) == "adversary"
    own = (case.seat,) if adversary else (case.seat, case.seat.partner)
    at, index = shown.cards.get(case.item, case.at)
    cards = shown.outcome.tricks[at].cards
    holder = next((s for s in own if card in shown.held(s, at)), None)
    played = holder in [s for s, _ in cards[1 : index + 1]]
    other = {card, case.card}.isdisjoint(p.card for _, p in cards)
    if holder and played and other and card.suit is not case.led:
        at += any(c.suit is case.led for c in shown.held(holder, at))
    chosen = "not" if demand.chosen == "not play" else "play"
    return replace(demand, seats=own, since=(at, 0), until=at, chosen=chosen)


def of_player(demand: Demand, shown: Shown, case: Case, remedy: Remedy) -> Demand | None:
    """Complete a demand on how a player plays to the trick of the irregularity.

    The result has the alternative that was chosen (highest or lowest, win or lose). It is `None` if
    the trick is not known or no alternative was chosen.
    """
    default, *others = demand.kind.among
    chosen, seats = demand.chosen if demand.chosen in others else default, demand.seats
    if case.at is None or chosen is None:
        return None
    if remedy.whose == "second-hand":
        seats = tuple(s.left for s, _ in shown.outcome.tricks[case.at[0]].cards[:1] if s)
    # The offending card that must be corrected does not itself meet the demand.
    own = case.at[1] if case.finding and case.seat in seats else 0
    at, since = case.at[0], (case.at[0], own + 1)
    return replace(demand, seats=seats, since=since, until=at, chosen=chosen)


def a_leader(demand: Demand, shown: Shown, case: Case, _: Remedy) -> Demand | None:
    """Complete a demand that a certain hand of a side lead; `None` if the hand is not named."""
    known, declarer = {s.word: s for s in Seat}, shown.roles.declarer
    if declarer:
        known |= {"declarer": declarer, "dummy": declarer.partner}
    leader = known.get((case.asked and case.asked.leader) or "")
    if leader is None:
        return None
    start = 0 if case.trick is None else case.trick + 1
    return replace(demand, seats=(leader, leader.partner), since=(start, 0), leader=leader)
