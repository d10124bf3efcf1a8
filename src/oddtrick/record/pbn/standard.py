"""What of a PBN record is not as the standard has it, though it can be read.

Each check of `CHECKS` looks at one side of a game as it is written and yields what breaks the
standard, with the section of PBN 2.1 that it breaks. What the reader has already said of the same
place is not said again. Clean games are the rule: each check first asks, in one search, whether
there is anything to look at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter, contains, itemgetter
from typing import NamedTuple

from oddtrick.cards import SEAT_OF
from oddtrick.record.model import Place
from oddtrick.record.pbn.cut import LINE, MANDATORY, LongLine
from oddtrick.record.pbn.extension import PREFIX
from oddtrick.record.pbn.game import Game, Violation
from oddtrick.record.pbn.plain import Layout, Plain, Taking
from oddtrick.record.pbn.sections import Token, lines_in, shown
from oddtrick.record.pbn.tags import Tag
from oddtrick.record.pbn.values import UNKNOWN, plain_deal, seat_of

NAME, LAYOUT, MISSING = "notation.pbn-name", "notation.pbn-layout", "notation.pbn-missing"
VALUE, NOTE, MARK = "notation.pbn-value", "notation.pbn-note", "notation.pbn-mark"
CALL, CARD, SHORT = "notation.pbn-call", "notation.pbn-card", "notation.pbn-short"
TABLE = "notation.pbn-table"

NOTES = range(1, 33)
"""The numbers that a note may have."""
GLYPHS = range(256)
CARDS_DEALT = 52
TRICKS = 13


# --- values ---------------------------------------------------------------------------------------


class Value(NamedTuple):
    """What a tag may say: the section that says so, the pattern, how it is written."""

    section: str
    pattern: re.Pattern[str]
    written: str


def _of_sides(number: str) -> re.Pattern[str]:
    """A number, or one of a side, or of both."""
    return re.compile(
        rf"(?:(?:EW|NS) )?{number}|EW {number} NS {number}|NS {number} EW {number}", re.ASCII
    )


_SEAT = re.compile(r"[NESWnesw]")
_DENOMINATION = "NT|nt|[SHDCshdc]"
_TRICKS = r"(?:1[0-3]|\d)"
_RANKS = r"[AKQJTakqjt2-9]*"
_HAND = rf"(?:{_RANKS}\.{_RANKS}\.{_RANKS}\.{_RANKS}|-)"
_DATE = re.compile(r"[\d?]{4}\.(?:0[1-9]|1[0-2]|\?\?)\.(?:0[1-9]|[12]\d|3[01]|\?\?)", re.ASCII)
_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d", re.ASCII)
_SECONDS = re.compile(r"\d+", re.ASCII)
_DECIMAL = r"[+-]?\d+(?:\.\d+)?"
_COUNT = r"\d+"
_HISTORY = rf"{_COUNT} {_COUNT}/{_COUNT}(?: {_COUNT}){{0,2}}"
_BARE = re.compile(_DENOMINATION)
_OF_SIDE = re.compile(r"(?:NS|EW) ([+-]?\d{1,9})\b", re.ASCII)

SEAT_WORDS = "N, E, S or W"
DATE_WORDS = "YYYY.MM.DD, with question marks for what is not known"
CLOCK_WORDS = "HH:MM:SS"
SCORE_WORDS = "a number, or NS or EW before it, or both"

VALUES: Mapping[str, Value] = {
    "Date": Value("3.4.3", _DATE, DATE_WORDS),
    "Board": Value("3.4.4", re.compile(r"0*[1-9]\d*", re.ASCII), "a number from 1"),
    "Dealer": Value("3.4.9", _SEAT, SEAT_WORDS),
    "Vulnerable": Value(
        "3.4.10",
        re.compile(r"None|none|Love|love|-|NS|ns|EW|ew|All|all|Both|both"),
        "None, NS, EW or All",
    ),
    "Deal": Value(
        "3.4.11",
        re.compile(rf"[NESWnesw]:{_HAND}(?: {_HAND}){{3}}"),
        "a seat, a colon, and four hands with one space between",
    ),
    "Declarer": Value("3.4.13", re.compile(r"\^?[NESWnesw]"), SEAT_WORDS),
    "Contract": Value(
        "3.4.14",
        re.compile(rf"Pass|pass|[1-7](?:{_DENOMINATION})(?:XX?|xx?)?|{_DENOMINATION}"),
        "such as 4H, 3NTX or Pass",
    ),
    "Result": Value(
        "3.4.15",
        re.compile(rf"\^?(?:{_of_sides(_TRICKS).pattern})", re.ASCII),
        "a number from 0 to 13, or NS or EW before it",
    ),
    "Auction": Value("3.5", _SEAT, SEAT_WORDS),
    "Play": Value("3.6", _SEAT, SEAT_WORDS),
    "FrenchMP": Value("4.1.4", re.compile("Yes|No"), "Yes or No"),
    "Hidden": Value("4.1.6", re.compile(r"(?:([NESW])(?!.*\1))+"), "seats, each once"),
    "Room": Value("4.1.7", re.compile("Open|Closed"), "Open or Closed"),
    "Score": Value("4.2.1", _of_sides(r"[+-]?\d+"), SCORE_WORDS),
    "ScoreIMP": Value("4.2.2", _of_sides(_DECIMAL), SCORE_WORDS),
    "ScoreMP": Value("4.2.3", _of_sides(_DECIMAL), SCORE_WORDS),
    "ScorePercentage": Value(
        "4.2.4", _of_sides(r"(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)"), "a number from 0 to 100"
    ),
    "ScoreRubber": Value("4.2.5", _of_sides(r"\d+/\d+"), "above the line/below the line"),
    "ScoreRubberHistory": Value(
        "4.2.6",
        re.compile(rf"NS {_HISTORY} EW {_HISTORY}", re.ASCII),
        "NS and EW, each with points above the line, a slash, and points below it",
    ),
    "OptimumScore": Value(
        "4.2.7",
        re.compile(r"(?:EW|NS) [+-]?\d+|EW [+-]?\d+ NS [+-]?\d+|NS [+-]?\d+ EW [+-]?\d+", re.ASCII),
        "a number with NS or EW before it",
    ),
    "EventDate": Value("4.4.1", _DATE, DATE_WORDS),
    "Round": Value("4.4.4", re.compile(r"\w+(?:\.\w+)*", re.ASCII), "letters and figures"),
    "Time": Value("4.5.1", _CLOCK, CLOCK_WORDS),
    "UTCDate": Value("4.5.2", _DATE, DATE_WORDS),
    "UTCTime": Value("4.5.3", _CLOCK, CLOCK_WORDS),
    "TimeControl": Value("4.6.1", re.compile(r"\d+/\d+", re.ASCII), "games/minutes"),
    "TimeCall": Value("4.6.2", _SECONDS, "a number of seconds"),
    "TimeCard": Value("4.6.3", _SECONDS, "a number of seconds"),
}
"""The tags whose values the standard prescribes; any may be empty or `?`."""

TABLES: Mapping[str, str] = {
    "ActionTable": "5.3",
    "AuctionTimeTable": "5.4",
    "InstantScoreTable": "5.5",
    "OptimumPlayTable": "5.6",
    "OptimumResultTable": "5.7",
    "PlayTimeTable": "5.8",
    "ScoreTable": "5.9",
    "TotalScoreTable": "5.10",
}
"""The tables of the standard and their sections."""

KNOWN = frozenset(
    (
        *MANDATORY,
        *VALUES,
        *TABLES,
        *"Note Competition DealId Description Generator Termination".split(),
        *"BidSystemEW BidSystemNS PairEW PairNS WestNA NorthNA EastNA SouthNA".split(),
        *"WestType NorthType EastType SouthType EventSponsor HomeTeam Section Stage".split(),
        *"Table VisitTeam Annotator AnnotatorNA Application Mode".split(),
    )
)
"""Every tag of the standard."""

_ODD_ESCAPE = re.compile(r'(?:[^\\]|\\[\\"])*?(\\)(?![\\"])')
_PAIR = re.compile(r"\[\s*(\w+)")


def tags(game: Game) -> Iterator[Violation]:
    """Names that the standard does not have, and values that a tag cannot have."""
    for name in sorted(set(game.fresh) - KNOWN):
        if not name.startswith(PREFIX):
            yield _unknown(game.tags[name])
    odd = "\\" in game.text
    for name, tag in game.tags.items():
        if name not in game.fresh:
            continue
        if odd or (tag.written and not tag.written.startswith(name, 1)):
            yield from _writing(tag)
        if name in VALUES and not _fits(name, tag.value):
            yield _wrong(tag, VALUES[name])


def _tags_as_ever(game: Plain) -> bool:
    """Whether all tags of a plain game have names of the standard and say what they can say."""
    known, names, fitting, values = _valued(game.layout)
    if not (known and game.printed):
        return False
    said = values(game.values)
    if not (all(map(contains, fitting, said)) or all(map(_fits, names, said))):
        return False
    deal = game.said("Deal")
    return deal is None or plain_deal(deal) is not None or _fits("Deal", deal)


@lru_cache(1000)
def _valued(layout: Layout) -> tuple[bool, Sequence[str], Sequence[Collection[str]], Taking]:
    """Whether all names are known; those whose values are prescribed, but the deal's, what is known
    to fit each, and what takes their values out of all.
    """
    places = [i for i, name in enumerate(layout.names) if name in VALUES and name != "Deal"]
    names = [layout.names[i] for i in places]
    # With one more, which is there always, what is taken out is never a single value.
    values = itemgetter(*places, 0, 0)
    return KNOWN.issuperset(layout.names), names, [_FITTING[name] for name in names], values


_FITTING: Mapping[str, set[str]] = {name: set(UNKNOWN) for name in VALUES}
"""Values that are known to fit a tag: an archive has the same few again and again."""
_MOST_FITTING = 2000


def _fits(name: str, value: str) -> bool:
    """Whether a tag can say something."""
    if value in (fitting := _FITTING[name]):
        return True
    if not VALUES[name].pattern.fullmatch(value) or (name.endswith("Date") and not _is_day(value)):
        return False
    if len(fitting) < _MOST_FITTING:
        fitting.add(value)
    return True


def _writing(tag: Tag) -> Iterator[Violation]:
    """A name in other letters, and signs in a value that are written otherwise."""
    found = _PAIR.match(tag.raw)
    if found and found[1] != tag.name:
        message = f"The name of the tag is {tag.name}, capitals and small letters as here."
        yield Violation("3.3", NAME, message, tag.place)
    if not tag.name.endswith("Table") and _ODD_ESCAPE.match(tag.raw):
        message = r"In a value a backslash is written \\ and a quotation mark \"."
        yield Violation("3.2", VALUE, message, tag.place)


def _unknown(tag: Tag) -> Violation:
    if not tag.name[:1].isupper():
        message = f"{shown(tag.name)} is no name of a tag: it begins with a capital."
        return Violation("3.3", NAME, message, tag.place)
    message = f"PBN has no tag {tag.name}; it was kept as it is."
    return Violation("4.9", NAME, message, tag.place)


def _wrong(tag: Tag, value: Value) -> Violation:
    place = tag.place
    if tag.name == "Deal" and (at := tag.value.find("  ")) > 0:
        column = place.column + at
        place = Place(place.line, column, place.line, column + 2)
        return Violation(value.section, VALUE, "One space stands between two hands.", place)
    message = f"{tag.name} {shown(tag.value)} is written otherwise: {value.written}."
    return Violation(value.section, VALUE, message, place)


def _is_day(text: str) -> bool:
    """Whether a date that is known whole is in the calendar."""
    if not _DATE.fullmatch(text) or "?" in text:
        return True
    try:
        date(*map(int, text.split(".")))
    except ValueError:
        return False
    return True


# --- characters and lines -------------------------------------------------------------------------

_PLAIN = bytes((*range(32, 127), 9, 10, 11))
_CONTROL = re.compile("[\x00-\x08\x0c\x0e-\x1f\x7f-\x9f]")
_BEYOND = re.compile("[^\x00-\x7f]")


def characters(game: Game) -> Iterator[Violation]:
    """Characters that PBN does not use, and tabs in strings."""
    if b"\t" in game.raw or b"\v" in game.raw:
        for tag in game.tags.values():
            if tag.name in game.fresh and (found := re.search("[\t\v]", tag.value)):
                column = tag.place.column + found.start()
                place = Place(tag.place.line, column, tag.place.line, column + 1)
                yield Violation("2.3", LAYOUT, "A value has no tab in it.", place)
    if not game.raw.translate(None, _PLAIN):
        return
    wide = _is_utf8(game.raw)
    for number, line in enumerate(game.text.split("\n"), game.first):
        if line.startswith("%"):
            continue
        if found := _CONTROL.search(line):
            code = ord(found[0])
            message = f"The character with the code {code} is not used in PBN."
            yield Violation("2.2", LAYOUT, message, _at(number, found))
        elif wide and (found := _BEYOND.search(line)):
            message = f"{shown(found[0])} is in UTF-8; the characters of PBN are those of Latin-1."
            yield Violation("2.2", LAYOUT, message, _at(number, found))
            wide = False


def _is_utf8(raw: bytes) -> bool:
    """Whether bytes beyond ASCII were read as UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not raw.isascii()


