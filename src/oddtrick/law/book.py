"""The lawbook: every code, the vocabulary and the parallels as typed objects, read from the
compiled files on demand.

Nothing beyond this module and the store knows the JSON. Reads one file for one code, so that a
command that shows a law starts fast, and needs the standard library alone, so that it runs in a
browser too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, wraps

from oddtrick.law import store, typed
from oddtrick.law.address import Address
from oddtrick.law.cases import together
from oddtrick.law.model import (
    AMOUNTS,
    Code,
    Counterpart,
    Denomination,
    Entry,
    EveningStep,
    Fact,
    Irregularity,
    Law,
    Parallels,
    PassageKind,
    Procedure,
    Provision,
    Remedy,
    Story,
    Topic,
    Vocabulary,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    Asked = ParamSpec("Asked")
    Found = TypeVar("Found")


class UnknownCode(LookupError):
    """No such code or option, or options that exclude each other; `what` is `code` or `option`."""

    def __init__(self, name: str, message: str, what: str = "code") -> None:
        self.name, self.what = name, what
        super().__init__(message)


class Lawbook:
    """The codes in the order of their dates, ancestors behind them, the vocabulary, the parallels;
    each read when it is asked for.

    `names` has the codes' short names by id, `ids` the ids.
    """

    def __init__(self) -> None:
        self.names: Mapping[str, str] = store.load("index")
        self.ids: tuple[str, ...] = tuple(self.names)
        self._codes: dict[str, Code] = {}

    def meant(self, name: str) -> tuple[str, ...]:
        """The codes that a wrong name may mean, by id: all that have its words, or the nearest."""
        import difflib  # neither is of use to a command that is right
        import re

        said = re.findall(r"[a-z]+|\d+", name.lower())
        fit = tuple(i for i in self.ids if said and set(said) <= set(i.split("-")))
        words = {word: i for i in reversed(self.ids) for word in (i, i.partition("-")[0])}
        near = difflib.get_close_matches(name.lower(), words, n=1)
        return fit or tuple(words[n] for n in near)

    def code(self, name: str) -> Code:
        """One code. Raises `UnknownCode`."""
        if name not in self._codes:
            if name not in self.ids:
                listed, meant = ", ".join(self.ids), " or ".join(self.meant(name))
                hint = f" (did you mean {meant}?)" if meant else ""
                raise UnknownCode(name, f"there is no code `{name}`{hint}; there are {listed}")
            self._codes[name] = typed.code(store.load(name))
        return self._codes[name]

    @property
    def codes(self) -> tuple[Code, ...]:
        """Every code."""
        return tuple(self.code(i) for i in self.ids)

    @cached_property
    def principal(self) -> tuple[str, ...]:
        """The codes that are compared and searched where none is named: all but the ancestors."""
        return tuple(code.id for code in self.codes if not code.ancestor) or self.ids

    @cached_property
    def by_date(self) -> tuple[str, ...]:
        """Every code in the order of their dates, the ancestors among the others."""
        dated = sorted(enumerate(self.codes), key=lambda item: (item[1].date, item[0]))
        return tuple(code.id for _, code in dated)

    def chain(self, name: str) -> tuple[Code, ...]:
        """A code, the code that it extends, and so on."""
        found = [self.code(name)]
        while found[-1].extends:
            found.append(self.code(found[-1].extends))
        return tuple(found)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """How one provision can stand to another, in words."""
        kinds: Mapping[str, str] = store.load("kinds")
        return kinds

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The closed lists that all codes share."""
        return typed.vocabulary(store.load("vocabulary"))

    @cached_property
    def evening(self) -> tuple[EveningStep, ...]:
        """How an evening goes: the steps in order, with the sentences of all codes; none where the
        lawbook does not tell it.
        """
        return typed.evenings(store.load("evenings"))

    @cached_property
    def stories(self) -> dict[str, Story]:
        """The story of each topic, by topic in their order; none where the lawbook tells none."""
        return {s.topic: s for s in typed.stories(store.load("stories"))}

    @cached_property
    def parallels(self) -> Parallels:
        """One rule through several codes, for every rule."""
        return typed.parallels(store.load("parallels"))

    @cached_property
    def denominations(self) -> dict[str, Denomination]:
        """Every denomination of the vocabulary by its id."""
        return {d.id: d for d in self.vocabulary.denominations}

    @cached_property
    def topics(self) -> dict[str, Topic]:
        """Every topic of the vocabulary by its id."""
        return {t.id: t for t in self.vocabulary.topics}

    @cached_property
    def procedures(self) -> dict[str, Procedure]:
        """Every procedure of the vocabulary by its id."""
        return {p.id: p for p in self.vocabulary.procedures}

    @cached_property
    def irregularities(self) -> dict[str, Irregularity]:
        """Every irregularity of the catalogue by its id."""
        return {i.id: i for i in self.vocabulary.irregularities}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every fact of the catalogue by its id."""
        return {f.id: f for f in self.vocabulary.facts}

    @cached_property
    def _provisions(self) -> dict[str, dict[str, Provision]]:
        return {}

    def provision(self, address: str) -> Provision | None:
        """The provision at an address; `None` where there is none, and for a law with several
        paragraphs.
        """
        code = Address(address).code
        if code not in self.ids:
            return None
        if code not in self._provisions:
            self._provisions[code] = {p.address: p for p in self.code(code).provisions}
        return self._provisions[code].get(address)

    def passage(self, address: str) -> PassageKind | None:
        """The kind of passage that stands at an address; `None` where its code declares none."""
        code, _, local = address.partition(":")
        first, *below = local.split(".")
        kinds = self.code(code).passages if code in self.ids else ()
        under = (k for k in kinds if k.attached and k.id in below[-1:])
        return next(under, next((k for k in kinds if not k.attached and k.id == first), None))

    @cached_property
    def passage_words(self) -> tuple[dict[str, str], dict[str, str]]:
        """What people call the kinds of passages, word to kind; then those under a law."""
        kinds: dict[str, str] = {}
        attached: dict[str, str] = {}
        for kind in (k for code in self.codes for k in code.passages):
            (attached if kind.attached else kinds).update(dict.fromkeys(kind.said, kind.id))
        return kinds, attached

    @cached_property
    def _laws(self) -> dict[str, dict[str, Law]]:
        return {}

    def law(self, address: Address) -> Law | None:
        """The law in which an address stands: itself, or what it is below; `None` for a reading or
        a code.
        """
        code = address.code
        if code not in self.ids:
            return None
        if code not in self._laws:
            self._laws[code] = {law.number: law for law in self.code(code).laws}
        number = address.local
        while number and number not in self._laws[code]:
            number = number.rpartition(".")[0]
        return self._laws[code].get(number)

    def counterparts(self, address: Address) -> dict[str, tuple[Counterpart, ...]]:
        """For each other code what answers a provision there, in order; none: no counterpart.

        For a provision that is in force without options; empty for any other.
        """
        found = store.load(f"{address.code}.counterparts") or {}
        return {
            code: tuple(typed.counterpart(c) for c in answers)
            for code, answers in found.get(address, {}).items()
        }

    def entry(
        self, irregularity: str, code: str, options: Iterable[str] = ()
    ) -> tuple[Entry, Code] | None:
        """The entry of an irregularity that is in force under a code, and the code that has it.

        One of an option or a chosen reading goes before the code's, of more of them before one of
        less, the code's before its base's; `None` where none speaks of it. Those of several
        readings are put together (`cases.together`, which may raise `Clash`).
        """
        taken = set(options)
        for owner in self.chain(code):
            entries = (e for e in owner.entries if e.irregularity == irregularity)
            found = [(held, e) for e in entries if taken >= (held := _held(e, owner))]
            last = [e for held, e in found if not any(held < other for other, _ in found)]
            if len(last) > 1:
                general = next((e for held, e in found if not held), None)
                return (together(general, last) if general else last[0]), owner
            if last:
                return last[0], owner
        return None

    def amount(self, remedy: Remedy) -> int | None:
        """The amount that a remedy's provision prints for it: points, tricks or a limit; `None` for
        none.
        """
        provision = self.provision(remedy.provision) if remedy.figure else None
        if provision is None or remedy.figure is None:
            return None
        found = (provision.figures.get(f) for f in AMOUNTS[remedy.figure])
        return next((number for number in found if isinstance(number, int)), None)


def _held(entry: Entry, owner: Code) -> set[str]:
    """What must be among the options for an entry to hold: its option, its chosen readings."""
    chosen = {
        f"{reading if ':' in reading else f'{owner.id}:{reading}'}={choice}"
        for reading, choice in entry.reading.items()
    }
    return chosen | ({entry.option} if entry.option else set())


def document() -> dict[str, object]:
    """The lawbook as plain data for other programs, as `laws/schema/lawbook.schema.json` has it.

    The compiled files as they are, without what only this program needs: files and lines, the
    places of a code, the cells of tables.
    """
    parallels, vocabulary = store.load("parallels"), store.load("vocabulary")
    codes = [{k: v for k, v in store.load(c).items() if k != "places"} for c in book().ids]
    return {
        "vocabulary": {k: v for k, v in vocabulary.items() if k != "cells"},
        "codes": _without_lines(codes),
        "rules": parallels["all"],
        "alone": parallels["alone"],
        "in_force": parallels["sides"],
    }


def _without_lines(value: object) -> object:
    if isinstance(value, dict):
        return {k: _without_lines(v) for k, v in value.items() if k not in ("file", "line")}
    return [_without_lines(v) for v in value] if isinstance(value, list) else value


_books: list[tuple[int, Lawbook]] = []


def book() -> Lawbook:
    """The lawbook in use: of the package, of `ODDTRICK_LAWS`, or of a folder of compiled files
    (`store.use`).

    Raises `LawDataError` where the law data have problems.
    """
    if not _books or _books[0][0] != store.identity():
        _books[:] = [(store.identity(), Lawbook())]
    return _books[0][1]


MOST_KEPT = 10_000
"""Of how many keys a function keeps what it found."""


def kept(ask: Callable[Asked, Found]) -> Callable[Asked, Found]:
    """A function of the lawbook in use that asks once for the same and keeps what it found.

    Its arguments are keys without names. What it gives is not to be changed. What people write may
    be asked for without end: after `MOST_KEPT` it begins anew.
    """
    of: list[int] = []
    found: dict[tuple[object, ...], Found] = {}

    @wraps(ask)
    def asked(*key: Asked.args, **named: Asked.kwargs) -> Found:
        if not of or of[0] != store.identity() or len(found) >= MOST_KEPT:
            of[:] = [store.identity()]
            found.clear()
        if key not in found:
            found[key] = ask(*key, **named)
        return found[key]

    return asked
