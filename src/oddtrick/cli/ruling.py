"""`oddtrick ruling`: a dispute settled by name and facts, by a player's words, or question by
question.

The answer is worded as a director would: what happened, what the law gives, who may choose, until
when; then the laws, the exceptions considered, how a penalty is exacted, and a citation to paste.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from oddtrick.book.disputes import Found, Sought, find
from oddtrick.cli.common import (
    Command,
    UsageError,
    code_named,
    law_options,
    words_given,
    write_json,
)
from oddtrick.law.book import book
from oddtrick.law.cases import facts_of
from oddtrick.law.model import Irregularity
from oddtrick.limits import ANSWER
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as wording
from oddtrick.rulings.engine import Answer
from oddtrick.terminal import Style, style


def ruling(options: argparse.Namespace) -> int:
    """`oddtrick ruling`; exit status 1 where facts are missing or nothing is found."""
    one = None if options.code in (None, "all") else code_named(options.code)
    chosen = law_options(options, one)
    if one is not None:
        book().rules(one, chosen)
    elif options.option:
        raise UsageError("--option needs --code: an option belongs to a code")
    facts = _facts_given(options)
    name = "-".join(options.words).lower() if options.words else None
    if options.list:
        return _list(name, one, options)
    named, picked = name in rulings.catalogue(), None
    asking = options.ask or (not named and options.format == "text" and sys.stdin.isatty())
    if not named:
        picked = _picked(one, options) if asking else None
        if picked is None:
            return 1 if asking else _suggest(one, facts, options)
        name = picked.irregularity
    if asking and options.code is None:
        one = _ask_one("Under which code?", ((c.id, c.title) for c in book().codes))
        if one is None:
            return 1
    if picked is not None and (from_words := _of_words(picked, one)):
        sys.stderr.write(f"\n{_from_words(picked, one)}\n")
        facts = from_words | facts
    return _ruled(str(name), one, facts, options, asking)


def _ruled(
    name: str, one: str | None, facts: dict[str, str], options: argparse.Namespace, asking: bool
) -> int:
    """Print what a code, or every code, gives with these facts; the exit status."""
    every = book().ids if options.code == "all" else book().principal
    codes = [one] if one else list(every)
    try:
        answers = [rulings.answer(name, code, law_options(options, code), facts) for code in codes]
        if asking and one:
            answers = [_ask(answers[0], facts)]
    except rulings.UnknownFact as error:
        raise UsageError(str(error)) from error
    if options.format == "json":
        found = [wording.as_json(a) for a in answers]
        write_json(found[0] if one else found)
    else:
        text = answer_text(answers[0], style()) if one else comparison_text(answers, style())
        sys.stdout.write(text)
    return 1 if one and answers[0].kind == "open" else 0


def _facts_given(options: argparse.Namespace) -> dict[str, str]:
    facts = {
        k.removeprefix("fact_"): v
        for k, v in vars(options).items()
        if k.startswith("fact_") and v is not None
    }
    for text in options.fact:
        fact, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"--fact takes FACT=ANSWER; `{text}` has no `=`")
        facts[fact.strip()] = value.strip()
    return facts


# --- the catalogue --------------------------------------------------------------------------------


def _list(name: str | None, code: str | None, options: argparse.Namespace) -> int:
    """The irregularities, or one with the facts on which it turns."""
    known = rulings.catalogue()
    if name is not None and name not in known:
        asked = "-".join(options.words)
        words = " ".join(options.words)
        raise UsageError(
            f"there is no irregularity `{asked}`; `oddtrick ruling --list` lists them, "
            f"`oddtrick ruling {words}` finds them by these words"
        )
    if options.format == "json":
        chosen = [known[name]] if name else list(known.values())
        write_json([_irregularity_json(item) for item in chosen])
        return 0
    shape = style()
    if name:
        under = book().rules(code, law_options(options, code)).options if code else ()
        sys.stdout.write("\n".join(_facts_lines(known[name], code, under, shape)) + "\n")
        return 0
    for group, label in rulings.groups():
        listed = [f"  {i.id:<34} {i.label}" for i in known.values() if i.group == group]
        sys.stdout.write("\n".join([shape.bold(label), *listed]) + "\n\n")
    return 0


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
    """An irregularity with the facts on which it turns under a code, or under any."""
    yield f"{shape.bold(item.label)}  ({item.id})"
    yield shape.wrap(item.meaning, "  ")
    turning = set(item.facts)
    if code:
        found = book().entry(item.id, code, options)
        turning = set(facts_of(found[0].rulings, item)) if found else set()
    for fact, values in item.facts.items():
        if fact in turning:
            yield f"\n  --{fact}"
            taken = book().facts[fact].presumed
            for value in values:
                presumed = " (presumed where a record does not say)" if value == taken else ""
                yield f"    {value:<18} {wording.fact_words(fact, value)}{presumed}"
    if not turning:
        yield "\n  The ruling turns on no further facts."
    remedies = _remedies(item, code, options)
    if remedies:
        yield "\n  Remedies, as a record may name them"
    for name, words in remedies.items():
        yield f"    {name:<24} {' | '.join(words)}"


def _remedies(
    item: Irregularity, code: str | None, options: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The remedies that a code gives for an irregularity, or any code, with words for each."""
    codes = [code] if code else list(book().ids)
    entries = [book().entry(item.id, c, options if code else ()) for c in codes]
    given = {r.id for e in entries if e for case in e[0].rulings for r in case.remedies}
    return {
        kind.id: tuple(dict.fromkeys(re.sub(r"\{\w+\}", "…", w) for w in (*kind.said, kind.label)))
        for kind in book().vocabulary.remedies
        if kind.id in given
    }


