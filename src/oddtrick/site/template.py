"""Renders pages from the folder `templates`: one template for each kind of page, plain values from
Python.

A page is a Markdown document: front matter, then one block of HTML that Markdown leaves unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from gzip import compress
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from oddtrick.judge import Json
from oddtrick.site import check, markup
from oddtrick.terminal import visible

TEMPLATES = Path(__file__).parent / "templates"

LICENCE = "CC-BY-4.0"
"""The licence of the laws, and of all pages and files made from them."""


def page(template: str, path: str, **values: object) -> str:
    """The Markdown document of a page.

    `template` is the name of the template without suffix, `path` the path of the page below the
    docs folder. The template receives `values`, the `path`, and `root`, the relative URL of the
    root of the site. Its top-level variables are the fields of the front matter: `title` and
    `description`, and where needed `hide` (parts of the theme to omit), `runs` (what the
    content-security policy must allow in addition to JavaScript: `python`) and `citation` (metadata
    for reference managers).
    """
    made = environment().get_template(f"{template}.html").make_module(_values(path, values))
    return front(vars(made), path) + str(made)


def json_file(content: object) -> str:
    """A value as the content of a compact JSON file."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def gzipped(text: str) -> bytes:
    """A text compressed with gzip; the same text gives the same bytes."""
    return compress(text.encode(), 9, mtime=0)


def rendered(template: str, path: str, **values: object) -> str:
    """A template rendered with `values` for the page at `path`.

    A `root` in `values` replaces the relative URL of the root of the site.
    """
    return environment().get_template(f"{template}.html").render(_values(path, values))


def answers_html(answers: Iterable[Json], site: str = "", deals_only: bool = False) -> str:
    """The answers of the judge as HTML for any page; links begin with the base URL `site`.

    With `deals_only`, only titles, hands, calls, cards and declarations are shown.
    """
    listed = check.checked(answers)
    shown = {"checked": listed, "deals_only": deals_only, "without_source": True, "root": site}
    return rendered("answer", "check.md", **shown)


def _values(path: str, values: Mapping[str, object]) -> dict[str, object]:
    return {"path": path, "root": root(path), **values}


@cache
def environment() -> Environment:
    """The Jinja environment of the templates, with the functions and filters of `markup` and
    `check`.
    """
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        auto_reload=False,
        finalize=_seen,
    )
    made.globals |= markup.FUNCTIONS | check.FUNCTIONS
    made.filters |= markup.FILTERS | check.FILTERS
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return made


def _seen(value: object) -> object:
    """A value with invisible characters in its text made visible."""
    # Called about a million times; this test is enough for nearly all values.
    if not isinstance(value, str) or (value.isascii() and value.isprintable()):
        return value
    return visible(value)


def front(head: Mapping[str, Any], path: str) -> str:
    """The front matter of a page; a page of a code also names its `code` and the path of `data`."""
    title, words = visible(head["title"]), _shortened(visible(head["description"]))
    lines = [
        "---",
        f"title: {json.dumps(title, ensure_ascii=False)}",
        f"description: {json.dumps(words, ensure_ascii=False)}",
    ]
    if hide := head.get("hide"):
        lines.append(f"hide: [{hide}]")
    if runs := head.get("runs"):
        lines.append(f"runs: {runs}")
    if citation := head.get("citation"):
        lines.append(f"citation: {json.dumps(citation)}")
    folder, _, below = path.removesuffix(".md").partition("/")
    code, _, name = below.partition("/")
    if folder == "codes" and name:
        is_overview = name in ("index", "whole", "evening", "sheet")
        data = f"data/{code}.json" if is_overview else f"data/provisions/{code}/{name}.json"
        lines += [f"code: {code}", f"data: {data}"]
    return "\n".join([*lines, "html: true", "---", "", ""])


def _shortened(words: str) -> str:
    """A description shortened to at most 300 characters, at a word boundary."""
    return words if len(words) <= 300 else words[:299].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def root(path: str) -> str:
    """The relative URL from a page to the root of the site: `../../` for `topics/revoke.md`."""
    return "../" * len([p for p in path.removesuffix(".md").split("/") if p != "index"])
