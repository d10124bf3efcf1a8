"""Text in our own notation as statements, by the grammar in `hand.lark`.

`parse` reads any lines at once. If it cannot, `explained` tells what was expected there, in the
words of `hand.messages`: the parser stops on each malformed line of that table where the same words
are expected; another line that stops it there gets the same message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.limits import FACTS
from oddtrick.paths import folder
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
from oddtrick.record.hand.rows import Calls, Cards
from oddtrick.record.hand.words import (
    BLANK,
    BLOCK,
    NUMBERS,
    SECTIONS,
    WRITTEN,
    Malformed,
    Statement,
    number_of,
    seat_of,
    side_of,
    small,
    text_of,
)

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput


class Line(NamedTuple):
    """A statement and its line end, with the comments below it, and the span of that end."""

    statement: Statement
    ending: str
    span: Span


class _WordFirst:
    """Offers WORD to the lexer everywhere, so that it takes an unknown word in full."""

    always_accept = ("WORD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens as they come."""
        return stream


class Stopped(Exception):
    """The parser could not go on: where, and the type and end of the token if it is not a row."""

    def __init__(self, error: UnexpectedInput, base: int) -> None:
        """Keep what lark reports of a text that begins at an offset."""
        super().__init__()
        self.error, self.start = error, (error.pos_in_stream or 0) + base
        token: Any = getattr(error, "token", None)
        row = token is None or token.type.removeprefix(WRONG) in ROW_TYPES
        self.met: str = "" if row else token.type
        self.end: int = 0 if row else token.end_pos + base

    @property
    def accepts(self) -> frozenset[str]:
        """The types of the tokens with which the parser would have gone on."""
        return frozenset(self.error.interactive_parser.accepts())  # type: ignore[no-untyped-call]


@cache
def parser(strict: bool = False) -> Lark:
    """The parser, made once. A command that reads no `.hand` does not import lark."""
    from lark import Lark

    return Lark(
        (folder("grammar") / "hand.lark").read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        start=[BLOCK, *SECTIONS.values()],
        postlex=_WordFirst(),
        maybe_placeholders=False,
        strict=strict,
        transformer=_Meaning(),
        lexer_callbacks={
            "HAND": _split(rows.hand_in),
            "CALLS": _split(rows.calls_in),
            "MORE_CALLS": _split(partial(rows.calls_in, first=False)),
            "CARDS": _split(rows.cards_in),
            "MORE_CARDS": _split(partial(rows.cards_in, first=False)),
            "CARD": _split(rows.card_in),
            "CLAIM": _split(rows.claim_in),
        },
    )


def parse(text: str, span: Span, start: str) -> list[Line]:
    """The statements of some lines of a text, of which the first stands in the section `start`.

    What stands above the first one is a line end of the statement `above`. Raises `Stopped`, or
    `Malformed` for what the grammar alone cannot reject.
    """
    from lark import UnexpectedInput

    base = span[0]
    try:
        # A `TextSlice` would count the lines before it each time.
        children: Any = parser().parse(text[base : span[1]], start=start)
    except UnexpectedInput as error:
        token: Any = getattr(error, "token", None)
        wrong = token is not None and isinstance(token.value, Malformed)
        if wrong and token.type.removeprefix(WRONG) in error.expected:  # type: ignore[attr-defined]
            raise _moved(token.value, base) from None
        raise Stopped(error, base) from None
    except Malformed as error:
        raise _moved(error, base) from None
    if len(children) % 2:
        children.insert(0, Statement("above", None))
    return [
        Line(
            Statement(
                word,
                value,
                tuple([(a + base, b + base) for a, b in spans]),
                tuple([start + base for start in starts]),
            ),
            ending,
            (ending.start_pos + base, ending.end_pos + base),
        )
        for (word, value, spans, starts), ending in zip(children[::2], children[1::2], strict=True)
    ]


def _moved(error: Malformed, base: int) -> Malformed:
    span = error.span[0] + base, error.span[1] + base
    return Malformed(error.rule, error.message, span, error.guess)


WRONG = "WRONG_"
"""How the types of tokens begin that are rows in which something is wrong."""
ROW_TYPES = frozenset({"HAND", "CALLS", "MORE_CALLS", "CARDS", "MORE_CARDS", "CARD", "CLAIM"})


def _split(split: Callable[[str, int], Any]) -> Callable[[Token], Token]:
    """Puts what a row says in the place of its text; a row that is wrong gets a type of its own."""

    def value(token: Token) -> Token:
        try:
            token.value = split(str(token), token.start_pos or 0)
        except Malformed as error:
            token.type, token.value = f"{WRONG}{token.type}", error
        return token

    return value


