"""What the checker answers: findings, score entries and verdicts, each with its laws.

The one way to make a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from oddtrick.cards import Side
from oddtrick.law.rules import Rules
from oddtrick.record.model import (
    NOWHERE,
    Call,
    Incident,
    Item,
    Place,
    Played,
    Record,
    Stated,
    TableClaim,
    Trick,
    Unreadable,
)


class Severity(Enum):
    """How grave a finding is, by what it says of the record.

    A note tells of what the law lets stand; it is no fault.
    """

    UNREADABLE = "unreadable"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    SILENT = "silent"
    INCOMPLETE = "incomplete"
    NOTE = "note"


class Verdict(Enum):
    """What a whole check comes to."""

    LEGAL = "legal"
    SETTLED = "settled"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: a stable rule id (phase, dot, the offence), its place, and the laws behind
    it.

    `phase` is what of the record it is about: `deal`, `declaring`, `play`, `remedy`, `score`,
    `record` for what is not written. `item` is the id of the call, trick, card, claim or
    irregularity that it is about, `None` where it is about anything else or the whole. `about` is
    the deal that a reader's finding belongs to, by its name and where it begins; `None` where it
    is of the file. `chosen` are those of its readings that were chosen, with the choice.
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
    phase: str = ""
    chosen: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The finding as the JSON of a check gives it."""
        out: dict[str, object] = {
            "rule": self.rule,
            "severity": self.severity.value,
            "file": self.file,
            "line": self.place.line,
            "column": self.place.column,
            "end_line": self.place.end_line,
            "end_column": self.place.end_column,
            "item": list(self.item) if self.item else None,
            "message": self.message,
            "laws": list(self.laws),
            "remedies": list(self.remedies),
        }
        if self.readings:
            out["readings"] = list(self.readings)
        if self.chosen:
            out["chosen"] = list(self.chosen)
        return out


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict that findings come to.

    A note of the reader's, which has no phase, is of the writing and not of the deal.
    """
    if not findings:
        return Verdict.LEGAL
    kinds = {f.severity for f in findings if f.phase or f.severity is not Severity.NOTE}
    for severity, verdict in (
        (Severity.UNREADABLE, Verdict.UNREADABLE),
        (Severity.IRREGULAR, Verdict.IRREGULAR),
        (Severity.DISPUTED, Verdict.DISPUTED),
        (Severity.SILENT, Verdict.INCOMPLETE),
        (Severity.INCOMPLETE, Verdict.INCOMPLETE),
        (Severity.NOTE, Verdict.SETTLED),
    ):
        if severity in kinds:
            return verdict
    return Verdict.LEGAL


def finding_of(what: Unreadable) -> Finding:
    """The finding that tells of what cannot be read.

    Incomplete where only a fact is not known, a note where only the standard is not kept.
    """
    severity = Severity.INCOMPLETE if what.unclear else Severity.UNREADABLE
    if what.harmless:
        severity = Severity.NOTE
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

    def as_json(self) -> dict[str, object]:
        """The entry as the JSON of a check gives it."""
        out: dict[str, object] = {
            "side": self.side.value,
            "column": self.column,
            "points": self.points,
            "reason": self.reason,
            "laws": list(self.laws),
        }
        if self.readings:
            out["readings"] = list(self.readings)
        return out


THINGS = (Call, Trick, Played, TableClaim, Incident)
"""What of a record has an id."""


class Written(Protocol):
    """Anything of a record that stands at a place.

    A call, a card, a statement, the record itself.
    """

    @property
    def place(self) -> Place:
        """Where it stands in its file."""


@dataclass(frozen=True, slots=True)
class Finder:
    """The one way to make a finding on a record: it knows the law in force.

    Without a law (`None`: the record names no code that could be judged) no law stands behind
    anything, and nothing is silent.
    """

    law: Rules | None
    record: Record

    def find(
        self,
        rule: str,
        message: str,
        at: Written | None = None,
        severity: Severity = Severity.IRREGULAR,
        *,
        laws: tuple[str, ...] | None = None,
        more: Iterable[str] = (),
        readings: tuple[str, ...] = (),
    ) -> Finding:
        """A finding about something of the record, or about the whole of it.

        Its laws are those behind the rule in the code, or `laws` instead; `more` go before them.
        An irregularity behind which the code has no law is silent, and the message says why.
        """
        if laws is None:
            laws = self.law.behind.get(rule, ()) if self.law else ()
        if more:
            laws = tuple(dict.fromkeys((*more, *laws)))
        if not laws and severity is Severity.IRREGULAR and self.law:
            severity = Severity.SILENT
            message = f"{message} {self.silence(rule)}"
        return Finding(
            rule,
            severity,
            message,
            laws,
            self.record.file,
            (at or self.record).place,
            readings=readings,
            item=at.id if isinstance(at, THINGS) else None,
            phase=rule.partition(".")[0],
        )

    def lacks(self, rule: str, message: str, at: Written | None = None) -> Finding:
        """A finding of what the record does not say."""
        return self.find(rule, message, at, Severity.INCOMPLETE)

    def silence(self, rule: str) -> str:
        """Why the code has no law behind a rule."""
        assert self.law is not None
        return self.law.silent.get(rule) or f"{self.law.short} has no law on it."
