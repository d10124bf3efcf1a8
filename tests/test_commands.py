"""Commands with their output, in `commands/*.yaml`."""

import shlex
from typing import Any

import pytest

from command import commanded
from files import ROOT, table

CASES = table("commands/commands")


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES, ids=[c["run"] for c in CASES])
def test_a_command_prints_what_its_case_says(case: dict[str, Any]) -> None:
    done = commanded(*shlex.split(case["run"]), given=case.get("given", "").encode(), cwd=ROOT)
    said = flat(done.stdout + done.stderr)
    assert done.returncode == case.get("status", 0), said
    assert "Traceback" not in said
    assert done.stdout == case.get("prints", done.stdout)
    for words in case.get("has", ()):
        assert flat(words) in said
    for words in case.get("lacks", ()):
        assert words not in said
    at = 0
    for words in case.get("order", ()):
        at = said.index(flat(words), at) + len(flat(words))
