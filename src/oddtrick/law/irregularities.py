"""What the codes give for irregularities, compiled and checked: `laws/irregularities.yaml` and each code's own file.

For every combination of the answers to the facts that an irregularity turns on exactly one ruling applies. A gap,
two rulings of equal rank, an exception that is none or goes in a circle, a fact that decides nothing: each is a
`Problem` at its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from oddtrick.law.cases import BY_ITSELF, applying, combinations, facts_of, reached
from oddtrick.law.problems import Problem, line_of, nearest
from oddtrick.law.typed import case, irregularity

Json = Any

PARTS = ("groups", "facts", "irregularities", "remedies", "choosers", "limits")
"""The lists of the catalogue; in the compiled lawbook they stand in the vocabulary."""


def entries_of(node: Json, code: str, name: str) -> tuple[list[Json], list[Json]]:
    """The entries and the general rules on penalties of a code's irregularities.yaml, with their places and full addresses."""
    entries = [
        entry
        | {
            "file": name,
            "line": entry.place[0],
            "option": entry.get("option"),
            "provisions": _full(entry.get("provisions", []), code),
            "rulings": [_ruling(ruling, code) for ruling in entry.get("rulings", [])],
        }
        for entry in node["irregularities"]
    ]
    penalties = [
        rule | {"provisions": _full(rule["provisions"], code), "file": name, "line": rule.place[0]}
        for rule in node.get("penalties", [])
    ]
    return entries, penalties


def _ruling(ruling: Json, code: str) -> Json:
    """A ruling with its line, its answers as lists, and its addresses in full."""
    found = ruling | {
        "line": ruling.place[0],
        "when": {f: [v] if isinstance(v, str) else v for f, v in ruling.get("when", {}).items()},
    }
    if "provisions" in ruling:
        found["provisions"] = _full(ruling["provisions"], code)
        found["decisions"] = _full(ruling.get("decisions", []), code)
        found["readings"] = [f"{code}:reading.{r}" for r in ruling.get("readings", [])]
    if "remedies" in ruling:
        found["remedies"] = [
            {"remedy": r["remedy"], "chosen_by": BY_ITSELF}
            | r
            | {"provision": _full([r["provision"]], code)[0]}
            for r in ruling["remedies"]
        ]
    return found


def amend(codes: Mapping[str, Json]) -> list[Problem]:
    """Give the entries of codes and options the rulings that they keep of what they amend, in place.

    A code that extends another, and an option, write the rulings that they change or add; one with the id of a
    ruling of the base's entry, or of the code's own, takes its place, and the others stay. One without provisions
    changes only when that ruling holds.
    """
    problems: list[Problem] = []
    plain: dict[str, dict[str, Json]] = {}

    def completed(code: Json) -> dict[str, Json]:
        """The entries of a code without options, its base's among them, with all their rulings."""
        if code["id"] not in plain:
            plain[code["id"]] = {}  # for a base that comes round again
            base = codes.get(code["extends"])
            found = dict(completed(base)) if base else {}
            for entry in sorted(code["irregularities"], key=lambda e: e["option"] is not None):
                kept = found.get(entry["irregularity"], {}).get("rulings", [])
                problems.extend(_amend(entry, kept if entry["rulings"] else []))
                if entry["option"] is None:
                    found[entry["irregularity"]] = entry
            plain[code["id"]] = found
        return plain[code["id"]]

    for code in codes.values():
        completed(code)
    return problems


_WHEN = {"id", "when", "except", "line"}
"""What a ruling has that changes only when another holds."""


def _amend(entry: Json, kept: list[Json]) -> Iterator[Problem]:
    """Give an entry the rulings that it keeps of the one it amends; its new ones stand where it has them."""
    found = {r["id"]: r | {"line": entry["line"]} for r in kept}
    order = list(found)
    before = None
    if len({r["id"] for r in entry["rulings"]}) < len(entry["rulings"]):
        return  # told with the entry
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


def _full(addresses: list[str], code: str) -> list[str]:
    return [a if ":" in a else f"{code}:{a}" for a in addresses]


def catalogue_problems(node: Json, name: str) -> Iterator[Problem]:
    """What is wrong in the catalogue by itself: unknown groups, facts and answers, ids that stand twice."""
    groups = [g["id"] for g in node["groups"]]
    facts = {f["id"]: list(f["values"]) for f in node["facts"]}
    for part in PARTS:
        seen: set[str] = set()
        for index, item in enumerate(node[part]):
            if item["id"] in seen:
                yield Problem(
                    name,
                    line_of(node, [part, index]),
                    f"`{item['id']}` stands twice under `{part}`.",
                )
            seen.add(item["id"])
    used = set()
    for index, item in enumerate(node["irregularities"]):
        line = line_of(node, ["irregularities", index])
        if item["group"] not in groups:
            yield Problem(
                name, line, f"there is no group `{item['group']}`.{nearest(item['group'], groups)}"
            )
        for fact, values in item["facts"].items():
            used.add(fact)
            if fact not in facts:
                yield Problem(name, line, f"there is no fact `{fact}`.{nearest(fact, list(facts))}")
                continue
            for value in values:
                if value not in facts[fact]:
                    yield Problem(
                        name,
                        line,
                        f"`{value}` is no answer to `{fact}`.{nearest(value, facts[fact])}",
                    )
    for index, fact in enumerate(node["facts"]):
        if fact["id"] not in used:
            yield Problem(
                name,
                line_of(node, ["facts", index]),
                f"no irregularity turns on the fact `{fact['id']}`.",
            )


