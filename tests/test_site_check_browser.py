"""Checking a hand as a reader does, in Debian's Chromium: by the keyboard, with no request to
another site.
"""

import re
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import WHOLE, copied, touch
from lawbook import in_force, judged_codes
from oddtrick.cards import SEATS, Card, bits
from oddtrick.judge.check import check
from oddtrick.judge.events import events_of
from oddtrick.judge.finding import Verdict
from oddtrick.judge.random_deals import legal_game
from oddtrick.record import deals_in, write, write_document
from oddtrick.record.deal import NOWHERE, Deal, held
from oddtrick.record.hand.read import read_text
from test_site_check import command_line
from test_site_pages_browser import found_by_axe, prepare

PBN = Path(__file__).resolve().parent / "pbn" / "clean.pbn"

PATIENCE = 120_000
"""Milliseconds that the first check may take on a busy machine."""

SELECTED = "(() => { const a = document.activeElement; return a.value.slice(a.selectionStart, a.selectionEnd); })()"


@pytest.fixture
def page(page: Any, base: str, built: Path) -> Any:
    return at_the_checker(page, base, built)


def at_the_checker(page: Any, base: str, built: Path) -> Any:
    """The page of the checker, with its requests in `asked`."""
    if not (built / "check" / "index.html").is_file():
        pytest.skip("the site was built without npm's pyodide")
    page.asked = []
    page.on("request", lambda r: page.asked.append(r.url))
    page.goto(f"{base}check/")
    return page


def checked(page: Any) -> None:
    page.wait_for_selector(".check-item", timeout=PATIENCE)


def axe_finds_nothing(page: Any) -> None:
    """Check the answer with axe too, in the dark scheme on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    prepare(page)
    assert found_by_axe(page, ("dark",)) == []


def is_not_fetched(page: Any) -> None:
    """If the checker cannot be fetched, the page says so and can try again."""
    page.wait_for_selector(".check-status.wrong", timeout=PATIENCE)
    assert (
        page.inner_text(".check-status")
        == "The checker failed: oddtrick.zip could not be fetched (404)"
    )
    page.wrong.clear()
    page.unroute("**/oddtrick.zip")


def a_wrong_line_is_reached_by_keyboard(page: Any) -> None:
    """Type and check a record, then follow the links to its wrong line and to its law."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.select_option("#check-code", "")
    page.fill("#check-text", "")
    lines = (
        "code auction-1926",
        "deal 1",
        "dealer south",
        "standing games none",
        "bidding",
        "  2 hearts, pass, double, all pass",
    )
    for line in lines:
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    page.locator(".verdict", has_text="irregular").wait_for(timeout=PATIENCE)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "line 6":
            break
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "check-text"
    assert page.evaluate(SELECTED) == "double"
    axe_finds_nothing(page)
    law = page.locator(".finding .laws a").first
    words, href = law.inner_text(), law.evaluate("a => a.href")
    there = page.context.new_page()  # the requests of that page are tested elsewhere
    there.goto(href)
    assert there.title().startswith(words.partition(" (")[0])
    assert there.locator(":target").is_visible()


