"""A site of hostile records, walked in a browser.

Every text of a record contains every kind of attack in turn, and so do the names of the files; some
are scripts as well. No dialog may open, no other host may be contacted, no page may be left, the
policy of the pages must hold, and no record may run when loaded as a script.
"""

import http.server
import json
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import yaml

TABLE = yaml.safe_load((Path(__file__).parent / "hostile" / "site.yaml").read_text("utf-8"))
HARM, PLACES, SCRIPTS, NAMES = (TABLE[k] for k in ("harm", "places", "scripts", "names"))


def quoted(words: str) -> str:
    """A text as the notation writes it."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def records(number: int) -> Iterator[tuple[str, str]]:
    """Files of records: name and text."""
    for n, script in enumerate(SCRIPTS):
        yield f"script{n}", script + "\ncode auction-1926\ndeal 1\nresult made 1\n"
    for n in range(number - len(SCRIPTS)):
        place, harm = PLACES[n % len(PLACES)], HARM[n % len(HARM)]
        name = NAMES[n] if n < len(NAMES) else f"r{n}"
        words = quoted(harm)
        said = place.replace("{}", words)
        first = [] if place.startswith("deal") else ["deal 1 " + words if n % 3 else "deal 1"]
        rest = [
            "dealer south",
            "declaration 1 spade by south",
            "result made 1",
            "honours north-south 4",
        ]
        auction = ["bidding", f"  1 spade {words}, all pass"] if n % 5 == 0 else []
        play = ["play", f"  west: ♣K {words} ♣8 ♣4 ♣A"] if n % 7 == 0 else []
        if said.startswith("irregularity"):
            rest, said = [*rest, said], ""
        head = ["code auction-1926", f"rubber {words}" if n % 2 else f"event {words}", f"# {harm}"]
        tail = ["end rubber"] if n % 2 else []
        yield name, "\n".join([*head, *first, said, *rest, *auction, *play, *tail, ""])


LOOKED = """() => ({
    scripts: [...document.scripts].filter(s => !s.src && !/json/.test(s.type)).length,
    events: [...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => /^on/i.test(a.name))).length,
    links: [...document.querySelectorAll("[href],[src],[action]")].filter(e => {
        const to = e.href?.baseVal ?? e.href ?? e.src ?? e.action;
        return /^(javascript|vbscript|data:text)/i.test(to) || /evil[.]example/.test(to);
    }).map(e => e.outerHTML),
    forged: document.querySelectorAll("h1").length - 1 + document.querySelectorAll("h1 h1, base, meta[http-equiv=refresh], iframe, form:not([class]), link[href*=evil]").length,
    title: document.title,
})"""


def walked(site: Path, names: list[str], browser: Any) -> Counter[str]:
    """The incidents on a site's pages of records; there should be none."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    handler = partial(Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base, happened = f"http://127.0.0.1:{server.server_port}/", Counter[str]()
    page = browser.new_context().new_page()

    def note(what: str) -> None:
        happened[what] += 1
        if happened[what] < 4:
            print(page.url, what, flush=True)

    page.on("dialog", lambda d: (note(f"dialog {d.message}"), d.dismiss()))
    page.on("console", lambda m: note(f"console {m.text}") if m.type == "error" else None)
    page.on("pageerror", lambda e: note(f"error {e}"))
    page.on(
        "request", lambda r: None if r.url.startswith((base, "data:")) else note(f"asks {r.url}")
    )
    for name in names:
        address = f"{base}records/{quote(name)}/"
        answer = page.goto(address)
        if answer is None or not answer.ok:
            note(f"{name}: {answer and answer.status}")
            continue
        found = page.evaluate(LOOKED)
        if page.url != address:
            note(f"leads to {page.url}")
        if any(found[k] for k in ("scripts", "events", "links", "forged")):
            note(json.dumps(found)[:300])
        happened["pages"] += 1
    page.goto(f"{base}records/")
    if any((found := page.evaluate(LOOKED))[k] for k in ("scripts", "events", "links", "forged")):
        note(json.dumps(found)[:500])
    ways = page.evaluate("[...document.querySelectorAll('.record h3 a')].map(a => a.href)")
    wanted = {f"{base}records/{quote(name)}/" for name in names}
    if {quote(unquote(way), safe=":/") for way in ways} != {
        quote(unquote(way), safe=":/") for way in wanted
    }:
        note(f"the gallery leads to {sorted(set(ways) ^ wanted)[:5]}")
    # A page without a policy, which loads every record as a script.
    (site / "blank.html").write_text("<!doctype html><title>blank</title>")
    page = browser.new_context().new_page()
    page.on("dialog", lambda d: (note(f"dialog of a script {d.message}"), d.dismiss()))
    page.on("request", lambda r: None if r.url.startswith(base) else note(f"a script asks {r.url}"))
    page.goto(f"{base}blank.html")
    for path in sorted(site.glob("records/*.hand")):
        ran = page.evaluate(
            """(url) => new Promise((done) => {
                const made = document.createElement("script");
                made.src = url;
                made.onload = made.onerror = () => done(window.ran ?? null);
                document.head.append(made);
            })""",
            f"{base}records/{quote(path.name)}",
        )
        happened["scripts"] += 1
        if ran is not None:
            note(f"{path.name} runs")
    server.shutdown()
    server.server_close()
    return happened


def site_of(home: Path, number: int) -> list[str]:
    """Build a site of so many records in `home/site`; returns the names of their pages."""
    from build_site import built
    from oddtrick.site.record import record_pages

    written = home / "written"
    written.mkdir(parents=True, exist_ok=True)
    for name, text in records(number):
        (written / f"{name.replace('/', '_')}.hand").write_text(text, "utf-8")
    made = record_pages(written)
    built(home, (made, []), strict=False)
    names = [n.removeprefix("records/").removesuffix(".md") for n in made if n.endswith(".md")]
    return [n for n in names if n != "index"]
