"""Citations: every spelling in `citations.yaml` is read or rejected, every address can be cited."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lawbook
from files import ROOT, table
from oddtrick.book.read_citation import Unread, code_in, read_citation, spoken
from oddtrick.book.write_citation import STYLES, cite, csl, open_copy, restatement
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from test_lawdata import LAWS, tiny, write  # noqa: F401 (a fixture)

SPELLINGS = table("citations")
ADDRESSES = [
    i["address"]
    for c in lawbook.codes()
    for key in ("laws", "provisions", "readings")
    for i in lawbook.code_data(c)[key]
]


def test_the_documents_name_the_codes_with_known_pages() -> None:
    *names, last = [c.short for c in book().codes if all(law.page for law in c.laws)]
    said = f"Printed page numbers are known for {', '.join(names)} and {last} only."
    for path in ("README.md", "docs/citing.md"):
        assert said in " ".join((ROOT / path).read_text("utf-8").split()), path


def test_there_are_at_least_250_spellings_and_none_twice() -> None:
    words = [w for w, _ in [*SPELLINGS["found"], *SPELLINGS["refused"]]]
    assert len(words) >= 250
    assert len(set(words)) == len(words)


@pytest.mark.shipped
def test_every_spelling_is_read() -> None:
    otherwise = {}
    for words, address in SPELLINGS["found"]:
        try:
            found = str(read_citation(words))
        except Unread as error:
            found = str(error)
        if found != address:
            otherwise[words] = found
    assert otherwise == {}


@pytest.mark.parametrize(("words", "message"), [tuple(s) for s in SPELLINGS["refused"]])
def test_a_spelling_is_refused_with_the_reason(words: str, message: str) -> None:
    with pytest.raises(Unread, match=re.escape(message)):
        read_citation(words)


def test_a_number_of_any_length_is_refused_like_another() -> None:
    with pytest.raises(Unread):
        read_citation(f"auction-1912:5.{'9' * 5000}")


def test_a_code_may_be_given_beside_the_citation() -> None:
    assert read_citation("law 30", "auction-1926") == "auction-1926:30"
    assert read_citation("Royalton 30", "auction-1926") == "royalton-1915:30"


@pytest.mark.parametrize(
    ("words", "code", "left"),
    [
        ("in Auction 1926, West led out of turn", "auction-1926", "West led out of turn"),
        ("contract-1927 4 hearts made 4", "contract-1927", "4 hearts made 4"),
        ("4 royal hearts, 10 tricks, Royalton", "royalton-1915", "4 royal hearts, 10 tricks,"),
        ("royalton-1915: 3 hearts", "royalton-1915", "3 hearts"),
        ("under Royalton 1915, 3 hearts", "royalton-1915", "3 hearts"),
        ("he led out of turn at auction", None, "he led out of turn at auction"),
        ("Auction 1912 or Auction 1926", None, "Auction 1912 or Auction 1926"),
    ],
)
def test_words_may_name_the_code(words: str, code: str | None, left: str) -> None:
    assert code_in(words) == (code, left)


def test_every_address_is_a_citation_of_itself() -> None:
    assert [a for a in ADDRESSES if read_citation(a) != a] == []


def test_every_short_citation_is_read_back() -> None:
    assert len(ADDRESSES) > 1000
    assert [(a, cite(a, "short")) for a in ADDRESSES if read_citation(cite(a, "short")) != a] == []


def test_what_has_no_plain_number_is_called_by_words_of_its_own_in_its_code() -> None:
    for code in lawbook.codes():
        unnumbered = {
            a.partition(":")[2]
            for a in ADDRESSES
            if a.startswith(f"{code}:") and not a.partition(":")[2][0].isdigit()
        }
        assert unnumbered == set(spoken(code).values())


@pytest.mark.parametrize("style", STYLES)
def test_every_address_can_be_cited(style: str) -> None:
    for address in ADDRESSES:
        text = cite(address, style, "https://example.org/")
        assert text
        if style == "csl-json":
            item = json.loads(text)[0]
            assert item["id"] == address
            assert item["URL"].startswith("https://example.org/codes/") or "reading" in address
        if style == "bibtex":
            assert text.count("{") == text.count("}")


STYLED = table("styled")


@pytest.mark.parametrize("style", STYLED)
def test_styles(style: str) -> None:
    said = STYLED[style].replace("NUMBER", book().vocabulary.restatement)
    assert cite("auction-1926:26.g.2", style, "https://example.org/") == said


def test_every_style_but_the_name_and_the_link_says_on_which_restatement_it_rests() -> None:
    for style in STYLES:
        said = cite("royalton-1915:77.c", style)
        assert (restatement() in said) == (style not in ("short", "link")), style


def test_bibtex_escapes_and_names_the_body_that_made_the_code() -> None:
    text = cite("contract-1927:10", "bibtex")
    assert text.startswith("@incollection{contract-1927-10,")
    assert "author = {{Knickerbocker Whist Club of New York}}" in text
    assert "publisher = {Simon \\& Schuster}" in text
    assert cite("royalton-1915:77.c", "bibtex").startswith(
        "@book{royalton-1915-77-c,\n  author = {Hawley, G. M. B.}"
    )


OPEN = {
    "bridge-elwell": "https://www.gutenberg.org/ebooks/38000",
    "duplicate-1912": None,
    "auction-1912": "https://www.gutenberg.org/ebooks/23086",
    "royalton-1915": "https://hdl.handle.net/2027/loc.ark:/13960/t40s0nc8g",
    "auction-1926": "https://hdl.handle.net/2027/miun.aen4362.0001.001",
    "contract-1927": "https://hdl.handle.net/2027/miun.aen4362.0001.001",
}
"""The open copy of each book, as the readme of the printed sources lists them."""


@pytest.mark.parametrize("code", OPEN)
def test_a_citation_leads_to_the_open_copy_of_its_book(code: str) -> None:
    url, site = OPEN[code], "https://example.org/"
    assert open_copy(code) == url
    address = f"{code}:1"
    full = cite(address, "full")
    assert f", {url}; restated" in full if url else ", law 1; restated" in full
    assert csl(address).get("URL") == url
    assert csl(address, site)["URL"] == site + path_of(address)
    for style in ("bibtex", "csl-json"):
        named = f"open copy of the book: {url}" in cite(address, style, site)
        assert named is (url is not None)
        assert "open copy" not in cite(address, style)


@pytest.mark.parametrize("style", ["full", "chicago", "bibtex", "ris"])
def test_the_title_of_a_book_that_is_the_code_stands_once(style: str) -> None:
    assert cite("royalton-1915:77.c", style).count("Royalton: A Game of Auction Bridge Whist") == 1


def test_bibtex_names_the_book_that_is_no_reprint() -> None:
    text = cite("bridge-elwell:46", "bibtex")
    assert "title = {Bridge: its Principles and Rules of Play}," in text
    assert "url = {https://www.gutenberg.org/ebooks/38000}," in text
    assert (
        "note = {The Laws of Bridge, law 46; the code dates from 1905; printed page not known; Oddtrick, restatement"
        in text
    )


OPINIONS = """\
  - number: "3"
    heading: A game of thirty-one
    provisions:
      - {at: "", text: Thirty-one points are a game won., topics: [game]}
  - number: "opinion.preamble"
    heading: Opinions
    provisions:
      - {at: "", text: What the umpire thought., topics: [game]}
  - number: "opinion.2"
    heading: A game of thirty-one
    provisions:
      - {at: "", text: Thirty-one points are a game won., topics: [game]}
      - {at: "aside", text: A game is won by sixpence too., topics: [game]}
