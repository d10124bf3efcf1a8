"""Which provisions a ruling reaches, and why the others are reached by none.

Also a program: `rulings_coverage.py` writes docs/rulings-coverage.md.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from lawbook import code_data, codes
from oddtrick.law.yaml import read as read_yaml
from oddtrick.rulings import engine as rulings

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "rulings" / "not-reached.yml"
PAGE = ROOT / "docs" / "rulings-coverage.md"


@cache
def provisions() -> dict[str, Any]:
    """Every provision by its address, code by code."""
    return {p["address"]: p for code in codes() for p in code_data(code)["provisions"]}


@cache
def reached() -> dict[str, list[str]]:
    """The irregularities whose rulings, entries or general rules on penalties rest on each
    address.
    """
    found: dict[str, list[str]] = {}
    for code in codes():
        data = code_data(code)
        for entry in data["irregularities"]:
            laws = list(entry["provisions"])
            for ruling in entry["rulings"]:
                laws += [
                    *ruling["provisions"],
                    *ruling["decisions"],
                    *(r["provision"] for r in ruling.get("remedies", [])),
                ]
            for law in dict.fromkeys(laws):
                found.setdefault(law, []).append(entry["irregularity"])
        for rule in data["penalties"]:
            for law in rule["provisions"]:
                found.setdefault(law, []).append(f"on penalties: {rule['about']}")
    return {a: list(dict.fromkeys(v)) for a, v in found.items()}


def reasons() -> dict[str, str]:
    """The reason for each provision that no ruling reaches."""
    told = read_yaml(REASONS.read_text("utf-8"))
    return {
        f"{code}:{at}": reason
        for code, rows in told.items()
        for reason, places in rows.items()
        for at in places
    }


def differences() -> tuple[list[str], list[str]]:
    """Provisions neither reached nor explained; explanations for provisions that are reached or do
    not exist.
    """
    found, told, known = reached(), reasons(), provisions()
    missing = [a for a in known if a not in found and a not in told]
    return missing, [a for a in told if a in found or a not in known]


def page() -> str:
    """docs/rulings-coverage.md."""
    found, told = reached(), reasons()
    names = rulings.catalogue()
    out = [
        "# Which laws a ruling reaches",
        "",
        "Every provision of every code, with the irregularities on which it bears, or the reason why it bears on none.",
        "A test keeps it true.",
        "",
    ]
    for code in codes():
        rows = code_data(code)["provisions"]
        count = sum(1 for p in rows if p["address"] in found)
        out += [
            f"## {code_data(code)['short']}",
            "",
            f"{count} of {len(rows)} provisions are reached.",
            "",
        ]
        out += ["| law | reached by | or why not |", "| --- | --- | --- |"]
        for p in rows:
            own = p["address"].partition(":")[2]
            labels = ", ".join(
                names[n].label if n in names else n for n in found.get(p["address"], [])
            )
            out.append(
                f"| `{own}` | {labels or '-'} | {'' if labels else told.get(p['address'], '')} |"
            )
        out.append("")
    return "\n".join(out).rstrip() + "\n"


if __name__ == "__main__":
    lacking, needless = differences()
    for address in lacking:
        sys.stderr.write(f"neither reached nor explained: {address}\n")
    for address in needless:
        sys.stderr.write(f"explained for nothing: {address}\n")
    PAGE.write_text(page(), "utf-8")
