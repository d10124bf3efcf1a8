"""A recorded deal as written: facts and claims, nothing judged.

Every notation is parsed into a `Deal`. Hands are bit sets; calls and cards are small integers,
each with the offset in the text where it begins. Rare details (a named caller, a correction, a
mark, a remark, an irregularity) are stored separately, keyed by an `Event` or an index. A fact
that the record does not state is `None`; there are no defaults. Lines and columns are computed
only when something is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from oddtrick.cards import (
    CARDS,
    PACK,
    PRINTED_SUITS,
    RANKS,
    SEATS,
    Card,
    Seat,
    Side,
    Suit,
    cards_in,
)
from oddtrick.limits import IN_CALL, NUMBER

Item = tuple[str | int, ...]
"""The path of an element of a deal, a group or a document; numbers count from 0.

A call is `("bidding", 3)`, a trick `("play", 2)`, its second card `("play", 2, 1)`, a claim
`("claims", 0)`, and an irregularity of the deal `("irregularity", 0)`. The path of an irregularity
at a call, card or claim is the path of that event followed by `"irregularity", 0`.
"""

MOST = NUMBER.most
"""The greatest number that a record may state."""
MOST_IN_CALL = IN_CALL.most
"""The most odd tricks of a bid, and the most doublings of one."""


# --- spans and places -----------------------------------------------------------------------------


Span = tuple[int, int]
"""A range of `Source.text`: the offsets of its start and its end (exclusive)."""
NOWHERE: Span = 0, 0
"""The span of an element that was not read from a text."""
QUOTED = 100
"""The number of characters of a line that are quoted."""


class Place(NamedTuple):
    """A range of a file: lines and columns count from 1; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a file or of part of one; `line` is the line of the file where it begins.

    Every line of the text ends with a line feed, whatever the file uses.
    """

    name: str = "-"
    notation: str = "hand"
    text: str = field(default="", repr=False)
    line: int = 1

    def place(self, span: Span) -> Place:
        """The lines and columns of a span."""
        starts = line_starts(self.text)
        first = bisect_right(starts, span[0]) - 1
        last = bisect_right(starts, max(span[0], span[1] - 1)) - 1
        column, end_column = span[0] - starts[first] + 1, span[1] - starts[last] + 1
        return Place(self.line + first, column, self.line + last, end_column)

    def quoted(self, span: Span) -> tuple[str, str, str]:
        """The line on which a span begins, cut around the span: before, within and after it."""
        start, end = self.text.rfind("\n", 0, span[0]) + 1, self.text.find("\n", span[0])
        end = len(self.text) if end < 0 else end
        first = max(start, span[0] - QUOTED // 2) if end - start > QUOTED else start
        cut = self.text[first : min(end, first + QUOTED)]
        begins = span[0] - first
        ends = max(begins + 1, min(span[1] - first, len(cut.rstrip()) or 1))
        return cut[:begins], cut[begins:ends], cut[ends:]


@lru_cache(8)
def line_starts(text: str) -> Sequence[int]:
    """The offsets where the lines of a text begin."""
    return [0, *(found.end() for found in re.finditer("\n", text))]


class Event(NamedTuple):
    """A call, card or claim of a deal (`kind`), with its index (`number`) among those."""

    kind: str
    number: int


# --- calls and cards as integers ------------------------------------------------------------------

CALL_KINDS = tuple(
    "bid pass double redouble challenge make pass-to-partner may-i-lead yes satisfied all-pass"
    " unrecorded".split()
)
"""The kinds of calls. `make` to `satisfied` belong to Bridge; `all-pass` means the passes that
end the auction; `unrecorded` means that more calls were made than are written."""

BID, PASS, DOUBLE, REDOUBLE = range(4)
ALL_PASS, UNRECORDED = CALL_KINDS.index("all-pass"), CALL_KINDS.index("unrecorded")

DENOMINATIONS = tuple(
    "clubs diamonds hearts spades no-trump royal-spades nullo clubs-royal diamonds-royal"
    " hearts-royal spades-royal no-trump-royal nullo-royal".split()
)
"""All denominations that a record can name. Their order is not a ranking: each code has its own."""

_NUMBERED = {name: number for number, name in enumerate(DENOMINATIONS, 1)}
_KINDS = {name: number for number, name in enumerate(CALL_KINDS)}


def call(kind: str, odd_tricks: int | None = None, denomination: str | None = None) -> int:
    """A call packed into one integer: odd tricks, denomination and kind in separate bit fields."""
    named = _NUMBERED[denomination] if denomination else 0
    return (odd_tricks or 0) << 8 | named << 4 | _KINDS[kind]


def kind_of(packed: int) -> str:
    """The kind of a packed call, one of `CALL_KINDS`."""
    return CALL_KINDS[packed & 15]


OF_BID = 0xFF
"""The bits of a packed bid that all bids in its denomination share, and no other call."""


def is_bid(packed: int) -> bool:
    """Whether a packed call is a bid."""
    return packed & 15 == BID


def odd_tricks_of(packed: int) -> int | None:
    """The odd tricks of a bid; `None` for any other call."""
    return None if packed & 15 else packed >> 8


def denomination_of(packed: int) -> str | None:
    """The denomination of a bid or a make; `None` for any other call."""
    named = packed >> 4 & 15
    return DENOMINATIONS[named - 1] if named else None


UNKNOWN_CARD = 0
"""The number of a card that the record omits; every other number is that of a `Card`."""


# --- rare details ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Incident:
    """An irregularity as written, and what was done about it according to the record.

    `name` is from the catalogue, or free hyphenated words. `event` is the call, card or claim at
    which it happened. If it belongs to the deal itself, `event` is `None`, and `after` is the last
    part of the deal that was over: `bidding`, `play` or `None`. `item` is its path, set by
    `with_items`.
    """

    name: str
    by: Seat | None = None
    of: str | None = None
    noticed_by: Seat | None = None
    remedy: str | None = None
    chosen_by: Seat | None = None
    waived_by: Seat | None = None
    when: str | None = None
    note: str | None = None
    event: Event | None = None
    after: str | None = None
    span: Span = NOWHERE
    item: Item = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """Tricks claimed or conceded during the play; `tricks` is `None` for all remaining tricks.

    `verb` is `claims` or `concedes`; `answer` is `agreed`, `refused` or `None`.
    """

    seat: Seat
    verb: str
    tricks: int | None = None
    answer: str | None = None
    after_trick: int = 0
    span: Span = NOWHERE


class Remark(NamedTuple):
    """The mark (`!`, `?`) and the remark written after a call or a card."""

    event: Event
    mark: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class HandDetail:
    """The details of a hand that its bit set cannot represent.

    `partial` means that the player held more cards than are written. `small` counts the cards
    written `x` in each suit; in a partial hand, a count of 0 is a void that the record states.
    `again` lists the repeated cards, those written more than once.
    """

    seat: Seat
    partial: bool = False
    small: tuple[tuple[Suit, int], ...] = ()
    again: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment and the path of the item that it belongs to; `where` is `before` or `after`.

    `anchor` is that path, such as `("bidding", 3)`, `("hands", "N")` or `("end",)`.
    """

    text: str
    anchor: Item
    where: str
    span: Span = NOWHERE


