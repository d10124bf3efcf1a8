"""The relations of the lawbook in use: how its provisions stand to each other."""

from __future__ import annotations

from oddtrick.law.book import book
from oddtrick.law.model import Parallels
from oddtrick.law.relations import Relations

_kept: list[tuple[Parallels, Relations]] = []


def load() -> Relations:
    """The relations of the lawbook in use."""
    parallels = book().parallels
    if not _kept or _kept[0][0] is not parallels:
        _kept[:] = [(parallels, Relations(parallels))]
    return _kept[0][1]
