"""Lines of a `.hand` file read without the grammar, one pattern for each usual kind of line.

The grammar in `hand.lark` stays the definition. A line is taken here only where it is certain to
mean the same, place by place; any other, and every line that cannot be read, is left to `grammar`,
which alone has messages. The tests hold the two together. Patterns take ASCII words and the printed
suits only, and blanks for good (`*+`), so that a long line costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from re import Match
from typing import Any

from oddtrick.cards import (
    CARDS,
    PACK,
    PRINTED_SUITS,
    RANKS,
    SEAT_OF,
    SEATS,
    SIDE_OF,
    Card,
    Seat,
    Side,
    Suit,
)
from oddtrick.later import later
from oddtrick.record.hand.words import SUITS, Statement, text_of, unquoted
from oddtrick.record.model import (
    Call,
    Declaration,
    Hand,
    HonoursClaim,
    Incident,
    Place,
    Played,
    Result,
    ScoreClaim,
    SideFigures,
    Stated,
    Trick,
)

Said = tuple[str, object] | None
"""The word of a statement and its value; `None` where the grammar must say what is wrong."""
Meaning = Callable[[Match[str], int], Said]

BLANKS = r"[\s,]*+"
WORDS = "[a-z♠♥♦♣♤♡♢♧-]++(?: [a-z♠♥♦♣♤♡♢♧-]++){0,3}"
PIECES = {
    "SEAT": "(?:north|east|south|west|[nesw])",
    "SIDE": "(?:north-south|east-west|ns|ew)",
    "NUMBER": "(?:[0-9]{1,6})",
    "TEXT": r'(?-i:"(?:[^"\\]|\\["\\n])*+")',
    "NAME": r"(?:[a-z]\w*+(?:['-]\w++)*+)",
    "CHOICE": r"(?:[a-z]\w*+(?:['.:-]\w++)*+=\w++(?:['-]\w++)*+)",
    "DATE": "(?:[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)",
    "DENOMINATION": f"(?:{WORDS}?)",
    "COLUMN": "(?:trick|honou?r)",
}
FLAGS = re.ASCII | re.IGNORECASE
BEGINNING = re.compile(rf"{BLANKS}([a-z]++)", FLAGS)


@cache
def _within(words: str) -> re.Pattern[str]:
    """A pattern in which a space stands for blanks, and a word in capitals for one of `PIECES`."""
    words = words.replace(" ", r"[\s,]++")
    return re.compile(re.sub(r"\b[A-Z]{4,}\b", lambda piece: PIECES[piece[0]], words), FLAGS)


@cache
def _line(words: str) -> re.Pattern[str]:
    """The pattern of a line; its first group is the statement without a comment."""
    return _within(rf"{BLANKS}({words}){BLANKS}(?:#.*)?")


def statement_of(text: str, line: int, start: str) -> Statement | None:
    """The statement on a line of a section; `None` leaves the line to the grammar."""
    if start != "statement_line" and (row := ROWS[start](text, line)):
        return row
    first = BEGINNING.match(text)
    if first is None or (known := STATEMENTS.get(first[1].lower())) is None:
        return None
    words, meaning = known
    found = _line(words).fullmatch(text)
    said = meaning(found, line) if found else None
    return Statement(*said, _at(found, line)) if found and said else None


# --- rows of `hands`, `bidding` and `play` --------------------------------------------------------

SEAT_WORDS = {word.lower(): seat for word, seat in SEAT_OF.items()}
SIDE_WORDS = {word.lower(): side for word, side in SIDE_OF.items()}
PLAIN = {
    **{word.lower(): suit.word for word, suit in SUITS.items()},
    **dict.fromkeys(("no-trump", "no-trumps", "notrump", "notrumps", "nt", "n"), "no-trump"),
    **dict.fromkeys(("no trump", "no trumps"), "no-trump"),
    **dict.fromkeys(("nullo", "nullos"), "nullo"),
}
DENOMINATION_WORDS = {
    **PLAIN,
    **{f"{word} royal": f"{name}-royal" for word, name in PLAIN.items()},
    **dict.fromkeys(("royals", "r"), "royal-spades"),
    **{f"royal {word}": "royal-spades" for word, name in PLAIN.items() if name == "spades"},
}
CALL_WORDS: dict[str, tuple[str, str | None]] = {
    **{f"make {word}": ("make", name) for word, name in DENOMINATION_WORDS.items()},
    **dict.fromkeys(("pass", "no bid", "no-bid", "no", "p"), ("pass", None)),
    **dict.fromkeys(("double", "x"), ("double", None)),
    **dict.fromkeys(("redouble", "re-double", "xx"), ("redouble", None)),
    **{kind: (kind, None) for kind in ("challenge", "yes", "satisfied")},
    "all pass": ("all-pass", None),
    "pass to partner": ("pass-to-partner", None),
    "may i lead": ("may-i-lead", None),
}
"""Every call but a bid by its words: kind and denomination. No other call begins with them."""

RANK_WORDS = {word: rank for rank in RANKS for word in {rank, rank.lower()}} | {"10": "T"}
HELD_CARDS = {
    suit.symbol: {word: PACK.index(CARDS[suit][rank]) for word, rank in RANK_WORDS.items()}
    for suit in Suit
}
"""Suits as a hand prints them, each with its ranks as written and the card's place in the pack."""
SUIT_SIGNS = {suit.symbol: suit for suit in Suit}
PLAYED_CARDS: dict[str, Card | None] = {
    sign + word: CARDS[suit][rank]
    for suit in Suit
    for sign in (suit.symbol, f"{suit.symbol} ", suit.value, suit.value.lower())
    for word, rank in RANK_WORDS.items()
} | {"-": None}
"""Cards as the play writes them."""

