"""A new code is data only: copies of two codes' folders under other ids, and nothing else touched.

A copy has another name and date, and every figure in it is one higher; the programs must take it
as it is. One copied code stands alone, the other extends a third. With `ODDTRICK_WHOLE=1` copies of
the other codes, all at once, are put to the commands.

Also a program: `test_new_code.py FOLDER` puts the copies into the laws of a clone, whose whole suite
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

from conftest import WHOLE
from oddtrick.paths import folder

pytestmark = pytest.mark.slow

NEW = {"kenilworth-1919": "royalton-1915", "saratoga-1929": "contract-1927"}
"""The copies by their ids, with the codes that they are copied from."""

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
    """What a copy is called: `Kenilworth`."""
    return code.partition("-")[0].title()


def raised(value: Any) -> Any:
    """A figure with every number in it one higher; numbers below three count tricks of a rubber or
    passes, and stay.
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
    """Put the copy of a code's folder beside it, where it is not there yet."""
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
def laws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_copies(tmp_path_factory.mktemp("new"), NEW)


def with_copies(home: Path, codes: Iterable[str]) -> Path:
    """The law data with copies of some codes."""
    shutil.copytree(folder("laws"), home / "laws")
    for code in codes:
        copy(home / "laws", code)
    return home / "laws"


def python(
    laws: Path, *arguments: str, given: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A process of Python in which these laws are in use."""
    env = (
        os.environ
        | (env or {})
        | {"ODDTRICK_LAWS": str(laws), "ODDTRICK_CACHE": str(laws.parent / "cache")}
    )
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, env=env, check=False
    )


def oddtrick(laws: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A command of the program with these laws."""
    return python(laws, "-m", "oddtrick", *arguments, given=given)


def test_the_law_data_with_a_new_code_are_in_order(laws: Path) -> None:
    done = oddtrick(laws, "lint")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


ALL_AT_ONCE = """
import json, sys
from command import commanded

told = [(done.returncode, done.stdout, done.stderr)
        for done in (commanded(*arguments) for arguments in json.load(sys.stdin))]
json.dump(told, sys.stdout)
"""
"""A process that runs several commands, given as lists of words, and tells what became of each."""


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
            ("topics",),
        )
    ]
    env = {"PYTHONPATH": str(Path(__file__).parent)}
    done = python(laws, "-c", ALL_AT_ONCE, given=json.dumps([a for _, a in asked]), env=env)
    assert done.returncode == 0, done.stderr
    for (code, arguments), (status, out, err) in zip(asked, json.loads(done.stdout), strict=True):
        asked_on = 1 if arguments[0] == "ruling" else 0  # the ruling turns on more facts
        assert status == asked_on, (arguments, out[-500:], err)
        assert code in out or name_of(code) in out, arguments


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
into a deal, asks for the ruling on one irregularity in so many, and tells what went wrong.
"""


def rulings_are_in_order(laws: Path, codes: Iterable[str]) -> None:
    """Deals, their faults and rulings under some codes come to nothing wrong."""
    script = (RULINGS, "1" if WHOLE else "5", *codes)
    done = python(laws, "-c", *script, env={"PYTHONPATH": str(Path(__file__).parent)})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_deals_and_rulings_under_a_new_code_are_in_order(laws: Path, tmp_path: Path) -> None:
    rulings_are_in_order(laws, NEW)
    if WHOLE:
        others = with_copies(tmp_path, OTHERS)
        done = oddtrick(others, "lint")
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        rulings_are_in_order(others, OTHERS)


SITE = """
import json, sys
from itertools import count
from pathlib import Path
from oddtrick.site import (
    calculator, compare, concordance, data, dispute, docs, law, plugin, provisions, score_table
)

sys.path.insert(0, sys.argv[1])
from build_site import built
from oddtrick.law.book import book

home, kept, part, *codes = sys.argv[2:]

def name(given):
    return given if isinstance(given, str) else getattr(given, "id", getattr(given, "code", ""))

