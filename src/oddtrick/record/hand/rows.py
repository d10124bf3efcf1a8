"""Rows of `hands`, `bidding` and `play` read without the grammar, one pattern for each kind of row.

The grammar in `hand.lark` stays the definition. A row is taken here only where it is certain to mean the
same, place by place; any other, and every row that cannot be read, is left to `notation_lines`, which
alone has messages. The tests hold the two together. Patterns take ASCII words and the printed suits only,
and blanks for good (`*+`), so that a long line costs no more than its length.
"""

from __future__ import annotations

import re
from operator import itemgetter

from oddtrick.cards import PACK, PRINTED_SUITS, RANKS, SEAT_OF, Card, Suit
from oddtrick.record.hand.tokens import SUITS, Statement
from oddtrick.record.model import Call, Hand, Place, Played, Trick

SEAT_WORDS = {word.lower(): seat for word, seat in SEAT_OF.items()}
PLAIN = {
    **{word.lower(): suit.word for word, suit in SUITS.items()},
    **dict.fromkeys(("no-trump", "no-trumps", "notrump", "notrumps", "nt", "n"), "no-trump"),
    **dict.fromkeys(("no trump", "no trumps"), "no-trump"),
    **dict.fromkeys(("nullo", "nullos"), "nullo"),
}
DENOMINATION_WORDS = {
    **PLAIN,
    **{f"{word} royal": f"{name}-royal" for word, name in PLAIN.items()},
    **dict.fromkeys(("royals", "r"), "royal-spades"),
    **{f"royal {word}": "royal-spades" for word, name in PLAIN.items() if name == "spades"},
}
CALL_WORDS: dict[str, tuple[str, str | None]] = {
    **{f"make {word}": ("make", name) for word, name in DENOMINATION_WORDS.items()},
    **dict.fromkeys(("pass", "no bid", "no-bid", "no", "p"), ("pass", None)),
    **dict.fromkeys(("double", "x"), ("double", None)),
    **dict.fromkeys(("redouble", "re-double", "xx"), ("redouble", None)),
    **{kind: (kind, None) for kind in ("challenge", "yes", "satisfied")},
    "all pass": ("all-pass", None),
    "pass to partner": ("pass-to-partner", None),
    "may i lead": ("may-i-lead", None),
}
"""Every call but a bid: its words to its kind and denomination. No other call goes on with words that are one."""

RANK_WORDS = {word: rank for rank in RANKS for word in {rank, rank.lower()}} | {"10": "T"}
HELD_CARDS = {
    suit.symbol: {word: PACK.index(Card(suit, rank)) for word, rank in RANK_WORDS.items()}
    for suit in Suit
}
"""Suits as a hand prints them, each with its ranks as they are written and the place of the card in the pack."""
SUIT_SIGNS = {suit.symbol: suit for suit in Suit}
PLAYED_CARDS: dict[str, Card | None] = {
    sign + word: PACK[PACK.index(Card(suit, rank))]
    for suit in Suit
    for sign in (suit.symbol, f"{suit.symbol} ", suit.value, suit.value.lower())
    for word, rank in RANK_WORDS.items()
} | {"-": None}
"""Cards as the play writes them; every card is one object."""

BLANKS = r"[\s,]*+"
SEAT = "(north|east|south|west|[nesw])"
WORDS = "[a-z♠♥♦♣♤♡♢♧-]++(?: [a-z♠♥♦♣♤♡♢♧-]++){0,3}"
FLAGS = re.ASCII | re.IGNORECASE
CALL = re.compile(
    rf"{BLANKS}((?:{SEAT}\s*+:\s*+)?(?:(corrects)\s++)?(?:([0-9]{{1,2}})\s*+)?({WORDS}))([!?]++)?\s*+(?:,|\Z)",
    FLAGS,
)
HAND = re.compile(
    rf"{BLANKS}{SEAT}[\s,]*+(?::[\s,]*+)?"
    r"((?:[♠♥♦♣][\s,]*+(?:-[\s,]*+|(?:(?:10|[2-9TJQKAX])[\s,]*+)++))++)(\.{3}|…)?[\s,]*+(?:#.*)?",
    FLAGS,
)
HELD = re.compile("[♠♥♦♣]|10|[2-9TJQKAX]|-", FLAGS)
CARD = "((?:(?:[♠♥♦♣] ?|[shdc])(?:10|[2-9TJQKA])|-)(?![^\\s,#]))"
TRICK = re.compile(
    rf"{BLANKS}(?:{SEAT}{BLANKS}:{BLANKS})?{CARD}"
    + rf"(?:[\s,]++{CARD})?+" * 3
    + rf"{BLANKS}(?:#.*)?",
    FLAGS,
)
MORE = re.compile(rf"{BLANKS}(\.{{3,}}+|…){BLANKS}(?:#.*)?", FLAGS)


