"""The record: a deal as it is written, in every notation. Nothing is judged here.

`read` gives what the bytes of a file have in them, in order: a `Record` for each deal, a `Group`
for a rubber or a match with its records, an `Unreadable` (rule, message, place) for what cannot be
read; bad input never raises. `write` gives the text of records and groups back. `NOTATIONS` holds
both for every notation by its name, `hand` and `pbn`; what one of them cannot say `convert` names.
`sources` reads files, folders and standard input.

What a record does not say is `None`. Its calls, tricks, cards, claims and irregularities have ids
(`Item`) that are the same in every notation; where they stand in a file is their `Place`.
"""

from oddtrick.record.convert import Converted, converted
from oddtrick.record.model import Group, Item, Place, Record, Unreadable
from oddtrick.record.sources import (
    NOTATIONS,
    Notation,
    RecordFile,
    read,
    read_paths,
    read_stream,
    write,
)

__all__ = [
    "NOTATIONS",
    "Converted",
    "Group",
    "Item",
    "Notation",
    "Place",
    "Record",
    "RecordFile",
    "Unreadable",
    "converted",
    "read",
    "read_paths",
    "read_stream",
    "write",
]
