"""The page "Check a hand": the checker itself, run by Pyodide in a worker of the reader's browser.

`fetch` brings Pyodide from npm into a cache, once, with the versions locked in
`site_overrides/.npm`. `check_pages` is pure: from that cache, the lawbook and the package it makes
the page and its files, and nothing where the cache is not there. `browser` is the part that answers
in the page.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from random import Random
from urllib.parse import quote

from oddtrick.cards import Side
from oddtrick.judge.check import check as check_record
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Choice, ChosenReading, Reading
from oddtrick.law.reading_choices import computes
from oddtrick.law.rules import Rules, active_readings, displaced
from oddtrick.paths import PACKAGE as HOME
from oddtrick.paths import folder
from oddtrick.record import read_document, write
from oddtrick.record.deal import Deal, Figures, Score
from oddtrick.site.gallery import stem_of, title_of
from oddtrick.site.table import blank
from oddtrick.site.template import TEMPLATES, Head, page

PAGE = "check.md"
ASSETS = "assets/python"
"""Where the files lie that are fetched on demand."""

FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""What is needed of the npm package `pyodide`, each file with its SHA-256 in the locked version."""

PLAIN = ("pyodide.mjs", "python_stdlib.zip")
"""Files served as they are: a module that the worker imports by its address, and what is compressed
already.

The others are gzipped here and unpacked in the worker, so that the size said is the size fetched on
any server.
"""

ENTRY = "site.in_page"
"""The module of the package that the worker calls."""

NOT_IN_PAGE = frozenset(("law.compile", "site"))
"""Modules that are never reached in the page, where the lawbook is compiled already; and the face
of the site, which would bring all its pages.
"""

ANSWER = ("answer.html", "check.html", "kept.html", "table.html")
"""The templates that the package needs in the page."""

READINGS = "check/readings.json"
"""The readings that can be chosen, fetched when a reader opens them."""

LIBRARIES = ("lark", "jinja2", "markupsafe")
"""What the modules need besides the standard library, all of it plain Python."""

DESCRIPTION = (
    "A record of a deal judged in the browser by the law of its year: bidding, play and score."
)

PACKAGE = "oddtrick.zip"
LONG = 5
"""How many calls an example has at least."""

STAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the zip, so that the same files make the same bytes."""


# --- from npm -------------------------------------------------------------------------------------


def npm_folder() -> Path:
    """The cache of what npm brought: `build/npm` in a checkout, else below the working folder."""
    home = folder("mkdocs.yml").parent
    return (home if (home / "pyproject.toml").is_file() else Path.cwd()) / "build" / "npm"


def locked() -> Path:
    """The folder with `package.json` and `package-lock.json`."""
    return folder("site_overrides") / ".npm"


def version() -> str:
    """The version of Pyodide that is locked."""
    lock = json.loads((locked() / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"]["node_modules/pyodide"]["version"])


def served_name(name: str) -> str:
    """The name under which a file of the package is served."""
    return name if name in PLAIN else f"{name}.gz"


def fetched(home: Path | None = None) -> dict[str, bytes]:
    """The files of the cache as they are served; none if one is not of the locked digest."""
    home, found = home or npm_folder(), dict[str, bytes]()
    for name, digest in FILES.items():
        try:
            data = (home / "served" / served_name(name)).read_bytes()
            plain = data if name in PLAIN else gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return {}
        if hashlib.sha256(plain).hexdigest() != digest:
            return {}
        found[served_name(name)] = data
    return found


def fetch(home: Path | None = None, say: Callable[[str], object] = sys.stderr.write) -> bool:
    """Bring Pyodide into the cache where it is not there yet; whether it is there now.

    Calls `npm ci`, which holds every package against the digest in the lock; no script of a package
    is run. Why the page must be left out is said in a line.
    """
    home = home or npm_folder()
    if fetched(home):
        return True
    npm = shutil.which("npm")
    if npm is None:
        say(_left_out("npm is not installed (it comes with Node)"))
        return False
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".npm-") as name:
        made = Path(name) / "npm"
        made.mkdir()
        for file in ("package.json", "package-lock.json"):
            shutil.copyfile(locked() / file, made / file)
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        command = [npm, "ci", *quiet, "--fetch-retries=1", "--fetch-timeout=60000"]
        try:
            done = subprocess.run(
                command, cwd=made, capture_output=True, text=True, timeout=300, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            say(_left_out(f"npm did not come to an end: {error}"))
            return False
        package = made / "node_modules" / "pyodide"
        missing = [f for f in FILES if not (package / f).is_file()]
        if done.returncode or missing:
            why = [line for line in done.stderr.splitlines() if "npm error" in line] or missing
            reason = why[0] if why else "it does not say why"
            say(_left_out(f"npm could not fetch Pyodide {version()}: {reason}"))
            return False
        served = made / "served"
        served.mkdir()
        for file in FILES:
            data = (package / file).read_bytes()
            (served / served_name(file)).write_bytes(
                data if file in PLAIN else gzip.compress(data, 9, mtime=0)
            )
        shutil.rmtree(home, ignore_errors=True)
        with suppress(OSError):  # another build was faster; its cache is as good
            made.replace(home)
    if not fetched(home):
        say(_left_out(f"what npm brought is not Pyodide {version()}, by its digests"))
        return False
    return True


def _left_out(why: str) -> str:
    return f"oddtrick site: the page “Check a hand” is left out: {why}.\n"


# --- the package that runs in the page ------------------------------------------------------------


def modules(entry: str = ENTRY) -> tuple[str, ...]:
    """The files of the package that a module needs, itself and those imported late too:
    `law/book.py`.
    """
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        path = name.replace(".", "/")
        file = next(
            (f for f in (f"{path}.py", f"{path}/__init__.py") if (HOME / f).is_file()), None
        )
        if file is None or name in found or name in NOT_IN_PAGE:
            continue
        found[name] = file
        waiting += _imported((HOME / file).read_text("utf-8"))
        parts = name.split(".")
        waiting += [".".join(parts[:n]) for n in range(1, len(parts))]
    return tuple(sorted(found.values()))


_IMPORT = re.compile(r"^[ \t]*from oddtrick(?:\.([\w.]+))? import (\([^)]*\)|.*)", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as \w+)?")


def _imported(source: str) -> Iterator[str]:
    """What a module imports of the package, below its name; to parse it would take ten times as
    long.
    """
    for below, names in _IMPORT.findall(source):
        if below:
            yield below
        yield from (f"{below}.{name}".lstrip(".") for name in _NAME.findall(names))


def package_files() -> dict[str, bytes]:
    """What the zip holds: modules, grammars, the compiled lawbook, what they need, the licence of
    the laws.
    """
    made = {f"oddtrick/{f}": (HOME / f).read_bytes() for f in ("__init__.py", *modules())}
    for grammar in sorted(folder("grammar").iterdir()):
        made[f"oddtrick/data/grammar/{grammar.name}"] = grammar.read_bytes()
    made["oddtrick/data/laws/LICENSE"] = (folder("laws") / "LICENSE").read_bytes()
    for template in ANSWER:
        made[f"oddtrick/site/templates/{template}"] = (TEMPLATES / template).read_bytes()
    data = {part: book().data[part] for part in ("vocabulary", "codes")}
    made["lawbook.json"] = json.dumps(data, ensure_ascii=False).encode()
    return made | {name: data for library in LIBRARIES for name, data in _library(library)}


def _library(name: str) -> Iterator[tuple[str, bytes]]:
    """The Python and the grammars of an installed package."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    home = Path(spec.origin).parent
    for path in sorted(home.rglob("*")):
        within = path.relative_to(home).as_posix()
        if path.suffix in (".py", ".lark") and not within.startswith(("__pyinstaller", "tools")):
            yield f"{name}/{within}", path.read_bytes()


