"""Topics as a reader meets them: readable without the script, aligned when wide, stacked when
narrow, two codes highlighted.
"""

from itertools import pairwise
from typing import Any

PAGE = "topics/revoke-penalty/"


def tops(page: Any, text: str) -> list[float]:
    return [
        b["y"]
        for b in (cell.bounding_box() for cell in page.locator(".topic-cell", has_text=text).all())
        if b
    ]


def test_a_topic_is_read_without_the_script(base: str, plain: Any) -> None:
    plain.goto(base + PAGE)
    assert plain.get_by_text("which go from the revoking player").is_visible()
    assert plain.get_by_text("keeps the two tricks and charges 100").is_visible()


def test_wide_cards_are_aligned_by_rule_and_narrow_ones_stacked(page: Any, base: str) -> None:
    page.goto(base + PAGE)
    # the first of each: behind them are the laws of the ancestors
    wide = [tops(page, law)[0] for law in ("law 96", "law 101 (c)", "law 84 (c)")]
    assert len(wide) == 3
    assert max(wide) - min(wide) < 1
    page.goto(f"{base}{PAGE}#rule-further-revokes")
    edge = "element => element.getBoundingClientRect().%s"
    band = page.locator(".topic-band", has_text="Further revokes").evaluate(edge % "top")
    assert page.locator(".topic-heads").evaluate(edge % "bottom") <= band
    page.set_viewport_size({"width": 390, "height": 844})
    narrow = [c.bounding_box() for c in page.locator(".topic-card").all()]
    assert all(a["y"] + a["height"] <= b["y"] for a, b in pairwise(narrow))


def test_two_codes_are_compared_by_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + PAGE)
    page.get_by_role("link", name="Compare two codes on this").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{PAGE}#compare")
    page.get_by_role("link", name="Auction 1912 and Royalton", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare/auction-1912--royalton-1915/#revoke-penalty")
    topic = page.locator("#revoke-penalty + .cmp-topic")
    assert "150" in topic.locator("del").all_inner_texts()
    assert "100" in topic.locator("ins").all_inner_texts()
    line = "getComputedStyle(document.querySelector('.cmp-topic %s')).textDecorationStyle"
    assert [page.evaluate(line % tag) for tag in ("del", "ins")] == ["dashed", "solid"]


def test_one_topic_of_two_codes_is_printed_alone(page: Any, base: str) -> None:
    page.goto(base + "compare/auction-1912--royalton-1915/#revoke-penalty")
    topic = page.locator("#revoke-penalty + .cmp-topic")
    topic.get_by_label("Print only this").focus()
    page.keyboard.press("Space")
    assert page.locator(".cmp-topic:visible").count() > 1
    page.emulate_media(media="print")
    assert page.locator(".cmp-topic:visible").count() == 1
    assert [h.get_attribute("id") for h in page.locator("h3:visible").all()] == ["revoke-penalty"]
    page.emulate_media(media="screen")
