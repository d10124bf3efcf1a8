"""The lineage page: how each rule develops through the codes in order of date, drawn and in words.

A code has a rule if one of the rule's provisions is in force under it. From one such code to the
next, the rule stays the same, is reworded, gets a different figure, or changes in substance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

from oddtrick.book.compare import texts
from oddtrick.book.write_citation import date_words
from oddtrick.law.book import book
from oddtrick.law.model import Label, Parallel
from oddtrick.law.names import and_words
from oddtrick.report.words import number_words
from oddtrick.site.drawing import WIDE, Drawing, Path, Row, marks
from oddtrick.site.template import page

KINDS = ("same", "wording", "figure", "substance")
"""The ways in which a rule of one code relates to the same rule of another, in order of increasing
difference.
"""


@cache
def difference_words(difference: str) -> str:
    """The label of a difference: `in other words`, `with a different figure`."""
    labels = {d.id: d.label for d in book().vocabulary.differences}
    return labels.get(difference, "in the same words")


def pairs() -> list[tuple[str, str]]:
    """Every pair of codes, the earlier first."""
    return list(combinations(book().ids, 2))


def pair_name(one: str, other: str) -> str:
    """The name of the page that compares two codes: `EARLIER--LATER`."""
    return "--".join(sorted((one, other), key=book().ids.index))


def between(rule: Parallel, one: str, other: str) -> str | None:
    """The relation of a rule in one code to the same rule in another: one of `KINDS`, or `None` if
    either lacks it.
    """
    relations = book().relations
    mine, theirs = relations.holding(rule, one), relations.holding(rule, other)
    if not mine or not theirs:
        return None
    changes = relations.differences(mine[0], theirs[0], one, other)
    found = [d.difference for d in changes if d.rule == rule.id]
    return max(found, key=KINDS.index, default="same")


@cache
def tally(one: str, other: str) -> Counter[str]:
    """The number of rules that two codes share, by kind."""
    rules = book().relations.all
    return Counter(kind for rule in rules if (kind := between(rule, one, other)))


def common_words(one: str, other: str) -> str:
    """The number of rules that two codes share, by kind: `3 rules on the same points: 1 in the
    same words and 2 changed in substance`.
    """
    found = tally(one, other)
    kinds = and_words(f"{found[k]} {difference_words(k)}" for k in KINDS if found[k])
    return f"{number_words(sum(found.values()), 'rule')} on the same points: {kinds}"


def steps(rule: Parallel) -> list[tuple[str, str | None]]:
    """Each code in order of date, with the relation of its rule to the previous version: one of
    `KINDS`, `begins` for the first code, or `None` if the code lacks the rule.
    """
    made: list[tuple[str, str | None]] = []
    last = None
    for code in book().ids:
        if not book().relations.holding(rule, code):
            made.append((code, None))
            continue
        made.append((code, between(rule, last, code) if last else "begins"))
        last = code
    return made


def ends(rule: Parallel) -> tuple[str, str]:
    """The first and the last code that have a rule."""
    having = [code for code in book().ids if book().relations.holding(rule, code)]
    return having[0], having[-1]


def drawn() -> list[Parallel]:
    """The rules that at least two codes have; some rules have provisions in only one code, because
    general laws cover them in the others.
    """
    return [rule for rule in book().relations.all if len({*ends(rule)}) > 1]


def origin(rule: Parallel) -> str:
    """The first topic of the earliest provision of a rule."""
    first = book().relations.holding(rule, ends(rule)[0])[0]
    return texts(first.code)[first].topics[0]


def families() -> list[tuple[Label, list[Parallel]]]:
    """The families of topics, each with its rules in the order of their topics: those whose
    `origin` is in the family.
    """
    topics = list(book().topics)
    places = {p.address: n for n, p in enumerate(p for c in book().codes for p in c.provisions)}

    def order(rule: Parallel) -> tuple[int, int]:
        return topics.index(origin(rule)), places[book().relations.holding(rule, ends(rule)[0])[0]]

    rules = sorted(drawn(), key=order)
    found = (
        (f, [r for r in rules if book().topics[origin(r)].family == f.id])
        for f in book().vocabulary.families
    )
    return [(family, own) for family, own in found if own]


# --- the drawings ---------------------------------------------------------------------------------

KEY = {
    "begins": "the first code that has the rule",
    "same": "the same rule in the same words",
    "wording": "the rule in other words",
    "figure": "a different figure",
    "substance": "changed in substance",
}
"""The marks of a family's drawing, in words."""

LABELS, STEP, HEAD = 249, 18, 82
"""The x position at which the lines begin, to the right of the labels; the height of a row; the
height of the header with the names of the codes.
"""


