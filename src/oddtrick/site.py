"""The site: a pure function from the lawbook and the records to Markdown, written out and rendered by MkDocs.

`pages` gives every file of the docs folder by path. `build` writes what has changed and runs MkDocs strictly;
nothing of MkDocs is needed to make the pages.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from oddtrick.citing import date_words
from oddtrick.data import folder
from oddtrick.files import write_atomic
from oddtrick.site_laws import law_pages, restated
from oddtrick.site_records import record_pages
from oddtrick.site_scores import score_pages

SOURCE_DATE = "0"
"""The date stamped into the site, so that two builds are the same to the byte."""

HOME = """\
---
title: Oddtrick
description: The laws of bridge from 1900 to 1927, read, compared, cited and run.
hide: [navigation, toc]
search: {exclude: true}
---

# The laws of bridge, 1900 to 1927 { .home-title }

<p class="lede">Six codes lie between the game in which the dealer named the trump and the game in which a slam had to be
bid. Oddtrick restates them law by law, gives every paragraph an address, and runs a recorded deal through the code it was
played under.</p>

<div class="doors" markdown="1">

<div class="door" markdown="1">

### Read and cite

Every law in plain words, its figures beside it, with what it refers to and what refers to it.
[The codes](codes/index.md) · [by topic](topics.md)

</div>

<div class="door" markdown="1">

### Check a hand

A deal written as a scorer would write it, judged by the law of its year: the bidding, the play, the score.
[The records](records/index.md) · [how to write one](notation.md)

</div>

<div class="door" markdown="1">

### Build on it

The lawbook is data: YAML under a JSON Schema, compiled to JSON. No figure of a code stands in the program.
[The law data](law-data.md)

</div>

</div>

## The codes so far

CODES
"""


def pages() -> dict[str, str | bytes]:
    """Every file of the docs folder: path below it to its content."""
    made: dict[str, str | bytes] = {}
    made |= law_pages()
    made |= score_pages()
    made |= record_pages(folder("laws") / "records")
    made["index.md"] = HOME.replace("CODES", _code_list())
    for name in ("notation", "law-data", "scoring-coverage"):
        made[f"{name}.md"] = (folder("docs") / f"{name}.md").read_text("utf-8")
    assets = folder("site_overrides") / "assets"
    for path in sorted(assets.rglob("*")):
        if path.is_file():
            made[f"assets/{path.relative_to(assets).as_posix()}"] = path.read_bytes()
    return made


def _code_list() -> str:
    from oddtrick.lawbook import code_data, codes

    lines = []
    for code in codes():
        data = code_data(code)
        base = f", over {code_data(data['extends'])['short']}" if data["extends"] else ""
        lines.append(
            f"- **[{data['short']}](codes/{code}/index.md)**, {date_words(data['date'])}, {data['body']}{base}: {restated(data)}"
        )
    return "\n".join(lines)


def write(made: Mapping[str, str | bytes], docs: Path) -> int:
    """Write the pages that changed and remove those that are gone; the result is how many were written."""
    count = 0
    for name, content in made.items():
        path = docs / name
        data = content.encode() if isinstance(content, str) else content
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data)
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
    except ImportError:
        sys.stderr.write(
            "oddtrick site: MkDocs is not installed; `pip install 'oddtrick[site]'` brings it.\n"
        )
        return 2
    os.environ.setdefault("SOURCE_DATE_EPOCH", SOURCE_DATE)
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    docs = docs or docs_folder()
    made = pages()
    changed = write(made, docs)
    echo(f"{len(made)} files in {docs}, {changed} of them new or changed.")
    _log_to_stderr()
    config = load_config(str(config_file()), docs_dir=str(docs), site_dir=str(out), strict=strict)
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
    write(pages(), docs)
    _log_to_stderr()
    run(str(config_file()), docs_dir=str(docs))
    return 0
