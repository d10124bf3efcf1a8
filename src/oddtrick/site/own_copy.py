"""The page "Your own copy": a reader gives the text of his own book, and the pages of the laws show
its words beside the restatement.

Python in the reader's browser (`told_of`, by the worker of "Check a hand") finds the laws, as
`oddtrick sources add` does; the page keeps them on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping

from oddtrick.book.own_copies import Attached, copies, count_words
from oddtrick.law.book import book
from oddtrick.limits import COPY
from oddtrick.terminal import in_a_line, visible


def told_of(asked: Mapping[str, object]) -> dict[str, object]:
    """What a text has of the laws: `text` and the name of its `file` in; out what is `said`, and
    `copies` or `wrong`.

    A copy has its `code`, the `file`, a line that counts it, and its `laws`: the printed words by
    number.
    """
    text, file = str(asked.get("text") or ""), in_a_line(str(asked.get("file") or "book.txt"))
    if len(text) > COPY.most:
        return {"wrong": True, "said": COPY.message(name="The file")}
    found = copies(text, file)
    if not found:
        said = "The laws of no code could be found in it. Is it the book, as plain text?"
        return {"wrong": True, "said": said}
    lines = [count_words(one) for one in found]
    return {"said": "Found: " + "; ".join(lines) + ".", "copies": [*map(_copy, found)]}


def _copy(found: Attached) -> dict[str, object]:
    return {
        "code": found.code,
        "short": book().code(found.code).short,
        "file": found.file,
        "said": count_words(found),
        "laws": {number: visible(words) for number, words in found.laws.items()},
    }
