"""The statements of a file put together: records, groups, what holds for many deals, comments in their places.

Nothing can fail here: what could not be read, was twice or stood in the wrong place never came this far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from oddtrick.record.hand.scopes import CLOSING, HEADER, Line, Remark, Scope
from oddtrick.record.model import (
    Call,
    Comment,
    Group,
    Header,
    Incident,
    Item,
    Record,
    Stated,
    TableClaim,
    Trick,
)

FIELDS = {
    "dealer": "dealer",
    "standing games": "standing_games",
    "standing trick": "standing_trick",
    "standing honour": "standing_honour",
    "vulnerable": "vulnerable",
    "tray": "tray",
    "table": "table",
    "playing": "playing",
    "declaration": "declaration",
    "result": "result",
    "game": "game",
}
"""Statements whose value is a field of a record as it is."""
OVER = {"declaration": "bidding", "play": "bidding"} | dict.fromkeys(
    ("more", "result", "honours", "chicane", "score", "game"), "play"
)
"""What of a deal is over where a statement stands."""
Assembled = tuple[tuple[Record | Group, ...], Header, tuple[Comment, ...], tuple[Stated[str], ...]]


def assembled(root: Scope, file: str) -> Assembled:
    """The items of a file, its header, the comments outside them, and the names of damaged deals."""
    header, comments = _header(root.lines)
    items: list[Record | Group] = []
    unread: list[Stated[str]] = []
    for scope in root.scopes:
        if scope.kind != "deal":
            group = _group(scope, header, file)
            items.append(group)
            unread += group.unread
        elif scope.errors:
            unread.append(scope.stated_name)
        else:
            items.append(_record(scope, header, file))
    comments = _comments(root.start, ("start",)) + comments + _comments(root.end, ("end",))
    return tuple(items), header, tuple(comments), tuple(unread)


def _comments(
    remarks: Iterable[Remark | None], anchor: Item, where: str = "before"
) -> list[Comment]:
    return [Comment(r.text, anchor, where, r.place) for r in remarks if r]


def _around(line: Line, first: Item, last: Item | None = None) -> list[Comment]:
    return _comments(line.before, first) + _comments([line.after], last or first, "after")


def _header(lines: Iterable[Line]) -> tuple[Header, list[Comment]]:
    header, comments = Header(), []
    for line in lines:
        word, value = line.statement.word, line.statement.value
        anchor: Item = (word,)
        if word == "option":
            anchor = (word, len(header.options))
            header = replace(header, options=(*header.options, value))
        elif word == "tag":
            anchor = (word, len(header.tags))
            header = replace(header, tags=(*header.tags, value))
        elif word in HEADER:
            header = replace(header, **{word: value})
        else:
            continue
        comments += _around(line, anchor)
    return header, comments


def _group(scope: Scope, above: Header, file: str) -> Group:
    own, comments = _header(scope.lines)
    fields: dict[str, Any] = {}
    for line in scope.lines:
        word, value = line.statement.word, line.statement.value
        if word == "total":
            fields["total"] = value
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
    """One deal; the comments keep the place of what they belong to in `Comment.anchor`."""
    own, comments = _header(scope.lines)
    if scope.opening:
        _, title = scope.opening.statement.value
        if title is not None:
            # The title stands on the first line, so it is the first tag, and the anchors of the others move.
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
        own=None if above == Header() else own,
        **deal.fields(),
    )


class _Deal:
    """The statements of one deal as they come."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.comments: list[Comment] = []
        self.calls: list[Call] = []
        self.tricks: list[Trick] = []
        self.claims: list[TableClaim] = []
        self.incidents: list[Incident] = []
        self.several: dict[str, list[Any]] = {"honours": [], "chicane": [], "score": []}
        self.hands: list[tuple[Any, Any]] = []
        self.columns: Any = None
        self.target = ""
        self.over: str | None = None

    def take(self, line: Line) -> None:
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
            first, last = (
                ("bidding", len(self.calls)),
                ("bidding", len(self.calls) + len(value) - 1),
            )
            self.calls += value
            target = "bidding"
        elif word == "play":
            self.facts["play"], self.columns = (), value
        elif word == "trick":
            first = ("play", len(self.tricks))
            self.tricks.append(replace(value, columns_from=self.columns) if self.columns else value)
            target = "play"
        elif word == "claim":
            first = ("claims", len(self.claims))
            self.claims.append(replace(value, after_trick=len(self.tricks)))
            target = "claims"
        elif word == "more":
            self.facts["more_play"] = True
        elif word == "irregularity":
            first = self._irregular(value)
            target = self.target
        elif word in self.several:
            many = self.several[word]
            items = value if word == "score" else (value,)
            first, last = (word, len(many)), (word, len(many) + len(items) - 1)
            many += items
        self.target = target
        if line.before or line.after:
            self.comments += _around(line, first, last)

    def _irregular(self, incident: Incident) -> Item:
        """An irregularity belongs to the call, the card or the claim above it, or else to the deal."""
        if self.target == "bidding":
            call = self.calls[-1]
            self.calls[-1] = replace(call, incidents=(*call.incidents, incident))
            return ("bidding", len(self.calls) - 1, "irregularity", len(call.incidents))
        if self.target == "play":
            trick = self.tricks[-1]
            card = replace(trick.cards[-1], incidents=(*trick.cards[-1].incidents, incident))
            self.tricks[-1] = replace(trick, cards=(*trick.cards[:-1], card))
            return ("play", len(self.tricks) - 1, "irregularity", len(card.incidents) - 1)
        if self.target == "claims":
            claim = self.claims[-1]
            self.claims[-1] = replace(claim, incidents=(*claim.incidents, incident))
            return ("claims", len(self.claims) - 1, "irregularity", len(claim.incidents))
        self.incidents.append(replace(incident, after=self.over))
        return ("irregularity", len(self.incidents) - 1)

    def fields(self) -> dict[str, Any]:
        """The fields of the record."""
        facts = dict(self.facts)
        if "bidding" in facts:
            facts["bidding"] = tuple(self.calls)
        if "play" in facts:
            facts["play"] = tuple(self.tricks)
        return facts | {
            "hands": tuple(sorted(self.hands, key=lambda h: "NESW".index(h[0].value))),
            "table_claims": tuple(self.claims),
            "incidents": tuple(self.incidents),
            "honours": tuple(self.several["honours"]),
            "chicane": tuple(self.several["chicane"]),
            "scores": tuple(self.several["score"]),
        }
