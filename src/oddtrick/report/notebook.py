"""Deals and checks as HTML, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from oddtrick.judge import Check
from oddtrick.judge.answers import EntryJson, FindingJson
from oddtrick.record.deal import Deal
from oddtrick.record.hand.write import write_hand
from oddtrick.report.answers import as_json
from oddtrick.report.check import auction_table, declared_words, diagram, grounds
from oddtrick.report.words import verdict_words


def install() -> None:
    """Give `Deal` and `Check` the method that notebooks call, since their packages may not import
    `report`.
    """
    Deal._repr_html_ = deal_html  # type: ignore[attr-defined]
    Check._repr_html_ = check_html  # type: ignore[attr-defined]


def deal_html(deal: Deal) -> str:
    """A deal in the notation of `.hand` files."""
    return _text(write_hand([deal]).splitlines())


def check_html(check: Check) -> str:
    """The deal, the auction, the verdict, the findings and the account."""
    record = as_json(check)
    name = record["id"] + (f": {record['title']}" if record["title"] else "")
    out = [f"<h4>{escape(name)}</h4>"]
    auction, score = record["auction"], record["score"]
    drawn = diagram(record)
    if auction and (table := auction_table(auction)):
        drawn += ["", *table]
    out += [_text(drawn)] if drawn else []
    if auction:
        words, _, result = declared_words(record)
        out.append(f"<p>{escape(' '.join(w for w in (words, result) if w))}</p>")
    out.append(f"<p><b>Verdict: {escape(verdict_words(record['verdict']))}</b></p>")
    if record["findings"]:
        out.append(f"<ul>{''.join(map(_finding, record['findings']))}</ul>")
    if score and score["entries"]:
        out.append(_account(score["entries"]))
    return "\n".join(out)


def _text(lines: Iterable[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _finding(finding: FindingJson) -> str:
    laws = ", ".join(grounds(finding))
    head = f"<code>{finding['rule']}</code> {finding['severity']}: {escape(finding['message'])}"
    return f"<li>{head}{f' ({escape(laws)})' if laws else ''}</li>"


def _account(entries: Iterable[EntryJson]) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("Side", "Column", "Points", "For", "Law"))
    rows = (
        (e["side"], e["column"], str(e["points"]), e["reason"], ", ".join(grounds(e)))
        for e in entries
    )
    body = "".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
