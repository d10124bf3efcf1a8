"""A deal on a page: the hand diagram, the auction and the play, as HTML that reads by itself and that `play.js` can step through.

Everything the script needs stands in the markup: a card of the diagram has `data-card`, a card of the tricks `data-seat`
and `data-card`, a trick `data-winner`. So a page without JavaScript has the same facts in a table.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from oddtrick.cards import PRINTED_SUITS, SEATS, Card, Seat, Side, Suit
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.play import Followed
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_procedures import counted_tricks
from oddtrick.judge.words import bid_words, doubled_words, number_words
from oddtrick.law.in_force import denomination_table
from oddtrick.record.model import Item, Record, SideFigures
from oddtrick.report.check import call_cell
from oddtrick.site.law_words import relative, target

Marks = Mapping[Item, tuple[int, ...]]
"""The numbers of the findings about a call or a card, by its id."""

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The columns of an auction, as the books print it."""

RELATIVE = ("4th", "Dealer", "2nd", "3rd")
"""The same columns where the dealer's seat is not known."""


# --- small parts ----------------------------------------------------------------------------------


def href(address: str, here: str) -> str:
    """The URL from a page to the law at an address, for raw HTML: `../../codes/auction-1912/84/#b`."""
    page, fragment = target(address)
    # A page that is not an index is served one folder deeper than it is written.
    up = "" if here.endswith("index.md") else "../"
    return (
        up
        + relative(page, here).removesuffix("index.md").replace(".md", "/")
        + (f"#{fragment}" if fragment else "")
    )


def law_links(addresses: Iterable[str], here: str, code: str = "") -> str:
    """Addresses as links in a row, those of `code` by their number alone."""
    shown = ((a, a.removeprefix(f"{code}:") if code else a) for a in dict.fromkeys(addresses))
    return ", ".join(
        f'<a href="{href(a, here)}"{f" title={chr(34)}{a}{chr(34)}" if s != a else ""}>{s}</a>'
        for a, s in shown
    )


def suit_html(suit: Suit) -> str:
    """A suit's symbol, coloured, and named for those who do not see it."""
    return f'<span class="suit suit-{suit.word}" role="img" aria-label="{suit.word}">{suit.symbol}</span>'


def coloured(text: str) -> str:
    """Text as HTML with its suit symbols coloured and named."""
    out = html.escape(text)
    for suit in Suit:
        out = out.replace(suit.symbol, suit_html(suit))
    return out


def rank_words(card: Card) -> str:
    """The rank of a card as printed: `10` for the ten."""
    return "10" if card.rank == "T" else card.rank


def marks_of(findings: Iterable[Finding], numbers: Mapping[Finding, int]) -> Marks:
    """The numbers of the findings by item, without those that only say what the record leaves out."""
    found: dict[Item, tuple[int, ...]] = {}
    for finding in findings:
        if finding.item and finding.severity is not Severity.INCOMPLETE:
            found[finding.item] = (*found.get(finding.item, ()), numbers[finding])
    return found


def mark_html(item: Item, marks: Marks) -> str:
    """The marks that lead from a call or a card to what was found there."""
    return "".join(
        f'<sup class="mark"><a href="#finding-{n}" aria-label="Finding {n}">{n}</a></sup>'
        for n in marks.get(item, ())
    )


# --- what the deal came to ------------------------------------------------------------------------


def contract_words(final: Final) -> str:
    """The final declaration, short: `5 ♦ redoubled`; in a game without bids `♥ doubled`."""
    found = denomination_table().get(final.denomination)
    number = f"{final.odd_tricks} " if final.odd_tricks else ""
    return f"{number}{found.short if found else final.denomination}{doubled_words(final.doubled)}"


def contract_html(final: Final) -> str:
    """The final declaration, short and coloured, with its full words for those who hear it."""
    said = bid_words(final.odd_tricks or None, final.denomination) + doubled_words(final.doubled)
    short = coloured(contract_words(final))
    return f'<span class="contract" title="{html.escape(said)}">{short}</span>'


def result_words(check: Check) -> str:
    """The tricks of the declaring side against the declaration: `11 tricks, as declared`; empty where they are not known."""
    final, rules = check.final, check.rules
    if final is None or rules is None or check.outcome is None or check.outcome.taken is None:
        return ""
    taken = check.outcome.taken
    tricks = number_words(taken, "trick")
    if not final.odd_tricks:
        return tricks
    counted = counted_tricks(taken, final, rules)
    if counted != taken:
        tricks += f", the adversaries {counted}"
    over = counted - rules.value("book") - final.odd_tricks
    return f"{tricks}, {'as declared' if not over else f'{over} over' if over > 0 else f'{-over} short'}"


def standing_words(record: Record) -> str:
    """The state of the rubber before the deal as the record gives it, North and South first; empty where it gives none."""
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
    """The sides of which the record gives a number, each with it; one number for both where they are alike."""
    given = {s: n for s in Side if (n := figures.of(s)) is not None}
    said = {s: number_words(n, one, many) if n else f"no {many}" for s, n in given.items()}
    if len(given) > 1 and len(set(given.values())) == 1:
        return f"{said[Side.NS]} each" if given[Side.NS] else said[Side.NS]
    # Beside what one side has, that the other is given nothing goes without saying.
    return ", ".join(f"{s.title} {said[s]}" for s, n in given.items() if n or len(given) == 1)


# --- the diagram ----------------------------------------------------------------------------------


