"""The first page, the pages of the codes and paper, in Debian's Chromium."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("width", [1280, 390])
def test_the_line_of_time_fits_the_window_and_its_names_do_not_touch(
    base: str, page: Any, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(base)
    boxes = [t.bounding_box() for t in page.locator(".drawing .d-name, .drawing .d-note").all()]
    assert all(b["x"] >= 0 and b["x"] + b["width"] <= width for b in boxes)
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart = (
                a["x"] + a["width"] <= b["x"]
                or b["x"] + b["width"] <= a["x"]
                or a["y"] + a["height"] <= b["y"] + 4
                or b["y"] + b["height"] <= a["y"] + 4
            )
            assert apart, (a, b)
    smallest = min(b["height"] for b in boxes)
    assert smallest >= 11


def test_a_code_and_a_door_are_reached_by_keyboard(base: str, page: Any) -> None:
    page.goto(base)
    for goal in ("codes/contract-1927/", "compare/"):
        page.goto(base)
        for _ in range(60):
            page.keyboard.press("Tab")
            if (
                page.evaluate(
                    "document.activeElement.closest('.d-figure, .h-doors') && (document.activeElement.href.baseVal ?? document.activeElement.getAttribute('href'))"
                )
                == goal
            ):
                break
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/{goal}")


def test_the_whole_card_of_a_door_answers(base: str, page: Any) -> None:
    page.goto(base)
    words = page.locator(
        ".h-door p"
    ).first  # the link lies over them: the pointer meets it, not them
    words.scroll_into_view_if_needed()
    box = words.bounding_box()
    goal = page.locator(".h-door h2 a").first.get_attribute("href")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(f"**/{goal}")


def test_on_a_phone_the_first_screen_asks_and_remembers_the_code_of_tonight(
    base: str, phone: Any
) -> None:
    page = phone
    page.goto(base)
    page.select_option("#h-code", "royalton-1915")
    shown = page.locator("#h-words, #h-code, .h-ask button, .h-tonight, .h-door")
    assert all(b["y"] + b["height"] <= 844 for b in (x.bounding_box() for x in shown.all()))
    page.reload()
    assert page.input_value("#h-code") == "royalton-1915"
    page.get_by_role("link", name="How an evening goes").click()
    page.wait_for_url("**/codes/royalton-1915/evening/")
    page.goto(base + "score/")
    page.wait_for_selector(".sc-account table")
    assert page.input_value("[name=code]") == "royalton-1915"
    page.goto(base + "check/")
    expect(page.locator(".table-code")).to_have_value("royalton-1915")
    assert page.input_value("#check-text") == ""  # nothing is written before a card is
    page.select_option(".table-code", "contract-1927")
    page.goto(base)
    assert page.input_value("#h-code") == "contract-1927"


def test_the_first_page_and_a_code_are_read_without_javascript(base: str, plain: Any) -> None:
    plain.goto(base)
    assert plain.locator(".drawing").is_visible()
    assert plain.locator(".h-codes > li").count() == plain.locator(".drawing a").count()
    plain.goto(base + "codes/auction-1912/whole/#84.b")
    assert plain.locator('[id="84.b"]').is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_code_is_printed_as_a_book_black_on_white(base: str, page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(base + "codes/auction-1912/whole/")
    paper = page.pdf(format="A4")
    sheets = len(re.findall(rb"/Type\s*/Page\b", paper))
    assert 8 <= sheets <= 20
    page.emulate_media(media="print", color_scheme=scheme)
    for gone in (".md-header", ".md-tabs", ".md-sidebar--primary", ".md-footer", ".w-link"):
        assert not page.locator(gone).first.is_visible(), gone
    ink, paper_colour = page.evaluate(
        "[getComputedStyle(document.querySelector('.w-par')).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (ink, paper_colour) == ("rgb(0, 0, 0)", "rgb(255, 255, 255)")
    assert page.evaluate("getComputedStyle(document.querySelector('.w-code')).columnCount") == "2"


def test_a_law_is_printed_without_what_belongs_to_the_screen(base: str, page: Any) -> None:
    page.goto(base + "codes/auction-1912/84/")
    page.emulate_media(media="print", color_scheme="dark")
    for gone in (".md-header", "nav.turn", ".cite-row", ".headerlink"):
        assert not page.locator(gone).first.is_visible(), gone
    assert page.locator(".restatement").first.is_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.restatement')).color")
        == "rgb(0, 0, 0)"
    )
