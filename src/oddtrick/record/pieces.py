"""Cuts files into pieces that can be read independently, on another core or machine.

A piece holds raw text, since a parsed and pickled record is eight times as long and takes longer to
unpickle than the text takes to parse. PBN is cut between records, and each piece includes the
state after the records before it. A file in any other notation is a single piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from oddtrick.record.deal import Deal, Group, Source, Unreadable
from oddtrick.record.pbn.games import sources
from oddtrick.record.pbn.read import read_piece
from oddtrick.record.pbn.reader import State, follow
from oddtrick.record.sources import NOTATIONS, RecordFile

RECORD = 1000
"""The approximate size of a record in bytes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a file: either all its bytes, or a text of complete games and the state before them.

    `first` marks the first piece of a file; `weight` is the approximate number of records.
    """

    name: str
    notation: str
    first: bool
    weight: int
    data: tuple[bytes, ...] = field(default=(), repr=False)
    source: Source | None = field(default=None, repr=False)
    state: State = field(default_factory=State, repr=False)
    failed: tuple[Unreadable, ...] = ()

    @property
    def items(self) -> Iterable[Deal | Group | Unreadable]:
        """The deals, groups and unreadable parts of the piece, as when the entire file is read."""
        if self.source is None:
            return self.failed or NOTATIONS[self.notation].read(self.data, self.name)
        return read_piece(self.source, self.state)


def pieces(files: Iterable[RecordFile]) -> Iterator[Piece]:
    """Yield the pieces of the files, in order."""
    for file in files:
        if file.notation == "pbn" and not file.failed:
            yield from _of_pbn(file)
        else:
            data = tuple(file.data)
            weight = 1 + sum(map(len, data)) // RECORD
            yield Piece(file.name, file.notation, True, weight, data=data, failed=file.failed)


def _of_pbn(file: RecordFile) -> Iterator[Piece]:
    """Yield the pieces of a PBN file; a file without records has an empty piece at its end."""
    state, first, empty = State(), True, True
    for source, games in sources(file.data, file.name):
        weight = max(len(games), len(source.text) // RECORD)
        yield Piece(file.name, "pbn", first, weight, source=source, state=state.copy())
        follow(games, source, state)
        first, empty = False, empty and not games
    if empty:
        yield Piece(file.name, "pbn", first, 0, data=(b"",))
