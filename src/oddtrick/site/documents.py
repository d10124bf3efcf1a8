"""The documents of `docs/`: as pages of their own, and as parts of others."""

from __future__ import annotations

import re
from pathlib import Path

from markdown import markdown as to_html
from markdown.extensions.toc import TocExtension
from markupsafe import Markup

from oddtrick.paths import folder
from oddtrick.site.template import LESS


def document(name: str, *tags: str) -> str:
    """A page of `docs/` as it goes on the site: found after the laws, but for words by which it is
    asked for.
    """
    text = (folder("docs") / f"{name}.md").read_text("utf-8")
    if text.startswith("---"):
        return text
    asked = f"tags: [{', '.join(tags)}]\n" if tags else ""
    return f"---\nsearch: {{boost: {1 if tags else LESS}}}\n{asked}---\n\n{text}"


def markdown(path: Path) -> Markup:
    """A document as part of a page one folder below the root; its links are to pages at the
    root.
    """
    toc = TocExtension(permalink="§", permalink_title="Link to this paragraph")
    made = to_html(path.read_text("utf-8"), extensions=["attr_list", "fenced_code", toc])
    return Markup(re.sub(r'href="([\w-]+)\.md', r'href="../\1/', made))
