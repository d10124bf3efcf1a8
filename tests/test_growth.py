"""No input causes work that grows faster than its length: records of every shape, citations,
questions and books that repeat one thing.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from string import Template
from typing import Any

from command import commanded
from files import table
from lawbook import in_force
from oddtrick.book.own_copies import clean, detect
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.judge.rubber import check_document
from oddtrick.record import read
from oddtrick.report.answers import as_json
from oddtrick.report.contract_words import Unclear
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.report.under_codes import contract_json
from oddtrick.site import in_page
from oddtrick.terminal import Style

Shape = Callable[[int], object]
"""Do the work that so many letters require."""

TABLES: Any = table("growth")
BEGIN = TABLES.pop("begin") | {"numbers": "".join(f"{number}. " for number in range(1, 101))}
DEAL, GAME = BEGIN["deal"], BEGIN["game"]


def text(length: int, unit: str, before: str = "", after: str = "") -> str:
    """A text of about a given length that repeats one thing, with a number in place of each `{}`."""
    number = max(1, length // len(unit))
    many = (unit.format(i) for i in range(number)) if "{}" in unit else [unit * number]
    return Template(before).substitute(BEGIN) + "".join(many) + after


DEALS, BOARD = "deal {}\nresult made 1\n", '[Board "1"]\n'
TABLES["hand"] |= {
    "deals with options": lambda n: (
        text(n // 2, "option no-{}\n", "code auction-1926\n") + text(n // 2, DEALS)
    ),
    "deals with tags": lambda n: (
        text(n // 2, 'tag T{} "v"\n', "code auction-1926\n") + text(n // 2, DEALS)
    ),
    "a long header": lambda n: (
        'event "' + "x" * min(n // 2, 49_000) + '"\n' + text(n // 2, "deal {}\n")
    ),
    "bids that are not enough, in deals": lambda n: text(
        n, "deal 1\ndealer south\nbidding\n" + "  1 club\n" * 300, "code auction-1926\n"
    ),
}
TABLES["pbn"] |= {
    "a long value taken over": lambda n: text(
        n // 2, f'[Event "#"]\n{BOARD}\n', '[Event "' + "x" * min(n // 2, 60_000) + '"]\n\n'
    ),
    "a value for all": lambda n: text(
        n // 2, f'{BOARD}[Dealer "S"]\n\n', '[Event "##' + "x" * min(n // 2, 60_000) + '"]\n\n'
    ),
}
TABLES["book"] |= {repr(unit): [unit] for unit in TABLES.pop("units of a book")} | {
    "headings": lambda n: "".join(
        f"AB{chr(65 + i % 26)}{chr(65 + i // 26 % 26)} XY lower " for i in [*range(n // 100)] * 7
    )
}
ALONE = ("a", " ", "1", "law ", "(", "1.", "-", "revoke ", "§", "x ")
"""Texts that citations or contracts are made of."""


def shapes() -> Iterator[tuple[str, Shape]]:
    """Every shape by its name."""
    for kind, rows in TABLES.items():
        for name, row in rows.items():
            made: Callable[[int], str] = row if callable(row) else lambda n, r=row: text(n, *r)
            yield (f"{kind}: {name}", lambda n, m=made, k=kind: DONE[k](m(n)))
    for unit in ALONE:
        yield f"citation: {unit!r}", lambda n, u=unit: cited(text(n, u))
        yield f"citation of a law: {unit!r}", lambda n, u=unit: cited(text(n, u, "1912 law 84 "))
        yield f"contract: {unit!r}", lambda n, u=unit: scored(text(n, u, "4 hearts "))
    for field, asked in FIELDS.items():
        yield f"page: {field}", lambda n, a=asked: in_page.answer(json.dumps(a("x1 " * (n // 3))))
    for command in ("law", "cite", "search", "compare", "ruling", "score", "topics"):
        yield f"argument: {command}", lambda n, c=command: commanded(c, "a1" * (n // 2))


RUBBER = 'code auction-1926\nrubber "r"\n'
FIELDS = {
    "a deal in words": lambda w: {"of": "rubber", "text": RUBBER + "end rubber\n", "words": w},
    "names": lambda w: {
        "of": "rubber",
        "begin": {"code": "auction-1926", "title": w, "north": w, "west": w},
    },
    "a rubber": lambda w: {
        "of": "rubber",
        "text": RUBBER + "deal 1\nresult made 1\n" * (len(w) // 21) + "end rubber\n",
        "remove": 0,
    },
    "a record": lambda w: {"text": DEAL + w},
    "a record of lines": lambda w: {"text": DEAL + w.replace(" ", "\n")},
    "the table": lambda w: {"of": "table", "text": DEAL + w.replace(" ", "\n")},
    "the table in PBN": lambda w: {"of": "table", "text": GAME * (len(w) // len(GAME))},
}
"""Questions of the pages that contain a reader's words."""


def judged(words: str, notation: str) -> None:
    """Read, judge and report a file in full, as text and as JSON."""
    results = list(
        map(as_json, check_document(read(words.encode(), "-", notation), "auction-1926"))
    )
    tally = Tally()
    for _ in as_text_stream(results, tally, Style(), full=True):
        pass
    for _ in as_json_stream(results, tally):
        pass


def cited(words: str) -> None:
    """Read a citation."""
    with contextlib.suppress(Unread):
        read_citation(words)


def scored(words: str) -> None:
    """Read a contract."""
    with contextlib.suppress(Unclear):
        contract_json(words, [in_force("auction-1926")])


DONE: dict[str, Callable[[str], object]] = {
    "hand": lambda words: judged(words, "hand"),
    "pbn": lambda words: judged(words, "pbn"),
    "lin": lambda words: judged(words, "lin"),
    "book": lambda words: detect(clean(words)),
}
"""What is done with a text of each table."""


def seconds(shape: Shape, letters: int) -> float:
    """The processor time of a shape."""
    begun = time.process_time()
    shape(letters)
    return time.process_time() - begun


LETTERS = 1_000
TIMES = 4

SLACK = 3.0
"""How far the growth in time may exceed proportion, to allow for noise."""

NOTHING = 0.25
"""Processor time in seconds below which growth is not measured."""


def test_four_times_as_much_takes_about_four_times_as_long() -> None:
    """In processor time. Quadratic work would take sixteen times as long, and backtracking for
    ever.
    """
    wrong = {}
    for name, shape in shapes():
        large = seconds(shape, TIMES * LETTERS)
        small = seconds(shape, LETTERS) if large > NOTHING else 0.0
        most = SLACK * TIMES * small + NOTHING
        if large > most:  # once more: it may have loaded the law or collected the garbage of others
            large = seconds(shape, TIMES * LETTERS)
        if large > most:
            wrong[name] = (small, large)
    assert wrong == {}
