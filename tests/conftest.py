"""What all tests share: one cache, one built site and one browser, however many processes run the
tests.
"""

import gc
import http.server
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from command import commanded
from files import ROOT

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers inherit it
    BUILT = os.environ.get("ODDTRICK_BUILT")
    CACHE = tempfile.TemporaryDirectory(prefix="oddtrick-cache-")  # removed when the tests end
    os.environ["ODDTRICK_CACHE"] = f"{BUILT}/cache" if BUILT else CACHE.name
os.environ["NO_COLOR"] = "1"
os.environ.pop("ODDTRICK_LAWS", None)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


# --- how many examples of a property are tried ----------------------------------------------------

WHOLE = bool(os.environ.get("ODDTRICK_WHOLE"))
"""Whether to try everything where otherwise a fixed sample is tried."""

settings.register_profile(
    "few", max_examples=25, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "ci", settings.get_profile("few"), max_examples=40, derandomize=True, print_blob=True
)
settings.register_profile("many", settings.get_profile("few"), max_examples=4000)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "few")


def tried(share: float) -> settings:
    """Settings that try `share` times the number of examples of the profile (`--hypothesis-profile
    few|ci|many`).
    """
    return settings(max_examples=max(5, round(settings().max_examples * share)))


# --- the command line -----------------------------------------------------------------------------
def transcript(body: str, home: Path) -> str:
    """A block of a document as it should be: each of its commands with its output.

    `| head -n N` keeps the first lines of standard output. Files stored on the user's machine are
    stored in `home`.
    """
    shown = ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ODDTRICK_DATA", str(home))
        for line in (n[2:] for n in body.splitlines() if n.startswith("$ ")):
            command, _, piped = line.partition(" | ")
            words = shlex.split(command)
            assert words[0] == "oddtrick", f"only oddtrick is run here, not `{command}`"
            run = commanded(*words[1:], cwd=ROOT)
            said = run.stdout if piped else run.stdout + run.stderr
            refused = f"oddtrick {words[1]}: " in said
            assert run.returncode in (0, 1) or refused, said
            lines = said.splitlines()
            if piped:
                head = re.fullmatch(r"head -n (\d+)", piped)
                assert head, f"only `head -n N` is known here, not `{piped}`"
                lines = lines[: int(head[1])]
            shown += f"$ {line}\n" + "".join(f"{n.rstrip()}\n" for n in lines)
    return shown.rstrip("\n") + "\n"


# --- the site -------------------------------------------------------------------------------------