def package() -> bytes:
    """The zip that the worker unpacks; the same files make the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in sorted(package_files().items()):
            packed.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


# --- examples -------------------------------------------------------------------------------------


def examples() -> dict[str, tuple[str, str]]:
    """A whole deal for each code: file name to its label and text.

    Made by chance, so that a new code has its example at once.
    """
    made = {}
    for code in judged_codes():
        law = book().rules(code)
        made[f"{code}.hand"] = (f"{law.short}: a whole deal", write([_legal(law)], "hand"))
    return made


def _legal(law: Rules) -> Deal:
    """The first deal by chance with an auction worth reading, won by the declarer, with its due
    score.
    """
    # What stands before the deal is written only where the code has a rubber.
    none = Figures(0, 0) if law.get("rubber-end") else None
    tags = (("title", "A whole deal"), ("note", "Made by chance: legal, not clever."))
    for seed in count(1):
        game = legal_game(Random(seed), law)
        deal = replace(game, tags=(*tags, *game.tags), standing_games=none, standing_trick=none)
        check = check_record(deal)
        final, outcome = check.final, check.outcome
        if (
            final is None
            or outcome is None
            or outcome.taken is None
            or len(deal.calls or ()) < LONG
        ):
            continue
        written = _scored(deal)
        if outcome.taken >= law.value("book") + max(1, final.odd_tricks) and written:
            return written
    raise AssertionError("unreachable")


def _scored(deal: Deal) -> Deal | None:
    """The deal with its score written down.

    `None` where points are taken off or there are no odd tricks to tell.
    """
    account = check_record(deal).account
    scores: list[Score] = []
    for side, column in product(Side, ("trick", "honour")):
        entries = account.entries if account else ()
        points = [e.points for e in entries if e.points and (e.side, e.column) == (side, column)]
        if points:
            scores.append(Score(side, column, tuple(points)))
    if not any(s.column == "trick" for s in scores) or any(p < 0 for s in scores for p in s.points):
        return None
    return replace(deal, scores=tuple(scores))


def _shipped() -> Iterator[tuple[str, str]]:
    """The shipped files of records: name and title."""
    for path in sorted((folder("laws") / "records").glob("*.hand")):
        yield stem_of(path), title_of(read_document(path.read_bytes(), path.name), path.stem)


# --- the page -------------------------------------------------------------------------------------


def doubts(code: str) -> Iterator[tuple[Reading, Choice, list[ChosenReading]]]:
    """The readings that can be chosen under a code, and those of what it keeps of its base: the
    choice that is applied, and the others by which something is judged otherwise.
    """
    chain = book().chain(code)
    gone, options = displaced(chain), [o.id for o in chain[0].options]
    for reading in (r for owner in chain for r in active_readings(owner, options, gone)):
        applied = next(c for c in reading.choices if c.id == reading.applied)
        others = [ChosenReading(reading, c) for c in reading.choices if c is not applied]
        if others := [one for one in others if computes(book(), one)]:
            yield reading, applied, others


def readings_data(code: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The readings of a code: the question, the choice that is applied, and the others, each as a
    record writes it and in words.
    """
    return [
        (reading.question, applied.text, [(one.written, one.choice.text) for one in others])
        for reading, applied, others in doubts(code)
    ]


def check_pages(home: Path | None = None) -> dict[str, str | bytes]:
    """The page, its examples and the files it fetches; nothing where npm's files are not in the
    cache `home`.
    """
    home = home or npm_folder()
    files = fetched(home)
    if not files:
        return {}
    made: dict[str, str | bytes] = {f"{ASSETS}/{PACKAGE}": package()}
    made |= {f"{ASSETS}/{name}": data for name, data in files.items()}
    sizes = {name.rpartition("/")[2]: len(data) for name, data in made.items()}
    shown = examples()
    for name, (label, text) in shown.items():
        made[f"check/{name}"] = f"# {label}\n{text}"
    readings = {code: found for code in judged_codes() if (found := readings_data(code))}
    made[READINGS] = json.dumps(readings, ensure_ascii=False, separators=(",", ":"))
    made[PAGE] = page(
        "check_page",
        PAGE,
        Head("Check a hand", DESCRIPTION, hide="navigation, toc", runs="python"),
        codes=[book().code(code) for code in judged_codes()],
        table=blank(),
        doubted=readings,
        files=sizes,
        whole=f"{sum(sizes.values()) / 1e6:.1f} MB",
        version=version(),
        examples=[
            *((f"check/{name}", label) for name, (label, _) in shown.items()),
            *((f"records/{quote(stem)}.hand", title) for stem, title in _shipped()),
        ],
    )
    return made
