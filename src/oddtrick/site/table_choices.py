"""What can be chosen on the card table of "Check a hand": results, honours, games, and what is
asked about an irregularity.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from oddtrick.cards import PACK, SEATS, Side
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Figures, Honours, Result
from oddtrick.record.hand.write import figures_words, honours_words, result_words
from oddtrick.report.score_table import holdings
from oddtrick.rulings import answer

OFFENDER, RANK = "offender", "card-rank"
"""The facts that follow from the offending player and from the card."""

CARD = ("card", "card-or-not")
"""The objects of a demand for which the card must be known."""

Choices = list[tuple[str, str]]
"""Choices: each as a record writes it, with its label."""


def arises(name: str, code: str) -> bool:
    """Whether an irregularity can arise under a code, or, if `code` is empty, under any."""
    return not code or answer(name, code).kind != "absent"


@cache
def irregularity(name: str, code: str) -> dict[str, Any]:
    """What must be entered for an irregularity under a code, or, if `code` is empty, under any.

    `by` and `card` say whether the law depends on the player and on the card. `facts` has the
    questions with their answers. `remedies` maps each remedy as a record writes it to its words;
    `suited` lists those that need a suit. `chosen` says whether anyone has a choice.
    """
    item = book().irregularities.get(name)
    if item is None:
        return {"label": ""}
    found = [answer(name, c) for c in ([code] if code else judged_codes())]
    asked = {question.fact: question for a in found for question in a.questions}
    rulings = [r for a in found for r in ((a.ruling,) if a.ruling else a.possible)]
    given = [remedy for ruling in rulings for remedy in ruling.remedies]
    return {
        "label": item.label,
        "meaning": item.meaning,
        "by": OFFENDER in asked or any(r.chosen_by in _of_offender() or r.whose for r in given),
        "card": RANK in asked
        or any(e.id == "demand" and e.of in CARD for r in given for e in r.effects),
        "facts": {
            fact: (question.question, question.answers)
            for fact, question in asked.items()
            if fact not in (OFFENDER, RANK)
        },
        "remedies": {_written(r): r.words for r in given},
        "suited": [_written(r) for r in given if any(e.of == "suit" for e in r.effects)],
        "chosen": any(r.choice is not None or r.chosen_by != "nobody" for r in given),
    }


def _written(remedy: Remedy) -> str:
    """A remedy as a record writes it."""
    amount = "" if remedy.number is None else f"{remedy.number} "
    return amount + remedy.id.replace("-", " ")


@cache
def _of_offender() -> frozenset[str]:
    """The choosers that can be determined only if the offender is known."""
    unknown = Roles().choosers(None)
    return frozenset(c for c, seats in Roles().choosers(SEATS[0]).items() if seats != unknown[c])


@cache
def results() -> Choices:
    """The choices for the result: every number of tricks."""
    return [
        (result_words(Result("tricks", n)), str(n)) for n in range(len(PACK) // len(SEATS), -1, -1)
    ]


@cache
def honours() -> Choices:
    """The choices for honours: a side and a number, or their distribution over its two hands if
    a code counts that.
    """
    laws = map(book().rules, judged_codes())
    held = {h for law in laws for name in law.order() for h in holdings(law, name)}
    splits = sorted(
        {(0, 0), *((h.total, 0) for h in held), *((h.total, h.more or 0) for h in held)}
    )
    claims = [Honours(side, total, more or None) for side in Side for total, more in splits]
    return [
        (words, words.replace(c.side.word, f"{c.side.title}:", 1))
        for c in claims
        for words in [honours_words(c)]
    ]


@cache
def games() -> Choices:
    """The choices for the games that each side has won before the deal."""
    most = max(book().rules(code).value("games-in-rubber") or 0 for code in judged_codes())
    each = range(most // 2 + 1)
    return [standing(ns, ew) for ns, ew in product(each, each)]


def standing(ns: int, ew: int) -> tuple[str, str]:
    """A choice of figures for both sides: as a record writes them, and the label."""
    label = f"{Side.NS.title} {ns}, {Side.EW.title} {ew}" if ns or ew else "none"
    return figures_words(Figures(ns, ew)), label
