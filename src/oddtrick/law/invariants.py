"""Checks the law data beyond its schemas: one function for each condition, all in `INVARIANTS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from oddtrick.law.address import Address
from oddtrick.law.figures import NUMBERS, flat, matches, whole_numbers
from oddtrick.law.irregularities import ruling_problems
from oddtrick.law.lawbook import Book
from oddtrick.law.model import AMOUNTS, ChosenReading, Code, Figure, Provision, Reading
from oddtrick.law.problems import Problem, nearest, repeated
from oddtrick.law.rules import clauses, displaced, in_force, is_in_force
from oddtrick.law.schema import lacking, shapes

Invariant = Callable[[Book], Iterable[Problem]]

Place = tuple[str, int]  # a file and a line


# --- addresses ------------------------------------------------------------------------------------


def addresses_are_unique(book: Book) -> Iterator[Problem]:
    """No two laws, and no two provisions, have the same address."""
    for code in book.codes:
        items: tuple[Iterable[Any], ...] = code.laws, code.provisions
        address = attrgetter("address")
        for item, first in (pair for each in items for pair in repeated(each, address)):
            yield _at(item, f"`{address(item)}` occurs twice; first at {_place(first)}.")


Name = tuple[str, str, Collection[str], Place]
"""The kind of an item, its name, the known names, and the file and line."""


def names_exist(book: Book) -> Iterator[Problem]:
    """Every name used exists, whether an address, an edition, a choice or an answer."""
    provisions = dict.fromkeys(_provisions(book))
    known: dict[str, None] = {**provisions}
    for code in book.codes:
        known |= dict.fromkeys(law.address for law in code.laws)
        known |= dict.fromkeys(reading.address for reading in code.readings)
    names = [name for code in book.codes for name in _named_by(code, book, known)]
    for what, name, there, (file, line) in (*names, *_listed(book, known, provisions)):
        if name not in there:
            message = f"{what} does not exist: `{name}`.{nearest(name, list(there))}"
            yield Problem(file, line, message)


def _addresses(item: Any, place: Place) -> Iterator[tuple[Address, Place]]:
    """Yield every address in a typed object, with the file and line of the enclosing item."""
    if isinstance(item, Address):
        yield item, place
    elif isinstance(item, tuple | Mapping):
        own = getattr(item, "file", place[0]), getattr(item, "line", place[1])
        for part in item.values() if isinstance(item, Mapping) else item:
            yield from _addresses(part, own)


def _named_by(code: Code, book: Book, known: Collection[str]) -> Iterator[Name]:
    """Yield every name that a code uses; `known` are the addresses of all codes."""
    words, place = book.vocabulary, code.places["code"]
    for address, at in _addresses(code._replace(settled={}), place):
        yield "the address", address, known, at
    for key, address in code.settled.items():
        yield "the place of the settled reading", address, known, code.places[f"settled {key}"]
    for key, laws in code.findings.items():
        for law in laws:
            yield "the law of the finding", law, known, code.places[f"finding {key}"]
    numbers = [law.number for law in code.laws]
    for part in code.parts:
        yield f"the first law of the part `{part.label}`", part.first, numbers, place
    editions = [e.id for e in code.editions]
    for item in code.provisions:
        for variant in item.variants:
            yield "the edition", variant.edition, editions, (item.file, item.line)
    rules = [*(p.id for p in words.procedures), *(f.id for f in words.figures)]
    for reading in code.readings:
        at = reading.file, reading.line
        yield "the applied choice", reading.applied, [c.id for c in reading.choices], at
        for name in (name.partition(".")[0] for c in reading.choices for name in c.absent):
            yield "the rule that a choice removes", name, rules, at
    others = {
        r.id if owner is code else f"{owner.id}:{r.id}": [
            c.id for c in r.choices if c.id != r.applied
        ]
        for owner in book.chain(code.id)
        for r in owner.readings
    }
    for entry in code.entries:
        for name, choice in entry.reading.items():
            at = entry.file, entry.line
            yield "the reading", name, others, at
            yield f"the other choice of `{name}`", choice, others.get(name, [choice]), at


def _listed(book: Book, known: Collection[str], provisions: Collection[str]) -> Iterator[Name]:
    """Yield every address and every answer to a fact that the shared files name."""
    for story in book.data["stories"]:
        for address in story["laws"]:
            yield "the law of the story", address, known, (story.file, story.line)
    for step in book.data["evenings"]:
        for sentence in step["sentences"]:
            for address in (a for laws in sentence["laws"].values() for a in laws):
                yield "the law of an evening", address, provisions, (step.file, step.line)
    words = book.data["vocabulary"]
    answers = [(cue, cue["fact"], [cue["value"]]) for cue in book.data["tellings"]["cues"]]
    answers += [(item, *of) for item in words["irregularities"] for of in item["facts"].items()]
    for item in words["irregularities"]:
        answers += [(item, fact, [value]) for fact, value in item.get("shows", {}).items()]
    for fact in words["facts"]:
        implied = fact.get("implies", {})
        current = fact.get("formerly", {}).values()
        answers.append(
            (fact, fact["id"], [*current, *implied, fact.get("presumed", *[*fact["values"]][:1])])
        )
        answers += [(fact, f, [v]) for others in implied.values() for f, v in others.items()]
        answers += [(fact, fact["id"], values) for values in fact.get("together", {}).values()]
    for item, fact, values in answers:
        for value in values:
            known = book.facts[fact].values
            yield f"the answer to `{fact}`", value, known, (item.file, item.line)


# --- codes ----------------------------------------------------------------------------------------


def passages_are_of_their_kind(book: Book) -> Iterator[Problem]:
    """A code has passages of each kind that it declares, and a word means only one kind."""
    kind_of_word: dict[tuple[bool, str], str] = {}
    for code in book.codes:
        first = {law.number.partition(".")[0] for law in code.laws if "." in law.number}
        last = {p.at.rpartition(".")[2] for p in code.provisions}
        for kind in code.passages:
            if kind.id not in (last if kind.attached else first):
                yield _of_code(code, f"has no passage of the kind `{kind.id}`.")
            for word in kind.said:
                other = kind_of_word.setdefault((kind.attached, word), kind.id)
                if other != kind.id:
                    message = (
                        f"`{word}` names both `{kind.id}` and `{other}`, which are different kinds."
                    )
                    yield _of_code(code, message)


def readings_are_unique(book: Book) -> Iterator[Problem]:
    """No two readings in force have the same id, unless one replaces a reading of the base."""
    for code in book.codes:
        chain = book.chain(code.id)
        gone = displaced(chain)
        seen: dict[str, Reading] = {}
        for owner in chain:
            for reading in owner.readings:
                first = seen.setdefault(reading.id, reading)
                replaced = not any(is_in_force(place, gone) for place in reading.places)
                if first is reading or (owner is not code and replaced):
                    continue
                second, other = (reading, first) if owner is code else (first, reading)
                yield _at(second, f"`{reading.id}` is a reading already, at {_place(other)}.")


def readings_are_applied_or_settled(book: Book) -> Iterator[Problem]:
    """A settled reading is no longer listed, and an applied choice has no rules of its own."""
    for code in book.codes:
        for reading in code.readings:
            if reading.id in code.settled:
                message = f"`{reading.id}` is settled, but is still among the readings."
                yield Problem(*code.places[f"settled {reading.id}"], message)
            for choice in (c for c in reading.choices if c.id == reading.applied):
                if choice.procedures or choice.figures or choice.absent:
                    message = (
                        f"`{choice.id}` is the choice applied: state its consequences at the "
                        "reading."
                    )
                    yield _at(reading, message)


# --- figures, procedures, topics, findings --------------------------------------------------------


def rules_are_stated_once(book: Book) -> Iterator[Problem]:
    """A code or option states each cell of a figure, and each choice of procedure, at most once."""
    many = {f.id for f in book.vocabulary.figures if f.many}
    for code in book.codes:
        seen: dict[tuple[str | None, str], tuple[Provision, str]] = {}
        for item in code.provisions:
            stated = dict.fromkeys(_cells(item, many), item.address)
            for name, value in (stated | dict(item.procedures)).items():
                first, same = seen.setdefault((item.option, name), (item, value))
                if value != same:
                    where = f"in {code.id}; first at {_place(first)}"
                    yield _at(item, f"`{name}` occurs twice {where}.")


def figures_agree_with_the_text(book: Book) -> Iterator[Problem]:
    """The numbers of a figure occur in its provision, in digits or in words.

    A number that the provision implies, such as 7 for "all the tricks", need not occur if the
    figures include every number that the provision prints in digits; 0 and 1 need never occur.
    """
    for item in (p for code in book.codes for p in code.provisions if p.figures):
        printed = set(map(int, _numbers(item.text)))
        words = re.findall(r"[a-z]+", item.text.lower())
        present = {0, 1, *printed, *(n for n, word in enumerate(NUMBERS) if word in words)}
        stated = {name: whole_numbers(value) for name, value in item.figures.items()}
        if other := printed.difference(*stated.values()):
            listed = ", ".join(map(str, sorted(other)))
            for name, number in ((k, n) for k, found in stated.items() for n in found - present):
                yield _at(item, f"`{name}` has {number}, but the text has {listed} instead.")


def overridden_laws_are_named(book: Book) -> Iterator[Problem]:
    """A code that changes the value of a rule of its base displaces or amends the base's law."""
    many = {f.id for f in book.vocabulary.figures if f.many}
    for code in book.codes:
        _, *bases = chain = book.chain(code.id)
        gone = displaced(chain)
        inherited: list[tuple[str, Address, object]] = [
            (name, law.address, value)
            for law in (p for base in bases for p in base.provisions if not p.option)
            if is_in_force(law.address, gone)
            for name, value in {**_cells(law, many), **law.procedures}.items()
        ]
        for item in (p for p in code.provisions if not p.option):
            for name, value in {**_cells(item, many), **item.procedures}.items():
                for other, address, was in inherited:
                    named = any(address.within(a) for a in item.amends)
                    if value != was and not named and _overlap(name, other):
                        why = f"`{name}` differs from `{address}`, which is in force"
                        yield _at(item, f"{why}: list it under `displaces` or `amends`.")


