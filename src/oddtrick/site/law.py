"""The page of each law: its provisions, with everything attached to each, and their counterparts in
the other codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar

from oddtrick.book.own_copies import printed
from oddtrick.book.silences import silences_beside, silences_near
from oddtrick.book.write_citation import authors, cite, restatement
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT, Code, Irregularity, Law, Provision, Ruling, Silence, Topic
from oddtrick.report.words import number_words
from oddtrick.site.markup import upper
from oddtrick.site.template import Head, page

Item = TypeVar("Item")

STYLE_WORDS = {"short": "Short", "full": "In full", "markdown": "Markdown", "link": "Link"}
"""The names of the citation styles on the page. Those for programs are in the law's data."""


class Way(NamedTuple):
    """A link to a neighbouring page: URL and words."""

    href: str
    words: str


class Answer(NamedTuple):
    """A counterpart of a provision in another code: its relation, where it is, what changed."""

    code: str
    kind: str
    addresses: tuple[Address, ...]
    changes: tuple[tuple[str, str, str], ...]
    pair: str


@dataclass(frozen=True, slots=True)
class Card:
    """A provision on the page of its law, with everything attached to its words and figures.

    `procedures` are label and choice, `references` how, as printed, addresses; `ties` label and
    addresses.
    """

    provision: Provision
    anchor: str
    heading: str
    procedures: tuple[tuple[str, str], ...]
    references: tuple[tuple[str, str, tuple[Address, ...]], ...]
    ties: tuple[tuple[str, tuple[Address, ...]], ...]
    disputes: tuple[Irregularity, ...]
    checks: tuple[str, ...]
    option: str | None
    topics: tuple[Topic, ...]
    answers: tuple[tuple[Answer, ...], ...]
    silences: tuple[Silence, ...]
    citations: tuple[tuple[str, str], ...]

    @property
    def ours(self) -> bool:
        """Whether the place within the law is numbered by us."""
        return self.provision.numbering == "ours" and bool(self.provision.at)

    @property
    def belongs(self) -> list[str]:
        """The contents of the folded row below the sentence, in words."""
        item = self.provision
        counted = (
            (len(item.variants), "edition"),
            (int(item.note is not None), "note"),
            (sum(len(to) for _, _, to in self.references) + len(item.cited_by), "reference"),
            (len(self.disputes), "dispute"),
            (len(self.topics), "topic"),
        )
        return [*(number_words(n, w) for n, w in counted if n), "the other codes", "how to cite it"]


def law_pages(site: str = "") -> dict[str, str]:
    """The page of every law of every code; `site` is the base URL for the citations."""
    return {
        f"codes/{code.id}/{law.number}.md": law_page(code, law, before, after, site)
        for code in book().codes
        for before, law, after in neighbours(code.laws)
    }


def neighbours(items: Sequence[Item]) -> Iterator[tuple[Item | None, Item, Item | None]]:
    """Each with the one before and the one after it."""
    return zip([None, *items[:-1]], items, [*items[1:], None], strict=True)


def law_page(code: Code, law: Law, before: Law | None, after: Law | None, site: str = "") -> str:
    """`codes/CODE/NUMBER.md`."""
    own = [p for p in code.provisions if p.law == law.address]
    name = law_name(law.number)
    return page(
        "law",
        f"codes/{code.id}/{law.number}.md",
        Head(f"{code.short}, {name}: {law.heading}", own[0].text, citation=cited_as(law)),
        code=code,
        law=law,
        name=name,
        authors=authors(code),
        restatement=restatement(),
        silent=SILENT,
        cards=[card(code, p, site) for p in own],
        near=silences_near(p.address for p in own),
        used=set[str](),
        printed=list(printed(code.id, law.number)),
        before=_way(before),
        after=_way(after),
    )


def cited_as(law: Law) -> dict[str, str]:
    """What the head of the page has for programs that cite it: the address, the date of the
    restatement, and the page of the book where it is known.
    """
    date = book().vocabulary.restatement.replace(".", "/")
    page = {"firstpage": law.page.partition("-")[0]} if law.page else {}
    return {"address": law.address, "date": date, **page}


