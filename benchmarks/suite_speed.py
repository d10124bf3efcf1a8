"""How long a developer waits: the demo, the quick tests and the whole suite, from a clean clone in
a new folder.

    .venv/bin/python benchmarks/suite_speed.py [demo] [quick] [test]

The last commit is cloned, with the printed sources beside it where they are beside this checkout.
The demo makes the environment anew, from a package index whose files pip has kept (run it twice
where it has not); the suite sets up what it needs beyond that. Beside the time stands that of the
processor, which tells how far the machine was busy with something else; what a browser takes is
not in it. Exit status 1 when a command fails or a limit is passed.
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
"""The command, its limit in seconds, and what it took before there were limits (two cores, November
2026).
"""


def processor() -> float:
    """The seconds of processor time of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure, print, and say whether the limits are kept."""
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
