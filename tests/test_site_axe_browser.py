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


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_axe_finds_nothing_on_a_page_of_any_kind(base: str, browser: Any, built: Any, width: int, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    wrong = []
    for path in PAGES:
        if path == "check/" and not (built / "check" / "index.html").is_file():
            continue  # built without npm, which the page itself is tested for
        page.goto(base + path)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        wrong += [f"{path}: {v['id']}, {len(v['nodes'])} times, first {v['nodes'][0]['html'][:120]}" for v in found]
    context.close()
    assert wrong == []


def test_a_dispute_that_is_settled_and_a_record_that_is_checked_are_read_by_axe_too(base: str, browser: Any, built: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    page.goto(base + "disputes/lead-out-of-turn/?code=royalton-1915&offender=adversary&followed-by=declarer")
    page.wait_for_selector(".settle[data-state=settled] .answer-said h3")
    wrong = [v["id"] for v in Axe().run(page).response["violations"]]
    page.goto(base + "compare/#auction-1912:84.b~auction-1926:46.1")
    page.wait_for_selector("#cmp-result .cmp-card")
    wrong += [v["id"] for v in Axe().run(page).response["violations"]]
    if (built / "check" / "index.html").is_file():
        page.goto(base + "check/")
        page.fill("#check-text", "code auction-1926\ndeal 1\ndealer south\nbidding\n  2 hearts, pass, double, all pass\n")
        page.focus("#check-text")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".check-item", timeout=120_000)
        wrong += [v["id"] for v in Axe().run(page).response["violations"]]
    context.close()
    assert wrong == []
