"""Totals of many records: the same counts in text and JSON, each deal counted once, and output as
soon as it is known.
"""

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from command import commanded
from conftest import WHOLE
from files import ROOT, table
from oddtrick.cli import commands as cli
from oddtrick.judge import Json
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Verdict
from oddtrick.judge.rubber import check_document
from oddtrick.record import Document, deals_in, read_document
from oddtrick.record.deal import Span
from oddtrick.record.pbn.reader import read_pbn
from oddtrick.record.sources import read_paths, read_stream
from oddtrick.report.answers import as_json
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.report.words import verdict_words
from oddtrick.terminal import Style

FOLDERS = ("tests/findings", "tests/notation", "tests/pbn", "laws/records", "laws/examples")
FILES = sorted(p for f in FOLDERS for p in (ROOT / f).iterdir() if p.suffix in (".hand", ".pbn"))

File = list[Json]

# --- one count, told twice --------------------------------------------------------------------------


def judged(*paths: Path | str) -> list[File]:
    """The results of each file."""
    return [
        list(map(as_json, check_document(s.items, None, None, ("declaring", "score"))))
        for s in read_paths([str(p) for p in paths])
    ]


def counting(files: Sequence[File], tally: Tally) -> Iterator[Json]:
    for results in files:
        yield from tally.of_file(results)


def text_of(files: Sequence[File], full: bool = False) -> str:
    tally = Tally()
    return "".join(as_text_stream(counting(files, tally), tally, Style(), full))


def json_of(files: Sequence[File]) -> dict[str, Any]:
    tally = Tally()
    answer: dict[str, Any] = json.loads("".join(as_json_stream(counting(files, tally), tally)))
    return answer


def unread(document: Document) -> set[tuple[str, Span]]:
    """The deals of a file that could not be read."""
    return {u.about for u in document.unreadable if u.about and not u.harmless}


def agree(files: Sequence[File]) -> dict[str, Any]:
    """The summary of the JSON, after comparing it with what the JSON holds, counted independently, and
    with the text.
    """
    answer = json_of(files)
    told: dict[str, Any] = answer["summary"]
    parts = [p["findings"] for p in (*answer["records"], *answer["groups"])]
    found = Counter((f["rule"], f["severity"]) for f in (*chain(*parts), *answer["findings"]))
    holding = Counter(
        kind
        for r in answer["records"]
        for kind in {(f["rule"], f["severity"]) for f in r["findings"]}
    )
    counts = {(f["rule"], f["severity"]): (f["count"], f["records"]) for f in told["findings"]}
    assert counts == {kind: (n, holding[kind]) for kind, n in found.items()}
    assert list(counts.values()) == sorted(counts.values(), key=lambda n: -n[0])
    assert told["records"] == len(answer["records"])
    verdicts = Counter(r["verdict"] for r in answer["records"])
    assert told["verdicts"] == {v.value: verdicts[v.value] for v in Verdict}
    whole = re.findall(r"^Verdict on .*: (\w+(?: \w+)?)$", text_of(files, full=True), re.M)
    assert Counter(whole) == Counter({verdict_words(v): n for v, n in verdicts.items()})
    return told


def the_status_is_that_of_the_gravest(files: Sequence[File]) -> None:
    """Compare the exit status of the counts with the verdicts of single records, groups and files."""
    (results,) = files
    tally = Tally()
    verdicts = {
        verdict
        for r in tally.of_file(results)
        for verdict in (
            [r["verdict"]]
            if "verdict" in r
            else [f["severity"] for f in ([r] if "rule" in r else r["findings"])]
        )
    }
    wrong = not verdicts.isdisjoint(("irregular", "disputed"))
    assert tally.status == (2 if "unreadable" in verdicts else int(wrong))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", FILES[:: 1 if WHOLE else 3], ids=lambda p: str(p.relative_to(ROOT))
)
def test_the_counts_are_those_of_what_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Check, "not_used", ()
    )  # takes long to determine, and no count depends on it
    files = judged(path)
    the_status_is_that_of_the_gravest(files)
    told = agree(files)
    if path.suffix == ".hand":
        document = read_document(path.read_bytes())
        assert told["records"] == len(list(deals_in(document.items))) + len(unread(document))


