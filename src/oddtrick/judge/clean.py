"""Deals with nothing irregular in them, judged on the integers of `Deal`.

`follow` gives what the calls and the play came to, or `None` if anything in the deal needs a closer
look: an irregularity that is written or found, a hand that is not wholly known, a claim that the
play contradicts. Such a deal goes to the irregular part of the judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oddtrick.cards import CARD_OF_BIT, OF_SUIT, PACK, SEATS, Seat, Side
from oddtrick.judge.auction import in_order
from oddtrick.judge.declaration import differs, stated_final
from oddtrick.judge.play import ROUND, SUIT_OF_BIT, Followed, Outcome, claimed, counted_result
from oddtrick.judge.procedures import Declared, Final, trump_then_suit_led
from oddtrick.judge.score_procedures import trump_of
from oddtrick.law.rules import Rules
from oddtrick.record.deal import UNKNOWN_CARD, UNRECORDED, Deal
from oddtrick.record.model import Played

BIT_OF_NUMBER: Mapping[int, int] = {UNKNOWN_CARD: 0} | {int(card): 1 << card for card in PACK}
NO_TRICKS: Mapping[Side, int] = {Side.NS: 0, Side.EW: 0}


def follow(deal: Deal, law: Rules) -> tuple[Declared, Outcome] | None:
    """The declaration and the play of a deal; `None` if anything in it needs a closer look."""
    if (
        deal.incidents
        or deal.callers
        or deal.corrections
        or deal.players_named
        or deal.hand_details
        or deal.more_play
        or None in deal.hand_spans
        or "winning-a-trick" not in law.clauses
        or law.has("making")
        or not _all_dealt(deal.hands, law)
    ):
        return None
    declared = _declared(deal, law)
    if declared is None:
        return None
    outcome = _played(deal, law, declared.final)
    return None if outcome is None else (declared, outcome)


def _all_dealt(hands: Sequence[int], law: Rules) -> bool:
    """Whether each of the four hands has its number of cards, and no card is in two of them."""
    north, east, south, west = hands
    size: int = law.value("hand-size")
    return (
        north.bit_count() == east.bit_count() == south.bit_count() == west.bit_count() == size
        and (north | east | south | west).bit_count() == size * len(SEATS)
    )


def _declared(deal: Deal, law: Rules) -> Declared | None:
    calls, stated = deal.calls, deal.declaration
    if stated and stated.bridged:
        return None
    if calls is None:
        return stated_final(stated, deal.dealer, law) if stated else None
    first = deal.first_caller or deal.dealer
    if not calls or first is None or deal.dealer not in (None, first) or calls[-1] == UNRECORDED:
        return None
    declared = in_order(calls, first, law)
    if declared is None or stated is None:
        return declared
    if declared.final is None:
        return declared if stated.passed_out else None
    return None if differs(stated, declared.final) else declared


def _played(deal: Deal, law: Rules, final: Final | None) -> Outcome | None:
    """The tricks with their winners, as far as they are recorded."""
    size: int = law.value("hand-size")
    numbers, starts = deal.cards or (), deal.trick_starts
    side = final.declarer.side if final and final.declarer else None
    won, winners, is_complete, taken = dict(NO_TRICKS), tuple[Seat, ...](), False, None
    if numbers:
        if final is None or final.declarer is None or len(starts) > size:
            return None
        tricks = _follow(deal, final, law)
        if tricks is None:
            return None
        winners = tricks
        for seat in winners:
            won[seat.side] += 1
        over = len(winners)
        if over == len(starts) == size:
            taken, is_complete = won[final.declarer.side], True
        elif deal.claims:
            taken = claimed(deal.claims, len(starts), size - over, won, final.declarer.side)
            is_complete = taken is not None
    elif deal.claims:
        return None
    stated = counted_result(deal.result, final, law)
    if stated is not None and final:
        if not 0 <= stated <= size or taken not in (None, stated):
            return None
        if side and not won[side] <= stated <= size - won[side.other]:
            return None
    if not is_complete and taken is None:
        taken = stated
    names = ("following-suit", "winning-a-trick", "opening-lead")
    readings = law.readings(*names) if numbers else ()
    return Outcome(
        (), {}, len(winners), taken, is_complete, (), (), law.laws(*names), readings, winners
    )


def _follow(deal: Deal, final: Final, law: Rules) -> tuple[Seat, ...] | None:
    """Who won each trick; `None` unless each player plays a card that he holds and follows suit.

    The last trick may break off.
    """
    bits = [BIT_OF_NUMBER[card] for card in deal.cards or ()]
    first = deal.columns.number if deal.columns else None
    assert final.declarer is not None
    lead = final.declarer.left.number
    left, trump, winners = [*deal.hands], OF_SUIT[trump_of(final, law)], list[Seat]()
    leaders = dict(deal.leaders)
    last = len(bits) - len(bits) % len(SEATS) if first is None else len(bits)
    if deal.trick_starts != tuple(range(0, len(bits), len(SEATS))):
        return None
    for start in range(0, len(bits), len(SEATS)):
        row = bits[start : start + len(SEATS)]
        if leaders and leaders.get(start // len(SEATS), SEATS[lead]).number != lead:
            return None
        if first is not None:
            if len(row) < len(SEATS):
                return None
            turn = lead - first & 3
            row = row[turn:] + row[:turn]
        suit = SUIT_OF_BIT[row[0]] if row[0] else 0
        for place, bit in enumerate(row):
            seat = lead + place & 3
            if not bit:
                # Only the last trick may break off, and no card of it may follow the gap.
                if any(row[place:]) or start + len(SEATS) < len(bits):
                    return None
                return tuple(winners)
            hand = left[seat]
            if not hand & bit or (not bit & suit and hand & suit):
                return None
            left[seat] = hand ^ bit
        if start >= last:
            return tuple(winners)
        a, b, c, d = row
        lead = lead + row.index(trump_then_suit_led(a | b | c | d, suit, trump)) & 3
        winners.append(SEATS[lead])
    return tuple(winners)


def tricks(deal: Deal, leader: Seat, winners: Sequence[Seat]) -> tuple[Followed, ...]:
    """The tricks of a play that `follow` has followed, card by card in the order of play."""
    found, numbers = list[Followed](), deal.cards or ()
    leads = (leader, *winners)
    for trick, start in enumerate(deal.trick_starts):
        row = [*enumerate(numbers[start : start + len(SEATS)])]
        if deal.columns:
            turn = leads[trick].number - deal.columns.number & 3
            row = row[turn:] + row[:turn]
        cards = [
            (seat, Played(CARD_OF_BIT[BIT_OF_NUMBER[number]], id=("play", trick, place)))
            for seat, (place, number) in zip(ROUND[leads[trick].number], row, strict=False)
        ]
        found.append(Followed(tuple(cards), winners[trick] if trick < len(winners) else None))
    return tuple(found)
