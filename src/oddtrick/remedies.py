"""Irregularities of a record and what was done about them, judged under its code.

The walks through calls and cards find what is irregular; here each such finding gets the facts that the record shows
and so the ruling that applies. What the record says was chosen is held against it: is it one of the remedies, was it
the right player's to choose, was it carried out. What the opponents let stand by acting becomes a note. Tricks and
points that a remedy moves are handed on to the score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from oddtrick import rulings
from oddtrick.cards import PACK, SEATS, SUIT_OF, Card, Seat, Side, Suit
from oddtrick.declaring import Declared, Made, odd_tricks
from oddtrick.findings import Finding, Severity
from oddtrick.lawbook import Rules
from oddtrick.play import Followed, Outcome, known_hands
from oddtrick.record import Incident, Place, Record
from oddtrick.rulings import Answer, Remedy, Ruling
from oddtrick.scoring import Penalty
from oddtrick.words import and_words

LETS_STAND = frozenset(("stands", "none", "goes-on", "fourth-may-play"))
"""Remedies by which an irregularity passes: together, and by themselves, they condone it."""

ACTED = {
    "called": ("left-called", "proper-called"),
    "next-called": ("next-called",),
    "followed-by": ("declarer", "one-or-two", "all"),
    "third-played": ("yes",),
    "acted": ("declared", "played"),
}
"""The answers which say that the other side has acted, fact by fact."""

WORDS = {
    "call": "card-exposed",
    "lead": "call-a-suit",
    "call a suit": "call-a-suit",
    "call a lead": "call-a-suit",
    "forbid": "forbid-suit",
    "highest": "call-highest-lowest",
    "lowest": "call-highest-lowest",
    "win": "call-win-lose",
    "lose": "call-win-lose",
    "seven": "held-to-seven",
    "let stand": "stands",
    "no penalty": "none",
    "redeal": "new-deal",
    "barred": "partner-barred",
}
"""Other ways to write a remedy in a record, by the words it begins with."""


@dataclass(frozen=True, slots=True)
class Case:
    """One irregularity of a record: its name, who offends, where, the facts the record shows, what was written of it.

    `at` is the trick and the card in it, from 0, at which it is found or written.
    """

    name: str
    seat: Seat | None
    place: Place
    facts: Mapping[str, str]
    incident: Incident | None = None
    finding: int | None = None
    at: tuple[int, int] | None = None

    @property
    def trick(self) -> int | None:
        """The number of the trick at which it is written, from 0."""
        return self.at[0] if self.at else None


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings with their rulings, what the remedies do to the score, and whether the cards are dealt anew."""

    findings: tuple[Finding, ...]
    penalties: tuple[Penalty, ...]
    dealt_anew: bool = False


def remedy_of(text: str) -> tuple[str | None, str]:
    """The remedy that a record's words name, and the rest of them (a suit, a card, a number): `call-a-suit hearts`."""
    words = re.sub(r"[^a-z0-9♠♥♦♣ ]+", " ", text.lower()).split()
    bare = " ".join(w for w in words if not w.isdigit())
    known = {r.replace("-", " "): r for r in rulings.remedies()} | WORDS
    for phrase in sorted(known, key=len, reverse=True):
        if bare == phrase or bare.startswith(phrase + " ") or bare.startswith(phrase.removesuffix("s") + " "):
            left = [w for w in words if w not in phrase.split()] or ([words[0]] if known[phrase] != phrase else [])
            return known[phrase], " ".join(left)
    return None, bare


def judge(record: Record, rules: Rules, declared: Declared, outcome: Outcome, findings: Iterable[Finding]) -> Judged:
    """Every finding with the ruling on it, and every remedy that the record names held against its ruling."""
    found = list(findings)
    court = _Court(record, rules, declared, outcome)
    told: list[Finding] = []
    penalties: list[Penalty] = []
    dealt_anew = False
    for case in court.cases(found):
        answer = rulings.answer(case.name, rules.code, rules.options, case.facts)
        if case.finding is not None:
            found[case.finding] = _with_ruling(found[case.finding], answer, case)
        if case.incident:
            told += court.judge(case, answer)
            penalties += court.penalties(case, answer)
            dealt_anew = dealt_anew or court.dealt_anew(case, answer)
    if dealt_anew:
        found = [f for f in found if f.rule not in ("declaring.unfinished", "declaring.passed-out")]
    return Judged((*found, *told), tuple(penalties), dealt_anew)


