"""The values of PBN's tags: each read into the model, or `None` where it is not understood.

What a value leaves open stays open: a hand written `-` is not there, a declarer that is not named
is `None`. Beside the value stands, where there is one, what had to be taken for granted to read it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from oddtrick.cards import (
    CARDS,
    PACK,
    PRINTED_SUITS,
    RANKS,
    SEAT_OF,
    SEATS,
    Card,
    Seat,
    Side,
    Suit,
    bits,
)
from oddtrick.record.model import MOST, Declaration, Hand, Place, Result, ScoreClaim, SideFigures

UNKNOWN = frozenset(("", "?"))
"""Tag values that say nothing: `?` for unknown, empty for what does not apply."""

DENOMINATIONS = {sign: suit.word for suit in Suit for sign in (suit.value, suit.symbol)}
DENOMINATIONS |= dict.fromkeys(("NT", "N", "SA"), "no-trump")
"""Denomination by what stands for it in a call; `1N` and the `1SA` of other tongues too."""

PBN_DENOMINATION = {suit.word: suit.value for suit in PRINTED_SUITS} | {"no-trump": "NT"}
RISKS = {"": 0, "X": 1, "XX": 2, "*": 1, "**": 2, "DBL": 1, "R": 2, "RDBL": 2, "REDBL": 2}
VULNERABLE = {
    **dict.fromkeys(("NONE", "LOVE", "-"), frozenset[Side]()),
    **dict.fromkeys(("NS", "N-S", "N/S"), frozenset((Side.NS,))),
    **dict.fromkeys(("EW", "E-W", "E/W"), frozenset((Side.EW,))),
    **dict.fromkeys(("ALL", "BOTH"), frozenset(Side)),
}
SIDES = {side.value: side for side in Side}

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
_DESCENDING = re.compile("".join(f"{rank}?" for rank in reversed(RANKS)))
_FIRST = re.compile(r"\s*([NESWnesw])\s*:\s*")
_HAND = re.compile(r"\S+")
_WHOLE = re.compile("([NESW]):" + " ".join([r"\.".join(["([2-9TJQKA]*+)"] * 4)] * 4))


@lru_cache(1000)
def seat_of(text: str) -> Seat | None:
    """The seat of `N`, `n` or `North`."""
    text = text.strip()
    return SEAT_OF.get(text.upper()) or SEAT_OF.get(text.lower())


@lru_cache(1000)
def vulnerable_of(text: str) -> frozenset[Side] | None:
    """The vulnerable sides of a `Vulnerable` tag."""
    return VULNERABLE.get(text.strip().upper())


@lru_cache(1000)
def contract_of(text: str) -> tuple[Declaration | None, str | None]:
    """The declaration of a `Contract` tag, and what was assumed.

    Of an end position the tag names the denomination alone. A declarer written behind the contract
    is read.
    """
    written = " ".join(text.upper().split())
    if written in _PASSED:
        return Declaration(passed_out=True), None
    found = _CONTRACT.fullmatch(written)
    if found is None or (found["odd"] is None and (found["risk"] or found["by"])):
        return None, None
    denomination, risk = DENOMINATIONS[found["denomination"]], found["risk"] or ""
    if found["odd"] is None:
        return Declaration(denomination=denomination), None
    doubled, assumed = RISKS[risk], None
    if risk not in ("", "X", "XX"):
        assumed = f'"{text}" was read as {"redoubled" if doubled == 2 else "doubled"}'
    declarer = SEAT_OF[found["by"]] if found["by"] else None
    return Declaration(int(found["odd"]), denomination, doubled, declarer), assumed


@lru_cache(1000)
def result_of(text: str, declarer: Seat | None) -> Result | None:
    """The result of a `Result` tag without its caret: tricks of the declaring side.

    `EW 4` is a result only where the declarer is known; with North or South for declarer it says
    nine tricks, for thirteen are played. `+1`, `=` and `-2` are read as made and down.
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
    tricks = {SIDES[sides[i]]: int(sides[i + 1]) for i in (1, 3) if sides[i]}
    mine = tricks.get(declarer.side, 13 - tricks.get(declarer.side.other, 0))
    return Result("tricks", mine) if 0 <= mine <= 13 else None


def rubber_score_of(text: str, declarer: Seat | None) -> tuple[ScoreClaim, ...] | None:
    """The claims of a `ScoreRubber` tag, `NS 300/40`: points above the line and below it."""
    claims: list[ScoreClaim] = []
    rest = " ".join(text.upper().split())
    while rest:
        found = _RUBBER.match(rest)
        side = SIDES[found[1]] if found and found[1] else declarer.side if declarer else None
        if found is None or side is None or any(c.side is side for c in claims):
            return None
        claims += (
            ScoreClaim(side, "trick", (int(found[3]),)),
            ScoreClaim(side, "honour", (int(found[2]),)),
        )
        rest = rest[found.end() :].strip()
    return tuple(claims) or None


