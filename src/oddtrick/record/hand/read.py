"""Reads a file in our own notation into deals, rubbers and matches, and reports its errors.

The text is cut where a deal, a rubber or a match begins or ends, and each piece is parsed at once.
If the grammar rejects a line, the piece is parsed up to that line. The line is then respelled by
the rules of `spelling`, or else reported, and parsing continues with the next line. A mistake
therefore spoils only its own deal. `docs/notation.md` describes the notation. Nothing is judged
here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from oddtrick.cards import SEATS, Side
from oddtrick.limits import FOR_ALL, IN_DEAL, IN_FILE, LINE, RESPELLED, SHARED
from oddtrick.record.deal import (
    NO_HEADER,
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
from oddtrick.record.hand.rows import ROW_WORDS, Held
from oddtrick.record.hand.spelling import Spelled, respelled
from oddtrick.record.hand.words import BLOCK, OPENING, SECTIONS, Malformed, Statement

HEADER = frozenset({"code", "option", "reading", "tag", "players", "sides"})
SEVERAL = frozenset("option reading tag irregularity score calls trick claim".split())
"""Statements that may be written more than once."""
ROWS = frozenset({"hand", "calls", "trick", "claim", "more", "irregularity"})
"""Statements that do not end the section in which they occur."""
CLOSING = frozenset({"unfinished", "total", "won"})
"""Statements of a rubber or match between its last deal and its end."""
BOUNDARIES = frozenset({"deal", "rubber", "match", "end"}) | CLOSING
OUTSIDE = HEADER | BOUNDARIES
"""Statements allowed outside a deal."""
OF_A_DEAL = frozenset(OPENING) - OUTSIDE - {"source", "event", "venue", "date", "scorer", "note"}
"""Words that begin a statement allowed only in a deal."""

_BLANKS = r"(?:[^\S\n]|[,\ufe0e\ufe0f\u200b])*+"
_BOUNDARY = re.compile(
    rf"^(?:{_BLANKS}(deal|board|rubber|match|end|total|won|unfinished)\b"
    rf"|(?!{_BLANKS}#)(?=[^\n]{{{LINE.most + 1}}}))",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST_WORD = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)")
_EMPTY = re.compile(r"[ \t,\f\v\u00a0]*(?:#|$)")
SHORT = 4  # the fewest letters of a word that is not a seat, a call or a card in letters
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class Piece(NamedTuple):
    """A piece of a text, beginning with a line that starts with `word`.

    `word` is empty for the text above the first such line, and for a line that is too long.
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
    """Yield the pieces of a text, cut where a deal, a rubber or a match begins or ends.

    A line that is too long begins a piece too.
    """
    start, word = 0, ""
    for found in _BOUNDARY.finditer(text):
        if found.start() > start:
            yield Piece(word, start, found.start())
        start, word = found.start(), (found[1] or "").lower()
    if start < len(text):
        yield Piece(word, start, len(text))


