"""A case: one irregularity of a record, and the ruling on it.

The walk through the calls rules on each case of a call when the next call closes it; all other
cases are ruled on once the record is known. The case itself stores what the law provides, what
was lawfully chosen and what applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from oddtrick.cards import Card, Seat, Suit, card_in
from oddtrick.judge.effects import EFFECTS, EXPOSED, applied, has
from oddtrick.judge.finding import Finding, Message
from oddtrick.judge.remedy_words import NamedRemedy, read_remedy
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book
from oddtrick.law.model import Irregularity, Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling, When

NO_LINE = Incident("")
UNRULED = Answer("", "", (), "open")
"""The answer of a case that has not been ruled on."""


class Case(NamedTuple):
    """One irregularity of a record with its facts, and the ruling on it.

    `item` is the id of the call, card or claim where it is found or written; an irregularity of the
    deal has its own id. `at` is the trick and the card in it, from 0, where it is found or written;
    `led` is the suit led to that trick. `disproved` states what in the record contradicts it.

    `answer` is the answer of the law, `further` the rulings under other laws that it points to,
    `chosen` the remedy that was lawfully chosen. `by_demand` are the laws by which a wrong demand
    forfeits the right. `presumed` are the presumed facts that were decisive, grouped where one
    ruling needs several. `lost` are the laws by which the right is lost; `claimed` is true if the
    penalty was claimed in time. `upheld` are those by which a demand is valid although the law does
    not provide it, `spent` those by which an earlier line on the same event is final. An `idle`
    line decides nothing about its event. `void_waiver` has the findings on a waiver without effect.
    `denied` is the remedy that would apply if the player who named it had been entitled to decide.
    `unclear` is the number of offences if it is not known which of several the case concerns.
    """

    name: str
    seat: Seat | None
    item: Item
    facts: Mapping[str, str]
    incident: Incident | None = None
    finding: Finding | None = None
    at: tuple[int, int] | None = None
    disproved: Message | None = None
    led: Suit | None = None
    answer: Answer = UNRULED
    further: tuple[Ruling, ...] = ()
    chosen: str | None = None
    by_demand: tuple[str, ...] = ()
    presumed: tuple[When, ...] = ()
    lost: tuple[str, ...] = ()
    claimed: bool = False
    upheld: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    idle: bool = False
    void_waiver: tuple[Finding, ...] = ()
    denied: Remedy | None = None
    unclear: int = 0

    @property
    def line(self) -> Incident:
        """The line that reports the case; an empty one if no line does."""
        return self.incident or NO_LINE

    @property
    def asked(self) -> NamedRemedy | None:
        """The remedy that the record names for the case."""
        return read_remedy(self.line.remedy) if self.line.remedy else None

    @property
    def id(self) -> Item:
        """The identity of the case: its written irregularity, or the item and the name."""
        return self.incident.item if self.incident else (*self.item, self.name)

    @property
    def event(self) -> object:
        """A key that is equal for one irregularity by one player at one card or item."""
        return self.name, self.seat, self.card or self.item

    @property
    def card(self) -> Card | None:
        """The card that the record names for the case, if any."""
        return card_in(self.line.of or "")

    @property
    def irregularity(self) -> Irregularity:
        """The catalogue's irregularity of the case."""
        return rulings.catalogue()[self.name]

    @property
    def trick(self) -> int | None:
        """The index of the trick where the case is found or written."""
        return self.at[0] if self.at else None

    @property
    def waived_by(self) -> Seat | None:
        """The player who waived the penalty, if any; a void waiver does not count."""
        return None if self.void_waiver else self.line.waived_by

    def of_other_side(self, other: Case) -> bool:
        """Whether the offenders of the two cases are on different sides."""
        return bool(self.seat and other.seat and self.seat.side is not other.seat.side)

    @property
    def places(self) -> set[Item]:
        """The calls and tricks where the case is found and reported; empty for the deal itself."""
        items = (self.item, written_at(self.line))
        places = {item[:2] for item in items if item[:1] in (("bidding",), ("play",))}
        return places or ({("play", self.trick or 0)} if self.at else set())

    def apart(self, other: Case) -> bool:
        """Whether the two cases are known to concern different calls or different tricks."""
        own, others = self.places, other.places
        return bool(own and others and own.isdisjoint(others))

    def earlier(self, other: Case) -> bool:
        """Whether the case is found and reported at an earlier call or trick than another."""
        own, others = self.places, other.places
        return bool(own and others) and max(own) < min(others)  # bidding sorts before play

    def concerns(self, group: str) -> bool:
        """Whether the case may cost its own side a remedy for an offence of that group."""
        own = next(g for g in book().vocabulary.groups if g.id == self.irregularity.group)
        return bool({"any", group} & {*own.forfeits})

    def left_open(self, then: Case) -> bool:
        """Whether the case was reported before another, with no remedy chosen or waived."""
        decided = self.incident is None or self.line.remedy or self.waived_by
        return not decided and self.earlier(then)

    def asks(self, fact: str) -> bool:
        """Whether a ruling may depend on a fact that the record does not show."""
        return fact in self.irregularity.facts and fact not in self.facts

    def with_facts(self, answers: Mapping[str, str | None]) -> Case:
        """The case with the answers that its irregularity knows, in place of earlier ones."""
        known = self.irregularity.facts
        valid = {f: v for f, v in answers.items() if v is not None and v in known.get(f, ())}
        return self._replace(facts={**self.facts, **valid})

    # --- the ruling -------------------------------------------------------------------------------

    @property
    def possible(self) -> tuple[Ruling, ...]:
        """The rulings of which exactly one applies."""
        return (self.answer.ruling,) if self.answer.ruling else self.answer.possible

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling that may apply, including those under other laws."""
        return self.possible + self.further

    @property
    def given(self) -> list[Remedy]:
        """Every remedy in these rulings."""
        return [r for ruling in self.rulings for r in ruling.remedies]

    @property
    def applied(self) -> tuple[Remedy, ...]:
        """The remedies that apply; if several rulings are possible, those common to all of them."""
        if self.lost or self.idle:
            return ()

        def does(one: Remedy) -> tuple[object, ...]:
            """The effects of a remedy, whatever its law or name."""
            return one.effects or one.id, one.number, one.whose

        every = [applied(r, self.chosen) for r in self.possible]
        done = [{*map(does, given)} for given in every]
        own = [r for given in every for r in given if all(does(r) in other for other in done)]
        more = [r for ruling in self.further for r in applied(ruling, self.chosen)]
        # What is waived is what a player could demand, not what the law orders by itself.
        return tuple(r for r in dict.fromkeys((*own, *more)) if not self.waived_by or _ordered(r))

    @property
    def named(self) -> Remedy | None:
        """The remedy of the rulings that the record names.

        It is the one with those words, or one that demands the same of the cards. A number by
        itself means the remedy with that number, or with the nearest. To notice an offence of the
        other side is to demand what the law gives for it, if that is one thing that takes effect on
        notice.
        """
        asked, given, noticed = self.asked, self.given, self.line.noticed_by
        if not asked:
            due = [r for r in given if r.chosen_by != "nobody"]
            by_other = noticed and self.seat and noticed.side is not self.seat.side
            alone = by_other and len(due) == 1 and not self.waived_by and not self.answer.possible
            effects = due[0].effects if alone else ()
            return due[0] if any(EFFECTS[e].on_notice for e in effects) else None
        demanded = {e.of for e in asked.effects if e.id == "demand"}
        demanded |= EXPOSED if "card" in demanded else set()
        same = [r for r in given if demanded & {e.of for e in r.effects}]
        if asked.alone and asked.amount is not None:
            near = [(abs(r.number - asked.amount), r) for r in given if r.number is not None]
            same += [r for _, r in sorted(near, key=lambda pair: pair[0])]
        return _given_as(asked, given) or next(iter(same), None)


def _ordered(remedy: Remedy) -> bool:
    """Whether the law by itself decides how a call counts or whom it bars."""
    rows = (EFFECTS[e] for e in remedy.effects)
    return remedy.chosen_by == "nobody" and any(row.on_call or row.bars for row in rows)


def _given_as(asked: NamedRemedy, given: Sequence[Remedy]) -> Remedy | None:
    """The remedy that is named by its words or, for a number by itself, has exactly that number."""
    if asked.alone:
        return next((r for r in given if r.number == asked.amount), None)
    return next((r for name in asked.ids for r in given if r.id == name), None)


def written_at(incident: Incident) -> Item:
    """The path of the call, card or claim where an irregularity is written, or its own path."""
    return incident.item[:-2] if incident.event else incident.item


def rule(
    case: Case,
    law: Rules,
    roles: Roles,
    as_another: Callable[[str], Mapping[str, str]] | None = None,
    decides: bool = False,
) -> Case:
    """The case with the ruling on it and the remedy that was lawfully chosen.

    `as_another` returns the facts of another irregularity for which the case may be punished. A
    player who may accept an act and names a remedy for it has decided whether to accept.
    """
    denied = None
    if case.asked and not decides and "accepted" in case.irregularity.facts:
        refused = any(e.id == "void" for e in case.asked.effects)
        accepted = case.with_facts({"accepted": "no" if refused else "yes"})
        decided = rule(accepted, law, roles, as_another, decides=True)
        if decided.chosen:
            return decided
        denied = decided.named

    def another(ruling: Ruling) -> list[Ruling]:
        """The rulings on the other irregularity whose penalty a ruling imposes."""
        out = list[Ruling]()
        for effect in (e for r in ruling.remedies for e in r.effects if e.id == "penalty-of"):
            name = str(effect.of)
            found = answer_to(name, law, as_another(name) if as_another else {})
            out += [found.ruling] if found.ruling else found.possible
        return out if as_another else []

    answer = answer_to(case.name, law, case.facts)
    assumed = answer.presumed
    giving = _giving(case, answer, another, roles)
    if len(giving) == 1:
        likely = giving[0]
        answer = replace(
            answer, kind="ruling", ruling=likely, laws=likely.laws, possible=(), questions=()
        )
        facts = rulings.presumed(case.name, case.facts)
        assumed += (tuple((f, v) for f, v in likely.when if f not in facts),)
    elif giving:
        answer = replace(answer, possible=giving)
    further = another(answer.ruling) if answer.ruling else []
    ruled = case._replace(
        answer=answer, further=tuple(further), presumed=assumed, chosen=None, denied=denied
    )
    chosen = ruled.named
    his = chosen is None or may_choose(chosen, case, roles)
    if chosen and his and {wrong_amount(chosen, case), wrong_suit(chosen, case)} == {None}:
        return ruled._replace(chosen=chosen.id)
    if case.asked is None:
        return ruled
    wrong = {} if his else {"wrong-how": "wrong-player"}
    return ruled._replace(by_demand=forfeits(law, rulings.arising_from("wrong-demand"), wrong))


def answer_to(name: str, law: Rules, facts: Mapping[str, str]) -> Answer:
    """The ruling of the code in force on an irregularity, with unstated facts presumed."""
    return rulings.answer(name, law.code, law.options, facts, presuming=True)


def provisions(remedies: Iterable[Remedy], effect: str) -> tuple[str, ...]:
    """The laws of those remedies that have the effect with this id."""
    return tuple(r.provision for r in remedies if has((r,), effect))


def forfeits(law: Rules, name: str, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The laws by which an irregularity costs the offending side a right."""
    ruling = answer_to(name, law, facts).ruling
    return provisions(applied(ruling, None), "forfeit") if ruling else ()


