"""The final declaration of a record: from its auction, or as it states it, and the two compared."""

from __future__ import annotations

from dataclasses import replace

from oddtrick.cards import Seat
from oddtrick.judge.auction import Auction
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.making import make
from oddtrick.judge.procedures import BRIDGING, Declared, Final, final_words, may_double
from oddtrick.judge.words import declaration_words
from oddtrick.law.in_force import InForce
from oddtrick.record.model import Call, Declaration, Record


def declare(record: Record, rules: InForce) -> Declared:
    """Judge the declaration of a record under the rules of a code.

    Where no auction is recorded the final declaration comes from what the record states; then nothing about
    the calls is judged. Where both are recorded, the statement is compared with what the auction gives.
    """
    if record.bidding is None:
        return _stated_only(record, rules)
    dealer = record.dealer.value if record.dealer else None
    if rules.get("making"):
        return _compare(make(record, rules, dealer), record, rules)
    first = (
        record.bidding_from.value
        if record.bidding_from
        else dealer or _first_by_caller(record.bidding)
    )
    walk = Auction(record, rules, first or Seat.NORTH)
    relative = first is None
    if relative:
        walk.found.append(
            Finding(
                "record.no-dealer",
                Severity.INCOMPLETE,
                "The record does not say who dealt, so the calls have no callers.",
                rules.behind.get("record.no-dealer", ()),
                record.file,
                record.place,
            )
        )
    elif dealer and first and first is not dealer:
        walk.dealer, walk.dealer_called = dealer, True
        walk.found.append(
            Finding(
                "record.calls-missing",
                Severity.INCOMPLETE,
                f"{dealer.title} dealt, but the calls begin with {first.title}'s; those before it are not recorded.",
                rules.behind.get("record.calls-missing", ()),
                record.file,
                record.bidding_from.place if record.bidding_from else record.place,
            )
        )
    for call in record.bidding:
        walk.take(call)
    return _bridged(_compare(walk.result(relative), record, rules), record, rules)


def _bridged(declared: Declared, record: Record, rules: InForce) -> Declared:
    """The final declaration after the play was passed to the partner, where the record says that it was."""
    stated, final = record.declaration, declared.final
    if stated is None or not stated.bridged or final is None:
        return declared
    how = rules.value("bridging")
    if how and BRIDGING[how](final.denomination, rules):
        passed = replace(
            final,
            declarer=final.dummy,
            bridged=True,
            laws=(*final.laws, *rules.laws("bridging")),
            readings=(*final.readings, *rules.readings("bridging")),
        )
        return replace(declared, final=passed)
    laws = rules.behind.get("declaring.bridged", ())
    message = f"The play is passed to the partner, which {rules.short} does not allow at {final_words(final, rules)}."
    severity = Severity.IRREGULAR if laws else Severity.SILENT
    why = (
        ""
        if laws
        else " " + rules.silent.get("declaring.bridged", f"{rules.short} has no law on it.")
    )
    found = Finding("declaring.bridged", severity, message + why, laws, record.file, stated.place)
    return replace(declared, findings=(*declared.findings, found))


def _first_by_caller(calls: tuple[Call, ...]) -> Seat | None:
    """The first caller where no dealer is named: counted back from the first call that names its caller."""
    return next((c.seat.after(-index) for index, c in enumerate(calls) if c.seat), None)


def _stated_only(record: Record, rules: InForce) -> Declared:
    stated = record.declaration
    if stated and stated.passed_out:
        return Declared((), None, True, ())
    making = rules.get("making") is not None
    if stated is None or stated.denomination is None or (stated.odd_tricks is None and not making):
        message = "Neither an auction nor a whole final declaration is recorded."
        found = Finding(
            "record.no-declaration",
            Severity.INCOMPLETE,
            message,
            rules.behind.get("record.no-declaration", ()),
            record.file,
            record.place,
        )
        return Declared((), None, False, (found,))
    problems = _stated_problems(stated, record, rules)
    if problems:
        return Declared((), None, False, problems)
    dealers_first = None
    if record.dealer and stated.declarer:
        dealers_first = record.dealer.value is stated.declarer
    declarer = stated.declarer
    if making and declarer is None and record.dealer:
        declarer = record.dealer.value
    final = Final(
        stated.odd_tricks or 0,
        stated.denomination,
        stated.doubled or 0,
        declarer,
        declarer,
        dealers_first,
        rules.laws("auction-end", "making", "declarer"),
    )
    return _bridged(Declared((), final, False, ()), record, rules)


