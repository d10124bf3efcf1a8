"""The irregularities of a record, with the facts about them that the record shows.

The walks through calls and cards find what is irregular, and a record may tell of more. Each
becomes a case: the irregularity of the catalogue, who offends, where, and the answers to those of
its questions that calls and cards answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from oddtrick.cards import RANKS, SEATS, Card, Seat, Side, card_in
from oddtrick.judge.finding import Finder, Finding, Severity
from oddtrick.judge.play import Followed, Outcome, known_hands
from oddtrick.judge.procedures import Declared, Made, odd_tricks
from oddtrick.judge.table_law import TableLaw
from oddtrick.record.model import Incident, Item, Record
from oddtrick.rulings import engine as rulings


@dataclass(frozen=True, slots=True)
class Case:
    """One irregularity of a record: its name, who offends, where, the facts the record shows, what
    was written of it.

    `item` is the id of the call, card or claim of which it is found or at which it is written, its
    own id where it is the deal's. `at` is the trick and the card in it, from 0, at which it is
    found or written.
    """

    name: str
    seat: Seat | None
    item: Item
    facts: Mapping[str, str]
    incident: Incident | None = None
    finding: Finding | None = None
    at: tuple[int, int] | None = None

    @property
    def trick(self) -> int | None:
        """The number of the trick at which it is written, from 0."""
        return self.at[0] if self.at else None


class Shown:
    """What a record shows, as the cases in it need it."""

    def __init__(self, record: Record, law: TableLaw, declared: Declared, outcome: Outcome) -> None:
        self.record, self.law, self.declared, self.outcome = record, law, declared, outcome
        self.finder = Finder(law, record)
        self.final = declared.final
        self.made = {m.call.id: (i, m) for i, m in enumerate(declared.calls)}
        self.cards = {
            played.id: (number, index)
            for number, trick in enumerate(outcome.tricks)
            for index, (_, played) in enumerate(trick.cards)
        }
        self.revokes: list[tuple[int, int, Side]] = []

    # --- the cases -------------------------------------------------------------------------------

    def cases(self, found: Sequence[Finding]) -> Iterator[Case]:
        """Every irregularity that was found or is written down, those found first."""
        used: set[Item] = set()
        self.revokes = sorted(self._revokes(found))
        for finding in found:
            case = self._found_case(finding)
            if case is None:
                continue
            incident = next(
                (
                    i
                    for i in self._incidents_at(case.item)
                    if i.name == case.name and i.id not in used
                ),
                None,
            )
            if incident:
                used.add(incident.id)
            yield replace(case, incident=incident)
        for incident, seat, item in self._incidents():
            if incident.id not in used and incident.name in rulings.catalogue():
                used.add(incident.id)  # what is written at `all pass` stands at each of the passes
                yield self._written_case(incident, incident.by or seat, item)

    def _revokes(self, found: Sequence[Finding]) -> Iterator[tuple[int, int, Side]]:
        """Every revoke that was found or is written down.

        Trick, place in it, the side that revoked.
        """
        at = {self.cards[f.item] for f in found if f.rule == "play.revoke" and f.item in self.cards}
        for incident, seat, item in self._incidents():
            if incident.name == "revoke" and item in self.cards:
                at.add(self._card_of(item, incident.by or seat))
        for number, index in at:
            player = self.outcome.tricks[number].cards[index][0]
            if player:
                yield number, index, player.side

    def _card_of(self, item: Item, seat: Seat | None) -> tuple[int, int]:
        """The trick of a card and the card in it that a player played.

        The card itself where he played none.
        """
        number, index = self.cards[item]
        return number, next(
            (i for i, (s, _) in enumerate(self.outcome.tricks[number].cards) if s is seat), index
        )

    def _incidents(self) -> Iterator[tuple[Incident, Seat | None, Item]]:
        """Every irregularity written down.

        With who is meant where the record does not say, and at what it happened.
        """
        for incident in self.record.incidents:
            yield incident, None, incident.id
        for made in self.declared.calls:
            for incident in made.call.incidents:
                yield incident, made.seat, made.call.id
        for trick in self.outcome.tricks:
            for seat, played in trick.cards:
                for incident in played.incidents:
                    yield incident, seat, played.id
        for claim in self.record.table_claims:
            for incident in claim.incidents:
                yield incident, claim.seat, claim.id

    def _incidents_at(self, item: Item) -> tuple[Incident, ...]:
        """What is written at a call, or at the trick that a card is of."""
        if item in self.made:
            return self.made[item][1].call.incidents
        number, _ = self.cards[item]
        return tuple(i for _, p in self.outcome.tricks[number].cards for i in p.incidents)

    def role(self, seat: Seat | None) -> str | None:
        """Declarer, dummy or adversary."""
        if seat is None or self.final is None or self.final.declarer is None:
            return None
        if seat is self.final.declarer:
            return "declarer"
        return "dummy" if seat is self.final.dummy else "adversary"

    def _found_case(self, finding: Finding) -> Case | None:
        if finding.severity not in (Severity.IRREGULAR, Severity.SILENT):
            return None
        if finding.item in self.made:
            return self._call_case(finding, finding.item)
        if finding.item in self.cards:
            return self._card_case(finding, finding.item)
        return None

    def _call_case(self, finding: Finding, item: Item) -> Case | None:
        index, made = self.made[item]
        name = call_name(finding.rule, made.call.kind)
        if name is None:
            return None
        facts = self.call_facts(name, index)
        return Case(name, made.seat, item, facts, None, finding)

    def call_facts(self, name: str, index: int) -> dict[str, str]:
        """The facts of an irregular call that the record shows."""
        calls = self.declared.calls
        made = calls[index]
        later = [m for m in calls[index + 1 :] if not m.call.corrects]
        attention = any(i.noticed_by or i.remedy for i in made.call.incidents)
        told = called_facts(made, calls[:index], later[0] if later else None, attention)
        if made.call.kind in ("double", "redouble"):
            told["doubled-which"] = made.call.kind
        if name == "call-after-the-end":
            role = self.role(made.seat)
            if role:
                told["offender"] = role
        if name == "declaration-changed":
            told |= _change_facts(calls, index)
        return mattering(name, told)

    def _card_case(self, finding: Finding, item: Item) -> Case | None:
        at, index = self.cards[item]
        seat, _ = self.outcome.tricks[at].cards[index]
        name = self._card_name(finding.rule, seat, at, index)
        if name is None or seat is None:
            return None
        facts = self.card_facts(name, seat, at, index)
        return Case(name, seat, item, facts, None, finding, (at, index))

    def _card_name(self, rule: str, seat: Seat | None, at: int, index: int) -> str | None:
        if rule == "play.wrong-leader":
            return (
                "first-lead-out-of-turn" if self.role(seat) == "adversary" else "lead-out-of-turn"
            )
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
        return (
            next((leader.after(i) for i in range(1, 4) if leader.after(i) not in played), None)
            if leader
            else None
        )

    def card_facts(self, name: str, seat: Seat, at: int, index: int) -> dict[str, str]:
        """The facts of an irregular card that the record shows."""
        trick = self.outcome.tricks[at]
        told: dict[str, str] = {}
        role = self.role(seat)
        if role:
            told["offender"] = role
        if name in ("lead-out-of-turn", "first-lead-out-of-turn"):
            told["followed-by"] = self._followed_by(trick)
            told["attention"] = (
                "yes" if any(i.noticed_by for _, p in trick.cards for i in p.incidents) else "no"
            )
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

    def _written_case(self, incident: Incident, seat: Seat | None, item: Item) -> Case:
        """An irregularity that only the record tells of, with what can be seen of its facts."""
        name = incident.name
        told: dict[str, str] = {}
        known = rulings.catalogue()[name].facts
        dealer = self.record.dealer.value if self.record.dealer else None
        if seat and "offender" in known:
            roles = [self.role(seat)]
            if dealer:
                roles += [
                    "dealer"
                    if seat is dealer
                    else "dealers-partner"
                    if seat is dealer.partner
                    else "dealers-adversary"
                ]
                roles += (
                    ["eldest-hand"]
                    if seat is dealer.left
                    else ["eldest-hands-partner"]
                    if seat is dealer.right
                    else []
                )
            if self.final and self.final.declarer:
                roles += ["leader"] if seat is self.final.declarer.left else []
                roles += ["leaders-partner"] if seat is self.final.declarer.right else []
            role = next((r for r in roles if r in known["offender"]), None)
            if role:
                told["offender"] = role
        told |= exposed_facts(incident, self.law) | self._side_facts(seat)
        if item in self.made:
            told |= self.call_facts(name, self.made[item][0])
        if item in self.cards and seat:
            at, index = self._card_of(item, seat)
            told = self.card_facts(name, seat, at, index) | told
        if incident.of:
            told |= {
                "followed-by": "nobody",
                "attention": "yes",
            }  # a card taken back: it stands in no trick
        return Case(name, seat, item, mattering(name, told), incident, None, self.cards.get(item))

    def _side_facts(self, seat: Seat | None) -> dict[str, str]:
        """What an offender has become when the declaration is final."""
        role, declarer = self.role(seat), self.final.declarer if self.final else None
        if role is None or declarer is None:
            return {}
        if role != "adversary":
            return {"offenders-side": "declaring"}
        return {"offenders-side": "adversary-on-right" if seat is declarer.right else "adversary"}

    # --- the table -------------------------------------------------------------------------------

    def seats(self, chooser: str, offender: Seat | None) -> tuple[Seat, ...] | None:
        """The players that a chooser stands for at this table.

        `None` where the record does not show them.
        """
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

    def went_on(self, case: Case) -> bool:
        """Whether calls or cards come after the irregularity."""
        tricks = len(self.record.play or ())
        if case.item in self.made:
            return self.made[case.item][0] + 1 < len(self.declared.calls) or tricks > 0
        if case.trick is not None:
            return case.trick + 1 < tricks
        claimed = (c.after_trick for c in self.record.table_claims if c.id == case.item)
        over = case.incident is not None and case.incident.after == "play"
        return next(claimed, tricks if over else 0) < tricks

    def held(self, seat: Seat, number: int) -> list[Card]:
        """The cards a player is known to hold when a trick begins."""
        written = self.record.hand(seat)
        dealt = known_hands(self.record, self.law).get(seat) or (written.cards if written else ())
        played = {p.card for t in self.outcome.tricks[:number] for s, p in t.cards if s is seat}
        return [c for c in dealt if c not in played]


def call_name(rule: str, kind: str) -> str | None:
    """The irregularity behind a finding on a call of a kind, or `None`."""
    if rule == "declaring.out-of-turn":
        return {
            "bid": "bid-out-of-turn",
            "pass": "pass-out-of-turn",
            "double": "double-out-of-turn",
            "redouble": "double-out-of-turn",
        }.get(kind)
    if rule == "declaring.after-the-end":
        return "pass-after-the-end" if kind == "pass" else "call-after-the-end"
    return next((i for i, item in rulings.catalogue().items() if item.finding == rule), None)


def exposed_facts(incident: Incident, law: TableLaw) -> dict[str, str]:
    """Whether a card that was exposed is one that bars the partner by its rank, where the code sets
    one."""
    card, least = card_in(incident.of or ""), law.value("exposed-ten")
    if card is None or least is None:
        return {}
    return {"card-rank": "ten-or-higher" if card.height >= RANKS.index(least) else "lower"}


def called_facts(
    made: Made, earlier: Sequence[Made], following: Made | None, attention: bool
) -> dict[str, str]:
    """Whether a bid stood before a call.

    What was done since: attention called to it, or who called next; whose turn it was.
    """
    told = {
        "bid-made": "yes" if any(m.call.kind == "bid" and not m.void for m in earlier) else "no"
    }
    if attention:
        told |= {"called": "attention", "next-called": "attention"}
    elif following:
        proper = following.seat is made.turn
        told |= {
            "called": "proper-called" if proper else "left-called",
            "next-called": "next-called",
        }
        if following.seat is made.seat.right:
            told["right-opponent"] = "passes" if following.call.kind == "pass" else "acts"
    else:
        told |= {"called": "nothing", "next-called": "nothing"}
    if made.turn and made.turn is not made.seat:
        told["turn"] = {made.seat.partner: "partner", made.seat.left: "left-opponent"}.get(
            made.turn, "right-opponent"
        )
    return told


def _change_facts(calls: tuple[Made, ...], index: int) -> dict[str, str]:
    """What was changed by a call that replaces another of the same player."""
    new = calls[index]
    old = next((m for m in reversed(calls[:index]) if m.seat is new.seat), None)
    between = [
        m for m in calls[:index] if old and m is not old and calls.index(m) > calls.index(old)
    ]
    told = {"next-called": "next-called" if between else "nothing"}
    if old is None:
        return told
    if old.call.kind == "pass":
        told["changed-what"] = "pass"
    elif old.call.kind in ("double", "redouble"):
        told["changed-what"] = "double"
    elif new.call.kind == "bid":
        told["changed-what"] = (
            "number" if odd_tricks(old.call) != odd_tricks(new.call) else "denomination"
        )
    acted = any(
        m.call.kind in ("bid", "double", "redouble") and m.seat.side is not new.seat.side
        for m in between
    )
    told["since-passed"] = "yes" if acted else "no"
    return told


def mattering(name: str, told: Mapping[str, str]) -> dict[str, str]:
    """The facts that can matter for an irregularity, with answers that it knows."""
    known = rulings.catalogue()[name].facts
    return {f: v for f, v in told.items() if v in known.get(f, ())}
