"""Measures how long a developer waits for the demo, the quick tests and the full test suite, from a
clean clone in a new folder.

    .venv/bin/python benchmarks/suite_speed.py [demo] [quick] [test]

The last commit is cloned, and the printed sources are linked beside it if they are beside this
checkout. The demo creates the environment from packages in the cache of the installer; run the
benchmark twice if they are not cached. The suite installs what it needs in addition. Besides the
wall-clock time, the output gives the processor time, without that of the browser; a large difference
means that the machine was busy otherwise. The exit status is 1 if a command fails or exceeds its
limit.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    "demo": (["./do", "demo"], 30, "55 s"),
    "test": (["./do", "test"], 300, "20 min"),
    "quick": (["./do", "test", "quick"], 60, "none"),
}
"""The command, its limit in seconds, and the time it took before limits were introduced (two cores,
November 2026).
"""


def processor() -> float:
    """The total processor time in seconds of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Run the commands and print their times; return 1 if one fails or exceeds its limit."""
    wanted = sys.argv[1:] or list(COMMANDS)
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("ODDTRICK_", "PYTHON", "VIRTUAL_ENV"))
    }
    passed = False
    with tempfile.TemporaryDirectory(prefix="oddtrick-") as name:
        clone = Path(name) / "oddtrick"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        if (ROOT.parent / "shared").is_dir():
            (Path(name) / "shared").symlink_to(ROOT.parent / "shared")
        for what in wanted:
            command, limit, old = COMMANDS[what]
            start, spent = time.perf_counter(), processor()
            done = subprocess.run(
                command, cwd=clone, env=environment, capture_output=True, text=True, check=False
            )
            took, spent = time.perf_counter() - start, processor() - spent
            kept = done.returncode == 0 and took <= limit
            lines = len(done.stdout.splitlines())
            said = (
                "kept"
                if kept
                else "PASSED"
                if done.returncode == 0
                else f"FAILED\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
            )
            print(
                f"{' '.join(command):<16} {took:6.1f} s, of the processor {spent:.1f} s, "
                f"{lines} lines   limit {limit} s, before {old}: {said}",
                flush=True,
            )
            passed = passed or not kept
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
