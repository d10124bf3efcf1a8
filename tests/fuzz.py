"""Mutated records through reading, judging and both reports: nothing raises, and what is answered
hangs together.

A mutant is a record of the project, or a random one, with one or more things changed: a byte, a
character, a word, a line, a tag. It is made of its seed and number alone, so each can be made
again. Also a program: `fuzz.py --count N --seed S --notation hand|pbn|lin` says how many there were; a
mutant that fails is written to a file, and beside it the fewest lines of it that fail alike.
`--first K --count 1` tries mutant K again.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import plain_games
from faults import FAULTS
from lawbook import code_data, in_force, judged_codes, vocabulary
from oddtrick.judge.answers import Answer, GroupJson
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.random_deals import legal_game
from oddtrick.judge.rubber import GroupCheck, as_json, check_document
from oddtrick.judge.under_codes import compare
from oddtrick.record import convert, lin
from oddtrick.record.deal import RULES, Unreadable
from oddtrick.record.hand.read import lines_of, read_text
from oddtrick.record.pbn import read as pbn
from oddtrick.record.pbn.games import SECTIONS, SINGLE, decoded
from oddtrick.record.sources import WRITTEN, RecordFile, read_paths, read_stream, write
from oddtrick.report import sheet
from oddtrick.report.check import Style
from oddtrick.report.contract import under_text
from oddtrick.report.sheet import Deals, Undrawable, groups
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.site import in_page as browser

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 2.0
BYTES_A_SECOND = 20_000
"""A mutant that takes more of the processor's time than two seconds, and a second for so many
bytes, has failed.
"""
NOTATIONS = ("hand", "pbn", "lin")
RANDOM_RECORDS = 2000
WRITE, READ_AGAIN, OTHERS = 4, 8, 16
"""Of so many mutants one is written, one read again as it was written, one judged by what else
there is: these take long.
"""

Result = Check | GroupCheck | Finding


# --- records to begin with
# --------------------------------------------------------------------------

_HEAD = re.compile(r"(?:deal|rubber|match)\b")
_GROUP = re.compile(r"(?:rubber|match)\b")
_TAIL = re.compile(r"(?:end|unfinished|total|won)\b")


def pieces(text: str) -> Iterator[str]:
    """Every deal of a `.hand` file by itself, then every rubber and match, each below the file's
    own header.
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
def games() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every code as it is, and with each of its options."""
    plain: list[tuple[str, tuple[str, ...]]] = [(c, ()) for c in judged_codes()]
    return (*plain, *((c, (o["id"],)) for c in judged_codes() for o in code_data(c)["options"]))


@cache
def random_record(notation: str, number: int) -> str:
    """A random record, of every second number with a fault where the deal has room for one."""
    random = Random(number)
    rules = in_force(*random.choice(games()))
    deal = legal_game(random, rules)
    fault = random.choice(list(FAULTS.values()))(deal, random, rules) if number % 2 else None
    return write([fault.deal if fault else deal], notation)


def original(notation: str, random: Random) -> str:
    """A record that nobody has changed yet."""
    kind = random.random()
    if notation != "lin" and kind < 0.2:
        return random_record(notation, random.randrange(RANDOM_RECORDS))
    if notation == "pbn" and kind < 0.7:
        return as_pbn(random.randrange(len(sources("hand"))))
    return random.choice(sources(notation))


# --- mutations
# --------------------------------------------------------------------------------------

ODD = (
    *"\"\\{}[]%;()#:=^$*+-?!_'`~|/<>&,.@0123456789xX",
    *(
        "“",
        "”",
        "♠",
        "♥",
        "♦",
        "♣",
        "ß",
        "ſ",
        "K",
        "İ",
        "ı",
        "²",
        "٣",
        "Ⅷ",
        "½",
        "é",
        "e\u0301",
        "\u0301" * 20,
    ),
    *(
        "\u200b",
        "\u200e",
        "\u202e",
        "\u2066",
        "\u2028",
        "\u2029",
        "\u00a0",
        "\u00ad",
        "\ufeff",
        "\ufffd",
        "\U0001f0a1",
        "漢",
    ),
    *(
        "\0",
        "\a",
        "\b",
        "\x1b[31m",
        "\x1c",
        "\x7f",
        "\x85",
        "\x9b",
        "\t",
        "\v",
        "\f",
        "\r",
        "\n",
        "\r\n",
        "\n\n",
    ),
    *(
        "9" * 20,
        "9" * 5000,
        "1_000",
        "-1",
        "1e9",
        "0x1F",
        "١٢",
        '"""',
        "[[",
        "]]",
        "{{",
        "}}",
        "(((",
        "...",
        "\\n",
        "\\u0041",
    ),
)
"""Characters and short strings of which one goes in somewhere."""

