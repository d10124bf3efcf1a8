"""The page of score tables: for each code what the odd tricks and the undertricks count, and the whole function as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, may_double
from oddtrick.judge.score_procedures import Facts, Standing, counted_tricks
from oddtrick.judge.score_table import NO_VOIDS, NOTHING, as_csv, states
from oddtrick.judge.words import and_words
from oddtrick.law.in_force import InForce, code_data, in_force, judged_codes
from oddtrick.site.law_words import LESS, figures_html, front, links

BESIDES = (
    "contract-bonus",
    "overtrick",
    "slam",
    "game-bonus",
    "rubber-bonus",
    "unfinished-rubber-bonus",
)
"""The figures that a contract may bring besides, in the order of an account."""

DOWN = 6
"""How many undertricks the table shows."""

HEAD = """\
# What a contract scores

Every figure here is worked out by the program that judges the records, from the law data. The CSV files have every
denomination, number of odd tricks, doubling, number of tricks and state of the rubber, each with its entries and
their laws; honours and chicane are left out, since they do not depend on the tricks.
[Which laws the tests of these tables reach](scoring-coverage.md), law by law.
"""


def score_pages() -> dict[str, str]:
    """`scores.md`, and `data/scores/CODE.csv` for every code and each of its options."""
    made = {}
    parts = [
        front(
            "Scores",
            "What every contract scores under each of the codes, in tables and as CSV.",
            boost=LESS,
        )
        + HEAD
    ]
    for code in judged_codes():
        data = code_data(code)
        parts.append(f"## {data['short']} {{ #{code} }}\n")
        files = []
        for options in ((), *((o["id"],) for o in data["options"])):
            name = "+".join((code, *options))
            made[f"data/scores/{name}.csv"] = as_csv(in_force(code, options))
            files.append(
                f"[{options[0].replace('-', ' ') if options else 'as printed'}](data/scores/{name}.csv)"
            )
        parts += _table(in_force(code))
        parts.append(f"Every contract with every result, as CSV: {', '.join(files)}.\n")
    made["scores.md"] = "\n".join(parts)
    return made


def _table(rules: InForce) -> Iterator[str]:
    """Trick points of a contract made exactly, what undertricks cost at the beginning of a rubber, and what there is besides."""
    limits = rules.value("bid-range")
    most = rules.value("hand-size") - rules.value("book")
    yield f"**Points for the odd tricks**, undoubled: {_cited(rules, 'odd-trick', 'book', 'tricks-scored')}\n"
    rows = []
    for name in rules.order():
        found = rules.denomination(name)
        cells = [
            _points(rules, name, n, 0, rules.value("book") + n, Side.NS, "trick")
            for n in range(1, most + 1)
        ]
        rows.append((found.label if found else name, cells))
    yield _html(
        f"Points for the odd tricks, {rules.short}",
        "Odd tricks",
        [str(n) for n in range(1, most + 1)],
        _alike(rows),
    )
    if limits and rules.get("undertrick"):
        yield from _undertricks(rules, most)
    besides = {name: rule.value for name in BESIDES if (rule := rules.get(name))}
    if besides:
        yield f"**Besides**, to the honour score or the total: {_cited(rules, *besides)}\n"
        yield figures_html(besides) + "\n"


def _undertricks(rules: InForce, most: int) -> Iterator[str]:
    """What undertricks cost, as doubled and vulnerable, and the limits on a loss."""
    yield f"**Undertricks**, to the adversaries: {_cited(rules, 'undertrick', 'vulnerability')}\n"
    rows = []
    sides = sorted({games[0] for games in states(rules)}) if rules.value("vulnerability") else [0]
    for name in dict.fromkeys((_plain(rules), *_royal(rules))):
        for doubled, word in enumerate(DOUBLING_KEYS):
            if doubled and not may_double(doubled - 1, name, rules):
                continue
            for games in sides:
                cells = [
                    _points(
                        rules,
                        name,
                        most,
                        doubled,
                        rules.value("book") + most - down,
                        Side.EW,
                        "honour",
                        games,
                    )
                    for down in range(1, DOWN + 1)
                ]
                said = " ".join(
                    (
                        word,
                        *(["royal"] if name in _royal(rules) else []),
                        *(["vulnerable"] if games else []),
                    )
                )
                rows.append((said, cells))
    yield _html(
        f"Undertricks, {rules.short}",
        "Undertricks",
        [f"down {down}" for down in range(1, DOWN + 1)],
        rows,
    )
    for row in rules.value("undertrick-limit") or ():
        found = rules.denomination(row["denomination"])
        name = found.label if found else row["denomination"]
        lifted = f", unless {row['lifted_by']}" if "lifted_by" in row else ""
        whose = (
            "The dealer's first declaration, if it is"
            if row["call"] == "dealers-first"
            else "A declaration"
        )
        yield f"{whose} of {row['odd_tricks']} in {name}, loses {row['most']} at most{lifted}: {_cited(rules, 'undertrick-limit')}\n"


def _alike(rows: Iterable[tuple[str, Sequence[int]]]) -> Iterator[tuple[str, Sequence[int]]]:
    """The rows, those with the same points as one with all their names."""
    names: dict[tuple[int, ...], list[str]] = {}
    for name, cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    for cells, alike in names.items():
        yield and_words(alike), cells


def _html(
    label: str, corner: str, head: Sequence[str], rows: Iterable[tuple[str, Sequence[int]]]
) -> str:
    """A table of points that scrolls by itself where the window is narrow."""
    columns = "".join(f'<th scope="col">{h}</th>' for h in (corner, *head))
    body = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(f"<td>{c}</td>" for c in cells)}</tr>'
        for name, cells in rows
    )
    return (
        f'<div class="cmp-scroll" role="region" tabindex="0" aria-label="{label}"><table class="cmp-table cmp-points">'
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>\n"
    )


def _cited(rules: InForce, *names: str) -> str:
    """The laws behind some figures and procedures, linked."""
    return links(list(rules.laws(*names)), "scores.md")


def _plain(rules: InForce) -> str:
    """A denomination that is no royal; at the highest bid no limit on a loss is in force."""
    return next(d for d in rules.order() if (found := rules.denomination(d)) and not found.royal_of)


def _royal(rules: InForce) -> tuple[str, ...]:
    """One royal denomination where the code has royals whose undertricks count otherwise."""
    royals = [d for d in rules.order() if (found := rules.denomination(d)) and found.royal_of]
    return tuple(royals[:1])


def _points(
    rules: InForce,
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
