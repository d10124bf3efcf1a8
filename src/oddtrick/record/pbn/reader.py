"""Reading Portable Bridge Notation 2.1, and what real files make of it.

`read_game` gives the deal of a game, followed by what of it could not be read.
No fact is guessed: what a file leaves out is `None`, and so is a value that its tag cannot have;
what was assumed stands in `assumed`, what was not used in `kept` or among the tags. The standard's
own marks of irregularity (`^I`, `^S`, `^R`, `^L`, and the caret before a declarer or a result)
become incidents.

Auction and play are rows of slots, one for each player in turn from the seat in the section's tag.
In the auction `-` is a player whose turn has not come and `^S` one who was passed over. In the play
`-` is a card that is not known. `*` ends what is not recorded to its end, `+` what is to be
continued.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, ClassVar

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.limits import PBN_LINE, PBN_RECORD, PBN_SAME, PBN_TAGS, SHARED
from oddtrick.record.deal import (
    NOWHERE,
    UNKNOWN_CARD,
    Comment,
    Deal,
    Event,
    Incident,
    Item,
    Remark,
    Source,
    Span,
    Unreadable,
    call,
    deal_with,
    kind_of,
    word_starts,
)
from oddtrick.record.pbn.fields import (
    CALLS,
    CARDS_PLAYED,
    TURNED,
    UNKNOWN,
    contract_of,
    deal_of,
    declared_by,
    history_of,
    result_of,
    rubber_score_of,
    seat_of,
    vulnerable_of,
)
from oddtrick.record.pbn.games import (
    BRACE,
    BROKEN,
    COMMENT,
    DATA,
    LEFT_OUT,
    LONGEST_GAME,
    LOOSE,
    SECTIONS,
    SINGLE,
    TAGS,
    Game,
    Part,
    canonical,
)
from oddtrick.terminal import in_a_line

NOT_INHERITED = frozenset(
    ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note")
)
"""Tags that may not take over a value from the game before."""
HAND = "OddtrickHand"
"""The tag before statements of `.hand` that say of the deal what PBN cannot."""
BOARD = ("Board", "Dealer", "Deal")
"""What the games of two tables have in common."""
EVENT = ("Event", "Site", "Date", "Round")
PLAYERS = tuple((seat, seat.title) for seat in SEATS)
NOBODY = ("", "?", "-")
PAIRS = tuple((side, f"Pair{side.value}") for side in Side)
OWN = (*SECTIONS, HAND)
USED = {*OWN, *(name for _, name in (*PLAYERS, *PAIRS))}
"""Tags that are never among the tags of a deal."""

TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN's names for what the tags of a deal call otherwise."""
ANCHORS: dict[str, Item] = {
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerable",),
    "Deal": ("hands",),
    "Contract": ("declaration",),
    "Result": ("result",),
    "Table": ("table",),
    "ScoreRubber": ("score", 0),
}
"""What a comment behind a tag belongs to; of a tag without a field it is `("tag", index)`."""

SKIPPED = {"pass": "pass-out-of-turn", "all-pass": "pass-out-of-turn", "bid": "bid-out-of-turn"}
SKIPPED |= dict.fromkeys(("double", "redouble"), "double-out-of-turn")
"""What a call is for which a player was passed over."""
INSUFFICIENT, REVOKED, LED = "insufficient-bid", "revoke", "lead-out-of-turn"
SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"
OPEN_AUCTION, OPEN_PLAY = "[Auction] +", "[Play] +"
"""What is kept of a `+`: that the record says it is to be continued."""
SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
"""The suffixes in the order of their glyphs, `$1` to `$6` for calls, `$7` to `$12` for cards."""

MANY = PBN_SAME.most
"""How many of a kind are reported of one game."""
MOST_TAGS = PBN_TAGS.most
"""So many values are remembered for the games that follow."""

_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_ESCAPED = re.compile(r'\\(["\\])')
_BETWEEN = re.compile(r"[\s-]+")
_PIECE = re.compile(
    r"(?P<word>(?i:all\s+pass|no\s+bid)\b|[^\s^=$!?*+,|]+)|(?P<irregular>\^\s*[A-Za-z])"
    r"|(?P<note>=\s*[^=\s]*\s*=)|(?P<glyph>\$\d+)|(?P<suffix>[!?][!?]?)|(?P<end>[*+])"
    r"|(?P<other>[\^=$])"
)


