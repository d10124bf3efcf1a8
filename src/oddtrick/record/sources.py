"""Files, folders and standard input as records: which notation, which lines, piece by piece."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from oddtrick.limits import HELD, SHOWN
from oddtrick.paths import path_exists
from oddtrick.record import lin
from oddtrick.record.deal import Deal, Group, Source, Unreadable
from oddtrick.record.hand import read as hand
from oddtrick.record.hand.write import write_hand
from oddtrick.record.pbn import read as pbn
from oddtrick.record.pbn.write import lost as lost_in_pbn
from oddtrick.record.pbn.write import write_pbn


class Notation(NamedTuple):
    """A way to write records: read from the bytes of a file in any pieces, and written as text.

    `lines` are the lines of a file as the places in it count them. `write` is `None` for a notation
    that is only read. `lost` names what of a record the notation cannot say, `None` where it says
    all.
    """

    read: Callable[[Iterable[bytes], str], Iterable[Deal | Group | Unreadable]]
    lines: Callable[[bytes], Sequence[str]]
    write: Callable[[Iterable[Deal | Group]], str] | None = None
    lost: Callable[[Deal], Sequence[str]] | None = None


NOTATIONS = {
    "hand": Notation(
        hand.read_hand, lambda data: hand.lines_of(data.decode("utf-8-sig", "replace")), write_hand
    ),
    "pbn": Notation(
        pbn.read_pbn, pbn.lines_of, lambda items: "".join(write_pbn(items)), lost_in_pbn
    ),
    "lin": Notation(lin.read_lin, lin.lines_of),
}
"""Every notation by its name, which is also how its files end."""
WRITTEN = tuple(name for name, notation in NOTATIONS.items() if notation.write)
"""The notations that records can be written in."""
STREAMED = "pbn"
"""The notation of which a file is read a record at a time."""
LINES_SHOWN = SHOWN.most
"""Files up to this many bytes are held so that a finding can show its line."""
PIECE = 1 << 20
"""Files are read so many bytes at a time."""
LARGEST = HELD.most
"""So many bytes at most are held at once: a device or a pipe may have no end. What is read a record
at a time has no limit.
"""
PEEKED = 1 << 16
"""In so many bytes a file shows what it is."""
_BEGINNING = re.compile(
    rb'\s*(?:(?P<pbn>%|\[\s*[A-Za-z_]\w*\s*"[^"\n]*"\s*\])|(?P<lin>[A-Za-z]{2}\|))'
)
PACKED = (b"PK\x03\x04", b"\x1f\x8b")
"""How the files of ZIP and gzip begin."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file: its name, its notation, its bytes, its lines for showing places.

    `failed` is why it cannot be opened, and then it has nothing else. The bytes of a long file are
    read as they are asked for, and once.
    """

    name: str
    notation: str
    data: Iterable[bytes] = field(default=(), repr=False)
    lines: Sequence[str] = field(default=(), repr=False)
    failed: tuple[Unreadable, ...] = ()

    @property
    def items(self) -> Iterable[Deal | Group | Unreadable]:
        """What is in it, in order."""
        return self.failed or NOTATIONS[self.notation].read(self.data, self.name)


def read(
    data: bytes, file: str = "-", notation: str | None = None
) -> Iterable[Deal | Group | Unreadable]:
    """What the bytes of a file have in them, in order; a notation that is not named is guessed."""
    return NOTATIONS[notation or _guessed(data)].read(BytesIO(data), file)


def write(items: Iterable[Deal | Group], notation: str) -> str:
    """The text of deals and groups in a notation, which is one of `WRITTEN`."""
    written = NOTATIONS[notation].write
    assert written is not None
    return written(items)


def read_paths(paths: Sequence[str], notation: str | None = None) -> Iterator[RecordFile]:
    """The sources that paths name: files, folders (their records in every notation), `-`.

    A file that cannot be opened is a source with nothing but why.
    """
    for path in paths or ["-"]:
        place = Path(path)
        if path == "-":
            yield read_stream(sys.stdin.buffer, "-", notation)
        elif path_exists(path) and place.is_dir():
            files, failed = _records_in(path)
            if not files and not failed:
                yield _failed(path, "there is no .hand, .pbn or .lin file in this folder")
            for file in sorted(files):
                yield _read_file(file, notation)
            yield from failed
        else:
            yield _read_file(place, notation)


def _records_in(folder: str) -> tuple[list[Path], list[RecordFile]]:
    """The files of a folder and of those in it, however deep, that end as a notation does, and the
    folders that cannot be read; none that is hidden, and no folder that a link leads to.
    """
    found, failed, folders = list[Path](), list[RecordFile](), [folder]
    while folders:
        here = folders.pop()
        try:
            with os.scandir(here) as entries:
                seen = [e for e in entries if not e.name.startswith(".")]
        except OSError as error:
            failed.append(_failed(here, error.strerror or str(error)))
            continue
        for entry in seen:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif _is_record(entry):
                found.append(Path(entry.path))
    return found, failed


def _is_record(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a file that ends as a notation does."""
    if Path(entry.name).suffix.lower().removeprefix(".") not in NOTATIONS:
        return False
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _failed(name: str, why: str) -> RecordFile:
    message = f"{why[0].upper()}{why[1:]}."
    return RecordFile(
        name, "hand", failed=(Unreadable("notation.cannot-open", message, Source(name)),)
    )


def _read_file(path: Path, notation: str | None) -> RecordFile:
    """A file; one in PBN that is too long to be held is read a record at a time.

    One that begins as PBN or LIN does is read so, whatever its name.
    """
    name, end = str(path), path.suffix.lower().removeprefix(".")
    kind = notation or (end if end in NOTATIONS else "hand")
    try:
        if kind == STREAMED and path.stat().st_size > LINES_SHOWN:
            return RecordFile(name, kind, _opened(path))
        with path.open("rb") as file:
            data = read_all(file)
    except OSError as error:
        return _failed(name, error.strerror or str(error))
    if data.startswith(PACKED):
        return _failed(name, "this is a packed file, such as a ZIP archive; unpack it first")
    return _source(data, name, notation or _begins_as(data) or kind)


def _opened(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(1 << 16):
            yield block


def _source(data: bytes, name: str, kind: str) -> RecordFile:
    return RecordFile(name, kind, [data], NOTATIONS[kind].lines(data[:LINES_SHOWN]))


def read_stream(stream: BinaryIO, name: str, notation: str | None) -> RecordFile:
    """Standard input; PBN that is known for it is read a record at a time."""
    if notation == STREAMED:
        return RecordFile(name, notation, stream)
    try:
        data = read_all(stream)
    except OSError as error:
        return _failed(name, error.strerror or str(error))
    return _source(data, name, notation or _guessed(data))


def read_all(stream: BinaryIO) -> bytes:
    """All that a file, a pipe or a device has.

    Raises `OSError` where that is more than `LARGEST` bytes, or it cannot be read.
    """
    pieces, size = list[bytes](), 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            message = f"this has more than {LARGEST:,} bytes; PBN may be longer, in a file"
            raise OSError(errno.EFBIG, f"{message}, or from standard input with --from")
    return b"".join(pieces)


def _begins_as(data: bytes) -> str | None:
    """PBN where a file begins with a complete tag or a `%` line, LIN where with `xx|`."""
    found = _BEGINNING.match(data[:PEEKED].removeprefix(b"\xef\xbb\xbf"))
    return found.lastgroup if found else None


def _guessed(data: bytes) -> str:
    """What a file is that has no name; PBN too where it begins with a broken tag."""
    loose = "pbn" if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") else "hand"
    return _begins_as(data) or loose
