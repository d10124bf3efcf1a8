"""Rows of tests/classes that are not records: how words are read, and how a code rules.

`notation.yaml` has lines of a deal with their effect; `rulings.yaml` has an irregularity with its
facts, or a story, and the ruling of the print. `fails` marks what the program gets wrong today.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from command import commanded
from test_classes import declared, singular

FOLDER = Path(__file__).parent / "classes"


def rows(name: str) -> list[object]:
    """The rows of a file as test cases."""
    data = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return [
        pytest.param(
            row,
            id=f"{row['code']} {row.get('irregularity', '')} {row['case']}",
            marks=[pytest.mark.xfail(strict=True, reason=row["fails"])] if "fails" in row else [],
        )
        for row in data
    ]


@pytest.mark.parametrize("row", rows("notation"))
def test_what_is_written_comes_to_what_the_print_has(row: dict[str, Any], tmp_path: Path) -> None:
    text = f"code {row['code']}\ndeal 1\n{row['write']}"
    (file := tmp_path / "row.hand").write_text(text, "utf-8")
    answer = json.loads(commanded("check", "--format", "json", str(file)).stdout)
    deal = answer["records"][0] if answer["records"] else {}
    if row.get("asks"):
        line = next(n for n, s in enumerate(text.splitlines(), 1) if s.startswith("honours"))
        found = [*answer["findings"], *deal.get("findings", ())]
        assert line in [f["line"] for f in found]
        return
    assert deal["verdict"] in ("incomplete", "settled", "legal")
    assert declared(deal["declaration"]) == singular(row["declaration"])
    for side in ("NS", "EW"):
        assert [deal["score"][side][c] for c in ("trick", "honour")] == row[side]


@pytest.mark.parametrize("row", rows("rulings"))
def test_a_ruling_gives_what_the_print_gives(row: dict[str, Any]) -> None:
    facts = row.get("facts", {})
    if "told" in row:
        answer = json.loads(
            commanded("ruling", row["told"], "--code", row["code"], "--format", "json").stdout
        )
        first = answer["candidates"][0]
        assert first["irregularity"] == row["irregularity"]
        assert facts.items() <= first["facts"].items()
        assert not row.get("not_facts", {}).items() & first["facts"].items()
        return
    given = [f"--fact={fact}={answer}" for fact, answer in facts.items()]
    done = commanded(
        "ruling", row["irregularity"], "--code", row["code"], "--format", "json", *given
    )
    answer = json.loads(done.stdout)
    assert set(answer["facts"]) | set(answer["facts_that_do_not_matter"]) == set(facts)
    ruling = answer["ruling"]
    remedies = {r["remedy"]: r for r in ruling["remedies"]}
    if "remedies" in row:
        assert set(remedies) == set(row["remedies"])
    assert set(row.get("has", ())) <= set(remedies)
    assert not set(row.get("not", ())) & set(remedies)
    for remedy, chooser in row.get("chosen_by", {}).items():
        assert remedies[remedy]["chosen_by"] == chooser
    for remedy, chooser in row.get("not_chosen_by", {}).items():
        assert remedies[remedy]["chosen_by"] != chooser
    for remedy, limit in row.get("lasts", {}).items():
        assert remedies[remedy]["lasts"] == limit
    if not row.get("exacting", True):
        assert answer["exacting"] == []
    laws = [a if ":" in a else f"{row['code']}:{a}" for a in row.get("laws", ())]
    assert [a for a in laws if not any((x + ".").startswith(a + ".") for x in answer["laws"])] == []
