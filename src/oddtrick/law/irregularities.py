"""Compiles and checks the rulings on irregularities.

Each code must have exactly one ruling for every combination of answers to the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter

from oddtrick.law.cases import BY_ITSELF, applying, combinations, decisive, facts_of, reached
from oddtrick.law.fill import complete
from oddtrick.law.lawbook import Book
from oddtrick.law.model import Entry, Exaction, Irregularity, Json, Ruling
from oddtrick.law.problems import Problem, nearest, repeated


def entries_of(node: Json, code: str) -> tuple[list[Json], list[Json]]:
    """The entries of a code's irregularities.yaml, and its general rules on penalties."""
    entries = [
        complete(Entry, entry, code, {"reading": entry.get("reading", {})})
        for entry in node["irregularities"]
    ]
    for ruling in (ruling for entry in entries for ruling in entry["rulings"]):
        when = (ruling["when"] or {}).items()
        ruling["when"] = {f: [v] if isinstance(v, str) else v for f, v in when}
        if "provisions" in ruling:
            ruling |= {"decisions": [], "readings": []} | ruling
        if "remedies" in ruling:
            ruling["remedies"] = [{"chosen_by": BY_ITSELF} | r for r in ruling["remedies"]]
    return entries, [complete(Exaction, rule, code) for rule in node.get("penalties", [])]


def amend(codes: Mapping[str, Json]) -> list[Problem]:
    """Complete entries, in place, with the rulings that they inherit.

    A code that extends another, an option and a reading state only the rulings that they change or
    add. A ruling without provisions changes only the conditions of the inherited one. An entry
    marked `anew` inherits none.
    """
    problems: list[Problem] = []
    done: dict[str, dict[str, Json]] = {}

    def completed(code: Json) -> dict[str, Json]:
        """The unconditional entries of a code and its base, by irregularity, with all rulings."""
        if code["id"] not in done:
            done[code["id"]] = {}  # in case codes extend each other in a circle
            base = codes.get(code["extends"])
            found = dict(completed(base)) if base else {}
            for entry in sorted(code["irregularities"], key=_conditional):
                inherited = found.get(entry["irregularity"], {}).get("rulings", [])
                complete = not entry["rulings"] or entry.get("anew", False)
                problems.extend(_amend(entry, [] if complete else inherited))
                if not _conditional(entry):
                    found[entry["irregularity"]] = entry
            done[code["id"]] = found
        return done[code["id"]]

    for code in codes.values():
        completed(code)
    return problems


def _conditional(entry: Json) -> bool:
    return entry["option"] is not None or bool(entry["reading"])


_WHEN = {"id", "when", "except", "line"}  # the keys of a ruling that only changes conditions


def _amend(entry: Json, inherited: list[Json]) -> Iterator[Problem]:
    """Complete an entry with inherited rulings; a new one follows the ruling written before it."""
    found = {r["id"]: r | {"line": entry["line"]} for r in inherited}
    order = list(found)
    before = None
    if len({r["id"] for r in entry["rulings"]}) < len(entry["rulings"]):
        return  # reported by `_entry_problems`
    for ruling in entry["rulings"]:
        name = ruling["id"]
        if "provisions" not in ruling and (name not in found or ruling.keys() - _WHEN):
            message = f"the ruling `{name}` of `{entry['irregularity']}` needs provisions."
            yield Problem(entry["file"], ruling["line"], message)
            ruling |= {"provisions": [], "decisions": [], "readings": []}
        if name not in found:
            order.insert(order.index(before) + 1 if before else len(order), name)
        found[name] = ruling if "provisions" in ruling else found[name] | ruling
        before = name
    entry["rulings"] = [found[name] for name in order]


def ruling_problems(book: Book) -> Iterator[Problem]:
    """Rulings are complete and disjoint, and a judged code has an entry for each irregularity."""
    table = book.irregularities
    for code in book.codes:
        options = [o.id for o in code.options]
        for entry, first in repeated(
            code.entries, lambda e: (e.irregularity, e.option, *sorted(e.reading.items()))
        ):
            message = f"`{entry.irregularity}` occurs twice in {code.id}"
            at = f"{first.file}:{first.line}"
            yield Problem(entry.file, entry.line, f"{message}; first at {at}.")
        for entry in code.entries:
            name, file, line = entry.irregularity, entry.file, entry.line
            if entry.option and entry.option not in options:
                yield Problem(file, line, f"`{code.id}` has no option `{entry.option}`.")
            for at_line, message in _entry_problems(entry, table[name]):
                yield Problem(file, at_line, message)
        chain = book.chain(code.id)
        general = [e for c in chain for e in c.entries if e.option is None and not e.reading]
        stated = {e.irregularity for e in general}
        for name in (i for i in table if stated and code.judged and i not in stated):
            message = f"{code.id} does not cover `{name}`: write rulings,"
            file = next(e.file for c in chain for e in c.entries)
            yield Problem(file, 1, f"{message} or `silent` or `absent` with the reason.")


