"""The checker in the reader's browser: one question in, one answer out, both JSON.

Run by Pyodide in a worker of the page "Check a hand" (`checker`, `check-worker.js`). Imports Lark,
Jinja and the standard library only, and reads the lawbook as the compiled JSON that was packed with
it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from oddtrick.book.write_citation import cite
from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.check import check as check_record
from oddtrick.judge.finding import Entry, Finding, Severity
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import number_words, verdict_words
from oddtrick.law.book import book
from oddtrick.law.book import install as use_lawbook
from oddtrick.law.model import UnknownCode
from oddtrick.record import RecordFile, converted, read_document, read_stream, records
from oddtrick.report.check import (
    after_lines,
    declared_lines,
    group_title,
    totals,
    tray_words,
    under_words,
    what_if_words,
    whole_words,
)
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream, summary
from oddtrick.site.deal import Deal, deal, marks_of
from oddtrick.site.kept import kept
from oddtrick.site.markup import upper
from oddtrick.site.own_copy import told_of
from oddtrick.site.tapped import shown, with_deal_begun
from oddtrick.site.template import environment, root
from oddtrick.terminal import Style, visible

PATH = "check.md"
"""The page that asks."""

WIDE = Style(width=10_000)
"""Sentences whole: the page breaks its lines itself."""

MARKS = {
    Severity.UNREADABLE: "✗",
    Severity.IRREGULAR: "✗",
    Severity.DISPUTED: "?",
    Severity.SILENT: "–",
    Severity.INCOMPLETE: "…",
    Severity.NOTE: "i",
}
"""The sign of a finding, the worst first."""

BEFORE, AFTER = 40, 60
"""How many characters of a line are shown around what a finding is about."""

_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)

Result = Check | GroupCheck | Finding


def install(lawbook: str) -> None:
    """Use the compiled lawbook in a file: nothing is compiled in a browser."""
    use_lawbook(json.loads(Path(lawbook).read_text("utf-8")))


def answer(question: str) -> str:
    """The answer to a question, both JSON.

    A question has `text` (the record, .hand, PBN or LIN), `code` (an id, or null: as the record
    says) and `options` (ids, only with a code), and which `deal` the table shows, from 0; one
    `of` the table asks for no more. The answer has what is `said` of it in a line, and either
    `wrong` or:

    - `html`: deals, rubbers and matches in order, with what the command line prints for the record
      as text and JSON;
    - `places`: for each finding in it, in order, where it is in the text (`place`);
    - `table`: the deal as the table shows it (`on_table`).
    """
    asked = json.loads(question)
    if asked.get("of") == "rubber":
        return json.dumps(kept(asked), ensure_ascii=False)
    if asked.get("of") == "book":
        return json.dumps(told_of(asked), ensure_ascii=False)
    code, options = asked.get("code") or None, list(asked.get("options") or ())
    try:
        if code:
            book().rules(code, options)
    except UnknownCode as error:
        return json.dumps({"wrong": True, "said": f"{upper(str(error))}."}, ensure_ascii=False)
    text = str(asked["text"])
    table = on_table(text, int(asked.get("deal") or 0), code, options)
    if asked.get("of") == "table":
        return json.dumps({"table": table}, ensure_ascii=False)
    made = {**_told(text, code, options), "table": table}
    return json.dumps(made, ensure_ascii=False)


def _told(text: str, code: str | None, options: Sequence[str]) -> dict[str, object]:
    """What the answer tells of a record: `html`, `places` and `said`."""
    results, tally, source = checked(text, code, options)
    numbers = {f: n for n, f in enumerate((f for r in results for f in _findings_of(r)), 1)}
    items = [_item(result, text.split("\n"), numbers) for result in results]
    findings = [found.finding for item in items for found in item.findings]
    html = (
        environment()
        .get_template("answer.html")
        .render(
            root=root(PATH),
            path=PATH,
            items=items,
            report="".join(
                as_text_stream(((source, r) for r in results), tally, Style(), full=True)
            ),
            json="".join(as_json_stream(results, tally)),
            cite=cite,
            sides=tuple(Side),
        )
    )
    said = visible(" ".join([summary(tally), *_counted(findings)]))
    return {"html": html, "places": [place(f, text) for f in findings], "said": said}


def checked(
    text: str, code: str | None, options: Sequence[str]
) -> tuple[list[Result], Tally, Sequence[str]]:
    """What is found in a record, the tally of it, and its lines."""
    source = _read(text)
    tally = Tally()
    results = list(tally.of_file(check_document(source.items, code, list(options) or None)))
    return results, tally, source.lines


def _read(text: str) -> RecordFile:
    # A PBN file that begins with a remark is known by its tags; .hand has no line that begins so.
    notation = "pbn" if _PBN.search(text) else None
    return read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", notation)


def on_table(
    text: str, wanted: int, code: str | None, options: Sequence[str]
) -> Mapping[str, object]:
    """A deal of a record as the table to tap shows it (`tapped.shown`).

    In another notation the record `converted` to this one, with what is `said` of it; where the
    deal cannot be read, `wrong` says why.
    """
    source = _read(text)
    if source.notation != "hand":
        made = converted(source.items, "hand", "record")
        return {"converted": made.text or "", "said": list(made.said)}
    document = read_document(text.encode("utf-8", "replace"))
    listed = list(records(document))
    if listed and (begun := with_deal_begun(text, listed[0].place)) != text:
        return on_table(begun, wanted, code, options)
    wrong = [u for u in document.unreadable if not (u.harmless or u.rule == "notation.empty")]
    if wrong and (not listed or any(u.about is None for u in wrong)):
        return {"wrong": f"Line {wrong[0].place.line}: {wrong[0].message}"}
    wanted = min(max(wanted, 0), max(len(listed) - 1, 0))
    check = check_record(listed[wanted], code, options or None) if listed else None
    return shown(document, text, wanted, check)


def _counted(findings: Iterable[Finding]) -> Iterator[str]:
    """How many findings there are, and what to do where the record names no code."""
    listed = list(findings)
    lacks = sum(f.severity is Severity.INCOMPLETE for f in listed)
    if count := len(listed) - lacks:
        yield f"{upper(number_words(count, 'finding'))}."
    if lacks:
        yield f"{upper(number_words(lacks, 'thing'))} the record does not say."
    if any(f.rule == "record.no-code" for f in listed):
        yield "The record names no code: choose one above."


# --- where a finding is ---------------------------------------------------------------------------


def place(finding: Finding, text: str) -> dict[str, object]:
    """Where a finding is in the text of the editor: its line, and from `start` to `end` in units of
    UTF-16.

    With its severity, its `mark`, its `rank` (the worst first) and its message; on line 0 it is
    nowhere.
    """
    where = finding.place
    lines = text.split("\n")
    line = where.line if where.line <= len(lines) else 0
    start = _units("\n".join(lines[: line - 1])) + (line > 1) if line else 0
    own = lines[line - 1] if line else ""
    begin, end = _columns(finding, own)
    return {
        "line": line,
        "start": start + _units(own[:begin]),
        "end": start + _units(own[:end]),
        "severity": finding.severity.value,
        "mark": MARKS[finding.severity],
        "rank": list(MARKS).index(finding.severity),
        "message": visible(finding.message),
    }


def _columns(finding: Finding, line: str) -> tuple[int, int]:
    """The part of its line that a finding is about, to the end of the line where it goes on."""
    where = finding.place
    begin = max(0, where.column - 1)
    end = where.end_column - 1 if where.end_line == where.line else len(line)
    return begin, max(end, begin)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


# --- as the page shows it -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with its number, its mark, its laws, and the line that it is about in three parts,
    the middle one marked.
    """

    finding: Finding
    number: int
    mark: str
    laws: tuple[str, ...]
    line: tuple[str, str, str] | None


