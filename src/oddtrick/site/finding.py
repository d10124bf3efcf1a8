"""A page for each finding of the checker: its meaning, a record that breaks the rule and one that
does not, and the law on which it rests.

The records are in `laws/examples/RULE.hand`; the first breaks the rule. Their findings are computed
when the page is built.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from oddtrick.judge import check_document
from oddtrick.judge.answers import Json
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Label
from oddtrick.paths import folder
from oddtrick.record import read_document
from oddtrick.report.answers import as_json
from oddtrick.site.check import source
from oddtrick.site.gallery import published
from oddtrick.site.law import neighbours
from oddtrick.site.template import page

PHASES = {
    "record": (
        "What a record leaves out",
        "Nothing is wrong; the check could not go further, and says so.",
    ),
    "deal": ("The cards dealt", "The hands as they are written."),
    "declaring": (
        "Declaring",
        "The auction, call by call, or the making of the trump; the final declaration and the"
        " declarer.",
    ),
    "play": ("The play", "The tricks, card by card."),
    "remedy": ("Remedies", "What was done about an irregularity, compared with the law."),
    "score": ("The score", "What the record claims, compared with the account."),
}
"""The phases with title and description, by the first part of a rule's id."""

_GROUP = re.compile(r"(rubber|match)\b")
_DEAL = re.compile(r"deal\b")


class Example(NamedTuple):
    """A record that can be checked by itself: its title, text and findings."""

    title: str
    text: str
    findings: tuple[Json, ...]


@cache
def examples(rule: str) -> tuple[Example, Example]:
    """The record that breaks a rule and the one that does not, each completed to a valid file."""
    path = folder("laws") / "examples" / f"{rule}.hand"
    lines = [n for n in path.read_text("utf-8").splitlines() if not n.startswith("#")]
    begins = next((p for p in (_GROUP, _DEAL) if any(p.match(n) for n in lines)), _DEAL)
    first, second = (i for i, n in enumerate(lines) if begins.match(n))
    head = lines[:first]
    return _example(rule, head, lines[first:second]), _example(rule, head, lines[second:])


def _example(rule: str, head: list[str], body: list[str]) -> Example:
    text = "\n".join([*head, *body]).strip() + "\n"
    document = read_document(text.encode(), "example.hand")
    answers = map(as_json, check_document([*document.unreadable, *document.items]))
    found = [f for a in answers for f in ([a] if "rule" in a else a["findings"])]
    # findings about missing information are shown only if they belong to the rule
    shown = tuple(f for f in found if f["rule"] == rule or f["severity"] != "incomplete")
    return Example(body[0].split('"')[1], text, shown)


# --- one rule -----------------------------------------------------------------------------------


FORMER_ANCHORS = {
    "deal.card-twice": "a-card-twice",
    "declaring.double-of-nothing": "double-of-nothing",
    "declaring.double-of-partner": "double-of-the-partner",
    "declaring.redouble-twice": "doubled-too-often",
    "declaring.spade-not-played": "hand-not-played",
    "declaring.wrong-declaration": "another-final-declaration",
    "declaring.wrong-declarer": "another-declarer",
    "record.deal-twice": "a-deal-twice",
    "remedy.irregularity": "irregularity-told-of",
    "score.no-such-item": "the-code-scores-no-such-thing",
    "score.tray": "another-deal-in-the-tray",
    "score.tricks": "another-number-of-tricks",
}
"""Former anchors of pages whose heading has changed, kept so that links still work."""


def rule_pages() -> dict[str, str | bytes]:
    """`rules/index.md`, and for each finding of the checker `rules/RULE.md` and its records,
    `rules/RULE.hand`.
    """
    index = page("findings", "rules/index.md", phases=PHASES, law_count=law_count)
    made: dict[str, str | bytes] = {"rules/index.md": index}
    for before, rule, after in neighbours(book().vocabulary.findings):
        made[f"rules/{rule.id}.md"] = rule_page(rule, before, after)
        made[f"rules/{rule.id}.hand"] = published(folder("laws") / "examples" / f"{rule.id}.hand")
    return made


def rule_page(rule: Label, before: Label | None, after: Label | None) -> str:
    """The page of a finding, `rules/RULE.md`, with links to its neighbours."""
    return page(
        "finding",
        f"rules/{rule.id}.md",
        rule=rule,
        phases=PHASES,
        anchor=FORMER_ANCHORS.get(rule.id),
        examples=[
            (example, source(example.text, found), found)
            for example in examples(rule.id)
            for found in [list(enumerate(example.findings, 1))]
        ],
        laws=map(book().rules, judged_codes()),
        before=before,
        after=after,
    )


def law_count(rule: str) -> str:
    """The number of codes that have a law on a rule, in words."""
    laws = list(map(book().rules, judged_codes()))
    if number := sum(bool(law.finding_laws.get(rule)) for law in laws):
        return f"law in {number} of {len(laws)} codes"
    if any(rule in law.silent for law in laws):
        return "no code has a law on it"
    return "no law; it concerns only how the record is written"
