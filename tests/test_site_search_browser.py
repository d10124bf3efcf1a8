"""Finding by search and going on from there, as a reader does: the field, the first hit, the
counterpart, the comparison, the citation.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import copied

LINKS = "x => x.map(a => new URL(a.href).pathname)"


def asked(page: Any, words: str) -> list[str]:
    """The pages of the hits for a query."""
    field = page.locator(".find input")
    field.focus()
    for said, there in (("", "detached"), (words, "visible")):
        field.fill(said)
        page.locator(".find li").first.wait_for(state=there)
    return list(page.locator(".find li a").evaluate_all(LINKS))


@pytest.fixture(scope="module")
def reader(desk: Any, base: str) -> Iterator[Any]:
    """A page with the search open, for one question after another."""
    page = desk.new_page()
    page.goto(base)
    yield page
    page.close()


FIRST = {
    "1912 law 84": "codes/auction-1912/84/",
    "vulnerable": "codes/contract-1927/7/",
    "lead out of turn": "topics/lead-out-of-turn/",
    "what if a dealer misdeals": "codes/auction-1912/36/ codes/bridge-elwell/37/",
    "they passed out of turn": "disputes/pass-out-of-turn/",
    "the dealer gave me 14 cards": "disputes/hand-too-large/",
    "contract 1927": "codes/contract-1927/",
    "glossary": "glossary/",
    "royalton honours count": "codes/royalton-1915/85/",
    "which code first counted undertricks": "topics/undertricks/",
    "how to write a deal": "notation/",
}
"""Questions of each kind, with the pages that may come first; `test_search` has many more."""


def test_the_law_that_is_asked_for_is_the_first_hit(reader: Any) -> None:
    first = {words: asked(reader, words)[0].removeprefix("/") for words in FIRST}
    assert {words: page for words, page in first.items() if page not in FIRST[words].split()} == {}


def test_what_fits_nothing_is_said(reader: Any) -> None:
    for words, fits in (("bidding box", False), ("revoke penalty", True), ("1912 law 84", True)):
        asked(reader, words)
        said = reader.locator(".find p").inner_text()
        assert said.startswith("Nothing fits well") != fits, (words, said)


def test_the_first_hits_are_of_several_kinds(reader: Any) -> None:
    asked(reader, "when was the revoke penalty introduced")
    kinds = reader.locator(".find li a").evaluate_all("x => x.map(a => a.className)")
    first = kinds[: kinds.index("law")]
    assert (first.count("rule"), first.count("topic"), first.count("dispute")) == (2, 1, 1)
    assert kinds.count("rule") > 2  # the others follow


def test_the_box_is_opened_closed_and_walked_by_keys(page: Any, base: str) -> None:
    page.goto(base + "codes/auction-1912/")
    link = page.locator("article a").first
    for key in ("/", "s", "f"):
        link.focus()
        page.keyboard.press(key)
        assert page.locator(".find input").evaluate("x => x === document.activeElement")
        page.keyboard.press("Escape")
        assert link.evaluate("x => x === document.activeElement")
    page.keyboard.press("/")
    page.keyboard.type("revoke")
    page.locator(".find li").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    field = page.locator(".find input")
    assert field.get_attribute("aria-expanded") == "true"
    assert field.get_attribute("aria-activedescendant") == "find-1"
    assert page.locator("#find-1").get_attribute("aria-selected") == "true"
    assert (
        "found" in page.locator(".find [role=status]").inner_text()
        or "best" in page.locator(".find [role=status]").inner_text().lower()
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**h=revoke**")
    page.wait_for_function("CSS.highlights.get('found')?.size > 0")
    marked = "[...CSS.highlights.get('found')].map((one) => one.startContainer.parentElement)"
    assert page.evaluate(f"{marked}.every((one) => !one.closest('code, .law-source, .turn'))")


def test_a_link_with_a_question_opens_the_box_on_it(page: Any, base: str) -> None:
    page.goto(base + "?q=misdeal")
    page.locator(".find li").first.wait_for()
    assert "isdeal" in page.locator(".find li").first.inner_text()
    page.goto(base + "?q=which code dropped honours")
    history = page.locator(".find li span", has_text="It is excluded in Royalton").first
    assert history.evaluate("x => x.scrollHeight <= x.clientHeight")  # the end is not cut


def test_on_a_phone_the_box_lies_over_the_page_and_closes(base: str, phone: Any) -> None:
    phone.goto(base)
    phone.locator(".find-button").click()
    phone.locator(".find input").fill("misdeal")
    phone.locator(".find li").first.wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.locator(".find-close").click()
    assert not phone.locator(".find input").is_visible()


def test_from_the_search_to_the_counterpart_the_comparison_and_the_citation_by_the_keyboard(
    page: Any, base: str
) -> None:
    page.goto(base)
    page.keyboard.press("s")
    page.keyboard.type("1912 law 84")
    page.wait_for_function(
        "document.querySelector('.find li a')?.pathname === '/codes/auction-1912/84/'"
    )
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/codes/auction-1912/84/**")
    assert page.locator("h1").first.inner_text().startswith("Penalty for the revoke")

    # the counterparts of 84 (b), folded up until they are asked for
    card = page.locator(".provision", has=page.locator("#b"))
    card.locator("details.belongs > summary").focus()
    page.keyboard.press("Enter")
    counterpart = card.locator('a[href$="/auction-1926/46/#1"]').first
    counterpart.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/codes/auction-1926/46/#1")
    assert page.locator("[id='1']").is_visible()

    # its comparison with the code it came from
    back = page.locator(".provision", has=page.locator("[id='1']"))
    back.locator("details.belongs > summary").focus()
    page.keyboard.press("Enter")
    back.get_by_role("link", name="Auction 1912", exact=True).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare/auction-1912--auction-1926/#revoke-penalty")
    assert page.locator("#revoke-penalty").is_visible()

    # and the citation, copied
    page.goto(base + "codes/auction-1926/46/#1")
    cited = page.locator(".provision", has=page.locator("[id='1']"))
    cited.locator("details.belongs > summary").focus()
    page.keyboard.press("Enter")
    cite = cited.locator("dl.cite")
    cite.get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    cite.get_by_text("Copied.", exact=True).first.wait_for()
    assert copied(page) == "Auction 1926, law 46 (1)"
