"""Compiles the YAML of `laws/` into one lawbook: read, validate, connect, check.

Problems are values (`Problem`), never exceptions. This module needs PyYAML and jsonschema; `book`,
which reads the compiled JSON, does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from oddtrick.law.address import Address, order
from oddtrick.law.compile_parallels import compile_parallels
from oddtrick.law.fill import complete, full, reading_address
from oddtrick.law.invariants import INVARIANTS
from oddtrick.law.irregularities import amend, entries_of
from oddtrick.law.lawbook import Book
from oddtrick.law.model import Code, Json, Law, Provision, Reading
from oddtrick.law.problems import Problem, line_of, nearest, schema_problems
from oddtrick.law.rules import in_force
from oddtrick.law.schema import OWN, keys_of, schemas, shapes, validators
from oddtrick.law.yaml import NotYaml, read
from oddtrick.paths import folder

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

OPTIONAL: dict[str, Json] = {stem: {stem: []} for stem in ("words", "stories", "evenings")}
OPTIONAL["tellings"] = {"stop": "", "faint": "", "numbers": "", "floor": 0} | {
    kind: [] for kind in ("forms", "alike", "times", "cues", "other", "tellings")
}
"""The optional shared files, each with its content if it is missing."""

SHARED = ("vocabulary", "irregularities", "parallels", *OPTIONAL)
"""The files of the law data outside the folders of the codes."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """The compiled lawbook as JSON, its codes as objects, and all problems."""

    book: dict[str, Json]
    codes: tuple[Code, ...]
    problems: tuple[Problem, ...]


def compile_usable(laws: Path) -> Compiled:
    """Compile a folder of law data, leaving out the codes with problems in their own folders.

    The book lists the problems of each such code under `left_out`. If other files have problems
    too, the result is that of the whole folder.
    """
    whole = found = compile_laws(laws)
    left_out: dict[str, list[str]] = {}
    while found.problems:
        for problem in found.problems:
            code = Path(problem.file).parent.name
            if not (laws / code).is_dir():  # a shared file
                return whole
            left_out.setdefault(code, []).append(str(problem))
        found = compile_laws(laws, left_out)
    return replace(found, book=found.book | {"left_out": left_out}) if left_out else found


def compile_laws(laws: Path | None = None, without: Collection[str] = ()) -> Compiled:
    """Compile a folder of law data (the shipped one by default), without some of its codes.

    Raises `FileNotFoundError` if the installation lacks its own law data.
    """
    files = _Files(laws or folder("laws"), without)
    shared = _shared(files)
    if files.problems:
        return Compiled({}, (), tuple(files.problems))
    codes = {code["id"]: code for code in _codes(files)}
    book = Book(shared | {"codes": codes})
    problems = amend(codes)
    if files.problems:  # the contents of a rejected file would be reported missing elsewhere
        return Compiled({}, book.codes, tuple(files.problems))
    connect(codes)
    path = files.laws / "parallels.yaml"
    rules = files.valid(path, "parallels") if path.exists() else None
    for versions in (p.get("versions", []) for p in (rules or {}).get("parallels", ())):
        for version in versions:
            version["codes"] = [code for code in version["codes"] if code not in without]
        versions[:] = [version for version in versions if version["codes"]]
    if not path.exists() and len(codes) > 1:
        missing = "is missing: several codes need it to relate their rules."
        problems.append(Problem(files.name(path), 1, missing))
    parallels, bad = compile_parallels(rules, codes)
    problems += [*files.problems, *bad, *(p for holds in INVARIANTS for p in holds(book))]
    parallels["sides"] = {name: in_force(book.chain(name)) for name in codes}
    provisions = [p for code in codes.values() for p in code["provisions"]]
    parallels["amended"] = {p["address"]: p["amended_by"] for p in provisions if p["amended_by"]}
    listed = sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line))
    return Compiled(book.data | {"parallels": parallels}, book.codes, tuple(listed))


class _Files:
    """Reads and validates the files of a folder of law data; collects errors in `problems`."""

    def __init__(self, laws: Path, without: Collection[str]) -> None:
        self.laws, self.without = laws, list(without)
        self.homes = [p for p in sorted(laws.glob("*")) if p.is_dir() and p.name not in without]
        self.problems: list[Problem] = []
        self.check: dict[str, Draft202012Validator] = {}

    def name(self, path: Path) -> str:
        """The name of a file as shown in problems: `laws/auction-1912/code.yaml`."""
        return path.relative_to(self.laws.parent).as_posix()

    def read(self, path: Path) -> Json:
        """The content of a file; `None` if it is empty or cannot be read."""
        name, line = self.name(path), 1
        try:
            if path.exists() and not path.is_file():  # a pipe would block; a device may never end
                raise OSError("it is not a file")
            node = read(path.read_text("utf-8"), running=True, file=name)
            if node is not None:
                return node
            message = "is empty."
        except NotYaml as error:
            line, message = error.line, f"not YAML: {error} (column {error.column})."
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            message = "not YAML: the file is not written in UTF-8."
        except FileNotFoundError:
            message = "is missing: copy the whole folder laws/ and add codes to the copy."
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}."
        self.problems.append(Problem(name, line, message))
        return None

    def valid(self, path: Path, schema: str) -> Json:
        """The content of a file if its schema accepts it, otherwise `None`."""
        node = self.read(path)
        return node if node is not None and self.accepts(node, path, schema) else None

    def accepts(self, node: Json, path: Path, schema: str) -> bool:
        """Whether the schema accepts the content of a file."""
        check = self.check[f"{schema}.schema.json"]
        bad = list(schema_problems(node, self.name(path), check))
        self.problems += bad
        return not bad


def _shared(files: _Files) -> dict[str, Json]:
    """The vocabulary with the catalogue, and the optional files; empty if one is rejected."""
    laws = files.laws
    files.problems += _strange_files(files)
    vocabulary, catalogue = (
        files.read(laws / f"{stem}.yaml") for stem in ("vocabulary", "irregularities")
    )
    if not isinstance(vocabulary, dict):
        return {}
    words = vocabulary | (catalogue if isinstance(catalogue, dict) else {})
    ids = [home.name for home in files.homes if (home / "code.yaml").exists()] + files.without
    files.check = validators(schemas(words, ids))
    files.accepts(vocabulary, laws / "vocabulary.yaml", "vocabulary")
    if catalogue is not None:
        files.accepts(catalogue, laws / "irregularities.yaml", "catalogue")
    found = {
        stem: empty | (files.valid(path, stem) or {}) if path.exists() else empty
        for stem, empty in OPTIONAL.items()
        for path in [laws / f"{stem}.yaml"]
    }
    if files.problems:
        return {}
    cells = {name: keys_of(shape) for name, shape in shapes(words).items()}
    return {
        "vocabulary": words | found["words"] | {"cells": cells},
        "stories": found["stories"]["stories"],
        "evenings": found["evenings"]["evenings"],
        "tellings": found["tellings"],
    }


def _strange_files(files: _Files) -> Iterator[Problem]:
    """Report files that are not read: those with an unknown name or in a folder without a code."""
    for path in sorted(files.laws.glob("*.yaml")):
        if path.stem not in SHARED:
            message = f"no file of this name is read.{nearest(path.stem, SHARED)}"
            yield Problem(files.name(path), 1, message)
    for path in (path for home in files.homes for path in sorted(home.glob("*.yaml"))):
        if not path.with_name("code.yaml").exists():
            yield Problem(files.name(path), 1, "its folder has no code.yaml, and is not read.")


def _codes(files: _Files) -> list[Json]:
    """All codes by date; on the same date, codes that extend another come last.

    A date without a month or a day counts as the end of its year or month.
    """
    homes = [home for home in files.homes if (home / "code.yaml").exists()]
    found = [code for home in homes if (code := _code(home, files))]
    for code in found:
        if code["extends"] in files.without:
            file, line = code["places"]["code"]
            message = f"it extends `{code['extends']}`, which has problems."
            files.problems.append(Problem(file, line, message))
    return sorted(
        found, key=lambda c: ((*c["date"].split("-"), "end"), bool(c["extends"]), c["id"])
    )


def _code(home: Path, files: _Files) -> Json:
    """Read a code from the files of its folder; `None` if its code.yaml is rejected."""
    nodes = {
        path: node
        for path in sorted(home.glob("*.yaml"))
        if (node := files.valid(path, path.stem if path.stem in OWN else "laws")) is not None
    }
    head = nodes.pop(home / "code.yaml", None)
    if head is None:
        return None
    if head["id"] != home.name:
        message = f"the id `{head['id']}` is not the folder's name, `{home.name}`."
        files.problems.append(Problem(files.name(home / "code.yaml"), 1, message))
    code = _begun(head)
    for path, node in nodes.items():
        if path.stem == "readings":
            _readings(code, node)
        elif path.stem == "irregularities":
            code["irregularities"], code["penalties"] = entries_of(node, code["id"])
        elif path.stem == "findings":
            for key, value in node["findings"].items():
                found = value if isinstance(value, dict) else full(code["id"], value)
                code["findings"][key] = found
                code["places"][f"finding {key}"] = _place(node, ["findings", key])
        else:
            _laws_of(code, node["laws"], None)
    code["laws"].sort(key=lambda law: order(law["number"]))
    position = {law["address"]: i for i, law in enumerate(code["laws"])}
    code["provisions"].sort(key=lambda p: position[p["law"]])
    return code


def _place(node: Json, path: list[str | int]) -> Json:
    return [node.file, line_of(node, path)]


def _begun(head: Json) -> dict[str, Json]:
    """Begin a code from its code.yaml: its data, options and their laws; the rest is empty."""
    options: list[Json] = head.get("options", [])
    without_laws = [{k: v for k, v in option.items() if k != "laws"} for option in options]
    places = {"code": [head.file, 1]} | {
        f"option {option['id']}": _place(head, ["options", index])
        for index, option in enumerate(options)
    }
    begun = {"places": places, "options": without_laws, "judged": head.get("judged", True)}
    code: dict[str, Json] = complete(Code, head, head["id"], begun)
    for option in options:
        _laws_of(code, option.get("laws", []), option["id"])
    return code


def _readings(code: Json, node: Json) -> None:
    for reading in node["readings"]:
        address = {"address": reading_address(reading["id"], code["id"])}
        code["readings"].append(complete(Reading, reading, code["id"], address))
    for key, address in node.get("settled", {}).items():
        code["settled"][key] = full(code["id"], [address])[0]
        code["places"][f"settled {key}"] = _place(node, ["settled", key])


def _laws_of(code: dict[str, Json], laws: Json, option: str | None) -> None:
    for law in laws:
        address = f"{code['id']}:{law['number']}"
        numbering = law.get("numbering", "printed")
        shared = {"option": option, "numbering": numbering}
        found = complete(Law, law, code["id"], shared | {"address": address})
        del found["provisions"]
        code["laws"].append(found)
        shared |= {"heading": law["heading"], "page": law.get("page"), "law": address}
        for item in law["provisions"]:
            below = f"{address}.{item['at']}" if item["at"] else address
            found = complete(Provision, item, code["id"], shared | {**item, "address": below})
            parallel = found.pop("parallel", [])
            found["parallels"] = [parallel] if isinstance(parallel, str) else parallel
            code["provisions"].append(found)


def connect(codes: dict[str, Json]) -> None:
    """Fill in `cited_by`, `displaced_by` and `amended_by`, the inverses of `refs`, `displaces` and
    `amends`.
    """
    provisions = [p for code in codes.values() for p in code["provisions"]]
    under: dict[str, list[Json]] = {}
    for provision in provisions:
        address = Address(provision["address"])
        for above in address.beginnings:
            under.setdefault(f"{address.code}:{above}", []).append(provision)
    for provision in provisions:
        own = provision["address"]
        for target in (t for r in provision["refs"] for t in under.get(r["to"], ())):
            if own not in target["cited_by"]:
                target["cited_by"].append(own)
        for changes, changed in (("displaces", "displaced_by"), ("amends", "amended_by")):
            for target in (t for a in provision[changes] for t in under.get(a, ())):
                target[changed].append(own)
