"""A PBN file cut into the lines of its records, one record at a time.

PBN begins a new game after an empty line. Real files leave that line out, or have empty lines inside a game
and inside comments, so the cut also goes by which tags have been seen. Nothing here is unbounded: a line, a
record and a stretch of noise are cut at a limit, and that is said.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from oddtrick.record.pbn.begin import MANDATORY, SECTIONS, Seen, begins, is_section, joins
from oddtrick.record.pbn.lines import MAX_LINE, text_lines

MAX_RECORD = 1 << 18
MAX_PARAGRAPH = 500
MAX_COMMENT = 1000
KNOWN = frozenset((*MANDATORY, *SECTIONS, "Note"))
"""Tags that are known by their names, though the rest may be broken."""

_TAG = re.compile(rb'\s*\[\s*(?:([A-Za-z_][A-Za-z0-9_]*)\s*("|\]|$)?|$)')
_TAGS = re.compile(rb'\[\s*([A-Za-z_][A-Za-z0-9_]*)\s*"')
_WHOLE_TAG = re.compile(rb'\[([A-Z][a-z]+) "[^"]*"\]\s*')
# No string begins at an escaped mark: where none is closed, each would be followed to the end of the line.
_BRACES = re.compile(rb'(?<!\\)"(?:[^"\\]|\\.)*"|;.*|\{[^}]*(\}|$)')


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that the cutting could not use: a rule, a message, the lines from and to."""

    rule: str
    message: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The lines of one record without their ends, the number of the first, and what was wrong with them.

    A chunk without lines carries only its troubles. `joined` is the line of an empty line passed over.
    """

    line: int
    lines: Sequence[bytes]
    troubles: tuple[Trouble, ...] = ()
    joined: int | None = None


# --- cutting --------------------------------------------------------------------------------------


def split(source: Iterable[bytes] | BinaryIO) -> Iterator[Chunk]:
    """The records of a file, each as soon as the next one begins."""
    splitter = _Splitter()
    for batch in text_lines(source):
        for line in batch:
            if line is None:
                splitter.skip()
            elif line or splitter.busy:
                splitter.feed(line)
                if splitter.ready:
                    yield from splitter.ready
                    splitter.ready.clear()
            else:
                splitter.number += 1
    yield from splitter.finish()


class _Splitter:
    """The state between two lines: the record so far, and the paragraph of which the home is not known yet.

    `waiting` are the lines behind the record that may belong to it or to the next: empty ones, comments.
    `settled` says that the rest of this paragraph goes straight to the record, `gap` that it does so because of
    text behind an empty line. While a comment is `open`, its
    lines are held back `inside`, for it may never be closed.
    """

    def __init__(self) -> None:
        self.ready: list[Chunk] = []
        self.troubles: list[Trouble] = []
        self.number = 0
        self.record: list[bytes] = []
        self.record_line = 1
        self.seen = Seen()
        self.size = 0
        self.spaced = True
        self.joined: int | None = None
        self.waiting: list[bytes] = []
        self.waiting_line = 1
        self.paragraph: list[bytes] = []
        self.paragraph_line = 1
        self.names = Seen()
        self.data = False
        self.settled = False
        self.gap = False
        self.open = False
        self.inside: list[bytes] = []
        self.queue: deque[bytes] = deque()
        self.noise: tuple[int, bytes] | None = None

    @property
    def busy(self) -> bool:
        """Whether an empty line would mean something."""
        return bool(self.record or self.paragraph or self.waiting or self.open)

    def skip(self) -> None:
        """Leave out a line that is too long."""
        self.number += 1
        message = f"A line of more than {MAX_LINE:,} bytes was left out."
        self._trouble("notation.pbn-long-line", message, self.number, self.number)
        if self.record or self.paragraph:
            self._keep(b"", self.number)

    def feed(self, line: bytes) -> None:
        """Take one line."""
        self._take(line)
        while self.queue:
            self._take(self.queue.popleft())

    def finish(self) -> list[Chunk]:
        """What is left at the end of the file."""
        while self.inside and self._first_tag(MANDATORY):
            self._close(self._first_tag(MANDATORY))
            while self.queue:
                self._take(self.queue.popleft())
        if self.inside:
            self._keep_all()
        self._end_paragraph()
        if self.record:
            self._add(self.waiting)
        elif self.open:
            message = (
                "A comment is never closed with }, and no record was found behind its beginning."
            )
            self._trouble("notation.pbn-comment", message, self.waiting_line, self.number)
        self._flush()
        if self.noise:
            self._say_noise()
        if self.troubles:
            self.ready.append(Chunk(self.troubles[0].line, (), tuple(self.troubles)))
        return self.ready

    def _take(self, line: bytes) -> None:
        self.number += 1
        if self.open:
            self._comment(line)
            return
        text = line.strip()
        if not text:
            self._end_paragraph()
            if self.record or self.waiting:
                self._wait([line], self.number)
            return
        if text.startswith(b"["):
            self._tag(line)
        elif not text.startswith((b"%", b";", b"{")):
            self._data()
        if b"{" in line and not line.startswith(b"%") and _opens(line, False):
            self.open, self.inside = True, [line]
        else:
            self._keep(line, self.number)

    # --- comments over several lines --------------------------------------------------------------

    def _comment(self, line: bytes) -> None:
        """A line inside a brace comment, or one that shows that the comment was never closed."""
        if not self.inside:
            # Too long to be held back any further.
            self.open = _opens(line, True)
            self._keep(line, self.number)
            return
        before = self.inside[-1].strip()
        self.inside.append(line)
        if not _opens(line, True):
            self.open = False
            self._keep_all()
        elif not before and _whole_tag(line) in MANDATORY:
            self._close(self._first_tag(MANDATORY))
        elif len(self.inside) > MAX_COMMENT:
            tag = self._first_tag(("Event", "Board"))
            if tag:
                self._close(tag)
            else:
                self._keep_all()

    def _first_tag(self, names: Sequence[str]) -> int:
        """The first line of the open comment that is a tag and nothing else, or 0."""
        return next((i for i, line in enumerate(self.inside) if i and _whole_tag(line) in names), 0)

    def _close(self, tag: int) -> None:
        """End the open comment before a line, and read the lines from there on once more."""
        while not self.inside[tag - 1].strip():
            tag -= 1
        first = self.number - len(self.inside) + 1
        again = self.inside[tag:]
        self.inside[tag - 1 :] = [self.inside[tag - 1] + b"}"]
        message = "This comment is never closed with }; it was ended where a tag begins."
        self._trouble("notation.pbn-comment", message, first, first)
        self.number -= len(again)
        self._keep_all()
        self.open = False
        self.queue.extendleft(reversed(again))

    def _keep_all(self) -> None:
        first = self.number - len(self.inside) + 1
        for index, line in enumerate(self.inside):
            self._keep(line, first + index)
        self.inside = []

    # --- paragraphs and records -------------------------------------------------------------------

    def _keep(self, line: bytes, number: int) -> None:
        if self.settled:
            self._add([line])
            return
        if not self.paragraph:
            self.paragraph_line = number
        self.paragraph.append(line)
        if len(self.paragraph) >= MAX_PARAGRAPH:
            named = bool(self.names.names)
            self._end_paragraph()
            self.settled = named

    def _add(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            if self.size >= MAX_RECORD:
                return
            self.record.append(line)
            self.size += len(line) + 1
            if self.size >= MAX_RECORD:
                message = f"A record of more than {MAX_RECORD:,} bytes was cut; the rest of it was left out."
                self._trouble("notation.pbn-long-record", message, self.number, self.number)

    def _wait(self, lines: Sequence[bytes], number: int) -> None:
        if not self.waiting:
            self.waiting_line = number
        self.waiting += lines
        if len(self.waiting) > 4 * MAX_PARAGRAPH:
            # Nothing but comments or empty lines: they belong to no record.
            self._flush()
            if any(line.strip() for line in self.waiting):
                message = "Here is a long stretch of comments without a record; it was left out."
                self._trouble("notation.pbn-not-pbn", message, self.waiting_line, self.number)
            self.waiting = []

    def _tag(self, line: bytes) -> None:
        found = _TAG.match(line)
        name = (found[1] or b"").decode("ascii") if found else ""
        if found is None or (name and found[2] is None and name not in KNOWN):
            self._data()
            return
        seen = self.seen if self.settled else self.names
        if seen.names and (
            begins(name, seen) or (self.gap and name in MANDATORY and name in seen.names)
        ):
            self._end_paragraph()
            self._flush()
        elif (
            self.record
            and not seen.names
            and is_section(name)
            and joins(Seen(name, {name}), self.seen, False)
        ):
            # The rest of the paragraph cannot change where a section belongs.
            self._join()
            self.settled = True
        seen = self.seen if self.settled else self.names
        seen.add([name])
        if line.count(b"[") > 1:
            seen.add(n.decode("ascii") for n in _TAGS.findall(line)[1:])

    def _data(self) -> None:
        """A line that is neither tag nor comment: behind an empty line it goes on with the record's section."""
        self.data = True
        if self.record and not self.names.names and not self.settled:
            self._join()
            self.settled = self.gap = True

    def _end_paragraph(self) -> None:
        """Find a home for the paragraph: this record, the next one, or none."""
        self.gap = False
        if self.settled:
            self.settled = self.spaced = False
        elif self.names.names:
            if not (self.record and joins(self.names, self.seen, self.spaced)):
                self._flush()
            self._join()
        elif self.data:
            self.noise = self.noise or (self.paragraph_line, self.paragraph[0])
            self.waiting = []
        elif self.paragraph:
            self._wait(self.paragraph, self.paragraph_line)
        self.paragraph, self.names, self.data = [], Seen(), False

    def _join(self) -> None:
        """Put what is waiting and the paragraph to the record, which they begin where there is none."""
        if self.record:
            self.joined = self.joined or (self.waiting_line if self.waiting else None)
            self.spaced = self.spaced and len(self.names.names) <= 1
        else:
            self.record_line = self.waiting_line if self.waiting else self.paragraph_line
            self.spaced = len(self.names.names) == 1
            if self.noise:
                self._say_noise()
        self._add(self.waiting)
        self._add(self.paragraph)
        self.seen.add([self.names.first] if self.names.names else ())
        self.seen.add(self.names.names)
        self.waiting, self.paragraph, self.names = [], [], Seen()

    def _flush(self) -> None:
        """The record so far is over."""
        if self.record:
            self.ready.append(
                Chunk(self.record_line, self.record, tuple(self.troubles), self.joined)
            )
            self.record, self.seen, self.size, self.joined, self.troubles = [], Seen(), 0, None, []
            while self.waiting and not self.waiting[0].strip():
                del self.waiting[0]
                self.waiting_line += 1

    def _say_noise(self) -> None:
        assert self.noise is not None
        line, text = self.noise
        last = max(line, (self.paragraph_line if self.paragraph else self.number + 1) - 1)
        shown = "".join(chr(b) if 32 <= b < 127 else "·" for b in text[:40])
        message = f'This is no PBN: “{shown}”. A record begins with a tag such as [Event "..."].'
        self._trouble("notation.pbn-not-pbn", message, line, last)
        self.noise = None

    def _trouble(self, rule: str, message: str, line: int, end_line: int) -> None:
        last = self.troubles[-1] if self.troubles else None
        if last and last.rule == rule and len(self.troubles) > 9:
            self.troubles[-1] = Trouble(rule, last.message, last.line, end_line)
        else:
            self.troubles.append(Trouble(rule, message, line, end_line))


def _whole_tag(line: bytes) -> str:
    """The name of the tag that a line is, and nothing else; empty where it is not."""
    found = _WHOLE_TAG.fullmatch(line)
    return found[1].decode("ascii") if found else ""


def _opens(line: bytes, inside: bool) -> bool:
    """Whether a brace comment is open at the end of a line that begins inside one, or does not."""
    if inside:
        end = line.find(b"}")
        if end < 0:
            return True
        line = line[end + 1 :]
    return any(m[0].startswith(b"{") and m[1] == b"" for m in _BRACES.finditer(line))
