"""From the YAML of `laws/` to one compiled lawbook: read, validate, cross, compile.

Problems are values with a file and a line (`Problem`), never exceptions. What must hold of the data
beyond their schemas stands in `invariants`. This module needs PyYAML and jsonschema; what runs
afterwards (`store`, `book`) reads the compiled JSON and needs neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oddtrick.law import typed
from oddtrick.law.address import order
from oddtrick.law.compile_parallels import compile_parallels
from oddtrick.law.invariants import INVARIANTS
from oddtrick.law.irregularities import (
    PARTS,
    amend,
    catalogue_problems,
    entries_of,
    reading_address,
)
from oddtrick.law.model import Code
from oddtrick.law.problems import Problem, line_of, nearest, read_yaml, schema_problems
from oddtrick.law.schema import keys_of, schema_of, schemas, shapes, validators
from oddtrick.law.yaml import Json
from oddtrick.paths import folder, shipped

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

LISTS = {"words": "words", "collation": "exceptions", "stories": "stories", "evenings": "evenings"}
"""The files beside the vocabulary that a lawbook may do without, each with the key of its list."""

TELLINGS = "tellings"
"""The file of what players say; a lawbook may do without it too."""

NO_TELLINGS = {
    **{"stop": "", "faint": ""},
    **{kind: [] for kind in ("forms", "alike", "cues", "other", "tellings")},
}

SHARED = ("vocabulary", "irregularities", "parallels", TELLINGS, *LISTS)
"""Every file that stands beside the folders of the codes."""

APART = ("stories", "evenings", TELLINGS, "places", "shapes")
"""What is read beside the vocabulary and is no part of it."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """The compiled lawbook as plain JSON, and every problem found on the way.

    `book` has `vocabulary`, `codes` by id in the order of their dates, `stories`, `evenings`,
    `tellings` and `parallels`; where a file was refused it has what could be read.
    """

    book: dict[str, Json]
    problems: tuple[Problem, ...]


def compile_laws(laws: Path | None = None) -> Compiled:
    """Read, validate, cross and compile a folder of law data (the shipped one by default).

    The result is usable only where `problems` is empty.
    """
    files = _Files(laws or folder("laws"))
    shared = _shared(files)
    if files.problems:
        return Compiled({}, tuple(files.problems))
    book = {
        "vocabulary": {k: v for k, v in shared.items() if k not in APART},
        "codes": {code["id"]: code for code in _codes(files)},
        "stories": shared["stories"],
        "tellings": shared[TELLINGS],
        "evenings": shared["evenings"],
    }
    problems = amend(book["codes"])
    if files.problems:  # what a refused file has would be missed everywhere else
        return Compiled(book, tuple(files.problems))
    connect(book["codes"])
    problems += [p for holds in INVARIANTS for p in holds(book["codes"], shared)]
    check = files.check["parallels.schema.json"]
    parallels, bad = compile_parallels(files.laws, book["codes"], check)
    names = {name: code["short"] for name, code in book["codes"].items()}
    book["parallels"] = parallels | {"names": names, "kinds": shared["kinds"]}
    return Compiled(book, tuple(sorted([*problems, *bad], key=lambda p: (p.file, p.line))))


class Lint(NamedTuple):
    """What `lint` finds: every problem, by file and line, and the codes that could be read."""

    problems: tuple[Problem, ...]
    codes: tuple[Code, ...]


def lint(laws: Path | None = None) -> Lint:
    """Everything that is wrong in a folder of law data (by default the shipped one), and its codes.

    Each problem has its file, from the folder's own name on, its line and what to do. Raises
    nothing for what stands in the files; `FileNotFoundError` where the installation has lost its
    own.
    """
    laws = laws or folder("laws")
    found = compile_laws(laws)
    codes = tuple(map(typed.code, found.book.get("codes", {}).values()))
    return Lint(found.problems, codes)


def _name(path: Path, laws: Path) -> str:
    """What a file is called in problems and places: `laws/auction-1912/code.yaml`."""
    return path.relative_to(laws.parent).as_posix()


class _Files:
    """A folder of law data: files read and held against their schemas; `problems` was wrong."""

    def __init__(self, laws: Path) -> None:
        self.laws = laws
        self.problems: list[Problem] = []
        self.check: dict[str, Draft202012Validator] = {}

    def name(self, path: Path) -> str:
        """What a file is called in problems and places."""
        return _name(path, self.laws)

    def read(self, path: Path) -> Json:
        """The content of a file; `None` where it cannot be read, or has none."""
        node, bad = read_yaml(path, self.name(path))
        self.problems += bad
        if node is None and not bad:
            self.problems.append(Problem(self.name(path), 1, "is empty."))
        return node

    def valid(self, path: Path, schema: str) -> Json:
        """The content of a file that its schema accepts, else `None`."""
        node = self.read(path)
        return node if node is not None and self.accepts(node, path, schema) else None

    def accepts(self, node: Json, path: Path, schema: str) -> bool:
        """Whether the schema has nothing against the content of a file."""
        validator = self.check[f"{schema}.schema.json"]
        bad = list(schema_problems(node, self.name(path), validator))
        self.problems += bad
        return not bad


# --- what all codes share -------------------------------------------------------------------------


def _shared(files: _Files) -> dict[str, Json]:
    """The vocabulary with the catalogue of irregularities and the lists beside it.

    `places` has for each of these lists the file and line of every item. Usable where nothing was
    wrong.
    """
    laws = files.laws
    files.problems += _other_schemas(files)
    if files.problems:
        return {}
    files.problems += _strangers(files)
    vocabulary = files.read(laws / "vocabulary.yaml")
    catalogue = files.read(laws / "irregularities.yaml")
    if not isinstance(vocabulary, dict):
        return {}
    words = vocabulary | (catalogue if isinstance(catalogue, dict) else {})
    files.check = validators(schemas(laws, words))
    files.accepts(vocabulary, laws / "vocabulary.yaml", "vocabulary")
    path = laws / "irregularities.yaml"
    if catalogue is not None and files.accepts(catalogue, path, "catalogue"):
        files.problems += catalogue_problems(catalogue, files.name(path))
    found: dict[str, Json] = {stem: _listed(stem, files) for stem in LISTS}
    path = laws / f"{TELLINGS}.yaml"
    tellings = files.valid(path, TELLINGS) if path.exists() else {}
    if files.problems:
        return {}
    places = {
        stem: [(files.name(laws / f"{stem}.yaml"), item.line) for item in found[stem]]
        for stem in LISTS
    }
    whole = shapes(laws, words)
    cells = {name: keys_of(shape) for name, shape in whole.items()}
    beside = {"places": places, "shapes": whole, "cells": cells}
    beside[TELLINGS] = NO_TELLINGS | tellings
    cues = beside[TELLINGS]["cues"]
    beside["places"]["cues"] = [(files.name(path), cue.line) for cue in cues]
    return vocabulary | found | {part: catalogue[part] for part in PARTS} | beside


def _other_schemas(files: _Files) -> Iterator[Problem]:
    """Schemas that are not those of this program, which knows no keys but theirs."""
    for own in sorted((shipped("laws") / "schema").glob("*.schema.json")):
        path = files.laws / "schema" / own.name
        if not path.is_file() or path.read_bytes() != own.read_bytes():
            yield Problem(files.name(path), 1, f"is not the schema of this oddtrick; copy {own}.")


def _strangers(files: _Files) -> Iterator[Problem]:
    """Files that nobody would read: under a strange name, or in a folder that is no code's."""
    for path in sorted(files.laws.glob("*.yaml")):
        if path.stem not in SHARED:
            message = f"no file of this name is read.{nearest(path.stem, list(SHARED))}"
            yield Problem(files.name(path), 1, message)
    for path in sorted(files.laws.glob("*/*.yaml")):
        if not path.with_name("code.yaml").exists():
            yield Problem(files.name(path), 1, "its folder has no code.yaml, and is not read.")


