"""Reading LIN: single boards, and the two rooms of a vugraph with commentary.

`read_lin` gives the records of a file one at a time, each followed by what of it could not be read.
A board begins with `qx`, or without one where its players or its hands do. What stands once in a
file is used for every board: the players and the results of a vugraph, the hands of a board that
two rooms play. No fact is guessed; what was not used is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from oddtrick.cards import CARD_OF, CARDS, PACK, SEATS, SUIT_OF, Card, Seat, Side
from oddtrick.record.lin.commands import Command, commands
from oddtrick.record.lin.tricks import final_of, in_order
from oddtrick.record.model import (
    Call,
    Comment,
    Declaration,
    Hand,
    Item,
    Place,
    Played,
    Record,
    Result,
    Stated,
    TableClaim,
    Trick,
    Unreadable,
)
from oddtrick.record.pbn.sections import Margin, shown
from oddtrick.record.pbn.values import DENOMINATIONS

ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The seats as LIN counts them: players, hands, and the dealer from 1."""
TRICKS = len(PACK) // len(SEATS)
ROOMS = {"o": "Open", "c": "Closed"}
VULNERABLE = {
    **dict.fromkeys("o0", frozenset[Side]()),
    "n": frozenset((Side.NS,)),
    "e": frozenset((Side.EW,)),
    "b": frozenset(Side),
}
VUGRAPH = ("event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam", "")
"""The tags of the parts of `vg`, by the names that PBN has for them."""
FIRST_BOARD = 3
KINDS = {"p": "pass", "d": "double", "r": "redouble"}
MAX_BOARD = 1 << 18
"""The most characters of a board."""
MAX_DEALS = 1000
_BOARD = re.compile(r"\s*board\s+(\S{1,20})\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}")
_ROOM = re.compile(r"\s*([oc])?\s*(\d{1,6})\b.*", re.IGNORECASE | re.DOTALL)
_CALL = re.compile(r"\s*(?:([1-7])(NT?|[SHDC])|([PDR]))\s*(!*)\s*", re.IGNORECASE)
_CARD = re.compile(r"\s*([SHDC])(10|[2-9TJQKA])\s*", re.IGNORECASE)
_SUIT = re.compile(r"([SHDC])((?:10|[2-9TJQKA])*)", re.IGNORECASE)
_RESULT = re.compile(r"([1-7])(NT?|[SHDC])([NESW])(X{0,2})(=|\+\d{1,2}|-\d{1,2})", re.IGNORECASE)


def read_lin(source: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Unreadable]:
    """The records of a LIN file, each as soon as it is complete, with what is unreadable behind it.

    `source` is the open file, or its bytes in any pieces. What cannot be read is `about` the record
    before it, and about `None` where the text has no board at all. Memory does not grow with the
    file; bad text never raises.
    """
    boards = _File(file)
    for command in commands(source):
        if boards.begins(command):
            yield from boards.close()
        boards.take(command)
    yield from boards.close()
    if not boards.number and boards.noise:
        message = "There is no board in this text: LIN is commands such as md|3SAK...| or mb|1N|."
        yield Unreadable("notation.lin-not-lin", message, file, boards.noise)


@dataclass(slots=True)
class _Deal:
    """What the two rooms of a board have in common, and may be given for one of them."""

    dealer: Stated[Seat] | None = None
    hands: tuple[tuple[Seat, Hand], ...] = ()
    vulnerable: Stated[frozenset[Side]] | None = None


# --- the file -------------------------------------------------------------------------------------


