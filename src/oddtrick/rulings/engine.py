"""The ruling engine: what a code gives for an irregularity, from the facts on which its law turns.

A pure function of law data and facts: `answer` gives the ruling that applies, the exceptions that
were considered, the law on exacting it, or the questions whose answers it still needs. Only facts
that can change the ruling are asked for. Needs the compiled lawbook alone, so it runs in a browser
as well.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from oddtrick.law import model
from oddtrick.law import readings as picks
from oddtrick.law.address import Address
from oddtrick.law.book import MOST_CACHED, book, column_name
from oddtrick.law.cases import Facts, applying, combinations, facts_of, reached
from oddtrick.law.model import Chosen
from oddtrick.law.rules import in_stead

# --- what an answer is made of --------------------------------------------------------------------


NOT_OF_A_SIDE = ("nobody", "offender", "all-players", "any-player", "second-hand")
"""The choosers who exact nothing from the other side."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing the law gives: what, in words and by its id; who may choose it, until when, how
    long.

    Remedies of one `choice` are taken together; those without follow in any case. `number` is the
    amount that the law names, of points (in `column`), tricks or a limit. `whose` says on whom it
    falls, `effects` what it does.
    """

    id: str
    words: str
    chosen_by: str
    provision: Address
    choice: int | None = None
    whose: str | None = None
    demand: str | None = None
    lasts: str | None = None
    unless: str | None = None
    figure: str | None = None
    number: int | None = None
    column: str | None = None
    consult: str | None = None
    effects: tuple[model.Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling of a code: the facts it turns on, its laws, what it gives and gives way to."""

    id: str
    when: tuple[tuple[str, tuple[str, ...]], ...]
    provisions: tuple[Address, ...]
    remedies: tuple[Remedy, ...]
    silent: str | None
    says: str | None
    decisions: tuple[Address, ...]
    readings: tuple[Address, ...]
    gives_way: tuple[str, ...]

    @property
    def laws(self) -> tuple[Address, ...]:
        """Every address it rests on, decisions last, each once."""
        return tuple(
            dict.fromkeys(
                [*self.provisions, *(r.provision for r in self.remedies), *self.decisions]
            )
        )

    @property
    def always(self) -> tuple[Remedy, ...]:
        """What follows in any case."""
        return tuple(r for r in self.remedies if r.choice is None)

    @property
    def choices(self) -> tuple[tuple[Remedy, ...], ...]:
        """The alternatives among which somebody chooses."""
        numbers = sorted({r.choice for r in self.remedies if r.choice is not None})
        return tuple(tuple(r for r in self.remedies if r.choice == n) for n in numbers)


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that the ruling still turns on: its id, the question, the answers with their words."""

    fact: str
    question: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Considered:
    """A ruling that was considered beside the one that applies, and why it is not the one."""

    ruling: Ruling
    why: str


@dataclass(frozen=True, slots=True)
class Exacting:
    """A general rule on exacting penalties: what it is about, whether partners may consult, its
    laws.
    """

    about: str
    answer: str | None
    provisions: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a code says of an irregularity with these facts.

    `kind` is `ruling`, `silent` (the code gives nothing, `reason` says why), `absent` (it cannot
    arise) or `open` (it turns on `questions`; `possible` are the rulings it may come to). `facts`
    are those that were given and matter, `idle` those that were given and do not.
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
    exacting: tuple[Exacting, ...] = ()
    questions: tuple[Question, ...] = ()
    possible: tuple[Ruling, ...] = ()


class UnknownFact(LookupError):
    """No such irregularity, fact or answer; the message says which there are."""


# --- the engine -----------------------------------------------------------------------------------


def catalogue() -> Mapping[str, model.Irregularity]:
    """The irregularities by id, in the catalogue's order."""
    return book().irregularities


def remedies() -> tuple[str, ...]:
    """The ids of the remedies that a law can give."""
    return tuple(r.id for r in book().vocabulary.remedies)


def groups() -> tuple[tuple[str, str], ...]:
    """The groups of the catalogue: id and label, in order."""
    return tuple((g.id, g.label) for g in book().vocabulary.groups)


def limit_words(limit: str) -> str:
    """A limit of the vocabulary in words."""
    return next(i.label for i in book().vocabulary.limits if i.id == limit)


def chooser_words(chooser: str) -> str:
    """Who a chooser of the vocabulary is."""
    return _chooser(chooser).who


def _chooser(name: str) -> model.Chooser:
    return next(c for c in book().vocabulary.choosers if c.id == name)


def fact_words(fact: str, value: str) -> str:
    """An answer to a fact, in words that go on a sentence: `by an adversary of the declarer`."""
    return book().facts[fact].values[value]


