"""Files cut into pieces that are read by themselves, wherever: on another core or machine.

A piece is raw text, for a record that is read and pickled is eight times as long and takes longer
to unpickle than to read. PBN is cut between its records, and what of those before counts for a
piece goes with it. A file in any other notation is one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from oddtrick.record.model import Group, Record, Unreadable
from oddtrick.record.pbn.cut import Chunk, split
from oddtrick.record.pbn.read import Reader
from oddtrick.record.sources import NOTATIONS, RecordFile

MOST_BYTES = 1 << 17
"""A piece of so many bytes is long enough, however few its records are."""

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
    """Some records of one file: all its bytes, or chunks of PBN and the reader that stands there.

    `first` says that the file begins with it, `weight` about how many records it has. `lines` show
    places, none where the lines of the file are not kept.
    """

    name: str
    notation: str
    first: bool
    weight: int
    data: tuple[bytes, ...] = field(default=(), repr=False)
    chunks: tuple[Chunk, ...] = field(default=(), repr=False)
    reader: Reader | None = None
    failed: tuple[Unreadable, ...] = ()
    lines: Sequence[str] = field(default=(), repr=False)

    @property
    def items(self) -> Iterable[Record | Group | Unreadable]:
        """What is in it, in order, as if the file were read from its beginning."""
        if self.reader is None:
            return self.failed or NOTATIONS[self.notation].read(self.data, self.name)
        return self.reader.copy().read_all(self.chunks)


def pieces(files: Iterable[RecordFile], size: Callable[[], int]) -> Iterator[Piece]:
    """The files in pieces, in order; `size` says how many records the next one should have."""
    for file in files:
        if file.notation == "pbn" and not file.failed:
            yield from _of_pbn(file, size)
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


def _of_pbn(file: RecordFile, size: Callable[[], int]) -> Iterator[Piece]:
    """A PBN file in pieces; one without any record is a piece too."""
    reader = Reader(file.name)
    start, held, length, first = reader.copy(), list[Chunk](), 0, True
    for chunk in split(file.data):
        held.append(chunk)
        length += sum(map(len, chunk.lines))
        reader.follow(chunk)
        if len(held) >= size() or length >= MOST_BYTES:
            yield _piece(file, first, held, start)
            start, held, length, first = reader.copy(), [], 0, False
    if held or first:
        yield _piece(file, first, held, start)


def _piece(file: RecordFile, first: bool, chunks: Sequence[Chunk], reader: Reader) -> Piece:
    spans = [(c.line, c.line + len(c.lines)) for c in chunks]
    spans += [(u.place.line, u.place.end_line) for c in chunks for u in c.unreadable]
    start = max(0, min((a for a, _ in spans), default=1) - 1)
    end = max((b for _, b in spans), default=0)
    lines = Lines(len(file.lines), start, file.lines[start:end]) if file.lines else ()
    kept = tuple(chunks)
    weight = max(len(kept), sum(len(line) for c in kept for line in c.lines) // RECORD)
    return Piece(file.name, file.notation, first, weight, chunks=kept, reader=reader, lines=lines)
