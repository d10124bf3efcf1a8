"""Attached books: laws found by number, order and content despite damage, and stored completely."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

import lawbook
from files import table
from oddtrick.book import own_copies as sources
from oddtrick.law import book as law_book
from oddtrick.law.yaml import read as read_yaml
from test_cli import clear, run


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDTRICK_DATA", str(tmp_path / "data"))


def restated(code: str) -> dict[str, str]:
    """A code's laws in our words, by number: an artificial book in which to find laws."""
    words: dict[str, list[str]] = {}
    for p in lawbook.code_data(code)["provisions"]:
        number = p["law"].partition(":")[2]
        if p["option"] is None and number.isdigit():
            words.setdefault(number, []).append(p["text"])
    return {n: " ".join(w) for n, w in words.items()}


def printed(code: str, mark: str = "{}. ", head: str = "") -> str:
    """That book as printed: a heading now and then, page numbers, a running head, words broken at
    line ends.
    """
    out = ["THE LAWS\n"]
    for i, (number, text) in enumerate(restated(code).items()):
        if i % 7 == 0:
            out.append(f"\nSECTION {chr(65 + i // 7)} OF THE LAWS\n")
        lines = re.sub(r"(.{50}\w{4})(\w{3,})", r"\1-\n\2", mark.format(number) + text).split("\n")
        out.append("\n".join(lines) + "\n")
        if i % 10 == 9:
            out.append(f"\n{20 + i}\n{head}\n")
    return "\n".join(out)


def test_a_footnote_stays_with_the_law_that_refers_to_it() -> None:
    page = "1. A law.[A] Its\nend.\n\n2. Another.\n\n    [A] A note\nto it.\n\n[B] No note.\n\n3. A third."
    moved = (
        "1. A law.[A] Its\nend.\n[A] A note\nto it.\n\n2. Another.\n\n[B] No note.\n\n3. A third."
    )
    assert sources.clean(page) == moved


def test_what_a_copy_lacks_is_named() -> None:
    numbers = [str(n) for n in range(1, 55) if n != 3] + [f"etiquette.{n}" for n in range(1, 10)]
    copy = sources.Attached("book", "auction-1926", "book.txt", dict.fromkeys(numbers, "text"))
    assert sources.count_words(copy) == (
        "Auction 1926, 53 of 54 laws, 9 of 10 rules of etiquette; "
        "not found: law 3 and rule of etiquette 10"
    )


@pytest.mark.parametrize("code", lawbook.codes())
def test_every_law_is_found_in_a_damaged_page(code: str) -> None:
    book = sources.find(sources.clean(printed(code, head="THE GAME OF BRIDGE")), code)
    assert [n for n in book.laws if n.isdigit()] == list(restated(code))
    third = list(restated(code))[2]
    assert book.laws[third].replace("- ", "") == restated(code)[third]


@pytest.mark.shipped
@pytest.mark.parametrize("code", [c for c in lawbook.codes() if c != "contract-1927"])
def test_the_code_of_a_book_is_found_out(code: str) -> None:
    found = sources.detect(sources.clean(printed(code)))
    assert found[0].code == code


def test_a_damaged_number_is_found_between_its_neighbours() -> None:
    text = printed("auction-1926").replace("\n10. ", "\nio. ").replace("\n44. ", "\n~ ")
    book = sources.find(sources.clean(text), "auction-1926")
    assert restated("auction-1926")["10"][:40] in book.laws["10"]
    assert restated("auction-1926")["44"][:40] in book.laws["44"]


def test_a_book_is_added_listed_shown_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "My Book.txt"
    path.write_text(printed("royalton-1915"), "utf-8")
    assert "my-book: Royalton, 102 of 102 laws" in clear(run("sources", "add", str(path)), 0)
    assert "my-book: Royalton" in clear(run("sources", "list"), 0)
    shown = clear(run("law", "royalton-1915:100"), 0)
    assert "As printed (My Book.txt): " in shown
    kept = json.loads(clear(run("sources", "list", "--format", "json"), 0))
    assert kept[0]["laws"] == 102
    assert "Removed my-book" in clear(run("sources", "remove", "my-book"), 0)
    assert "No book is attached" in clear(run("sources", "list"), 0)
    assert "As printed" not in clear(run("law", "royalton-1915:100"), 0)
    assert "no attached book is called `my-book`" in clear(run("sources", "remove", "my-book"))


