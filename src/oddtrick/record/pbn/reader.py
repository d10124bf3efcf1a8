"""Reads Portable Bridge Notation 2.1, including common departures of real files from it.

`read_pbn` yields the deals of a file, each followed by its unreadable parts. No fact is guessed:
what a file omits is `None`, and so is a value that its tag cannot have. Assumptions are listed in
`assumed`; unused text is preserved in `unused` or among the tags. The standard's marks of
irregularity (`^I`, `^S`, `^R`, `^L`, and the caret before a declarer or a result) become incidents.
The `.hand` statements after the tag `OddtrickHand` are read by `hand`, and override what the PBN
tags and sections state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, TypeVar

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.limits import PBN_RECORD, PBN_TAGS, SHARED
from oddtrick.record.deal import (
    Comment,
    Deal,
    Declaration,
    Incident,
    Item,
    Source,
    Span,
    Unreadable,
)
from oddtrick.record.hand.read import read_statements
from oddtrick.record.margin import Margin, shown
from oddtrick.record.pbn.fields import (
    STATED,
    UNKNOWN,
    board_of,
    contract_of,
    deal_of,
    first_bidder,
    history_of,
    seat_of,
)
from oddtrick.record.pbn.games import (
    BRACE,
    BROKEN,
    COMMENT,
    DATA,
    ESCAPE,
    LONGEST_GAME,
    LOOSE,
    SECTIONS,
    SINGLE,
    TAGS,
    Game,
    Part,
    canonical,
    games_of,
    sources,
)
from oddtrick.record.pbn.sections import Auction, Play, comment_text

NOT_INHERITED = frozenset("Dealer Vulnerable Deal Declarer Contract Auction Play Note".split())
"""Tags that may not inherit a value from the game before."""
HAND = "OddtrickHand"
"""The tag that introduces `.hand` statements of facts that PBN cannot express."""
BOARD = ("Board", "Dealer", "Deal")
"""The tags that the games of one board at two tables share."""
OF_BOARD = ("Vulnerable",)
"""What else belongs to a board; a game that names only this is not another board."""
EVENT = ("Event", "Site", "Date", "Round")
PLAYERS = tuple((seat, seat.title) for seat in SEATS)
PAIRS = tuple((side, f"Pair{side.value}") for side in Side)
NOBODY = ("", "?", "-")
RUBBER = ("Scoring", "Rubber")
"""The tag of a deal that belongs to a rubber."""
USED = {*SECTIONS, HAND, *(name for _, name in (*PLAYERS, *PAIRS))}
"""Tags that never appear among the tags of a `Deal`."""

TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN tags that have another name among the tags of a `Deal`."""
SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"

