"""One board of a LIN file while its commands are taken, and the record that comes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from oddtrick.cards import CARD_OF, SEATS, Seat, Side
from oddtrick.record.lin.commands import Command
from oddtrick.record.lin.margin import Margin
from oddtrick.record.lin.tricks import claim_of
from oddtrick.record.lin.values import (
    CALL_WORDS,
    CARD_WORDS,
    HAND_WORDS,
    ORDER,
    RESULT_WORDS,
    ROOMS,
    TRICKS,
    VULNERABLE,
    calls_of,
    cards_of,
    dealer_of,
    fourth_of,
    hand_of,
    parts,
    result_of,
    room_of,
)
from oddtrick.record.model import (
    Call,
    Comment,
    Declaration,
    Hand,
    Item,
    Place,
    Played,
    Record,
    Result,
    Stated,
    TableClaim,
    Trick,
)
from oddtrick.record.pbn.reader import shown

MAX_BOARD = 1 << 18
"""The most characters of a board."""
TAG_OF = {"st": "Style", "rh": "Heading"}
COMMANDS = ("qx", "md", "sv", "ah", "mb", "an", "pc", "mc")
"""Commands with which a board is there."""
BOARD = re.compile(r"\s*board\s+(\S{1,20})\s*", re.IGNORECASE)
_TRICKS = re.compile(r"\d\d?", re.ASCII)


@dataclass(slots=True)
class Deal:
    """What the two rooms of a board have in common, and may be given for one of them."""

    dealer: Stated[Seat] | None = None
    hands: tuple[tuple[Seat, Hand], ...] = ()
    vulnerable: Stated[frozenset[Side]] | None = None


@dataclass(slots=True)
class Board:
    """One board while its commands are taken.

    `room` is `o`, `c`, or `?` where `qx` names none; `""` without `qx`. `given` says that the hands
    were, `broken` that a call was none, so that no later one has its place.
    """

    file: str
    place: Place
    margin: Margin = field(init=False)
    end: Place = field(init=False)
    names: Command | None = None
    room: str = ""
    name: str | None = None
    title: str | None = None
    deal: Deal = field(default_factory=Deal)
    given: bool = False
    tags: list[tuple[str, str]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    cards: list[Played] = field(default_factory=list)
    claimed: Result | None = None
    broken: bool = False
    size: int = 0

    def __post_init__(self) -> None:
        self.margin, self.end = Margin(self.file), self.place

    @property
    def played(self) -> bool:
        """Whether calls, cards or a claim stand in it."""
        return bool(self.calls or self.cards or self.claimed)

    def take(self, command: Command) -> None:
        """Take one command of the board."""
        name, value, place = command
        before, self.size = self.size, self.size + len(value) + 4
        if self.size > MAX_BOARD:
            if before <= MAX_BOARD:
                message = f"A board of more than {MAX_BOARD:,} characters was cut."
                self.margin.unread("notation.lin-long-board", message, None, place)
            return
        self.end = place
        match name:
            case "qx":
                self._room(command)
            case "md":
                self._hands(command)
            case "sv":
                self._vulnerable(command)
            case "ah":
                self._title(command)
            case "mb":
                self._calls(command)
            case "an":
                self._explained(command)
            case "pc":
                self._cards(command)
            case "mc":
                self._claim(command)
            case "nt":
                if value.strip():
                    self.margin.comments.append(Comment(value.strip(), *self._anchor(), place))
            case "pg":
                pass
            case "st" | "rh":
                if value.strip():
                    self.tags.append((TAG_OF[name], value.strip()))
            case "":
                self._lost(command)
            case _:
                if value.strip():
                    self._keep(command)

    def _lost(self, command: Command) -> None:
        """Say that text is no command; a call or a card in it leaves its place empty."""
        said = "is no command such as mb|1N|, or one without its closing bar."
        message = f"{shown(command.value)} {said}"
        self.margin.unread("notation.lin-command", message, command.value, command.place)
        name = command.value[:3].lower()
        if name == "mb|" and not self.broken:
            self.broken = True
            self.calls.append(Call("unrecorded", place=command.place))
        elif name == "pc|":
            self.cards.append(Played(None, place=command.place))

    def _anchor(self) -> tuple[Item, str]:
        """What a remark belongs to that stands here, and whether it stands before or after it."""
        if self.cards:
            trick, card = divmod(len(self.cards) - 1, 4)
            return ("play", trick, card), "after"
        if self.calls:
            return ("bidding", len(self.calls) - 1), "after"
        return ("deal",), "before"

    def _keep(self, command: Command) -> None:
        self.margin.keep(f"{command.name}|{command.value}|", command.place)

    def unclear(self, command: Command, problem: str) -> None:
        """Say that a value is not understood, and keep it."""
        message = f"{command.name} {shown(command.value)} {problem}."
        self.margin.unclear("notation.lin-value", message, command.place)
        self._keep(command)

    def _misplaced(self, command: Command, problem: str) -> None:
        message = f"{shown(command.value)} {problem}."
        self.margin.unclear("notation.lin-misplaced", message, command.place)

    def _room(self, command: Command) -> None:
        found = room_of(command.value)
        self.room = "?"
        if found is None:
            self.unclear(command, "is no room and board, such as o12 or c12")
            return
        self.room, self.name = found
        if self.room in ROOMS:
            self.tags.append(("Room", ROOMS[self.room]))

    def _title(self, command: Command) -> None:
        value = command.value.strip()
        found = BOARD.fullmatch(value)
        if found and (self.name is None or self.name == found[1]):
            self.name = found[1]
        elif value:
            self.title = f"{self.title}; {value}" if self.title else value

    def _vulnerable(self, command: Command) -> None:
        value = command.value.strip().lower()
        told = self.deal.vulnerable
        if value in VULNERABLE and told is None:
            self.deal.vulnerable = Stated(VULNERABLE[value], command.place)
        elif value in VULNERABLE and told and VULNERABLE[value] != told.value:
            self.unclear(command, "says another vulnerability than before; the first counts")
        elif value and value not in VULNERABLE:
            self.unclear(command, "is not o, n, e or b; the vulnerability is not known")

    # --- the hands --------------------------------------------------------------------------------

    def _hands(self, command: Command) -> None:
        if self.given:
            self.unclear(command, "deals the cards a second time; the first counts")
            return
        self.given = True
        written = list(parts(command))
        digit, place, written[0] = dealer_of(written[0])
        if digit in ("1", "2", "3", "4"):
            self.deal.dealer = Stated(ORDER[int(digit) - 1], place)
        elif digit not in ("", "0"):
            self.unclear(command, "does not begin with a dealer, 1 to 4, or 0")
        hands: dict[Seat, Hand] = {}
        whole = True
        for seat, part in zip(ORDER, written, strict=False):
            hand = hand_of(part)
            whole = whole and hand is not None
            if hand is None:
                message = f"{shown(part.value)} is no hand: {HAND_WORDS}."
                self.margin.unread("notation.lin-card", message, part.value, part.place)
            elif hand.cards:
                hands[seat] = hand
        for part in written[len(ORDER) :]:
            if part.value:
                message = f"{shown(part.value)} would be a fifth hand."
                self.margin.unread("notation.lin-card", message, part.value, part.place)
        if whole:
            hands |= fourth_of(hands, command.place)
        self.deal.hands = tuple((s, hands[s]) for s in SEATS if s in hands)

    # --- calls and cards --------------------------------------------------------------------------

    def _calls(self, command: Command) -> None:
        if self.broken:
            self._keep(command)
            return
        if self.cards and command.value.strip():
            self._misplaced(command, "is called when cards are played already")
        calls, rest = calls_of(command)
        self.calls += calls
        if rest:
            self.broken = True
            said = f"is no call ({CALL_WORDS}); it and what follows was not used."
            message = f"{shown(rest.value)} {said}"
            self.margin.unread("notation.lin-call", message, rest.value, rest.place)
            self.calls.append(Call("unrecorded", place=rest.place))

    def _explained(self, command: Command) -> None:
        value = command.value.strip()
        if value and self.calls and not self.broken:
            last = self.calls[-1]
            said = f"{last.note}; {value}" if last.note else value
            self.calls[-1] = replace(last, note=said)
        elif value:
            self._keep(command)
            if not self.broken:
                self._misplaced(command, "explains no call: none stands before it")

    def _cards(self, command: Command) -> None:
        if self.claimed:
            self._misplaced(command, "is played after the claim; it was not used")
            self._keep(command)
        elif plain := CARD_OF.get(command.value.upper()):
            self.cards.append(Played(plain, place=command.place))
        else:
            for card, written in cards_of(command):
                if card is None:
                    message = f"{shown(written.value)} is no card: {CARD_WORDS}."
                    self.margin.unread("notation.lin-card", message, written.value, written.place)
                self.cards.append(Played(card, place=written.place))

    def _claim(self, command: Command) -> None:
        value = command.value.strip()
        if _TRICKS.fullmatch(value) and int(value) <= TRICKS and not self.claimed:
            self.claimed = Result("tricks", int(value), command.place)
        elif value:
            self.unclear(command, f"is no number of tricks up to {TRICKS}, said once")

    # --- the record -------------------------------------------------------------------------------

    def record(self, number: int, deal: Deal, entry: Command | None) -> Record:
        """The record of the board but for what holds for all boards and for what stands beside."""
        declaration, result = self._entry(entry)
        room = f" {ROOMS[self.room].lower()} room" if self.room in ROOMS else ""
        title = [("title", self.title)] if self.title else []
        record = Record(
            f"board {self.name}{room}" if self.name else f"record {number}",
            self.file,
            _span(self.place, self.end),
            tags=(*title, *self.tags),
            dealer=deal.dealer,
            vulnerable=deal.vulnerable,
            hands=deal.hands,
            bidding=tuple(self.calls) or None,
            declaration=declaration,
            play=self._tricks(),
            result=self.claimed or result,
        )
        return replace(record, table_claims=self._claims(record))

    def _tricks(self) -> tuple[Trick, ...] | None:
        fours = (tuple(self.cards[i : i + 4]) for i in range(0, len(self.cards), 4))
        tricks = tuple(Trick(four, place=_span(four[0].place, four[-1].place)) for four in fours)
        return tricks or None

    def _claims(self, record: Record) -> tuple[TableClaim, ...]:
        """The claim that ended a play before its end."""
        claims = claim_of(record.numbers, self.claimed)
        for claim in claims:
            said = "LIN does not say who claimed; it is written as the declarer's claim, agreed"
            self.margin.assume(said, claim.place)
        return claims

    def _entry(self, entry: Command | None) -> tuple[Declaration | None, Result | None]:
        """What the results of the match say: the declaration, and the result where it counts.

        It counts where the cards tell a part of the play: a claim goes before it, and so do
        thirteen tricks; of a board without a card played no result is known.
        """
        if entry is None:
            return None, None
        told = result_of(entry)
        if told is None:
            self.unclear(entry, f"is no result, {RESULT_WORDS}")
            return None, None
        declaration, result = told
        if self.claimed or len(self.cards) >= len(ORDER) * TRICKS:
            return declaration, None
        if result and not self.cards:
            self._keep(entry)
            return declaration, None
        return declaration, result


def _span(first: Place, last: Place) -> Place:
    return Place(first.line, first.column, last.end_line, last.end_column)