def a_change_makes_the_answer_old(page: Any) -> None:
    """Check an example on a phone, change it, and check it again."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("a[data-example]").first.click()  # it is checked at once
    page.wait_for_function("document.querySelector('#check-code').value === ''")
    page.locator(".verdict", has_text="in order").wait_for(timeout=PATIENCE)
    page.wait_for_function("document.querySelector('.table-stale').hidden", timeout=PATIENCE)
    told = page.locator("details", has_text="As JSON, for programs").locator("pre")
    assert told.last.text_content() == command_line(page.input_value("#check-text"))
    assert page.locator("table.account tbody tr").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("#check-text").press("End")
    page.keyboard.insert_text(" ")
    assert page.locator(".check-stale").count() == 1
    assert page.inner_text(".check-status") == CHANGED


CHANGED = "The record or the code has changed since this check."


def keeps_what_is_typed_during_a_check(page: Any, text: str, held: list[Any]) -> None:
    """A change made while the checker starts stays; the answer is marked as older."""
    page.get_by_role("button", name="Read it into the table (fetches the checker)").click()
    page.get_by_role("button", name="Check", exact=True).click()
    page.focus("#check-text")
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("# typed meanwhile\n")
    held[0].continue_()
    checked(page)
    page.wait_for_function(READ, timeout=PATIENCE)
    assert page.input_value("#check-text") == f"{text}# typed meanwhile\n"
    assert page.evaluate("document.activeElement.id") == "check-text"
    assert page.locator(".check-stale").count() == 1
    assert page.inner_text(".check-status") == CHANGED
    page.fill("#check-text", text)


def a_second_link_names_what_would_be_lost(page: Any, text: str) -> None:
    """A changed record is replaced only after a question; a reload does not replace it."""
    questions: list[str] = []
    link = page.url
    page.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))
    page.fill("#check-text", f"{text}# one\n# two\n")
    page.wait_for_function("!location.hash")
    page.evaluate("link => { location.hash = new URL(link).hash; }", link)
    page.wait_for_function("!location.hash")
    assert questions == ["This record has not been saved. Replace it?"]
    page.fill("#check-text", text)


def test_a_link_carries_the_record_and_nothing_of_it_becomes_html(page: Any, base: str) -> None:
    """One page for several steps, since Python takes seconds to start: the checker cannot be
    fetched and is requested again, an example is checked on a phone, and a wrong line is reached by
    the keyboard.
    """
    assert not any("/assets/python/" in u for u in page.asked)
    assert "is downloaded when" in page.inner_text(".check-size")
    text = 'code auction-1912\ndeal 1 "<img src=x onerror=alert(1)> ♠"\ndealer south\nbidding\n  pass, pass, pass, pass\n'
    page.fill("#check-text", text)
    page.select_option("#check-code", "contract-1927")
    page.locator(".check-choices:not([hidden]) input").first.check()
    doubt = page.locator(".check-choices:not([hidden]) select").first
    page.locator(".check-choices:not([hidden]) summary").click()
    doubt.select_option(index=1)
    chosen = doubt.input_value()
    page.get_by_role("button", name="Copy a link").click()
    page.wait_for_function(
        "document.querySelector('.check-status').textContent.includes('clipboard')"
    )
    link = copied(page)
    assert link.startswith(f"{base}check/#record=")
    assert "#" not in page.url
    page.goto("about:blank")
    page.route("**/oddtrick.zip", lambda route: route.fulfill(status=404))
    page.goto(link)
    page.wait_for_function("document.querySelector('#check-text').value")
    assert page.input_value("#check-text") == text
    assert page.input_value("#check-code") == "contract-1927"
    assert page.locator(".check-choices:not([hidden]) input").first.is_checked()
    assert chosen.startswith("contract-1927:")
    assert page.locator(".check-choices:not([hidden]) select").first.input_value() == chosen
    assert page.url == link  # until the record is changed, a reload opens it again
    is_not_fetched(page)
    held: list[Any] = []
    page.route("**/oddtrick.zip", lambda route: held.append(route))
    with page.expect_request("**/oddtrick.zip"):  # a link starts the checker
        a_second_link_names_what_would_be_lost(page, text)
    keeps_what_is_typed_during_a_check(page, text, held)
    page.wait_for_function(READ, timeout=PATIENCE)
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_function(QUIET, timeout=PATIENCE)
    assert "<img src=x" in page.inner_text(".check-item h2")
    assert page.locator(".check-item img, img[onerror]").count() == 0
    a_change_makes_the_answer_old(page)
    a_wrong_line_is_reached_by_keyboard(page)


def test_a_tap_before_the_checker_has_come_is_acknowledged(
    phone: Any, base: str, built: Path
) -> None:
    page = at_the_checker(phone, base, built)
    held: list[Any] = []
    page.route("**/oddtrick.zip", lambda route: held.append(route))
    with page.expect_request("**/oddtrick.zip"):
        touch(page.locator("[data-tap=card][value=SA]"))
    touch(page.locator("[data-tap=card][value=SK]"))
    dealt = page.locator("#check [data-tap=card][aria-pressed=true]")
    assert dealt.all_inner_texts() == ["A", "K"]
    touch(page.locator("[data-tap=card][value=SK]"))  # taken back
    assert dealt.all_inner_texts() == ["A"]
    touch(page.locator(".table-tabs [value=bidding]"))
    page.locator(".table-now", has_text="Fetching the checker").wait_for()
    assert page.locator(".table-tabs [aria-pressed=true]").all_inner_texts() == ["Bidding"]
    page.route("**/oddtrick.zip", lambda route: route.fulfill(status=404))
    held[0].fulfill(status=404)
    page.locator(".table-stale", has_text="could not be fetched").wait_for()
    assert dealt.count() == 0  # as in the text
    assert page.input_value("#check-text") == ""
    page.wrong.clear()


def test_a_record_is_reached_by_keyboard_dropped_and_cut(page: Any, base: str) -> None:
    """Two links lead to the record; a file in an old encoding is read; a link that was cut is said to
    be.
    """
    for key in ("Tab", "Enter", "Tab", "Tab", "Enter"):  # to the heading, then past the table
        page.keyboard.press(key)
    page.wait_for_function("document.activeElement.id === 'check-text'")
    old = {
        "name": "old.pbn",
        "mimeType": "text/plain",
        "buffer": '[Event "Café"]\n'.encode("latin-1"),
    }
    with page.expect_file_chooser() as chosen:
        page.locator(".check-file").click()
    chosen.value.set_files(old)
    page.wait_for_function("document.querySelector('#check-text').value")
    assert page.input_value("#check-text") == '[Event "Café"]\n'
    page.goto("about:blank")
    page.goto(f"{base}check/#record=AAAA")
    page.locator(".check-status", has_text="it may have been cut short").wait_for()
    assert page.input_value("#check-text") == ""


def test_without_javascript_the_page_says_what_to_do(base: str, built: Path, plain: Any) -> None:
    if not (built / "check" / "index.html").is_file():
        pytest.skip("the site was built without npm's pyodide")
    plain.goto(f"{base}check/")
    assert plain.get_by_text("oddtrick check my.hand").is_visible()
    assert not plain.locator("#check").is_visible()
    assert plain.locator("a[data-example]").count() > 12


# --- the table to tap -----------------------------------------------------------------------------


def called(deal: Deal) -> list[str]:
    """The buttons that enter the calls of a deal, in order, then the one that opens its play."""
    taps = []
    for call in events_of(deal).calls or ():
        if call.seat:
            taps.append(f'.table-seats [value="{call.seat.value}"]')
        if call.kind == "bid":
            taps.append(f'.box-numbers [value="{call.odd_tricks}"]')
        named = call.kind in ("bid", "make")
        box = ".box-denominations" if named else ".box-calls"
        taps.append(f'{box} [value="{call.denomination if named else call.kind}"]')
    return [*taps, ".table-tabs [value=play]"]


REACHED = "one => document.activeElement.matches(one)"
BEHIND = """one => Boolean(document.activeElement.compareDocumentPosition(document.querySelector(one))
  & Node.DOCUMENT_POSITION_PRECEDING)"""


def reach(page: Any, spot: str) -> None:
    """Move to an element of the page by the keyboard only, forwards or backwards."""
    page.wait_for_function(READ, timeout=PATIENCE)  # what was pressed before is drawn
    page.wait_for_selector(spot, timeout=PATIENCE)
    key = "Shift+Tab" if page.evaluate(BEHIND, spot) else "Tab"
    for _ in range(60):
        if page.evaluate(REACHED, spot):
            return
        page.keyboard.press(key)
    pytest.fail(f"the keyboard does not reach {spot}")


def press(page: Any, spot: str, way: str) -> None:
    """Press a button with a finger or by the keyboard; a card has its own keys."""
    if way == "touch":
        touch(page.locator(spot))
    elif card := CARD.fullmatch(spot):
        reach(page, ".pack [tabindex='0']")
        for key in card.groups():
            page.keyboard.press(key)
    else:
        reach(page, spot)
        page.keyboard.press("Enter")


CARD = re.compile(r'\.pack \[value="(.)(.)"\]')


FEW = 4
"""How many cards of the hands and of the play are pressed at the beginning, and of the play at the end;
the text gets those between.
"""


def tap(page: Any, buttons: list[str], way: str) -> None:
    """Press buttons one after the other."""
    for one in buttons:
        press(page, one, way)


def tap_cards(page: Any, cards: list[Card], last: list[Card], way: str, part: Deal) -> None:
    """Press the first cards and the last; `part` is the deal without the last. With
    `ODDTRICK_WHOLE=1`, press them all.
    """
    buttons, ends = ([f'.pack [value="{c.code}"]' for c in some] for some in (cards, last))
    if WHOLE:
        return tap(page, buttons, way)
    tap(page, buttons[:FEW], way)
    page.wait_for_function(READ, timeout=PATIENCE)
    page.fill("#check-text", write([part], "hand"))
    return tap(page, ends, way)


def choose(page: Any, field: str, words: str, way: str) -> None:
    """Choose from a list by its words; a phone's own list of them is not part of the page."""
    if way == "keys":
        reach(page, field)
        page.keyboard.type(words)
        page.wait_for_function(
            """([field, words]) => {
              const one = document.querySelector(field);
              return one?.selectedOptions[0]?.text === words && document.activeElement === one;
            }""",
            arg=[field, words],
        )
    else:
        page.select_option(field, label=words)


