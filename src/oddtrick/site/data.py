"""The data of the site: the complete lawbook, a file for each law, and the page that documents
them.

The path of a data file corresponds to that of the page: the data of `codes/auction-1912/84/#b` is
in `data/provisions/auction-1912/84.json`. Like a page, a file contains a law with all its
provisions: half the laws have a single provision, the paragraphs of a law are read together, and a
file for each paragraph would double the number of files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oddtrick.book.export import export
from oddtrick.book.write_citation import STYLES, cite, csl
from oddtrick.law.address import Address
from oddtrick.law.book import book, document
from oddtrick.law.names import path_of
from oddtrick.law.schema import schemas
from oddtrick.paths import folder
from oddtrick.site.law import findings_of, irregularities_of
from oddtrick.site.markup import megabytes
from oddtrick.site.template import LICENCE, environment, gzipped, json_file

Entry = dict[str, Any]
"""A law, a provision or a reading as in the exported lawbook."""

FILES = ("ris", "csl-json")
"""The citation styles with a file for each law: `data/citations/CODE/LAW.ris` and `.json`."""


def data_pages(site: str = "") -> dict[str, str | bytes]:
    """Every data file, the page that documents them, and `robots.txt`, by path below the docs
    folder.

    `site` is the base URL with a final slash, as `site_url` gives it; if empty, links start from
    the root of the site.
    """
    made: dict[str, str | bytes] = {"data/lawbook.json.gz": gzipped(export()), **_compiled()}
    lawbook: dict[str, Any] = document()
    for code in lawbook["codes"]:
        for law in code["laws"]:
            own = [p for p in code["provisions"] if p["law"] == law["address"]]
            made[data_path(law["address"])] = json_file(law_json(code["id"], law, own, site))
        if code["readings"]:
            path = f"data/provisions/{code['id']}/readings.json"
            made[path] = json_file(readings_json(code["id"], code["readings"], site))
    for law in (law for code in book().codes for law in code.laws):
        file = data_path(law.address).replace("/provisions/", "/citations/")
        for ending, style in ((".ris", "ris"), (".bib", "bibtex")):
            made[file.replace(".json", ending)] = f"{cite(law.address, style, site)}\n"
        made[file] = json_file([csl(law.address, site)])
    made["data.md"] = data_page(made)
    made["robots.txt"] = robots(site)
    return made


def _compiled() -> dict[str, str]:
    """The compiled codes and the vocabulary, and the schemas of the law data, all unchanged."""
    vocabulary = book().data["vocabulary"]
    parts = book().data["codes"] | {"vocabulary": vocabulary}
    made = {f"data/{name}.json": json_file(part) for name, part in parts.items()}
    found = schemas(vocabulary, book().ids)
    return made | {f"schema/{name}": json_file(schema) for name, schema in found.items()}


def data_path(address: str) -> str:
    """The data file of an address: `data/provisions/auction-1912/84.json` for `auction-1912:84.b`;
    `data/CODE.json` for a code.
    """
    if ":" not in address:
        return f"data/{address}.json"
    page = path_of(address).partition("#")[0].rstrip("/")
    return f"data/provisions/{page.removeprefix('codes/')}.json"


def robots(site: str) -> str:
    """`robots.txt`: allows everything, and names the sitemap if the base URL is known."""
    return "User-agent: *\nAllow: /\n" + (f"Sitemap: {site}sitemap.xml\n" if site else "")


# --- a law --------------------------------------------------------------------------------------


def law_json(code: str, law: Entry, provisions: list[Entry], site: str = "") -> Entry:
    """A law with its provisions by address, as `schema/provisions.schema.json` describes it."""
    return {
        **law,
        "code": code,
        "licence": LICENCE,
        "url": site + path_of(law["address"]),
        "provisions": {p["address"]: provision_json(p, site) for p in provisions},
    }


def counterparts(address: Address) -> Entry:
    """The counterparts of a provision by code, each with its kind and the differences."""
    others = [c for c in book().ids if c != address.code]
    found = book().counterparts(address) or dict.fromkeys(others, ())
    return {
        code: [a._asdict() | {"differences": [d._asdict() for d in a.differences]} for a in answers]
        for code, answers in found.items()
    }


def provision_json(item: Entry, site: str = "") -> Entry:
    """A provision as in the lawbook, with its counterparts, irregularities, findings, citations and
    URL.
    """
    address = item["address"]
    return {
        **item,
        "counterparts": counterparts(Address(address)),
        "irregularities": irregularities_of().get(address, ()),
        "findings": findings_of().get(address, ()),
        **cited(address, site),
    }


def readings_json(code: str, readings: list[Entry], site: str = "") -> Entry:
    """The readings of a code by address."""
    found = {r["address"]: {**r, **cited(r["address"], site)} for r in readings}
    return {"code": code, "licence": LICENCE, "readings": found}


def cited(address: str, site: str) -> Entry:
    """The citations of an address by style, without the styles that have files of their own, and
    its URL.
    """
    styles = {style: cite(address, style, site) for style in STYLES if style not in FILES}
    return {"citations": styles, "url": site + path_of(address)}


# --- the page -----------------------------------------------------------------------------------


def data_page(made: Mapping[str, str | bytes]) -> str:
    """The page that documents the data: `docs/data.md` with the sizes and tables of the generated
    files filled in.
    """
    rows = environment().get_template("data_codes.md").render(data_path=data_path)
    words = {"LAWBOOK": megabytes({"": len(made["data/lawbook.json.gz"])}), "CODES": rows.strip()}
    page = (folder("docs") / "data.md").read_text("utf-8")
    for word, text in words.items():
        page = page.replace(f"<!-- {word} -->", text)
    return page
