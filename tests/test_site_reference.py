"""The pages that collect parts of the lawbook: nothing is left out, and every number is correct."""

import html
import re
from collections.abc import Callable

import pytest

from files import table
from oddtrick.book.write_citation import cite
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.law.names import law_words, path_of
from oddtrick.law.reading_choices import computes, read_choice
from oddtrick.site.reference import decisions, readings_sheet, rulings_naming

Page = Callable[[str], str]


@pytest.fixture
def page(pages: dict[str, str | bytes]) -> Page:
    """The text of a page by name."""
    return lambda name: str(pages[f"{name}.md"])


def section(text: str, anchor: str, level: int) -> str:
    """The text below the heading with an anchor."""
    found = re.search(
        rf'<h{level} id="{re.escape(anchor)}".*?(?=<h[1-{level}] |\Z)', text, re.DOTALL
    )
    assert found, anchor
    return html.unescape(found[0])


def test_the_glossary_has_each_term_in_the_words_of_each_code_that_defines_it(page: Page) -> None:
    text = page("glossary")
    for term in book().vocabulary.terms:
        below = section(text, term.id, 2)
        defined = [p for c in book().codes for p in c.provisions if term.id in p.terms]
        assert defined, term.id
        for provision in defined:
            assert provision.text in below
            assert book().code(provision.address.code).short in below
            assert f"../{path_of(provision.address)}" in below
        assert below.count("<dt>") == len({p.text for p in defined})
        words = {word[:4] for word in term.label.lower().split()}
        own = {c.id: c.terms.get(term.id, "").lower().split() for c in book().codes}
        for provision in defined:  # a definition uses the word that it defines
            known = words | {word[:4] for word in own[provision.address.code]}
            said = f"{provision.heading} {provision.text}".lower()
            assert any(word in said for word in known), provision.address


def test_the_codes_that_define_a_term_are_those_of_the_print() -> None:
    for term, addresses in table("definitions").items():
        defined = {p.address for c in book().codes for p in c.provisions if term in p.terms}
        assert defined == set(addresses.split()), term


def _computes(written: str) -> bool:
    """Whether a choice differs from the one applied and affects the checker."""
    one = read_choice(book(), written, book().chain(written.partition(":")[0]))
    return one.differs and computes(book(), one)


@pytest.mark.parametrize("code", book().codes, ids=book().ids)
def test_every_doubtful_place_stands_among_the_readings(code: Code, page: Page) -> None:
    for reading in code.readings:
        below = section(page("readings"), f"{code.id}.{reading.id}", 3)
        assert reading.question in below
        for choice in reading.choices:
            mark = "<strong>Applied.</strong> " if choice.id == reading.applied else ""
            written = f"{code.id}:{reading.id}={choice.id}"
            bare = f"<li>{mark}{choice.text}</li>" in below
            offered = f"<li>{mark}{choice.text} <code>reading {written}</code></li>" in below
            assert (bare, offered) == (not _computes(written), _computes(written))
        assert below.count("<strong>Applied.</strong>") == 1
        assert f"Why: {reading.why}" in below
        assert all(f'<a href="../{path_of(a)}">' in below for a in reading.places)
        assert all(f"{law_words(a)}</a>" in below for a in reading.places)
        assert f"<code>{reading.address}</code>" in below


def test_every_decision_has_its_laws_its_rulings_and_its_record(page: Page) -> None:
    text, shown = page("decisions"), 0
    for code in book().codes:
        for case in decisions(code):
            law = case.law
            below = section(text, f"{code.id}.{law.number}", 3)
            for provision in case.provisions:
                assert provision.text in below
                assert all(f"{law_words(r.to)}</a>" in below for r in provision.refs)
            entries = {
                e.irregularity
                for e in code.entries
                for r in e.rulings
                if law.address in r.decisions
            }
            assert all(f'"../disputes/{e}/#{code.id}"' in below for e in entries)
            assert entries <= {i.id for i, _ in rulings_naming(law.address)}
            if case.record:
                assert f'<a href="../{case.record[1]}">{case.record[0]}</a>' in below
            else:
                assert "As a record" not in below
            shown += case.record is not None
        assert len(decisions(code)) == sum(n.number.startswith("decision.") for n in code.laws)
    assert shown == 3  # the committee's cases 2, 6 and 7 are shipped as records


def test_the_sources_name_each_book_and_how_to_attach_ones_own(page: Page) -> None:
    text = page("sources")
    for code in book().codes:
        below = section(text, code.id, 2)
        assert cite(code.id, "full") in below
        assert code.source.book
        assert code.source.book in below
        assert all(o.label in below for o in code.options)
        assert all(e.label in below for e in code.editions)
    assert "oddtrick sources add" in section(text, "attach", 2)
    assert "twelve words" in section(text, "own-words", 2)


def test_the_sheet_of_readings_has_a_plain_head_and_a_value_in_every_column() -> None:
    heads, *rows = readings_sheet()
    assert heads[6:] == ["Supplies", "Leaves in doubt", "Rulings", "To apply another choice"]
    row = next(r for r in rows if r[1] == "bridge-1904:reading.chicane-in-both-hands")
    assert row[6:] == ["", "Value of chicane: double", "", "bridge-1904:chicane-in-both-hands=once"]
    assert not any(cell == "yes" for row in rows for cell in row)