def _overlap(name: str, other: str) -> bool:
    """Whether one of two cells includes the other: `undertrick.doubled` includes
    `undertrick.vulnerable.doubled`.
    """
    (rule, _, cell), (of, _, below) = name.partition("."), other.partition(".")
    return rule == of and (matches(cell, below) or matches(below, cell))


def _cells(item: Provision, many: Collection[str]) -> dict[str, Figure]:
    """The cells of the figures that a provision states, by name, without figures in `many`."""
    figures = {n: flat(value) for n, value in item.figures.items() if n not in many}
    return {f"{n}.{c}" if c else n: v for n, own in figures.items() for c, v in own.items()}


def figures_are_complete(book: Book) -> Iterator[Problem]:
    """Under each code, option and choice of reading, every figure in force has all its cells."""
    words, known = book.vocabulary, shapes(book.data["vocabulary"])
    shape_of = {f.id: known[f.shape] for f in words.figures}
    for code in book.codes:
        chain = book.chain(code.id)
        seen: set[tuple[str, str]] = set()
        others = [ChosenReading(r, c) for r in code.readings for c in r.choices]
        chosen = [c for c in others if c.choice.procedures or c.choice.figures]
        options: list[tuple[str | None, list[ChosenReading]]] = [(None, [])]
        options += [(o.id, []) for o in code.options] + [(None, [c]) for c in chosen]
        for option, choices in options:
            found, _ = clauses(chain, [option] if option else [], words, choices)
            for name in (n for n in found if n in shape_of):
                for cell in lacking(found[name].value, shape_of[name]):
                    if (name, cell) not in seen:
                        seen.add((name, cell))
                        file, line = code.places[f"option {option}" if option else "code"]
                        message = f"`{name}` has no cell `{cell}`: state it in a provision."
                        yield Problem(file, line, message)


