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
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from typing import BinaryIO, TypeVar, cast

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.later import later, put
from oddtrick.record.hand.read import read_deal
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
    identified,
    in_numbers,
)
from oddtrick.record.numbers import Numbers, Row, Said, numbers_of
from oddtrick.record.pbn.cut import Chunk, batches, text_lines
from oddtrick.record.pbn.numbers import game_in_numbers
from oddtrick.record.pbn.plain import Layout, Plain, decode, plain_game
from oddtrick.record.pbn.sections import (
    Margin,
    accepted,
    lines_in,
    plain_auction,
    plain_play,
    read_auction,
    read_play,
    shown,
)
from oddtrick.record.pbn.tags import HAND, Tag, read_tags, stands_alone
from oddtrick.record.pbn.values import (
    UNKNOWN,
    Deal,
    contract_of,
    deal_of,
    history_of,
    plain_deal,
    quoted,
    result_of,
    rubber_score_of,
    seat_of,
    vulnerable_of,
)

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
PLAYERS = tuple((seat, seat.title) for seat in SEATS)
PAIRS = tuple((side, f"Pair{side.value}") for side in Side)
"""The tags of players and sides."""
OF_PEOPLE = frozenset(name for _, name in (*PLAYERS, *PAIRS))

SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"
"""Incidents of the whole record: the caret before the declarer, and before the result."""

TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN's names for what the model's tags call otherwise."""

ANCHORS: dict[str, Item] = {
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerable",),
    "Deal": ("hands",),
    "Contract": ("declaration",),
    "Result": ("result",),
    "Table": ("table",),
    "ScoreRubber": ("score", 0),
}
"""What a comment behind a tag belongs to in the record.

