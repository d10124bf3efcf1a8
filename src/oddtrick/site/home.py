"""The home page of the site: the search, links to the other entry points, the purpose of the site,
and the codes on a timeline and in words.

`descent` draws the timeline; the descriptions and the descent of the codes are data of the codes.
"""

from __future__ import annotations

from oddtrick.site.code import restated, source_words
from oddtrick.site.descent import LEGEND, line_of_time
from oddtrick.site.template import page

NAME = "The laws of bridge, 1904 to 1927"

NUMBERS = "No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve".split()

DOORS = (
    ("check.md", "Check a hand", "A deal judged by the law of its year."),
    ("score.md", "What does it score?", "A contract, and its account with the laws."),
    ("rubber.md", "Keep a rubber", "Deal by deal, with the sheet as it grows."),
    ("compare/index.md", "Compare", "Two codes on any point, law beside law."),
)
"""The entry points besides the search: page, name, description."""


def home_page(checker: bool = True) -> str:
    """`index.md`; without a `checker`, it has no links to the pages that run Python.

    The anchors of an earlier home page (`the-codes-so-far`, `read-and-cite`, `build-on-it`) still
    exist.
    """
    return page(
        "home",
        "index.md",
        name=NAME,
        numbers=NUMBERS,
        drawing=line_of_time(),
        legend=LEGEND,
        doors=[
            (p.removesuffix("index.md").replace(".md", "/"), name, description)
            for p, name, description in DOORS
            if checker or p not in ("check.md", "rubber.md")
        ],
        restated=restated,
        source_words=source_words,
    )
