"""The page "Check a hand": the checker itself, run by Pyodide in a worker of the reader's browser.

`fetch` brings Pyodide from npm into a cache, once, with the versions locked in `site_overrides/.npm`.
`check_pages` is pure: from that cache, the lawbook and the package it makes the page and its files, and nothing
where the cache is not there. `browser` is the part that answers in the page.
"""

from __future__ import annotations

import ast
import gzip
import html
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

from oddtrick.cards import Side
from oddtrick.judge.check import check_record
from oddtrick.judge.finding import Severity
from oddtrick.judge.random_deals import faulty_game, legal_game
from oddtrick.law.in_force import InForce, code_data, codes, in_force, judged_codes
from oddtrick.law.store import load
from oddtrick.paths import PACKAGE as HOME
from oddtrick.paths import folder
from oddtrick.record.hand.read import read_bytes
from oddtrick.record.hand.write import write_hand
from oddtrick.record.model import Record, Result, ScoreClaim, SideFigures
from oddtrick.site.gallery import title_of
from oddtrick.site.law_words import LESS, front

PAGE = "check.md"
ASSETS = "assets/python"
"""Where the files lie that are fetched on demand."""

FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""What is needed of the npm package `pyodide`."""

PLAIN = ("pyodide.mjs", "python_stdlib.zip")
"""Files served as they are: a module that the worker imports by its address, and what is compressed already.

The others are gzipped here and unpacked in the worker, so that the size said is the size fetched on any server.
"""

ENTRY = "report.in_page"
"""The module of the package that the worker calls."""

NOT_IN_PAGE = frozenset(("law.compile",))
"""Modules that are never reached in the page: there the lawbook is compiled already."""

PACKAGE = "oddtrick.zip"
LONG = 5
"""How many calls and tricks an example has at least."""

FAULTS = ("play.revoke", "score.odd-tricks")
"""The rules that an example with faults breaks: these and no others, whatever the code."""

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


def fetched(home: Path | None = None) -> bool:
    """Whether the cache holds every file of the locked version."""
    home = home or npm_folder()
    lock = home / "package-lock.json"
    return (
        lock.is_file()
        and lock.read_bytes() == (locked() / "package-lock.json").read_bytes()
        and all((home / "served" / served_name(name)).is_file() for name in FILES)
    )


def fetch(home: Path | None = None, say: Callable[[str], object] = sys.stderr.write) -> bool:
    """Bring Pyodide into the cache where it is not there yet; whether it is there now.

    Calls `npm ci`, which holds every package against the digest in the lock; no script of a package is run.
    Why the page must be left out is said in a line.
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
            say(
                _left_out(
                    f"npm could not fetch Pyodide {version()}: {why[0] if why else 'it does not say why'}"
                )
            )
            return False
        served = made / "served"
        served.mkdir()
        for file in FILES:
            data = (package / file).read_bytes()
            (served / served_name(file)).write_bytes(
                data if file in PLAIN else gzip.compress(data, 9, mtime=0)
            )
        shutil.rmtree(home, ignore_errors=True)
        try:
            made.replace(home)
        except OSError:  # another build was faster; its cache is as good
            return fetched(home)
    return True


def _left_out(why: str) -> str:
    return f"oddtrick site: the page “Check a hand” is left out: {why}.\n"


# --- the package that runs in the page ------------------------------------------------------------


def modules(entry: str = ENTRY) -> tuple[str, ...]:
    """The files of the package that a module needs, itself among them, those imported late too: `law/store.py`."""
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


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] == "oddtrick"
        ):
            below = node.module.partition(".")[2]
            if below:
                yield below
            yield from (f"{below}.{a.name}".lstrip(".") for a in node.names)


def package_files() -> dict[str, bytes]:
    """What the zip holds: the needed modules, the grammars, the compiled lawbook, Lark and the licences."""
    made = {f"oddtrick/{f}": (HOME / f).read_bytes() for f in ("__init__.py", *modules())}
    for grammar in sorted(folder("grammar").iterdir()):
        made[f"oddtrick/data/grammar/{grammar.name}"] = grammar.read_bytes()
    made["oddtrick/data/laws/LICENSE"] = (folder("laws") / "LICENSE").read_bytes()
    for name in ("index", "vocabulary", *codes()):
        made[f"lawbook/{name}.json"] = json.dumps(load(name), ensure_ascii=False).encode()
    spec = importlib.util.find_spec("lark")
    assert spec is not None
    assert spec.origin is not None
    lark = Path(spec.origin).parent
    for path in [
        *sorted(lark.glob("*.py")),
        *sorted((lark / "parsers").glob("*.py")),
        *sorted((lark / "grammars").glob("*.*")),
    ]:
        if path.suffix in (".py", ".lark"):
            made[f"lark/{path.relative_to(lark).as_posix()}"] = path.read_bytes()
    return made


