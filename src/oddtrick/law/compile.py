"""From the YAML of `laws/` to one compiled lawbook: read, validate, cross, compile.

Problems are values with a file and a line (`Problem`), never exceptions. This module needs PyYAML
and jsonschema; what runs afterwards (`lawbook`) reads the compiled JSON and needs neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddtrick.law.compile_parallels import compile_rules
from oddtrick.law.irregularities import PARTS, catalogue_problems, entries_of, ruling_problems
from oddtrick.law.model import AMOUNTS
from oddtrick.law.problems import Problem, line_of, nearest, read_yaml, schema_problems
from oddtrick.law.schema import schemas, validators
from oddtrick.paths import folder

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Json = Any


@dataclass(frozen=True, slots=True)
class Compiled:
    """The compiled lawbook as plain JSON, and every problem found on the way."""

    book: dict[str, Json]
    problems: tuple[Problem, ...]


def full_address(code: str, address: str) -> str:
    """The address with its code in front."""
    return address if ":" in address else f"{code}:{address}"


def compile_laws(laws: Path | None = None) -> Compiled:
    """Read, validate, cross and compile a folder of law data (the shipped one by default).

    The result is usable only where `problems` is empty; what could be read is in `book` all the same.
    """
    laws = laws or folder("laws")
    base = laws.parent
    problems: list[Problem] = []
    vocabulary_name = _name(laws / "vocabulary.yaml", base)
    vocabulary, bad = read_yaml(laws / "vocabulary.yaml", vocabulary_name)
    problems += bad
    if not isinstance(vocabulary, dict):
        return Compiled(
            {}, (*problems, *([] if bad else [Problem(vocabulary_name, 1, "is empty.")]))
        )
    catalogue_name = _name(laws / "irregularities.yaml", base)
    catalogue, bad = read_yaml(laws / "irregularities.yaml", catalogue_name)
    problems += bad
    check = validators(
        schemas(laws, vocabulary | (catalogue if isinstance(catalogue, dict) else {}))
    )
    problems += schema_problems(vocabulary, vocabulary_name, check["vocabulary.schema.json"])
    if catalogue is not None:
        wrong = list(schema_problems(catalogue, catalogue_name, check["catalogue.schema.json"]))
        problems += wrong or catalogue_problems(catalogue, catalogue_name)
    words, bad = _list_of("words", "words", laws, base, check)
    collation, more = _list_of("collation", "exceptions", laws, base, check)
    problems += bad + more
    if problems:
        return Compiled({}, tuple(problems))
    vocabulary |= {"words": words, "collation": collation} | {
        part: catalogue[part] for part in PARTS
    }
    codes: dict[str, Json] = {}
    for home in sorted(p.parent for p in laws.glob("*/code.yaml")):
        code, bad = _compile_code(home, base, check)
        problems += bad
        if code:
            codes[code["id"]] = code
    if problems:  # what a refused file has would be missed everywhere else
        return Compiled({"vocabulary": vocabulary, "codes": codes}, tuple(problems))
    problems += cross(codes, vocabulary)
    order = sorted(codes, key=lambda c: (codes[c]["date"], codes[c]["extends"] is not None, c))
    codes = {c: codes[c] for c in order}
    rules, bad = compile_rules(laws, codes, check["rules.schema.json"])
    problems += bad
    rules |= {"names": {c: d["short"] for c, d in codes.items()}, "kinds": vocabulary["kinds"]}
    return Compiled({"vocabulary": vocabulary, "codes": codes, "rules": rules}, tuple(problems))


def _list_of(
    stem: str, key: str, laws: Path, base: Path, check: dict[str, Draft202012Validator]
) -> tuple[Json, list[Problem]]:
    """The list of a file beside the vocabulary (words.yaml, collation.yaml), where there is one."""
    path = laws / f"{stem}.yaml"
    if not path.exists():
        return [], []
    node, problems = read_yaml(path, _name(path, base))
    if node is not None:
        problems = list(schema_problems(node, _name(path, base), check[f"{stem}.schema.json"]))
    return ([], problems) if problems else (node[key], [])


def _name(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix()


def _compile_code(
    home: Path, base: Path, check: dict[str, Draft202012Validator]
) -> tuple[Json, list[Problem]]:
    problems: list[Problem] = []
    nodes: dict[str, Json] = {}
    for path in sorted(home.glob("*.yaml")):
        name = _name(path, base)
        node, bad = read_yaml(path, name)
        problems += bad
        if node is None:
            continue
        kind = (
            path.stem if path.stem in ("code", "readings", "findings", "irregularities") else "laws"
        )
        schema = check[f"{kind}.schema.json"]
        bad = list(schema_problems(node, name, schema))
        problems += bad
        if not bad:
            nodes[name] = node
    head_name = _name(home / "code.yaml", base)
    if head_name not in nodes:
        return None, problems
    head = nodes[head_name]
    if head["id"] != home.name:
        problems.append(
            Problem(head_name, 1, f"the id `{head['id']}` is not the folder's name, `{home.name}`.")
        )
    code: dict[str, Json] = {
        **{k: v for k, v in head.items() if k not in ("options",)},
        "absent": head.get("absent", {}),
        "topics": head.get("topics", {}),
        "terms": head.get("terms", {}),
        "judged": head.get("judged", True),
        "editions": head.get("editions", []),
        "date_note": head.get("date_note"),
        "descent": head.get("descent", []),
        "parts": head.get("parts", []),
        "peculiarities": [
            p | {"laws": [full_address(head["id"], a) for a in p["laws"]]}
            for p in head.get("peculiarities", [])
        ],
        "options": [],
        "laws": [],
        "provisions": [],
        "readings": [],
        "findings": {},
        "irregularities": [],
        "penalties": [],
        "places": {"code": [head_name, 1]},
    }
    for name, node in nodes.items():
        stem = Path(name).stem
        if stem == "code":
            for index, option in enumerate(node.get("options", [])):
                _laws_of(code, option.get("laws", []), name, option["id"])
                code["options"].append(
                    {k: v for k, v in option.items() if k != "laws"}
                    | {"absent": option.get("absent", {})}
                )
                code["places"][f"option {option['id']}"] = [name, line_of(node, ["options", index])]
        elif stem == "readings":
            for index, reading in enumerate(node["readings"]):
                code["readings"].append(
                    reading
                    | {
                        "address": f"{code['id']}:reading.{reading['id']}",
                        "places": [full_address(code["id"], a) for a in reading["places"]],
                        "file": name,
                        "line": line_of(node, ["readings", index]),
                    }
                )
        elif stem == "irregularities":
            code["irregularities"], code["penalties"] = entries_of(node, code["id"], name)
        elif stem == "findings":
            for key, value in node["findings"].items():
                code["findings"][key] = (
                    value
                    if isinstance(value, dict)
                    else [full_address(code["id"], a) for a in value]
                )
                code["places"][f"finding {key}"] = [name, line_of(node, ["findings", key])]
        else:
            _laws_of(code, node["laws"], name, None)
    code["laws"].sort(key=lambda law: _order(law["number"]))
    position = {law["address"]: i for i, law in enumerate(code["laws"])}
    code["provisions"].sort(key=lambda p: position[p["law"]])
    return code, problems


def _order(number: str) -> tuple[Any, ...]:
    """Numbers as a reader counts, words after them, but a preamble before all."""
    parts = number.split(".")
    return tuple(
        (0, int(p), "") if p.isdigit() else (-1 if p == "preamble" else 1, 0, p) for p in parts
    )


def _laws_of(code: dict[str, Json], laws: Json, name: str, option: str | None) -> None:
    cid = code["id"]
    for law in laws:
        address = f"{cid}:{law['number']}"
        code["laws"].append(
            {
                "address": address,
                "number": law["number"],
                "heading": law["heading"],
                "page": law.get("page"),
                "numbering": law.get("numbering", "printed"),
                "inferred": law.get("inferred", False),
                "note": law.get("note"),
                "option": option,
                "file": name,
                "line": law.place[0],
            }
        )
        for item in law["provisions"]:
            code["provisions"].append(
                {
                    "address": f"{address}.{item['at']}" if item["at"] else address,
                    "law": address,
                    "at": item["at"],
                    "heading": law["heading"],
                    "text": item["text"],
                    "topics": item["topics"],
                    "procedures": item.get("procedures", {}),
                    "figures": item.get("figures", {}),
                    "refs": [r | {"to": full_address(cid, r["to"])} for r in item.get("refs", [])],
                    "cited_by": [],
                    "displaces": [full_address(cid, a) for a in item.get("displaces", [])],
                    "amends": [full_address(cid, a) for a in item.get("amends", [])],
                    "displaced_by": [],
                    "terms": item.get("terms", []),
                    "readings": [f"{cid}:reading.{r}" for r in item.get("readings", [])],
                    "page": item.get("page", law.get("page")),
                    "numbering": item.get("numbering", law.get("numbering", "printed")),
                    "note": item.get("note"),
                    "variants": item.get("variants", []),
                    "option": option,
                    "file": name,
                    "line": item.place[0],
                }
            )


def cross(codes: dict[str, Json], vocabulary: dict[str, Json]) -> list[Problem]:
    """Cross-check compiled codes and fill in what follows from them (`cited_by`, `displaced_by`).

    Addresses are unique; references, displaced laws, readings and laws behind findings resolve; a figure
    or a procedure of the checker stands once in a layer; with its base every code gives or denies each.
    """
    problems: list[Problem] = []
    by_address: dict[str, Json] = {}
    laws: dict[str, Json] = {}
    readings: dict[str, Json] = {}
    for code in codes.values():
        for law in code["laws"]:
            if law["address"] in laws:
                problems.append(
                    Problem(
                        law["file"],
                        law["line"],
                        f"`{law['address']}` stands twice; first at {_at(laws[law['address']])}.",
                    )
                )
            laws[law["address"]] = law
        for provision in code["provisions"]:
            address = provision["address"]
            if address in by_address:
                problems.append(
                    Problem(
                        provision["file"],
                        provision["line"],
                        f"`{address}` stands twice; first at {_at(by_address[address])}.",
                    )
                )
            by_address[address] = provision
        readings |= {r["address"]: r for r in code["readings"]}
    known = [*by_address, *laws, *readings]

    def resolve(address: str, file: str, line: int, what: str) -> bool:
        if address in by_address or address in laws or address in readings:
            return True
        problems.append(
            Problem(file, line, f"{what} `{address}` does not exist.{nearest(address, known)}")
        )
        return False

    for code in codes.values():
        if code["extends"] and code["extends"] not in codes:
            problems.append(
                _problem(
                    code,
                    "code",
                    f"extends `{code['extends']}`, which does not exist.{nearest(code['extends'], list(codes))}",
                )
            )
        for source in code["descent"]:
            if source["from"] not in codes:
                message = f"grew from `{source['from']}`, which does not exist.{nearest(source['from'], list(codes))}"
                problems.append(_problem(code, "code", message))
        for part in code["parts"]:
            if f"{code['id']}:{part['from']}" not in laws:
                problems.append(
                    _problem(
                        code,
                        "code",
                        f"the part `{part['label']}` begins with `{part['from']}`, which is no law.",
                    )
                )
        for address in (a for p in code["peculiarities"] for a in p["laws"]):
            file, line = code["places"]["code"]
            resolve(address, file, line, "the law of a peculiarity")
        for provision in code["provisions"]:
            file, line = provision["file"], provision["line"]
            for ref in provision["refs"]:
                if resolve(ref["to"], file, line, "the reference"):
                    for target in _under(ref["to"], by_address):
                        if provision["address"] not in target["cited_by"]:
                            target["cited_by"].append(provision["address"])
            for address in provision["displaces"]:
                if resolve(address, file, line, "the displaced law"):
                    for target in _under(address, by_address):
                        target["displaced_by"].append(provision["address"])
            for address in provision["amends"]:
                resolve(address, file, line, "the amended law")
            for address in provision["readings"]:
                resolve(address, file, line, "the reading")
            editions = [e["id"] for e in code["editions"]]
            problems += [
                Problem(
                    file, line, f"the edition `{v['edition']}` is not among the code's `editions`."
                )
                for v in provision["variants"]
                if v["edition"] not in editions
            ]
        for reading in code["readings"]:
            for address in reading["places"]:
                resolve(address, reading["file"], reading["line"], "the place")
            if reading["applied"] not in [c["id"] for c in reading["choices"]]:
                problems.append(
                    Problem(
                        reading["file"],
                        reading["line"],
                        f"applies `{reading['applied']}`, which is none of its choices.",
                    )
                )
        for key, value in code["findings"].items():
            if isinstance(value, list):
                for address in value:
                    file, line = code["places"][f"finding {key}"]
                    resolve(address, file, line, "the law behind the finding")
        for entry in code["irregularities"]:
            for address in entry["provisions"]:
                resolve(address, entry["file"], entry["line"], "the law of the irregularity")
            for ruling in entry["rulings"]:
                remedies = [r["provision"] for r in ruling.get("remedies", [])]
                for address in [
                    *ruling["provisions"],
                    *ruling["decisions"],
                    *ruling["readings"],
                    *remedies,
                ]:
                    resolve(address, entry["file"], ruling["line"], "the law of the irregularity")
                problems += _amounts(ruling, entry["file"], by_address)
        for rule in code["penalties"]:
            for address in rule["provisions"]:
                resolve(address, rule["file"], rule["line"], "the law on penalties")
        problems += _rules_once(code, vocabulary)
    for code in codes.values():
        problems += _complete(code, codes, vocabulary)
    return problems + ruling_problems(codes, vocabulary)


def _amounts(ruling: Json, file: str, by_address: dict[str, Json]) -> list[Problem]:
    """Amounts that a ruling takes from a provision which has none."""
    found = []
    for remedy in ruling.get("remedies", []):
        kind, address = remedy.get("figure"), remedy["provision"]
        if (
            kind
            and address in by_address
            and not any(f in by_address[address]["figures"] for f in AMOUNTS[kind])
        ):
            message = f"`{address}` has no figure for the {kind} of the ruling `{ruling['id']}`."
            found.append(Problem(file, ruling["line"], message))
    return found


def _problem(code: Json, key: str, message: str) -> Problem:
    file, line = code["places"][key]
    return Problem(file, line, message)


def _at(item: Json) -> str:
    return f"{item['file']}:{item['line']}"


def _under(address: str, by_address: dict[str, Json]) -> list[Json]:
    """The provision at an address, or all of the law where the address is a law's."""
    parts = f"{address}."
    return [
        p
        for a, p in by_address.items()
        if a == address or p["law"] == address or a.startswith(parts)
    ]


