"""A deal on a page: the hand diagram, the auction and the play, as values for
`templates/deal.html`.

The page reads by itself, and its script can step through the play: a card of the diagram says which
it is, a card of the tricks whose it is, and the table what is to be said after each card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from oddtrick.cards import PRINTED_SUITS, SEATS, Card, Seat, Side, Suit
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.play import Followed
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_procedures import counted_tricks
from oddtrick.judge.words import bid_words, doubled_words, number_words
from oddtrick.law.book import book
from oddtrick.record.model import Item, Record, SideFigures
from oddtrick.report.check import call_cell

Marks = Mapping[Item, tuple[int, ...]]
"""The numbers of the findings about a call or a card, by its id."""

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The columns of an auction, as the books print it."""

RELATIVE = ("4th", "Dealer", "2nd", "3rd")
"""The same columns where the dealer's seat is not known."""

ORDINALS = ("1st", "2nd", "3rd", "4th")


def marks_of(findings: Iterable[Finding], numbers: Mapping[Finding, int]) -> Marks:
    """The numbers of the findings by item, without those that only say what the record
    leaves out.
    """
    found: dict[Item, tuple[int, ...]] = {}
    for finding in findings:
        if finding.item and finding.severity is not Severity.INCOMPLETE:
            found[finding.item] = (*found.get(finding.item, ()), numbers[finding])
    return found


# --- what the deal came to ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contract:
    """A final declaration, short and in full: `5 ♦ redoubled`, `5 diamonds redoubled`."""

    words: str
    full: str


def contract(final: Final) -> Contract:
    """The final declaration in words; in a game without bids `♥ doubled`."""
    found = book().denominations.get(final.denomination)
    number = f"{final.odd_tricks} " if final.odd_tricks else ""
    doubled = doubled_words(final.doubled)
    return Contract(
        f"{number}{found.short if found else final.denomination}{doubled}",
        bid_words(final.odd_tricks or None, final.denomination) + doubled,
    )


def result_words(check: Check) -> str:
    """The tricks of the declaring side against the declaration: `11 tricks, as declared`.

    Empty where they are not known.
    """
    final, law = check.final, check.law
    if final is None or law is None or check.outcome is None or check.outcome.taken is None:
        return ""
    taken = check.outcome.taken
    tricks = number_words(taken, "trick")
    if not final.odd_tricks:
        return tricks
    counted = counted_tricks(taken, final, law)
    if counted != taken:
        tricks += f", the adversaries {counted}"
    over = counted - law.value("book") - final.odd_tricks
    if not over:
        return f"{tricks}, as declared"
    return f"{tricks}, {over} over" if over > 0 else f"{tricks}, {-over} short"


def standing_words(record: Record) -> str:
    """The state of the rubber before the deal as the record gives it, North and South first.

    Empty where it gives none.
    """
    said = []
    for figures, one, many in (
        (record.standing_games, "game", "games"),
        (record.standing_trick, "point towards the game", "points towards the game"),
        (record.standing_honour, "point above the line", "points above the line"),
    ):
        if figures is not None:
            said.append(_standing(figures, one, many))
    if record.vulnerable and record.standing_games is None:
        sides = " and ".join(s.title for s in Side if s in record.vulnerable.value)
        said.append(f"{sides} vulnerable" if sides else "nobody vulnerable")
    return "; ".join(said)


def _standing(figures: SideFigures, one: str, many: str) -> str:
    """The sides of which the record gives a number, each with it; one number for both where they
    are alike.
    """
    given = {s: n for s in Side if (n := figures.of(s)) is not None}
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


def hands(record: Record, final: Final | None = None) -> list[Shown]:
    """The four hands of the diagram; none where no hand is written."""
    dealer = record.dealer.value if record.dealer else None
    return [_hand(record, s, roles(s, dealer, final)) for s in SEATS] if record.hands else []


def roles(seat: Seat, dealer: Seat | None, final: Final | None) -> tuple[str, ...]:
    """What a seat is in the deal: dealer, declarer, dummy."""
    declarer = final.declarer if final else None
    told = (
        (seat is dealer, "dealer"),
        (seat is declarer, "declarer"),
        (declarer is not None and seat is declarer.partner, "dummy"),
    )
    return tuple(word for true, word in told if true)


