"""Finding one's way in the laws: citing, searching, comparing, attaching, exporting.

- `read_citation`: the address that somebody means; `cite`: an address in one of `STYLES`
- `search`: the laws that answer a question; `find`: the irregularities that words may mean
- `silences`: what a code has not, and why
- `compare`: a topic or a law in several codes, as text in columns by `book.columns`;
  `concordance`: two codes as a whole
- `export`: the whole lawbook as JSON

`book.own_copies` finds the laws in a user's own copy of a book and stores their printed words.
"""

from oddtrick.book.compare import compare, concordance
from oddtrick.book.disputes import find
from oddtrick.book.export import export
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.search import search
from oddtrick.book.silences import silences
from oddtrick.book.write_citation import STYLES, cite

__all__ = [
    "STYLES",
    "Unread",
    "cite",
    "compare",
    "concordance",
    "export",
    "find",
    "read_citation",
    "search",
    "silences",
]
