"""Writes citations in each of `STYLES`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Law, Provision, Volume
from oddtrick.law.names import cited, law_words, path_of

MONTHS = (
    "January February March April May June July August September October November December".split()
)


def date_words(date: str) -> str:
    """A date as in the code's data: `1912`, `November 1912`, `5 April 1926`."""
    year, *rest = date.split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{int(rest[1])} {month}{year}" if len(rest) > 1 else f"{month}{year}"


def cite(address: str, style: str = "short", site: str = "") -> str:
    """A citation of an address in one of `STYLES`; `site` is put before links.

    Raises `ValueError` for another style, `UnknownCode` for an address of no code.
    """
    own = Address(address)
    if style not in STYLES:
        raise ValueError(f"no style {style}; there are {', '.join(STYLES)}")
    return WRITERS[style](own, site)


def cite_all(addresses: Iterable[str], style: str, site: str = "") -> str:
    """Several citations: lines, entries with a blank line between, or one JSON list."""
    found = list(addresses)
    if style == "csl-json":
        return json.dumps([csl(a, site) for a in found], ensure_ascii=False, indent=2)
    return ("\n\n" if style in ("bibtex", "ris") else "\n").join(
        cite(a, style, site) for a in found
    )


def restatement() -> str:
    """The restatement on which a citation rests, in words: `Oddtrick, restatement 2026.11`."""
    return f"Oddtrick, restatement {book().vocabulary.restatement}"


def page_of(address: Address) -> str | None:
    """The page of the book for an address, if the data state it."""
    return _pages(address.code).get(address)


@cache
def _pages(name: str) -> dict[str, str]:
    """The page of every address: of the first provision at or below it, else of its law."""
    code = book().code(name)
    items: list[Provision | Law] = [*code.provisions, *code.laws]
    found: dict[str, str] = {}
    for item in items:
        for above in item.address.beginnings if item.page else ():
            found.setdefault(f"{name}:{above}", item.page or "")
    return found


def authors(code: Code) -> str:
    """The authors of the book that a code is read in: `Milton C. Work`."""
    return " and ".join(f"{a.given} {a.family}" for a in code.book.authors)


def open_copy(name: str) -> str | None:
    """The link to an open copy of the book that a code is read in, where one is known."""
    copies = book().code(name).book.copies
    return copies[0].url if copies else None


def _passage(address: Address) -> str:
    return f", {law_words(address)}" if address.local else ""


def _url(address: Address, site: str) -> str | None:
    return site + path_of(address) if site else open_copy(address.code)


def _sentence(named: str, where: Iterable[str | None], address: Address, site: str) -> str:
    """A citation in words, with where it is printed, and where the restatement is."""
    at = site + path_of(address) if site else address
    printed = ", ".join([named, *filter(None, where)])
    return f"{printed}; restated in {restatement()}, {at}."


def _full(address: Address, site: str) -> str:
    code = book().code(address.code)
    volume, passage, page = code.book, _passage(address), page_of(address)
    printed = f"{authors(code)}, {volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    made = f"{code.title} ({code.body}, {date_words(code.date)})"
    named = f"{made}{passage}, in {printed}" if volume.reprint else f"{printed}{passage}"
    where = page and f"{'pp' if '-' in page else 'p'}. {page}"
    return _sentence(named, (where, open_copy(code.id)), address, site)


def _chicago(address: Address, site: str) -> str:
    """A note as The Chicago Manual of Style has it, without the marks of italics."""
    code = book().code(address.code)
    volume, page = code.book, (page_of(address) or "").replace("-", "\u2013")
    own = f"\u201c{code.title},\u201d {date_words(code.date)}{_passage(address)}"
    printed = f"{volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    named = f"{authors(code)}, {printed}, {own}"
    if volume.reprint:
        named = f"{code.body}, {own}, in {authors(code)}, {printed}"
    return _sentence(named, (page, open_copy(code.id)), address, site)


class _Entry(NamedTuple):
    """The fields of a citation: a part of another author's book, or the book itself."""

    part: bool
    title: str
    people: list[str]
    body: str
    volume: Volume
    page: str
    url: str
    notes: list[str]


def _entry(address: Address, site: str) -> _Entry:
    code, copy = book().code(address.code), open_copy(address.code)
    volume, passage = code.book, code.title + _passage(address)
    notes = [] if volume.reprint else [passage]
    notes.append(f"{restatement()}, {address}")
    notes += [f"open copy of the book: {copy}"] if site and copy else []
    people = [f"{a.family}, {a.given}" for a in volume.authors]
    title = passage if volume.reprint else volume.title
    page, url = page_of(address) or "", _url(address, site) or ""
    return _Entry(volume.reprint, title, people, code.body, volume, page, url, notes)


