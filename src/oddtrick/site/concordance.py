"""Tables of the codes: the matrix of every figure, and the concordance of every ordered pair."""

from __future__ import annotations

import html
from typing import Any

from oddtrick.book.citation import path_of
from oddtrick.book.compare import Line, concordance, texts
from oddtrick.judge.words import number_words
from oddtrick.law.in_force import Clause, InForce, code_data, codes, in_force, vocabulary
from oddtrick.law.parallels import load
from oddtrick.site.law_words import absent_html, every_two, figure_html, front
from oddtrick.site.lineage import law_link, said_of

Json = Any

SIGNS = {"same": "=", "reworded": "≈", "different": "≠", "split": "⊢", "merged": "⊣", "none": "–"}


def _link(address: str, side: str, up: str) -> str:
    """A link to a provision; with the name of its code where that is not the code of the column."""
    return law_link(address, up, not address.startswith(f"{side}:"))


# --- figures --------------------------------------------------------------------------------------


def figure_cell(name: str, rules: InForce) -> str:
    """A figure of one code: its value and law, or `none` with the reason where there is one, else that it is not stated."""
    rule = rules.get(name)
    if rule is None:
        return f'<span class="cmp-absent">{absent_html(name, rules)}</span>'
    return _figure(rule, rules.code)


def _figure(rule: Clause, side: str) -> str:
    laws = [_link(law, side, "../") for law in rule.laws]
    doubts = dict.fromkeys((*rule.readings, *(r for _, r in rule.touched)))
    laws += [f'<a href="../{path_of(r)}">reading</a>' for r in doubts if r not in rule.laws]
    return f'{figure_html(rule.name, rule.value)}<span class="cmp-law">{", ".join(laws)}</span>'


def every_place(name: str, code: str) -> str:
    """A figure that several laws of a code may have, each for itself: every value with its law."""
    found = [(a, p.figures[name]) for a, p in texts(code).items() if name in p.figures]
    if not found:
        return '<span class="cmp-absent">not stated</span>'
    return "".join(
        f'{figure_html(name, value)}<span class="cmp-law">{_link(address, code, "../")}</span>'
        for address, value in found
    )


def figures_page() -> str:
    """Every figure of the vocabulary, a row each, a column for each code; below it what the options change."""
    names = codes()
    head = "".join(
        f'<th scope="col"><a href="../codes/{c}/">{html.escape(code_data(c)["short"])}</a></th>'
        for c in names
    )
    body = []
    for figure in vocabulary()["figures"]:
        unit = f" <span>{html.escape(figure['unit'])}</span>" if figure.get("unit") else ""
        cells = "".join(
            f"<td>{every_place(figure['id'], c) if figure.get('many') else figure_cell(figure['id'], in_force(c))}</td>"
            for c in names
        )
        body.append(
            f'<tr id="{figure["id"]}"><th scope="row">{html.escape(figure["label"])}{unit}</th>{cells}</tr>'
        )
    out = [
        front(
            "Figures",
            "Every figure of every code in one table, each with its law.",
            "described",
            "navigation, toc",
        ),
        "# Figures",
        "",
        f'<p class="lede">{number_words(len(vocabulary()["figures"]), "figure")}, code by code, each with the law it stands in. What a code has not is said, with the reason where there is one to give. An amount that belongs to one law alone, a penalty or a number of cards, stands once for each law that has it.</p>',
        "",
        '<p class="cmp-caption">The law in force, without options</p>'
        '<div class="cmp-scroll" role="region" tabindex="0" aria-label="Figures, code by code"><table class="cmp-table cmp-figures">'
        f'<thead><tr><th scope="col">Figure</th>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div>',
        "",
        *_options(),
    ]
    return "\n".join(out)


def _options() -> list[str]:
    rows = []
    labels = {f["id"]: f["label"] for f in vocabulary()["figures"]}
    for code in codes():
        plain = in_force(code)
        for option in code_data(code)["options"]:
            with_it = in_force(code, (option["id"],))
            for name, label in labels.items():
                rule, before = with_it.get(name), plain.get(name)
                if rule == before and with_it.absent.get(name) == plain.absent.get(name):
                    continue
                rows.append(
                    f'<tr><th scope="row">{html.escape(label)}</th><td>{html.escape(code_data(code)["short"])}</td>'
                    f"<td>{html.escape(option['label'])}</td><td>{figure_cell(name, with_it)}</td><td>{figure_cell(name, plain)}</td></tr>"
                )
    if not rows:
        return []
    return [
        "## What the options change { #options }",
        "",
        '<div class="cmp-scroll" role="region" tabindex="0" aria-label="What the options change"><table class="cmp-table cmp-figures">'
        '<thead><tr><th scope="col">Figure</th><th scope="col">Code</th><th scope="col">With the option</th><th scope="col">it is</th><th scope="col">instead of</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        "",
    ]


