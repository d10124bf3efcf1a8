"""The law in force under a code and its options, and where each of its clauses stands.

A code, its options and its base are layers: an option before the code, the code before what it extends. A figure or a
procedure comes from the first layer that has it, with the address of its provision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from oddtrick.law import store
from oddtrick.law.address import Address
from oddtrick.law.book import UnknownCode, book
from oddtrick.law.model import Code, Denomination, Reading

__all__ = [
    "Clause",
    "Denomination",
    "InForce",
    "UnknownCode",
    "active_readings",
    "column_name",
    "in_force",
    "stands",
]


@dataclass(frozen=True, slots=True)
class Clause:
    """A figure or a procedure in force: its value, the address it stands at, the readings it rests on."""

    name: str
    value: Any
    law: Address
    readings: tuple[Address, ...] = ()
    touched: tuple[tuple[str, Address], ...] = ()

    def readings_of(self, cell: str) -> tuple[Address, ...]:
        """The readings that one cell of the figure rests on, besides those of the whole."""
        return self.readings + tuple(r for c, r in self.touched if c == cell)


@dataclass(frozen=True, slots=True)
class InForce:
    """The law in force under one code with its options.

    `clauses` holds figures and procedures by name, `absent` those the code does not have, with the reason;
    `behind` the laws behind each finding, `silent` the reason where no law is. What the code gives for an
    irregularity is told by `rulings`.
    """

    code: str
    options: tuple[str, ...]
    short: str
    clauses: Mapping[str, Clause] = field(repr=False)
    absent: Mapping[str, str] = field(repr=False)
    behind: Mapping[str, tuple[Address, ...]] = field(repr=False)
    silent: Mapping[str, str] = field(repr=False)
    denominations: Mapping[str, Denomination] = field(repr=False)

    def get(self, name: str) -> Clause | None:
        """The clause of that name, or `None` where the code has none."""
        return self.clauses.get(name)

    def value(self, name: str) -> Any:
        """The value of a clause; `None` where the code has none."""
        clause = self.clauses.get(name)
        return clause.value if clause else None

    def laws(self, *names: str) -> tuple[str, ...]:
        """The addresses of the named clauses that the code has, each once, in that order."""
        return tuple(dict.fromkeys(self.clauses[n].law for n in names if n in self.clauses))

    def readings(self, *names: str) -> tuple[str, ...]:
        """The readings that the named clauses rest on as a whole."""
        return tuple(
            dict.fromkeys(r for n in names if n in self.clauses for r in self.clauses[n].readings)
        )

    def denomination(self, name: str) -> Denomination | None:
        """A denomination of this code, or `None` where the code has no such one."""
        return self.denominations.get(name)

    def order(self) -> tuple[str, ...]:
        """The ids of the code's denominations as the law lists them, lowest first."""
        return tuple(self.clauses["denominations"].value) if "denominations" in self.clauses else ()


def judged_codes() -> tuple[str, ...]:
    """The ids of the codes that the checker judges; the others can be read, compared and cited."""
    return tuple(c.id for c in book().codes if c.judged)


def column_name(column: str, code: str) -> str:
    """What a code calls a column of its score, `trick`, `honour` or `total`: `honour score`, `penalty score`."""
    if column == "total":
        return "total"
    for owner in book().chain(code):
        own = owner.terms.get(f"{column}-score")
        if own:
            return own.lower()
    return f"{column} score"


_kept: dict[tuple[object, str, tuple[str, ...]], InForce] = {}


def in_force(code: str, options: Iterable[str] = ()) -> InForce:
    """The law in force under a code with its options, resolved once.

    Raises `UnknownCode` for a code or an option that does not exist, or options that exclude each other.
    """
    key = (store.identity(), code, tuple(dict.fromkeys(options)))
    if key not in _kept:
        _kept[key] = _resolve(code, key[2])
    return _kept[key]


