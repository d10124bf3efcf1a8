"""A deal on a page: the hand diagram, the auction and the play, as values for
`templates/deal.html`.

The page reads by itself, and its script can step through the play: a card of the diagram says which
it is, a card of the tricks whose it is, and the table what is to be said after each card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from oddtrick.cards import SEATS, Card, Seat, Side, Suit, card_in
from oddtrick.judge.answers import (
    Answer,
    DeclarationJson,
    FindingJson,
    HandJson,
    OfSides,
    RecordJson,
    StatedJson,
    TrickJson,
)
from oddtrick.judge.words import bid_words, doubled_words, number_words
from oddtrick.law.book import book
from oddtrick.report.check import auction_rows, call_cell, seat_words, suits_of
from oddtrick.site.markup import item_id

Marks = Mapping[str, tuple[int, ...]]
"""The numbers of the findings about a call or a card, by its id (`item_id`)."""

ORDINALS = ("1st", "2nd", "3rd", "4th")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A finding with its number on the page."""

    number: int
    finding: FindingJson


def numbered(answers: Iterable[Answer]) -> list[tuple[Answer, list[Numbered]]]:
    """Answers with their findings, which are numbered through the page."""
    out, number = list[tuple[Answer, list[Numbered]]](), 0
    for answer in answers:
        findings = [answer] if "rule" in answer else answer["findings"]
        out.append((answer, [Numbered(number + n, f) for n, f in enumerate(findings, 1)]))
        number += len(findings)
    return out


def marks_of(findings: Iterable[Numbered]) -> Marks:
    """The numbers of the findings by item, without those that only say what the record
    leaves out.
    """
    marks: dict[str, tuple[int, ...]] = {}
    for found in findings:
        if found.finding["item"] and found.finding["severity"] != "incomplete":
            item = item_id(found.finding["item"])
            marks[item] = (*marks.get(item, ()), found.number)
    return marks


# --- what the deal came to ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contract:
    """A final declaration, short and in full: `5 ♦ redoubled`, `5 diamonds redoubled`."""

    words: str
    full: str


def contract(final: DeclarationJson) -> Contract:
    """The final declaration in words; in a game without bids `♥ doubled`."""
    odd_tricks, denomination = final["odd_tricks"], final["denomination"]
    found = book().denominations.get(denomination)
    number = f"{odd_tricks} " if odd_tricks else ""
    doubled = doubled_words(final["doubled"])
    return Contract(
        f"{number}{found.short if found else denomination}{doubled}",
        bid_words(odd_tricks, denomination) + doubled,
    )


def result_words(record: RecordJson) -> str:
    """The tricks of the declaring side against the declaration: `11 tricks, as declared`.

    Empty where they are not known.
    """
    tricks = record["tricks"]
    if tricks is None or record["declaration"] is None:
        return ""
    said, over = number_words(tricks["declaring_side"], "trick"), tricks["over"]
    if over is None:
        return said
    if tricks["counted"] != tricks["declaring_side"]:
        said += f", the adversaries {tricks['counted']}"
    if not over:
        return f"{said}, as declared"
    return f"{said}, {over} over" if over > 0 else f"{said}, {-over} short"


def standing_words(stated: StatedJson) -> str:
    """The state of the rubber before the deal as the record gives it, North and South first.

    Empty where it gives none.
    """
    said = []
    for figures, one, many in (
        (stated["games"], "game", "games"),
        (stated["trick"], "point towards the game", "points towards the game"),
        (stated["honour"], "point above the line", "points above the line"),
    ):
        if figures is not None:
            said.append(_standing(figures, one, many))
    if stated["vulnerable"] is not None and stated["games"] is None:
        sides = " and ".join(Side(s).title for s in stated["vulnerable"])
        said.append(f"{sides} vulnerable" if sides else "nobody vulnerable")
    return "; ".join(said)


def _standing(figures: OfSides, one: str, many: str) -> str:
    """The sides of which the record gives a number, each with it; one number for both where they
    are alike.
    """
    both = {Side.NS: figures["NS"], Side.EW: figures["EW"]}
    given = {s: n for s, n in both.items() if n is not None}
    said = {s: number_words(n, one, many) if n else f"no {many}" for s, n in given.items()}
    if len(given) > 1 and len(set(given.values())) == 1:
        return f"{said[Side.NS]} each" if given[Side.NS] else said[Side.NS]
    # Beside what one side has, that the other is given nothing goes without saying.
    return ", ".join(f"{s.title} {said[s]}" for s, n in given.items() if n or len(given) == 1)


