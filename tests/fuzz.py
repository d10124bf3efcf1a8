"""Mutated records are read, judged and reported: nothing raises, and the answers are consistent.

A mutant is a record of the project, or a random one, with one or more changes: a byte, a character,
a word, a line, a tag. It depends only on its seed and number, so each can be made again.
"""

import io
import json
import re
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import plain_games
from deals import RULES
from faults import FAULTS
from files import ROOT
from lawbook import code_data, every_game, in_force, judged_codes, vocabulary
from oddtrick.judge.answers import Json
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.random_deals import legal_game
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record import convert, lin
from oddtrick.record.deal import Unreadable
from oddtrick.record.hand.read import read_text
from oddtrick.record.pbn.games import SECTIONS, SINGLE, decoded
from oddtrick.record.sources import WRITTEN, RecordFile, read_paths, read_stream, write
from oddtrick.report import sheet
from oddtrick.report.answers import as_json
from oddtrick.report.check import Style, under_text
from oddtrick.report.sheet import Deals, Undrawable, groups
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.report.under_codes import compare
from oddtrick.site import in_page as browser

SECONDS = 2.0
BYTES_A_SECOND = 20_000
"""A mutant fails if it takes more processor time than two seconds plus a second for so many bytes.
"""
NOTATIONS = ("hand", "pbn", "lin")
RANDOM_RECORDS = 2000
WRITE, READ_AGAIN, OTHERS = 4, 8, 16
"""One in so many mutants is written, read again after writing, or judged by the other programs,
since these steps take long.
"""

Result = Check | GroupCheck | Finding


# --- records to begin with ------------------------------------------------------------------------

_HEAD = re.compile(r"(?:deal|rubber|match)\b")
_GROUP = re.compile(r"(?:rubber|match)\b")
_TAIL = re.compile(r"(?:end|unfinished|total|won)\b")


def pieces(text: str) -> Iterator[str]:
    """Every deal of a `.hand` file by itself, then every rubber and match, each below the file's
    header.
    """
    lines = text.splitlines(keepends=True)
    start = next((i for i, line in enumerate(lines) if _HEAD.match(line.lstrip())), len(lines))
    header = "".join(line for line in lines[:start] if not line.startswith("#"))
    deal: list[str] = []
    group: list[str] = []
    for line in [*lines[start:], "end"]:
        word = line.lstrip()
        if (_HEAD.match(word) or _TAIL.match(word)) and deal:
            yield header + "".join(deal)
            deal = []
        if _GROUP.match(word):
            group = [line]
        elif group:
            group.append(line)
        if word.startswith("end") and group:
            yield header + "".join(group)
            group = []
        if word.startswith("deal") or (deal and not _TAIL.match(word)):
            deal.append(line)


@cache
def sources(notation: str) -> tuple[str, ...]:
    """The project's own records in one notation."""
    if notation != "hand":
        files = sorted((ROOT / "tests" / notation).rglob(f"*.{notation}"))
        games = plain_games.pbn() if notation == "pbn" else plain_games.lin()
        return (*(decoded(p.read_bytes()) for p in files), games)
    folders = ("laws/records", "laws/examples", "tests/findings", "tests/notation")
    files = sorted(p for f in folders for p in (ROOT / f).rglob("*.hand"))
    return tuple(dict.fromkeys(p for file in files for p in pieces(file.read_text("utf-8"))))


@cache
def as_pbn(number: int) -> str:
    """One of our `.hand` records in PBN."""
    return convert.converted(read_text(sources("hand")[number]).items, "pbn", "-").text or ""


@cache
def random_record(notation: str, number: int) -> str:
    """A random record; every second one has a fault if the deal has room for it."""
    random = Random(number)
    rules = in_force(*random.choice(every_game()))
    deal = legal_game(random, rules)
    fault = random.choice(list(FAULTS.values()))(deal, random, rules) if number % 2 else None
    return write([fault.deal if fault else deal], notation)


def original(notation: str, random: Random) -> str:
    """An unchanged record."""
    kind = random.random()
    if notation != "lin" and kind < 0.2:
        return random_record(notation, random.randrange(RANDOM_RECORDS))
    if notation == "pbn" and kind < 0.7:
        return as_pbn(random.randrange(len(sources("hand"))))
    return random.choice(sources(notation))


