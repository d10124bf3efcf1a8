"""The pages of the law: a page for each law, each code whole, its readings, the topics, the data."""

from __future__ import annotations

import html
import json
from typing import Any

from oddtrick import lawcache
from oddtrick.citing import date_words, path_of
from oddtrick.data import folder
from oddtrick.law import law_name
from oddtrick.lawbook import code_data, codes, vocabulary
from oddtrick.lawdata import schemas
from oddtrick.words import number_words

Json = Any


def front(title: str, description: str, excluded: bool = False, hide: str = "") -> str:
    """The head of a page."""
    lines = [
        "---",
        f"title: {json.dumps(title, ensure_ascii=False)}",
        f"description: {json.dumps(description[:300], ensure_ascii=False)}",
    ]
    if excluded:
        lines.append("search: {exclude: true}")
    if hide:
        lines.append(f"hide: [{hide}]")
    return "\n".join([*lines, "---", "", ""])


def target(address: str) -> tuple[str, str]:
    """The page and the fragment of an address: `("codes/auction-1912/84.md", "b")`."""
    path, _, fragment = path_of(address).partition("#")
    page = path.rstrip("/")
    return (f"{page}.md" if ":" in address else f"{page}/index.md"), fragment


def relative(page: str, here: str) -> str:
    """The way from one page to another, as Markdown links write it."""
    up = here.count("/")
    ours, theirs = here.split("/"), page.split("/")
    while len(ours) > 1 and len(theirs) > 1 and ours[0] == theirs[0]:
        ours, theirs = ours[1:], theirs[1:]
        up -= 1
    return "../" * up + "/".join(theirs)


def link(address: str, here: str, words: str | None = None) -> str:
    """A Markdown link to an address from a page; within the same code without its name."""
    page, fragment = target(address)
    code = here.split("/")[1] if here.startswith("codes/") else ""
    shown = words or (address.partition(":")[2] if address.startswith(code + ":") else address)
    return f"[{shown}]({relative(page, here)}{'#' + fragment if fragment else ''})"


def links(addresses: list[str], here: str) -> str:
    """Links in a row."""
    return ", ".join(link(a, here) for a in addresses)


# --- figures --------------------------------------------------------------------------------------


def figure_html(name: str, value: Json) -> str:
    """A figure as a small table or a line, in HTML."""
    label = next((f["label"] for f in vocabulary()["figures"] if f["id"] == name), name)
    return f'<div class="figure"><span class="figure-name">{html.escape(label)}</span>{_value(value)}</div>'


def _value(value: Json) -> str:
    if isinstance(value, dict):
        rows = "".join(
            f'<tr><th scope="row">{html.escape(_word(k))}</th><td>{_value(v)}</td></tr>'
            for k, v in value.items()
        )
        return f"<table><tbody>{rows}</tbody></table>"
    if isinstance(value, list):
        if value and all(isinstance(v, int) for v in value):
            return html.escape(
                (", ".join(map(str, value[:-1])) + ", then " if len(value) > 1 else "") + f"{value[-1]} each"
            )
        return (
            "<br>".join(_value(v) for v in value)
            if any(isinstance(v, dict) for v in value)
            else html.escape(", ".join(_word(str(v)) for v in value))
        )
    return html.escape(_word(str(value)))


def _word(key: str) -> str:
    found = next((d["label"] for d in vocabulary()["denominations"] if d["id"] == key), None)
    return found or {
        "T": "10",
        "odd_tricks": "odd tricks",
        "lifted_by": "lifted by",
        "dealers-first": "the dealer's first",
    }.get(key, key.replace("-", " ") if key[:1].isalpha() else key.replace("-", " and "))


# --- a provision ----------------------------------------------------------------------------------


def provision(item: Json, here: str, level: int, anchor: str) -> list[str]:
    """A provision as a card: restatement, figures, what it refers to, what refers to it."""
    name = item["address"].partition(":")[2]
    plain = law_name(name)
    heading = name if item["at"] else plain[:1].upper() + plain[1:]
    mark = ' <span class="ours">our numbering</span>' if item["numbering"] == "ours" and item["at"] else ""
    out = [
        '<div class="provision" markdown="1">',
        "",
        f'{"#" * level} {heading}{mark} {{ id="{anchor}" data-toc-label="{html.escape(heading)}" }}',
        "",
        f'<p class="restatement">{html.escape(item["text"])}</p>',
        "",
    ]
    if item["figures"]:
        figures = "".join(figure_html(k, v) for k, v in item["figures"].items())
        out += [f'<div class="figures">{figures}</div>', ""]
    out += [
        '<div class="facts" markdown="1">',
        "",
        *(f"- {f}" for f in provision_facts(item, here)),
        "",
        "</div>",
        "",
    ]
    return [*out, f'<p class="cite">Cite: <code>{item["address"]}</code></p>', "", "</div>", ""]


