"""A case: one irregularity of a record, and the ruling on it.

The walk through the calls rules on each case of a call when the next call closes it; all others are
ruled on when the record is known. What the law gives, what was lawfully chosen and what applies
stands in the case itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from oddtrick.cards import Card, Seat, Suit, card_in
from oddtrick.judge.demands import EXPOSED
from oddtrick.judge.effects import EFFECTS, applied, has
from oddtrick.judge.finding import Finding
from oddtrick.judge.message import Message
from oddtrick.judge.remedy_words import NamedRemedy, read_remedy
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling, When

UNRULED = Answer("", "", (), "open")
"""The answer of a case on which nothing is ruled yet."""


@dataclass(frozen=True, slots=True)
class Case:
    """One irregularity of a record: its name, who offends, where, the facts the record shows, what
    was written of it; and the ruling.

    `item` is the id of the call, card or claim of which it is found or at which it is written, its
    own id where it is the deal's. `at` is the trick and the card in it, from 0, at which it is
    found or written, `led` the suit led to that trick. `disproved` is what of the record is
    against it.

    `answer` is that of the law, `further` the rulings on other laws that it points to, `chosen` the
    remedy that was lawfully chosen. `by_demand` is the law by which a demand that is refused takes
    the right away, `presumed` what was presumed and decides: answers to facts, together where one
    ruling needs them together. `lost` is the law that takes the right away, `claimed` says that it
    does so of what was claimed in time, `upheld` is that by which a demand stands which the law
    does not give, `spent` those by which what was recorded before of the same event stands; an
    `idle` line decides nothing of its event.
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

    @property
    def asked(self) -> NamedRemedy | None:
        """What the record names as the remedy for it."""
        words = self.incident.remedy if self.incident else None
        return read_remedy(words) if words else None

    @property
    def id(self) -> Item:
        """What tells it from other cases: the irregularity written down, or what was found."""
        return self.incident.item if self.incident else (*self.item, self.name)

    @property
    def event(self) -> object:
        """What the lines on one event have in common."""
        return self.name, self.seat, self.card or self.item

    @property
    def card(self) -> Card | None:
        """The card that the record names for it."""
        return card_in(self.incident.of or "") if self.incident else None

    @property
    def group(self) -> str:
        """The group of the catalogue that it is of."""
        return rulings.catalogue()[self.name].group

    @property
    def closes(self) -> str | None:
        """When it closes, if calls or cards decide it where they are recorded."""
        return rulings.catalogue()[self.name].closes

    @property
    def trick(self) -> int | None:
        """The number of the trick at which it is written, from 0."""
        return self.at[0] if self.at else None

    @property
    def waived_by(self) -> Seat | None:
        """The player who waived the penalty."""
        return self.incident.waived_by if self.incident else None

    def of_other_side(self, other: Case) -> bool:
        """Whether another case is of the other side."""
        return bool(self.seat and other.seat and self.seat.side is not other.seat.side)

    def with_facts(self, answers: Mapping[str, str]) -> Case:
        """The case with facts that the record shows besides."""
        return replace(self, facts={**self.facts, **answers})

    # --- the ruling -------------------------------------------------------------------------------

    @property
    def possible(self) -> tuple[Ruling, ...]:
        """The rulings of which one applies."""
        return (self.answer.ruling,) if self.answer.ruling else self.answer.possible

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling that may apply."""
        return self.possible + self.further

    @property
    def given(self) -> list[Remedy]:
        """Every remedy that the rulings give."""
        return [r for ruling in self.rulings for r in ruling.remedies]

    @property
    def applied(self) -> tuple[Remedy, ...]:
        """The remedies that apply; where the facts leave more than one ruling, by all of them."""
        if self.lost or self.idle or self.waived_by:
            return ()
        every = [applied(r, self.chosen) for r in self.possible]
        own = [r for given in every for r in given if all(_alike(r, other) for other in every)]
        more = [r for ruling in self.further for r in applied(ruling, self.chosen)]
        return tuple(dict.fromkeys((*own, *more)))

    @property
    def named(self) -> Remedy | None:
        """The remedy of the rulings that the record names.

        By its own words, or by those of another that demands the same of the cards; a number alone
        is that of the remedy whose own it is, or is nearest to it.
        """
        asked, given = self.asked, self.given
        if not asked:
            return None
        demanded = {e.of for e in asked.effects if e.id == "demand"}
        demanded |= set(EXPOSED) if "card" in demanded else set()
        same = next((r for r in given if demanded & {e.of for e in r.effects}), None)
        return _given_as(asked, given) or same or _nearest(asked, given)


def _alike(remedy: Remedy, given: Iterable[Remedy]) -> bool:
    """Whether one of some remedies does the same, by whatever law and under whatever name."""

    def does(one: Remedy) -> tuple[object, ...]:
        return one.effects or one.id, one.number, one.whose

    return any(does(r) == does(remedy) for r in given)


def _given_as(asked: NamedRemedy, given: Sequence[Remedy]) -> Remedy | None:
    """The one of some remedies that is named: by its words, or a number alone by its number."""
    if asked.alone:
        return next((r for r in given if r.number == asked.amount), None)
    return next((r for name in asked.ids for r in given if r.id == name), None)


def _nearest(asked: NamedRemedy, given: Iterable[Remedy]) -> Remedy | None:
    """The one of some remedies whose number is nearest to a number alone."""
    if not asked.alone or asked.amount is None:
        return None
    near = [(abs(r.number - asked.amount), r) for r in given if r.number is not None]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def rule(
    case: Case,
    law: Rules,
    roles: Roles,
    as_another: Callable[[str], Mapping[str, str]] | None = None,
    decides: bool = False,
) -> Case:
    """The case with the ruling on it, and with the remedy that was lawfully chosen.

    `as_another` gives the facts of an irregularity as which it may be punished. Who may accept
    what was done and names a remedy for it has decided on that.
    """
    if case.asked and not decides and "accepted" in rulings.catalogue()[case.name].facts:
        refused = any(e.id == "void" for e in case.asked.effects)
        accepted = case.with_facts({"accepted": "no" if refused else "yes"})
        decided = rule(accepted, law, roles, as_another, decides=True)
        if decided.chosen:
            return decided

    def another(ruling: Ruling) -> list[Ruling]:
        """The rulings on another irregularity whose penalty a ruling gives."""
        out = list[Ruling]()
        for effect in (e for r in ruling.remedies for e in r.effects if e.id == "penalty-of"):
            name = str(effect.of)
            found = answer_to(name, law, as_another(name) if as_another else {})
            out += [found.ruling] if found.ruling else found.possible
        return out if as_another else []

    answer, assumed = answer_to(case.name, law, case.facts), _decisive(case, law)
    if likely := _given_by_one(case, answer, another, roles):
        answer = replace(
            answer, kind="ruling", ruling=likely, laws=likely.laws, possible=(), questions=()
        )
        facts = presumed(case.name, case.facts)
        assumed += (tuple((f, v) for f, v in likely.when if f not in facts),)
    further = another(answer.ruling) if answer.ruling else []
    ruled = replace(case, answer=answer, further=tuple(further), presumed=assumed, chosen=None)
    chosen = ruled.named
    his = chosen is None or may_choose(chosen, case, roles)
    if chosen and his and {wrong_amount(chosen, case), wrong_suit(chosen, case)} == {None}:
        return replace(ruled, chosen=chosen.id)
    if case.asked is None:
        return ruled
    wrong = {"wrong-how": "wrong-penalty" if his else "wrong-player"}
    return replace(ruled, by_demand=forfeits(law, "wrong-penalty", wrong))


def answer_to(name: str, law: Rules, facts: Mapping[str, str]) -> Answer:
    """The answer of the law, with what is presumed of the facts that the record does not state."""
    return rulings.answer(name, law.code, law.options, presumed(name, facts))


def provisions(remedies: Iterable[Remedy], effect: str) -> tuple[str, ...]:
    """The laws of those of some remedies that have an effect."""
    return tuple(r.provision for r in remedies if has((r,), effect))


def forfeits(law: Rules, name: str, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The laws by which an irregularity takes a right away from the side that committed it."""
    ruling = answer_to(name, law, facts).ruling
    return provisions(applied(ruling, None), "forfeit") if ruling else ()


