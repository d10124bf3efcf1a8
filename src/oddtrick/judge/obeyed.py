"""Whether a remedy that was lawfully chosen was carried out, as far as calls and cards show it.

Told of here: a new deal, a bid made sufficient, a suit called or forbidden, a card called, the
highest or lowest called, a trick to be won or lost, trumped or not. What a record cannot show (a
warning, points) is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from oddtrick.cards import SUIT_OF, Card, Seat, Suit, card_in
from oddtrick.judge.incidents import Case, Shown
from oddtrick.record.model import Played
from oddtrick.rulings.engine import Remedy

Broken = tuple[str, Played | None]
"""What was done instead, in words, and the card with which, where it was with a card."""


def disobeyed(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """What was not done that a remedy asked for.

    `words` are those of the record, with the suit or card that it names.
    """
    for effect in remedy.effects:
        how = CARRIED_OUT.get((effect.id, effect.of))
        if how:
            yield from how(shown, case, remedy, words)


def _new_deal(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    if shown.went_on(case):
        yield "a new deal was chosen, but the record goes on with this one.", None


def _made_sufficient(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    if case.item not in shown.made:
        return
    index = shown.made[case.item][0]
    following = shown.declared.calls[index + 1 : index + 2]
    if not following or not following[0].call.corrects:
        yield "the bid was to be made sufficient, but no correction follows it.", None


def _earlier_final(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    if case.item not in shown.made or case.seat is None:
        return
    index, made = shown.made[case.item]
    side = case.seat.side.other
    bids = [m for m in shown.declared.calls[:index] if m.call.kind == "bid" and not m.void]
    if made.call.kind == "bid" and not any(m.seat.side is side for m in bids):
        yield f"{side.title} have made no bid that could become final.", None


def _must_make(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    after = shown.declared.calls[shown.made[case.item][0] + 1 :] if case.item in shown.made else ()
    maker = next((m.seat for m in after if m.call.kind == "make"), case.seat)
    if case.seat and maker and maker is not case.seat:
        yield f"{case.seat.title} must make the trump, but {maker.title} makes it.", None


def _called_suit(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The next lead of those bound by it.

    Of the suit that was called, or of another than the one forbidden: where none is named, that
    of the card that was exposed or led.
    """
    of = card_in(case.incident.of or "") if case.incident else None
    suit = _suit(words) or (of.suit if of else None)
    if suit is None or _after_the_play(case):
        return
    whose = _leaders(shown, remedy, case)
    for number in _tricks(shown, case, remedy):
        seat, played = shown.outcome.tricks[number].cards[0]
        if seat not in whose or played.card is None:
            continue
        hand = shown.held(seat, number)
        held = [c for c in hand if c.suit is suit]
        others = [c for c in hand if c.suit is not suit]
        forbidden = any(e.of == "other-suit" for e in remedy.effects)
        if not forbidden and played.card.suit is not suit and held:
            asked = f"was called on to lead {suit.word} and leads {played.card}"
            yield f"{seat.title} {asked}, though he holds {held[0]}.", played
        if forbidden and played.card.suit is suit and others:
            asked = f"was forbidden to lead {suit.word} and leads {played.card}"
            yield f"{seat.title} {asked}, though he holds {others[0]}.", played
        return


def _after_the_play(case: Case) -> bool:
    """Whether a case is told of when the play is over."""
    return case.trick is None and case.incident is not None and case.incident.after == "play"


def _tricks(shown: Shown, case: Case, remedy: Remedy) -> Iterable[int]:
    """The tricks in which a lead may be called or forbidden.

    Of what was before the play, the first where the remedy is for it alone; of a first lead out of
    turn that was taken back, the same trick; else those that follow.
    """
    tricks = len(shown.outcome.tricks)
    if case.trick is None:
        return range(min(1, tricks) if remedy.lasts == "to-that-trick" else tricks)
    anyway = case.facts.get("followed-by", "nobody") != "nobody"
    return range(
        case.trick + (0 if case.name.startswith("first-lead") and not anyway else 1), tricks
    )


def _leaders(shown: Shown, remedy: Remedy, case: Case) -> tuple[Seat, ...]:
    """The players whose next lead a remedy binds."""
    seats = shown.roles.seats(remedy.whose or "either-adversary", case.seat)
    declarer = shown.final.declarer if shown.final else None
    if remedy.whose in (None, "adversary-next-to-lead") or not seats:
        return (declarer.left, declarer.right) if declarer else ()
    return seats


