"""Output to the terminal, for all commands: width, bold and colour, line breaks and progress.

It also makes sure that invisible and control characters are never written to a terminal.
"""

from __future__ import annotations

import os
import re
import sys
import time
from textwrap import fill
from typing import Any, NamedTuple, TextIO

RED, GREEN, YELLOW, CYAN = 31, 32, 33, 36


class Style(NamedTuple):
    """How to write text: its width in columns, and whether to use bold and colour.

    `key` marks our own escape sequences, so that a `Screen` recognises them.
    """

    width: int = 80
    colour: bool = False
    key: str = ""

    def bold(self, words: str, colour: int | None = None) -> str:
        """The text in bold, and in a colour if one is given; unchanged if the style has none."""
        kind = "1" if colour is None else f"1;{colour}"
        return f"\033{self.key}[{kind}m{words}\033{self.key}[0m" if self.colour else words

    def wrap(self, words: str, indent: str = "") -> str:
        """Text broken into lines of this width, each indented; a longer word gets its own line."""
        return fill(
            " ".join(words.split()),
            self.width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )


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
    """The width of a stream: `COLUMNS`, the width of its terminal, or `otherwise`."""
    named = os.environ.get("COLUMNS", "")
    if re.fullmatch("0*[1-9][0-9]{0,3}", named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or otherwise
    except (OSError, ValueError):
        return otherwise


class Progress:
    """A line on standard error that shows progress; only on a terminal."""

    def __init__(self, on: bool = True) -> None:
        self.on, self.shown = on and sys.stderr.isatty(), False
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
        elif self.json:
            units = letter.encode("utf-16-be", "surrogatepass").hex()
            seen = re.sub("....", r"\\u\g<0>", units)
        elif point < 0x100 or 0xDC80 <= point <= 0xDCFF:  # an undecodable byte in a file name
            seen = f"\\x{point & 0xFF:02x}"
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
    """The text as `visible` returns it, but with line feeds and tabs escaped: for file names."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")


def visible_json(text: str) -> str:
    """JSON with invisible characters escaped as in JSON strings; its content is unchanged."""
    return text.translate(_VISIBLE_JSON)


class Screen:
    """A text stream that escapes invisible and control characters, except our own escape sequences.

    These are recognised by an unpredictable `key`. Characters that the stream's encoding lacks are
    escaped too.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.key = os.urandom(3).hex() if stream.isatty() else ""
        if hasattr(stream, "reconfigure"):
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

    A terminal, or a stream that accepts only text, receives it as text. Undecodable bytes of file
    names are written unchanged.
    """
    buffer = None if sys.stdout.isatty() else getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data)
        return
    sys.stdout.flush()
    buffer.write(data.encode("utf-8", "surrogateescape"))


def _underlying(stream: TextIO) -> TextIO:
    """The stream that a `Screen` wraps, or the stream itself."""
    return getattr(stream, "stream", stream)
