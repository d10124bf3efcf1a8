"""Archives: the same bytes whichever process judges; the forms for programs; workers that are
killed.
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

import pytest
import yaml
from jsonschema import Draft202012Validator

import plain_games
from dirty_pbn import archive as archive_with_dirt
from lawbook import in_force
from made_deals import placed
from oddtrick.judge.random_deals import legal_game
from oddtrick.record.deal import Unreadable
from oddtrick.record.pbn import games
from oddtrick.record.pbn.write import write_pbn
from oddtrick.record.sources import read_paths
from oddtrick.report.archive import FORMS, Asked, WorkersKilled, archive, spread
from oddtrick.report.tally import Tally
from oddtrick.report.workers import Workers

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent
INHERITING = """\
% PBN 2.1
[Event "##Club"]
[Site "Here"]
[Board "1"]
[Dealer "N"]
[Contract "2S"]
[Declarer "S"]
[Result "8"]

"""
FOLLOWING = """\
[Event "#"]
[Site "#"]
[Board "{}"]
[Dealer "{}"]
[Contract "3NT"]
[Declarer "E"]
[Result "{}"]

"""


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Some 100 records in PBN and LIN, a third of them dirty."""
    folder = tmp_path_factory.mktemp("short")
    (folder / "clean.pbn").write_text(plain_games.pbn())
    (folder / "clean.lin").write_text(plain_games.lin())
    (folder / "dirty.pbn").write_bytes(archive_with_dirt(20)[0])
    return [str(folder), *(str(TESTS / name) for name in ("pbn", "lin"))]


