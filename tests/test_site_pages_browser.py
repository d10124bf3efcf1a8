"""A page of every kind, wide and narrow, light and dark: it fits its window, reports no error, and
axe finds nothing.
"""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from axe_playwright_python.base import AXE_SCRIPT

from conftest import WHOLE
from test_site_play import FILES

LISTED = yaml.safe_load((Path(__file__).parent / "site_pages.yaml").read_text("utf-8"))

PAGES = (*LISTED["kinds"], *(LISTED["second"] if WHOLE else ()))
"""A page of every kind."""

WIDE = PAGES if WHOLE else PAGES[::9]
"""The pages that axe also checks in a wide window. The columns that only a wide page has are the
same on every page, and what does not fit shows in a narrow window.
"""

MORE = (*LISTED["second"], *LISTED["more"], *(f"records/{p.stem}/" for p in FILES))
"""More pages of those kinds."""

READY = (("score/", ".sc-account details"), ("disputes/*/[?]*", ".settle[data-state]"))
"""The elements present once the script of a page with such an address is done."""

WIDTHS = (1600, 1280, 1024, 390)

FEW = (1280, 390)
"""The widths at which every page is tested; some in all of them, with `ODDTRICK_WHOLE=1` all."""

SCHEMES = ("light", "dark")

LIKENESSES = """(known) => {
  const least = new Map(), grounds = new Map();
  const ground = (element) => {
    if (!element) return "";
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join("|");
      grounds.set(element, /^rgb\\(/.test(backgroundColor) ? own : `${own}|${ground(element.parentElement)}`);
    }
    return grounds.get(element);
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight, textShadow, textDecorationLine, getComputedStyle(element.parentElement).color, element.tagName === "A"];
    const key = `${look.join("|")}|${ground(element)}`, before = least.get(key);
    if (before && !before.size) continue;
    const size = element.getElementsByTagName("*").length;
    if (!(before?.size <= size)) least.set(key, { element, size });
  }
  for (const element of document.querySelectorAll("[data-likeness]")) element.removeAttribute("data-likeness");
  const found = [...least.keys()], unknown = found.filter(key => !known.includes(key));
  for (const key of unknown) least.get(key).element.setAttribute("data-likeness", "");
  return [found.length, unknown];
}"""
"""Marks one element, the smallest, of each look of words that no earlier page had: colours depend
only on the look and the background, and axe takes half a minute to measure a long page word by
word.
"""

THIN = """() => {
  const KEPT = 2, HEADINGS = "h1, h2, h3, h4, h5, h6";
  const WORDS = /^(title|alt|aria-(label|description|current)|datetime|d|points|stroke-width|transform|viewbox|[xyr]|[cr][xy]|[xy][12])$/i;
  const own = (element) => [...element.attributes].filter(({ name }) => !["href", "id", "for"].includes(name) && !name.startsWith("data-"))
    .map(({ name, value }) => WORDS.test(name) && value.trim() ? name : `${name}=${value}`).join(" ");
  const levels = (element) => (element.matches(HEADINGS) ? [element] : [...element.querySelectorAll(HEADINGS)])
    .map(({ tagName }) => tagName).join();
  const likeness = (element) => {
    const before = new Map(), inner = new Set();
    let last;
    for (const child of [...element.childNodes]) {
      if (child.nodeType === Node.TEXT_NODE && child.data.trim()) inner.add("words");
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const like = likeness(child), n = before.get(like) ?? 0;
      before.set(like, n + 1);
      inner.add(like);
      const headed = levels(child);
      if (n >= KEPT && element.tagName !== "TR" && (!headed || headed === last)) child.remove();
      last = headed || last;
    }
    const parts = element instanceof SVGElement ? [...inner].sort() : [...inner];
    return `${element.tagName} ${own(element)}(${parts.join()})`;
  };
  likeness(document.body);
}"""
"""Keeps the first two of all children of an element that are built alike, down to their classes,
roles and the presence of words: axe can find no more in hundreds of rows from one template than in
two, and takes seconds. A child with headings is removed only after one with headings of the same
levels, so that their order stays. In a drawing the order of parts does not matter.
"""

COLOURS = {"color-contrast": "[data-likeness]", "link-in-text-block": "a[href][data-likeness]"}
"""The rules of axe on colour, with the elements that they check."""

AXE = f"""{AXE_SCRIPT};
axe.configure({{ rules: {[{"id": rule, "selector": asked} for rule, asked in COLOURS.items()]} }});"""
"""Axe, which measures colours only at marked elements: so the rules on colour run with the others,
and the slowest step, walking through a page, is done once.
"""


def ready(page: Any, path: str) -> None:
    """Wait for the content that the script of a page draws once it has its data."""
    for pattern, drawn in READY:
        if fnmatch(path, pattern):
            page.wait_for_selector(drawn)


def wrong_on(page: Any) -> list[str]:
    """The faults that axe finds on a page as it is."""
    prepare(page)
    return found_by_axe(page)


