"""Deals without irregularities, judged on the integers of `Deal`.

`follow` returns the outcome of the calls and of the play, or `None` if the deal needs the full
judge: an irregularity is written or found, a hand is not completely known, or the code has trumps
made and not bid.
"""

from __future__ import annotations

from oddtrick.cards import BIT_OF_NUMBER, EW, NORTH, NS, OF_SUIT, PACK, SEATS, SOUTH, Seat
from oddtrick.judge.declaration import declared_in_order
from oddtrick.judge.events import events_of
from oddtrick.judge.finding import Finding
from oddtrick.judge.play import ROUND, SUIT_OF_BIT, Outcome, all_dealt, followed, tricks_taken
from oddtrick.judge.procedures import Declared, Final, trump_then_suit_led
from oddtrick.judge.score_procedures import trump_of
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal

ALL_STARTS = tuple(range(0, len(PACK), len(SEATS)))
"""The indices at which tricks begin if each has four cards."""


def follow(deal: Deal, law: Rules) -> tuple[Declared, Outcome] | None:
    """The declaration and the play of a deal; `None` if it needs the full judge."""
    if (
        deal.incidents
        or deal.players_named
        or deal.hand_details
        or deal.more_play
        or None in deal.hand_spans
        or not law.has("winning-a-trick")
        or law.has("convention")
        or not all_dealt(deal.hands, law)
    ):
        return None
    declared = declared_in_order(deal, law)
    if declared is None:
        return None
    outcome = _played(deal, law, declared.final)
    return None if outcome is None else (declared, outcome)


def _played(deal: Deal, law: Rules, final: Final | None) -> Outcome | None:
    """The tricks that each side won and took, as far as they are recorded."""
    number = len(deal.trick_starts) if deal.cards else 0
    winners, found = list[Seat](), tuple[Finding, ...]()
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
    return Outcome((), {}, over, taken, is_complete, found, result)


def _follow(deal: Deal, law: Rules, final: Final, declarer: Seat) -> tuple[list[Seat], bool] | None:
    """The winner of each trick, and whether every card is held by the player who plays it.

    `None` if the play is irregular in another way: a card played twice, a suit not followed, a lead
    from the wrong hand, a trick without four cards. The last trick may be incomplete.
    """
    numbers, starts, columns = deal.cards or (), deal.trick_starts, deal.columns
    if starts != ALL_STARTS[: len(starts)] or len(numbers) - starts[-1] > len(SEATS):
        return None
    bits = [*map(BIT_OF_NUMBER.__getitem__, numbers), *(0, 0, 0)[: -len(numbers) % len(SEATS)]]
    lead, trump, seen = declarer.left.number, OF_SUIT[trump_of(final, law)], 0
    first = columns.number if columns else lead
    p, q, r, s = deal.hands[first:] + deal.hands[:first]
    winners, all_held = list[Seat](), True
    card = iter(bits)
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
                    all_held = False
                elif bit and not bit & suit and hand & left:
                    return None
            if 0 in row:
                if len(winners) + 1 < len(starts) or (
                    deal.claims and any(in_turn[in_turn.index(0) :])
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
