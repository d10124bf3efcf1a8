"""The page of each law: its provisions as cards, with all that belongs to each and what answers it in the other codes."""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from oddtrick.book.attached import printed
from oddtrick.book.citation import STYLES, Unread, cite, read
from oddtrick.cli.law import law_name
from oddtrick.judge.words import number_words
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.law.parallels import load
from oddtrick.rulings import engine as rulings
from oddtrick.site.law_words import (
    figures_html,
    front,
    link,
    links,
    page_words,
    relative,
    topic_label,
)

Json = Any

STYLE_WORDS = {
    "short": "Short",
    "full": "In full",
    "markdown": "Markdown",
    "bibtex": "BibTeX",
    "csl-json": "CSL JSON",
    "link": "Link",
}
"""How the styles of a citation are called on the page."""


BOOST = {"decision": 1.5}
"""What an unnumbered law weighs in the search that is asked for by its name."""


def provision_pages(site: str = "") -> dict[str, str | bytes]:
    """The page of every law of every code; `site` is where the site will stand, for the citations."""
    made: dict[str, str | bytes] = {}
    for name in codes():
        code = code_data(name)
        laws = code["laws"]
        for index, law in enumerate(laws):
            before = laws[index - 1] if index else None
            after = laws[index + 1] if index + 1 < len(laws) else None
            made[f"codes/{name}/{law['number']}.md"] = law_page(code, law, before, after, site)
    return made


def law_page(code: Json, law: Json, before: Json | None, after: Json | None, site: str = "") -> str:
    """The page of one law."""
    here = f"codes/{code['id']}/{law['number']}.md"
    own = [p for p in code["provisions"] if p["law"] == law["address"]]
    name = law_name(law["number"])
    out = [
        front(
            f"{code['short']}, {name}: {law['heading']}",
            own[0]["text"],
            hide="navigation",
            boost=BOOST.get(law["number"].partition(".")[0], 2 if law["number"].isdigit() else 0.6),
            tags=[
                *asked_by(code["id"]),
                *law["number"].split("."),
                *_players_words(law["heading"]),
            ],
        ),
        f"# {law['heading']}",
        "",
        '<p class="law-head" markdown="span">'
        + f"[{code['short']}](index.md), {name}"
        + (f", {page_words(law['page'])}" if law["page"] else "")
        + "</p>",
        "",
    ]
    for item in own:
        out += provision_card(code, item, here, 2, item["at"] or "law", site)
    if law["note"]:
        out += [f"*{law['note']}*", ""]
    for file, words in printed(code["id"], law["number"]):
        out += [
            '<details class="printed"><summary>As printed</summary>',
            f"<p>{html.escape(words)}</p>",
        ]
        out += [
            f'<p class="cite">From your own copy, {html.escape(file)}; it is on this machine only.</p></details>',
            "",
        ]
    turn = [
        f'<a rel="prev" href="../{before["number"]}/">← {law_name(before["number"])}, {html.escape(before["heading"])}</a>'
        if before
        else "<span></span>",
        f'<a rel="next" href="../{after["number"]}/">{law_name(after["number"])}, {html.escape(after["heading"])} →</a>'
        if after
        else "",
    ]
    return "\n".join(
        [
            *out,
            f'<nav class="turn" aria-label="Neighbouring laws" data-search-exclude>{"".join(turn)}</nav>',
            "",
        ]
    )


def provision_card(
    code: Json, item: Json, here: str, level: int, anchor: str, site: str = ""
) -> list[str]:
    """One provision: restatement with its terms, figures, what belongs to it, counterparts, citations."""
    name = item["address"].partition(":")[2]
    plain = law_name(name)
    heading = name if item["at"] else plain[:1].upper() + plain[1:]
    mark = (
        ' <span class="ours">our numbering</span>'
        if item["numbering"] == "ours" and item["at"]
        else ""
    )
    out = [
        '<div class="provision" markdown="1">',
        "",
        f'{"#" * level} {heading}{mark} {{ id="{anchor}" data-toc-label="{html.escape(heading)}" }}',
        "",
        f'<p class="restatement">{with_terms(item["text"], code, item["address"], here)}</p>',
        "",
    ]
    if item["figures"]:
        out += [figures_html(item["figures"]), ""]
    out += [
        '<div class="facts" markdown="1">',
        "",
        *(f"- {f}" for f in provision_facts(item, here)),
        "",
        "</div>",
        "",
    ]
    answers = list(counterpart_lines(item["address"], code["id"], here, item["topics"][0]))
    if answers:
        out += [
            '<details class="counterparts" markdown="1" data-search-exclude><summary>In the other codes</summary>',
            "",
        ]
        out += [*(f"- {a}" for a in answers), "", "</details>", ""]
    return [*out, *citations(item["address"], site), "</div>", ""]


