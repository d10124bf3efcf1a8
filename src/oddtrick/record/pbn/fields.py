"""The values of PBN tags, parsed into the values of a `Deal` and written from them.

What a value leaves open stays unknown: a hand written `-` is not recorded, and a declarer who is
not named is `None`. A function that parses a value returns `None` if it is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from oddtrick.cards import CARDS, LANE, PRINTED_SUITS, SEAT_OF, SEATS, Card, Seat, Side, Suit
from oddtrick.record.deal import (
    ALL_PASS,
    MOST,
    OF_BID,
    PASS,
    UNRECORDED,
    Deal,
    Declaration,
    Figures,
    HandDetail,
    Result,
    Score,
    Span,
    call,
    denomination_of,
    held,
    holding,
    is_bid,
)

UNKNOWN = frozenset(("", "?"))
"""Tag values without content: `?` for unknown, and empty for not applicable."""

DENOMINATIONS = {sign: suit.word for suit in Suit for sign in (suit.value, suit.symbol)}
DENOMINATIONS |= dict.fromkeys(("NT", "N", "SA"), "no-trump")
"""Denominations by how a call writes them, including `1N` and the `1SA` of other languages."""

_BOARD = re.compile(r"(?:deal|board) (\S+)(?: (?:open|closed) room)?")
_RISKS = {"": 0, "X": 1, "XX": 2, "*": 1, "**": 2, "DBL": 1, "R": 2, "RDBL": 2, "REDBL": 2}
_VULNERABLE = {
    **dict.fromkeys(("NONE", "LOVE", "-"), frozenset[Side]()),
    **dict.fromkeys(("NS", "N-S", "N/S"), frozenset((Side.NS,))),
    **dict.fromkeys(("EW", "E-W", "E/W"), frozenset((Side.EW,))),
    **dict.fromkeys(("ALL", "BOTH"), frozenset(Side)),
}
_SIDES = {side.value: side for side in Side}

_CONTRACT = re.compile(
    r"(?P<odd>[1-7])?\s*(?P<denomination>NT|N|SA|[SHDC♠♥♦♣])"
    r"\s*(?P<risk>XX|X|RDBL|REDBL|DBL|R|\*\*|\*)?(?:(?:\s+BY\s+|\s*-\s*|\s+)(?P<by>[NESW]))?"
)
_PASSED = frozenset(("PASS", "P", "AP", "ALL PASS", "PASSED OUT", "PASSOUT", "PASS OUT"))
_RESULT = re.compile(r"(\d{1,2})")
_SIDE_RESULTS = re.compile(r"(NS|EW)\s+(\d{1,2})(?:\s+(NS|EW)\s+(\d{1,2}))?")
_MADE = re.compile(r"(?:=|\+\s*(?P<over>\d{1,2})|-\s*(?P<under>\d{1,2}))")
_RUBBER = re.compile(r"(?:(NS|EW)\s*)?(\d{1,6})\s*/\s*(\d{1,6})(?!\d)")
_HISTORY = re.compile(r"NS\s+([\d\s]+)/([\d\s]+)EW\s+([\d\s]+)/([\d\s]+)")

CALLS = {
    f"{odd}{letter}": call("bid", odd, denomination)
    for odd in range(1, 8)
    for letter, denomination in DENOMINATIONS.items()
}
for _kind, _words in {
    "pass": "PASS P PAS / NB NOBID NO",
    "double": "X DBL DOUBLE D DB",
    "redouble": "XX RDBL REDBL REDOUBLE R RD",
    "all-pass": "AP ALLPASS",
}.items():
    CALLS |= dict.fromkeys(_words.split(), call(_kind))
CALLS |= {word: packed for name, packed in CALLS.items() for word in (name.lower(), name.title())}
"""Calls by their usual spellings, in upper, lower and title case."""

CARDS_PLAYED = {
    letter + rank: card
    for suit in Suit
    for letter in (suit.value, suit.value.lower(), suit.symbol)
    for written, card in CARDS[suit].items()
    for rank in {written, written.lower(), "10" if written == "T" else written}
}
"""Cards by suit (letter or symbol) and rank, with `T` or `10`."""
TURNED = {word[1:] + word[0]: card for word, card in CARDS_PLAYED.items()}
"""The same with the rank before the suit."""


TRUMPS = {suit.word: number for number, suit in enumerate(Suit)}
"""The suit number of a card (`card >> LANE`) by the word for the suit."""


def winner_of(trick: Sequence[int], denomination: str | None) -> int:
    """The index of the winner of a complete trick: the highest trump, or card of the suit led."""
    trump, suits = TRUMPS.get(denomination or ""), [card >> LANE for card in trick]
    suit = trump if trump in suits else suits[0]
    return trick.index(max(card for card in trick if card >> LANE == suit))


def is_over(calls: Sequence[int]) -> bool:
    """Whether calls end the auction: all pass, three passes after a call, or four passes."""
    return ALL_PASS in calls[-1:] or (len(calls) > 3 and {*calls[-3:]} == {PASS})


def final_declaration(
    calls: Sequence[int], opener: Seat | None, stated: Declaration | None
) -> tuple[Seat | None, str | None]:
    """Declarer and denomination, from the calls or, if these are incomplete, as stated."""
    if opener is None or UNRECORDED in calls or not is_over(calls):
        return (stated.declarer, stated.denomination) if stated else (None, None)
    last = len(calls) - 1
    while last >= 0 and not is_bid(calls[last]):
        last -= 1
    if last < 0:
        return None, None
    named = [made & OF_BID for made in calls[last & 1 : last + 1 : 2]]  # the calls of one side
    first = named.index(named[-1]) * 2 + (last & 1)
    return opener.after(first), denomination_of(calls[last])


def board_of(name: str) -> str | None:
    """The value of the Board tag that the id of a deal implies; `None` if it implies none."""
    found = _BOARD.fullmatch(name)
    return found and found[1]


def first_bidder(
    calls: Sequence[int], opener: Seat, leader: Seat | None, stated: Declaration | None
) -> Seat | None:
    """Who made the first bid, if the passes before it are missing; otherwise `None`.

    Some programs leave out these passes. The calls then make another player declarer than the one
    whom the contract and the first lead name.
    """
    if not (calls and is_bid(calls[0]) and stated and stated.declarer):
        return None
    by, denomination = final_declaration(calls, opener, None)
    if leader is not stated.declarer.left or by in (None, stated.declarer):
        return None
    if denomination != stated.denomination:
        return None
    return opener.after(stated.declarer.number - by.number)


@lru_cache(1000)
def seat_of(text: str) -> Seat | None:
    """The seat of `N`, `n` or `North`."""
    text = text.strip()
    return SEAT_OF.get(text.upper()) or SEAT_OF.get(text.lower())


@lru_cache(10_000)
def contract_of(text: str, declarer: Seat | None) -> Declaration | None:
    """The declaration of a `Contract` tag.

    In an end position the tag names only the denomination. A declarer written after the contract
    is used if no tag names one.
    """
    written = " ".join(text.upper().split())
    if written in _PASSED:
        return Declaration(passed_out=True)
    found = _CONTRACT.fullmatch(written)
    if found is None or (found["odd"] is None and (found["risk"] or found["by"])):
        return None
    denomination, risk = DENOMINATIONS[found["denomination"]], found["risk"] or ""
    if found["odd"] is None:
        return Declaration(denomination=denomination, declarer=declarer)
    declarer = declarer or (SEAT_OF[found["by"]] if found["by"] else None)
    return Declaration(int(found["odd"]), denomination, _RISKS[risk], declarer)


@lru_cache(1000)
def result_of(text: str, declarer: Seat | None) -> Result | None:
    """The result of a `Result` tag without its caret: tricks of the declaring side.

    `EW 4` is a result only if the declarer is known; if North or South is declarer, it means nine
    tricks, since thirteen are played. `+1`, `=` and `-2` are read as made or down.
    """
    written = " ".join(text.upper().split())
    if _RESULT.fullmatch(written):
        return Result("tricks", int(written))
    if made := _MADE.fullmatch(written):
        kind = "down" if made["under"] else "made"
        return Result(kind, int(made["under"] or made["over"] or 0))
    sides = _SIDE_RESULTS.fullmatch(written)
    if sides is None or declarer is None or sides[1] == sides[3]:
        return None
    tricks = {_SIDES[sides[i]]: int(sides[i + 1]) for i in (1, 3) if sides[i]}
    mine = tricks.get(declarer.side, 13 - tricks.get(declarer.side.other, 0))
    return Result("tricks", mine) if 0 <= mine <= 13 else None


def rubber_score_of(text: str, declarer: Seat | None) -> tuple[Score, ...] | None:
    """The scores of a `ScoreRubber` tag, `NS 300/40`: points above the line and below it.

    If the tag names no side, the points are those of declarer's side.
    """
    scores: list[Score] = []
    rest = " ".join(text.upper().split())
    while rest:
        found = _RUBBER.match(rest)
        side = _SIDES[found[1]] if found and found[1] else declarer.side if declarer else None
        if found is None or side is None or any(s.side is side for s in scores):
            return None
        scores += Score(side, "trick", (int(found[3]),)), Score(side, "honour", (int(found[2]),))
        rest = rest[found.end() :].strip()
    return tuple(scores) or None


def history_of(text: str) -> tuple[Figures, Figures, Figures] | None:
    """The games won, trick points and honour score before the deal, of a `ScoreRubberHistory` tag.

    A finished game was won by the side with more points below the line. `None` if these are equal,
    or if the tag is not understood.
    """
    found = _HISTORY.fullmatch(" ".join(text.upper().split()))
    if found is None:
        return None
    if any(len(n) > len(str(MOST)) for group in found.groups() for n in group.split()):
        return None
    above = [[int(n) for n in found[i].split()] for i in (1, 3)]
    below = [[int(n) for n in found[i].split()] for i in (2, 4)]
    played = len(below[0])
    if [len(a) for a in above] != [2, 2] or len(below[1]) != played or not 1 <= played <= 3:
        return None
    games = [0, 0]
    for ns, ew in zip(below[0][:-1], below[1][:-1], strict=True):
        if ns == ew:
            return None
        games[ns < ew] += 1
    return (
        Figures(games[0], games[1]),
        Figures(below[0][-1], below[1][-1]),
        Figures(above[0][1], above[1][1]),
    )


def history_text(honour: Mapping[Side, int], games: Sequence[Mapping[Side, int]]) -> str:
    """The value of a `ScoreRubberHistory` tag for the honour score and the points of each game."""
    below = {side: " ".join(str(game[side]) for game in games) for side in Side}
    return " ".join(f"{side.value} 0 {honour[side]}/{below[side]}" for side in Side)


# --- hands ----------------------------------------------------------------------------------------


_RANKS = re.compile(r"-|(?:10|[2-9TJQKAX])*+", re.IGNORECASE | re.ASCII)
_NAMED_SUITS = re.compile(r"(?i:^S|(\.)[HDC])")

Hand = tuple[int, tuple[tuple[Suit, int], ...], tuple[Card, ...]]
"""A hand: its cards as a bit set, its small cards by suit, and its repeated cards."""


@lru_cache(20_000)
def _suit_of(suit: Suit, written: str) -> tuple[int, int, tuple[Card, ...]] | None:
    """The cards of a suit as in `holding`; `None` if they are not ranks."""
    return holding(suit, written.strip("-")) if _RANKS.fullmatch(written) else None


def hand_of(written: str) -> Hand | None:
    """Parse a hand, `AK2.QJ..T987654`, with ranks in any order; `None` if it is not a hand.

    Some programs repeat the suit, `SAK2.HQJ.D.CT987654`, or write `-` for a void.
    """
    suits = (_NAMED_SUITS.sub(r"\1", written) if written[:1] in "Ss" else written).split(".")
    if len(suits) != len(PRINTED_SUITS):
        return None
    hand, small = 0, []
    again: list[Card] = []
    for suit, ranks in zip(PRINTED_SUITS, suits, strict=True):
        held_in_suit = _suit_of(suit, ranks)
        if held_in_suit is None:
            return None
        cards, number, repeated = held_in_suit
        hand |= cards
        if number:
            small.append((suit, number))
        again.extend(repeated)
    return hand, tuple(small), tuple(again)


_DEALT = re.compile(r"([NESWnesw])\s*:\s*(\S*)|(\S+)")
Dealt = tuple[tuple[int, ...], tuple[Span | None, ...], tuple[HandDetail, ...], tuple[Span, ...]]
"""The value of a `Deal` tag: the hands as bit sets and their spans in the value, in the order of
`SEATS`; details of hands; and the spans of words that are not hands.
"""


@lru_cache(1000)
def deal_of(value: str) -> Dealt | None:
    """Parse the value of a `Deal` tag; `None` if it does not begin with a seat.

    Some programs write the seat before each hand. Cached, since a board played at several tables
    repeats the same value.
    """
    words = [*_DEALT.finditer(value)]
    if not words or not words[0][1]:
        return None
    at, hands, details, unread = 0, [0, 0, 0, 0], [], []
    spans: list[Span | None] = [None, None, None, None]
    for index, word in enumerate(words):
        at = SEAT_OF[word[1].upper()].number if word[1] else (at + 1) % len(SEATS)
        written, place = word[word.lastindex or 0], word.span(word.lastindex or 0)
        hand = hand_of(written) if index < len(SEATS) and not spans[at] else None
        if hand is not None:
            hands[at], small, again = hand
            spans[at] = place
            if small or again:
                details.append(HandDetail(SEATS[at], False, small, again))
        elif written not in ("", "-"):
            unread.append(place)
    return tuple(hands), tuple(spans), tuple(details), tuple(unread)


# --- a deal as the values of tags; `None` if a tag cannot express it -----------------------------

PBN_DENOMINATION = {suit.word: suit.value for suit in PRINTED_SUITS} | {"no-trump": "NT"}
_KINDS = {"pass": "Pass", "double": "X", "redouble": "XX", "all-pass": "AP", "unrecorded": "*"}
CALL_WORD = {call(kind): word for kind, word in _KINDS.items()} | {
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


class Tag(NamedTuple):
    """A tag that states a field of a deal.

    `read` parses its value, given the declarer, on whom a contract and a result depend; `problem`
    says why a value cannot be read. `write` returns the value that states the field of a deal.
    """

    field: str
    read: Callable[[str, Seat | None], Any]
    write: Callable[[Deal], str | None]
    problem: str = ""


STATED = {
    "Dealer": Tag(
        "dealer",
        lambda text, _: seat_of(text),
        lambda deal: deal.dealer and deal.dealer.value,
        "is not a seat; the dealer is not known",
    ),
    "Contract": Tag("declaration", contract_of, contract_text, "is not a valid contract in PBN"),
    "Result": Tag("result", result_of, result_text, "does not say how many tricks were taken"),
    "Vulnerable": Tag(
        "vulnerable",
        lambda text, _: _VULNERABLE.get(text.strip().upper()),
        lambda deal: vulnerable_text(deal.vulnerable),
        "is not a valid vulnerability in PBN",
    ),
    "ScoreRubber": Tag(
        "scores", rubber_score_of, rubber_score_text, "is not a score that names its side"
    ),
    "Table": Tag(
        "table",
        lambda text, _: text,
        lambda deal: deal.table if deal.table and is_sayable(deal.table) else None,
    ),
}
"""The tags that state a field; a tag comes after those on which it depends."""
