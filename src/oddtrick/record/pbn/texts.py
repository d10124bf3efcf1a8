"""What a deal states, as the values of PBN's tags; `None` if a tag cannot say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from oddtrick.cards import PRINTED_SUITS, SEATS, Card, Side, Suit
from oddtrick.record.deal import Deal, Declaration, call, held
from oddtrick.record.pbn.fields import UNKNOWN

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
"""What no string of PBN can hold."""
BOOK, MOST_TRICKS = 6, 13
"""The deals of PBN have thirteen tricks, of which a contract `1S` is for seven."""


def quoted(text: str) -> str:
    """A PBN string; what a string cannot hold (tabs, ends of lines) becomes a space."""
    text = CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def is_sayable(value: str) -> bool:
    """Whether a tag can say a text as it is."""
    return value not in UNKNOWN and not value.startswith("#") and not CONTROL.search(value)


def is_name(value: str) -> bool:
    """Whether the tag of a player or a side can say a name."""
    return is_sayable(value) and value.strip() not in (*UNKNOWN, "-")


def hand_text(cards: Iterable[Card], small: Iterable[tuple[Suit, int]] = ()) -> str:
    """A hand as PBN writes it, ranks from high to low: `AK2.QJ..T987654`."""
    unknown, ranks = dict(small), dict.fromkeys(PRINTED_SUITS, "")
    for card in sorted(cards, reverse=True):
        ranks[card.suit] += card.rank
    return ".".join(ranks[suit] + "x" * unknown.get(suit, 0) for suit in PRINTED_SUITS)


def deal_text(deal: Deal) -> str | None:
    """The hands from the dealer on, or from the first that is written."""
    written = [seat for seat in SEATS if deal.hand_spans[seat.number] is not None]
    if not written:
        return None
    first, small = deal.dealer or written[0], {d.seat: d.small for d in deal.hand_details}
    return f"{first.value}:" + " ".join(
        hand_text(held(deal, seat), small.get(seat, ())) if seat in written else "-"
        for seat in map(first.after, range(4))
    )


def contract_text(deal: Deal) -> str | None:
    """The declaration as far as PBN has a word for it."""
    stated = deal.declaration
    if stated and stated.passed_out:
        return "Pass"
    letter = stated and PBN_DENOMINATION.get(stated.denomination or "")
    if not stated or not letter or stated.odd_tricks not in (*range(1, 8), None):
        return None
    if stated.odd_tricks is None:
        return letter
    return f"{stated.odd_tricks}{letter}" + "X" * min(stated.doubled or 0, 2)


def says_declaration(deal: Deal) -> bool:
    """Whether `Declarer` and `Contract` say exactly what is stated."""
    stated = deal.declaration or Declaration()
    if stated.passed_out:
        return stated == Declaration(passed_out=True)
    if stated.bridged:
        return False
    if contract_text(deal) is None:
        return (stated.odd_tricks, stated.denomination, stated.doubled) == (None, None, None)
    return stated.doubled in ((None,) if stated.odd_tricks is None else (0, 1, 2))


def vulnerable_text(sides: frozenset[Side] | None) -> str | None:
    """The vulnerable sides."""
    if sides is None:
        return None
    return "All" if len(sides) == 2 else next((side.value for side in sides), "None")


def result_text(deal: Deal) -> str | None:
    """The tricks of the declaring side, if they follow from what is stated."""
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
    """The points of each side above the line and below it; `None` if more is stated, or nothing."""
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


def says_result(deal: Deal) -> bool:
    """Whether `Result` says exactly what is stated."""
    return not deal.result or (deal.result.kind == "tricks" and result_text(deal) is not None)


def table_text(deal: Deal) -> str | None:
    """The table, if its name can stand in a tag."""
    return deal.table if deal.table and is_sayable(deal.table) else None


TAGS: Sequence[tuple[str, str, Callable[[Deal], str | None], Callable[[Deal], bool]]] = (
    ("dealer", "Dealer", lambda d: d.dealer and d.dealer.value, lambda _: True),
    ("vulnerable", "Vulnerable", lambda d: vulnerable_text(d.vulnerable), lambda _: True),
    ("hands", "Deal", deal_text, lambda d: not any(one.partial for one in d.hand_details)),
    ("declaration", "Contract", contract_text, says_declaration),
    ("result", "Result", result_text, says_result),
    ("table", "Table", table_text, lambda d: d.table == table_text(d)),
    (
        "scores",
        "ScoreRubber",
        rubber_score_text,
        lambda d: not d.scores or bool(rubber_score_text(d)),
    ),
)
"""Each statement that a tag can make: its field, the tag, the text, whether that says all of it."""
