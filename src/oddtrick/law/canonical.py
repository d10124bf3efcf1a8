"""A file of the law data in its one spelling, which `oddtrick lint --fix` writes and `oddtrick lint` asks for.

Keys stand in the order of their schema, an entry to a line, lines end at 100. A table or a list is
written on one line where it is short and flat (words and figures, no sentences) and those beside it
are so too. Words stand without quotes where nothing can be misread, else in double quotes; a text
that is too long for its line is folded. Comments stay above what they were written above.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from oddtrick.law import yaml as lawyaml
from oddtrick.law.yaml import Items, Table

Json = Any
Schema = tuple[dict[str, Json], ...]
"""The schemas that bear on a value: all of them, or one of several."""

WIDTH = 100
Comments = dict[tuple[int, int], tuple[str, ...]]
"""The comments above an entry, by the place of the entry."""


def canonical(text: str, schema: dict[str, Json]) -> str:
    """The text of a law file as it is to be written; `schema` is its schema with every reference followed.

    Says what the text says (of white space within a text only that it is there). Raises `NotYaml`.
    """
    node = lawyaml.read(text, running=True)
    if not isinstance(node, Table):
        return text
    above, last = _placed(text, node)
    lines: list[str] = []
    for key, value in _ordered(node, (schema,)):
        comments = above.pop(node.places[key], ())
        entry = [*_entry(f"{_word(key)}:", value, _child((schema,), key), 0, above)]
        if lines and len(entry) > 1 and not entry[0].endswith(">-"):
            lines.append("")
        lines += [*comments, *entry]
    return "\n".join([*lines, *last]) + "\n"


# --- tables, lists and what stands in them ---------------------------------------------------------


def _entry(
    head: str, value: Json, schema: Schema, indent: int, above: Comments, open_: bool = False
) -> Iterator[str]:
    """The lines of a key or a list item (`head`) with its value, a table over several if it is `open_`."""
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
    """The lines of a table or list in a list: its comments, then the dash before its first entry."""
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
            (f"{_word(key)}:", value.places[key], v, _child(schema, key))
            for key, v in _ordered(value, schema)
        ]
    else:
        items = _child(schema, None)
        found = [("-", place, v, items) for place, v in zip(value.places, value, strict=True)]
    # The first key of a table in a list has the place of its item; the comments are the item's.
    comments = [above.pop(place, ()) for _, place, _, _ in found]
    open_ = not all(_short(head, v, indent, above) for head, _, v, _ in found if _table(v))
    for said, (head, _, v, child) in zip(comments, found, strict=True):
        yield from (" " * indent + comment for comment in said)
        yield from _entry(head, v, child, indent, above, open_ and _table(v))


def _table(value: Json) -> bool:
    return isinstance(value, Table) and bool(value)


def _short(head: str, value: Json, indent: int, above: Comments) -> str | None:
    """A value on the line of its key or dash, if it can stand there."""
    if above and any(place in above for place in _places(value)):
        return None
    words = _flow(value)
    return words if words and indent + len(head) + 1 + len(words) <= WIDTH else None


def _flow(value: Json, depth: int = 0) -> str | None:
    """A value on one line; `None` for one with sentences in it, or with more than lists of words."""
    if isinstance(value, Table) and depth == 0:
        found = [(_word(k, flow=True), _flow(v, 1)) for k, v in value.items()]
        if any(v is None for _, v in found):
            return None
        return "{" + ", ".join(f"{k}: {v}" for k, v in found) + "}"
    if isinstance(value, Items) and depth < 2:
        words = [_flow(v, 2) for v in value]
        return None if None in words else "[" + ", ".join(str(w) for w in words) + "]"
    if isinstance(value, Table | Items):
        return None if value else _word(value)
    if depth and isinstance(value, str) and _sentence(value):
        return None
    return _word(value, flow=depth > 0)


def _sentence(text: str) -> bool:
    return text.endswith((".", "?", "!")) and len(text.split()) > 3


# --- the order of keys ------------------------------------------------------------------------------


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
    """The entries of a table in the order of its schema; keys that it leaves open stay as written."""
    order = [k for part in _parts(schema) for k in part.get("properties", {})]
    known = {k: place for place, k in reversed([*enumerate(order)])}
    return sorted(table.items(), key=lambda entry: known.get(entry[0], len(order)))


# --- words ------------------------------------------------------------------------------------------

_BEFORE = re.compile(r"[-+.]?[0-9]|[-?:,\[\]{}#&*!|>'\"%@`=.~]|\s")
_WITHIN = re.compile(r":|\s#|[^\x20-\x7e\xa1-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OTHERWISE = frozenset("true false null yes no on off y n ~".split())
"""Words that YAML, in one version or another, takes for something else."""


def _word(value: Json, flow: bool = False) -> str:
    """A word, a number or nothing, as it is written; in quotes where it would be read otherwise."""
    if not isinstance(value, str):
        return json.dumps(value)
    plain = (
        value != ""
        and value == value.strip()
        and value.lower() not in _OTHERWISE
        and not _BEFORE.match(value)
        and not _WITHIN.search(value)
        and not (flow and re.search(r"[,\[\]{}]", value))
    )
    return value if plain else json.dumps(value, ensure_ascii=False)


# --- comments ---------------------------------------------------------------------------------------


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
        here = [p for p in places if (p[0] > line if own_line else p[0] == line)]
        if here:
            above.setdefault(here[0], []).append(comment)
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
