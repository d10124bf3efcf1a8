"""The page "Your own copy": a reader supplies the text of his own book, and the pages of the laws
show its words beside the restatement.

Python in the reader's browser finds the laws in the text, as `oddtrick sources add` does; the page
stores them in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping

from oddtrick.book.own_copies import copies, count_words
from oddtrick.law.book import book
from oddtrick.limits import COPY
from oddtrick.terminal import in_a_line, visible


def found_in(asked: Mapping[str, object]) -> dict[str, object]:
    """The laws found in a `text` from a `file`: `copies` or `failed`, and a `status` line.

    Each copy has its `code`, the short name of the code (`short`), the `file`, a line with the
    number of laws found (`said`), and `laws`, the printed words by number.
    """
    text, file = str(asked.get("text") or ""), in_a_line(str(asked.get("file") or "book.txt"))
    if len(text) > COPY.most:
        return {"failed": True, "status": COPY.message(name="The file")}
    found = [
        {
            "code": one.code,
            "short": book().code(one.code).short,
            "file": one.file,
            "said": count_words(one),
            "laws": {number: visible(words) for number, words in one.laws.items()},
        }
        for one in copies(text, file)
    ]
    if not found:
        words = "No laws of any of these codes were found in it. Is it the book, as plain text?"
        return {"failed": True, "status": words}
    return {"status": f"Found: {'; '.join(str(one['said']) for one in found)}.", "copies": found}
