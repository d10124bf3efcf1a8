"""Parses the rows of the sections: a hand, some calls, the cards of a trick, a claim.

To the grammar adjacent rows of calls or cards are one token; a regular expression for its kind
splits each row. If the expression stops early, `Stuck` names the state of the row, and
`hand.messages` has the message for that state.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import CARDS, PRINTED_SUITS, Card, Seat, Suit
from oddtrick.record.deal import MOST, MOST_IN_CALL, SUIT_WRITTEN, UNKNOWN_CARD, Claim, Span, call
from oddtrick.record.hand.words import (
    BLANK,
    COUNT,
    END,
    NUMBERS,
    OPENING,
    RANK,
    SEAT,
    WRITTEN,
    Detail,
    Row,
    number_of,
    seat_of,
    small,
)

SEP = f"{BLANK}*+"
_SUIT = rf"(?:(?:spades?|hearts?|diamonds?|clubs?|[shdc]){END}|[♠♤♥♡♦♢♣♧])"
_DENOMINATION = (
    rf"(?:royal{END}{SEP}(?:(?:spades?|s){END}|[♠♤])"
    rf"|(?:{_SUIT}|(?:no-?trumps?|nt|n|no{BLANK}++trumps?|nullos?){END})(?:{SEP}royal{END})?"
    rf"|royal{END}(?!{SEP}{_SUIT})|(?:royals|r){END})"
)
_PHRASES = {
    "pass": ("pass", "no bid", "no-bid", "no", "p"),
    "double": ("double", "x"),
    "redouble": ("redouble", "re-double", "xx"),
    "pass-to-partner": ("pass to partner",),
    "may-i-lead": ("may i lead",),
    "all-pass": ("all pass",),
    **{kind: (kind,) for kind in ("challenge", "yes", "satisfied")},
}
_KINDS = {phrase: kind for kind, phrases in _PHRASES.items() for phrase in phrases}
"""The kinds of calls other than bids, by every phrase for them."""
_BLANKS = re.compile(f"{BLANK}+")
_LEAD = rf"(?:{SEAT}{SEP}:{SEP})?(?:corrects{END}{SEP})?"
_CALL = re.compile(
    rf"(?:(?P<seat>{SEAT}){SEP}:{SEP})?(?P<corrects>corrects{END}{SEP})?"
    rf"(?P<call>(?P<count>{COUNT}){SEP}(?P<bid>{_DENOMINATION})|make{END}{SEP}(?P<make>{_DENOMINATION})"
    rf"|(?:pass{BLANK}++to{BLANK}++partner|no{BLANK}++bid|all{BLANK}++pass|may{BLANK}++i{BLANK}++lead|no-bid|no(?!{BLANK}+trumps?{END})"
    rf"|pass(?!{SEP}to{END})|p|double|xx?|re-?double|challenge|yes|satisfied){END}|\.{{3,}}|…)"
    rf"{SEP}(?P<mark>[!?]+)?{SEP}",
    re.IGNORECASE,
)
_CARD_WRITTEN = r"(?:[shdc]|[♠♤♥♡♦♢♣♧]\ufe0f? ?)(?:10|kn(?:ave)?|[2-9tjqka])(?!\w)"
_CARD = re.compile(rf"(?P<card>{_CARD_WRITTEN}|[-–—]){SEP}(?:(?P<mark>[!?]+){SEP})?", re.IGNORECASE)
_LEADER = re.compile(rf"({SEAT}){SEP}:{SEP}", re.IGNORECASE)
_PLAYER = re.compile(rf"({SEAT}){SEP}:?{SEP}", re.IGNORECASE)
_RANKS = r"(?:10|kn(?:ave)?|[2-9tjqkax])+(?!\w)"
_HOLDING = re.compile(
    rf"(?:(?P<suit>{_SUIT}){SEP}(?:(?P<void>[-–—])|(?P<ranks>{_RANKS}(?:{SEP}{_RANKS})*+))"
    rf"|(?P<letter>[shdc])(?P<held>{_RANKS}(?:{SEP}{_RANKS})*+)){SEP}",
    re.IGNORECASE,
)
_MORE = re.compile(rf"(?:\.{{3,}}|…){SEP}")
_VERB = rf"{SEAT}{BLANK}+(?:claims|concedes){END}"
_CLAIMED = rf"(?:the{END}{SEP}rest{END}|{COUNT}(?:{SEP}tricks?{END})?)"
_CLAIM = re.compile(
    rf"(?P<seat>{SEAT}){BLANK}+(?P<verb>claims|concedes){SEP}"
    rf"(?:the{END}{SEP}rest{END}|(?P<count>{COUNT})(?:{SEP}tricks?{END})?)"
    rf"(?:{SEP}(?P<answer>agreed|refused){END})?",
    re.IGNORECASE,
)


class Held(NamedTuple):
    """A hand: cards as a bit set, repeated and small cards, whether it is partial, and its span."""

    seat: Seat
    cards: int
    again: tuple[Card, ...]
    small: tuple[tuple[Suit, int], ...]
    partial: bool
    span: Span


# --- parsing --------------------------------------------------------------------------------------


@lru_cache(4096)
def _packed(written: str, count: str | None, denomination: str | None) -> int:
    """A call packed into an integer; a bid has a `count`, a bid or make a `denomination`."""
    named = WRITTEN[_BLANKS.sub(" ", small(denomination))] if denomination else None
    if count:
        return call("bid", number_of(count, 0, MOST_IN_CALL), named)
    if named:
        return call("make", None, named)
    words = _BLANKS.sub(" ", small(written))
    return call("unrecorded" if words[0] in ".…" else _KINDS[words])


def calls_in(text: str, start: int, first: bool = True) -> Row:
    """Parse the calls of a row that begins at offset `start`.

    `first` is false for text that continues a row. Raises `Stuck`, or `Malformed` for a number
    that is too great.
    """
    row = Row([], [], [], (start, start + len(text)))
    at, end = 0, len(text)
    while at < end:
        found = _CALL.match(text, at)
        if not found:
            raise _CALLS.stuck(text, start, at, 0 if at or not first else 1)
        seat, corrects, written, count, bid, make, mark = found.groups()
        number = len(row.packed)
        if count:
            number_of(count, start + found.start("count"), MOST_IN_CALL)
        row.packed.append(_packed(written, count, bid or make))
        row.starts.append(start + at)
        if seat:
            row.details.append(Detail(number, "player", seat_of(seat)))
        if corrects:
            row.details.append(Detail(number, "corrects"))
        if mark:
            row.details.append(Detail(number, "mark", mark))
        at = found.end()
    return row


@lru_cache(1024)
def _card(written: str) -> int:
    """The number of a card; `UNKNOWN_CARD` for a dash."""
    word = small(written)
    if word[0] in "-–—":
        return UNKNOWN_CARD
    return CARDS[SUIT_WRITTEN[word[0]]][_rank(RANK.findall(word, 1)[-1])]


def _rank(written: str) -> str:
    if written[0] == "k" and written != "k":
        return "J"
    return "T" if written == "10" else written.upper()


def cards_in(text: str, start: int, first: bool = True) -> Row:
    """Parse the cards of a row that begins at offset `start`.

    `first` is false for text that continues a row. Raises `Stuck`.
    """
    led = _LEADER.match(text) if first else None
    at, end = led.end() if led else 0, len(text)
    row = Row([], [], [], (start, start + len(text)), seat_of(led[1]) if led else None)
    while at < end:
        found = _CARD.match(text, at)
        if not found:
            begun = bool(row.packed) or not first
            raise _CARDS.stuck(text, start, at if begun else 0, 0 if begun else 1)
        written, mark = found.groups()
        if mark:
            row.details.append(Detail(len(row.packed), "mark", mark))
        row.packed.append(_card(written))
        row.starts.append(start + at)
        at = found.end()
    return row


def card_in(text: str, start: int) -> Row:
    """Parse the player, if named, and the card within brackets. Raises `Stuck`."""
    named = _PLAYER.match(text)
    at = named.end() if named else 0
    found = _CARD.match(text, at)
    if not found:
        raise _BRACKETED.stuck(text, start, at, 0)
    if found.end() < len(text):
        raise _BRACKETED.stuck(text, start, found.end(), 1)
    details = [Detail(0, "player", seat_of(named[1]))] if named else []
    if found["mark"]:
        details.append(Detail(0, "mark", found["mark"]))
    return Row([_card(found["card"])], [start + at], details, (start, start + len(text)))


_BITS = {
    suit: {
        w: 1 << cards[_rank(w.lower())]
        for w in ("10", "kn", "knave", "Kn", "KN", "Knave", "KNAVE", *"23456789tjqkaTJQKA")
    }
    for suit, cards in CARDS.items()
}


def hand_in(text: str, start: int) -> Held:
    """Parse a hand. Raises `Stuck`."""
    named = _PLAYER.match(text)
    if not named:
        raise _HANDS.stuck(text, start, 0, 1)
    held, again, unknown = 0, list[Card](), dict[Suit, int]()
    at, end, partial, voids = named.end(), len(text), False, list[Suit]()
    while at < end and not partial:
        found = _HOLDING.match(text, at)
        if found:
            word, _, ranks, letter, more = found.groups()
            suit = SUIT_WRITTEN[small(word or letter)]
            bits = _BITS[suit]
            for rank in RANK.findall(ranks or more or ""):
                if rank in "xX":
                    unknown[suit] = unknown.get(suit, 0) + 1
                    continue
                bit = bits.get(rank) or bits[small(rank)]
                if held & bit:
                    again.append(CARDS[suit][_rank(small(rank))])
                held |= bit
            if not (ranks or more):
                voids.append(suit)
        else:
            found = _MORE.match(text, at)
            partial = found is not None
        if not found:
            before = text[:at].rstrip()
            kind = 0 if at == named.end() else 3 if before[-1:] in "-–—" else 2
            raise _HANDS.stuck(text, start, at, kind)
        at = found.end()
    if at < end or at == named.end():
        raise _HANDS.stuck(text, start, at, 4 if at < end else 0)
    if partial:
        # Only in a partial hand is a void a fact of its own; in a complete hand it follows.
        unknown |= {suit: unknown.get(suit, 0) for suit in voids}
    small_cards = tuple((s, unknown[s]) for s in PRINTED_SUITS if s in unknown)
    span = start, start + end
    return Held(seat_of(named[1]), held, tuple(again), small_cards, partial, span)


def claim_in(text: str, start: int) -> Claim:
    """Parse a claim; the caller sets `after_trick` and the span. Raises `Stuck` or `Malformed`."""
    found = _CLAIM.match(text)
    if not found or found.end() < len(text):
        raise _CLAIMS.stuck(text, start, 0, 0)
    count, answer = found["count"], found["answer"]
    tricks = number_of(count, start + found.start("count"), MOST) if count else None
    verb = small(found["verb"])
    return Claim(seat_of(found["seat"]), verb, tricks, small(answer) if answer else None)


# --- errors ---------------------------------------------------------------------------------------

CALL_WORDS = "pass double redouble challenge make corrects may yes satisfied all bid".split()
SEAT_WORDS = "north east south west".split()
SUIT_WORDS = "spades hearts diamonds clubs spade heart diamond club".split()
DENOMINATION_WORDS = [*SUIT_WORDS, "royal", "royals", "nullo", "nullos", "no-trump", "no-trumps"]
_CALL_STARTS = [*CALL_WORDS, *SEAT_WORDS, *NUMBERS]
WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
STRETCH = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*|[0-9]+|[^\s,\"#]+|.", re.DOTALL)


class Stuck(Exception):
    """Raised for a row that cannot be read between the offsets `at` and `end`.

    `state` names what was read before, and selects the message in `hand.messages`. `words` are the
    words that could follow.
    """

    def __init__(self, state: str, at: int, end: int, words: Sequence[str] = ()) -> None:
        super().__init__()
        self.state, self.at, self.end, self.words = state, at, end, words


class _Row(NamedTuple):
    """The states in which a row can stop: between two parts, or within one (`incomplete`).

    `words` holds the words that can follow, by state. `begun` lists the states in which a part
    can begin.
    """

    name: str
    words: Sequence[Sequence[str]]
    begun: Sequence[int] = ()
    incomplete: Sequence[tuple[str, Sequence[str]]] = ()

    def stuck(self, text: str, start: int, at: int, state: int) -> Stuck:
        """The error for a row that cannot be read from `at`, in a state; `start` is its offset."""
        found = [
            (part.end(), f"{self.name} part {number}", words)
            for number, (pattern, words) in enumerate(self.incomplete)
            if state in self.begun
            and (part := re.compile(SEP + pattern, re.IGNORECASE).match(text, at))
        ]
        here = at, f"{self.name} {state}", self.words[state]
        end, name, words = max(found, default=here)
        return Stuck(name, start + end, start + len(text), words)


_BID = f"{_LEAD}(?:{COUNT}|make{END})"
_CALLS = _Row(
    "calls",
    (_CALL_STARTS, [*_CALL_STARTS, *OPENING]),
    (0, 1),
    (
        (SEAT, ()),
        (f"{SEAT}{SEP}:", CALL_WORDS),
        (f"(?:{SEAT}{SEP}:{SEP})?corrects{END}", CALL_WORDS),
        (f"{_LEAD}{COUNT}", DENOMINATION_WORDS),
        (f"{_LEAD}make{END}", DENOMINATION_WORDS),
        (f"{_BID}{SEP}royal{END}", ("spades", "spade")),
        (f"{_BID}{SEP}no{END}", ("trumps", "trump")),
        (f"{_LEAD}all{END}", ("pass",)),
        (f"{_LEAD}may{END}(?:{SEP}i{END})?", ("lead",)),
        (f"{_LEAD}pass{SEP}to{END}", ("partner",)),
    ),
)
_CARDS = _Row(
    "cards",
    ((), [*SEAT_WORDS, *OPENING]),
    (1,),
    ((SEAT, ("claims", "concedes")), (f"{SEAT}{SEP}:", ())),
)
AFTER_LEADER = "cards part 1"
"""The state of a trick in which only the leader has been named."""
_BRACKETED = _Row("bracketed", ((), ()))
_HANDS = _Row(
    "hands",
    (SUIT_WORDS, [*SEAT_WORDS, *OPENING], SUIT_WORDS, SUIT_WORDS, ()),
    (0, 2, 3),
    ((_SUIT, ()),),
)
_CLAIMS = _Row(
    "claims",
    ((),),
    (0,),
    (
        (_VERB, ()),
        (f"{_VERB}{SEP}the{END}", ("rest",)),
        (
            f"{_VERB}{SEP}{_CLAIMED}(?:{SEP}(?:agreed|refused){END})?",
            ("agreed", "refused", "tricks"),
        ),
    ),
)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most similar to `word`; empty if none is similar."""
    near = sorted(w for w in known if len(w) > 2)
    return next(
        iter(difflib.get_close_matches(word.lower(), near, 1, 0.65) if len(word) <= 30 else ()), ""
    )
