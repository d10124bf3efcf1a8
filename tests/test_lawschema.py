"""The quick test of a file's shape: it says what jsonschema says, for sound files and for spoilt ones."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from oddtrick.lawschema import Shape, schemas, shapes
from oddtrick.lawyaml import read

ROOT = Path(__file__).resolve().parent.parent
LAWS = sorted((ROOT / "laws").rglob("*.yaml"))

KINDS = {"code", "readings", "findings", "irregularities"}
WRONG = (None, True, False, 0, -1, 10**9, "", "no such word", "A b.", [], ["x", "x"], [1, 1], {}, {"no": "such"})


def spoilt(node: Any, chance: random.Random) -> Any:
    """A copy with one thing in it changed, left out, added or doubled."""
    found = copy.deepcopy(plain(node))
    at = found
    while isinstance(at, dict | list) and at:
        key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
        if not isinstance(at[key], dict | list) or not at[key] or chance.random() < 0.2:
            what = chance.randrange(4)
            if what == 0:
                del at[key]
            elif what == 1 and isinstance(at, dict):
                at[chance.choice(["note", "text", "id", "figures", "nonsense"])] = chance.choice(WRONG)
            elif what == 1:
                at.append(copy.deepcopy(at[key]))
            else:
                at[key] = chance.choice(WRONG)
            return found
        at = at[key]
    return found


def plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {k: plain(v) for k, v in node.items()}
    return [plain(v) for v in node] if isinstance(node, list) else node


def files() -> Iterator[tuple[str, Any]]:
    """Some file of each kind with the name of its schema."""
    for path in LAWS:
        alone = path.parent.name == "laws"
        kind = {"irregularities": "catalogue"}.get(path.stem, path.stem) if alone else path.stem if path.stem in KINDS else "laws"
        if alone or path.parent.name in ("auction-1912", "contract-1927"):
            yield kind, read(path.read_text("utf-8"), running=True)


def test_the_quick_test_of_a_shape_and_jsonschema_say_the_same() -> None:
    content = list(files())
    words = next(n for kind, n in content if kind == "vocabulary") | next(n for kind, n in content if kind == "catalogue")
    made = shapes(schemas(ROOT / "laws", words))
    chance = random.Random(1912)
    refused = 0
    for kind, node in content:
        shape = made[f"{kind}.schema.json"]
        judge = Draft202012Validator(shape.schema)
        assert shape._keeps(node), kind
        # a small part of a big file will do, and is judged sooner
        small = {k: v[:6] if isinstance(v, list) else dict(list(v.items())[:6]) if isinstance(v, dict) else v for k, v in node.items()}
        for _ in range(60):
            changed = spoilt(small, chance)
            assert shape._keeps(changed) == judge.is_valid(changed), (kind, changed)
            refused += not judge.is_valid(changed)
    assert refused > 300


def test_a_keyword_that_has_no_quick_test_is_left_to_jsonschema() -> None:
    shape = Shape({"type": "string", "format": "date", "maxLength": 3})
    assert [e.message for e in shape.errors("four")] == ["'four' is too long"]
    assert list(shape.errors("two")) == []