def enter(page: Any, deal: Deal, way: str) -> None:
    """Enter a deal whose hands are already there."""
    assert deal.result is not None
    assert deal.code is not None
    tap(page, called(deal), way)
    cards = (deal.cards or ())[:-FEW]
    part = deal._replace(declaration=None, result=None, cards=cards)
    part = part._replace(trick_starts=deal.trick_starts[:-1], leaders=deal.leaders[:-1])
    played = [p.card for t in events_of(deal).tricks or () for p in t.cards if p.card]
    tap_cards(page, played, played[-FEW:], way, part)
    press(page, ".table-tabs [value=result]", way)
    choose(page, "[name=result]", str(deal.result.number), way)
    if in_force(deal.code).get("rubber-end"):
        choose(page, '[name="standing games"]', "none", way)
        choose(page, '[name="standing trick"]', "none", way)


def saved(page: Any, way: str) -> str:
    """The file that the page saves."""
    with page.expect_download() as told:
        press(page, ".check-save", way)
    return Path(told.value.path()).read_text("utf-8")


TYPED = """text => {
  const area = document.querySelector("#check-text");
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
  return document.querySelector(".table-body").inert;
}"""
"""Puts a text into the editor, as if it were typed; returns whether the table is inert then."""

QUIET = "!document.querySelector('.check-stale') && document.querySelector('#check').ariaBusy !== 'true'"
READ = "document.querySelector('.table-stale').hidden && document.querySelector('#check').ariaBusy !== 'true'"


