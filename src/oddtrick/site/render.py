"""The commands of the site. MkDocs with our plugin builds and serves it; `write_pages` writes the
pages for other renderers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copytree

from click import ClickException
from mkdocs.__main__ import cli

from oddtrick.law.book import book
from oddtrick.paths import folder, site_url
from oddtrick.site import docs
from oddtrick.terminal import in_a_line

OWN = "assets/oddtrick.css"
"""A file that identifies a site built by this program."""


def build(out: Path) -> int:
    """Build the site into a folder in strict mode, and return the exit status.

    It is 1 if MkDocs reports a warning or an error, and 2 if the folder contains other files, which
    the build would remove.
    """
    if _foreign(out):
        return _refused(out)
    if _mkdocs("build", "--strict", "--site-dir", str(out)):
        return 1
    print(f"The site is in {out}; open {out / 'index.html'} or run `oddtrick site serve`.")
    return 0


def serve() -> int:
    """Serve the site on this machine, rebuilding it when the law data or a document changes. Return
    the exit status.
    """
    return _mkdocs("serve")


def write_pages(out: Path) -> int:
    """Write `docs/`, the generated pages and the assets into an empty folder. Return the exit
    status, which is 2 if the folder is not empty.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        return _refused(out)
    copytree(folder("docs"), out, dirs_exist_ok=True)
    copytree(folder("site_overrides") / "assets", out / "assets")
    docs.write_pages(book(), out, site_url())
    return 0


def _mkdocs(*arguments: str) -> int:
    try:
        cli([*arguments, "--config-file", str(folder("mkdocs.yml"))], standalone_mode=False)
    except ClickException as error:
        sys.stderr.write(f"oddtrick site: {error.format_message()}\n")
        return 1
    return 0


def _foreign(out: Path) -> bool:
    """Whether a path is a file, or a folder with files that does not look like a built site."""
    if not out.is_dir():
        return out.exists()
    files = any(not p.name.startswith(".") for p in out.iterdir())
    return files and not ((out / OWN).is_file() and (out / "index.html").is_file())


def _refused(out: Path) -> int:
    sys.stderr.write(
        f"oddtrick site: {in_a_line(str(out))} contains other files, which would be removed; "
        "name an empty folder, or move them.\n"
    )
    return 2
