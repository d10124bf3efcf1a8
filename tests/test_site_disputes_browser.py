"""Disputes as a reader meets them: settled by the keyboard, linked, walked back, filtered, and read
without the script.
"""

from __future__ import annotations

from typing import Any

import pytest

from oddtrick.rulings import engine as rulings

LEAD = "disputes/lead-out-of-turn/"
SETTLED = LEAD + "?code=royalton-1915&offender=adversary&followed-by=declarer"


def press(page: Any, words: str) -> None:
    """Go on with the Tab key to a button, and press it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if (
            page.evaluate("document.activeElement.tagName + document.activeElement.textContent")
            == "BUTTON" + words
        ):
            page.keyboard.press("Enter")
            return
    pytest.fail(f"the Tab key does not come to {words}")


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.textContent"))


def answer(page: Any) -> str:
    page.wait_for_selector(".settle[data-state=settled] .answer-said h3")
    return str(page.locator(".answer").inner_text())


def test_a_dispute_is_settled_by_keyboard_reloaded_and_walked_back(base: str, page: Any) -> None:
    page.goto(base + LEAD)
    page.locator("#settle").evaluate("e => { e.tabIndex = -1; e.focus(); }")
    press(page, "Royalton")
    page.wait_for_function("document.activeElement.tagName === 'LEGEND'")
    assert focused(page) == "Who did it?"
    press(page, "By an adversary of the declarer")
    page.wait_for_function("document.activeElement.textContent === 'Who has played to the lead?'")
    press(page, "The declarer has played next")
    said = answer(page)
    assert focused(page) == "The declarer has played next"
    assert "It stands. (61.1)" in said
    assert "Royalton, law 61 (1)" in said
    assert page.url == base + SETTLED
    page.reload()
    assert answer(page) == said
    page.go_back()
    page.wait_for_selector(".settle[data-state=open] .may li")
    assert page.url == base + LEAD + "?code=royalton-1915&offender=adversary"
    assert not page.locator(".answer").is_visible()
    page.go_back()
    page.wait_for_url(base + LEAD + "?code=royalton-1915")
    page.wait_for_function("document.querySelectorAll('.settle fieldset').length === 2")
    page.go_back()
    page.wait_for_url(base + LEAD)
    page.wait_for_function("document.querySelectorAll('.settle fieldset').length === 1")
    page.go_forward()
    page.go_forward()
    page.go_forward()
    assert answer(page) == said


def test_the_same_facts_are_judged_by_another_code(base: str, page: Any) -> None:
    facts = {"offender": "adversary", "followed-by": "declarer"}
    page.goto(base + SETTLED)
    answer(page)
    for code, short in (
        ("auction-1926", "Auction 1926"),
        ("bridge-elwell", "Bridge"),
        ("royalton-1915", "Royalton"),
    ):
        page.locator(".settle").get_by_role("button", name=short, exact=True).click()
        page.wait_for_url(f"**?code={code}&*")
        found = rulings.answer("lead-out-of-turn", code, (), facts)
        assert found.ruling is not None
        said = answer(page)
        assert f"Lead out of turn, {short}" in said
        assert all(
            rulings.remedy_words(r).lower() in said.lower() for r in found.ruling.remedies
        )  # a sentence begins large


def test_the_citation_and_the_link_are_copied(base: str, page: Any) -> None:
    page.goto(base + SETTLED)
    answer(page)
    page.get_by_role("button", name="Copy the citation").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "Royalton, law 61 (1)"
    page.get_by_role("button", name="Copy a link to this answer").click()
    page.wait_for_function(f"navigator.clipboard.readText().then(t => t === '{base}{SETTLED}')")
    page.locator(".answer-given a", has_text="61.1").click()
    page.wait_for_url("**/codes/royalton-1915/61/#1")


def test_an_option_of_the_code_is_asked_for_where_it_changes_the_law(base: str, page: Any) -> None:
    page.goto(base + "disputes/dummy-leaves-seat/?code=royalton-1915&option=no-open-hand")
    assert "It cannot arise under Royalton" in answer(page)
    page.get_by_role("button", name="As printed").click()
    page.wait_for_url("**option=none")
    assert "It cannot arise" not in answer(page)


def test_a_url_with_what_does_not_exist_asks_again(base: str, page: Any) -> None:
    page.goto(base + LEAD + "?code=royalton-1915&offender=toString&constructor=1")
    page.wait_for_selector(".settle[data-state=open] .may li")
    assert page.locator(".settle legend").last.inner_text() == "Who did it?"
    page.goto(base + LEAD + "?code=whist-1743")
    page.wait_for_selector(".settle[data-state=open]")
    assert page.locator(".settle fieldset").count() == 1


def test_the_catalogue_is_filtered_by_players_words(base: str, page: Any) -> None:
    page.goto(base + "disputes/")
    page.get_by_label("What happened?").fill("reneged")
    names = page.locator(".disputes li:visible a").all_inner_texts()
    assert "An established revoke" in names
    assert len(names) < 10
    assert "reneged" in " ".join(page.locator(".disputes li:visible .phrase").all_inner_texts())
    assert page.get_by_text(f"{len(names)} of {len(rulings.catalogue())}").count() == 1
    page.keyboard.press("Enter")
    assert focused(page) == names[0]
    page.get_by_label("What happened?").fill("zzzz")
    assert page.get_by_text("Nothing is found").is_visible()
    page.get_by_label("What happened?").fill("")
    assert page.locator(".disputes li:visible").count() == len(rulings.catalogue())


def test_the_cards_are_complete_without_javascript(base: str, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + LEAD)
    assert page.locator(".settle").is_hidden()
    assert page.locator(".ruling").count() > 10
    assert page.locator(".ruling").filter(has_text="It stands. (61.1)").is_visible()
    page.locator("details summary").first.click()
    assert page.locator("details li").first.is_visible()
    page.goto(base + "disputes/")
    assert page.locator(".dispute-filter").is_hidden()
    assert page.locator(".disputes li:visible").count() == len(rulings.catalogue())
    context.close()
