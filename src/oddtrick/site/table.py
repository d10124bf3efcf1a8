"""The card table on "Check a hand": a deal of a record, and the prompts for the next entry.

The text of the record is the only state of a deal. It is read and judged, and the answer of the
judge is drawn (`table.html`). `taps` changes the text.
"""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from oddtrick.cards import PACK, PRINTED_SUITS, RANKS, SEATS, Seat, Side
from oddtrick.judge import Json, check_document
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import bid_range, sufficient
from oddtrick.judge.roles import Roles
from oddtrick.judge.walk import OF_CALLS
from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Rules
from oddtrick.record import (
    Deal,
    Document,
    RecordFile,
    converted,
    deals_in,
    read_document,
    read_stream,
)
from oddtrick.record.deal import NOWHERE, Declaration, Figures, Header, Honours, Incident, Result
from oddtrick.record.deal import call as packed
from oddtrick.record.hand.write import call_words, figures_words, honours_words, result_words
from oddtrick.report.answers import as_json
from oddtrick.report.check import call_sign
from oddtrick.report.score_table import holdings
from oddtrick.rulings import answer
from oddtrick.rulings.engine import groups
from oddtrick.site.template import rendered
from oddtrick.terminal import visible

BIDDING = ("pass", "double", "redouble")
"""The calls of an auction other than bids; some codes also have `challenge`."""

MAKING = ("pass-to-partner", "may-i-lead", "yes", "double", "redouble", "satisfied")
"""The declarations in a code where the trump is made, other than the make."""

DEALT = len(PACK) // len(SEATS)
"""The number of cards in a full hand; a shorter hand is written with `...`."""

DOUBLED = {0: "", 1: "doubled", 2: "redoubled", None: "doubling unknown"}
COLUMNS = ("trick", "honour")
SCORES = {f"score {side.word} {c}": (side, c) for side, c in product(Side, COLUMNS)}
"""The fields of the score, each with its side and column."""

NOT_SHOWN = (
    *("options", "players", "sides", "vulnerable", "standing_honour", "tray", "table", "playing"),
    *("chicane", "game", "comments"),
)
"""The fields of a deal that the table does not show."""

_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)


OFFENDER, RANK = "offender", "card-rank"
"""The facts that follow from the offending player and from the card."""

CARD = ("card", "card-or-not")
"""The objects of a demand for which the card must be known."""

Choices = list[tuple[str, str]]
"""Choices: each as a record writes it, with its label."""


def arises(name: str, code: str) -> bool:
    """Whether an irregularity can arise under a code, or, if `code` is empty, under any."""
    return not code or answer(name, code).kind != "absent"


@cache
def irregularity(name: str, code: str) -> dict[str, Any]:
    """What must be entered for an irregularity under a code, or, if `code` is empty, under any.

    `by` and `card` say whether the law depends on the player and on the card, `withdrawn` whether
    the card may have been taken back. `facts` has the
    questions with their answers. `remedies` maps each remedy as a record writes it to its words;
    `suited` lists those that need a suit. `chosen` says whether anyone has a choice.
    """
    item = book().irregularities.get(name)
    if item is None:
        return {"label": ""}
    found = [answer(name, c) for c in ([code] if code else judged_codes())]
    asked = {question.fact: question for a in found for question in a.questions}
    rulings = [r for a in found for r in ((a.ruling,) if a.ruling else a.possible)]
    given = [remedy for ruling in rulings for remedy in ruling.remedies]
    return {
        "label": item.label,
        "meaning": item.meaning,
        "withdrawn": item.own_card,
        "by": OFFENDER in asked or any(r.chosen_by in _of_offender() or r.whose for r in given),
        "card": RANK in asked
        or any(e.id == "demand" and e.of in CARD for r in given for e in r.effects),
        "facts": {
            fact: (question.question, question.answers)
            for fact, question in asked.items()
            if fact not in (OFFENDER, RANK)
        },
        "remedies": {r.written: r.words for r in given},
        "suited": [r.written for r in given if any(e.of == "suit" for e in r.effects)],
        "chosen": any(r.choice is not None or r.chosen_by != "nobody" for r in given),
    }


def facts_in(incident: Incident) -> list[str]:
    """The facts of a recorded irregularity, as it states them: `exposed-how named`."""
    return [fact.strip() for fact in (incident.when or "").split(",") if fact.strip()]


@cache
def _of_offender() -> frozenset[str]:
    """The choosers that can be determined only if the offender is known."""
    unknown = Roles().choosers(None)
    return frozenset(c for c, seats in Roles().choosers(SEATS[0]).items() if seats != unknown[c])


