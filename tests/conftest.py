"""What every test shares: a compiled lawbook of its own, so that no test reads a user's cache."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ["ODDTRICK_CACHE"] = tempfile.mkdtemp(prefix="oddtrick-cache-")
os.environ["NO_COLOR"] = "1"
os.environ.pop("ODDTRICK_LAWS", None)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


# --- the site and the browser -----------------------------------------------------------------------

CHROMIUM = "/usr/bin/chromium"
"""Debian's browser. Where it is absent its tests are skipped, but never in CI."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of a module `test_..._browser` needs the browser, and may be warned of what Playwright does."""
    absent = not Path(CHROMIUM).exists() and os.environ.get("CI") != "true"
    for item in items:
        if item.path.stem.endswith("_browser"):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings("default"))
            item.add_marker(pytest.mark.skipif(absent, reason="needs Debian's chromium: apt-get install chromium"))


def build_site(out: Path, docs: Path, helped: bool = True) -> str:
    """Build the site in a process of its own, `helped` by a second one where that can be; the result is what it printed."""
    alone = "" if helped else "site.two_processors = lambda: False; "
    command = f"import sys; from pathlib import Path; from oddtrick import site; {alone}sys.exit(site.build(Path({str(out)!r}), Path({str(docs)!r})))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built once for all tests of it."""
    home = tmp_path_factory.mktemp("site")
    build_site(home / "site", home / "docs")
    return home / "site"


@pytest.fixture(scope="module")
def base(built: Path) -> Iterator[str]:
    """The address at which the site is served on this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(built))

        def log_message(self, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, base: str) -> Iterator[Any]:
    """A page on a desk; at the end it must have complained of nothing and asked nothing of another site (`page.wrong`)."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
    made = context.new_page()
    made.wrong = wrong = []
    made.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    made.on("pageerror", lambda e: wrong.append(str(e)))
    made.on("request", lambda r: None if r.url.startswith((base, f"blob:{base}", "about:", "data:")) else wrong.append(r.url))
    yield made
    context.close()
    assert wrong == []
