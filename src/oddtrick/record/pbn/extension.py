"""What PBN has no tag for, in tags and tables of our own, read back into the record.

PBN lets a program add tags, and tables behind a tag; other programs pass them over. Ours begin with
`Oddtrick`. Free words in a table stand in quotation marks, `-` is what is not said. `pbn_own_write` writes
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from oddtrick.cards import SEAT_OF, SEATS, Seat, Side
from oddtrick.record.hand.words import DENOMINATIONS
from oddtrick.record.model import (
    CALL_KINDS,
    MOST,
    MOST_IN_CALL,
    Call,
    Declaration,
    HonoursClaim,
    Incident,
    Place,
    Played,
    Record,
    Result,
    ScoreClaim,
    SideFigures,
    Stated,
    TableClaim,
    Trick,
)
from oddtrick.record.pbn.sections import CARDS
from oddtrick.record.pbn.values import SIDES

PREFIX = "Oddtrick"
TAG_PREFIX = "OddtrickTag"
"""Before the name of a tag that is ours in small letters: `OddtrickTagSource` holds `source`."""

OF_DEAL = {None: "record", "bidding": "record after bidding", "play": "record after play"}
"""Where an incident stands that is of no call, card or claim, by what of the deal was over."""
_SCORE_COLUMNS = ("trick", "honour", "gain")
_ELEMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_NUMBER = re.compile(r"[0-9]{1,6}")
_MARK = re.compile(r"[!?]+")
_NAMED = {"bid": (True, True), "make": (False, True)}
"""Whether a call names odd tricks and a denomination; the others name neither."""
_ESCAPED = re.compile(r'\\(["\\])')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class Unreadable(ValueError):
    """A value of one of our own tags that does not say what it should."""


# --- strings --------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A PBN string; what a string cannot hold (tabs, ends of lines) becomes a space."""
    text = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def unescaped(text: str) -> str:
    """The text between the quotation marks of a PBN string."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _rows(body: str, width: int) -> Iterator[list[str | None]]:
    values = [
        unescaped(m[1]) if m[1] is not None else None if m[2] == "-" else m[2]
        for m in _ELEMENT.finditer(body)
    ]
    if len(values) % width:
        raise Unreadable
    for i in range(0, len(values), width):
        yield values[i : i + width]


def _seat(text: str | None) -> Seat | None:
    return None if text is None else SEAT_OF[text]


def _number(text: str, most: int = MOST) -> int:
    """A number as the writer writes it, as great as a `.hand` file could have it."""
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise Unreadable
    return int(text)


def _maybe(text: str | None, most: int = MOST) -> int | None:
    return None if text is None else _number(text, most)


def _denomination(text: str | None) -> str | None:
    if text is not None and text not in DENOMINATIONS:
        raise Unreadable
    return text


def _mark(text: str | None) -> str | None:
    if text is not None and not _MARK.fullmatch(text):
        raise Unreadable
    return text


# --- comparing ------------------------------------------------------------------------------------


def bare(value: Any) -> Any:
    """A value of the model without its places and ids, to be compared."""
    if isinstance(value, tuple):
        return tuple(bare(v) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        told = (f.name for f in fields(value) if f.compare and f.name not in ("place", "places"))
        return (type(value).__name__, *(bare(getattr(value, name)) for name in told))
    return value


# --- reading --------------------------------------------------------------------------------------


def _read_figures(text: str, place: Place) -> SideFigures:
    words = text.split() if text != "-" else []
    found = {SIDES[a]: _number(b) for a, b in zip(words[::2], words[1::2], strict=True)}
    return SideFigures(found.get(Side.NS), found.get(Side.EW), place)


def _read_declaration(text: str, place: Place) -> Declaration:
    words = text.split()
    named = dict(w.split("=", 1) for w in words if "=" in w)
    plain = {w for w in words if "=" not in w}
    if not plain <= {"bridged", "passed-out", "-"} or not named.keys() <= {
        "odd",
        "denomination",
        "doubled",
        "declarer",
    }:
        raise Unreadable
    return Declaration(
        _maybe(named.get("odd"), MOST_IN_CALL),
        _denomination(named.get("denomination")),
        _maybe(named.get("doubled"), MOST_IN_CALL),
        _seat(named.get("declarer")),
        "bridged" in plain,
        "passed-out" in plain,
        place,
    )


def _read_result(text: str, place: Place) -> Result:
    kind, number = text.split()
    if kind not in ("tricks", "odd", "made", "down"):
        raise Unreadable
    return Result(kind, _number(number), place)


def _read_honours(text: str, place: Place) -> tuple[HonoursClaim, ...]:
    claims = []
    for part in text.split(";"):
        side, total, *rest = part.split()
        if rest and (len(rest) != 2 or rest[0] != "in-one-hand"):
            raise Unreadable
        claims.append(
            HonoursClaim(SIDES[side], _number(total), _number(rest[1]) if rest else None, place)
        )
    return tuple(claims)


def _read_scores(text: str, place: Place) -> tuple[ScoreClaim, ...]:
    claims: list[tuple[Side, str, list[int]]] = []
    side = None
    for word in text.replace(";", " ").split():
        if word in SIDES:
            side = SIDES[word]
        elif word in _SCORE_COLUMNS and side:
            claims.append((side, word, []))
        elif claims:
            claims[-1][2].append(_number(word))
        else:
            raise Unreadable
    if not all(points for _, _, points in claims):
        raise Unreadable
    return tuple(ScoreClaim(side, column, tuple(points), place) for side, column, points in claims)


def _read_calls(body: str, place: Place) -> tuple[Call, ...]:
    calls = []
    for seat, kind, odd, denomination, corrects, mark, note in _rows(body, 7):
        named = (odd is not None, denomination is not None)
        if kind not in CALL_KINDS or named != _NAMED.get(kind, (False, False)):
            raise Unreadable
        number, what = _maybe(odd, MOST_IN_CALL), _denomination(denomination)
        calls.append(
            Call(kind, number, what, _seat(seat), corrects == "1", _mark(mark), note, (), place)
        )
    return tuple(calls)


def _read_tricks(body: str, place: Place) -> tuple[Trick, ...]:
    tricks: dict[str, Trick] = {}
    for number, leader, first, seat, card, mark, note in _rows(body, 7):
        trick = tricks.setdefault(str(number), Trick((), _seat(leader), _seat(first), place))
        if card is not None:
            played = Played(
                None if card == "?" else CARDS[card], _seat(seat), _mark(mark), note, (), place
            )
            tricks[str(number)] = replace(trick, cards=(*trick.cards, played))
    return tuple(tricks.values())


def _read_claims(body: str, place: Place) -> tuple[TableClaim, ...]:
    claims = []
    for seat, verb, tricks, answer, after in _rows(body, 5):
        if verb not in ("claims", "concedes") or answer not in (None, "agreed", "refused"):
            raise Unreadable
        claims.append(
            TableClaim(
                SEAT_OF[str(seat)], verb, _maybe(tricks), answer, _number(after or "0"), (), place
            )
        )
    return tuple(claims)


def in_order(tricks: Sequence[Trick], leaders: str) -> tuple[Trick, ...]:
    """Tricks in columns put in the order of play; a leader in capitals was named by the record, others follow.

    Raises `Unreadable` unless there is one leader for each trick.
    """
    if len(leaders) != len(tricks) or any(t.columns_from is None for t in tricks):
        raise Unreadable
    out = []
    for trick, letter in zip(tricks, leaders, strict=True):
        leader = SEAT_OF[letter.upper()]
        led = (SEATS.index(leader) - SEATS.index(trick.columns_from or leader)) % 4
        columns = [*trick.cards, *(Played(None) for _ in range(len(trick.cards), 4))]
        cards = columns[led:] + columns[:led]
        while cards and not (cards[-1].card or cards[-1].incidents or cards[-1].note):
            cards.pop()
        out.append(Trick(tuple(cards), leader if letter.isupper() else None, None, trick.place))
    return tuple(out)


def _read_tags(body: str, _place: Place) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in _rows(body, 2))


def _side_or_seat(text: str) -> Seat | Side:
    return SIDES[text] if text in SIDES else SEAT_OF[text]


def _read_playing(text: str, place: Place) -> Stated[str]:
    if text not in ("original", "overplay"):
        raise Unreadable
    return Stated(text, place)


def _read_options(text: str, place: Place) -> tuple[Stated[str], ...]:
    return tuple(Stated(o.strip(), place) for o in text.split(";") if o.strip())


_READ: Mapping[str, tuple[str, Callable[[str, Place], Any]]] = {
    "OddtrickId": ("id", lambda text, _place: text),
    "OddtrickCode": ("code", Stated),
    "OddtrickOption": ("options", _read_options),
    "OddtrickStandingGames": ("standing_games", _read_figures),
    "OddtrickStandingTrick": ("standing_trick", _read_figures),
    "OddtrickStandingHonour": ("standing_honour", _read_figures),
    "OddtrickTray": ("tray", lambda text, place: Stated(_number(text), place)),
    "OddtrickPlaying": ("playing", _read_playing),
    "OddtrickBiddingFrom": ("bidding_from", lambda text, place: Stated(SEAT_OF[text], place)),
    "OddtrickDeclaration": ("declaration", _read_declaration),
    "OddtrickResult": ("result", _read_result),
    "OddtrickHonours": ("honours", _read_honours),
    "OddtrickChicane": (
        "chicane",
        lambda text, place: tuple(Stated(_side_or_seat(w.strip()), place) for w in text.split(";")),
    ),
    "OddtrickScore": ("scores", _read_scores),
    "OddtrickMorePlay": ("more_play", lambda text, _place: text == "yes"),
    "OddtrickGame": ("game", lambda text, place: Stated(SIDES[text], place)),
    "OddtrickBiddingTable": ("bidding", _read_calls),
    "OddtrickPlayTable": ("play", _read_tricks),
    "OddtrickClaimTable": ("table_claims", _read_claims),
}


def with_own(
    record: Record, own: Sequence[tuple[str, str, str, Place]]
) -> tuple[Record, list[str]]:
    """The record with what our tags and tables say, and the names of those that could not be read.

    `own` is name, value, body and place of each; a table says by its body, a tag by its value.
    """
    failed: list[str] = []
    tags = list(record.tags)
    told: dict[str, Any] = {}
    incidents: tuple[str, Place] | None = None
    for name, value, body, place in own:
        try:
            if name in _READ:
                attribute, read = _READ[name]
                told[attribute] = read(body if name.endswith("Table") else value, place)
            elif name == "OddtrickPartial":
                hands = (
                    (s, replace(h, partial=True) if s.value in value else h)
                    for s, h in record.hands
                )
                told["hands"] = tuple(hands)
            elif name == "OddtrickLeaders":
                told.setdefault("play", in_order(record.play or (), value))
            elif name == "OddtrickIncidentTable":
                incidents = (body, place)
            elif name == "OddtrickTagTable":
                tags += _read_tags(body, place)
            elif name.startswith(TAG_PREFIX) and len(name) > len(TAG_PREFIX):
                tags.append((name[len(TAG_PREFIX) :].lower(), value))
            else:
                tags.append((name, value))
        except (Unreadable, ValueError, KeyError, TypeError):
            failed.append(name)
    if (name := told.get("id", record.id)).startswith("deal ") and ("Board", name[5:]) in tags:
        # The writer made the Board tag from our id.
        tags.remove(("Board", name[5:]))
    record = replace(record, tags=tuple(tags), **told)
    if incidents:
        try:
            record = _with_incidents(record, *incidents)
        except (Unreadable, ValueError, KeyError, IndexError):
            failed.append("OddtrickIncidentTable")
    return record, failed


def _with_incidents(record: Record, body: str, place: Place) -> Record:
    """The record with the incidents of our table in the place of those that PBN's marks gave."""
    by_place: dict[str, list[Incident]] = {}
    for where, name, by, of, noticed, remedy, chosen, waived, note in _rows(body, 9):
        incident = Incident(
            str(name),
            _seat(by),
            of,
            _seat(noticed),
            remedy,
            _seat(chosen),
            _seat(waived),
            note,
            place,
        )
        by_place.setdefault(str(where), []).append(incident)

    def at(key: str) -> tuple[Incident, ...]:
        return tuple(by_place.get(key, ()))

    calls, tricks = record.bidding, record.play
    return replace(
        record,
        incidents=tuple(
            replace(i, after=after) for after, where in OF_DEAL.items() for i in at(where)
        ),
        bidding=calls
        and tuple(replace(c, incidents=at(f"call {n}")) for n, c in enumerate(calls, 1)),
        play=tricks
        and tuple(
            replace(
                t,
                cards=tuple(
                    replace(p, incidents=at(f"card {n}.{k}")) for k, p in enumerate(t.cards, 1)
                ),
            )
            for n, t in enumerate(tricks, 1)
        ),
        table_claims=tuple(
            replace(c, incidents=at(f"claim {n}")) for n, c in enumerate(record.table_claims, 1)
        ),
    )
