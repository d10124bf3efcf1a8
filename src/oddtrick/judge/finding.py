"""What the checker answers: findings, score entries and verdicts, each with its laws.

The one way to make a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from oddtrick.cards import Seat, Side
from oddtrick.judge.answers import EntryJson, FindingJson, GivesJson, MissingJson
from oddtrick.judge.message import Message, Say
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Group, Incident, Item, Place, Unreadable, span_of
from oddtrick.rulings.engine import Ruling, When


class Severity(Enum):
    """How grave a finding is, by what it says of the record.

    A note reports what the law lets stand; it is not a fault.
    """

    __hash__ = object.__hash__  # `Enum` hashes the name, in Python

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


class Gives(NamedTuple):
    """What the law gives for an irregularity: the ruling and what was presumed for it.

    `possible` says that it is one of several rulings of which one applies, `offender` by whom the
    irregularity is.
    """

    irregularity: str
    ruling: Ruling
    presumed: tuple[When, ...] = ()
    possible: bool = False
    offender: Seat | None = None

    def as_json(self) -> GivesJson:
        """The ruling as the JSON of a check gives it."""
        presumed = (pair for when in self.presumed for pair in when)
        return {
            "irregularity": self.irregularity,
            "offender": self.offender.value if self.offender else None,
            "ruling": self.ruling.id,
            "possible": self.possible,
            "presumed": {fact: list(answers) for fact, answers in presumed},
            "remedies": [r.id for r in self.ruling.remedies],
        }


class Spot(NamedTuple):
    """The place of something in a file; lines and columns are found when it is shown.

    `item` is its path in the deal or group, empty for the whole. `order` puts it before or after
    others of the same text: its offset, or that of a word before it.
    """

    of: Deal | Group | Unreadable
    item: Item
    order: int

    @property
    def place(self) -> Place:
        """Its lines and columns."""
        of = self.of
        return of.source.place(of.span if isinstance(of, Unreadable) else span_of(of, self.item))


def spot_of(of: Deal | Group, *item: str | int) -> Spot:
    """The spot of something in a deal or group, or of the whole."""
    return Spot(of, item, span_of(of, item)[0])


class Finding(NamedTuple):
    """One thing found: a stable rule id (phase, dot, the offence), its place, and the laws behind
    it.

    `phase` is what of the record it is about: `deal`, `declaring`, `play`, `remedy`, `score`,
    `record` for what is not written. `item` is the id of the call, trick, card, claim or
    irregularity that it is about, `None` where it is about anything else or the whole. `chosen` are
    those of its readings that were chosen, with the choice. `gives` is what the law gives for it.
    `messages` are the sentences that tell it.
    """

    rule: str
    severity: Severity
    messages: tuple[Message, ...]
    laws: tuple[str, ...]
    at: Spot
    gives: tuple[Gives, ...] = ()
    readings: tuple[str, ...] = ()
    item: Item | None = None
    phase: str = ""
    chosen: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """Where it is."""
        return self.at.place

    def as_json(self, say: Say) -> FindingJson:
        """The finding as the JSON of a check gives it."""
        place = self.place
        out: FindingJson = {
            "rule": self.rule,
            "severity": self.severity.value,
            "file": self.at.of.source.name,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "item": list(self.item) if self.item else None,
            "message": " ".join(map(say, self.messages)),
            "laws": list(self.laws),
            "remedies": [say(Message("given", gives=g)) for g in self.gives],
            "gives": [g.as_json() for g in self.gives],
        }
        if self.readings:
            out["readings"] = list(self.readings)
        if self.chosen:
            out["chosen"] = list(self.chosen)
        return out


VERDICT_OF: Mapping[Severity, Verdict] = {
    Severity.UNREADABLE: Verdict.UNREADABLE,
    Severity.IRREGULAR: Verdict.IRREGULAR,
    Severity.DISPUTED: Verdict.DISPUTED,
    Severity.SILENT: Verdict.INCOMPLETE,
    Severity.INCOMPLETE: Verdict.INCOMPLETE,
    Severity.NOTE: Verdict.SETTLED,
}
"""The verdict that the gravest finding decides, the gravest first."""


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict that findings come to.

    A note of the reader's, which has no phase, is of the writing and not of the deal.
    """
    kinds = {f.severity for f in findings if f.phase or f.severity is not Severity.NOTE}
    return next((v for s, v in VERDICT_OF.items() if s in kinds), Verdict.LEGAL)


