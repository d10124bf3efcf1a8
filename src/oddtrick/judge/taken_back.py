"""Cards that a record shows as played, although it says that they were taken back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from oddtrick.cards import card_in
from oddtrick.judge.events import CARD_OF_NUMBER
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.record.deal import Comment, Deal, Event, Incident
from oddtrick.rulings.engine import catalogue

T = TypeVar("T")


def without_cards_taken_back(deal: Deal) -> Deal:
    """The deal without each lead that was taken back; its irregularity names the card instead.

    A lead was taken back if it is alone in its trick, an irregularity of a player's own card is
    reported at it, and another trick follows or a remedy was chosen that does not let it stand.
    """
    while (at := _taken_back(deal)) is not None:
        deal = _without(deal, at)
    return deal


def _taken_back(deal: Deal) -> int | None:
    """The index of the first lead that was taken back."""
    cards = deal.cards or ()
    for start, end in pairwise((*deal.trick_starts, len(cards))):
        event = Event("card", start)
        if end - start == 1 and any(
            _withdraws(incident, end < len(cards), cards[start])
            for incident in deal.incidents
            if incident.event == event
        ):
            return start
    return None


def _withdraws(incident: Incident, followed: bool, card: int) -> bool:
    """Whether a report at a lead means that it was taken back."""
    known, led = catalogue().get(incident.name), CARD_OF_NUMBER.get(card)
    if known is None or not known.own_card or led is None:
        return False
    chosen = [effect.id for effect in read_remedy(incident.remedy or "").effects]
    taken_back = "stand" not in chosen and (followed or bool(chosen))
    return taken_back and card_in(incident.of or "") in (None, led)


def _without(deal: Deal, at: int) -> Deal:
    """The deal without the trick that consists of the card at an index."""
    assert deal.cards
    trick, card = deal.trick_starts.index(at), CARD_OF_NUMBER[deal.cards[at]]

    def less(items: tuple[T, ...], index: int) -> tuple[T, ...]:
        return (*items[:index], *items[index + 1 :])

    def moved(pairs: tuple[tuple[int, T], ...], index: int) -> tuple[tuple[int, T], ...]:
        return tuple((n - (n > index), value) for n, value in pairs if n != index)

    def reported(incident: Incident) -> Incident:
        event = incident.event
        if event is None or event.kind != "card" or event.number < at:
            return incident
        if event.number > at:
            return replace(incident, event=Event("card", event.number - 1))
        before = Event("card", at - 1) if at else None
        return replace(
            incident, of=str(card), event=before, after=incident.after if at else "bidding"
        )

    def anchored(comment: Comment) -> Comment:
        match comment.anchor:
            case "play", int(of), *rest if of > trick:
                return replace(comment, anchor=("play", of - 1, *rest))
            case "play", int(of), *_ if of == trick:
                return replace(comment, anchor=("play", trick - 1) if trick else ("play",))
        return comment

    return deal._replace(
        cards=less(deal.cards, at),
        card_starts=less(deal.card_starts, at),
        trick_starts=tuple(n - (n > at) for n in less(deal.trick_starts, trick)),
        leaders=moved(deal.leaders, trick),
        players_named=moved(deal.players_named, at),
        claims=tuple(
            replace(c, after_trick=c.after_trick - (c.after_trick > trick)) for c in deal.claims
        ),
        incidents=tuple(map(reported, deal.incidents)),
        comments=tuple(map(anchored, deal.comments)),
        remarks=tuple(
            remark._replace(event=Event("card", remark.event.number - 1))
            if remark.event.kind == "card" and remark.event.number > at
            else remark
            for remark in deal.remarks
            if remark.event != Event("card", at)
        ),
    )
