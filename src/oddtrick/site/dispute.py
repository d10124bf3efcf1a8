"""The pages of disputes: what every code gives for each irregularity, in cards, and the data of the guided questions.

What is told has its words from `telling`, as on the command line. The questions are asked here, at build time, until every answer is reached; the script
of the page only walks the tree of what was answered.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from oddtrick.book.citation import law_words, path_of
from oddtrick.judge.words import number_words
from oddtrick.law.book import book
from oddtrick.law.in_force import code_data, codes
from oddtrick.law.model import Irregularity
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling
from oddtrick.rulings.words import ABOUT, Line, own, title, told
from oddtrick.site.law_words import front

Json = Any

AS_PRINTED = "none"
"""The name, in the URL, of the choice to take no option."""

ROOT = "../../"
"""From the URL of a page of a dispute to the top of the site."""


# --- every answer, asked for -----------------------------------------------------------------------


def variants(name: str, code: str) -> tuple[str | None, ...]:
    """The forms of a code that may differ on an irregularity: as printed (`None`), and each option with an entry of its own."""
    printed = book().entry(name, code)
    options = (o["id"] for o in code_data(code)["options"])
    return (None, *(o for o in options if book().entry(name, code, [o]) != printed))


def leaves(name: str, code: str, option: str | None) -> Iterator[Answer]:
    """Every answer to which the questions lead, each question asked only while the ruling turns on it."""
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


# --- what is told, in HTML -------------------------------------------------------------------------


def anchor(address: str, words: str) -> str:
    """A link to a law from the page of a dispute."""
    return f'<a href="{ROOT}{path_of(address)}">{html.escape(words)}</a>'


def linked(line: Line, code: str) -> str:
    """A line as HTML, its laws linked; those of the code under which the ruling is asked by their numbers alone."""

    def laws(addresses: Iterable[str]) -> str:
        return ", ".join(anchor(a, own(a, code)) for a in addresses)

    head = f"{laws(line.head)}: " if line.head else ""
    return head + "".join(
        html.escape(p.words, quote=False) + (f" ({laws(p.laws)})" if p.laws else "")
        for p in line.pieces
    )


def given(found: Answer) -> str:
    """What a code gives, without the finding: paragraphs, and a list where somebody chooses."""
    part = next(p for p in told(found) if p.id == "given")
    out: list[str] = []
    for numbered, lines in groupby(part.lines, lambda line: line.number is not None):
        tag = "li" if numbered else "p"
        written = "".join(f"<{tag}>{linked(line, found.code)}</{tag}>" for line in lines)
        out.append(f"<ol>{written}</ol>" if numbered else written)
    return "".join(out)


def parts(found: Answer) -> list[str]:
    """A settled answer after its finding, part by part, in HTML: what is given, the laws, what was considered, the citation."""
    out = [f'<div class="answer-given">{given(found)}</div>']
    for part in told(found):
        lines = [linked(line, found.code) for line in part.lines]
        if part.id == "cite":
            out.append(f'<h4>{part.heading}</h4><p class="answer-cite">{lines[0]}</p>')
        elif part.id == "considered":
            out.append(
                f"<details><summary>{part.heading}</summary><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul></details>"
            )
        elif part.id != "given":
            out.append(
                f"<h4>{part.heading}</h4><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"
            )
    return out


# --- the data of the questions ----------------------------------------------------------------------


def dispute_data(name: str) -> Json:
    """The guided questions on an irregularity, for the script of its page.

    `codes` has for each code its options, and for each option the tree. A node is a question (`ask` with a fact of
    `questions`, `may` with what it can come to, `then` with a node for each answer) or settled (`kind`, `ruling`,
    `finding`, `parts`). `may` and `parts` point into `texts`, which is HTML.
    """
    texts: dict[str, int] = {}
    questions: dict[str, Json] = {}
    listed = [
        {
            "code": code,
            "title": title(rulings.answer(name, code)),
            "options": [
                {
                    "option": option or AS_PRINTED,
                    "words": _option_words(code, option),
                    "start": _node(rulings.answer(name, code, _options(option)), texts, questions),
                }
                for option in variants(name, code)
            ],
        }
        for code in codes()
    ]
    return {"irregularity": name, "codes": listed, "questions": questions, "texts": list(texts)}


def _node(found: Answer, texts: dict[str, int], questions: dict[str, Json]) -> Json:
    def kept(text: str) -> int:
        return texts.setdefault(text, len(texts))

    if found.questions:
        question = found.questions[0]
        questions.setdefault(question.fact, {"question": question.question, "answers": {}})[
            "answers"
        ] |= dict(question.answers)
        may = next(p for p in told(found) if p.id == "may")
        return {
            "ask": question.fact,
            "may": [kept(linked(line, found.code)) for line in may.lines],
            "then": {
                value: _node(_further(found, value), texts, questions)
                for value, _ in question.answers
            },
        }
    return {
        "kind": found.kind,
        "ruling": found.ruling.id if found.ruling else None,
        "finding": rulings.finding_words(found),
        "parts": [kept(part) for part in parts(found)],
    }


def _option_words(code: str, option: str | None) -> str:
    return next(
        (str(o["label"]) for o in code_data(code)["options"] if o["id"] == option), "as printed"
    )


# --- the cards --------------------------------------------------------------------------------------


def card(name: str, code: str) -> list[str]:
    """A code's whole answer as a card, in lines of Markdown: every ruling, with its laws, or why there is none."""
    data = code_data(code)
    found = book().entry(name, code)
    out = [
        '<div class="provision dispute-code" markdown="1">',
        "",
        f"## {data['short']} {{ #{code} data-search-exclude }}",
        "",
    ]
    if found and found[1].id != code:
        base = found[1].short
        out += [
            f"{data['short']} has no law of its own on this: the law is that of [{base}](#{found[1].id}).",
            "",
        ]
    else:
        out += [_entry(name, code, None), ""]
    for option in variants(name, code)[1:]:
        label = _option_words(code, option)
        out += [
            f"### With the option: {label} {{ #{code}.{option} data-search-exclude }}",
            "",
            _entry(name, code, option),
            "",
        ]
    return [*out, "</div>", ""]


