"""Lists the silences of a code: topics without a law, and clauses that other codes have.

A question that a general law answers is not a silence (`Relations.general`). The silences related
to each provision are compiled with the lawbook (`made`), since they depend on all codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from oddtrick.law import store
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.fill import fill
from oddtrick.law.model import Code, Provision, Silence
from oddtrick.law.names import and_words

TABLE = "silences"  # the name of the compiled table in its folder


@cache
def clause_names() -> dict[str, str]:
    """The labels of all procedures and figures by id, in the order of the vocabulary."""
    words = book().vocabulary
    return {p.id: p.label for p in words.procedures} | {f.id: f.label for f in words.figures}


def absent_clauses(code: Code) -> dict[str, list[str]]:
    """The labels of the clauses that a code itself declares absent, by reason."""
    labels = clause_names()
    reasons: dict[str, list[str]] = {}
    for name, reason in code.absent.items():
        reasons.setdefault(reason, []).append(labels[name])
    return reasons


@cache
def silences(code: str) -> tuple[Silence, ...]:
    """The silences of a code: topics without a law, then clauses grouped by reason and topics.

    Rare clauses that the vocabulary itself marks as absent are omitted, and so are clauses whose
    topics have no law at all.
    """
    chain = book().chain(code)
    own = {p.address: p.topics for owner in chain for p in owner.provisions}
    treated = {t for a in book().relations.sides[code] for t in own[a]}
    states = {t: s for owner in reversed(chain) for t, s in owner.topics.items()}
    untreated = {t: states[t] for t in book().topics if t in states and t not in treated}
    rare = {p.id: p.absent for p in book().vocabulary.procedures if p.absent}
    labels, where = clause_names(), _clause_topics()
    clauses: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, reason in book().rules(code).absent.items():
        on = where.get(name, ())
        if rare.get(name) != reason and not (on and set(on) <= set(untreated)):
            clauses.setdefault((reason, on), []).append(labels[name])
    return (
        *(
            Silence(code, book().topics[t].label, state.state, state.reason, (t,))
            for t, state in untreated.items()
        ),
        *(
            Silence(code, _listed(names), "absent", reason, on)
            for (reason, on), names in clauses.items()
        ),
    )


def _listed(labels: list[str]) -> str:
    """One label, or several in quotation marks."""
    return labels[0] if len(labels) == 1 else and_words(f"“{label}”" for label in labels)


@cache
def ruled() -> dict[Address, dict[str, None]]:
    """For each provision, the irregularities on which its code rules by that provision."""
    found: dict[Address, dict[str, None]] = {}
    for code in book().codes:
        for entry in code.entries:
            laws = [*entry.provisions, *(p for case in entry.rulings for p in case.provisions)]
            for law in laws:
                found.setdefault(law, {})[entry.irregularity] = None
    return found


@cache
def _sole_rulings() -> dict[Address, list[str]]:
    """For each provision, the irregularities on which its code rules by no other law."""
    law_of = {p.address: p.law for code in book().codes for p in code.provisions}
    pairs = [(address, i) for address, named in ruled().items() for i in named]
    number = Counter((law.code, i) for law, i in {(law_of[a], i) for a, i in pairs if a in law_of})
    found: dict[Address, list[str]] = {}
    for address, irregularity in pairs:
        if number[address.code, irregularity] == 1:
            found.setdefault(address, []).append(irregularity)
    return found


def unruled(irregularity: str, code: str) -> Silence | None:
    """The silence of a code on an irregularity, which may be that it cannot arise.

    `None` if the code has a ruling.
    """
    entry, _ = book().entry(irregularity, code) or (None, None)
    reason = entry and (entry.silent or entry.absent)
    if entry is None or not reason:
        return None
    state = "silent" if entry.silent else "does-not-arise"
    return Silence(code, book().irregularities[irregularity].label, state, str(reason), ())


def silences_beside(address: Address) -> tuple[Silence, ...]:
    """The silences of the other codes on the matter of a provision, in the order of the codes."""
    return _compiled("beside", address)


def silences_near(addresses: Iterable[Address]) -> tuple[Silence, ...]:
    """The silences of a code on matters near some of its provisions.

    These are clauses that it lacks, and irregularities on which only other codes rule.
    """
    return tuple(dict.fromkeys(s for a in addresses for s in _compiled("near", a)))


def _compiled(part: str, address: Address) -> tuple[Silence, ...]:
    table = _table()
    return tuple(fill(Silence, table["silences"][i]) for i in table[part].get(address, ()))


@cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = store.read_or_make(book().home, TABLE, made)
    return found


def made() -> dict[str, Any]:
    """Compile the silences of other codes `beside` each provision, and those of its own code `near`
    it.

    Both map an address to indexes in the list `silences`.
    """
    places: dict[Silence, int] = {}
    table: dict[str, Any] = {"beside": {}, "near": {}}
    for provision in (p for code in book().codes for p in code.provisions if not p.option):
        for part, find in (("beside", _beside), ("near", _near)):
            found = [places.setdefault(s, len(places)) for s in dict.fromkeys(find(provision))]
            table[part] |= {provision.address: found} if found else {}
    return table | {"silences": [s._asdict() for s in places]}


def _beside(provision: Provision) -> Iterator[Silence]:
    for code, answers in book().counterparts(provision.address).items():
        on = [s for s in silences(code) if s.state != "absent" and s.topics == provision.topics[:1]]
        yield from () if answers else on or _absent(provision, code)
        if answers or not on:
            ruled_here = _sole_rulings().get(provision.address, ())
            yield from (s for i in ruled_here if (s := unruled(i, code)))


def _near(provision: Provision) -> Iterator[Silence]:
    code = provision.address.code
    for topic in provision.topics[:1]:
        yield from (s for s in silences_on(code, topic) if s.state == "absent")
    others = book().counterparts(provision.address).values()
    ruled_there = (
        i for answers in others for a in answers for i in _sole_rulings().get(a.address, ())
    )
    yield from (s for i in dict.fromkeys(ruled_there) if (s := unruled(i, code)))


def _absent(provision: Provision, code: str) -> Iterator[Silence]:
    labels, lacks = clause_names(), book().rules(code).absent
    reasons: dict[str, list[str]] = {}
    for name in (*provision.figures, *provision.procedures):
        if name in lacks:
            reasons.setdefault(lacks[name], []).append(labels[name])
    for reason, names in reasons.items():
        yield Silence(code, _listed(names), "absent", reason, ())


def silences_on(code: str, topic: str) -> tuple[Silence, ...]:
    """The silences of a code on a topic."""
    return tuple(s for s in silences(code) if topic in s.topics)


@cache
def _clause_topics() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for provision in (p for code in book().codes for p in code.provisions):
        for name in (*provision.figures, *provision.procedures):
            found.setdefault(name, {}).update(dict.fromkeys(provision.topics[:1]))
    return {name: tuple(topics) for name, topics in found.items()}