@dataclass(frozen=True, slots=True)
class Item:
    """A deal, a rubber, a match, or a finding outside of them.

    `said` are sentences with their `laws`; `entries` those of the account (`None`: there is none to
    show), `sums` of each side what it has in each column, and `after` what the deal did to the
    rubber; `deal` is drawn with the numbers of the findings where they happened.
    """

    title: str
    findings: tuple[Found, ...]
    verdict: str = ""
    words: str = ""
    under: str = ""
    said: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    entries: tuple[Entry, ...] | None = None
    sums: tuple[tuple[tuple[int, str], ...], ...] = ()
    after: tuple[str, ...] = ()
    deal: Deal | None = None


Numbers = Mapping[Finding, int]
"""The number of each finding in the answer."""


def _findings_of(result: Result) -> tuple[Finding, ...]:
    return (result,) if isinstance(result, Finding) else result.findings


def _item(result: Result, lines: Sequence[str], numbers: Numbers) -> Item:
    if isinstance(result, Check):
        return _deal(result, lines, numbers)
    if isinstance(result, GroupCheck):
        return _group(result, lines, numbers)
    return Item("", _found([result], lines, numbers))


def _deal(check: Check, lines: Sequence[str], numbers: Numbers) -> Item:
    """A deal: title, code, verdict, the declaration in sentences with its laws, findings,
    account.
    """
    law, final = check.law, check.final
    title = check.record.tag("title")
    said = declared_lines(check, law, WIDE) if law and check.declared else []
    scored = check.account if check.declared and check.declared.final else None
    return Item(
        check.record.id + (f": {title}" if title else ""),
        _found(check.findings, lines, numbers),
        check.verdict.value,
        verdict_words(check.verdict),
        under_words(law).removeprefix("under ") if law else "",
        tuple(s.strip() for s in said if not s.startswith("  law:")),
        (*final.laws, *final.readings) if final else (),
        tuple(scored.entries) if scored else None,
        _sums(scored.entries) if scored and len(scored.entries) > 1 else (),
        (
            *(line.strip() for line in (after_lines(check) if scored else ())),
            *map(what_if_words, check.what_if),
        ),
        deal(check, marks_of(check.findings, numbers)),
    )


