"""Work in a second process: its values come in order, what it raises is raised here, and nobody waits in vain."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest

from oddtrick.law.in_force import UnknownCode, in_force
from oddtrick.site.apart import Apart, two_processors

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs a system that can copy a process"
)


def test_values_come_in_the_order_in_which_they_are_made() -> None:
    apart = Apart(lambda: iter(range(5)))
    assert [apart.take() for _ in range(5)] == [0, 1, 2, 3, 4]
    apart.finish()


def test_what_is_raised_there_is_raised_here() -> None:
    def work() -> Iterator[int]:
        yield 1
        raise ValueError("two is too many")

    apart = Apart(work)
    assert apart.take() == 1
    with pytest.raises(ValueError, match="two is too many"):
        apart.take()


def test_an_error_that_cannot_be_copied_is_told_with_its_traceback() -> None:
    def work() -> Iterator[object]:
        yield in_force("no-such-code")

    with pytest.raises(UnknownCode):
        next(work())
    apart = Apart(work)
    with pytest.raises(RuntimeError, match="there is no code `no-such-code`"):
        apart.take()


def test_a_value_that_cannot_be_read_is_told_and_not_waited_for() -> None:
    apart = Apart(lambda: iter([UnknownCode("whist", "no such code")]))
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        apart.take()


def test_a_process_that_ends_without_an_answer_is_told() -> None:
    def work() -> Iterator[int]:
        os._exit(3)
        yield 1

    apart = Apart(work)
    with pytest.raises(RuntimeError, match="ended without an answer"):
        apart.take()


def test_more_values_than_were_taken_are_told() -> None:
    apart = Apart(lambda: iter(range(2)))
    apart.take()
    with pytest.raises(RuntimeError, match="made more than was taken"):
        apart.finish()


def test_what_is_logged_there_is_told_here_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    def work() -> Iterator[int]:
        logging.getLogger("mkdocs").warning("a link to %s leads nowhere", "b.md")
        yield 1

    apart = Apart(work)
    apart.take()
    with caplog.at_level(logging.WARNING, "mkdocs"):
        apart.finish()
    assert [r.getMessage() for r in caplog.records] == ["a link to b.md leads nowhere"]


def test_one_processor_is_no_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert not two_processors()
