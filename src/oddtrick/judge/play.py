"""The play: turn, cards held and played, following suit, the winner of each trick, tricks taken.

A play is followed as far as it is recorded. If the hands are known, every card is checked against
them; otherwise a revoke is found only if a later card of the same player proves it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from oddtrick.cards import (
    BIT_OF_NUMBER,
    BITS,
    EW,
    NORTH,
    NS,
    OF_SUIT,
    PACK,
    SEATS,
    SOUTH,
    Card,
    Seat,
    Side,
    bits,
    cards_in,
)
from oddtrick.judge.events import Events, Hands, Played, Trick, events_of
from oddtrick.judge.finding import Finder, Finding, Message
from oddtrick.judge.procedures import Final, as_recorded, trump_then_suit_led
from oddtrick.judge.score_procedures import counted_tricks, trump_of
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Claim, Deal, Declaration, Result


class Followed(NamedTuple):
    """One trick as it was followed: the cards with their players in the order played.

    `winner` is `None` if it cannot be known.
    """

    cards: tuple[tuple[Seat | None, Played], ...]
    winner: Seat | None


IN_SUIT: Mapping[Card | None, int] = {None: 0} | {card: OF_SUIT[card.suit] for card in PACK}
"""For each card, all cards of its suit as bits."""
SUIT_OF_BIT: Mapping[int, int] = {BITS[card]: suit for card, suit in IN_SUIT.items()}
"""For the bit of each card, all cards of its suit as bits."""
ROUND = tuple(SEATS[n:] + SEATS[:n] for n in range(4))
"""The seats in the order in which they play, by the number of the leader."""


class Outcome(NamedTuple):
    """The outcome of the play.

    `hands` are the cards that each player is known to have held, from the deal or from the play.
    `complete_tricks` is how many tricks were followed to their end; `taken` is the number of tricks
    of the declaring side, `None` if not known. `complete` is true if every trick was followed to
    its end or settled by a claim. `findings` concern the cards, `result` the tricks that the record
    states. A play without irregularities has only the `winners` of its tricks, not the tricks.
    """

    tricks: tuple[Followed, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = MappingProxyType({})
    complete_tricks: int = 0
    taken: int | None = None
    complete: bool = False
    findings: tuple[Finding, ...] = ()
    result: tuple[Finding, ...] = ()
    winners: tuple[Seat | None, ...] = ()


# --- the deal -----------------------------------------------------------------------------------


def known_hands(written: Hands, law: Rules) -> dict[Seat, tuple[Card, ...]]:
    """The hands that are completely known; from three of them the fourth is derived."""
    size, hands = law.value("hand-size"), dict(written)
    known = {
        seat: hand.cards
        for seat, hand in hands.items()
        if not hand.partial and not hand.small and len(hand.cards) == size
    }
    if len(known) == 3:
        seen = {card for cards in known.values() for card in cards}
        missing = next(seat for seat in SEATS if seat not in known)
        rest = tuple(card for card in PACK if card not in seen)
        own = hands[missing].cards if missing in hands else ()
        if len(rest) == size and set(own) <= set(rest) and len(own) <= size:
            known[missing] = rest
    return known


def complete_hands(written: Hands, law: Rules) -> Sequence[int]:
    """The completely known hands as bits, in the order of `SEATS`; 0 for any other."""
    known = known_hands(written, law)
    return [bits(known.get(seat, ())) for seat in SEATS]


def all_dealt(hands: Sequence[int], law: Rules) -> bool:
    """Whether each of the four hands has its full number of cards and no card is in two of them."""
    north, east, south, west = hands
    size: int = law.value("hand-size")
    return (
        north.bit_count() == east.bit_count() == south.bit_count() == west.bit_count() == size
        and (north | east | south | west).bit_count() == size * len(SEATS)
    )


def check_hands(events: Events, law: Rules) -> Iterator[Finding]:
    """Findings on the cards as dealt: a card in two places, a hand of the wrong size.

    A card repeated in one hand is one finding, however often it is repeated. If more than one hand
    is written whole and all these have the same smaller size, they are an ending, which is not a
    fault of the deal.
    """
    size, again = law.value("hand-size"), set()
    first: dict[Card, Seat] = {}
    find = Finder(law, events.deal).find
    whole = [hand.number for _, hand in events.hands if not hand.partial]
    ending = len(whole) > 1 and len({*whole}) == 1 and 0 < whole[0] < size
    for seat, hand in events.hands:
        for index, card in enumerate(hand.cards):
            before = first.get(card)
            first.setdefault(card, seat)
            if before and (card, seat) not in again:
                again.add((card, seat))
                message = Message("card-in-two-hands", card=card, first=before, player=seat)
                if before is seat:
                    message = Message("card-twice", card=card, player=seat)
                yield find("deal.card-twice", message, ("hands", seat.value, index))
        wrong = (hand.number != size and not hand.partial) or hand.number > size
        if wrong and not ending:
            message = Message("hand-of-wrong-size", player=seat, number=hand.number, due=size)
            yield find("deal.wrong-number", message, ("hands", seat.value))


# --- the play -----------------------------------------------------------------------------------


class _Play:
    """One walk through the tricks of a deal."""

    def __init__(self, events: Events, law: Rules, final: Final | None) -> None:
        """Follow every trick: find the player of each card and the winner.

        `seen` holds the cards judged so far, each with the number of its trick.
        """
        self.events, self.law, self.final = events, law, final
        self.find = Finder(law, events.deal).find
        self.seen: dict[Card, int] = {}
        self.trump = OF_SUIT[trump_of(final, law)]
        self.known = known_hands(events.hands, law)
        self.owner = {card: seat for seat, hand in events.hands for card in hand.cards}
        self.owner |= {card: seat for seat, cards in self.known.items() for card in cards}
        turn = final.declarer.left if final and final.declarer else None
        self.leaders, self.tricks = [turn], []
        for trick in events.tricks or ():
            cards = tuple(self._order(trick, turn))
            turn = self._winner(cards)
            self.tricks.append(Followed(cards, turn))
            self.leaders.append(turn)
        # The cards that each player is known to have held.
        self.hands = {seat: self.known.get(seat) or self._held(seat) for seat in SEATS}

    def won(self) -> dict[Side, int]:
        """The number of tricks that each side is known to have won."""
        winners = [trick.winner for trick in self.tricks]
        return {side: sum(winners.count(s) for s in SEATS if s.side is side) for side in Side}

    def _held(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of a player whose hand is not completely known, as written or played."""
        written = dict(self.events.hands).get(seat)
        played = (p.card for trick in self.tricks for s, p in trick.cards if s is seat and p.card)
        own = (card for card in played if self.owner.get(card, seat) is seat)
        return tuple(dict.fromkeys((*(written.cards if written else ()), *own)))

    def _order(self, trick: Trick, expected: Seat | None) -> Sequence[tuple[Seat | None, Played]]:
        """The cards of a trick in the order played, each with its player if he is known."""
        first, turn, cards = self.events.deal.columns, trick.leader or expected, trick.cards
        if first:
            columns = [(p.seat or first.after(i), p) for i, p in enumerate(cards)]
            if turn:
                start = turn.number
                columns.sort(key=lambda column: (column[0].number - start) % 4)
            return columns
        holder = self.owner.get(cards[0].card) if cards and cards[0].card else None
        if turn is None or (trick.leader is None and holder and self._led_by(holder, cards)):
            turn = holder
        order = []
        for played in cards:
            seat = played.seat or turn
            order.append((seat, played))
            turn = seat.left if seat else None
        return order

    def _led_by(self, holder: Seat, cards: Sequence[Played]) -> bool:
        """Whether the cards are those of the players in turn, beginning with `holder`."""
        held = [self.owner.get(played.card) if played.card else None for played in cards]
        return len(cards) > 1 and held == [holder.after(n) for n in range(len(cards))]

    def _winner(self, cards: Sequence[tuple[Seat | None, Played]]) -> Seat | None:
        """The winner of a trick; `None` if a card or the declaration is not known."""
        known = [(seat, BITS[p.card]) for seat, p in cards if p.card]
        if self.final is None or len(cards) < len(SEATS) or len(known) < len(cards):
            return None
        four = known[: len(SEATS)]
        trick, led = sum({bit for _, bit in four}), IN_SUIT[cards[0][1].card]
        winner = trump_then_suit_led(trick, led, self.trump)
        return next(seat for seat, bit in four if bit == winner)

    # --- whether the play is in order ---------------------------------------------------------

    def judge(self) -> Iterator[Finding]:
        """Findings on every trick, card by card.

        There are none if each player plays in turn a card that he still holds and follows suit if
        he can.
        """
        for at, trick in enumerate(self.tricks):
            yield from self._turns(at)
            for index in range(len(trick.cards)):
                if found := self._of_card(at, index):
                    yield found
            number = len(trick.cards)
            if number > len(SEATS) or (number < len(SEATS) and at < len(self.tricks) - 1):
                what = "trick-surplus" if number > len(SEATS) else "trick-short"
                written = (self.events.tricks or ())[at]
                yield self.find(f"play.{what}", what, written, trick=at + 1, number=number)

    def _turns(self, at: int) -> Iterator[Finding]:
        """Findings on the leader of a trick and on the order in which it was played."""
        cards, expected = self.tricks[at].cards, self.leaders[at]
        leader = cards[0][0] if cards else None
        if expected and leader and leader is not expected:
            what = "lead-out-of-turn" if at else "wrong-leader"
            message = Message(what, leader=leader, due=expected, trick=at + 1)
            yield self.find(f"play.{what}", message, cards[0][1])
        if self.events.deal.columns or not cards:
            return  # cards in columns are not written in the order played
        turn, before, done = leader, None, set()
        if len(cards) < len(SEATS) and at < len(self.tricks) - 1:
            done = set(SEATS) - {seat for seat, _ in cards}
        for seat, played in cards:
            if seat and turn and before and seat is not turn and seat not in done:
                message = Message("played-out-of-turn", player=seat, before=before, turn=turn)
                yield self.find("play.out-of-turn", message, played)
            before = seat
            if seat:
                done.add(seat)
            while turn in done:
                turn = turn.left if len(done) < len(SEATS) else None

    def _of_card(self, at: int, index: int) -> Finding | None:
        """A finding on a card played again, a card of another hand, or a revoke."""
        cards = self.tricks[at].cards
        (leader, first), (seat, played) = cards[0], cards[index]
        card, led = played.card, IN_SUIT[first.card]
        if card is None:
            return None
        if card in self.seen:
            message = Message("played-again", card=card, trick=self.seen[card])
            return self.find("play.card-again", message, played)
        self.seen[card] = at + 1
        if seat is None:
            return None
        owner = self.owner.get(card)
        of: dict[str, Hashable] = {"player": seat, "card": card}
        if owner is not seat and (owner or seat in self.known):
            what = "held-by-another" if owner else "not-dealt"
            return self.find("play.card-not-held", Message(what, **of, owner=owner), played)
        dummy = self.law.has("open-hand") and self.final is not None and self.final.dummy is seat
        held, written = self.hands[seat], dict(self.events.hands).get(seat)
        if dummy and written and not (written.partial or written.small):
            held = written.cards  # dummy does not answer for a card that he lacked
        left = bits(c for c in held if c not in self.seen)
        if seat in [s for s, _ in cards[:index]] or BITS[card] & led or not left & led:
            return None
        of = {"player": seat, "dummy": dummy, "card": card, "led": first.card}
        message = Message("revoke", **of, could=tuple(cards_in(left & led)), leader=leader)
        return self.find("play.dummys-revoke" if dummy else "play.revoke", message, played)

    def broken_off(self) -> bool:
        """Whether the play stops within a trick after earlier tricks that are all complete."""
        if sum(self.won().values()) != len(self.tricks) - 1:
            return False
        cards = [played.card for _, played in self.tricks[-1].cards]
        known = len(cards) - cards.count(None)
        # Only in columns is a card that was not played written as an unknown one.
        rest = known if self.events.deal.columns else len(cards)
        return 0 < known < len(SEATS) and None not in cards[:rest]