def _entry(name: str, code: str, option: str | None) -> str:
    """Every ruling of an entry as a row: when it holds, what it gives; then the law on exacting it, and the laws' words."""
    settled: dict[str, Answer] = {}
    for found in leaves(name, code, option):
        settled.setdefault(found.ruling.id if found.ruling else "", found)
    if "" in settled:
        whole = settled[""]
        return (
            f'<div class="state state-{whole.kind}">{given(whole)}{_rests("By", whole.laws, code)}</div>'
            + _words_of(whole.laws, code)
        )
    entry = book().entry(name, code, _options(option))
    order = [r.id for r in entry[0].rulings] if entry else []
    table = {i: r for i in order if i in settled and (r := settled[i].ruling)}
    rows = [_row(table[i], settled[i], table, option) for i in table]
    laws = tuple(dict.fromkeys(a for r in table.values() for a in r.laws))
    exacting = next((f.exacting for f in settled.values() if f.exacting), ())
    told_of = [
        f"{ABOUT[e.about].lower()} {_laws(e.provisions, code)}"
        for e in exacting
        if e.about in ABOUT
    ]
    general = f'<p class="rests">Exacting it: {"; ".join(told_of)}</p>' if told_of else ""
    return f'<dl class="rulings">{"".join(rows)}</dl>{general}' + _words_of(laws, code)


def _row(ruling: Ruling, found: Answer, table: Mapping[str, Ruling], option: str | None) -> str:
    case = rulings.case_words(ruling)
    exceptions = "; ".join(
        f'<a href="#{_row_id(found.code, option, e)}">{html.escape(rulings.case_words(table[e]), quote=False)}</a>'
        for e in ruling.gives_way
        if e in table
    )
    notes = _rests("By", [a for a in ruling.laws if a not in ruling.decisions], found.code)
    notes += _rests("Decided in", ruling.decisions, found.code)
    notes += "".join(
        f'<p class="rests">On a reading: {anchor(r, _reading_words(r))}</p>'
        for r in ruling.readings
    )
    notes += f'<p class="rests">Except: {exceptions}</p>' if exceptions else ""
    kind = " ruling-silent" if ruling.silent else ""
    return (
        f'<div class="ruling{kind}" id="{_row_id(found.code, option, ruling.id)}">'
        f"<dt>{html.escape(case[:1].upper() + case[1:], quote=False)}</dt><dd>{given(found)}{notes}</dd></div>"
    )


def _reading_words(address: str) -> str:
    readings = code_data(address.partition(":")[0])["readings"]
    return next((str(r["question"]) for r in readings if r["address"] == address), address)


def _row_id(code: str, option: str | None, ruling: str) -> str:
    return ".".join((code, *_options(option), ruling))


def _rests(label: str, addresses: Iterable[str], code: str) -> str:
    shown = _laws(addresses, code)
    return f'<p class="rests">{label} {shown}</p>' if shown else ""


def _laws(addresses: Iterable[str], code: str) -> str:
    """Laws as read aloud, linked: `law 61 (1)`; those of another code with its name."""
    out = []
    for address in addresses:
        owner = address.partition(":")[0]
        words = (
            law_words(address)
            if owner == code
            else f"{code_data(owner)['short']}, {law_words(address)}"
        )
        out.append(anchor(address, words))
    return ", ".join(out)


