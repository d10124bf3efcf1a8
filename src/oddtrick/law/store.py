"""The compiled lawbook on disk, one JSON file per code, so that a command starts fast.

A folder of compiled files is named by the content of the law files that it was made from. The
package brings the one of its own laws, made when it was built (`hatch_build.py`); for laws that
have changed since, or other laws, one is made in the user's cache. Paths are strings: `oddtrick
law` must answer within three times the bare interpreter's start, and pathlib alone would take a
fifth of one (benchmarks/cold_start.py).
"""

from __future__ import annotations

import json
import os
import zlib

from oddtrick.terminal import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddtrick.law.yaml import Json

ROOM = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(ROOM)
SHIPPED = os.path.join(PACKAGE, "data", "compiled")
"""Where a build puts the compiled lawbook: in the wheel, or for an editable installation in the
source.
"""


SHARED = ("index", "kinds", "vocabulary", "parallels", "stories", "evenings", "tellings")
"""The compiled files that are no code's."""

SILENCES = "silences"
"""The files, beside them, of what codes have not beside each provision (`book/silences.py`): for
each code one, `auction-1912.silences`, since `oddtrick law` reads it at every start.
"""

FINDER = "finder"
"""The file, beside them, of what players' words mean (`rulings/finder.py`)."""

KEPT_FOR = 28 * 24 * 3600
"""So many seconds a folder stays in the cache of other laws, or of another version."""


_folder: list[str] = []
"""Where the law data lie, looked up once: every score and every link asks which laws are in use."""


class LawDataError(Exception):
    """The law data has problems; `problems` are their lines.

    Only a changed or broken lawbook raises it.
    """

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def laws_folder() -> str:
    """The folder of the law data: `ODDTRICK_LAWS`, the checkout's `laws/`, or the installed
    wheel's.
    """
    if not _folder:
        named = os.environ.get("ODDTRICK_LAWS")
        packed = os.path.join(PACKAGE, "data", "laws")
        beside = os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "laws")
        own = packed if os.path.isdir(packed) else beside
        _folder.append(os.path.abspath(named) if named else own)
    return _folder[0]


def stamp(laws: str) -> str:
    """A name for the content of a folder of law data and of the modules that compile it.

    Another after any change, the same for a copy of the folder. Sizes and times would be cheaper by
    2 ms and no proof: neither pip nor git keeps a file's time. Raises `LawDataError` where the
    folder cannot be read.
    """
    # Places in the compiled lawbook begin with the folder's own name.
    found, size = zlib.crc32(os.path.basename(laws).encode("utf-8", "surrogateescape")), 0
    try:
        for name, path in sorted([*_modules(), *_law_files(laws)]):
            with open(path, "rb", 0) as file:
                content = file.read()
            size += len(content)
            found = zlib.crc32(
                content,
                zlib.crc32(f"{name} {len(content)}\n".encode("utf-8", "surrogateescape"), found),
            )
    except OSError as error:
        raise LawDataError([f"{error.filename}: {error.strerror}"]) from error
    return f"{found:08x}{size:08x}"


def _modules() -> Iterator[tuple[str, str]]:
    """The modules on which the compiled files depend, with their paths."""
    with os.scandir(ROOM) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.name, entry.path
    for room, name in (("book", "search.py"), ("book", "silences.py"), ("rulings", "finder.py")):
        yield name, os.path.join(PACKAGE, room, name)


def _law_files(laws: str) -> Iterator[tuple[str, str]]:
    """Every file of the law data: its name within the folder, with `/`, and its path."""
    folders = [("", laws)]
    while folders:
        above, folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".yaml", ".json")):
                    if not entry.is_file():  # a pipe would be waited for, a device has no end
                        raise LawDataError([f"{entry.path}: Not a file"])
                    yield above + entry.name, entry.path
                elif entry.name not in ("records", "examples") and entry.is_dir():
                    folders.append((f"{above}{entry.name}/", entry.path))


def cache_folder() -> str:
    """Where compiled lawbooks are kept: `ODDTRICK_CACHE`, or the user's cache folder."""
    named = os.environ.get("ODDTRICK_CACHE")
    if named:
        return named
    # Needed after a change of the laws alone, and a quarter of the bare interpreter's start.
    from platformdirs import user_cache_dir

    return user_cache_dir("oddtrick", False)


_stamps: dict[str, str] = {}
_given: list[str] = []
_turns: list[int] = [0]
_kept: dict[tuple[str, str], Json] = {}


def forget() -> None:
    """Look at the law data anew: for a process that outlives a change of it, or of where it is."""
    _folder.clear()
    _stamps.clear()
    _kept.clear()
    _turns[0] += 1


def identity() -> int:
    """Which law data are in use: the same as long as what was made of them still holds."""
    return _turns[0]


def use(home: str) -> None:
    """Read the compiled lawbook from this folder only: for a program that was sent it without the
    law data.
    """
    _given[:] = [home]
    forget()


def homes() -> Iterator[str]:
    """The folders in which the present law data may stand compiled: the package's own, then the
    user's cache.
    """
    if _given:
        yield _given[0]
        return
    laws = laws_folder()
    if laws not in _stamps:
        _stamps[laws] = stamp(laws)
    yield os.path.join(SHIPPED, _stamps[laws])
    yield os.path.join(cache_folder(), _stamps[laws])


