"""The lines of a PBN file, whatever ends them and however the file is cut into pieces."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import BinaryIO

PIECE = 1 << 16
MAX_LINE = 1 << 16
"""Longer lines are no PBN: the standard allows 255 characters."""

BOM = b"\xef\xbb\xbf"


def text_lines(source: Iterable[bytes] | BinaryIO) -> Iterator[list[bytes | None]]:
    """The lines without their ends (LF, CRLF or CR), many at a time; `None` for one too long to be kept."""
    carry, long = b"", False
    for piece in _pieces(source):
        lines = (carry + piece).splitlines(keepends=True)
        # A CR at the end of a piece may be half of a CRLF.
        carry = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        if lines:
            batch = [_line(line) for line in lines]
            batch[0] = None if long else batch[0]
            long = False
            yield batch
        if len(carry) > MAX_LINE:
            carry, long = b"", True
    if carry or long:
        yield [None if long else _line(carry)]


def _line(line: bytes) -> bytes | None:
    line = line.rstrip(b"\r\n")
    if len(line) > MAX_LINE:
        return None
    return line[len(BOM) :] if line.startswith(BOM) else line


def _pieces(source: Iterable[bytes] | BinaryIO) -> Iterator[bytes]:
    read = getattr(source, "read", None)
    pieces: Iterator[bytes] = iter(lambda: read(PIECE), b"") if read else iter(source)
    first = next(pieces, b"")
    if first[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for piece in pieces:
            yield decoder.decode(piece).encode("utf-8", "replace")
    else:
        yield first
        yield from pieces