# --- stated facts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declaration:
    """The final declaration as stated.

    `doubled` is 0 (undoubled), 1 (doubled) or 2 (redoubled); in Bridge it may be 3 or more. If all
    four players passed, only `passed_out` is set.
    """

    odd_tricks: int | None = None
    denomination: str | None = None
    doubled: int | None = None
    declarer: Seat | None = None
    bridged: bool = False
    passed_out: bool = False


class Result(NamedTuple):
    """The declaring side's result: `kind` is `tricks`, `odd`, `made` (overtricks) or `down`."""

    kind: str
    number: int


class Honours(NamedTuple):
    """Honours as claimed: `total` of a side, and `in_one_hand` if that is stated."""

    side: Side
    total: int
    in_one_hand: int | None = None


class Score(NamedTuple):
    """Points as written down for a side in one column, amount by amount.

    `column` is `trick` or `honour`, in a match also `gain`.
    """

    side: Side
    column: str
    points: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the amounts."""
        return sum(self.points)


class Figures(NamedTuple):
    """A number for each side; `None` if the record does not state it."""

    ns: int | None = None
    ew: int | None = None

    def of(self, side: Side) -> int | None:
        """The number of a side."""
        return self.ns if side is Side.NS else self.ew


@dataclass(frozen=True, slots=True)
class Header:
    """Facts that can be stated once for many deals: code, options, tags, players, sides.

    `stated` maps the paths of the code and the options to their spans.
    """

    code: str | None = None
    options: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    sides: tuple[tuple[Side, str], ...] = ()
    stated: tuple[tuple[Item, Span], ...] = ()


NO_HEADER = Header()


class Deal(NamedTuple):
    """One recorded deal, the same for every notation.

    Text: `id` names the deal in reports; `span` is its range in the text; `stated` maps the paths
    of single statements (`("dealer",)`, `("score", 1)`) to their spans.

    Header: code, options, tags, players and sides are those that apply to the deal. If some of
    them are stated for several deals at once, `own` contains those that the deal itself states.

    Cards: `hands` are bit sets in the order of `SEATS`; the entry of `hand_spans` is `None` for a
    hand that is not written.

    Offsets: `call_starts` and `card_starts` are the offsets of the calls and cards; empty if the
    deal was not read from a text.

    Auction: `calls` is `None` if no auction is recorded. The calls are in turn from `first_caller`
    (if `None`, the dealer), except where `callers` names the player of a call by its index.
    `corrections` holds the indexes of calls with which a player replaces his last call.

    Play: `cards` is `None` if no play is recorded. `trick_starts` holds the index of the first
    card of each trick, so a trick may have any number of cards. If `columns` is a seat, the cards
    of each trick are in seat order from that seat. Otherwise they are in order of play, from the
    leader in `leaders` (by trick) or, failing that, the player entitled to lead. `players_named`
    names the player of a card by its index. `more_play` means that play continued after the last
    card written.

    `unused` holds text that was not used, and `assumed` what the reader assumed, with their spans.
    """

    source: Source
    span: Span
    id: str
    stated: tuple[tuple[Item, Span], ...] = ()
    code: str | None = None
    options: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    sides: tuple[tuple[Side, str], ...] = ()
    own: Header | None = None
    dealer: Seat | None = None
    vulnerable: frozenset[Side] | None = None
    standing_games: Figures | None = None
    standing_trick: Figures | None = None
    standing_honour: Figures | None = None
    tray: int | None = None
    table: str | None = None
    playing: str | None = None
    hands: tuple[int, int, int, int] = (0, 0, 0, 0)
    hand_spans: tuple[Span | None, Span | None, Span | None, Span | None] = (None,) * 4
    hand_details: tuple[HandDetail, ...] = ()
    first_caller: Seat | None = None
    calls: tuple[int, ...] | None = None
    call_starts: tuple[int, ...] = ()
    callers: tuple[tuple[int, Seat], ...] = ()
    corrections: tuple[int, ...] = ()
    declaration: Declaration | None = None
    columns: Seat | None = None
    cards: tuple[int, ...] | None = None
    card_starts: tuple[int, ...] = ()
    trick_starts: tuple[int, ...] = ()
    leaders: tuple[tuple[int, Seat], ...] = ()
    players_named: tuple[tuple[int, Seat], ...] = ()
    more_play: bool = False
    claims: tuple[Claim, ...] = ()
    incidents: tuple[Incident, ...] = ()
    remarks: tuple[Remark, ...] = ()
    result: Result | None = None
    honours: tuple[Honours, ...] = ()
    chicane: tuple[Seat | Side, ...] = ()
    scores: tuple[Score, ...] = ()
    game: Side | None = None
    comments: tuple[Comment, ...] = ()
    unused: tuple[tuple[str, Span], ...] = ()
    assumed: tuple[tuple[str, Span], ...] = ()

    @property
    def file(self) -> str:
        """The name of the file from which the deal was read."""
        return self.source.name

    @property
    def place(self) -> Place:
        """The lines and columns of the deal in its file."""
        return self.source.place(self.span)

    def tag(self, name: str) -> str | None:
        """The first value of a tag, or `None`."""
        return next((v for n, v in self.tags if n.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Group:
    """A rubber or a match: its deals in order, and the totals and result that the record claims.

    `kind` is `rubber` or `match`. `total` holds the total of each side and `team_totals` those of
    teams by name; `won_by`, a side or a team, and `points` are the claimed result. `unfinished`
    means that a rubber was broken off, and `retired` is the side that retired. `header` holds what
    the group itself states. `unread` lists its deals that could not be read, by name and span.
    """

    source: Source
    span: Span
    kind: str
    name: str | None = None
    deals: tuple[Deal, ...] = ()
    header: Header = Header()
    total: Figures | None = None
    team_totals: tuple[tuple[str, int], ...] = ()
    won_by: Side | str | None = None
    points: int | None = None
    unfinished: bool = False
    retired: Side | None = None
    stated: tuple[tuple[Item, Span], ...] = ()
    comments: tuple[Comment, ...] = ()
    unread: tuple[tuple[str, Span], ...] = ()


def deals_in(items: Iterable[Deal | Group | Unreadable]) -> Iterator[Deal]:
    """Yield the deals among the items in order, including those in rubbers and matches.

    The first deal of a rubber or match has the comments on the whole too.
    """
    for item in items:
        if isinstance(item, Deal):
            yield item
        elif isinstance(item, Group):
            above = item.comments
            for deal in item.deals:
                yield deal._replace(comments=(*above, *deal.comments)) if above else deal
                above = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Part of a file that cannot be read: a stable rule id (`notation.syntax`), message and span.

    `about` is the deal concerned, by name and span, or `None` if it concerns the file. `unclear`
    means that the text was read but leaves a fact unknown. `harmless` means that everything was
    read, although the notation writes it differently. `header` is the header of the deal concerned,
    kept if the deal itself cannot be read.
    """

    rule: str
    message: str
    source: Source
    span: Span = NOWHERE
    about: tuple[str, Span] | None = None
    unclear: bool = False
    harmless: bool = False
    header: Header = NO_HEADER

    @property
    def place(self) -> Place:
        """The lines and columns of the part in the file."""
        return self.source.place(self.span)


