"""The smallest pieces of our own notation: words, numbers, texts, and what a line states."""

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
RANK = re.compile(r"10|kn(?:ave)?|[2-9tjqkax]", re.IGNORECASE)
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
"""The statements of one value that stand before the cards, in their order."""
FACTS = (*BEFORE_CARDS, "declaration", "result", "game")
"""The statements whose value is a field of a deal, which has the name of the statement."""
SECTIONS = {"hands": "in_hands", "bidding": "in_bidding", "play": "in_play"}
"""The sections, each with the start symbol of the grammar for a line in it."""
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
"""Denominations after the number one and after others, as in `laws/vocabulary.yaml`."""
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
"""Denominations by all that can stand for them, in small letters."""

_ESCAPED = re.compile(r'\\(["\\n])')
# Four letters of Unicode match an ASCII letter where capitals do not count.
_LOOK_ALIKES = str.maketrans({"ſ": "s", "\N{KELVIN SIGN}": "k", "İ": "i", "ı": "i"})


def placed(span: Span, offsets: Sequence[int]) -> Span:
    """A span of some letters in the file, of which these are the offsets there."""
    start = offsets[span[0]]
    return start, max(start, offsets[max(span[0], span[1] - 1)]) + 1


class Detail(NamedTuple):
    """What is rare with a call or card, by its number in its row.

    `kind` is `player` (the value is his seat), `corrects`, `mark`, `note` or `incident`.
    """

    number: int
    kind: str
    value: Any = None


class Row(NamedTuple):
    """Calls or cards as integers, where each begins, what is rare, and who leads if he is named."""

    packed: list[int]
    starts: list[int]
    details: list[Detail]
    leader: Seat | None = None

    def extend(self, more: Row) -> None:
        """Add what follows in the same row."""
        before = len(self.packed)
        self.packed.extend(more.packed)
        self.starts.extend(more.starts)
        self.details.extend(Detail(before + n, kind, value) for n, kind, value in more.details)

    def placed(self, offsets: Sequence[int]) -> Row:
        """The row with its places in the file."""
        for n, (number, kind, value) in enumerate(self.details):
            if kind == "incident":
                moved = replace(value, span=placed(value.span, offsets))
                self.details[n] = Detail(number, kind, moved)
        return self._replace(starts=[offsets[start] for start in self.starts])


class Statement(NamedTuple):
    """What a line states: its word, its value, and where the parts of the value stand.

    Rows of sections are statements too: `hand`, `calls`, `trick`, `claim`, `more`.
    """

    word: str
    value: Any
    spans: tuple[Span, ...] = ()

    def placed(self, offsets: Sequence[int]) -> Statement:
        """The statement with its places in the file."""
        word, value, spans = self
        value = value.placed(offsets) if isinstance(value, Row) else value
        return Statement(word, value, tuple([placed(span, offsets) for span in spans]))


class Malformed(Exception):
    """A line that cannot be read: rule, message, span, and the word that may have been meant."""

    def __init__(self, rule: str, message: str, span: Span, guess: str = "") -> None:
        """Keep what is reported."""
        super().__init__(message)
        self.rule, self.message, self.span, self.guess = rule, message, span, guess

    @property
    def start(self) -> int:
        """Where what cannot be read begins."""
        return self.span[0]

    def placed(self, offsets: Sequence[int]) -> Malformed:
        """The same with its place in the file."""
        return Malformed(self.rule, self.message, placed(self.span, offsets), self.guess)


def small(text: str) -> str:
    """A word of the notation in small ASCII letters."""
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
    """The number that digits or a word name. Raises `Malformed` if it is greater than `most`."""
    word = small(text)
    if word in NUMBERS:
        return NUMBERS.index(word)
    if len(text) > 6 or int(text) > most:
        message = (IN_CALL if most == IN_CALL.most else NUMBER).message()
        raise Malformed("notation.syntax", message, (start, start + len(text)))
    return int(text)


def text_of(token: str) -> str:
    """The text between quotation marks, or a word as it is."""
    if token[0] == '"':
        return _ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], token[1:-1])
    return str(token[1:-1]) if token[0] == "“" else str(token)
