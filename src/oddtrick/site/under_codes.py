"""One deal under every code on a page: what each code would score and why, and where the codes
first part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry
from oddtrick.judge.under_codes import CIRCUMSTANCES, Under, as_json, parting, under_codes
from oddtrick.judge.words import and_words, missing_words
from oddtrick.judge.written_score import RULE_OF_ITEM
from oddtrick.law.book import book

ITEM_WORDS = {
    "contract-bonus": "doubled contract made",
    "game-bonus": "game",
    "rubber-bonus": "rubber",
}
"""Kinds of entry whose id says too little; the others are named by their id."""

OWN = "its own code"
"""The column of the code that the record was played under."""

DIFFERS = (
    "The account above goes by what the record tells of the rubber, of options and of penalties, "
    f"and differs from the column “{OWN}”."
)


def under_json(checks: Iterable[Check]) -> str:
    """What `oddtrick score --under all --format json` prints of the deals, for
    `records/<id>.under.json`.
    """
    told = [as_json(check, under_codes(check)) for check in checks]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def item_words(item: str) -> str:
    """A kind of score entry in words: `odd tricks`."""
    return ITEM_WORDS.get(item, item.replace("-", " "))


@dataclass(frozen=True, slots=True)
class Column:
    """A code's column: its year where its name has none, whether the record was played under it.

    `why` says why it cannot express the deal; else `cells` has the entries of each row, `sums` each
    side's total with the columns it is made of, and `missing` what the code would need to be told.
    """

    code: str
    short: str
    year: str
    own: bool
    why: str | None
    cells: tuple[tuple[Entry, ...], ...]
    sums: tuple[tuple[int, str], ...]
    missing: str


@dataclass(frozen=True, slots=True)
class Columns:
    """A deal under every code: a column for each, a row for each kind of entry.

    `none` says why no code can score it, where all have the same reason. `intro` is what is taken
    for granted. `rows` are the kinds of entry in words and whether the codes first part there.
    `apart` has the balances (with sign) and the codes that come to each, `at` the row; `alike` says
    that all come to the same.
    """

    title: str
    none: str
    intro: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[str, bool], ...] = ()
    at: str = ""
    apart: tuple[tuple[str, str], ...] = ()
    alike: bool = False

    @property
    def missing(self) -> bool:
        """Whether a code would need to be told more."""
        return any(c.missing for c in self.columns)


def columns(check: Check) -> Columns:
    """A deal under every code."""
    rows = under_codes(check)
    reasons = {r.why for r in rows}
    if all(r.account is None for r in rows) and len(reasons) == 1:
        return Columns(check.record.id, str(reasons.pop()), "")
    told = [r for r in rows if r.account]
    apart = parting(told)
    items = [
        i
        for i in RULE_OF_ITEM
        if any(e.item == i for r in told if r.account for e in r.account.entries)
    ]
    at, balances = apart if apart and len(told) > 1 else ("", {})
    groups: dict[int, list[str]] = {}
    for short, points in balances.items():
        groups.setdefault(points, []).append(short)
    marked = parting(rows)
    return Columns(
        check.record.id,
        "",
        _intro(check, rows),
        tuple(_column(check, row, items) for row in rows),
        tuple((item_words(i), marked is not None and marked[0] == i) for i in items),
        item_words(at) if at else "",
        tuple((_signed(points), and_words(names)) for points, names in groups.items()),
        len(told) > 1 and apart is None,
    )


def _intro(check: Check, rows: list[Under]) -> str:
    """How the columns are scored, and that the account of the record is another where it is."""
    own = next((r.account for r in rows if check.law and r.code == check.law.code), None)
    differs = own is not None and check.account is not None and own.entries != check.account.entries
    said = f"{CIRCUMSTANCES} The declaration and the tricks are those of the record."
    return f"{said} {DIFFERS}" if differs else said


def _column(check: Check, row: Under, items: list[str]) -> Column:
    account, year = row.account, book().code(row.code).date[:4]
    entries = account.entries if account else ()
    return Column(
        row.code,
        row.short,
        "" if year in row.short else year,
        check.law is not None and row.code == check.law.code,
        None if account else row.why or "",
        tuple(tuple(e for e in entries if e.item == item) for item in items),
        tuple(_total(entries, side) for side in Side) if account else (),
        and_words(missing_words(account.missing)) if account else "",
    )


def _total(entries: Iterable[Entry], side: Side) -> tuple[int, str]:
    """What a side has in all, and the columns it is made of: `36 trick, 20 honour`."""
    points = {
        column: sum(e.points for e in entries if e.side is side and e.column == column)
        for column in ("trick", "honour", "total")
    }
    return sum(points.values()), ", ".join(f"{p} {c}" for c, p in points.items() if p)


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
