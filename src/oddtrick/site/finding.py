"""A page for each finding of the checker: what it means, a record that breaks it and one that does not, the law behind it.

The records are `laws/examples/RULE.hand`, first the one that breaks the rule. What stands beside them on the page is
what the checker finds in them when the page is made.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.law.in_force import code_data, in_force, judged_codes, vocabulary
from oddtrick.law.model import Irregularity
from oddtrick.paths import folder
from oddtrick.record.hand.read import read_bytes
from oddtrick.rulings import engine as rulings
from oddtrick.site.deal import href
from oddtrick.site.law_words import LESS, front
from oddtrick.site.record import Context, findings_html, source_html

Json = Any

STYLES = '<link rel="stylesheet" href="../../assets/play.css">\n<link rel="stylesheet" href="../../assets/reference.css">'
"""Only these pages need them, so only they load them."""

PHASES = {
    "record": (
        "What a record leaves out",
        "Nothing is wrong; the check could not go further, and says so.",
    ),
    "deal": ("The cards dealt", "The hands as they are written."),
    "declaring": (
        "Declaring",
        "The auction, call by call, or the making of the trump; the final declaration and the declarer.",
    ),
    "play": ("The play", "The tricks, card by card."),
    "remedy": ("Remedies", "What was done about an irregularity, held against what the law gives."),
    "score": ("The score", "What the record claims, held against the account."),
}
"""The first part of a rule's id, with what is judged there."""

_WHOLE = re.compile(r"(rubber|match)\b")
_DEAL = re.compile(r"deal\b")


@dataclass(frozen=True, slots=True)
class Example:
    """A record that can be checked by itself: its title, its text, what is found in it."""

    title: str
    text: str
    findings: tuple[Finding, ...]


@cache
def examples(rule: str) -> tuple[Example, Example]:
    """The record that breaks a rule, and its neighbour that does not; each a whole file by itself."""
    path = folder("laws") / "examples" / f"{rule}.hand"
    lines = [n for n in path.read_text("utf-8").splitlines() if not n.startswith("#")]
    begins = next((p for p in (_WHOLE, _DEAL) if any(p.match(n) for n in lines)), _DEAL)
    first, second = (i for i, n in enumerate(lines) if begins.match(n))
    return _example(rule, lines[:first], lines[first:second]), _example(
        rule, lines[:first], lines[second:]
    )


def _example(rule: str, head: list[str], body: list[str]) -> Example:
    text = "\n".join([*head, *body]).strip() + "\n"
    document = read_bytes(text.encode(), "example.hand")
    results = check_document([*document.unreadable, *document.items])
    found = [f for r in results for f in ([r] if isinstance(r, Finding) else r.findings)]
    # what short records leave out is told only where that is the rule
    told = tuple(f for f in found if f.rule == rule or f.severity is not Severity.INCOMPLETE)
    return Example(body[0].split('"')[1], text, told)


def rules() -> tuple[Json, ...]:
    """The findings of the vocabulary in their order: `id`, `label`, `meaning`."""
    return tuple(vocabulary()["findings"])


def irregularities(rule: str) -> list[Irregularity]:
    """The irregularities of the catalogue that a finding proves."""
    return [i for i in rulings.catalogue().values() if i.finding == rule]


# --- one rule -------------------------------------------------------------------------------------


CALLED = {"declaring.spade-not-played": "hand-not-played"}
"""The anchor of a page whose heading was another once: an address does not move."""


def rule_page(item: Json) -> str:
    """`rules/RULE.md`."""
    rule = item["id"]
    here = f"rules/{rule}.md"
    phase = rule.partition(".")[0]
    broken, kept = examples(rule)
    out = [
        front(item["label"], item["meaning"], hide="navigation", boost=LESS),
        STYLES,
        "",
        f"# {item['label']}{' { #' + CALLED[rule] + ' }' if rule in CALLED else ''}",
        "",
        f'<p class="law-head" markdown="span">[Findings](index.md#{phase}), {PHASES[phase][0].lower()} · `{rule}`</p>',
        "",
        f'<p class="lede">{html.escape(item["meaning"], quote=False)}</p>',
        "",
    ]
    found = irregularities(rule)
    if found:
        names = ", ".join(f"[{i.label}](../disputes/{i.id}.md)" for i in found)
        out += [f"What each code gives for it, and how to settle it at the table: {names}.", ""]
    out += [
        "## A record that breaks it { data-search-exclude }",
        "",
        _example_html(broken, here, "line"),
        "",
    ]
    out += [
        "## One that does not { data-search-exclude }",
        "",
        _example_html(kept, here, "kept"),
        "",
    ]
    out += [
        f'<p class="files" data-search-exclude>Both as a file: <a href="../{rule}.hand">{rule}.hand</a>.</p>',
        "",
        "## The law behind it { data-search-exclude }",
        "",
        behind_html(rule, here),
        "",
        _turn(rule),
        "",
    ]
    return "\n".join(out)


