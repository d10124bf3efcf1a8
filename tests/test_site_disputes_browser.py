"""Disputes as a reader meets them: described in his own words, settled by the keyboard, linked,
undone, and read without the script.
"""

from typing import Any

import pytest

from conftest import copied, touch
from oddtrick.book.disputes import find
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as words_of

LEAD = "disputes/lead-out-of-turn/"
SETTLED = LEAD + "?code=royalton-1915&offender=adversary&followed-by=declarer"


def press(page: Any, words: str) -> None:
    """Move to a button with the Tab key, and press it."""
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


def gives(said: str, remedy: Remedy) -> bool:
    """Whether an answer provides a remedy: what is done, or what its chooser may do."""
    forms = [f(remedy).lower() for f in (words_of.remedy_words, words_of.may_words)]
    return any(form and form in said.lower() for form in forms)


def test_a_dispute_is_settled_by_keyboard_reloaded_and_walked_back(base: str, page: Any) -> None:
    page.goto(base + LEAD)
    page.locator("#settle").evaluate("e => { e.tabIndex = -1; e.focus(); }")
    press(page, "Royalton")
    page.wait_for_function("document.activeElement.tagName === 'LEGEND'")
    assert focused(page) == "Who committed the irregularity?"
    press(page, "The player is an adversary of the declarer")
    page.wait_for_function("document.activeElement.textContent === 'Who has played to the lead?'")
    press(page, "The declarer has played next")
    said = answer(page)
    assert focused(page) == "The declarer has played next"
    assert "The lead stands (61.1)." in said
    assert "Royalton, law 61 (1)" in said
    page.wait_for_url(base + SETTLED)
    page.reload()
    assert answer(page) == said
    page.go_back()
    page.wait_for_selector(".settle[data-state=open] .may li")
    page.wait_for_url(base + LEAD + "?code=royalton-1915&offender=adversary")
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
        ("bridge-elwell", "Elwell 1905"),
        ("royalton-1915", "Royalton"),
    ):
        page.locator(".settle").get_by_role("button", name=short, exact=True).click()
        page.wait_for_url(f"**?code={code}&*")
        found = rulings.answer("lead-out-of-turn", code, (), facts)
        assert found.ruling is not None
        said = answer(page)
        assert f"Lead out of turn, {short}" in said
        assert all(gives(said, r) for r in found.ruling.remedies)


def test_the_citation_and_the_link_are_copied(base: str, page: Any) -> None:
    page.goto(base + SETTLED)
    answer(page)
    page.get_by_role("button", name="Copy the citation").click()
    page.get_by_text("Copied.").wait_for()
    assert copied(page) == "Royalton, law 61 (1)"
    page.get_by_role("button", name="Copy a link to this answer").click()  # and said as before
    page.wait_for_function(f"navigator.clipboard.readText().then(t => t === '{base}{SETTLED}')")
    page.locator(".answer-given a", has_text="61.1").click()
    page.wait_for_url("**/codes/royalton-1915/61/#1")


def test_a_link_with_all_answers_opens_at_the_ruling(base: str, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(base + SETTLED)
    answer(page)
    page.wait_for_function("scrollY > 0")
    heading = page.locator(".answer-said h3").bounding_box()
    assert 0 < heading["y"] < 200
    tools = page.locator(".answer .answer-tools").bounding_box()
    law = page.locator(".answer h4").first.bounding_box()
    assert tools["y"] < law["y"]
    assert law["y"] < page.locator(".settle [data-fact=code]").bounding_box()["y"]
    first = page.locator(".of-code[open] .ruling").first  # the case that fits stands first
    assert "The lead stands (61.1)." in first.inner_text()
    page.emulate_media(media="print")  # the answer alone
    assert page.locator(".answer-said, .answer-rest").evaluate_all(
        "all => all.every(a => a.offsetHeight)"
    )
    assert page.locator(".dispute-code, .answered, .asked").evaluate_all(
        "all => all.every(a => !a.offsetHeight)"
    )
    page.emulate_media(media="screen")


def test_an_option_of_the_code_is_asked_for_where_it_changes_the_law(base: str, page: Any) -> None:
    page.goto(base + "disputes/dummy-leaves-seat/?code=royalton-1915&option=no-open-hand")
    assert "It cannot arise under Royalton" in answer(page)
    page.get_by_role("button", name="As printed").click()
    page.wait_for_url("**option=none")
    assert "It cannot arise" not in answer(page)


def test_a_url_with_what_does_not_exist_asks_again(base: str, page: Any) -> None:
    page.goto(base + LEAD + "?code=royalton-1915&offender=toString&constructor=1")
    page.wait_for_selector(".settle[data-state=open] .may li")
    assert page.locator(".asked legend").last.inner_text() == "Who committed the irregularity?"
    page.goto(base + LEAD + "?code=whist-1743")
    page.wait_for_selector(".settle[data-state=open]")
    assert page.locator(".settle fieldset").count() == 1


STORY = (
    "I was declarer in four hearts. In the middle of the hand the lady on my left led a club out of "
    "turn, though her partner had won the trick, and nobody had played to it."
)


def test_a_dispute_is_told_asked_ruled_and_cited_by_keyboard(base: str, page: Any) -> None:
    page.goto(base + "disputes/")
    page.get_by_label("Under which code?").select_option("auction-1926")
    page.get_by_label("What happened?").focus()
    page.keyboard.type("13 tricks")
    page.keyboard.press("Enter")  # no dispute: nothing is opened, and the words stay
    page.get_by_text("Nothing fits these words well").wait_for()
    page.get_by_label("What happened?").fill("")
    page.keyboard.type(STORY)
    page.locator(".found", has_text="the player is an adversary of the declarer").wait_for()
    same = [book().irregularities[f.irregularity].label for f in find(STORY, "auction-1926").found]
    assert page.locator(".found a").all_inner_texts() == same
    assert page.locator(".disputes li:visible").count() == len(rulings.catalogue())
    page.keyboard.press("Enter")
    said = answer(page)
    facts = {"offender": "adversary", "followed-by": "nobody"}
    assert f"{base}{LEAD}?code=auction-1926&" in page.url
    assert page.locator(".from-words").count() == len(facts)
    found = rulings.answer("lead-out-of-turn", "auction-1926", (), facts)
    assert found.ruling is not None
    assert all(gives(said, r) for r in found.ruling.remedies)
    assert "Auction 1926, law 34" in said
    assert page.locator(".you-said").get_by_text(STORY).is_visible()
    page.get_by_text("Not this? Four others").press("Enter")
    assert page.locator(".you-said li a").all_inner_texts() == same[1:5]
    assert page.locator(".of-code[open]").count() == 1  # tonight's code
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="All three other players have played to the lead").click()
    page.wait_for_url("**followed-by=all*")
    assert page.locator(".from-words").count() == 1
    page.goto(base + "disputes/?find=we+had+to+stop+before+the+rubber+was+finished")
    page.locator(".found a").first.click()  # the topic that may answer the question is kept
    page.get_by_text("Not this? Four others").press("Enter")
    page.locator(".you-said li").get_by_role("link", name="The unfinished rubber").press("Enter")
    page.wait_for_url("**/topics/unfinished-rubber/")
    page.goto(base + "disputes/revoke/")  # tonight's code is remembered, and one in the URL wins
    page.wait_for_selector(".settle [value=auction-1926][aria-pressed=true]")
    page.goto(base + "disputes/revoke/?code=royalton-1915")
    page.wait_for_selector(".settle [value=royalton-1915][aria-pressed=true]")