def history_of(text: str) -> tuple[SideFigures, SideFigures, SideFigures] | None:
    """The games won, trick points and honour score before the deal, of a `ScoreRubberHistory` tag.

    A finished game belongs to the side with more points below the line: only one side reaches the
    game. `None` where the tag does not say who won a game.
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
        SideFigures(games[0], games[1]),
        SideFigures(below[0][-1], below[1][-1]),
        SideFigures(above[0][1], above[1][1]),
    )


# --- the deal -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands of a `Deal` tag, and the pieces of it that could not be read."""

    hands: tuple[tuple[Seat, Hand], ...]
    unread: tuple[tuple[str, Place], ...] = ()


class _Holdings(dict[str, int]):
    """The cards of a suit as bits, by their ranks from the ace down."""

    def __init__(self, suit: Suit) -> None:
        """None is known yet of the suit."""
        self.suit = suit

    def __missing__(self, ranks: str) -> int:
        if not _DESCENDING.fullmatch(ranks):
            raise KeyError(ranks)
        self[ranks] = bits(CARDS[self.suit][rank] for rank in ranks)
        return self[ranks]


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = map(_Holdings, PRINTED_SUITS)


@lru_cache(8)  # three ask for that of a record
def plain_deal(text: str) -> Sequence[int] | None:
    """The cards of the four players as bits, by `SEATS`, of a `Deal` tag with four whole hands.

    `None` of any other: `deal_of` reads them all.
    """
    found = _WHOLE.fullmatch(text)
    if found is None:
        return None
    first, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q = found.groups()
    try:
        held = [
            _SPADES[a] | _HEARTS[b] | _DIAMONDS[c] | _CLUBS[d],
            _SPADES[e] | _HEARTS[f] | _DIAMONDS[g] | _CLUBS[h],
            _SPADES[i] | _HEARTS[j] | _DIAMONDS[k] | _CLUBS[m],
            _SPADES[n] | _HEARTS[o] | _DIAMONDS[p] | _CLUBS[q],
        ]
    except KeyError:
        return None
    begin = SEAT_OF[first].number
    return [*held[-begin:], *held[:-begin]] if begin else held


def deal_of(text: str, line: int, column: int) -> Deal | None:
    """The hands of a `Deal` tag whose value begins at a line and column; `None` without a seat.

    Hands stand from North on and each suit from the ace down, in whatever order they are written. A
    hand of which a character or the number of suits is wrong is left out, and the others are read.
    """
    first = _FIRST.match(text)
    if first is None:
        return None
    seat = SEAT_OF[first[1].upper()]
    hands: list[tuple[Seat, Hand]] = []
    unread: list[tuple[str, Place]] = []
    for index, found in enumerate(_HAND.finditer(text, first.end())):
        written, start = found[0], column + found.start()
        place = Place(line, start, line, start + len(written))
        if written == "-":
            continue
        hand = _hand(written.upper(), place) if index < 4 else None
        if hand:
            hands.append((seat.after(index), hand))
        else:
            unread.append((written, place))
    hands.sort(key=lambda h: SEATS.index(h[0]))
    return Deal(tuple(hands), tuple(unread))


def _hand(written: str, place: Place) -> Hand | None:
    suits = written.split(".")
    if len(suits) != 4:
        return None
    # Some programs repeat the suit: `SAKQ.HJT9.D876.C543`.
    skip = all(s[:1] == letter for s, letter in zip(suits, "SHDC", strict=True))
    if not skip and (known := _plain_hand(suits, place)):
        return known
    cards: list[Card] = []
    places: list[Place] = []
    small: list[tuple[Suit, int]] = []
    line, column = place.line, place.column
    for suit, ranks in zip(PRINTED_SUITS, suits, strict=True):
        of_suit, few, i = CARDS[suit], 0, 1 if skip else 0
        while i < len(ranks):
            width = 2 if ranks.startswith("10", i) else 1
            rank = "T" if width == 2 else ranks[i]
            card = of_suit.get(rank)
            if card:
                cards.append(card)
                places.append(Place(line, column + i, line, column + i + width))
            elif rank == "X":
                few += 1
            else:
                return None
            i += width
        if few:
            small.append((suit, few))
        column += len(ranks) + 1
    held = sorted(zip(cards, places, strict=True), key=lambda held: PACK.index(held[0]))
    return Hand(tuple(c for c, _ in held), tuple(small), False, tuple(p for _, p in held), place)


def _plain_hand(suits: list[str], place: Place) -> Hand | None:
    """A hand of which every suit is plain letters from the ace down, as nearly always."""
    cards: list[Card] = []
    places: list[Place] = []
    line, column = place.line, place.column
    for suit, ranks in zip(PRINTED_SUITS, suits, strict=True):
        if not _DESCENDING.fullmatch(ranks):
            return None
        of_suit = CARDS[suit]
        for rank in ranks:
            cards.append(of_suit[rank])
            places.append(Place(line, column, line, column + 1))
            column += 1
        column += 1
    return Hand(tuple(cards), (), False, tuple(places), place)


# --- strings --------------------------------------------------------------------------------------

CONTROL = re.compile(r"[\x00-\x1f\x7f]")
"""What no string of PBN can hold."""
_ESCAPED = re.compile(r'\\(["\\])')


def quoted(text: str) -> str:
    """A PBN string; what a string cannot hold (tabs, ends of lines) becomes a space."""
    text = CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def unescaped(text: str) -> str:
    """The text between the quotation marks of a PBN string."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


# --- writing --------------------------------------------------------------------------------------


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
