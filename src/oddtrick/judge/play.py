"""The play: turn, cards held and played, following suit, the winner of each trick, tricks taken.

A play is followed as far as it is recorded. Where the hands are known every card is held against them;
where they are not, a revoke is found when a later card of the same player proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from oddtrick.cards import PACK, SEATS, Card, Seat, Side, Suit
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.procedures import OPENING_LEAD, Final
from oddtrick.judge.score_procedures import counted_tricks
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.in_force import Rules
from oddtrick.record.model import Item, Place, Played, Record, TableClaim, Trick


@dataclass(frozen=True, slots=True)
class Followed:
    """One trick as it was followed: cards by seat in the order played, its winner where it can be known."""

    cards: tuple[tuple[Seat | None, Played], ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the play came to.

    `taken` are the tricks of the declaring side, `None` where they are not known. `complete` says that every
    trick was followed to its end, or settled by a claim.
    """

    tricks: tuple[Followed, ...] = ()
    taken: int | None = None
    complete: bool = False
    findings: tuple[Finding, ...] = ()
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


# --- procedures -----------------------------------------------------------------------------------


def follow_if_able(card: Card, led: Suit, held: Sequence[Card]) -> bool:
    """Whether a card played from a hand follows suit, or the hand has none of the suit led."""
    return card.suit is led or not any(c.suit is led for c in held)


FOLLOWING_SUIT: Mapping[str, Callable[[Card, Suit, Sequence[Card]], bool]] = {
    "follow-if-able": follow_if_able
}


def trump_then_suit_led(cards: Sequence[Card], trump: Suit | None) -> int:
    """The index of the card that wins: the highest trump, or else the highest of the suit led."""
    suit = trump if trump and any(c.suit is trump for c in cards) else cards[0].suit
    return max((i for i, c in enumerate(cards) if c.suit is suit), key=lambda i: cards[i].height)


WINNING_A_TRICK: Mapping[str, Callable[[Sequence[Card], Suit | None], int]] = {
    "trump-then-suit-led": trump_then_suit_led
}


# --- the deal -------------------------------------------------------------------------------------


def known_hands(record: Record, rules: Rules) -> dict[Seat, tuple[Card, ...]]:
    """The hands that are wholly known; a fourth follows from three."""
    size = rules.value("hand-size")
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


def check_hands(record: Record, rules: Rules) -> tuple[Finding, ...]:
    """Findings about the cards as dealt: a card in two places, a hand of the wrong number.

    Four hands of the same smaller number are the end of a play, which is no fault of the deal.
    """
    found = []
    first: dict[Card, Seat] = {}
    size = rules.value("hand-size")
    numbers = {seat: len(hand.cards) + sum(n for _, n in hand.small) for seat, hand in record.hands}
    ending = len(numbers) == 4 and len(set(numbers.values())) == 1 and max(numbers.values()) < size
    for seat, hand in record.hands:
        for index, card in enumerate(hand.cards):
            place = hand.places[index] if index < len(hand.places) else hand.place
            if card in first:
                where = (
                    "twice in"
                    if first[card] is seat
                    else f"both in {first[card].title}'s hand and in"
                )
                found.append(
                    _found(
                        "deal.card-twice",
                        f"{card} is {where} {seat.title}'s hand.",
                        record,
                        rules,
                        place,
                    )
                )
            first.setdefault(card, seat)
        if ending:
            continue
        if (numbers[seat] != size and not hand.partial) or numbers[seat] > size:
            message = f"{seat.title} has {number_words(numbers[seat], 'card')}; {size} are dealt to each player."
            found.append(_found("deal.wrong-number", message, record, rules, hand.place))
    return tuple(found)


def _found(
    rule: str, message: str, record: Record, rules: Rules, place: Place, item: Item | None = None
) -> Finding:
    laws = rules.behind.get(rule, ())
    severity = Severity.IRREGULAR
    if not laws:
        severity = Severity.SILENT
        message += f" {rules.silent.get(rule, f'{rules.short} has no law on it.')}"
    return Finding(rule, severity, message, laws, record.file, place, item=item)


# --- the play -------------------------------------------------------------------------------------


