"""The first page of the site, the first page of each code, and each code whole on one page.

`site_descent` draws the line of time; what a code is, its ten peculiarities and its parts are data of the code.
"""

from __future__ import annotations

import html
from collections.abc import Container, Iterator
from typing import Any

from oddtrick.book.citation import date_words
from oddtrick.cli.law import law_name
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.site.card import NAME
from oddtrick.site.descent import children, legend, parents, place_svg, tall_svg, wide_svg
from oddtrick.site.law import asked_by
from oddtrick.site.law_words import (
    copies_html,
    figures_html,
    front,
    link,
    links,
    page_words,
    restated,
    target,
    topic_label,
)

Json = Any

NUMBERS = (
    "No",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
)

DOORS = (
    (
        "compare/index.md",
        "Compare",
        "Any two codes on any point, law beside law, with every changed word marked.",
    ),
    (
        "disputes/index.md",
        "Settle a dispute",
        "Something went wrong at the table. A few questions, and you have what the code gives, to whom and until when.",
    ),
    (
        "check.md",
        "Check a hand",
        "A deal written as a scorer would write it, judged by the law of its year: the bidding, the play, the score.",
    ),
)
"""The three ways in: page, name, what is behind it. Other modules make the pages."""

MORE = (
    ("topics/", "Every topic"),
    ("lineage/", "How each rule ran"),
    ("scores/", "What a contract scores"),
    ("glossary/", "The words"),
    ("records/", "Recorded deals"),
    ("notation/", "How to write a deal"),
    ("law-data/", "The law as data"),
)
"""What else is here, by URL."""


def _style(up: str) -> str:
    return f'<link rel="stylesheet" href="{up}assets/home.css">'


# --- home -----------------------------------------------------------------------------------------


def home_page(others: Container[str] | None = None) -> str:
    """The first page of the site: what this is, the codes on a line of time, three doors, the codes in words.

    `others` are the pages that the site has: a way to a page that is not among them is left out. The anchors of an
    earlier first page (`the-codes-so-far`, `read-and-cite`, `build-on-it`) stay.
    """
    number = len(codes())
    out = [
        front("Oddtrick", f"{NAME}: read, compared, cited and run.", "not", "navigation, toc"),
        f"# {NAME} {{ .home-title }}",
        "",
        _style(""),
        f'<p class="lede">{NUMBERS[number] if number < len(NUMBERS) else number} codes lie between the game in which the dealer named the trump and the game in which '
        "a slam had to be bid. Oddtrick restates them law by law, gives every paragraph an address, and runs a recorded deal through the code it was played under.</p>",
        "",
        f'<figure class="d-figure">{wide_svg("")}{tall_svg("")}<figcaption>{legend()}</figcaption></figure>',
        "",
        '<div class="doors h-doors" markdown="1">',
        "",
    ]
    for page, name, said in DOORS:
        if others is None or page in others:
            out += [
                '<div class="door h-door" markdown="1">',
                "",
                f"## [{name}]({page})",
                "",
                said,
                "",
                "</div>",
                "",
            ]
    former = "".join(
        f'<span id="{i}"></span>' for i in ("read-and-cite", "build-on-it", "the-codes-so-far")
    )
    out += [
        "</div>",
        "",
        former,
        "",
        "## The codes { #codes }",
        "",
        '<ol class="h-codes" id="the-codes-so-far">',
    ]
    out += [_code_line(code) for code in codes()]
    here = [
        (url, words)
        for url, words in MORE
        if others is None or f"{url}index.md" in others or f"{url[:-1]}.md" in others
    ]
    more = " · ".join(f'<a href="{url}">{words}</a>' for url, words in here)
    return "\n".join(
        [
            *out,
            "</ol>",
            "",
            f'<p class="h-more" id="read-and-cite"><span id="build-on-it">{more}</span></p>',
            "",
        ]
    )


