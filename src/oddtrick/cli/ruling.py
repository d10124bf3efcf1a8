"""`oddtrick ruling`: a dispute settled by name and facts, by a player's words, or question by
question.

The answer is told as a director would: what happened, what the law gives and who may choose, until
when; then the laws, the exceptions considered, how a penalty is exacted, and a citation to paste.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from oddtrick.book import disputes
from oddtrick.cli.parser import (
    Add,
    Wrong,
    add_format,
    add_option,
    add_reading,
    agreed,
    code_named,
    write_json,
)
from oddtrick.law.book import book
from oddtrick.law.cases import facts_of
from oddtrick.law.in_force import in_force
from oddtrick.law.model import Irregularity
from oddtrick.law.store import LawDataError
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as telling
from oddtrick.rulings.engine import Answer
from oddtrick.terminal import Style, style

EXAMPLE = (
    "oddtrick ruling lead-out-of-turn --code royalton-1915 --offender adversary "
    "--followed-by declarer"
)


def register(add: Add) -> None:
    """Add the parser of the command."""
    sub = add("ruling", "Settle a dispute: what a code gives for an irregularity.", EXAMPLE)
    sub.add_argument(
        "words",
        nargs="*",
        metavar="NAME|WORD",
        help="an irregularity by its name, or what happened in your own words; none: you are asked",
    )
    sub.add_argument(
        "--code",
        metavar="ID",
        help="the code to rule under, or `all` to compare them (default: all)",
    )
    add_option(sub, "with this option of the code; may be repeated")
    add_reading(sub)
    sub.add_argument(
        "--fact",
        metavar="FACT=ANSWER",
        action="append",
        default=[],
        help="a fact of the case; each may also be given as an option of its name, such as "
        "`--offender adversary`",
    )
    sub.add_argument(
        "--ask", action="store_true", help="ask for what is still needed, question by question"
    )
    sub.add_argument(
        "--list",
        action="store_true",
        help="list the irregularities, or the facts on which one turns",
    )
    add_format(sub)
    for fact in _fact_names():
        sub.add_argument(f"--{fact}", dest=f"fact_{fact}", metavar="ANSWER", help=argparse.SUPPRESS)


def _fact_names() -> tuple[str, ...]:
    """The facts of the catalogue; `lint` must run where the law data cannot be used."""
    try:
        return tuple(book().facts)
    except LawDataError:
        return ()


def ruling(options: argparse.Namespace) -> int:
    """`oddtrick ruling`; exit status 0 for an answer, 1 where facts are missing or nothing is
    found.
    """
    one = None if options.code in (None, "all") else code_named(options.code)
    chosen = agreed(options, one)
    if one is not None:
        in_force(one, chosen)
    elif options.option:
        raise Wrong("--option needs --code with the code whose option it is")
    facts = _facts_given(options)
    name = "-".join(options.words).lower() if options.words else None
    asking = options.ask or (not options.words and not options.list and sys.stdin.isatty())
    if options.list:
        return _list(name, one, options)
    if name is None or name not in rulings.catalogue():
        name, status = _named(one, options, asking)
        if name is None:
            return status
    if asking and options.code is None:
        one = _ask_one("Under which code?", ((c.id, c.title) for c in book().codes))
        if one is None:
            return 1
    every = book().ids if options.code == "all" else book().principal
    codes = [one] if one else list(every)
    try:
        answers = [rulings.answer(name, code, agreed(options, code), facts) for code in codes]
        if asking and one:
            answers = [_ask(answers[0], facts)]
    except rulings.UnknownFact as error:
        raise Wrong(str(error)) from error
    if options.format == "json":
        told = [rulings.as_json(a) for a in answers]
        write_json(told[0] if one else told)
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
            raise Wrong(f"--fact takes FACT=ANSWER; `{text}` has no `=`")
        facts[fact.strip()] = value.strip()
    return facts


def _named(code: str | None, options: argparse.Namespace, asking: bool) -> tuple[str | None, int]:
    """The irregularity that words mean, where the user picks one; the exit status where he does
    not.
    """
    if options.words:
        found = _candidates(" ".join(options.words), code, options)
        if not asking or not found:
            return None, 0 if found else 1
        return _pick(found), 1
    if not asking:
        raise Wrong(
            "name an irregularity or say what happened; `oddtrick ruling --list` lists them. "
            f"Example: {EXAMPLE}"
        )
    return _ask_name(), 1


# --- the catalogue --------------------------------------------------------------------------------


def _list(name: str | None, code: str | None, options: argparse.Namespace) -> int:
    """The irregularities, or one with the facts on which it turns."""
    known = rulings.catalogue()
    if name is not None and name not in known:
        said = "-".join(options.words)
        raise Wrong(f"there is no irregularity `{said}`; `oddtrick ruling --list` lists them")
    if options.format == "json":
        chosen = [known[name]] if name else list(known.values())
        write_json([_irregularity_json(item) for item in chosen])
        return 0
    shape = style()
    if name:
        under = in_force(code, agreed(options, code)).options if code else ()
        sys.stdout.write("\n".join(_facts_lines(known[name], code, under, shape)) + "\n")
        return 0
    for group, label in rulings.groups():
        listed = [f"  {i.id:<34} {i.label}" for i in known.values() if i.group == group]
        sys.stdout.write("\n".join([shape.bold(label), *listed]) + "\n\n")
    return 0


def _irregularity_json(item: Irregularity) -> dict[str, object]:
    told = {
        "id": item.id,
        "group": item.group,
        "label": item.label,
        "finding": item.finding,
        "meaning": item.meaning,
        "said": item.said,
    }
    presumed = {f: book().facts[f].presumed for f in item.facts}
    return {k: v for k, v in told.items() if v} | {
        "facts": item.facts,
        "presumed": {f: v for f, v in presumed.items() if v},
        "remedies": {k: list(v) for k, v in _remedies(item, None, ()).items()},
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
                yield f"    {value:<18} {rulings.fact_words(fact, value)}{presumed}"
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
    """The remedies that a code gives for an irregularity, or any code, with words for each.

    Each may also be named by its id.
    """
    codes = [code] if code else list(book().ids)
    entries = [book().entry(item.id, c, options if code else ()) for c in codes]
    given = {r.id for e in entries if e for case in e[0].rulings for r in case.remedies}
    return {
        kind.id: tuple(dict.fromkeys((*kind.said, re.sub(r"\{\w+\}", "…", kind.label))))
        for kind in book().vocabulary.remedies
        if kind.id in given
    }


# --- asked in words -------------------------------------------------------------------------------


def _candidates(question: str, code: str | None, options: argparse.Namespace) -> list[str]:
    """The irregularities that words may mean, told with what each still needs; their names."""
    found = [name for name, _ in disputes(question, 3)]
    known = rulings.catalogue()
    if options.format == "json":
        body = [
            {
                "irregularity": n,
                "label": known[n].label,
                "meaning": known[n].meaning,
                "questions": [
                    {"fact": f, "question": book().facts[f].question, "answers": values}
                    for f, values in _needs(known[n], code)
                ],
            }
            for n in found
        ]
        write_json({"question": question, "candidates": body})
        return found
    if not found:
        sys.stdout.write(
            f"Nothing is found for `{question}`. Try other words, or `oddtrick ruling --list`.\n"
        )
    shape = style()
    for number, name in enumerate(found, 1):
        item = known[name]
        lines = [f"{number}. {shape.bold(item.label)}  ({name})", shape.wrap(item.meaning, "   ")]
        for fact, values in _needs(item, code):
            asked = f"{book().facts[fact].question}  --{fact} {' | '.join(values)}"
            lines.append(shape.wrap(asked, "     "))
        sys.stdout.write("\n".join(lines) + "\n")
    if found and not options.ask:
        under = code or book().ids[0]
        sys.stdout.write(f"\nName one with its facts: oddtrick ruling {found[0]} --code {under}\n")
    return found


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
    """One line of the user, or `None` at the end of the input.

    Questions go to standard error: the answer may be piped.
    """
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _ask_one(heading: str, answers: Iterable[tuple[str, str]]) -> str | None:
    """Let the user choose by number or name, until it is one of them; `None` at the end of the
    input.
    """
    choices = list(answers)
    sys.stderr.write(f"\n{heading}\n")
    for number, (_, words) in enumerate(choices, 1):
        sys.stderr.write(f"  {number}. {words}\n")
    while True:
        said = _ask_line("> ")
        if said is None:
            return None
        numbered = {str(number): name for number, (name, _) in enumerate(choices, 1)}
        called = {word.lower(): n for n, words in reversed(choices) for word in (words, n)}
        name = numbered.get(said) or called.get(said.lower())
        if name is not None:
            return name
        sys.stderr.write(f"A number from 1 to {len(choices)}, please.\n")


def _ask_name() -> str | None:
    while True:
        said = _ask_line("What happened? ")
        if said is None:
            return None
        if said.lower().replace(" ", "-") in rulings.catalogue():
            return said.lower().replace(" ", "-")
        found = [name for name, _ in disputes(said)] if said else []
        if found:
            return _pick(found)
        sys.stderr.write("Nothing is found for that; try other words.\n")


def _pick(found: Sequence[str]) -> str | None:
    known = rulings.catalogue()
    return _ask_one(
        "Which of these is it?", [(n, f"{known[n].label}: {known[n].meaning}") for n in found]
    )


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
    out = [shape.bold(telling.title(found)), shape.wrap(rulings.finding_words(found))]
    for part in telling.told(found):
        if part.id == "may":
            out += [*_question_lines(found, shape), "", part.heading]
        else:
            out += ["", shape.bold(part.heading)] if part.heading else [""]
        for line in part.lines:
            indent = "  " if part.heading or line.number else ""
            out.append(shape.wrap(telling.plain(line, found.code), indent))
    return "\n".join(out) + "\n"


def _question_lines(found: Answer, shape: Style) -> Iterator[str]:
    """What is still to be told, with the options and answers to tell it by."""
    for question in found.questions:
        yield f"  {shape.bold(question.question)}  --{question.fact}"
        for value, words in question.answers:
            yield f"    {value:<18} {words}"


def comparison_text(answers: Sequence[Answer], shape: Style) -> str:
    """One irregularity under several codes."""
    item = rulings.catalogue()[answers[0].irregularity]
    out = [shape.bold(item.label), shape.wrap(item.meaning)]
    given = {f: v for a in answers for f, v in (*a.facts, *a.idle)}
    if given:
        said = "; ".join(rulings.fact_words(f, v) for f, v in given.items())
        out.append(shape.wrap(f"{said}."))
    for short, lines in telling.comparison(answers):
        out += ["", shape.bold(short), *(shape.wrap(line, "  ") for line in lines)]
    return "\n".join(out) + "\n"