def package() -> bytes:
    """The zip that the worker unpacks; the same files make the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in sorted(package_files().items()):
            packed.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


# --- examples -------------------------------------------------------------------------------------


def examples() -> dict[str, tuple[str, str]]:
    """A whole deal for each code, and one with a fault: file name to its label and text.

    Made by `games`, so that a new code has its examples at once.
    """
    made = {}
    for code in judged_codes():
        rules = in_force(code)
        made[f"{code}.hand"] = (f"{rules.short}: a whole deal", write_hand([_legal(rules)]))
        made[f"{code}-faults.hand"] = (
            f"{rules.short}: a revoke, a score too high",
            write_hand([_faulty(rules)]),
        )
    return made


def _legal(rules: InForce) -> Record:
    """The first deal by chance with an auction worth reading, won by the declarer, with its score as the code gives it."""
    for seed in count(1):
        record = _begun(
            legal_game(Random(seed), rules),
            "A whole deal",
            "Made by chance: legal, not clever.",
            rules,
        )
        check = check_record(record)
        final, outcome = check.final, check.outcome
        if (
            final is None
            or outcome is None
            or outcome.taken is None
            or len(record.bidding or ()) < LONG
        ):
            continue
        written = _scored(record, 0)
        if outcome.taken >= rules.value("book") + max(1, final.odd_tricks) and written:
            return written
    raise AssertionError("unreachable")


def _faulty(rules: InForce) -> Record:
    """The first deal by chance with a revoke late in the play, a result that the play allows, and odd tricks scored 10 too high."""
    for seed in count(1):
        faulty = faulty_game("revoke", Random(seed), rules)
        if faulty is None or len(faulty.bidding or ()) < LONG or len(faulty.play or ()) < LONG:
            continue
        begun = _begun(
            faulty,
            "A deal with two faults",
            "Made by chance, with a revoke and a score that is ten points too high.",
            rules,
        )
        for tricks in range(rules.value("book") + 1, rules.value("hand-size")):
            written = _scored(replace(begun, result=Result("tricks", tricks)), 10)
            found = (
                [
                    f.rule
                    for f in check_record(written).findings
                    if f.severity is not Severity.INCOMPLETE
                ]
                if written
                else []
            )
            if written and sorted(found) == list(FAULTS):
                return written
    raise AssertionError("unreachable")


def _begun(record: Record, title: str, note: str, rules: InForce) -> Record:
    """The record with a title and a note, and at love all where the code has a rubber."""
    none = SideFigures(0, 0) if rules.get("rubber-end") else None
    tags = (("title", title), ("note", note), *record.tags)
    return replace(record, tags=tags, standing_games=none, standing_trick=none)


def _scored(record: Record, more: int) -> Record | None:
    """The record with its score written down, odd tricks `more` points above what is due; `None` where points are taken off or there are no odd tricks to tell."""
    account = check_record(record).account
    scores: list[ScoreClaim] = []
    for side in Side:
        for column in ("trick", "honour"):
            entries = (
                [e for e in account.entries if e.points and e.side is side and e.column == column]
                if account
                else []
            )
            if entries:
                scores.append(
                    ScoreClaim(
                        side,
                        column,
                        tuple(e.points + more * (e.item == "odd-tricks") for e in entries),
                    )
                )
    if not any(s.column == "trick" for s in scores) or any(p < 0 for s in scores for p in s.points):
        return None
    return replace(record, scores=tuple(scores))


def _shipped() -> Iterator[tuple[str, str]]:
    """The shipped files of records: name and title."""
    for path in sorted((folder("laws") / "records").glob("*.hand")):
        yield path.stem, title_of(read_bytes(path.read_bytes(), path.name), path.stem)


# --- the page -------------------------------------------------------------------------------------

TEXT = """\
# Check a hand

<p class="lede">Paste the record of a deal and see what the law of its year says of the bidding, the play and the score.
It is judged in this page, by the same program as on the command line; nothing of it is sent anywhere.</p>

<p class="check-plain" id="check-plain">This page runs the checker in the browser, which needs JavaScript. Without it: <code>oddtrick check my.hand</code> on
the command line, and <a href="../records/">the shipped records</a> with their verdicts.</p>

FORM

## Examples

To begin with: deals of each code, made by chance and legal rather than clever, and those of the printed books.

