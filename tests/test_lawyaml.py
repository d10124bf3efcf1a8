"""The YAML of the law data: words stay words, all has its place, and what misleads is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import WHOLE
from oddtrick.law import yaml as lawyaml
from oddtrick.law.yaml import DEEPEST, Items, NotYaml, Table, read

ROOT = Path(__file__).resolve().parent.parent
LAWS = sorted((ROOT / "laws").rglob("*.yaml"))

PARSERS = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}


@pytest.fixture(params=PARSERS, autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(lawyaml, "LOADER", PARSERS[request.param])
    return str(request.param)


WORDS: dict[str, Any] = {
    "46.10": "46.10",
    "1_000": "1_000",
    "1e3": "1e3",
    ".5": ".5",
    ".inf": ".inf",
    "no": "no",
    "on": "on",
    "Yes": "Yes",
    "y": "y",
    "2024-01-01": "2024-01-01",
    "12:30": "12:30",
    "=": "=",
    "0b11": "0b11",
    "30": 30,
    "-7": -7,
    "+7": 7,
    "007": 7,
    "123456789012345": 123456789012345,
    "1234567890123456": "1234567890123456",
    "0o17": 15,
    "0x1f": 31,
    "true": True,
    "False": False,
    "null": None,
    "~": None,
    "": None,
    '"30"': "30",
    "'true'": "true",
    '""': "",
    "'~'": "~",
}


@pytest.mark.parametrize("written", WORDS)
def test_a_value_is_what_is_written(written: str) -> None:
    found = read(f"a: {written}\n")["a"]
    assert (found, type(found)) == (WORDS[written], type(WORDS[written]))
    assert read(f"[{written or 'null'}]") == [WORDS[written]]


def test_keys_are_words() -> None:
    assert list(read("1: a\nno: b\nnull: c\n46.10: d\n")) == ["1", "no", "null", "46.10"]


BLOCKS = {
    "a: >\n  one\n  two\n\n  three\n": "one two\nthree\n",
    "a: >-\n  one\n  two\n": "one two",
    "a: |\n  one\n  two\n": "one\ntwo\n",
    "a: |-\n  30\n": "30",
    "a: one\n  two\n": "one two",
    'a: "one\n  two"\n': "one two",
}


@pytest.mark.parametrize("written", BLOCKS)
def test_block_text_is_folded_as_yaml_says(written: str) -> None:
    assert read(written)["a"] == BLOCKS[written]
    assert read(written, running=True)["a"] == " ".join(BLOCKS[written].split())


def test_every_key_and_item_has_its_line_and_column() -> None:
    found = read("a: 1\nb:\n  - x\n  - c: 2\n    d: [y,\n      z]\n")
    assert isinstance(found, Table)
    assert (found.place, found.places) == ((1, 1), {"a": (1, 1), "b": (2, 1)})
    assert isinstance(found["b"], Items)
    assert (found["b"].place, found["b"].places) == ((3, 3), [(3, 5), (4, 5)])
    assert (found["b"][1].place, found["b"][1].places) == ((4, 5), {"c": (4, 5), "d": (5, 5)})
    assert (found["b"][1]["d"].place, found["b"][1]["d"].places) == ((5, 8), [(5, 9), (6, 7)])


REFUSED = {
    "a: 1\nb: 2\n a: 3\n": (3, 3),
    "a: 1\nb: 2\na: 3\n": (3, 1, "the key `a` stands twice; first at line 1"),
    "{a: 1, 'a': 2}": (1, 8, "the key `a` stands twice; first at line 1"),
    "1: x\n'1': y\n": (2, 1, "the key `1` stands twice; first at line 1"),
    "a: &x 1\n": (1, 4, "the anchor `&x` is not used here"),
    "a: &x [1]\n": (1, 4, "the anchor `&x` is not used here"),
    "a: *x\n": (1, 4, "the alias `*x` is not used here"),
    "a: !!str 1\n": (1, 4, "the tag `tag:yaml.org,2002:str` is not used here"),
    "a: ! 1\n": (1, 4, "the tag `!` is not used here"),
    "a: !own {b: 1}\n": (1, 4, "the tag `!own` is not used here"),
    "a:\n  <<: {b: 1}\n": (2, 3, "merging (`<<`) is not used here"),
    "a: 1\n\tb: 2\n": (2, 1, "a tab stands where YAML allows only spaces"),
    "a: @b\n": (1, 4, "`@` cannot begin a value; put it in quotes"),
    "[a]: 1\n": (1, 1, "a key must be a word"),
    "a: 1\n---\nb: 2\n": (2, 1, "a second document begins"),
    "a: [1, 2\n": (2, 1),
    "a: 'x\n": (2, 1),
    "a: 1\n- b\n": (2, 1),
    "a: b: c\n": (1, 5),
    "a: x\x07\n": (1, 5, "the character U+0007 may not stand in YAML"),
}


@pytest.mark.parametrize("written", REFUSED)
def test_what_misleads_or_is_no_yaml_is_refused_at_its_place(written: str) -> None:
    line, column, *says = REFUSED[written]
    with pytest.raises(NotYaml) as refused:
        read(written)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert str(refused.value).startswith(tuple(map(str, says)) or "")
    assert str(refused.value)


def test_the_same_key_in_two_tables_and_an_escaped_merge_are_no_matter() -> None:
    assert read("a: {x: 1}\nb: {x: 2}\n'<<': 3\n") == {"a": {"x": 1}, "b": {"x": 2}, "<<": 3}


def test_nothing_is_read_from_nothing() -> None:
    assert read("") is None
    assert read("# only a remark\n") is None


def test_deep_nesting_is_refused_where_it_begins_to_be_too_deep() -> None:
    fine = "[" * DEEPEST + "]" * DEEPEST
    assert isinstance(read(fine), Items)
    with pytest.raises(NotYaml, match="this stands in 50 tables and lists"):
        read(f"[{fine}]")
    with pytest.raises(NotYaml, match="this stands in 50 tables and lists"):
        read("".join(" " * depth + "a:\n" for depth in range(500)))


@pytest.mark.slow
@pytest.mark.parametrize("parser", ["libyaml"], indirect=True)
def test_the_shipped_laws_read_the_same_by_the_other_parser(
    parser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file in three: the parser that is written in Python takes ten times as long."""
    for path in LAWS if WHOLE else LAWS[::3]:
        text = path.read_text("utf-8")
        one = read(text)
        with monkeypatch.context() as patch:
            patch.setattr(lawyaml, "LOADER", PARSERS["python"])
            other = read(text)
        assert one == other, path
        assert list(places(one)) == list(places(other)), path


def places(node: Any) -> Iterator[Any]:
    if isinstance(node, Table | Items):
        yield node.place, node.places
        for part in node.values() if isinstance(node, Table) else node:
            yield from places(part)