def family_drawing(family: Label, rules: Sequence[Parallel]) -> Drawing:
    """The drawing of a family: a row for each rule, with its line through the codes."""
    names = book().ids
    width = (WIDE - 5 - LABELS) / (len(names) - 1)
    places = [round(LABELS + i * width, 1) for i in range(len(names))]
    rows = []
    for i, rule in enumerate(rules):
        y = HEAD + STEP * (i + 0.5)
        having = {n: kind for n, (_, kind) in enumerate(steps(rule)) if kind}
        lines: dict[str, str] = {}
        for left, right in pairwise(having):
            kind = "line" if right - left == 1 else "gap"
            lines[kind] = f"{lines.get(kind, '')}M{places[left]:g} {y:g}H{places[right]:g}"
        placed = marks(((kind, places[n]) for n, kind in having.items()), y)
        paths = (*((kind, path, None) for kind, path in lines.items()), *placed)
        rows.append(Row(rule.label, f"topics/{origin(rule)}/#rule-{rule.id}", y, paths))
    counted = f"{number_words(len(rules), 'rule')} through {number_words(len(names), 'code')}"
    return Drawing(
        f"lin-{family.id}",
        family.label,
        f"{counted} in order of date.",
        [(x, book().code(code).short) for x, code in zip(places, names, strict=True)],
        rows,
        STEP,
        HEAD,
        key=key(),
    )


def key() -> list[tuple[list[Path], str]]:
    """What the lines and marks of a family's drawing mean: each drawn, and in words."""
    made: list[tuple[list[Path], str]] = []
    for kind, words in KEY.items():
        line: Path = ("line", "M15 7H29" if kind == "begins" else "M1 7H29", None)
        made.append(([line, *marks([(kind, 15)], 7)], words))
    return [*made, ([("gap", "M1 7H29", None)], "not in the codes between")]


def nearest(code: str) -> str | None:
    """The earlier code that shares the most identical rules with a code, or the later one in case
    of a tie; `None` for the first code.
    """
    before = book().ids[: book().ids.index(code)]
    return max(before, key=lambda b: (tally(b, code)["same"], before.index(b)), default=None)


def likeness() -> Drawing:
    """The drawing of similarity: a row for each code in order of date, and an arc for each pair.

    The more identical rules two codes share, the thicker their arc. Arcs to the nearest predecessor
    are coloured, numbered and drawn last.
    """
    names, top, step, left = book().ids, 10, 34, 130
    ys = {code: top + step * (i + 0.5) for i, code in enumerate(names)}
    most = max(tally(a, b)["same"] for a, b in pairs())
    near = [(n, code) for code in names if (n := nearest(code))]
    arcs, numbers = list[Path](), list[tuple[float, float, str]]()
    for a, b in sorted(pairs(), key=lambda p: p in near):
        half, same = (ys[b] - ys[a]) / 2, tally(a, b)["same"]
        out = 24 + 186 * (half - step / 2) / (step * (len(names) - 1) / 2)
        kind, width = "near" if (a, b) in near else "far", round(0.4 + 6 * same / most, 2)
        path = f"M{left} {ys[a]:g}A{out:.1f} {half:g} 0 0 1 {left} {ys[b]:g}"
        arcs.append((kind, path, width))
        if kind == "near":
            numbers.append((left + out + 6, ys[a] + half + 4, str(same)))
    return Drawing(
        "likeness",
        "The lineage of the codes",
        "An arc joins each pair of codes; the more rules they have in the same words, the thicker "
        "the arc.",
        [],
        [
            Row(code.short, f"codes/{code.id}/", y, tuple(marks([("begins", left)], y)), note)
            for code, y in zip(map(book().code, names), ys.values(), strict=True)
            for note in [date_words(code.date)]
        ],
        step,
        top,
        arcs,
        numbers,
    )


# --- the page -------------------------------------------------------------------------------------


def drawings() -> list[Drawing]:
    """The drawings of the page."""
    return [likeness(), *(family_drawing(family, rules) for family, rules in families())]


def lineage_page() -> str:
    """`lineage.md`: the codes, and the rules of each family as a drawing and as a table."""
    found = families()
    return page(
        "lineage",
        "lineage.md",
        number=len(drawn()),
        likeness=likeness(),
        nearest=nearest,
        holding=book().relations.holding,
        key=key,
        common_words=common_words,
        tally=tally,
        pair_name=pair_name,
        codes=book().ids,
        families=[
            (family, family_drawing(family, rules), [(rule, steps(rule)) for rule in rules])
            for family, rules in found
        ],
    )
