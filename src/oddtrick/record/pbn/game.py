"""One game of a PBN file as it is held against the standard, and what is found against it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from oddtrick.record.model import Place
from oddtrick.record.pbn.plain import Plain, decode
from oddtrick.record.pbn.sections import Margin
from oddtrick.record.pbn.tags import Tag, read_tags
from oddtrick.record.pbn.values import UNKNOWN


class Game:
    """One game as it is written: its lines, its text, its tags.

    `raw` is the text in bytes, `first` the number of its first line. Of the tags `fresh` are those
    whose values it states itself and does not take over. Of a `plain` game each tag stands as the
    standard has it, states its own value and is made when it is looked at.
    """

    __slots__ = tuple("_tags first fresh lines plain raw".split())

    def __init__(
        self,
        raw: bytes,
        lines: Sequence[bytes],
        first: int,
        tags: Mapping[str, Tag] | None,
        fresh: Collection[str],
        plain: Plain | None = None,
    ) -> None:
        """The tags of a plain game need not be given."""
        self.raw, self.lines, self.first = raw, lines, first
        self.fresh, self.plain, self._tags = fresh, plain, tags

    @property
    def text(self) -> str:
        """Its text."""
        return decode(self.raw)

    @property
    def tags(self) -> Mapping[str, Tag]:
        """Its tags by their names."""
        if self._tags is None:
            self._tags = read_tags(self.plain, self.text, self.first - 1, Margin(""))
        return self._tags

    @property
    def own(self) -> Mapping[str, Tag]:
        """The tags that are its own, or a header's, and not those of the record before."""
        return {name: tag for name, tag in self.tags.items() if tag.line >= self.first}

    def told(self, name: str) -> Tag | None:
        """A tag that says something, or `None`."""
        tag = self.tags.get(name)
        return tag if tag and tag.value not in UNKNOWN else None

    def said(self, name: str) -> str:
        """What a tag says; nothing where it is not there, or nothing is known."""
        if self.plain:
            value = self.plain.said(name) or ""
        else:
            value = self.tags[name].value if name in self.tags else ""
        return "" if value == "?" else value

    def place(self, name: str) -> Place:
        """Where the value of a tag that is there stands in the file."""
        if not self.plain:
            return self.tags[name].place
        at = self.plain.layout.index[name]
        line, column = self.plain.line_of(at), len(name) + 4
        return Place(line, column, line, column + len(self.plain.values[at]))


class Violation(NamedTuple):
    """One thing that breaks the standard: the section of it, the rule, what is said, where."""

    section: str
    rule: str
    message: str
    place: Place