def _listed(stem: str, files: _Files) -> Json:
    """The list of a file beside the vocabulary; empty where there is none, or it is refused."""
    path = files.laws / f"{stem}.yaml"
    node = files.valid(path, stem) if path.exists() else None
    return [] if node is None else node[LISTS[stem]]


# --- a code ---------------------------------------------------------------------------------------


def _codes(files: _Files) -> list[Json]:
    """Every code in the order of dates, ancestors last; of one date, those that amend another."""
    homes = sorted(path.parent for path in files.laws.glob("*/code.yaml"))
    found = [code for home in homes if (code := _code(home, files))]
    return sorted(found, key=_rank)


def _rank(code: Json) -> tuple[bool, str, bool, str]:
    """Where a code stands among the others."""
    return code["ancestor"], code["date"], code["extends"] is not None, code["id"]


def _code(home: Path, files: _Files) -> Json:
    """A code from the files of its folder; `None` where its code.yaml is refused."""
    nodes = {
        path: node
        for path in sorted(home.glob("*.yaml"))
        if (node := files.valid(path, schema_of(path, files.laws))) is not None
    }
    head = nodes.pop(home / "code.yaml", None)
    if head is None:
        return None
    if head["id"] != home.name:
        message = f"the id `{head['id']}` is not the folder's name, `{home.name}`."
        files.problems.append(Problem(files.name(home / "code.yaml"), 1, message))
    code = _begun(head, files.name(home / "code.yaml"))
    for path, node in nodes.items():
        name = files.name(path)
        if path.stem == "readings":
            _readings(code, node, name)
        elif path.stem == "irregularities":
            code["irregularities"], code["penalties"] = entries_of(node, code["id"], name)
        elif path.stem == "findings":
            _findings(code, node, name)
        else:
            _laws_of(code, node["laws"], name, None)
    code["laws"].sort(key=lambda law: order(law["number"]))
    position = {law["address"]: i for i, law in enumerate(code["laws"])}
    code["provisions"].sort(key=lambda p: position[p["law"]])
    return code


