"""The comparison pages: every two codes side by side, topic by topic, and the page on which to choose them.

Two codes have one page, the earlier on the left; the address with the names the other way round leads to it.
"""

from __future__ import annotations

import html
import json
from typing import Any

from oddtrick.book import citation as citing
from oddtrick.book.citation import law_words
from oddtrick.book.compare import STATES
from oddtrick.book.read_citation import FILLERS
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.book import book
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.law.names import READING
from oddtrick.law.parallels import load
from oddtrick.site.concordance import concordance_pages
from oddtrick.site.law_words import front, topic_label
from oddtrick.site.lineage import KINDS, lineage_page, pairs, said_of, tally, tally_table
from oddtrick.site.pairs import UP, counts_words, pair_html, topic_pairs

Json = Any

# --- the page of two codes --------------------------------------------------------------------------


def state_html(code: str, state: str, reason: str) -> str:
    """A code without a provision on a topic, in words."""
    return f'<div class="cmp-state"><p><b>{html.escape(code_data(code)["short"])}: {STATES[state]}.</b> {html.escape(reason, False)}</p></div>'


def topic_html(topic: str, one: str, other: str, anchors: dict[int, list[str]]) -> str:
    """The body of a topic's section: states, rows, and a line for a reader who sees only what differs."""
    found, rows = topic_pairs(topic, one, other)
    parts = [state_html(code, *found.states[code]) for code in (one, other) if code in found.states]
    parts += [pair_html(p, one, other, topic, anchors.get(i, ())) for i, p in enumerate(rows)]
    same = sum(p.kind == "same" for p in rows)
    note = (
        f'<p class="cmp-hidden">{number_words(same, "rule")} the same in both.</p>' if same else ""
    )
    question = next(t["question"] for t in vocabulary()["topics"] if t["id"] == topic)
    return (
        f'<div class="cmp-topic"><p class="cmp-question">{html.escape(question)} <a href="{UP}topics/{topic}/" '
        f'aria-label="All codes on {html.escape(topic_label(topic))}">All codes</a></p>{"".join(parts)}{note}</div>'
    )


def rule_anchors(one: str, other: str) -> dict[str, dict[int, list[str]]]:
    """Where each rule's anchor goes on the page of two codes: topic, row, ids; where both have it rather than one."""
    place: dict[str, tuple[bool, str, int]] = {}
    for topic in vocabulary()["topics"]:
        for index, pair in enumerate(topic_pairs(topic["id"], one, other)[1]):
            for rule in pair.rules:
                both = pair.kind != "alone"
                if rule not in place or (both and not place[rule][0]):
                    place[rule] = (both, topic["id"], index)
    made: dict[str, dict[int, list[str]]] = {}
    for rule, (_, topic_id, index) in place.items():
        made.setdefault(topic_id, {}).setdefault(index, []).append(f"rule-{rule}")
    return made


def jump_html(one: str, other: str, way: str = "") -> str:
    """The topics as links, by family, each with how many of its rules differ."""
    blocks = []
    for family in vocabulary()["families"]:
        items = "".join(
            f'<li><a href="{way}#{t["id"]}">{html.escape(t["label"])}</a> <span>{counts_words(topic_pairs(t["id"], one, other)[1])}</span></li>'
            for t in vocabulary()["topics"]
            if t["family"] == family["id"]
        )
        blocks.append(f"<div><p>{html.escape(family['label'])}</p><ul>{items}</ul></div>")
    return f'<div class="cmp-jump">{"".join(blocks)}</div>'


def summary_words(one: str, other: str) -> str:
    """How two codes stand to each other as wholes, in a sentence or two."""
    found = tally(one, other)
    a, b = code_data(one)["short"], code_data(other)["short"]
    relations = load()
    alone = [
        sum(not relations.counterparts(address, x, y) for address in relations.sides[x])
        for x, y in ((one, other), (other, one))
    ]
    kinds = and_words(
        f"{found[k]} {'in the same words' if k == 'same' else said_of(k)}"
        for k in KINDS
        if found[k]
    )
    return (
        f"{a} and {b} have {number_words(sum(found.values()), 'rule')} in common: {kinds}. "
        f"Nothing in {b} answers {number_words(alone[0], 'provision')} of {a}, nothing in {a} {number_words(alone[1], 'provision')} of {b}."
    )


