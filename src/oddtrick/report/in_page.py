"""The checker in the reader's browser: one question in, one answer out, both JSON.

Run by Pyodide in a worker of the page "Check a hand" (`site_check`, `check-worker.js`). Imports
Lark and the standard library only, and reads the lawbook as the compiled JSON that was packed with
it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from typing import Any

from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry, Finding
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import verdict_words
from oddtrick.law import store
from oddtrick.law.in_force import UnknownCode, in_force
from oddtrick.law.names import cited, exists, path_of
from oddtrick.record.sources import read_stream
from oddtrick.report.check import (
    after_lines,
    declared_lines,
    group_title,
    totals,
    tray_words,
    under_words,
    whole_words,
)
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream, summary
from oddtrick.terminal import Style

Json = dict[str, Any]

WIDE = Style(width=10_000)
"""Sentences whole: the page breaks its lines itself."""

_ADDRESS = re.compile(r"[a-z][a-z0-9-]*:[a-z0-9.-]*[a-z0-9]")
_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)


def install(lawbook: str) -> None:
    """Have the laws read from a folder of compiled law data, so that nothing is compiled in the
    browser.
    """
    store.use(lawbook)


def answer(question: str) -> str:
    """The answer to a question, both JSON.

    A question has `text` (the record, .hand or PBN), `code` (an id, or null: as the record says)
    and `options` (ids, only with a code). The answer has either `wrong`, a sentence, or:

    - `json`: the text that `oddtrick check --format json` gives for the same record;
    - `report`: what `oddtrick check --full` prints for it;
    - `summary`: the verdicts counted, in words;
    - `items`: deals, rubbers and matches in order, as the page shows them;
    - `links`: for every address named, its `path` on the site and the citation in `words`.
    """
    asked = json.loads(question)
    code, options = asked.get("code") or None, list(asked.get("options") or ())
    try:
        if code:
            in_force(code, options)
    except UnknownCode as error:
        message = str(error)
        return json.dumps({"wrong": f"{message[:1].upper()}{message[1:]}."}, ensure_ascii=False)
    text = str(asked["text"])
    # A PBN file that begins with a remark is known by its tags; .hand has no line that begins so.
    notation = "pbn" if _PBN.search(text) else None
    source = read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", notation)
    tally = Tally()
    results = list(tally.of_file(check_document(source.items, code, options or None)))
    made: Json = {
        "json": "".join(as_json_stream(results, tally)),
        "report": "".join(
            as_text_stream(((source.lines, r) for r in results), tally, Style(), full=True)
        ),
        "summary": summary(tally),
        "items": [_item(r) for r in results],
        "links": {},
    }
    for address in sorted(_addresses(made["items"])):
        made["links"][address] = {"path": path_of(address), "words": cited(address)}
    return json.dumps(made, ensure_ascii=False)


def _item(result: Check | GroupCheck | Finding) -> Json:
    if isinstance(result, Check):
        return _deal(result)
    if isinstance(result, GroupCheck):
        return _group(result)
    return _loose(result)


def _deal(check: Check) -> Json:
    """A deal: title, code, verdict, the declaration with its laws, findings, account."""
    rules, final = check.rules, check.final
    title = check.record.tag("title")
    said = declared_lines(check, rules, WIDE) if rules and check.declared else []
    scored = check.account if check.declared and check.declared.final else None
    return {
        "kind": "deal",
        "title": check.record.id + (f": {title}" if title else ""),
        "line": check.record.place.line,
        "under": under_words(rules).removeprefix("under ") if rules else "",
        "verdict": check.verdict.value,
        "words": verdict_words(check.verdict),
        "said": [s.strip() for s in said if not s.startswith("  law:")],
        "laws": [*final.laws, *final.readings] if final else [],
        "findings": [_finding(f) for f in check.findings],
        "entries": [_entry(e) for e in scored.entries] if scored else None,
        "totals": {s.value: sums for s, sums in totals(scored.entries).items()} if scored else None,
        "after": [line.strip() for line in after_lines(check)] if scored else [],
    }


def _group(group: GroupCheck) -> Json:
    """A rubber or match as a whole: what it comes to, in sentences, with its laws, entries and
    findings.
    """
    said = [*whole_words(group), *(tray_words(t) for t in group.trays)]
    return {
        "kind": "group",
        "title": group_title(group, WIDE),
        "line": group.group.place.line,
        "said": [f"{words[:1].upper()}{words[1:]}." for words in said],
        "laws": [*group.laws, *group.readings],
        "findings": [_finding(f) for f in group.findings],
        "entries": [_entry(e) for e in group.entries] or None,
        "totals": None,
        "after": [],
    }


def _loose(finding: Finding) -> Json:
    """A finding outside every deal."""
    return {
        "kind": "loose",
        "title": "",
        "line": finding.place.line,
        "findings": [_finding(finding)],
        "laws": [],
    }


def _finding(finding: Finding) -> Json:
    return finding.as_json() | {"readings": list(finding.readings)}


def _entry(entry: Entry) -> Json:
    return entry.as_json() | {"readings": list(entry.readings)}


def _addresses(items: Iterable[Json]) -> set[str]:
    """Every law and reading that the items name."""
    found: set[str] = set()
    for item in items:
        found.update(item["laws"])
        for part in (*item["findings"], *(item.get("entries") or ())):
            found.update(part["laws"], part["readings"])
            said = " ".join((part.get("message", ""), *part.get("remedies", ())))
            found.update(a for a in _ADDRESS.findall(said) if exists(a))
    return found