def law_name(number: str) -> str:
    """`law 10`, `decision 6`, or the name of a passage without a number."""
    kind, _, rest = number.partition(".")
    return f"law {number}" if kind[0].isdigit() else f"{kind} {rest}".strip()


def _way(law: Law | None) -> Way | None:
    return Way(f"../{law.number}/", f"{law_name(law.number)}, {law.heading}") if law else None


def card(code: Code, item: Provision, site: str = "") -> Card:
    """A provision with everything attached to it."""
    local = item.address.local
    choices, topics = book().procedures, book().topics
    grouped: dict[tuple[str, str], list[Address]] = {}
    for ref in item.refs:
        grouped.setdefault((ref.how, ref.printed or ""), []).append(ref.to)
    return Card(
        item,
        item.at or "law",
        local if item.at else upper(law_name(local)),
        tuple((choices[k].label, choices[k].values[v]) for k, v in item.procedures.items()),
        tuple((how, words, tuple(to)) for (how, words), to in grouped.items()),
        (
            ("Cited by", item.cited_by),
            ("Displaces", item.displaces),
            ("Amends", item.amends),
            ("Displaced by", item.displaced_by),
            ("Rests on the reading", item.readings),
        ),
        tuple(book().irregularities[i] for i in irregularities_of().get(item.address, ())),
        findings_of().get(item.address, ()),
        next((o.label for o in code.options if o.id == item.option), None),
        tuple(topics[t] for t in item.topics),
        tuple(alike(answers(item.address, code.id))),
        silences_beside(item.address),
        tuple(
            (words, cite(item.address, style, site))
            for style, words in STYLE_WORDS.items()
            if site or style not in ("link", "markdown")
        ),
    )


# --- what belongs to it -------------------------------------------------------------------------


@cache
def irregularities_of() -> dict[str, tuple[str, ...]]:
    """For each address the irregularities whose rulings, or silence, rest on it."""
    found: dict[str, dict[str, None]] = {}
    for code in book().codes:
        for entry in code.entries:
            for law in _behind(entry.provisions, entry.rulings):
                found.setdefault(law, {})[entry.irregularity] = None
    return {a: tuple(v) for a, v in found.items()}


def _behind(own: Iterable[Address], rulings: Iterable[Ruling]) -> Iterator[Address]:
    """The laws that an entry rests on: its own, and those of its rulings."""
    yield from own
    for case in rulings:
        yield from (*case.provisions, *case.decisions, *(r.provision for r in case.remedies))


@cache
def findings_of() -> dict[str, tuple[str, ...]]:
    """For each address the findings of the checker that name it as the law behind them."""
    found: dict[str, dict[str, None]] = {}
    for code in book().codes:
        for rule, laws in code.findings.items():
            for law in laws:
                found.setdefault(law, {})[rule] = None
    return {a: tuple(v) for a, v in found.items()}


def answers(address: Address, own: str) -> Iterator[Answer]:
    """The counterparts of a provision in each other code."""
    relations, order = book().relations, book().by_date
    for theirs in (c for c in order if c != own):
        found = relations.stands(address, own, theirs)
        if [c.address for c in found] == [address]:
            continue  # in force under the code that extends its own, it answers itself
        pair = "--".join(sorted((own, theirs), key=order.index))
        for kind, shape in dict.fromkeys((c.kind, c.shape) for c in found):
            group = [c for c in found if (c.kind, c.shape) == (kind, shape)]
            changes = dict.fromkeys(
                (d.label, d.theirs, d.ours)
                for d in (d for c in group for d in c.differences if kind != "same")
            )
            label = book().kind_words(kind, shape)
            yield Answer(theirs, label, tuple(c.address for c in group), tuple(changes), pair)


def alike(found: Iterable[Answer]) -> Iterator[tuple[Answer, ...]]:
    """Answers of several codes that differ in the same way, together."""
    grouped: dict[object, list[Answer]] = {}
    for one in found:
        grouped.setdefault((one.kind, one.changes), []).append(one)
    yield from map(tuple, grouped.values())
