"""A board of LIN as nearly all programs write it, read in numbers.

It stands on one line that begins with its players: what is said of the deal, the calls, the cards,
a claim. Of the rest nothing is made here, and nothing is to be said of it; any other board is left
to `board`, which takes it command by command.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import CARD_OF, CARDS, OF_SUIT, PRINTED_SUITS, Seat, Side, Suit, bits, hand_of
from oddtrick.record.lin.board import BOARD, COMMANDS
from oddtrick.record.lin.tricks import claim_of
from oddtrick.record.lin.values import KINDS, ORDER, TRICKS, VULNERABLE
from oddtrick.record.model import Place, Result, TableClaim
from oddtrick.record.numbers import Numbers, Row, Said
from oddtrick.record.pbn.fields import DENOMINATIONS

LONGEST = 5_000
"""A longer board is taken command by command."""

_TEXT, _WORD = r"[^|\r\n]*+", r"[^|\s]*+"
_BOARD = re.compile(
    rf"(pn\|{_TEXT}\|(?:(?:st|rh|ah)\|{_TEXT}\||(?:md|sv)\|{_WORD}\|)*+)"
    rf"((?:mb\|{_WORD}\|(?:an\|{_TEXT}\|)?)*+)((?:pg\|\||pc\|{_WORD}\|)*+)"
    r"(?:mc\|([0-9]{1,2})\|(?:pg\|\|)?)?(?:\r?\n)?"
)
_RANKS = "([2-9TJQKA]{0,13})"
_DEALT = re.compile("".join(f"(?:{suit.value}{_RANKS})?" for suit in PRINTED_SUITS))
_PACK = sum(OF_SUIT.values())

_CALLS: dict[str, Said] = {
    f"{odd}{letter}": ("bid", odd, DENOMINATIONS[letter])
    for odd in range(1, 8)
    for letter in ("C", "D", "H", "S", "N")
} | {word: (kind, None, None) for sign, kind in KINDS.items() for word in (sign, sign.upper())}
_CALLS |= {f"{word}!": call for word, call in _CALLS.items()}


class PlainBoard(NamedTuple):
    """A plain board: its name, where it stands, its numbers, the claim that ended its play."""

    name: str | None
    place: Place
    numbers: Numbers
    claims: tuple[TableClaim, ...]


def plain_board(raw: bytes, line: int) -> PlainBoard | None:
    """The board that a line of a file is; `None` where it is not plain."""
    if len(raw) > LONGEST:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    found = _BOARD.fullmatch(text)
    if found is None:
        return None
    words = found[1].split("|")[:-1]
    said = dict(zip(words[::2], words[1::2], strict=True))
    told = _deal(said) if 2 * len(said) == len(words) and said["pn"].count(",") < 4 else None
    calls, rows = _calls(found[2]), _rows(found[3])
    if told is None or calls is None or rows is None:
        return None
    dealer, hands, sides = told
    claimed = None
    if found[4]:
        place = Place(line, found.start(4) + 1, line, found.end(4) + 1)
        claimed = Result("tricks", int(found[4]), place)
        if claimed.number > TRICKS:
            return None
    most = max(len(calls), sum(len(row.cards) for row in rows), sum(map(int.bit_count, hands)))
    stated = (dealer, None, None, claimed, sides, None)
    numbers = Numbers(calls or None, rows or None, hands, most, False, *stated)
    named = BOARD.fullmatch(said.get("ah", "").strip())
    place = Place(line, _begins(words), line, len(text.rstrip("\r\n")))
    return PlainBoard(named[1] if named else None, place, numbers, claim_of(numbers, claimed))


def _begins(words: list[str]) -> int:
    """The column of the value of the first command with which a board is there."""
    first = next(at for at in range(0, len(words), 2) if words[at] in COMMANDS)
    return sum(map(len, words[: first + 1])) + first + 2


Told = tuple[Seat | None, list[int], frozenset[Side] | None]
"""The dealer, the cards of the four players as bits, the vulnerable sides."""


def _deal(said: dict[str, str]) -> Told | None:
    """What the commands before the calls tell, by their names."""
    dealt, risk = said.get("md", ""), said.get("sv", "").lower()
    if risk and risk not in VULNERABLE:
        return None
    digit = dealt[:1] if dealt[:1] in "01234" else ""
    hands = _hands(dealt[len(digit) :])
    if hands is None:
        return None
    dealer = ORDER[int(digit) - 1] if digit not in ("", "0") else None
    return dealer, hands, VULNERABLE.get(risk)


def _hands(text: str) -> list[int] | None:
    """The cards of four players as bits, by `SEATS`, of whom the last may follow from the rest."""
    written = text.removesuffix(",").split(",")
    if len(written) not in (3, 4):
        return None
    held = [0, 0, 0, 0]
    for seat, hand in zip(ORDER, written, strict=False):
        found = _DEALT.fullmatch(hand)
        if found is None or not hand:
            return None
        cards = hand_of(map(_holding, found.groups("")))
        if cards.bit_count() != len(hand) - sum(map(hand.count, "SHDC")):
            return None
        held[seat.number] = cards
    if len(written) == 4:
        return held if all(held) else None
    held[ORDER[3].number] = rest = _PACK & ~(held[0] | held[1] | held[2] | held[3])
    return held if all(cards.bit_count() == TRICKS for cards in (*held, rest)) else None


@lru_cache(20_000)
def _holding(ranks: str) -> int:
    """The cards of a suit as bits, as if clubs, by their ranks."""
    return bits(CARDS[Suit.CLUBS][rank] for rank in ranks)


def _calls(text: str) -> list[Said] | None:
    """The calls of commands, of which some are explained."""
    words = text.split("|")
    values = words[1::2]
    if "an|" in text:
        values = [value for name, value in zip(words[::2], values, strict=False) if name == "mb"]
    calls = [_CALLS[value] for value in values if value in _CALLS]
    return calls if len(calls) == len(values) else None


def _rows(text: str) -> list[Row] | None:
    """The tricks of the cards that are played one by one."""
    values = text.replace("pg||", "").split("|")[1::2]
    cards = [CARD_OF[value] for value in values if value in CARD_OF]
    if len(cards) < len(values):
        return None
    return [Row(cards[at : at + 4]) for at in range(0, len(cards), 4)]
