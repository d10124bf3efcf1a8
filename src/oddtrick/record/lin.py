"""Reads LIN, the notation of Bridge Base Online: single boards and the two rooms of a vugraph.

LIN has no published standard. A file is a sequence of commands, `xx|value|`, on any number of
lines; one regular expression finds them. `read_lin` yields the deals one at a time, each followed
by its unreadable parts. A board begins with `qx` or, without one, with its players or its hands.
Players, results and hands that a file states only once apply to all the boards concerned. No fact
is guessed, and unused text is preserved.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from oddtrick.cards import OF_SUIT, PACK, PRINTED_SUITS, SEAT_OF, SEATS, SUIT_OF, Seat, Side
from oddtrick.limits import LIN_DEALS, LIN_VALUE
from oddtrick.record.deal import (
    DENOMINATIONS,
    UNKNOWN_CARD,
    UNRECORDED,
    Claim,
    Comment,
    Deal,
    Declaration,
    Event,
    HandDetail,
    Item,
    Remark,
    Result,
    Source,
    Span,
    Unreadable,
    call,
)
from oddtrick.record.margin import MOST_KEPT, Margin, shown
from oddtrick.record.pbn.fields import CARDS_PLAYED, final_declaration, hand_of, winner_of
from oddtrick.record.pbn.fields import DENOMINATIONS as DENOMINATION_WRITTEN
from oddtrick.record.pbn.games import blocks, text_of

NAMES = tuple("ah an mb mc md nt pc pg pn qx rh rs st sv vg".split())
"""The names of all known commands."""
BOARD = ("qx", "md", "sv", "mb", "an", "pc", "mc")
"""Commands that occur only within a board; a title may also precede it."""
ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The seats in LIN's order, used for players and hands, and for the dealer counted from 1."""
TRICKS = len(PACK) // len(SEATS)
ROOMS = {"o": "Open", "c": "Closed"}
VULNERABLE = {
    **dict.fromkeys("o0", frozenset[Side]()),
    "n": frozenset((Side.NS,)),
    "e": frozenset((Side.EW,)),
    "b": frozenset(Side),
}
VUGRAPH = ("event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam", "")
"""The tags for the parts of `vg`, named as in PBN; empty for parts that are not used."""
FIRST_BOARD = 3
"""The index of the part of `vg` that contains the number of the first board."""
TAGS = {"st": "Style", "rh": "Heading"}
KINDS = {"p": "pass", "d": "double", "r": "redouble"}
CALLS = {
    f"{odd}{letter}": call("bid", odd, DENOMINATION_WRITTEN[letter])
    for odd in range(1, 8)
    for letter in ("C", "D", "H", "S", "N", "NT")
}
CALLS |= {sign.upper(): call(kind) for sign, kind in KINDS.items()}

MOST_PLAYERS = len(ORDER) * len(ROOMS)
SHOWN = 100

