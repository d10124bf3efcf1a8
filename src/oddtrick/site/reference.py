"""Pages that gather the lawbook: glossary, readings, decisions; with sources and coverage and the documents beside them.

They say nothing of their own about a law: every row leads to the place where it stands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from oddtrick.book.citation import cite, law_words
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.book import book
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.paths import folder
from oddtrick.record.hand.read import read_bytes
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.words import ABOUT
from oddtrick.site.coverage import (
    STYLE,
    TABLES,
    coverage_page,
    facts_table,
    sources_page,
    table_page,
)
from oddtrick.site.deal import href
from oddtrick.site.dispute import leaves
from oddtrick.site.law_words import document, front, link, links, relative, settled, target
from oddtrick.site.record import anchor_of

Json = Any

DOCUMENTS = ("commands", "citing", "encoding-another-code", "editorial")
"""Documents that are pages as they are."""


def in_order_of_codes(found: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What codes say, in the codes' order, those that say the same in one row: `("Auction 1912, Royalton", text)`."""
    said: dict[str, list[str]] = {}
    for code in (c for c in codes() if c in found):
        said.setdefault(found[code], []).append(str(code_data(code)["short"]))
    for text, names in said.items():
        yield ", ".join(names), text


# --- glossary -------------------------------------------------------------------------------------


def glossary_page() -> str:
    """`glossary.md`: every term with its definition in each code that defines it; the anchors are the terms' ids."""
    here = "glossary.md"
    out = [
        front("Glossary", "Every term that a code defines, in the words of each.", "described"),
        STYLE,
        "",
        "# Glossary",
        "",
        '<p class="lede">The terms that the codes define, each in the words of every code that defines it. Codes that '
        "define it alike stand together.</p>",
        "",
        f'<p class="note">{_extending()}</p>',
        "",
    ]
    terms = sorted(vocabulary()["terms"], key=lambda t: str(t["label"]).lower())
    for term in terms:
        out += [
            f"## {term['label'][:1].upper()}{term['label'][1:]} {{ #{term['id']} .term-head }}",
            "",
        ]
        out += [_definitions(term["id"], here), ""]
    return "\n".join([*out, *_own_words(), ""])


def _extending() -> str:
    """Which codes take their terms from another."""
    named = [c for c in map(code_data, codes()) if c["extends"]]
    told = [
        f"{c['short']} has the terms of {code_data(c['extends'])['short']} besides its own"
        for c in named
    ]
    return "; ".join(told) + "." if told else ""


def _definitions(term: str, here: str) -> str:
    """The definitions of a term as a list: the codes, the restatement with its laws, the word each code prints."""
    said: dict[str, list[str]] = {}
    for code in codes():
        for item in code_data(code)["provisions"]:
            if term in item["terms"]:
                said.setdefault(item["text"], []).append(item["address"])
    rows = []
    for text, addresses in said.items():
        names = dict.fromkeys(str(code_data(a.partition(":")[0])["short"]) for a in addresses)
        shown = ((a, law_words(a) if len(names) == 1 else cite(a, "short")) for a in addresses)
        laws = "; ".join(
            f'<a href="{href(a, here)}">{html.escape(words)}</a>' for a, words in shown
        )
        prints = [
            f"{data['short']} prints “{html.escape(word)}”"
            for a in addresses
            for data in [code_data(a.partition(":")[0])]
            if (word := data["terms"].get(term))
        ]
        own = f' <span class="prints">{"; ".join(prints)}.</span>' if prints else ""
        rows.append(
            f'<div class="behind-row"><dt>{", ".join(names)}</dt><dd>{html.escape(text, quote=False)} '
            f'<small class="laws">{laws}</small>{own}</dd></div>'
        )
    return f'<dl class="behind">{"".join(rows)}</dl>'


def _own_words() -> list[str]:
    """The words that codes print where the restatements have another."""
    labels = {t["id"]: t["label"] for t in vocabulary()["terms"]}
    found: dict[str, dict[str, str]] = {}
    for code in codes():
        for term, word in code_data(code)["terms"].items():
            found.setdefault(term, {})[code] = word
    rows = [
        f'<tr><th scope="row">{labels.get(term, term.replace("-", " "))}</th><td>'
        + "; ".join(
            f"{html.escape(word)} <small>({names})</small>"
            for names, word in in_order_of_codes(words)
        )
        + "</td></tr>"
        for term, words in sorted(found.items())
    ]
    return [
        "## The codes' own words { #own-words }",
        "",
        "The restatements have one word for one thing, so that codes can be compared. Where a code prints another, it is here.",
        "",
        facts_table("The codes' own words", ["in the restatements", "as printed"], rows),
    ]


