"""Citations: every spelling in `citations.yaml` is read or rejected, every address can be cited."""

import json
import re

import pytest

import lawbook
from files import ROOT, table
from oddtrick.book.read_citation import Unread, code_in, read_citation
from oddtrick.book.write_citation import STYLES, cite, csl, open_copy
from oddtrick.law.book import book
from oddtrick.law.names import is_our_numbering, law_words, path_of
from test_lawdata import LAWS, tiny, write  # noqa: F401 (a fixture)

SPELLINGS = table("citations")
CITED = SPELLINGS["printed"]
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
        in_full = style not in ("short", "markdown", "link")
        assert ("our numbering" in text) == (in_full and is_our_numbering(address))
        assert "\u201c" not in law_words(address)  # no heading of ours in quotation marks


def test_a_citation_uses_the_words_and_the_numbers_of_the_print() -> None:
    full = {address: cite(address, "full") for address in CITED}
    assert {a: words for a, words in CITED.items() if f", {words}, " not in full[a]} == {}


STYLED = table("styled")


@pytest.mark.parametrize("style", STYLED)
def test_styles(style: str) -> None:
    said = STYLED[style].replace("NUMBER", book().vocabulary.restatement)
    assert cite("auction-1926:26.g.2", style, "https://example.org/") == said


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


def test_a_url_of_the_site_is_read_back() -> None:
    for address in ADDRESSES:
        assert read_citation("https://example.org/" + path_of(address)) == address
