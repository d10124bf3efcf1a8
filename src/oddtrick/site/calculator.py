"""The pages that take a contract: "What does it score?" and "Keep a rubber".

On the first the reader chooses a contract, its result and the state of the rubber, and the page
shows the account under one code or under all. The figures, laws and words of every possible account
are computed here with the judge's own scoring (`score_table`). The script of the page (`score.js`)
only looks up the case and adds the points.

On the second the reader enters one deal after another, and the score sheet grows. Python in the
browser (`rubber_text`, in the worker of "Check a hand") judges the deals and draws the sheet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from typing import NamedTuple

from oddtrick.book.write_citation import cite
from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.finding import Entry
from oddtrick.judge.procedures import Final, at_nullo
from oddtrick.judge.score_parts import reaches_game
from oddtrick.judge.score_procedures import Account, Facts, Holding, Standing, counted_tricks
from oddtrick.law.book import book, column_name, judged_codes
from oddtrick.law.names import path_of
from oddtrick.law.rules import Rules
from oddtrick.report.check import COLUMNS, over_words
from oddtrick.report.contract_words import patterns
from oddtrick.report.messages import Wording
from oddtrick.report.score_table import (
    MOST_DOUBLED,
    NO_VOIDS,
    NOTHING,
    as_csv,
    chicanes,
    declarations,
    holdings,
    honour_words,
    states,
)
from oddtrick.report.under_codes import cannot
from oddtrick.report.words import degree_words, number_words
from oddtrick.site.template import gzipped, json_file, page

Json = dict[str, object]

WORDING = Wording(None, {Side.NS: "the declaring side", Side.EW: "the adversaries"})
"""Wording for a contract without named players: N-S is the declaring side."""

CHICANE = {
    (0, 0): "none",
    (1, 0): "the declaring side, single",
    (0, 1): "the adversaries, single",
    (2, 0): "the declaring side, double",
    (0, 2): "the adversaries, double",
    (1, 1): "both sides, single",
}


AFTER = ("game-bonus", "rubber-bonus")
"""The items of an account for a game won; the score before the deal counts towards it."""

Games = tuple[int, int]
"""The games won by the declaring side and by its adversaries."""

Held = tuple[Side, Holding]
"""The side that held honours that may count, and its holding."""


class Cell(NamedTuple):
    """The account of a declaration with a result, without honours and without what a game adds.

    `games` are those won by the declaring side. If `scorer` had at least `reached` points below the
    line before the deal, that side wins a game by it; `reached` is `None` if nobody can.
    """

    final: Final
    games: int
    tricks: int
    entries: tuple[Entry, ...]
    scorer: Side | None
    reached: int | None


def _indices() -> defaultdict[object, int]:
    """Values with their indices, numbered in order of first use."""
    return defaultdict(count().__next__)


@dataclass(slots=True)
class _Table:
    """The distinct laws, entries and cells of a table, each with its index."""

    laws: defaultdict[object, int] = field(default_factory=_indices)
    entries: defaultdict[object, int] = field(default_factory=_indices)
    cells: defaultdict[object, int] = field(default_factory=_indices)

    def numbers(self, entries: Iterable[Entry]) -> list[int]:
        """The indices of entries, which are stored as side, column, points, reason and laws."""
        return [self.entries[self._row(e)] for e in entries]

    def _row(self, entry: Entry) -> tuple[object, ...]:
        reason = ", ".join(map(WORDING.say, entry.reason))
        laws = tuple(self.laws[a] for a in dict.fromkeys((*entry.laws, *entry.readings)))
        return (int(entry.side is Side.EW), entry.column, entry.points, reason, laws)

    def cell(self, cell: Cell) -> int:
        """The index of a cell: its entries, the side that scores, and the points that the side
        needs below the line before the deal to win a game by it.
        """
        scorer = int(cell.scorer is Side.EW)
        return self.cells[tuple(self.numbers(cell.entries)), scorer, cell.reached]


def calculator_pages() -> dict[str, str | bytes]:
    """`score.md`, `scores.md` with the figures of every code that the checker judges, and the
    tables of each of these codes and of each of its options.

    `assets/contracts.json` has the words of contracts for the script of the home page.
    `data/scores/CODE.json` has the choices, `data/scores/CODE/DENOMINATION.json` the accounts, and
    `data/scores/CODE.csv.gz` every case; with an option, CODE is `CODE+OPTION`.
    """
    laws = [book().rules(code) for code in judged_codes()]
    each = [book().rules(law.code, [o.id]) for law in laws for o in book().code(law.code).options]
    made: dict[str, str | bytes] = {"scores.md": page("scores", "scores.md", laws=laws)}
    for law in (*laws, *each):
        name = "+".join((law.code, *law.options))
        made[f"data/scores/{name}.csv.gz"] = gzipped(as_csv(law))
        made[f"data/scores/{name}.json"] = json_file(score_json(law))
        for denomination, table in denominations_json(law).items():
            made[f"data/scores/{name}/{denomination}.json"] = json_file(table)
    orders = {law.code: law.order() for law in laws}
    made["assets/contracts.json"] = json_file({**patterns(), "codes": orders})
    made["score.md"] = page(
        "score", "score.md", codes=[book().code(law.code) for law in laws], choices=choices(laws)
    )
    return made


# --- what can be chosen ---------------------------------------------------------------------------


def choices(laws: Iterable[Rules]) -> Json:
    """The choices that exist under at least one of the codes, each with its label; denominations by
    rank, those of the first code first.
    """
    listed = tuple(laws)
    denominations = dict.fromkeys(d for law in listed for d in law.order())
    held = {h for law in listed for d in law.order() for h in holdings(law, d)}
    games = dict.fromkeys(g for law in listed for g in states(law))
    voids = dict.fromkeys(v for law in listed for d in law.order() for v in chicanes(law, d))
    doubled = {f.doubled for law in listed for f in declarations(law)}
    return {
        "numbers": sorted({n for law in listed for n in numbers(law) if n}),
        "denominations": [book().denominations[d] for d in denominations],
        "doubled": [(n, degree_words(n) or "undoubled") for n in sorted(doubled)],
        "games": [(pair(g), _games_words(g)) for g in games],
        "honours": [(key(h), honour_words(h)) for h in sorted(held)],
        "chicane": [(pair(v), CHICANE[v]) for v in voids],
    }


def numbers(law: Rules) -> range:
    """The numbers of odd tricks that can be bid; only 0 if the code has no bids."""
    limits = law.value("bid-range") or {"least": 0, "most": 0}
    return range(limits["least"], limits["most"] + 1)


def _games_words(games: Games) -> str:
    if games[0] == games[1]:
        return "each side has won a game" if games[0] else "no game won"
    return "the adversaries have won a game" if games[1] else "the declaring side has won a game"


def pair(numbers: tuple[int, int]) -> str:
    """The key of the games won, or of the hands without a trump, on both sides: `1-0`."""
    return "-".join(map(str, numbers))


def key(holding: Holding) -> str:
    """The key of a holding in the table: `4-1`."""
    return str(holding.split)


# --- the table of a code --------------------------------------------------------------------------


def score_json(law: Rules) -> Json:
    """The choices under a code, as `score.js` reads them.

    `offers` has the values of each control, by denomination if they depend on it; `results` has for
    each number of tricks the words, and the tricks over the declaration. `first` lists the
    declarations that score differently when they are the dealer's first.
    """
    options = [
        f"{o.label[0].lower()}{o.label[1:]}"
        for o in book().code(law.code).options
        if o.id in law.options
    ]
    own, why = law.order(), _reasons(law)
    offers = {
        "number": [str(n) for n in numbers(law) if n],
        "denomination": own,
        "doubled": [str(n) for n in range(MOST_DOUBLED + 1) if f"doubled {n}" not in why],
        "games": list(map(pair, states(law))),
        "held": {
            d: ["0-0", *(key(h) for h in holdings(law, d) if d in own)]
            for d in book().denominations
        },
        "chicane": {
            d: list(map(pair, chicanes(law, d) if d in own else [(0, 0)]))
            for d in book().denominations
        },
    }
    return {
        "short": ", ".join((law.short, *options)),
        "columns": [column_name(column, law.code) for column in COLUMNS],
        "offers": offers,
        "below": (law.value("game") or 0) - 1 if law.has("rubber-end") else 0,
        "vulnerable": bool(law.value("vulnerability")),
        "why": why,
        "results": _results(law),
        "first": [declared(f) for f in declarations(law) if f.dealers_first],
    }


def denominations_json(law: Rules) -> dict[str, Json]:
    """The accounts of each denomination of a code, as `score.js` reads them.

    `grid` maps each declaration (`hearts 4 1`: denomination, odd tricks, doubled; ` first` is
    added for the dealer's first) to rows of cells, one cell for each number of tricks. If the games
    won by the declaring side affect the score, there is a row for each number of games.

    - `cells`: entries, scorer, and the points that the scorer needs beforehand to win a game.
    - `won`: the entries that a game adds, with their sentence, by scorer and games (`0 1-0`).
    - `honours`: entries by side, holding and chicane (`0 4-1 0-0`), undoubled and doubled.
    - `entries`: side (0 is the declaring side), column, points, reason, laws.
    - `laws`: the words and the path of each law.
    """
    listed = [*cells(law)]
    games = [*games_won(law, listed)]
    made: dict[str, Json] = {}
    for name in law.order():
        table = _Table()
        grid: dict[str, dict[int, list[int]]] = {}
        for cell in (c for c in listed if c.final.denomination == name):
            rows = grid.setdefault(declared(cell.final), {})
            rows.setdefault(cell.games, []).append(table.cell(cell))
        won = {key: [table.numbers(entries), words] for key, entries, words in games}
        held: dict[str, list[list[int]]] = {}
        for who, voids, entries in (
            one for doubled in (0, 1) for one in honours(law, name, doubled)
        ):
            if (numbers := table.numbers(entries)) or who is None or law.has("honours"):
                key = f"{_held(who)} {pair(voids)}"
                held.setdefault(key, []).append(numbers)
        made[name] = {
            "grid": {k: list(rows.values()) for k, rows in grid.items()},
            "won": won,
            "honours": held,
            "cells": list(table.cells),
            "entries": list(table.entries),
            "laws": [[_law_words(str(a), law), path_of(str(a))] for a in table.laws],
        }
    return made


def _account(law: Rules, final: Final, tricks: int, games: Games, below: Games = (0, 0)) -> Account:
    return account(Facts(final, tricks, NOTHING, NO_VOIDS, Standing(games, below)), law)


def cells(law: Rules) -> Iterator[Cell]:
    """The cell for each declaration, number of tricks and number of games of the declaring side.

    South declares, so the declaring side is N-S. The games of the adversaries make no difference.
    """
    own = sorted({games[0] for games in states(law)}) if law.has("vulnerability") else [0]
    for final in declarations(law):
        for tricks, games in product(range(law.value("hand-size") + 1), own):
            result = _account(law, final, tricks, (games, 0))
            entries = tuple(e for e in result.entries if e.item not in AFTER)
            scorer = next((s for s in Side if result.points(s, "trick")), None)
            points = result.points(scorer, "trick") if scorer else 0
            lacking = max(law.value("game") - points, 0) if law.has("rubber-end") else 0
            reached = lacking if scorer and reaches_game(lacking, points, law) else None
            yield Cell(final, games, tricks, entries, scorer, reached)


def games_won(law: Rules, listed: Iterable[Cell]) -> Iterator[tuple[str, tuple[Entry, ...], str]]:
    """What a game adds: its key (the scorer and the games before it), its entries, and a sentence.

    It is taken from the first of the listed cells in which that side wins a game.
    """
    first: dict[Side, Cell] = {}
    for cell in listed:
        if cell.scorer and cell.reached is not None:
            first.setdefault(cell.scorer, cell)
    for (side, cell), (ours, theirs) in product(first.items(), states(law)):
        below = (cell.reached or 0, 0) if side is Side.NS else (0, cell.reached or 0)
        result = _account(law, cell.final, cell.tricks, (ours, theirs), below)
        entries = tuple(e for e in result.entries if e.item in AFTER)
        who = "The declaring side wins" if side is Side.NS else "The adversaries win"
        what = "the last game and the rubber" if result.rubber else "a game"
        yield f"{int(side is Side.EW)} {ours}-{theirs}", entries, f"{who} {what}."


def honours(
    law: Rules, denomination: str, doubled: int
) -> Iterator[tuple[Held | None, tuple[int, int], tuple[Entry, ...]]]:
    """The entries for honours and chicane in a denomination, by holding and hands without a trump.

    Impossible cases are omitted: a side cannot hold honours in both hands if one has no trump.
    """
    final = _final(law, denomination, doubled)
    held: list[Held | None] = [None, *product(Side, holdings(law, denomination))]
    for who, (ours, theirs) in product(held, chicanes(law, denomination)):
        holding = dict(NOTHING) | ({who[0]: who[1]} if who else {})
        voids = {Side.NS: ours, Side.EW: theirs}
        if any(
            voids[s] and h.total and (voids[s], h.more) != (1, h.total) for s, h in holding.items()
        ):
            continue
        result = account(Facts(final, None, holding, voids, Standing((0, 0), (0, 0))), law)
        yield who, (ours, theirs), result.entries


def declared(final: Final) -> str:
    """The key of a declaration in the table: `hearts 4 1`."""
    first = " first" if final.dealers_first else ""
    return f"{final.denomination} {final.odd_tricks} {final.doubled}{first}"


def _held(who: tuple[Side, Holding] | None) -> str:
    return f"{int(who[0] is Side.EW)} {key(who[1])}" if who else "0 0-0"


def _law_words(address: str, law: Rules) -> str:
    """A law of this code by its number, of another as it is cited: `47.1`, `1926 law 40.1`."""
    code, _, local = address.partition(":")
    return local.replace("reading.", "reading ") if code == law.code else cite(address)


def _reasons(law: Rules) -> dict[str, str]:
    """The reasons why declarations cannot be made under the code, by key: a denomination, or
    `doubled N`.
    """
    own = law.order()
    asked = {name: (name, 0) for name in book().denominations if name not in own}
    asked |= {f"doubled {n}": (own[0], n) for n in range(1, MOST_DOUBLED + 1)}
    found = {key: cannot(_final(law, *of), law) for key, of in asked.items()}
    return {key: beyond.why for key, beyond in found.items() if beyond}


def _final(law: Rules, denomination: str, doubled: int = 0, odd: int | None = None) -> Final:
    """A declaration by South, by default of the least number of odd tricks."""
    odd = numbers(law)[0] if odd is None else odd
    return Final(odd, denomination, doubled, Seat.SOUTH, Seat.SOUTH, False)


def _results(law: Rules) -> dict[str, tuple[list[str], list[int | None]]]:
    """The results by the number of odd tricks declared: for each number of tricks taken, the words,
    and the tricks over the declaration if there are bids.

    The key ends in ` nullo` for denominations in which the tricks of the other side count.
    """
    made: dict[str, tuple[list[str], list[int | None]]] = {}
    for name, odd in product(law.order(), numbers(law)):
        kind = f"{odd}{' nullo' if at_nullo(name, law) else ''}"
        final = _final(law, name, 0, odd)
        words, overs = made[kind] = [], []
        for tricks in range(law.value("hand-size") + 1):
            over = counted_tricks(tricks, final, law) - law.value("book") - odd
            counted = number_words(tricks, "trick")
            words.append(f"{counted}: {over_words(over)}" if odd else counted)
            overs.append(over if odd else None)
    return made


# --- the page that keeps a rubber -----------------------------------------------------------------


def rubber_pages(files: Mapping[str, int]) -> dict[str, str]:
    """`rubber.md`, with the sizes of the files that the page fetches; empty without these files."""
    if not files:
        return {}
    laws = [law for law in map(book().rules, judged_codes()) if law.value("games-in-rubber")]
    return {"rubber.md": page("rubber", "rubber.md", laws=laws, files=files)}