def _at(line: int, found: re.Match[str], group: int = 0) -> Place:
    return Place(line, found.start(group) + 1, line, found.end(group) + 1)


def lines(game: Game) -> Iterator[Violation]:
    """Lines that are too long."""
    for number, line in enumerate(game.lines, game.first):
        if type(line) is LongLine:
            message = f"A line has at most {LINE} characters, its end among them."
            yield Violation("2.3", LAYOUT, message, Place(number, 1, number, len(line) + 1))


# --- what belongs together ------------------------------------------------------------------------


NEEDED: Mapping[str, tuple[str, Sequence[str]]] = {
    "Auction": ("3.1", ("Dealer",)),
    "Play": ("3.1", ("Deal", "Declarer", "Contract")),
}
"""The sections, and the tags that each needs before it."""
PASSED = ("Pass", "pass")
"""A contract of a deal that all passed."""


def together(game: Game) -> Iterator[Violation]:
    """Tags that others need beside them, or before them."""
    order = list(game.tags)
    for section, (clause, needed) in NEEDED.items():
        if section not in game.tags:
            continue
        place = game.tags[section].place
        for name in needed:
            if game.told(name) is None:
                if not (name == "Declarer" and _passed(game)):
                    message = f"The tag {section} needs the tag {name} before it, with a value."
                    yield Violation(clause, MISSING, message, place)
            elif name in game.own and order.index(name) > order.index(section):
                message = f"The tag {name} stands before the tag {section}."
                yield Violation(clause, MISSING, message, game.tags[name].place)
    yield from _outcome(game)
    note = game.tags.get("Note")
    if note:
        message = "A note stands behind the calls of an auction or the cards of a play."
        yield Violation("3.5.5", NOTE, message, note.place)


