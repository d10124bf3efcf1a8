"""The lawbook in use: the law in force under a code and its options, and where each of its rules stands.

Built from compiled JSON alone (`lawcache`), so it runs in a browser as well. A code, its options and its base
are layers: an option before the code, the code before what it extends. A figure or a procedure comes from
the first layer that has it, with the address of its provision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from oddtrick.cards import Suit
from oddtrick.law import store

Json = Any


@dataclass(frozen=True, slots=True)
class Rule:
    """A figure or a procedure in force: its value, the address it stands at, the readings it rests on."""

    name: str
    value: Any
    law: str
    readings: tuple[str, ...] = ()
    touched: tuple[tuple[str, str], ...] = ()

    def readings_of(self, cell: str) -> tuple[str, ...]:
        """The readings that one cell of the figure rests on, besides those of the whole."""
        return self.readings + tuple(r for c, r in self.touched if c == cell)


@dataclass(frozen=True, slots=True)
class Denomination:
    """A denomination of the vocabulary: its words, its trump suit if it has one, what it is the royal of."""

    id: str
    label: str
    one: str
    short: str
    suit: Suit | None
    royal_of: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The law in force under one code with its options.

    `rules` holds figures and procedures by name, `absent` those the code does not have, with the reason;
    `behind` the laws behind each finding, `silent` the reason where no law is. What the code gives for an
    irregularity is told by `rulings`.
    """

    code: str
    options: tuple[str, ...]
    short: str
    rules: Mapping[str, Rule] = field(repr=False)
    absent: Mapping[str, str] = field(repr=False)
    behind: Mapping[str, tuple[str, ...]] = field(repr=False)
    silent: Mapping[str, str] = field(repr=False)
    denominations: Mapping[str, Denomination] = field(repr=False)

    def get(self, name: str) -> Rule | None:
        """The rule of that name, or `None` where the code has none."""
        return self.rules.get(name)

    def value(self, name: str) -> Any:
        """The value of a rule; `None` where the code has none."""
        rule = self.rules.get(name)
        return rule.value if rule else None

    def laws(self, *names: str) -> tuple[str, ...]:
        """The addresses of the named rules that the code has, each once, in that order."""
        return tuple(dict.fromkeys(self.rules[n].law for n in names if n in self.rules))

    def readings(self, *names: str) -> tuple[str, ...]:
        """The readings that the named rules rest on as a whole."""
        return tuple(
            dict.fromkeys(r for n in names if n in self.rules for r in self.rules[n].readings)
        )

    def denomination(self, name: str) -> Denomination | None:
        """A denomination of this code, or `None` where the code has no such one."""
        return self.denominations.get(name)

    def order(self) -> tuple[str, ...]:
        """The ids of the code's denominations as the law lists them, lowest first."""
        return tuple(self.rules["denominations"].value) if "denominations" in self.rules else ()


class UnknownCode(LookupError):
    """No such code or option, or options that exclude each other; `what` is `code` or `option`."""

    def __init__(self, name: str, message: str, what: str = "code") -> None:
        self.name, self.what = name, what
        super().__init__(message)


def codes() -> tuple[str, ...]:
    """The ids of the codes in the order of their dates."""
    return tuple(store.load("index"))


def judged_codes() -> tuple[str, ...]:
    """The ids of the codes that the checker judges; the others can be read, compared and cited."""
    return tuple(c for c in codes() if code_data(c)["judged"])


@cache
def code_data(code: str) -> Json:
    """The compiled JSON of one code. Raises `UnknownCode`."""
    if code not in codes():
        raise UnknownCode(code, f"there is no code `{code}`; there are {', '.join(codes())}")
    return store.load(code)


@cache
def vocabulary() -> Json:
    """The compiled vocabulary."""
    return store.load("vocabulary")


@cache
def column_name(column: str, code: str) -> str:
    """What a code calls a column of its score, `trick`, `honour` or `total`: `honour score`, `penalty and bonus score`."""
    if column == "total":
        return "total"
    data = code_data(code)
    own = data["terms"].get(f"{column}-score")
    if own is None and data["extends"]:
        return column_name(column, data["extends"])
    return str(own).lower() if own else f"{column} score"


@cache
def denomination_table() -> Mapping[str, Denomination]:
    """Every denomination of the vocabulary by id."""
    return {
        d["id"]: Denomination(
            d["id"],
            d["label"],
            d["one"],
            d["short"],
            Suit(d["suit"]) if d["suit"] else None,
            d.get("royal_of"),
        )
        for d in vocabulary()["denominations"]
    }


def rules_for(code: str, options: Iterable[str] = ()) -> Rules:
    """The law in force under a code with its options.

    Raises `UnknownCode` for a code or an option that does not exist, or options that exclude each other.
    """
    return _rules_for(code, tuple(dict.fromkeys(options)))


