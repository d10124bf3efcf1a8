"""The page on the books that print the codes, and the page that finds the laws in a reader's own
copy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from markdown import markdown as to_html
from markdown.extensions.toc import TocExtension
from markupsafe import Markup

from oddtrick.book.write_citation import cite
from oddtrick.law.book import book
from oddtrick.paths import folder
from oddtrick.site.checker import fetched
from oddtrick.site.template import page

OWN_COPY = "own-copy.md"


def sources_page() -> str:
    """`sources.md`: the books, their contents, how to attach a copy of one's own, and the rule that
    no sentence is copied from them.
    """
    return page(
        "sources",
        "sources.md",
        codes=book().codes,
        cite=cite,
        own_copy=fetched(),
        attaching=markdown(folder("docs") / "attaching-a-book.md"),
    )


def own_copy_pages(files: Mapping[str, int]) -> dict[str, str]:
    """`own-copy.md`, with the sizes of the files that the page fetches; empty without the files."""
    return {OWN_COPY: page("own_copy", OWN_COPY, codes=book().codes, files=files)} if files else {}


def markdown(path: Path) -> Markup:
    """A Markdown document as HTML for a page one folder below the root; links to other documents
    are rewritten to their pages at the root.
    """
    toc = TocExtension(permalink="§", permalink_title="Link to this paragraph")
    made = to_html(path.read_text("utf-8"), extensions=["attr_list", "fenced_code", toc])
    return Markup(re.sub(r'href="([\w-]+)\.md', r'href="../\1/', made))
