"""A lawbook as typed objects: the codes, the vocabulary and the parallels."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from oddtrick.law import model
from oddtrick.law.address import Address
from oddtrick.law.cases import merged_entry
from oddtrick.law.fill import fill
from oddtrick.law.model import Code, Json, UnknownCode, Vocabulary
from oddtrick.law.relations import Relations
from oddtrick.law.rules import Rules, resolve

Listed = TypeVar(
    "Listed", model.Denomination, model.Topic, model.Procedure, model.Irregularity, model.Fact
)


def _by_id(part: Callable[[Vocabulary], Iterable[Listed]]) -> cached_property[dict[str, Listed]]:
    return cached_property(lambda book: {item.id: item for item in part(book.vocabulary)})


SHAPES = {"split": "in several laws", "merged": "in a wider law"}
"""How the counterparts divide the rule of a provision, in words."""


class Book:
    """A lawbook: the codes by date, the vocabulary and the parallels.

    `data` is the compiled JSON, of which each part is converted to objects on first use. `home` is
    the cache folder for files derived from it.
    """

    def __init__(self, data: Json, home: Path | None = None) -> None:
        self.data, self.home = data, home
        self.names: Mapping[str, str] = {i: code["short"] for i, code in data["codes"].items()}
        self.aliases: Mapping[str, list[str]] = {i: c["aliases"] for i, c in data["codes"].items()}
        self.ids: tuple[str, ...] = tuple(self.names)
        self._code = cache(lambda name: fill(Code, data["codes"][name]))
        self._laws = cache(lambda code: {law.number: law for law in self.code(code).laws})
        self._provisions = cache(
            lambda code: {str(p.address): p for p in self.code(code).provisions}
        )
        self._readings = cache(lambda code: {r.address: r for r in self.code(code).readings})
        self._rules = cache(lambda code, options: resolve(self, code, options))
        self.counterparts = cache(self._counterparts)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The ids of the codes that an unknown name may mean.

        These are all the codes whose ids contain its words or, failing that, the most similar one.
        """
        named = {word: i for i in reversed(self.ids) for word in (i, i.partition("-")[0])}
        near = difflib.get_close_matches(name.lower(), named, n=1)
        return self._containing(name) or tuple(named[n] for n in near)

    def _containing(self, name: str) -> tuple[str, ...]:
        """The codes whose id or short name contains all the words of a name."""
        words = set(re.findall(r"[a-z]+|\d+", name.lower()))
        return tuple(
            i
            for i, short in self.names.items()
            if words and (words <= set(i.split("-")) or words <= set(short.lower().split()))
        )

    def meant(self, name: str) -> str:
        """The id of the only code that a name fits, by its id or an alias; otherwise the name."""
        if name in self.names:
            return name
        called = (code for code, others in self.aliases.items() if name.lower() in others)
        fit = {*self._containing(name), *called}
        return fit.pop() if len(fit) == 1 else name

    def code(self, name: str) -> Code:
        """The code with an id. Raises `UnknownCode`."""
        if name not in self.names:
            listed, near = ", ".join(self.ids), " or ".join(self.candidates(name))
            hint = f" (did you mean {near}?)" if near else ""
            raise UnknownCode(name, f"there is no code `{name}`{hint}; the codes are {listed}")
        return self._code(name)

    @property
    def codes(self) -> tuple[Code, ...]:
        """Every code, by date."""
        return tuple(self.code(i) for i in self.ids)

    def chain(self, name: str) -> tuple[Code, ...]:
        """The code with an id, the code that it extends, and so on. Raises `UnknownCode`."""
        found = [self.code(name)]
        while (base := found[-1].extends) and base not in (code.id for code in found):
            found.append(self.code(base))
        return tuple(found)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The relations between two provisions, in words."""
        return {kind["id"]: kind["label"] for kind in self.data["vocabulary"]["kinds"]}

    def kind_words(self, kind: str, shape: str) -> str:
        """The relation between two provisions: `same rule, in several laws`."""
        return f"{self.kinds[kind]}, {SHAPES[shape]}" if shape else self.kinds[kind]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The closed lists that all codes share."""
        return fill(Vocabulary, self.data["vocabulary"])

    @cached_property
    def evening(self) -> tuple[model.EveningStep, ...]:
        """The steps of an evening's play in order, with sentences for all codes; may be empty."""
        return tuple(fill(model.EveningStep, step) for step in self.data["evenings"])

    @cached_property
    def stories(self) -> dict[str, model.Story]:
        """The story of each topic, in the order of the topics; may be empty."""
        return {s["topic"]: fill(model.Story, s) for s in self.data["stories"]}

    @cached_property
    def relations(self) -> Relations:
        """The relations between provisions of different codes, from the parallels."""
        made = self.data["parallels"]
        parallels = fill(tuple[model.Parallel, ...], made["all"])
        return Relations(parallels, made["sides"], made["amended"])

    denominations = _by_id(lambda words: words.denominations)
    topics = _by_id(lambda words: words.topics)
    procedures = _by_id(lambda words: words.procedures)
    irregularities = _by_id(lambda words: words.irregularities)
    facts = _by_id(lambda words: words.facts)

    def amended_by(self, address: Address, code: str) -> list[Address]:
        """The provisions in force under a code that amend a provision of its base."""
        provision = self.provision(address)
        found = provision.amended_by if provision else ()
        return [a for a in found if a.code != address.code and self.relations.in_force(a, code)]

    def provision(self, address: str) -> model.Provision | None:
        """The provision at an address; `None` if there is none, or for a law divided into
        paragraphs.
        """
        code = Address(address).code
        return self._provisions(code).get(address) if code in self.names else None

    def reading(self, address: str) -> model.Reading:
        """The reading at an address. Raises `LookupError`."""
        own = Address(address)
        return self._readings(own.code)[own]

    def doubts(self, item: model.Provision, figure: str) -> dict[str, Address]:
        """The cells of a figure that rest on readings of its provision, as `trump.4-0`, each with
        its reading; an empty name stands for all cells.
        """
        return {
            cell: address
            for address in item.readings
            if (cells := self.reading(address).touches.get(figure)) is not None
            for cell in cells or ("",)
        }

    @cached_property
    def topics_of_readings(self) -> dict[Address, list[str]]:
        """By reading, the topics of the provisions that it concerns."""
        found = {}
        for code in self.codes:
            for reading in code.readings:
                on = {
                    topic
                    for p in code.provisions
                    if reading.address in p.readings or any(map(p.address.within, reading.places))
                    for topic in p.topics
                }
                found[reading.address] = [topic for topic in self.topics if topic in on]
        return found

    def passage(self, address: str) -> model.PassageKind | None:
        """The kind of passage at an address; `None` if it is not a passage of a declared kind."""
        code, _, local = address.partition(":")
        first, *below = local.split(".")
        kinds = self.code(code).passages if code in self.ids else ()
        under = (k for k in kinds if k.attached and k.id in below[-1:])
        return next(under, next((k for k in kinds if not k.attached and k.id == first), None))

    def restates(self, address: str) -> bool:
        """Whether an address is in a passage that only restates laws of its code."""
        kind = self.passage(address)
        return kind is not None and kind.role == "restatement"

    @cached_property
    def passage_words(self) -> tuple[dict[str, str], dict[str, str]]:
        """Two mappings from words to kinds of passages: independent ones, and attached ones."""
        kinds: dict[str, str] = {}
        attached: dict[str, str] = {}
        passages = (k for code in self.data["codes"].values() for k in code["passages"])
        for kind in (fill(model.PassageKind, passage) for passage in passages):
            (attached if kind.attached else kinds).update(dict.fromkeys(kind.said, kind.id))
        return kinds, attached

    def law(self, address: Address) -> model.Law | None:
        """The law that contains an address; `None` for a reading or a code."""
        laws = self._laws(address.code) if address.code in self.names else {}
        return next((laws[number] for number in address.beginnings if number in laws), None)

    def _counterparts(self, address: Address) -> Mapping[str, tuple[model.Counterpart, ...]]:
        """The counterparts of a provision in each other code, by code.

        Empty unless the provision is in force without options.
        """
        relations, own = self.relations, address.code
        if not relations.in_force(address, own):
            return {}
        return {
            c: relations.detailed_counterparts(address, own, c) for c in relations.sides if c != own
        }

    @cached_property
    def judged(self) -> tuple[str, ...]:
        """The codes that the checker judges; the others can be read, compared and cited."""
        return tuple(code.id for code in self.codes if code.judged)

    def rules(self, code: str, options: Iterable[str] = (), readings: Iterable[str] = ()) -> Rules:
        """The law in force under a code with options and chosen readings. Raises `UnknownCode`."""
        return self._rules(code, tuple(dict.fromkeys((*options, *readings))))

    def entry(
        self, irregularity: str, code: str, options: Iterable[str] = ()
    ) -> tuple[model.Entry, Code] | None:
        """The entry for an irregularity in force under a code, and the code that contains it.

        An entry of the code precedes one of its base. Within a code, an entry that requires more
        options and readings precedes one that requires fewer. If several readings change the
        ruling, their entries are merged, which may raise `Clash` (see `cases`), unless an option
        removes all rulings.
        """
        taken = set(options)
        for owner in self.chain(code):
            entries = (e for e in owner.entries if e.irregularity == irregularity)
            found = [(held, e) for e in entries if taken >= (held := _held(e, owner))]
            last = [e for held, e in found if not any(held < other for other, _ in found)]
            if denied := [e for e in last if e.option and not e.rulings]:
                return denied[0], owner
            if len(last) > 1:
                general = next((e for held, e in found if not held), None)
                return (merged_entry(general, last) if general else last[0]), owner
            if last:
                return last[0], owner
        return None

    def amount(self, remedy: model.Remedy) -> int | None:
        """The amount of a remedy, from the figures of its provision: points, tricks or a limit."""
        provision = self.provision(remedy.provision) if remedy.figure else None
        if provision is None or remedy.figure is None:
            return None
        found = (provision.figures.get(f) for f in model.AMOUNTS[remedy.figure])
        return next((number for number in found if isinstance(number, int)), None)


def _held(entry: model.Entry, owner: Code) -> set[str]:
    """The option and the chosen readings that an entry requires, as written in a record."""
    chosen = {
        f"{reading if ':' in reading else f'{owner.id}:{reading}'}={choice}"
        for reading, choice in entry.reading.items()
    }
    return chosen | ({entry.option} if entry.option else set())