def _called_card(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The first chance to play a card that was called."""
    del remedy
    card = card_in(words) or (
        card_in(case.incident.of) if case.incident and case.incident.of else None
    )
    if card is None or _after_the_play(case) or not words.startswith("call"):
        return
    at = case.at or (0, -1)
    for number in range(at[0], len(shown.outcome.tricks)):
        cards = shown.outcome.tricks[number].cards
        for index, (seat, played) in enumerate(cards):
            if (
                seat is not case.seat
                or seat is None
                or played.card is None
                or (number, index) <= at
            ):
                continue
            hand = shown.held(seat, number)
            if card not in hand:
                continue
            led = cards[0][1].card
            could = (
                index == 0
                or led is None
                or card.suit is led.suit
                or not any(c.suit is led.suit for c in hand)
            )
            if played.card == card:
                return
            if could:
                said = f"{card} was called; {seat.title} plays {played.card}"
                yield f"{said}, though he could play it.", played
                return


def _called_rank(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The highest or lowest of the suit led, of the player on whom it was called."""
    chosen = _choice(remedy, words, "highest", "lowest")
    for call in _called_on(shown, case, remedy) if chosen else ():
        due = _extreme(call.hand, call.led.suit, chosen == "highest")
        if due and call.card != due:
            asked = f"was called on for his {chosen} of the suit and plays {call.card}"
            yield f"{call.seat.title} {asked}, though he holds {due}.", call.played


def _called_highest_of_suit(
    shown: Shown, case: Case, remedy: Remedy, words: str
) -> Iterator[Broken]:
    """The highest of a suit that was named, of a player who has none of the suit led."""
    suit = _suit(words)
    for call in _called_on(shown, case, remedy) if suit else ():
        due = _extreme(call.hand, suit, True)
        if due and call.card != due and not _extreme(call.hand, call.led.suit, True):
            asked = f"was called on for his highest of {due.suit.word} and plays {call.card}"
            yield f"{call.seat.title} {asked}, though he holds {due}.", call.played


def _called_result(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """To win the trick or to lose it, as far as could be done against the cards that lay on the
    table."""
    chosen = _choice(remedy, words, "win", "lose")
    winner, trump = shown.law.wins, shown.law.trump(shown.final)
    for call in _called_on(shown, case, remedy) if chosen else ():

        def wins(card: Card, before: tuple[Card, ...] = call.before) -> bool:
            return winner([*before, card], trump) == len(before)

        could = [c for c in call.hand if c.suit is call.led.suit] or list(call.hand)
        others = [c for c in could if wins(c) is (chosen == "win")]
        failed = (
            not wins(call.card) if chosen == "win" else wins(call.card) and call.winner is call.seat
        )
        if failed and others:
            other = f"could {chosen} it with {others[0]}"
            asked = f"was called on to {chosen} the trick and plays {call.card}"
            yield f"{call.seat.title} {asked}, though he {other}.", call.played


def _called_trump(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """To trump the trick or not to trump it, of a player who has none of the suit led."""
    chosen = _choice(remedy, words, "not", "trump")
    trump = shown.law.trump(shown.final)
    for call in _called_on(shown, case, remedy) if chosen and trump else ():
        if any(c.suit is call.led.suit for c in call.hand):
            continue
        others = [c for c in call.hand if (c.suit is trump) is (chosen == "trump")]
        if call.card not in others and others:
            asked = "to trump the trick" if chosen == "trump" else "not to trump the trick"
            said = f"was called on {asked} and plays {call.card}"
            yield f"{call.seat.title} {said}, though he holds {others[0]}.", call.played


@dataclass(frozen=True, slots=True)
class _Call:
    """A card of a player on whom something was called.

    What he held, the card led, those that lay on the table, who won.
    """

    seat: Seat
    card: Card
    played: Played
    hand: tuple[Card, ...]
    led: Card
    before: tuple[Card, ...]
    winner: Seat | None


def _called_on(shown: Shown, case: Case, remedy: Remedy) -> Iterator[_Call]:
    """The card that the player on whom a remedy calls plays to the trick of the irregularity.

    None where a card is not known.
    """
    if case.trick is None:
        return
    trick = shown.outcome.tricks[case.trick]
    leader = trick.cards[0][0]
    bound = (
        (leader.left,)
        if leader and remedy.whose == "second-hand"
        else shown.roles.seats(remedy.whose or "partner", case.seat) or ()
    )
    for index, (seat, played) in enumerate(trick.cards):
        before = [p.card for _, p in trick.cards[:index] if p.card]
        if seat in bound and seat and played.card and index and len(before) == index:
            hand = tuple(shown.held(seat, case.trick))
            yield _Call(seat, played.card, played, hand, before[0], tuple(before), trick.winner)


def _choice(remedy: Remedy, words: str, *among: str) -> str | None:
    """Which of two that a remedy offers the record names; `None` where it names only the remedy."""
    said = words.removeprefix(remedy.id.replace("-", " ")).split()
    return next((w for w in among if w in said), None)


def _extreme(hand: Iterable[Card], suit: Suit | None, highest: bool) -> Card | None:
    """The highest card of a suit in a hand, or the lowest."""
    suited = sorted((c for c in hand if c.suit is suit), key=lambda c: c.height)
    return (suited[-1] if highest else suited[0]) if suited else None


def _suit(words: str) -> Suit | None:
    """The suit that a word names, plural or singular."""
    return next(
        (SUIT_OF[n] for w in words.split() for n in (w, f"{w}s", w.upper()) if n in SUIT_OF), None
    )


CARRIED_OUT: Mapping[
    tuple[str, str | None], Callable[[Shown, Case, Remedy, str], Iterator[Broken]]
] = {
    ("deal-again", None): _new_deal,
    ("suffice", None): _made_sufficient,
    ("final", "earlier"): _earlier_final,
    ("must-make", None): _must_make,
    ("demand", "suit"): _called_suit,
    ("demand", "other-suit"): _called_suit,
    ("demand", "card"): _called_card,
    ("demand", "rank"): _called_rank,
    ("demand", "rank-of-suit"): _called_highest_of_suit,
    ("demand", "result"): _called_result,
    ("demand", "trump"): _called_trump,
}
"""What is held against the calls and cards that follow, by the effect of the remedy."""