def _rules_once(code: Json, vocabulary: Json) -> list[Problem]:
    problems = []
    many = {f["id"] for f in vocabulary["figures"] if f.get("many")}
    seen: dict[tuple[str | None, str], Json] = {}
    for item in [*code["provisions"], *code["readings"]]:
        for key in [*item.get("procedures", {}), *item.get("figures", {})]:
            if key in many:
                continue
            layer = (item.get("option"), key)
            if layer in seen and not (
                item["address"].startswith(f"{code['id']}:reading")
                or seen[layer]["address"] == item["address"]
            ):
                problems.append(
                    Problem(
                        item["file"],
                        item["line"],
                        f"`{key}` stands twice in {code['id']}; first at {_at(seen[layer])}.",
                    )
                )
            seen.setdefault(layer, item)
    return problems


def _complete(code: Json, codes: dict[str, Json], vocabulary: Json) -> list[Problem]:
    problems = []
    chain = [code]
    while chain[-1]["extends"] in codes and len(chain) < 9:
        chain.append(codes[chain[-1]["extends"]])
    given = {
        k
        for c in chain
        for item in [*c["provisions"], *c["readings"]]
        if not item.get("option")
        for k in [*item.get("procedures", {}), *item.get("figures", {})]
    }
    absent = {k for c in chain for k in c["absent"]}
    for rule in [*vocabulary["procedures"], *vocabulary["figures"]] if code["judged"] else []:
        if rule["id"] not in given | absent and not rule.get("many"):
            problems.append(
                _problem(
                    code,
                    "code",
                    f"says nothing of `{rule['id']}`: give it in a provision, or under `absent` with the reason.",
                )
            )
    treated = {t for c in chain for p in c["provisions"] for t in p["topics"]}
    stated = {t for c in chain for t in c["topics"]}
    for topic in vocabulary["topics"]:
        if topic["id"] not in treated | stated:
            message = f"no provision treats the topic `{topic['id']}`: say under `topics` whether the code is silent or it does not arise."
            problems.append(_problem(code, "code", message))
    own = {t for p in code["provisions"] for t in p["topics"]}
    problems += [
        _problem(code, "code", f"`{t}` is under `topics`, but a provision treats it.")
        for t in code["topics"]
        if t in own
    ]
    findings = {k for c in chain for k in c["findings"]}
    for finding in vocabulary["findings"] if code["judged"] else []:
        if finding["id"] not in findings and not finding["id"].endswith("-code"):
            problems.append(
                _problem(
                    code,
                    "code",
                    f"names no law behind the finding `{finding['id']}` (findings.yaml).",
                )
            )
    return problems
