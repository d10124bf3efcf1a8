"""Citations written, in the styles that are asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache

from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Law
from oddtrick.law.names import cited, law_words, path_of

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

    All but the name of the law (`short`) and the bare link say on which restatement they rest.
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
    """The page of the book on which an address stands, where the data say it."""
    return _pages(address.code).get(address)


@cache
def _pages(name: str) -> dict[str, str]:
    """The page of every address: of the first provision at or below it, else of its law."""
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


def authors(code: Code, last_first: bool = False) -> str:
    """Who wrote the book that a code is read in: `Milton C. Work`, or `Work, Milton C.`."""
    shape = "{0.family}, {0.given}" if last_first else "{0.given} {0.family}"
    return " and ".join(shape.format(a) for a in code.book.authors)


def open_copy(name: str) -> str | None:
    """The link to an open copy of the book that a code is read in, where one is known."""
    copies = book().code(name).book.copies
    return copies[0].url if copies else None


def _restated(address: Address, site: str) -> str:
    """Where the restatement of an address is: `restated in Oddtrick, restatement 2026.11, URL`."""
    return f"restated in {restatement()}, {site + path_of(address) if site else address}"


def _full(address: Address, site: str) -> str:
    code = book().code(address.code)
    volume = code.book
    printed = f"{authors(code)}, {volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    page, copy = page_of(address), open_copy(code.id)
    where = f", p. {page}" if page and "-" not in page else f", pp. {page}" if page else ""
    passage = f", {law_words(address)}" if address.local else ""
    made = f"{code.title} ({code.body}, {date_words(code.date)})"
    named = f"{made}{passage}, in {printed}" if volume.reprint else f"{printed}{passage}"
    seen = f", {copy}" if copy else ""
    return f"{named}{where}{seen}; {_restated(address, site)}."


def _chicago(address: Address, site: str) -> str:
    """A note as The Chicago Manual of Style has it, without the marks of italics."""
    code = book().code(address.code)
    volume = code.book
    page, copy = (page_of(address) or "").replace("-", "\u2013"), open_copy(code.id)
    passage = f", {law_words(address)}" if address.local else ""
    own = f"\u201c{code.title},\u201d {date_words(code.date)}{passage}"
    printed = f"{volume.title} ({volume.place}: {volume.publisher}, {volume.year})"
    named = (
        f"{code.body}, {own}, in {authors(code)}, {printed}"
        if volume.reprint
        else f"{authors(code)}, {printed}, {own}"
    )
    rest = [page] if page else []
    rest += [copy] if copy else []
    return f"{', '.join([named, *rest])}; {_restated(address, site)}."


def _markdown(address: Address, site: str) -> str:
    return f'[{cited(address)}]({site}{path_of(address)} "{restatement()}")'


def _notes(address: Address, site: str) -> list[str]:
    """What no field has: the address with the restatement, and the open copy beside the page."""
    copy = open_copy(address.code)
    named = [f"{restatement()}, {address}"]
    return [*named, *([f"open copy of the book: {copy}"] if site and copy else [])]


def _bibtex(address: Address, site: str) -> str:
    code = book().code(address.code)
    volume = code.book
    people = authors(code, last_first=True)
    passage = code.title + (f", {law_words(address)}" if address.local else "")
    fields = {
        "author": "{" + code.body + "}" if volume.reprint else people,
        "title": passage if volume.reprint else volume.title,
        "booktitle": volume.title if volume.reprint else None,
        "editor": people if volume.reprint else None,
        "publisher": volume.publisher.replace("&", "\\&"),
        "address": volume.place,
        "year": str(volume.year),
        "pages": (page_of(address) or "").replace("-", "--") or None,
        "url": _url(address, site),
        "note": "; ".join([*([] if volume.reprint else [passage]), *_notes(address, site)]),
    }
    key = re.sub(r"[^a-z0-9]+", "-", address).strip("-")
    head = f"@{'incollection' if volume.reprint else 'book'}{{{key},"
    return "\n".join([head, *(f"  {k} = {{{v}}}," for k, v in fields.items() if v), "}"])


def _ris(address: Address, site: str) -> str:
    """An entry of RIS, as reference managers read it: a tag of two letters a line."""
    code = book().code(address.code)
    volume = code.book
    passage = code.title + (f", {law_words(address)}" if address.local else "")
    first, _, last = (page_of(address) or "").partition("-")
    people = [f"{a.family}, {a.given}" for a in volume.authors]
    lines = [
        ("TY", "CHAP" if volume.reprint else "BOOK"),
        *([("AU", code.body)] if volume.reprint else [("AU", p) for p in people]),
        ("TI", passage if volume.reprint else volume.title),
        *([("T2", volume.title), *(("A2", p) for p in people)] if volume.reprint else []),
        ("PB", volume.publisher),
        ("CY", volume.place),
        ("PY", str(volume.year)),
        ("SP", first),
        ("EP", last),
        ("UR", _url(address, site) or ""),
        *([] if volume.reprint else [("N1", passage)]),
        *(("N1", note) for note in _notes(address, site)),
    ]
    return "\n".join([*(f"{tag}  - {value}" for tag, value in lines if value), "ER  - "])


def _url(address: Address, site: str) -> str | None:
    """The page of the site, or else the open copy."""
    return site + path_of(address) if site else open_copy(address.code)


def csl(address: str, site: str = "") -> dict[str, object]:
    """A citation as one CSL-JSON item; `URL` is the page of the site, or else the open copy."""
    own = Address(address)
    code = book().code(own.code)
    volume = code.book
    people = [{"family": a.family, "given": a.given} for a in volume.authors]
    passage = [law_words(own)] if own.local else []
    item: dict[str, object] = {
        "id": str(own),
        "type": "chapter" if volume.reprint else "book",
        "title": code.title if volume.reprint else volume.title,
        "publisher": volume.publisher,
        "publisher-place": volume.place,
        "issued": {"date-parts": [[volume.year]]},
        "author": [{"literal": code.body}] if volume.reprint else people,
        "note": "; ".join([*passage, *_notes(own, site)]),
    }
    if volume.reprint:
        item |= {"container-title": volume.title, "editor": people}
    page, url = page_of(own), _url(own, site)
    return item | ({"page": page} if page else {}) | ({"URL": url} if url else {})


def for_managers(law: Law, site: str = "") -> tuple[str, list[dict[str, object]]]:
    """A law as two items for reference managers, in RIS and in CSL-JSON: the restatement, a web
    page that restates a book, and the book.
    """
    title = f"{cited(law.address)}: {law.heading}"
    year, _, month = book().vocabulary.restatement.partition(".")
    url, note = site + path_of(law.address) if site else "", f"{restatement()}, {law.address}"
    lines = [
        ("TY", "ELEC"),
        ("AU", "Oddtrick"),
        ("TI", title),
        ("PY", year),
        ("DA", f"{year}/{month}//"),
        ("UR", url),
        ("N1", note),
    ]
    page = "\n".join([*(f"{tag}  - {value}" for tag, value in lines if value), "ER  - "])
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
    "markdown": _markdown,
    "bibtex": _bibtex,
    "ris": _ris,
    "csl-json": lambda address, site: json.dumps(
        [csl(address, site)], ensure_ascii=False, indent=2
    ),
    "link": lambda address, site: site + path_of(address),
}
"""How each of `STYLES` is written, from the address and the site."""

STYLES = tuple(WRITERS)
"""The styles of a citation."""
