"""The page "Check a hand": the checker itself, run by Pyodide in a worker of the reader's browser.

`fetch` brings Pyodide from npm into a cache, once, with the versions locked in
`site_overrides/.npm`. `check_pages` is pure: from that cache, the lawbook and the package it makes
the page and its files, and nothing where the cache is not there. `browser` is the part that answers
in the page.
"""

from __future__ import annotations

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from gzip import compress
from itertools import count, product
from pathlib import Path
from random import Random
from urllib.parse import quote

from oddtrick.cards import Side
from oddtrick.judge.check import check as check_record
from oddtrick.judge.finding import Entry
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
from oddtrick.site.template import TEMPLATES, json_file, page

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

MODULE = "pyodide.mjs"
"""The file that the worker imports by its address, and so the only one that is not compressed."""

NOT_NEEDED = re.compile(
    r"(_pyrepl|ctypes|email|http|multiprocessing|pydoc_data|sqlite3|tkinter|turtledemo|unittest"
    r"|wsgiref|xml|xmlrpc)/|(_py(io|decimal)|bdb|configparser|doctest|ftplib|imaplib|mailbox"
    r"|optparse|pdb|pickletools|poplib|pydoc|smtplib|statistics|tarfile|turtle|uuid)\.py"
    r"|encodings/(?!__init__|aliases|ascii|charmap|cp437|cp1252|idna|latin_1|unicode_escape|utf_)"
)
"""Parts of the standard library that the page never imports."""

ENTRY = "site.in_page"
"""The module of the package that the worker calls."""

NOT_IN_PAGE = frozenset(("law.compile", "site"))
"""Modules that are never reached in the page, where the lawbook is compiled already; and the face
of the site, which would bring all its pages.
"""

ANSWER = ("answer.html", "check.html", "rubber_sheet.html", "table.html")
"""The templates that the package needs in the page."""

READINGS = "check/readings.json"
"""The readings that can be chosen, fetched when a reader opens them."""

LIBRARIES = ("lark", "jinja2", "markupsafe")
"""What the modules need besides the standard library, all of it plain Python."""

PACKAGE = "oddtrick.zip"
LONG = 5
"""The fewest calls of an example."""

STAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a zip, so that the same files make the same bytes."""


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


def fetched(home: Path | None = None) -> dict[str, bytes]:
    """The files in the cache; none if one does not have the locked digest."""
    package = (home or npm_folder()) / "node_modules" / "pyodide"
    try:
        found = {name: (package / name).read_bytes() for name in FILES}
    except OSError:
        return {}
    right = all(hashlib.sha256(data).hexdigest() == FILES[name] for name, data in found.items())
    return found if right else {}


def fetch(home: Path | None = None, say: Callable[[str], object] = sys.stderr.write) -> bool:
    """Bring Pyodide into the cache unless it is there; whether it is there now.

    A line says why the page must be left out.
    """
    home = home or npm_folder()
    if fetched(home):
        return True
    why = _install(home)
    if not why and not fetched(home):
        why = f"what npm brought is not Pyodide {version()}, by its digests"
    if why:
        say(f"oddtrick site: the page “Check a hand” is left out: {why}.\n")
    return not why


def _install(home: Path) -> str:
    """Call `npm ci`, which checks every package against the digest in the lock and here runs no
    script of a package; the reason of a failure.
    """
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed (it comes with Node)"
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
            return f"npm did not come to an end: {error}"
        missing = [f for f in FILES if not (made / "node_modules" / "pyodide" / f).is_file()]
        if done.returncode or missing:
            why = [line for line in done.stderr.splitlines() if "npm error" in line] or missing
            reason = why[0] if why else "it does not say why"
            return f"npm could not fetch Pyodide {version()}: {reason}"
        shutil.rmtree(home, ignore_errors=True)
        with suppress(OSError):  # another build was faster; its cache is as good
            made.replace(home)
    return ""


def served(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files as the site serves them: all but one compressed, so that the size stated is the
    size fetched on any server, and the standard library without what the page does not need.
    """
    made: dict[str, bytes] = {}
    for name, data in files.items():
        if name == MODULE:
            made[name] = data
        elif name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as whole:
                names = [n for n in whole.namelist() if not NOT_NEEDED.match(n)]
                made[name] = zipped({n: whole.read(n) for n in names})
        else:
            made[f"{name}.gz"] = compress(data, 9, mtime=0)
    return made


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files; the same files make the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in sorted(files.items()):
            packed.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


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
    """The zip that the worker unpacks."""
    return zipped(package_files())


