"""One deal under every code.

Its cards, final declaration and tricks, scored wherever a code can express them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from oddtrick.cards import Side
from oddtrick.judge.account import account
from oddtrick.judge.check import Check
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_procedures import LOVE, Account
from oddtrick.judge.table_law import TableLaw, bound
from oddtrick.judge.words import and_words
from oddtrick.judge.written_score import RULE_OF_ITEM, facts_of
from oddtrick.law.book import book, judged_codes
from oddtrick.law.readings import bearing

CIRCUMSTANCES = (
    "Every code scores it at love (where it has a rubber), without options and without penalties; "
    "spades are not royal spades."
)
"""What is alike under all the codes, so that only they differ.

Nothing of it is taken from the record.
"""


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


def under_codes(
    check: Check, codes: Iterable[str] | None = None, readings: Iterable[str] = ()
) -> list[Under]:
    """The deal of a check under several codes (all by default), each in the same `CIRCUMSTANCES`.

    The declaration and the tricks are those of the check. A code that cannot express them says why.
    Each of the chosen `readings` holds in the codes on which it bears.
    """
    chosen = tuple(readings)
    return [_under(check, code, chosen) for code in (codes or _judged())]


def _under(check: Check, code: str, readings: tuple[str, ...]) -> Under:
    law = bound(book().rules(code, bearing(readings, book().chain(code))))
    final = check.final
    if final is None or final.declarer is None:
        return Under(code, law.short, None, "the final declaration or the declarer is not known")
    if check.outcome is None or check.outcome.taken is None:
        return Under(code, law.short, None, "the number of tricks is not known")
    why = cannot(final, law)
    if why:
        return Under(code, law.short, None, why)
    turned = replace(final, odd_tricks=0 if law.making else final.odd_tricks)
    facts = facts_of(check.record, law, turned, check.outcome, LOVE)
    return Under(code, law.short, account(facts, law), None)


def cannot(final: Final, law: TableLaw) -> str | None:
    """Why a code cannot express a final declaration; `None` where it can."""
    if law.denomination(final.denomination) is None:
        found = book().denominations.get(final.denomination)
        return f"it has no {found.label if found else final.denomination}"
    if final.bridged and law.may_bridge is None:
        return "the play cannot be passed to the partner"
    if not final.odd_tricks and not law.making:
        return "no number of tricks was declared"
    if final.doubled and not law.may_double(final.doubled - 1, final.denomination):
        return f"nothing is doubled {final.doubled} times"
    return None


def parting(rows: Iterable[Under]) -> tuple[str, dict[str, int]] | None:
    """The first kind of entry in which the codes that can express the deal differ, and its points
    for the declaring side's balance."""
    told = [r for r in rows if r.account]
    for item in RULE_OF_ITEM:
        points = {
            r.short: sum(
                e.points if e.side is Side.NS else -e.points
                for e in r.account.entries
                if e.item == item
            )
            for r in told
            if r.account
        }
        if len(set(points.values())) > 1:
            return item, points
    return None


def as_json(check: Check, rows: list[Under]) -> dict[str, object]:
    """The comparison as JSON: for each code its account, or `why` it has none."""
    apart = parting(rows)
    return {
        "id": check.record.id,
        "under": [
            {
                "code": r.code,
                "why": r.why,
                "score": r.account.as_json() | {"missing": list(r.account.missing)}
                if r.account
                else None,
            }
            for r in rows
        ],
        "part_first_at": {"item": apart[0], "balance": apart[1]} if apart else None,
    }


def as_text(rows: list[Under], title: str, circumstances: str = CIRCUMSTANCES) -> str:
    """The comparison as a table, then the entries of each code with their laws."""
    width = max(len(r.short) for r in rows) + 2
    out = [
        title,
        circumstances,
        "",
        f"{'':<{width}}{'N-S':>7}{'':>8}{'E-W':>8}",
        f"{'':<{width}}{'trick':>7}{'honour':>8}{'trick':>8}{'honour':>8}",
    ]
    for r in rows:
        if r.account is None:
            out.append(f"{r.short:<{width}}  cannot be expressed: {r.why}")
            continue
        cells = [r.account.points(s, c) for s in Side for c in ("trick", "honour")]
        line = f"{r.short:<{width}}{cells[0]:>7}{cells[1]:>8}{cells[2]:>8}{cells[3]:>8}"
        if r.account.missing:
            line += f"  without {and_words(r.account.missing)}"
        out.append(line)
    out.append("")
    for r in rows:
        for e in r.account.entries if r.account else ():
            out.append(
                f"{r.short}: {e.points} to {e.side.title} for {e.reason}  ({', '.join(e.laws)})"
            )
    apart = parting(rows)
    if apart:
        said = ", ".join(
            f"{code} {points:+}" if points else f"{code} 0" for code, points in apart[1].items()
        )
        out += ["", f"The codes first part at {apart[0].replace('-', ' ')} (N-S less E-W): {said}."]
    return "\n".join(out) + "\n"