def _code_line(code: str) -> str:
    """A code in the list of the first page: date, name, whose it is, what it comes from and who says so."""
    data = code_data(code)
    said = "".join(
        f"<p>{html.escape(d['text'], quote=False)} <cite>{html.escape(source_words(d['source']), quote=False)}</cite></p>"
        for d in data["descent"]
    )
    return (
        f'<li><span class="h-date">{date_words(data["date"])}</span><div><a href="codes/{code}/">{html.escape(data["short"])}</a>'
        f'<span class="h-who">{html.escape(data["body"])}; {restated(data)}</span>{said}</div></li>'
    )


def source_words(source: Json) -> str:
    """Where something is said: the book, and the page or the passage."""
    page = source.get("page") or source.get("pages")
    where = [source.get("book"), source.get("passage"), page_words(page) if page else None]
    return ", ".join(w for w in where if w)


# --- parts ----------------------------------------------------------------------------------------


ALL = "Laws"
"""The heading of the laws of a code that prints none over them."""


def parts(code: Json) -> list[tuple[str, str, list[Json]]]:
    """The parts of a code without its options: label, anchor, laws; one part where it names none."""
    found: list[tuple[str, str, list[Json]]] = []
    named = {p["from"]: p["label"] for p in code["parts"]}
    for law in code["laws"]:
        if law["option"]:
            continue
        if law["number"] in named or not found:
            found.append((named.get(law["number"], ALL), f"part-{law['number']}", []))
        found[-1][2].append(law)
    return found


def heading(law: Json) -> str:
    """A law's number and heading: `44. The higher declaration`, `Decision 6. A partner's double doubled`; a passage's heading alone."""
    number = law["number"]
    if not number.rpartition(".")[2].isdigit():
        return str(law["heading"])
    name = number if number.isdigit() else law_name(number)
    return f"{name[:1].upper()}{name[1:]}. {law['heading']}"


def _in_part(law: Json) -> str:
    """The same under the heading of its part: `6. A partner's double doubled`."""
    number = law["number"].rpartition(".")[2]
    return f"{number}. {law['heading']}" if number.isdigit() else str(law["heading"])


# --- the first page of a code ---------------------------------------------------------------------


def code_page(code: Json) -> str:
    """The first page of a code: what it is, its place in the descent, ten peculiarities, options, contents, what it has not."""
    here = f"codes/{code['id']}/index.md"
    out = [
        front(code["short"], code["about"], "described", boost=2, tags=asked_by(code["id"])),
        f"# {code['short']}",
        "",
        _style("../../"),
        f'<p class="lede">{html.escape(code["about"])}</p>',
        "",
        '<div class="c-head" markdown="1">',
        "",
        *_book(code),
        *_descent(code),
        "</div>",
        "",
        " · ".join(_ways(code)),
        "",
    ]
    if code["peculiarities"]:
        out += [
            "## Ten peculiarities { #peculiarities }",
            "",
            '<div class="c-ten" markdown="1">',
            "",
        ]
        out += [
            f'{n}. {html.escape(p["text"], quote=False)} <span class="c-laws">{links(p["laws"], here)}</span>'
            for n, p in enumerate(code["peculiarities"], 1)
        ]
        out += ["", "</div>", ""]
    out += ["## Laws { #laws }", "", '<div class="c-parts" markdown="1">', ""]
    for label, _, laws in parts(code):
        out += [
            '<div class="c-part" markdown="1">',
            "",
            *([f"### {label}", ""] if label != ALL else []),
        ]
        out += [f"- {_listed(law, here)}" for law in laws]
        out += ["", "</div>", ""]
    out += ["</div>", ""]
    for option in code["options"]:
        out += [f'## Option: {option["label"]} {{ id="{option["id"]}" }}', ""]
        where = source_words(option["source"])
        out += [
            option.get("about", "") + (f" *{where[:1].upper()}{where[1:]}.*" if where else ""),
            "",
        ]
        out += [
            f"- {link(law['address'], here, law_name(law['number']))} {law['heading']}"
            for law in code["laws"]
            if law["option"] == option["id"]
        ]
        out.append("")
    return "\n".join([*out, *_absent(code)])


