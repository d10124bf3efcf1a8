"""Lines read without the grammar mean what the grammar gives, place by place, and what it refuses
is not taken.
"""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lark import UnexpectedInput
from oddtrick.record.hand.errors import malformed
from oddtrick.record.hand.lines import STATEMENTS, statement_of
from oddtrick.record.hand.plain import blocks, plain_deal
from oddtrick.record.hand.scopes import FileReader

from lawbook import in_force
from oddtrick.cards import PACK, Seat
from oddtrick.judge.random_deals import legal_game
from oddtrick.record.hand import lines as notation_lines
from oddtrick.record.hand import scopes
from oddtrick.record.hand.grammar import STARTS, parser, statement
from oddtrick.record.hand.read import Document, lines_of, read_text, records
from oddtrick.record.hand.words import SECTIONS, Malformed, Statement
from oddtrick.record.hand.write import write_hand
from oddtrick.record.model import NOWHERE
from oddtrick.record.numbers import Numbers

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*(ROOT / "laws").rglob("*.hand"), *(ROOT / "tests").rglob("*.hand")])
TEXTS = [
    *(path.read_text("utf-8") for path in FILES),
    *re.findall(
        r"^```hand\n(.*?)^```",
        (ROOT / "docs" / "notation.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    ),
]
PIECES = [piece for _, pieces in malformed() for piece in pieces]
CODES = ("bridge-elwell", "auction-1912", "royalton-1915", "contract-1927")

quick = settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))


def statement_lines(text: str) -> list[str]:
    """The lines of a text that are neither blank nor comments."""
    return [line for line in lines_of(text) if line.strip() and line.strip()[0] != "#"]


LINES = sorted({line for text in [*TEXTS, *PIECES] for line in statement_lines(text)})
BY_WORD: dict[str, list[str]] = {}
for _line in LINES:
    BY_WORD.setdefault(re.split(r"[\s:,]", _line.strip())[0].lower(), []).append(_line)


def by_grammar(text: str, line: int, start: str) -> Statement | None:
    """What the grammar gives for a line; `None` where it refuses it."""
    try:
        return statement(parser().parse(text, start=start), line)
    except (UnexpectedInput, Malformed):
        return None


def hold(text: str, line: int = 7, starts: tuple[str, ...] = STARTS) -> int:
    """How often a line is taken without the grammar; an error where that is not what the grammar
    gives.
    """
    taken = 0
    for start in starts:
        if (read := statement_of(text, line, start)) is not None:
            meant = by_grammar(text, line, start)
            # `repr` too, because a token of the parser is equal to its text.
            assert (read, repr(read)) == (meant, repr(meant)), (start, text)
            taken += 1
    return taken


def test_every_line_of_every_file_means_what_the_grammar_gives() -> None:
    assert sum(map(hold, LINES)) > len(LINES)


@pytest.mark.parametrize("piece", PIECES)
def test_what_is_malformed_is_left_to_the_grammar(piece: str) -> None:
    *before, last = piece.split("\n")
    assert statement_of(last, 1, SECTIONS[before[0]] if before else "statement_line") is None


# --- any line -------------------------------------------------------------------------------------

BLANKS = (" ", " ", " ", " ", "", "  ", "\t", ", ", ",", " , ", "\xa0", "\u200b", "\x0c", "\u2028")
TOKENS = tuple(
    "10 A K Kn knave x AK10 ♠A ♥10 SA h10 SAK D10 ♠ 2 ♠\ufe0fA - – — ! ?! .. ... …. … ( ) : [ . \\ # #c"
    ' "x" "a#b" "a\\"b" "a\\nb" "A\\Nb" "a\\b" “x” " 0 1 99 100 007 999999 1000000 1S 2nt 3R 1927-04 1927-04-05'
    " ٣ ſ İ \N{KELVIN SIGN} éast eaſt a-b o'c foo no-trump".split(" ")
)


@cache
def words_of_the_grammar() -> tuple[str, ...]:
    return tuple(t.pattern.value for t in parser().terminals if t.pattern.type == "str")


