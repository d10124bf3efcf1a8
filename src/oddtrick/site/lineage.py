"""The lineage page: how each rule runs through the codes in order of date, drawn as lines and told in words.

A rule stands in a code when a provision in force under it is one of the rule's. From one code that has it to the
next, the rule stays the same, is worded otherwise, has another figure, or changes in substance.
"""

from __future__ import annotations

import html
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

from oddtrick.book.citation import date_words, law_words, path_of
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.law.parallels import load
from oddtrick.site.law_words import every_two, front

Json = Any

KINDS = ("same", "wording", "figure", "substance")
"""How a rule of one code stands to the same rule of another, the widest difference last."""


@cache
def said_of(difference: str) -> str:
    """What a difference is, in the words of the vocabulary: `in other words`, `with another figure`, `changed in substance`."""
    return str(next(d["label"] for d in vocabulary()["differences"] if d["id"] == difference))


@cache
def law_link(address: str, up: str, owner: bool = False) -> str:
    """A link to a provision in words, `up` being the way to the site's root; with the name of its code before it if asked."""
    name = f"{code_data(address.partition(':')[0])['short']}, " if owner else ""
    return f'<a href="{up}{path_of(address)}">{html.escape(name + law_words(address))}</a>'


def pairs() -> list[tuple[str, str]]:
    """Every two codes, the earlier first."""
    return list(combinations(codes(), 2))


def holding(rule: Json, code: str) -> list[str]:
    """The provisions of a rule that are in force under a code; its own alone where it has any, else its base's."""
    force = _force(code)
    found = [a for members in rule.members.values() for a in members if a in force]
    return [a for a in found if a.startswith(f"{code}:")] or found


@cache
def _force(code: str) -> frozenset[str]:
    return frozenset(load().sides[code])


def between(rule: Json, one: str, other: str) -> str | None:
    """How a rule of one code stands to that of another: one of `KINDS`, or `None` where one of them lacks it."""
    mine, theirs = holding(rule, one), holding(rule, other)
    if not mine or not theirs:
        return None
    found = [d.difference for d in load().differences(mine[0], theirs[0]) if d.rule == rule.id]
    return max(found, key=KINDS.index, default="same")


@cache
def tally(one: str, other: str) -> Counter[str]:
    """How many rules two codes have in common, by kind."""
    return Counter(kind for rule in load().rules if (kind := between(rule, one, other)))


def steps(rule: Json) -> list[tuple[str, str | None]]:
    """A rule through the codes in order of date: each code, and `begins`, one of `KINDS` against the last that had it, or `None`."""
    made: list[tuple[str, str | None]] = []
    last = None
    for code in codes():
        if not holding(rule, code):
            made.append((code, None))
            continue
        made.append((code, between(rule, last, code) if last else "begins"))
        last = code
    return made


def steps_words(rule: Json) -> str:
    """The same in words: `Bridge; the same in Auction 1912 and Royalton; not in Auction 1926`."""
    grouped: list[tuple[str | None, list[str]]] = []
    for code, kind in steps(rule):
        if not kind and not grouped:
            continue
        if not grouped or grouped[-1][0] != kind:
            grouped.append((kind, []))
        grouped[-1][1].append(code_data(code)["short"])
    said = []
    for kind, names in grouped:
        before = {"begins": "", "same": "the same in ", None: "not in "}
        said.append(
            (before[kind] if kind in before else f"{said_of(str(kind))} in ") + and_words(names)
        )
    return "; ".join(said)


def ends(rule: Json) -> tuple[str, str]:
    """The first and the last code that have a rule."""
    having = [code for code in codes() if holding(rule, code)]
    return having[0], having[-1]


def families() -> list[tuple[Json, list[Json]]]:
    """The families of topics, each with the rules that belong to it: by the first topic of a rule's first provision."""
    topics = [t["id"] for t in vocabulary()["topics"]]
    family = {t["id"]: t["family"] for t in vocabulary()["topics"]}
    first = {
        p["address"]: p["topics"][0]
        for code in codes()
        for p in code_data(code)["provisions"]
        if p["topics"]
    }
    place = {address: i for i, address in enumerate(first)}
    of: dict[str, list[tuple[int, int, Json]]] = {}
    for rule in load().rules:
        address = holding(rule, ends(rule)[0])[0]
        topic = first[address]
        of.setdefault(family[topic], []).append((topics.index(topic), place[address], rule))
    return [
        (f, [r for _, _, r in sorted(of[f["id"]], key=lambda x: x[:2])])
        for f in vocabulary()["families"]
        if f["id"] in of
    ]


# --- the drawings ---------------------------------------------------------------------------------
# Lengths are CSS pixels of a drawing as wide as a phone; the page scales it up.

WIDE = 360
LABELS = 244
"""Where the lines begin: the labels stand to the left."""
STEP = 18
HEAD = 82
"""Where the rules begin: the names of the codes stand above."""
LONG = 37
"""Letters of a label that fit at full size."""


def _x(index: int) -> float:
    width = (WIDE - LABELS - 10) / max(1, len(codes()) - 1)
    return round(LABELS + 5 + index * width, 1)