def ruling_problems(codes: Mapping[str, Json], catalogue: Json) -> list[Problem]:
    """What is wrong in the codes' rulings; every judged code has an entry for each irregularity, itself or by its base."""
    table = {i["id"]: i for i in catalogue["irregularities"]}
    found: list[Problem] = []
    for code in codes.values():
        seen: dict[tuple[str, str | None], Json] = {}
        for entry in code["irregularities"]:
            key = (entry["irregularity"], entry["option"])
            if key in seen:
                message = f"`{key[0]}` stands twice in {code['id']}; first at {seen[key]['file']}:{seen[key]['line']}."
                found.append(Problem(entry["file"], entry["line"], message))
            seen.setdefault(key, entry)
            if entry["option"] and entry["option"] not in [o["id"] for o in code["options"]]:
                found.append(
                    Problem(
                        entry["file"],
                        entry["line"],
                        f"{code['id']} has no option `{entry['option']}`.",
                    )
                )
            found += [
                Problem(entry["file"], line, m)
                for line, m in _entry_problems(entry, table[entry["irregularity"]])
            ]
        chain = [code]
        while chain[-1]["extends"] in codes and len(chain) <= len(
            codes
        ):  # a base that comes round again is told elsewhere
            chain.append(codes[chain[-1]["extends"]])
        told = {e["irregularity"] for c in chain for e in c["irregularities"] if not e["option"]}
        if told:
            file = next(e["file"] for c in chain for e in c["irregularities"])
            found += [
                Problem(
                    file,
                    1,
                    f"{code['id']} says nothing of `{i}`: give rulings, or say `silent` or `absent` with the reason.",
                )
                for i in table
                if i not in told and code["judged"]
            ]
    return found


def _entry_problems(entry: Json, item: Json) -> Iterator[tuple[int, str]]:
    """What is wrong in one entry: line and message."""
    name, line = entry["irregularity"], entry["line"]
    rulings = {r["id"]: r for r in entry["rulings"]}
    if [bool(entry["rulings"]), "silent" in entry, "absent" in entry].count(True) != 1:
        yield (
            line,
            f"`{name}` needs rulings, or `silent` or `absent` with the reason, and only one of them.",
        )
        return
    if len(rulings) != len(entry["rulings"]):
        yield line, f"two rulings of `{name}` have the same id."
        return
    sound = True
    cases = {name: case(r) for name, r in rulings.items()}
    for ruling in entry["rulings"]:
        at = ruling["line"]
        if ("remedies" in ruling) == ("silent" in ruling):
            sound = False
            yield (
                at,
                f"the ruling `{ruling['id']}` of `{name}` needs remedies, or `silent` with the reason, and not both.",
            )
        for other in ruling.get("except", []):
            if other not in rulings:
                sound = False
                hint = nearest(other, list(rulings))
                yield at, f"the exception `{other}` of `{name}` is none of its rulings.{hint}"
        if ruling["id"] in reached(ruling["id"], cases):
            sound = False
            yield at, f"the exceptions of `{name}` go in a circle through `{ruling['id']}`."
        for fact, values in ruling["when"].items():
            known = item["facts"].get(fact)
            if known is None:
                sound = False
                yield (
                    at,
                    f"`{name}` does not turn on `{fact}` in the catalogue.{nearest(fact, list(item['facts']))}",
                )
            else:
                for value in set(values) - set(known):
                    sound = False
                    yield (
                        at,
                        f"`{value}` is no answer to `{fact}` for `{name}`.{nearest(value, known)}",
                    )
        choices = {r["choice"] for r in ruling.get("remedies", []) if "choice" in r}
        if choices and choices != set(range(1, len(choices) + 1)):
            sound = False
            yield (
                at,
                f"the choices of the ruling `{ruling['id']}` of `{name}` are not numbered from 1.",
            )
    if sound and rulings:
        yield from _table_problems(entry, item, rulings)


def _table_problems(
    entry: Json, item: Json, rulings: Mapping[str, Json]
) -> Iterator[tuple[int, str]]:
    """Gaps, conflicts, rulings that never apply and facts that never decide, over every combination of the answers."""
    name, line = entry["irregularity"], entry["line"]
    cases = [case(r) for r in rulings.values()]
    facts = facts_of(cases, irregularity(item))
    applied: dict[tuple[str, ...], str] = {}
    told: set[object] = set()
    for answers in combinations(facts):
        found = [c.id for c in applying(cases, answers)]
        if not found and "gap" not in told:
            told.add("gap")
            said = ", ".join(f"{k}: {v}" for k, v in answers.items()) or "no facts"
            yield line, f"no ruling of `{name}` applies for {said}."
        elif len(found) > 1 and tuple(found) not in told:
            told.add(tuple(found))
            first, second = (rulings[i] for i in found[:2])
            said = ", ".join(f"{k}: {v}" for k, v in answers.items()) or "any facts"
            yield (
                second["line"],
                f"`{found[0]}` (line {first['line']}) and `{found[1]}` of `{name}` both apply for {said}: one must give way to the other (`except`).",
            )
        elif found:
            applied[tuple(answers.values())] = found[0]
    if told:
        return
    for ruling in entry["rulings"]:
        if ruling["id"] not in applied.values():
            yield ruling["line"], f"the ruling `{ruling['id']}` of `{name}` can never apply."
    order = list(facts)
    for place, fact in enumerate(order):
        if not any(
            applied[key] != applied[(*key[:place], value, *key[place + 1 :])]
            for key in applied
            for value in facts[fact]
        ):
            yield line, f"the fact `{fact}` decides nothing in `{name}`."
    seen: dict[str, str] = {}
    for ruling in entry["rulings"]:
        same = repr(
            [ruling.get(k) for k in ("remedies", "silent", "says", "provisions", "decisions")]
        )
        if same in seen:
            yield (
                ruling["line"],
                f"the rulings `{seen[same]}` and `{ruling['id']}` of `{name}` are the same: make them one.",
            )
        seen[same] = ruling["id"]