@cache
def results() -> Choices:
    """The choices for the result: every number of tricks."""
    return [
        (result_words(Result("tricks", n)), str(n)) for n in range(len(PACK) // len(SEATS), -1, -1)
    ]


@cache
def honours() -> Choices:
    """The choices for honours: a side and a number, or their distribution over its two hands if
    a code counts that.
    """
    laws = map(book().rules, judged_codes())
    held = {h for law in laws for name in law.order() for h in holdings(law, name)}
    splits = sorted(
        {(0, 0), *((h.total, 0) for h in held), *((h.total, h.more or 0) for h in held)}
    )
    claims = [Honours(side, total, more or None) for side in Side for total, more in splits]
    return [
        (words, words.replace(c.side.word, f"{c.side.title}:", 1))
        for c in claims
        for words in [honours_words(c)]
    ]


@cache
def games() -> Choices:
    """The choices for the games that each side has won before the deal."""
    most = max(book().rules(code).value("games-in-rubber") or 0 for code in judged_codes())
    each = range(most // 2 + 1)
    return [standing(ns, ew) for ns, ew in product(each, each)]


def standing(ns: int, ew: int) -> tuple[str, str]:
    """A choice of figures for both sides: as a record writes them, and the label."""
    label = f"{Side.NS.title} {ns}, {Side.EW.title} {ew}" if ns or ew else "none"
    return figures_words(Figures(ns, ew)), label


@dataclass(slots=True)
class View:
    """The state of the table page that the text of the record does not contain.

    `mode` is the open tab; `seat` is the player for whom something is entered (empty: whoever's
    turn it is); `number` is the number of odd tricks of an unfinished bid; `corrects` says that the
    next call replaces the last; `deal` is the index of the deal; `code` is used if the text names
    none; `name` is the irregularity being entered and `told` the fields of its form as far as they
    are known, with its index as `line` if it is already recorded.
    """

    mode: str = "hands"
    seat: str = ""
    number: int = 0
    corrects: bool = False
    deal: int = 0
    code: str = ""
    name: str = ""
    told: dict[str, str] = field(default_factory=dict)


BEFORE = "before"
"""The key of the place before the bidding, after which nothing is written."""


class NotShown(Exception):
    """Raised if the table cannot show a text: the reason, and, if it is in another notation, the
    text in `.hand`.
    """


def read_source(text: str) -> RecordFile:
    """Read a text in any notation."""
    # PBN that begins with a comment is recognised by its tags, which cannot begin a .hand line.
    notation = "pbn" if _PBN.search(text) else None
    return read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", notation)


def read_table(
    text: str, view: View, code: str | None = None, options: Sequence[str] = ()
) -> Table:
    """The deal of a text that the view names, judged; an empty deal if there is none.

    Raises `NotShown` if the text is in another notation, or a part of it cannot be read.
    """
    source = read_source(text)
    if source.notation != "hand":
        made = converted(source.items, "hand", "record")
        words = ["This record is in another notation; the table writes .hand.", *made.notes]
        raise NotShown(" ".join(map(visible, words)), made.text or "")
    document = read_document(text.encode("utf-8", "replace"))
    if wrong := [
        f"Line {found.place.line}: {found.message}"
        for found in source.failed or document.unreadable
        if not (found.harmless or found.rule == "notation.empty")
    ]:
        raise NotShown("\n".join(map(visible, wrong)), "")
    deals = tuple(deals_in(document.items))
    view.deal = min(max(view.deal, 0), max(len(deals) - 1, 0))
    h = document.header
    above = (h.code, h.options, h.tags, h.players, h.sides)
    empty = Deal(document.source, NOWHERE, "deal 1", (), *above, own=Header())
    deal = deals[view.deal] if deals else empty
    used = deal if deal.code else deal._replace(code=view.code or None)
    (check,) = check_document([used], code, list(options) or None)
    record = as_json(check, "play")
    assert "verdict" in record
    return Table(document, deals, deal, record, view)


@dataclass(frozen=True, slots=True)
class Table:
    """A deal on the table: as read, as judged (`record`), and the `view`."""

    document: Document
    deals: tuple[Deal, ...]
    deal: Deal
    record: Json
    view: View

    @property
    def code(self) -> str:
        """The code that the text names, or else the one chosen."""
        return book().meant(self.deal.code or self.view.code)

    @property
    def law(self) -> Rules | None:
        """The law of the code, if the checker judges it."""
        return book().rules(self.code) if self.code in judged_codes() else None

    @property
    def making(self) -> bool:
        """Whether the trump is made rather than bid."""
        return self.law is not None and self.law.has("making")

    # whose turn it is

    @property
    def calls(self) -> list[Json]:
        """The calls; none if the players are unknown."""
        auction = self.record["auction"]
        return auction["calls"] if auction and not auction["relative"] else []

    @property
    def trick(self) -> list[Json]:
        """The cards of the last trick."""
        play = self.record["play"]
        return play["tricks"][-1]["cards"] if play and play["tricks"] else []

    @property
    def played(self) -> set[str | None]:
        """The codes of the cards played."""
        play = self.record["play"]
        return {c["card"] for t in play["tricks"] for c in t["cards"]} if play else set()

    def owner(self, card: str) -> str:
        """The seat that holds a card; empty if none does."""
        return next((s for s, held in self.record["hands"].items() if card in held["cards"]), "")

    def by_holder(self) -> list[tuple[str, list[str]]]:
        """The cards of the pack by their holders, and those that nobody is recorded to hold."""
        pack = [c for s in PRINTED_SUITS for c in reversed(PACK) if c.suit is s]
        holders = [(s.title, s.value) for s in SEATS] + [("not recorded", "")]
        made = [
            (title, [str(c) for c in pack if self.owner(c.code) == one]) for title, one in holders
        ]
        return [(title, cards) for title, cards in made if cards]

    @property
    def caller(self) -> str:
        """The seat that calls next; empty if unknown."""
        after = Seat(self.calls[-1]["seat"]).left if self.calls else self.deal.dealer
        return self.record["next_to_call"] or (after.value if after else "")

    @property
    def player(self) -> str:
        """The seat that plays next; empty if unknown."""
        last = self.trick[-1]["seat"] if 0 < len(self.trick) < len(SEATS) else None
        return self.record["next_to_play"] or (Seat(last).left.value if last else "")

    @property
    def turn(self) -> str:
        """The seat for which the next entry is made."""
        by_mode = {"bidding": self.caller, "play": self.player}
        return self.view.seat or by_mode.get(self.view.mode, SEATS[0].value)

    # the state of the deal

    @property
    def held(self) -> int:
        """The number of cards in the hand of the player in turn."""
        return self.deal.hands[Seat(self.turn).number].bit_count()

    @property
    def dealt(self) -> bool:
        """Whether all four hands are complete."""
        return all(held.bit_count() == DEALT for held in self.deal.hands)

    def not_shown(self) -> str:
        """The names of the statements on the deal that only the text shows."""
        tags = dict.fromkeys(name for name, _ in self.deal.tags)
        names = [name for name in NOT_SHOWN if getattr(self.deal, name) not in (None, ())]
        return ", ".join([*tags, *(name.replace("_", " ") for name in names)])

    def fields(self) -> dict[str, str]:
        """The statements that fill one line, as the fields of the table show them."""
        deal = self.deal
        stated = deal.declaration or Declaration(doubled=0)
        made = {
            "code": self.code,
            "dealer": deal.dealer.word if deal.dealer else "",
            "standing games": figures_words(deal.standing_games or Figures()),
            "standing trick": figures_words(deal.standing_trick or Figures()),
            "number": str(stated.odd_tricks or ""),
            "denomination": "out" if stated.passed_out else stated.denomination or "",
            "doubled": DOUBLED.get(stated.doubled, f"doubled {stated.doubled} times"),
            "by": stated.declarer.word if stated.declarer else "",
            "bridged": "bridged" if stated.bridged else "",
            "result": result_words(deal.result) if deal.result else "",
            "honours": "; ".join(map(honours_words, deal.honours)),
        }
        for name, (side, column) in SCORES.items():
            own = (s.points for s in deal.scores if (s.side, s.column) == (side, column))
            made[name] = " ".join(str(p) for points in own for p in points)
        return made

    # what can be called or entered

    def _bids(self) -> Iterator[tuple[int, str, bool]]:
        """The bids that the code has, each with whether it is sufficient."""
        if self.law is None or self.making:
            return
        last = next((c for c in reversed(self.calls) if c["kind"] == "bid"), None)
        over = Call("bid", last["odd_tricks"], last["denomination"]) if last else None
        for number, name in product(bid_range(self.law), self.law.order()):
            high = over is None or sufficient(Call("bid", number, name), over, self.law)
            yield number, name, high

    def numbers(self) -> dict[int, bool]:
        """The numbers of odd tricks that can be bid, each with whether some bid of that number is
        sufficient.
        """
        found: dict[int, bool] = {}
        for number, _, high in self._bids():
            found[number] = found.get(number, False) or high
        return found

    def denominations(self) -> list[tuple[str, str, str, bool]]:
        """The denominations that can be bid with the number, or made: id, words, sign, and whether
        the bid is sufficient.
        """
        if self.law is not None and self.making:
            return [
                (d, call_words(packed("make", None, d)), call_sign("make", None, d), True)
                for d in self.law.order()
            ]
        return [
            (d, call_words(packed("bid", n, d)), book().denominations[d].short, high)
            for n, d, high in self._bids()
            if n == self.view.number
        ]

    def other_calls(self) -> list[tuple[str, str]]:
        """The calls other than bids and makes: kind and words."""
        if self.law is None:
            return []
        challenge = ("challenge",) if self.law.has("challenge") else ()
        kinds = MAKING if self.making else (*BIDDING, *challenge, "all-pass")
        return [(kind, call_words(packed(kind))) for kind in kinds]

    def finder(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The irregularities that can arise under the code (id and label), by group."""
        listed = [i for i in book().irregularities.values() if arises(i.id, self.code)]
        made = [(label, [(i.id, i.label) for i in listed if i.group == g]) for g, label in groups()]
        return [group for group in made if group[1]]

    def asked(self) -> dict[str, Any]:
        """The questions about the irregularity being entered (`irregularity`)."""
        return irregularity(self.view.name, self.code)

    def recorded(self, index: int) -> dict[str, str]:
        """The fields of the form for an irregularity that is already recorded."""
        told = self.deal.incidents[index]
        at = f"{told.event.kind} {told.event.number}" if told.event else told.after or BEFORE
        remedy, _, suit = (told.remedy or "").rpartition(" ")
        if remedy.replace("-", " ") not in irregularity(told.name, self.code)["suited"]:
            remedy, suit = told.remedy or "", ""
        facts = (fact.partition(" ") for fact in facts_in(told))
        seats = {n: getattr(told, n) for n in ("by", "noticed_by", "chosen_by")}
        return {
            **{fact: value for fact, _, value in facts},
            **{name: seat.word for name, seat in seats.items() if seat},
            **{"line": str(index), "at": at, "of": told.of or ""},
            **{"remedy": remedy.replace("-", " ") if suit else remedy, "suit": suit},
        }

    def place_of(self, item: Sequence[Any]) -> str:
        """The key of a call, a card or a trick in `places`; of a trick that of its first card."""
        kind, number, *place = item
        if kind == "bidding":
            return f"call {number}"
        return f"card {self.deal.trick_starts[number] + sum(place)}"

    def players(self) -> dict[str, Seat]:
        """The player of each call and card, by its key in `places`; of `all pass` the first."""
        tricks = (self.record["play"] or {"tricks": ()})["tricks"]
        made = [*reversed(self.calls), *(c for t in tricks for c in t["cards"])]
        return {self.place_of(c["item"]): Seat(c["seat"]) for c in made if c["seat"]}

    def places(self) -> list[tuple[str, str, str]]:
        """The places where an irregularity can be written: key, label, and the card if known.

        The last card and the last call come first, the earlier ones last. The key of a call or a
        card has its index: `call 2`.
        """
        deal, players = self.deal, self.players()

        def place(key: str, of: str, made: str, card: str = "") -> tuple[str, str, str]:
            by = f"{players[key].title}, " if key in players else ""
            return key, f"{of}: {by}{made}", card

        calls = [
            place(f"call {n}", f"call {n + 1}", call_words(made))
            for n, made in enumerate(deal.calls or ())
        ]
        cards = [
            place(
                f"card {n}", f"trick {bisect_right(deal.trick_starts, n)}", card or "a card", card
            )
            for n, card in enumerate(str(played or "") for played in deal.cards or ())
        ]
        ends = [(BEFORE, "before the bidding", ""), ("bidding", "after the bidding", "")]
        latest = [*cards[-1:], *calls[-1:], *ends, ("play", "after the play", "")]
        return [*latest, *reversed(cards[:-1]), *reversed(calls[:-1])]

    @property
    def of_calls(self) -> bool:
        """Whether the irregularity that is entered is a call."""
        return book().irregularities[self.view.name].group in OF_CALLS

    def latest(self) -> str:
        """The call or card last entered, of the phase to which the irregularity belongs."""
        kind = "call " if self.of_calls or not self.deal.cards else "card "
        return next((key for key, *_ in self.places() if key.startswith(kind)), "")


def drawn(table: Table, refused: str = "") -> str:
    """The table as HTML, with its status line, or the reason why a tap was refused."""
    return rendered(
        "table",
        "check.md",
        t=table,
        view=table.view,
        fields=table.fields(),
        refused=refused,
        full=DEALT,
        suits=PRINTED_SUITS,
        ranks=[*reversed(RANKS)],
        codes=[book().code(code) for code in judged_codes()],
        results=results(),
        honours=honours(),
        games=games(),
        towards=[standing(0, 0)],
    )


def blank() -> str:
    """The table before anything is entered."""
    return drawn(read_table("", View()))
