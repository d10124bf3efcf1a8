"""What the search of a page knows beside the theme's index: the words that say nothing, those that
players say, how a code is called, and what each word says of each law (`book.search.law_table`).

The page (`assets/search.js`) sums it and puts the laws that answer a question first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from oddtrick.book.search import STOP, law_table
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from oddtrick.rulings import finder
from oddtrick.site.law import asked_by


def finder_data() -> str:
    """`assets/finder.json`: what the finder of disputes needs (`rulings.finder.table`), which
    `assets/finder.js` sums as the command does.
    """
    return json.dumps(finder.table(), separators=(",", ":"), ensure_ascii=False) + "\n"


QUARTERS = 4
"""A score is told in quarters of a point."""


def search_data() -> str:
    """`assets/search-words.json`.

    `stop`: words that say nothing; `say`: a player's word or phrase, with the laws' words for it;
    `codes`: each code with the words by which it is called, its base, and whether it is an
    ancestor; `laws`: their pages; `rules`: for each law the parallels that hold a provision of it;
    `figures`: whether it has one; `words`: words that say the same, and how far each law is from
    the one before, with its score, by turns.
    """
    table = law_table()
    laws = [law.address for code in book().codes for law in code.laws]
    figures = {p.law for code in book().codes for p in code.provisions if p.figures}
    told = {
        "stop": sorted(STOP),
        "say": {w: list(s.say) for s in book().vocabulary.synonyms for w in s.words},
        "codes": [
            {
                "id": c.id,
                "words": list(dict.fromkeys([*c.id.split("-"), *asked_by(c.id)])),
                "base": c.extends or "",
                "ancestor": int(c.ancestor),
            }
            for c in book().codes
        ],
        "laws": [path_of(law) for law in laws],
        "rules": _rules(laws),
        "figures": [int(law in figures) for law in laws],
        "words": _lists(table, {law: n for n, law in enumerate(laws)}),
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False) + "\n"


def _rules(laws: Sequence[Address]) -> list[list[int]]:
    """For each law the parallels, by number, that hold a provision of it."""
    number = {rule.id: n for n, rule in enumerate(book().relations.all)}
    held: dict[Address, set[int]] = {law: set() for law in laws}
    for provision in (p for code in book().codes for p in code.provisions):
        held[provision.law] |= {
            number[r.id] for r in book().relations.of.get(provision.address, [])
        }
    return [sorted(held[law]) for law in laws]


def _lists(
    table: Mapping[str, Mapping[Address, float]], number: Mapping[Address, int]
) -> dict[str, list[int]]:
    """The scores of the words, those of words that score alike as one."""
    alike: dict[tuple[int, ...], list[str]] = {}
    for word, scores in table.items():
        found: list[int] = []
        last = 0
        for law in sorted(scores, key=lambda law: number[law]):
            found += [number[law] - last, round(scores[law] * QUARTERS)]
            last = number[law]
        alike.setdefault(tuple(found), []).append(word)
    return {" ".join(words): list(found) for found, words in alike.items()}
