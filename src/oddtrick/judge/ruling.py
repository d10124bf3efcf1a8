"""The ruling on a case: what the law gives, what was lawfully chosen, and what is had of it.

The walk through the calls rules on each as it goes on; the whole record is ruled on when it is
known. Both ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from oddtrick.judge.effects import BARS, had
from oddtrick.judge.facts import Case
from oddtrick.judge.finding import When
from oddtrick.judge.remedy_words import AMOUNT, amount_of, effects_of, remedy_of
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling

EXPOSED = ("card", "partners-card")
"""Demands of cards that lie exposed."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A case with the answer of the law, and with the rulings on other laws that it points to.

    `chosen` is the remedy that was lawfully chosen, `lost` the law that takes the right away,
    `claimed` that it does so of what was claimed in time,
    `kept` that by which a demand stands which the law does not give,
    `by_demand` the law by which a demand that is refused takes it away, `presumed` what was
    presumed and decides: answers to facts, together where one ruling needs them together.
    """

    case: Case
    answer: Answer
    further: tuple[Ruling, ...] = ()
    chosen: str | None = None
    lost: tuple[str, ...] = ()
    claimed: bool = False
    kept: tuple[str, ...] = ()
    by_demand: tuple[str, ...] = ()
    presumed: tuple[When, ...] = ()

    @property
    def possible(self) -> tuple[Ruling, ...]:
        """The rulings of which one applies."""
        return (self.answer.ruling,) if self.answer.ruling else self.answer.possible

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling that may apply."""
        return self.possible + self.further

    @property
    def had(self) -> tuple[Remedy, ...]:
        """The remedies that are had; where the facts leave more than one ruling, by all of them."""
        incident = self.case.incident
        if self.lost or (incident and incident.waived_by):
            return ()
        every = [had(r, self.chosen) for r in self.possible]
        own = [r for given in every for r in given if all(_alike(r, other) for other in every)]
        more = [r for ruling in self.further for r in had(ruling, self.chosen)]
        return tuple(dict.fromkeys((*own, *more)))

    @property
    def named(self) -> Remedy | None:
        """The remedy of the rulings that the record names.

        By its own words, or by those of another that demands the same of the cards; a number alone
        is that of the remedy whose own it is, or is nearest to it.
        """
        words = self.case.incident.remedy if self.case.incident else None
        if not words:
            return None
        given = [r for ruling in self.rulings for r in ruling.remedies]
        demanded = {e.of for e in effects_of(words) if e.id == "demand"}
        demanded |= set(EXPOSED) if "card" in demanded else set()
        same = next((r for r in given if demanded & {e.of for e in r.effects}), None)
        return _given_as(words, given) or same or _nearest(words, given)


def _alike(remedy: Remedy, given: Iterable[Remedy]) -> bool:
    """Whether some remedies have one of the same kind, amount and player, by whatever law."""
    kind = (remedy.id, remedy.number, remedy.whose)
    return any((r.id, r.number, r.whose) == kind for r in given)


def _given_as(words: str, given: Iterable[Remedy]) -> Remedy | None:
    """The one of some remedies that words name: by its words, or a number alone by its number."""
    name, said = remedy_of(words)
    if name is None and AMOUNT.fullmatch(said):
        return next((r for r in given if r.number == int(said)), None)
    return next((r for r in given if r.id == name), None)


def _nearest(words: str, given: Iterable[Remedy]) -> Remedy | None:
    """The one of some remedies whose number is nearest to a number alone."""
    name, said = remedy_of(words)
    if name or not AMOUNT.fullmatch(said):
        return None
    near = [(abs(r.number - int(said)), r) for r in given if r.number is not None]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def rule(
    case: Case,
    law: Rules,
    roles: Roles,
    as_another: Callable[[str], Mapping[str, str]] | None = None,
) -> Ruled:
    """The ruling on a case, with the remedy that was lawfully chosen.

    `as_another` gives the facts of an irregularity as which it may be punished.
    """

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
    likely = _given_by_one(case, answer, another) if as_another else None
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
    words = case.incident.remedy if case.incident else None
    if chosen and may_choose(chosen, case, roles) and not wrong_amount(chosen, words or ""):
        return replace(ruled, chosen=chosen.id)
    if chosen and "accepted" in case.facts:  # it was not for him to accept or to refuse
        open_ = {f: v for f, v in case.facts.items() if f != "accepted"}
        return replace(rule(replace(case, facts=open_), law, roles, as_another), case=case)
    return ruled


def _given_by_one(
    case: Case, answer: Answer, another: Callable[[Ruling], list[Ruling]]
) -> Ruling | None:
    """The one of the possible rulings that gives what was chosen: it is presumed to apply."""
    words = case.incident.remedy if case.incident else None
    giving = [
        ruling
        for ruling in answer.possible
        if words and _given_as(words, [r for g in (ruling, *another(ruling)) for r in g.remedies])
    ]
    return giving[0] if len(giving) == 1 else None


def wrong_amount(remedy: Remedy, words: str) -> int | None:
    """The number that a record's words give for a remedy, where the law gives another."""
    amount = amount_of(words)
    return None if remedy.number in (None, amount) else amount


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
    return {f: v for f, v in known.items() if v} | dict(facts)


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
        if any((e.id, e.of) in BARS or e.id == "end-doubling" for e in kind.effects)
    }
    return frozenset(remedy.provision for remedy in given if remedy.id in bars)