def a_word(random: Random) -> str:
    word = random.choice(random.choice((words_of_the_grammar(), TOKENS)))
    return random.choice((str, str.lower, str.upper, str.title))(word)


def changed(line: str, random: Random) -> str:
    """A line with a word or a letter put in, left out or exchanged, in other letters, or with a
    comment.
    """
    how = random.randrange(8)
    if how < 3:
        parts = re.split(r"([\s,:]+)", line)
        at = random.randrange(len(parts))
        put = random.choice(
            ([], [a_word(random)], [random.choice(BLANKS), a_word(random), random.choice(BLANKS)])
        )
        parts[at : at + random.randrange(2)] = put
        return "".join(parts)
    if how < 6:
        at = random.randint(0, len(line))
        letter = random.choice((*a_word(random), *' ,:#"-', ""))
        return line[:at] + letter + line[at + random.randrange(2) :]
    if how == 6:
        return random.choice((str.lower, str.upper, str.title, str.swapcase))(line)
    return line + random.choice(("#", " # c", '# "q', " ,", "  "))


def some_line(random: Random) -> str:
    """A line of words of the grammar, or one of the project's with changes."""
    if random.random() < 0.2:
        return "".join(a_word(random) + random.choice(BLANKS) for _ in range(random.randint(1, 7)))
    line = random.choice(BY_WORD[random.choice(list(BY_WORD))])
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        line = changed(line, random)
    return re.sub(r"[\r\n]", " ", line)


@quick
@given(st.integers(0, 2**32), st.sampled_from(STARTS))
def test_any_line_means_what_the_grammar_gives(seed: int, start: str) -> None:
    random = Random(seed)
    for _ in range(10):
        hold(some_line(random), random.randint(1, 999), (start,))


@pytest.mark.parametrize("letter", ["ſ", "\N{KELVIN SIGN}", "İ", "ı"])
def test_a_letter_that_only_looks_ascii_does_not_raise(letter: str) -> None:
    like = {"ſ": "s", "\N{KELVIN SIGN}": "k"}.get(letter, "i")
    for text in (
        "deal 1\ndealer south\nscore NS trick 9",
        "deal 1\nhands\nnorth ♠ k\nplay\n♥k ♠ k\nirregularity x",
    ):
        for at in (found.start() for found in re.finditer(like, text)):
            read = read_text(text[:at] + letter + text[at + 1 :])
            assert read.unreadable == ()
            assert read.items == read_text(text).items


# --- how much is taken ----------------------------------------------------------------------------


