"""Parses the rows of the sections: a hand, some calls, the cards of a trick, a claim.

To the grammar adjacent rows of calls or cards are one token; a regular expression for its kind
splits each row. If the expression stops early, `Stuck` names the state of the row, and
`hand.messages` has the message for that state.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import CARDS, PRINTED_SUITS, Card, Seat, Suit
from oddtrick.cards import cards_in as cards_of
from oddtrick.record.deal import (
    MOST,
    MOST_IN_CALL,
    RANK,
    RANK_WRITTEN,
    SUIT_WRITTEN,
    UNKNOWN_CARD,
    Claim,
    Span,
    call,
    holding,
)
from oddtrick.record.hand.words import (
    BLANK,
    COUNT,
    END,
    NUMBERS,
    OPENING,
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
CLAIM_VERBS = ("claims", "concedes")
_VERB = rf"{SEAT}{BLANK}+(?:{'|'.join(CLAIM_VERBS)}){END}"
_CLAIMED = rf"(?:the{END}{SEP}rest{END}|{COUNT}(?:{SEP}tricks?{END})?)"
_CLAIM = re.compile(
    rf"(?P<seat>{SEAT}){BLANK}+(?P<verb>{'|'.join(CLAIM_VERBS)}){SEP}"
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
def _packed(written: str, odd_tricks: int | None, denomination: str | None) -> int:
    """A call packed into an integer; a bid has odd tricks, a bid or make a denomination."""
    words = _BLANKS.sub(" ", small(denomination or written))
    if denomination:
        return call("make" if odd_tricks is None else "bid", odd_tricks, WRITTEN[words])
    return call("unrecorded" if words[0] in ".…" else _KINDS[words])


def calls_in(text: str, start: int, first: bool = True) -> Row:
    """Parse the calls of a row that begins at offset `start`.

    `first` is false for text that continues a row. Raises `Stuck`, or `Malformed` for a number
    that is too great.
    """
    row, at = Row([], [], [], (start, start + len(text))), 0
    while at < len(text):
        found = _CALL.match(text, at)
        if not found:
            raise Stuck("calls 1" if first and not at else "calls 0", text, start, at)
        seat, corrects, written, count, bid, make, mark = found.groups()
        number = len(row.packed)
        odd = number_of(count, start + found.start("count"), MOST_IN_CALL) if count else None
        row.packed.append(_packed(written, odd, bid or make))
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
    word = small(written)
    if word[0] in "-–—":
        return UNKNOWN_CARD
    return CARDS[SUIT_WRITTEN[word[0]]][RANK_WRITTEN[RANK.findall(word, 1)[-1]]]


def cards_in(text: str, start: int, first: bool = True) -> Row:
    """Parse the cards of a row that begins at offset `start`.

    `first` is false for text that continues a row. Raises `Stuck`.
    """
    led = _LEADER.match(text) if first else None
    row = Row([], [], [], (start, start + len(text)), seat_of(led[1]) if led else None)
    at = led.end() if led else 0
    while at < len(text):
        found = _CARD.match(text, at)
        if not found:
            none = first and not row.packed
            raise Stuck("cards 1" if none else "cards 0", text, start, 0 if none else at)
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
    if not found or found.end() < len(text):
        state, stop = ("bracketed 1", found.end()) if found else ("bracketed 0", at)
        raise Stuck(state, text, start, stop)
    details = [Detail(0, "player", seat_of(named[1]))] if named else []
    if found["mark"]:
        details.append(Detail(0, "mark", found["mark"]))
    return Row([_card(found["card"])], [start + at], details, (start, start + len(text)))


def hand_in(text: str, start: int) -> Held:
    """Parse a hand. Raises `Stuck`."""
    named = _PLAYER.match(text)
    if not named:
        raise Stuck("hands 1", text, start, 0)
    held, again = 0, []
    unknown: dict[Suit, int] = {}
    at, end, state = named.end(), len(text), "hands 0"
    while found := _HOLDING.match(text, at):
        word, _, ranks, letter, more = found.groups()
        suit = SUIT_WRITTEN[small(word or letter)]
        cards, number, repeated = holding(suit, small(ranks or more or ""))
        if repeated or held & cards:
            again += [*cards_of(held & cards), *repeated]
        held |= cards
        if number or not cards:
            unknown[suit] = unknown.get(suit, 0) + number
        at, state = found.end(), "hands 2" if cards or number else "hands 3"
    if partial := _MORE.match(text, at):
        at, state = partial.end(), "hands 4"
    if at < end or state == "hands 0":
        raise Stuck(state, text, start, at)
    # A void is a separate fact only in a partial hand; in a complete hand it follows from the
    # cards.
    small_cards = [(suit, unknown[suit]) for suit in PRINTED_SUITS if suit in unknown]
    written = tuple([(suit, number) for suit, number in small_cards if number or partial])
    span = start, start + end
    return Held(seat_of(named[1]), held, tuple(again), written, bool(partial), span)


def claim_in(text: str, start: int) -> Claim:
    """Parse a claim; the caller sets `after_trick` and the span. Raises `Stuck` or `Malformed`."""
    found = _CLAIM.match(text)
    if not found or found.end() < len(text):
        raise Stuck("claims 0", text, start, 0)
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
ROW_WORDS = frozenset((*_CALL_STARTS, *SUIT_WORDS))
"""The words with which a hand, a row of calls or a row of cards can begin."""
WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
STRETCH = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*|[0-9]+|[^\s,\"#]+|.", re.DOTALL)


Words = Sequence[str]
_SEAT_COLON = f"(?:{SEAT}{SEP}:{SEP})?"
_LEAD = f"{_SEAT_COLON}(?:corrects{END}{SEP})?"
_BID = f"{_LEAD}(?:{COUNT}|make{END})"
_CALL_PARTS: Mapping[str, Words] = {
    SEAT: (),
    f"{SEAT}{SEP}:": CALL_WORDS,
    f"{_SEAT_COLON}corrects{END}": CALL_WORDS,
    f"{_LEAD}{COUNT}": DENOMINATION_WORDS,
    f"{_LEAD}make{END}": DENOMINATION_WORDS,
    f"{_BID}{SEP}royal{END}": ("spades", "spade"),
    f"{_BID}{SEP}no{END}": ("trumps", "trump"),
    f"{_LEAD}all{END}": ("pass",),
    f"{_LEAD}may{END}(?:{SEP}i{END})?": ("lead",),
    f"{_LEAD}pass{SEP}to{END}": ("partner",),
}
_CLAIM_PARTS: Mapping[str, Words] = {
    _VERB: (),
    f"{_VERB}{SEP}the{END}": ("rest",),
    f"{_VERB}{SEP}{_CLAIMED}(?:{SEP}(?:agreed|refused){END})?": ("agreed", "refused", "tricks"),
}
_STATES: Mapping[str, tuple[Words, Mapping[str, Words]]] = {
    "calls 0": (_CALL_STARTS, _CALL_PARTS),
    "calls 1": ([*_CALL_STARTS, *OPENING], _CALL_PARTS),
    "cards 1": ([*SEAT_WORDS, *OPENING], {SEAT: CLAIM_VERBS, f"{SEAT}{SEP}:": ()}),
    "hands 1": ([*SEAT_WORDS, *OPENING], {}),
    **dict.fromkeys(("hands 0", "hands 2", "hands 3"), (SUIT_WORDS, {_SUIT: ()})),
    "claims 0": ((), _CLAIM_PARTS),
}
"""The states of a row between two parts, with the words that can follow in each.

Each state also has the patterns of an incomplete part, with the words that can follow that.
"""
AFTER_LEADER = "cards part 1"
"""The state of a trick in which only the leader has been named."""


class Stuck(Exception):
    """Raised for a row that cannot be read between the offsets `at` and `end`.

    `state` names what was read before, and selects the message in `hand.messages`. `words` are the
    words that could follow.
    """

    def __init__(self, state: str, text: str, start: int, at: int) -> None:
        super().__init__()
        words, parts = _STATES.get(state, ((), {}))
        found = [
            (part.end(), f"{state.partition(' ')[0]} part {number}", words)
            for number, (pattern, words) in enumerate(parts.items())
            if (part := re.compile(SEP + pattern, re.IGNORECASE).match(text, at))
        ]
        at, self.state, self.words = max(found, default=(at, state, words))
        self.at, self.end = start + at, start + len(text)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most similar to `word`; empty if none is similar."""
    near = sorted(w for w in known if len(w) > 2)
    return next(
        iter(difflib.get_close_matches(word.lower(), near, 1, 0.65) if len(word) <= 30 else ()), ""
    )
