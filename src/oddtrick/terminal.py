"""The terminal: how wide text is written, whether in bold and colour, how it is broken, how
progress is told.

Decided here alone, for every command. `oddtrick law` reads this at every start, so it imports next
to nothing.
"""

from __future__ import annotations

import os
import sys
import time

from oddtrick.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO
RED, GREEN, YELLOW, CYAN = 31, 32, 33, 36


class Style(NamedTuple):
    """How to write text: its width in columns, and whether with bold and colour."""

    width: int = 80
    colour: bool = False

    def bold(self, words: str) -> str:
        """Words that stand out."""
        return f"\033[1m{words}\033[0m" if self.colour else words

    def painted(self, words: str, colour: int) -> str:
        """Words that stand out in one of the colours."""
        return f"\033[1;{colour}m{words}\033[0m" if self.colour else words

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


LEAST = 40
"""A terminal that is narrower is written on as if it were so wide."""


def style(most: int = 120, piped: int = 100) -> Style:
    """The style of standard output: as wide as the terminal up to `most`, `piped` columns in a
    pipe.

    Bold and colour on a terminal alone, and not where NO_COLOR is set.
    """
    if not sys.stdout.isatty():
        return Style(piped)
    width = max(LEAST, min(most, columns(sys.stdout, piped)))
    return Style(width, not os.environ.get("NO_COLOR"))


def columns(stream: TextIO, otherwise: int = 80) -> int:
    """How many columns a stream's terminal has: COLUMNS, or as it says itself; `otherwise` where it
    does not.
    """
    said = os.environ.get("COLUMNS", "")
    if said.isdigit() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(stream.fileno()).columns or otherwise
    except (OSError, ValueError):
        return otherwise


class Progress:
    """A line on the terminal while long work runs, on standard error. Not in a pipe."""

    def __init__(self, on: bool | None = None) -> None:
        """`on` says whether there is a terminal for it; asked of standard error where it is not
        given.
        """
        self.on, self.shown = sys.stderr.isatty() if on is None else on, False
        self.last = time.monotonic()

    def step(self, words: str, now: bool = False) -> None:
        """Say how far it is, a few times a second, or `now`."""
        if self.on and (now or time.monotonic() - self.last > 0.2):
            sys.stderr.write(f"\r\033[K{words[: columns(sys.stderr) - 1]}")
            sys.stderr.flush()
            self.last, self.shown = time.monotonic(), True

    def clear(self) -> None:
        """Leave the line empty for what is written next."""
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.shown = False
