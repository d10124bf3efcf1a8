"""The record: a deal as it is written, in every notation. Nothing is judged here.

`read` gives what the bytes of a file have in them, in order: a `Deal` for each deal, a `Group` for
a rubber or a match with its deals, an `Unreadable` (rule, message, place) for what cannot be
read; bad input never raises. `write` gives the text of records and groups back. `NOTATIONS` holds
both for every notation by its name, `hand`, `pbn` and `lin`, which is only read; what PBN cannot
say `convert` names. `read_paths` and `read_stream` read files, folders and standard input. A
`Document` is a file in our own notation, with what it states for all its deals and its
comments: `read_document`, `write_document`.

What a record does not say is `None`. Its calls, tricks, cards, claims and irregularities have ids
(`Item`) that are the same in every notation; where they stand in a file is their `Place`.
"""

from oddtrick.record.convert import Converted, converted
from oddtrick.record.deal import Deal, Group, Item, Place, Unreadable, deals_in
from oddtrick.record.hand.read import Document, read_document
from oddtrick.record.hand.write import write_document
from oddtrick.record.sources import (
    NOTATIONS,
    WRITTEN,
    Notation,
    RecordFile,
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
