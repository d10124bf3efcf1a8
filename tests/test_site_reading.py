"""What the search has of a page is what Material's own reader makes of it."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from material.plugins.search.plugin import SearchIndex
from mkdocs.structure.pages import Page

from oddtrick.law.yaml import read
from oddtrick.site.reading import Reading, entries, sections

DATA: Any = read((Path(__file__).parent / "site_reading.yaml").read_text("utf-8"))


def both(html: str, **meta: object) -> tuple[list[dict[str, Any]] | None, list[dict[str, Any]]]:
    """What is found here, `None` where it is left to Material's reader, and what that finds."""
    page: Any = SimpleNamespace(content=html, url="laws/", title="Laws", meta=meta, toc=[])
    index = SearchIndex()
    index.add_entry_from_context(page)
    found = sections(html)
    told: Page = page
    return (None if found is None else list(entries(told, found))), index.entries


@pytest.mark.parametrize("html", DATA["plain"])
def test_a_plain_page_is_read_as_material_reads_it(html: str) -> None:
    ours, theirs = both(html)
    assert ours == theirs


@pytest.mark.parametrize("html", DATA["strange"])
def test_what_is_no_plain_html_is_left_to_material(html: str) -> None:
    assert sections(html) is None


META = ({}, {"title": "A law"}, {"tags": ["revoke", ""]}, {"search": {"boost": 0.3}})


@pytest.mark.parametrize("meta", META, ids=str)
def test_title_tags_and_weight_of_a_page_go_with_its_sections(meta: dict[str, Any]) -> None:
    ours, theirs = both('<p>Before</p><h2 id="a">A</h2><p>After</p>', **meta)
    assert ours == theirs
    assert len(theirs) == 2


NAMES = ("p", "div", "span", "li", "ul", "pre", "code", "h1", "h2", "h3", "a", "section", "td")
SAID = (
    "",
    "",
    "",
    ' id="x"',
    ' id="y&amp;z"',
    ' data-search-exclude="true"',
    ' class="headerlink"',
)
WORDS = ("", " ", "\n  ", "a\nb", "&lt;i&gt; &amp;", "“§”", "<br>", '<svg viewBox="0 0"/>', "</p>")


def drawn(draw: random.Random, depth: int) -> str:
    parts = []
    for _ in range(draw.randint(1, 4)):
        parts.append(draw.choice(WORDS))
        if depth:
            name = draw.choice(NAMES)
            end = f"</{name}>" if draw.random() < 0.95 else ""
            parts.append(f"<{name}{draw.choice(SAID)}>{drawn(draw, depth - 1)}{end}")
    return "".join([*parts, draw.choice(WORDS)])


def test_pages_drawn_by_lot_are_read_as_material_reads_them() -> None:
    draw = random.Random(11)
    several = 0
    for _ in range(150):
        html = drawn(draw, draw.randint(1, 3)) + "<hr>"
        try:
            theirs = both(html)[1]
        except ValueError:  # Material's reader fails where a heading's end comes to a list's
            continue
        ours = both(html)[0]
        assert ours == theirs, html
        several += len(theirs) > 2
    assert several > 20


CONFIG = {"lang": ["en"], "separator": " ", "pipeline": [], "fields": {}}
PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "a/": ('<h1 id="a">A</h1><p>One</p><h2 id="b">B</h2>', {}),
    "b/": ('<h1 id="a">A</h1><!-- left to Material --><p>Two</p><h2 id="b">B</h2>', {}),
    "c/": ("<p>Not searched</p>", {"search": {"exclude": True}}),
    "d/": ("<p>Three</p>", {"search": {"boost": 2}}),
}


def test_the_index_has_the_pages_in_their_order_whoever_read_them(tmp_path: Path) -> None:
    alone, beside, reading = SearchIndex(**CONFIG), SearchIndex(**CONFIG), Reading()
    for url, (html, meta) in PAGES.items():
        page: Any = SimpleNamespace(content=html, url=url, title=url, meta=dict(meta), toc=[])
        alone.add_entry_from_context(page)
        reading.on_page_context({}, page=page)
        beside.add_entry_from_context(page)
    assert {entry["location"] for entry in beside.entries} == {"b/", "b/#b"}
    file = tmp_path / "search" / "search_index.json"
    file.parent.mkdir()
    file.write_text(beside.generate_search_index(None), "utf-8")
    config: Any = SimpleNamespace(site_dir=str(tmp_path))
    reading.on_post_build(config=config)
    assert file.read_text("utf-8") == alone.generate_search_index(None)
