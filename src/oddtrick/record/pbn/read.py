"""PBN files as the records that the judge's irregular part still reads.

A game's own tags and sections are read by `reader`. The statements of `.hand` behind the tag
`OddtrickHand` are read by `hand` and take the place of what PBN says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import BinaryIO, TypeVar

from oddtrick.cards import SEATS, Side
from oddtrick.record.adapter import record_of, unreadable_of
from oddtrick.record.deal import Deal, Source
from oddtrick.record.hand.read import read_deal
from oddtrick.record.model import Comment, Record, Stated, Unreadable
from oddtrick.record.pbn.games import DATA, Game, games_of, sources, texts
from oddtrick.record.pbn.reader import HAND, TAG_NAMES, State, read_game

T = TypeVar("T")

_OF_RECORD = Record("")
_STATED = tuple(
    f.name
    for f in fields(Record)
    if f.name not in "id file place tags players sides incidents comments kept assumed own".split()
)
"""The fields in which a statement of `.hand` takes the place of what PBN says."""
_NAMED = re.compile(r"deal ((?:board|record) .*)")


def lines_of(data: bytes) -> Sequence[str]:
    """The lines of a PBN file as places count them."""
    return "".join(texts([data])).split("\n")


def read_pbn(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Record | Unreadable]:
    """The records of a PBN file in order, each followed by what of it is unreadable.

    `pieces` are any pieces of the file, or the open file. What cannot be read is `about` the record
    before it, and about `None` where the text is no record. Memory does not grow with the file; bad
    text never raises.
    """
    state = State()
    for source, games in sources(pieces, file):
        yield from _records(games, source, state)


def read_piece(source: Source, state: State) -> Iterator[Record | Unreadable]:
    """What `read_pbn` gives of a text of whole games, read on from a state."""
    return _records(games_of(source.text), source, state.copy())


def _records(games: Iterable[Game], source: Source, state: State) -> Iterator[Record | Unreadable]:
    for game in games:
        found: list[Unreadable] = []
        statements = _statements(game, source) if HAND in game.tags else ()
        for item in read_game(game, source, state):
            if not isinstance(item, Deal):
                yield unreadable_of(item)
            elif statements:
                record, found = _with_statements(record_of(item), statements)
                yield record
            else:
                yield record_of(item)
        yield from found


def _statements(game: Game, source: Source) -> Sequence[tuple[int, str]]:
    """The lines behind the tag of statements, by their numbers; each word in its column."""
    lines: list[tuple[int, str]] = []
    for current, token in game.rest:
        if current == HAND and token.lastindex == DATA:
            line, column, *_ = source.place(token.span())
            texts = (" " * (column - 1) + token[0]).split("\n")
            lines += enumerate(texts, line)
    return lines


def _with_statements(
    said: Record, lines: Sequence[tuple[int, str]]
) -> tuple[Record, list[Unreadable]]:
    """The record with what statements of `.hand` say, and what of these cannot be read.

    Tags and irregularities are added to PBN's.
    """
    own, unreadable = read_deal(lines, said.file)
    if own is None:
        about = Stated(said.id, said.place)
        return said, [replace(u, about=about) for u in unreadable]
    stated = {n: v for n in _STATED if (v := getattr(own, n)) != getattr(_OF_RECORD, n)}
    if own.bidding is not None:
        stated["bidding_from"] = own.bidding_from
    if own.play is not None:
        stated |= {"more_play": own.more_play, "table_claims": own.table_claims}
    named = _NAMED.fullmatch(own.id)
    # The writer made the tag Board from the number of the deal.
    board = ("Board", own.id.removeprefix("deal "))
    tags = (*(t for t in said.tags if t != board), *own.tags)
    play = stated.get("play", said.play) or ()
    ordered = any(t.columns_from is None for t in play)
    names: dict[str, int] = {}
    for index, (name, _) in enumerate(tags):
        names.setdefault(name.lower(), index)
    comments = [_anchored(c, said.tags, names, ordered) for c in said.comments]
    record = replace(
        said,
        id=(named[1] if named else own.id) or said.id,
        tags=tags,
        players=_by_order(SEATS, said.players, own.players),
        sides=_by_order(Side, said.sides, own.sides),
        incidents=said.incidents + own.incidents,
        comments=tuple(
            sorted([*comments, *own.comments], key=lambda c: (c.place.line, c.place.column))
        ),
        **stated,
    )
    about = Stated(record.id, record.place)
    return record, [replace(u, about=about) for u in unreadable]


def _by_order(order: Iterable[T], *names: Iterable[tuple[T, str]]) -> tuple[tuple[T, str], ...]:
    """Names in an order; the last counts of one who is named twice."""
    found = {who: name for many in names for who, name in many}
    return tuple((who, found[who]) for who in order if who in found)


def _anchored(
    comment: Comment, before: Sequence[tuple[str, str]], names: Mapping[str, int], ordered: bool
) -> Comment:
    """A comment of PBN's in the record whose tags have these names; it had the tags `before`.

    `ordered` means that the play does not stand in PBN's columns.
    """
    kind, *rest = comment.anchor
    if kind == "play" and ordered:
        return replace(comment, anchor=comment.anchor[:2])
    if kind not in ("tag", "pbn"):
        return comment
    named = before[int(rest[0])][0] if kind == "tag" else str(rest[0])
    ours = TAG_NAMES.get(named, named).lower()
    return replace(comment, anchor=("tag", names[ours])) if ours in names else comment
