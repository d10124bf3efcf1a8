"""The ruling on a case: what the law gives, what was lawfully chosen, and what applies.

The walk through the calls rules on each as it goes on; the whole record is ruled on when it is
known. Both ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from oddtrick.cards import Suit
from oddtrick.judge.demands import EXPOSED
from oddtrick.judge.effects import EFFECTS, applied, has
from oddtrick.judge.facts import Case
from oddtrick.judge.remedy_words import NamedRemedy
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling, When


@dataclass(frozen=True, slots=True)
class Ruled:
    """A case with the answer of the law, and with the rulings on other laws that it points to.

    `chosen` is the remedy that was lawfully chosen, `lost` the law that takes the right away,
    `claimed` that it does so of what was claimed in time,
    `upheld` that by which a demand stands which the law does not give, `spent` those by which what
    was recorded before of the same event stands; an `idle` line decides nothing of its event.
    `by_demand` is the law by which a demand that is refused takes it away, `presumed` what was
    presumed and decides: answers to facts, together where one ruling needs them together.
    """

    case: Case
    answer: Answer
    further: tuple[Ruling, ...] = ()
    chosen: str | None = None
    lost: tuple[str, ...] = ()
    claimed: bool = False
    upheld: tuple[str, ...] = ()
    by_demand: tuple[str, ...] = ()
    presumed: tuple[When, ...] = ()
    spent: tuple[str, ...] = ()
    idle: bool = False

    @property
    def possible(self) -> tuple[Ruling, ...]:
        """The rulings of which one applies."""
        return (self.answer.ruling,) if self.answer.ruling else self.answer.possible

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling that may apply."""
        return self.possible + self.further

    @property
    def applied(self) -> tuple[Remedy, ...]:
        """The remedies that apply; where the facts leave more than one ruling, by all of them."""
        incident = self.case.incident
        if self.lost or self.idle or (incident and incident.waived_by):
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
        asked = self.case.asked
        if not asked:
            return None
        given = [r for ruling in self.rulings for r in ruling.remedies]
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
) -> Ruled:
    """The ruling on a case, with the remedy that was lawfully chosen.

    `as_another` gives the facts of an irregularity as which it may be punished. Who may accept
    what was done and names a remedy for it has decided on that.
    """
    if case.asked and not decides and "accepted" in rulings.catalogue()[case.name].facts:
        refused = any(e.id == "void" for e in case.asked.effects)
        facts = {**case.facts, "accepted": "no" if refused else "yes"}
        decided = rule(replace(case, facts=facts), law, roles, as_another, decides=True)
        if decided.chosen:
            return decided

    def answered(name: str, facts: Mapping[str, str]) -> Answer:
        return rulings.answer(name, law.code, law.options, presumed(name, facts))

    def another(ruling: Ruling) -> list[Ruling]:
        """The rulings on another irregularity whose penalty a ruling gives."""
        out = list[Ruling]()
        for effect in (e for r in ruling.remedies for e in r.effects if e.id == "penalty-of"):
            found = answered(str(effect.of), as_another(str(effect.of)) if as_another else {})
            out += [found.ruling] if found.ruling else found.possible
        return out if as_another else []

    answer, assumed = answered(case.name, case.facts), _decisive(case, law)
    likely = _given_by_one(case, answer, another, roles)
    if likely:
        answer = replace(
            answer, kind="ruling", ruling=likely, laws=likely.laws, possible=(), questions=()
        )
        facts = presumed(case.name, case.facts)
        left = tuple((f, v) for f, v in likely.when if f not in facts)
        assumed += (left,)
    further = another(answer.ruling) if answer.ruling else []
    ruled = Ruled(case, answer, tuple(further), presumed=assumed)
    chosen = ruled.named
    his = chosen is None or may_choose(chosen, case, roles)
    if chosen and his and _as_the_law_has_it(chosen, case):
        return replace(ruled, chosen=chosen.id)
    if case.asked is None:
        return ruled
    wrong = {"wrong-how": "wrong-penalty" if his else "wrong-player"}
    return replace(ruled, by_demand=forfeits(law, "wrong-penalty", wrong))


