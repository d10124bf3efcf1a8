"""A rubber that is kept in the page, deal by deal, by Python in the reader's browser.

Its text is the rubber: a `.hand` document that grows by a deal, loses its last, or was opened. What
it comes to is judged as any record is, and drawn as a sheet with what is missing marked.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.judge import as_json, check_document
from oddtrick.judge.contract_words import Unclear, facts_under, read_contract
from oddtrick.judge.score_procedures import Facts, Holding
from oddtrick.judge.under_codes import cannot
from oddtrick.judge.words import declaration_words, number_words
from oddtrick.law.book import book
from oddtrick.law.rules import Rules
from oddtrick.record import read_stream
from oddtrick.record.hand.write import quoted
from oddtrick.report.check import totals_words
from oddtrick.report.sheet import UNKNOWN, Deals, Sheet, Undrawable, groups, rubber_sheet
from oddtrick.site.check import Checked, checked
from oddtrick.site.markup import upper
from oddtrick.site.template import rendered

PATH = "rubber.md"
"""The page that asks."""

PASSED_OUT = "declaration passed out"

_PASSED = re.compile(
    r"\W*(?:(?:all|everyone|everybody|we all|four|all four) )?pass(?:es|ed)?(?: out)?\W*",
    re.IGNORECASE,
)
_END = re.compile(r"^[ \t]*end[ \t]+rubber\b.*$", re.MULTILINE | re.IGNORECASE)
_AFTER = re.compile(r"^[ \t]*(?:unfinished|total|won)\b", re.IGNORECASE)
_DEAL = re.compile(r"^[ \t]*deal\b", re.IGNORECASE)
_CODE = re.compile(r"^[ \t]*code[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)


def kept(asked: Mapping[str, Any]) -> dict[str, object]:
    """What becomes of a rubber by a question of its page.

    `text` is the rubber so far; `begin` (code, title, ours, theirs), `add` (a deal in words),
    `passed` and `back` change it. The answer has the new `text`, its sheet as `html`, and what is
    `said` of it; or `wrong` with what is said, and where in the words (`start`, `end`).
    """
    text = str(asked.get("text") or "")
    try:
        if "begin" in asked:
            text = begun(**{k: str(v) for k, v in asked["begin"].items()})
        elif asked.get("passed"):
            text = _put(text, PASSED_OUT)
        elif "add" in asked:
            text = _put(text, deal_text(str(asked["add"]), book().rules(_code(text))))
        elif asked.get("back"):
            text = without_last(text)
        return {"text": text} | _shown(text)
    except Unclear as error:
        said = upper(error.message)
        return {"wrong": True, "said": said, "start": error.start, "end": error.end}


def begun(code: str, title: str, ours: str, theirs: str) -> str:
    """The text of a rubber without a deal."""
    book().rules(code)
    names = (
        (side, quoted(name.strip()))
        for side, name in (("north-south", ours), ("east-west", theirs))
    )
    sides = " ".join(f"{side} {name}" for side, name in names if name != '""')
    head = [f"code {code}", *([f"sides {sides}"] if sides else [])]
    return "\n".join(
        [*head, "", f"rubber {quoted(title.strip() or 'A rubber')}", "", "end rubber", ""]
    )


def _code(text: str) -> str:
    found = _CODE.search(text)
    if found is None:
        raise Unclear("the record names no code; begin a rubber under one.")
    return found[1]


# --- a deal ---------------------------------------------------------------------------------------


def deal_text(words: str, law: Rules) -> str:
    """A deal told in words as the lines of a record. Raises `Unclear`."""
    if _PASSED.fullmatch(words):
        return PASSED_OUT
    told = read_contract(words)
    if told.games or told.below:
        raise Unclear("the rubber tells the games and the score itself; leave them out.")
    if told.declarer is None:
        raise Unclear("who declared? Say it as `4 hearts by South, 10 tricks`.")
    facts = facts_under(told, law)
    why = cannot(facts.final, law)
    if why:
        raise Unclear(f"{law.short} cannot score that: {why}.")
    final = facts.final
    declared = declaration_words(final.odd_tricks or None, final.denomination, final.doubled, law)
    lines = [
        f"declaration {declared} by {told.declarer.title.lower()}",
        f"result {number_words(facts.tricks or 0, 'trick')}",
    ]
    if told.honours is not None:
        lines += _honours(facts)
    if told.voids is not None:
        lines += _chicane(facts, told.declarer)
    return "\n".join(lines)


def _honours(facts: Facts) -> list[str]:
    held = {side: h for side, h in (facts.honours or {}).items() if h.total}
    lines = [f"honours {_named(side)} {_holding(h)}" for side, h in held.items()]
    return lines or [f"honours {_named(Side.NS)} 0"]


def _holding(held: Holding) -> str:
    if held.more is None:
        return str(held.total)
    if held.more == held.total:
        return f"{held.total} in one hand"
    return f"{held.total}, {held.more} in one hand"


def _chicane(facts: Facts, declarer: Seat) -> list[str]:
    """The hands without a trump; which of the two it was is not told, and changes no score."""
    lines = []
    for side, hands in (facts.voids or {}).items():
        seats = [s for s in Seat if s.side is side and s is not declarer]
        if hands == 1:
            lines.append(f"chicane {seats[0].title.lower()}")
        elif hands:
            lines.append(f"chicane {_named(side)}")
    return lines


def _named(side: Side) -> str:
    return side.title.lower().replace(" and ", "-")


def _put(text: str, lines: str) -> str:
    """The text with a deal more, as the last of the rubber."""
    before, after = _cut(text)
    number = sum(1 for line in before if _DEAL.match(line)) + 1
    return "\n".join([*before, "", f"deal {number}", *lines.split("\n"), "", *after])


def without_last(text: str) -> str:
    """The text without the last deal of the rubber. Raises `Unclear` where there is none."""
    before, after = _cut(text)
    begins = [n for n, line in enumerate(before) if _DEAL.match(line)]
    if not begins:
        raise Unclear("there is no deal to take back.")
    return "\n".join([*before[: begins[-1]], *after])


def _cut(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text to the last deal of its last rubber, and those after it."""
    ends = list(_END.finditer(text))
    if not ends:
        raise Unclear("there is no rubber in this record that ends with `end rubber`.")
    before = text[: ends[-1].start()].split("\n")
    after = text[ends[-1].start() :].split("\n")
    while before and (not before[-1].strip() or _AFTER.match(before[-1])):
        line = before.pop()
        if line.strip():
            after.insert(0, line)
    return before, after


