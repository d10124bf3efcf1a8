"""The folders of the project's data and of the user's own, and the address of the site."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent  # the folder of the package
SITE_URL = "ODDTRICK_SITE_URL"  # the variable with the address of the site


def site_url(named: str | None = None) -> str:
    """The site's address, named or from the environment, with a slash at its end; else empty."""
    url = (os.environ.get(SITE_URL, "") if named is None else named).strip()
    return url.rstrip("/") + "/" if url else ""


def data_folder() -> Path:
    """The folder of the user's own data: `ODDTRICK_DATA`, or as platformdirs names it."""
    from platformdirs import user_data_path  # the checker in the page has no platformdirs

    named = os.environ.get("ODDTRICK_DATA")
    return Path(named) if named else user_data_path("oddtrick", appauthor=False)


def path_exists(name: str) -> bool:
    """Whether there is a file or folder of a name; a name that none can have has none."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def folder(name: str) -> Path:
    """The folder (or file) `laws`, `grammar`, `docs`, `site_overrides` or `mkdocs.yml`; the laws
    are those of `ODDTRICK_LAWS`, where that names a folder.

    Raises `FileNotFoundError` with what to do where the installation is damaged.
    """
    named = os.environ.get("ODDTRICK_LAWS") if name == "laws" else None
    return Path(named) if named and Path(named).exists() else shipped(name)


def shipped(name: str) -> Path:
    """The folder or file of that name as shipped with this program. Raises as `folder`."""
    for path in (PACKAGE / "data" / name, PACKAGE.parent.parent / name):
        if path.exists():
            return path
    raise FileNotFoundError(
        f"`{name}` is missing from this installation of oddtrick; install it again"
    )
