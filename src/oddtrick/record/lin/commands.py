"""A LIN file cut into its commands, `xx|value|`, each as soon as it is complete.

No standard is published. Commands stand on one line or on many, and a value may run over lines.
Text between commands, and a command without its closing bar, is given as a command without a name;
reading goes on at the next command that is known. A value is bounded, so that memory is too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from oddtrick.record.model import Place
from oddtrick.record.pbn.read import decode

NAMES = "ah an mb mc md nt pc pg pn qx rh rs st sv vg".split()
"""The commands that are known, in the order of the alphabet."""
PIECE = 1 << 16
MAX_VALUE = 1 << 16
"""The most bytes of a value; a longer one lacks its closing bar."""
SHOWN = 100
"""The most bytes that are kept of text that is no command."""

_COMMAND = re.compile(rb"([A-Za-z]{2})\|([^|]*)\|")
_BEGUN = re.compile(rb"(?:[A-Za-z]{0,2}|[A-Za-z]{2}\|[^|]*)\Z")
_KNOWN = re.compile(rb"(?i)(?<![A-Za-z0-9])(?:" + "|".join(NAMES).encode() + rb")\|")
_SPACE = re.compile(rb"\s*")
_END = re.compile(r"\r\n|\r|\n")


class Command(NamedTuple):
    """A command: its name in small letters, its value, the place of that in the file.

    Text that is no command has the name `""` and is the value itself, or its beginning.
    """

    name: str
    value: str
    place: Place


def lines_of(data: bytes) -> list[str]:
    """The lines of a LIN file as places count them."""
    return [decode(line) for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()]


def commands(source: Iterable[bytes] | BinaryIO) -> Iterator[Command]:
    """The commands of a file in order, whatever pieces it comes in."""
    rest, here, noisy = b"", _Here(), False
    for piece, last in _pieces(source):
        rest += piece
        at = 0
        while at < len(rest):
            if rest[at] <= 32:
                start, at = at, _space_end(rest, at)
                here.pass_over(rest[start:at])
            found = _COMMAND.match(rest, at)
            if found and found.end() - at <= MAX_VALUE:
                here.column += 3
                value = decode(found[2])
                yield Command(found[1].decode("ascii").lower(), value, here.place(value))
                here.column += 1
                noisy, at = False, found.end()
                continue
            if not last and len(rest) - at <= MAX_VALUE and _BEGUN.match(rest, at):
                break
            known = _KNOWN.search(rest, at + 1)
            if not (known or last or noisy) and len(rest) - at < 2 * SHOWN:
                break
            end = known.start() if known else len(rest) if last else max(at + 1, len(rest) - 3)
            noise = rest[at : min(end, at + SHOWN)].rstrip().decode("utf-8", "replace")
            if noise and not noisy:
                yield Command("", noise, here.place(noise, move=False))
                noisy = True
            here.pass_over(rest[at:end])
            at = end
        rest = rest[at:]


def _space_end(text: bytes, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _Here:
    """The line and the column that come next, both from 1."""

    def __init__(self) -> None:
        self.line = self.column = 1

    def pass_over(self, text: bytes) -> None:
        """Go on behind bytes."""
        self.place(decode(text))

    def place(self, text: str, move: bool = True) -> Place:
        """Where a text stands that comes next; go on behind it."""
        ends = list(_END.finditer(text)) if "\n" in text or "\r" in text else []
        line = self.line + len(ends)
        column = len(text) - ends[-1].end() + 1 if ends else self.column + len(text)
        place = Place(self.line, self.column, line, column)
        if move:
            self.line, self.column = line, column
        return place


def _pieces(source: Iterable[bytes] | BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The bytes of a file without its mark at the beginning, and whether they are the last.

    A carriage return at the end of a piece waits for the next: it may be half of an end of line.
    """
    read = getattr(source, "read", None)
    pieces: Iterator[bytes] = iter(lambda: read(PIECE), b"") if read else iter(source)
    carry, first = b"", True
    for piece in pieces:
        carry += piece
        if first and len(carry) < 3:
            continue
        carry, first = carry.removeprefix(b"\xef\xbb\xbf") if first else carry, False
        kept = carry[-1:] if carry.endswith(b"\r") else b""
        yield carry.removesuffix(kept), False
        carry = kept
    yield carry.removeprefix(b"\xef\xbb\xbf") if first else carry, True
