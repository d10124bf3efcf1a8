"""Files cut into pieces that are read by themselves, wherever: on another core or machine.

A piece is raw text, for a record that is read and pickled is eight times as long and takes longer
to unpickle than to read. PBN is cut between its records, and what of those before counts for a
piece goes with it. A file in any other notation is one piece.
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
"""About so many bytes has a record."""


@dataclass(frozen=True, slots=True)
class Lines(Sequence[str]):
    """The lines of a file of which only a stretch is at hand; the others are empty."""

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
        """A line, or some, counted from 0 in the whole file."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.total))]
        at = index - self.start
        return self.stretch[at] if 0 <= at < len(self.stretch) else ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some records of one file: all its bytes, or a text of whole games and the state before them.

    `first` means that the file begins with it; `weight` is about how many records it has. `lines`
    show places; there are none where the lines of the file are not kept.
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
        """What is in it, in order, as if the file were read from its beginning."""
        if self.source is None:
            return self.failed or NOTATIONS[self.notation].read(self.data, self.name)
        return read_piece(self.source, self.state)


def pieces(files: Iterable[RecordFile]) -> Iterator[Piece]:
    """The files in pieces, in order."""
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
    """A PBN file in pieces; one without any record is a piece too."""
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
