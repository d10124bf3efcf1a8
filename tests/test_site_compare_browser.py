"""Comparison in the browser: choosing with the keyboard, two provisions word by word, the link that
reproduces the comparison.
"""

from itertools import groupby
from typing import Any

from conftest import WHOLE
from lawbook import code_data, codes
from oddtrick.book.compare import marked
from oddtrick.book.write_citation import cite
from oddtrick.law.book import book
from oddtrick.site.lineage import pairs


def text_of(address: str) -> str:
    code = address.partition(":")[0]
    return str(next(p["text"] for p in code_data(code)["provisions"] if p["address"] == address))


def shown(page: Any, one: str, other: str) -> tuple[list[tuple[bool, str]], list[tuple[bool, str]]]:
    """The runs that the page shows for two provisions."""
    page.evaluate("hash => { location.hash = hash }", f"{one}~{other}")
    page.wait_for_function(
        "ends => ends.every((end, i) => document.querySelectorAll('#cmp-result .cmp-where a')[i]?.textContent.endsWith(end))",
        arg=[cite(a).partition(", ")[2] for a in (one, other)],
    )
    read = """card => [...card.querySelector("p:not(.cmp-where)").childNodes]
        .map(n => [n.nodeName !== "#text", n.textContent.trim()]).filter(([, words]) => words)"""
    found = [page.locator("#cmp-result .cmp-card").nth(i).evaluate(read) for i in (0, 1)]
    return tuple([(d, w) for d, w in side] for side in found)  # type: ignore[return-value]


def joined(runs: list[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """The runs with adjacent equal ones joined, as the page writes them."""
    grouped = groupby(runs, lambda run: run[0])
    return [(differs, " ".join(words for _, words in run)) for differs, run in grouped]


def test_two_codes_and_a_topic_are_chosen_with_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + "compare/")
    page.get_by_text("The penalty for a revoke", exact=False).first.focus()
    page.locator("#revoke-penalty > summary").press("Enter")
    page.locator("#revoke-penalty").get_by_role("link", name="Auction 1912 and Auction 1926").press(
        "Enter"
    )
    page.wait_for_url("**/compare/auction-1912--auction-1926/#revoke-penalty")
    assert page.locator("#revoke-penalty").is_visible()


def test_a_link_to_a_topic_opens_its_pairs(page: Any, base: str) -> None:
    page.goto(base + "compare/#revoke-penalty")
    page.locator("#revoke-penalty[open]").wait_for()


def test_two_provisions_are_compared_and_the_link_brings_them_back(page: Any, base: str) -> None:
    page.goto(base + "compare/")
    page.get_by_label("One provision").focus()
    page.keyboard.type("1912 Law 84 (b)")
    page.keyboard.press("Tab")
    page.keyboard.type("law 46 (1) of 1926")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cmp-result .cmp-two")
    page.wait_for_url("**/compare/#auction-1912:84.b~auction-1926:46.1")
    assert text_of("auction-1912:84.b") in page.locator("#cmp-result").inner_text()
    page.reload()
    page.wait_for_selector("#cmp-result .cmp-two")
    assert page.get_by_label("One provision").input_value() == "auction-1912:84.b"
    page.locator("#cmp-result a").first.click()
    page.wait_for_url("**/codes/auction-1912/84/#b")


READ = """async (citations) => {
    const { read } = await import(new URL("../assets/compare.js", location));
    const data = await (await import(new URL("../assets/search.js", location))).index();
    return citations.map((citation) => {
        const { found, wrong } = read(data, citation);
        return wrong ?? found.map(([, where]) => where);
    });
}"""
"""The addresses of the provisions that each citation refers to, or why it refers to none."""


def test_every_short_citation_is_read_back(page: Any, base: str) -> None:
    addresses = [p["address"] for c in codes() for p in code_data(c)["provisions"]]
    assert len(addresses) > 1000
    page.goto(base + "compare/")
    found = page.evaluate(READ, [cite(a, "short") for a in addresses])
    # a paragraph may have words of its own before those of its parts
    wrong = [
        (a, f)
        for a, f in zip(addresses, found, strict=True)
        if f[0] != a or any(not one.startswith(f"{a}.") for one in f[1:])
    ]
    assert wrong == []


REFUSED = {
    "Auction 1912, forgotten penalty 12": "leads nowhere",
    "Auction 1912, law 98": "leads nowhere",
    "law 200": "leads nowhere",
    "auction 30": "may mean Auction 1912, law 30 or Auction 1926, law 30 (a) (1)",
    "Royalton": "leads nowhere",
}


def test_a_citation_is_refused_with_the_reason(page: Any, base: str) -> None:
    page.goto(base + "compare/")
    found = page.evaluate(READ, [*REFUSED])
    assert found == [*REFUSED.values()]
    field, other = page.get_by_label("One provision"), page.get_by_label("and another").last
    example = field.get_attribute("placeholder")
    for citation, reason in REFUSED.items():
        page.locator("#cmp-result").evaluate("result => result.replaceChildren()")
        field.fill(citation)
        other.fill("contract-1927:3")
        page.keyboard.press("Enter")
        page.wait_for_selector("#cmp-result .cmp-wrong")
        said = page.locator("#cmp-result").inner_text()
        assert said == f"“{citation}” {reason}. Write the code and the law, such as {example}."
        assert field.evaluate("f => f === document.activeElement")


def test_the_browser_marks_the_words_that_the_pages_mark(page: Any, base: str) -> None:
    tried = 0
    page.goto(base + "compare/")
    for one, other in pairs():
        for a in book().relations.sides[one][:: 37 if WHOLE else 74]:
            for b in book().relations.counterparts(a, one, other)[:1]:
                if a != b and text_of(a) != text_of(b):
                    due = marked(text_of(a), text_of(b))
                    assert shown(page, a, b) == tuple(map(joined, due)), (a, b)
                    tried += 1
    assert tried > 30


def test_only_what_differs_is_shown_without_javascript(base: str, plain: Any) -> None:
    plain.goto(base + "compare/")
    plain.get_by_role("link", name="Auction 1912 and Auction 1926:").first.click()
    plain.wait_for_url("**/compare/auction-1912--auction-1926/")
    assert plain.locator(".cmp-same").first.is_visible()
    plain.get_by_label("Only what differs").focus()
    plain.keyboard.press("Space")
    assert not plain.locator(".cmp-same").first.is_visible()
    assert plain.locator(".cmp-substance").first.is_visible()
    plain.get_by_text("Go to a topic").click()
    plain.locator(".cmp-jump").get_by_role("link", name="Insufficient bid").click()
    plain.wait_for_url("**#insufficient-bid")


def test_codes_the_other_way_round_lead_to_the_comparison(page: Any, base: str, plain: Any) -> None:
    page.goto(base + "compare/auction-1926--auction-1912/#shuffle")
    page.wait_for_url("**/compare/auction-1912--auction-1926/#shuffle")
    plain.goto(base + "compare/auction-1926--auction-1912/")
    plain.get_by_role("link", name="The shuffle").click()
    plain.wait_for_url("**/compare/auction-1912--auction-1926/#shuffle")


def test_a_rule_of_the_lineage_is_followed_with_the_keyboard(page: Any, base: str) -> None:
    page.goto(base + "lineage/")
    rule = page.locator(".lin-family a.d-row").first
    rule.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/topics/*/#rule-*")
