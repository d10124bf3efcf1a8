"""The YAML of the law data: words remain words, everything has its line, and traps are rejected."""

from typing import Any

import pytest
import yaml

from oddtrick.law import yaml as lawyaml
from oddtrick.law.yaml import Items, NotYaml, Table, read

PARSERS = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}


@pytest.fixture(params=PARSERS, autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(lawyaml, "LOADER", PARSERS[request.param])
    return str(request.param)


WORDS: dict[str, Any] = {
    "46.10": "46.10",
    "1_000": "1_000",
    "1e3": "1e3",
    "no": "no",
    "Yes": "Yes",
    "2024-01-01": "2024-01-01",
    "12:30": "12:30",
    "=": "=",
    "0b11": "0b11",
    "0x1f": "0x1f",
    "30": 30,
    "-7": -7,
    "007": 7,
    "1234567890123456": "1234567890123456",
    "true": True,
    "false": False,
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


def test_every_key_and_item_has_its_line() -> None:
    found = read("a: 1\nb:\n  - x\n  - c: 2\n    d: [y,\n      z]\n")
    assert isinstance(found, Table)
    assert (found.line, found.lines) == (1, {"a": 1, "b": 2})
    assert isinstance(found["b"], Items)
    assert (found["b"].line, found["b"].lines) == (3, [3, 4])
    assert (found["b"][1].line, found["b"][1].lines) == (4, {"c": 4, "d": 5})
    assert (found["b"][1]["d"].line, found["b"][1]["d"].lines) == (5, [5, 6])


REFUSED = {
    "a: 1\nb: 2\n a: 3\n": (3, 3),
    "a: 1\nb: 2\na: 3\n": (3, 1, "the key `a` occurs twice; first at line 1"),
    "{a: 1, 'a': 2}": (1, 8, "the key `a` occurs twice; first at line 1"),
    "1: x\n'1': y\n": (2, 1, "the key `1` occurs twice; first at line 1"),
    "b: &x [1]\na: *x\n": (1, 4, "an alias is not allowed here"),
    "a: *x\n": (1, 4, "found undefined alias"),
    "a: !own {b: 1}\n": (1, 4, "the tag `!own` is not allowed here"),
    "a:\n  <<: {b: 1}\n": (2, 3, "merging (`<<`) is not allowed here"),
    "a: 1\n\tb: 2\n": (2, 1),
    "a: @b\n": (1, 4),
    "[a]: 1\n": (1, 1, "a key must be a scalar"),
    "a: 1\n---\nb: 2\n": (2, 1),
    "a: [1, 2\n": (2, 1),
    "a: 'x\n": (2, 1),
    "a: 1\n- b\n": (2, 1),
    "a: b: c\n": (1, 5),
    "a: x\x07\n": (1, 5),
}


@pytest.mark.parametrize("written", REFUSED)
def test_what_misleads_or_is_not_yaml_is_refused_at_its_place(written: str) -> None:
    line, column, *says = REFUSED[written]
    with pytest.raises(NotYaml) as refused:
        read(written)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert str(refused.value).startswith(tuple(map(str, says)) or "")
    assert str(refused.value)


def test_the_same_key_in_two_mappings_and_a_quoted_merge_are_allowed() -> None:
    assert read("a: {x: 1}\nb: {x: 2}\n'<<': 3\n") == {"a": {"x": 1}, "b": {"x": 2}, "<<": 3}


def test_nothing_is_read_from_nothing() -> None:
    assert read("") is None
    assert read("# only a remark\n") is None
