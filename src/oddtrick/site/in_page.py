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
from typing import Any

from oddtrick.book.write_citation import cite
from oddtrick.cards import Side
from oddtrick.judge import Answer, as_json, check_document
from oddtrick.judge.answers import EntryJson, FindingJson, GroupJson, RecordJson
from oddtrick.judge.words import number_words, verdict_words
from oddtrick.law.book import book
from oddtrick.law.book import install as use_lawbook
from oddtrick.law.model import UnknownCode
from oddtrick.limits import PAGE
from oddtrick.record import RecordFile, converted, read_document, read_stream, records
from oddtrick.report.check import (
    after_words,
    declared_words,
    grounds,
    group_title,
    totals,
    totals_words,
    tray_words,
    under_words,
    what_if_words,
)
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream, summary
from oddtrick.site.deal import Deal, Numbered, deal, marks_of, numbered
from oddtrick.site.kept import kept
from oddtrick.site.markup import upper
from oddtrick.site.own_copy import told_of
from oddtrick.site.tapped import shown, with_deal_begun
from oddtrick.site.template import environment, root
from oddtrick.terminal import Style, visible

PATH = "check.md"
"""The page that asks."""

MARKS = {
    "unreadable": "✗",
    "irregular": "✗",
    "disputed": "?",
    "silent": "–",
    "incomplete": "…",
    "note": "i",
}
"""The sign of a finding, the worst first."""

BEFORE, AFTER = 40, 60
"""How many characters of a line are shown around what a finding is about."""

_PBN = re.compile(r'^\s*\[\s*[A-Za-z_]\w*\s+"', re.MULTILINE)


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
    answered = _answered(json.loads(question))
    if isinstance(said := answered.get("said"), str):
        answered["said"] = visible(said)
    return json.dumps(answered, ensure_ascii=False)


def _answered(asked: Mapping[str, Any]) -> dict[str, object]:
    if asked.get("of") == "book":
        return told_of(asked)
    if len(str(asked.get("text") or "")) > PAGE.most:
        return {"wrong": True, "said": PAGE.message()}
    if asked.get("of") == "rubber":
        return kept(asked)
    code, options = asked.get("code") or None, list(asked.get("options") or ())
    try:
        if code:
            book().rules(code, options)
    except UnknownCode as error:
        return {"wrong": True, "said": f"{upper(str(error))}."}
    text = str(asked["text"])
    table = on_table(text, int(asked.get("deal") or 0), code, options)
    if asked.get("of") == "table":
        return {"table": table}
    return {**_told(text, code, options), "table": table}


def _told(text: str, code: str | None, options: Sequence[str]) -> dict[str, object]:
    """What the answer tells of a record: `html`, `places` and `said`."""
    results, tally, source = checked(text, code, options)
    items = [_item(*pair, text.split("\n")) for pair in numbered(results)]
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
    said = " ".join([summary(tally), *_counted(findings)])
    return {"html": html, "places": [place(f, text) for f in findings], "said": said}


def checked(
    text: str, code: str | None, options: Sequence[str]
) -> tuple[list[Answer], Tally, Sequence[str]]:
    """The answers to a record, the tally of them, and its lines."""
    source, tally = _read(text), Tally()
    results = check_document(source.items, code, list(options) or None)
    return list(tally.of_file(map(as_json, results))), tally, source.lines


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
        return {"converted": made.text or "", "said": list(map(visible, made.said))}
    document = read_document(text.encode("utf-8", "replace"))
    listed = list(records(document))
    if listed and (begun := with_deal_begun(text, listed[0].place)) != text:
        return on_table(begun, wanted, code, options)
    wrong = [u for u in document.unreadable if not (u.harmless or u.rule == "notation.empty")]
    if wrong and (not listed or any(u.about is None for u in wrong)):
        return {"wrong": visible(f"Line {wrong[0].place.line}: {wrong[0].message}")}
    wanted = min(max(wanted, 0), max(len(listed) - 1, 0))
    if not listed:
        return shown(document, text, wanted, None)
    (check,) = check_document([listed[wanted]], code, list(options) or None)
    answer = as_json(check, "play")
    return shown(document, text, wanted, answer if "verdict" in answer else None)


