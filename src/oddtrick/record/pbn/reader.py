"""Reads Portable Bridge Notation 2.1, including common departures of real files from it.

`read_game` yields the deal of a game, followed by its unreadable parts. No fact is guessed: what a
file omits is `None`, and so is a value that its tag cannot have. Assumptions are listed in
`assumed`; unused text is preserved in `unused` or among the tags. The standard's marks of
irregularity (`^I`, `^S`, `^R`, `^L`, and the caret before a declarer or a result) become incidents.

Auction and play are rows of slots, one for each player in turn from the seat in the section's tag.
In the auction `-` is a player whose turn has not come, and `^S` one who was passed over. In the
play `-` is an unknown card. `*` ends a section that is not recorded to its end, `+` one that is to
be continued.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.limits import PBN_LINE, PBN_RECORD, PBN_SAME, PBN_TAGS, SHARED
from oddtrick.record.deal import (
    NOWHERE,
    UNKNOWN_CARD,
    UNRECORDED,
    Comment,
    Deal,
    Declaration,
    Event,
    Incident,
    Item,
    Remark,
    Source,
    Span,
    Unreadable,
    kind_of,
)
from oddtrick.record.pbn.fields import (
    CALLS,
    CARDS_PLAYED,
    TURNED,
    UNKNOWN,
    contract_of,
    deal_of,
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
"""Tags that may not inherit a value from the game before."""
HAND = "OddtrickHand"
"""The tag that introduces `.hand` statements of facts that PBN cannot express."""
BOARD = ("Board", "Dealer", "Deal")
"""The tags that the games of one board at two tables share."""
EVENT = ("Event", "Site", "Date", "Round")
PLAYERS = tuple((seat, seat.title) for seat in SEATS)
NOBODY = ("", "?", "-")
PAIRS = tuple((side, f"Pair{side.value}") for side in Side)
OWN = (*SECTIONS, HAND)
USED = {*OWN, *(name for _, name in (*PLAYERS, *PAIRS))}
"""Tags that never appear among the tags of a `Deal`."""

TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN tags that have another name among the tags of a `Deal`."""
ANCHORS: dict[str, Item] = {
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerable",),
    "Deal": ("hands",),
    "Contract": ("declaration",),
    "Result": ("result",),
    "Table": ("table",),
    "ScoreRubber": ("score", 0),
}
"""The anchor of a comment after a tag; if the tag has no field, it is `("tag", index)`."""

SKIPPED = {"pass": "pass-out-of-turn", "all-pass": "pass-out-of-turn", "bid": "bid-out-of-turn"}
SKIPPED |= dict.fromkeys(("double", "redouble"), "double-out-of-turn")
"""The irregularity of a call made out of turn, by the kind of call."""
INSUFFICIENT, REVOKED, LED = "insufficient-bid", "revoke", "lead-out-of-turn"
SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"
OPEN_AUCTION, OPEN_PLAY = "[Auction] +", "[Play] +"
"""The text kept for a `+`, which marks a section to be continued."""
SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
"""The suffixes in the order of their glyphs, `$1` to `$6` for calls, `$7` to `$12` for cards."""

_DIRECTIVE = re.compile(r"%\s*(?:PBN\s+\d|EXPORT\b|Content-type:)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_ESCAPED = re.compile(r'\\(["\\])')
_BETWEEN = re.compile(r"[\s-]+")
_PIECE = re.compile(
    r"(?P<word>[^\s^=$!?*+,|AaNn][^\s^=$!?*+,|]*+|(?i:all\s+pass|no\s+bid)\b|[^\s^=$!?*+,|]++)"
    r"|(?P<irregular>\^\s*[A-Za-z])"
    r"|(?P<note>=\s*[^=\s]*\s*=)|(?P<glyph>\$\d+)|(?P<suffix>[!?][!?]?)|(?P<end>[*+])"
    r"|(?P<other>[\^=$])"
)