UNSAID = {
    "topics": "no provision covers the topic `{}`: state under `topics` whether the code is silent "
    "or the topic does not arise.",
    "rules": "does not cover `{}`: state it in a provision, or the reason under `absent`.",
    "findings": "names no law for the finding `{}` (findings.yaml).",
}


def codes_cover_everything(book: Book) -> Iterator[Problem]:
    """A code, with its base, covers each topic, rule and finding, or states why it does not.

    A rule is a figure or a procedure. A code that is not judged needs only the topics.
    """
    words = book.vocabulary
    wanted = {
        "rules": [
            *(p.id for p in words.procedures if not p.absent),
            *(f.id for f in words.figures if not f.many),
        ],
        "findings": [f.id for f in words.findings if not f.id.endswith("-code")],
        "topics": [t.id for t in words.topics],
    }
    for code in book.codes:
        had: dict[str, set[str]] = {kind: set() for kind in wanted}
        chain = book.chain(code.id)
        gone = displaced(chain)
        for layer in chain:
            had["topics"].update(layer.topics, *(p.topics for p in layer.provisions))
            had["findings"].update(layer.of_findings)
            had["rules"].update(layer.absent)
            stating: list[Provision | Reading] = [
                p for p in layer.provisions if not p.option and is_in_force(p.address, gone)
            ]
            for item in [*stating, *layer.readings]:
                had["rules"].update(item.procedures, item.figures)
        for kind in wanted if code.judged else ("topics",):
            for name in (n for n in wanted[kind] if n not in had[kind]):
                yield _of_code(code, UNSAID[kind].format(name))