# --- what a statement says ------------------------------------------------------------------------


def _span(token: Token) -> Span:
    return token.start_pos or 0, token.end_pos or 0


def _across(tokens: Sequence[Token]) -> Span:
    return tokens[0].start_pos or 0, tokens[-1].end_pos or 0


def _number(token: Token, most: int = MOST) -> int:
    return number_of(token, token.start_pos or 0, most)


def _once(words: Sequence[str], span: Span) -> None:
    for number, word in enumerate(words):
        if word in words[:number]:
            raise Malformed("notation.syntax", f"`{word}` is written twice.", span)


Rule = Callable[[Any, list[Any]], Statement]


def _name_of(word: str) -> Rule:
    return lambda _, c: Statement(word, text_of(c[0]).lower(), (_span(c[0]),))


def _text_of(name: str) -> Rule:
    return lambda _, c: Statement("tag", (name, text_of(c[-1])))


def _title_of(word: str) -> Rule:
    return lambda _, c: Statement(word, text_of(c[0]) if c else None)


def _always(word: str, value: object = None) -> Rule:
    return lambda *_: Statement(word, value)


def _who(word: str) -> Rule:
    def stated(_: object, c: list[Token]) -> Statement:
        who = side_of(c[0]) if c[0].type == "SIDE" else seat_of(c[0])
        return Statement(word, who, (_span(c[0]),))

    return stated


def _names_of(word: str, order: Sequence[Seat | Side]) -> Rule:
    def names(_: object, c: list[Token]) -> Statement:
        who = [side_of(t) if t.type == "SIDE" else seat_of(t) for t in c[1::2]]
        _once([w.word for w in who], _across(c))
        named = dict(zip(who, map(text_of, c[2::2]), strict=True))
        return Statement(word, tuple((w, named[w]) for w in order if w in named))

    return names


def _section(word: str) -> Rule:
    def head(_: object, c: list[Token]) -> Statement:
        return Statement(word, seat_of(c[-1]) if c else None, tuple(map(_span, c[-1:])))

    return head


def _figures(tokens: Sequence[Token]) -> Figures:
    if tokens[0].type == "NONE":
        return Figures(0, 0)
    if tokens[-1].type == "ALL":
        return Figures(*[_number(tokens[0])] * 2)
    sides = [side_of(t) for t in tokens[::2]]
    _once([s.word for s in sides], _across(tokens))
    numbers = dict(zip(sides, map(_number, tokens[1::2]), strict=True))
    return Figures(numbers.get(Side.NS), numbers.get(Side.EW))


