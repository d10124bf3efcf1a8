"""Citations written, in the styles that are asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from oddtrick.law.address import Address
from oddtrick.law.book import book, kept
from oddtrick.law.model import Code
from oddtrick.law.names import cited, law_words, path_of

STYLES = ("short", "full", "markdown", "bibtex", "csl-json", "link")

MONTHS = (
    "January February March April May June July August September October November December".split()
)


def date_words(date: str) -> str:
    """A date as the code gives it: `1912`, `November 1912`, `5 April 1926`."""
    year, *rest = date.split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{int(rest[1])} {month}{year}" if len(rest) > 1 else f"{month}{year}"


def page_words(pages: str) -> str:
    """`page 7`, `pages 7-8`."""
    return f"page{'s' if '-' in pages else ''} {pages}"


def cite(address: str, style: str = "short", site: str = "") -> str:
    """A citation of an address in one of `STYLES`; `site` is put before links.

    Raises `ValueError` for another style, `UnknownCode` for an address of no code.
    """
    own = Address(address)
    if style == "short":
        return cited(own)
    if style == "full":
        return _full(own)
    if style == "markdown":
        return f"[{cited(own)}]({site}{path_of(own)})"
    if style == "link":
        return site + path_of(own)
    if style == "bibtex":
        return _bibtex(own, site)
    if style == "csl-json":
        return json.dumps([csl(own, site)], ensure_ascii=False, indent=2)
    raise ValueError(f"no style {style}; there are {', '.join(STYLES)}")


def cite_all(addresses: Iterable[str], style: str, site: str = "") -> str:
    """Several citations as one text: a line each, entries with a blank line between, or one JSON
    list.
    """
    found = list(addresses)
    if style == "csl-json":
        return json.dumps([csl(a, site) for a in found], ensure_ascii=False, indent=2)
    return ("\n\n" if style == "bibtex" else "\n").join(cite(a, style, site) for a in found)


def page_of(address: Address) -> str | None:
    """The page of the book on which an address stands, where the data say it."""
    return _pages(address.code).get(address)


@kept
def _pages(name: str) -> dict[str, str]:
    """The page of every address of a code: of the first provision at or below it, else of its
    law.
    """
    code = book().code(name)
    paged = [(p.address, p.page) for p in code.provisions] + [
        (w.address, w.page) for w in code.laws
    ]
    found: dict[str, str] = {}
    for address, page in paged:
        above = str(address)
        while page and above:
            found.setdefault(above, page)
            above = above.rpartition(".")[0]
    return found


def _authors(code: Code, last_first: bool = False) -> str:
    shape = "{0.family}, {0.given}" if last_first else "{0.given} {0.family}"
    return " and ".join(shape.format(a) for a in code.book.authors)


def open_copy(name: str) -> str | None:
    """The link to an open copy of the book that a code is read in, where one is known."""
    copies = book().code(name).book.copies
    return copies[0].url if copies else None


def _full(address: Address) -> str:
    code = book().code(address.code)
    volume = code.book
    printed = (
        f"{_authors(code)}, {volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    )
    page, copy = page_of(address), open_copy(code.id)
    where = f", p. {page}" if page and "-" not in page else f", pp. {page}" if page else ""
    passage = f", {law_words(address)}" if address.local else ""
    seen = f", {copy}" if copy else ""
    if volume.reprint:
        made = f"{code.title} ({code.body}, {date_words(code.date)})"
        return f"{made}{passage}, in {printed}{where}{seen}."
    return f"{printed}{passage}{where}{seen}."


def _bibtex(address: Address, site: str) -> str:
    code = book().code(address.code)
    volume = code.book
    authors = _authors(code, last_first=True)
    passage = code.title + (f", {law_words(address)}" if address.local else "")
    page = site + path_of(address) if site else None
    copy = open_copy(code.id)
    notes = [
        f"oddtrick {address}",
        *([] if volume.reprint else [passage]),
        *([f"open copy of the book: {copy}"] if page and copy else []),
    ]
    fields = {
        "author": "{" + code.body + "}" if volume.reprint else authors,
        "title": passage if volume.reprint else volume.title,
        "booktitle": volume.title if volume.reprint else None,
        "editor": authors if volume.reprint else None,
        "publisher": volume.publisher.replace("&", "\\&"),
        "address": volume.place,
        "year": str(volume.year),
        "pages": (page_of(address) or "").replace("-", "--") or None,
        "url": page or copy,
        "note": "; ".join(notes),
    }
    key = re.sub(r"[^a-z0-9]+", "-", address).strip("-")
    head = f"@{'incollection' if volume.reprint else 'book'}{{{key},"
    return "\n".join([head, *(f"  {k} = {{{v}}}," for k, v in fields.items() if v), "}"])


def csl(address: str, site: str = "") -> dict[str, object]:
    """A citation as one CSL-JSON item; `URL` is the page of the site, or else the open copy."""
    own = Address(address)
    code = book().code(own.code)
    volume = code.book
    people = [{"family": a.family, "given": a.given} for a in volume.authors]
    item: dict[str, object] = {
        "id": str(own),
        "type": "chapter" if volume.reprint else "book",
        "title": code.title if volume.reprint else volume.title,
        "publisher": volume.publisher,
        "publisher-place": volume.place,
        "issued": {"date-parts": [[volume.year]]},
    }
    if volume.reprint:
        item |= {
            "author": [{"literal": code.body}],
            "container-title": volume.title,
            "editor": people,
        }
    else:
        item |= {"author": people}
    copy = open_copy(code.id)
    notes = [law_words(own)] if own.local else []
    if site and copy:
        notes.append(f"open copy of the book: {copy}")
    if notes:
        item["note"] = "; ".join(notes)
    page = page_of(own)
    if page:
        item["page"] = page
    if site or copy:
        item["URL"] = site + path_of(own) if site else copy
    return item
