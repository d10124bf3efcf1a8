"""What guided fuzzing began with, and whatever it found, goes through again (`fuzz_guided.py`)."""

from __future__ import annotations

import pytest

from fuzz_guided import CORPUS, TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_found_once_raises_nothing(target: str) -> None:
    tried = TARGETS[target]()
    kept = sorted((CORPUS / target).iterdir())
    assert kept
    for path in kept:
        tried(path.read_bytes())