def _passed(game: Game) -> bool:
    return game.said("Contract") in PASSED


@lru_cache(1000)
def _needed(layout: Layout) -> Sequence[str] | None:
    """The tags that the auction and the play need; `None` where one does not stand before them."""
    index = layout.index
    both = [(name, s) for s, (_, needed) in NEEDED.items() if s in index for name in needed]
    if any(name not in index or index[name] > index[section] for name, section in both):
        return None
    return [name for name, _ in both if name not in ("Declarer", "Contract")]


def _together_as_ever(game: Plain) -> bool:
    """Whether a plain game has what its tags need, and a contract with the odd tricks."""
    needed, said = _needed(game.layout), game.said
    if needed is None or any(said(name) in UNKNOWN for name in needed):
        return False
    contract, declarer, result = said("Contract"), said("Declarer") or "", said("Result") or ""
    if contract in PASSED:
        return declarer in UNKNOWN and result in UNKNOWN
    if not contract:
        return "Play" not in game.layout.index and result in UNKNOWN
    return contract[0].isdigit() and declarer not in UNKNOWN


def _outcome(game: Game) -> Iterator[Violation]:
    """Declarer, contract and result, as far as they need each other."""
    result = game.told("Result")
    if _passed(game):
        for name, section in (("Declarer", "3.4.13"), ("Result", "3.4.15")):
            if tag := game.told(name):
                message = f"When all players pass, the tag {name} is empty."
                yield Violation(section, VALUE, message, tag.place)
    elif result:
        for name in ("Declarer", "Contract"):
            if game.told(name) is None:
                message = f"A result is of a declarer and his contract; the tag {name} is not here."
                yield Violation("3.4.15", MISSING, message, result.place)
    contract = game.told("Contract")
    if contract and _BARE.fullmatch(contract.value) and _hand_size(game.said("Deal")) == 13:
        message = "Only an end position has a contract without the number of odd tricks."
        yield Violation("3.10", VALUE, message, contract.place)


