"""The one spelling of law files: what is written says what was read, with its comments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddtrick.law import fix, lint
from oddtrick.law.canonical import WIDTH, canonical, respelled
from oddtrick.law.yaml import read
from test_lawdata import problems, tiny, write  # noqa: F401

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {},
        "text": {},
        "laws": {
            "items": {"required": ["number"], "properties": {"number": {}, "at": {}, "text": {}}}
        },
    },
}

SPELLED = {
    "keys of a record stand in the order of the schema, others after them": (
        "text: A game.\nother: 1\nid: x\n",
        "id: x\ntext: A game.\nother: 1\n",
    ),
    "a table that need have no key keeps its order": (
        "id: {text: 1, id: 2}\n",
        "id: {text: 1, id: 2}\n",
    ),
    "quotes go where nothing can be misread": (
        "id: \"x\"\ntext: 'It isn''t so.'\n",
        "id: x\ntext: It isn't so.\n",
    ),
    "quotes stay where something could be": (
        "id: '42'\ntext: ['no', \"46.10\", 'a: b', \"auction-1912:7\", '']\n",
        'id: "42"\ntext: ["no", "46.10", "a: b", "auction-1912:7", ""]\n',
    ),
    "what is no key of ours where it stands bare keeps its quotes": (
        'id: x\nother: {"<<": 1, a: 2}\n',
        'id: x\nother: {"<<": 1, a: 2}\n',
    ),
    "a long text is folded": (
        f"id: x\ntext: {'word ' * 30}\n",
        f"id: x\ntext: >-\n  {'word ' * 18}word\n  {'word ' * 10}word\n".replace(" \n", "\n"),
    ),
    "what is flat and short stands on a line": (
        "id: x\nlaws:\n  - number: '1'\n    at:\n      - a\n      - b\n",
        'id: x\n\nlaws:\n  - {number: "1", at: [a, b]}\n',
    ),
    "a sentence stands on a line of its own, and so do the tables beside it": (
        'id: x\nlaws: [{number: "1", text: A game is won by tricks.}, {number: "2"}]\n',
        'id: x\n\nlaws:\n  - number: "1"\n    text: A game is won by tricks.\n  - number: "2"\n',
    ),
    "a list that is too long has an item on a line": (
        f"id: x\nother: [{', '.join(f'word-{n}' for n in range(20))}]\n",
        "id: x\n\nother:\n" + "".join(f"  - word-{n}\n" for n in range(20)),
    ),
    "comments stay above what they were written above": (
        "# One.\n\n# Two.\ntext: x # Three.\nid: z\nlaws:\n"
        "  # Four.\n  - # Five.\n    number: 1\n# Six.\n",
        "id: z\n# One.\n# Two.\n# Three.\ntext: x\n\nlaws:\n"
        "  # Four.\n  # Five.\n  - {number: 1}\n# Six.\n",
    ),
    "a number sign within a text is no comment": (
        'id: "x # y"\ntext: >-\n  a\n  # b\n',
        'id: "x # y"\ntext: "a # b"\n',
    ),
    "a comment within keeps a table open": (
        "id: x\nother: {a: 1,\n  # Why.\n  b: 2}\n",
        "id: x\n\nother:\n  a: 1\n  # Why.\n  b: 2\n",
    ),
}


@pytest.mark.parametrize("name", SPELLED)
def test_a_file_has_one_spelling(name: str) -> None:
    text, wanted = SPELLED[name]
    assert canonical(text, SCHEMA) == wanted
    assert canonical(wanted, SCHEMA) == wanted


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60) | (
    st.sampled_from(
        ["no", "~", "1e3", "0x1f", "- a", "a:", "#", " ", "{a}", "a, b", "'", '"', "\\"]
    )
)
VALUES = st.recursive(
    WORDS | st.integers(-20, 20) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, VALUES, min_size=1, max_size=4))
def test_whatever_is_written_says_what_was_read_and_stays(content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False)  # JSON is YAML
    new = canonical(text, SCHEMA)
    assert read(new, running=True) == read(text, running=True)
    assert canonical(new, SCHEMA) == new


# --- a folder of law data -------------------------------------------------------------------------


@pytest.mark.slow
def test_the_shipped_law_files_are_in_their_one_spelling(root: Path) -> None:
    assert respelled(root / "laws") == {}
    for path in (root / "laws").rglob("*.yaml"):
        assert max(map(len, path.read_text("utf-8").split("\n"))) <= WIDTH, path


def said(laws: Path) -> dict[str, tuple[Any, str]]:
    """What each file says, and the order in which its figures stand."""

    def figures(value: Any) -> list[Any]:
        if isinstance(value, dict):
            own = [value["figures"]] if "figures" in value else []
            return own + [f for v in value.values() for f in figures(v)]
        return [f for v in value for f in figures(v)] if isinstance(value, list) else []

    told = {str(p): read(p.read_text("utf-8")) for p in sorted(laws.rglob("*.yaml"))}
    return {path: (value, json.dumps(figures(value))) for path, value in told.items()}


@pytest.mark.slow
def test_fix_changes_no_meaning_and_nothing_twice(root: Path, tmp_path: Path) -> None:
    """The lawbook is made of what the files say, so it is enough that they say the same."""
    laws = tmp_path / "laws"
    shutil.copytree(root / "laws", laws, ignore=shutil.ignore_patterns("records", "examples"))
    before = said(laws)
    for path in laws.rglob("*.yaml"):  # spelled as nobody would: JSON on one line, comments kept
        text = path.read_text("utf-8")
        above = "".join(line for line in text.splitlines(True) if line.lstrip().startswith("#"))
        path.write_text(above + json.dumps(before[str(path)][0], ensure_ascii=False), "utf-8")
    files = sorted(str(p.relative_to(tmp_path)) for p in laws.rglob("*.yaml"))
    assert fix(laws) == (tuple(files), ())  # a file with a problem would be left
    assert said(laws) == before
    assert respelled(laws) == {}


def test_fix_leaves_a_file_with_problems_alone(tiny: Path) -> None:  # noqa: F811
    fix(tiny)
    assert lint(tiny)[::2] == ((), ())
    write(tiny, "laws.yaml", "laws:   [\n")
    write(tiny, "readings.yaml", "readings:    []\n")
    found = fix(tiny)
    assert found.written == ("laws/tiny-1900/readings.yaml",)
    assert found.left == ("laws/tiny-1900/laws.yaml",)
    assert (tiny / "tiny-1900" / "laws.yaml").read_text("utf-8") == "laws:   [\n"


def test_a_file_in_another_spelling_is_told_and_is_no_problem(tiny: Path) -> None:  # noqa: F811
    fix(tiny)
    path = tiny / "tiny-1900" / "laws.yaml"
    path.write_text(path.read_text("utf-8").replace("heading: Game", 'heading:   "Game"'), "utf-8")
    assert problems(tiny) == []
    assert lint(tiny).unformatted == ("laws/tiny-1900/laws.yaml",)


def test_without_words_of_its_own_nothing_is_written(tiny: Path) -> None:  # noqa: F811
    (tiny / "vocabulary.yaml").write_text("topics: 1\n", "utf-8")
    assert fix(tiny) == ((), ("laws/vocabulary.yaml",))