def leaves_what_it_cannot_show(page: Any) -> None:
    """The table preserves all of a record, and names what it cannot show."""
    lines = [
        'code auction-1926',
        "",
        "deal 1  # a comment",
        "Dealer: South",
        'note "kept"',
        "hands",
        "  north ♠ A x x ...",
        "bidding",
        '  1 heart "a remark", pass',
        "irregularity card-exposed-in-deal by west of \"♦A\"",
        "  2 hearts",
    ]  # fmt: skip
    # a moment after the text is edited, the table reads it again; until then it is inert
    assert page.evaluate(TYPED, "\n".join(lines))
    page.wait_for_function("document.querySelector('.table-stale').hidden", timeout=PATIENCE)
    assert page.input_value("[name=dealer]") == "south"
    assert page.inner_text(".table-only") == "Only in the text: note, comments."
    assert "A card exposed in the deal" in page.inner_text("#table .incidents")
    page.click(".table-tabs [value=bidding]")
    page.click(".box-calls [value=pass]")
    page.wait_for_function(
        "document.querySelector('#check-text').value.endsWith('2 hearts, pass\\n')"
    )
    page.select_option("[name=dealer]", "west")
    page.wait_for_function("document.querySelector('#check-text').value.includes('dealer west')")
    kept = [
        *lines[:3],
        *('note "kept"', "dealer west", "", "hands", "  north  ♠ A x x  ...", "", "bidding"),
        '  1 heart "a remark", pass',
        '  irregularity card-exposed-in-deal by west of "♦A"',
        *("  2 hearts, pass", ""),
    ]
    assert page.input_value("#check-text") == "\n".join(kept)
    page.click(".table-back")
    page.click(".table-back")
    assert page.input_value("#check-text") == "\n".join(lines)
    tells_an_irregularity(page)
    page.fill("#check-text", "code auction-1926\ndeal 1\ngibberish\n")
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("Not scored: the record could not be read.").wait_for(timeout=PATIENCE)
    page.fill("#check-text", PBN.read_text("utf-8"))
    page.get_by_role("button", name="Write it as .hand").click()
    page.wait_for_function("document.querySelector('.table-stale').hidden", timeout=PATIENCE)
    assert '\ndeal "board 1"' in page.input_value("#check-text")


def ways(number: int) -> tuple[str, ...]:
    """How the deal of a code is entered: one way for each code, or both for all."""
    return ("keys", "touch") if WHOLE else ("keys", "touch")[number : number + 1]


