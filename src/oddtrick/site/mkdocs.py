"""The docs folder rendered by MkDocs: `build` into a folder, `serve` on this machine.

MkDocs reads `mkdocs.yml`, which names all but the codes: those come from the lawbook.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Callable, Container, Iterable
from pathlib import Path

from mkdocs.commands.build import build as render
from mkdocs.commands.serve import serve as run
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

from oddtrick.law.book import book
from oddtrick.paths import folder, site_url
from oddtrick.report.workers import Workers, cores
from oddtrick.site.checker import PAGE as CHECK
from oddtrick.site.checker import fetch
from oddtrick.site.docs import pages, write
from oddtrick.site.kept import PATH as RUBBER
from oddtrick.site.reading import Reading
from oddtrick.terminal import in_a_line

SOURCE_DATE = "0"
"""The date stamped into the site, so that two builds are the same to the byte."""

SCORE = "Score"
"""The section of the navigation that has the calculator, and the rubber where it can be kept."""

OWN = "assets/oddtrick.css"
"""A file of every docs folder and every site that was made here; of the docs folder the first."""

CODES = "codes/index.md"
"""The page after which the codes stand in the navigation."""


def config_file() -> Path:
    """`mkdocs.yml`, beside `site_overrides/`."""
    return folder("mkdocs.yml")


def docs_folder() -> Path:
    """Where the pages are written: where `mkdocs.yml` looks for them in a checkout, else below the
    working folder.
    """
    home = config_file().parent
    base = home if (home / "pyproject.toml").is_file() else Path.cwd()
    return base / "build" / "docs"


def build(
    out: Path, docs: Path | None = None, strict: bool = True, echo: Callable[[str], object] = print
) -> int:
    """Write the docs folder and render the site into `out`; the result is an exit status.

    1 where MkDocs finds anything wrong (every warning counts), 2 where a folder has other files in
    it, which would be removed, else 0.
    """
    docs = docs or docs_folder()
    if _taken(docs, out):
        return 2
    made = _written(docs, echo)
    config = _config(docs, out, strict)
    config.nav = navigation(config.nav, made)
    config.plugins["oddtrick/reading"] = Reading()
    try:
        config.plugins.on_startup(command="build", dirty=False)
        render(config)
    except Abort as error:
        sys.stderr.write(f"oddtrick site: the site is not in order: {error}\n")
        return 1
    finally:
        config.plugins.on_shutdown()
    # The theme's stemmers of other languages, which no page of this site asks for.
    shutil.rmtree(out / "assets" / "javascripts" / "lunr", ignore_errors=True)
    echo(f"The site is in {out}; open {out / 'index.html'} or run `oddtrick site serve`.")
    return 0


def serve() -> int:
    """Write the docs folder and serve the site on this machine, rendered anew when a page
    changes.
    """
    docs = docs_folder()
    if _taken(docs):
        return 2
    made = _written(docs, lambda _: None)
    config = _config(docs)
    # MkDocs writes a script into each page it serves, which the policy has to let run.
    extra = {**config.extra, "preview": True}
    run(str(config_file()), docs_dir=str(docs), nav=navigation(config.nav, made), extra=extra)
    return 0


def _taken(*homes: Path) -> bool:
    """Whether one of the folders that are made anew has what was not made here, which is said."""
    for home in homes:
        theirs = home.is_dir() and any(not p.name.startswith(".") for p in home.iterdir())
        ours = (home / OWN).is_file() and not (home / "main.html").exists()  # not `site_overrides`
        if (theirs and not ours) or (home.exists() and not home.is_dir()):
            sys.stderr.write(
                f"oddtrick site: {in_a_line(str(home))} has other files in it, which would be "
                "removed; name an empty folder, or move them.\n"
            )
            return True
    return False


def navigation(nav: Iterable[object] | None, made: Container[str]) -> list[object]:
    """The navigation of `mkdocs.yml` with every code after `codes/index.md`, the ancestors behind
    the others, and the checker where it has a page.

    The ancestors have no section of their own: the theme takes the first `index.md` of a section
    for the section's own page, and would show the first of them under no name.
    """
    order = sorted(book().codes, key=lambda c: c.ancestor)
    codes = [{c.short: f"codes/{c.id}/index.md"} for c in order]

    def filled(item: object) -> object:
        if not isinstance(item, dict):
            return item
        named = {k: [CODES, *codes] if v == [CODES] else v for k, v in item.items()}
        if SCORE in named and RUBBER in made:
            named[SCORE] = [*named[SCORE], {"Keep a rubber": RUBBER}]
        return named

    return [*map(filled, nav or ()), *([{"Check a hand": CHECK}] if CHECK in made else [])]


def _written(docs: Path, echo: Callable[[str], object]) -> Container[str]:
    os.environ.setdefault("SOURCE_DATE_EPOCH", SOURCE_DATE)
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    fetch()
    if cores() > 1:
        with Workers(1) as other:
            made = pages(site_url(), other)
    else:
        made = pages(site_url())
    first = {name: made[name] for name in (OWN,) if name in made}  # says whose the folder is
    changed = write({**first, **made}, docs)
    echo(f"{len(made)} files in {docs}, {changed} of them new or changed.")
    return made


def _config(docs: Path, out: Path | None = None, strict: bool = False) -> MkDocsConfig:
    """The configuration; what MkDocs warns of goes to the standard error stream."""
    logger = logging.getLogger("mkdocs")
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
        handler.setLevel(logging.WARNING)
        logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    site_dir = str(out) if out else None
    return load_config(str(config_file()), docs_dir=str(docs), site_dir=site_dir, strict=strict)