def exacting(case: Case, about: str) -> tuple[str, ...]:
    """The general laws on something about exacting a penalty, as far as they are on this one."""
    choosers = frozenset(r.chosen_by for r in case.given)
    rules = rulings.exacting(case.answer.code, case.group, choosers)
    return tuple(law for rule in rules if rule.about == about for law in rule.provisions)


# --- several lines on one event -----------------------------------------------------------------


def in_order(lines: Sequence[Case]) -> list[Case]:
    """The lines on one event, in order, each as those before leave it.

    The first that decides stands, and those after it are held against it. Where none decides, the
    last is taken.
    """
    decided = next((n for n, line in enumerate(lines) if _decides(line)), len(lines) - 1)
    before = [replace(line, idle=True) for line in lines[:decided]]
    after = [_after(lines[decided], line) for line in lines[decided + 1 :]]
    return [*before, *lines[decided : decided + 1], *after]


def _decides(case: Case) -> bool:
    """Whether a line decides what applies to its event: by a lawful choice, by a waiver that is
    final, or by a wrong demand that takes the right away.
    """
    return bool(exacting(case, "final") if case.waived_by else case.chosen or case.by_demand)


def _after(first: Case, line: Case) -> Case:
    """A line when another has decided of the same event."""
    one, other, idle = first.named, line.named, replace(line, idle=True, chosen=None)
    if first.chosen is None and first.by_demand:
        return replace(idle, lost=first.by_demand)
    if line.waived_by or first.chosen is None:
        return replace(idle, spent=exacting(line, "final"))
    if line.chosen is None or one is None or other is None:
        return replace(idle, chosen=line.chosen)
    if one.id == other.id:
        if not _of_another(first.asked, line.asked):
            return replace(idle, chosen=line.chosen)
    elif None in (one.choice, other.choice) or one.choice == other.choice:
        return line  # both may apply
    return replace(idle, spent=(*exacting(line, "final"), other.provision))


