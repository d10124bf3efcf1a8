"""What of a PBN game is not in export format, where the file says that it is (`% EXPORT`).

Import format lets the order of tags, the lines and the letters be as they come; export format, for
files that programs write, does not. The ends of lines are not looked at: who copies a file changes
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from oddtrick.cards import SEAT_OF
from oddtrick.record.model import Place
from oddtrick.record.pbn.cut import MANDATORY
from oddtrick.record.pbn.extension import PREFIX
from oddtrick.record.pbn.game import Game, Violation
from oddtrick.record.pbn.plain import Layout
from oddtrick.record.pbn.sections import lines_in
from oddtrick.record.pbn.standard import (
    SECTIONS,
    Section,
    Word,
    has_table,
    in_place,
    is_table,
    words,
)
from oddtrick.record.pbn.values import UNKNOWN, plain_deal, seat_of

if TYPE_CHECKING:
    from oddtrick.record.pbn.tags import Tag

EXPORT = "notation.pbn-export"
SAYS = re.compile(rb"^%[ \t]*EXPORT\b", re.MULTILINE)
"""How a file says that it has export format."""
ROW = 4
"""The calls or cards of a line."""

_PAIR = re.compile(r'\[\w+ "(?:[^"\\]|\\.)*"\]')
_NAMED = re.compile(r"^\[(\w+) ", re.MULTILINE)
_UPPER = "Dealer Declarer Contract Auction Play".split()
_SUIT = "A?K?Q?J?T?9?8?7?6?5?4?3?2?"
_DEALT = re.compile(rf"(?:[ .-]|{_SUIT}(?=[ .]|\Z))*")
_OTHERWISE = frozenset("Love love - Both both none all".split())
_PASS = ("Pass", "pass")
_ALL = frozenset(MANDATORY)


def _plain(word: str) -> re.Pattern[str]:
    """Lines of four words, the last of as many as are left, and the mark of the end.

    Those with one space between two words, which nearly all have, are looked for first.
    """
    row = rf"(?>{word} ++{word} ++{word} ++{word} *+)(?:\n|\Z)"
    nearly = rf"(?:{word} {word} {word} {word}\n)*+"
    return re.compile(rf"{nearly}(?:{row})*+(?:{word} *+){{0,4}}+\n?[*+]?\s*")


_ROWS = {
    "Auction": _plain(r"(?:Pass|[1-7](?:NT|[SHDC])|XX?+|AP)"),
    "Play": _plain("(?:[SHDC][AKQJT2-9]|-)"),
}


def not_in_export_format(game: Game) -> Iterator[Violation]:
    """Where a game breaks export format, with the section of PBN 2.1 that has the rule."""
    if not (game.plain and game.plain.printed and _is_in_order(game.plain.layout)):
        stated = _stated(game)
        yield from _pairs(game, stated)
        yield from _order(game, stated)
    yield from _values(game)
    for section in SECTIONS:
        if not _in_rows(section.name, game):
            yield from _rows(section, game.tags[section.name], game)
        yield from _first(section, game)
    if game.plain and not has_table(game.plain.layout):
        return
    for tag in _stated(game):
        if tag.name.endswith("Table") and tag.body and not tag.name.startswith(PREFIX):
            yield from _table(tag, game)


def _stated(game: Game) -> Sequence[Tag]:
    """The tags that stand in the lines of a game."""
    return [tag for tag in game.own.values() if tag.column > 1]


@lru_cache(1000)
def _is_in_order(layout: Layout) -> bool:
    """Whether all mandatory tags are there, and all are in their order."""
    return _ALL.issubset(layout.names) and [*layout.names] == _in_order(layout.names)


def _in_rows(name: str, game: Game) -> bool:
    """Whether a section is not there, or stands in rows of four and has nothing else in it."""
    if game.plain:
        at = game.plain.layout.index.get(name)
        lines = "" if at is None else game.plain.lines(at)
        return at is None or (bool(lines) and _ROWS[name].fullmatch(lines) is not None)
    tag = game.tags.get(name)
    return tag is None or bool(len(tag.body) == 1 and _ROWS[name].fullmatch(tag.body[0]))


def _said(section: str, message: str, place: Place) -> Violation:
    return Violation(section, EXPORT, f"{message} in export format.", place)


def _pairs(game: Game, stated: Sequence[Tag]) -> Iterator[Violation]:
    """Tabs, tags that do not stand alone on a line as they are written, tags that stand twice."""
    if "\t" in game.text:
        for number, line in enumerate(game.text.split("\n"), game.first):
            if "\t" in line and not line.startswith("%"):
                column = line.index("\t") + 1
                yield _said("2.3", "No tab stands", Place(number, column, number, column + 1))
                break
    if any(tag.written for tag in stated):
        lines, before = game.text.split("\n"), 0
        for tag in stated:
            if tag.line != before and not _PAIR.fullmatch(lines[tag.line - game.first].rstrip()):
                yield _said("3.3", 'A tag stands alone on its line as [Name "value"]', tag.place)
            before = tag.line
    if f"\n{game.text}".count("\n[") > len(stated) and "{" not in game.text:
        names: set[str] = set()
        for found in _NAMED.finditer(game.text):
            if found[1] in names and found[1] != "Note":
                row = game.text.count("\n", 0, found.start()) + game.first
                place = Place(row, 1, row, len(found[0]) + 1)
                yield _said("3.4", f"The tag {found[1]} stands once", place)
            names.add(found[1])


def _order(game: Game, stated: Sequence[Tag]) -> Iterator[Violation]:
    """The mandatory tags in their order, the others by the alphabet, auction, play, tables."""
    placed = [tag for tag in stated if tag.name != "Note"]
    wanted = _in_order(tuple(tag.name for tag in placed))
    for tag, name in zip(placed, wanted, strict=True):
        if tag.name != name:
            section = "3.1" if tag.name in _ROWS or is_table(tag.name) else "3.4"
            yield _said(section, f"The tag {name} stands before the tag {tag.name}", tag.place)
            break
    left = ", ".join(name for name in MANDATORY if name not in game.own)
    if placed and left:
        yield _said("3.4", f"No mandatory tag is left out (here: {left})", placed[0].place)


@lru_cache(maxsize=64)
def _in_order(names: Sequence[str]) -> Sequence[str]:
    """The names of tags as export format has them one behind the other."""
    own = sorted(n for n in names if n not in _ALL and n not in _ROWS)
    mandatory = [n for n in MANDATORY if n in names]
    sections = [n for n in _ROWS if n in names]
    tables = [n for n in own if is_table(n)]
    return [*mandatory, *(n for n in own if n not in tables), *sections, *tables]


def _values(game: Game) -> Iterator[Violation]:
    """Letters, and values that have one way to be written."""
    said = game.plain.said if game.plain else _said_by(game.own)
    letters = "".join([said(name) or "" for name in _UPPER])
    if letters != letters.upper():
        for name in _UPPER:
            if not _is_upper(said(name) or ""):
                yield _said("3.11", "Letters are capitals", game.place(name))
    if said("Vulnerable") in _OTHERWISE:
        yield _said("3.4.10", "Vulnerable is None, NS, EW or All", game.place("Vulnerable"))
    if (deal := said("Deal")) and deal not in UNKNOWN:
        yield from _deal(deal, game.said("Dealer"), game)
    if (said("Result") or "").startswith(("NS", "EW")):
        message = "The result is the number of the declarer's tricks"
        yield _said("3.4.15", message, game.place("Result"))


def _said_by(tags: Mapping[str, Tag]) -> Callable[[str], str | None]:
    """What each of some tags says."""
    return {name: tag.value for name, tag in tags.items()}.get


@lru_cache(1000)
def _is_upper(value: str) -> bool:
    return value in _PASS or value.upper() == value


def _deal(deal: str, dealer: str, game: Game) -> Iterator[Violation]:
    if deal.upper() != deal:  # no two deals are alike: nothing is kept of them
        yield _said("3.11", "Letters are capitals", game.place("Deal"))
    first, colon, hands = deal.partition(":")
    if dealer and colon and first.upper() != dealer.upper():
        yield _said("3.4.11", "The first hand is the dealer's", game.place("Deal"))
    if not plain_deal(deal) and not _DEALT.fullmatch(hands.upper()):
        message = "The ranks of a suit stand from the ace down"
        yield _said("3.4.11", message, game.place("Deal"))


# --- auction, play, tables ------------------------------------------------------------------------


def _rows(section: Section, tag: Tag, game: Game) -> Iterator[Violation]:
    """Who is first, how many stand on a line, and the order of what stands behind each."""
    data = [t for t in tag.body if t.kind == "DATA"]
    found = list(words(section, data, game.first - 1))
    yield from _marks(section, found)
    small = [w for w in found if w.kind == "word" and w.text not in ("Pass", w.text.upper())]
    if small:
        yield _said("3.11", "Letters are capitals", small[0].place)
    rows: dict[int, list[Word]] = {}
    for word in found:
        rows.setdefault(word.place.line, []).append(word)
    slots = [[w for w in row if in_place(w)] for row in rows.values()]
    bare = len(tag.body) == len(data) == 1 and not any(w.kind in _BEHIND for w in found)
    for index, row in enumerate(slots):
        short = bare and len(row) < ROW and any(slots[index + 1 :])
        if row and (len(row) > ROW or short):
            kind = "calls" if section.name == "Auction" else "cards"
            place = row[ROW if len(row) > ROW else 0].place
            yield _said(section.own, f"A line has four {kind}", place)
            break


_BEHIND = ("suffix", "note", "glyph")


def _first(section: Section, game: Game) -> Iterator[Violation]:
    """Whether the auction is written from the dealer on, the play from the declarer's left."""
    said, auction = game.plain.said if game.plain else game.said, section.name == "Auction"
    if _is_first(auction, said("Dealer" if auction else "Declarer"), said(section.name)):
        return
    who = "the dealer" if auction else "the player on the declarer's left"
    yield _said(section.own, f"The tag {section.name} names {who}", game.place(section.name))


