"""Frozen dataclasses from JSON, by the type hints of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Read = Callable[[Any], Any]

PLAIN = (str, int, bool, NoneType, Any)


def fill(kind: type[T], data: Any) -> T:
    """The object of a class that JSON describes. A missing key raises `TypeError` by its field."""
    read = _reader(cast("Any", kind))
    made: T = read(data) if read else data
    return made


@cache
def _reader(kind: Any) -> Read | None:
    """What makes a value of a type from JSON; `None` where the JSON is the value."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in PLAIN or kind is NoneType:
        return None
    if origin in (Union, UnionType):
        inner = [read for part in parts if (read := _reader(part))]
        if NoneType not in parts or len(parts) > 2 or not inner:
            return None  # the value of a figure, or a plain value that may be missing
        one = inner[0]
        return lambda data: None if data is None else one(data)
    if origin is tuple:
        return _sequence(*parts)
    if origin is Mapping:
        each = _reader(parts[1])
        return (lambda data: {k: each(v) for k, v in data.items()}) if each else None
    if origin in (list, dict):
        return None
    return _object(kind) if is_dataclass(kind) else kind


def _sequence(first: Any, second: Any) -> Read:
    """What makes a tuple: of any length, or a pair."""
    if second is not ...:
        return tuple
    each = _reader(first)
    return (lambda data: tuple(map(each, data))) if each else tuple


def _object(kind: Any) -> Read:
    hints = get_type_hints(kind)
    known = [
        (name, field.name, _reader(hints[field.name]))
        for field in fields(kind)
        for name in field.metadata.get("keys", (field.name,))
    ]

    def read(data: Mapping[str, Any]) -> Any:
        found = {}
        for key, name, each in known:
            if key in data and name not in found:
                found[name] = each(data[key]) if each else data[key]
        return kind(**found)

    return read
