"""The tags and sections of a PBN record made into a `Record`; what has no field stays among its tags.

A value that a tag cannot have is not guessed at: the tag is kept as written, and the fact is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from lark import Token

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.record.model import (
    Call,
    Declaration,
    Hand,
    Incident,
    Place,
    Record,
    Result,
    Stated,
    Trick,
)
from oddtrick.record.pbn.extension import PREFIX, TAG_PREFIX, with_own
from oddtrick.record.pbn.sections import Said, read_auction, read_play, shown
from oddtrick.record.pbn.values import (
    UNKNOWN,
    contract_of,
    deal_of,
    history_of,
    result_of,
    rubber_score_of,
    seat_of,
    vulnerable_of,
)

T = TypeVar("T")

SWAPPED, MISCOUNTED = "declarer-and-dummy-swapped", "wrong-number-of-tricks-agreed"
"""Incidents of the whole record: the caret before the declarer, and before the result."""

TAG_NAMES = {"Event": "event", "Site": "venue", "Date": "date"}
"""PBN's names for what the model's tags call otherwise."""

SECTIONS = ("Auction", "Play")

ANCHORS: dict[str, tuple[str | int, ...]] = {
    "Dealer": ("dealer",),
    "Vulnerable": ("vulnerable",),
    "Deal": ("hands",),
    "Contract": ("declaration",),
    "Result": ("result",),
    "Table": ("table",),
    "ScoreRubber": ("score", 0),
    "OddtrickCode": ("code",),
    "OddtrickOption": ("option", 0),
    "OddtrickStandingGames": ("standing games",),
    "OddtrickStandingTrick": ("standing trick",),
    "OddtrickStandingHonour": ("standing honour",),
    "OddtrickTray": ("tray",),
    "OddtrickPlaying": ("playing",),
    "OddtrickHonours": ("honours", 0),
    "OddtrickChicane": ("chicane", 0),
    "OddtrickScore": ("score", 0),
    "OddtrickGame": ("game",),
    "OddtrickClaimTable": ("claims", 0),
    "OddtrickIncidentTable": ("irregularity", 0),
}
"""What a comment behind a tag belongs to in the record; of a tag without a field it is `("tag", index)`, of
any other `("pbn", name)`."""

_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_REFERENCE = re.compile(r"=\s*(\d+)\s*=")


@dataclass(slots=True)
class Tag:
    """A tag pair and the tokens behind it; `place` is that of the value, `raw` the pair as written.

    `notes` are the note tags of an auction or a play by their numbers.
    """

    name: str
    value: str
    place: Place
    raw: str
    body: list[Token] = field(default_factory=list)
    notes: dict[str, Tag] = field(default_factory=dict)


def record_of(
    tags: Mapping[str, Tag], number: int, place: Place, offset: int, said: Said
) -> Record:
    """The record of its tags; `offset` is added to the line numbers of the tokens in the sections."""
    making = _Making({n: t for n, t in tags.items() if not n.startswith(PREFIX)}, offset, said)
    record = making.record(number, place)
    own = [
        (t.name, t.value, "\n".join(b.value for b in t.body if b.type == "DATA"), t.place)
        for n, t in tags.items()
        if n.startswith(PREFIX)
    ]
    if own:
        record, failed = with_own(record, own)
        for tag in (tags[name] for name in failed):
            message = f"{shown(tag.value)} and what is behind it is not what {tag.name} can say."
            said.unclear("notation.pbn-value", message, tag.place)
            said.keep(_section(tag), tag.place)
    if not (said.comments or said.kept or said.assumed):
        return record
    names: dict[str, int] = {}
    for index, (name, _) in enumerate(record.tags):
        names.setdefault(name.lower(), index)
    ordered = record.play is not None and any(t.columns_from is None for t in record.play)
    comments = [replace(c, anchor=_anchor(c.anchor, names, ordered)) for c in said.comments]
    comments.sort(key=lambda c: (c.place.line, c.place.column))
    return replace(
        record, comments=tuple(comments), kept=tuple(said.kept), assumed=tuple(said.assumed)
    )


def _anchor(
    anchor: tuple[str | int, ...], names: Mapping[str, int], ordered: bool
) -> tuple[str | int, ...]:
    """What a comment belongs to; `ordered` says that the play is no longer in PBN's columns."""
    if anchor[0] == "play" and ordered:
        return anchor[:2]
    if anchor[0] != "pbn":
        return anchor
    name = str(anchor[1])
    ours = TAG_NAMES.get(name, name.removeprefix(TAG_PREFIX)).lower()
    return ANCHORS.get(name) or (("tag", names[ours]) if ours in names else anchor)


