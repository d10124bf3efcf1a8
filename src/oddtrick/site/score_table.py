"""The page of score tables: for each code the values of odd tricks and undertricks, and the whole
scoring function as CSV.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, may_double
from oddtrick.judge.score_procedures import Facts, Standing, counted_tricks
from oddtrick.judge.score_table import NO_VOIDS, NOTHING, as_csv, states
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Code, Figure
from oddtrick.law.rules import Rules
from oddtrick.report.words import and_words
from oddtrick.site.template import Head, page

BESIDES = (
    "contract-bonus",
    "overtrick",
    "slam",
    "game-bonus",
    "rubber-bonus",
    "unfinished-rubber-bonus",
)
"""The further figures that a contract may bring, in the order of an account."""

DOWN = 6
"""How many undertricks the table shows."""

Rows = list[tuple[str, list[int]]]
"""The label of each row and its points."""

Laws = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on the loss of a declaration: whose declaration, its odd tricks and denomination, the
    limit, the exception.
    """

    whose: str
    odd_tricks: int
    name: str
    most: int
    lifted: str


@dataclass(frozen=True, slots=True)
class Scores:
    """The score of a contract under a code: tables with the laws behind them, and the files with
    all the data.

    `odd` and `down` are the heads of the columns.
    """

    code: Code
    files: list[tuple[str, str]]
    odd: range
    tricks: Rows
    trick_laws: Laws
    down: list[str]
    undertricks: Rows
    undertrick_laws: Laws
    limits: list[Limit]
    limit_laws: Laws
    besides: dict[str, Figure]
    besides_laws: Laws


def score_pages() -> dict[str, str | bytes]:
    """`scores.md`, and `data/scores/CODE.csv.gz` for every code and each of its options."""
    made: dict[str, str | bytes] = {}
    found = []
    for code in map(book().code, judged_codes()):
        files = []
        for options in ((), *((o.id,) for o in code.options)):
            law = book().rules(code.id, options)
            path = f"data/scores/{'+'.join((code.id, *options))}.csv.gz"
            made[path] = gzip.compress(as_csv(law).encode(), 9, mtime=0)
            words = law.options[0].replace("-", " ") if law.options else "as printed"
            files.append((words, path))
        found.append(scores(code, book().rules(code.id), files))
    made["scores.md"] = page(
        "scores",
        "scores.md",
        Head("Scores", "What every contract scores under each of the codes, in tables and as CSV."),
        codes=found,
    )
    return made


def scores(code: Code, rules: Rules, files: list[tuple[str, str]]) -> Scores:
    """Trick points of a contract made exactly, the cost of undertricks in a new rubber, and the
    further figures.
    """
    most = rules.value("hand-size") - rules.value("book")
    fails = bool(rules.value("bid-range")) and rules.get("undertrick") is not None
    besides = {name: rule.value for name in BESIDES if (rule := rules.get(name))}
    return Scores(
        code,
        files,
        range(1, most + 1),
        list(_alike(_tricks(rules, most))),
        rules.laws("odd-trick", "book", "tricks-scored"),
        [f"down {down}" for down in range(1, DOWN + 1)] if fails else [],
        list(_undertricks(rules, most)) if fails else [],
        rules.laws("undertrick", "vulnerability"),
        list(_limits(rules)) if fails else [],
        rules.laws("undertrick-limit"),
        besides,
        rules.laws(*besides),
    )


def _tricks(rules: Rules, most: int) -> Iterator[tuple[str, list[int]]]:
    """For each denomination the points of so many odd tricks, undoubled."""
    for name in rules.order():
        found = rules.denomination(name)
        won = ((n, rules.value("book") + n) for n in range(1, most + 1))
        cells = [_points(rules, name, n, 0, taken, Side.NS, "trick") for n, taken in won]
        yield found.label if found else name, cells


def _undertricks(rules: Rules, most: int) -> Iterator[tuple[str, list[int]]]:
    """The cost of undertricks, by doubling and vulnerability."""
    sides = sorted({games[0] for games in states(rules)}) if rules.value("vulnerability") else [0]
    lost = [rules.value("book") + most - down for down in range(1, DOWN + 1)]
    for name in dict.fromkeys((_not_royal(rules), *_royal(rules))):
        for doubled, word in enumerate(DOUBLING_KEYS):
            if doubled and not may_double(doubled - 1, name, rules):
                continue
            for games in sides:
                label = [word, *(["royal"] if name in _royal(rules) else [])]
                yield (
                    " ".join([*label, *(["vulnerable"] if games else [])]),
                    [
                        _points(rules, name, most, doubled, n, Side.EW, "honour", games)
                        for n in lost
                    ],
                )


def _limits(rules: Rules) -> Iterator[Limit]:
    for row in rules.value("undertrick-limit") or ():
        found = rules.denomination(row["denomination"])
        first = row["call"] == "dealers-first"
        yield Limit(
            "The dealer's first declaration, if it is" if first else "A declaration",
            row["odd_tricks"],
            found.label if found else row["denomination"],
            row["most"],
            f", unless {row['lifted_by']}" if "lifted_by" in row else "",
        )


def _alike(rows: Iterable[tuple[str, Sequence[int]]]) -> Iterator[tuple[str, list[int]]]:
    """The rows, with those of equal points merged under all their names."""
    names: dict[tuple[int, ...], list[str]] = {}
    for name, cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    for cells, alike in names.items():
        yield and_words(alike), list(cells)


def _not_royal(rules: Rules) -> str:
    """A denomination that is not a royal; at the highest bid no limit on a loss is in force."""
    return next(d for d in rules.order() if (found := rules.denomination(d)) and not found.royal_of)


def _royal(rules: Rules) -> tuple[str, ...]:
    """One royal denomination where the code has royals whose undertricks count otherwise."""
    royals = [d for d in rules.order() if (found := rules.denomination(d)) and found.royal_of]
    return tuple(royals[:1])


def _points(
    rules: Rules,
    name: str,
    odd: int,
    doubled: int,
    tricks: int,
    side: Side,
    column: str,
    games: int = 0,
) -> int:
    final = Final(
        odd if rules.get("bid-range") else 0, name, doubled, Seat.SOUTH, Seat.SOUTH, False
    )
    taken = counted_tricks(tricks, final, rules)  # at nullo the side that makes it takes the others
    return account(
        Facts(final, taken, NOTHING, NO_VOIDS, Standing((games, 0), (0, 0))), rules
    ).points(side, column)