@pytest.fixture(scope="module")
def dirty(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A folder of every record that the tests of PBN read, the examples of the laws, a long file
    that inherits most of its values, and a missing file.
    """
    folder = tmp_path_factory.mktemp("archive")
    rules = in_force("contract-1927")
    games = "".join(write_pbn([g for n in range(10) if (g := legal_game(Random(n), rules, n))]))
    inherited = [FOLLOWING.format(n, "NESW?"[n % 5], n % 15) for n in range(2, 120)]
    (folder / "many.pbn").write_text(INHERITING + "".join(inherited) + games * 2)
    (folder / "noise.pbn").write_bytes(
        b"no PBN\n{ open\n\n" + INHERITING.encode() + b'[Board "\xe9'
    )
    (folder / "empty.pbn").write_text("")
    (folder / "torn.hand").write_text("deal 1\nnonsense\n")
    return [
        str(folder),
        str(TESTS / "pbn"),
        str(TESTS.parent / "laws" / "examples"),
        "not-there.pbn",
    ]


@cache
def alone(paths: tuple[str, ...], asked: Asked) -> tuple[str, Tally]:
    """The output of a single process."""
    return told([*paths], asked, None)


def told(paths: list[str], asked: Asked, executor: Executor | None = None) -> tuple[str, Tally]:
    """The output, and the counts."""
    tally = Tally()
    return "".join(archive(paths, asked, executor, tally=tally, ahead=3)), tally


ASKED = [
    *(Asked(form=form) for form in FORMS),
    Asked(full=True),
    Asked(full=True, account_only=True, only=("score",)),
    Asked("contract-1927", ("canadian",), counted=True),
]


def test_workers_tell_the_same_bytes_as_one_process(short: list[str], dirty: list[str]) -> None:
    with ThreadPoolExecutor(2) as threads, Workers(2) as processes:
        for asked in ASKED:
            assert told(short, asked, processes) == alone((*short,), asked), asked
        many = alone((*dirty,), ASKED[0])
        assert many[1].records > 200
        assert told(dirty, ASKED[0], threads) == many


def test_pieces_hold_what_the_file_holds_however_it_is_cut(
    dirty: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [(f.name, placed(i)) for f in read_paths(dirty) for i in f.items]
    for size in (1, 500, 10_000, 1_000_000):
        monkeypatch.setattr(games, "BLOCK", size)
        cut = [piece for file in read_paths(dirty) for piece in file.pieces()]
        assert [(p.name, placed(i)) for p in cut for i in p.items] == whole, size
        firsts = [p.name for p in cut if p.first]
        assert firsts == [f.name for f in read_paths(dirty)], size


# --- who is killed, who is stopped ----------------------------------------------------------------


def _die(number: int) -> None:
    """Kill the process that receives the third task."""
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_an_error_that_says_what_to_do() -> None:
    with Workers(2) as workers, pytest.raises(WorkersKilled, match="--jobs 1 judges without"):
        list(spread(_die, [(n,) for n in range(6)], workers, 4))


def test_ctrl_c_stops_at_once_with_workers_at_work(tmp_path: Path) -> None:
    (tmp_path / "many.pbn").write_text(
        INHERITING + "".join(FOLLOWING.format(n, "N", 9) for n in range(20000))
    )
    script = (
        "import signal, sys; from oddtrick.__main__ import main; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # a shell's background ignores it
        "sys.argv = 'oddtrick check --jobs 2 --format jsonl many.pbn'.split(); sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as run:
        assert run.stdout
        for _ in range(150):
            assert run.stdout.readline()
        os.killpg(run.pid, signal.SIGINT)
        start = time.monotonic()
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert said.decode() == "\noddtrick: stopped.\n"
    assert time.monotonic() - start < 20  # on a busy machine


def test_a_folder_of_a_club_is_read_for_what_is_in_it(tmp_path: Path) -> None:
    game, board = INHERITING.encode(), b"pn|a,b,c,d|md|1,,,|mb|p|"
    files = {
        "a.PBN": game,
        "2024/b.lin": board,
        "2024/named wrong.pbn": board,
        "2024/named wrong.lin": game,
        "2024/named wrong.hand": game,
        "2024/packed.pbn": b"PK\x03\x04\x14\0a.pbn" + game,
        "2024/._a.pbn": b"\0\5\x16\7Mac OS X",
        ".backup/a.pbn": game,
        "results.txt": b"1. Smith and Jones",
        "all.zip": b"PK\x03\x04",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    found = {}
    for file in read_paths([str(tmp_path)]):
        (item,) = file.items
        told = item.message if isinstance(item, Unreadable) else file.notation
        found[Path(file.name).relative_to(tmp_path).as_posix()] = told
    assert found == {
        "a.PBN": "pbn",
        "2024/b.lin": "lin",
        "2024/named wrong.pbn": "lin",
        "2024/named wrong.lin": "pbn",
        "2024/named wrong.hand": "pbn",
        "2024/packed.pbn": "This is a packed file, such as a ZIP archive; unpack it first.",
    }


# --- forms ----------------------------------------------------------------------------------------


def test_lines_of_json_are_the_json_line_by_line(dirty: list[str]) -> None:
    whole = json.loads(alone((*dirty,), Asked(form="json"))[0])
    lines = [json.loads(line) for line in alone((*dirty,), Asked(form="jsonl"))[0].splitlines()]
    for kind in ("record", "group", "finding"):
        assert [line[kind] for line in lines if kind in line] == whole[f"{kind}s"]
    assert lines[-1] == {"summary": whole["summary"]}


SARIF = yaml.safe_load((TESTS / "sarif.yaml").read_text("utf-8"))


def test_sarif_follows_its_schema_and_has_every_finding(dirty: list[str]) -> None:
    log = json.loads(alone((*dirty,), Asked(form="sarif"))[0])
    validator = Draft202012Validator(SARIF)
    wrong = [f"{e.json_path}: {e.message[:80]}" for e in validator.iter_errors(log)]
    assert not wrong[:5]
    assert not validator.is_valid(log | {"runs": [{"results": []}]})
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    found = alone((*dirty,), Asked())[1].found
    assert rules == sorted({r["ruleId"] for r in run["results"]}) == sorted({r for r, _ in found})
    assert len(run["results"]) == found.total()
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"].get("region", {})
        end = (region.get("endLine", 1e9), region.get("endColumn", 1e9))
        assert end > (region.get("startLine", 0), region.get("startColumn", 0)), result


def test_the_csv_of_accounts_has_a_row_for_each_entry_and_each_deal_without_one(
    dirty: list[str],
) -> None:
    whole = json.loads(alone((*dirty,), Asked(form="json"))[0])
    rows = list(csv.DictReader(io.StringIO(alone((*dirty,), Asked(form="csv"))[0])))
    entries = [e for r in whole["records"] if r["score"] for e in r["score"]["entries"]]
    entries += [e for g in whole["groups"] for e in g["entries"]]
    scored = [r for r in rows if r["points"]]
    assert len(scored) == len(entries) > 20
    assert sum(int(r["points"]) for r in scored) == sum(e["points"] for e in entries)
    assert all(r["file"] and r["record"] and r["laws"] for r in scored)
    nothing = [r["id"] for r in whole["records"] if not (r["score"] and r["score"]["entries"])]
    assert [r["record"] for r in rows if not r["points"]] == nothing != []


def test_the_documented_programs_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    distributed = pytest.importorskip("distributed")
    (tmp_path / "club.pbn").write_text(INHERITING + FOLLOWING.format(2, "N", 8) * 120)
    monkeypatch.chdir(tmp_path)
    asked = Asked("contract-1927", only=("declaring", "play"), form="jsonl")
    local = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    client = distributed.Client(**local, dashboard_address=None)
    monkeypatch.setattr("dask.distributed.Client", lambda _: client)
    page = (TESTS.parent / "docs" / "archives.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(programs) == 2
    for program in programs:
        exec(program.replace("Workers(4)", "Workers(1)"), {"__name__": "__main__"})
        assert capsys.readouterr().out == told(["club.pbn"], asked)[0]
