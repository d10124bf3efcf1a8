"""Reads a file in our own notation into deals, rubbers and matches, and reports its errors.

The text is cut where a deal, a rubber or a match begins or ends, and each piece is parsed at once.
If the grammar rejects a line, the piece is parsed up to that line. The line is then respelled by
the rules of `spelling`, or else reported, and parsing continues with the next line. A mistake
therefore spoils only its own deal. `docs/notation.md` describes the notation. Nothing is judged
here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from oddtrick.cards import SEATS, Side
from oddtrick.limits import FOR_ALL, IN_DEAL, IN_FILE, LINE, RESPELLED, SHARED
from oddtrick.record.deal import (
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
from oddtrick.record.hand.spelling import Spelled, respelled
from oddtrick.record.hand.words import BLOCK, FACTS, OPENING, SECTIONS, Malformed, Statement

HEADER = frozenset({"code", "option", "reading", "tag", "players", "sides"})
SEVERAL = frozenset(
    {"option", "reading", "tag", "irregularity", "score", "calls", "trick", "claim"}
)
"""Statements that may be written more than once."""
ROWS = frozenset({"hand", "calls", "trick", "claim", "more"})
CLOSING = frozenset({"unfinished", "total", "won"})
"""Statements of a rubber or match that stand between its last deal and its end."""
BOUNDARIES = frozenset({"deal", "rubber", "match", "end"}) | CLOSING
OF_A_DEAL = (
    frozenset(OPENING)
    - HEADER
    - BOUNDARIES
    - {"source", "event", "venue", "date", "scorer", "note"}
)
"""Words that begin a statement allowed only in a deal."""

_BLANKS = r"(?:[^\S\n]|[,\ufe0e\ufe0f\u200b])*+"
_BOUNDARY = re.compile(
    rf"^{_BLANKS}(deal|board|rubber|match|end|total|won|unfinished)\b", re.I | re.M
)
_TOO_LONG = re.compile(rf"^(?!{_BLANKS}#)[^\n]{{{LINE.most + 1},}}", re.M)
_FIRST_WORD = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
NO_HEADER = Header()


class Piece(NamedTuple):
    """A piece of a text, beginning with a line that starts with `word`.

    `word` is empty for the text above the first such line.
    """

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: its undamaged deals and groups in order, and what cannot be read.

    `header` holds what the file states for all deals. `comments` are those outside every deal and
    group, anchored at `("start",)`, at a statement of the header or at `("end",)`.
    """

    source: Source
    items: tuple[Deal | Group, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    header: Header = NO_HEADER
    comments: tuple[Comment, ...] = ()


def statements(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text, cut where a deal, a rubber or a match begins or ends."""
    start, word = 0, ""
    for found in _BOUNDARY.finditer(text):
        if found.start() > start:
            yield Piece(word, start, found.start())
        start, word = found.start(), found[1].lower()
    if start < len(text):
        yield Piece(word, start, len(text))


def lines_of(text: str) -> list[str]:
    """The lines of a text as `Place` counts them: only CR, LF and CRLF end a line."""
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def read_document(data: bytes, name: str = "-") -> Document:
    """Read the bytes of a file: UTF-8 with or without a byte order mark, any line endings.

    Never raises: if the bytes are not text, the document contains only that error.
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
    """A document with a single error, placed after the text `before`."""
    text = "\n".join(lines_of(before))
    source = Source(name, "hand", f"{text} \n")
    span = len(text), len(text) + 1
    return Document(source, (), (Unreadable("notation.not-text", message, source, span),))


def read_text(text: str, name: str = "-") -> Document:
    """Read a text. Never raises: the document lists what cannot be read."""
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
    return reading.finish()


def read_hand(pieces: Iterable[bytes], name: str = "-") -> list[Deal | Group | Unreadable]:
    """The deals, groups and unreadable parts of a file, in order.

    The errors of a damaged deal come where the deal begins; a note that a line was respelled comes
    after its deal. `pieces` are the bytes of the file in chunks of any size, such as an open file.
    """
    document = read_document(b"".join(pieces), name)
    return sorted((*document.unreadable, *document.items), key=_start)


def _start(item: Deal | Group | Unreadable) -> tuple[int, bool]:
    if isinstance(item, Unreadable):
        return (item.about[1] if item.about else item.span)[0], item.harmless
    return item.span[0], False


def read_statements(source: Source, span: Span, name: str) -> tuple[Deal, tuple[Unreadable, ...]]:
    """A deal made only of the statements in a span of any file, and what cannot be read.

    The span consists of complete lines, of which the first may be the `deal` line. Otherwise the
    deal is called `name`.
    """
    reading = _Reading(source, divided=True)
    reading.open("deal", name, span)
    for word, start, end in statements(source.text[span[0] : span[1]]):
        if word and (start or word not in ("deal", "board")):
            at = span[0] + start, span[0] + start + len(word)
            reading.fail("notation.misplaced", f"`{word}` is not allowed here.", at)
            break
        reading.read(Piece(word, span[0] + start, span[0] + end))
    return reading.root.scopes[-1].deal(NO_HEADER, source), tuple(reading.unreadable)


# --- comments -------------------------------------------------------------------------------------


class _Note(NamedTuple):
    """A comment whose anchor is not yet known; `apart` means that it follows a blank line."""

    text: str
    span: Span
    apart: bool = False


def _note(text: str, start: int, end: int, apart: bool = False) -> _Note | None:
    """The comment between two offsets of a line, or `None` if there is none."""
    at = text.find("#", start, end)
    if at < 0:
        return None
    stripped = text[at:end].rstrip()
    return _Note(stripped[1:].removeprefix(" "), (at, at + len(stripped)), apart)


def _comments(notes: Iterable[_Note | None], anchor: Item, where: str = "before") -> list[Comment]:
    return [Comment(note.text, anchor, where, note.span) for note in notes if note]


# --- lines in deals and groups --------------------------------------------------------------------


class _Reading:
    """The state of reading one file; `root` and `unreadable` collect the result.

    `divided` means that the file has a line that begins a deal.
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
        """The innermost open scope."""
        return self.deal or self.group or self.root

    # --- pieces and lines -------------------------------------------------------------------------

    def read(self, piece: Piece) -> None:
        """Read the lines of a piece."""
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
                line = text.rfind("\n", 0, error.start) + 1
                if line > at and (reached := self._take(at, line)) < line:
                    at = reached
                elif self.scope.lost and line != piece.start:
                    at = line
                else:
                    at = self._take_alone(line)

    def _take(self, at: int, end: int) -> int:
        """Parse the lines between two offsets; returns the offset up to which they were read.

        Errors of the parser propagate, and then nothing was read.
        """
        text = self.source.text
        for statement, span, ending in parse(text, self.section, at, end):
            if statement is None:
                self._between(*ending)
                continue
            if self.scope.lost and statement.word not in BOUNDARIES:
                return text.rfind("\n", 0, span[0]) + 1
            section = self.section
            newline = self._place(statement, span)
            self._between(newline, ending[1])
            if statement.word in ROWS and self.section != section:
                return newline  # the row began a deal of its own
        return end

    def _between(self, start: int, end: int) -> None:
        """Collect the comments and note the blank lines between two statements."""
        text = self.source.text
        while (stop := text.find("\n", start, end)) >= 0:
            if note := _note(text, start, stop, self.blank):
                self.pending.append(note)
            self.blank = note is None
            start = stop + 1

    def _skipped(self, at: int, end: int) -> int:
        """Skip lines until one where reading can resume; returns its offset."""
        text = self.source.text
        while at < end:
            stop = text.index("\n", at)
            line = text[at:stop]
            visible = line.strip(" \t,\f\v\u00a0")
            if not visible or visible[0] == "#":
                self._between(at, stop + 1)
            elif self.scope.lost != "all" and _first_word(line) in OPENING:
                self.scope.lost, self.section = "", BLOCK
                return at
            at = stop + 1
        return at

    def _take_alone(self, at: int) -> int:
        """Read a line that the parser rejects as it was meant, if that is clear, or report it.

        Returns the offset of the next line.
        """
        stop = self.source.text.index("\n", at)
        written = Spelled(self.source.text[at:stop], range(at, stop + 2), self.section)
        first: Malformed | None = None
        wrong: Malformed | None = None
        try:
            for meant in self._meant(written):
                try:
                    lines = parse(f"{meant.text}\n", meant.section)
                except (Stopped, Malformed) as error:
                    found = explained(error).placed(meant.offsets)
                    first = first or found
                    of_statement = meant.section == BLOCK and meant.text != written.text
                    if of_statement and isinstance(error, Stopped):
                        wrong = wrong if found.rule == "notation.unknown-word" else found
                    continue
                if len(lines) == 1:
                    statement, (first_, last), _ = lines[0]
                    if statement:
                        offsets = meant.offsets
                        self._place(statement.placed(offsets), (offsets[first_], offsets[last]))
                    text = written.text
                    span = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
                    self._understand(f"Read as `{meant.shown}`.", span)
                    return stop + 1
        except Malformed as question:
            wrong = question
        if wrong := wrong or first:
            self._damaged(wrong, at)
        return stop + 1

    def _meant(self, written: Spelled) -> Iterator[Spelled]:
        """Yield the spellings to try for a line, first the line as written."""
        yield written
        if self.understood < IN_FILE.most and len(written.text) <= RESPELLED.most:
            yield from respelled(written)

    def _damaged(self, error: Malformed, at: int) -> None:
        """Report a line, and open or close the scopes that it was meant to.

        This spares the lines that follow needless errors.
        """
        word = _first_word(self.source.text[at : at + 200].split("\n", 1)[0])
        unknown = error.rule == "notation.unknown-word"
        meant = error.guess if unknown else word
        if meant == "deal":
            self._close_deal()
            number = self.source.place((at, at)).line
            self.open("deal", f"deal on line {number}", error.span)
        elif meant in ("rubber", "match"):
            self._close_deal()
            self._close_group()
            self.open(meant, "", error.span)
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
            # It may have been meant to begin a section; every row of it would then be an error.
            self.scope.lost = self.scope.lost or "statement"

    def fail(self, rule: str, message: str, span: Span) -> None:
        """Report an error, which marks the open scope as damaged."""
        scope = self.scope
        scope.errors += 1
        if scope.errors > IN_DEAL.most:
            scope.lost = "all"
        else:
            text = f"{scope.name}: {message}" if scope.kind == "deal" else message
            self._find(rule, text, span)

    def _understand(self, message: str, span: Span) -> None:
        """Report that a line was understood although the notation writes it differently."""
        self.understood += 1
        self._find("notation.understood", message, span, harmless=True)

    def _find(self, rule: str, message: str, span: Span, harmless: bool = False) -> None:
        scope = self.scope
        about = (scope.name, scope.span) if scope.kind == "deal" else None
        found = Unreadable(rule, message, self.source, span, about, harmless=harmless)
        self.unreadable.append(found)
        if len(self.unreadable) - self.understood == IN_FILE.most:
            self.over = True
            found = Unreadable("notation.too-many", IN_FILE.message(), self.source, span)
            self.unreadable.append(found)

    # --- statements -------------------------------------------------------------------------------

    def _place(self, statement: Statement, span: Span) -> int:
        """Add a statement to the scope that it belongs to; returns the offset of the next line."""
        word, value = statement.word, statement.value
        if not self.begun:
            self._set_start_apart()
        if word in BOUNDARIES:
            self._close_deal()
        newline = self.source.text.index("\n", span[1])
        after = _note(self.source.text, span[1], newline)
        line = _Line(statement, span, self.pending, after)
        self.pending, self.blank, self.begun = [], False, True
        if word == "deal":
            self.open(word, value[0], span).take(line)
        elif word in ("rubber", "match"):
            self._close_group()
            self.open(word, value or "", span).take(line)
        elif word == "end":
            self._end(line)
        else:
            self._add(line)
        if word not in ROWS and word != "irregularity":
            self.section = SECTIONS.get(word, BLOCK)
        return newline + 1

    def _end(self, line: _Line) -> None:
        kind = line.statement.value
        if self.group is None:
            self.fail("notation.misplaced", f"There is no {kind} to end here.", line.span)
            return
        if self.group.kind != kind:
            open_ = self.group.kind
            message = f"This would end a {kind}, but a {open_} is open: write `end {open_}`."
            self.fail("notation.misplaced", message, line.span)
        self.group.comment(line, ("end",))
        self._close_group(ended=True)

    def _add(self, line: _Line) -> None:
        """Add a statement to the open scope; report it if it is misplaced, repeated or too many."""
        statement, span = line.statement, line.span
        word, key = statement.word, _key(statement)
        if self.deal is None and word not in HEADER | CLOSING:
            self._begin_unwritten(_name_of(statement), span)
        scope, length = self.scope, span[1] - span[0]
        if wrong := self._misplaced(statement):
            self.fail("notation.misplaced", wrong, span)
        elif word not in SEVERAL and key in scope.once:
            self.fail("notation.duplicate-statement", self._twice(statement), span)
        elif scope.kind != "deal" and word in SEVERAL and scope.number >= FOR_ALL.most:
            self.fail("notation.too-many", FOR_ALL.message(scope=scope.kind), span)
        elif scope.kind != "deal" and word in HEADER and scope.length + length > SHARED.most:
            name = f"`{_name_of(statement)}`"
            self.fail("notation.too-many", SHARED.message(name=name), span)
        else:
            scope.once.setdefault(key, span[0])
            scope.number, scope.length = scope.number + 1, scope.length + length
            scope.take(line)

    def _misplaced(self, statement: Statement) -> str:
        """The message if a statement is not allowed in the open scope; empty if it is allowed."""
        word = statement.word
        if word in CLOSING and self.group is None:
            return f"`{word}` belongs to a rubber or match: write it before its `end`."
        if word == "unfinished" and self.group and self.group.kind != "rubber":
            return "`unfinished` belongs to a rubber: a match is as long as its deals."
        if self.deal or word not in HEADER:
            return ""
        if self.scope.scopes or any((word, None) in self.scope.once for word in CLOSING):
            name = _name_of(statement)
            return f"`{name}` belongs in a deal, or before the first deal, where it holds for all."
        return ""

    def _twice(self, statement: Statement) -> str:
        name, scope = f"`{_name_of(statement)}`", self.scope
        if statement.word == "hand":
            name = f"{statement.value.seat.title}'s hand"
        first = self.source.place((scope.once[_key(statement)],) * 2).line
        message = f"{name} is written twice; the first is on line {first}."
        if scope.kind == "deal" and not scope.written:
            message += " If there are several deals, begin each with `deal`."
        return message

    # --- scopes -----------------------------------------------------------------------------------

    def open(self, kind: str, name: str, span: Span) -> _Scope:
        """Open a rubber, a match or a deal, and return its scope."""
        opened = _Scope(kind, name, span)
        (self.group or self.root).scopes.append(opened)
        self.section = BLOCK
        if kind == "deal":
            self.deal = opened
        else:
            self.group = opened
        return opened

    def _begin_unwritten(self, word: str, span: Span) -> None:
        """Begin a deal without a `deal` line.

        If the file has no such line at all, it is deal 1; otherwise the deal is damaged.
        """
        if not self.divided:
            self.divided = True  # another deal without a `deal` line would be a second one
            self.open("deal", "deal 1", span)
            self._understand("No `deal` before this: read as `deal 1`.", span)
            return
        self.open("deal", f"deal on line {self.source.place(span).line}", span).errors += 1
        message = f"`{word}` belongs to a deal: begin one with `deal 1` on a line before it."
        self._find("notation.misplaced", message, span)

    def _close_deal(self) -> None:
        """Close the open deal.

        Comments directly below its last statement and before a blank line are added to it.
        """
        if self.deal and self.pending and not self.pending[0].apart:
            end = len(self.pending) if self.blank else 0
            cut = next((i for i, r in enumerate(self.pending) if i and r.apart), end)
            self.deal.comments += _comments(self.pending[:cut], ("end",))
            self.pending = self.pending[cut:]
        self.deal = None

    def _close_group(self, ended: bool = False) -> None:
        if self.group and not ended:
            kind = self.group.kind
            self.fail("notation.no-end", f"This {kind} has no `end {kind}`.", self.group.span)
        self.group = None

    def _set_start_apart(self) -> None:
        """Give the file the comments at its top that are followed by a blank line."""
        cut = max((i for i, r in enumerate(self.pending) if r.apart), default=0)
        cut = len(self.pending) if self.blank else cut
        self.root.comments += _comments(self.pending[:cut], ("start",))
        self.pending = self.pending[cut:]

    def finish(self) -> Document:
        """Close all scopes at the end of the file and return the document."""
        self.blank, root, source = True, self.root, self.source
        self._close_deal()
        self._close_group()
        root.comments += _comments(self.pending, ("end",))
        if not root.scopes and not self.unreadable:
            empty = not source.text.strip("\ufeff \t\r\n")
            message = "The file is empty." if empty else "There is no deal in this file."
            self._find("notation.empty", message, (0, 1))
        self.unreadable.sort(key=lambda found: found.span[0])
        header = root.header()
        return Document(
            source, root.items(header, source), tuple(self.unreadable), header, tuple(root.comments)
        )


def _first_word(text: str) -> str:
    found = _FIRST_WORD.match(text, 0, 200)
    return found[1].lower() if found else ""


_NAMES = {
    "playing": "original play` or `overplay",
    "more": "...",
    "hand": "hands",
    "calls": "bidding",
}


def _name_of(statement: Statement) -> str:
    """The word of a statement as the user writes it, for messages."""
    if statement.word == "tag" and statement.value[0] in OPENING:
        return str(statement.value[0])
    return _NAMES.get(statement.word, statement.word)


def _key(statement: Statement) -> Hashable:
    """The key under which a statement may occur only once: its word, and a seat or side if any."""
    word, value, _ = statement
    if word == "chicane":
        return word, value
    return word, value.seat if word == "hand" else value.side if word == "honours" else None


# --- deals and groups from their statements -------------------------------------------------------

_LISTS = {
    "option": "options",
    "reading": "options",
    "tag": "tags",
    "honours": "honours",
    "chicane": "chicane",
    "score": "scores",
}
"""Statements that may be repeated, each with the list to which its value is added."""
_OVER = {"declaration": "bidding", "play": "bidding"} | dict.fromkeys(
    ("more", "result", "honours", "chicane", "score", "game"), "play"
)
"""The part of the deal that must be over where a statement occurs."""
_OF_ROW = {
    "calls": ("call", "calls", "call_starts", "callers"),
    "trick": ("card", "cards", "card_starts", "players_named"),
}
"""For each kind of row: the event kind, and the fields for values, offsets and named players."""


class _Line(NamedTuple):
    """A statement with its comments."""

    statement: Statement
    span: Span
    before: Sequence[_Note]
    after: _Note | None


class _Scope:
    """The file (`kind` is `file`), a rubber, a match or a deal while it is read.

    `scopes` are the groups and deals in it. `written` means that a line of its own begins it.
    `once` holds the offset of the first statement for each key. `lost` says which lines are
    skipped: `statement` up to the next statement, `all` up to the next deal.
    """

    def __init__(self, kind: str, name: str, span: Span) -> None:
        self.kind, self.name, self.span = kind, name, span
        self.scopes: list[_Scope] = []
        self.written = False
        self.once: dict[Hashable, int] = {}
        self.number = self.length = self.errors = 0
        self.lost = ""
        self.fields: dict[str, Any] = {}
        self.lists: dict[str, list[Any]] = defaultdict(list)
        self.stated: list[tuple[Item, Span]] = []
        self.header_stated: list[tuple[Item, Span]] = []
        self.comments: list[Comment] = []
        self.lists["hands"], self.lists["hand_spans"] = [0] * len(SEATS), [None] * len(SEATS)
        self.over: str | None = None
        self.target: tuple[Event | None, Item] = None, ()
        self.incidents = Counter[Event | None]()

    # --- adding statements ------------------------------------------------------------------------

    def take(self, line: _Line) -> None:
        """Add a statement with its comments."""
        word, value, spans = line.statement
        first: Item = (word,)
        last: Item | None = None
        if word in _OVER and self.over != "play":
            self.over = _OVER[word]
        if word not in HEADER and word != "irregularity":
            self.target = None, ()
        if word in _OF_ROW:
            first, last = self._rows(line)
        elif word in _LISTS:
            word = "option" if word == "reading" else word
            many = self.lists[_LISTS[word]]
            first = word, len(many)
            many += value if word == "score" else (value,)
            last = word, len(many) - 1
            stated = self.header_stated if word == "option" else self.stated
            if word != "tag":
                stated += (((word, n), span) for n, span in enumerate(spans, int(first[1])))
        elif word in FACTS:
            self.fields[word.replace(" ", "_")] = value
            self.stated.append((first, spans[0]))
        elif word in HEADER:
            self.fields[word] = value
            if word == "code":
                self.header_stated.append((first, spans[0]))
        elif word == "hand":
            self._hand(value, line.span)
            first = "hands", value.seat.value
        elif word == "bidding":
            self.lists["calls"], self.fields["first_caller"] = [], value
            self.stated += ((first, span) for span in spans)
        elif word == "play":
            self.lists["cards"], self.fields["columns"] = [], value
        elif word == "claim":
            number, trick = len(self.lists["claims"]), len(self.lists["trick_starts"])
            first = "claims", number
            self.target = Event("claim", number), first
            self.lists["claims"].append(replace(value, after_trick=trick, span=line.span))
        elif word == "more":
            self.fields["more_play"] = True
        elif word == "irregularity":
            event, item = self.target
            after = None if event else self.over
            first = *item, "irregularity", self.incidents[event]
            self._incident(replace(value, event=event, after=after, span=spans[0]))
        elif word in ("deal", "rubber", "match"):
            self.written = True
            if word != "deal":
                self.fields["name"] = value
            elif value[1] is not None:
                self.lists["tags"].append(("title", value[1]))
        elif word == "total":
            of = "total" if isinstance(value, Figures) else "team_totals"
            self.fields[of] = value
            self.stated.append(((of,), spans[0]))
        elif word == "won":
            self.fields |= zip(("won_by", "points"), value, strict=False)
            self.stated += zip((("won",), ("points",)), spans, strict=False)
        elif word == "unfinished":
            self.fields |= {"unfinished": True, "retired": value}
            self.stated.append((first, line.span))
            self.stated += ((("retired",), span) for span in spans)
        self.comment(line, first, last)

    def comment(self, line: _Line, first: Item, last: Item | None = None) -> None:
        """Add the comments of a line: those above it before item `first`, its own after `last`."""
        if line.before or line.after:
            self.comments += _comments(line.before, first)
            self.comments += _comments([line.after], last or first, "after")

    def _hand(self, held: Held, span: Span) -> None:
        number = held.seat.number
        self.lists["hands"][number], self.lists["hand_spans"][number] = held.cards, span
        if held.partial or held.small or held.again:
            detail = HandDetail(held.seat, held.partial, held.small, held.again)
            self.lists["hand_details"].append(detail)

    def _rows(self, line: _Line) -> tuple[Item, Item | None]:
        """Add rows of calls or cards; returns the paths of the first and the last."""
        word, rows, _ = line.statement
        kind, field, offsets, players = _OF_ROW[word]
        events, tricks = self.lists[field], self.lists["trick_starts"]
        first: Item = ("bidding", len(events)) if word == "calls" else ("play", len(tricks))
        for row in rows:
            before = len(events)
            events += row.packed
            self.lists[offsets] += row.starts
            if word == "trick":
                end = line.span[1] if row is rows[-1] else row.span[1]
                self.stated.append((("play", len(tricks)), (row.span[0], end)))
                if row.leader:
                    self.lists["leaders"].append((len(tricks), row.leader))
                tricks.append(before)
            for number, what, value in row.details:
                event = Event(kind, before + number)
                remarks = self.lists["remarks"]
                if what == "player":
                    self.lists[players].append((event.number, value))
                elif what == "corrects":
                    self.lists["corrections"].append(event.number)
                elif what == "incident":
                    self._incident(replace(value, event=event))
                elif what == "note" and remarks and remarks[-1].event == event:
                    remarks[-1] = remarks[-1]._replace(note=value)
                else:
                    remarks.append(Remark(event, **{what: value}))
        last = first[0], len(events if word == "calls" else tricks) - 1
        self.target = Event(kind, len(events) - 1), last
        return first, last

    def _incident(self, incident: Incident) -> None:
        self.incidents[incident.event] += 1
        self.lists["incidents"].append(incident)

    # --- results ----------------------------------------------------------------------------------

    def header(self) -> Header:
        """The header: the code, options, tags, players and sides stated here."""
        fields = {name: self.fields[name] for name in _OF_HEADER if name in self.fields}
        options, tags = tuple(self.lists["options"]), tuple(self.lists["tags"])
        return Header(options=options, tags=tags, stated=tuple(self.header_stated), **fields)

    def items(self, above: Header, source: Source) -> tuple[Any, ...]:
        """Its groups and undamaged deals; `above` is the header that applies to them."""
        return tuple(
            scope.deal(above, source) if scope.kind == "deal" else scope.as_group(above, source)
            for scope in self.scopes
            if scope.kind != "deal" or not scope.errors
        )

    def as_group(self, above: Header, source: Source) -> Group:
        """The rubber or match, with the header `above` applied to its deals."""
        own = self.header()
        fields = {name: value for name, value in self.fields.items() if name not in _OF_HEADER}
        return Group(
            source,
            self.span,
            self.kind,
            deals=self.items(below(own, above), source),
            header=own,
            stated=tuple(self.stated),
            comments=tuple(self.comments),
            unread=tuple((s.name, s.span) for s in self.scopes if s.errors),
            **fields,
        )

    def deal(self, above: Header, source: Source) -> Deal:
        """The deal, with the header `above` applied to it."""
        own = self.header()
        header = below(own, above)
        lists = {name: tuple(values) for name, values in self.lists.items()}
        inherited = {name: getattr(header, name) for name in (*_OF_HEADER, "options", "tags")}
        return Deal(
            source,
            self.span,
            self.name,
            (*header.stated, *self.stated),
            own=None if above == NO_HEADER else own,
            comments=tuple(self.comments),
            **self.fields | lists | inherited,
        )


_OF_HEADER = ("code", "players", "sides")


def below(own: Header, above: Header) -> Header:
    """The header that applies where `own` is nested in `above`; `own` takes precedence.

    Options and tags of `own` come first. If `own` states a code, the options of `above` are
    dropped, because they belong to the other code.
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
