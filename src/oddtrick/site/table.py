"""The card table on "Check a hand": applies taps to the text of a record, and draws the table.

The text is the only state of a deal. `tapped` reads it; a tap rewrites one part of it and leaves
all other lines unchanged; then the text is read again and drawn (`table.html`).
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
"""Values for the template: a deal as read from the text (`tapped.shown`), or a part of it."""

Parts = list[tuple[str, str]]

BIDDING = ("pass", "double", "redouble")
"""The calls of an auction other than bids; some codes also have `challenge`."""

MAKING = ("pass-to-partner", "may-i-lead", "yes", "double", "redouble", "satisfied")
"""The declarations in a code where the trump is made, other than the make."""

COLUMNS = "WNES"
ORDER = (
    *("deal", "dealer", "standing games", "standing trick", "hands", "bidding", "declaration"),
    *("play", "result", "honours", "score"),
)
"""The parts of a deal in the order in which they are written to the text."""

APART = ("hands", "bidding", "declaration", "play", "result")
"""The parts with an empty line around them."""

AFTER = {"hands": ("hands",), "declaration": ("declaration",), "score": ORDER[-3:]}
"""The parts after which an irregularity of the whole deal is written, by the place chosen."""

_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)


class Refused(Exception):
    """Raised if a tap is refused; the message gives the reason."""


@dataclass(slots=True)
class View:
    """The state of the table that is not in the text.

    `mode` is the open tab; `seat` is the player for whom something is entered (empty: whoever's
    turn it is); `number` is the number of odd tricks of an unfinished bid; `corrects` says that the
    next call replaces the last; `deal` is the index of the deal; `code` is used if the text names
    none; `name` is the irregularity being entered.
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
    """Apply taps (`[kind, value]` each) to a text, and draw the table.

    The answer has the new `text`, the text after each change (`texts`), the `view`, and the table
    as `html`. If a tap is refused, `refused` is true and `said` gives the reason. For a record in
    another notation, the answer has the record `converted` to `.hand`, with notes in `said`. If the
    deal cannot be read, `wrong` says why.
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
            unread = kind == "card" and seen.mode == "hands"  # no need to read between dealt cards
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
    """The table as HTML, with its status line, or the reason why a tap was refused."""
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
    """Read a text in any notation."""
    # PBN that begins with a comment is recognised by its tags, which cannot begin a .hand line.
    notation = "pbn" if _PBN.search(text) else None
    return read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", notation)


def read_state(text: str, wanted: int, code: str | None, options: Sequence[str]) -> State:
    """The deal with the index `wanted` as the table needs it (`tapped.shown`).

    If the table cannot show the text, the result has `wrong`, or `converted` and `said`, instead.
    """
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
    """The index after the last of the parts that precede `part`, or, with `after`, after `part`."""
    order = ORDER.index(part) + after
    found = [n for n, (name, _) in enumerate(parts) if name in ORDER[:order]]
    return found[-1] + 1 if found else 0


def put(parts: Parts, part: str, lines: str) -> None:
    """Replace a part, or insert it where it belongs; if `lines` is empty, remove it."""
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
    """Add a line that begins a deal, and one that names the code, if they are missing."""
    if not any(name == "deal" for name, _ in parts):
        if not parts or parts[-1][0] != "after":
            parts.append(("after", ""))
        blank = [("", "")] if len(parts) > 1 and parts[-2][1].strip() else []
        parts[-1:-1] = [*blank, ("deal", "deal 1")]
    if code and not any(name == "code" for name, _ in parts):
        parts[:0] = [("code", f"code {code}"), ("", "")]


def hands_text(hands: Mapping[str, Sequence[str]]) -> str:
    """The section `hands` in columns, with a column for each suit in any of the hands."""
    held = [(s, [CARD_OF[c] for c in hands[s.value]]) for s in SEATS if hands.get(s.value)]
    rows = hand_rows((seat, cards, {}, len(cards) < DEALT) for seat, cards in held)
    return "\n  ".join(["hands", *rows]) if rows else ""


def bidding_text(begins: str, calls: Sequence[State]) -> str:
    """The section `bidding`: the calls, four to a row, with irregularities below their calls."""
    lines = [f"bidding{begins}"]
    for first, last in rows_of(len(calls), lambda n: n % 4 == 3 or bool(calls[n]["below"])):
        lines.append(", ".join(call["words"] for call in calls[first : last + 1]))
        lines += calls[last]["below"]
    return "\n  ".join(lines) if calls else ""


def play_text(tricks: Sequence[State]) -> str:
    """The section `play`: a row for each trick, and the claims between them."""
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
"""The codes of the cards in sorted order: suit by suit, spades first, each from the ace down."""


def rank(code: str) -> str:
    """The rank of a card as a record writes it: `10` for T."""
    return "10" if code[1:] == "T" else code[1:]


class Table:
    """A deal on the table: what was read from the text (`state`), and the `view`."""

    def __init__(self, state: State, view: View) -> None:
        """Take over the parts of the state that the table shows."""
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
        """Whether the trump is made rather than bid."""
        return self.law is not None and self.law.has("making")

    @property
    def dealer(self) -> Seat | None:
        """The dealer as stated in the text."""
        return next((s for s in SEATS if s.word == self.said.get("dealer")), None)

    @property
    def trick(self) -> list[State]:
        """The cards of the last trick."""
        return self.tricks[-1].get("cards", []) if self.tricks else []

    @property
    def played(self) -> set[str]:
        """The codes of the cards played."""
        return {card["card"] for trick in self.tricks for card in trick.get("cards", ())}

    def owner(self, card: str) -> str:
        """The seat that holds a card; empty if none does."""
        return next((seat for seat, held in self.hands.items() if card in held), "")

    def caller(self) -> str:
        """The seat that calls next; empty if unknown."""
        if self.state["now"].get("calls"):
            return str(self.state["now"]["calls"])
        if self.calls:
            last = self.calls[-1]["seat"]
            return Seat(last).left.value if last else ""
        return self.dealer.value if self.dealer else ""

    def player(self) -> str:
        """The seat that plays next; empty if unknown."""
        if self.state["now"].get("plays"):
            return str(self.state["now"]["plays"])
        cards = self.trick
        inside = cards and len(cards) < len(SEATS) and cards[-1]["seat"]
        return Seat(cards[-1]["seat"]).left.value if inside else ""

    @property
    def turn(self) -> str:
        """The seat for which the next entry is made."""
        if self.view.mode == "bidding":
            return self.view.seat or self.caller()
        if self.view.mode == "play":
            return self.view.seat or self.player()
        return self.view.seat or SEATS[0].value

    # taps

    def tab(self, mode: str) -> None:
        """Open a tab."""
        self.view.mode, self.view.seat = mode, ""

    def seat(self, seat: str) -> None:
        """Choose the player for whom the next entry is made."""
        self.view.seat = seat

    def deal(self, place: str) -> None:
        """Open another deal."""
        self.view.deal = int(place)

    def card(self, card: str) -> None:
        """Play a card, or, in any other tab, deal it to a hand or take it back."""
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
        """Begin a bid with its number of odd tricks."""
        self.view.number = int(number)

    def denomination(self, name: str) -> None:
        """Complete a bid with its denomination, or make the denomination trump."""
        if not self.making and not self.view.number:
            raise Refused("Choose the number of odd tricks first.")
        number = None if self.making else self.view.number
        self.call(call_words(packed("make" if self.making else "bid", number, name)))

    def corrected(self, _: str) -> None:
        """Toggle whether the next call corrects the last one."""
        self.view.corrects = not self.view.corrects

    def call(self, words: str) -> None:
        """Add a call, given in the words of a record."""
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
        """Change the code, the score, the declaration and the statements that fill one line."""
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
        """Set the code in the view; in the text too, if it names a code or has begun a deal."""
        self.view.code = code
        self.view.number = 0
        if any(name == "code" for name, _ in self.parts):
            put(self.parts, "code", f"code {code}" if code else "")
        elif any(name == "deal" for name, _ in self.parts):
            _begin(self.parts, code)

    def declared(self, name: str) -> str:
        """A field of the declaration as stated in the text; empty if it is not stated."""
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
        """Choose the irregularity to enter; an empty name returns to the list."""
        self.view.name = name

    def irregular(self, fields: Mapping[str, str]) -> None:
        """Add an irregularity to the text.

        Raises `Refused` if the player, the card or the suit on which the law depends is missing.
        """
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
        """Write an irregularity after the last call or card, or after a part of the deal."""
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
        """Whether all four hands are complete."""
        return all(len(held) == DEALT for held in self.hands.values())

    def now(self) -> str:
        """The status line: the state of the deal, and what to enter next."""
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
        """A note on what can be changed, or is shown, only in the text."""
        locks = "; ".join(f"{part} ({why})" for part, why in self.locked.items())
        said = [f"Can be changed only in the text: {locks}."] if locks else []
        if self.state["other"]:
            said.append(f"Only in the text: {', '.join(self.state['other'])}.")
        return " ".join(said)

    # what can be called, and what is drawn

    def numbers(self) -> list[tuple[int, bool]]:
        """The numbers of odd tricks that can be bid, each with whether some bid of that number is
        sufficient.
        """
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
        """The denominations that can be bid with the number, or made: id, words, sign, and whether
        the bid is sufficient.
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
        """The calls other than bids and makes: kind and words."""
        if self.law is None:
            return []
        challenge = ("challenge",) if self.law.has("challenge") else ()
        kinds = MAKING if self.making else (*BIDDING, *challenge, "all-pass")
        return [(kind, call_words(packed(kind))) for kind in kinds]

    def auction(self) -> list[list[list[State]]]:
        """The calls in rows of four columns, West first; a column has a list of calls."""
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
        """The irregularities that can arise under the code (id and label), by group."""
        listed = [i for i in book().irregularities.values() if _arises(i.id, self.code)]
        made = [(label, [(i.id, i.label) for i in listed if i.group == g]) for g, label in groups()]
        return [group for group in made if group[1]]

    def told(self) -> State:
        """The questions about the irregularity being entered (`irregularity`)."""
        return irregularity(self.view.name, self.code)

    def places(self) -> list[tuple[str, str]]:
        """The places where an irregularity can be written, the most likely first: key and label."""
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
"""The kinds of taps; each is a method of `Table`."""