def provision_facts(item: Json, here: str) -> list[str]:
    """What belongs to a provision besides its words: procedures, references, topics, notes."""
    facts = []
    for key, value in item["procedures"].items():
        rule = next(p for p in vocabulary()["procedures"] if p["id"] == key)
        facts.append(f"**{rule['label']}**: {rule['values'][value]}")
    grouped: dict[tuple[str, str], list[str]] = {}
    for ref in item["refs"]:
        grouped.setdefault((ref["how"], ref.get("printed", "")), []).append(ref["to"])
    for (how, printed), addresses in grouped.items():
        said = f" (printed: {printed})" if printed else ""
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
    if item["option"]:
        facts.append(f"In force with the option *{item['option']}*")
    topics = (f"[{topic_label(t)}]({relative('topics.md', here)}#{t})" for t in item["topics"])
    facts.append("Topics: " + ", ".join(topics))
    if item["note"]:
        facts.append(f"*{item['note']}*")
    return facts


def topic_label(topic: str) -> str:
    """The label of a topic."""
    return str(next(t["label"] for t in vocabulary()["topics"] if t["id"] == topic))


# --- pages ----------------------------------------------------------------------------------------


def page_words(page: str) -> str:
    """`page 7`, `pages 7-8`."""
    return f"page{'s' if '-' in page else ''} {page}"


def restated(code: Json) -> str:
    """How much of a code is restated: `all 97 numbered laws restated`."""
    number = sum(1 for law in code["laws"] if law["number"].isdigit())
    whole = code["numbered_laws"]
    return (
        f"all {whole} numbered laws restated"
        if number == whole
        else f"{number} of {whole} numbered laws restated"
    )


def law_page(code: Json, law: Json, before: Json | None, after: Json | None) -> str:
    """The page of one law."""
    here = f"codes/{code['id']}/{law['number']}.md"
    own = [p for p in code["provisions"] if p["law"] == law["address"]]
    name = law_name(law["number"])
    title = f"{code['short']}, {name}: {law['heading']}"
    out = [
        front(title, own[0]["text"], hide="navigation"),
        f"# {law['heading']}",
        "",
        '<p class="law-head" markdown="span">'
        + f"[{code['short']}](index.md), {name}"
        + (f", {page_words(law['page'])}" if law["page"] else "")
        + "</p>",
        "",
    ]
    for item in own:
        out += provision(item, here, 2, item["at"] or "law")
    if law["note"]:
        out += [f"*{law['note']}*", ""]
    turn = [
        f"[← {law_name(before['number'])}]({before['number']}.md)" if before else "",
        f"[{law_name(after['number'])} →]({after['number']}.md)" if after else "",
    ]
    out += ['<p class="turn" markdown="span">' + " · ".join(t for t in turn if t) + "</p>", ""]
    return "\n".join(out)


def whole_page(code: Json) -> str:
    """A whole code on one page, for reading and printing."""
    here = f"codes/{code['id']}/whole.md"
    out = [
        front(f"{code['short']} whole", f"{code['title']}, whole, on one page.", True),
        f"# {code['title']}",
        "",
        f"{code['body']}, {date_words(code['date'])}. Restated; figures as printed.",
        "",
    ]
    for law in code["laws"]:
        out += [
            f'## {law_name(law["number"])[:1].upper()}{law_name(law["number"])[1:]}. {law["heading"]} {{ id="{law["number"]}" }}',
            "",
        ]
        for item in (p for p in code["provisions"] if p["law"] == law["address"]):
            label = f"**{item['at']}** " if item["at"] else ""
            out += [f"{label}{html.escape(item['text'])} {link(item['address'], here, '¶')}", ""]
    return "\n".join(out)


def readings_page(code: Json) -> str:
    """The doubtful places of a code."""
    here = f"codes/{code['id']}/readings.md"
    out = [
        front(f"{code['short']}: readings", "The doubtful places and how the project reads them."),
        "# Readings",
        "",
        f"Where {code['short']} is damaged, silent or open to doubt, the question, the readings that can be defended, and the one applied.",
        "",
    ]
    for reading in code["readings"]:
        out += [
            '<div class="provision" markdown="1">',
            "",
            f'## {reading["question"]} {{ id="{reading["id"]}" }}',
            "",
        ]
        out += [
            f"- {'**Applied.** ' if c['id'] == reading['applied'] else ''}{c['text']}"
            for c in reading["choices"]
        ]
        out += [
            "",
            f"Why: {reading['why']}",
            "",
            f"Bears on {links(reading['places'], here)}. Cite: `{reading['address']}`",
            "",
            "</div>",
            "",
        ]
    return "\n".join(out)