def _listed(law: Json, here: str) -> str:
    """A law in a list under the heading of its part: its number as a link and its heading, or its heading as a link."""
    number = law["number"].rpartition(".")[2]
    if number.isdigit():
        return f"{link(law['address'], here, number)} {law['heading']}"
    return link(law["address"], here, law["heading"])


def _book(code: Json) -> Iterator[str]:
    """What the code is, as a list of facts."""
    source = code["source"]
    rows = [
        ("Title", code["title"]),
        ("By", code["body"]),
        ("Date", date_words(code["date"])),
        ("Book", source_words(source)),
    ]
    if code["editions"]:
        rows.append(("Editions", " ".join(f"{e['label']}: {e['book']}" for e in code["editions"])))
    told = [(name, html.escape(said)) for name, said in rows]
    told += [("Open copy", copies_html(code)), ("Here", html.escape(restated(code)))]
    yield (
        '<dl class="c-book">'
        + "".join(f"<div><dt>{name}</dt><dd>{said}</dd></div>" for name, said in told)
        + "</dl>"
    )
    yield ""


def _descent(code: Json) -> Iterator[str]:
    """The place of a code in the descent: a small drawing, and what it says in words with links."""
    yield from ('<div class="c-place" markdown="1">', "", place_svg(code["id"]), "")
    if code["extends"]:
        base = code_data(code["extends"])
        yield f"It amends [{base['short']}](../{base['id']}/index.md), whose laws stay in force where it does not displace them."
        yield ""
    elif not parents(code["id"]):
        yield from ("The first of the codes.", "")
    for way in (d for d in code["descent"] if d["from"] != code["extends"]):
        name = code_data(way["from"])["short"]
        yield f"From [{name}](../{way['from']}/index.md): {html.escape(way['text'], quote=False)} *{source_words(way['source'])}.*"
        yield ""
    after = [f"[{code_data(c)['short']}](../{c}/index.md)" for c in children(code["id"])]
    if after:
        yield from (f"After it: {and_words(after)}.", "")
    yield from ("</div>", "")


def _ways(code: Json) -> Iterator[str]:
    yield "[The whole code on one page](whole.md)"
    if code["readings"]:
        yield f"[{number_words(len(code['readings']), 'reading')} of doubtful places](readings.md)"
    yield f"[data](../../data/{code['id']}.json)"


def _absent(code: Json) -> Iterator[str]:
    """What a code has not, the same reason once, and where it is silent."""
    labels = {r["id"]: r["label"] for r in [*vocabulary()["procedures"], *vocabulary()["figures"]]}
    reasons: dict[str, list[str]] = {}
    for key, reason in code["absent"].items():
        reasons.setdefault(reason, []).append(labels[key])
    if reasons:
        yield from ("## What it has not", "")
        yield from (f"- **{and_words(names)}**: {reason}" for reason, names in reasons.items())
        yield ""
    silent = {t: s["reason"] for t, s in code["topics"].items() if s["state"] == "silent"}
    if silent:
        yield from ("## Where it is silent { #silent }", "")
        yield from (f"- **{topic_label(t)}**: {reason}" for t, reason in silent.items())
        yield ""


# --- a code whole ---------------------------------------------------------------------------------


