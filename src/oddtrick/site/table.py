"""The table to tap on "Check a hand": what a tap makes of the text of a record, and how it looks.

The text is all there is to know of a deal. `tapped` reads it; a tap writes one part of it anew and
leaves every other line as it is; then it is read again and drawn (`table.html`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import Any

from oddtrick.cards import CARD_OF, PRINTED_SUITS, RANKS, SEATS, Seat, Side, Suit
from oddtrick.judge import check_document
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import bid_range, sufficient
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book, judged_codes
from oddtrick.law.cases import facts_of
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record import RecordFile, converted, deals_in, read_document, read_stream
from oddtrick.record.deal import Figures, Honours, Incident, Result
from oddtrick.record.deal import call as packed
from oddtrick.record.hand.words import DENOMINATIONS
from oddtrick.record.hand.write import (
    call_words,
    figures_words,
    hand_rows,
    honours_words,
    incident_words,
    result_words,
    rows_of,
    trick_words,
)
from oddtrick.report.answers import as_json
from oddtrick.report.check import call_sign
from oddtrick.rulings import answer
from oddtrick.rulings.engine import groups
from oddtrick.site.tapped import DEALT, shown, with_deal_begun
from oddtrick.site.template import rendered
from oddtrick.terminal import visible

State = dict[str, Any]
"""A deal of a text as it is read (`tapped.shown`)."""

Parts = list[tuple[str, str]]

BIDDING = ("pass", "double", "redouble")
"""The calls of an auction beside its bids; `challenge` is one more where a code has it."""

MAKING = ("pass-to-partner", "may-i-lead", "yes", "double", "redouble", "satisfied")
"""What is said in the making of a trump beside the make."""

COLUMNS = "WNES"
ORDER = (
    *("deal", "dealer", "standing games", "standing trick", "hands", "bidding", "declaration"),
    *("play", "result", "honours", "score"),
)
"""The parts of a deal in the order in which they are written."""

APART = ("hands", "bidding", "declaration", "play", "result")
"""The parts with an empty line around them."""

AFTER = {"hands": ("hands",), "declaration": ("declaration",), "score": ORDER[-3:]}
"""Where an irregularity of the whole deal is written: behind the last of these parts."""

_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)


class Refused(Exception):
    """A tap that changes nothing; the message says why."""


@dataclass(slots=True)
class View:
    """What of the table is open, of which the text says nothing: what is entered (`mode`), for whom
    (`seat`; none: whose turn it is), the `number` of a bid and whether it `corrects` the last, the
    place of the `deal`, the `code` for a text that names none, the irregularity that is told.
    """

    mode: str = "hands"
    seat: str = ""
    number: int = 0
    corrects: bool = False
    deal: int = 0
    code: str = ""
    name: str = ""


def on_table(
    text: str,
    view: Mapping[str, Any] | None = None,
    taps: Iterable[Sequence[Any]] = (),
    code: str | None = None,
    options: Sequence[str] = (),
) -> dict[str, object]:
    """What taps (`[kind, value]` each) make of a text, and the table drawn.

    The answer has the new `text` with all between (`texts`), the `view`, the table as `html`, and
    where a tap was `refused` why. In another notation it has the record `converted` to this one,
    with what is `said` of it; where the deal cannot be read, `wrong` says why.
    """
    seen = View(**(view or {}))
    state = read_state(text, seen.deal, code, options)
    texts: list[str] = []
    refused = ""
    for kind, value in taps if "parts" in state else ():
        table = Table(state, seen)
        try:
            if kind in TAPS:
                getattr(table, kind)(value)
        except Refused as error:
            refused = str(error)
            break
        made = "\n".join(lines for _, lines in state["parts"])
        if made != text or kind == "deal":
            text = made
            texts.append(text)
            unread = kind == "card" and seen.mode == "hands"  # the next card needs nothing read
            state = state if unread else read_state(text, seen.deal, code, options)
        if "parts" not in state:
            return state
    if texts:
        state = read_state(text, seen.deal, code, options)
    if "parts" not in state:
        return state
    seen.deal = state["deal"]
    table = Table(state, seen)
    html = drawn(table, refused)
    return {
        "text": text,
        "texts": texts,
        "view": asdict(seen),
        "html": html,
        "said": refused,
        "refused": bool(refused),
    }


def drawn(table: Table, refused: str = "") -> str:
    """The table as HTML, with what it says of the deal, or why a tap was refused."""
    return rendered(
        "table",
        "check.md",
        t=table,
        view=table.view,
        now=refused or table.now(),
        refused=refused,
        seats=SEATS,
        suits=SUITS,
        ranks=[*reversed(RANKS)],
        codes=[book().code(code) for code in judged_codes()],
        results=results(),
        honours=honours(),
        games=games(),
        towards=[standing(0, 0)],
    )


def blank() -> str:
    """The table before anything is entered."""
    return drawn(Table(read_state("", 0, None, ()), View()))


def read_source(text: str) -> RecordFile:
    """A text in any notation."""
    # A PBN file that begins with a remark is known by its tags; .hand has no line that begins so.
    notation = "pbn" if _PBN.search(text) else None
    return read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", notation)


def read_state(text: str, wanted: int, code: str | None, options: Sequence[str]) -> State:
    """A deal of a text as the table needs it, or why it cannot show it."""
    source = read_source(text)
    if source.notation != "hand":
        made = converted(source.items, "hand", "record")
        return {"converted": made.text or "", "said": list(map(visible, made.notes))}
    document = read_document(text.encode("utf-8", "replace"))
    listed = list(deals_in(document.items))
    if listed and (begun := with_deal_begun(text, listed[0].place)) != text:
        return read_state(begun, wanted, code, options)
    wrong = [u for u in document.unreadable if not (u.harmless or u.rule == "notation.empty")]
    if wrong and (not listed or any(u.about is None for u in wrong)):
        return {"wrong": visible(f"Line {wrong[0].place.line}: {wrong[0].message}")}
    wanted = min(max(wanted, 0), max(len(listed) - 1, 0))
    judged = None
    if listed:
        (check,) = check_document([listed[wanted]], code, list(options) or None)
        found = as_json(check, "play")
        judged = found if "verdict" in found else None
    return shown(document, text, wanted, judged)


# --- the parts of a text --------------------------------------------------------------------------


def _place(parts: Parts, part: str, after: bool = False) -> int:
    """Behind the last of the parts that are written before one, or (`after`) behind it too."""
    order = ORDER.index(part) + after
    found = [n for n, (name, _) in enumerate(parts) if name in ORDER[:order]]
    return found[-1] + 1 if found else 0


def put(parts: Parts, part: str, lines: str) -> None:
    """Put a part in the place of the old one, or where it belongs; empty lines take it out."""
    at = next((n for n, (name, _) in enumerate(parts) if name == part), None)
    if at is None:
        if lines:
            _insert(parts, part, lines, _place(parts, part))
        return
    parts[at] = (part, lines)
    parts[:] = [p for n, p in enumerate(parts) if p[0] != part or (n == at and lines)]


def _insert(parts: Parts, part: str, lines: str, at: int) -> None:
    own = [(part, lines)]
    if part in APART:
        if at > 0 and parts[at - 1][1].strip():
            own.insert(0, ("", ""))
        if at < len(parts) and parts[at][0] in APART:
            own.append(("", ""))
    parts[at:at] = own


def _begin(parts: Parts, code: str) -> None:
    """Begin a deal where none is begun, under a code where none is named."""
    if not any(name == "deal" for name, _ in parts):
        if not parts or parts[-1][0] != "after":
            parts.append(("after", ""))
        blank = [("", "")] if len(parts) > 1 and parts[-2][1].strip() else []
        parts[-1:-1] = [*blank, ("deal", "deal 1")]
    if code and not any(name == "code" for name, _ in parts):
        parts[:0] = [("code", f"code {code}"), ("", "")]


def hands_text(hands: Mapping[str, Sequence[str]]) -> str:
    """The hands in columns, a column for each suit that any of them has."""
    held = [(s, [CARD_OF[c] for c in hands[s.value]]) for s in SEATS if hands.get(s.value)]
    rows = hand_rows((seat, cards, {}, len(cards) < DEALT) for seat, cards in held)
    return "\n  ".join(["hands", *rows]) if rows else ""


def bidding_text(begins: str, calls: Sequence[State]) -> str:
    """The calls, four to a row, each with the irregularities below it."""
    lines = [f"bidding{begins}"]
    for first, last in rows_of(len(calls), lambda n: n % 4 == 3 or bool(calls[n]["below"])):
        lines.append(", ".join(call["words"] for call in calls[first : last + 1]))
        lines += calls[last]["below"]
    return "\n  ".join(lines) if calls else ""


def play_text(tricks: Sequence[State]) -> str:
    """The tricks, a row each, and the claims between them."""
    lines = ["play"]
    for trick in tricks:
        if "line" in trick:
            lines.append(trick["line"])
            continue
        *others, last = trick["cards"]
        words = [[*filter(None, [card["by"]]), card["words"], *card["below"]] for card in others]
        words.append([*filter(None, [last["by"]]), last["words"]])
        lines += [trick_words(trick["leader"], words), *last["below"]]
    return "\n  ".join(lines) if tricks else ""


# --- the table ------------------------------------------------------------------------------------

SUITS = PRINTED_SUITS
CODES = [suit.value + one for suit in SUITS for one in reversed(RANKS)]
"""The cards as the pack lies: spades first, from the ace."""


def rank(code: str) -> str:
    """The rank of a card as a record writes it."""
    return "10" if code[1:] == "T" else code[1:]


class Table:
    """A deal on the table: what is read of it, and what of it is open."""

    def __init__(self, state: State, view: View) -> None:
        """Show a deal as it was read."""
        self.state, self.view = state, view
        self.parts: Parts = state["parts"]
        self.hands: dict[str, list[str]] = state["hands"]
        self.calls: list[State] = state["calls"]
        self.tricks: list[State] = state["tricks"]
        self.said: dict[str, Any] = state["said"]
        self.locked: dict[str, str] = state["locked"]
        self.code: str = state["code"] or view.code
        self.law: Rules | None = book().rules(self.code) if self.code in judged_codes() else None

    # whose turn it is

    @property
    def making(self) -> bool:
        """Whether the trump is made and not bid for."""
        return self.law is not None and self.law.has("making")

    @property
    def dealer(self) -> Seat | None:
        """The dealer that is chosen."""
        return next((s for s in SEATS if s.word == self.said.get("dealer")), None)

    @property
    def trick(self) -> list[State]:
        """The cards of the last trick."""
        return self.tricks[-1].get("cards", []) if self.tricks else []

    @property
    def played(self) -> set[str]:
        """The cards that were played."""
        return {card["card"] for trick in self.tricks for card in trick.get("cards", ())}

    def owner(self, card: str) -> str:
        """Who holds a card."""
        return next((seat for seat, held in self.hands.items() if card in held), "")

    def caller(self) -> str:
        """Who calls next."""
        if self.state["now"].get("calls"):
            return str(self.state["now"]["calls"])
        if self.calls:
            last = self.calls[-1]["seat"]
            return Seat(last).left.value if last else ""
        return self.dealer.value if self.dealer else ""

    def player(self) -> str:
        """Who plays next."""
        if self.state["now"].get("plays"):
            return str(self.state["now"]["plays"])
        cards = self.trick
        inside = cards and len(cards) < len(SEATS) and cards[-1]["seat"]
        return Seat(cards[-1]["seat"]).left.value if inside else ""

    @property
    def turn(self) -> str:
        """For whom something is entered."""
        if self.view.mode == "bidding":
            return self.view.seat or self.caller()
        if self.view.mode == "play":
            return self.view.seat or self.player()
        return self.view.seat or SEATS[0].value

    # taps

    def tab(self, mode: str) -> None:
        """Open a pane."""
        self.view.mode, self.view.seat = mode, ""

    def seat(self, seat: str) -> None:
        """Enter for a player."""
        self.view.seat = seat

    def deal(self, place: str) -> None:
        """Open another deal."""
        self.view.deal = int(place)

    def card(self, card: str) -> None:
        """Give a card to a hand, or play it."""
        self._unlocked(self.view.mode)
        if self.view.mode == "play":
            self._play(card)
        else:
            self._give(card)

    def _give(self, card: str) -> None:
        self._begin()
        seat, held = self.turn, self.hands
        owner = self.owner(card)
        if owner:
            held[owner].remove(card)
        if owner != seat:
            held[seat] = [c for c in CODES if c in {*held[seat], card}]
            free = [c for c in CODES if not self.owner(c)]
            short = [s.value for s in SEATS if len(held[s.value]) < DEALT]
            if len(short) == 1 and len(free) + len(held[short[0]]) == DEALT:
                held[short[0]] = [c for c in CODES if c in {*held[short[0]], *free}]
                self.tab("bidding")
            elif len(held[seat]) >= DEALT and short:
                after = (Seat(seat).after(n).value for n in range(1, len(SEATS)))
                self.view.seat = next(s for s in after if s in short)
        put(self.parts, "hands", hands_text(held))

    def _play(self, card: str) -> None:
        if card in self.played:
            raise Refused("That card is played. Take back the last card, or change the text.")
        by = self.owner(card) or self.turn
        if not by:
            raise Refused("Choose who leads.")
        self._begin()
        if not self.trick or len(self.trick) >= len(SEATS):
            self.tricks.append({"leader": Seat(by).word, "cards": []})
        cards = self.trick
        out = cards and cards[-1]["seat"] and Seat(cards[-1]["seat"]).left.value != by
        words = f"{Suit(card[0]).symbol}{rank(card)}"
        said = {"card": card, "seat": by, "by": Seat(by).word if out else ""}
        cards.append({**said, "words": words, "below": []})
        self.view.seat = ""
        put(self.parts, "play", play_text(self.tricks))

    def number(self, number: str) -> None:
        """Begin a bid."""
        self.view.number = int(number)

    def denomination(self, name: str) -> None:
        """Bid the number in a denomination, or make it."""
        if not self.making and not self.view.number:
            raise Refused("Choose the number of odd tricks first.")
        number = None if self.making else self.view.number
        self.call(call_words(packed("make" if self.making else "bid", number, name)))

    def corrected(self, _: str) -> None:
        """Say that the next call replaces the last of its player, or that it does not."""
        self.view.corrects = not self.view.corrects

    def call(self, words: str) -> None:
        """Make a call, as a record writes it."""
        self._unlocked("bidding")
        last = self.calls[-1] if self.calls else None
        corrects = bool(self.view.corrects and last)
        by = last["seat"] if last and corrects else self.turn
        if not by:
            raise Refused("Choose the dealer first: the bidding begins with him.")
        self._begin()
        dealer = self.dealer.value if self.dealer else ""
        due = dealer
        if last:
            due = Seat(last["seat"]).left.value if last["seat"] and ":" not in last["words"] else ""
        named = self.making or (by != due and not corrects)
        said = f"{f'{Seat(by).word}: ' if named else ''}{'corrects ' if corrects else ''}{words}"
        self.calls.append({"words": said, "below": []})
        self.view.number, self.view.corrects, self.view.seat = 0, False, ""
        put(self.parts, "bidding", bidding_text(self.state["from"], self.calls))

    def stated(self, fields: Mapping[str, str]) -> None:
        """Change some of the statements of a line each."""
        if "code" in fields and fields["code"] != self.code:
            self._choose(fields["code"])
        for name in ("dealer", "standing games", "standing trick", "result", "honours"):
            value = fields.get(name, "").strip()
            if name in fields and value != self.said.get(name, ""):
                self._begin()
                self.said[name] = value
                put(self.parts, name, f"{name} {value}" if value else "")
        written = {n: self.said.get(n, "") for n in SCORES}
        scores = {n: fields.get(n, value).strip() for n, value in written.items()}
        if scores != written:
            self._begin()
            lines = []
            for side in Side:
                own = [f"{c} {v}" for c in COLUMNS_OF if (v := scores[f"score {side.word} {c}"])]
                lines += [f"score {side.word} {' '.join(own)}"] if own else []
            put(self.parts, "score", "\n".join(lines))
        before = {n: self.declared(n) for n in DECLARED}
        now = {n: fields.get(n, value) for n, value in before.items()}
        if now != before and (now["denomination"] or before["denomination"]):
            self._begin()
            put(self.parts, "declaration", self._declaration(now))

    def _choose(self, code: str) -> None:
        """Choose the code: in the text where it names one, else for what is entered next."""
        self.view.code = code
        self.view.number = 0
        if any(name == "code" for name, _ in self.parts):
            put(self.parts, "code", f"code {code}" if code else "")
        elif any(name == "deal" for name, _ in self.parts):
            _begin(self.parts, code)

    def declared(self, name: str) -> str:
        """What is stated of the declaration."""
        stated = self.said.get("declaration", {})
        if name == "denomination" and stated.get("out"):
            return "out"
        value = stated.get(name, "")
        return "bridged" if value is True else str(value or "")

    def _declaration(self, now: Mapping[str, str]) -> str:
        name = now["denomination"]
        if not name:
            return ""
        if name == "out":
            return "declaration passed out"
        one, many = DENOMINATIONS.get(name, (name, name))
        words = [now["number"], one if now["number"] == "1" else many, now["doubled"]]
        words += [f"by {now['by']}" if now["by"] else "", now["bridged"]]
        return " ".join(["declaration", *filter(None, words)])

    def name(self, name: str) -> None:
        """Choose an irregularity to be told; none: another is looked for."""
        self.view.name = name

    def irregular(self, fields: Mapping[str, str]) -> None:
        """Write down an irregularity. Refused while what its law turns on is missing."""
        told = irregularity(self.view.name, self.code)
        if told["by"] and not fields.get("by"):
            raise Refused("Who did it? Choose the player.")
        if told["card"] and not fields.get("of"):
            raise Refused("Which card was it? Choose the card.")
        remedy, suit = fields.get("remedy", ""), fields.get("suit", "")
        if remedy in told["suited"] and not suit:
            raise Refused("Which suit was chosen?")
        facts = (f"{n} {v}" for n, v in fields.items() if n in told["facts"] and v)
        line = incident_words(
            Incident(
                self.view.name,
                by=_seat(fields.get("by")),
                of=fields.get("of") or None,
                noticed_by=_seat(fields.get("noticed_by")),
                remedy=f"{remedy} {suit}".strip() or None,
                chosen_by=_seat(fields.get("chosen_by")),
                when=", ".join(facts) or None,
            )
        )
        self._write(line, fields["at"])
        self.view.name = ""

    def _write(self, line: str, at: str) -> None:
        """Write an irregularity behind a call, a card, or a part of the deal."""
        part = {"call": "bidding", "card": "play"}.get(at)
        if part:
            self._unlocked(part)
            self._begin()
            thing = self.calls[-1:] if at == "call" else self.trick[-1:]
            thing[0]["below"].append(line)
            made = (
                bidding_text(self.state["from"], self.calls)
                if at == "call"
                else play_text(self.tricks)
            )
            put(self.parts, part, made)
            return
        behind = AFTER[at]
        if at != "hands" and not any(name in behind for name, _ in self.parts):
            raise Refused(f"Choose the {behind[0]} first: it is written after that.")
        self._begin()
        _insert(self.parts, "irregularity", line, _place(self.parts, behind[-1], after=True))

    def _begin(self) -> None:
        _begin(self.parts, self.code)

    def _unlocked(self, part: str) -> None:
        if part in self.locked:
            raise Refused("This part is changed in the text.")

    # what the table says

    @property
    def dealt(self) -> bool:
        """Whether all the cards are dealt."""
        return all(len(held) == DEALT for held in self.hands.values())

    def now(self) -> str:
        """How the deal stands, and what is entered next."""
        return " ".join(self._now())

    def _now(self) -> Iterator[str]:
        mode, now, caller = self.view.mode, self.state["now"], self.caller()
        if mode in self.locked:
            yield "This part is changed in the text."
        elif mode == "hands" and self.dealt:
            yield "All four hands are dealt. Tap a card to move it to the player chosen."
        elif mode == "hands":
            held = len(self.hands[self.turn])
            yield f"Tap the cards of {Seat(self.turn).title}: {held} of {DEALT}."
        elif mode == "bidding" and not self.code:
            yield "Choose the code: it says what may be called."
        elif mode == "bidding" and not self.dealer and not self.calls:
            yield "Choose the dealer: he begins."
        elif mode == "bidding" and not self.calls and self.dealt and caller:
            yield f"The hands are dealt; {Seat(caller).title} begins."
        elif mode == "bidding" and not now.get("final") and caller:
            yield f"{Seat(caller).title} is to call."
        if mode != "hands" and now.get("final"):
            yield f"{now['final']}."
        if mode == "play":
            if now.get("plays"):
                yield f"{Seat(now['plays']).title} is to play."
            elif not self.player():
                yield f"Tap the card that is led{' next' if self.trick else ''}."
            if any(now.get("winners", ())):
                won = now["won"]
                yield f"Tricks: North and South {won['NS']}, East and West {won['EW']}."
        if mode == "result" and now.get("honours"):
            yield f"Counted from the cards: {'; '.join(now['honours'])}."

    def only(self) -> str:
        """What is to be changed, or stands, in the text alone."""
        locks = "; ".join(f"{part} ({why})" for part, why in self.locked.items())
        said = [f"Can be changed only in the text: {locks}."] if locks else []
        if self.state["other"]:
            said.append(f"Only in the text: {', '.join(self.state['other'])}.")
        return " ".join(said)

    # what can be called, and what is drawn

    def numbers(self) -> list[tuple[int, bool]]:
        """How many odd tricks may be bid, each with whether that is high enough."""
        bids = self._bids()
        return [
            (n, any(high for (number, _), high in bids if number == n))
            for n in dict.fromkeys(number for (number, _), _ in bids)
        ]

    def _bids(self) -> list[tuple[tuple[int, str], bool]]:
        if self.law is None or self.making:
            return []
        limits = bid_range(self.law)
        numbers = range(limits.least, limits.most + 1) if limits else range(0)
        last = next((c["bid"] for c in reversed(self.calls) if c["bid"]), "")
        known = {
            call_words(packed("bid", n, d)): (n, d) for n, d in product(numbers, self.law.order())
        }
        over = Call("bid", *known[last]) if last in known else None
        return [
            (bid, over is None or sufficient(Call("bid", *bid), over, self.law))
            for bid in known.values()
        ]

    def denominations(self) -> list[tuple[str, str, str, bool]]:
        """The denominations that can be bid with the number, or made: id, words, sign, whether it
        is high enough.
        """
        known = book().denominations
        if self.law is not None and self.making:
            return [
                (d, call_words(packed("make", None, d)), call_sign("make", None, d), True)
                for d in self.law.order()
            ]
        return [
            (d, call_words(packed("bid", n, d)), known[d].short, high)
            for (n, d), high in self._bids()
            if n == self.view.number
        ]

    def other_calls(self) -> list[tuple[str, str]]:
        """The calls beside a bid: kind and words."""
        if self.law is None:
            return []
        challenge = ("challenge",) if self.law.has("challenge") else ()
        kinds = MAKING if self.making else (*BIDDING, *challenge, "all-pass")
        return [(kind, call_words(packed(kind))) for kind in kinds]

    def auction(self) -> list[list[list[State]]]:
        """The calls in rows of four, West first."""
        rows: list[list[list[State]]] = []
        at = len(COLUMNS)
        for call in self.calls:
            column = COLUMNS.index(call["seat"]) if call["seat"] else (at + 1) % len(COLUMNS)
            if column <= at:
                rows.append([[] for _ in COLUMNS])
            rows[-1][column].append(call)
            at = column
        return rows

    def finder(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Every irregularity that can arise under the code, in groups."""
        listed = [i for i in book().irregularities.values() if _arises(i.id, self.code)]
        made = [(label, [(i.id, i.label) for i in listed if i.group == g]) for g, label in groups()]
        return [group for group in made if group[1]]

    def told(self) -> State:
        """What is asked of the irregularity that is told."""
        return irregularity(self.view.name, self.code)

    def places(self) -> list[tuple[str, str]]:
        """Where an irregularity can be written, the likeliest first."""
        found = [("card", "at the last card")] if self.trick else []
        found += [("call", "at the last call")] if self.calls else []
        ends = {"declaration": "after the bidding", "score": "after the play"}
        return [*found, ("hands", "before the bidding"), *ends.items()]


