"""Nothing that a stranger can send makes work that grows faster than what was sent."""

from __future__ import annotations

import pytest

from command import commanded
from growth import seconds, shapes

LETTERS = 1_500
TIMES = 4

SLACK = 3.0
"""How much more than in proportion the time may grow, for noise."""

NOTHING = 0.25
"""Seconds of processor time in which no growth is seen."""


def test_four_times_as_much_takes_about_four_times_as_long() -> None:
    """In processor time: what grows with the square would take sixteen times as long, and what
    backtracks for ever.
    """
    wrong = {}
    for name, shape in shapes():
        shape(100)
        small = seconds(shape, LETTERS)
        most = SLACK * TIMES * small + NOTHING
        large = seconds(shape, TIMES * LETTERS)
        if large > most:  # once more: Python collects what earlier tests have left, now and then
            large = seconds(shape, TIMES * LETTERS)
        if large > most:
            wrong[name] = (small, large)
    assert wrong == {}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("search", "a" * 2001), "a question may have at most 2,000 characters"),
        (("search", *["revoke"] * 400), "a question may have at most 2,000 characters"),
    ],
)
def test_what_would_take_too_long_is_refused_with_a_reason(
    call: tuple[str, ...], said: str
) -> None:
    done = commanded(*call)
    assert done.returncode == 2
    assert said in done.stderr
