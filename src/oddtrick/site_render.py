"""MkDocs on two processors: a second process converts half of the pages, and then writes most of them.

MkDocs converts page after page and writes page after page. A copy of this process (`fork`) takes a share of each;
what it converted comes back through a pipe, with its warnings, so that a strict build stays strict. Where the system
cannot copy a process, or has one processor, MkDocs does all of it as ever. The files are the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import ChoiceLoader, DictLoader
from mkdocs.commands.build import _build_page
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page

from oddtrick.apart import Apart

NOTHING = "nothing.html"
"""A template that is empty: MkDocs writes no file for a page of it."""


class SecondProcess(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """The plugin of MkDocs that shares the pages out."""

    def on_nav(self, nav: Any, *, config: Any, files: Any) -> Any:
        """Have every second page converted while MkDocs converts the others."""
        self.nav = nav
        theirs = [f.page or Page(None, f, config) for f in files.documentation_pages()][1::2]

        def convert() -> Iterator[tuple[Any, ...]]:
            for page in theirs:
                page.read_source(config)
                page.render(config, files)
                links = {f.src_uri: anchors for f, anchors in (page.links_to_anchors or {}).items()}
                yield page.content, page.toc, page._title_from_render, page.present_anchor_ids, links

        self.converted = Apart(convert)

        def taken(page: Page) -> Callable[[Any, Any], None]:
            def render(config: Any, files: Any) -> None:
                del config
                page.content, page.toc, page._title_from_render, page.present_anchor_ids, links = self.converted.take()
                page.links_to_anchors = {files.get_file_from_path(uri): anchors for uri, anchors in links.items()}

            return render

        for page in theirs:
            page.render = taken(page)  # type: ignore[method-assign]
        return nav

    def on_env(self, env: Any, *, config: Any, files: Any) -> Any:
        """Have some pages written while MkDocs writes the others; the search index needs all of them here."""
        self.converted.finish()
        doc_files = files.documentation_pages()
        plain = [f.page for f in doc_files if "template" not in f.page.meta]
        theirs = [page for n, page in enumerate(plain) if n % 3]  # two of three: the index is as much work as the third

        def write() -> Iterator[None]:
            config.plugins.events["page_context"].clear()
            for page in theirs:
                _build_page(page, config, doc_files, self.nav, env)
            yield from ()

        self.written = Apart(write)
        env.loader = ChoiceLoader([DictLoader({NOTHING: ""}), env.loader])
        for page in theirs:
            page.meta["template"] = NOTHING
        return env

    def on_post_build(self, *, config: Any) -> None:
        """Wait for the pages of the second process."""
        del config
        self.written.finish()
