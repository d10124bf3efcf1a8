"""How MkDocs renders our pages in less time: no work is done twice, and a second process does half of it.

Most of a page is HTML already, which Markdown would parse twice to leave it as it is, and the search once more to leave
it out. A block of it is taken out before and put back after; the anchors in it are told to MkDocs, whose links stay
checked. The theme's navigation is the same on all pages of a folder that are not in it, and is made once for them.

MkDocs converts page after page and writes page after page. A copy of this process (`fork`) takes a share of each;
what it converted comes back through a pipe, with its warnings, so that a strict build stays strict. Where the system
cannot copy a process, or has one processor, MkDocs does all of it as ever. The files are the same to the byte.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, pass_context
from jinja2.runtime import Context
from markdown.util import BLOCK_LEVEL_ELEMENTS
from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page

from oddtrick.site.apart import Apart

NOTHING = "nothing.html"
"""A template that is empty: MkDocs writes no file for a page of it."""

NAVIGATION = ("partials/nav.html", "partials/tabs.html")
"""The templates of the theme that draw the navigation."""

UNSEARCHED = " data-search-exclude"
"""The attribute of what the search leaves out."""

_BLOCK = re.compile(r"(?:(?<=\n\n)|(?<![\s\S]))<[a-z][^\n]*(?:\n[^\n]+)*(?=\n\n|\n?\Z)")
_START = re.compile(r"\s*<([a-z][a-z0-9]*)\b")
_MARK = re.compile(r"<!--finished (\d+)-->")
_ANCHOR = re.compile(r'<[a-z][^<>]*?\sid="([^"]+)"')


def set_aside(markdown: str) -> tuple[str, list[str]]:
    """The text with a mark in the place of every block of finished HTML, and the blocks.

    A block stands between empty lines and is a row of whole block-level elements with no Markdown in them. Text with fenced code is left as it is, since code may show HTML.
    """
    blocks: list[str] = []
    if "```" in markdown:
        return markdown, blocks

    def marked(match: re.Match[str]) -> str:
        block = match[0]
        if not _finished(block):
            return block
        blocks.append(block)
        return f"<!--finished {len(blocks) - 1}-->"

    return _BLOCK.sub(marked, markdown), blocks


def _finished(block: str) -> bool:
    """Whether a block of text is a row of whole block-level elements, with no Markdown in them and no text between."""
    at = 0
    while at < len(block):
        start = _START.match(block, at)
        if start is None or start[1] not in BLOCK_LEVEL_ELEMENTS:
            return False
        depth = 0
        for tag in re.finditer(rf"<(/?){start[1]}\b", block[at:]):
            depth += -1 if tag[1] else 1
            if depth == 0:
                break
        else:
            return False
        at += tag.end() + 1
    return ' markdown="' not in block


def put_back(content: str, blocks: Sequence[str]) -> str:
    """The content with the blocks in the place of their marks."""
    return _MARK.sub(lambda match: blocks[int(match[1])], content)


def searched(blocks: Sequence[str]) -> list[str]:
    """The blocks that the search is to see, with nothing in the place of the others."""
    return ["" if UNSEARCHED in block.partition(">")[0] else block for block in blocks]


def anchors(block: str) -> list[str]:
    """The ids in a block of HTML."""
    return [html.unescape(anchor) for anchor in _ANCHOR.findall(block)]


def remembered(name: str, env: Environment, nav: Any) -> Callable[[Context], str]:
    """A function that renders a template of the navigation, once for all pages of a folder that are not in it."""
    template = env.get_template(name)
    listed = [page.url for page in nav.pages]
    made: dict[str, str] = {}

    @pass_context
    def navigation(context: Context) -> str:
        page = context.get("page")
        if page is None or any(
            url.startswith(page.url) for url in listed
        ):  # in it, or above a page that is
            return template.render(context.get_all())
        folder = page.url.rstrip("/").rpartition("/")[0]
        if folder not in made:
            made[folder] = template.render(context.get_all())
        return made[folder]

    return navigation


class Rendering(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """The plugin of MkDocs that passes finished HTML by and, where `shared`, shares the pages out."""

    def __init__(self, shared: bool) -> None:
        """Nothing is set aside and no page is another's yet."""
        self.shared = shared
        self.blocks: dict[str, list[str]] = {}
        self.whole: dict[str, str] = {}
        self.taken: set[str] = set()

    def on_nav(self, nav: Any, *, config: Any, files: Any) -> Any:
        """Have every second page converted while MkDocs converts the others."""
        self.nav = nav
        if not self.shared:
            return nav
        theirs = [f.page or Page(None, f, config) for f in files.documentation_pages()][1::2]

        def convert() -> Iterator[tuple[Any, ...]]:
            for page in theirs:
                _populate_page(page, config, files)
                links = {f.src_uri: anchors for f, anchors in (page.links_to_anchors or {}).items()}
                yield (
                    page.content,
                    page.toc,
                    page._title_from_render,
                    page.present_anchor_ids,
                    links,
                    self.whole[page.file.src_uri],
                )

        self.converted = Apart(convert)

        def take(page: Page) -> Callable[[Any, Any], None]:
            def render(config: Any, files: Any) -> None:
                del config
                (
                    page.content,
                    page.toc,
                    page._title_from_render,
                    page.present_anchor_ids,
                    links,
                    whole,
                ) = self.converted.take()
                page.links_to_anchors = {
                    files.get_file_from_path(uri): anchors for uri, anchors in links.items()
                }
                self.whole[page.file.src_uri] = whole

            return render

        for page in theirs:
            page.render = take(page)  # type: ignore[method-assign]
            self.taken.add(page.file.src_uri)
        return nav

    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> str:
        """Set the finished HTML of a page aside."""
        del config, files
        if page.file.src_uri in self.taken:
            return markdown
        markdown, self.blocks[page.file.src_uri] = set_aside(markdown)
        return markdown

    def on_page_content(self, content: str, *, page: Any, config: Any, files: Any) -> str:
        """What the search is to see of a page; the whole is kept. MkDocs is told what anchors the blocks have."""
        del config, files
        name = page.file.src_uri
        if name in self.taken:
            return content
        blocks = self.blocks.pop(name)
        if sorted(int(n) for n in _MARK.findall(content)) != list(range(len(blocks))):
            raise PluginError(
                f"{name}: a block of HTML stands where Markdown does not leave it as it is"
            )
        page.present_anchor_ids |= {anchor for block in blocks for anchor in anchors(block)}
        self.whole[name] = (
            put_back(content, blocks)
            .replace(f'{UNSEARCHED}="{UNSEARCHED.strip()}"', "")
            .replace(UNSEARCHED, "")
        )
        if (page.meta.get("search") or {}).get("described"):
            return f"<h1>{html.escape(page.title, False)}</h1><p>{html.escape(page.meta['description'], False)}</p>"
        return put_back(content, searched(blocks))

    def on_env(self, env: Any, *, config: Any, files: Any) -> Any:
        """Have some pages written while MkDocs writes the others; the search index needs all of them here."""
        own = {NOTHING: ""}
        for n, name in enumerate(NAVIGATION):
            env.globals[f"remembered_{n}"] = remembered(name, env, self.nav)
            own[name] = f"{{{{ remembered_{n}() }}}}"
        env.loader = ChoiceLoader([DictLoader(own), env.loader])
        if not self.shared:
            return env
        self.converted.finish()
        doc_files = files.documentation_pages()
        plain = [f.page for f in doc_files if "template" not in f.page.meta]
        theirs = [
            page for n, page in enumerate(plain) if n % 6
        ]  # five of six: the index is more work than the writing of the sixth

        def write() -> Iterator[None]:
            config.plugins.events["page_context"][:] = [self.on_page_context]  # without the search
            for page in theirs:
                _build_page(page, config, doc_files, self.nav, env)
            yield from ()

        self.written = Apart(write)
        for page in theirs:
            page.meta["template"] = NOTHING
        return env

    def on_page_context(self, context: Any, *, page: Any, config: Any, nav: Any) -> Any:
        """The whole page again, after the search has read what it is to see."""
        del config, nav
        page.content = self.whole[page.file.src_uri]
        return context

    def on_post_build(self, *, config: Any) -> None:
        """Wait for the pages of the second process."""
        del config
        if self.shared:
            self.written.finish()