# --- the diagram ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holding:
    """The cards of a suit in a hand, the highest first, and how many small ones are not named."""

    suit: Suit
    cards: tuple[Card, ...]
    small: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand of the diagram: the seat, what it is in the deal, its suits; `size` where the whole
    hand is known.
    """

    seat: Seat
    roles: tuple[str, ...]
    holdings: tuple[Holding, ...]
    size: int | None


def hands(record: RecordJson) -> list[Shown]:
    """The four hands of the diagram; none where no hand is written."""
    return [_hand(record, seat) for seat in SEATS] if record["hands"] else []


def _roles(record: RecordJson, seat: Seat) -> tuple[str, ...]:
    """What a seat is in the deal: dealer, declarer, dummy."""
    final = record["declaration"]
    declarer = Seat(final["declarer"]) if final and final["declarer"] else None
    told = (
        (seat.value == record["dealer"], "dealer"),
        (seat is declarer, "declarer"),
        (declarer is not None and seat is declarer.partner, "dummy"),
    )
    return tuple(word for true, word in told if true)


def _hand(record: RecordJson, seat: Seat) -> Shown:
    hand = record["hands"].get(seat.value)
    known: HandJson = hand or {"cards": [], "small": {}, "partial": True}
    holdings = tuple(Holding(s, tuple(cards), small) for s, cards, small in suits_of(known))
    size = sum(len(h.cards) + h.small for h in holdings)
    return Shown(seat, _roles(record, seat), holdings, None if known["partial"] else size)


# --- the auction ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Called:
    """A call in the table of the auction: its words, whether it does not stand, the numbers of its
    findings.
    """

    words: str
    void: bool
    marks: tuple[int, ...]


def auction(record: RecordJson, marks: Marks) -> tuple[tuple[str, ...], list[list[Called | None]]]:
    """The heads of the columns and the rows of the auction; no rows where no call is written."""
    if record["auction"] is None:
        return (), []
    heads, rows = auction_rows(record["auction"])
    return heads, [
        [
            Called(call_cell(c), c["void"], marks.get(item_id(c["item"]), ())) if c else None
            for c in row
        ]
        for row in rows
    ]


# --- the play -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """The play as a table: the heads of the columns for the cards, the tricks, whether every card
    is recorded.

    `said` is what is to be said before the first card and after each.
    """

    heads: tuple[str, ...]
    tricks: list[TrickJson]
    whole: bool
    said: tuple[str, ...]


def play(record: RecordJson) -> Table | None:
    """The play, a row to a trick, in the order played; `None` where none is written."""
    if not record["play"] or not record["play"]["tricks"]:
        return None
    tricks = record["play"]["tricks"]
    whole = record["play"]["complete"] and all(c["card"] for t in tricks for c in t["cards"])
    width = max(len(ORDINALS), *(len(t["cards"]) for t in tricks))
    heads = (*ORDINALS, *(f"{n}th" for n in range(len(ORDINALS) + 1, width + 1)))
    return Table(heads, tricks, whole, tuple(sentences(tricks)))


def sentences(tricks: Iterable[TrickJson]) -> Iterator[str]:
    """What is said of the play before its first card and after each.

    `Trick 1: East leads the two of hearts. South to play.`
    """
    cards = [
        (number, trick, place, played["seat"], card_in(played["card"] or ""))
        for number, trick in enumerate(tricks, 1)
        for place, played in enumerate(trick["cards"])
    ]
    turns = [seat for _, _, _, seat, _ in cards]
    yield f"{seat_words(turns[0]) if turns and turns[0] else 'Somebody'} leads to the first trick."
    for count, (number, trick, place, seat, card) in enumerate(cards, 1):
        who, winner = seat_words(seat) if seat else "Somebody", trick["winner"]
        what = card_words(card) if card else "a card that is not recorded"
        said = f"Trick {number}: {who} {'plays' if place else 'leads'} {what}"
        over = place == len(trick["cards"]) - 1
        if over and winner:
            own = winner == seat
            said += " and wins the trick" if own else f"; {seat_words(winner)} wins the trick"
        elif over and len(trick["cards"]) >= len(ORDINALS):
            said += "; who wins the trick is not told"
        after = turns[count] if count < len(turns) else None
        name = seat_words(after) if after else "The next player"
        if count == len(cards):
            yield f"{said}. The record of the play ends here."
        else:
            yield f"{said}. {name} {'leads next' if over else 'to play'}."


def card_words(card: Card) -> str:
    """A card in words: `the two of hearts`."""
    return f"the {RANKS[card.rank]} of {card.suit.word}"


RANKS = dict(
    zip(
        "AKQJT98765432",
        "ace king queen knave ten nine eight seven six five four three two".split(),
        strict=True,
    )
)


# --- together -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as `templates/deal.html` draws it; `sides` is what the script says of each, where
    there is play.
    """

    hands: list[Shown]
    heads: tuple[str, ...]
    calls: list[list[Called | None]]
    play: Table | None
    marks: Marks
    sides: Mapping[str, str]


def deal(record: RecordJson, marks: Marks) -> Deal:
    """The deal of a record with the marks of its findings."""
    heads, calls = auction(record, marks)
    declarer = record["declaration"]["declarer"] if record["declaration"] else None
    sides = {
        side.value.lower(): side.title
        + (", declaring" if declarer and Seat(declarer).side is side else "")
        for side in Side
    }
    table = play(record)
    return Deal(hands(record), heads, calls, table, marks, sides if table else {})