# --- readings -------------------------------------------------------------------------------------


def readings_page() -> str:
    """`readings.md`: every doubtful place of every code."""
    here = "readings.md"
    number = sum(len(code_data(c)["readings"]) for c in codes())
    out = [
        front(
            "Readings",
            "Every doubtful place of the codes and how the project reads it.",
            "described",
        ),
        STYLE,
        "",
        "# Readings",
        "",
        f'<p class="lede">{number_words(number, "place")} at which a code is damaged, silent or open to doubt: the question, '
        "the readings that can be defended, and the one that is applied.</p>",
        "",
        "A verdict or a score that turns on a reading says so, and a finding that another reading would change is *disputed*, "
        "not *irregular*.",
        "",
    ]
    for code in codes():
        data = code_data(code)
        if not data["readings"] and not data["settled"]:
            continue
        out += [f"## {data['short']} {{ #{code} }}", ""]
        out += [line for r in data["readings"] for line in _reading(r, code, here)]
        out += settled(data, here, f"{code}.")
    return "\n".join(out)


def _reading(reading: Json, code: str, here: str) -> list[str]:
    """One doubtful place as a card."""
    choices = [
        f"- {'**Applied.** ' if c['id'] == reading['applied'] else ''}{c['text']}"
        for c in reading["choices"]
    ]
    page, fragment = target(reading["address"])
    return [
        '<div class="provision" markdown="1">',
        "",
        f"### {reading['question']} {{ #{code}.{reading['id']} }}",
        "",
        *choices,
        "",
        f"Why: {reading['why']}",
        "",
        '<div class="facts" markdown="1">',
        "",
        f"- Bears on {links(reading['places'], here)}",
        *(f"- {told}" for told in what_turns_on(reading, code, here)),
        f"- [Where it is cited]({page}#{fragment}): `{reading['address']}`",
        "",
        "</div>",
        "",
        "</div>",
        "",
    ]


def what_turns_on(reading: Json, code: str, here: str) -> Iterator[str]:
    """What the program takes from a reading: rules that it supplies, figures in doubt, rulings; else the rules of its places."""
    known = {r["id"]: r for r in [*vocabulary()["procedures"], *vocabulary()["figures"]]}
    told = False
    for name, value in {**reading.get("procedures", {}), **reading.get("figures", {})}.items():
        told = True
        yield f"Supplies a rule: **{known[name]['label']}**. {known[name].get('values', {}).get(value, value)}"
    for name, cells in reading.get("touches", {}).items():
        told = True
        where = f", in {and_words([_cell(c) for c in cells])}" if cells else ""
        yield f"Leaves in doubt: **{known[name]['label']}**{where}"
    named = rulings_naming(reading["address"], "readings")
    if named:
        told = True
        where = ", ".join(dict.fromkeys(_dispute(name, here, code) for name, _ in named))
        yield f"{number_words(len(named), 'ruling')} {'rests' if len(named) == 1 else 'rest'} on it, in {where}"
    if not told:
        items = [
            p
            for p in code_data(code)["provisions"]
            if reading["address"] in p["readings"] or p["address"] in reading["places"]
        ]
        rules = dict.fromkeys(
            known[n]["label"] for p in items for n in (*p["procedures"], *p["figures"])
        )
        read = (
            f"The program reads with it: **{and_words(rules)}**"
            if rules
            else "No figure, procedure or ruling rests on it"
        )
        yield f"{read}; the restatement follows it"


def _cell(cell: str) -> str:
    """A cell of a figure in words: `trump, 3 and 2`."""
    labels = {d["id"]: d["label"] for d in vocabulary()["denominations"]}
    parts = (labels.get(p) or re.sub(r"^(\d)-(\d)$", r"\1 and \2", p) for p in cell.split("."))
    return ", ".join(parts)


def rulings_naming(address: str, part: str) -> list[tuple[str, rulings.Ruling]]:
    """The rulings of the address's code that name it under `part` or give something by it, each with its irregularity."""
    code = address.partition(":")[0]
    found = []
    for entry in code_data(code)["irregularities"]:
        named = {
            raw["id"]
            for raw in entry["rulings"]
            if address
            in (*raw[part], *raw["provisions"], *(r["provision"] for r in raw.get("remedies", [])))
        }
        if named:
            table = {
                a.ruling.id: a.ruling
                for a in leaves(entry["irregularity"], code, entry["option"])
                if a.ruling
            }
            found += [
                (entry["irregularity"], ruling) for name, ruling in table.items() if name in named
            ]
    return found


