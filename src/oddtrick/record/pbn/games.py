"""Splits the text of a PBN file into tokens and the tokens into games.

One regular expression finds the tokens: tags, lines of a section, comments. In PBN an empty line
separates games. Real files omit that line, or have empty lines inside a game, so the tags are
considered too: `begins` decides whether a tag begins a new game without an empty line before it,
and `continues` whether a tag after an empty line continues the game before it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from re import Match
from typing import BinaryIO

from oddtrick.limits import PBN_LINE, PBN_RECORD
from oddtrick.record.deal import Source, Span

MANDATORY = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract"
    " Result"
).split()
"""The fifteen mandatory tags of PBN's export format, in order."""
IDENTITY = frozenset(MANDATORY[: MANDATORY.index("Scoring")])
SECTIONS = frozenset(("Auction", "Play"))
_CARDS_OR_CALLS = frozenset(("Deal", "Auction", "Play", "Contract"))
SINGLE = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "Score", "ScoreRubber", "ScoreRubberHistory", "Note")
)
"""Tags that are not followed by lines of their own."""
_MAY_BEGIN = frozenset(("Event", "Note"))
"""Tags that need a closer look even if the game has no tag of that name yet."""
_CANONICAL = {name.lower(): name for name in (*SINGLE, *SECTIONS)}

BLOCK = 1 << 16
"""The number of bytes read at a time."""
LONGEST_LINE = PBN_LINE.most
LONGEST_GAME = PBN_RECORD.most
LONGEST_TEXT = 1 << 20
"""A longer text is cut at its end if necessary, even if its last game may continue."""
BOM, DOS_END = b"\xef\xbb\xbf", b"\x1a"

# --- tokens ---------------------------------------------------------------------------------------

TAGS, LOOSE, BROKEN, BRACE, COMMENT, ESCAPE, DATA, GAP = 1, 2, 5, 6, 7, 8, 9, 10
"""The kinds of tokens, numbered by their groups. `TAGS` is a run of tags without an empty line."""

_IN_QUOTES = r'[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+'
_QUOTED = re.compile(f'"({_IN_QUOTES})"')
_STRING = rf'(?<!\\)"{_IN_QUOTES}"'
_LINE = rf'(?:[^\s\[{{;%"]|{_STRING}|")[^\n\[{{;"]*+(?:(?:{_STRING}|")[^\n\[{{;"]*+)*+'
_UNQUOTED_LINES = r'(?:\n[^\s\[{;%"][^\n\[{;"]*+(?!"))++'
_TAG = rf'\[(?:[A-Z]\w*+[ ]|\s*+[A-Za-z_]\w*+\s*+)"{_IN_QUOTES}"(?:\]|\s++\])'
_WHOLE_TAG = rf'\[(?:{"|".join(MANDATORY)})[ ]"[^"\n]*"\]\s*?\n'


def _expression(stop: str) -> re.Pattern[str]:
    """The pattern of the tokens; an unclosed comment ends where `stop` follows a line feed."""
    return re.compile(
        rf"""
          ({_TAG}(?:(?:\n?|[ \t\f\v]*+(?:\n[ \t\f\v]*+)?){_TAG})*+)
        | (\[\s*([A-Za-z_]\w*)\s*"([^\n\[\]]*)"\s*\])
        | (\[+[^\n\[]*)
        | (\{{[^}}\n]*+(?:\n(?!{stop})[^}}\n]*+)*+\}}?)
        | (;[^\n]*)
        | (%[^\n]*)
        | ({_LINE}(?:{_UNQUOTED_LINES}|\n[ \t]*{_LINE})*+)
        | (\n[ \t\f\v]*+\n)
        """,
        re.VERBOSE | re.ASCII,
    )


TOKENS = _expression(rf"[ \t\f\v]*+\n{_WHOLE_TAG}")
_TOKENS_OPEN = _expression(_WHOLE_TAG)
"""The same for a comment that is not closed: it ends at the next tag, without an empty line."""
_NOISE = 40

Token = Match[str]
Part = tuple[int, str, int, int]
"""A token, unless it is the first tag of its name: its kind, the tag before it, its start and end.

For a tag, they are the start and end of its value.
"""


# --- texts ----------------------------------------------------------------------------------------


