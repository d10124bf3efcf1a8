"""The law: from YAML to one typed book, and the law in force under a code with its options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oddtrick.law.compile import Compiled


def lint(laws: Path | None = None) -> Compiled:
    """The codes of a folder of law data (the shipped one by default), and all that is wrong."""
    # PyYAML and jsonschema take long to load.
    from oddtrick.law.compile import compile_laws

    return compile_laws(laws)
