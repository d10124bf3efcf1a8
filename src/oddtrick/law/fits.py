"""Whether data are as a JSON Schema has them: yes or no, and no more.

jsonschema tells what is wrong and where, and to do so makes a validator for each value; of law data
in which nothing is wrong that takes as long as all else that is done with them. Here a schema is
made into functions, once. What they say of data as the law files can hold them (without fractions)
is what jsonschema says; tests hold the two equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from oddtrick.law.yaml import Json

Test = Callable[[Json], bool]


class UnknownKeyword(Exception):
    """A schema asks for something in a way that is not known here."""


def test_of(schema: Json) -> Test:
    """Tells of data whether a schema without references accepts them. Raises `UnknownKeyword`."""
    return _test(schema, {})


def _test(schema: Json, done: dict[int, Test]) -> Test:
    """The same; `done` has those of the parts that were met before, which schemas share."""
    if id(schema) not in done:
        done[id(schema)] = _anything if schema is True else _made(schema, done)
    return done[id(schema)]


def _anything(_: Json) -> bool:
    return True


def _made(schema: Json, done: dict[int, Test]) -> Test:
    strange = schema.keys() - _KEYWORDS.keys() - _OF_A_TABLE - _SAID
    if strange:
        raise UnknownKeyword(", ".join(sorted(strange)))
    tests = [make(schema[key], done) for key, make in _KEYWORDS.items() if key in schema]
    if schema.keys() & _OF_A_TABLE:
        tests.append(_table(schema, done))
    if len(tests) == 1:
        return tests[0]

    return lambda value: all(test(value) for test in tests)


# --- tables ---------------------------------------------------------------------------------------

_OF_A_TABLE = {
    "properties",
    "additionalProperties",
    "required",
    "propertyNames",
    "minProperties",
    "dependentRequired",
}
_SAID = {"$schema", "$id", "$defs"}
"""Keywords that ask for nothing."""


def _table(schema: Json, done: dict[int, Test]) -> Test:
    """All that is asked of a table, in one go through it."""
    tests = {key: _test(part, done) for key, part in schema.get("properties", {}).items()}
    more = schema.get("additionalProperties", True)
    others = None if more is False else _test(more, done)
    names = _test(schema["propertyNames"], done) if "propertyNames" in schema else None
    required = schema.get("required", ())
    least = schema.get("minProperties", 0)
    dependent = schema.get("dependentRequired", {})

    def table(value: Json) -> bool:
        if not isinstance(value, dict):
            return True
        for key in required:
            if key not in value:
                return False
        for key, part in value.items():
            test = tests.get(key, others)
            if test is None or not test(part) or (names is not None and not names(key)):
                return False
        return len(value) >= least and all(
            key not in value or value.keys() >= set(needed) for key, needed in dependent.items()
        )

    return table


# --- all else -------------------------------------------------------------------------------------


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: dict[str, Test] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_whole,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def _type(said: Json, _: dict[int, Test]) -> Test:
    names = [said] if isinstance(said, str) else said
    if not _TYPES.keys() >= set(names):
        raise UnknownKeyword(f"type {said}")
    tests = [_TYPES[name] for name in names]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _enum(allowed: Json, _: dict[int, Test]) -> Test:
    known = {(type(value), value) for value in allowed if not isinstance(value, dict | list)}
    if len(known) < len(allowed):
        raise UnknownKeyword("enum")
    # `True` is no 1, and a table or list, which has no hash, is none of them.
    return lambda value: not isinstance(value, dict | list) and (type(value), value) in known


def _const(allowed: Json, done: dict[int, Test]) -> Test:
    return _enum([allowed], done)


def _pattern(said: Json, _: dict[int, Test]) -> Test:
    search = re.compile(said).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _min_length(least: Json, _: dict[int, Test]) -> Test:
    return lambda value: not isinstance(value, str) or len(value) >= least


def _minimum(least: Json, _: dict[int, Test]) -> Test:
    return lambda value: not _is_whole(value) or value >= least


def _maximum(most: Json, _: dict[int, Test]) -> Test:
    return lambda value: not _is_whole(value) or value <= most


def _items(part: Json, done: dict[int, Test]) -> Test:
    test = _test(part, done)

    def items(value: Json) -> bool:
        if isinstance(value, list):
            for item in value:
                if not test(item):
                    return False
        return True

    return items


def _min_items(least: Json, _: dict[int, Test]) -> Test:
    return lambda value: not isinstance(value, list) or len(value) >= least


def _max_items(most: Json, _: dict[int, Test]) -> Test:
    return lambda value: not isinstance(value, list) or len(value) <= most


def _unique(asked: Json, _: dict[int, Test]) -> Test:
    def unique(value: Json) -> bool:
        told = [json.dumps(item, sort_keys=True) for item in value]
        return len(set(told)) == len(told)

    return lambda value: not (asked and isinstance(value, list)) or unique(value)


def _all_of(parts: Json, done: dict[int, Test]) -> Test:
    tests = [_test(part, done) for part in parts]
    return lambda value: all(test(value) for test in tests)


def _any_of(parts: Json, done: dict[int, Test]) -> Test:
    tests = [_test(part, done) for part in parts]
    return lambda value: any(test(value) for test in tests)


def _one_of(parts: Json, done: dict[int, Test]) -> Test:
    tests = [_test(part, done) for part in parts]
    return lambda value: sum(test(value) for test in tests) == 1


_KEYWORDS: dict[str, Callable[[Json, dict[int, Test]], Test]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minLength": _min_length,
    "minimum": _minimum,
    "maximum": _maximum,
    "minItems": _min_items,
    "maxItems": _max_items,
    "uniqueItems": _unique,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
}
"""What is asked of data, the cheapest first; what is asked of tables is asked together."""
