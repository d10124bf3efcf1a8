"""How fast PBN is read and judged beside endplay, which parses and judges nothing: in turns, one run.

.venv/bin/python benchmarks/archive_speed.py [GAMES [TURNS [BENCH]]]

BENCH is an environment with endplay; where none is named, one is made in a folder that is thrown
away. endplay writes the clean games; of the dirty file (`tests/dirty_pbn.py`) half the games are
dirty. The machine is shared, so each takes its turn again and again, each in a process of its own,
and the best turn counts, in seconds of the processor. Told are records a second, and how many times
as many as endplay parses of the same file.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

HERE = Path(__file__).parent
CODE, PLAY = "contract-1927", ("declaring", "play")
KINDS = {"read": (), "judged": PLAY, "with the score": (*PLAY, "score")}


def environment(folder: Path) -> str:
    """The Python of a new environment with endplay."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "endplay", "bridgebots"], check=True)
    return python


def make(folder: Path, python: str, games: int) -> list[Path]:
    """The clean file, the dirty one, and the clean one in our own notation."""
    write = [python, str(HERE / "archive_write.py"), str(folder), str(games)]
    subprocess.run(write, check=True, timeout=3600)
    dirt = runpy.run_path(str(HERE.parent / "tests" / "dirty_pbn.py"))
    (folder / "dirty.pbn").write_bytes(dirt["archive"](games, 1)[0])
    convert = [sys.executable, "-m", "oddtrick", "convert", "--to", "hand"]
    own = subprocess.run([*convert, str(folder / "clean.pbn")], capture_output=True, timeout=3600)
    (folder / "clean.hand").write_bytes(own.stdout)
    return [folder / name for name in ("clean.pbn", "dirty.pbn", "clean.hand")]


def ours(path: Path, only: tuple[str, ...]) -> None:
    """Print records and seconds of one turn of ours."""
    from oddtrick.judge.check import check
    from oddtrick.record.model import Record
    from oddtrick.record.sources import NOTATIONS

    def turn() -> int:
        records = 0
        for item in NOTATIONS[path.suffix[1:]].read([path.read_bytes()], path.name):
            if isinstance(item, Record):
                records += 1
                if only:
                    _ = check(item, CODE, None, only).verdict
        return records

    turn()
    start = time.process_time()
    print(turn(), 0, time.process_time() - start)


def rate(command: list[str]) -> float:
    """Records a second of one turn, those given up among them."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=3600)
    records, failed, seconds = done.stdout.split()
    return (int(records) + int(failed)) / float(seconds)


def main() -> None:
    """Print a table."""
    if sys.argv[1:2] == ["--ours"]:
        ours(Path(sys.argv[2]), tuple(sys.argv[3:]))
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as home:
        python = sys.argv[3] if len(sys.argv) > 3 else environment(Path(home) / "bench")
        print(
            "| file | endplay parses | " + " | ".join(KINDS) + " |\n| --- | --- | --- | --- | --- |"
        )
        for path in make(Path(home), python, games):
            theirs = [python, str(HERE / "archive_theirs.py"), "endplay"]
            other = path if path.suffix == ".pbn" else path.with_suffix(".pbn")
            commands = {"endplay": [*theirs, str(other)]} | {
                kind: [sys.executable, __file__, "--ours", str(path), *only]
                for kind, only in KINDS.items()
            }
            best = dict.fromkeys(commands, 0.0)
            for _ in range(turns):
                for kind, command in commands.items():
                    best[kind] = max(best[kind], rate(command))
            base = best["endplay"]
            told = [f"{best[kind]:.0f} ({best[kind] / base:.2f})" for kind in KINDS]
            print(f"| {path.name} | {base:.0f} | " + " | ".join(told) + " |", flush=True)


if __name__ == "__main__":
    main()