def _stated_problems(stated: Declaration, record: Record, rules: InForce) -> tuple[Finding, ...]:
    limits = rules.value("bid-range")
    words = declaration_words(stated.odd_tricks, stated.denomination, stated.doubled or 0, rules)
    found = []

    def add(rule: str, message: str) -> None:
        laws = rules.behind.get(rule, ())
        found.append(
            Finding(
                rule,
                Severity.IRREGULAR if laws else Severity.SILENT,
                message,
                laws,
                record.file,
                stated.place,
            )
        )

    if rules.denomination(str(stated.denomination)) is None:
        add(
            "declaring.unknown-denomination",
            f"The final declaration is {words}, but {rules.short} has no such denomination.",
        )
    elif rules.get("making") and stated.odd_tricks is not None:
        add(
            "declaring.not-a-call",
            f"The final declaration is {words}, but in {rules.short} no number of tricks is declared.",
        )
    elif limits and not limits["least"] <= (stated.odd_tricks or 0) <= limits["most"]:
        add(
            "declaring.impossible-bid",
            f"The final declaration is {words}; a bid is of {limits['least']} to {limits['most']} odd tricks.",
        )
    elif stated.doubled and not may_double(stated.doubled - 1, stated.denomination, rules):
        add(
            "declaring.redouble-twice",
            f"The final declaration is {words}, doubled further than {rules.short} allows.",
        )
    return tuple(found)


def _compare(declared: Declared, record: Record, rules: InForce) -> Declared:
    """Compare what the record states of the final declaration with what the auction gives."""
    stated, final = record.declaration, declared.final
    if stated is None:
        return declared
    found = list(declared.findings)

    def add(rule: str, message: str, readings: tuple[str, ...] = ()) -> None:
        laws = rules.behind.get(rule, ()) or rules.laws("declarer")
        severity = Severity.DISPUTED if readings else Severity.IRREGULAR
        found.append(
            Finding(rule, severity, message, laws, record.file, stated.place, (), readings)
        )

    if final is None:
        if declared.passed_out and not stated.passed_out:
            add(
                "declaring.wrong-declaration",
                "The record names a final declaration, but all four players passed.",
            )
        elif (
            not declared.passed_out
            and stated.odd_tricks
            and stated.denomination
            and not _stated_problems(stated, record, rules)
        ):
            stood = Final(
                stated.odd_tricks,
                stated.denomination,
                stated.doubled or 0,
                stated.declarer,
                stated.declarer,
                None,
                rules.laws("declarer"),
            )
            return replace(declared, final=stood)
        return replace(declared, findings=tuple(found))
    if stated.passed_out and rules.get("convention"):
        return declared  # a make that was not played; `check` knows the score
    if stated.passed_out:
        add(
            "declaring.wrong-declaration",
            f"The record says that all four passed, but the auction ends at {final_words(final, rules)}.",
        )
        return replace(declared, findings=tuple(found))
    differs = [
        given is not None and given != derived
        for given, derived in (
            (stated.odd_tricks, final.odd_tricks or None),
            (stated.denomination, final.denomination),
            (stated.doubled, final.doubled),
        )
    ]
    if any(differs):
        said = declaration_words(stated.odd_tricks, stated.denomination, stated.doubled or 0, rules)
        add(
            "declaring.wrong-declaration",
            f"The record gives the final declaration as {said}; the auction ends at {final_words(final, rules)}.",
        )
    if stated.declarer and final.declarer and stated.declarer is not final.declarer:
        denomination = rules.denomination(final.denomination)
        name = denomination.label if denomination else final.denomination
        add(
            "declaring.wrong-declarer",
            f"{stated.declarer.title} is recorded as declarer, but {_why_declarer(final, name, rules)}.",
            final.readings,
        )
    elif stated.declarer and final.declarer is None:
        return replace(
            declared, final=replace(final, declarer=stated.declarer), findings=tuple(found)
        )
    return replace(declared, findings=tuple(found))


def _why_declarer(final: Final, name: str, rules: InForce) -> str:
    """Why the law names the declarer that it names."""
    assert final.declarer is not None
    if rules.get("making"):
        return f"{final.declarer.title} dealt and plays the hand"
    if final.bidder is final.declarer and rules.value("nullo"):
        return f"{final.declarer.title} bid {name} and plays the hand"
    return f"{final.declarer.title} first named {name} for that side and plays the hand"
