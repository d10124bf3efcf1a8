"""Every kind of page for reading, without JavaScript: its content is there, and nothing that only a
script could use.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from test_site_pages_browser import PAGES

SCRIPTED = (".settle", ".dispute-filter", ".stepper .controls")
"""What a script replaces; without it, it is hidden."""

TOLD = {
    "codes/auction-1912/84/": "150 points",
    "topics/revoke-penalty/": "keeps the two tricks and charges 100",
    "compare/auction-1926--contract-1927/": "undertrick",
    "concordance/contract-1927--bridge-elwell/": "same subject, different rule",
    "disputes/lead-out-of-turn/": "If an adversary leads out of turn and the declarer follows",
    "records/made-up-rubber-1912/": "it has no royal spades",
    "rules/play.revoke/": "East plays ♣4",
    "decisions/": "he was the first to bid",
}
"""Words that a page must show, or contain in a fold that a reader can open."""

READ = sorted({*PAGES, *TOLD} - {"404.html", "check/"})


@pytest.fixture(scope="module")
def plain(browser: Any) -> Iterator[Any]:
    """A phone without JavaScript."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", READ)
def test_a_page_reads_without_javascript(base: str, plain: Any, path: str) -> None:
    plain.goto(base + path)
    assert plain.locator("h1").first.is_visible()
    text = plain.locator("article.md-content__inner").text_content()
    assert len(text.split()) > 25
    assert TOLD.get(path, "") in text
    assert [
        s for s in SCRIPTED if plain.locator(s).count() and plain.locator(s).first.is_visible()
    ] == []