def _with_ruling(finding: Finding, answer: Answer, case: Case) -> Finding:
    """The finding with what the code gives for it; a note where the other side let it stand by acting."""
    label = rulings.catalogue()[answer.irregularity]["label"]
    if answer.kind == "ruling" and answer.ruling:
        words = rulings.ruling_words(answer.ruling)
        if condoned(answer) and finding.severity is Severity.IRREGULAR and case.incident is None:
            laws = tuple(dict.fromkeys((*finding.laws, *answer.laws)))
            return replace(finding, severity=Severity.NOTE, message=f"{finding.message} It was let stand.", laws=laws, remedies=(words,))
        return replace(finding, remedies=(f"{label}: {words}",), readings=(*finding.readings, *answer.ruling.readings))
    if answer.kind == "open":
        return replace(finding, remedies=tuple(f"{label}, {rulings.case_words(r)}: {rulings.ruling_words(r)}" for r in answer.possible))
    return finding


def condoned(answer: Answer) -> bool:
    """Whether the ruling lets the irregularity stand because the other side has acted."""
    ruling = answer.ruling
    if ruling is None or ruling.silent or ruling.choices:
        return False
    lets = all(r.id in LETS_STAND and r.chosen_by == "nobody" for r in ruling.remedies)
    return lets and any(v in ACTED.get(f, ()) for f, v in answer.facts)


def barred(incident: Incident, name: str, seat: Seat, facts: Mapping[str, str], rules: Rules) -> Iterator[tuple[Seat, str]]:
    """The players whom a noticed irregularity of the auction bars, each with how long, by the ruling and the remedy chosen."""
    if incident.waived_by:
        return
    answer = rulings.answer(name, rules.code, rules.options, facts)
    if answer.ruling is None:
        return
    taken = _taken(answer.ruling, incident)
    who = {"partner-barred": (seat.partner,), "offender-barred": (seat,), "side-barred": (seat, seat.partner)}
    for remedy in (*answer.ruling.always, *taken):
        for player in who.get(remedy.id, ()):
            yield player, remedy.lasts or "to-the-end"


def _taken(ruling: Ruling, incident: Incident) -> tuple[Remedy, ...]:
    """The remedies that the record says were chosen, with those that go with them; none where it names none of the ruling's."""
    return _chosen(ruling, remedy_of(incident.remedy)[0]) if incident.remedy else ()


def _chosen(ruling: Ruling, name: str | None) -> tuple[Remedy, ...]:
    """The remedies of a ruling that are had with one that was chosen."""
    for choice in ruling.choices:
        if name in [r.id for r in choice]:
            return choice
    return tuple(r for r in ruling.always if r.id == name)


