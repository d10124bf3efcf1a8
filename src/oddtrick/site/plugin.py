"""The MkDocs plugin `oddtrick`: adds the pages generated from the lawbook to those of `docs/`."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Container, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment
from jinja2.ext import Extension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc
from mkdocs.utils.templates import TemplateContext

from oddtrick.law import store
from oddtrick.law.lawbook import Book
from oddtrick.paths import folder, site_url
from oddtrick.report.workers import Workers
from oddtrick.site import docs
from oddtrick.site.checker import fetch

CODES = "codes/index.md"
"""The page after which the navigation lists the codes."""

ELSEWHERE = {"concordance": "compare"}
"""Folders whose pages belong to the navigation section of another folder."""

UNUSED = re.compile(r"\.map$|assets/javascripts/(lunr|workers)/")
"""Files of the theme that no page loads: source maps and the theme's own search."""

_HEADING = re.compile(r'<h([1-6])[^>]*? id="([^"]+)"[^>]*>(.*?)</h\1>', re.DOTALL)
_PAGE = re.compile(r"[\w/.-]+\.md")
_ANCHOR = re.compile(r'\sid="([^"]+)"')
_BESIDE = re.compile(r'<span.*?</span>|<a class="headerlink".*?</a>|<[^>]+>', re.DOTALL)
"""Parts of a heading that the table of contents omits: spans, the § link, and tags."""

Nav = Iterable[Any]


class Unindented(Extension):
    """Strips indentation and trailing white space from the lines of a template."""

    def preprocess(self, source: str, *_: str | None) -> str:
        """The source of a template with each line stripped, and without empty lines."""
        return re.sub(r"\s*\n\s*", "\n", source)


class OddtrickPlugin(BasePlugin):  # type: ignore[no-untyped-call,type-arg]
    """Generates the pages of a build into a temporary folder, from which MkDocs reads them one by
    one: holding all of them would take more memory than the rest of a build.
    """

    def __init__(self) -> None:
        self.tabs: dict[str, object] = {}

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Set the build time to the epoch, so that two builds of a lawbook are byte-identical."""
        os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
        return config

    def on_serve(self, server: LiveReloadServer, /, **_: Any) -> LiveReloadServer:
        """Rebuild when the law data changes. The content-security policy blocks the script by which
        MkDocs reloads pages; the reader reloads them.
        """
        server.watch(str(folder("laws")))
        return server

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Add the generated files and fill the navigation; a generated file replaces a file of the
        same path in `docs/`.
        """
        self.made = TemporaryDirectory(prefix="oddtrick-site-")
        home = Path(self.made.name)
        codes = generate(home, config.site_url or site_url())
        made = {p.relative_to(home).as_posix(): p for p in home.rglob("*") if p.is_file()}
        for file in list(files):
            if file.src_uri in made or UNUSED.search(file.dest_uri):
                files.remove(file)
        documents = {f.src_uri for f in files.documentation_pages()}
        config.nav = navigation(config.nav or [], codes, made.keys() | documents)
        named = set(_PAGE.findall(str(config.nav)))
        for path, source in sorted(made.items()):
            level = InclusionLevel.UNDEFINED if path in named else InclusionLevel.NOT_IN_NAV
            files.append(File.generated(config, path, abs_src_path=str(source), inclusion=level))
        return files

    def on_nav(self, nav: Navigation, /, *, files: Files, **_: Any) -> Navigation:
        """Assign each page outside the navigation to its section, if there is one."""
        self.tabs = {page.url.split("/")[0]: [page, *page.ancestors][-1] for page in nav.pages}
        for file in files.documentation_pages():
            tab = self._tab(file.url)
            if file.page and file.page.parent is None and isinstance(tab, Section):
                file.page.parent = tab
        return nav

    def on_page_context(self, context: TemplateContext, /, *, page: Page, **_: Any) -> None:
        """Pass the navigation tab of a page to its template, and the HTML if a template of ours
        rendered it.
        """
        context["tab"] = self._tab(page.url)  # type: ignore[typeddict-unknown-key]
        page.content = html_of(page) or page.content

    def _tab(self, url: str) -> object:
        part = url.split("/")[0]
        return self.tabs.get(ELSEWHERE.get(part, part))

    def on_env(self, env: Environment, /, **_: Any) -> Environment:
        """Strip the white space of the theme's templates, which makes up an eighth of a page."""
        env.trim_blocks = env.lstrip_blocks = True
        env.add_extension(Unindented)
        return env

    def on_page_markdown(self, markdown: str, /, *, page: Page, **_: Any) -> str:
        """The Markdown of a page, or empty if the page is HTML."""
        return "" if "html" in page.meta else markdown

    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """The HTML of a page. If a template of ours rendered it, only its headings and anchors are
        registered with MkDocs here; `on_page_context` supplies it.
        """
        if made := html_of(page):
            page.toc = get_toc(nested(made))
            page.present_anchor_ids = set(_ANCHOR.findall(made))
        return html

    def on_post_page(self, output: str, /, *, page: Page, **_: Any) -> str:
        """Release the HTML of a page after it has been rendered."""
        page.content = ""
        return output

    def on_post_build(self, **_: Any) -> None:
        """Remove the generated files, and release the pages: `mkdocs serve` holds the plugin of its
        first build, and pages refer to each other.
        """
        self.tabs = {}
        self.made.cleanup()
        gc.collect()


def html_of(page: Page) -> str:
    """The HTML of a page after its front matter, if a template of ours rendered it."""
    return page.file.content_string.partition("\n---\n")[2].strip() if "html" in page.meta else ""


def nested(html: str) -> list[Any]:
    """The headings of a page as nested tokens, in the format of Python-Markdown's `toc_tokens`."""
    top: list[Any] = []
    above: list[Any] = [{"level": 0, "children": top}]
    for level, anchor, words in _HEADING.findall(html):
        name = " ".join(_BESIDE.sub("", words).split())
        token = {"level": int(level), "id": anchor, "name": name, "children": list[Any]()}
        while above[-1]["level"] >= token["level"]:
            above.pop()
        above[-1]["children"].append(token)
        above.append(token)
    return top


def navigation(nav: Nav, codes: Nav, pages: Container[str]) -> list[Any]:
    """The navigation of `mkdocs.yml` with `codes` inserted after `CODES` and without entries whose
    page does not exist.
    """

    def filled(items: Nav) -> list[Any]:
        found: list[Any] = []
        for item in items:
            (inner,) = item.values() if isinstance(item, dict) else (item,)
            if isinstance(inner, list):
                found.append({name: filled(inner) for name in item})
            elif inner in pages:
                found += [item, *codes] if inner == CODES else [item]
        return found

    return filled(nav)


def code_entries(lawbook: Book) -> list[Any]:
    """The codes as entries of the navigation."""
    return [{short: f"codes/{code}/index.md"} for code, short in lawbook.names.items()]


def generate(out: Path, site: str) -> list[Any]:
    """Write every generated file below a folder, and return the navigation entries of the codes."""
    fetch()
    with Workers(1, docs.__name__) as workers:  # its memory is freed at the end
        lawbook = Book(*workers.submit(store.load, store.laws_folder()).result())
    docs.write_pages(lawbook, out, site)
    return code_entries(lawbook)