def others_html(one: str, other: str) -> str:
    """Links to the comparisons of either code with the rest."""
    lines = []
    for kept in (one, other):
        links = []
        for code in codes():
            if code not in (one, other):
                a, b = sorted((kept, code), key=codes().index)
                links.append(f'<a href="../{a}--{b}/">{html.escape(code_data(code)["short"])}</a>')
        lines.append(f"<p>{html.escape(code_data(kept)['short'])} with {', '.join(links)}</p>")
    return "".join(lines)


def pair_page(one: str, other: str) -> str:
    """Two codes whole, the earlier on the left, a section for each topic."""
    a, b = code_data(one)["short"], code_data(other)["short"]
    anchors = rule_anchors(one, other)
    out = [
        front(
            f"{a} and {b} compared",
            f"{a} and {b} side by side, topic by topic, with what changed in words.",
            "not",
            "navigation",
        ),
        f"# {a} and {b}",
        "",
        f'<p class="lede">{html.escape(summary_words(one, other))}</p>',
        "",
        '<div class="cmp-tools"><label><input type="checkbox" id="cmp-only" autocomplete="off"> Only what differs</label>'
        f'<p class="cmp-key"><span><del>dashed</del> only in {html.escape(a)}</span> <span><ins>solid</ins> only in {html.escape(b)}</span> <span>an edge alone: hardly a word alike</span></p>'
        f"<details><summary>Go to a topic</summary>{jump_html(one, other)}</details>"
        f'<details><summary>Other codes</summary><div class="cmp-others">{others_html(one, other)}'
        f'<p>Law by law: <a href="../../concordance/{one}--{other}/">concordance of {html.escape(a)}</a>, <a href="../../concordance/{other}--{one}/">of {html.escape(b)}</a></p></div></details></div>',
        "",
    ]
    for family in vocabulary()["families"]:
        out += [f'## {family["label"]} {{ id="family-{family["id"]}" }}', ""]
        for topic in (t for t in vocabulary()["topics"] if t["family"] == family["id"]):
            out += [
                f'### {topic["label"]} {{ id="{topic["id"]}" }}',
                "",
                topic_html(topic["id"], one, other, anchors.get(topic["id"], {})),
                "",
            ]
    return "\n".join(out)


def swapped_page(one: str, other: str) -> str:
    """The page under the names the other way round: it leads to the comparison, topic by topic, with JavaScript at once."""
    a, b = code_data(one)["short"], code_data(other)["short"]
    way = f"../{one}--{other}/"
    topics = "".join(
        f'<li id="{t["id"]}"><a href="{way}#{t["id"]}">{html.escape(t["label"])}</a></li>'
        for t in vocabulary()["topics"]
    )
    return "\n".join(
        [
            front(f"{b} and {a} compared", f"{b} and {a} side by side.", "not", "navigation, toc"),
            f"# {b} and {a}",
            "",
            f"The earlier code stands on the left: [{a} and {b}]({one}--{other}.md).",
            "",
            f'<ul class="cmp-columns" data-forward="{way}">{topics}</ul>',
            "",
            f'<script src="{UP}assets/compare.js" defer></script>',
            "",
        ]
    )


# --- where to choose --------------------------------------------------------------------------------


