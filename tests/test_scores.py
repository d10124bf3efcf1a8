"""One account per question: the printed tables, the printed remarks, and cases worked by hand from the law."""

from __future__ import annotations

from typing import Any

import pytest

from score_cases import cases, difference

CASES = list(cases())


@pytest.mark.parametrize("case", [c for _, c in CASES], ids=[f"{f}: {c['name']}" for f, c in CASES])
def test_the_score_is_as_printed_or_worked_out(case: dict[str, Any]) -> None:
    assert difference(case) is None


def test_the_names_of_cases_are_sentences_and_differ() -> None:
    names = [(f, c["name"]) for f, c in CASES]
    assert len(set(names)) == len(names)
    assert all(len(name.split()) > 3 for _, name in names)