def load(name: str) -> Json:
    """The compiled JSON of one code (`auction-1912`), of its counterparts, or of what all codes
    share.

    `auction-1912.counterparts` has what answers each of its provisions in the other codes. Of what
    is `SHARED`, `index` has the codes in order with their short names, `kinds` the words for how
    one provision stands to another: `oddtrick law` needs no more of the other codes and the
    vocabulary. `None` for a name that does not exist. Compiles first where the law data changed or
    what was compiled is damaged; raises `LawDataError` where they cannot be compiled. Read once in
    a process; what is returned is not to be changed.
    """
    laws = laws_folder()
    if (laws, name) not in _kept:
        _kept[laws, name] = _load(laws, name)
    return _kept[laws, name]


def _load(laws: str, name: str) -> Json:
    for home in homes():
        try:
            return _read(home, name)
        except (
            OSError,
            ValueError,
            TypeError,
            RecursionError,
        ):  # not there, half-written, or not ours to read
            continue
    progress = Progress()
    progress.step("Reading the law data, once until it changes …", now=True)
    try:
        files = compiled(laws)
    finally:
        progress.clear()
    try:
        write(home, files)
        _remove_old(cache_folder(), home)
    except OSError:  # a cache that cannot be written is done without
        return files.get(name)
    return files.get(name)


def _read(home: str, name: str) -> Json:
    """What a folder has under a name, `None` for one that its index does not have either."""
    try:
        return _opened(home, name)
    except FileNotFoundError:
        if name in SHARED or name.removesuffix(".counterparts") in _read(home, "index"):
            raise
        return None


# A file is a list of two, in two lines: the sum of its name and its content, and the content.
# Without it a file would be believed that is whole, but another code's, or changed since.


def sealed(name: str, content: Json) -> bytes:
    """What the compiled file of a name holds."""
    told = json.dumps(content, ensure_ascii=False).encode()
    return b'["%08x",\n%b]' % (_sum(name, told), told)


def _opened(home: str, name: str) -> Json:
    """The content of a compiled file. Raises `OSError`, and `ValueError` where it is damaged."""
    with open(os.path.join(home, f"{name}.json"), "rb", 0) as file:
        data = file.read()
    told = data[13:-1]
    if data[:13] != b'["%08x",\n' % _sum(name, told):
        raise ValueError(f"{name}: not as it was written")
    return json.loads(str(told, "utf-8"))


def _sum(name: str, told: bytes) -> int:
    return zlib.crc32(told, zlib.crc32(name.encode()))


def beside(name: str) -> Json:
    """What is kept under a name beside the compiled lawbook (`SILENCES`, `FINDER`): not compiled,
    but made from it and written with `keep`. `None` where it is not written yet.
    """
    load("index")  # compiled first, where the laws have changed
    for home in homes():
        try:
            return _opened(home, name)
        except (OSError, ValueError, RecursionError):
            continue
    return None


def keep(home: str, name: str, content: Json) -> None:
    """Write beside a compiled lawbook what is made from it; done without where it cannot be."""
    try:
        write(home, {name: content})
    except OSError:
        return


def _remove_old(cache: str, own: str) -> None:
    """Remove the other compiled lawbooks of a cache into which nothing was written for long.

    A process that still reads one finds a file missing, and compiles anew. A folder is ours that
    has an index as we write it; that goes last, so that one that is half removed is known again.
    """
    import time

    with os.scandir(cache) as entries:
        others = [e for e in entries if e.path != own and e.is_dir(follow_symlinks=False)]
    for entry in others:
        try:
            if entry.stat().st_mtime > time.time() - KEPT_FOR:
                continue
            _opened(entry.path, "index")
            for name in sorted(os.listdir(entry.path), key="index.json".__eq__):
                os.unlink(os.path.join(entry.path, name))
            os.rmdir(entry.path)
        except (OSError, ValueError, RecursionError):  # not ours, in use, or removed by another
            continue


def compiled(laws: str) -> dict[str, Json]:
    """Compile a folder of law data to the content of each compiled file. Raises `LawDataError`."""
    from pathlib import Path

    from oddtrick.law import typed
    from oddtrick.law.compile import compile_laws
    from oddtrick.law.relations import counterparts

    result = compile_laws(Path(laws))
    if result.problems:
        raise LawDataError([str(p) for p in result.problems])
    codes = result.book["codes"]
    answers = counterparts(typed.parallels(result.book["parallels"]))
    return {
        "index": {code: data["short"] for code, data in codes.items()},
        "kinds": {k["id"]: k["label"] for k in result.book["vocabulary"]["kinds"]},
        "vocabulary": result.book["vocabulary"],
        "parallels": result.book["parallels"],
        "stories": result.book["stories"],
        "tellings": result.book["tellings"],
        "evenings": result.book["evenings"],
        **codes,
        **{f"{code}.counterparts": found for code, found in answers.items()},
    }


def write(home: str, files: dict[str, Json]) -> None:
    """Write compiled files into a folder, which is made where it is missing. Raises `OSError`."""
    from oddtrick.law.files import write_atomic

    os.makedirs(home, exist_ok=True)
    for name, content in files.items():
        # One that a failing machine leaves half-written is known by its sum.
        write_atomic(os.path.join(home, f"{name}.json"), sealed(name, content), lasting=False)
