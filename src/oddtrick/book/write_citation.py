"""Writes citations in the styles of `STYLES`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache

from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Author, Code, Law, Provision
from oddtrick.law.names import cited, is_our_numbering, law_words, path_of

MONTHS = (
    "January February March April May June July August September October November December".split()
)


def date_words(date: str) -> str:
    """An ISO date, possibly incomplete, in words: `1912`, `November 1912`, `5 April 1926`."""
    year, *rest = date.split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{int(rest[1])} {month}{year}" if len(rest) > 1 else f"{month}{year}"


def dated(code: Code) -> str:
    """The date of a code in words, and the day from which it is in force if that is later."""
    effective = f", in force from {date_words(code.effective)}" if code.effective else ""
    return date_words(code.date) + effective


def cite(address: str, style: str = "short", site: str = "") -> str:
    """A citation of an address in one of `STYLES`; `site` is the base URL of links.

    Raises `ValueError` for an unknown style, and `UnknownCode` for an unknown code.
    """
    return cite_all([address], style, site)


def cite_all(addresses: Iterable[str], style: str, site: str = "") -> str:
    """Several citations: one per line, entries separated by blank lines, or one JSON list."""
    if style not in STYLES:
        raise ValueError(f"there is no style `{style}`; the styles are {', '.join(STYLES)}")
    if style == "csl-json":
        return json.dumps([csl(a, site) for a in addresses], ensure_ascii=False, indent=2)
    between = "\n\n" if style in ("bibtex", "ris") else "\n"
    return between.join(WRITERS[style](_Entry(Address(a), site)) for a in addresses)


def restatement() -> str:
    """The version of the restatement cited: `Oddtrick, restatement 2026.11`."""
    return f"Oddtrick, restatement {book().vocabulary.restatement}"


def page_of(address: Address) -> str | None:
    """The page of the book for an address, or `None` if it is not recorded."""
    return _pages(address.code).get(address)


@cache
def _pages(name: str) -> dict[str, str]:
    """The page of each address: that of the first provision at or below it, or its law's."""
    code = book().code(name)
    items: list[Provision | Law] = [*code.provisions, *code.laws]
    found: dict[str, str] = {}
    for item in items:
        for above in item.address.beginnings if item.page else ():
            found.setdefault(f"{name}:{above}", item.page or "")
    return found


def authors(code: Code) -> str:
    """The authors of the book in which a code is printed: `Milton C. Work`."""
    return " and ".join(a.name for a in code.book.authors)


def open_copy(name: str) -> str | None:
    """The link to an open copy of the book in which a code is printed, or `None`."""
    copies = book().code(name).book.copies
    return copies[0].url if copies else None


class _Entry:
    """The fields of a citation, either of a part of a book or of the book itself (`is_part`).

    `of_code` is the title of the code, or empty if the book has the same title; `on` says that the
    pages are those of the whole law.
    """

    def __init__(self, address: Address, site: str) -> None:
        self.address, self.code = address, book().code(address.code)
        self.volume, self.is_part = self.code.book, self.code.book.reprint
        ours = " (our numbering)" if is_our_numbering(address) else ""
        self.passage = f", {law_words(address)}{ours}" if address.local else ""
        whole = self.is_part and not address.local and self.code.source.pages
        self.page, self.copy = page_of(address) or whole or "", open_copy(address.code)
        law = book().law(address)
        spans = law and law.address != address and "-" in self.page and self.page == law.page
        self.on = "law on " if spans else ""
        self.link = site + path_of(address)
        self.place = self.link if site else str(address)
        self.url = self.link if site else self.copy or ""
        self.of_code = self.code.title if self.code.title != self.volume.title else ""
        part = (self.of_code + self.passage).removeprefix(", ")
        self.title = part if self.is_part else self.volume.title
        self.people = self.volume.authors
        self.authors = (Author(literal=self.code.body),) if self.is_part else self.people
        self.restated = [f"the code dates from {dated(self.code)}"]
        self.restated += ["printed page not known"] if address.local and not self.page else []
        self.restated += ["the pages are those of the whole law"] if self.on else []
        self.restated += [f"{restatement()}, {address}"]
        self.restated += [f"open copy of the book: {self.copy}"] if site and self.copy else []
        self.notes = [part, *self.restated] if part and not self.is_part else self.restated

    def sentence(self, named: str, page: str) -> str:
        printed = ", ".join(filter(None, (named, page, self.copy)))
        return f"{printed}; restated in {restatement()}, {self.place}."