COLUMNS_OF = ("trick", "honour")
SCORES = [f"score {side.word} {column}" for side, column in product(Side, COLUMNS_OF)]
DECLARED = ("number", "denomination", "doubled", "by", "bridged")

TAPS = frozenset(
    "tab seat deal card number denomination corrected call stated name irregular".split()
)
"""The taps, each a method of the table."""


def _seat(word: str | None) -> Seat | None:
    return next((s for s in SEATS if s.word == word), None)


# --- irregularities -------------------------------------------------------------------------------


def _arises(name: str, code: str) -> bool:
    return not code or answer(name, code).kind != "absent"


@cache
def irregularity(name: str, code: str) -> State:
    """What of an irregularity its law turns on under a code, or under any.

    Whether the player (`by`) and the `card` must be told, its `facts` with their questions and
    answers, and the `remedies` as they are written and told, `suited` those that name a suit.
    """
    item = book().irregularities.get(name)
    if item is None:
        return {"label": ""}
    entries = [book().entry(name, c) for c in ([code] if code else judged_codes())]
    cases = [case for entry in entries if entry for case in entry[0].rulings]
    facts = facts_of(cases, item)
    found = [a for c in ([code] if code else judged_codes()) for a in [answer(name, c)]]
    given = [
        r
        for a in found
        for ruling in ((a.ruling,) if a.ruling else a.possible)
        for r in ruling.remedies
    ]
    remedies = {_written(r): r.words for r in given}
    known = book().facts
    return {
        "label": item.label,
        "meaning": item.meaning,
        "by": OFFENDER in facts or any(r.chosen_by in _of_offender() or r.whose for r in given),
        "card": RANK in facts
        or any(e.id == "demand" and e.of in CARD for r in given for e in r.effects),
        "facts": {
            f: (known[f].question, [(v, known[f].values[v]) for v in values])
            for f, values in facts.items()
            if f not in (OFFENDER, RANK)
        },
        "remedies": remedies,
        "suited": [_written(r) for r in given if any(e.of == "suit" for e in r.effects)],
        "chosen": any(r.choice is not None or r.chosen_by != "nobody" for r in given),
    }


