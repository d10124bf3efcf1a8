"""What is accepted without jsonschema is what jsonschema accepts."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oddtrick.law import fits
from oddtrick.law.fits import UnknownKeyword
from oddtrick.law.fits import test_of as made
from oddtrick.law.schema import schema_of, schemas, validators
from oddtrick.law.yaml import read

DATA: Any = read((Path(__file__).parent / "fits.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", DATA["keywords"], ids=lambda c: str(c["schema"]))
def test_a_keyword_asks_what_json_schema_says(case: dict[str, Any]) -> None:
    theirs = Draft202012Validator(case["schema"])
    ours = made(case["schema"])
    for accepted, key in ((True, "accepts"), (False, "refuses")):
        for value in case[key]:
            assert theirs.is_valid(value) is ours(value) is accepted, value


def test_every_keyword_is_tried() -> None:
    assert {key for case in DATA["keywords"] for key in case["schema"]} == {
        *fits._KEYWORDS,
        *fits._OF_A_TABLE,
    }


@pytest.mark.parametrize("schema", DATA["unknown"], ids=str)
def test_what_is_not_known_is_not_passed_over(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    with pytest.raises(UnknownKeyword):
        made(schema)


STRANGE = (None, True, 1, -1, 100, "", "x", "Two words", [], ["x", "x"], {}, {"x": 1})


def test_law_files_that_are_changed_at_random_fit_where_jsonschema_accepts_them(root: Path) -> None:
    laws, draw = root / "laws", random.Random(7)
    words = read((laws / "vocabulary.yaml").read_text("utf-8"))
    words |= read((laws / "irregularities.yaml").read_text("utf-8"))
    known = validators(schemas(laws, words))
    seen: dict[str, list[bool]] = {}
    for path in sorted([*laws.glob("*.yaml"), *laws.glob("contract-1927/*.yaml")]):
        schema = known[f"{schema_of(path, laws)}.schema.json"].schema
        theirs, ours = Draft202012Validator(schema), made(schema)
        whole = _short(read(path.read_text("utf-8"), running=True))
        assert ours(whole)
        for _ in range(6):
            changed = _changed(copy.deepcopy(whole), draw)
            seen.setdefault(path.stem, []).append(ours(changed))
            assert theirs.is_valid(changed) is seen[path.stem][-1], changed
    assert all(set(found) <= {True, False} and False in found for found in seen.values())
    assert any(True in found for found in seen.values())


def _short(value: Any) -> Any:
    """Data with ten tables of each list of tables at most, as plain tables and lists."""
    if isinstance(value, dict):
        return {key: _short(part) for key, part in value.items()}
    if not (isinstance(value, list) and value):
        return value
    return [_short(item) for item in (value[:10] if isinstance(value[0], dict) else value)]


def _changed(whole: Any, draw: random.Random) -> Any:
    """Data with something at some place changed, left out or put in."""
    places = list(_places(whole))
    holder, step = draw.choice(places)
    how = draw.choice(("other", "other", "gone", "more", "word"))
    if how == "gone":
        del holder[step]
    elif how == "more" and isinstance(holder, dict):
        holder["strange"] = holder[step]
    elif how == "more":
        holder.append(holder[step])
    elif how == "word" and isinstance(holder[step], str):
        holder[step] += draw.choice(("s", " ", "-", "\n"))
    else:
        holder[step] = draw.choice(STRANGE)
    return whole


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    steps = list(value) if isinstance(value, dict) else range(len(value))
    for step in steps:
        yield value, step
        if isinstance(value[step], dict | list):
            yield from _places(value[step])
