"""The compiled lawbook: cached while the law data is unchanged, otherwise compiled again."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from command import commanded
from oddtrick.law import store
from oddtrick.law.book import book
from oddtrick.law.lawbook import Book
from oddtrick.law.store import LawDataError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shipped() -> Any:
    return book().data


@pytest.fixture
def laws(
    shipped: Any, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A copy of the law data in use, with its own cache."""
    copied = tmp_path / "laws"
    shutil.copytree(root / "laws", copied, ignore=shutil.ignore_patterns("records", "examples"))
    monkeypatch.setenv("ODDTRICK_LAWS", str(copied))
    monkeypatch.setenv("ODDTRICK_CACHE", str(tmp_path / "cache"))
    book.cache_clear()
    yield copied
    book.cache_clear()


@pytest.fixture
def compiling(shipped: Any, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders compiled, once for each compilation; the result is the shipped lawbook."""
    asked: list[Path] = []

    def compiled(folder: Path, strict: bool) -> Any:
        asked.append(folder)
        return shipped

    monkeypatch.setattr(store, "compile_folder", compiled)
    return asked


def opened() -> Book:
    """The lawbook as the next command opens it."""
    book.cache_clear()
    return book()


def kept(tmp_path: Path) -> list[Path]:
    return sorted(p for p in (tmp_path / "cache").rglob("*") if p.is_file())


def test_a_lawbook_is_compiled_once(laws: Path, compiling: list[Path], tmp_path: Path) -> None:
    first = opened()
    assert compiling == [laws]
    assert opened().data == json.loads(json.dumps(first.data))
    assert compiling == [laws]
    assert [p.name for p in kept(tmp_path)] == ["lawbook.json"]


def touched(path: Path) -> None:
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 1))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a newer file": lambda laws: touched(laws / "contract-1927" / "code.yaml"),
    "an older file": lambda laws: os.utime(laws / "contract-1927" / "code.yaml", (0, 0)),
    "a new file": lambda laws: (laws / "contract-1927" / "new.yaml").write_text("", "utf-8"),
    "a file that is gone": lambda laws: (laws / "stories.yaml").unlink(),
    "a schema": lambda laws: touched(laws / "schema" / "code.schema.json"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_law_data_is_noticed(
    laws: Path, compiling: list[Path], tmp_path: Path, change: str
) -> None:
    opened()
    CHANGES[change](laws)
    opened()
    assert compiling == [laws, laws]
    assert len(kept(tmp_path)) == 1, "what is out of date is removed"


DAMAGED = {"empty": b"", "cut off": b'{"codes": {"a', "no text": b"\xff\xfe", "no JSON": b"none"}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_made_anew(
    laws: Path, compiling: list[Path], tmp_path: Path, how: str
) -> None:
    opened()
    (file,) = kept(tmp_path)
    file.write_bytes(DAMAGED[how])
    assert opened().code("contract-1927").id == "contract-1927"
    assert compiling == [laws, laws]


def test_a_cache_that_cannot_be_written_is_done_without(
    laws: Path, compiling: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", "utf-8")
    assert opened().code("contract-1927").id == "contract-1927"
    assert compiling == [laws]


def test_broken_law_data_is_reported_and_not_kept(laws: Path, tmp_path: Path) -> None:
    path = laws / "contract-1927" / "laws.yaml"
    path.write_text(path.read_text("utf-8").replace("topics: [game]", "topics: [gmae]", 1), "utf-8")
    with pytest.raises(LawDataError, match="Did you mean `game`"):
        opened()
    assert not (tmp_path / "cache").exists()


UNFINISHED = {
    "club-1928": ("laws.yaml", "laws: []"),  # without code.yaml
    "incomplete-1928": ("code.yaml", "id: incomplete-1928"),
    "no-yaml-1928": ("code.yaml", "id: ["),
    "empty-1928": ("code.yaml", ""),
}


def test_an_unfinished_code_leaves_the_others_in_use(laws: Path) -> None:
    for code, (name, text) in UNFINISHED.items():
        (laws / code).mkdir()
        (laws / code / name).write_text(text, "utf-8")
    base = (laws / "contract-1927" / "code.yaml").read_text("utf-8")
    (laws / "annex-1929").mkdir()
    extends = base.replace("extends: auction-1926", "extends: club-1928")
    (laws / "annex-1929" / "code.yaml").write_text(extends, "utf-8")  # with a wrong id too
    book.cache_clear()
    for _ in ("compiled", "cached"):
        done = commanded("law", "auction-1926:50")
        assert done.returncode == 0
        assert "Game" in done.stdout
        for code in (*UNFINISHED, "annex-1929"):
            assert f"`{code}` is left out" in done.stderr
            assert f"laws/{code}/" in done.stderr
    assert commanded("lint").returncode == 1