class _File:
    """The state between two commands: what holds for all boards, and the board so far."""

    def __init__(self, file: str) -> None:
        self.file, self.number = file, 0
        self.noise: Place | None = None
        self.waiting: list[Command] = []
        self.board: _Board | None = None
        self._header()

    def _header(self) -> None:
        self.vugraph: list[str] = []
        self.results: list[Command] = []
        self.names: Command | None = None
        self.deals: dict[str, _Deal] = {}
        self.first: int | None = None
        self.named_again = False

    def begins(self, command: Command) -> bool:
        """Whether a command does not belong to the board so far."""
        board, name = self.board, command.name
        if board is None or name in ("qx", "vg"):
            return True
        if board.room:
            return name == "md" and board.given and self.named_again
        if not board.given:
            return False
        return name in ("pn", "md") or (name in ("ah", "rh", "st", "sv") and board.played)

    def take(self, command: Command) -> None:
        """Take one command."""
        name = command.name
        self.noise = self.noise or command.place
        if name == "vg":
            self._header()
            self.vugraph = [part.strip() for part in command.value.split(",")]
            first = self.vugraph[FIRST_BOARD : FIRST_BOARD + 1]
            self.first = int(first[0]) if first and _NUMBER.fullmatch(first[0]) else None
        elif name == "rs":
            self.results = list(_parts(command))
        elif name == "pn":
            self.names, self.named_again = command, self.board is not None
            if self.board and not self.board.given and not self.board.played:
                self.board.names = command
        elif self.board is None and (name not in NAMES_OF_BOARD):
            if len(self.waiting) < MAX_DEALS:
                self.waiting.append(command)
        else:
            if self.board is None:
                self.board, self.named_again = _Board(self.file, command.place), False
                self.board.names = self.names
                for before in self.waiting:
                    self.board.take(before)
                self.waiting = []
            self.board.take(command)

    def close(self) -> Iterator[Record | Unreadable]:
        """The record of the board so far, and what of it could not be read."""
        board, self.board = self.board, None
        if board is None:
            return
        self.number += 1
        margin = board.margin
        deal = self._deal(board)
        record = board.record(self.number, deal, self._entry(board))
        players = self._players(board)
        tags = (*self._tags(), *record.tags)
        record = replace(
            record,
            players=players,
            tags=tags,
            kept=tuple(margin.kept),
            assumed=tuple(margin.assumed),
            comments=tuple(margin.comments),
        )
        if not board.room:
            self.names = None
        yield record
        about = Stated(record.id, record.place)
        found = sorted(margin.unreadable, key=lambda u: (u.place.line, u.place.column))
        yield from (replace(u, about=about) for u in found)

    def _tags(self) -> Iterator[tuple[str, str]]:
        return ((n, v) for n, v in zip(VUGRAPH, self.vugraph, strict=False) if n and v)

    def _players(self, board: _Board) -> tuple[tuple[Seat, str], ...]:
        if board.names is None:
            return ()
        names = [n.strip() for n in board.names.value.split(",")]
        of = names[4:8] if board.room == "c" else names[:4]
        by_seat = dict(zip(ORDER, of, strict=False))
        return tuple((s, name) for s in SEATS if (name := by_seat.get(s)))

    def _deal(self, board: _Board) -> _Deal:
        """The deal of a board, with what only the other room gives."""
        own = board.deal
        if not board.room or board.name is None:
            return own
        other = self.deals.get(board.name)
        if other is None:
            if len(self.deals) < MAX_DEALS:
                self.deals[board.name] = own
            return own
        if not own.hands and other.hands:
            board.margin.assume("the hands are those given for the other room", board.place)
        both = _Deal(
            own.dealer or other.dealer, own.hands or other.hands, own.vulnerable or other.vulnerable
        )
        self.deals[board.name] = both
        return both

    def _entry(self, board: _Board) -> Command | None:
        """What the results of the match say of a board in its room."""
        if not self.results or board.room not in ROOMS or board.name is None:
            return None
        if not _NUMBER.fullmatch(board.name):
            return None
        if self.first is None:
            self.first = int(board.name)
            said = f"the results of the match begin with board {self.first}"
            board.margin.assume(said, self.results[0].place)
        index = 2 * (int(board.name) - self.first) + (board.room == "c")
        if not 0 <= index < len(self.results) or not self.results[index].value.strip():
            return None
        return self.results[index]


def _parts(command: Command) -> Iterator[Command]:
    """The parts of a value between commas, each with its place."""
    line, column = command.place.line, command.place.column
    for part in command.value.split(","):
        rows = re.split(r"\r\n|\r|\n", part)
        end = len(rows[-1]) + (column if len(rows) == 1 else 1)
        yield Command(command.name, part, Place(line, column, line + len(rows) - 1, end))
        line, column = line + len(rows) - 1, end + 1


