"""Codes side by side: a topic or a provision in several codes, and the concordance of two codes.

Rows follow the rules that run through the codes (`laws/rules.yaml`); a provision stands in one row only. What
is compared is the law in force: a code that extends another is shown with what it keeps.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from oddtrick.book.citation import natural
from oddtrick.law import store
from oddtrick.law.parallels import load

Json = Any

STATES = {"silent": "silent", "does-not-arise": "does not arise"}
"""How a code without a provision stands to a topic, in words."""

Run = tuple[bool, str]
"""A run of words: whether the other text lacks it, and the words."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule: its label, for each code its provisions (address, restatement), and what the rule is in each."""

    label: str
    cells: dict[str, tuple[tuple[str, str], ...]]
    says: dict[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared: a title, the question if it is a topic, the codes, the rows, and codes without a provision."""

    title: str
    question: str | None
    codes: tuple[str, ...]
    rows: tuple[Row, ...]
    states: dict[str, tuple[str, str]]
    """For a code without a provision on the topic: `silent` or `does-not-arise`, and the reason."""


def texts(code: str) -> dict[str, Json]:
    """The provisions of the law in force under a code by address, its own before its base's."""
    data = store.load(code)
    own = {p["address"]: p for p in data["provisions"]}
    base = (
        {p["address"]: p for p in store.load(data["extends"])["provisions"]}
        if data["extends"]
        else {}
    )
    return {a: own.get(a) or base[a] for a in load().sides[code]}


def compare_topic(topic: str, codes: Sequence[str]) -> Comparison:
    """A topic in several codes. Raises `KeyError` for a topic that the vocabulary does not have."""
    entry = next(t for t in store.load("vocabulary")["topics"] if t["id"] == topic)
    books = {c: texts(c) for c in codes}
    wanted = {c: [a for a, p in book.items() if topic in p["topics"]] for c, book in books.items()}
    states = {}
    for code in codes:
        if not wanted[code]:
            states[code] = state_of(code, topic)
    return Comparison(entry["label"], entry["question"], tuple(codes), _rows(wanted, books), states)


def compare_address(address: str, codes: Sequence[str]) -> Comparison:
    """A law or a provision with what answers it in the other codes; the address's own code comes first."""
    own = address.partition(":")[0]
    ordered = (own, *(c for c in codes if c != own))
    books = {c: texts(c) for c in ordered}
    data = store.load(own)
    mine = {p["address"]: p for p in data["provisions"]}
    books[own] = mine | {a: p for a, p in books[own].items() if a not in mine}
    start = [a for a in mine if a == address or a.startswith(address + ".")]
    relations = load()
    wanted: dict[str, list[str]] = {own: start}
    for code in ordered[1:]:
        found = [q for a in start for q in relations.counterparts(a, own, code)]
        wanted[code] = list(dict.fromkeys(found))
    law = next(la for la in data["laws"] if mine[start[0]]["law"] == la["address"])
    rows = _rows(wanted, books)
    return Comparison(f"{data['short']}: {law['heading']}", None, ordered, rows, {})


def state_of(code: str, topic: str) -> tuple[str, str]:
    """Whether a code without a provision on a topic is silent or the topic does not arise in it, and why."""
    data = store.load(code)
    while topic not in data["topics"] and data["extends"]:
        data = store.load(data["extends"])
    state = data["topics"][topic]
    return state["state"], state["reason"]


def _rows(wanted: dict[str, list[str]], books: dict[str, dict[str, Json]]) -> tuple[Row, ...]:
    """Rows of rules, each provision once, in the order of the first code that has them."""
    relations = load()
    taken: set[tuple[str, str]] = set()
    made: list[tuple[tuple[int, int], Row]] = []
    everything = {a for found in wanted.values() for a in found}
    place = {c: {a: i for i, a in enumerate(book)} for c, book in books.items()}
    order = list(wanted)
    for code in order:
        for address in wanted[code]:
            if (code, address) in taken:
                continue
            rules = relations.of.get(address, [])
            cells: dict[str, tuple[tuple[str, str], ...]] = {}
            mates = {address} | {
                a for r in rules for m in r["members"].values() for a in m if a in everything
            }
            for other in order:
                found = sorted(
                    (a for a in wanted[other] if a in mates and (other, a) not in taken),
                    key=lambda a: place[other].get(a, 0),
                )
                if found:
                    cells[other] = tuple((a, books[other][a]["text"]) for a in found)
            here = {a for found in cells.values() for a, _ in found}
            row_rules = sorted(
                (r for r in rules if _held(r, here)), key=lambda r: -_held(r, here)
            )  # the widest first
            taken |= {(other, a) for other, found in cells.items() for a, _ in found}
            label = row_rules[0]["label"] if row_rules else books[code][address]["heading"]
            made.append(
                (
                    (order.index(code), place[code].get(address, 0)),
                    Row(label, cells, _says(row_rules, cells)),
                )
            )
    return tuple(row for _, row in made)


def _held(rule: Json, addresses: set[str]) -> int:
    """How many of some provisions a rule holds."""
    return sum(a in addresses for members in rule["members"].values() for a in members)


def _says(rules: list[Json], cells: dict[str, Any]) -> dict[str, str]:
    """What the first rule of a row is in each code of the row, where it is not the same in all."""
    for rule in rules:
        said = {}
        for code, found in cells.items():
            owner = found[0][0].partition(":")[0]
            for entry in rule.get("says", ()):
                if owner in entry["codes"]:
                    said[code] = entry["text"]
        if len(set(said.values())) > 1:
            return said
    return {}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a concordance: a provision, how it stands to the other code's, which they are, what changed."""

    address: str
    kind: str
    theirs: tuple[str, ...]
    differences: tuple[Json, ...]


def concordance(ours: str, theirs: str) -> list[Line]:
    """Every provision of the law in force under one code with what answers it in another, each once."""
    relations = load()
    lines = []
    for address in relations.sides[ours]:
        kind, found = relations.stands(address, ours, theirs)
        changed: dict[tuple[str, str, str], Json] = {}
        for other in found:
            for difference in relations.differences(address, other):
                changed[difference["rule"], difference["ours"], difference["theirs"]] = difference
        lines.append(Line(address, kind, tuple(found), tuple(changed.values())))
    return lines


# --- words -----------------------------------------------------------------------------------------


def marked(left: str, right: str) -> tuple[list[Run], list[Run]]:
    """Both texts in runs of words: whether the other lacks the run, and the run; from one matching, so that they agree.

    Stops and capitals alone make no difference. One or two words alike between words that differ are taken as
    different, since they are alike by chance. Where less than a quarter of the shorter is alike, both differ as wholes.
    """
    mine, theirs = left.split(), right.split()
    matcher = difflib.SequenceMatcher(
        None, [_key(w) for w in mine], [_key(w) for w in theirs], autojunk=False
    )
    blocks = [(a, b, n) for a, b, n in matcher.get_matching_blocks() if n]
    kept = [
        (a, b, n)
        for i, (a, b, n) in enumerate(blocks)
        if n > 2
        or a == b == 0
        or (a + n == len(mine) and b + n == len(theirs))
        or _touches(blocks, i)
    ]
    alike = sum(n for _, _, n in kept)
    if 4 * alike < min(len(mine), len(theirs)):
        return [(True, " ".join(mine))], [(True, " ".join(theirs))]
    return _in_runs(mine, [(a, n) for a, _, n in kept]), _in_runs(
        theirs, [(b, n) for _, b, n in kept]
    )


def _touches(blocks: list[tuple[int, int, int]], i: int) -> bool:
    """Whether only one text has words between a block and its neighbour: then the block is no chance."""
    a, b, n = blocks[i]
    before = blocks[i - 1] if i else (0, 0, 0)
    after = blocks[i + 1] if i + 1 < len(blocks) else None
    close = before[0] + before[2] == a or before[1] + before[2] == b
    return close or (after is not None and (a + n == after[0] or b + n == after[1]))


def _key(word: str) -> str:
    return word.strip(",.;:").lower() or word


def _in_runs(words: list[str], kept: list[tuple[int, int]]) -> list[Run]:
    runs: list[Run] = []
    at = 0
    for start, length in [*kept, (len(words), 0)]:
        if start > at:
            runs.append((True, " ".join(words[at:start])))
        if length:
            runs.append((False, " ".join(words[start : start + length])))
        at = start + length
    return runs


def topic_of(words: str) -> str | None:
    """The topic that somebody names by its id or its label, in any case; `None` if there is none."""
    plain = " ".join(words.lower().replace("-", " ").split())
    for topic in store.load("vocabulary")["topics"]:
        if plain in (topic["id"].replace("-", " "), topic["label"].lower().replace("-", " ")):
            return str(topic["id"])
    return None


def topic_table(codes: Iterable[str]) -> list[dict[str, Json]]:
    """Every topic with its family and, for each code, its provisions or its state with the reason."""
    books = {c: texts(c) for c in codes}
    table = []
    for topic in store.load("vocabulary")["topics"]:
        cells: dict[str, Json] = {}
        for code, book in books.items():
            found = sorted((a for a, p in book.items() if topic["id"] in p["topics"]), key=natural)
            if found:
                cells[code] = {"provisions": found}
            else:
                state, reason = state_of(code, topic["id"])
                cells[code] = {"state": state, "reason": reason}
        table.append({**topic, "codes": cells})
    return table
