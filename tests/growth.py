"""How the work grows with what is given: records of every shape that a stranger may send, citations,
questions and books of nothing but one thing.

Also a program: `python tests/growth.py [LETTERS [SECONDS]]` tells the processor time and the memory of
each shape at so many letters, twice as many and so on, up to 64 times, each in a process of its own. What
took longer than so many seconds is not tried with more letters.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator

from command import commanded
from lawbook import in_force
from oddtrick.book.own_copies import clean, detect
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.judge.contract_words import Unclear
from oddtrick.judge.rubber import check_document
from oddtrick.record import read
from oddtrick.report.answers import as_json
from oddtrick.report.tally import Tally, as_json_stream, as_text_stream
from oddtrick.report.under_codes import contract_json
from oddtrick.site import in_page
from oddtrick.terminal import Style

Shape = Callable[[int], object]
"""Does the work that so many letters ask for."""


def times(unit: str, length: int, before: str = "", after: str = "") -> str:
    """A text of nothing but one thing, of about this length."""
    return before + unit * max(1, length // len(unit)) + after


def counted(unit: str, length: int, before: str = "") -> str:
    """The same with a number in each (`{}`)."""
    return before + "".join(unit.format(i) for i in range(max(1, length // len(unit))))


DEAL = "code auction-1926\ndeal 1\n"
GAME = '[Event "x"]\n'
BOARD = "md|3S2,,,|"
NUMBERS = "".join(f"{number}. " for number in range(1, 101))

HAND = {
    "one endless line": lambda n: times("a", n, 'deal 1 "'),
    "lines that mean nothing": lambda n: times("x y z\n", n),
    "tags": lambda n: counted('tag T{} "v"\n', n, DEAL),
    "a note of many words": lambda n: times("a ", n, DEAL + "note "),
    "calls": lambda n: times("  pass, pass, pass, pass\n", n, DEAL + "dealer south\nbidding\n"),
    "calls in one line": lambda n: times("pass, ", n, DEAL + "dealer south\nbidding\n  "),
    "cards": lambda n: times("  west: ♣K ♣8 ♣4 ♣A\n", n, DEAL + "play\n"),
    "comments": lambda n: times("# c\n", n, DEAL),
    "blanks": lambda n: times(" ", n),
    "empty lines": lambda n: times("\n", n),
    "quotation marks": lambda n: times('\\"', n, DEAL + 'note "'),
    "open quotation marks": lambda n: times('note "\\"\\"\n', n, DEAL),
    "deals": lambda n: counted("deal {}\nresult made 1\n", n, "code auction-1926\n"),
    "deals with options": lambda n: (
        counted("option no-{}\n", n // 2, "code auction-1926\n")
        + counted("deal {}\nresult made 1\n", n // 2)
    ),
    "deals with tags": lambda n: (
        counted('tag T{} "v"\n', n // 2, "code auction-1926\n")
        + counted("deal {}\nresult made 1\n", n // 2)
    ),
    "deals of a rubber": lambda n: counted(
        "deal {}\nresult made 1\n", n, 'code auction-1926\nrubber "r"\n'
    ),
    "rubbers in rubbers": lambda n: times('rubber "r"\n', n),
    "irregularities": lambda n: times("irregularity revoke by south\n", n, DEAL),
    "irregularities with statements": lambda n: times(
        'irregularity lead-out-of-turn by south of "♣K" noticed by east\n', n, DEAL
    ),
    "irregularities that take rights away": lambda n: times(
        "irregularity consultation by east\nirregularity revoke by south\n", n, DEAL
    ),
    "irregularities of other names": lambda n: counted("irregularity revoka-{}\n", n, DEAL),
    "irregularities at one card": lambda n: times(
        "    irregularity revoke by west\n", n, DEAL + "play\n  west: ♣K ♣8 ♣4 ♣A\n"
    ),
    "calls that are not told": lambda n: times("  ...\n", n, DEAL + "dealer south\nbidding\n"),
    "calls that are corrected": lambda n: times(
        "  1 club\n  corrects 2 clubs\n", n, DEAL + "dealer south\nbidding\n"
    ),
    "calls that are corrected again": lambda n: times(
        "  corrects 2 spades\n  pass\n", n, DEAL + "dealer south\nbidding\n  1 club\n"
    ),
    "bids that are not enough": lambda n: times("  1 club\n", n, DEAL + "dealer south\nbidding\n"),
    "calls behind the end": lambda n: times(
        "  1 club\n  irregularity call-out-of-turn by east\n",
        n,
        DEAL + "dealer south\nbidding\n  all pass\n",
    ),
    "a long header": lambda n: (
        'event "' + "x" * min(n // 2, 49_000) + '"\n' + counted("deal {}\n", n // 2)
    ),
    "headers of a rubber": lambda n: times('tag X "v"\n', n, 'rubber "r"\n', "deal 1\n"),
    "one number": lambda n: times("9", n, DEAL + "tray ", "\n"),
    "facts": lambda n: times("a, ", n, DEAL + "irregularity revoke by south when ", "a\n"),
    "bids that are not enough, in deals": lambda n: times(
        "deal 1\ndealer south\nbidding\n" + "  1 club\n" * 300, n, "code auction-1926\n"
    ),
    "claims": lambda n: times("south claims 1 agreed\n", n, DEAL + "play\n  west: ♣K\n"),
}
PBN = {
    "tags": lambda n: counted('[T{} "v"]\n', n),
    "one tag": lambda n: times(GAME, n),
    "an open comment": lambda n: times("a", n, GAME + "{"),
    "braces": lambda n: times("{", n, GAME),
    "braces in lines": lambda n: times("{\n", n, GAME),
    "brackets": lambda n: times("[", n),
    "quotation marks": lambda n: times('\\"', n, '[Event "'),
    "open quotation marks": lambda n: times('[Event "a\n', n),
    "calls": lambda n: times("Pass Pass Pass Pass\n", n, GAME + '[Auction "S"]\n'),
    "cards": lambda n: times("SA SK SQ SJ\n", n, GAME + '[Play "S"]\n'),
    "notes": lambda n: counted('[Note "{}:x"]\n', n, GAME + '[Auction "S"]\n1C =1= Pass\n'),
    "semicolons": lambda n: times("; c\n", n, GAME),
    "empty lines": lambda n: times("\n", n, GAME),
    "values taken over": lambda n: times('[Event "#"]\n\n', n, GAME + "\n"),
    "a long value taken over": lambda n: times(
        '[Event "#"]\n[Board "1"]\n\n', n // 2, '[Event "' + "x" * min(n // 2, 60_000) + '"]\n\n'
    ),
    "a value for all": lambda n: times(
        '[Board "1"]\n[Dealer "S"]\n\n', n // 2, '[Event "##' + "x" * min(n // 2, 60_000) + '"]\n\n'
    ),
    "one number": lambda n: times("9", n, '[Result "', '"]\n'),
    "line separators": lambda n: times("\u2028\n", n, GAME + '[Auction "S"]\n'),
    "rows of a table": lambda n: times("1 2\n", n, GAME + '[ScoreTable "A;B"]\n'),
    "escapes": lambda n: times("% x\n", n),
}
LIN = {
    "bars": lambda n: times("|", n, "pn|"),
    "hands": lambda n: times("md|3S2|", n),
    "calls": lambda n: times("mb|p|", n, BOARD),
    "calls in one": lambda n: times("p", n, BOARD + "mb|", "|"),
    "cards": lambda n: times("pc|SA|", n, BOARD),
    "notes": lambda n: times("nt|x|", n, BOARD),
    "no end": lambda n: times("a", n, BOARD + "nt|"),
    "boards": lambda n: counted("qx|o{}|md|3S2,,,|mb|p|", n),
    "unknown commands": lambda n: times("zz|x|", n, BOARD),
    "names": lambda n: times("a,", n, "pn|", "|" + BOARD),
}
ALONE = ("a", " ", "1", "law ", "(", "1.", "-", "revoke ", "§", "x ")
"""What a citation or a contract has nothing but."""

BOOK = {
    **{
        repr(unit): lambda n, unit=unit: times(unit, n)
        for unit in (" ", "\n", "1", "12. x\n", "law ", "a", "-\n", "A B C\n", "*", "*\n", "> \n")
    },
    **{repr(unit): lambda n, unit=unit: times(unit, n) for unit in ("ABC ", "1 ", "a-\n")},
    "one law": lambda n: times("Law 1. The partner who\n", n),
    "numbers and points": lambda n: times(". ", n, NUMBERS),
    "numbers and paragraphs": lambda n: times("\n\n.", n, NUMBERS),
    "numbers and capitals": lambda n: times(" A", n, NUMBERS),
    "headings": lambda n: "".join(
        f"AB{chr(65 + i % 26)}{chr(65 + i // 26 % 26)} XY lower " for i in [*range(n // 100)] * 7
    ),
}


def shapes() -> Iterator[tuple[str, Shape]]:
    """Every shape by its name."""
    for notation, table in (("hand", HAND), ("pbn", PBN), ("lin", LIN)):
        for name, made in table.items():
            yield (f"{notation}: {name}", lambda n, m=made, k=notation: judged(m(n).encode(), k))
    for unit in ALONE:
        yield f"citation: {unit!r}", lambda n, u=unit: cited(times(u, n))
        yield f"citation of a law: {unit!r}", lambda n, u=unit: cited(times(u, n, "1912 law 84 "))
        yield f"contract: {unit!r}", lambda n, u=unit: scored(times(u, n, "4 hearts "))
    for name, made in BOOK.items():
        yield f"book: {name}", lambda n, m=made: detect(clean(m(n)))

    for field, asked in FIELDS.items():
        yield f"page: {field}", lambda n, a=asked: in_page.answer(json.dumps(a("x1 " * (n // 3))))
    for command in ("law", "cite", "search", "compare", "ruling", "score", "topics"):
        yield f"argument: {command}", lambda n, c=command: commanded(c, "a1" * (n // 2))


RUBBER = 'code auction-1926\nrubber "r"\n'
FIELDS = {
    "a deal in words": lambda w: {"of": "rubber", "text": RUBBER + "end rubber\n", "add": w},
    "names": lambda w: {
        "of": "rubber",
        "begin": {"code": "auction-1926", "title": w, "ours": w, "theirs": w},
    },
    "a rubber": lambda w: {
        "of": "rubber",
        "text": RUBBER + "deal 1\nresult made 1\n" * (len(w) // 21) + "end rubber\n",
        "back": True,
    },
    "a record": lambda w: {"text": DEAL + w},
    "a record of lines": lambda w: {"text": DEAL + w.replace(" ", "\n")},
    "the table": lambda w: {"of": "table", "text": DEAL + w.replace(" ", "\n")},
    "the table in PBN": lambda w: {"of": "table", "text": GAME * (len(w) // len(GAME))},
    "a book": lambda w: {"of": "book", "text": w, "file": "a.txt"},
}
"""Questions of the pages with words of a reader in them."""


def judged(data: bytes, notation: str) -> None:
    """A file read, judged and told in full, as text and as JSON."""
    results = list(map(as_json, check_document(read(data, "-", notation), "auction-1926")))
    tally = Tally()
    for _ in as_text_stream((((), r) for r in results), tally, Style(), full=True):
        pass
    for _ in as_json_stream(results, tally):
        pass


def cited(words: str) -> None:
    """A citation read."""
    with contextlib.suppress(Unread):
        read_citation(words)


def scored(words: str) -> None:
    """A contract read."""
    with contextlib.suppress(Unclear):
        contract_json(words, [in_force("auction-1926")])


def seconds(shape: Shape, letters: int) -> float:
    """The processor time of a shape."""
    begun = time.process_time()
    shape(letters)
    return time.process_time() - begun


def apart(shape: Shape, letters: int) -> tuple[float, int]:
    """The processor time of a shape in a process of its own, and how much more memory, in MB, the
    process had than before.
    """
    ours, theirs = multiprocessing.Pipe()

    def work() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took = seconds(shape, letters)
        ours.send((took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024))

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    return theirs.recv() if theirs.poll() else (float("inf"), 0)


if __name__ == "__main__":
    least = int(sys.argv[1]) if len(sys.argv) > 1 else 62_500
    most = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    sizes = [least * 2**n for n in range(7)]
    print(" " * 40 + "".join(f"{size:>15,}" for size in sizes) + " letters")
    for name, shape in shapes():
        shape(100)
        cells, took = [], 0.0
        for size in sizes:
            if took < most:
                took, memory = apart(shape, size)
                cells.append(f"{took:8.2f} s {memory:>3} M")
        print(f"{name:<40}" + "".join(f"{cell:>15}" for cell in cells), flush=True)
