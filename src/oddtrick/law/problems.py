"""A file of the law data read and held against its schema: its content, and what is wrong with it.

A `Problem` has a file and a line, and is never an exception.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from oddtrick.law import yaml as lawyaml
from oddtrick.law.yaml import Items, Json, Table

if TYPE_CHECKING:
    from oddtrick.law.schema import Validator


class Problem(NamedTuple):
    """Something wrong in the law data: file, line (1-based), what is wrong and the next step."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def read_yaml(path: Path, name: str) -> tuple[Json, list[Problem]]:
    """The content of a file of the law data, or the problem that stops it from being read."""
    if path.exists() and not path.is_file():  # a pipe would be waited for, a device has no end
        return None, [Problem(name, 1, "cannot be read: it is no file.")]
    try:
        return lawyaml.read(path.read_text("utf-8"), running=True), []
    except lawyaml.NotYaml as error:
        return None, [Problem(name, error.line, f"not YAML: {error} (column {error.column}).")]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return None, [Problem(name, line, "not YAML: the file is not written in UTF-8.")]
    except OSError as error:
        return None, [Problem(name, 1, f"cannot be read: {error.strerror or error}.")]


def line_of(node: Json, path: Iterable[Json]) -> int:
    """The line of what stands at a path: where a table or list begins, or the key of a plain value.

    Where the path goes on beyond the node, the last line of it that is known; for no path the
    first.
    """
    line = 1
    for step in path:
        if not isinstance(node, Table | Items):
            break
        try:
            line, node = node.places[step][0], node[step]
        except (LookupError, TypeError):
            break
        if isinstance(node, Table | Items):
            line = node.place[0]
    return line


def nearest(word: str, words: list[str]) -> str:
    """` Did you mean `x`?` for the nearest of the words, or nothing."""
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def schema_problems(node: Json, name: str, validator: Validator) -> Iterator[Problem]:
    """What the schema refuses in a file, at its line, with the word nearest to a strange one."""
    for error in _leaves(validator.iter_errors(node)):
        path = list(error.absolute_path)
        where = " in " + ".".join(str(p) for p in path) if path else ""
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known:
                    yield Problem(
                        name,
                        line_of(node, [*path, key]),
                        f"unknown key `{key}`{where}.{nearest(str(key), known)}",
                    )
        elif error.validator == "enum":
            allowed = [str(v) for v in error.validator_value]
            hint = nearest(str(error.instance), allowed)
            yield Problem(
                name,
                line_of(node, path),
                f"`{error.instance}` is not in the vocabulary{where}.{hint}",
            )
        elif error.validator == "required":
            yield Problem(name, line_of(node, path), f"{error.message}{where}.")
        else:
            yield Problem(name, line_of(node, path), f"{error.message[:200]}{where}.")


def _leaves(errors: Any) -> Iterator[Any]:
    """The errors worth telling: of a choice that failed, those of the branch that came nearest."""
    for error in errors:
        if error.validator in ("oneOf", "anyOf") and error.context:
            deepest = max(len(e.absolute_path) for e in error.context)
            branch = [e for e in error.context if len(e.absolute_path) == deepest]
            yield from _leaves(branch[:1])
        else:
            yield error
