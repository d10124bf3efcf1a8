"""A new code is data only: copies of two codes' folders under other ids, and nothing else changed.

A copy has another name and date, and every figure in it is raised by one; the programs must accept
it as it is. One copied code stands on its own, the other extends a third. With `ODDTRICK_WHOLE=1`,
the commands are also run on copies of all other codes at once.

Also a program: `test_new_code.py FOLDER` adds the copies to the laws of a clone, whose whole suite
must then pass.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
import yaml
from filelock import FileLock

from conftest import WHOLE
from files import ROOT
from oddtrick.paths import folder

pytestmark = pytest.mark.slow

NEW = {"kenilworth-1919": "royalton-1915", "saratoga-1929": "contract-1927"}
"""The copies by id, with the codes from which they are copied."""

OTHERS = {
    "boston-1914": "duplicate-1912",
    "alton-1901": "bridge-elwell",
    "chester-1913": "auction-1912",
    "dover-1928": "auction-1926",
    "exeter-1905": "bridge-1904",
    "fulham-1909": "auction-1908",
}
"""Copies of the other codes."""


def name_of(code: str) -> str:
    """The name of a copy: `Kenilworth`."""
    return code.partition("-")[0].title()


def raised(value: Any) -> Any:
    """A figure with every number in it raised by one; numbers below three, which count tricks of a
    rubber or passes, stay.
    """
    if isinstance(value, dict):
        return {k: raised(v) for k, v in value.items()}
    if isinstance(value, list):
        return [raised(v) for v in value]
    return value + 1 if isinstance(value, int) and value > 20 else value


def provisions(node: Any) -> Iterator[dict[str, Any]]:
    """Every provision of a file of law data."""
    for law in [
        *node.get("laws", ()),
        *(la for o in node.get("options", ()) for la in o.get("laws", ())),
    ]:
        yield from law["provisions"]


def copy(laws: Path, code: str) -> None:
    """Put the copy of a code's folder beside it, unless it exists."""
    home, name = laws / code, name_of(code)
    if home.is_dir():
        return
    shutil.copytree(laws / (NEW | OTHERS)[code], home)
    for path in sorted(home.glob("*.yaml")):
        node = yaml.safe_load(path.read_text("utf-8"))
        if path.stem == "code":
            node |= {"id": code, "short": name, "date": code[-4:], "title": f"The Laws of {name}"}
            node |= {"aliases": [code, name.lower()]}
        if isinstance(node, dict):
            for provision in provisions(node):
                if "figures" in provision:
                    provision["figures"] = raised(provision["figures"])
                provision["text"] = re.sub(
                    r"\b\d+\b", lambda m: str(raised(int(m[0]))), provision["text"]
                )
        path.write_text(yaml.safe_dump(node, allow_unicode=True, sort_keys=False), "utf-8")


@pytest.fixture(scope="module")
def laws(shared: Path) -> Path:
    """The law data with the copies, made once for all processes."""
    home = shared / "new-code"
    with FileLock(shared / "new-code.lock"):
        return home / "laws" if home.is_dir() else with_copies(home, NEW)


def with_copies(home: Path, codes: Iterable[str]) -> Path:
    """The law data with copies of some codes."""
    shutil.copytree(folder("laws"), home / "laws")
    for code in codes:
        copy(home / "laws", code)
    return home / "laws"


