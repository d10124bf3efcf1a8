"""Loads the compiled lawbook, from the wheel or from the user's cache.

The law data of `ODDTRICK_LAWS` or of a checkout is compiled into the cache by the first command
after a change.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from oddtrick.law.model import Json
from oddtrick.paths import COMPILED, LAWS, PACKAGE, cache_folder
from oddtrick.terminal import Progress

LAWBOOK = "lawbook"  # the name of the compiled lawbook in its folder
NO_LAWS = "this is not a folder of law data: it has no vocabulary.yaml"
COMPILERS = ("law", "book", "rulings")  # the rooms on whose modules the compiled files depend


class LawDataError(Exception):
    """Raised if the law data has problems; `problems` holds a line for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def laws_folder() -> Path | None:
    """The folder `ODDTRICK_LAWS`, or `laws/` of a checkout; `None` for an installed wheel.

    Raises `LawDataError` if the folder named is not one of law data.
    """
    named = os.environ.get(LAWS)
    if named and not (Path(named) / "vocabulary.yaml").is_file():
        raise LawDataError([f"{LAWS}: {named}: {NO_LAWS}"])
    beside = PACKAGE.parent.parent / "laws"
    return Path(named).absolute() if named else beside if beside.is_dir() else None


def home_of(laws: Path | None) -> Path:
    """The folder for data compiled from `laws` in its present state; if `None`, the shipped one."""
    if laws is None:
        return COMPILED
    return cache_folder() / f"{zlib.crc32(os.fsencode(laws)):08x}" / _state(laws)


def _state(laws: Path) -> str:
    """A checksum over the sizes and times of the law files and of the modules that compile them."""
    patterns = [(laws, p) for p in ("*.yaml", "*/*.yaml", "schema/*.json")]
    patterns += [(PACKAGE, f"{room}/*.*") for room in COMPILERS]
    try:
        laws.stat()
        files = [path for folder, pattern in patterns for path in sorted(folder.glob(pattern))]
        states = [(str(p), at.st_size, at.st_mtime_ns) for p in files for at in [p.stat()]]
    except OSError as error:
        raise LawDataError([f"{error.filename}: {error.strerror}"]) from error
    return f"{zlib.crc32(repr(states).encode(errors='replace')):08x}"


def load(laws: Path | None) -> tuple[Json, Path]:
    """The compiled lawbook of a folder, or of the wheel, and its cache folder.

    Compiles the folder if the cache is out of date. Raises `LawDataError`.
    """
    home = home_of(laws)
    return read_or_make(home, LAWBOOK, lambda: _compiled(laws, home)), home


def _compiled(laws: Path | None, home: Path) -> Json:
    """Compile a folder, and delete what was compiled from its earlier states."""
    if laws is None:
        raise LawDataError([f"{home}: the lawbook is missing; install oddtrick again"])
    import shutil

    progress = Progress()
    progress.step("Compiling the law data (only after a change) …", now=True)
    try:
        made = compile_folder(laws, strict=False)
    finally:
        progress.clear()
    shutil.rmtree(home.parent, ignore_errors=True)
    return made


def compile_folder(laws: Path, strict: bool = True) -> Json:
    """Compile a folder of law data; unless `strict`, without the codes that have problems.

    Raises `LawDataError` if there are other problems.
    """
    # PyYAML and jsonschema are not in a browser.
    from oddtrick.law.compile import compile_laws, compile_usable

    found = compile_laws(laws) if strict else compile_usable(laws)
    if found.problems:
        raise LawDataError([str(p) for p in found.problems])
    # The YAML reader's mappings carry line numbers; convert them to what the cache will return.
    return json.loads(json.dumps(found.book))


def read_or_make(home: Path | None, name: str, make: Callable[[], Json]) -> Json:
    """Read a JSON file in the cache folder `home`; if missing or damaged, make and write it."""
    if home is None:
        return make()
    path = home / f"{name}.json"
    with suppress(OSError, ValueError, RecursionError):  # missing or damaged
        return json.loads(path.read_bytes())
    made = make()
    with suppress(OSError):
        write(path, made)
    return made


def write(path: Path, content: Json) -> None:
    """Write a compiled file, creating its folder if necessary. Raises `OSError`."""
    from oddtrick.law.files import write_atomic

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(content, ensure_ascii=False), lasting=False)