def _unescaped(value: str) -> str:
    """The value of a tag without its escapes."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


@dataclass(slots=True)
class State:
    """What counts for the games that follow: values for `#`, values of `##`, the game before."""

    number: int = 0
    last: dict[str, str] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)

    def copy(self) -> State:
        """The same, apart."""
        return State(self.number, dict(self.last), dict(self.header), dict(self.before))


@dataclass(slots=True)
class Margin:
    """What stands beside the deal: the unreadable, text kept, assumptions, comments."""

    source: Source
    unreadable: list[Unreadable] = field(default_factory=list)
    kept: list[tuple[str, Span]] = field(default_factory=list)
    assumed: list[tuple[str, Span]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def unread(self, rule: str, message: str, span: Span, text: str | None = None) -> None:
        """Report what could not be read at all; `text` is kept."""
        self._report(rule, message, span)
        if text is not None:
            self.keep(text, span)

    def unclear(self, rule: str, message: str, span: Span) -> None:
        """Report what leaves a fact unknown."""
        self._report(rule, message, span, unclear=True)

    def keep(self, text: str, span: Span) -> None:
        """Keep a text that was not used; noise is kept only in part."""
        if len(self.kept) < 8 * MANY:
            self.kept.append((text, span))

    def assume(self, text: str, span: Span) -> None:
        """Report what was assumed."""
        self.assumed.append((text, span))

    def _report(self, rule: str, message: str, span: Span, unclear: bool = False) -> None:
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number == MANY + 1:
            message = PBN_SAME.message()
        if number <= MANY + 1:
            found = Unreadable(rule, message, self.source, span, None, unclear)
            self.unreadable.append(found)


def shown(text: str) -> str:
    """The beginning of a text in quotation marks, fit for a message."""
    clean = in_a_line(" ".join(text[:200].split()))
    return f'"{clean if len(clean) <= 50 else clean[:47] + "..."}"'


def follow(games: Iterable[Game], source: Source, state: State) -> None:
    """Move the state behind games that are read elsewhere."""
    for game in games:
        if game.tags:
            _Reading(game, source, state, Margin(source)).inherit()


def read_game(game: Game, source: Source, state: State) -> Iterator[Deal | Unreadable]:
    """The deal of a game with what is unreadable in it, and what stood before it.

    What cannot be read is `about` the deal before it, and about `None` where the text is no record.
    Bad text never raises.
    """
    margin = Margin(source)
    deal = _Reading(game, source, state, margin).deal() if game.tags else None
    if deal and not margin.unreadable and not game.lost:
        yield deal
        return
    lost: list[Unreadable] = []
    for one in game.lost:
        line = source.place(one.span).line
        named = (f"record on line {line}", one.span) if one.game else None
        lost.append(Unreadable(one.rule, one.message, source, one.span, named))
    found = sorted((*lost, *margin.unreadable), key=lambda u: u.span)
    if deal is None:
        yield from found
        return
    yield from (u for u in found if u.span[0] < game.start)
    yield deal
    about = deal.id, deal.span
    yield from (replace(u, about=about) for u in found if u.span[0] >= game.start)


class _Reading:
    """One game while its fields are taken out of its tags."""

    def __init__(self, game: Game, source: Source, state: State, margin: Margin) -> None:
        self.game, self.state, self.margin = game, state, margin
        self.declared_by: Seat | None = None
        self.text, self.values = source.text, game.tags.copy()
        self.bodies: dict[str, list[Part]] = {}
        self.notes: dict[str, dict[str, tuple[str, Span]]] = {}
        self.referred: set[str] = set()
        self.anchored: list[Part] = []
        self.used = USED.copy()
        self.taken, self.too_long = 0, set[str]()
        self.stated: list[tuple[Item, Span]] = []
        self.incidents: list[Incident] = []
        self.remarks: dict[Event, Remark] = {}
        self.fields: dict[str, Any] = {"source": source, "span": (game.start, game.end)}
        self.written = self.text[game.start : game.end]
        if '\\"' in self.written or "\\\\" in self.written:
            self.values = {name: _unescaped(value) for name, value in game.tags.items()}

    def deal(self) -> Deal:
        """The deal of the game."""
        if self.game.rest:
            self._sort()
        self.inherit()
        values, margin, fields = self.values, self.margin, self.fields
        board = values.get("Board", "")
        fields["id"] = f"board {board}" if board not in UNKNOWN else f"record {self.state.number}"
        game, used, stated = self.game, self.used, self.stated
        places, written, nowhere = game.places, game.tags, (game.start, game.start)
        for name, parse in FIELDS:
            value = values.get(name)
            if value is not None and (value not in UNKNOWN or name in SECTIONS):
                at = places.get(name)
                span = nowhere if at is None else (at, at + len(written[name]))
                if item := parse(self, value, span):
                    used.add(name)
                    stated.append((item, span))
        if self.notes:
            self._keep_notes()
        tags = fields["tags"] = self._keep_tags()
        fields["players"], fields["sides"] = self._names(PLAYERS), self._names(PAIRS)
        if self.anchored:
            margin.comments += self._comments(tags)
        fields["stated"] = tuple(self.stated)
        if self.incidents:
            fields["incidents"] = tuple(self.incidents)
        if self.remarks:
            fields["remarks"] = tuple(self.remarks.values())
        if margin.comments:
            fields["comments"] = tuple(sorted(margin.comments, key=lambda c: c.span))
        if margin.kept:
            fields["kept"] = tuple(margin.kept)
        if margin.assumed:
            fields["assumed"] = tuple(margin.assumed)
        return deal_with(fields)

    def span(self, name: str) -> Span:
        """Where the value of a tag stands; where the game begins, if it is taken over."""
        at = self.game.places.get(name)
        if at is None:
            return (self.game.start, self.game.start)
        return (at, at + len(self.game.tags[name]))

    def tag(self, name: str) -> str:
        """A tag as it is written."""
        if name in self.game.tags and not self.game.tags[name].startswith("#"):
            return self._around(self.span(name))
        escaped = self.values[name].replace("\\", "\\\\").replace('"', '\\"')
        return f'[{name} "{escaped}"]'

    def _around(self, span: Span) -> str:
        """The tag whose value has this span."""
        return self.text[self.text.rindex("[", 0, span[0]) : self.text.index("]", span[1]) + 1]

    # --- tokens that are not the first tag of a name ----------------------------------------------

    def _sort(self) -> None:
        """Sort the lines of sections, comments, notes and what cannot be read."""
        noted, junk, margin, start = "", list[Span](), self.margin, self.game.start
        for part in self.game.rest:
            kind, current, begun, end = part
            if kind == DATA and current not in SINGLE and current and end - start <= LONGEST_GAME:
                self.bodies.setdefault(current, []).append(part)
                noted = ""
                continue
            written, span = self.text[begun:end], (begun, end)
            if end - start > LONGEST_GAME:
                margin.unread("notation.pbn-long-record", PBN_RECORD.message(), span)
                break
            if kind == DATA:
                junk.append(span)
            elif kind == TAGS:
                self._again(current, span)
                noted = current
            elif kind == LOOSE:
                margin.assume("the quotation marks inside the value belong to it", span)
            elif kind in (BRACE, COMMENT):
                if kind == BRACE and not written.endswith("}"):
                    tagged = self.text.startswith("[", end + 1)
                    message = "This comment is never closed with }"
                    message += "; it was ended where a tag begins." if tagged else "."
                    margin.unclear("notation.pbn-comment", message, span)
                if current in SECTIONS and noted != current:
                    # The section knows to which call or card it belongs.
                    self.bodies.setdefault(current, []).append(part)
                else:
                    self.anchored.append(part)
            elif kind == BROKEN:
                message = f"This tag cannot be read: {shown(written)}. "
                message += 'A tag is written [Name "value"].'
                margin.unread("notation.pbn-tag", message, span, written.rstrip())
            elif written == LEFT_OUT:
                message = PBN_LINE.message()
                margin.unread("notation.pbn-long-line", message, span)
            elif not _DIRECTIVE.match(written):
                margin.keep(written, span)
        if junk:
            count = sum(self.text.count("\n", *span) + 1 for span in junk)
            what = "This line belongs" if count == 1 else f"{count} lines belong"
            begun, end = junk[0]
            message = f"{what} to no section: {shown(self.text[begun:end])}."
            margin.unread("notation.pbn-line", message, junk[0])
            for begun, end in junk:
                margin.keep(self.text[begun : min(end, begun + 1000)], (begun, end))

    def _again(self, section: str, span: Span) -> None:
        """Take a tag whose name stands before, or a note of a section, by the span of its value."""
        name = canonical(self.text[self.text.rindex("[", 0, span[0]) : span[0] - 1])
        value = _unescaped(self.text[span[0] : span[1]])
        if name != "Note" or section not in SECTIONS:
            self.margin.keep(self._around(span), span)
            self.margin.assume(f"the first {name} tag counts, as PBN provides", span)
            return
        notes = self.notes.setdefault(section, {})
        number, colon, text = value.partition(":")
        number = number.strip()
        if colon and _DIGITS.fullmatch(number) and number not in notes:
            notes[number] = text.strip(), span
        else:
            message = f'A note is written [Note "1:text"], each number once; {shown(value)} is not.'
            self.margin.unclear("notation.pbn-value", message, span)
            self.margin.keep(self._around(span), span)

    # --- what counts from the games before --------------------------------------------------------

    def inherit(self) -> None:
        """Give the tags the values that they take over, and take over what is not stated."""
        self.state.number += 1
        state, values, start = self.state, self.values, (self.game.start, self.game.start)
        own = values
        if '"#' in self.written:
            for name, value in values.items():
                if value.startswith("#"):
                    values[name] = self._taken_over(name, value)
            own = {n: v for n, v in values.items() if n not in self.too_long}
        if state.header:
            state.header |= {n: v for n, v in own.items() if n in state.header}
        if len(state.last) < MOST_TAGS:
            state.last |= own
        for name, value in state.header.items():
            if name not in values and (taken := self._shared(name, value)):
                values[name] = taken
        if self.game.joined is not None:
            place = (self.game.joined, self.game.joined)
            self.margin.assume("an empty line inside the record was ignored", place)
        if "Deal" not in values and (shared := self._second_table()):
            which = ", ".join(name.lower() for name in shared)
            message = f"{which}: those of the record before, because this one is of another table"
            self.margin.assume(message, start)
            values |= shared
        state.before = values

    def _taken_over(self, name: str, value: str) -> str:
        """The value meant by a tag that begins with `#`."""
        state = self.state
        if name in NOT_INHERITED:
            message = f"{name} may not be taken over from the record before; it is not known."
            self.margin.unclear("notation.pbn-value", message, self.span(name))
            return ""
        if value.startswith("##"):
            if len(state.header) < MOST_TAGS:
                state.header[name] = value[2:]
            return value[2:]
        return self._shared(name, state.last.get(name, "")) if value == "#" else value

    def _shared(self, name: str, value: str) -> str:
        """A value from another record; empty where all of them are too long."""
        self.taken += len(value)
        if self.taken <= SHARED.most:
            return value
        self.too_long.add(name)
        self.margin.unclear("notation.pbn-value", SHARED.message(name=name), self.span(name))
        return ""

    def _second_table(self) -> Mapping[str, str]:
        """What a game of another table leaves out of its board, from the game before.

        It states none of board, dealer and deal, but calls, cards, a contract or a result, and
        neither another event nor the same room or table.
        """
        values, before = self.values, self.state.before
        if "Deal" not in before or not values.keys().isdisjoint(BOARD):
            return {}
        if values.keys().isdisjoint((*SECTIONS, "Contract", "Result")):
            return {}
        if any(n in values and values[n] != before.get(n) for n in EVENT):
            return {}
        if any(n in values and values[n] == before.get(n) for n in ("Room", "Table")):
            return {}
        return {name: self._shared(name, before[name]) for name in BOARD if name in before}

    # --- tags without a field ---------------------------------------------------------------------

    def _names(self, tags: Sequence[tuple[Any, str]]) -> tuple[tuple[Any, str], ...]:
        """Who is named by tags."""
        values = self.values
        return tuple(
            [(who, values[n]) for who, n in tags if n in values and values[n].strip() not in NOBODY]
        )

    def _keep_tags(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field in their order; tables are kept as written."""
        tags, used, bodies, values = list[tuple[str, str]](), self.used, self.bodies, self.values
        for name, value in values.items():
            if name in used:
                continue
            if name in bodies or name[-5:] == "Table":
                lines = (self.text[start:end] for _, _, start, end in bodies.get(name, ()))
                self.margin.keep("\n".join((self.tag(name), *lines)), self.span(name))
            elif value not in UNKNOWN:
                if name == "Date" and _DATE.fullmatch(value):
                    value = value.replace(".", "-")
                tags.append((TAG_NAMES.get(name, name), value))
        return tuple(tags)

    def _keep_notes(self) -> None:
        """Keep the notes that nothing refers to."""
        for notes in self.notes.values():
            for number, (_, span) in notes.items():
                if number not in self.referred:
                    self.margin.keep(self._around(span), span)

    def _comments(self, tags: Sequence[tuple[str, str]]) -> Iterator[Comment]:
        """The comments outside auction and play, with what they belong to."""
        places: dict[str, int] = {}
        for index, (name, _) in enumerate(tags):
            places.setdefault(name.lower(), index)
        for _, current, *span in self.anchored:
            own = TAG_NAMES.get(current, current).lower()
            anchor: Item = ("tag", places[own]) if own in places else ("pbn", current)
            anchor = ANCHORS.get(current, anchor) if current else ("deal",)
            where = "after" if current else "before"
            yield Comment(_comment_text(self.text[slice(*span)]), anchor, where, (span[0], span[1]))

    # --- fields -----------------------------------------------------------------------------------

    def _unclear(self, name: str, value: str, span: Span, problem: str) -> None:
        message = f"{name} {shown(value)} {problem}."
        self.margin.unclear("notation.pbn-value", message, span)

    def _caret(self, value: str, span: Span, name: str, offender: Seat | None) -> None:
        """The irregularity that a caret marks; it stands, as the other side has agreed to it."""
        if value.lstrip().startswith("^"):
            waived = offender.left if offender else None
            by = offender if name == SWAPPED else None
            self.incidents.append(Incident(name, by=by, waived_by=waived, span=span))

    def dealer(self, value: str, span: Span) -> Item | None:
        seat = self.fields["dealer"] = seat_of(value)
        if seat is None:
            self._unclear("Dealer", value, span, "is not a seat; the dealer is not known")
        return seat and ("dealer",)

    def vulnerable(self, value: str, span: Span) -> Item | None:
        sides = self.fields["vulnerable"] = vulnerable_of(value)
        if sides is None:
            self._unclear("Vulnerable", value, span, "is not a vulnerability in PBN")
        return None if sides is None else ("vulnerable",)

    def table(self, value: str, _: Span) -> Item:
        self.fields["table"] = value
        return ("table",)

    def declarer(self, value: str, span: Span) -> Item | None:
        """The declarer, alone until a contract is read; of a deal passed out there is none."""
        contract = self.values.get("Contract")
        made = contract_of(contract, None)[0] if contract else None
        if made and made.passed_out:
            return None
        seat = seat_of(value.lstrip().removeprefix("^"))
        if seat is None:
            self._unclear("Declarer", value, span, "is not a seat; the declarer is not known")
            return None
        self.used.add("Declarer")
        self.declared_by = seat
        self.fields["declaration"] = declared_by(seat)
        self._caret(value, span, SWAPPED, seat)
        return None if made else ("declaration",)

    def contract(self, value: str, span: Span) -> Item | None:
        declaration, assumed = contract_of(value, self.declared_by)
        if declaration is None:
            self._unclear("Contract", value, span, "is not a contract in PBN")
            return None
        self.fields["declaration"] = declaration
        self.declared_by = declaration.declarer
        if assumed:
            self.margin.assume(assumed, span)
        return ("declaration",)

    def result(self, value: str, span: Span) -> Item | None:
        result = result_of(value.lstrip().removeprefix("^"), self.declared_by)
        if result is None:
            self._unclear("Result", value, span, "does not give the tricks of the declaring side")
            return None
        self.fields["result"] = result
        self._caret(value, span, MISCOUNTED, self.declared_by)
        return ("result",)

    def standing(self, value: str, span: Span) -> None:
        if figures := history_of(value):
            for name, number in zip(("games", "trick", "honour"), figures, strict=True):
                self.fields[f"standing_{name}"] = number
                self.stated.append(((f"standing {name}",), span))

    def scores(self, value: str, span: Span) -> None:
        scores = rubber_score_of(value, self.declared_by)
        if scores is None:
            self._unclear("ScoreRubber", value, span, "is not a score of named sides")
            return
        self.fields["scores"] = scores
        self.used.add("ScoreRubber")
        self.stated += [(("score", number), span) for number in range(len(scores))]

    def hands(self, value: str, span: Span) -> Item | None:
        dealt = deal_of(value)
        if dealt is None:
            problem = 'does not begin with a seat, such as "N:", so that nobody holds its cards'
            self._unclear("Deal", value, span, problem)
            return None
        begin, length, fields = span[0], span[1] - span[0], self.fields
        fields["hands"], places, fields["hand_details"], unread = dealt
        fields["hand_spans"] = tuple(
            [p and ((begin + p[0], begin + p[1]) if length else span) for p in places]
        )
        for start, end in unread:
            message = f"{shown(value[start:end])} is not a hand: write four suits separated by "
            message += "dots, ranks AKQJT98765432, nothing for a void."
            place = (begin + start, begin + end) if length else span
            self.margin.unread("notation.pbn-card", message, place, value[start:end])
        return ("hands",)

    # --- auction and play -------------------------------------------------------------------------

    def auction(self, value: str, span: Span) -> Item | None:
        first = seat_of(value)
        if first is None and value not in UNKNOWN:
            self._unclear("Auction", value, span, "is not a seat; who called first is not known")
        section = _Auction(self, first, self.bodies.get("Auction", ()))
        if first is None and not section.made:
            return None
        fields, opened = self.fields, section.opened
        fields["calls"], fields["call_starts"] = tuple(section.made), tuple(section.starts)
        if section.callers:
            fields["callers"] = tuple(section.callers)
        if opened is None:
            return None
        fields["first_caller"] = opened
        dealer = fields.get("dealer")
        if dealer and dealer is not opened:
            dealt = f"though {dealer.title} dealt"
            self.margin.assume(f"the auction is written from {opened.title} on, {dealt}", span)
        return ("bidding",)

    def play(self, value: str, span: Span) -> Item | None:
        first = seat_of(value)
        body = self.bodies.get("Play", ())
        if first is None:
            if any(part[0] == DATA for part in body):
                problem = "is not a seat, so it is not known who played these cards"
                self._unclear("Play", value, span, problem)
                lines = (self.text[start:end] for _, _, start, end in body)
                self.margin.keep("\n".join((self.tag("Play"), *lines)), span)
            return None
        section, fields = _Play(self, first, body), self.fields
        fields["columns"], fields["cards"] = first, tuple(section.made)
        fields["card_starts"], fields["trick_starts"] = tuple(section.starts), section.trick_starts
        if section.leaders:
            fields["leaders"] = tuple(section.leaders)
        return ("play",)

    def note_of(self, section: str, number: str) -> str | None:
        """The note of a number: of the section itself, else of the other."""
        for name in (section, *SECTIONS - {section}):
            if note := self.notes.get(name, {}).get(number):
                self.referred.add(number)
                return note[0]
        return None


