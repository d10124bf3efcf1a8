"""One line of a `.hand` file as one statement, by the grammar in `hand.lark`.

A line is read by itself; what may stand on it depends on the section, which is the start symbol:
`statement_line`, `hand_line`, `call_line` or `trick_line`. This module needs Lark; `lines` reads
the usual lines without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypedDict, TypeVar

from lark import Lark, Token, Tree, UnexpectedInput
from lark.tree import Meta

from oddtrick.cards import CARDS, PACK, PRINTED_SUITS, SEAT_OF, SIDE_OF, Card, Seat, Side, Suit
from oddtrick.paths import folder
from oddtrick.record.hand.errors import explained
from oddtrick.record.hand.forgive import as_meant
from oddtrick.record.hand.words import (
    NUMBERS,
    RANK,
    SECTIONS,
    Malformed,
    Statement,
    rank_of,
    suit_of,
    text_of,
    unquoted,
)
from oddtrick.record.model import (
    MOST,
    MOST_IN_CALL,
    Call,
    Declaration,
    Hand,
    HonoursClaim,
    Incident,
    Place,
    Played,
    Result,
    ScoreClaim,
    SideFigures,
    Stated,
    TableClaim,
    Trick,
)

STARTS = ("statement_line", *SECTIONS.values())
LOOK_ALIKES = str.maketrans({"ſ": "s", "\N{KELVIN SIGN}": "k", "İ": "i", "ı": "i"})


class _WordFirst:
    """Offers WORD to the lexer everywhere, so that an unknown word is taken whole and never cut.

    Four letters of Unicode match an ASCII letter where capitals do not count: in words of the
    grammar they are it.
    """

    always_accept = ("WORD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens as they come, the words of the grammar in ASCII letters."""
        for token in stream:
            named = token.isascii() or token.type in ("WORD", "STRING")
            yield token if named else token.update(value=token.translate(LOOK_ALIKES))


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of one line, made once."""
    return Lark(
        (folder("grammar") / "hand.lark").read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        postlex=_WordFirst(),
        propagate_positions=True,
        maybe_placeholders=False,
        strict=strict,
    )


def parse_line(text: str, line: int, start: str) -> Statement:
    """The statement on a line. Raises `Malformed` with the words for the reader and the place."""
    return parse_meant(text, line, start, False)[0]


def parse_meant(
    text: str, line: int, start: str, forgiving: bool = True
) -> tuple[Statement, str | None]:
    """The statement on a line, and where it is written as people write it, as what it is read.

    Raises `Malformed` with the words for the reader and the place: the question, where the line can
    be meant in two ways; what is wrong behind the part of it that is understood.
    """
    try:
        return statement(parser().parse(text, start=start), line), None
    except UnexpectedInput as error:
        meant = _as_meant(text, line, start) if forgiving else None
        if meant is None:
            raise explained(error, text, line, start, parser()) from None
        return meant
    except Malformed:
        meant = _as_meant(text, line, start) if forgiving else None
        if meant is None:
            raise
        return meant


def statement(tree: Tree[Token], line: int, columns: Sequence[int] = ()) -> Statement:
    """What the tree of a line says. Raises `Malformed` for what the grammar alone cannot refuse.

    `columns` are those in which the letters of the line are written, where it was spelled anew.
    """
    said: Statement = _Words(line, columns).read(tree)
    return said


def _as_meant(text: str, line: int, start: str) -> tuple[Statement, str] | None:
    """The statement on a line that is spelled anew, and the line as it is understood, if it is."""
    wrong: Malformed | None = None
    for meant in as_meant(text, line, start):
        try:
            tree = parser().parse(meant.text, start=meant.start)
            return statement(tree, line, meant.columns), meant.said
        except UnexpectedInput as error:
            if meant.start == "statement_line" and meant.text != text:
                said = explained(error, meant.text, line, meant.start, parser())
                if said.rule != "notation.unknown-word":
                    wrong = Malformed(said.rule, said.message, meant.place(said.place))
        except Malformed:
            continue
    try:
        if wrong:
            raise wrong
    finally:
        del wrong  # the error would keep this frame, and this frame the error
    return None


class Declared(TypedDict, total=False):
    """A part of a final declaration as it is written."""

    odd_tricks: int | None
    denomination: str
    doubled: int | None
    bridged: bool
    declarer: Seat


# --- rules that differ by a word only -------------------------------------------------------------

T = TypeVar("T")
Holding = tuple[Suit, list[tuple[str, Place]]]
"""The ranks of a suit as a hand has them, each with its place."""


def _statement_of(word: str) -> Callable[..., Statement]:
    def said(words: _Words, meta: Meta, value: object = None) -> Statement:
        return words.say(word, meta, value)

    return said


def _name_of(word: str) -> Callable[[_Words, Meta, Token], Statement]:
    return lambda words, meta, name: words.say(
        word, meta, Stated(text_of(name).lower(), words.at(name))
    )


def _names_of(word: str, order: Sequence[Seat | Side]) -> Callable[..., Statement]:
    def names(words: _Words, meta: Meta, *items: Seat | Side | Token) -> Statement:
        who = [i for i in items if not isinstance(i, Token)]
        named = dict(zip(who, (unquoted(i) for i in items if isinstance(i, Token)), strict=True))
        words.once([w.word for w in who], meta)
        return words.say(word, meta, tuple((w, named[w]) for w in order if w in named))

    return names


def _playing_of(value: str) -> Callable[[_Words, Meta], Statement]:
    return lambda words, meta: words.say("playing", meta, Stated(value, words.at(meta)))


def _call_of(kind: str) -> Callable[..., Call]:
    return lambda words, meta, *_: Call(kind, place=words.at(meta))


def _result_of(kind: str) -> Callable[[_Words, Meta, Token], Result]:
    return lambda words, meta, number: Result(kind, words.number(number), words.at(meta))


def _clause(name: str) -> Callable[[_Words, Meta, Seat | Token], tuple[str, Seat | str]]:
    return lambda _, __, said: (name, unquoted(said) if isinstance(said, Token) else said)


def _always(value: T) -> Callable[..., T]:
    return lambda *_: value


def _first(_words: _Words, _meta: Meta, said: T) -> T:
    return said


def _lower(_words: _Words, _meta: Meta, word: Token) -> str:
    return word.lower()


class _Words:
    """From the tree of one line to its statement: each method is a rule of the grammar, and takes
    what the parts of the rule say.

    A plain walk from the leaves up takes a third of the time of lark's `Transformer`.
    """

    def __init__(self, line: int, columns: Sequence[int] = ()) -> None:
        self.line = line
        self.columns = columns

    def read(self, tree: Tree[Token]) -> Any:
        parts = [self.read(c) if isinstance(c, Tree) else c for c in tree.children]
        return getattr(self, tree.data)(tree.meta, *parts)

    # --- places and numbers -----------------------------------------------------------------------

    def at(self, meta: Meta | Token) -> Place:
        return self.place(meta.column or 1, meta.end_column or 1)

    def place(self, start: int, end: int) -> Place:
        if self.columns:
            start, end = self.columns[start - 1], self.columns[max(start, end - 1) - 1] + 1
        return Place(self.line, start, self.line, end)

    def say(self, word: str, meta: Meta, value: object) -> Statement:
        return Statement(word, value, self.at(meta))

    def number(self, token: Token, most: int = MOST) -> int:
        word = token.lower()
        if word in NUMBERS:
            return NUMBERS.index(word)
        if len(token) > 6 or int(token) > most:
            where = "a bid" if most == MOST_IN_CALL else "a record"
            said = f"A number in {where} is at most {most}."
            raise Malformed("notation.syntax", said, self.at(token))
        return int(token)

    def once(self, words: Sequence[str], meta: Meta) -> None:
        for number, word in enumerate(words):
            if word in words[:number]:
                raise Malformed("notation.syntax", f"`{word}` is written twice.", self.at(meta))

    statement_line = hand_line = call_line = trick_line = _first

    # --- where the record comes from --------------------------------------------------------------

    code = _name_of("code")
    option = _name_of("option")
    players = _names_of("players", tuple(Seat))
    sides = _names_of("sides", tuple(Side))

    def reading(self, meta: Meta, said: Token) -> Statement:
        text = text_of(said).lower()
        if "=" not in text:
            message = f"`{text}` names no choice. Write `reading CODE:ID=CHOICE`."
            raise Malformed("notation.syntax", message, self.at(said))
        return self.say("reading", meta, Stated(text, self.at(said)))

    def named(self, meta: Meta, name: Token, text: Token) -> Statement:
        return self.say("tag", meta, (name.lower(), unquoted(text)))

    def date(self, meta: Meta, date: Token) -> Statement:
        return self.say("tag", meta, ("date", text_of(date)))

    def tag(self, meta: Meta, name: Token, text: Token) -> Statement:
        return self.say("tag", meta, (text_of(name), unquoted(text)))

    # --- deals, rubbers, matches ------------------------------------------------------------------

    total = _statement_of("total")

    def deal(self, meta: Meta, name: Token, title: Token | None = None) -> Statement:
        told = None if title is None else unquoted(title)
        return self.say("deal", meta, (f"deal {text_of(name)}", told))

    def group(self, meta: Meta, kind: Token, title: Token | None = None) -> Statement:
        return self.say(kind.lower(), meta, None if title is None else unquoted(title))

    def end(self, meta: Meta, _: Token, kind: Token) -> Statement:
        return self.say("end", meta, kind.lower())

    def won(self, meta: Meta, side: Stated[Side], number: Token | None = None) -> Statement:
        points = None if number is None else Stated(self.number(number), self.at(number))
        return self.say("won", meta, (side, points))

    def unfinished(self, meta: Meta, retired: Stated[Side] | None = None) -> Statement:
        return self.say("unfinished", meta, (Stated(True, self.at(meta)), retired))

    # --- before the cards -------------------------------------------------------------------------

    dealer = _statement_of("dealer")
    vulnerable = _statement_of("vulnerable")
    original = _playing_of("original")
    overplay = _playing_of("overplay")
    games = gain = _lower

    def standing(self, meta: Meta, column: str, figures: SideFigures) -> Statement:
        return self.say(f"standing {column}", meta, figures)

    def column(self, _: Meta, word: Token) -> str:
        return "honour" if word.lower() == "honor" else word.lower()

    def figures(self, meta: Meta, *items: Side | Token) -> SideFigures:
        sides = [i for i in items if isinstance(i, Side)]
        numbers = [self.number(i) for i in items if isinstance(i, Token)]
        by_side = dict(zip(sides, numbers, strict=True))
        self.once([side.word for side in sides], meta)
        return SideFigures(by_side.get(Side.NS), by_side.get(Side.EW), self.at(meta))

    def teams(self, meta: Meta, *items: Token) -> Stated[tuple[tuple[str, int], ...]]:
        names = [unquoted(name) for name in items[::2]]
        self.once(names, meta)
        points = map(self.number, items[1::2])
        return Stated(tuple(zip(names, points, strict=True)), self.at(meta))

    def alike(self, meta: Meta, said: Token) -> SideFigures:
        number = self.number(said)
        return SideFigures(number, number, self.at(meta))

    def neither(self, meta: Meta) -> SideFigures:
        return SideFigures(0, 0, self.at(meta))

    def vulnerables(self, meta: Meta, *items: Side | Token) -> Stated[frozenset[Side]]:
        sides = [i for i in items if isinstance(i, Side)]
        if any(isinstance(i, Token) and i.lower() != "none" for i in items):
            sides = list(Side)
        return Stated(frozenset(sides), self.at(meta))

    def tray(self, meta: Meta, number: Token) -> Statement:
        return self.say("tray", meta, Stated(self.number(number), self.at(number)))

    def table(self, meta: Meta, name: Token) -> Statement:
        return self.say("table", meta, Stated(text_of(name), self.at(name)))

    # --- hands ------------------------------------------------------------------------------------

    hands = _statement_of("hands")
    more = _always(None)

    def hand(self, meta: Meta, seat: Seat, *held: Holding | None) -> Statement:
        partial = None in held
        cards: list[tuple[Card, Place]] = []
        small: dict[Suit, int] = {}
        for suit, ranks in filter(None, held):
            cards += [(CARDS[suit][rank], place) for rank, place in ranks if rank != "X"]
            unknown = sum(rank == "X" for rank, _ in ranks)
            # A void is written only to say so where the hand is not complete anyway.
            if unknown or (partial and not ranks):
                small[suit] = small.get(suit, 0) + unknown
        cards.sort(key=lambda held: PACK.index(held[0]))
        hand = Hand(
            tuple(card for card, _ in cards),
            tuple((suit, small[suit]) for suit in PRINTED_SUITS if suit in small),
            partial,
            tuple(place for _, place in cards),
            self.at(meta),
        )
        return self.say("hand", meta, (seat, hand))

    def holding(self, _: Meta, first: Suit | Token, *rest: Token) -> Holding:
        ranks = [] if isinstance(first, Suit) else self._ranks(first, 1)
        for token in rest:
            ranks += self._ranks(token) if token.type == "RANKS" else []
        return first if isinstance(first, Suit) else suit_of(first[0]), ranks

    def _ranks(self, token: Token, start: int = 0) -> list[tuple[str, Place]]:
        column = token.column or 1
        return [
            (rank_of(m[0]), self.place(column + m.start(), column + m.end()))
            for m in RANK.finditer(token, start)
        ]

    # --- calls ------------------------------------------------------------------------------------

    bidding = _statement_of("bidding")
    caller = leader = _first
    corrects = _always("corrects")

    def calls(self, meta: Meta, *calls: Call) -> Statement:
        return self.say("calls", meta, calls)

    def call(self, meta: Meta, *items: Seat | Call | str) -> Call:
        made = next(i for i in items if isinstance(i, Call))
        seat = next((i for i in items if isinstance(i, Seat)), None)
        place = replace(made.place, column=self.at(meta).column)
        corrects = "corrects" in items
        mark, note = _marks(items)
        return replace(made, seat=seat, corrects=corrects, place=place, mark=mark, note=note)

    def bid(self, meta: Meta, number: Token, denomination: str) -> Call:
        return Call("bid", self.number(number, MOST_IN_CALL), denomination, place=self.at(meta))

    def make(self, meta: Meta, denomination: str) -> Call:
        return Call("make", denomination=denomination, place=self.at(meta))

    pass_ = _call_of("pass")
    double = _call_of("double")
    redouble = _call_of("redouble")
    challenge = _call_of("challenge")
    pass_to_partner = _call_of("pass-to-partner")
    may_i_lead = _call_of("may-i-lead")
    yes = _call_of("yes")
    satisfied = _call_of("satisfied")
    all_pass = _call_of("all-pass")
    unrecorded = _call_of("unrecorded")

    denomination = _first
    spades = _always("spades")
    hearts = _always("hearts")
    diamonds = _always("diamonds")
    clubs = _always("clubs")
    no_trump = _always("no-trump")
    nullo = _always("nullo")
    royal_spades = _always("royal-spades")

    def royal(self, _: Meta, name: str) -> str:
        return f"{name}-royal"

    # --- play -------------------------------------------------------------------------------------

    play = _statement_of("play")
    verb = answer = _lower

    def trick(self, meta: Meta, *items: Seat | Played) -> Statement:
        cards = tuple(i for i in items if isinstance(i, Played))
        leader = items[0] if isinstance(items[0], Seat) else None
        return self.say("trick", meta, Trick(cards, leader, place=self.at(meta)))

    def played(self, _: Meta, *items: Seat | Played | Statement | Token) -> Played:
        laid = next(i for i in items if isinstance(i, Played))
        seat = items[0] if isinstance(items[0], Seat) else None
        incidents = tuple(i.value for i in items if isinstance(i, Statement))
        mark, note = _marks(items)
        return replace(laid, seat=seat, incidents=incidents, mark=mark, note=note)

    def laid(self, _: Meta, token: Token) -> Played:
        if token.type == "DASH":
            return Played(None, place=self.at(token))
        rank = rank_of(RANK.findall(token, 1)[-1])
        return Played(CARDS[suit_of(token[0])][rank], place=self.at(token))

    def claim(self, meta: Meta, seat: Seat, verb: str, *rest: str) -> Statement:
        number = next((self.number(i) for i in rest if isinstance(i, Token)), None)
        answer = next((i for i in rest if not isinstance(i, Token)), None)
        return self.say("claim", meta, TableClaim(seat, verb, number, answer, place=self.at(meta)))

    def more_play(self, meta: Meta, *_: Token) -> Statement:
        return self.say("more", meta, None)

    # --- what came of it --------------------------------------------------------------------------

    declaration = _statement_of("declaration")
    undoubled = _always(Declared(doubled=0))
    doubled = _always(Declared(doubled=1))
    redoubled = _always(Declared(doubled=2))
    doubling_unknown = _always(Declared(doubled=None))
    bridged = _always(Declared(bridged=True))

    def declared(self, meta: Meta, *parts: Declared) -> Declaration:
        # Who writes "4 spades by south" and no more says that nobody doubled.
        said = Declared(doubled=0) if "denomination" in parts[0] else Declared()
        for part in parts:
            said |= part
        return Declaration(**said, place=self.at(meta))

    def passed_out(self, meta: Meta) -> Declaration:
        return Declaration(passed_out=True, place=self.at(meta))

    def final(self, _: Meta, *said: str) -> Declared:
        numbers = [self.number(i, MOST_IN_CALL) for i in said if isinstance(i, Token)]
        return Declared(odd_tricks=numbers[0] if numbers else None, denomination=said[-1])

    def doubled_often(self, _: Meta, number: Token) -> Declared:
        return Declared(doubled=self.number(number, MOST_IN_CALL))

    def by_seat(self, _: Meta, seat: Seat) -> Declared:
        return Declared(declarer=seat)

    result = _statement_of("result")
    tricks = _result_of("tricks")
    odd = _result_of("odd")
    made = _result_of("made")
    down = _result_of("down")

    honours = _statement_of("honours")
    chicane = _statement_of("chicane")
    game = _statement_of("game")

    def held(self, meta: Meta, side: Side, number: Token) -> HonoursClaim:
        return HonoursClaim(side, self.number(number), None, self.at(meta))

    def held_together(self, meta: Meta, side: Side, number: Token) -> HonoursClaim:
        return HonoursClaim(side, self.number(number), self.number(number), self.at(meta))

    def held_apart(self, meta: Meta, side: Side, number: Token, in_one: Token) -> HonoursClaim:
        return HonoursClaim(side, self.number(number), self.number(in_one), self.at(meta))

    def score(self, meta: Meta, *items: Side | ScoreClaim) -> Statement:
        claims: list[ScoreClaim] = []
        side = Side.NS
        for item in items:
            if isinstance(item, Side):
                side = item
            else:
                claims.append(replace(item, side=side))
        return self.say("score", meta, tuple(claims))

    def points(self, meta: Meta, column: str, *numbers: Token) -> ScoreClaim:
        return ScoreClaim(Side.NS, column, tuple(map(self.number, numbers)), self.at(meta))

    # --- irregularities ---------------------------------------------------------------------------

    by = _clause("by")
    of = _clause("of")
    noticed_by = _clause("noticed_by")
    remedy = _clause("remedy")
    chosen_by = _clause("chosen_by")
    waived_by = _clause("waived_by")
    when = _clause("when")
    note = _clause("note")

    def incident(self, meta: Meta, name: Token, *clauses: tuple[str, Any]) -> Statement:
        self.once([clause.replace("_", " ") for clause, _ in clauses], meta)
        told = unquoted(name) if name.type == "STRING" else name.lower()
        return self.say("irregularity", meta, Incident(told, **dict(clauses), place=self.at(meta)))

    # --- names of things --------------------------------------------------------------------------

    count = _first

    def seat(self, _: Meta, word: Token) -> Seat:
        return SEAT_OF.get(word.lower()) or SEAT_OF[word.upper()]

    owner = seat

    def side(self, _: Meta, word: Token) -> Side:
        return SIDE_OF.get(word.lower()) or SIDE_OF[word.upper()]

    def suit(self, _: Meta, word: Token) -> Suit:
        return suit_of(word)

    def named_seat(self, meta: Meta, who: T) -> Stated[T]:
        return Stated(who, self.at(meta))

    named_side = named_seat


def _marks(items: Iterable[object]) -> tuple[str | None, str | None]:
    """The mark and the remark behind a call or a card."""
    found = {i.type: i for i in items if isinstance(i, Token)}
    mark, note = found.get("MARK"), found.get("STRING")
    return None if mark is None else str(mark), None if note is None else unquoted(note)
