"""The pages of disputes: what every code gives for each irregularity, in cards, and the data of the
guided questions.

What is told has its words from `rulings.words`, as on the command line. The questions are asked
here, when the site is made, until every answer is reached; the script of the page only walks the
tree of what was answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from oddtrick.law.book import book
from oddtrick.law.model import Code, Irregularity
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling
from oddtrick.rulings.words import (
    ABOUT,
    Line,
    Part,
    as_json,
    case_words,
    finding_words,
    parts_of,
    title,
)
from oddtrick.site.template import Head, environment, page, root

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
    """Every answer to which the questions lead, each asked only while the ruling turns on it."""
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


def _option_words(code: Code, option: str | None) -> str:
    return next((o.label for o in code.options if o.id == option), "as printed")


# --- what is told ---------------------------------------------------------------------------------


def _drawn(macro: str, *values: object) -> str:
    """What a macro of the templates of an answer makes of values, for the pages of disputes."""
    return str(getattr(_macros(), macro)(*values))


@cache
def _macros() -> object:
    path = "disputes/NAME.md"
    return environment().get_template("ruling.html").make_module({"root": root(path), "path": path})


def given(found: Answer) -> list[tuple[bool, list[Line]]]:
    """What a code gives, without the finding: its lines in groups, whether somebody chooses among
    those.
    """
    return _grouped(parts_of(found))


def _grouped(parts: Iterable[Part]) -> list[tuple[bool, list[Line]]]:
    part = next(p for p in parts if p.id == "given")
    grouped = groupby(part.lines, lambda line: line.number is not None)
    return [(choice, list(lines)) for choice, lines in grouped]


def settled(found: Answer) -> list[str]:
    """A settled answer in HTML, part by part: the finding with what is given, the laws, what else
    was considered.
    """
    parts = parts_of(found)
    finding = finding_words(found)
    first = _drawn("settled", title(found), finding, _grouped(parts), found.code)
    return [first, *(_drawn("part", part, found.code) for part in parts if part.id != "given")]


# --- the data of the questions --------------------------------------------------------------------

Node = dict[str, object]
"""A question, `ask`, with the place of its buttons among the texts (`set`), and a node for each
answer (`then`), and of those of the law what it `may` come to; or an answer: its `kind`, `ruling`,
`finding` and `laws` as the command has them, and its `parts`. `may` and `parts` are places among
the texts.
"""


class Texts(dict[str, int]):
    """Texts, each once, with their places."""

    def place(self, text: str) -> int:
        """The place of a text, which is kept."""
        return self.setdefault(text, len(self))


def dispute_data(name: str) -> dict[str, object]:
    """The guided questions on an irregularity, for the script of its page: the tree from its
    `start`, and its `texts`.
    """
    texts = Texts()
    codes = [(code.id, code.short) for code in book().codes]
    start: Node = {
        "ask": "code",
        "set": texts.place(_drawn("question", "code", CODE_QUESTION, codes)),
        "then": {code.id: _start(name, code, texts) for code in book().codes},
    }
    return {"irregularity": name, "start": start, "texts": list(texts)}


CODE_QUESTION = "Under which code?"
OPTION_QUESTION = "With an option of the code?"


def _start(name: str, code: Code, texts: Texts) -> Node:
    """The first node under a code: which of its options, where that matters."""
    starts = {
        option or AS_PRINTED: _node(rulings.answer(name, code.id, _options(option)), texts)
        for option in variants(name, code.id)
    }
    if len(starts) == 1:
        return starts[AS_PRINTED]
    answers = [(o or AS_PRINTED, _option_words(code, o)) for o in variants(name, code.id)]
    buttons = _drawn("question", "option", OPTION_QUESTION, answers)
    return {"ask": "option", "set": texts.place(buttons), "then": starts}


def _node(found: Answer, texts: Texts) -> Node:
    if found.questions:
        question = found.questions[0]
        may = next(p for p in parts_of(found) if p.id == "may")
        buttons = _drawn("question", question.fact, question.question, question.answers)
        return {
            "ask": question.fact,
            "set": texts.place(buttons),
            "may": [texts.place(_drawn("item", line, found.code)) for line in may.lines],
            "then": {v: _node(_further(found, v), texts) for v, _ in question.answers},
        }
    said = as_json(found)
    return {
        **{key: said[key] for key in ("kind", "finding", "laws")},
        "ruling": found.ruling.id if found.ruling else None,
        "parts": [texts.place(part) for part in settled(found)],
    }


# --- the cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A ruling of an entry: its anchor, when it holds, what it gives, its laws and readings, the
    rulings it gives way to. `formerly` are the anchors that led to it before.
    """

    anchor: str
    formerly: tuple[str, ...]
    case: str
    found: Answer
    ruling: Ruling
    readings: tuple[tuple[str, str], ...]
    exceptions: tuple[tuple[str, str], ...]

    @property
    def given(self) -> list[tuple[bool, list[Line]]]:
        """What it gives."""
        return given(self.found)

    @property
    def laws(self) -> list[str]:
        """The laws it rests on, without the decisions."""
        return [a for a in self.ruling.laws if a not in self.ruling.decisions]


