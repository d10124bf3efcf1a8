"""What a user sees of oddtrick, written down once and compared after the code is rebuilt.

    python tests/golden.py inputs INPUTS          # once, with the cut that others are compared to
    python tests/golden.py make INPUTS FOLDER [--only KIND,...] [--quick] [--jobs N]
    python tests/golden.py compare OLD NEW [--show N]

`make` runs the commands of `INPUTS/commands.jsonl` and builds the site with the oddtrick that can
be imported (PYTHONPATH says which), through its command line alone. It writes a file for each kind,
a line for each command: what went to standard output and standard error, the exit status, the file
written. `--quick` runs one command in ten and builds no site. `compare` puts the differences into
groups that begin alike, shows some of each, and lists all keys in `NEW/differences.txt`; it passes
over what `make` was told to leave out. Exit status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import multiprocessing
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
import traceback
from itertools import takewhile
from pathlib import Path
from typing import Any
from zlib import crc32

OWN = ("ODDTRICK_LAWS", "ODDTRICK_SITE_URL", "ODDTRICK_CACHE")
FIXED = {"TZ": "UTC", "SOURCE_DATE_EPOCH": "0", "COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
HOMES = ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "ODDTRICK_DATA")


# --- commands -------------------------------------------------------------------------------------


def called(arguments: list[str], given: bytes) -> tuple[bytes, bytes, object]:
    """Run `oddtrick` in this process: standard output, standard error, exit status."""
    from oddtrick.__main__ import main

    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    raw = [io.BytesIO(given), io.BytesIO(), io.BytesIO()]
    how = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "", "write_through": True}
    streams = [io.TextIOWrapper(r, **how) for r in raw]
    sys.argv = ["oddtrick", *arguments]
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        status: object = main()
    except SystemExit as end:
        status = end.code
    except Exception as error:
        status = "".join(traceback.format_exception_only(error)).strip()
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    return raw[1].getvalue(), raw[2].getvalue(), status


def ran(command: dict[str, Any]) -> str:
    """All that a command, or a pipe of them, lets a user see."""
    given = Path(command["stdin"]).read_bytes() if command["stdin"] else b""
    told = []
    for step in command["steps"]:
        given, errors, status = called(step, given)
        told.append(f"$ oddtrick {shlex.join(step)}\n".encode() + given)
        told += [b"--- standard error\n", errors] if errors else []
        told.append(f"--- status {status}\n".encode())
    if command["writes"]:
        path = Path(command["writes"])
        told += [b"--- written\n", path.read_bytes() if path.exists() else b"--- nothing\n"]
        path.unlink(missing_ok=True)
    home = str(Path("commands.jsonl").resolve().parent)
    return b"".join(told).decode("utf-8", "backslashreplace").replace(home, "INPUTS")


def own_folder(inputs: Path, home: str) -> None:
    """Give this process its own working folder, with the inputs in it, and its own data."""
    here = Path(tempfile.mkdtemp(dir=home))
    for path in inputs.iterdir():
        (here / path.name).symlink_to(path)
    os.chdir(here)
    os.environ["ODDTRICK_DATA"] = tempfile.mkdtemp(dir=home)


def make(inputs: Path, folder: Path, only: list[str], quick: bool, jobs: int) -> None:
    """Write the outputs of the oddtrick that can be imported."""
    lines = (inputs / "commands.jsonl").read_text("utf-8").splitlines()
    kinds: dict[str, list[dict[str, Any]]] = {}
    for command in map(json.loads, lines):
        kinds.setdefault(command["kind"], []).append(command)
    wanted = only or [*kinds, *([] if quick else ["site"])]
    unknown = set(wanted) - {*kinds, "site"}
    if unknown:
        sys.exit(f"golden.py: no kind {', '.join(unknown)}; there are {', '.join(kinds)}, site")
    with tempfile.TemporaryDirectory(prefix="golden-", ignore_cleanup_errors=True) as home:
        (Path(home) / "empty").mkdir()
        os.environ.update(FIXED | dict.fromkeys(HOMES, f"{home}/empty"))
        for name in OWN:
            os.environ.pop(name, None)
        time.tzset()
        import golden_site
        import oddtrick

        print(f"oddtrick of {oddtrick.__file__}", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "about.json").write_text(json.dumps({"quick": quick}) + "\n")
        called(["law", "contract-1927"], b"")  # compiles the law data where it must be
        with multiprocessing.get_context("fork").Pool(jobs, own_folder, (inputs, home)) as pool:
            for kind in (k for k in kinds if k in wanted):
                begun = time.monotonic()
                some = [c for c in kinds[kind] if not quick or crc32(c["key"].encode()) % 10 == 0]
                told = zip((c["key"] for c in some), pool.imap(ran, some, 4), strict=True)
                write(folder, kind, ({"key": key, "text": text} for key, text in told), begun)
        if "site" in wanted:
            begun = time.monotonic()
            raw = folder / "site-raw"
            shutil.rmtree(raw, ignore_errors=True)
            write(folder, "site", [golden_site.built(raw)], begun)
            write(folder, "site-pages", golden_site.pages(raw), begun)
            write(folder, "site-search", golden_site.searched(raw), begun)
            write(folder, "site-files", golden_site.files(raw), begun)


def write(folder: Path, kind: str, rows: Any, begun: float) -> None:
    """Write the outputs of one kind and say how many there are and how long it took."""
    count = 0
    with (folder / f"{kind}.jsonl").open("w", encoding="utf-8") as file:
        for count, row in enumerate(rows, 1):  # noqa: B007
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{kind}: {count}, {time.monotonic() - begun:.0f} s", flush=True)


# --- compare --------------------------------------------------------------------------------------


def rows(path: Path) -> dict[str, dict[str, str]]:
    """The outputs of one kind by their keys."""
    with path.open(encoding="utf-8", newline="\n") as file:
        return {row["key"]: row for row in map(json.loads, file)}


def lines_of(row: dict[str, str]) -> list[str]:
    """The lines of an output; a long one, such as a record in JSON, in parts."""
    lines = row["text"].split("\n")
    parts = (re.split(r"(?<=,) ", line) if len(line) > 300 else [line] for line in lines)
    return [part for line in parts for part in line]


def begins(old: dict[str, str], new: dict[str, str]) -> str:
    """The words in which the first lines that differ do so, without numbers: one group."""
    pairs = zip([*lines_of(old), "(end)"], [*lines_of(new), "(end)"], strict=False)
    words = [line.split() for line in next((p for p in pairs if p[0] != p[1]), ("", ""))]
    for _ in range(2):  # without what is alike before, then behind
        alike = sum(1 for _ in takewhile(lambda p: p[0] == p[1], zip(*words, strict=False)))
        words = [line[alike:][::-1] for line in words]
    return "\n".join(re.sub(r"\d+", "0", " ".join(line)) for line in words)


def compare(old: Path, new: Path, show: int) -> int:
    """Show what differs; 1 where anything does."""
    quick = any(json.loads((f / "about.json").read_text())["quick"] for f in (old, new))
    listed, total = [], 0
    for path in sorted(old.glob("*.jsonl")):
        if not (new / path.name).exists():
            print(f"{path.stem}: not made in {new}")
            continue
        ours, theirs = rows(path), rows(new / path.name)
        groups: dict[str, list[str]] = {}
        for key in dict.fromkeys([*ours, *theirs]):
            if key in ours and key in theirs:
                if ours[key]["text"] != theirs[key]["text"]:
                    groups.setdefault(begins(ours[key], theirs[key]), []).append(key)
                elif ours[key] != theirs[key]:
                    groups.setdefault("only the markup differs (compare site-raw)", []).append(key)
            elif not quick:
                groups.setdefault(f"only in {old if key in ours else new}", []).append(key)
        count = sum(map(len, groups.values()))
        total += count
        print(f"{path.stem}: {count} of {len(theirs)} differ, in {len(groups)} groups")
        ordered = sorted(groups.items(), key=lambda g: -len(g[1]))
        for number, (_, keys) in enumerate(ordered, 1):
            listed += [f"{path.stem} {number}\t{key}\n" for key in keys]
        for number, (beginning, keys) in enumerate(ordered[:10], 1):
            how = f" ({beginning})" if beginning.startswith("only") else ""
            print(f"\n== {path.stem} {number}: {len(keys)} alike{how}, such as")
            for key in keys[:show]:
                print(f"-- {key}")
                if key in ours and key in theirs:
                    both = lines_of(ours[key]), lines_of(theirs[key])
                    lines = list(difflib.unified_diff(*both, lineterm="", n=2))
                    print("\n".join(line[:600] for line in lines[2:40]))
    (new / "differences.txt").write_text("".join(listed), "utf-8")
    print(f"\n{total} differ" + (f"; all are listed in {new / 'differences.txt'}" if total else ""))
    return 1 if total else 0


def main() -> int:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(description="What a user sees, written down and compared.")
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("inputs").add_argument("inputs", type=Path)
    step = steps.add_parser("make")
    step.add_argument("inputs", type=Path)
    step.add_argument("folder", type=Path)
    step.add_argument("--only", default="", help="only these kinds, with commas between")
    step.add_argument("--quick", action="store_true", help="one command in ten, and no site")
    step.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    step = steps.add_parser("compare")
    step.add_argument("old", type=Path)
    step.add_argument("new", type=Path)
    step.add_argument("--show", type=int, default=2, help="how many of a group (default: 2)")
    asked = parser.parse_args()
    if asked.step == "inputs":
        from golden_inputs import make_inputs

        make_inputs(asked.inputs.resolve())
    elif asked.step == "make":
        only = [kind for kind in asked.only.split(",") if kind]
        make(asked.inputs.resolve(), asked.folder.resolve(), only, asked.quick, asked.jobs)
    else:
        return compare(asked.old, asked.new, asked.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