_TOKEN = re.compile(r'"[^"\n]*"|[^\W_]+(?:[\'-]\w+)*|[♠♥♦♣]|[^\w\s]')
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r'(\[\s*\w+\s*")([^"\n]*)("\s*\])')
_COMMAND = re.compile(r"[A-Za-z]{2}\|([^|]*)\|")

ALIKE = (
    ("north", "east", "south", "west", "N", "E", "S", "W"),
    ("north-south", "east-west", "NS", "EW", "both", "none", "All"),
    (
        "♠",
        "♥",
        "♦",
        "♣",
        "spades",
        "hearts",
        "diamonds",
        "clubs",
        "royal-spades",
        "no-trump",
        "nullo",
        "NT",
    ),
    tuple("AKQJT98765432x"),
    (
        "pass",
        "double",
        "redouble",
        "X",
        "XX",
        "AP",
        "all",
        "challenge",
        "make",
        "corrects",
        "satisfied",
        "yes",
        "*",
    ),
)
"""Words of which one may stand in the place of another."""


@cache
def words(notation: str) -> tuple[str, ...]:
    """The words of a notation: of its grammar, of its tags or commands, of the vocabulary."""
    if notation == "lin":
        values = "o1 c12 z9 7 13 14 1N! 2Sp d r! hK C10 1SAKQ,,, 0 b 4HE= 3NW+1 5DNx-2 PASS".split()
        return (*(f"{name}|" for name in lin.NAMES), *values, "|", "||", ",,", "zz|", "md|4")
    if notation == "pbn":
        tags = sorted({*SINGLE, *SECTIONS, "Note", "OddtrickHand"})
        marks = (
            "=1=",
            "=9=",
            "$1",
            "$255",
            "$256",
            "!",
            "?",
            "!?",
            "^I",
            "^S",
            "^R",
            "^L",
            "^",
            "+",
            "-",
            "--",
            "*",
            "AP",
            "%",
            "- - - -",
        )
        return (*tags, *marks, "4S", "7NTXX", "Pass", "N:A.K.Q.J", "SA", "HT")
    grammar = (ROOT / "grammar" / "hand.lark").read_text("utf-8")
    said = [
        i["id"]
        for kind in ("irregularities", "remedies", "denominations")
        for i in vocabulary()[kind]
    ]
    named = [name for code, options in games() for name in (code, *options)]
    return tuple(sorted({*re.findall(r'"([\w-]+)"i', grammar), *said, *named}))


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _spot(text: str, random: Random, longest: int = 0) -> tuple[int, int]:
    start = random.randint(0, len(text))
    return start, min(len(text), start + random.randint(0, longest))


def insert_odd(text: str, random: Random, _: str) -> str:
    """An odd character or several go in."""
    at, _end = _spot(text, random)
    times = random.choice((1, 1, 1, 1, 2, 3, 40, 300)) if random.random() < 0.3 else 1
    return _put(text, at, at, random.choice(ODD) * times)


def replace_odd(text: str, random: Random, _: str) -> str:
    """A character or a few become an odd one."""
    return _put(text, *_spot(text, random, 3), random.choice(ODD))


def delete_span(text: str, random: Random, _: str) -> str:
    """A few characters go."""
    return _put(text, *_spot(text, random, random.choice((1, 3, 30, 300))), "")


def double_span(text: str, random: Random, _: str) -> str:
    """A few characters are there twice."""
    start, end = _spot(text, random, random.choice((1, 8, 80)))
    return _put(text, end, end, text[start:end])


def swap_neighbours(text: str, random: Random, _: str) -> str:
    """Two characters change places."""
    at, _end = _spot(text, random)
    return _put(text, at, at + 2, text[at : at + 2][::-1])


def change_case(text: str, random: Random, _: str) -> str:
    """A few characters in the other case."""
    start, end = _spot(text, random, 20)
    return _put(text, start, end, text[start:end].swapcase())


def _token(text: str, random: Random) -> re.Match[str] | None:
    """A token near a place by chance: the whole text need not be cut for it."""
    at = random.randint(0, len(text))
    return _TOKEN.search(text, at) or _TOKEN.search(text)


