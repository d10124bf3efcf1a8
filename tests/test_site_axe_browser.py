"""One page of every kind, by axe: wide and narrow, light and dark, nothing found."""

from __future__ import annotations

from typing import Any

import pytest

PAGES = (
    "",
    "404.html",
    "codes/",
    "codes/contract-1927/",
    "codes/auction-1912/84/",
    "codes/contract-1927/count.canadian/",
    "codes/auction-1926/whole/",
    "topics/",
    "topics/revoke-penalty/",
    "topics/chicane/",
    "compare/",
    "compare/auction-1926--contract-1927/",
    "concordance/",
    "concordance/contract-1927--bridge-elwell/",
    "figures/",
    "lineage/",
    "scores/",
    "disputes/",
    "disputes/lead-out-of-turn/",
    "records/",
    "records/lenz-p042-jettisoned-king/",
    "records/made-up-rubber-1912/",
    "check/",
    "glossary/",
    "readings/",
    "decisions/",
    "rules/",
    "rules/play.revoke/",
    "sources/",
    "coverage/",
    "scoring-coverage/",
    "notation/",
    "commands/",
    "citing/",
    "data/",
)


LIKENESSES = """() => {
  const least = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element), look = [color, fontSize, fontWeight, textShadow];
    for (let behind = element; behind; behind = behind.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(behind);
      look.push(backgroundColor, backgroundImage, opacity);
      if (/^rgb\\(/.test(backgroundColor)) break;
    }
    const key = look.join("|"), size = element.getElementsByTagName("*").length;
    if (!(least.get(key)?.size <= size)) least.set(key, { element, size });
  }
  for (const { element } of least.values()) element.setAttribute("data-likeness", "");
  return least.size;
}"""
"""Marks one element, the smallest, of all whose words have the same look before the same grounds: contrast is a matter of these
alone, and axe takes half a minute to measure a long page word by word."""


def wrong_on(page: Any, but_contrast: bool = True) -> list[str]:
    """What axe finds on a page: by every rule, or by that of contrast alone."""
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    found = []
    if but_contrast:
        found += axe.run(page, options={"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}).response["violations"]
    assert page.evaluate(LIKENESSES) > 3
    looks = {"include": [["[data-likeness]"]]}
    found += axe.run(page, looks, {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}).response["violations"]
    return [f"{v['id']}, {len(v['nodes'])} times, first {v['nodes'][0]['html'][:120]}" for v in found]


@pytest.mark.parametrize("pages", [PAGES[0::3], PAGES[1::3], PAGES[2::3]], ids=["a third", "another", "the last"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_axe_finds_nothing_on_a_page_of_any_kind(base: str, browser: Any, built: Any, width: int, scheme: str, pages: tuple[str, ...]) -> None:
    """Contrast at both widths in both schemes; what is a matter of structure, which has no scheme, once at each width."""
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    wrong = []
    for path in pages:
        if path == "check/" and not (built / "check" / "index.html").is_file():
            continue  # built without npm, which the page itself is tested for
        page.goto(base + path)
        wrong += [f"{path}: {found}" for found in wrong_on(page, but_contrast=(width, scheme) in {(1280, "light"), (390, "dark")})]
    context.close()
    assert wrong == []


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ('<p style="color: #999; background: #fff">Pale words.</p>', "color-contrast"),
        ('<p style="opacity: 0.4">Words that fade.</p>', "color-contrast"),
        ('<button type="button"></button>', "button-name"),
        ('<ul><p>No item.</p></ul>', "list"),
    ],
)
def test_axe_finds_what_is_wrong_on_a_page(base: str, page: Any, broken: str, rule: str) -> None:
    page.goto(base + "codes/auction-1912/84/")
    assert wrong_on(page) == []
    page.evaluate("broken => document.querySelector('article').insertAdjacentHTML('beforeend', broken)", broken)
    assert [found.partition(",")[0] for found in wrong_on(page)] == [rule]


def test_a_dispute_that_is_settled_and_a_record_that_is_checked_are_read_by_axe_too(base: str, browser: Any, built: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    page.goto(base + "disputes/lead-out-of-turn/?code=royalton-1915&offender=adversary&followed-by=declarer")
    page.wait_for_selector(".settle[data-state=settled] .answer-said h3")
    wrong = wrong_on(page)
    page.goto(base + "compare/#auction-1912:84.b~auction-1926:46.1")
    page.wait_for_selector("#cmp-result .cmp-card")
    wrong += wrong_on(page)
    if (built / "check" / "index.html").is_file():
        page.goto(base + "check/")
        page.fill("#check-text", "code auction-1926\ndeal 1\ndealer south\nbidding\n  2 hearts, pass, double, all pass\n")
        page.focus("#check-text")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".check-item", timeout=120_000)
        wrong += wrong_on(page)
    context.close()
    assert wrong == []
