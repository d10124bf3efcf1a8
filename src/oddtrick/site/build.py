"""The site: a pure function from the lawbook and the records to Markdown, written out and rendered by MkDocs.

`pages` gives every file of the docs folder by path. `build` writes what has changed and runs MkDocs strictly;
nothing of MkDocs is needed to make the pages.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from oddtrick.paths import folder
from oddtrick.site.apart import Apart, two_processors
from oddtrick.site.checker import PAGE as CHECK
from oddtrick.site.checker import check_pages, fetch
from oddtrick.site.compare import compare_pages
from oddtrick.site.data import data_pages, site_url
from oddtrick.site.dispute import dispute_pages
from oddtrick.site.finding import rule_pages
from oddtrick.site.home import code_pages, home_page
from oddtrick.site.law import provision_pages
from oddtrick.site.law_words import document, law_pages
from oddtrick.site.record import record_pages
from oddtrick.site.reference import reference_pages
from oddtrick.site.score_table import score_pages
from oddtrick.site.topic import topic_pages

SOURCE_DATE = "0"
"""The date stamped into the site, so that two builds are the same to the byte."""


def pages(site: str = "", share: bool = False) -> dict[str, str | bytes]:
    """Every file of the docs folder: path below it to its content; with `share` a second process makes half of them.

    `site` is where the site will stand, with a slash at the end, for the addresses in the data; empty where it is not known.
    The page that checks a hand is among them where what it needs from npm has been fetched (`site_check.fetch`).
    """
    made: dict[str, str | bytes] = {}

    def others() -> Iterator[dict[str, str | bytes]]:
        yield score_pages() | compare_pages() | rule_pages() | check_pages()

    apart = Apart(others) if share else None
    made |= law_pages() | provision_pages(site) | code_pages() | topic_pages(disputes=True)
    made |= dispute_pages() | reference_pages() | data_pages(site)
    made |= apart.take() if apart else next(others())
    if apart:
        apart.finish()
    made |= record_pages(folder("laws") / "records", made)
    made |= {
        "notation.md": document("notation", "write", "deal", "record", "hand"),
        "law-data.md": document("law-data"),
    }
    made["index.md"] = home_page(made)
    assets = folder("site_overrides") / "assets"
    for path in sorted(assets.rglob("*")):
        if path.is_file():
            made[f"assets/{path.relative_to(assets).as_posix()}"] = path.read_bytes()
    return made


def write(made: Mapping[str, str | bytes], docs: Path) -> int:
    """Write the pages that changed and remove those that are gone; the result is how many were written."""
    count = 0
    for name, content in made.items():
        path = docs / name
        data = content.encode() if isinstance(content, str) else content
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)  # made anew at any time: not worth waiting for the disk
        count += 1
    if docs.is_dir():
        for path in sorted(docs.rglob("*"), reverse=True):
            if path.is_file() and path.relative_to(docs).as_posix() not in made:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
    return count


def config_file() -> Path:
    """`mkdocs.yml`, beside `site_overrides/`."""
    return folder("mkdocs.yml")


def docs_folder() -> Path:
    """Where the pages are written: where `mkdocs.yml` looks for them in a checkout, else below the working folder."""
    home = config_file().parent
    base = home if (home / "pyproject.toml").is_file() else Path.cwd()
    return base / "build" / "docs"


def build(
    out: Path, docs: Path | None = None, strict: bool = True, echo: Callable[[str], object] = print
) -> int:
    """Write the docs folder and render the site into `out`; the result is an exit status.

    2 where MkDocs is not installed, 1 where it finds anything wrong (every warning counts), else 0.
    """
    try:
        from mkdocs.commands.build import build as render
        from mkdocs.config import load_config
        from mkdocs.exceptions import Abort

        from oddtrick.site.render import Rendering
    except ImportError:
        sys.stderr.write(
            "oddtrick site: MkDocs is not installed; `pip install 'oddtrick[site]'` brings it.\n"
        )
        return 2
    os.environ.setdefault("SOURCE_DATE_EPOCH", SOURCE_DATE)
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    docs = docs or docs_folder()
    fetch()
    shared = two_processors()
    made = pages(site_url(), shared)
    changed = write(made, docs)
    echo(f"{len(made)} files in {docs}, {changed} of them new or changed.")
    _log_to_stderr()
    config = load_config(str(config_file()), docs_dir=str(docs), site_dir=str(out), strict=strict)
    config.plugins["oddtrick"] = Rendering(shared)
    if CHECK in made:
        config.nav = [*(config.nav or []), {"Check a hand": CHECK}]
    try:
        config.plugins.on_startup(command="build", dirty=False)
        render(config)
    except Abort as error:
        sys.stderr.write(f"oddtrick site: the site is not in order: {error}\n")
        return 1
    finally:
        config.plugins.on_shutdown()
    echo(f"The site is in {out}; open {out / 'index.html'} or run `oddtrick site serve`.")
    return 0


def _log_to_stderr() -> None:
    import logging

    logger = logging.getLogger("mkdocs")
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
        handler.setLevel(logging.WARNING)
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


def serve() -> int:
    """Write the docs folder and serve the site on this machine, rendered anew when a page changes."""
    try:
        from mkdocs.commands.serve import serve as run
    except ImportError:
        sys.stderr.write(
            "oddtrick site: MkDocs is not installed; `pip install 'oddtrick[site]'` brings it.\n"
        )
        return 2
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    docs = docs_folder()
    fetch()
    write(pages(site_url()), docs)
    _log_to_stderr()
    run(str(config_file()), docs_dir=str(docs))
    return 0
