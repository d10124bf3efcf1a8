"""Measures how fast archives are read and judged, compared with libraries that only parse them.

    .venv/bin/python benchmarks/archive_speed.py [GAMES [TURNS [BENCH [FILE ...]]]]

BENCH is the Python of an environment with endplay and bridgebots; by default, a temporary one is
created. FILE are the archives to measure. By default, endplay writes clean games in PBN and LIN,
which are also converted to our own notation. In addition there are a dirty file
(`tests/dirty_pbn.py`), in which half the games are dirty, and an annotated one, in which each game
has `#`, a note and a comment.

Since the machine may be busy, the candidates take turns, each in a process of its own, and the best
turn counts. The table gives records per second of processor time, with the ratio to what endplay
parses from the same file (for our own notation, from the PBN file); and records judged per second
of wall-clock time with one and two workers.
"""

from __future__ import annotations

import re
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
    """Create an environment with endplay and bridgebots, and return the path of its Python."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "endplay", "bridgebots"], check=True)
    return python


def make(folder: Path, python: str, games: int) -> list[Path]:
    """Write the archives: clean in PBN, LIN and our own notation, annotated, and dirty."""
    write = [python, str(HERE / "archive_theirs.py"), "write", str(folder), str(games)]
    subprocess.run(write, check=True, timeout=3600)
    sys.path.insert(0, str(HERE.parent / "tests"))  # dirty_pbn imports from it
    dirt = runpy.run_path(str(HERE.parent / "tests" / "dirty_pbn.py"))
    (folder / "dirty.pbn").write_bytes(dirt["archive"](games)[0])
    clean = (folder / "clean.pbn").read_text("utf-8")
    (folder / "annotated.pbn").write_text(annotated(clean), "utf-8")
    convert = [sys.executable, "-m", "oddtrick", "convert", "--to", "hand"]
    own = subprocess.run([*convert, str(folder / "clean.pbn")], capture_output=True, timeout=3600)
    (folder / "clean.hand").write_bytes(own.stdout)
    names = ("clean.pbn", "annotated.pbn", "dirty.pbn", "clean.lin", "clean.hand")
    return [folder / name for name in names]


def annotated(text: str) -> str:
    """PBN games with `#`, a note and a comment added to each."""
    text = re.sub(r'(?<=\n\n)\[Event "[^"]*"\]\n\[Site "[^"]*"\]', '[Event "#"]\n[Site "#"]', text)
    return re.sub(
        r'(\[Auction "."\]\n\S+)([^[]*)',
        r'\1 =1=\2[Note "1:as agreed"]\n{Said afterwards.}\n',
        text,
    )


def ours(path: Path, only: tuple[str, ...]) -> None:
    """Print the records, 0 and the processor seconds of one turn, after a turn to warm up."""
    from oddtrick.judge.check import check
    from oddtrick.record.deal import Deal
    from oddtrick.record.sources import NOTATIONS

    def turn() -> int:
        records = 0
        for item in NOTATIONS[path.suffix[1:]].read([path.read_bytes()], path.name):
            if isinstance(item, Deal):
                records += 1
                if only:
                    _ = check(item, CODE, None, only).verdict
        return records

    turn()
    start = time.process_time()
    print(turn(), 0, time.process_time() - start)


def workers(path: Path, number: int) -> None:
    """Print the records, 0 and the wall-clock seconds of one turn with workers that are running."""
    from oddtrick.report.archive import Asked, archive
    from oddtrick.report.tally import Tally
    from oddtrick.report.workers import Workers

    with Workers(number) as begun:
        asked = Asked(CODE, only=PLAY, counted=True)
        all(True for _ in archive([str(path)], asked, begun))
        tally, start = Tally(), time.perf_counter()
        all(True for _ in archive([str(path)], asked, begun, tally=tally))
        print(tally.records, 0, time.perf_counter() - start)


def rate(command: list[str]) -> float:
    """The records per second of one turn, including those that could not be parsed."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=3600)
    records, failed, seconds = done.stdout.split()
    return (int(records) + int(failed)) / float(seconds)


def commands(path: Path, python: str) -> dict[str, list[str]]:
    """The commands that take turns on a file, by column of the table."""
    other = path if path.suffix != ".hand" else path.with_suffix(".pbn")
    theirs, this = [python, str(HERE / "archive_theirs.py")], [sys.executable, __file__]
    return (
        {name: [*theirs, name, str(other)] for name in ("endplay", "bridgebots")}
        | {kind: [*this, "--ours", str(path), *only] for kind, only in KINDS.items()}
        | {f"{n} workers": [*this, "--workers", str(path), str(n)] for n in (1, 2)}
    )


def main() -> None:
    """Print a table with a row for each file."""
    if sys.argv[1:2] == ["--ours"]:
        ours(Path(sys.argv[2]), tuple(sys.argv[3:]))
        return
    if sys.argv[1:2] == ["--workers"]:
        workers(Path(sys.argv[2]), int(sys.argv[3]))
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as home:
        python = sys.argv[3] if len(sys.argv) > 3 else environment(Path(home) / "bench")
        files = [Path(name) for name in sys.argv[4:]] or make(Path(home), python, games)
        for number, path in enumerate(files):
            turn = commands(path, python)
            if not number:
                print(f"| {games} games | " + " | ".join(turn) + " |")
                print("|" + " --- |" * (len(turn) + 1), flush=True)
            best = dict.fromkeys(turn, 0.0)
            for _ in range(turns):
                for kind, command in turn.items():
                    best[kind] = max(best[kind], rate(command))
            told = [
                f"{one:.0f}" + (f" ({one / best['endplay']:.2f})" if kind in KINDS else "")
                for kind, one in best.items()
            ]
            print(f"| {path.name} | " + " | ".join(told) + " |", flush=True)


if __name__ == "__main__":
    main()
