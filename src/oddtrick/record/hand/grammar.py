"""Parses text in our own notation into statements, with the grammar in `hand.lark`.

`parse` parses any number of lines at once. If it fails, `explained` returns the error with a
message from `hand.messages`. That table pairs each message with malformed lines; a line that stops
the parser in the same state as one of them gets the same message.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from oddtrick.cards import SEATS, Side
from oddtrick.limits import FACTS
from oddtrick.paths import COMPILED, cache_folder, folder
from oddtrick.record.deal import (
    MOST,
    MOST_IN_CALL,
    Declaration,
    Figures,
    Honours,
    Incident,
    Result,
    Score,
    Span,
)
from oddtrick.record.hand import rows
from oddtrick.record.hand.rows import Stuck
from oddtrick.record.hand.words import (
    BLANK,
    BLOCK,
    NUMBERS,
    SECTIONS,
    WRITTEN,
    Detail,
    Malformed,
    Row,
    Statement,
    number_of,
    seat_of,
    side_of,
    small,
    text_of,
)

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput


Line = tuple[Statement | None, Span, str]
"""A statement, its span, and the text up to the next: its line end and the comments below it.

The statement is `None` for the text above the first one.
"""


_STARTS = [BLOCK, *SECTIONS.values()]


def _grammar() -> str:
    return (folder("grammar") / "hand.lark").read_text("utf-8")


class _WordFirst:
    """Lets the lexer accept WORD everywhere, so that it reads an unknown word to its end."""

    always_accept = ("WORD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


class _Meaning:
    """The transformer `MEANING`, as an object that can be saved with the parser."""

    def __getattr__(self, name: str) -> Callable[[Any], Any]:
        if name not in MEANING:
            raise AttributeError(name)
        return MEANING[name]


class Stopped(Exception):
    """Raised where the parser cannot continue; `start` is the offset in the text."""

    def __init__(self, error: UnexpectedInput | Stuck, text: str, section: str) -> None:
        super().__init__()
        self.error, self.text, self.section = error, text, section
        self.start = error.at if isinstance(error, Stuck) else error.pos_in_stream or 0

    @property
    def accepts(self) -> frozenset[str]:
        """The token types that the parser would have accepted; for a row, only its `state`."""
        if isinstance(self.error, Stuck):
            return frozenset({self.error.state})
        return frozenset(self.error.interactive_parser.accepts())  # type: ignore[no-untyped-call]


def made(strict: bool = False) -> Lark:
    """The parser, made from the grammar. Lark is imported where it is used, as not every command
    reads `.hand`.
    """
    from lark import Lark

    return Lark(
        _grammar(),
        parser="lalr",
        lexer="contextual",
        start=_STARTS,
        postlex=_WordFirst(),
        maybe_placeholders=False,
        strict=strict,
        transformer=_Meaning(),
    )


def file_name() -> str:
    """The name of the compiled parser, another for each grammar and version of Lark."""
    from lark import __version__

    key = zlib.crc32(f"{_grammar()} {_STARTS}".encode())
    return f"hand-{key:08x}-{__version__}.pickle"


def compiled() -> bytes:
    """The parser as Lark saves it: from the wheel, or from the user's cache, or made and put there.

    Making it takes most of a second, reading it a thirtieth of that.
    """
    name = file_name()
    path = (COMPILED if (COMPILED / name).exists() else cache_folder()) / name
    with suppress(OSError):
        return path.read_bytes()
    made().save(saved := BytesIO())
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(saved.getvalue())
        part.replace(path)
    return saved.getvalue()


@cache
def parser() -> Lark:
    """The compiled parser."""
    from lark import Lark

    try:
        return Lark.load(BytesIO(compiled()))
    except Exception:  # a damaged file may raise anything
        return made()


def parse(text: str, section: str, start: int = 0, end: int | None = None) -> list[Line]:
    """The statements of some lines; `section` is the start symbol for the first of them.

    Raises `Stopped` where the grammar rejects the text, and `Malformed` for errors that the
    grammar cannot detect.
    """
    from lark import TextSlice, UnexpectedInput

    end = len(text) if end is None else end
    try:
        children: Any = parser().parse(TextSlice(text, start, end), start=section)
    except (UnexpectedInput, Stuck) as error:
        raise Stopped(error, text, section) from None
    lines, statement = list[Line](), None
    start = _BLANKS.match(text, start, end).end()  # type: ignore[union-attr]
    for child in children:
        if isinstance(child, Statement):
            statement = child
            continue
        if statement and statement.word == "hand":
            for hand, following in pairwise(statement.value):
                below = text[hand.span[1] : following.span[0]]
                lines.append((Statement("hand", hand), hand.span, below))
            statement, start = Statement("hand", hand := statement.value[-1]), hand.span[0]
        lines.append((statement, (start, child.start_pos), child))
        start, statement = child.end_pos, None
    return lines


ROWS: dict[str, Callable[[str, int], Any]] = {
    "HANDS": rows.hand_in,
    "CALLS": rows.calls_in,
    "MORE_CALLS": partial(rows.calls_in, first=False),
    "CARDS": rows.cards_in,
    "MORE_CARDS": partial(rows.cards_in, first=False),
    "CARD": rows.card_in,
    "CLAIM": rows.claim_in,
}
"""The terminals that are rows, each with the function that parses one row."""
_ROW = re.compile(rf"(?!{BLANK}).+(?<!{BLANK})")
_NAMED = re.compile(r'([^\W\d_][\w-]*)[^"“]*("(?:[^"\\]|\\.)*"|“[^”]*”)')
_NAMED_AS_READ = re.compile("(?:board|record) ")
"""How the id of a deal that was read from PBN or LIN begins; it is kept."""
_BLANKS = re.compile(rf"(?:(?!\n){BLANK})*+")
_SEPARATED = re.compile(rows.SEP)


def _split(split: Callable[[str, int], Any]) -> Callable[[Token], Token]:
    """A transformer for a terminal: replaces the text of some rows by their parsed values."""

    def value(token: Token) -> Token:
        start: int = token.start_pos  # type: ignore[assignment]
        token.value = [split(row[0], start + row.start()) for row in _ROW.finditer(token)]
        return token

    return value


# --- values of statements -------------------------------------------------------------------------

Tokens = Sequence[Any]
"""The tokens of a statement; an irregularity within a trick is already a `Statement`."""


def _across(tokens: Tokens) -> Span:
    return tokens[0].start_pos, tokens[-1].end_pos


def _number(token: Token, most: int = MOST) -> int:
    return number_of(token, token.start_pos or 0, most)


_VALUES: dict[str, Callable[[Any], Any]] = {
    "SEAT": seat_of,
    "SIDE": side_of,
    **dict.fromkeys(("NUMBER", "COUNT"), _number),
    **dict.fromkeys(("STRING", "WORD", "CHOICE", "DAY"), text_of),
    **dict.fromkeys(ROWS, lambda token: token.value),
    "HONOUR": lambda _: "honour",
}


def _value(token: Token) -> Any:
    """The value of a token; for a keyword, the keyword in lower case."""
    value = _VALUES.get(token.type)
    return value(token) if value else token.type.lower()


def _once(words: Sequence[str], span: Span) -> None:
    for number, word in enumerate(words):
        if word in words[:number]:
            raise Malformed("notation.syntax", f"`{word}` is written twice.", span)


def _first(c: Tokens) -> Any:
    return _value(c[0]) if c else None


def _each(c: Tokens) -> Any:
    return tuple(map(_value, c))


def _name(c: Tokens) -> str:
    return text_of(c[0]).lower()


def _reading(c: Tokens) -> str:
    text = _name(c)
    if "=" not in text:
        message = f"`{text}` does not name a choice. Write `reading CODE:ID=CHOICE`."
        raise Malformed("notation.syntax", message, _across(c))
    return text


def _title(c: Tokens) -> tuple[str, str | None]:
    name = text_of(c[0])
    name = name if _NAMED_AS_READ.match(name) else f"deal {name}"
    return name, text_of(c[1]) if len(c) > 1 else None


def _names(c: Tokens) -> Any:
    of = side_of if c[0].type == "SIDES" else seat_of
    named = [(of(found[1]), text_of(found[2])) for found in _NAMED.finditer(c[1])]
    _once([who.word for who, _ in named], _across(c))
    return tuple(sorted(named, key=lambda pair: (*SEATS, *Side).index(pair[0])))


def _figures(c: Tokens) -> Figures:
    if c[0].type == "NONE":
        return Figures(0, 0)
    if c[-1].type == "ALL":
        return Figures(*[_number(c[0])] * 2)
    numbers = dict(_of_each(c))
    return Figures(numbers.get(Side.NS), numbers.get(Side.EW))


def _of_each(c: Tokens) -> tuple[tuple[Any, int], ...]:
    """Pairs of a side or name and its number. Raises `Malformed` if one occurs twice."""
    who = [_value(token) for token in c[::2]]
    _once([w.word if isinstance(w, Side) else w for w in who], _across(c))
    return tuple(zip(who, map(_number, c[1::2]), strict=True))


def _total(c: Tokens) -> Any:
    return _figures(c) if c[0].type == "SIDE" else _of_each(c)


def _vulnerable(c: Tokens) -> frozenset[Side]:
    if c[0].type == "SIDE":
        return frozenset(map(side_of, c))
    return frozenset() if c[0].type == "NONE" else frozenset(Side)


_DENOMINATION = ("SPADES", "SUIT", "NULLO", "NO_TRUMP", "NO", "TRUMP", "ROYAL", "ROYALS")
_NUMBER = ("NUMBER", "COUNT")


def _declaration(c: Tokens) -> Declaration:
    types = [token.type for token in c]
    if "PASSED" in types:
        return Declaration(passed_out=True)
    named = " ".join(small(token) for token in c if token.type in _DENOMINATION)
    odd_tricks = _number(c[0], MOST_IN_CALL) if types[0] in _NUMBER else None
    doubled = 0 if named or "UNDOUBLED" in types else None
    if "DOUBLED" in types:
        after = types.index("DOUBLED") + 1
        times = types[after : after + 1]
        doubled = _number(c[after], MOST_IN_CALL) if times and times[0] in _NUMBER else 1
    elif "REDOUBLED" in types:
        doubled = 2
    elif "DOUBLING" in types:
        doubled = None
    seat = seat_of(c[types.index("SEAT")]) if "SEAT" in types else None
    denomination = WRITTEN[named] if named else None
    return Declaration(odd_tricks, denomination, doubled, seat, types[-1] == "BRIDGED")


def _result(c: Tokens) -> Result:
    types = [token.type for token in c]
    kind = next((k.lower() for k in ("ODD", "MADE", "DOWN") if k in types), "tricks")
    return Result(kind, next(_number(token) for token in c if token.type in _NUMBER))


def _honours(c: Tokens) -> Honours:
    total, *more = [_number(token) for token in c if token.type in _NUMBER]
    in_one = (more or [total])[0] if c[-1].type == "ONE_HAND" else None
    if c[-1].type == "TWO":
        in_one = (total + 1) // 2
    return Honours(side_of(c[0]), total, in_one)


def _score(c: Tokens) -> tuple[tuple[Score, ...], tuple[Span, ...]]:
    scores, side = list[tuple[Side, str, Tokens]](), Side.NS
    for token in c:
        if token.type == "SIDE":
            side = side_of(token)
        elif token.type == "NUMBER":
            scores[-1] = (*scores[-1][:2], [*scores[-1][2], token])
        else:
            scores.append((side, _value(token), [token]))
    return (
        tuple(Score(side, column, _each(points[1:])) for side, column, points in scores),
        tuple([_across(points) for _, _, points in scores]),
    )


def _irregularity(c: Tokens) -> Incident:
    stated: dict[str, Any] = {}
    clause, names = "", list[str]()
    for token in c[2:]:
        if token.type in ("SEAT", "STRING"):
            stated[clause.replace(" ", "_")] = _value(token)
            names.append(clause)
            clause = ""
        else:
            clause = f"{clause} {_value(token)}".strip()
    _once(names, _across(c))
    if str(stated.get("when", "")).count(",") >= FACTS.most:
        raise Malformed("notation.too-many", FACTS.message(), _across(c))
    name = text_of(c[1]) if c[1].type == "STRING" else c[1].lower()
    return Incident(name, **stated)


def _rows(c: Tokens) -> list[Row]:
    """Rows of calls or cards; the last with remarks and the irregularities of cards in brackets."""
    found: list[Row] = c[0].value
    row = found[-1]
    for part in c[1:]:
        last = len(row.packed) - 1
        if isinstance(part, Statement):
            row.details.append(Detail(last, "incident", replace(part.value, span=part.spans[0])))
        elif part.type != "STRING":
            row.extend(*part.value)
        elif row.packed:
            row.details.append(Detail(last, "note", text_of(part)))
        else:
            raise Stuck(rows.AFTER_LEADER, part, part.start_pos, 0)
    if not row.packed:
        raise Stuck(rows.AFTER_LEADER, "", c[-1].end_pos, 0)
    return found


def _statement(word: str, value: Callable[[Tokens], Any]) -> Callable[[Tokens], Statement]:
    """A transformer for a grammar rule: makes a `Statement` of its tokens."""

    def stated(c: Tokens) -> Statement:
        return Statement(word, value(c), (_across(c),) if c and word not in _WITHOUT_SPAN else ())

    return stated


_WITHOUT_SPAN = frozenset("calls trick more play tag players sides deal rubber match end".split())
"""The statements whose value has no span of its own."""


MEANING: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys((BLOCK, *SECTIONS.values()), lambda c: c),
    **{
        rule: _statement(rule.replace("_", " "), value)
        for rules, value in (
            ("rubber match end dealer tray playing chicane game", _first),
            ("hands bidding play", _first),
            ("more", bool),
            ("unfinished", lambda c: (True, _first(c))),
            ("code option", _name),
            ("reading", _reading),
            ("tag", _each),
            ("hand", lambda c: c[0].value),
            ("claim", lambda c: c[0].value[0]),
            ("table", lambda c: text_of(c[0])),
            ("players sides", _names),
            ("deal", _title),
            ("total", _total),
            ("standing_games standing_trick standing_honour", _figures),
            ("vulnerable", _vulnerable),
            ("declaration", _declaration),
            ("result", _result),
            ("honours", _honours),
            ("calls trick", _rows),
        )
        for rule in rules.split()
    },
    "won": lambda c: Statement("won", _each(c), tuple([_across([token]) for token in c])),
    "score": lambda c: Statement("score", *_score(c)),
    "incident": _statement("irregularity", _irregularity),
    **{name: _split(split) for name, split in ROWS.items()},
}
"""The transformer of each grammar rule and of each terminal that is a row."""


# --- error messages -------------------------------------------------------------------------------

NEITHER = {
    BLOCK: "not a keyword",
    "in_hands": "neither a seat nor a keyword",
    "in_bidding": "neither a call nor a keyword",
    "in_play": "neither a card nor a keyword",
}
"""The message for an unknown word at the beginning of a line, by start symbol."""
NOT_CLOSED = "These quotation marks are not closed on this line."
BACKSLASH = 'Between quotation marks a backslash may be used only before `"`, `\\` and `n`.'
_WORD_BEFORE = re.compile(r'("(?:\\.|[^"\\])*"|“[^”]*”|[^\s,"]+)[\s,]*$')
_CLOSED = re.compile(r'"(?:\\.|[^"\\\n])*"')
_WORDS = {
    "SEAT": rows.SEAT_WORDS,
    "SIDE": ("north-south", "east-west"),
    "COUNT": NUMBERS,
    "SPADES": ("spade", "spades"),
    "SUIT": rows.SUIT_WORDS,
    "NO_TRUMP": ("no-trump", "no-trumps"),
    "NULLO": ("nullo", "nullos"),
    "TRUMP": ("trump", "trumps"),
    "ROYALS": ("royals",),
    "HONOUR": ("honour",),
    "_HONOURS": ("honours",),
}
"""The words that match a terminal defined by a regular expression; used for suggestions."""


class Stop(NamedTuple):
    """A state in which the parser stopped: accepted tokens, first word of the line, token met."""

    accepts: frozenset[str]
    first: str
    met: str


def _stop(stopped: Stopped) -> tuple[Stop, Span]:
    """The state in which the parser stopped, and the span of the text that it rejected."""
    text, error, token = stopped.text, stopped.error, getattr(stopped.error, "token", None)
    at, end = stopped.start, len(text)
    if isinstance(error, Stuck):
        end = error.end
        at = _SEPARATED.match(text, at, end).end()  # type: ignore[union-attr]
    if token and token.type != "NL" and token.type not in ROWS:
        span, met = (at, token.end_pos), token.type
    elif at == end or (token and token.type == "NL"):
        before = at - _SEPARATED.match(text[:at][::-1]).end()  # type: ignore[union-attr]
        span, met = (before, before + 1), "NL"
    elif isinstance(error, Stuck) and text[at] in '"“':
        span, met = (at, end), "STRING"
    else:
        span = at, rows.STRETCH.match(text, at, end).end()  # type: ignore[union-attr]
        met = "WORD" if rows.WORD.match(text, at) else "NUMBER" if text[at].isdigit() else text[at]
    if isinstance(error, Stuck):
        return Stop(stopped.accepts, "", met), span
    if not _BLANKS.sub("", text[:at]):
        row = stopped.accepts & ROWS.keys() - {"CLAIM"}
        return Stop(row or frozenset({BLOCK}), "", met), span
    return Stop(stopped.accepts, small(rows.STRETCH.search(text)[0]), met), span  # type: ignore[index]


@cache
def malformed() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The messages of `hand.messages`, each with its examples of malformed text."""
    table: list[tuple[str, list[str]]] = []
    for line in (folder("grammar") / "hand.messages").read_text("utf-8").split("\n"):
        if line.startswith("    "):
            table[-1][1].append(line.strip().replace(" | ", "\n"))
        elif line and line[0] != "#":
            table.append((line, []))
    return tuple((message, tuple(pieces)) for message, pieces in table)