def followed(events: Events, law: Rules, final: Final | None) -> Outcome:
    """Follow the play of a deal and return its outcome.

    The tricks of the declaring side come from a complete play, otherwise from an agreed claim,
    otherwise from the stated result. A stated result that the play contradicts is a finding.
    """
    walk, deal = _Play(events, law, final), events.deal
    won, played = walk.won(), len(walk.tricks)
    over, broken_off = sum(won.values()), bool(walk.tricks) and walk.broken_off()
    taken, is_complete, result = tricks_taken(deal, law, final, won, played, broken_off)
    found, tricks = tuple(walk.judge()), tuple(walk.tricks)
    return Outcome(tricks, walk.hands, over, taken, is_complete, found, result)


def tricks_taken(
    deal: Deal,
    law: Rules,
    final: Final | None,
    won: Mapping[Side, int],
    played: int,
    broken_off: bool = False,
) -> tuple[int | None, bool, tuple[Finding, ...]]:
    """The tricks of the declaring side, whether the play is complete, and findings on the result.

    `won` are the tricks whose winner is known, out of `played`; the last may be `broken_off`.
    """
    total, over = law.value("hand-size"), won[NS] + won[EW]
    side = final.declarer.side if final and final.declarer else None
    taken = least = None
    if side and over == played == total:
        taken = won[side]
    elif side and played:
        least = claimed(deal.claims, played, total - (over if broken_off else played), won, side)
        taken = least if broken_off or over == played else None
    is_complete = taken is not None
    result: tuple[Finding, ...] = ()
    stated = counted_result(deal.result, deal.declaration, final, law)
    if stated is None or stated == taken:
        return taken, is_complete, result
    bounds = (won[side], total - won[side.other]) if side and played else (0, total)
    if least is not None:  # the claim leaves open who won the tricks with unknown cards
        bounds = (least, least + played - over)
    if final and (wrong := wrong_result(deal.result, stated, taken, bounds, total)):
        result = (Finder(law, deal).find("score.tricks", wrong, ("result",)),)
    if taken is None and 0 <= stated <= total:
        taken = stated
    return taken, is_complete, result


