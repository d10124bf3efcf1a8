"""`oddtrick ruling`: a dispute settled by name and facts, by a player's words, or question by question.

The answer is told as a director would: what happened, what the law gives and who may choose, until when; then the
laws, the exceptions considered, how a penalty is exacted, and a citation to paste.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from oddtrick.cli.book import _bold, code_named, width
from oddtrick.cli.law import wrapped
from oddtrick.cli.terminal import Wrong
from oddtrick.law import store
from oddtrick.law.book import book
from oddtrick.law.cases import facts_of
from oddtrick.law.in_force import in_force
from oddtrick.law.store import LawDataError
from oddtrick.rulings import engine as rulings
from oddtrick.rulings import words as telling
from oddtrick.rulings.engine import Answer

EXAMPLE = "oddtrick ruling lead-out-of-turn --code royalton-1915 --offender adversary --followed-by declarer"


def register(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
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
    sub.add_argument(
        "--option",
        metavar="NAME",
        action="append",
        default=[],
        help="with this option of the code; may be repeated",
    )
    sub.add_argument(
        "--fact",
        metavar="FACT=ANSWER",
        action="append",
        default=[],
        help="a fact of the case; each may also be given as an option of its name, such as `--offender adversary`",
    )
    sub.add_argument(
        "--ask", action="store_true", help="ask for what is still needed, question by question"
    )
    sub.add_argument(
        "--list",
        action="store_true",
        help="list the irregularities, or the facts on which one turns",
    )
    sub.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to answer (default: text)"
    )
    for fact in _fact_names():
        sub.add_argument(f"--{fact}", dest=f"fact_{fact}", metavar="ANSWER", help=argparse.SUPPRESS)


def _fact_names() -> list[str]:
    """The facts of the catalogue; `lint` must run where the law data cannot be used."""
    try:
        return [f["id"] for f in store.load("vocabulary")["facts"]]
    except LawDataError:
        return []


def ruling(options: argparse.Namespace) -> int:
    """`oddtrick ruling`; exit status 0 for an answer, 1 where facts are missing or nothing is found."""
    codes = list(store.load("index"))
    one = None if options.code in (None, "all") else code_named(options.code)
    if one is not None:
        in_force(one, options.option)
    elif options.option:
        raise Wrong("--option needs --code with the code whose option it is")
    facts = _facts_given(options)
    name = "-".join(options.words).lower() if options.words else None
    known = rulings.catalogue()
    asking = options.ask or (not options.words and not options.list and sys.stdin.isatty())
    if options.list:
        return _list(name if name in known else None, one, options)
    if name is None:
        if not asking:
            raise Wrong(
                f"name an irregularity or say what happened; `oddtrick ruling --list` lists them. Example: {EXAMPLE}"
            )
        name = _ask_name()
        if name is None:
            return 1
    elif name not in known:
        found = _candidates(" ".join(options.words), one, options)
        if not asking or not found:
            return 0 if found else 1
        name = _pick(found)
        if name is None:
            return 1
    if asking and one is None and options.code is None:
        one = _ask_code(codes)
        if one is None:
            return 1
    try:
        answers = _answers(name, [one] if one else codes, options.option, facts)
        if asking and one:
            answers = [_ask(answers[0], facts)]
    except rulings.UnknownFact as error:
        raise Wrong(str(error)) from error
    if options.format == "json":
        told = [rulings.as_json(a) for a in answers]
        sys.stdout.write(json.dumps(told[0] if one else told, ensure_ascii=False, indent=2) + "\n")
    elif one:
        sys.stdout.write(answer_text(answers[0], width(), _bold()))
    else:
        sys.stdout.write(comparison_text(answers, width(), _bold()))
    return 1 if one and answers[0].kind == "open" else 0


def _answers(
    name: str, codes: list[str], options: list[str], facts: dict[str, str]
) -> list[Answer]:
    return [rulings.answer(name, code, options if len(codes) == 1 else (), facts) for code in codes]


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


def _list(name: str | None, code: str | None, options: argparse.Namespace) -> int:
    known = rulings.catalogue()
    if options.words and name is None:
        raise Wrong(
            f"there is no irregularity `{'-'.join(options.words)}`; `oddtrick ruling --list` lists them"
        )
    chosen = [known[name]] if name else list(known.values())
    if options.format == "json":
        sys.stdout.write(json.dumps(chosen, ensure_ascii=False, indent=2) + "\n")
        return 0
    bold, plain = _bold()
    if name:
        item = known[name]
        sys.stdout.write(
            f"{bold}{item.label}{plain}  ({name})\n{wrapped(item.meaning, '  ', width())}\n"
        )
        turning = set(item.facts)
        if code:
            found = book().entry(name, code, options.option)
            turning = set(facts_of(found[0].rulings, item)) if found else set()
        for fact, values in item.facts.items():
            if fact in turning:
                sys.stdout.write(f"\n  --{fact}\n")
                for value in values:
                    sys.stdout.write(f"    {value:<18} {rulings.fact_words(fact, value)}\n")
        if not turning:
            sys.stdout.write("\n  The ruling turns on no further facts.\n")
        return 0
    for group, label in rulings.groups():
        sys.stdout.write(f"{bold}{label}{plain}\n")
        for item in chosen:
            if item.group == group:
                sys.stdout.write(f"  {item.id:<34} {item.label}\n")
        sys.stdout.write("\n")
    return 0


# --- asked in words --------------------------------------------------------------------------------


def _candidates(question: str, code: str | None, options: argparse.Namespace) -> list[str]:
    """The irregularities that words may mean, told with what each still needs; the result is their names."""
    from oddtrick.book.search import irregularities

    found = [name for name, _ in irregularities(question, 3)]
    known = rulings.catalogue()
    if options.format == "json":
        body = [
            {
                "irregularity": n,
                "label": known[n].label,
                "meaning": known[n].meaning,
                "questions": _needs(n, code),
            }
            for n in found
        ]
        sys.stdout.write(
            json.dumps({"question": question, "candidates": body}, ensure_ascii=False, indent=2)
            + "\n"
        )
        return found
    bold, plain = _bold()
    if not found:
        sys.stdout.write(
            f"Nothing is found for `{question}`. Try other words, or `oddtrick ruling --list`.\n"
        )
    for number, name in enumerate(found, 1):
        item = known[name]
        sys.stdout.write(
            f"{number}. {bold}{item.label}{plain}  ({name})\n{wrapped(item.meaning, '   ', width())}\n"
        )
        for need in _needs(name, code):
            said = " | ".join(need["answers"])
            sys.stdout.write(
                wrapped(f"{need['question']}  --{need['fact']} {said}", "     ", width()) + "\n"
            )
    if found and not options.ask:
        sys.stdout.write(
            f"\nName one with its facts: oddtrick ruling {found[0]} --code {code or next(iter(store.load('index')))}\n"
        )
    return found


def _needs(name: str, code: str | None) -> list[dict[str, Any]]:
    """The questions on which an irregularity turns under a code, or under any."""
    item = rulings.catalogue()[name]
    facts: dict[str, tuple[str, ...]] = {}
    for one in [code] if code else book().ids:
        found = book().entry(name, one)
        if found:
            facts |= facts_of(found[0].rulings, item)
    return [
        {"fact": f, "question": book().facts[f].question, "answers": list(facts[f])}
        for f in item.facts
        if f in facts
    ]


# --- asked question by question -----------------------------------------------------------------


def _ask_line(prompt: str) -> str | None:
    """One line of the user, or `None` at the end of the input. Questions go to standard error: the answer may be piped."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _ask_one(heading: str, answers: Iterable[tuple[str, str]]) -> str | None:
    """Let the user choose by number or name; asked again until it is one of them; `None` at the end of the input."""
    choices = list(answers)
    sys.stderr.write(f"\n{heading}\n")
    for number, (_, words) in enumerate(choices, 1):
        sys.stderr.write(f"  {number}. {words}\n")
    while True:
        said = _ask_line("> ")
        if said is None:
            return None
        numbered = next(
            (name for number, (name, _) in enumerate(choices, 1) if said == str(number)), None
        )
        if numbered is not None:
            return numbered
        for name, words in choices:
            if said.lower() in (name.lower(), words.lower()):
                return name
        sys.stderr.write(f"A number from 1 to {len(choices)}, please.\n")


