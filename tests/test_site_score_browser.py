"""Scoring a contract, keeping a rubber, and an evening on paper, as a player does it in Debian's
Chromium.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from conftest import copied
from lawbook import Rules, in_force, judged_codes
from oddtrick.judge.account import account
from oddtrick.report.contract_words import facts_under, read_contract
from oddtrick.site.calculator import score_json

PATIENCE = 120_000
"""Milliseconds that the first answer of Python may take on a busy machine."""

CASES = (
    ("auction-1912", "number=3&denomination=hearts&doubled=1&tricks=7&held=4-0&side=1&chicane=1-0",
     "3 hearts doubled, 7 tricks, 4 honours in one hand against, chicane"),
    ("contract-1927", "number=6&denomination=spades&tricks=12&games=1-1", "6 spades, 12 tricks, a game each"),
    ("royalton-1915", "number=3&denomination=nullo&tricks=3&ours=20", "3 nullo, 3 tricks, 20 below"),
    ("bridge-elwell", "denomination=clubs&doubled=3&tricks=5&theirs=24&games=0-1",
     "clubs doubled 3 times, 5 tricks, they have a game, their 24 below"),
    ("contract-1927", "option=vanderbilt&number=3&denomination=clubs&tricks=9", "3 clubs, 9 tricks"),
    ("auction-1908", "number=1&denomination=spades&doubled=2&tricks=2", "1 spade redoubled, 2 tricks"),
)  # fmt: skip


SHOWN = """() => [...document.querySelectorAll(".sc-account tbody tr")].map(({ cells: [, ...cells] }) => {
  const at = cells.findIndex((cell) => cell.textContent);
  return `${parseInt(cells[at].textContent)} ${cells.length === 1 ? "total" : ["trick", "honour"][at % 2]}`;
})"""
"""The points and the column of each entry of the account on the page."""


def points(words: str, law: Rules) -> list[str]:
    """The points of each entry of a contract in words."""
    told = account(facts_under(read_contract(words), law), law)
    return [f"{e.points} {e.column}" for e in told.entries]


def test_a_case_that_is_chosen_has_the_account_of_the_command(page: Any, base: str) -> None:
    page.goto(f"{base}score/")
    page.wait_for_selector(".sc-account details")
    wrong = []
    for code, chosen, words in CASES:
        page.goto(f"{base}score/#code={code}&{chosen}")
        law = in_force(code, parse_qs(chosen).get("option", []))
        name = str(score_json(law)["short"])
        page.locator(".sc-said", has_text=f"{name}: ").wait_for()
        shown = page.evaluate(SHOWN)
        if sorted(shown) != sorted(points(words, law)):
            wrong.append(f"{name}, {words}: {shown}, not {points(words, law)}")
    assert not wrong, "\n".join(wrong)
    hrefs = {a.get_attribute("href") for a in page.locator(".sc-account .laws a").all()}
    assert all(page.request.get(str(h)).ok for h in hrefs)


SAID = (
    ("auction-1912", "one spade doubled, three down", "1 spade doubled, 4 tricks"),
    ("contract-1927", "4 hearts redoubled, made 5, vul", "4 hearts redoubled, 11 tricks, vul"),
    ("royalton-1915", "2 nullo, one down", "2 nullo, 6 tricks"),
    ("royalton-1915", "3 royal spades just made", "3 royal spades, 9 tricks"),
    ("bridge-1904", "hearts, 9 tricks", "hearts, 9 tricks"),
)
"""Contracts as said on the home page, each with its number of tricks as printed laws count them."""


def test_a_contract_said_on_the_home_page_is_filled_in(page: Any, base: str) -> None:
    for code, said, words in SAID:
        page.goto(base)
        page.select_option("#h-code", code)
        page.fill("#h-words", said)
        page.get_by_text(
            "Opens the calculator with the contract and its result filled in."
        ).wait_for()
        page.press("#h-words", "Enter")
        page.wait_for_url("**/score/#*")
        page.locator(".sc-said", has_text=f"{score_json(in_force(code))['short']}: ").wait_for()
        assert sorted(page.evaluate(SHOWN)) == sorted(points(words, in_force(code))), said
    page.goto(base)
    page.fill("#h-words", "three down")  # no contract, but its result
    page.get_by_text("Opens the calculator with the contract and its result filled in.").wait_for()


def test_the_codes_stand_beside_each_other_and_are_chosen_by_keyboard(page: Any, base: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{base}score/")
    page.wait_for_selector(".sc-account details")
    assert page.locator(".sc-account details").count() == len(judged_codes())
    page.focus("[name=number]:checked")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**number=5*")
    page.focus(".sc-account summary >> nth=3")
    page.keyboard.press("Enter")
    assert page.locator(".sc-account details[open] table").is_visible()
    page.select_option("[name=code]", "auction-1926")
    page.get_by_text("Auction 1926: trick score").wait_for()
    shown = page.locator("[data-of=denomination] label:visible input")
    order = shown.evaluate_all("all => all.map((one) => one.value)")
    assert order == list(in_force("auction-1926").order())  # by rank, as on Check a hand
    page.select_option("[name=code]", "royalton-1915")
    page.get_by_text("Royalton: trick score 50").wait_for()
    page.select_option("[name=code]", "royalton-1915+no-open-hand")
    page.get_by_text("Royalton, without the open hand: trick score 50").wait_for()
    page.wait_for_url("**code=royalton-1915%2Bno-open-hand*")
    assert not page.locator("[data-of=held]").is_visible()
    page.select_option("[name=code]", "")
    page.wait_for_url("**#code=&*")
    shown = page.locator("[data-of=doubled] label:visible input")
    assert shown.evaluate_all("all => all.map((one) => one.value)") == list("01234")
    page.get_by_role("button", name="Copy a link").press("Enter")
    page.get_by_text("Copied.").wait_for()
    assert copied(page) == page.url


def test_an_evening_and_an_empty_sheet_are_each_one_page_of_paper(browser: Any, base: str) -> None:
    page, wrong = browser.new_page(), []
    for code in judged_codes():
        for name in ("evening", "sheet"):
            page.goto(f"{base}codes/{code}/{name}/")
            sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
            if sheets != 1:
                wrong.append(f"{code} {name}: {sheets}")
            page.evaluate("window.print = () => { document.title = 'printed'; }")
            page.get_by_role("button", name="Print this page").click()
            assert page.title() == "printed"
    page.close()
    assert not wrong, "\n".join(wrong)


def test_what_is_kept_and_cannot_be_opened_is_not_lost(page: Any, base: str, built: Path) -> None:
    if not (built / "rubber" / "index.html").is_file():
        pytest.skip("the site was built without npm's pyodide")
    damaged = '{"<img src=x onerror=alert(1)>": [1'
    page.on("dialog", lambda d: d.accept())
    page.route("**/check-worker.js", lambda route: route.abort())  # no Python: it opens nothing
    page.goto(f"{base}404.html")
    page.evaluate("text => localStorage.setItem('oddtrick.rubber', text)", damaged)
    page.evaluate("localStorage.setItem('oddtrick.code', 'constructor')")
    page.goto(f"{base}rubber/")
    page.get_by_text("could not be opened as a rubber").wait_for()
    assert not page.locator(".kr-begin").is_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as .hand").click()
    assert Path(saved.value.path()).read_text("utf-8") == damaged
    page.get_by_role("button", name="A new rubber").click()
    assert page.input_value(".kr-begin [name=code]")  # `constructor` is not a code
    page.wrong.clear()  # the worker that was not fetched
