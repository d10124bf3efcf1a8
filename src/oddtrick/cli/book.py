"""The commands that read the lawbook (cite, search, compare, concordance, topics, export), and
`sources`, which attaches, lists and removes a reader's own copies of the books.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from oddtrick.book import own_copies
from oddtrick.book.columns import amended_words, comparison_rows, comparison_text, concordance_rows
from oddtrick.book.compare import (
    Line,
    compare_address,
    compare_topic,
    law_of_rule,
    provisions_on,
    state_of,
    texts,
    topic_of,
)
from oddtrick.book.compare import concordance as concordance_of
from oddtrick.book.export import export as exported
from oddtrick.book.export import schema
from oddtrick.book.first import rule_first, rules_on, topic_first
from oddtrick.book.read_citation import Unread
from oddtrick.book.search import Other, law_to_compare, without_time
from oddtrick.book.search import search as found_by
from oddtrick.book.silences import silences_on
from oddtrick.book.write_citation import cite as cited_in
from oddtrick.book.write_citation import cite_all, page_of
from oddtrick.cli.common import (
    Command,
    UsageError,
    citations,
    code_named,
    notice_code,
    words_given,
    write_file,
    write_json,
)
from oddtrick.law.book import book
from oddtrick.law.model import STATES
from oddtrick.law.names import and_words, cited, is_our_numbering, silence_text
from oddtrick.paths import site_url
from oddtrick.terminal import Progress, Style, in_a_line, style, write_data


def _topic(name: str) -> str:
    found = topic_of(name)
    if found is None and (law := law_of_rule(name)):
        found = texts(law.code)[law].topics[0]
    if found is None:
        known = [t.id for t in book().vocabulary.topics]
        near = difflib.get_close_matches(name.lower().replace(" ", "-"), known, n=3, cutoff=0.4)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise UsageError(f"there is no topic `{name}`{hint}. `oddtrick topics` lists them all")
    return found


def cite(options: argparse.Namespace) -> int:
    """`oddtrick cite`."""
    how = options.style
    found, status = citations(options.addresses, options.code)
    site = site_url(options.site)
    if options.format == "json":
        each = [{"address": a, "style": how, "citation": cited_in(a, how, site)} for a in found]
        for one in each:
            ours = is_our_numbering(one["address"])
            one |= {"page": page_of(one["address"]), "numbering": "ours" if ours else "printed"}
        write_json(each)
    else:
        sys.stdout.write(cite_all(found, how, site) + "\n")
        if how in ("markdown", "link") and not site:
            sys.stderr.write(
                "oddtrick cite: the links begin at the root of the site; `--site URL` makes them "
                "absolute.\n"
            )
        without = dict.fromkeys(a for a in found if is_our_numbering(a))
        if without and how in ("short", "markdown", "link"):
            sys.stderr.write(f"oddtrick cite: the numbering of {and_words(without)} is ours.\n")
        unknown = dict.fromkeys(a for a in found if a.local and page_of(a) is None)
        if unknown and how not in ("short", "markdown", "link"):
            words = and_words(unknown)
            sys.stderr.write(f"oddtrick cite: the printed page of {words} is not known.\n")
    return status


def search(options: argparse.Namespace) -> int:
    """`oddtrick search`; exit status 1 if nothing is found."""
    code = options.code
    topic = _topic(options.topic) if options.topic else None
    question = words_given(options.words)
    hits = found_by(question, code, topic, max(1, options.limit))
    others = [o for o in hits.others if o.kind in OTHERS[o.named]][:MOST_OTHERS]
    first, lacks = hits.first, hits.silences
    if options.format == "json":
        rounded = [h._replace(score=round(h.score, 2), part=round(h.part, 2)) for h in hits]
        beside = {"sure": hits.sure, "first": first, "hits": rounded, "others": others}
        beside |= {"silences": lacks}
        write_json({"question": question, "code": code, "topic": topic, **beside})
    elif hits or lacks or others:
        shape = style()
        sys.stdout.write("".join(f"{shape.wrap(sentence)}\n\n" for sentence in first))
        in_force = (h.address for h in hits if h.address in texts(h.address.code))
        best = next(in_force, None) if without_time(question) != question else None
        if best and (first or hits.sure):
            sys.stdout.write(f"Code by code: oddtrick compare {best}\n")
            asked_topic = texts(best.code)[best].topics[0]
            when = f"When each rule appeared or disappeared: oddtrick topics {asked_topic}\n"
            more = "" if first else when
            sys.stdout.write(f"{more}\n")
        for silence in hits.lacking:
            sys.stdout.write(f"{shape.wrap(silence_text(silence))}\n\n")
        rest = [s for s in lacks if s not in hits.lacking]
        lacking = "".join(f"{shape.wrap(silence_text(s))}\n" for s in rest)
        for other in others:
            sys.stdout.write(f"{_other_line(other, shape, bool(first))}\n\n")
        unsure = bool(hits) and not hits.sure
        if unsure:  # then the likelier answer is that the code is silent
            lacking += "\n" if lacking else ""
            sys.stdout.write(f"{lacking}{shape.wrap(NOT_SURE)}\n\n")
        for hit in hits:
            heading = f"{shape.bold(cited(hit.address))}  {hit.heading}  ({hit.address})"
            also = [shape.wrap("also " + ", ".join(hit.also), "    ")] if hit.also else []
            lines = [heading, shape.wrap(hit.text, "  "), *also, ""]
            sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.write("" if unsure else lacking)
    else:
        sentence = (
            f"Nothing was found for `{question}`. Try other words; `oddtrick topics` lists the "
            "topics, and `oddtrick law CODE` the laws, silences and doubtful passages of a code."
        )
        sys.stdout.write(f"{style().wrap(sentence)}\n")
    return 0 if hits or lacks or others else 1


OTHERS = {True: ("topic", "code", "page", "term"), False: ("reading", "code")}
"""The kinds of other documents printed above the laws: if the question names them, and if not."""

NOT_SURE = (
    "No law fits the question well; the laws are searched in our words, not in those of the books. "
    "The nearest laws:"
)

MOST_OTHERS = 3
"""The maximum number of other documents printed."""

SHOWN_BY = (
    (r"topics/(.+)/", r"oddtrick topics \1"),
    (r"concordance/(.+)--(.+)/", r"oddtrick concordance \1 \2"),
    (r"codes/([\w-]+)/readings/#(.+)", r"oddtrick law \1:reading.\2"),
    (r"codes/([\w-]+)/(?:readings/|#silent)?", r"oddtrick law \1"),
    (r"(.+)", r"On the site: \1"),
)
"""Patterns of the URLs of pages, each with the command that shows the same."""


def _other_line(other: Other, shape: Style, history: bool = False) -> str:
    """A document other than a law, with the command that shows it or its URL on the site.

    A term follows with its history and its definition in each code, unless `history` is shown.
    """
    by = next(m.expand(how) for p, how in SHOWN_BY if (m := re.fullmatch(p, other.url)))
    kinds = {"topic": "Topic: ", "page": "Page: ", "term": "Glossary: "}
    kind = kinds.get(other.kind, "")
    has_text = other.kind == "code" or (other.kind == "term" and not history)
    text = f" {other.text}" if has_text else ""
    return shape.wrap(f"{kind}{other.title}{'' if other.title.endswith('?') else '.'}{text} {by}")


def compare(options: argparse.Namespace) -> int:
    """`oddtrick compare`."""
    asked = [] if "all" in options.codes else options.codes
    named = [str(code_named(name)) for name in asked]
    codes = list(dict.fromkeys(named)) or list(book().ids)
    topic = topic_of(options.subject)
    if topic:
        found = compare_topic(topic, codes)
    else:
        try:
            law = law_to_compare(options.subject, codes[0] if options.codes else None)
        except Unread as error:
            raise UsageError(str(error)) from error
        notice_code(options.subject, law)
        found = compare_address(law, codes)
    if options.format == "json":
        rows = [{"rule": row.label, **row._asdict()} for row in found.rows]
        for row in rows:
            del row["label"], row["rules"]
        write_json(found._asdict() | {"rows": rows})
    elif options.format == "csv":
        _write_csv(comparison_rows(found))
    else:
        sys.stdout.write(comparison_text(found, style(most=1000)))
    return 0


def concordance(options: argparse.Namespace) -> int:
    """`oddtrick concordance`."""
    ours, theirs = str(code_named(options.ours)), str(code_named(options.theirs))
    if ours == theirs:
        raise UsageError("name two different codes")
    lines = concordance_of(ours, theirs)
    if options.format == "json":
        write_json({"from": ours, "to": theirs, "lines": lines})
    elif options.format == "csv":
        _write_csv(concordance_rows(ours, theirs))
    else:
        shape = style()
        names = f"{book().code(ours).short} and {book().code(theirs).short}"
        sys.stdout.write(f"{shape.bold(names)}\n\n{_concordance_text(ours, theirs, lines, shape)}")
    return 0


def _write_csv(rows: Iterable[Sequence[object]]) -> None:
    text = StringIO()
    csv.writer(text).writerows(rows)
    write_data(text.getvalue())


def _concordance_text(ours: str, theirs: str, lines: Sequence[Line], shape: Style) -> str:
    kinds = book().kinds
    differences = {d.id: d.label for d in book().vocabulary.differences}
    left = max(len(x.address.short(ours)) for x in lines) + 2
    out = []
    for x in lines:
        others = (a.short(theirs) + amended_words(a, theirs) for a in x.counterparts)
        answer = ", ".join(others) or texts(ours)[x.address].heading
        answer += amended_words(x.address, ours)
        label = book().kind_words(x.kind, x.shape)
        out.append(f"{x.address.short(ours):<{left}}{label:<49}{answer}".rstrip())
        for d in x.differences:
            changes = f"{d.label}, {differences[d.difference]}: {d.ours} | {d.theirs}"
            out.append(shape.wrap(changes, " " * 22))
    counts = Counter(x.kind for x in lines)
    counted = ", ".join(f"{kinds[k]} {counts[k]}" for k in kinds if counts[k])
    total = (
        f"{len(lines)} provisions in force, without options and passages that only restate others"
    )
    return "\n".join([*out, "", f"{total}: {counted}."]) + "\n"


def topics(options: argparse.Namespace) -> int:
    """`oddtrick topics`."""
    wanted = _topic(options.topic) if options.topic else None
    if options.format == "csv":
        if not wanted:
            raise UsageError("name a topic: --format csv writes its table of facts")
        try:
            from oddtrick.site.topic import facts_sheet
        except ModuleNotFoundError as error:
            raise UsageError("--format csv needs `pip install 'oddtrick[site]'`") from error
        _write_csv(facts_sheet(wanted, compare_topic(wanted, book().ids)))
    elif options.format == "json":
        write_json(_topic_json(wanted) if wanted else [_topic_json(t) for t in book().topics])
    else:
        sys.stdout.write(_topic_text(wanted, style()) if wanted else _topics_text(style()))
    return 0


def _topic_json(topic: str) -> dict[str, object]:
    cells: dict[str, object] = {}
    for code in book().ids:
        found = provisions_on(topic, code)
        beside = {"provisions": found, "lacks": silences_on(code, topic)}
        cells[code] = beside if found else state_of(code, topic)
    rules = [{"id": r.id, "label": r.label, "first": rule_first(r)} for r in rules_on(topic)]
    first = {"first": topic_first(topic), "rules": rules, "codes": cells}
    return book().topics[topic]._asdict() | first


def _topic_text(name: str, shape: Style) -> str:
    topic = book().topics[name]
    heading = f"{shape.bold(topic.label)}  {topic.question}"
    story = book().stories.get(name)
    out = [
        heading,
        "",
        *([shape.wrap(story.text), ""] if story else []),
        shape.wrap(topic_first(name)),
        "",
    ]
    for code in book().codes:
        out.append(shape.bold(code.short))
        if found := provisions_on(name, code.id):
            out += [shape.wrap(f"{a}  {texts(code.id)[a].text}", "  ") for a in found]
            out += [shape.wrap(silence_text(s), "  ") for s in silences_on(code.id, name)]
        else:
            state = state_of(code.id, name)
            out.append(shape.wrap(f"{STATES[state.state].capitalize()}: {state.reason}", "  "))
        out.append("")
    rules = rules_on(name)
    out += [shape.bold("The rules on this topic")] if rules else []
    out += [shape.wrap(rule_first(r), "  ") for r in rules]
    return "\n".join(out) + "\n"


def _topics_text(shape: Style) -> str:
    names = {f.id: f.label for f in book().vocabulary.families}
    out = []
    for family, listed in groupby(book().vocabulary.topics, attrgetter("family")):
        out.append(shape.bold(names[family]))
        out += [f"  {t.id:<24}{t.label}: {t.question}" for t in listed]
    return "\n".join(out) + "\n"


def export(options: argparse.Namespace) -> int:
    """`oddtrick export`."""
    if options.option and not options.scores:
        raise UsageError("--option needs --scores, which names the code that has the option")
    if options.scores:
        # Importing the judge takes longer than running any other of these commands.
        from oddtrick.report.score_table import as_csv

        text = as_csv(book().rules(str(code_named(options.scores)), options.option))
    elif options.schema:
        text = schema(options.schema)
    else:
        text = exported()
    if options.out:
        write_file(options.out, text)
    else:
        write_data(text)
    return 0


def sources(options: argparse.Namespace) -> int:
    """`oddtrick sources add|list|remove`."""
    found = STEPS[options.step](options)
    if options.format == "json":
        named = [{"name": c.id, "code": c.code, "file": c.file} for c in found]
        laws = [{"laws": len(c.laws), "numbers": list(c.laws)} for c in found]
        write_json([a | b for a, b in zip(named, laws, strict=True)])
        return 0
    before = "Removed " if options.step == "remove" else ""
    for copy in found:
        counts, file = own_copies.count_words(copy), in_a_line(copy.file)
        sys.stdout.write(f"{before}{copy.id}: {counts} (from {file})\n")
    if options.step == "add":
        sys.stdout.write("`oddtrick law` now shows the printed words; they stay on this machine.\n")
    elif options.step == "list" and not found:
        sys.stdout.write("No book is attached; `oddtrick sources add FILE` attaches one.\n")
    return 0


def _add(options: argparse.Namespace) -> list[own_copies.Attached]:
    added: list[own_copies.Attached] = []
    progress = Progress()
    for name in options.files:
        progress.step(f"reading {name} ", now=True)
        try:
            added += own_copies.add(Path(name), options.code)
        except own_copies.NotASource as error:
            raise UsageError(str(error)) from error
        except OSError as error:
            raise UsageError(f"the book cannot be stored: {error.strerror or error}") from error
    progress.clear()
    return added


def _remove(options: argparse.Namespace) -> list[own_copies.Attached]:
    removed = own_copies.remove(options.name, options.code)
    if not removed:
        no_such = f"no attached book is called `{options.name}`"
        raise UsageError(f"{no_such}; `oddtrick sources list` lists them")
    return removed


STEPS = {"add": _add, "list": lambda _: own_copies.attached(), "remove": _remove}


COMMANDS: dict[str, Command] = {
    "cite": cite,
    "search": search,
    "compare": compare,
    "concordance": concordance,
    "topics": topics,
    "export": export,
    "sources": sources,
}