_ANY = "|".join(NAMES)
_TEXTS = "ah|an|nt|pn|rh|rs|st|vg"
_VALUE = rf"\|([^|]{{0,{LIN_VALUE.most}}}+)"
_NEXT = r"\|(?:pg\|\|)?\s*+(?:mb|pc)\|"
_COMMAND = re.compile(
    rf"(mb|pc)\|([^|\s]{{1,9}}(?:\|(?:pg\|\|)?\s*+\1\|[^|\s]{{1,9}}){{0,51}})\|"
    rf"|(?!(?:{_TEXTS})\|)([A-Z]{{2}}){_VALUE}(?<!\s(?:{_ANY}))\|"
    rf"|({_TEXTS}){_VALUE}(?<!\n(?:{_ANY}))\|"
    rf"|(\S.*?)(?=\Z|(?<![A-Z0-9])(?:{_ANY})\|)",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
"""Successive calls or cards, a command, a command with free text, or text that is not a command.

A value that ends in a blank and the name of a command lacks its closing bar. In free text this
holds only if that name begins a line.
"""
_LOST = 7
_CALL = re.compile(
    rf"\s*(?:([1-7](?:NT?|[SHDC])|[PDR](?![A-CE-OQS-Z]))\s*(!*)\s*|([^|\s][^|]*+))(?:{_NEXT})?",
    re.IGNORECASE | re.ASCII,
)
_CARD = re.compile(
    rf"\s*(?:([SHDC](?:10|[2-9TJQKA]))\s*|([^|\s][^|]*+))(?:{_NEXT})?", re.IGNORECASE | re.ASCII
)
"""A call with its alert, or a card; or text that is neither; then what separates it from the next.
"""
_SUIT = re.compile(r"([SHDC])((?:10|[2-9TJQKA])*+)\s*", re.IGNORECASE | re.ASCII)
_HAND = re.compile(rf"(?:{_SUIT.pattern})*+", re.IGNORECASE | re.ASCII)
_ROOM = re.compile(r"\s*([oc])?\s*(\d{1,6})\b.*", re.IGNORECASE | re.DOTALL)
_BOARD = re.compile(r"\s*board\s+(\S{1,20})\s*", re.IGNORECASE)
_DEALER = re.compile(r"\s*(\d?)\s*", re.ASCII)
_TRICKS = re.compile(r"\d\d?", re.ASCII)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_RESULT = re.compile(
    r"([1-7])(NT?|[SHDC])([NESW])(X{0,2})(=|[+-]\d{1,2})", re.IGNORECASE | re.ASCII
)
_PACK = sum(OF_SUIT.values())


Facts = dict[str, tuple[Any, Any]]
"""Fields of a deal, each with its value and its span; the hands have their spans and details."""
STATED = ("dealer", "vulnerable", "declaration", "result")
NO_HANDS = (0, 0, 0, 0), ((None,) * len(SEATS), ())


class Command(NamedTuple):
    """A command: its name in lower case, its value, and the offset of the value in the text.

    Successive calls or cards are one command, whose value includes what separates them. Text that
    is not a command has the name `""`.
    """

    name: str
    value: str
    start: int

    @property
    def span(self) -> Span:
        """The span of the value."""
        return self.start, self.start + len(self.value)

    @property
    def line(self) -> str:
        """The value on one line, stripped."""
        return self.value.strip().replace("\n", " ")

    @property
    def written(self) -> str:
        """The command as written."""
        return f"{self.name}|{self.value}|"

    def part(self, start: int, end: int | None = None) -> Command:
        """The same command with only a slice of the value."""
        return Command(self.name, self.value[start:end], self.start + start)

    def parts(self) -> Iterator[Command]:
        """Yield the parts of the value between commas, stripped of surrounding space."""
        start = self.start
        for written in self.value.split(","):
            value = written.strip()
            yield Command(self.name, value, start + written.find(value))
            start += len(written) + 1


class _Board(Margin):
    """One board while its commands are read.

    `room` is `o` or `c`, `?` if `qx` names no room, and `""` if there is no `qx`. `given` means
    that the hands have been read. `broken` means that a call could not be read, so that the
    position of later calls is unknown.
    """

    def __init__(self, file: _Reader, place: Span) -> None:
        super().__init__(file.source)
        self.file = file
        self.place = place
        self.end = place[0]
        self.names = file.names
        self.room = ""
        self.name: str | None = None
        self.titles: list[str] = []
        self.tags: list[tuple[str, str]] = []
        self.dealt: Facts = {}
        self.given = self.broken = False
        self.calls, self.call_starts = list[int](), list[int]()
        self.alerted = set[int]()
        self.notes: dict[int, list[str]] = defaultdict(list)
        self.cards, self.card_starts = list[int](), list[int]()
        self.claimed: tuple[int, Span] | None = None

    @property
    def is_played(self) -> bool:
        return bool(self.calls or self.cards or self.claimed)

    def take(self, command: Command) -> None:
        self.end = command.span[1]
        COMMANDS.get(command.name, _Board.store)(self, command)

    def store(self, command: Command) -> None:
        """Store the text of a command that is not used."""
        if command.value.strip():
            self.keep(command.written, command.span)

    def wrong(self, rule: str, command: Command, problem: str) -> None:
        named = f"{command.name} " if rule == "lin-value" else ""
        message = f"{named}{shown(command.value)} {problem}."
        kept = {"lin-value": command.written, "lin-misplaced": None}.get(rule, command.value)
        is_unclear = rule in ("lin-value", "lin-misplaced")
        self.unread(f"notation.{rule}", message, command.span, kept, is_unclear)

    # --- commands ---------------------------------------------------------------------------------

    def lost(self, command: Command) -> None:
        """Report text that is not a command; an unknown call or card replaces a lost one."""
        words = "is not a command such as mb|1N|, or lacks its closing bar"
        self.wrong("lin-command", command, words)
        name = command.value[:3].lower()
        if name == "mb|" and not self.broken:
            self.lose_calls(command.start)
        elif name == "pc|":
            self.cards.append(UNKNOWN_CARD)
            self.card_starts.append(command.start)

    def take_room(self, command: Command) -> None:
        found = _ROOM.fullmatch(command.value)
        self.room, self.name = ((found[1] or "?").lower(), found[2]) if found else ("?", self.name)
        if found is None:
            self.wrong("lin-value", command, "is not a room and board, such as o12 or c12")
        elif self.room in ROOMS:
            self.tags.append(("Room", ROOMS[self.room]))

    def take_title(self, command: Command) -> None:
        found = _BOARD.fullmatch(command.value)
        if found and (self.name is None or self.name == found[1]):
            self.name = found[1]
        elif value := command.line:
            self.titles.append(value)

    def take_tag(self, command: Command) -> None:
        if value := command.line:
            self.tags.append((TAGS[command.name], value))

    def take_vulnerable(self, command: Command) -> None:
        if not command.line:
            return
        sides = VULNERABLE.get(command.line.lower())
        if sides is None:
            words = "is not o, n, e or b; the vulnerability is not known"
            self.wrong("lin-value", command, words)
        elif self.dealt.setdefault("vulnerable", (sides, command.span))[0] != sides:
            words = "differs from the vulnerability stated before; the first counts"
            self.wrong("lin-value", command, words)

    def take_hands(self, command: Command) -> None:
        if self.given:
            words = "deals the cards a second time; the first deal counts"
            self.wrong("lin-value", command, words)
            return
        self.given = True
        first, *others = command.parts()
        found = _DEALER.match(first.value)
        assert found
        if found[1] in ("1", "2", "3", "4"):
            self.dealt["dealer"] = ORDER[int(found[1]) - 1], first.part(0, found.end()).span
        elif found[1] not in ("", "0"):
            self.wrong("lin-value", command, "does not begin with a dealer, 1 to 4, or 0")
        hands, spans = [0, 0, 0, 0], list[Span | None]([None] * len(SEATS))
        details, is_complete = [], True
        for seat, part in zip(ORDER, (first.part(found.end()), *others), strict=False):
            if not _HAND.fullmatch(part.value):
                is_complete = False
                words = "is not a hand: write suits S, H, D, C, each with its ranks AKQJT98765432"
                self.wrong("lin-card", part, words)
            elif part.value:
                ranks = dict.fromkeys(PRINTED_SUITS, "")
                for letter, more in _SUIT.findall(part.value):
                    ranks[SUIT_OF[letter.upper()]] += more
                held, _, again = hand_of(".".join(ranks.values())) or (0, (), ())
                hands[seat.number], spans[seat.number] = held, part.span if held else None
                details += [HandDetail(seat, again=again)] if again else []
        for part in others[len(ORDER) - 1 :]:
            if part.value:
                self.wrong("lin-card", part, "would be a fifth hand")
        is_complete = is_complete and not details
        if is_complete and sorted(map(int.bit_count, hands)) == [0, *[TRICKS] * 3]:
            rest, left_out = _PACK & ~(hands[0] | hands[1] | hands[2] | hands[3]), hands.index(0)
            if rest.bit_count() == TRICKS:
                hands[left_out], spans[left_out] = rest, command.span
        if any(hands):
            self.dealt["hands"] = tuple(hands), (tuple(spans), tuple(details))

    def take_calls(self, command: Command) -> None:
        for found in _CALL.finditer(command.value):
            written, alerts, other = found.groups()
            if self.broken or other or self.cards:
                one = command.part(found.start(), found.end(3 if other else 2))
            if self.broken:
                self.store(one)
            elif other:
                words = "is not a call (1C to 7N, p, d, r); it and what follows were ignored"
                self.wrong("lin-call", one, words)
                self.lose_calls(one.start)
            else:
                if self.cards:
                    self.wrong("lin-misplaced", one, "is a call after cards have been played")
                if alerts:
                    self.alerted.add(len(self.calls))
                    self.notes[len(self.calls)] = []
                self.calls.append(CALLS[written.upper()])
                self.call_starts.append(command.start + found.start(1))

    def lose_calls(self, start: int) -> None:
        """End the auction at a call that cannot be read."""
        self.broken = True
        self.calls.append(UNRECORDED)
        self.call_starts.append(start)

    def take_explanation(self, command: Command) -> None:
        if command.line and self.calls and not self.broken:
            self.notes[len(self.calls) - 1].append(command.line)
            return
        self.store(command)
        if command.line and not self.broken:
            self.wrong("lin-misplaced", command, "explains a call, but no call precedes it")

    def take_cards(self, command: Command) -> None:
        for found in _CARD.finditer(command.value):
            if self.claimed:
                one = command.part(found.start(), found.end(found.lastindex or 0))
                self.wrong("lin-misplaced", one, "comes after the claim, so it was ignored")
                self.store(one)
                continue
            self.card_starts.append(command.start + found.start())
            self.cards.append(CARDS_PLAYED[found[1]] if found[1] else UNKNOWN_CARD)
            if not found[1]:
                words = "is not a card: write a suit and a rank, such as SA"
                self.wrong("lin-card", command.part(found.start(), found.end(2)), words)

    def take_claim(self, command: Command) -> None:
        if command.line and (not _TRICKS.fullmatch(command.line) or int(command.line) > TRICKS):
            self.wrong("lin-value", command, f"is not a number of tricks up to {TRICKS}")
        elif command.line and self.claimed:
            self.wrong("lin-value", command, "is a second claim")
        elif command.line:
            self.claimed = int(command.line), command.span

    def take_comment(self, command: Command) -> None:
        anchor: Item = ("bidding", len(self.calls) - 1) if self.calls else ("deal",)
        if self.cards:
            anchor = "play", *divmod(len(self.cards) - 1, len(SEATS))
        where = "before" if anchor == ("deal",) else "after"
        if value := command.value.strip():
            self.comments.append(Comment(value, anchor, where, command.span))

    # --- the deal ---------------------------------------------------------------------------------

    def deal(self) -> Deal:
        players, facts = self._players(), self._dealt()
        hands, (spans, details) = facts.pop("hands", NO_HANDS)
        facts |= self._entry()
        if self.claimed:
            facts["result"] = Result("tricks", self.claimed[0]), self.claimed[1]
        room = f" {ROOMS[self.room].lower()} room" if self.room in ROOMS else ""
        title = [("title", "; ".join(self.titles))] if self.titles else []
        remarks = []
        for n, notes in sorted(self.notes.items()):
            words = ["alert"] if n in self.alerted else []
            words += ["; ".join(notes)] if notes else []
            remarks.append(Remark(Event("call", n), None, ": ".join(words)))
        return Deal(
            self.source,
            (self.place[0], self.end),
            f"board {self.name}{room}" if self.name else f"record {self.file.number}",
            stated=tuple([((name,), facts[name][1]) for name in STATED if name in facts]),
            tags=(*self.file.unknown, *self.file.tags, *title, *self.tags),
            players=players,
            hands=hands,
            hand_spans=spans,
            hand_details=details,
            calls=tuple(self.calls) or None,
            call_starts=tuple(self.call_starts),
            cards=tuple(self.cards) or None,
            card_starts=tuple(self.card_starts),
            trick_starts=tuple(range(0, len(self.cards), len(SEATS))),
            claims=self._claims(facts, hands),
            remarks=tuple(remarks),
            comments=tuple(self.comments),
            unused=tuple(self.unused),
            assumed=tuple(self.assumed),
            **{name: value for name, (value, _) in facts.items()},
        )

    def _players(self) -> tuple[tuple[Seat, str], ...]:
        names = list(self.names.parts()) if self.names else []
        for number, more in enumerate(names[MOST_PLAYERS:], MOST_PLAYERS + 1):
            if more.value:
                words = f"would be player {number}, but there are only two tables"
                self.wrong("lin-value", more, words)
        at_table = names[len(ORDER) if self.room == "c" else 0 :]
        by_seat = {seat: name.line for seat, name in zip(ORDER, at_table, strict=False)}
        return tuple([(s, by_seat[s]) for s in SEATS if by_seat.get(s)])

    def _dealt(self) -> Facts:
        """Dealer, vulnerability and hands, completed from the other room of the board."""
        if not self.room or self.name is None:
            return self.dealt
        known = self.file.dealt
        other = known.get(self.name, {})
        if "hands" in other and "hands" not in self.dealt:
            self.assume("the hands are those stated for the other room", self.place)
        both = other | self.dealt
        if self.name in known or len(known) < LIN_DEALS.most:
            known[self.name] = both
        return both.copy()

    def _entry(self) -> Facts:
        """Declaration and result from the results of the match.

        The result is returned only if the cards show part of the play. A claim and a play of all
        thirteen tricks take precedence; for a board without a card, the entry is preserved as text.
        """
        file = self.file
        if not (file.results and self.room in ROOMS and _NUMBER.fullmatch(self.name or "")):
            return {}
        board = int(self.name or "")
        if file.first is None:
            file.first = board
            words = f"the results of the match begin with board {board}"
            self.assume(words, file.results[0].span)
        index = len(ROOMS) * (board - file.first) + (self.room == "c")
        if not 0 <= index < len(file.results) or not file.results[index].value:
            return {}
        entry = file.results[index]
        if entry.value.upper() == "PASS":
            return {"declaration": (Declaration(passed_out=True), entry.span)}
        found = _RESULT.fullmatch(entry.value)
        tricks = 6 + int(found[1]) + int(found[5].replace("=", "0")) if found else -1
        if found is None or not 0 <= tricks <= TRICKS:
            self.wrong("lin-value", entry, "is not a result such as 4HE=, 3NW+1, 5DNx-2, PASS")
            return {}
        denomination, declarer = DENOMINATION_WRITTEN[found[2].upper()], SEAT_OF[found[3].upper()]
        declaration = Declaration(int(found[1]), denomination, len(found[4]), declarer)
        facts: Facts = {"declaration": (declaration, entry.span)}
        if not (self.claimed or self.cards):
            self.store(entry)
        elif not self.claimed and len(self.cards) < len(PACK):
            facts["result"] = Result("tricks", tricks), entry.span
        return facts

    def _claims(self, facts: Facts, hands: Sequence[int]) -> tuple[Claim, ...]:
        """The claim that ended the play, written as declarer's claim of the tricks still due."""
        cards = self.cards
        opener, stated = (facts.get(name, (None,))[0] for name in ("dealer", "declaration"))
        declarer, denomination = final_declaration(self.calls, opener, stated)
        if not (self.claimed and declarer and cards):
            return ()
        played, (total, span) = len(cards) // len(SEATS), self.claimed
        won = tricks_won(cards[: len(SEATS) * played], declarer, denomination, hands)
        if won is None or played >= TRICKS or not 0 <= total - won <= TRICKS - played:
            return ()
        words = "the declarer made the claim, and it was agreed (LIN does not name the claimer)"
        self.assume(words, span)
        begun = -(-len(cards) // len(SEATS))
        return (Claim(declarer, "claims", total - won, "agreed", begun, span),)


COMMANDS: dict[str, Callable[[_Board, Command], None]] = {
    "": _Board.lost,
    "ah": _Board.take_title,
    "an": _Board.take_explanation,
    "mb": _Board.take_calls,
    "mc": _Board.take_claim,
    "md": _Board.take_hands,
    "nt": _Board.take_comment,
    "pc": _Board.take_cards,
    "pg": lambda *_: None,
    "qx": _Board.take_room,
    "rh": _Board.take_tag,
    "st": _Board.take_tag,
    "sv": _Board.take_vulnerable,
}
"""The function that reads each command of a board; `pn`, `rs` and `vg` belong to the header."""


def tricks_won(
    cards: Sequence[int], declarer: Seat, denomination: str | None, hands: Sequence[int]
) -> int | None:
    """The number of complete tricks that declarer's side won; `None` if that cannot be known.

    The holder of the first card leads; if the hands are not known, the winner of the last trick.
    """
    if (denomination not in DENOMINATIONS[:5] and cards) or UNKNOWN_CARD in cards:
        return None
    leader, won = declarer.left, 0
    for start in range(0, len(cards), len(SEATS)):
        leader = next((s for s in SEATS if hands[s.number] >> cards[start] & 1), leader)
        leader = leader.after(winner_of(cards[start : start + len(SEATS)], denomination))
        won += leader.side is declarer.side
    return won


# --- files ----------------------------------------------------------------------------------------


def read_lin(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Deal | Unreadable]:
    """Yield the deals of a LIN file in order, each followed by its unreadable parts.

    `pieces` are chunks of the file of any size, or the open file. An `Unreadable` is `about` the
    deal before it, or about `None` if the text has no board at all. Bad text never raises.
    """
    reader = _Reader(Source(file, "lin", text_of(b"".join(blocks(pieces)), b"|")))
    yield from reader.read()
    if not reader.number and reader.noise:
        message = "This text contains no LIN board. Write commands such as md|3SAK...| or mb|1N|."
        yield Unreadable("notation.lin-not-lin", message, reader.source, reader.noise)
    elif not reader.number:
        yield Unreadable("notation.empty", "There is no deal in this file.", reader.source)


class _Reader:
    """The state between two commands: the board being read, and what applies to several boards.

    `tags` are those of a vugraph, `results` its results, which begin with the board `first`, and
    `unknown` the unknown commands before the first board. `names_again` means that players were
    named after the current board had begun. `dealt` holds what either room states about each board:
    dealer, vulnerability and hands, each with its span. `pending` holds commands that precede a
    board. `noise` is the span of the first command or stray text outside a board, reported if the
    file turns out to have no board.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.number = 0
        self.noise: Span | None = None
        self.board: _Board | None = None
        self.pending: list[Command] = []
        self.tags: tuple[tuple[str, str], ...] = ()
        self.unknown: tuple[tuple[str, str], ...] = ()
        self.results: Sequence[Command] = ()
        self.names: Command | None = None
        self.names_again = False
        self.first: int | None = None
        self.dealt: dict[str, Facts] = {}

    def read(self) -> Iterator[Deal | Unreadable]:
        for found in _COMMAND.finditer(self.source.text):
            kind = found.lastindex or 0
            name = "" if kind == _LOST else found[kind - 1].lower()
            value = found[kind] if name else found[kind][:SHOWN].rstrip()
            command = Command(name, value, found.start(kind))
            if self.board and name not in BEGINNINGS:
                self.board.take(command)
                continue
            if self.board and self._begins(self.board, name):
                yield from self._close()
            self._take(command)
        yield from self._close()

    def _begins(self, board: _Board, name: str) -> bool:
        if name in ("qx", "vg"):
            return True
        if board.room:
            return name == "md" and board.given and self.names_again
        if not board.given:
            return False
        return name in ("pn", "md") or (name in ("ah", "rh", "st", "sv") and board.is_played)

    def _take(self, command: Command) -> None:
        """Read a command for several boards, or one that may begin a board."""
        board = self.board
        self.noise = self.noise or command.span
        if command.name == "vg":
            parts = [part.line for part in command.parts()]
            first = "".join(parts[FIRST_BOARD : FIRST_BOARD + 1])
            named = zip(VUGRAPH, parts, strict=False)
            self.tags = tuple((tag, part) for tag, part in named if tag and part)
            self.first = int(first) if _NUMBER.fullmatch(first) else None
            self.results, self.names, self.dealt = (), None, {}
        elif command.name == "rs":
            self.results = list(command.parts())
        elif command.name == "pn":
            self.names, self.names_again = command, board is not None
            if board and not board.given and not board.is_played:
                board.names = command
        elif board:
            board.take(command)
        elif command.name in BOARD:
            self.board = board = _Board(self, command.span)
            self.names_again = False
            for before in (*self.pending, command):
                board.take(before)
            self.pending = []
        elif not command.name or command.name in NAMES:
            self.pending.append(command)
        elif not self.number and command.line and len(self.unknown) < MOST_KEPT:
            self.unknown += ((command.name, command.line),)

    def _close(self) -> Iterator[Deal | Unreadable]:
        board, self.board = self.board, None
        if board is None:
            return
        self.number += 1
        deal = board.deal()
        if not board.room:
            self.names = None
        yield from board.beside(deal)


BEGINNINGS = frozenset(("qx", "vg", "rs", "pn", "md", "ah", "rh", "st", "sv"))
"""Commands of the header, and those that may begin a board."""
