"""Keeping a rubber as players do: by touch on a phone, by the keyboard on a desktop, and by a
shared link.
"""

from pathlib import Path
from typing import Any

import pytest

from conftest import copied, touch
from test_site_pages_browser import found_by_axe, prepare

PATIENCE = 120_000
PLAYERS = {"north": "Ann", "south": "Bob", "east": "Carl", "west": "Dora"}


KEPT = """code auction-1912
rubber
deal 1
declaration 1 heart by south
result made 1
honours north-south 0
end rubber
"""


def opens_what_it_keeps(page: Any, base: str) -> None:
    """The rubber that the browser stores is drawn when the page is opened; another can begin."""
    page.questions = []
    page.on(
        "dialog",
        lambda dialog: (
            page.questions.append(f"{dialog.message} {dialog.default_value}".strip()),
            dialog.accept(),
        ),
    )
    page.goto(f"{base}rubber/")
    page.evaluate("text => { localStorage['oddtrick.rubber'] = text; }", KEPT)
    page.reload()
    page.get_by_text("The rubber is being opened.").wait_for()
    assert page.locator(".kr-begin").is_hidden()
    assert page.locator(".kr-kept[inert] .kr-tools").count() == 1  # nothing can be saved yet
    deals(page, 1)
    page.locator(".kr-kept:not([inert])").wait_for()
    assert page.locator(".kr-tools").is_visible()
    touch(page.get_by_role("button", name="A new rubber"))
    assert page.questions == ["Begin a new rubber? This one will be lost unless you save it."]
    page.questions.clear()


def begins(page: Any, honours: str) -> None:
    page.select_option(".kr-begin [name=code]", "auction-1912")
    page.select_option(".kr-begin [name=honours]", label=honours)
    for seat, name in PLAYERS.items():
        page.fill(f".kr-begin [name={seat}]", name)


def deals(page: Any, number: int) -> None:
    """Wait until so many deals are drawn."""
    page.wait_for_function(
        "n => document.querySelectorAll('.kr-deals > li').length === n",
        arg=number,
        timeout=PATIENCE,
    )


def test_a_rubber_is_kept_edited_sent_printed_and_saved(
    phone: Any, base: str, built: Path, tmp_path: Path
) -> None:
    """By touch, each deal by its choices or in words; then by the keyboard, in the same page, since
    Python takes seconds to start. The figures are those of `test_site_rubber`.
    """
    if not (built / "rubber" / "index.html").is_file():
        pytest.skip("the site was built without npm's pyodide")
    page = phone
    opens_what_it_keeps(page, base)
    begins(page, "unknown unless noted")
    page.reload()  # before the rubber begins
    assert {s: page.input_value(f".kr-begin [name={s}]") for s in PLAYERS} == PLAYERS
    assert page.input_value(".kr-begin [name=honours]") == ""
    touch(page.get_by_role("button", name="Begin a rubber"))
    page.get_by_text("A rubber under Auction 1912 has begun.").wait_for(timeout=PATIENCE)
    page.wait_for_function("document.activeElement.name === 'number'")
    for name in ("number", "denomination", "declarer", "tricks"):
        value = {"number": "4", "denomination": "hearts", "declarer": "South", "tricks": "10"}[name]
        touch(page.locator(f".kr-deal [name={name}][value='{value}']"))
    assert page.inner_text(".kr-deal [name=declarer][value=South] + span") == "Bob"
    touch(page.get_by_role("button", name="Write it down"))
    deals(page, 1)
    without = "Without the honours of deal 1: the record does not say which honours were held."
    assert without in page.inner_text(".kr-paper")
    assert page.locator(".kr-sheet tfoot td").all_inner_texts() == ["32 + ?", "0 + ?"]
    paper, form = (page.locator(s).bounding_box() for s in (".kr-paper", ".kr-deal"))
    assert paper["y"] + paper["height"] <= form["y"] + 1  # the sheet is above the form
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert "4 hearts by Bob" in page.inner_text(".kr-deals")
    page.fill(".kr-deal [name=words]", "2 royals doubled by East, 9 tricks, no honours")
    touch(page.get_by_role("button", name="Write it down"))
    deals(page, 2)

    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Edit deal 1").press("Enter")
    page.wait_for_function("document.activeElement.name === 'number'")
    page.select_option(".kr-deal [name=honours]", "4 honours in one hand")
    assert page.locator(".kr-deal .kr-go").inner_text() == "Rewrite deal 1"
    page.locator(".kr-deal .kr-go").press("Enter")
    page.wait_for_function(
        "!document.querySelector('.kr-unknown') && document.querySelectorAll('.kr-deals > li').length === 2",
        timeout=PATIENCE,
    )
    assert page.locator(".kr-sheet tfoot td").all_inner_texts() == ["96", "154"]
    page.get_by_role("button", name="Edit deal 1").press(
        "Enter"
    )  # the choices are those of the deal
    entered = "[name=declarer]:checked, [name=tricks]:checked, [name=honours]"
    choices = page.locator(".kr-deal").locator(entered)
    assert choices.evaluate_all("all => all.map((one) => one.value)") == [
        "South",
        "10",
        "4 honours in one hand",
    ]
    page.get_by_role("button", name="Cancel", exact=True).press("Enter")
    assert page.locator(".kr-deal [name=tricks]:checked").count() == 0
    page.get_by_role("button", name="Copy a link").press("Enter")
    page.get_by_text("The link is on the clipboard.").wait_for()
    link = copied(page)
    assert "#" not in page.url  # a reload opens the stored rubber, not the one in the link
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
    page.get_by_role("button", name="Copy a link").press("Enter")
    page.wait_for_function("true")
    assert page.questions == ["The browser did not allow copying; copy the link from here: " + link]
    page.questions.clear()
    page.get_by_role("button", name="Remove deal 1").press("Enter")
    deals(page, 1)
    assert page.locator(".kr-link").inner_text() == ""  # it led to both deals
    page.wait_for_function("document.activeElement.textContent === 'Undo'")
    page.locator(":focus").press("Enter")
    deals(page, 2)
    touch(page.get_by_role("button", name="Insert a deal before deal 2"))
    assert page.locator(".kr-deal .kr-go").inner_text() == "Insert before deal 2"
    page.fill(".kr-deal [name=words]", "1 club by North, 7 tricks, no honours")
    touch(page.locator(".kr-deal .kr-go"))
    deals(page, 3)
    assert "1 club by Ann" in page.locator(".kr-deals > li").nth(1).inner_text()
    assert page.locator(".kr-deal .kr-go").inner_text() == "Write it down"
    for number in (3, 2):
        touch(page.get_by_role("button", name=f"Remove deal {number}"))
        deals(page, number - 1)
    page.goto("about:blank")
    page.goto(link)  # in place of the rubber stored in the browser
    assert page.locator(".kr-begin").is_hidden()
    deals(page, 2)
    assert page.locator(".kr-sheet tfoot td").all_inner_texts() == ["96", "154"]
    assert "#" not in page.url
    replaced = "Replace the rubber stored here with the one in the link?"
    assert page.questions == [replaced]

    assert page.locator(".md-top").count() == 0  # it would cover the form
    assert page.locator(".kr-tools").is_visible()

    page.emulate_media(media="print")
    assert not page.locator(".kr-forms").is_visible()
    assert not page.locator(".kr-tools").is_visible()
    assert page.locator(".kr-sheet").is_visible()
    page.emulate_media(media="screen")
    text = page.evaluate("localStorage['oddtrick.rubber']")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as .hand").press("Enter")
    way = tmp_path / "rubber.hand"
    saved.value.save_as(way)
    assert way.read_text("utf-8") == text
    page.get_by_role("button", name="A new rubber").press("Enter")
    assert page.evaluate("localStorage['oddtrick.rubber'] ?? null") is None
    page.set_input_files(".kr-begin [type=file]", way)
    deals(page, 2)
    page.fill(".kr-deal [name=words]", "4 hearts by South, 10 tricks, no honours")
    page.locator(".kr-deal [name=words]").press("Enter")
    deals(page, 3)
    assert page.locator(".kr-deal").is_hidden()  # the rubber is over; its deals can be edited
    assert page.evaluate("document.activeElement.matches('.kr-paper')")
    page.get_by_role("button", name="Edit deal 3").press("Enter")
    assert page.locator(".kr-deal").is_visible()
    page.get_by_role("button", name="A new rubber").press("Enter")
    passes_the_deal_to_the_left(page)


