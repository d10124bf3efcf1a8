"""The lawbook in use.

This module needs only the standard library, so it also runs in a browser. The modules that load and
compile a lawbook (`store`, `compile`) are imported on demand.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from oddtrick.law.lawbook import Book

MOST_CACHED = 10_000  # entries in a cache whose keys may be any text


def judged_codes() -> tuple[str, ...]:
    """The ids of the codes that the checker judges."""
    return book().judged


def column_name(column: str, code: str | None) -> str:
    """A code's name for a column of the score, such as `penalty and bonus score` for `honour`.

    Without a code, the name that most codes use.
    """
    if column == "total":
        return "total"
    terms = (owner.terms.get(f"{column}-score") for owner in (book().chain(code) if code else ()))
    return next((term.lower() for term in terms if term), f"{column} score")


def column_heading(column: str, code: str | None) -> str:
    """The name of a column at the head of a table, without the word `score`."""
    return " ".join(word for word in column_name(column, code).split() if word != "score")


def document() -> dict[str, object]:
    """The lawbook as plain data, as in `lawbook.schema.json`, without files and line numbers."""
    data = book().data
    codes = [{k: v for k, v in code.items() if k != "places"} for code in data["codes"].values()]
    return {
        "vocabulary": {k: v for k, v in data["vocabulary"].items() if k != "cells"},
        "codes": _without_lines(codes),
        "rules": data["parallels"]["all"],
        "alone": data["parallels"]["alone"],
        "in_force": data["parallels"]["sides"],
    }


def _without_lines(value: object) -> object:
    if isinstance(value, dict):
        return {k: _without_lines(v) for k, v in value.items() if k not in ("file", "line")}
    return [_without_lines(v) for v in value] if isinstance(value, list) else value


_installed: list[Book] = []


def install(lawbook: Book) -> None:
    """Use a lawbook from now on, instead of reading the law data."""
    _installed[:] = [lawbook]
    book.cache_clear()


@cache
def book(folder: Path | None = None) -> Book:
    """The lawbook of a folder of law data, by default the one in use. Raises `LawDataError`."""
    if folder is None and _installed:
        return _installed[0]
    from oddtrick.law import store

    return Book(*store.load(folder or store.laws_folder()))