def claimed(
    claims: Sequence[Claim], played: int, rest: int, won: Mapping[Side, int], side: Side
) -> int | None:
    """The tricks of the declaring side if an agreed claim settles the rest, or `None`.

    A claim within a trick settles that trick too.
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


def counted_result(
    result: Result | None, stated: Declaration | None, final: Final | None, law: Rules
) -> int | None:
    """The tricks of the declaring side that a result states, or `None`.

    The result refers to the stated declaration; if another is lawful, the tricks stay with the side
    that took them. At nullo a result counts the adversaries' tricks; the declaring side has the
    others.
    """
    if result is None:
        return None
    kind, tricks = result
    if final is None:
        known = kind == "tricks" or (kind == "odd" and not law.has("nullo"))
        return tricks + law.value("book") * (kind == "odd") if known else None
    recorded = as_recorded(final, stated)
    if kind != "tricks":
        tricks = -tricks if kind == "down" else tricks
        tricks += law.value("book") + recorded.odd_tricks * (kind != "odd")
        tricks = counted_tricks(tricks, recorded, law)
    one, other = final.declarer, recorded.declarer
    of_others = one and other and one.side is not other.side
    return law.value("hand-size") - tricks if of_others else tricks


def wrong_result(
    result: Result | None, stated: int, taken: int | None, bounds: tuple[int, int], total: int
) -> tuple[Message, ...]:
    """What is wrong with the tricks stated for the declaring side; empty if nothing is.

    `stated` is the number that the result states, `taken` the side's tricks if they are known,
    `bounds` the fewest and the most that the play allows.
    """
    least, most = bounds
    if not 0 <= stated <= total:
        message = Message("fewer-than-no-tricks")
        if stated > total:
            message = Message("too-many-tricks", tricks=stated, total=total)
        if result and result.number and result.kind in ("made", "down"):
            return message, Message("counts-from-contract", kind=result.kind, number=result.number)
    elif taken is not None:
        message = Message("tricks-otherwise", stated=stated, taken=taken)
    elif not least <= stated <= most:
        message = Message("tricks-out-of-reach", stated=stated, least=least, most=most)
    else:
        return ()
    return (message,)


# --- plays without irregularities -----------------------------------------------------------------

ALL_STARTS = tuple(range(0, len(PACK), len(SEATS)))
"""The indices at which tricks begin if each has four cards."""


def played_in_order(deal: Deal, law: Rules, final: Final | None) -> Outcome | None:
    """The outcome of a play without its tricks, as far as it is recorded.

    The hands are complete. In columns, a card that its player does not hold is a finding; with any
    other irregularity the result is `None`.
    """
    number = len(deal.trick_starts) if deal.cards else 0
    winners: list[Seat] = []
    found: tuple[Finding, ...] = ()
    if number:
        if final is None or final.declarer is None or number > law.value("hand-size"):
            return None
        in_order = _follow(deal, law, final, final.declarer)
        if in_order is None:
            return None
        winners, all_held = in_order
        if not all_held:
            found = followed(events_of(deal), law, final).findings
    elif deal.claims:
        return None
    over, north_south = len(winners), winners.count(NORTH) + winners.count(SOUTH)
    won = {NS: north_south, EW: over - north_south}
    taken, is_complete, result = tricks_taken(deal, law, final, won, number, over < number)
    won_by = *winners, *(None,) * (number - over)
    return Outcome((), {}, over, taken, is_complete, found, result, won_by)


def _follow(deal: Deal, law: Rules, final: Final, declarer: Seat) -> tuple[list[Seat], bool] | None:
    """The winner of each trick, and whether every card is held by the player who plays it.

    `None` if the play is irregular in another way: a card played twice, a suit not followed, a lead
    from the wrong hand, a trick without four cards or, unless the cards are in columns, a card that
    is not held. The last trick may be incomplete.
    """
    numbers, starts, columns = deal.cards or (), deal.trick_starts, deal.columns
    if starts != ALL_STARTS[: len(starts)] or len(numbers) - starts[-1] > len(SEATS):
        return None
    played = [*map(BIT_OF_NUMBER.__getitem__, numbers), *(0, 0, 0)[: -len(numbers) % len(SEATS)]]
    lead, trump, seen = declarer.left.number, OF_SUIT[trump_of(final, law)], 0
    first = columns.number if columns else lead
    p, q, r, s = deal.hands[first:] + deal.hands[:first]
    winners: list[Seat] = []
    all_held = True
    card = iter(played)
    for row in zip(card, card, card, card, strict=True):
        a, b, c, d = row
        cards, suit = a | b | c | d, SUIT_OF_BIT[row[lead - first]]
        if seen & cards:
            return None
        seen |= cards
        if a & p and b & q and c & r and d & s:
            if cards & ~suit:
                left = suit & ~seen
                if not (
                    (a & suit or not p & left)
                    and (b & suit or not q & left)
                    and (c & suit or not r & left)
                    and (d & suit or not s & left)
                ):
                    return None
        else:
            if a + b + c + d != cards:
                return None
            turn, left = lead - first & 3, suit & (~seen | cards)
            in_turn = row[turn:] + row[:turn]
            for seat, bit in zip(ROUND[lead], in_turn, strict=True):
                hand, left = deal.hands[seat.number], left & ~bit
                if bit and not bit & hand:
                    if not columns:
                        return None  # the cards may show that another player led
                    all_held = False
                elif bit and not bit & suit and hand & left:
                    return None
            if 0 in row:
                unknown = not (columns or len(numbers) % len(SEATS))
                if len(winners) + 1 < len(starts) or (
                    deal.claims and (unknown or any(in_turn[in_turn.index(0) :]))
                ):
                    return None
                break
        lead = first + row.index(trump_then_suit_led(cards, suit, trump)) & 3
        winners.append(SEATS[lead])
        if not columns:
            first = lead
            p, q, r, s = deal.hands[first:] + deal.hands[:first]
    due = (declarer.left, *winners)
    if any(due[trick] is not leader for trick, leader in deal.leaders):
        return None
    return winners, all_held
