"""Where the project's data lie: beside `src/` in a checkout, in the package of a wheel."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""


def folder(name: str) -> Path:
    """The folder (or file) `laws`, `grammar`, `docs`, `site_overrides` or `mkdocs.yml`.

    Raises `FileNotFoundError` with what to do where the installation is damaged.
    """
    named = os.environ.get("ODDTRICK_LAWS") if name == "laws" else None
    for path in (
        Path(named) if named else None,
        PACKAGE / "data" / name,
        PACKAGE.parent.parent / name,
    ):
        if path is not None and path.exists():
            return path
    raise FileNotFoundError(
        f"`{name}` is missing from this installation of oddtrick; install it again"
    )
