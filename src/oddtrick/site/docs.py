"""The docs folder: every page and file generated from the lawbook and the records."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from oddtrick.law.book import install
from oddtrick.law.lawbook import Book
from oddtrick.law.model import Json
from oddtrick.paths import folder
from oddtrick.report.workers import Workers
from oddtrick.site.calculator import calculator_pages, rubber_pages
from oddtrick.site.checker import PAGE, check_pages, sizes_of
from oddtrick.site.code import code_pages
from oddtrick.site.compare import compare_pages
from oddtrick.site.data import data_pages
from oddtrick.site.dispute import dispute_pages
from oddtrick.site.drawing import pictures, timeline
from oddtrick.site.finding import rule_pages
from oddtrick.site.law import law_pages as laws
from oddtrick.site.lineage import drawings
from oddtrick.site.record import record_pages
from oddtrick.site.reference import reference_pages
from oddtrick.site.search import search_pages
from oddtrick.site.template import page
from oddtrick.site.topic import topic_pages

Pages = dict[str, str | bytes]
"""Contents of files by path below the docs folder."""


def pages(lawbook: Book, site: str = "") -> Pages:
    """Every file generated from a lawbook: pages (front matter and HTML), data, and the files of
    the checker.

    A pure function: the two processes that make the files use no other lawbook. `site` is the base
    URL of the site with a final slash, used for URLs in the data; empty if it is not known. The
    pages that run Python are included only if their files have been fetched from npm
    (`checker.fetch`).
    """
    one, other = _halves(lawbook, site, None)
    return one | other


def write_pages(lawbook: Book, out: Path, site: str = "") -> None:
    """Write `pages` below a folder without holding them in memory."""
    _halves(lawbook, site, out)


def _halves(lawbook: Book, site: str, out: Path | None) -> list[Pages]:
    with Workers(2, __name__) as workers:
        halves = (partial(law_pages, site), compared_pages)
        jobs = [workers.submit(_half, half, lawbook.data, lawbook.home, out) for half in halves]
        return [job.result() for job in jobs]


def _half(half: Callable[[], Pages], data: Json, home: Path | None, out: Path | None) -> Pages:
    """The files of a half, or none if they are written below the folder `out`."""
    gc.disable()  # little could be freed before the process ends
    install(Book(data, home))
    made = half()
    if out is None:
        return made
    write(made, out)
    return {}


def law_pages(site: str = "") -> Pages:
    """The pages on single codes, with their data, and the search index: one half of `pages`."""
    made: Pages = {
        **laws(site),
        **code_pages(),
        **dispute_pages(),
        **reference_pages(),
        **data_pages(site),
        **search_pages(),
        **rule_pages(),
        **check_pages(),
        **record_pages(folder("laws") / "records"),
    }
    files = sizes_of(made)
    made |= rubber_pages(files)
    made |= pictures((timeline(), *drawings()), site)
    return made | {"index.md": home_page(PAGE in made)}


def home_page(checker: bool = True) -> str:
    """`index.md`; without a `checker`, it has no links to the pages that run Python."""
    return page("home", "index.md", checker=checker, drawing=timeline())


def compared_pages() -> Pages:
    """The pages that compare codes, and the scores of all contracts: the other half of `pages`."""
    return {**calculator_pages(), **topic_pages(), **compare_pages()}


def write(made: Mapping[str, str | bytes], out: Path) -> None:
    """Write files below a folder, creating the folders they need."""
    for name, content in made.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
