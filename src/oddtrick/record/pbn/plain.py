"""A game as nearly every one is written, taken apart in one step.

Each tag stands by itself on a line, and nothing but calls, cards or the rows of a table stands
between two of them. Whether that is so and what the tags say is found in one search, which cutting
a file, reading it and holding it against the standard share. What follows from the names of the
tags alone is worked out once for all games that have the same (`Layout`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_TAG = re.compile(r'\n\[([A-Za-z_][A-Za-z0-9_]*) "([^"\\\n]*)"\](?=\n)')
_START = re.compile(r"(?:\n%[ \t]*(?:PBN[ \t]+\d|EXPORT\b|Content-type:)[^\n]*)*", re.IGNORECASE)
_LINES = re.compile(r'(?:\n[^\s\[{;%"][^\n\[{;"]*)+')
_PRINTED = bytes((10, *range(32, 127)))
_SIGNS = ("{", ";", "%", "\n ", "\n\n")
_MOST_KEPT = 500


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The names of the tags of a game in their order, and which of them have lines behind them.

    `index` is the place of the first tag of each name; `alike` says that a name stands twice,
    `bare` how many tags stand before the first lines.
    """

    names: tuple[str, ...]
    lined: tuple[bool, ...]
    index: Mapping[str, int]
    alike: bool
    bare: int


@lru_cache(_MOST_KEPT)
def _layout(names: tuple[str, ...], lined: tuple[bool, ...]) -> Layout:
    index = {name: len(names) - 1 - i for i, name in enumerate(reversed(names))}
    bare = lined.index(True) if True in lined else len(lined)
    return Layout(names, lined, index, len(index) < len(names), bare)


class Plain:
    """A plain game: where it begins, its text, its tags with what they say and the lines behind.

    `said` gives what the first tag of a name says, `None` where there is no such tag. `start` are
    the lines before the tags; what stands behind a tag begins with the end of its line.
    `printed` says that it has no characters but those that every machine prints, and no backslash.
    """

    __slots__ = tuple("_words layout line lines printed raw said start text values".split())

    def __init__(
        self, line: int, raw: bytes, text: str, parts: Sequence[str], printed: bool
    ) -> None:
        """Sort what the search found; `line` is the number of the first line of the text."""
        self.line, self.raw, self.text, self.start = line, raw, text, parts[0]
        self.values, self.lines = parts[2::3], parts[3::3]
        names = tuple(parts[1::3])
        self.layout = _layout(names, tuple(map(bool, self.lines)))
        pairs = zip(reversed(names), reversed(self.values), strict=True)
        self.said: Callable[[str], str | None] = dict(pairs).get
        self.printed = printed
        self._words: dict[str, Sequence[str]] = {}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Nothing of it is sent elsewhere: to take the text apart again is quicker."""
        return type(None), ()

    def line_of(self, at: int) -> int:
        """The number of the line of a tag."""
        line = self.line + at + (self.start.count("\n") if self.start else 0)
        return line if at <= self.layout.bare else line + "".join(self.lines[:at]).count("\n")

    def words(self, name: str) -> Sequence[str]:
        """The words of the lines behind a tag, split once for all who ask."""
        if name not in self._words:
            self._words[name] = self.lines[self.layout.index[name]].split()
        return self._words[name]


def plain_game(line: int, raw: bytes) -> Plain | None:
    """The game that a text is that begins on a line of a file; `None` where it is not plain."""
    text = decode(raw)
    framed = f"\n{text}\n"
    parts = _TAG.split(framed)
    found = len(parts) // 3
    if not found or text.count('"') != 2 * found:
        return None
    start, parts[-1] = parts[0], parts[-1][:-1]
    if start and not _START.fullmatch(start):
        return None
    printed = not raw.translate(None, _PRINTED) and "\\" not in text
    # Nearly always no sign is there with which anything but calls, cards or a row might begin.
    odd = not printed or text.count("[") != found or any(map(framed.__contains__, _SIGNS))
    if odd and not all(map(_LINES.fullmatch, filter(None, parts[3::3]))):
        return None
    return Plain(line, raw, text, parts, printed)


def decode(raw: bytes) -> str:
    """The text of a record: UTF-8 where that is valid, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