def answer(name: str, code: str, options: Iterable[str] = (), facts: Facts | None = None) -> Answer:
    """What the code gives for an irregularity with these facts.

    Raises `UnknownFact` for an irregularity, a fact or an answer that does not exist, `UnknownCode`
    for a code or an option.
    """
    given = dict(facts or {})
    _known(name, given)
    return _answer(name, code, book().rules(code, options).options, tuple(given.items()))


@lru_cache(MOST_CACHED)
def _answer(
    name: str, code: str, taken: tuple[str, ...], given: tuple[tuple[str, str], ...]
) -> Answer:
    """The answer under a code with the options that are taken, to facts that are known ones."""
    table = _table(name, code, taken)
    if table is None:
        said = "The code does not speak of it."
        return Answer(name, code, taken, "silent", idle=given, reason=said)
    entry = table.entry
    for kind, reason in (("silent", entry.silent), ("absent", entry.absent)):
        if reason:
            laws = entry.provisions
            return Answer(name, code, taken, kind, idle=given, reason=reason, laws=laws)
    told = dict(given)
    matter = {f: told[f] for f in table.facts if f in told}
    idle = tuple((f, v) for f, v in given if f not in matter)
    left = {
        answers: case
        for answers, case in table.ruled.items()
        if all(f not in matter or matter[f] == v for f, v in zip(table.facts, answers, strict=True))
    }
    possible = list(dict.fromkeys(left.values()))
    if len(possible) > 1:
        return Answer(
            name,
            code,
            taken,
            "open",
            facts=tuple((f, v) for f, v in given if f in matter),
            idle=idle,
            questions=tuple(
                _question(f, table.facts[f]) for f in _decisive(left, table.facts, matter)
            ),
            possible=tuple(table.rulings[p] for p in possible),
        )
    blank = Answer(name, code, taken, "ruling", facts=tuple(matter.items()), idle=idle)
    return _ruled(blank, table, next(iter(left.items())))


def _ruled(blank: Answer, table: _Table, left: tuple[tuple[str, ...], str]) -> Answer:
    """The answer with the one ruling that is left, by answers to all facts of the table."""
    answers, case = left
    ruling = table.rulings[case]
    exacted = frozenset(r.chosen_by for r in ruling.remedies if _exacted(r))
    group = catalogue()[blank.irregularity].group
    every = dict(zip(table.facts, answers, strict=True))
    return replace(
        blank,
        kind="silent" if ruling.silent else "ruling",
        ruling=ruling,
        reason=ruling.silent,
        laws=ruling.laws,
        considered=tuple(_considered(ruling, table.rulings, table.entry, every)),
        exacting=exacting(blank.code, group, exacted) if exacted else (),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """The entry of an irregularity in force under a code, worked out.

    `facts` are those it turns on, with the answers that can occur, `ruled` has for every
    combination of the answers the case that applies, `rulings` the cases by id.
    """

    entry: model.Entry
    facts: Mapping[str, tuple[str, ...]]
    ruled: Mapping[tuple[str, ...], str]
    rulings: Mapping[str, Ruling]


@cache
def _table(name: str, code: str, options: tuple[str, ...]) -> _Table | None:
    """The table of an irregularity under a code; `None` where the code does not speak of it."""
    found = book().entry(name, code, options)
    if found is None:
        return None
    cases = found[0].rulings
    facts = facts_of(cases, catalogue()[name])
    ruled = {tuple(c.values()): applying(cases, c)[0].id for c in combinations(facts) if cases}
    chain = book().chain(code)
    laws = {c.id: in_stead(c.provisions, chain, options) for c in cases}
    rulings = {c.id: _ruling(replace(c, provisions=laws[c.id])) for c in cases}
    return _Table(found[0], facts, ruled, rulings)


def otherwise(found: Answer) -> tuple[tuple[Chosen, Answer], ...]:
    """What the other choices of the readings that a ruling rests on give, where it differs.

    A reading that is chosen is no doubt.
    """
    ruling, options, chain = found.ruling, found.options, book().chain(found.code)
    told = []
    for address in ruling.readings if ruling else ():
        reading = picks.reading_at(book(), address)
        if any(o.startswith(model.written(address, "")) for o in options):
            continue
        for choice in reading.choices:
            one = Chosen(reading, choice)
            if not picks.go_together(book(), (*options, one.written), chain):
                continue
            facts = dict(found.facts)
            other = answer(found.irregularity, found.code, (*options, one.written), facts)
            given = other.ruling.remedies if other.ruling else ()
            if one.otherwise and (other.kind, given) != (found.kind, ruling and ruling.remedies):
                told.append((one, other))
    return tuple(told)


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
                f"`{name}` does not turn on `{fact}`; facts that can matter: {listed}"
            )
        if value not in known[fact]:
            raise UnknownFact(
                f"`{value}` is no answer to `{fact}`; answers: {', '.join(known[fact])}"
            )