# --- mutations ------------------------------------------------------------------------------------

ODD = (
    *"\"\\{}[]%;()#:=^$*+-?!_'`~|/<>&,.@0123456789xX“”♠♥♦♣ßſ\u212aİı²٣Ⅷ½é漢\U0001f0a1",
    *"\u200b\u200e\u202e\u2066\u2028\u2029\u00a0\u00ad\ufeff\ufffd",
    *"\0\a\b\x1c\x7f\x85\x9b\t\v\f\r\n",
    *("e\u0301", "\u0301" * 20, "\x1b[31m", "\r\n", "\n\n", "9" * 20, "9" * 5000, "\\n", "\\u0041"),
    *'1_000 -1 1e9 0x1F ١٢ """ [[ ]] {{ }} ((( ...'.split(),
)
"""Characters and short strings to insert."""

_TOKEN = re.compile(r'"[^"\n]*"|[^\W_]+(?:[\'-]\w+)*|[♠♥♦♣]|[^\w\s]')
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r'(\[\s*\w+\s*")([^"\n]*)("\s*\])')
_COMMAND = re.compile(r"[A-Za-z]{2}\|([^|]*)\|")

ALIKE = [
    words.split()
    for words in (
        "north east south west N E S W",
        "north-south east-west NS EW both none All",
        "♠ ♥ ♦ ♣ spades hearts diamonds clubs royal-spades no-trump nullo NT",
        "A K Q J T 9 8 7 6 5 4 3 2 x",
        "pass double redouble X XX AP all challenge make corrects satisfied yes *",
    )
]
"""Words that may replace each other."""
OF_LIN = (
    "o1 c12 z9 7 13 14 1N! 2Sp d r! hK C10 1SAKQ,,, 0 b 4HE= 3NW+1 5DNx-2 PASS | || ,, zz| md|4"
)
OF_PBN = """=1= =9= $1 $255 $256 ! ? !? ^I ^S ^R ^L ^ + - -- * AP % ---- 4S 7NTXX Pass N:A.K.Q.J SA HT
Note OddtrickHand"""
VALUES = "? - # ## ##x * ^N FREE 1.1.1 NS".split()
"""Additional values for PBN tags."""


@cache
def words(notation: str) -> tuple[str, ...]:
    """The words of a notation: from its grammar, its tags or commands, and the vocabulary."""
    if notation == "lin":
        return (*(f"{name}|" for name in lin.NAMES), *OF_LIN.split())
    if notation == "pbn":
        return (*sorted({*SINGLE, *SECTIONS}), *OF_PBN.split())
    grammar = (ROOT / "grammar" / "hand.lark").read_text("utf-8")
    kinds = ("irregularities", "remedies", "denominations")
    said = [i["id"] for kind in kinds for i in vocabulary()[kind]]
    named = [name for code, options in every_game() for name in (code, *options)]
    return tuple(sorted({*re.findall(r'"([\w-]+)"i', grammar), *said, *named}))


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def edit_characters(text: str, random: Random, _: str) -> str:
    """Delete, repeat, replace or swap a few characters, or change their case."""
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice((0, 0, 1, 2, 3, 8, 30, 300)))
    span, times = text[start:end], random.choice((1,) * 16 + (2, 3, 40, 300))
    odd = random.choice(ODD) * times
    return _put(
        text, start, end, random.choice((odd, odd, "", span * 2, span[::-1], span.swapcase()))
    )


def _token(text: str, random: Random) -> re.Match[str] | None:
    """A token near a random position, found without splitting the whole text."""
    at = random.randint(0, len(text))
    return _TOKEN.search(text, at) or _TOKEN.search(text)


def edit_token(text: str, random: Random, notation: str) -> str:
    """Delete or repeat a word, or replace it by one from the notation, this text or another record."""
    found = _token(text, random)
    if not found:
        return text
    kind = random.randrange(6)
    times = min(
        random.choices((0, 2, 30, 400, 4000), (50, 40, 6, 3, 1))[0], 50_000 // len(found[0])
    )
    new = random.choice((" ", " ", "", "\n")).join([found[0]] * times)
    if kind < 2:
        new = random.choice(words(notation))
    elif kind < 4:
        other = _token(text if kind == 2 else original(notation, random), random)
        new = other[0] if other else ""
    return _put(text, *found.span(), new)


