"""The part of YAML that the law data are written in: tables, lists and words, each with its place.

libyaml reads where PyYAML was built with it, PyYAML's own parser where it was not. Words stay as
they are written: `46.10` is a law and not a number, `no` is a word and `1912-04-05` a date in
letters. Unquoted, only whole numbers (of fifteen figures at most), `true`, `false` and `null` mean
more (the core rules of YAML 1.2, without its fractions). Keys are words too. What would make a file
say other than it seems is refused: a key that stands twice, anchors and aliases, tags, merging.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from yaml._yaml import Mark as CMark

Json = Any
"""What a file of data says: tables, lists, words, numbers, `True`, `False`, `None`."""
Place = tuple[int, int]
"""Line and column, each from 1."""

LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""What makes the events: libyaml, or PyYAML's own parser where libyaml is missing."""


class NotYaml(Exception):
    """A text that cannot be read; where, and what stands in the way."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.line, self.column = place


class Table(dict[str, Json]):
    """A mapping: `place` is where it begins, `places` where each key stands."""

    __slots__ = ("place", "places")

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: dict[str, Place] = {}


class Items(list[Json]):
    """A sequence: `place` is where it begins, `places` where each item does."""

    __slots__ = ("place", "places")

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: list[Place] = []


_FIXED = {"true": True, "false": False, "null": None, "~": None, "": None} | {
    word: value
    for name, value in (("true", True), ("false", False), ("null", None))
    for word in (name.capitalize(), name.upper())
}
DEEPEST = 50
"""Tables and lists stand so deep in each other at most."""
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}|0o[0-7]{1,15}|0x[0-9a-fA-F]{1,15}")


def meaning(word: str) -> Json:
    """What an unquoted word means: a whole number, true, false, null, or the word itself."""
    if word in _FIXED:
        return _FIXED[word]
    if _WHOLE.fullmatch(word):
        return int(word, {"0o": 8, "0x": 16}.get(word[:2], 10))
    return word


def read(text: str, running: bool = False) -> Json:
    """The content of one YAML document, `None` for an empty one. Raises `NotYaml`.

    With `running` every text is running text: one space stands for any white space in it.
    """
    try:
        return _built(yaml.parse(text, Loader=LOADER), running)
    except yaml.MarkedYAMLError as error:
        raise _unread(error, text) from error
    except yaml.reader.ReaderError as error:
        place = _place_of(text)
        raise NotYaml(
            place, f"the character U+{ord(_unprintable(text)):04X} may not stand in YAML"
        ) from error


def _built(events: Iterator[yaml.Event], running: bool) -> Json:
    """The content that the events of a parser tell, built without recursion, however deep it is."""
    whole: Json = None
    documents = 0
    open_: list[Table | Items] = []
    keys: list[str | None] = []  # the key that waits for its value, for each open node
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            place = _at(event.start_mark)
            _refuse_extras(event, place)
            if open_ and keys[-1] is None and type(open_[-1]) is Table:
                keys[-1] = _key(event, place, open_[-1])
                continue
            value = _word(event, running)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_.append(_opened(event, open_, keys))
            keys.append(None)
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            value = open_.pop()
            keys.pop()
            place = value.place
        elif isinstance(event, yaml.AliasEvent):
            message = f"the alias `*{event.anchor}` is not used here: write out what it stands for"
            raise NotYaml(_at(event.start_mark), message)
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise NotYaml(_at(event.start_mark), "a second document begins: one file holds one")
            continue
        else:
            continue
        if not open_:
            whole = value
        elif isinstance(parent := open_[-1], Table):
            key = keys[-1]
            assert key is not None
            parent[key] = value
            keys[-1] = None
        else:
            parent.append(value)
            parent.places.append(place)
    return whole


def _opened(
    event: yaml.CollectionStartEvent, around: Sequence[Table | Items], keys: Sequence[str | None]
) -> Table | Items:
    """The table or list that begins within others, empty as yet."""
    place = _at(event.start_mark)
    _refuse_extras(event, place)
    if around and keys[-1] is None and type(around[-1]) is Table:
        raise NotYaml(place, "a key must be a word")
    if len(around) == DEEPEST:
        raise NotYaml(place, f"this stands in {DEEPEST} tables and lists, the most there may be")
    return Table(place) if isinstance(event, yaml.MappingStartEvent) else Items(place)


def _word(event: yaml.ScalarEvent, running: bool) -> Json:
    """What a word means; as running text with one space for any white space in it."""
    value = event.value if event.style else meaning(event.value)
    return " ".join(value.split()) if running and type(value) is str else value


def _key(event: yaml.ScalarEvent, place: Place, table: Table) -> str:
    """The word of a key that is new in its table."""
    key = str(event.value)
    if key == "<<" and not event.style:
        raise NotYaml(place, "merging (`<<`) is not used here: write out the keys")
    if key in table.places:
        line, _ = table.places[key]
        raise NotYaml(place, f"the key `{key}` stands twice; first at line {line}")
    table.places[key] = place
    return key


def _refuse_extras(event: yaml.ScalarEvent | yaml.CollectionStartEvent, place: Place) -> None:
    if event.anchor is not None:
        raise NotYaml(
            place, f"the anchor `&{event.anchor}` is not used here: write out what it stands for"
        )
    if event.tag is not None:
        raise NotYaml(
            place, f"the tag `{event.tag}` is not used here: every value is what it is written as"
        )


def _at(mark: yaml.Mark | CMark | None) -> Place:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _unread(error: yaml.MarkedYAMLError, text: str) -> NotYaml:
    """What the parser found, at its place, with what it was reading there."""
    mark = error.problem_mark or error.context_mark
    place = _at(mark)
    lines = text.split("\n")
    rest = lines[place[0] - 1][place[1] - 1 :] if place[0] <= len(lines) else ""
    problem = str(error.problem or error.context)
    if rest.startswith("\t"):
        problem = "a tab stands where YAML allows only spaces"
    elif "cannot start any token" in problem and rest:
        problem = f"`{rest[0]}` cannot begin a value; put it in quotes"
    elif error.context and error.problem:
        problem = f"{problem} {error.context}"
        if error.context_mark and error.context_mark.line + 1 != place[0]:
            problem += f" that begins at line {error.context_mark.line + 1}"
    return NotYaml(place, problem)


_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _unprintable(text: str) -> str:
    found = _UNPRINTABLE.search(text)
    return found[0] if found else text[:1]


def _place_of(text: str) -> Place:
    found = _UNPRINTABLE.search(text)
    before = text[: found.start()] if found else ""
    return before.count("\n") + 1, len(before) - before.rfind("\n")
