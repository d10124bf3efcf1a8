"""The pages of reference and of rules as a reader meets them: linked, readable without the script,
no wider than the window.
"""

from typing import Any


def test_a_finding_is_followed_to_its_line_its_law_and_its_dispute(base: str, page: Any) -> None:
    page.goto(base + "rules/")
    page.get_by_role("link", name="Insufficient bid", exact=True).click()
    page.wait_for_url("**/rules/declaring.insufficient-bid/")
    page.locator(".example").first.get_by_role("link", name="line 6").click()
    page.wait_for_url("**#line-6")
    assert page.locator("#line-6 mark").inner_text() == "1 club"
    page.locator("dl.behind").get_by_role("link", name="44", exact=True).click()
    page.wait_for_url("**/codes/auction-1912/44/")
    page.go_back()
    page.get_by_role("paragraph").filter(has_text="What each code provides").get_by_role(
        "link"
    ).click()
    page.wait_for_url("**/disputes/insufficient-bid/")


def test_the_first_column_stays_while_a_table_scrolls_by_the_keyboard(base: str, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(base + "figures/")
    table = page.locator(".cmp-scroll").first
    before = page.locator(".cmp-table tbody th").first.bounding_box()["x"]
    table.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.cmp-scroll').scrollLeft > 50")
    assert abs(page.locator(".cmp-table tbody th").first.bounding_box()["x"] - before) < 2


def test_a_term_of_a_law_leads_to_the_glossary(base: str, page: Any) -> None:
    page.goto(base + "codes/auction-1912/88/")
    term = page.locator("a.term").first
    name = term.get_attribute("href").partition("#")[2]
    term.click()
    page.wait_for_url(f"**/glossary/#{name}")
    assert page.locator(f"#{name}").is_visible()
