"""Deals built from calls and tricks as objects, the reverse of `events_of`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from deals import facts
from oddtrick.cards import Seat
from oddtrick.judge import Check, GroupCheck
from oddtrick.judge.events import Call, Trick
from oddtrick.record.deal import (
    NOWHERE,
    UNKNOWN_CARD,
    Deal,
    Event,
    Group,
    Incident,
    Source,
    Unreadable,
    call,
    event_span,
)
from oddtrick.report.answers import Answer

BLANK = Deal(Source(), NOWHERE, "deal 1")
WRITTEN = (NOWHERE,) * 4


def with_calls(deal: Deal, calls: Sequence[Call]) -> Deal:
    """A deal with these calls and their irregularities."""
    return deal._replace(
        calls=tuple(call(c.kind, c.odd_tricks, c.denomination) for c in calls),
        call_starts=(),
        callers=tuple((n, c.seat) for n, c in enumerate(calls) if c.seat),
        corrections=tuple(n for n, c in enumerate(calls) if c.corrects),
        incidents=_incidents(deal, "call", [c.incidents for c in calls]),
    )


def with_tricks(deal: Deal, tricks: Sequence[Trick], columns: Seat | None = None) -> Deal:
    """A deal with these tricks and their irregularities."""
    cards = [played for trick in tricks for played in trick.cards]
    return deal._replace(
        columns=columns,
        cards=tuple(UNKNOWN_CARD if p.card is None else p.card for p in cards),
        card_starts=(),
        trick_starts=tuple(accumulate((len(t.cards) for t in tricks[:-1]), initial=0)),
        leaders=tuple((n, t.leader) for n, t in enumerate(tricks) if t.leader),
        players_named=tuple((n, p.seat) for n, p in enumerate(cards) if p.seat),
        incidents=_incidents(deal, "card", [p.incidents for p in cards]),
    )


def _incidents(deal: Deal, kind: str, found: Sequence[Iterable[Incident]]) -> tuple[Incident, ...]:
    """The irregularities of a deal, with those at events of one kind replaced by others."""
    others = (i for i in deal.incidents if i.event is None or i.event.kind != kind)
    own = (replace(i, event=Event(kind, n)) for n, some in enumerate(found) for i in some)
    return (*others, *own)


def without_auction(deal: Deal) -> Deal:
    """A deal without recorded calls."""
    found = _incidents(deal, "call", ())
    return deal._replace(calls=None, call_starts=(), callers=(), corrections=(), incidents=found)


def without_play(deal: Deal) -> Deal:
    """A deal without a recorded play or result."""
    found = _incidents(deal, "card", ())
    bare = deal._replace(cards=None, card_starts=(), trick_starts=(), leaders=(), incidents=found)
    return bare._replace(players_named=(), columns=None, result=None)


def placed(item: Deal | Group | Unreadable) -> object:
    """The items of a file with their positions, however the file was split."""
    place = item.source.place
    if isinstance(item, Unreadable):
        return item.rule, item.message, item.place, item.about and place(item.about[1])
    if isinstance(item, Group):
        return facts(item), place(item.span), [*map(placed, item.deals)]
    calls = [Event("call", n) for n in range(len(item.calls or ()))]
    cards = [Event("card", n) for n in range(len(item.cards or ()))]
    spans = [event_span(item, event) for event in (*calls, *cards)]
    spans += [span for _, span in item.stated] + [i.span for i in (*item.incidents, *item.comments)]
    return facts(item), item.place, [*map(place, spans)]


def unworded(result: Check | GroupCheck) -> dict[str, Any]:
    """The answer to a record or group without its words and what repeats the record."""
    answer = Answer(lambda _message: "")
    if isinstance(result, GroupCheck):
        return answer.group(result) | {"name": None}
    brief = answer.brief(result) | {"title": None}
    more = answer.fields(result, "standing", "next_to_call", "what_if")
    return brief | more | {"winners": answer.plain(result.winners)}