SEAT = "(north|east|south|west|[nesw])"
CALL = re.compile(
    rf"{BLANKS}((?:{SEAT}\s*+:\s*+)?(?:(corrects)\s++)?(?:([0-9]{{1,2}})\s*+)?({WORDS}))"
    r"([!?]++)?\s*+(?:,|\Z)",
    FLAGS,
)
HAND = re.compile(
    rf"{BLANKS}{SEAT}[\s,]*+(?::[\s,]*+)?"
    r"((?:[♠♥♦♣][\s,]*+(?:-[\s,]*+|(?:(?:10|[2-9TJQKAX])[\s,]*+)++))++)"
    r"(\.{3}|…)?[\s,]*+(?:#.*)?",
    FLAGS,
)
HELD = re.compile("[♠♥♦♣]|10|[2-9TJQKAX]|-", FLAGS)
CARD = r"((?:(?:[♠♥♦♣] ?|[shdc])(?:10|[2-9TJQKA])|-)(?![^\s,#]))"
TRICK = re.compile(
    rf"{BLANKS}(?:{SEAT}{BLANKS}:{BLANKS})?{CARD}"
    + rf"(?:[\s,]++{CARD})?+" * 3
    + rf"{BLANKS}(?:#.*)?",
    FLAGS,
)
MORE = re.compile(rf"{BLANKS}(\.{{3,}}+|…){BLANKS}(?:#.*)?", FLAGS)


def hand_row(text: str, line: int) -> Statement | None:
    """A player and his cards in printed suits, `north ♠ A K 2 ♥ - ♦ 10 x ...`."""
    row = HAND.fullmatch(text)
    if row is None:
        return None
    held: list[int] = []
    small: dict[Suit, int] = {}
    partial = row[3] is not None
    sign, end = "", 0
    for found in HELD.finditer(text, row.start(2), row.end(2)):
        written, end = found[0], found.end()
        if written in HELD_CARDS:
            sign, cards = written, HELD_CARDS[written]
        elif written in cards:
            held.append(cards[written])
        elif written != "-" or partial:
            suit = SUIT_SIGNS[sign]
            small[suit] = small.get(suit, 0) + (written != "-")
    place = Place(line, row.start(1) + 1, line, (row.end(3) if partial else end) + 1)
    hand = Hand(
        tuple([PACK[number] for number in sorted(held)]),
        tuple((suit, small[suit]) for suit in PRINTED_SUITS if suit in small) if small else (),
        partial,
        (),
        place,
    )
    return Statement("hand", (_seat(row[1]), later(hand, places=lambda: _places(row, line))), place)


def _places(row: Match[str], line: int) -> tuple[Place, ...]:
    """Where the cards of a hand stand that are named, in their order in the pack."""
    held: list[tuple[int, Place]] = []
    for found in HELD.finditer(row.string, row.start(2), row.end(2)):
        start, end = found.span()
        if found[0] in HELD_CARDS:
            cards = HELD_CARDS[found[0]]
        elif found[0] in cards:
            held.append((cards[found[0]], Place(line, start + 1, line, end + 1)))
    return tuple(place for _, place in sorted(held, key=itemgetter(0)))


