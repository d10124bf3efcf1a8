"""One deal under every code on a page: a table of what each code would score and why, and where the codes first part."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry
from oddtrick.judge.under_codes import CIRCUMSTANCES, Under, as_json, parting, under_codes
from oddtrick.judge.words import and_words
from oddtrick.judge.written_score import RULE_OF_ITEM
from oddtrick.law.in_force import code_data
from oddtrick.site.deal import href, law_links

ITEM_WORDS = {
    "contract-bonus": "doubled contract made",
    "game-bonus": "game",
    "rubber-bonus": "rubber",
}
"""Kinds of entry whose id says too little; the others are named by their id."""

OWN = "its own code"
"""The column of the code that the record was played under."""

SHORT = {Side.NS: "N–S", Side.EW: "E–W"}


def under_json(checks: Iterable[Check]) -> str:
    """What `oddtrick score --under all --format json` prints of the deals, for `records/<id>.under.json`."""
    told = [as_json(check, under_codes(check)) for check in checks]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def item_words(item: str) -> str:
    """A kind of score entry in words: `odd tricks`."""
    return ITEM_WORDS.get(item, item.replace("-", " "))


def under_html(check: Check, here: str) -> str:
    """The table, with what it takes for granted and where the codes part; only the reason where no code can score the deal.

    A column for each code, a row for each kind of entry; a code that cannot express the deal has its reason there.
    """
    rows = under_codes(check)
    reasons = {r.why for r in rows}
    if all(r.account is None for r in rows) and len(reasons) == 1:
        return f'<p class="under-none">No code can score it: {html.escape(str(reasons.pop()))}.</p>'
    return f'{_intro(check, rows)}{parting_html(rows)}<div class="under-scroll" role="region" tabindex="0" aria-label="{html.escape(check.record.id)} under each code">{_table(check, rows, here)}</div>'


def _intro(check: Check, rows: list[Under]) -> str:
    """How the columns are scored, and that the account of the record is another where it is."""
    own = next((r.account for r in rows if check.rules and r.code == check.rules.code), None)
    differs = own is not None and check.account is not None and own.entries != check.account.entries
    said = (
        f" The account above goes by what the record tells of the rubber, of options and of penalties, and differs from the column “{OWN}”."
        if differs
        else ""
    )
    return f"<p>{CIRCUMSTANCES} The declaration and the tricks are those of the record.{said}</p>"


def parting_html(rows: list[Under]) -> str:
    """Where the codes that can express the deal first part, those that agree together, each with its balance."""
    told = [r for r in rows if r.account]
    apart = parting(told)
    if len(told) < 2:
        return ""
    if apart is None:
        return '<p class="under-apart">All the codes that can express it score it alike.</p>'
    item, balances = apart
    groups: dict[int, list[str]] = {}
    for short, points in balances.items():
        groups.setdefault(points, []).append(short)
    said = "; ".join(
        f"<b>{_signed(p)}</b> {html.escape(and_words(names))}" for p, names in groups.items()
    )
    return f'<p class="under-apart">The codes first part at the <b>{item_words(item)}</b> (North and South less East and West): {said}.</p>'


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def _table(check: Check, rows: list[Under], here: str) -> str:
    told = [r.account for r in rows if r.account]
    items = [i for i in RULE_OF_ITEM if any(e.item == i for a in told for e in a.entries)]
    apart = parting(rows)
    own = check.rules.code if check.rules else ""
    head = "".join(_head(r, here, r.code == own) for r in rows)
    missing = any(a.missing for a in told)
    body = []
    for number, item in enumerate(items):
        parts = apart is not None and apart[0] == item
        mark = '<small class="part">here they part</small>' if parts else ""
        name = item_words(item)
        cells = "".join(
            _cell(r, item, here)
            if r.account
            else _cannot(r, len(items) + 2 + missing)
            if number == 0
            else ""
            for r in rows
        )
        body.append(
            f'<tr{" class=parts" if parts else ""}><th scope="row">{name[:1].upper()}{name[1:]}{mark}</th>{cells}</tr>'
        )
    for number, side in enumerate(Side):
        cells = "".join(
            _total(r, side)
            if r.account
            else _cannot(r, 2 + missing)
            if not items and number == 0
            else ""
            for r in rows
        )
        body.append(f'<tr class="sum"><th scope="row">{side.title}</th>{cells}</tr>')
    if missing:
        cells = "".join(
            f"<td><small>{html.escape(and_words(r.account.missing))}</small></td>"
            for r in rows
            if r.account
        )
        body.append(f'<tr><th scope="row">Not told</th>{cells}</tr>')
    return f'<table class="under"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _head(row: Under, here: str, own: bool) -> str:
    year = code_data(row.code)["date"][:4]
    when = "" if year in row.short else f"<small>{year}</small>"
    mark = f'<small class="own">{OWN}</small>' if own else ""
    return f'<th scope="col"><a href="{href(row.code, here)}">{html.escape(row.short)}</a>{when}{mark}</th>'


def _cannot(row: Under, height: int) -> str:
    return f'<td class="cannot" rowspan="{height}">Cannot be expressed: {html.escape(row.why or "")}.</td>'


def _cell(row: Under, item: str, here: str) -> str:
    assert row.account is not None
    entries = [_entry(e, row.code, here) for e in row.account.entries if e.item == item]
    return f"<td>{''.join(entries) or '<span class=none>–</span>'}</td>"


def _entry(entry: Entry, code: str, here: str) -> str:
    where = f"{SHORT[entry.side]}, {entry.column}"
    laws = law_links((*entry.laws, *entry.readings), here, code)
    return f'<div class="entry"><b>{entry.points}</b> <small>{where}</small><small>{html.escape(entry.reason)}</small><small class="laws">{laws}</small></div>'


def _total(row: Under, side: Side) -> str:
    assert row.account is not None
    columns = {c: row.account.points(side, c) for c in ("trick", "honour", "total")}
    split = ", ".join(f"{p} {c}" for c, p in columns.items() if p)
    return f"<td><b>{sum(columns.values())}</b>{f' <small>{split}</small>' if split else ''}</td>"
