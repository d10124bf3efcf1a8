"""Which provisions a ruling reaches, and why the others are reached by none."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lawbook import code_data, codes
from oddtrick.law.yaml import read as read_yaml

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "rulings" / "not-reached.yml"


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
