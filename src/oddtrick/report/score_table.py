"""The scoring function of a code as a table of all cases.

There is a row for every declaration, doubling, number of tricks and state of the rubber. Honours
and chicane are separate, since they do not depend on the tricks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import product

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import Final, bid_range, may_double
from oddtrick.judge.score_parts import has_chicane, honour_values
from oddtrick.judge.score_procedures import Facts, Holding, Standing
from oddtrick.law.rules import Rules

COLUMNS = (
    "code", "options", "denomination", "odd_tricks", "doubled", "dealers_first", "tricks", "games",
    "declarer_trick", "declarer_honour", "adversaries_trick",
    "adversaries_honour", "added_at_the_end", "items", "laws",
)  # fmt: skip
"""The columns of the table.

`games` are those won by the two sides, the declaring side's first.
"""

MOST_DOUBLED = 4
"""How many doubles are listed if doubling has no limit."""

NOTHING = {Side.NS: Holding(0, 0), Side.EW: Holding(0, 0)}
NO_VOIDS = {Side.NS: 0, Side.EW: 0}


def states(law: Rules) -> list[tuple[int, int]]:
    """The states of the rubber that can affect the score.

    Each consists of the games won by the declaring side and by its adversaries.
    """
    needed = law.value("games-in-rubber")
    return [(a, b) for a in range(needed) for b in range(needed)] if needed else [(0, 0)]


def declarations(law: Rules) -> Iterator[Final]:
    """Every final declaration that is possible under a code, with South as declarer."""
    limited = {
        (r["odd_tricks"], r["denomination"])
        for r in law.value("undertrick-limit") or ()
        if r["call"] == "dealers-first"
    }
    for denomination in law.order():
        for odd in bid_range(law) or range(1):
            for doubled in range(MOST_DOUBLED + 1):
                if doubled and not may_double(doubled - 1, denomination, law):
                    break
                for first in (True, False) if (odd, denomination) in limited else (False,):
                    yield Final(odd, denomination, doubled, Seat.SOUTH, Seat.SOUTH, first)


def rows(law: Rules) -> Iterator[tuple[object, ...]]:
    """The table, row by row, in the order of `COLUMNS`."""
    every_trick = range(law.value("hand-size") + 1)
    for final, tricks, games in product(declarations(law), every_trick, states(law)):
        facts = Facts(final, tricks, NOTHING, NO_VOIDS, Standing(games, (0, 0)))
        result = account(facts, law)
        yield (
            law.code,
            " ".join(law.options),
            final.denomination,
            final.odd_tricks or "",
            final.doubled,
            "yes" if final.dealers_first else "no",
            tricks,
            f"{games[0]}-{games[1]}",
            *(result.points(side, column) for side in Side for column in ("trick", "honour")),
            sum(result.points(side, "total") for side in Side),
            " ".join(e.item for e in result.entries),
            " ".join(dict.fromkeys(law for e in result.entries for law in e.laws)),
        )


def as_csv(law: Rules) -> str:
    """The table as CSV with a header line."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows(rows(law))
    return out.getvalue()


# --- honours --------------------------------------------------------------------------------------


def holdings(law: Rules, denomination: str) -> tuple[Holding, ...]:
    """The holdings of one side that count in a denomination, by the keys of the code's figures."""
    pairs = (tuple(map(int, split.split("-"))) for split in honour_values(denomination, law))
    return tuple(Holding(a + b, a) for a, b in sorted(pairs, key=lambda p: (sum(p), p[0])))


def honour_words(holding: Holding) -> str:
    """A holding in words that `contract_words` can read: `4 honours in one hand`, `5 honours, 4 and
    1`, `3 honours` if it is not known how they were divided.
    """
    counted, more = f"{holding.total} honour{'s' * (holding.total != 1)}", holding.more
    if more is None:
        return counted
    if more == holding.total:
        return f"{counted} in one hand"
    return f"{counted}, {more} and {holding.total - more}"


def chicanes(law: Rules, denomination: str) -> tuple[tuple[int, int], ...]:
    """The possible hands without a trump, the declaring side's first, if the code has chicane."""
    if not has_chicane(denomination, law):
        return ((0, 0),)
    return ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))
