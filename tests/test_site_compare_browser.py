"""Comparison in the browser: choosing with the keyboard, and redirects."""

from typing import Any


def test_two_codes_and_a_topic_are_chosen_with_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + "compare/")
    page.get_by_text("The penalty for a revoke", exact=False).first.focus()
    page.locator("#revoke-penalty > summary").press("Enter")
    page.locator("#revoke-penalty").get_by_role("link", name="Auction 1912 and Auction 1926").press(
        "Enter"
    )
    page.wait_for_url("**/compare/auction-1912--auction-1926/#revoke-penalty")
    assert page.locator("#revoke-penalty").is_visible()


def test_a_link_to_a_topic_opens_its_pairs(page: Any, base: str) -> None:
    page.goto(base + "compare/#revoke-penalty")
    page.locator("#revoke-penalty[open]").wait_for()


def test_only_what_differs_is_shown_without_javascript(base: str, plain: Any) -> None:
    plain.goto(base + "compare/")
    plain.get_by_role("link", name="Auction 1912 and Auction 1926:").first.click()
    plain.wait_for_url("**/compare/auction-1912--auction-1926/")
    assert plain.locator(".cmp-same").first.is_visible()
    plain.get_by_label("Only what differs").focus()
    plain.keyboard.press("Space")
    assert not plain.locator(".cmp-same").first.is_visible()
    assert plain.locator(".cmp-substance").first.is_visible()
    plain.get_by_text("Go to a topic").click()
    plain.locator(".cmp-jump").get_by_role("link", name="Insufficient bid").click()
    plain.wait_for_url("**#insufficient-bid")


def test_codes_the_other_way_round_lead_to_the_comparison(page: Any, base: str, plain: Any) -> None:
    page.goto(base + "compare/auction-1926--auction-1912/#shuffle")
    page.wait_for_url("**/compare/auction-1912--auction-1926/#shuffle")
    plain.goto(base + "compare/auction-1926--auction-1912/")
    plain.get_by_role("link", name="The shuffle").click()
    plain.wait_for_url("**/compare/auction-1912--auction-1926/#shuffle")


def test_a_rule_of_the_lineage_is_followed_with_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + "lineage/")
    rule = page.locator(".lin-family a.d-row").first
    rule.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/topics/*/#rule-*")