def exacting(case: Case, about: str) -> tuple[str, ...]:
    """The general laws on exacting penalties that apply to a case, on one point.

    `about` is the point: `consultation`, `time`, `waiver`, `wrong-demand` or `final`.
    """
    choosers = frozenset(r.chosen_by for r in case.given)
    rules = rulings.exacting(case.answer.code, case.irregularity.group, choosers)
    return tuple(law for rule in rules if rule.about == about for law in rule.provisions)


# --- several lines on one event -----------------------------------------------------------------


def in_order(lines: Sequence[Case]) -> list[Case]:
    """The lines on one event in order, each adjusted to those before it.

    The first line that decides is valid, and later ones are checked against it. If none decides,
    the last waiver counts or, failing that, the last line.
    """
    # What decides is a lawful choice, a final waiver, or a wrong demand that forfeits the right.
    deciding = (
        n
        for n, x in enumerate(lines)
        if (exacting(x, "final") if x.waived_by else x.chosen or x.by_demand)
    )
    waived = (n for n, x in reversed([*enumerate(lines)]) if x.waived_by)
    decided = next(deciding, next(waived, len(lines) - 1))
    before = [line._replace(idle=True) for line in lines[:decided]]
    after = [_after(lines[decided], line) for line in lines[decided + 1 :]]
    return [*before, *lines[decided : decided + 1], *after]


