"""Every statement has an effect: in each record of the tests one statement is dropped or changed,
and so are the statements meant only for readers.

A statement is a line, or a word of it that another could replace: a seat, a number, a card, a suit,
a call, a fact. It is dropped with one or two words before it if the rest can be read (`noticed by
west`). It is caught if a mutant changes the JSON of the check or is named there as not used; what
the JSON repeats of the record, positions and notes on the notation do not count. A sample is tried;
with `ODDTRICK_WHOLE=1 ODDTRICK_STATEMENTS=1`, every statement.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import pytest

from command import commanded
from conftest import WHOLE
from files import ROOT
from oddtrick.judge import check_document
from oddtrick.record import read
from oddtrick.report.answers import as_json

FILES = sorted(
    path
    for folder in ("laws/records", "tests/classes", "tests/findings", "tests/notation")
    for path in (ROOT / folder).glob("*.hand")
)

ECHO = frozenset(
    "id file line column end_line end_column quoted item title source note dealer sides tray stated hands"
    " auction play incidents records".split()
)
"""Keys of the JSON that repeat the record or give positions."""

FOR_READERS = frozenset("source event venue date scorer note tag players sides".split())
"""Statements without effect; in a match `players` and `sides` have one."""

SEATS = ("north", "east", "south", "west")
SIDES = ("north-south", "east-west")
SUITS = ("spades", "hearts", "diamonds", "clubs", "no-trump", "royal spades")
PACK = tuple(f"{suit}{rank}" for suit in "♠♥♦♣" for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split())
ALIKE: tuple[tuple[str, ...], ...] = (
    SEATS,
    tuple(f"{seat}:" for seat in SEATS),
    SUITS,
    ("spade", "heart", "diamond", "club", "no-trump"),
    tuple(path.parent.name for path in ROOT.glob("laws/*/code.yaml")),
    (*SIDES, "none", "both", "north-south 10"),
    ("NS", "EW"),
    ("undoubled", "doubled", "redoubled", "bridged"),
    ("claims", "concedes"),
    ("agreed", "refused"),
    ("original", "overplay"),
    ("pass", "double", "7 no-trump", "make clubs", "corrects"),
    ("redouble", "yes", "satisfied", "challenge", "pass to partner", "may I lead", "..."),
)
"""Words that may replace each other."""

QUOTED = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(rf"{QUOTED}|[()]|royal spades?|pass to partner|may I lead|[^\s(),]+")
RANK = re.compile(r"10|[2-9AKQJTx]")
SECTIONS = ("hands", "bidding", "play", "declaration", "result")


@dataclass(frozen=True)
class Statement:
    """One statement of a record, with the text of the record without it (the first readable one
    counts) and with another.
    """

    file: Path
    line: int
    below: int
    kind: str
    wrong: bool
    text: str
    drops: tuple[str, ...]
    changes: tuple[str, ...]

    def __str__(self) -> str:
        line = self.text.splitlines()[self.below].strip()
        return f"{self.file.relative_to(ROOT)}:{self.line}: {self.kind}: {line}"


# --- the statements of a text ---------------------------------------------------------------------


def records(path: Path) -> Iterator[tuple[int, bool, list[str], list[str]]]:
    """Each deal, rubber and match: its line, whether it is known to be misjudged, the lines that
    the file states for all of them, and its own. Comments are blanked.
    """
    head, block, start, group, wrong = list[str](), list[str](), 0, False, False
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), "# ==="], 1):
        bare = re.sub(rf"({QUOTED})|[ \t]*#.*", lambda m: m[1] or "", line)
        word = bare.split(maxsplit=1)[0] if bare.strip() else ""
        ends = line.startswith("# ===")
        begins = not group and word in ("deal", "rubber", "match")
        if block and (ends or begins):
            yield start, wrong, head, block
            block = []
        head, wrong = ([], False) if ends else (head, wrong or line.startswith("# xfail"))
        start = number if begins else start
        group = word in ("rubber", "match") or (group and word != "end")
        (block if begins or block else head).append(bare)


@cache
def facts() -> dict[str, list[str]]:
    """Every fact of the catalogue with its answers."""
    listed = json.loads(commanded("ruling", "--list", "--format", "json").stdout)
    return {fact: answers for i in listed for fact, answers in i["facts"].items()}


def others(word: str, before: str) -> Iterator[tuple[str, list[str]]]:
    """The statements in a word that follows another word: its kind, and its possible replacements."""
    number = re.fullmatch(r"\d+", word)
    if number:
        yield "number", [str(int(word) + 1), str(max(int(word) - 1, 0)), str(int(word) + 10)]
    elif word[:2] in PACK or word[:3] in PACK:
        yield "card", [PACK[0], PACK[-1]]
    elif before == "of" and word[0] == '"':
        yield "of", [f'"{card}"' for card in (PACK[0], PACK[-1], *PACK)]
    elif before == "remedy":
        yield "remedy", ['"whatever he likes"']
    elif before == "when":
        told = [fact.strip() for fact in word.strip('"').split(",")]
        for n, (fact, *_) in enumerate(t.split() or [""] for t in told):
            new = [f"{fact} {answer}" for answer in facts().get(fact.rstrip(":"), ())]
            lists = ([*told[:n], *([f] if f else []), *told[n + 1 :]] for f in (*new, ""))
            yield "when", [f'"{", ".join(names)}"' for names in lists if names]
    else:
        for alike in ALIKE:
            if word.rstrip("!?") in alike:
                yield alike[0].rstrip(":"), [w for w in alike if w != word]


def cuts(lines: list[str]) -> Iterator[tuple[int, str, list[str], list[str]]]:
    """Each statement of the lines of a record: its line number, its kind, the line with the
    statement dropped (the first readable form counts), and the line with it changed.
    """
    section = ""
    for number, line in enumerate(lines):
        tokens = list(TOKEN.finditer(line))
        first = tokens[0][0] if tokens else ""
        section = first if first in SECTIONS else section
        if first in ("", "deal", "end", *FOR_READERS):
            continue
        if section == "hands" and first.rstrip(":") in SEATS:
            if not RANK.search(line):
                continue  # it states only that the hand is not known
            yield number, "hand", [""], [re.sub(RANK, by, line, count=1) for by in ("2", "9", "")]
            continue
        name = first if first.isalpha() and first not in SEATS else section
        words, numbers = [], list[str]()
        for n, token in enumerate(tokens):
            before, after = line[: token.start()], line[token.end() :]
            for kind, new in others(token[0], tokens[n - 1][0] if n else ""):
                if kind in SIDES and after.startswith(" 0"):
                    continue  # omitting a side means the same as 0
                dropped = [
                    line[: t.start()] + after for t in reversed(tokens[max(n - 3, 0) : n + 1])
                ]
                changed = [before + o + after for o in new]
                if section == "bidding" and kind == "number":
                    numbers = changed  # a bid is one statement
                else:
                    words.append((f"{name} {kind}", dropped, numbers + changed))
                    numbers = []
        yield number, name, [""], [line for _, _, changed in words for line in changed]
        if name not in ("score", "honours", "total", "won"):
            yield from ((number, *word) for word in words if word[0] != "play claims")
        for told in re.finditer(r" irregularity (?:(?! irregularity)[^)])*(?=.*\))", line):
            yield number, "irregularity", [line[: told.start()] + line[told.end() :]], []


def statements(files: Iterable[Path] = FILES, every: int = 1) -> Iterator[Statement]:
    """Every statement of the files, or of one in so many of their records."""
    every_record = ((path, *record) for path in files for record in records(path))
    for path, at, wrong, above, own in islice(every_record, 0, None, every):
        stated = {line.split(maxsplit=1)[0] for line in own if line.strip()}
        stated |= {"option", "reading"} if "code" in stated else set()
        head = [line for line in above if line.strip() and line.split(maxsplit=1)[0] not in stated]
        lines = [*head, *own]
        if any(a.get("verdict") == "unreadable" for a in answers("\n".join(lines), "play")):
            lines = [line for line in lines if not line.startswith("option ")]
        for number, kind, *new in cuts(lines):
            before, after = lines[:number], lines[number + 1 :]
            drops, changes = (tuple("\n".join([*before, n, *after]) for n in ns) for ns in new)
            yield Statement(path, at, number, kind, wrong, "\n".join(lines), drops, changes)


# --- trying ---------------------------------------------------------------------------------------


def answers(text: str, depth: Literal["play", "full"]) -> list[Any]:
    """The answers of the check to a text."""
    items = read(text.encode(), "-", "hand")
    return [as_json(result, depth) for result in check_document(items)]


def is_note(value: Any) -> bool:
    """Whether a part of an answer is a finding on the notation."""
    return isinstance(value, dict) and str(value.get("rule", "")).startswith("notation.")


def bare(value: Any) -> Any:
    """An answer without what it repeats of the record, positions and notes on the notation."""
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in ECHO}
    return [bare(v) for v in value if not is_note(v)] if isinstance(value, list) else value


def notes(told: list[Any]) -> Counter[str]:
    """The findings on the notation, each with its number of occurrences."""
    found = (f for a in told for f in ([a] if "rule" in a else a["findings"]))
    return Counter(f["rule"] for f in found if is_note(f))


@lru_cache(maxsize=2)
def own(text: str, depth: Literal["play", "full"]) -> tuple[Counter[str], Any]:
    """The notes on the notation of a text, and the rest of its answers."""
    told = answers(text, depth)
    return notes(told), bare(told)


def caught(statement: Statement) -> bool | None:
    """Whether another answer proves that a statement has an effect; `None` if no mutant can be
    read.
    """
    noted, told = own(statement.text, "play")
    readable = []
    for texts in (statement.drops, *((c,) for c in statement.changes)):
        for text in texts:
            other = answers(text, "play")
            if notes(other) == noted:
                if bare(other) != told:
                    return True
                readable.append(text)
                break
    told = own(statement.text, "full")[1]
    return any(bare(answers(text, "full")) != told for text in readable) if readable else None


# --- the tests ------------------------------------------------------------------------------------

EVERY, STEP = (1, int(os.environ.get("ODDTRICK_STATEMENTS", "61"))) if WHOLE else (31, 25)
"""One in so many records is drawn, and of their statements the first of each kind and one in so
many.
"""

RUBBER = ROOT / "tests" / "findings" / "auction-1912-rubber.hand"


def sample() -> list[Statement]:
    """Statements of all kinds, at least one of each."""
    kinds: set[str] = set()
    chosen = []
    every = (s for s in (*statements(every=EVERY), *statements([RUBBER])) if not s.wrong)
    for number, statement in enumerate(every):
        if number % STEP == 0 or statement.kind not in kinds:
            kinds.add(statement.kind)
            chosen.append(statement)
    return chosen


@pytest.mark.slow
def test_what_is_dropped_or_changed_changes_the_answer_or_is_named_as_not_used() -> None:
    tried = {s: caught(s) for s in sample()}
    assert sum(how is True for how in tried.values()) > 100
    assert [str(s) for s, how in tried.items() if how is False] == []


WITHOUT_MATCH = [p for p in FILES if not re.search(r"^match|^# ===", p.read_text("utf-8"), re.M)]
"""Files of records in which `players` and `sides` are only for readers, each tested as one file."""


def for_readers() -> list[Path]:
    """The smallest files in which each code has each statement for readers; or all of them."""
    seen, chosen = set[tuple[str, str]](), list[Path]()
    for path in sorted(WITHOUT_MATCH, key=lambda p: p.stat().st_size):
        text = path.read_text("utf-8")
        words = {w for w in FOR_READERS if re.search(rf"^\s*{w}\b", text, re.M)}
        told = {(code, w) for code in re.findall(r"^\s*code (\S+)", text, re.M) for w in words}
        if WHOLE or told - seen:
            seen |= told
            chosen.append(path)
    return chosen


@pytest.mark.parametrize("path", for_readers(), ids=lambda p: p.name)
def test_what_is_for_readers_bears_on_nothing(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = (re.sub(rf"({QUOTED})|[ \t]*#.*", lambda m: m[1] or "", n) for n in text.splitlines())
    told = [n for n in lines if n.split(maxsplit=1)[:1] not in ([w] for w in FOR_READERS)]
    less = re.sub(rf" note {QUOTED}|(?<=\w)[!?]+", "", "\n".join(told))
    assert bare(answers(less, "play")) == bare(answers(text, "play"))


def test_the_statements_for_readers_are_documented(root: Path) -> None:
    text = (root / "docs" / "notation.md").read_text("utf-8")
    table = text.partition("are meant for human readers")[2]
    table = table.partition("\n\n#")[0]
    assert set(re.findall(r"`(\w+)`", table)) == FOR_READERS


def test_the_dealer_of_a_tray_is_used() -> None:
    (path,) = (p for p in FILES if p.name.startswith("12-"))
    dealers = [s for s in statements([path]) if s.kind == "dealer" and not s.wrong]
    assert [str(s) for s in dealers if caught(s) is False] == []


def test_a_record_without_end_is_not_tried() -> None:
    calls = "bidding\n" + "pass\n" * 100
    told = "irregularity revoke by east\n" * 500
    text = f"code auction-1912\ndeal 1\ndealer south\n{told}{calls}"
    (answer,) = answers(text, "full")
    assert [n["statement"] for n in answer["not_used"]] == ["500 statements"]


def test_a_claim_to_half_of_the_rest_is_used() -> None:
    text = (
        "code auction-1912\ndeal 1\ndeclaration 1 hearts by south\nplay\n"
        "  west: ♠5 ♠4 ♠6 ♠K\n  south claims 6\n"
    )
    (answer,) = answers(text, "full")
    assert [n for n in answer["not_used"] if "claims" in n["statement"]] == []
