"""Exports the lawbook for other programs as one JSON document, and the published schemas."""

from __future__ import annotations

import json

from oddtrick import __version__
from oddtrick.law.book import book, document
from oddtrick.law.schema import schemas, standalone

SCHEMA = "lawbook.schema.json"


def export() -> str:
    """The lawbook as one JSON document that conforms to the published schema."""
    named = {"oddtrick": __version__, "schema": SCHEMA}
    return json.dumps(named | document(), ensure_ascii=False, separators=(",", ":")) + "\n"


def schema(of: str) -> str:
    """A published JSON Schema (`lawbook`, `check`) without references to others, as JSON."""
    found = schemas(book().data["vocabulary"], book().ids)
    alone = standalone(found, f"{of}.schema.json")
    return json.dumps(alone, ensure_ascii=False, indent=2) + "\n"