def _after(first: Case, line: Case) -> Case:
    """A line as it counts once an earlier one has decided about the same event."""
    one, other, idle = first.named, line.named, line._replace(idle=True, chosen=None)
    if first.chosen is None and first.by_demand:
        return idle._replace(lost=first.by_demand)
    if line.waived_by or first.chosen is None:
        return idle._replace(spent=exacting(line, "final"))
    if line.chosen is None or one is None or other is None:
        return idle._replace(chosen=line.chosen)
    if one.id == other.id:
        if not _of_another(first.asked, line.asked):
            return idle._replace(chosen=line.chosen)
    elif None in (one.choice, other.choice) or one.choice == other.choice:
        return line  # both remedies may apply
    return idle._replace(spent=(*exacting(line, "final"), other.provision))


def _of_another(one: NamedRemedy | None, other: NamedRemedy | None) -> bool:
    """Whether two demands of the same kind name a different suit, card, rank or hand."""
    fields = ("suit", "card", "option", "leader")
    pairs = [(getattr(one, f), getattr(other, f)) for f in fields if one and other]
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)


# --- the choice ---------------------------------------------------------------------------------


def _giving(
    case: Case, answer: Answer, another: Callable[[Ruling], list[Ruling]], roles: Roles
) -> tuple[Ruling, ...]:
    """The possible rulings that allow the chosen remedy to the player who chose it.

    One of them is presumed to apply.
    """
    giving = []
    for ruling in answer.possible if case.asked else ():
        given = [r for one in (ruling, *another(ruling)) for r in one.remedies]
        remedy = _given_as(case.asked, given) if case.asked else None
        if remedy and may_choose(remedy, case, roles):
            giving.append(ruling)
    return tuple(giving)