def whole_page(code: Json) -> str:
    """A whole code on one page, for reading and printing: contents, laws with figures and paragraph marks, options."""
    title = f"{code['title']}, {date_words(code['date'])}"
    groups = parts(code)
    for option in code["options"]:
        laws = [law for law in code["laws"] if law["option"] == option["id"]]
        groups.append((f"Option: {option['label']}", f"part-{option['id']}", laws))
    out = [
        front(f"{code['short']} whole", f"{code['title']}, whole, on one page.", "not"),
        f"# {code['title']}",
        "",
        _style("../../../"),
        # The running title of the printed page: only a style can say it, and it differs from code to code.
        f'<style>@media print {{ @page {{ @top-left {{ content: "{_quoted(title)}" }} }} @page :first {{ @top-left {{ content: "" }} }} }}</style>',
        f'<p class="w-by">{html.escape(code["body"])}, {date_words(code["date"])}. {restated(code)[:1].upper()}{restated(code)[1:]} in our own words; figures as printed.</p>',
        "",
    ]
    if code["extends"]:
        base = code_data(code["extends"])
        out += [
            f"The laws of [{base['short']}](../{base['id']}/whole.md) stay in force where these do not displace them.",
            "",
        ]
    out += ['<nav class="w-contents" aria-label="Contents">']
    for label, anchor, laws in groups:
        items = "".join(
            f'<li><a href="#{law["number"]}">{html.escape(_in_part(law))}</a></li>' for law in laws
        )
        out.append(
            f'<div><a class="w-part" href="#{anchor}">{html.escape(label)}</a><ul>{items}</ul></div>'
        )
    out += ["</nav>", "", '<div class="w-code" markdown="1">', ""]
    provisions: dict[str, list[Json]] = {}
    for item in code["provisions"]:
        provisions.setdefault(item["law"], []).append(item)
    for label, anchor, laws in groups:
        out += [f'## {label} {{ id="{anchor}" }}', ""]
        notes = {law["note"] for law in laws}
        common = (
            notes.pop() if len(notes) == 1 and len(laws) > 1 else None
        )  # said once where it holds for all
        out += [f'<p class="w-note">{html.escape(common)}</p>', ""] if common else []
        for law in laws:
            out += [f'### {heading(law)} {{ id="{law["number"]}" }}', ""]
            out += [line for item in provisions[law["address"]] for line in (*_paragraph(item), "")]
            said = [law["note"]] if law["note"] and not common else []
            out += [line for s in said for line in (f'<p class="w-note">{html.escape(s)}</p>', "")]
    return "\n".join([*out, "</div>", ""])


def _quoted(text: str) -> str:
    """Text for a string of a style sheet."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")


def _paragraph(item: Json) -> Iterator[str]:
    """A paragraph of the whole code: its mark, its words, a link to its own page; its figures; its notes."""
    page, fragment = target(item["address"])
    url = f"../../../{page.removesuffix('.md')}/#{fragment or 'law'}"
    ours = " w-ours" if item["numbering"] == "ours" else ""
    mark = f'<b class="w-at{ours}">{html.escape(item["at"])}</b> ' if item["at"] else ""
    anchor = f' id="{item["law"].partition(":")[2]}.{item["at"]}"' if item["at"] else ""
    yield (
        f'<p class="w-par"{anchor}>{mark}{html.escape(item["text"])} '
        f'<a class="w-link" href="{url}" aria-label="{item["address"]}" title="{item["address"]}">¶</a></p>'
    )
    if item["figures"]:
        yield figures_html(item["figures"], "figures w-figures")
    notes, code = [], item["address"].partition(":")[0]
    if item["displaces"]:
        notes.append(f"In place of {_addresses(item['displaces'], code)}.")
    if item["readings"]:
        notes.append(f"Doubtful; read as in {_addresses(item['readings'], code)}.")
    if item["note"]:
        notes.append(html.escape(item["note"]))
    if notes:
        yield f'<p class="w-note">{" ".join(notes)}</p>'


def _addresses(addresses: list[str], code: str) -> str:
    """Addresses as links from the whole code; those of the same code without its name."""

    def one(address: str) -> str:
        page, fragment = target(address)
        return f'<a href="../../../{page.removesuffix(".md")}/{"#" + fragment if fragment else ""}">{address.removeprefix(code + ":")}</a>'

    return and_words(one(a) for a in addresses)


def code_pages() -> dict[str, str | bytes]:
    """The first page and the whole page of every code."""
    made: dict[str, str | bytes] = {}
    for name in codes():
        code = code_data(name)
        made[f"codes/{name}/index.md"] = code_page(code)
        made[f"codes/{name}/whole.md"] = whole_page(code)
    return made
