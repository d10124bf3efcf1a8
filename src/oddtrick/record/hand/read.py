"""Our own notation, `.hand`: a text becomes records, and every place that cannot be read a finding.

Two steps: the lines are sorted into deals, rubbers and matches, each line by itself, so that a mistake
costs its deal and nothing more (`notation_scopes`); then the statements of each are put together
(`notation_assemble`). `docs/notation.md` describes the notation. Nothing is judged here.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from oddtrick.judge.finding import Finding, Severity
from oddtrick.record.model import Comment, Group, Header, Place, Record, Stated

CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
NO_HEADER = Header()
BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: its deals and groups in order, and what could not be read.

    `header` is what the file states for all of them. `comments` are those outside every deal and group,
    anchored at `("start",)`, a statement of the header or `("end",)`. `unread` names damaged deals; they
    are not in `items`, and a group that has one names it too.
    """

    items: tuple[Record | Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    header: Header = NO_HEADER
    comments: tuple[Comment, ...] = ()
    unread: tuple[Stated[str], ...] = ()
    file: str = "-"


def records(document: Document) -> Iterator[Record]:
    """All the deals of a document in order, those in rubbers and matches too."""
    for item in document.items:
        if isinstance(item, Group):
            yield from item.records
        else:
            yield item


def lines_of(text: str) -> list[str]:
    """The lines of a text as findings count them: only carriage returns and line feeds end a line."""
    return BREAK.split(text.removeprefix("\ufeff"))


def read_bytes(data: bytes, file: str = "-") -> Document:
    """Read a file as it lies on the disk: UTF-8 with or without a mark, any line ends.

    What is not text gives a document with one finding; nothing raises.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _not_text("This file is text in UTF-16. Save it as UTF-8.", Place(1, 1, 1, 2), file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = lines_of(data[: error.start].decode("utf-8", "replace"))
        place = Place(len(before), len(before[-1]) + 1, len(before), len(before[-1]) + 2)
        if CONTROL.search(data.decode("latin-1")):
            return _not_text("This is not text.", place, file)
        if error.end == len(data) and error.reason == "unexpected end of data":
            return _not_text("The file is cut off in the middle of a letter.", place, file)
        byte = data[error.start]
        return _not_text(f"The byte {byte:02x} is not UTF-8. Save the file as UTF-8.", place, file)
    return read_hand(text, file)


def _not_text(message: str, place: Place, file: str) -> Document:
    return Document(
        (),
        (Finding("notation.not-text", Severity.UNREADABLE, message, (), file, place),),
        file=file,
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Reading makes no cycles: the collector would walk over all that is read, again and again, for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_hand(text: str, file: str = "-") -> Document:
    """Read a text in our own notation. What cannot be read is among the findings; nothing raises."""
    if control := CONTROL.search(text):
        before = lines_of(text[: control.start()])
        place = Place(len(before), len(before[-1]) + 1, len(before), len(before[-1]) + 2)
        return _not_text("This is not text: it has control characters in it.", place, file)
    from oddtrick.record.hand.assemble import assembled
    from oddtrick.record.hand.scopes import Reading

    with _without_collector():
        reading = Reading(file)
        for number, line in enumerate(lines_of(text), 1):
            reading.line(number, line)
            if reading.over:
                break
        reading.finish(empty=not text.strip("\ufeff \t\r\n"))
        items, header, comments, unread = assembled(reading.root, file)
    return Document(items, tuple(reading.findings), header, comments, unread, file)