def code_page(code: Json) -> str:
    """The first page of a code: what it is, its book, its options, its contents."""
    here = f"codes/{code['id']}/index.md"
    out = [
        front(code["short"], code["about"], True),
        f"# {code['short']}",
        "",
        f'<p class="lede">{html.escape(code["about"])}</p>',
        "",
    ]
    out += [
        f"{code['title']}, {code['body']}, {date_words(code['date'])}. {restated(code).capitalize()}.",
        "",
        f"Printed in {code['source'].get('book', '')}.",
        "",
    ]
    if code["extends"]:
        base = code_data(code["extends"])
        out += [
            f"It amends [{base['short']}](../{base['id']}/index.md), whose laws stay in force where it does not displace them.",
            "",
        ]
    more = ["[The whole code on one page](whole.md)", f"[data](../../data/{code['id']}.json)"]
    if code["readings"]:
        more.insert(1, f"[{number_words(len(code['readings']), 'reading')} of doubtful places](readings.md)")
    out += [" · ".join(more), ""]
    for option in [None, *(o["id"] for o in code["options"])]:
        listed = [law for law in code["laws"] if law["option"] == option]
        if option is None:
            out += ["## Laws", ""]
        else:
            data = next(o for o in code["options"] if o["id"] == option)
            out += [f'## Option: {data["label"]} {{ id="{option}" }}', "", data.get("about", ""), ""]
        out += [f"- {link(law['address'], here, law_name(law['number']))} {law['heading']}" for law in listed]
        out.append("")
    if code["absent"]:
        labels = {r["id"]: r["label"] for r in [*vocabulary()["procedures"], *vocabulary()["figures"]]}
        out += ["## What it has not", ""]
        out += [f"- **{labels[k]}**: {v}" for k, v in code["absent"].items()]
        out.append("")
    return "\n".join(out)


def topics_page() -> str:
    """Every topic with its provisions, code by code."""
    here = "topics.md"
    out = [
        front("Topics", "Every question and where each code answers it.", True),
        "# Topics",
        "",
        "Each question that the codes answer, and where.",
        "",
    ]
    for family in vocabulary()["families"]:
        out += [f'## {family["label"]} {{ id="family-{family["id"]}" }}', ""]
        for topic in (t for t in vocabulary()["topics"] if t["family"] == family["id"]):
            out += [f'### {topic["label"]} {{ id="{topic["id"]}" }}', "", f"*{topic['question']}*", ""]
            out += [f"- {_topic_cell(code, topic['id'], here)}" for code in codes()]
            out.append("")
    return "\n".join(out)


def _topic_cell(code: str, topic: str, here: str) -> str:
    data = code_data(code)
    found = [p["address"] for p in data["provisions"] if topic in p["topics"]]
    if found:
        return f"**{data['short']}**: " + ", ".join(link(a, here, a.partition(":")[2]) for a in found)
    said = data["topics"].get(topic)
    if said:
        return f"**{data['short']}**: {said['state'].replace('-', ' ')}. {said['reason']}"
    return f"**{data['short']}**: as {code_data(data['extends'])['short']}"


def law_pages() -> dict[str, str | bytes]:
    """Every page and data file that follows from the lawbook."""
    made: dict[str, str | bytes] = {}
    listed = [front("Codes", "The codes.", True), "# Codes", ""]
    for name in codes():
        code = code_data(name)
        home = f"codes/{name}"
        listed += [f"## [{code['short']}]({name}/index.md)", "", code["about"], ""]
        made[f"{home}/index.md"] = code_page(code)
        made[f"{home}/whole.md"] = whole_page(code)
        if code["readings"]:
            made[f"{home}/readings.md"] = readings_page(code)
        laws = code["laws"]
        for index, law in enumerate(laws):
            before = laws[index - 1] if index else None
            after = laws[index + 1] if index + 1 < len(laws) else None
            made[f"{home}/{law['number']}.md"] = law_page(code, law, before, after)
        made[f"data/{name}.json"] = json.dumps(lawcache.load(name), ensure_ascii=False, indent=1) + "\n"
    made["codes/index.md"] = "\n".join(listed)
    made["topics.md"] = topics_page()
    made["data/vocabulary.json"] = json.dumps(vocabulary(), ensure_ascii=False, indent=1) + "\n"
    for name, schema in schemas(folder("laws"), vocabulary()).items():
        made[f"schema/{name}"] = json.dumps(schema, ensure_ascii=False, indent=1) + "\n"
    return made
