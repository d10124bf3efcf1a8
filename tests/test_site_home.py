"""The first page, the first page of each code, and the complete text of each code: pure functions
and their data.
"""

import html
import re
from urllib.parse import urljoin

import pytest

from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.law.names import path_of
from oddtrick.site import drawing as site_drawing
from oddtrick.site.code import code_page, whole_page
from oddtrick.site.docs import home_page
from oddtrick.site.drawing import Drawing
from oddtrick.site.template import environment
from test_lawdata import problems, tiny, write  # noqa: F401 (a fixture)

ADDRESSES = {item.address for c in book().codes for item in (*c.laws, *c.provisions)}


# --- the data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", book().ids)
def test_every_code_has_ten_peculiarities_of_one_sentence_and_every_address_exists(
    code: str,
) -> None:
    told = book().code(code).peculiarities
    assert len(told) == 10
    assert len({p.text for p in told}) == 10
    for peculiarity in told:
        assert re.fullmatch(r'([A-Z"][^.]*\.( |$)){1,2}', peculiarity.text), peculiarity.text
        assert peculiarity.laws
        assert set(peculiarity.laws) <= ADDRESSES


# --- the line of time -----------------------------------------------------------------------------


def drawn_as(drawing: Drawing) -> str:
    """A drawing on a page one folder below the root."""
    page = {"root": "../", "path": "a.md"}
    module = environment().get_template("drawing.html").make_module(page)
    return html.unescape(str(module.drawing(drawing)))  # type: ignore[attr-defined]


@pytest.mark.shipped
def test_the_line_of_time_has_every_code_as_a_link_in_order_of_date_and_in_words() -> None:
    drawn = drawn_as(site_drawing.timeline())
    assert re.findall(r'href="\.\./codes/([^/]+)/"', drawn) == list(book().ids)
    for code in book().ids:
        assert f">{book().code(code).short}</text>" in drawn
        assert site_drawing.sentence(code) in drawn
    amending = sum(1 for c in book().ids if book().code(c).extends)
    ways = sum(len(site_drawing.descent(c)) for c in book().ids)
    assert drawn.count('class="d-amends"') == amending == 2
    assert len(re.findall(r'class="d-(?:amends|grew|through)"', drawn)) == ways
    bars = sum(1 for c in book().ids if "-" not in book().code(c).date)
    assert drawn.count('class="d-year"') == bars
    assert "d-here" not in drawn


# --- the first page -------------------------------------------------------------------------------


def test_the_first_page_asks_has_doors_and_every_code_in_words() -> None:
    page = html.unescape(home_page())
    doors = re.findall(r'<h2 id="([^"]+)"[^>]*><a href="([^"]+)">', page)
    assert [url for _, url in doors] == ["check/", "score/", "rubber/", "compare/"]
    assert page.index('name="find"') < page.index(doors[0][0]) < page.index("d-figure")
    listed = page.partition('<ol class="h-codes"')[2]
    for code in book().codes:
        assert f'<a href="codes/{code.id}/">{code.short}</a>' in listed
        assert all(way.text in listed for way in code.descent)
        for way in code.descent:  # the label of a line says no more than the text
            assert {*re.findall(r"\d+", way.through or "")} <= {*re.findall(r"\d+", way.text)}


# --- a code ---------------------------------------------------------------------------------------


def links(page: str) -> set[str]:
    """The URLs that a page links to."""
    return set(re.findall(r'href="([^"]+)"', page))


@pytest.mark.parametrize("code", book().codes, ids=book().ids)
def test_the_first_page_of_a_code_links_every_law_its_peculiarities_and_its_kin(code: Code) -> None:
    page = code_page(code)
    found = links(page)
    addresses = {law.address for law in code.laws}
    addresses |= {a for peculiarity in code.peculiarities for a in peculiarity.laws}
    near = {urljoin(f"codes/{code.id}/", way) for way in found}
    assert {path_of(a) for a in addresses} <= near
    for other in {*site_drawing.descent(code.id), *site_drawing.children(code.id)}:
        assert f"codes/{other}/" in near
    assert {"whole/", f"../../data/{code.id}.json"} <= found
    for option in code.options:
        assert f'id="{option.id}"' in page


@pytest.mark.parametrize("code", book().codes, ids=book().ids)
def test_a_code_whole_has_every_paragraph_with_its_mark_and_no_anchor_twice(code: Code) -> None:
    page = whole_page(code)
    ids = re.findall(r'(?<![\w-])id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {law.number for law in code.laws} <= set(ids)
    for item in code.provisions:
        if item.at:
            assert item.address.local in ids
        assert f'aria-label="{item.address}"' in page
        assert f"../../../{path_of(item.address)}" in page
    assert page.count('class="w-par"') == len(code.provisions)
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert anchor in ids
    assert page.count('class="figures w-figures"') == sum(1 for p in code.provisions if p.figures)