def blocks(source: Iterable[bytes] | BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks; UTF-16 with a byte order mark is converted to UTF-8."""
    read = getattr(source, "read", None)
    blocks: Iterator[bytes] = iter(lambda: read(BLOCK), b"") if read else iter(source)
    first = next(blocks, b"")
    if first[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for block in blocks:
            yield decoder.decode(block).encode("utf-8", "replace")
    else:
        for block in chain((first,), blocks):
            for start in range(0, len(block), BLOCK):
                yield block[start : start + BLOCK]


def texts(source: Iterable[bytes] | BinaryIO) -> Iterator[str]:
    """Yield the decoded text of a file in chunks of complete lines, each ended by a line feed.

    A line too long to be PBN is divided while it is read, so that memory use is bounded.
    """
    rest = b""
    for block in blocks(source):
        lines = rest + block
        end = (lines.rfind(b"\n") + 1) or (lines.rfind(b"\r", 0, -1) + 1)
        rest = lines[end:]
        if end:
            yield text_of(lines[:end])
        while len(rest) > LONGEST_LINE:
            yield text_of(rest[:LONGEST_LINE] + b"\n")
            rest = rest[LONGEST_LINE:]
    if rest:
        yield text_of(rest + b"\n")


def text_of(raw: bytes, separator: bytes = b"\n\n") -> str:
    """The decoded text with LF line ends: UTF-8, or Latin-1 in parts that are not valid as UTF-8.

    The end-of-file mark of DOS becomes a space.
    """
    raw = raw.replace(BOM, b"").replace(DOS_END, b" ")
    if b"\r" in raw:
        raw = re.sub(rb"\r+\n|\r", b"\n", raw)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        parts = raw.split(separator)
        if len(parts) == 1:
            return raw.decode("latin-1")
        return separator.decode().join(text_of(part, separator) for part in parts)


# --- games ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Lost:
    """Text that belongs to no game: a rule, a message and a span.

    `game` means that it is a game without any readable tag.
    """

    rule: str
    message: str
    span: Span
    game: bool = False


@dataclass(slots=True)
class Game:
    """One game: its tags as written, the offsets of their values, and all other tokens.

    `lost` lists the text before it that belongs to no game. The last game may have no tags, only
    the `lost` text at the end of the file.
    """

    start: int = -1
    end: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    rest: list[Part] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)

    def span(self, name: str) -> Span:
        """The span of a tag's value, or the start of the game if the value is inherited."""
        at = self.places.get(name)
        return (self.start, self.start) if at is None else (at, at + len(self.tags[name]))


@lru_cache(1000)
def canonical(written: str) -> str:
    """The standard spelling of a tag's name, from the text before its value."""
    name = written.strip("[] \t\n\f\v")
    return _CANONICAL.get(name.lower(), name)


def begins(name: str, names: Collection[str]) -> bool:
    """Whether a tag begins another game although no empty line precedes it.

    The standard ignores a repeated tag. Here `Event`, or a repeated `Board` or first tag, begins a
    game if the current one already has cards, calls or a contract. A repeated tag that identifies
    a game begins one if the current one already has an auction or play.
    """
    if name == "Event" or (name in names and name in ("Board", next(iter(names)))):
        return not _CARDS_OR_CALLS.isdisjoint(names)
    return name in names and name in IDENTITY and not SECTIONS.isdisjoint(names)


def continues(name: str, names: Collection[str]) -> bool:
    """Whether a tag after an empty line continues the game before it, against the standard.

    A note does, and so does a section or table that the game does not have yet. So does a mandatory
    tag, if it continues the standard order of a game that began with `Event` or `Board` and has no
    section yet.
    """
    if name == "Note" or (name not in names and (name in SECTIONS or name.endswith("Table"))):
        return True
    if next(iter(names)) not in ("Event", "Board") or not SECTIONS.isdisjoint(names):
        return False
    last = max(MANDATORY.index(n) for n in names if n in MANDATORY)
    return name in MANDATORY[last + 1 :]


def games_of(text: str) -> Sequence[Game]:
    """The games of a text, in order."""
    return _Cut(text).games


class _Cut:
    """Cuts a text into games; the attributes are the state between two tokens.

    `game` is the current game, and `gap` means that an empty line follows it. `between` holds the
    comments and broken tags after that line, which may belong to it or to the next game.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.games: list[Game] = []
        self.game: Game | None = None
        self.gap = True
        self.between: list[Part] = []
        self.lost: list[Lost] = []
        self._cut(TOKENS.finditer(text))
        self._end()

    def _cut(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            kind, game = token.lastindex or 0, self.game
            start, end = token.span()
            if kind == TAGS:
                written = token[0]
                pieces = _QUOTED.split(written) if '\\"' in written else written.split('"')
                names, values = map(canonical, pieces[::2]), pieces[1::2]
                at, (tags, places) = start - 1, (game.tags, game.places) if game else ({}, {})
                for before, name, value in zip(map(len, pieces[::2]), names, values, strict=False):
                    at += before + 2
                    if game is None or self.gap or name in tags or name in _MAY_BEGIN:
                        game = self._tag(name, value, at)
                        tags, places = game.tags, game.places
                    else:
                        tags[name], places[name] = value, at
                    at += len(value)
                assert game  # there is at least one tag
                game.end = end
            elif kind == LOOSE:
                at = token.start(4)
                game = self._tag(name := canonical(token[3]), token[4], at)
                if game.places.get(name) == at:
                    game.rest.append((kind, name, start, end))
            elif kind == GAP:
                self._leave_out()
                self.gap = True
            elif kind == BRACE and token[0][-1] != "}" and token.re is TOKENS:
                self._cut(_TOKENS_OPEN.finditer(self.text, start, end))
            elif game and (kind == DATA or not self.gap):
                # Text that is neither tag nor comment continues the section of the game.
                game = self._continued(game)
                game.rest.append((kind, next(reversed(game.tags)), start, end))
                game.end = end
            else:
                self.between.append((kind, "", start, end))

    def _leave_out(self) -> None:
        """Leave out a paragraph without a tag that no game precedes; only the first is reported."""
        text = [part for part in self.between if part[0] in (DATA, BROKEN)]
        if self.game or not text:
            return
        self.between = []
        if not self.lost:
            kind, _, start, end = text[0]
            said = self.text[start : min(end, start + _NOISE)].partition("\n")[0]
            said = "".join(c if c.isprintable() and c.isascii() else "·" for c in said)
            message = f"This is not PBN: “{said}”. "
            message += 'A record begins with a tag such as [Event "..."].'
            self.lost.append(Lost("notation.pbn-not-pbn", message, (start, end), kind == BROKEN))

    def _continued(self, game: Game) -> Game:
        if self.between:
            last = next(reversed(game.tags))
            game.rest += [(kind, last, start, end) for kind, _, start, end in self.between]
            self.between = []
        self.gap = False
        return game

    def _tag(self, name: str, value: str, at: int) -> Game:
        """Add a tag that may begin a game, continue one, or repeat an earlier tag."""
        game, start = self.game, self.text.rindex("[", 0, at)
        if game and not self.gap:
            game.end = max(game.end, self.text.rfind("]", game.start, start) + 1)
        is_continued = game and not (self.gap and not continues(name, game.tags))
        if game and is_continued and not begins(name, game.tags):
            game = self._continued(game)
        else:
            game = self._begun(start)
        end = self.text.index("]", at + len(value)) + 1
        last = next(reversed(game.tags), "")
        if name in game.tags or (name == "Note" and last in SECTIONS):
            game.rest.append((TAGS, last, at, at + len(value)))
        else:
            game.tags[name], game.places[name] = value, at
        game.end = end
        return game

    def _begun(self, start: int) -> Game:
        """Begin a game with the comments before it; ends the game before."""
        self._close()
        start = self.between[0][2] if self.between else start
        game = self.game = Game(start, start, {}, {}, self.between, self.lost)
        self.between, self.lost, self.gap = [], [], False
        return game

    def _close(self) -> None:
        if self.game:
            self.games.append(self.game)
            self.game = None

    def _end(self) -> None:
        """Place the remaining comments and text at the end of the text."""
        self._leave_out()
        if self.game:
            self.game.rest += self.between
            self.game.end = max([self.game.end, *(end for *_, end in self.between[-1:])])
        for kind, _, start, end in () if self.game else self.between:
            if kind == BRACE and not self.text[start:end].endswith("}"):
                message = "A comment is not closed with }, and no record was found after it."
                self.lost.append(Lost("notation.pbn-comment", message, (start, end)))
        self._close()
        if self.lost:
            self.games.append(Game(lost=self.lost))


def sources(
    pieces: Iterable[bytes] | BinaryIO, name: str
) -> Iterator[tuple[Source, Sequence[Game]]]:
    """Yield the text of a file in pieces of complete games, each with its games."""
    rest, line, enough = "", 1, 0
    for text in texts(pieces):
        rest += text
        if len(rest) < enough:
            continue
        games = games_of(rest)
        # The last game may continue, or turn out to belong to the one before it.
        number, cut = next(_cuts(rest, games[:-1]), (0, 0))
        if len(rest) > LONGEST_TEXT and not number:
            number, cut = len(games), len(rest)
        if number:
            yield Source(name, "pbn", rest[:cut], line), games[:number]
            line += rest.count("\n", 0, cut)
            rest, enough = rest[cut:], 0
        else:
            enough = len(rest) * 5 // 4  # avoid parsing the text again after each short chunk
    if rest:
        yield Source(name, "pbn", rest, line), games_of(rest)


def _cuts(text: str, games: Sequence[Game]) -> Iterator[tuple[int, int]]:
    """Yield the possible cuts, the last first: the number of games before it and its offset."""
    for number in range(len(games) - 1, 0, -1):
        game = games[number]
        start = min([game.start, *(lost.span[0] for lost in game.lost)])
        line = text.rfind("\n", 0, start) + 1
        if not text[line:start].strip() and line >= games[number - 1].end:
            yield number, line