def tells_an_irregularity(page: Any) -> None:
    """Enter an irregularity by typing: what the checker found comes first, and the place gives the
    player and the card. It is refused while they are missing, then added by the check, judged, and
    shown in sentences with links to its laws.
    """
    deal = "code auction-1926\ndeal 1\ndealer east\nbidding\n  1 heart, all pass\n"
    page.fill("#check-text", f"{deal}play\n  north: ♣J\n")  # South has the lead
    page.wait_for_function(READ, timeout=PATIENCE)
    press(page, ".table-tabs [value=irregular]", "touch")
    page.fill(".table-words", "North led the jack of clubs when it was South's lead")
    touch(page.locator(".table-found li:first-child [value=first-lead-out-of-turn]").first)
    page.wait_for_selector(".table-add", timeout=PATIENCE)
    page.select_option(".table-fields [name=at]", "trick 1: North, ♣J")
    filled = page.locator(".table-fields").locator("[name=by], [name=of]")
    assert filled.evaluate_all("all => all.map((one) => one.value)") == ["north", "♣J"]
    touch(page.get_by_role("button", name="Another"))
    page.wait_for_selector(".table-words", timeout=PATIENCE)
    page.fill("#check-text", "code auction-1926\ndeal 1\ndealer south\n")
    page.wait_for_function(READ, timeout=PATIENCE)
    press(page, ".table-tabs [value=irregular]", "touch")
    page.fill(".table-words", "she dropped a card face up during the play")
    touch(page.locator(".table-found [value=card-exposed-in-play]").first)
    page.wait_for_selector(".table-add", timeout=PATIENCE)
    touch(page.locator(".table-add"))
    page.wait_for_function("document.activeElement.matches('[name=at]:invalid')")
    page.select_option(".table-fields [name=at]", "before the bidding")
    touch(page.locator(".table-add"))
    page.wait_for_function("document.activeElement.matches('[name=by]:invalid')")
    page.select_option(".table-fields [name=by]", "west")
    touch(page.locator(".table-check"))
    page.wait_for_function("document.activeElement.matches('[name=of]:invalid')")
    assert page.inner_text(".check-status") == "The irregularity is not yet added."
    page.select_option(".table-fields [name=of]", "♦A")
    touch(page.locator(".table-check"))  # adds it first
    page.wait_for_function(
        "document.querySelector('#check-text').value.includes('by west of \"♦A\"')",
        timeout=PATIENCE,
    )
    page.locator(".remedies a", has_text="Auction 1926, law 3").first.wait_for(timeout=PATIENCE)
    page.fill(
        "#check-text", "code auction-1926\ndeal 1\ndeclaration 2 hearts by south\nresult 8 tricks\n"
    )
    page.wait_for_function(READ, timeout=PATIENCE)
    touch(page.locator(".table-check"))
    page.wait_for_function(QUIET, timeout=PATIENCE)
    touch(page.locator("[data-tab=result]").first)  # the games are not recorded
    page.wait_for_function("document.activeElement.name === 'standing games'")
    page.select_option('[name="standing games"]', "none")
    page.wait_for_function("document.querySelector('#check-text').value.includes('standing games')")
    page.fill(
        "#check-text", "code auction-1926\ndeal 1\ndealer south\nbidding\n  2 spades, 1 club\n"
    )
    page.wait_for_function(READ, timeout=PATIENCE)
    touch(page.locator(".table-check"))
    page.wait_for_function(QUIET, timeout=PATIENCE)
    touch(page.get_by_role("button", name="Record what was done"))
    page.wait_for_function("document.activeElement.name === 'remedy'")
    assert page.input_value(".table-fields [name=by]") == "west"


def test_a_deal_of_each_code_is_entered_checked_saved_and_opened_again(
    phone: Any, base: str, built: Path
) -> None:
    page = at_the_checker(phone, base, built)
    for number, code in enumerate(judged_codes()):
        if not ways(number):
            break
        games = (legal_game(Random(seed), in_force(code)) for seed in count(1))
        deal = next(d for d in games if len(d.calls or ()) > 4 and d.cards)
        for way in ways(number):
            goes_through_the_table(page, deal, way)
    writes_calls_by_their_letters(page)
    leaves_what_it_cannot_show(page)  # in the same page, since Python takes seconds to start


