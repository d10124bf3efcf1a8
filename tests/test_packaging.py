"""The package as installed and as shipped."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lark import Lark

from oddtrick.book import index, silences
from oddtrick.law import store
from oddtrick.record.hand import grammar

pytestmark = pytest.mark.slow

DATA = ("laws", "grammar", "docs", "site_overrides", "mkdocs.yml")


def files_below(root: Path, name: str) -> set[str]:
    start = root / name
    found = [start] if start.is_file() else [p for p in start.rglob("*") if p.is_file()]
    return {p.relative_to(root).as_posix() for p in found if "__pycache__" not in p.parts}


def sources(root: Path) -> set[str]:
    """The files of the package, without those that an editable installation compiled."""
    return {p for p in files_below(root, "src") if not p.startswith("src/oddtrick/data/")}


@pytest.fixture(scope="module")
def shipped(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel of this checkout: `dist` in `ODDTRICK_BUILT`, or built
    here.
    """
    if named := os.environ.get("ODDTRICK_BUILT"):
        made = Path(named) / "dist"
        if len(list(made.glob("oddtrick-*"))) == 2:
            return made
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(out)],
        cwd=root,
        check=True,
        capture_output=True,
        timeout=600,
    )
    return out


def test_the_wheel_holds_the_modules_and_the_data(root: Path, shipped: Path) -> None:
    (wheel,) = shipped.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    modules = {p.removeprefix("src/") for p in sources(root)}
    data = {f"oddtrick/data/{p}" for name in DATA for p in files_below(root, name)}
    assert "oddtrick/py.typed" in modules
    assert (modules | data) - held == set()
    licences = {p.partition(".dist-info/licenses/")[2] for p in held if ".dist-info/licenses/" in p}
    texts = (root / "site_overrides/assets/licenses").iterdir()
    ours = {p.relative_to(root).as_posix() for p in texts}
    assert licences == {"LICENSE", "laws/LICENSE"} | ours


def test_the_sdist_holds_what_the_wheel_and_the_tests_need(root: Path, shipped: Path) -> None:
    (sdist,) = shipped.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    files = "src tests benchmarks do hatch_build.py pyproject.toml README.md LICENSE CHANGELOG.md"
    names = (*DATA, *files.split())
    wanted = {p for name in names for p in files_below(root, name) if name != "src"} | sources(root)
    assert wanted - held == set()
    assert not any("data/compiled" in name for name in held)


# --- the compiled lawbook -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel in a new environment, without its dependencies."""
    (wheel,) = shipped.glob("*.whl")
    target = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(target)
    return target


@pytest.fixture
def checkout(shipped: Path, tmp_path: Path) -> Path:
    """A separate checkout with the contents of the sdist."""
    (sdist,) = shipped.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (made,) = tmp_path.iterdir()
    return made


def state(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()
    }


COMMANDS = [
    ("law", "contract-1927:10"),
    ("law", "no-such-code:1"),
    ("search", "time to claim a revoke"),
    ("cite", "1912 law 84"),
    ("topics", "revoke"),
    ("concordance", "auction-1912", "auction-1926"),
]

RUN = """\
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from oddtrick.__main__ import main
told = []
for arguments in json.loads(sys.argv[2]):
    sys.argv = ["oddtrick", *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        told.append([main(), out.getvalue()])
compiling = {"yaml", "jsonschema", "oddtrick.law.compile", "oddtrick.law.yaml"}
print(json.dumps([told, sorted(compiling & set(sys.modules))]))
"""
"""Commands of a package, and the modules of the lawbook's compiler that they imported."""


def test_the_first_commands_after_an_installation_compile_and_write_nothing(
    installed: Path, tmp_path: Path
) -> None:
    """Run by a new user, whose home stays empty."""
    before, home = state(installed), tmp_path / "home"
    bare = {
        k: v for k, v in os.environ.items() if not k.startswith(("ODDTRICK_", "XDG_", "PYTHON"))
    }
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", RUN, str(installed), json.dumps(COMMANDS)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=bare | {"HOME": str(home)},
        timeout=600,
    )
    told, compiling = json.loads(done.stdout)
    unknown = "no-such-code:1"
    assert [(status, bool(out)) for status, out in told] == [
        (2, False) if unknown in command else (0, True) for command in COMMANDS
    ]
    assert compiling == []
    assert unknown.partition(":")[0] in done.stderr
    assert not home.exists()
    assert state(installed) == before


def test_the_wheel_carries_the_lawbook_as_it_is_compiled(
    root: Path, shipped: Path, tmp_path: Path
) -> None:
    (wheel,) = shipped.glob("*.whl")
    home = "oddtrick/data/compiled/"
    with zipfile.ZipFile(wheel) as archive:
        names = [n.removeprefix(home) for n in archive.namelist() if n.startswith(home)]
        held = {n: archive.read(home + n) for n in names}
    made = {
        "lawbook.json": store.load(root / "laws")[0],
        "search.json": index.index(),
        "silences.json": silences.made(),
    }
    parser = held.pop(grammar.file_name())
    assert Lark.load(BytesIO(parser)).parse(
        "deal 1\n", start=grammar.BLOCK
    ) == grammar.parser().parse("deal 1\n", start=grammar.BLOCK)
    assert {n: json.loads(data) for n, data in held.items()} == json.loads(json.dumps(made))


def build(checkout: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """The build hook that pip calls when it installs a checkout."""
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    return subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