def finding_of(what: Unreadable) -> Finding:
    """The finding on what cannot be read.

    Incomplete where only a fact is not known, a note where only the standard is not kept.
    """
    severity = Severity.INCOMPLETE if what.unclear else Severity.UNREADABLE
    if what.harmless:
        severity = Severity.NOTE
    messages = (Message("as-read", text=what.message),)
    return Finding(what.rule, severity, messages, (), Spot(what, (), what.span[0]))


class Entry(NamedTuple):
    """One line of an account: points to a side in a column, for a reason, by laws.

    `item` is what they are for, `reason` describes it part by part, `irregularities` are those for
    whose penalty they are changed or given.
    """

    side: Side
    column: str
    points: int
    item: str
    reason: tuple[Message, ...]
    laws: tuple[str, ...]
    readings: tuple[str, ...] = ()
    irregularities: tuple[str, ...] = ()

    def as_json(self, say: Say) -> EntryJson:
        """The entry as the JSON of a check gives it."""
        out: EntryJson = {
            "side": self.side.value,
            "column": self.column,
            "points": self.points,
            "item": self.item,
            "irregularities": list(self.irregularities),
            "reason": ", ".join(map(say, self.reason)),
            "laws": list(self.laws),
        }
        if self.readings:
            out["readings"] = list(self.readings)
        return out


class Missing(NamedTuple):
    """A fact that an account lacks, by its id in `report.words.MISSING`.

    Of `honours-split`: the side whose hands are not known apart, and how many honours it holds.
    """

    fact: str
    side: Side | None = None
    number: int = 0

    def as_json(self) -> MissingJson:
        """The fact as the JSON of a check gives it."""
        if self.side is None:
            return {"fact": self.fact}
        return {"fact": self.fact, "side": self.side.value, "honours": self.number}


EVENTS = ("bidding", "play", "claims", "irregularity")
"""How the path of a call, a trick, a card, a claim or an irregularity begins."""


class Thing(Protocol):
    """A call, a trick, a card, a claim or an irregularity, by its path in the deal."""

    @property
    def item(self) -> Item:
        """Its path."""


class Finder(NamedTuple):
    """The one way to make a finding on a deal or group: it knows the law in force.

    Without a law (`None`: the record names no code that could be judged) no law stands behind
    anything, and nothing is silent.
    """

    law: Rules | None
    of: Deal | Group

    def find(
        self,
        rule: str,
        message: Message | tuple[Message, ...],
        at: Item | Thing | None = None,
        severity: Severity = Severity.IRREGULAR,
        *,
        laws: tuple[str, ...] | None = None,
        more: Iterable[str] = (),
        readings: tuple[str, ...] = (),
    ) -> Finding:
        """A finding on something of the deal, or on the whole of it.

        Its laws are those behind the rule in the code, or `laws` instead; `more` go before them.
        An irregularity behind which the code has no law is silent, and a second message says why.
        """
        messages = message if isinstance(message, tuple) else (message,)
        if laws is None:
            laws = self.law.finding_laws.get(rule, ()) if self.law else ()
        if more:
            laws = tuple(dict.fromkeys((*more, *laws)))
        if not laws and severity is Severity.IRREGULAR and self.law:
            severity, messages = Severity.SILENT, (*messages, Message("silent", rule=rule))
        item = at if isinstance(at, tuple) else at.item if at else ()
        if isinstance(at, Incident):
            spot = Spot(self.of, item, at.span[0])
        else:
            spot = spot_of(self.of, *item)
        return Finding(
            rule,
            severity,
            messages,
            laws,
            spot,
            readings=readings,
            item=item if len(item) > 1 and item[0] in EVENTS else None,
            phase=rule.partition(".")[0],
        )

    def lacks(
        self, rule: str, message: Message | tuple[Message, ...], at: Item | Thing | None = None
    ) -> Finding:
        """A finding of what the record does not say."""
        return self.find(rule, message, at, Severity.INCOMPLETE)
