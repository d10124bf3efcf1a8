"""A recorded deal as written: facts and claims, nothing judged.

A notation (`hand`, `pbn`, `lin`) makes records and writes them; the judge reads them. What the
record does not say is `None`: no fact has a default. A place is where a thing stands in its file,
so that a finding can point at it; which thing it is says its id. The record itself gives its calls,
tricks, cards, claims and irregularities their ids, so that they are the same in every notation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Generic, TypeVar

from oddtrick.cards import SEATS, Card, Seat, Side, Suit
from oddtrick.record.deal import Place as Place
from oddtrick.record.numbers import Numbers, numbers_of

T = TypeVar("T")

Item = tuple[str | int, ...]
"""The id of something in a record, a group or a document: the path to it, numbers counting from 0.

A call is `("bidding", 3)`, a trick `("play", 2)`, the second card of it `("play", 2, 1)`, a claim
`("claims", 0)`; an irregularity of the deal `("irregularity", 0)`, at one of the others that one's
path and then `"irregularity", 0`. Comments are of other things too, such as `("hands", "N")`.
"""


NOWHERE = Place(1, 1, 1, 1)
"""The place of something that was not read from a file."""


@dataclass(frozen=True, slots=True)
class Stated(Generic[T]):
    """A value that the record states, and where."""

    value: T
    place: Place = NOWHERE


FOR_READERS = {
    "the title of a deal": "the name by which readers know it",
    "`source`, `event`, `venue`, `date`, `scorer`": "where the record comes from",
    "`note`, of a file, a deal or an irregularity": "a remark",
    "`tag`": "any other information that the record carries",
    "`players`, `sides`": "who sat where; in a match they distinguish the pairs and the teams",
    "a remark, `!` or `?` after a call or a card": "a comment on the call or card",
    "a comment": "a note for whoever reads the file",
}
"""The statements that are for readers and bear on nothing, each with what it tells; all others are
used in the answer, or named in it as not used."""

RULES = {
    "notation.cannot-open": "The file cannot be opened, or the folder has no record.",
    "notation.not-text": "The file is not text in UTF-8.",
    "notation.empty": "There is no deal in the file.",
    "notation.line-too-long": "The line is too long to have been written by hand.",
    "notation.understood": "The line is read, though the notation writes it another way.",
    "notation.syntax": "Something else is expected at this place.",
    "notation.unknown-word": "No statement begins with this word.",
    "notation.misplaced": "The statement does not belong here.",
    "notation.duplicate-statement": "What can be said once is said twice.",
    "notation.no-end": "A rubber or match has no end.",
    "notation.too-many": "There is so much, or so much of it cannot be read, that it was left.",
    "notation.pbn-not-pbn": "The text is not in Portable Bridge Notation.",
    "notation.pbn-long-line": "A line is too long to be read.",
    "notation.pbn-long-record": "A record is too long to be read whole.",
    "notation.pbn-tag": "A tag lacks its closing quotation mark or bracket, or its value.",
    "notation.pbn-line": "A line belongs to no section of the record.",
    "notation.pbn-call": "A word in the auction is no call; what follows it is not used.",
    "notation.pbn-card": "A word in the play or the deal is no card or hand.",
    "notation.pbn-value": "A tag's value is not one that the tag can have.",
    "notation.pbn-mark": "A mark in the auction or play means nothing where it stands.",
    "notation.pbn-note": "A call or card refers to a note that does not exist.",
    "notation.pbn-comment": "A comment in braces is never closed.",
    "notation.lin-not-lin": "The text is not in LIN.",
    "notation.lin-command": "Text is no command, or a command has no closing bar.",
    "notation.lin-call": "A value is no call; what follows it in the auction is not used.",
    "notation.lin-card": "A value is no card or hand.",
    "notation.lin-value": "A command's value is not one that it can have.",
    "notation.lin-misplaced": "A command means nothing where it stands.",
    "notation.lin-long-board": "A board is too long to be read whole.",
}
"""What can be wrong with a file before it is judged: every rule of an `Unreadable`."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What of a file cannot be read: a stable rule id (`notation.syntax`), what is said, where.

    `about` is the deal that it belongs to, by its name and where it begins; `None` where it is of
    the file. `unclear` says that the words could be read and only leave a fact unknown, `harmless`
    that all could be read, though the notation writes it another way.
    """

    rule: str
    message: str
    file: str = "-"
    place: Place = NOWHERE
    about: Stated[str] | None = None
    unclear: bool = False
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """An irregularity as written beside the call, the card or the claim at which it happened.

    `name` is one of the catalogue's names or free hyphenated words; `remedy` is what was chosen, as
    words (`made-sufficient`, `call-a-suit hearts`); `when` are facts on which the law turns, as
    words. Of one that is the deal's, `after` says what of the deal was over: nothing (`None`), the
    `bidding`, or the `play`.
    """

    name: str
    by: Seat | None = None
    of: str | None = None
    noticed_by: Seat | None = None
    remedy: str | None = None
    chosen_by: Seat | None = None
    waived_by: Seat | None = None
    when: str | None = None
    note: str | None = None
    place: Place = NOWHERE
    after: str | None = None
    id: Item = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `seat` is `None` when it was made in turn and the record does not name the caller.

    `odd_tricks` and `denomination` are set for a bid, `denomination` alone for a make. `corrects`
    says that the caller replaces his own last call. `mark` keeps a suffix (`!`, `?`) and `note` a
    remark.
    """

    kind: str
    odd_tricks: int | None = None
    denomination: str | None = None
    seat: Seat | None = None
    corrects: bool = False
    mark: str | None = None
    note: str | None = None
    incidents: tuple[Incident, ...] = ()
    place: Place = NOWHERE
    id: Item = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Played:
    """One card played. `card` is `None` where the record leaves it out, `seat` where in turn."""

    card: Card | None
    seat: Seat | None = None
    mark: str | None = None
    note: str | None = None
    incidents: tuple[Incident, ...] = ()
    place: Place = NOWHERE
    id: Item = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order they were played.

    Where `columns_from` is set they stand in fixed columns instead, the first of them that seat's,
    whoever led. `leader` is set where the record names him.
    """

    cards: tuple[Played, ...]
    leader: Seat | None = None
    columns_from: Seat | None = None
    place: Place = NOWHERE
    id: Item = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TableClaim:
    """Tricks claimed or conceded during the play; `tricks` is `None` for all the rest.

    `verb` is `claims` or `concedes`; `answer` is `agreed`, `refused` or `None`.
    """

    seat: Seat
    verb: str
    tricks: int | None = None
    answer: str | None = None
    after_trick: int = 0
    incidents: tuple[Incident, ...] = ()
    place: Place = NOWHERE
    id: Item = field(default=(), compare=False, repr=False)


_WHOLE = {
    kind: attrgetter(*(f.name for f in fields(kind) if f.name != "id"))
    for kind in (Incident, Call, Played, Trick, TableClaim)
}
"""What is made of a thing that has an id, but for the id, which is its last field."""


def identified(things: tuple[Any, ...], path: Item) -> tuple[Any, ...]:
    """Things, such as the calls of a record, with their ids: the path and a number.

    What has no id yet gets it in place, for to copy every card takes a quarter of the time of
    reading; what has another, because it stands elsewhere too, is copied.
    """
    cards, told = path == ("play",), path[-1] != "irregularity"
    for number, thing in enumerate(things):
        item = (*path, number)
        if not thing.id:
            object.__setattr__(thing, "id", item)
        elif thing.id != item:
            thing = type(thing)(*_WHOLE[type(thing)](thing), item)
            things = (*things[:number], thing, *things[number + 1 :])
        if cards:
            _identify(thing, "cards", item)
        elif told and thing.incidents:
            _identify(thing, "incidents", (*item, "irregularity"))
    return things


def _identify(whole: object, of: str, path: Item) -> None:
    """Give what stands in a field, such as the calls of a record, its ids."""
    things = getattr(whole, of)
    if things and (own := identified(things, path)) is not things:
        object.__setattr__(whole, of, own)


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one player as dealt, suits as a hand is printed, each from the ace down.

    `places` runs parallel to `cards`. `small` counts cards written `x`, suit by suit. `partial` is
    true where the record says that the hand held more than is written; a suit counted 0 in `small`
    is then a void that the record states.
    """

    cards: tuple[Card, ...]
    small: tuple[tuple[Suit, int], ...] = ()
    partial: bool = False
    places: tuple[Place, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Declaration:
    """The final declaration as stated.

    `doubled` is 0, 1 (doubled), 2 (redoubled), 3 and more in Bridge.
    A deal that all four passed has `passed_out` and nothing else.
    """

    odd_tricks: int | None = None
    denomination: str | None = None
    doubled: int | None = None
    declarer: Seat | None = None
    bridged: bool = False
    passed_out: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Result:
    """What the declaring side took: `kind` is `tricks`, `odd`, `made` (tricks over) or `down`."""

    kind: str
    number: int
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class HonoursClaim:
    """Honours as claimed at the table: `total` of a side, `in_one_hand` where it was said."""

    side: Side
    total: int
    in_one_hand: int | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class ScoreClaim:
    """Points as they were written down, the amounts one by one.

    `column` is `trick` or `honour`, in a match also `gain`.
    """

    side: Side
    column: str
    points: tuple[int, ...]
    place: Place = NOWHERE

    @property
    def total(self) -> int:
        """The sum of the amounts."""
        return sum(self.points)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """A number for each side; `None` where the record gives none for it."""

    ns: int | None = None
    ew: int | None = None
    place: Place = NOWHERE

    def of(self, side: Side) -> int | None:
        """The number of one side."""
        return self.ns if side is Side.NS else self.ew


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment and what it belongs to: the path of an item of the record.

    `anchor` is such as `("bidding", 3)`, `("hands", "N")` or `("end",)`; `where` is `before` or
    `after`.
    """

    text: str
    anchor: Item
    where: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Header:
    """What can be said once for many deals: code, options, tags, players, sides."""

    code: Stated[str] | None = None
    options: tuple[Stated[str], ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    sides: tuple[tuple[Side, str], ...] = ()

    def below(self, above: Header) -> Header:
        """What holds where this is stated below `above`: this first, then the rest from above.

        Who names his own code takes no options from above: they belong to the other code.
        """
        players, sides = (
            (dict(above.players) | dict(self.players)),
            (dict(above.sides) | dict(self.sides)),
        )
        return Header(
            self.code or above.code,
            self.options + (() if self.code else above.options),
            self.tags + above.tags,
            tuple((s, players[s]) for s in SEATS if s in players),
            tuple((s, sides[s]) for s in Side if s in sides),
        )


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded deal.

    `id` names it in reports (`deal 10`). `tags` are kept as written, name and value: title, source,
    event, venue, date, note, and whatever a PBN file carries that has no field here.
    `standing_games`, `standing_trick` and `standing_honour` are the state of the rubber before the
    deal; `vulnerable` is what the record says of it. `more_play` says that the play went on after
    the last trick written. `kept` holds text that could not be used, `assumed` says what the reader
    took for granted. Code, options, tags, players and sides are those that hold for the deal; where
    some of them are stated once for several deals, `own` is what the deal itself states, and `None`
    where it states them all.
    """

    id: str
    file: str = "-"
    place: Place = NOWHERE
    code: Stated[str] | None = None
    options: tuple[Stated[str], ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    sides: tuple[tuple[Side, str], ...] = ()
    dealer: Stated[Seat] | None = None
    vulnerable: Stated[frozenset[Side]] | None = None
    standing_games: SideFigures | None = None
    standing_trick: SideFigures | None = None
    standing_honour: SideFigures | None = None
    tray: Stated[int] | None = None
    table: Stated[str] | None = None
    playing: Stated[str] | None = None
    hands: tuple[tuple[Seat, Hand], ...] = ()
    bidding_from: Stated[Seat] | None = None
    bidding: tuple[Call, ...] | None = None
    declaration: Declaration | None = None
    play: tuple[Trick, ...] | None = None
    more_play: bool = False
    table_claims: tuple[TableClaim, ...] = ()
    incidents: tuple[Incident, ...] = ()
    result: Result | None = None
    honours: tuple[HonoursClaim, ...] = ()
    chicane: tuple[Stated[Seat | Side], ...] = ()
    scores: tuple[ScoreClaim, ...] = ()
    game: Stated[Side] | None = None
    comments: tuple[Comment, ...] = ()
    kept: tuple[Stated[str], ...] = ()
    assumed: tuple[Stated[str], ...] = ()
    own: Header | None = None
    numbers: Numbers = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Give the calls, tricks, cards, claims and irregularities their ids; make the numbers."""
        _identify(self, "incidents", ("irregularity",))
        _identify(self, "bidding", ("bidding",))
        _identify(self, "play", ("play",))
        _identify(self, "table_claims", ("claims",))
        object.__setattr__(self, "numbers", numbers_of(self))

    def hand(self, seat: Seat) -> Hand | None:
        """The hand written for a seat, or `None`."""
        return next((h for s, h in self.hands if s is seat), None)

    def tag(self, name: str) -> str | None:
        """The first value kept under a tag, or `None`."""
        return next((v for n, v in self.tags if n.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Group:
    """A rubber or a match: deals in order, and what the record claims of the whole.

    `kind` is `rubber` or `match`. `total` is the total of each side, `team_totals` those of teams,
    by name, `won_by` and `points` the claimed result, `unfinished` stands for a rubber that was
    broken off, `retired` for the side that retired from it. `tags` and `comments` are as in
    `Record`; code, options, tags, players and sides are what the group itself states. `unread`
    names the deals of it that could not be read.
    """

    kind: str
    name: str | None = None
    records: tuple[Record, ...] = ()
    total: SideFigures | None = None
    won_by: Stated[Side] | None = None
    points: Stated[int] | None = None
    tags: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    sides: tuple[tuple[Side, str], ...] = ()
    code: Stated[str] | None = None
    options: tuple[Stated[str], ...] = ()
    comments: tuple[Comment, ...] = ()
    place: Place = NOWHERE
    unread: tuple[Stated[str], ...] = ()
    unfinished: Stated[bool] | None = None
    retired: Stated[Side] | None = None
    team_totals: Stated[tuple[tuple[str, int], ...]] | None = None