@pytest.mark.slow
def test_a_write_that_fails_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.txt"
    path.write_text(printed("royalton-1915"), "utf-8")
    sources.add(path)
    before = sources.attached()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        sources.add(path)
    monkeypatch.undo()
    monkeypatch.setenv("ODDTRICK_DATA", str(tmp_path / "data"))
    assert sources.attached() == before
    assert [p.name for p in (tmp_path / "data").rglob("*") if p.is_file()] == ["book.json"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x00\x01\x02" * 100, "is not plain text"),
        (b"", "does not seem to contain"),
        (b"A letter about the weather.\n" * 50, "does not seem to contain"),
        (
            "\n".join(f"{i}. Nothing of the kind." for i in range(1, 100)).encode(),
            "does not seem to contain",
        ),
        (b"\xff\xfe\xe9" * 1000, "does not seem to contain"),
    ],
)
def test_what_is_no_book_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "noise.txt"
    path.write_bytes(content)
    assert message in clear(run("sources", "add", str(path)))
    assert not list((tmp_path / "data").rglob("*.json"))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "No such file" in clear(run("sources", "add", str(tmp_path / "none.txt")))


def test_a_broken_file_in_the_data_folder_is_passed_over(tmp_path: Path) -> None:
    home = tmp_path / "data" / "sources" / "royalton-1915"
    home.mkdir(parents=True)
    (home / "bad.json").write_text("{", "utf-8")
    assert "No book is attached" in clear(run("sources", "list"), 0)
    assert "As printed" not in clear(run("law", "royalton-1915:100"), 0)


# --- the printed books, where they are ------------------------------------------------------------

BOOKS = {
    "auction-1908": {"auction-1908": (22, 0)},
    "auction-1912-complete": {"auction-1912": (97, 24)},
    "auction-1912-seed": {"auction-1912": (60, 0)},
    "bridge-1904": {"bridge-1904": (108, 0)},
    "bridge-elwell": {"bridge-elwell": (91, 0)},
    "bridge-elwell-1905": {"bridge-elwell": (106, 18)},
    "bridge-elwell-1907": {"bridge-elwell": (104, 11)},
    "contract-1927": {"auction-1926": (54, 9), "contract-1927": (12, 0)},
    "duplicate-1912": {"duplicate-1912": (117, 20)},
    "royalton-1915": {"royalton-1915": (102, 15)},
}
"""For each book the codes found in it, with how many numbered laws and how many other rules and
decisions.
"""


def shelf() -> Path:
    """The printed sources, beside the checkout; tests that need them report if they are missing."""
    home = Path(__file__).resolve().parents[2] / "shared" / "sources"
    if not home.is_dir():
        pytest.skip("the printed sources are not beside the checkout (../shared/sources)")
    return home


@pytest.fixture(scope="module")
def library(shared: Path) -> list[sources.Attached]:
    """Every printed book attached, once for all processes, in a separate folder."""
    home, data = shelf(), shared / "library"
    with pytest.MonkeyPatch.context() as patch, FileLock(shared / "library.lock"):
        patch.setenv("ODDTRICK_DATA", str(data))
        if not data.is_dir():
            for name in BOOKS:
                sources.add(home / f"{name}.txt")
        return sources.attached()


@pytest.mark.slow
def test_every_numbered_law_is_found_in_the_printed_books(library: list[sources.Attached]) -> None:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for book in library:
        laws = sum(n.isdigit() for n in book.laws)
        found.setdefault(book.id, {})[book.code] = (laws, len(book.laws) - laws)
    assert found == BOOKS


