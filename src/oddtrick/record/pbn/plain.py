"""A game as nearly every one is written, taken apart in one step.

Each tag stands by itself on a line, and nothing but calls, cards or the rows of a table stands
between two of them. Whether that is so and what the tags say is found in one search, which cutting
a file and reading it share. What follows from the names of the
tags alone is worked out once for all games that have the same (`Layout`); those of which there are
many are found by a mould (`_Moulds`), in a fifth of the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

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
    `bare` how many tags stand before the first lines. `lines` is the place of a tag among those
    that have lines.
    """

    names: tuple[str, ...]
    lined: tuple[bool, ...]
    index: Mapping[str, int]
    alike: bool
    bare: int
    lines: Mapping[int, int]


@lru_cache(_MOST_KEPT)
def _layout(names: tuple[str, ...], lined: tuple[bool, ...]) -> Layout:
    index = {name: len(names) - 1 - i for i, name in enumerate(reversed(names))}
    bare = lined.index(True) if True in lined else len(lined)
    lines = {at: number for number, at in enumerate(i for i, there in enumerate(lined) if there)}
    return Layout(names, lined, index, len(index) < len(names), bare, lines)


class Plain:
    """A plain game: where it begins, its text, its tags with what they say.

    `said` gives what the first tag of a name says, `None` where there is no such tag. `start` are
    the lines before the tags, `behind` those behind each tag that has any, with their ends.
    `tidy` says that no line is long, and no mark of a tag or a comment stands in a value.
    """

    __slots__ = tuple("_words behind layout line raw said start tidy values".split())

    def __init__(
        self,
        line: int,
        raw: bytes,
        layout: Layout,
        values: Sequence[str],
        behind: Sequence[str],
        start: str = "",
        tidy: bool = True,
    ) -> None:
        """`line` is the number of the first line of the text, `raw` the text without its end."""
        self.line, self.raw, self.layout, self.values = line, raw, layout, values
        self.behind, self.start, self.tidy = behind, start, tidy
        named = zip(layout.names, values, strict=True)
        self.said: Callable[[str], str | None] = dict(
            reversed([*named]) if layout.alike else named
        ).get
        self._words: dict[str, Sequence[str]] = {}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Nothing of it is sent elsewhere: to take the text apart again is quicker."""
        return type(None), ()

    @property
    def text(self) -> str:
        """The text of the game."""
        return decode(self.raw)

    def lines(self, at: int) -> str:
        """The lines behind a tag, nothing where there are none."""
        number = self.layout.lines.get(at)
        return "" if number is None else self.behind[number]

    def line_of(self, at: int) -> int:
        """The number of the line of a tag."""
        line = self.line + at + (self.start.count("\n") if self.start else 0)
        if at <= self.layout.bare:
            return line
        return line + sum(self.lines(before).count("\n") for before in range(at))

    def words(self, name: str) -> Sequence[str]:
        """The words of the lines behind a tag, split once for all who ask."""
        if name not in self._words:
            self._words[name] = self.lines(self.layout.index[name]).split()
        return self._words[name]


def plain_game(line: int, raw: bytes) -> Plain | None:
    """The game that a text is that begins on a line of a file; `None` where it is not plain."""
    text = decode(raw) + "\n"
    return MOULDS.game(line, raw, text) or _searched(line, raw, text)


def _searched(line: int, raw: bytes, text: str) -> Plain | None:
    framed = f"\n{text}"
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
    lines = parts[3::3]
    if odd and not all(map(_LINES.fullmatch, filter(None, lines))):
        return None
    layout = _layout(tuple(parts[1::3]), tuple(map(bool, lines)))
    MOULDS.seen(layout)
    behind = [f"{part[1:]}\n" for part in lines if part]
    return Plain(line, raw, layout, tuple(parts[2::3]), behind, start, tidy=False)


def decode(raw: bytes) -> str:
    """The text of a record: UTF-8 where that is valid, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


# --- many games of one layout ---------------------------------------------------------------------

_PLAIN = r" !#-:<-Z\]-z|}~"
"""What every machine prints, but the marks of strings, tags and comments, and no escape."""
_VALUE = rf"([{_PLAIN};]{{0,200}}+)"
_BEHIND = rf"((?:(?![% ])[{_PLAIN}]{{1,250}}+\n)++)"
_NAME = 40
"""Tags, and lines behind them, that are no longer are not long for the standard."""

Taking = Callable[[Sequence[str]], tuple[str, ...]]
"""What takes some values out of all."""
Mould = tuple[Callable[[str], re.Match[str] | None], Layout, Taking, Taking]
"""Whether a text fits, its layout, and what takes the values and the lines out of what fits."""


class _Moulds:
    """Patterns of the layouts that games of late have had, the last that fitted first.

    What they take apart, the search would take apart alike; nothing else depends on them.
    """

    MANY = 50
    """So many games of a layout are seen before a pattern is made for it: that takes as long as to
    search some hundred games.
    """
    KEPT = 8

    def __init__(self) -> None:
        self.moulds: list[Mould] = []
        self.counts: dict[Layout, int] = {}

    def seen(self, layout: Layout) -> None:
        """Count a game that was searched, and make a mould where there are many such."""
        if len(self.counts) >= _MOST_KEPT:
            self.counts = {}
        count = self.counts[layout] = self.counts.get(layout, 0) + 1
        known = any(mould[1] is layout for mould in self.moulds)
        short = all(len(name) < _NAME for name in layout.names)
        if count == self.MANY and short and not known:
            self.moulds = [_mould(layout), *self.moulds][: self.KEPT]

    def game(self, line: int, raw: bytes, text: str) -> Plain | None:
        """The game that a text is, with the end of its last line, where a mould fits."""
        moulds = self.moulds
        for at, (fits, layout, values, behind) in enumerate(moulds):
            if found := fits(text):
                if at:  # what fits often comes to stand first
                    moulds[at - 1], moulds[at] = moulds[at], moulds[at - 1]
                groups = found.groups()
                return Plain(line, raw, layout, values(groups), behind(groups))
        return None


def _mould(layout: Layout) -> Mould:
    parts, values, behind = list[str](), list[int](), list[int]()
    for name, lined in zip(layout.names, layout.lined, strict=True):
        values.append(len(values) + len(behind))
        parts.append(rf'\[{name} "{_VALUE}"\]\n')
        if lined:
            behind.append(len(values) + len(behind))
            parts.append(_BEHIND)
    return re.compile("".join(parts)).fullmatch, layout, _taking(values), _taking(behind)


def _taking(places: Sequence[int]) -> Taking:
    """What takes the groups at some places out of all."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda groups: tuple(groups[at] for at in places)


MOULDS = _Moulds()
