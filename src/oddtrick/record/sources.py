"""Files, folders and standard input as records: which notation, which lines, piece by piece."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from oddtrick.record.hand import read as hand
from oddtrick.record.hand.write import write_hand
from oddtrick.record.lin.commands import lines_of as lin_lines
from oddtrick.record.lin.read import read_lin
from oddtrick.record.lin.write import lost as lost_in_lin
from oddtrick.record.lin.write import write_lin
from oddtrick.record.model import Group, Record, Unreadable
from oddtrick.record.pbn import read as pbn
from oddtrick.record.pbn.write import lost as lost_in_pbn
from oddtrick.record.pbn.write import write_pbn


class Notation(NamedTuple):
    """A way to write records: read from the bytes of a file in any pieces, and written as text.

    `lines` are the lines of a file as the places in it count them. `lost` names what of a record
    the notation cannot say, `None` where it says all.
    `called` is what the notation is called.
    """

    read: Callable[[Iterable[bytes], str], Iterable[Record | Group | Unreadable]]
    write: Callable[[Iterable[Record | Group]], str]
    lines: Callable[[bytes], Sequence[str]]
    called: str
    lost: Callable[[Record], Sequence[str]] | None = None


NOTATIONS = {
    "hand": Notation(
        hand.read_hand,
        write_hand,
        lambda data: hand.lines_of(data.decode("utf-8-sig", "replace")),
        ".hand",
    ),
    "pbn": Notation(
        pbn.read_pbn, lambda items: "".join(write_pbn(items)), pbn.lines_of, "PBN", lost_in_pbn
    ),
    "lin": Notation(
        read_lin, lambda items: "".join(write_lin(items)), lin_lines, "LIN", lost_in_lin
    ),
}
"""Every notation by its name, which is also how its files end."""
STREAMED = ("pbn", "lin")
"""The notations of which a file is read a record at a time."""
LINES_KEPT = 20_000_000
"""Files up to this many bytes are kept so that a finding can show its line."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file: its name, its notation, what is in it, its lines for showing places."""

    name: str
    notation: str
    items: Iterable[Record | Group | Unreadable]
    lines: Sequence[str] = field(default=(), repr=False)


def read(
    data: bytes, file: str = "-", notation: str | None = None
) -> Iterable[Record | Group | Unreadable]:
    """What the bytes of a file have in them, in order; a notation that is not named is guessed."""
    return NOTATIONS[notation or _guessed(data)].read(BytesIO(data), file)


def strictly(items: Iterable[Record | Group | Unreadable]) -> Iterator[Record | Group | Unreadable]:
    """What a file has in it, with all that breaks the standard of its notation an error."""
    for item in items:
        if isinstance(item, Unreadable) and item.section:
            yield replace(item, unclear=False, harmless=False)
        else:
            yield item


def write(items: Iterable[Record | Group], notation: str) -> str:
    """The text of records and groups in a notation."""
    return NOTATIONS[notation].write(items)


def read_paths(paths: Sequence[str], notation: str | None = None) -> Iterator[RecordFile]:
    """The sources that paths name: files, folders (their records in every notation), `-`.

    A file that cannot be opened is a source with nothing but why.
    """
    for path in paths or ["-"]:
        place = Path(path)
        if path == "-":
            yield read_stream(sys.stdin.buffer, "-", notation)
        elif place.is_dir():
            ends = {f".{name}" for name in NOTATIONS}
            found = (p for p in place.rglob("*") if p.suffix.lower() in ends and p.is_file())
            if not (files := sorted(found)):
                yield _failed(path, "there is no .hand, .pbn or .lin file in this folder")
            for file in files:
                yield _read_file(file, notation)
        else:
            yield _read_file(place, notation)


def _failed(name: str, why: str) -> RecordFile:
    said = f"{why[0].upper()}{why[1:]}."
    return RecordFile(name, "hand", [Unreadable("notation.cannot-open", said, name)])


def _read_file(path: Path, notation: str | None) -> RecordFile:
    """A file; one in PBN or LIN that is too long to be kept is read a record at a time."""
    name, end = str(path), path.suffix.lower().removeprefix(".")
    kind = notation or (end if end in NOTATIONS else "hand")
    try:
        if kind in STREAMED and path.stat().st_size > LINES_KEPT:
            return RecordFile(name, kind, _pieces_of(path, kind))
        return _source(path.read_bytes(), name, kind)
    except OSError as error:
        return _failed(name, error.strerror or str(error))


def _pieces_of(path: Path, kind: str) -> Iterator[Record | Group | Unreadable]:
    with path.open("rb") as file:
        yield from NOTATIONS[kind].read(file, str(path))


def _source(data: bytes, name: str, kind: str) -> RecordFile:
    notation = NOTATIONS[kind]
    items = notation.read(BytesIO(data), name)
    return RecordFile(name, kind, items, notation.lines(data[:LINES_KEPT]))


def read_stream(stream: BinaryIO, name: str, notation: str | None) -> RecordFile:
    """Standard input; PBN or LIN that is known for it is read a record at a time."""
    if notation in STREAMED:
        return RecordFile(name, notation, NOTATIONS[notation].read(stream, name))
    data = stream.read()
    return _source(data, name, notation or _guessed(data))


def _guessed(data: bytes) -> str:
    """PBN where a file looks like it (a tag, a `%` line), LIN (`xx|`), else our own notation."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:3]
    if start[:2].isalpha() and start[2:] == b"|":
        return "lin"
    return "pbn" if start[:1] in (b"[", b"%") else "hand"