# --- the search -------------------------------------------------------------------------------------


@cache
def asked_by(code: str) -> tuple[str, ...]:
    """The words by which a code is named in a citation, without those that alone name another code."""

    def elsewhere(word: str) -> bool:
        with contextlib.suppress(Unread):
            return not read(f"{word} law 1").startswith(f"{code}:")
        return False

    return tuple(a for a in code_data(code).get("aliases", ()) if " " not in a and not elsewhere(a))


def _players_words(heading: str) -> list[str]:
    """The players' own words for those of a heading: `renege` where it has `revoke`."""
    said = heading.lower()
    return [
        word
        for entry in vocabulary()["words"]
        if any(
            w in said and re.search(rf"\b{re.escape(w)}(?:s|ed|d)?\b", said) for w in entry["say"]
        )
        for word in entry["for"]
        if " " not in word
    ]


# --- what belongs to it ---------------------------------------------------------------------------


def provision_facts(item: Json, here: str) -> list[str]:
    """What belongs to a provision besides its words: procedures, references, disputes, checks, topics, notes."""
    facts = []
    for key, value in item["procedures"].items():
        rule = next(p for p in vocabulary()["procedures"] if p["id"] == key)
        facts.append(f"**{rule['label']}**: {rule['values'][value]}")
    grouped: dict[tuple[str, str], list[str]] = {}
    for ref in item["refs"]:
        grouped.setdefault((ref["how"], ref.get("printed", "")), []).append(ref["to"])
    for (how, words), addresses in grouped.items():
        said = f" (printed: {words})" if words else ""
        facts.append(f"{how.replace('-', ' ').capitalize()} {links(addresses, here)}{said}")
    for key, label in (
        ("cited_by", "Cited by"),
        ("displaces", "Displaces"),
        ("amends", "Amends"),
        ("displaced_by", "Displaced by"),
        ("readings", "Rests on the reading"),
    ):
        if item[key]:
            facts.append(f"{label} {links(item[key], here)}")
    disputes = irregularities_of().get(item["address"], [])
    if disputes:
        names = rulings.catalogue()
        said = ", ".join(
            f"[{names[d].label}]({relative(f'disputes/{d}.md', here)})" for d in disputes
        )
        facts.append(f"It bears on {number_words(len(disputes), 'dispute')}: {said}")
    checks = findings_of().get(item["address"], [])
    if checks:
        facts.append(
            "The checker tests by it "
            + ", ".join(f"[`{c}`]({relative(f'rules/{c}.md', here)})" for c in checks)
        )
    if item["option"]:
        option = next(
            o["label"]
            for o in code_data(item["address"].partition(":")[0])["options"]
            if o["id"] == item["option"]
        )
        facts.append(f"In force with the option *{option}*")
    topics = (f"[{topic_label(t)}]({relative(f'topics/{t}.md', here)})" for t in item["topics"])
    facts.append("Topics: " + ", ".join(topics))
    for variant in item["variants"]:
        said = "does not have it" if variant.get("absent") else variant.get("text", "")
        facts.append(
            f"Edition {variant['edition']}: {' '.join(p for p in (said, variant.get('note', '')) if p)}"
        )
    if item["note"]:
        facts.append(f"*{item['note']}*")
    return facts


@cache
def irregularities_of() -> dict[str, list[str]]:
    """For each address the irregularities whose rulings, or silence, rest on it."""
    found: dict[str, dict[str, None]] = {}
    for code in codes():
        for entry in code_data(code)["irregularities"]:
            laws = [*entry["provisions"]]
            for ruling in entry["rulings"]:
                laws += [
                    *ruling["provisions"],
                    *ruling["decisions"],
                    *(r["provision"] for r in ruling.get("remedies", [])),
                ]
            for law in laws:
                found.setdefault(law, {})[entry["irregularity"]] = None
    return {a: list(v) for a, v in found.items()}


