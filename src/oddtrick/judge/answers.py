"""The JSON of the judge's answers.

Reports, pages and tests read only this part of the judge's output; `docs/json.md` describes its
keys. Seats, sides, cards, suits and verdicts are given by id (`N`, `NS`, `SA`, `S`, `legal`); an
unknown value is `null`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddtrick.cards import Card, Side
from oddtrick.judge.events import hands_of
from oddtrick.judge.message import Message, Say
from oddtrick.law import reading_choices
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, item_of

if TYPE_CHECKING:
    from oddtrick.judge.play import Followed, Outcome
    from oddtrick.judge.procedures import Declared, Made

Json = dict[str, Any]
"""An object of the answer."""

Depth = Literal["brief", "play", "full"]
"""How much of a record is shown.

`brief` is the form for a list of many; `play` adds the deal, the calls and the cards; `full` adds
the results of trials (`what_if`, `not_used`).
"""


def plain(value: Any, say: Say) -> Any:
    """A value as JSON: an object by its `as_json`, a message in words, anything else by id.

    Points that are not whole numbers are given as text: `1/2`.
    """
    if hasattr(value, "as_json"):
        return value.as_json(say)
    if isinstance(value, Message):
        return say(value)
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {plain(key, say): plain(one, say) for key, one in value.items()}
    return [plain(one, say) for one in value] if isinstance(value, tuple | list) else value


def of_fields(value: object, say: Say, *names: str) -> Json:
    """The named fields of an object as JSON."""
    return {name: plain(getattr(value, name), say) for name in names}


def of_sides(pair: Iterable[int | None] | None) -> Json | None:
    """A pair of figures by side, North-South first; `None` if there is none."""
    return dict(zip(("NS", "EW"), pair, strict=True)) if pair is not None else None


def law_json(law: Rules | None) -> Json:
    """The code in force with its options, and the readings chosen if there are any."""
    of: Json = {
        "code": law.code if law else None,
        "options": list(reading_choices.options_of(law.options)) if law else [],
    }
    return of | (
        {"chosen": list(reading_choices.choices_of(law.options))} if law and law.chosen else {}
    )


# --- what the answer repeats of the deal ----------------------------------------------------------


def hands_json(deal: Deal, say: Say) -> Json:
    """The hands as written, by seat: cards, small cards by suit, and whether the hand held more."""
    return {
        seat.value: of_fields(hand, say, "cards", "partial")
        | {"small": plain(dict(hand.small), say)}
        for seat, hand in hands_of(deal)
    }


def auction_json(deal: Deal, declared: Declared, made: Iterable[Made], say: Say) -> Json:
    """The calls with their players; `relative` to each other if the dealer is not known."""
    marks = {item_of(deal, remark.event): remark.mark for remark in deal.remarks}
    calls = [
        of_fields(one.call, say, "item", "kind", "odd_tricks", "denomination", "corrects")
        | {"seat": one.seat.value, "mark": marks.get(one.call.item), "void": one.void}
        for one in made
    ]
    return {"calls": calls, "relative": declared.relative, "passed_out": declared.passed_out}


def play_json(outcome: Outcome, followed: Iterable[Followed], say: Say) -> Json:
    """The tricks in the order played.

    They are `complete` if each was followed to its end or settled by a claim.
    """
    tricks = [
        {
            "cards": [
                {**of_fields(played, say, "item", "card"), "seat": plain(seat, say)}
                for seat, played in trick.cards
            ],
            "winner": plain(trick.winner, say),
        }
        for trick in followed
    ]
    return {"tricks": tricks, "complete": outcome.complete}


OF_INCIDENT = "item name by of noticed_by remedy chosen_by waived_by note".split()
"""The fields of a recorded irregularity that the answer repeats."""


def stated_json(deal: Deal) -> Json:
    """The state of the rubber before the deal, as the record states it."""
    sides = deal.vulnerable
    return {
        "games": of_sides(deal.standing_games),
        "trick": of_sides(deal.standing_trick),
        "honour": of_sides(deal.standing_honour),
        "vulnerable": None if sides is None else [s.value for s in Side if s in sides],
    }
