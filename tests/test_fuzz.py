"""Mutated records raise nothing, no record takes long, and the answers are consistent: some dozens of
mutants in each run; set `ODDTRICK_FUZZ=20000 ODDTRICK_SEED=7` for more and others.

A mutant is a record of the project with one or more changes. It depends only on its seed and number.
"""

import io
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import plain_games
from conftest import WHOLE
from deals import RULES
from files import ROOT
from lawbook import code_data, every_game, judged_codes, vocabulary
from oddtrick.book.disputes import find
from oddtrick.book.own_copies import copies
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.search import find_silences, search
from oddtrick.book.write_citation import STYLES, cite
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.rubber import check_document
from oddtrick.record import converted
from oddtrick.record.deal import Deal, Group, Unreadable
from oddtrick.record.hand.read import read_hand
from oddtrick.record.pbn.games import text_of
from oddtrick.record.sources import WRITTEN, read_paths, read_stream
from oddtrick.report import sheet
from oddtrick.report.answers import as_json
from oddtrick.report.check import Style, under_text
from oddtrick.report.sheet import Undrawable, groups
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.report.under_codes import compare
from oddtrick.site import in_page

pytestmark = pytest.mark.slow

NOTATIONS = ("hand", "pbn", "lin")
PARTS = 8
COUNT = int(os.environ.get("ODDTRICK_FUZZ", "20000" if WHOLE else "72"))
SEED = int(os.environ.get("ODDTRICK_SEED", "1927"))
SECONDS, BYTES_A_SECOND = 2.0, 20_000
"""A record may take this much processor time, plus a second for so many bytes."""


# --- mutants --------------------------------------------------------------------------------------


@cache
def sources(notation: str) -> list[str]:
    """The project's own records in PBN and LIN, each of the plain games by itself; or the paths of
    those in our own notation.
    """
    if notation == "hand":
        folders = ("laws/records", "laws/examples", "tests/findings", "tests/notation")
        return sorted(str(p) for f in folders for p in (ROOT / f).rglob("*.hand"))
    files = sorted((ROOT / "tests" / notation).glob(f"*.{notation}"))
    games = plain_games.pbn().split("\n\n") if notation == "pbn" else plain_games.lin().split("\n")
    return [*(text_of(p.read_bytes()) for p in files), *games]


@cache
def items_of(path: str) -> list[Deal | Group]:
    """The deals, rubbers and matches of a file."""
    found = read_hand([Path(path).read_bytes()])
    return [item for item in found if not isinstance(item, Unreadable)]


def original(notation: str, random: Random) -> str:
    """An unchanged record, in PBN sometimes one of our own."""
    if notation == "lin" or (notation == "pbn" and random.random() < 0.6):
        return random.choice(sources(notation))
    item = random.choice(items_of(random.choice(sources("hand"))))
    return converted([item], notation, "-").text or ""


ODD = (
    *"\"\\{}[]%;()#:=^$*+-?!_'`~|/<>&,.@0123456789xX“”♠♥♦♣ßſ\u212aİı²٣Ⅷ½é漢\U0001f0a1",
    *"\u200b\u202e\u2066\u2028\u00a0\u00ad\ufeff\ufffd\0\a\x1c\x7f\x85\x9b\t\v\f\r\n",
    *("e\u0301", "\u0301" * 20, "\x1b[31m", "\r\n", "\n\n", "9" * 20, "9" * 5000, "\\n"),
    *'1_000 -1 1e9 0x1F ١٢ """ [[ ]] {{ }} ((( ...'.split(),
    *"=1= $1 $256 ^I ^S * AP % ---- 7NTXX # ## ##x o1 c12 mc| md|4 pc| nt| mb|1N! || ,,".split(),
)
"""What is inserted: characters and short strings, some of them with a meaning in a notation."""

TOKEN = re.compile(r'"[^"\n]*"|[^\W_]+(?:[\'-]\w+)*|[♠♥♦♣]|[^\w\s]')
KEYWORDS = re.findall(r'"([\w-]+)"i', (ROOT / "grammar" / "hand.lark").read_text("utf-8"))


def edit_characters(text: str, random: Random, other: str) -> str:
    """A few characters deleted, repeated, reversed or replaced."""
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice((0, 0, 1, 2, 3, 8, 30, 300)))
    odd = random.choice(ODD) * random.choice((1,) * 16 + (2, 40, 300))
    span = text[start:end]
    return text[:start] + random.choice((odd, odd, "", span * 2, span[::-1])) + text[end:]


def edit_token(text: str, random: Random, other: str) -> str:
    """A word deleted, repeated, or replaced by another: a number by one near it or a huge one."""
    found = TOKEN.search(text, random.randint(0, len(text)))
    theirs = TOKEN.search(other, random.randint(0, len(other)))
    if not found or not theirs:
        return text
    times = random.choices((0, 2, 30, 400), (50, 40, 6, 3))[0]
    new = [theirs[0], random.choice(KEYWORDS), " ".join([found[0]] * times)]
    if found[0].isdecimal() and len(found[0]) < 100:
        new = [str(int(found[0]) + random.randint(-2, 2)), "13", "9" * random.choice((9, 30, 4301))]
    return text[: found.start()] + random.choice(new) + text[found.end() :]


