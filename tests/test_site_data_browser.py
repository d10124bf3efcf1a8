"""The page on the data in Chromium: its example in JavaScript, its files, and the head of every
kind of page.
"""

import re
from pathlib import Path
from typing import Any

import pytest


def test_the_example_in_javascript_prints_what_the_page_says(base: str, page: Any) -> None:
    text = (Path(__file__).resolve().parent.parent / "docs" / "data.md").read_text("utf-8")
    found = re.search(r"```js\n(.*?)```\n\n```text\n(.*?)```\n", text, re.DOTALL)
    assert found
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text))
    page.goto(base + "data/")
    page.evaluate(f"(async () => {{ const site = {base!r};\n{found[1]} }})()")
    assert "\n".join(said) + "\n" == found[2]


def test_the_files_of_the_page_are_there(base: str, page: Any) -> None:
    page.goto(base + "data/")
    files = page.locator(
        ".md-content a[href$='.json'], .md-content a[href$='.json.gz']"
    ).evaluate_all("links => links.map(a => a.href)")
    assert len(files) >= 20
    assert [f for f in files if page.request.get(f).status != 200] == []


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("codes/auction-1912/84/", ["data/provisions/auction-1912/84.json"]),
        ("codes/royalton-1915/", ["data/royalton-1915.json"]),
        ("data/", []),
    ],
)
def test_the_head_of_a_page_names_its_card_and_its_data(
    base: str, page: Any, path: str, data: list[str]
) -> None:
    page.goto(base + path)
    head = page.evaluate(
        """() => ({
          card: new URL(document.querySelector("meta[property='og:image']").content, document.baseURI).href,
          title: document.querySelector("meta[property='og:title']").content,
          data: [...document.querySelectorAll("link[rel=describedby]")].map(l => l.href),
        })"""
    )
    assert head["title"]
    assert head["card"] == f"{base}assets/cards/oddtrick.png"
    assert page.request.get(head["card"]).status == 200
    assert {base + d for d in data} <= {*head["data"]}
    assert all(page.request.get(d).status == 200 for d in head["data"])
