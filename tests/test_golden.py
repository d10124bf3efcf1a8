"""The comparison of answers reports changes of the data, and nothing else."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from golden import compare

FINDINGS = [
    {"rule": "play.revoke", "severity": "irregular", "laws": ["auction-1912:84.a"], "line": 9},
    {"rule": "play.revoke", "severity": "irregular", "laws": ["auction-1912:84.c"], "line": 11},
]
RECORD: dict[str, Any] = {
    "id": "deal 1",
    "verdict": "irregular",
    "winners": ["N", "E"],
    "score": {"NS": {"trick": 30, "honour": 0}},
    "findings": FINDINGS,
    "if": "The lead of the king is an error (auction-1912:84.a)",
}
WHOLE = {"status": [1], "errors": "", "answer": {"summary": {"irregular": 1}}}


def compared(folder: Path, record: Any, whole: Any = WHOLE, kind: str = "records") -> int:
    for name, answers in (("old", (RECORD, WHOLE)), ("new", (record, whole))):
        (folder / name).mkdir()
        ran = kind if name == "new" else "records"
        made = {"inputs": "", "quick": False, "ran": {ran: ["check a"]}}
        (folder / name / "made.json").write_text(json.dumps(made), "utf-8")
        lines = zip(("check a :: ", "check a ::"), answers, strict=True)
        text = "".join(json.dumps({"key": k, "answer": a}) + "\n" for k, a in lines)
        (folder / name / f"{ran}.jsonl").write_text(text, "utf-8")
    return compare(folder / "old", folder / "new", False, "", 1)


def changed(value: Any, *path: Any, to: Any) -> Any:
    """A copy with another value in one place."""
    out = inner = deepcopy(value)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return out


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("verdict",), "settled"),
        (("winners", 1), "S"),
        (("winners",), ["E", "N"]),
        (("score", "NS", "honour"), 50),
        (("score", "NS"), {"trick": 30}),
        (("findings", 1, "laws", 0), "auction-1912:84.b"),
        (("findings", 1, "laws"), FINDINGS[0]["laws"]),
        (("findings", 0, "severity"), "note"),
        (("findings",), FINDINGS[:1]),
        (("findings",), [*FINDINGS, FINDINGS[0]]),
        (("if",), "The lead of the king is an error (auction-1912:84.b)"),
        (("id",), "deal 2"),
    ],
)
def test_a_change_of_the_data_is_reported(path: Any, to: Any, tmp_path: Path) -> None:
    assert compared(tmp_path, changed(RECORD, *path, to=to)) == 1


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("dealer",), "N"),
        (("findings",), [f | {"gives": {"laws": [str(n)]}} for n, f in enumerate(FINDINGS)]),
        (("findings", 0, "line"), 10),
        (("if",), "To lead the king is an error (auction-1912:84.a)"),
    ],
)
def test_an_added_key_a_place_and_other_words_are_not(path: Any, to: Any, tmp_path: Path) -> None:
    assert compared(tmp_path, changed(RECORD, *path, to=to)) == 0


def test_an_exit_status_is_reported(tmp_path: Path) -> None:
    assert compared(tmp_path, RECORD, changed(WHOLE, "status", to=[0])) == 1


def test_a_missing_kind_is_an_error(tmp_path: Path) -> None:
    assert compared(tmp_path, RECORD, kind="rulings") == 2