def _decisive(
    ruled: Mapping[tuple[str, ...], str], table: Mapping[str, tuple[str, ...]], known: Facts
) -> Iterator[str]:
    """The facts that are not known and can still change the ruling, in the catalogue's order.

    `ruled` are the combinations that what is known leaves.
    """
    for place, fact in enumerate(table):
        if fact not in known and any(
            ruled[key] != ruled[(*key[:place], value, *key[place + 1 :])]
            for key in ruled
            for value in table[fact]
        ):
            yield fact


def _question(fact: str, values: Iterable[str]) -> Question:
    data = book().facts[fact]
    return Question(fact, data.question, tuple((v, data.values[v]) for v in values))


def _considered(
    ruling: Ruling, rulings: Mapping[str, Ruling], entry: model.Entry, answers: Facts
) -> Iterator[Considered]:
    """The exceptions to the ruling that do not apply, and the general rules that give way to it."""
    cases = {c.id: c for c in entry.rulings}
    for name, case in cases.items():
        if name in reached(ruling.id, cases):
            lacking = tuple((f, v) for f, v in case.when.items() if answers[f] not in v)
            why = case_words(replace(rulings[name], when=lacking))
            yield Considered(rulings[name], f"an exception that does not apply: {why}")
        elif ruling.id in reached(name, cases) and all(
            answers[f] in v for f, v in case.when.items()
        ):
            yield Considered(rulings[name], "the general rule, which gives way to this one")


def exacting(code: str, group: str, choosers: frozenset[str]) -> tuple[Exacting, ...]:
    """The general rules of a code (or its base) on exacting that hold for a group of
    irregularities, where one of some choosers may exact the penalty.
    """
    chain = book().chain(code)
    owner = next((c for c in chain if c.exactions), chain[-1])
    return tuple(
        Exacting(rule.about, rule.answer, rule.provisions)
        for rule in owner.exactions
        if group in (rule.groups or (group,)) and choosers & set(rule.choosers or choosers)
    )


def _ruling(case: model.Case) -> Ruling:
    return Ruling(
        case.id,
        tuple(case.when.items()),
        case.provisions,
        tuple(_remedy(r) for r in case.remedies),
        case.silent,
        case.says,
        case.decisions,
        case.readings,
        case.gives_way,
    )


def _remedy(given: model.Remedy) -> Remedy:
    number = book().amount(given)
    kind = next(r for r in book().vocabulary.remedies if r.id == given.id)
    words = kind.label.format(
        whose=chooser_words(given.whose) if given.whose else "the offender",
        number=number if number is not None else "the",
        chooser=chooser_words(given.chosen_by),
    )
    return Remedy(
        given.id,
        words,
        given.chosen_by,
        given.provision,
        given.choice,
        given.whose,
        given.demand,
        given.lasts,
        given.unless,
        given.figure,
        number,
        given.column,
        given.consult,
        kind.effects,
    )


# --- in words -------------------------------------------------------------------------------------


def case_words(ruling: Ruling) -> str:
    """When a ruling holds: `by an adversary of the declarer, and nobody has played to it`.

    `as a rule` where it turns on nothing.
    """
    return when_words(ruling.when)


