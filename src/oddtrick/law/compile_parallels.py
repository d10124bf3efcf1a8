"""`laws/rules.yaml` compiled: which provisions of several codes are one rule, and what changed in it.

Every provision that is in no option belongs to a rule or stands alone; codes that are marked as having the
same rule have it in the same words; versions that differ do differ. What is wrong is a `Problem` at its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddtrick.law.problems import Problem, line_of, nearest, read_yaml, schema_problems

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Json = Any


def compile_rules(
    laws: Path, codes: dict[str, Json], check: Draft202012Validator
) -> tuple[dict[str, Json], list[Problem]]:
    """The compiled rules (`rules`, `alone`, `sides`) and their problems.

    `sides` has for each code the addresses of its law in force: its own provisions without options, and of the
    code it extends those that it does not displace. A lawbook of one code needs no file.
    """
    empty = {"rules": [], "alone": {}, "sides": {c: side(c, codes) for c in codes}}
    path = laws / "rules.yaml"
    name = path.relative_to(laws.parent).as_posix()
    if not path.exists():
        missing = Problem(name, 1, "is missing: several codes need their rules told together.")
        return empty, [missing] if len(codes) > 1 else []
    node, problems = read_yaml(path, name)
    if node is None:
        return empty, problems
    problems = list(schema_problems(node, name, check))
    if problems:
        return empty, problems
    book = {p["address"]: p for c in codes.values() for p in c["provisions"]}
    rules = [
        rule | {"members": {c: [f"{c}:{a}" for a in found] for c, found in rule["members"].items()}}
        for rule in node["rules"]
    ]
    alone = {c: [f"{c}:{a}" for a in found] for c, found in node["alone"].items()}
    problems += [
        Problem(name, line_of(node, path), m) for path, m in _rule_problems(rules, book, codes)
    ]
    problems += [
        Problem(name, line_of(node, path), m) for path, m in _account_problems(rules, alone, book)
    ]
    return {"rules": rules, "alone": alone, "sides": empty["sides"]}, problems


def side(code: str, codes: dict[str, Json]) -> list[str]:
    """The addresses of the law in force under a code without options, its own before its base's."""
    own = codes[code]
    found = [p["address"] for p in own["provisions"] if p["option"] is None]
    displaced = {d for p in own["provisions"] if p["option"] is None for d in p["displaces"]}
    base = codes.get(own["extends"])
    if base:
        found += [
            p["address"]
            for p in base["provisions"]
            if p["option"] is None
            and not any(
                p["address"] == d or p["law"] == d or p["address"].startswith(d + ".")
                for d in displaced
            )
        ]
    return found


def _rule_problems(
    rules: list[Json], book: dict[str, Json], codes: dict[str, Json]
) -> Iterator[tuple[list[Any], str]]:
    """What is wrong in a rule by itself: the place in the file and the message."""
    seen: dict[str, int] = {}
    for index, rule in enumerate(rules):
        name = rule["id"]
        if name in seen:
            yield ["rules", index], f"the rule `{name}` stands twice."
        seen[name] = index
        unknown = False
        for code, members in rule["members"].items():
            where = ["rules", index, "members", code]
            if code not in codes:
                unknown = True
                yield where, f"there is no code `{code}`.{nearest(code, list(codes))}"
            for address in members if code in codes else []:
                if address not in book:
                    unknown = True
                    yield where, f"`{address}` does not exist.{nearest(address, list(book))}"
                elif book[address]["option"]:
                    yield (
                        where,
                        f"`{address}` belongs to an option; options say what they displace.",
                    )
        if unknown:
            continue
        says = rule.get("says") or [{"codes": list(rule["members"]), "text": ""}]
        told = [c for entry in says for c in entry["codes"]]
        if sorted(told) != sorted(rule["members"]):
            yield ["rules", index], f"`says` of `{name}` must name each of its codes once."
            continue
        if says and all(entry.get("differs") for entry in says):
            yield (
                ["rules", index],
                f"every version of `{name}` differs: one must be the one they differ from.",
            )
        for entry in says:
            if "like" in entry and (entry["like"] not in told or entry["like"] in entry["codes"]):
                yield (
                    ["rules", index],
                    f"`{entry['like']}` is no other version of `{name}` to be like.",
                )
            if [e["text"] for e in says].count(entry["text"]) > 1:
                yield (
                    ["rules", index],
                    f"two versions of `{name}` are told in the same words; say what differs.",
                )
                break
        versions: dict[tuple[str, ...], str] = {}
        for entry in says:
            words = {c: tuple(book[a]["text"] for a in rule["members"][c]) for c in entry["codes"]}
            first = entry["codes"][0]
            for code in entry["codes"][1:]:
                if words[code] != words[first]:
                    yield (
                        ["rules", index],
                        f"`{name}` is marked as the same rule in {first} and {code}, but their words differ.",
                    )
            if words[first] in versions:
                yield (
                    ["rules", index],
                    f"`{name}` has the same words in {versions[words[first]]} and {first}: they are one version.",
                )
            versions[words[first]] = first


def _account_problems(
    rules: list[Json], alone: dict[str, list[str]], book: dict[str, Json]
) -> Iterator[tuple[list[Any], str]]:
    """Provisions that are in no rule and not alone, or both; the same words in two codes without a rule."""
    in_rules: dict[str, set[str]] = {}
    for rule in rules:
        for members in rule["members"].values():
            for address in members:
                in_rules.setdefault(address, set()).add(rule["id"])
    listed = {a for found in alone.values() for a in found}
    for address in sorted(listed - set(book)):
        yield (
            ["alone", address.partition(":")[0]],
            f"`{address}` does not exist.{nearest(address, list(book))}",
        )
    for address in sorted(listed & set(in_rules)):
        yield (
            ["alone", address.partition(":")[0]],
            f"`{address}` is called alone, but belongs to the rule `{min(in_rules[address])}`.",
        )
    by_words: dict[str, str] = {}
    for address, provision in book.items():
        if provision["option"]:
            continue
        if address not in in_rules and address not in listed:
            yield (
                ["alone", address.partition(":")[0]],
                f"`{address}` is not accounted for: put it in a rule, or under `alone`.",
            )
        other = by_words.setdefault(provision["text"], address)
        apart = other.partition(":")[0] != address.partition(":")[0]
        if apart and not in_rules.get(address, set()) & in_rules.get(other, set()):
            yield (
                ["rules"],
                f"`{other}` and `{address}` have the same words, but no rule holds both.",
            )
