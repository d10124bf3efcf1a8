"""Rendering: finished HTML is passed by Markdown and comes back as it was, and the search sees what it is to see."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import markdown
import pytest
from mkdocs.config import load_config

from oddtrick.site import build as site
from oddtrick.site.render import anchors, put_back, searched, set_aside

FINISHED = {
    "a paragraph": "<p class='lede'>Words.</p>",
    "an element over several lines": "<details><summary>Cite</summary><pre>one\n  two</pre></details>",
    "an element with others of its name in it": "<div><div>a</div><div>b</div></div>",
    "two elements side by side": '<div class="state">a</div><details><summary>b</summary></details>',
    "two elements on two lines": "<p>a</p>\n<p>b</p>",
    "an element that the search leaves out": "<nav data-search-exclude><a href='x'>y</a></nav>",
}
UNFINISHED = {
    "an element with Markdown in it": '<p markdown="span">[a](b.md)</p>',
    "an element that ends later": "<div>a",
    "the end of an element": "</div>",
    "text after the element": "<p>a</p> and more",
    "text between two elements": "<p>a</p> and <p>b</p>",
    "an element in the line": "<code>a</code> is code",
    "an element in the line by itself": "<svg><title>a</title></svg>",
    "a paragraph that begins with a sign": "< than",
}


@pytest.mark.parametrize("block", FINISHED.values(), ids=FINISHED.keys())
def test_finished_html_is_set_aside_and_put_back(block: str) -> None:
    page = f"# Title\n\n{block}\n\nWords.\n"
    left, blocks = set_aside(page)
    assert blocks == [block]
    assert block not in left
    assert put_back(left, blocks) == page


@pytest.mark.parametrize("block", UNFINISHED.values(), ids=UNFINISHED.keys())
def test_what_markdown_must_read_stays(block: str) -> None:
    page = f"# Title\n\n{block}\n\nWords.\n"
    assert set_aside(page) == (page, [])


def test_a_page_that_shows_code_stays_as_it_is() -> None:
    page = "```html\n\n<p>a</p>\n\n```\n"
    assert set_aside(page) == (page, [])


def test_what_the_search_leaves_out_is_not_there_when_it_reads() -> None:
    page = "<p>seen</p>\n\n<p data-search-exclude>not seen</p>\n\n<div><p data-search-exclude>within</p></div>\n"
    left, blocks = set_aside(page)
    content = put_back(left, searched(blocks))
    assert "<p>seen</p>" in content
    assert "not seen" not in content
    assert "within" in content  # the search itself leaves that out


def test_the_anchors_of_a_block_are_told() -> None:
    assert anchors('<div id="a"><p class="x" id="b&amp;c">id="d"</p><p data-id="e"></p></div>') == [
        "a",
        "b&c",
    ]


class _Told(HTMLParser):
    """The tags and words of a page, without the space between them."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.told.append((tag, sorted((name, value or name) for name, value in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.told.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.told += data.split()


def told(html: str) -> list[Any]:
    """What a page says, as tags and words."""
    parser = _Told()
    parser.feed(html)
    return parser.told


@pytest.mark.parametrize(
    "name",
    [
        "codes/auction-1912/84.md",
        "topics/revoke-penalty.md",
        "compare/auction-1926--contract-1927.md",
        "rules/play.revoke.md",
        "glossary.md",
    ],
)
def test_a_page_is_what_markdown_alone_would_have_made_of_it(
    name: str, tmp_path: Path, pages: dict[str, str | bytes]
) -> None:
    config = load_config(str(site.config_file()), docs_dir=str(tmp_path))
    source = str(pages[name]).partition("\n---\n")[2]
    left, blocks = set_aside(source)
    assert blocks

    def converted(text: str) -> str:
        return markdown.Markdown(
            extensions=config["markdown_extensions"], extension_configs=config["mdx_configs"]
        ).convert(text)

    content = put_back(converted(left), blocks)
    assert not re.search("<!--finished", content)
    assert told(content) == told(converted(source))
