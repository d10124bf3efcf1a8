"""Reads records from files, folders and standard input; writes and converts them."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from oddtrick.limits import AT_ONCE, HELD
from oddtrick.limits import WRITTEN as TEXTS
from oddtrick.paths import path_exists
from oddtrick.record import lin
from oddtrick.record.deal import Deal, Group, Source, Unreadable, assumptions, deals_in
from oddtrick.record.hand import read as hand
from oddtrick.record.hand.write import CONTROL, write_hand
from oddtrick.record.margin import shown
from oddtrick.record.pbn import games
from oddtrick.record.pbn import reader as pbn
from oddtrick.record.pbn.reader import State
from oddtrick.record.pbn.write import lost as lost_in_pbn
from oddtrick.record.pbn.write import write_pbn


class Notation(NamedTuple):
    """The functions for one notation.

    `read` parses the bytes of a file, in chunks of any size. `write` returns the text of records;
    it is `None` if the notation is read only. `lost` lists what the notation cannot express of a
    deal; it is `None` if nothing is lost.
    """

    read: Callable[[Iterable[bytes], str], Iterable[Deal | Group | Unreadable]]
    write: Callable[[Iterable[Deal | Group]], str] | None = None
    lost: Callable[[Deal], Sequence[str]] | None = None


NOTATIONS = {
    "hand": Notation(hand.read_hand, write_hand),
    "pbn": Notation(pbn.read_pbn, lambda items: "".join(write_pbn(items)), lost_in_pbn),
    "lin": Notation(lin.read_lin),
}
"""Every notation by its name, which is also the suffix of its files."""
WRITTEN = tuple(name for name, notation in NOTATIONS.items() if notation.write)
"""The notations in which records can be written."""
STREAMED = "pbn"
"""The notation whose files can be read a record at a time."""
PIECE = 1 << 20
"""The number of bytes read at a time."""
LARGEST = HELD.most
"""The most bytes held in memory, since a device or a pipe may have no end. A file read a record at
a time has no limit.
"""
RECORD = 1000
"""The approximate size of a record in bytes."""
PEEKED = 1 << 16
"""The number of bytes at the start of a file that are examined to recognise its notation."""
_BEGINNING = re.compile(
    rb"\s*(?:(?P<lin>(?:%[^\r\n]*+\s*+)*+[A-Za-z]{2}\|)"
    rb'|(?P<pbn>%|\[\s*[A-Za-z_]\w*\s*"[^"\n]*"\s*\]))'
)
PACKED = (b"PK\x03\x04", b"\x1f\x8b")
"""The first bytes of ZIP and gzip files."""
_JSON = re.compile(rb'[\s\xef\xbb\xbf]*(\{\s*["}]|\[\s*[\[{"\]])')
"""The beginning of JSON, which neither `.hand` nor a PBN tag can have."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file, or a piece of it that can be read independently: its name, notation and bytes.

    If a file cannot be opened, `failed` holds the error and the file is empty. The bytes of a long
    file are read lazily and can be iterated only once. A piece of a PBN file has, instead of bytes,
    the text of complete games and the state before them. `first` marks the first piece of a file;
    `weight` is the approximate number of its records.
    """

    name: str
    notation: str
    data: Iterable[bytes] = field(default=(), repr=False)
    failed: tuple[Unreadable, ...] = ()
    source: Source | None = field(default=None, repr=False)
    state: State = field(default_factory=State, repr=False)
    first: bool = True
    weight: int = 1

    @property
    def items(self) -> Iterable[Deal | Group | Unreadable]:
        """The deals, groups and unreadable parts of the file, in order."""
        if self.source is not None:
            return pbn.read_piece(self.source, self.state)
        return self.failed or NOTATIONS[self.notation].read(self.data, self.name)

    def pieces(self) -> Iterator[RecordFile]:
        """Yield the pieces of the file, in order, for other cores or machines.

        They hold raw text, since a parsed and pickled record is eight times as long and takes
        longer to unpickle than the text takes to parse. Only PBN is cut. A file without records has
        an empty piece at its end.
        """
        if self.notation != STREAMED or self.failed:
            data = tuple(self.data)
            yield replace(self, data=data, weight=1 + sum(map(len, data)) // RECORD)
            return
        state, first, empty = State(), True, True
        for source, cut in games.sources(self.data, self.name):
            weight = max(len(cut), len(source.text) // RECORD)
            yield RecordFile(self.name, STREAMED, (), (), source, state.copy(), first, weight)
            pbn.follow(cut, source, state)
            first, empty = False, empty and not cut
        if empty:
            yield RecordFile(self.name, STREAMED, (b"",), first=first, weight=0)


def read(
    data: bytes, file: str = "-", notation: str | None = None
) -> Iterable[Deal | Group | Unreadable]:
    """The deals, groups and unreadable parts in the bytes of a file, in order.

    `file` is the name of the file in reports. If `notation` is `None`, it is guessed.
    """
    return _file_of(data, file, notation).items


def write(items: Iterable[Deal | Group], notation: str) -> str:
    """The text of deals and groups in a notation, one of `WRITTEN`."""
    written = NOTATIONS[notation].write
    assert written is not None
    return written(items)


def read_paths(paths: Sequence[str], notation: str | None = None) -> Iterator[RecordFile]:
    """Yield the record files at some paths: files, folders, or `-` for standard input.

    A folder yields its files in every notation, at any depth. If a file cannot be opened, `failed`
    states why. Without paths, standard input is read.
    """
    for path in paths or ["-"]:
        place = Path(path)
        if not path:
            yield _failed(path, "the name given is empty; name a file or a folder")
        elif path == "-":
            yield read_stream(sys.stdin.buffer, "-", notation)
        elif path_exists(path) and place.is_dir():
            files, failed = records_in(path)
            if not files and not failed:
                yield _failed(path, "there is no .hand, .pbn or .lin file in this folder")
            for file in sorted(files):
                yield _read_file(file, notation)
            yield from failed
        else:
            yield _read_file(place, notation)


def records_in(folder: str) -> tuple[list[Path], list[RecordFile]]:
    """The files at any depth with the suffix of a notation, and the folders that cannot be read.

    Hidden entries are ignored, and symbolic links to folders are not followed.
    """
    found, failed, folders = list[Path](), list[RecordFile](), [folder]
    while folders:
        here = folders.pop()
        try:
            with os.scandir(here) as entries:
                seen = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            failed.append(_failed(here, error.strerror or str(error)))
            continue
        folders += [entry.path for entry in seen if entry.is_dir(follow_symlinks=False)]
        paths = [Path(entry.path) for entry in seen]
        found += [path for path in paths if _suffix(path) in NOTATIONS and path.is_file()]
    return found, failed


def _suffix(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def _failed(name: str, why: str) -> RecordFile:
    message = f"{why[0].upper()}{why[1:]}."
    found = Unreadable("notation.cannot-open", message, Source(name))
    return RecordFile(name, "hand", failed=(found,))


def _read_file(path: Path, notation: str | None) -> RecordFile:
    """Read a file, lazily if it is PBN and longer than `AT_ONCE`.

    Unless `notation` is given, a file that begins like PBN or LIN is read as such, whatever its
    suffix.
    """
    name, end = str(path), _suffix(path)
    try:
        if (notation or end) == STREAMED and path.stat().st_size > AT_ONCE.most:
            return RecordFile(name, STREAMED, _opened(path))
        with path.open("rb") as file:
            data = read_all(file)
    except OSError as error:
        return _failed(name, error.strerror or str(error))
    return _file_of(data, name, notation, end)


def _file_of(data: bytes, name: str, notation: str | None, suffix: str = "") -> RecordFile:
    """A file with these bytes; without `notation`, its beginning decides, then its suffix.

    It begins as PBN with a complete tag or `%`, as LIN with `xx|`, even after lines with `%`.
    """
    if data.startswith(PACKED):
        return _failed(name, "this is a packed file, such as a ZIP archive; unpack it first")
    begun = _BEGINNING.match(data[:PEEKED].removeprefix(games.BOM))
    kind = notation or (begun and begun.lastgroup) or (suffix if suffix in NOTATIONS else None)
    if kind in (None, "hand") and not notation and _JSON.match(data[:PEEKED]):
        return _failed(name, "records cannot be read from JSON, only from .hand, PBN and LIN")
    is_broken_pbn = data.lstrip(games.BOM + b" \t\r\n").startswith(b"[")
    return RecordFile(name, kind or ("pbn" if is_broken_pbn else "hand"), [data])


def _opened(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(1 << 16):
            yield block


def read_stream(stream: BinaryIO, name: str, notation: str | None) -> RecordFile:
    """Read a stream such as standard input, lazily if `notation` is PBN."""
    if notation == STREAMED:
        return RecordFile(name, notation, stream)
    try:
        data = read_all(stream)
    except OSError as error:
        return _failed(name, error.strerror or str(error))
    return _file_of(data, name, notation)


def read_all(stream: BinaryIO) -> bytes:
    """Read a file, a pipe or a device to its end.

    Raises `OSError` if it cannot be read or has more than `LARGEST` bytes.
    """
    pieces, size = list[bytes](), 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            message = f"the input has more than {LARGEST:,} bytes; only PBN may be longer"
            raise OSError(errno.EFBIG, f"{message}, in a file or from standard input with --from")
    return b"".join(pieces)


# --- from one notation to another -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Converted:
    """The converted text, or `None` if nothing could be read or written.

    `unreadable` lists what could not be read. `notes` lists what was assumed, changed or lost, in
    words for the user.
    """

    text: str | None
    unreadable: tuple[Unreadable, ...]
    notes: tuple[str, ...]


def converted(items: Iterable[Deal | Group | Unreadable], to: str, name: str) -> Converted:
    """Convert the items of a file to the notation `to`; `name` is the file's name in the notes."""
    everything = list(items)
    unreadable = tuple(i for i in everything if isinstance(i, Unreadable) and not i.harmless)
    readable = [i for i in everything if not isinstance(i, Unreadable)]
    if not readable:
        why = () if unreadable else (f"{name} contains no record.",)
        return Converted(None, unreadable, why)
    deals = list(deals_in(readable))
    if sum(len(words) for r in deals for _, words in r.tags) > TEXTS.most:
        return Converted(None, unreadable, (TEXTS.message(name=name),))
    of_records = [(r.id, a.message) for r in deals for a in assumptions(r)]
    of_records += [
        (r.id, "control characters in its texts were replaced by spaces.")
        for r in deals
        if CONTROL.search(r.source.text, *r.span)
    ]
    notes = list[str]()
    if gone := sum(not u.unclear for u in unreadable):
        what = "1 place was" if gone == 1 else f"{gone} places were"
        notes.append(f"{name}: {what} omitted as unreadable.")
    lost = NOTATIONS[to].lost
    if lost is None:
        of_records += [(r.id, f"kept as a note: {shown(k)}") for r in deals for k, _ in r.unused]
    else:
        of_records += [(r.id, f"PBN cannot express {w}") for r in deals for w in lost(r)]
        groups = [i for i in readable if isinstance(i, Group)]
        if groups:
            notes.append(f"{name}: PBN has no rubbers or matches; only the deals were written.")
        rubbers = (g.deals[1:] for g in groups if g.kind == "rubber")
        of_records += [
            (r.id, "PBN cannot express the games and points won before this deal")
            for deals in rubbers
            for r in deals
            if r.standing_games is None or r.standing_trick is None
        ]
    records: dict[str, dict[str, None]] = {}
    for record, words in of_records:
        records.setdefault(words, {})[record] = None
    for words, (first, *others) in records.items():
        more = f" and {len(others)} more" if others else ""
        notes.append(f"{name}, {first}{more}: {words}")
    return Converted(write(readable, to), unreadable, tuple(notes))
