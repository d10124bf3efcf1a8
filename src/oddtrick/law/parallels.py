"""The relations of the lawbook in use."""

from __future__ import annotations

from oddtrick.law.book import book
from oddtrick.law.relations import Relations


def load() -> Relations:
    """How the provisions of the lawbook in use stand to each other."""
    return book().relations
