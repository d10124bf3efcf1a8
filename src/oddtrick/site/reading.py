"""What the theme's search has of a page, read from its HTML: its sections, each with the words of
its heading and those before the next.

Material's own reader goes through every page with Python's parser of HTML, which took a seventh of
the whole build. The pages are our own and plain, so that one expression finds their tags; what it
does not take in is left to Material's reader. What comes of both is the same to the letter, odd as
some of it is, and tests hold it so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.pages import Page

_TAG = re.compile(
    r"<(?P<code>script|style)\b[^>]*>.*?</(?P=code)\s*>"
    r"|<(?P<end>/?)(?P<name>[a-z][a-z0-9-]*)"
    r'(?P<said>(?:\s+[a-zA-Z][a-zA-Z0-9:-]*(?:="[^"]*")?)*)\s*(?P<alone>/?)>',
    re.DOTALL,
)
"""A tag; of what is no text the whole element."""

_SAID = re.compile(r'\s([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"]*)")?')
_STRANGE = re.compile(r"<[!?]|<(?:object|iframe|xmp|noembed|noframes|plaintext)\b", re.IGNORECASE)
"""Where other things than tags begin, and what is read otherwise than other elements."""

_EMPTY = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_KEPT = frozenset("p code pre li ol ul sub sup".split())
"""What stays a tag in the words of a section."""

_HEADINGS = frozenset(f"h{n}" for n in range(1, 7))
_FIRST = "hx"
"""The section before any heading."""

_OVER = float("inf")
"""The depth of a section to which nothing is added any more."""


class Section:
    """A heading and what stands before the next."""

    __slots__ = ("depth", "id", "left_out", "name", "text", "title")

    def __init__(self, name: str, depth: float = 0, left_out: bool = False) -> None:
        self.name, self.depth, self.left_out = name, depth, left_out
        self.title: list[str] = []
        self.text: list[str] = []
        self.id: str | None = None


def sections(html: str) -> list[Section] | None:
    """The sections of a page, those that are left out among them; `None` where its HTML is not
    plain.
    """
    if _STRANGE.search(html):
        return None
    reader = _Reader()
    at = 0
    for tag in _TAG.finditer(html):
        if tag.start() > at:
            words = html[at : tag.start()]
            if "<" in words:
                return None
            reader.words(unescape(words) if "&" in words else words)
        at = tag.end()
        code, end, name, said, alone = tag.groups()
        if name in ("script", "style"):  # without an end
            return None
        if not end:
            reader.begins(code or name, said or "")
        if end or alone or code:
            reader.ends(code or name)
    rest = html[at:]
    if "<" in rest or "&" in rest:
        return None
    if rest:
        reader.words(rest)
    return reader.found


class _Reader:
    """Where the reading of a page stands: `open` names the elements around, and `links` says of
    each whether it is the sign that links to a paragraph.
    """

    def __init__(self) -> None:
        self.found: list[Section] = []
        self.section: Section | None = None
        self.open: list[str] = []
        self.links: list[bool] = []
        self.skipped: set[str] = set()

    def begins(self, name: str, said: str) -> None:
        """The start of an element."""
        if name in _EMPTY:
            return
        plain = not said or ("data-search-exclude" not in said and "linenodiv" not in said)
        told = dict(_SAID.findall(said)) if name in _HEADINGS or not plain else {}
        self.open.append(name)
        self.links.append(name == "a" and ' class="headerlink"' in said)
        if name in _HEADINGS and "id" in told:
            if name != "h1" and not self.found:
                self.found.append(Section(_FIRST, len(self.open)))
            section = Section(name, len(self.open), "data-search-exclude" in told)
            if self.found:
                section.id = unescape(told["id"])
            self.found.append(section)
            self.section = section
        if self.section is None:
            self.section = Section(_FIRST)
            self.found.append(self.section)
        if not plain and ("data-search-exclude" in told or told.get("class") == "linenodiv"):
            self.skipped.add(name)
        elif name in _KEPT and self.skipped.isdisjoint(self.open):
            self._into(self.section).append(f"<{name}>")

    def ends(self, name: str) -> None:
        """The end of an element; of another than the last that began it is passed over."""
        section = self.section
        if not self.open or self.open[-1] != name or section is None:
            return
        depth = len(self.open)
        if section.depth > depth:
            for before in reversed(self.found):
                if before.depth <= depth:
                    section.depth = _OVER
                    self.section = section = before
                    break
        self.open.pop()
        self.links.pop()
        if name in self.skipped:
            self.skipped.remove(name)
        elif name in _KEPT and self.skipped.isdisjoint(self.open):
            told = self._into(section)
            begun = told.index(f"<{name}>")
            if all(words.isspace() for words in told[begun + 1 :]):
                del told[begun:]
            else:
                told.append(f"</{name}>")

    def words(self, words: str) -> None:
        """What stands between two tags."""
        if not self.skipped.isdisjoint(self.open):
            return
        if "pre" not in self.open:
            words = " " if words.isspace() else words.replace("\n", " ")
        if self.section is None:
            self.section = Section(_FIRST)
            self.found.append(self.section)
        told = self.section.text
        if self.section.name in self.open:
            if not any(self.links):
                self.section.title.append(escape(words, quote=False))
        elif not words.isspace():
            told.append(escape(words, quote=False))
        elif not told or not told[-1].isspace() or "pre" in self.open:
            told.append(words)

    def _into(self, section: Section) -> list[str]:
        return section.title if section.name in self.open else section.text


def entries(page: Page, found: Sequence[Section]) -> Iterator[dict[str, Any]]:
    """What the index has of the sections of a page."""
    search, tags = page.meta.get("search") or {}, page.meta.get("tags")
    beside = {"tags": [str(name) for name in tags if name]} if isinstance(tags, list) else {}
    beside |= {"boost": search["boost"]} if "boost" in search else {}
    for section in (s for s in found if not s.left_out):
        title = section.title or [str(page.meta.get("title", page.title))]
        yield {
            "location": page.url + (f"#{section.id}" if section.id else ""),
            "title": "".join(title).strip(),
            "text": "".join(section.text).strip(),
            **beside,
        }


class Reading(BasePlugin):  # type: ignore[no-untyped-call,type-arg]
    """Reads the plain pages before Material's search does, which it has pass them over, and puts
    them into its index.
    """

    def __init__(self) -> None:
        self.read: dict[str, list[dict[str, Any]] | None] = {}

    @event_priority(100)
    def on_page_context(self, _: Any, *, page: Page, **__: Any) -> None:
        """Read a page; the order in which they come is that of the index."""
        search = page.meta.get("search") or {}
        if search.get("exclude"):
            return
        found = sections(page.content or "")
        self.read[page.url] = None if found is None else list(entries(page, found))
        if found is not None:
            page.meta["search"] = {**search, "exclude": True}

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the index, in which Material's search has the other pages."""
        path = Path(config.site_dir, "search", "search_index.json")
        index = json.loads(path.read_text("utf-8"))
        theirs: dict[str, list[dict[str, Any]]] = {}
        for entry in index["docs"]:
            theirs.setdefault(entry["location"].partition("#")[0], []).append(entry)
        index["docs"] = [
            entry
            for url, ours in self.read.items()
            for entry in (theirs.get(url, []) if ours is None else ours)
        ]
        path.write_text(json.dumps(index, separators=(",", ":"), default=str), "utf-8")