def _example_html(example: Example, here: str, prefix: str) -> str:
    """A record as it is written with what is found beside its lines; anchors begin with `prefix`."""
    page = Context(
        here, {f: n for n, f in enumerate(dict.fromkeys(example.findings), 1)}, _disputes()
    )
    said = findings_html(example.findings, page) or '<p class="nothing">Nothing is found.</p>'
    drawn = source_html(example.text, example.findings, page) + said
    if prefix != "line":
        drawn = re.sub(r'((?:id="|href="#))(line|finding)-', rf"\1{prefix}-\2-", drawn)
    return f'<div class="example" data-search-exclude><p class="example-title">{html.escape(example.title, quote=False)}</p>{drawn}</div>'


@cache
def _disputes() -> frozenset[str]:
    return frozenset(f"disputes/{name}.md" for name in rulings.catalogue())


def behind_html(rule: str, here: str) -> str:
    """The law of each code behind a rule, or why there is none, as a list of codes."""
    rows = []
    for code in judged_codes():
        data, law = code_data(code), in_force(code)
        base = data["extends"]
        if base and rule not in data["findings"]:
            said = f'<p>As under <a href="#{base}">{html.escape(code_data(base)["short"])}</a>.</p>'
        elif law.behind.get(rule):
            items = "".join(f"<li>{_law(a, here, code)}</li>" for a in law.behind[rule])
            said = f"<ul>{items}</ul>"
        elif rule in law.silent:
            named = "No law of its own." if rule.startswith("remedy.") else "Silent."
            said = (
                f'<p class="silent"><b>{named}</b> {html.escape(law.silent[rule], quote=False)}</p>'
            )
        else:
            said = '<p class="silent">No law: it is a matter of the record.</p>'
        rows.append(
            f'<div class="behind-row" id="{code}"><dt>{html.escape(data["short"])}</dt><dd>{said}</dd></div>'
        )
    return f'<dl class="behind" data-search-exclude>{"".join(rows)}</dl>'


def _law(address: str, here: str, code: str) -> str:
    """A law as its number, linked, and its restatement; a law of several paragraphs has its heading."""
    owner = code_data(address.partition(":")[0])
    found = book().provision(address)
    law = next((n for n in owner["laws"] if n["address"] == address), None)
    text = found.text if found else law["heading"] if law else ""
    shown = address.removeprefix(f"{code}:")
    return f'<a href="{href(address, here)}">{shown}</a> {html.escape(text, quote=False)}'


def _turn(rule: str) -> str:
    """The way to the neighbouring rules."""
    names = [r["id"] for r in rules()]
    labels = {r["id"]: r["label"] for r in rules()}
    at = names.index(rule)
    turn = [f"[← {labels[n]}]({n}.md)" for n in names[max(at - 1, 0) : at]]
    turn += [f"[{labels[n]} →]({n}.md)" for n in names[at + 1 : at + 2]]
    return f'<p class="turn" markdown="span" data-search-exclude>{" · ".join(turn)}</p>'


# --- all of them ----------------------------------------------------------------------------------


def index_page() -> str:
    """`rules/index.md`: every rule by phase, with what it means and in how many codes a law is behind it."""
    codes = judged_codes()
    out = [
        front(
            "Findings",
            "Everything that the checker can find in a record.",
            "described",
            "navigation",
        ),
        '<link rel="stylesheet" href="../assets/reference.css">',
        "",
        "# Findings { #rules }",
        "",
        f'<p class="lede">{len(rules())} things that the checker can find in a record. Each has a name that does not change, '
        "a record that shows it, and the law of each code behind it.</p>",
        "",
        "A name says the phase and the offence: `declaring.insufficient-bid`. Where a code has no law for it the finding is "
        "*silent*: it is told, and it does not make the record irregular. A finding on a remedy names the law of the irregularity itself.",
        "",
    ]
    for phase, (label, about) in PHASES.items():
        out += [
            f"## {label} {{ #{phase} }}",
            "",
            about,
            "",
            '<ul class="rule-list" markdown="1">',
            "",
        ]
        for item in (r for r in rules() if r["id"].partition(".")[0] == phase):
            number = sum(1 for c in codes if in_force(c).behind.get(item["id"]))
            silent = any(item["id"] in in_force(c).silent for c in codes)
            none = "no code has a law on it" if silent else "no law; a matter of the record"
            law = f"law in {number} of {len(codes)} codes" if number else none
            out.append(
                f'<li markdown="span">[{item["label"]}]({item["id"]}.md) `{item["id"]}` '
                f'<span class="meaning">{html.escape(item["meaning"], quote=False)}</span> <span class="law-count">{law}</span></li>'
            )
        out += ["", "</ul>", ""]
    return "\n".join(out)


def rule_pages() -> dict[str, str | bytes]:
    """`rules/index.md`, and for each finding of the checker `rules/RULE.md` with its records, `rules/RULE.hand`."""
    made: dict[str, str | bytes] = {"rules/index.md": index_page()}
    for item in rules():
        made[f"rules/{item['id']}.md"] = rule_page(item)
        made[f"rules/{item['id']}.hand"] = (
            folder("laws") / "examples" / f"{item['id']}.hand"
        ).read_bytes()
    return made
