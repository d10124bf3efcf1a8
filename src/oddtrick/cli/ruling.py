"""`oddtrick ruling`: settles a dispute by name and facts, or in a player's own words."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from oddtrick.book.disputes import Found, Sought, find
from oddtrick.book.read_citation import code_in
from oddtrick.book.silences import unruled
from oddtrick.cli.common import Command, UsageError, law_options, words_given, write_json
from oddtrick.law.book import book
from oddtrick.law.cases import facts_of
from oddtrick.law.model import SILENT, Entry, Irregularity
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as wording
from oddtrick.rulings.engine import Answer
from oddtrick.terminal import Style, style

Facts = dict[str, str]


def ruling(options: argparse.Namespace) -> int:
    """`oddtrick ruling`; exit status 1 if facts are missing or nothing is found."""
    if options.code is None and options.words and not options.list:
        options.code, left = code_in(" ".join(options.words))
        options.words = left.split()
    one = None if options.code == "all" else options.code
    law_options(options, one)  # raises an error if they are not valid
    facts = _facts_given(options)
    name = "-".join(options.words).lower() if options.words else None
    if options.list:
        return _list(name, one, options)
    try:
        if name and name in rulings.catalogue():
            return _rule(name, one, facts, options)
        return _suggest(one, facts, options)
    except rulings.UnknownFact as error:
        raise UsageError(str(error)) from error


def _rule(name: str, one: str | None, facts: Facts, options: argparse.Namespace) -> int:
    """Print the ruling on an irregularity of one code or of all; returns the exit status."""
    codes = [one] if one else book().ids
    answers = [rulings.answer(name, c, law_options(options, c), facts) for c in codes]
    if options.format == "json":
        found = [wording.as_json(answer) for answer in answers]
        write_json(found[0] if one else found)
    else:
        of_one = answer_text(answers[0], style()) if one else ""
        sys.stdout.write(of_one or comparison_text(answers, style()))
    return 1 if one and answers[0].kind == "open" else 0


def _in_force(code: str | None, options: argparse.Namespace) -> Sequence[str]:
    """The options of a code that the user requested."""
    return book().rules(code, law_options(options, code)).options if code else ()


def _facts_given(options: argparse.Namespace) -> Facts:
    named = (item for item in vars(options).items() if item[0].startswith("fact_"))
    facts = {k.removeprefix("fact_"): v for k, v in named if v is not None}
    for text in options.fact:
        fact, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--fact takes FACT=ANSWER; `{text}` has no `=`")
        facts[fact.strip()] = value.strip()
    return facts


def _list(name: str | None, code: str | None, options: argparse.Namespace) -> int:
    """Print all irregularities, or one with the facts on which it depends."""
    known = rulings.catalogue()
    if name is not None and name not in known:
        near = _nearest(name)
        hint = f" (did you mean `{near}`?)" if near else ""
        raise UsageError(
            f"there is no irregularity `{'-'.join(options.words)}`{hint}; `oddtrick ruling --list` "
            f"lists them, and `oddtrick ruling {' '.join(options.words)}` searches for these words"
        )
    shape = style()
    if options.format == "json":
        write_json([_irregularity_json(known[n]) for n in ([name] if name else known)])
    elif name:
        under = _in_force(code, options)
        sys.stdout.write("\n".join(_facts_lines(known[name], code, under, shape)) + "\n")
    else:
        for group, label in rulings.groups():
            of_group = (i for i in known.values() if i.group == group)
            listed = [f"  {i.id:<34} {i.label}{_unruled(i.id, code)}" for i in of_group]
            sys.stdout.write("\n".join([shape.bold(label), *listed]) + "\n\n")
    return 0


def _unruled(name: str, code: str | None) -> str:
    """That a code is silent on an irregularity or that it cannot arise, in brackets."""
    found = unruled(name, code) if code else None
    return f" ({SILENT[found.state]})" if found else ""


def _irregularity_json(item: Irregularity) -> dict[str, object]:
    listed = {k: getattr(item, k) for k in ("id", "group", "label", "finding", "meaning", "said")}
    presumed = {f: book().facts[f].presumed for f in item.facts}
    return {k: v for k, v in listed.items() if v} | {
        "facts": item.facts,
        "presumed": {f: v for f, v in presumed.items() if v},
        "remedies": _remedies(item, None, ()),
    }


def _facts_lines(
    item: Irregularity, code: str | None, options: Sequence[str], shape: Style
) -> Iterator[str]:
    """Yield lines on an irregularity: the facts on which it depends, and the possible remedies.

    Both are taken from one code or, if none is given, from all codes.
    """
    yield f"{shape.bold(item.label)}  ({item.id})"
    yield shape.wrap(item.meaning, "  ")
    turning = _needs(item, code, options) if code else item.facts
    for fact in turning:
        yield f"\n  --{fact}"
        for value in item.facts[fact]:
            taken = value == book().facts[fact].presumed
            presumed = " (presumed if a record does not say)" if taken else ""
            yield f"    {value:<18} {wording.fact_words(fact, value)}{presumed}"
    if not turning:
        yield "\n  The ruling depends on no other facts."
    remedies = _remedies(item, code, options)
    if remedies:
        yield "\n  Remedies, as a record may name them"
    for name, words in remedies.items():
        yield f"    {name:<24} {' | '.join(words)}"


def _entries(item: Irregularity, code: str | None, options: Sequence[str]) -> list[Entry]:
    """The entries for an irregularity, of one code or of all with each of their options."""
    every = ((c, o) for c in book().ids for o in ([], *([o.id] for o in book().code(c).options)))
    ways: Iterable[tuple[str, Sequence[str]]] = [(code, options)] if code else every
    found = (book().entry(item.id, *way) for way in ways)
    return [entry for entry, _ in filter(None, found)]


def _remedies(
    item: Irregularity, code: str | None, options: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The remedies for an irregularity under one code or any, each with the words for it."""
    cases = [case for entry in _entries(item, code, options) for case in entry.rulings]
    given = {r.id for case in cases for r in case.remedies}
    return {
        kind.id: tuple(dict.fromkeys(re.sub(r"\{\w+\}", "…", w) for w in (*kind.said, kind.label)))
        for kind in book().vocabulary.remedies
        if kind.id in given
    }


