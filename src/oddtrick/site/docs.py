"""The docs folder: a pure function from the lawbook and the records to every page and file, and how
it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path

from oddtrick.paths import folder
from oddtrick.site.calculator import calculator_pages
from oddtrick.site.checker import check_pages
from oddtrick.site.code import code_pages
from oddtrick.site.compare import compare_pages
from oddtrick.site.data import data_pages
from oddtrick.site.dispute import dispute_pages
from oddtrick.site.evening import evening_pages
from oddtrick.site.finding import rule_pages
from oddtrick.site.home import home_page
from oddtrick.site.law import law_pages
from oddtrick.site.record import record_pages
from oddtrick.site.reference import reference_pages
from oddtrick.site.rubber import rubber_pages
from oddtrick.site.score_table import score_pages
from oddtrick.site.search import finder_data, search_data
from oddtrick.site.sources import own_copy_pages
from oddtrick.site.topic import topic_pages

Pages = dict[str, str | bytes]
"""Files by their path below the docs folder."""


def compared() -> Pages:
    """What is of several codes side by side, which takes as long to make as the rest."""
    return {**score_pages(), **compare_pages(), "assets/search-words.json": search_data()}


def pages(site: str = "", other: Executor | None = None) -> Pages:
    """Every file of the docs folder; where there is another process, it makes half of them.

    `site` is where the site will stand, with a slash at the end, for the addresses in the data;
    empty where it is not known. The page that checks a hand is among them where what it needs from
    npm has been fetched (`checker.fetch`).
    """
    theirs = other.submit(compared) if other else None
    made: Pages = {
        **law_pages(site),
        **code_pages(),
        **topic_pages(),
        **dispute_pages(),
        **reference_pages(),
        **data_pages(site),
        **calculator_pages(),
        **evening_pages(),
        **rule_pages(),
        **check_pages(),
        "assets/finder.json": finder_data(),
    }
    made |= theirs.result() if theirs else compared()
    made |= rubber_pages(made) | own_copy_pages(made)
    made |= record_pages(folder("laws") / "records", made)
    made["index.md"] = home_page(made)
    assets = folder("site_overrides") / "assets"
    for path in sorted(p for p in assets.rglob("*") if p.is_file()):
        made[f"assets/{path.relative_to(assets).as_posix()}"] = path.read_bytes()
    return made


def write(made: Mapping[str, str | bytes], docs: Path) -> int:
    """Write the pages that changed and remove those that are gone; the result is how many were
    written.
    """
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