@cache
def findings_of() -> dict[str, list[str]]:
    """For each address the findings of the checker that name it as the law behind them, in its own code."""
    found: dict[str, dict[str, None]] = {}
    for code in codes():
        for rule, laws in code_data(code)["findings"].items():
            for law in laws if isinstance(laws, list) else []:
                found.setdefault(law, {})[rule] = None
    return {a: list(v) for a, v in found.items()}


def counterpart_lines(address: str, own: str, here: str, topic: str) -> Iterator[str]:
    """What answers a provision in each other code, with the kind of answer, what differs, and the comparison on its topic."""
    relations = load()
    for theirs in (c for c in codes() if c != own):
        kind, found = relations.stands(address, own, theirs)
        if found in ([], [address]):
            continue  # a base's law that is in force under the code that extends it answers itself: nothing to tell
        short = code_data(theirs)["short"]
        told: dict[str, None] = {}
        for other in found:
            for d in relations.differences(address, other):
                told[f"{d['label']}: {d['theirs']} (here: {d['ours']})"] = None
        where = ", ".join(link(a, here) for a in found)
        pair = "--".join(sorted((own, theirs), key=codes().index))
        compare = f"[compare]({relative(f'compare/{pair}.md', here)}#{topic})"
        yield f"**{short}**, {relations.kinds[kind]}: {where}{'. ' + '; '.join(told) if told else ''} · {compare}"


def _up(here: str) -> str:
    """The way from the URL of a page to the root of the site."""
    return "../" * len(here.removesuffix(".md").removesuffix("/index").split("/"))


def citations(address: str, site: str = "") -> list[str]:
    """The citation in every style, folded away; a script puts a button for copying beside each."""
    rows = "".join(
        f'<div class="cite-row"><dt>{STYLE_WORDS[s]}</dt><dd><code>{html.escape(cite(address, s, site))}</code></dd></div>'
        for s in STYLES
    )
    return [
        f'<details class="cite" data-search-exclude><summary>Cite <code>{address}</code></summary><dl>{rows}</dl></details>',
        "",
    ]


# --- terms ----------------------------------------------------------------------------------------


@cache
def _terms(code: str) -> tuple[tuple[str, str, str, str], ...]:
    """The terms that a code or its base defines: the word in use, its id, the definition, its address; the longest words first."""
    found: dict[str, tuple[str, str, str, str]] = {}
    labels = {t["id"]: t["label"] for t in vocabulary()["terms"]}
    owner: Json | None = code_data(code)
    while owner:
        for item in owner["provisions"]:
            for term in item["terms"]:
                found.setdefault(term, (labels[term], term, item["text"], item["address"]))
        owner = code_data(owner["extends"]) if owner["extends"] else None
    return tuple(sorted(found.values(), key=lambda t: (-len(t[0]), t[0])))


@cache
def _term_pattern(code: str) -> tuple[dict[str, tuple[str, str, str]], re.Pattern[str]]:
    """The terms of a code by their words in small letters, and a pattern that finds them; one that finds nothing where it has none."""
    table = {word.lower(): (term, said, law) for word, term, said, law in _terms(code)}
    return table, re.compile(
        r"\b(" + "|".join(re.escape(w) for w in table) + r")\b" if table else r"(?!)", re.IGNORECASE
    )


def with_terms(text: str, code: Json, address: str, here: str) -> str:
    """A restatement in HTML in which the first use of each defined term leads to the glossary and shows its definition."""
    table, pattern = _term_pattern(code["id"])
    used: set[str] = set()
    out, last = "", 0
    for match in pattern.finditer(text):
        term, said, law = table[match[0].lower()]
        if term in used or law == address:
            continue
        used.add(term)
        shown = html.escape(said if len(said) < 240 else said[:237].rsplit(" ", 1)[0] + " …")
        out += html.escape(text[last : match.start()])
        out += f'<a class="term" href="{_up(here)}glossary/#{term}" data-definition="{shown}">{html.escape(match[0])}</a>'
        last = match.end()
    return out + html.escape(text[last:])
