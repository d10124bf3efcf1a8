"""Named tuples from JSON, by the type hints of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Read = Callable[[Any], Any]

PLAIN = (str, int, bool, NoneType, Any)
MISSING = object()


def fill(kind: type[T], data: Any) -> T:
    """The object of a class that JSON describes. Raises `KeyError` for a missing key."""
    read = _reader(cast("Any", kind))
    made: T = read(data) if read else data
    return made


@cache
def _reader(kind: Any) -> Read | None:
    """What makes a value of a type from JSON; `None` where the JSON is the value."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in PLAIN or origin in (list, dict):
        return None
    if origin is Annotated:
        return _reader(parts[0])
    if origin is UnionType:
        inner = [read for part in parts if (read := _reader(part))]
        if NoneType not in parts or len(parts) > 2 or not inner:
            return None  # the value of a figure, or a JSON value that may be missing
        one = inner[0]
        return lambda data: None if data is None else one(data)
    if origin is tuple:
        item = _reader(parts[0]) if parts[1] is ... else None
        return (lambda data: tuple(map(item, data))) if item else tuple
    if origin is Mapping:
        each = _reader(parts[1])
        return (lambda data: {k: each(v) for k, v in data.items()}) if each else None
    return _record(kind) if hasattr(kind, "_fields") else kind


def _record(kind: Any) -> Read:
    hints, defaults = get_type_hints(kind, include_extras=True), kind._field_defaults
    fields = []
    for name, hint in hints.items():
        key = hint.__metadata__[0] if get_origin(hint) is Annotated else name
        fields.append((key, _reader(hint), defaults.get(name, MISSING)))

    def read(data: Mapping[str, Any]) -> Any:
        return kind._make(
            [
                (each(data[key]) if each else data[key])
                if key in data or default is MISSING
                else default
                for key, each, default in fields
            ]
        )

    return read
