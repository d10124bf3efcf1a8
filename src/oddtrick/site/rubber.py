"""The page "Keep a rubber": deals are written down one by one, and the sheet grows.

Python in the reader's browser (`kept`, by the worker of "Check a hand") judges and draws; the page
keeps the record on the machine, and puts together the sentence in which a deal is told.
"""

from __future__ import annotations

from collections.abc import Mapping

from oddtrick.cards import Seat
from oddtrick.judge.procedures import may_double
from oddtrick.judge.score_table import MOST_DOUBLED, chicanes, holdings
from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Rules
from oddtrick.report.words import doubled_words
from oddtrick.site.calculator import honour_words, key
from oddtrick.site.checker import ASSETS
from oddtrick.site.template import Head, page

CHICANE = (
    ("", "none"),
    ("chicane", "the declaring side"),
    ("chicane against", "the adversaries"),
    ("double chicane", "the declaring side, double"),
    ("double chicane against", "the adversaries, double"),
)
"""What the sentence of a deal says of chicane, and how it is chosen."""


def rubber_pages(made: Mapping[str, str | bytes]) -> dict[str, str]:
    """`rubber.md`, where the checker that it needs is among the pages that are made."""
    sizes = {n.rpartition("/")[2]: len(d) for n, d in made.items() if n.startswith(f"{ASSETS}/")}
    if not sizes:
        return {}
    laws = [law for law in map(book().rules, judged_codes()) if law.value("games-in-rubber")]
    names = book().denominations
    held = dict.fromkeys(h for law in laws for d in law.order() for h in holdings(law, d))
    return {
        "rubber.md": page(
            "rubber",
            "rubber.md",
            Head(
                "Keep a rubber",
                "A rubber kept deal by deal under one of the codes, with the sheet as it grows, "
                "printed with names and saved as a record.",
                hide="navigation, toc",
                runs="python",
            ),
            codes=[book().code(law.code) for law in laws],
            denominations=[d for d in names.values() if any(d.id in law.order() for law in laws)],
            numbers=sorted({n for law in laws for n in _numbers(law)}),
            doubled=[(doubled_words(n).strip(), n) for n in range(MOST_DOUBLED + 1)],
            seats=[s.title for s in Seat],
            tricks=range(laws[0].value("hand-size"), -1, -1),
            honours=[(key(h), honour_words(h)) for h in held],
            chicane=CHICANE,
            facts={"files": sizes, "codes": {law.code: _offered(law) for law in laws}},
            whole=f"{sum(sizes.values()) / 1e6:.1f} MB",
        )
    }


def _numbers(law: Rules) -> range:
    limits = law.value("bid-range")
    return range(limits["least"], limits["most"] + 1) if limits else range(0)


def _offered(law: Rules) -> dict[str, object]:
    """What a code has to choose from, in the order of the controls of the page."""
    names = law.order()
    return {
        "number": [str(n) for n in _numbers(law)],
        "denomination": [book().denominations[n].label for n in names],
        "doubled": [
            doubled_words(n).strip()
            for n in range(MOST_DOUBLED + 1)
            if not n or any(may_double(n - 1, name, law) for name in names)
        ],
        "honours": bool({h for n in names for h in holdings(law, n)}),
        "chicane": any(len(chicanes(law, n)) > 1 for n in names),
    }
