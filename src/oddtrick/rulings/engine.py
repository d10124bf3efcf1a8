"""The ruling engine: finds the ruling of a code on an irregularity from the facts.

It asks only for facts that can change the ruling, and needs only the compiled lawbook.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain

from oddtrick.law import model, reading_choices
from oddtrick.law.address import Address
from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.cases import Facts, applying, combinations, decisive, facts_of, reached
from oddtrick.law.model import ChosenReading, Irregularity, Remedy
from oddtrick.law.model import Ruling as Ruling
from oddtrick.law.model import When as When
from oddtrick.law.rules import amended, replaced_by_options


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that can still change the ruling: its id, the question, and answers with words."""

    fact: str
    question: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Considered:
    """An exception with unmet conditions (`lacks`), or a general rule that gives way to one."""

    ruling: Ruling
    lacks: When = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a code provides for an irregularity, given certain facts.

    `kind` is `ruling`, `silent`, `absent` (it cannot arise) or `open` (it depends on `questions`,
    and `possible` lists the rulings). `facts` are those given or implied that matter; `idle` are
    those given that do not. `consulted` lists all facts on which the ruling may depend; `presumed`
    are the presumed facts that were decisive.
    """

    irregularity: str
    code: str
    options: tuple[str, ...]
    kind: str
    facts: tuple[tuple[str, str], ...] = ()
    idle: tuple[tuple[str, str], ...] = ()
    ruling: Ruling | None = None
    reason: str | None = None
    laws: tuple[Address, ...] = ()
    considered: tuple[Considered, ...] = ()
    exacting: tuple[model.Exaction, ...] = ()
    questions: tuple[Question, ...] = ()
    possible: tuple[Ruling, ...] = ()
    consulted: tuple[str, ...] = ()
    presumed: tuple[When, ...] = ()


class UnknownFact(LookupError):
    """Raised for an unknown irregularity, fact or answer; the message lists the known ones."""


def catalogue() -> Mapping[str, model.Irregularity]:
    """The irregularities by id, in the catalogue's order."""
    return book().irregularities


@cache
def call_name(rule: str, kind: str = "") -> str | None:
    """The irregularity that corresponds to a finding on a kind of call, or `None`.

    An irregularity specific to the kind of call, or to the side whose card it is, precedes a
    general one.
    """
    found = found_as(rule)
    of_kind = [item.id for item in found if kind in (*item.calls, item.side)]
    others = [item.id for item in found if not (item.calls or item.side)]
    return next(iter(of_kind + others), None)


@cache
def found_as(rule: str) -> tuple[Irregularity, ...]:
    """The irregularities of the catalogue that name a finding as the one that detects them."""
    return tuple(item for item in catalogue().values() if item.finding == rule)


def named_by(rule: str) -> str:
    """The id of the irregularity that a finding detects, if it detects only one."""
    return found_as(rule)[0].id


@cache
def arising_from(what: str) -> str:
    """The id of the irregularity whose cause (`arises_from` in the catalogue) is the one given."""
    return next(i.id for i in catalogue().values() if i.arises_from == what)


@cache
def if_corrected(name: str) -> str | None:
    """The irregularity that would have been reported if this one had been corrected in time.

    For an established revoke it is a revoke noticed in time; for most it is `None`.
    """
    return next((i.id for i in catalogue().values() if i.becomes == name), None)


def groups() -> tuple[tuple[str, str], ...]:
    """The groups of the catalogue: id and label, in order."""
    return tuple((g.id, g.label) for g in book().vocabulary.groups)


def answer(
    name: str,
    code: str,
    options: Iterable[str] = (),
    facts: Facts | None = None,
    presuming: bool = False,
) -> Answer:
    """What a code provides for an irregularity, given these facts; `presuming` presumes the others.

    Raises `UnknownFact` or `UnknownCode`.
    """
    given = tuple((f, _current(f, value)) for f, value in (facts or {}).items())
    return (_presuming if presuming else _answer)(name, code, tuple(options), given)


def _current(fact: str, value: str) -> str:
    """The answer to a fact, for a former one the answer that has replaced it."""
    known = book().facts.get(fact)
    return known.formerly.get(value, value) if known else value


def implied(name: str, given: Facts) -> dict[str, str]:
    """The facts given, completed with the answers that they imply for other facts."""
    known = catalogue()[name].facts
    follows = (book().facts[f].implies.get(v, {}) for f, v in given.items())
    return {f: v for more in follows for f, v in more.items() if f in known} | dict(given)