def _entry_problems(entry: Entry, item: Irregularity) -> Iterator[tuple[int, str]]:
    name, line = entry.irregularity, entry.line
    if [bool(entry.rulings), bool(entry.silent), bool(entry.absent)].count(True) != 1:
        need = "rulings, or `silent` or `absent` with the reason, and only one of them"
        yield line, f"`{name}` needs {need}."
        return
    cases = {case.id: case for case in entry.rulings}
    if len(cases) != len(entry.rulings):
        yield line, f"two rulings of `{name}` have the same id."
        return
    found = [
        (case.line, message)
        for case in entry.rulings
        for message in _ruling_problems(case, name, item, cases)
    ]
    yield from found
    if not found and cases:
        yield from _table_problems(name, line, item, cases)
        given = attrgetter("remedies", "silent", "says", "provisions", "decisions")
        for case, twin in repeated(entry.rulings, given):
            message = f"the rulings `{twin.id}` and `{case.id}` of `{name}` are the same"
            yield case.line, f"{message}: merge them."


def _ruling_problems(
    case: Ruling, name: str, item: Irregularity, cases: Mapping[str, Ruling]
) -> Iterator[str]:
    if bool(case.remedies) == bool(case.silent):
        need = "remedies, or `silent` with the reason, and not both"
        yield f"the ruling `{case.id}` of `{name}` needs {need}."
    for other in (o for o in case.gives_way if o not in cases):
        hint = nearest(other, list(cases))
        yield f"the exception `{other}` of `{name}` is not one of its rulings.{hint}"
    if case.id in reached(case.id, cases):
        yield f"the exceptions of `{name}` form a cycle through `{case.id}`."
    for fact, values in case.when:
        known = item.facts.get(fact)
        if known is None:
            hint = nearest(fact, list(item.facts))
            yield f"`{name}` does not depend on `{fact}` in the catalogue.{hint}"
            continue
        for value in (v for v in values if v not in known):
            yield f"`{value}` is not an answer to `{fact}` for `{name}`.{nearest(value, known)}"
    choices = {r.choice for r in case.remedies if r.choice is not None}
    if choices and choices != set(range(1, len(choices) + 1)):
        yield f"the choices of the ruling `{case.id}` of `{name}` are not numbered from 1."


def _table_problems(
    name: str, line: int, item: Irregularity, cases: Mapping[str, Ruling]
) -> Iterator[tuple[int, str]]:
    """Yield gaps, conflicts, rulings that never apply and facts that make no difference."""
    facts = facts_of(cases.values(), item)
    applied: dict[tuple[str, ...], str] = {}
    reported: set[tuple[str, ...]] = set()
    for answers in combinations(facts):
        found = [c.id for c in applying(cases.values(), answers)]
        facts_given = ", ".join(f"{k}: {v}" for k, v in answers.items())
        if len(found) == 1:
            applied[tuple(answers.values())] = found[0]
        elif tuple(found) not in reported:
            reported.add(tuple(found))
            if not found:
                yield line, f"no ruling of `{name}` applies for {facts_given or 'no facts'}."
                continue
            first, second = (cases[i] for i in found[:2])
            both = f"`{first.id}` (line {first.line}) and `{second.id}` of `{name}` both apply"
            way = "one must give way to the other (`except`)"
            yield second.line, f"{both} for {facts_given or 'any facts'}: {way}."
    if reported:
        return
    for case in (c for c in cases.values() if c.id not in applied.values()):
        yield case.line, f"the ruling `{case.id}` of `{name}` can never apply."
    turning = set(decisive(applied, facts))
    for fact in (f for f in facts if f not in turning):
        yield line, f"no ruling of `{name}` depends on the fact `{fact}`."