# --- asked in words -------------------------------------------------------------------------------


def _suggest(one: str | None, facts: dict[str, str], options: argparse.Namespace) -> int:
    """What words may mean, printed; under one code the ruling on the best, as far as the words and
    the facts that were given go. Exit status 1 where nothing fits.
    """
    if not options.words:
        raise UsageError(
            "name an irregularity or say what happened; `oddtrick ruling --list` lists them. "
            "Example: oddtrick ruling lead-out-of-turn --code royalton-1915 --offender adversary "
            "--followed-by declarer"
        )
    question = words_given(options.words)
    sought = find(question, one)
    if options.format == "json":
        write_json(_sought_json(question, sought, one))
        return 0 if sought.fits or sought.asked else 1
    shape = style()
    sys.stdout.write("\n".join(_sought_lines(question, sought, one, shape)) + "\n")
    if not sought.found:
        return 1
    best = sought.found[0]
    if one and sought.fits and not sought.asked:
        facts = _of_words(best, one) | facts
        try:
            found = rulings.answer(best.irregularity, one, law_options(options, one), facts)
        except rulings.UnknownFact as error:
            raise UsageError(str(error)) from error
        sys.stdout.write(f"\nRuling on the first:\n\n{answer_text(found, shape)}")
    given = "".join(f" --{fact} {value}" for fact, value in facts.items())
    sys.stdout.write(
        "\nTo settle it, or another of these: oddtrick ruling "
        f"{best.irregularity} --code {one or book().ids[0]}{given}\n"
    )
    return 0 if sought.fits or sought.asked else 1


def _sought_json(question: str, sought: Sought, code: str | None) -> dict[str, object]:
    """What words may mean, as JSON."""
    known = rulings.catalogue()
    return {
        "question": question,
        "code": code,
        "fits": sought.fits,
        "asked": sought.asked,
        "topics": sought.topics,
        "candidates": [
            {
                "irregularity": f.irregularity,
                "label": known[f.irregularity].label,
                "meaning": known[f.irregularity].meaning,
                "why": f.why,
                "absent": f.absent,
                "facts": {fact: value for fact, value, _ in f.facts},
                "questions": [
                    {"fact": fact, "question": book().facts[fact].question, "answers": values}
                    for fact, values in _needs(known[f.irregularity], code)
                ],
            }
            for f in sought.found
        ],
    }


def _sought_lines(question: str, sought: Sought, code: str | None, shape: Style) -> Iterator[str]:
    """What words may mean, best first: why, what they tell of the facts, what is still to tell."""
    yield from _lead_lines(question, sought)
    known = rulings.catalogue()
    for number, found in enumerate(sought.found, 1):
        item = known[found.irregularity]
        yield f"{number}. {shape.bold(item.label)}  ({item.id})"
        yield shape.wrap(item.meaning, "   ")
        yield shape.wrap(f"Words that matched: {', '.join(found.why)}.", "   ")
        if found.absent and code:
            yield shape.wrap(f"It cannot arise under {book().code(code).short}.", "   ")
        if number == 1 and _of_words(found, code):
            yield shape.wrap(_from_words(found, code), "   ")
        elif number == 1 and not code:
            for fact, values in _needs(item, code):
                asked = f"{book().facts[fact].question}  --{fact} {' | '.join(values)}"
                yield shape.wrap(asked, "     ")


