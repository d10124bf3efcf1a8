"""The results if a right had been used, or if another reading were chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby
from typing import TYPE_CHECKING

from oddtrick.cards import Seat, Side
from oddtrick.judge.effects import EFFECTS
from oddtrick.judge.finding import Finding, Gives, Message, Severity
from oddtrick.judge.score_procedures import COLUMNS, Account
from oddtrick.law import reading_choices
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import ChosenReading
from oddtrick.law.rules import Rules

if TYPE_CHECKING:
    from oddtrick.judge.check import Check

AGAINST = ("remedy.not-obeyed", "declaring.barred")
"""Findings that an order of the law was not followed; without the order there is no fault."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The result under a condition, with its score if that is known.

    The condition is that an unused right, which `laws` grant, had been used, or that another
    reading, named by `choice`, had been chosen. `irregularity`, `offender` and `remedy` are those
    of the right.
    """

    condition: Message
    result: tuple[Message, ...]
    account: Account | None
    laws: tuple[str, ...]
    choice: str = ""
    irregularity: str | None = None
    offender: Seat | None = None
    remedy: str | None = None


def sums(account: Account) -> Message:
    """The totals of both sides, as a message."""
    return Message("sums", **{side.value: account.points(side) for side in Side})


def other_readings(check: Check) -> Check:
    """The check with the results of other readings, where they differ.

    Readings that the user has chosen are not varied. A finding that all the other readings give as
    well is not disputed.
    """
    law = check.law
    if law is None or not any(_doubts(check)):
        return check
    others = [(one, _read_so(check, law, one)) for one in asked(check)]
    findings = tuple(_undisputed(f, others) for f in check.findings)
    alone = [_what_if(check, other, one) for one, other in others]
    together = [_what_if(check, both, *pair) for pair, both in _together(check, law, others)]
    differing = (what for what in (*alone, *together) if what)
    return check._replace(findings=findings, what_if=(*check.what_if, *differing))


def asked(check: Check) -> Sequence[ChosenReading]:
    """The other readings under which a check is judged again."""
    return tuple(others_of(check.law, chain.from_iterable(_doubts(check)))) if check.law else ()


def _doubts(check: Check) -> Iterator[tuple[str, ...]]:
    """The readings that the declaration, each entry and each finding rest on."""
    yield check.final.readings if check.final else ()
    for entry in check.account.entries if check.account else ():
        yield entry.readings
    for finding in check.findings:
        yield finding.readings


def _read_so(check: Check, law: Rules, *readings: ChosenReading) -> Check:
    """The check under other readings."""
    options = (*law.options, *(one.written for one in readings))
    return check.again(law=book().rules(law.code, options))


def _what_if(check: Check, other: Check, *readings: ChosenReading) -> WhatIf | None:
    """The differences under other readings; `None` if there are none."""
    result = tuple(_differences(check, other, {one.reading.address for one in readings}))
    known = other.account if _as_known(check, other) else None
    choice = " ".join(one.written for one in readings)
    return WhatIf(condition(*readings), result, known, (), choice) if result else None


def _together(
    check: Check, law: Rules, others: Sequence[tuple[ChosenReading, Check]]
) -> Iterator[tuple[tuple[ChosenReading, ChosenReading], Check]]:
    """Pairs of readings with the check under both, if it differs from either reading by itself.

    Both readings of a pair must bear on the same entry, finding or declaration.
    """
    things = set(map(frozenset, _doubts(check)))
    for (one, first), (two, second) in combinations(others, 2):
        pair = {one.reading.address, two.reading.address}
        if len(pair) < 2 or not any(pair <= thing for thing in things):
            continue
        if reading_choices.go_together(
            book(), (*law.options, one.written, two.written), book().chain(law.code)
        ):
            both = _read_so(check, law, one, two)
            if all(any(_differences(c, both, pair)) for c in (check, first, second)):
                yield (one, two), both


def _undisputed(finding: Finding, others: Sequence[tuple[ChosenReading, Check]]) -> Finding:
    """The finding with its severity adjusted to what the other readings give.

    It becomes irregular if something is wrong there under every reading, and disputed if it
    concerns an order that is not given under another reading.
    """
    if finding.rule in AGAINST and finding.severity is Severity.IRREGULAR:
        laws = {law.address for a in finding.laws if (law := book().law(Address(a)))}
        places = ((one.reading, c, map(book().law, one.reading.places)) for one, c in others)
        on_it = ((r, c) for r, c, of in places if any(law.address in laws for law in of if law))
        free = [reading.address for reading, c in on_it if not _has(c, finding)]
        readings = tuple(dict.fromkeys((*finding.readings, *free)))
        return finding._replace(severity=Severity.DISPUTED, readings=readings) if free else finding
    if finding.severity is not Severity.DISPUTED:
        return finding
    bearing = [(one.reading.address, c) for one, c in others]
    bearing = [(address, c) for address, c in bearing if address in finding.readings]
    if {*finding.readings} <= {a for a, _ in bearing} and all(_has(c, finding) for _, c in bearing):
        return finding._replace(severity=Severity.IRREGULAR)
    return finding


def _has(check: Check, finding: Finding) -> bool:
    """Whether a check has a grave finding at the same item."""
    grave = Severity.IRREGULAR, Severity.DISPUTED
    return any(f.at.item == finding.at.item and f.severity in grave for f in check.findings)


def others_of(law: Rules, readings: Iterable[str]) -> Iterator[ChosenReading]:
    """Yield the other choices of the readings that nobody chose, if the judge can compute them."""
    chain = book().chain(law.code)
    for address in dict.fromkeys(readings):
        for one in reading_choices.others(book(), address, law.options, chain):
            lost = any("." in rule for rule in one.choice.absent)  # its value is not known
            if not lost and reading_choices.computes(book(), one):
                yield one


def condition(*readings: ChosenReading) -> Message:
    """The condition of a `WhatIf` that certain choices of readings had been made."""
    return Message("read-as", readings=tuple((r.reading.address, r.choice.id) for r in readings))


def _as_known(check: Check, other: Check) -> bool:
    """Whether the account under another reading lacks no further facts."""
    ours, theirs = check.account, other.account
    return bool(theirs and ours and set(theirs.missing) <= set(ours.missing))


def _differences(check: Check, other: Check, readings: Collection[str]) -> Iterator[Message]:
    """The differences under other readings, as messages."""
    finals = [
        f and (f.odd_tricks, f.denomination, f.doubled, f.declarer)
        for f in (check.final, other.final)
    ]
    if other.final and finals[0] not in (None, finals[1]):
        yield Message("final-would-be", final=other.final)
    taken = [c.outcome.taken for c in (check, other)]
    if taken[1] is not None and taken[0] != taken[1]:
        yield Message("tricks-taken", tricks=taken[1])
    ours, theirs = check.account, other.account
    scored_alike = bool(
        ours
        and theirs
        and not ours.missing
        and (ours.columns, ours.standing) == (theirs.columns, theirs.standing)
    )
    if ours and theirs and _as_known(check, other):
        if any(ours.points(s) != theirs.points(s) for s in Side):
            yield sums(theirs)
        elif ours.columns != theirs.columns:  # only the columns differ
            for side in Side:
                points = {c: n for c in COLUMNS if (n := theirs.points(side, c))}
                if points:
                    yield Message("columns", side=side, **points)
    found = {(f.rule, f.at.item): f for f in other.findings}
    # Sorted by rule, since the order differs from notation to notation.
    for finding in sorted(check.findings, key=lambda f: f.rule):
        same = found.get((finding.rule, finding.at.item))
        if same and list(map(_given, same.gives)) != list(map(_given, finding.gives)):
            if scored_alike and _of_the_score(finding.gives, same.gives):
                continue
            for (name, by), gives in groupby(same.gives, lambda g: (g.irregularity, g.offender)):
                yield Message("would-be-given", irregularity=name, offender=by, gives=(*gives,))
            if not same.gives:
                yield Message("nothing-given", rule=finding.rule)
        elif same is None and not set(readings).isdisjoint(finding.readings):
            yield Message("not-found", rule=finding.rule)


def _of_the_score(gives: Sequence[Gives], others: Sequence[Gives]) -> bool:
    """Whether two rulings differ only in what happens to the score by itself."""
    one, other = ({r for g in every for r in g.ruling.remedies} for every in (gives, others))
    return {g.possible for g in (*gives, *others)} == {False} and all(
        r.chosen_by == "nobody" and r.effects and all(EFFECTS[e].on_score for e in r.effects)
        for r in one ^ other
    )


def _given(gives: Gives) -> tuple[object, ...]:
    """A key by which two results of the law are compared."""
    ruling = gives.ruling
    when = ruling.when if gives.possible else ()
    return gives.irregularity, when, gives.presumed, ruling.silent, ruling.remedies
