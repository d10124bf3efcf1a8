"""The whole lawbook for other programs: one JSON document under a published schema, or one CSV row per provision."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from oddtrick import __version__
from oddtrick.book.citation import cite, path_of
from oddtrick.law import store
from oddtrick.law.parallels import load
from oddtrick.paths import folder

Json = Any

SCHEMA = "lawbook.schema.json"
COLUMNS = (
    "address", "code", "law", "heading", "numbering", "page", "option", "text", "topics", "terms", "figures", "procedures",
    "refers_to", "cited_by", "displaces", "amends", "displaced_by", "readings", "rules", "counterparts", "note", "citation",
    "path",
)  # fmt: skip
"""The columns of the CSV; lists have spaces between, figures and procedures are JSON."""

_PRIVATE = ("file", "line", "places")
_OURS = ("collation", "cells")


def book() -> dict[str, Json]:
    """The lawbook as plain data: version, vocabulary, codes with laws, provisions, readings, findings, and rules."""
    codes = []
    for code in store.load("index"):
        data = store.load(code)
        codes.append({k: _public(v) for k, v in data.items() if k not in _PRIVATE})
    rules = store.load("rules")
    return {
        "oddtrick": __version__,
        "schema": f"https://oddtrick.example/schema/{SCHEMA}",
        "vocabulary": {k: v for k, v in store.load("vocabulary").items() if k not in _OURS},
        "codes": codes,
        "rules": rules["rules"],
        "alone": rules["alone"],
        "in_force": rules["sides"],
    }


def _public(value: Json) -> Json:
    if isinstance(value, dict):
        return {k: _public(v) for k, v in value.items() if k not in ("file", "line")}
    if isinstance(value, list):
        return [_public(v) for v in value]
    return value


def as_json() -> str:
    """The lawbook as one JSON document."""
    return json.dumps(book(), ensure_ascii=False, indent=1) + "\n"


def as_csv() -> str:
    """The provisions as CSV with a head line, one row each, RFC 4180."""
    relations = load()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for code in store.load("index"):
        data = store.load(code)
        for p in data["provisions"]:
            rules = relations.of.get(p["address"], [])
            mates = [
                a
                for r in rules
                for c, members in r["members"].items()
                for a in members
                if c != code
            ]
            row = {
                **{
                    k: p[k] or ""
                    for k in ("address", "heading", "numbering", "page", "option", "text", "note")
                },
                "code": code,
                "law": p["law"],
                **{
                    k: " ".join(p[k])
                    for k in (
                        "topics",
                        "terms",
                        "cited_by",
                        "displaces",
                        "amends",
                        "displaced_by",
                        "readings",
                    )
                },
                **{
                    k: json.dumps(p[k], ensure_ascii=False) if p[k] else ""
                    for k in ("figures", "procedures")
                },
                "refers_to": " ".join(r["to"] for r in p["refs"]),
                "rules": " ".join(r["id"] for r in rules),
                "counterparts": " ".join(dict.fromkeys(mates)),
                "citation": cite(p["address"], "short"),
                "path": path_of(p["address"]),
            }
            writer.writerow([row[c] for c in COLUMNS])
    return out.getvalue()


def schema() -> Json:
    """The JSON Schema of the JSON document, as published."""
    return json.loads((folder("laws") / "schema" / SCHEMA).read_text("utf-8"))
