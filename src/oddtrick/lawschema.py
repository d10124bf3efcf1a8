"""The JSON Schemas of the law data, complete with the words of the vocabulary, and whether a file keeps its own.

That a file keeps its schema is found out by plain functions, made once from each schema with every reference
followed; what is wrong in one that does not is for jsonschema to say. It takes ten times as long, and is not even
imported while all is in order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddtrick.lawyaml import Items, Table

if TYPE_CHECKING:
    from jsonschema import ValidationError

Json = Any
Test = Callable[[Json], bool]


def vocabulary_schema(schema: dict[str, Json], figures: dict[str, Json], vocabulary: dict[str, Json]) -> None:
    """Fill the enumerations of the vocabulary into the schemas, in place."""

    def ids(key: str) -> list[str]:
        return [str(item["id"]) for item in vocabulary.get(key, [])]

    schema["$defs"] |= {
        "topic": {"enum": ids("topics")},
        "relation": {"enum": ids("relations")},
        "denomination": {"enum": ids("denominations")},
        "finding": {"enum": ids("findings")},
        "term": {"enum": ids("terms")},
        "irregularity": {"enum": ids("irregularities")},
        "remedy": {"enum": ids("remedies")},
        "chooser": {"enum": ids("choosers")},
        "limit": {"enum": ids("limits")},
        "group": {"enum": ids("groups")},
        "fact": {"enum": ids("facts")},
        "rule": {"enum": ids("procedures") + ids("figures")},
        "procedures": {
            "type": "object",
            "additionalProperties": False,
            "properties": {p["id"]: {"enum": list(p["values"])} for p in vocabulary.get("procedures", [])},
        },
    }
    figures["$defs"]["figures"] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {f["id"]: {"$ref": f"#/$defs/{f['shape']}"} for f in vocabulary.get("figures", [])},
    }


def schemas(laws: Path, vocabulary: dict[str, Json]) -> dict[str, dict[str, Json]]:
    """The JSON Schemas by file name, complete with the enumerations of the vocabulary."""
    found = {
        p.name: json.loads(p.read_text("utf-8")) for p in sorted((laws / "schema").glob("*.schema.json"))
    }
    vocabulary_schema(found["vocabulary.schema.json"], found["figures.schema.json"], vocabulary)
    return found


class Shape:
    """What one kind of file must look like: a schema that refers to no other."""

    def __init__(self, schema: Json) -> None:
        self.schema = schema
        try:
            self._keeps = _test(schema)
        except NotImplementedError:
            self._keeps = lambda _: False

    def errors(self, value: Json) -> Iterator[ValidationError]:
        """What jsonschema finds wrong in the content of a file; nothing where it is in order."""
        if self._keeps(value):
            return
        from jsonschema import Draft202012Validator

        yield from Draft202012Validator(self.schema).iter_errors(value)


def shapes(found: dict[str, dict[str, Json]]) -> dict[str, Shape]:
    """The shape that each schema describes, by file name."""
    done: dict[str, Json] = {}
    return {name: Shape(_whole(found[name], name, found, done)) for name in found}


def _whole(node: Json, home: str, found: dict[str, dict[str, Json]], done: dict[str, Json]) -> Json:
    """A part of the schema `home` with each reference replaced by what it refers to; `done` has those made before."""
    if isinstance(node, list):
        return [_whole(n, home, found, done) for n in node]
    if not isinstance(node, dict):
        return node
    others = {k: _whole(v, home, found, done) for k, v in node.items() if k not in ("$ref", "$defs")}
    if "$ref" not in node:
        return others
    file, _, pointer = node["$ref"].partition("#")
    address = f"{file or home}#{pointer}"
    if address not in done:
        target: Json = found[file or home]
        for step in filter(None, pointer.split("/")):
            target = target[step]
        done[address] = _whole(target, file or home, found, done)
    return others | {"allOf": [done[address], *others.get("allOf", [])]} if others else done[address]


# --- whether a value keeps a schema -----------------------------------------------------------------

SAYS_NOTHING = frozenset(("$schema", "$id", "title", "description"))
"""Keywords that no value can break."""

TYPES: dict[str, tuple[type, ...]] = {
    "object": (Table, dict),
    "array": (Items, list),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
"""What the words of `type` mean for what the law data hold, in which no number has a fraction."""


def _test(schema: Json) -> Test:
    """A function that says whether a value keeps a schema. Raises `NotImplementedError` for an unknown keyword."""
    if isinstance(schema, bool):
        return lambda _: schema
    tests = []
    for keyword, wanted in schema.items():
        if keyword in SAYS_NOTHING or (keyword == "additionalProperties" and "properties" in schema):
            continue
        if keyword not in KEYWORDS:
            raise NotImplementedError(keyword)
        tests.append(KEYWORDS[keyword](wanted, schema))
    return tests[0] if len(tests) == 1 else _every(tests)


def _every(tests: list[Test]) -> Test:
    def keeps(value: Json) -> bool:
        for test in tests:  # noqa: SIM110 (a generator costs more than what it would ask)
            if not test(value):
                return False
        return True

    return keeps


def _type(wanted: Json, _: Json) -> Test:
    names = [wanted] if isinstance(wanted, str) else wanted
    if not TYPES.keys() >= set(names):
        raise NotImplementedError("type")
    allowed = frozenset(t for name in names for t in TYPES[name])
    return lambda value: type(value) in allowed


def _enum(wanted: list[Json], _: Json) -> Test:
    words = frozenset(w for w in wanted if isinstance(w, str))
    others = [(type(w), w) for w in wanted if not isinstance(w, str)]
    return lambda value: value in words if type(value) is str else (type(value), value) in others


def _pattern(wanted: str, _: Json) -> Test:
    search = re.compile(wanted).search
    return lambda value: type(value) is not str or search(value) is not None


def _properties(wanted: dict[str, Json], schema: Json) -> Test:
    """`properties` and `additionalProperties` together."""
    known = {key: _test(s) for key, s in wanted.items()}
    more = _test(schema.get("additionalProperties", True))

    def keeps(value: Json) -> bool:
        if isinstance(value, dict):
            for key, part in value.items():
                if not known.get(key, more)(part):
                    return False
        return True

    return keeps


def _items(wanted: Json, _: Json) -> Test:
    test = _test(wanted)
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _names(wanted: Json, _: Json) -> Test:
    test = _test(wanted)
    return lambda value: not isinstance(value, dict) or all(map(test, value))


def _required(wanted: list[str], _: Json) -> Test:
    keys = frozenset(wanted)
    return lambda value: not isinstance(value, dict) or keys <= value.keys()


def _unique(wanted: bool, _: Json) -> Test:
    if not wanted:
        return lambda _: True
    return lambda value: not isinstance(value, list) or len({json.dumps(v, sort_keys=True) for v in value}) == len(value)


def _all_of(wanted: list[Json], _: Json) -> Test:
    return _every([_test(s) for s in wanted])


def _one_of(wanted: list[Json], _: Json) -> Test:
    tests = [_test(s) for s in wanted]
    return lambda value: sum(test(value) for test in tests) == 1


def _length(kind: type[Sized], most: bool) -> Callable[[int, Json], Test]:
    def made(limit: int, _: Json) -> Test:
        if most:
            return lambda value: not isinstance(value, kind) or len(value) <= limit
        return lambda value: not isinstance(value, kind) or len(value) >= limit

    return made


KEYWORDS: dict[str, Callable[[Any, Json], Test]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda wanted, schema: _enum([wanted], schema),
    "pattern": _pattern,
    "minLength": _length(str, most=False),
    "minItems": _length(list, most=False),
    "maxItems": _length(list, most=True),
    "minProperties": _length(dict, most=False),
    "minimum": lambda limit, _: lambda value: type(value) is not int or value >= limit,
    "properties": _properties,
    "additionalProperties": lambda _, schema: _properties({}, schema),
    "propertyNames": _names,
    "required": _required,
    "items": _items,
    "uniqueItems": _unique,
    "allOf": _all_of,
    "oneOf": _one_of,
}
"""For each keyword that the schemas use the maker of its test."""
