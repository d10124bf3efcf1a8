"""The law on one topic, code by code: the table of short facts, and the cards that stand side by side, rule by rule.

The rows are those of `comparing.compare_topic`. A code that changes nothing of its base on a topic shares its base's card.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from typing import Any

from oddtrick.book.citation import law_words, path_of
from oddtrick.book.compare import STATES, Comparison, Row, texts
from oddtrick.law.figures import merged
from oddtrick.law.in_force import InForce, code_data, codes, in_force, vocabulary
from oddtrick.law.parallels import load
from oddtrick.site.law_words import absent_html, figure_html, topic_label

Json = Any

UP = "../../"
"""From a topic's page to the root of the site."""

# --- links ------------------------------------------------------------------------------------------


def short(code: str) -> str:
    """The short name of a code, as HTML."""
    return html.escape(code_data(code)["short"])


def number_link(address: str, words: str = "", up: str = UP) -> str:
    """A link to a provision: its number within its code, or other words."""
    return f'<a href="{up}{path_of(address)}">{html.escape(words or address.partition(":")[2])}</a>'


def by_code(addresses: Sequence[str], up: str = UP) -> str:
    """Links to provisions grouped by code: `Bridge 17.1, 17.2; Royalton 1.1`."""
    groups: dict[str, list[str]] = {}
    for address in addresses:
        groups.setdefault(address.partition(":")[0], []).append(address)
    return "; ".join(
        f"{short(code)} {', '.join(number_link(a, up=up) for a in groups[code])}"
        for code in codes()
        if code in groups
    )


# --- facts in short ---------------------------------------------------------------------------------


def fact_names(topic: str) -> list[str]:
    """The procedures and figures that belong to a topic.

    One belongs if the provisions on the topic have it in at least two codes, or in all where it arises in fewer, or if
    but one code has it at all. One that a code has several times over is a number in a text and no fact of the code.
    """
    entries = [*vocabulary()["procedures"], *vocabulary()["figures"]]
    here: dict[str, set[str]] = {}
    arises: set[str] = set()
    for code in codes():
        for address, item in texts(code).items():
            if topic in item["topics"]:
                arises.add(address.partition(":")[0])
                for name in (*item["procedures"], *item["figures"]):
                    here.setdefault(name, set()).add(address.partition(":")[0])
    owners = _owners()
    return [
        e["id"]
        for e in entries
        if e["id"] in here
        and e["id"] not in _several()
        and (len(here[e["id"]]) >= min(2, len(arises)) or len(owners[e["id"]]) == 1)
    ]


@cache
def _owners() -> dict[str, set[str]]:
    """For each procedure and figure the codes in whose own provisions it stands."""
    found: dict[str, set[str]] = {}
    for code in codes():
        for item in code_data(code)["provisions"]:
            for name in (*item["procedures"], *item["figures"]):
                found.setdefault(name, set()).add(code)
    return found


@cache
def _several() -> frozenset[str]:
    """The figures that stand with different values in one code without options; cells of one figure are no such."""
    many = {f["id"] for f in vocabulary()["figures"] if f.get("many")}
    found = set()
    for code in codes():
        seen: dict[str, Json] = {}
        for item in code_data(code)["provisions"]:
            for name, value in item["figures"].items() if item["option"] is None else ():
                other = seen.get(name, value)
                if other != value and (
                    name in many or merged(value, other) != merged(other, value)
                ):
                    found.add(name)
                seen[name] = merged(value, other)
    return frozenset(found)


def fact_cell(name: str, rules: InForce) -> tuple[str, list[str]]:
    """What a code has for a procedure or a figure, as HTML, and the laws behind it; `none` and the reason, or nothing."""
    rule = rules.get(name)
    if rule is None:
        return f'<span class="topic-none">{absent_html(name, rules)}</span>', []
    procedure = next((p for p in vocabulary()["procedures"] if p["id"] == name), None)
    value = (
        html.escape(procedure["values"][rule.value], False)
        if procedure
        else figure_html(name, rule.value)
    )
    return value, list(rule.laws)


