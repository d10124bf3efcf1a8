"""Records a second of an archive: read, judged for declaration and play, judged with the score.

.venv/bin/python benchmarks/archive_rates.py BENCH/bin/python [GAMES]

BENCH is an environment of its own with endplay and bridgebots (`pip install endplay bridgebots`):
endplay writes the clean games, and both parse the same files in the same run. The dirty file is
`tests/dirty_pbn.py`'s, half of its games dirty. What one process does is told for a second of the
processor, the best of three; what one and two workers do, for a second of the clock.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from oddtrick.judge.rubber import check_document
from oddtrick.record.convert import converted
from oddtrick.record.model import Record, Unreadable
from oddtrick.record.sources import read_paths
from oddtrick.report.archive import Asked, archive
from oddtrick.report.tally import Tally
from oddtrick.report.workers import Workers

HERE = Path(__file__).parent

CODE, PLAY = "contract-1927", ("declaring", "play")
ASKED = {
    "read": None,
    "judged": Asked(CODE, only=PLAY, counted=True),
    "with the score": Asked(CODE, counted=True),
}


def make(folder: Path, python: str, games: int) -> list[Path]:
    """The four files, each of so many games."""
    subprocess.run(
        [python, str(HERE / "archive_write.py"), str(folder), str(games)], check=True, timeout=3600
    )
    dirt = runpy.run_path(str(HERE.parent / "tests" / "dirty_pbn.py"))
    (folder / "dirty.pbn").write_bytes(dirt["archive"](games, 1)[0])
    (source,) = read_paths([str(folder / "clean.pbn")])
    items = [i for i in source.items if not isinstance(i, Unreadable)]
    (folder / "clean.hand").write_text(converted(items, "hand", "clean").text or "", "utf-8")
    return [folder / name for name in ("clean.pbn", "dirty.pbn", "clean.lin", "clean.hand")]


def rate(path: Path, asked: Asked | None) -> float:
    """Records for a second of the processor, in this process."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        (source,) = read_paths([str(path)])
        if asked is None:
            records = sum(isinstance(i, Record) for i in source.items)
        else:
            records = sum(1 for _ in check_document(source.items, asked.code, None, asked.only))
        best = max(best, records / (time.process_time() - start))
    return best


def rate_of_workers(path: Path, number: int) -> float:
    """Records for a second of the clock, judged by so many workers that have begun."""
    with Workers(number) as workers:
        asked = Asked(CODE, only=PLAY, counted=True)
        all(True for _ in archive([str(path)], asked, workers))
        tally, start = Tally(), time.perf_counter()
        all(True for _ in archive([str(path)], asked, workers, tally=tally))
        return tally.records / (time.perf_counter() - start)


def theirs(python: str, library: str, path: Path) -> str:
    """What another library parses for a second of the processor, and what it gives up."""
    command = [python, str(HERE / "archive_theirs.py"), library, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=3600)
    records, failed, seconds = done.stdout.split()
    given_up = f", {failed} given up" if int(failed) else ""
    return f"{int(records) / float(seconds):.0f}{given_up}"


def main() -> None:
    """Print a table."""
    python, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    heads = [*ASKED, "1 worker", "2 workers", "endplay parses", "bridgebots parses"]
    print(f"| {games} games | " + " | ".join(heads) + " |\n|" + " --- |" * (len(heads) + 1))
    with tempfile.TemporaryDirectory() as home:
        for path in make(Path(home), python, games):
            ours = [f"{rate(path, asked):.0f}" for asked in ASKED.values()]
            ours += [f"{rate_of_workers(path, n):.0f}" for n in (1, 2)]
            known = path.suffix != ".hand"
            others = [theirs(python, x, path) if known else "" for x in ("endplay", "bridgebots")]
            print(f"| {path.name} | " + " | ".join([*ours, *others]) + " |", flush=True)


if __name__ == "__main__":
    main()
