"""The rows of the sections: a hand, some calls, the cards of a trick, a claim.

The grammar takes each as one token. One expression for each kind splits it. Where the expression
stops, the table of what can be incomplete there gives the message.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import CARDS, PRINTED_SUITS, Card, Seat, Suit
from oddtrick.record.deal import MOST, MOST_IN_CALL, SUIT_WRITTEN, UNKNOWN_CARD, Claim, call
from oddtrick.record.hand.words import (
    BLANK,
    COUNT,
    END,
    NUMBERS,
    OPENING,
    RANK,
    SEAT,
    WRITTEN,
    Malformed,
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
_SPOKEN = {
    "pass": "pass",
    "no bid": "pass",
    "no-bid": "pass",
    "no": "pass",
    "p": "pass",
    "double": "double",
    "x": "double",
    "redouble": "redouble",
    "re-double": "redouble",
    "xx": "redouble",
    "challenge": "challenge",
    "pass to partner": "pass-to-partner",
    "may i lead": "may-i-lead",
    "yes": "yes",
    "satisfied": "satisfied",
    "all pass": "all-pass",
}
_BLANKS = re.compile(f"{BLANK}+")
_LEAD = rf"(?:{SEAT}{SEP}:{SEP})?(?:corrects{END}{SEP})?"
_CALL = re.compile(
    rf"(?:(?P<seat>{SEAT}){SEP}:{SEP})?(?P<corrects>corrects{END}{SEP})?"
    rf"(?P<said>(?P<count>{COUNT}){SEP}(?P<bid>{_DENOMINATION})|make{END}{SEP}(?P<make>{_DENOMINATION})"
    rf"|(?:pass{SEP}to{SEP}partner|no{SEP}bid|all{SEP}pass|may{SEP}i{SEP}lead|no-bid|no(?!{BLANK}+trumps?{END})"
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


class Calls(NamedTuple):
    """Calls in a row; callers, marks and remarks by the number of the call in it."""

    calls: list[int]
    starts: list[int]
    callers: list[tuple[int, Seat]]
    corrections: list[int]
    remarks: list[tuple[int, str | None, str | None]]


class Cards(NamedTuple):
    """Cards in a row, `leader` named before them; marks by the number of the card in it."""

    leader: Seat | None
    cards: list[int]
    starts: list[int]
    remarks: list[tuple[int, str | None, str | None]]


class Held(NamedTuple):
    """A hand: its cards as bits, those written again, small cards by suit, whether it has more."""

    seat: Seat
    cards: int
    again: tuple[Card, ...]
    small: tuple[tuple[Suit, int], ...]
    partial: bool


# --- what a row says ------------------------------------------------------------------------------


@lru_cache(4096)
def _packed(said: str, count: str | None, denomination: str | None) -> int:
    """A call as an integer; `count` and `denomination` are parts of what is said."""
    named = WRITTEN[_BLANKS.sub(" ", small(denomination))] if denomination else None
    if count:
        return call("bid", number_of(count, 0, MOST_IN_CALL), named)
    if named:
        return call("make", None, named)
    words = _BLANKS.sub(" ", small(said))
    return call("unrecorded" if words[0] in ".…" else _SPOKEN[words])


def calls_in(text: str, start: int, first: bool = True) -> Calls:
    """The calls of a row that begins at an offset, or not the `first` of it. Raises `Malformed`."""
    read = Calls([], [], [], [], [])
    at, end = 0, len(text)
    while at < end:
        found = _CALL.match(text, at)
        if not found:
            raise _wrong(text, start, at, _CALLS, 0 if at or not first else 1)
        seat, corrects, said, count, bid, make, mark = found.groups()
        number = len(read.calls)
        if count:
            number_of(count, start + found.start("count"), MOST_IN_CALL)
        read.calls.append(_packed(said, count, bid or make))
        read.starts.append(start + at)
        if seat:
            read.callers.append((number, seat_of(seat)))
        if corrects:
            read.corrections.append(number)
        if mark:
            read.remarks.append((number, mark, None))
        at = found.end()
    return read


@lru_cache(1024)
def _card(written: str) -> int:
    """The number of a card; none for one that is left out."""
    word = small(written)
    if word[0] in "-–—":
        return UNKNOWN_CARD
    return CARDS[SUIT_WRITTEN[word[0]]][_rank(RANK.findall(word, 1)[-1])]


def _rank(written: str) -> str:
    if written[0] == "k" and written != "k":
        return "J"
    return "T" if written == "10" else written.upper()


def cards_in(text: str, start: int, first: bool = True) -> Cards:
    """The cards of a row that begins at an offset, or not the `first` of it. Raises `Malformed`."""
    led = _LEADER.match(text) if first else None
    at, end = led.end() if led else 0, len(text)
    read = Cards(seat_of(led[1]) if led else None, [], [], [])
    while at < end:
        found = _CARD.match(text, at)
        if not found:
            begun = bool(read.cards) or not first
            raise _wrong(text, start, at if begun else 0, _CARDS, 0 if begun else 1)
        written, mark = found.groups()
        if mark:
            read.remarks.append((len(read.cards), mark, None))
        read.cards.append(_card(written))
        read.starts.append(start + at)
        at = found.end()
    return read


def card_in(text: str, start: int) -> Cards:
    """The player and the card within brackets. Raises `Malformed`."""
    named = _PLAYER.match(text)
    at = named.end() if named else 0
    found = _CARD.match(text, at)
    if not found:
        raise _wrong(text, start, at, _BRACKETED, 0)
    if found.end() < len(text):
        raise _wrong(text, start, found.end(), _BRACKETED, 1)
    return Cards(
        seat_of(named[1]) if named else None,
        [_card(found["card"])],
        [start + at],
        [(0, found["mark"], None)] if found["mark"] else [],
    )


_BITS = {
    suit: {
        w: 1 << cards[_rank(w.lower())]
        for w in ("10", "kn", "knave", "Kn", "KN", "Knave", "KNAVE", *"23456789tjqkaTJQKA")
    }
    for suit, cards in CARDS.items()
}


def hand_in(text: str, start: int) -> Held:
    """A hand. Raises `Malformed`."""
    named = _PLAYER.match(text)
    if not named:
        raise _wrong(text, start, 0, _HANDS, 1)
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
            raise _wrong(text, start, at, _HANDS, kind)
        at = found.end()
    if at < end or at == named.end():
        raise _wrong(text, start, at, _HANDS, 4 if at < end else 0)
    if partial:
        # A void is stated only where the hand is not complete anyway.
        unknown |= {suit: unknown.get(suit, 0) for suit in voids}
    small_cards = tuple((s, unknown[s]) for s in PRINTED_SUITS if s in unknown)
    return Held(seat_of(named[1]), held, tuple(again), small_cards, partial)


def claim_in(text: str, start: int) -> Claim:
    """A claim; what is written after it is the caller's to place. Raises `Malformed`."""
    found = _CLAIM.match(text)
    if not found or found.end() < len(text):
        raise _wrong(text, start, 0, _CLAIMS, 0)
    count, answer = found["count"], found["answer"]
    tricks = number_of(count, start + found.start("count"), MOST) if count else None
    verb = small(found["verb"])
    return Claim(seat_of(found["seat"]), verb, tricks, small(answer) if answer else None)


