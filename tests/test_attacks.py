"""Inputs that once broke the program, each as a class: the input itself and its neighbours."""

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import commanded
from files import ROOT
from oddtrick.limits import ARGUMENT, PAGE, SHARED, WORDS, WRITTEN
from oddtrick.record import converted, read
from oddtrick.record.deal import Deal, Group
from oddtrick.report.forms import _row
from oddtrick.site import in_page
from oddtrick.site.record import published, record_pages, stem_of

DEAL = "code auction-1926\ndeal 1\n"


# --- numbers --------------------------------------------------------------------------------------

DIGITS = ("9" * 7, "9" * 1_900, "٣" * 50, "0" * 100 + "4")
CONTRACTS = (
    "4 hearts by South, {} tricks", "{} hearts, 10 tricks", "4 hearts, {} over", "4 hearts, {} down",
    "4 hearts, 10 tricks, {} honours", "4 hearts, 10 tricks, {} below", "4 hearts, 10 tricks, {} to 20 below",
    "4 hearts doubled {} times, 10 tricks", "{}", "4 hearts made {}",
)  # fmt: skip
STATEMENTS = (
    "tray {}", "result made {}", "result {} tricks", "declaration {} spades by south",
    "honours north-south {}", "score north-south trick {}", "standing games north-south {} east-west 0",
    "declaration 1 spade doubled {} times by south", "deal {}", "bidding\n  {} spades",
    "play\nsouth claims {}",
)  # fmt: skip
TAGS = ("Board", "Result", "Contract", "Score", "ScoreRubber", "RubberHistory", "Table", "Round")  # fmt: skip
LIN = ("qx|o{}|md|3S2,,,|", "md|{}S2,,,|", "md|3S2,,,|mc|{}|", "vg|x,x,I,{},9,a,0,b,0|md|3S2,,,|")


@pytest.mark.parametrize("number", [*DIGITS, "9" * 5_000])
def test_a_number_beyond_all_counting_is_refused_wherever_it_stands(number: str) -> None:
    for words in CONTRACTS:
        for command in ("score", "ruling"):
            done = commanded(command, words.replace("{}", number))
            assert done.returncode in (0, 1, 2), words
        asked = {"of": "rubber", "text": RUBBER, "words": words.replace("{}", number)}
        assert "status" in json.loads(in_page.answer(json.dumps(asked)))
    texts = [(DEAL + s.replace("{}", number) + "\n", "hand") for s in STATEMENTS]
    texts += [(f'[Board "1"]\n[{tag} "{number}"]\n', "pbn") for tag in TAGS]
    texts += [(words.replace("{}", number) + "\n", "lin") for words in LIN]
    for text, notation in texts:
        done = commanded("check", "--from", notation, "-", given=text.encode())
        assert done.returncode in (0, 1, 2), text[:60]


RUBBER = 'code auction-1926\n\nrubber "r"\n\nend rubber\n'


@pytest.mark.parametrize(
    "call",
    [
        ("search", "--limit", "{}", "revoke"),
        ("deal", "--code", "auction-1926", "--count", "{}x"),
        ("deal", "--code", "auction-1926", "--seed", "{}"),
        ("check", "--jobs", "{}", "-"),
        ("law", "1912:{}"),
        ("cite", "1912 law {}"),
        ("compare", "{}", "1912", "1926"),
        ("ruling", "revoke", "--code", "{}"),
    ],
)
def test_a_number_beyond_all_counting_is_a_wrong_argument(call: tuple[str, ...]) -> None:
    for number in ("9" * 4_000, "9" * 5_000, "²" * 5_000):
        done = commanded(*(a.replace("{}", number) for a in call))
        assert done.returncode in ((0, 2) if len(number) < 4_300 else (2,))


# --- long words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["compare", "law", "cite", "search", "ruling", "score", "topics"]
)
@pytest.mark.parametrize("unit", ["a", "1 ", "a-", "law ", "§", "é"])
def test_long_words_are_refused_at_once(command: str, unit: str) -> None:
    for length in (WORDS.most + 2, ARGUMENT.most + 1, 120_000):
        words = (unit * length)[:length]
        begun = time.process_time()
        done = commanded(command, words)
        assert done.returncode in (1, 2)
        assert len(done.stderr) < 60_000
        assert time.process_time() - begun < 2
        if length > ARGUMENT.most:
            assert ARGUMENT.message(length=f"{length:,}") in done.stderr
        elif command == "search":
            assert WORDS.message(length=f"{length:,}")[1:] in done.stderr


