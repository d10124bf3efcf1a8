"""Works out the law in force under a code with its options and chosen readings.

An option takes precedence over the code, and the code over the one that it extends. A procedure and
each cell of a figure come from the first of these layers that states them. A chosen reading takes
precedence over all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from oddtrick.law import figures, reading_choices
from oddtrick.law.address import Address
from oddtrick.law.model import (
    AMOUNTS,
    ChosenReading,
    Code,
    Denomination,
    Provision,
    Reading,
    Remedy,
    UnknownCode,
    Vocabulary,
    Words,
)

if TYPE_CHECKING:
    from oddtrick.law.lawbook import Book


@dataclass(frozen=True, slots=True)
class Clause:
    """A figure or procedure in force, with the laws that state it.

    `doubts` maps each reading on which it rests to the cells concerned, or to none if all are.
    `cells` maps each cell of a figure to the law that states it.
    """

    name: str
    value: Any
    laws: tuple[Address, ...]
    doubts: Mapping[Address, Words]
    cells: Mapping[str, Address]

    @property
    def law(self) -> Address:
        """The address of the law that states the clause; the first if there are several."""
        return self.laws[0]

    def laws_of(self, cell: str) -> tuple[Address, ...]:
        """The addresses for the cells that a name matches (`vulnerable.doubled`), or else all."""
        found = (law for name, law in self.cells.items() if figures.matches(cell, name))
        return tuple(dict.fromkeys(found)) or self.laws

    def readings_of(self, cell: str) -> tuple[Address, ...]:
        """The readings on which a cell rests; if it is empty, those that concern all cells."""
        return tuple(
            reading
            for reading, touched in self.doubts.items()
            if not touched or any(figures.matches(t, cell) for t in touched)
        )

    def over(self, other: Clause) -> Clause:
        """The clause, completed with the cells of another clause of the same name."""
        more = {c: law for c, law in other.cells.items() if c not in self.cells}
        if not more:
            return self
        value = figures.merged(self.value, other.value)
        laws = tuple(dict.fromkeys((*self.laws, *more.values())))
        doubts = {**other.doubts, **self.doubts}
        return Clause(self.name, value, laws, doubts, {**self.cells, **more})

    def doubted(self, reading: Address, cells: Words) -> Clause:
        """The clause with one more reading on which it, or some of its cells, rests."""
        return replace(self, doubts={**self.doubts, reading: cells})


def _clause(name: str, value: Any, law: Address, doubts: Mapping[Address, Words]) -> Clause:
    return Clause(name, value, (law,), doubts, dict.fromkeys(figures.flat(value), law))


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The law in force under one code with its options and chosen readings; hashed by identity.

    `absent` maps the clauses that the code lacks to the reason, and `silent` the findings without a
    law. `chosen` holds the chosen readings by address.
    """

    code: str
    options: tuple[str, ...]
    short: str
    clauses: Mapping[str, Clause] = field(repr=False)
    absent: Mapping[str, str] = field(repr=False)
    finding_laws: Mapping[str, tuple[Address, ...]] = field(repr=False)
    silent: Mapping[str, str] = field(repr=False)
    denominations: Mapping[str, Denomination] = field(repr=False)
    chosen: Mapping[str, ChosenReading] = field(repr=False)

    def has(self, name: str) -> bool:
        """Whether the code has a clause of that name."""
        return self.get(name) is not None

    def get(self, name: str) -> Clause | None:
        """The clause of that name; `None` if the code has none."""
        return self.clauses.get(name)

    def value(self, name: str) -> Any:
        """The value of a clause; `None` if the code has none."""
        clause = self.clauses.get(name)
        return clause.value if clause else None

    def procedure(self, name: str, procedures: Mapping[str, Mapping[str, Any]]) -> Any:
        """The procedure that the code chooses for a name; `None` if it chooses none."""
        how = self.value(name)
        return procedures[name][how] if how else None

    @cache  # noqa: B019
    def laws(self, *names: str) -> tuple[str, ...]:
        """The addresses of the named clauses; a name may include a cell (`slam.little`).

        If several provisions state a procedure, only one is cited: the first, unless another of
        them is cited already.
        """
        found: dict[str, None] = {}
        for clause, cell in self._named(names):
            if len(clause.cells) > 1:
                found |= dict.fromkeys(clause.laws_of(cell))
            elif found.keys().isdisjoint(clause.laws):
                found[clause.law] = None
        return tuple(found)

    @cache  # noqa: B019
    def readings(self, *names: str) -> tuple[str, ...]:
        """The readings on which the named clauses, or the cells named with them, rest."""
        found = (r for clause, cell in self._named(names) for r in clause.readings_of(cell))
        return tuple(dict.fromkeys(found))

    def _named(self, names: Iterable[str]) -> Iterator[tuple[Clause, str]]:
        for kind, _, cell in (name.partition(".") for name in names):
            if clause := self.clauses.get(kind):
                yield clause, cell

    def denomination(self, name: str) -> Denomination | None:
        """A denomination of this code; `None` if the code lacks it."""
        return self.denominations.get(name)

    def order(self) -> tuple[str, ...]:
        """The ids of the code's denominations, lowest first."""
        return tuple(self.value("denominations") or ())