def _of_another(one: NamedRemedy | None, other: NamedRemedy | None) -> bool:
    """Whether two demands of one kind name another suit, card, rank or hand."""
    fields = ("suit", "card", "option", "leader")
    pairs = [(getattr(one, f), getattr(other, f)) for f in fields if one and other]
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)


# --- the choice ---------------------------------------------------------------------------------


def _given_by_one(
    case: Case, answer: Answer, another: Callable[[Ruling], list[Ruling]], roles: Roles
) -> Ruling | None:
    """The one of the possible rulings that gives what was chosen to the player who chose it.

    It is presumed to apply.
    """
    giving = []
    for ruling in answer.possible if case.asked else ():
        given = [r for one in (ruling, *another(ruling)) for r in one.remedies]
        remedy = _given_as(case.asked, given) if case.asked else None
        if remedy and may_choose(remedy, case, roles):
            giving.append(ruling)
    return giving[0] if len(giving) == 1 else None


def wrong_amount(remedy: Remedy, case: Case) -> int | None:
    """The number that a record gives for a remedy, where the law gives another."""
    amount = case.asked.amount if case.asked else None
    return None if remedy.number in (None, amount) else amount


def wrong_suit(remedy: Remedy, case: Case) -> Suit | None:
    """The suit that the law means, where a demand names another.

    The highest or lowest is of the suit led; a suit that is forbidden is that of the card shown.
    """
    asked = case.asked.suit if case.asked else None
    meant = {"rank": case.led, "other-suit": case.card.suit if case.card else None}
    demands = (str(e.of) for e in remedy.effects if e.id == "demand")
    due = next((meant[of] for of in demands if meant.get(of)), None)
    return due if asked and due is not asked else None


def may_choose(remedy: Remedy, case: Case, roles: Roles) -> bool:
    """Whether a remedy was chosen by a player who may choose it, as far as the record says."""
    chooser = case.incident.chosen_by if case.incident else None
    allowed = roles.seats(chooser_of(remedy, case, roles), case.seat)
    return not (chooser and allowed) or chooser in allowed


def chooser_of(remedy: Remedy, case: Case, roles: Roles) -> str:
    """Who may choose a remedy, by the catalogue's word for him.

    That a card lies exposed follows by itself, but somebody calls it: the declarer, and a card of
    his own side either adversary.
    """
    exposed = any(e.id == "demand" and e.of in EXPOSED for e in remedy.effects)
    if remedy.chosen_by != "nobody" or not exposed:
        return remedy.chosen_by
    return "declarer" if roles.role(case.seat) == "adversary" else "either-adversary"


# --- what is presumed ---------------------------------------------------------------------------


def presumed(name: str, facts: Mapping[str, str]) -> dict[str, str]:
    """The facts, with what is presumed of those that the record does not state."""
    known = {f: book().facts[f].presumed for f in rulings.catalogue()[name].facts}
    return {f: v for f, v in known.items() if v} | rulings.implied(name, facts)


def _decisive(case: Case, law: Rules) -> tuple[When, ...]:
    """What was presumed and decides."""
    without = rulings.answer(case.name, law.code, law.options, case.facts)
    decides = {q.fact for q in without.questions} - set(case.facts)
    given = presumed(case.name, case.facts).items()
    return tuple(((f, (v,)),) for f, v in given if f in decides)


@cache
def barring(code: str, options: tuple[str, ...]) -> frozenset[str]:
    """The laws of a code by which a player is barred, but for those on a barred player who
    declares."""
    names = (name for name in rulings.catalogue() if name != "barred-player-declares")
    entries = (book().entry(name, code, options) for name in names)
    bars = {
        kind.id
        for kind in book().vocabulary.remedies
        if any(EFFECTS[e.id].bars or e.id == "end-doubling" for e in kind.effects)
    }
    return frozenset(
        remedy.provision
        for entry in entries
        if entry
        for ruling in entry[0].rulings
        for remedy in ruling.remedies
        if remedy.id in bars
    )