def test_a_page_refuses_a_record_that_is_too_long() -> None:
    for of in (None, "table", "rubber"):
        asked = {"text": "#" * (PAGE.most + 1), "of": of}
        assert json.loads(in_page.answer(json.dumps(asked))) == {
            "failed": True,
            "status": PAGE.message(),
        }


# --- calls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "rule"), [(900, "declaring.insufficient-bid"), (1_001, "notation.too-many")]
)
def test_a_deal_with_hundreds_of_insufficient_bids_is_judged(calls: int, rule: str) -> None:
    bids = {
        "hand": "deal 1\ndealer south\nbidding\n" + "  1 spade\n" * calls,
        "pbn": '[Auction "S"]\n' + "1S\n" * calls,
    }
    for notation, text in bids.items():
        asked = "check", "--code", "contract-1927", "--from", notation, "-"
        assert rule in commanded(*asked, given=text.encode()).stdout


# --- values taken over ----------------------------------------------------------------------------


def test_a_long_value_is_not_multiplied_by_the_records_that_take_it_over() -> None:
    long, number = "x" * 20_000, 100
    headers = (
        f'[Event "{long}"]\n', f'[Event "##{long}"]\n', f'[Deal "{long}"]\n',
        "".join(f'[T{n} "##{"y" * 500}"]\n' for n in range(40)),
        f'[Event "{long[:3000]}"]\n[Site "{long[:3000]}"]\n',
    )  # fmt: skip
    for header in headers:
        for tags in ('[Event "#"]\n[Site "#"]\n', '[Deal "#"]\n', ""):
            text = header + '[Board "0"]\n\n'
            text += "".join(f'{tags}[Board "{n}"]\n[Dealer "S"]\n\n' for n in range(1, number))
            items = list(read(text.encode(), "-", "pbn"))
            deals = [i for i in items if isinstance(i, Deal)]
            shared = [sum(len(v) for _, v in d.tags) for d in deals[1:]]
            assert max(shared) <= SHARED.most + 100
            for to in ("hand", "pbn"):
                made = converted(items, to, "-").text or ""
                assert len(made) < len(text) + number * (SHARED.most + 1_000)


def test_a_value_that_is_not_taken_over_is_named() -> None:
    long = "x" * (SHARED.most + 1)
    text = (
        f'[Event "{long}"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]\n\n[Event "#"]\n[Board "3"]\n'
    )
    done = commanded("check", "--full", "--from", "pbn", "-", given=text.encode())
    said = " ".join(done.stdout.split())
    assert said.count(SHARED.message(name="Event")) == 2


@pytest.mark.parametrize(
    "statement", ['event "{}"', 'players north "{}"', 'tag X "{}"', 'source "{}"']
)
def test_what_a_file_states_for_all_its_deals_is_bounded(statement: str) -> None:
    deals = "".join(f"deal {n}\nresult made 1\n" for n in range(50))
    for above in ("", 'rubber "r"\n'):
        text = "code auction-1926\n" + above + statement.replace("{}", "x" * 6_000) + "\n" + deals
        items = list(read(text.encode(), "-", "hand"))
        said = [i.message for i in items if not isinstance(i, (Deal, Group))]
        name = statement.split()[0]
        assert any(SHARED.message(name=f"`{name}`") in m for m in said)


def test_what_is_written_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddtrick.record.sources.TEXTS", WRITTEN._replace(most=1_000))
    text = 'event "' + "x" * 400 + '"\n' + "".join(f"deal {n}\n" for n in range(3))
    made = converted(read(text.encode(), "-", "hand"), "pbn", "a")
    assert made.text is None
    assert made.notes == (WRITTEN._replace(most=1_000).message(name="a"),)


# --- what a page and a terminal are told ----------------------------------------------------------

TURNED = ("\u202eb", "a\u200fb", "\u2067x", "\u061cb", "\u200e", "\u2028")


