"""The elements of our own notation: words, numbers, texts, rows and statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from oddtrick.cards import SEAT_OF, SIDE_OF, Seat, Side
from oddtrick.limits import IN_CALL, NUMBER
from oddtrick.record.deal import Span

BLANK = r"[\s,\ufe0e\ufe0f\u200b]"
END = r"(?!\w|['-]\w)"
"""The end of a word."""
SEAT = rf"(?:(?:north|east|south|west|[nesw]){END})"
NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen").split()
COUNT = rf"(?:[0-9]++|(?:{'|'.join(NUMBERS)}){END})"
OPENING = (
    "code option reading source event venue date scorer note players sides tag deal rubber match"
    " end unfinished total won dealer standing vulnerable tray table original overplay hands"
    " bidding play declaration result honours honors chicane score game irregularity"
).split()
"""The words with which a statement can begin."""
BEFORE_CARDS = (
    *("dealer", "standing games", "standing trick", "standing honour"),
    *("vulnerable", "tray", "table", "playing"),
)
"""The statements with one value that come before the cards, in order."""
SECTIONS = {"hands": "in_hands", "bidding": "in_bidding", "play": "in_play"}
"""The sections, each with the grammar's start symbol for a line in it."""
BLOCK = "block"
"""The start symbol for a line outside every section."""

DENOMINATIONS = {
    "spades": ("spade", "spades"),
    "clubs": ("club", "clubs"),
    "diamonds": ("diamond", "diamonds"),
    "hearts": ("heart", "hearts"),
    "royal-spades": ("royal spade", "royal spades"),
    "no-trump": ("no-trump", "no-trumps"),
    "nullo": ("nullo", "nullo"),
}
DENOMINATIONS |= {
    f"{name}-royal": (f"{one} royal", f"{many} royal")
    for name, (one, many) in DENOMINATIONS.items()
    if name != "royal-spades"
}
"""Singular and plural of each denomination, as in `laws/vocabulary.yaml`."""
_PLAIN = {
    "spades": "spades spade s ♠ ♤",
    "hearts": "hearts heart h ♥ ♡",
    "diamonds": "diamonds diamond d ♦ ♢",
    "clubs": "clubs club c ♣ ♧",
    "no-trump": "no-trump no-trumps notrump notrumps nt n no_trump no_trumps",
    "nullo": "nullo nullos",
}
WRITTEN = {w.replace("_", " "): name for name, words in _PLAIN.items() for w in words.split()}
WRITTEN |= {f"{word} royal": f"{name}-royal" for word, name in WRITTEN.items()}
WRITTEN |= dict.fromkeys(("royal", "royals", "r"), "royal-spades")
WRITTEN |= {f"royal {word}": "royal-spades" for word in _PLAIN["spades"].split()}
"""Denominations by every way to write them, in lower case."""

_ESCAPED = re.compile(r'\\(["\\n])')
# Four Unicode letters match an ASCII letter when case is ignored.
_LOOK_ALIKES = str.maketrans({"ſ": "s", "\N{KELVIN SIGN}": "k", "İ": "i", "ı": "i"})


def placed(span: Span, offsets: Sequence[int]) -> Span:
    """Translate a span to the file; `offsets` maps each character to its offset there."""
    start = offsets[span[0]]
    return start, max(start, offsets[max(span[0], span[1] - 1)]) + 1


class Detail(NamedTuple):
    """A rare detail of a call or card; `number` is its index in the row.

    `kind` is `player` (the value is a seat), `corrects`, `mark`, `note` or `incident`.
    """

    number: int
    kind: str
    value: Any = None


class Row(NamedTuple):
    """Calls or cards as integers, their offsets, details, span without brackets, and leader."""

    packed: list[int]
    starts: list[int]
    details: list[Detail]
    span: Span
    leader: Seat | None = None

    def extend(self, more: Row) -> None:
        """Append the continuation of the same row."""
        before = len(self.packed)
        self.packed.extend(more.packed)
        self.starts.extend(more.starts)
        self.details.extend(Detail(before + n, kind, value) for n, kind, value in more.details)

    def placed(self, offsets: Sequence[int]) -> Row:
        """The row with its offsets translated to the file."""
        for n, (number, kind, value) in enumerate(self.details):
            if kind == "incident":
                moved = replace(value, span=placed(value.span, offsets))
                self.details[n] = Detail(number, kind, moved)
        return self._replace(
            starts=[offsets[start] for start in self.starts], span=placed(self.span, offsets)
        )


class Statement(NamedTuple):
    """A statement: its word, its value, and the spans of the parts of the value.

    The rows of sections are statements too: `hand`, `calls`, `trick`, `claim`, `more`.
    """

    word: str
    value: Any
    spans: tuple[Span, ...] = ()

    def placed(self, offsets: Sequence[int]) -> Statement:
        """The statement with its spans translated to the file."""
        word, value, spans = self
        value = [row.placed(offsets) for row in value] if isinstance(value, list) else value
        return Statement(word, value, tuple([placed(span, offsets) for span in spans]))


class Malformed(Exception):
    """Raised for a line that cannot be read: rule, message, span, and the word probably meant."""

    def __init__(self, rule: str, message: str, span: Span, guess: str = "") -> None:
        super().__init__(message)
        self.rule, self.message, self.span, self.guess = rule, message, span, guess

    @property
    def start(self) -> int:
        """The offset where the unreadable text begins."""
        return self.span[0]

    def placed(self, offsets: Sequence[int]) -> Malformed:
        """The same error with its span translated to the file."""
        return Malformed(self.rule, self.message, placed(self.span, offsets), self.guess)

    def after(self, words: str) -> Malformed:
        """The same error with some words before its message."""
        return Malformed(self.rule, f"{words}{self.message}", self.span, self.guess)


def small(text: str) -> str:
    """A word of the notation in lower case, with Unicode look-alikes replaced by ASCII letters."""
    return text.translate(_LOOK_ALIKES).lower() if not text.isascii() else text.lower()


def seat_of(text: str) -> Seat:
    """The seat that a word or letter names."""
    word = small(text)
    return SEAT_OF.get(word) or SEAT_OF[word.upper()]


def side_of(text: str) -> Side:
    """The side that a word or letters name."""
    word = small(text)
    return SIDE_OF.get(word) or SIDE_OF[word.upper()]


def number_of(text: str, start: int, most: int) -> int:
    """The number written as digits or as a word. Raises `Malformed` if it exceeds `most`."""
    word = small(text)
    if word in NUMBERS:
        return NUMBERS.index(word)
    if len(text) > 6 or int(text) > most:
        message = (IN_CALL if most == IN_CALL.most else NUMBER).message()
        raise Malformed("notation.syntax", message, (start, start + len(text)))
    return int(text)


def text_of(token: str) -> str:
    """The text between quotation marks, unescaped; a word without them is returned unchanged."""
    if token[0] == '"':
        return _ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])
    return str(token[1:-1]) if token[0] == "“" else str(token)
