"""The content-security policy of the pages, enforced by Chromium: whatever enters a page, none of
it runs and no other site is contacted.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

ELSEWHERE = "http://localhost:9/"
"""An address of another site; nothing listens there."""

HOSTILE = Path(__file__).parent / "hostile"
ATTEMPTS, LINKS = (
    yaml.safe_load((HOSTILE / f"{name}.yaml").read_text("utf-8")) for name in ("attempts", "links")
)

WRITTEN = """([html, due]) => new Promise((done) => {
  window.ran ??= () => { window.hasRun = true; };
  const seen = [];
  const heard = (event) => { if (seen.push(event.effectiveDirective) && event.effectiveDirective.startsWith(due)) over(); };
  const over = () => { document.removeEventListener("securitypolicyviolation", heard); done(seen); };
  document.addEventListener("securitypolicyviolation", heard);
  const range = document.createRange();
  range.selectNode(document.body);
  document.body.append(range.createContextualFragment(html)); // unlike innerHTML, this would run scripts
  setTimeout(over, 10_000);
  if (!due) document.body.lastChild.onload = over;
})"""
"""Writes into a page, and returns the directives that refused it: it waits for the expected one or,
if there is none, until the page is loaded.
"""

DIRECTIVES = ["connect-src", "form-action", "script-src", "script-src-elem"]

PROBE = f"""
const seen = [];
document.addEventListener("securitypolicyviolation", (e) => seen.push(e.effectiveDirective));
const refused = {{}};
const attempt = async (name, does) => {{
  try {{ await does(); refused[name] = "ran"; }} catch (error) {{ refused[name] = error.name; }}
}};
await attempt("eval", () => eval("1"));
await attempt("Function", () => new Function("return 1")());
await attempt("fetch", () => fetch("{ELSEWHERE}"));
await attempt("import", () => import("data:text/javascript,export default 1"));
await attempt("wasm", () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
navigator.sendBeacon("{ELSEWHERE}", "x");
const form = document.createElement("form");
form.action = "{ELSEWHERE}";
document.body.append(form);
form.submit();
location.href = "javascript:window.hasRun = true";
for (let n = 0; n < 200 && new Set(seen).size < {len(DIRECTIVES)}; n++) await new Promise((done) => setTimeout(done, 50));
window.told = {{ seen: [...new Set(seen)].sort(), refused, hasRun: Boolean(window.hasRun) }};
"""
"""A script of the site itself, if compromised: what it tries, and what happened."""

ADDED = """(src) => {
  document.body.append(Object.assign(document.createElement("script"), { src, type: "module" }));
}"""

REACHED = """(address) => new Promise((done) => {
  addEventListener("securitypolicyviolation", (e) => done([e.effectiveDirective, e.blockedURI]));
  const request = new XMLHttpRequest();
  request.onloadend = () => setTimeout(() => done("asked"), 10_000);
  request.open("GET", address);
  request.send();
})"""
"""What happens to a request to another site; the worker replaces its own `fetch`."""


@pytest.fixture
def turned(browser: Any) -> Any:
    """A window whose pages may report errors."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def test_what_is_written_into_a_page_is_refused(turned: Any, base: str) -> None:
    page = turned.new_page()
    asked, refused = [], []
    page.on("request", lambda r: asked.append(r.url) if r.url.startswith(ELSEWHERE) else None)
    page.on("requestfailed", lambda r: refused.append(r.url) if r.failure == "csp" else None)
    page.goto(f"{base}codes/contract-1927/10/")
    wrong = {}
    for name, (html, directive) in ATTEMPTS.items():
        seen = page.evaluate(WRITTEN, [html, directive])
        if not any(s.startswith(directive) for s in seen):
            wrong[name] = seen
    assert wrong == {}
    framed = "<iframe srcdoc='<script>parent.ran()</script>'></iframe>"  # refused in the frame
    assert page.evaluate(WRITTEN, [framed, ""]) == []
    assert not page.evaluate("Boolean(window.hasRun)")
    assert sorted(asked) == sorted(refused)


@pytest.mark.parametrize(("at", "compiles"), [("topics/", False), ("check/", True)])
def test_a_script_that_was_turned_evaluates_nothing_and_reaches_nobody(
    turned: Any, base: str, at: str, compiles: bool
) -> None:
    page = turned.new_page()
    page.route(
        "**/assets/probe.js",
        lambda route: route.fulfill(body=PROBE, content_type="text/javascript"),
    )
    page.goto(base + at)
    page.evaluate(ADDED, f"{base}assets/probe.js")
    page.wait_for_function("window.told")
    told = page.evaluate("window.told")
    assert told["refused"] == {
        "eval": "EvalError",
        "Function": "EvalError",
        "fetch": "TypeError",
        "import": "TypeError",
        "wasm": "ran" if compiles else "CompileError",
    }
    assert not told["hasRun"]
    assert told["seen"] == DIRECTIVES
    assert page.url == base + at


def test_the_worker_of_the_checker_is_under_the_policy_of_its_page(turned: Any, base: str) -> None:
    page = turned.new_page()
    page.goto(f"{base}check/")
    page.fill("#check-text", "deal 1")
    with page.expect_worker() as begun:
        page.keyboard.press("Control+Enter")
    assert begun.value.evaluate(REACHED, ELSEWHERE) == ["connect-src", ELSEWHERE]


WORD = (
    "'\"><img src=x onerror=window.hasRun=1><script>window.hasRun=1</script>{{7*7}}\u202e__proto__"
)
"""Attacks in HTML, in an attribute, in a template and in an object."""

FOUND = """() => {
  const images = [...document.images].filter((image) => image.getAttribute("src") === "x");
  const scripts = [...document.scripts].filter((script) => !script.src && script.type !== "application/json");
  return [Boolean(window.hasRun), images.length, scripts.length, ({}).hasRun ?? null, window.refused];
}"""


def test_a_link_brings_nothing_into_a_page(turned: Any, base: str) -> None:
    page = turned.new_page()
    page.add_init_script(
        "window.refused = 0; addEventListener('securitypolicyviolation', () => { refused += 1; })"
    )
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    wrong = {}
    for link in LINKS:
        page.goto("about:blank")
        page.goto(base + link.replace("WORD", WORD + "%"))
        page.wait_for_timeout(50)
        if (found := page.evaluate(FOUND)) != [False, 0, 0, None, 0] or errors:
            wrong[link] = (found, [*errors])
            errors.clear()
    assert wrong == {}


KEPT = {
    "/.__palette": [
        "{bad",
        "5",
        '{"index": 0, "color": {"a b": 1}}',
        '{"index": "x", "color": {}}',
    ],
    "oddtrick.code": ["constructor", '<img src="x" onerror="window.hasRun = true">', "[1"],
}
"""Damaged values in the browser's storage: the colour scheme, tonight's code."""


def test_what_a_browser_keeps_and_has_damaged_breaks_no_page(page: Any, base: str) -> None:
    page.goto(f"{base}404.html")
    wrong = []
    for key, values in KEPT.items():
        for value in values:
            page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, value])
            page.goto(f"{base}score/")
            page.get_by_text("codes: open one").wait_for()
            if page.wrong or page.evaluate("Boolean(window.hasRun)"):
                wrong.append(f"{key} {value}: {page.wrong}")
                page.wrong.clear()
        page.evaluate("key => localStorage.removeItem(key)", key)
    assert not wrong, "\n".join(wrong)