def call_row(text: str, line: int) -> Statement | None:
    """Calls with commas between them, `south: 1 heart, pass, double!`."""
    end = len(text.partition("#")[0].rstrip(" \t,"))
    calls: list[Call] = []
    at = last = 0
    while at < end:
        found = CALL.match(text, at, end)
        if found is None:
            return None
        _, seat, corrects, number, words, mark = found.groups()
        if number is None:
            kind, denomination = CALL_WORDS.get(words.lower(), ("", None))
        else:
            denomination = DENOMINATION_WORDS.get(words.lower())
            kind = "bid" if denomination else ""
        if not kind:
            return None
        odd_tricks = None if number is None else int(number)
        caller = _seat(seat) if seat else None
        place = _at(found, line)
        calls.append(
            Call(kind, odd_tricks, denomination, caller, bool(corrects), mark, place=place)
        )
        last, at = found.end(1) + len(mark or ""), found.end()
    if not calls:
        return None
    return Statement("calls", tuple(calls), Place(line, calls[0].place.column, line, last + 1))


def trick_row(text: str, line: int) -> Statement | None:
    """The cards of a trick and who led, `west: ♠3 ♠A ♠7 ♠4`; or `...` for what is not written."""
    row = TRICK.fullmatch(text)
    if row is None:
        more = MORE.fullmatch(text)
        return Statement("more", None, _at(more, line)) if more else None
    cards: list[Played] = []
    start = end = 0
    for number in range(2, (row.lastindex or 0) + 1):
        start, end = row.span(number)
        card = PLAYED_CARDS[text[start:end]]
        cards.append(Played(card, None, None, None, (), Place(line, start + 1, line, end + 1)))
    leader = _seat(row[1]) if row[1] else None
    place = Place(line, row.start(1 if leader else 2) + 1, line, end + 1)
    return Statement("trick", Trick(tuple(cards), leader, None, place), place)


ROWS = {"hand_line": hand_row, "call_line": call_row, "trick_line": trick_row}
"""The rows of each section."""


# --- pieces of a statement ------------------------------------------------------------------------


def _at(found: Match[str], line: int, group: int | str = 1) -> Place:
    return Place(line, found.start(group) + 1, line, found.end(group) + 1)


def _seat(words: str) -> Seat:
    return SEAT_WORDS[words.lower()]


def _side(words: str) -> Side:
    return SIDE_WORDS[words.lower()]


def _column(words: str) -> str:
    return "honour" if words.lower() == "honor" else words.lower()


def _vulnerable(words: str) -> frozenset[Side]:
    if words.lower() in ("both", "all", "none"):
        return frozenset(() if words.lower() == "none" else Side)
    return frozenset(map(_side, re.split(r"[\s,]+", words)))


def _stated(
    found: Match[str], line: int, of: Callable[[str], object] = _side, group: int = 2
) -> Stated[object] | None:
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
    if len(figures) < len(named):
        return None
    return SideFigures(figures.get(Side.NS), figures.get(Side.EW), place)


# --- statements -----------------------------------------------------------------------------------


def _named(found: Match[str], _: int) -> Said:
    return "tag", (found[2].lower(), text_of(found[3]))


def _names(found: Match[str], _: int) -> Said:
    named = _within("(SEAT|SIDE) (TEXT)").findall(found[1])
    of, order = (_seat, SEATS) if found[2].lower() == "players" else (_side, Side)
    names: dict[Seat | Side, str] = {of(who): unquoted(name) for who, name in named}
    pairs = tuple((who, names[who]) for who in order if who in names)
    return (found[2].lower(), pairs) if len(names) == len(named) else None


def _deal(found: Match[str], _: int) -> Said:
    return "deal", (f"deal {text_of(found[2])}", unquoted(found[3]) if found[3] else None)


def _group(found: Match[str], _: int) -> Said:
    return found[2].lower(), unquoted(found[3]) if found[3] else None


def _standing(found: Match[str], line: int) -> Said:
    figures = _figures(found, line, 3)
    return (f"standing {_column(found[2])}", figures) if figures else None


