"""Reads the subset of YAML used in the law data: mappings, lists and scalars, with line numbers.

A scalar is a string unless it is an unquoted integer, `true`, `false` or `null`. Duplicate keys,
aliases, tags and merges are errors.
"""

from __future__ import annotations

import re

import yaml

from oddtrick.law.model import Json

LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,15}")


class NotYaml(Exception):
    """Raised for a text that cannot be read, with the line and column (from 1) and the reason."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class Table(dict[str, Json]):
    """A mapping that knows its file, the line where it begins and the line of each key."""

    def __init__(self, file: str, line: int) -> None:
        super().__init__()
        self.file, self.line = file, line
        self.lines: dict[str, int] = {}


class Items(list[Json]):
    """A list that knows the line where it begins and the line of each item."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


def read(text: str, running: bool = False, file: str = "") -> Json:
    """Parse one YAML document of a file; `None` if it is empty. Raises `NotYaml`.

    If `running`, each run of white space in a string, including line breaks, becomes one space.
    """
    try:
        node = yaml.compose(text, Loader=LOADER)
        return None if node is None else _value(node, running, file, set())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        message = " ".join(part for part in (error.problem, error.context) if part)
        if "cannot start any token" in message:
            strange = text.splitlines()[line - 1][column - 1]
            message = f"{strange!r} cannot begin a value; indent with spaces, or quote the value"
        raise NotYaml(line, column, message) from error
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "surrogatepass")[: error.position]
        column = len(before) - before.rfind(b"\n")
        raise NotYaml(before.count(b"\n") + 1, column, str(error.reason)) from error
    except RecursionError:
        raise NotYaml(1, 1, "mappings and lists are nested too deeply") from None


def _value(node: yaml.Node, running: bool, file: str, seen: set[yaml.Node]) -> Json:
    if node in seen:
        raise _refused(node, "an alias is not allowed here: write out the value")
    seen.add(node)
    if not node.tag.startswith("tag:yaml.org,2002:"):
        raise _refused(node, f"the tag `{node.tag}` is not allowed here")
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        table = Table(file, line)
        for key, value in node.value:
            name = _key(key, table)
            table[name] = _value(value, running, file, seen)
            table.lines[name] = key.start_mark.line + 1
        return table
    if isinstance(node, yaml.SequenceNode):
        items = Items(line)
        for item in node.value:
            items.append(_value(item, running, file, seen))
            items.lines.append(item.start_mark.line + 1)
        return items
    if isinstance(node, yaml.ScalarNode) and not node.style:
        if node.value in CONSTANTS:
            return CONSTANTS[node.value]
        if WHOLE_NUMBER.fullmatch(node.value):
            return int(node.value)
    text = str(node.value)
    return " ".join(text.split()) if running else text


def _key(key: yaml.Node, table: Table) -> str:
    if not isinstance(key, yaml.ScalarNode):
        raise _refused(key, "a key must be a scalar")
    if key.value == "<<" and not key.style:
        raise _refused(key, "merging (`<<`) is not allowed here: write out the keys")
    if key.value in table:
        first = table.lines[key.value]
        raise _refused(key, f"the key `{key.value}` occurs twice; first at line {first}")
    return str(key.value)


def _refused(node: yaml.Node, message: str) -> NotYaml:
    return NotYaml(node.start_mark.line + 1, node.start_mark.column + 1, message)