@cache
def stops() -> tuple[tuple[Stop, str], ...]:
    """The state in which the parser stops on each malformed example, with its message."""
    found = list[tuple[Stop, str]]()
    for message, pieces in malformed():
        for piece in pieces:
            *before, line = piece.split("\n")
            section = SECTIONS[before[0]] if before else BLOCK
            try:
                parse(f"{line}\n", section)
            except Stopped as stopped:
                found.append((_stop(stopped)[0], message))
    return tuple(found)


WEB_ADDRESS = (
    "This is a web address, not a record. If it is that of a hand viewer and contains `lin=`, "
    "decode what follows `lin=` (%7C is a bar) up to the next `&`, and give that text "
    "as a .lin file."
)


def explained(stopped: Stopped | Malformed) -> Malformed:
    """The error to report for a single line that the parser rejected."""
    if isinstance(stopped, Malformed):
        return stopped
    text, (stop, (start, end)) = stopped.text, _stop(stopped)
    guess = _guess(text[start:end], stopped) if stop.met == "WORD" else ""
    rule = "notation.syntax"
    if text[start] in '"“' and stop.met not in ("STRING", "NL"):
        closed = _CLOSED.match(text, start)
        wrong = re.search(r'\\(?!["\\n])', re.sub(r'\\["\\n]', "  ", closed[0])) if closed else None
        start += wrong.start() if wrong else 0
        message, end = BACKSLASH if wrong else NOT_CLOSED, start + 1
    elif stop.met == "WORD" and not _BLANKS.sub("", text[:start]):
        rule = "notation.unknown-word"
        message = f"`{text[start : min(end, start + 40)]}` is {NEITHER[stopped.section]}"
        message += f": did you mean `{guess}`?" if guess else "."
        if not guess and text[end:].strip() in ("", "."):
            message += f" If it names a code, write `code {text[start:end]}`."
        if stopped.section == BLOCK and small(text[start:end]) in rows.SEAT_WORDS:
            message += " A line that begins with a seat belongs under `hands`, `bidding` or `play`."
        if text[start:end].lower() in ("http", "https"):
            message = WEB_ADDRESS
        if stopped.section == "in_play" and (verb := small(text[start:end])) in rows.CLAIM_VERBS:
            guess, message = "", f"`{verb}` must follow its player, as in `west {verb} the rest`."
    else:
        before = _WORD_BEFORE.search(text, max(0, start - 200), start)
        message = _message(stop).replace("{word}", before[1] if before else "")
        message += f" Did you mean `{guess}`?" if guess else ""
    return Malformed(rule, message, (start, end), guess)


def _message(stop: Stop) -> str:
    alike = [(known, message) for known, message in stops() if known.accepts == stop.accepts]
    if not alike:
        return "This is not allowed here."
    return max(alike, key=lambda k: (k[0].first == stop.first, k[0].met == stop.met))[1]


def _guess(word: str, stopped: Stopped) -> str:
    if isinstance(stopped.error, Stuck):
        return rows.nearest(word, stopped.error.words)
    known = list[str]()
    for name in stopped.accepts - {"$END", "NL"}:
        pattern = parser().get_terminal(name).pattern
        known += [pattern.value.lower()] if pattern.type == "str" else _WORDS.get(name, ())
    return rows.nearest(word, known)