# --- what is wrong with one -----------------------------------------------------------------------

CALL_WORDS = "pass double redouble challenge make corrects may yes satisfied all bid".split()
SEAT_WORDS = "north east south west".split()
SUIT_WORDS = "spades hearts diamonds clubs spade heart diamond club".split()
DENOMINATION_WORDS = [*SUIT_WORDS, "royal", "royals", "nullo", "nullos", "no-trump", "no-trumps"]


class _Row(NamedTuple):
    """What is reported of a row: `begins` of what is no row, `complete` by what stands before.

    `stops` are the incomplete parts, each with its message and the words that can follow.
    """

    neither: str
    words: Sequence[str]
    complete: Sequence[tuple[str, Sequence[str]]]
    stops: Sequence[tuple[re.Pattern[str], str, Sequence[str]]]


def _stops(
    *rows: tuple[str, str, Sequence[str]],
) -> Sequence[tuple[re.Pattern[str], str, Sequence[str]]]:
    return [(re.compile(f"{SEP}{p}", re.IGNORECASE), said, words) for p, said, words in rows]


_CALL_STARTS = [*CALL_WORDS, *SEAT_WORDS, *NUMBERS]
_CALLS = _Row(
    "neither a call nor the word of a statement",
    [*_CALL_STARTS, *OPENING],
    (
        (
            "After a call comes the next one, such as `pass` or `2 hearts`. Write a remark in"
            " quotation marks after its call.",
            _CALL_STARTS,
        ),
        ("A line of `bidding` is calls, such as `2 hearts`, `pass` or `double`.", ()),
    ),
    _stops(
        (SEAT, "After the caller comes a colon, as in `south: 2 hearts`.", ()),
        (f"{SEAT}{SEP}:", "After the colon comes a call, as in `south: 2 hearts`.", CALL_WORDS),
        (
            f"(?:{SEAT}{SEP}:{SEP})?corrects{END}",
            "After `corrects` comes the new call.",
            CALL_WORDS,
        ),
        (
            f"{_LEAD}{COUNT}",
            "After a number of tricks comes a denomination, such as `hearts` or `no-trumps`.",
            DENOMINATION_WORDS,
        ),
        (
            f"{_LEAD}make{END}",
            "After `make` comes a denomination, such as `hearts` or `no-trumps`.",
            DENOMINATION_WORDS,
        ),
        (
            f"{_LEAD}(?:{COUNT}|make{END}){SEP}royal{END}",
            "After `royal` comes `spades`; a royal bid of Royalton is written `3 hearts royal`.",
            ("spades", "spade"),
        ),
        (
            f"{_LEAD}(?:{COUNT}|make{END}){SEP}no{END}",
            "After `no` comes `trumps`.",
            ("trumps", "trump"),
        ),
        (f"{_LEAD}all{END}", "After `all` comes `pass`.", ("pass",)),
        (f"{_LEAD}may{END}(?:{SEP}i{END})?", "After `may` comes `I lead`.", ("lead",)),
        (f"{_LEAD}pass{SEP}to{END}", "After `pass to` comes `partner`.", ("partner",)),
    ),
)
_CARD_FIRST = "A card begins with its suit: `♠3`, not `3♠`."
NEXT_CARD = (
    "After a card comes the next one; a card is its suit and its rank, such as `♠A`, `SA` or `S10`."
)
TRICK = "After the colon come the cards of the trick, such as `♠3 ♠A ♠7 ♠4`."
_CARDS = _Row(
    "neither a card nor the word of a statement",
    [*SEAT_WORDS, *OPENING],
    (
        (NEXT_CARD, ()),
        (
            "A line of `play` is the cards of a trick, such as `west: ♠3 ♠A ♠7 ♠4`; a card begins"
            " with its suit.",
            (),
        ),
    ),
    _stops(
        (
            SEAT,
            "After the seat comes a colon and the card led, or `claims` or `concedes`.",
            ("claims", "concedes"),
        ),
        (f"{SEAT}{SEP}:", TRICK, ()),
    ),
)
_BRACKETED = _Row(
    "",
    (),
    (
        ("In brackets write the player and his card, as in `(east ♥2)`.", ()),
        ("Close the bracket with `)` after the card and its remarks.", ()),
    ),
    (),
)
_HANDS = _Row(
    "neither a seat nor the word of a statement",
    [*SEAT_WORDS, *OPENING],
    (
        (
            "After the seat come suits with their ranks, such as `♠ A K 2`; `...` means that the"
            " hand held more.",
            SUIT_WORDS,
        ),
        ("A line of `hands` begins with a seat: north, east, south or west.", ()),
        (
            "After a rank comes another, the next suit, or `...`. Ranks are A K Q J 10 9 8 7 6 5 4"
            " 3 2, and `x` for a small card.",
            SUIT_WORDS,
        ),
        ("After `-` comes the next suit, or the end of the line.", SUIT_WORDS),
        ("The statement ends before this; the next one begins on a new line.", ()),
    ),
    _stops(
        (
            _SUIT,
            "After the suit come its ranks, such as `A K 10 2`, with `x` for a small card, or `-`"
            " for none.",
            (),
        )
    ),
)
_CLAIMS = _Row(
    "",
    (),
    (("", ()),),
    _stops(
        (_VERB, "After `{word}` comes `the rest` or a number of tricks.", ()),
        (f"{_VERB}{SEP}the{END}", "After `the` comes `rest`.", ("rest",)),
        (
            f"{_VERB}{SEP}{_CLAIMED}(?:{SEP}(?:agreed|refused){END})?",
            "After the claim comes `agreed` or `refused`, or the end of the line.",
            ("agreed", "refused", "tricks"),
        ),
    ),
)
WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
STRETCH = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*|[0-9]+|[^\s,\"#]+|.", re.DOTALL)


