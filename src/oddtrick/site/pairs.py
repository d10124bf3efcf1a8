"""A rule in two codes: its provisions side by side, the words that differ marked, and what changed told.

The earlier code always stands on the left. A provision that answers from another topic is shown with the name of
that topic, so that nothing is called missing that only stands elsewhere.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from oddtrick.book.compare import Comparison, Row, Run, compare_topic, marked, texts
from oddtrick.law.in_force import code_data
from oddtrick.law.parallels import load
from oddtrick.site.law_words import topic_label
from oddtrick.site.lineage import KINDS, law_link, said_of

Json = Any

UP = "../../"
"""From a page of two codes to the root of the site."""

TITLES = {
    "same": "The same",
    "wording": "In other words",
    "figure": "With another figure",
    "substance": "Changed in substance",
    "alone": "Only in one",
}


def runs_html(runs: Sequence[Run], tag: str) -> str:
    """Runs with those that differ in `ins` or `del`."""
    return " ".join(
        f"<{tag}>{html.escape(w, False)}</{tag}>" if d else html.escape(w, False) for d, w in runs
    )


def _parted(runs: Sequence[Run], lengths: Sequence[int]) -> list[list[Run]]:
    """Runs over several texts joined, cut into those of each; `lengths` are the numbers of words of the texts."""
    flat = [(d, w) for d, run in runs for w in run.split()]
    parts: list[list[Run]] = []
    at = 0
    for length in lengths:
        part: list[Run] = []
        for differs, word in flat[at : at + length]:
            if part and part[-1][0] == differs:
                part[-1] = (differs, f"{part[-1][1]} {word}")
            else:
                part.append((differs, word))
        parts.append(part)
        at += length
    return parts


# --- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """One rule in two codes: its kind, the provisions of each, what changed, the ids of its rules.

    `kind` is one of `KINDS`, or `alone`; `differences` are those of `relations`, each once.
    """

    label: str
    kind: str
    left: tuple[tuple[str, str], ...]
    right: tuple[tuple[str, str], ...]
    differences: tuple[Json, ...]
    rules: tuple[str, ...]


@cache
def _book(code: str) -> Json:
    return texts(code)


def pair_of(row: Row, one: str, other: str) -> Pair:
    """A row of a comparison with what answers it under other topics, and how the two sides stand to each other."""
    relations = load()
    left = row.cells.get(one) or _answers(row.cells[other], other, one)
    right = row.cells.get(other) or _answers(row.cells[one], one, other)
    changed: dict[tuple[str, str, str], Json] = {}
    for a, _ in left:
        for b, _ in right:
            if a != b:
                for d in relations.differences(a, b):
                    changed[d.rule, d.ours, d.theirs] = d
    rules = dict.fromkeys(
        r.id
        for a, _ in (left or right)
        for r in relations.of.get(a, ())
        if not (left and right) or any(b in m for m in r.members.values() for b, _ in right)
    )
    if not left or not right:
        kind = "alone"
    elif [t for _, t in left] == [t for _, t in right]:
        kind = "same"
    else:
        kind = max((d.difference for d in changed.values()), key=KINDS.index, default="wording")
    return Pair(
        row.label,
        kind,
        left,
        right,
        tuple(changed.values()) if kind != "same" else (),
        tuple(rules),
    )


def _answers(
    found: tuple[tuple[str, str], ...], ours: str, theirs: str
) -> tuple[tuple[str, str], ...]:
    answers = dict.fromkeys(b for a, _ in found for b in load().counterparts(a, ours, theirs))
    return tuple((b, _book(theirs)[b].text) for b in answers)


@cache
def topic_pairs(topic: str, one: str, other: str) -> tuple[Comparison, tuple[Pair, ...]]:
    """A topic in two codes: the comparison, and its rows."""
    found = compare_topic(topic, (one, other))
    return found, tuple(pair_of(row, one, other) for row in found.rows)


def counts_words(rows: Sequence[Pair]) -> str:
    """How many rows of a topic differ: `2 differ, 1 in other words, 1 the same, 3 only in one`."""
    kinds = [p.kind for p in rows]
    changed = sum(k in ("figure", "substance") for k in kinds)
    parts = [
        (changed, "differs" if changed == 1 else "differ"),
        (kinds.count("wording"), said_of("wording")),
        (kinds.count("same"), "the same"),
        (kinds.count("alone"), "only in one"),
    ]
    return ", ".join(f"{n} {w}" for n, w in parts if n) or "nothing in either"


@cache
def _where(address: str, side: str, topic: str) -> str:
    """The head of a provision's card: its code and law, linked; whose law it is and where it is filed, if not plainly here."""
    code = address.partition(":")[0]
    words = f"{html.escape(code_data(code)['short'])}, {law_link(address, UP)}"
    if code != side:
        words += f" <span>in force under {html.escape(code_data(side)['short'])}</span>"
    topics = _book(side)[address]["topics"]
    if topic not in topics and topics:
        words += f" <span>filed under {html.escape(topic_label(topics[0]).lower())}</span>"
    return f'<p class="cmp-where">{words}</p>'


