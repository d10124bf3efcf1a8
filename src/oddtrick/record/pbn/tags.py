"""The text of one PBN record sorted into its tags with the lines behind them.

Nearly every record is plain (`plain`); the grammar (`grammar/pbn.lark`) takes apart any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from oddtrick.paths import folder
from oddtrick.record.model import Comment, Item, Place
from oddtrick.record.pbn.cut import MANDATORY, SECTIONS
from oddtrick.record.pbn.plain import Layout, Plain
from oddtrick.record.pbn.sections import Margin, Token, comment_text, place_of, shown
from oddtrick.record.pbn.values import unescaped

if TYPE_CHECKING:
    from lark import Lark
    from lark import Token as Parsed

HAND = "OddtrickHand"
"""The tag before statements of `.hand` that say of the deal what PBN cannot."""

SINGLE = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "Score", "ScoreRubber", "ScoreRubberHistory")
)
"""Tags that have no lines behind them."""

_CANONICAL = {w: n for n in (*SINGLE, *SECTIONS, "Note") for w in (n, n.lower())}
_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"((?:[^"\\\n]|\\[^\n])*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"(.*)"\s*\]')
_NOTE = re.compile(r"\s*(\d+)\s*:")


@dataclass(slots=True)
class Tag:
    """A tag pair and the tokens behind it.

    Its value stands at a line and column of the file, in so many characters; `written` is the pair
    where that is not as the standard has it. `notes` are the note tags of an auction or a play by
    their numbers.
    """

    name: str
    value: str
    line: int
    column: int
    width: int
    written: str = ""
    body: list[Token] = field(default_factory=list)
    notes: dict[str, Tag] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """Where its value stands in the file."""
        return Place(self.line, self.column, self.line, self.column + self.width)

    @property
    def raw(self) -> str:
        """The pair as written."""
        return self.written or f'[{self.name} "{self.value}"]'

    def section(self) -> str:
        """The tag and the lines behind it as written."""
        return "\n".join([self.raw, *self.body])

    def data(self) -> list[str]:
        """The lines behind the tag without comments."""
        return [str(t) for t in self.body if t.kind == "DATA"]


def read_tags(plain: Plain | None, text: str, offset: int, margin: Margin) -> dict[str, Tag]:
    """The tags of a record by their names; `offset` is added to the lines of its text, which may be
    plain.

    What of it is no tag, section or note of one stands in the margin.
    """
    record = _Paragraph(offset, margin)
    if plain:
        record.plain(plain)
    else:
        for token in cast("list[Parsed]", parser().parse(text).children):
            line, column = token.line or 1, token.column or 1
            record.token(Token(token.value, token.type, line, column))
    record.finish()
    return record.tags


@lru_cache(1000)
def stands_alone(layout: Layout) -> bool:
    """Whether the tags with these names are all as they stand: each is written as the standard has
    it, stands once, and has no lines behind it that it cannot have; none is a note or `HAND`.
    """
    return not layout.alike and all(
        canonical(name) == name != "Note" and name != HAND and not (lined and name in SINGLE)
        for name, lined in zip(layout.names, layout.lined, strict=True)
    )


def canonical(name: str) -> str:
    """The name of a tag as the standard writes it."""
    return _CANONICAL.get(name) or _CANONICAL.get(name.lower(), name)


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of one record's text; `strict` is for the tests of the grammar."""
    # Lark takes a quarter of a second to import, and who reads our own notation seldom needs it.
    from lark import Lark

    grammar = (folder("grammar") / "pbn.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="record", parser="lalr", lexer="basic", strict=strict)


class _Paragraph:
    """One record while its tokens are sorted."""

    def __init__(self, offset: int, margin: Margin) -> None:
        self.offset, self.margin = offset, margin
        self.tags: dict[str, Tag] = {}
        self.current: Tag | None = None
        self.noted = False
        self.junk: list[Token] = []

    def plain(self, game: Plain) -> None:
        """Sort the tags of a plain game."""
        line, alone, behind = game.line_of(0), stands_alone(game.layout), iter(game.behind)
        named = zip(game.layout.names, game.values, game.layout.lined, strict=True)
        for name, value, lined in named:
            tag = Tag(name, value, line, len(name) + 4, len(value))
            line += 1
            if alone:
                self.tags[name] = self.current = tag
            else:
                self._tag(tag)
            if lined:
                lines = next(behind)
                self._data(Token(lines[:-1], "DATA", line - self.offset, 1))
                line += lines.count("\n")

    def at(self, token: Token) -> Place:
        """Where a token stands in the file."""
        return place_of(token, self.offset)

    def token(self, token: Token) -> None:
        """Sort one token."""
        kind = token.kind
        if kind == "TAGS":
            self._pairs(token, _TAG)
        elif kind == "DATA":
            self._data(token)
        elif kind == "ESCAPE":
            if not _DIRECTIVE.match(token):
                self.margin.keep(str(token), self.at(token))
        elif kind == "LOOSE_TAG":
            said = "the quotation marks inside the value belong to it"
            self.margin.assume(said, self.at(token))
            self._pairs(token, _LOOSE_TAG)
        elif kind == "BROKEN_TAG":
            message = f'This tag cannot be read: {shown(token)}. A tag is written [Name "value"].'
            self.margin.unread("notation.pbn-tag", message, token.rstrip(), self.at(token))
        else:
            self._comment(token)

    def finish(self) -> None:
        """Say which lines belong to nothing."""
        if self.junk:
            count = sum(t.count("\n") + 1 for t in self.junk)
            what = "This line belongs" if count == 1 else f"{count} lines belong"
            message = f"{what} to no section: {shown(self.junk[0])}."
            self.margin.unread("notation.pbn-line", message, None, self.at(self.junk[0]))
            for token in self.junk:
                self.margin.keep(token[:1000], self.at(token))

    def _data(self, token: Token) -> None:
        """Lines that are neither tag nor comment: of the section before them, or of none."""
        if self.current is None or self.current.name in SINGLE:
            self.junk.append(token)
        else:
            self.current.body.append(token)
            self.noted = False

    def _pairs(self, token: Token, pattern: re.Pattern[str]) -> None:
        """The tag pairs of a token, each with the place of its value."""
        line, newline = self.offset + token.line, -token.column
        counted = 0
        for found in pattern.finditer(token):
            name, value = found.groups()
            start = found.start(2)
            if lines := token.count("\n", counted, start):
                line, newline = line + lines, token.rfind("\n", 0, start)
            counted = start
            self._tag(Tag(name, unescaped(value), line, start - newline, len(value), found[0]))

    def _tag(self, tag: Tag) -> None:
        """A tag with its name as the standard writes it; the first of a name counts."""
        known = canonical(tag.name)
        if known != tag.name:
            tag.written, tag.name = tag.raw, known
        name = tag.name
        if name == "Note" and self.current and self.current.name in SECTIONS:
            self._note(tag, self.current)
        elif name in self.tags:
            self.margin.keep(tag.raw, tag.place)
            self.margin.assume(f"the first {name} tag counts, as PBN provides", tag.place)
        else:
            self.tags[name] = self.current = tag
            self.noted = False

    def _note(self, tag: Tag, section: Tag) -> None:
        self.noted = True
        found = _NOTE.match(tag.value)
        if found and found[1] not in section.notes:
            section.notes[found[1]] = tag
        else:
            message = f'A note is written [Note "1:text"], each number once; {shown(tag.value)} is'
            self.margin.unclear("notation.pbn-value", f"{message} not.", tag.place)
            self.margin.keep(tag.raw, tag.place)

    def _comment(self, token: Token) -> None:
        if token.kind == "OPEN_COMMENT":
            message = "This comment is never closed with }."
            self.margin.unclear("notation.pbn-comment", message, self.at(token))
        if self.current and self.current.name in SECTIONS and not self.noted:
            # Which call or card it belongs to, the section knows.
            self.current.body.append(token)
            return
        anchor: Item = ("pbn", self.current.name) if self.current else ("deal",)
        where = "after" if self.current else "before"
        said = comment_text(token)
        self.margin.comments.append(Comment(said, anchor, where, self.at(token)))