def _hand_size(deal: str) -> int:
    """The cards of the greatest hand; 13 where no hand is known."""
    hands = deal.partition(":")[2].split()
    return max((len(h.replace(".", "")) for h in hands if h != "-"), default=13)


_OF_BOTH = frozenset(("OptimumScore", "ScoreRubberHistory"))


def pairs(game: Game) -> Iterator[Violation]:
    """Values of both sides that do not go together."""
    result, best, history = (game.told(n) for n in ("Result", "OptimumScore", "ScoreRubberHistory"))
    if result and len(both := _sides(result.value)) == 2 and sum(both) > TRICKS:
        message = f"There are {TRICKS} tricks, not {sum(both)}."
        yield Violation("3.4.15", VALUE, message, result.place)
    if best and len(both := _sides(best.value)) == 2 and sum(both):
        message = "The score of one side is that of the other with the other sign."
        yield Violation("4.2.7", VALUE, message, best.place)
    if history and VALUES["ScoreRubberHistory"].pattern.fullmatch(history.value):
        games = [len(side.split("/")[1].split()) for side in history.value.split("EW")]
        if games[0] != games[1]:
            message = "Both sides have as many games below the line."
            yield Violation("4.2.6", VALUE, message, history.place)


def _pairs_as_ever(game: Plain) -> bool:
    """Whether a plain game states nothing of both sides."""
    return _OF_BOTH.isdisjoint(game.layout.index) and " " not in (game.said("Result") or "")