def mark_svg(kind: str, x: float, y: float) -> str:
    """The mark of a code on a rule's line: its shape tells the kind."""
    if kind == "begins":
        return f'<circle class="lin-begins" cx="{x:g}" cy="{y:g}" r="3.6"/>'
    if kind == "wording":
        return f'<circle class="lin-wording" cx="{x:g}" cy="{y:g}" r="3.4"/>'
    if kind == "figure":
        return (
            f'<rect class="lin-figure" x="{x - 3.6:g}" y="{y - 3.6:g}" width="7.2" height="7.2"/>'
        )
    if kind == "substance":
        return f'<path class="lin-substance" d="M{x:g} {y - 5.4:g}l5.4 5.4l-5.4 5.4l-5.4-5.4z"/>'
    return f'<path class="lin-same" d="M{x:g} {y - 3.4:g}v6.8"/>'


def rule_svg(rule: Json, y: float) -> str:
    """One rule: its label, linked to its comparison, and its line through the codes."""
    made = [(_x(i), kind) for i, (_, kind) in enumerate(steps(rule))]
    drawn = []
    last: float | None = None
    gap = False
    for x, kind in made:
        if not kind:
            gap = last is not None
            continue
        if last is not None:
            drawn.append(
                f'<path class="lin-{"gap" if gap else "line"}" d="M{last:g} {y:g}H{x:g}"/>'
            )
        last, gap = x, False
    drawn += [mark_svg(kind, x, y) for x, kind in made if kind]
    first, final = ends(rule)
    words = html.escape(f"{rule.label}: {steps_words(rule)}.")
    small = ' class="lin-long"' if len(rule.label) > LONG else ""
    return (
        f'<a class="lin-rule" href="../compare/{first}--{final}/#rule-{rule.id}"><title>{words}</title>'
        f'<rect class="lin-hit" x="0" y="{y - STEP / 2:g}" width="{WIDE}" height="{STEP}"/>'
        f'<text{small} x="2" y="{y + 4:g}">{html.escape(rule.label)}</text><g aria-hidden="true">{"".join(drawn)}</g></a>'
    )


def family_svg(family: Json, rules: list[Json]) -> str:
    """The drawing of one family: a column for each code, a line for each rule."""
    height = HEAD + STEP * len(rules) + 6
    name = f"lin-{family['id']}"
    guides = "".join(
        f'<path class="lin-guide" d="M{_x(i):g} {HEAD - 8}V{height - 4}"/>'
        f'<text class="lin-code" transform="translate({_x(i) + 3:g} {HEAD - 11}) rotate(-90)">{html.escape(code_data(c)["short"])}</text>'
        for i, c in enumerate(codes())
    )
    rows = "".join(rule_svg(r, HEAD + STEP * (i + 0.5)) for i, r in enumerate(rules))
    told = f"{number_words(len(rules), 'rule')} through {number_words(len(codes()), 'code')} in order of date; each is told in words below."
    return (
        f'<svg class="lineage" viewBox="0 0 {WIDE} {height}" role="group" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{html.escape(family["label"])}</title><desc id="{name}-d">{told}</desc>'
        f'<g aria-hidden="true">{guides}</g>{rows}</svg>'
    )


def nearest(code: str) -> str | None:
    """The earlier code with which a code has the most rules alike, the later where two have as many; `None` for the first."""
    before = codes()[: codes().index(code)]
    return max(before, key=lambda b: (tally(b, code)["same"], before.index(b)), default=None)


def descent_svg() -> str:
    """The codes in order of date, an arc between every two as thick as the number of rules they have alike."""
    names = codes()
    across = (WIDE - 60) / max(1, len(names) - 1)
    ground = 118
    x = {c: 30 + i * across for i, c in enumerate(names)}
    most = max(tally(a, b)["same"] for a, b in pairs())
    near = {(nearest(c), c) for c in names}
    arcs, numbers = [], []
    for a, b in sorted(
        pairs(), key=lambda p: p in near
    ):  # the nearest are drawn last, over the others
        same = tally(a, b)["same"]
        half = (x[b] - x[a]) / 2
        rise = 24 + 105 * (half - across / 2) / (across * (len(names) - 1) / 2)
        shown = "lin-near" if (a, b) in near else "lin-far"
        arcs.append(
            f'<path class="{shown}" stroke-width="{0.4 + 6 * same / most:.2f}" d="M{x[a]:g} {ground}A{half:g} {rise:.1f} 0 0 1 {x[b]:g} {ground}"/>'
        )
        if (a, b) in near:
            numbers.append(
                f'<text class="lin-number" x="{x[a] + half:g}" y="{ground - rise + 14:.1f}">{same}</text>'
            )
    labels = []
    for code in names:
        data = code_data(code)
        lines = [
            *data["short"].split(),
            *([date_words(data["date"])] if data["date"][:4] not in data["short"] else []),
        ]
        spans = "".join(
            f'<tspan x="{x[code]:g}" dy="13">{html.escape(line)}</tspan>' for line in lines
        )
        labels.append(
            f'<a href="../codes/{code}/"><circle class="lin-begins" cx="{x[code]:g}" cy="{ground}" r="4.5"/>'
            f'<text class="lin-name" y="{ground + 8}">{spans}</text></a>'
        )
    return (
        f'<svg class="descent" viewBox="0 0 {WIDE} {ground + 42}" role="group" aria-labelledby="descent-t descent-d">'
        '<title id="descent-t">The lineage of the codes</title>'
        '<desc id="descent-d">An arc joins every two codes, the thicker the more rules they have in the same words. The numbers stand in the table below.</desc>'
        f'<g aria-hidden="true"><path class="lin-guide" d="M10 {ground}H{WIDE - 10}"/>{"".join(arcs)}{"".join(numbers)}</g>{"".join(labels)}</svg>'
    )