def wrong_amount(remedy: Remedy, case: Case) -> int | None:
    """The number that the record states for a remedy, if the law has another."""
    amount = case.asked.amount if case.asked else None
    return None if remedy.number in (None, amount) else amount


def wrong_suit(remedy: Remedy, case: Case) -> Suit | None:
    """The suit that the law requires, if a demand names another.

    The highest or lowest must be of the suit led; a forbidden suit must be the suit of the card
    shown.
    """
    asked = case.asked.suit if case.asked else None
    meant = {"rank": case.led, "other-suit": case.card.suit if case.card else None}
    demands = (str(e.of) for e in remedy.effects if e.id == "demand")
    due = next((meant[of] for of in demands if meant.get(of)), None)
    return due if asked and due is not asked else None


def may_choose(remedy: Remedy, case: Case, roles: Roles) -> bool:
    """Whether the player who chose a remedy may do so; true if the record does not name him."""
    chooser = case.line.chosen_by
    allowed = roles.seats(chooser_of(remedy, case, roles), case.seat)
    return not (chooser and allowed) or chooser in allowed


def chooser_of(remedy: Remedy, case: Case, roles: Roles) -> str:
    """The chooser of a remedy, as a word of the catalogue.

    The penalty on an exposed card follows by itself, but a player must call the card: the declarer
    or, if it is a card of the declarer's side, either adversary.
    """
    exposed = any(e.id == "demand" and e.of in EXPOSED for e in remedy.effects)
    if remedy.chosen_by != "nobody" or not exposed:
        return remedy.chosen_by
    owners = roles.seats(remedy.whose or "offender", case.seat) or ()
    adverse = any(roles.role(owner) == "adversary" for owner in owners)
    return "declarer" if adverse else "either-adversary"


def remedies_of(
    code: str, options: tuple[str, ...], irregularities: Iterable[Irregularity]
) -> Iterator[Remedy]:
    """Every remedy that a code provides for some irregularities, as its law data state it."""
    entries = (book().entry(one.id, code, options) for one in irregularities)
    rulings = (ruling for entry in entries if entry for ruling in entry[0].rulings)
    return (remedy for ruling in rulings for remedy in ruling.remedies)


@cache
def barring(code: str, options: tuple[str, ...]) -> frozenset[str]:
    """The laws of a code that bar a player, except those on a barred player who declares."""
    bars = {
        kind.id
        for kind in book().vocabulary.remedies
        if any(EFFECTS[e].bars or e.id == "end-doubling" for e in kind.effects)
    }
    others = (i for i in rulings.catalogue().values() if i.finding != "declaring.barred")
    return frozenset(r.provision for r in remedies_of(code, options, others) if r.id in bars)