def _sides(value: str) -> list[int]:
    """The numbers of a value such as `NS 7 EW 6`."""
    return [int(n) for n in _OF_SIDE.findall(value)]


# --- auction and play -----------------------------------------------------------------------------


class Section(NamedTuple):
    """How an auction or a play is written.

    Its sections in the standard: of itself, its tokens, annotations, references, notes.
    """

    name: str
    own: str
    token: str
    marks: str
    references: str
    notes: str
    rule: str
    words: str
    plain: frozenset[str]
    token_pattern: re.Pattern[str]
    glyphs: Collection[int]
    """The glyphs that belong to the other section."""


_CALLS = frozenset(
    (
        *"AP ap Pass pass X x XX xx -".split(),
        *(f"{odd}{what}" for odd in range(1, 8) for what in "NT nt S s H h D d C c".split()),
    )
)
_CARDS = frozenset(("-", *(suit + rank for suit in "SHDCshdc" for rank in "AKQJTakqjt23456789")))
_MARKS = (
    r"(?P<suffix>!!|\?\?|!\?|\?!|!|\?)|(?P<note>=\d+=)|(?P<glyph>\$\d+)"
    r"|(?P<end>\*)|(?P<next>\+)|(?P<odd>\^\w?|[^\s!?=$*+^]+|\S)"
)


def _token_pattern(words: Iterable[str], irregular: str) -> re.Pattern[str]:
    word = "|".join(sorted(words, reverse=True))
    return re.compile(
        rf"(?P<word>{word})(?![A-Za-z0-9-])|(?P<irregular>\^[{irregular}])|{_MARKS}", re.ASCII
    )


SECTIONS = (
    Section(
        "Auction",
        "3.5",
        "3.5.1",
        "3.5.2",
        "3.5.4",
        "3.5.5",
        CALL,
        "a call (1C to 7NT, Pass, X, XX, AP)",
        _CALLS,
        _token_pattern(_CALLS, "IS"),
        (*range(7, 13), 14),
    ),
    Section(
        "Play",
        "3.6",
        "3.6.1",
        "3.6.2",
        "3.6.4",
        "3.6.5",
        CARD,
        "a card (SA, DT, C2) or a dash",
        _CARDS,
        _token_pattern(_CARDS, "RL"),
        (*range(1, 7), 13),
    ),
)


class Word(NamedTuple):
    """One token of an auction or a play."""

    kind: str
    text: str
    place: Place


def sections(game: Game) -> Iterator[Violation]:
    """The tokens of auction and play, whether they come to an end, and their notes."""
    for section in SECTIONS:
        tag = game.tags.get(section.name)
        if tag:
            data = [t for t in tag.body if t.kind == "DATA"]
            slots = [w for t in data for w in t.split()]
            if tag.notes or not _as_ever(section, slots, tag.value, game.said):
                yield from _section(section, tag, data, game)


def _sections_as_ever(game: Plain) -> bool:
    """Whether auction and play of a plain game are whole, and nothing but calls and cards."""
    index, words, said = game.layout.index, game.words, game.said
    return all(
        s.name not in index or _as_ever(s, words(s.name), said(s.name) or "", said)
        for s in SECTIONS
    )


