"""Measures the peak memory and the time of a check of a long archive.

    .venv/bin/python benchmarks/archive_memory.py [GAMES [GAMES ...]]

Each archive is a PBN file in which half the games are dirty (`tests/dirty_pbn.py`). It has up to ten
thousand different games, repeated with other event names. For each number of games, the benchmark
prints the peak memory in MB and the wall-clock seconds of `oddtrick check --statistics` in one
process.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
EVENING = 10_000
CHECK = [sys.executable, "-m", "oddtrick", "check", "--statistics", "--jobs", "1"]


def write(path: Path, games: int) -> None:
    """Write an archive of at least `games` games, in multiples of `EVENING` if there are more."""
    sys.path.insert(0, str(HERE.parent / "tests"))  # dirty_pbn imports from it
    dirt = runpy.run_path(str(HERE.parent / "tests" / "dirty_pbn.py"))
    evening: bytes = dirt["archive"](min(games, EVENING))[0]
    with path.open("wb") as file:
        for number in range(-(-games // EVENING)):
            file.write(evening.replace(b"Club night", b"Club night %d" % number))


def measured(path: Path) -> tuple[float, float]:
    """The peak memory in MB and the wall-clock seconds of one check."""
    begun = time.perf_counter()
    child = subprocess.Popen(
        [*CHECK, "--code", "contract-1927", str(path)], stdout=subprocess.DEVNULL
    )
    used = os.wait4(child.pid, 0)[2]
    return used.ru_maxrss / 1000, time.perf_counter() - begun


def main() -> None:
    """Print a table with a row for each number of games."""
    print("| games | file, MB | memory at most, MB | seconds |\n| --- | --- | --- | --- |")
    for games in [int(n) for n in sys.argv[1:]] or [1_000, 10_000, 100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "archive.pbn"
            write(path, games)
            memory, seconds = measured(path)
            size = path.stat().st_size / 1e6
        print(f"| {games:,} | {size:.0f} | {memory:.0f} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
