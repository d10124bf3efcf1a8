"""MkDocs on two processors: a second process converts half of the pages, and then writes them.

MkDocs converts page after page and writes page after page. A copy of this process (`fork`) takes a share of each;
what it converted comes back through a pipe, with its warnings, so that a strict build stays strict. Where the system
cannot copy a process, or has one processor, MkDocs does all of it as ever. The files are the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
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
        """Have the second half of the pages converted while MkDocs converts the first."""
        self.nav, self.files = nav, files
        pages = [f.page or Page(None, f, config) for f in files.documentation_pages()]
        theirs = list(_lighter_half(pages))

        def convert() -> list[tuple[Any, ...]]:
            done = []
            for page in theirs:
                page.read_source(config)
                page.render(config, files)
                links = {f.src_uri: anchors for f, anchors in (page.links_to_anchors or {}).items()}
                done.append((page.content, page.toc, page._title_from_render, page.present_anchor_ids, links))
            return done

        apart = Apart(convert)
        converted: dict[int, tuple[Any, ...]] = {}

        def taken(page: Page) -> Callable[[Any, Any], None]:
            def render(config: Any, files: Any) -> None:
                del config
                if not converted:
                    converted.update(zip(map(id, theirs), apart.result(), strict=True))
                page.content, page.toc, page._title_from_render, page.present_anchor_ids, links = converted[id(page)]
                page.links_to_anchors = {files.get_file_from_path(uri): anchors for uri, anchors in links.items()}

            return render

        for page in theirs:
            page.render = taken(page)  # type: ignore[method-assign, assignment]
        return nav

    def on_env(self, env: Any, *, config: Any, files: Any) -> Any:
        """Have some pages written while MkDocs writes the others; the search index needs all of them here."""
        doc_files = files.documentation_pages()
        plain = [f.page for f in doc_files if "template" not in f.page.meta]
        theirs = [page for n, page in enumerate(plain) if n % 3]  # two of three: the index is as much work as the third

        def write() -> None:
            config.plugins.events["page_context"].clear()
            for page in theirs:
                _build_page(page, config, doc_files, self.nav, env)

        self.written = Apart(write)
        env.loader = ChoiceLoader([DictLoader({NOTHING: ""}), env.loader])
        for page in theirs:
            page.meta["template"] = NOTHING
        return env

    def on_post_build(self, *, config: Any) -> None:
        """Wait for the pages of the second process."""
        del config
        self.written.result()


def _lighter_half(pages: list[Page]) -> Iterator[Page]:
    """The last pages, as many as are about half of all by the length of their sources."""
    sizes = [Path(page.file.abs_src_path or "").stat().st_size for page in pages]
    whole, sofar = sum(sizes), 0
    for page, size in zip(pages, sizes, strict=True):
        if sofar * 2 >= whole:
            yield page
        sofar += size