def _as_ever(
    section: Section, words: Sequence[str], first: str, said: Callable[[str], str | None]
) -> bool:
    """Whether the words of a section, from a player on, are a whole one and nothing else."""
    ended = words[-1:] == ["*"] and (section.name == "Auction" or len(words) % 4 == 1)
    words = words[:-1] if ended else words
    if not (section.plain.issuperset(words) and (ended or _ends(section, words, said("Deal")))):
        return False
    return section.name == "Play" or (
        "-" not in _from_first(words) and _begins(section, first, words, said("Dealer"))
    )


def _section(section: Section, tag: Tag, data: Sequence[Token], game: Game) -> Iterator[Violation]:
    found = list(words(section, data, game.first - 1))
    yield from _marks(section, found)
    yield from _dashes(section, found)
    used = {w.text.strip("="): w.place for w in found if w.kind == "note"}
    yield from _references(section, tag, used)
    kinds = {w.kind for w in found}
    unknown = section.name == "Auction" and "odd" in kinds
    slots = [w.text for w in found if in_place(w)]
    yield from _first(section, tag, slots, game)
    place = found[-1].place if found else tag.place
    if {"end", "next"} <= kinds:
        message = f"An {section.name.lower()} that goes on with + does not end with *."
        yield Violation(section.own, MARK, message.replace("An play", "A play"), place)
    elif (
        not kinds & {"end", "next"} and not _ends(section, slots, game.said("Deal")) and not unknown
    ):
        yield Violation(section.own, SHORT, _unended(section, slots, game.said("Deal")), place)
    elif section.name == "Play" and "end" in kinds and len(slots) % 4:
        message = "A dash stands for each card of a trick that was not played."
        yield Violation("3.6", SHORT, message, place)


def in_place(word: Word) -> bool:
    """Whether a token stands for a call or a card, or for a player passed over."""
    if word.kind == "odd":
        return not word.text.startswith("^")
    return word.kind == "word" or (word.kind == "irregular" and word.text == "^S")


def _first(section: Section, tag: Tag, slots: Sequence[str], game: Game) -> Iterator[Violation]:
    """Whether the first call of an auction is the dealer's."""
    if not _begins(section, tag.value, slots, game.said("Dealer")):
        message = "The first call is the dealer's; a dash stands for each player before him."
        yield Violation("3.5", CALL, message, tag.place)


def _begins(section: Section, first: str, slots: Sequence[str], dealer: str | None) -> bool:
    """Whether the first call of an auction may be the dealer's, whose is the first of the slots."""
    if section.name == "Play" or dealer is None or dealer in UNKNOWN:
        return True
    seat, before = SEAT_OF.get(first.upper()), len(slots) - len(_from_first(slots))
    return seat is None or before == len(slots) or seat.after(before) is seat_of(dealer)


def words(section: Section, data: Sequence[Token], offset: int) -> Iterator[Word]:
    """The words of the lines of a section with their places; `offset` is added to the lines."""
    for token in data:
        for text, line, column in lines_in(token, offset):
            for found in section.token_pattern.finditer(text):
                start, end = found.span()
                yield Word(
                    found.lastgroup or "odd",
                    found[0],
                    Place(line, column + start, line, column + end),
                )


def _ends(section: Section, words: Sequence[str], deal: str | None) -> bool:
    """Whether the words are a whole auction or, of a deal, a whole play."""
    if section.name == "Play":
        return len(words) == CARDS_DEALT or len(words) == 4 * _hand_size(deal or "")
    calls = [w.lower() for w in words[-4:]]
    return calls[-1:] == ["ap"] or (
        len(calls) > 3 and calls[1:] == ["pass"] * 3 and calls[0] not in ("-", "^s")
    )


def _unended(section: Section, words: Sequence[str], deal: str) -> str:
    if section.name == "Play":
        size = 4 * _hand_size(deal)
        if len(words) > size:
            return f"The play has more than {size} cards."
        return f"The play has fewer than {size} cards, and does not end with *."
    return "The auction does not end with three passes, AP or *."


def _from_first(words: Sequence[str]) -> Sequence[str]:
    if not words or words[0] != "-":
        return words
    first = next((i for i, w in enumerate(words) if w != "-"), len(words))
    return words[first:]


