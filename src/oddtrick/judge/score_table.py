"""The scoring function of a code, enumerated: every declaration, doubling, number of tricks and
state of the rubber.

Honours and chicane are left out: they do not depend on the tricks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import Final, may_double
from oddtrick.judge.score_procedures import Account, Facts, Holding, Standing
from oddtrick.law.rules import Clause, Rules

COLUMNS = (
    "code", "options", "denomination", "odd_tricks", "doubled", "dealers_first", "tricks", "games",
    "declarer_trick", "declarer_honour", "adversaries_trick",
    "adversaries_honour", "added_at_the_end", "items", "laws",
)  # fmt: skip
"""The columns of the table.

`games` are those the two sides have won, the declaring side's first.
"""

_COUNTED = tuple((side, column) for side in Side for column in ("trick", "honour"))

MOST_DOUBLED = 4
"""How far doubling is followed where it has no limit."""

NOTHING = {Side.NS: Holding(0, 0), Side.EW: Holding(0, 0)}
NO_VOIDS = {Side.NS: 0, Side.EW: 0}


def states(law: Rules) -> list[tuple[int, int]]:
    """The states of the rubber that can matter.

    Games won by the declaring side and by its adversaries.
    """
    needed = law.value("games-in-rubber")
    return [(a, b) for a in range(needed) for b in range(needed)] if needed else [(0, 0)]


def declarations(law: Rules) -> Iterator[Final]:
    """Every final declaration that a code can have, South declaring."""
    limits = law.value("bid-range") or {"least": 0, "most": 0}
    limited = {
        (r["odd_tricks"], r["denomination"])
        for r in law.value("undertrick-limit") or ()
        if r["call"] == "dealers-first"
    }
    for denomination in law.order():
        for odd in range(limits["least"], limits["most"] + 1):
            for doubled in range(MOST_DOUBLED + 1):
                if doubled and not may_double(doubled - 1, denomination, law):
                    break
                for first in (True, False) if (odd, denomination) in limited else (False,):
                    yield Final(odd, denomination, doubled, Seat.SOUTH, Seat.SOUTH, first)


def accounts(law: Rules) -> Iterator[tuple[Final, int, tuple[int, int], Account]]:
    """Every declaration with every number of tricks and state of the rubber, and its account."""
    standings = [(games, Standing(games, (0, 0))) for games in states(law)]
    for final in declarations(law):
        for tricks in range(law.value("hand-size") + 1):
            for games, standing in standings:
                facts = Facts(final, tricks, NOTHING, NO_VOIDS, standing)
                yield final, tricks, games, account(facts, law)


def rows(law: Rules) -> Iterator[tuple[object, ...]]:
    """The table, row by row in the order of `COLUMNS`."""
    options = " ".join(law.options)
    for final, tricks, games, told in accounts(law):
        points = dict.fromkeys(_COUNTED, 0)
        added = 0
        for entry in told.entries:
            if entry.column == "total":
                added += entry.points
            else:
                points[entry.side, entry.column] += entry.points
        yield (
            law.code,
            options,
            final.denomination,
            final.odd_tricks or "",
            final.doubled,
            "yes" if final.dealers_first else "no",
            tricks,
            f"{games[0]}-{games[1]}",
            *points.values(),
            added,
            " ".join([e.item for e in told.entries]),
            " ".join(dict.fromkeys([law for e in told.entries for law in e.laws])),
        )


def as_csv(law: Rules) -> str:
    """The table as CSV with a head line."""
    return _csv(rows(law))


def _csv(table: Iterable[tuple[object, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows(table)
    return out.getvalue()


class _Noted(dict[str, Clause]):
    """Clauses that note which of them are asked for, whether there are such or not."""

    def __init__(self, clauses: Mapping[str, Clause]) -> None:
        super().__init__(clauses)
        self.asked: set[object] = set()

    def get(self, name: str, default: object = None) -> Any:
        """The clause of that name."""
        self.asked.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Clause:
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.asked.add(name)
        return super().__contains__(name)


def with_options(law: Rules, others: Iterable[Rules]) -> Iterator[str]:
    """The table of a code as CSV, then that of the same code with each of some options.

    An option that changes no clause for which a score asked has the same rows.
    """
    clauses = _Noted(law.clauses)
    table = list(rows(replace(law, clauses=clauses)))
    yield _csv(table)
    for other in others:
        same = law.denominations == other.denominations and all(
            law.get(str(name)) == other.get(str(name)) for name in clauses.asked
        )
        named = " ".join(other.options)
        yield _csv((row[0], named, *row[2:]) for row in table) if same else as_csv(other)