FIELDS = tuple(
    {
        "Dealer": _Reading.dealer,
        "Declarer": _Reading.declarer,
        "Contract": _Reading.contract,
        "Result": _Reading.result,
        "Vulnerable": _Reading.vulnerable,
        "ScoreRubberHistory": _Reading.standing,
        "ScoreRubber": _Reading.scores,
        "Table": _Reading.table,
        "Deal": _Reading.hands,
        "Auction": _Reading.auction,
        "Play": _Reading.play,
    }.items()
)
"""The parser of each tag that has a field, in the order in which one needs the others."""


def _comment_text(written: str) -> str:
    """The words of a comment without its braces or semicolon."""
    return (written[1:].removesuffix("}") if written.startswith("{") else written[1:]).strip()


class _Section:
    """The calls or cards of a section while its pieces are read.

    `made` and `starts` grow together; `ended` is where the section ends before its last line does.
    What stands before a call or a card concerns the one with the next index, what stands behind it
    the last.
    """

    name: str
    kind: str
    known: ClassVar[Mapping[str, int]]
    closing: ClassVar[str | None] = None
    first_glyph: int

    def __init__(self, reading: _Reading, first: Seat | None, parts: Sequence[Part]) -> None:
        self.reading, self.margin, self.first, self.parts = reading, reading.margin, first, parts
        self.text = reading.text
        self.made: list[int] = []
        self.starts: list[int] = []
        self.ended: int | None = None
        self._read()

    def _read(self) -> None:
        for kind, _, start, end in self.parts:
            if kind != DATA:
                self._comment(start, end)
            elif self.ended is not None:
                self.keep(start, end)
            else:
                self._words(start, end)

    def _words(self, start: int, end: int) -> None:
        """Read the words of some lines; one that is not known is taken apart."""
        words = self.text[start:end].split()
        closed = words[-1:] == [self.closing]
        if closed:
            words.pop()
        known: list[Any] = [*map(self.known.get, words)]
        if None not in known:
            if known:
                self._add(known, (start,))
            if closed:
                self.ended = end
            return
        text, at, done = self.text, start, start
        self._add((), ())
        for word, made in zip(words, known, strict=True):
            begun = text.index(word, at)
            at = begun + len(word)
            if begun < done:
                continue
            if made is not None:
                self.made.append(made)
                self.starts.append(begun)
                continue
            done = self._pieces(begun, at, end)
            if self.ended is not None:
                self.keep(self.ended, end)
                return
        if closed:
            self.ended = end

    def _add(self, made: Sequence[int], starts: Sequence[int]) -> None:
        """Add calls or cards, which are words one after another where there are fewer starts."""
        if len(self.starts) < len(self.made):
            self.starts = word_starts(self.text, self.starts, len(self.made))
        self.made += made
        self.starts += starts

    def _pieces(self, start: int, word: int, end: int) -> int:
        """Read the pieces of a word, of which the last may go on behind it; the end of that."""
        for found in _PIECE.finditer(self.text, start, end):
            if found.start() >= word:
                return word
            self._odd(found, found.span())
            if self.ended is not None or found.end() >= word:
                return found.end()
        return word

    def _odd(self, found: re.Match[str], span: Span) -> None:
        """Take a piece that is not a known word."""
        raise NotImplementedError

    def keep(self, start: int, end: int) -> None:
        """Keep what stands behind the end of the section, if there is a word in it."""
        text = self.text
        pieces = [*_PIECE.finditer(text, start, end)] if text[start:end].strip() else []
        if any(p.lastgroup == "word" and p[0].strip("-") for p in pieces):
            span = (pieces[0].start(), pieces[-1].end())
            self.margin.keep(" ".join(p[0] for p in pieces), span)

    def _anchor(self) -> Item:
        """What a comment belongs to that stands here."""
        raise NotImplementedError

    def _comment(self, start: int, end: int) -> None:
        """A comment behind the last call or card, or behind the tag of the section."""
        comment = Comment(
            _comment_text(self.text[start:end]), self._anchor(), "after", (start, end)
        )
        self.margin.comments.append(comment)

    def _mark(self, kind: str | None, text: str, span: Span) -> None:
        """A note, suffix or glyph of the last call or card; another glyph is a comment."""
        if not self.made or kind not in ("note", "glyph", "suffix", "end"):
            self._unknown(text, span)
            return
        remarks, event = self.reading.remarks, Event(self.kind, len(self.made) - 1)
        _, mark_before, note_before = remarks.get(event, (event, None, None))
        if kind == "note":
            note = self.reading.note_of(self.name, text.strip("= \t\n"))
            if note is None:
                message = f"{shown(text)} refers to a note that does not exist."
                self.margin.unclear("notation.pbn-note", message, span)
                self.margin.keep(text, span)
            else:
                both = f"{note_before}; {note}" if note_before and note else note_before or note
                remarks[event] = Remark(event, mark_before, both)
            return
        glyph = int(text[1:]) - self.first_glyph if kind == "glyph" and len(text) < 6 else -1
        mark = SUFFIXES[glyph] if 0 <= glyph < len(SUFFIXES) else text
        if mark.startswith("$"):
            self.margin.comments.append(Comment(mark, self._anchor(), "after", span))
        elif mark_before:
            self._unknown(text, span)
        else:
            remarks[event] = Remark(event, mark, note_before)

    def _unknown(self, text: str, span: Span) -> None:
        """Report that a piece means nothing where it stands."""
        message = f"{shown(text)} is not recognised here; it was kept unchanged."
        self.margin.unclear("notation.pbn-mark", message, span)
        self.margin.keep(text, span)

    def _incident(
        self, name: str, index: int, player: Seat | None, span: Span, by: Seat | None
    ) -> None:
        """An irregularity that a record marks, at the call or card of an index.

        The other side accepted it or did not notice it in time: the player on the left of the
        offender waived it. If the offender is not known, nobody did.
        """
        waived = player.left if player else None
        event = Event(self.kind, index)
        self.reading.incidents.append(
            Incident(name, by=by, waived_by=waived, event=event, span=span)
        )