def descent_words(code: str) -> str:
    """What a code keeps of the nearest before it, in a line."""
    near = nearest(code)
    data = code_data(code)
    if near is None:
        return f"{data['short']} ({date_words(data['date'])}) is the first."
    found = tally(near, code)
    other = code_data(near)["short"]
    amends = " which it amends," if data["extends"] == near else ""
    rest = and_words(f"{found[k]} {said_of(k)}" for k in KINDS[1:] if found[k])
    return (
        f"{data['short']} ({date_words(data['date'])}) stands nearest to {other},{amends} with "
        f"{number_words(sum(found.values()), 'rule')} in common: {found['same']} in the same words"
        + (f", {rest}" if rest else "")
        + "."
    )


LEGEND = (
    ("begins", "the first code that has the rule"),
    ("same", "the same rule in the same words"),
    ("wording", "the rule in other words"),
    ("figure", "another figure"),
    ("substance", "changed in substance"),
)


def legend_html() -> str:
    """The marks and what they mean."""
    rows = "".join(
        f'<li><svg viewBox="0 0 30 14" aria-hidden="true"><path class="lin-line" d="M{"15" if kind == "begins" else "1"} 7H29"/>{mark_svg(kind, 15, 7)}</svg>{words}</li>'
        for kind, words in LEGEND
    )
    gap = '<li><svg viewBox="0 0 30 14" aria-hidden="true"><path class="lin-gap" d="M1 7H29"/></svg>not in the codes between</li>'
    return f'<ul class="lin-legend">{rows}{gap}</ul>'


def tally_table(here: str) -> str:
    """Every two codes: the rules alike of those in common, linked to the comparison; `here` is the way to the site's root."""
    names = codes()

    def cell(a: str, b: str) -> tuple[str, str, str]:
        one, other = sorted((a, b), key=names.index)
        found = tally(one, other)
        label = f"{code_data(a)['short']} and {code_data(b)['short']}: {found['same']} of {sum(found.values())} common rules in the same words"
        return (
            f"{here}compare/{one}--{other}/",
            label,
            f"<b>{found['same']}</b> of {sum(found.values())}",
        )

    head, body = every_two(cell)
    return (
        '<p class="cmp-caption">Rules in the same words, of the rules that both codes have</p>'
        '<div class="cmp-scroll" role="region" tabindex="0" aria-label="Every two codes"><table class="cmp-table cmp-pairs">'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def lineage_page() -> str:
    """The page: the codes, the drawing of every rule by family, and the same in words."""
    out = [
        front(
            "Lineage",
            "How each rule of the game runs through the codes, drawn and told.",
            "described",
            "navigation, toc",
        ),
        "# Lineage",
        "",
        f'<p class="lede">{len(load().rules)} rules run through two codes or more. Here is where each begins, how long it stays as it was, and where it changes.</p>',
        "",
        "## The codes { #codes }",
        "",
        f'<div class="lin-codes"><div>{descent_svg()}</div><div><p>The arcs are as thick as the number of rules that two codes have in the same words; the strongest from each code back to an earlier one is drawn in colour and numbered. It shows likeness in law; that one book was made from another it does not prove.</p><ul>'
        + "".join(f"<li>{html.escape(descent_words(c))}</li>" for c in codes())
        + "</ul></div></div>",
        "",
        tally_table("../"),
        "",
        "## The rules { #rules }",
        "",
        "The codes stand in order of date, each mark against the last code before it that has the rule. A label leads to the rule in the first and the last code that have it, side by side.",
        "",
        legend_html(),
        "",
        '<div class="lin-families">',
    ]
    for family, rules in families():
        out.append(
            f'<section class="lin-family" id="family-{family["id"]}"><h3>{html.escape(family["label"])}</h3>{family_svg(family, rules)}</section>'
        )
    out += ["</div>", "", "## The same in words { #words }", ""]
    for family, rules in families():
        items = "".join(f"<li>{_told(rule)}</li>" for rule in rules)
        out += [
            f'<details class="cmp-fold"><summary>{html.escape(family["label"])} <span>{number_words(len(rules), "rule")}</span></summary><ul>{items}</ul></details>',
            "",
        ]
    return "\n".join(out)


def _told(rule: Json) -> str:
    first, final = ends(rule)
    way = f'<a href="../compare/{first}--{final}/#rule-{rule.id}">{html.escape(rule.label)}</a>'
    return f"{way}: {html.escape(steps_words(rule))}."
