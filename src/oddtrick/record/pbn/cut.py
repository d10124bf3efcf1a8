"""A PBN file cut into the lines of its records, one record at a time.

PBN begins a new game after an empty line. Real files leave that line out, or have empty lines
inside a game and inside comments, so the cut also goes by which tags have been seen: does a tag
begin another record though no empty line stands before it, and does it go on with the record before
an empty line? Nothing here is unbounded: a line, a record and a stretch of noise are cut at a
limit, and that is said.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import BinaryIO, NamedTuple, cast, overload

from oddtrick.record.model import Place, Unreadable
from oddtrick.record.pbn.plain import Layout, Plain, plain_game

MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract"
    " Result"
).split()
"""The fifteen tags of every exported record, in their order."""
IDENTITY = frozenset(MANDATORY[: MANDATORY.index("Scoring")])
SECTIONS = frozenset(("Auction", "Play"))
KNOWN = frozenset((*MANDATORY, *SECTIONS, "Note"))
"""Tags that are known by their names, though the rest may be broken."""

PIECE = 1 << 16
BATCH = 32
"""So many records at most are cut before they are read."""
MAX_LINE = 1 << 16
"""Longer lines are no PBN."""
MAX_RECORD = 1 << 18
MAX_PARAGRAPH = 500
MAX_COMMENT = 1000
MAX_NAMES = 1000
BOM = b"\xef\xbb\xbf"

_TAG = re.compile(rb'\s*\[\s*(?:([A-Za-z_][A-Za-z0-9_]*)\s*("|\]|$)?|$)')
_TAGS = re.compile(rb'\[\s*([A-Za-z_][A-Za-z0-9_]*)\s*"')
_WHOLE_TAG = re.compile(rb'\[([A-Z][a-z]+) "[^"]*"\]\s*')
# No string begins at an escaped mark: where none is closed, each would be followed to the end.
_BRACES = re.compile(rb'(?<!\\)"(?:[^"\\]|\\.)*"|;.*|\{[^}]*(\}|$)')


@dataclass(frozen=True, slots=True)
class Chunk:
    """The lines of one record without their ends, the number of the first, what of them was lost.

    A chunk without lines only says what was lost. `joined` is the line of an empty line passed
    over, `plain` the game that the lines are, where that was found while they were cut.
    """

    line: int
    lines: Sequence[bytes]
    unreadable: tuple[Unreadable, ...] = ()
    joined: int | None = None
    plain: Plain | None = field(default=None, compare=False, repr=False)

    @property
    def raw(self) -> bytes:
        """Its text, without the end of the last line."""
        return self.lines.raw if isinstance(self.lines, Lines) else b"\n".join(self.lines)


class Lines(Sequence[bytes]):
    """The lines of a text without their ends, of which none is long: split for who looks at one."""

    __slots__ = ("raw",)

    def __init__(self, raw: bytes) -> None:
        """`raw` is the text without the end of its last line."""
        self.raw = raw

    def __len__(self) -> int:
        return self.raw.count(b"\n") + 1

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        return self.raw.split(b"\n")[at]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.raw.split(b"\n"))


# --- lines, whatever ends them and however the file is cut into pieces ----------------------------


def text_lines(source: Iterable[bytes] | BinaryIO) -> Iterator[list[bytes | None]]:
    """The lines without their ends (LF, CRLF or CR), many at a time; `None` for one too long."""
    for text in _texts(source):
        yield text if isinstance(text, list) else text.lines()


class _Text(NamedTuple):
    """Whole lines that end with LF, or did with CRLF."""

    raw: bytes

    def lines(self) -> list[bytes | None]:
        """The lines without their ends."""
        lines = self.raw.split(b"\n")
        lines.pop()
        return [line if len(line) <= MAX_LINE else None for line in lines]


def _texts(source: Iterable[bytes] | BinaryIO) -> Iterator[_Text | list[bytes | None]]:
    """The lines of a source, many at a time: nearly always they all end alike."""
    carry, long = b"", False
    for piece in pieces_of(source):
        text = carry + piece
        end = text.rfind(b"\n") + 1
        if not long and (alike := _alike(text[:end])):
            carry = text[end:]
            yield alike
        else:
            lines, carry = _whole_lines(text)
            if lines:
                lines[0] = None if long else lines[0]
                long = False
                yield lines
        if len(carry) > MAX_LINE:
            carry, long = b"", True
    if carry or long:
        yield [None if long else _line(carry)]


def _alike(text: bytes) -> _Text | None:
    """Whole lines that all end in the same way, with LF for it; `None` of others, or of none."""
    text = text.removeprefix(BOM)
    if not text or BOM in text:
        return None
    if not (ends := text.count(b"\r")):
        return _Text(text)
    if ends == text.count(b"\r\n") == text.count(b"\n"):
        return _Text(text.replace(b"\r\n", b"\n"))
    return None


def _whole_lines(text: bytes) -> tuple[list[bytes | None], bytes]:
    """The lines of a text without their ends, and what stands behind the last of these."""
    lines = text.splitlines(keepends=True)
    # A CR at the end of a piece may be half of a CRLF.
    carry = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
    bare = text[: len(text) - len(carry)].splitlines()
    return [_line(line) for line in bare], carry


def _line(line: bytes) -> bytes | None:
    """A line without its end or a byte order mark; `None` where it is too long to be of PBN."""
    line = line.rstrip(b"\r\n").removeprefix(BOM)
    return line if len(line) <= MAX_LINE else None


def pieces_of(source: Iterable[bytes] | BinaryIO) -> Iterator[bytes]:
    """The bytes of a file in pieces; those of UTF-16, by its mark at the beginning, as UTF-8."""
    read = getattr(source, "read", None)
    pieces: Iterator[bytes] = iter(lambda: read(PIECE), b"") if read else iter(source)
    first = next(pieces, b"")
    if first[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for piece in pieces:
            yield decoder.decode(piece).encode("utf-8", "replace")
    else:
        yield first
        yield from pieces


# --- where a record begins ------------------------------------------------------------------------


@dataclass(slots=True)
class TagNames:
    """The names of the tags seen, and the first of them."""

    first: str = ""
    names: set[str] = field(default_factory=set)

    def add(self, names: Iterable[str]) -> None:
        """Take more names, in their order; a bound keeps noise from filling the memory."""
        for name in names:
            if not self.names:
                self.first = name
            if len(self.names) < MAX_NAMES:
                self.names.add(name)

    def join(self, more: TagNames) -> None:
        """Take all the names of a paragraph, which is over."""
        if not self.names:
            self.first, self.names = more.first, more.names
        elif len(self.names) + len(more.names) < MAX_NAMES:
            self.names |= more.names
        else:
            self.add(more.names)


def begins(name: str, seen: TagNames) -> bool:
    """Whether a tag begins another record though no empty line stands before it.

    A repeated tag is ignored by the standard. It begins a record where it names or opens one, and
    the record so far already has cards, calls or a contract.
    """
    whole = not seen.names.isdisjoint(("Deal", "Auction", "Play", "Contract"))
    if name == "Event" or (name in seen.names and (name == "Board" or name == seen.first)):
        return whole
    return name in seen.names and name in IDENTITY and not seen.names.isdisjoint(SECTIONS)


def joins(more: TagNames, seen: TagNames, spaced: bool) -> bool:
    """Whether tags behind an empty line still belong to the record before it, against the standard.

    A section or a table without any tag of its own does. So do mandatory tags that go on in their
    order from an `Event` or `Board` tag before any section, and, where every tag stands in a
    paragraph by itself (`spaced`), any tag not seen yet.
    """
    names = more.names
    if more.first in seen.names and more.first != "Note":
        return False
    if "" in names or not names.isdisjoint(seen.names - {"Note"}):
        return False
    if is_section(more.first):
        return True
    if seen.first not in ("Event", "Board") or not SECTIONS.isdisjoint(seen.names):
        return False
    mine = [MANDATORY.index(n) for n in names if n in MANDATORY]
    before = max(MANDATORY.index(n) for n in seen.names if n in MANDATORY)
    return min(mine) > before if mine else spaced and len(names) == 1


def is_section(name: str) -> bool:
    """Whether a tag stands before lines of its own."""
    return name in SECTIONS or name == "Note" or name.endswith("Table")


# --- cutting --------------------------------------------------------------------------------------


def split(source: Iterable[bytes] | BinaryIO) -> Iterator[Chunk]:
    """The records of a file, in their order."""
    return chain.from_iterable(batches(source))


def batches(source: Iterable[bytes] | BinaryIO) -> Iterator[Sequence[Chunk]]:
    """The records of a file, some at a time, where that many have been read: to do the same thing
    to many records is quicker than to do all things to one.
    """
    splitter = _Splitter()
    for text in _texts(source):
        if isinstance(text, list):
            for start in range(0, len(text), MAX_PARAGRAPH):
                splitter.feed(text[start : start + MAX_PARAGRAPH])
                yield splitter.done()
        else:
            for paragraph in _paragraphs(text.raw):
                splitter.take(paragraph)
                if len(splitter.ready) >= BATCH:
                    yield splitter.done()
        yield splitter.done()
    yield splitter.finish()


def _paragraphs(text: bytes) -> Iterator[bytes]:
    """Whole lines up to an empty one each time, and with it."""
    start, whole = 0, len(text)
    while start < whole:
        end = text.find(b"\n\n", start) + 2
        if end < 2:
            end = whole
        yield text[start:end]
        start = end


@lru_cache(1000)
def _is_game(layout: Layout) -> bool:
    """Whether a plain paragraph with these tags is of one game: none stands twice, and with none
    another one, or a section of the one before, may begin.
    """
    return not (layout.alike or "Event" in layout.names[1:] or is_section(layout.names[0]))


def _chunk(game: Plain) -> Chunk:
    """A record that is one plain game."""
    return Chunk(game.line, Lines(game.raw), plain=game)


def _names_of(game: Plain) -> TagNames:
    return TagNames(game.layout.names[0], set(game.layout.names))


class _Splitter:
    """The state between two lines: the record so far, and the paragraph that has no home yet.

    `waiting` are the lines behind the record that may belong to it or to the next: empty ones,
    comments. While the record is one plain game with the empty line behind it, it is `whole`, and
    nothing else is kept of it. `settled` says that the rest of this paragraph goes straight to the
    record, `gap` that it does so because of text behind an empty line. While a comment is `open`,
    its lines are held back `inside`, for it may never be closed.
    """

    def __init__(self) -> None:
        self.ready: list[Chunk] = []
        self.unreadable: list[Unreadable] = []
        self.number = 0
        self.record: list[bytes] = []
        self.record_line = 1
        self.seen = TagNames()
        self.size = 0
        self.spaced = True
        self.joined: int | None = None
        self.waiting: list[bytes] = []
        self.waiting_line = 1
        self.paragraph: list[bytes] = []
        self.paragraph_line = 1
        self.names = TagNames()
        self.plain: Plain | None = None
        self.game: Plain | None = None
        self.whole: Plain | None = None
        self.data = False
        self.settled = False
        self.gap = False
        self.open = False
        self.inside: list[bytes] = []
        self.queue: deque[bytes] = deque()
        self.noise: tuple[int, bytes] | None = None

    def done(self) -> Sequence[Chunk]:
        """The records that are over and were not given yet."""
        ready, self.ready = self.ready, []
        return ready

    def take(self, paragraph: bytes) -> None:
        """Take lines up to an empty one and with it."""
        if self.paragraph or self.open or self.settled or not self._game(paragraph):
            self.feed(_Text(paragraph).lines())

    def _game(self, paragraph: bytes) -> bool:
        """Take a paragraph at once where that is nearly always so: nothing in it needs a closer
        look. False where it was not taken.
        """
        number, raw = paragraph.count(b"\n"), paragraph[:-2]
        plain = plain_game(self.number + 1, raw) if paragraph.endswith(b"\n\n") else None
        if plain is None or number > MAX_PARAGRAPH or not _is_game(plain.layout):
            return False
        if self.whole and plain.tidy and plain.layout.names[0] in self.whole.layout.index:
            # A record of one game is over where its first tag stands again.
            self.ready.append(_chunk(self.whole))
            self.whole = plain
            self.number += number
            return True
        if not plain.tidy and (b"{" in raw or raw.count(b"[") != len(plain.layout.names)):
            return False
        self._unfold()
        lines = _Text(paragraph).lines()[:-1]
        if None in lines:
            return False
        self.paragraph, self.paragraph_line = cast("list[bytes]", lines), plain.line
        self.names, self.plain = _names_of(plain), plain
        self.number += len(lines)
        self._take(b"")
        if plain.tidy and self.game is plain and not (self.unreadable or self.noise):
            self.whole, self.game = plain, None
            self.record, self.seen, self.size, self.waiting = [], TagNames(), 0, []
        return True

    def _unfold(self) -> None:
        """Keep of a record that was one plain game what is kept of any other."""
        if plain := self.whole:
            self.whole, self.game = None, plain
            self.record, self.record_line = plain.raw.split(b"\n"), plain.line
            self.size, self.seen = len(plain.raw) + 1, _names_of(plain)
            self.spaced = len(self.seen.names) == 1
            self.waiting, self.waiting_line = [b""], plain.line + len(self.record)

    def feed(self, lines: Iterable[bytes | None]) -> None:
        """Take lines one by one; `None` is one too long, which is left out."""
        self._unfold()
        for line in lines:
            if line is None:
                self._skip()
            elif not (line or self.record or self.paragraph or self.waiting or self.open):
                self.number += 1
            else:
                self._take(line)
                while self.queue:
                    self._take(self.queue.popleft())

    def _skip(self) -> None:
        self.number += 1
        message = f"A line of more than {MAX_LINE:,} bytes was left out."
        self._lost("notation.pbn-long-line", message, self.number, self.number)
        if self.record or self.paragraph:
            self._keep(b"", self.number)

    def finish(self) -> list[Chunk]:
        """What is left at the end of the file."""
        self._unfold()
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
            self._lost("notation.pbn-comment", message, self.waiting_line, self.number)
        self._flush()
        if self.noise:
            self._say_noise()
        if self.unreadable:
            self.ready.append(Chunk(self.unreadable[0].place.line, (), tuple(self.unreadable)))
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
        self._lost("notation.pbn-comment", message, first, first)
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
        size = self.size + sum(map(len, lines)) + len(lines)
        if size < MAX_RECORD:
            self.record += lines
            self.size = size
            return
        for line in lines:
            if self.size >= MAX_RECORD:
                return
            self.record.append(line)
            self.size += len(line) + 1
            if self.size >= MAX_RECORD:
                message = f"A record of more than {MAX_RECORD:,} bytes was cut; "
                message += "the rest of it was left out."
                self._lost("notation.pbn-long-record", message, self.number, self.number)

    def _wait(self, lines: Sequence[bytes], number: int) -> None:
        if not self.waiting:
            self.waiting_line = number
        self.waiting += lines
        if len(self.waiting) > 4 * MAX_PARAGRAPH:
            # Nothing but comments or empty lines: they belong to no record.
            self._flush()
            if any(line.strip() for line in self.waiting):
                message = "Here is a long stretch of comments without a record; it was left out."
                self._lost("notation.pbn-not-pbn", message, self.waiting_line, self.number)
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
            and joins(TagNames(name, {name}), self.seen, False)
        ):
            # The rest of the paragraph cannot change where a section belongs.
            self._join()
            self.settled = True
        seen = self.seen if self.settled else self.names
        seen.add([name])
        if line.count(b"[") > 1:
            seen.add(n.decode("ascii") for n in _TAGS.findall(line)[1:])

    def _data(self) -> None:
        """A line that is neither tag nor comment: it goes on with the record's section."""
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
        self.paragraph, self.names, self.data, self.plain = [], TagNames(), False, None

    def _join(self) -> None:
        """Put what is waiting, and the paragraph, to the record, which they begin if need be."""
        if self.record:
            self.joined = self.joined or (self.waiting_line if self.waiting else None)
            self.spaced = self.spaced and len(self.names.names) <= 1
        else:
            self.record_line = self.waiting_line if self.waiting else self.paragraph_line
            self.spaced = len(self.names.names) == 1
            if self.noise:
                self._say_noise()
            self.game = None if self.waiting else self.plain
        self._add(self.waiting)
        self._add(self.paragraph)
        if self.names.names:
            self.seen.join(self.names)
        self.waiting, self.paragraph, self.names = [], [], TagNames()

    def _flush(self) -> None:
        """The record so far is over."""
        if self.record:
            game = self.game
            if game and len(self.record) != game.raw.count(b"\n") + 1:
                game = None
            self.ready.append(
                Chunk(self.record_line, self.record, tuple(self.unreadable), self.joined, game)
            )
            self.record, self.seen, self.unreadable = [], TagNames(), []
            self.size, self.joined, self.game = 0, None, None
            while self.waiting and not self.waiting[0].strip():
                del self.waiting[0]
                self.waiting_line += 1

    def _say_noise(self) -> None:
        assert self.noise is not None
        line, text = self.noise
        last = max(line, (self.paragraph_line if self.paragraph else self.number + 1) - 1)
        shown = "".join(chr(b) if 32 <= b < 127 else "·" for b in text[:40])
        message = f'This is no PBN: “{shown}”. A record begins with a tag such as [Event "..."].'
        self._lost("notation.pbn-not-pbn", message, line, last)
        self.noise = None

    def _lost(self, rule: str, message: str, line: int, end_line: int) -> None:
        last = self.unreadable[-1] if self.unreadable else None
        if last and last.rule == rule and len(self.unreadable) > 9:
            self.unreadable[-1] = replace(last, place=replace(last.place, end_line=end_line + 1))
        else:
            place = Place(line, 1, end_line + 1, 1)
            self.unreadable.append(Unreadable(rule, message, place=place))


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
