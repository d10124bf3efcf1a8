"""The data of each code for the table to tap on "Check a hand", made from its law.

The script of the page knows no rule: which denominations and calls a code has, which bids are
higher than another, who speaks next where the trump is made, its irregularities and their remedies
are all in the data that are made here when the site is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from oddtrick.cards import Seat
from oddtrick.judge.declaration import declare
from oddtrick.judge.events import Call, Events
from oddtrick.judge.finding import Severity
from oddtrick.judge.procedures import bid_range, sufficient
from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Rules
from oddtrick.record.deal import NOWHERE, Deal, Source
from oddtrick.record.deal import call as packed
from oddtrick.record.hand.words import DENOMINATIONS
from oddtrick.record.hand.write import call_words
from oddtrick.report.check import call_sign
from oddtrick.rulings import Answer, answer

BIDDING = ("pass", "double", "redouble")
"""The calls of an auction beside its bids; `challenge` is one more where a code has it."""

MAKING = ("pass-to-partner", "may-i-lead", "yes", "double", "redouble", "satisfied")
"""The calls in the making of a trump other than the make."""

TURNS = 5
"""The number of calls of a making after which the data no longer give the turn."""


def table_data() -> dict[str, object]:
    """Each code that is judged as the table needs it, by its id.

    A code has the `numbers` that may be bid (none where the trump is made), its `denominations` as
    `[id, sign, word after one, word after others]`, its other `calls` as `[kind, words, cell]`; of
    each bid, number by number, which are `higher` (a `1` for each that is); and of a making whose
    `turn` it is.
    """
    return {code: _code(book().rules(code)) for code in judged_codes()}


def irregularity_data() -> dict[str, object]:
    """The irregularities of the catalogue by id, their groups in order, and the facts that the law
    may turn on.
    """
    known = dict(_irregularities())
    used = {fact for item in known.values() for fact in item["facts"]}
    return {
        "groups": [[g.id, g.label] for g in book().vocabulary.groups],
        "facts": {f.id: [f.question, f.values] for f in book().vocabulary.facts if f.id in used},
        "irregularities": known,
    }


def _code(law: Rules) -> dict[str, object]:
    bids = [Call("bid", n, d) for n, d in product(_numbers(law), law.order())]
    kinds = (*BIDDING, *(("challenge",) if law.has("challenge") else ()), "all-pass")
    calls = [Call(kind) for kind in (MAKING if law.has("making") else kinds)]
    known = book().denominations
    return {
        "name": law.short,
        "numbers": list(_numbers(law)),
        "denominations": [[d, known[d].short, *DENOMINATIONS[d]] for d in law.order()],
        "calls": [
            [c.kind, call_words(packed(c.kind)), call_sign(c.kind, c.odd_tricks, c.denomination)]
            for c in calls
        ],
        "higher": ["".join(str(int(sufficient(b, last, law))) for b in bids) for last in bids],
        "turn": dict(_turns(law)) if law.has("making") else {},
        "rubber": law.has("rubber-end"),
        "bridges": law.has("bridging"),
    }


def _numbers(law: Rules) -> range:
    limits = bid_range(law)
    return range(limits.least, limits.most + 1) if limits else range(0)


def _turns(law: Rules) -> Iterator[tuple[str, int]]:
    """For each possible beginning of a making, whose turn it is, counted clockwise from the dealer.

    A beginning is its calls, `0 pass-to-partner, 2 make`, each with its caller counted likewise.
    """
    trump = law.order()[0]
    waiting: list[tuple[Call, ...]] = [()]
    while waiting:
        calls = waiting.pop()
        deal = Deal(Source(), NOWHERE, "deal", dealer=Seat.NORTH, calls=())
        declared = declare(Events(deal, calls=calls), law)
        wrong = any(f.severity is Severity.IRREGULAR for f in declared.findings)
        if wrong or declared.turn is None or declared.final:
            continue
        turn = declared.turn
        yield _way(calls), _from_dealer(turn)
        if len(calls) < TURNS:
            makes = Call("make", denomination=trump, seat=turn)
            waiting += [(*calls, c) for c in (makes, *(Call(k, seat=turn) for k in MAKING))]


def _way(calls: tuple[Call, ...]) -> str:
    return ", ".join(f"{_from_dealer(c.seat)} {c.kind}" for c in calls if c.seat)


def _from_dealer(seat: Seat) -> int:
    return next(n for n in range(4) if Seat.NORTH.after(n) is seat)


def _irregularities() -> Iterator[tuple[str, dict[str, Any]]]:
    """For each irregularity its group, its label, the facts on which it may depend and, by the
    codes under which it can arise, the remedies, each as written in a record and in words.
    """
    for known in book().vocabulary.irregularities:
        given = {code: answer(known.id, code) for code in judged_codes()}
        under = {
            code: list(dict(_remedies(found)).items())
            for code, found in given.items()
            if found.kind != "absent"
        }
        facts = {fact: list(values) for fact, values in known.facts.items()}
        yield known.id, {"group": known.group, "label": known.label, "facts": facts, "under": under}


def _remedies(found: Answer) -> Iterator[tuple[str, str]]:
    """The remedies of a code for an irregularity: as written in a record, and in words."""
    for ruling in (found.ruling,) if found.ruling else found.possible:
        for remedy in ruling.remedies:
            amount = "" if remedy.number is None else f"{remedy.number} "
            yield amount + remedy.id.replace("-", " "), remedy.words