class _Meaning:
    """What each rule of the grammar says, from its tokens. It has no state."""

    def block(self, c: list[Any]) -> list[Any]:
        return c

    in_hands = in_bidding = in_play = block
    code, option = _name_of("code"), _name_of("option")
    source, event, venue = _text_of("source"), _text_of("event"), _text_of("venue")
    scorer, note, date = _text_of("scorer"), _text_of("note"), _text_of("date")
    players, sides = _names_of("players", SEATS), _names_of("sides", tuple(Side))
    rubber, match = _title_of("rubber"), _title_of("match")
    end_rubber, end_match = _always("end", "rubber"), _always("end", "match")
    original, overplay = _always("playing", "original"), _always("playing", "overplay")
    dealer, chicane, game = _who("dealer"), _who("chicane"), _who("game")
    hands, bidding, play = _section("hands"), _section("bidding"), _section("play")
    more = _always("more")

    def reading(self, c: list[Token]) -> Statement:
        text = text_of(c[0]).lower()
        if "=" not in text:
            message = f"`{text}` does not name a choice. Write `reading CODE:ID=CHOICE`."
            raise Malformed("notation.syntax", message, _span(c[0]))
        return Statement("reading", text, (_span(c[0]),))

    def tag(self, c: list[Token]) -> Statement:
        return Statement("tag", (text_of(c[0]), text_of(c[1])))

    def deal(self, c: list[Token]) -> Statement:
        title = text_of(c[1]) if len(c) > 1 else None
        return Statement("deal", (f"deal {text_of(c[0])}", title))

    def total(self, c: list[Token]) -> Statement:
        if c[0].type == "SIDE":
            return Statement("total", _figures(c), (_across(c),))
        names = [text_of(name) for name in c[::2]]
        _once(names, _across(c))
        teams = tuple(zip(names, map(_number, c[1::2]), strict=True))
        return Statement("total", teams, (_across(c),))

    def won(self, c: list[Token]) -> Statement:
        points = _number(c[2]) if len(c) > 2 else None
        return Statement("won", (side_of(c[1]), points), tuple(map(_span, c[1:])))

    def unfinished(self, c: list[Token]) -> Statement:
        return Statement("unfinished", side_of(c[0]) if c else None, tuple(map(_span, c)))

    def standing(self, c: list[Token]) -> Statement:
        column = "honour" if c[0].type == "HONOR" else c[0].type.lower()
        return Statement(f"standing {column}", _figures(c[1:]), (_across(c[1:]),))

    def vulnerable(self, c: list[Token]) -> Statement:
        sides = {side_of(t) for t in c if t.type == "SIDE"}
        sides |= set(Side) if c[0].type in ("BOTH", "ALL") else set()
        return Statement("vulnerable", frozenset(sides), (_across(c),))

    def tray(self, c: list[Token]) -> Statement:
        return Statement("tray", _number(c[0]), (_span(c[0]),))

    def table(self, c: list[Token]) -> Statement:
        return Statement("table", text_of(c[0]), (_span(c[0]),))

    # --- rows -------------------------------------------------------------------------------------

    def hand(self, c: list[Token]) -> Statement:
        return Statement("hand", c[0].value)

    def calls(self, c: list[Token]) -> Statement:
        if len(c) == 1:
            return Statement("calls", c[0].value, (), tuple(c[0].value.starts))
        joined = Calls([], [], [], [], [])
        for token in c:
            if token.type == "STRING":
                _remark(joined.remarks, len(joined.calls) - 1, text_of(token))
                continue
            before, row = len(joined.calls), token.value
            joined.calls.extend(row.calls)
            joined.starts.extend(row.starts)
            joined.callers.extend((before + n, seat) for n, seat in row.callers)
            joined.corrections.extend(before + n for n in row.corrections)
            joined.remarks.extend((before + n, *remark) for n, *remark in row.remarks)
        return Statement("calls", joined, (), tuple(joined.starts))

    def trick(self, c: list[Any]) -> Statement:
        if len(c) == 1 and not isinstance(c[0], tuple) and c[0].value.cards:
            return Statement("trick", (c[0].value, (), ()), (), tuple(c[0].value.starts))
        leader, joined = None, Cards(None, [], [], [])
        players, incidents, spans = (
            list[tuple[int, Seat]](),
            list[tuple[int, Incident]](),
            list[Span](),
        )
        for part in c:
            if not isinstance(part, tuple) and part.type == "STRING":
                if not joined.cards:
                    raise Malformed("notation.syntax", rows.TRICK, _span(part))
                _remark(joined.remarks, len(joined.cards) - 1, text_of(part))
                continue
            row, own = part if isinstance(part, tuple) else (part.value, ())
            before = len(joined.cards)
            if not isinstance(part, tuple) and row.leader:
                leader = row.leader
                if not row.cards and len(c) == 1:
                    end = part.end_pos or 0
                    raise Malformed("notation.syntax", rows.TRICK, (end, end + 1))
            elif row.leader:
                players.append((before, row.leader))
            joined.cards.extend(row.cards)
            joined.starts.extend(row.starts)
            joined.remarks.extend((before + n, *remark) for n, *remark in row.remarks)
            for incident, span in own:
                incidents.append((before, incident))
                spans.append(span)
        row = joined._replace(leader=leader)
        return Statement("trick", (row, players, incidents), tuple(spans), tuple(joined.starts))

    def card(self, c: list[Any]) -> tuple[Cards, list[tuple[Incident, Span]]]:
        row = c[0].value
        if len(c) > 1 and not isinstance(c[1], Statement):
            _remark(row.remarks, 0, text_of(c[1]))
        return row, [(s.value, s.spans[0]) for s in c[1:] if isinstance(s, Statement)]

    def claim(self, c: list[Token]) -> Statement:
        return Statement("claim", c[0].value)

    # --- what came of it --------------------------------------------------------------------------

    def declaration(self, c: list[Token]) -> Statement:
        span = _across(c)
        if c[0].type == "PASSED":
            return Statement("declaration", Declaration(passed_out=True), (span,))
        types = [t.type for t in c]
        named = " ".join(small(t) for t in c if t.type in _DENOMINATION)
        often = types[0] in ("NUMBER", "COUNT") and _number(c[0], MOST_IN_CALL)
        doubled: int | None = 0 if named or "UNDOUBLED" in types else None
        if "TIME" in types or "TIMES" in types:
            doubled = _number(c[types.index("DOUBLED") + 1], MOST_IN_CALL)
        elif "DOUBLED" in types or "REDOUBLED" in types:
            doubled = 1 if "DOUBLED" in types else 2
        elif "DOUBLING" in types:
            doubled = None
        declaration = Declaration(
            often if types[0] in ("NUMBER", "COUNT") else None,
            WRITTEN[named] if named else None,
            doubled,
            seat_of(c[types.index("SEAT")]) if "SEAT" in types else None,
            types[-1] == "BRIDGED",
        )
        return Statement("declaration", declaration, (span,))

    def result(self, c: list[Token]) -> Statement:
        types = [t.type for t in c]
        kind = next((k.lower() for k in ("ODD", "MADE", "DOWN") if k in types), "tricks")
        number = _number(c[1] if kind in ("made", "down") else c[0])
        return Statement("result", Result(kind, number), (_across(c),))

    def honours(self, c: list[Token]) -> Statement:
        numbers = [_number(t) for t in c[2:] if t.type in ("NUMBER", "COUNT")]
        in_one = numbers[-1] if c[-1].type == "ONE_HAND" else None
        if c[-1].type == "TWO":
            in_one = (numbers[0] + 1) // 2
        return Statement("honours", Honours(side_of(c[1]), numbers[0], in_one), (_across(c[1:]),))

    def score(self, c: list[Token]) -> Statement:
        scores, spans, side = list[tuple[Side, str, list[int]]](), list[Span](), Side.NS
        for token in c:
            if token.type == "SIDE":
                side = side_of(token)
            elif token.type == "NUMBER":
                scores[-1][2].append(_number(token))
                spans[-1] = spans[-1][0], token.end_pos or 0
            else:
                column = "honour" if token.type == "HONOR" else token.type.lower()
                scores.append((side, column, []))
                spans.append(_span(token))
        value = tuple(Score(side, column, tuple(points)) for side, column, points in scores)
        return Statement("score", value, tuple(spans))

    # --- irregularities ---------------------------------------------------------------------------

    def incident(self, c: list[Token]) -> Statement:
        stated: dict[str, str | Seat] = {}
        clause, names = "", list[str]()
        for token in c[2:]:
            if token.type == "SEAT" or token.type == "STRING":
                stated[clause] = seat_of(token) if token.type == "SEAT" else text_of(token)
                names.append(clause.replace("_", " "))
                clause = ""
            else:
                clause = f"{clause}_{token.type.lower()}" if clause else token.type.lower()
        span = _across(c)
        _once(names, span)
        if str(stated.get("when", "")).count(",") >= FACTS.most:
            message = FACTS.message()
            raise Malformed("notation.too-many", message, span)
        name = text_of(c[1]) if c[1].type == "STRING" else c[1].lower()
        return Statement("irregularity", Incident(name, **stated), (span,))  # type: ignore[arg-type]