def _hand(record: Record, seat: Seat, told: tuple[str, ...]) -> Shown:
    hand = record.hand(seat)
    cards = sorted(hand.cards, key=lambda c: -c.height) if hand else []
    small = hand.small if hand else ()
    holdings = tuple(
        Holding(
            suit, tuple(c for c in cards if c.suit is suit), sum(n for s, n in small if s is suit)
        )
        for suit in PRINTED_SUITS
    )
    whole = hand is not None and not hand.partial
    return Shown(seat, told, holdings, len(cards) + sum(n for _, n in small) if whole else None)


# --- the auction ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Called:
    """A call in the table of the auction: its words, whether it does not stand, the numbers of its
    findings.
    """

    words: str
    void: bool
    marks: tuple[int, ...]


def auction(check: Check, marks: Marks) -> tuple[tuple[str, ...], list[list[Called | None]]]:
    """The heads of the columns and the rows of the auction; no rows where no call is written."""
    declared = check.declared
    rows: list[list[Called | None]] = []
    at = len(COLUMNS)
    for made in declared.calls if declared else ():
        column = COLUMNS.index(made.seat)
        if column <= at:
            rows.append([None] * len(COLUMNS))
        call = made.call
        rows[-1][column] = Called(call_cell(call), bool(made.void), marks.get(call.id, ()))
        at = column
    relative = declared is not None and declared.relative
    return RELATIVE if relative else tuple(s.title for s in COLUMNS), rows


# --- the play -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """The play as a table: the heads of the columns for the cards, the tricks, whether every card
    is recorded.

    `said` is what is to be said before the first card and after each.
    """

    heads: tuple[str, ...]
    tricks: tuple[Followed, ...]
    whole: bool
    said: tuple[str, ...]


def play(check: Check) -> Table | None:
    """The play, a row to a trick, in the order played; `None` where none is written."""
    if not check.outcome or not check.outcome.tricks:
        return None
    tricks = check.outcome.tricks
    whole = check.outcome.complete and all(p.card for t in tricks for _, p in t.cards)
    width = max(len(ORDINALS), *(len(t.cards) for t in tricks))
    heads = (*ORDINALS, *(f"{n}th" for n in range(len(ORDINALS) + 1, width + 1)))
    return Table(heads, tricks, whole, tuple(sentences(tricks)))


def sentences(tricks: tuple[Followed, ...]) -> Iterator[str]:
    """What is said of the play before its first card and after each.

    `Trick 1: East leads the two of hearts. South to play.`
    """
    cards = [
        (number, trick, place, seat, played.card)
        for number, trick in enumerate(tricks, 1)
        for place, (seat, played) in enumerate(trick.cards)
    ]
    turns = [seat for _, _, _, seat, _ in cards]
    yield f"{turns[0].title if turns and turns[0] else 'Somebody'} leads to the first trick."
    for count, (number, trick, place, seat, card) in enumerate(cards, 1):
        who = seat.title if seat else "Somebody"
        what = card_words(card) if card else "a card that is not recorded"
        said = f"Trick {number}: {who} {'plays' if place else 'leads'} {what}"
        over = place == len(trick.cards) - 1
        if over and trick.winner:
            own = trick.winner is seat
            said += " and wins the trick" if own else f"; {trick.winner.title} wins the trick"
        elif over and len(trick.cards) >= len(ORDINALS):
            said += "; who wins the trick is not told"
        after = turns[count] if count < len(turns) else None
        name = after.title if after else "The next player"
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


def deal(check: Check, marks: Marks) -> Deal:
    """The deal of a record with the marks of its findings."""
    heads, calls = auction(check, marks)
    declarer = check.final.declarer if check.final else None
    sides = {
        side.value.lower(): side.title
        + (", declaring" if declarer and declarer.side is side else "")
        for side in Side
    }
    table = play(check)
    return Deal(
        hands(check.record, check.final), heads, calls, table, marks, sides if table else {}
    )
