"""The JSON Schemas of the law data, completed with the words of the vocabulary."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from oddtrick.law.cases import BY_ITSELF
from oddtrick.law.model import Json
from oddtrick.paths import shipped

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Schemas = dict[str, dict[str, Json]]  # schemas by file name: `laws.schema.json`

OWN = ("code", "readings", "findings", "irregularities")
"""The files of a code that have a schema of their own; every other file contains laws."""


def schemas(vocabulary: dict[str, Json], codes: Iterable[str] = ()) -> Schemas:
    """The schemas by file name, with the enumerations of the vocabulary and of the codes.

    They accept partial figures.
    """
    found = _read(vocabulary)
    found["common.schema.json"]["$defs"]["code"] = {"enum": list(codes)}
    figures = found["figures.schema.json"]["$defs"]
    figures |= {name: _in_part(shape) for name, shape in figures.items()}
    return found


def shapes(vocabulary: dict[str, Json]) -> dict[str, Json]:
    """The shapes of complete figures by name, as JSON Schemas without references."""
    found, home = _read(vocabulary), "figures.schema.json"
    return {n: _resolved(shape, home, found, {}) for n, shape in found[home]["$defs"].items()}


def validators(found: Schemas) -> dict[str, Draft202012Validator]:
    """A validator for each schema. Resolving the references first makes validation three times as
    fast.
    """
    from jsonschema import Draft202012Validator

    done: dict[str, Json] = {}
    return {
        name: Draft202012Validator(_resolved(schema, name, found, done))
        for name, schema in found.items()
    }


def standalone(found: Schemas, name: str) -> Json:
    """A schema with copies of the definitions of other files to which it refers."""
    copied: dict[str, Json] = {}

    def local(node: Json, home: str) -> Json:
        if isinstance(node, list):
            return [local(n, home) for n in node]
        if not isinstance(node, dict):
            return node
        made = {k: local(v, home) for k, v in node.items()}
        if "$ref" in node:
            file, pointer = _target_of(node, home)
            if file != name:
                key = file.removesuffix(".schema.json") + pointer.replace("/$defs", "")
                key, target = key.replace("/", "."), _at(found[file], pointer)
                copied[key] = copied.get(key) or local(target, file)
                pointer = f"/$defs/{key}"
            made["$ref"] = f"#{pointer}"
        return made

    own = local(found[name], name)
    return own | {"$defs": own["$defs"] | copied}


def _target_of(node: Json, home: str) -> tuple[str, str]:
    """The file and the pointer of a reference in the schema `home`."""
    file, _, pointer = node["$ref"].partition("#")
    return file or home, pointer


def _at(schema: Json, pointer: str) -> Json:
    for step in filter(None, pointer.split("/")):
        schema = schema[step]
    return schema


def _read(vocabulary: dict[str, Json]) -> Schemas:
    """The shipped schemas, completed from a vocabulary that is not validated yet."""
    files = sorted((shipped("laws") / "schema").glob("*.schema.json"))
    found = {path.name: json.loads(path.read_text("utf-8")) for path in files}

    lists = {
        key: {str(t["id"]): t for t in entries if isinstance(t, dict) and "id" in t}
        for key, entries in vocabulary.items()
        if isinstance(entries, list)
    }
    procedures, kinds = (lists.get(name, {}) for name in ("procedures", "figures"))
    words, figures = (found[f"{n}.schema.json"]["$defs"] for n in ("vocabulary", "figures"))
    words |= {key: {"enum": list(entries)} for key, entries in lists.items()}
    words["choosers"] = {"enum": [c for c in lists.get("choosers", ()) if c != BY_ITSELF]}
    words["rule"] = {"enum": [*procedures, *kinds]}
    values = {name: item.get("values") for name, item in procedures.items()}
    words["procedures"] = _closed(
        {name: {"enum": list(v)} for name, v in values.items() if isinstance(v, dict)}
    )
    shape_of = {name: kind.get("shape") for name, kind in kinds.items()}
    figures["figures"] = _closed(
        {n: {"$ref": f"#/$defs/{shape}"} for n, shape in shape_of.items() if shape in figures}
    )
    return found


def _closed(properties: dict[str, Json]) -> Json:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _in_part(shape: Json) -> Json:
    """The schema for part of a figure: no key is required, but items of lists must be complete."""
    if isinstance(shape, list):
        return [_in_part(s) for s in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        ("anyOf" if k == "oneOf" else k): v if k == "items" else _in_part(v)
        for k, v in shape.items()
        if k != "required"
    }


def _resolved(node: Json, home: str, found: Schemas, done: dict[str, Json]) -> Json:
    """A part of the schema `home` without references; `done` caches what they refer to."""
    if isinstance(node, list):
        return [_resolved(n, home, found, done) for n in node]
    if not isinstance(node, dict):
        return node
    others = {
        k: _resolved(v, home, found, done)
        for k, v in node.items()
        if k not in ("$ref", "$defs") and not (k == "description" and isinstance(v, str))
    }
    if "$ref" not in node:
        return others
    file, pointer = _target_of(node, home)
    if (address := f"{file}#{pointer}") not in done:
        done[address] = _resolved(_at(found[file], pointer), file, found, done)
    return {"allOf": [done[address], others]} if others else done[address]


def keys_of(shape: Json) -> list[str]:
    """The keys of all mappings in a shape, in its order, outer keys before inner ones."""
    found: dict[str, None] = {}
    for part in [shape, *shape.get("oneOf", ())]:
        found |= dict.fromkeys(part.get("properties", {}))
        for inner in part.get("properties", {}).values():
            found |= dict.fromkeys(keys_of(inner))
    return list(found)


def lacking(value: Json, shape: Json, path: str = "") -> list[str]:
    """The names of the cells that a shape requires and a figure lacks."""
    if not isinstance(value, dict):
        return []
    parts = shape.get("oneOf", [shape])
    part = next((p for p in parts if value.keys() <= p.get("properties", {}).keys()), parts[0])
    at = f"{path}." if path else ""
    missing = [f"{at}{k}" for k in part.get("required", ()) if k not in value]
    for key, inner in part.get("properties", {}).items():
        missing += lacking(value[key], inner, f"{at}{key}") if key in value else []
    return missing
