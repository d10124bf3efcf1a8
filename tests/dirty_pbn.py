"""A PBN archive with known faults of many kinds, generated from a seed.

Every other game of `plain_games` gets a fault of one kind of `KINDS`. The finding to be expected,
and its position, are noted as the fault is made. Most kinds of fault can be read without loss, and
lead to no finding.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import plain_games
from oddtrick.judge.check import check
from oddtrick.judge.finding import Severity
from oddtrick.law.yaml import read as read_yaml
from oddtrick.record.deal import Deal
from oddtrick.record.pbn.read import read_pbn
from plain_games import CODE

ALARMS = (Severity.UNREADABLE, Severity.IRREGULAR, Severity.DISPUTED, Severity.SILENT)

Lines = list[str]
Dirt = tuple[str, int, int]
"""A finding: the rule, the line, and the column from 1."""
Marks = list[tuple[str, int, str]]
"""A finding within a game: the rule, empty if nothing is to be found; the index of the line; the
text that begins at the position.
"""


class Kind(NamedTuple):
    """A kind of fault: the games to which it applies (`any`, `passed` or `played`), and how it is
    made.
    """

    games: str
    make: Callable[[Lines], Marks]


def tag(lines: Lines, name: str) -> int:
    """The line of a tag."""
    return next(i for i, line in enumerate(lines) if line.startswith(f"[{name} "))


def written(name: str, value: str, broken: str, text: str | None = None) -> Kind:
    """A tag with another value."""

    def make(lines: Lines) -> Marks:
        at = tag(lines, name)
        lines[at] = f'[{name} "{value}"]'
        return [(broken, at, text or f'{value}"')]

    return Kind("any", make)


def added(line: str, broken: str, text: str, behind: str = "Scoring") -> Kind:
    """Add a line after a tag."""

    def make(lines: Lines) -> Marks:
        at = tag(lines, behind) + 1
        lines.insert(at, line)
        return [(broken, at, text)]

    return Kind("any", make)


def table(heading: str, row: str, broken: str, text: str) -> Kind:
    """Add a table at the end of the game."""

    def make(lines: Lines) -> Marks:
        lines += [heading, row]
        at = len(lines) - 1 if text in row else len(lines) - 2
        return [(broken, at, text)]

    return Kind("any", make)


def called(old: str, new: str, broken: str, text: str) -> Kind:
    """Replace a word in the first row of the auction of a game that was passed out."""

    def make(lines: Lines) -> Marks:
        at = tag(lines, "Auction") + 1
        lines[at] = lines[at].replace(old, new, 1)
        return [(broken, at, text)]

    return Kind("passed", make)


def first_card(new: str, broken: str, text: str) -> Kind:
    """Add something after the first card of the play."""

    def make(lines: Lines) -> Marks:
        at = tag(lines, "Play") + 1
        lines[at] = f"{lines[at][:2]} {new}{lines[at][2:]}"
        return [(broken, at, text)]

    return Kind("played", make)


def deal_spaced(lines: Lines) -> Marks:
    """Put two spaces between two hands."""
    at = tag(lines, "Deal")
    lines[at] = lines[at].replace(" ", "  ").replace("  ", " ", 1)[:30] + lines[at][29:]
    hand = lines[at].index(" ", 7)
    lines[at] = lines[at][:hand] + " " + lines[at][hand:]
    return [("", at, lines[at][hand : hand + 6])]


def dealt_twice(lines: Lines) -> Marks:
    """Replace the first card of the second hand by the first card of the first."""
    at = tag(lines, "Deal")
    first, second = lines[at][9:].split('"')[0].split()[:2]
    suit = next(i for i in range(4) if first.split(".")[i] and second.split(".")[i])
    one, other = first.split("."), second.split(".")
    one[suit] = other[suit][0] + one[suit][1:]
    lines[at] = lines[at].replace(first, ".".join(one), 1)
    column = lines[at].index(second) + sum(len(s) + 1 for s in second.split(".")[:suit])
    return [("deal.card-twice", at, lines[at][column:])]


def too_many_tricks(lines: Lines) -> Marks:
    """A result that contradicts the cards of a complete play."""
    at = tag(lines, "Result")
    tricks = int(lines[at].split('"')[1])
    lines[at] = f'[Result "{(tricks + 1) % 14}"]'
    return [("score.tricks", at, f'{(tricks + 1) % 14}"')]


def other_contract(lines: Lines) -> Marks:
    """A contract to which the calls do not lead."""
    at = tag(lines, "Contract")
    value = lines[at].split('"')[1]
    value = f"{int(value[0]) % 7 + 1}{value[1:]}"
    lines[at] = f'[Contract "{value}"]'
    return [("declaring.wrong-declaration", at, value)]


def unclosed(lines: Lines) -> Marks:
    """A comment that is never closed, before an empty line and the next game."""
    lines.append("{ more next week")
    return [("notation.pbn-comment", len(lines) - 1, "{ more")]


def run_on(lines: Lines) -> Marks:
    """No empty line before the next game."""
    return [("", len(lines), "[Event")]


def torn(lines: Lines) -> Marks:
    """An empty line among the tags."""
    at = tag(lines, "Deal")
    lines.insert(at, "")
    return [("", at, "")]


def two_notes(lines: Lines) -> Marks:
    """Two notes on a card, both explained."""
    at = tag(lines, "Play") + 1
    lines[at] = f"{lines[at][:2]} =1= =2={lines[at][2:]}"
    lines += ['[Note "1:the fourth best"]', '[Note "2:of five"]']
    return [("", at, "=2=")]


MADE = {f.__name__: f for f in (written, added, table, called, first_card)}
SPECIAL = (
    deal_spaced,
    dealt_twice,
    too_many_tricks,
    other_contract,
    unclosed,
    run_on,
    torn,
    two_notes,
)
MAKERS = {f.__name__: f for f in SPECIAL}


def kind_of(how: str, *given: str) -> Kind:
    """A kind of fault as described in `dirty_pbn.yaml`."""
    return MADE[how](*given) if how in MADE else Kind(how, MAKERS[given[0]])


KINDS = {
    name: kind_of(*row)
    for name, row in read_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8")).items()
}


def clean_games() -> list[Lines]:
    """The original games, each as its lines."""
    games = plain_games.pbn().strip().split("\n\n")
    return [[x for x in g.splitlines() if x[:1] != "%"] for g in games]


def fits(kind: Kind, lines: Lines) -> bool:
    """Whether a kind of fault can be made in a game."""
    passed = '[Contract "Pass"]' in lines
    if kind.games in ("played", "whole"):
        return not passed and (kind.games == "played" or lines[-1] != "*")
    return kind.games == "any" or passed


def archive(games: int, seed: int) -> tuple[bytes, list[Dirt]]:
    """The file, and everything that is to be found in it, in the order of the lines."""
    random, clean = Random(seed), clean_games()
    out: list[str] = []
    dirt: list[Dirt] = []
    names = list(KINDS)
    for number in range(games):
        kind = None if number % 2 else KINDS[names[number // 2 % len(names)]]
        lines = list(random.choice([g for g in clean if not kind or fits(kind, g)]))
        lines[tag(lines, "Board")] = f'[Board "{number + 1}"]'
        marks = kind.make(lines) if kind else []
        lines += [""] * all(row < len(lines) for _, row, _ in marks)
        for broken, row, text in marks:
            if broken:
                dirt.append((broken, len(out) + row + 1, lines[row].index(text) + 1))
        out += lines
    return "\n".join(out).encode("latin-1"), dirt


def found(data: bytes) -> Iterator[Dirt]:
    """The findings of the program."""
    for item in read_pbn([data]):
        if isinstance(item, Deal):
            for one in check(item, CODE).findings:
                if one.severity in ALARMS and not one.rule.startswith("notation."):
                    yield one.rule, one.place.line, one.place.column
        else:
            yield item.rule, item.place.line, item.place.column


def compared(games: int, seed: int) -> tuple[list[Dirt], list[Dirt]]:
    """The findings that were missed, and those that were not expected."""
    data, dirt = archive(games, seed)
    want, got = Counter(dirt), Counter(found(data))
    return sorted((want - got).elements()), sorted((got - want).elements())