def _dashes(section: Section, found: Sequence[Word]) -> Iterator[Violation]:
    if section.name != "Auction":
        return
    called = False
    for word in found:
        if word.text == "-" and called:
            message = "A dash stands only for players before the first call."
            yield Violation("3.5.1", CALL, message, word.place)
        called = called or word.text == "^S" or (word.kind == "word" and word.text != "-")


def _marks(section: Section, found: Sequence[Word]) -> Iterator[Violation]:
    """Tokens that the section does not have, and more annotations than one may carry."""
    behind: set[str] = set()
    for word in found:
        kind = word.kind
        if kind == "odd":
            message = f"{shown(word.text)} is not written as PBN writes {section.words}."
            yield Violation(section.token, section.rule, message, word.place)
            behind = set()
        elif kind in ("suffix", "note"):
            if kind in behind:
                message = f"At most one {'suffix' if kind == 'suffix' else 'note'} stands there."
                yield Violation(section.marks, MARK, message, word.place)
            behind.add(kind)
        elif kind == "glyph":
            number = int(word.text[1:]) if len(word.text) < 6 else GLYPHS.stop
            if number not in GLYPHS or number in section.glyphs:
                message = f"{word.text} is no glyph of the {section.name.lower()}."
                yield Violation("3.7", MARK, message, word.place)
        else:
            behind = set()


def _references(section: Section, tag: Tag, used: Mapping[str, Place]) -> Iterator[Violation]:
    """Notes and references whose numbers are out of range, and notes that nothing refers to."""
    for number, place in used.items():
        if not (len(number) < 4 and int(number) in NOTES):
            message = f"Notes have the numbers 1 to {NOTES.stop - 1}."
            yield Violation(section.references, NOTE, message, place)
        elif number not in tag.notes:
            message = f"The note {number} does not stand behind the {section.name.lower()}."
            yield Violation(section.notes, NOTE, message, place)
    for number, note in tag.notes.items():
        if not (len(number) < 4 and int(number) in NOTES):
            message = f"Notes have the numbers 1 to {NOTES.stop - 1}."
            yield Violation(section.notes, NOTE, message, note.place)
        elif number not in used:
            message = f"Nothing in the {section.name.lower()} refers to the note {number}."
            yield Violation(section.notes, NOTE, message, note.place)


# --- tables ---------------------------------------------------------------------------------------

_ELEMENT = re.compile(r'"(?:[^"\\]|\\.)*"(?!\S)|\S+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[!#$&-:<-Z\\^-z|~\']+')
_COLUMN = re.compile(r"[+-]?[^;\\]*(?:\\\d+[LR]?)?", re.ASCII)
_TIME = r"(?:\d\d:)?[0-5]?\d:[0-5]\d|\d+"
_SCORE = r"[+-]?\d+(?:\.\d+)?"
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_KINDS = ("Score", "IMP", "MP", "Percentage")
COLUMNS: Mapping[str, str] = {
    "Declarer": r"\^?[NESW]",
    "Denomination": "[SHDC]|NT",
    "Contract": "Pass|[1-7](?:[SHDC]|NT)X{0,2}",
    "Result": _TRICKS,
    "Time": _TIME,
    "TotalTime": _TIME,
    **{f"{kind}_{side}": _SCORE for kind in _KINDS for side in ("NS", "EW")},
    **{f"{of}{kind}": _SCORE for kind in _KINDS for of in ("Total", "Mean")},
    "Percentage": _SCORE,
    "ScoreRange_NS": rf"{_SCORE}|(?:\*|{_SCORE}),(?:\*|{_SCORE})",
    "ScoreRange_EW": rf"{_SCORE}|(?:\*|{_SCORE}),(?:\*|{_SCORE})",
    **dict.fromkeys("SHDC", "[AKQJT2-9]+"),
}
"""What stands in the columns that the standard defines; `?` and `-` may stand in any."""
_CELLS = {name: re.compile(rf"[?-]|\^?(?:{p})", re.ASCII) for name, p in COLUMNS.items()}
BEFORE = {"AuctionTimeTable": "Auction", "PlayTimeTable": "Play"}


def tables(game: Game) -> Iterator[Violation]:
    """The columns and the rows of tables."""
    for name, tag in game.tags.items():
        if is_table(name) and not name.startswith(PREFIX):
            yield from _table(tag, game)


def _without_table(game: Plain) -> bool:
    """Whether none of the tags of a plain game is a table's."""
    return not has_table(game.layout)