# --- what it comes to -----------------------------------------------------------------------------


def _shown(text: str) -> dict[str, object]:
    """The sheet of the last rubber of a text, its deals, and where it stands."""
    source = read_stream(io.BytesIO(text.encode("utf-8", "replace")), "-", "hand")
    answers = (as_json(r, "play") for r in check_document(source.items))
    rubbers = [pair for pair in groups(answers) if pair[0]["kind"] == "rubber"]
    if not rubbers:
        raise Unclear("there is no rubber in this record.")
    group, deals = rubbers[-1]
    code = group["code"] or _code(text)
    if not deals:
        law = book().rules(code)
        return {"html": "", "code": code, "said": f"A rubber of {law.short} is begun.", "deals": 0}
    try:
        sheet = rubber_sheet(group, deals)
    except Undrawable as error:
        raise Unclear(str(error)) from error
    html = rendered(
        "kept",
        PATH,
        sheet=sheet,
        unknown=UNKNOWN,
        rows=list(zip_longest(*sheet.above))[::-1],
        deals=[_lacking(one) for one in checked(deals)],
        whole=[f"{upper(w)}." for w in totals_words(group)] if group["totals"] else (),
        laws=group["laws"] if group["totals"] else (),
    )
    return {"html": html, "code": code, "said": _state(deals, sheet), "deals": len(deals)}


def _lacking(one: Checked) -> Checked:
    """A deal without the findings on cards and calls that nobody wrote down."""
    told = [
        (n, f)
        for n, f in one.findings
        if f["severity"] != "incomplete" or f["rule"].startswith("score.")
    ]
    return replace(one, findings=told)


def _state(deals: Deals, sheet: Sheet) -> str:
    """Where the rubber stands: the games, what is below the line, or that it is over."""
    number, last = number_words(len(deals), "deal"), deals[-1]
    if any(d["score"] and d["score"]["rubber"] for d in deals):
        return f"{number}. The rubber is over."
    stood = last["score"]["after"] if last["score"] else last["standing"]
    of_games, of_tricks = stood["games"], stood["trick"]
    both = (of_games["NS"], of_tricks["NS"]), (of_games["EW"], of_tricks["EW"])
    said = []
    for (games, below), name in zip(both, sheet.names, strict=True):
        won = UNKNOWN if games is None else number_words(games, "game") if games else "no game"
        said.append(f"{name}: {won}, {UNKNOWN if below is None else below} below")
    return f"{number}. {'; '.join(said)}."