OFFENDER, RANK = "offender", "card-rank"
"""The facts that follow from who did it and from the card."""

CARD = ("card", "card-or-not")
"""What a demand is of that needs the card."""


def _written(remedy: Remedy) -> str:
    """A remedy as a record writes it."""
    amount = "" if remedy.number is None else f"{remedy.number} "
    return amount + remedy.id.replace("-", " ")


@cache
def _of_offender() -> frozenset[str]:
    """The choosers who are known by who did it."""
    unknown = Roles().choosers(None)
    return frozenset(c for c, seats in Roles().choosers(SEATS[0]).items() if seats != unknown[c])


# --- what can be chosen ---------------------------------------------------------------------------

Choices = list[tuple[str, str]]
"""Each as a record writes it and as it is told."""


@cache
def results() -> Choices:
    """Every number of tricks."""
    return [(result_words(Result("tricks", n)), str(n)) for n in range(DEALT, -1, -1)]


@cache
def honours() -> Choices:
    """What a side may claim for honours: a number, and how many in one hand where that counts.

    From the figures of all codes: `{"4-0": 8, "3-1": 4}` says that four in one hand count more.
    """
    numbers, divided = set[int](), set[tuple[int, int]]()
    for law in (book().rules(code) for code in judged_codes()):
        for figures in law.value("honour-values").values() if law.has("honour-values") else ():
            held = {tuple(map(int, k.split("-"))): v for k, v in figures["values"].items()}
            for hands, value in held.items():
                numbers.add(sum(hands))
                if value > min(v for h, v in held.items() if sum(h) == sum(hands)):
                    divided.add((sum(hands), max(hands)))
    splits = [(0, None), *((n, None) for n in sorted(numbers)), *sorted(divided)]
    claims = [Honours(side, *split) for side in Side for split in splits]
    return [
        (words, words.replace(c.side.word, f"{c.side.title}:", 1))
        for c in claims
        for words in [honours_words(c)]
    ]


@cache
def games() -> Choices:
    """The games that may be won in the rubber before a deal."""
    most = max(book().rules(code).value("games-in-rubber") or 0 for code in judged_codes())
    each = range(most // 2 + 1)
    return [standing(ns, ew) for ns, ew in product(each, each)]


def standing(ns: int, ew: int) -> tuple[str, str]:
    """What the sides have."""
    said = f"{Side.NS.title} {ns}, {Side.EW.title} {ew}" if ns or ew else "none"
    return figures_words(Figures(ns, ew)), said
