"""The lawbook in use, as the tests need it: its JSON, and the law in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Clause, Rules

__all__ = [
    "Clause",
    "Rules",
    "book",
    "code_data",
    "codes",
    "in_force",
    "judged_codes",
    "vocabulary",
]


def codes() -> tuple[str, ...]:
    return book().ids


def code_data(code: str) -> Any:
    return book().data["codes"][code]


def vocabulary() -> Any:
    return book().data["vocabulary"]


def contradictory(answers: Mapping[str, str]) -> bool:
    """Whether an answer to a fact contradicts another."""
    implied = (book().facts[f].implies.get(v, {}) for f, v in answers.items())
    return any(answers.get(f, v) != v for more in implied for f, v in more.items())


def in_force(code: str, options: Iterable[str] = ()) -> Rules:
    return book().rules(code, options)