def _needs(
    item: Irregularity, code: str | None, options: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The facts on which a ruling depends under one code or any, with their possible answers."""
    facts: dict[str, tuple[str, ...]] = {}
    for entry in _entries(item, code, options):
        facts |= facts_of(entry.rulings, item)
    return {fact: facts[fact] for fact in item.facts if fact in facts}


def _suggest(one: str | None, facts: Facts, options: argparse.Namespace) -> int:
    """Print the irregularities that the user's words may mean; returns the exit status.

    Under one code, the ruling on the best match is printed too, if it fits well enough.
    """
    if not options.words:
        raise UsageError(
            "name an irregularity or say what happened; `oddtrick ruling --list` lists them. "
            "Example: oddtrick ruling lead-out-of-turn --code royalton-1915 --offender adversary "
            "--followed-by declarer"
        )
    question = words_given(options.words)
    under = _in_force(one, options)
    sought = find(question, one, options=under)
    status = 0 if sought.fits or sought.asked else 1
    if options.format == "json":
        write_json(_sought_json(question, sought, one, under))
        return status
    shape = style()
    sys.stdout.write("\n".join(_sought_lines(question, sought, one, under, shape)) + "\n")
    if not sought.found:
        return status
    best = sought.found[0].irregularity
    code = one or _latest(best)
    facts = _of_words(sought.found[0], code, under) | facts
    found = rulings.answer(best, code, law_options(options, one), facts)
    if one and sought.fits and not sought.asked:
        sys.stdout.write(f"\nRuling on the first:\n\n{answer_text(found, shape)}")
    asked = {q.fact: "ANSWER" for q in found.questions}
    given = "".join(f" --{fact} {value}" for fact, value in (asked | facts).items())
    again = f"oddtrick ruling {best}" + (f" --code {code}{given}" if one or facts else "")
    sys.stdout.write(f"\nTo settle the first (for another, give its name instead): {again}\n")
    return status


def _latest(name: str) -> str:
    """The latest code in which an irregularity can arise and that has a ruling on it."""
    entries = ((code, book().entry(name, code)) for code in reversed(book().ids))
    return next((code for code, of in entries if of and of[0].rulings), book().ids[-1])


def _sought_json(
    question: str, sought: Sought, code: str | None, under: Sequence[str]
) -> dict[str, object]:
    candidates = []
    for f in sought.found:
        item = rulings.catalogue()[f.irregularity]
        questions = [
            {"fact": fact, "question": book().facts[fact].question, "answers": values}
            for fact, values in _needs(item, code, under).items()
        ]
        about = {"irregularity": item.id, "label": item.label, "meaning": item.meaning}
        details = {"why": f.why, "second": f.second, "absent": f.absent}
        facts = {k: v for k, v, _ in f.facts}
        candidates.append({**about, **details, "facts": facts, "questions": questions})
    found = {"fits": sought.fits, "asked": sought.asked, "topics": sought.topics}
    return {"question": question, "code": code, **found, "candidates": candidates}


def _sought_lines(
    question: str, sought: Sought, code: str | None, under: Sequence[str], shape: Style
) -> Iterator[str]:
    """Yield lines on the irregularities found, best first, with the words that matched.

    Topics for a question about the rules, or a warning, come before them. For the first they
    include the facts stated or, without a code, those that may be needed.
    """
    be = "is" if sought.asked else "may be"
    for topic in sought.topics:
        label = book().topics[topic].label
        yield f"This {be} a question about the rules on “{label}”; see `oddtrick topics {topic}`."
    if not sought.found and not sought.asked:
        yield f"Nothing was found for `{question}`. Try other words, or `oddtrick ruling --list`."
    elif sought.asked and sought.found:
        yield "If you mean a dispute, the closest are:"
    elif sought.found and not sought.fits:
        yield "Nothing fits these words well. The nearest disputes:"
    for number, found in enumerate(sought.found, 1):
        item = rulings.catalogue()[found.irregularity]
        yield f"{number}. {shape.bold(item.label)}  ({item.id})"
        yield shape.wrap(item.meaning, "   ")
        yield shape.wrap(f"Words that matched: {', '.join(found.why)}.", "   ")
        if found.second:
            yield shape.wrap(
                "Part of your description concerns this act; settle it separately.", "   "
            )
        if found.absent and code:
            yield shape.wrap(_why_absent(item.id, code), "   ")
        if number == 1 and _of_words(found, code, under):
            yield shape.wrap(_from_words(found, code, under), "   ")
        elif number == 1 and not code:
            for fact, values in _needs(item, code).items():
                asked = f"{book().facts[fact].question}  --{fact} {' | '.join(values)}"
                yield shape.wrap(asked, "     ")


def _why_absent(name: str, code: str) -> str:
    """A sentence saying that an irregularity cannot arise under a code, or only with an option."""
    short, found = book().code(code).short, book().entry
    for option in book().code(code).options:
        if (entry := found(name, code, [option.id])) and not entry[0].absent:
            return f"It arises under {short} only with --option {option.id}."
    return f"It cannot arise under {short}."


def _nearest(words: str) -> str:
    """The irregularity whose name nearly matches the words; empty if there is none."""
    name = "-".join(words.lower().split())
    return next(iter(difflib.get_close_matches(name, rulings.catalogue(), 1, 0.8)), "")


def _of_words(found: Found, code: str | None, under: Sequence[str]) -> Facts:
    """The facts found in the user's words that matter under a code."""
    needs = _needs(rulings.catalogue()[found.irregularity], code, under)
    stated = {fact: value for fact, value, _ in found.facts}
    known = rulings.implied(found.irregularity, stated)
    return {fact: value for fact, value in known.items() if value in needs.get(fact, ())}


def _from_words(found: Found, code: str | None, under: Sequence[str]) -> str:
    """A sentence listing the facts taken from the user's words and how to change them."""
    taken = _of_words(found, code, under)
    answer = "; ".join(f"{wording.fact_words(f, v)} (--{f} {v})" for f, v in taken.items())
    return f"From your words: {answer}. To change a fact, give its option."


def answer_text(found: Answer, shape: Style) -> str:
    """An answer as text: title, finding, ruling, and then the other parts under headings."""
    out = [shape.bold(wording.title(found)), shape.wrap(wording.finding_words(found))]
    for part in wording.parts_of(found):
        if part.id == "may":
            for question in found.questions:  # each with its option and its answers
                out.append(f"  {shape.bold(question.question)}  --{question.fact}")
                out += [f"    {value:<18} {words}" for value, words in question.answers]
            out += ["", part.heading]
        else:
            out += ["", shape.bold(part.heading)] if part.heading else [""]
        for line in part.lines:
            indent = "  " if part.heading or line.number else ""
            out.append(shape.wrap(wording.line_text(line, found.code), indent))
    return "\n".join(out) + "\n"


def comparison_text(answers: Sequence[Answer], shape: Style) -> str:
    """The rulings on one irregularity under several codes, as text."""
    item = rulings.catalogue()[answers[0].irregularity]
    out = [shape.bold(item.label), shape.wrap(item.meaning)]
    given = {f: v for a in answers for f, v in (*a.facts, *a.idle)}
    if given:
        facts = "; ".join(wording.fact_words(f, v) for f, v in given.items())
        out.append(shape.wrap(f"{facts}."))
    for short, lines in wording.comparison(answers):
        out += ["", shape.bold(short), *(shape.wrap(line, "  ") for line in lines)]
    return "\n".join(out) + "\n"


COMMANDS: dict[str, Command] = {"ruling": ruling}