def resolve(book: Book, code: str, options: tuple[str, ...]) -> Rules:
    """The law in force, for `Book.rules`, which caches it. Raises `UnknownCode`."""
    chain, words = book.chain(code), book.vocabulary
    taken = reading_choices.read_choices(book, options, chain)
    own = reading_choices.options_of(options)
    offered = {o.id: o.excludes for o in chain[0].options}
    for option in own:
        if option not in offered:
            listed = ", ".join(offered)
            known = f"option `{option}`; its options are {listed}" if offered else "options"
            message = f"{chain[0].short} has no {known}"
            raise UnknownCode(option, message, "option")
        for other in (o for o in offered[option] if o in own):
            message = f"the options `{option}` and `{other}` exclude each other"
            raise UnknownCode(option, message, "option")
    gone = displaced(chain, own)
    active = {r.address for owner in chain for r in active_readings(owner, own, gone)}
    for one in (c for c in taken if c.reading.address not in active):
        given_way = one.reading.address.code != code
        what = "displaced laws" if given_way else "an option that is not chosen"
        raise UnknownCode(one.written, f"{one.reading.address} bears on {what}", "reading")
    found, absent = clauses(chain, own, words, taken)
    rare = {p.id: p.absent for p in words.procedures if p.absent}
    absent = {n: why for n, why in rare.items() if n not in found} | absent
    finding_laws: dict[str, tuple[Address, ...]] = {}
    silent: dict[str, str] = {}
    for owner in chain:
        for finding, ruled in owner.of_findings.items():
            if finding in finding_laws or finding in silent:
                continue
            if isinstance(ruled, dict):
                silent[finding] = ruled["silent"]
            else:
                laws = list[Address]()
                for law in map(Address, ruled):
                    by = (p for p in amendments(law, chain, own) if p.option is None)
                    laws += [*(p.address for p in by), law]
                finding_laws[finding] = replaced_by_options(laws, chain, own)
    denominations = found["denominations"].value if "denominations" in found else ()
    return Rules(
        code,
        (*own, *(c.written for c in taken)),
        chain[0].short,
        found,
        absent,
        finding_laws,
        silent,
        {n: book.denominations[n] for n in denominations},
        {c.reading.address: c for c in taken},
    )


def clauses(
    chain: Sequence[Code],
    options: Sequence[str],
    words: Vocabulary,
    chosen: Sequence[ChosenReading] = (),
) -> tuple[dict[str, Clause], dict[str, str]]:
    """The figures and procedures in force under a code with its bases, by name.

    Also returns those that it lacks, with the reasons.
    """
    gone = displaced(chain, options)
    active = {owner.id: active_readings(owner, options, gone) for owner in chain}
    otherwise = {c.reading.address: c for c in chosen if c.differs}
    found: dict[str, Clause] = {}
    absent: dict[str, str] = {}
    denied = {o.id: o.absent for o in chain[0].options}
    layers: list[tuple[Code, str | None]] = [(chain[0], o) for o in reversed(options)]
    for owner, option in [*layers, *((c, None) for c in chain)]:
        provisions = [
            p for p in owner.provisions if p.option == option and is_in_force(p.address, gone)
        ]
        for name, clause in _layer(provisions, active[owner.id], option, otherwise).items():
            if name not in absent:
                found[name] = found[name].over(clause) if name in found else clause
        for name, reason in (denied[option] if option else owner.absent).items():
            if name not in found:
                absent.setdefault(name, reason)
    for owner in chain:
        for reading in active[owner.id]:
            for name, cells in reading.touches.items():
                base = found.get(name)
                if base and any(a in reading.places and a.code != owner.id for a in base.laws):
                    found[name] = base.doubted(reading.address, cells)  # a base's figure
    for one in otherwise.values():
        _choose(found, absent, one)
    shapes = {f.id: f.shape for f in words.figures}
    for name, clause in found.items():
        if len(clause.laws) > 1 and name in shapes:
            keys = words.cells[shapes[name]]
            found[name] = replace(clause, value=figures.arranged(clause.value, keys))
    return found, absent


