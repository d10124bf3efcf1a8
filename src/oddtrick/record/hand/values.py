"""The tree of one line of a `.hand` file as a statement: the words of the grammar in values of `record`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from lark import Token, Tree
from lark.tree import Meta

from oddtrick.cards import PRINTED_SUITS, SIDE_OF, Card, Seat, Side, Suit
from oddtrick.record.hand.errors import Unreadable
from oddtrick.record.hand.tokens import (
    NUMBERS,
    RANK,
    Statement,
    rank_of,
    seat_of,
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

V = TypeVar("V")


def statement(tree: Tree[Token], line: int) -> Statement:
    """What the tree of a line says. Raises `Unreadable` for what the grammar alone cannot refuse."""
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
        return words.say(
            word, meta, tuple(sorted(words.once(pairs, meta), key=lambda p: order.index(p[0])))
        )

    return names


def _playing_of(value: str) -> Callable[[_Words, Meta, list[Any]], Statement]:
    return lambda words, meta, _: words.say("playing", meta, Stated(value, words.at(meta)))


def _call_of(kind: str) -> Callable[[_Words, Meta, list[Token]], Call]:
    return lambda words, meta, _: Call(kind, place=words.at(meta))


def _result_of(kind: str) -> Callable[[_Words, Meta, list[Token]], Result]:
    return lambda words, meta, items: Result(kind, words.number(items[0]), words.at(meta))


def _clause(name: str) -> Callable[[_Words, Meta, list[Any]], tuple[str, Any]]:
    return lambda _, __, items: (
        name,
        unquoted(items[0]) if isinstance(items[0], Token) else items[0],
    )


def _always(value: V) -> Callable[[_Words, Meta, list[Token]], V]:
    return lambda *_: value


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
        number = (
            NUMBERS.index(word) if word in NUMBERS else int(token) if len(token) <= 6 else most + 1
        )
        if number > most:
            where = "a bid" if most == MOST_IN_CALL else "a record"
            raise Unreadable(
                "notation.syntax", f"A number in {where} is at most {most}.", self.at(token)
            )
        return number

    def once(self, names: Sequence[tuple[Any, Any]], meta: Meta) -> tuple[tuple[Any, Any], ...]:
        seen: set[Any] = set()
        for name, _ in names:
            if name in seen:
                raise Unreadable(
                    "notation.syntax", f"`{name.word}` is written twice.", self.at(meta)
                )
            seen.add(name)
        return tuple(names)

    # --- lines ------------------------------------------------------------------------------------

    def statement_line(self, _: Meta, items: list[Statement]) -> Statement:
        return items[0]

    hand_line = call_line = trick_line = statement_line

    # --- where the record comes from --------------------------------------------------------------

    code = _name_of("code")
    option = _name_of("option")

    def named(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, (items[0].lower(), unquoted(items[1])))

    def date(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, ("date", text_of(items[0])))

    def tag(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tag", meta, (text_of(items[0]), unquoted(items[1])))

    players = _names_of("players", tuple(Seat))
    sides = _names_of("sides", tuple(Side))

    # --- deals, rubbers, matches ------------------------------------------------------------------

    def deal(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say(
            "deal", meta, (f"deal {text_of(items[0])}", unquoted(items[1]) if items[1:] else None)
        )

    def group(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say(items[0].lower(), meta, unquoted(items[1]) if items[1:] else None)

    def end(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("end", meta, items[1].lower())

    total = _statement_of("total")

    def won(self, meta: Meta, items: list[Any]) -> Statement:
        points = Stated(self.number(items[1]), self.at(items[1])) if items[1:] else None
        return self.say("won", meta, (items[0], points))

    def unfinished(self, meta: Meta, items: list[Any]) -> Statement:
        return self.say(
            "unfinished", meta, (Stated(True, self.at(meta)), items[0] if items else None)
        )

    # --- before the cards -------------------------------------------------------------------------

    dealer = _statement_of("dealer")

    def standing(self, meta: Meta, items: list[Any]) -> Statement:
        return self.say(f"standing {items[0]}", meta, items[1])

    def column(self, _: Meta, items: list[Token]) -> str:
        return "honour" if items[0].lower() == "honor" else items[0].lower()

    games = column
    gain = column

    def figures(self, meta: Meta, items: list[Any]) -> SideFigures:
        pairs = self.once(
            [(s, self.number(n)) for s, n in zip(items[::2], items[1::2], strict=True)], meta
        )
        by_side = dict(pairs)
        return SideFigures(by_side.get(Side.NS), by_side.get(Side.EW), self.at(meta))

    def alike(self, meta: Meta, items: list[Token]) -> SideFigures:
        number = self.number(items[0])
        return SideFigures(number, number, self.at(meta))

    def neither(self, meta: Meta, _: list[Token]) -> SideFigures:
        return SideFigures(0, 0, self.at(meta))

    vulnerable = _statement_of("vulnerable")

    def vulnerables(self, meta: Meta, items: list[Any]) -> Stated[frozenset[Side]]:
        sides = [s for s in items if isinstance(s, Side)]
        if not sides and items[0].lower() != "none":
            sides = list(Side)
        return Stated(frozenset(sides), self.at(meta))

    def tray(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("tray", meta, Stated(self.number(items[0]), self.at(items[0])))

    def table(self, meta: Meta, items: list[Token]) -> Statement:
        return self.say("table", meta, Stated(text_of(items[0]), self.at(items[0])))

    original = _playing_of("original")
    overplay = _playing_of("overplay")

    # --- hands ------------------------------------------------------------------------------------

    hands = _statement_of("hands")

    def hand(self, meta: Meta, items: list[Any]) -> Statement:
        seat, *held = items
        partial = bool(held) and held[-1] is True
        cards: list[tuple[Card, Place]] = []
        small: dict[Suit, int] = {}
        for suit, ranks in (h for h in held if h is not True):
            cards += [(Card(suit, rank), place) for rank, place in ranks if rank != "X"]
            unknown = sum(rank == "X" for rank, _ in ranks)
            # A void is written only to say so where the hand is not complete anyway.
            if unknown or (partial and not ranks):
                small[suit] = small.get(suit, 0) + unknown
        cards.sort(key=lambda c: (PRINTED_SUITS.index(c[0].suit), -c[0].height))
        hand = Hand(
            tuple(c for c, _ in cards),
            tuple((s, small[s]) for s in PRINTED_SUITS if s in small),
            partial,
            tuple(p for _, p in cards),
            self.at(meta),
        )
        return self.say("hand", meta, (seat, hand))

    def holding(self, _: Meta, items: list[Any]) -> tuple[Suit, list[tuple[str, Place]]]:
        first, *rest = items
        ranks = [] if isinstance(first, Suit) else self._ranks(first, 1)
        return first if isinstance(first, Suit) else suit_of(first[0]), [
            *ranks,
            *(r for token in rest if token.type == "RANKS" for r in self._ranks(token)),
        ]

    def _ranks(self, token: Token, start: int = 0) -> list[tuple[str, Place]]:
        column = token.column or 1
        return [
            (rank_of(m[0]), Place(self.line, column + m.start(), self.line, column + m.end()))
            for m in RANK.finditer(token, start)
        ]

    more = _always(True)

    # --- calls ------------------------------------------------------------------------------------

    bidding = _statement_of("bidding")

    def calls(self, meta: Meta, items: list[Call]) -> Statement:
        return self.say("calls", meta, tuple(items))

    def call(self, meta: Meta, items: list[Any]) -> Call:
        made = next(i for i in items if isinstance(i, Call))
        marks = {i.type: i for i in items if isinstance(i, Token)}
        return replace(
            made,
            seat=next((i for i in items if isinstance(i, Seat)), None),
            corrects="corrects" in items,
            mark=str(marks["MARK"]) if "MARK" in marks else None,
            note=unquoted(marks["STRING"]) if "STRING" in marks else None,
            place=replace(made.place, column=meta.column),
        )

    def caller(self, _: Meta, items: list[Seat]) -> Seat:
        return items[0]

    leader = caller

    corrects = _always("corrects")

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

    spades = _always("spades")
    hearts = _always("hearts")
    diamonds = _always("diamonds")
    clubs = _always("clubs")
    no_trump = _always("no-trump")
    nullo = _always("nullo")
    royal_spades = _always("royal-spades")

    def denomination(self, _: Meta, items: list[str]) -> str:
        return items[0]

    def royal(self, _: Meta, items: list[str]) -> str:
        return f"{items[0]}-royal"

    # --- play -------------------------------------------------------------------------------------

    play = _statement_of("play")

    def trick(self, meta: Meta, items: list[Any]) -> Statement:
        cards = tuple(i for i in items if isinstance(i, Played))
        leader = items[0] if isinstance(items[0], Seat) else None
        return self.say("trick", meta, Trick(cards, leader, place=self.at(meta)))

    def played(self, _: Meta, items: list[Any]) -> Played:
        laid = next(i for i in items if isinstance(i, Played))
        marks = {i.type: i for i in items if isinstance(i, Token)}
        return replace(
            laid,
            seat=items[0] if isinstance(items[0], Seat) else None,
            mark=str(marks["MARK"]) if "MARK" in marks else None,
            note=unquoted(marks["STRING"]) if "STRING" in marks else None,
            incidents=tuple(i.value for i in items if isinstance(i, Statement)),
        )

    def laid(self, _: Meta, items: list[Token]) -> Played:
        token = items[0]
        if token.type == "DASH":
            return Played(None, place=self.at(token))
        ranks = RANK.findall(token, 1)
        return Played(Card(suit_of(token[0]), rank_of(ranks[-1])), place=self.at(token))

    def claim(self, meta: Meta, items: list[Any]) -> Statement:
        number = next((i for i in items if isinstance(i, Token)), None)
        words = [i for i in items if type(i) is str]
        claimed = TableClaim(
            items[0],
            words[0],
            self.number(number) if number else None,
            words[1] if words[1:] else None,
            place=self.at(meta),
        )
        return self.say("claim", meta, claimed)

    def verb(self, _: Meta, items: list[Token]) -> str:
        return items[0].lower()

    answer = verb

    def more_play(self, meta: Meta, _: list[Token]) -> Statement:
        return self.say("more", meta, None)

    # --- what came of it --------------------------------------------------------------------------

    declaration = _statement_of("declaration")

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

    undoubled = _always({"doubled": 0})
    doubled = _always({"doubled": 1})
    redoubled = _always({"doubled": 2})
    doubling_unknown = _always({"doubled": None})
    bridged = _always({"bridged": True})

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

    def held(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        return HonoursClaim(items[0], self.number(items[1]), None, self.at(meta))

    def held_together(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        number = self.number(items[1])
        return HonoursClaim(items[0], number, number, self.at(meta))

    def held_apart(self, meta: Meta, items: list[Any]) -> HonoursClaim:
        return HonoursClaim(items[0], self.number(items[1]), self.number(items[2]), self.at(meta))

    chicane = _statement_of("chicane")

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
        return ScoreClaim(Side.NS, column, tuple(self.number(n) for n in numbers), self.at(meta))

    game = _statement_of("game")

    # --- irregularities ---------------------------------------------------------------------------

    def incident(self, meta: Meta, items: list[Any]) -> Statement:
        name, *clauses = items
        said: dict[str, Any] = {}
        for key, value in clauses:
            if key in said:
                raise Unreadable(
                    "notation.syntax", f"`{key.replace('_', ' ')}` is written twice.", self.at(meta)
                )
            said[key] = value
        name = unquoted(name) if name.type == "STRING" else name.lower()
        return self.say("irregularity", meta, Incident(name, **said, place=self.at(meta)))

    by = _clause("by")
    of = _clause("of")
    noticed_by = _clause("noticed_by")
    remedy = _clause("remedy")
    chosen_by = _clause("chosen_by")
    waived_by = _clause("waived_by")
    note = _clause("note")

    # --- names of things --------------------------------------------------------------------------

    def seat(self, _: Meta, items: list[Token]) -> Seat:
        return seat_of(items[0])

    owner = seat

    def side(self, _: Meta, items: list[Token]) -> Side:
        return SIDE_OF.get(items[0].lower()) or SIDE_OF[items[0].upper()]

    def named_seat(self, meta: Meta, items: list[Seat]) -> Stated[Seat]:
        return Stated(items[0], self.at(meta))

    def named_side(self, meta: Meta, items: list[Side]) -> Stated[Side]:
        return Stated(items[0], self.at(meta))

    def suit(self, _: Meta, items: list[Token]) -> Suit:
        return suit_of(items[0])

    def count(self, _: Meta, items: list[Token]) -> Token:
        return items[0]