def _group(group: GroupCheck, lines: Sequence[str], numbers: Numbers) -> Item:
    """A rubber or match as a whole: what it comes to, in sentences, with its laws, entries and
    findings.
    """
    said = [*whole_words(group), *(tray_words(t) for t in group.trays)]
    return Item(
        group_title(group, WIDE),
        _found(group.findings, lines, numbers),
        said=(*(f"{upper(words)}." for words in said), *map(what_if_words, group.what_if)),
        laws=(*group.laws, *group.readings),
        entries=tuple(group.entries) or None,
    )


def _sums(entries: Iterable[Entry]) -> tuple[tuple[tuple[int, str], ...], ...]:
    """Of each side what it has in each column; in the total only where something is, and nothing
    where nothing is.
    """
    due = totals(entries)
    return tuple(
        tuple(
            (points, column) for column, points in due[side].items() if points or column != "total"
        )
        if any(due[side].values())
        else ()
        for side in Side
    )


def _found(
    findings: Iterable[Finding], lines: Sequence[str], numbers: Numbers
) -> tuple[Found, ...]:
    return tuple(
        Found(f, numbers[f], MARKS[f.severity], (*f.laws, *f.readings), _excerpt(f, lines))
        for f in findings
    )


def _excerpt(finding: Finding, lines: Sequence[str]) -> tuple[str, str, str] | None:
    """The line that a finding is about, cut around it; `None` for what is left out and for empty
    lines.
    """
    number = finding.place.line
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if not line.strip() or finding.severity is Severity.INCOMPLETE:
        return None
    begin, end = _columns(finding, line)
    end = max(end, begin + 1)
    before = line[max(0, begin - BEFORE) : begin]
    cut = "…" if begin > BEFORE else ""
    return cut + before, line[begin:end] or " ", line[end : end + AFTER]