def _ask_name() -> str | None:
    from oddtrick.book.search import irregularities

    while True:
        said = _ask_line("What happened? ")
        if said is None:
            return None
        if said.lower().replace(" ", "-") in rulings.catalogue():
            return said.lower().replace(" ", "-")
        found = [name for name, _ in irregularities(said)] if said else []
        if found:
            return _pick(found)
        sys.stderr.write("Nothing is found for that; try other words.\n")


def _pick(found: list[str]) -> str | None:
    known = rulings.catalogue()
    return _ask_one(
        "Which of these is it?", [(n, f"{known[n].label}: {known[n].meaning}") for n in found]
    )


def _ask_code(codes: list[str]) -> str | None:
    return _ask_one("Under which code?", [(c, store.load(c)["title"]) for c in codes])


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


def answer_text(found: Answer, wide: int, marks: tuple[str, str]) -> str:
    """The answer as a director gives it; the second part and those after it under their headings."""
    bold, plain = marks
    out = [f"{bold}{telling.title(found)}{plain}", wrapped(rulings.finding_words(found), "", wide)]
    for part in telling.told(found):
        if part.id == "may":
            out += [*_question_lines(found, bold, plain), "", part.heading]
        else:
            out += ["", f"{bold}{part.heading}{plain}"] if part.heading else [""]
        for line in part.lines:
            indent = "  " if part.heading or line.number else ""
            out.append(wrapped(telling.plain(line, found.code), indent, wide))
    return "\n".join(out) + "\n"


def _question_lines(found: Answer, bold: str, plain: str) -> Iterator[str]:
    """What is still to be told, with the options and answers to tell it by."""
    for question in found.questions:
        yield f"  {bold}{question.question}{plain}  --{question.fact}"
        for value, words in question.answers:
            yield f"    {value:<18} {words}"


def comparison_text(answers: list[Answer], wide: int, marks: tuple[str, str]) -> str:
    """One irregularity under several codes."""
    bold, plain = marks
    item = rulings.catalogue()[answers[0].irregularity]
    out = [f"{bold}{item.label}{plain}", wrapped(item.meaning, "", wide)]
    given = {f: v for a in answers for f, v in (*a.facts, *a.idle)}
    if given:
        out.append(
            wrapped("; ".join(rulings.fact_words(f, v) for f, v in given.items()) + ".", "", wide)
        )
    for short, lines in telling.comparison(answers):
        out += ["", f"{bold}{short}{plain}", *(wrapped(line, "  ", wide) for line in lines)]
    return "\n".join(out) + "\n"
