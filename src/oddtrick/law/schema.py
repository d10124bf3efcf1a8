"""The JSON Schemas of the law data, complete with the words of the vocabulary, as validators.

Every reference in a schema is followed before it is used: to look one up at each value takes
jsonschema longer than all the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from oddtrick.law.cases import BY_ITSELF
from oddtrick.law.fits import Test, test_of
from oddtrick.law.yaml import Json

if TYPE_CHECKING:
    from jsonschema import ValidationError


ANNOTATIONS = ("title", "description")
"""What a schema says of itself: it asks for nothing, but costs a step at each value beside a
reference.
"""


def vocabulary_schema(
    schema: dict[str, Json], figures: dict[str, Json], vocabulary: dict[str, Json]
) -> None:
    """Fill the enumerations of the vocabulary into the schemas, in place."""

    def items(key: str, *needed: str) -> list[Json]:
        """The tables of a list that have what is needed; the schema refuses all else in it."""
        found = vocabulary.get(key)
        tables = [i for i in found if isinstance(i, dict)] if isinstance(found, list) else []
        return [i for i in tables if i.keys() >= {"id", *needed}]

    def ids(key: str) -> list[str]:
        return [str(item["id"]) for item in items(key)]

    schema["$defs"] |= {
        "topic": {"enum": ids("topics")},
        "relation": {"enum": ids("relations")},
        "denomination": {"enum": ids("denominations")},
        "finding": {"enum": ids("findings")},
        "term": {"enum": ids("terms")},
        "irregularity": {"enum": ids("irregularities")},
        "remedy": {"enum": ids("remedies")},
        "chooser": {"enum": [c for c in ids("choosers") if c != BY_ITSELF]},
        "limit": {"enum": ids("limits")},
        "group": {"enum": ids("groups")},
        "fact": {"enum": ids("facts")},
        "rule": {"enum": ids("procedures") + ids("figures")},
        "procedures": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                str(p["id"]): {"enum": list(p["values"])}
                for p in items("procedures", "values")
                if isinstance(p["values"], dict)
            },
        },
    }
    figures["$defs"]["figures"] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            str(f["id"]): {"$ref": f"#/$defs/{f['shape']}"}
            for f in items("figures", "shape")
            if f["shape"] in figures["$defs"]
        },
    }


def schemas(laws: Path, vocabulary: dict[str, Json]) -> dict[str, dict[str, Json]]:
    """The JSON Schemas by file name, complete with the enumerations of the vocabulary.

    A provision need not have all cells of a figure; `shapes` has what the whole figure must have.
    """
    found = _read(laws, vocabulary)
    shapes = found["figures.schema.json"]["$defs"]
    shapes |= {name: _in_part(shape) for name, shape in shapes.items()}
    return found


def shapes(laws: Path, vocabulary: dict[str, Json]) -> dict[str, Json]:
    """The shapes of figures by name, as JSON Schemas of whole figures without a reference."""
    found, home, done = _read(laws, vocabulary), "figures.schema.json", dict[str, Json]()
    return {n: _whole(shape, home, found, done) for n, shape in found[home]["$defs"].items()}


def _read(laws: Path, vocabulary: dict[str, Json]) -> dict[str, dict[str, Json]]:
    found = {
        p.name: json.loads(p.read_text("utf-8"))
        for p in sorted((laws / "schema").glob("*.schema.json"))
    }
    vocabulary_schema(found["vocabulary.schema.json"], found["figures.schema.json"], vocabulary)
    return found


def _in_part(shape: Json) -> Json:
    """The shape of a part of a figure: no key is required; a list's item is a cell, and whole."""
    if isinstance(shape, list):
        return [_in_part(s) for s in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        ("anyOf" if k == "oneOf" else k): v if k == "items" else _in_part(v)
        for k, v in shape.items()
        if k != "required"
    }


OWN = ("code", "readings", "findings", "irregularities")
"""The files of a code that have a schema each; every other one has laws."""


def schema_of(path: Path, laws: Path) -> str:
    """The name of the schema of a file in a folder of law data: `catalogue`, `laws`."""
    if path.parent == laws:
        return "catalogue" if path.stem == "irregularities" else path.stem
    return path.stem if path.stem in OWN else "laws"


def keys_of(shape: Json) -> list[str]:
    """The keys of a shape's tables, outer ones before those within, in its order."""
    found: dict[str, None] = {}
    for part in [shape, *shape.get("oneOf", ())]:
        found |= dict.fromkeys(part.get("properties", {}))
        for inner in part.get("properties", {}).values():
            found |= dict.fromkeys(keys_of(inner))
    return list(found)


def lacking(value: Json, shape: Json, path: str = "") -> list[str]:
    """The cells that a figure must have for its shape and has not, by their names."""
    if not isinstance(value, dict):
        return []
    parts = shape.get("oneOf", [shape])
    part = next((p for p in parts if value.keys() <= p.get("properties", {}).keys()), parts[0])
    at = f"{path}." if path else ""
    missing = [f"{at}{k}" for k in part.get("required", ()) if k not in value]
    for key, inner in part.get("properties", {}).items():
        missing += lacking(value[key], inner, f"{at}{key}") if key in value else []
    return missing


class Validator:
    """A schema with its references followed, and what it has against data."""

    def __init__(self, schema: Json) -> None:
        self.schema = schema

    def iter_errors(self, value: Json) -> Iterator[ValidationError]:
        """Everything that the schema refuses in data, as jsonschema tells it."""
        if self._accepts(value):
            return
        # Only broken law data wait for what tells of them.
        from jsonschema import Draft202012Validator

        yield from Draft202012Validator(self.schema).iter_errors(value)

    @cached_property
    def _accepts(self) -> Test:
        return test_of(self.schema)


def validators(found: dict[str, dict[str, Json]]) -> dict[str, Validator]:
    """A validator for each schema, by file name."""
    done: dict[str, Json] = {}
    return {name: Validator(_whole(found[name], name, found, done)) for name in found}


def _whole(node: Json, home: str, found: dict[str, dict[str, Json]], done: dict[str, Json]) -> Json:
    """A part of the schema `home` with its references followed; `done` has those made before."""
    if isinstance(node, list):
        return [_whole(n, home, found, done) for n in node]
    if not isinstance(node, dict):
        return node
    others = {
        k: _whole(v, home, found, done)
        for k, v in node.items()
        if k not in ("$ref", "$defs") and not (k in ANNOTATIONS and isinstance(v, str))
    }
    if "$ref" not in node:
        return others
    file, _, pointer = node["$ref"].partition("#")
    address = f"{file or home}#{pointer}"
    if address not in done:
        target: Json = found[file or home]
        for step in filter(None, pointer.split("/")):
            target = target[step]
        done[address] = _whole(target, file or home, found, done)
    return (
        others | {"allOf": [done[address], *others.get("allOf", [])]} if others else done[address]
    )
