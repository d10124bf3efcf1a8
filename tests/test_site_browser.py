"""The site as a reader meets it, in Debian's Chromium: wide and narrow, light and dark, with and
without JavaScript.
"""

import re
from typing import Any

import pytest

from conftest import copied


@pytest.mark.parametrize("allowed", [True, False])
def test_a_citation_is_copied_and_said_to_be(page: Any, base: str, allowed: bool) -> None:
    if not allowed:
        refuse_the_clipboard(page, base)
    page.goto(base + "codes/contract-1927/count.canadian/#3")
    fold = page.locator(".provision", has_text="contract-1927:count.canadian.3")
    fold.locator("details.belongs > summary").click()
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print this law").click()
    assert page.evaluate("window.printed")
    fold.get_by_role("button", name="Copy the citation: Short").click()
    said = "Copied." if allowed else "The browser did not allow copying."
    fold.locator("[role=status]", has_text=said).wait_for()
    short = "Contract 1927, chapter XII, Canadian game (3)"
    if allowed:
        assert copied(page) == short
    fold.get_by_text(short, exact=True).first.click()  # a click selects the whole citation
    assert page.evaluate("getSelection().toString()").strip() == short


def test_a_folded_row_opens_for_a_link_into_it_without_scripts(plain: Any, base: str) -> None:
    plain.goto(base + "codes/auction-1926/43/#a.1-codes")
    assert plain.locator("details.belongs[open]").count() == 1
    assert plain.locator('[id="a.1-codes"]').is_visible()
    assert not plain.locator('[id="b-codes"]').is_visible()
    # The notes of a law stay folded on paper, so that it needs few sheets.
    plain.emulate_media(media="print")
    assert plain.locator('[id="a.1-codes"]').is_visible()
    assert not plain.locator('[id="b-codes"]').is_visible()
    assert not plain.locator('[id="a.1-cite"]').is_visible()
    plain.goto(base + "readings/")  # other folds open
    assert plain.locator("#topics .jump").is_visible()


def test_a_linked_clause_is_marked(page: Any, base: str) -> None:
    page.goto(base + "codes/auction-1912/84/#b")
    shadows = page.locator(".provision").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).boxShadow !== 'none')"
    )
    assert shadows == [False, True, False, False]


@pytest.mark.parametrize("law", ["auction-1912/86", "duplicate-1912/101", "bridge-1904/90"])
def test_a_law_is_printed_on_one_sheet(page: Any, base: str, law: str) -> None:
    page.goto(f"{base}codes/{law}/")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    page.emulate_media(media="print")
    assert page.locator(".law-source").is_visible()
    assert not page.locator(".facts").first.is_visible()


def refuse_the_clipboard(page: Any, base: str) -> None:
    """Prevent the pages of the site from writing to the clipboard."""
    session = page.context.new_cdp_session(page)
    where = {
        "origin": base.rstrip("/"),
        "browserContextId": session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"],
    }
    session.send(
        "Browser.setPermission",
        {"permission": {"name": "clipboard-write"}, "setting": "denied", **where},
    )
