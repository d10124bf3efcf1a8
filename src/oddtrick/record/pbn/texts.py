"""Turns the fields of a deal into the values of PBN tags; `None` if a tag cannot express them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from oddtrick.cards import PRINTED_SUITS, SEATS, Card, Seat, Side, Suit
from oddtrick.record.deal import Deal, Declaration, call, held
from oddtrick.record.pbn.fields import (
    UNKNOWN,
    contract_of,
    result_of,
    rubber_score_of,
    seat_of,
    vulnerable_of,
)

PBN_DENOMINATION = {suit.word: suit.value for suit in PRINTED_SUITS} | {"no-trump": "NT"}
CALL_WORD = {
    call(kind): word
    for kind, word in {
        "pass": "Pass",
        "double": "X",
        "redouble": "XX",
        "all-pass": "AP",
        "unrecorded": "*",
    }.items()
} | {
    call("bid", odd, name): f"{odd}{letter}"
    for odd in range(1, 8)
    for name, letter in PBN_DENOMINATION.items()
}
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
"""Characters that a PBN string cannot contain."""
BOOK, MOST_TRICKS = 6, 13
"""A deal in PBN has thirteen tricks; a contract counts those above six."""


def quoted(text: str) -> str:
    """A text as a PBN string; control characters, such as tabs and line ends, become spaces."""
    text = CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def is_sayable(value: str) -> bool:
    """Whether a tag can have a text as its value unchanged."""
    return value not in UNKNOWN and not value.startswith("#") and not CONTROL.search(value)


def is_name(value: str) -> bool:
    """Whether the tag of a player or a side can have a name as its value unchanged."""
    return is_sayable(value) and value.strip() not in (*UNKNOWN, "-")


def hand_text(cards: Iterable[Card], small: Iterable[tuple[Suit, int]] = ()) -> str:
    """A hand in PBN, ranks from high to low: `AK2.QJ..T987654`."""
    unknown, ranks = dict(small), dict.fromkeys(PRINTED_SUITS, "")
    for card in sorted(cards, reverse=True):
        ranks[card.suit] += card.rank
    return ".".join(ranks[suit] + "x" * unknown.get(suit, 0) for suit in PRINTED_SUITS)


def deal_text(deal: Deal) -> str | None:
    """The value of `Deal`: the hands from the dealer on, or from the first that is written."""
    written = [seat for seat in SEATS if deal.hand_spans[seat.number] is not None]
    if not written:
        return None
    first, small = deal.dealer or written[0], {d.seat: d.small for d in deal.hand_details}
    return f"{first.value}:" + " ".join(
        hand_text(held(deal, seat), small.get(seat, ())) if seat in written else "-"
        for seat in map(first.after, range(4))
    )


def contract_text(deal: Deal) -> str | None:
    """The value of `Contract`, as far as PBN can express the declaration."""
    stated = deal.declaration
    if stated and stated.passed_out:
        return "Pass"
    letter = stated and PBN_DENOMINATION.get(stated.denomination or "")
    if not stated or not letter or stated.odd_tricks not in (*range(1, 8), None):
        return None
    if stated.odd_tricks is None:
        return letter
    return f"{stated.odd_tricks}{letter}" + "X" * min(stated.doubled or 0, 2)


def vulnerable_text(sides: frozenset[Side] | None) -> str | None:
    """The value of `Vulnerable`."""
    if sides is None:
        return None
    return "All" if len(sides) == 2 else next((side.value for side in sides), "None")


def result_text(deal: Deal) -> str | None:
    """The value of `Result`: the tricks of the declaring side, if they follow from the record."""
    result, stated = deal.result, deal.declaration
    if result is None or (stated and stated.passed_out):
        return None
    odd = stated.odd_tricks if stated else None
    if result.kind == "tricks":
        tricks = result.number
    elif stated is None or stated.denomination not in PBN_DENOMINATION:
        return None
    elif result.kind == "odd":
        tricks = BOOK + result.number
    elif odd is None:
        return None
    else:
        tricks = BOOK + odd + (result.number if result.kind == "made" else -result.number)
    return str(tricks) if 0 <= tricks <= MOST_TRICKS else None


def rubber_score_text(deal: Deal) -> str | None:
    """The value of `ScoreRubber`: the points of each side above and below the line.

    `None` unless every side stated has exactly one amount in each column.
    """
    texts = []
    for side, scores in groupby(deal.scores, lambda score: score.side):
        points = [(score.column, score.points) for score in scores]
        if [column for column, _ in points] != ["trick", "honour"]:
            return None
        (_, trick), (_, honour) = points
        if len(trick) != 1 or len(honour) != 1:
            return None
        texts.append(f"{side.value} {honour[0]}/{trick[0]}")
    return " ".join(texts) if 0 < len(texts) <= 2 else None


TAGS: Sequence[
    tuple[str, str, Callable[[Deal], str | None], Callable[[str | None, Seat | None], object]]
] = (
    ("dealer", "Dealer", lambda d: d.dealer and d.dealer.value, lambda t, _: t and seat_of(t)),
    (
        "vulnerable",
        "Vulnerable",
        lambda d: vulnerable_text(d.vulnerable),
        lambda t, _: t and vulnerable_of(t),
    ),
    (
        "declaration",
        "Contract",
        contract_text,
        lambda t, by: contract_of(t, by) if t else by and Declaration(declarer=by),
    ),
    ("result", "Result", result_text, lambda t, by: t and result_of(t, by)),
    (
        "table",
        "Table",
        lambda d: d.table if d.table and is_sayable(d.table) else None,
        lambda t, _: t,
    ),
    (
        "scores",
        "ScoreRubber",
        rubber_score_text,
        lambda t, _: rubber_score_of(t, None) if t else (),
    ),
)
"""The fields that have a tag: field, tag, the function that writes the value, one that reads it.

The reading function also receives the declarer, on whom a contract and a result depend.
"""