TWICE = """said => {
  const form = document.querySelector(".kr-deal");
  for (const words of said) {
    form.elements.words.value = words;
    form.requestSubmit();
  }
}"""
"""Writes deals in words, each before the one before is drawn."""


def passes_the_deal_to_the_left(page: Any) -> None:
    """Where the trump is made, the dealer plays the hand, and the player on his left deals next
    (Bridge 1904, law 34). The sheet of a rubber that is over comes into view on a phone.
    """
    page.set_viewport_size({"width": 390, "height": 844})
    page.select_option(".kr-begin [name=code]", "bridge-1904")
    touch(page.get_by_role("button", name="Begin a rubber"))
    page.get_by_text("A rubber under Bridge 1904 has begun.").wait_for()
    page.fill(".kr-deal [name=words]", "hearts, 8 tricks")
    touch(page.get_by_role("button", name="Write it down"))
    wrong = page.get_by_text("Who dealt? Write for example hearts by South, 10 tricks.")
    wrong.wait_for()
    box = wrong.bounding_box()
    assert box["y"] + box["height"] <= 844  # it is in view
    prepare(page)
    assert found_by_axe(page, ("light",)) == []
    page.evaluate(TWICE, ["spades dealt by South, 6 tricks, no honours", "the next deal"])
    deals(page, 1)
    assert page.input_value(".kr-deal [name=words]") == "the next deal"
    touch(page.get_by_role("button", name="Remove deal 1"))
    deals(page, 0)
    page.fill(".kr-deal [name=words]", "hearts by South, 13 tricks, no honours")
    for number, dealer in enumerate(("West", "North", "East"), 1):
        touch(page.get_by_role("button", name="Write it down"))
        deals(page, number)
        if number == 3:
            break
        chosen = page.locator(".kr-deal input:checked")
        values = chosen.evaluate_all("all => all.map((one) => [one.name, one.value])")
        assert values == [["doubled", ""], ["declarer", dealer]]
        page.check(".kr-deal [name=denomination][value=hearts]", force=True)
        touch(page.locator(f".kr-deal [name=tricks][value='{6 if number == 1 else 13}']"))
    page.locator(".kr-deal").wait_for(state="hidden")
    assert 0 <= page.locator(".kr-paper").bounding_box()["y"] < 300