class _Play:
    """One walk through the tricks of a record."""

    def __init__(self, record: Record, rules: Rules, final: Final | None) -> None:
        self.record, self.rules, self.final = record, rules, final
        self.hands = known_hands(record, rules)
        self.owner = {c: s for s, h in record.hands for c in h.cards} | {
            c: s for s, cards in self.hands.items() for c in cards
        }
        self.found: list[Finding] = []
        self.seen: dict[Card, int] = {}
        self.won: dict[Side, int] = {Side.NS: 0, Side.EW: 0}
        self.followed: list[Followed] = []
        denomination = rules.denomination(final.denomination) if final else None
        self.trump = denomination.suit if denomination else None
        self.sure = True

    def add(self, rule: str, message: str, at: Played | Trick) -> None:
        """Keep a finding about a card or a trick of this play."""
        self.found.append(_found(rule, message, self.record, self.rules, at.place, at.id))

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
            else:
                self.sure = False
        for number, trick in enumerate(tricks, 1):
            self._trick(number, trick, leaders[number - 1], number == len(tricks))

    def _first_leader(self) -> Seat | None:
        if self.final is None or self.final.declarer is None:
            return None
        return OPENING_LEAD[self.rules.value("opening-lead")](self.final.declarer)

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
        self._turns(order, trick)
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
        return order[WINNING_A_TRICK[self.rules.value("winning-a-trick")](cards[:4], self.trump)][0]

    def _wrong_lead(self, number: int, seat: Seat, expected: Seat, lead: Played) -> None:
        if number == 1:
            self.add(
                "play.wrong-leader",
                f"{seat.title} leads to the first trick; the lead is {expected.title}'s, on the declarer's left.",
                lead,
            )
        else:
            self.add(
                "play.lead-out-of-turn",
                f"{seat.title} leads to trick {number}; {expected.title} won the last trick and has the lead.",
                lead,
            )

    def _turns(self, order: Sequence[tuple[Seat | None, Played]], trick: Trick) -> None:
        if trick.columns_from:
            return
        leader = order[0][0] if order else None
        done: set[Seat] = set()
        for index, (seat, played) in enumerate(order):
            turn = (
                next((leader.after(i) for i in range(4) if leader.after(i) not in done), None)
                if leader
                else None
            )
            before = order[index - 1][0] if index else None
            if seat and turn and before and seat is not turn and seat not in done:
                self.add(
                    "play.out-of-turn",
                    f"{seat.title} plays after {before.title}; it is {turn.title}'s turn.",
                    played,
                )
            if seat:
                done.add(seat)

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
            self._revoke(number, seat, played, card, led, order[0][0])

    def _revoke(
        self, number: int, seat: Seat, played: Played, card: Card, led: Card, leader: Seat | None
    ) -> None:
        written = self.record.hand(seat)
        dealt = self.hands.get(seat) or (written.cards if written else ())
        held = [c for c in dealt if c not in self.seen]
        if seat not in self.hands:
            held += [
                p.card
                for t in self.followed[number:]
                for s, p in t.cards
                if s is seat and p.card and p.card not in held
            ]
        if FOLLOWING_SUIT[self.rules.value("following-suit")](card, led.suit, held):
            return
        could = and_words(
            str(c) for c in sorted((c for c in held if c.suit is led.suit), key=lambda c: -c.height)
        )
        whose = f"{leader.title}'s " if leader else ""
        dummy = self.final is not None and self.final.dummy is seat
        who = f"Dummy ({seat.title})" if dummy else seat.title
        rule = "play.dummys-revoke" if dummy else "play.revoke"
        self.add(rule, f"{who} plays {card} to {whose}{led} though he holds {could}.", played)


def followed(record: Record, rules: Rules, final: Final | None) -> Outcome:
    """Follow the play of a record: findings, tricks with their winners, tricks taken by the declaring side.

    The tricks taken come from a play that is complete, else from a claim that was agreed, else from the
    result the record states. A stated result that the play contradicts is a finding.
    """
    walk = _Play(record, rules, final)
    if record.play is not None:
        walk.walk()
    found = list(walk.found)
    total = rules.value("hand-size")
    side = final.declarer.side if final and final.declarer else None
    taken, complete = None, False
    if final and side and walk.sure and walk.followed:
        if len(walk.followed) == total:
            taken, complete = walk.won[side], True
        else:
            taken = _claimed(record.table_claims, len(walk.followed), total, walk.won, side)
            complete = taken is not None
    stated = stated_tricks(record, final, rules)
    if stated is not None and final and record.result:
        found += _check_result(record, rules, walk, stated, taken, side)
    laws = rules.laws("following-suit", "winning-a-trick", "opening-lead")
    readings = (
        rules.readings("following-suit", "winning-a-trick", "opening-lead") if record.play else ()
    )
    if not complete and taken is None:
        taken = stated if stated is not None and 0 <= stated <= total else None
    return Outcome(tuple(walk.followed), taken, complete, tuple(found), laws, readings)


def _claimed(
    claims: Sequence[TableClaim], played: int, total: int, won: Mapping[Side, int], side: Side
) -> int | None:
    """Tricks of the declaring side when an agreed claim settles the rest, or `None`."""
    last = next(
        (c for c in reversed(claims) if c.answer != "refused" and c.after_trick == played), None
    )
    if last is None:
        return None
    rest = total - played
    tricks = rest if last.tricks is None else last.tricks
    if tricks > rest:
        return None
    winner = last.seat.side if last.verb == "claims" else last.seat.side.other
    return won[side] + (tricks if winner is side else rest - tricks)


def stated_tricks(record: Record, final: Final | None, rules: Rules) -> int | None:
    """The tricks of the declaring side that the record's result states, or `None`."""
    result, book = record.result, rules.value("book")
    if result is None:
        return None
    if result.kind == "tricks":
        return result.number
    if final is None:
        return (
            int(book + result.number)
            if result.kind == "odd" and rules.get("nullo") is None
            else None
        )
    if result.kind == "odd":
        counted = book + result.number
    else:
        contract = book + final.odd_tricks
        counted = contract + result.number if result.kind == "made" else contract - result.number
    return int(
        counted_tricks(counted, final, rules)
    )  # at nullo the adversaries' tricks; the rest is the side's own


def _check_result(
    record: Record, rules: Rules, walk: _Play, stated: int, taken: int | None, side: Side | None
) -> list[Finding]:
    assert record.result is not None
    total = rules.value("hand-size")
    place = record.result.place
    if not 0 <= stated <= total:
        return [
            _found(
                "score.tricks",
                f"The result would be {number_words(stated, 'trick')}; there are {total}.",
                record,
                rules,
                place,
            )
        ]
    if taken is not None and taken != stated:
        return [
            _found(
                "score.tricks",
                f"The record gives the declaring side {number_words(stated, 'trick')}; in the play it took {taken}.",
                record,
                rules,
                place,
            )
        ]
    if taken is None and side and walk.followed:
        most = total - walk.won[side.other]
        if not walk.won[side] <= stated <= most:
            message = f"The record gives the declaring side {number_words(stated, 'trick')}; as far as the play is recorded it takes at least {walk.won[side]} and at most {most}."
            return [_found("score.tricks", message, record, rules, place)]
    return []