_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(slots=True)
class State:
    """What later games may inherit.

    `last` holds the values for `#`, `header` the values for `##`, and `before` the values of the
    game before. `number` counts the games.
    """

    number: int = 0
    last: dict[str, str] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)

    def copy(self) -> State:
        """An independent copy."""
        return State(self.number, dict(self.last), dict(self.header), dict(self.before))

    def values_of(self, game: Game, margin: Margin) -> dict[str, str]:
        """The tag values of the next game, including inherited ones; updates the state."""
        self.number += 1
        text, start, end = margin.source.text, game.start, game.end
        values, taken, too_long = game.tags.copy(), 0, set()
        if text.find("\\", start, end) >= 0:
            values |= {n: _ESCAPED.sub(r"\1", v) for n, v in values.items() if "\\" in v}

        def shared(name: str, value: str) -> str:
            nonlocal taken
            taken += len(value)
            if taken <= SHARED.most:
                return value
            too_long.add(name)
            message = SHARED.message(name=name)
            margin.unclear("notation.pbn-value", message, game.span(name))
            return ""

        for name, value in values.items() if text.find('"#', start, end) >= 0 else ():
            if not value.startswith("#"):
                continue
            if name in NOT_INHERITED:
                why = "cannot be inherited from the preceding record, so it is not known."
                margin.unclear("notation.pbn-value", f"{name} {why}", game.span(name))
                values[name] = ""
            elif value.startswith("##"):
                values[name] = value[2:]
                if len(self.header) < PBN_TAGS.most:
                    self.header[name] = value[2:]
            elif value == "#":
                values[name] = shared(name, self.last.get(name, ""))
        own = {n: v for n, v in values.items() if n not in too_long} if too_long else values
        if self.header:
            self.header |= {n: v for n, v in own.items() if n in self.header}
        if len(self.last) < PBN_TAGS.most:
            self.last |= own
        for name, value in self.header.items():
            if name not in values and (inherited := shared(name, value)):
                values[name] = inherited
        if self._is_second_table(values):
            missing = [n for n in (*BOARD, *OF_BOARD) if n in self.before and n not in values]
            stated = ", ".join(name.lower() for name in missing)
            same = "as in the preceding record (the same board at another table)"
            margin.assume(f"{stated} {same}", (start, start))
            for name in missing:
                values[name] = shared(name, self.before[name])
        self.before = values
        return values

    def _is_second_table(self, values: Mapping[str, str]) -> bool:
        """Whether this is the same board as the game before, played at another table.

        It then states no board, dealer or deal, but has an auction, a play, a contract or a result,
        and it names neither a different event nor the same room or table.
        """
        before, names = self.before, values.keys()
        return (
            "Deal" in before
            and names.isdisjoint(BOARD)
            and not names.isdisjoint((*SECTIONS, "Contract", "Result"))
            and all(values[n] == before.get(n) for n in EVENT if n in names)
            and all(values[n] != before.get(n) for n in ("Room", "Table") if n in names)
        )


def follow(games: Iterable[Game], source: Source, state: State) -> None:
    """Advance the state past games that are read elsewhere."""
    for game in games:
        if game.tags:
            state.values_of(game, Margin(source))


def read_game(game: Game, source: Source, state: State) -> Iterator[Deal | Unreadable]:
    """Yield the deal of a game and what could not be read.

    Unreadable text before the game comes first, with `about` set to `None` unless it is a record
    itself. The deal follows, and then its own unreadable parts. Bad text never raises.
    """
    reading = _Reading(game, source)
    for one in game.lost:
        named = (f"record on line {source.place(one.span).line}", one.span) if one.game else None
        yield Unreadable(one.rule, one.message, source, one.span, named)
    if game.tags:
        deal = reading.deal(state)
        yield from reading.beside(deal)