def index_page() -> str:
    """Any two codes, any topic, any two provisions."""
    options = "".join(
        f'<option value="{c}">{html.escape(code_data(c)["short"])}</option>' for c in codes()
    )
    groups = "".join(
        f'<optgroup label="{html.escape(f["label"])}">'
        + "".join(
            f'<option value="{t["id"]}">{html.escape(t["label"])}</option>'
            for t in vocabulary()["topics"]
            if t["family"] == f["id"]
        )
        + "</optgroup>"
        for f in vocabulary()["families"]
    )
    example = _example()
    out = [
        front(
            "Compare",
            "Any two codes side by side, on any topic; any two provisions word by word.",
            "described",
            "navigation, toc",
        ),
        "# Compare",
        "",
        '<p class="lede">Any two codes side by side, whole or on one question; any two provisions, word by word. What the codes say alike is restated alike, so a marked word is a difference of law, unless a rule is said to be the same in other words.</p>',
        "",
        "## Two codes { #codes }",
        "",
        f'<form class="cmp-form" id="cmp-codes" hidden><label>One code <select name="one">{options}</select></label>'
        f'<label>and another <select name="other">{options}</select></label>'
        f'<label>on <select name="topic"><option value="">everything</option>{groups}</select></label><button type="submit">Compare</button></form>',
        "",
        tally_table("../"),
        "",
        "More: [every figure, code by code](../figures.md), [concordances](../concordance/index.md), [the lineage of the rules](../lineage.md).",
        "",
        "## Two provisions { #provisions }",
        "",
        '<form class="cmp-form" id="cmp-provisions" hidden>'
        f'<label>One provision <input name="one" list="cmp-list-one" placeholder="{html.escape(example[0])}" autocomplete="off" spellcheck="false" required></label><datalist id="cmp-list-one"></datalist>'
        f'<label>and another <input name="other" list="cmp-list-other" placeholder="{html.escape(example[1])}" autocomplete="off" spellcheck="false" required></label><datalist id="cmp-list-other"></datalist>'
        '<button type="submit">Compare</button></form>',
        "",
        f'<div id="cmp-result" aria-live="polite" data-provisions="provisions.json"><p class="cmp-quiet">An address such as <code>{example[0]}</code>, or a citation such as “{html.escape(_cited(example[0]))}”. '
        "The comparison is made on this page, and its link can be shared.</p><noscript><p>This needs JavaScript. Without it, every two codes stand side by side above.</p></noscript></div>",
        "",
        "## On one question { #topics }",
        "",
    ]
    for family in vocabulary()["families"]:
        out += [f'<section class="cmp-family"><h3>{html.escape(family["label"])}</h3>']
        out += [_fold(t) for t in vocabulary()["topics"] if t["family"] == family["id"]]
        out += ["</section>", ""]
    out += [f'<script src="../assets/{s}.js" defer></script>' for s in ("word-diff", "compare")]
    out.append("")
    return "\n".join(out)


def _fold(topic: Json) -> str:
    items = "".join(
        f'<li><a href="{a}--{b}/#{topic["id"]}">{html.escape(code_data(a)["short"])} and {html.escape(code_data(b)["short"])}</a> '
        f"<span>{counts_words(topic_pairs(topic['id'], a, b)[1])}</span></li>"
        for a, b in pairs()
    )
    return f'<details class="cmp-fold" id="{topic["id"]}"><summary>{html.escape(topic["label"])} <span>{html.escape(topic["question"])}</span></summary><ul class="cmp-columns">{items}</ul></details>'


def _example() -> tuple[str, str]:
    """Two provisions of a rule that changed, for the fields to suggest: the first rule with a lettered paragraph in both."""
    for one, other in pairs():
        for rule in load().rules:
            found = [
                next(
                    (
                        a
                        for m in rule.members.values()
                        for a in m
                        if a in load().sides[c] and a.rpartition(".")[2].isalpha()
                    ),
                    "",
                )
                for c in (one, other)
            ]
            if all(found) and found[0] != found[1] and not load().same(found[0], found[1]):
                return found[0], found[1]
    address = load().sides[codes()[0]][0]
    return address, address


def _cited(address: str) -> str:
    return f"{code_data(address.partition(':')[0])['short']}, {law_words(address)}"


def provisions_json() -> str:
    """What the page needs to compare any two provisions, compact: what reads a citation, headings of laws, texts by address.

    A citation is read there as `citing.read` reads it, by the same names and words; of those that have no plain
    number it has what `citing.spoken` calls them, but for readings, which are no provisions.
    """
    data = {
        "codes": [
            {
                "id": c,
                "short": code_data(c)["short"],
                "names": code_data(c)["aliases"],
                "called": code_data(c).get("called", {}),
                "spoken": {
                    words: rest
                    for words, rest in citing.spoken(c).items()
                    if not rest.startswith("reading.")
                },
            }
            for c in codes()
        ],
        "kinds": book().passage_words[0] | {READING: READING},
        "attached": book().passage_words[1],
        "fillers": sorted(FILLERS),
        "laws": {law["address"]: law["heading"] for c in codes() for law in code_data(c)["laws"]},
        "provisions": {
            p["address"]: p["text"] for c in codes() for p in code_data(c)["provisions"]
        },
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def compare_pages() -> dict[str, str | bytes]:
    """Everything under `compare/` and `concordance/`, `figures.md` and `lineage.md`: path to content."""
    made: dict[str, str | bytes] = {
        "compare/index.md": index_page(),
        "compare/provisions.json": provisions_json(),
    }
    for one, other in pairs():
        made[f"compare/{one}--{other}.md"] = pair_page(one, other)
        made[f"compare/{other}--{one}.md"] = swapped_page(one, other)
    made["lineage.md"] = lineage_page()
    return made | concordance_pages()