@lru_cache(1000)
def _is_first(auction: bool, told: str | None, named: str | None) -> bool:
    """Whether a section begins with a player that it names, by the dealer or the declarer told."""
    seat = seat_of(told.removeprefix("^")) if told else None
    wanted = seat if auction or seat is None else seat.left
    return wanted is None or SEAT_OF.get((named or "").upper()) in (wanted, None)


def _marks(section: Section, found: Sequence[Word]) -> Iterator[Violation]:
    """A suffix for which a glyph stands, a note behind a glyph, glyphs out of their order."""
    last = -1
    for word in found:
        if word.kind == "suffix":
            yield _said(section.marks, f"A glyph stands for {word.text}", word.place)
        elif word.kind == "note" and last >= 0:
            yield _said(section.marks, "A note stands before the glyphs", word.place)
        elif word.kind == "glyph":
            number = int(word.text[1:6])
            if number < last:
                message = "Glyphs stand in the order of their numbers"
                yield _said(section.marks, message, word.place)
            last = number
        elif word.kind not in _BEHIND:
            last = -1


def _table(tag: Tag, game: Game) -> Iterator[Violation]:
    """Rows that do not stand each on a line; more than one space where no width asks for it."""
    columns = tag.value.split(";")
    for token in (t for t in tag.body if t.kind == "DATA"):
        for text, line, column in lines_in(token, game.first - 1):
            elements = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', text)
            place = Place(line, column, line, column + len(text))
            if elements and len(elements) != len(columns):
                yield _said("5.2", "Each row of a table stands on a line", place)
                return
            if "\\" not in tag.value and " ".join(elements) != text.rstrip():
                yield _said("5.1", "One space stands between two elements", place)
                return
