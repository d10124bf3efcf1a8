"""The lineage page: how each rule runs through the codes in order of date, drawn as lines and told
in words.

A rule stands in a code when a provision in force under it is one of the rule's. From one code that
has it to the next, the rule stays the same, is worded otherwise, has another figure, or changes in
substance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from oddtrick.book.first import holding
from oddtrick.book.write_citation import date_words
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Label, Parallel
from oddtrick.site.template import Head, page

KINDS = ("same", "wording", "figure", "substance")
"""How a rule of one code stands to the same rule of another, the widest difference last."""


@cache
def said_of(difference: str) -> str:
    """What a difference is, in the words of the vocabulary: `in other words`, `with another
    figure`.
    """
    return next(d.label for d in book().vocabulary.differences if d.id == difference)


def pairs() -> list[tuple[str, str]]:
    """Every two codes, the earlier first."""
    return list(combinations(book().by_date, 2))


def between(rule: Parallel, one: str, other: str) -> str | None:
    """How a rule of one code stands to that of another: one of `KINDS`, or `None` where one of them
    lacks it.
    """
    mine, theirs = holding(rule, one), holding(rule, other)
    if not mine or not theirs:
        return None
    found = [
        d.difference for d in book().relations.differences(mine[0], theirs[0]) if d.rule == rule.id
    ]
    return max(found, key=KINDS.index, default="same")


@cache
def tally(one: str, other: str) -> Counter[str]:
    """How many rules two codes have in common, by kind."""
    rules = book().parallels.all
    return Counter(kind for rule in rules if (kind := between(rule, one, other)))


def steps(rule: Parallel) -> list[tuple[str, str | None]]:
    """A rule through the codes in order of date, each with its kind against the last that had it.

    `begins` for the first, `None` where the code has no such rule.
    """
    made: list[tuple[str, str | None]] = []
    last = None
    for code in book().by_date:
        if not holding(rule, code):
            made.append((code, None))
            continue
        made.append((code, between(rule, last, code) if last else "begins"))
        last = code
    return made


def steps_words(rule: Parallel) -> str:
    """The same in words: `Bridge; the same in Auction 1912 and Royalton; not in Auction 1926`."""
    grouped: list[tuple[str | None, list[str]]] = []
    for code, kind in steps(rule):
        if not kind and not grouped:
            continue
        if not grouped or grouped[-1][0] != kind:
            grouped.append((kind, []))
        grouped[-1][1].append(book().code(code).short)
    said = []
    for kind, names in grouped:
        before = {"begins": "", "same": "the same in ", None: "not in "}
        said.append(
            (before[kind] if kind in before else f"{said_of(str(kind))} in ") + and_words(names)
        )
    return "; ".join(said)


def ends(rule: Parallel) -> tuple[str, str]:
    """The first and the last code that have a rule."""
    having = [code for code in book().by_date if holding(rule, code)]
    return having[0], having[-1]


def drawn() -> list[Parallel]:
    """The rules that run through two codes or more; in one alone a general law answers."""
    return [rule for rule in book().parallels.all if len({*ends(rule)}) > 1]


def families() -> list[tuple[Label, list[Parallel]]]:
    """The families of topics, each with its rules that are drawn: by the first topic of a rule's
    first provision.
    """
    topics = book().vocabulary.topics
    order = {t.id: place for place, t in enumerate(topics)}
    family = {t.id: t.family for t in topics}
    first = {
        p.address: p.topics[0]
        for code in map(book().code, book().by_date)
        for p in code.provisions
        if p.topics
    }
    place = {address: i for i, address in enumerate(first)}
    of: dict[str, list[tuple[int, int, Parallel]]] = {}
    for rule in drawn():
        address = holding(rule, ends(rule)[0])[0]
        topic = first[address]
        of.setdefault(family[topic], []).append((order[topic], place[address], rule))
    return [
        (f, [r for _, _, r in sorted(of[f.id], key=lambda x: x[:2])])
        for f in book().vocabulary.families
        if f.id in of
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
    width = (WIDE - LABELS - 10) / max(1, len(book().by_date) - 1)
    return round(LABELS + 5 + index * width, 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A rule as it is drawn: at which height, its marks (kind and place), its lines (from, to,
    whether over a gap); and its cells of the table (kind and laws).
    """

    rule: Parallel
    y: float
    words: str
    way: str
    marks: tuple[tuple[str, float], ...]
    parts: tuple[tuple[float, float, bool], ...]
    cells: tuple[tuple[str | None, list[Address]], ...]

    @property
    def long(self) -> bool:
        """Whether its label fits in small letters only."""
        return len(self.rule.label) > LONG


