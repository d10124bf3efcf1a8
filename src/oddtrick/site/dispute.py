"""The pages of disputes: what every code gives for each irregularity, in cards, and the data of the
guided questions.

The wording comes from `rulings.words`, as on the command line. The questions are asked here, when
the site is made, until every answer is reached; the script of the page only walks the tree of
answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from oddtrick.law.book import book
from oddtrick.law.model import Code, Irregularity
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling
from oddtrick.rulings.words import Line, parts_of, when_words
from oddtrick.site.law import neighbours
from oddtrick.site.template import json_file, page

AS_PRINTED = "none"
"""The name, in the URL, of the choice to take no option."""

# --- every answer, asked for ----------------------------------------------------------------------


def variants(name: str, code: str) -> tuple[str | None, ...]:
    """The forms of a code that may differ on an irregularity.

    As printed (`None`), and each option with an entry of its own.
    """
    printed = book().entry(name, code)
    options = (o.id for o in book().code(code).options)
    return (None, *(o for o in options if book().entry(name, code, [o]) != printed))


def leaves(name: str, code: str, option: str | None) -> Iterator[Answer]:
    """Every answer to which the questions lead; a question is asked only while the ruling depends
    on it.
    """
    yield from _below(rulings.answer(name, code, _options(option)))


def _below(found: Answer) -> Iterator[Answer]:
    if found.questions:
        for value, _ in found.questions[0].answers:
            yield from _below(_further(found, value))
    else:
        yield found


def _further(found: Answer, value: str) -> Answer:
    """The answer when the first question that is open is answered."""
    facts = {**dict(found.facts), found.questions[0].fact: value}
    return rulings.answer(found.irregularity, found.code, found.options, facts)


def _options(option: str | None) -> tuple[str, ...]:
    return (option,) if option else ()


# --- the data of the questions --------------------------------------------------------------------

Node = str | dict[str, object]
"""A question: the fact that it `ask`s for, the rulings that it `may` come to, and a node for each
answer (`then`); or an answer: the anchor of its ruling in a card, or of the text that replaces it.
"""


def dispute_data(name: str) -> dict[str, object]:
    """The guided questions on an irregularity, for the script of its page: the tree from its
    `start`, and for each of its facts the question and the words of each answer.
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
    return {"facts": known, "start": {"ask": "code", "then": then}}


def _start(name: str, code: Code) -> Node:
    """The first node under a code: which of its options, if that matters."""
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
    """The anchor of a ruling in the card of a code, or of the text that replaces it."""
    return ".".join((code, *options, ruling.id if ruling else "none"))


# --- the cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """What a code gives on some facts, or says instead of a ruling: its anchor, those that led to
    it before, the case, and the parts of the answer with its lines, by the ids of `rulings.words`.

    `exceptions` are the rulings to which it yields, `general` those that yield to it.
    """

    anchor: str
    found: Answer
    parts: dict[str, tuple[Line, ...]]
    formerly: tuple[str, ...] = ()
    case: str = ""
    exceptions: tuple[tuple[str, str], ...] = ()
    general: tuple[tuple[str, str], ...] = ()

    @property
    def given(self) -> list[tuple[bool, list[Line]]]:
        """Its remedies: lines in groups, each with a flag for a choice among them."""
        grouped = groupby(self.parts["given"], lambda line: line.number is not None)
        return [(choice, list(lines)) for choice, lines in grouped]

    @property
    def laws(self) -> list[str]:
        """The laws it rests on, without the decisions."""
        ruling = self.found.ruling
        found = ruling.laws if ruling else self.found.laws
        return [a for a in found if not ruling or a not in ruling.decisions]

    @property
    def cited_laws(self) -> list[str]:
        """The laws whose words the answer shows."""
        return [a for line in self.parts.get("law", ()) for a in line.head]


@dataclass(frozen=True, slots=True)
class Entry:
    """All that a code gives for an irregularity, as printed or with an `option`; `words` are the
    restatements of the laws behind it all.
    """

    anchor: str
    option: str
    rows: tuple[Row, ...]
    words: tuple[tuple[str, str], ...]


def card(name: str, code: Code) -> tuple[Code, Code | None, list[Entry]]:
    """A code with its answer for an irregularity: the base whose law it is if it has none of its
    own, and every ruling with its laws, or the reason why it has none.
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
    order = ["", *(r.id for r in found[0].rulings)] if found else [""]
    former = found[0].formerly if found else {}
    rows = tuple(
        _row(
            answers[ruling],
            answers,
            _options(option),
            [k for k, v in former.items() if v == ruling],
        )
        for ruling in order
        if ruling in answers
    )
    exacting = (a for row in rows for e in row.found.exacting for a in e.provisions)
    cited_laws = dict.fromkeys([*(a for row in rows for a in row.cited_laws), *exacting])
    words = tuple((a, p.text) for a in cited_laws if (p := book().provision(a)))
    return Entry(f"{code.id}.{option}", label, rows, words)


def _row(
    leaves: list[Answer],
    table: Mapping[str, list[Answer]],
    options: tuple[str, ...],
    former: Iterable[str],
) -> Row:
    found = leaves[0]
    code, ruling = found.code, found.ruling
    # Only what another choice of a reading gives may differ among the facts of one ruling.
    parts: dict[str, dict[Line, None]] = {}
    for leaf in leaves:
        for part in parts_of(leaf):
            parts.setdefault(part.id, {}).update(dict.fromkeys(part.lines))
    others = {i: r for i, of in table.items() if (r := of[0].ruling) and ruling}

    def ways(listed: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((anchor(code, options, others[i]), when_words(others[i].when)) for i in listed)

    gives_way = [i for i in (ruling.gives_way if ruling else ()) if i in others]
    return Row(
        anchor(code, options, ruling),
        found,
        {name: tuple(lines) for name, lines in parts.items()},
        tuple(".".join((code, *options, old)) for old in former),
        when_words(ruling.when) if ruling else "",
        ways(gives_way),
        ways(i for i, r in others.items() if ruling and ruling.id in r.gives_way),
    )


# --- the pages ------------------------------------------------------------------------------------


def dispute_page(item: Irregularity) -> str:
    """`disputes/NAME.md`: what the irregularity is, the place for the questions, a card for each
    code.
    """
    group = [i for i in book().irregularities.values() if i.group == item.group]
    before, _, after = next(near for near in neighbours(group) if near[1] is item)
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
    """`disputes/index.md`; for each irregularity `disputes/NAME.md` and the data of its questions,
    `NAME.json`.
    """
    made = {"disputes/index.md": page("disputes", "disputes/index.md", groups=rulings.groups())}
    for name, item in book().irregularities.items():
        made[f"disputes/{name}.md"] = dispute_page(item)
        made[f"disputes/{name}.json"] = json_file(dispute_data(name))
    return made