def _layer(
    provisions: Sequence[Provision],
    readings: Sequence[Reading],
    option: str | None,
    otherwise: Mapping[Address, ChosenReading],
) -> dict[str, Clause]:
    """The clauses of a code or of one option, without the readings in `otherwise`."""
    found: dict[str, Clause] = {}
    for provision in provisions:
        for name, value in {**provision.procedures, **provision.figures}.items():
            doubts = {r.address: r.touches[name] for r in readings if name in r.touches}
            clause = _clause(name, value, provision.address, doubts)
            if name not in found:
                found[name] = clause
            elif name in provision.procedures:
                found[name] = replace(found[name], laws=found[name].laws + clause.laws)
            else:
                found[name] = found[name].over(clause)
    for reading in (r for r in readings if option is None and r.address not in otherwise):
        for name, value in {**reading.procedures, **reading.figures}.items():
            clause = _clause(name, value, reading.address, {reading.address: ()})
            found[name] = found[name].over(clause) if name in found else clause
    return found


def _choose(found: dict[str, Clause], absent: dict[str, str], chosen: ChosenReading) -> None:
    """Apply a chosen reading to the clauses in force and to those absent, in place."""
    reading, choice = chosen.reading, chosen.choice
    for name in choice.absent:
        rule, _, cell = name.partition(".")
        if not cell:
            found.pop(rule, None)
            absent[rule] = choice.text
        elif rule in found:
            found[rule] = replace(found[rule], value=figures.without(found[rule].value, cell))
    for name, value in {**choice.procedures, **choice.figures}.items():
        absent.pop(name, None)
        base = found.get(name)
        if base is None:
            found[name] = _clause(name, value, reading.address, {reading.address: ()})
            continue
        found[name] = replace(base, value=figures.merged(value, base.value))
        if reading.address not in base.doubts:
            cells = tuple(c for c in figures.flat(value) if c) if len(base.laws) > 1 else ()
            found[name] = found[name].doubted(reading.address, cells)


def displaced(chain: Sequence[Code], options: Sequence[str] = ()) -> set[Address]:
    """The laws and provisions displaced by a code, its bases and its options."""
    return {
        address
        for owner in chain
        for provision in owner.provisions
        if provision.option is None or (owner is chain[0] and provision.option in options)
        for address in provision.displaces
    }


def replaced_by_options(
    laws: Iterable[Address], chain: Sequence[Code], options: Sequence[str]
) -> tuple[Address, ...]:
    """The laws, in which each law that an option displaces is replaced by the provisions of the
    option.
    """
    taken = [p for p in chain[0].provisions if p.option is not None and p.option in options]
    found: list[Address] = []
    for law in laws:
        others = [p.address for p in taken if any(law.within(d) for d in p.displaces)]
        found += others or [law]
    return tuple(dict.fromkeys(found))


def amended(remedy: Remedy, chain: Sequence[Code], options: Sequence[str]) -> Remedy:
    """The remedy, resting on the provision in force that amends its amount, or else on its own."""
    kinds = AMOUNTS.get(remedy.figure or "", ())
    for item in amendments(remedy.provision, chain, options):
        if any(kind in item.figures for kind in kinds):
            return remedy._replace(provision=item.address)
    return remedy


def amendments(
    address: Address, chain: Sequence[Code], options: Sequence[str]
) -> Iterator[Provision]:
    """The provisions in force that amend a provision, those of the latest code first."""
    gone = displaced(chain, options)
    for owner in chain:
        for item in owner.provisions:
            applies = item.option is None or (owner is chain[0] and item.option in options)
            amends = item.amends and any(address.within(a) for a in item.amends)
            if applies and amends and is_in_force(item.address, gone):
                yield item


def is_in_force(address: Address, displaced: set[Address]) -> bool:
    """Whether a provision is in force: neither it nor anything that contains it is displaced."""
    return displaced.isdisjoint(f"{address.code}:{local}" for local in address.beginnings)


def in_force(chain: Sequence[Code]) -> list[Address]:
    """The provisions in force under a code without options, its own before those of its bases."""
    gone = displaced(chain)
    provisions = (p for owner in chain for p in owner.provisions if p.option is None)
    return [p.address for p in provisions if is_in_force(p.address, gone)]


def active_readings(owner: Code, options: Sequence[str], displaced: set[Address]) -> list[Reading]:
    """The readings of a code that concern at least one passage in force with these options."""
    option_of = {law.address: law.option for law in owner.laws}
    option_of |= {p.address: p.option for p in owner.provisions}
    return [
        reading
        for reading in owner.readings
        if any(
            (option_of.get(p) is None or option_of[p] in options) and is_in_force(p, displaced)
            for p in reading.places
        )
    ]
