"""A check as JSON lines, as SARIF 2.1.0 and as accounts in CSV, in pieces.

Each form has two functions: one renders a single result, wherever it was judged, and one joins the
results.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import PurePath
from urllib.parse import quote

from oddtrick import __version__
from oddtrick.judge import Json
from oddtrick.law.book import book
from oddtrick.law.names import and_words
from oddtrick.report.check import grounds
from oddtrick.report.tally import Rendered, Tally, render_json
from oddtrick.report.words import missing_words

# --- JSON lines -----------------------------------------------------------------------------------


def render_line(result: Json) -> Rendered:
    """A result as a line: `{"record": {...}}`, `{"group": {...}}` or `{"finding": {...}}`."""
    rendered = render_json(result)
    return Rendered(rendered.kind, f'{{"{rendered.kind}": {rendered.text}}}\n')


def as_lines(results: Iterable[Rendered], tally: Tally) -> Iterator[str]:
    """JSON lines: each result as soon as it is known, then the summary."""
    for rendered in results:
        yield rendered.text
    yield json.dumps({"summary": tally.as_json()}, ensure_ascii=False) + "\n"


# --- SARIF ----------------------------------------------------------------------------------------

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {
    "unreadable": "error",
    "irregular": "error",
    "disputed": "warning",
    "silent": "warning",
    "incomplete": "note",
    "note": "note",
}
"""The SARIF level of each severity; `properties` contain the severity itself."""


def render_sarif(result: Json) -> Rendered:
    """The findings of a result as SARIF results, separated by commas."""
    found = [result] if "rule" in result else result["findings"]
    name = result["id"] if "verdict" in result else None
    results = (json.dumps(_sarif(f, name), ensure_ascii=False) for f in found)
    return Rendered("finding", ",\n".join(results))


def _sarif(finding: Json, record: str | None) -> dict[str, object]:
    where: dict[str, object] = {"artifactLocation": {"uri": _uri(finding["file"])}}
    line, column = finding["line"], finding["column"]
    region = {"startLine": line, "startColumn": column}
    if (finding["end_line"], finding["end_column"]) > (line, column):
        region |= {"endLine": finding["end_line"], "endColumn": finding["end_column"]}
    if line > 0:
        where["region"] = {name: number for name, number in region.items() if number > 0}
    location: dict[str, object] = {"physicalLocation": where}
    if record is not None:
        location["logicalLocations"] = [{"name": record, "kind": "record"}]
    out: dict[str, object] = {
        "ruleId": finding["rule"],
        "level": LEVELS[finding["severity"]],
        "message": {"text": finding["message"]},
        "locations": [location],
    }
    about = ("severity", "laws", "remedies", "readings")
    out["properties"] = {name: value for name in about if (value := finding.get(name))}
    return out


def _uri(file: str) -> str:
    """A file name as a URI reference, relative if the name is; `stdin` for `-`."""
    path = PurePath(file)
    if file == "-":
        return "stdin"
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def as_sarif(results: Iterable[Rendered], tally: Tally) -> Iterator[str]:
    """A SARIF log of one run, each result as soon as it is known.

    The rules come after the results, since only then is it known which occurred.
    """
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    yield json.dumps(head)[:-1] + ', "runs": [{"columnKind": "unicodeCodePoints", "results": ['
    first = True
    for rendered in results:
        if rendered.text:
            yield ("\n" if first else ",\n") + rendered.text
            first = False
    known = {f["id"]: f for f in book().data["vocabulary"]["findings"]}
    rules = [_rule(rule, known.get(rule)) for rule in sorted({rule for rule, _ in tally.found})]
    driver = {"name": "oddtrick", "version": __version__, "rules": rules}
    tool = json.dumps({"driver": driver}, ensure_ascii=False)
    yield f'\n], "tool": {tool}}}]}}\n'


def _rule(rule: str, known: dict[str, str] | None) -> dict[str, object]:
    if known is None:
        return {"id": rule}
    return {
        "id": rule,
        "shortDescription": {"text": known["label"]},
        "fullDescription": {"text": known["meaning"]},
    }


# --- accounts as CSV ------------------------------------------------------------------------------

COLUMNS = tuple("file line record code side column points reason laws verdict".split())


def render_csv(result: Json) -> Rendered:
    """The account of a record, one row for each entry; without entries, one row with the reason.

    For a rubber or match, the rows are the points added for the group.
    """
    if "rule" in result:
        return Rendered("finding", "")
    if "records" in result:
        kind, name = "group", f"{result['kind']} {result['name'] or ''}".rstrip()
        entries = result["entries"]
    else:
        kind, name, score = "record", result["id"], result["score"]
        entries = (score and score["entries"]) or [_no_entry(result)]
    verdict = result.get("verdict", "")
    where = (result["file"], result["line"], name, result["code"] or "")
    rows = ""
    for entry in entries:
        cells = [entry[name] for name in ("side", "column", "points", "reason")]
        rows += _row([*where, *cells, " ".join(grounds(entry)), verdict])
    return Rendered(kind, rows)


def _no_entry(deal: Json) -> Json:
    """In place of the entries of a deal that has none: the reason, without points."""
    why = deal["why"] if "why" in deal else deal["unscored"]
    if not why and (lacks := deal["score"]["lacks"]):
        why = f"the record does not say {and_words(missing_words(lacks))}"
    reason = f"not scored: {why}" if why else "nothing is scored"
    return {"side": "", "column": "", "points": "", "reason": reason, "laws": deal.get("laws", ())}


def under_csv(compared: Iterable[Json]) -> Iterator[str]:
    """The accounts of deals under several codes as CSV, with the columns of other accounts.

    Each deal has the keys `file`, `line`, `id` and `under`.
    """
    rows = ({**of, "verdict": "", **row} for of in compared for row in of["under"])
    return as_csv(map(render_csv, rows))


FORMULA = re.compile(r"(^|[,;|\t\r\n])([\s\"']*)(?=[=+\-@＝＋－＠])(?!.\Z)")
"""Text that a spreadsheet would interpret as a formula, with any separator."""


def _row(cells: Iterable[object]) -> str:
    """A row in the format of RFC 4180; text that looks like a formula is escaped."""
    text = StringIO()
    csv.writer(text).writerow(FORMULA.sub(r"\1\2'", c) if isinstance(c, str) else c for c in cells)
    return text.getvalue()


def as_csv(results: Iterable[Rendered]) -> Iterator[str]:
    """The accounts as CSV, each as soon as it is known."""
    yield _row(COLUMNS)
    for rendered in results:
        yield rendered.text
