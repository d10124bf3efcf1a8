"""The terminal: how wide text is written, whether in bold and colour, how it is broken, how
progress is told, and that nothing is written which cannot be seen.

Decided here for every command.
"""

from __future__ import annotations

import os
import re
import sys
import time
from typing import Any, NamedTuple, TextIO

RED, GREEN, YELLOW, CYAN = 31, 32, 33, 36


class Style(NamedTuple):
    """How to write text: its width in columns, and whether with bold and colour.

    `key` is what a `Screen` knows our own escapes by.
    """

    width: int = 80
    colour: bool = False
    key: str = ""

    def bold(self, words: str) -> str:
        """Text in bold."""
        return self._escaped("1", words) if self.colour else words

    def painted(self, words: str, colour: int) -> str:
        """Text in bold and one of the colours."""
        return self._escaped(f"1;{colour}", words) if self.colour else words

    def _escaped(self, kind: str, words: str) -> str:
        return f"\033{self.key}[{kind}m{words}\033{self.key}[0m"

    def wrap(self, words: str, indent: str = "") -> str:
        """Text in lines of this width, each indented; a longer word has a line of its own."""
        lines, line = [], indent
        for word in words.split():
            if len(line) + len(word) > self.width and line.strip():
                lines.append(line.rstrip())
                line = indent
            line += word + " "
        lines.append(line.rstrip())
        return "\n".join(lines)


LEAST = 40  # a terminal that is narrower is written on as if it were so wide


def style(most: int = 120, piped: int = 100) -> Style:
    """The style of standard output: as wide as the terminal up to `most`, `piped` columns in a
    pipe.

    Bold and colour only on a terminal, and not if NO_COLOR is set.
    """
    if not sys.stdout.isatty():
        return Style(piped)
    width = max(LEAST, min(most, columns(sys.stdout, piped)))
    return Style(width, not os.environ.get("NO_COLOR"), getattr(sys.stdout, "key", ""))


def columns(stream: TextIO, otherwise: int = 80) -> int:
    """The columns of a stream's terminal: `COLUMNS`, or what it says, or `otherwise`."""
    named = os.environ.get("COLUMNS", "")
    if re.fullmatch("0*[1-9][0-9]{0,3}", named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or otherwise
    except (OSError, ValueError):
        return otherwise


class Progress:
    """A line on the terminal while long work runs, on standard error. Not in a pipe."""

    def __init__(self, on: bool | None = None) -> None:
        """`on`: whether there is a terminal for it; asked of standard error by default."""
        self.on, self.shown = sys.stderr.isatty() if on is None else on, False
        self.last = time.monotonic()

    def step(self, words: str, now: bool = False) -> None:
        """Show the progress, a few times a second, or `now`."""
        if self.on and (now or time.monotonic() - self.last > 0.2):
            _underlying(sys.stderr).write(f"\r\033[K{in_a_line(words)[: columns(sys.stderr) - 1]}")
            sys.stderr.flush()
            self.last, self.shown = time.monotonic(), True

    def clear(self) -> None:
        """Leave the line empty for what is written next."""
        if self.shown:
            _underlying(sys.stderr).write("\r\033[K")
            sys.stderr.flush()
            self.shown = False


# --- nothing unseen -----------------------------------------------------------------------------

UNSEEN = (
    *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
)
"""Characters that are invisible although `str.isprintable` accepts them."""


class _Visible(dict[int, str]):
    """For `str.translate`: each character as it is shown, worked out when it first comes.

    As the strings of JSON have it, if `json`: a character is still what it was.
    """

    def __init__(self, json: bool) -> None:
        super().__init__()
        self.json = json

    def __missing__(self, point: int) -> str:
        """A visible character, a tab and a line's end as they are; others by number."""
        letter = chr(point)
        if letter in "\t\n" or (letter.isprintable() and point not in UNSEEN):
            seen = letter
        elif self.json and point > 0xFFFF:
            high, low = divmod(point - 0x10000, 0x400)
            seen = f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
        elif self.json:
            seen = f"\\u{point:04x}"
        elif point < 0x100:
            seen = f"\\x{point:02x}"
        elif 0xDC80 <= point <= 0xDCFF:  # as Python reads the names of files
            seen = f"\\x{point - 0xDC00:02x}"
        else:
            seen = f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
        self[point] = seen
        return seen


_VISIBLE, _VISIBLE_JSON = _Visible(json=False), _Visible(json=True)


def visible(text: str) -> str:
    """Text in which every character can be seen: what moves the cursor, turns the line round or
    leaves nothing to see is written by its number, `\\x1b` or `\\u202e`.
    """
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def in_a_line(words: str) -> str:
    """The same for the name of a file and the like, which cannot end a line either."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")


def visible_json(text: str) -> str:
    """JSON with the same characters escaped, and so with the same content."""
    return text.translate(_VISIBLE_JSON)


class Screen:
    """A text stream on which nothing is written that cannot be seen, but for our own escapes.

    Those are known by a `key` that nobody can guess. What the stream's encoding has not is written
    by its number.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.key = os.urandom(3).hex() if stream.isatty() else ""
        if not _in_utf_8(stream) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text as `visible`."""
        if not self.key:
            return self.stream.write(visible(text))
        first, *escapes = text.split(f"\033{self.key}")
        parts = [visible(first)]
        for escape in escapes:
            kind, _, words = escape.partition("m")
            parts += [f"\033{kind}m", visible(words)]
        return self.stream.write("".join(parts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def guard() -> None:
    """Have standard output and error write nothing that cannot be seen, open closed streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8")
        if mode == "w" and not isinstance(stream, Screen):
            stream = Screen(stream)
        setattr(sys, name, stream)


def write_data(data: str) -> None:
    """Write what a program reads (records, CSV) to standard output: as it is, in UTF-8; as text
    where that is a terminal.

    Bytes that were no text in the name of a file are given back as they were.
    """
    stream = sys.stdout if sys.stdout.isatty() else _underlying(sys.stdout)
    if _in_utf_8(stream):
        try:
            stream.write(data)
            return
        except UnicodeEncodeError:
            pass
    stream.flush()
    stream.buffer.write(data.encode("utf-8", "surrogateescape"))


def _in_utf_8(stream: TextIO) -> bool:
    return (stream.encoding or "utf-8").lower().replace("-", "") == "utf8"


def _underlying(stream: TextIO) -> TextIO:
    """The stream below a `Screen`."""
    return getattr(stream, "stream", stream)
