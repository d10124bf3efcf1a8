"""The results of the judge: messages, findings, score entries and verdicts, with their laws.

A message is an id with data; `report` has a sentence for each id. `Finder` is the only way to
create a finding.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.judge.events import Call, Played, Trick
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Group, Incident, Item, Place, Span, Unreadable, span_of
from oddtrick.rulings.engine import Ruling, When


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """An id of `report.messages.SENTENCES` with the data of its sentence.

    The data are seats, cards, numbers and ids; a value may itself be a message, or a tuple of
    values.
    """

    id: str
    data: tuple[tuple[str, Hashable], ...]

    def __init__(self, id: str, /, **data: Hashable) -> None:
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "data", tuple(data.items()))


class Caller(NamedTuple):
    """A player in a message who is known only by his place: 0 is the dealer, 1 the next player."""

    place: int


def by_place(message: Message, dealer: Seat) -> Message:
    """The message with places instead of seats, which are not known if the dealer is not."""

    def placed(value: Hashable) -> Hashable:
        if isinstance(value, Seat):
            return Caller((value.number - dealer.number) % len(SEATS))
        if isinstance(value, Message):
            return by_place(value, dealer)
        return tuple(map(placed, value)) if type(value) is tuple else value

    return Message(message.id, **{name: placed(value) for name, value in message.data})


Json = dict[str, Any]
"""An object of the JSON of an answer, which `report.answers` makes."""


class Severity(Enum):
    """How grave a finding is for the record.

    A note reports what the law allows; it is not a fault.
    """

    __hash__ = object.__hash__  # `Enum` hashes the member's name in Python code, which is slow

    UNREADABLE = "unreadable"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    SILENT = "silent"
    INCOMPLETE = "incomplete"
    NOTE = "note"


class Verdict(Enum):
    """The overall result of a check."""

    LEGAL = "legal"
    SETTLED = "settled"
    IRREGULAR = "irregular"
    DISPUTED = "disputed"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"


IRREGULAR, SILENT, NOTE = Severity.IRREGULAR, Severity.SILENT, Severity.NOTE
INCOMPLETE, LEGAL = Severity.INCOMPLETE, Verdict.LEGAL


class Gives(NamedTuple):
    """What the law provides for an irregularity: the ruling and the facts presumed for it.

    `possible` is true if this is one of several possible rulings; `offender` is the seat of the
    offending player.
    """

    irregularity: str
    ruling: Ruling
    presumed: tuple[When, ...] = ()
    possible: bool = False
    offender: Seat | None = None


class Spot(NamedTuple):
    """The place of something in a file; lines and columns are computed only when it is shown.

    `item` is its path in the deal or group, empty for the deal or group itself. `order` sorts it
    among others in the same text: it is the offset of the item or of an earlier word.
    """

    of: Deal | Group | Unreadable
    item: Item
    order: int

    @property
    def span(self) -> Span:
        """The span of the spot in its text."""
        return self.of.span if isinstance(self.of, Unreadable) else span_of(self.of, self.item)

    @property
    def place(self) -> Place:
        """The lines and columns of the spot."""
        return self.of.source.place(self.span)


def spot_of(of: Deal | Group, *item: str | int) -> Spot:
    """The spot of an item in a deal or group, or of the deal or group itself."""
    return Spot(of, item, span_of(of, item)[0])


class Finding(NamedTuple):
    """A finding: a stable rule id, its place and the laws it rests on.

    The rule id consists of the phase, a dot and the offence. The phase is the part of the record
    that it concerns: `deal`, `declaring`, `play`, `remedy`, `score`, or `record` for what is not
    recorded. `item` is the id of the call, trick, card, claim or irregularity concerned, `None` for
    anything else or the whole record. `chosen` are those of its readings that were chosen, with the
    choice. `gives` is what the law provides for it. `messages` are the sentences that describe it,
    to be put into the words of `law`.
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
    law: Rules | None = None

    @property
    def place(self) -> Place:
        """The lines and columns of the finding."""
        return self.at.place


