"""The page "Keep a rubber": the reader enters one deal after another, and the score sheet grows.

Python in the reader's browser (`rubber_text`, in the worker of "Check a hand") judges the deals and
draws the sheet. The page stores the record in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping

from oddtrick.cards import Seat
from oddtrick.judge.procedures import may_double
from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Rules
from oddtrick.report.score_table import MOST_DOUBLED, chicanes, holdings, honour_name, honour_words
from oddtrick.report.words import doubled_words
from oddtrick.site.calculator import choices, numbers
from oddtrick.site.template import page


def rubber_pages(files: Mapping[str, int]) -> dict[str, str]:
    """`rubber.md`, with the sizes of the files that the page fetches; empty without these files."""
    if not files:
        return {}
    laws = [law for law in map(book().rules, judged_codes()) if law.value("games-in-rubber")]
    return {
        "rubber.md": page(
            "rubber",
            "rubber.md",
            codes=[book().code(law.code) for law in laws],
            choices=choices(laws),
            seats=[s.title for s in Seat],
            tricks=range(laws[0].value("hand-size"), -1, -1),
            files=files,
            offered={law.code: _offered(law) for law in laws},
        )
    }


def _offered(law: Rules) -> dict[str, object]:
    """The choices that a code offers in each control of the page, in order. For honours, the name
    of the control is followed by the denomination.
    """
    names, made = law.order(), law.get("making") is not None
    return {
        "made": made,
        "declarer": "Dealer, who plays the hand" if made else "Declarer",
        "words": f"{'' if made else '4 '}hearts doubled by South, 11 tricks",
        "number": [str(n) for n in numbers(law) if n],
        "denomination": [book().denominations[n].label for n in names],
        "doubled": [
            doubled_words(n).strip()
            for n in range(MOST_DOUBLED + 1)
            if not n or any(may_double(n - 1, name, law) for name in names)
        ],
        "honours": {
            book().denominations[n].label: [
                f"{honour.capitalize()}s",
                f"no {honour}s",
                *(honour_words(h, honour) for h in held),
            ]
            for n in names
            if (held := holdings(law, n))
            for honour in [honour_name(law, n)]
        },
        "chicane": [book().denominations[n].label for n in names if len(chicanes(law, n)) > 1],
    }
