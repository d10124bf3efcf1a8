"""Records of deals, read and written in every notation. Nothing is judged here.

`read` parses the bytes of a file into its items, in order: a `Deal` for each deal, a `Group` for
a rubber or a match with its deals, and an `Unreadable` (rule, message, place) for anything that
cannot be read. Bad input never raises. `write` returns the text of deals and groups. `NOTATIONS`
holds the readers and writers by notation: `hand`, `pbn` and `lin` (read only). `convert` also
lists what PBN cannot express. `read_paths` and `read_stream` read files, folders and standard
input. A `Document` is a file in our own notation, including its header and comments; see
`read_document` and `write_document`.

A field that the record does not state is `None`. Calls, tricks, cards, claims and irregularities
are identified by an `Item`, the same in every notation; a `Place` is a position in a file.
"""

from oddtrick.record.deal import Deal, Group, Item, Place, Unreadable, deals_in
from oddtrick.record.hand.read import Document, read_document
from oddtrick.record.hand.write import write_document
from oddtrick.record.sources import (
    NOTATIONS,
    WRITTEN,
    Converted,
    Notation,
    RecordFile,
    converted,
    read,
    read_paths,
    read_stream,
    write,
)

__all__ = [
    "NOTATIONS",
    "WRITTEN",
    "Converted",
    "Deal",
    "Document",
    "Group",
    "Item",
    "Notation",
    "Place",
    "RecordFile",
    "Unreadable",
    "converted",
    "deals_in",
    "read",
    "read_document",
    "read_paths",
    "read_stream",
    "write",
    "write_document",
]
