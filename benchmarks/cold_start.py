"""How long `oddtrick law` takes from the shell, beside the bare interpreter of the same environment.

    python benchmarks/cold_start.py

The best of twenty runs of each, after one run that fills the cache of compiled law data. Exit status 1
when a limit is passed: 0.25 s, and three times the bare interpreter.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from os import environ
from pathlib import Path

RUNS = 20
LIMIT_SECONDS = 0.25
LIMIT_RATIO = 3.0
ADDRESS = "contract-1927:10"
BARE = [sys.executable, "-c", "pass"]
LAW = [str(Path(sys.executable).parent / "oddtrick"), "law", ADDRESS]


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """One run of a command, its output thrown away; `CalledProcessError` when it fails."""
    start = time.perf_counter()
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> int:
    """Measure, print, and say whether both limits are kept."""
    with tempfile.TemporaryDirectory(prefix="oddtrick-cache-") as cache:
        environment = {**environ, "ODDTRICK_CACHE": cache}
        first = seconds(LAW, environment)
        # The two in turn, so that a busy moment of the machine does not fall on one of them alone.
        pairs = [(seconds(BARE, environment), seconds(LAW, environment)) for _ in range(RUNS)]
    bare, law = min(b for b, _ in pairs), min(s for _, s in pairs)
    ratio = law / bare
    kept = law < LIMIT_SECONDS and ratio < LIMIT_RATIO
    print(f"python -c pass                 {bare * 1000:7.1f} ms   best of {RUNS}")
    print(f"oddtrick law {ADDRESS:<17} {law * 1000:7.1f} ms   best of {RUNS}, law data compiled before")
    print(f"the same, compiling first      {first * 1000:7.1f} ms   once")
    print(f"ratio {ratio:.2f} (limit {LIMIT_RATIO:g}), limit {LIMIT_SECONDS:g} s: {'kept' if kept else 'PASSED'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
