"""One deal under every code.

Its cards, final declaration and tricks are scored under every code that can express them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oddtrick.cards import Seat, Side
from oddtrick.judge import Json
from oddtrick.judge.account import account
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.check import check as judged
from oddtrick.judge.events import hands_of
from oddtrick.judge.play import complete_hands
from oddtrick.judge.procedures import Final, bid_range, may_double
from oddtrick.judge.score_procedures import LOVE, Facts
from oddtrick.judge.what_if import other_readings
from oddtrick.judge.written_score import facts_of
from oddtrick.law.book import book, judged_codes
from oddtrick.law.names import and_words
from oddtrick.law.reading_choices import bearing
from oddtrick.law.rules import Rules
from oddtrick.report.answers import Answer
from oddtrick.report.contract_words import (
    Contract,
    deal_of,
    facts_under,
    final_of,
    limited_for_the_dealer,
    presumed,
    read_contract,
    tricks_of,
)
from oddtrick.report.messages import Wording, in_hands
from oddtrick.report.words import declaration_words, missing_words, number_words

CIRCUMSTANCES = (
    "Each code scores the deal at love (if the code has a rubber), without options or penalties; "
    "spades count as spades, not as royal spades."
)
"""The conditions that are the same under all codes, so that only the codes differ.

None of them is taken from the record.
"""


ITEMS = tuple(
    "odd-tricks contract-bonus overtricks undertricks honours chicane slam game-bonus rubber-bonus"
    " penalty".split()
)
"""The kinds of entry, in the order in which codes are compared."""


def compare(check: Check, codes: Iterable[str] | None = None, readings: Iterable[str] = ()) -> Json:
    """The deal of a check under several codes; by default, all those that the checker judges.

    The declaration and the tricks are those of the check, or of each code if the check has no law;
    everything else is as in `CIRCUMSTANCES`. If a code cannot express them, the row says why. Each
    of the chosen `readings` applies to the codes that it concerns.
    """
    chosen = tuple(readings)
    codes = codes or judged_codes()
    under = [_under(check, code, chosen) for code in codes]
    return {"id": check.source.id, "under": under, "part_first_at": parting(under)}


PENALTIES = ("points", "tricks")
"""The kinds of amount that a contract in words can state as the penalty for a revoke."""


class Cannot(NamedTuple):
    """Why a code cannot score something, and the laws on which that rests."""

    why: str
    laws: tuple[str, ...] = ()


def _under(check: Check, code: str, readings: tuple[str, ...]) -> Json:
    law = book().rules(code, bearing(readings, book().chain(code)))
    if check.law is None:
        check = judged(check.source, code, readings, check.only)
    final, outcome = check.final, check.outcome
    if check.declared.passed_out:
        return _row(code, Cannot("all four players pass"))
    if final is None or final.declarer is None:
        lacking = "the declarer is not known" if final else "no declaration became final"
        return _row(code, Cannot(lacking))
    if outcome.taken is None:
        return _row(code, Cannot("the number of tricks is not known"))
    if beyond := cannot(final, law):
        return _row(code, beyond)
    turned = final._replace(odd_tricks=0 if law.has("making") else final.odd_tricks)
    hands = complete_hands(hands_of(check.source), law)
    return _row(code, facts_of(check.source, law, turned, outcome, hands, LOVE), law)


def cannot(final: Final, law: Rules) -> Cannot | None:
    """Why a code cannot express a final declaration; `None` if it can."""
    if law.denomination(final.denomination) is None:
        found = book().denominations.get(final.denomination)
        why = f"it has no {found.label if found else final.denomination}"
        return Cannot(why, law.laws("denominations"))
    if final.bridged and not law.has("bridging"):
        return Cannot("the play cannot be passed to the partner")
    if not final.odd_tricks and not law.has("making"):
        return Cannot("no number of tricks was declared", law.laws("bid-range"))
    limits = bid_range(law)
    if limits and final.odd_tricks not in limits:
        why = f"a bid names {limits[0]} to {limits[-1]} odd tricks"
        laws = law.finding_laws.get("declaring.impossible-bid") or law.laws("bid-range")
        return Cannot(why, laws)
    if final.doubled and not may_double(final.doubled - 1, final.denomination, law):
        why = f"no bid can be doubled {final.doubled} times"
        return Cannot(why, law.laws("doubling", "doubling-ceiling"))
    return None


def _row(code: str, known: Facts | Cannot, law: Rules | None = None) -> Json:
    if isinstance(known, Cannot) or law is None:
        return {"code": code, **known._asdict(), "score": None}
    score = Answer(Wording(law).say).plain(account(known, law))
    score["missing"] = missing_words(score["lacks"])
    return {"code": code, "why": None, "laws": [], "score": score}


def parting(rows: Iterable[Json]) -> Json | None:
    """The first kind of entry in which codes differ, with the balance of N-S under each.

    Codes that cannot express the deal are ignored; `None` if there is no difference.
    """
    scored = [(book().code(r["code"]).short, r["score"]["entries"]) for r in rows if r["score"]]
    for item in ITEMS:
        points = {
            short: sum(
                e["points"] if e["side"] == "NS" else -e["points"]
                for e in entries
                if e["item"] == item
            )
            for short, entries in scored
        }
        if len(set(points.values())) > 1:
            return {"item": item, "balance": points}
    return None


def understood(contract: Contract, law: Rules, *others: Rules) -> str:
    """The facts understood under some laws, in one line.

    For example: `4 hearts doubled by South, 11 tricks; 4 honours, in one hand`.
    """
    final, odd_tricks = final_of(contract, law), contract.odd_tricks or None
    making = [one.short for one in (law, *others) if odd_tricks and one.has("making")]
    idle = f"the number {odd_tricks} has no effect"
    if len(making) > len(others):
        odd_tricks, idle = None, f"{idle}: the trump is made, not bid"
    elif making:
        idle += f" in {and_words(making)}, where the trump is made, not bid"
    declared = declaration_words(odd_tricks, final.denomination, final.doubled, law)
    limited = any(limited_for_the_dealer(final_of(contract, of), of) for of in (law, *others))
    first = ", the dealer's first declaration" if contract.dealers_first and limited else ""
    by = f" by {contract.declarer.title}" if contract.declarer else ""
    parts = [f"{declared}{by}{first}, {number_words(tricks_of(contract, law), 'trick')}"]
    parts += [idle] if making else []
    whose = {Side.NS: "", Side.EW: " of the adversaries"}
    for side, held in (contract.honours or {}).items():
        if held.total:
            number = number_words(held.total, "honour")
            parts.append(number + whose[side] + in_hands(held.total, held.more))
    for side, hands in (contract.voids or {}).items():
        if hands:
            parts.append(("double " if hands > 1 else "") + "chicane" + whose[side])
    if contract.revoke:
        who, penalty = contract.revoke
        offender = who.title if isinstance(who, Seat) else who
        parts.append(f"{offender} revoked" + (penalty and f", {penalty}"))
    if contract.games:
        ours, theirs = (number_words(n, "game") if n else "no game" for n in contract.games)
        parts.append(f"the declaring side has {ours}, the adversaries {theirs}")
    if contract.below:
        parts.append(f"{contract.below[0]} and {contract.below[1]} below the line")
    return "; ".join(parts)


def _revoked(contract: Contract, facts: Facts, law: Rules) -> Facts | Cannot:
    """The facts with the penalty for the revoke, or the reason why the law does not give it."""
    if contract.revoke is None:
        return facts
    if lacking := penalty_not_stated(contract, law):
        return lacking
    check = _as_deal(contract, facts, law)
    if found := [f for f in check.findings if f.rule == "remedy.not-allowed"]:
        laws = tuple(dict.fromkeys(a for f in found for a in f.laws))
        return Cannot("its law gives another penalty for this revoke", laws)
    assert check.account
    assert check.account.facts
    return facts._replace(penalties=check.account.facts.penalties)


def penalty_not_stated(contract: Contract, law: Rules) -> Cannot | None:
    """Why a revoke without its penalty cannot be scored, with the penalties that the law gives for
    it; `None` if no revoke or its penalty is stated.
    """
    if contract.revoke is None or contract.revoke[1]:
        return None
    unused = _as_deal(contract, facts_under(contract, law), law).judged.unused
    rulings = [case.answer.ruling for case in unused if case.answer.ruling]
    given = [r for ruling in rulings for r in ruling.remedies if r.figure in PENALTIES]
    listed = and_words((f"`{r.written}` ({r.words})" for r in given), "or")
    why = f"the penalty for the revoke is not stated; add the one that was taken: {listed}"
    return Cannot(why, tuple(dict.fromkeys(r.provision for r in given)))


def _as_deal(contract: Contract, facts: Facts, law: Rules) -> Check:
    return Check(deal_of(contract, law), law, PHASES, carried=facts.standing).again()


def contract_json(words: str, laws: Iterable[Rules]) -> Json:
    """The score of a contract given in words, under each of the laws.

    Raises `contract_words.Unclear` if the words cannot be read.
    """
    contract, listed = read_contract(words), tuple(laws)
    under = []
    for law in listed:
        facts, beyond = facts_under(contract, law), cannot(final_of(contract, law), law)
        row = _row(law.code, beyond or _revoked(contract, facts, law), law)
        rests = any("readings" in e for e in row["score"]["entries"]) if row["score"] else False
        others = other_readings(_as_deal(contract, facts, law)).what_if if rests else ()
        what_if = Answer(Wording(law).say).plain(others)
        under.append(row | {"options": list(law.options), "what_if": what_if})
    can = [law for law, row in zip(listed, under, strict=True) if row["score"]] or list(listed)
    taken = dict.fromkeys(Wording(law).say(m) for law in can for m in presumed(contract, law))
    return {
        "told": words,
        "understood": understood(contract, *can),
        "presumed": list(taken),
        "under": under,
    }
