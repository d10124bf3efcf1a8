"""The page that checks a hand: what runs in the browser needs nothing else and answers as the command line does."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from oddtrick.cli import commands as cli
from oddtrick.law.in_force import in_force, judged_codes
from oddtrick.record.hand.read import read_bytes
from oddtrick.report import in_page as browser
from oddtrick.site import checker as site_check
from oddtrick.site.gallery import title_of
from oddtrick.site.law_words import target

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = sorted((ROOT / "laws" / "records").glob("*.hand"))
PBN = ROOT / "tests" / "pbn" / "clean.pbn"


def answer(text: str, code: str | None = None, options: tuple[str, ...] = ()) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(
        browser.answer(json.dumps({"text": text, "code": code, "options": options}))
    )
    return made


def command_line(text: str, *options: str) -> str:
    """What `oddtrick check --format json -` prints for a text on standard input."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert cli.run(["check", "--format", "json", *options, "-"]) in (0, 1, 2)
    return out.getvalue()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that the worker unpacks."""
    home = tmp_path_factory.mktemp("package")
    zipfile.ZipFile(io.BytesIO(site_check.package())).extractall(home)
    return home


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache as `fetch` leaves it, with a few bytes in the place of each file."""
    home = tmp_path / "npm"
    (home / "served").mkdir(parents=True)
    shutil.copyfile(site_check.locked() / "package-lock.json", home / "package-lock.json")
    for name in site_check.FILES:
        (home / "served" / site_check.served_name(name)).write_bytes(b"x" * 1000)
    return home


# --- the answers ------------------------------------------------------------------------------------


