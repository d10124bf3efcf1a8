"""Walks through the calls of a record, tracking the state of the table.

It determines whose turn it is, what the law makes of an irregular call and who is barred, until the
declaration is final. An irregularity of a call is ruled on when the next call shows what was done
about it. An auction and Bridge's dialogue are two kinds of walk; each defines which calls are in
order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from oddtrick.cards import Seat, Side
from oddtrick.judge.effects import EFFECTS, Offence, bars_of, carried_out, has, possible
from oddtrick.judge.events import Call, Events
from oddtrick.judge.facts import (
    CHANGED,
    ON_DOUBLING,
    call_facts,
    change_facts,
    offender_facts,
    pointed_at,
    recorded_facts,
    trump_facts,
)
from oddtrick.judge.finding import Finder, Finding, Message, Severity, by_place
from oddtrick.judge.procedures import DECLARING, Declared, Final, Made, declarer_of
from oddtrick.judge.procedures import enough as enough_over
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.judge.roles import roles_after
from oddtrick.judge.ruling import Case, barring, in_order, rule
from oddtrick.judge.table import Bar, Table
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings.engine import call_name, catalogue, named_by

INSUFFICIENT, OUT_OF_TURN = "declaring.insufficient-bid", "declaring.out-of-turn"

OF_CALLS = ("declaring", "doubling")
"""The groups of the catalogue whose irregularities are calls."""

UNDOING = ("void", "go-back", "final")
"""The effects by which a call does not count."""


class Walk(ABC):
    """A walk through the calls of a record under a law: `take` each call, then ask for `result`."""

    def __init__(self, events: Events, law: Rules, dealer: Seat, table: Table) -> None:
        """Start with the table before the first call.

        `instead` is the table before a call that was replaced, while that is being ruled on;
        `forfeited` are the sides that have lost their choice of remedy.
        """
        self.events, self.law, self.dealer = events, law, dealer
        self.finder = Finder(law, events.deal)
        self.table = self.before = table
        self.made: list[Made] = []
        self.found: list[Finding] = []
        self.found_by_last: list[Finding] = []
        self.cases: list[Case] = []
        self.closed: list[Case] = []
        self.bound: set[Item] = set()
        self.forfeited: frozenset[Side] = frozenset()
        self.instead: Table | None = None
        self.open = False
        self.at = -1
        before_calls = [i for i in events.every if not i.event and i.by and not i.after]
        ruled = [self._ruled(case, None)[1] for case in self._reported(before_calls, table.turn)]
        self.table = _with_bars(self.table, ruled)

    @abstractmethod
    def _judge(self, call: Call, seat: Seat) -> bool:
        """Record the findings on one call; return whether it is void."""

    @abstractmethod
    def _all_pass(self, call: Call) -> None:
        """Take the passes that end a declaration and are written as one call."""

    @abstractmethod
    def _end(self) -> tuple[Final | None, tuple[Message, ...] | None]:
        """What would be final if nobody called again, and the reasons if the calls are incomplete.

        Both are `None` if all four players have passed.
        """

    def result(self, relative: bool) -> Declared:
        """The outcome of the calls; `relative` is true if the dealer is not known."""
        self._close(None)
        found, made = [*self.found, *self.found_by_last], tuple(self.made)
        stands, why = self._end()
        passed_out, last = why is None, made[-1].call if made else None
        if why:
            found.append(self.finder.lacks("declaring.unfinished", why, last))
        elif passed_out and not found and not self.law.has("passed-out"):
            message = Message("all-four-pass")
            found.append(self.finder.find("declaring.passed-out", message, last, laws=()))
        cases = tuple(self.closed)
        if relative:
            stands = stands and stands._replace(declarer=None, bidder=None)
            placed = ((f, (by_place(m, self.dealer) for m in f.messages)) for f in found)
            found = [f._replace(messages=tuple(messages)) for f, messages in placed]
            cases = tuple(c._replace(seat=None) if c.finding else c for c in cases)
        return Declared(
            made,
            None if why else stands,
            passed_out,
            tuple(found),
            relative,
            turn=None if self.open and self.table.dialogue else self.table.turn,
            stands=stands,
            cases=cases,
        )

    def finding(
        self,
        rule: str,
        call: Call,
        seat: Seat | None,
        what: str,
        laws: tuple[str, ...] | None = None,
        readings: tuple[str, ...] = (),
        **data: Hashable,
    ) -> bool:
        """Record a finding on a call; it is disputed if it rests on a reading that is not chosen.

        The result is always true, since such a call is usually void.
        """
        message = Message(what, **{"player": seat, "call": call.name, **data})
        doubtful = any(r not in self.law.chosen for r in readings)
        severity = Severity.DISPUTED if doubtful else Severity.IRREGULAR
        found = self.finder.find(rule, message, call, severity, laws=laws, readings=readings)
        self.found_by_last.append(found)
        return True

    def take(self, call: Call) -> None:
        """Process one call."""
        if call.kind == "unrecorded":
            self.open = True
        elif call.kind == "all-pass":
            self._all_pass(call)
        elif call.corrects:
            self._correct(call)
        else:
            self._call(call, call.seat)

    def _call(self, call: Call, named: Seat | None) -> None:
        seat = named or self.table.turn
        if self.cases:
            self._close(Made(seat, call))
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
        self.table = self.table.called(self.made[-1]).with_early_call(self.law)
        if not self.found_by_last and not call.incidents:
            return
        found = {n: f for f in self.found_by_last if (n := call_name(f.rule, call.kind))}
        if void and not found and seat is not self.before.turn and not self.table.dialogue:
            self.table = self.before  # the call does not count, and the turn is as before
        self.cases = [
            Case(n, seat, call.item, {}, i, f)
            for n, f in found.items()
            for i in self._reported_of(n, seat, call) or (None,)
        ]
        self.cases += self._reported([i for i in call.incidents if i.name not in found], seat)

    # --- reports on calls -----------------------------------------------------------------------

    def _reported_of(self, name: str, seat: Seat, call: Call) -> tuple[Incident, ...]:
        """The reports on an irregular call: those at the call or, failing that, one elsewhere.

        Each report is attached to one call.
        """
        free = (i for i in self.events.every if i.item not in self.bound)
        named = [i for i in free if i.name == name and i.by in (None, seat)]
        at_it = [i for i in named if i in call.incidents]
        at_it = at_it or [i for i in named if self._is_of(i, seat, call)][:1]
        self.bound |= {i.item for i in at_it}
        return tuple(at_it)

    def _is_of(self, incident: Incident, seat: Seat, call: Call) -> bool:
        """Whether an irregularity reported elsewhere concerns this call of this player.

        It may be reported for the deal, at the call that this one replaces or that replaces this
        one or, with the player's name, at a later call before he calls again.
        """
        event, calls, number = incident.event, self.events.calls or (), int(call.item[1])
        if event is None or event.kind != "call":
            return event is None
        if call.corrects:
            last = next((m.call for m in reversed(self.made[:-1]) if m.seat is seat), None)
            return last is not None and incident in last.incidents
        between, caller = calls[number + 1 : event.number], seat
        for later in between:
            caller = later.seat or caller.left
            if caller is seat:
                return False
        named = incident.by or (not between and calls[event.number].corrects)
        return bool(named) and event.number > number

    def _reported(self, incidents: list[Incident], seat: Seat) -> list[Case]:
        """Cases of reported irregularities that no call shows, such as a card exposed."""
        known = catalogue()
        return [
            Case(i.name, i.by or seat, i.item, {}, i)
            for i in incidents
            if i.name in known and not str(known[i.name].finding).startswith("declaring.")
        ]

    # --- what the law makes of an irregular call ------------------------------------------------

    def _close(self, following: Made | None) -> None:
        """Rule on the cases of the last call, given the next call, and carry out what applies."""
        cases, self.cases = self.cases, []
        if not cases:
            return
        ruled, self.forfeited = dict[Item, Case](), frozenset()
        # First what was reported in addition to the call, since it may remove a choice.
        for case in sorted(cases, key=self._of_call):
            first, now = self._ruled(case, following)
            ruled[case.id] = now
            if case.finding or self._changes(case):
                self.closed.append(first._replace(incident=case.incident))
            if case.seat and now.concerns("declaring") and has(now.applied, "forfeit"):
                self.forfeited |= {case.seat.side}
        events: dict[object, list[Case]] = {}
        for case in (ruled[case.id] for case in cases):
            events.setdefault((case.name, case.seat, case.card), []).append(case)
        # If several lines concern one event, only the valid one counts.
        every = [next(r for r in in_order(lines) if not r.idle) for lines in events.values()]
        made, changed = self.made[self.at], False
        barred = (r.applied for r in every if _rule_of(r) == "declaring.barred")
        # A barred call that neither the law nor a choice lets stand may also be insufficient.
        if made.void and not all(has(r, "stand") or has(r, "forfeit") for r in barred):
            moot = [r.finding for r in every if _rule_of(r) == INSUFFICIENT]
            every = [r for r in every if r.finding is None or r.finding not in moot]
            self.found_by_last = [f for f in self.found_by_last if f not in moot]
        for case in every:
            if self.instead and self._changes(case) and has(case.applied, "stand"):
                new = replace(self.made[-1], void=False)
                if possible(new.call, self.law):
                    self.made[self.at] = replace(self.made[self.at], void=True)
                    self.made[-1], self.table = new, self.instead.called(new)
            on_call = any(EFFECTS[e].on_call for r in case.applied for e in r.effects)
            if on_call and self._of_call(case):
                changed = True
                after = following.seat if following else None
                undone = bool(made.void and _rule_of(case) == OUT_OF_TURN)
                of = made, after, self._doubled_by(case, made), undone, self.table
                self.table = carried_out(Offence(self.law, self.before, *of), case.applied)
                last, undone = self.table.last, any(has(case.applied, e) for e in UNDOING)
                by_table = last if last and last.call is made.call else None  # as it now counts
                self.made[self.at] = by_table or replace(made, void=made.void or undone)
        own = following and following.seat is made.turn
        own = own and (made.call.kind == "pass" or made.turn is not self.table.turn)
        out = made.turn is not made.seat and not self.table.dialogue
        if out and own and not changed and not made.void:
            # The player in turn calls after all, so the call was not accepted.
            self.table = self.before
            self.made[self.at] = replace(made, void=True)
        self.table = _with_bars(self.table, every)
        self.instead = None

    def _doubled_by(self, case: Case, made: Made) -> int:
        """How often a bid that a choice makes final is doubled.

        It follows from the words of the choice (`seven, doubled`) or, if no call doubles the bid,
        from the stated final declaration.
        """
        named = read_remedy(case.line.remedy or "").doubled
        if named is not None:
            return int(named)
        calls, stated = self.events.calls or (), self.events.deal.declaration
        following = calls[next((n for n, c in enumerate(calls) if c is made.call), 0) + 1 :]
        by_call = any(c.kind in ("double", "redouble") for c in following)
        return int(bool(stated and stated.doubled and not by_call))

    def _changes(self, case: Case) -> bool:
        """Whether a case concerns the replaced call that is being ruled on."""
        return self.instead is not None and case.item == self.made[-1].call.item

    def _of_call(self, case: Case) -> bool:
        """Whether a case concerns the last call itself, either found or reported."""
        if case.finding:
            return True
        last = self.made[self.at] if self.made else None
        reported = last and case.incident in last.call.incidents and case.seat is last.seat
        return bool(reported) and case.irregularity.group in OF_CALLS and not self._changes(case)

    def _ruled(self, case: Case, following: Made | None) -> tuple[Case, Case]:
        """The case of the last call as ruled on, and its state once the next call has been made."""
        of_call = self._of_call(case)
        before = self.made[: self.at + (not of_call)]
        roles = roles_after(before, self.dealer, None, self.law)
        last = self.before.last
        if last and _rule_of(case) == "declaring.after-the-end":
            bidder = self.dealer if self.before.dialogue else last.seat
            name = str(last.bid.denomination)
            roles = replace(roles, declarer=declarer_of(before, name, bidder, self.law))
        answers = {"followed-by": "nobody"} | offender_facts(case.name, case.seat, roles)
        if self.table.last:
            answers |= trump_facts(self.table.last.bid.denomination, self.law)
        if of_call or (self.made and case.item == self.made[-1].call.item):
            index = self.at if of_call else len(self.made) - 1
            made = self.made[index]
            about = [*made.call.incidents]
            since = self._before_report(case.incident, made) if case.incident else ()
            if case.incident and not since:
                about.append(case.incident)
            attention, deal = pointed_at(about, made.seat), self.events.deal
            answers |= call_facts(case.name, self.made, index, following, attention, deal, self.law)
            if any(call.kind in ON_DOUBLING for call in since):
                answers["doubling-said"] = "yes"
        answers |= {**case.facts, **recorded_facts(case.incident, self.law)}
        if case.incident and case.seat and case.seat.side.other in self.forfeited:
            case = case._replace(incident=replace(case.incident, remedy=None))
        first = rule(case.with_facts(answers), self.law, roles)
        if following is None or first.chosen or not case.seat:
            return first, first
        answers |= {"adversary-acted": "yes"} if following.seat.side is not case.seat.side else {}
        return first, rule(case.with_facts(answers), self.law, roles)

    def _before_report(self, incident: Incident, made: Made) -> Sequence[Call]:
        """The calls after an irregular call up to the one at which it is reported.

        There are none if it is reported at once or at a call that replaces it.
        """
        calls, event, own = self.events.calls or (), incident.event, int(made.call.item[1])
        if event is None or event.kind != "call" or event.number <= own:
            return ()
        return () if calls[event.number].corrects else calls[own + 1 : event.number + 1]

    def _correct(self, call: Call) -> None:
        """Replace the last caller's call, if the law allows it."""
        if not self.made:
            self.finding(CHANGED, call, call.seat, "no-call-to-change")
            return
        last = self.made[-1]
        seat = call.seat or last.seat
        insufficient = any(f.rule == INSUFFICIENT for f in self.found_by_last)
        ruled = [self._ruled(c, None)[0] for c in self.cases]
        of_call = [c for c in ruled if c.incident and self._of_call(c)]
        # Noticed by another player, or the record does not state by whom.
        noticed = any(c.line.remedy or c.line.noticed_by is not last.seat for c in of_call)
        accepted = any(c.chosen and has(c.applied, "stand") for c in of_call)
        own = (c.line for c in self.cases if c.name == named_by(INSUFFICIENT))
        penalised = insufficient and any(i.noticed_by or i.remedy for i in own)
        penalised = penalised and seat is last.seat
        if penalised and not self._suffices(last.call, call):
            self.made.append(Made(seat, call, True, self.table.turn))
            return
        allowed = self.law.procedure("changing-a-call", DECLARING)
        lawful = penalised or allowed is None or allowed(last.call, call, not insufficient)
        undone = noticed and not accepted  # what counts for nothing may be replaced
        lawful = lawful or (undone and (call.kind == "bid" or not insufficient))
        if seat is not last.seat or not lawful:
            self._change(call, seat, last, ruled)
            return
        lets = self.law.laws("changing-a-call")
        # A call that replaces one out of turn is out of turn itself, unless the first is accepted.
        name = "" if accepted or seat is self.before.turn else call_name(OUT_OF_TURN, call.kind)
        moot = [c for c in ruled if c.name == name]
        self.bound -= {c.incident.item for c in moot if c.incident}
        for finding in (f for f in self.found_by_last if all(f is not c.finding for c in moot)):
            if not noticed and finding.rule != INSUFFICIENT:
                laws = tuple(dict.fromkeys((*finding.laws, *lets)))
                finding = finding._replace(severity=Severity.NOTE, laws=laws)
            self.found.append(finding)
        self.found_by_last, self.cases = [], []
        self.closed += [c for c in ruled if c not in moot]
        self.table = _with_bars(self.before, ruled if noticed else ())
        if accepted:  # a call out of turn that stands is replaced as one made in turn
            self.table = self.table._replace(turn=seat)
        self.made[-1] = replace(last, void=True)
        self._call(call, seat)

    def _change(self, call: Call, seat: Seat, last: Made, ruled: Iterable[Case]) -> None:
        """Take a call that unlawfully replaces another; both cases close together.

        `ruled` are the cases of the last call, whose law may let the offender replace it otherwise.
        """
        own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
        change = named_by(CHANGED)
        what, first = "changed" if own else "changed-without-a-call", own.name if own else None
        lets = (r.provision for c in ruled for r in c.given if r.chosen_by == "offender")
        laws = (*self.law.finding_laws.get(CHANGED, ()), *lets)
        self.finding(CHANGED, call, seat, what, tuple(dict.fromkeys(laws)), first=first)
        self.made.append(Made(seat, call, True, self.table.turn))
        reported = next(iter(self._reported_of(change, seat, call)), None)
        facts = change_facts(self.made, len(self.made) - 1)
        case = Case(change, seat, call.item, {}, reported).with_facts(facts)
        if seat is last.seat:
            self.instead = self.before
            self.cases.append(case)
        else:
            self.closed.append(self._ruled(case, None)[0])

    def _suffices(self, bid: Call, call: Call) -> bool:
        """Whether a call makes a penalised insufficient bid sufficient, as the law requires.

        If not, it records a finding on what the law requires, with the readings it rests on.
        """
        over = self.before.last
        enough = enough_over(bid, over.bid, self.law) if over else None
        rule = self.law.procedure("making-sufficient", DECLARING)
        if rule is None or (call.kind == "bid" and rule(call, enough)):
            return True
        what, doubts = "not-made-sufficient", tuple[str, ...]()
        if call.kind == "bid":
            doubts = self.law.readings("making-sufficient")
            what = "made-sufficient-otherwise" if enough else "cannot-be-made-sufficient"
        laws, due = self.law.laws("making-sufficient"), enough.name if enough else None
        self.finding("remedy.not-obeyed", call, None, what, laws, doubts, bid=bid.name, due=due)
        return False

    def _barring_laws(self, bar: Bar) -> tuple[str, ...]:
        """The law by which a player is barred, and the general laws on barred players."""
        others = barring(self.law.code, self.law.options)
        general = self.law.finding_laws.get("declaring.barred", ())
        return tuple(dict.fromkeys((bar.law, *(law for law in general if law not in others))))


def _rule_of(case: Case) -> str | None:
    return case.finding.rule if case.finding else None


def _with_bars(table: Table, every: Iterable[Case]) -> Table:
    """The table with the bars that result from the cases."""
    for case in every:
        for bar in bars_of(case.applied, case.seat, case.chosen) if case.seat else ():
            table = table.bar(bar)
    return table
