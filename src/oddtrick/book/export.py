"""The whole lawbook for other programs: one JSON document under a published schema, or CSV."""

from __future__ import annotations

import csv
import io
import json

from oddtrick import __version__
from oddtrick.law.book import book, document
from oddtrick.law.model import Code, Provision
from oddtrick.law.names import cited, path_of
from oddtrick.law.parallels import load
from oddtrick.paths import folder

SCHEMA = "lawbook.schema.json"
COLUMNS = (
    "address", "code", "law", "heading", "numbering", "page", "option", "text", "topics", "terms",
    "figures", "procedures", "refers_to", "cited_by", "displaces", "amends", "displaced_by",
    "readings", "rules", "counterparts", "note", "citation", "path",
)  # fmt: skip
"""The columns of the CSV; lists have spaces between, figures and procedures are JSON."""


def export(form: str = "json") -> str:
    """The lawbook as text: `json` (a document under `schema`) or `csv` (a row for each provision).

    Raises `ValueError` for another form.
    """
    if form not in ("json", "csv"):
        raise ValueError(f"no form {form}; there are json, csv")
    return as_json() if form == "json" else as_csv()


def as_json() -> str:
    """The lawbook as one JSON document: version, vocabulary, codes, rules, the law in force of each
    code.
    """
    named = {"oddtrick": __version__, "schema": f"https://oddtrick.example/schema/{SCHEMA}"}
    return json.dumps(named | document(), ensure_ascii=False, indent=1) + "\n"


def as_csv() -> str:
    """The provisions as CSV with a head line, one row each, RFC 4180."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(_row(code, p) for code in book().codes for p in code.provisions)
    return out.getvalue()


def _row(code: Code, p: Provision) -> dict[str, str]:
    rules = load().of.get(p.address, [])
    mates = [a for r in rules for c, own in r.members.items() for a in own if c != code.id]
    return {
        "address": p.address,
        "code": code.id,
        "law": p.law,
        "heading": p.heading,
        "numbering": p.numbering,
        "page": p.page or "",
        "option": p.option or "",
        "text": p.text,
        "topics": " ".join(p.topics),
        "terms": " ".join(p.terms),
        "figures": json.dumps(p.figures, ensure_ascii=False) if p.figures else "",
        "procedures": json.dumps(p.procedures, ensure_ascii=False) if p.procedures else "",
        "refers_to": " ".join(r.to for r in p.refs),
        "cited_by": " ".join(p.cited_by),
        "displaces": " ".join(p.displaces),
        "amends": " ".join(p.amends),
        "displaced_by": " ".join(p.displaced_by),
        "readings": " ".join(p.readings),
        "rules": " ".join(r.id for r in rules),
        "counterparts": " ".join(dict.fromkeys(mates)),
        "note": p.note or "",
        "citation": cited(p.address),
        "path": path_of(p.address),
    }


def schema() -> str:
    """The JSON Schema of the JSON document, as published: JSON too."""
    published = json.loads((folder("laws") / "schema" / SCHEMA).read_text("utf-8"))
    return json.dumps(published, ensure_ascii=False, indent=2) + "\n"