def _wrong(text: str, start: int, at: int, row: _Row, complete: int) -> Malformed:
    """What is reported where the part of a row that begins at `at` cannot be read."""
    skipped = (1, 4) if row is _HANDS else (0,) if row is _CARDS else ()
    stops = () if complete in skipped else row.stops
    found = [(m.end(), said, words) for p, said, words in stops if (m := p.match(text, at))]
    if not found and complete == 1 and row.neither and (word := WORD.match(text)):
        guess = nearest(word[0], row.words)
        message = f"`{word[0][:40]}` is {row.neither}"
        message += f": did you mean `{guess}`?" if guess else "."
        return Malformed("notation.unknown-word", message, (start, start + word.end()), guess)
    at, message, words = max(found, default=(at, *row.complete[complete]))
    before, at = text[:at].rstrip(), re.compile(SEP).match(text, at).end()  # type: ignore[union-attr]
    met = STRETCH.match(text, at)
    if met is None:
        span = start + len(before), start + len(before) + 1
    else:
        span = start + met.start(), start + met.end()
        if row is _HANDS and complete == 2 and met[0][0] in "-–—":
            message = "A `-` stands for a whole suit, as in `♠ -`."
        if row is _CARDS and before and met[0][0].isdigit() and message in (NEXT_CARD, TRICK):
            message = _CARD_FIRST
        if WORD.fullmatch(met[0]) and (guess := nearest(met[0], words)):
            message += f" Did you mean `{guess}`?"
    return Malformed(
        "notation.syntax", message.replace("{word}", before.split()[-1] if before else ""), span
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like a word; empty if none is near."""
    near = sorted(w for w in known if len(w) > 2)
    return next(
        iter(difflib.get_close_matches(word.lower(), near, 1, 0.65) if len(word) <= 30 else ()), ""
    )