Of a tag without a field it is `("tag", index)`, of any other `("pbn", name)`.
"""

_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_REFERENCE = re.compile(r"=\s*(\d+)\s*=")
_MEMORY = 500
_FEW = 10


def lines_of(data: bytes) -> list[str]:
    """The lines of a PBN file as places count them."""
    return [decode(line or b"") for batch in text_lines([data]) for line in batch]


def read_pbn(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Unreadable]:
    """The records of a PBN file, some at a time as it is read, with what is unreadable behind each.

    `pieces` are the lines (or any pieces) of the file with their ends, or the open file. What
    cannot be read is `about` the record before it, or about one in its place of which no tag could
    be read; about `None` where the text is no record. Memory does not grow with the file; bad text
    never raises.
    """
    reader = Reader(file)
    for chunks in batches(pieces):
        yield from reader.read_all(chunks)


def _named(chunk: Chunk, record: Record | None) -> Stated[str] | None:
    """The record of a chunk by its name and place, or by its line where no tag could be read."""
    if record:
        return Stated(record.id, record.place)
    return Stated(f"record on line {chunk.line}", _place(chunk)) if chunk.lines else None


def _place(chunk: Chunk) -> Place:
    raw = chunk.raw
    return Place(chunk.line, 1, chunk.line + raw.count(b"\n"), len(raw) - raw.rfind(b"\n"))


class Game:
    """One game: a `plain` one, whose tags are read when they are asked for, or its tags."""

    __slots__ = ("_tags", "first", "plain", "raw")

    def __init__(
        self,
        raw: bytes,
        first: int,
        plain: Plain | None = None,
        tags: Mapping[str, Tag] | None = None,
    ) -> None:
        """`raw` is its text in bytes, `first` the number of its first line."""
        self.raw, self.first, self.plain, self._tags = raw, first, plain, tags

    @property
    def tags(self) -> Mapping[str, Tag]:
        """Its tags by their names."""
        if self._tags is None:
            self._tags = read_tags(self.plain, decode(self.raw), self.first - 1, Margin(""))
        return self._tags


@dataclass(slots=True)
class Inherited:
    """The values that `#` takes over, and those that `##` sets for every record that follows.

    What plain games have said since of tags in `last` waits in `since`, by their layouts in the
    order of the games. `before` has the tags of the record before, of which some tell its board and
    its table.
    """

    last: dict[str, str] = field(default_factory=dict)
    since: dict[Layout, Sequence[str]] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    before: Mapping[str, Tag] | Game = field(default_factory=dict)

    def copy(self) -> Inherited:
        """The same, apart."""
        self._catch_up()
        return Inherited(dict(self.last), {}, dict(self.header), dict(self.of_board()))

    def of_board(self) -> Mapping[str, Tag]:
        """The tags of the record before that tell its board and its table."""
        if isinstance(self.before, Game):
            tags = self.before.tags
            self.before = {name: tags[name] for name in (*BOARD, *TABLE) if name in tags}
        return self.before

    def stated(self, game: Plain) -> bool:
        """Take what a game says; false, and nothing is taken, where it takes over anything."""
        layout = game.layout
        if self.header or b'"#' in game.raw or not _of_one_board(layout):
            return False
        if self.since.pop(layout, None) is None:
            if len(self.last) + len(layout.names) > _MEMORY:
                return False
            if len(self.since) > _FEW:
                self._catch_up()
            self.last.update(zip(layout.names, game.values, strict=True))
        self.since[layout] = game.values
        return True

    def _catch_up(self) -> None:
        """Take what the games since have said."""
        for layout, values in self.since.items():
            self.last.update(zip(layout.names, values, strict=True))
        self.since.clear()

    def value(self, name: str, value: str) -> str | None:
        """The value meant by a tag; `None` where the tag may not take one over."""
        self._catch_up()
        if value.startswith("#"):
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
        if not tags.keys().isdisjoint(BOARD) or "Deal" not in (before := self.of_board()):
            return {}
        told = not tags.keys().isdisjoint((*SECTIONS, "Contract", "Result"))
        said = [n for n in TABLE if n in tags and tags[n].value not in UNKNOWN]
        other = any(n not in before or before[n].value != tags[n].value for n in said)
        return {n: before[n] for n in BOARD if n in before} if told and other else {}


@lru_cache(1000)
def _of_one_board(layout: Layout) -> bool:
    """Whether tags stand as they are, and one of them tells of a board."""
    return stands_alone(layout) and not set(layout.names).isdisjoint(BOARD)


@dataclass(slots=True)
class Reader:
    """The chunks of a file read in order: what of those before a record counts for it.

    A copy of it reads on elsewhere, where `follow` has taken it as far.
    """

    file: str
    number: int = 0
    inherited: Inherited = field(default_factory=Inherited)

    def copy(self) -> Reader:
        """The reader as it stands, which goes on by itself."""
        return Reader(self.file, self.number, self.inherited.copy())

    def follow(self, chunk: Chunk) -> None:
        """Pass over a chunk that is read elsewhere: a tenth of the time that `read` takes."""
        if chunk.lines:
            self.number += self._game(chunk, Margin(self.file)) is not None

    def read_all(self, chunks: Iterable[Chunk]) -> Sequence[Record | Unreadable]:
        """What `read` gives of some chunks."""
        return [item for chunk in chunks for item in self.read(chunk)]

    def read(self, chunk: Chunk) -> Iterator[Record | Unreadable]:
        """The record of a chunk with what is unreadable behind it, and what stood before it."""
        margin = Margin(self.file)
        game = self._game(chunk, margin) if chunk.lines else None
        record = None
        if game:
            self.number += 1
            record = self._as_numbers(game, chunk) or _record(
                game.tags, self.number, _place(chunk), chunk.line - 1, margin
            )
        if record and not (margin.unreadable or chunk.unreadable):
            yield record
            return
        found = [*margin.unreadable, *(replace(u, file=self.file) for u in chunk.unreadable)]
        if len(found) > 1:
            found.sort(key=lambda u: (u.place.line, u.place.column))
        # What was no record and stood before this one was noted with it.
        yield from (u for u in found if u.place.line < chunk.line)
        if record:
            yield record
        about = _named(chunk, record)
        for u in found:
            if u.place.line >= chunk.line:
                object.__setattr__(u, "about", about)  # nobody else has it yet
                yield u

    def _as_numbers(self, game: Game, chunk: Chunk) -> Record | None:
        """The record of a plain game with its numbers, and all else left for later.

        `None` where there is anything to say of it, or more in it than numbers tell.
        """
        numbers = game_in_numbers(game.plain) if game.plain else None
        if not (game.plain and numbers):
            return None
        said, number, place = game.plain.said("Board"), self.number, _place(chunk)
        name = f"record {number}" if not said or said in UNKNOWN else f"board {said}"
        file, offset = self.file, chunk.line - 1

        def made() -> Record:
            return _record(game.tags, number, place, offset, Margin(file))

        return in_numbers(made, name, file, place, numbers)

    def _game(self, chunk: Chunk, margin: Margin) -> Game | None:
        """The tags of a chunk with what they take over; `None` where none can be read."""
        raw = chunk.raw
        plain = chunk.plain or plain_game(chunk.line, raw)
        if plain and not chunk.joined and self.inherited.stated(plain):
            self.inherited.before = game = Game(raw, chunk.line, plain)
            return game
        text = plain.text if plain else decode(raw)
        tags = read_tags(plain, text, chunk.line - 1, margin)
        if not tags:
            return None
        if chunk.joined:
            place = Place(chunk.joined, 1, chunk.joined, 1)
            margin.assume("an empty line inside the record was passed over", place)
        _taken_over(tags, self.inherited, margin)
        start = Place(chunk.line, 1, chunk.line, 1)
        for name, value in self.inherited.header.items():
            tags.setdefault(name, Tag(name, value, chunk.line, 1, 0, f"[{name} {quoted(value)}]"))
        second = self.inherited.second_table(tags)
        if second:
            which = ", ".join(name.lower() for name in second)
            said = f"{which}: those of the record before, for this one is of another table"
            margin.assume(said, start)
            tags |= second
        self.inherited.before = game = Game(raw, chunk.line, tags=tags)
        return game


def _taken_over(tags: Mapping[str, Tag], inherited: Inherited, margin: Margin) -> None:
    """Give the tags the values that they take over."""
    for tag in tags.values():
        value = inherited.value(tag.name, tag.value)
        if value is None:
            message = f"{tag.name} may not be taken over from the record before; it is not known."
            margin.unclear("notation.pbn-value", message, tag.place)
        if value != tag.value:
            tag.value = value or ""
            tag.written = f"[{tag.name} {quoted(tag.value)}]"


# --- tags and sections made into a record ---------------------------------------------------------


def _record(
    tags: Mapping[str, Tag], number: int, place: Place, offset: int, margin: Margin
) -> Record:
    """The record of its tags; `offset` is added to the line numbers of the tokens in sections."""
    section = tags.get(HAND)
    said = _Standard({n: t for n, t in tags.items() if n != HAND}, offset, margin).record(
        number, place
    )
    if section:
        said = _with_statements(said, section, offset, margin)
    if margin.comments:
        ordered = bool(section) and any(t.columns_from is None for t in said.play or ())
        put(said, comments=_anchored(margin.comments, said.tags, ordered))
    if margin.kept or margin.assumed:
        put(said, kept=tuple(margin.kept), assumed=tuple(margin.assumed))
    return said


_OF_RECORD = Record("")
_STATED = tuple(
    f.name
    for f in fields(Record)
    if f.name not in "id file place tags players sides incidents comments kept assumed own".split()
)
"""The fields that a statement of `.hand` takes the place of."""
_NAMED = re.compile(r"deal ((?:board|record) .*)")


def _with_statements(said: Record, section: Tag, offset: int, margin: Margin) -> Record:
    """The record with the statements of `.hand` in a section, which take the place of PBN's.

    Tags and irregularities are added to PBN's.
    """
    lines = [
        (line, " " * (column - 1) + text)
        for token in section.body
        if token.kind == "DATA"
        for text, line, column in lines_in(token, offset)
    ]
    if not lines:
        return said
    own, unreadable = read_deal(lines, margin.file)
    margin.unreadable += unreadable
    if own is None:
        return said
    margin.comments += own.comments
    stated = {n: v for n in _STATED if (v := getattr(own, n)) != getattr(_OF_RECORD, n)}
    if own.bidding is not None:
        stated["bidding_from"] = own.bidding_from
    if own.play is not None:
        stated |= {"more_play": own.more_play, "table_claims": own.table_claims}
    named = _NAMED.fullmatch(own.id)
    # The writer made the tag Board from the number of the deal.
    board = ("Board", own.id.removeprefix("deal "))
    return replace(
        said,
        id=(named[1] if named else own.id) or said.id,
        tags=(*(t for t in said.tags if t != board), *own.tags),
        players=_by_order(SEATS, said.players, own.players),
        sides=_by_order(Side, said.sides, own.sides),
        incidents=said.incidents + own.incidents,
        **stated,
    )


def _by_order(order: Iterable[T], *names: Iterable[tuple[T, str]]) -> tuple[tuple[T, str], ...]:
    """Names in an order, of whom two are given the last."""
    found = {who: name for many in names for who, name in many}
    return tuple((who, found[who]) for who in order if who in found)


def _anchored(
    comments: Iterable[Comment], tags: Sequence[tuple[str, str]], ordered: bool
) -> tuple[Comment, ...]:
    """Comments with what they belong to in the record, in their order."""
    names: dict[str, int] = {}
    for index, (name, _) in enumerate(tags):
        names.setdefault(name.lower(), index)
    told = [replace(c, anchor=_anchor(c.anchor, names, ordered)) for c in comments]
    return tuple(sorted(told, key=lambda c: (c.place.line, c.place.column)))


def _anchor(anchor: Item, names: Mapping[str, int], ordered: bool) -> Item:
    """What a comment belongs to; `ordered` says that the play is no longer in PBN's columns."""
    if anchor[0] == "play" and ordered:
        return anchor[:2]
    if anchor[0] != "pbn":
        return anchor
    name = str(anchor[1])
    ours = TAG_NAMES.get(name, name).lower()
    return ANCHORS.get(name) or (("tag", names[ours]) if ours in names else anchor)


