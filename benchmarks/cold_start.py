"""Measures the start-up time of `oddtrick law` after an installation and after a law has changed.

    python benchmarks/cold_start.py

A wheel is built and installed into a new environment, without downloads. The exit status is 1 if
the command takes more than 0.25 s and more than ten times as long as the bare interpreter, or more
than 4 s after a change. All times are processor times, because wall-clock times depend on what else
is running.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALLATIONS, RUNS, CHANGES = 5, 12, 5
LIMIT, RATIO, CHANGE_LIMIT = 0.25, 10.0, 4.0
LAW = ("law", "contract-1927:10")


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of one run of a command. Raises `CalledProcessError` if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def installed(home: Path) -> Path:
    """The `bin` folder of a new environment with a wheel of this checkout, without dependencies."""
    python = [sys.executable, "-m"]
    quiet = {"cwd": ROOT, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    wheels = home.parent / "wheels"
    if not wheels.is_dir():
        build = [*python, "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
        subprocess.run(build, **quiet)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*python, "venv", str(home)], **quiet)
    programs = home / "bin"
    pip = [str(programs / "python"), "-m", "pip", "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], **quiet)
    return programs


def main() -> int:
    """Measure and print the times; return the exit status."""
    bare, first, later, changed = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="oddtrick-") as name:
        home = Path(name)
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("ODDTRICK_", "PYTHON"))
        }
        environment |= {
            "ODDTRICK_CACHE": str(home / "cache"),
            "PYTHONPATH": sysconfig.get_path("purelib"),
        }
        for number in range(INSTALLATIONS):
            programs = installed(home / f"venv-{number}")
            law = [str(programs / "oddtrick"), *LAW]
            first.append(seconds(law, environment))
            for _ in range(RUNS):
                bare.append(seconds([str(programs / "python"), "-c", "pass"], environment))
                later.append(seconds(law, environment))
        assert not (home / "cache").exists(), "an installed command compiled the lawbook"
        laws = shutil.copytree(ROOT / "laws", home / "laws")
        environment |= {"ODDTRICK_LAWS": str(laws), "PYTHONPATH": str(ROOT / "src")}
        path = laws / "contract-1927" / "laws.yaml"
        for number in range(CHANGES):
            text = path.read_text("utf-8").replace("heading: ", f"heading: {number} ", 1)
            path.write_text(text, "utf-8")
            changed.append(seconds([sys.executable, "-m", "oddtrick", *LAW], environment))
    for what, times in (
        ("python -c pass", bare),
        (f"oddtrick {' '.join(LAW)}, first after an installation", first),
        ("the same, later", later),
        ("the same, after a change of a law", changed),
    ):
        print(f"{what:<60}{min(times) * 1000:8.1f} ms, best of {len(times)}")
    slow = max(min(first), min(later)) > max(LIMIT, RATIO * min(bare))
    return int(slow or min(changed) > CHANGE_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