def _section(tag: Tag) -> str:
    """A tag and the lines behind it as written."""
    return "\n".join([tag.raw, *(t.value for t in tag.body)])


class _Making:
    """The tags of one record while its fields are taken out of them."""

    def __init__(self, tags: Mapping[str, Tag], offset: int, said: Said) -> None:
        self.tags, self.offset, self.said = tags, offset, said
        self.used: set[str] = set(SECTIONS)
        self.incidents: list[Incident] = []

    def record(self, number: int, place: Place) -> Record:
        """The record but for what our own tags say."""
        said = self.said
        dealer = self.stated("Dealer", seat_of, "is no seat; the dealer is not known")
        declaration = self._declaration()
        declarer = declaration.declarer if declaration else None
        result = self._result(declarer)
        vulnerable = self.stated(
            "Vulnerable", vulnerable_of, "says no vulnerability that PBN knows"
        )
        history = self._told("ScoreRubberHistory")
        standing = history_of(history.value) if history else None
        scores = self.stated(
            "ScoreRubber", lambda v: rubber_score_of(v, declarer), "is no score of known sides"
        )
        board, table = self._told("Board"), self.stated("Table", str, "")
        told: dict[str, Any] = {
            "hands": self._hands(),
            "players": tuple((s, t.value) for s in SEATS if (t := self._name(s.title))),
            "sides": tuple((s, t.value) for s in Side if (t := self._name(f"Pair{s.value}"))),
        }
        if standing and history:
            figures = [replace(f, place=history.place) for f in standing]
            told |= zip(
                ("standing_games", "standing_trick", "standing_honour"), figures, strict=True
            )
        if scores:
            told["scores"] = tuple(replace(s, place=scores.place) for s in scores.value)
        opened, calls = self._auction()
        if opened and dealer and opened.value is not dealer.value:
            words = f"the auction is written from {opened.value.title} on, though {dealer.value.title} dealt"
            said.assume(words, opened.place)
        play = self._play()
        return Record(
            id=f"board {board.value}" if board else f"record {number}",
            file=said.file,
            place=place,
            dealer=dealer,
            vulnerable=vulnerable,
            table=table,
            bidding_from=opened,
            bidding=calls,
            declaration=declaration,
            play=play,
            result=result,
            incidents=tuple(self.incidents),
            tags=self._plain(),
            **told,
        )

    def _told(self, name: str) -> Tag | None:
        tag = self.tags.get(name)
        return tag if tag and tag.value not in UNKNOWN else None

    def _name(self, name: str) -> Tag | None:
        tag = self._told(name)
        self.used.add(name)
        return tag if tag and tag.value.strip() not in ("", "-") else None

    def stated(self, name: str, read: Callable[[str], T | None], problem: str) -> Stated[T] | None:
        """The value of a tag and its place, or `None` where it says nothing or is not understood."""
        tag = self._told(name)
        if tag is None:
            return None
        value = read(tag.value)
        if value is None:
            self._unclear(tag, problem)
            return None
        self.used.add(name)
        return Stated(value, tag.place)

    def _unclear(self, tag: Tag, problem: str) -> None:
        self.said.unclear(
            "notation.pbn-value", f"{tag.name} {shown(tag.value)} {problem}.", tag.place
        )

    def _caret(self, tag: Tag, name: str, by: Seat | None) -> None:
        if tag.value.lstrip().startswith("^"):
            self.incidents.append(Incident(name, by=by, place=tag.place))

    def _declaration(self) -> Declaration | None:
        contract, declarer = self._told("Contract"), self._told("Declarer")
        declaration = None
        if contract:
            declaration, assumed = contract_of(contract.value)
            if declaration is None:
                self._unclear(contract, "is no contract that PBN knows")
            else:
                declaration = replace(declaration, place=contract.place)
                self.used.add("Contract")
            if assumed:
                self.said.assume(assumed, contract.place)
        if declarer is None or (declaration and declaration.passed_out):
            return declaration
        seat = seat_of(declarer.value.lstrip().removeprefix("^"))
        if seat is None:
            self._unclear(declarer, "is no seat; the declarer is not known")
            return declaration
        self.used.add("Declarer")
        self._caret(declarer, SWAPPED, seat)
        if declaration:
            return replace(declaration, declarer=seat)
        return Declaration(declarer=seat, place=declarer.place)

    def _result(self, declarer: Seat | None) -> Result | None:
        tag = self._told("Result")
        if tag is None:
            return None
        result = result_of(tag.value.lstrip().removeprefix("^"), declarer)
        if result is None:
            self._unclear(tag, "does not give the tricks of the declaring side")
            return None
        self.used.add("Result")
        self._caret(tag, MISCOUNTED, None)
        return replace(result, place=tag.place)

    def _hands(self) -> tuple[tuple[Seat, Hand], ...]:
        tag = self._told("Deal")
        if tag is None:
            return ()
        deal = deal_of(tag.value, tag.place.line, tag.place.column)
        if deal is None:
            self._unclear(
                tag, 'does not begin with a seat, such as "N:", so that nobody holds its cards'
            )
            return ()
        self.used.add("Deal")
        for text, place in deal.unread:
            message = f"{shown(text)} is no hand: four suits divided by dots, ranks AKQJT98765432."
            self.said.unread("notation.pbn-card", message, text, place)
        return deal.hands

    def _auction(self) -> tuple[Stated[Seat] | None, tuple[Call, ...] | None]:
        tag = self.tags.get("Auction")
        if tag is None:
            return None, None
        first = seat_of(tag.value)
        if first is None and tag.value not in UNKNOWN:
            self._unclear(tag, "is no seat; who called first is not known")
        calls, opened = read_auction(first, tag.body, self.offset, self._notes(tag), self.said)
        if first is None and not calls:
            return None, None
        return Stated(opened, tag.place) if opened else None, calls

    def _play(self) -> tuple[Trick, ...] | None:
        tag = self.tags.get("Play")
        if tag is None:
            return None
        first = seat_of(tag.value)
        if first is None:
            if any(t.type == "DATA" for t in tag.body):
                self._unclear(tag, "is no seat, so that nobody played these cards")
                self.said.keep(_section(tag), tag.place)
            return None
        return read_play(first, tag.body, self.offset, self._notes(tag), self.said)

    def _notes(self, tag: Tag) -> dict[str, str]:
        """The notes that a section may refer to: its own, else the other section's; unused ones are kept."""
        both = [t for n in SECTIONS if (t := self.tags.get(n))]
        if not any(t.notes for t in both):
            return {}
        if tag is both[-1]:
            named = {
                m
                for t in both
                for b in t.body
                if b.type == "DATA"
                for m in _REFERENCE.findall(b.value)
            }
            for note in (n for t in both for i, n in t.notes.items() if i not in named):
                self.said.keep(note.raw, note.place)
        order = [t for t in both if t is not tag] + [tag]
        return {i: n.value.partition(":")[2].strip() for t in order for i, n in t.notes.items()}

    def _plain(self) -> tuple[tuple[str, str], ...]:
        """The tags without a field, in their order; tables are kept whole with the lines behind them."""
        plain: list[tuple[str, str]] = []
        for name, tag in self.tags.items():
            if name in SECTIONS:
                continue
            if tag.body or (name.endswith("Table") and name != "Table"):
                self.said.keep(_section(tag), tag.place)
            elif name not in self.used and tag.value not in UNKNOWN:
                dated = name == "Date" and _DATE.fullmatch(tag.value)
                value = tag.value.replace(".", "-") if dated else tag.value
                plain.append((TAG_NAMES.get(name, name), value))
        return tuple(plain)