def change_token(text: str, random: Random, notation: str) -> str:
    """A word becomes another: of the notation, of this text, of another record."""
    found = _token(text, random)
    if not found:
        return text
    if random.random() < 0.5:
        new = random.choice(words(notation))
    else:
        other = _token(text if random.random() < 0.5 else original(notation, random), random)
        new = other[0] if other else ""
    return _put(text, *found.span(), new)


def change_alike(text: str, random: Random, _: str) -> str:
    """A seat becomes another seat, a suit another suit, a rank another rank, a call another
    call.
    """
    for _try in range(20):
        found = _token(text, random)
        family = next((a for a in ALIKE if found and found[0] in a), None)
        if found and family:
            return _put(text, *found.span(), random.choice(family))
    return text


def delete_token(text: str, random: Random, _: str) -> str:
    """A word goes."""
    found = _token(text, random)
    return _put(text, *found.span(), "") if found else text


def double_token(text: str, random: Random, _: str) -> str:
    """A word is there twice, or many times."""
    found = _token(text, random)
    if not found:
        return text
    times = min(random.choices((2, 30, 400, 4000), (90, 6, 3, 1))[0], 50_000 // len(found[0]))
    return _put(text, *found.span(), random.choice((" ", " ", "", "\n")).join([found[0]] * times))


def swap_tokens(text: str, random: Random, _: str) -> str:
    """Two words change places."""
    one, other = _token(text, random), _token(text, random)
    if not one or not other or one.end() > other.start():
        return text
    return f"{text[: one.start()]}{other[0]}{text[one.end() : other.start()]}{one[0]}{text[other.end() :]}"


def change_number(text: str, random: Random, _: str) -> str:
    """A number becomes another: nought, one more, one less, huge."""
    found = _NUMBER.search(text, random.randint(0, len(text))) or _NUMBER.search(text)
    if not found:
        return text
    value = int(found[0]) if len(found[0]) < 100 else 0
    new = random.choice(
        (0, value + 1, value - 1, -value, value * 10, 13, 14, 10**9, 10**30, random.randrange(20))
    )
    return _put(
        text,
        *found.span(),
        str(new) if random.random() < 0.9 else "9" * random.choice((400, 4301, 6000)),
    )


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def delete_lines(text: str, random: Random, _: str) -> str:
    """A line or a few go."""
    lines = _lines(text)
    at = random.randrange(len(lines))
    del lines[at : at + random.choice((1, 1, 1, 2, 5, 30))]
    return "".join(lines)


def move_lines(text: str, random: Random, _: str) -> str:
    """A line or a few stand elsewhere, or there too."""
    lines = _lines(text)
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    taken = lines[at : at + random.choice((1, 1, 1, 3, 10))]
    if random.random() < 0.6:
        del lines[at : at + len(taken)]
    lines[to:to] = taken * random.choices((1, 30, 1000), (95, 4.5, 0.5))[0]
    return "".join(lines)


def join_lines(text: str, random: Random, _: str) -> str:
    """An end of a line goes."""
    lines = _lines(text)
    at = random.randrange(len(lines))
    lines[at] = lines[at].rstrip("\r\n") + random.choice(("", " "))
    return "".join(lines)


def break_line(text: str, random: Random, _: str) -> str:
    """A line ends where there is a space."""
    spaces = [m.start() for m in re.finditer(" ", text)]
    return (
        _put(text, at, at + 1, random.choice(("\n", "\r\n", "\r", "\n\n")))
        if spaces and (at := random.choice(spaces))
        else text
    )


def splice(text: str, random: Random, notation: str) -> str:
    """A line or a few of another record come in, or take the place of as many."""
    lines, others = _lines(text), _lines(original(notation, random))
    at, start = random.randrange(len(lines) + 1), random.randrange(len(others))
    taken = others[start : start + random.choice((1, 1, 2, 5, 40))]
    lines[at : at + random.choice((0, len(taken)))] = taken
    return "".join(lines)


def cut_off(text: str, random: Random, _: str) -> str:
    """The end or the beginning is missing."""
    at = random.randint(0, len(text))
    return text[:at] if random.random() < 0.7 else text[at:]


def append(text: str, random: Random, notation: str) -> str:
    """Another record stands behind."""
    return text + random.choice(("", "\n", "\n\n")) + original(notation, random)


def change_value(text: str, random: Random, notation: str) -> str:
    """A tag has another value: one that PBN has a meaning for, that of another tag, a word."""
    tags = list(_VALUE.finditer(text))
    if not tags:
        return text
    tag = random.choice(tags)
    other = random.choice(tags)[2]
    new = random.choice(
        (
            "?",
            "",
            "-",
            "#",
            "##",
            "##x",
            "*",
            "^N",
            "FREE",
            "1.1.1",
            "NS",
            other,
            other,
            random.choice(words(notation)),
            random.choice(ODD),
        )
    )
    return _put(text, *tag.span(2), new)


def change_command(text: str, random: Random, notation: str) -> str:
    """A command of LIN has another value, stands elsewhere too, or loses its bar."""
    found = list(_COMMAND.finditer(text))
    if not found:
        return text
    one, other = random.choice(found), random.choice(found)
    kind = random.randrange(4)
    if kind == 0:
        return _put(text, *one.span(1), random.choice(words(notation)))
    if kind == 1:
        return _put(text, *one.span(1), other[1])
    if kind == 2:
        return _put(text, one.start(), one.start(), other[0])
    return _put(text, one.end() - 1, one.end(), random.choice(("", " ", "\n", "||")))


def add_tag(text: str, random: Random, notation: str) -> str:
    """A tag more, or a note, a comment, a table: whole or not closed."""
    lines = _lines(text)
    name = random.choice(words(notation)[:40])
    new = random.choice(
        (
            f'[{name} "{random.choice(ODD)}"]\n',
            f'[Note "{random.randrange(12)}:{random.choice(ODD)}"]\n',
            f'[{name} "a;b\n',
            "{ never closed\n",
            "} closed\n",
            "; said by the way\n",
            "% said to a program\n",
            '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 9\n',
            f'[{name} "Seat;Note\\10L;x\\R"]\nN "a" "b"\n',
        )
    )
    at = random.randrange(len(lines) + 1)
    return "".join([*lines[:at], new, *lines[at:]])


MUTATIONS: tuple[Callable[[str, Random, str], str], ...] = (
    *(insert_odd, replace_odd, delete_span, double_span, swap_neighbours, change_case),
    *(
        change_token,
        change_token,
        change_alike,
        change_alike,
        change_alike,
        delete_token,
        double_token,
        swap_tokens,
    ),
    *(
        change_number,
        change_number,
        delete_lines,
        move_lines,
        join_lines,
        break_line,
        splice,
        cut_off,
        append,
    ),
)
MILD = (change_alike, change_alike, change_number, delete_lines, move_lines, splice)
"""After these a `.hand` file can mostly still be read, so that it is judged."""
OF_NOTATION = {
    "hand": (*MUTATIONS, *MILD * 4),
    "pbn": (*MUTATIONS, change_value, change_value, add_tag, add_tag),
    "lin": (*MUTATIONS, *[change_command] * 8),
}


def spoiled(data: bytes, random: Random) -> bytes:
    """The bytes as another program would have written them, or with one that is wrong."""
    at = random.randint(0, len(data))
    kind = random.randrange(8)
    if kind == 0:
        return data.decode("utf-8", "replace").encode(
            random.choice(("utf-16", "utf-16-le", "latin-1", "cp1252")), "replace"
        )
    if kind == 1:
        return b"\xef\xbb\xbf" + data
    if kind == 2:
        return data.replace(b"\n", random.choice((b"\r", b"\r\n", b"\n\r")))
    if kind == 3:
        return data[:at]
    if kind == 4:
        return (
            data[:at] + bytes([random.randrange(256)]) * random.choice((1, 3, 70_000)) + data[at:]
        )
    return (
        data[:at]
        + bytes(random.randrange(256) for _ in range(random.randint(1, 4)))
        + data[at + 1 :]
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

    def again(self) -> str:
        """The call that makes it again."""
        return (
            f"fuzz.py --seed {self.seed} --notation {self.notation} --first {self.number} --count 1"
        )


def mutant(notation: str, seed: int, number: int) -> Mutant:
    """The mutant of a seed and a number: the same at any time, whatever was made before."""
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
        code, options = random.choice(games())
        if random.random() < 0.1:
            options = tuple(o["id"] for o in code_data(code)["options"])
    only = PHASES if random.random() < 0.8 else tuple(p for p in PHASES if random.random() < 0.5)
    return Mutant(notation, seed, number, data, code, options, only or PHASES)


# --- what is done with a mutant
# ---------------------------------------------------------------------


class TooLong(Exception):
    """A mutant took more time than it may."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the block when the processor has worked on it for so long."""

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
    """The id of every finding that there is."""
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
    """Read, judge, report, write and draw a mutant; how many deals were judged. Raises for whatever
    is wrong.
    """
    file = folder / f"mutant.{m.notation}"
    file.write_bytes(m.data)
    (source,) = read_paths([str(file)])
    items = list(source.items)
    tally = Tally()
    results = list(check_document(items, m.code, m.options or None, m.only))
    answers = list(tally.of_file(map(as_json, results)))
    if source.failed:
        lines = 0
    elif source.notation == "hand":
        lines = len(lines_of(m.data.decode("utf-8-sig", "replace")))
    elif source.notation == "lin":
        lines = len(lin.lines_of(m.data))
    else:
        lines = len(pbn.lines_of(m.data))
    assert not source.lines or len(source.lines) == lines, (
        "the lines that are shown are not those that are counted"
    )
    for finding in (f for r in results for f in findings_of(r)):
        _hold_finding(finding, max(1, lines))
    _hold_text(answers, source, tally)
    _hold_json(answers, tally)
    if m.number % WRITE == 0:
        whole = not any(isinstance(i, Unreadable) or getattr(i, "kept", ()) for i in items)
        _hold_written(items, whole and m.number % READ_AGAIN == 0)
    for group, deals in groups(answers):
        _draw(group, deals)
    if m.number % OTHERS == 0:
        _hold_others(m, results)
    return sum(isinstance(r, Check) for r in results)


def _hold_finding(finding: Finding, lines: int) -> None:
    """A finding is one that there is, stands in the file, and has its law where it accuses."""
    place = finding.place
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


def _hold_text(results: list[Answer], source: RecordFile, tally: Tally) -> None:
    """The text of every result can be made and written: in full, among many, and as its account
    alone.
    """
    for full, account_only in ((True, False), (False, False), (True, True)):
        told = as_text_stream(
            ((source.lines, r) for r in results), tally, Style(60, full), full, account_only
        )
        "".join(told).encode("utf-8")


def _no_constant(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def _hold_json(results: list[Answer], tally: Tally) -> None:
    """The JSON can be written and read, has an entry for every deal, rubber and match, and the
    counts of the text.
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
    """What was read can be written in both notations that are written. If all of it was read, what
    is written can be read `again`.
    """
    for to in WRITTEN:
        made = convert.converted(items, to, "-")
        if made.text is None:
            continue
        data = made.text.encode("utf-8")
        read = read_stream(io.BytesIO(data), "-", to).items if again else ()
        bad = [i for i in read if isinstance(i, Unreadable) and not (i.unclear or i.harmless)]
        assert not bad, f"written as .{to} it cannot be read: {bad[0]}"


def _draw(group: GroupJson, deals: Deals) -> None:
    """The sheet or the card is drawn, or it is said that it cannot be."""
    try:
        told = sheet(group, deals) + sheet(group, deals, "svg")
    except Undrawable:
        return
    told.encode("utf-8")


def _hold_others(m: Mutant, results: Iterable[Result]) -> None:
    """The page that checks a hand has its answer too, and the deals their scores under
    every code.
    """
    asked = {"text": m.data.decode("utf-8", "replace"), "code": m.code, "options": m.options}
    json.loads(browser.answer(json.dumps(asked)), parse_constant=_no_constant)
    for result in results:
        if isinstance(result, Check):
            compared = compare(result)
            under_text(compared["under"], "a deal")
            json.dumps(compared)


# --- a run
# ------------------------------------------------------------------------------------------


@dataclass
class Failure:
    """A mutant that failed, with what Python said; `times` as often as others failed alike."""

    mutant: Mutant
    kind: str
    told: str
    times: int = 1


@dataclass
class Run:
    """What came of a number of mutants."""

    mutants: int = 0
    deals: int = 0
    slowest: float = 0.0
    slowest_mutant: Mutant | None = None
    failures: dict[str, Failure] = field(default_factory=dict)

    def words(self) -> str:
        """The result in one line."""
        slow = (
            f"; the slowest, number {self.slowest_mutant.number}, took {self.slowest:.2f} s"
            if self.slowest_mutant
            else ""
        )
        failed = sum(f.times for f in self.failures.values())
        return f"{self.mutants} mutants, {self.deals} deals judged, {failed} failed{slow}"


def failure_of(m: Mutant, folder: Path) -> tuple[str | None, str, int]:
    """How a mutant fails (nothing where it does not), what Python says of it, and the number of
    deals judged.
    """
    try:
        with bounded(SECONDS + len(m.data) / BYTES_A_SECOND):
            return None, "", examine(m, folder)
    except TooLong:
        return "TooLong", traceback.format_exc(), 0
    except Exception as error:
        inner = traceback.extract_tb(error.__traceback__)[-1]
        about = (
            re.sub(r"[\d\W]+", " ", str(error))[:40] if isinstance(error, AssertionError) else ""
        )
        return (
            f"{type(error).__name__} {Path(inner.filename).name}:{inner.lineno} {about}".strip(),
            traceback.format_exc(),
            0,
        )


@cache
def warm() -> None:
    """Make what is made once, grammars and law, so that no mutant is charged with it."""
    for notation in NOTATIONS:
        plain = Mutant(notation, 0, 0, original(notation, Random(0)).encode(), None, (), PHASES)
        with tempfile.TemporaryDirectory(prefix="oddtrick-fuzz-") as home:
            examine(plain, Path(home))


def attempted(notation: str, seed: int, numbers: Iterable[int]) -> Iterator[Run]:
    """The run so far, after each mutant."""
    run = Run()
    warm()
    with tempfile.TemporaryDirectory(prefix="oddtrick-fuzz-") as home:
        for number in numbers:
            m = mutant(notation, seed, number)
            begun = time.process_time()
            kind, told, deals = failure_of(m, Path(home))
            took = time.process_time() - begun
            run.mutants += 1
            run.deals += deals
            if took > run.slowest:
                run.slowest, run.slowest_mutant = took, m
            if kind and kind in run.failures:
                run.failures[kind].times += 1
            elif kind:
                run.failures[kind] = Failure(m, kind, told)
            yield run


def smallest(failure: Failure) -> bytes:
    """The fewest lines of a mutant that fail as it does: lines go as long as that stays so."""
    m = failure.mutant
    with tempfile.TemporaryDirectory(prefix="oddtrick-fuzz-") as home:
        kept = m.data.splitlines(keepends=True)
        step = len(kept)
        until = time.monotonic() + 60
        while step and time.monotonic() < until:
            at = 0
            while at < len(kept):
                tried = kept[:at] + kept[at + step :]
                less = Mutant(
                    m.notation, m.seed, m.number, b"".join(tried), m.code, m.options, m.only
                )
                if failure_of(less, Path(home))[0] == failure.kind:
                    kept = tried
                else:
                    at += step
            step //= 2
    return b"".join(kept)


def told_of(failure: Failure, folder: Path) -> str:
    """A failure in words, its mutant and the smallest form of it written to files."""
    m = failure.mutant
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{m.notation}-{m.seed}-{m.number}"
    whole, small = folder / f"{name}.{m.notation}", folder / f"{name}-small.{m.notation}"
    whole.write_bytes(m.data)
    small.write_bytes(smallest(failure))
    judged = f"under {m.code} {' '.join(m.options)}" if m.code else "under the code that it names"
    return (
        f"\n{failure.kind}, {failure.times} times; first by {m.again()}\n"
        f"{judged}, {', '.join(m.only)}; the mutant is {whole}, its smallest form {small}\n\n{failure.told}"
    )


def main() -> int:
    """Try as many mutants as asked for; 1 where one fails."""
    parser = argparse.ArgumentParser(
        description="Mutated records through reading, judging and both reports."
    )
    parser.add_argument(
        "--count", type=int, default=1000, help="how many of each notation (default: 1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed makes the same mutants (default: 1)"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first (default: 0)")
    parser.add_argument("--notation", choices=NOTATIONS, help="only these (default: all)")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()) / "oddtrick-fuzz",
        help="where mutants that fail are written",
    )
    asked = parser.parse_args()
    failed = False
    for notation in [asked.notation] if asked.notation else NOTATIONS:
        run, shown = Run(), 0.0
        begun = time.monotonic()
        for run in attempted(notation, asked.seed, range(asked.first, asked.first + asked.count)):
            if sys.stderr.isatty() and time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                print(f"\r{run.words()}\033[K", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        for failure in run.failures.values():
            print(told_of(failure, asked.folder))
        rate = run.mutants / max(time.monotonic() - begun, 0.001)
        print(f"{notation}, seed {asked.seed}: {run.words()}; {rate:.0f} a second", flush=True)
        failed |= bool(run.failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
