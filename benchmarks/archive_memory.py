"""The most memory that a check of a long archive takes, and how long it takes.

.venv/bin/python benchmarks/archive_memory.py [GAMES [GAMES ...]]

Each archive is PBN of which half the games are dirty (`tests/dirty_pbn.py`): ten thousand games, told
again as of other evenings. Told are, for each number of games, MB at most and seconds by the clock of
`oddtrick check --statistics` in one process.
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
    """An archive of so many games."""
    sys.path.insert(0, str(HERE.parent / "tests"))  # which it imports from
    dirt = runpy.run_path(str(HERE.parent / "tests" / "dirty_pbn.py"))
    evening: bytes = dirt["archive"](min(games, EVENING), 1)[0]
    with path.open("wb") as file:
        for number in range(-(-games // EVENING)):
            file.write(evening.replace(b"Club night", b"Club night %d" % number))


def measured(path: Path) -> tuple[float, float]:
    """MB at most and seconds of one check."""
    begun = time.perf_counter()
    child = subprocess.Popen(
        [*CHECK, "--code", "contract-1927", str(path)], stdout=subprocess.DEVNULL
    )
    used = os.wait4(child.pid, 0)[2]
    return used.ru_maxrss / 1000, time.perf_counter() - begun


def main() -> None:
    """Print the table."""
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
