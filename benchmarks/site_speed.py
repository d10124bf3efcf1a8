"""The site: how long its build takes, what a law's page weighs on first view, how soon the search
has its first hit.

    .venv/bin/python benchmarks/site_speed.py

Needs Debian's Chromium for the last. The weight is that of everything that the page asks for,
compressed as servers do it, without the files of the theme itself.
"""

import gzip
import http.server
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

os.environ["NO_MKDOCS_2_WARNING"] = "1"
PAGES = (
    "codes/auction-1912/84/",
    "codes/contract-1927/10/",
    "codes/auction-1926/26/",
    "codes/bridge-elwell/61/",
)
QUERIES = ("1912 law 84", "auction 84", "lead out of turn", "revoke")
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
FIRST_HIT = """async words => {
    const field = document.querySelector(".md-search__input"), list = document.querySelector(".md-search-result__list");
    const put = text => { field.value = text; for (const kind of ["keyup", "input"]) field.dispatchEvent(new Event(kind, {bubbles: true})); };
    put(""); await new Promise(done => setTimeout(done, 600));
    const start = performance.now();
    return new Promise(done => {
        new MutationObserver((_, seen) => { if (list.querySelector("a")) { seen.disconnect(); done(performance.now() - start); } }).observe(list, {childList: true, subtree: true});
        put(words);
    });
}"""


def served(folder: Path) -> str:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def log_message(self, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def weight(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        subprocess.run(
            [sys.executable, "-m", "oddtrick", "site", "build", "--out", str(site)], check=True
        )
        files = sum(1 for p in site.rglob("*") if p.is_file())
        took = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"build: {took.ru_utime + took.ru_stime:.1f} s of the processor for {files} files")
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            base = served(site)
            for path in PAGES:
                page = browser.new_page()
                asked: list[str] = []
                page.on("request", lambda r, asked=asked: asked.append(r.url))
                page.goto(base + path)
                page.wait_for_timeout(500)
                own = [u.removeprefix(base).partition("?")[0] for u in asked if u.startswith(base)]
                own = [u + "index.html" if u.endswith("/") or not u else u for u in own]
                theirs = [
                    u
                    for u in own
                    if u.startswith(
                        ("assets/javascripts/", "assets/stylesheets/", "assets/images/")
                    )
                ]
                ours = sum(weight(site / u) for u in own if u not in theirs)
                print(
                    f"weight of {path}: {weight(site / path / 'index.html') / 1000:.1f} kB the page, {ours / 1000:.1f} kB with all that is ours"
                )
                page.close()
            page = browser.new_page()
            page.goto(base)
            page.keyboard.press("s")
            page.wait_for_timeout(2000)
            for words in QUERIES:
                print(f"first hit for “{words}”: {page.evaluate(FIRST_HIT, words):.0f} ms")
            browser.close()


if __name__ == "__main__":
    main()
