"""Every statement has an effect: a line of a record that is dropped or changed changes the answer or is
named there as not used; and what is meant only for readers has none.

What the JSON repeats of the record, positions and notes on the notation do not count. A sample of the
records is tried; with `ODDTRICK_WHOLE=1`, all of them.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import pytest

from conftest import WHOLE
from files import ROOT
from oddtrick.judge import check_document
from oddtrick.record import read
from oddtrick.record.deal import Unreadable
from oddtrick.record.hand.read import read_hand
from oddtrick.record.hand.write import write_hand
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

QUOTED = r'"(?:[^"\\]|\\.)*"'
CIRCLES = [
    words.split()
    for words in (
        "north-south east-west", "north east south west", "spades hearts diamonds clubs", "♠ ♥ ♦ ♣",
        "A K Q J 10 9 8 7 6 5 4 3 2", "none both", "claims concedes", "agreed refused", "pass double",
        "original overplay", "yes satisfied", "doubled redoubled",
    )
]  # fmt: skip
"""Words, each of which is changed into the next."""


def records(every: int) -> Iterator[str]:
    """One in so many deals, rubbers and matches of the files, each as a text."""
    items = (item for path in FILES for item in read_hand([path.read_bytes()]))
    for item in islice(items, 0, None, every):
        if not isinstance(item, Unreadable):
            yield write_hand([item])


def changed(line: str) -> Iterator[str]:
    """A line dropped, or with a word or a number of it changed."""
    yield ""
    for words in CIRCLES:
        for word, other in zip(words, [*words[1:], words[0]], strict=True):
            yield re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", other, line, count=1)
    yield re.sub(r"\d+", lambda m: str(int(m[0]) + 1), line, count=1)


def answers(text: str, depth: Literal["play", "full"]) -> list[Any]:
    """The answers of the check to a text."""
    return [as_json(r, depth) for r in check_document(read(text.encode(), "-", "hand"))]


def is_note(value: Any) -> bool:
    """Whether a part of an answer is a finding on the notation."""
    return isinstance(value, dict) and str(value.get("rule", "")).startswith("notation.")


def bare(value: Any) -> Any:
    """An answer without what it repeats of the record, positions and notes on the notation."""
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in ECHO}
    return [bare(v) for v in value if not is_note(v)] if isinstance(value, list) else value


@lru_cache(maxsize=2)
def own(text: str, depth: Literal["play", "full"]) -> Any:
    """The bare answers to a record as it is."""
    return bare(answers(text, depth))


def idle(text: str) -> Iterator[str]:
    """The lines of a record that have no effect although the record can be read without them."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        word = line.split(maxsplit=1)[0] if line.strip() else "#"
        if word[0] == "#" or word in ("deal", "end", *FOR_READERS):
            continue
        readable = []
        for other in dict.fromkeys(changed(line)):
            less = "\n".join([*lines[:number], other, *lines[number + 1 :]])
            told = answers(less, "play")
            if other == line or any(map(is_note, told)) or "notation." in str(told):
                continue
            if bare(told) != own(text, "play"):
                break
            readable.append(less)
        else:
            if readable and all(bare(answers(t, "full")) == own(text, "full") for t in readable):
                yield line


@pytest.mark.slow
def test_what_is_dropped_or_changed_changes_the_answer_or_is_named_as_not_used() -> None:
    assert [(line, text) for text in records(1 if WHOLE else 121) for line in idle(text)] == []


def for_readers() -> list[Path]:
    """The smallest files that have each statement for readers, without a match; or all of them."""
    seen, chosen = set[str](), list[Path]()
    for path in sorted(FILES, key=lambda p: p.stat().st_size):
        text = path.read_text("utf-8")
        words = {w for w in FOR_READERS if re.search(rf"^\s*{w}\b", text, re.M)}
        if (WHOLE or words - seen) and not re.search(r"^match|^# ===", text, re.M):
            seen |= words
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
    table = text.partition("are meant for human readers")[2].partition("\n\n#")[0]
    assert set(re.findall(r"`(\w+)`", table)) == FOR_READERS


def test_a_record_without_end_is_not_tried() -> None:
    told = "irregularity revoke by east\n" * 500
    text = f"code auction-1912\ndeal 1\ndealer south\n{told}bidding\n" + "pass\n" * 100
    (answer,) = answers(text, "full")
    assert [n["statement"] for n in answer["not_used"]] == ["500 statements"]


def test_a_claim_to_half_of_the_rest_is_used() -> None:
    text = (
        "code auction-1912\ndeal 1\ndeclaration 1 hearts by south\nplay\n"
        "  west: ♠5 ♠4 ♠6 ♠K\n  south claims 6\n"
    )
    (answer,) = answers(text, "full")
    assert [n for n in answer["not_used"] if "claims" in n["statement"]] == []