# --- what a record is -------------------------------------------------------------------------------

DEAL = "deal {}\ndealer south\ncode auction-1926\nbidding\n  1 heart, all pass\n"
DAMAGED = "deal {}\ndealer sout\n"
FIVE = "deal 1\ndealer sout\nvulnerable who\nresult many\ntray none\ntable none\n"
GAME = '[Event "a"]\n[Board "{}"]\n[Dealer "N"]\n'
BROKEN = '[Event "a"]\n[Board "{}"]\n[Deal er\n[Auction "N]\n'

COUNTED = table("counted")


@pytest.mark.parametrize("case", COUNTED, ids=[c["name"] for c in COUNTED])
def test_a_deal_is_one_record_however_much_of_it_is_damaged(
    tmp_path: Path, case: dict[str, Any]
) -> None:
    for name, text in case["files"].items():
        (tmp_path / name).write_text(text, "utf-8")
    deals, unreadable, outside, bad = case["counts"]
    found = judged(tmp_path)
    told, twice = agree(found), agree(judged(tmp_path, tmp_path))
    assert told["verdicts"]["unreadable"] == unreadable
    assert len(json_of(found)["findings"]) == outside
    for times, counted in ((1, told), (2, twice)):
        counts = [counted[k] for k in ("files", "records", "unreadable_files")]
        assert counts == [times * n for n in (len(case["files"]), deals, bad)]


@pytest.mark.parametrize("name", ["nowhere.hand", "."])
def test_what_cannot_be_opened_is_no_record(tmp_path: Path, name: str) -> None:
    told = agree(judged(tmp_path / name))
    assert (told["files"], told["records"], told["unreadable_files"]) == (1, 0, 1)


def test_a_damaged_deal_is_an_entry_like_any_other() -> None:
    source = read_stream(io.BytesIO((FIVE + DEAL.format(2)).encode()), "a.hand", None)
    bad, good = json_of([list(map(as_json, check_document(source.items)))])["records"]
    assert set(bad) == set(good)
    assert (bad["id"], bad["file"], bad["line"], bad["verdict"]) == (
        "deal 1",
        "a.hand",
        1,
        "unreadable",
    )
    assert [f["line"] for f in bad["findings"]] == [2, 3, 4, 5, 6]


def test_what_was_found_in_reading_a_game_is_in_its_check() -> None:
    text = GAME.format(1) + "[Deal er\n\n" + GAME.format(2).replace('"N"', '"Black"')
    first, second = check_document(read_pbn([text.encode()]), "auction-1926")
    assert first.law is not None
    assert first.verdict is Verdict.UNREADABLE
    assert second.verdict is Verdict.INCOMPLETE
    assert "notation.pbn-value" in [f.rule for f in second.findings]


# --- what is shown ----------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    status = cli.run([str(a) for a in arguments])
    return status, capsys.readouterr().out


WRONG = DEAL.format(3).replace("1 heart, all pass", "1 heart, pass, double, all pass")


@pytest.fixture
def several(tmp_path: Path) -> Path:
    (tmp_path / "a.hand").write_text(DEAL.format(1) + "\n" + DEAL.format(2), "utf-8")
    (tmp_path / "b.hand").write_text(WRONG, "utf-8")
    return tmp_path


SHOWN = table("shown")


@pytest.mark.parametrize("case", SHOWN, ids=[c["name"] for c in SHOWN])
def test_what_is_shown(several: Path, case: dict[str, Any]) -> None:
    if "damaged" in case:
        (several / case["damaged"]).write_text(FIVE, "utf-8")
    done = commanded(*case["call"].split(), cwd=several)
    assert done.returncode == case["status"]
    assert [words for words in case.get("has", ()) if words not in done.stdout] == []
    assert [words for words in case.get("lacks", ()) if words in done.stdout] == []
    assert done.stdout.startswith(case.get("begins", ""))
    times = case.get("times", {})
    assert {words: done.stdout.count(words) for words in times} == times
    if "deals" in case:
        assert re.findall(r"^deal \d.*", done.stdout, re.M) == case["deals"]


