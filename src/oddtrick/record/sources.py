"""Files, folders and standard input as records: which notation, which lines, one record at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from oddtrick.judge.finding import Finding, Severity
from oddtrick.record.model import Group, Record

SUFFIXES = (".hand", ".pbn")
LINES_KEPT = 20_000_000
"""Files up to this many bytes are kept so that a finding can show its line."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file: its name, its notation, its records one at a time, its lines for showing places."""

    name: str
    notation: str
    items: Iterable[Record | Group | Finding]
    lines: Sequence[str] = field(default=(), repr=False)


def read_paths(paths: Sequence[str], notation: str | None = None) -> Iterator[Source]:
    """The sources that paths name: files, folders (all `.hand` and `.pbn` files below, in order), `-`.

    A file that cannot be opened is a source with one finding that says why.
    """
    for path in paths or ["-"]:
        if path == "-":
            yield read_stream(sys.stdin.buffer, "-", notation)
            continue
        place = Path(path)
        if place.is_dir():
            files = sorted(
                p for p in place.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()
            )
            if not files:
                yield _failed(path, "there is no .hand or .pbn file in this folder")
            for file in files:
                yield _read_file(file, notation)
        else:
            yield _read_file(place, notation)


def _failed(name: str, why: str) -> Source:
    return Source(
        name,
        "hand",
        [
            Finding(
                "notation.cannot-open", Severity.UNREADABLE, f"{why[0].upper()}{why[1:]}.", (), name
            )
        ],
    )


def _read_file(path: Path, notation: str | None) -> Source:
    try:
        size = path.stat().st_size
        kind = notation or ("pbn" if path.suffix.lower() == ".pbn" else "hand")
        if kind == "pbn":
            return Source(
                str(path),
                "pbn",
                _pbn_file(path),
                _lines(path.read_bytes()) if size <= LINES_KEPT else (),
            )
        data = path.read_bytes()
    except OSError as error:
        return _failed(str(path), error.strerror or str(error))
    return _hand(data, str(path))


def _lines(data: bytes) -> Sequence[str]:
    """The lines of a PBN file as its findings count them."""
    from oddtrick.record.pbn.lines import text_lines
    from oddtrick.record.pbn.read import decode

    return [decode(line or b"") for batch in text_lines([data]) for line in batch]


def _pbn_file(path: Path) -> Iterator[Record | Finding]:
    from oddtrick.record.pbn.read import read_pbn

    with path.open("rb") as file:
        yield from read_pbn(file, str(path))


def _hand(data: bytes, name: str) -> Source:
    from oddtrick.record.hand.read import lines_of

    return Source(
        name,
        "hand",
        _hand_items(data, name),
        lines_of(data[:LINES_KEPT].decode("utf-8-sig", "replace")),
    )


def _hand_items(data: bytes, name: str) -> Iterator[Record | Group | Finding]:
    """What a `.hand` file has in it, in the order of the file; all that is found in a damaged deal stands where it begins."""
    from oddtrick.record.hand.read import read_bytes

    document = read_bytes(data, name)
    yield from sorted((*document.findings, *document.items), key=_line)


def _line(item: Record | Group | Finding) -> int:
    return item.about.place.line if isinstance(item, Finding) and item.about else item.place.line


def read_stream(stream: BinaryIO, name: str, notation: str | None) -> Source:
    """Standard input: PBN where it looks like it (a tag, a `%` line), our own notation otherwise."""
    if notation == "pbn":
        from oddtrick.record.pbn.read import read_pbn

        return Source(name, "pbn", read_pbn(stream, name))
    data = stream.read()
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if notation is None and start in (b"[", b"%"):
        from oddtrick.record.pbn.read import read_pbn

        return Source(name, "pbn", read_pbn([data], name), _lines(data))
    return _hand(data, name)
