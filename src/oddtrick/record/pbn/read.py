"""Reading Portable Bridge Notation 2.1, and what real files make of it.

`read_pbn` gives the records of a file one at a time, each followed by findings about what of it could not be
read. No fact is guessed: what a file leaves out is `None`; what was taken for granted stands in `assumed`, what
was not used in `kept`. The standard's own marks of irregularity (`^I`, `^S`, `^R`, `^L`, and the caret before
a declarer or a result) become incidents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import BinaryIO, cast

from lark import Lark, Token

from oddtrick.judge.finding import Finding, Severity
from oddtrick.law.paths import folder
from oddtrick.record.model import Comment, Place, Record, Stated
from oddtrick.record.pbn.begin import MANDATORY
from oddtrick.record.pbn.cut import Chunk, split
from oddtrick.record.pbn.extension import PREFIX, quoted, unescaped
from oddtrick.record.pbn.fields import SECTIONS, Tag, record_of
from oddtrick.record.pbn.sections import Said, comment_text, shown

RULES = {
    "notation.pbn-not-pbn": ("No PBN", "The text is not in Portable Bridge Notation."),
    "notation.pbn-long-line": ("Line too long", "A line is too long to be read."),
    "notation.pbn-long-record": ("Record too long", "A record is too long to be read whole."),
    "notation.pbn-tag": (
        "Tag not readable",
        "A tag lacks its closing quotation mark or bracket, or its value.",
    ),
    "notation.pbn-line": ("Line not readable", "A line belongs to no section of the record."),
    "notation.pbn-call": (
        "Call not readable",
        "A word in the auction is no call; what follows it is not used.",
    ),
    "notation.pbn-card": (
        "Card not readable",
        "A word in the play or the deal is no card or hand.",
    ),
    "notation.pbn-value": (
        "Value not understood",
        "A tag's value is not one that the tag can have.",
    ),
    "notation.pbn-mark": (
        "Mark not understood",
        "A mark in the auction or play means nothing where it stands.",
    ),
    "notation.pbn-note": ("Note missing", "A call or card refers to a note that is not there."),
    "notation.pbn-comment": ("Comment not closed", "A comment in braces is never closed."),
}
"""The findings of this reader: label and meaning of each."""

NOT_INHERITED = frozenset(
    ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note")
)
"""Tags that may not take over a value from the record before."""

SINGLE = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "Score", "ScoreRubber", "ScoreRubberHistory")
)
"""Tags that have no lines behind them."""

_CANONICAL = {w: n for n in (*SINGLE, *SECTIONS, "Note") for w in (n, n.lower())}
_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"((?:[^"\\\n]|\\[^\n])*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"(.*)"\s*\]')
_NOTE = re.compile(r"\s*(\d+)\s*:")
_MEMORY = 500


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of one record's text; `strict` is for the tests of the grammar."""
    grammar = (folder("grammar") / "pbn.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="record", parser="lalr", lexer="basic", strict=strict)


def read_pbn(lines: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Finding]:
    """The records of a PBN file, each as soon as it is complete, with the findings about it behind it.

    `lines` are the lines (or any pieces) of the file with their ends, or the open file. A finding is `about` the
    record before it, or about one in its place of which no tag could be read; about `None` where the text is no
    record. Memory does not grow with the file; bad text is a finding, never an exception.
    """
    inherited = Inherited()
    number = 0
    for chunk in split(lines):
        said = Said(file)
        record = _read(chunk, number + 1, inherited, said) if chunk.lines else None
        for trouble in chunk.troubles:
            place = Place(trouble.line, 1, trouble.end_line + 1, 1)
            said.found.append(
                Finding(trouble.rule, Severity.UNREADABLE, trouble.message, file=file, place=place)
            )
        found = sorted(said.found, key=lambda f: (f.place.line, f.place.column))
        # What was no record and stood before this one was noted with it.
        yield from (f for f in found if f.place.line < chunk.line)
        if record:
            number += 1
            yield record
        about = _named(chunk, record)
        yield from (replace(f, about=about) for f in found if f.place.line >= chunk.line)


def _named(chunk: Chunk, record: Record | None) -> Stated[str] | None:
    """The record of a chunk by its name and place, one of which no tag could be read by its line; `None` where there is none."""
    if record:
        return Stated(record.id, record.place)
    return Stated(f"record on line {chunk.line}", _place(chunk)) if chunk.lines else None


def _place(chunk: Chunk) -> Place:
    return Place(chunk.line, 1, chunk.line + len(chunk.lines) - 1, len(chunk.lines[-1]) + 1)


def decode(raw: bytes) -> str:
    """The text of a record: UTF-8 where that is valid, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@dataclass(slots=True)
class Inherited:
    """The values that `#` takes over, and those that `##` sets for every record that follows."""

    last: dict[str, str] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)

    def value(self, name: str, value: str) -> str | None:
        """The value meant by a tag; `None` where the tag may not take one over."""
        if value.startswith("#") and not name.startswith(PREFIX):
            if name in NOT_INHERITED:
                return None
            if value.startswith("##"):
                value = value[2:]
                if len(self.header) < _MEMORY:
                    self.header[name] = value
            elif value == "#":
                value = self.last.get(name, "")
        if name in self.header:
            # A header tag given again need not begin with ## to hold for the records that follow.
            self.header[name] = value
        if name in self.last or len(self.last) < _MEMORY:
            self.last[name] = value
        return value


def _read(chunk: Chunk, number: int, inherited: Inherited, said: Said) -> Record | None:
    """The record of a chunk; `None` where it has no tag that can be read."""
    offset = chunk.line - 1
    reading = _Reading(offset, said)
    for token in cast("list[Token]", parser().parse(decode(b"\n".join(chunk.lines))).children):
        reading.token(token)
    reading.finish()
    if not reading.tags:
        return None
    if chunk.joined:
        said.assume(
            "an empty line inside the record was passed over",
            Place(chunk.joined, 1, chunk.joined, 1),
        )
    for tag in reading.tags.values():
        value = inherited.value(tag.name, tag.value)
        if value is None:
            message = f"{tag.name} may not be taken over from the record before; it is not known."
            said.unclear("notation.pbn-value", message, tag.place)
        if value != tag.value:
            tag.value = value or ""
            tag.raw = f"[{tag.name} {quoted(tag.value)}]"
    start = Place(chunk.line, 1, chunk.line, 1)
    for name, value in inherited.header.items():
        reading.tags.setdefault(name, Tag(name, value, start, f"[{name} {quoted(value)}]"))
    return record_of(reading.tags, number, _place(chunk), offset, said)


class _Reading:
    """One record while its tokens are sorted into tags, sections, notes and comments."""

    def __init__(self, offset: int, said: Said) -> None:
        self.offset, self.said = offset, said
        self.tags: dict[str, Tag] = {}
        self.current: Tag | None = None
        self.noted = False
        self.junk: list[Token] = []

    def at(self, token: Token) -> Place:
        """Where a token stands in the file."""
        line, column, lines = self.offset + (token.line or 1), token.column or 1, token.split("\n")
        end = len(lines[-1]) + (column if len(lines) == 1 else 1)
        return Place(line, column, line + len(lines) - 1, end)

    def token(self, token: Token) -> None:
        """Sort one token."""
        kind = token.type
        if kind == "TAGS":
            self._pairs(token, _TAG)
        elif kind == "DATA":
            if self.current is None or self.current.name in SINGLE:
                self.junk.append(token)
            else:
                self.current.body.append(token)
                self.noted = False
        elif kind == "ESCAPE":
            if not _DIRECTIVE.match(token):
                self.said.keep(token.value, self.at(token))
        elif kind == "LOOSE_TAG":
            self.said.assume("the quotation marks inside the value belong to it", self.at(token))
            self._pairs(token, _LOOSE_TAG)
        elif kind == "BROKEN_TAG":
            message = f'This tag cannot be read: {shown(token)}. A tag is written [Name "value"].'
            self.said.unread("notation.pbn-tag", message, token.rstrip(), self.at(token))
        else:
            self._comment(token)

    def finish(self) -> None:
        """Say which lines belong to nothing."""
        if self.junk:
            count = sum(t.count("\n") + 1 for t in self.junk)
            what = "This line belongs" if count == 1 else f"{count} lines belong"
            message = f"{what} to no section: {shown(self.junk[0])}."
            self.said.unread("notation.pbn-line", message, None, self.at(self.junk[0]))
            for token in self.junk:
                self.said.keep(token.value[:1000], self.at(token))

    def _pairs(self, token: Token, pattern: re.Pattern[str]) -> None:
        """The tag pairs of a token, each with the place of its value."""
        line, newline = self.offset + (token.line or 1), -(token.column or 1)
        counted = 0
        for found in pattern.finditer(token):
            name, value = found.groups()
            start = found.start(2)
            if lines := token.count("\n", counted, start):
                line, newline = line + lines, token.rfind("\n", 0, start)
            counted = start
            place = Place(line, start - newline, line, start - newline + len(value))
            name = _CANONICAL.get(name) or _CANONICAL.get(name.lower(), name)
            tag = Tag(name, unescaped(value), place, found[0])
            if name == "Note" and self.current and self.current.name in SECTIONS:
                self._note(tag, self.current)
            elif name in self.tags:
                self.said.keep(found[0], place)
                self.said.assume(f"the first {name} tag counts, as PBN provides", place)
            else:
                self.tags[name] = self.current = tag
                self.noted = False

    def _note(self, tag: Tag, section: Tag) -> None:
        self.noted = True
        found = _NOTE.match(tag.value)
        if found and found[1] not in section.notes:
            section.notes[found[1]] = tag
        else:
            message = (
                f'A note is written [Note "1:text"], each number once; {shown(tag.value)} is not.'
            )
            self.said.unclear("notation.pbn-value", message, tag.place)
            self.said.keep(tag.raw, tag.place)

    def _comment(self, token: Token) -> None:
        if token.type == "OPEN_COMMENT":
            self.said.unclear(
                "notation.pbn-comment", "This comment is never closed with }.", self.at(token)
            )
        if self.current is None:
            anchor: tuple[str | int, ...] = ("deal",)
        elif self.current.name in SECTIONS and not self.noted:
            # Which call or card it belongs to, the section knows.
            self.current.body.append(token)
            return
        else:
            anchor = ("pbn", self.current.name)
        where = "before" if self.current is None else "after"
        self.said.comments.append(Comment(comment_text(token.value), anchor, where, self.at(token)))