def test_the_counts_alone_are_shown_when_asked_for(
    several: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out = run(capsys, "check", "--statistics", several)
    assert status == 1
    assert out.startswith("3 records in 2 files\n")
    assert "deal 3" not in out
    assert "--full" in out.splitlines()[-1]
    status, text = run(capsys, "check", "--statistics", "--format", "json", several)
    assert status == 1
    _, whole = run(capsys, "check", "--format", "json", several)
    counted = json.loads(text)
    by_code = counted.pop("codes")
    assert counted == json.loads(whole)["summary"]
    assert sum(c["records"] for c in by_code.values()) == 3


def test_a_rubber_is_shown_in_short_where_something_is_wrong_with_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deal = "deal {}\nhonours north-south 0\ndeclaration 4 hearts by south\nresult made 0\n"
    text = (
        "code auction-1926\nrubber “Tuesday”\n" + deal.format(1) + deal.format(2) + "{}end rubber\n"
    )
    path = tmp_path / "a.hand"
    path.write_text(text.format("total north-south 7\n"), "utf-8")
    status, out = run(capsys, "check", "--only", "score", path)
    assert status == 1
    # Two games of 4 odd tricks at 8, and 250 for the rubber (auction-1926:37.1, 51.a.1)
    rubber = (
        "The rubber “Tuesday”: 2 deals\n"
        "  North and South 314, East and West 0. North and South have the greater total, by 314 points. "
        "North\n  and South win the rubber.\n"
    )
    assert out.startswith(f"{rubber}  score.total  irregular, at ")
    path.write_text(text.format(""), "utf-8")
    status, out = run(capsys, "check", "--only", "score", path)
    assert status == 0
    assert (
        out
        == f"{rubber}\n2 records in 1 file\n  2  in order\n\nNot shown: 2 in order. --full shows every record in full.\n"
    )


def test_standard_input_is_one_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (FIVE + DEAL.format(2), BROKEN.format(1) + "\n" + GAME.format(2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        status, out = run(capsys, "check", "-")
        assert status == 2
        assert "2 records in 1 file\n" in out
        assert "Not shown: 1 incomplete." in out


# --- as soon as it is known -------------------------------------------------------------------------


def test_the_first_record_is_told_before_the_input_ends() -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for number in range(500):
            taken += 1
            yield (BROKEN.format(number) + "\n").encode()

    for stream in (
        lambda tally, results: as_text_stream(results, tally, Style()),
        lambda tally, results: as_json_stream(results, tally),
    ):
        taken, tally = 0, Tally()
        pieces = stream(tally, tally.of_file(map(as_json, check_document(read_pbn(lines())))))
        said = next(pieces) + next(pieces)
        assert "board 0" in said
        assert taken < 10
        assert sum(1 for _ in pieces) > 400
        assert tally.records == 500


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "out", "told"),
    [
        (("--statistics",), Terminal(), True),
        (("--statistics", "--format", "json"), Terminal(), True),
        (("--full",), Terminal(), True),
        (("--format", "json"), Terminal(), False),
        (("--format", "json"), io.StringIO(), True),
    ],
)
def test_progress_is_told_on_a_terminal_and_gone_before_anything_else_is(
    several: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    out: io.StringIO,
    told: bool,
) -> None:
    screen = Terminal()
    written: list[str] = []
    write = out.write

    def shown(text: str) -> int:
        written.append(screen.getvalue())
        return write(text)

    monkeypatch.setattr(out, "write", shown)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", screen)
    cli.run(["check", *arguments, str(several)])
    assert ("0 records, reading " in screen.getvalue()) is told
    assert all(not said or said.endswith("\r\033[K") for said in written)
    assert "records, reading " not in out.getvalue()