def edit_lines(text: str, random: Random, other: str) -> str:
    """A few lines deleted, moved or repeated, lines of another record inserted, or the end cut off."""
    lines, theirs = (t.splitlines(keepends=True) or [""] for t in (text, other))
    at, to, there = (random.randrange(len(of)) for of in (lines, lines, theirs))
    many = random.choice((1, 1, 2, 5, 30))
    taken = random.choice(
        (lines[at : at + many] * random.choice((1, 1, 30)), theirs[there:][:many])
    )
    if random.random() < 0.6:
        del lines[at : at + many]
    lines[to:to] = taken
    return "".join(lines if random.random() < 0.9 else lines[:to])


EDITS: tuple[Callable[[str, Random, str], str], ...] = (edit_characters, edit_token, edit_lines)


def mutant(notation: str, number: int) -> tuple[bytes, str | None, tuple[str, ...], list[str]]:
    """The mutant of a number: its bytes, the code and options, and the phases that are judged."""
    random = Random(f"{notation} {SEED} {number}")
    text = original(notation, random)
    while True:
        text = random.choice(EDITS)(text, random, original(notation, random))
        if random.random() < 0.4:
            break
    data = text.encode("utf-8", "replace")
    if random.random() < 0.08:
        at, wrong = random.randint(0, len(data)), random.randbytes(3)
        as_others = text.encode(random.choice(("utf-16", "utf-16-le", "latin-1")), "replace")
        data = random.choice((as_others, data[:at], data[:at] + wrong + data[at:]))
    code, options = random.choice(every_game()) if random.random() < 0.3 else (None, ())
    return data, code, options, [p for p in PHASES if random.random() < 0.9] or [*PHASES]