@pytest.fixture(scope="module")
def desk(browser: Any) -> Iterator[Any]:
    """A window without the policy of the pages, because a test here injects its tools and
    deliberate faults. `test_site_policy_browser` tests the policy.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    yield context
    context.close()


def prepare(page: Any) -> None:
    """Make a page ready for axe."""
    hold_still(page)
    page.evaluate(AXE)


def hold_still(page: Any) -> None:
    """Stop all movement: a colour or a width in transition has neither value."""
    page.evaluate(  # as the policy of the pages allows
        """() => {
          const still = new CSSStyleSheet();
          still.replaceSync("*, ::before, ::after { transition: none !important }");
          document.adoptedStyleSheets.push(still);
        }"""
    )


SETTLED = """[...document.querySelectorAll("pre > code")]
  .every(code => code.scrollWidth > code.offsetWidth === code.hasAttribute("tabindex"))"""
"""Whether the theme's script, which reacts to a new width with a delay, has made exactly the blocks
of code that are too wide for the window focusable.
"""


def found_by_axe(
    page: Any, schemes: tuple[str, ...] = (), known: dict[str, set[str]] | None = None
) -> list[str]:
    """What axe finds: by every rule in the first of the schemes, or on the page as it is, then by
    those on colour in the other. `known` has the looks already measured, by scheme, and grows.
    """
    page.wait_for_function(SETTLED)
    run = "options => axe.run(document, { resultTypes: ['violations'], ...options }).then(found => found.violations)"
    found = []
    for number, scheme in enumerate(schemes or ("",)):
        if scheme:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(
                "name => document.body.dataset.mdColorScheme = name",
                {"light": "default", "dark": "slate"}[scheme],
            )
        looks, new = page.evaluate(LIKENESSES, sorted(known[scheme]) if known and scheme else [])
        assert looks > 3
        if new or number == 0:
            found += page.evaluate(run, {"runOnly": [*COLOURS]} if number else {})
        if known:
            known[scheme].update(new)
    return [
        f"{v['id']}, {len(v['nodes'])} times, first {v['nodes'][0]['html'][:120]}" for v in found
    ]


BROKEN_NAMES = """[...document.querySelectorAll("table:not([class]) td code")]
  .filter(code => /^[\\w.]+(\\(\\w*\\))?$/.test(code.textContent) && code.getClientRects().length > 1)
  .map(code => code.textContent)"""
"""The names in tables of a document that take more than one line."""


def too_wide(page: Any, path: str, widths: tuple[int, ...] = WIDTHS) -> list[str]:
    """The widths among these at which a page must be scrolled sideways or breaks names in tables,
    with every fold opened.
    """
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{path}: wider than {width}")
        found += [f"{path}: breaks {name} at {width}" for name in page.evaluate(BROKEN_NAMES)]
    return found


@pytest.fixture(scope="module")
def known() -> dict[str, set[str]]:
    """The looks of words that this process has measured, by scheme."""
    return {scheme: set() for scheme in SCHEMES}


def shared_out(paths: tuple[str, ...], parts: int) -> list[tuple[str, ...]]:
    """Some pages divided among so many processes."""
    return [paths[i::parts] for i in range(parts)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths", shared_out(PAGES, 4), ids=lambda p: f"{p[0] or 'the home page'}..."
)
def test_a_page_of_each_kind_fits_and_axe_finds_nothing(
    base: str, page: Any, built: Any, known: dict[str, set[str]], paths: tuple[str, ...]
) -> None:
    wrong: list[str] = []
    page.add_init_script(AXE)  # sent and compiled once, not for each page
    for path in paths:
        if path == "check/" and not (built / "check" / "index.html").is_file():
            continue  # built without npm, which the page itself is tested for
        page.goto(base + path)
        ready(page, path)
        hold_still(page)
        folded = "[...document.querySelectorAll('details')].map(d => d.open)"
        before = page.evaluate(folded)
        wrong += too_wide(page, path, WIDTHS if path in WIDE else FEW)
        page.evaluate(
            "before => document.querySelectorAll('details').forEach((d, i) => { d.open = before[i]; })",
            before,
        )
        page.evaluate(THIN)
        for width in (390, 1280) if path in WIDE else (390,):  # it is narrow already
            page.set_viewport_size({"width": width, "height": 844})
            wrong += [f"{path} at {width}: {found}" for found in found_by_axe(page, SCHEMES, known)]
    page.wrong[:] = [w for w in page.wrong if "404" not in w]  # the page for missing pages
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths",
    shared_out((*LISTED["drawn"], *(MORE if WHOLE else MORE[::5])), 2),
    ids=lambda p: f"{p[0]}...",
)
def test_no_page_scrolls_sideways(base: str, page: Any, paths: tuple[str, ...]) -> None:
    wrong = []
    for path in paths:
        page.goto("about:blank")  # so that an address with another fragment is a new page
        page.goto(base + path)
        ready(page, path)
        hold_still(page)
        wrong += too_wide(page, path)
    assert wrong == []


BROKEN = (
    ('<p style="color: #999; background: #fff">Pale words.</p>', "color-contrast"),
    ('<p style="opacity: 0.4">Words that fade.</p>', "color-contrast"),
    (
        '<p>Words and <a href="#b" style="text-decoration: none; color: #333">a link</a> among them.</p>',
        "link-in-text-block",
    ),
    ('<button type="button"></button>', "button-name"),
    ("<ul><p>No item.</p></ul>", "list"),
)
"""Faults in a page, with the rule of axe that finds each."""


def test_axe_finds_what_is_wrong_on_a_page(base: str, page: Any) -> None:
    page.goto(base + "codes/auction-1912/84/")
    assert wrong_on(page) == []
    for broken, rule in BROKEN:
        page.evaluate(
            "broken => document.querySelector('article').insertAdjacentHTML('beforeend', broken)",
            broken,
        )
        assert [found.partition(",")[0] for found in found_by_axe(page)] == [rule], broken
        page.evaluate("document.querySelector('article').lastElementChild.remove()")


def test_a_dispute_that_is_settled_is_read_by_axe_too(base: str, browser: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", bypass_csp=True
    )
    page = context.new_page()
    page.goto(
        base
        + "disputes/lead-out-of-turn/?code=royalton-1915&offender=adversary&followed-by=declarer"
    )
    page.wait_for_selector(".settle[data-state=settled] .answer-said h3")
    wrong = wrong_on(page)
    context.close()
    assert wrong == []