def line(rule: Parallel, y: float) -> Line:
    """One rule: its label, linked to its comparison, and its line through the codes."""
    made = [(_x(i), kind) for i, (_, kind) in enumerate(steps(rule))]
    parts = []
    last: float | None = None
    gap = False
    for x, kind in made:
        if not kind:
            gap = last is not None
            continue
        if last is not None:
            parts.append((last, x, gap))
        last, gap = x, False
    marks = tuple((kind, x) for x, kind in made if kind)
    cells = tuple((kind, holding(rule, code)) for code, kind in steps(rule))
    return Line(rule, y, steps_words(rule), "--".join(ends(rule)), marks, tuple(parts), cells)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawing of a family: a column for each code, a line for each rule."""

    family: Label
    height: float
    columns: tuple[tuple[float, str], ...]
    lines: tuple[Line, ...]


def drawing(family: Label, rules: Sequence[Parallel]) -> Drawing:
    """The rules of a family below each other."""
    return Drawing(
        family,
        HEAD + STEP * len(rules) + 6,
        tuple((_x(i), code.short) for i, code in enumerate(map(book().code, book().by_date))),
        tuple(line(rule, HEAD + STEP * (i + 0.5)) for i, rule in enumerate(rules)),
    )


def nearest(code: str) -> str | None:
    """The earlier code with which a code has the most rules alike, the later of equals; `None` for
    the first.
    """
    before = book().by_date[: book().by_date.index(code)]
    return max(before, key=lambda b: (tally(b, code)["same"], before.index(b)), default=None)


GROUND = 118
"""Where the codes stand in the drawing of their likeness."""


@dataclass(frozen=True, slots=True)
class Arc:
    """The likeness of two codes: how many rules they have alike, how thick that is drawn, where,
    whether nearest.
    """

    same: int
    near: bool
    width: float
    left: float
    right: float
    rise: float


def arcs() -> Iterator[Arc]:
    """An arc between every two codes, as thick as the number of rules they have alike; the nearest
    last.
    """
    names = book().by_date
    across = (WIDE - 60) / max(1, len(names) - 1)
    most = max(tally(a, b)["same"] for a, b in pairs())
    near = {(nearest(c), c) for c in names}
    for a, b in sorted(pairs(), key=lambda p: p in near):
        left, right = 30 + names.index(a) * across, 30 + names.index(b) * across
        half = (right - left) / 2
        rise = 24 + 105 * (half - across / 2) / (across * (len(names) - 1) / 2)
        same = tally(a, b)["same"]
        yield Arc(same, (a, b) in near, 0.4 + 6 * same / most, left, right, rise)


def stations() -> Iterator[tuple[str, float, list[str]]]:
    """The codes below the arcs: id, place, the lines of the name, with the date where the name has
    no year.
    """
    across = (WIDE - 60) / max(1, len(book().by_date) - 1)
    for i, code in enumerate(map(book().code, book().by_date)):
        date = [] if code.date[:4] in code.short else [date_words(code.date)]
        yield code.id, 30 + i * across, [*code.short.split(), *date]


def descent_words(name: str) -> str:
    """What a code keeps of the nearest before it, in a line; its date where its name has not the
    whole of it.
    """
    near = nearest(name)
    code = book().code(name)
    named = code.short if code.date in code.short else f"{code.short} ({date_words(code.date)})"
    if near is None:
        return f"{named} is the first."
    found = tally(near, name)
    amends = " which it amends," if code.extends == near else ""
    rest = and_words(f"{found[k]} {said_of(k)}" for k in KINDS[1:] if found[k])
    return (
        f"{named} stands nearest to {book().code(near).short},"
        f"{amends} with {number_words(sum(found.values()), 'rule')} in common: "
        f"{found['same']} in the same words" + (f", {rest}" if rest else "") + "."
    )


# --- the page -------------------------------------------------------------------------------------

SIGNS = {"begins": "first", "same": "=", "wording": "≈", "figure": "±", "substance": "≠"}
"""How a cell of the table says what a rule is beside the last code that has it."""

LEGEND = (
    ("begins", "the first code that has the rule"),
    ("same", "the same rule in the same words"),
    ("wording", "the rule in other words"),
    ("figure", "another figure"),
    ("substance", "changed in substance"),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A cell of a table of every two codes: the way, what it is for who hears it, a number of how
    many.
    """

    way: str
    label: str
    number: int
    whole: int


Table = list[tuple[str, list[Link | None]]]
"""The rows of a table of every two codes: the code, and a cell for each, `None` for itself."""


def tallies(way: str) -> Table:
    """Every two codes: the rules alike of those in common; `way` leads to the pages of two
    codes.
    """

    def cell(a: str, b: str) -> Link:
        one, other = sorted((a, b), key=book().by_date.index)
        found = tally(one, other)
        names = " and ".join(book().code(c).short for c in (a, b))
        whole = sum(found.values())
        label = f"{names}: {found['same']} of {whole} common rules in the same words"
        return Link(f"{way}{one}--{other}/", label, found["same"], whole)

    ids = book().by_date
    return [(a, [None if a == b else cell(a, b) for b in ids]) for a in ids]


def lineage_page() -> str:
    """`lineage.md`: the codes, the drawing of every rule by family, and the same as a table."""
    found = families()
    return page(
        "lineage",
        "lineage.md",
        Head(
            "Lineage",
            "How each rule of the game runs through the codes, drawn and told.",
            "navigation, toc",
        ),
        number=len(drawn()),
        wide=WIDE,
        ground=GROUND,
        step=STEP,
        top=HEAD,
        arcs=list(arcs()),
        stations=list(stations()),
        told=[descent_words(c) for c in book().by_date],
        tallies=tallies("../compare/"),
        legend=LEGEND,
        signs=SIGNS,
        codes=book().by_date,
        drawings=[drawing(family, rules) for family, rules in found],
    )
