"""The page "Check a hand": the checker, run by Pyodide in a worker of the reader's browser.

`fetch` downloads Pyodide from npm into a cache, once, in the version locked in
`site_overrides/.npm`. `check_pages` builds the page and its files from that cache, the lawbook and
the package; without the cache it returns nothing. `in_page` is the module that answers in the
browser.
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
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from gzip import compress
from itertools import count
from pathlib import Path
from random import Random
from zlib import compressobj

from oddtrick.judge.check import check as check_record
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book, judged_codes
from oddtrick.law.reading_choices import computed_choices
from oddtrick.law.rules import Rules, active_readings, displaced
from oddtrick.paths import PACKAGE as HOME
from oddtrick.paths import folder
from oddtrick.record import read_document, write
from oddtrick.record.deal import Deal, Figures
from oddtrick.record.hand import grammar as hand_grammar
from oddtrick.site.record import title_of
from oddtrick.site.table import blank
from oddtrick.site.template import TEMPLATES, page

PAGE = "check.md"
ASSETS = "assets/python"
"""The folder of the files that the page fetches on demand."""

FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The files needed from the npm package `pyodide`, with their SHA-256 in the locked version."""

MODULE = "pyodide.mjs"
"""The only file that is not compressed, because the worker imports it by its URL."""

NOT_NEEDED = re.compile(
    r"(_pyrepl|ctypes|email|http|multiprocessing|pydoc_data|sqlite3|tkinter|turtledemo|unittest"
    r"|wsgiref|xml|xmlrpc)/|(_py(io|decimal)|bdb|configparser|doctest|ftplib|imaplib|mailbox"
    r"|optparse|pdb|pickletools|poplib|pydoc|smtplib|statistics|tarfile|turtle|uuid)\.py"
    r"|encodings/(?!__init__|aliases|ascii|charmap|cp437|cp1252|idna|latin_1|unicode_escape|utf_)"
)
"""Parts of the standard library that the page never imports."""

IN_PAGE = tuple("calculator check in_page markup rubber_text table taps template".split())
"""The modules of the site that the worker needs. Its `__init__` would import every page."""

ANSWER = ("answer.html", "check.html", "choices.html", "rubber_sheet.html", "table.html")
"""The templates that the package needs in the page."""

LIBRARIES = ("lark", "jinja2", "markupsafe")
"""The third-party packages that the modules need, all in pure Python."""

PACKAGE = "oddtrick.zip"
LONG = 5
"""The minimum number of calls in an example."""

STAMP = (1980, 1, 1, 0, 0, 0)
"""The timestamp of every file in a zip, so that the same files give the same bytes."""


# --- from npm -------------------------------------------------------------------------------------


def npm_folder() -> Path:
    """The cache for npm packages: `build/npm` in the checkout, else below the working folder."""
    home = folder("mkdocs.yml").parent
    return (home if (home / "pyproject.toml").is_file() else Path.cwd()) / "build" / "npm"


def locked() -> Path:
    """The folder with `package.json` and `package-lock.json`."""
    return folder("site_overrides") / ".npm"


def version() -> str:
    """The locked version of Pyodide."""
    lock = json.loads((locked() / "package-lock.json").read_text("utf-8"))
    return str(lock["packages"]["node_modules/pyodide"]["version"])


def fetched(home: Path | None = None) -> dict[str, bytes]:
    """The contents of `FILES` in the cache, by name; empty if a file is missing or has the wrong
    digest.
    """
    package = (home or npm_folder()) / "node_modules" / "pyodide"
    try:
        found = {name: (package / name).read_bytes() for name in FILES}
    except OSError:
        return {}
    right = all(hashlib.sha256(data).hexdigest() == FILES[name] for name, data in found.items())
    return found if right else {}


def fetch(home: Path | None = None, say: Callable[[str], object] = sys.stderr.write) -> bool:
    """Download Pyodide into the cache unless it is there; return whether it is there now.

    On failure, `say` receives a line that explains why the page is left out.
    """
    home = home or npm_folder()
    if fetched(home):
        return True
    why = _install(home)
    if not why and not fetched(home):
        why = f"the digests of the files fetched by npm are not those of Pyodide {version()}"
    if why:
        say(f"oddtrick site: the page “Check a hand” is left out: {why}.\n")
    return not why