def presumed(name: str, given: Facts) -> dict[str, str]:
    """The facts given, and presumed answers for all other facts."""
    known = {f: book().facts[f].presumed for f in catalogue()[name].facts}
    return {f: v for f, v in known.items() if v} | implied(name, given)


Given = tuple[tuple[str, str], ...]
"""Facts with their answers."""


@lru_cache(MOST_CACHED)
def _presuming(name: str, code: str, options: tuple[str, ...], given: Given) -> Answer:
    _known(name, dict(given))
    every = presumed(name, dict(given))
    asked = {q.fact for q in _answer(name, code, options, given).questions} - {f for f, _ in given}
    decisive = tuple(((f, (v,)),) for f, v in every.items() if f in asked)
    return replace(_answer(name, code, options, tuple(every.items())), presumed=decisive)


@lru_cache(MOST_CACHED)
def _answer(name: str, code: str, options: tuple[str, ...], given: Given) -> Answer:
    _known(name, dict(given))
    taken = book().rules(code, options).options
    table = _table(name, code, taken)
    if table is None:
        why = "The code does not mention it."
        return Answer(name, code, taken, "silent", idle=given, reason=why)
    entry = table.entry
    for kind, reason in (("silent", entry.silent), ("absent", entry.absent)):
        if reason:
            laws = entry.provisions
            return Answer(name, code, taken, kind, idle=given, reason=reason, laws=laws)
    known = implied(name, dict(given))
    matter = {f: known[f] for f in table.facts if f in known}
    idle = tuple(
        (f, v)
        for f, v in given
        if matter.keys().isdisjoint((f, *book().facts[f].implies.get(v, ())))
    )
    left = {
        answers: case
        for answers, case in table.ruled.items()
        if all(f not in matter or matter[f] == v for f, v in zip(table.facts, answers, strict=True))
    }
    never = [when.items() for when in catalogue()[name].never]
    left = {
        answers: case
        for answers, case in left.items()
        if not any(when <= {*zip(table.facts, answers, strict=True)} for when in never)
    } or left  # contradictory facts are taken as they are given
    follows = (book().facts[f].implies.get(v, ()) for f, v in given if f in matter)
    derived = {*chain.from_iterable(follows)} - {f for f, _ in given}
    stated = tuple((f, v) for f, v in matter.items() if f not in derived)
    blank = Answer(name, code, taken, "open", stated, idle)
    blank = replace(blank, consulted=tuple(table.facts))
    possible = [table.rulings[p] for p in dict.fromkeys(left.values())]
    if len(possible) > 1:
        still = dict(zip(table.facts, map(set, zip(*left, strict=True)), strict=True))
        asked = ((book().facts[f], table.facts[f]) for f in decisive(left, table.facts))
        questions = (
            Question(f.id, f.question, tuple((v, f.values[v]) for v in of if v in still[f.id]))
            for f, of in asked
        )
        return replace(blank, questions=tuple(questions), possible=tuple(possible))
    (ruling,), answers = possible, next(iter(left))
    names = {r.chosen_by for r in ruling.remedies if not r.leave}
    exacted = frozenset(name for name in names if not chooser(name).exacts_nothing)
    every = dict(zip(table.facts, answers, strict=True))
    return replace(
        blank,
        kind="silent" if ruling.silent else "ruling",
        ruling=ruling,
        reason=ruling.silent,
        laws=ruling.laws,
        considered=tuple(_considered(ruling, table.rulings, entry, every)),
        exacting=exacting(code, catalogue()[name].group, exacted) if exacted else (),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """The entry in force: its facts, and the ruling for each combination of answers."""

    entry: model.Entry
    facts: Mapping[str, tuple[str, ...]]
    ruled: Mapping[tuple[str, ...], str]
    rulings: Mapping[str, Ruling]


@cache
def _table(name: str, code: str, options: tuple[str, ...]) -> _Table | None:
    found = book().entry(name, code, options)
    if found is None:
        return None
    cases = found[0].rulings
    item = catalogue()[name]
    facts = facts_of(cases, item)
    ruled = {tuple(c.values()): applying(cases, c)[0].id for c in combinations(facts) if cases}
    chain = book().chain(code)
    laws = {c.id: replaced_by_options(c.provisions, chain, options) for c in cases}
    remedies = {
        c.id: tuple(remedy_given(amended(r, chain, options), item) for r in c.remedies)
        for c in cases
    }
    rulings = {
        c.id: c._replace(provisions=laws[c.id], remedies=remedies[c.id], line=0) for c in cases
    }
    return _Table(found[0], facts, ruled, rulings)


def otherwise(found: Answer) -> tuple[tuple[ChosenReading, Answer], ...]:
    """Other choices of a ruling's readings that change it, each with its answer.

    Readings for which the options already contain a choice are skipped.
    """
    ruling = found.ruling
    return tuple(
        (one, other)
        for address in (ruling.readings if ruling else ())
        for one, other in _other_choices(found, address)
        if (other.kind, _remedies(other)) != (found.kind, _remedies(found))
    )


def relied_on(found: Answer) -> tuple[Address, ...]:
    """The readings that matter for a ruling on its facts.

    One does not matter if its other choices have entries of their own with the same outcome.
    """
    name, code, ruling = found.irregularity, found.code, found.ruling

    def matters(address: Address) -> bool:
        others = [other for _, other in _other_choices(found, address)]
        same = all(_outcome(other) == _outcome(found) for other in others)
        own = book().entry(name, code, found.options)
        return not same or all(book().entry(name, code, o.options) == own for o in others)

    return tuple(a for a in (ruling.readings if ruling else ()) if matters(a))


def _other_choices(found: Answer, address: Address) -> Iterator[tuple[ChosenReading, Answer]]:
    """Yield the other choices of a reading, each with its answer; none if one was chosen."""
    chain = book().chain(found.code)
    for one in reading_choices.others(book(), address, found.options, chain):
        with_it = (*found.options, one.written)
        yield one, answer(found.irregularity, found.code, with_it, dict(found.facts))


def _remedies(found: Answer) -> tuple[Remedy, ...]:
    return found.ruling.remedies if found.ruling else ()


def _outcome(found: Answer) -> tuple[object, ...]:
    ruling = found.ruling
    return found.kind, found.reason, ruling and (ruling.id, ruling.says), _remedies(found)


def _known(name: str, facts: Facts) -> None:
    if name not in catalogue():
        near = difflib.get_close_matches(name, list(catalogue()), n=3, cutoff=0.5)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise UnknownFact(
            f"there is no irregularity `{name}`{hint}. `oddtrick ruling --list` lists them"
        )
    known = catalogue()[name].facts
    for fact, value in facts.items():
        if fact not in known:
            listed = ", ".join(known) or "none"
            raise UnknownFact(
                f"`{fact}` does not matter for `{name}`; the facts that can matter are {listed}"
            )
        if value not in known[fact]:
            raise UnknownFact(
                f"`{value}` is not an answer to `{fact}`; the answers are {', '.join(known[fact])}"
            )


def _considered(
    ruling: Ruling, rulings: Mapping[str, Ruling], entry: model.Entry, answers: Facts
) -> Iterator[Considered]:
    """Yield exceptions to a ruling that do not apply, and general rules that give way to it."""
    cases = {c.id: c for c in entry.rulings}
    for name, case in cases.items():
        if name in reached(ruling.id, cases):
            lacks = tuple((f, v) for f, v in case.when if answers[f] not in v)
            yield Considered(rulings[name], lacks)
        elif ruling.id in reached(name, cases) and all(answers[f] in v for f, v in case.when):
            yield Considered(rulings[name])


def exacting(code: str, group: str, choosers: frozenset[str]) -> tuple[model.Exaction, ...]:
    """The general rules of a code on exacting a penalty that concern a group and some choosers."""
    chain = book().chain(code)
    owner = next((c for c in chain if c.exactions), chain[-1])
    return tuple(
        rule
        for rule in owner.exactions
        if group in (rule.groups or (group,)) and choosers & set(rule.choosers or choosers)
    )


def remedy_given(given: Remedy, item: Irregularity) -> Remedy:
    """A remedy of the law data, completed with its words, amount and effects.

    `item` is the irregularity that is ruled on.
    """
    number = book().amount(given)
    kind = next(r for r in book().vocabulary.remedies if r.id == given.id)
    many = item.many_cards and kind.plural
    words, may = (
        text.format(
            it=item.it,
            right=item.right,
            whose=chooser(given.whose).who if given.whose else "the offender",
            number=number if number is not None else "the",
            chooser=chooser(given.chosen_by).who,
        )
        for text in ((kind.plural, kind.plural_may) if many else (kind.label, kind.may))
    )
    return given._replace(
        words=words,
        may=may,
        number=number,
        effects=kind.effects,
        condones=kind.condones,
        closes=kind.closes,
        leave=kind.leave,
    )


def chooser(name: str) -> model.Chooser:
    """The chooser with an id: somebody who may choose a remedy, or to whom one applies."""
    return next(c for c in book().vocabulary.choosers if c.id == name)
