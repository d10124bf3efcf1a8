"""Whether a remedy that was lawfully chosen was carried out, as far as calls and cards show it.

Told of here: a new deal, a bid made sufficient, a suit called or forbidden, a card called, the highest or lowest
called. What a record cannot show (a warning, points, a trick won or lost by command) is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from oddtrick.cards import PACK, SUIT_OF, Card, Seat, Suit
from oddtrick.cases import Case, Shown
from oddtrick.record import Place
from oddtrick.rulings import Remedy

Broken = tuple[str, Place]
"""What was done instead, in words, and where."""


def disobeyed(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """What was not done that a remedy asked for; `words` are those of the record, with the suit or card that it names."""
    how = CARRIED_OUT.get(remedy.id)
    if how:
        yield from how(shown, case, remedy, words)


def _new_deal(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    if shown.went_on(case):
        yield "a new deal was chosen, but the record goes on with this one.", _place(case)


def _made_sufficient(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    del remedy, words
    if case.place not in shown.made:
        return
    index = shown.made[case.place][0]
    following = shown.declared.calls[index + 1 : index + 2]
    if not following or not following[0].call.corrects:
        yield "the bid was to be made sufficient, but no correction follows it.", _place(case)


def _called_suit(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The next lead of those bound by it: of the suit that was called, or of another than the one forbidden."""
    suit = _suit(words)
    if case.trick is None or suit is None:
        return
    anyway = case.facts.get("followed-by", "nobody") != "nobody"
    first = case.trick + (0 if case.name.startswith("first-lead") and not anyway else 1)
    whose = _leaders(shown, remedy, case)
    for number in range(first, len(shown.outcome.tricks)):
        seat, played = shown.outcome.tricks[number].cards[0]
        if seat not in whose or played.card is None:
            continue
        hand = shown.held(seat, number)
        held = [c for c in hand if c.suit is suit]
        others = [c for c in hand if c.suit is not suit]
        if remedy.id == "call-a-suit" and played.card.suit is not suit and held:
            yield f"{seat.title} was called on to lead {suit.word} and leads {played.card}, though he holds {held[0]}.", played.place
        if remedy.id == "forbid-suit" and played.card.suit is suit and others:
            yield f"{seat.title} was forbidden to lead {suit.word} and leads {played.card}, though he holds {others[0]}.", played.place
        return


def _leaders(shown: Shown, remedy: Remedy, case: Case) -> tuple[Seat, ...]:
    """The players whose next lead a remedy binds."""
    seats = shown.seats(remedy.whose or "either-adversary", case.seat)
    declarer = shown.final.declarer if shown.final else None
    if remedy.whose in (None, "adversary-next-to-lead") or not seats:
        return (declarer.left, declarer.right) if declarer else ()
    return seats


def _called_card(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The first chance to play a card that was called."""
    del remedy
    card = _card(words) or (_card(case.incident.of) if case.incident and case.incident.of else None)
    if card is None or case.at is None or not words.startswith("call"):
        return
    for number in range(case.at[0], len(shown.outcome.tricks)):
        cards = shown.outcome.tricks[number].cards
        for index, (seat, played) in enumerate(cards):
            if seat is not case.seat or seat is None or played.card is None or (number, index) <= case.at:
                continue
            hand = shown.held(seat, number)
            if card not in hand:
                continue
            led = cards[0][1].card
            could = index == 0 or led is None or card.suit is led.suit or not any(c.suit is led.suit for c in hand)
            if played.card == card:
                return
            if could:
                yield f"{card} was called; {seat.title} plays {played.card}, though he could play it.", played.place
                return


def _called_rank(shown: Shown, case: Case, remedy: Remedy, words: str) -> Iterator[Broken]:
    """The highest or lowest of the suit led, of the player on whom it was called."""
    chosen = next((w for w in ("highest", "lowest") if w in words), None)
    if case.trick is None or chosen is None:
        return
    cards = shown.outcome.tricks[case.trick].cards
    leader, led = cards[0][0], cards[0][1].card
    target = leader.left if leader and remedy.whose == "second-hand" else case.seat
    for seat, played in cards:
        if seat is not target or seat is None or played.card is None or led is None:
            continue
        suited = sorted((c for c in shown.held(seat, case.trick) if c.suit is led.suit), key=lambda c: c.height)
        due = (suited[-1] if chosen == "highest" else suited[0]) if suited else None
        if due and played.card != due:
            said = f"{seat.title} was called on for his {chosen} of the suit and plays {played.card}, though he holds {due}."
            yield said, played.place


def _place(case: Case) -> Place:
    return case.incident.place if case.incident else case.place


def _suit(words: str) -> Suit | None:
    """The suit that a word names, plural or singular."""
    return next((SUIT_OF[n] for w in words.split() for n in (w, f"{w}s", w.upper()) if n in SUIT_OF), None)


def _card(words: str) -> Card | None:
    """The card that a word names: `♥2`, `♥10` or `H2`."""
    names = {n.lower(): c for c in PACK for n in (str(c), c.code)}
    return next((names[w] for w in words.lower().split() if w in names), None)


CARRIED_OUT: Mapping[str, Callable[[Shown, Case, Remedy, str], Iterator[Broken]]] = {
    "new-deal": _new_deal,
    "made-sufficient": _made_sufficient,
    "call-a-suit": _called_suit,
    "forbid-suit": _called_suit,
    "card-exposed": _called_card,
    "others-exposed": _called_card,
    "call-highest-lowest": _called_rank,
}
"""How a remedy is carried out, by the remedy."""
