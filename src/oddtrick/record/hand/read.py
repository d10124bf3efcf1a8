"""A file in our own notation as deals, rubbers and matches; what cannot be read, with its place.

The text is cut where a deal, a rubber or a match begins or ends, and the grammar parses each piece
at once. At a line that it cannot read the piece is parsed up to there; the line is respelled if the
table of spellings has it, or else reported; the parse goes on with the next line. So a mistake
costs its deal and nothing more. `docs/notation.md` describes the notation. Nothing is judged here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.limits import FOR_ALL, IN_DEAL, IN_FILE, LINE, RESPELLED, SHARED
from oddtrick.record.deal import (
    Claim,
    Comment,
    Deal,
    Event,
    Figures,
    Group,
    HandDetail,
    Header,
    Incident,
    Item,
    Remark,
    Source,
    Span,
    Unreadable,
)
from oddtrick.record.hand.grammar import Stopped, explained, parse
from oddtrick.record.hand.rows import Held
from oddtrick.record.hand.spelling import QUOTED_OR_COMMENT, respelled
from oddtrick.record.hand.words import BLOCK, OPENING, SECTIONS, Malformed, Statement

HEADER = frozenset({"code", "option", "reading", "tag", "players", "sides"})
SEVERAL = frozenset(
    {"option", "reading", "tag", "irregularity", "score", "calls", "trick", "claim"}
)
"""Statements that may be written more than once."""
ROWS = frozenset({"hand", "calls", "trick", "claim", "more"})
CLOSING = frozenset({"unfinished", "total", "won"})
"""What is stated of a rubber or a match between its last deal and its end."""
BOUNDARIES = frozenset({"deal", "rubber", "match", "end"}) | CLOSING
OF_A_DEAL = (
    frozenset(OPENING)
    - HEADER
    - BOUNDARIES
    - {"source", "event", "venue", "date", "scorer", "note"}
)
"""The words of what can be stated only of a deal."""

_BLANKS = r"(?:[^\S\n]|[,\ufe0e\ufe0f\u200b])*+"
_BOUNDARY = re.compile(
    rf"^{_BLANKS}(deal|board|rubber|match|end|total|won|unfinished)\b", re.I | re.M
)
_TOO_LONG = re.compile(rf"^(?!{_BLANKS}#)[^\n]{{{LINE.most + 1},}}", re.M)
_FIRST_WORD = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)")
_LEADING = re.compile(_BLANKS)
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
NO_HEADER = Header()


class Piece(NamedTuple):
    """A piece of a text from a line that begins with `word` on; empty for what stands above."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: its deals and groups in order but for damaged ones, and what is unreadable.

    `header` is what the file states for all of them. `comments` are those outside every deal and
    group, anchored at `("start",)`, a statement of the header or `("end",)`.
    """

    source: Source
    items: tuple[Deal | Group, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    header: Header = NO_HEADER
    comments: tuple[Comment, ...] = ()


def statements(text: str) -> Iterator[Piece]:
    """The pieces of a text, cut where a deal, a rubber or a match begins or ends."""
    start, word = 0, ""
    for found in _BOUNDARY.finditer(text):
        if found.start() > start:
            yield Piece(word, start, found.start())
        start, word = found.start(), found[1].lower()
    if start < len(text):
        yield Piece(word, start, len(text))


def lines_of(text: str) -> list[str]:
    """The lines of a text as places count them: only carriage returns and line feeds end a line."""
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def read_document(data: bytes, name: str = "-") -> Document:
    """Read the bytes of a file: UTF-8 with or without a mark, any line ends.

    What is not text gives a document that reports it; nothing raises.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _not_text("This file is text in UTF-16. Save it as UTF-8.", "", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The byte {data[error.start]:02x} is not UTF-8. Save the file as UTF-8."
        if BINARY.search(data):
            message = "This is not text."
        elif error.end == len(data) and error.reason == "unexpected end of data":
            message = "The file is cut off in the middle of a character."
        return _not_text(message, data[: error.start].decode("utf-8", "replace"), name)
    return read_text(text, name)


def _not_text(message: str, before: str, name: str) -> Document:
    """The document of a file that is not text after what stands before a letter."""
    text = "\n".join(lines_of(before))
    source = Source(name, "hand", f"{text} \n")
    span = len(text), len(text) + 1
    return Document(source, (), (Unreadable("notation.not-text", message, source, span),))


def read_text(text: str, name: str = "-") -> Document:
    """Read a text. What cannot be read is in the document; nothing raises."""
    if control := CONTROL.search(text):
        message = "This is not text: it has control characters in it."
        return _not_text(message, text[: control.start()], name)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    source = Source(name, "hand", text if text.endswith("\n") else f"{text}\n")
    pieces = list(statements(source.text))
    reading = _Reading(source, divided=any(p.word in ("deal", "board") for p in pieces))
    for piece in pieces:
        reading.read(piece)
        if reading.over:
            break
    reading.finish()
    return _document(reading)


def read_hand(pieces: Iterable[bytes], name: str = "-") -> list[Deal | Group | Unreadable]:
    """What a file contains, in its order; what is wrong with a deal stands where the deal begins.

    A note that a line was respelled stands after its deal. `pieces` are the bytes of the file in
    any pieces, such as the open file.
    """
    document = read_document(b"".join(pieces), name)
    return sorted((*document.unreadable, *document.items), key=_start)


def _start(item: Deal | Group | Unreadable) -> tuple[int, bool]:
    if isinstance(item, Unreadable):
        return (item.about[1] if item.about else item.span)[0], item.harmless
    return item.span[0], False


def read_statements(source: Source, span: Span, name: str) -> tuple[Deal, tuple[Unreadable, ...]]:
    """The statements of a stretch of any file as a deal that has nothing else.

    The stretch begins and ends with a line; the first may begin the deal. `name` is that of the
    deal if it does not.
    """
    reading = _Reading(source, divided=True)
    reading.open_deal(name, span)
    for word, start, end in statements(source.text[span[0] : span[1]]):
        if word and (start or word not in ("deal", "board")):
            at = span[0] + start, span[0] + start + len(word)
            reading.fail("notation.misplaced", f"`{word}` is not allowed here.", at)
            break
        reading.read(Piece(word, span[0] + start, span[0] + end))
    scope = reading.root.scopes[-1]
    return _deal(scope, NO_HEADER, source), tuple(reading.unreadable)


# --- lines sorted into deals and groups -----------------------------------------------------------


class _Note(NamedTuple):
    """A comment of which it is not known yet what it belongs to; `apart` below a blank line."""

    text: str
    span: Span
    apart: bool = False


def _note(text: str, start: int, apart: bool = False) -> _Note:
    stripped = text.rstrip()
    return _Note(stripped[1:].removeprefix(" "), (start, start + len(stripped)), apart)


@dataclass(slots=True)
class _Line:
    """A statement with its comments."""

    statement: Statement
    span: Span
    before: Sequence[_Note] = ()
    after: _Note | None = None


@dataclass(slots=True)
class _Scope:
    """The file (`kind` is `file`), a rubber, a match or a deal while it is read.

    `lost` means that lines are skipped: `statement` up to the next statement, `all` up to the next
    deal.
    """

    kind: str
    name: str
    span: Span
    opening: _Line | None = None
    lines: list[_Line] = field(default_factory=list)
    scopes: list[_Scope] = field(default_factory=list)
    start: list[_Note] = field(default_factory=list)
    end: list[_Note] = field(default_factory=list)
    after_end: _Note | None = None
    stated: dict[Hashable, int] = field(default_factory=dict)
    errors: int = 0
    lost: str = ""


class _Reading:
    """One file while it is read; `root` and `unreadable` are the result.

    `divided` means that some line of the file begins a deal.
    """

    def __init__(self, source: Source, divided: bool) -> None:
        self.source = source
        self.divided = divided
        self.unreadable: list[Unreadable] = []
        self.root = _Scope("file", "", (0, 0))
        self.group: _Scope | None = None
        self.deal: _Scope | None = None
        self.section = BLOCK
        self.pending: list[_Note] = []
        self.blank = self.begun = self.over = False
        self.understood = 0
        self.too_long = [m.span() for m in _TOO_LONG.finditer(source.text)]

    @property
    def scope(self) -> _Scope:
        """The innermost scope that is open."""
        return self.deal or self.group or self.root

    # --- pieces and lines -------------------------------------------------------------------------

    def read(self, piece: Piece) -> None:
        """Take the lines of a piece."""
        text, (word, at, end) = self.source.text, piece
        while at < end and not self.over:
            if self.scope.lost and not (word and at == piece.start):
                at = self._skipped(at, end)
                continue
            long = bisect_left(self.too_long, (at, 0))
            stop = min(end, self.too_long[long][0]) if long < len(self.too_long) else end
            if stop == at:
                length = self.too_long[long][1] - at
                message = LINE.message(length=length)
                span = at, at + LINE.most - 1
                self._damaged(Malformed("notation.line-too-long", message, span), at)
                at += length + 1
                continue
            try:
                at = self._take(at, stop)
            except (Stopped, Malformed) as error:
                wrong = error.span[0] if isinstance(error, Malformed) else error.start
                line = text.rfind("\n", 0, wrong) + 1
                if line > at and (reached := self._take(at, line)) < line:
                    at = reached
                elif self.scope.lost and line != piece.start:
                    at = line
                else:
                    at = self._respell(line, error)

    def _take(self, at: int, end: int) -> int:
        """Take lines that can be read; up to where they were taken.

        Raises what the parser raises, and then none is taken.
        """
        text = self.source.text
        lines = parse(text, (at, end), self.section)
        start = at + len(_LEADING.match(text, at)[0])  # type: ignore[index]
        for statement, ending, span in lines:
            if statement.word == "above":
                self._comments(ending, span[0])
                start = span[1]
                continue
            if self.scope.lost and statement.word not in BOUNDARIES:
                return text.rfind("\n", 0, start) + 1
            section, stop = self.section, span[0]
            line = _Line(statement, (start, stop))
            behind, newline, rest = ending.partition("\n")
            if "#" in behind:
                line.after = _note(behind.lstrip(" \t,"), stop + behind.index("#"))
            self._place(line)
            self._comments(rest, stop + len(behind) + len(newline))
            start = span[1]
            if statement.word in ROWS and self.section != section:
                return stop + len(behind) + 1  # the row began a deal of its own
        return end

    def _comments(self, text: str, start: int) -> None:
        """Take the comments and blank lines of a text that ends with an indentation."""
        if "\n" not in text:
            return
        for line in text.split("\n")[:-1]:
            if "#" in line:
                at = line.index("#")
                self.pending.append(_note(line[at:], start + at, self.blank))
                self.blank = False
            else:
                self.blank = True
            start += len(line) + 1

    def _skipped(self, at: int, end: int) -> int:
        """Skip lines up to one with which the reading goes on; where that is."""
        text = self.source.text
        while at < end:
            stop = text.index("\n", at)
            line = text[at:stop]
            bare = line.strip(" \t,\f\v\u00a0")
            if not bare or bare[0] == "#":
                self._comments(line + "\n", at)
            elif self.scope.lost != "all" and _first_word(line) in OPENING:
                self.scope.lost, self.section = "", BLOCK
                return at
            at = stop + 1
        return at

    def _respell(self, at: int, error: Stopped | Malformed) -> int:
        """Take a line that the parser cannot read as it is written; where the next one begins."""
        source = self.source.text
        stop = source.index("\n", at)
        text, wrong = source[at:stop], None
        try:
            if self.understood < IN_FILE.most and len(text) <= RESPELLED.most:
                for meant in respelled(text, at, self.section):
                    try:
                        lines = parse(f"{meant.text}\n", (0, len(meant.text) + 1), meant.section)
                    except Stopped as again:
                        if meant.section == BLOCK and meant.text != text:
                            found = explained(again, f"{meant.text}\n", 0, meant.section)
                            if found.rule != "notation.unknown-word":
                                wrong = Malformed(
                                    found.rule, found.message, meant.span(found.span), found.guess
                                )
                        continue
                    except Malformed:
                        continue
                    if len(lines) == 1:
                        self._understand(lines[0].statement, meant, at, text)
                        return stop + 1
            if wrong is None:
                wrong = (
                    error
                    if isinstance(error, Malformed)
                    else explained(error, source, at, self.section)
                )
        except Malformed as question:
            wrong = question
        self._damaged(wrong, at)
        return stop + 1

    def _understand(self, statement: Statement, meant: Any, at: int, text: str) -> None:
        """Take a line that is respelled."""
        spans = tuple(meant.span(span) for span in statement.spans)
        starts = tuple(meant.offsets[start] for start in statement.starts)
        span = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
        written = _written(text)
        line = _Line(
            statement._replace(spans=spans, starts=starts),
            meant.span((_indent(meant.text), len(_written(meant.text)))),
        )
        if len(written) < len(text.rstrip()) and "#" in text[len(written) :]:
            hash_at = text.index("#", len(written))
            line.after = _note(text[hash_at:], at + hash_at)
        self._place(line)
        self.understood += 1
        message = f"Read as `{meant.shown}`."
        self._find("notation.understood", message, span, self.scope, harmless=True)

    def _damaged(self, error: Malformed, at: int) -> None:
        """Report a line and go on as well as can be: the next lines should not suffer for it."""
        word = _first_word(self.source.text[at : at + 200].split("\n", 1)[0])
        unknown = error.rule == "notation.unknown-word"
        meant = error.guess if unknown else word
        if meant == "deal":
            self._close_deal()
            number = self.source.place((at, at)).line
            self.open_deal(f"deal on line {number}", error.span)
        elif meant in ("rubber", "match"):
            self._close_deal()
            self._close_group()
            self._open_group(meant, "", error.span)
        elif meant == "end":
            self._close_deal()
        elif not (self.divided or self.deal) and word in OF_A_DEAL:
            self._begin_unwritten(word, error.span)
        self.fail(error.rule, error.message, error.span)
        if meant == "end":
            self._close_group(ended=True)
        if meant in SECTIONS:
            self.section = SECTIONS[meant]
        elif meant in OPENING and meant != "irregularity":
            self.section = BLOCK
        elif unknown and self.section == BLOCK:
            # It may have begun a section, whose rows would all be in error.
            self.scope.lost = self.scope.lost or "statement"

    def fail(self, rule: str, message: str, span: Span) -> None:
        """Report what cannot be read; its deal is damaged."""
        scope = self.scope
        scope.errors += 1
        if scope.errors > IN_DEAL.most:
            scope.lost = "all"
        else:
            text = f"{scope.name}: {message}" if scope.kind == "deal" else message
            self._find(rule, text, span, scope)

    def _misplaced(self, message: str, span: Span) -> None:
        self.fail("notation.misplaced", message, span)

    def _find(
        self,
        rule: str,
        message: str,
        span: Span,
        scope: _Scope | None = None,
        harmless: bool = False,
    ) -> None:
        about = (scope.name, scope.span) if scope and scope.kind == "deal" else None
        found = Unreadable(rule, message, self.source, span, about, harmless=harmless)
        self.unreadable.append(found)
        if len(self.unreadable) - self.understood == IN_FILE.most:
            self.over = True
            self._find("notation.too-many", IN_FILE.message(), span)

    # --- statements -------------------------------------------------------------------------------

    def _place(self, line: _Line) -> None:
        """Put a statement where it belongs."""
        word, value = line.statement.word, line.statement.value
        if not self.begun:
            self._set_start_apart()
        if word in BOUNDARIES:
            self._close_deal()
        if self.pending:
            line.before, self.pending = self.pending, []
        self.blank, self.begun = False, True
        if word == "deal":
            self.open_deal(value[0], line.span).opening = line
        elif word in ("rubber", "match"):
            self._close_group()
            self._open_group(word, value, line.span).opening = line
        elif word == "end":
            self._end(line)
        else:
            self._keep(line)
        if word not in ROWS and word != "irregularity":
            self.section = SECTIONS.get(word, BLOCK)

    def _end(self, line: _Line) -> None:
        kind = line.statement.value
        if self.group is None:
            self._misplaced(f"There is no {kind} to end here.", line.span)
            return
        if self.group.kind != kind:
            open_ = self.group.kind
            message = f"This would end a {kind}, but a {open_} is open: write `end {open_}`."
            self._misplaced(message, line.span)
        self.group.end += line.before
        self.group.after_end = line.after
        self._close_group(ended=True)

    def _keep(self, line: _Line) -> None:
        """Keep a statement in the scope that is open, if it may stand there, and not twice."""
        word = line.statement.word
        if self.deal is None:
            if message := self._why_not(line.statement):
                self._misplaced(message, line.span)
                return
            if word not in HEADER | CLOSING:
                self._begin_unwritten(_spoken_of(line.statement), line.span)
        scope = self.scope
        if word not in SEVERAL:
            key = _key(word, line.statement.value)
            if key in scope.stated:
                first = self.source.place((scope.stated[key],) * 2).line
                message = f"{_twice(line.statement)} is written twice; "
                message += f"the first is on line {first}."
                if scope.kind == "deal" and scope.opening is None:
                    message += " If there are several deals, begin each with `deal`."
                self.fail("notation.duplicate-statement", message, line.span)
                return
            scope.stated[key] = line.span[0]
        elif self.deal is None and len(scope.lines) >= FOR_ALL.most:
            self.fail("notation.too-many", FOR_ALL.message(scope=scope.kind), line.span)
            return
        if self.deal is None and word in HEADER and _length(line, *scope.lines) > SHARED.most:
            name = _spoken_of(line.statement)
            self.fail("notation.too-many", SHARED.message(name=f"`{name}`"), line.span)
            return
        scope.lines.append(line)

    def _why_not(self, statement: Statement) -> str:
        """Why a statement cannot stand outside a deal; empty where it can or needs one."""
        word = statement.word
        if word in CLOSING:
            if word == "unfinished" and self.group is not None and self.group.kind != "rubber":
                return "`unfinished` belongs to a rubber: a match is as long as its deals."
            if self.group is None:
                return f"`{word}` belongs to a rubber or match: write it before its `end`."
        elif word in HEADER and (self.scope.scopes or CLOSING & set(self.scope.stated)):
            spoken = _spoken_of(statement)
            return (
                f"`{spoken}` belongs in a deal, or before the first deal, where it holds for all."
            )
        return ""

    # --- scopes -----------------------------------------------------------------------------------

    def open_deal(self, name: str, span: Span) -> _Scope:
        """Begin a deal."""
        self.deal = _Scope("deal", name, span)
        (self.group or self.root).scopes.append(self.deal)
        self.section = BLOCK
        return self.deal

    def _begin_unwritten(self, word: str, span: Span) -> None:
        """Begin a deal that no line begins: the only one of a file as deal 1, another damaged."""
        if not self.divided:
            self.divided = True  # what began another would be of a second deal
            self.understood += 1
            opened = self.open_deal("deal 1", span)
            message = "No `deal` before this: read as `deal 1`."
            self._find("notation.understood", message, span, opened, harmless=True)
            return
        opened = self.open_deal(f"deal on line {self.source.place(span).line}", span)
        opened.errors += 1
        message = f"`{word}` belongs to a deal: begin one with `deal 1` on a line before it."
        self._find("notation.misplaced", message, span, opened)

    def _open_group(self, kind: str, name: str | None, span: Span) -> _Scope:
        self.group = _Scope(kind, name or "", span)
        self.root.scopes.append(self.group)
        self.section = BLOCK
        return self.group

    def _close_deal(self) -> None:
        """Comments right below the last statement, with a blank line behind, stay with the deal."""
        if self.deal and self.pending and not self.pending[0].apart:
            behind = len(self.pending) if self.blank else 0
            cut = next((i for i, r in enumerate(self.pending) if i and r.apart), behind)
            self.deal.end += self.pending[:cut]
            self.pending = self.pending[cut:]
        self.deal = None

    def _close_group(self, ended: bool = False) -> None:
        if self.group and not ended:
            kind = self.group.kind
            self.fail("notation.no-end", f"This {kind} has no `end {kind}`.", self.group.span)
        self.group = None

    def _set_start_apart(self) -> None:
        """Comments at the top of the file with a blank line behind them belong to the file."""
        cut = max((i for i, r in enumerate(self.pending) if r.apart), default=0)
        cut = len(self.pending) if self.blank else cut
        self.root.start = self.pending[:cut]
        self.pending = self.pending[cut:]

    def finish(self) -> None:
        """Close what is open at the end of the file."""
        self.blank = True
        self._close_deal()
        self._close_group()
        self.root.end = self.pending
        if not self.root.scopes and not self.unreadable:
            empty = not self.source.text.strip("\ufeff \t\r\n")
            message = "The file is empty." if empty else "There is no deal in this file."
            self._find("notation.empty", message, (0, 1))
        self.unreadable.sort(key=lambda found: found.span[0])


def _length(*lines: _Line) -> int:
    return sum(line.span[1] - line.span[0] for line in lines)


def _first_word(text: str) -> str:
    found = _FIRST_WORD.match(text, 0, 200)
    return found[1].lower() if found else ""


def _written(line: str) -> str:
    """A line without its comment and the blanks at its end."""
    comment = next((m for m in QUOTED_OR_COMMENT.finditer(line) if m[0][0] == "#"), None)
    return line[: comment.start() if comment else None].rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_SPOKEN = {
    "playing": "original play` or `overplay",
    "more": "...",
    "hand": "hands",
    "calls": "bidding",
}


def _spoken_of(statement: Statement) -> str:
    """The word of a statement as it is written."""
    if statement.word == "tag" and statement.value[0] in OPENING:
        return str(statement.value[0])
    return _SPOKEN.get(statement.word, statement.word)


def _key(word: str, value: Any) -> Hashable:
    """What can be stated once: the word, and of whom it is stated."""
    if word == "hand":
        return word, value.seat
    if word == "honours":
        return word, value.side
    return (word, value) if word == "chicane" else word


def _twice(statement: Statement) -> str:
    if statement.word == "hand":
        return f"{statement.value.seat.title}'s hand"
    return f"`{_spoken_of(statement)}`"


# --- deals and groups from their statements -------------------------------------------------------

_FIELDS = {
    **{f"standing {column}": f"standing_{column}" for column in ("games", "trick", "honour")},
    **{w: w for w in "dealer vulnerable tray table playing declaration result game".split()},
}
"""Statements whose value is a field of a deal as it is."""
_OVER = {"declaration": "bidding", "play": "bidding"} | dict.fromkeys(
    ("more", "result", "honours", "chicane", "score", "game"), "play"
)
"""What of a deal is over where a statement stands."""
_SEVERAL_FIELDS = {"honours": "honours", "chicane": "chicane", "score": "scores"}


def _document(reading: _Reading) -> Document:
    root, source = reading.root, reading.source
    header, comments = _header(root.lines)
    items: list[Deal | Group] = []
    for scope in root.scopes:
        if scope.kind != "deal":
            items.append(_group(scope, header, source))
        elif not scope.errors:
            items.append(_deal(scope, header, source))
    comments = _notes(root.start, ("start",)) + comments + _notes(root.end, ("end",))
    return Document(source, tuple(items), tuple(reading.unreadable), header, tuple(comments))


def _notes(notes: Iterable[_Note | None], anchor: Item, where: str = "before") -> list[Comment]:
    return [Comment(n.text, anchor, where, n.span) for n in notes if n]


def _around(line: _Line, first: Item, last: Item | None = None) -> list[Comment]:
    return _notes(line.before, first) + _notes([line.after], last or first, "after")


def _header(lines: Iterable[_Line]) -> tuple[Header, list[Comment]]:
    options, tags = list[str](), list[tuple[str, str]]()
    once: dict[str, Any] = {}
    stated, comments = list[tuple[Item, Span]](), list[Comment]()
    for line in lines:
        word, value, spans, _ = line.statement
        if word not in HEADER:
            continue
        anchor: Item = (word,)
        if word in ("option", "reading"):
            anchor = ("option", len(options))
            options.append(value)
        elif word == "tag":
            anchor = (word, len(tags))
            tags.append(value)
        else:
            once[word] = value
        if anchor[0] in ("code", "option"):
            stated.append((anchor, spans[0]))
        if line.before or line.after:
            comments += _around(line, anchor)
    if not (options or tags or once):
        return NO_HEADER, comments
    return Header(options=tuple(options), tags=tuple(tags), stated=tuple(stated), **once), comments


def below(own: Header, above: Header) -> Header:
    """What holds where `own` is stated below `above`: this first, then the rest from above.

    Where a code is stated, no options come from above: they belong to the other code.
    """
    if above == NO_HEADER:
        return own
    players, sides = dict(above.players) | dict(own.players), dict(above.sides) | dict(own.sides)
    stated = list(own.stated)
    if not own.code:
        number = len(own.options)
        stated += [
            (("option", number + int(item[1])) if item[0] == "option" else item, span)
            for item, span in above.stated
        ]
    return Header(
        own.code or above.code,
        own.options + (() if own.code else above.options),
        own.tags + above.tags,
        tuple((s, players[s]) for s in SEATS if s in players),
        tuple((s, sides[s]) for s in Side if s in sides),
        tuple(stated),
    )


def _group(scope: _Scope, above: Header, source: Source) -> Group:
    own, comments = _header(scope.lines)
    fields: dict[str, Any] = {}
    stated = list[tuple[Item, Span]]()
    for line in scope.lines:
        word, value, spans, _ = line.statement
        if word == "total":
            of = "total" if isinstance(value, Figures) else "team_totals"
            fields[of] = value
            stated.append(((of,), spans[0]))
        elif word == "won":
            fields["won_by"], fields["points"] = value
            stated += zip((("won",), ("points",)), spans, strict=False)
        elif word == "unfinished":
            fields["unfinished"], fields["retired"] = True, value
            stated.append((("unfinished",), line.span))
            stated += (((("retired",)), span) for span in spans)
        if word in CLOSING:
            comments += _around(line, (word,))
    if scope.opening:
        comments = _around(scope.opening, (scope.kind,)) + comments
    comments += _notes(scope.end, ("end",)) + _notes([scope.after_end], ("end",), "after")
    header = below(own, above)
    return Group(
        source,
        scope.span,
        scope.kind,
        scope.opening.statement.value if scope.opening else None,
        tuple(_deal(s, header, source) for s in scope.scopes if not s.errors),
        header=own,
        stated=tuple(stated),
        comments=tuple(comments),
        unread=tuple((s.name, s.span) for s in scope.scopes if s.errors),
        **fields,
    )


def _deal(scope: _Scope, above: Header, source: Source) -> Deal:
    """One deal; the comments keep what they belong to in `Comment.anchor`."""
    own, comments = _header(scope.lines)
    if scope.opening:
        title = scope.opening.statement.value[1]
        if title is not None:
            # The title stands on the first line, so it is the first tag; the others' anchors move.
            own = replace(own, tags=(("title", title), *own.tags))
            comments = [
                replace(c, anchor=("tag", int(c.anchor[1]) + 1)) if c.anchor[0] == "tag" else c
                for c in comments
            ]
        comments = _around(scope.opening, ("deal",)) + comments
    header = below(own, above)
    deal = _Assembly()
    for line in scope.lines:
        if line.statement.word not in HEADER:
            deal.take(line)
    comments += deal.comments + _notes(scope.end, ("end",))
    return Deal(
        source,
        scope.span,
        scope.name,
        (*header.stated, *deal.stated),
        header.code,
        header.options,
        header.tags,
        header.players,
        header.sides,
        None if above == NO_HEADER else own,
        comments=tuple(comments),
        **deal.fields(),
    )


class _Assembly:
    """The statements of one deal as they come."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.stated: list[tuple[Item, Span]] = []
        self.comments: list[Comment] = []
        self.hands, self.hand_spans = [0] * len(SEATS), list[Span | None]([None] * len(SEATS))
        self.details: list[HandDetail] = []
        self.calls, self.call_starts = list[int](), list[int]()
        self.callers: list[tuple[int, Seat]] = []
        self.corrections: list[int] = []
        self.cards, self.card_starts, self.trick_starts = list[int](), list[int](), list[int]()
        self.leaders, self.players_named = list[tuple[int, Seat]](), list[tuple[int, Seat]]()
        self.remarks: list[Remark] = []
        self.claims: list[Claim] = []
        self.incidents: list[Incident] = []
        self.incident_counts = Counter[Event | None]()
        self.several: dict[str, list[Any]] = {word: [] for word in _SEVERAL_FIELDS}
        self.target: Event | None = None
        self.over: str | None = None

    def take(self, line: _Line) -> None:
        """Take one statement and its comments."""
        word, value, spans, starts = line.statement
        first: Item = (word,)
        last: Item | None = None
        target: Event | None = None
        if word in _OVER and self.over != "play":
            self.over = _OVER[word]
        if word == "trick":
            first = ("play", len(self.trick_starts))
            target = self._trick(line)
        elif word == "calls":
            first = ("bidding", len(self.calls))
            before = len(self.calls)
            self.calls += value.calls
            self.call_starts += starts
            self.callers += ((before + n, seat) for n, seat in value.callers)
            self.corrections += (before + n for n in value.corrections)
            for n, mark, note in value.remarks:
                self.remarks.append(Remark(Event("call", before + n), mark, note))
            last = ("bidding", len(self.calls) - 1)
            target = Event("call", len(self.calls) - 1)
        elif word == "hand":
            self._hand(value, line.span)
            first = ("hands", value.seat.value)
        elif word in _FIELDS:
            self.facts[_FIELDS[word]] = value
            self.stated.append((first, spans[0] if spans else line.span))
        elif word == "bidding":
            self.facts["calls"], self.facts["first_caller"] = (), value
            self.stated += ((first, span) for span in spans)
        elif word == "play":
            self.facts["cards"], self.facts["columns"] = (), value
        elif word == "claim":
            first = ("claims", len(self.claims))
            target = Event("claim", len(self.claims))
            after = len(self.trick_starts)
            self.claims.append(replace(value, after_trick=after, span=line.span))
        elif word == "more":
            self.facts["more_play"] = True
        elif word == "irregularity":
            target, first = self.target, self._irregularity(value, spans[0])
        elif word in self.several:
            many = self.several[word]
            first = (word, len(many))
            new = value if word == "score" else (value,)
            for item, span in zip(new, spans, strict=True):
                self.stated.append(((word, len(many)), span))
                many.append(item)
            last = (word, len(many) - 1)
        self.target = target
        if line.before or line.after:
            self.comments += _around(line, first, last)

    def _hand(self, held: Held, span: Span) -> None:
        number = held.seat.number
        self.hands[number], self.hand_spans[number] = held.cards, span
        if held.partial or held.small or held.again:
            self.details.append(HandDetail(held.seat, held.partial, held.small, held.again))

    def _trick(self, line: _Line) -> Event:
        (row, players, incidents), spans = line.statement.value, line.statement.spans
        trick, before = len(self.trick_starts), len(self.cards)
        self.stated.append((("play", trick), line.span))
        self.trick_starts.append(before)
        self.cards += row.cards
        self.card_starts += line.statement.starts
        if row.leader:
            self.leaders.append((trick, row.leader))
        self.players_named += ((before + n, seat) for n, seat in players)
        for n, mark, note in row.remarks:
            self.remarks.append(Remark(Event("card", before + n), mark, note))
        for (n, incident), span in zip(incidents, spans, strict=True):
            event = Event("card", before + n)
            self.incident_counts[event] += 1
            self.incidents.append(replace(incident, event=event, span=span))
        return Event("card", len(self.cards) - 1)

    def _irregularity(self, incident: Incident, span: Span) -> Item:
        """An irregularity belongs to the call, card or claim above it, or else to the deal."""
        event = self.target
        number = self.incident_counts[event]
        self.incident_counts[event] += 1
        after = None if event else self.over
        self.incidents.append(replace(incident, event=event, after=after, span=span))
        if event is None:
            return ("irregularity", number)
        if event.kind == "card":
            return ("play", len(self.trick_starts) - 1, "irregularity", number)
        return (
            "bidding" if event.kind == "call" else "claims",
            event.number,
            "irregularity",
            number,
        )

    def fields(self) -> dict[str, Any]:
        """The fields of the deal."""
        return {
            **self.facts,
            "hands": tuple(self.hands),
            "hand_spans": tuple(self.hand_spans),
            "hand_details": tuple(self.details),
            "calls": tuple(self.calls) if "calls" in self.facts else None,
            "call_starts": tuple(self.call_starts),
            "callers": tuple(self.callers),
            "corrections": tuple(self.corrections),
            "cards": tuple(self.cards) if "cards" in self.facts else None,
            "card_starts": tuple(self.card_starts),
            "trick_starts": tuple(self.trick_starts),
            "leaders": tuple(self.leaders),
            "players_named": tuple(self.players_named),
            "claims": tuple(self.claims),
            "incidents": tuple(self.incidents),
            "remarks": tuple(self.remarks),
            **{name: tuple(self.several[word]) for word, name in _SEVERAL_FIELDS.items()},
        }
