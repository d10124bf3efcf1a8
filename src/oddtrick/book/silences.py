"""What a code has not, in its own words: the topics without a law, and the clauses that it lacks.

Three things are told apart: the code is silent where the question can arise, the topic does not
arise in it, or it does not have a clause that other codes have under the topic. What a general law
of a code answers is no silence: it is told with the parallel (`Relations.general`).
"""

from __future__ import annotations

from typing import NamedTuple

from oddtrick.law.book import book, kept
from oddtrick.law.in_force import in_force
from oddtrick.law.model import STATES as TOPIC_STATES
from oddtrick.law.model import Treatment
from oddtrick.law.parallels import load

STATES = TOPIC_STATES | {"absent": "not in the code"}
"""How a code stands to what it has not, in words."""


class Silence(NamedTuple):
    """What a code has not: the topic or the clause by name, which of `STATES`, the reason in the
    code's own words, and the topics that it belongs to.
    """

    code: str
    label: str
    state: str
    reason: str
    topics: tuple[str, ...]


@kept
def clause_names() -> dict[str, str]:
    """What every procedure and every figure is called, by id, in the order of the vocabulary."""
    words = book().vocabulary
    return {p.id: p.label for p in words.procedures} | {f.id: f.label for f in words.figures}


@kept
def silences(code: str) -> tuple[Silence, ...]:
    """What a code has not: the topics without a law in force, in the order of the vocabulary; then
    the clauses that it lacks under the others, those with the same reason and topics as one. A
    rare clause, which the vocabulary denies for all codes but a few, is nobody's silence.
    """
    untold = _untreated(code)
    rare = {p.id: p.absent for p in book().vocabulary.procedures if p.absent}
    labels, where = clause_names(), _where()
    clauses: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, reason in in_force(code).absent.items():
        on = where.get(name, ())
        if rare.get(name) != reason and not (on and set(on) <= set(untold)):
            clauses.setdefault((reason, on), []).append(labels[name])
    return (
        *(
            Silence(code, book().topics[t].label, state.state, state.reason, (t,))
            for t, state in untold.items()
        ),
        *(
            Silence(code, ", ".join(names), "absent", reason, on)
            for (reason, on), names in clauses.items()
        ),
    )


@kept
def _untreated(code: str) -> dict[str, Treatment]:
    """The topics without a law in force, each with its state and the reason."""
    chain = book().chain(code)
    own = {p.address: p.topics for owner in chain for p in owner.provisions}
    treated = {t for a in load().sides[code] for t in own[a]}
    states = {t: s for owner in reversed(chain) for t, s in owner.topics.items()}
    return {t: states[t] for t in book().topics if t in states and t not in treated}


def silence_text(found: Silence) -> str:
    """A silence as a sentence or two: `Auction 1926, Bystanders: silent. ...`."""
    return f"{book().code(found.code).short}, {found.label}: {STATES[found.state]}. {found.reason}"


def silences_on(code: str, topic: str) -> tuple[Silence, ...]:
    """What a code has not under one topic."""
    return tuple(s for s in silences(code) if topic in s.topics)


@kept
def _where() -> dict[str, tuple[str, ...]]:
    """For each clause the topics under which the codes that have it file it first."""
    found: dict[str, dict[str, None]] = {}
    for provision in (p for code in book().codes for p in code.provisions):
        for name in (*provision.figures, *provision.procedures):
            found.setdefault(name, {}).update(dict.fromkeys(provision.topics[:1]))
    return {name: tuple(topics) for name, topics in found.items()}
