"""The record: a deal as it is written, in every notation. Nothing is judged here.

`read` gives what the bytes of a file have in them, in order: a `Record` for each deal, a `Group`
for a rubber or a match with its records, an `Unreadable` (rule, message, place) for what cannot be
read; bad input never raises. `write` gives the text of records and groups back. `NOTATIONS` holds
both for every notation by its name, `hand`, `pbn` and `lin`, which is only read; what PBN cannot
say `convert` names. `read_paths` and `read_stream` read files, folders and standard input. A
`Document` is a whole file in our own notation, with what it states for all its deals and its
comments: `read_document`, `write_document`.

What a record does not say is `None`. Its calls, tricks, cards, claims and irregularities have ids
(`Item`) that are the same in every notation; where they stand in a file is their `Place`.
"""

from oddtrick.record.convert import Converted, converted
from oddtrick.record.documents import Document, read_document, records, write_document
from oddtrick.record.model import Group, Item, Place, Record, Unreadable
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
    "Document",
    "Group",
    "Item",
    "Notation",
    "Place",
    "Record",
    "RecordFile",
    "Unreadable",
    "converted",
    "read",
    "read_document",
    "read_paths",
    "read_stream",
    "records",
    "write",
    "write_document",
]
