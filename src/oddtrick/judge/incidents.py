"""The irregularities of a record, found or reported in it, each a case with its facts.

The walks through calls and cards find what is irregular, and a record may tell of more. Each
becomes a case: the irregularity of the catalogue, who offends, where, and the answers to those of
its questions that calls and cards answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from oddtrick.cards import SEATS, Card, Seat, Side, Suit, card_in
from oddtrick.judge.effects import has
from oddtrick.judge.events import Events
from oddtrick.judge.facts import (
    Case,
    call_name,
    called_facts,
    change_facts,
    mattering,
    offender_facts,
    pointed_at,
    pointed_out,
    raised_facts,
    recorded_facts,
    revoke_facts,
    trump_facts,
)
from oddtrick.judge.finding import Finder, Finding, Severity
from oddtrick.judge.message import Message
from oddtrick.judge.play import Followed, Outcome
from oddtrick.judge.procedures import Declared
from oddtrick.judge.roles import Roles, roles_after
from oddtrick.judge.ruling import presumed
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings import engine as rulings

REVOKES = ("revoke", "revoke-by-dummy")
"""The irregularities that are a revoke which is past correction."""

BY_CALLS = (
    "declaring.after-the-end",
    "declaring.challenge-passed",
    "declaring.dealer-must-bid",
    "declaring.double-of-nothing",
    "declaring.double-of-partner",
    "declaring.impossible-bid",
    "declaring.insufficient-bid",
    "declaring.made-by-adversary",
    "declaring.made-without-leave",
    "declaring.out-of-turn",
    "declaring.passed-back",
    "declaring.redouble-twice",
)
"""The findings that the calls alone decide on, where they are recorded."""


class Shown:
    """What a record shows, as the cases in it need it."""

    def __init__(self, events: Events, law: Rules, declared: Declared, outcome: Outcome) -> None:
        self.events, self.law, self.declared, self.outcome = events, law, declared, outcome
        self.deal, self.finder = events.deal, Finder(law, events.deal)
        self.final = declared.final
        dealer = self.deal.dealer
        if dealer is None and law.has("making") and self.final:
            dealer = self.final.declarer  # where the trump is made, he who dealt plays the hand
        self.roles = roles_after(declared.calls, dealer, self.final, law.has("open-hand"))
        self.made = {m.call.item: (i, m) for i, m in enumerate(declared.calls)}
        self.cards = {
            played.item: (number, index)
            for number, trick in enumerate(outcome.tricks)
            for index, (_, played) in enumerate(trick.cards)
        }
        self.tricks = {trick.item: number for number, trick in enumerate(events.tricks or ())}
        last = len(outcome.tricks)
        claims = ((c.item, c.stated.after_trick) for c in events.claims)
        self.claims = {claim: after for claim, after in claims if 0 < after <= last}
        self.closed = {ruled.case.id: ruled for ruled in declared.closed}
        self.written = {i.item: item for i, _, item in self._written()}
        self.revoked: set[Side] = set()
        self.proved: set[tuple[Seat | None, int | None]] = set()

    # --- the cases -------------------------------------------------------------------------------

    def cases(self, found: Sequence[Finding]) -> list[Case]:
        """Every irregularity that was found or is written down, those found first."""
        recorded = [t for t in self.recorded() if t[0].name in rulings.catalogue()]
        cases = [case for f in found if (case := self._found_case(f))]
        used = {case.incident.item for case in cases if case.incident}
        cases = [self._with_record(c, recorded, used, self._at_it) for c in cases]
        cases = [self._with_record(c, recorded, used, self._there) for c in cases]
        cases = [self._with_record(c, recorded, used, self._claims) for c in cases]
        self.proved = {(c.seat, c.trick) for c in cases if c.name in REVOKES}
        # Two lines tell of one event where they tell of one call, or of one card of a player.
        further, events = list[tuple[Item, Case]](), dict[object, Item]()
        for line in (ruled.case for ruled in self.declared.closed):
            same = (c.id for c in cases if (c.name, c.item) == (line.name, line.item))
            if (whose := next(same, line.id)) != line.id:
                further.append((whose, line))
                used |= {line.incident.item} if line.incident else set()
        for case in reversed(cases):
            events |= {_event(case): case.id} if case.incident else {}
        for incident, seat, item in recorded:
            if incident.item in used:
                continue
            used.add(incident.item)  # what is written at `all pass` stands at each of the passes
            case = self._written_case(incident, incident.by or seat, item)
            if _event(case) in events:
                further.append((events[_event(case)], case))
                continue
            cases.append(replace(case, disproved=case.disproved or self._uncalled(case, cases)))
            if case.card or item in self.made:
                events[_event(case)] = case.id
        sides = {c.seat.side for c in cases if c.seat and self._needs_no_proof(c)}
        believed = (c.name in REVOKES and c.seat and c.seat.side in sides for c in cases)
        cases = [
            replace(c, disproved=None) if b else c for c, b in zip(cases, believed, strict=True)
        ]
        pointed = [self._pointed(case, cases) for case in cases]
        told_of = [self._consulted(case, cases) for case in pointed]
        counted = self._counted([self._demanded(case, told_of) for case in told_of])
        lines = {case.id: [case] for case in counted}
        for first, case in further:
            of_first = lines[first][0]
            facts = mattering(case.name, recorded_facts(case.incident, self.law))
            facts = {**of_first.facts, **facts}
            lines[first].append(replace(case, facts=facts, finding=of_first.finding, again=True))
        return [case for of_event in lines.values() for case in of_event]

    def _needs_no_proof(self, case: Case) -> bool:
        """Whether, by what a side has done, a revoke that it is accused of needs no proof."""
        facts = presumed(case.name, case.facts)
        ruling = rulings.answer(case.name, self.law.code, self.law.options, facts).ruling
        return ruling is not None and has(ruling.always, "no-proof")

    def _pointed(self, case: Case, cases: Sequence[Case]) -> Case:
        """The case with what dummy points out: the irregularity reported at the same place."""
        answers = rulings.catalogue()[case.name].facts.get("incident", ())
        for other in cases if answers and "incident" not in case.facts else ():
            name = pointed_out(rulings.catalogue()[other.name].first_of or other.name)
            own = case.seat and other.seat and case.seat.side is other.seat.side
            name = "no-penalty" if own and name else name
            if other is not case and not self.apart(case, other) and name in answers:
                return replace(case, facts={**case.facts, "incident": name})
        return case

    def _consulted(self, case: Case, cases: Sequence[Case]) -> Case:
        """The case with the consultation of declarer and dummy that is reported at the same
        place."""
        if "dummy-consulted" not in rulings.catalogue()[case.name].facts:
            return case
        for other in cases:
            discussed = other.facts.get("made-by", "discussed") == "discussed"
            own = self.role(other.seat) in ("declarer", "dummy") and not self.apart(case, other)
            if other.name == "consultation" and discussed and own:
                return replace(case, facts={"dummy-consulted": "yes", **case.facts})
        return case

    def _demanded(self, case: Case, cases: Sequence[Case]) -> Case:
        """The case with whether what it is about had been demanded already.

        So it is where no offence of the other side stands beside it that is not dealt with, and one
        had been.
        """
        known = rulings.catalogue()[case.name].facts
        if "demanded" not in known or "demanded" in case.facts or not case.seat:
            return case
        offences = [c for c in cases if c.seat and c.seat.side is not case.seat.side]
        open_ = (c for c in offences if not self.apart(case, c) or self.left_open(c, case))
        paid = any(self.demanded_before(c, case) for c in offences)
        demanded = "yes" if paid and next(open_, None) is None else "no"
        return replace(case, facts={**case.facts, "demanded": demanded})

    def apart(self, one: Case, other: Case) -> bool:
        """Whether two things happened at different calls or in different tricks, as far as is
        known: each where it is found, and where it is reported.
        """
        own, others = self._places(one), self._places(other)
        return bool(own and others and own.isdisjoint(others))

    def left_open(self, offence: Case, then: Case) -> bool:
        """Whether an offence was reported before something else, and nothing chosen for it."""
        incident = offence.incident
        open_ = incident is not None and not (incident.remedy or incident.waived_by)
        return open_ and self._earlier(offence, then)

    def demanded_before(self, offence: Case, then: Case) -> bool:
        """Whether a penalty for an offence was demanded before something else happened."""
        incident = offence.incident
        return incident is not None and bool(incident.remedy) and self._earlier(offence, then)

    def _earlier(self, one: Case, other: Case) -> bool:
        """Whether something was over, and reported, at an earlier call or trick than another."""
        own, others = self._places(one), self._places(other)
        return bool(own and others) and max(own) < min(others)

    def _places(self, case: Case) -> set[tuple[int, int]]:
        """Where a case is found and where it is reported: calls, then tricks; none for the deal."""
        places = {(1, case.at[0])} if case.at else set[tuple[int, int]]()
        for item in (case.item, self.written.get(case.incident.item) if case.incident else None):
            if item in self.made:
                places.add((0, self.made[item][0]))
            elif item in self.cards:
                places.add((1, self.cards[item][0]))
        return places

    def _with_record(
        self,
        case: Case,
        recorded: Sequence[tuple[Incident, Seat | None, Item]],
        used: set[Item],
        meant: Callable[[Case, Incident, Item], bool],
    ) -> Case:
        """The case of a card with what is written of it, and of nothing else.

        What is written of a call the walk through the calls has bound to it.
        """
        if case.incident or case.item in self.made:
            return case
        for incident, seat, item in recorded:
            if (
                incident.item not in used
                and self._name(incident, seat) == case.name
                and meant(case, incident, item)
            ):
                used.add(incident.item)
                facts = {**case.facts, **mattering(case.name, recorded_facts(incident, self.law))}
                return replace(case, incident=incident, facts=facts)
        return case

    def _at_it(self, case: Case, incident: Incident, item: Item) -> bool:
        """Whether an irregularity is written at the very call or card at which it was found, or of
        its player."""
        return item == case.item if incident.by is None else self._there(case, incident, item)

    def _name(self, incident: Incident, seat: Seat | None) -> str:
        """The irregularity that is meant: a revoke reported of dummy is one by dummy."""
        dummys = incident.name == "revoke" and self.role(incident.by or seat) == "dummy"
        return "revoke-by-dummy" if dummys else incident.name

    def _there(self, case: Case, incident: Incident, item: Item) -> bool:
        """Whether an irregularity is written at the call, or at the trick, at which it was
        found.
        """
        if incident.by not in (None, case.seat):
            return False
        if case.at and item in self.cards:
            return self.cards[item][0] == case.at[0]
        return item == case.item

    def _claims(self, case: Case, incident: Incident, item: Item) -> bool:
        """Whether what was found is reported afterwards.

        A revoke in another trick or at the end; a card that it names.
        """
        named = card_in(incident.of or "")
        if incident.by is not case.seat or case.at is None:
            return False
        _, played = self.outcome.tricks[case.at[0]].cards[case.at[1]]
        if case.name not in REVOKES and (named is None or named != played.card):
            return False
        return item not in self.cards or self.cards[item][0] > case.at[0]

    def _uncalled(self, case: Case, found: Sequence[Case]) -> Message | None:
        """What the calls show against an irregular call that is reported; `None` for nothing.

        They show it if all are recorded up to that place, his among them, and none is
        irregular so.
        """
        rule = rulings.catalogue()[case.name].finding
        if rule not in BY_CALLS or self.events.calls is None:
            return None
        until = self.made[case.item][0] + 1 if case.item in self.made else None
        missing = ("declaring.unfinished", "record.calls-missing", "record.no-dealer")
        lacks = {f.rule for f in self.declared.findings} & set(missing[until is not None :])
        lacks |= {c.kind for c in self.events.calls[:until]} & {"unrecorded"}
        called = any(m.seat is case.seat for m in self.declared.calls[:until])
        answer = rulings.answer(case.name, self.law.code, self.law.options, case.facts)
        if lacks or not called or answer.kind in ("absent", "silent"):
            return None
        same = (c for c in found if c.item == case.item and c.name == case.name)
        made = next((c.seat for c in same if c.finding and not c.incident and c.seat), None)
        if made and case.seat:
            return Message("another-called", player=case.seat, caller=made)
        condoned = any((f.rule, f.item) == (rule, case.item) for f in self.declared.findings)
        return Message("no-such-call-of", player=case.seat) if case.seat and not condoned else None

    def _counted(self, cases: list[Case]) -> list[Case]:
        """The cases, those of revokes with the number of each: of its side, and of the other's.

        Told without a card they come after those in the tricks, in the order in which they are
        told.
        """
        self.revoked = {c.seat.side for c in cases if c.name == "revoke" and c.seat}
        revokes = [c for c in cases if c.name == "revoke" and c.seat and not c.disproved]
        revokes.sort(key=lambda c: c.at or (len(self.outcome.tricks), 0))
        counted: dict[Item, Case] = {}
        for case in revokes:
            side = case.seat.side if case.seat else None
            own = [c for c in revokes if c.seat and c.seat.side is side]
            answers = revoke_facts(own.index(case), len(own), len(revokes) - len(own))
            left = (c.at for c in cases if c.name == "dummy-leaves-seat")
            if any(at is None or case.at is None or at[0] < case.at[0] for at in left):
                answers["dummy-gone"] = case.facts.get("dummy-gone", "away")
            facts = {**case.facts, **mattering("revoke", answers)}
            counted[case.id] = replace(case, facts=facts)
        return [counted.get(c.id, c) for c in cases]

    def _card_of(self, item: Item, seat: Seat | None) -> tuple[int, int]:
        """The trick of a card and the card in it that a player played.

        The card itself where he played none.
        """
        number, index = self.cards[item]
        return number, next(
            (i for i, (s, _) in enumerate(self.outcome.tricks[number].cards) if s is seat), index
        )

    def recorded(self) -> Iterator[tuple[Incident, Seat | None, Item]]:
        """Every irregularity written down.

        With who is meant where the record does not say, and at what it happened: at the card that
        it names, if it is of the trick to which its player played that card, or where it stands.
        """
        played = {(seat, p.card): p.item for t in self.outcome.tricks for seat, p in t.cards}
        known = rulings.catalogue()
        for incident, seat, item in self._written():
            of_trick = incident.name in known and known[incident.name].of_trick
            card = card_in(incident.of or "") if of_trick else None
            yield incident, seat, played.get((incident.by or seat, card), item) if card else item

    def _written(self) -> Iterator[tuple[Incident, Seat | None, Item]]:
        for incident in self.events.incidents:
            yield incident, None, incident.item
        for made in self.declared.calls:
            for incident in made.call.incidents:
                yield incident, made.seat, made.call.item
        for trick in self.outcome.tricks:
            for seat, played in trick.cards:
                for incident in played.incidents:
                    yield incident, seat, played.item
        for claim in self.events.claims:
            for incident in claim.incidents:
                yield incident, claim.stated.seat, claim.item

    def _found_case(self, finding: Finding) -> Case | None:
        if finding.severity not in (Severity.IRREGULAR, Severity.DISPUTED, Severity.SILENT):
            return None
        if finding.item in self.made:
            return self._call_case(finding, finding.item)
        if finding.item in self.cards:
            return self._card_case(finding, finding.item)
        if finding.item in self.tricks:
            return self._trick_case(finding, finding.item)
        return None

    def _call_case(self, finding: Finding, item: Item) -> Case | None:
        name = call_name(finding.rule, self.made[item][1].call.kind)
        lines = (r.case for r in self.declared.closed)
        case = next((c for c in lines if (c.name, c.item) == (name, item)), None)
        return case and replace(case, finding=finding)

    def call_facts(self, name: str, index: int) -> dict[str, str]:
        """The facts of an irregular call that the record shows."""
        calls = self.declared.calls
        made = calls[index]
        later = [m for m in calls[index + 1 :] if not m.call.corrects]
        corrected = [m for m in calls[index + 1 : index + 2] if m.call.corrects]
        behind = (i for m in corrected for i in m.call.incidents if i.name == name)
        recorded = (*made.call.incidents, *behind)
        attention = pointed_at(recorded, made.seat)
        put_right = any(not m.void for m in corrected)  # before anybody called
        following = later[0] if later and not put_right else None
        answers = called_facts(made, calls[:index], following, attention, self.deal)
        answers |= raised_facts(made, calls[:index], self.law)
        final = self.final or self.declared.unplayed
        if self.law.has("making") and final:
            answers |= trump_facts(final.denomination)
        if name == "call-after-the-end":
            role = self.role(made.seat)
            if role:
                answers["offender"] = role
        if name == "declaration-changed":
            answers |= change_facts(calls, index)
        return mattering(name, answers)

    def _card_case(self, finding: Finding, item: Item) -> Case | None:
        at, index = self.cards[item]
        seat, _ = self.outcome.tricks[at].cards[index]
        name = self._card_name(finding.rule, seat, at, index)
        if name is None or seat is None:
            return None
        facts = self.card_facts(name, seat, at, index)
        return Case(name, seat, item, facts, None, finding, (at, index), led=self._led(at))

    def _trick_case(self, finding: Finding, item: Item) -> Case | None:
        """A trick of too few or too many cards: who played none to it, or more than one."""
        name, at = call_name(finding.rule, ""), self.tricks[item]
        seats = [seat for seat, _ in self.outcome.tricks[at].cards]
        wrong = [s for s in SEATS if seats.count(s) != 1]
        if name is None or None in seats or len(wrong) != 1:
            return None
        facts = self.card_facts(name, wrong[0], at, 0)
        return Case(name, wrong[0], item, facts, None, finding, (at, 0))

    def _card_name(self, rule: str, seat: Seat | None, at: int, index: int) -> str | None:
        if rule == "play.wrong-leader":
            return (
                "first-lead-out-of-turn" if self.role(seat) == "adversary" else "lead-out-of-turn"
            )
        if rule == "play.out-of-turn":
            if self.role(seat) in ("declarer", "dummy"):
                third_hand = seat and self.outcome.tricks[at].cards[0][0] is seat.partner
                return "play-from-wrong-hand" if third_hand else None
            missing = self._missing_before(at, index)
            return "fourth-before-second" if seat and missing is seat.partner else None
        if rule == "play.revoke" and not self._established(at, seat):
            return "renounce-corrected"
        return {
            "play.lead-out-of-turn": "lead-out-of-turn",
            "play.revoke": "revoke",
            "play.dummys-revoke": "revoke-by-dummy",
        }.get(rule)

    def _established(self, at: int, seat: Seat | None) -> bool:
        """Whether a revoke in a trick is past correction.

        His side has played to a later trick, or the play has ended; in the last trick of a play
        that breaks off, if the record calls it a revoke. A lead or claim of the other side ends it
        with the trick quitted and no more.
        """
        later = self.outcome.tricks[at + 1 :]
        if len(later) > 1 or any(
            s and seat and s.side is seat.side for t in later for s, _ in t.cards
        ):
            return True
        if later and (seat is None or self._by_quitting(seat)):
            return True
        last = [c for c in self.deal.claims if c.after_trick == at + 1]
        if last and seat and not any(c.verb == "claims" and c.seat.side is seat.side for c in last):
            return self._by_quitting(seat)
        if self.outcome.complete or self.deal.result or self.deal.claims:
            return True
        cards = self.outcome.tricks[at].cards
        recorded = [i for _, p in cards for i in p.incidents if i.name == "revoke"]
        return any(i.by in (None, seat) for i in recorded)

    def _by_quitting(self, seat: Seat) -> bool:
        """Whether a revoke is past correction when its trick has been quitted, and no more."""
        name = "renounce-corrected"
        facts = {"renounce-noticed": "quitted", "answered": "no", "who-played": "both"}
        facts |= offender_facts(name, seat, self.roles)
        given = rulings.answer(name, self.law.code, self.law.options, presumed(name, facts)).ruling
        return given is None or all(r.chosen_by != "offender" for r in given.remedies)

    def _missing_before(self, at: int, index: int) -> Seat | None:
        """The first player after the leader who has not played when the card at `index` is
        played.
        """
        cards = self.outcome.tricks[at].cards
        leader = cards[0][0]
        played = {s for s, _ in cards[:index]}
        return (
            next((leader.after(i) for i in range(1, 4) if leader.after(i) not in played), None)
            if leader
            else None
        )

    def card_facts(self, name: str, seat: Seat, at: int, index: int) -> dict[str, str]:
        """The facts of an irregular card that the record shows."""
        trick = self.outcome.tricks[at]
        answers: dict[str, str] = {}
        role = self.role(seat)
        if role:
            answers["offender"] = role
        if name in ("lead-out-of-turn", "first-lead-out-of-turn"):
            answers["followed-by"] = self._followed_by(trick)
            recorded = [i for _, p in trick.cards for i in p.incidents]
            answers["attention"] = "yes" if pointed_at(recorded, seat, seat.partner) else "no"
        next_trick = at + 1 < len(self.outcome.tricks)
        if name == "renounce-corrected":
            answers |= {"renounce-noticed": "before-quitted"} if index else {}
            answers |= {"who-played": "fourth"} if index == len(SEATS) - 1 else {}
        if name == "revoke-by-dummy":
            answers["renounce-noticed"] = "next-trick" if next_trick else "before-quitted"
        if name == "fourth-before-second":
            leader = trick.cards[0][0]
            third = leader.after(2) if leader else None
            before = [s for s, _ in trick.cards[:index]]
            answers["third-played"] = "yes" if third in before else "no"
            answers |= self._void(trick, leader.left if leader else None)
        if name == "attention-to-trick":
            answers |= self._void(trick, seat.partner)
        if name == "renounce-corrected" and seat:
            answers["who-played"] = self._who_played(trick, seat, index)
        if name in ("trick-short", "trick-surplus"):
            answers["trick-noticed"] = "during-play" if next_trick else "after-play"
        return mattering(name, answers)

    def _void(self, trick: Followed, seat: Seat | None) -> dict[str, str]:
        """Whether a player has the suit led, as he shows by his card; nothing where he does not."""
        led = trick.cards[0][1].card
        own = next((p.card for s, p in trick.cards[1:] if s is seat), None)
        if led is None or own is None:
            return {}
        return {"void": "holds" if own.suit is led.suit else "void"}

    def _who_played(self, trick: Followed, seat: Seat, index: int) -> str:
        """Which adversaries have played after a card, as the trick stands."""
        if index == 3:
            return "fourth"
        seats = [s for s, _ in trick.cards]
        if seat.left not in seats[index:]:
            return "nobody"
        return "both" if seat.right in seats else "left-only"

    def _followed_by(self, trick: Followed) -> str:
        others = [s for s, _ in trick.cards[1:]]
        if len(others) >= 3:
            return "all"
        if not others:
            return "nobody"
        return "declarer" if self.role(others[0]) in ("declarer", "dummy") else "one-or-two"

    def _written_case(self, incident: Incident, seat: Seat | None, item: Item) -> Case:
        """An irregularity that only the record tells of, with what can be seen of its facts."""
        name = self._name(incident, seat)
        answers: dict[str, str] = {}
        if name != incident.name:
            answers["renounce-noticed"] = "next-trick"  # it is reported as established
        known = rulings.catalogue()[name].facts
        answers |= offender_facts(name, seat, self.roles)
        answers |= self._side_facts(seat)
        if self.law.has("making") and self.final:
            answers |= trump_facts(self.final.denomination)
        if item in self.made:
            answers |= self.call_facts(name, self.made[item][0])
        at = self.cards.get(item)
        if at and seat:
            at = self._card_of(item, seat)
            answers = self.card_facts(name, seat, *at) | answers
        if self.deal.cards and "claim-before" in known:
            answers["claim-before"] = "yes" if self._claimed_before(at) else "no"
        answers |= self._time_facts(incident, item)
        if incident.of:  # a card taken back: it stands in no trick
            answers |= {"followed-by": "nobody", "attention": "yes"}
            answers["renounce-noticed"] = "before-quitted"
        answers |= recorded_facts(incident, self.law)
        against = None
        if incident.name == "revoke" and seat:
            against = self._against(seat, at)
        elif incident.name == "renounce-corrected" and seat:
            against = self._past_correction(seat, card_in(incident.of or ""), at)
        facts = mattering(name, answers)
        if name not in REVOKES and item in self.claims:
            trick = self.claims[item] - 1
            at = (trick, len(self.outcome.tricks[trick].cards) - 1)
        led = self._led(at[0]) if at else None
        return Case(name, seat, item, facts, incident, None, at, against, led)

    def _led(self, at: int) -> Suit | None:
        """The suit led to a trick."""
        card = self.outcome.tricks[at].cards[0][1].card
        return card.suit if card else None

    def _time_facts(self, incident: Incident, item: Item) -> dict[str, str]:
        """When something of the deal was noticed, by the call or card after which it is reported.

        And in which play of the deal: an overplay has begun when calls or cards came before.
        """
        answers: dict[str, str] = {}
        if item in self.made:
            answers["deal-noticed"] = "after-deal"
        elif item in self.cards:
            answers["deal-noticed"] = "during-play"
        playing = self.deal.playing
        if playing == "original":
            answers["playing"] = "original"
        elif playing == "overplay" and (answers or incident.after):
            answers["playing"] = "in-overplay"
        return answers

    def _claimed_before(self, at: tuple[int, int] | None) -> bool:
        """Whether the declarer had claimed tricks when something happened at a card."""
        declarer = self.final.declarer if self.final else None
        claims = [c for c in self.deal.claims if c.verb == "claims"]
        return any(c.seat is declarer and (at is None or c.after_trick <= at[0]) for c in claims)

    def facts_of(self, name: str, case: Case) -> dict[str, str]:
        """The facts of another irregularity as which one is punished."""
        answers = {"followed-by": "nobody", **case.facts}
        answers |= offender_facts(name, case.seat, self.roles)
        side = case.seat.side if case.seat else None
        earlier = int(side in self.revoked)
        return mattering(name, answers | revoke_facts(earlier, earlier + 1, 0))

    def _against(self, seat: Seat, at: tuple[int, int] | None) -> Message | None:
        """What the cards show against a revoke that is reported of a player; `None` for nothing.

        In a trick: he led or followed suit, or had none. Without one: in no trick he revoked. A
        revoke that the cards prove has been judged already, and is not another.
        """
        tricks = range(len(self.outcome.tricks)) if at is None else (at[0],)
        if at is None and not (self.outcome.tricks and self.outcome.complete):
            return None
        if at and (seat, at[0]) in self.proved:
            return Message("revoke-already-judged", player=seat, trick=at[0] + 1)
        rest = [number for number in tricks if (seat, number) not in self.proved]
        against = [self._followed_suit(seat, number) for number in rest]
        if None in against:
            if at is None or self._established(at[0], seat):
                return None
            return Message("not-past-correction", player=seat, partner=seat.partner)
        if at:
            return against[0]
        every = len(rest) == len(tricks)
        what = "followed-suit-throughout" if every else "followed-suit-otherwise"
        return Message(what, player=seat)

    def _past_correction(
        self, seat: Seat, card: Card | None, at: tuple[int, int] | None
    ) -> Message | None:
        """What the cards say against a revoke being corrected: in its trick one is established."""
        tricks = self.outcome.tricks
        of_card = (n for n, t in enumerate(tricks) if card in [p.card for _, p in t.cards])
        number = next(of_card, at[0] if at and not card else None)
        if number is None or (seat, number) not in self.proved:
            return None
        return Message("past-correction", player=seat, trick=number + 1)

    def _followed_suit(self, seat: Seat, number: int) -> Message | None:
        """What shows that a player did not revoke in a trick; `None` where nothing does."""
        cards = self.outcome.tricks[number].cards
        led = cards[0][1].card if cards else None
        own = next((p.card for s, p in cards if s is seat), None)
        if own is None or led is None:
            return None
        if cards[0][0] is seat:
            return Message("led-to-trick", player=seat, card=own, trick=number + 1)
        if own.suit is led.suit:
            return Message("followed-suit", player=seat, card=own, trick=number + 1)
        whole = len(self.outcome.hands[seat]) == self.law.value("hand-size")
        if whole and not any(c.suit is led.suit for c in self.held(seat, number)):
            return Message("had-none-of-suit", player=seat, suit=led.suit, trick=number + 1)
        return None

    def _side_facts(self, seat: Seat | None) -> dict[str, str]:
        """What an offender has become when the declaration is final."""
        role, declarer = self.role(seat), self.final.declarer if self.final else None
        if role is None or declarer is None:
            return {}
        if role != "adversary":
            return {"offenders-side": "declaring"}
        return {"offenders-side": "adversary-on-right" if seat is declarer.right else "adversary"}

    # --- the table -------------------------------------------------------------------------------

    def role(self, seat: Seat | None) -> str | None:
        """Declarer, dummy or adversary."""
        return self.roles.role(seat)

    def roles_at(self, case: Case) -> Roles:
        """Who was who when something happened: at a call, those who had called until then."""
        calls = self.declared.calls
        if case.item in self.made:
            calls = calls[: self.made[case.item][0] + (case.finding is None)]
        return roles_after(calls, self.roles.dealer, self.final, self.law.has("open-hand"))

    def went_on(self, case: Case, given: Collection[int | None] = ()) -> bool:
        """Whether calls or cards come after the irregularity, or a score that is not zero.

        A result without a declaration says how many tricks were counted, and not that anybody
        played on.
        `given` are the points for tricks that a remedy gives without a hand.
        """
        tricks = len(self.events.tricks or ())
        # A revoke is claimed when the hand has been played.
        over = case.incident is not None and (case.incident.after == "play" or case.name in REVOKES)
        tricks_scored = (c.total for c in self.deal.scores if c.column == "trick")
        scored = any(total and total not in given for total in tricks_scored)
        if scored or (self.deal.result and self.deal.declaration and not over):
            return True
        if case.item in self.made:
            calls = self.declared.calls
            numbers = (i for i, m in enumerate(calls) if case.incident in m.call.incidents)
            return max(self.made[case.item][0], *numbers, 0) + 1 < len(calls) or tricks > 0
        if case.facts.get("trick-noticed") in ("during-play", "after-play"):
            return bool(self.deal.scores)
        if case.trick is not None and not over:
            return case.trick + 1 < tricks
        claimed = (c.stated.after_trick for c in self.events.claims if c.item == case.item)
        return next(claimed, tricks if over else 0) < tricks

    def held(self, seat: Seat, number: int) -> list[Card]:
        """The cards a player is known to hold when a trick begins."""
        played = {p.card for t in self.outcome.tricks[:number] for s, p in t.cards if s is seat}
        return [c for c in self.outcome.hands[seat] if c not in played]


def _event(case: Case) -> object:
    """What the cases of one event have in common."""
    return case.name, case.seat, case.card or case.item