@pytest.mark.slow
def test_the_words_that_a_code_prints_for_a_term_are_in_its_print(
    library: list[sources.Attached],
) -> None:
    every = law_book.book().codes
    for word, codes in table("own_words").items():
        pattern = re.compile(r"\s+".join(word.split()), re.IGNORECASE)
        printing = {b.code for b in library if any(map(pattern.search, b.laws.values()))}
        listed = {c.id for c in every if any(map(pattern.search, c.terms.values()))}
        assert printing == listed == set(codes.split()), word


# --- the figures of the law, in print -------------------------------------------------------------

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
WORDS = {word: n for n, word in enumerate(ONES)} | {
    word: n
    for n, word in zip(
        range(30, 100, 10), "thirty forty fifty sixty seventy eighty ninety".split(), strict=True
    )
}
TIMES = {"twice": 2, "doubl": 2, "quadrupl": 4}


def numbers(text: str) -> set[int]:
    """The numbers in a printed text, in figures and in words; 0 and 1 need not be printed."""
    found, so_far = {0, 1} | {int(n) for n in re.findall(r"\d+", text)}, 0
    for word in re.findall(r"[a-z]+", text.lower()):
        found |= {n for beginning, n in TIMES.items() if word.startswith(beginning)}
        if word == "hundred":
            so_far = 100 * (so_far or 1)
        elif (n := WORDS.get(word, 0)) and (so_far % 100 == 0 or (so_far % 10 == 0 and n < 10)):
            so_far += n
        elif word != "and":
            so_far = n
        found |= {n, so_far} if word in WORDS or word == "hundred" else set()
    return found


def numbers_of(figure: Any) -> set[int]:
    """The numbers in the cells of a figure."""
    if isinstance(figure, dict | list):
        inner = figure.values() if isinstance(figure, dict) else figure
        return {n for value in inner for n in numbers_of(value)}
    return {figure} if isinstance(figure, int) else set()


Figure = tuple[str, set[int], list[set[int]]]
"""The address of a figure, its numbers, and the numbers that each book prints in that law."""


@pytest.fixture(scope="module")
def figures(library: list[sources.Attached]) -> list[Figure]:
    laws: dict[str, list[set[int]]] = {}
    for book in library:
        for number, text in book.laws.items():
            laws.setdefault(f"{book.code}:{number}", []).append(numbers(text))
    return [
        (p["address"], numbers_of(figure), laws[p["law"]])
        for code in lawbook.codes()
        for p in lawbook.code_data(code)["provisions"]
        for figure in p["figures"].values()
        if p["law"] in laws
    ]


def unprinted(figure: set[int], books: list[set[int]]) -> set[int]:
    """The numbers of a figure that are not in the book that has most of them."""
    return min((figure - book for book in books), key=len)


@pytest.mark.slow
def test_every_figure_is_in_the_printed_text_of_its_law(figures: list[Figure]) -> None:
    assert len(figures) > 150
    found: dict[str, set[int]] = {}
    for address, figure, books in figures:
        if missing := unprinted(figure, books):
            found[address] = found.get(address, set()) | missing
    path = Path(__file__).parent / "figures_printed.yaml"
    known = read_yaml(path.read_text("utf-8"))
    assert found == {address: set(entry["numbers"]) for address, entry in known.items()}


NEIGHBOURS = {
    "auction-1912:4.1", "auction-1926:17.a.2", "auction-1926:46.2", "bridge-1904:1.1",
    "bridge-1904:6.2", "bridge-1904:9.2", "duplicate-1912:47.i",
}  # fmt: skip
"""Laws that print the number after each of a figure as well."""


@pytest.mark.slow
def test_a_figure_that_is_one_too_high_is_not_in_print(figures: list[Figure]) -> None:
    alike = {
        address
        for address, figure, books in figures
        if figure and unprinted({n + 1 for n in figure}, books) == unprinted(figure, books)
    }
    assert alike == NEIGHBOURS