def _total(found: Match[str], line: int) -> Said:
    if named := _within("(TEXT) (NUMBER)").findall(found[2]):
        teams = {unquoted(name): int(points) for name, points in named}
        stated = Stated(tuple(teams.items()), _at(found, line, 2))
        return ("total", stated) if len(teams) == len(named) else None
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
    doubled = DOUBLED.get((found["doubling"] or "undoubled").lower())
    doubled = int(found["often"]) if found["often"] else doubled
    declarer, bridged = _seat(found["seat"]) if found["seat"] else None, bool(found["bridged"])
    said = Declaration(number, denomination, doubled, declarer, bridged, place=place)
    return "declaration", said


def _result(found: Match[str], line: int) -> Said:
    kind = (found["kind"] or ("tricks" if found["taken"][0] in "tT" else "odd")).lower()
    return "result", Result(kind, int(found["number"] or found["other"]), _at(found, line, 2))


def _honours(found: Match[str], line: int) -> Said:
    held = (found["held"] or found["total"]) if found["together"] else None
    side, total, place = _side(found["side"]), int(found["total"]), _at(found, line, 2)
    return "honours", HonoursClaim(side, total, int(held) if held else None, place)


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
CLAUSE = "((?:(?:noticed|chosen|waived) )?by) (SEAT)|(of|remedy|when|note) (TEXT)"
FIGURES = "SIDE NUMBER(?: SIDE NUMBER)*+"
STATED: dict[str, tuple[str, Callable[[str], object]]] = {
    "code": ("NAME|TEXT", lambda words: text_of(words).lower()),
    "option": ("NAME|TEXT", lambda words: text_of(words).lower()),
    "reading": ("CHOICE", str.lower),
    "dealer": ("SEAT", _seat),
    "vulnerable": ("SIDE(?: SIDE)*+|both|all|none", _vulnerable),
    "tray": ("NUMBER", int),
    "table": ("[0-9]++|TEXT", text_of),
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
        lambda found, _: ("tag", (text_of(found[2]), unquoted(found[3]))),
    ),
    "players": ("(players)(?: SEAT TEXT)++", _names),
    "sides": ("(sides)(?: SIDE TEXT)++", _names),
    "deal": ("deal ([0-9]++|TEXT)(?: (TEXT))?", _deal),
    "rubber match": ("(rubber|match)(?: (TEXT))?", _group),
    "end": ("end (rubber|match)", lambda found, _: ("end", found[2].lower())),
    "total": (f"total ({FIGURES}|TEXT NUMBER(?: TEXT NUMBER)*+)", _total),
    "won": (
        "won by (SIDE)(?: (NUMBER))?",
        lambda found, line: ("won", (_stated(found, line), _stated(found, line, int, 3))),
    ),
    "unfinished": (
        "unfinished(?: retired (SIDE))?",
        lambda found, line: ("unfinished", (Stated(True, _at(found, line)), _stated(found, line))),
    ),
    "standing": (f"standing (games|COLUMN) ({FIGURES}|NUMBER all|none)", _standing),
    "original overplay": (
        "(original) play|overplay",
        lambda found, line: (
            "playing",
            Stated("original" if found[2] else "overplay", _at(found, line)),
        ),
    ),
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
        "(?: (?P<doubling>undoubled|redoubled|doubling unknown"
        "|doubled(?: (?P<often>[0-9]{1,2}) times?)?))?"
        "(?: by (?P<seat>SEAT))?(?P<bridged> bridged)?)",
        _declaration,
    ),
    "result": (
        "result ((?P<number>NUMBER) (?P<taken>tricks?|odd(?: tricks?)?)"
        "|(?P<kind>made|down) (?P<other>NUMBER))",
        _result,
    ),
    "honours honors": (
        "honou?rs ((?P<side>SIDE) (?P<total>NUMBER)"
        "(?P<together>(?: (?P<held>NUMBER))? in one hand)?)",
        _honours,
    ),
    "score": ("score((?: SIDE(?: (?:COLUMN|gain)(?: NUMBER)++)++)++)", _score),
    "irregularity": (
        "irregularity (NAME|TEXT)"
        "((?: (?:(?:(?:noticed|chosen|waived) )?by SEAT|(?:of|remedy|when|note) TEXT))*+)",
        _irregularity,
    ),
}
"""The other statements by their words: the line, and what it means."""
STATEMENTS = {word: _stating(word) for word in STATED} | {
    word: meaning for words, meaning in MEANINGS.items() for word in words.split()
}
"""Every statement by the word it begins with."""