_DENOMINATION = ("SPADES", "SUIT", "NULLO", "NO_TRUMP", "NO", "TRUMP", "ROYAL", "ROYALS")


def _remark(remarks: list[tuple[int, str | None, str | None]], number: int, note: str) -> None:
    """Add a remark to the last call or card, beside its mark."""
    mark = remarks.pop()[1] if remarks and remarks[-1][0] == number else None
    remarks.append((number, mark, note))


# --- what is wrong with a line --------------------------------------------------------------------

NEITHER = {
    BLOCK: "not the word of a statement",
    "in_hands": "neither a seat nor the word of a statement",
    "in_bidding": "neither a call nor the word of a statement",
    "in_play": "neither a card nor the word of a statement",
}
"""What is reported of an unknown word at the beginning of a line."""
NOT_CLOSED = "These quotation marks are not closed on the line."
BACKSLASH = 'Between quotation marks a backslash stands only before `"`, `\\` and `n`.'
_WORD_BEFORE = re.compile(r'("(?:\\.|[^"\\])*"|“[^”]*”|[^\s,"]+)[\s,]*$')
_CLOSED = re.compile(r'"(?:\\.|[^"\\\n])*"')
_WORDS = {
    "SEAT": rows.SEAT_WORDS,
    "SIDE": ("north-south", "east-west"),
    "COUNT": NUMBERS,
    "SPADES": ("spade", "spades"),
    "SUIT": rows.SUIT_WORDS,
    "NO_TRUMP": ("no-trump", "no-trumps", "notrump", "notrumps"),
    "NULLO": ("nullo", "nullos"),
    "TRUMP": ("trump", "trumps"),
    "ROYALS": ("royals",),
}
"""The words that a terminal stands for, where it is an expression."""