def when_words(when: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """The same of the facts alone."""
    said = []
    for fact, values in when:
        first, *rest = (fact_words(fact, v) for v in values)
        said.append(" or ".join([first, *(r.removeprefix("and ") for r in rest)]))
    return ", ".join(said).removeprefix("and ") or "as a rule"


def finding_words(found: Answer) -> str:
    """What happened, in a sentence.

    `A player leads when another has the lead: by an adversary of the declarer.`
    """
    meaning = catalogue()[found.irregularity].meaning.removesuffix(".")
    said = ", ".join(fact_words(f, v) for f, v in found.facts).removeprefix("and ")
    return f"{meaning}: {said}." if said else f"{meaning}."


def remedy_words(remedy: Remedy) -> str:
    """What a remedy gives and how long: `the partner is barred, until an adversary bids or
    doubles`.
    """
    own = remedy.provision.code
    column = f" in the {column_name(remedy.column, own)}" if remedy.column and remedy.figure else ""
    lasts = f", {limit_words(remedy.lasts)}" if remedy.lasts else ""
    unless = f", unless {limit_words(remedy.unless)}" if remedy.unless else ""
    return f"{remedy.words}{column}{lasts}{unless}"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of an answer, and the laws that they rest on."""

    words: str
    laws: tuple[Address, ...] = ()


def who_words(remedies: tuple[Remedy, ...]) -> str:
    """Who may choose and until when: `either opponent of the offender, before one of them bids`."""
    first = remedies[0]
    demand = f", {limit_words(first.demand)}" if first.demand else ""
    return chooser_words(first.chosen_by) + demand


def ruling_pieces(ruling: Ruling) -> tuple[Piece, ...]:
    """A ruling in one line: what follows, the choices, who chooses; each with its laws."""
    if ruling.silent:
        return (Piece(ruling.silent),)
    out: list[Piece] = []

    def add(remedies: Sequence[Remedy], before: str) -> None:
        said = " and ".join(remedy_words(r) for r in remedies)
        out.append(
            Piece(
                (before if out else "") + said, tuple(dict.fromkeys(r.provision for r in remedies))
            )
        )

    always = [r for r in ruling.always if r.chosen_by == "nobody"]
    if always:
        add(always, "")
    for remedy in ruling.always:
        if remedy.chosen_by != "nobody":
            add((remedy,), "; and ")
            out.append(Piece(asked_words((remedy,))))
    for number, choice in enumerate(ruling.choices):
        add(choice, "; or " if number else "; and ")
    if ruling.choices:
        out.append(Piece(asked_words(ruling.choices[0])))
    return tuple(out)


def ruling_words(ruling: Ruling) -> str:
    """A ruling in one line, with its laws: `a new deal (auction-1912:49), anybody may ask`."""
    return "".join(
        p.words + (f" ({', '.join(p.laws)})" if p.laws else "") for p in ruling_pieces(ruling)
    )


def asked_words(remedies: Sequence[Remedy]) -> str:
    """Who must ask for a remedy and until when: `, if the declarer demands it, before he plays`.

    Nothing where it follows by itself. Who it is is left out where the remedy itself says so: `the
    declarer may put it right`.
    """
    first = remedies[0]
    if first.chosen_by == "nobody":
        return ""
    said = "" if len(remedies) == 1 and _says_who(first) else f", {_chooser(first.chosen_by).label}"
    return said + (f", {limit_words(first.demand)}" if first.demand else "")


def _says_who(remedy: Remedy) -> bool:
    who, said = chooser_words(remedy.chosen_by), remedy_words(remedy)
    return said.startswith(f"{who} may ") or f" if {who} consents" in said


def _exacted(remedy: Remedy) -> bool:
    """Whether a side exacts a remedy from the other.

    It does not follow by itself, is not for all to agree on or for anybody to ask, and is no leave
    or consent to put something right.
    """
    return remedy.chosen_by not in NOT_OF_A_SIDE and not _says_who(remedy)


def as_json(found: Answer) -> dict[str, object]:
    """An answer as JSON: codes, options, kind, facts, remedies, laws, exceptions considered,
    questions.
    """
    ruling, chosen = found.ruling, picks.choices_of(found.options)
    return {
        "irregularity": found.irregularity,
        "code": found.code,
        "options": list(picks.options_of(found.options)),
        **({"chosen": list(chosen)} if chosen else {}),
        "kind": found.kind,
        "facts": dict(found.facts),
        "facts_that_do_not_matter": dict(found.idle),
        "finding": finding_words(found),
        "reason": found.reason,
        "ruling": _ruling_json(ruling) if ruling else None,
        "laws": list(found.laws),
        "considered": [{"ruling": _ruling_json(c.ruling), "why": c.why} for c in found.considered],
        "exacting": [
            {"about": e.about, "answer": e.answer, "laws": list(e.provisions)}
            for e in found.exacting
        ],
        "questions": [
            {"fact": q.fact, "question": q.question, "answers": dict(q.answers)}
            for q in found.questions
        ],
        "possible": [_ruling_json(r) for r in found.possible],
        "what_if": [
            {"choice": one.written, "ruling": _ruling_json(other.ruling) if other.ruling else None}
            for one, other in otherwise(found)
        ],
    }


def _ruling_json(ruling: Ruling) -> dict[str, object]:
    return {
        "id": ruling.id,
        "when": {f: list(v) for f, v in ruling.when},
        "says": ruling.says,
        "silent": ruling.silent,
        "remedies": [
            {
                "remedy": r.id,
                "words": remedy_words(r),
                "choice": r.choice,
                "chosen_by": r.chosen_by,
                "until": r.demand,
                "lasts": r.lasts,
                "whose": r.whose,
                "number": r.number,
                "column": r.column,
                "consult": r.consult,
                "law": r.provision,
            }
            for r in ruling.remedies
        ],
        "laws": list(ruling.laws),
        "decisions": list(ruling.decisions),
        "readings": list(ruling.readings),
    }
