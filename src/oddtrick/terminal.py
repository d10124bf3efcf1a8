"""Output to the terminal, for all commands: width, bold and colour, line breaks and progress.

It also makes sure that invisible and control characters are never written to a terminal.
"""

from __future__ import annotations

import os
import re
import sys
import time
from typing import Any, NamedTuple, TextIO

RED, GREEN, YELLOW, CYAN = 31, 32, 33, 36


class Style(NamedTuple):
    """How to write text: its width in columns, and whether to use bold and colour.

    `key` marks our own escape sequences, so that a `Screen` recognises them.
    """

    width: int = 80
    colour: bool = False
    key: str = ""

    def bold(self, words: str) -> str:
        """The text in bold, if the style has colour."""
        return self._escaped("1", words) if self.colour else words

    def painted(self, words: str, colour: int) -> str:
        """The text in bold and a colour, if the style has colour."""
        return self._escaped(f"1;{colour}", words) if self.colour else words

    def _escaped(self, kind: str, words: str) -> str:
        return f"\033{self.key}[{kind}m{words}\033{self.key}[0m"

    def wrap(self, words: str, indent: str = "") -> str:
        """Text broken into lines of this width, each indented; a longer word gets its own line."""
        lines, line = [], indent
        for word in words.split():
            if len(line) + len(word) > self.width and line.strip():
                lines.append(line.rstrip())
                line = indent
            line += word + " "
        lines.append(line.rstrip())
        return "\n".join(lines)


LEAST = 40  # the least width used, even on a narrower terminal


def style(most: int = 120, piped: int = 100) -> Style:
    """The style of standard output.

    It is as wide as the terminal, up to `most`, or `piped` columns if there is no terminal. Bold
    and colour are used only on a terminal, and not if NO_COLOR is set.
    """
    if not sys.stdout.isatty():
        return Style(piped)
    width = max(LEAST, min(most, columns(sys.stdout, piped)))
    return Style(width, not os.environ.get("NO_COLOR"), getattr(sys.stdout, "key", ""))


def columns(stream: TextIO, otherwise: int = 80) -> int:
    """The width of a stream: `COLUMNS`, or that of its terminal, or `otherwise`."""
    named = os.environ.get("COLUMNS", "")
    if re.fullmatch("0*[1-9][0-9]{0,3}", named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or otherwise
    except (OSError, ValueError):
        return otherwise


class Progress:
    """A line on standard error that shows progress; only on a terminal."""

    def __init__(self, on: bool | None = None) -> None:
        """`on` says whether to show it; by default, whether standard error is a terminal."""
        self.on, self.shown = sys.stderr.isatty() if on is None else on, False
        self.last = time.monotonic()

    def step(self, words: str, now: bool = False) -> None:
        """Show the progress, at most five times a second unless `now`."""
        if self.on and (now or time.monotonic() - self.last > 0.2):
            _underlying(sys.stderr).write(f"\r\033[K{in_a_line(words)[: columns(sys.stderr) - 1]}")
            sys.stderr.flush()
            self.last, self.shown = time.monotonic(), True

    def clear(self) -> None:
        """Erase the line, so that other output can follow."""
        if self.shown:
            _underlying(sys.stderr).write("\r\033[K")
            sys.stderr.flush()
            self.shown = False


# --- invisible characters -----------------------------------------------------------------------

UNSEEN = (
    *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
)
"""Characters that are invisible although `str.isprintable` accepts them."""


class _Visible(dict[int, str]):
    """A table for `str.translate` that makes every character visible, filled on demand.

    If `json`, characters are escaped as in JSON strings, which preserves their meaning.
    """

    def __init__(self, json: bool) -> None:
        super().__init__()
        self.json = json

    def __missing__(self, point: int) -> str:
        """The text for a character: visible ones, tabs and line feeds unchanged, others escaped."""
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
        elif 0xDC80 <= point <= 0xDCFF:  # an undecodable byte in a file name
            seen = f"\\x{point - 0xDC00:02x}"
        else:
            seen = f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
        self[point] = seen
        return seen


_VISIBLE, _VISIBLE_JSON = _Visible(json=False), _Visible(json=True)


def visible(text: str) -> str:
    """Text with every control, direction or invisible character escaped: `\\x1b`, `\\u202e`.

    CRLF becomes LF; tabs and line feeds are unchanged.
    """
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def in_a_line(words: str) -> str:
    """The same on one line, for file names and the like: line feeds and tabs are escaped too."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")


def visible_json(text: str) -> str:
    """JSON with the same characters escaped as in JSON strings, so that its content is the same."""
    return text.translate(_VISIBLE_JSON)


class Screen:
    """A text stream that escapes invisible and control characters, except our own escape sequences.

    These are recognised by an unpredictable `key`. Characters that the stream's encoding lacks are
    escaped too.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.key = os.urandom(3).hex() if stream.isatty() else ""
        if not _in_utf_8(stream) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text with invisible and control characters escaped."""
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
    """Wrap standard output and standard error in a `Screen`; replace closed streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8")
        if mode == "w" and not isinstance(stream, Screen):
            stream = Screen(stream)
        setattr(sys, name, stream)


def write_data(data: str) -> None:
    """Write data for programs (records, CSV) to standard output, unchanged and in UTF-8.

    On a terminal it is written as text. Undecodable bytes of file names are written as they were.
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
    """The stream that a `Screen` wraps, or the stream itself."""
    return getattr(stream, "stream", stream)
