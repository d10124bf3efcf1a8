"""The data of the site: one path from an address to its file, files valid under their schemas, and
the page's own examples run.
"""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oddtrick.book.export import export
from oddtrick.cli.commands import run
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from oddtrick.law.schema import schemas, validators
from oddtrick.paths import SITE_URL, site_url
from oddtrick.site import data as site_data

pytestmark = pytest.mark.slow

EXAMPLE = re.compile(r"```(\w+)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
SITE = "https://laws.example/bridge/"


@pytest.fixture(scope="module")
def made() -> dict[str, str | bytes]:
    return site_data.data_pages()


@pytest.fixture(scope="module")
def folder(made: dict[str, str | bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files as on the site."""
    home = tmp_path_factory.mktemp("data")
    for name, content in made.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return home


def law_of(made: dict[str, str | bytes], address: str) -> Any:
    return json.loads(made[site_data.data_path(address)])


def test_every_provision_and_reading_is_found_by_its_address(made: dict[str, str | bytes]) -> None:
    for code in book().codes:
        for provision in code.provisions:
            found = law_of(made, provision.address)["provisions"][provision.address]
            assert found["text"] == provision.text
            assert found["url"] == path_of(provision.address)
            assert "file" not in found
            assert "line" not in found
        for reading in code.readings:
            found = law_of(made, reading.address)["readings"][reading.address]
            assert found["why"] == reading.why


def test_the_addresses_that_the_page_shows_are_right(made: dict[str, str | bytes]) -> None:
    page = str(made["data.md"])
    rows = re.findall(r"^- \*\*`([^`]+)`\*\* `(codes/[^`]+)` `(data/[^`]+)`$", page, re.MULTILINE)
    assert len(rows) == 6
    for address, where, file in rows:
        assert path_of(address) == where
        assert site_data.data_path(address) == file


def test_every_file_of_a_law_is_valid_under_its_schema(
    root: Path, made: dict[str, str | bytes]
) -> None:
    found = validators(schemas(book().data["vocabulary"]))["provisions.schema.json"]
    for name, content in made.items():
        if name.startswith("data/provisions/") and not name.endswith("/readings.json"):
            assert [e.message for e in found.iter_errors(json.loads(content))] == [], name
    law = law_of(made, "auction-1912:84")
    law["provisions"]["auction-1912:84.a"]["citations"].pop("short")
    law["provisions"]["auction-1912:84.b"]["counterparts"]["auction-1926"][0]["kind"] = "similar"
    assert len(list(found.iter_errors(law))) == 2


def test_the_whole_lawbook_is_what_the_program_exports(
    made: dict[str, str | bytes], tmp_path: Path
) -> None:
    packed = made["data/lawbook.json.gz"]
    assert isinstance(packed, bytes)
    assert gzip.decompress(packed).decode() == export()
    for command in re.findall(r"^oddtrick (export .*)$", str(made["data.md"]), re.MULTILINE):
        *words, _, name = command.split()
        assert run([*words, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text("utf-8") == export()
    assert len(list(tmp_path.iterdir())) == 1


def python_examples() -> list[tuple[str, str]]:
    page = (Path(__file__).resolve().parent.parent / "docs" / "data.md").read_text("utf-8")
    return [(m[2], m[3]) for m in EXAMPLE.finditer(page) if m[1] == "python"]


@pytest.mark.shipped
@pytest.mark.parametrize(("code", "said"), python_examples())
def test_the_examples_in_python_print_what_the_page_says(
    code: str, said: str, folder: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.stderr == ""
    assert done.stdout == said


@pytest.mark.parametrize(
    ("named", "url"),
    [
        ("", ""),
        (" ", ""),
        ("https://a.example", "https://a.example/"),
        ("https://a.example/b/", "https://a.example/b/"),
    ],
)
def test_the_address_of_the_site_comes_from_the_environment(
    named: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SITE_URL, named)
    assert site_url() == url


def test_robots_name_the_sitemap_only_where_it_has_an_address() -> None:
    assert "Sitemap" not in site_data.robots("")
    assert site_data.robots(SITE).endswith(f"Sitemap: {SITE}sitemap.xml\n")


def test_a_reference_manager_gets_one_record_in_each_format(made: dict[str, str | bytes]) -> None:
    """One entry for the printed law, with the date of the code; the author of the book is not its
    editor.
    """
    ris = str(made["data/citations/auction-1926/43.ris"])
    assert ris.count("TY  - ") == ris.count("ER  - ") == 1
    assert {"TY  - CHAP", "SP  - 111", "C2  - Lenz, Sidney S."} <= set(ris.splitlines())
    bib = str(made["data/citations/auction-1926/43.bib"])
    (item,) = json.loads(made["data/citations/auction-1926/43.json"])
    assert item["type"] == "chapter"
    assert "editor" not in f"{item} {bib}"
    for text in (ris, bib, item["note"]):
        assert "the code dates from February 1926, in force from 5 April 1926" in text
    assert "printed page not known" in str(made["data/citations/auction-1912/84.ris"])