"""
CLUB = "authors: [{literal: The Tiny & Grand Club}]"
KINDS = """\
passages:
  - id: opinion
    one: opinion of the umpire
    many: opinions of the umpire
    said: [opinion, opinions, judgment]
    role: gloss
    weight: 50
  - {id: aside, one: marginal note, many: marginal notes, said: [aside, margin], attached: true}
"""


@pytest.mark.slow
def test_a_kind_of_passage_that_only_the_data_know_is_cited_searched_and_shown(
    tiny: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    """In separate interpreters, since this one caches the lawbook."""
    write(tiny, "laws.yaml", LAWS + OPINIONS)
    code = (tiny / "tiny-1900" / "code.yaml").read_text("utf-8")
    code = code.replace("authors: [{family: Nobody, given: A.}]", CLUB)
    write(tiny, "code.yaml", code.replace("about:", f"{KINDS}about:"))
    known = {"ODDTRICK_LAWS": str(tiny), "ODDTRICK_CACHE": str(tmp_path / "cache")}

    def said(*words: str) -> str:
        command = [sys.executable, "-m", "oddtrick", *words]
        return subprocess.run(
            command, env=os.environ | known, capture_output=True, encoding="utf-8", check=True
        ).stdout

    spellings = ("Tiny, opinion 2", "judgment no. 2 of Tiny", "opinion II, tiny")
    shorts = (
        "Tiny, the words before the opinions of the umpire",
        "Tiny, marginal note to opinion of the umpire 2",
    )
    asked = (*spellings, "tiny opinion preamble", "Tiny opinion 2, margin", *shorts)
    assert (
        said("cite", *asked).splitlines() == ["Tiny, opinion of the umpire 2"] * 3 + [*shorts] * 2
    )
    found = json.loads(said("search", "thirty-one", "--format", "json"))["hits"]
    scores = {hit["address"]: hit["score"] for hit in found}
    assert scores["tiny-1900:opinion.2"] == pytest.approx(scores["tiny-1900:3"] / 2, abs=0.02)
    assert "A game of thirty-one" in said("law", "Tiny, judgment 2")
    for style, name in (
        ("full", "The Tiny & Grand Club, A Book ("),
        ("bibtex", "author = {{The Tiny \\& Grand Club}},"),
        ("ris", "AU  - The Tiny & Grand Club\n"),
        ("csl-json", '"author": [\n      {\n        "literal": "The Tiny & Grand Club"\n      }'),
    ):
        assert name in said("cite", "Tiny 1", "--style", style)


def test_an_unknown_style_is_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="no style `apa`"):
        cite("auction-1912:84", "apa")


def test_a_url_of_the_site_is_read_back() -> None:
    for address in ADDRESSES:
        assert read_citation("https://example.org/" + path_of(address)) == address