class _Court:
    """What a record shows, as the cases in it need it."""

    def __init__(self, record: Record, rules: Rules, declared: Declared, outcome: Outcome) -> None:
        self.record, self.rules, self.declared, self.outcome = record, rules, declared, outcome
        self.final = declared.final
        self.made = {m.call.place: (i, m) for i, m in enumerate(declared.calls)}
        self.cards: dict[Place, tuple[int, int]] = {}
        for number, trick in enumerate(outcome.tricks):
            for index, (_, played) in enumerate(trick.cards):
                self.cards.setdefault(played.place, (number, index))
        self.revokes: list[tuple[int, int, Side]] = []

    # --- the cases ---------------------------------------------------------------------------------

    def cases(self, found: list[Finding]) -> Iterator[Case]:
        """Every irregularity that was found or is written down, those found first."""
        used: set[int] = set()
        self.revokes = sorted(self._revokes(found))
        for number, finding in enumerate(found):
            case = self._found_case(finding, number)
            if case is None:
                continue
            incident = next((i for i in self._incidents_at(finding.place) if i.name == case.name and id(i) not in used), None)
            if incident:
                used.add(id(incident))
            yield replace(case, incident=incident)
        for incident, seat, place in self._incidents():
            if id(incident) not in used and incident.name in rulings.catalogue():
                yield self._written_case(incident, incident.by or seat, place)

    def _revokes(self, found: list[Finding]) -> Iterator[tuple[int, int, Side]]:
        """Every revoke that was found or is written down: trick, place in it, the side that revoked."""
        at = {self.cards[f.place] for f in found if f.rule == "play.revoke" and f.place in self.cards}
        for incident, seat, place in self._incidents():
            if incident.name == "revoke" and place in self.cards:
                at.add(self._card_of(place, incident.by or seat))
        for number, index in at:
            player = self.outcome.tricks[number].cards[index][0]
            if player:
                yield number, index, player.side

    def _card_of(self, place: Place, seat: Seat | None) -> tuple[int, int]:
        """The trick of a place and the card in it that a player played; the card at the place where he played none."""
        number, index = self.cards[place]
        return number, next((i for i, (s, _) in enumerate(self.outcome.tricks[number].cards) if s is seat), index)

    def _incidents(self) -> Iterator[tuple[Incident, Seat | None, Place]]:
        """Every irregularity written down: with who is meant where the record does not say, and where it happened."""
        for incident in self.record.incidents:
            yield incident, None, incident.place
        for made in self.declared.calls:
            for incident in made.call.incidents:
                yield incident, made.seat, made.call.place
        for trick in self.outcome.tricks:
            for seat, played in trick.cards:
                for incident in played.incidents:
                    yield incident, seat, played.place
        for claim in self.record.table_claims:
            for incident in claim.incidents:
                yield incident, claim.seat, claim.place

    def _incidents_at(self, place: Place) -> tuple[Incident, ...]:
        """What is written at a call, at a card or at the trick that a card is of."""
        if place in self.made:
            return self.made[place][1].call.incidents
        if place in self.cards:
            number, _ = self.cards[place]
            return tuple(i for _, p in self.outcome.tricks[number].cards for i in p.incidents)
        return self.record.incidents

    def role(self, seat: Seat | None) -> str | None:
        """Declarer, dummy or adversary."""
        if seat is None or self.final is None or self.final.declarer is None:
            return None
        if seat is self.final.declarer:
            return "declarer"
        return "dummy" if seat is self.final.dummy else "adversary"

    def _found_case(self, finding: Finding, number: int) -> Case | None:
        if finding.severity not in (Severity.IRREGULAR, Severity.SILENT):
            return None
        if finding.place in self.made and finding.rule.startswith("declaring."):
            return self._call_case(finding, number)
        if finding.place in self.cards and finding.rule.startswith("play."):
            return self._card_case(finding, number)
        return None

    def _call_case(self, finding: Finding, number: int) -> Case | None:
        index, made = self.made[finding.place]
        name = call_name(finding.rule, made.call.kind)
        if name is None:
            return None
        facts = self.call_facts(name, index)
        return Case(name, made.seat, finding.place, facts, None, number)

    def call_facts(self, name: str, index: int) -> dict[str, str]:
        """The facts of an irregular call that the record shows."""
        calls = self.declared.calls
        made = calls[index]
        later = [m for m in calls[index + 1 :] if not m.call.corrects]
        attention = any(i.noticed_by or i.remedy for i in made.call.incidents)
        told = called_facts(made, later[0] if later else None, attention)
        told["bid-made"] = "yes" if any(m.call.kind == "bid" and not m.void for m in calls[:index]) else "no"
        if made.call.kind in ("double", "redouble"):
            told["doubled-which"] = made.call.kind
        if name == "call-after-the-end":
            role = self.role(made.seat)
            if role:
                told["offender"] = role
        if name == "declaration-changed":
            told |= _change_facts(calls, index)
        return mattering(name, told)

    def _card_case(self, finding: Finding, number: int) -> Case | None:
        at, index = self.cards[finding.place]
        seat, _ = self.outcome.tricks[at].cards[index]
        name = self._card_name(finding.rule, seat, at, index)
        if name is None or seat is None:
            return None
        return Case(name, seat, finding.place, self.card_facts(name, seat, at, index), None, number, (at, index))

    def _card_name(self, rule: str, seat: Seat | None, at: int, index: int) -> str | None:
        if rule == "play.wrong-leader":
            return "first-lead-out-of-turn" if self.role(seat) == "adversary" else "lead-out-of-turn"
        if rule == "play.out-of-turn":
            if self.role(seat) in ("declarer", "dummy"):
                return "play-from-wrong-hand"
            missing = self._missing_before(at, index)
            return "fourth-before-second" if seat and missing is seat.partner else None
        return {
            "play.lead-out-of-turn": "lead-out-of-turn",
            "play.revoke": "revoke",
            "play.dummys-revoke": "revoke-by-dummy",
            "play.trick-short": "trick-short",
            "play.trick-surplus": "trick-surplus",
        }.get(rule)

    def _missing_before(self, at: int, index: int) -> Seat | None:
        """The first player after the leader who has not played when the card at `index` is played."""
        cards = self.outcome.tricks[at].cards
        leader = cards[0][0]
        played = {s for s, _ in cards[:index]}
        return next((leader.after(i) for i in range(1, 4) if leader.after(i) not in played), None) if leader else None

    def card_facts(self, name: str, seat: Seat, at: int, index: int) -> dict[str, str]:
        """The facts of an irregular card that the record shows."""
        trick = self.outcome.tricks[at]
        told: dict[str, str] = {}
        role = self.role(seat)
        if role:
            told["offender"] = role
        if name in ("lead-out-of-turn", "first-lead-out-of-turn"):
            told["followed-by"] = self._followed_by(trick)
            told["attention"] = "yes" if any(i.noticed_by for _, p in trick.cards for i in p.incidents) else "no"
        next_trick = at + 1 < len(self.outcome.tricks)
        if name == "revoke":
            own = sum(1 for *_, side in self.revokes if side is seat.side)
            other = len(self.revokes) - own
            earlier = any(side is seat.side and (a, i) < (at, index) for a, i, side in self.revokes)
            told["which-revoke"] = "later" if earlier else "first"
            told["other-side"] = "no" if not other else "equal" if other >= own else "fewer"
        if name == "revoke-by-dummy":
            told["renounce-noticed"] = "next-trick" if next_trick else "before-quitted"
        if name == "fourth-before-second":
            leader = trick.cards[0][0]
            third = leader.after(2) if leader else None
            told["third-played"] = "yes" if third in [s for s, _ in trick.cards[:index]] else "no"
            led = trick.cards[0][1].card
            second = next((p.card for s, p in trick.cards if leader and s is leader.left), None)
            if led and second:
                told["void"] = "holds" if second.suit is led.suit else "void"
        if name in ("trick-short", "trick-surplus"):
            told["trick-noticed"] = "during-play" if next_trick else "after-play"
        return mattering(name, told)

    def _followed_by(self, trick: Followed) -> str:
        others = [s for s, _ in trick.cards[1:]]
        if len(others) >= 3:
            return "all"
        if not others:
            return "nobody"
        return "declarer" if self.role(others[0]) in ("declarer", "dummy") else "one-or-two"

    def _written_case(self, incident: Incident, seat: Seat | None, place: Place) -> Case:
        """An irregularity that only the record tells of, with what can be seen of its facts."""
        name = incident.name
        told: dict[str, str] = {}
        known = rulings.catalogue()[name]["facts"]
        dealer = self.record.dealer.value if self.record.dealer else None
        if seat and "offender" in known:
            roles = [self.role(seat)]
            if dealer:
                roles += ["dealer" if seat is dealer else "dealers-partner" if seat is dealer.partner else "dealers-adversary"]
                roles += ["eldest-hand"] if seat is dealer.left else ["eldest-hands-partner"] if seat is dealer.right else []
            if self.final and self.final.declarer:
                roles += ["leader"] if seat is self.final.declarer.left else []
                roles += ["leaders-partner"] if seat is self.final.declarer.right else []
            role = next((r for r in roles if r in known["offender"]), None)
            if role:
                told["offender"] = role
        if place in self.made:
            told |= self.call_facts(name, self.made[place][0])
        if place in self.cards and seat:
            at, index = self._card_of(place, seat)
            told = self.card_facts(name, seat, at, index) | told
        if incident.of:
            told |= {"followed-by": "nobody", "attention": "yes"}  # a card taken back: it stands in no trick
        return Case(name, seat, incident.place, mattering(name, told), incident, None, self.cards.get(place))

    # --- what was chosen ---------------------------------------------------------------------------

    def judge(self, case: Case, answer: Answer) -> Iterator[Finding]:
        """Findings on the remedy that the record names: is it allowed, was it that player's to choose, was it obeyed."""
        incident = case.incident
        assert incident is not None
        label = rulings.catalogue()[case.name]["label"]
        if not incident.remedy:
            return
        name, rest = remedy_of(incident.remedy)
        if answer.kind in ("silent", "absent"):
            severity = Severity.SILENT if answer.kind == "silent" else Severity.IRREGULAR
            message = f"{label}: the record gives “{incident.remedy}” for it. {answer.reason}"
            yield self._finding("remedy.not-allowed", message, answer.laws, incident.place, severity)
            return
        possible = [answer.ruling] if answer.ruling else list(answer.possible)
        given = [r for ruling in possible for r in ruling.remedies if r.id == name]
        if not given:
            said = "; or ".join(rulings.ruling_words(r) for r in possible)
            laws = tuple(dict.fromkeys(r.provision for ruling in possible for r in ruling.remedies))
            message = f"{label}: the record gives “{incident.remedy}” for it; {self.rules.short} gives: {said}."
            yield self._finding("remedy.not-allowed", message, laws, incident.place)
            return
        remedy = given[0]
        wrong = _amount(rest, remedy)
        if wrong:
            message = f"{label}: the record gives {wrong} {remedy.figure} for it; the law gives {remedy.number}."
            yield self._finding("remedy.not-allowed", message, (remedy.provision,), incident.place)
        yield from self._chooser(case, remedy, label)
        yield from self._obeyed(case, remedy, rest, label)

    def _finding(
        self, rule: str, message: str, laws: tuple[str, ...], place: Place, severity: Severity = Severity.IRREGULAR
    ) -> Finding:
        behind = () if rule == "remedy.not-obeyed" and place not in self.cards else self.rules.behind.get(rule, ())
        return Finding(rule, severity, message, tuple(dict.fromkeys((*laws, *behind))), self.record.file, place)

    def _chooser(self, case: Case, remedy: Remedy, label: str) -> Iterator[Finding]:
        incident = case.incident
        assert incident is not None
        who = incident.chosen_by
        allowed = self._seats(remedy.chosen_by, case.seat)
        if who is None or allowed is None or who in allowed:
            return
        right = rulings.chooser_words(remedy.chosen_by)
        message = f"{label}: {who.title} chose “{incident.remedy}”; it is for {right} ({and_words(s.title for s in allowed)}) to choose."
        yield self._finding("remedy.wrong-chooser", message, (remedy.provision,), incident.place)

    def _seats(self, chooser: str, offender: Seat | None) -> tuple[Seat, ...] | None:
        """The players that a chooser stands for at this table; `None` where the record does not show them."""
        dealer = self.record.dealer.value if self.record.dealer else None
        declarer = self.final.declarer if self.final else None
        table: dict[str, tuple[Seat | None, ...]] = {
            "either-opponent": (offender.left, offender.right) if offender else (),
            "other-side": (offender.left, offender.right) if offender else (),
            "left-opponent": (offender.left if offender else None,),
            "offender": (offender,),
            "partner": (offender.partner if offender else None,),
            "declarer": (declarer,),
            "declarers-side": (declarer, declarer.partner) if declarer else (),
            "dummy": (declarer.partner if declarer else None,),
            "either-adversary": (declarer.left, declarer.right) if declarer else (),
            "dealer": (dealer,),
            "dealers-side": (dealer, dealer.partner) if dealer else (),
            "eldest-hand": (dealer.left if dealer else None,),
            "dealers-adversaries": (dealer.left, dealer.right) if dealer else (),
            "maker": (self.final.bidder if self.final else None,),
        }
        seats = tuple(s for s in table.get(chooser, ()) if s is not None)
        return tuple(sorted(seats, key=SEATS.index)) or None

    def _obeyed(self, case: Case, remedy: Remedy, rest: str, label: str) -> Iterator[Finding]:
        """Findings where what was lawfully chosen was not carried out, as far as the record shows it."""
        place = case.incident.place if case.incident else case.place
        if remedy.id == "new-deal" and self._went_on(case):
            message = f"{label}: a new deal was chosen, but the record goes on with this one."
            yield self._finding("remedy.not-obeyed", message, (remedy.provision,), place)
        elif remedy.id == "made-sufficient" and case.place in self.made:
            index = self.made[case.place][0]
            following = self.declared.calls[index + 1 : index + 2]
            if not following or not following[0].call.corrects:
                message = f"{label}: the bid was to be made sufficient, but no correction follows it."
                yield self._finding("remedy.not-obeyed", message, (remedy.provision,), place)
        elif remedy.id in ("call-a-suit", "forbid-suit") and case.trick is not None:
            yield from self._called_lead(case, remedy, rest, label)
        elif remedy.id in ("card-exposed", "others-exposed"):
            yield from self._called_card(case, remedy, rest, label)
        elif remedy.id == "call-highest-lowest" and case.trick is not None:
            yield from self._called_rank(case, remedy, rest, label)

    def _went_on(self, case: Case) -> bool:
        """Whether calls or cards stand after the place of the irregularity."""
        if case.place in self.made:
            return self.made[case.place][0] + 1 < len(self.declared.calls) or bool(self.record.play)
        if case.trick is not None:
            return case.trick + 1 < len(self.outcome.tricks)
        return bool(self.record.play) and case.place.line < (self.record.play or ())[0].place.line

    def _called_lead(self, case: Case, remedy: Remedy, rest: str, label: str) -> Iterator[Finding]:
        suit = _suit(rest)
        whose = self._leaders(remedy, case)
        first = (case.trick or 0) + (0 if case.name.startswith("first-lead") and not self._led_anyway(case) else 1)
        for number in range(first, len(self.outcome.tricks)):
            seat, played = self.outcome.tricks[number].cards[0]
            if seat not in whose or played.card is None or suit is None:
                continue
            held = [c for c in self._held(seat, number) if c.suit is suit]
            off = [c for c in self._held(seat, number) if c.suit is not suit]
            if remedy.id == "call-a-suit" and played.card.suit is not suit and held:
                message = f"{label}: {seat.title} was called on to lead {suit.word} and leads {played.card}, though he holds {held[0]}."
                yield self._finding("remedy.not-obeyed", message, (remedy.provision,), played.place)
            if remedy.id == "forbid-suit" and played.card.suit is suit and off:
                message = f"{label}: {seat.title} was forbidden to lead {suit.word} and leads {played.card}, though he holds {off[0]}."
                yield self._finding("remedy.not-obeyed", message, (remedy.provision,), played.place)
            return

    def _led_anyway(self, case: Case) -> bool:
        """Whether the trick of a first lead out of turn was played to it."""
        return bool(case.facts.get("followed-by", "nobody") != "nobody")

    def _leaders(self, remedy: Remedy, case: Case) -> tuple[Seat, ...]:
        seats = self._seats(remedy.whose or "either-adversary", case.seat)
        declarer = self.final.declarer if self.final else None
        if remedy.whose in (None, "adversary-next-to-lead") or not seats:
            return (declarer.left, declarer.right) if declarer else ()
        return seats

    def _called_card(self, case: Case, remedy: Remedy, rest: str, label: str) -> Iterator[Finding]:
        said = case.incident.remedy if case.incident else None
        card = _card(rest) or (_card(case.incident.of) if case.incident and case.incident.of else None)
        if card is None or case.at is None or not (said or "").lower().startswith("call"):
            return
        for number in range(case.at[0], len(self.outcome.tricks)):
            for index, (seat, played) in enumerate(self.outcome.tricks[number].cards):
                if seat is None or played.card is None or (number, index) <= case.at:
                    continue
                held = self._held(seat, number)
                if card not in held or seat is not case.seat:
                    continue
                led = self.outcome.tricks[number].cards[0][1].card
                could = index == 0 or led is None or card.suit is led.suit or not any(c.suit is led.suit for c in held)
                if played.card != card and could:
                    message = f"{label}: {card} was called; {seat.title} plays {played.card}, though he could play it."
                    yield self._finding("remedy.not-obeyed", message, (remedy.provision,), played.place)
                    return
                if played.card == card:
                    return

    def _called_rank(self, case: Case, remedy: Remedy, rest: str, label: str) -> Iterator[Finding]:
        assert case.trick is not None
        trick = self.outcome.tricks[case.trick]
        led, leader = trick.cards[0][1].card, trick.cards[0][0]
        target = leader.left if leader and remedy.whose == "second-hand" else case.seat
        chosen = next((w for w in ("highest", "lowest") if w in rest), None)
        for seat, played in trick.cards:
            if seat is not target or played.card is None or led is None or chosen is None or seat is None:
                continue
            suited = sorted((c for c in self._held(seat, case.trick) if c.suit is led.suit), key=lambda c: c.height)
            due = (suited[-1] if chosen == "highest" else suited[0]) if suited else None
            if due and played.card != due:
                message = f"{label}: {seat.title} was called on for his {chosen} of the suit and plays {played.card}, though he holds {due}."
                yield self._finding("remedy.not-obeyed", message, (remedy.provision,), played.place)

    def _held(self, seat: Seat, number: int) -> list[Card]:
        """The cards a player is known to hold when a trick begins."""
        written = self.record.hand(seat)
        dealt = known_hands(self.record, self.rules).get(seat) or (written.cards if written else ())
        played = {p.card for t in self.outcome.tricks[:number] for s, p in t.cards if s is seat}
        return [c for c in dealt if c not in played]

    def dealt_anew(self, case: Case, answer: Answer) -> bool:
        """Whether a new deal follows: chosen as the law allows, or by the law itself, and the record ends with it."""
        incident = case.incident
        if incident is None or answer.ruling is None or incident.waived_by:
            return False
        by_itself = [r for r in answer.ruling.always if r.chosen_by == "nobody"]
        taken = (*by_itself, *_taken(answer.ruling, incident))
        return "new-deal" in [r.id for r in taken] and not self._went_on(case)

    # --- what it does to the score -------------------------------------------------------------------

    def penalties(self, case: Case, answer: Answer) -> Iterator[Penalty]:
        """What the remedies that were taken do to the score: those that follow by themselves, and the choice that was made."""
        incident, ruling = case.incident, answer.ruling
        if incident is None or ruling is None or case.seat is None or incident.waived_by:
            return
        if not (incident.noticed_by or incident.remedy):
            return
        chosen = remedy_of(incident.remedy)[0] if incident.remedy else None
        yield from penalties_of(case.name, ruling, case.seat.side, chosen)