def covered_topics_are_not_silent(book: Book) -> Iterator[Problem]:
    """A code that covers a topic does not state that it is silent on it."""
    for code in book.codes:
        treated = {t for p in code.provisions for t in p.topics}
        for topic in (t for t in code.topics if t in treated):
            yield _of_code(code, f"`{topic}` is under `topics`, but a provision covers it.")


def inherited_laws_are_in_force(book: Book) -> Iterator[Problem]:
    """The rulings and findings that a code inherits from its base rest on laws in force."""
    for code in book.codes:
        chain = book.chain(code.id)
        if len(chain) == 1:
            continue
        gone = displaced(chain)
        for what, address in _inherited(chain):
            if not is_in_force(address, gone):
                why = f"inherits {what}, which names `{address}`, a displaced law: write its own"
                yield _of_code(code, f"{why} or, if only a figure changes, list it under `amends`.")


def _inherited(chain: Sequence[Code]) -> Iterator[tuple[str, Address]]:
    """Yield each law that an unconditional ruling, finding or rule names, with what names it."""
    seen: set[str] = set()
    for owner in chain:
        general = [e for e in owner.entries if not (e.option or e.reading)]
        for entry in (e for e in general if e.irregularity not in seen):
            seen.add(entry.irregularity)
            named = _addresses(entry, (entry.file, entry.line))
            yield from ((f"the ruling on `{entry.irregularity}`", a) for a, _ in named)
        for name in (n for n in owner.of_findings if n not in seen):
            seen.add(name)
            yield from ((f"the finding `{name}`", a) for a in owner.findings.get(name, ()))
    exacted = next((owner.exactions for owner in chain if owner.exactions), ())
    yield from (("a rule on penalties", a) for rule in exacted for a in rule.provisions)


def amounts_exist(book: Book) -> Iterator[Problem]:
    """If a ruling takes an amount from a provision, the provision has a figure for it."""
    figures = {a: p.figures for a, p in _provisions(book).items()}
    for entry in (e for code in book.codes for e in code.entries):
        for case in entry.rulings:
            for kind, address in ((r.figure, r.provision) for r in case.remedies if r.figure):
                if address in figures and not figures[address].keys() & set(AMOUNTS[kind]):
                    message = f"`{address}` has no figure for the {kind} of the ruling"
                    yield Problem(entry.file, case.line, f"{message} `{case.id}`.")


# --- the catalogue --------------------------------------------------------------------------------


def effects_have_valid_objects(book: Book) -> Iterator[Problem]:
    """An effect of a remedy has one of the objects that the catalogue lists for it."""
    known = {e.id: e.of for e in book.vocabulary.effects}
    for remedy in book.data["vocabulary"]["remedies"]:
        for effect in remedy["effects"]:
            kind, of = effect["effect"], effect.get("of")
            if of not in (known[kind] or [None]):
                wrong = f"is of `{of}`" if of else "lacks `of`"
                listed = ", ".join(known[kind])
                can = f"`of` can be {listed}" if listed else "it takes no `of`"
                message = f"the effect `{kind}` of `{remedy['id']}` {wrong}; {can}."
                yield _at(remedy, message)


def catalogue_items_are_used(book: Book) -> Iterator[Problem]:
    """Ids are unique within a list; each fact and each effect is used.

    No two irregularities arise from the same event.
    """
    words = book.vocabulary
    used = {
        "facts": {fact for item in words.irregularities for fact in item.facts},
        "effects": {effect.id for remedy in words.remedies for effect in remedy.effects},
    }
    whose = {"facts": "irregularity depends on the fact", "effects": "remedy has the effect"}
    for part in CATALOGUE:
        items = book.data["vocabulary"][part]
        for item, _ in repeated(items, lambda item: item["id"]):
            yield _at(item, f"`{item['id']}` occurs twice under `{part}`.")
        for item in (i for i in items if part in used and i["id"] not in used[part]):
            yield _at(item, f"no {whose[part]} `{item['id']}`.")
    arising = [i for i in book.data["vocabulary"]["irregularities"] if "arises_from" in i]
    for item, first in repeated(arising, lambda item: item["arises_from"]):
        message = f"`{item['id']}` and `{first['id']}` both arise from `{item['arises_from']}`."
        yield _at(item, message)


