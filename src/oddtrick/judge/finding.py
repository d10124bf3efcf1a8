"""What the checker answers: findings, score entries and verdicts, each with its laws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from oddtrick.cards import Side
from oddtrick.record.model import NOWHERE, Item, Place, Stated, Unreadable


class Severity(Enum):
    """How grave a finding is, by what it says of the record. A note tells of what the law lets stand; it is no fault."""

    UNREADABLE = "unreadable"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    SILENT = "silent"
    INCOMPLETE = "incomplete"
    NOTE = "note"


class Verdict(Enum):
    """What a whole check comes to."""

    LEGAL = "legal"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: a stable rule id (phase, dot, the offence), its place, and the laws behind it.

    `item` is the id of the call, trick, card, claim or irregularity that it is about, `None` where it
    is about anything else or the whole. `about` is the deal that a reader's finding belongs to, by its
    name and where it begins; `None` where it is of the file.
    """

    rule: str
    severity: Severity
    message: str
    laws: tuple[str, ...] = ()
    file: str = "-"
    place: Place = NOWHERE
    remedies: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    about: Stated[str] | None = None
    item: Item | None = None

    def as_json(self) -> dict[str, Any]:
        """The finding as the JSON of a check gives it."""
        out: dict[str, Any] = {
            "rule": self.rule,
            "severity": self.severity.value,
            "file": self.file,
            "line": self.place.line,
            "column": self.place.column,
            "end_line": self.place.end_line,
            "end_column": self.place.end_column,
            "message": self.message,
            "laws": list(self.laws),
            "remedies": list(self.remedies),
        }
        if self.readings:
            out["readings"] = list(self.readings)
        return out


def finding_of(what: Unreadable) -> Finding:
    """The finding that tells of what cannot be read; incomplete where only a fact is not known."""
    severity = Severity.INCOMPLETE if what.unclear else Severity.UNREADABLE
    return Finding(
        what.rule, severity, what.message, file=what.file, place=what.place, about=what.about
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an account: points to a side in a column, for a reason, by laws."""

    side: Side
    column: str
    points: int
    item: str
    reason: str
    laws: tuple[str, ...]
    readings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The entry as the JSON of a check gives it."""
        out: dict[str, Any] = {
            "side": self.side.value,
            "column": self.column,
            "points": self.points,
            "reason": self.reason,
            "laws": list(self.laws),
        }
        if self.readings:
            out["readings"] = list(self.readings)
        return out
