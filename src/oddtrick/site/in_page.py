"""The checker in the reader's browser: one question in, one answer out, both as JSON.

Pyodide runs it in a worker of the page "Check a hand" (`checker`, `check-worker.js`). It imports
only Lark, Jinja and the standard library, and loads the lawbook from the compiled JSON in the same
zip.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from oddtrick.judge import check_document
from oddtrick.law.book import book
from oddtrick.law.book import install as use_lawbook
from oddtrick.law.lawbook import Book
from oddtrick.law.model import UnknownCode
from oddtrick.limits import PAGE
from oddtrick.report.answers import as_json
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream, summary
from oddtrick.rulings.words import upper
from oddtrick.site.check import checked
from oddtrick.site.rubber_text import rubber_answer
from oddtrick.site.table import read_source
from oddtrick.site.taps import on_table
from oddtrick.site.template import rendered
from oddtrick.terminal import Style, visible

PATH = "check.md"
"""The page to which the links in an answer are relative."""


def install(lawbook: str) -> None:
    """Load the compiled lawbook from a file, since the browser does not compile it."""
    use_lawbook(Book(json.loads(Path(lawbook).read_text("utf-8"))))


def answer(question: str) -> str:
    """The answer to a question, both as JSON.

    `of` selects the kind of question: `rubber` (`rubber_text`), `table`, or,
    if missing, a check. A question about the table or a check has the `text` of a record (.hand,
    PBN or LIN), the `code` (an id, or null for the code that the record names), `options` (ids,
    only with a code), the `view` of the table and the `taps` on it.

    The answer has `failed` (true, with the reason in `status`) or the `table` (`on_table`). A check
    also has `html` and a `status` line.
    """
    asked = json.loads(question)
    if len(str(asked.get("text") or "")) > PAGE.most:
        return json.dumps({"failed": True, "status": PAGE.message()}, ensure_ascii=False)
    answer = rubber_answer(asked) if asked.get("of") == "rubber" else _judged(asked)
    if isinstance(words := answer.get("status"), str):
        answer["status"] = visible(words)
    return json.dumps(answer, ensure_ascii=False)


def _judged(asked: Mapping[str, Any]) -> dict[str, object]:
    text, code = str(asked["text"]), asked.get("code") or None
    options = list(asked.get("options") or ())
    try:
        if code:
            book().rules(code, options)
    except UnknownCode as error:
        return {"failed": True, "status": f"{upper(str(error))}."}
    table = on_table(text, asked.get("view"), asked.get("taps") or (), code, options)
    return {"table": table} | ({} if asked.get("of") == "table" else report(text, code, options))


def report(text: str, code: str | None, options: Sequence[str]) -> dict[str, object]:
    """The check of a record as `html`, and a `status` line."""
    found, tally = check_document(read_source(text).items, code, list(options) or None), Tally()
    results = list(tally.of_file(map(as_json, found)))
    html = rendered(
        "answer",
        PATH,
        checked=checked(results),
        report="".join(as_text_stream(results, tally, Style(), full=True)),
        json="".join(as_json_stream(results, tally)),
    )
    verdict = summary(tally).replace("1 record: 1 ", "Verdict: ")
    return {"html": html, "status": verdict}