# --- examples -------------------------------------------------------------------------------------


def examples() -> dict[str, tuple[str, str]]:
    """A whole deal for each code: file name to its label and text.

    Made at random, so that a new code has its example at once.
    """
    laws = map(book().rules, judged_codes())
    return {
        f"{law.code}.hand": (f"{law.short}: a whole deal", write([_example(law)], "hand"))
        for law in laws
    }


def _example(law: Rules) -> Deal:
    """The first random deal with an auction worth reading that declarer wins, with its score.

    Deals without points for odd tricks, or with points taken off, are passed over.
    """
    # What stands before the deal is written only where the code has a rubber.
    none = Figures(0, 0) if law.get("rubber-end") else None
    tags = (("title", "A whole deal"), ("note", "Made at random: legal, not clever."))
    for seed in count(1):
        game = legal_game(Random(seed), law)
        deal = replace(game, tags=(*tags, *game.tags), standing_games=none, standing_trick=none)
        check = check_record(deal)
        final, outcome, account = check.final, check.outcome, check.account
        if not (final and outcome and account) or len(deal.calls or ()) < LONG:
            continue
        scores = _scores(account.entries)
        won = outcome.taken and outcome.taken >= law.value("book") + max(1, final.odd_tricks)
        odd_tricks = any(claim.column == "trick" for claim in scores)
        if won and odd_tricks and all(p > 0 for claim in scores for p in claim.points):
            return replace(deal, scores=scores)
    raise AssertionError("unreachable")


def _scores(entries: tuple[Entry, ...]) -> tuple[Score, ...]:
    """The claims of a record that state an account."""
    made = []
    for side, column in product(Side, ("trick", "honour")):
        own = (e.points for e in entries if (e.side, e.column) == (side, column))
        if points := tuple(filter(None, own)):
            made.append(Score(side, column, points))
    return tuple(made)


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


def sizes_of(made: Mapping[str, str | bytes]) -> dict[str, int]:
    """The size of each file that is fetched on demand, by its name; none without Pyodide."""
    return {n.rpartition("/")[2]: len(d) for n, d in made.items() if n.startswith(f"{ASSETS}/")}


def check_pages(home: Path | None = None) -> dict[str, str | bytes]:
    """The page, its examples and the files it fetches; nothing where npm's files are not in the
    cache `home`.
    """
    home = home or npm_folder()
    files = fetched(home)
    if not files:
        return {}
    made: dict[str, str | bytes] = {f"{ASSETS}/{PACKAGE}": package()}
    made |= {f"{ASSETS}/{name}": data for name, data in served(files).items()}
    sizes = sizes_of(made)
    shown = examples()
    for name, (label, text) in shown.items():
        made[f"check/{name}"] = f"# {label}\n{text}"
    readings = {code: found for code in judged_codes() if (found := readings_data(code))}
    made[READINGS] = json_file(readings)
    made[PAGE] = page(
        "check_page",
        PAGE,
        codes=[book().code(code) for code in judged_codes()],
        table=blank(),
        doubted=readings,
        files=sizes,
        version=version(),
        examples=[
            *((f"check/{name}", label) for name, (label, _) in shown.items()),
            *((f"records/{quote(stem)}.hand", title) for stem, title in _shipped()),
        ],
    )
    return made
