"""Cuts files into pieces that can be read independently, on another core or machine.

A piece holds raw text, since a parsed and pickled record is eight times as long and takes longer to
unpickle than the text takes to parse. PBN is cut between records, and each piece carries the state
that the records before it leave. A file in any other notation is a single piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from oddtrick.record.deal import Deal, Group, Source, Unreadable
from oddtrick.record.pbn.games import Game, sources
from oddtrick.record.pbn.read import read_piece
from oddtrick.record.pbn.reader import State, follow
from oddtrick.record.sources import NOTATIONS, RecordFile

RECORD = 1000
"""The approximate size of a record in bytes."""


@dataclass(frozen=True, slots=True)
class Lines(Sequence[str]):
    """The lines of a file of which only some are stored; the others read as empty."""

    total: int
    start: int
    stretch: Sequence[str]

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """A line or a slice of lines, counted from 0 in the file."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.total))]
        at = index - self.start
        return self.stretch[at] if 0 <= at < len(self.stretch) else ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a file: either all its bytes, or a text of complete games and the state before them.

    `first` marks the first piece of a file; `weight` is the approximate number of records. `lines`
    are the lines to quote in reports, or empty if the lines of the file are not stored.
    """

    name: str
    notation: str
    first: bool
    weight: int
    data: tuple[bytes, ...] = field(default=(), repr=False)
    source: Source | None = field(default=None, repr=False)
    state: State = field(default_factory=State, repr=False)
    failed: tuple[Unreadable, ...] = ()
    lines: Sequence[str] = field(default=(), repr=False)

    @property
    def items(self) -> Iterable[Deal | Group | Unreadable]:
        """The deals, groups and unreadable parts of the piece, as in a reading of the full file."""
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
            yield Piece(
                file.name,
                file.notation,
                True,
                weight,
                data=data,
                failed=file.failed,
                lines=file.lines,
            )


def _of_pbn(file: RecordFile) -> Iterator[Piece]:
    """Yield the pieces of a PBN file; a file without records is one empty piece."""
    state, first = State(), True
    for source, games in sources(file.data, file.name):
        yield _piece(file, first, source, games, state.copy())
        follow(games, source, state)
        first = False
    if first:
        yield _piece(file, True, Source(file.name, "pbn"), (), state)


def _piece(
    file: RecordFile, first: bool, source: Source, games: Sequence[Game], state: State
) -> Piece:
    start = source.line - 1
    stretch = file.lines[start : start + source.text.count("\n")]
    lines = Lines(len(file.lines), start, stretch) if file.lines else ()
    weight = max(len(games), len(source.text) // RECORD)
    return Piece(file.name, file.notation, first, weight, source=source, state=state, lines=lines)
