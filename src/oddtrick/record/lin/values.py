"""The values of LIN's commands: hands, calls, cards, rooms, results, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from oddtrick.cards import CARDS, PACK, SEAT_OF, SEATS, SUIT_OF, Card, Seat, Side
from oddtrick.record.lin.commands import Command
from oddtrick.record.model import Call, Declaration, Hand, Place, Result
from oddtrick.record.pbn.fields import DENOMINATIONS

ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The seats as LIN counts them: players, hands, and the dealer from 1."""
TRICKS = len(PACK) // len(SEATS)
ROOMS = {"o": "Open", "c": "Closed"}
VULNERABLE = {
    **dict.fromkeys("o0", frozenset[Side]()),
    "n": frozenset((Side.NS,)),
    "e": frozenset((Side.EW,)),
    "b": frozenset(Side),
}
KINDS = {"p": "pass", "d": "double", "r": "redouble"}
HAND_WORDS = "suits S, H, D, C, each with its ranks AKQJT98765432"
CALL_WORDS = "1C to 7N, p, d, r"
CARD_WORDS = "a suit and a rank such as SA"
RESULT_WORDS = "such as 4HE=, 3NW+1, 5DNx-2, PASS"

_ROOM = re.compile(r"\s*([oc])?\s*(\d{1,6})\b.*", re.IGNORECASE | re.DOTALL)
_DEALER = re.compile(r"\s*(\d?)\s*", re.ASCII)
_CALL = re.compile(
    r"\s*(?:([1-7])(NT?|[SHDC])|([PDR])(?![A-CE-OQS-Z]))\s*(!*)\s*", re.IGNORECASE | re.ASCII
)
_CARD = re.compile(r"\s*([SHDC])(10|[2-9TJQKA])\s*", re.IGNORECASE | re.ASCII)
_SUIT = re.compile(r"([SHDC])((?:10|[2-9TJQKA])*)\s*", re.IGNORECASE | re.ASCII)
_RESULT = re.compile(
    r"([1-7])(NT?|[SHDC])([NESW])(X{0,2})(=|[+-]\d{1,2})", re.IGNORECASE | re.ASCII
)


def parts(command: Command) -> Iterator[Command]:
    """The parts of a value between commas, without the space around them, each with its place."""
    at = 0
    for part in command.value.split(","):
        start = at + len(part) - len(part.lstrip())
        yield command.part(start, max(start, at + len(part.rstrip())))
        at += len(part) + 1


def room_of(value: str) -> tuple[str, str] | None:
    """The room (`o`, `c`, or `?` where none is named) and the number of a board such as `o12`."""
    found = _ROOM.fullmatch(value)
    return ((found[1] or "?").lower(), found[2]) if found else None


# --- hands ----------------------------------------------------------------------------------------


def dealer_of(first: Command) -> tuple[str, Place, Command]:
    """The figure before the first hand, `""` where there is none, its place, and the hand."""
    found = _DEALER.match(first.value)
    digit, width = (found[1], found.end()) if found else ("", 0)
    return digit, first.part(0, width).place, first.part(width)


def hand_of(part: Command) -> Hand | None:
    """The hand of a value such as `SAKQHJ2DT98C5432`; `None` where it is none."""
    held: list[tuple[Card, Place]] = []
    at = 0
    while at < len(part.value):
        found = _SUIT.match(part.value, at)
        if found is None:
            return None
        for rank in re.finditer("10|.", found[2]):
            start = found.start(2) + rank.start()
            place = part.part(start, start + len(rank[0])).place
            held.append((_card(found[1], rank[0]), place))
        at = found.end()
    held.sort(key=lambda one: PACK.index(one[0]))
    cards, places = tuple(c for c, _ in held), tuple(p for _, p in held)
    return Hand(cards, (), False, places, part.place)


def fourth_of(hands: Mapping[Seat, Hand], place: Place) -> dict[Seat, Hand]:
    """The hand that is left out and follows from three whole ones."""
    held = {c for h in hands.values() for c in h.cards}
    if len(hands) != 3 or any(len(h.cards) != TRICKS for h in hands.values()):
        return {}
    rest = tuple(c for c in PACK if c not in held)
    (seat,) = (s for s in ORDER if s not in hands)
    if len(rest) != TRICKS:
        return {}
    return {seat: Hand(rest, (), False, tuple(place for _ in rest), place)}


# --- calls and cards ------------------------------------------------------------------------------


def calls_of(command: Command) -> tuple[tuple[Call, ...], Command | None]:
    """The calls of a value such as `1N!` or `1Np3N`, and from where on it is none."""
    calls: list[Call] = []
    value, at = command.value, 0
    while at < len(value):
        found = _CALL.match(value, at)
        if found is None:
            return tuple(calls), command.part(at) if value[at:].strip() else None
        odd, letter, other, alert = found.groups()
        start = found.start(1 if odd else 3)
        place = command.part(start, at + len(found[0].rstrip())).place
        mark = "!" if alert else None
        if odd:
            trumps = DENOMINATIONS[letter.upper()]
            calls.append(Call("bid", int(odd), trumps, mark=mark, place=place))
        else:
            calls.append(Call(KINDS[other.lower()], mark=mark, place=place))
        at = found.end()
    return tuple(calls), None


def cards_of(command: Command) -> Iterator[tuple[Card | None, Command]]:
    """The cards of a value, each as it is written; `None` for the part that is none."""
    value, at = command.value, 0
    while value[at:].strip():
        found = _CARD.match(value, at)
        end = found.end() if found else len(value)
        yield _card(found[1], found[2]) if found else None, command.part(at, end)
        at = end


def _card(suit: str, rank: str) -> Card:
    return CARDS[SUIT_OF[suit.upper()]]["T" if rank == "10" else rank.upper()]


# --- results --------------------------------------------------------------------------------------


def result_of(entry: Command) -> tuple[Declaration, Result | None] | None:
    """The declaration and the declarer's tricks of an entry such as `4HE=`; `None` for no entry.

    Of `PASS` there is no result.
    """
    written = entry.value
    if written.upper() == "PASS":
        return Declaration(passed_out=True, place=entry.place), None
    found = _RESULT.fullmatch(written)
    if found is None:
        return None
    odd, over = int(found[1]), int(found[5].replace("=", "0"))
    tricks = 6 + odd + over
    if not 0 <= tricks <= TRICKS:
        return None
    trumps, declarer = DENOMINATIONS[found[2].upper()], SEAT_OF[found[3].upper()]
    declaration = Declaration(odd, trumps, len(found[4]), declarer, place=entry.place)
    return declaration, Result("tricks", tricks, entry.place)
