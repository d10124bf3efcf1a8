"""The page of score tables: for each code, the values of odd tricks and undertricks, and the
complete scoring function as CSV.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, may_double
from oddtrick.judge.score_procedures import Facts, Standing, counted_tricks
from oddtrick.law.book import book, judged_codes
from oddtrick.law.names import and_words
from oddtrick.law.rules import Rules
from oddtrick.report.score_table import NO_VOIDS, NOTHING, as_csv, states
from oddtrick.site.template import gzipped, page

DOWN = range(1, 7)
"""The numbers of undertricks that the table shows."""

Row = tuple[str, Sequence[int]]
"""The label of a row and its points."""


def score_pages() -> dict[str, str | bytes]:
    """`scores.md`, and `data/scores/CODE.csv.gz` for every code and each of its options."""
    made: dict[str, str | bytes] = {}
    files: dict[str, list[tuple[str, str]]] = {}
    for code in judged_codes():
        for options in ((), *((o.id,) for o in book().code(code).options)):
            path = f"data/scores/{'+'.join((code, *options))}.csv.gz"
            made[path] = gzipped(as_csv(book().rules(code, options)))
            words = options[0].replace("-", " ") if options else "as printed"
            files.setdefault(code, []).append((words, path))
    made["scores.md"] = page(
        "scores",
        "scores.md",
        laws=map(book().rules, judged_codes()),
        files=files,
        most=_most,
        tricks=lambda rules: list(_merged(_tricks(rules))),
        undertricks=lambda rules: list(_undertricks(rules)),
        down=[f"down {n}" for n in DOWN],
    )
    return made


def _most(rules: Rules) -> int:
    """The maximum number of odd tricks."""
    return int(rules.value("hand-size") - rules.value("book"))


def _tricks(rules: Rules) -> Iterator[Row]:
    """A row for each denomination: the trick points of each number of odd tricks, undoubled."""
    for name in rules.order():
        found = rules.denomination(name)
        won = ((n, rules.value("book") + n) for n in range(1, _most(rules) + 1))
        cells = [_points(rules, name, n, 0, taken, Side.NS, "trick") for n, taken in won]
        yield found.label if found else name, cells


def _undertricks(rules: Rules) -> Iterator[Row]:
    """Rows with the cost of undertricks, by doubling, royals and vulnerability; none if contracts
    cannot fail.
    """
    if not rules.value("bid-range") or rules.get("undertrick") is None:
        return
    sides = sorted({games[0] for games in states(rules)}) if rules.value("vulnerability") else [0]
    most = _most(rules)
    lost = [rules.value("book") + most - down for down in DOWN]
    for name, royal in _kinds(rules):
        for doubled, word in enumerate(DOUBLING_KEYS):
            if doubled and not may_double(doubled - 1, name, rules):
                continue
            for games in sides:
                words = (word, "royal" if royal else "", "vulnerable" if games else "")
                yield (
                    " ".join(filter(None, words)),
                    [
                        _points(rules, name, most, doubled, n, Side.EW, "honour", games)
                        for n in lost
                    ],
                )


def _kinds(rules: Rules) -> list[tuple[str, bool]]:
    """The first plain denomination and, if the code has royals, the first royal; each with a flag
    for a royal.

    The undertricks are counted from the highest bid, at which no code limits the loss.
    """
    known = [(d, bool(found.royal_of)) for d in rules.order() if (found := rules.denomination(d))]
    return [next(k for k in known if not k[1]), *[k for k in known if k[1]][:1]]


def _merged(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, in which rows with the same points are merged and their labels joined."""
    names: dict[tuple[int, ...], list[str]] = {}
    for name, cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    for cells, alike in names.items():
        yield and_words(alike), cells


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
    taken = counted_tricks(tricks, final, rules)  # at nullo the opponents' tricks count
    return account(
        Facts(final, taken, NOTHING, NO_VOIDS, Standing((games, 0), (0, 0))), rules
    ).points(side, column)