@dataclass(frozen=True, slots=True)
class Entry:
    """All that a code gives for an irregularity, printed or with an option.

    `whole` is the answer where it turns on nothing; else `rows`, and the general rules on
    `exacting` it: what they are about and where they stand. `words` are the restatements of the
    laws behind it all.
    """

    anchor: str
    option: str
    whole: Answer | None
    given: list[tuple[bool, list[Line]]]
    rows: tuple[Row, ...]
    exacting: tuple[tuple[str, tuple[str, ...]], ...]
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A code's whole answer: its entries; where it has none of its own, the `base` whose
    law it is.
    """

    code: Code
    base: Code | None
    entries: tuple[Entry, ...]


def card(name: str, code: Code) -> Card:
    """A code's answer for an irregularity: every ruling, with its laws, or why there is none."""
    found = book().entry(name, code.id)
    base = found[1] if found and found[1].id != code.id else None
    forms = variants(name, code.id)[1 if base else 0 :]
    return Card(code, base, tuple(_entry(name, code, option) for option in forms))


def _entry(name: str, code: Code, option: str | None) -> Entry:
    found: dict[str, Answer] = {}
    for leaf in leaves(name, code.id, option):
        found.setdefault(leaf.ruling.id if leaf.ruling else "", leaf)
    label = _option_words(code, option) if option else ""
    anchor = f"{code.id}.{option}"
    if "" in found:
        whole = found[""]
        return Entry(anchor, label, whole, given(whole), (), (), _restated(whole.laws))
    entry = book().entry(name, code.id, _options(option))
    order = [r.id for r in entry[0].rulings] if entry else []
    table = {i: r for i in order if i in found and (r := found[i].ruling)}
    former = entry[0].formerly if entry else {}
    exacting = next((f.exacting for f in found.values() if f.exacting), ())
    return Entry(
        anchor,
        label,
        None,
        [],
        tuple(
            _row(
                table[i], found[i], table, option, [old for old, now in former.items() if now == i]
            )
            for i in table
        ),
        tuple((ABOUT[e.about].lower(), e.provisions) for e in exacting if e.about in ABOUT),
        _restated(a for r in table.values() for a in r.laws),
    )


def _row(
    ruling: Ruling,
    found: Answer,
    table: Mapping[str, Ruling],
    option: str | None,
    former: Iterable[str],
) -> Row:
    readings = {r.address: r.question for c in book().chain(found.code) for r in c.readings}
    return Row(
        _row_id(found.code, option, ruling.id),
        tuple(_row_id(found.code, option, old) for old in former),
        case_words(ruling),
        found,
        ruling,
        tuple((a, readings.get(a, a)) for a in ruling.readings),
        tuple(
            (_row_id(found.code, option, e), case_words(table[e]))
            for e in ruling.gives_way
            if e in table
        ),
    )


def _row_id(code: str, option: str | None, ruling: str) -> str:
    return ".".join((code, *_options(option), ruling))


def _restated(addresses: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Provisions with their restatements, each once."""
    found = ((a, book().provision(a)) for a in dict.fromkeys(addresses))
    return tuple((a, p.text) for a, p in found if p)


# --- the pages ------------------------------------------------------------------------------------


def dispute_page(item: Irregularity) -> str:
    """`disputes/NAME.md`: what the irregularity is, the place for the questions, a card for each
    code.
    """
    near = [i for i in book().irregularities.values() if i.group == item.group]
    place = near.index(item)
    return page(
        "dispute",
        f"disputes/{item.id}.md",
        Head(item.label, item.meaning),
        item=item,
        group=dict(rulings.groups())[item.group],
        codes=[(code.id, code.short) for code in book().codes],
        question=CODE_QUESTION,
        cards=[card(item.id, code) for code in book().codes],
        before=near[place - 1] if place else None,
        after=near[place + 1] if place + 1 < len(near) else None,
    )


def index_page() -> str:
    """`disputes/index.md`: the catalogue by group, with the finder above it."""
    known = book().irregularities
    groups = [
        (group, label, [i for i in known.values() if i.group == group])
        for group, label in rulings.groups()
    ]
    return page(
        "disputes",
        "disputes/index.md",
        Head("Disputes", "Every irregularity, and what each code gives for it.", "navigation"),
        number=len(known),
        groups=groups,
        codes=[(code.id, code.short) for code in book().codes],
    )


def dispute_pages() -> dict[str, str]:
    """`disputes/index.md`; for each irregularity `disputes/NAME.md` and the data of its questions,
    `NAME.json`.
    """
    made = {"disputes/index.md": index_page()}
    for name, item in book().irregularities.items():
        made[f"disputes/{name}.md"] = dispute_page(item)
        data = json.dumps(dispute_data(name), ensure_ascii=False, separators=(",", ":"))
        made[f"disputes/{name}.json"] = f"{data}\n"
    return made