def penalties_of(name: str, ruling: Ruling, offenders: Side, chosen: str | None) -> Iterator[Penalty]:
    """What a ruling does to the score: what follows by itself, and the choice that was made, or that is the only one."""
    label = rulings.catalogue()[name]["label"].lower()
    only: tuple[Remedy, ...] = ()
    if chosen is None and len(ruling.choices) < 2:
        only = ruling.choices[0] if ruling.choices else ruling.always
    always = [r for r in ruling.always if r.chosen_by == "nobody"]
    for remedy in dict.fromkeys((*always, *_chosen(ruling, chosen), *only)):
        if remedy.id in SCORED:
            yield Penalty(offenders, remedy.id, remedy.number, label, (remedy.provision,), ruling.readings)


SCORED = frozenset(
    (
        "points",
        "tricks",
        "scores-no-tricks",
        "scores-honours-only",
        "only-honours-scored",
        "nothing-scored",
        "score-limited",
    )
)
"""The remedies that change the score of the deal."""


def call_name(rule: str, kind: str) -> str | None:
    """The irregularity behind a finding on a call of a kind, or `None`."""
    if rule == "declaring.out-of-turn":
        return {"bid": "bid-out-of-turn", "pass": "pass-out-of-turn", "double": "double-out-of-turn", "redouble": "double-out-of-turn"}.get(kind)
    if rule == "declaring.after-the-end":
        return "pass-after-the-end" if kind == "pass" else "call-after-the-end"
    return next((i for i, item in rulings.catalogue().items() if item.get("finding") == rule and rule.startswith("declaring.")), None)