class _Auction(_Section):
    """The calls of an auction.

    `before` is how many slots stand before the first call and between calls; `moved` how many of
    them are out of turn since the last call. What stands before a call waits until it is there.
    """

    name, kind, first_glyph = "Auction", "call", 1
    before = moved = waiting_for = 0
    skipped: Span | None = None
    last_call: int | None = None
    # "No" may be the beginning of "no bid".
    known: ClassVar = {word: made for word, made in CALLS.items() if word.lower() != "no"}

    def __init__(self, reading: _Reading, first: Seat | None, parts: Sequence[Part]) -> None:
        self.opened = first
        self.callers: list[tuple[int, Seat]] = []
        self.insufficient: list[Span] = []
        super().__init__(reading, first, parts)
        self._settle()

    def _settle(self) -> None:
        """Give the call that has come what stood before it."""
        index = self.waiting_for
        if len(self.made) <= index:
            return
        player = self.first.after(self.before + index) if self.first else None
        for span in self.insufficient:
            self._incident(INSUFFICIENT, index, player, span, None)
        if self.skipped:
            name = SKIPPED.get(kind_of(self.made[index]))
            if name:
                self._incident(name, index, player, self.skipped, player)
            else:
                self._unknown(self.text[slice(*self.skipped)], self.skipped)
        elif player and self.moved % len(SEATS):
            message = "a dash between calls was read as a missing call"
            starts = word_starts(self.text, self.starts, len(self.made))
            found = _PIECE.match(self.text, starts[index])
            self.margin.assume(message, found.span() if found else NOWHERE)
        if player and self.moved % len(SEATS):
            self.callers.append((index, player))
        self.skipped, self.insufficient, self.moved = None, [], 0

    def _odd(self, found: re.Match[str], span: Span) -> None:
        kind, text = found.lastgroup, found[0]
        self._settle()
        self.waiting_for = len(self.made)
        if kind == "word" and (made := _call_of(text)):
            self._add((made,), span[:1])
        elif kind == "word" and not text.strip("-"):
            self.before += 1
            if self.made or self.skipped:
                self.moved += 1
            elif self.first:
                self.opened = self.first.after(self.before)
        elif kind == "word":
            message = f"{shown(text)} is not a call; what follows was ignored."
            self.margin.unread("notation.pbn-call", message, span)
            self._break_off(span, span[0])
        elif kind == "irregular" and text[-1] in "sS":
            self.skipped = span
            self.before, self.moved = self.before + 1, self.moved + 1
        elif kind == "irregular" and text[-1] in "iI":
            self.insufficient.append(span)
        elif text == "*" and self._goes_on(span[1]):
            # Some programs write it behind a call that is alerted.
            message = f'the "*" behind {self._spoken()} was passed over, for calls follow it'
            self.margin.assume(message, span)
        elif text == "+":
            self.margin.keep(OPEN_AUCTION, span)
            self.ended = span[1]
        elif text == "*":
            self._break_off(span, span[1])
        else:
            self._mark(kind, text, span)

    def _goes_on(self, end: int) -> bool:
        """Whether a call stands behind an offset."""
        if self.last_call is None:
            words = (
                piece.start()
                for kind, _, *span in reversed(self.parts)
                if kind == DATA
                for piece in reversed([*_PIECE.finditer(self.text, *span)])
                if piece.lastgroup == "word" and _call_of(piece[0])
            )
            self.last_call = next(words, -1)
        return end <= self.last_call

    def _break_off(self, span: Span, rest: int) -> None:
        """The record does not go on though the auction does; the rest is kept."""
        self.ended = rest
        kinds = [kind_of(one) for one in self.made[-4:]]
        if not (kinds[-1:] == ["all-pass"] or (len(kinds) > 3 and kinds[1:] == ["pass"] * 3)):
            self._add((call("unrecorded"),), span[:1])

    def _anchor(self) -> Item:
        return ("bidding", len(self.made) - 1) if self.made else ("bidding",)

    def _spoken(self) -> str:
        if not self.made:
            return "the first calls"
        return f"call {len(self.made)} ({kind_of(self.made[-1])})"


