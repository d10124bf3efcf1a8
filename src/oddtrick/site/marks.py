"""The words that differ between two texts, for the pages that mark them on demand.

`book.compare.marked` finds them; a page receives their positions, so that its script does not have
to compare texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

from oddtrick.book.compare import Comparison, Run, marked

Places = list[tuple[int, int]]
"""Half-open ranges of word positions in a text: (first, one past the last)."""

Row = list[Places] | None
"""A row of two cards: the differing ranges in each, an empty list if the texts are the same, or
`None` if a card has no text in the row.
"""


@cache
def marks(left: str, right: str) -> tuple[Places, Places]:
    """For each of two texts, the positions of the words that differ from the other."""
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


# --- the cards of a topic -------------------------------------------------------------------------


def card_pairs(found: Comparison, groups: Sequence[Sequence[str]]) -> dict[str, list[Row]]:
    """The differences in each row for each pair of cards of a topic, by the indices of the cards
    (`0~2`); `groups` are the codes of each card.
    """
    texts = [
        [" ".join(text for _, text in row.cells.get(group[0], ())) for row in found.rows]
        for group in groups
    ]
    return {
        f"{i}~{j}": [_row(*pair) for pair in zip(texts[i], texts[j], strict=True)]
        for i, j in combinations(range(len(groups)), 2)
    }


def _row(left: str, right: str) -> Row:
    if not left or not right:
        return None
    return [] if left == right else [*marks(left, right)]
