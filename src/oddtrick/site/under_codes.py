"""One deal under every code on a page: what each code would score and why, and where the codes
first part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from oddtrick.cards import Side
from oddtrick.judge.answers import EntryJson, RecordJson
from oddtrick.judge.under_codes import CIRCUMSTANCES, ITEMS, ComparisonJson, UnderJson
from oddtrick.judge.words import and_words
from oddtrick.law.book import book
from oddtrick.report.check import totals

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


def under_json(compared: Iterable[ComparisonJson]) -> str:
    """What `oddtrick score --under all --format json` prints of the deals, for
    `records/<id>.under.json`.
    """
    return json.dumps(list(compared), ensure_ascii=False, indent=2) + "\n"


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
    cells: tuple[tuple[EntryJson, ...], ...]
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


def columns(record: RecordJson, compared: ComparisonJson) -> Columns:
    """A deal under every code."""
    rows, apart = compared["under"], compared["part_first_at"]
    scores, reasons = [r["score"] for r in rows if r["score"]], {r["why"] for r in rows}
    if not scores and len(reasons) == 1:
        return Columns(record["id"], str(reasons.pop()), "")
    found = {e["item"] for score in scores for e in score["entries"]}
    items = [item for item in ITEMS if item in found]
    balances: dict[int, list[str]] = {}
    for short, points in apart["balance"].items() if apart else ():
        balances.setdefault(points, []).append(short)
    return Columns(
        record["id"],
        "",
        _intro(record, rows),
        tuple(_column(record, row, items) for row in rows),
        tuple((item_words(i), apart is not None and apart["item"] == i) for i in items),
        item_words(apart["item"]) if apart else "",
        tuple((_signed(points), and_words(names)) for points, names in balances.items()),
        len(scores) > 1 and apart is None,
    )


def _intro(record: RecordJson, rows: Iterable[UnderJson]) -> str:
    """How the columns are scored, and that the account of the record is another where it is."""
    own = next((r["score"] for r in rows if r["code"] == record["code"]), None)
    score = record["score"]
    differs = own is not None and score is not None and own["entries"] != score["entries"]
    said = f"{CIRCUMSTANCES} The declaration and the tricks are those of the record."
    return f"{said} {DIFFERS}" if differs else said


def _column(record: RecordJson, row: UnderJson, items: list[str]) -> Column:
    score, code = row["score"], book().code(row["code"])
    year, entries = code.date[:4], score["entries"] if score else []
    return Column(
        code.id,
        code.short,
        "" if year in code.short else year,
        code.id == record["code"],
        None if score else row["why"] or "",
        tuple(tuple(e for e in entries if e["item"] == item) for item in items),
        tuple(_total(entries, side) for side in Side) if score else (),
        and_words(score["missing"]) if score else "",
    )


def _total(entries: Iterable[EntryJson], side: Side) -> tuple[int, str]:
    """What a side has in all, and the columns it is made of: `36 trick, 20 honour`."""
    points = totals(entries)[side]
    return sum(points.values()), ", ".join(f"{p} {c}" for c, p in points.items() if p)


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
