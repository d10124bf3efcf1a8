"""The lawbook in use, as the tests need it: its JSON, and the law in force."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Clause, Rules

__all__ = [
    "Clause",
    "Rules",
    "book",
    "code_data",
    "codes",
    "every_game",
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


def contradictory(answers: Mapping[str, str], never: Iterable[Mapping[str, str]] = ()) -> bool:
    """Whether an answer to a fact contradicts another; `never` are answers that cannot meet."""
    if any(together.items() <= answers.items() for together in never):
        return True
    implied = (book().facts[f].implies.get(v, {}) for f, v in answers.items())
    return any(answers.get(f, v) != v for more in implied for f, v in more.items())


@cache
def every_game() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every judged code as printed, and with each of its options."""
    codes = [book().code(code) for code in judged_codes()]
    return (*((c.id, ()) for c in codes), *((c.id, (o.id,)) for c in codes for o in c.options))


def in_force(code: str, options: Iterable[str] = ()) -> Rules:
    return book().rules(code, options)