def run(laws: Path, script: str, *arguments: str) -> Any:
    """The JSON that a script prints when these laws are in use."""
    env = os.environ | {
        "ODDTRICK_LAWS": str(laws),
        "ODDTRICK_CACHE": str(laws.parent / "cache"),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_new_code_is_asked_for_rulings_cited_found_and_compared(laws: Path) -> None:
    asked = [
        (code, arguments)
        for code in NEW
        for arguments in (
            ("ruling", "revoke", "--code", code),
            ("cite", f"{name_of(code)} law 1"),
            ("law", code),
            ("search", "revoke", "--code", code),
            ("compare", "revoke-penalty", code, "auction-1912"),
            ("concordance", code, "auction-1912"),
            ("export",),
            ("export", "--scores", code),
            ("topics", "revoke-penalty"),
        )
    ]
    told = run(laws, COMMANDS, *(json.dumps(arguments) for _, arguments in asked))
    for (code, arguments), (status, out, err) in zip(asked, told, strict=True):
        asked_on = 1 if arguments[0] == "ruling" else 0  # the ruling turns on more facts
        assert status == asked_on, (arguments, out[-500:], err)
        assert code in out or name_of(code) in out, arguments


COMMANDS = """
import json, sys
from command import commanded

told = [commanded(*json.loads(words)) for words in sys.argv[1:]]
print(json.dumps([(done.returncode, done.stdout, done.stderr) for done in told]))
"""
"""A process that runs several commands, each a list of words in JSON."""


RULINGS = """
import json, sys
from command import commanded
from random import Random
from faults import FAULTS
from oddtrick.judge.random_deals import legal_game
from lawbook import in_force
from oddtrick.law.book import book
from oddtrick.record import write
from oddtrick.rulings.engine import catalogue

def status(*arguments, given=""):
    done = commanded(*arguments, given=given.encode())
    if done.returncode > 1 or done.stderr.startswith("Traceback"):
        wrong.append((arguments, done.stderr))
    return done

wrong = []
every = int(sys.argv[1])
for code in sys.argv[2:]:
    for option in (None, *(o.id for o in book().code(code).options)):
        under = ("--code", code, *(("--option", option) if option else ()))
        deals = commanded("deal", *under, "--count", "8", "--seed", "1").stdout
        told = json.loads(status("check", "--format", "json", "-", given=deals).stdout)["records"]
        laws = {a.partition(":")[0] for r in told for a in (r["declaration"] or {"laws": ()})["laws"]}
        if {r["code"] for r in told} != {code} or laws - {c.id for c in book().chain(code)}:
            wrong.append(("laws", under, deals))
        for command in ("check", "score"):
            done = status(command, "-", given=deals)
            if done.returncode:
                wrong.append((command, under, done.stdout))
        for fault in FAULTS if every == 1 or option is None else ():
            law, random = in_force(code, (option,) if option else ()), Random(1)
            put, games = FAULTS[fault], (legal_game(random, law) for _ in range(40))
            deal = next((write([f.deal], "hand") for g in games if (f := put(g, random, law))), "")
            if deal and "Verdict: in order" in status("check", "-", given=deal).stdout:
                wrong.append((fault, under, deal))
        for name in list(catalogue())[::every]:
            status("ruling", name, *under)
print(json.dumps(wrong))
"""
"""A process that deals, judges and scores under some codes with each of their options, puts a fault
into a deal, requests the ruling on one irregularity in so many, and prints what went wrong.
"""


def rulings_are_in_order(laws: Path, codes: Iterable[str]) -> None:
    """Deals, their faults and rulings under some codes are as they should be. The lawbook is compiled
    first, which raises whatever `oddtrick lint` would report.
    """
    assert run(laws, RULINGS, "1" if WHOLE else "5", *codes) == []


def test_deals_and_rulings_under_a_new_code_are_in_order(laws: Path, tmp_path: Path) -> None:
    rulings_are_in_order(laws, NEW)
    if WHOLE:
        others = with_copies(tmp_path, OTHERS)
        rulings_are_in_order(others, OTHERS)


SITE = """
import json, sys
from itertools import count
from oddtrick.law.book import book
from oddtrick.site import (
    calculator, compare, concordance, data, dispute, docs, finding, law, plugin, provisions, score_table
)

part, *codes = sys.argv[1:]

def name(given):
    return given if isinstance(given, str) else getattr(given, "id", getattr(given, "code", ""))

def of_theirs(room, maker, empty, own=1, others=0):
    made, of_codes, of_others = getattr(room, maker), count(), count()

    def kept(*given):
        theirs = not {name(one) for one in given[:3]}.isdisjoint(codes)
        number, part = (of_codes, own) if theirs else (of_others, others)
        return made(*given) if part and next(number) % part == 0 else empty

    setattr(room, maker, kept)

part = int(part)
of_theirs(compare, "pair_page", "", part)
of_theirs(concordance, "concordance_page", "", part)
of_theirs(provisions, "joined", {}, part)
score_table.as_csv = lambda law: ""  # as the command exports it
docs.search_pages = lambda: {"subjects.md": ""}  # as the command searches
docs.record_pages = lambda home: {}  # no new code has one
of_theirs(finding, "rule_page", "")
of_theirs(law, "law_page", "", 1, part)
of_theirs(data, "law_json", {}, 1, part)
of_theirs(dispute, "_start", {}, 1, part)
of_theirs(calculator, "denominations_json", {}, part)
pages = {path: text for path, text in (docs.law_pages() | docs.compared_pages()).items() if isinstance(text, str)}
print(json.dumps([pages, plugin.code_entries(book())]))
"""
"""A process that makes the pages of the site. Pages that compare other codes or explain a finding
are left empty, and so are the comparisons of a new code and the laws and questions of other codes
except one in `part`.
"""


@pytest.mark.site
def test_the_site_has_the_pages_of_a_new_code_and_their_links_lead_somewhere(
    laws: Path, pages: dict[str, str | bytes]
) -> None:
    """The pages of other codes that were left empty are in the site of the shipped codes, with the same
    anchors; a link to a comparison that was left empty leads to its page.
    """
    made, entries = run(laws, SITE, "1" if WHOLE else "7", *NEW)
    for code, model in NEW.items():
        assert {name_of(code): f"codes/{code}/index.md"} in entries
        assert f'href="codes/{code}/"' in made["index.md"]
        theirs = {path for path in made if model in path and "--" not in path}
        # The new code has no record of a deal yet, and no readings of what it leaves open.
        assert {path.replace(model, code) for path in theirs} - set(made) == set()
        assert f"concordance/{code}--auction-1912.md" in made
    manual = {path.name: path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")}
    there = {**manual, **pages, **{path: text for path, text in made.items() if text}}
    urls = {
        re.sub(r"(^|/)index$", r"\1", path[:-3]).rstrip("/"): path
        for path in {**there, **made}
        if path[-3:] == ".md"
    }
    ids = {
        path: set(re.findall(r"(?<= id=\"|..\{ #)([^\" ]+)", str(there.get(path, ""))))
        for path in urls.values()
    }
    wrong = []
    for url, path in urls.items():
        if not any(code in path for code in NEW):
            continue
        for href in re.findall(r'<a [^>]*?href="([^"]+)"', made[path]):
            way, _, anchor = unescape(href).partition("#")
            target = urljoin(f"/{url}/", way.partition("?")[0]).strip("/")
            if "://" in href or target in made:
                continue
            found = ids.get(urls.get(target, ""))
            if found is None or (anchor and found and anchor not in found):
                wrong.append((path, href))
    assert wrong == []


if __name__ == "__main__":
    for new in NEW:
        copy(Path(sys.argv[1]), new)
