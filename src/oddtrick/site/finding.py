"""A page for each finding of the checker: its meaning, a record that breaks the rule and one that
does not, and the law on which it rests.

The records are in `laws/examples/RULE.hand`; the first breaks the rule. Their findings are computed
when the page is built.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from oddtrick.judge import Json, check_document
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Label
from oddtrick.paths import folder
from oddtrick.record import read_document
from oddtrick.report.answers import as_json
from oddtrick.site.check import Numbered, source
from oddtrick.site.law import neighbours
from oddtrick.site.record import published
from oddtrick.site.template import page

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


def rule_pages() -> dict[str, str | bytes]:
    """`rules/index.md`, and for each finding of the checker `rules/RULE.md` and its records,
    `rules/RULE.hand`.
    """
    laws = list(map(book().rules, judged_codes()))
    index = page("findings", "rules/index.md", laws=laws)
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
        examples=[
            (example, source(example.text, found), found)
            for example in examples(rule.id)
            for found in [[Numbered(n, n, f) for n, f in enumerate(example.findings, 1)]]
        ],
        laws=map(book().rules, judged_codes()),
        before=before,
        after=after,
    )