def test_the_package_alone_answers_as_the_command_line_does(unpacked: Path, tmp_path: Path) -> None:
    """Without site-packages: nothing but the package and the standard library can be imported."""
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1])\n"
        "from oddtrick.report import in_page as browser\n"
        "browser.install(sys.argv[1] + '/lawbook')\n"
        "for path in sys.argv[2:]:\n"
        "    text = open(path, encoding='utf-8').read()\n"
        "    print(json.dumps(json.loads(browser.answer(json.dumps({'text': text})))['json']))\n"
    )
    own = tmp_path / "package"
    shutil.copytree(unpacked, own)
    files = [*SHIPPED, PBN]
    command = [sys.executable, "-E", "-s", "-S", "-c", code, str(own), *map(str, files)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(tmp_path), "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for path, ours in zip(files, told, strict=True):
        assert ours == command_line(path.read_text("utf-8")), path


def test_under_node_pyodide_answers_as_the_command_line_does(
    unpacked: Path, tmp_path: Path
) -> None:
    node = shutil.which("node")
    said: list[str] = []
    if node is None or not site_check.fetch(say=said.append):
        pytest.skip("needs node and npm's pyodide: " + " ".join(said or ["node is not installed"]))
    record = ROOT / "laws" / "records" / "lenz-p042-jettisoned-king.hand"
    zipped = tmp_path / "oddtrick.zip"
    zipped.write_bytes(site_check.package())
    script = tmp_path / "check.mjs"
    script.write_text(
        'import { readFileSync } from "node:fs";\n'
        "const [, , pyodide, zip, record] = process.argv;\n"
        "const { loadPyodide } = await import(pyodide);\n"
        "const python = await loadPyodide();\n"
        'python.unpackArchive(new Uint8Array(readFileSync(zip)), "zip", { extractDir: "/oddtrick" });\n'
        'python.runPython(`import sys\nsys.path.insert(0, "/oddtrick")\nfrom oddtrick.report import in_page as browser\nbrowser.install("/oddtrick/lawbook")`);\n'
        'const answer = python.pyimport("oddtrick.report.in_page").answer;\n'
        'const text = readFileSync(record, "utf8");\n'
        "process.stdout.write(JSON.parse(answer(JSON.stringify({ text }))).json);\n"
    )
    module = site_check.npm_folder() / "node_modules" / "pyodide" / "pyodide.mjs"
    done = subprocess.run(
        [node, str(script), str(module), str(zipped), str(record)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == command_line(record.read_text("utf-8"))


def test_a_code_and_options_are_taken_as_on_the_command_line() -> None:
    text = (ROOT / "laws" / "records" / "lenz-p042-jettisoned-king.hand").read_text("utf-8")
    made = answer(text, "contract-1927", ("vanderbilt",))
    assert made["json"] == command_line(text, "--code", "contract-1927", "--option", "vanderbilt")
    assert made["json"] != answer(text)["json"]
    assert answer(text, "bridge-elwel")["wrong"].startswith("There is no code `bridge-elwel`")


def test_pbn_is_known_by_its_tags_even_behind_a_remark() -> None:
    text = PBN.read_text("utf-8")
    assert "notation.syntax" not in answer("; a remark\n" + text)["json"]
    assert [i["title"] for i in answer("; a remark\n" + text)["items"]] == [
        i["title"] for i in answer(text)["items"]
    ]


def test_every_finding_of_the_json_is_shown_once_at_its_place() -> None:
    for path in [*SHIPPED, *sorted((ROOT / "tests" / "findings").glob("*.hand"))]:
        made = answer(path.read_text("utf-8"))
        told = json.loads(made["json"])
        ours = [(f["rule"], f["line"], f["column"]) for i in made["items"] for f in i["findings"]]
        theirs = [
            (f["rule"], f["line"], f["column"])
            for r in (*told["records"], *told["groups"])
            for f in r["findings"]
        ]
        assert sorted(ours) == sorted(theirs), path


def test_every_law_of_an_answer_leads_to_its_place_on_the_site(
    pages: dict[str, str | bytes],
) -> None:
    seen = 0
    for path in [*SHIPPED, *sorted((ROOT / "tests" / "findings").glob("*.hand"))]:
        shown = answer(path.read_text("utf-8"))
        for item in shown["items"]:
            for part in (item, *item["findings"], *(item.get("entries") or ())):
                assert set(part["laws"]) <= set(shown["links"]), path
        for address, link in shown["links"].items():
            page, fragment = target(address)
            url = page.removesuffix("index.md").removesuffix(".md")
            assert link["path"] == f"{url.rstrip('/')}/" + (f"#{fragment}" if fragment else "")
            text = pages[page]
            assert isinstance(text, str)
            assert not fragment or f'id="{fragment}"' in text, address
            seen += 1
    assert seen > 100


# --- the package and the page -----------------------------------------------------------------------


def test_the_same_files_make_the_same_package() -> None:
    first = site_check.package()
    assert site_check.package() == first
    packed = zipfile.ZipFile(io.BytesIO(first))
    assert {i.date_time for i in packed.infolist()} == {site_check.STAMP}
    assert [i.filename for i in packed.infolist()] == sorted(i.filename for i in packed.infolist())
    assert not any(word in n for n in packed.namelist() for word in ("site", "law/compile", ".pyc"))


def test_the_lock_is_exact_and_names_no_host() -> None:
    wanted = json.loads((site_check.locked() / "package.json").read_text("utf-8"))["dependencies"]
    lock = (site_check.locked() / "package-lock.json").read_text("utf-8")
    assert list(wanted) == ["pyodide"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", wanted["pyodide"])
    assert site_check.version() == wanted["pyodide"]
    assert "://" not in lock
    assert all("integrity" in p for n, p in json.loads(lock)["packages"].items() if n)


def test_without_npm_the_page_is_left_out_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    assert not site_check.fetch(tmp_path / "npm", said.append)
    assert said == [
        "oddtrick site: the page “Check a hand” is left out: npm is not installed (it comes with Node).\n"
    ]
    assert site_check.check_pages(tmp_path / "npm") == {}


def test_where_npm_fails_the_page_is_left_out_and_the_reason_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text("#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}:/bin:/usr/bin")
    said: list[str] = []
    assert not site_check.fetch(tmp_path / "build" / "npm", said.append)
    assert "ENOTFOUND" in said[0]
    assert list((tmp_path / "build").iterdir()) == []


def test_a_full_cache_asks_npm_for_nothing_and_one_of_another_lock_is_not_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    said: list[str] = []
    assert site_check.fetch(cache, said.append)
    assert said == []
    (cache / "package-lock.json").write_text("{}")
    assert not site_check.fetched(cache)
    assert site_check.check_pages(cache) == {}


def test_the_page_says_the_size_of_what_it_fetches(cache: Path) -> None:
    made = site_check.check_pages(cache)
    page = made[site_check.PAGE]
    assert isinstance(page, str)
    facts = json.loads(page.split('id="check-facts">')[1].split("</script>")[0])
    sizes = {
        n.removeprefix(f"{site_check.ASSETS}/"): len(c)
        for n, c in made.items()
        if n.startswith(site_check.ASSETS)
    }
    assert facts["files"] == sizes
    assert f"fetches the checker, {sum(sizes.values()) / 1e6:.1f} MB" in page
    assert [c["id"] for c in facts["codes"]] == list(judged_codes())
    assert site_check.check_pages(cache) == made


def test_each_code_has_an_example_in_order_and_one_with_the_two_faults_it_promises(
    cache: Path,
) -> None:
    made = site_check.check_pages(cache)
    page = made[site_check.PAGE]
    assert isinstance(page, str)
    for code in judged_codes():
        whole, wrong = (made[f"check/{code}{end}.hand"] for end in ("", "-faults"))
        assert isinstance(whole, str)
        assert isinstance(wrong, str)
        (item,) = answer(whole)["items"]
        assert (item["verdict"], item["findings"]) == ("legal", [])
        assert item["entries"]
        (item,) = answer(wrong)["items"]
        found = [
            (f["rule"], f["severity"]) for f in item["findings"] if f["severity"] != "incomplete"
        ]
        assert found == [("play.revoke", "irregular"), ("score.odd-tricks", "irregular")], code
        assert f"(check/{code}.hand)" in page
        assert (
            f"[{in_force(code).short}: a revoke, a score too high](check/{code}-faults.hand)"
            in page
        )
        for text, note in (
            (whole, "legal, not clever."),
            (wrong, "with a revoke and a score that is ten points too high."),
        ):
            assert re.findall(r'^note "Made by chance[:,] (.*)"$', text, re.M) == [note], code
            # What stands before the deal is written where there is a rubber, and there alone.
            assert len(re.findall(r"^standing (?:games|trick) ", text, re.M)) == (
                2 if in_force(code).get("rubber-end") else 0
            ), code


def test_the_shipped_records_are_offered_by_the_title_of_their_page(cache: Path) -> None:
    page = str(site_check.check_pages(cache)[site_check.PAGE])
    for path in SHIPPED:
        title = title_of(read_bytes(path.read_bytes(), path.name), path.stem)
        assert f"- [{title}](records/{path.name}){{ data-example }}" in page
    assert "[An evening in 1913](records/made-up-rubber-1912.hand)" in page


def test_what_is_added_in_the_total_is_summed_in_a_column_of_its_own() -> None:
    text = (ROOT / "laws" / "records" / "we-and-they-1912-score-sheet.hand").read_text("utf-8")
    last = answer(text)["items"][12]
    assert last["totals"] == {
        "NS": {"trick": 36, "honour": 36, "total": 250},
        "EW": {"trick": 0, "honour": 0, "total": 0},
    }
    assert last["after"] == ["North and South have won 2 games; the rubber is over."]
    for path in SHIPPED:
        for item in answer(path.read_text("utf-8"))["items"]:
            if item.get("totals"):
                summed = sum(points for side in item["totals"].values() for points in side.values())
                assert summed == sum(e["points"] for e in item["entries"]), path
