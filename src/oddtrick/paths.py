"""The folders of the project's data and of the user's own data, and the URL of the site."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent  # the folder of the package
COMPILED = PACKAGE / "data" / "compiled"  # what a wheel has compiled
LAWS = "ODDTRICK_LAWS"  # the environment variable with the folder of the law data
SITE_URL = "ODDTRICK_SITE_URL"  # the environment variable with the URL of the site


def site_url(named: str | None = None) -> str:
    """The URL of the site, given or from the environment, ending in a slash; empty if unknown."""
    url = (os.environ.get(SITE_URL, "") if named is None else named).strip()
    return url.rstrip("/") + "/" if url else ""


def data_folder() -> Path:
    """The folder of the user's own data: `ODDTRICK_DATA`, or the platform's usual place."""
    from platformdirs import user_data_path  # not available to the checker in the page

    named = os.environ.get("ODDTRICK_DATA")
    return Path(named) if named else user_data_path("oddtrick", appauthor=False)


def cache_folder() -> Path:
    """The folder of what is compiled on first use: `ODDTRICK_CACHE`, or the usual place."""
    from platformdirs import user_cache_path  # not available to the checker in the page

    named = os.environ.get("ODDTRICK_CACHE")
    return Path(named) if named else user_cache_path("oddtrick", appauthor=False)


def path_exists(name: str) -> bool:
    """Whether a file or folder exists; false for a name that is not valid."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def folder(name: str) -> Path:
    """The path of `laws`, `grammar`, `docs`, `site_overrides` or `mkdocs.yml`.

    `laws` is the folder `ODDTRICK_LAWS` if that is set. Raises `FileNotFoundError`, with advice, if
    the installation is damaged.
    """
    named = os.environ.get(LAWS) if name == "laws" else None
    return Path(named) if named else shipped(name)


def shipped(name: str) -> Path:
    """The path of a folder or file shipped with this program. Raises `FileNotFoundError`."""
    for path in (PACKAGE / "data" / name, PACKAGE.parent.parent / name):
        if path.exists():
            return path
    raise FileNotFoundError(
        f"`{name}` is missing from this installation of oddtrick; install it again"
    )
