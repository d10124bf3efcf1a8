"""Our own notation, `.hand`: a text becomes records; what cannot be read is told with its place.

Two steps: the lines are sorted into deals, rubbers and matches, each line by itself, so that a
mistake costs its deal and nothing more (`scopes`); then the statements of each are put together,
where nothing can fail any more. `docs/notation.md` describes the notation. Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from oddtrick.cards import SEATS, Seat
from oddtrick.record.hand.plain import PlainDeal, blocks
from oddtrick.record.hand.scopes import (
    CLOSING,
    DEAL,
    HEADER,
    FileReader,
    Remark,
    Scope,
    StatementLine,
)
from oddtrick.record.model import (
    Call,
    Comment,
    Group,
    Hand,
    Header,
    Incident,
    Item,
    Place,
    Record,
    SideFigures,
    TableClaim,
    Trick,
    Unreadable,
    in_numbers,
)

CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
NO_HEADER = Header()
BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: its deals and groups in order but for damaged ones, and what is unreadable.

    `header` is what the file states for all of them. `comments` are those outside every deal and
    group, anchored at `("start",)`, a statement of the header or `("end",)`.
    """

    items: tuple[Record | Group, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    header: Header = NO_HEADER
    comments: tuple[Comment, ...] = ()
    file: str = "-"


def records(document: Document) -> Iterator[Record]:
    """All the deals of a document in order, those in rubbers and matches too."""
    for item in document.items:
        yield from item.records if isinstance(item, Group) else (item,)


def lines_of(text: str) -> list[str]:
    """The lines of a text as places count them: only carriage returns and line feeds end a line."""
    return BREAK.split(text.removeprefix("\ufeff"))


def read_hand(pieces: Iterable[bytes], file: str = "-") -> list[Record | Group | Unreadable]:
    """What a file has in it, in its order; all that is wrong with a deal stands where that begins,
    and behind the deal what of it is read though it is written another way.

    `pieces` are the bytes of the file in any pieces, such as the open file.
    """
    document = read_document(b"".join(pieces), file)
    return sorted((*document.unreadable, *document.items), key=_line)


def _line(item: Record | Group | Unreadable) -> tuple[int, bool]:
    if isinstance(item, Unreadable):
        return (item.about or item).place.line, item.harmless
    return item.place.line, False


def read_document(data: bytes, file: str = "-") -> Document:
    """Read a file as it lies on the disk: UTF-8 with or without a mark, any line ends.

    What is not text gives a document that says so; nothing raises.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _not_text("This file is text in UTF-16. Save it as UTF-8.", "", file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"The byte {data[error.start]:02x} is not UTF-8. Save the file as UTF-8."
        if BINARY.search(data):
            said = "This is not text."
        elif error.end == len(data) and error.reason == "unexpected end of data":
            said = "The file is cut off in the middle of a letter."
        return _not_text(said, data[: error.start].decode("utf-8", "replace"), file)
    return read_text(text, file)


def _not_text(message: str, before: str, file: str) -> Document:
    """The document of a file that is no text behind what stands before a letter."""
    *lines, last = lines_of(before)
    place = Place(len(lines) + 1, len(last) + 1, len(lines) + 1, len(last) + 2)
    wrong = Unreadable("notation.not-text", message, file, place)
    return Document(unreadable=(wrong,), file=file)


def read_text(text: str, file: str = "-") -> Document:
    """Read a text in our own notation. What cannot be read is in the document; nothing raises."""
    if control := CONTROL.search(text):
        said = "This is not text: it has control characters in it."
        return _not_text(said, text[: control.start()], file)
    reading, number = FileReader(file, divided=DEAL.search(text) is not None), 1
    for block in blocks(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        reading.block(number, block)
        number += block.count("\n") + 1
        if reading.over:
            break
    reading.finish(empty=not text.strip("\ufeff \t\r\n"))
    return _document(reading.root, tuple(reading.unreadable), file)


def read_deal(
    lines: Sequence[tuple[int, str]], file: str
) -> tuple[Record | None, tuple[Unreadable, ...]]:
    """The deal that lines of a file in another notation state, and what of them is unreadable.

    `lines` are numbers and texts, one at least. The id is empty where they do not begin with
    `deal`. A line that cannot be read, or belongs to no deal, leaves no record.
    """
    reading = FileReader(file)
    named = lines[0][1].split()[:1] == ["deal"]
    if not named:
        reading.line(lines[0][0], 'deal ""')
    for number, text in lines:
        reading.line(number, text)
    reading.finish(empty=False)
    unreadable, scopes = tuple(reading.unreadable), reading.root.scopes
    if len(scopes) > 1:
        said = "Only the statements of one deal belong here."
        place = scopes[1].place
        unreadable = (*unreadable, Unreadable("notation.misplaced", said, file, place))
    if not scopes or any(not u.harmless for u in unreadable):
        return None, unreadable
    record = _record(scopes[0], NO_HEADER, file)
    return (record if named else replace(record, id="")), unreadable


# --- the statements of a file put together --------------------------------------------------------

FIELDS = {
    **{f"standing {column}": f"standing_{column}" for column in ("games", "trick", "honour")},
    **{w: w for w in "dealer vulnerable tray table playing declaration result game".split()},
}
"""Statements whose value is a field of a record as it is."""
OVER = {"declaration": "bidding", "play": "bidding"} | dict.fromkeys(
    ("more", "result", "honours", "chicane", "score", "game"), "play"
)
"""What of a deal is over where a statement stands."""


def _document(root: Scope, unreadable: tuple[Unreadable, ...], file: str) -> Document:
    header, comments = _header(root.lines)
    items: list[Record | Group] = []
    for scope in root.scopes:
        if scope.kind != "deal":
            items.append(_group(scope, header, file))
        elif not scope.errors:
            items.append(_record(scope, header, file))
    comments = _comments(root.start, ("start",)) + comments + _comments(root.end, ("end",))
    return Document(tuple(items), unreadable, header, tuple(comments), file)


def _comments(
    remarks: Iterable[Remark | None], anchor: Item, where: str = "before"
) -> list[Comment]:
    return [Comment(r.text, anchor, where, r.place) for r in remarks if r]


def _around(line: StatementLine, first: Item, last: Item | None = None) -> list[Comment]:
    return _comments(line.before, first) + _comments([line.after], last or first, "after")


def _header(lines: Iterable[StatementLine]) -> tuple[Header, list[Comment]]:
    options, tags, comments = list[Any](), list[Any](), list[Comment]()
    once: dict[str, Any] = {}
    for line in lines:
        word, value = line.statement.word, line.statement.value
        anchor: Item = (word,)
        if word in ("option", "reading"):
            anchor = ("option", len(options))
            options.append(value)
        elif word == "tag":
            anchor = (word, len(tags))
            tags.append(value)
        elif word in HEADER:
            once[word] = value
        else:
            continue
        comments += _around(line, anchor)
    return replace(Header(), options=tuple(options), tags=tuple(tags), **once), comments


def _group(scope: Scope, above: Header, file: str) -> Group:
    own, comments = _header(scope.lines)
    fields: dict[str, Any] = {}
    for line in scope.lines:
        word, value = line.statement.word, line.statement.value
        if word == "total":
            fields["total" if isinstance(value, SideFigures) else "team_totals"] = value
        elif word == "won":
            fields["won_by"], fields["points"] = value
        elif word == "unfinished":
            fields["unfinished"], fields["retired"] = value
        if word in CLOSING:
            comments += _around(line, (word,))
    if scope.opening:
        comments = _around(scope.opening, (scope.kind,)) + comments
    comments += _comments(scope.end, ("end",)) + _comments([scope.after_end], ("end",), "after")
    whole = own.below(above)
    return Group(
        scope.kind,
        scope.opening.statement.value if scope.opening else None,
        tuple(_record(s, whole, file) for s in scope.scopes if not s.errors),
        tags=own.tags,
        players=own.players,
        sides=own.sides,
        code=own.code,
        options=own.options,
        comments=tuple(comments),
        place=scope.place,
        unread=tuple(s.stated_name for s in scope.scopes if s.errors),
        **fields,
    )


def _record(scope: Scope, above: Header, file: str) -> Record:
    """One deal; the comments keep what they belong to in `Comment.anchor`."""
    if scope.plain:
        return _in_numbers(scope, scope.plain, above, file)
    own, comments = _header(scope.lines)
    if scope.opening:
        _, title = scope.opening.statement.value
        if title is not None:
            # The title stands on the first line, so it is the first tag; the others' anchors move.
            own = replace(own, tags=(("title", title), *own.tags))
            comments = [
                replace(c, anchor=("tag", int(c.anchor[1]) + 1)) if c.anchor[0] == "tag" else c
                for c in comments
            ]
        comments = _around(scope.opening, ("deal",)) + comments
    deal = _Deal()
    for line in scope.lines:
        if line.statement.word not in HEADER:
            deal.take(line)
    comments += deal.comments + _comments(scope.end, ("end",))
    whole = own.below(above)
    return Record(
        scope.name,
        file,
        scope.place,
        code=whole.code,
        options=whole.options,
        tags=whole.tags,
        players=whole.players,
        sides=whole.sides,
        comments=tuple(comments),
        own=None if above == NO_HEADER else own,
        **deal.fields(),
    )


def _in_numbers(scope: Scope, plain: PlainDeal, above: Header, file: str) -> Record:
    """A plain deal with its numbers, and all else left for later."""
    whole = above
    if plain.header:
        whole = _header(map(StatementLine, plain.header))[0].below(above)

    def made() -> Record:
        reading = FileReader(file)
        for number, line in enumerate(plain.text.split("\n"), scope.place.line):
            reading.line(number, line)
        return _record(reading.root.scopes[0], above, file)

    return in_numbers(
        made, scope.name, file, scope.place, plain.numbers, code=whole.code, options=whole.options
    )


class _Deal:
    """The statements of one deal as they come."""

    def __init__(self) -> None:
        self.facts: dict[str, object] = {}
        self.comments: list[Comment] = []
        self.calls: list[Call] = []
        self.tricks: list[Trick] = []
        self.claims: list[TableClaim] = []
        self.incidents: list[Incident] = []
        self.several: dict[str, list[object]] = {"honours": [], "chicane": [], "score": []}
        self.hands: list[tuple[Seat, Hand]] = []
        self.columns: Seat | None = None
        self.target = ""
        self.over: str | None = None

    def take(self, line: StatementLine) -> None:
        """Take one statement and its comments."""
        word, value = line.statement.word, line.statement.value
        first: Item = (word,)
        last: Item | None = None
        target = ""
        if word in OVER and self.over != "play":
            self.over = OVER[word]
        if word in FIELDS:
            self.facts[FIELDS[word]] = value
        elif word == "hand":
            self.hands.append(value)
            first = ("hands", value[0].value)
        elif word == "bidding":
            self.facts["bidding"], self.facts["bidding_from"] = (), value
        elif word == "calls":
            target, first = "bidding", ("bidding", len(self.calls))
            self.calls += value
            last = ("bidding", len(self.calls) - 1)
        elif word == "play":
            self.facts["play"], self.columns = (), value
        elif word == "trick":
            target, first = "play", ("play", len(self.tricks))
            if self.columns:
                value = Trick(value.cards, value.leader, self.columns, value.place)
            self.tricks.append(value)
        elif word == "claim":
            target, first = "claims", ("claims", len(self.claims))
            self.claims.append(replace(value, after_trick=len(self.tricks)))
        elif word == "more":
            self.facts["more_play"] = True
        elif word == "irregularity":
            target, first = self.target, self._irregular(value)
        elif word in self.several:
            many = self.several[word]
            first = (word, len(many))
            many += value if word == "score" else (value,)
            last = (word, len(many) - 1)
        self.target = target
        if line.before or line.after:
            self.comments += _around(line, first, last)

    def _irregular(self, incident: Incident) -> Item:
        """An irregularity belongs to the call, card or claim above it, or else to the deal."""
        if self.target == "play":
            trick = self.tricks[-1]
            card = replace(trick.cards[-1], incidents=(*trick.cards[-1].incidents, incident))
            self.tricks[-1] = replace(trick, cards=(*trick.cards[:-1], card))
            return ("play", len(self.tricks) - 1, "irregularity", len(card.incidents) - 1)
        if self.target == "bidding":
            call = self.calls[-1]
            self.calls[-1] = replace(call, incidents=(*call.incidents, incident))
            return ("bidding", len(self.calls) - 1, "irregularity", len(call.incidents))
        if self.target:
            claim = self.claims[-1]
            self.claims[-1] = replace(claim, incidents=(*claim.incidents, incident))
            return ("claims", len(self.claims) - 1, "irregularity", len(claim.incidents))
        self.incidents.append(replace(incident, after=self.over))
        return ("irregularity", len(self.incidents) - 1)

    def fields(self) -> dict[str, Any]:
        """The fields of the record."""
        several = {"bidding": tuple(self.calls), "play": tuple(self.tricks)}
        return {
            **self.facts,
            **{name: many for name, many in several.items() if name in self.facts},
            "hands": tuple(sorted(self.hands, key=lambda held: SEATS.index(held[0]))),
            "table_claims": tuple(self.claims),
            "incidents": tuple(self.incidents),
            "honours": tuple(self.several["honours"]),
            "chicane": tuple(self.several["chicane"]),
            "scores": tuple(self.several["score"]),
        }