def build_site(folder: Path) -> None:
    """Build the site and its pages into a folder, in a separate process."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "build_site.py"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder shared by all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def home(shared: Path) -> Path:
    """The folder that has the `site` and the `docs` from which it was rendered: `ODDTRICK_BUILT`,
    or built once for all.
    """
    if named := os.environ.get("ODDTRICK_BUILT"):
        return Path(named)
    made = shared / "built"
    with FileLock(shared / "built.lock"):
        if not made.is_dir():
            build_site(shared / "building")
            (shared / "building").rename(made)
    return made


@pytest.fixture(scope="session")
def built(home: Path) -> Path:
    """The folder of the site."""
    return home / "site"


@pytest.fixture(scope="session")
def pages(home: Path) -> dict[str, str | bytes]:
    """The files generated for the site: path to content, as text where it is text."""
    return {
        p.relative_to(home / "docs").as_posix(): _content(p)
        for p in sorted((home / "docs").rglob("*"))
        if p.is_file()
    }


KINDS = re.compile(
    r"(\w+/)?index|codes/auction-1926/(3\d|index|whole)|topics/re|compare/auction-1926--"
    r"|concordance/auction-1926--|disputes/re|rules/play|records/we|[a-z-]+(\.md)?$|assets/"
)
"""A few files of every kind."""


def few_of(pages: dict[str, str | bytes]) -> dict[str, str | bytes]:
    """A few pages of every kind, and all that are in the navigation."""
    return {name: content for name, content in pages.items() if KINDS.match(name)}


def _content(path: Path) -> str | bytes:
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


# --- the browser ----------------------------------------------------------------------------------

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium") if Path(p).exists()), ""
)
"""Debian's Chromium; the headless one is preferred, because it is twice as fast. Without any, its
tests are skipped, but never in CI.
"""


STRANGERS = sorted(
    {p.parent.name for p in ROOT.glob("laws/*/code.yaml")}
    - {p.stem for p in ROOT.glob("tests/rulings/*.yaml")}
)
"""Codes in `laws/` without evidence in the tests. All tests apply to them except those that quote
what is printed about every code or require evidence of each (`shipped`), which are skipped.
"""


def pytest_collection_finish() -> None:
    """Exempt everything loaded so far from garbage collection, which would otherwise take an eighth
    of the time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need the built site. A module `test_..._browser` needs the browser, and
    may cause warnings from Playwright. Slow tests and those come first, so that no process waits for
    them at the end. They depend on other programs, so in CI one that fails or hangs is tried once
    more, and the summary names it.
    """
    absent = not CHROMIUM and os.environ.get("CI") != "true"
    for item in items:
        if STRANGERS and item.get_closest_marker("shipped"):
            reason = (
                f"tells of the codes that the project brings; here is {' and '.join(STRANGERS)}"
            )
            item.add_marker(pytest.mark.skip(reason=reason))
        if "home" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.site)
        if item.path.stem.endswith("_browser"):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings("default"))
            item.add_marker(
                pytest.mark.skipif(
                    absent,
                    reason="needs Debian's Chromium: apt-get install chromium-headless-shell",
                )
            )
    apart = [i for i in items if {"slow", "browser"} & {m.name for m in i.iter_markers()}]
    if os.environ.get("CI") == "true":
        for item in apart:
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: item not in apart)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served on this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # a connection serves more than one file

        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def log_message(self, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join(60)


@pytest.fixture(scope="session")
def base(built: Path) -> Iterator[str]:
    """The address of the site."""
    with served(built) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, one in each process."""
    from playwright.sync_api import Page, sync_playwright

    wait = Page.wait_for_function

    def waited(self: Any, expression: str, **given: Any) -> Any:
        # Playwright would evaluate a bare expression repeatedly, which the policy of the
        # pages forbids; it creates a function only once. At every frame it would take time from
        # what it waits for.
        function = expression if "=>" in expression.split("(")[0] else f"() => {expression}"
        return wait(self, function, **{"polling": 50, **given})

    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Page, "wait_for_function", waited)
        arguments = """
            --no-sandbox --disable-gpu --disable-background-networking
            --disable-component-update --no-first-run
        """.split()
        running = playwright.chromium.launch(
            executable_path=CHROMIUM or "/usr/bin/chromium", args=arguments
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def desk(browser: Any) -> Iterator[Any]:
    """A desktop browser window: pages share what has been fetched."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(desk: Any, base: str) -> Iterator[Any]:
    """A desktop page that remembers nothing of earlier pages."""
    yield from watched(desk, base)


@pytest.fixture
def phone(browser: Any, base: str) -> Iterator[Any]:
    """A page on a phone with touch input."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield from watched(context, base)
    context.close()


@pytest.fixture
def plain(browser: Any) -> Iterator[Any]:
    """A desktop page without JavaScript."""
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 900}
    )
    yield context.new_page()
    context.close()


def touch(spot: Any) -> None:
    """Tap the element of a locator. On a busy machine the finger may be held down so long that it
    presses instead of tapping; then tap again.
    """
    spot.page.evaluate(COUNTED)  # not on the button itself, which the page may redraw
    for _ in range(5):
        spot.tap()
        if spot.page.evaluate(TAPPED):
            return
    pytest.fail("a tap is never taken")


COUNTED = """() => {
    window.taken = false;
    document.addEventListener("click", () => { window.taken = true; }, { once: true, capture: true });
}"""
TAPPED = """() => new Promise((done) => {
    if (window.taken) done(true);
    document.addEventListener("click", () => done(true), { once: true, capture: true });
    setTimeout(() => done(window.taken), 3000);
})"""


def copied(page: Any) -> str:
    """The text on the clipboard, which must answer within ten seconds."""
    return str(page.evaluate(COPIED))


COPIED = """() => Promise.race([
    navigator.clipboard.readText(),
    new Promise((_, no) => setTimeout(no, 10000, "the clipboard does not answer")),
])"""


def watched(context: Any, base: str) -> Iterator[Any]:
    """A new page that at the end must have reported no error and requested nothing from another
    site (`page.wrong`).
    """
    context.clear_permissions()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    others = list(context.pages)
    made = context.new_page()
    made.wrong = wrong = []
    made.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    made.on("pageerror", lambda e: wrong.append(str(e)))
    made.on(
        "request",
        lambda r: (
            None
            if r.url.startswith((base, f"blob:{base}", "about:", "data:"))
            else wrong.append(r.url)
        ),
    )
    made.add_init_script(FORGET)
    yield made
    for left in context.pages:  # and the pages that it has opened
        if left not in others:
            left.close()
    assert wrong == []


FORGET = """if (location.protocol === "http:" && !sessionStorage.begun && !opener) {
    localStorage.clear();
    sessionStorage.begun = "yes";
}"""
"""Runs before each page's own scripts: a tab ignores stored values until it is closed."""
