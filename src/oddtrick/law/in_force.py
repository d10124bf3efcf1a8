"""The law in force under a code and its options, and where each of its clauses stands.

A code, its options and its base are layers: an option before the code, the code before what it
extends. A procedure and each cell of a figure come from the first layer that has them, with the
address of their provision. A reading that is chosen another way than it is applied has the last
word: what its choice gives takes the place of what is in force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

from oddtrick.law import chosen as picks
from oddtrick.law import store
from oddtrick.law.address import Address
from oddtrick.law.book import UnknownCode, book
from oddtrick.law.clauses import Clause, active_readings, clauses, displaced, in_stead
from oddtrick.law.model import Chosen, Code, Denomination

if TYPE_CHECKING:
    from oddtrick.law.yaml import Json

__all__ = [
    "Clause",
    "Denomination",
    "InForce",
    "UnknownCode",
    "column_name",
    "in_force",
    "once_for_each",
]

Procedure = TypeVar("Procedure")
Law = TypeVar("Law")


@dataclass(frozen=True, slots=True)
class InForce:
    """The law in force under one code with its options.

    `options` are options of the code and readings that are chosen (`law.chosen`), these in their
    one spelling; `chosen` has these by address. `clauses` holds figures and procedures by name,
    `absent` those the code does not have, with the reason; `behind` the laws behind each finding,
    `silent` the reason where no law is. What the code gives for an irregularity is told by
    `rulings`.
    """

    code: str
    options: tuple[str, ...]
    short: str
    clauses: Mapping[str, Clause] = field(repr=False)
    absent: Mapping[str, str] = field(repr=False)
    behind: Mapping[str, tuple[Address, ...]] = field(repr=False)
    silent: Mapping[str, str] = field(repr=False)
    denominations: Mapping[str, Denomination] = field(repr=False)
    chosen: Mapping[str, Chosen] = field(repr=False)
    _laws: dict[tuple[str, ...], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _readings: dict[tuple[str, ...], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def get(self, name: str) -> Clause | None:
        """The clause of that name, or `None` where the code has none."""
        return self.clauses.get(name)

    def value(self, name: str) -> Json:
        """The value of a clause; `None` where the code has none."""
        clause = self.clauses.get(name)
        return clause.value if clause else None

    def procedure(self, name: str, table: Mapping[str, Procedure]) -> Procedure | None:
        """The procedure of a table that the code chooses; `None` where it chooses none."""
        how = self.value(name)
        return table[how] if how else None

    def laws(self, *names: str) -> tuple[str, ...]:
        """The addresses of the named clauses that the code has, each once, in that order.

        A name may go on to a cell (`slam.little`). Of a procedure that several provisions say,
        those that are cited before for another name are enough, or else the first. Every score
        asks again for the same few, so each answer is kept.
        """
        if names not in self._laws:
            self._laws[names] = self._behind(names)
        return self._laws[names]

    def _behind(self, names: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for name in names:
            kind, _, cell = name.partition(".")
            clause = self.clauses.get(kind)
            if clause is None:
                continue
            if len(clause.laws) == 1:
                found[clause.law] = None
            elif clause.cells:
                found |= dict.fromkeys(clause.laws_of(cell))
            elif not any(law in found for law in clause.laws):
                found[clause.law] = None
        return tuple(found)

    def readings(self, *names: str) -> tuple[str, ...]:
        """The readings that the named clauses rest on, as a whole and in the named cell."""
        if names not in self._readings:
            self._readings[names] = self._relied_on(names)
        return self._readings[names]

    def _relied_on(self, names: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for name in names:
            kind, _, cell = name.partition(".")
            clause = self.clauses.get(kind)
            if clause:
                found |= dict.fromkeys(clause.readings_of(cell) if cell else clause.readings)
        return tuple(found)

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
    """What a code calls a column of its score: `honour score` or `penalty score` for `honour`."""
    if column == "total":
        return "total"
    for owner in book().chain(code):
        own = owner.terms.get(f"{column}-score")
        if own:
            return own.lower()
    return f"{column} score"


def once_for_each(resolve: Callable[[InForce], Law]) -> Callable[[InForce], Law]:
    """A function of the law in force that works it out once for each."""
    found: dict[int, tuple[InForce, Law]] = {}

    @wraps(resolve)
    def resolved(law: InForce) -> Law:
        if id(law) not in found:
            found[id(law)] = (law, resolve(law))  # the law is kept, so that its id stays its own
        return found[id(law)][1]

    return resolved


_kept: dict[tuple[object, str, tuple[str, ...]], InForce] = {}


def in_force(code: str, options: Iterable[str] = ()) -> InForce:
    """The law in force under a code with its options, resolved once.

    Raises `UnknownCode` for a code or an option that does not exist, or options that exclude each
    other.
    """
    key = (store.identity(), code, tuple(dict.fromkeys(options)))
    if key not in _kept:
        _kept[key] = _resolve(code, key[2])
    return _kept[key]


def _resolve(code: str, options: tuple[str, ...]) -> InForce:
    chain = book().chain(code)
    taken = picks.all_chosen(options, chain)
    plain = picks.options_of(options)
    _known_options(chain[0], plain)
    _bearing(taken, chain, plain)
    options = (*plain, *(c.written for c in taken))
    order = {f.id: f.cells for f in book().vocabulary.figures}
    found, absent = clauses(chain, plain, order, taken)
    rare = {p.id: p.absent for p in book().vocabulary.procedures if p.absent}
    absent = {n: why for n, why in rare.items() if n not in found} | absent
    behind: dict[str, tuple[Address, ...]] = {}
    silent: dict[str, str] = {}
    for owner in chain:
        for finding, laws in owner.findings.items():
            if finding not in silent:
                behind.setdefault(finding, in_stead(laws, chain, plain))
        for finding, why in owner.silences.items():
            if finding not in behind:
                silent.setdefault(finding, why)
    names = found["denominations"].value if "denominations" in found else ()
    known = {n: book().denominations[n] for n in names}
    chosen: dict[str, Chosen] = {c.reading.address: c for c in taken}
    return InForce(code, options, chain[0].short, found, absent, behind, silent, known, chosen)


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


def _bearing(taken: Sequence[Chosen], chain: Sequence[Code], options: Sequence[str]) -> None:
    """Raise `UnknownCode` where a reading is chosen that bears on another option alone, or on laws
    that have given way.
    """
    gone = displaced(chain, options)
    active = {r.address for owner in chain for r in active_readings(owner, options, gone)}
    for one in taken:
        address = one.reading.address
        if address not in active:
            given_way = address.code != chain[0].id
            what = "laws that have given way" if given_way else "an option that is not chosen"
            message = f"{address} bears on {what}"
            raise UnknownCode(one.written, message, "reading")


# --- the compiled JSON, for what is not yet typed -------------------------------------------------


def codes() -> tuple[str, ...]:
    """The ids of the codes in the order of their dates, ancestors behind them."""
    return book().ids


def code_data(code: str) -> Json:
    """The compiled JSON of one code. Raises `UnknownCode`."""
    book().code(code)
    return store.load(code)


def vocabulary() -> Json:
    """The compiled vocabulary."""
    return store.load("vocabulary")


def denomination_table() -> Mapping[str, Denomination]:
    """Every denomination of the vocabulary by id."""
    return book().denominations
