"""One walk through the calls of a record that carries the table.

Who has the turn, what the law makes of a call that is irregular, who is barred, until the
declaration is final.

What a call or the record tells of is ruled on when the next call shows what was done about it. An
auction and Bridge's dialogue are two such walks; each says what is in order in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from oddtrick.cards import Seat, Side
from oddtrick.judge.effects import CALLS, Offence, bars_of, carried_out, has
from oddtrick.judge.finding import Finder, Finding
from oddtrick.judge.incidents import (
    call_name,
    called_facts,
    change_facts,
    mattering,
    told_facts,
    trump_facts,
)
from oddtrick.judge.procedures import Declared, Made
from oddtrick.judge.remedies import barring, ruled
from oddtrick.judge.roles import roles_after
from oddtrick.judge.table import Bar, Table
from oddtrick.judge.table_law import TableLaw
from oddtrick.judge.words import call_words
from oddtrick.record.model import Call, Incident, Record
from oddtrick.rulings.engine import Remedy, catalogue

OF_CALLS = ("declaring", "doubling")
"""The groups of the catalogue whose irregularities are those of a call."""


@dataclass(frozen=True, slots=True)
class _Case:
    """An irregularity at a call, found there or told of, on which is to be ruled.

    `of_call` says that it is the call itself that is irregular; `facts` are those already known;
    `instead` is the table before the call that was changed, where a change is what is irregular.
    """

    name: str
    seat: Seat
    incident: Incident | None
    of_call: bool
    facts: Mapping[str, str] = field(default_factory=dict)
    instead: Table | None = None


class Walk(ABC):
    """One walk through the calls of a record under a law; `take` each, then `result`."""

    def __init__(self, record: Record, law: TableLaw, dealer: Seat, table: Table) -> None:
        """Begin with the table before the first call."""
        self.record, self.law, self.dealer = record, law, dealer
        self.finder = Finder(law, record)
        self.table = self.before = table
        self.made: list[Made] = []
        self.found: list[Finding] = []
        self.found_by_last: list[Finding] = []
        self.cases: list[_Case] = []
        self.forfeited: frozenset[Side] = frozenset()
        self.open = False
        self.at = -1
        told = [i for i in record.incidents if i.by and i.after is None]
        self.table = self._barred(self.table, self._told(told, table.turn), None)

    @abstractmethod
    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on one call; the result is whether it is void."""

    @abstractmethod
    def _all_pass(self, call: Call) -> None:
        """Take the passes that end a declaration, where they are written as one."""

    @abstractmethod
    def result(self, relative: bool) -> Declared:
        """What the calls came to; `relative` says that the dealer is not known."""

    def finding(
        self, rule: str, call: Call, message: str, laws: tuple[str, ...] | None = None
    ) -> None:
        """Keep a finding about a call."""
        self.found_by_last.append(self.finder.find(rule, message, call, laws=laws))

    def take(self, call: Call) -> None:
        """Take one call."""
        if call.kind == "unrecorded":
            self.open = True
        elif call.kind == "all-pass":
            self._rule(None)
            self._all_pass(call)
        elif call.corrects:
            self._correct(call)
        else:
            self._call(call, call.seat)

    def _call(self, call: Call, named: Seat | None) -> None:
        seat = named or self.table.turn
        if self.cases:
            self._rule(Made(seat, call))
            seat = named or self.table.turn
        self.found += self.found_by_last
        self.found_by_last = []
        self.before = self.table
        if seat is self.table.skipped and call.kind == "pass":
            self.made.append(Made(seat, call, False, seat))
            self.table = self.table._replace(skipped=None)
            return
        void = self._judge(call, seat)
        self.at = len(self.made)
        self.made.append(Made(seat, call, void, self.before.turn))
        self.table = self.table.called(self.made[-1]).settled()
        if not self.found_by_last and not call.incidents:
            return
        behind = (call_name(f.rule, call.kind) for f in self.found_by_last)
        names = tuple(dict.fromkeys(n for n in behind if n))
        if void and not names and seat is not self.before.turn and not self.table.dialogue:
            self.table = self.before  # it counts for nothing, and the turn is where it was
        told = {i.name: i for i in reversed(call.incidents)}
        self.cases = [_Case(n, seat, told.get(n), True) for n in names]
        self.cases += self._told([i for i in call.incidents if i.name not in names], seat)

    # --- what the law makes of an irregular call ------------------------------------------------

    def _told(self, incidents: list[Incident], seat: Seat) -> list[_Case]:
        """Irregularities that no call shows, such as a card exposed or the score mentioned."""
        known = catalogue()
        return [
            _Case(i.name, i.by or seat, i, i.by in (None, seat) and known[i.name].group in OF_CALLS)
            for i in incidents
            if i.name in known and not str(known[i.name].finding).startswith("declaring.")
        ]

    def _rule(self, following: Made | None) -> None:
        """Rule on the last call, now that it is known what follows it, and carry it out."""
        cases, self.cases = self.cases, []
        if not cases:
            return
        self.forfeited = frozenset(
            c.seat.side
            for c in cases
            if not c.of_call and has(self._had(c, following)[0], "forfeit")
        )
        made, changed = self.made[self.at], False
        for case in cases:
            had = self._had(case, following)[0]
            if case.instead and has(had, "stand"):
                self._let_replace(case.instead)
            if not any(e.id in CALLS for r in had for e in r.effects) or not case.of_call:
                continue
            changed = True
            words = case.incident.remedy if case.incident and case.incident.remedy else ""
            after = following.seat if following else None
            offence = Offence(case.seat, self.before, made, after, words)
            self.table = carried_out(self.table, had, offence, self.law)
            self.made[self.at] = self._counted(made, had)
        own = following and following.seat is made.turn
        own = own and (made.call.kind == "pass" or made.turn is not self.table.turn)
        out = made.turn is not made.seat and not self.table.dialogue
        if out and own and not changed and not made.void:
            # The player whose turn it was calls after all: the call was not let stand.
            self.table = self.before
            self.made[self.at] = replace(made, void=True)
        self.table = self._barred(self.table, cases, following)

    def _let_replace(self, before: Table) -> None:
        """The last call counts in the stead of the one that it changes."""
        new = replace(self.made[-1], void=False)
        self.made[self.at], self.made[-1] = replace(self.made[self.at], void=True), new
        self.table = before.called(new)

    def _counted(self, made: Made, had: tuple[Remedy, ...]) -> Made:
        """The call as the table now counts it."""
        effects = {e.id for r in had for e in r.effects}
        last = self.table.last
        if last and last.call is made.call:
            return last
        return replace(made, void=bool(effects & {"void", "go-back", "final"}) or made.void)

    def _had(self, case: _Case, following: Made | None) -> tuple[tuple[Remedy, ...], str | None]:
        """The remedies of a case that are had, and the one that was lawfully chosen."""
        before = self.made[: self.at + (not case.of_call)]
        roles = roles_after(before, self.dealer, None)
        offenders = catalogue()[case.name].facts.get("offender", ())
        told = {"followed-by": "nobody"}
        if role := next((r for r in roles.of(case.seat) if r in offenders), None):
            told["offender"] = role
        if self.law.making and self.table.last:
            told |= trump_facts(self.table.last.bid.denomination)
        if case.of_call or case.instead:
            made = self.made[self.at if case.of_call else -1]
            attention = any(i.noticed_by or i.remedy for i in made.call.incidents)
            told |= called_facts(made, before, following, attention)
        incident = case.incident
        told |= {**case.facts, **told_facts(incident, self.law)}
        if incident and case.seat.side.other in self.forfeited:
            incident = replace(incident, remedy=None)

        def rule(facts: dict[str, str]) -> tuple[tuple[Remedy, ...], str | None]:
            known = mattering(case.name, told | facts)
            return ruled(case.name, known, incident, case.seat, self.law, roles)

        acted = following and following.seat.side is not case.seat.side
        first = rule({})
        return rule({"adversary-acted": "yes"}) if acted and first[1] is None else first

    def _barred(self, table: Table, cases: list[_Case], following: Made | None) -> Table:
        """The table with those barred whom the law bars for what happened."""
        for case in cases:
            remedies, chosen = self._had(case, following)
            for bar in bars_of(remedies, case.seat, chosen):
                table = table.bar(bar)
        return table

    def _correct(self, call: Call) -> None:
        """Replace the last caller's call, if the law lets him."""
        if not self.made:
            self.finding("declaring.changed", call, "There is no call to correct.")
            return
        last = self.made[-1]
        seat = call.seat or last.seat
        insufficient = any(f.rule == "declaring.insufficient-bid" for f in self.found_by_last)
        noticed = bool(last.call.incidents)
        allowed = self.law.may_change
        lawful = allowed is None or allowed(last.call, call, not insufficient)
        lawful = lawful or (noticed and (call.kind == "bid" or not insufficient))
        if seat is not last.seat or not lawful:
            own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
            called = f"called {call_words(own, self.law)}" if own else "has not called"
            said = (
                f"{seat.title} {called} and changes to {call_words(call, self.law)}, "
                "which the law does not allow here."
            )
            self.finding("declaring.changed", call, said)
            self.made.append(Made(seat, call, True, self.table.turn))
            if seat is last.seat:
                facts = change_facts(tuple(self.made), len(self.made) - 1)
                told = next((i for i in call.incidents if i.name == "declaration-changed"), None)
                case = _Case("declaration-changed", seat, told, False, facts, self.before)
                self.cases.append(case)
            return
        self.found += self.found_by_last if noticed else []
        self.found_by_last = []
        cases, self.cases = self.cases, []
        self.table = self._barred(self.before, cases if noticed else [], None)
        self.made[-1] = replace(last, void=True)
        self._call(call, seat)

    def _barring_laws(self, bar: Bar) -> tuple[str, ...]:
        """The law by which a player is barred, and those on barred players in general."""
        others = barring(self.law.code, self.law.options)
        general = [law for law in self.law.behind.get("declaring.barred", ()) if law not in others]
        return tuple(dict.fromkeys((bar.law, *general)))