@cache
def _rules_for(code: str, options: tuple[str, ...]) -> Rules:
    data = code_data(code)
    offered = {o["id"]: o for o in data["options"]}
    for option in options:
        if option not in offered:
            listed = ", ".join(offered) or "none"
            raise UnknownCode(option, f"{code} has no option `{option}`; it has {listed}", "option")
        clash = [o for o in offered[option].get("excludes", []) if o in options]
        if clash:
            raise UnknownCode(
                option, f"the options `{option}` and `{clash[0]}` exclude each other", "option"
            )
    chain = [data]
    while chain[-1]["extends"]:
        chain.append(code_data(chain[-1]["extends"]))
    layers: list[tuple[Json, str | None]] = [(data, o) for o in reversed(options)] + [
        (c, None) for c in chain
    ]
    displaced = _displaced(layers)
    rules: dict[str, Rule] = {}
    absent: dict[str, str] = {}
    for owner, layer in layers:
        found = _layer_rules(owner, layer, displaced, options)
        denied = offered[layer]["absent"] if layer else owner["absent"]
        for name, rule in found.items():
            if name not in rules and name not in absent:
                rules[name] = rule
        for name, reason in denied.items():
            if name not in rules:
                absent.setdefault(name, reason)
    for owner in chain:
        for reading in active_readings(owner, options):
            for name, cells in reading.get("touches", {}).items():
                base = rules.get(name)
                if (
                    base
                    and base.law in reading["places"]
                    and not base.law.startswith(f"{owner['id']}:")
                ):
                    rules[name] = _doubted(
                        base, reading["address"], cells
                    )  # a base's figure that stands in doubt here
    behind: dict[str, tuple[str, ...]] = {}
    silent: dict[str, str] = {}
    for owner in chain:
        for finding, value in owner["findings"].items():
            if finding in behind or finding in silent:
                continue
            if isinstance(value, dict):
                silent[finding] = value["silent"]
            else:
                behind[finding] = tuple(value)
    table = denomination_table()
    names = rules["denominations"].value if "denominations" in rules else ()
    known = {n: table[n] for n in names}
    return Rules(code, options, data["short"], rules, absent, behind, silent, known)


def _doubted(rule: Rule, reading: str, cells: list[str]) -> Rule:
    """The rule with one reading more that it rests on: as a whole, or in some of its cells."""
    if not cells:
        return replace(rule, readings=(*rule.readings, reading))
    return replace(rule, touched=(*rule.touched, *((c, reading) for c in cells)))


def _displaced(layers: list[tuple[Json, str | None]]) -> set[str]:
    return {
        address
        for owner, option in layers
        for provision in owner["provisions"]
        if provision["option"] == option
        for address in provision["displaces"]
    }


def in_force(address: str, law: str, displaced: set[str]) -> bool:
    """Whether a provision stands: neither it, nor what it is a part of, nor its law is displaced."""
    return not any(address == d or law == d or address.startswith(d + ".") for d in displaced)


def active_readings(owner: Json, options: tuple[str, ...]) -> list[Json]:
    """The readings of a code that bear on it with these options: those of places that are in force with them."""
    option_of = {law["address"]: law["option"] for law in owner["laws"]}
    option_of |= {p["address"]: p["option"] for p in owner["provisions"]}
    return [
        reading
        for reading in owner["readings"]
        if any(
            option_of.get(place) is None or option_of[place] in options
            for place in reading["places"]
        )
    ]


def _layer_rules(
    owner: Json, option: str | None, displaced: set[str], options: tuple[str, ...]
) -> dict[str, Rule]:
    readings = active_readings(owner, options)
    touched: dict[str, list[tuple[str, str]]] = {}
    whole: dict[str, list[str]] = {}
    for reading in readings:
        for name, cells in reading.get("touches", {}).items():
            touched.setdefault(name, []).extend((c, reading["address"]) for c in cells)
            if not cells:
                whole.setdefault(name, []).append(reading["address"])
    found: dict[str, Rule] = {}
    for provision in owner["provisions"]:
        if provision["option"] != option or not in_force(
            provision["address"], provision["law"], displaced
        ):
            continue
        for name, value in {**provision["procedures"], **provision["figures"]}.items():
            found.setdefault(
                name,
                Rule(
                    name,
                    value,
                    provision["address"],
                    tuple(whole.get(name, ())),
                    tuple(touched.get(name, ())),
                ),
            )
    if option is None:
        for reading in readings:
            for name, value in {
                **reading.get("procedures", {}),
                **reading.get("figures", {}),
            }.items():
                found.setdefault(name, Rule(name, value, reading["address"], (reading["address"],)))
    return found
