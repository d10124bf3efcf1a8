"""The pages of disputes: the rulings of every code on each irregularity, in cards, and the data of
the guided questions.

The wording comes from `rulings.words`, as on the command line. When the site is built, this module
follows the questions to every possible answer; the script of the page only walks the resulting
tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import NamedTuple

from oddtrick.law.book import book
from oddtrick.law.model import Code, Irregularity
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling
from oddtrick.rulings.words import Line, laws_of, parts_of, when_words
from oddtrick.site.law import neighbours
from oddtrick.site.template import json_file, page

AS_PRINTED = "none"
"""The value in the URL that means no option."""

# --- every answer, asked for ----------------------------------------------------------------------


def variants(name: str, code: str) -> tuple[str | None, ...]:
    """The variants of a code that may differ on an irregularity: the code as printed (`None`), and
    each option with a different entry.
    """
    printed = book().entry(name, code)
    options = (o.id for o in book().code(code).options)
    return (None, *(o for o in options if book().entry(name, code, [o]) != printed))


def leaves(name: str, code: str, option: str | None) -> Iterator[Answer]:
    """Every answer that the questions can reach; a question is asked only if the ruling depends on
    it.
    """
    return _below(rulings.answer(name, code, _options(option)))


def _below(found: Answer) -> Iterator[Answer]:
    if not found.questions:
        yield found
        return
    for value, _ in found.questions[0].answers:
        yield from _below(_further(found, value))


def _further(found: Answer, value: str) -> Answer:
    """The answer after the first open question is answered with `value`."""
    facts = {**dict(found.facts), found.questions[0].fact: value}
    return rulings.answer(found.irregularity, found.code, found.options, facts)


def _options(option: str | None) -> tuple[str, ...]:
    return (option,) if option else ()


# --- the data of the questions --------------------------------------------------------------------

Node = str | dict[str, object]
"""A node of the tree of questions.

A question has the fact it asks for (`ask`), the anchors of the rulings still possible (`may`), and
a node for each answer (`then`). A leaf is a string: the anchor of the ruling, or of the text
shown instead of one.
"""


def dispute_data(name: str) -> dict[str, object]:
    """The guided questions on an irregularity, for the script of its page.

    `start` is the root of the tree; `facts` has the question and the words of the answers for each
    fact, and `implies` what each answer says about other facts of the irregularity.
    """
    codes = {code.id: code.short for code in book().codes}
    options = {o.id: o.label for code in book().codes for o in code.options}
    facts = book().facts
    known = {
        "code": ["Under which code?", codes],
        "option": ["With an option of the code?", {AS_PRINTED: "as printed", **options}],
        **{
            fact: [facts[fact].question, {v: facts[fact].values[v] for v in values}]
            for fact, values in book().irregularities[name].facts.items()
        },
    }
    then = {code.id: _start(name, code) for code in book().codes}
    implies = {fact: facts[fact].implies for fact in book().irregularities[name].facts}
    return {"facts": known, "implies": implies, "start": {"ask": "code", "then": then}}


def _start(name: str, code: Code) -> Node:
    """The first node for a code: the question of which option applies, if they differ, or else the
    first node for the code as printed.
    """
    starts = {
        option or AS_PRINTED: _node(rulings.answer(name, code.id, _options(option)))
        for option in variants(name, code.id)
    }
    return {"ask": "option", "then": starts} if len(starts) > 1 else starts[AS_PRINTED]


def _node(found: Answer) -> Node:
    entry = book().entry(found.irregularity, found.code, found.options)
    assert entry is not None
    owner = entry[1].id
    options = found.options if owner == found.code else ()
    if not found.questions:
        return anchor(owner, options, found.ruling)
    question = found.questions[0]
    return {
        "ask": question.fact,
        "may": [anchor(owner, options, ruling) for ruling in found.possible],
        "then": {value: _node(_further(found, value)) for value, _ in question.answers},
    }


def anchor(code: str, options: Iterable[str], ruling: Ruling | None) -> str:
    """The anchor of a ruling in the card of a code, or of the text shown if there is no ruling."""
    return ".".join((code, *options, ruling.id if ruling else "none"))


# --- the cards ------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A ruling of a code in a card, or the text shown instead of one.

    `parts` has the lines of the answer by the part ids of `rulings.words`, `formerly` has former
    anchors, and `case` says when the ruling applies. `exceptions` are the rulings to which it gives
    way, each as an anchor with words.
    """

    anchor: str
    found: Answer
    parts: dict[str, tuple[Line, ...]]
    formerly: tuple[str, ...] = ()
    case: str = ""
    exceptions: tuple[tuple[str, str], ...] = ()

    @property
    def given(self) -> list[tuple[bool, list[Line]]]:
        """The remedies, as groups of lines; the flag says whether one of the group is chosen."""
        grouped = groupby(self.parts["given"], lambda line: line.number is not None)
        return [(choice, list(lines)) for choice, lines in grouped]

    @property
    def laws(self) -> list[str]:
        """The laws on which the ruling rests, without the decisions and the laws in `presumed`."""
        ruling = self.found.ruling
        named = {*(ruling.decisions if ruling else ()), *chain(*(of for _, of in self.presumed))}
        return [a for a in laws_of(self.found) if a not in named]

    @property
    def presumed(self) -> list[tuple[str, list[str]]]:
        """The laws that say when the irregularity is complete, by the label of their rule."""
        found = book().relations.presumed_by(self.found.irregularity, self.found.code)
        return [(label, [*laws]) for label, laws in groupby(found, lambda a: found[a])]

    @property
    def cited_laws(self) -> list[str]:
        """The laws that the answer quotes."""
        return [a for line in self.parts.get("law", ()) for a in line.head]