# --- a board --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Board:
    """One board while its commands are taken."""

    file: str
    place: Place
    margin: Margin = field(init=False)
    end: Place = field(init=False)
    names: Command | None = None
    room: str = ""
    name: str | None = None
    title: str | None = None
    deal: _Deal = field(default_factory=_Deal)
    given: bool = False
    tags: list[tuple[str, str]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    cards: list[Played] = field(default_factory=list)
    claimed: Result | None = None
    broken: bool = False
    size: int = 0

    def __post_init__(self) -> None:
        self.margin, self.end = Margin(self.file), self.place

    @property
    def played(self) -> bool:
        """Whether calls, cards or a claim stand in it."""
        return bool(self.calls or self.cards or self.claimed)

    def take(self, command: Command) -> None:
        """Take one command of the board."""
        name, value, place = command
        self.size += len(value) + 4
        if self.size > MAX_BOARD:
            if self.size - len(value) - 4 <= MAX_BOARD:
                message = f"A board of more than {MAX_BOARD:,} characters was cut."
                self.margin.unread("notation.lin-long-board", message, None, place)
            return
        self.end = place
        match name:
            case "qx":
                self._room(command)
            case "md":
                self._hands(command)
            case "sv":
                self._vulnerable(command)
            case "ah":
                self._title(command)
            case "mb":
                self._calls(command)
            case "an":
                self._explained(command)
            case "pc":
                self._cards(command)
            case "mc":
                self._claim(command)
            case "nt":
                if value.strip():
                    self.margin.comments.append(Comment(value.strip(), *self._anchor(), place))
            case "pg":
                pass
            case "st" | "rh":
                if value.strip():
                    self.tags.append((TAG_OF[name], value.strip()))
            case "":
                message = f"{shown(value)} is no command, or one without its closing bar."
                self.margin.unread("notation.lin-command", message, value, place)
            case _:
                if value.strip():
                    self.margin.keep(f"{name}|{value}|", place)

    def _anchor(self) -> tuple[Item, str]:
        """What a remark belongs to that stands here, and whether it stands before or after it."""
        if self.cards:
            trick, card = divmod(len(self.cards) - 1, 4)
            return ("play", trick, card), "after"
        if self.calls:
            return ("bidding", len(self.calls) - 1), "after"
        return ("deal",), "before"

    def _unclear(self, command: Command, problem: str) -> None:
        """Say that a value is not understood, and keep it."""
        message = f"{command.name} {shown(command.value)} {problem}."
        self.margin.unclear("notation.lin-value", message, command.place)
        self.margin.keep(f"{command.name}|{command.value}|", command.place)

    def _room(self, command: Command) -> None:
        found = _ROOM.fullmatch(command.value)
        self.room = "?"
        if found is None:
            self._unclear(command, "is no room and board, such as o12 or c12")
            return
        self.room, self.name = (found[1] or "?").lower(), found[2]
        if self.room in ROOMS:
            self.tags.append(("Room", ROOMS[self.room]))

    def _title(self, command: Command) -> None:
        value = command.value.strip()
        found = _BOARD.fullmatch(value)
        if found and (self.name is None or self.name == found[1]):
            self.name = found[1]
        elif value:
            self.title = f"{self.title}; {value}" if self.title else value

    def _vulnerable(self, command: Command) -> None:
        value = command.value.strip().lower()
        if value in VULNERABLE:
            self.deal.vulnerable = Stated(VULNERABLE[value], command.place)
        elif value:
            self._unclear(command, "is not o, n, e or b; the vulnerability is not known")

    # --- the hands --------------------------------------------------------------------------------

    def _hands(self, command: Command) -> None:
        if self.given:
            self._unclear(command, "deals the cards a second time; the first counts")
            return
        self.given = True
        parts = list(_parts(command))
        first = parts[0]
        found = re.match(r"\s*(\d?)\s*", first.value)
        digit, width = (found[1], found.end()) if found else ("", 0)
        if digit in ("1", "2", "3", "4"):
            self.deal.dealer = Stated(ORDER[int(digit) - 1], _wide(first.place, width))
        elif digit not in ("", "0"):
            self._unclear(command, "does not begin with a dealer, 1 to 4, or 0")
        parts[0] = Command(first.name, first.value[width:], _moved(first.place, width))
        hands: dict[Seat, Hand] = {}
        whole = True
        for seat, part in zip(ORDER, parts, strict=False):
            if not part.value.strip():
                continue
            hand = _hand(part)
            if hand and hand.cards:
                hands[seat] = hand
            elif hand is None:
                whole = False
                said = "is no hand: suits S, H, D, C, each with its ranks AKQJT98765432."
                message = f"{shown(part.value)} {said}"
                self.margin.unread("notation.lin-card", message, part.value, part.place)
        for part in parts[4:]:
            if part.value.strip():
                message = f"{shown(part.value)} would be a fifth hand."
                self.margin.unread("notation.lin-card", message, part.value, part.place)
        if whole:
            hands |= _fourth(hands, command.place)
        self.deal.hands = tuple((s, hands[s]) for s in SEATS if s in hands)

    # --- calls and cards --------------------------------------------------------------------------

    def _calls(self, command: Command) -> None:
        value, at = command.value, 0
        if self.broken:
            self.margin.keep(f"mb|{value}|", command.place)
            return
        while at < len(value):
            found = _CALL.match(value, at)
            if found is None:
                if value[at:].strip():
                    self.broken = True
                    place = _moved(command.place, at)
                    message = f"{shown(value[at:])} is no call; what follows was not used."
                    self.margin.unread("notation.lin-call", message, value[at:], place)
                    self.calls.append(Call("unrecorded", place=place))
                return
            odd, letter, other, alert = found.groups()
            start = found.start(1 if odd else 3)
            place = _wide(_moved(command.place, start), len(found[0].rstrip()) - start + at)
            mark = "!" if alert else None
            if odd:
                trumps = DENOMINATIONS[letter.upper()]
                self.calls.append(Call("bid", int(odd), trumps, mark=mark, place=place))
            else:
                self.calls.append(Call(KINDS[other.lower()], mark=mark, place=place))
            at = found.end()

    def _explained(self, command: Command) -> None:
        value = command.value.strip()
        if value and self.calls and not self.broken:
            last = self.calls[-1]
            said = f"{last.note}; {value}" if last.note else value
            self.calls[-1] = replace(last, note=said)
        elif value:
            self.margin.keep(f"an|{command.value}|", command.place)
            if not self.broken:
                message = f"{shown(value)} explains no call: none stands before it."
                self.margin.unclear("notation.lin-misplaced", message, command.place)

    def _cards(self, command: Command) -> None:
        value, at = command.value, 0
        if self.claimed:
            message = f"{shown(value)} is played after the claim; it was not used."
            self.margin.unclear("notation.lin-misplaced", message, command.place)
            self.margin.keep(f"pc|{value}|", command.place)
            return
        if plain := CARD_OF.get(value.upper()):
            self.cards.append(Played(plain, place=command.place))
            return
        while at < len(value):
            found = _CARD.match(value, at)
            card = _card(found[1], found[2]) if found else None
            end = found.end() if found else len(value)
            if card is None and not value[at:].strip():
                return
            place = _wide(_moved(command.place, at), end - at)
            if card is None:
                message = f"{shown(value[at:])} is no card."
                self.margin.unread("notation.lin-card", message, value[at:], place)
            self.cards.append(Played(card, place=place))
            at = end

    def _claim(self, command: Command) -> None:
        value = command.value.strip()
        if re.fullmatch(r"\d\d?", value, re.ASCII) and int(value) <= TRICKS and not self.claimed:
            self.claimed = Result("tricks", int(value), command.place)
        elif value:
            self._unclear(command, f"is no number of tricks up to {TRICKS}, said once")

    # --- the record -------------------------------------------------------------------------------

    def record(self, number: int, deal: _Deal, entry: Command | None) -> Record:
        """The record of the board but for what holds for all boards and for what stands beside."""
        declaration, result = self._entry(entry)
        rooms = f" {ROOMS[self.room].lower()} room" if self.room in ROOMS else ""
        name = f"board {self.name}{rooms}" if self.name else f"record {number}"
        tags = [("title", self.title)] if self.title else []
        record = Record(
            name,
            self.file,
            _span(self.place, self.end),
            tags=(*tags, *self.tags),
            dealer=deal.dealer,
            vulnerable=deal.vulnerable,
            hands=deal.hands,
            bidding=tuple(self.calls) if self.calls else None,
            declaration=declaration,
            play=self._tricks(),
            result=self.claimed or result,
        )
        return replace(record, table_claims=self._claims(record))

    def _tricks(self) -> tuple[Trick, ...] | None:
        if not self.cards:
            return None
        fours = (tuple(self.cards[i : i + 4]) for i in range(0, len(self.cards), 4))
        return tuple(Trick(four, place=_span(four[0].place, four[-1].place)) for four in fours)

    def _claims(self, record: Record) -> tuple[TableClaim, ...]:
        """The claim that ended a play before its end."""
        final, tricks = final_of(record), in_order(record) or []
        declarer = final.declarer if final else None
        whole = [t for t in tricks if len(t.cards) == 4]
        rest = TRICKS - len(whole)
        if not (self.claimed and declarer and tricks and rest > 0):
            return ()
        if not all(t.winner for t in whole):
            return ()
        won = sum(1 for t in whole if t.winner and t.winner.side is declarer.side)
        claimed = self.claimed.number - won
        if not 0 <= claimed <= rest:
            return ()
        said = "LIN does not say who claimed; it is written as the declarer's claim, agreed"
        self.margin.assume(said, self.claimed.place)
        place = self.claimed.place
        return (TableClaim(declarer, "claims", claimed, "agreed", len(tricks), place=place),)

    def _entry(self, entry: Command | None) -> tuple[Declaration | None, Result | None]:
        """What the results of the match say: the declaration, and the result where it counts.

        It counts where the cards tell a part of the play: a claim goes before it, and so do
        thirteen tricks; of a board without a card played no result is known.
        """
        if entry is None:
            return None, None
        written = entry.value.strip()
        if written.upper() == "PASS":
            return Declaration(passed_out=True, place=entry.place), None
        found = _RESULT.fullmatch(written)
        odd = int(found[1]) if found else 0
        tricks = 6 + odd + int(found[5].replace("=", "0")) if found else -1
        if found is None or not 0 <= tricks <= TRICKS:
            self._unclear(entry, "is no result, such as 4HE= or 5DNx-2")
            return None, None
        declarer = next(s for s in SEATS if s.value == found[3].upper())
        trumps = DENOMINATIONS[found[2].upper()]
        declaration = Declaration(odd, trumps, len(found[4]), declarer, place=entry.place)
        if 0 < len(self.cards) < 4 * TRICKS and not self.claimed:
            return declaration, Result("tricks", tricks, entry.place)
        if not self.cards and not self.claimed:
            self.margin.keep(f"rs|{written}|", entry.place)
        return declaration, None


TAG_OF = {"st": "Style", "rh": "Heading"}
NAMES_OF_BOARD = ("qx", "md", "sv", "ah", "mb", "an", "pc", "mc")
"""Commands with which a board is there."""


def _hand(part: Command) -> Hand | None:
    """The hand of a value such as `SAKQHJ2DT98C5432`; `None` where it is none."""
    held: list[tuple[Card, Place]] = []
    value = part.value.rstrip()
    at = len(value) - len(value.lstrip())
    while at < len(value):
        found = _SUIT.match(value, at)
        if found is None:
            return None
        for rank in re.finditer("10|.", found[2]):
            card = _card(found[1], rank[0])
            start = found.start(2) + rank.start()
            held.append((card, _wide(_moved(part.place, start), len(rank[0]))))
        at = found.end()
    held.sort(key=lambda one: PACK.index(one[0]))
    cards, places = tuple(c for c, _ in held), tuple(p for _, p in held)
    return Hand(cards, (), False, places, part.place)


def _card(suit: str, rank: str) -> Card:
    return CARDS[SUIT_OF[suit.upper()]]["T" if rank == "10" else rank.upper()]


def _fourth(hands: dict[Seat, Hand], place: Place) -> dict[Seat, Hand]:
    """The hand that is left out and follows from three whole ones."""
    held = [c for h in hands.values() for c in h.cards]
    if len(hands) != 3 or any(len(h.cards) != TRICKS for h in hands.values()):
        return {}
    rest = tuple(c for c in PACK if c not in held)
    (seat,) = (s for s in ORDER if s not in hands)
    if len(rest) != TRICKS:
        return {}
    return {seat: Hand(rest, (), False, tuple(place for _ in rest), place)}


def _moved(place: Place, by: int) -> Place:
    """A place that begins so many columns further on."""
    return Place(place.line, place.column + by, place.end_line, place.end_column)


def _wide(place: Place, width: int) -> Place:
    """A place on one line, so many columns wide."""
    return Place(place.line, place.column, place.line, place.column + width)


def _span(first: Place, last: Place) -> Place:
    return Place(first.line, first.column, last.end_line, last.end_column)
