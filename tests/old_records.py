"""Readers and writers of `Record`s for the tests that are written on them; goes with the adapter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from oddtrick.record import lin, sources
from oddtrick.record.documents import adapted
from oddtrick.record.from_record import Writable, as_new
from oddtrick.record.model import Group, Record, Unreadable
from oddtrick.record.pbn import read as pbn
from oddtrick.record.pbn import write as pbn_write

Pieces = Iterable[bytes] | BinaryIO
Items = Iterator[Record | Group | Unreadable]


def read_pbn(pieces: Pieces, file: str = "-") -> Items:
    return adapted(pbn.read_pbn(pieces, file))


def read_lin(pieces: Pieces, file: str = "-") -> Items:
    return adapted(lin.read_lin(pieces, file))


def read(data: bytes, file: str = "-", notation: str | None = None) -> Items:
    return adapted(sources.read(data, file, notation))


def write_pbn(items: Iterable[Writable]) -> Iterator[str]:
    return pbn_write.write_pbn(map(as_new, items))


def lost(record: Record) -> tuple[str, ...]:
    return pbn_write.lost(as_new(record))  # type: ignore[arg-type]
