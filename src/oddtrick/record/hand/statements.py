"""Lines of a `.hand` file read without the grammar: the usual statements, and the rows of `notation_rows`.

A line that is not taken here is left to the grammar (`notation_lines`); what is taken means what the
grammar gives, place by place. In these patterns a space stands for blanks, and the words in
capitals for `PIECES`; the first group is the statement without the blanks and the comment about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from re import Match
from typing import Any

from oddtrick.cards import SEATS, SIDE_OF, Seat, Side
from oddtrick.record.hand.rows import BLANKS, DENOMINATION_WORDS, FLAGS, ROWS, SEAT_WORDS, WORDS
from oddtrick.record.hand.tokens import Statement, unquoted
from oddtrick.record.model import (
    Declaration,
    HonoursClaim,
    Incident,
    Place,
    Result,
    ScoreClaim,
    SideFigures,
    Stated,
)

BEGINNING = re.compile(rf"{BLANKS}([a-z]++)", FLAGS)
Said = tuple[str, Any] | None
"""The word of a statement and its value; `None` where the grammar must say what is wrong."""
Meaning = Callable[[Match[str], int], Said]

PIECES = {
    "SEAT": "(?:north|east|south|west|[nesw])",
    "SIDE": "(?:north-south|east-west|ns|ew)",
    "NUMBER": "(?:[0-9]{1,6})",
    "TEXT": r'(?-i:"(?:[^"\\]|\\["\\n])*+")',
    "NAME": r"(?:[a-z]\w*+(?:['-]\w++)*+)",
    "DATE": "(?:[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)",
    "DENOMINATION": f"(?:{WORDS}?)",
    "COLUMN": "(?:trick|honou?r)",
}
SIDE_WORDS = {word.lower(): side for word, side in SIDE_OF.items()}


@cache
def _within(words: str) -> re.Pattern[str]:
    """The pattern of a piece, made when it is first needed."""
    words = words.replace(" ", r"[\s,]++")
    return re.compile(re.sub(r"\b[A-Z]{4,}\b", lambda piece: PIECES[piece[0]], words), FLAGS)


@cache
def _line(words: str) -> re.Pattern[str]:
    return _within(rf"{BLANKS}({words}){BLANKS}(?:#.*)?")


def statement_of(text: str, line: int, start: str) -> Statement | None:
    """The statement on a line; `None` leaves the line to the grammar."""
    if start != "statement_line" and (row := ROWS[start](text, line)):
        return row
    first = BEGINNING.match(text)
    if first is None or (known := STATEMENTS.get(first[1].lower())) is None:
        return None
    words, meaning = known
    found = _line(words).fullmatch(text)
    said = meaning(found, line) if found else None
    return Statement(*said, _at(found, line)) if found and said else None


# --- pieces of a statement ------------------------------------------------------------------------


def _at(found: Match[str], line: int, group: int | str = 1) -> Place:
    return Place(line, found.start(group) + 1, line, found.end(group) + 1)


def _text(words: str) -> str:
    return unquoted(words) if words[0] == '"' else words


def _seat(words: str) -> Seat:
    return SEAT_WORDS[words.lower()]


def _side(words: str) -> Side:
    return SIDE_WORDS[words.lower()]


def _column(words: str) -> str:
    return "honour" if words.lower() == "honor" else words.lower()


def _vulnerable(words: str) -> frozenset[Side]:
    if words.lower() in ("both", "all"):
        return frozenset(Side)
    return (
        frozenset()
        if words.lower() == "none"
        else frozenset(map(_side, re.split(r"[\s,]+", words)))
    )


def _stated(found: Match[str], line: int, of: Callable[[str], Any] = _side, group: int = 2) -> Any:
    """What a group says, with its place; `None` where nothing stands there."""
    return Stated(of(found[group]), _at(found, line, group)) if found[group] is not None else None


def _figures(found: Match[str], line: int, group: int) -> SideFigures | None:
    """`NS 1 EW 0`, `1 all` or `none`; `None` where a side is named twice."""
    words, place = found[group].lower(), _at(found, line, group)
    if words == "none" or words.endswith("all"):
        alike = 0 if words == "none" else int(re.split(r"[\s,]", words)[0])
        return SideFigures(alike, alike, place)
    named = _within("(SIDE) (NUMBER)").findall(words)
    figures = {_side(side): int(number) for side, number in named}
    return (
        SideFigures(figures.get(Side.NS), figures.get(Side.EW), place)
        if len(figures) == len(named)
        else None
    )


# --- statements -----------------------------------------------------------------------------------


def _named(found: Match[str], _: int) -> Said:
    return "tag", (found[2].lower(), _text(found[3]))


def _names(found: Match[str], _: int) -> Said:
    named = _within("(SEAT|SIDE) (TEXT)").findall(found[1])
    of, order = (_seat, SEATS) if found[2].lower() == "players" else (_side, Side)
    names: dict[Any, str] = {of(who): unquoted(name) for who, name in named}
    pairs = tuple((who, names[who]) for who in order if who in names)
    return (found[2].lower(), pairs) if len(names) == len(named) else None


def _deal(found: Match[str], _: int) -> Said:
    return "deal", (f"deal {_text(found[2])}", unquoted(found[3]) if found[3] else None)


def _group(found: Match[str], _: int) -> Said:
    return found[2].lower(), unquoted(found[3]) if found[3] else None


def _won(found: Match[str], line: int) -> Said:
    return "won", (_stated(found, line), _stated(found, line, int, 3))


def _unfinished(found: Match[str], line: int) -> Said:
    return "unfinished", (Stated(True, _at(found, line)), _stated(found, line))


def _playing(found: Match[str], line: int) -> Said:
    return "playing", Stated("original" if found[2] else "overplay", _at(found, line))


def _standing(found: Match[str], line: int) -> Said:
    figures = _figures(found, line, 3)
    return (f"standing {_column(found[2])}", figures) if figures else None


def _total(found: Match[str], line: int) -> Said:
    figures = _figures(found, line, 2)
    return ("total", figures) if figures else None


def _declaration(found: Match[str], line: int) -> Said:
    place = _at(found, line, "declared")
    if found["out"]:
        return "declaration", Declaration(passed_out=True, place=place)
    denomination = DENOMINATION_WORDS.get(found["denomination"].lower())
    if denomination is None:
        return None
    number = int(found["number"]) if found["number"] else None
    doubled = (
        int(found["often"])
        if found["often"]
        else DOUBLED.get((found["doubling"] or "undoubled").lower())
    )
    declarer = _seat(found["seat"]) if found["seat"] else None
    return "declaration", Declaration(
        number, denomination, doubled, declarer, bool(found["bridged"]), place=place
    )


def _result(found: Match[str], line: int) -> Said:
    kind = (
        found["kind"].lower() if found["kind"] else "tricks" if found["taken"][0] in "tT" else "odd"
    )
    return "result", Result(kind, int(found["number"] or found["other"]), _at(found, line, 2))


def _honours(found: Match[str], line: int) -> Said:
    held = (found["held"] or found["total"]) if found["together"] else None
    claim = HonoursClaim(
        _side(found["side"]), int(found["total"]), int(held) if held else None, _at(found, line, 2)
    )
    return "honours", claim


def _score(found: Match[str], line: int) -> Said:
    claims: list[ScoreClaim] = []
    side = Side.NS
    for part in _within(POINTS).finditer(found.string, found.start(2), found.end(2)):
        if part["side"]:
            side = _side(part["side"])
        else:
            points = tuple(map(int, re.findall("[0-9]+", part["points"])))
            claims.append(ScoreClaim(side, _column(part["column"]), points, _at(part, line, 0)))
    return "score", tuple(claims)


def _irregularity(found: Match[str], line: int) -> Said:
    said: dict[str, Any] = {}
    for by, seat, word, text in _within(CLAUSE).findall(found[3]):
        key = "_".join(re.split(r"[\s,]+", (by or word).lower()))
        if key in said:
            return None
        said[key] = _seat(seat) if by else unquoted(text)
    name = found[2].lower() if found[2][0] != '"' else unquoted(found[2])
    return "irregularity", Incident(name, **said, place=_at(found, line))


DOUBLED = {"undoubled": 0, "doubled": 1, "redoubled": 2}
POINTS = "(?P<side>SIDE)|(?P<column>COLUMN|gain)(?P<points>(?: NUMBER)++)"
CLAUSE = "((?:(?:noticed|chosen|waived) )?by) (SEAT)|(of|remedy|note) (TEXT)"
FIGURES = "SIDE NUMBER(?: SIDE NUMBER)*+"
STATED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "code": ("NAME|TEXT", lambda words: _text(words).lower()),
    "option": ("NAME|TEXT", lambda words: _text(words).lower()),
    "dealer": ("SEAT", _seat),
    "vulnerable": ("SIDE(?: SIDE)*+|both|all|none", _vulnerable),
    "tray": ("NUMBER", int),
    "table": ("[0-9]++|TEXT", _text),
    "chicane": ("SEAT|SIDE", lambda words: SEAT_WORDS.get(words.lower()) or _side(words)),
    "game": ("SIDE", _side),
}
"""Statements of one value: what stands behind the word, and the value of that."""


def _stating(word: str) -> tuple[str, Meaning]:
    behind, of = STATED[word]
    return f"{word} ({behind})", lambda found, line: (word, _stated(found, line, of))


MEANINGS: dict[str, tuple[str, Meaning]] = {
    "source event venue scorer note": ("(source|event|venue|scorer|note) (TEXT)", _named),
    "date": ("(date) (DATE|TEXT)", _named),
    "tag": (
        "tag (NAME|TEXT) (TEXT)",
        lambda found, _: ("tag", (_text(found[2]), unquoted(found[3]))),
    ),
    "players": ("(players)(?: SEAT TEXT)++", _names),
    "sides": ("(sides)(?: SIDE TEXT)++", _names),
    "deal": ("deal ([0-9]++|TEXT)(?: (TEXT))?", _deal),
    "rubber match": ("(rubber|match)(?: (TEXT))?", _group),
    "end": ("end (rubber|match)", lambda found, _: ("end", found[2].lower())),
    "total": (f"total ({FIGURES})", _total),
    "won": ("won by (SIDE)(?: (NUMBER))?", _won),
    "unfinished": ("unfinished(?: retired (SIDE))?", _unfinished),
    "standing": (f"standing (games|COLUMN) ({FIGURES}|NUMBER all|none)", _standing),
    "original overplay": ("(original) play|overplay", _playing),
    "hands": ("hands", lambda *_: ("hands", None)),
    "bidding": (
        "bidding(?: from (SEAT))?",
        lambda found, line: ("bidding", _stated(found, line, _seat)),
    ),
    "play": (
        "play(?: in columns from (SEAT))?",
        lambda found, _: ("play", _seat(found[2]) if found[2] else None),
    ),
    "declaration": (
        "declaration (?P<declared>(?P<out>passed out)"
        r"|(?:(?P<number>[0-9]{1,2})[\s,]*+)?(?P<denomination>DENOMINATION)"
        "(?: (?P<doubling>undoubled|redoubled|doubling unknown|doubled(?: (?P<often>[0-9]{1,2}) times?)?))?"
        "(?: by (?P<seat>SEAT))?(?P<bridged> bridged)?)",
        _declaration,
    ),
    "result": (
        "result ((?P<number>NUMBER) (?P<taken>tricks?|odd(?: tricks?)?)|(?P<kind>made|down) (?P<other>NUMBER))",
        _result,
    ),
    "honours honors": (
        "honou?rs ((?P<side>SIDE) (?P<total>NUMBER)(?P<together>(?: (?P<held>NUMBER))? in one hand)?)",
        _honours,
    ),
    "score": ("score((?: SIDE(?: (?:COLUMN|gain)(?: NUMBER)++)++)++)", _score),
    "irregularity": (
        "irregularity (NAME|TEXT)((?: (?:(?:(?:noticed|chosen|waived) )?by SEAT|(?:of|remedy|note) TEXT))*+)",
        _irregularity,
    ),
}
"""The other statements by their words: the line, and what it means."""
STATEMENTS = {word: _stating(word) for word in STATED} | {
    word: meaning for words, meaning in MEANINGS.items() for word in words.split()
}
"""Every statement by the word it begins with."""