class Entry(NamedTuple):
    """The rulings of a code on an irregularity, as printed or with an `option`; `words` are the
    addresses and restatements of the laws that they cite.
    """

    anchor: str
    option: str
    rows: tuple[Row, ...]
    words: tuple[tuple[str, str], ...]


def card(name: str, code: Code) -> tuple[Code, Code | None, list[Entry]]:
    """The card of a code for an irregularity: the code; its base, if the code takes over the base's
    rulings; and an entry for each variant of the code, but not for the printed form of a code with
    a base.
    """
    found = book().entry(name, code.id)
    base = found[1] if found and found[1].id != code.id else None
    forms = variants(name, code.id)[1 if base else 0 :]
    return code, base, [_entry(name, code, option) for option in forms]


def _entry(name: str, code: Code, option: str | None) -> Entry:
    answers: dict[str, list[Answer]] = {}
    for leaf in leaves(name, code.id, option):
        answers.setdefault(leaf.ruling.id if leaf.ruling else "", []).append(leaf)
    label = next((o.label for o in code.options if o.id == option), "")
    found = book().entry(name, code.id, _options(option))
    assert found is not None
    order, former = ["", *(r.id for r in found[0].rulings)], found[0].formerly
    rows = tuple(
        _row(answers[ruling], answers, [old for old, new in former.items() if new == ruling])
        for ruling in order
        if ruling in answers
    )
    exacting = (a for row in rows for e in row.found.exacting for a in e.provisions)
    cited_laws = dict.fromkeys([*(a for row in rows for a in row.cited_laws), *exacting])
    words = tuple((a, p.text) for a in cited_laws if (p := book().provision(a)))
    return Entry(f"{code.id}.{option}", label, rows, words)


def _row(leaves: list[Answer], table: Mapping[str, list[Answer]], former: Iterable[str]) -> Row:
    found = leaves[0]
    code, options, ruling = found.code, found.options, found.ruling
    # Leaves with the same ruling can differ only in the effect of another choice of a reading.
    parts: dict[str, dict[Line, None]] = {}
    for part in chain.from_iterable(map(parts_of, leaves)):
        parts.setdefault(part.id, {}).update(dict.fromkeys(part.lines))
    others = [r for of in table.values() if (r := of[0].ruling) and ruling]
    exceptions = [r for r in others if ruling and r.id in ruling.gives_way]
    when = when_words(ruling.when) if ruling else ""
    if exceptions:
        named = ruling and ruling.when
        when = f"{when}, and if no exception applies" if named else "in every other case"
    return Row(
        anchor(code, options, ruling),
        found,
        {name: _by_head(lines) for name, lines in parts.items()},
        tuple(".".join((code, *options, old)) for old in former),
        when,
        tuple((anchor(code, options, r), when_words(r.when)) for r in exceptions),
    )


def _by_head(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines, grouped by their heads."""
    heads = [line.head for line in lines]
    return tuple(sorted(lines, key=lambda line: heads.index(line.head)))


# --- the pages ------------------------------------------------------------------------------------


def dispute_page(item: Irregularity) -> str:
    """`disputes/NAME.md`: the irregularity, a container for the questions, and a card for each
    code.
    """
    group = [i for i in book().irregularities.values() if i.group == item.group]
    before, after = next((b, a) for b, own, a in neighbours(group) if own is item)
    return page(
        "dispute",
        f"disputes/{item.id}.md",
        item=item,
        group=dict(rulings.groups())[item.group],
        cards=[card(item.id, code) for code in book().codes],
        before=before,
        after=after,
    )


def dispute_pages() -> dict[str, str]:
    """`disputes/index.md`, and for each irregularity `disputes/NAME.md` and the data of its
    questions, `disputes/NAME.json`.
    """
    made = {"disputes/index.md": page("disputes", "disputes/index.md", groups=rulings.groups())}
    for name, item in book().irregularities.items():
        made[f"disputes/{name}.md"] = dispute_page(item)
        made[f"disputes/{name}.json"] = json_file(dispute_data(name))
    return made
