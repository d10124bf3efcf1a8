"""What PBN has no tag for, in tags and tables of our own: written by need, read back into the record.

PBN lets a program add tags, and tables behind a tag; other programs pass them over. Ours begin with
`Oddtrick`. Free words in a table stand in quotation marks, `-` is what is not said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from oddtrick.cards import SEAT_OF, Seat, Side
from oddtrick.pbn_sections import CARDS
from oddtrick.pbn_values import SIDES
from oddtrick.record import (
    CALL_KINDS,
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

PREFIX = "Oddtrick"
TAG_PREFIX = "OddtrickTag"
"""Before the name of a tag that is ours in small letters: `OddtrickTagSource` holds `source`."""

_SCORE_COLUMNS = ("trick", "honour")
_ELEMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
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


def _row(*values: object) -> str:
    return " ".join("-" if v is None else quoted(v.text) if isinstance(v, _Free) else str(v) for v in values)


class _Free:
    """Free words, which stand in quotation marks."""

    def __init__(self, text: str) -> None:
        self.text = text


def _free(text: str | None) -> _Free | None:
    return None if text is None else _Free(text)


def _rows(body: str, width: int) -> Iterator[list[str | None]]:
    values = [
        unescaped(m[1]) if m[1] is not None else None if m[2] == "-" else m[2] for m in _ELEMENT.finditer(body)
    ]
    if len(values) % width:
        raise Unreadable
    for i in range(0, len(values), width):
        yield values[i : i + width]


def _seat(text: str | None) -> Seat | None:
    return None if text is None else SEAT_OF[text]


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


# --- comparing ------------------------------------------------------------------------------------


def bare(value: Any) -> Any:
    """A value of the model without its places, to be compared."""
    if isinstance(value, tuple):
        return tuple(bare(v) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        told = (f.name for f in fields(value) if f.name not in ("place", "places"))
        return (type(value).__name__, *(bare(getattr(value, name)) for name in told))
    return value


def _calm(items: Sequence[Any]) -> tuple[Any, ...]:
    """Calls, cards or claims without their incidents."""
    return tuple(replace(i, incidents=()) if i.incidents else i for i in items)


def _calm_tricks(tricks: Sequence[Trick]) -> tuple[Trick, ...]:
    return tuple(replace(t, cards=_calm(t.cards)) for t in tricks)


def incidents_of(record: Record) -> list[tuple[str, Incident]]:
    """Every incident of a record with where it stands: `record`, `call 3`, `card 2.4` or `claim 1`."""
    out = [("record", i) for i in record.incidents]
    for n, call in enumerate(record.bidding or (), 1):
        out += [(f"call {n}", i) for i in call.incidents]
    for n, trick in enumerate(record.play or (), 1):
        for k, played in enumerate(trick.cards, 1):
            out += [(f"card {n}.{k}", i) for i in played.incidents]
    for n, claim in enumerate(record.table_claims, 1):
        out += [(f"claim {n}", i) for i in claim.incidents]
    return out


# --- writing --------------------------------------------------------------------------------------


def own_tags(record: Record, told: Record) -> tuple[dict[str, str], dict[str, tuple[str, list[str]]]]:
    """Our tags, and our tables (columns and rows), for what `told`, read from the standard part, does not say."""
    tags: dict[str, str] = {}
    tables: dict[str, tuple[str, list[str]]] = {}

    def differs(name: str) -> bool:
        return bool(bare(getattr(record, name)) != bare(getattr(told, name)))

    if record.id != told.id and not re.fullmatch(r"record \d+", record.id):
        tags["OddtrickId"] = record.id
    if record.code:
        tags["OddtrickCode"] = record.code.value
    if record.options:
        tags["OddtrickOption"] = "; ".join(o.value for o in record.options)
    for name in ("games", "trick", "honour"):
        figures = getattr(record, f"standing_{name}")
        if figures and differs(f"standing_{name}"):
            tags[f"OddtrickStanding{name.capitalize()}"] = _figures_text(figures)
    if record.tray:
        tags["OddtrickTray"] = str(record.tray.value)
    if record.playing:
        tags["OddtrickPlaying"] = record.playing.value
    if partial := "".join(s.value for s, h in record.hands if h.partial):
        tags["OddtrickPartial"] = partial
    if record.declaration and differs("declaration"):
        tags["OddtrickDeclaration"] = _declaration_text(record.declaration)
    if record.result and differs("result"):
        tags["OddtrickResult"] = f"{record.result.kind} {record.result.number}"
    if record.honours:
        tags["OddtrickHonours"] = "; ".join(_honours_text(h) for h in record.honours)
    if record.chicane:
        tags["OddtrickChicane"] = "; ".join(c.value.value for c in record.chicane)
    if differs("scores") and record.scores:
        tags["OddtrickScore"] = _scores_text(record.scores)
    if record.more_play:
        tags["OddtrickMorePlay"] = "yes"
    if record.game:
        tags["OddtrickGame"] = record.game.value.value
    calls, tricks = record.bidding, record.play
    if calls is not None and bare(_calm(calls)) != bare(_calm(told.bidding or ()) if told.bidding is not None else None):
        rows = [
            _row(c.seat and c.seat.value, c.kind, c.odd_tricks, c.denomination, int(c.corrects), _free(c.mark), _free(c.note))
            for c in calls
        ]
        tables["OddtrickBiddingTable"] = ("Seat;Kind;Odd;Denomination;Corrects;Mark;Note", rows)
    if tricks is not None and bare(_calm_tricks(tricks)) != (
        bare(_calm_tricks(told.play)) if told.play is not None else None
    ):
        tables["OddtrickPlayTable"] = ("Trick;Leader;From;Seat;Card;Mark;Note", list(_play_rows(tricks)))
    if record.table_claims:
        rows = [_row(c.seat.value, c.verb, c.tricks, c.answer, c.after_trick) for c in record.table_claims]
        tables["OddtrickClaimTable"] = ("Seat;Verb;Tricks;Answer;AfterTrick", rows)
    kept_marks = told if "OddtrickBiddingTable" not in tables else replace(told, bidding=None)
    kept_marks = kept_marks if "OddtrickPlayTable" not in tables else replace(kept_marks, play=None)
    incidents = [(at, bare(i)) for at, i in incidents_of(record)]
    if incidents != [(at, bare(i)) for at, i in incidents_of(kept_marks)]:
        columns = "At;Name;By;Of;Noticed;Remedy;Chosen;Waived;Note"
        tables["OddtrickIncidentTable"] = (columns, [_incident_row(at, i) for at, i in incidents_of(record)])
    left = list(told.tags)
    rows = []
    for tag in record.tags:
        if tag in left:
            left.remove(tag)
        else:
            rows.append(_row(_free(tag[0]), _free(tag[1])))
    if rows:
        tables["OddtrickTagTable"] = ("Name;Value", rows)
    return tags, tables


def _figures_text(figures: SideFigures) -> str:
    parts = [f"{s.value} {figures.of(s)}" for s in Side if figures.of(s) is not None]
    return " ".join(parts) or "-"


def _declaration_text(d: Declaration) -> str:
    named = {"odd": d.odd_tricks, "denomination": d.denomination, "doubled": d.doubled, "declarer": d.declarer and d.declarer.value}
    words = [f"{k}={v}" for k, v in named.items() if v is not None]
    return " ".join(words + ["bridged"] * d.bridged + ["passed-out"] * d.passed_out) or "-"


def _honours_text(h: HonoursClaim) -> str:
    return f"{h.side.value} {h.total}" + (f" in-one-hand {h.in_one_hand}" if h.in_one_hand is not None else "")


def _scores_text(scores: Sequence[ScoreClaim]) -> str:
    words: list[str] = []
    side = None
    for claim in scores:
        words += ([] if claim.side is side else [claim.side.value]) + [claim.column, *map(str, claim.points)]
        side = claim.side
    return " ".join(words)


def _play_rows(tricks: Sequence[Trick]) -> Iterator[str]:
    for n, t in enumerate(tricks, 1):
        head = (n, t.leader and t.leader.value, t.columns_from and t.columns_from.value)
        for p in t.cards:
            yield _row(*head, p.seat and p.seat.value, p.card.code if p.card else "?", _free(p.mark), _free(p.note))
        if not t.cards:
            yield _row(*head, None, None, None, None)


def _incident_row(at: str, i: Incident) -> str:
    seats = [s and s.value for s in (i.by, i.noticed_by, i.chosen_by, i.waived_by)]
    return _row(
        _Free(at), _Free(i.name), seats[0], _free(i.of), seats[1], _free(i.remedy), seats[2], seats[3], _free(i.note)
    )


# --- reading --------------------------------------------------------------------------------------


def _read_figures(text: str, place: Place) -> SideFigures:
    words = text.split() if text != "-" else []
    found = {SIDES[a]: int(b) for a, b in zip(words[::2], words[1::2], strict=True)}
    return SideFigures(found.get(Side.NS), found.get(Side.EW), place)


def _read_declaration(text: str, place: Place) -> Declaration:
    words = text.split()
    named = dict(w.split("=", 1) for w in words if "=" in w)
    plain = {w for w in words if "=" not in w}
    if not plain <= {"bridged", "passed-out", "-"} or not named.keys() <= {"odd", "denomination", "doubled", "declarer"}:
        raise Unreadable
    return Declaration(
        _number(named.get("odd")),
        named.get("denomination"),
        _number(named.get("doubled")),
        _seat(named.get("declarer")),
        "bridged" in plain,
        "passed-out" in plain,
        place,
    )


def _read_result(text: str, place: Place) -> Result:
    kind, number = text.split()
    if kind not in ("tricks", "odd", "made", "down"):
        raise Unreadable
    return Result(kind, int(number), place)


def _read_honours(text: str, place: Place) -> tuple[HonoursClaim, ...]:
    claims = []
    for part in text.split(";"):
        side, total, *rest = part.split()
        if rest and (len(rest) != 2 or rest[0] != "in-one-hand"):
            raise Unreadable
        claims.append(HonoursClaim(SIDES[side], int(total), int(rest[1]) if rest else None, place))
    return tuple(claims)


def _read_scores(text: str, place: Place) -> tuple[ScoreClaim, ...]:
    claims: list[ScoreClaim] = []
    side = None
    for word in text.replace(";", " ").split():
        if word in SIDES:
            side = SIDES[word]
        elif word in _SCORE_COLUMNS and side:
            claims.append(ScoreClaim(side, word, (), place))
        elif claims:
            claims[-1] = replace(claims[-1], points=(*claims[-1].points, int(word)))
        else:
            raise Unreadable
    return tuple(claims)


def _read_calls(body: str, place: Place) -> tuple[Call, ...]:
    calls = []
    for seat, kind, odd, denomination, corrects, mark, note in _rows(body, 7):
        if kind not in CALL_KINDS:
            raise Unreadable
        calls.append(Call(str(kind), _number(odd), denomination, _seat(seat), corrects == "1", mark, note, (), place))
    return tuple(calls)


def _read_tricks(body: str, place: Place) -> tuple[Trick, ...]:
    tricks: dict[str, Trick] = {}
    for number, leader, first, seat, card, mark, note in _rows(body, 7):
        trick = tricks.setdefault(str(number), Trick((), _seat(leader), _seat(first), place))
        if card is not None:
            played = Played(None if card == "?" else CARDS[card], _seat(seat), mark, note, (), place)
            tricks[str(number)] = replace(trick, cards=(*trick.cards, played))
    return tuple(tricks.values())


def _read_claims(body: str, place: Place) -> tuple[TableClaim, ...]:
    return tuple(
        TableClaim(SEAT_OF[str(seat)], str(verb), _number(tricks), answer, int(after or 0), (), place)
        for seat, verb, tricks, answer, after in _rows(body, 5)
    )


def _read_tags(body: str, _place: Place) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in _rows(body, 2))


def _side_or_seat(text: str) -> Seat | Side:
    return SIDES[text] if text in SIDES else SEAT_OF[text]


def _read_options(text: str, place: Place) -> tuple[Stated[str], ...]:
    return tuple(Stated(o.strip(), place) for o in text.split(";") if o.strip())


_READ: Mapping[str, tuple[str, Callable[[str, Place], Any]]] = {
    "OddtrickId": ("id", lambda text, _place: text),
    "OddtrickCode": ("code", Stated),
    "OddtrickOption": ("options", _read_options),
    "OddtrickStandingGames": ("standing_games", _read_figures),
    "OddtrickStandingTrick": ("standing_trick", _read_figures),
    "OddtrickStandingHonour": ("standing_honour", _read_figures),
    "OddtrickTray": ("tray", lambda text, place: Stated(int(text), place)),
    "OddtrickPlaying": ("playing", Stated),
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


def with_own(record: Record, own: Sequence[tuple[str, str, str, Place]]) -> tuple[Record, list[tuple[str, str, Place]]]:
    """The record with what our tags and tables say, and those of them that could not be read.

    `own` is name, value, body and place of each; a table says by its body, a tag by its value.
    """
    failed = []
    tags = list(record.tags)
    incidents: tuple[str, Place] | None = None
    for name, value, body, place in own:
        try:
            if name in _READ:
                attribute, read = _READ[name]
                told: Any = {attribute: read(body if name.endswith("Table") else value, place)}
                record = replace(record, **told)
            elif name == "OddtrickPartial":
                hands = tuple((s, replace(h, partial=True) if s.value in value else h) for s, h in record.hands)
                record = replace(record, hands=hands)
            elif name == "OddtrickIncidentTable":
                incidents = (body, place)
            elif name == "OddtrickTagTable":
                tags += _read_tags(body, place)
            elif name.startswith(TAG_PREFIX) and len(name) > len(TAG_PREFIX):
                tags.append((name[len(TAG_PREFIX) :].lower(), value))
            else:
                tags.append((name, value))
        except (Unreadable, ValueError, KeyError, TypeError):
            failed.append((name, value, place))
            tags.append((name, value))
    if incidents:
        try:
            record = _with_incidents(record, *incidents)
        except (Unreadable, ValueError, KeyError, IndexError):
            failed.append(("OddtrickIncidentTable", "", incidents[1]))
    if record.id.startswith("deal ") and ("Board", record.id[5:]) in tags:
        # The writer made the Board tag from our id.
        tags.remove(("Board", record.id[5:]))
    return replace(record, tags=tuple(tags)), failed


def _with_incidents(record: Record, body: str, place: Place) -> Record:
    """The record with the incidents of our table in the place of those that PBN's marks gave."""
    by_place: dict[str, list[Incident]] = {}
    for where, name, by, of, noticed, remedy, chosen, waived, note in _rows(body, 9):
        incident = Incident(str(name), _seat(by), of, _seat(noticed), remedy, _seat(chosen), _seat(waived), note, place)
        by_place.setdefault(str(where), []).append(incident)

    def at(key: str) -> tuple[Incident, ...]:
        return tuple(by_place.get(key, ()))

    calls, tricks = record.bidding, record.play
    return replace(
        record,
        incidents=at("record"),
        bidding=calls and tuple(replace(c, incidents=at(f"call {n}")) for n, c in enumerate(calls, 1)),
        play=tricks
        and tuple(
            replace(t, cards=tuple(replace(p, incidents=at(f"card {n}.{k}")) for k, p in enumerate(t.cards, 1)))
            for n, t in enumerate(tricks, 1)
        ),
        table_claims=tuple(
            replace(c, incidents=at(f"claim {n}")) for n, c in enumerate(record.table_claims, 1)
        ),
    )


