"""The page "Check a hand": the code that runs in the browser needs nothing else and answers as the
command line does.
"""

import contextlib
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import Any
from zlib import decompress

import pytest

from conftest import WHOLE
from files import ROOT
from lawbook import in_force, judged_codes
from oddtrick.cli import commands as cli
from oddtrick.judge.check import Check
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.law.book import book
from oddtrick.record import deals_in, read_document, write_document
from oddtrick.site import checker as site_check
from oddtrick.site import in_page as browser
from oddtrick.site.record import title_of
from oddtrick.site.table import View, irregularity, read_table
from oddtrick.site.taps import on_table, written

pytestmark = pytest.mark.slow

SHIPPED = sorted((ROOT / "laws" / "records").glob("*.hand"))
PBN = ROOT / "tests" / "pbn" / "clean.pbn"


def answer(text: str, code: str | None = None, options: tuple[str, ...] = ()) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(
        browser.answer(json.dumps({"text": text, "code": code, "options": options}))
    )
    return made


def as_json(made: dict[str, Any]) -> str:
    """What the page shows of the command line's JSON."""
    pre = made["html"].partition("As JSON, for programs</summary><pre")[2]
    return html.unescape(pre.partition(">")[2].partition("</pre>")[0])


def command_line(text: str, *options: str) -> str:
    """The output of `oddtrick check --format json -` for a text on standard input."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert cli.run(["check", "--format", "json", *options, "-"]) in (0, 1, 2)
    return out.getvalue()


@pytest.fixture(scope="module")
def packed() -> bytes:
    """The package as the page fetches it."""
    return site_check.package()


@pytest.fixture(scope="module")
def unpacked(packed: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that the worker unpacks."""
    home = tmp_path_factory.mktemp("package")
    zipfile.ZipFile(io.BytesIO(packed)).extractall(home)
    return home


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache as `fetch` leaves it, with a few bytes in place of each file."""
    home, data = tmp_path / "npm", site_check.zipped({"os.py": b"x" * 1000, "pdb.py": b"y"})
    (home / "node_modules" / "pyodide").mkdir(parents=True)
    digests = dict.fromkeys(site_check.FILES, hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(site_check, "FILES", digests)
    for name in site_check.FILES:
        (home / "node_modules" / "pyodide" / name).write_bytes(data)
    return home


# --- the answers
# ------------------------------------------------------------------------------------


def test_the_package_alone_answers_as_the_command_line_does(unpacked: Path, tmp_path: Path) -> None:
    """Without site-packages: only the package and the standard library can be imported."""
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1])\n"
        "from oddtrick.site import in_page as browser\n"
        "browser.install(sys.argv[1] + '/lawbook.json')\n"
        "for path in sys.argv[2:]:\n"
        "    text = open(path, encoding='utf-8').read()\n"
        "    print(json.dumps(browser.answer(json.dumps({'text': text}))))\n"
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
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for path, ours in zip(files, told, strict=True):
        assert as_json(json.loads(ours)) == command_line(path.read_text("utf-8")), path


def test_a_code_and_options_are_taken_as_on_the_command_line() -> None:
    text = (ROOT / "laws" / "records" / "lenz-p042-jettisoned-king.hand").read_text("utf-8")
    made = answer(text, "contract-1927", ("vanderbilt",))
    assert as_json(made) == command_line(text, "--code", "contract-1927", "--option", "vanderbilt")
    assert as_json(made) != as_json(answer(text))
    refused = answer(text, "bridge-elwel")
    assert refused["failed"]
    assert refused["status"].startswith("There is no code `bridge-elwel`")


def bare(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


@pytest.mark.parametrize(
    "path",
    [*SHIPPED, *sorted((ROOT / "tests" / "findings").glob("*.hand"))][:: 1 if WHOLE else 6],
    ids=lambda path: path.stem,
)
def test_every_finding_is_shown_once_at_its_place_and_its_laws_lead_to_theirs(
    path: Path, pages: dict[str, str | bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Check, "not_used", ())  # takes long to determine, and is not a finding
    made = answer(path.read_text("utf-8"))
    told = json.loads(as_json(made))
    theirs = [f for r in (*told["records"], *told["groups"]) for f in r["findings"]]
    shown = re.findall(
        r'<li id="finding-\d+" class="finding finding-(\w+)">.*?<span class="rule">(.*?)</span>',
        made["html"],
        re.S,
    )
    ours = sorted((severity, bare(rule)) for severity, rule in shown)
    assert ours == sorted((f["severity"], f["rule"]) for f in theirs)
    laws = re.findall(r'href="\.\./(codes/[^"]+)"[^>]*>([^<]+)</a>', made["html"])
    assert laws
    for way, address in laws:
        assert ":" not in address  # cited in words
        page, _, fragment = way.partition("#")
        text = str(pages[f"{page.rstrip('/')}.md"])
        assert not fragment or f'id="{fragment}"' in text, address


def test_findings_are_numbered_in_their_deal_and_one_on_a_shared_line_is_shown_once() -> None:
    deal = "deal {}\ndealer south\ndeclaration 2 hearts by south\n"
    deals = deal.format(1) + deal.format(2)  # the second deal has the wrong dealer as well
    made = answer(f"code auction-1912\nrubber\n{deals}total north-south 4\nend rubber\n")
    shown = re.findall(r'<li id="finding-(\d+)".*?<span class="number">(\d+)</span>', made["html"])
    assert [int(anchor) for anchor, _ in shown] == [1, 2, 3, 4, 5]
    assert [int(number) for _, number in shown] == [1, 2, 1, 2, 3]
    assert "“total north-south 4” has no effect" in bare(made["html"])
    made = answer(f"code auction-1912\noption bogus\n{deals}")
    assert made["html"].count('<li id="finding-') == 1
    assert "As for the deals above: Unknown code or option, line 2." in made["html"]


# --- the package and the page
# -----------------------------------------------------------------------


def test_the_same_files_make_the_same_package(packed: bytes) -> None:
    assert site_check.package() == packed
    files = zipfile.ZipFile(io.BytesIO(packed)).infolist()
    assert {i.date_time for i in files} == {site_check.STAMP}
    assert [i.filename for i in files] == sorted(i.filename for i in files)
    unwanted = ("site/__init__", "cli/", ".pyc")
    assert not any(word in i.filename for i in files for word in unwanted)


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


def test_a_full_cache_asks_npm_for_nothing_and_one_with_another_digest_is_not_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    said: list[str] = []
    assert site_check.fetch(cache, said.append)
    assert said == []
    for name in site_check.FILES:
        file = cache / "node_modules" / "pyodide" / name
        right = file.read_bytes()
        for wrong in (b"x" + right[1:], b"", right[:-1], right + b"x"):
            file.write_bytes(wrong)
            assert not site_check.fetched(cache), (name, wrong[:20])
            assert site_check.check_pages(cache) == {}
        file.unlink()
        assert not site_check.fetch(cache, said.append)
        file.write_bytes(right)
    assert site_check.fetched(cache)


def test_the_lock_is_exact_and_names_no_host() -> None:
    wanted = json.loads((site_check.locked() / "package.json").read_text("utf-8"))["dependencies"]
    lock = (site_check.locked() / "package-lock.json").read_text("utf-8")
    assert list(wanted) == ["pyodide"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", wanted["pyodide"])
    assert site_check.version() == wanted["pyodide"]
    assert "://" not in lock
    assert all("integrity" in p for n, p in json.loads(lock)["packages"].items() if n)


def test_what_npm_brings_is_held_against_the_digests(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm, said = tmp_path / "bin" / "npm", list[str]()
    npm.parent.mkdir()
    lines = [f"printf wrong > node_modules/pyodide/{name}" for name in site_check.FILES]
    npm.write_text("\n".join(["#!/bin/sh", "mkdir -p node_modules/pyodide", *lines]))
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}:/bin:/usr/bin")
    assert not site_check.fetch(tmp_path / "build" / "npm", said.append)
    assert "the digests" in said[0]


def test_each_code_has_an_example_in_order(cache: Path) -> None:
    page = str(site_check.check_pages(cache)[site_check.PAGE])
    for code, (label, text) in zip(judged_codes(), site_check.examples(), strict=False):
        shown = answer(text)
        assert 'class="verdict verdict-legal"' in shown["html"]
        assert 'class="finding ' not in shown["html"]
        assert 'class="account"' in shown["html"]
        assert f'" data-example>{label}</a>' in page
        # The score before the deal is written only if there is a rubber.
        assert len(re.findall(r"^standing (?:games|trick) ", text, re.M)) == (
            2 if in_force(code).get("rubber-end") else 0
        ), code


def test_the_shipped_records_are_offered_by_the_title_of_their_page(cache: Path) -> None:
    page = str(site_check.check_pages(cache)[site_check.PAGE])
    links = dict(re.findall(r'<a href="#record=([^"]+)" data-example>([^<]+)</a>', page))
    offered = {title: carried(record) for record, title in links.items()}
    for path in SHIPPED:
        title = title_of(read_document(path.read_bytes(), path.name), path.stem)
        assert offered[html.escape(title)] == path.read_text("utf-8")
    assert "An evening in 1913" in offered


def carried(record: str) -> str:
    """The text of a record in a link."""
    data = urlsafe_b64decode(record + "=" * (-len(record) % 4))
    return decompress(data, wbits=-15).decode()


# --- the table to tap -----------------------------------------------------------------------------


def tapped(*taps: tuple[str, Any], text: str = "", **view: Any) -> dict[str, Any]:
    made: dict[str, Any] = on_table(text, view, taps)
    return made


def dim(made: dict[str, Any]) -> set[str]:
    """The bids that the table shows as insufficient."""
    return set(re.findall(r'aria-label="([^"]+)" class="dim"', made["html"]))


def test_what_the_table_knows_of_a_code_is_its_law() -> None:
    """Written from the printed laws: 1912, laws 4 and 44 (values, and the example in law 44); 1926,
    law 19; Elwell, laws 45, 51 and 52.
    """

    def bids(code: str, number: int, last: str) -> set[str]:
        text = f"code {code}\ndeal 1\ndealer north\nbidding\n  {last}\n"
        return dim(tapped(("number", number), text=text, mode="bidding"))

    assert "2 diamonds" not in bids("auction-1912", 2, "1 heart")  # fourteen over eight
    assert "2 clubs" in bids("auction-1912", 2, "2 hearts")  # twelve under sixteen
    assert "3 spades" not in bids("auction-1912", 3, "1 club")  # six each: more tricks
    assert "1 spade" not in bids("auction-1926", 1, "1 heart")
    assert "1 spade" in bids("auction-1926", 1, "1 no-trump")
    calls = tapped(code="contract-1927", mode="bidding")["html"].partition("box-calls")[2]
    assert re.findall(r'data-tap="call" value="([^"]+)"', calls) == [
        *("pass", "double", "redouble", "all-pass")
    ]
    for way, turn in (
        ("north: pass to partner", "South"),
        ("north: make hearts", "East"),
        ("north: make hearts, east: may I lead", "West"),
    ):
        text = f"code bridge-elwell\ndeal 1\ndealer north\nbidding\n  {way}\n"
        made = tapped(text=text, mode="bidding")["html"]
        assert f"{turn} is to call." in made, way
        assert 'data-tap="number"' not in made


def test_what_is_asked_of_an_irregularity_is_what_its_law_turns_on() -> None:
    wrong = [
        (name, code, words)
        for name in book().irregularities
        for code in judged_codes()
        for words in irregularity(name, code)["remedies"]
        if not read_remedy(words).ids
    ]
    assert wrong == []
    nothing_made = tapped(code="auction-1926", mode="irregular")["html"]
    assert 'value="made-without-leave"' not in nothing_made  # nothing is made there
    assert irregularity("revoke", "auction-1926")["remedies"]["2 tricks"]
    exposed = irregularity("card-exposed-in-play", "auction-1926")
    assert (exposed["by"], exposed["card"]) == (True, True)
    assert not irregularity("revoke", "auction-1926")["card"]
    assert not irregularity("incorrect-pack", "auction-1926")["by"]


def test_an_irregularity_is_refused_until_player_and_card_are_told() -> None:
    lines = "code auction-1926", "", "deal 1", "dealer south", "", "bidding", "  1 heart, all pass"
    text = "\n".join((*lines, "", "play", "  west: ♣A", ""))
    told: dict[str, Any] = {"mode": "irregular", "name": "card-exposed-in-play"}
    for fields, why in (
        ({"at": ""}, "When was it? Choose the call or card."),
        ({"at": "before"}, "Who did it? Choose the player."),
        ({"at": "card 0", "by": "west"}, "Which card was it? Choose the card."),
    ):
        made = tapped(("irregular", fields), text=text, **told)
        assert (made["refused"], made["text"]) == (why, text)
    form = tapped(text=text, **told)["html"]
    assert (
        '<option value="card 0" selected data-by="west" data-of="♣A">trick 1: West, ♣A</option>'
        in form
    )
    made = tapped(("irregular", {"at": "card 0", "of": "♣3", "by": "west"}), text=text, **told)
    assert made["text"] == text + '  irregularity card-exposed-in-play by west of "♣3"\n'
    assert made["view"]["name"] == ""


def test_an_irregularity_is_filled_in_changed_and_removed() -> None:
    deal = (
        "code auction-1926\n\ndeal 1\ndealer south\n\nhands\n  north  ♠ A  ...\n  east   ♠ K  ...\n"
    )
    view = {"mode": "irregular", "code": "auction-1926"}
    said = "East dropped the ace of spades while West was not looking, or was it East?"
    told = {"name": "card-exposed-in-play", "said": said, "exposed-how": "dropped-on-table"}
    made = tapped(("name", told), text=deal, **view)
    form = made["html"]
    assert made["text"] == deal
    assert "<option selected>♠A</option>" in form
    assert 'value="east" selected' not in form  # two players are named
    assert 'value="dropped-on-table" selected' in form
    assert "A card that was taken back is not part of the play." in form
    assert re.findall(r'<optgroup label="([^"]+)">', form) == ["North", "East", "not recorded"]
    made = tapped(("name", told | {"said": "East dropped it"}), text=deal, **view)
    assert '<option value="east" selected>' in made["html"]

    fields = {"at": "before", "by": "east", "of": "♠A", "exposed-how": "dropped-on-table"}
    wrong = tapped(("irregular", fields), text=deal, **made["view"])
    assert wrong["refused"] == "North holds ♠A. Choose a card of East’s."
    made = tapped(("irregular", fields | {"of": "♠K"}), text=deal, **made["view"])
    line = 'irregularity card-exposed-in-play by east of "♠K"'
    assert f'{line} when "exposed-how dropped-on-table"\n' in made["text"]
    form = tapped(("change", "0"), text=made["text"], **view)
    for chosen in ('value="before" selected', "<option selected>♠K", 'dropped-on-table" selected'):
        assert chosen in form["html"], chosen
    fields = fields | {"of": "♠K", "exposed-how": "", "noticed_by": "south"}
    changed = tapped(("irregular", fields), text=made["text"], **form["view"])
    assert changed["text"].count("irregularity") == 1
    assert f"{line} noticed by south\n" in changed["text"]
    assert tapped(("remove", "0"), text=changed["text"], **view)["text"] == deal


def test_what_was_done_is_recorded_from_a_finding_with_what_is_known() -> None:
    filled = set()
    for path in sorted((ROOT / "laws" / "examples").glob("*.hand")):
        text = path.read_text("utf-8").partition("\ndeal 2")[0] + "\n"
        for words in re.findall('data-told="([^"]*)"', answer(text)["html"]):
            told = json.loads(html.unescape(words))
            form = tapped(("name", told), text=text, mode="irregular")
            known = {"remedy": "", **form["view"]["told"]}
            made = tapped(("irregular", known), text=text, **form["view"])
            assert not made["refused"], (path, made["refused"])
            assert f"irregularity {told['name']}" in made["text"]
            assert words not in answer(made["text"])["html"]
            filled.add((path.stem, known["at"], known.get("by"), known["of"]))
    assert {
        ("declaring.insufficient-bid", "call 1", "west", ""),
        ("play.revoke", "card 2", "east", "♣4"),
        ("play.wrong-leader", "card 0", "east", "♥A"),
    } <= filled


def test_changing_an_irregularity_keeps_what_its_form_does_not_ask() -> None:
    lines = ("code auction-1926", "", "deal 1", "dealer south", "", "play", "  west: ♣A", "")
    told = '  irregularity lead-out-of-turn by east of "♣9" noticed by south '
    told += 'remedy "call-a-suit hearts" chosen by south when "dummy-gone away" note "kept"'
    text = "\n".join((*lines[:-1], told, ""))
    view = {"mode": "irregular", "code": "auction-1926"}
    form = tapped(("change", "0"), text=text, **view)
    assert '<option value="call a suit" selected>' in form["html"]
    assert '<option value="hearts" selected>' in form["html"]
    made = tapped(
        ("irregular", {"at": "card 0", "by": "east", "of": "♣8"}), text=text, **form["view"]
    )
    (line,) = [one for one in made["text"].splitlines() if "irregularity" in one]
    assert line == told.replace("♣9", "♣8")
    late = tapped(
        ("irregular", {"at": "card 0", "by": "east"}), text="\n".join(lines), **form["view"]
    )
    assert late["refused"] == "The record has changed since. Choose the irregularity again."


def test_a_card_played_is_struck_and_the_trick_on_the_table_is_told() -> None:
    lines = "code auction-1926", "", "deal 1", "dealer south", "", "bidding", "  1 heart, all pass"
    made = tapped(text="\n".join((*lines, "", "play", "  west: ♣A ♣2", "")), mode="play")["html"]
    assert re.findall(r'value="(\w+)" [^>]*class="dim"', made) == ["CA", "C2"]
    assert 'aria-label="A of clubs, played"' in made
    now = re.sub(r"<[^>]+>", "", made.partition('class="table-now"')[2].partition("</p>")[0])
    assert now.endswith("On the table: ♣A West, ♣2 North.")


def test_the_reason_why_nothing_is_scored_is_the_true_one() -> None:
    deal = "deal 1\ndeclaration 1 heart by south\nresult 7 tricks\n"
    no_code = "Not scored: no code is known under which to judge it."
    for text, why in (
        (f"code auction-1926\n{deal}gibberish\n", "Not scored: the record could not be read."),
        (deal, no_code),
        (f"code auction-1999\n{deal}", no_code),
    ):
        assert why in answer(text)["html"], text
    rubber = answer(f"code auction-1926\nrubber\n{deal}gibberish\nend rubber\n")["html"]
    assert "totals are not known: a deal could not be read" in rubber


def test_a_tap_writes_the_record_in_its_canonical_form() -> None:
    for path in SHIPPED:
        text = path.read_text("utf-8")
        document = read_document(text.encode())
        deals = len(list(deals_in(document.items)))
        for wanted in (0, deals - 1):
            table = read_table(text, View(deal=wanted))
            assert written(table) == write_document(document), path
            made = tapped(("stated", {"dealer": "west"}), text=text, deal=wanted)
            assert list(deals_in(read_document(made["text"].encode()).items))[wanted].dealer


def test_the_table_begins_the_deal_that_no_line_begins() -> None:
    text = "# mine\n\ndealer south\nbidding\n  1 heart, pass\n"
    made = tapped(("tab", "bidding"), ("call", "pass"), text=text, code="auction-1926")
    lines = (
        "# mine\n\ncode auction-1926\n\ndeal 1\ndealer south\n\nbidding\n  1 heart, pass, pass\n"
    )
    assert (made["text"], made["texts"]) == (lines, [lines])
    assert "East is to call." in made["html"]
    made = tapped(("stated", {"code": "auction-1912"}), text=lines)
    assert made["text"] == lines.replace("1926", "1912")
    # A deal that cannot be read would be lost.
    damaged = f"{text}deal 1\ndealer north\n"
    assert tapped(text=damaged)["error"].startswith("Line 3: ")
    # Every line that cannot be read is named at once.
    error = tapped(text="deal 1\ndeler south\nhonuors ns 3\nrezult 9 tricks\n")["error"]
    assert [line.partition(":")[0] for line in error.split("\n")] == ["Line 2", "Line 3", "Line 4"]


def test_what_the_table_does_not_show_is_left_as_it_is() -> None:
    lines = (
        *("code auction-1926", "", "deal 1  # a comment", 'note "n"', "dealer south", "", "hands"),
        *("  north  ♠ A x x  ...", "", "bidding", '  1 heart "why", pass', "", "play"),
        *(
            "  west: ♣A ♣2 (east ♣3) ♣4",
            "  south claims 5",
            "  south: ♣5",
            "",
            "score north-south gain 3",
            "",
        ),
    )
    text = "\n".join(lines)
    assert write_document(read_document(text.encode())) == text
    taps = (("stated", {"score north-south trick": "24 8"}), ("card", "SK"), ("tab", "play"))
    made = tapped(*taps, ("card", "C6"), text=text)
    changed = text.replace("A x x", "A K x x").replace("  south: ♣5", "  south: ♣5 ♣6")
    assert made["text"] == changed.replace("south gain 3", "south trick 24 8 gain 3")
    assert "Only in the text: note, comments." in made["html"]
    made = tapped(("stated", {"score north-south trick": "many"}), text=text)
    assert made["refused"]
    assert made["text"] == text
