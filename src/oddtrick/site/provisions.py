"""The data of the page that compares any two provisions, so that its script only has to look up
differences: `compare/ONE--OTHER.json` has the words that differ between provisions of two codes
that belong to the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, combinations, product

from oddtrick.book.compare import Run, marked
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.site.template import json_file

Places = list[tuple[int, int]]
"""Half-open ranges of word positions in a text: (first, one past the last)."""


def provisions_files() -> dict[str, str]:
    """`compare/ONE--OTHER.json` for every pair of codes, the earlier first."""
    return {
        f"compare/{one}--{other}.json": json_file(dict(joined(one, other)))
        for one, other in combinations(book().ids, 2)
    }


# --- what there is to compare ---------------------------------------------------------------------


def addresses(code: Code) -> dict[str, str]:
    """Every address of a provision, or of a law or paragraph that contains provisions, with their
    text: `26.g` has the text of 26.g.1 to 26.g.3.
    """
    found: dict[str, list[str]] = {}
    for provision in code.provisions:
        for address in _above(provision.address):
            found.setdefault(address, []).append(provision.text)
    return {address: " ".join(texts) for address, texts in found.items()}


def joined(one: str, other: str) -> Iterator[tuple[str, tuple[Places, Places]]]:
    """Pairs of addresses in two codes that belong to the same rule and differ in text: `A~B` and
    the positions of the differing words.
    """
    mine, theirs = (addresses(book().code(code)) for code in (one, other))
    sides = (
        [[a for m in rule.members.get(code, ()) for a in _above(m)] for code in (one, other)]
        for rule in book().relations.all
    )
    for left, right in dict.fromkeys(chain.from_iterable(product(*side) for side in sides)):
        if mine[left] != theirs[right]:
            yield f"{left}~{right}", marks(mine[left], theirs[right])


def _above(address: Address) -> list[str]:
    """An address, preceded by the addresses of the law and of the paragraph that contain it."""
    steps = address.local.split(".")
    return [f"{address.code}:{'.'.join(steps[:end])}" for end in range(1, len(steps) + 1)]


@cache
def marks(left: str, right: str) -> tuple[Places, Places]:
    """For each of two texts, the positions of the words that differ from the other, so that the
    script of a page does not have to compare texts.
    """
    one, other = marked(left, right)
    return _places(one), _places(other)


def _places(runs: Iterable[Run]) -> Places:
    found, at = [], 0
    for differs, words in runs:
        end = at + len(words.split())
        if differs:
            found.append((at, end))
        at = end
    return found
