"""What PBN has no tag for, in tags and tables of our own: written, and read back into the record.

PBN lets a program add tags, and tables behind a tag; other programs pass them over. Ours begin with
`Oddtrick`. Free words in a table stand in quotation marks, `-` is what is not said. What is not as
the writer writes it raises `ValueError` or `KeyError` while it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

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

T = TypeVar("T", Call, Played, TableClaim)

PREFIX = "Oddtrick"
TAG_PREFIX = "OddtrickTag"
"""Before the name of a tag that is ours in small letters: `OddtrickTagSource` holds `source`."""
TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN's names for what the model's tags call otherwise."""

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


# --- strings and rows -----------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A PBN string; what a string cannot hold (tabs, ends of lines) becomes a space."""
    text = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def unescaped(text: str) -> str:
    """The text between the quotation marks of a PBN string."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _row(*values: object) -> str:
    return " ".join("-" if v is None else str(v) for v in values)


def _free(text: str | None) -> str | None:
    """Free words as they stand in a row."""
    return None if text is None else quoted(text)


def _rows(body: str, width: int) -> Iterator[list[str | None]]:
    values = [
        unescaped(m[1]) if m[1] is not None else None if m[2] == "-" else m[2]
        for m in _ELEMENT.finditer(body)
    ]
    _must(len(values) % width == 0)
    for i in range(0, len(values), width):
        yield values[i : i + width]


def _must(right: bool) -> None:
    if not right:
        raise ValueError


def _seat(text: str | None) -> Seat | None:
    return None if text is None else SEAT_OF[text]


def _letter(named: Seat | Side | None) -> str | None:
    return named and named.value


def _number(text: str, most: int = MOST) -> int:
    """A number as the writer writes it, as great as a `.hand` file could have it."""
    _must(bool(_NUMBER.fullmatch(text)) and int(text) <= most)
    return int(text)


def _maybe(text: str | None, most: int = MOST) -> int | None:
    return None if text is None else _number(text, most)


def _denomination(text: str | None) -> str | None:
    _must(text is None or text in DENOMINATIONS)
    return text


def bare(value: object) -> object:
    """A value of the model without its places and ids, to be compared."""
    if isinstance(value, tuple):
        return tuple(bare(v) for v in value)
    kind: Any = type(value)
    if (names := _compared(kind)) is not None:
        return (kind.__name__, *(bare(getattr(value, name)) for name in names))
    return value


@cache
def _compared(kind: type) -> tuple[str, ...] | None:
    """The fields by which two values of a kind are compared; `None` of what has no fields."""
    if not is_dataclass(kind):
        return None
    return tuple(f.name for f in fields(kind) if f.compare and f.name not in ("place", "places"))


# --- values of tags, each read and written --------------------------------------------------------


def _read_figures(text: str, place: Place) -> SideFigures:
    words = text.split() if text != "-" else []
    found = {SIDES[a]: _number(b) for a, b in zip(words[::2], words[1::2], strict=True)}
    return SideFigures(found.get(Side.NS), found.get(Side.EW), place)


def _figures_text(figures: SideFigures) -> str:
    parts = [f"{s.value} {figures.of(s)}" for s in Side if figures.of(s) is not None]
    return " ".join(parts) or "-"


def _read_declaration(text: str, place: Place) -> Declaration:
    words = text.split()
    named = dict(w.split("=", 1) for w in words if "=" in w)
    plain = {w for w in words if "=" not in w}
    _must(plain <= {"bridged", "passed-out", "-"})
    _must(named.keys() <= {"odd", "denomination", "doubled", "declarer"})
    return Declaration(
        _maybe(named.get("odd"), MOST_IN_CALL),
        _denomination(named.get("denomination")),
        _maybe(named.get("doubled"), MOST_IN_CALL),
        _seat(named.get("declarer")),
        "bridged" in plain,
        "passed-out" in plain,
        place,
    )


def _declaration_text(d: Declaration) -> str:
    named = {
        "odd": d.odd_tricks,
        "denomination": d.denomination,
        "doubled": d.doubled,
        "declarer": _letter(d.declarer),
    }
    words = [f"{k}={v}" for k, v in named.items() if v is not None]
    return " ".join(words + ["bridged"] * d.bridged + ["passed-out"] * d.passed_out) or "-"


def _read_result(text: str, place: Place) -> Result:
    kind, number = text.split()
    _must(kind in ("tricks", "odd", "made", "down"))
    return Result(kind, _number(number), place)


def _read_honours(text: str, place: Place) -> tuple[HonoursClaim, ...]:
    claims = []
    for part in text.split(";"):
        side, total, *rest = part.split()
        _must(not rest or (len(rest) == 2 and rest[0] == "in-one-hand"))
        held = _number(rest[1]) if rest else None
        claims.append(HonoursClaim(SIDES[side], _number(total), held, place))
    return tuple(claims)


def _honours_text(claims: Sequence[HonoursClaim]) -> str:
    return "; ".join(
        f"{h.side.value} {h.total}"
        + (f" in-one-hand {h.in_one_hand}" if h.in_one_hand is not None else "")
        for h in claims
    )


def _read_scores(text: str, place: Place) -> tuple[ScoreClaim, ...]:
    claims: list[tuple[Side, str, list[int]]] = []
    side = None
    for word in text.replace(";", " ").split():
        if word in SIDES:
            side = SIDES[word]
        elif word in _SCORE_COLUMNS and side:
            claims.append((side, word, []))
        else:
            _must(bool(claims))
            claims[-1][2].append(_number(word))
    _must(all(points for _, _, points in claims))
    return tuple(ScoreClaim(side, column, tuple(points), place) for side, column, points in claims)


def _scores_text(scores: Sequence[ScoreClaim]) -> str:
    words: list[str] = []
    side = None
    for claim in scores:
        words += [] if claim.side is side else [claim.side.value]
        words += [claim.column, *map(str, claim.points)]
        side = claim.side
    return " ".join(words)


def _read_chicane(text: str, place: Place) -> tuple[Stated[Seat | Side], ...]:
    names = (word.strip() for word in text.split(";"))
    return tuple(Stated(SIDES[n] if n in SIDES else SEAT_OF[n], place) for n in names)


def _read_playing(text: str, place: Place) -> Stated[str]:
    _must(text in ("original", "overplay"))
    return Stated(text, place)


def _read_options(text: str, place: Place) -> tuple[Stated[str], ...]:
    return tuple(Stated(o.strip(), place) for o in text.split(";") if o.strip())


def _letters(stated: Sequence[Stated[Seat | Side]]) -> str:
    return "; ".join(s.value.value for s in stated)


FIELDS: Mapping[str, tuple[str, Callable[[str, Place], object], Callable[[Any], str]]] = {
    "OddtrickCode": ("code", Stated, lambda code: code.value),
    "OddtrickOption": ("options", _read_options, lambda many: "; ".join(o.value for o in many)),
    "OddtrickStandingGames": ("standing_games", _read_figures, _figures_text),
    "OddtrickStandingTrick": ("standing_trick", _read_figures, _figures_text),
    "OddtrickStandingHonour": ("standing_honour", _read_figures, _figures_text),
    "OddtrickTray": (
        "tray",
        lambda text, place: Stated(_number(text), place),
        lambda tray: str(tray.value),
    ),
    "OddtrickPlaying": ("playing", _read_playing, lambda playing: playing.value),
    "OddtrickBiddingFrom": (
        "bidding_from",
        lambda text, place: Stated(SEAT_OF[text], place),
        lambda first: first.value.value,
    ),
    "OddtrickDeclaration": ("declaration", _read_declaration, _declaration_text),
    "OddtrickResult": ("result", _read_result, lambda result: f"{result.kind} {result.number}"),
    "OddtrickHonours": ("honours", _read_honours, _honours_text),
    "OddtrickChicane": ("chicane", _read_chicane, _letters),
    "OddtrickScore": ("scores", _read_scores, _scores_text),
    "OddtrickMorePlay": ("more_play", lambda text, _place: text == "yes", lambda _: "yes"),
    "OddtrickGame": (
        "game",
        lambda text, place: Stated(SIDES[text], place),
        lambda game: game.value.value,
    ),
}
"""Our tags: the field of the record, how it is read from the value, and how it is written."""


# --- tables, each read and written ----------------------------------------------------------------


def _read_calls(body: str, place: Place) -> tuple[Call, ...]:
    calls = []
    for seat, kind, odd, denomination, corrects, mark, note in _rows(body, 7):
        _must(kind in CALL_KINDS and (mark is None or bool(_MARK.fullmatch(mark))))
        named = (odd is not None, denomination is not None)
        _must(named == _NAMED.get(str(kind), (False, False)))
        number, what = _maybe(odd, MOST_IN_CALL), _denomination(denomination)
        caller, again = _seat(seat), corrects == "1"
        calls.append(Call(str(kind), number, what, caller, again, mark, note, (), place))
    return tuple(calls)


def _call_rows(calls: Sequence[Call]) -> Iterator[str]:
    for c in calls:
        said = (c.kind, c.odd_tricks, c.denomination, int(c.corrects))
        yield _row(_letter(c.seat), *said, _free(c.mark), _free(c.note))


def _read_tricks(body: str, place: Place) -> tuple[Trick, ...]:
    tricks: dict[str, Trick] = {}
    for number, leader, first, seat, card, mark, note in _rows(body, 7):
        _must(mark is None or bool(_MARK.fullmatch(mark)))
        trick = tricks.setdefault(str(number), Trick((), _seat(leader), _seat(first), place))
        if card is not None:
            known = None if card == "?" else CARDS[card]
            played = Played(known, _seat(seat), mark, note, (), place)
            tricks[str(number)] = replace(trick, cards=(*trick.cards, played))
    return tuple(tricks.values())


def _trick_rows(tricks: Sequence[Trick]) -> Iterator[str]:
    for n, t in enumerate(tricks, 1):
        head = (n, _letter(t.leader), _letter(t.columns_from))
        for p in t.cards:
            card = p.card.code if p.card else "?"
            yield _row(*head, _letter(p.seat), card, _free(p.mark), _free(p.note))
        if not t.cards:
            yield _row(*head, None, None, None, None)


def _read_claims(body: str, place: Place) -> tuple[TableClaim, ...]:
    claims = []
    for seat, verb, tricks, answer, after in _rows(body, 5):
        _must(verb in ("claims", "concedes") and answer in (None, "agreed", "refused"))
        number, tricks_before = _maybe(tricks), _number(after or "0")
        claims.append(
            TableClaim(SEAT_OF[str(seat)], str(verb), number, answer, tricks_before, (), place)
        )
    return tuple(claims)


def _claim_rows(claims: Sequence[TableClaim]) -> Iterator[str]:
    for c in claims:
        yield _row(_letter(c.seat), c.verb, c.tricks, c.answer, c.after_trick)


TABLES: Mapping[
    str, tuple[str, str, Callable[[str, Place], object], Callable[[Any], Iterator[str]]]
] = {
    "OddtrickBiddingTable": (
        "bidding",
        "Seat;Kind;Odd;Denomination;Corrects;Mark;Note",
        _read_calls,
        _call_rows,
    ),
    "OddtrickPlayTable": (
        "play",
        "Trick;Leader;From;Seat;Card;Mark;Note",
        _read_tricks,
        _trick_rows,
    ),
    "OddtrickClaimTable": (
        "table_claims",
        "Seat;Verb;Tricks;Answer;AfterTrick",
        _read_claims,
        _claim_rows,
    ),
}
"""Our tables: the field of the record, the columns, how rows are read and written."""


def in_order(tricks: Sequence[Trick], leaders: str) -> tuple[Trick, ...]:
    """Tricks in columns put in the order of play.

    A leader in capitals was named by the record, others follow. Raises `ValueError` unless there is
    one leader for each trick.
    """
    _must(len(leaders) == len(tricks) and all(t.columns_from for t in tricks))
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


# --- incidents ------------------------------------------------------------------------------------

INCIDENTS = "OddtrickIncidentTable"


def _incidents(record: Record) -> Iterator[tuple[str, Incident]]:
    """Every incident with where it stands: `call 3`, `card 2.4`, `claim 1` or with the deal."""
    for incident in record.incidents:
        yield OF_DEAL[incident.after], incident
    things: list[tuple[str, Call | Played | TableClaim]] = [
        *((f"call {n}", call) for n, call in enumerate(record.bidding or (), 1)),
        *(
            (f"card {n}.{k}", card)
            for n, trick in enumerate(record.play or (), 1)
            for k, card in enumerate(trick.cards, 1)
        ),
        *((f"claim {n}", claim) for n, claim in enumerate(record.table_claims, 1)),
    ]
    for where, thing in things:
        for incident in thing.incidents:
            yield where, incident


def _incident_row(at: str, i: Incident, facts: bool) -> str:
    done = (_letter(i.noticed_by), _free(i.remedy), _letter(i.chosen_by), _letter(i.waived_by))
    told = (_free(i.when), _free(i.note)) if facts else (_free(i.note),)
    return _row(quoted(at), quoted(i.name), _letter(i.by), _free(i.of), *done, *told)


def _with_incidents(said: Record, columns: str, body: str, place: Place) -> Record:
    """The record with the incidents of our table in the place of those that PBN's marks gave.

    There is a column for the facts where an incident has any.
    """
    told: dict[str, list[Incident]] = {}
    for row in _rows(body, columns.count(";") + 1):
        where, name, by, of, noticed, remedy, chosen, waived, *when, note = row
        done = (_seat(noticed), remedy, _seat(chosen), _seat(waived))
        facts = when[0] if when else None
        incident = Incident(str(name), _seat(by), of, *done, facts, note, place)
        told.setdefault(str(where), []).append(incident)

    def at(key: str) -> tuple[Incident, ...]:
        return tuple(told.get(key, ()))

    def each(things: Iterable[T], word: str) -> tuple[T, ...]:
        return tuple(replace(t, incidents=at(f"{word}{n}")) for n, t in enumerate(things, 1))

    of_deal = (replace(i, after=after) for after, where in OF_DEAL.items() for i in at(where))
    tricks = (
        replace(trick, cards=each(trick.cards, f"card {n}."))
        for n, trick in enumerate(said.play or (), 1)
    )
    return replace(
        said,
        incidents=tuple(of_deal),
        bidding=None if said.bidding is None else each(said.bidding, "call "),
        play=None if said.play is None else tuple(tricks),
        table_claims=each(said.table_claims, "claim "),
    )


# --- a record -------------------------------------------------------------------------------------


def with_own(said: Record, own: Sequence[tuple[str, str, str, Place]]) -> tuple[Record, list[str]]:
    """A record with what our tags and tables say, and the names of those that fail.

    `own` is name, value, body and place of each; a table says by its body, a tag by its value.
    """
    failed: list[str] = []
    tags = list(said.tags)
    told: dict[str, Any] = {}
    incidents: tuple[str, str, Place] | None = None
    for name, value, body, place in own:
        try:
            if name == INCIDENTS:
                incidents = (value, body, place)
            elif name in FIELDS:
                told[FIELDS[name][0]] = FIELDS[name][1](value, place)
            elif name in TABLES:
                told[TABLES[name][0]] = TABLES[name][2](body, place)
            elif name == "OddtrickId":
                told["id"] = value
            elif name == "OddtrickPartial":
                told["hands"] = tuple(
                    (s, replace(h, partial=True) if s.value in value else h) for s, h in said.hands
                )
            elif name == "OddtrickLeaders":
                told.setdefault("play", in_order(said.play or (), value))
            elif name == "OddtrickTagTable":
                tags += [(str(tag), str(text)) for tag, text in _rows(body, 2)]
            elif name.startswith(TAG_PREFIX) and len(name) > len(TAG_PREFIX):
                tags.append((name[len(TAG_PREFIX) :].lower(), value))
            else:
                tags.append((name, value))
        except (ValueError, KeyError, TypeError):
            failed.append(name)
    found = told.get("id", said.id)
    if found.startswith("deal ") and ("Board", found[5:]) in tags:
        # The writer made the Board tag from our id.
        tags.remove(("Board", found[5:]))
    whole = replace(said, **told, tags=tuple(tags))
    if incidents:
        try:
            whole = _with_incidents(whole, *incidents)
        except (ValueError, KeyError):
            failed.append(INCIDENTS)
    return whole, failed


def own_tags(
    record: Record, told: Record, leaders: str
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Our tags, and our tables by their lines, for what `told`, read from the standard part, lacks.

    `leaders` are the leaders of the tricks, a letter each, in capitals where the record names them.
    """
    tags: dict[str, str] = {}
    if record.id != told.id and not re.fullmatch(r"record \d+", record.id):
        tags["OddtrickId"] = record.id
    if partial := "".join(s.value for s, h in record.hands if h.partial):
        tags["OddtrickPartial"] = partial
    for name, (attribute, _, text_of) in FIELDS.items():
        value = getattr(record, attribute)
        if value and bare(value) != bare(getattr(told, attribute)):
            tags[name] = text_of(value)
    if record.play and _calm(record.play) == _calm(ordered := _ordered(told, leaders)):
        tags["OddtrickLeaders"] = leaders
        told = replace(told, play=ordered)
    tables: dict[str, list[str]] = {}
    for name, (attribute, columns, _, rows_of) in TABLES.items():
        value = getattr(record, attribute)
        if value is not None and _calm(value) != _calm(getattr(told, attribute)):
            tables[name] = [f'[{name} "{columns}"]', *rows_of(value)]
            gone: dict[str, Any] = {attribute: () if attribute == "table_claims" else None}
            told = replace(told, **gone)
    incidents = [(at, bare(i)) for at, i in _incidents(record)]
    if incidents != [(at, bare(i)) for at, i in _incidents(told)]:
        facts = any(i.when is not None for _, i in _incidents(record))
        columns = f"At;Name;By;Of;Noticed;Remedy;Chosen;Waived{';When' if facts else ''};Note"
        rows = [_incident_row(at, i, facts) for at, i in _incidents(record)]
        tables[INCIDENTS] = [f'[{INCIDENTS} "{columns}"]', *rows]
    left, rows = list(told.tags), []
    for name, value in record.tags:
        same = (TAG_NAMES.get(name, name), value)
        if same in left:
            left.remove(same)
        else:
            rows.append(_row(quoted(name), quoted(value)))
    if rows:
        tables["OddtrickTagTable"] = ['[OddtrickTagTable "Name;Value"]', *rows]
    return tags, tables


def _ordered(told: Record, leaders: str) -> tuple[Trick, ...]:
    try:
        return in_order(told.play or (), leaders)
    except ValueError:
        return ()


def _calm(things: Iterable[Call | Trick | TableClaim] | None) -> object:
    """Calls, tricks or claims without their incidents, places and ids, to be compared."""
    if things is None:
        return None
    return tuple(
        bare(replace(t, cards=tuple(replace(p, incidents=()) for p in t.cards)))
        if isinstance(t, Trick)
        else bare(replace(t, incidents=()))
        for t in things
    )