# --- what is done with a record -------------------------------------------------------------------


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` if the block uses more than so much processor time."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@cache
def known() -> tuple[frozenset[str], frozenset[str]]:
    """The ids of all findings, and every address that a finding may cite."""
    listed = [code_data(c)[k] for c in judged_codes() for k in ("laws", "provisions", "readings")]
    rules = {f["id"] for f in vocabulary()["findings"]} | RULES.keys()
    return frozenset(rules), frozenset(i["address"] for items in listed for i in items)


def hold_finding(finding: Finding) -> None:
    """A finding has a known id, lies within the file, and has a law if it accuses somebody."""
    (rules, addresses), place, source = known(), finding.place, finding.at.of.source
    lines = max(1, source.line - 1 + source.text.count("\n") + (source.text[-1:] != "\n"))
    assert finding.rule in rules
    assert 1 <= place.line <= lines, finding
    assert (place.column, place.end_column) >= (1, 1), finding
    assert (place.end_line, place.end_column) >= (place.line, place.column), finding
    assert finding.laws or finding.severity not in (Severity.IRREGULAR, Severity.DISPUTED), finding
    assert {*finding.laws, *finding.readings} <= addresses, finding


def examine(
    data: bytes,
    path: Path,
    code: str | None = None,
    options: tuple[str, ...] = (),
    only: list[str] | None = None,
    more: bool = True,
) -> None:
    """Read, judge and report a record, and with `more` write, draw and compare it."""
    path.write_bytes(data)
    (source,) = read_paths([str(path)])
    items, tally = list(source.items), Tally()
    results = list(check_document(items, code, options or None, only or PHASES))
    answers = list(tally.of_file(map(as_json, results)))
    for result in results:
        for finding in (result,) if isinstance(result, Finding) else result.findings:
            hold_finding(finding)
    for full, account_only in ((True, False), (False, False), (True, True)):
        told = as_text_stream(answers, tally, Style(60, full), full, account_only)
        "".join(told).encode("utf-8")
    body = json.loads("".join(as_json_stream(answers, tally)), parse_constant=pytest.fail)
    assert len(body["records"]) == sum("verdict" in a for a in answers) == tally.records
    assert sum(row["count"] for row in body["summary"]["findings"]) == sum(
        1 if "rule" in a else len(a["findings"]) for a in answers
    )
    if not more:
        return
    whole = not any(isinstance(i, Unreadable) or getattr(i, "unused", ()) for i in items)
    for to in WRITTEN:
        if text := converted(items, to, "-").text:
            again = read_stream(io.BytesIO(text.encode("utf-8")), "-", to).items if whole else ()
            bad = [i for i in again if isinstance(i, Unreadable) and not (i.unclear or i.harmless)]
            assert not bad, f"written as .{to} it cannot be read: {bad[0]}"
    for group, deals in groups(answers):
        with suppress(Undrawable):
            (sheet(group, deals) + sheet(group, deals, "svg")).encode("utf-8")
    asked = {"text": data.decode("utf-8", "replace"), "code": code, "options": options}
    json.loads(in_page.answer(json.dumps(asked)), parse_constant=pytest.fail)
    for result in results:
        if isinstance(result, Check):
            compared = compare(result)
            under_text(compared["under"], "a deal")
            json.dumps(compared)


@pytest.fixture(autouse=True, scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load the law and the grammars in advance, so that no record is charged with it."""
    home = tmp_path_factory.mktemp("fuzz")
    for notation in NOTATIONS:
        examine(original(notation, Random(1)).encode(), home / f"a.{notation}")


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutant_brings_anything_down(notation: str, part: int, tmp_path: Path) -> None:
    for number in range(part, COUNT // len(NOTATIONS), PARTS):
        data, *how = mutant(notation, number)
        path = tmp_path / f"{number}.{notation}"  # pytest keeps the folder of a test that fails
        with bounded(SECONDS + len(data) / BYTES_A_SECOND):
            examine(data, path, *how, more=number % 8 == part)  # type: ignore[arg-type]
        path.unlink()


HAND = "code bridge-elwell\ndeal 1\ndealer south\n"
DECLARED = '[Contract "1S"]\n[Declarer "N"]\n[Result "7"]\n'

# What once took minutes, or raised because a number had more digits than Python will write.
HEAVY = {
    "a declaration doubled beyond all numbers": HAND
    + "declaration hearts doubled 99999 times by south\nresult 10 tricks\n",
    "more redoubles than digits": HAND
    + f"bidding\n  make hearts double\n{4 * ('  ' + 'redouble ' * 5000 + chr(10))}  satisfied satisfied\n",
    "many cards in a hand": f"{HAND}hands\n  north ♠ {'A' * 20_000}\n",
    "a remedy of more digits than may be read": "code royalton-1915\ndeal 1\nbidding\n"
    f'  irregularity double-of-partner noticed by west remedy "{"9" * 6000} points"\n',
    "honours beyond the pack": HAND
    + "honours north-south 999999\ndeclaration hearts by south\nresult 10 tricks\n",
    "a doubling in a statement": '[Result "7"]\n[OddtrickHand ""]\n'
    f"declaration 1 heart doubled {'9' * 30} times by north\n",
    "honours in a statement": f'{DECLARED}[OddtrickHand ""]\nhonours ns 999999999\n',
    "a number of more digits than may be written": f'{DECLARED}[ScoreRubber "NS {"9" * 5000}/30"]\n',
    "games of more digits than may be written": DECLARED
    + f'[ScoreRubberHistory "NS 0 {"9" * 5000}/ 0 EW 0 0 / 30"]\n',
    "one card over and over in a hand": '[Result "7"]\n[OddtrickHand ""]\nhands\n'
    + f"  north ♠ A K Q ♥ {'9' * 900}\n",
    "asterisks before a call": f'[Auction "N"]\n1S {"* " * 30_000}Pass\n',
    "escaped quotation marks": '[Auction "N"]\n1S ' + '"\\' * 30_000 + "\n",
    "marks of irregularity": f'[Auction "N"]\n1S {"^I " * 20_000}Pass\n',
    "amounts in a statement": DECLARED
    + f'[OddtrickHand ""]\nscore north-south trick {"1 " * 20_000}\n',
    "an irregularity at every card": DECLARED
    + '[Play "E"]\n'
    + "SA S2 H3 S4\n" * 4000
    + '[OddtrickHand ""]\n'
    + "irregularity revoke by south\n" * 4000,
    "comments among many tags": '[OddtrickHand ""]\n' + 'tag a "b"\n' * 10_000 + "{c}\n" * 8000,
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY)
def test_no_record_takes_long(text: str, tmp_path: Path) -> None:
    notation, code = ("pbn", "bridge-elwell") if text[0] == "[" else ("hand", None)
    with bounded(2 * SECONDS):
        examine(text.encode(), tmp_path / f"heavy.{notation}", code, more=False)


# --- what fuzzing guided by coverage kept, and what it found once ---------------------------------


def cited(words: str) -> None:
    with suppress(Unread):
        address = read_citation(words)
        assert all(cite(address, style, "https://a.example/") for style in STYLES)


def sought(words: str) -> None:
    search(words)
    find_silences(words)
    assert all(len(find(words, code).found) <= 10 for code in (None, "bridge-elwell"))


WORDS: dict[str, Callable[[str], Any]] = {
    "citation": cited,
    "book": lambda words: copies(words, "book.txt"),
    "words": sought,
}


@pytest.mark.parametrize("target", [*NOTATIONS, *WORDS])
def test_what_was_found_once_raises_nothing(target: str, tmp_path: Path) -> None:
    for path in sorted((ROOT / "tests" / "corpus" / target).iterdir()):
        data = path.read_bytes()
        if target in WORDS:
            WORDS[target](data.decode("utf-8", "replace"))
        else:
            code = "royalton-1915" if len(data) % 2 else None
            examine(data, tmp_path / f"kept.{target}", code, more=path.stem[:1].isalpha())