def _dispute(name: str, here: str, code: str) -> str:
    """A link to what a code gives for an irregularity."""
    return f"[{rulings.catalogue()[name].label}]({relative(f'disputes/{name}.md', here)}#{code})"


# --- decisions ------------------------------------------------------------------------------------


def decisions_page() -> str:
    """`decisions.md`: the cases that were decided under the codes, what the rulings come to, the record that shows each."""
    here = "decisions.md"
    out = [
        front(
            "Decisions",
            "Cases that were decided under the codes, and what the program comes to.",
            "described",
        ),
        STYLE,
        "",
        "# Decisions",
        "",
        '<p class="lede">Cases put to those who made a code, and what they answered; beside each what the program gives '
        "for the same facts.</p>",
        "",
    ]
    for code in codes():
        data = code_data(code)
        glosses = [k.id for k in book().code(code).passages if k.role == "gloss"]
        cases = [law for law in data["laws"] if law["number"].partition(".")[0] in glosses]
        if not cases:
            continue
        out += [f"## {data['short']}: {data['body']} {{ #{code} }}", ""]
        for law in cases:
            out += _decision(law, data, here)
    return "\n".join(out)


def _decision(law: Json, code: Json, here: str) -> list[str]:
    """One decision as a card: case and outcome, the laws, what rulings rest on it, its record."""
    items = [p for p in code["provisions"] if p["law"] == law["address"]]
    relations = {r["id"]: r["label"] for r in vocabulary()["relations"]}
    name = law_words(law["address"])
    out = [
        '<div class="provision" markdown="1">',
        "",
        f"### {name[:1].upper()}{name[1:]}: {law['heading']} {{ #{code['id']}.{law['number']} }}",
        "",
        *(f'<p class="restatement">{html.escape(p["text"], quote=False)}</p>' for p in items),
        "",
        '<div class="facts" markdown="1">',
        "",
    ]
    refs: dict[str, list[str]] = {}
    for ref in (r for p in items for r in p["refs"]):
        refs.setdefault(ref["how"], []).append(ref["to"])
    out += [f"- {relations[how].capitalize()}: {links(to, here)}" for how, to in refs.items()]
    for irregularity, ruling in rulings_naming(law["address"], "decisions"):
        said = linked(rulings.ruling_words(ruling), here)
        out.append(
            f"- {_dispute(irregularity, here, code['id'])}, {rulings.case_words(ruling)}: {said}"
        )
    general = [r for r in code["penalties"] if law["address"] in r["provisions"]]
    if general:
        about = (ABOUT.get(r["about"], "where no penalty is named").lower() for r in general)
        out.append(f"- Stands among the general rules on exacting a penalty: {and_words(about)}")
    checks = [f for f, v in code["findings"].items() if isinstance(v, list) and law["address"] in v]
    out += [f"- The checker finds by it [`{f}`](rules/{f}.md)" for f in checks]
    shown = record_of(law["heading"], code["id"])
    if shown:
        out.append(f"- As a record: [{shown[0]}]({shown[1]})")
    out += [f"- *{p['note']}*" for p in items if p["note"]]
    return [*out, f"- Cite {link(law['address'], here)}", "", "</div>", "", "</div>", ""]


def linked(words: str, here: str) -> str:
    """Words in which each address of a law is a link, shown without its code."""
    known = "|".join(re.escape(c) for c in codes())
    return re.sub(
        rf"\b(?:{known}):[\w.]*\w", lambda m: link(m[0], here, m[0].partition(":")[2]), words
    )


def record_of(title: str, code: str) -> tuple[str, str] | None:
    """The shipped record with this title under this code: its words, and the page with the fragment."""
    for path in sorted((folder("laws") / "records").glob("*.hand")):
        data = path.read_bytes()
        if title not in data.decode("utf-8"):
            continue
        for result in check_document(read_bytes(data, path.name).items):
            if (
                isinstance(result, Check)
                and result.rules
                and result.rules.code == code
                and result.record.tag("title") == title
            ):
                return result.record.id, f"records/{path.stem}.md#{anchor_of(result)}"
    return None


# --- all of them ----------------------------------------------------------------------------------


def reference_pages() -> dict[str, str | bytes]:
    """The pages that gather the lawbook, and the documents: path to content."""
    made: dict[str, str | bytes] = {
        "glossary.md": glossary_page(),
        "readings.md": readings_page(),
        "decisions.md": decisions_page(),
        "sources.md": sources_page(),
        "coverage.md": coverage_page(),
    }
    for name in TABLES:
        made[f"{name}.md"] = table_page(name)
    for name in DOCUMENTS:
        made[f"{name}.md"] = document(name)
    return made