def _bibtex(address: Address, site: str) -> str:
    entry = _entry(address, site)
    people, volume = " and ".join(entry.people), entry.volume
    fields = {
        "author": f"{{{entry.body}}}" if entry.part else people,
        "title": entry.title,
        "booktitle": volume.title if entry.part else "",
        "editor": people if entry.part else "",
        "publisher": volume.publisher.replace("&", "\\&"),
        "address": volume.place,
        "year": volume.year,
        "pages": entry.page.replace("-", "--"),
        "url": entry.url,
        "note": "; ".join(entry.notes),
    }
    key = re.sub(r"[^a-z0-9]+", "-", address).strip("-")
    head = f"@{'incollection' if entry.part else 'book'}{{{key},"
    return "\n".join([head, *(f"  {k} = {{{v}}}," for k, v in fields.items() if v), "}"])


def _ris(address: Address, site: str) -> str:
    entry = _entry(address, site)
    first, _, last = entry.page.partition("-")
    part = [("T2", entry.volume.title), *(("A2", p) for p in entry.people)]
    return _tagged(
        ("TY", "CHAP" if entry.part else "BOOK"),
        *(("AU", name) for name in ([entry.body] if entry.part else entry.people)),
        ("TI", entry.title),
        *(part if entry.part else ()),
        ("PB", entry.volume.publisher),
        ("CY", entry.volume.place),
        ("PY", str(entry.volume.year)),
        ("SP", first),
        ("EP", last),
        ("UR", entry.url),
        *(("N1", note) for note in entry.notes),
    )


def _tagged(*lines: tuple[str, str]) -> str:
    return "\n".join([*(f"{tag}  - {value}" for tag, value in lines if value), "ER  - "])


def csl(address: str, site: str = "") -> dict[str, object]:
    """A citation as one CSL-JSON item; `URL` is the page of the site, or else the open copy."""
    own = Address(address)
    code, entry = book().code(own.code), _entry(own, site)
    people = [{"family": a.family, "given": a.given} for a in code.book.authors]
    passage = [law_words(own)] if own.local else []
    item: dict[str, object] = {
        "id": str(own),
        "type": "chapter" if entry.part else "book",
        "title": code.title if entry.part else entry.title,
        "publisher": entry.volume.publisher,
        "publisher-place": entry.volume.place,
        "issued": {"date-parts": [[entry.volume.year]]},
        "author": [{"literal": code.body}] if entry.part else people,
        "note": "; ".join([*passage, *entry.notes[not entry.part :]]),
    }
    if entry.part:
        item |= {"container-title": entry.volume.title, "editor": people}
    return item | {k: v for k, v in (("page", entry.page), ("URL", entry.url)) if v}


def for_managers(law: Law, site: str = "") -> tuple[str, list[dict[str, object]]]:
    """A law as two items, in RIS and in CSL-JSON: the web page that restates it, and the book."""
    title = f"{cited(law.address)}: {law.heading}"
    year, _, month = book().vocabulary.restatement.partition(".")
    url, note = site + path_of(law.address) if site else "", f"{restatement()}, {law.address}"
    head = (("TY", "ELEC"), ("AU", "Oddtrick"), ("TI", title), ("PY", year))
    page = _tagged(*head, ("DA", f"{year}/{month}//"), ("UR", url), ("N1", note))
    item: dict[str, object] = {
        "id": f"{law.address}-restated",
        "type": "webpage",
        "title": title,
        "author": [{"literal": "Oddtrick"}],
        "issued": {"date-parts": [[int(year), int(month)]]},
        "note": note,
        **({"URL": url} if url else {}),
    }
    return f"{page}\n\n{_ris(law.address, '')}\n", [item, csl(law.address)]


WRITERS: dict[str, Callable[[Address, str], str]] = {
    "short": lambda address, _: cited(address),
    "full": _full,
    "chicago": _chicago,
    "markdown": lambda a, site: f'[{cited(a)}]({site}{path_of(a)} "{restatement()}")',
    "bibtex": _bibtex,
    "ris": _ris,
    "csl-json": lambda a, site: json.dumps([csl(a, site)], ensure_ascii=False, indent=2),
    "link": lambda address, site: site + path_of(address),
}
"""How each of `STYLES` is written, from the address and the site."""

STYLES = tuple(WRITERS)  # the styles of a citation
