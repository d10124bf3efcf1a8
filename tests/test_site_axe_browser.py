"""One page of every kind, by axe: wide and narrow, light and dark, nothing found."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

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
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight, textShadow, textDecorationLine, getComputedStyle(element.parentElement).color, element.tagName === "A"];
    for (let behind = element; behind; behind = behind.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(behind);
      look.push(backgroundColor, backgroundImage, opacity);
      if (/^rgb\\(/.test(backgroundColor)) break;
    }
    const key = look.join("|"), size = element.getElementsByTagName("*").length;
    if (!(least.get(key)?.size <= size)) least.set(key, { element, size });
  }
  for (const element of document.querySelectorAll("[data-likeness]")) element.removeAttribute("data-likeness");
  for (const { element } of least.values()) element.setAttribute("data-likeness", "");
  return least.size;
}"""
"""Marks one element, the smallest, of all whose words have the same look before the same grounds:
what is a matter of colour is a matter of these alone, and axe takes half a minute to measure a long
page word by word."""

COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that are a matter of colour."""


def wrong_on(page: Any, schemes: tuple[str, ...] = ()) -> list[str]:
    """What axe finds on a page: by every rule as it is, then by those of colour in each of the
    schemes.
    """
    page.add_style_tag(
        content="*, ::before, ::after { transition: none !important }"
    )  # a colour on its way is neither
    page.evaluate(AXE_SCRIPT)
    run = "([context, options]) => axe.run(context || document, { resultTypes: ['violations'], ...options }).then(found => found.violations)"
    found = page.evaluate(run, [None, {"rules": {rule: {"enabled": False} for rule in COLOURS}}])
    for scheme in schemes or (None,):
        if scheme:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(
                "name => document.body.dataset.mdColorScheme = name",
                {"light": "default", "dark": "slate"}[scheme],
            )
        assert page.evaluate(LIKENESSES) > 3
        found += page.evaluate(
            run, [{"include": [["[data-likeness]"]]}, {"runOnly": list(COLOURS)}]
        )
    return [
        f"{v['id']}, {len(v['nodes'])} times, first {v['nodes'][0]['html'][:120]}" for v in found
    ]


@pytest.mark.parametrize(
    "pages", [PAGES[0::3], PAGES[1::3], PAGES[2::3]], ids=["a third", "another", "the last"]
)
@pytest.mark.parametrize(
    ("width", "schemes"),
    [(1280, ("light", "dark")), (390, ("dark", "light"))],
    ids=["wide", "narrow"],
)
def test_axe_finds_nothing_on_a_page_of_any_kind(
    base: str,
    browser: Any,
    built: Any,
    width: int,
    schemes: tuple[str, ...],
    pages: tuple[str, ...],
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=schemes[0])
    page = context.new_page()
    wrong = []
    for path in pages:
        if path == "check/" and not (built / "check" / "index.html").is_file():
            continue  # built without npm, which the page itself is tested for
        page.emulate_media(color_scheme=schemes[0])
        page.goto(base + path)
        wrong += [f"{path}: {found}" for found in wrong_on(page, schemes)]
    context.close()
    assert wrong == []


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ('<p style="color: #999; background: #fff">Pale words.</p>', "color-contrast"),
        ('<p style="opacity: 0.4">Words that fade.</p>', "color-contrast"),
        (
            '<p>Words and <a href="#b" style="text-decoration: none; color: #333">a link</a> among them.</p>',
            "link-in-text-block",
        ),
        ('<button type="button"></button>', "button-name"),
        ("<ul><p>No item.</p></ul>", "list"),
    ],
)
def test_axe_finds_what_is_wrong_on_a_page(base: str, page: Any, broken: str, rule: str) -> None:
    page.goto(base + "codes/auction-1912/84/")
    assert wrong_on(page) == []
    page.evaluate(
        "broken => document.querySelector('article').insertAdjacentHTML('beforeend', broken)",
        broken,
    )
    assert [found.partition(",")[0] for found in wrong_on(page)] == [rule]


def test_a_dispute_that_is_settled_and_a_record_that_is_checked_are_read_by_axe_too(
    base: str, browser: Any, built: Any
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    page.goto(
        base
        + "disputes/lead-out-of-turn/?code=royalton-1915&offender=adversary&followed-by=declarer"
    )
    page.wait_for_selector(".settle[data-state=settled] .answer-said h3")
    wrong = wrong_on(page)
    page.goto(base + "compare/#auction-1912:84.b~auction-1926:46.1")
    page.wait_for_selector("#cmp-result .cmp-card")
    wrong += wrong_on(page)
    if (built / "check" / "index.html").is_file():
        page.goto(base + "check/")
        page.fill(
            "#check-text",
            "code auction-1926\ndeal 1\ndealer south\nbidding\n  2 hearts, pass, double, all pass\n",
        )
        page.focus("#check-text")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".check-item", timeout=120_000)
        wrong += wrong_on(page)
    context.close()
    assert wrong == []
