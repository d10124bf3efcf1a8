"""Figures exist only in YAML, and a changed one changes the score."""

import ast
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lawbook
from oddtrick.judge.score_procedures import PROCEDURES
from oddtrick.law.compile import compile_laws
from oddtrick.law.yaml import read as read_yaml
from oddtrick.report.messages import SENTENCES

pytestmark = pytest.mark.slow

PLAIN = {
    "auction-end", "average", "bridging", "challenge", "chicane-doubled", "doubling-by-name",
    "following-suit", "honours", "honours-doubled", "making", "nullo", "open-hand", "opening-lead",
    "passed-out", "rubber-end", "rubber-points", "slam-doubled", "slam-on-lost-contract", "turn",
    "vulnerability", "winning-a-trick",
}  # fmt: skip
"""Procedures of one kind, which are ordinary code: a code has them or does not."""


def test_the_vocabulary_lists_exactly_the_procedures_that_python_has() -> None:
    listed = {p["id"]: set(p["values"]) for p in lawbook.vocabulary()["procedures"]}
    assert {name for name, values in listed.items() if len(values) == 1} == PLAIN
    assert {k: set(v) for k, v in PROCEDURES.items()} == {
        k: v for k, v in listed.items() if k not in PLAIN
    }


def test_every_procedure_value_is_used_by_a_code_or_an_option() -> None:
    used = {
        (name, value)
        for code in lawbook.judged_codes()
        for data in [lawbook.code_data(code)]
        for item in [
            *data["provisions"],
            *data["readings"],
            *(choice for reading in data["readings"] for choice in reading["choices"]),
        ]
        for name, value in item.get("procedures", {}).items()
    }
    assert {(n, v) for n, table in PROCEDURES.items() for v in table} <= used


JUDGING = tuple(
    """
    judge/procedures judge/auction judge/making judge/declaration judge/play
    judge/score_procedures judge/score_parts judge/account
    judge/written_score judge/rubber
""".split()
)
RULING = tuple(
    """
    judge/incidents judge/remedies judge/demands rulings/engine law/irregularities cli/ruling
""".split()
)


@pytest.mark.parametrize("module", [*JUDGING, *RULING])
def test_no_figure_of_a_code_stands_in_python(root: Path, module: str) -> None:
    tree = ast.parse((root / "src" / "oddtrick" / f"{module}.py").read_text("utf-8"))
    numbers = {
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant)
        and isinstance(n.value, int)
        and not isinstance(n.value, bool)
    }
    assert numbers <= set(range(5)), f"{module}.py has {sorted(numbers - set(range(5)))}"


KNOWN = {
    module: set(names.split())
    for module, names in {
        "record/pbn/sections": (
            "bid-out-of-turn double-out-of-turn insufficient-bid lead-out-of-turn "
            "pass-out-of-turn revoke"
        )
    }.items()
}
"""The irregularities that Python names: those for which PBN has a sign, and a former anchor of that
name. The judge names none.
"""

ALIKE = set(
    "consultation impossible-bid lead-out-of-turn made-by-adversary made-without-leave passed-back "
    "revoke trick-short trick-surplus".split()
)
"""Irregularities that share their name with a fault, a rule on penalties, a message or a part of a
finding.
"""


def strings(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, except the ids of its messages, which may have the same names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
            for value in (*node.args[1:], *node.keywords):
                yield from strings(value)
        else:
            yield from strings(node)


def test_python_knows_no_code_and_only_the_irregularities_that_a_record_shows(root: Path) -> None:
    source = root / "src" / "oddtrick"
    irregularities = set(lawbook.book().irregularities)
    found: dict[str, set[str]] = {}
    for path in source.rglob("*.py"):
        name = path.relative_to(source).as_posix().removesuffix(".py")
        words = set(strings(ast.parse(path.read_text("utf-8"))))
        if name == "report/messages":  # its sentences are named by the ids of messages
            words -= set(SENTENCES)
        assert words.isdisjoint(lawbook.codes()), name
        named = words & irregularities
        if named - (set() if name in KNOWN else ALIKE):
            found[name] = named
    assert found == KNOWN


def raised(value: Any, by: int) -> Any:
    """A figure with every number in it raised by so much."""
    if isinstance(value, bool) or not isinstance(value, int | list | dict):
        return value
    if isinstance(value, int):
        return value + by
    if isinstance(value, list):
        return [raised(v, by) for v in value]
    return {k: raised(v, by) for k, v in value.items()}


def figures_of(book: Any) -> dict[tuple[str, str], Any]:
    """Every figure of a compiled lawbook by its address and name."""
    items = [
        item for code in book["codes"].values() for item in (*code["provisions"], *code["readings"])
    ]
    return {
        (item["address"], name): value
        for item in items
        for name, value in item.get("figures", {}).items()
    }


def raise_figures(path: Path, by: int) -> None:
    """Rewrite a file of law data with all its figures raised by so much."""
    data = read_yaml(path.read_text("utf-8"))
    laws = [
        *data.get("laws", ()),
        *(la for o in data.get("options", ()) for la in o.get("laws", ())),
    ]
    provisions = [item for law in laws for item in law["provisions"]]
    for item in (*provisions, *data.get("readings", ())):
        if "figures" in item:
            item["figures"] = raised(item["figures"], by)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")  # JSON is YAML


def test_every_number_of_a_figure_in_yaml_is_the_number_of_the_lawbook(
    root: Path, tmp_path: Path
) -> None:
    """All numbers of all figures are raised at once, those of each code by a different amount, so
    that none can come from another code; `test_mutation` checks that each affects a score.
    """
    laws = tmp_path / "laws"
    shutil.copytree(root / "laws", laws, ignore=shutil.ignore_patterns("records", "examples"))
    codes = lawbook.codes()
    before = figures_of({"codes": {c: lawbook.code_data(c) for c in codes}})
    by = {code: n for n, code in enumerate(codes, 1)}
    for code in codes:
        for path in (laws / code).glob("*.yaml"):
            raise_figures(path, by[code])
    after = figures_of(compile_laws(laws).book)
    own = Counter(address.partition(":")[0] for address, _ in before)
    assert all(own[code] > 3 for code in codes)
    wanted = {
        (address, name): raised(value, by[address.partition(":")[0]])
        for (address, name), value in before.items()
    }
    assert after == wanted