def _card(
    found: Sequence[tuple[str, str]],
    bodies: Sequence[str],
    side: str,
    topic: str,
    whole: bool = False,
) -> str:
    inner = "".join(
        f"{_where(address, side, topic)}<p>{body}</p>"
        for (address, _), body in zip(found, bodies, strict=True)
    )
    return f'<div class="cmp-card{" cmp-whole" if whole else ""}">{inner}</div>'


def pair_html(pair: Pair, one: str, other: str, topic: str, anchors: Sequence[str] = ()) -> str:
    """A row as HTML: a head with its kind, one card where both are the same, else two with their differences marked."""
    ids = "".join(f'<span id="{a}"></span>' for a in anchors)
    only = (one if pair.left else other) if pair.kind == "alone" else ""
    title = f"Only in {code_data(only)['short']}" if only else TITLES[pair.kind]
    head = f'<h4>{ids}{html.escape(pair.label)} <span class="cmp-kind">{html.escape(title)}</span></h4>'
    if pair.kind == "same":
        body = _same_html(pair, one, other, topic)
    elif pair.kind == "alone":
        side, found = (one, pair.left) if pair.left else (other, pair.right)
        card = _card(found, [html.escape(t, False) for _, t in found], side, topic)
        none = f'<div class="cmp-none">Nothing answers it in {html.escape(code_data(other if pair.left else one)["short"])}.</div>'
        body = f'<div class="cmp-two">{card + none if pair.left else none + card}</div>'
    else:
        left, right = marked(" ".join(t for _, t in pair.left), " ".join(t for _, t in pair.right))
        cards = []
        for side, found, runs, tag in (
            (one, pair.left, left, "del"),
            (other, pair.right, right, "ins"),
        ):
            parts = _parted(runs, [len(t.split()) for _, t in found])
            whole = len(runs) == 1 and runs[0][0]
            cards.append(_card(found, [runs_html(p, tag) for p in parts], side, topic, whole))
        body = f'<div class="cmp-two">{"".join(cards)}</div>{_changes_html(pair, one, other)}'
    return f'<section class="cmp-row cmp-{pair.kind}">{head}{body}</section>'


def _same_html(pair: Pair, one: str, other: str, topic: str) -> str:
    """One card for what both codes say in the same words, under both citations."""
    inner = []
    for (a, text), (b, _) in zip(pair.left, pair.right, strict=True):
        heads = (
            [_where(b, other, topic)]
            if a == b
            else [_where(a, one, topic), _where(b, other, topic)]
        )
        inner.append(
            f'<div class="cmp-heads">{"".join(heads)}</div><p>{html.escape(text, False)}</p>'
        )
    return f'<div class="cmp-card cmp-both">{"".join(inner)}</div>'


def _changes_html(pair: Pair, one: str, other: str) -> str:
    """What changed in words: for each rule of the row, what it is in either code."""
    rows = []
    for d in pair.differences:
        # the head of the row tells the kind where one rule differs
        label = (
            f"<b>{html.escape(d.label)}</b>, {said_of(d.difference)}. "
            if len(pair.differences) > 1
            else ""
        )
        ours, theirs = (
            f"<i>{html.escape(code_data(c)['short'])}:</i> {html.escape(getattr(d, k), False)}"
            for c, k in ((one, "ours"), (other, "theirs"))
        )
        rows.append(f"<p>{label}{ours}; {theirs}.</p>")
    return f'<div class="cmp-change">{"".join(rows)}</div>' if rows else ""