def left_over(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of a text that are left to the grammar."""
    left: list[str] = []

    def watched(line: str, number: int, start: str) -> Statement | None:
        read = statement_of(line, number, start)
        left.extend([line] if read is None else [])
        return read

    monkeypatch.setattr("oddtrick.record.hand.scopes.statement_of", watched)
    reading = FileReader("-")
    for number, line in enumerate(lines_of(text), 1):
        reading.line(number, line)
    return left


@pytest.mark.parametrize("code", CODES)
def test_no_line_of_a_written_game_needs_the_grammar(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = in_force(code)
    text = "".join(write_hand([legal_game(Random(seed), rules, seed)]) for seed in range(25))
    assert text.count("\nplay\n") > 20
    assert left_over(text, monkeypatch) == []


def test_hardly_a_line_of_the_shipped_records_needs_the_grammar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\n".join(path.read_text("utf-8") for path in FILES if "notation" not in path.parts)
    lines, left = statement_lines(text), left_over(text, monkeypatch)
    assert len(lines) > 5000
    assert len(left) < len(lines) / 100


def test_every_statement_is_taken_in_some_line() -> None:
    read = [statement_of(line, 1, "statement_line") for line in LINES]
    said = {
        line.split()[0].lower()
        for line, found in zip(LINES, read, strict=True)
        if found is not None
    }
    assert set(STATEMENTS) - said == set()


def test_a_written_game_is_read_without_lark(tmp_path: Path) -> None:
    file = tmp_path / "game.hand"
    file.write_text(write_hand([legal_game(Random(1), in_force("auction-1912"), 1)]), "utf-8")
    code = (
        "import sys, pathlib; from oddtrick.record import read_document;"
        "read = read_document(pathlib.Path(sys.argv[1]).read_bytes());"
        "sys.exit(len(read.items) != 1 or bool(read.unreadable) or 'lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(file)], check=False).returncode == 0


def test_a_long_line_costs_no_more_than_its_length() -> None:
    for piece in (
        " ",
        ", ",
        "♠ A ",
        "north ",
        "pass, ",
        "1 ",
        'north "x" ',
        "trick 1 ",
        "a-",
        "- ",
        "!",
        "by south ",
        "...",
    ):
        for word in (
            "",
            *STATEMENTS,
            "north ♠",
            "♠A",
            "west: ♠A",
            "1 heart, ",
            "declaration 1 heart",
            "deal 1",
            "score NS",
        ):
            line = f"{word} {piece * (20_000 // len(piece))}~"
            for start in STARTS:
                began = time.process_time()
                assert statement_of(line, 1, start) is None
                assert time.process_time() - began < 1


def test_reading_makes_no_cycles() -> None:
    read = [read_text(text) for text in TEXTS] + [read_text(f"deal 1\n{piece}") for piece in PIECES]
    gc.collect()
    gc.disable()
    try:
        assert read == [read_text(text) for text in TEXTS] + [
            read_text(f"deal 1\n{piece}") for piece in PIECES
        ]
        assert gc.collect() == 0
    finally:
        gc.enable()


# --- the comparison can fail ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "word", "wrong"),
    [
        ("PLAYED_CARDS", "♠A", PACK[1]),
        ("CALL_WORDS", "double", ("redouble", None)),
        ("DENOMINATION_WORDS", "hearts", "hearts-royal"),
        ("SEAT_WORDS", "west", Seat.EAST),
        (
            "ROWS",
            "hand_line",
            lambda text, line: None if "♠" not in text else by_grammar(text, line + 1, "hand_line"),
        ),
        (
            "ROWS",
            "trick_line",
            lambda text, line: by_grammar(text.replace("foo", ""), line, "trick_line"),
        ),
    ],
)
def test_a_wrong_reader_is_noticed(
    table: str, word: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(getattr(notation_lines, table), word, wrong)
    with pytest.raises(AssertionError):
        test_every_line_of_every_file_means_what_the_grammar_gives()


# --- whole deals ----------------------------------------------------------------------------------


def a_file(random: Random) -> str:
    """Some legal deals, half of the files with a line dropped, said twice, or changed by a letter."""
    law = in_force(random.choice(CODES))
    rows = write_hand([legal_game(random, law, number) for number in range(3)]).split("\n")
    at, what = random.randrange(len(rows)), random.random()
    if what < 0.4:
        letter = random.randrange(len(rows[at]) + 1)
        rows[at] = rows[at][:letter] + random.choice("x#, -10♥\n") + rows[at][letter + 1 :]
    elif what < 0.5:
        rows[at : at + 1] = random.choice(([], [rows[at], rows[at]]))
    return "\n".join(rows)


def test_a_plain_deal_is_the_same_however_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole it is read in numbers, else line by line: numbers, places and what is wrong."""
    texts = [a_file(Random(seed)) for seed in range(60)]
    plain = [d for text in texts for d in map(plain_deal, blocks(text), range(1, 4))]
    assert len(plain) > sum(d is not None for d in plain) > 100
    quick = [read_text(text) for text in texts]
    counted = [numbered(document) for document in quick]
    monkeypatch.setattr(scopes, "plain_deal", lambda *_: None)
    slow = [read_text(text) for text in texts]
    assert counted == [numbered(document) for document in slow]
    assert quick == slow


def numbered(document: Document) -> list[Numbers]:
    """The numbers of the deals of a document, but for the places of what they state."""
    numbers = [record.numbers for record in records(document)]
    return [
        n._replace(
            rows=n.rows and list(n.rows),
            declaration=n.declaration and replace(n.declaration, place=NOWHERE),
            result=n.result and replace(n.result, place=NOWHERE),
        )
        for n in numbers
    ]
