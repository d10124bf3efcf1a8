"""A page of HTML: Markdown leaves it as it is, its headings are the table of contents, and the
search sees its share.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

import markdown
import pytest
from markdown.treeprocessors import Treeprocessor
from material.plugins.search.plugin import Parser

from oddtrick.site.markdown import PageOfHtml
from oddtrick.site.template import Head, environment, front

HTML = """<h1 id="one">One<a class="headerlink" href="#one">§</a></h1>
<p>*Not* [a link](x.md)</p>

<div><h2 id="a.1">1 &amp; 2 <span class="ours">ours</span><a class="headerlink" href="#a.1">§</a></h2></div>
<pre>
    first

    second
</pre>"""


def made(text: str) -> tuple[str, list[dict[str, object]]]:
    """What Markdown makes of a text, and its table of contents."""
    md = markdown.Markdown(extensions=["toc", "attr_list", "tables", PageOfHtml()])
    return md.convert(text), md.toc_tokens  # type: ignore[attr-defined]


def test_a_page_of_html_comes_out_as_it_is_with_its_headings() -> None:
    content, toc = made(HTML)
    assert content == HTML
    (first,) = toc
    assert (first["id"], first["name"], first["level"]) == ("one", "One", 1)
    (second,) = first["children"]  # type: ignore[misc]
    assert (second["id"], second["name"]) == ("a.1", "1 &amp; 2")


def test_what_looks_for_anchors_in_the_tree_finds_those_of_a_page_of_html() -> None:
    seen = []

    class Looks(Treeprocessor):
        def run(self, root: Element) -> None:
            seen.extend(e.get("id") for e in root.iter() if e.get("id"))

    md = markdown.Markdown(extensions=["toc", PageOfHtml()])
    md.treeprocessors.register(Looks(md), "looks", 5)  # as MkDocs does
    assert md.convert(HTML) == HTML
    assert seen == ["one", "a.1"]


@pytest.mark.parametrize("text", ["# One\n\n<p>*two*</p>\n\n*three*", "One\n", ""])
def test_any_other_document_is_markdown(text: str) -> None:
    assert made(text)[0] == markdown.Markdown(extensions=["toc", "attr_list", "tables"]).convert(
        text
    )


def test_without_the_extension_a_page_is_the_same_but_for_its_contents() -> None:
    assert markdown.markdown(HTML, extensions=["toc"]) == HTML


def test_values_are_escaped_and_a_missing_one_is_an_error() -> None:
    template = environment().from_string('<a title="{{ words }}">{{ words }}</a>')
    assert template.render(words='<b> & "c"') == (
        '<a title="&lt;b&gt; &amp; &#34;c&#34;">&lt;b&gt; &amp; &#34;c&#34;</a>'
    )
    with pytest.raises(Exception, match="'words' is undefined"):
        template.render()


def test_the_front_matter_says_how_the_search_finds_a_page() -> None:
    assert front(Head("A", "b " * 200)).startswith('---\ntitle: "A"\ndescription: "b b')
    assert len(front(Head("A", "b " * 200)).splitlines()[2]) < 330
    assert "search: {exclude: true}" in front(Head("A", "b", "not"))
    assert "search: {boost: 2}" in front(Head("A", "b", boost=2))
    assert 'tags: ["c", "d"]' in front(Head("A", "b", tags=("c", "d")))


def found(searched: str) -> list[tuple[str | None, str]]:
    """The anchors and words that the search has of a page with three headings."""
    template = environment().from_string(
        '{{ h(1, "A") }}<p>first</p>{{ h(2, "B") }}<p>second</p>{{ h(2, "C", searched=false) }}'
    )
    parser = Parser()
    parser.feed(template.render(head=Head("A", "b", searched)))
    return [(s.id, " ".join(s.text)) for s in parser.data if not s.is_excluded()]


def test_a_page_is_found_by_all_of_it_or_by_what_stands_before_the_second_heading() -> None:
    assert found("whole") == [(None, "<p> first </p>"), ("b", "<p> second </p>")]
    assert found("described") == [(None, "<p> first </p>")]
