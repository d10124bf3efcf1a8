"""The messages of the judge are ids and data; `report` has exactly one sentence for each id."""

import ast
from collections.abc import Iterator
from pathlib import Path

import oddtrick.judge
import oddtrick.report
from oddtrick.report.messages import SENTENCES

JUDGE = sorted(Path(oddtrick.judge.__file__).parent.glob("*.py"))
REPORT = Path(oddtrick.report.__file__).parent


def strings(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are not docstrings."""
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def named(tree: ast.AST) -> Iterator[str]:
    """The ids of the messages that a module makes, if they are written in the call."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        at = {"Message": 0, "find": 1, "lacks": 1, "finding": 1}
        place = at.get(
            getattr(node.func, "id", "") or getattr(node.func, "attr", ""), len(node.args)
        )
        for part in ast.walk(node.args[place]) if place < len(node.args) else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def test_every_message_of_the_judge_has_a_sentence_and_every_sentence_is_used() -> None:
    paths = [*JUDGE, REPORT / "contract_words.py", REPORT / "answers.py"]
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    assert {name for tree in trees for name in named(tree)} - set(SENTENCES) - {"alone"} == set()
    assert set(SENTENCES) - {text for tree in trees for text in strings(tree)} == set()


def test_the_judge_makes_no_sentences() -> None:
    assert [
        (path.name, text)
        for path in JUDGE
        for text in strings(ast.parse(path.read_text("utf-8")))
        if len(text.split()) > 3 and text.rstrip().endswith((".", ","))
    ] == []