def diagram_html(record: Record, final: Final | None = None) -> str:
    """The hand diagram around the table; empty where no hand is written."""
    if not record.hands:
        return ""
    dealer = record.dealer.value if record.dealer else None
    cells = "".join(_hand(record, seat, roles(seat, dealer, final)) for seat in SEATS)
    slots = "".join(
        f'<span class="slot slot-{s.word}" data-seat="{s.value}">{s.value}</span>' for s in SEATS
    )
    return f'<div class="diagram">{cells}<div class="felt" aria-hidden="true">{slots}</div></div>'


def roles(seat: Seat, dealer: Seat | None, final: Final | None) -> list[str]:
    """What a seat is in the deal: dealer, declarer, dummy."""
    declarer = final.declarer if final else None
    told = (
        (seat is dealer, "dealer"),
        (seat is declarer, "declarer"),
        (declarer is not None and seat is declarer.partner, "dummy"),
    )
    return [word for true, word in told if true]


def _hand(record: Record, seat: Seat, told: list[str]) -> str:
    hand = record.hand(seat)
    lines = []
    for suit in PRINTED_SUITS:
        cards = (
            sorted((c for c in hand.cards if c.suit is suit), key=lambda c: -c.height)
            if hand
            else []
        )
        small = sum(n for s, n in hand.small if s is suit) if hand else 0
        parts = [f'<span data-card="{c.code}">{rank_words(c)}</span>' for c in cards] + [
            '<span class="small">x</span>'
        ] * small
        nothing = "?" if hand is None or hand.partial else "–"
        lines.append(
            f'<div class="holding">{suit_html(suit)} <span class="cards">{" ".join(parts) or nothing}</span></div>'
        )
    # Only of a hand that is whole can the script say how many cards are left.
    size = (
        f' data-size="{len(hand.cards) + sum(n for _, n in hand.small)}"'
        if hand and not hand.partial
        else ""
    )
    role = f' <span class="role">{", ".join(told)}</span>' if told else ""
    name = f'<div class="seat"><b>{seat.title}</b>{role} <span class="left"></span></div>'
    return f'<div class="hand hand-{seat.word}" role="group" aria-label="{seat.title}" data-seat="{seat.value}"{size}>{name}{"".join(lines)}</div>'


# --- the auction ----------------------------------------------------------------------------------


def auction_html(check: Check, marks: Marks) -> str:
    """The auction as a table with the seats over the columns; a call that does not stand is struck through and says so."""
    declared = check.declared
    if not declared or not declared.calls:
        return ""
    rows: list[list[str]] = [[""] * 4]
    at = -1
    for made in declared.calls:
        column = COLUMNS.index(made.seat)
        if column <= at:
            rows.append([""] * 4)
        said = coloured(call_cell(made.call))
        if made.void:
            said = f'<s>{said}</s> <span class="void" role="img" aria-label="does not stand" title="does not stand">✗</span>'
        rows[-1][column] = said + mark_html(made.call.id, marks)
        at = column
    names = RELATIVE if declared.relative else [s.title for s in COLUMNS]
    head = "".join(f'<th scope="col">{n}</th>' for n in names)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f'<table class="auction"><caption>The auction</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


# --- the play -------------------------------------------------------------------------------------


def play_html(check: Check, marks: Marks) -> str:
    """The play, a row to a trick, in the order played; a card that the record leaves out is a dash, the one that wins is strong."""
    if not check.outcome or not check.outcome.tricks:
        return ""
    tricks = check.outcome.tricks
    whole = check.outcome.complete and all(p.card for t in tricks for _, p in t.cards)
    width = max(4, *(len(t.cards) for t in tricks))
    heads = (
        "Trick",
        "Leader",
        *("1st", "2nd", "3rd", "4th", *(f"{n}th" for n in range(5, width + 1)))[:width],
        "Won by",
    )
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    body = "".join(_trick(number, trick, width, marks) for number, trick in enumerate(tricks, 1))
    caption = "The play, card by card" if whole else "The play, as far as it is recorded"
    return f'<table class="play"><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _trick(number: int, trick: Followed, width: int, marks: Marks) -> str:
    cells = []
    for seat, played in trick.cards:
        card = f' data-card="{played.card.code}"' if played.card else ""
        said = coloured(str(played.card)) if played.card else '<span title="not recorded">–</span>'
        if seat and seat is trick.winner:
            said = f"<strong>{said}</strong>"
        cells.append(
            f'<td data-seat="{seat.value if seat else ""}"{card}>{said}{mark_html(played.id, marks)}</td>'
        )
    cells += ["<td></td>"] * (width - len(cells))
    leader = trick.cards[0][0].title if trick.cards and trick.cards[0][0] else ""
    won = f' data-winner="{trick.winner.value}"' if trick.winner else ""
    last = trick.winner.title if trick.winner else ""
    return f'<tr{won}><th scope="row">{number}</th><td>{leader}</td>{"".join(cells)}<td>{last}</td></tr>'


def table_html(check: Check, marks: Marks) -> str:
    """Diagram, auction and play together: what the script makes into a table to step through. Empty where there is none of them."""
    diagram = diagram_html(check.record, check.final)
    auction, play = auction_html(check, marks), play_html(check, marks)
    if not (diagram or auction or play):
        return ""
    declarer = check.final.declarer if check.final else None
    told = f' data-declarer="{declarer.value}"' if declarer else ""
    left = f'<div class="deal-table">{diagram}</div>' if diagram else ""
    right = f'<div class="deal-facts">{auction}{play}</div>' if auction or play else ""
    return f'<div class="deal"{told}>{left}{right}</div>'
