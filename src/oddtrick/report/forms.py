"""A check as lines of JSON, as SARIF 2.1.0 and as a sheet of accounts in CSV, in pieces.

Each form is two functions: one tells a result by itself, wherever it was judged, and one puts what
was told one behind the other.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import PurePath
from urllib.parse import quote

from oddtrick import __version__
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.law.book import book
from oddtrick.report.tally import Result, Said, Tally, json_told

# --- a line of JSON for each result ---------------------------------------------------------------


def line_told(result: Result) -> Said:
    """A result as a line: `{"record": {...}}`, `{"group": {...}}` or `{"finding": {...}}`."""
    said = json_told(result)
    return Said(said.kind, f'{{"{said.kind}": {said.text}}}\n')


def as_lines(results: Iterable[Said], tally: Tally) -> Iterator[str]:
    """JSON lines: each result as soon as it is known, the summary as the last."""
    for said in results:
        yield said.text
    yield json.dumps({"summary": tally.as_json()}, ensure_ascii=False) + "\n"


# --- SARIF ----------------------------------------------------------------------------------------

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {
    Severity.UNREADABLE: "error",
    Severity.IRREGULAR: "error",
    Severity.DISPUTED: "warning",
    Severity.SILENT: "warning",
    Severity.INCOMPLETE: "note",
    Severity.NOTE: "note",
}
"""The level that a code host shows for a severity; `properties` keep the severity itself."""


def sarif_told(result: Result) -> Said:
    """The findings of a result as SARIF results, with commas between."""
    found = [result] if isinstance(result, Finding) else result.findings
    name = result.record.id if isinstance(result, Check) else None
    told = (json.dumps(_sarif(f, name), ensure_ascii=False) for f in found)
    return Said("finding", ",\n".join(told))


def _sarif(finding: Finding, record: str | None) -> dict[str, object]:
    """A finding as a SARIF result; lines and columns count from 1, columns in characters."""
    where: dict[str, object] = {"artifactLocation": {"uri": _uri(finding.file)}}
    place = finding.place
    if place.line > 0:
        region = {"startLine": place.line}
        if place.column > 0:
            region |= {"startColumn": place.column}
        if (place.end_line, place.end_column) > (place.line, place.column):
            region |= {"endLine": place.end_line}
            region |= {"endColumn": place.end_column} if place.end_column > 0 else {}
        where["region"] = region
    location: dict[str, object] = {"physicalLocation": where}
    if record is not None:
        location["logicalLocations"] = [{"name": record, "kind": "record"}]
    out: dict[str, object] = {
        "ruleId": finding.rule,
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
    }
    about = {
        "severity": finding.severity.value,
        "laws": list(finding.laws),
        "remedies": list(finding.remedies),
        "readings": list(finding.readings),
    }
    out["properties"] = {name: value for name, value in about.items() if value}
    return out


def _uri(file: str) -> str:
    """The name of a file as a reference: relative where the name is, `stdin` for `-`."""
    path = PurePath(file)
    if file == "-":
        return "stdin"
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def as_sarif(results: Iterable[Said], tally: Tally) -> Iterator[str]:
    """A SARIF log of one run, each result as soon as it is known.

    The rules stand behind the results, for only then it is known which were met.
    """
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    yield json.dumps(head)[:-1] + ', "runs": [{"columnKind": "unicodeCodePoints", "results": ['
    first = True
    for said in results:
        if said.text:
            yield ("\n" if first else ",\n") + said.text
            first = False
    known = {f["id"]: f for f in book().data["vocabulary"]["findings"]}
    rules = [_rule(rule, known.get(rule)) for rule in sorted({rule for rule, _ in tally.found})]
    driver = {"name": "oddtrick", "version": __version__, "rules": rules}
    tool = json.dumps({"driver": driver}, ensure_ascii=False)
    yield f'\n], "tool": {tool}}}]}}\n'


def _rule(rule: str, known: dict[str, str] | None) -> dict[str, object]:
    """A rule as SARIF describes it; of what a notation is read by, the id alone."""
    if known is None:
        return {"id": rule}
    return {
        "id": rule,
        "shortDescription": {"text": known["label"]},
        "fullDescription": {"text": known["meaning"]},
    }


# --- accounts as CSV ------------------------------------------------------------------------------

COLUMNS = ("file", "line", "record", "code", "side", "column", "points", "reason", "laws")


def csv_told(result: Result) -> Said:
    """The account of a record, a row for each entry; of a rubber or match what is added for it."""
    if isinstance(result, Finding):
        return Said("finding", "")
    law = result.law.code if result.law else ""
    if isinstance(result, Check):
        kind, entries = "record", result.account.entries if result.account else ()
        where = (result.record.file, result.record.place.line, result.record.id)
    else:
        kind, entries, group = "group", result.entries, result.group
        begin = result.checks[0].record if result.checks else None
        file, line = (begin.file, begin.place.line) if begin else ("", 0)
        where = (file, line, f"{group.kind} {group.name or ''}".rstrip())
    rows = (
        (*where, law, e.side.value, e.column, e.points, e.reason, " ".join((*e.laws, *e.readings)))
        for e in entries
    )
    return Said(kind, "".join(_row(row) for row in rows))


def _row(cells: Iterable[object]) -> str:
    """A row as RFC 4180 has it; a cell that a spreadsheet would take for a formula is text."""
    text = StringIO()
    csv.writer(text).writerow(
        f"'{c}" if isinstance(c, str) and c[1:] and c[0] in "=+-@\t\r" else c for c in cells
    )
    return text.getvalue()


def as_csv(results: Iterable[Said]) -> Iterator[str]:
    """The accounts as CSV, each as soon as it is known."""
    yield _row(COLUMNS)
    for said in results:
        yield said.text
