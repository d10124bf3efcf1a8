"""One walk through the calls of a record that carries the table.

Who has the turn, what the law makes of a call that is irregular, who is barred, until the
declaration is final.

What a call or the record tells of is ruled on when the next call shows what was done about it. An
auction and Bridge's dialogue are two such walks; each says what is in order in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace

from oddtrick.cards import Seat, Side
from oddtrick.judge.effects import EFFECTS, Offence, bars_of, carried_out, doubled_by, has, possible
from oddtrick.judge.events import Call, Events
from oddtrick.judge.facts import (
    Case,
    call_name,
    called_facts,
    change_facts,
    mattering,
    offender_facts,
    pointed_at,
    raised_facts,
    recorded_facts,
    trump_facts,
)
from oddtrick.judge.finding import Finder, Finding, Severity
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import (
    CHANGING_A_CALL,
    MAKING_SUFFICIENT,
    Declared,
    Final,
    Made,
    declarer_of,
)
from oddtrick.judge.procedures import enough as enough_over
from oddtrick.judge.roles import roles_after
from oddtrick.judge.ruling import Ruled, barring, in_order, rule
from oddtrick.judge.table import Bar, Table
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings.engine import catalogue

OF_CALLS = ("declaring", "doubling")
"""The groups of the catalogue whose irregularities are those of a call."""


class Walk(ABC):
    """One walk through the calls of a record under a law; `take` each, then `result`."""

    def __init__(self, events: Events, law: Rules, dealer: Seat, table: Table) -> None:
        """Begin with the table before the first call.

        `instead` is the table before a call that was changed, while that is ruled on; `forfeited`
        are the sides that have lost what they might have chosen.
        """
        self.events, self.law, self.dealer = events, law, dealer
        self.finder = Finder(law, events.deal)
        self.table = self.before = table
        self.made: list[Made] = []
        self.found: list[Finding] = []
        self.found_by_last: list[Finding] = []
        self.cases: list[Case] = []
        self.closed: list[Ruled] = []
        self.bound: set[Item] = set()
        self.forfeited: frozenset[Side] = frozenset()
        self.instead: Table | None = None
        self.open = False
        self.at = -1
        recorded = [i for i in events.incidents if i.by and i.after is None]
        ruled = [self._ruled(case, None)[1] for case in self._recorded(recorded, table.turn)]
        self.table = _with_bars(self.table, ruled)

    @abstractmethod
    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on one call; the result is whether it is void."""

    @abstractmethod
    def _all_pass(self, call: Call) -> None:
        """Take the passes that end a declaration, where they are written as one."""

    def _declared(
        self,
        final: Final | None,
        passed_out: bool,
        found: Sequence[Finding],
        relative: bool,
        turn: Seat | None = None,
        stands: Final | None = None,
    ) -> Declared:
        """The declaration with its calls and the rulings on them."""
        return Declared(
            tuple(self.made),
            final,
            passed_out,
            tuple(found),
            relative,
            turn=turn,
            stands=stands,
            closed=tuple(self.closed),
        )

    @abstractmethod
    def result(self, relative: bool) -> Declared:
        """What the calls came to; `relative` says that the dealer is not known."""

    def finding(
        self,
        rule: str,
        call: Call,
        message: Message,
        laws: tuple[str, ...] | None = None,
        readings: tuple[str, ...] = (),
    ) -> None:
        """Keep a finding about a call; one that rests on readings, unless chosen, is disputed."""
        doubtful = any(r not in self.law.chosen for r in readings)
        severity = Severity.DISPUTED if doubtful else Severity.IRREGULAR
        self.found_by_last.append(
            self.finder.find(rule, message, call, severity, laws=laws, readings=readings)
        )

    def take(self, call: Call) -> None:
        """Take one call."""
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
        self.table = self.table.called(self.made[-1]).settled(self.law)
        if not self.found_by_last and not call.incidents:
            return
        named_so = [n for f in self.found_by_last if (n := call_name(f.rule, call.kind))]
        if void and not named_so and seat is not self.before.turn and not self.table.dialogue:
            self.table = self.before  # it counts for nothing, and the turn is where it was
        found = {str(n): f for f in self.found_by_last if (n := call_name(f.rule, call.kind))}
        recorded = {n: self._recorded_of(n, seat, call) or (None,) for n in found}
        self.cases = [Case(n, seat, call.item, {}, i, found[n]) for n in found for i in recorded[n]]
        self.cases += self._recorded([i for i in call.incidents if i.name not in found], seat)

    def _recorded_of(self, name: str, seat: Seat, call: Call) -> tuple[Incident | None, ...]:
        """What is recorded of an irregular call: at it, or else of its player elsewhere.

        At the call that it replaces, at a later one before he calls again, or apart from the calls.
        """
        named = [i for i in self.events.every if i.name == name and i.item not in self.bound]
        at_it = [i for i in named if i in call.incidents and i.by in (None, seat)]
        if not at_it:
            at_it = [i for i in named if self._is_of(i, seat, call)][:1]
        self.bound |= {i.item for i in at_it}
        return tuple(at_it)

    def _is_of(self, incident: Incident, seat: Seat, call: Call) -> bool:
        """Whether an irregularity recorded elsewhere is of a call of a player."""
        event, calls = incident.event, self.events.calls or ()
        if event is None:
            return incident.by in (None, seat)
        if event.kind != "call":
            return False
        if call.corrects:
            last = next((m.call for m in reversed(self.made[:-1]) if m.seat is seat), None)
            return last is not None and incident in last.incidents and incident.by in (None, seat)
        number, caller = int(call.item[1]), seat
        for between in calls[number + 1 : event.number]:
            caller = between.seat or caller.left
            if caller is seat:
                return False
        return incident.by is seat and event.number > number

    # --- what the law makes of an irregular call ------------------------------------------------

    def _recorded(self, incidents: list[Incident], seat: Seat) -> list[Case]:
        """Irregularities that no call shows, such as a card exposed or the score mentioned."""
        known = catalogue()
        return [
            Case(i.name, i.by or seat, i.item, {}, i)
            for i in incidents
            if i.name in known and not str(known[i.name].finding).startswith("declaring.")
        ]

    def _close(self, following: Made | None) -> None:
        """Rule on the cases of the last call, now that it is known what follows it, and carry out
        what applies."""
        cases, self.cases = self.cases, []
        if not cases:
            return
        # First what was recorded beside the call: it may take a choice away.
        order = sorted(cases, key=self._of_call)
        ruled, self.forfeited = dict[Item, Ruled](), frozenset()
        for case in order:
            first, ruled[case.id] = self._ruled(case, following)
            if case.finding or self._changes(case):
                self.closed.append(replace(first, case=replace(first.case, incident=case.incident)))
            if not self._of_call(case) and case.seat and has(ruled[case.id].applied, "forfeit"):
                self.forfeited |= {case.seat.side}
        every = _of_events([ruled[case.id] for case in cases])
        made, changed = self.made[self.at], False
        if made.void and any(_kept_out(r) for r in every):  # then it need not be sufficient
            moot = [r for r in every if _rule_of(r.case) == "declaring.insufficient-bid"]
            every = [r for r in every if r not in moot]
            self.found_by_last = [
                f for f in self.found_by_last if all(f != r.case.finding for r in moot)
            ]
        for ruling in every:
            case, applied = ruling.case, ruling.applied
            if self.instead and self._changes(case) and has(applied, "stand"):
                self._let_replace(self.instead)
            on_call = any(EFFECTS[e.id].on_call for r in applied for e in r.effects)
            if not on_call or not self._of_call(case):
                continue
            changed = True
            words = case.incident.remedy if case.incident and case.incident.remedy else ""
            calls = self.events.calls or ()
            later = calls[next((n for n, c in enumerate(calls) if c is made.call), 0) + 1 :]
            by_call = any(c.kind in ("double", "redouble") for c in later)
            doubled = doubled_by(words, None if by_call else self.events.deal.declaration)
            after = following.seat if following else None
            undone = bool(made.void and _rule_of(case) == "declaring.out-of-turn")
            offence = Offence(made.seat, self.before, made, after, doubled, undone)
            self.table = carried_out(self.table, applied, offence, self.law)
            self.made[self.at] = self._counted(made, applied)
        own = following and following.seat is made.turn
        own = own and (made.call.kind == "pass" or made.turn is not self.table.turn)
        out = made.turn is not made.seat and not self.table.dialogue
        if out and own and not changed and not made.void:
            # The player whose turn it was calls after all: the call was not let stand.
            self.table = self.before
            self.made[self.at] = replace(made, void=True)
        self.table = _with_bars(self.table, every)
        self.instead = None

    def _let_replace(self, before: Table) -> None:
        """The last call, if it can be made at all, counts in the stead of that which it changes."""
        new = replace(self.made[-1], void=False)
        if new.call.kind == "bid" and not possible(new.call, self.law):
            return
        self.made[self.at], self.made[-1] = replace(self.made[self.at], void=True), new
        self.table = before.called(new)

    def _counted(self, made: Made, applied: tuple[Remedy, ...]) -> Made:
        """The call as the table now counts it."""
        effects = {e.id for r in applied for e in r.effects}
        last = self.table.last
        if last and last.call is made.call:
            return last
        return replace(made, void=bool(effects & {"void", "go-back", "final"}) or made.void)

    def _changes(self, case: Case) -> bool:
        """Whether a case is of the change of a call that is ruled on."""
        return self.instead is not None and case.item == self.made[-1].call.item

    def _of_call(self, case: Case) -> bool:
        """Whether it is the last call itself that is irregular, as it was found or as it is
        reported."""
        own = self.made[self.at].call.incidents if self.made else ()
        if case.finding:
            return True
        recorded = case.incident in own and case.seat is self.made[self.at].seat
        return recorded and case.group in OF_CALLS and not self._changes(case)

    def _ruled(self, case: Case, following: Made | None) -> tuple[Ruled, Ruled]:
        """The ruling on a case of the last call, and how it stands when the next call was made."""
        of_call = self._of_call(case)
        before = self.made[: self.at + (not of_call)]
        roles = roles_after(before, self.dealer, None, self.law.has("open-hand"))
        last = self.before.last
        if last and _rule_of(case) == "declaring.after-the-end":
            bidder = self.dealer if self.before.dialogue else last.seat
            name = str(last.bid.denomination)
            roles = replace(roles, declarer=declarer_of(tuple(before), name, bidder, self.law))
        answers = {"followed-by": "nobody"} | offender_facts(case.name, case.seat, roles)
        if self.law.has("making") and self.table.last:
            answers |= trump_facts(self.table.last.bid.denomination)
        if of_call or (self.made and case.item == self.made[-1].call.item):
            index = self.at if of_call else len(self.made) - 1
            made = self.made[index]
            about = [*made.call.incidents]
            if case.incident and not self._is_late(case.incident, made):
                about.append(case.incident)
            attention = pointed_at(about, made.seat)
            answers |= called_facts(made, before, following, attention, self.events.deal)
            answers |= raised_facts(made, before, self.law)
            if case.name == "declaration-changed":
                answers |= change_facts(self.made, index)
        answers |= {**case.facts, **recorded_facts(case.incident, self.law)}
        if case.incident and case.seat and case.seat.side.other in self.forfeited:
            case = replace(case, incident=replace(case.incident, remedy=None))
        first = rule(replace(case, facts=mattering(case.name, answers)), self.law, roles)
        if following is None or first.chosen or not case.seat:
            return first, first
        answers |= {"adversary-acted": "yes"} if following.seat.side is not case.seat.side else {}
        case = replace(case, facts=mattering(case.name, answers))
        return first, rule(case, self.law, roles)

    def _is_late(self, incident: Incident, made: Made) -> bool:
        """Whether something is recorded of a call at a later one, which does not replace it."""
        calls, event = self.events.calls or (), incident.event
        if event is None or event.kind != "call" or event.number <= int(made.call.item[1]):
            return False
        return not calls[event.number].corrects

    def _correct(self, call: Call) -> None:
        """Replace the last caller's call, if the law lets him."""
        if not self.made:
            self.finding("declaring.changed", call, Message("no-call-to-change"))
            return
        last = self.made[-1]
        seat = call.seat or last.seat
        insufficient = any(f.rule == "declaring.insufficient-bid" for f in self.found_by_last)
        behind = {i.name: i for i in call.incidents if i.by in (None, last.seat)}
        self.cases = [replace(c, incident=c.incident or behind.get(c.name)) for c in self.cases]
        recorded = [i for i in last.call.incidents if not _of_a_change(i)]
        recorded += [c.incident for c in self.cases if c.incident]
        # By another, or it is not recorded by whom.
        noticed = any(i.remedy or i.noticed_by is not last.seat for i in recorded)
        allowed = self.law.procedure("changing-a-call", CHANGING_A_CALL)
        lawful = allowed is None or allowed(last.call, call, not insufficient)
        lawful = lawful or (noticed and (call.kind == "bid" or not insufficient))
        penalised = [c.incident for c in self.cases if c.name == "insufficient-bid"]
        if (
            insufficient
            and seat is last.seat
            and any(i and (i.noticed_by or i.remedy) for i in penalised)
        ):
            if not self._suffices(last.call, call):
                self.made.append(Made(seat, call, True, self.table.turn))
                return
            lawful = True
        if seat is not last.seat or not lawful:
            own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
            message = Message("changed-without-a-call", player=seat, call=call.name)
            if own:
                message = Message("changed", player=seat, first=own.name, call=call.name)
            self.finding("declaring.changed", call, message)
            self.made.append(Made(seat, call, True, self.table.turn))
            behind_either = (*call.incidents, *last.call.incidents)
            change = next((i for i in behind_either if _of_a_change(i)), None)
            facts = change_facts(self.made, len(self.made) - 1)
            case = Case("declaration-changed", seat, call.item, facts, change)
            if seat is last.seat:
                self.instead = self.before
                self.cases.append(case)
            else:
                self.closed.append(self._ruled(case, None)[0])
            return
        lets = self.law.laws("changing-a-call")
        self.found += [
            f if noticed or f.rule == "declaring.insufficient-bid" else _condoned(f, lets)
            for f in self.found_by_last
        ]
        self.found_by_last = []
        cases, self.cases = self.cases, []
        ruled = [self._ruled(case, None)[0] for case in cases]
        self.closed += ruled
        self.table = _with_bars(self.before, ruled if noticed else ())
        self.made[-1] = replace(last, void=True)
        self._call(call, seat)

    def _suffices(self, bid: Call, call: Call) -> bool:
        """Whether a call makes a penalised insufficient bid sufficient, as the law has it.

        What the law would have is found if not; with the reading on which it rests.
        """
        over = self.before.last
        enough = enough_over(bid, over.bid, self.law) if over else None
        rule = self.law.procedure("making-sufficient", MAKING_SUFFICIENT)
        if rule is None or (call.kind == "bid" and rule(call, enough)):
            return True
        message = Message("not-made-sufficient", bid=bid.name, call=call.name)
        if call.kind == "bid":
            message = Message("cannot-be-made-sufficient", bid=bid.name, call=call.name)
            if enough:
                message = Message(
                    "made-sufficient-otherwise", bid=bid.name, call=call.name, due=enough.name
                )
        doubts = self.law.readings("making-sufficient") if call.kind == "bid" else ()
        doubtful = any(r not in self.law.chosen for r in doubts)
        finding = self.finder.find(
            "remedy.not-obeyed",
            message,
            call,
            Severity.DISPUTED if doubtful else Severity.IRREGULAR,
            laws=self.law.laws("making-sufficient"),
            readings=doubts,
        )
        self.found.append(finding)
        return False

    def _barring_laws(self, bar: Bar) -> tuple[str, ...]:
        """The law by which a player is barred, and those on barred players in general."""
        others = barring(self.law.code, self.law.options)
        general = self.law.finding_laws.get("declaring.barred", ())
        return tuple(dict.fromkeys((bar.law, *(law for law in general if law not in others))))