def assumptions(deal: Deal) -> Iterator[Unreadable]:
    """What the reader of a deal assumed, each once, as reports that affect no verdict."""
    first = dict[str, Span]()
    for words, span in deal.assumed:
        first.setdefault(words, span)
    for words, span in first.items():
        message = f"This was assumed: {words}."
        yield Unreadable("notation.understood", message, deal.source, span, harmless=True)


# --- paths and spans of the elements of a deal ----------------------------------------------------


def item_of(deal: Deal, event: Event) -> Item:
    """The path of a call, a card or a claim."""
    if event.kind == "card":
        trick = bisect_right(deal.trick_starts, event.number) - 1
        return ("play", trick, event.number - deal.trick_starts[trick])
    return ("bidding" if event.kind == "call" else "claims", event.number)


def with_items(deal: Deal) -> Sequence[Incident]:
    """The irregularities in order, each with its path in `item`."""
    counts: dict[Event | None, int] = {}
    found = []
    for incident in deal.incidents:
        number = counts[incident.event] = counts.get(incident.event, -1) + 1
        before = item_of(deal, incident.event) if incident.event else ()
        found.append(replace(incident, item=(*before, "irregularity", number)))
    return found


_WORD_END = re.compile(
    r"(?:\s*(?:[1-7](?:nt?|[shdc])|[shdc](?:10|[2-9tjqka])|[pdr])(?=[^|\s]*\s*\|)\s*"
    r"|(?:(?:north|east|south|west|[nesw])\s*:\s*)?(?:corrects\s+)?"
    r"(?:(?:\d+[\s,]*|(?:one|two|three|four|five|six|seven|make)[\s,]+)"
    r"(?:royal\s+)?(?:no[\s-]trumps?|[a-z]*trumps?|spades?|hearts?|diamonds?|clubs?|nullos?|royals"
    r"|nt|[♠♤♥♡♦♢♣♧]|[shdcnr](?!\w))(?:\s+royal\b)?"
    r"|no\s+bid\b|pass\s+to\s+partner|all\s+pass|may\s+i\s+lead"
    r"|(?:[shdc]|[♠♤♥♡♦♢♣♧][\ufe0e\ufe0f]? ?)(?:10|kn(?:ave)?|[2-9tjqka])(?!tisf)"
    r"|(?:mb|pc)\|[^|\n]*|[^\s^=$!?*+,|{;\[\"#]+)|.)(?:!+(?=[^|\s]*\|))?",
    re.IGNORECASE,
)
"""Matches a call or a card in any notation at its offset; the span ends where the match does.

`(?!tisf)` prevents the call `satisfied` from being read as the ace of spades.
"""


