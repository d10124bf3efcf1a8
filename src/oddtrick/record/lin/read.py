"""Reading LIN: single boards, and the two rooms of a vugraph with commentary.

`read_lin` gives the records of a file one at a time, each followed by what of it could not be read.
A board begins with `qx`, or without one where its players or its hands do. What stands once in a
file is used for every board: the players and the results of a vugraph, the hands of a board that
two rooms play. No fact is guessed; what was not used is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, cast

from oddtrick.cards import SEATS, Seat
from oddtrick.record.lin.board import COMMANDS, Board, Deal
from oddtrick.record.lin.commands import Command, Scanner, parts_of
from oddtrick.record.lin.plain import PlainBoard, plain_board
from oddtrick.record.lin.values import ORDER, ROOMS, parts
from oddtrick.record.model import Place, Record, Stated, Unreadable, in_numbers

VUGRAPH = ("event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam", "")
"""The tags of the parts of `vg`, by the names that PBN has for them."""
FIRST_BOARD = 3
PLAYERS = {"c": len(ORDER)}
"""At which of the players those of a room begin."""
MAX_PLAYERS = len(ORDER) * len(ROOMS)
MAX_DEALS = 1000
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)


def read_lin(source: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Unreadable]:
    """The records of a LIN file, each as soon as it is complete, with what is unreadable behind it.

    `source` is the open file, or its bytes in any pieces. What cannot be read is `about` the record
    before it, and about `None` where the text has no board at all. Memory does not grow with the
    file; bad text never raises.
    """
    boards, scanner = _File(file), Scanner()
    for part, last in parts_of(source):
        line = scanner.here.line
        plain = plain_board(part, line) if scanner.fresh and boards.alone else None
        if plain:
            yield from boards.close()
            yield boards.in_numbers(plain, part)
            scanner.here.line += part.count(b"\n")
        else:
            yield from boards.read(scanner.take(part, last))
    yield from boards.close()
    if not boards.number and boards.noise:
        message = "There is no board in this text: LIN is commands such as md|3SAK...| or mb|1N|."
        yield Unreadable("notation.lin-not-lin", message, file, boards.noise)


class _File:
    """The state between two commands: what holds for all boards, and the board so far."""

    def __init__(self, file: str) -> None:
        self.file, self.number = file, 0
        self.noise: Place | None = None
        self.waiting: list[Command] = []
        self.board: Board | None = None
        self._header()

    def _header(self) -> None:
        self.vugraph: list[str] = []
        self.results: list[Command] = []
        self.names: Command | None = None
        self.deals: dict[str, Deal] = {}
        self.first: int | None = None
        self.named_again = False

    @property
    def alone(self) -> bool:
        """Whether a board that begins with its players takes nothing from what stands before."""
        board = self.board
        waits = self.vugraph or self.results or self.waiting
        return not waits and (board is None or (board.given and not board.room))

    def read(self, commands: Iterable[Command]) -> Iterator[Record | Unreadable]:
        """Take commands; the boards that are over."""
        for command in commands:
            if self.begins(command):
                yield from self.close()
            self.take(command)

    def in_numbers(self, plain: PlainBoard, raw: bytes) -> Record:
        """The record of a plain board, all but its numbers left for later."""
        self.number, self.names = self.number + 1, None
        number, file, line = self.number, self.file, plain.place.line

        def made() -> Record:
            again = _File(file)
            again.number = number - 1
            (record,) = (*again.read(Scanner(line).take(raw, True)), *again.close())
            return cast("Record", record)

        name = f"board {plain.name}" if plain.name else f"record {number}"
        return in_numbers(made, name, file, plain.place, plain.numbers, table_claims=plain.claims)

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
            self.results = list(parts(command))
        elif name == "pn":
            self.names, self.named_again = command, self.board is not None
            if self.board and not self.board.given and not self.board.played:
                self.board.names = command
        elif self.board is None and name not in COMMANDS:
            if len(self.waiting) < MAX_DEALS:
                self.waiting.append(command)
        else:
            self._begun(command.place).take(command)

    def _begun(self, place: Place) -> Board:
        """The board so far, begun where there is none, with what waited for it."""
        if self.board is None:
            self.board, self.named_again = Board(self.file, place), False
            self.board.names = self.names
            for before in self.waiting:
                self.board.take(before)
            self.waiting = []
        return self.board

    def close(self) -> Iterator[Record | Unreadable]:
        """The record of the board so far, and what of it could not be read."""
        board, self.board = self.board, None
        if board is None:
            return
        self.number += 1
        players = self._players(board)
        record = board.record(self.number, self._deal(board), self._entry(board))
        heading = ((n, v) for n, v in zip(VUGRAPH, self.vugraph, strict=False) if n and v)
        margin = board.margin
        record = replace(
            record,
            players=players,
            tags=(*heading, *record.tags),
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

    def _players(self, board: Board) -> tuple[tuple[Seat, str], ...]:
        if board.names is None:
            return ()
        names = list(parts(board.names))
        for number, more in enumerate(names[MAX_PLAYERS:], MAX_PLAYERS + 1):
            if more.value:
                board.unclear(more, f"would be player {number} of two tables")
        start = PLAYERS.get(board.room, 0)
        by_seat = {s: n.value for s, n in zip(ORDER, names[start:], strict=False)}
        return tuple((s, name) for s in SEATS if (name := by_seat.get(s)))

    def _deal(self, board: Board) -> Deal:
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
        both = Deal(
            own.dealer or other.dealer, own.hands or other.hands, own.vulnerable or other.vulnerable
        )
        self.deals[board.name] = both
        return both

    def _entry(self, board: Board) -> Command | None:
        """What the results of the match say of a board in its room."""
        if not self.results or board.room not in ROOMS or board.name is None:
            return None
        if not _NUMBER.fullmatch(board.name):
            return None
        if self.first is None:
            self.first = int(board.name)
            said = f"the results of the match begin with board {self.first}"
            board.margin.assume(said, self.results[0].place)
        index = len(ROOMS) * (int(board.name) - self.first) + (board.room == "c")
        if not 0 <= index < len(self.results) or not self.results[index].value:
            return None
        return self.results[index]
