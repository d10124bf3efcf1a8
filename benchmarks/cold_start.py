"""What `oddtrick law` costs from the shell: after an installation, and after a change of the laws.

    python benchmarks/cold_start.py

A wheel is built and installed into a new environment; nothing is fetched, and what it depends on is
imported from the environment that runs this. Then, beside the bare interpreter of the new
environment: the first command after the installation (the best of five installations), the commands
after it (the best of sixty), and the first one after a change of a law, which compiles the lawbook
anew (the best of five changes). Exit status 1 when a limit is passed: 0.25 s or ten times the bare
interpreter, whichever is more; for the change 1.5 s.
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
RUNS = 60
INSTALLATIONS = 5
CHANGES = 5
LIMIT_SECONDS = 0.25
LIMIT_RATIO = 10.0
LIMIT_CHANGE = 1.5
ADDRESS = "contract-1927:10"
QUIET = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of one run of a command, its output thrown away.

    Not the time on the clock, which on a busy machine says how busy it is. Raises
    `CalledProcessError` when the command fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wheel_of_this_checkout(home: Path) -> Path:
    """A wheel, built by what the running environment has."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home)]
    subprocess.run(
        build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    (wheel,) = home.glob("*.whl")
    return wheel


def installed(wheel: Path, home: Path) -> Path:
    """The programs of a new environment with the wheel."""
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", *QUIET, str(wheel)], check=True)
    return programs


def changed(laws: Path, number: int) -> None:
    """Change a law: the words of its heading, as somebody who edits the laws does."""
    path = laws / "contract-1927" / "laws.yaml"
    path.write_text(path.read_text("utf-8").replace("heading: ", f"heading: {number} ", 1), "utf-8")


def verdict(kept: bool) -> str:
    return "kept" if kept else "PASSED"


def main() -> int:
    """Measure, print, and say whether the limits are kept."""
    with tempfile.TemporaryDirectory(prefix="oddtrick-") as name:
        home = Path(name)
        wheel = wheel_of_this_checkout(home)
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("ODDTRICK_", "PYTHON"))
        }
        environment["ODDTRICK_CACHE"] = str(home / "cache")
        environment["PYTHONPATH"] = sysconfig.get_path("purelib")
        first, pairs = [], []
        for number in range(INSTALLATIONS):
            programs = installed(wheel, home / f"venv-{number}")
            bare, law = (
                [str(programs / "python"), "-c", "pass"],
                [str(programs / "oddtrick"), "law", ADDRESS],
            )
            seconds(bare, environment)
            first.append(seconds(law, environment))
            # The two in turn, so that a busy moment does not fall on one of them alone.
            pairs += [
                (seconds(bare, environment), seconds(law, environment))
                for _ in range(RUNS // INSTALLATIONS)
            ]
        assert not (home / "cache").exists(), (
            "a command after the installation compiled the lawbook"
        )
        laws = home / "laws"
        shutil.copytree(ROOT / "laws", laws, ignore=shutil.ignore_patterns("records", "examples"))
        # The environment that runs this has what reads the laws.
        here = [sys.executable, "-m", "oddtrick", "law", ADDRESS]
        elsewhere = environment | {"ODDTRICK_LAWS": str(laws), "PYTHONPATH": str(ROOT / "src")}
        compiling = []
        for number in range(CHANGES):
            changed(laws, number)
            compiling.append(seconds(here, elsewhere))
    alone, once, later, change = (
        min(b for b, _ in pairs),
        min(first),
        min(s for _, s in pairs),
        min(compiling),
    )
    quick = max(once, later) < max(LIMIT_SECONDS, LIMIT_RATIO * alone)
    print(f"python -c pass                      {alone * 1000:7.1f} ms   best of {RUNS}")
    print(
        f"oddtrick law {ADDRESS}, first {once * 1000:7.1f} ms   best of {INSTALLATIONS} "
        "installations into a new environment"
    )
    print(f"the same, later                     {later * 1000:7.1f} ms   best of {RUNS}")
    print(
        f"the same, after a change of a law   {change * 1000:7.1f} ms   best of {CHANGES}, the "
        "lawbook compiled anew"
    )
    ratios = f"ratios {once / alone:.2f} and {later / alone:.2f}"
    print(f"{ratios}; limit {LIMIT_SECONDS:g} s or ratio {LIMIT_RATIO:g}: {verdict(quick)}")
    print(f"after a change: limit {LIMIT_CHANGE:g} s: {verdict(change < LIMIT_CHANGE)}")
    return 0 if quick and change < LIMIT_CHANGE else 1


if __name__ == "__main__":
    sys.exit(main())
