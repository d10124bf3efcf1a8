"""Which words of two texts differ, for the pages that mark them when a reader asks.

The words are those of `book.compare.marked`; a page is given their places, so that it compares
nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations

from markupsafe import Markup

from oddtrick.book.compare import Comparison, Run, marked
from oddtrick.law.book import book

Places = list[tuple[int, int]]
"""Stretches of the words of a text, from the first word of each to the one after its last."""

Row = int | tuple[Places, Places]
"""A row of two cards: `EMPTY`, `ONE`, `SAME`, or the places of what differs in each."""

EMPTY, ONE, SAME = range(3)
"""Neither card has anything in the row; only one has, or one card is shown; both have the same
words.
"""


@cache
def marks(left: str, right: str) -> tuple[Places, Places]:
    """The places of the words that only one of two texts has, in each."""
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


def choices(topic: str, found: Comparison, groups: Sequence[Sequence[str]]) -> dict[str, object]:
    """What a topic's page needs to show two codes alone; `groups` are the codes of each of its
    cards.

    `rows` has for the places of one or two cards (`0~2`) a `Row` for each row of the topic. `pairs`
    has for every two codes (`CODE~CODE`) the places of their `cards`, the `first` code's among
    them, the key of their `rows` (none where both stand on one card), and what is `said` of them,
    in HTML.
    """
    texts = [[_text(row.cells.get(group[0], ())) for row in found.rows] for group in groups]
    rows: dict[str, list[Row]] = {"": [EMPTY for _ in found.rows]}
    for i, own in enumerate(texts):
        rows[str(i)] = [ONE if text else EMPTY for text in own]
    for i, j in combinations(range(len(groups)), 2):
        rows[f"{i}~{j}"] = [_row(a, b) for a, b in zip(texts[i], texts[j], strict=True)]
    place = {code: i for i, group in enumerate(groups) for code in group}
    pairs = {}
    for one, other in permutations(found.codes, 2):
        sides = [place[c] for c in (one, other) if c in place]
        cards = sorted(set(sides))
        shared = len(cards) < len(sides)
        key = "~".join(map(str, cards))
        if shared:
            said = Markup("{} and {} have one and the same law on this.").format(
                *_names(one, other)
            )
        elif len(cards) < 2:
            said = Markup("Only one of the two" if cards else "Neither") + " has law on this."
        else:
            wholly = any(map(whole, *(texts[card] for card in cards)))
            said = _said(topic, one, other, rows[key].count(SAME), wholly)
        pairs[f"{one}~{other}"] = {
            "cards": cards,
            "first": place.get(one),
            "rows": None if shared else key,
            "said": said,
        }
    return {"pairs": pairs, "rows": rows}


def _text(cell: Iterable[tuple[str, str]]) -> str:
    return " ".join(text for _, text in cell)


def _row(left: str, right: str) -> Row:
    if left and right:
        return SAME if left == right else marks(left, right)
    return ONE if left or right else EMPTY


def _said(topic: str, one: str, other: str, same: int, wholly: bool) -> Markup:
    """What the marks of two codes mean, and how many rules are the same."""
    pair = "--".join(sorted((one, other), key=book().by_date.index))
    return Markup(
        "<del>dashed</del> only in {}; <ins>solid</ins> only in {}{}{}. "
        '<a href="../../compare/{}/#{}">The page of the two</a>'
    ).format(
        *_names(one, other),
        "; an edge alone: hardly a word alike" if wholly else "",
        f". The same in both: {'one rule' if same == 1 else f'{same} rules'}" if same else "",
        pair,
        topic,
    )


def whole(left: str, right: str) -> bool:
    """Whether two texts have hardly a word alike, so that each is marked as a whole."""
    return bool(left and right) and marks(left, right)[0] == [(0, len(left.split()))]


def _names(*codes: str) -> list[str]:
    return [book().code(code).short for code in codes]
