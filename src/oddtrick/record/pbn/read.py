"""Reading Portable Bridge Notation 2.1, and what real files make of it.

`read_pbn` gives the records of a file one at a time, each followed by what of it could not be read.
No fact is guessed: what a file leaves out is `None`, and so is a value that its tag cannot have;
what was taken for granted stands in `assumed`, what was not used in `kept` or among the tags. The
standard's own marks of irregularity (`^I`, `^S`, `^R`, `^L`, and the caret before a declarer or a
result) become incidents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, BinaryIO, TypeVar, cast

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.paths import folder
from oddtrick.record.model import (
    Call,
    Comment,
    Declaration,
    Hand,
    Incident,
    Item,
    Place,
    Record,
    Result,
    SideFigures,
    Stated,
    Trick,
    Unreadable,
)
from oddtrick.record.pbn.cut import MANDATORY, Chunk, split, text_lines
from oddtrick.record.pbn.extension import PREFIX, TAG_NAMES, TAG_PREFIX, quoted, unescaped, with_own
from oddtrick.record.pbn.sections import (
    Margin,
    accepted,
    comment_text,
    place_of,
    read_auction,
    read_play,
    shown,
)
from oddtrick.record.pbn.standard import VALUES, Game, violations
from oddtrick.record.pbn.values import (
    UNKNOWN,
    contract_of,
    deal_of,
    history_of,
    result_of,
    rubber_score_of,
    seat_of,
    vulnerable_of,
)

if TYPE_CHECKING:
    from lark import Lark, Token

T = TypeVar("T")

NOT_INHERITED = frozenset(
    ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note")
)
"""Tags that may not take over a value from the record before."""

BOARD = ("Board", "Dealer", "Deal")
"""What the records of two tables have in common."""
TABLE = ("Room", "Table", "West", "North", "East", "South", "PairNS", "PairEW")
"""What tells a table from another."""

SECTIONS = ("Auction", "Play")
SINGLE = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "Score", "ScoreRubber", "ScoreRubberHistory")
)
"""Tags that have no lines behind them."""

SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"
"""Incidents of the whole record: the caret before the declarer, and before the result."""

ANCHORS: dict[str, Item] = {
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerable",),
    "Deal": ("hands",),
    "Contract": ("declaration",),
    "Result": ("result",),
    "Table": ("table",),
    "ScoreRubber": ("score", 0),
    "OddtrickCode": ("code",),
    "OddtrickOption": ("option", 0),
    "OddtrickStandingGames": ("standing games",),
    "OddtrickStandingTrick": ("standing trick",),
    "OddtrickStandingHonour": ("standing honour",),
    "OddtrickTray": ("tray",),
    "OddtrickPlaying": ("playing",),
    "OddtrickHonours": ("honours", 0),
    "OddtrickChicane": ("chicane", 0),
    "OddtrickScore": ("score", 0),
    "OddtrickGame": ("game",),
    "OddtrickClaimTable": ("claims", 0),
    "OddtrickIncidentTable": ("irregularity", 0),
}
"""What a comment behind a tag belongs to in the record.