def _install(home: Path) -> str:
    """Run `npm ci`, which checks every package against the digest in the lock file, without package
    scripts. Return the reason for a failure, or an empty string.
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
            return f"npm did not finish: {error}"
        missing = [f for f in FILES if not (made / "node_modules" / "pyodide" / f).is_file()]
        if done.returncode or missing:
            why = [line for line in done.stderr.splitlines() if "npm error" in line] or missing
            reason = why[0] if why else "npm gave no reason"
            return f"npm could not fetch Pyodide {version()}: {reason}"
        shutil.rmtree(home, ignore_errors=True)
        with suppress(OSError):  # another build was faster; its cache is as good
            made.replace(home)
    return ""


def served(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files as the site serves them.

    All but `MODULE` are compressed, so that the size stated is the size fetched from any server.
    The standard library is reduced to the modules that the page may need.
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
            made[f"{name}.gz"] = compress(data, 6, mtime=0)
    return made


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A reproducible zip of files: the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in sorted(files.items()):
            packed.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


# --- the package that runs in the page ------------------------------------------------------------


def modules() -> tuple[str, ...]:
    """The files of the package in the page, as `law/book.py`: all but the command line and the
    modules that make pages.
    """
    rooms = (path.relative_to(HOME).as_posix() for path in sorted(HOME.rglob("*.py")))
    site = {f"site/{name}.py" for name in IN_PAGE}
    return tuple(f for f in rooms if f in site or not f.startswith(("cli/", "site/")))


def package_files() -> dict[str, bytes]:
    """The files in the zip: modules, grammars, templates, the words of contracts and messages, the
    compiled lawbook, libraries, and the licence of the laws.
    """
    files = (*modules(), "report/contract_words.toml", "report/messages.json")
    made = {f"oddtrick/{f}": (HOME / f).read_bytes() for f in files}
    for grammar in sorted(folder("grammar").iterdir()):
        made[f"oddtrick/data/grammar/{grammar.name}"] = grammar.read_bytes()
    made[f"oddtrick/data/compiled/{hand_grammar.file_name()}"] = hand_grammar.compiled()
    made["oddtrick/data/laws/LICENSE"] = (folder("laws") / "LICENSE").read_bytes()
    for template in ANSWER:
        made[f"oddtrick/site/templates/{template}"] = (TEMPLATES / template).read_bytes()
    data = {part: book().data[part] for part in ("vocabulary", "codes")}
    made["lawbook.json"] = json.dumps(data, ensure_ascii=False).encode()
    return made | {name: data for library in LIBRARIES for name, data in _library(library)}


def _library(name: str) -> Iterator[tuple[str, bytes]]:
    """The Python files and grammars of an installed package: path and content."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    home = Path(spec.origin).parent
    for path in sorted(home.rglob("*")):
        within = path.relative_to(home).as_posix()
        if path.suffix in (".py", ".lark") and not within.startswith(("__pyinstaller", "tools")):
            yield f"{name}/{within}", path.read_bytes()


def package() -> bytes:
    """The contents of the zip that the worker unpacks."""
    return zipped(package_files())


# --- examples -------------------------------------------------------------------------------------


def examples() -> Iterator[tuple[str, str]]:
    """A complete deal for each code, and the shipped records, each with its label and text.

    The deals are random, so that a new code gets its example automatically.
    """
    for law in map(book().rules, judged_codes()):
        yield f"{law.short}: a complete deal", write([_example(law)], "hand")
    for path in sorted((folder("laws") / "records").glob("*.hand")):
        title = title_of(read_document(path.read_bytes(), path.name), path.stem)
        yield title, path.read_text("utf-8")


def linked(text: str) -> str:
    """A record encoded for a link to the page, like `packed` in `page.js`."""
    raw = compressobj(9, wbits=-15)
    return urlsafe_b64encode(raw.compress(text.encode()) + raw.flush()).decode().rstrip("=")


def _example(law: Rules) -> Deal:
    """The first random deal with at least `LONG` calls in which declarer scores for odd tricks."""
    # The score before the deal is written only if the code has a rubber.
    none = Figures(0, 0) if law.get("rubber-end") else None
    tags = (("title", "A complete deal"), ("note", "A random deal: legal, but not clever."))
    for seed in count(1):
        game = legal_game(Random(seed), law)
        deal = game._replace(tags=(*tags, *game.tags), standing_games=none, standing_trick=none)
        account = check_record(deal).account
        scored = account and any(entry.column == "trick" for entry in account.entries)
        if scored and len(deal.calls or ()) >= LONG:
            return deal
    raise AssertionError("unreachable")


# --- the page -------------------------------------------------------------------------------------


def readings_of(code: str) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """The readings that can be chosen under a code, including those it inherits from its base.

    Yields for each reading the question, the choice applied in words, and the other choices that
    affect the checker, each as a record writes it and in words.
    """
    chain = book().chain(code)
    gone, options = displaced(chain), [o.id for o in chain[0].options]
    for reading in (r for owner in chain for r in active_readings(owner, options, gone)):
        texts = {choice.id: choice.text for choice in reading.choices}
        others = computed_choices(book(), reading)
        if listed := [(o.written, o.choice.text) for o in others]:
            yield reading.question, texts[reading.applied], listed


def sizes_of(made: Mapping[str, str | bytes]) -> dict[str, int]:
    """The sizes in bytes of the files fetched on demand, by name; empty without Pyodide."""
    return {n.rpartition("/")[2]: len(d) for n, d in made.items() if n.startswith(f"{ASSETS}/")}


def check_pages(home: Path | None = None) -> dict[str, str | bytes]:
    """The page and the files it fetches; empty if the files from npm are not in the
    cache `home`.
    """
    home = home or npm_folder()
    files = fetched(home)
    if not files:
        return {}
    made: dict[str, str | bytes] = {f"{ASSETS}/{PACKAGE}": package()}
    made |= {f"{ASSETS}/{name}": data for name, data in served(files).items()}
    sizes = sizes_of(made)
    made[PAGE] = page(
        "check_page",
        PAGE,
        codes=[book().code(code) for code in judged_codes()],
        table=blank(),
        readings={code: list(readings_of(code)) for code in judged_codes()},
        files=sizes,
        version=version(),
        examples=[(label, linked(text)) for label, text in examples()],
    )
    return made