def hand_row(text: str, line: int) -> Statement | None:
    """A player and his cards in printed suits, `north ♠ A K 2 ♥ - ♦ 10 x ...`."""
    row = HAND.fullmatch(text)
    if row is None:
        return None
    held: list[tuple[int, Place]] = []
    small: dict[Suit, int] = {}
    partial = row[3] is not None
    sign, end = "", 0
    for found in HELD.finditer(text, row.start(2), row.end(2)):
        written = found[0]
        start, end = found.span()
        if written in HELD_CARDS:
            sign, cards = written, HELD_CARDS[written]
        elif written in cards:
            held.append((cards[written], Place(line, start + 1, line, end + 1)))
        elif written == "-" and not partial:
            continue
        else:
            suit = SUIT_SIGNS[sign]
            small[suit] = small.get(suit, 0) + (written != "-")
    held.sort(key=itemgetter(0))
    place = Place(line, row.start(1) + 1, line, (row.end(3) if partial else end) + 1)
    hand = Hand(
        tuple([PACK[number] for number, _ in held]),
        tuple((suit, small[suit]) for suit in PRINTED_SUITS if suit in small) if small else (),
        partial,
        tuple([place for _, place in held]),
        place,
    )
    return Statement("hand", (SEAT_WORDS[row[1].lower()], hand), place)


def call_row(text: str, line: int) -> Statement | None:
    """Calls with commas between them, `south: 1 heart, pass, double!`."""
    end = len(text.partition("#")[0].rstrip(" \t,"))
    calls: list[Call] = []
    at = 0
    while at < end:
        found = CALL.match(text, at, end)
        if found is None:
            return None
        _, seat, corrects, number, words, mark = found.groups()
        if number is None:
            kind, denomination = CALL_WORDS.get(words.lower(), ("", None))
        else:
            denomination = DENOMINATION_WORDS.get(words.lower())
            kind = "bid" if denomination else ""
        if not kind:
            return None
        calls.append(
            Call(
                kind,
                None if number is None else int(number),
                denomination,
                SEAT_WORDS[seat.lower()] if seat else None,
                corrects is not None,
                mark,
                place=Place(line, found.start(1) + 1, line, found.end(1) + 1),
            )
        )
        last, at = found.end(1) + len(mark or ""), found.end()
    return (
        Statement("calls", tuple(calls), Place(line, calls[0].place.column, line, last + 1))
        if calls
        else None
    )


def trick_row(text: str, line: int) -> Statement | None:
    """The cards of a trick and who led, `west: ♠3 ♠A ♠7 ♠4`; or `...` for what is not written."""
    row = TRICK.fullmatch(text)
    if row is None:
        more = MORE.fullmatch(text)
        return (
            Statement("more", None, Place(line, more.start(1) + 1, line, more.end(1) + 1))
            if more
            else None
        )
    cards: list[Played] = []
    start = end = 0
    for number in range(2, (row.lastindex or 0) + 1):
        start, end = row.span(number)
        card = PLAYED_CARDS[text[start:end]]
        cards.append(Played(card, None, None, None, (), Place(line, start + 1, line, end + 1)))
    leader = SEAT_WORDS[row[1].lower()] if row[1] else None
    place = Place(line, row.start(1 if leader else 2) + 1, line, end + 1)
    return Statement("trick", Trick(tuple(cards), leader, None, place), place)


ROWS = {"hand_line": hand_row, "call_line": call_row, "trick_line": trick_row}
"""The rows of each section."""
