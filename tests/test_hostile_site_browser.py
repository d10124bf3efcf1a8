"""A site of hostile records, walked in a browser.

Every text of a record contains every kind of attack in turn, and so do the names of the files; some
are scripts as well. No dialog may open, no other host may be contacted, no page may be left, the
policy of the pages must hold, and no record may run when loaded as a script.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from conftest import served
from files import ROOT, table

TABLE = table("hostile/site")
BUILD = """
import sys
from pathlib import Path
from build_site import built
from oddtrick.site.record import record_pages
home = Path(sys.argv[1])
built(home, (record_pages(home / "written"), []), strict=False)
"""
LOOKED = """() => [
    [...document.scripts].filter(s => !s.src && !/json/.test(s.type)).length,
    [...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => /^on/i.test(a.name))).length,
    [...document.querySelectorAll("[href],[src],[action]")].filter(e => {
        const to = e.href?.baseVal ?? e.href ?? e.src ?? e.action;
        return /^(javascript|vbscript|data:text)/i.test(to) || /evil[.]example/.test(to);
    }).length,
    document.querySelectorAll("h1").length - 1,
    document.querySelectorAll("h1 h1, base, meta[http-equiv=refresh], iframe, form:not([class]), link[href*=evil]").length,
]"""
"""Inline scripts, event attributes, links that lead elsewhere, and elements that no page has."""
LOADED = """(url) => new Promise((done) => {
    const made = Object.assign(document.createElement("script"), { src: url });
    made.onload = made.onerror = () => done(window.ran ?? null);
    setTimeout(() => done("never loaded"), 10_000);
    document.head.append(made);
})"""


def record(number: int) -> str:
    """A record with attacks in its texts."""
    harm = TABLE["harm"][number % len(TABLE["harm"])]
    words = '"' + harm.replace("\\", "\\\\").replace('"', '\\"') + '"'
    said = TABLE["places"][number % len(TABLE["places"])].replace("{}", words)
    deal = [] if said.startswith("deal") else [f"deal 1 {words}"]
    known = ["dealer south", "declaration 1 spade by south", "result made 1"]
    known = [*known, said] if said.startswith("irregularity") else [said, *known]
    group = [f"rubber {words}"] if number % 2 else [f"event {words}"]
    cards = ["bidding", f"  1 spade {words}, all pass", "play", f"  west: ♣K {words} ♣8 ♣4 ♣A"]
    ends = ["end rubber", ""] if number % 2 else [""]
    return "\n".join(["code auction-1926", *group, f"# {harm}", *deal, *known, *cards, *ends])


@pytest.mark.slow
def test_nothing_happens_on_a_site_of_hostile_records(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "written").mkdir()
    texts = [f"{s}\ncode auction-1926\ndeal 1\nresult made 1\n" for s in TABLE["scripts"]]
    texts += [record(n) for n in range(len(TABLE["harm"]))]
    for number, text in enumerate(texts):
        name = TABLE["names"][number] if number < len(TABLE["names"]) else f"r{number}"
        (tmp_path / "written" / f"{name}.hand").write_text(text, "utf-8")
    subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path)], cwd=ROOT / "tests", check=True, timeout=600
    )
    wrong = list[str]()
    with served(tmp_path / "site") as base:
        context = browser.new_context()
        context.on("dialog", lambda d: (wrong.append(f"dialog {d.message}"), d.dismiss()))
        context.on(
            "request",
            lambda r: None if r.url.startswith((base, "data:")) else wrong.append(f"asks {r.url}"),
        )
        page = context.new_page()
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: wrong.append(str(e)))
        page.goto(f"{base}records/")
        ways = page.evaluate("[...document.querySelectorAll('.record h3 a')].map(a => a.href)")
        assert len({*ways}) == len(texts)
        for address in (f"{base}records/", *ways):
            assert page.goto(address).ok, address
            assert page.evaluate(LOOKED) == [0] * 5, address
            assert page.url == address
        # A page without a policy, which loads every record as a script.
        (tmp_path / "site" / "blank.html").write_text("<!doctype html><title>blank</title>")
        page = context.new_page()
        page.goto(f"{base}blank.html")
        files = sorted((tmp_path / "site" / "records").glob("*.hand"))
        assert len(files) == len(texts)
        for path in files:
            assert page.evaluate(LOADED, f"{base}records/{quote(path.name)}") is None, path.name
        context.close()
    assert wrong == []