def called_facts(made: Made, following: Made | None, attention: bool) -> dict[str, str]:
    """What was done since a call: attention called to it, or who called next; and whose turn it was."""
    told = {"called": "nothing", "next-called": "nothing"}
    if attention:
        told = {"called": "attention", "next-called": "attention"}
    elif following:
        proper = following.seat is made.turn
        told = {"called": "proper-called" if proper else "left-called", "next-called": "next-called"}
        if following.seat is made.seat.right:
            told["right-opponent"] = "passes" if following.call.kind == "pass" else "acts"
    if made.turn and made.turn is not made.seat:
        told["turn"] = {made.seat.partner: "partner", made.seat.left: "left-opponent"}.get(made.turn, "right-opponent")
    return told


def _change_facts(calls: tuple[Made, ...], index: int) -> dict[str, str]:
    """What was changed by a call that replaces another of the same player."""
    new = calls[index]
    old = next((m for m in reversed(calls[:index]) if m.seat is new.seat), None)
    between = [m for m in calls[:index] if old and m is not old and calls.index(m) > calls.index(old)]
    told = {"next-called": "next-called" if between else "nothing"}
    if old is None:
        return told
    if old.call.kind == "pass":
        told["changed-what"] = "pass"
    elif old.call.kind in ("double", "redouble"):
        told["changed-what"] = "double"
    elif new.call.kind == "bid":
        told["changed-what"] = "number" if odd_tricks(old.call) != odd_tricks(new.call) else "denomination"
    acted = any(m.call.kind in ("bid", "double", "redouble") and m.seat.side is not new.seat.side for m in between)
    told["since-passed"] = "yes" if acted else "no"
    return told


def mattering(name: str, told: Mapping[str, str]) -> dict[str, str]:
    """The facts that can matter for an irregularity, with answers that it knows."""
    known = rulings.catalogue()[name]["facts"]
    return {f: v for f, v in told.items() if v in known.get(f, ())}


def _amount(rest: str, remedy: Remedy) -> int | None:
    """The amount that a record names where it is not the law's."""
    number = next((int(w) for w in rest.split() if w.isdigit()), None)
    return number if remedy.number is not None and number is not None and number != remedy.number else None


def _suit(words: str) -> Suit | None:
    """The suit that a word names, plural or singular."""
    return next((SUIT_OF[n] for w in words.split() for n in (w, f"{w}s", w.upper()) if n in SUIT_OF), None)


def _card(words: str) -> Card | None:
    """The card that a word names: `♥2`, `♥10` or `H2`."""
    names = {n.lower(): c for c in PACK for n in (str(c), c.code)}
    return next((names[w] for w in words.split() if w in names), None)
