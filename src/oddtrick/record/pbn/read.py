"""Reads PBN files into deals, including embedded `.hand` statements.

`reader` reads the tags and sections of a game. The `.hand` statements after the tag `OddtrickHand`
are read by `hand`, and override what the PBN tags and sections state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, TypeVar

from oddtrick.cards import SEATS, Side
from oddtrick.record.deal import Deal, Event, Source, Unreadable
from oddtrick.record.hand.read import read_statements
from oddtrick.record.pbn.games import DATA, Game, games_of, sources
from oddtrick.record.pbn.reader import HAND, State, read_game

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
_NAMED = re.compile(r"deal ((?:board|record) .*)")


def read_pbn(pieces: Iterable[bytes] | BinaryIO, file: str = "-") -> Iterator[Deal | Unreadable]:
    """Yield the deals of a PBN file in order, each followed by its unreadable parts.

    `pieces` are chunks of the file of any size, or the open file. An `Unreadable` is `about` the
    deal before it, or about `None` if the text is not a game. Memory use does not grow with the
    file. Bad text never raises.
    """
    state, empty = State(), True
    for source, games in sources(pieces, file):
        yield from _deals(games, source, state)
        empty = empty and not games
    if empty:
        yield Unreadable("notation.empty", "There is no deal in this file.", Source(file, "pbn"))


def read_piece(source: Source, state: State) -> Iterator[Deal | Unreadable]:
    """Read a piece of a PBN file as `read_pbn` does, from the state at its beginning."""
    return _deals(games_of(source.text), source, state.copy())


def _deals(games: Iterable[Game], source: Source, state: State) -> Iterator[Deal | Unreadable]:
    for game in games:
        if HAND not in game.tags:
            yield from read_game(game, source, state)
            continue
        found: Sequence[Unreadable] = ()
        for item in read_game(game, source, state):
            if isinstance(item, Deal):
                deal, found = _with_statements(item, game)
                yield deal
            else:
                yield item
        yield from found


def _with_statements(deal: Deal, game: Game) -> tuple[Deal, Sequence[Unreadable]]:
    """The deal with its `.hand` statements applied, and those that cannot be read.

    Tags and irregularities are added to those of PBN. If any statement cannot be read, none is
    applied.
    """
    lines = [(start, end) for kind, name, start, end in game.rest if (kind, name) == (DATA, HAND)]
    if not lines:
        return deal, ()
    text = deal.source.text
    span = text.rfind("\n", 0, lines[0][0]) + 1, text.index("\n", lines[-1][1] - 1) + 1
    own, unreadable = read_statements(deal.source, span, deal.id)
    about = deal.id, deal.span
    if unreadable:
        return deal, [replace(u, about=about) for u in unreadable]
    stated = {n: v for n in _REPLACED if (v := getattr(own, n)) != getattr(_BLANK, n)}
    events = set[str]()
    for section, kind, written in (
        (BIDDING, "call", own.calls is not None),
        (PLAY, "card", own.cards is not None),
    ):
        if written:
            events.add(kind)
            stated |= {n: getattr(own, n) for n in section}
    named = _NAMED.fullmatch(own.id)
    # Our writer derives the Board tag from the number of the deal.
    board = ("Board", own.id.removeprefix("deal "))
    tags = (*(t for t in deal.tags if t != board), *own.tags)
    # If `.hand` states the play, a comment at a card belongs to its trick.
    ordered = "columns" in stated
    comments = [
        replace(c, anchor=c.anchor[:2]) if ordered and c.anchor[0] == "play" else c
        for c in deal.comments
    ]
    result = deal._replace(
        id=(named[1] if named else own.id) or deal.id,
        stated=(*own.stated, *deal.stated),
        tags=tags,
        players=_by_order(SEATS, deal.players, own.players),
        sides=_by_order(Side, deal.sides, own.sides),
        incidents=(*_of_others(deal.incidents, events), *own.incidents),
        remarks=(*_of_others(deal.remarks, events), *own.remarks),
        comments=tuple(sorted([*comments, *own.comments], key=lambda c: c.span)),
        **stated,
    )
    return result, ()


def _of_others(things: Iterable[T], events: set[str]) -> Iterator[T]:
    """Yield the incidents or remarks that do not concern an event of these kinds."""
    for thing in things:
        event: Event | None = getattr(thing, "event", None)
        if event is None or event.kind not in events:
            yield thing


def _by_order(order: Iterable[T], *names: Iterable[tuple[T, str]]) -> tuple[tuple[T, str], ...]:
    """Merge names in a given order; later names override earlier ones."""
    found = {who: name for many in names for who, name in many}
    return tuple((who, found[who]) for who in order if who in found)
