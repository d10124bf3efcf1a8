"""The checker in the reader's browser: one question in, one answer out, both JSON.

Run by Pyodide in a worker of the page "Check a hand" (`checker`, `check-worker.js`). Imports Lark,
Jinja and the standard library only, and reads the lawbook as the compiled JSON that was packed with
it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from oddtrick.judge import Answer, check_document
from oddtrick.judge.answers import FindingJson
from oddtrick.law.book import book
from oddtrick.law.book import install as use_lawbook
from oddtrick.law.model import UnknownCode
from oddtrick.limits import PAGE
from oddtrick.report.answers import as_json
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream, summary
from oddtrick.report.words import number_words
from oddtrick.site.check import checked
from oddtrick.site.markup import upper
from oddtrick.site.own_copy import found_in
from oddtrick.site.rubber_text import rubber_answer
from oddtrick.site.table import on_table, read_source
from oddtrick.site.template import rendered
from oddtrick.terminal import Style, visible

PATH = "check.md"
"""The page that sends the questions."""


def install(lawbook: str) -> None:
    """Use the compiled lawbook in a file: nothing is compiled in a browser."""
    use_lawbook(json.loads(Path(lawbook).read_text("utf-8")))


def answer(question: str) -> str:
    """The answer to a question, both JSON.

    A question is `of` a rubber (`rubber_text`), a book (`own_copy`), the table or, without `of`, a
    check. The last two have the `text` of a record (.hand, PBN or LIN), `code` (an id, or null: as
    the record says), `options` (ids, only with a code) and the `view` of the table with the `taps`
    on it. The answer has a line `said`, and either `wrong` or `html`, the `findings` in it, in
    order, and the `table` (`on_table`).
    """
    asked = json.loads(question)
    if len(str(asked.get("text") or "")) > PAGE.most and asked.get("of") != "book":
        return json.dumps({"wrong": True, "said": PAGE.message()}, ensure_ascii=False)
    answer = dict(ANSWERS[asked.get("of")](asked))
    if isinstance(words := answer.get("said"), str):
        answer["said"] = visible(words)
    return json.dumps(answer, ensure_ascii=False)


def _judged(asked: Mapping[str, Any], with_report: bool) -> Mapping[str, object]:
    text, code = str(asked["text"]), asked.get("code") or None
    options = list(asked.get("options") or ())
    try:
        if code:
            book().rules(code, options)
    except UnknownCode as error:
        return {"wrong": True, "said": f"{upper(str(error))}."}
    table = on_table(text, asked.get("view"), asked.get("taps") or (), code, options)
    return {**(report(text, code, options) if with_report else {}), "table": table}


ANSWERS: dict[str | None, Callable[[Mapping[str, Any]], Mapping[str, object]]] = {
    "rubber": rubber_answer,
    "book": found_in,
    "table": lambda asked: _judged(asked, with_report=False),
    None: lambda asked: _judged(asked, with_report=True),
}


def report(text: str, code: str | None, options: Sequence[str]) -> dict[str, object]:
    """The check of a record: `html`, its `findings`, and a line on it (`said`)."""
    results, tally, lines = judged(text, code, options)
    listed = checked(results)
    findings = [finding for one in listed for _, finding in one.findings]
    html = rendered(
        "answer",
        PATH,
        checked=listed,
        report="".join(as_text_stream(((lines, r) for r in results), tally, Style(), full=True)),
        json="".join(as_json_stream(results, tally)),
    )
    words = " ".join([summary(tally), *_counted(findings)])
    return {"html": html, "findings": findings, "said": words}


def judged(
    text: str, code: str | None, options: Sequence[str]
) -> tuple[list[Answer], Tally, Sequence[str]]:
    """The answers to a record, the tally of them, and its lines."""
    source, tally = read_source(text), Tally()
    results = check_document(source.items, code, list(options) or None)
    return list(tally.of_file(map(as_json, results))), tally, source.lines


def _counted(findings: Iterable[FindingJson]) -> Iterator[str]:
    """How many findings there are, and what to do if the record names no code."""
    listed = list(findings)
    lacks = sum(f["severity"] == "incomplete" for f in listed)
    if count := len(listed) - lacks:
        yield f"{upper(number_words(count, 'finding'))}."
    if lacks:
        yield f"The record does not state {number_words(lacks, 'thing')}."
    if any(f["rule"] == "record.no-code" for f in listed):
        yield "The record names no code: choose one above."
