"""The irregularities of a record, found or reported, each as a case with its facts.

The walks through calls and cards find irregularities, and a record may report more. Each becomes a
case: the irregularity of the catalogue, the offender, the place, and the answers to its questions,
as far as calls and cards give them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial

from oddtrick.cards import SEATS, Card, Seat, Side, Suit, card_in
from oddtrick.judge.effects import has
from oddtrick.judge.events import Events
from oddtrick.judge.facts import (
    CHANGED,
    call_facts,
    offender_facts,
    pointed_at,
    recorded_facts,
    revoke_facts,
    trump_facts,
    turn_facts,
)
from oddtrick.judge.finding import Finder, Finding, Message, Severity
from oddtrick.judge.play import Outcome
from oddtrick.judge.procedures import Declared
from oddtrick.judge.roles import Roles, dealer_of, roles_after
from oddtrick.judge.ruling import Case, answer_to, provisions, rule, written_at
from oddtrick.law.book import book
from oddtrick.law.model import Fact
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Item
from oddtrick.rulings import engine as rulings

REVOKE = "play.revoke"
"""The finding on a revoke."""

Place = tuple[int, int] | None
"""A trick and a card in it, from 0."""


class Shown:
    """What a record shows, indexed for building its cases."""

    def __init__(
        self, events: Events, law: Rules, declared: Declared, outcome: Outcome, due: Seat | None
    ) -> None:
        """Index the record; `due` is the player whose turn it was to deal, if known."""
        self.events, self.law, self.declared, self.outcome = events, law, declared, outcome
        self.deal, self.finder, self.due = events.deal, Finder(law, events.deal), due
        self.final = declared.final
        dealer = dealer_of(self.deal, self.final, law)
        self.roles = roles_after(declared.calls, dealer, self.final, law)
        self.made = {m.call.item: (i, m) for i, m in enumerate(declared.calls)}
        self.cards = {
            played.item: (number, index)
            for number, trick in enumerate(outcome.tricks)
            for index, (_, played) in enumerate(trick.cards)
        }
        for before, row in events.taken_back:  # what happened at it comes after the trick before
            if before:
                last_card = len(outcome.tricks[before - 1].cards) - 1
                self.cards[row.cards[0].item] = (before - 1, last_card)
        tricks = reversed([*enumerate(outcome.tricks)])
        self.trick_of = {p.card: number for number, t in tricks for _, p in t.cards if p.card}
        last = len(outcome.tricks)
        claims = ((("claims", n), c.after_trick) for n, c in enumerate(self.deal.claims))
        self.claims: dict[Item, int] = {at: after for at, after in claims if 0 < after <= last}
        self.dealt = {s: h.number for s, h in events.hands if not h.partial}
        self.reports = [*self._reports()]
        self.revoked: set[Side] = set()
        self.proved: set[tuple[Seat | None, int | None]] = set()

    @cached_property
    def calls_end(self) -> tuple[int, tuple[str, ...]]:
        """The trick from which exposed cards may not be called, with the laws.

        Some codes forbid it if the play went on after the declarer had claimed tricks; otherwise
        cards may be called to the end.
        """
        last, name = len(self.outcome.tricks), rulings.arising_from("claim-played-on")
        for claim in self.deal.claims:
            went_on = claim.answer == "refused" or (not claim.answer and claim.after_trick < last)
            if went_on and claim.verb == "claims" and claim.seat is self.roles.declarer:
                case = rule(Case(name, claim.seat, (), {}), self.law, self.roles)
                laws = provisions(case.applied, "end-calls")
                return (claim.after_trick, laws) if laws else (last, ())
        return last, ()

    def _reports(self) -> Iterator[Case]:
        """The irregularities as written, as cases without facts.

        A revoke reported of dummy is an irregularity of its own. What is reported happened at the
        card that it names if its player played that card to the trick at which it is written;
        otherwise it happened where it is written.
        """
        cards = [card for trick in self.outcome.tricks for card in trick.cards]
        played = {(seat, p.card): p.item for seat, p in cards}
        # A report at `all pass` belongs to the first of the passes.
        players: dict[Item, Seat | None]
        players = {("claims", n): c.seat for n, c in enumerate(self.deal.claims)}
        players |= {m.call.item: m.seat for m in reversed(self.declared.calls)}
        players |= {p.item: seat for seat, p in cards}
        for _, row in self.events.taken_back:
            holders = (s for s in SEATS if row.cards[0].card in self.outcome.hands[s])
            players[row.cards[0].item] = row.leader or next(holders, None)
        for incident in self.events.every:
            written = written_at(incident)
            if incident.event and written not in players:
                continue
            known = rulings.catalogue().get(incident.name)
            card = card_in(incident.of or "") if known and known.of_trick else None
            seat = incident.by or players.get(written)
            at = played.get((seat, card), written) if card else written
            dummys = incident.name == rulings.named_by(REVOKE) and self.roles.role(seat) == "dummy"
            name = rulings.named_by("play.dummys-revoke") if dummys else incident.name
            yield Case(name, seat, at, {}, incident)

    # --- the cases -------------------------------------------------------------------------------

    def cases(self, found: Sequence[Finding]) -> list[list[Case]]:
        """The irregularities found or written down, those found first, grouped by event.

        In each group, further lines on the same event follow the first.
        """
        events = [lines for f in found if (lines := self._found_lines(f))]
        used = {case.id for lines in events for case in lines if case.incident}
        known = (r for r in self.reports if r.name in rulings.catalogue())
        free = {r.id: r for r in known if r.id not in used}
        for fit in range(3):
            for lines in (x for x in events if x[0].incident is None):
                case = lines[0]
                if own := next((r for r in free.values() if self.fit(case, r) == fit), None):
                    del free[own.id]
                    lines[0] = self._with_recorded(case._replace(incident=own.incident))
        self.proved = {(c.seat, c.trick) for c, *_ in events if c.irregularity.closes == "play"}
        reported = {lines[0].event: lines for lines in reversed(events) if lines[0].incident}
        for case in map(self._reported_case, free.values()):
            if case.event in reported:
                reported[case.event].append(case)
                continue
            events.append([case._replace(disproved=case.disproved or self._uncalled(case, events))])
            if case.card or case.item in self.made:
                reported[case.event] = events[-1]
        for first, lines in zip(self._linked([x[0] for x in events]), events, strict=True):
            lines[0] = first
            for n, line in enumerate(lines[1:], 1):  # a further line has the facts of the first
                own = line._replace(finding=first.finding, facts=first.facts)
                lines[n] = self._with_recorded(own)
        return events

    def _with_recorded(self, case: Case) -> Case:
        """The case with the facts that its line states."""
        return case.with_facts(recorded_facts(case.incident, self.law))

    def _linked(self, cases: list[Case]) -> list[Case]:
        """The cases with the facts that depend on other cases, such as proof and number."""
        links: dict[str, Callable[[Case, Sequence[Case]], str | None]] = {
            "demanded": self._demanded
        }
        links |= {f.id: partial(self._shown, f) for f in book().facts.values() if f.shown_by}
        for fact, answer in links.items():
            linked = [answer(c, cases) if c.asks(fact) else None for c in cases]
            cases = [c.with_facts({fact: a}) for c, a in zip(cases, linked, strict=True)]
        # A revoke may need no proof under the law because of what the offending side has done.
        ruled = ((c.seat, answer_to(c.name, self.law, c.facts).ruling) for c in cases)
        sides = {seat.side for seat, of in ruled if seat and of and has(of.always, "no-proof")}
        cases = [
            c._replace(disproved=None)
            if c.irregularity.closes == "play" and c.seat and c.seat.side in sides
            else c
            for c in cases
        ]
        return self._counted(cases)

    def _shown(self, fact: Fact, case: Case, cases: Sequence[Case]) -> str | None:
        """The answer to a question about a case, as another case of the record shows it."""
        known, bears = case.irregularity.facts[fact.id], LINKS[str(fact.shown_by)]
        for other in cases:
            answer = other.irregularity.shows.get(fact.id)
            if other is case or answer is None or not bears(self, case, other):
                continue
            own = case.seat and other.seat and case.seat.side is other.seat.side
            answer = fact.own_side if own and fact.own_side in known else answer
            if answer in known:
                return answer
        return None

    def _demanded(self, case: Case, cases: Sequence[Case]) -> str | None:
        """`yes` if the penalty that a case is about had been demanded already, otherwise `no`.

        It had been if a remedy was named for an earlier offence of the other side, and no such
        offence is at the same place or still open. `None` if the offender is not known.
        """
        offences = [c for c in cases if case.of_other_side(c)]
        due = any(not case.apart(c) or c.left_open(case) for c in offences)
        paid = any(c.asked and c.earlier(case) for c in offences)
        return ("yes" if paid and not due else "no") if case.seat else None

    def _counted(self, cases: list[Case]) -> list[Case]:
        """The cases, with each revoke numbered within its side and compared with the other side's.

        Revokes reported without a card come after those in the tricks, in the order in which they
        are written.
        """
        revokes = [c for c in cases if c.seat and c.name == rulings.named_by(REVOKE)]
        self.revoked = {c.seat.side for c in revokes if c.seat}
        revokes = [c for c in revokes if not c.disproved]
        revokes.sort(key=lambda c: c.at or (len(self.outcome.tricks), 0))
        counted: dict[Item, Case] = {}
        for case in revokes:
            own = [c for c in revokes if not case.of_other_side(c)]
            answers = revoke_facts(own.index(case), len(own), len(revokes) - len(own))
            counted[case.id] = case.with_facts(answers)
        return [counted.get(c.id, c) for c in cases]

    # --- found irregularities and their reports --------------------------------------------------

    def _found_lines(self, finding: Finding) -> list[Case]:
        """The cases of a finding: none if the catalogue lacks it, several for further lines."""
        item = finding.item
        if finding.severity not in (Severity.IRREGULAR, Severity.DISPUTED, Severity.SILENT):
            return []
        if finding.at.item[:1] == ("hands",):  # a hand is a case only if the record reports it
            known, hand = {i.id for i in rulings.found_as(finding.rule)}, Seat(finding.at.item[1])
            own = (r for r in self.reports if r.name in known and r.seat is hand)
            found = (self._reported_case(r)._replace(finding=finding) for r in own)
            return [case for case in found if not case.disproved]
        if item in self.made:
            name = rulings.call_name(finding.rule, self.made[item][1].call.kind)
            lines = (c for c in self.declared.cases if (c.name, c.item) == (name, item))
            return [line._replace(finding=finding) for line in lines]
        if item is None or item[0] != "play" or not rulings.found_as(finding.rule):
            return []
        at, index = self.cards.get(item, (int(item[1]), 0))
        seats = [seat for seat, _ in self.outcome.tricks[at].cards]
        if item in self.cards:
            seat = seats[index]
            name = self._card_name(finding.rule, seat, at, index)
        else:  # too few or too many cards in a trick: a case if only one player is at fault
            name, wrong = rulings.call_name(finding.rule), [s for s in SEATS if seats.count(s) != 1]
            seat = wrong[0] if len(wrong) == 1 and None not in seats else None
        if name is None or seat is None:
            return []
        case = Case(name, seat, item, {}, None, finding, (at, index), led=self.led(at))
        return [case.with_facts(self.card_facts(name, seat, at, index))]

    def fit(self, case: Case, report: Case) -> int | None:
        """How well a report fits an irregularity that was found, by its place; the best is 0.

        0: the report is at the card or, if it names the player, at any card of the trick. 1: it
        does not name the player and is at another card of the trick. 2: it is later, and either
        names the card or reports what is noticed later, such as a revoke. `None` if the report does
        not fit.
        """
        by, at = report.line.by, self.cards.get(report.item)
        # The declarer plays dummy's cards, so either may be named.
        if by and report.name == case.name and self.roles.role(case.seat) == "dummy":
            by = case.seat if by is self.roles.declarer else by
        if report.name != case.name or by not in (None, case.seat):
            return None
        if report.item == case.item:
            return 0
        if case.at and at and at[0] == case.at[0]:
            return 1 if by is None else 0
        if by is None or case.at is None or (at and at[0] < case.at[0]):
            return None
        _, played = self.outcome.tricks[case.at[0]].cards[case.at[1]]
        named = report.card and report.card == played.card
        return 2 if case.irregularity.noticed_later or named else None

    # --- cards -----------------------------------------------------------------------------------

    def _card_name(self, rule: str, seat: Seat | None, at: int, index: int) -> str | None:
        """The irregularity that corresponds to a finding on a card."""
        side = "declaring" if self.roles.declares(seat) else "adversary"
        name, cards = rulings.call_name(rule, side), self.outcome.tricks[at].cards
        if rule == "play.wrong-leader" and name and side == "declaring":
            return rulings.catalogue()[name].first_of  # only an adversary can make the first lead
        if rule == "play.out-of-turn":
            leader = cards[0][0]
            if side == "declaring":
                return name if seat and leader is seat.partner else None
            played = {s for s, _ in cards[:index]}
            turns = [leader.after(i) for i in range(1, 4)] if leader else []
            missing = next((s for s in turns if s not in played), None)
            return name if seat and missing is seat.partner else None
        if rule == REVOKE and not self._established(at, seat):
            return rulings.if_corrected(rulings.named_by(REVOKE))
        return name

    def _established(self, at: int, seat: Seat | None) -> bool:
        """Whether a revoke in a trick is past correction.

        It is if the player's side has played to a later trick, or if the play has ended. In the
        last trick of a play that breaks off, it is if the record calls it a revoke. If only the
        other side has led or claimed since, it is past correction if quitting the trick is enough
        under the code.
        """
        following = self.outcome.tricks[at + 1 :]
        seats = [s for trick in following for s, _ in trick.cards if s]
        if len(following) > 1 or any(seat and s.side is seat.side for s in seats):
            return True
        if following and (seat is None or self._by_quitting(seat)):
            return True
        last = [c for c in self.deal.claims if c.after_trick == at + 1]
        if last and seat and not any(c.verb == "claims" and c.seat.side is seat.side for c in last):
            return self._by_quitting(seat)
        if self.outcome.complete or self.deal.result or self.deal.claims:
            return True
        cards = self.outcome.tricks[at].cards
        reported = [i for _, p in cards for i in p.incidents if i.name == rulings.named_by(REVOKE)]
        return any(i.by in (None, seat) for i in reported)

    def _by_quitting(self, seat: Seat) -> bool:
        """Whether a revoke is past correction as soon as its trick has been quitted."""
        name = rulings.if_corrected(rulings.named_by(REVOKE))
        if name is None:
            return True
        facts = {"renounce-noticed": "quitted", "answered": "no", "who-played": "both"}
        facts |= offender_facts(name, seat, self.roles)
        given = answer_to(name, self.law, facts).ruling
        return given is None or all(r.chosen_by != "offender" for r in given.remedies)

    def card_facts(self, name: str, seat: Seat, at: int, index: int) -> dict[str, str]:
        """The answers that the play gives to the facts of an irregularity in playing a card.

        The card is the one at position `index` of trick `at`.
        """
        cards, role = self.outcome.tricks[at].cards, self.roles.role(seat)
        seats, leader = [s for s, _ in cards], cards[0][0]
        reported = [i for _, p in cards for i in p.incidents]
        quitted = at + 1 < len(self.outcome.tricks)
        third = leader.after(2) if leader else None
        times = rulings.catalogue()[name].facts.get("renounce-noticed", ())
        too_late = quitted and "next-trick" in times
        followed_by = "all" if len(seats) > 3 else "one-or-two" if len(seats) > 1 else "nobody"
        if followed_by == "one-or-two" and self.roles.declares(seats[1]):
            followed_by = "declarer"
        answers = {
            "followed-by": followed_by,
            "attention": "yes" if pointed_at(reported, seat, seat.partner) else "no",
            "renounce-noticed": "next-trick" if too_late else "before-quitted",
            "third-played": "yes" if third in seats[:index] else "no",
            "trick-noticed": "during-play" if quitted else "after-play",
            "who-played": "both" if seat.right in seats else "left-only",
        }
        if index == len(SEATS) - 1:
            answers["who-played"] = "fourth"
        elif seat.left not in seats[index:]:
            answers["who-played"] = "nobody"
        of_partner = next((p.card for s, p in cards[1:] if s is seat.partner), None)
        if of_partner and (led := self.led(at)):
            answers["void"] = "holds" if of_partner.suit is led else "void"
        return answers | ({"offender": role} if role else {})

    def led(self, at: int) -> Suit | None:
        """The suit led to a trick."""
        cards = self.outcome.tricks[at].cards
        return cards[0][1].card.suit if cards and cards[0][1].card else None

    def held(self, seat: Seat, number: int) -> list[Card]:
        """The cards that a player is known to hold when a trick begins."""
        played = {p.card for t in self.outcome.tricks[:number] for s, p in t.cards if s is seat}
        return [c for c in self.outcome.hands[seat] if c not in played]

    # --- only reported ---------------------------------------------------------------------------

    def _reported_case(self, case: Case) -> Case:
        """The case of an irregularity that is only reported, with the facts the record shows."""
        name, seat, item, incident = case.name, case.seat, case.item, case.line
        at, declarer = self.cards.get(item), self.final.declarer if self.final else None
        role, answers = self.roles.role(seat), offender_facts(name, seat, self.roles)
        if role and declarer:
            adversary = "adversary-on-right" if seat is declarer.right else "adversary"
            answers["offenders-side"] = adversary if role == "adversary" else "declaring"
        if name != incident.name:
            answers["renounce-noticed"] = "next-trick"  # it is reported as established
        if final := self.final or self.declared.unplayed:
            answers |= trump_facts(final.denomination, self.law)
        if item in self.made:
            answers |= self._call_facts(name, self.made[item][0])
        if at and seat:  # the card that he played to the trick, or that of the report
            cards = enumerate(self.outcome.tricks[at[0]].cards)
            at = at[0], next((i for i, (s, _) in cards if s is seat), at[1])
            of_card = case.with_facts(self.card_facts(name, seat, *at)).facts
            answers = {**of_card, **answers}
        if self.deal.cards:
            claims = [c for c in self.deal.claims if c.verb == "claims" and c.seat is declarer]
            before = any(at is None or c.after_trick <= at[0] for c in claims)
            answers["claim-before"] = "yes" if before else "no"
        # An irregularity of the deal counts as noticed where it is reported; the overplay has begun
        # if calls or cards come before the report.
        noticed = {"bidding": "after-deal", "play": "after-play"}.get(incident.after or "", "")
        noticed = "after-deal" if item in self.made else noticed
        noticed = "during-play" if item in self.cards else noticed
        answers["deal-noticed"] = noticed
        answers |= turn_facts(seat, self.due)
        if self.deal.playing == "original":
            answers["playing"] = "original"
        elif self.deal.playing == "overplay" and (noticed or incident.after):
            answers["playing"] = "in-overplay"
        if incident.of:  # a card taken back, which does not remain in any trick
            answers |= {"followed-by": "nobody", "attention": "yes"}
            answers["renounce-noticed"] = "before-quitted"
        against, irregularity = None, case.irregularity
        if irregularity.closes == "play" and seat:
            against = self._against(name, seat, at)
        elif irregularity.becomes and seat:
            against = self._past_correction(seat, case.card, at)
        elif irregularity.finding in ("play.wrong-leader", "play.lead-out-of-turn") and seat:
            against = self._had_the_lead(case, seat)
        elif irregularity.finding in ("play.trick-short", "play.trick-surplus") and seat:
            against = self._played_one_card(case, seat, at)
        elif irregularity.finding == "deal.wrong-number" and seat:
            case = case.with_facts(self._hand_facts(seat))
            against = self._rightly_dealt(case, seat)
        if irregularity.own_card and seat and case.card:
            against = against or self._not_his(seat, case.card, at)
        if irregularity.closes != "play" and item in self.claims:
            trick = self.claims[item] - 1
            at = (trick, len(self.outcome.tricks[trick].cards) - 1)
        led = self.led(at[0]) if at else None
        case = case._replace(at=at, disproved=against, led=led).with_facts(answers)
        return self._with_recorded(case)

    def _hand_facts(self, seat: Seat) -> dict[str, str | None]:
        """Whose hand has a wrong number of cards, and whether the others have the right one."""
        role, size = self.roles.role(seat), self.law.value("hand-size")
        others = [number for s, number in self.dealt.items() if s is not seat]
        whose = "dummy" if role == "dummy" else role and "other"
        there = "too-many" if max(others, default=0) > size else others == [size] * 3 and "right"
        return {"dummys-hand": whose, "others-hands": there or None}

    def _call_facts(self, name: str, index: int) -> dict[str, str]:
        """The facts of an irregular call that the record shows."""
        calls, made = self.declared.calls, self.declared.calls[index]
        following = next((m for m in calls[index + 1 :] if not m.call.corrects), None)
        corrected = [m for m in calls[index + 1 : index + 2] if m.call.corrects]
        at_correction = (i for m in corrected for i in m.call.incidents if i.name == name)
        attention = pointed_at((*made.call.incidents, *at_correction), made.seat)
        if any(not m.void for m in corrected):  # corrected before anybody called
            following = None
        return call_facts(name, calls, index, following, attention, self.deal, self.law)

    def facts_of(self, name: str, case: Case) -> Mapping[str, str]:
        """The facts of a case for the ruling on the irregularity whose penalty applies to it."""
        earlier = int(case.seat is not None and case.seat.side in self.revoked)
        answers = {"followed-by": "nobody", **case.facts, **revoke_facts(earlier, earlier + 1, 0)}
        answers |= offender_facts(name, case.seat, self.roles)
        return case._replace(name=name, facts={}).with_facts(answers).facts

    # --- evidence against a report ---------------------------------------------------------------

    def _uncalled(self, case: Case, found: Sequence[list[Case]]) -> Message | None:
        """How the calls disprove an irregular call that is reported; `None` if they do not.

        They do if all calls up to that place are recorded, including the player's, and none is
        irregular in that way.
        """
        rule = rulings.catalogue()[case.name].finding
        if case.irregularity.closes != "call" or self.events.calls is None:
            return None
        until = self.made[case.item][0] + 1 if case.item in self.made else None
        missing = ("declaring.unfinished", "record.calls-missing", "record.no-dealer")
        lacks = {f.rule for f in self.declared.findings} & set(missing[until is not None :])
        lacks |= {c.kind for c in self.events.calls[:until]} & {"unrecorded"}
        called = any(m.seat is case.seat for m in self.declared.calls[:until])
        answer = rulings.answer(case.name, self.law.code, self.law.options, case.facts)
        if lacks or not called or answer.kind == "absent":
            return None
        same = (c for c, *_ in found if c.item == case.item and c.name == case.name)
        made = next((c.seat for c in same if c.finding and not c.incident and c.seat), None)
        if made and case.seat:
            return Message("another-called", player=case.seat, caller=made)
        condoned = any((f.rule, f.item) == (rule, case.item) for f in self.declared.findings)
        # The law may let a player replace his call, and he may do so without the word `corrects`.
        calls = (m for m in self.declared.calls if m.seat is case.seat)
        again = any(m.call.corrects or m.turn is not m.seat for m in calls)
        condoned = condoned or (rule == CHANGED and again)
        return Message("no-such-call-of", player=case.seat) if case.seat and not condoned else None

    def _against(self, name: str, seat: Seat, at: Place) -> Message | None:
        """How the cards disprove a revoke that is reported of a player; `None` if they do not.

        They do if he led to the trick, followed suit or had none of the suit. If the report names
        no trick, they do if he revoked in none. A revoke that the cards prove has already been
        judged and is not counted again.
        """
        tricks = range(len(self.outcome.tricks)) if at is None else (at[0],)
        if at is None and not (self.outcome.tricks and self.outcome.complete):
            return None
        if at and (seat, at[0]) in self.proved:
            return Message("revoke-already-judged", player=seat, trick=at[0] + 1)
        rest = [number for number in tricks if (seat, number) not in self.proved]
        against = [self._followed_suit(seat, number) for number in rest]
        if None in against:
            if at is None or rulings.if_corrected(name) is None or self._established(at[0], seat):
                return None
            return Message("not-past-correction", player=seat, partner=seat.partner)
        if at:
            return against[0]
        every = len(rest) == len(tricks)
        what = "followed-suit-throughout" if every else "followed-suit-otherwise"
        return Message(what, player=seat)

    def _past_correction(self, seat: Seat, card: Card | None, at: Place) -> Message | None:
        """How the cards disprove that a revoke was corrected; `None` if they do not.

        They do if a revoke is established in that trick, or if the player led to it.
        """
        tricks = self.outcome.tricks
        leader, first = tricks[at[0]].cards[0] if at else (None, None)
        if at and first and leader is seat:
            return Message("led-to-trick", player=seat, card=first.card, trick=at[0] + 1)
        number = self.trick_of.get(card) if card else at and at[0]
        if number is None or (seat, number) not in self.proved:
            return None
        return Message("past-correction", player=seat, trick=number + 1)

    def _not_his(self, seat: Seat, card: Card, at: Place) -> Message | None:
        """How the cards disprove that a player had a card then; `None` if they do not.

        They do if another player held it, or if it had been played to an earlier trick. The
        declaring side may use the cards of both its hands.
        """
        own = {seat, seat.partner} if self.roles.declares(seat) else {seat}
        hands = self.outcome.hands
        if other := next((s for s in hands if s not in own and card in hands[s]), None):
            return Message("held-by", player=other, card=card)
        trick = self.trick_of.get(card)
        if trick is None or at is None or trick >= at[0]:
            return None
        return Message("played-before", card=card, trick=trick + 1)

    def _had_the_lead(self, case: Case, seat: Seat) -> Message | None:
        """How the cards disprove a lead out of turn; `None` if they do not.

        They do if the hand that led had the lead. A card that does not remain in the trick after
        which it is named was led to the next.
        """
        tricks, card, held = self.outcome.tricks, case.card, self.outcome.hands
        hand: Seat | None = seat
        if self.roles.declares(seat):  # he may lead from either hand
            hand = next((s for s in SEATS if s.side is seat.side and card in held[s]), None)
        trick, index = self.cards.get(case.item, (self.claims.get(case.item, 0) - 1, 0))
        leads, opening = [0], case.irregularity.first_of is not None
        if hand is None or (trick < 0 and not opening):
            return None
        if not opening:
            within = index + 1 < len(tricks[trick].cards)
            within = within or (card is not None and self.trick_of.get(card) == trick)
            leads = [trick] if within else [trick + 1] if card else [trick, trick + 1]
        first = self.final.declarer.left if self.final and self.final.declarer else None
        had = {tricks[n - 1].winner if n else first for n in leads} == {hand}
        return Message("had-the-lead", player=hand, trick=leads[-1] + 1) if had else None

    def _played_one_card(self, case: Case, seat: Seat, at: Place) -> Message | None:
        """How the cards disprove a trick of too few or too many cards; `None` if they do not.

        They do if the player played one card to each trick of four up to that place, unless the
        mistake was corrected in time or a card was taken back.
        """
        played = [t.cards for t in self.outcome.tricks[: at[0] + 1 if at else None]]
        back = case.card and self.trick_of.get(case.card) != len(played) - 1
        in_time = recorded_facts(case.incident, self.law).get("trick-noticed") == "before-next"
        if back or in_time or (at is None and len(played) < self.law.value("hand-size")):
            return None
        own = [[p.card for s, p in cards if s is seat] for cards in played]
        full = all(len(cards) == len(SEATS) for cards in played)
        one = full and all(len(cards) == 1 and cards[0] for cards in own)
        return Message("one-card-to-each-trick", player=seat) if one else None

    def _rightly_dealt(self, case: Case, seat: Seat) -> Message | None:
        """How the hands disprove a hand with too many or too few cards; `None` if they do not.

        A missing card that was found, and the cards put right for the overplay, are written in it.
        """
        number, size = self.dealt.get(seat), self.law.value("hand-size")
        found = recorded_facts(case.incident, self.law).get("missing-card") == "found"
        if number is None or self.deal.playing == "overplay" or (found and number == size):
            return None
        large = case.name == rulings.arising_from("large-hand")
        wrong = number > size if large else number < size
        return None if wrong else Message("hand-of-number", player=seat, number=number)

    def _followed_suit(self, seat: Seat, number: int) -> Message | None:
        """What shows that a player did not revoke in a trick; `None` if nothing does."""
        cards, led = self.outcome.tricks[number].cards, self.led(number)
        own = next((p.card for s, p in cards if s is seat), None)
        if own is None or led is None:
            return None
        if cards[0][0] is seat:
            return Message("led-to-trick", player=seat, card=own, trick=number + 1)
        if own.suit is led:
            return Message("followed-suit", player=seat, card=own, trick=number + 1)
        known = len(self.outcome.hands[seat]) == self.law.value("hand-size")
        if known and not any(c.suit is led for c in self.held(seat, number)):
            return Message("had-none-of-suit", player=seat, suit=led, trick=number + 1)
        return None

    # --- the table -------------------------------------------------------------------------------

    def roles_at(self, case: Case) -> Roles:
        """The roles at the time of a case; for a call, according to the calls up to it."""
        if case.item not in self.made:
            return self.roles
        calls = self.declared.calls[: self.made[case.item][0] + (case.finding is None)]
        return roles_after(calls, self.roles.dealer, self.final, self.law)

    def went_on(self, case: Case, given: Collection[int | None] = ()) -> bool:
        """Whether calls or cards follow the irregularity, or a score other than zero is written.

        A result without a declaration states how many tricks were counted, but does not show that
        anybody played on. `given` are the trick points that a remedy awards without play.
        """
        tricks = len(self.events.tricks or ())
        over = case.incident is not None and (
            case.incident.after == "play"
            or case.irregularity.closes == "play"
            or case.facts.get("deal-noticed") == "after-play"
        )
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
        # What is written before the calls was noticed before them unless a fact says otherwise.
        noticed = case.facts.get("deal-noticed")
        first = not (case.line.event or case.line.after) and noticed in (None, "during-deal")
        played = tricks > 0 and (noticed != "during-play" or self.outcome.complete)
        return not over and (played or (first and bool(self.declared.calls)))


def _consulted(shown: Shown, case: Case, other: Case) -> bool:
    """Whether declarer and dummy consulted about the penalty at the same place."""
    discussed = other.facts.get("made-by", "discussed") == "discussed"
    return discussed and shown.roles.declares(other.seat) and not case.apart(other)


def _claimed(shown: Shown, case: Case, other: Case) -> bool:
    """Whether the other side had claimed an offence of the offender's side in an earlier line."""
    own = other.seat and not case.of_other_side(other) and (other.seat, other.seat.partner)
    if case.incident is None or not own or not pointed_at([other.line], *own):
        return False
    written = [incident.item for incident in shown.events.every]
    claim, later = ((not c.line.event, written.index(c.id)) for c in (other, case))
    return claim < later


LINKS: Mapping[str, Callable[[Shown, Case, Case], bool]] = {
    "beside": lambda _, case, other: not case.apart(other),
    "claimed": _claimed,
    "consultation": _consulted,
    "earlier": lambda _, case, other: (
        None in (case.trick, other.trick) or (other.trick or 0) < (case.trick or 0)
    ),
}
"""For each `shown_by` in the catalogue, whether another case shows a fact of a case."""