def _call_of(text: str) -> int | None:
    return CALLS.get(text.upper()) or CALLS.get(_BETWEEN.sub("", text).upper())


class _Play(_Section):
    """The slots of a play."""

    name, kind, known, first_glyph = "Play", "card", CARDS_PLAYED | {"-": UNKNOWN_CARD}, 7
    closing = "*"

    def __init__(self, reading: _Reading, first: Seat, parts: Sequence[Part]) -> None:
        self.marks: list[tuple[str, int, Span]] = []
        super().__init__(reading, first, parts)
        self.leaders: list[tuple[int, Seat]] = []
        self.trick_starts = self._tricks()
        for name, index, span in self.marks:
            if index < len(self.made):
                trick = bisect_right(self.trick_starts, index) - 1
                player = first.after(index - self.trick_starts[trick])
                self._incident(name, index, player, span, None)
                if name == LED:
                    self.leaders.append((trick, player))

    def _odd(self, found: re.Match[str], span: Span) -> None:
        kind, text = found.lastgroup, found[0]
        if kind == "word" or text == "+":
            self._add((self._card(text, span),), span[:1])
        elif kind == "irregular" and text[-1] in "rRlL":
            self.marks.append((REVOKED if text[-1] in "rR" else LED, len(self.made), span))
        elif kind == "end":
            self.ended = span[1]
        else:
            self._mark(kind, text, span)

    def _card(self, text: str, span: Span) -> int:
        written = text.upper()
        card = CARDS_PLAYED.get(written)
        if card or not written.strip("-"):
            return card or UNKNOWN_CARD
        if text == "+":
            self.margin.keep(OPEN_PLAY, span)
        elif card := TURNED.get(written):
            self.margin.assume(f'"{text}" was read as {card}', span)
            return card
        else:
            self.margin.unread("notation.pbn-card", f"{shown(text)} is not a card.", span, text)
        return UNKNOWN_CARD

    def _tricks(self) -> tuple[int, ...]:
        """Where tricks begin, four slots each; the slots of tricks without a card are taken away.

        A line of fewer is a trick by itself where the first line has four and the slots do not come
        out even, unless a comment over several lines has broken the rows.
        """
        made, number = self.made, len(self.made)
        starts = _fours(number)
        text = self.text
        if number % len(SEATS) and not any(
            "\n" in text[start:end] for kind, _, start, end in self.parts if kind != DATA
        ):
            counts = [1]
            self.starts = word_starts(text, self.starts, number)
            for before, after in pairwise(self.starts):
                if "\n" in text[before:after]:
                    counts.append(0)
                counts[-1] += 1
            if counts[0] == max(counts) == len(SEATS) and min(counts[:-1]) < len(SEATS):
                starts = (0, *accumulate(counts[:-1]))
                short = next(at for at, n in zip(starts, counts, strict=True) if n < len(SEATS))
                message = (
                    "a row of fewer than four cards was read as one trick, from the first column"
                )
                self.margin.assume(message, (self.starts[short], self.starts[short]))
        while starts and not any(made[starts[-1] :]):
            del made[starts[-1] :], self.starts[starts[-1] :]
            starts = starts[:-1]
        return starts

    def _anchor(self) -> Item:
        last = len(self.made) - 1
        return ("play", *divmod(last, len(SEATS))) if self.made else ("play",)


@lru_cache(1000)
def _fours(number: int) -> tuple[int, ...]:
    """Where tricks of four begin among so many cards."""
    return tuple(range(0, number, len(SEATS)))
