"""How fast a PBN file of ten thousand records is read, and read and judged; with what memory.

.venv/bin/python benchmarks/pbn_speed.py [RECORDS]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from oddtrick.judge.check import check as check_record
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book
from oddtrick.record.deal import Deal
from oddtrick.record.pbn.read import read_pbn
from oddtrick.record.pbn.write import write_pbn


def make(path: Path, count: int) -> None:
    """Write a PBN file of so many random legal games; two hundred different ones, over and over."""
    rules = book().rules("contract-1927")
    games = [legal_game(Random(seed), rules, seed) for seed in range(min(count, 200))]
    texts = ["".join(write_pbn([g])) for g in games]
    with path.open("w", encoding="utf-8") as file:
        for index in range(count):
            file.write(texts[index % len(texts)].rstrip("\n") + "\n\n")


def timed(path: Path, judge: bool) -> tuple[int, float]:
    """Records read (and judged), and seconds."""
    start, count = time.perf_counter(), 0
    with path.open("rb") as file:
        for item in read_pbn(file, path.name):
            if isinstance(item, Deal):
                count += 1
                if judge:
                    check_record(item, code="contract-1927", only=("declaring", "play"))
    return count, time.perf_counter() - start


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.pbn"
        make(path, count)
        print(f"{count} records, {path.stat().st_size / 1e6:.1f} MB")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for judge in (False, True):
            read, seconds = timed(path, judge)
            print(
                f"{'read and judged' if judge else 'read':<16} {read / seconds:8.0f} records a second ({read} records)"
            )
        print(
            f"memory grew by {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024:.0f} MB"
        )


if __name__ == "__main__":
    main()