def of_theirs(room, maker, empty, part=0):
    made, others = getattr(room, maker), count()

    def kept(*given):
        theirs = not {name(one) for one in given[:3]}.isdisjoint(codes)
        wanted = theirs or part and next(others) % part == 0
        return made(*given) if wanted else empty(*given)

    setattr(room, maker, kept)

def nothing(*given):
    return ""

def no_data(*given):
    return {}

of_theirs(compare, "pair_page", nothing)
of_theirs(concordance, "concordance_page", nothing)
of_theirs(provisions, "joined", no_data)
of_theirs(score_table, "as_csv", nothing)
of_theirs(law, "law_page", nothing, int(part))
of_theirs(data, "law_json", no_data, int(part))
of_theirs(dispute, "_start", no_data, int(part))
of_theirs(calculator, "denominations_json", no_data, int(part))

def pages():
    made = docs.pages()
    Path(kept).write_text(json.dumps({p: c for p, c in made.items() if isinstance(c, str)}))
    alone = ("codes/", "compare/", "concordance/", "disputes/", "records/", "rules/", "topics/")
    theirs = sorted(path for path in made if any(code in path for code in codes))
    few = {path for path in theirs if path.endswith(("/1.md", "auction-1912.md"))} | {*theirs[::6]}
    return {
        path: content for path, content in made.items()
        if not (path.startswith(alone) and path.endswith(".md"))
        or path.endswith("/index.md") or path in few
    }

sys.exit(built(Path(home), (pages(), plugin.code_entries(book()))))
"""
"""A process that keeps every page of the site, those that compare or score other codes empty, of
their laws and questions all but one in `part`, and renders a few of those of some codes and all
that stand in the navigation, every warning counting.
"""


@pytest.fixture(scope="module")
def made(laws: Path) -> dict[str, str]:
    """Every page of the site with the new codes, by path."""
    home = laws.parent
    paths = (str(Path(__file__).parent), str(home), str(home / "pages.json"))
    done = python(laws, "-c", SITE, *paths, "1" if WHOLE else "7", *NEW)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads((home / "pages.json").read_text("utf-8"))
    return found


@pytest.mark.site
@pytest.mark.parametrize("code", NEW)
def test_the_site_has_the_pages_of_a_new_code(laws: Path, made: dict[str, str], code: str) -> None:
    site, model = laws.parent / "site", NEW[code]
    assert f'href="codes/{code}/"' in (site / "index.html").read_text("utf-8")
    assert (site / "codes" / code / "1" / "index.html").is_file()
    assert (site / "concordance" / f"{code}--auction-1912" / "index.html").is_file()
    theirs = {path for path in made if model in path and "--" not in path}
    # Nobody has written the record of a deal under the new code, or read what it leaves open.
    assert {path.replace(model, code) for path in theirs} - set(made) == set()


@pytest.mark.site
def test_every_link_on_a_page_of_a_new_code_leads_somewhere(
    made: dict[str, str], pages: dict[str, str | bytes]
) -> None:
    """What was left empty is in the site of the shipped codes, with the same anchors."""
    urls = {
        re.sub(r"(^|/)index$", r"\1", path[:-3]).rstrip("/"): path
        for path in made
        if path[-3:] == ".md"
    }
    ids = {
        path: set(re.findall(r' id="([^"]+)"', made[path] or str(pages.get(path, ""))))
        for path in urls.values()
    }
    wrong = []
    for path in (p for p in urls.values() if any(code in p for code in NEW)):
        here = "/" + next(url for url, p in urls.items() if p == path) + "/"
        for href in re.findall(r'<a [^>]*?href="([^"]+)"', made[path]):
            way, _, anchor = unescape(href).partition("#")
            target = urljoin(here, way.partition("?")[0]).strip("/")
            if "://" in href or target in made:
                continue
            if target not in urls or (anchor and anchor not in ids[urls[target]]):
                wrong.append((path, href))
    assert wrong == []


if __name__ == "__main__":
    for new in NEW:
        copy(Path(sys.argv[1]), new)
