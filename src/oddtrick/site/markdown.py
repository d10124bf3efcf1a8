"""The extension of Python-Markdown (`mkdocs.yml` names it) that leaves a page of HTML as it is.

Without it such a page comes out the same, but for its table of contents, at the price of being
parsed twice.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.toc import nest_toc_tokens
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

_HEADING = re.compile(r'<h([1-6])[^>]*? id="([^"]+)"[^>]*>(.*?)</h\1>', re.DOTALL)
_UNNAMED = re.compile(r'<span.*?</span>|<a class="headerlink".*?</a>|<[^>]+>', re.DOTALL)
"""What a table of contents does not take of a heading: marks beside the words, the paragraph sign,
tags.
"""


class Whole(Preprocessor):
    """Stores a document that begins with a tag whole, as fenced code is stored."""

    def run(self, lines: list[str]) -> list[str]:
        """The lines as they are, or one that stands for all of them."""
        text = "\n".join(lines).strip()
        return [self.md.htmlStash.store(text)] if text.startswith("<") else lines


class Contents(Treeprocessor):
    """Gives the headings of such a document to the table of contents."""

    def run(self, root: Element) -> None:
        """Replace the headings that were found in the tree by those of the HTML."""
        whole = self.md.htmlStash.rawHtmlBlocks
        if len(whole) == 1 and len(root) <= 1:
            found = _HEADING.findall(str(whole[0]))
            names = [" ".join(_UNNAMED.sub("", words).split()) for _, _, words in found]
            tokens = [
                {"level": int(level), "id": anchor, "name": name}
                for (level, anchor, _), name in zip(found, names, strict=True)
            ]
            self.md.toc_tokens = nest_toc_tokens(tokens)  # type: ignore[arg-type,attr-defined]


class PageOfHtml(Extension):
    """The two, after white space is made alike and before HTML is read, and after the extension
    `toc`.
    """

    def extendMarkdown(self, md: Markdown) -> None:
        """Register both."""
        md.preprocessors.register(Whole(md), "whole", 29)
        md.treeprocessors.register(Contents(md), "contents", 4)


def makeExtension() -> PageOfHtml:
    """What Python-Markdown calls."""
    return PageOfHtml()