def _resolve(code: str, options: tuple[str, ...]) -> InForce:
    chain = book().chain(code)
    data = chain[0]
    _known_options(data, options)
    offered = {o.id: o for o in data.options}
    layers: list[tuple[Code, str | None]] = [(data, o) for o in reversed(options)]
    layers += [(c, None) for c in chain]
    displaced = {
        address
        for owner, option in layers
        for provision in owner.provisions
        if provision.option == option
        for address in provision.displaces
    }
    clauses: dict[str, Clause] = {}
    absent: dict[str, str] = {}
    for owner, layer in layers:
        for name, clause in _layer(owner, layer, displaced, options).items():
            if name not in absent:
                clauses.setdefault(name, clause)
        for name, reason in (offered[layer].absent if layer else owner.absent).items():
            if name not in clauses:
                absent.setdefault(name, reason)
    for owner in chain:
        for reading in active_readings(owner, options):
            for name, cells in reading.touches.items():
                base = clauses.get(name)
                if base and base.law in reading.places and base.law.code != owner.id:
                    clauses[name] = _doubted(base, reading.address, cells)  # a base's figure
    behind: dict[str, tuple[Address, ...]] = {}
    silent: dict[str, str] = {}
    for owner in chain:
        for finding, laws in owner.findings.items():
            if finding not in silent:
                behind.setdefault(finding, laws)
        for finding, why in owner.silences.items():
            if finding not in behind:
                silent.setdefault(finding, why)
    names = clauses["denominations"].value if "denominations" in clauses else ()
    known = {n: book().denominations[n] for n in names}
    return InForce(code, options, data.short, clauses, absent, behind, silent, known)


def _known_options(code: Code, options: tuple[str, ...]) -> None:
    offered = {o.id: o for o in code.options}
    for option in options:
        if option not in offered:
            listed = ", ".join(offered) or "none"
            message = f"{code.id} has no option `{option}`; it has {listed}"
            raise UnknownCode(option, message, "option")
        clash = [o for o in offered[option].excludes if o in options]
        if clash:
            message = f"the options `{option}` and `{clash[0]}` exclude each other"
            raise UnknownCode(option, message, "option")


def _doubted(clause: Clause, reading: Address, cells: tuple[str, ...]) -> Clause:
    """The clause with one reading more that it rests on: as a whole, or in some of its cells."""
    if not cells:
        return replace(clause, readings=(*clause.readings, reading))
    return replace(clause, touched=(*clause.touched, *((c, reading) for c in cells)))


def stands(address: Address, law: Address, displaced: set[Address]) -> bool:
    """Whether a provision stands: neither it, nor what it is a part of, nor its law is displaced."""
    return not any(law == d or address.within(d) for d in displaced)


def active_readings(owner: Code, options: tuple[str, ...]) -> list[Reading]:
    """The readings of a code that bear on it with these options: those of places in force with them."""
    option_of = {law.address: law.option for law in owner.laws}
    option_of |= {p.address: p.option for p in owner.provisions}
    return [
        reading
        for reading in owner.readings
        if any(option_of.get(p) is None or option_of[p] in options for p in reading.places)
    ]


def _layer(
    owner: Code, option: str | None, displaced: set[Address], options: tuple[str, ...]
) -> dict[str, Clause]:
    """The clauses that a code itself, or one of its options, gives."""
    readings = active_readings(owner, options)
    touched: dict[str, list[tuple[str, Address]]] = {}
    whole: dict[str, list[Address]] = {}
    for reading in readings:
        for name, cells in reading.touches.items():
            touched.setdefault(name, []).extend((c, reading.address) for c in cells)
            if not cells:
                whole.setdefault(name, []).append(reading.address)
    found: dict[str, Clause] = {}
    for provision in owner.provisions:
        if provision.option != option or not stands(provision.address, provision.law, displaced):
            continue
        for name, value in {**provision.procedures, **provision.figures}.items():
            rests_on = tuple(whole.get(name, ())), tuple(touched.get(name, ()))
            found.setdefault(name, Clause(name, value, provision.address, *rests_on))
    if option is None:
        for reading in readings:
            for name, value in {**reading.procedures, **reading.figures}.items():
                found.setdefault(name, Clause(name, value, reading.address, (reading.address,)))
    return found


# --- the compiled JSON, for what is not yet typed -------------------------------------------------


def codes() -> tuple[str, ...]:
    """The ids of the codes in the order of their dates."""
    return book().ids


def code_data(code: str) -> Any:
    """The compiled JSON of one code. Raises `UnknownCode`."""
    book().code(code)
    return store.load(code)


def vocabulary() -> Any:
    """The compiled vocabulary."""
    return store.load("vocabulary")


def denomination_table() -> Mapping[str, Denomination]:
    """Every denomination of the vocabulary by id."""
    return book().denominations
