"""One line of a `.hand` file as one statement, by the grammar in `hand.lark`.

A line is read by itself; what may stand on it depends on the section, which is the start symbol:
`statement_line`, `hand_line`, `call_line` or `trick_line`. This module needs Lark; `lines` reads
the usual lines without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput
from lark.tree import Meta

from oddtrick.cards import CARDS, PACK, PRINTED_SUITS, SEAT_OF, SIDE_OF, Card, Seat, Side, Suit
from oddtrick.paths import folder
from oddtrick.record.hand.errors import explained
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
    try:
        tree = parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise explained(error, text, line, start, parser()) from None
    return statement(tree, line)


def statement(tree: Tree[Token], line: int) -> Statement:
    """What the tree of a line says. Raises `Malformed` for what the grammar alone cannot refuse."""
    said: Statement = _Words(line).read(tree)
    return said


# --- rules that differ by a word only -------------------------------------------------------------


def _statement_of(word: str) -> Callable[[_Words, Meta, list[Any]], Statement]:
    return lambda words, meta, items: words.say(word, meta, items[0] if items else None)


def _name_of(word: str) -> Callable[[_Words, Meta, list[Token]], Statement]:
    return lambda words, meta, items: words.say(
        word, meta, Stated(text_of(items[0]).lower(), words.at(items[0]))
    )


def _names_of(word: str, order: Sequence[Any]) -> Callable[[_Words, Meta, list[Any]], Statement]:
    def names(words: _Words, meta: Meta, items: list[Any]) -> Statement:
        pairs = [(who, unquoted(name)) for who, name in zip(items[::2], items[1::2], strict=True)]
        words.once([who.word for who, _ in pairs], meta)
        return words.say(word, meta, tuple(sorted(pairs, key=lambda p: order.index(p[0]))))

    return names


def _playing_of(value: str) -> Callable[[_Words, Meta, list[Any]], Statement]:
    return lambda words, meta, _: words.say("playing", meta, Stated(value, words.at(meta)))


def _call_of(kind: str) -> Callable[[_Words, Meta, list[Token]], Call]:
    return lambda words, meta, _: Call(kind, place=words.at(meta))


def _result_of(kind: str) -> Callable[[_Words, Meta, list[Token]], Result]:
    return lambda words, meta, items: Result(kind, words.number(items[0]), words.at(meta))


def _clause(name: str) -> Callable[[_Words, Meta, list[Any]], tuple[str, Any]]:
    return lambda _, __, items: (name, _plain(items[0]))


def _always(value: Any) -> Callable[[_Words, Meta, list[Token]], Any]:
    return lambda *_: value


def _first(_words: _Words, _meta: Meta, items: list[Any]) -> Any:
    return items[0]


def _lower(_words: _Words, _meta: Meta, items: list[Token]) -> str:
    return items[0].lower()


def _plain(said: Any) -> Any:
    return unquoted(said) if isinstance(said, Token) else said


class _Words:
    """From the tree of one line to its statement: each method is a rule of the grammar.

    A plain walk from the leaves up takes a third of the time of lark's `Transformer`.
    """

    def __init__(self, line: int) -> None:
        self.line = line

    def read(self, tree: Tree[Token]) -> Any:
        children = [self.read(c) if isinstance(c, Tree) else c for c in tree.children]
        return getattr(self, tree.data)(tree.meta, children)

    # --- places and numbers -----------------------------------------------------------------------

    def at(self, meta: Meta | Token) -> Place:
        return Place(self.line, meta.column or 1, self.line, meta.end_column or 1)

    def say(self, word: str, meta: Meta, value: Any) -> Statement:
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

    def reading(self, meta: Meta, items: list[Token]) -> Statement:
        text = text_of(items[0]).lower()
        if "=" not in text:
            said = f"`{text}` names no choice. Write `reading CODE:ID=CHOICE`."
            raise Malformed("notation.syntax", said, self.at(items[0]))
        return self.say("reading", meta, Stated(text, self.at(items[0])))

    def named(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, (items[0].lower(), unquoted(items[1])))

    def date(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, ("date", text_of(items[0])))

    def tag(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, (text_of(items[0]), unquoted(items[1])))

    # --- deals, rubbers, matches ------------------------------------------------------------------

    total = _statement_of("total")

    def deal(self, meta: Meta, items: list[Token]) -> Statement:
        title = unquoted(items[1]) if items[1:] else None
        return self.say("deal", meta, (f"deal {text_of(items[0])}", title))

    def group(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say(items[0].lower(), meta, unquoted(items[1]) if items[1:] else None)

    def end(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("end", meta, items[1].lower())

    def won(self, meta: Meta, items: list[Any]) -> Statement:
        points = Stated(self.number(items[1]), self.at(items[1])) if items[1:] else None
        return self.say("won", meta, (items[0], points))

    def unfinished(self, meta: Meta, items: list[Any]) -> Statement:
        retired = items[0] if items else None
        return self.say("unfinished", meta, (Stated(True, self.at(meta)), retired))

    # --- before the cards -------------------------------------------------------------------------

    dealer = _statement_of("dealer")
    vulnerable = _statement_of("vulnerable")
    original = _playing_of("original")
    overplay = _playing_of("overplay")
    games = gain = _lower

    def standing(self, meta: Meta, items: list[Any]) -> Statement:
        return self.say(f"standing {items[0]}", meta, items[1])

    def column(self, _: Meta, items: list[Token]) -> str:
        return "honour" if items[0].lower() == "honor" else items[0].lower()

    def figures(self, meta: Meta, items: list[Any]) -> SideFigures:
        by_side = dict(zip(items[::2], map(self.number, items[1::2]), strict=True))
        self.once([side.word for side in items[::2]], meta)
        return SideFigures(by_side.get(Side.NS), by_side.get(Side.EW), self.at(meta))

    def alike(self, meta: Meta, items: list[Token]) -> SideFigures:
        number = self.number(items[0])
        return SideFigures(number, number, self.at(meta))

    def neither(self, meta: Meta, _: list[Token]) -> SideFigures:
        return SideFigures(0, 0, self.at(meta))

    def vulnerables(self, meta: Meta, items: list[Any]) -> Stated[frozenset[Side]]:
        sides = [s for s in items if isinstance(s, Side)]
        if not sides and items[0].lower() != "none":
            sides = list(Side)
        return Stated(frozenset(sides), self.at(meta))

    def tray(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tray", meta, Stated(self.number(items[0]), self.at(items[0])))

    def table(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("table", meta, Stated(text_of(items[0]), self.at(items[0])))

    # --- hands ------------------------------------------------------------------------------------

    hands = _statement_of("hands")
    more = _always(True)

    def hand(self, meta: Meta, items: list[Any]) -> Statement:
        seat, *held = items
        partial = bool(held) and held[-1] is True
        cards: list[tuple[Card, Place]] = []
        small: dict[Suit, int] = {}
        for suit, ranks in held[:-1] if partial else held:
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

    def holding(self, _: Meta, items: list[Any]) -> tuple[Suit, list[tuple[str, Place]]]:
        first, *rest = items
        ranks = [] if isinstance(first, Suit) else self._ranks(first, 1)
        for token in rest:
            ranks += self._ranks(token) if token.type == "RANKS" else []
        return first if isinstance(first, Suit) else suit_of(first[0]), ranks

    def _ranks(self, token: Token, start: int = 0) -> list[tuple[str, Place]]:
        column = token.column or 1
        return [
            (rank_of(m[0]), Place(self.line, column + m.start(), self.line, column + m.end()))
            for m in RANK.finditer(token, start)
        ]

    # --- calls ------------------------------------------------------------------------------------

    bidding = _statement_of("bidding")
    caller = leader = _first
    corrects = _always("corrects")

    def calls(self, meta: Meta, items: list[Call]) -> Statement:
        return self.say("calls", meta, tuple(items))

    def call(self, meta: Meta, items: list[Any]) -> Call:
        made = next(i for i in items if isinstance(i, Call))
        seat = next((i for i in items if isinstance(i, Seat)), None)
        place = replace(made.place, column=meta.column)
        corrects = "corrects" in items
        return replace(made, seat=seat, corrects=corrects, place=place, **_marks(items))

    def bid(self, meta: Meta, items: list[Any]) -> Call:
        return Call("bid", self.number(items[0], MOST_IN_CALL), items[1], place=self.at(meta))

    def make(self, meta: Meta, items: list[str]) -> Call:
        return Call("make", denomination=items[0], place=self.at(meta))

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

    def royal(self, _: Meta, items: list[str]) -> str:
        return f"{items[0]}-royal"

    # --- play -------------------------------------------------------------------------------------

    play = _statement_of("play")
    verb = answer = _lower

    def trick(self, meta: Meta, items: list[Any]) -> Statement:
        cards = tuple(i for i in items if isinstance(i, Played))
        leader = items[0] if isinstance(items[0], Seat) else None
        return self.say("trick", meta, Trick(cards, leader, place=self.at(meta)))

    def played(self, _: Meta, items: list[Any]) -> Played:
        laid = next(i for i in items if isinstance(i, Played))
        seat = items[0] if isinstance(items[0], Seat) else None
        incidents = tuple(i.value for i in items if isinstance(i, Statement))
        return replace(laid, seat=seat, incidents=incidents, **_marks(items))

    def laid(self, _: Meta, items: list[Token]) -> Played:
        token = items[0]
        if token.type == "DASH":
            return Played(None, place=self.at(token))
        rank = rank_of(RANK.findall(token, 1)[-1])
        return Played(CARDS[suit_of(token[0])][rank], place=self.at(token))

    def claim(self, meta: Meta, items: list[Any]) -> Statement:
        seat, verb, *rest = items
        number = next((self.number(i) for i in rest if isinstance(i, Token)), None)
        answer = next((i for i in rest if type(i) is str), None)
        return self.say("claim", meta, TableClaim(seat, verb, number, answer, place=self.at(meta)))

    def more_play(self, meta: Meta, _: list[Token]) -> Statement:
        return self.say("more", meta, None)

    # --- what came of it --------------------------------------------------------------------------

    declaration = _statement_of("declaration")
    undoubled = _always({"doubled": 0})
    doubled = _always({"doubled": 1})
    redoubled = _always({"doubled": 2})
    doubling_unknown = _always({"doubled": None})
    bridged = _always({"bridged": True})

    def declared(self, meta: Meta, items: list[dict[str, Any]]) -> Declaration:
        # Who writes "4 spades by south" and no more says that nobody doubled.
        said: dict[str, Any] = {"doubled": 0} if "denomination" in items[0] else {}
        for item in items:
            said |= item
        return Declaration(**said, place=self.at(meta))

    def passed_out(self, meta: Meta, _: list[Token]) -> Declaration:
        return Declaration(passed_out=True, place=self.at(meta))

    def final(self, _: Meta, items: list[Any]) -> dict[str, Any]:
        number = self.number(items[0], MOST_IN_CALL) if items[1:] else None
        return {"odd_tricks": number, "denomination": items[-1]}

    def doubled_often(self, _: Meta, items: list[Token]) -> dict[str, Any]:
        return {"doubled": self.number(items[0], MOST_IN_CALL)}

    def by_seat(self, _: Meta, items: list[Seat]) -> dict[str, Any]:
        return {"declarer": items[0]}

    result = _statement_of("result")
    tricks = _result_of("tricks")
    odd = _result_of("odd")
    made = _result_of("made")
    down = _result_of("down")

    honours = _statement_of("honours")
    chicane = _statement_of("chicane")
    game = _statement_of("game")

    def held(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        return HonoursClaim(items[0], self.number(items[1]), None, self.at(meta))

    def held_together(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        number = self.number(items[1])
        return HonoursClaim(items[0], number, number, self.at(meta))

    def held_apart(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        return HonoursClaim(items[0], self.number(items[1]), self.number(items[2]), self.at(meta))

    def score(self, meta: Meta, items: list[Any]) -> Statement:
        claims: list[ScoreClaim] = []
        side = Side.NS
        for item in items:
            if isinstance(item, Side):
                side = item
            else:
                claims.append(replace(item, side=side))
        return self.say("score", meta, tuple(claims))

    def points(self, meta: Meta, items: list[Any]) -> ScoreClaim:
        column, *numbers = items
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

    def incident(self, meta: Meta, items: list[Any]) -> Statement:
        name, *clauses = items
        self.once([clause.replace("_", " ") for clause, _ in clauses], meta)
        name = unquoted(name) if name.type == "STRING" else name.lower()
        return self.say("irregularity", meta, Incident(name, **dict(clauses), place=self.at(meta)))

    # --- names of things --------------------------------------------------------------------------

    count = _first

    def seat(self, _: Meta, items: list[Token]) -> Seat:
        return SEAT_OF.get(items[0].lower()) or SEAT_OF[items[0].upper()]

    owner = seat

    def side(self, _: Meta, items: list[Token]) -> Side:
        return SIDE_OF.get(items[0].lower()) or SIDE_OF[items[0].upper()]

    def suit(self, _: Meta, items: list[Token]) -> Suit:
        return suit_of(items[0])

    def named_seat(self, meta: Meta, items: list[Any]) -> Stated[Any]:
        return Stated(items[0], self.at(meta))

    named_side = named_seat


def _marks(items: list[Any]) -> dict[str, Any]:
    """The mark and the remark behind a call or a card."""
    found = {i.type: i for i in items if isinstance(i, Token)}
    return {
        "mark": str(found["MARK"]) if "MARK" in found else None,
        "note": unquoted(found["STRING"]) if "STRING" in found else None,
    }