<div class="check-examples" markdown="1">

EXAMPLES

</div>

## How it works

- A record is written in [the notation of this site](notation.md) or in Portable Bridge Notation; the checker tells them
  apart. A file may hold many deals, rubbers and matches.
- The first check fetches the checker, SIZE: Python for the browser and the lawbook. The browser keeps it as it keeps any file, and
  every check after that takes an instant.
- <kbd>Ctrl</kbd> <kbd>Enter</kbd> in the record checks it. The button on a finding takes the cursor to its place in the
  record; <kbd>Alt</kbd> <kbd>↓</kbd> and <kbd>Alt</kbd> <kbd>↑</kbd> in the record go from one finding to the next.
- A link to a record holds the record itself, behind the <code>#</code>, where no server sees it.
- It is Pyodide VERSION (MPL 2.0) and Lark (MIT) that make this possible.
"""


def check_pages(home: Path | None = None) -> dict[str, str | bytes]:
    """The page, its examples and the files it fetches; nothing where npm's files are not in the cache `home`."""
    home = home or npm_folder()
    if not fetched(home):
        return {}
    made: dict[str, str | bytes] = {f"{ASSETS}/{PACKAGE}": package()}
    for name in FILES:
        made[f"{ASSETS}/{served_name(name)}"] = (home / "served" / served_name(name)).read_bytes()
    sizes = {name.rpartition("/")[2]: len(data) for name, data in made.items()}
    whole = f"{sum(sizes.values()) / 1e6:.1f} MB"
    shown = examples()
    for name, (_, text) in shown.items():
        made[f"check/{name}"] = text
    listed = [_example(f"check/{name}", label) for name, (label, _) in shown.items()]
    listed += [_example(f"records/{stem}.hand", title) for stem, title in _shipped()]
    text = TEXT.replace("FORM", form(sizes, whole)).replace("EXAMPLES", "\n".join(listed))
    text = text.replace("SIZE", whole).replace("VERSION", version())
    description = (
        "A record of a deal judged in the browser by the law of its year: bidding, play and score."
    )
    made[PAGE] = front("Check a hand", description, hide="navigation, toc", boost=LESS) + text
    return made


def _example(path: str, label: str) -> str:
    return f"- [{label}]({path}){{ data-example }}"


def form(sizes: dict[str, int], whole: str) -> str:
    """The form in HTML, hidden until the script shows it. No blank line: Markdown would end it there."""
    offered = [
        {"id": c, "options": [{k: o[k] for k in ("id", "label")} for o in code_data(c)["options"]]}
        for c in judged_codes()
    ]
    chosen = "".join(
        f'<option value="{c}">{html.escape(code_data(c)["short"])}</option>' for c in judged_codes()
    )
    facts = json.dumps(
        {"files": sizes, "codes": offered}, ensure_ascii=False, sort_keys=True
    ).replace("<", "\\u003c")
    lines: Iterable[str] = (
        '<link rel="stylesheet" href="../assets/check.css">',
        '<div class="check" id="check" hidden>',
        '<form class="check-form">',
        '<p class="check-row"><label for="check-example">Begin with</label> <select id="check-example"><option value="">an example…</option></select>'
        ' <label class="check-file">Open a file<input type="file" id="check-file" accept=".hand,.pbn,.txt,text/plain"></label></p>',
        '<label class="check-label" for="check-text">The record</label>',
        '<div class="check-editor"><div class="check-gutter" aria-hidden="true"></div>'
        '<textarea id="check-text" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" '
        'placeholder="Paste a record here, or drop a .hand or .pbn file."></textarea></div>',
        '<p class="check-row"><label for="check-code">Judge it under</label> '
        f'<select id="check-code"><option value="">the code it names</option>{chosen}</select></p>',
        '<fieldset class="check-options" hidden><legend>with</legend></fieldset>',
        '<p class="check-row"><button type="submit" class="check-go">Check</button> '
        '<button type="button" class="check-stop" hidden>Stop</button> '
        '<button type="button" class="check-link">Copy a link to it</button></p>',
        f'<p class="check-size">The first check fetches the checker, {whole}.</p>',
        '<progress class="check-progress" max="1" value="0" aria-label="The checker is fetched" hidden></progress>',
        '<p class="check-status" role="status"></p>',
        "</form>",
        '<section class="check-answer" aria-label="The answer"><p class="check-wait">The verdict, the account and the findings will stand here.</p></section>',
        f'<script type="application/json" id="check-facts">{facts}</script>',
        "</div>",
        '<script src="../assets/check.js" defer></script>',
    )
    return "\n".join(lines)
