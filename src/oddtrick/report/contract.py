"""The score of a contract that was told in words, under one code or several: text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oddtrick.judge.account import account
from oddtrick.judge.contract_words import (
    Contract,
    facts_under,
    final_of,
    presumed,
    read_contract,
    understood,
)
from oddtrick.judge.table_law import bound
from oddtrick.judge.under_codes import Under, cannot
from oddtrick.judge.under_codes import as_text as compared
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.rules import Rules
from oddtrick.report.check import account_lines, totals_lines, under_words
from oddtrick.terminal import Style


@dataclass(frozen=True, slots=True)
class ToldScore:
    """A contract as it was understood, what was presumed, and what it scores under each code."""

    contract: Contract
    laws: tuple[Rules, ...]
    understood: str
    presumed: tuple[str, ...]
    under: tuple[Under, ...]


def told_score(words: str, laws: Iterable[Rules]) -> ToldScore:
    """What a contract told in words scores under each of the laws in force.

    Raises `contract_words.Unclear`.
    """
    contract, listed = read_contract(words), tuple(laws)
    under = tuple(_under(contract, law) for law in listed)
    can = [law for law, row in zip(listed, under, strict=True) if row.account] or list(listed)
    taken = dict.fromkeys(what for law in can for what in presumed(contract, law))
    return ToldScore(contract, listed, understood(contract, can[0]), tuple(taken), under)


def _under(contract: Contract, law: Rules) -> Under:
    facts, why = facts_under(contract, law), cannot(final_of(contract, law), bound(law))
    return Under(law.code, law.short, None if why else account(facts, law), why)


def contract_text(told: ToldScore, style: Style) -> str:
    """What was understood and presumed, then the account; under several codes the comparison."""
    taken = f"Presumed: {and_words(told.presumed)}." if told.presumed else ""
    if len(told.under) > 1:
        said = "\n".join([style.wrap(taken)] if taken else [])
        return compared(list(told.under), style.bold(told.understood), said)
    out = [style.bold(told.understood), *([style.wrap(taken)] if taken else [])]
    law, row = told.laws[0], told.under[0]
    out += ["", under_words(law)]
    if row.account is None:
        return "\n".join([*out, f"It cannot be scored: {row.why}."]) + "\n"
    out += account_lines(row.account.entries, style)
    if len(row.account.entries) > 1:
        out += totals_lines(row.account.entries)
    out += [f"  without {m}: say it, and it is counted" for m in row.account.missing]
    return "\n".join([*out, *_after(row, law)]) + "\n"


def _after(row: Under, law: Rules) -> Sequence[str]:
    """What the deal does to the rubber."""
    if row.account is None or row.account.game is None:
        return ()
    winner = row.account.game.title
    if row.account.rubber:
        games = number_words(law.value("games-in-rubber"), "game")
        return (f"  {winner} have won {games}; the rubber is over.",)
    return (f"  {winner} win a game.",)


def contract_json(words: str, told: ToldScore) -> dict[str, object]:
    """The same for programs: `told`, `understood`, `presumed`, and `under` with the account of each
    code.
    """
    return {
        "told": words,
        "understood": told.understood,
        "presumed": list(told.presumed),
        "under": [
            {
                "code": row.code,
                "options": list(law.options),
                "why": row.why,
                "score": row.account.as_json() | {"missing": list(row.account.missing)}
                if row.account
                else None,
            }
            for law, row in zip(told.laws, told.under, strict=True)
        ],
    }