CATALOGUE = ("groups", "facts", "irregularities", "remedies", "effects", "choosers", "limits")


# --- stories and words ----------------------------------------------------------------------------


def topics_have_stories(book: Book) -> Iterator[Problem]:
    """If there are stories, every topic has exactly one, and they follow the order of topics."""
    topics = [t.id for t in book.vocabulary.topics]
    stories = book.data["stories"]
    seen: list[str] = []
    for story in stories:
        topic = story["topic"]
        if topic in seen:
            yield _at(story, f"the topic `{topic}` has a story already.")
        elif seen and topics.index(topic) < topics.index(seen[-1]):
            yield _at(story, f"the story of `{topic}` must come before that of `{seen[-1]}`.")
        seen.append(topic)
    for topic in (t for t in topics if stories and t not in seen):
        yield Problem(stories[0].file, 1, f"the topic `{topic}` has no story.")


def stories_rest_on_their_laws(book: Book) -> Iterator[Problem]:
    """A story's laws are in order; one covers its topic, and together they contain its numbers."""
    provisions = _provisions(book)
    years = {year for c in book.codes for year in (c.date[:4], *(e.id for e in c.editions))}
    for story in book.data["stories"]:
        laws = [provisions[a] for a in story["laws"] if a in provisions]
        of = f"the story of `{story['topic']}`"
        places = [book.ids.index(p.address.code) for p in laws]
        if places != sorted(places):
            yield _at(story, f"the laws of {of} are not in the order of the codes.")
        if laws and not any(story["topic"] in p.topics for p in laws):
            yield _at(story, f"no law that {of} names is on that topic.")
        for number in _numbers(story["text"]):
            if number not in {*_numbers_in(laws), *years}:
                yield _at(story, f"no law that {of} names has the number {number}.")


def evenings_rest_on_their_laws(book: Book) -> Iterator[Problem]:
    """The laws of an evening's sentence are in force under its code and contain its numbers."""
    provisions = _provisions(book)
    valid = {code.id: frozenset(in_force(book.chain(code.id))) for code in book.codes}
    for step in book.data["evenings"]:
        for sentence in step["sentences"]:
            quoted = f"`{' '.join(sentence['text'].split()[:6])} …`"
            for name, addresses in sentence["laws"].items():
                laws = [provisions[a] for a in addresses if a in provisions]
                numbers = _numbers_in(laws)
                for address in (p.address for p in laws if p.address not in valid.get(name, ())):
                    message = f"the law `{address}` of {quoted} is not in force under {name}."
                    yield _at(step, message)
                for number in (n for n in _numbers(sentence["text"]) if n not in numbers):
                    message = f"no law of {name} cited for {quoted} has the number {number}."
                    yield _at(step, message)


def phrases_are_unique(book: Book) -> Iterator[Problem]:
    """A player's phrase occurs in only one entry of words.yaml."""
    words = [(word, entry) for entry in book.data["vocabulary"]["words"] for word in entry["for"]]
    for (word, entry), (_, first) in repeated(words, lambda pair: pair[0]):
        yield _at(entry, f"`{word}` occurs twice; first at line {first.line}.")


# --- all of them ----------------------------------------------------------------------------------

INVARIANTS: tuple[Invariant, ...] = (
    addresses_are_unique,
    passages_are_of_their_kind,
    names_exist,
    readings_are_unique,
    readings_are_applied_or_settled,
    amounts_exist,
    inherited_laws_are_in_force,
    rules_are_stated_once,
    figures_agree_with_the_text,
    overridden_laws_are_named,
    codes_cover_everything,
    covered_topics_are_not_silent,
    figures_are_complete,
    effects_have_valid_objects,
    catalogue_items_are_used,
    ruling_problems,
    topics_have_stories,
    stories_rest_on_their_laws,
    evenings_rest_on_their_laws,
    phrases_are_unique,
)
"""All conditions, in the order in which violations are reported."""


# --- helpers --------------------------------------------------------------------------------------


def _provisions(book: Book) -> dict[str, Provision]:
    return {p.address: p for code in book.codes for p in code.provisions}


def _at(item: Any, message: str) -> Problem:
    return Problem(item.file, item.line, message)


def _of_code(code: Code, message: str) -> Problem:
    return Problem(*code.places["code"], message)


def _place(item: Any) -> str:
    return f"{item.file}:{item.line}"


def _numbers_in(laws: Iterable[Provision]) -> list[str]:
    return [n for law in laws for n in _numbers(f"{law.text} {law.figures}")]


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)