def _unescaped(value: str) -> str:
    """The value of a tag with its escapes resolved."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


@dataclass(slots=True)
class Margin:
    """Collects what is reported with a deal: unreadable and unused text, assumptions, comments."""

    source: Source
    unreadable: list[Unreadable] = field(default_factory=list)
    unused: list[tuple[str, Span]] = field(default_factory=list)
    assumed: list[tuple[str, Span]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def unread(
        self, rule: str, message: str, span: Span, text: str | None = None, unclear: bool = False
    ) -> None:
        """Report what could not be read or, if `unclear`, leaves a fact unknown; keep `text`."""
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number == PBN_SAME.most + 1:
            message = PBN_SAME.message()
        if number <= PBN_SAME.most + 1:
            found = Unreadable(rule, message, self.source, span, None, unclear)
            self.unreadable.append(found)
        if text is not None:
            self.keep(text, span)

    def unclear(self, rule: str, message: str, span: Span, text: str | None = None) -> None:
        """Report what leaves a fact unknown; keep `text`."""
        self.unread(rule, message, span, text, unclear=True)

    def keep(self, text: str, span: Span) -> None:
        """Keep unused text, up to a limit on the number of texts."""
        if len(self.unused) < 8 * PBN_SAME.most:
            self.unused.append((text, span))

    def assume(self, text: str, span: Span) -> None:
        """Record an assumption."""
        self.assumed.append((text, span))


@dataclass(slots=True)
class State:
    """What later games may inherit.

    `last` holds the values for `#`, `header` those of `##`, `before` those of the game before.
    `number` counts the games.
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
        written, taken, too_long = margin.source.text[game.start : game.end], 0, set[str]()
        values = game.tags.copy()
        if "\\" in written:
            values = {name: _unescaped(value) for name, value in values.items()}

        def shared(name: str, value: str) -> str:
            """An inherited value, or an empty one if the game inherits too much text."""
            nonlocal taken
            taken += len(value)
            if taken <= SHARED.most:
                return value
            too_long.add(name)
            message = SHARED.message(name=name)
            margin.unclear("notation.pbn-value", message, game.span(name))
            return ""

        for name, value in values.items() if '"#' in written else ():
            if not value.startswith("#"):
                continue
            if name in NOT_INHERITED:
                message = f"{name} may not be taken over from the record before; it is not known."
                margin.unclear("notation.pbn-value", message, game.span(name))
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
        if game.joined is not None:
            margin.assume("an empty line inside the record was ignored", (game.joined, game.joined))
        if self._is_second_table(values):
            missing = [name for name in BOARD if name in self.before]
            which = ", ".join(map(str.lower, missing))
            message = f"{which}: taken from the record before, because this one is of another table"
            margin.assume(message, (game.start, game.start))
            values |= {name: shared(name, self.before[name]) for name in missing}
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


