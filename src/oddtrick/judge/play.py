"""The play: turn, cards held and played, following suit, the winner of each trick, tricks taken.

A play is followed as far as it is recorded. Where the hands are known every card is held against
them; where they are not, a revoke is found when a later card of the same player proves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from oddtrick.cards import PACK, SEATS, Card, Seat, Side
from oddtrick.judge.finding import Finder, Finding, Written
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_procedures import counted_tricks
from oddtrick.judge.table_law import TableLaw, bound
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.in_force import InForce
from oddtrick.record.model import Hand, Played, Record, Stated, TableClaim, Trick


@dataclass(frozen=True, slots=True)
class Followed:
    """One trick as it was followed.

    Cards by seat in the order played, its winner where it can be known.
    """

    cards: tuple[tuple[Seat | None, Played], ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the play came to.

    `hands` are the cards that each player is known to have held: as dealt, or as he played them.
    `taken` are the tricks of the declaring side, `None` where they are not known. `complete` says
    that every trick was followed to its end, or settled by a claim. `findings` are on the cards,
    `result` on the tricks that the record states.
    """

    tricks: tuple[Followed, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    taken: int | None = None
    complete: bool = False
    findings: tuple[Finding, ...] = ()
    result: tuple[Finding, ...] = ()
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


# --- the deal -----------------------------------------------------------------------------------


def known_hands(record: Record, law: InForce) -> dict[Seat, tuple[Card, ...]]:
    """The hands that are wholly known; a fourth follows from three."""
    size = bound(law).hand_size
    known = {
        s: h.cards
        for s, h in record.hands
        if not h.partial and not h.small and len(h.cards) == size
    }
    if len(known) == 3:
        seen = {c for cards in known.values() for c in cards}
        missing = next(s for s in Seat if s not in known)
        rest = tuple(c for c in PACK if c not in seen)
        written = record.hand(missing)
        if len(rest) == size and (
            written is None or (set(written.cards) <= set(rest) and len(written.cards) <= size)
        ):
            known[missing] = rest
    return known


def check_hands(record: Record, law: TableLaw) -> tuple[Finding, ...]:
    """Findings about the cards as dealt: a card in two places, a hand of the wrong number.

    Four hands of the same smaller number are the end of a play, which is no fault of the deal.
    """
    found: list[Finding] = []
    finder = Finder(law, record)
    first: dict[Card, Seat] = {}
    size = law.hand_size
    numbers = {seat: len(hand.cards) + sum(n for _, n in hand.small) for seat, hand in record.hands}
    ending = len(numbers) == 4 and len(set(numbers.values())) == 1 and max(numbers.values()) < size
    for seat, hand in record.hands:
        for index, card in enumerate(hand.cards):
            if card in first:
                there = f"both in {first[card].title}'s hand and in"
                where = "twice in" if first[card] is seat else there
                said = f"{card} is {where} {seat.title}'s hand."
                found.append(finder.find("deal.card-twice", said, _card_of(hand, index)))
            first.setdefault(card, seat)
        wrong = (numbers[seat] != size and not hand.partial) or numbers[seat] > size
        if wrong and not ending:
            held = number_words(numbers[seat], "card")
            said = f"{seat.title} has {held}; {size} are dealt to each player."
            found.append(finder.find("deal.wrong-number", said, hand))
    return tuple(found)


def _card_of(hand: Hand, index: int) -> Written:
    """A card of a hand as it is written, or the hand where its cards have no places."""
    return Stated(hand.cards[index], hand.places[index]) if index < len(hand.places) else hand


# --- the play -----------------------------------------------------------------------------------


class _Play:
    """One walk through the tricks of a record."""

    def __init__(self, record: Record, law: TableLaw, final: Final | None) -> None:
        self.record, self.law, self.final = record, law, final
        self.finder = Finder(law, record)
        self.hands = known_hands(record, law)
        self.owner = {c: s for s, h in record.hands for c in h.cards} | {
            c: s for s, cards in self.hands.items() for c in cards
        }
        self.found: list[Finding] = []
        self.seen: dict[Card, int] = {}
        self.won: dict[Side, int] = {Side.NS: 0, Side.EW: 0}
        self.followed: list[Followed] = []
        self.held = {seat: self.hands.get(seat) or self._held(seat) for seat in SEATS}
        self.trump = law.trump(final)

    def add(self, rule: str, message: str, at: Written) -> None:
        """Keep a finding of this play."""
        self.found.append(self.finder.find(rule, message, at))

    def walk(self) -> None:
        """Follow every trick: first who played what and who won, then whether it was in order."""
        tricks = self.record.play or ()
        leaders: list[Seat | None] = [self._first_leader()]
        for trick in tricks:
            order = self._seats(trick, leaders[-1])
            winner = self._winner(order)
            leaders.append(winner)
            self.followed.append(Followed(tuple(order), winner))
            if winner:
                self.won[winner.side] += 1
        self.held |= {s: self._held(s) for s in SEATS if s not in self.hands}
        for number, trick in enumerate(tricks, 1):
            self._trick(number, trick, leaders[number - 1], number == len(tricks))

    def _held(self, seat: Seat) -> tuple[Card, ...]:
        """What a player whose hand is not wholly known has held: what is written, what he plays."""
        written = self.record.hand(seat)
        played = (p.card for t in self.followed for s, p in t.cards if s is seat)
        own = (c for c in played if c and self.owner.get(c, seat) is seat)
        return tuple(dict.fromkeys((*(written.cards if written else ()), *own)))

    def _first_leader(self) -> Seat | None:
        if self.final is None or self.final.declarer is None:
            return None
        return self.law.leader(self.final.declarer)

    def _seats(self, trick: Trick, expected: Seat | None) -> list[tuple[Seat | None, Played]]:
        """The cards of a trick in the order played, each with its player where he can be known."""
        if trick.columns_from:
            columns = [
                (p.seat or trick.columns_from.after(i), p) for i, p in enumerate(trick.cards)
            ]
            start = trick.leader or expected
            if start is None:
                return list(columns)
            return sorted(columns, key=lambda pair: (SEATS.index(pair[0]) - SEATS.index(start)) % 4)
        seats: list[tuple[Seat | None, Played]] = []
        turn = trick.leader or expected
        if turn is None and trick.cards and trick.cards[0].card:
            turn = self.owner.get(trick.cards[0].card)
        for played in trick.cards:
            seat = played.seat or turn
            seats.append((seat, played))
            turn = seat.left if seat else None
        return seats

    def _trick(self, number: int, trick: Trick, expected: Seat | None, last: bool) -> None:
        """Judge one trick."""
        order = self.followed[number - 1].cards
        if order and expected and order[0][0] and order[0][0] is not expected:
            self._wrong_lead(number, order[0][0], expected, order[0][1])
        self._turns(order, trick, last)
        for seat, played in order:
            if played.card:
                self._card(number, seat, played, order)
        if len(trick.cards) > 4:
            self.add("play.trick-surplus", f"Trick {number} has {len(trick.cards)} cards.", trick)
        if len(trick.cards) < 4 and not last:
            self.add(
                "play.trick-short",
                f"Trick {number} has only {number_words(len(trick.cards), 'card')}.",
                trick,
            )

    def _winner(self, order: Sequence[tuple[Seat | None, Played]]) -> Seat | None:
        cards = [p.card for _, p in order if p.card]
        if len(cards) != len(order) or len(cards) < 4 or self.final is None:
            return None
        return order[self.law.wins(cards[:4], self.trump)][0]

    def _wrong_lead(self, number: int, seat: Seat, expected: Seat, played: Played) -> None:
        if number == 1:
            self.add(
                "play.wrong-leader",
                f"{seat.title} leads to the first trick; the lead is {expected.title}'s, "
                "on the declarer's left.",
                played,
            )
        else:
            self.add(
                "play.lead-out-of-turn",
                f"{seat.title} leads to trick {number}; {expected.title} won the last trick "
                "and has the lead.",
                played,
            )

    def _turns(self, order: Sequence[tuple[Seat | None, Played]], trick: Trick, last: bool) -> None:
        if trick.columns_from or not order:
            return
        turn, before = order[0][0], None
        done = set() if last or len(order) > 3 else set(SEATS) - {s for s, _ in order}
        for seat, played in order:
            if seat and turn and before and seat is not turn and seat not in done:
                said = f"{seat.title} plays after {before.title}; it is {turn.title}'s turn."
                self.add("play.out-of-turn", said, played)
            before = seat
            if seat:
                done.add(seat)
            while turn in done:
                turn = turn.left if len(done) < len(SEATS) else None

    def _card(
        self,
        number: int,
        seat: Seat | None,
        played: Played,
        order: Sequence[tuple[Seat | None, Played]],
    ) -> None:
        card = played.card
        assert card is not None
        if card in self.seen:
            self.add(
                "play.card-again",
                f"{card} is played again; it was played to trick {self.seen[card]}.",
                played,
            )
            return
        self.seen[card] = number
        owner = self.owner.get(card)
        if seat and owner is not seat and (owner or seat in self.hands):
            whose = f"{owner.title} holds it" if owner else "it was not dealt to him"
            self.add("play.card-not-held", f"{seat.title} plays {card}, but {whose}.", played)
            return
        led = order[0][1].card
        if seat and led and played is not order[0][1] and card.suit is not led.suit:
            self._revoke(seat, played, led, order[0][0])

    def _revoke(self, seat: Seat, played: Played, led: Card, leader: Seat | None) -> None:
        card = played.card
        assert card is not None
        held = [c for c in self.held[seat] if c not in self.seen]
        if self.law.follows(card, led.suit, held):
            return
        could = and_words(
            str(c) for c in sorted((c for c in held if c.suit is led.suit), key=lambda c: -c.height)
        )
        whose = f"{leader.title}'s " if leader else ""
        dummy = self.final is not None and self.final.dummy is seat
        who = f"Dummy ({seat.title})" if dummy else seat.title
        rule = "play.dummys-revoke" if dummy else "play.revoke"
        self.add(rule, f"{who} plays {card} to {whose}{led} though he holds {could}.", played)


def followed(record: Record, law: TableLaw, final: Final | None) -> Outcome:
    """Follow the play of a record: findings, tricks with their winners, tricks taken by the
    declaring side.

    The tricks taken come from a play that is complete, else from a claim that was agreed, else from
    the result the record states. A stated result that the play contradicts is a finding.
    """
    walk = _Play(record, law, final)
    if record.play is not None:
        walk.walk()
    total = law.hand_size
    side = final.declarer.side if final and final.declarer else None
    taken, complete = None, False
    over = [t for t in walk.followed if t.winner]
    if final and side and walk.followed:
        if len(over) == len(walk.followed) == total:
            taken, complete = walk.won[side], True
        elif len(over) == len(walk.followed) or _broken_off(walk.followed, len(over)):
            played = (len(walk.followed), total - len(over))
            taken = _claimed(record.table_claims, *played, walk.won, side)
            complete = taken is not None
    stated = stated_tricks(record, final, law)
    result: tuple[Finding, ...] = ()
    if stated is not None and final and (wrong := _wrong_result(walk, stated, taken, side)):
        result = (walk.finder.find("score.tricks", wrong, record.result),)
    names = ("following-suit", "winning-a-trick", "opening-lead")
    readings = law.readings(*names) if record.play else ()
    if not complete and taken is None:
        taken = stated if stated is not None and 0 <= stated <= total else None
    found = tuple(walk.found)
    laws = law.laws(*names)
    return Outcome(tuple(walk.followed), walk.held, taken, complete, found, result, laws, readings)


def _broken_off(followed: Sequence[Followed], over: int) -> bool:
    """Whether the play stops within a trick, all before it having been followed to their end."""
    cards = [played.card for _, played in followed[-1].cards]
    known = sum(card is not None for card in cards)
    return over == len(followed) - 1 and 0 < known < len(SEATS) and None not in cards[:known]


def _claimed(
    claims: Sequence[TableClaim], played: int, rest: int, won: Mapping[Side, int], side: Side
) -> int | None:
    """Tricks of the declaring side when an agreed claim settles the rest, or `None`.

    A claim within a trick settles that one too.
    """
    last = next(
        (c for c in reversed(claims) if c.answer != "refused" and c.after_trick == played), None
    )
    if last is None:
        return None
    tricks = rest if last.tricks is None else last.tricks
    if tricks > rest:
        return None
    winner = last.seat.side if last.verb == "claims" else last.seat.side.other
    return won[side] + (tricks if winner is side else rest - tricks)


def stated_tricks(record: Record, final: Final | None, law: TableLaw) -> int | None:
    """The tricks of the declaring side that the record's result states, or `None`.

    At nullo the result counts the adversaries' tricks; the rest is the side's own.
    """
    result = record.result
    if result is None:
        return None
    if result.kind == "tricks":
        return result.number
    if final is None:
        return law.book + result.number if result.kind == "odd" and not law.nullo else None
    contract = law.book + final.odd_tricks
    counted = {
        "odd": law.book + result.number,
        "made": contract + result.number,
        "down": contract - result.number,
    }[result.kind]
    return counted_tricks(counted, final, law)


def _wrong_result(walk: _Play, stated: int, taken: int | None, side: Side | None) -> str | None:
    """What is wrong with the tricks that the record gives the declaring side."""
    total = walk.law.hand_size
    said = number_words(stated, "trick")
    if not 0 <= stated <= total:
        return f"The result would be {said}; there are {total}."
    given = f"The record gives the declaring side {said}"
    if taken is not None:
        return f"{given}; in the play it took {taken}." if taken != stated else None
    if side and walk.followed:
        least, most = walk.won[side], total - walk.won[side.other]
        if not least <= stated <= most:
            range_ = f"at least {least} and at most {most}"
            return f"{given}; as far as the play is recorded it takes {range_}."
    return None