def _counted(findings: Iterable[FindingJson]) -> Iterator[str]:
    """How many findings there are, and what to do where the record names no code."""
    listed = list(findings)
    lacks = sum(f["severity"] == "incomplete" for f in listed)
    if count := len(listed) - lacks:
        yield f"{upper(number_words(count, 'finding'))}."
    if lacks:
        yield f"{upper(number_words(lacks, 'thing'))} the record does not say."
    if any(f["rule"] == "record.no-code" for f in listed):
        yield "The record names no code: choose one above."


# --- where a finding is ---------------------------------------------------------------------------


def place(finding: FindingJson, text: str) -> dict[str, object]:
    """Where a finding is in the text of the editor: its line, and from `start` to `end` in units of
    UTF-16.

    With its severity, its `mark`, its `rank` (the worst first) and its message; on line 0 it is
    nowhere.
    """
    lines = text.split("\n")
    line = finding["line"] if finding["line"] <= len(lines) else 0
    start = _units("\n".join(lines[: line - 1])) + (line > 1) if line else 0
    own = lines[line - 1] if line else ""
    begin, end = _columns(finding, own)
    return {
        "line": line,
        "start": start + _units(own[:begin]),
        "end": start + _units(own[:end]),
        "severity": finding["severity"],
        "mark": MARKS[finding["severity"]],
        "rank": list(MARKS).index(finding["severity"]),
        "message": visible(finding["message"]),
    }


def _columns(finding: FindingJson, line: str) -> tuple[int, int]:
    """The part of its line that a finding is about, to the end of the line where it goes on."""
    begin = max(0, finding["column"] - 1)
    end = finding["end_column"] - 1 if finding["end_line"] == finding["line"] else len(line)
    return begin, max(end, begin)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


# --- as the page shows it -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with its number, its mark, and the line that it is about in three parts, the middle
    one marked.
    """

    finding: FindingJson
    number: int
    mark: str
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
    entries: list[EntryJson] | None = None
    sums: tuple[tuple[tuple[int, str], ...], ...] = ()
    after: tuple[str, ...] = ()
    deal: Deal | None = None


def _item(answer: Answer, findings: Sequence[Numbered], lines: Sequence[str]) -> Item:
    found = tuple(
        Found(f.finding, f.number, MARKS[f.finding["severity"]], _excerpt(f.finding, lines))
        for f in findings
    )
    if "rule" in answer:
        return Item("", found)
    if "records" in answer:
        return _group(answer, found)
    return _deal(answer, found, deal(answer, marks_of(findings)))


def _deal(record: RecordJson, found: tuple[Found, ...], drawn: Deal) -> Item:
    """A deal: title, code, verdict, the declaration in sentences with its laws, findings,
    account.
    """
    said, laws, result = declared_words(record) if record["auction"] else ("", [], "")
    score = record["score"] if record["declaration"] else None
    return Item(
        record["id"] + (f": {record['title']}" if record["title"] else ""),
        found,
        record["verdict"],
        verdict_words(record["verdict"]),
        under_words(record),
        tuple(words for words in (said, result) if words),
        tuple(laws),
        score["entries"] if score else None,
        _sums(score["entries"]) if score and len(score["entries"]) > 1 else (),
        (*(after_words(record) if score else ()), *map(what_if_words, record["what_if"])),
        drawn,
    )


def _group(group: GroupJson, found: tuple[Found, ...]) -> Item:
    """A rubber or match as a whole: what it comes to, in sentences, with its laws, entries and
    findings.
    """
    said = [*totals_words(group), *(tray_words(t) for t in group["trays"])]
    return Item(
        group_title(group, Style()),
        found,
        said=(*(f"{upper(words)}." for words in said), *map(what_if_words, group["what_if"])),
        laws=tuple(grounds(group)),
        entries=group["entries"] or None,
    )


def _sums(entries: Iterable[EntryJson]) -> tuple[tuple[tuple[int, str], ...], ...]:
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


def _excerpt(finding: FindingJson, lines: Sequence[str]) -> tuple[str, str, str] | None:
    """The line that a finding is about, cut around it; `None` for what is left out and for empty
    lines.
    """
    number = finding["line"]
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if not line.strip() or finding["severity"] == "incomplete":
        return None
    begin, end = _columns(finding, line)
    end = max(end, begin + 1)
    before = line[max(0, begin - BEFORE) : begin]
    cut = "…" if begin > BEFORE else ""
    return cut + before, line[begin:end] or " ", line[end : end + AFTER]