@pytest.mark.parametrize("mark", TURNED)
def test_no_mark_turns_the_words_of_a_page(mark: str) -> None:
    names = {"code": "auction-1926", "title": f"t{mark}", "north": f"o{mark}", "west": f"x{mark}"}
    begun = json.loads(in_page.answer(json.dumps({"of": "rubber", "begin": names})))
    added = {"of": "rubber", "text": begun["text"], "words": "1 spade by south, 7 tricks"}
    asked = [
        added,
        {"of": "rubber", "text": RUBBER, "words": f"1 spade {mark} by south"},
        {"of": "rubber", "text": f"code {mark}"},
        {"of": None, "text": f"code {mark}\ndeal 1\n"},
        {"of": None, "text": DEAL, "code": f"x{mark}"},
        {"of": "table", "text": f'[Event "{mark}"]\n[Board "1"]\n[Auction "S"]\n{mark}\n'},
        {"of": "table", "text": f"deal 1\n{mark}\n"},
    ]
    for question in asked:
        answer = json.loads(in_page.answer(json.dumps(question)))
        table = answer.get("table", {})
        words = json.dumps([answer.get("status"), *map(table.get, ("status", "notes", "error"))])
        assert mark.strip("abx") not in words


# --- spreadsheets ---------------------------------------------------------------------------------

FORMULAS = ("=1", "+1+1", "-1+1", "@SUM(1)", "＝1", "=HYPERLINK(1)")
BEFORE = ("", " ", "x;", "x\t", "x,", 'x;"', "x; ", "x|", "x\n", "x\r\n", "\t", "x;\t", "';", '"')


@pytest.mark.parametrize("before", BEFORE)
def test_no_spreadsheet_sees_a_formula_whatever_separates(before: str) -> None:
    for formula in FORMULAS:
        row = _row([before + formula, 1])
        for separator in ",;\t|":
            for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
                read_as = csv.reader(
                    io.StringIO(row, newline=""), delimiter=separator, quoting=quoting
                )
                for cell in (c for cells in read_as for c in cells):
                    assert not re.match('[ \t\r\n"]*[-=+@＝]', cell), (row, cell)


def test_numbers_and_words_in_a_sheet_are_as_they_were() -> None:
    assert _row([-50, "-", "a-b", "N-S", "1-1", "x = y", "♠", "a; b"]) == (
        "-50,-,a-b,N-S,1-1,x = y,♠,a; b\r\n"
    )


# --- files of the site ----------------------------------------------------------------------------


def test_a_record_of_the_name_of_a_page_has_a_page_of_its_own(tmp_path: Path) -> None:
    names = ("index", "README", "readme", "index-", "README-", "x", "x.under", "Index")
    for name in names:
        (tmp_path / f"{name}.hand").write_text(f'code auction-1926\ndeal 1 "{name}"\n')
    made = record_pages(tmp_path)
    assert len({stem_of(tmp_path / f"{n}.hand") for n in names}) == len(names)
    assert sum(n.endswith(".md") for n in made) == len(names) + 1
    assert sum(n.endswith(".hand") for n in made) == len(names)
    assert not {"records/README.md", "records/readme.md"} & set(made)
    for name in names:
        assert f">{name[0].upper()}{name[1:]}</a></h3>" in str(made["records/index.md"])


@pytest.mark.parametrize(
    "text", ["alert(1)", "#!x\nalert(1)", "\ufeffalert(1)", "#\nx", "/* # */", "", "# ok"]
)
def test_every_published_record_begins_with_a_line_that_is_no_script(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.hand"
    path.write_text(text, "utf-8")
    assert published(path).startswith(b"# ")
    assert published(path).decode().endswith(text.removeprefix("\ufeff"))


# --- Ctrl-C ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "status"),
    [(("law", "auction-1912:84"), 0), (("check", "--jobs", "2", "laws/records"), 1)],
)
def test_ctrl_c_shows_no_traceback_whenever_it_comes(call: tuple[str, ...], status: int) -> None:
    """From the moment our code runs until it returns; Python's own start and end are beyond our
    control. `status` is that of a command that ends before the signal.
    """
    script = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background processes ignore it
sys.argv = ["oddtrick", *{call!r}]
from oddtrick.__main__ import main
os.write(2, b"ready")
sys.exit(main())
"""
    for delay in (0.1, 0.4, 1.2):
        done = subprocess.Popen(
            [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert done.stderr
        assert done.stderr.read(5) == b"ready"
        time.sleep(delay)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(done.pid, signal.SIGINT)
        _, said = done.communicate(timeout=100)
        assert said in (b"", b"\noddtrick: stopped.\n")
        # Killed silently: the signal came when `main` had returned and Python was ending.
        assert done.returncode in ((130,) if said else (status, -signal.SIGINT))