def writes_calls_by_their_letters(page: Any) -> None:
    """Calls are entered as fast as one types, whatever element of the table has the focus; then a
    card can be played.
    """
    page.fill("#check-text", "code auction-1926\ndeal 1\ndealer south\n")
    page.wait_for_function(READ, timeout=PATIENCE)
    reach(page, ".table-tabs [value=bidding]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".box-numbers button", timeout=PATIENCE)
    page.keyboard.type("2SfppXXXA")  # the third X is that of XX
    page.wait_for_function("document.activeElement.closest('.pack')", timeout=PATIENCE)
    calls = page.input_value("#check-text").partition("bidding")[2].split()
    assert " ".join(calls) == "2 spades, pass, pass, double redouble, all pass"
    assert page.locator(".find-open").count() == 0
    takes_back_where_it_was_entered(page)


def takes_back_where_it_was_entered(page: Any) -> None:
    """A bid without its denomination is cancelled, and nothing else; what is taken back next opens
    the part of the record where it was entered.
    """
    page.fill("#check-text", "code auction-1926\ndeal 1\ndealer south\n")
    page.wait_for_function(READ, timeout=PATIENCE)
    press(page, ".table-tabs [value=hands]", "touch")
    press(page, '.pack [value="SA"]', "touch")
    press(page, ".table-tabs [value=bidding]", "touch")
    press(page, ".box-numbers [value='4']", "touch")
    page.wait_for_selector(".box-numbers [aria-pressed=true]", timeout=PATIENCE)
    text = page.input_value("#check-text")
    press(page, ".table-back", "touch")
    page.wait_for_function("!document.querySelector('.box-numbers [aria-pressed=true]')")
    assert page.input_value("#check-text") == text
    press(page, ".table-back", "touch")
    page.wait_for_selector(".table-tabs [value=hands][aria-pressed=true]", timeout=PATIENCE)
    assert "♠" not in page.input_value("#check-text")


def goes_through_the_table(page: Any, deal: Deal, way: str) -> None:
    """Enter a deal in one way, on a desktop by the keyboard, otherwise on a phone; check, save and
    reopen it.
    """
    assert deal.code is not None
    assert deal.dealer is not None
    code, width = deal.code, 1280 if way == "keys" else 390
    page.set_viewport_size({"width": width, "height": 900 if way == "keys" else 844})
    page.select_option(".table-code", code)
    choose(page, "[name=dealer]", deal.dealer.title, way)
    three = [[*held(deal, seat)] for seat in SEATS[:3]]  # the fourth completes itself
    ends = (12, 12, 11)  # each hand that is complete leads to the next
    last = [c for cards, end in zip(three, ends, strict=True) for c in cards[end:]]
    hands = (*(bits(cards[:end]) for cards, end in zip(three, ends, strict=True)), 0)
    part = Deal(deal.source, NOWHERE, "deal 1", code=code, dealer=deal.dealer)
    part = part._replace(hands=hands, hand_spans=(*(NOWHERE,) * 3, None))
    tap_cards(page, [c for cards in three for c in cards], last, way, part)
    page.wait_for_selector(".table-tabs [value=bidding][aria-pressed=true]", timeout=PATIENCE)
    enter(page, deal, way)
    page.wait_for_function(READ, timeout=PATIENCE)
    press(page, ".table-check", way)
    page.wait_for_function(QUIET, timeout=PATIENCE)
    checked(page)
    page.wait_for_function("document.activeElement.matches('.verdict')")
    top = page.locator(".verdict").bounding_box()["y"]
    assert 0 <= top < page.viewport_size["height"]
    assert "in order" in page.inner_text(".verdict"), page.input_value("#check-text")
    page.wait_for_function(READ, timeout=PATIENCE)
    text = saved(page, way)
    assert text == page.input_value("#check-text")
    read = read_text(text)
    assert write_document(read) == text  # as `oddtrick format` has it
    (own,) = deals_in(read.items)
    assert check(own).verdict is Verdict.LEGAL, text
    assert own.hands == deal.hands
    assert (own.cards, own.trick_starts) == (deal.cards, deal.trick_starts)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.wait_for_function(READ, timeout=PATIENCE)
    press(page, ".table-new", way)
    assert page.locator("#check-text").input_value() == f"code {code}\n\n"
    with page.expect_file_chooser() as asked:
        press(page, "#check-file" if way == "keys" else ".check-file", way)
    asked.value.set_files({"name": "a.hand", "mimeType": "text/plain", "buffer": text.encode()})
    page.wait_for_function(READ, timeout=PATIENCE)
    assert page.input_value("#check-text") == text
    press(page, ".table-new", way)
