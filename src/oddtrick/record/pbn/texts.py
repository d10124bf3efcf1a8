"""The text of what a record states, as the values of PBN's tags."""

from __future__ import annotations

import re

from oddtrick.cards import PRINTED_SUITS, Seat, Side
from oddtrick.record.model import Declaration, Hand, Result, ScoreClaim

PBN_DENOMINATION = {suit.word: suit.value for suit in PRINTED_SUITS} | {"no-trump": "NT"}
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
"""What no string of PBN can hold."""


def quoted(text: str) -> str:
    """A PBN string; what a string cannot hold (tabs, ends of lines) becomes a space."""
    text = CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def deal_text(hands: tuple[tuple[Seat, Hand], ...], first: Seat | None) -> str:
    """The value of a `Deal` tag, from a seat on, by default the first hand's."""
    by_seat = dict(hands)
    if not by_seat:
        return ""
    first = first or hands[0][0]
    seats = (first.after(i) for i in range(4))
    return f"{first.value}:" + " ".join(
        hand_text(by_seat[s]) if s in by_seat else "-" for s in seats
    )


def hand_text(hand: Hand) -> str:
    """A hand as PBN writes it, ranks from high to low: `AK2.QJ..T987654`."""
    small = dict(hand.small)
    return ".".join(
        "".join(c.rank for c in sorted(hand.cards, key=lambda c: -c.height) if c.suit is suit)
        + "x" * small.get(suit, 0)
        for suit in PRINTED_SUITS
    )


def contract_text(declaration: Declaration) -> str:
    """The value of a `Contract` tag, empty where PBN has no word for the declaration."""
    if declaration.passed_out:
        return "Pass"
    letter = PBN_DENOMINATION.get(declaration.denomination or "")
    if letter is None or declaration.odd_tricks not in (*range(1, 8), None):
        return ""
    if declaration.odd_tricks is None:
        return letter
    return f"{declaration.odd_tricks}{letter}" + "X" * min(declaration.doubled or 0, 2)


def vulnerable_text(sides: frozenset[Side]) -> str:
    """The value of a `Vulnerable` tag."""
    return "All" if len(sides) == 2 else next((s.value for s in sides), "None")


def result_text(result: Result, declaration: Declaration | None) -> str:
    """The value of a `Result` tag, tricks of the declaring side, empty where they do not follow."""
    odd = declaration.odd_tricks if declaration else None
    plain = declaration is not None and declaration.denomination in PBN_DENOMINATION
    tricks: int | None = None
    if result.kind == "tricks":
        tricks = result.number
    elif result.kind == "odd" and plain:
        tricks = 6 + result.number
    elif odd is not None and plain:
        tricks = 6 + odd + (result.number if result.kind == "made" else -result.number)
    return str(tricks) if tricks is not None and 0 <= tricks <= 13 else ""


def rubber_score_text(scores: tuple[ScoreClaim, ...]) -> str:
    """The value of a `ScoreRubber` tag; empty where the claims are more than it can hold."""
    parts = []
    for trick, honour in zip(scores[::2], scores[1::2], strict=False):
        same = trick.side is honour.side and (trick.column, honour.column) == ("trick", "honour")
        if not same or len(trick.points) != 1 or len(honour.points) != 1:
            return ""
        parts.append(f"{trick.side.value} {honour.points[0]}/{trick.points[0]}")
    return " ".join(parts) if len(scores) == 2 * len(parts) else ""