def change_alike(text: str, random: Random, _: str) -> str:
    """Replace a seat by another seat, or a suit, a rank or a call by another."""
    for _try in range(20):
        found = _token(text, random)
        family = next((a for a in ALIKE if found and found[0] in a), None)
        if found and family:
            return _put(text, *found.span(), random.choice(family))
    return text


def change_number(text: str, random: Random, _: str) -> str:
    """Replace a number: by zero, one more, one less, or a huge one."""
    found = _NUMBER.search(text, random.randint(0, len(text))) or _NUMBER.search(text)
    if not found:
        return text
    value = int(found[0]) if len(found[0]) < 100 else 0
    near = (0, value + 1, value - 1, -value, value * 10, 13, 14, random.randrange(20))
    huge = (str(10**9), str(10**30), *("9" * n for n in (400, 4301, 6000)))
    new = str(random.choice(near)) if random.random() < 0.75 else random.choice(huge)
    return _put(text, *found.span(), new)


def edit_lines(text: str, random: Random, notation: str) -> str:
    """Delete, move or repeat a few lines, or insert lines of another record."""
    lines = text.splitlines(keepends=True) or [""]
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    many = random.choice((1, 1, 1, 2, 5, 30))
    taken, kind = lines[at : at + many], random.randrange(3)
    if kind == 0 or random.random() < 0.5:
        del lines[at : at + many]
    if kind == 1:
        lines[to:to] = taken * random.choices((1, 30, 1000), (95, 4.5, 0.5))[0]
    if kind == 2:
        others = original(notation, random).splitlines(keepends=True) or [""]
        start = random.randrange(len(others))
        lines[to:to] = others[start : start + many]
    return "".join(lines)


def edit_ends(text: str, random: Random, notation: str) -> str:
    """Split or join lines, or cut or extend the text."""
    at = [m.start() for m in re.finditer("[ \n]", text)] or [0]
    end = random.choice(at)
    kind = random.randrange(5)
    if kind == 0:
        return text[:end]
    if kind == 1:
        return text[end:]
    if kind == 2:
        return text + random.choice(("", "\n", "\n\n")) + original(notation, random)
    breaks = ("", " ") if text[end : end + 1] == "\n" else ("\n", "\r\n", "\r", "\n\n")
    return _put(text, end, end + 1, random.choice(breaks))


def change_value(text: str, random: Random, notation: str) -> str:
    """Give a tag another value: one with a meaning in PBN, that of another tag, or a word."""
    tags = list(_VALUE.finditer(text))
    if not tags:
        return text
    others = [random.choice(tags)[2], random.choice(words(notation)), random.choice(ODD), ""]
    return _put(text, *random.choice(tags).span(2), random.choice([*VALUES, *others]))


def change_command(text: str, random: Random, notation: str) -> str:
    """Change, move or repeat a command of LIN, or delete its bar."""
    found = list(_COMMAND.finditer(text))
    if not found:
        return text
    one, other = random.choice(found), random.choice(found)
    return random.choice(
        (
            _put(text, *one.span(1), random.choice(words(notation))),
            _put(text, *one.span(1), other[1]),
            _put(text, one.start(), one.start(), other[0]),
            _put(text, one.end() - 1, one.end(), random.choice(("", " ", "\n", "||"))),
        )
    )


ADDED = r"""[NAME "ODD"]
[Note "1:ODD"]
[NAME "a;b
{ never closed
} closed
; said by the way
% said to a program
[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]|N NT 9
[NAME "Seat;Note\10L;x\R"]|N "a" "b"
"""


def add_tag(text: str, random: Random, notation: str) -> str:
    """Add a tag, a note, a comment or a table, complete or unclosed."""
    lines = text.splitlines(keepends=True)
    new = random.choice(ADDED.splitlines()).replace("|", "\n") + "\n"
    new = new.replace("NAME", random.choice(words(notation)[:40])).replace(
        "ODD", random.choice(ODD)
    )
    lines.insert(random.randrange(len(lines) + 1), new)
    return "".join(lines)