class _Reading(Margin):
    """One game while its tags are parsed into the fields of a deal.

    `bodies` holds the lines and comments of each section; comments elsewhere belong to the deal.
    `used` holds the tags that do not become tags of the deal.
    """

    declared_by: Seat | None = None

    def __init__(self, game: Game, source: Source) -> None:
        super().__init__(source)
        self.game, self.text, self.values = game, source.text, game.tags
        self.bodies: dict[str, list[Part]] = {}
        self.notes: dict[str, dict[str, tuple[str, Span]]] = {}
        self.referred: set[str] = set()
        self.used = USED.copy()
        self.stated: list[tuple[Item, Span]] = []
        self.incidents: list[Incident] = []
        self.fields: dict[str, Any] = {"source": source, "span": (game.start, game.end)}

    def deal(self, state: State) -> Deal:
        self._sort()
        game, fields = self.game, self.fields
        values = self.values = state.values_of(game, self)
        board = values.get("Board", "")
        name = f"board {board}" if board not in UNKNOWN else f"record {state.number}"
        fields["id"] = name
        if board_of(name) == board and HAND not in game.tags:
            self.used.add("Board")
        places, written, inherited = game.places, game.tags, (game.start, game.start)
        for name, parse in FIELDS.items():
            value = values.get(name)
            if value is not None and (value not in UNKNOWN or name in SECTIONS):
                at = places.get(name)
                span = inherited if at is None else (at, at + len(written[name]))
                if item := parse(self, name, value, span):
                    self.used.add(name)
                    self.stated.append((item, span))
        for notes in self.notes.values():
            for number, (_, span) in notes.items():
                if number not in self.referred:
                    self.keep(self._tag_around(span), span)
        fields["tags"] = self._other_tags()
        fields["players"], fields["sides"] = self._names(PLAYERS), self._names(PAIRS)
        self.comments.sort(key=lambda comment: comment.span)
        for name in ("stated", "incidents", "comments", "unused", "assumed"):
            if many := getattr(self, name):
                fields[name] = tuple(many)
        deal = Deal(**fields)
        return _with_statements(deal, self) if HAND in game.tags else deal

    def _tag_around(self, span: Span) -> str:
        """The text of the tag whose value has this span."""
        return self.text[self.text.rindex("[", 0, span[0]) : self.text.index("]", span[1]) + 1]

    def _section_text(self, name: str) -> str:
        """The text of a tag and of the lines that follow it."""
        tag = self._tag_around(self.game.span(name)) if name in self.game.tags else ""
        if not tag or self.game.tags[name].startswith("#"):
            escaped = self.values[name].replace("\\", "\\\\").replace('"', '\\"')
            tag = f'[{name} "{escaped}"]'
        return "\n".join((tag, *(self.text[s:e] for _, _, s, e in self.bodies.get(name, ()))))

    # --- tokens that are not the first tag of a name ----------------------------------------------

    def _sort(self) -> None:
        """Assign the other tokens to sections, comments and notes, and report unreadable ones."""
        junk, bodies, start = [], self.bodies, self.game.start
        for part in self.game.rest:
            kind, current, begun, end = part
            if end - start > LONGEST_GAME:
                self.unread("notation.pbn-long-record", PBN_RECORD.message(), (begun, end))
                break
            if kind == DATA and current and current not in SINGLE:
                bodies.setdefault(current, []).append(part)
            elif kind == DATA:
                junk.append((begun, end))
            elif kind == TAGS:
                self._tag_again(current, (begun, end))
            elif kind in (BRACE, COMMENT) and current in SECTIONS:
                # The section itself anchors a comment at a call or card.
                bodies.setdefault(current, []).append(part)
            elif kind in (BRACE, COMMENT):
                text = comment_text(self.text[begun:end])
                self.comments.append(Comment(text, ("deal",), "before", (begun, end)))
            if kind != DATA:
                self._report(kind, (begun, end))
        if junk:
            count = sum(self.text.count("\n", *span) + 1 for span in junk)
            what = "This line belongs" if count == 1 else f"{count} lines belong"
            message = f"{what} to no section: {shown(self.text[slice(*junk[0])])}."
            self.unread("notation.pbn-line", message, junk[0])
            for begun, end in junk:
                self.keep(self.text[begun : min(end, begun + 1000)], (begun, end))

    def _report(self, kind: int, span: Span) -> None:
        """Report what is irregular about a token, and keep an escaped line."""
        written = self.text[slice(*span)]
        if kind == LOOSE:
            self.assume("the quotation marks inside the value were read as part of it", span)
        elif kind == BRACE and not written.endswith("}"):
            tagged = self.text.startswith("[", span[1] + 1)
            message = "This comment is not closed with }"
            message += "; it was taken to end where a tag begins." if tagged else "."
            self.unclear("notation.pbn-comment", message, span)
        elif kind == BROKEN:
            message = f"This tag cannot be read: {shown(written)}. "
            message += 'A tag is written [Name "value"].'
            self.unread("notation.pbn-tag", message, span, written.rstrip())
        elif kind == ESCAPE and not _DIRECTIVE.match(written):
            self.keep(written, span)

    def _tag_again(self, section: str, span: Span) -> None:
        """Read a repeated tag or a note of a section, given the span of its value."""
        tag, value = self._tag_around(span), _ESCAPED.sub(r"\1", self.text[slice(*span)])
        name = canonical(tag.partition('"')[0])
        if name != "Note" or section not in SECTIONS:
            self.keep(tag, span)
            self.assume(f"the first {name} tag counts, as PBN provides", span)
            return
        notes = self.notes.setdefault(section, {})
        number, colon, text = value.partition(":")
        number = number.strip()
        if colon and _DIGITS.fullmatch(number) and number not in notes:
            notes[number] = text.strip(), span
        else:
            message = f'Write a note as [Note "1:text"], each number once, not as {shown(value)}.'
            self.unclear("notation.pbn-value", message, span, tag)

    # --- tags without a field ---------------------------------------------------------------------

    def _names(self, tags: Sequence[tuple[Any, str]]) -> tuple[tuple[Any, str], ...]:
        values = self.values
        return tuple(
            [(who, values[n]) for who, n in tags if n in values and values[n].strip() not in NOBODY]
        )

    def _other_tags(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field, in order; tables are kept as text instead."""
        tags, used, bodies = [], self.used, self.bodies
        for name, value in self.values.items():
            if name in used:
                continue
            if name in bodies or name[-5:] == "Table":
                self.keep(self._section_text(name), self.game.span(name))
            elif value not in UNKNOWN:
                if name == "Date" and _DATE.fullmatch(value):
                    value = value.replace(".", "-")
                tags.append((TAG_NAMES.get(name, name), value))
        return tuple(tags)

    # --- fields -----------------------------------------------------------------------------------

    def _unclear(self, name: str, value: str, span: Span, problem: str) -> None:
        self.unclear("notation.pbn-value", f"{name} {shown(value)} {problem}.", span)

    def _caret(self, value: str, span: Span, name: str, by: Seat | None) -> None:
        """Add the irregularity that a caret marks, as one that the other side has waived."""
        if "^" in value:
            waived = self.declared_by.left if self.declared_by else None
            self.incidents.append(Incident(name, by=by, waived_by=waived, span=span))

    def field(self, name: str, value: str, span: Span) -> Item | None:
        """Read a tag of `STATED`; returns the item that it states."""
        tag = STATED[name]
        text = value.lstrip().removeprefix("^") if name == "Result" else value
        read = tag.read(text, self.declared_by)
        if read is None:
            self._unclear(name, value, span, tag.problem)
            return None
        self.fields[tag.field] = read
        if name == "Contract":
            self.declared_by = read.declarer
        elif name == "Result":
            self._caret(value, span, MISCOUNTED, None)
        elif name == "ScoreRubber":
            self.stated += [(("score", number), span) for number in range(1, len(read))]
        return ("score", 0) if name == "ScoreRubber" else (tag.field,)

    def declarer(self, name: str, value: str, span: Span) -> Item | None:
        """Read the declarer, which is all that is stated unless a contract follows."""
        contract = self.values.get("Contract")
        made = contract_of(contract, None) if contract else None
        if made and made.passed_out:
            return None
        seat = self.declared_by = seat_of(value.lstrip().removeprefix("^"))
        if seat is None:
            self._unclear(name, value, span, "is not a seat; the declarer is not known")
            return None
        self.used.add("Declarer")
        self._caret(value, span, SWAPPED, seat)
        if made:
            return None
        self.fields["declaration"] = Declaration(declarer=seat)
        return ("declaration",)

    def standing(self, name: str, value: str, span: Span) -> None:
        columns, history = ("games", "trick", "honour"), history_of(value)
        if history is None:
            problem = "does not show the games won, as `NS 0 0/0 EW 0 0/0` does"
            self._unclear(name, value, span, problem)
        for column, figures in zip(columns, history or (), strict=False):
            self.fields[f"standing_{column}"] = figures
            self.stated.append(((f"standing {column}",), span))

    def hands(self, name: str, value: str, span: Span) -> Item | None:
        dealt = deal_of(value)
        if dealt is None:
            problem = 'does not begin with a seat, such as "N:"; its cards were ignored'
            self._unclear(name, value, span, problem)
            return None
        (begin, end), fields = span, self.fields
        fields["hands"], places, fields["hand_details"], unread = dealt
        fields["hand_spans"] = tuple(
            [p and ((begin + p[0], begin + p[1]) if begin < end else span) for p in places]
        )
        for start, stop in unread:
            message = f"{shown(value[start:stop])} is not a hand: write four suits separated by "
            message += "dots, ranks AKQJT98765432, nothing for a void."
            place = (begin + start, begin + stop) if begin < end else span
            self.unread("notation.pbn-card", message, place, value[start:stop])
        return ("hands",)

    # --- auction and play -------------------------------------------------------------------------

    def auction(self, name: str, value: str, span: Span) -> Item | None:
        first, fields = seat_of(value), self.fields
        if first is None and value not in UNKNOWN:
            self._unclear(name, value, span, "is not a seat; who called first is not known")
        section = Auction(self, first, self.bodies.get("Auction", ()), self.note_of)
        section.read()
        self.incidents += section.incidents
        fields["remarks"] = tuple(section.remarks.values())
        if first is None and not section.made:
            return None
        fields["calls"], fields["call_starts"] = tuple(section.made), tuple(section.starts)
        fields["callers"], opened = tuple(section.callers), section.opened
        if opened is None:
            return None
        # A record need not name the first caller if the dealer is the first.
        dealer = fields.get("dealer")
        fields["first_caller"] = None if opened is dealer else opened
        plain = not (section.callers or section.incidents)
        leader, stated = seat_of(self.values.get("Play", "")), fields.get("declaration")
        if by_play := plain and first_bidder(section.made, opened, leader, stated):
            fields["first_caller"] = by_play
            message = f"the passes before {by_play.title}'s first bid are missing"
            self.assume(f"{message}, as the declarer and the first lead show", span)
        elif dealer and dealer is not opened:
            dealt = f"although {dealer.title} dealt"
            self.assume(f"the auction is written beginning with {opened.title}, {dealt}", span)
        return ("bidding",)

    def play(self, name: str, value: str, span: Span) -> Item | None:
        first, body, fields = seat_of(value), self.bodies.get("Play", ()), self.fields
        if first is None:
            if any(part[0] == DATA for part in body):
                problem = "is not a seat, so it is not known who played these cards"
                self._unclear(name, value, span, problem)
                self.keep(self._section_text("Play"), span)
            return None
        section = Play(self, first, body, self.note_of)
        section.read(first, fields.get("hands", ()))
        self.incidents += section.incidents
        fields["remarks"] = (*fields.get("remarks", ()), *section.remarks.values())
        fields["columns"], fields["cards"] = first, tuple(section.made)
        fields["card_starts"], fields["trick_starts"] = tuple(section.starts), section.trick_starts
        fields["leaders"] = tuple(section.leaders)
        due = self.declared_by.left if self.declared_by else first
        if (
            first is not due
            and section.made
            and not any(trick == 0 for trick, _ in section.leaders)
        ):
            begun = f"the play is written beginning with {first.title}"
            self.assume(f"{begun}, although {due.title} has the first lead", span)
        return ("play",)

    def note_of(self, section: str, number: str) -> str | None:
        """The note with a number, from the section itself or, failing that, from the other."""
        for name in (section, *SECTIONS - {section}):
            if note := self.notes.get(name, {}).get(number):
                self.referred.add(number)
                return note[0]
        return None


FIELDS: Mapping[str, Callable[[_Reading, str, str, Span], Item | None]] = {
    "Declarer": _Reading.declarer,
    **dict.fromkeys(STATED, _Reading.field),
    "ScoreRubberHistory": _Reading.standing,
    "Deal": _Reading.hands,
    "Auction": _Reading.auction,
    "Play": _Reading.play,
}
"""The parser of each tag that has a field; a tag comes after the tags that it depends on."""


# --- files ----------------------------------------------------------------------------------------

T = TypeVar("T")

_BLANK = Deal(Source(), (0, 0), "")
BIDDING = frozenset("first_caller calls call_starts callers corrections".split())
PLAY = frozenset(
    "columns cards card_starts trick_starts leaders players_named more_play claims".split()
)
"""The fields of a deal that a section of `.hand` states as a unit."""
_JOINED = frozenset(
    "source span id stated tags players sides own incidents remarks comments unused assumed".split()
)
_REPLACED = tuple(name for name in Deal._fields if name not in BIDDING | PLAY | _JOINED)
"""The fields that a `.hand` statement overrides individually."""


def read_pbn(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Deal | Unreadable]:
    """Yield the deals of a PBN file in order, each followed by its unreadable parts.

    `pieces` are chunks of the file of any size, or the open file. An `Unreadable` is `about` the
    deal before it, or about `None` if the text is not a game. Memory use does not grow with the
    file. Bad text never raises.
    """
    state, empty = State(), True
    for source, games in sources(pieces, file):
        for game in games:
            yield from read_game(game, source, state)
        empty = empty and not games
    if empty:
        yield Unreadable("notation.empty", "There is no deal in this file.", Source(file, "pbn"))


def read_piece(source: Source, state: State) -> Iterator[Deal | Unreadable]:
    """Read a piece of a PBN file as `read_pbn` does, from the state at its beginning."""
    state = state.copy()
    for game in games_of(source.text):
        yield from read_game(game, source, state)


def _with_statements(deal: Deal, reading: _Reading) -> Deal:
    """The deal with its `.hand` statements applied; reports those that cannot be read.

    Tags and irregularities are added to those of PBN. If any statement cannot be read, none is
    applied.
    """
    if value := reading.game.tags[HAND]:
        words = "must be empty; the statements follow on lines of their own"
        message = f"{HAND} {shown(value)} {words}."
        reading.unread("notation.pbn-value", message, reading.game.span(HAND))
    lines = [part[2:] for part in reading.game.rest if part[:2] == (DATA, HAND)]
    if not lines:
        return deal
    text = deal.source.text
    span = text.rfind("\n", 0, lines[0][0]) + 1, text.index("\n", lines[-1][1] - 1) + 1
    own, unreadable = read_statements(deal.source, span, deal.id)
    if unreadable:
        reading.unreadable += unreadable
        return deal
    stated = {n: v for n in _REPLACED if (v := getattr(own, n)) != getattr(_BLANK, n)}
    events = set[str]()
    for section, kind, made in ((BIDDING, "call", own.calls), (PLAY, "card", own.cards)):
        if made is not None:
            events.add(kind)
            stated |= {n: getattr(own, n) for n in section}
    incidents = [i for i in deal.incidents if i.event is None or i.event.kind not in events]
    remarks = [r for r in deal.remarks if r.event.kind not in events]
    omitted = [("Board", board_of(own.id or deal.id))]
    if own.standing_games and own.standing_trick and not own.standing_honour:
        # The writer has added the tags, which repeat what it states of the rubber.
        omitted += [t for t in deal.tags if t[0] == "ScoreRubberHistory" or t == RUBBER]
        deal = deal._replace(standing_honour=None)
    is_titled = own.tags[:1] and own.tags[0][0] == "title"
    title, others = (own.tags[:1], own.tags[1:]) if is_titled else ((), own.tags)
    tags = (*title, *(t for t in deal.tags if t not in omitted), *others)
    # What was assumed about the auction of the tags does not concern that of the statements.
    auction = reading.game.places.get("Auction") if "call" in events else None
    # If `.hand` states the play, a comment at a card belongs to its trick.
    ordered = "columns" in stated
    comments = [
        replace(c, anchor=c.anchor[:2]) if ordered and c.anchor[0] == "play" else c
        for c in deal.comments
    ]
    return deal._replace(
        id=own.id or deal.id,
        stated=(*own.stated, *deal.stated),
        tags=tags,
        players=_by_order(SEATS, deal.players, own.players),
        sides=_by_order(Side, deal.sides, own.sides),
        incidents=(*incidents, *own.incidents),
        remarks=(*remarks, *own.remarks),
        comments=tuple(sorted([*comments, *own.comments], key=lambda c: c.span)),
        assumed=tuple(a for a in deal.assumed if a[1][0] != auction),
        **stated,
    )


def _by_order(order: Iterable[T], *names: Iterable[tuple[T, str]]) -> tuple[tuple[T, str], ...]:
    """Merge names in a given order; later names override earlier ones."""
    found = {who: name for many in names for who, name in many}
    return tuple((who, found[who]) for who in order if who in found)