@lru_cache(1000)
def has_table(layout: Layout) -> bool:
    """Whether one of the tags is a table's."""
    return any(map(is_table, layout.names))


def is_table(name: str) -> bool:
    """Whether a tag is a table's, by its name."""
    return name.endswith("Table") and name != "Table"


def _table(tag: Tag, game: Game) -> Iterator[Violation]:
    columns = tag.value.split(";")
    if not tag.value or not all(_COLUMN.fullmatch(c) for c in columns):
        message = r"A table names its columns with ; between, a width behind \, such as Rank\3R."
        yield Violation("5.2", TABLE, message, tag.place)
    needed = BEFORE.get(tag.name)
    if needed and needed not in list(game.tags)[: list(game.tags).index(tag.name)]:
        message = f"The tag {needed} stands before the {tag.name}."
        yield Violation(TABLES[tag.name], MISSING, message, tag.place)
    elements: list[tuple[str, Place]] = []
    for token in tag.body:
        for text, line, column in lines_in(token, game.first - 1):
            for found in _ELEMENT.finditer(text):
                start, end = column + found.start(), column + found.end()
                elements.append((found[0], Place(line, start, line, end)))
    if elements and len(elements) % len(columns):
        said = f"{len(elements)} elements do not fill rows of {len(columns)} columns."
        yield Violation("5.2", TABLE, said, elements[-1][1])
    yield from _cells(tag.name, [c.lstrip("+-").partition("\\")[0] for c in columns], elements)
    yield from _sorted(columns, elements)
    if needed in game.tags:
        yield from _times(tag, game, elements[:: len(columns)])


def _sorted(columns: Sequence[str], elements: Sequence[tuple[str, Place]]) -> Iterator[Violation]:
    """Columns whose numbers do not fall or rise as a sign before their names says."""
    for index, column in enumerate(columns):
        if column.startswith(("+", "-")):
            sign = 1 if column[0] == "-" else -1
            cells = [e for e in elements[index :: len(columns)] if _NUMBER.fullmatch(e[0])]
            for (one, _), (other, place) in pairwise(cells):
                if sign * float(other) < sign * float(one):
                    way = "rise" if sign > 0 else "fall"
                    message = f"The column {column[1:]} does not {way}, as {column[0]} says."
                    yield Violation("5.2", TABLE, message, place)
                    break


def _times(tag: Tag, game: Game, rows: Sequence[tuple[str, Place]]) -> Iterator[Violation]:
    """Rows of a table of times for which there is no call or card."""
    section = next(s for s in SECTIONS if s.name == BEFORE[tag.name])
    data = [t for t in game.tags[section.name].body if t.kind == "DATA"]
    slots = sum(1 for word in words(section, data, 0) if in_place(word))
    if len(rows) > slots:
        of = section.name.lower()
        message = f"There are {len(rows)} rows for {slots} of the {of}."
        yield Violation(TABLES[tag.name], TABLE, message, rows[slots][1])


def _cells(
    table: str, columns: Sequence[str], elements: Sequence[tuple[str, Place]]
) -> Iterator[Violation]:
    patterns = [_CELLS.get(c) if table in TABLES else None for c in columns]
    for index, (text, place) in enumerate(elements):
        pattern = patterns[index % len(columns)]
        if not _TOKEN.fullmatch(text):
            message = f"{shown(text)} is no element of a table; put it in quotation marks."
            yield Violation("5.1", TABLE, message, place)
        elif pattern and not pattern.fullmatch(text):
            column = columns[index % len(columns)]
            message = f"{shown(text)} does not belong in the column {column}."
            yield Violation(TABLES[table], TABLE, message, place)


# --- all of it ------------------------------------------------------------------------------------

CHECKS: Sequence[tuple[Callable[[Game], Iterator[Violation]], Callable[[Plain], bool]]] = (
    (characters, attrgetter("printed")),
    (lines, attrgetter("tidy")),
    (tags, _tags_as_ever),
    (together, _together_as_ever),
    (pairs, _pairs_as_ever),
    (sections, _sections_as_ever),
    (tables, _without_table),
)
"""Every check of a game against the standard, and whether it can find nothing in a plain one."""


def violations(game: Game) -> Iterator[Violation]:
    """What of a game breaks the standard, check by check."""
    for check, nothing in CHECKS:
        if not (game.plain and nothing(game.plain)):
            yield from check(game)