def test_a_dispute_is_told_asked_ruled_and_cited_by_touch(base: str, phone: Any) -> None:
    phone.goto(base)
    phone.select_option("#h-code", "auction-1926")
    phone.fill("#h-words", "13 tricks")
    phone.press("#h-words", "Enter")
    phone.get_by_text("Nothing fits these words well").wait_for()
    phone.locator(".h-status").get_by_role("link", name="What does it score?").tap()
    phone.wait_for_url("**/score/#*tricks=13")
    phone.go_back()
    phone.fill("#h-words", "he led out of turn")
    phone.press("#h-words", "Enter")
    phone.wait_for_url("**/disputes/lead-out-of-turn/?code=auction-1926*")
    asks = phone.get_by_role("button", name="The player is an adversary of the declarer")
    assert asks.bounding_box()["y"] < 844
    touch(asks)
    touch(phone.get_by_role("button", name="All three other players have played to the lead"))
    assert "The lead stands" in answer(phone)
    touch(phone.get_by_role("button", name="Copy the citation"))
    phone.get_by_text("Copied.").wait_for()
    assert copied(phone).startswith("Auction 1926, law 34")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_is_no_dispute_is_sent_on_and_what_fits_nothing_is_told(base: str, page: Any) -> None:
    page.goto(base + "disputes/?find=how+much+is+a+little+slam+worth")
    page.locator(".dispute-filter").get_by_role("link", name="Slams").wait_for()
    page.get_by_label("What happened?").fill("zzzz")
    page.get_by_text("Nothing was found for that").wait_for()
    assert page.locator(".found li").count() == 0
    page.get_by_label("What happened?").fill("he bid one heart over one spade at Royalton")
    assert page.get_by_label("Under which code?").input_value() == "royalton-1915"
    page.get_by_label("Under which code?").select_option("bridge-elwell")
    page.get_by_text("It cannot arise under Elwell 1905.").first.wait_for()
    never = page.locator(".found li", has_text="cannot arise").all_inner_texts()
    assert any("Insufficient bid" in line for line in never)
    assert page.locator(".found li").all_inner_texts()[-len(never) :] == never
    page.get_by_label("What happened?").fill("13 tricks")
    page.get_by_text("Nothing fits these words well").wait_for()
    for words, first in (
        ("they bid eight clubs", "Impossible bid"),
        ("4 hearts, chicane, just made", "What does it score?"),
        ("4 hearts doubled just made plus chicane", "What does it score?"),
    ):
        page.get_by_label("Under which code?").select_option("auction-1912")
        page.get_by_label("What happened?").fill(words)
        page.locator(".found li").first.get_by_role("link", name=first).wait_for()
    page.get_by_label("Under which code?").select_option("bridge-elwell")
    page.get_by_label("What happened?").fill("13 tricks")
    page.get_by_text("Nothing fits these words well").wait_for()
    page.locator(".found a").first.click()  # the dispute opened says so too
    page.locator(".you-said").get_by_text("Nothing fits these words well").wait_for()


def test_the_cards_are_complete_without_javascript(base: str, plain: Any) -> None:
    plain.goto(base + LEAD)
    assert plain.locator(".settle").is_hidden()
    assert plain.locator(".ruling").count() > 10
    assert plain.locator(".ruling").filter(has_text="The lead stands (61.1).").first.is_visible()
    plain.locator(".law-words summary").first.click()
    assert plain.locator(".law-words li").first.is_visible()
    plain.goto(base + "disputes/")
    assert plain.locator(".dispute-filter").is_hidden()
    assert plain.locator(".disputes li:visible").count() == len(rulings.catalogue())
