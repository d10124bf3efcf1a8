"""The law: from YAML to one typed book, and the law in force under a code with its options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oddtrick.law.compile import Compiled


def lint(laws: Path | None = None) -> Compiled:
    """Everything that is wrong in a folder of law data (by default the shipped one), and its codes.

    Each problem has its file, from the folder's own name on, its line and what to do.
    """
    from oddtrick.law.compile import compile_laws  # PyYAML and jsonschema are slow to import

    return compile_laws(laws)
