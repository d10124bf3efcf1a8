"""Which provisions on scoring have a case or a record that leans on them, and why the others have
none.

Also a program: `scoring_coverage.py` writes docs/scoring-coverage.md.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import score_cases
from oddtrick.judge.account import account
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding
from oddtrick.judge.rubber import check_document
from oddtrick.law.in_force import code_data, codes, in_force, vocabulary
from oddtrick.law.yaml import read as read_yaml
from oddtrick.record.documents import read_text
from test_findings import FILES

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "scores" / "without-a-case.yml"
PAGE = ROOT / "docs" / "scoring-coverage.md"


@cache
def scoring_provisions() -> dict[str, Any]:
    """Every provision of a code that treats a topic of scoring, by its address, in the order of the
    codes.
    """
    topics = {t["id"] for t in vocabulary()["topics"] if t["family"] == "scoring"} | {
        "doubling-effect"
    }
    return {
        p["address"]: p
        for code in codes()
        for p in code_data(code)["provisions"]
        if topics & set(p["topics"])
    }


@cache
def leaned_on() -> dict[str, str]:
    """The first case or record that leans on each address."""
    first: dict[str, str] = {}
    for _, case in score_cases.cases():
        rules = in_force(case["code"], tuple(case.get("options", ())))
        entries = account(score_cases.facts(case), rules).entries
        for law in {law for e in entries for law in e.laws} | set(case.get("shows", ())):
            first.setdefault(law, case["name"])
    for path in FILES:
        document = read_text(path.read_text("utf-8"), str(path))
        for result in check_document(document.items):
            if isinstance(result, Finding):
                continue
            laws = {law for f in result.findings for law in f.laws}
            if isinstance(result, Check):
                laws |= {
                    law
                    for e in (result.account.entries if result.account else ())
                    for law in e.laws
                }
                name = result.record.id
            else:
                laws |= {law for e in result.entries for law in e.laws} | set(result.laws)
                name = f"{result.group.kind} {result.group.name or ''}".strip()
            for law in laws:
                first.setdefault(law, f"`{path.name}`, {name}")
    return first


def reasons() -> dict[str, str]:
    """Why a provision has no case, by its address."""
    groups = read_yaml(REASONS.read_text("utf-8"))
    return {address: group["why"] for group in groups for address in group["laws"]}


def page() -> str:
    """The table as a page."""
    provisions, shown, why = scoring_provisions(), leaned_on(), reasons()
    out = [
        "# What the scoring tests lean on",
        "",
        "Every provision on scoring, with the first worked case (`tests/scores`) or judged record (`tests/findings`,",
        "`laws/records`) whose account or finding cites it, or that was made to show it; and, where there is none, the",
        "reason. A test keeps it true.",
        "",
    ]
    for code in codes():
        own = [a for a in provisions if a.startswith(f"{code}:")]
        have = sum(a in shown for a in own)
        out += [
            f"## {code_data(code)['short']}",
            "",
            f"{have} of {len(own)} provisions on scoring have a case.",
            "",
        ]
        out += [
            "| provision | a case or record that leans on it | if there is none, why |",
            "| --- | --- | --- |",
        ]
        out += [
            f"| `{a.partition(':')[2]}` | {shown.get(a, '-')} | {'' if a in shown else why.get(a, '?')} |"
            for a in own
        ]
        out.append("")
    return "\n".join(out)


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
