"""Attached books: laws found by number, order and content despite damage; kept whole; collated with
the restatement.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from filelock import FileLock

import lawbook
from oddtrick.book import collate as collating
from oddtrick.book import own_copies as sources
from oddtrick.law.address import Address
from oddtrick.law.book import book as lawbook_of
from oddtrick.law.model import CollationException
from test_cli import clear, run

EXCEPTIONS = lawbook_of().vocabulary.collation


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDTRICK_DATA", str(tmp_path / "data"))


def restated(code: str) -> dict[str, str]:
    """A code's laws in our words, by number: a book of our own to find laws in."""
    words: dict[str, list[str]] = {}
    for p in lawbook.code_data(code)["provisions"]:
        number = p["law"].partition(":")[2]
        if p["option"] is None and number.isdigit():
            words.setdefault(number, []).append(p["text"])
    return {n: " ".join(w) for n, w in words.items()}


def printed(code: str, mark: str = "{}. ", head: str = "") -> str:
    """That book as a page: a heading now and then, page numbers, a running head, words broken at
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


def test_laws_without_numbers_are_found_by_their_content() -> None:
    book = sources.find(sources.clean(printed("bridge-elwell", mark="")), "bridge-elwell")
    numbers = [n for n in book.laws if n.isdigit()]
    assert len(numbers) > 100
    right = [n for n in numbers if restated("bridge-elwell")[n][:30] in book.laws[n]]
    assert len(right) > 0.95 * len(numbers)


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
def test_adding_again_replaces(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(printed("royalton-1915"), "utf-8")
    sources.add(path)
    path.write_text(
        printed("royalton-1915").replace("17. The shuffled pack", "17. The well shuffled pack"),
        "utf-8",
    )
    sources.add(path)
    [kept] = sources.attached()
    assert kept.laws["17"].startswith("The well shuffled pack")


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
        (b"\x00\x01\x02" * 100, "is no plain text"),
        (b"", "could not be found"),
        (b"A letter about the weather.\n" * 50, "could not be found"),
        (
            "\n".join(f"{i}. Nothing of the kind." for i in range(1, 100)).encode(),
            "could not be found",
        ),
        (b"\xff\xfe\xe9" * 1000, "could not be found"),
    ],
)
def test_what_is_no_book_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "noise.txt"
    path.write_bytes(content)
    assert message in clear(run("sources", "add", str(path)))
    assert not list((tmp_path / "data").rglob("*.json"))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "No such file" in clear(run("sources", "add", str(tmp_path / "none.txt")))
    assert "no book is attached" in clear(run("sources", "collate"))


def test_a_broken_file_in_the_data_folder_is_passed_over(tmp_path: Path) -> None:
    home = tmp_path / "data" / "sources" / "royalton-1915"
    home.mkdir(parents=True)
    (home / "bad.json").write_text("{", "utf-8")
    assert "No book is attached" in clear(run("sources", "list"), 0)
    assert "As printed" not in clear(run("law", "royalton-1915:100"), 0)


# --- collating
# -------------------------------------------------------------------------------------


def attached(code: str, laws: dict[str, str]) -> sources.Attached:
    return sources.Attached("book", code, "book.txt", "", laws)


def test_a_book_in_our_own_words_agrees() -> None:
    laws = restated("royalton-1915")
    found = collating.collate(attached("royalton-1915", laws), [])
    assert [d for d in found.differences if d.kind == "figure" and d.printed] == []
    assert found.laws == 102


def test_a_figure_a_reference_and_a_law_that_differ_are_each_noticed() -> None:
    laws = restated("royalton-1915")
    base = {
        (d.law, d.kind) for d in collating.collate(attached("royalton-1915", laws), []).differences
    }
    changed = laws | {"84": laws["84"].replace("40", "41"), "2": laws["2"] + " See Laws 12 and 99."}
    del changed["50"]
    changed["103"] = "Another law."
    found = {
        (d.law, d.kind): d
        for d in collating.collate(attached("royalton-1915", changed), []).differences
    }
    assert set(found) - base == {
        ("royalton-1915:84", "figure"),
        ("royalton-1915:2", "reference"),
        ("royalton-1915:50", "law"),
        ("royalton-1915:103", "law"),
    }
    assert found["royalton-1915:84", "figure"].printed == (41,)
    assert found["royalton-1915:84", "figure"].restated == (40,)
    assert found["royalton-1915:2", "reference"].printed == (12, 99)


def test_a_copy_that_ends_early_says_what_it_lacks() -> None:
    laws = {n: t for n, t in restated("royalton-1915").items() if int(n) <= 60}
    found = collating.collate(attached("royalton-1915", laws), [])
    assert found.lacks[0] == "61"
    assert "etiquette.15" in found.lacks
    assert not [d for d in found.differences if d.kind == "law"]


def test_an_exception_explains_exactly_what_it_names() -> None:
    laws = restated("royalton-1915")
    laws["84"] = laws["84"].replace("40", "41")
    law = Address("royalton-1915:84")
    source = attached("royalton-1915", laws)

    def explained(kind: str = "figure", printed: int = 41, copy: str | None = None) -> str | None:
        entry = CollationException(law, kind, (printed,), (40,), copy, "A test.")
        [one] = [d for d in collating.collate(source, [entry]).differences if d.law == law]
        return one.why

    assert explained() == "A test."
    assert explained(printed=42) is None
    assert explained(kind="reference") is None
    assert explained(copy="another") is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("two hundred and fifty points", {250}),
        ("fifty-two cards", {52}),
        ("thirty (30) points", {30}),
        ("one hundred points and two tricks", {100, 2}),
        ("1,000 points", {1000}),
        ("one card", set()),
        ("scores....100", {100}),
    ],
)
def test_numbers_in_words_and_figures(text: str, numbers: set[int]) -> None:
    assert collating.numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "laws"),
    [
        ("(Laws 82, 91, 92 and 100)", {82, 91, 92, 100}),
        ("see Law 24 (f) and law 38 b", {24, 38}),
        ("as provided in Law 42.", {42}),
        ("the laws of bridge", set()),
    ],
)
def test_references_in_print(text: str, laws: set[int]) -> None:
    assert collating.references(text) == laws


# --- the printed books, where they are
# -------------------------------------------------------------

BOOKS = {
    "auction-1912-complete": {"auction-1912": (97, 24)},
    "auction-1912-seed": {"auction-1912": (60, 0)},
    "bridge-elwell": {"bridge-elwell": (91, 0)},
    "bridge-elwell-1905": {"bridge-elwell": (106, 15)},
    "bridge-elwell-1907": {"bridge-elwell": (104, 8)},
    "contract-1927": {"auction-1926": (54, 9), "contract-1927": (12, 0)},
    "duplicate-1912": {"duplicate-1912": (117, 20)},
    "royalton-1915": {"royalton-1915": (102, 15)},
}
"""For each book the codes found in it, with how many numbered laws and how many rules of etiquette
and decisions.
"""


def shelf() -> Path:
    """The printed sources, beside the checkout; tests that need them say when they are not
    there.
    """
    for home in (
        Path(__file__).resolve().parents[2] / "shared" / "sources",
        Path("/work/shared/sources"),
    ):
        if home.is_dir():
            return home
    pytest.skip("the printed sources are not beside the checkout (../shared/sources)")


@pytest.fixture(scope="module")
def library(shared: Path) -> list[sources.Attached]:
    """Every printed book attached, once for all processes, in a folder of its own."""
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
def test_every_difference_from_the_printed_books_is_explained(
    library: list[sources.Attached],
) -> None:
    left = [d for book in library for d in collating.collate(book, EXCEPTIONS).open]
    assert left == []


@pytest.mark.slow
def test_every_exception_is_still_needed(library: list[sources.Attached]) -> None:
    used = []
    for book in library:
        for d in collating.collate(book, EXCEPTIONS).differences:
            used += [
                i
                for i, e in enumerate(EXCEPTIONS)
                if e.law == d.law
                and e.kind == d.kind
                and e.source in (None, book.id)
                and set(e.printed) == set(d.printed)
                and set(e.restated) == set(d.restated)
            ]
    assert [EXCEPTIONS[i].law for i in range(len(EXCEPTIONS)) if i not in used] == []
