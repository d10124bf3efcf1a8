"""Reading a YAML file of the lawbook: its content with its lines, and what is wrong with it as a value.

ruamel.yaml reads YAML 1.2, refuses duplicate keys and knows the line of every key. A `Problem` has a file and
a line, and is never an exception.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Json = Any


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the law data: file, line (1-based), what is wrong and the next step."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def plain(node: Json) -> Json:
    """The node without ruamel's wrappers: dicts, lists, strings, integers, booleans, null."""
    if isinstance(node, dict):
        return {str(k): plain(v) for k, v in node.items()}
    if isinstance(node, list):
        return [plain(v) for v in node]
    if isinstance(node, bool) or node is None:
        return node
    if isinstance(node, int):
        return int(node)
    return " ".join(str(node).split())


def line_of(node: Json, path: list[Any]) -> int:
    """The line, from 1, of the value or the key at a path of a node that ruamel read."""
    line = 0
    for step in path:
        lc = getattr(node, "lc", None)
        data = getattr(lc, "data", None) or {}
        if step in data:
            line = data[step][0]
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            break
        line = getattr(getattr(node, "lc", None), "line", line)
    return int(line) + 1


def read_yaml(path: Path, name: str) -> tuple[Json, list[Problem]]:
    """The content of a YAML 1.2 file with its line numbers, or the problem that stops it from being read."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="rt", pure=True).load(path.read_text("utf-8")), []
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return None, [
            Problem(name, mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}")
        ]
    except (YAMLError, UnicodeDecodeError, OSError) as error:
        return None, [Problem(name, 1, f"cannot be read: {error}")]


def nearest(word: str, words: list[str]) -> str:
    """` Did you mean `x`?` for the nearest of the words, or nothing."""
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def schema_problems(node: Json, name: str, validator: Draft202012Validator) -> Iterator[Problem]:
    """What the schema refuses in a file, each at its line, with the nearest spelling for an unknown word."""
    for error in _leaves(validator.iter_errors(plain_numbers(node))):
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
                name, line_of(node, path), f"`{error.instance}` is not in the vocabulary{where}.{hint}"
            )
        elif error.validator == "required":
            yield Problem(name, line_of(node, path), f"{error.message}{where}.")
        else:
            yield Problem(name, line_of(node, path), f"{error.message[:200]}{where}.")


def plain_numbers(node: Json) -> Json:
    """A copy for jsonschema: ruamel's string and number classes behave, but block text keeps its newline."""
    if isinstance(node, dict):
        return {k: plain_numbers(v) for k, v in node.items()}
    if isinstance(node, list):
        return [plain_numbers(v) for v in node]
    if isinstance(node, str):
        return str(node).rstrip("\n")
    return node


def _leaves(errors: Any) -> Iterator[Any]:
    """The errors worth telling: of a choice that failed, those of the branch that came nearest."""
    for error in errors:
        if error.validator in ("oneOf", "anyOf") and error.context:
            deepest = max(len(e.absolute_path) for e in error.context)
            branch = [e for e in error.context if len(e.absolute_path) == deepest]
            yield from _leaves(branch[:1])
        elif error.validator == "propertyNames" or (
            error.parent and error.parent.validator == "propertyNames"
        ):
            yield error
        else:
            yield error