MILD = (change_alike, change_alike, change_number, edit_lines)
"""Changes after which a `.hand` file can usually still be read, so that it is judged."""
MUTATIONS: tuple[Callable[[str, Random, str], str], ...] = (
    *(edit_characters, edit_characters, edit_token, edit_token, edit_ends),
    *MILD,
)
OF_NOTATION = {
    "hand": (*MUTATIONS, *MILD * 2),
    "pbn": (*MUTATIONS, change_value, add_tag),
    "lin": (*MUTATIONS, *[change_command] * 4),
}


def spoiled(data: bytes, random: Random) -> bytes:
    """The bytes as another program would have written them, or with a wrong byte."""
    at, text = random.randint(0, len(data)), data.decode("utf-8", "replace")
    wrong = bytes(random.randrange(256) for _ in range(random.randint(1, 4)))
    return random.choice(
        (
            text.encode(random.choice(("utf-16", "utf-16-le", "latin-1", "cp1252")), "replace"),
            b"\xef\xbb\xbf" + data,
            data.replace(b"\n", random.choice((b"\r", b"\r\n", b"\n\r"))),
            data[:at],
            data[:at] + wrong[:1] * random.choice((1, 3, 70_000)) + data[at:],
            data[:at] + wrong + data[at + 1 :],
        )
    )


@dataclass(frozen=True)
class Mutant:
    """A changed record and how it is to be judged."""

    notation: str
    seed: int
    number: int
    data: bytes
    code: str | None
    options: tuple[str, ...]
    only: tuple[str, ...]


def mutant(notation: str, seed: int, number: int) -> Mutant:
    """The mutant of a seed and a number, whatever was made before."""
    random = Random(f"{notation} {seed} {number}")
    text = original(notation, random)
    while True:
        text = random.choice(OF_NOTATION[notation])(text, random, notation)
        if random.random() < 0.4:
            break
    data = text.encode("utf-8", "replace")
    if random.random() < 0.08:
        data = spoiled(data, random)
    code: str | None = None
    options: tuple[str, ...] = ()
    if random.random() < 0.3:
        code, options = random.choice(every_game())
        if random.random() < 0.1:
            options = tuple(o["id"] for o in code_data(code)["options"])
    only = PHASES if random.random() < 0.8 else tuple(p for p in PHASES if random.random() < 0.5)
    return Mutant(notation, seed, number, data, code, options, only or PHASES)


# --- what is done with a mutant -------------------------------------------------------------------