def _begun(head: Json, name: str) -> dict[str, Json]:
    """A code with what its code.yaml says, its options and their laws, and room for the rest."""
    code: dict[str, Json] = {
        **{k: v for k, v in head.items() if k != "options"},
        "absent": head.get("absent", {}),
        "topics": head.get("topics", {}),
        "terms": head.get("terms", {}),
        "judged": head.get("judged", True),
        "ancestor": head.get("ancestor", False),
        "editions": [{"copies": []} | e for e in head.get("editions", [])],
        "descent": head.get("descent", []),
        "passages": head.get("passages", []),
        "parts": head.get("parts", []),
        "peculiarities": [
            p | {"laws": full(head["id"], p["laws"])} for p in head.get("peculiarities", [])
        ],
        "options": [],
        "laws": [],
        "provisions": [],
        "readings": [],
        "settled": {},
        "findings": {},
        "irregularities": [],
        "penalties": [],
        "places": {"code": [name, 1]},
    }
    for index, option in enumerate(head.get("options", [])):
        _laws_of(code, option.get("laws", []), name, option["id"])
        said = {k: v for k, v in option.items() if k != "laws"}
        code["options"].append(said | {"absent": option.get("absent", {})})
        place = [name, line_of(head, ["options", index])]
        code["places"][f"option {option['id']}"] = place
    return code


def _readings(code: Json, node: Json, name: str) -> None:
    """The doubtful places of a code, and those that are settled, with their places."""
    code["readings"] += [
        reading
        | {
            "address": f"{code['id']}:reading.{reading['id']}",
            "places": full(code["id"], reading["places"]),
            "file": name,
            "line": reading.line,
        }
        for reading in node["readings"]
    ]
    for key, address in node.get("settled", {}).items():
        code["settled"][key] = full(code["id"], [address])[0]
        code["places"][f"settled {key}"] = [name, line_of(node, ["settled", key])]


def _findings(code: Json, node: Json, name: str) -> None:
    """The laws behind each finding, or why there are none, with their places."""
    for key, value in node["findings"].items():
        silent = isinstance(value, dict)
        code["findings"][key] = value if silent else full(code["id"], value)
        code["places"][f"finding {key}"] = [name, line_of(node, ["findings", key])]


def _laws_of(code: dict[str, Json], laws: Json, name: str, option: str | None) -> None:
    """Add laws with their provisions to a code."""
    for law in laws:
        address = f"{code['id']}:{law['number']}"
        code["laws"].append(
            {
                "address": address,
                "number": law["number"],
                "heading": law["heading"],
                "page": law.get("page"),
                "numbering": law.get("numbering", "printed"),
                "note": law.get("note"),
                "option": option,
                "file": name,
                "line": law.line,
            }
        )
        code["provisions"] += [
            _provision(item, law, address, option, name) for item in law["provisions"]
        ]


def _provision(item: Json, law: Json, address: str, option: str | None, name: str) -> Json:
    """A provision, with what it has from its law, full addresses, and room for its inverses."""
    code = address.partition(":")[0]
    parallel = item.get("parallel", [])
    return {
        "address": f"{address}.{item['at']}" if item["at"] else address,
        "law": address,
        "at": item["at"],
        "heading": law["heading"],
        "text": item["text"],
        "topics": item["topics"],
        "procedures": item.get("procedures", {}),
        "figures": item.get("figures", {}),
        "refs": [r | {"to": full(code, [r["to"]])[0]} for r in item.get("refs", [])],
        "cited_by": [],
        "displaces": full(code, item.get("displaces", [])),
        "amends": full(code, item.get("amends", [])),
        "displaced_by": [],
        "terms": item.get("terms", []),
        "readings": [reading_address(r, code) for r in item.get("readings", [])],
        "page": item.get("page", law.get("page")),
        "numbering": item.get("numbering", law.get("numbering", "printed")),
        "note": item.get("note"),
        "variants": item.get("variants", []),
        "option": option,
        "parallels": [parallel] if isinstance(parallel, str) else parallel,
        "file": name,
        "line": item.line,
    }


def full(code: str, addresses: list[str]) -> list[str]:
    """Addresses with their code in front, which those within the code itself leave out."""
    return [a if ":" in a else f"{code}:{a}" for a in addresses]


# --- what follows from the references -------------------------------------------------------------


def connect(codes: dict[str, Json]) -> None:
    """Fill in `cited_by` and `displaced_by`, the inverses of `refs` and `displaces`."""
    provisions = [p for code in codes.values() for p in code["provisions"]]
    under: dict[str, list[Json]] = {}
    for provision in provisions:
        code, _, local = provision["address"].partition(":")
        steps = local.split(".")
        for end in range(1, len(steps) + 1):
            under.setdefault(f"{code}:{'.'.join(steps[:end])}", []).append(provision)
    for provision in provisions:
        own = provision["address"]
        for target in (t for r in provision["refs"] for t in under.get(r["to"], ())):
            if own not in target["cited_by"]:
                target["cited_by"].append(own)
        for target in (t for a in provision["displaces"] for t in under.get(a, ())):
            target["displaced_by"].append(own)