def event_span(deal: Deal, event: Event) -> Span:
    """The span of a call, card or claim; `NOWHERE` if the deal was not read from a text."""
    if event.kind == "claim":
        return deal.claims[event.number].span
    starts = deal.call_starts if event.kind == "call" else deal.card_starts
    if not starts:
        return NOWHERE
    found = _WORD_END.match(deal.source.text, starts[event.number])
    return starts[event.number], found.end() if found else starts[event.number]


def span_of(of: Deal | Group, item: Item) -> Span:
    """The span of the element at a path: an event, irregularity, hand, card of a hand or statement.

    If the element has no span of its own, returns the span of the deal or group.
    """
    for path, span in of.stated if 0 < len(item) < 3 else ():
        if path == item:
            return span
    if isinstance(of, Group):
        return of.span
    match item:
        case "hands", seat:
            return of.hand_spans[SEATS.index(Seat(seat))] or of.span
        case "hands", seat, int(index):
            return card_spans(of, Seat(seat))[index]
        case "play", int(trick) if cards := cards_of(of, trick):
            starts, ends = zip(*[event_span(of, Event("card", n)) for n in cards], strict=True)
            return min(starts), max(ends)
        case *_, "irregularity", int(number):
            event = _event_at(of, item)
            spans = [incident.span for incident in of.incidents if incident.event == event]
            return spans[number]
    event = _event_at(of, item)
    return event_span(of, event) if event else of.span


