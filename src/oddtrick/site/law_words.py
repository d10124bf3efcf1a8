"""The pages of the law: a page for each law, each code whole, its readings, the topics, the data."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from oddtrick.book.citation import path_of
from oddtrick.law.in_force import InForce, code_data, codes, vocabulary
from oddtrick.paths import folder

Json = Any

LESS = 0.3
"""What a page that tells of the laws, and is none, weighs in the search."""


def front(
    title: str,
    description: str,
    searched: str = "whole",
    hide: str = "",
    boost: float = 1,
    tags: Iterable[str] = (),
) -> str:
    """The head of a page; `searched`, `boost` and `tags` are for the search.

    It finds a page by all that stands on it (`whole`), by its title and description (`described`) or not at all (`not`);
    `boost` is how much the page weighs, `tags` are words by which it is asked for.
    """
    lines = [
        "---",
        f"title: {json.dumps(title, ensure_ascii=False)}",
        f"description: {json.dumps(_shortened(description), ensure_ascii=False)}",
    ]
    search = {"not": ["exclude: true"], "described": ["described: true"]}.get(searched, [])
    search += [f"boost: {boost}"] if boost != 1 else []
    if search:
        lines.append(f"search: {{{', '.join(search)}}}")
    listed = json.dumps(list(tags), ensure_ascii=False)
    if listed != "[]":
        lines.append(f"tags: {listed}")
    if hide:
        lines.append(f"hide: [{hide}]")
    return "\n".join([*lines, "---", "", ""])


def _shortened(words: str) -> str:
    """A description of 300 letters at most, cut between words."""
    return words if len(words) <= 300 else words[:299].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def document(name: str, *tags: str) -> str:
    """A page of `docs/` as it goes on the site: it weighs less in the search than the laws, but for words by which it is asked for."""
    text = (folder("docs") / f"{name}.md").read_text("utf-8")
    asked = f"tags: [{', '.join(tags)}]\n" if tags else ""
    return (
        text
        if text.startswith("---")
        else f"---\nsearch: {{boost: {1 if tags else LESS}}}\n{asked}---\n\n{text}"
    )


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


def figures_html(figures: Mapping[str, Json], kind: str = "figures") -> str:
    """The figures of a provision in a row, in HTML."""
    rows = "\n".join(figure_html(name, value) for name, value in figures.items())
    return f'<div class="{kind}">{rows}</div>'


def figure_html(name: str, value: Json) -> str:
    """A figure as a small table or a line, in HTML; with the spaces that keep its words apart where it is read as text."""
    label = next((f["label"] for f in vocabulary()["figures"] if f["id"] == name), name)
    return f'<div class="figure"><span class="figure-name">{html.escape(label)}</span> {_value(value)}</div>'


def absent_html(name: str, rules: InForce) -> str:
    """That a code has no such figure or procedure and why, or that it does not state one."""
    reason = rules.absent.get(name)
    return f"none. {html.escape(reason, False)}" if reason else "not stated"


def _value(value: Json) -> str:
    if isinstance(value, dict) and set(value) == {"count", "values"}:
        return _value({**value["values"], "counted in": value["count"]})
    if isinstance(value, dict):
        rows = " ".join(
            f'<tr><th scope="row">{html.escape(_word(k))}</th> <td>{_value(v)}</td></tr>'
            for k, v in value.items()
        )
        return f"<table><tbody>{rows}</tbody></table>"
    if isinstance(value, list):
        if value and all(isinstance(v, int) for v in value):
            return html.escape(
                (", ".join(map(str, value[:-1])) + ", then " if len(value) > 1 else "")
                + f"{value[-1]} each"
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
    }.get(
        key,
        key.replace("-", " ")
        if key[:1].isalpha()
        else key.replace("-", " and ").replace(" and 0", " in one hand"),
    )


# --- words ----------------------------------------------------------------------------------------


def topic_label(topic: str) -> str:
    """The label of a topic."""
    return str(next(t["label"] for t in vocabulary()["topics"] if t["id"] == topic))


# --- pages ----------------------------------------------------------------------------------------


def page_words(page: str) -> str:
    """`page 7`, `pages 7-8`."""
    return f"page{'s' if '-' in page else ''} {page}"


def every_two(
    cell: Callable[[str, str], tuple[str, str, str]], before: str = ""
) -> tuple[str, list[str]]:
    """The head and the rows of a table of every two codes; `cell` gives the link, its label and what it shows in HTML."""
    names = [(c, html.escape(code_data(c)["short"])) for c in codes()]
    rows = []
    for a, short in names:
        cells = [
            '<td class="cmp-self" aria-label="the same code">·</td>'
            if a == b
            else _linked_cell(*cell(a, b))
            for b, _ in names
        ]
        rows.append(f'<tr><th scope="row">{short}</th>{"".join(cells)}</tr>')
    return "".join(f'<th scope="col">{before}{short}</th>' for _, short in names), rows


def _linked_cell(href: str, label: str, shown: str) -> str:
    return f'<td><a href="{href}" aria-label="{html.escape(label)}">{shown}</a></td>'