def shown(text: str) -> str:
    """The beginning of a text, cleaned and in quotation marks, for a message."""
    clean = in_a_line(" ".join(text[:200].split()))
    return f'"{clean if len(clean) <= 50 else clean[:47] + "..."}"'


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
    margin = Margin(source)
    deal = _Reading(game, margin).deal(state) if game.tags else None
    if deal and not margin.unreadable and not game.lost:
        yield deal
        return
    lost = list[Unreadable]()
    for one in game.lost:
        named = (f"record on line {source.place(one.span).line}", one.span) if one.game else None
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
    """One game while its tags are parsed into the fields of a deal."""

    def __init__(self, game: Game, margin: Margin) -> None:
        self.game, self.margin = game, margin
        self.declared_by: Seat | None = None
        self.text, self.values = margin.source.text, game.tags
        self.bodies: dict[str, list[Part]] = {}
        self.notes: dict[str, dict[str, tuple[str, Span]]] = {}
        self.referred: set[str] = set()
        self.anchored: list[Part] = []
        self.used = USED.copy()
        self.stated: list[tuple[Item, Span]] = []
        self.incidents: list[Incident] = []
        self.remarks: dict[Event, Remark] = {}
        self.fields: dict[str, Any] = {"source": margin.source, "span": (game.start, game.end)}

    def deal(self, state: State) -> Deal:
        """The deal of the game."""
        game, margin, fields = self.game, self.margin, self.fields
        if game.rest:
            self._sort()
        values = self.values = state.values_of(game, margin)
        places, written, start = game.places, game.tags, (game.start, game.start)
        board = values.get("Board", "")
        fields["id"] = f"board {board}" if board not in UNKNOWN else f"record {state.number}"
        for name, parse in FIELDS:
            value = values.get(name)
            if value is not None and (value not in UNKNOWN or name in SECTIONS):
                at = places.get(name)
                span = start if at is None else (at, at + len(written[name]))
                if item := parse(self, value, span):
                    self.used.add(name)
                    self.stated.append((item, span))
        for notes in self.notes.values():
            for number, (_, span) in notes.items():
                if number not in self.referred:
                    margin.keep(self._tag_around(span), span)
        tags = fields["tags"] = self._other_tags()
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
        if margin.unused:
            fields["unused"] = tuple(margin.unused)
        if margin.assumed:
            fields["assumed"] = tuple(margin.assumed)
        return Deal(**fields)

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
        noted, junk, margin, start = "", list[Span](), self.margin, self.game.start
        for part in self.game.rest:
            kind, current, begun, end = part
            written, span = self.text[begun:end], (begun, end)
            if end - start > LONGEST_GAME:
                margin.unread("notation.pbn-long-record", PBN_RECORD.message(), span)
                break
            if kind == DATA and current and current not in SINGLE:
                self.bodies.setdefault(current, []).append(part)
                noted = ""
            elif kind == DATA:
                junk.append(span)
            elif kind == TAGS:
                self._tag_again(current, span)
                noted = current
            elif kind == LOOSE:
                margin.assume("the quotation marks inside the value belong to it", span)
            elif kind in (BRACE, COMMENT):
                if kind == BRACE and not written.endswith("}"):
                    tagged = self.text.startswith("[", end + 1)
                    message = "This comment is never closed with }"
                    message += "; it was ended where a tag begins." if tagged else "."
                    margin.unclear("notation.pbn-comment", message, span)
                # The section itself anchors a comment at a call or card.
                in_section = current in SECTIONS and noted != current
                parts = self.bodies.setdefault(current, []) if in_section else self.anchored
                parts.append(part)
            elif kind == BROKEN:
                message = f"This tag cannot be read: {shown(written)}. "
                message += 'A tag is written [Name "value"].'
                margin.unread("notation.pbn-tag", message, span, written.rstrip())
            elif written == LEFT_OUT:
                margin.unread("notation.pbn-long-line", PBN_LINE.message(), span)
            elif not _DIRECTIVE.match(written):
                margin.keep(written, span)
        if junk:
            count = sum(self.text.count("\n", *span) + 1 for span in junk)
            what = "This line belongs" if count == 1 else f"{count} lines belong"
            message = f"{what} to no section: {shown(self.text[slice(*junk[0])])}."
            margin.unread("notation.pbn-line", message, junk[0])
            for begun, end in junk:
                margin.keep(self.text[begun : min(end, begun + 1000)], (begun, end))

    def _tag_again(self, section: str, span: Span) -> None:
        """Read a repeated tag or a note of a section, given the span of its value."""
        tag, value = self._tag_around(span), _unescaped(self.text[slice(*span)])
        name = canonical(tag.partition('"')[0])
        if name != "Note" or section not in SECTIONS:
            self.margin.keep(tag, span)
            self.margin.assume(f"the first {name} tag counts, as PBN provides", span)
            return
        notes = self.notes.setdefault(section, {})
        number, colon, text = value.partition(":")
        number = number.strip()
        if colon and _DIGITS.fullmatch(number) and number not in notes:
            notes[number] = text.strip(), span
        else:
            message = f'A note is written [Note "1:text"], each number once; {shown(value)} is not.'
            self.margin.unclear("notation.pbn-value", message, span, tag)

    # --- tags without a field ---------------------------------------------------------------------

    def _names(self, tags: Sequence[tuple[Any, str]]) -> tuple[tuple[Any, str], ...]:
        """Pairs of a seat or side and its name, from these tags."""
        values = self.values
        return tuple(
            [(who, values[n]) for who, n in tags if n in values and values[n].strip() not in NOBODY]
        )

    def _other_tags(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field, in order; tables are kept as text instead."""
        tags, used, bodies = list[tuple[str, str]](), self.used, self.bodies
        for name, value in self.values.items():
            if name in used:
                continue
            if name in bodies or name[-5:] == "Table":
                self.margin.keep(self._section_text(name), self.game.span(name))
            elif value not in UNKNOWN:
                if name == "Date" and _DATE.fullmatch(value):
                    value = value.replace(".", "-")
                tags.append((TAG_NAMES.get(name, name), value))
        return tuple(tags)

    def _comments(self, tags: Sequence[tuple[str, str]]) -> Iterator[Comment]:
        """Yield the comments outside auction and play, each with its anchor."""
        places = {name.lower(): index for index, (name, _) in reversed([*enumerate(tags)])}
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

    def _caret(self, value: str, span: Span, name: str, by: Seat | None) -> None:
        """Add the irregularity that a caret marks, as one that the other side has waived."""
        if value.lstrip().startswith("^"):
            waived = self.declared_by.left if self.declared_by else None
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
        """Read the declarer; unless a contract follows, the declaration states only him.

        A deal passed out has no declarer.
        """
        contract = self.values.get("Contract")
        made = contract_of(contract, None)[0] if contract else None
        if made and made.passed_out:
            return None
        seat = self.declared_by = seat_of(value.lstrip().removeprefix("^"))
        if seat is None:
            self._unclear("Declarer", value, span, "is not a seat; the declarer is not known")
            return None
        self.used.add("Declarer")
        self.fields["declaration"] = Declaration(declarer=seat)
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
        self._caret(value, span, MISCOUNTED, None)
        return ("result",)

    def standing(self, value: str, span: Span) -> None:
        for name, figures in zip(
            ("games", "trick", "honour"), history_of(value) or (), strict=False
        ):
            self.fields[f"standing_{name}"] = figures
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
            problem = 'does not begin with a seat, such as "N:"; its cards belong to nobody'
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
        first, fields = seat_of(value), self.fields
        if first is None and value not in UNKNOWN:
            self._unclear("Auction", value, span, "is not a seat; who called first is not known")
        section = _Auction(self, first, self.bodies.get("Auction", ()))
        if first is None and not section.made:
            return None
        fields["calls"], fields["call_starts"] = tuple(section.made), tuple(section.starts)
        fields["callers"], opened = tuple(section.callers), section.opened
        if opened is None:
            return None
        fields["first_caller"], dealer = opened, fields.get("dealer")
        if dealer and dealer is not opened:
            dealt = f"though {dealer.title} dealt"
            self.margin.assume(f"the auction is written from {opened.title} on, {dealt}", span)
        return ("bidding",)

    def play(self, value: str, span: Span) -> Item | None:
        first, body, fields = seat_of(value), self.bodies.get("Play", ()), self.fields
        if first is None:
            if any(part[0] == DATA for part in body):
                problem = "is not a seat, so it is not known who played these cards"
                self._unclear("Play", value, span, problem)
                self.margin.keep(self._section_text("Play"), span)
            return None
        section = _Play(self, first, body)
        fields["columns"], fields["cards"] = first, tuple(section.made)
        fields["card_starts"], fields["trick_starts"] = tuple(section.starts), section.trick_starts
        fields["leaders"] = tuple(section.leaders)
        return ("play",)

    def note_of(self, section: str, number: str) -> str | None:
        """The note with a number, from the section itself or, failing that, from the other."""
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
"""The parser of each tag that has a field; a tag comes after those that it depends on."""


def _comment_text(written: str) -> str:
    """The text of a comment without its braces or semicolon."""
    return (written[1:].removesuffix("}") if written.startswith("{") else written[1:]).strip()


class _Section:
    """The calls or cards of a section while it is read.

    `made` holds them and `starts` their offsets. `ended` is the offset where the section ends, if
    text follows its end. `pending` means that marks were read which belong to the next call or
    card; notes, suffixes and glyphs belong to the last one.
    """

    name: str
    kind: str
    known: ClassVar[Mapping[str, int]]
    first_glyph: int
    ended: int | None = None
    pending = False

    def __init__(self, reading: _Reading, first: Seat | None, parts: Sequence[Part]) -> None:
        self.reading, self.margin, self.first, self.parts = reading, reading.margin, first, parts
        self.text = reading.text
        self.made: list[int] = []
        self.starts: list[int] = []
        for kind, _, start, end in parts:
            if kind != DATA:
                words = _comment_text(self.text[start:end])
                comment = Comment(words, self._anchor(), "after", (start, end))
                self.margin.comments.append(comment)
            elif self.ended is None:
                self._read(start, end)
            else:
                self._keep(start, end)

    def _read(self, start: int, end: int) -> None:
        """Read some lines, up to the end of the section."""
        known, made, starts = self.known, self.made, self.starts
        for found in _PIECE.finditer(self.text, start, end):
            packed = known.get(found[0])
            if packed is None:
                self._take(found[0], found.lastgroup or "", found.span())
                if self.ended is not None:
                    self._keep(self.ended, end)
                    return
            elif self.pending:
                self._add(packed, found.start())
            else:
                made.append(packed)
                starts.append(found.start())

    def _add(self, made: int, start: int) -> None:
        """Add a call or card."""
        self.made.append(made)
        self.starts.append(start)
        if self.pending:
            self._settle(len(self.made) - 1)

    def _settle(self, index: int) -> None:
        """Apply the pending marks to the call or card at an index."""

    def _take(self, text: str, kind: str, span: Span) -> None:
        """Read a piece that is not a known call or card."""
        raise NotImplementedError

    def _keep(self, start: int, end: int) -> None:
        """Keep the text after the end of the section, if it contains a word."""
        pieces = [*_PIECE.finditer(self.text, start, end)]
        if any(p.lastgroup == "word" and p[0].strip("-") for p in pieces):
            span = (pieces[0].start(), pieces[-1].end())
            self.margin.keep(" ".join(p[0] for p in pieces), span)

    def _anchor(self) -> Item:
        """The anchor for a comment at this point."""
        raise NotImplementedError

    def _mark(self, text: str, kind: str, span: Span) -> None:
        """Add a note, suffix or glyph to the last call or card.

        A glyph without a suffix becomes a comment.
        """
        remarks, event = self.reading.remarks, Event(self.kind, len(self.made) - 1)
        _, mark, note = remarks.get(event, Remark(event))
        glyph = int(text[1:]) - self.first_glyph if kind == "glyph" and len(text) < 6 else -1
        if not self.made or kind not in ("note", "glyph", "suffix"):
            self._unknown(text, span)
        elif kind == "note":
            written = self.reading.note_of(self.name, text.strip("= \t\n"))
            if written is None:
                message = f"{shown(text)} refers to a note that does not exist."
                self.margin.unclear("notation.pbn-note", message, span, text)
            else:
                both = f"{note}; {written}" if note and written else note or written
                remarks[event] = Remark(event, mark, both)
        elif kind == "glyph" and glyph not in range(len(SUFFIXES)):
            self.margin.comments.append(Comment(text, self._anchor(), "after", span))
        elif mark:
            self._unknown(text, span)
        else:
            remarks[event] = Remark(event, SUFFIXES[glyph] if kind == "glyph" else text, note)

    def _unknown(self, text: str, span: Span) -> None:
        """Report a piece that has no meaning at its place, and keep it."""
        message = f"{shown(text)} is not recognised here; it was kept unchanged."
        self.margin.unclear("notation.pbn-mark", message, span, text)

    def _incident(
        self, name: str, index: int, player: Seat | None, span: Span, by: Seat | None = None
    ) -> None:
        """Add an irregularity that the record marks at the call or card at an index.

        A marked irregularity was accepted by the other side or not noticed in time, so the player
        on the offender's left is said to have waived it; nobody, if the offender is unknown.
        """
        waived, event = player.left if player else None, Event(self.kind, index)
        incident = Incident(name, by=by, waived_by=waived, event=event, span=span)
        self.reading.incidents.append(incident)


class _Auction(_Section):
    """The calls of an auction.

    `before` counts the slots so far that hold no call, and `moved` those since the last call,
    which move the turn. The marks before a call are applied once it is read (`_settle`).
    """

    name, kind, first_glyph = "Auction", "call", 1
    before = moved = 0
    skipped: Span | None = None
    last_call: int | None = None
    # "No" may be the beginning of "no bid".
    known: ClassVar = {word: made for word, made in CALLS.items() if word.lower() != "no"}

    def __init__(self, reading: _Reading, first: Seat | None, parts: Sequence[Part]) -> None:
        self.opened = first
        self.callers: list[tuple[int, Seat]] = []
        self.insufficient: list[Span] = []
        super().__init__(reading, first, parts)

    def _settle(self, index: int) -> None:
        """Apply the marks and dashes that precede a call."""
        player = self.first.after(self.before + index) if self.first else None
        for span in self.insufficient:
            self._incident(INSUFFICIENT, index, player, span)
        is_moved = player and self.moved % len(SEATS)
        if self.skipped and (name := SKIPPED.get(kind_of(self.made[index]))):
            self._incident(name, index, player, self.skipped, player)
        elif self.skipped:
            self._unknown(self.text[slice(*self.skipped)], self.skipped)
        elif is_moved:
            found = _PIECE.match(self.text, self.starts[index])
            place = found.span() if found else NOWHERE
            self.margin.assume("a dash between calls was read as a missing call", place)
        if player and is_moved:
            self.callers.append((index, player))
        self.skipped, self.insufficient, self.moved, self.pending = None, [], 0, False

    def _take(self, text: str, kind: str, span: Span) -> None:
        if kind == "word" and (made := _call_of(text)):
            self._add(made, span[0])
        elif kind == "word" and not text.strip("-"):
            self.before += 1
            if self.made or self.skipped:
                self.moved, self.pending = self.moved + 1, True
            elif self.first:
                self.opened = self.first.after(self.before)
        elif kind == "word":
            message = f"{shown(text)} is not a call; what follows was ignored."
            self.margin.unread("notation.pbn-call", message, span)
            self._break_off(span, span[0])
        elif kind == "irregular" and text[-1] in "sS":
            self.skipped, self.pending = span, True
            self.before, self.moved = self.before + 1, self.moved + 1
        elif kind == "irregular" and text[-1] in "iI":
            self.insufficient.append(span)
            self.pending = True
        elif text == "*" and span[1] <= self._last_call():
            # Some programs write it after an alerted call.
            call = f"call {len(self.made)} ({kind_of(self.made[-1])})" if self.made else ""
            message = f'the "*" after {call or "the first calls"} was passed over, '
            self.margin.assume(f"{message}for calls follow it", span)
        elif text == "+":
            self.margin.keep(OPEN_AUCTION, span)
            self.ended = span[1]
        elif text == "*":
            self._break_off(span, span[1])
        else:
            self._mark(text, kind, span)

    def _last_call(self) -> int:
        """The offset of the last call of the section; -1 if there is none."""
        if self.last_call is None:
            words = (
                piece.start()
                for kind, _, *span in reversed(self.parts)
                if kind == DATA
                for piece in reversed([*_PIECE.finditer(self.text, *span)])
                if piece.lastgroup == "word" and _call_of(piece[0])
            )
            self.last_call = next(words, -1)
        return self.last_call

    def _break_off(self, span: Span, rest: int) -> None:
        """End the section at offset `rest`; unless the auction is over, add `UNRECORDED`."""
        self.ended = rest
        kinds = [kind_of(one) for one in self.made[-4:]]
        if not (kinds[-1:] == ["all-pass"] or (len(kinds) > 3 and kinds[1:] == ["pass"] * 3)):
            self._add(UNRECORDED, span[0])

    def _anchor(self) -> Item:
        return ("bidding", len(self.made) - 1) if self.made else ("bidding",)


def _call_of(text: str) -> int | None:
    return CALLS.get(text.upper()) or CALLS.get(_BETWEEN.sub("", text).upper())


class _Play(_Section):
    """The cards of a play, one slot for each player in turn."""

    name, kind, known, first_glyph = "Play", "card", CARDS_PLAYED | {"-": UNKNOWN_CARD}, 7

    def __init__(self, reading: _Reading, first: Seat, parts: Sequence[Part]) -> None:
        self.marks: list[tuple[str, int, Span]] = []
        super().__init__(reading, first, parts)
        self.leaders: list[tuple[int, Seat]] = []
        self.trick_starts = self._tricks()
        for name, index, span in self.marks:
            if index < len(self.made):
                trick = bisect_right(self.trick_starts, index) - 1
                player = first.after(index - self.trick_starts[trick])
                self._incident(name, index, player, span)
                if name == LED:
                    self.leaders.append((trick, player))

    def _take(self, text: str, kind: str, span: Span) -> None:
        if kind == "word" or text == "+":
            self._add(self._card(text, span), span[0])
        elif kind == "irregular" and text[-1] in "rRlL":
            self.marks.append((REVOKED if text[-1] in "rR" else LED, len(self.made), span))
        elif kind == "end":
            self.ended = span[1]
        else:
            self._mark(text, kind, span)

    def _card(self, text: str, span: Span) -> int:
        """The card for a word in an unusual spelling; `UNKNOWN_CARD` if it is not a card."""
        written = text.upper()
        if card := CARDS_PLAYED.get(written):
            return card
        if card := TURNED.get(written):
            self.margin.assume(f'"{text}" was read as {card}', span)
            return card
        if text == "+":
            self.margin.keep(OPEN_PLAY, span)
        elif written.strip("-"):
            self.margin.unread("notation.pbn-card", f"{shown(text)} is not a card.", span, text)
        return UNKNOWN_CARD

    def _tricks(self) -> tuple[int, ...]:
        """The indexes where tricks begin, four slots each; removes final tricks without a card.

        If the number of slots is not a multiple of four, and the first line has four, a shorter
        line counts as a trick by itself, unless a comment of several lines has broken the rows.
        """
        made, text, number = self.made, self.text, len(self.made)
        starts = tuple(range(0, number, len(SEATS)))
        if number % len(SEATS) and not any(
            "\n" in text[start:end] for kind, _, start, end in self.parts if kind != DATA
        ):
            rows = [0]
            rows += [
                n for n in range(1, number) if "\n" in text[slice(*self.starts[n - 1 : n + 1])]
            ]
            counts = [after - before for before, after in pairwise((*rows, number))]
            short = next((n for n, count in enumerate(counts) if count < len(SEATS)), 0)
            if counts[0] == max(counts) == len(SEATS) and short < len(counts) - 1:
                starts, at = tuple(rows), self.starts[rows[short]]
                message = "a row of fewer than four cards was read as one trick, from the first"
                self.margin.assume(f"{message} column", (at, at))
        while starts and not any(made[starts[-1] :]):
            del made[starts[-1] :], self.starts[starts[-1] :]
            starts = starts[:-1]
        return starts

    def _anchor(self) -> Item:
        return ("play", *divmod(len(self.made) - 1, len(SEATS))) if self.made else ("play",)