def cards_of(deal: Deal, trick: int) -> range:
    """The indexes of the cards of a trick."""
    return range(*(*deal.trick_starts, len(deal.cards or ()))[trick : trick + 2])


def _event_at(deal: Deal, item: Item) -> Event | None:
    match item:
        case "bidding", int(number), *_:
            return Event("call", number)
        case "play", int(trick), int(number), *_:
            return Event("card", deal.trick_starts[trick] + number)
        case "claims", int(number), *_:
            return Event("claim", number)
    return None


def held(deal: Deal, seat: Seat) -> Sequence[Card]:
    """The cards written for a player, in the order of `PACK`, with repeated cards included."""
    detail = next((d for d in deal.hand_details if d.seat is seat), None)
    cards = [*cards_in(deal.hands[SEATS.index(seat)])]
    return sorted([*cards, *detail.again], key=PACK.index) if detail else cards


SUIT_WRITTEN = {
    word: suit
    for suit, signs in zip(PRINTED_SUITS, ("♠♤", "♥♡", "♦♢", "♣♧"), strict=True)
    for word in (suit.word, suit.word[:-1], suit.value.lower(), *signs)
}
"""Suits by every word, letter and symbol for them, in lower case."""
RANK_WRITTEN = {rank.lower(): rank for rank in RANKS} | {"10": "T", "kn": "J", "knave": "J"}
"""Ranks by every way to write them, in lower case."""
RANK = re.compile(r"10|kn(?:ave)?|[2-9tjqkax]", re.IGNORECASE)


@lru_cache(20_000)
def holding(suit: Suit, ranks: str) -> tuple[int, int, tuple[Card, ...]]:
    """The cards of a suit as a bit set, the number written `x`, and the repeated cards."""
    cards, small, again = 0, 0, []
    for written in RANK.findall(ranks.lower()):
        card = None if written == "x" else CARDS[suit][RANK_WRITTEN[written]]
        if card is None:
            small += 1
        elif cards >> card & 1:
            again.append(card)
        else:
            cards |= 1 << card
    return cards, small, tuple(again)


_OWNER = re.compile(r"(?:(?:north|east|south|west|[nesw])\s*:?(?=[\s♠♤♥♡♦♢♣♧]))?", re.IGNORECASE)
_HELD = re.compile(
    r"(spades?|hearts?|diamonds?|clubs?|[shdc♠♤♥♡♦♢♣♧])(?=[\s\ufe0e\ufe0f:,-]|10|kn|[2-9tjqkax])"
    r"|(10|kn(?:ave)?|[2-9tjqka])|\.",
    re.IGNORECASE,
)
"""A suit, a rank, or the dot between suits that are not named."""


def card_spans(deal: Deal, seat: Seat) -> Sequence[Span]:
    """The spans of the cards in `held`, in the same order.

    If they cannot be told apart, every span is the span of the hand. Empty if the hand is not
    written.
    """
    span, text = deal.hand_spans[SEATS.index(seat)], deal.source.text
    if span is None:
        return ()
    start = _OWNER.match(text, *span).end()  # type: ignore[union-attr]
    dotted = text.count(".", start, span[1]) - text.endswith("...", 0, span[1]) * 3 > 2
    dotted = dotted or (deal.source.notation == "pbn" and start == span[0])
    suits = iter(PRINTED_SUITS if dotted else ())
    suit, found = next(suits, None), list[tuple[Card, Span]]()
    for part in _HELD.finditer(text, start, span[1]):
        named, rank = part.groups()
        if named:
            suit = SUIT_WRITTEN[named.upper().lower()]
        elif rank and suit:
            found.append((CARDS[suit][RANK_WRITTEN[rank.upper().lower()]], part.span()))
        elif dotted and not rank:
            suit = next(suits, None)
    cards = held(deal, seat)
    found.sort(key=lambda pair: PACK.index(pair[0]))
    return [place for _, place in found] if len(found) == len(cards) else [span] * len(cards)
