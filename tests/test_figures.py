"""Figures are sacred: they stand in YAML alone, and a changed one changes the score."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oddtrick import lawbook, lawcache
from oddtrick.declaring import (
    AUCTION_END,
    BRIDGING,
    CHALLENGE,
    CHANGING_A_CALL,
    DECLARER,
    DOUBLING,
    FIRST_DECLARATION,
    OPENING_LEAD,
    PASSED_OUT,
    SUFFICIENCY,
    TURN,
)
from oddtrick.lawyaml import read as read_yaml
from oddtrick.making import CONVENTION, MAKING
from oddtrick.play import FOLLOWING_SUIT, WINNING_A_TRICK
from oddtrick.scoring import (
    AVERAGE,
    CHICANE,
    FRACTION,
    GAME_SCORE,
    HONOURS,
    NULLO,
    ODD_PAIRS,
    REVOKE_TRICKS,
    RUBBER_BONUS_PLACE,
    RUBBER_END,
    RUBBER_POINTS,
    RUBBER_WINNER,
    SLAM,
    SLAM_ON_LOST_CONTRACT,
    TRICKS_SCORED,
    VULNERABILITY,
)

TABLES = {
    "first-declaration": FIRST_DECLARATION,
    "sufficiency": SUFFICIENCY,
    "auction-end": AUCTION_END,
    "passed-out": PASSED_OUT,
    "doubling": DOUBLING,
    "turn": TURN,
    "changing-a-call": CHANGING_A_CALL,
    "challenge": CHALLENGE,
    "declarer": DECLARER,
    "bridging": BRIDGING,
    "nullo": NULLO,
    "making": MAKING,
    "convention": CONVENTION,
    "opening-lead": OPENING_LEAD,
    "following-suit": FOLLOWING_SUIT,
    "winning-a-trick": WINNING_A_TRICK,
    "tricks-scored": TRICKS_SCORED,
    "honours": HONOURS,
    "average": AVERAGE,
    "fraction": FRACTION,
    "odd-pairs": ODD_PAIRS,
    "chicane": CHICANE,
    "slam-when": SLAM,
    "revoke-tricks": REVOKE_TRICKS,
    "slam-on-lost-contract": SLAM_ON_LOST_CONTRACT,
    "vulnerability": VULNERABILITY,
    "game-score": GAME_SCORE,
    "rubber-end": RUBBER_END,
    "rubber-winner": RUBBER_WINNER,
    "rubber-points": RUBBER_POINTS,
    "rubber-bonus-place": RUBBER_BONUS_PLACE,
}
FLAGS = {"doubling-by-name"}
"""Procedures of one value whose presence alone is asked for."""


def test_the_vocabulary_lists_exactly_the_procedures_that_python_has() -> None:
    listed = {p["id"]: set(p["values"]) for p in lawbook.vocabulary()["procedures"]}
    assert set(listed) - FLAGS == set(TABLES)
    assert {k: set(v) for k, v in TABLES.items()} == {k: v for k, v in listed.items() if k not in FLAGS}


def test_every_procedure_value_is_used_by_a_code_or_an_option() -> None:
    used = {
        (name, value)
        for code in lawbook.judged_codes()
        for item in [*lawbook.code_data(code)["provisions"], *lawbook.code_data(code)["readings"]]
        for name, value in item.get("procedures", {}).items()
    }
    assert {(n, v) for n, table in TABLES.items() for v in table} <= used


JUDGING = ("declaring", "auction", "making", "final", "play", "scoring", "account", "claims", "rubbers")
RULING = ("cases", "remedies", "obeyed", "rulings", "lawrulings", "cli_ruling")


@pytest.mark.parametrize("module", [*JUDGING, *RULING])
def test_no_figure_of_a_code_stands_in_python(root: Path, module: str) -> None:
    tree = ast.parse((root / "src" / "oddtrick" / f"{module}.py").read_text("utf-8"))
    numbers = {
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, int) and not isinstance(n.value, bool)
    }
    assert numbers <= set(range(5)), f"{module}.py has {sorted(numbers - set(range(5)))}"


def changed(root: Path, tmp_path: Path, code: str, figure: str) -> Path:
    """A copy of the law data in which every number of one figure is raised by one."""
    laws = tmp_path / "laws"
    shutil.copytree(root / "laws", laws, ignore=shutil.ignore_patterns("records"))
    hit = 0
    for path in (laws / code).glob("*.yaml"):
        data = read_yaml(path.read_text("utf-8"))
        for law in data.get("laws", []):
            for provision in law["provisions"]:
                if figure in provision.get("figures", {}):
                    provision["figures"][figure] = raised(provision["figures"][figure])
                    hit += 1
        path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")  # JSON is YAML too
    assert hit == 1, f"{figure} stands {hit} times in {code}"
    return laws


def raised(value: object) -> object:
    """The figure with every number in it one higher."""
    if isinstance(value, bool) or not isinstance(value, int | list | dict):
        return value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [raised(v) for v in value]
    return {k: raised(v) for k, v in value.items()}


SCORING_FIGURES = [
    ("contract-1927", f)
    for f in (
        "odd-trick",
        "trick-multiplier",
        "contract-bonus",
        "overtrick",
        "undertrick",
        "slam",
        "honour-values",
        "game",
        "game-bonus",
        "rubber-bonus",
    )
] + [
    ("auction-1912", f)
    for f in (
        "odd-trick",
        "contract-bonus",
        "overtrick",
        "undertrick",
        "undertrick-limit",
        "slam",
        "honour-values",
        "game",
        "rubber-bonus",
    )
]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "figure"), SCORING_FIGURES)
def test_a_changed_figure_changes_a_score_and_fails_a_case(
    root: Path, tmp_path: Path, code: str, figure: str
) -> None:
    laws = changed(root, tmp_path, code, figure)
    import os

    environment = os.environ | {"ODDTRICK_LAWS": str(laws), "ODDTRICK_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, str(root / "tests" / "score_cases.py"), code]
    before = subprocess.run(command, capture_output=True, text=True, check=False)
    after = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert before.returncode == 0, before.stdout + before.stderr
    assert after.returncode == 1, f"no case of {code} depends on {figure}: {after.stdout}{after.stderr}"
    assert "differs" in after.stdout


def test_the_compiled_lawbook_is_made_anew_when_a_law_file_changes(root: Path, tmp_path: Path) -> None:
    laws = tmp_path / "laws"
    shutil.copytree(root / "laws", laws, ignore=shutil.ignore_patterns("records"))
    before = lawcache.stamp(str(laws))
    path = laws / "contract-1927" / "code.yaml"
    path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert lawcache.stamp(str(laws)) != before
