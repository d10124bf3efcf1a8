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
from oddtrick.record.pbn.games import BOM, blocks, decoded

NAMES = "ah an mb mc md nt pc pg pn qx rh rs st sv vg".split()
"""The commands that are known, in the order of the alphabet."""
TEXTS = frozenset("ah an nt pn rh rs st vg".split())
"""Those whose values are free text."""
MAX_VALUE = 1 << 16
"""The most bytes of a value; a longer one lacks its closing bar."""
SHOWN = 100
"""The most characters that are kept of text that is no command."""

_ANY = "|".join(NAMES).encode()
_COMMAND = re.compile(rb"([A-Za-z]{2})\|([^|]*)\|")
_BEGUN = re.compile(rb"(?:[A-Za-z]{0,2}|[A-Za-z]{2}\|[^|]*)\Z")
_KNOWN = re.compile(rb"(?i)(?<![A-Za-z0-9])(?:" + _ANY + rb")\|")
_NEXT = re.compile(rb"(?i)\s(?:" + _ANY + rb")\Z")
_NEXT_LINE = re.compile(rb"(?i)[\r\n](?:" + _ANY + rb")\Z")
_PLAYERS = re.compile(rb"\n(?=pn\|[^|\r\n]{0,1000}\|)")
_SPACE = re.compile(rb"\s*")
_END = re.compile(r"\r\n|\r|\n")


class Command(NamedTuple):
    """A command: its name in small letters, its value, the place of that in the file.

    Text that is no command has the name `""` and is the value itself, or its beginning.
    """

    name: str
    value: str
    place: Place

    def part(self, start: int, end: int | None = None) -> Command:
        """The part of its value between two characters, with its place."""
        end = len(self.value) if end is None else end
        first, last = self._at(start), self._at(end)
        return Command(self.name, self.value[start:end], Place(*first, *last))

    def _at(self, index: int) -> tuple[int, int]:
        """The line and the column of a character of the value."""
        line, column, before = self.place.line, self.place.column, self.value[:index]
        if "\n" not in before and "\r" not in before:
            return line, column + index
        rows = _END.split(before)
        return line + len(rows) - 1, len(rows[-1]) + 1


def lines_of(data: bytes) -> list[str]:
    """The lines of a LIN file as places count them."""
    plain = b"".join(blocks([data])).removeprefix(BOM)
    return [decoded(line) for line in plain.splitlines()]


class Scanner:
    """Cuts the pieces of a file into commands; what is not complete waits for the next piece."""

    def __init__(self, line: int = 1) -> None:
        """Begin at a line of a file."""
        self.rest, self.here, self.noisy = b"", _Here(line), False

    @property
    def fresh(self) -> bool:
        """Whether nothing waits, and the next piece begins a line."""
        return not self.rest and not self.noisy and self.here.column == 1

    def take(self, piece: bytes, last: bool) -> Iterator[Command]:
        """The commands that are complete with the next piece; `last` says that no other comes."""
        self.rest, here = self.rest + piece, self.here
        rest, at = self.rest, 0
        while at < len(rest):
            if rest[at] <= 32:
                start, at = at, _space_end(rest, at)
                here.pass_over(rest[start:at])
            found = _COMMAND.match(rest, at)
            behind = _unclosed(found) if found else None
            if behind is not None:
                yield Command("", *here.noise(rest[at:behind]))
                here.pass_over(rest[at:behind])
                at = behind
                continue
            if found and found.end() - at <= MAX_VALUE:
                here.column += 3
                value = decoded(found[2])
                yield Command(found[1].decode("ascii").lower(), value, here.place(value))
                here.column += 1
                self.noisy, at = False, found.end()
                continue
            if not last and len(rest) - at <= MAX_VALUE and _BEGUN.match(rest, at):
                break
            known = _KNOWN.search(rest, at + 1)
            if not (known or last or self.noisy) and len(rest) - at < 2 * SHOWN:
                break
            end = known.start() if known else len(rest) if last else max(at + 1, len(rest) - 3)
            if rest[at:end].strip() and not self.noisy:
                yield Command("", *here.noise(rest[at:end]))
                self.noisy = True
            here.pass_over(rest[at:end])
            at = end
        self.rest = rest[at:]


def parts_of(source: Iterable[bytes] | BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """A file cut before the lines that begin with players, and whether a part is the last."""
    carry = b""
    for piece, last in _pieces(source):
        *whole, carry = _PLAYERS.split(carry + piece)
        for part in whole:
            yield part + b"\n", False
        if last or len(carry) > MAX_VALUE:
            yield carry, last
            carry = b""


def _unclosed(found: re.Match[bytes]) -> int | None:
    """Where the next command begins that ends a value, so that its own closing bar is missing."""
    text = found[1].lower().decode("ascii") in TEXTS
    known = (_NEXT_LINE if text else _NEXT).search(found[2])
    return found.start(2) + known.start() + 1 if known else None


def _space_end(text: bytes, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _Here:
    """The line and the column that come next, the column from 1."""

    def __init__(self, line: int) -> None:
        self.line, self.column = line, 1

    def pass_over(self, text: bytes) -> None:
        """Go on behind bytes."""
        self.place(decoded(text))

    def noise(self, text: bytes) -> tuple[str, Place]:
        """The beginning of a text that comes next and is no command, and its place."""
        shown = decoded(text)[:SHOWN].rstrip()
        return shown, self.place(shown, move=False)

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
    carry, first = b"", True
    for piece in blocks(source):
        carry += piece
        if first and len(carry) < len(BOM):
            continue
        carry, first = carry.removeprefix(BOM) if first else carry, False
        kept = carry[-1:] if carry.endswith(b"\r") else b""
        yield carry.removesuffix(kept), False
        carry = kept
    yield carry.removeprefix(BOM) if first else carry, True