Of a tag without a field it is `("tag", index)`, of any other `("pbn", name)`.
"""

_CANONICAL = {w: n for n in (*SINGLE, *SECTIONS, "Note") for w in (n, n.lower())}
_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"((?:[^"\\\n]|\\[^\n])*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)\s*"(.*)"\s*\]')
_NOTE = re.compile(r"\s*(\d+)\s*:")
_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_REFERENCE = re.compile(r"=\s*(\d+)\s*=")
_MEMORY = 500


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of one record's text; `strict` is for the tests of the grammar."""
    # Lark takes a quarter of a second to import, and who reads our own notation seldom needs it.
    from lark import Lark

    grammar = (folder("grammar") / "pbn.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="record", parser="lalr", lexer="basic", strict=strict)


def lines_of(data: bytes) -> list[str]:
    """The lines of a PBN file as places count them."""
    return [decode(line or b"") for batch in text_lines([data]) for line in batch]


def decode(raw: bytes) -> str:
    """The text of a record: UTF-8 where that is valid, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def read_pbn(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Unreadable]:
    """The records of a PBN file, each as soon as it is complete, with what is unreadable behind it.

    `pieces` are the lines (or any pieces) of the file with their ends, or the open file. What
    cannot be read is `about` the record before it, or about one in its place of which no tag could
    be read; about `None` where the text is no record. Memory does not grow with the file; bad text
    never raises.
    """
    inherited = Inherited()
    number = 0
    for chunk in split(pieces):
        margin = Margin(file)
        record = _read(chunk, number + 1, inherited, margin) if chunk.lines else None
        found = [*margin.unreadable, *(replace(u, file=file) for u in chunk.unreadable)]
        found.sort(key=lambda u: (u.place.line, u.place.column))
        # What was no record and stood before this one was noted with it.
        yield from (u for u in found if u.place.line < chunk.line)
        if record:
            number += 1
            yield record
        about = _named(chunk, record)
        yield from (replace(u, about=about) for u in found if u.place.line >= chunk.line)


def _named(chunk: Chunk, record: Record | None) -> Stated[str] | None:
    """The record of a chunk by its name and place, or by its line where no tag could be read."""
    if record:
        return Stated(record.id, record.place)
    return Stated(f"record on line {chunk.line}", _place(chunk)) if chunk.lines else None


def _place(chunk: Chunk) -> Place:
    return Place(chunk.line, 1, chunk.line + len(chunk.lines) - 1, len(chunk.lines[-1]) + 1)


@dataclass(slots=True)
class Inherited:
    """The values that `#` takes over, and those that `##` sets for every record that follows.

    `before` are the tags of the record before that tell its board and its table.
    """

    last: dict[str, str] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    before: dict[str, Tag] = field(default_factory=dict)

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

    def second_table(self, tags: Mapping[str, Tag]) -> dict[str, Tag]:
        """What a record of another table leaves out of its board, from the record before.

        It is one that has none of board, dealer and deal, tells of a game, and names another room,
        table or player than the record before.
        """
        if not tags.keys().isdisjoint(("Board", "Dealer", "Deal")) or "Deal" not in self.before:
            return {}
        told = not tags.keys().isdisjoint((*SECTIONS, "Contract", "Result"))
        said = [n for n in TABLE if n in tags and tags[n].value not in UNKNOWN]
        other = any(n not in self.before or self.before[n].value != tags[n].value for n in said)
        return {n: self.before[n] for n in BOARD if n in self.before} if told and other else {}


def _read(chunk: Chunk, number: int, inherited: Inherited, margin: Margin) -> Record | None:
    """The record of a chunk; `None` where it has no tag that can be read."""
    offset = chunk.line - 1
    paragraph = _Paragraph(offset, margin)
    raw = b"\n".join(chunk.lines)
    text = decode(raw)
    for token in cast("list[Token]", parser().parse(text).children):
        paragraph.token(token)
    paragraph.finish()
    tags = paragraph.tags
    if not tags:
        return None
    if chunk.joined:
        place = Place(chunk.joined, 1, chunk.joined, 1)
        message = "an empty line inside the record was passed over"
        margin.assume(message, place)
        margin.breaks("3", "notation.pbn-game", f"{message[0].upper()}{message[1:]}.", place)
    fresh = _taken_over(tags, inherited, margin)
    start = Place(chunk.line, 1, chunk.line, 1)
    for name, value in inherited.header.items():
        tags.setdefault(name, Tag(name, value, start, f"[{name} {quoted(value)}]"))
    second = inherited.second_table(tags)
    if second:
        which = ", ".join(name.lower() for name in second)
        said = f"{which}: those of the record before, for this one is of another table"
        margin.assume(said, start)
        margin.breaks("3", "notation.pbn-missing", f"{said[0].upper()}{said[1:]}.", start)
        tags |= second
    record = _record(tags, number, _place(chunk), offset, margin)
    inherited.before = {name: tags[name] for name in (*BOARD, *TABLE) if name in tags}
    told = [u.place for u in margin.unreadable]
    for found in violations(Game(raw, text, chunk.lines, chunk.line, tags, fresh)):
        if margin.heard(found.rule) or not any(_within(place, found.place) for place in told):
            margin.breaks(*found)
    return record


def _within(inner: Place, outer: Place) -> bool:
    """Whether a place begins within another, or where it does."""
    inside = outer.column <= inner.column < max(outer.end_column, outer.column + 1)
    return inner.line == outer.line and inside


def _taken_over(tags: Mapping[str, Tag], inherited: Inherited, margin: Margin) -> frozenset[str]:
    """Give the tags the values that they take over; the names of those that state their own."""
    fresh = set(tags)
    for tag in tags.values():
        value = inherited.value(tag.name, tag.value)
        if value is None:
            message = f"{tag.name} may not be taken over from the record before; it is not known."
            margin.unclear("notation.pbn-value", message, tag.place, "4.8")
        if value != tag.value:
            fresh.discard(tag.name)
            tag.value = value or ""
            tag.raw = f"[{tag.name} {quoted(tag.value)}]"
    return frozenset(fresh)


# --- tokens sorted into tags, sections, notes and comments ----------------------------------------


@dataclass(slots=True)
class Tag:
    """A tag pair and the tokens behind it; `place` is that of the value, `raw` the pair as written.

    `notes` are the note tags of an auction or a play by their numbers.
    """

    name: str
    value: str
    place: Place
    raw: str
    body: list[Token] = field(default_factory=list)
    notes: dict[str, Tag] = field(default_factory=dict)

    def section(self) -> str:
        """The tag and the lines behind it as written."""
        return "\n".join([self.raw, *(t.value for t in self.body)])

    def data(self) -> list[str]:
        """The lines behind the tag without comments."""
        return [t.value for t in self.body if t.type == "DATA"]


class _Paragraph:
    """One record while its tokens are sorted."""

    def __init__(self, offset: int, margin: Margin) -> None:
        self.offset, self.margin = offset, margin
        self.tags: dict[str, Tag] = {}
        self.current: Tag | None = None
        self.noted = False
        self.junk: list[Token] = []

    def at(self, token: Token) -> Place:
        """Where a token stands in the file."""
        return place_of(token, self.offset)

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
                self.margin.keep(token.value, self.at(token))
        elif kind == "LOOSE_TAG":
            said, place = "the quotation marks inside the value belong to it", self.at(token)
            self.margin.assume(said, place)
            message = r"Inside a value a quotation mark is written \"."
            self.margin.breaks("3.2", "notation.pbn-value", message, place)
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
                self.margin.keep(token.value[:1000], self.at(token))

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
                self.margin.keep(found[0], place)
                self.margin.assume(f"the first {name} tag counts, as PBN provides", place)
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
            clause = "3.5.5" if section.name == "Auction" else "3.6.5"
            self.margin.unclear("notation.pbn-value", f"{message} not.", tag.place, clause)
            self.margin.keep(tag.raw, tag.place)

    def _comment(self, token: Token) -> None:
        if token.type == "OPEN_COMMENT":
            message = "This comment is never closed with }."
            self.margin.unclear("notation.pbn-comment", message, self.at(token))
        if self.current and self.current.name in SECTIONS and not self.noted:
            # Which call or card it belongs to, the section knows.
            self.current.body.append(token)
            return
        if self.current and self.current.body and self.current.name not in SECTIONS:
            message = "No comment stands behind the rows of a table."
            self.margin.breaks("5.1", "notation.pbn-table", message, self.at(token))
        anchor: Item = ("pbn", self.current.name) if self.current else ("deal",)
        where = "after" if self.current else "before"
        said = comment_text(token.value)
        self.margin.comments.append(Comment(said, anchor, where, self.at(token)))


# --- tags and sections made into a record ---------------------------------------------------------


def _record(
    tags: Mapping[str, Tag], number: int, place: Place, offset: int, margin: Margin
) -> Record:
    """The record of its tags; `offset` is added to the line numbers of the tokens in sections."""
    standard = {n: t for n, t in tags.items() if not n.startswith(PREFIX)}
    said = _Standard(standard, offset, margin).record(number, place)
    own = [
        (t.name, t.value, "\n".join(t.data()), t.place)
        for n, t in tags.items()
        if n.startswith(PREFIX)
    ]
    if own:
        said, failed = with_own(said, own)
        for tag in (tags[name] for name in failed):
            message = f"{shown(tag.value)} and what is behind it is not what {tag.name} can say."
            margin.unclear("notation.pbn-value", message, tag.place)
            margin.keep(tag.section(), tag.place)
    names: dict[str, int] = {}
    for index, (name, _) in enumerate(said.tags):
        names.setdefault(name.lower(), index)
    ordered = any(t.columns_from is None for t in said.play or ())
    comments = [replace(c, anchor=_anchor(c.anchor, names, ordered)) for c in margin.comments]
    comments.sort(key=lambda c: (c.place.line, c.place.column))
    kept, assumed = tuple(margin.kept), tuple(margin.assumed)
    if not (comments or kept or assumed):
        return said
    return replace(said, comments=tuple(comments), kept=kept, assumed=assumed)


def _anchor(anchor: Item, names: Mapping[str, int], ordered: bool) -> Item:
    """What a comment belongs to; `ordered` says that the play is no longer in PBN's columns."""
    if anchor[0] == "play" and ordered:
        return anchor[:2]
    if anchor[0] != "pbn":
        return anchor
    name = str(anchor[1])
    ours = TAG_NAMES.get(name, name.removeprefix(TAG_PREFIX)).lower()
    return ANCHORS.get(name) or (("tag", names[ours]) if ours in names else anchor)


def _section_of(name: str) -> str:
    """The section of the standard on a tag's value."""
    return VALUES[name].section if name in VALUES else ""


class _Standard:
    """The standard's tags of one record while its fields are taken out of them."""

    def __init__(self, tags: Mapping[str, Tag], offset: int, margin: Margin) -> None:
        self.tags, self.offset, self.margin = tags, offset, margin
        self.used: set[str] = set(SECTIONS)
        self.incidents: list[Incident] = []

    def record(self, number: int, place: Place) -> Record:
        """The record but for what our own tags say, and for what stands beside the tags."""
        dealer = self._stated("Dealer", seat_of, "is no seat; the dealer is not known")
        declaration = self._declaration()
        declarer = declaration.declarer if declaration else None
        result = self._result(declarer)
        unknown = "says no vulnerability that PBN knows"
        vulnerable = self._stated("Vulnerable", vulnerable_of, unknown)
        standing = self._standing()
        rubber = "is no score of known sides"
        scores = self._stated("ScoreRubber", lambda v: rubber_score_of(v, declarer), rubber)
        board, table = self._told("Board"), self._stated("Table", str, "")
        hands = self._hands()
        players = tuple((s, t.value) for s in SEATS if (t := self._name(s.title)))
        sides = tuple((s, t.value) for s in Side if (t := self._name(f"Pair{s.value}")))
        opened, calls = self._auction()
        if opened and dealer and opened.value is not dealer.value:
            dealt = f"though {dealer.value.title} dealt"
            words = f"the auction is written from {opened.value.title} on, {dealt}"
            self.margin.assume(words, opened.place)
        return Record(
            f"board {board.value}" if board else f"record {number}",
            self.margin.file,
            place,
            dealer=dealer,
            vulnerable=vulnerable,
            table=table,
            hands=hands,
            players=players,
            sides=sides,
            bidding_from=opened,
            bidding=calls,
            declaration=declaration,
            play=self._play(),
            result=result,
            scores=tuple(replace(s, place=scores.place) for s in scores.value) if scores else (),
            incidents=tuple(self.incidents),
            tags=self._plain(),
            standing_games=standing[0],
            standing_trick=standing[1],
            standing_honour=standing[2],
        )

    def _told(self, name: str) -> Tag | None:
        tag = self.tags.get(name)
        return tag if tag and tag.value not in UNKNOWN else None

    def _name(self, name: str) -> Tag | None:
        tag = self._told(name)
        self.used.add(name)
        return tag if tag and tag.value.strip() not in ("", "-") else None

    def _stated(self, name: str, read: Callable[[str], T | None], problem: str) -> Stated[T] | None:
        """The value of a tag, or `None` where it says nothing or is not understood."""
        tag = self._told(name)
        if tag is None:
            return None
        value = read(tag.value)
        if value is None:
            self._unclear(tag, problem)
            return None
        self.used.add(name)
        return Stated(value, tag.place)

    def _unclear(self, tag: Tag, problem: str) -> None:
        message = f"{tag.name} {shown(tag.value)} {problem}."
        self.margin.unclear("notation.pbn-value", message, tag.place, _section_of(tag.name))

    def _caret(self, tag: Tag, name: str, by: Seat | None, offender: Seat | None) -> None:
        """The irregularity that a caret marks; it stands, as the other side has agreed to it."""
        if tag.value.lstrip().startswith("^"):
            self.incidents += accepted((Incident(name, by=by, place=tag.place),), offender)

    def _declaration(self) -> Declaration | None:
        contract, declarer = self._told("Contract"), self._told("Declarer")
        declaration = None
        if contract:
            declaration, assumed = contract_of(contract.value)
            if declaration is None:
                self._unclear(contract, "is no contract that PBN knows")
            else:
                declaration = replace(declaration, place=contract.place)
                self.used.add("Contract")
            if assumed:
                self.margin.assume(assumed, contract.place)
        if declarer is None or (declaration and declaration.passed_out):
            return declaration
        seat = seat_of(declarer.value.lstrip().removeprefix("^"))
        if seat is None:
            self._unclear(declarer, "is no seat; the declarer is not known")
            return declaration
        self.used.add("Declarer")
        self._caret(declarer, SWAPPED, seat, seat)
        return replace(declaration or Declaration(place=declarer.place), declarer=seat)

    def _result(self, declarer: Seat | None) -> Result | None:
        tag = self._told("Result")
        if tag is None:
            return None
        result = result_of(tag.value.lstrip().removeprefix("^"), declarer)
        if result is None:
            self._unclear(tag, "does not give the tricks of the declaring side")
            return None
        self.used.add("Result")
        self._caret(tag, MISCOUNTED, None, declarer)
        return replace(result, place=tag.place)

    def _standing(self) -> Sequence[SideFigures | None]:
        """The games and the points in both columns before the deal."""
        tag = self._told("ScoreRubberHistory")
        figures = history_of(tag.value) if tag else None
        if tag is None or figures is None:
            return (None, None, None)
        return [replace(f, place=tag.place) for f in figures]

    def _hands(self) -> tuple[tuple[Seat, Hand], ...]:
        tag = self._told("Deal")
        if tag is None:
            return ()
        deal = deal_of(tag.value, tag.place.line, tag.place.column)
        if deal is None:
            problem = 'does not begin with a seat, such as "N:", so that nobody holds its cards'
            self._unclear(tag, problem)
            return ()
        self.used.add("Deal")
        for text, place in deal.unread:
            message = f"{shown(text)} is no hand: four suits divided by dots, ranks AKQJT98765432."
            self.margin.unread("notation.pbn-card", message, text, place, "3.4.11")
        return deal.hands

    def _auction(self) -> tuple[Stated[Seat] | None, tuple[Call, ...] | None]:
        tag = self.tags.get("Auction")
        if tag is None:
            return None, None
        first = seat_of(tag.value)
        if first is None and tag.value not in UNKNOWN:
            self._unclear(tag, "is no seat; who called first is not known")
        notes = self._notes(tag)
        calls, opened = read_auction(first, tag.body, self.offset, notes, self.margin)
        if first is None and not calls:
            return None, None
        return Stated(opened, tag.place) if opened else None, calls

    def _play(self) -> tuple[Trick, ...] | None:
        tag = self.tags.get("Play")
        if tag is None:
            return None
        first = seat_of(tag.value)
        if first is None:
            if tag.data():
                self._unclear(tag, "is no seat, so that nobody played these cards")
                self.margin.keep(tag.section(), tag.place)
            return None
        return read_play(first, tag.body, self.offset, self._notes(tag), self.margin)

    def _notes(self, tag: Tag) -> dict[str, str]:
        """The notes that a section may refer to: its own, else the other's; others are kept."""
        both = [t for n in SECTIONS if (t := self.tags.get(n))]
        if not any(t.notes for t in both):
            return {}
        if tag is both[-1]:
            named = {m for t in both for text in t.data() for m in _REFERENCE.findall(text)}
            for note in (n for t in both for i, n in t.notes.items() if i not in named):
                self.margin.keep(note.raw, note.place)
        order = [t for t in both if t is not tag] + [tag]
        return {i: n.value.partition(":")[2].strip() for t in order for i, n in t.notes.items()}

    def _plain(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field, in their order; tables are kept whole with the lines behind."""
        plain: list[tuple[str, str]] = []
        for name, tag in self.tags.items():
            if name in SECTIONS:
                continue
            if tag.body or (name.endswith("Table") and name != "Table"):
                self.margin.keep(tag.section(), tag.place)
            elif name not in self.used and tag.value not in UNKNOWN:
                dated = name == "Date" and _DATE.fullmatch(tag.value)
                value = tag.value.replace(".", "-") if dated else tag.value
                plain.append((TAG_NAMES.get(name, name), value))
        return tuple(plain)