class Stop(NamedTuple):
    """Where the parser stopped: what it accepts, the first word of the line, what it met."""

    accepts: frozenset[str]
    first: str
    met: str


def _stop(stopped: Stopped, text: str, line: int) -> Stop:
    accepts, start, met = stopped.accepts, stopped.start, stopped.met
    if not met:
        word = rows.WORD.match(text, start)
        met = "WORD" if word else "NUMBER" if text[start].isdigit() else text[start]
    if not text[line:start].strip(" \t,"):
        row = accepts & ROW_TYPES - {"CLAIM"}
        return Stop(row or frozenset({BLOCK}), "", met)
    found = rows.STRETCH.search(text, line)
    return Stop(accepts, small(found[0]) if found else "", met)


@cache
def malformed() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The messages of `hand.messages`, each with its malformed pieces of a file."""
    table: list[tuple[str, list[str]]] = []
    for line in (folder("grammar") / "hand.messages").read_text("utf-8").split("\n"):
        if line.startswith("    "):
            table[-1][1].append(line.strip().replace(" | ", "\n"))
        elif line and line[0] != "#":
            table.append((line, []))
    return tuple((message, tuple(pieces)) for message, pieces in table)


@cache
def stops() -> tuple[tuple[Stop, str], ...]:
    """Every malformed piece of the table as the parser's stop, with its message."""
    found = list[tuple[Stop, str]]()
    for message, pieces in malformed():
        for piece in pieces:
            *before, line = piece.split("\n")
            text = f"{line}\n"
            try:
                parse(text, (0, len(text)), SECTIONS[before[0]] if before else BLOCK)
            except Stopped as stopped:
                found.append((_stop(stopped, text, 0), message))
            except Malformed:
                continue  # a row: its messages are in `rows`
    return tuple(found)


def explained(stopped: Stopped, text: str, line: int, section: str) -> Malformed:
    """What is reported of a line on which the parser stopped; `line` is where it begins."""
    stop = _stop(stopped, text, line)
    start, end = _stretch(stopped, text, line)
    if text[start] in '"“' and stop.met != "STRING":
        closed = _CLOSED.match(text, start)
        wrong = re.search(r'\\(?!["\\n])', re.sub(r'\\["\\n]', "  ", closed[0])) if closed else None
        at = start + wrong.start() if wrong else start
        return Malformed("notation.syntax", BACKSLASH if wrong else NOT_CLOSED, (at, at + 1))
    guess = _guess(text[start:end], stopped.accepts) if stop.met == "WORD" else ""
    if stop.met == "WORD" and not text[line:start].strip(" \t,"):
        message = f"`{text[start : min(end, start + 40)]}` is {NEITHER[section]}"
        message += f": did you mean `{guess}`?" if guess else "."
        return Malformed("notation.unknown-word", message, (start, end), guess)
    before = _WORD_BEFORE.search(text, max(line, start - 200), start)
    message = _message(stop).replace("{word}", before[1] if before else "")
    message += f" Did you mean `{guess}`?" if guess else ""
    return Malformed("notation.syntax", message, (start, end))


def _message(stop: Stop) -> str:
    alike = [(known, message) for known, message in stops() if known.accepts == stop.accepts]
    if not alike:
        return "This is not allowed here."
    return max(alike, key=lambda k: (k[0].first == stop.first, k[0].met == stop.met))[1]


def _stretch(stopped: Stopped, text: str, line: int) -> Span:
    """From where to where the parser met what it could not use; `line` is where the line begins."""
    start = stopped.start
    if stopped.met == "NL":
        start = line + len(re.sub(f"{BLANK}+$", "", text[line:start]))
        return start, start + 1
    if stopped.met:
        return start, stopped.end
    found = rows.STRETCH.match(text, start)
    return start, found.end() if found else start + 1


def _guess(word: str, accepts: frozenset[str]) -> str:
    known = list[str]()
    for name in accepts - {"$END", "NL"}:
        pattern = parser().get_terminal(name).pattern
        known += [pattern.value.lower()] if pattern.type == "str" else _WORDS.get(name, ())
    return rows.nearest(word, known)