def _lead_lines(question: str, sought: Sought) -> Iterator[str]:
    """The topics that answer a question of score, rank or procedure, or that nothing fits."""
    for topic in sought.topics:
        label = book().topics[topic].label
        yield f"This is a question about the rules: {label}. oddtrick topics {topic}"
    if not sought.found:
        yield f"Nothing was found for `{question}`. Try other words, or `oddtrick ruling --list`."
    elif sought.asked:
        yield "If it is a dispute, the nearest:"
    elif not sought.fits:
        yield "Nothing fits these words well. The nearest:"


def _of_words(found: Found, code: str | None) -> dict[str, str]:
    """The facts that words tell of an irregularity, as far as they matter under a code."""
    needs = dict(_needs(rulings.catalogue()[found.irregularity], code))
    return {fact: value for fact, value, _ in found.facts if value in needs.get(fact, ())}


def _from_words(found: Found, code: str | None) -> str:
    """The facts taken from the words, and how to change them."""
    taken = _of_words(found, code)
    answer = "; ".join(f"{words} (--{f} {v})" for f, v, words in found.facts if f in taken)
    return f"From your words: {answer}. To change a fact, give its option."


def _needs(item: Irregularity, code: str | None) -> list[tuple[str, tuple[str, ...]]]:
    """The facts on which an irregularity turns under a code, or under any, with their answers."""
    facts: dict[str, tuple[str, ...]] = {}
    for one in [code] if code else book().ids:
        found = book().entry(item.id, one)
        if found:
            facts |= facts_of(found[0].rulings, item)
    return [(f, facts[f]) for f in item.facts if f in facts]


# --- asked question by question -------------------------------------------------------------------


def _ask_line(prompt: str) -> str | None:
    """One line of the user, `None` at the end. Asked on standard error: the answer may be piped."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline(ANSWER.most)
    return line.strip() if 0 < len(line) < ANSWER.most else None


def _ask_one(heading: str, answers: Iterable[tuple[str, str]]) -> str | None:
    """Let the user choose by number or name; `None` at the end of the input."""
    choices = list(answers)
    sys.stderr.write(f"\n{heading}\n")
    for number, (_, words) in enumerate(choices, 1):
        sys.stderr.write(f"  {number}. {words}\n")
    while True:
        answer = _ask_line("> ")
        if answer is None:
            return None
        numbered = {str(number): name for number, (name, _) in enumerate(choices, 1)}
        called = {word.lower(): n for n, words in reversed(choices) for word in (words, n)}
        name = numbered.get(answer) or called.get(answer.lower())
        if name is not None:
            return name
        sys.stderr.write(f"Type a number from 1 to {len(choices)}.\n")


def _picked(code: str | None, options: argparse.Namespace) -> Found | None:
    """The irregularity that the user means by his words; `None` at the end of the input."""
    answer: str | None = words_given(options.words)
    while answer is not None:
        if answer:
            name = answer.lower().replace(" ", "-")
            if name in rulings.catalogue():
                return Found(name, (), (), False)
            sought = find(words_given([answer]), code)
            sys.stderr.write("".join(f"{line}\n" for line in _lead_lines(answer, sought)))
            if sought.found:
                return _pick(sought, code)
        answer = _ask_line("What happened? ")
    return None


def _pick(sought: Sought, code: str | None) -> Found | None:
    """Let the user choose among what words may mean."""
    choices = []
    for found in sought.found:
        item = rulings.catalogue()[found.irregularity]
        absent = f" (cannot arise under {book().code(code).short})" if code and found.absent else ""
        choices.append((item.id, f"{item.label}: {item.meaning}{absent}"))
    name = _ask_one("Which of these is it?", choices)
    return next((f for f in sought.found if f.irregularity == name), None)


def _ask(found: Answer, facts: dict[str, str]) -> Answer:
    """Ask for what the ruling still turns on, one question at a time."""
    while found.questions:
        question = found.questions[0]
        value = _ask_one(question.question, question.answers)
        if value is None:
            return found
        facts = facts | {question.fact: value}
        found = rulings.answer(found.irregularity, found.code, found.options, facts)
    return found


# --- the answer on a terminal ---------------------------------------------------------------------


def answer_text(found: Answer, shape: Style) -> str:
    """The answer as a director gives it; the second part and those after it have headings."""
    out = [shape.bold(wording.title(found)), shape.wrap(wording.finding_words(found))]
    for part in wording.parts_of(found):
        if part.id == "may":
            for question in found.questions:  # with the options and answers that settle them
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
    """One irregularity under several codes."""
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
