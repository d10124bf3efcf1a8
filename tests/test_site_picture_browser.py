"""A drawing is saved as a self-contained file."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from oddtrick.law.book import book


def test_a_drawing_is_saved_with_its_colours_and_its_links(page: Any, base: str) -> None:
    page.goto(base + "lineage/")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture").first.click()
    assert saved.value.suggested_filename == "likeness.svg"
    text = Path(saved.value.path()).read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.attrib["viewBox"]
    assert "--ot-ink: #" in text
    assert 'href="../codes/auction-1912/"' in text
    shown = [part.text for part in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "The lineage of the codes" in shown
    assert f"Oddtrick, restatement {book().vocabulary.restatement}, CC-BY-4.0" in shown