def facts_html(topic: str, found: Comparison, anchors: Sequence[str]) -> str:
    """The table of short facts: procedures, figures, then every rule that changed; what is alike in neighbours is one cell."""
    labels = {e["id"]: e["label"] for e in [*vocabulary()["procedures"], *vocabulary()["figures"]]}
    rows = [
        (html.escape(labels[name]), [fact_cell(name, in_force(code)) for code in found.codes])
        for name in fact_names(topic)
    ]
    told = {label for label, _ in rows}
    for row, anchor in zip(found.rows, anchors, strict=True):
        if (
            row.says and html.escape(row.label) not in told
        ):  # else a procedure or figure above tells the same
            label = f'<a href="#{anchor}">{html.escape(row.label)}</a>'
            rows.append((label, [_says_cell(topic, found, row, code) for code in found.codes]))
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{short(c)}</th>' for c in found.codes)
    body = "".join(
        f'<tr><th scope="row">{label}</th>{_merged(cells)}</tr>' for label, cells in rows
    )
    return (
        '<div class="topic-scroll" role="region" tabindex="0" aria-label="In short, code by code"><table class="topic-facts">'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _says_cell(topic: str, found: Comparison, row: Row, code: str) -> tuple[str, list[str]]:
    if code in row.says:
        return html.escape(row.says[code], False), [a for a, _ in row.cells[code]]
    said = STATES[found.states[code][0]] if code in found.states else _elsewhere(topic, row, code)
    return f'<span class="topic-none">{said}</span>', []


def _merged(cells: Sequence[tuple[str, list[str]]]) -> str:
    groups: list[tuple[str, list[list[str]]]] = []
    for said, laws in cells:
        if groups and groups[-1][0] == said:
            groups[-1][1].append(laws)
        else:
            groups.append((said, [laws]))
    made = []
    for said, found in groups:
        laws = list(dict.fromkeys(a for each in found for a in each))
        span = f' colspan="{len(found)}"' if len(found) > 1 else ""
        cited = by_code(laws) if len(found) > 1 else ", ".join(number_link(a) for a in laws)
        links = f'<span class="topic-cited">{cited}</span>' if laws else ""
        made.append(f"<td{span}>{said} {links}</td>")
    return "".join(made)


# --- the law, code by code --------------------------------------------------------------------------


def cards(found: Comparison) -> list[tuple[str, ...]]:
    """The codes that have law on the topic; a code that changes nothing of what it extends stands with its base."""
    made: list[tuple[str, ...]] = []
    for code in found.codes:
        if code in found.states:
            continue
        base = code_data(code)["extends"]
        shared = base in found.codes and all(
            row.cells.get(code) == row.cells.get(base) for row in found.rows
        )
        at = next((i for i, group in enumerate(made) if shared and base in group), None)
        if at is None:
            made.append((code,))
        else:
            made[at] = (*made[at], code)
    return made


def names(group: Sequence[str]) -> str:
    """`Auction 1926 and Contract 1927`."""
    return " and ".join(short(c) for c in group)


def row_anchors(found: Comparison) -> list[str]:
    """An anchor for each row: that of the rule whose label it bears, or that of its first provision; each once."""
    made: list[str] = []
    for row in found.rows:
        first = next(iter(row.cells.values()))[0][0]
        rule = next((r["id"] for r in rules_of(row) if r["label"] == row.label), None)
        anchor = f"rule-{rule}" if rule else first.replace(":", "-")
        made.append(anchor if anchor not in made else first.replace(":", "-"))
    return made


def _other_anchors(found: Comparison, anchors: Sequence[str]) -> list[str]:
    """For each row empty elements with the anchors of its other rules and of its provisions, each once on the page.

    A provision that stood alone has its own anchor, and keeps it when another code's turns out to answer it.
    """
    used = set(anchors)
    made = []
    for row in found.rows:
        named = [f"rule-{r['id']}" for r in rules_of(row)]
        named += [a.replace(":", "-") for cell in row.cells.values() for a, _ in cell]
        ids = [i for i in dict.fromkeys(named) if i not in used]
        used.update(ids)
        made.append("".join(f'<span id="{i}"></span>' for i in ids))
    return made


def rules_of(row: Row) -> list[Json]:
    """The rules that hold the first provision of a row."""
    return load().of.get(next(iter(row.cells.values()))[0][0], [])


def cards_html(topic: str, found: Comparison, anchors: Sequence[str]) -> str:
    """A card for each code, or base with what extends it, aligned by rule; then the codes that have no law on it."""
    groups = cards(found)
    also = _other_anchors(found, anchors)
    heads = "".join(f'<span data-codes="{" ".join(g)}">{names(g)}</span>' for g in groups)
    bands = "".join(
        f'<p class="topic-band" style="--r:{2 * i}" aria-hidden="true">{also[i - 1]}{"" if _again(found, i - 1) else html.escape(row.label)}</p>'
        for i, row in enumerate(found.rows, 1)
    )
    parts = []
    for column, group in enumerate(groups, 1):
        cells = "".join(
            _cell(topic, found, i, row, group[0], anchors[i - 1])
            for i, row in enumerate(found.rows, 1)
        )
        parts.append(
            f'<article class="topic-card" data-codes="{" ".join(group)}" style="--c:{column}"><h3>{names(group)}</h3>{cells}</article>'
        )
    states = "".join(
        f'<p class="topic-state" data-codes="{code}"><b>{short(code)}: {STATES[state]}.</b> {html.escape(reason, False)}</p>'
        for code, (state, reason) in found.states.items()
    )
    size = f"--cards:{len(groups)};--rows:{2 * len(found.rows) + 1}"
    return (
        f'<div class="topic-law topic-by-{len(groups)}" style="{size}">{_chooser(found)}'
        f'<div class="topic-heads" aria-hidden="true">{heads}</div><div class="topic-grid">{bands}{"".join(parts)}</div>'
        f'<div class="topic-states">{states}</div></div>'
    )


def _chooser(found: Comparison) -> str:
    """The two lists with which a reader marks what differs; shown by the script."""
    options = "".join(f'<option value="{c}">{short(c)}</option>' for c in found.codes)
    return (
        '<form class="topic-choose" hidden><label>Mark what differs between <select name="one"><option value="">one code</option>'
        f'{options}</select></label> <label>and <select name="other"><option value="">another</option>{options}</select></label> '
        '<button type="reset">All codes</button></form>'
        '<p class="topic-told" aria-live="polite"></p>'
    )


def _cell(topic: str, found: Comparison, index: int, row: Row, code: str, anchor: str) -> str:
    """What one code has of a rule: its provisions, or where the answer stands instead."""
    place = f'style="--r:{2 * index + 1}"'
    first = next(c for c in found.codes if c in row.cells) == code
    mark = f'<span id="{anchor}"></span>' if first else ""
    label = mark if _again(found, index - 1) else f"<h4>{mark}{html.escape(row.label)}</h4>"
    if code not in row.cells:
        return f'<div class="topic-cell topic-empty" {place}>{label}<p class="topic-where">{_spoken(code)}{_elsewhere(topic, row, code)}</p></div>'
    mine = [t for _, t in row.cells[code]]
    earlier = found.codes[: found.codes.index(code)]
    alike = next(
        (c for c in earlier if c in row.cells and [t for _, t in row.cells[c]] == mine), None
    )
    parts = []
    for address, text in row.cells[code]:
        where = _spoken(code) + number_link(address, law_words(address))
        owner = address.partition(":")[0]
        where += f" of {short(owner)}" if owner != code else ""
        where += (
            f' <span class="topic-alike">= {short(alike)}</span>'
            if alike and owner == code and address == row.cells[code][0][0]
            else ""
        )
        parts.append(
            f'<p class="topic-where">{where}</p><p class="topic-text">{html.escape(text, False)}</p>'
        )
    return f'<div class="topic-cell" {place}>{label}{"".join(parts)}</div>'


def _again(found: Comparison, index: int) -> bool:
    """Whether a row only goes on with the one before it: the same label, in the same codes."""
    if not index:
        return False
    row, before = found.rows[index], found.rows[index - 1]
    return row.label == before.label and row.cells.keys() == before.cells.keys()


def _spoken(code: str) -> str:
    return f'<span class="topic-code">{short(code)}, </span>'


def _elsewhere(topic: str, row: Row, code: str) -> str:
    """For a code without a provision in a row: what answers the row's provisions under it, or that nothing does."""
    relations = load()
    book = texts(code)
    answers = dict.fromkeys(
        q
        for other, mine in row.cells.items()
        for a, _ in mine
        for q in relations.counterparts(a, other, code)
    )
    if not answers:
        return (
            '<span aria-hidden="true">–</span><span class="topic-spoken">nothing answers it</span>'
        )
    said = []
    for address in answers:
        filed = book[address]["topics"]
        where = (
            ""
            if topic in filed or not filed
            else f', under <a href="../{filed[0]}/">{html.escape(topic_label(filed[0]).lower())}</a>'
        )
        owner = address.partition(":")[0]
        said.append(
            number_link(address, law_words(address))
            + (f" of {short(owner)}" if owner != code else "")
            + where
        )
    return "see " + "; ".join(said)
