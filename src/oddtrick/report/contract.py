"""The score of a deal, or of a contract given in words, as text, under one or several codes."""

from __future__ import annotations

from collections.abc import Sequence

from oddtrick.cards import Side
from oddtrick.law.book import book
from oddtrick.report.check import (
    SLOTS,
    account_head,
    account_lines,
    cells,
    score_words,
    side_words,
    totals,
    under_law,
)
from oddtrick.report.under_codes import CIRCUMSTANCES, ContractJson, UnderJson, parting
from oddtrick.report.words import and_words
from oddtrick.terminal import Style


def contract_text(scored: ContractJson, style: Style) -> str:
    """The facts understood and presumed, then the account; with several codes, the comparison."""
    taken = f"Presumed: {and_words(scored['presumed'])}." if scored["presumed"] else ""
    title, presumed = style.bold(scored["understood"]), [style.wrap(taken)] if taken else []
    if len(scored["under"]) > 1:
        return under_text(scored["under"], title, "\n".join(presumed))
    row = scored["under"][0]
    law, score = book().rules(row["code"], row["options"]), row["score"]
    out = [title, *presumed, "", f"under {under_law(law)}"]
    if score is None:
        return "\n".join([*out, f"It cannot be scored: {row['why']}."]) + "\n"
    out += account_lines(score["entries"], style)
    out += [f"  not known: {m}; state it and it is counted" for m in score["missing"]]
    return "\n".join([*out, *(f"  {words}" for words in score_words(score, law))]) + "\n"


def under_text(rows: Sequence[UnderJson], title: str, circumstances: str = CIRCUMSTANCES) -> str:
    """The comparison as a table, then the entries of each code with their laws."""
    short = {r["code"]: book().code(r["code"]).short for r in rows}
    width = max(map(len, short.values())) + 2
    out = [title, circumstances, "", *account_head(width)]
    for r in rows:
        name, score = f"{short[r['code']]:<{width}}", r["score"]
        if score is None:
            out.append(f"{name}  cannot be expressed: {r['why']}")
            continue
        sums = totals(score["entries"])
        lacks = f"  not known: {and_words(score['missing'])}" if score["missing"] else ""
        out.append(name + cells(sums[Side(s)][c] for s, c in SLOTS) + lacks)
    out.append("")
    for r in rows:
        for e in r["score"]["entries"] if r["score"] else ():
            to = f"{e['points']} to {side_words(e['side'])} for {e['reason']}"
            out.append(f"{short[r['code']]}: {to}  ({', '.join(e['laws'])})")
    if apart := parting(rows):
        balance = ", ".join(
            f"{code} {points:+}" if points else f"{code} 0"
            for code, points in apart["balance"].items()
        )
        at = apart["item"].replace("-", " ")
        out += ["", f"The scores first diverge at {at} (N-S minus E-W): {balance}."]
    return "\n".join(out) + "\n"