VERDICT_OF: Mapping[Severity, Verdict] = {
    Severity.UNREADABLE: Verdict.UNREADABLE,
    Severity.IRREGULAR: Verdict.IRREGULAR,
    Severity.DISPUTED: Verdict.DISPUTED,
    Severity.SILENT: Verdict.INCOMPLETE,
    Severity.INCOMPLETE: Verdict.INCOMPLETE,
    Severity.NOTE: Verdict.SETTLED,
}
"""The verdict for each severity, the gravest first."""


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict for some findings.

    Notes of the reader, which have no phase, concern the notation and not the deal; they do not
    count.
    """
    kinds = {f.severity for f in findings if f.phase or f.severity is not NOTE}
    return next((v for s, v in VERDICT_OF.items() if s in kinds), LEGAL) if kinds else LEGAL


def finding_of(what: Unreadable) -> Finding:
    """The finding on text that cannot be read.

    Its severity is `INCOMPLETE` if the text is clear except for a missing fact, and `NOTE` if the
    text merely departs from the standard notation.
    """
    severity = Severity.INCOMPLETE if what.unclear else Severity.UNREADABLE
    if what.harmless:
        severity = Severity.NOTE
    messages = (Message("as-read", text=what.message),)
    return Finding(what.rule, severity, messages, (), Spot(what, (), what.span[0]))


class Entry(NamedTuple):
    """One line of an account: points to a side in a column, with the reason and the laws.

    `item` is what the points are for, `reason` explains them part by part, and `irregularities` are
    those whose penalties changed or caused them.
    """

    side: Side
    column: str
    points: int
    item: str
    reason: tuple[Message, ...]
    laws: tuple[str, ...]
    readings: tuple[str, ...] = ()
    irregularities: tuple[str, ...] = ()


class Missing(NamedTuple):
    """A fact that an account lacks, by its id in `report.words.MISSING`.

    For `honours-split` it names the side whose two hands are not known separately, and how many
    honours that side holds. For `honours-value`, which cannot be read in the book, it also names
    the laws and readings.
    """

    fact: str
    side: Side | None = None
    number: int = 0
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


EVENTS = ("bidding", "play", "claims", "irregularity")
"""The first element of the path of a call, a trick or card, a claim, or an irregularity."""


Thing = Call | Trick | Played | Incident
"""A call, a trick, a card or an irregularity, which has a path in the deal."""


class Finder(NamedTuple):
    """A factory for findings on a deal or group, which knows the law in force.

    If `law` is `None` (the record names no code that could be judged), findings have no laws and
    none is silent.
    """

    law: Rules | None
    of: Deal | Group

    def find(
        self,
        rule: str,
        what: str | Message | tuple[Message, ...],
        at: Item | Thing | None = None,
        severity: Severity = IRREGULAR,
        /,
        *,
        laws: tuple[str, ...] | None = None,
        more: Iterable[str] = (),
        readings: tuple[str, ...] = (),
        **data: Hashable,
    ) -> Finding:
        """A finding on an item of the deal, or on the deal itself.

        It is described by some messages, or by the id of one with its data. Its laws are `laws` if
        given, otherwise the laws that the code has for the rule; `more` come first. If the code has
        no law on an irregularity, the finding is silent, and a second message states why.
        """
        message = Message(what, **data) if isinstance(what, str) else what
        messages = message if isinstance(message, tuple) else (message,)
        if laws is None:
            laws = self.law.finding_laws.get(rule, ()) if self.law else ()
        if more:
            laws = tuple(dict.fromkeys((*more, *laws)))
        if not laws and severity is IRREGULAR and self.law:
            severity, messages = SILENT, (*messages, Message("silent", rule=rule))
        item: Item = at.item if isinstance(at, Thing) else at or ()
        start = at.span[0] if isinstance(at, Incident) else span_of(self.of, item)[0]
        return Finding(
            rule,
            severity,
            messages,
            laws,
            Spot(self.of, item, start),
            readings=readings,
            item=item if len(item) > 1 and item[0] in EVENTS else None,
            phase=rule.partition(".")[0],
            law=self.law,
        )

    def lacks(
        self,
        rule: str,
        what: str | Message | tuple[Message, ...],
        at: Item | Thing | None = None,
        /,
        **data: Any,
    ) -> Finding:
        """A finding on what the record does not state."""
        return self.find(rule, what, at, INCOMPLETE, **data)
