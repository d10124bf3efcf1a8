"""The compiled lawbook: used while the law data are what it was made from, made anew when they
change or it is damaged.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from oddtrick.book import own_copies
from oddtrick.law import store
from oddtrick.law.store import LawDataError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The compiled files of the shipped laws, as they are kept."""
    names = ("index", "kinds", "vocabulary", "parallels", "stories", "tellings", "evenings")
    codes = store.load("index")
    whole = (*names, *codes, *(f"{code}.counterparts" for code in codes))
    return {name: store.load(name) for name in whole}


@pytest.fixture
def laws(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the law data that is in use, with a cache of its own and nothing shipped."""
    copied = tmp_path / "laws"
    shutil.copytree(root / "laws", copied, ignore=shutil.ignore_patterns("records", "examples"))
    monkeypatch.setenv("ODDTRICK_LAWS", str(copied))
    monkeypatch.setenv("ODDTRICK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "SHIPPED", str(tmp_path / "shipped"))
    store.forget()
    yield copied
    store.forget()


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch, whole: dict[str, Any]) -> list[str]:
    """The folders that were compiled, each time one was; the content is that of the shipped
    laws.
    """
    asked: list[str] = []

    def compiled(folder: str) -> dict[str, Any]:
        asked.append(folder)
        return whole

    monkeypatch.setattr(store, "compiled", compiled)
    return asked


def home(base: Path, laws: Path) -> Path:
    return base / store.stamp(str(laws))


def test_a_copy_shares_the_compiled_lawbook_and_another_name_does_not(
    root: Path, laws: Path, tmp_path: Path
) -> None:
    assert store.stamp(str(laws)) == store.stamp(str(root / "laws"))
    renamed = laws.rename(tmp_path / "other")  # the places in it begin with the folder's name
    assert store.stamp(str(renamed)) != store.stamp(str(root / "laws"))


def test_a_changed_law_is_noticed_by_its_content_alone(
    laws: Path, tmp_path: Path, whole: Any
) -> None:
    code = laws / "contract-1927" / "code.yaml"
    before, state = code.stat(), store.stamp(str(laws))
    store.write(str(home(tmp_path / "cache", laws)), whole)
    assert store.load("contract-1927")["short"] == "Contract 1927"
    text = code.read_text("utf-8")
    code.write_text(text.replace("short: Contract 1927", "short: Contract 1928"), "utf-8")
    os.utime(code, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = code.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert store.stamp(str(laws)) != state
    store.forget()
    assert store.load("contract-1927")["short"] == "Contract 1928"
    code.write_text(text, "utf-8")
    assert store.stamp(str(laws)) == state


@pytest.mark.parametrize("name", ["new.yaml", "contract-1927/new.yaml", "schema/new.json"])
def test_a_new_file_and_one_that_is_gone_are_noticed(laws: Path, name: str) -> None:
    state = store.stamp(str(laws))
    (laws / name).write_text("", "utf-8")
    assert store.stamp(str(laws)) != state
    (laws / name).unlink()
    assert store.stamp(str(laws)) == state


def test_what_moves_from_one_file_to_the_next_is_noticed(laws: Path) -> None:
    for name, text in (("y.yaml", "a\n"), ("z.yaml", "b\n")):
        (laws / name).write_text(text, "utf-8")
    state = store.stamp(str(laws))
    (laws / "y.yaml").write_text("a\nb\n", "utf-8")
    (laws / "z.yaml").write_text("", "utf-8")
    assert store.stamp(str(laws)) != state


def test_a_touched_file_is_not_compiled_again(laws: Path, compiling: list[str]) -> None:
    assert store.load("index")
    for path in laws.rglob("*.yaml"):
        os.utime(path, (0, 0))
    store.forget()
    assert store.load("contract-1927")["id"] == "contract-1927"
    assert compiling == [str(laws)]


def test_what_is_shipped_is_used_and_nothing_is_written(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str]
) -> None:
    store.write(str(home(tmp_path / "shipped", laws)), whole)
    assert {name: store.load(name) for name in whole} == json.loads(json.dumps(whole))
    assert compiling == []
    assert not (tmp_path / "cache").exists()


def test_what_is_shipped_of_other_laws_is_not_used(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str]
) -> None:
    store.write(str(tmp_path / "shipped" / "0123456789abcdef"), whole)
    assert store.load("index") == whole["index"]
    assert compiling == [str(laws)]


def test_an_old_lawbook_is_removed_and_nothing_that_is_not_ours(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str]
) -> None:
    cache = tmp_path / "cache"
    old, young, theirs, mixed, halved = (
        cache / n for n in ("old", "young", "theirs", "mixed", "halved")
    )
    for folder in (old, young, mixed):
        store.write(str(folder), whole)
    store.write(str(halved), {"index": whole["index"]})
    (old / "search-8.sqlite").touch()
    (mixed / "letters").mkdir()
    theirs.mkdir()
    (theirs / "index.json").write_text("{}", "utf-8")
    long_ago = time.time() - store.KEPT_FOR - 60
    for folder in (old, theirs, mixed, halved):
        os.utime(folder, (long_ago, long_ago))
    assert store.load("index") == whole["index"]
    own = home(cache, laws)
    assert {*cache.iterdir()} == {own, young, theirs, mixed}
    assert (mixed / "letters").is_dir()
    assert {p.name for p in young.iterdir()} == {p.name for p in own.iterdir()}


DAMAGED: dict[str, Callable[[Path], bytes]] = {
    "empty": lambda _: b"",
    "cut off": lambda file: file.read_bytes()[:-100],
    "no text": lambda _: b"\xff\xfe",
    "no JSON": lambda _: b"no json",
    "JSON of another kind": lambda _: b'{"id": "contract-1927"}',
    "a changed word": lambda file: file.read_bytes().replace(b"Contract 1927", b"Contract 1928", 1),
    "another code's": lambda file: file.with_name("auction-1926.json").read_bytes(),
}


@pytest.mark.parametrize("where", ["shipped", "cache"])
@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_made_anew(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str], where: str, how: str
) -> None:
    damaged = home(tmp_path / where, laws)
    store.write(str(damaged), whole)
    file = damaged / "contract-1927.json"
    file.write_bytes(DAMAGED[how](file))
    assert store.load("contract-1927") == whole["contract-1927"]
    assert compiling == [str(laws)]
    store.forget()
    assert store.load("contract-1927") == whole["contract-1927"]
    assert compiling == [str(laws)], "the second time it stands in the cache"


@pytest.mark.parametrize("gone", ["contract-1927", "index", "parallels"])
def test_a_missing_file_is_made_anew(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str], gone: str
) -> None:
    store.write(str(home(tmp_path / "cache", laws)), whole)
    (home(tmp_path / "cache", laws) / f"{gone}.json").unlink()
    assert store.load(gone) == whole[gone]
    assert compiling == [str(laws)]


def test_a_name_that_does_not_exist_is_answered_without_compiling(
    laws: Path, tmp_path: Path, whole: Any, compiling: list[str]
) -> None:
    store.write(str(home(tmp_path / "cache", laws)), whole)
    assert store.load("contract-1928") is None
    assert compiling == []


def test_a_cache_that_cannot_be_written_is_done_without(
    laws: Path, tmp_path: Path, compiling: list[str]
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", "utf-8")
    assert store.load("contract-1927")["id"] == "contract-1927"
    assert compiling == [str(laws)]


def test_a_folder_that_is_not_there_is_said(laws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDTRICK_LAWS", str(laws / "nowhere"))
    store.forget()
    with pytest.raises(LawDataError) as told:
        store.load("index")
    assert told.value.problems == [f"{laws / 'nowhere'}: No such file or directory"]


def test_broken_law_data_are_told_and_not_kept(laws: Path, tmp_path: Path) -> None:
    path = laws / "contract-1927" / "laws.yaml"
    path.write_text(path.read_text("utf-8").replace("topics: [game]", "topics: [gmae]", 1), "utf-8")
    with pytest.raises(LawDataError, match="Did you mean `game`"):
        store.load("index")
    assert not (tmp_path / "cache").exists()


# --- the user's folders
# -----------------------------------------------------------------------------


def test_the_cache_is_where_platformdirs_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ODDTRICK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.cache_folder() == platformdirs.user_cache_dir("oddtrick", False)


def test_own_copies_are_where_platformdirs_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ODDTRICK_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = platformdirs.user_data_dir("oddtrick", False)
    assert own_copies.folder() == Path(asked, "sources")
