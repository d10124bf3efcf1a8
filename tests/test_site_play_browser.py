"""Stepping through a play and filtering the gallery as a reader does, with the keyboard and with
the mouse, and without JavaScript.
"""

from typing import Any

from playwright.sync_api import expect

RUBBER = "records/made-up-rubber-1912/"


def first(page: Any, selector: str) -> Any:
    return page.locator(".deal").first.locator(selector)


def hand(page: Any, seat: str) -> str:
    """The cards that a hand of the first deal still shows."""
    return str(first(page, f".hand-{seat}").inner_text())


def on_the_table(page: Any) -> list[str]:
    return [t.strip() for t in first(page, ".slot.card").all_text_contents()]


def test_a_play_is_stepped_through_with_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + RUBBER)
    now = first(page, ".now")
    assert now.inner_text() == "East leads to the first trick."
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('stepper')"):
            break
    page.keyboard.press("ArrowRight")
    assert on_the_table(page) == ["♥2"]
    assert "two of hearts. South to play." in now.inner_text()
    assert "J 6 5 4\n" in hand(page, "east")
    assert first(page, ".hand.to-play .seat b").inner_text() == "South"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert sorted(on_the_table(page)) == sorted(["♥9", "♥2", "♥3", "♥A"])
    assert first(page, ".slot.won").text_content() == "♥A"
    assert "West wins the trick. West leads next." in now.inner_text()
    assert first(page, ".count b").all_inner_texts() == ["0", "1"]
    page.keyboard.press("Shift+ArrowRight")
    assert first(page, ".count b").all_inner_texts() == ["0", "2"]
    assert first(page, "tr.current th").inner_text() == "2"
    page.keyboard.press("ArrowLeft")
    assert len(on_the_table(page)) == 3
    page.keyboard.press("Shift+ArrowLeft")
    assert first(page, "tr.current th").inner_text() == "1"
    page.keyboard.press("End")
    assert first(page, "[data-card]:not([hidden])").count() == len(
        first(page, "td[data-card]").all()
    )  # the table's alone
    assert first(page, ".count b").all_inner_texts() == ["11", "2"]
    assert "The record of the play ends here." in now.inner_text()
    page.keyboard.press("ArrowRight")
    assert "Trick 13" in now.inner_text()
    page.keyboard.press("Home")
    assert "Q J 10 8 7 2" in hand(page, "north")
    assert on_the_table(page) == []


def test_a_play_is_stepped_through_with_buttons(page: Any, base: str) -> None:
    page.goto(base + RUBBER)
    first(page, ".steps button").nth(4).click()
    first(page, ".steps button").nth(3).click()
    assert on_the_table(page) == ["♣A"]
    first(page, ".steps button").nth(1).click()
    assert first(page, "tr.current th").inner_text() == "1"
    first(page, ".steps button").last.click()
    assert "ends here" in first(page, ".now").inner_text()
    assert (
        page.locator(".deal").nth(1).locator("tr.current").count() == 0
    )  # the other deals stay as they were


def test_cards_that_the_record_leaves_out_are_said_to_be(page: Any, base: str) -> None:
    page.goto(base + "records/lenz-p026-hearts-once/")
    page.locator(".stepper").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert "West plays a card that is not recorded" in first(page, ".now").inner_text()
    assert first(page, ".hand-west .left").inner_text() == "11 of these"
    assert "–" in on_the_table(page)
    page.keyboard.press("ArrowRight")
    assert "who wins the trick is not recorded" in first(page, ".now").inner_text()


def test_the_gallery_is_filtered_by_code(page: Any, base: str) -> None:
    page.goto(base + "records/")
    assert page.locator(".gallery-code:visible").count() > 1
    page.locator(".filter a[data-code='contract-1927']").focus()
    page.keyboard.press("Enter")
    shown = page.locator(".gallery-code:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_have_attribute("data-code", "contract-1927")
    page.wait_for_url("**/records/#contract-1927")
    page.reload()
    expect(shown).to_have_count(1)
    page.go_back()
    expect(shown).to_have_count(page.locator(".gallery-code").count())
    page.get_by_role("link", name="The jettisoned king").click()
    page.wait_for_url("**/records/lenz-p042-jettisoned-king/")


def test_a_page_on_paper_shows_the_whole_hands(page: Any, base: str) -> None:
    page.goto(base + RUBBER)
    page.locator(".stepper").first.focus()
    page.keyboard.press("End")
    page.emulate_media(media="print")
    assert "Q J 10 8 7 2" in hand(page, "north")
    assert not first(page, ".stepper").is_visible()
