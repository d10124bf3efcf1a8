"""The page of each law: its provisions, with everything attached to each, and their counterparts in
the other codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple, TypeVar

from oddtrick.book.own_copies import printed
from oddtrick.book.silences import silences_beside, silences_near
from oddtrick.book.write_citation import authors, cite, restatement
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Law, Provision, Reading, Ruling
from oddtrick.law.names import is_our_numbering, law_name
from oddtrick.site.lineage import pair_name
from oddtrick.site.template import page

Item = TypeVar("Item")


class Relation(NamedTuple):
    """How counterparts relate to a provision, in words, and the changes: label, theirs, ours."""

    words: str
    changes: tuple[tuple[str, str, str], ...] = ()


def law_pages(site: str = "") -> dict[str, str]:
    """A page for every law of every code; `site` is the base URL used in citations."""
    return {
        f"codes/{code.id}/{law.number}.md": law_page(code, law, before, after, site)
        for code in book().codes
        for before, law, after in neighbours(code.laws)
    }


def neighbours(items: Sequence[Item]) -> Iterator[tuple[Item | None, Item, Item | None]]:
    """Each item with its predecessor and successor: (before, item, after)."""
    return zip([None, *items[:-1]], items, [*items[1:], None], strict=True)


def law_page(code: Code, law: Law, before: Law | None, after: Law | None, site: str = "") -> str:
    """The page of a law, `codes/CODE/NUMBER.md`, with links to its neighbours."""
    own = [p for p in code.provisions if p.law == law.address]
    return page(
        "law",
        f"codes/{code.id}/{law.number}.md",
        code=code,
        law=law,
        provisions=own,
        before=before,
        after=after,
        law_name=law_name,
        is_our_numbering=is_our_numbering,
        authors=authors(code),
        restatement=restatement(),
        options={o.id: o.label for o in code.options},
        references=references,
        irregularities=irregularities_of(),
        findings=findings_of(),
        counterparts=counterparts,
        pair_name=pair_name,
        silences=silences_beside,
        near=silences_near(p.address for p in own),
        site=site,
        cite=lambda address, style: cite(address, style, site),
        used=set[str](),
        printed=list(printed(code.id, law.number)),
    )


# --- what belongs to a provision ----------------------------------------------------------------


def references(item: Provision) -> dict[tuple[str, str], list[Address]]:
    """The references of a provision, grouped by relation and by the printed words."""
    grouped: dict[tuple[str, str], list[Address]] = {}
    for ref in item.refs:
        grouped.setdefault((ref.how, ref.printed or ""), []).append(ref.to)
    return grouped


@cache
def irregularities_of() -> dict[str, tuple[str, ...]]:
    """By address, the irregularities whose entries (a ruling, or a silence) rest on it."""
    found: dict[str, dict[str, None]] = {}
    for code in book().codes:
        for entry in code.entries:
            for law in (*entry.provisions, *chain.from_iterable(map(laws_of, entry.rulings))):
                found.setdefault(law, {})[entry.irregularity] = None
    return {a: tuple(v) for a, v in found.items()}


def laws_of(ruling: Ruling) -> tuple[Address, ...]:
    """The laws on which a ruling rests."""
    remedies = (remedy.provision for remedy in ruling.remedies)
    return (*ruling.provisions, *ruling.decisions, *remedies)


@cache
def findings_of() -> dict[str, tuple[str, ...]]:
    """By address, the findings of the checker that rest on it."""
    found: dict[str, dict[str, None]] = {}
    for code in book().codes:
        for rule, laws in code.findings.items():
            for law in laws:
                found.setdefault(law, {})[rule] = None
    return {a: tuple(v) for a, v in found.items()}


def readings_on() -> dict[str, list[Reading]]:
    """The readings that concern the provisions of each topic that has any, by topic."""
    topics = book().topics_of_readings
    readings = [reading for code in book().codes for reading in code.readings]
    found = {t: [r for r in readings if t in topics[r.address]] for t in book().topics}
    return {topic: on for topic, on in found.items() if on}


def decided(code: Code) -> list[Law]:
    """The decided cases printed with a code, in order: passages that comment on its laws."""
    glosses = [k.id for k in code.passages if k.role == "gloss"]
    return [law for law in code.laws if law.number.partition(".")[0] in glosses]


def counterparts(address: Address, own: str) -> dict[Relation, list[tuple[str, list[Address]]]]:
    """The counterparts of a provision in the other codes, by code, grouped by how they relate to
    it; the provision itself for a code under which it is still in force.
    """
    relations = book().relations
    grouped: dict[Relation, list[tuple[str, list[Address]]]] = {}
    for theirs in (c for c in book().ids if c != own):
        found = relations.detailed_counterparts(address, own, theirs)
        if [c.address for c in found] == [address]:
            grouped.setdefault(Relation("in force there too"), []).append((theirs, [address]))
            continue  # under a code that extends its own
        for kind, shape in dict.fromkeys((c.kind, c.shape) for c in found):
            group = [c for c in found if (c.kind, c.shape) == (kind, shape)]
            differences = (d for c in group for d in c.differences if kind != "same")
            changes = dict.fromkeys((d.label, d.theirs, d.ours) for d in differences)
            relation = Relation(book().kind_words(kind, shape), tuple(changes))
            grouped.setdefault(relation, []).append((theirs, [c.address for c in group]))
    return grouped
