"""The figures and procedures that hold under a code with its options and chosen readings: what each
provision gives, put together cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from oddtrick.law import figures
from oddtrick.law.address import Address
from oddtrick.law.model import Chosen, Code, Reading

if TYPE_CHECKING:
    from oddtrick.law.yaml import Json

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Clause:
    """A figure or a procedure in force: its value, its addresses, the readings it rests on.

    `cells` has the address of each cell of a figure whose cells stand in several provisions. A
    procedure has several `laws` where several provisions say it.
    """

    name: str
    value: Json
    laws: tuple[Address, ...]
    readings: tuple[Address, ...] = ()
    touched: tuple[tuple[str, Address], ...] = ()
    cells: tuple[tuple[str, Address], ...] = ()

    @property
    def law(self) -> Address:
        """The address it stands at; the first of several."""
        return self.laws[0]

    def laws_of(self, cell: str) -> tuple[Address, ...]:
        """The addresses of a cell of the figure (`little`, `vulnerable.doubled`), or of all."""
        found = dict.fromkeys(law for name, law in self.cells if figures.meant(cell, name))
        return tuple(found) or self.laws

    def readings_of(self, cell: str) -> tuple[Address, ...]:
        """The readings that one cell of the figure rests on, besides those of the whole."""
        return self.readings + tuple(r for c, r in self.touched if figures.meant(c, cell))

    def over(self, other: Clause) -> Clause:
        """The clause with the cells of another of the same name that it has not itself."""
        if not isinstance(self.value, dict) or not isinstance(other.value, dict):
            return self
        mine = dict(self._placed())
        more = {c: law for c, law in other._placed() if c not in mine}
        if not more:
            return self
        return Clause(
            self.name,
            figures.merged(self.value, other.value),
            _each_once(self.laws, more.values()),
            _each_once(self.readings, other.readings),
            _each_once(self.touched, other.touched),
            tuple((mine | more).items()),
        )

    def _placed(self) -> tuple[tuple[str, Address], ...]:
        return self.cells or tuple((c, self.law) for c in figures.cells(self.value))


def clauses(
    chain: Sequence[Code],
    options: Sequence[str],
    order: Mapping[str, Sequence[str]],
    chosen: Sequence[Chosen] = (),
) -> tuple[dict[str, Clause], dict[str, str]]:
    """The figures and procedures in force under a code, and what it has not, with the reason.

    `chain` is the code with its bases after it, `chosen` are the readings that are chosen.

    `order` has for each figure its keys in the order in which they are read.
    """
    otherwise = {c.reading.address: c for c in chosen if c.otherwise}
    denied = {o.id: o.absent for o in chain[0].options}
    layers: list[tuple[Code, str | None]] = [(chain[0], o) for o in reversed(options)]
    layers += [(c, None) for c in chain]
    gone = displaced(chain, options)
    found: dict[str, Clause] = {}
    absent: dict[str, str] = {}
    for owner, layer in layers:
        for name, clause in _layer(owner, layer, gone, options, otherwise).items():
            if name not in absent:
                found[name] = found[name].over(clause) if name in found else clause
        for name, reason in (denied[layer] if layer else owner.absent).items():
            if name not in found:
                absent.setdefault(name, reason)
    for owner in chain:
        for reading in active_readings(owner, options, gone):
            for name, cells in reading.touches.items():
                base = found.get(name)
                if base and any(a in reading.places and a.code != owner.id for a in base.laws):
                    found[name] = _doubted(base, reading.address, cells)  # a base's figure
    for one in otherwise.values():
        _settle(found, absent, one)
    for name, clause in found.items():
        if clause.cells:
            found[name] = replace(clause, value=figures.arranged(clause.value, order[name]))
    return found, absent


def _each_once(some: Iterable[Item], more: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys([*some, *more]))


def _settle(found: dict[str, Clause], absent: dict[str, str], chosen: Chosen) -> None:
    """Put what a chosen reading gives in the place of what is in force, in place."""
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
            found[name] = Clause(name, value, (reading.address,), (reading.address,))
            continue
        known = (*base.readings, *(r for _, r in base.touched))
        clause = replace(base, value=figures.merged(value, base.value))
        if reading.address not in known:
            cells = tuple(c for c in figures.cells(value) if c) if clause.cells else ()
            clause = _doubted(clause, reading.address, cells)
        found[name] = clause


def _doubted(clause: Clause, reading: Address, cells: tuple[str, ...]) -> Clause:
    """The clause with one reading more that it rests on: as a whole, or in some of its cells."""
    if not cells:
        return replace(clause, readings=(*clause.readings, reading))
    return replace(clause, touched=(*clause.touched, *((c, reading) for c in cells)))


def displaced(chain: Sequence[Code], options: Sequence[str] = ()) -> set[Address]:
    """What a code with its options takes out of force: addresses of laws and of provisions.

    `chain` is the code with its bases after it.
    """
    return {
        address
        for owner in chain
        for provision in owner.provisions
        if provision.option is None or (owner is chain[0] and provision.option in options)
        for address in provision.displaces
    }


def in_stead(
    laws: Iterable[Address], chain: Sequence[Code], options: Sequence[str]
) -> tuple[Address, ...]:
    """Some laws, those that an option takes out of force replaced by what it has in their stead."""
    taken = [p for p in chain[0].provisions if p.option is not None and p.option in options]
    found: list[Address] = []
    for law in laws:
        others = [p.address for p in taken if any(law.within(d) for d in p.displaces)]
        found += others or [law]
    return tuple(dict.fromkeys(found))


def stands(address: Address, law: Address, displaced: set[Address]) -> bool:
    """Whether a provision stands: neither it nor what it is a part of is displaced."""
    whole, part = law in displaced, str(address)
    while part and not whole:
        whole, part = part in displaced, part.rpartition(".")[0]
    return not whole


def active_readings(owner: Code, options: Sequence[str], displaced: set[Address]) -> list[Reading]:
    """The readings of a code of whose places one is in force with these options."""
    option_of = {law.address: law.option for law in owner.laws}
    option_of |= {p.address: p.option for p in owner.provisions}
    return [
        reading
        for reading in owner.readings
        if any(
            (option_of.get(p) is None or option_of[p] in options) and stands(p, p, displaced)
            for p in reading.places
        )
    ]


def _layer(
    owner: Code,
    option: str | None,
    displaced: set[Address],
    options: Sequence[str],
    otherwise: Mapping[Address, Chosen],
) -> dict[str, Clause]:
    """The clauses that a code itself, or one of its options, gives.

    What a reading supplies is left out where it is chosen otherwise.
    """
    readings = active_readings(owner, options, displaced)
    touched: dict[str, list[tuple[str, Address]]] = {}
    whole: dict[str, list[Address]] = {}
    for reading in readings:
        for name, cells in reading.touches.items():
            touched.setdefault(name, []).extend((c, reading.address) for c in cells)
            if not cells:
                whole.setdefault(name, []).append(reading.address)
    found: dict[str, Clause] = {}

    def keep(name: str, clause: Clause) -> None:
        found[name] = found[name].over(clause) if name in found else clause

    for provision in owner.provisions:
        if provision.option != option or not stands(provision.address, provision.law, displaced):
            continue
        at = (provision.address,)
        for name, value in {**provision.procedures, **provision.figures}.items():
            clause = Clause(
                name, value, at, tuple(whole.get(name, ())), tuple(touched.get(name, ()))
            )
            if name in provision.procedures and name in found:
                clause = replace(clause, laws=found.pop(name).laws + at)
            keep(name, clause)
    for reading in (r for r in readings if option is None and r.address not in otherwise):
        for name, value in {**reading.procedures, **reading.figures}.items():
            keep(name, Clause(name, value, (reading.address,), (reading.address,)))
    return found
