"""A file of the law data in its one spelling, which `oddtrick lint --fix` writes.

The keys of a record stand in the order of its schema, an entry to a line, and lines end at 100. A
table or a list is written on one line where it is short and flat (words and figures, no sentences);
the tables of one list all are, or none. Words stand without quotes where nothing can be misread,
else in double quotes; a text that is too long for its line is folded. A comment stays above what it
was written above. No meaning changes: what is read from the file is what was read before.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import yaml

from oddtrick.law import yaml as lawyaml
from oddtrick.law.problems import read_yaml
from oddtrick.law.schema import schema_of, schemas, validators
from oddtrick.law.yaml import Items, Json, Table

Schema = tuple[dict[str, Json], ...]
"""The schemas that bear on a value: all of them, or one of several."""

WIDTH = 100
Comments = dict[tuple[int, int], tuple[str, ...]]
"""The comments above an entry, by the place of the entry."""


def respelled(laws: Path) -> dict[Path, str]:
    """The files of a folder of law data that are not canonical, as they are to be written.

    A file that cannot be read, or that would not say the same afterwards, is left out.
    """
    shared = (_content(laws / f"{stem}.yaml") for stem in ("vocabulary", "irregularities"))
    check = validators(schemas(laws, {k: v for node in shared for k, v in node.items()}))
    found = {}
    for path in sorted([*laws.glob("*.yaml"), *laws.glob("*/*.yaml")]):
        validator = check.get(f"{schema_of(path, laws)}.schema.json")
        node = _content(path)
        if validator is None or not node:
            continue
        text = path.read_text("utf-8")
        schema: Json = validator.schema
        new = canonical(text, schema)
        if new != text and lawyaml.read(new, running=True) == node:
            found[path] = new
    return found


def _content(path: Path) -> Table:
    """What a file says; an empty table for one that cannot be read, or that is no table."""
    node, _ = read_yaml(path, path.name)
    return node if isinstance(node, Table) else Table((1, 1))


def canonical(text: str, schema: dict[str, Json]) -> str:
    """The text of a law file as it is to be written.

    `schema` is its schema with every reference followed. Says what the text says (of white space
    within a text only that it is there). Raises `NotYaml`.
    """
    node = lawyaml.read(text, running=True)
    if not isinstance(node, Table):
        return text
    above, last = _placed(text, node)
    lines: list[str] = []
    for key, value in _ordered(node, (schema,)):
        comments = above.pop(node.places[key], ())
        entry = [*_entry(f"{_spelled(key)}:", value, _child((schema,), key), 0, above)]
        if lines and len(entry) > 1 and not entry[0].endswith(">-"):
            lines.append("")
        lines += [*comments, *entry]
    return "\n".join([*lines, *last]) + "\n"


# --- tables, lists and what stands in them --------------------------------------------------------


def _entry(
    head: str, value: Json, schema: Schema, indent: int, above: Comments, open_: bool = False
) -> Iterator[str]:
    """The lines of a key or a list item (`head`) with its value; of a table several if `open_`."""
    margin, inside = " " * indent, " " * (indent + 2)
    short = None if open_ else _short(head, value, indent, above)
    if short is not None:
        yield f"{margin}{head} {short}"
    elif isinstance(value, str):
        yield f"{margin}{head} >-"
        yield from textwrap.wrap(
            value, WIDTH, initial_indent=inside, subsequent_indent=inside,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    elif head == "-":
        yield from _begun_with_dash(_inside(value, schema, indent + 2, above), margin)
    else:
        yield f"{margin}{head}"
        yield from _inside(value, schema, indent + 2, above)


def _begun_with_dash(lines: Iterator[str], margin: str) -> Iterator[str]:
    """The lines of a table or list in a list: its comments, then a dash before its first entry."""
    for line in lines:
        if not line.lstrip().startswith("#"):
            yield f"{margin}- {line.lstrip()}"
            break
        yield f"{margin}{line.lstrip()}"
    yield from lines


def _inside(value: Json, schema: Schema, indent: int, above: Comments) -> Iterator[str]:
    """The lines of a table's or a list's entries, with the comments above each."""
    if isinstance(value, Table):
        found = [
            (f"{_spelled(key)}:", value.places[key], v, _child(schema, key))
            for key, v in _ordered(value, schema)
        ]
    else:
        items = _child(schema, None)
        found = [("-", place, v, items) for place, v in zip(value.places, value, strict=True)]
    # The first key of a table in a list has the place of its item; the comments are the item's.
    comments = [above.pop(place, ()) for _, place, _, _ in found]
    alike = isinstance(value, Table) or all(
        _short(head, v, indent, above) for head, _, v, _ in found if _table(v)
    )
    for said, (head, _, v, child) in zip(comments, found, strict=True):
        yield from (" " * indent + comment for comment in said)
        yield from _entry(head, v, child, indent, above, not alike and _table(v))


def _table(value: Json) -> bool:
    return isinstance(value, Table) and bool(value)


def _short(head: str, value: Json, indent: int, above: Comments) -> str | None:
    """A value on the line of its key or dash, if it can stand there."""
    if above and any(place in above for place in _places(value)):
        return None
    words = _flow(value)
    return words if words and indent + len(head) + 1 + len(words) <= WIDTH else None


def _flow(value: Json, depth: int = 0) -> str | None:
    """A value on one line; `None` for one with sentences in it or more than lists of words."""
    if isinstance(value, str):
        return None if depth and _sentence(value) else _spelled(value, depth > 0)
    if not isinstance(value, Table | Items):
        return json.dumps(value)
    if isinstance(value, Items) and depth < 2:
        words = _each_flow(value, 2)
        return None if words is None else f"[{', '.join(words)}]"
    if isinstance(value, Table) and depth == 0:
        words = _each_flow(value.values(), 1)
        if words is None:
            return None
        keys = (_spelled(key, True) for key in value)
        return "{" + ", ".join(f"{k}: {w}" for k, w in zip(keys, words, strict=True)) + "}"
    return None


def _each_flow(values: Iterable[Json], depth: int) -> list[str] | None:
    found = []
    for value in values:
        words = _flow(value, depth)
        if words is None:
            return None
        found.append(words)
    return found


def _sentence(text: str) -> bool:
    return text.endswith((".", "?", "!")) and len(text.split()) > 3


# --- the order of keys ----------------------------------------------------------------------------


def _parts(schema: Iterable[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    """The schemas with all that they are made of."""
    for part in schema:
        yield part
        for kind in ("allOf", "anyOf", "oneOf"):
            yield from _parts(part.get(kind, ()))


def _child(schema: Schema, key: str | None) -> Schema:
    """What bears on the value of a key, or with `None` on the items of a list."""
    found = []
    for part in _parts(schema):
        if key is None:
            child = part.get("items")
        else:
            child = part.get("properties", {}).get(key, part.get("additionalProperties"))
        if isinstance(child, dict):
            found.append(child)
    return tuple(found)


def _ordered(table: Table, schema: Schema) -> list[tuple[str, Json]]:
    """The entries of a record, a table that must have certain keys, in the order of its schema.

    Another, such as the figures of a provision, keeps the order in which it is to be told.
    """
    parts = [part for part in _parts(schema) if "required" in part]
    order = [k for part in parts for k in part.get("properties", {})]
    known = {k: place for place, k in reversed([*enumerate(order)])}
    return sorted(table.items(), key=lambda entry: known.get(entry[0], len(order)))


# --- words ----------------------------------------------------------------------------------------

_BEFORE = re.compile(r"[-+.]?[0-9]|[-?:,\[\]{}#&*!|>'\"%@`=.~]|\s")
_WITHIN = re.compile(r":|\s#|[^\x20-\x7e\xa1-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FLOW = re.compile(r"[,\[\]{}]")
_OTHERWISE = frozenset("true false null yes no on off y n ~ <<".split())
"""Words that YAML, in one version or another, takes for something else."""


@cache
def _spelled(word: str, flow: bool = False) -> str:
    """A word as it is written, in quotes where it must be; `flow` is within `{}` or `[]`."""
    plain = (
        word != ""
        and word == word.strip()
        and word.lower() not in _OTHERWISE
        and not _BEFORE.match(word)
        and not _WITHIN.search(word)
        and not (flow and _FLOW.search(word))
    )
    return word if plain else json.dumps(word, ensure_ascii=False)


# --- comments -------------------------------------------------------------------------------------


def _placed(text: str, node: Table) -> tuple[Comments, tuple[str, ...]]:
    """The comments of a text by the place of the entry that they belong to, and those at its end.

    A comment belongs to what begins after it; one at the end of a line to what begins on that line.
    """
    found = [*_comments(text)]
    if not found:
        return {}, ()
    places = sorted(_places(node))
    above: dict[tuple[int, int], list[str]] = {}
    last = []
    for line, own_line, comment in found:
        here = next((p for p in places if p[0] >= line + own_line), None)
        if here:
            above.setdefault(here, []).append(comment)
        else:
            last.append(comment)
    return {p: tuple(c) for p, c in above.items()}, tuple(last)


def _comments(text: str) -> Iterator[tuple[int, bool, str]]:
    """Each comment of a text: its line, whether it has the line to itself, its words."""
    if "#" not in text:
        return
    inside = bytearray(len(text) + 1)
    for event in yaml.parse(text, Loader=lawyaml.LOADER):
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
            start, end = event.start_mark.index, event.end_mark.index
            inside[start:end] = b"\1" * (end - start)
    for match in re.finditer(r"(?:^|(?<=\s))#[^\n]*", text, re.M):
        if not inside[match.start()]:
            line = text.count("\n", 0, match.start())
            before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            yield line + 1, not before.strip(), match[0].rstrip()


def _places(node: Json) -> Iterator[tuple[int, int]]:
    """The place of every entry, those of an outer one before those within it."""
    if isinstance(node, Table):
        for key, value in node.items():
            yield node.places[key]
            yield from _places(value)
    elif isinstance(node, Items):
        for place, value in zip(node.places, node, strict=True):
            yield place
            yield from _places(value)