class _Standard:
    """The standard's tags of one record while its fields are taken out of them."""

    def __init__(self, tags: Mapping[str, Tag], offset: int, margin: Margin) -> None:
        self.tags, self.offset, self.margin = tags, offset, margin
        self.used = set(OF_PEOPLE)
        self.incidents: list[Incident] = []
        self.later: dict[str, Callable[[], object]] = {}
        self.calls: Sequence[Said] = ()
        self.rows: Sequence[Row] = ()
        self.held: Sequence[int] = ()

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
        opened, calls = self._auction()
        if opened and dealer and opened.value is not dealer.value:
            dealt = f"though {dealer.value.title} dealt"
            words = f"the auction is written from {opened.value.title} on, {dealt}"
            self.margin.assume(words, opened.place)
        play = self._play()
        self._keep_tables()
        self.later["tags"] = self._plain
        self.later["players"] = partial(self._names, PLAYERS)
        self.later["sides"] = partial(self._names, PAIRS)
        record = Record(
            f"board {board.value}" if board else f"record {number}",
            self.margin.file,
            place,
            dealer=dealer,
            vulnerable=vulnerable,
            table=table,
            hands=hands,
            bidding_from=opened,
            bidding=calls,
            declaration=declaration,
            play=play,
            result=result,
            scores=tuple(replace(s, place=scores.place) for s in scores.value) if scores else (),
            incidents=tuple(self.incidents),
            standing_games=standing[0],
            standing_trick=standing[1],
            standing_honour=standing[2],
        )
        put(record, _numbers=self._numbers(record))
        parts, self.later = self.later, {}  # no circle, which would have to be searched for
        return later(record, **parts)

    def _numbers(self, record: Record) -> Numbers:
        """The numbers of what is left for later, and of the rest."""
        rest, scoring = numbers_of(record), self._told("Scoring")
        held = sum(map(int.bit_count, self.held))
        return rest._replace(
            calls=self.calls or rest.calls,
            rows=self.rows or rest.rows,
            hands=self.held or rest.hands,
            most=max(len(self.calls), 4 * len(self.rows), held, rest.most),
            scoring=scoring.value if scoring else "",
        )

    def _told(self, name: str) -> Tag | None:
        tag = self.tags.get(name)
        return tag if tag and tag.value not in UNKNOWN else None

    def _names(self, tags: Sequence[tuple[T, str]]) -> tuple[tuple[T, str], ...]:
        """Who is named by tags."""
        told = ((who, self._told(name)) for who, name in tags)
        return tuple((who, t.value) for who, t in told if t and t.value.strip() not in ("", "-"))

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
        self.margin.unclear("notation.pbn-value", message, tag.place)

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
                self.used.add("Contract")
            if assumed:
                self.margin.assume(assumed, contract.place)
        seat = None
        if declarer and not (declaration and declaration.passed_out):
            seat = seat_of(declarer.value.lstrip().removeprefix("^"))
            if seat is None:
                self._unclear(declarer, "is no seat; the declarer is not known")
            else:
                self.used.add("Declarer")
                self._caret(declarer, SWAPPED, seat, seat)
        if contract and declaration:
            d = declaration
            told = (
                d.odd_tricks,
                d.denomination,
                d.doubled,
                seat or d.declarer,
                False,
                d.passed_out,
            )
            return Declaration(*told, contract.place)
        return Declaration(declarer=seat, place=declarer.place) if declarer and seat else None

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
        return Result(result.kind, result.number, tag.place)

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
        if held := plain_deal(tag.value):
            self.used.add("Deal")
            self.held = held
            self.later["hands"] = lambda: (
                cast("Deal", deal_of(tag.value, tag.line, tag.column)).hands
            )
            return ()
        deal = deal_of(tag.value, tag.line, tag.column)
        if deal is None:
            problem = 'does not begin with a seat, such as "N:", so that nobody holds its cards'
            self._unclear(tag, problem)
            return ()
        self.used.add("Deal")
        for text, place in deal.unread:
            message = f"{shown(text)} is no hand: four suits divided by dots, ranks AKQJT98765432"
            message += ", nothing for a suit without cards."
            self.margin.unread("notation.pbn-card", message, text, place)
        return deal.hands

    def _auction(self) -> tuple[Stated[Seat] | None, tuple[Call, ...] | None]:
        tag = self.tags.get("Auction")
        if tag is None:
            return None, None
        first = seat_of(tag.value)
        if first is None and tag.value not in UNKNOWN:
            self._unclear(tag, "is no seat; who called first is not known")
        notes = self._notes(tag)
        if first and (plain := plain_auction(first, tag.body)):
            self.calls = plain[1]
            read = partial(
                read_auction, first, tag.body, self.offset, notes, Margin(self.margin.file)
            )
            self.later["bidding"] = lambda: identified(read()[0], ("bidding",))
            return Stated(plain[0], tag.place), ()
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
        notes = self._notes(tag)
        if plain := plain_play(first, tag.body):
            self.rows = plain
            read = partial(read_play, first, tag.body, self.offset, notes, Margin(self.margin.file))
            self.later["play"] = lambda: identified(read(), ("play",))
            return ()
        return read_play(first, tag.body, self.offset, notes, self.margin)

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

    def _keep_tables(self) -> None:
        """Keep the tables whole, and the lines behind a tag without a field."""
        for name, tag in self.tags.items():
            if (tag.body or name.endswith("Table")) and name not in SECTIONS and _kept_whole(tag):
                self.margin.keep(tag.section(), tag.place)

    def _plain(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field, in their order."""
        plain: list[tuple[str, str]] = []
        for name, tag in self.tags.items():
            if name in self.used or name in SECTIONS or tag.value in UNKNOWN or _kept_whole(tag):
                continue
            dated = name == "Date" and _DATE.fullmatch(tag.value)
            value = tag.value.replace(".", "-") if dated else tag.value
            plain.append((TAG_NAMES.get(name, name), value))
        return tuple(plain)


def _kept_whole(tag: Tag) -> bool:
    """Whether a tag is a table, or has lines behind it."""
    return bool(tag.body) or (tag.name.endswith("Table") and tag.name != "Table")
