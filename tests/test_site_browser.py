"""The site as a reader meets it, in Debian's Chromium: wide and narrow, light and dark, with and
without JavaScript.
"""

from __future__ import annotations

from typing import Any

from oddtrick.book.write_citation import cite


def test_a_law_is_found_by_search_and_its_counterpart_followed(base: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(base)
    page.keyboard.press("s")
    page.keyboard.type("undertricks")
    page.wait_for_selector(".md-search-result__link")
    page.keyboard.press("Tab")
    hits = page.locator(".md-search-result__link").all_inner_texts()
    assert any("ndertrick" in h for h in hits[:3])
    page.goto(base + "codes/contract-1927/10/")
    page.get_by_role("link", name="auction-1926:38.b").first.click()
    page.wait_for_url("**/codes/auction-1926/38/#b")
    assert page.locator("#b").is_visible()
    context.close()


def test_the_law_is_read_without_javascript(base: str, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + "codes/auction-1912/44/")
    assert page.get_by_text("higher than one club").is_visible()
    page.goto(base + "records/lenz-p042-jettisoned-king/")
    assert page.get_by_text("Q 10 7 6 5 3").first.is_visible()
    context.close()


def test_a_citation_is_copied_and_said_to_be(page: Any, base: str) -> None:
    page.clock.install()
    page.goto(base + "codes/contract-1927/count.canadian/#3")
    cite = page.locator("details.cite", has_text="contract-1927:count.canadian.3")
    cite.locator("summary").click()
    cite.get_by_role("button", name="Copy the citation: Short").click()
    copied = cite.get_by_role("button", name="Copied the citation: Short")
    copied.wait_for()
    assert copied.inner_text() == "Copied"
    assert spoken(page) == "Copied the citation: Short"
    assert (
        page.evaluate("navigator.clipboard.readText()") == "Contract 1927, “The Canadian count” (3)"
    )
    page.clock.run_for(2000)
    assert cite.get_by_role("button", name="Copy the citation: Short").inner_text() == "Copy"
    assert spoken(page) == ""


def test_a_citation_that_may_not_be_copied_is_selected_and_said_to_be(page: Any, base: str) -> None:
    refuse_the_clipboard(page, base)
    page.goto(base + "codes/auction-1912/84/#b")
    fold = page.locator("details.cite", has_text="auction-1912:84.b")
    fold.locator("summary").click()
    fold.get_by_role("button", name="Copy the citation: In full").click()
    fold.get_by_role("button", name="Selected the citation: In full").wait_for()
    assert spoken(page) == "Selected the citation: In full"
    assert page.evaluate("getSelection().toString()") == cite("auction-1912:84.b", "full", base)


def test_the_link_of_a_law_is_whole_where_the_site_stands(page: Any, base: str) -> None:
    page.goto(base + "codes/auction-1912/84/")
    links = (
        page.locator(".cite-row", has=page.locator("dt", has_text="Link"))
        .locator("code")
        .all_text_contents()
    )
    assert links == [f"{base}codes/auction-1912/84/#{at}" for at in ("a", "b", "c", "1")]


def spoken(page: Any) -> str:
    """What a screen reader is told on a law's page."""
    return str(page.locator("body > [role=status]").text_content())


def refuse_the_clipboard(page: Any, base: str) -> None:
    """Let no page of the site write to the clipboard."""
    session = page.context.new_cdp_session(page)
    where = {
        "origin": base.rstrip("/"),
        "browserContextId": session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"],
    }
    session.send(
        "Browser.setPermission",
        {"permission": {"name": "clipboard-write"}, "setting": "denied", **where},
    )
