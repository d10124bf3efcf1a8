"""The topic pages: each question with its story, its facts in short, every code's law side by side, and what is near it.

The stories (`laws/stories.yaml`) are read when the site is built and are no part of the lawbook.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from oddtrick.book.citation import law_words, natural
from oddtrick.book.compare import STATES, compare_topic, state_of, texts
from oddtrick.law.in_force import code_data, codes, vocabulary
from oddtrick.law.problems import read_yaml, schema_problems
from oddtrick.law.schema import schemas, validators
from oddtrick.paths import folder
from oddtrick.rulings import engine as rulings
from oddtrick.site.law import irregularities_of
from oddtrick.site.law_words import front, topic_label
from oddtrick.site.topic_cards import (
    UP,
    by_code,
    cards_html,
    facts_html,
    number_link,
    row_anchors,
    short,
)

Json = Any

# --- stories ----------------------------------------------------------------------------------------


@cache
def stories() -> dict[str, Json]:
    """The stories by topic, each with `topic`, `text` and `laws`. Raises `ValueError` where the file breaks its schema."""
    laws = folder("laws")
    node, problems = read_yaml(laws / "stories.yaml", "laws/stories.yaml")
    if not problems:
        check = validators(schemas(laws, vocabulary()))["stories.schema.json"]
        problems = list(schema_problems(node, "laws/stories.yaml", check))
    if problems:
        raise ValueError("\n".join(map(str, problems)))
    return {story["topic"]: story for story in node["stories"]}


# --- what belongs to it -----------------------------------------------------------------------------


def options_html(topic: str) -> str:
    """What the options of the codes say on a topic."""
    parts = []
    for code in codes():
        data = code_data(code)
        labels = {o["id"]: o["label"] for o in data["options"]}
        for item in (p for p in data["provisions"] if p["option"] and topic in p["topics"]):
            where = f"{short(code)}, {html.escape(labels[item['option']])}, {number_link(item['address'], law_words(item['address']))}"
            parts.append(
                f'<li><p class="topic-where">{where}</p>{html.escape(item["text"], False)}</li>'
            )
    return f'<ul class="topic-options">{"".join(parts)}</ul>' if parts else ""


def disputes_html(topic: str, linked: bool) -> str:
    """The irregularities whose rulings rest on a law of the topic, each with those laws."""
    resting: dict[str, dict[str, None]] = {}
    for code in codes():
        for item in code_data(code)["provisions"]:
            if topic in item["topics"]:
                for name in irregularities_of().get(item["address"], ()):
                    resting.setdefault(name, {})[item["address"]] = None
    rows = []
    for name, entry in rulings.catalogue().items():
        if name in resting:
            label = html.escape(entry.label)
            label = f'<a href="{UP}disputes/{name}/">{label}</a>' if linked else f"<b>{label}</b>"
            rows.append(f"<li>{label} <span>{by_code(list(resting[name]))}</span></li>")
    return f'<ul class="topic-disputes">{"".join(rows)}</ul>' if rows else ""


NEAR = 6
"""How many near topics are shown."""


def near(topic: str) -> list[str]:
    """The other topics under which most provisions on this one stand too, those with the most first."""
    count: dict[str, int] = {}
    for code in codes():
        for item in code_data(code)["provisions"]:
            if topic in item["topics"]:
                for other in item["topics"]:
                    count[other] = count.get(other, 0) + (other != topic)
    order = [t["id"] for t in vocabulary()["topics"]]
    return sorted((t for t, n in count.items() if n), key=lambda t: (-count[t], order.index(t)))[
        :NEAR
    ]


def near_html(topic: str) -> str:
    """Links to the near topics, each with its question."""
    questions = {t["id"]: t["question"] for t in vocabulary()["topics"]}
    rows = [
        f'<li><a href="../{t}/">{html.escape(topic_label(t))}</a> <span>{html.escape(questions[t])}</span></li>'
        for t in near(topic)
    ]
    return f'<ul class="topic-near">{"".join(rows)}</ul>' if rows else ""


def pairs_html(topic: str) -> str:
    """Links to the comparison of every two codes on the topic."""
    rows: dict[str, list[str]] = {}
    for one, other in combinations(codes(), 2):
        link = f'<a href="{UP}compare/{one}--{other}/#{topic}" aria-label="{short(one)} and {short(other)}">{short(other)}</a>'
        rows.setdefault(one, []).append(link)
    return (
        '<ul class="topic-pairs">'
        + "".join(f"<li>{short(one)} and {', '.join(found)}</li>" for one, found in rows.items())
        + "</ul>"
    )


# --- pages ------------------------------------------------------------------------------------------


def topic_page(topic: Json, before: Json | None, after: Json | None, disputes: bool) -> str:
    """The page of one topic."""
    name = topic["id"]
    found = compare_topic(name, codes())
    anchors = row_anchors(found)
    story = stories()[name]
    family = next(f for f in vocabulary()["families"] if f["id"] == topic["family"])
    out = [
        front(
            topic["label"], f"{topic['question']} {story['text']}", "described", "navigation, toc"
        ),
        f"# {topic['label']}",
        "",
        f'<p class="topic-family"><a href="../">Topics</a> / <a href="../#family-{family["id"]}">{html.escape(family["label"])}</a></p>',
        "",
        f'<p class="lede">{html.escape(topic["question"])}</p>',
        "",
        f'<p class="topic-story">{html.escape(story["text"], False)}</p>',
        "",
        f'<p class="topic-rests">It rests on {by_code(story["laws"])}.</p>',
        "",
    ]
    sections = [
        ("In short", "in-short", facts_html(name, found, anchors)),
        ("Code by code", "code-by-code", cards_html(name, found, anchors)),
        ("By an option", "options", options_html(name)),
        ("Disputes", "disputes", disputes_html(name, disputes)),
        ("Near to it", "near", near_html(name)),
        ("Compare two codes on this", "compare", pairs_html(name)),
    ]
    for title, anchor, body in sections:
        if body:
            out += [f"## {title} {{ #{anchor} }}", "", body, ""]
    turn = [
        f'<a rel="prev" href="../{before["id"]}/">← {html.escape(before["label"])}</a>'
        if before
        else "<span></span>",
        f'<a rel="next" href="../{after["id"]}/">{html.escape(after["label"])} →</a>'
        if after
        else "",
    ]
    scripts = "".join(
        f'<script src="{UP}assets/{s}.js" defer></script>' for s in ("word-diff", "topics")
    )
    return "\n".join(
        [
            *out,
            f'<nav class="turn" aria-label="Neighbouring topics">{"".join(turn)}</nav>',
            "",
            scripts,
            "",
        ]
    )


def index_page() -> str:
    """Every family with its topics, each with its question and where each code answers it."""
    jump = " · ".join(
        f'<a href="#family-{f["id"]}">{html.escape(f["label"])}</a>'
        for f in vocabulary()["families"]
    )
    out = [
        front(
            "Topics",
            "Every question that the codes answer, and where each code answers it.",
            "described",
            "navigation",
        ),
        "# Topics",
        "",
        '<p class="lede">Each question that the codes answer, its story, and the law of every code side by side.</p>',
        "",
        f'<p class="topic-jump">{jump}</p>',
        "",
    ]
    for family in vocabulary()["families"]:
        out += [f'## {family["label"]} {{ id="family-{family["id"]}" }}', ""]
        for topic in (t for t in vocabulary()["topics"] if t["family"] == family["id"]):
            rows = "".join(_index_row(code, topic["id"]) for code in codes())
            out += [
                f'### [{topic["label"]}]({topic["id"]}.md) {{ id="{topic["id"]}" data-toc-label="{html.escape(topic["label"])}" }}',
                "",
            ]
            out += [
                f'<p class="topic-question">{html.escape(topic["question"])}</p>',
                "",
                f'<dl class="topic-where-list">{rows}</dl>',
                "",
            ]
    return "\n".join(out)


def _index_row(code: str, topic: str) -> str:
    """Where a code answers a topic: its own provisions, its base's, or its state with the reason; then those of its options."""
    data = code_data(code)
    force = sorted((a for a, p in texts(code).items() if topic in p["topics"]), key=natural)
    own = [a for a in force if a.startswith(f"{code}:")]
    optional = sorted(
        (p["address"] for p in data["provisions"] if p["option"] and topic in p["topics"]),
        key=natural,
    )

    def numbers(addresses: Sequence[str]) -> str:
        return ", ".join(number_link(a, up="../") for a in addresses)

    if force:
        base = f"as {short(data['extends'])}" if len(own) < len(force) else ""
        said = ", and ".join(part for part in (numbers(own), base) if part)
    else:
        state, reason = state_of(code, topic)
        said = f"{STATES[state]}. {html.escape(reason, False)}"
    if optional:
        said += f"{'' if said.endswith('.') else '.'} By an option: {numbers(optional)}"
    return f"<div><dt>{short(code)}</dt><dd>{said}</dd></div>"


def topic_pages(disputes: bool = False) -> dict[str, str | bytes]:
    """`topics/index.md` and a page for each topic; with `disputes` the irregularities link to their pages."""
    made: dict[str, str | bytes] = {"topics/index.md": index_page()}
    for before, topic, after in _neighbours(vocabulary()["topics"]):
        made[f"topics/{topic['id']}.md"] = topic_page(topic, before, after, disputes)
    return made


def _neighbours(items: Sequence[Json]) -> Iterator[tuple[Json | None, Json, Json | None]]:
    for i, item in enumerate(items):
        yield items[i - 1] if i else None, item, items[i + 1] if i + 1 < len(items) else None