# --- concordance ----------------------------------------------------------------------------------


def line_html(line: Line, ours: str, theirs: str) -> str:
    """One provision: how it stands, what answers it, what changed."""
    kept = line.theirs == (line.address,)
    answers = ", ".join(_link(a, theirs, "../../") for a in line.theirs)
    back = "kept from it" if code_data(ours)["extends"] == theirs else "stays in force"
    label = back if kept else load().kinds[line.kind]
    short = html.escape(code_data(theirs)["short"])
    changes = "<br>".join(
        f"<b>{html.escape(d.label)}</b>, {said_of(d.difference)}: {html.escape(d.ours, False)}; <i>{short}:</i> {html.escape(d.theirs, False)}."
        for d in line.differences
    )
    return (
        f'<tr class="con-{line.kind}"><th scope="row">{_link(line.address, ours, "../../")}</th>'
        f"<td>{SIGNS[line.kind]} {html.escape(label)}</td><td>{answers}</td><td>{changes}</td></tr>"
    )


def concordance_page(ours: str, theirs: str) -> str:
    """Every provision in force under one code, once, with what answers it in another."""
    a, b = code_data(ours)["short"], code_data(theirs)["short"]
    lines = concordance(ours, theirs)
    pair = "--".join(sorted((ours, theirs), key=codes().index))
    counted = [(k, sum(line.kind == k for line in lines)) for k in SIGNS]
    told = "; ".join(f"{load().kinds[k]}, {n}" for k, n in counted if n)
    rows = "".join(line_html(line, ours, theirs) for line in lines)
    return "\n".join(
        [
            front(
                f"Concordance: {a} to {b}",
                f"Every provision of {a} with what answers it in {b}.",
                "not",
                "navigation, toc",
            ),
            f"# {a} to {b}",
            "",
            f'<p class="lede">{number_words(len(lines), "provision")} in force under {html.escape(a)}, and what answers each in {html.escape(b)}: {html.escape(told)}.</p>',
            "",
            f"[The other way]({theirs}--{ours}.md) · [side by side](../compare/{pair}.md) · [other codes](index.md)",
            "",
            f'<div class="cmp-scroll" role="region" tabindex="0" aria-label="Concordance"><table class="cmp-table cmp-concordance"><thead><tr><th scope="col">{html.escape(a)}</th><th scope="col">stands as</th><th scope="col">{html.escape(b)}</th><th scope="col">What differs</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>",
            "",
        ]
    )


def concordance_index() -> str:
    """The concordances, from each code to each other."""

    def cell(a: str, b: str) -> tuple[str, str, str]:
        lines = concordance(a, b)
        answered = sum(line.kind != "none" for line in lines)
        label = f"{code_data(a)['short']} to {code_data(b)['short']}: {answered} of {len(lines)} provisions answered"
        return f"{a}--{b}/", label, f"<b>{answered}</b> of {len(lines)}"

    head, body = every_two(cell, "to ")
    return "\n".join(
        [
            front(
                "Concordance",
                "Where each provision of one code is answered in another.",
                "described",
                "navigation, toc",
            ),
            "# Concordance",
            "",
            '<p class="lede">You know a law by its number in one code and want it in another. Each table goes through the first code in order and names what answers every provision in the second.</p>',
            "",
            '<p class="cmp-caption">Provisions of the code on the left that the code above answers</p>'
            '<div class="cmp-scroll" role="region" tabindex="0" aria-label="Concordances"><table class="cmp-table cmp-pairs">'
            f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>",
            "",
            "How a provision can stand to the other code:",
            "",
            *(f"- {SIGNS[k]} {label}" for k, label in load().kinds.items() if k in SIGNS),
            "",
            "See too [the codes side by side](../compare/index.md) and [the lineage of the rules](../lineage.md).",
            "",
        ]
    )


def concordance_pages() -> dict[str, str | bytes]:
    """`figures.md`, `concordance/index.md` and a page for every ordered pair."""
    made: dict[str, str | bytes] = {
        "figures.md": figures_page(),
        "concordance/index.md": concordance_index(),
    }
    for ours in codes():
        for theirs in codes():
            if ours != theirs:
                made[f"concordance/{ours}--{theirs}.md"] = concordance_page(ours, theirs)
    return made
