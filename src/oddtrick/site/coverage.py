"""What the codes were read in, and how much of them is here: the pages of sources and of coverage,
the tables of laws.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from oddtrick.book.compare import state_of, texts
from oddtrick.book.write_citation import cite
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Topic
from oddtrick.paths import folder
from oddtrick.site.checker import ASSETS, fetched
from oddtrick.site.documents import markdown
from oddtrick.site.template import LESS, Head, page

OWN_COPY = "own-copy.md"

TABLES = ("rulings-coverage", "scoring-coverage")
"""Documents that are tables of laws: on the site each law is a link."""

STATES = (("silent", "Silent"), ("does-not-arise", "Does not arise"))
"""How a code can be without a law on a topic."""

# --- sources -------------------------------------------------------------------------------------


def sources_page() -> str:
    """`sources.md`: the books, what stands where, how to attach one's own copy, the rule of own
    words.
    """
    authors = dict.fromkeys(a.family.lower() for c in book().codes for a in c.book.authors)
    return page(
        "sources",
        "sources.md",
        Head(
            "Sources",
            "The books that print the codes, and how to attach your own copy.",
            tags=authors,
        ),
        codes=book().codes,
        cite=cite,
        own_copy=fetched(),
        attaching=markdown(folder("docs") / "attaching-a-book.md"),
    )


def own_copy_pages(made: Mapping[str, str | bytes]) -> dict[str, str]:
    """`own-copy.md`, where the checker that it needs is among the pages that are made."""
    sizes = {n.rpartition("/")[2]: len(d) for n, d in made.items() if n.startswith(f"{ASSETS}/")}
    if not sizes:
        return {}
    head = Head(
        "Your own copy",
        "The printed words of a book that you have, beside the restatement, in your browser only.",
        boost=LESS,
        runs="python",
    )
    whole = f"{sum(sizes.values()) / 1e6:.1f} MB"
    codes = book().codes
    return {OWN_COPY: page("own_copy", OWN_COPY, head, codes=codes, files=sizes, whole=whole)}


# --- coverage -----------------------------------------------------------------------------------


class Numbers(NamedTuple):
    """How much of a code is here, in numbers; what is counted of so many has both.

    What rulings and scores reach is `None` for a code of which nobody has counted it.
    """

    laws: tuple[int, int]
    others: int
    provisions: int
    ruled: tuple[int, int] | None
    scored: tuple[int, int] | None
    readings: int
    findings: tuple[int, int]
    topics: tuple[int, int]


def coverage_page() -> str:
    """`coverage.md`: what is encoded, tested and silent, in numbers, and every topic without a law
    with the reason.
    """
    without = {code.id: untreated(code.id) for code in book().codes}
    return page(
        "coverage",
        "coverage.md",
        Head(
            "Coverage",
            "What is encoded, what is tested, and where the codes are silent.",
            "described",
            "navigation",
        ),
        codes=[(code, numbers(code, len(without[code.id]))) for code in book().codes],
        states=[
            (
                code,
                [
                    (words, [(t, reason) for t, s, reason in without[code.id] if s == state])
                    for state, words in STATES
                ],
            )
            for code in book().codes
        ],
    )


def numbers(code: Code, silent: int) -> Numbers:
    """A code in numbers; `silent` is on how many topics it has no law."""
    law, topics = book().rules(code.id), len(book().vocabulary.topics)
    numbered = sum(1 for n in code.laws if n.number.isdigit())
    return Numbers(
        (numbered, code.numbered_laws),
        len(code.laws) - numbered,
        len(code.provisions),
        counted("rulings-coverage", code.short),
        counted("scoring-coverage", code.short),
        len(code.readings),
        (len(law.behind), len(law.behind) + len(law.silent)),
        (topics - silent, topics),
    )


def untreated(code: str) -> list[tuple[Topic, str, str]]:
    """The topics without a law in force under a code, each with its state and the reason."""
    treated = {t for p in texts(code).values() for t in p.topics}
    states = [(t, state_of(code, t.id)) for t in book().vocabulary.topics if t.id not in treated]
    return [(t, found.state, found.reason) for t, found in states]


def counted(document: str, short: str) -> tuple[int, int] | None:
    """How many of how many provisions a table of laws reaches for a code, as the document says;
    `None` where it has no such code.
    """
    text = (folder("docs") / f"{document}.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(short)}\n+(\d+) of (\d+) provisions", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


# --- tables of laws -----------------------------------------------------------------------------


class Reached(NamedTuple):
    """A row of a table of laws: what reaches the law, in pieces of which some name an irregularity,
    or why nothing does.
    """

    address: Address
    pieces: tuple[tuple[str, str | None], ...]
    why: str


class Table(NamedTuple):
    """The table of one code: what the document says before it, what the second column is,
    the rows.
    """

    code: Code
    words: tuple[str, ...]
    head: str
    rows: tuple[Reached, ...]


def table_page(name: str) -> str:
    """A table of laws from `docs/`: for each law what reaches it, or why nothing does; all of them
    links.
    """
    title, intro, tables = _read(name)
    head = Head(title, f"{title}, law by law.", "not")
    return page("laws_table", f"{name}.md", head, title=title, intro=intro, tables=tables)


def _read(name: str) -> tuple[str, tuple[str, ...], list[Table]]:
    """A document that is a table of laws: its title, what it says first, the table of each code."""
    text = (folder("docs") / f"{name}.md").read_text("utf-8")
    first, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    title, _, intro = first.removeprefix("# ").partition("\n")
    codes = {code.short: code for code in book().codes}
    tables = []
    for part in parts:
        short, _, below = part.partition("\n")
        before, _, table = below.partition("\n| ")
        head = table.split(" | ")[1]
        tables.append(Table(codes[short], _paragraphs(before), head, _rows(codes[short], table)))
    return title, _paragraphs(intro), tables


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(p.split()) for p in text.split("\n\n") if p.strip())


def _rows(code: Code, table: str) -> tuple[Reached, ...]:
    """The rows of a table, each `| law | what reaches it, or - | if nothing, why |`."""
    found = re.findall(r"^\| `([^`]+)` \| ([^|]*) \| ?([^|]*?) ?\|$", table, re.MULTILINE)
    return tuple(
        Reached(Address(f"{code.id}:{number}"), () if words == "-" else tuple(_pieces(words)), why)
        for number, words, why in found
    )


def _pieces(words: str) -> Iterator[tuple[str, str | None]]:
    """Words in pieces: the labels of irregularities with their ids, and what stands between."""
    names, known, listed = _irregularities()
    if listed.fullmatch(words):
        for piece in known.split(words):
            yield piece, names.get(piece)
    else:
        yield words, None


@cache
def _irregularities() -> tuple[dict[str, str], re.Pattern[str], re.Pattern[str]]:
    """The irregularities by their labels, a pattern that finds one and one of a list of them."""
    names = {i.label: i.id for i in book().irregularities.values()}
    longest = sorted(names, key=len, reverse=True)  # a label may have a comma in it
    known = "|".join(map(re.escape, longest))
    listed = re.compile(rf"(?:(?:{known}|on penalties: [^,]*)(?:, |$))+")
    return names, re.compile(f"({known})"), listed
