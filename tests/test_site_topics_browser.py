"""Topics as a reader meets them: read without the script, aligned when wide, stacked when narrow,
two codes marked.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from conftest import WHOLE
from oddtrick.book.compare import compare_topic, marked
from oddtrick.law.book import book

PAGE = "topics/revoke-penalty/"


def tops(page: Any, text: str) -> list[float]:
    return [
        b["y"]
        for b in (cell.bounding_box() for cell in page.locator(".topic-cell", has_text=text).all())
        if b
    ]


def test_a_topic_is_read_without_the_script(base: str, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + PAGE)
    assert page.get_by_text("which go from the revoking player").is_visible()
    assert page.get_by_text("keeps the two tricks and charges 100").is_visible()
    assert not page.locator(".topic-choose").is_visible()
    context.close()


def test_wide_cards_are_aligned_by_rule_and_narrow_ones_stacked(page: Any, base: str) -> None:
    page.goto(base + PAGE)
    # the first of each: behind them are the laws of the ancestors
    wide = [tops(page, law)[0] for law in ("law 96", "law 101 (c)", "law 84 (c)")]
    assert len(wide) == 3
    assert max(wide) - min(wide) < 1
    page.set_viewport_size({"width": 390, "height": 844})
    narrow = [c.bounding_box() for c in page.locator(".topic-card").all()]
    assert all(a["y"] + a["height"] <= b["y"] for a, b in pairwise(narrow))


def test_two_codes_are_marked_by_the_keyboard_and_shared_by_the_address(
    page: Any, base: str
) -> None:
    page.goto(base + PAGE)
    page.get_by_label("Mark what differs between").focus()
    page.keyboard.type("Auction 1912")
    page.keyboard.press("Tab")
    page.keyboard.type("Roy")
    page.wait_for_selector(".topic-law del")
    assert page.locator(".topic-card:visible").count() == 2
    assert "150" in page.locator(".topic-law .topic-card del").all_inner_texts()
    assert "100" in page.locator(".topic-law .topic-card ins").all_inner_texts()
    line = "getComputedStyle(document.querySelector('.topic-card %s')).textDecorationStyle"
    assert [page.evaluate(line % tag) for tag in ("del", "ins")] == ["dashed", "solid"]
    page.wait_for_url("**#auction-1912~royalton-1915")
    page.reload()
    page.wait_for_selector(".topic-law del")
    page.get_by_role("button", name="All codes").press("Enter")
    page.wait_for_function("!document.querySelector('.topic-law del')")
    assert page.locator(".topic-card:visible").count() == page.locator(".topic-card").count() > 2
    page.wait_for_url(base + PAGE)


def test_marks_leave_every_word_of_the_law(page: Any, base: str) -> None:
    texts = "[...document.querySelectorAll('.topic-text')].map((p) => p.textContent)"
    page.goto(base + PAGE)
    before = page.evaluate(texts)
    page.goto(base + PAGE + "#bridge-elwell~contract-1927")
    page.wait_for_selector(".topic-law del")
    assert page.evaluate(texts) == before


def test_the_script_marks_the_words_that_the_prebuilt_comparisons_mark(
    page: Any, base: str
) -> None:
    shown = """[...document.querySelectorAll('.topic-card:not([hidden])')].map((card) =>
        [...card.querySelectorAll('.topic-cell')].map((cell) =>
            [...cell.querySelectorAll('.topic-text')].flatMap((p) => [...p.childNodes].flatMap((n) =>
                n.textContent.split(/\\s+/).filter(Boolean).map((w) => [n.nodeName !== '#text', w])))))"""
    for topic in ("revoke-penalty", "lead-out-of-turn", "new-deal"):
        page.goto("about:blank")
        page.goto(f"{base}topics/{topic}/#auction-1912~auction-1926")
        page.wait_for_selector(".topic-two")
        mine, theirs = page.evaluate(shown)
        rows = compare_topic(topic, book().ids).rows
        for row, *cells in zip(rows, mine, theirs, strict=True):
            texts = [
                " ".join(t for _, t in row.cells.get(c, ()))
                for c in ("auction-1912", "auction-1926")
            ]
            runs = marked(*texts) if all(texts) else [[(False, text)] for text in texts]
            for own, cell in zip(runs, cells, strict=True):
                assert [tuple(w) for w in cell] == [(d, w) for d, r in own for w in r.split()], (
                    row.label
                )


def test_a_code_without_law_and_a_base_with_its_code_are_told(page: Any, base: str) -> None:
    page.goto(base + "topics/chicane/#bridge-elwell~royalton-1915")
    assert page.get_by_text("Only one of the two has law on this.").is_visible()
    assert page.get_by_text("Royalton: does not arise.").is_visible()
    page.goto(base + "topics/shuffle/#auction-1926~contract-1927")
    assert page.get_by_text("have one and the same law on this").is_visible()


def told(page: Any) -> str:
    return str(page.locator(".topic-told").text_content())


def choose(page: Any, one: str, other: str) -> None:
    page.locator(".topic-choose select[name=one]").select_option(one)
    page.locator(".topic-choose select[name=other]").select_option(other)


@pytest.mark.parametrize("topic", ["new-deal", "dummys-rights"])
def test_what_is_told_of_two_codes_does_not_hang_on_those_chosen_before(
    page: Any, base: str, topic: str
) -> None:
    pairs = list(pairwise(book().ids))[:: 1 if WHOLE else 2]
    fresh = {}
    for one, other in pairs:
        page.goto("about:blank")
        page.goto(f"{base}topics/{topic}/#{one}~{other}")
        fresh[one, other] = told(page)
    page.goto("about:blank")
    page.goto(f"{base}topics/{topic}/")
    assert all(fresh.values())
    for one, other in [*pairs, *reversed(pairs)]:
        choose(page, one, other)
        assert told(page) == fresh[one, other], (one, other)


def test_rules_that_two_codes_have_in_the_same_words_are_counted(page: Any, base: str) -> None:
    for topic in ("new-deal", "dummys-rights", "shuffle"):
        page.goto(f"{base}topics/{topic}/")
        for one, other in (
            ("auction-1912", "royalton-1915"),
            ("auction-1912", "auction-1926"),
            ("bridge-elwell", "auction-1912"),
        ):
            rows = [
                (r.cells.get(one), r.cells.get(other))
                for r in compare_topic(topic, book().ids).rows
            ]
            same = sum(
                bool(a and b) and [t for _, t in a or ()] == [t for _, t in b or ()]
                for a, b in rows
            )
            words = (
                f"The same in both: {'one rule' if same == 1 else f'{same} rules'}. "
                if same
                else ""
            )
            choose(page, one, other)
            assert (
                "".join(told(page).partition("The same in both")[1:]).removesuffix(
                    "The page of the two"
                )
                == words
            ), (topic, one, other)


def test_codes_neither_of_which_has_law_are_told(page: Any, base: str) -> None:
    page.goto(base + "topics/vulnerability/#bridge-elwell~auction-1912")
    assert told(page) == "Neither has law on this."
    choose(page, "bridge-elwell", "contract-1927")
    assert told(page) == "Only one of the two has law on this."
