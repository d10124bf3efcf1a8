"""Compiles the law data into a typed lawbook, and finds the law in force under a code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oddtrick.law.compile import Compiled


def lint(laws: Path | None = None) -> Compiled:
    """Compile a folder of law data, by default the shipped one; returns codes and problems."""
    # Imported here because PyYAML and jsonschema are slow to load.
    from oddtrick.law.compile import compile_laws

    return compile_laws(laws)
