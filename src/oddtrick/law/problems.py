"""Problems of the law data, with file and line; among them the problems that a schema finds."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from oddtrick.law.model import Json
from oddtrick.law.yaml import Items, Table

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in the law data: file, line (from 1), and what is wrong and how to correct it."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def line_of(node: Json, path: Iterable[str | int]) -> int:
    """The line of the item at a path, or of its nearest ancestor with a known line."""
    line = 1
    for step in path:
        try:
            line, node = node.lines[step], node[step]
        except (AttributeError, LookupError, TypeError):
            break
        if isinstance(node, Table | Items):
            line = node.line
    return line


def nearest(word: str, words: Sequence[str]) -> str:
    """The sentence ` Did you mean `x`?` for the most similar word; empty if none is similar."""
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def repeated(items: Iterable[Item], key: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Yield each item whose key occurred before, with the first item that has that key."""
    seen: dict[Hashable, Item] = {}
    for item in items:
        first = seen.setdefault(key(item), item)
        if first is not item:
            yield item, first


def schema_problems(node: Json, name: str, check: Draft202012Validator) -> Iterator[Problem]:
    """Yield the schema errors of a file, suggesting the nearest valid word for an unknown one."""
    for error in map(_deepest, check.iter_errors(node)):
        path = list(error.absolute_path)
        where = f" in {'.'.join(map(str, path))}." if path else "."
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            schema: Json = error.schema
            known = list(schema.get("properties", {}))
            for key in (k for k in error.instance if k not in known):
                message = f"unknown key `{key}`{where}{nearest(str(key), known)}"
                yield Problem(name, line_of(node, [*path, key]), message)
            continue
        message = f"{error.message[:200]}{where}"
        if error.validator == "enum":
            allowed: Json = error.validator_value
            hint = nearest(str(error.instance), [str(v) for v in allowed])
            message = f"`{error.instance}` is unknown{where}{hint}"
        yield Problem(name, line_of(node, path), message)


def _deepest(error: ValidationError) -> ValidationError:
    """The error itself or, for a choice between schemas, the deepest error in any branch."""
    while error.validator in ("oneOf", "anyOf") and error.context:
        error = max(error.context, key=lambda e: len(e.absolute_path))
    return error
