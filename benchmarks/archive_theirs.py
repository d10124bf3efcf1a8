"""How many records a second another library parses of a file: endplay or bridgebots.

BENCH/bin/python benchmarks/archive_theirs.py LIBRARY FILE

For an environment with both; prints the records parsed, those it gave up, and the seconds of the
processor. Where a file cannot be parsed as a whole, it is parsed game by game.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bridgebots
from bridgebots.lin import parse_lin_str
from endplay.parsers import lin, pbn

Parse = Callable[[str], int]


def of_bridgebots(end: str) -> Parse:
    """Its parser of PBN takes files, that of LIN the text of one board."""
    if end == ".lin":
        return lambda text: sum(
            len(d.board_records) for line in text.splitlines() for d in parse_lin_str(line)
        )

    def parsed(text: str) -> int:
        with tempfile.NamedTemporaryFile("w", suffix=end, encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return sum(len(d.board_records) for d in bridgebots.parse_pbn(Path(file.name)))

    return parsed


def of_endplay(end: str) -> Parse:
    """Its parsers take text."""
    loads = {".pbn": pbn.loads, ".lin": lin.loads}[end]
    return lambda text: len(loads(text))


def main() -> None:
    """Print what one library makes of one file."""
    logging.disable()
    path = Path(sys.argv[2])
    text = path.read_text(encoding="latin-1")
    parse = {"endplay": of_endplay, "bridgebots": of_bridgebots}[sys.argv[1]](path.suffix)
    start = time.process_time()
    failed = 0
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            records = parse(text)
        except Exception:
            start, records = time.process_time(), 0
            for game in text.split("\n\n" if path.suffix == ".pbn" else "\n"):
                try:
                    records += parse(game + "\n")
                except Exception:
                    failed += 1
    print(records, failed, time.process_time() - start)


if __name__ == "__main__":
    main()
