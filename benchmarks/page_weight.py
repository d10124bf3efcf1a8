"""Measures the page weight of a first visit to each kind of page: bytes transferred, number of
requests, and requests to other hosts.

    .venv/bin/python benchmarks/page_weight.py [SITE [PAGE ...]]

SITE is a built site (`./do demo` builds `site`). Each page is opened with an empty cache, from a
server that compresses text as web hosts do. Bytes are counted by Chromium and include headers. The
last rows include what a page fetches when it is used. Needs Debian's Chromium.
"""

import gzip
import http.server
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium-headless-shell"
PACKED = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".xml", ".csv", ".txt")


def stay(page: Any) -> None:
    """Do nothing on the page."""


def search(page: Any) -> None:
    """Search for a word in the search box."""
    page.locator(".find input").focus()
    page.keyboard.type("revoke")
    page.locator(".find li").first.wait_for()


def find(page: Any) -> None:
    """Describe an irregularity in the form for disputes."""
    page.fill("#h-words", "he revoked")
    page.locator(".h-found a").first.wait_for()


def check(page: Any) -> None:
    """Check a record, which starts Python."""
    page.fill("#check-text", "code auction-1912\ndeal 1\ndealer south\nbidding\n  all pass\n")
    page.locator(".check-go").click()
    page.locator(".check-item").wait_for(timeout=120_000)


VISITS: tuple[tuple[str, str, Callable[[Any], None]], ...] = (
    ("home", "", stay),
    ("a code", "codes/contract-1927/", stay),
    ("a law", "codes/auction-1912/84/", stay),
    ("a whole code", "codes/auction-1912/whole/", stay),
    ("how an evening goes", "codes/contract-1927/evening/", stay),
    ("all topics", "topics/", stay),
    ("a topic", "topics/revoke-penalty/", stay),
    ("compare", "compare/", stay),
    ("two codes compared", "compare/auction-1926--contract-1927/", stay),
    ("all disputes", "disputes/", stay),
    ("a dispute", "disputes/lead-out-of-turn/", stay),
    ("what it scores", "score/", stay),
    ("all scores", "scores/", stay),
    ("keep a rubber", "rubber/", stay),
    ("all records", "records/", stay),
    ("a record", "records/made-up-rubber-1912/", stay),
    ("check a hand", "check/", stay),
    ("glossary", "glossary/", stay),
    ("a finding", "rules/play.revoke/", stay),
    ("documentation", "commands/", stay),
    ("home, a dispute described", "", find),
    ("home, a search", "", search),
    ("check a hand, a record checked", "check/", check),
)


def unpacked(path: Path) -> int:
    """The size of a file, or of the index page of a folder."""
    return (path / "index.html" if path.is_dir() else path).stat().st_size


@cache
def packed(path: Path) -> bytes:
    """The content of a file as the server sends it, compressed if it is text."""
    data = path.read_bytes()
    return gzip.compress(data, 6) if path.suffix in PACKED else data


def served(folder: Path) -> str:
    """Serve a folder in a background thread, and return the URL."""

    class Host(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def log_message(self, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            if not path.is_file():
                return self.send_error(404)
            data = packed(path)
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(str(path)))
            self.send_header("Content-Length", str(len(data)))
            if path.suffix in PACKED:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(data)
            return None

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "site").resolve()
    base, only = served(folder), set(sys.argv[2:])
    print("| page | requests | kB transferred | kB unpacked | requests to other hosts |")
    print("| --- | --- | --- | --- | --- |")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, path, does in (v for v in VISITS if not only or v[0] in only):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            asked: list[str] = []
            sizes: list[int] = []
            context.on("request", lambda r, asked=asked: asked.append(r.url))
            context.on(
                "requestfinished",
                lambda r, sizes=sizes: sizes.append(
                    sum(r.sizes()[part] for part in ("responseBodySize", "responseHeadersSize"))
                ),
            )
            page.goto(base + path, wait_until="networkidle")
            does(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
            own = [u for u in asked if u.startswith(base)]
            theirs = [u for u in asked if not u.startswith((base, "blob:", "data:"))]
            whole = sum(map(unpacked, (folder / u[len(base) :].partition("?")[0] for u in own)))
            wire = sum(sizes)
            print(
                f"| {name} | {len(own)} | {wire / 1000:,.0f} | {whole / 1000:,.0f} | {len(theirs)} |"
            )
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