def _of_events(every: list[Ruled]) -> list[Ruled]:
    """The rulings; of several lines on one event only the one that stands."""
    events: dict[object, list[Ruled]] = {}
    for ruled in every:
        case = ruled.case
        events.setdefault((case.name, case.seat, case.card), []).append(ruled)
    return [next(r for r in in_order(lines) if not r.idle) for lines in events.values()]


def _rule_of(case: Case) -> str | None:
    return case.finding.rule if case.finding else None


def _kept_out(ruled: Ruled) -> bool:
    """Whether a call is a barred player's, and neither law nor choice lets it stand."""
    barred = _rule_of(ruled.case) == "declaring.barred"
    return barred and not has(ruled.applied, "stand") and not has(ruled.applied, "forfeit")


def _with_bars(table: Table, every: Iterable[Ruled]) -> Table:
    """The table with those barred whom the law bars for what happened."""
    for ruled in every:
        seat = ruled.case.seat
        for bar in bars_of(ruled.applied, seat, ruled.chosen) if seat else ():
            table = table.bar(bar)
    return table


def _condoned(finding: Finding, laws: tuple[str, ...]) -> Finding:
    """The finding as a note, with the laws that condone what was found."""
    laws = tuple(dict.fromkeys((*finding.laws, *laws)))
    return finding._replace(severity=Severity.NOTE, laws=laws)


def _of_a_change(incident: Incident) -> bool:
    """Whether an irregularity is that a call was changed, recorded at the first or the second."""
    return incident.name == "declaration-changed"