def forfeits(law: Rules, name: str, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The laws by which an irregularity takes a right away from the side that committed it."""
    ruling = rulings.answer(name, law.code, law.options, presumed(name, facts)).ruling
    given = applied(ruling, None) if ruling else ()
    return tuple(r.provision for r in given if has((r,), "forfeit"))


def final_laws(ruled: Ruled) -> tuple[str, ...]:
    """The laws by which what one player of a side decides on the penalty is final."""
    choosers = frozenset(r.chosen_by for ruling in ruled.rulings for r in ruling.remedies)
    rules = rulings.exacting(ruled.answer.code, ruled.case.group, choosers)
    return tuple(law for rule in rules if rule.about == "final" for law in rule.provisions)


def in_order(lines: Sequence[Ruled]) -> list[Ruled]:
    """The lines on one event, in order, each as those before leave it.

    The first that decides stands, and those after it are held against it. Where none decides, the
    last is taken.
    """
    decided = next((n for n, line in enumerate(lines) if _decides(line)), len(lines) - 1)
    before = [replace(line, idle=True) for line in lines[:decided]]
    after = [_after(lines[decided], line) for line in lines[decided + 1 :]]
    return [*before, lines[decided], *after]


def _decides(ruled: Ruled) -> bool:
    """Whether a line settles what applies to its event: by a lawful choice, by a waiver that is
    final, or by a wrong demand that takes the right away.
    """
    if ruled.case.incident and ruled.case.incident.waived_by:
        return bool(final_laws(ruled))
    return bool(ruled.chosen or ruled.by_demand)


def _after(first: Ruled, line: Ruled) -> Ruled:
    """A line when another has decided of the same event."""
    one, other, idle = first.named, line.named, replace(line, idle=True, chosen=None)
    waived = line.case.incident is not None and line.case.incident.waived_by is not None
    if first.chosen is None and first.by_demand:
        return replace(idle, lost=first.by_demand)
    if waived or first.chosen is None:
        return replace(idle, spent=final_laws(line))
    if line.chosen is None or one is None or other is None:
        return replace(idle, chosen=line.chosen)
    if one.id == other.id:
        if not _of_another(first.case.asked, line.case.asked):
            return replace(idle, chosen=line.chosen)
    elif None in (one.choice, other.choice) or one.choice == other.choice:
        return line  # both may apply
    return replace(idle, spent=(*final_laws(line), other.provision))


def _of_another(one: NamedRemedy | None, other: NamedRemedy | None) -> bool:
    """Whether two demands of one kind name another suit, card, rank or hand."""
    if one is None or other is None:
        return False
    pairs: tuple[tuple[object, object], ...] = (
        (one.suit, other.suit),
        (one.card, other.card),
        (one.option, other.option),
        (one.leader, other.leader),
    )
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)


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


def _as_the_law_has_it(remedy: Remedy, case: Case) -> bool:
    """Whether a remedy is demanded in the amount and the suit that the law has."""
    return wrong_amount(remedy, case) is None and wrong_suit(remedy, case) is None


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


def presumed(name: str, facts: Mapping[str, str]) -> dict[str, str]:
    """The facts, with what is presumed of those that the record does not tell."""
    known = {f: book().facts[f].presumed for f in rulings.catalogue()[name].facts}
    return {f: v for f, v in known.items() if v} | rulings.implied(name, facts)


def _decisive(case: Case, law: Rules) -> tuple[When, ...]:
    """What was presumed and decides."""
    bare = rulings.answer(case.name, law.code, law.options, case.facts)
    decides = {q.fact for q in bare.questions} - set(case.facts)
    given = presumed(case.name, case.facts).items()
    return tuple(((f, (v,)),) for f, v in given if f in decides)


@cache
def barring(code: str, options: tuple[str, ...]) -> frozenset[str]:
    """The laws of a code by which a player is barred, but for those on a barred player who
    declares."""
    entries = [
        book().entry(name, code, options)
        for name in rulings.catalogue()
        if name != "barred-player-declares"
    ]
    given = [
        remedy
        for found in entries
        if found
        for ruling in found[0].rulings
        for remedy in ruling.remedies
    ]
    bars = {
        kind.id
        for kind in book().vocabulary.remedies
        if any(EFFECTS[e.id].bars or e.id == "end-doubling" for e in kind.effects)
    }
    return frozenset(remedy.provision for remedy in given if remedy.id in bars)
