"""The compiled lawbook on disk, one JSON file per code, so that a command starts fast.

A folder of compiled files is named by the content of the law files that it was made from. The package brings the
one of its own laws, made when it was built (`hatch_build.py`); for laws that have changed since, or other laws, one
is made in the user's cache. Imports next to nothing: `oddtrick law` must answer within three times the bare
interpreter's start, and pathlib alone would take a fifth of that.
"""

import json
import os
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ROOM = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
PACKAGE = os.path.dirname(ROOM)  # noqa: PTH120
SHIPPED = os.path.join(PACKAGE, "data", "compiled")  # noqa: PTH118
"""Where a build puts the compiled lawbook: in the wheel, and for an editable installation in the source tree."""

SHARED = ("index", "vocabulary", "rules", "stories")
"""The compiled files that are no code's."""


_own: "list[str]" = []
"""Where the package's own laws lie: looked up once, since every score asks which laws are in use."""


class LawDataError(Exception):
    """The law data has problems; `problems` are their lines. Only a changed or broken lawbook raises it."""

    def __init__(self, problems: "list[str]") -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def laws_folder() -> str:
    """The folder of the law data: `ODDTRICK_LAWS`, the checkout's `laws/`, or the installed wheel's."""
    named = os.environ.get("ODDTRICK_LAWS")
    if named:
        return os.path.abspath(named)  # noqa: PTH100
    if not _own:
        packed = os.path.join(PACKAGE, "data", "laws")  # noqa: PTH118
        beside = os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "laws")  # noqa: PTH118, PTH120
        _own.append(packed if os.path.isdir(packed) else beside)  # noqa: PTH112
    return _own[0]


def stamp(laws: str) -> str:
    """A name for the content of a folder of law data and of the modules that compile it: another after any change.

    The same for a copy of the folder. Sizes and times would be cheaper by 2 ms and no proof: neither pip nor git keeps a file's time. Raises
    `LawDataError` where the folder cannot be read.
    """
    # Places in the compiled lawbook begin with the folder's own name.
    found, size = zlib.crc32(os.path.basename(laws).encode("utf-8", "surrogateescape")), 0  # noqa: PTH119
    try:
        for name, path in sorted([*_modules(), *_law_files(laws)]):
            with open(path, "rb", 0) as file:  # noqa: PTH123
                content = file.read()
            size += len(content)
            found = zlib.crc32(
                content,
                zlib.crc32(f"{name} {len(content)}\n".encode("utf-8", "surrogateescape"), found),
            )
    except OSError as error:
        raise LawDataError([f"{error.filename}: {error.strerror}"]) from error
    return f"{found:08x}{size:08x}"


def _modules() -> "Iterator[tuple[str, str]]":
    """The modules on which the compiled files depend, with their paths."""
    with os.scandir(ROOM) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.name, entry.path
    yield "search.py", os.path.join(PACKAGE, "book", "search.py")  # noqa: PTH118


def _law_files(laws: str) -> "Iterator[tuple[str, str]]":
    """Every file of the law data: its name within the folder, with `/`, and its path."""
    folders = [("", laws)]
    while folders:
        above, folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".yaml", ".json")):
                    yield above + entry.name, entry.path
                elif entry.name not in ("records", "examples") and entry.is_dir():
                    folders.append((f"{above}{entry.name}/", entry.path))


def cache_folder() -> str:
    """Where compiled lawbooks are kept: `ODDTRICK_CACHE`, or the user's cache folder."""
    named = os.environ.get("ODDTRICK_CACHE")
    if named:
        return named
    from platformdirs import user_cache_dir

    return user_cache_dir("oddtrick", False)


_stamps: "dict[str, str]" = {}
_given: "list[str]" = []
_turns: "list[int]" = [0]
_kept: "dict[tuple[str, str], Any]" = {}


def forget() -> None:
    """Look at the law data anew: for a process that outlives a change of it."""
    _stamps.clear()
    _kept.clear()
    _turns[0] += 1


def identity() -> "tuple[str, int]":
    """Which law data are in use: the same as long as what was made of them still holds."""
    return (_given[0] if _given else laws_folder()), _turns[0]


def use(home: str) -> None:
    """Read the compiled lawbook from this folder only: for a program that was sent it without the law data."""
    _given[:] = [home]
    forget()


def homes() -> "Iterator[str]":
    """The folders in which the present law data may stand compiled: the package's own, then the user's cache."""
    if _given:
        yield _given[0]
        return
    laws = laws_folder()
    if laws not in _stamps:
        _stamps[laws] = stamp(laws)
    yield os.path.join(SHIPPED, _stamps[laws])  # noqa: PTH118
    yield os.path.join(cache_folder(), _stamps[laws])  # noqa: PTH118


def load(name: str) -> "Any":
    """The compiled JSON of one code (`auction-1912`), or of one of `SHARED`; `index` has the ids in order.

    `None` for a name that does not exist. Compiles first where the law data changed or what was compiled is
    damaged; raises `LawDataError` where they cannot be compiled. Read once in a process; what is returned is not
    to be changed.
    """
    laws = laws_folder()
    if (laws, name) not in _kept:
        _kept[laws, name] = _load(laws, name)
    return _kept[laws, name]


def _load(laws: str, name: str) -> "Any":
    for home in homes():
        try:
            return _read(home, name)
        except (OSError, ValueError, TypeError):  # not there, half-written, or not ours to read
            continue
    if sys.stderr.isatty():
        sys.stderr.write("Reading the law data, once until it changes …")
        sys.stderr.flush()
    try:
        files = compiled(laws)
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
    from contextlib import suppress

    with suppress(OSError):  # a cache that cannot be written is done without
        write(home, files)
    return files.get(name)


def _read(home: str, name: str) -> "Any":
    """What a folder has under a name, `None` for one that its index does not have either."""
    try:
        with open(os.path.join(home, f"{name}.json"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            return json.load(file)
    except FileNotFoundError:
        if name in SHARED or name in list(_read(home, "index")):
            raise
        return None


def compiled(laws: str) -> "dict[str, Any]":
    """Compile a folder of law data to the content of each compiled file. Raises `LawDataError`."""
    from pathlib import Path

    from oddtrick.law.compile import compile_laws

    result = compile_laws(Path(laws))
    if result.problems:
        raise LawDataError([str(p) for p in result.problems])
    codes = result.book["codes"]
    return {
        "index": list(codes),
        "vocabulary": result.book["vocabulary"],
        "rules": result.book["rules"],
        "stories": result.book["stories"],
        **codes,
    }


def write(home: str, files: "dict[str, Any]") -> None:
    """Write compiled files into a folder, which is made where it is missing. Raises `OSError`."""
    from oddtrick.law.files import write_atomic

    os.makedirs(home, exist_ok=True)  # noqa: PTH103
    for name, content in files.items():
        write_atomic(os.path.join(home, f"{name}.json"), json.dumps(content, ensure_ascii=False))  # noqa: PTH118