def read_document(data: bytes, name: str = "-") -> Document:
    """Read the bytes of a file: UTF-8 with or without a byte order mark, any line endings.

    Never raises: if the bytes are not text, the document contains only that error.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _not_text("This file is text in UTF-16. Save it as UTF-8.", "", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"Byte {data[error.start]:02x} is not valid UTF-8. Save the file as UTF-8."
        if BINARY.search(data):
            message = "This is not text."
        elif error.end == len(data) and error.reason == "unexpected end of data":
            message = "The file is cut off in the middle of a character."
        return _not_text(message, data[: error.start].decode("utf-8", "replace"), name)
    return read_text(text, name)


def _unified(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _not_text(message: str, before: str, name: str) -> Document:
    """A document with a single error, placed after the text `before`."""
    text = _unified(before)
    source = Source(name, "hand", f"{text} \n")
    span = len(text), len(text) + 1
    return Document(source, (), (Unreadable("notation.not-text", message, source, span),))


def read_text(text: str, name: str = "-") -> Document:
    """Read a text. Never raises: the document lists what cannot be read."""
    if control := CONTROL.search(text):
        message = "This is not text: it contains control characters."
        return _not_text(message, text[: control.start()], name)
    text = _unified(text)
    source = Source(name, "hand", text if text.endswith("\n") else f"{text}\n")
    pieces = list(statements(source.text))
    reading = _Reading(source, divided=any(p.word in ("deal", "board") for p in pieces))
    for piece in pieces:
        reading.read(piece)
    return reading.finish()


def read_hand(pieces: Iterable[bytes], name: str = "-") -> list[Deal | Group | Unreadable]:
    """The deals, groups and unreadable parts of a file, in order.

    The errors of a damaged deal come where the deal begins; a note that a line was respelled comes
    after its deal. The comments of the file belong to the first item, those at its end to the last.
    `pieces` are the bytes of the file in chunks of any size, such as an open file.
    """
    document = read_document(b"".join(pieces), name)
    items = list(document.items)
    for comment in document.comments if items else ():
        at = -1 if comment.anchor == ("end",) else 0
        one = items[at]
        if at == 0:
            anchor = one.kind if isinstance(one, Group) else "deal"
            comment = replace(comment, anchor=(anchor,), where="before")
        every = tuple(sorted((*one.comments, comment), key=lambda c: c.span))
        items[at] = (
            one._replace(comments=every) if isinstance(one, Deal) else replace(one, comments=every)
        )
    return sorted((*document.unreadable, *items), key=_start)


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


# --- lines in deals and groups --------------------------------------------------------------------


class _Reading:
    """The state of reading one file; `root` and `unreadable` collect the result.

    `divided` means that the file has a line that begins a deal. `pending` holds the comments since
    the last statement, divided by the blank lines: the first are those directly below it.
    """

    def __init__(self, source: Source, divided: bool) -> None:
        self.source = source
        self.divided = divided
        self.unreadable: list[Unreadable] = []
        self.root = _Scope("file", "", (0, 0))
        self.group: _Scope | None = None
        self.deal: _Scope | None = None
        self.section = BLOCK
        self.pending: list[list[Span]] = [[]]
        self.begun = self.over = False
        self.respelled = self.faults = 0

    @property
    def scope(self) -> _Scope:
        return self.deal or self.group or self.root

    # --- pieces and lines -------------------------------------------------------------------------

    def read(self, piece: Piece) -> None:
        text, (word, at, end) = self.source.text, piece
        length = text.index("\n", at) - at
        if length > LINE.most and not self.over and (word or not self.scope.lost):
            span, message = (at, at + LINE.most - 1), LINE.message(length=length)
            self._damaged(Malformed("notation.line-too-long", message, span), at)
            word, at = "", at + length + 1
        while at < end and not self.over:
            if self.scope.lost and not (word and at == piece.start):
                at = self._skipped(at, end)
                continue
            try:
                at = self._take(at, end)
            except (Stopped, Malformed) as error:
                line = text.rfind("\n", 0, error.start) + 1
                at = self._take(at, line) if line > at else at
                if at == line and (line == piece.start or not self.scope.lost):
                    at = self._take_alone(line)

    def _take(self, at: int, end: int) -> int:
        """Parse the lines between two offsets, and return the offset up to which they were read.

        If an error propagates, nothing was read.
        """
        text = self.source.text
        for statement, span, ending in parse(text, self.section, at, end):
            section = self.section
            if statement:
                if self.scope.lost and statement.word not in BOUNDARIES:
                    return text.rfind("\n", 0, span[0]) + 1
                self._place(statement, span, ending)
                if statement.word in ROWS and self.section != section:
                    return text.index("\n", span[1]) + 1  # the row began a deal of its own
            if "#" in ending or self.pending != [[]]:
                start = text.index("\n", span[1]) + 1 if statement else span[1]
                self._between(start, span[1] + len(ending))
        return end

    def _between(self, start: int, end: int) -> None:
        """Collect the comments between two statements, and note the blank lines."""
        text = self.source.text
        while (stop := text.find("\n", start, end)) >= 0:
            if comment := self._comment_in(start, stop):
                self.pending[-1] += comment
            else:
                self.pending.append([])
            start = stop + 1

    def _comment_in(self, start: int, end: int) -> list[Span]:
        at = self.source.text.find("#", start, end)
        return [(at, at + len(self.source.text[at:end].rstrip()))] if at >= 0 else []

    def _comment(
        self, scope: _Scope, spans: Iterable[Span], anchor: Item, where: str = "before"
    ) -> None:
        for start, end in spans:
            text = self.source.text[start + 1 : end].removeprefix(" ")
            scope.comments.append(Comment(text, anchor, where, (start, end)))

    def _skipped(self, at: int, end: int) -> int:
        """Skip lines until one where reading can resume; returns its offset."""
        text = self.source.text
        while at < end:
            stop = text.index("\n", at)
            if _EMPTY.match(text, at, stop):
                self._between(at, stop + 1)
            elif self.scope.lost != "all":
                word = _first_word(text, at, stop)
                if word in OPENING or not (len(word) < SHORT or word in ROW_WORDS):
                    self.scope.lost, self.section = "", BLOCK
                    return at
            at = stop + 1
        return at

    def _take_alone(self, at: int) -> int:
        """Read a rejected line as it was meant or report it; returns the offset of the next."""
        stop = self.source.text.index("\n", at)
        written = Spelled(self.source.text[at:stop], range(at, stop + 2), self.section)
        first: Malformed | None = None
        reported: Malformed | None = None
        is_tried = self.respelled < IN_FILE.most and len(written.text) <= RESPELLED.most
        try:
            for meant in chain((written,), respelled(written) if is_tried else ()):
                try:
                    lines = parse(f"{meant.text}\n", meant.section)
                except (Stopped, Malformed) as error:
                    found = explained(error).placed(meant.offsets)
                    if meant.changed_from(written):
                        found = found.after(f"This was read as `{meant.shown}`. ")
                    first = first or found
                    further = meant.section == BLOCK or found.span[0] > first.span[0]
                    is_new = meant.text != written.text and isinstance(error, Stopped)
                    is_better = is_new and (further or bool(found.guess))
                    if not reported or (is_better and found.rule != "notation.unknown-word"):
                        reported = found
                    continue
                offsets = meant.offsets
                for statement, (begun, end), ending in lines:
                    if statement:
                        self._place(
                            statement.placed(offsets), (offsets[begun], offsets[end]), ending
                        )
                self.respelled += 1
                if meant.changed_from(written):
                    text = written.text
                    span = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
                    read_as = f"`{meant.shown}`"
                    if meant.text == text:
                        keyword = next(w for w, kind in SECTIONS.items() if kind == meant.section)
                        read_as = f"if `{keyword}` stood before it"
                    message = f"This was read as {read_as}."
                    self._find("notation.understood", message, span, harmless=True)
                return stop + 1
        except Malformed as question:
            reported = question
        assert reported
        self._damaged(reported, at)
        return stop + 1

    def _damaged(self, error: Malformed, at: int) -> None:
        """Report a line, and open or close what it was meant to, so that later lines fit."""
        word = _first_word(self.source.text, at, self.source.text.index("\n", at))
        unknown = error.rule == "notation.unknown-word"
        meant = error.guess if unknown else word
        if meant in ("deal", "rubber", "match", "end"):
            self._close_deal()
        if meant == "deal":
            self._open_unnamed(error.span, at)
        elif meant in ("rubber", "match"):
            self._close_group()
            self.open(meant, "", error.span)
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
            # The line may have been meant to begin a section, each row of which would then be an
            # error.
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

    def _find(self, rule: str, message: str, span: Span, harmless: bool = False) -> None:
        scope = self.scope
        about = (scope.name, scope.span) if scope.kind == "deal" else None
        found = Unreadable(rule, message, self.source, span, about, harmless=harmless)
        self.unreadable.append(found)
        self.faults += not harmless
        if self.faults == IN_FILE.most:
            self.over = True
            found = Unreadable("notation.too-many", IN_FILE.message(), self.source, span)
            self.unreadable.append(found)

    # --- statements -------------------------------------------------------------------------------

    def _place(self, statement: Statement, span: Span, ending: str) -> None:
        """Add a statement to its scope, with the comments before it and the one on its line."""
        word = statement.word
        if not self.begun:  # comments at the top, followed by a blank line, belong to the file
            for notes in self.pending[:-1]:
                self._comment(self.root, notes, ("start",))
            self.pending = [[], self.pending[-1]]
        if word in BOUNDARIES:
            self._close_deal()
        if word in ("deal", "rubber", "match"):
            name = statement.value[0] if word == "deal" else statement.value or ""
            if word != "deal":
                self._close_group()
            self.open(word, name, span).written = True
        if scope := self._open_for(statement, span):
            first, last = scope.take(statement, span)
            for comments in self.pending:
                self._comment(scope, comments, first)
            if "#" in ending:
                newline = self.source.text.index("\n", span[1])
                self._comment(scope, self._comment_in(span[1], newline), last, "after")
        if word == "end":
            self._close_group(ended=True)
        if word not in ROWS:
            self.section = SECTIONS.get(word, BLOCK)
        self.pending, self.begun = [[]], True

    def _open_for(self, statement: Statement, span: Span) -> _Scope | None:
        """The scope of a statement; reports one that is misplaced, repeated or beyond a limit."""
        word, key = statement.word, _key(statement)
        if self.deal is None and word not in OUTSIDE:
            self._begin_unwritten(_name_of(statement), span)
        scope = self.deal or self.scope
        rule, wrong = "misplaced", "" if self.deal else self._misplaced(statement)
        if not wrong and key in scope.once and word not in SEVERAL:
            rule, wrong = "duplicate-statement", self._twice(statement)
        if not wrong and scope is not self.deal and word in HEADER:
            rule, wrong = "too-many", scope.too_many(statement, span)
        if wrong:
            self.fail(f"notation.{rule}", wrong, span)
            return None
        scope.once.setdefault(key, span[0])
        return scope

    def _misplaced(self, statement: Statement) -> str:
        """The message if a statement is not allowed outside a deal; empty if it is allowed."""
        word, group = statement.word, self.group
        if word == "end" and group is None:
            return f"There is no {statement.value} to end here."
        if word == "end" and group and group.kind != statement.value:
            kind = group.kind
            return f"This would end a {statement.value}, but a {kind} is open: write `end {kind}`."
        if word in CLOSING and group is None:
            return f"`{word}` belongs to a rubber or match: write it before the line with `end`."
        if word == "unfinished" and group and group.kind != "rubber":
            return "Only a rubber can be `unfinished`; a match ends with its last deal."
        begun = self.scope.scopes or not CLOSING.isdisjoint(self.scope.once)
        if word in HEADER and begun:
            name = _name_of(statement)
            return f"Write `{name}` in a deal or, for all deals, before the first deal."
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
        opened = _Scope(kind, name, span)
        (self.group or self.root).scopes.append(opened)
        self.section = BLOCK
        if kind == "deal":
            self.deal = opened
        else:
            self.group = opened
        return opened

    def _open_unnamed(self, span: Span, at: int) -> _Scope:
        """Open a deal that is named after the line at an offset."""
        return self.open("deal", f"deal on line {self.source.place((at, at)).line}", span)

    def _begin_unwritten(self, word: str, span: Span) -> None:
        """Begin a deal without a `deal` line: deal 1 if the file has none, otherwise damaged."""
        if not self.divided:
            self.divided = True  # another deal without a `deal` line would be a second one
            self.open("deal", "deal 1", span)
            message = "There is no `deal` line before this; `deal 1` was assumed."
            self._find("notation.understood", message, span, harmless=True)
            return
        self._open_unnamed(span, span[0]).errors += 1
        message = f"`{word}` belongs to a deal: begin a deal with `deal 1` on a line before it."
        self._find("notation.misplaced", message, span)

    def _close_deal(self) -> None:
        """Close the open deal; comments directly below its last statement are added to it."""
        if self.deal and len(self.pending) > 1:
            self._comment(self.deal, self.pending[0], ("end",))
            self.pending[0] = []
        self.deal = None

    def _close_group(self, ended: bool = False) -> None:
        if self.group and not ended:
            kind = self.group.kind
            self.fail("notation.no-end", f"This {kind} has no `end {kind}`.", self.group.span)
        self.group = None

    def finish(self) -> Document:
        self.pending.append([])
        root, source = self.root, self.source
        self._close_deal()
        self._close_group()
        for notes in self.pending:
            self._comment(root, notes, ("end",))
        if not root.scopes and not self.unreadable:
            empty = not source.text.strip("\ufeff \t\r\n")
            message = "The file is empty." if empty else "There is no deal in this file."
            self._find("notation.empty", message, (0, 1))
        header = root.header()
        within = (header, root), *((below(g.header(), header), g) for g in root.scopes)
        damaged = {
            (deal.name, deal.span): below(deal.header(), above)
            for above, scope in within
            for deal in scope.scopes
            if deal.errors
        }
        unreadable = tuple(
            replace(found, header=damaged[found.about]) if found.about in damaged else found
            for found in sorted(self.unreadable, key=lambda found: found.span[0])
        )
        items = root.items(header, source)
        return Document(source, items, unreadable, header, tuple(root.comments))


def _first_word(text: str, start: int, end: int) -> str:
    found = _FIRST_WORD.match(text, start, min(end, start + 200))
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
    match word:
        case "chicane":
            return word, value
        case "hand":
            return word, value.seat
        case "honours":
            return word, value.side
    return word


# --- deals and groups from their statements -------------------------------------------------------

_LISTS = {"option": "options", "reading": "options", "tag": "tags", "score": "scores"}
_LISTS |= {"honours": "honours", "chicane": "chicane"}
"""Statements that may be repeated, each with the list to which its value is added."""
_FIELDS = {
    "bidding": ("first_caller",),
    "play": ("columns",),
    "more": ("more_play",),
    "rubber": ("name",),
    "match": ("name",),
    "won": ("won_by", "points"),
    "unfinished": ("unfinished", "retired"),
}
"""The fields that a statement sets, if they are not named after it."""
_SECTION_LISTS = {"bidding": "calls", "play": "cards"}
_OVER = {"declaration": "bidding", "play": "bidding"} | dict.fromkeys(
    ("more", "result", "honours", "chicane", "score", "game"), "play"
)
"""The part of the deal that is over when a statement occurs."""
_OF_ROW = {
    "calls": ("call", "calls", "call_starts", "callers"),
    "trick": ("card", "cards", "card_starts", "players_named"),
}
"""For each kind of row: the event kind, and the fields for values, offsets and named players."""
Items = tuple[Item, Item]
"""The paths of the first and the last item of a statement."""


class _Scope:
    """The file (`kind` is `file`), a rubber, a match or a deal while it is read.

    `scopes` are the groups and deals in it. `written` means that a line of its own begins it.
    `once` holds the offset of the first statement for each key. `lost` determines which lines are
    skipped: `statement` up to the next statement, `all` up to the next deal. `target` is the event
    to which an irregularity would now belong, with its path.
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

    def too_many(self, statement: Statement, span: Span) -> str:
        """The message if the scope states too much for all its deals; empty if not."""
        number, length = self.number + 1, self.length + span[1] - span[0]
        if statement.word in SEVERAL and number > FOR_ALL.most:
            return FOR_ALL.message(scope=self.kind)
        if length > SHARED.most:
            return SHARED.message(name=f"`{_name_of(statement)}`")
        self.number, self.length = number, length
        return ""

    # --- adding statements ------------------------------------------------------------------------

    def take(self, statement: Statement, span: Span) -> Items:
        """Add a statement; returns the items before and after which its comments are written."""
        word = statement.word
        if self.over != "play":
            self.over = _OVER.get(word, self.over)
        if word not in HEADER and word != "irregularity":
            self.target = None, ()
        return _TAKEN.get(word, _Scope._fact)(self, statement, span)

    def _fact(self, statement: Statement, span: Span) -> Items:
        """Store the values of a statement that may be made only once."""
        word, value, spans = statement
        if word == "total" and not isinstance(value, Figures):
            word = "team_totals"
        elif word == "unfinished":
            spans = (span, *spans)
        fields = _FIELDS.get(word, (word.replace(" ", "_"),))
        if word in _SECTION_LISTS:
            self.lists[_SECTION_LISTS[word]] = []
        self.fields |= zip(fields, value if len(fields) > 1 else (value,), strict=False)
        stated = self.header_stated if word in HEADER else self.stated
        stated += zip(((word,), *((name,) for name in fields[1:])), spans, strict=False)
        return (statement.word,), (statement.word,)

    def _listed(self, statement: Statement, _: Span) -> Items:
        word, value, spans = statement
        many, name = self.lists[_LISTS[word]], "option" if word == "reading" else word
        first = len(many)
        many += value if word == "score" else (value,)
        stated = self.header_stated if word in HEADER else self.stated
        stated += (((name, n), span) for n, span in enumerate(spans, first))
        return (name, first), (name, len(many) - 1)

    def _boundary(self, statement: Statement, _: Span) -> Items:
        if statement.word == "deal" and (title := statement.value[1]) is not None:
            self.lists["tags"].append(("title", title))
        return (statement.word,), (statement.word,)

    def _hand(self, statement: Statement, span: Span) -> Items:
        held: Held = statement.value
        number = held.seat.number
        self.lists["hands"][number], self.lists["hand_spans"][number] = held.cards, span
        if held.partial or held.small or held.again:
            detail = HandDetail(held.seat, held.partial, held.small, held.again)
            self.lists["hand_details"].append(detail)
        return ("hands", held.seat.value), ("hands", held.seat.value)

    def _claim(self, statement: Statement, span: Span) -> Items:
        item = "claims", len(self.lists["claims"])
        self.target = Event("claim", item[1]), item
        trick = len(self.lists["trick_starts"])
        self.lists["claims"].append(replace(statement.value, after_trick=trick, span=span))
        return item, item

    def _irregularity(self, statement: Statement, _: Span) -> Items:
        event, item = self.target
        path = *item, "irregularity", self.incidents[event]
        after = None if event else self.over
        incident = replace(statement.value, event=event, after=after, span=statement.spans[0])
        self._incident(incident)
        return path, path

    def _incident(self, incident: Incident) -> None:
        self.incidents[incident.event] += 1
        self.lists["incidents"].append(incident)

    def _rows(self, statement: Statement, span: Span) -> Items:
        word, rows, _ = statement
        kind, field, offsets, players = _OF_ROW[word]
        events, tricks = self.lists[field], self.lists["trick_starts"]
        counted, remarks = events if word == "calls" else tricks, self.lists["remarks"]
        path = "bidding" if word == "calls" else "play"
        first: Item = path, len(counted)
        for row in rows:
            before = len(events)
            events += row.packed
            self.lists[offsets] += row.starts
            if word == "trick":
                end = span[1] if row is rows[-1] else row.span[1]
                self.stated.append((("play", len(tricks)), (row.span[0], end)))
                if row.leader:
                    self.lists["leaders"].append((len(tricks), row.leader))
                tricks.append(before)
            for number, what, value in row.details:
                event = Event(kind, before + number)
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
        last = path, len(counted) - 1
        self.target = Event(kind, len(events) - 1), last
        return first, last

    # --- results ----------------------------------------------------------------------------------

    def header(self) -> Header:
        fields = {name: self.fields[name] for name in _OF_HEADER if name in self.fields}
        options, tags = tuple(self.lists["options"]), tuple(self.lists["tags"])
        return Header(options=options, tags=tags, stated=tuple(self.header_stated), **fields)

    def items(self, above: Header, source: Source) -> tuple[Any, ...]:
        """The groups and undamaged deals of the scope; `above` is the header that applies."""
        return tuple(
            scope.deal(above, source) if scope.kind == "deal" else scope.as_group(above, source)
            for scope in self.scopes
            if scope.kind != "deal" or not scope.errors
        )

    def as_group(self, above: Header, source: Source) -> Group:
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


_TAKEN: dict[str, Callable[[_Scope, Statement, Span], Items]] = {
    **dict.fromkeys(_LISTS, _Scope._listed),
    **dict.fromkeys(_OF_ROW, _Scope._rows),
    **dict.fromkeys(("deal", "end"), _Scope._boundary),
    "hand": _Scope._hand,
    "claim": _Scope._claim,
    "irregularity": _Scope._irregularity,
}
"""The method that adds a statement, by its word; `_fact` adds all others."""
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
