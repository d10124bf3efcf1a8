"""The compiled lawbook on disk, one JSON file per code, so that a command starts fast.

Imports next to nothing: `oddtrick law` must answer within a few times the bare interpreter's start. The
cache is named after the law files' names, sizes and times; when they change it is compiled anew.
"""

import json
import os
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 8
"""Raised when the compiled form changes."""


class LawDataError(Exception):
    """The law data has problems; `problems` are their lines. Only a changed or broken lawbook raises it."""

    def __init__(self, problems: "list[str]") -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def laws_folder() -> str:
    """The folder of the law data: `ODDTRICK_LAWS`, the checkout's `laws/`, or the installed wheel's."""
    named = os.environ.get("ODDTRICK_LAWS")
    if named:
        return named
    if not _own:
        _own.append(_own_laws())
    return _own[0]


_own: "list[str]" = []
"""The folder that this package has its law data in, once it has been looked for."""


def _own_laws() -> str:
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (pathlib costs more than all the rest)
    packed = os.path.join(here, "data", "laws")  # noqa: PTH118
    if os.path.isdir(packed):  # noqa: PTH112
        return packed
    return os.path.join(os.path.dirname(os.path.dirname(here)), "laws")  # noqa: PTH118, PTH120


def stamp(laws: str) -> str:
    """A name for the present state of a folder of law data."""
    seen = [str(FORMAT), laws]
    folders = [laws]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "records":
                        folders.append(entry.path)
                elif entry.name.endswith((".yaml", ".json")):
                    stat = entry.stat()
                    seen.append(f"{entry.path}\0{stat.st_size}\0{stat.st_mtime_ns}")
    text = "\n".join(sorted(seen)).encode()
    return f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}"


def cache_folder() -> str:
    """Where compiled lawbooks are kept: `ODDTRICK_CACHE`, or the user's cache folder."""
    named = os.environ.get("ODDTRICK_CACHE")
    if named:
        return named
    system = str(sys.platform)  # a name mypy does not fold
    if system not in ("darwin", "win32"):  # what platformdirs answers here, without its import
        return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "oddtrick")  # noqa: PTH111, PTH118
    return _platform_cache_folder()


def _platform_cache_folder() -> str:
    from platformdirs import user_cache_dir

    return user_cache_dir("oddtrick", False)


_homes: "dict[str, str]" = {}
_kept: "dict[tuple[str, str], Any]" = {}


def forget() -> None:
    """Look at the law data anew: for a process that outlives a change of it."""
    _homes.clear()
    _kept.clear()


def load(name: str) -> "Any":
    """The compiled JSON of one code (`auction-1912`), of `vocabulary`, of `rules` or of `index` (the ids in order).

    `None` for a name that does not exist. Compiles first where the law data changed; raises
    `LawDataError` where it cannot be compiled. Read once in a process; what is returned is not to be changed.
    """
    home = home_folder()
    if (home, name) not in _kept:
        try:
            with open(os.path.join(home, f"{name}.json"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
                _kept[home, name] = json.load(file)
        except FileNotFoundError:
            if sys.stderr.isatty():
                sys.stderr.write("Reading the law data, once until it changes …")
                sys.stderr.flush()
            try:
                files = compiled(laws_folder())
            finally:
                if sys.stderr.isatty():
                    sys.stderr.write("\r\x1b[K")
            keep(home, files)
            _kept[home, name] = files.get(name)
    return _kept[home, name]


def home_folder() -> str:
    """The folder of the cache for the present state of the law data."""
    laws = laws_folder()
    if laws not in _homes:
        _homes[laws] = os.path.join(cache_folder(), stamp(laws))  # noqa: PTH118
    return _homes[laws]


def compiled(laws: str) -> "dict[str, Any]":
    """Compile a folder of law data to the JSON of each file of the cache."""
    from pathlib import Path

    from oddtrick.lawdata import compile_laws

    result = compile_laws(Path(laws))
    if result.problems:
        raise LawDataError([str(p) for p in result.problems])
    codes = result.book["codes"]
    return {"index": list(codes), "vocabulary": result.book["vocabulary"], "rules": result.book["rules"], **codes}


def keep(home: str, files: "dict[str, Any]") -> None:
    """Write compiled files to the cache; a cache that cannot be written is done without."""
    from oddtrick.files import write_atomic

    try:
        os.makedirs(home, exist_ok=True)  # noqa: PTH103
        for name, content in files.items():
            write_atomic(os.path.join(home, f"{name}.json"), json.dumps(content, ensure_ascii=False))  # noqa: PTH118
    except OSError:
        return
