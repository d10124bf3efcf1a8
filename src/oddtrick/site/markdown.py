"""The extension of Python-Markdown (`mkdocs.yml` names it) that leaves a page of HTML as it is.

Without it such a page comes out the same, but for its table of contents, at the price of being
parsed twice.
"""

from __future__ import annotations

import re
from html import unescape
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.toc import nest_toc_tokens
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

_HEADING = re.compile(r'<h([1-6])[^>]*? id="([^"]+)"[^>]*>(.*?)</h\1>', re.DOTALL)
_ANCHOR = re.compile(r' id="([^"]+)"')
_UNNAMED = re.compile(r'<span.*?</span>|<a class="headerlink".*?</a>|<[^>]+>', re.DOTALL)
"""What a table of contents does not take of a heading: marks beside the words, the paragraph sign,
tags.
"""


class Whole(Preprocessor):
    """Takes a document that begins with a tag whole, before its white space is looked through."""

    text = ""

    def run(self, lines: list[str]) -> list[str]:
        """The lines as they are, or none where the document was taken."""
        text = "\n".join(lines).strip()
        self.text = text if text.startswith("<") else ""
        return [] if self.text else lines


class Stored(Preprocessor):
    """Stores such a document, as fenced code is stored."""

    def __init__(self, md: Markdown, whole: Whole) -> None:
        super().__init__(md)
        self.whole = whole

    def run(self, lines: list[str]) -> list[str]:
        """The lines as they are, or one that stands for the document."""
        return [self.md.htmlStash.store(self.whole.text)] if self.whole.text else lines


class Anchors(Treeprocessor):
    """Puts the anchors of such a document into the tree, where MkDocs looks for what can be linked
    to.
    """

    def run(self, root: Element) -> None:
        """Add an element for each."""
        for anchor in _ANCHOR.findall(_whole(self.md, root)):
            SubElement(root, "a", id=unescape(anchor))


class Contents(Treeprocessor):
    """Gives the headings of such a document to the table of contents, and takes the anchors out
    again.
    """

    def run(self, root: Element) -> None:
        """Replace the headings that were found in the tree by those of the HTML."""
        if text := _whole(self.md, root):
            del root[1:]
            tokens = [
                {
                    "level": int(level),
                    "id": anchor,
                    "name": " ".join(_UNNAMED.sub("", words).split()),
                }
                for level, anchor, words in _HEADING.findall(text)
            ]
            self.md.toc_tokens = nest_toc_tokens(tokens)  # type: ignore[arg-type,attr-defined]


def _whole(md: Markdown, root: Element) -> str:
    """The document that was stored whole; empty where there was none."""
    stored = md.htmlStash.rawHtmlBlocks
    alone = len(stored) == 1 and len(root) and root[0].text == md.htmlStash.get_placeholder(0)
    return str(stored[0]) if alone else ""


class PageOfHtml(Extension):
    """All of them: before anything is read, and about when the extension `toc` and MkDocs look."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register them."""
        whole = Whole(md)
        md.preprocessors.register(whole, "whole", 31)
        md.preprocessors.register(Stored(md, whole), "stored", 29)
        md.treeprocessors.register(Anchors(md), "anchors", 6)
        md.treeprocessors.register(Contents(md), "contents", 4)


def makeExtension() -> PageOfHtml:
    """What Python-Markdown calls."""
    return PageOfHtml()
