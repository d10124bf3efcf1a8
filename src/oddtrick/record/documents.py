"""Files in our own notation as the `Record`s that the judge still reads. It goes with `adapter`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oddtrick.record.adapter import document_parts, group_of, record_of, unreadable_of
from oddtrick.record.deal import Deal
from oddtrick.record.deal import Group as NewGroup
from oddtrick.record.deal import Unreadable as NewUnreadable
from oddtrick.record.from_record import (
    claim_from,
    deal_of,
    document_of,
    group_from,
    honours_from,
    incident_from,
    packed,
    result_from,
)
from oddtrick.record.hand import read, write
from oddtrick.record.hand.read import lines_of
from oddtrick.record.model import (
    Call,
    Comment,
    Group,
    Header,
    HonoursClaim,
    Incident,
    Record,
    Result,
    TableClaim,
    Unreadable,
)

__all__ = [
    "Document",
    "adapted",
    "call_words",
    "claim_words",
    "honours_words",
    "incident_words",
    "lines_of",
    "read_document",
    "read_text",
    "records",
    "result_words",
    "write_document",
    "write_hand",
]


NO_HEADER = Header()


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: its deals and groups in order but for damaged ones, and what is unreadable.

    `header` is what the file states for all of them. `comments` are those outside every deal and
    group, anchored at `("start",)`, a statement of the header or `("end",)`.
    """

    items: tuple[Record | Group, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    header: Header = NO_HEADER
    comments: tuple[Comment, ...] = ()
    file: str = "-"


def _adapted(document: read.Document) -> Document:
    items = (group_of(i) if isinstance(i, NewGroup) else record_of(i) for i in document.items)
    header, comments = document_parts(document.source, document.header, document.comments)
    unreadable = tuple(map(unreadable_of, document.unreadable))
    return Document(tuple(items), unreadable, header, comments, document.source.name)


def read_document(data: bytes, file: str = "-") -> Document:
    """Read the bytes of a file; nothing raises."""
    return _adapted(read.read_document(data, file))


def adapted(
    items: Iterable[Deal | NewGroup | NewUnreadable],
) -> Iterator[Record | Group | Unreadable]:
    """What a reader gives, each deal as its record."""
    for item in items:
        if isinstance(item, Deal):
            yield record_of(item)
        else:
            yield group_of(item) if isinstance(item, NewGroup) else unreadable_of(item)


def read_text(text: str, file: str = "-") -> Document:
    """Read a text in our own notation; nothing raises."""
    return _adapted(read.read_text(text, file))


def records(document: Document) -> Iterator[Record]:
    """All the deals of a document in order, those in rubbers and matches too."""
    for item in document.items:
        yield from item.records if isinstance(item, Group) else (item,)


def write_document(document: Document) -> str:
    """The complete document, each statement where it stood; none that is damaged."""
    return write.write_document(document_of(document.items, document.header, document.comments))


def write_hand(items: Iterable[Record | Group]) -> str:
    """Deals and groups one after another, each with everything that holds for it."""
    return write.write_hand(group_from(i) if isinstance(i, Group) else deal_of(i) for i in items)


# --- values in words ------------------------------------------------------------------------------


def call_words(call: Call) -> str:
    """A call with its caller and marks: `south: 2 hearts!`."""
    return write.marked(
        write.call_words(packed(call), call.seat, call.corrects), call.mark, call.note
    )


def incident_words(incident: Incident) -> str:
    """The statement of an irregularity."""
    return write.incident_words(incident_from(incident))


def claim_words(claim: TableClaim) -> str:
    """`south claims the rest agreed`."""
    return write.claim_words(claim_from(claim))


def result_words(result: Result) -> str:
    """`9 tricks`, `3 odd`, `made 1`, `down 2`."""
    return write.result_words(result_from(result))


def honours_words(claim: HonoursClaim) -> str:
    """`north-south 5, 4 in one hand`."""
    return write.honours_words(honours_from(claim))
