"""The lines of a `.hand` file sorted into scopes: the file, a rubber or match in it, a deal.

Every line is parsed by itself. A line that cannot be read damages its deal, and the next lines are
still read; after a word that may have begun a section, lines are passed over up to the next
statement.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from oddtrick.record.hand.lines import statement_of
from oddtrick.record.hand.plain import PlainDeal, plain_deal
from oddtrick.record.hand.words import SECTIONS, Malformed, Statement
from oddtrick.record.model import Place, Stated, Unreadable

LONGEST = 50_000
"""Longer lines are not read: nobody wrote them by hand."""
LONGEST_MEANT = 500
"""Longer lines that cannot be read are not spelled anew."""
MOST_IN_DEAL = 5
MOST_IN_FILE = 1000
"""After so many unreadable places the file is given up: it is something else."""
MOST_FOR_ALL = 200
"""So many things at most are stated for all the deals of a file or a rubber: each deal has them."""

FIRST_WORD = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)")
DEAL = re.compile(r"(?:^|[\r\n])(?:[^\S\r\n]|,)*+(?:deal|board)\b", re.IGNORECASE)
"""Where a line begins a deal."""
QUOTED_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|“[^”]*”|(#.*)')

HEADER = frozenset({"code", "option", "reading", "tag", "players", "sides"})
SEVERAL = frozenset(
    {"option", "reading", "tag", "irregularity", "score", "calls", "trick", "claim"}
)
"""Statements that may be written more than once."""
ROWS = frozenset({"hand", "calls", "trick", "claim", "more"})
OPENING = (
    "code option reading source event venue date scorer note players sides tag deal rubber match"
    " end unfinished total won dealer standing vulnerable tray table original overplay hands"
    " bidding play declaration result honours honors chicane score game irregularity"
).split()
"""The words with which a statement can begin."""
CLOSING = frozenset({"unfinished", "total", "won"})
"""What is said of a rubber or a match between its last deal and its end."""
BOUNDARIES = frozenset({"deal", "rubber", "match", "end"}) | CLOSING
OF_A_DEAL = (
    frozenset(OPENING)
    - HEADER
    - BOUNDARIES
    - {"source", "event", "venue", "date", "scorer", "note"}
)
"""The words of what can be said of a deal only."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment of which it is not known yet what it belongs to; `apart` behind a blank line."""

    text: str
    place: Place
    apart: bool = False


@dataclass(slots=True)
class StatementLine:
    """A statement with its comments."""

    statement: Statement
    before: Sequence[Remark] = ()
    after: Remark | None = None


@dataclass(slots=True)
class Scope:
    """The file (`kind` is `file`), a rubber, a match or a deal while it is read.

    `lost` says that lines are passed over: `statement` up to the next statement, `all` up to the
    next deal. Of a `plain` deal no lines are kept: they are read when somebody asks.
    """

    kind: str
    name: str
    place: Place
    opening: StatementLine | None = None
    lines: list[StatementLine] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    start: list[Remark] = field(default_factory=list)
    end: list[Remark] = field(default_factory=list)
    after_end: Remark | None = None
    stated: dict[Hashable, int] = field(default_factory=dict)
    errors: int = 0
    lost: str = ""
    plain: PlainDeal | None = None

    @property
    def stated_name(self) -> Stated[str]:
        """The name and the place by which the findings and the document know the deal."""
        return Stated(self.name, self.place)


def _read_line(text: str, line: int, start: str, forgiving: bool) -> tuple[Statement, str | None]:
    """The statement on a line, and as what it is read where it is written another way.

    Raises `Malformed` with what is wrong.
    """
    if len(text) > LONGEST:
        said = f"This line has {len(text)} characters; lines of more than {LONGEST} are not read."
        raise Malformed("notation.line-too-long", said, Place(line, 1, line, LONGEST))
    if (usual := statement_of(text, line, start)) is not None:
        return usual, None
    # Lark takes a quarter of a second to import (the time of 400 records), and few files need it.
    from oddtrick.record.hand.grammar import parse_meant

    return parse_meant(text, line, start, forgiving and len(text) <= LONGEST_MEANT)


def _first_word(text: str) -> str:
    found = FIRST_WORD.match(text, 0, 200)
    return found[1].lower() if found else ""


def _behind(text: str, line: int) -> Remark | None:
    """The comment at the end of a line that could be read."""
    found = next((m for m in QUOTED_OR_COMMENT.finditer(text) if m[1]), None)
    return remark(found[1], line, found.start() + 1) if found else None


def remark(text: str, line: int, column: int, apart: bool = False) -> Remark:
    """A comment from its text with the sign."""
    said = text.rstrip()
    place = Place(line, column, line, column + len(said))
    said = said[1:]
    return Remark(said.removeprefix(" "), place, apart)


