"""The package as it is installed and as it is shipped."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import oddtrick

DATA = ("laws", "grammar", "docs", "site_overrides", "mkdocs.yml")


def files_below(root: Path, name: str) -> set[str]:
    start = root / name
    found = [start] if start.is_file() else [p for p in start.rglob("*") if p.is_file()]
    return {p.relative_to(root).as_posix() for p in found if "__pycache__" not in p.parts}


def test_the_console_script_starts_the_package() -> None:
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="oddtrick")
    assert script.value == "oddtrick.__main__:main"
    assert callable(script.load())


@pytest.mark.parametrize(
    "start", [[sys.executable, "-m", "oddtrick"], [Path(sys.executable).parent / "oddtrick"]]
)
def test_version_is_said_from_any_folder(start: list[str], tmp_path: Path) -> None:
    run = subprocess.run([*start, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, f"oddtrick {oddtrick.__version__}\n", "")


def test_the_version_is_written_in_one_place(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/oddtrick/__init__.py"


@pytest.fixture(scope="module")
def shipped(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel built from this checkout."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(out)],
        cwd=root,
        check=True,
        capture_output=True,
    )
    return out


@pytest.mark.slow
def test_the_wheel_holds_the_modules_and_the_data(root: Path, shipped: Path) -> None:
    (wheel,) = shipped.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    modules = {p.removeprefix("src/") for p in files_below(root, "src")}
    data = {f"oddtrick/data/{p}" for name in DATA for p in files_below(root, name)}
    assert "oddtrick/py.typed" in modules
    assert (modules | data) - held == set()
    assert len([p for p in held if "/licenses/" in p and p.endswith("LICENSE")]) == 2


@pytest.mark.slow
def test_the_sdist_holds_what_the_wheel_and_the_tests_need(root: Path, shipped: Path) -> None:
    (sdist,) = shipped.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    names = (
        "src",
        *DATA,
        "tests",
        "benchmarks",
        "do",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
    )
    assert {p for name in names for p in files_below(root, name)} - held == set()