def _words_of(addresses: Iterable[str], code: str) -> str:
    """The restatements of laws, folded up."""
    items = [(a, p.text) for a in addresses if (p := book().provision(a))]
    if not items:
        return ""
    rows = "".join(
        f"<li>{anchor(a, own(a, code))}: {html.escape(text, quote=False)}</li>" for a, text in items
    )
    return f'<details class="law-words"><summary>The law in full</summary><ul>{rows}</ul></details>'


# --- the pages --------------------------------------------------------------------------------------


def dispute_page(name: str) -> str:
    """`disputes/NAME.md`: what the irregularity is, the place for the questions, a card for each code."""
    known = rulings.catalogue()
    item = known[name]
    group = dict(rulings.groups())[item.group]
    out = [
        front(item.label, item.meaning, hide="navigation"),
        f"# {item.label}",
        "",
        f'<p class="law-head" markdown="span">[Disputes](index.md#{item.group}), {group.lower()}</p>',
        "",
        f'<p class="lede">{html.escape(item.meaning)}</p>',
        "",
    ]
    if item.said:
        out += [
            f'<p class="said">As players put it: {html.escape("; ".join(_quoted(item)), quote=False)}.</p>',
            "",
        ]
    out += [_form(name), ""]
    for code in codes():
        out += card(name, code)
    near = [n for n, i in known.items() if i.group == item.group]
    place = near.index(name)
    turn = [f"[← {known[n].label}]({n}.md)" for n in near[place - 1 : place] if place]
    turn += [f"[{known[n].label} →]({n}.md)" for n in near[place + 1 : place + 2]]
    return "\n".join(
        [*out, f'<p class="turn" markdown="span" data-search-exclude>{" · ".join(turn)}</p>', ""]
    )


def _form(name: str) -> str:
    """The beginning of the questions, which the script takes over; without the script it is not shown."""
    choices = "".join(
        f'<button type="button" value="{code}" aria-pressed="false">{html.escape(code_data(code)["short"])}</button>'
        for code in codes()
    )
    return (
        f'<section class="settle" data-answers="../{name}.json" aria-labelledby="settle" data-search-exclude>'
        '<h2 id="settle" data-search-exclude>Settle it by questions</h2>'
        f'<div class="asked"><fieldset data-fact="code"><legend tabindex="-1">Under which code?</legend>'
        f'<div class="choices">{choices}</div></fieldset></div>'
        '<div class="may" hidden></div><div class="answer" hidden><div class="answer-said" aria-live="polite"></div>'
        '<div class="answer-rest"></div></div><p class="settle-note" role="status"></p></section>'
    )


def _quoted(item: Irregularity) -> list[str]:
    return [f"\u201c{s}\u201d" for s in item.said]


def index_page() -> str:
    """`disputes/index.md`: the catalogue by group, with a field that the script filters it by."""
    known = rulings.catalogue()
    out = [
        front(
            "Disputes",
            "Every irregularity, and what each code gives for it.",
            "described",
            "navigation",
        ),
        "# Disputes",
        "",
        f'<p class="lede">{number_words(len(known), "thing")} that can go wrong at the table. Find what happened: each page has every '
        "code's answer, and the questions that settle the case.</p>",
        "",
        '<div class="dispute-filter" data-search-exclude><label for="dispute-filter">What happened?</label>'
        '<input type="search" id="dispute-filter" autocomplete="off" spellcheck="false" placeholder="led out of turn">'
        '<p class="settle-note" role="status"></p></div>',
        "",
    ]
    for group, label in rulings.groups():
        out += [
            '<div class="dispute-group" markdown="1">',
            "",
            f"## {label} {{ #{group} }}",
            "",
            '<ul class="disputes" markdown="1">',
            "",
        ]
        for item in (i for i in known.values() if i.group == group):
            said = html.escape("\n".join(_quoted(item)))
            out.append(
                f'<li data-said="{said}" markdown="span">[{item.label}]({item.id}.md) <span>{html.escape(item.meaning)}</span></li>'
            )
        out += ["", "</ul>", "", "</div>", ""]
    return "\n".join(out)


def dispute_pages() -> dict[str, str]:
    """`disputes/index.md`, and for each irregularity `disputes/NAME.md` with the data of its questions, `disputes/NAME.json`."""
    made = {"disputes/index.md": index_page()}
    for name in rulings.catalogue():
        made[f"disputes/{name}.md"] = dispute_page(name)
        made[f"disputes/{name}.json"] = (
            json.dumps(dispute_data(name), ensure_ascii=False, separators=(",", ":")) + "\n"
        )
    return made