def _full(entry: _Entry) -> str:
    code, volume = entry.code, entry.volume
    printed = f"{authors(code)}, {volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    made = f"{code.title} ({code.body}, {dated(code)})"
    named = f"{made}{entry.passage}, in {printed}" if entry.is_part else printed + entry.passage
    page = f"{entry.on}{'pp' if '-' in entry.page else 'p'}. {entry.page}" if entry.page else ""
    return entry.sentence(named, page)


def _chicago(entry: _Entry) -> str:
    """A note in the style of The Chicago Manual of Style, without italics."""
    code, volume = entry.code, entry.volume
    titled = f", \u201c{code.title},\u201d {dated(code)}" if entry.of_code else ""
    own = titled + entry.passage
    printed = f"{volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    named = f"{authors(code)}, {printed}{own}"
    if entry.is_part:
        named = f"{code.body}{own}, in {authors(code)}, {printed}"
    return entry.sentence(named, entry.on + entry.page.replace("-", "\u2013"))


def _bibtex(entry: _Entry) -> str:
    volume = entry.volume

    def names(people: Iterable[Author]) -> str:
        each = (f"{{{a.literal}}}" if a.literal else a.inverted for a in people)
        return " and ".join(each).replace("&", "\\&")

    fields = {
        "author": names(entry.authors),
        "title": entry.title,
        "booktitle": volume.title if entry.is_part else "",
        "bookauthor": names(entry.people) if entry.is_part else "",
        "publisher": volume.publisher.replace("&", "\\&"),
        "address": volume.place,
        "year": volume.year,
        "pages": entry.page.replace("-", "--"),
        "url": entry.url,
        "note": "; ".join(entry.notes),
    }
    key = re.sub(r"[^a-z0-9]+", "-", entry.address).strip("-")
    head = f"@{'incollection' if entry.is_part else 'book'}{{{key},"
    return "\n".join([head, *(f"  {k} = {{{v}}}," for k, v in fields.items() if v), "}"])


def _ris(entry: _Entry) -> str:
    """A RIS record; `C2` is the author of the book in which a part is printed."""
    first, _, last = entry.page.partition("-")

    def names(people: Iterable[Author]) -> list[str]:
        # After a comma, RIS expects a given name.
        return [a.literal.partition(",")[0] or a.inverted for a in people]

    part = [("T2", entry.volume.title), *(("C2", name) for name in names(entry.people))]
    lines = (
        ("TY", "CHAP" if entry.is_part else "BOOK"),
        *(("AU", name) for name in names(entry.authors)),
        ("TI", entry.title),
        *(part if entry.is_part else ()),
        ("PB", entry.volume.publisher),
        ("CY", entry.volume.place),
        ("PY", str(entry.volume.year)),
        ("SP", first),
        ("EP", last),
        ("UR", entry.url),
        *(("N1", note) for note in entry.notes),
    )
    return "\n".join([*(f"{tag}  - {value}" for tag, value in lines if value), "ER  - "])


def csl(address: str, site: str = "") -> dict[str, object]:
    """A citation as one CSL-JSON item; `URL` is the page on the site, or else the open copy."""
    entry = _Entry(Address(address), site)
    code, volume, is_part = entry.code, entry.volume, entry.is_part

    def names(people: Iterable[Author]) -> list[dict[str, str]]:
        return [{part: name for part, name in a._asdict().items() if name} for a in people]

    notes = [entry.passage.removeprefix(", "), *entry.restated]
    item: dict[str, object] = {
        "id": str(address),
        "type": "chapter" if is_part else "book",
        "title": code.title if is_part else entry.title,
        "publisher": volume.publisher,
        "publisher-place": volume.place,
        "issued": {"date-parts": [[volume.year]]},
        "author": names(entry.authors),
        "note": "; ".join(filter(None, notes)),
    }
    if is_part:
        item |= {"container-title": volume.title, "container-author": names(entry.people)}
    return item | {k: v for k, v in (("page", entry.page), ("URL", entry.url)) if v}


WRITERS: dict[str, Callable[[_Entry], str]] = {
    "short": lambda entry: cited(entry.address),
    "full": _full,
    "chicago": _chicago,
    "markdown": lambda entry: f'[{cited(entry.address)}]({entry.link} "{restatement()}")',
    "bibtex": _bibtex,
    "ris": _ris,
    "link": lambda entry: entry.link,
}
"""The writer for each of `STYLES` except CSL-JSON, which `cite_all` writes as one list."""

STYLES = ("short", "full", "chicago", "markdown", "bibtex", "ris", "csl-json", "link")