def _seat(word: str | None) -> Seat | None:
    return next((s for s in SEATS if s.word == word), None)


# --- irregularities -------------------------------------------------------------------------------


def _arises(name: str, code: str) -> bool:
    return not code or answer(name, code).kind != "absent"


@cache
def irregularity(name: str, code: str) -> State:
    """What must be entered for an irregularity under a code, or, if `code` is empty, under any.

    `by` and `card` say whether the law depends on the player and on the card. `facts` has the
    questions with their answers. `remedies` maps each remedy as a record writes it to its words;
    `suited` lists those that need a suit. `chosen` says whether anyone has a choice.
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
"""The facts that follow from the offending player and from the card."""

CARD = ("card", "card-or-not")
"""The objects of a demand for which the card must be known."""


def _written(remedy: Remedy) -> str:
    """A remedy as a record writes it."""
    amount = "" if remedy.number is None else f"{remedy.number} "
    return amount + remedy.id.replace("-", " ")


@cache
def _of_offender() -> frozenset[str]:
    """The choosers that can be determined only if the offender is known."""
    unknown = Roles().choosers(None)
    return frozenset(c for c, seats in Roles().choosers(SEATS[0]).items() if seats != unknown[c])


# --- what can be chosen ---------------------------------------------------------------------------

Choices = list[tuple[str, str]]
"""Choices: each as a record writes it, with its label."""


@cache
def results() -> Choices:
    """The choices for the result: every number of tricks."""
    return [(result_words(Result("tricks", n)), str(n)) for n in range(DEALT, -1, -1)]


@cache
def honours() -> Choices:
    """The choices for honours: a side and a number, and how many are in one hand if that counts.

    They come from the figures of all codes: `{"4-0": 8, "3-1": 4}` means that four honours count
    more in one hand.
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
    """The choices for the games that each side has won before the deal."""
    most = max(book().rules(code).value("games-in-rubber") or 0 for code in judged_codes())
    each = range(most // 2 + 1)
    return [standing(ns, ew) for ns, ew in product(each, each)]


def standing(ns: int, ew: int) -> tuple[str, str]:
    """A choice of figures for both sides: as a record writes them, and the label."""
    said = f"{Side.NS.title} {ns}, {Side.EW.title} {ew}" if ns or ew else "none"
    return figures_words(Figures(ns, ew)), said