class TooLong(Exception):
    """A mutant took too much time."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise `TooLong` if the block uses more than so much processor time."""

    def late(*_: object) -> None:
        raise TooLong(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@cache
def known_rules() -> frozenset[str]:
    """The ids of all findings."""
    judged = (f["id"] for f in vocabulary()["findings"])
    return frozenset((*judged, *RULES))


@cache
def addresses() -> frozenset[str]:
    """Every address that a finding may cite."""
    listed = ("laws", "provisions", "readings")
    return frozenset(
        i["address"] for c in judged_codes() for kind in listed for i in code_data(c)[kind]
    )


def findings_of(result: Result) -> tuple[Finding, ...]:
    """The findings of one result."""
    return (result,) if isinstance(result, Finding) else result.findings


def examine(m: Mutant, folder: Path) -> int:
    """Read, judge, report, write and draw a mutant; returns the number of deals judged. Raises if
    anything is wrong.
    """
    file = folder / f"mutant.{m.notation}"
    file.write_bytes(m.data)
    (source,) = read_paths([str(file)])
    items = list(source.items)
    tally = Tally()
    results = list(check_document(items, m.code, m.options or None, m.only))
    answers = list(tally.of_file(map(as_json, results)))
    for finding in (f for r in results for f in findings_of(r)):
        _hold_finding(finding)
    _hold_text(answers, source, tally)
    _hold_json(answers, tally)
    if m.number % WRITE == 0:
        whole = not any(isinstance(i, Unreadable) or getattr(i, "unused", ()) for i in items)
        _hold_written(items, whole and m.number % READ_AGAIN == 0)
    for group, deals in groups(answers):
        _draw(group, deals)
    if m.number % OTHERS == 0:
        _hold_others(m, results)
    return sum(isinstance(r, Check) for r in results)


def _hold_finding(finding: Finding) -> None:
    """A finding has a known id, lies within the file, and has a law if it accuses somebody."""
    place, source = finding.place, finding.at.of.source
    lines = max(1, source.line - 1 + source.text.count("\n") + (source.text[-1:] != "\n"))
    assert finding.rule in known_rules(), f"no such finding: {finding}"
    assert 1 <= place.line <= lines, (
        f"beyond the end of the file, which has {lines} lines: {finding}"
    )
    assert place.column >= 1, f"before its line: {finding}"
    assert (place.end_line, place.end_column) >= (place.line, place.column), (
        f"ends before it begins: {finding}"
    )
    if finding.severity in (Severity.IRREGULAR, Severity.DISPUTED):
        assert finding.laws, f"without a law: {finding}"
    missing = [a for a in (*finding.laws, *finding.readings) if a not in addresses()]
    assert not missing, f"no such law, {missing}: {finding}"


def _hold_text(results: list[Json], source: RecordFile, tally: Tally) -> None:
    """The text of every result can be made and written: in full, among many, and as its account
    only.
    """
    for full, account_only in ((True, False), (False, False), (True, True)):
        told = as_text_stream(results, tally, Style(60, full), full, account_only)
        "".join(told).encode("utf-8")


def _no_constant(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def _hold_json(results: list[Json], tally: Tally) -> None:
    """The JSON can be written and read, has an entry for every deal, rubber and match, and has the
    same counts as the text.
    """
    told = "".join(as_json_stream(results, tally)).encode("utf-8")
    body = json.loads(told, parse_constant=_no_constant)
    assert len(body["records"]) == sum("verdict" in r for r in results) == tally.records
    assert len(body["groups"]) == sum("records" in r for r in results)
    assert len(body["findings"]) == sum("rule" in r for r in results)
    assert sum(row["count"] for row in body["summary"]["findings"]) == sum(
        1 if "rule" in r else len(r["findings"]) for r in results
    )


def _hold_written(items: list[Any], again: bool) -> None:
    """What was read can be written in both writable notations. If all of it was read, the written
    text can be read `again`.
    """
    for to in WRITTEN:
        made = convert.converted(items, to, "-")
        if made.text is None:
            continue
        data = made.text.encode("utf-8")
        read = read_stream(io.BytesIO(data), "-", to).items if again else ()
        bad = [i for i in read if isinstance(i, Unreadable) and not (i.unclear or i.harmless)]
        assert not bad, f"written as .{to} it cannot be read: {bad[0]}"


def _draw(group: Json, deals: Deals) -> None:
    """The sheet or the card is drawn, or the reason is given why it cannot be."""
    try:
        told = sheet(group, deals) + sheet(group, deals, "svg")
    except Undrawable:
        return
    told.encode("utf-8")


def _hold_others(m: Mutant, results: Iterable[Result]) -> None:
    """The page "Check a hand" has an answer too, and the deals can be scored under every code."""
    asked = {"text": m.data.decode("utf-8", "replace"), "code": m.code, "options": m.options}
    json.loads(browser.answer(json.dumps(asked)), parse_constant=_no_constant)
    for result in results:
        if isinstance(result, Check):
            compared = compare(result)
            under_text(compared["under"], "a deal")
            json.dumps(compared)


# --- many mutants ---------------------------------------------------------------------------------


@cache
def warm() -> None:
    """Load the grammars and the law in advance, so that no mutant is charged with it."""
    for notation in NOTATIONS:
        plain = Mutant(notation, 0, 0, original(notation, Random(0)).encode(), None, (), PHASES)
        with tempfile.TemporaryDirectory(prefix="oddtrick-fuzz-") as home:
            examine(plain, Path(home))


def examine_all(mutants: Iterable[Mutant], folder: Path) -> int:
    """Examine mutants; returns the number of deals judged. Raises everything that the mutants
    raise, each with its mutant.
    """
    warm()
    deals, errors = 0, []
    for m in mutants:
        try:
            with bounded(SECONDS + len(m.data) / BYTES_A_SECOND):
                deals += examine(m, folder)
        except Exception as error:
            (kept := folder / f"{m.notation}-{m.seed}-{m.number}.{m.notation}").write_bytes(m.data)
            error.add_note(f"{kept}: mutant({m.notation!r}, {m.seed}, {m.number})")
            errors.append(error)
    if errors:
        raise ExceptionGroup("mutants that fail", errors)
    return deals