class FileReader:
    """One file while it is read line by line; `root` and `unreadable` are the result."""

    def __init__(self, file: str, divided: bool = True) -> None:
        """Begin with nothing; `divided` says that some line of the file begins a deal."""
        self.file = file
        self.divided = divided
        self.unreadable: list[Unreadable] = []
        self.root = Scope("file", "", Place(1, 1, 1, 1))
        self.group: Scope | None = None
        self.deal: Scope | None = None
        self.mode = "statement_line"
        self.pending: list[Remark] = []
        self.blank = self.begun = self.over = False
        self.meant = 0

    @property
    def scope(self) -> Scope:
        """The innermost scope that is open."""
        return self.deal or self.group or self.root

    # --- lines ------------------------------------------------------------------------------------

    def block(self, number: int, text: str) -> None:
        """Take some lines of which the first is the next; those after them begin or end a deal, a
        rubber or a match, which can be read, or are none.
        """
        plain = None if self.pending else plain_deal(text, number)
        if plain:
            self._plain(number, plain)
            return
        for one, line in enumerate(text.split("\n"), number):
            self.line(one, line)
            if self.over:
                break

    def _plain(self, number: int, plain: PlainDeal) -> None:
        """Take a whole deal that is plain."""
        if not self.begun:
            self._set_start_apart()
        self._close_deal()
        deal = self._open_deal(plain.name, Place(number, 1, number, plain.end + 1))
        deal.plain, self.mode = plain, plain.mode
        self.blank, self.begun = plain.text.endswith("\n"), True

    def line(self, number: int, text: str) -> None:
        """Take the next line."""
        bare = text.strip(" \t,\f\v\u00a0")
        if not bare:
            self.blank = True
        elif bare[0] == "#":
            self.pending.append(remark(bare, number, text.index("#") + 1, self.blank))
            self.blank = False
        else:
            self._statement(number, text)

    def _statement(self, number: int, text: str) -> None:
        if self.scope.lost and (word := _first_word(text)) not in BOUNDARIES:
            if self.scope.lost == "all" or word not in OPENING:
                return
            self.scope.lost, self.mode = "", "statement_line"
        forgiving = self.meant < MOST_IN_FILE
        try:
            statement, meant = _read_line(text, number, self.mode, forgiving)
        except Malformed as error:
            self._damaged(error, _first_word(text), number)
            return
        self._place(StatementLine(statement, (), _behind(text, number) if "#" in text else None))
        if meant:
            self.meant += 1
            start, end = len(text) - len(text.lstrip()), len(text.rstrip())
            place, said = Place(number, start + 1, number, end + 1), f"Read as `{meant}`."
            self._find("notation.understood", said, place, self.scope, harmless=True)

    def _damaged(self, error: Malformed, word: str, number: int) -> None:
        """Report a line and go on as well as can be: the next lines should not suffer for it."""
        unknown = error.rule == "notation.unknown-word"
        meant = error.guess if unknown else word
        if meant == "deal":
            self._close_deal()
            self._open_deal(f"deal on line {number}", error.place)
        elif meant in ("rubber", "match"):
            self._close_deal()
            self._close_group()
            self._open_group(meant, "", error.place)
        elif meant == "end":
            self._close_deal()
        elif not (self.divided or self.deal) and word in OF_A_DEAL:
            self._begin_unwritten(word, error.place)
        self.fail(error.rule, error.message, error.place)
        if meant == "end":
            self._close_group(ended=True)
        if meant in SECTIONS:
            self.mode = SECTIONS[meant]
        elif meant in OPENING and meant != "irregularity":
            self.mode = "statement_line"
        elif unknown and self.mode == "statement_line":
            # It may have begun a section, whose rows would all be in error.
            self.scope.lost = self.scope.lost or "statement"

    def fail(self, rule: str, message: str, place: Place) -> None:
        """Say what cannot be read; its deal is damaged."""
        scope = self.scope
        scope.errors += 1
        if scope.errors > MOST_IN_DEAL:
            scope.lost = "all"
        else:
            said = f"{scope.name}: {message}" if scope.kind == "deal" else message
            self._find(rule, said, place, scope)

    def _misplaced(self, message: str, place: Place) -> None:
        self.fail("notation.misplaced", message, place)

    def _find(
        self,
        rule: str,
        message: str,
        place: Place,
        scope: Scope | None = None,
        harmless: bool = False,
    ) -> None:
        about = scope.stated_name if scope and scope.kind == "deal" else None
        found = Unreadable(rule, message, self.file, place, about, harmless=harmless)
        self.unreadable.append(found)
        if len(self.unreadable) - self.meant == MOST_IN_FILE:
            self.over = True
            said = "So much of this file cannot be read that the rest was left."
            self._find("notation.too-many", said, place)

    # --- statements -------------------------------------------------------------------------------

    def _place(self, line: StatementLine) -> None:
        """Put a statement where it belongs."""
        word, value, at = line.statement.word, line.statement.value, line.statement.place
        if not self.begun:
            self._set_start_apart()
        if word in BOUNDARIES:
            self._close_deal()
        if self.pending:
            line.before, self.pending = self.pending, []
        self.blank, self.begun = False, True
        if word == "deal":
            self._open_deal(value[0], at).opening = line
        elif word in ("rubber", "match"):
            self._close_group()
            self._open_group(word, value, at).opening = line
        elif word == "end":
            self._end(line)
        else:
            self._keep(line)
        if word not in ROWS and word != "irregularity":
            self.mode = SECTIONS.get(word, "statement_line")

    def _end(self, line: StatementLine) -> None:
        kind, at = line.statement.value, line.statement.place
        if self.group is None:
            self._misplaced(f"There is no {kind} to end here.", at)
            return
        if self.group.kind != kind:
            open_ = self.group.kind
            said = f"This would end a {kind}, but a {open_} is open: write `end {open_}`."
            self._misplaced(said, at)
        self.group.end += line.before
        self.group.after_end = line.after
        self._close_group(ended=True)

    def _keep(self, line: StatementLine) -> None:
        """Keep a statement in the scope that is open, if it may stand there, and not twice."""
        word, at = line.statement.word, line.statement.place
        if self.deal is None:
            if said := self._why_not(line.statement):
                self._misplaced(said, at)
                return
            if word not in HEADER | CLOSING:
                self._begin_unwritten(spoken_of(line.statement), at)
        scope = self.scope
        if word not in SEVERAL:
            key = _key(word, line.statement.value)
            if key in scope.stated:
                said = f"{_twice(line.statement)} is written twice; "
                said += f"the first is on line {scope.stated[key]}."
                if scope.kind == "deal" and scope.opening is None:
                    said += " Where more than one deal is written, begin each with `deal`."
                self.fail("notation.duplicate-statement", said, at)
                return
            scope.stated[key] = at.line
        elif self.deal is None and len(scope.lines) >= MOST_FOR_ALL:
            said = f"A {scope.kind} states {MOST_FOR_ALL} things at most for all its deals."
            self.fail("notation.too-many", said, at)
            return
        scope.lines.append(line)

    def _why_not(self, statement: Statement) -> str:
        """Why a statement cannot stand outside a deal; empty where it can or needs one."""
        word = statement.word
        if word in CLOSING:
            if word == "unfinished" and self.group is not None and self.group.kind != "rubber":
                return "`unfinished` belongs to a rubber: a match is as long as its deals."
            if self.group is None:
                return f"`{word}` belongs to a rubber or match: it stands before its `end`."
        elif word in HEADER and (self.scope.scopes or CLOSING & set(self.scope.stated)):
            spoken = spoken_of(statement)
            return f"`{spoken}` stands before the first deal, and holds for all, or in a deal."
        return ""

    # --- scopes -----------------------------------------------------------------------------------

    def _open_deal(self, name: str, at: Place) -> Scope:
        self.deal = Scope("deal", name, at)
        (self.group or self.root).scopes.append(self.deal)
        self.mode = "statement_line"
        return self.deal

    def _begin_unwritten(self, word: str, at: Place) -> None:
        """Begin a deal that no line begins: the only one of a file as deal 1, another damaged."""
        if not self.divided:
            self.divided = True  # what began another would be of a second deal
            self.meant += 1
            opened, said = self._open_deal("deal 1", at), "No `deal` before this: read as `deal 1`."
            self._find("notation.understood", said, at, opened, harmless=True)
            return
        opened = self._open_deal(f"deal on line {at.line}", at)
        opened.errors += 1
        said = f"`{word}` belongs to a deal: begin one with `deal 1` on a line before it."
        self._find("notation.misplaced", said, at, opened)

    def _open_group(self, kind: str, name: str | None, at: Place) -> Scope:
        self.group = Scope(kind, name or "", at)
        self.root.scopes.append(self.group)
        self.mode = "statement_line"
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
            said = f"This {kind} has no `end {kind}`."
            self.fail("notation.no-end", said, self.group.place)
        self.group = None

    def _set_start_apart(self) -> None:
        """Comments at the top of the file with a blank line behind them belong to the file."""
        cut = max((i for i, r in enumerate(self.pending) if r.apart), default=0)
        cut = len(self.pending) if self.blank else cut
        self.root.start = self.pending[:cut]
        self.pending = self.pending[cut:]

    def finish(self, empty: bool) -> None:
        """The file is at its end."""
        self.blank = True
        self._close_deal()
        self._close_group()
        self.root.end = self.pending
        if not self.root.scopes and not self.unreadable:
            said = "The file is empty." if empty else "There is no deal in this file."
            self._find("notation.empty", said, Place(1, 1, 1, 2))
        self.unreadable.sort(key=lambda f: (f.place.line, f.place.column))


SPOKEN = {
    "playing": "original play` or `overplay",
    "more": "...",
    "hand": "hands",
    "calls": "bidding",
}


def spoken_of(statement: Statement) -> str:
    """The word of a statement as it is written."""
    if statement.word == "tag" and statement.value[0] in OPENING:
        return str(statement.value[0])
    return SPOKEN.get(statement.word, statement.word)


def _key(word: str, value: Any) -> Hashable:
    """What can be said once: the word, and of whom it is said."""
    if word == "hand":
        return word, value[0]
    if word == "honours":
        return word, value.side
    return (word, value.value) if word == "chicane" else word


def _twice(statement: Statement) -> str:
    if statement.word == "hand":
        return f"{statement.value[0].title}'s hand"
    return f"`{spoken_of(statement)}`"
