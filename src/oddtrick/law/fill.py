"""Converts JSON to named tuples, and tables of law files to that JSON, using the type hints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from oddtrick.law.address import Address

T = TypeVar("T")
Read = Callable[[Any], Any]

UNCONVERTED = (str, int, bool, NoneType, Any)
MISSING = object()


def fill(kind: type[T], data: Any) -> T:
    """Convert JSON to an object of a type. Raises `KeyError` for a missing key."""
    read = _reader(cast("Any", kind))
    made: T = read(data) if read else data
    return made


@cache
def _reader(kind: Any) -> Read | None:
    """A converter from JSON to a type; `None` if the JSON is already the value."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in UNCONVERTED or origin in (list, dict):
        return None
    if origin is UnionType:
        inner = [read for part in parts if (read := _reader(part))]
        if NoneType not in parts or len(parts) > 2 or not inner:
            return None  # the value of a figure, or an optional JSON value
        one = inner[0]
        return lambda data: None if data is None else one(data)
    if origin is tuple and get_origin(parts[0]) is tuple and get_args(parts[0])[1] is not ...:
        return lambda data: tuple((k, tuple(v)) for k, v in data.items())  # a mapping as pairs
    if origin is tuple:
        item = _reader(parts[0]) if parts[1] is ... else None
        return (lambda data: tuple(map(item, data))) if item else tuple
    if origin is Mapping:
        each = _reader(parts[1])
        return (lambda data: {k: each(v) for k, v in data.items()}) if each else None
    return _record(kind) if hasattr(kind, "_fields") else kind


@cache
def _fields(kind: Any) -> list[tuple[str, Any, Any]]:
    """The key, the type and the default of each field."""
    return [
        (hint.__metadata__[0], get_args(hint)[0], kind._field_defaults.get(name, MISSING))
        if get_origin(hint) is Annotated
        else (name, hint, kind._field_defaults.get(name, MISSING))
        for name, hint in get_type_hints(kind, include_extras=True).items()
    ]


def _record(kind: Any) -> Read:
    fields = [(key, _reader(hint), default) for key, hint, default in _fields(kind)]

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


def complete(kind: Any, table: Any, code: str, more: Mapping[str, Any] = {}) -> dict[str, Any]:
    """A table of a law file of `code`, completed with `more` and every field required by `kind`.

    Addresses are completed with the code, a missing required field is empty, and `file` and `line`
    are where the table begins.
    """
    found = {**table, **more}
    for key, hint, default in _fields(kind):
        if key in ("file", "line"):
            found.setdefault(key, getattr(table, key, None))
        elif key in found:
            found[key] = _completed(key, hint, found[key], code)
        elif default is MISSING:
            empty: Any = {tuple: [], Mapping: {}}.get(get_origin(hint))
            found[key] = False if hint is bool else empty
    return found


def _completed(key: str, hint: Any, value: Any, code: str) -> Any:
    item, *_ = get_args(hint) or (None,)
    if hint is Address:
        return full(code, [value])[0]
    if item is Address and key == "readings":
        return [reading_address(name, code) for name in value]
    if item is Address:
        return full(code, value)
    if hasattr(item, "_fields"):
        return [complete(item, table, code) for table in value]
    return complete(hint, value, code) if hasattr(hint, "_fields") else value


def full(code: str, addresses: Iterable[str]) -> list[str]:
    """Addresses prefixed with the code, unless they already name one."""
    return [a if ":" in a else f"{code}:{a}" for a in addresses]


def reading_address(name: str, code: str) -> str:
    """The address of a reading that a code names as `ID`, or as `CODE:ID` if it is the base's."""
    owner, _, own = name.rpartition(":")
    return f"{owner or code}:reading.{own}"
