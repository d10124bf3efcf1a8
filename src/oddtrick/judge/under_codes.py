"""One deal under every code.

Its cards, final declaration and tricks, scored wherever a code can express them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NotRequired, TypedDict

from oddtrick.judge.account import account
from oddtrick.judge.answers import ScoreJson
from oddtrick.judge.check import Check
from oddtrick.judge.contract_words import facts_under, final_of, presumed, read_contract, understood
from oddtrick.judge.play import whole_hands
from oddtrick.judge.procedures import Final, may_double
from oddtrick.judge.score_procedures import LOVE, Account
from oddtrick.judge.words import missing_words
from oddtrick.judge.written_score import RULE_OF_ITEM, facts_of
from oddtrick.law.book import book, judged_codes
from oddtrick.law.reading_choices import bearing
from oddtrick.law.rules import Rules

CIRCUMSTANCES = (
    "Every code scores it at love (where it has a rubber), without options and without penalties; "
    "spades are not royal spades."
)
"""What is alike under all the codes, so that only they differ.

Nothing of it is taken from the record.
"""


ITEMS = tuple(RULE_OF_ITEM)
"""The kinds of entry, in the order in which codes are compared."""


@dataclass(frozen=True, slots=True)
class Under:
    """A deal under one code: its account, or why the code cannot express it."""

    code: str
    short: str
    account: Account | None
    why: str | None


def _judged() -> tuple[str, ...]:
    """The codes that are judged and not ancestors."""
    return tuple(c for c in judged_codes() if c in book().principal)


def compare(
    check: Check, codes: Iterable[str] | None = None, readings: Iterable[str] = ()
) -> ComparisonJson:
    """The deal of a check under several codes (all by default), each in the same `CIRCUMSTANCES`.

    The declaration and the tricks are those of the check. A code that cannot express them says why.
    Each of the chosen `readings` holds in the codes on which it bears.
    """
    chosen = tuple(readings)
    under = [_row(_under(check, code, chosen)) for code in (codes or _judged())]
    return {"id": check.source.id, "under": under, "part_first_at": parting(under)}


def _under(check: Check, code: str, readings: tuple[str, ...]) -> Under:
    law = book().rules(code, bearing(readings, book().chain(code)))
    final = check.final
    if final is None or final.declarer is None:
        return Under(code, law.short, None, "the final declaration or the declarer is not known")
    if check.outcome is None or check.outcome.taken is None:
        return Under(code, law.short, None, "the number of tricks is not known")
    why = cannot(final, law)
    if why:
        return Under(code, law.short, None, why)
    turned = replace(final, odd_tricks=0 if law.has("making") else final.odd_tricks)
    hands = whole_hands(check.source, law)
    facts = facts_of(check.source, law, turned, check.outcome, hands, LOVE)
    return Under(code, law.short, account(facts, law), None)


def cannot(final: Final, law: Rules) -> str | None:
    """Why a code cannot express a final declaration; `None` where it can."""
    if law.denomination(final.denomination) is None:
        found = book().denominations.get(final.denomination)
        return f"it has no {found.label if found else final.denomination}"
    if final.bridged and not law.has("bridging"):
        return "the play cannot be passed to the partner"
    if not final.odd_tricks and not law.has("making"):
        return "no number of tricks was declared"
    if final.doubled and not may_double(final.doubled - 1, final.denomination, law):
        return f"nothing is doubled {final.doubled} times"
    return None


class UnderScoreJson(ScoreJson):
    """An account under one code, with the facts that it lacks in words."""

    missing: list[str]


class UnderJson(TypedDict):
    """A deal under one code: its account, or why the code cannot express it."""

    code: str
    options: NotRequired[list[str]]
    why: str | None
    score: UnderScoreJson | None


class PartingJson(TypedDict):
    """The kind of entry at which codes part, and the balance of each by its short name."""

    item: str
    balance: dict[str, int]


class ComparisonJson(TypedDict):
    """One deal under several codes."""

    id: str
    under: list[UnderJson]
    part_first_at: PartingJson | None


class ContractJson(TypedDict):
    """A contract told in words: as it was understood, what was presumed, and what it scores."""

    told: str
    understood: str
    presumed: list[str]
    under: list[UnderJson]


def _row(row: Under) -> UnderJson:
    score: UnderScoreJson | None = None
    if row.account:
        account = row.account.as_json()
        score = {**account, "missing": missing_words(account["lacks"])}
    return {"code": row.code, "why": row.why, "score": score}


def parting(rows: Iterable[UnderJson]) -> PartingJson | None:
    """The first kind of entry in which the codes that can express the deal differ, and its points
    for the declaring side's balance."""
    told = [(book().code(r["code"]).short, r["score"]["entries"]) for r in rows if r["score"]]
    for item in ITEMS:
        points = {
            short: sum(
                e["points"] if e["side"] == "NS" else -e["points"]
                for e in entries
                if e["item"] == item
            )
            for short, entries in told
        }
        if len(set(points.values())) > 1:
            return {"item": item, "balance": points}
    return None


def told_score(words: str, laws: Iterable[Rules]) -> ContractJson:
    """What a contract told in words scores under each of the laws in force.

    Raises `contract_words.Unclear`.
    """
    contract, listed = read_contract(words), tuple(laws)
    under = []
    for law in listed:
        facts, why = facts_under(contract, law), cannot(final_of(contract, law), law)
        row = _row(Under(law.code, law.short, None if why else account(facts, law), why))
        under.append(row | {"options": list(law.options)})
    can = [law for law, row in zip(listed, under, strict=True) if row["score"]] or list(listed)
    taken = dict.fromkeys(what for law in can for what in presumed(contract, law))
    return {
        "told": words,
        "understood": understood(contract, can[0]),
        "presumed": list(taken),
        "under": under,
    }
