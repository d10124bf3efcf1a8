"""Fuzzing guided by coverage, with atheris (`pip install atheris`, for CPython 3.11):

python tests/fuzz_guided.py TARGET FOLDER [-max_total_time=60]

TARGET is one of `TARGETS`. Fuzzing starts from the files of `tests/corpus/TARGET` and stores new
inputs in FOLDER. An input that raises is stored in `tests/corpus`, and `test_fuzz.py` tries it from
then on. The other arguments are those of libFuzzer.
"""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MOST = 4000
"""The maximum number of bytes of an input; growth is tested elsewhere."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _record(notation: str) -> Callable[[bytes], None]:
    from fuzz import PHASES, Mutant, examine

    home = Path(tempfile.mkdtemp(prefix="oddtrick-fuzz-"))
    atexit.register(shutil.rmtree, home)

    def tried(data: bytes) -> None:
        code = "royalton-1915" if len(data) % 2 else None
        examine(Mutant(notation, 0, 0, data, code, (), PHASES), home)

    return tried


def _citation() -> Callable[[bytes], None]:
    from oddtrick.book.read_citation import Unread, read_citation
    from oddtrick.book.write_citation import STYLES, cite

    def tried(data: bytes) -> None:
        try:
            address = read_citation(_text(data))
        except Unread:
            return
        for style in STYLES:
            assert cite(address, style, "https://a.example/")

    return tried


def _book() -> Callable[[bytes], None]:
    from oddtrick.book.own_copies import copies

    def tried(data: bytes) -> None:
        copies(_text(data), "book.txt")

    return tried


def _words() -> Callable[[bytes], None]:
    from oddtrick.book.disputes import find
    from oddtrick.book.search import find_silences, search

    def tried(data: bytes) -> None:
        words = _text(data)
        search(words)
        find_silences(words)
        for code in (None, "bridge-elwell"):
            assert len(find(words, code).found) <= 10

    return tried


TARGETS: dict[str, Callable[[], Callable[[bytes], None]]] = {
    "hand": lambda: _record("hand"),
    "pbn": lambda: _record("pbn"),
    "lin": lambda: _record("lin"),
    "citation": _citation,
    "book": _book,
    "words": _words,
}
"""The targets. Each is created on demand, since it first imports what it needs."""


if __name__ == "__main__":
    import atheris

    name, folder, *given = sys.argv[1:]
    with atheris.instrument_imports(include=["oddtrick"]):
        tried = TARGETS[name]()
        tried(b"")  # what is imported or compiled late counts against no input
    limits = [f"-max_len={MOST}", "-timeout=60", "-rss_limit_mb=4096"]
    kept = [folder, str(CORPUS / name), f"-artifact_prefix={CORPUS / name}/found-"]
    atheris.Setup([sys.argv[0], *kept, *limits, *given], tried)
    atheris.Fuzz()
