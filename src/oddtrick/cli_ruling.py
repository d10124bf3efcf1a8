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

from oddtrick import citing, lawcache, rulings
from oddtrick.cli_book import _bold, code_named, width
from oddtrick.command import Wrong
from oddtrick.law import wrapped
from oddtrick.lawbook import rules_for
from oddtrick.lawcache import LawDataError
from oddtrick.rulings import Answer, Remedy, Ruling

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
    sub.add_argument("--code", metavar="ID", help="the code to rule under, or `all` to compare them (default: all)")
    sub.add_argument("--option", metavar="NAME", action="append", default=[], help="with this option of the code; may be repeated")
    sub.add_argument(
        "--fact",
        metavar="FACT=ANSWER",
        action="append",
        default=[],
        help="a fact of the case; each may also be given as an option of its name, such as `--offender adversary`",
    )
    sub.add_argument("--ask", action="store_true", help="ask for what is still needed, question by question")
    sub.add_argument("--list", action="store_true", help="list the irregularities, or the facts on which one turns")
    sub.add_argument("--format", choices=("text", "json"), default="text", help="how to answer (default: text)")
    for fact in _fact_names():
        sub.add_argument(f"--{fact}", dest=f"fact_{fact}", metavar="ANSWER", help=argparse.SUPPRESS)


def _fact_names() -> list[str]:
    """The facts of the catalogue; `lint` must run where the law data cannot be used."""
    try:
        return [f["id"] for f in lawcache.load("vocabulary")["facts"]]
    except LawDataError:
        return []


def ruling(options: argparse.Namespace) -> int:
    """`oddtrick ruling`; exit status 0 for an answer, 1 where facts are missing or nothing is found."""
    codes = list(lawcache.load("index"))
    one = None if options.code in (None, "all") else code_named(options.code)
    if one is not None:
        rules_for(one, options.option)
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
            raise Wrong(f"name an irregularity or say what happened; `oddtrick ruling --list` lists them. Example: {EXAMPLE}")
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


def _answers(name: str, codes: list[str], options: list[str], facts: dict[str, str]) -> list[Answer]:
    return [rulings.answer(name, code, options if len(codes) == 1 else (), facts) for code in codes]


def _facts_given(options: argparse.Namespace) -> dict[str, str]:
    facts = {k.removeprefix("fact_"): v for k, v in vars(options).items() if k.startswith("fact_") and v is not None}
    for text in options.fact:
        fact, sign, value = text.partition("=")
        if not sign:
            raise Wrong(f"--fact takes FACT=ANSWER; `{text}` has no `=`")
        facts[fact.strip()] = value.strip()
    return facts


def _list(name: str | None, code: str | None, options: argparse.Namespace) -> int:
    known = rulings.catalogue()
    if options.words and name is None:
        raise Wrong(f"there is no irregularity `{'-'.join(options.words)}`; `oddtrick ruling --list` lists them")
    chosen = [known[name]] if name else list(known.values())
    if options.format == "json":
        sys.stdout.write(json.dumps(chosen, ensure_ascii=False, indent=2) + "\n")
        return 0
    bold, plain = _bold()
    if name:
        item = known[name]
        sys.stdout.write(f"{bold}{item['label']}{plain}  ({name})\n{wrapped(item['meaning'], '  ', width())}\n")
        turning = set(item["facts"])
        if code:
            found = rulings.entry_of(name, code, options.option)
            turning = set(rulings.facts_of(found[0], item)) if found else set()
        for fact, values in item["facts"].items():
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
            if item["group"] == group:
                sys.stdout.write(f"  {item['id']:<34} {item['label']}\n")
        sys.stdout.write("\n")
    return 0


# --- asked in words --------------------------------------------------------------------------------


def _candidates(question: str, code: str | None, options: argparse.Namespace) -> list[str]:
    """The irregularities that words may mean, told with what each still needs; the result is their names."""
    from oddtrick.search import irregularities

    found = [name for name, _ in irregularities(question, 3)]
    known = rulings.catalogue()
    if options.format == "json":
        body = [{"irregularity": n, "label": known[n]["label"], "meaning": known[n]["meaning"], "questions": _needs(n, code)} for n in found]
        sys.stdout.write(json.dumps({"question": question, "candidates": body}, ensure_ascii=False, indent=2) + "\n")
        return found
    bold, plain = _bold()
    if not found:
        sys.stdout.write(f"Nothing is found for `{question}`. Try other words, or `oddtrick ruling --list`.\n")
    for number, name in enumerate(found, 1):
        item = known[name]
        sys.stdout.write(f"{number}. {bold}{item['label']}{plain}  ({name})\n{wrapped(item['meaning'], '   ', width())}\n")
        for need in _needs(name, code):
            said = " | ".join(need["answers"])
            sys.stdout.write(wrapped(f"{need['question']}  --{need['fact']} {said}", "     ", width()) + "\n")
    if found and not options.ask:
        sys.stdout.write(f"\nName one with its facts: oddtrick ruling {found[0]} --code {code or 'auction-1926'}\n")
    return found


def _needs(name: str, code: str | None) -> list[dict[str, Any]]:
    """The questions on which an irregularity turns under a code, or under any."""
    item = rulings.catalogue()[name]
    facts: dict[str, list[str]] = {}
    for one in [code] if code else lawcache.load("index"):
        found = rulings.entry_of(name, one)
        if found:
            facts |= rulings.facts_of(found[0], item)
    table = {f["id"]: f for f in lawcache.load("vocabulary")["facts"]}
    return [{"fact": f, "question": table[f]["question"], "answers": facts[f]} for f in item["facts"] if f in facts]


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
        if said.isdigit() and 1 <= int(said) <= len(choices):
            return choices[int(said) - 1][0]
        for name, words in choices:
            if said.lower() in (name.lower(), words.lower()):
                return name
        sys.stderr.write(f"A number from 1 to {len(choices)}, please.\n")


def _ask_name() -> str | None:
    from oddtrick.search import irregularities

    while True:
        said = _ask_line("What happened? ")
        if said is None:
            return None
        if said.lower().replace(" ", "-") in rulings.catalogue():
            return said.lower().replace(" ", "-")
        found = [name for name, _ in irregularities(said, 5)] if said else []
        if found:
            return _pick(found)
        sys.stderr.write("Nothing is found for that; try other words.\n")


def _pick(found: list[str]) -> str | None:
    known = rulings.catalogue()
    return _ask_one("Which of these is it?", [(n, f"{known[n]['label']}: {known[n]['meaning']}") for n in found])


def _ask_code(codes: list[str]) -> str | None:
    return _ask_one("Under which code?", [(c, lawcache.load(c)["title"]) for c in codes])


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


# --- the answer in words --------------------------------------------------------------------------


def answer_text(found: Answer, wide: int, marks: tuple[str, str]) -> str:
    """The answer as a director gives it."""
    bold, plain = marks
    data = lawcache.load(found.code)
    item = rulings.catalogue()[found.irregularity]
    out = [f"{bold}{item['label']}, {data['short']}{plain}", wrapped(rulings.finding_words(found), "", wide), ""]
    out += [wrapped(f"({rulings.fact_words(f, v)}: this does not matter here.)", "", wide) for f, v in found.idle]
    if found.kind == "absent":
        out += [wrapped(f"It cannot arise under {data['short']}: {found.reason}", "", wide)]
    elif found.kind == "silent":
        out += [wrapped(f"{data['short']} is silent: {found.reason}", "", wide)]
    elif found.kind == "open":
        out += _open_lines(found, wide, bold, plain)
    elif found.ruling:
        out += list(_ruling_lines(found.ruling, wide))
    if found.laws:
        out += ["", f"{bold}The law{plain}", *_law_lines(found.laws, found.code, wide)]
    if found.considered:
        out += ["", f"{bold}Also considered{plain}"]
        for other in found.considered:
            out.append(wrapped(f"{_short(other.ruling.provisions, found.code)}: {other.why}.", "  ", wide))
    exacting = list(_exacting_lines(found, wide))
    if exacting:
        out += ["", f"{bold}Exacting it{plain}", *exacting]
    if found.ruling and found.ruling.readings:
        out += ["", f"{bold}Readings relied on{plain}"]
        readings = {r["address"]: r for r in data["readings"]}
        out += [wrapped(f"{r}: {readings[r]['question'] if r in readings else ''}", "  ", wide) for r in found.ruling.readings]
    if found.laws:
        out += ["", f"{bold}To cite{plain}", wrapped("; ".join(citing.cite(a, "short") for a in found.laws), "  ", wide)]
    return "\n".join(out) + "\n"


def _open_lines(found: Answer, wide: int, bold: str, plain: str) -> Iterator[str]:
    yield "It turns on more facts:"
    for question in found.questions:
        yield f"  {bold}{question.question}{plain}  --{question.fact}"
        for value, words in question.answers:
            yield f"    {value:<18} {words}"
    yield ""
    yield "What it may come to:"
    for ruling in found.possible:
        yield wrapped(f"{_upper(rulings.case_words(ruling))}: {rulings.ruling_words(ruling)}.", "  ", wide)


def _ruling_lines(ruling: Ruling, wide: int) -> Iterator[str]:
    """What follows, then who may choose among what, until when."""
    if ruling.says:
        yield wrapped(ruling.says, "", wide)
    for remedy in ruling.always:
        if remedy.chosen_by == "nobody":
            yield wrapped(f"{_upper(rulings.remedy_words(remedy))}. ({_own(remedy)})", "", wide)
        else:
            yield wrapped(f"{_may((remedy,))} have: {rulings.remedy_words(remedy)}. ({_own(remedy)})", "", wide)
    choices = ruling.choices
    if len(choices) == 1:
        laws = ", ".join(dict.fromkeys(_own(r) for r in choices[0]))
        said = " and ".join(rulings.remedy_words(r) for r in choices[0])
        yield wrapped(f"{_may(choices[0])} have: {said}. ({laws})", "", wide)
    elif choices:
        one = len({c[0].chosen_by for c in choices}) == 1
        same = len({rulings.who_words(c) for c in choices}) == 1
        who = _may(choices[0]) if same else f"{_upper(rulings.chooser_words(choices[0][0].chosen_by))} may"
        yield wrapped(f"{who} choose:" if one else "There is a choice:", "", wide)
        for number, choice in enumerate(choices, 1):
            laws = ", ".join(dict.fromkeys(_own(r) for r in choice))
            said = " and ".join(rulings.remedy_words(r) for r in choice)
            limit = f", {rulings.limit_words(choice[0].demand)}" if choice[0].demand and not same else ""
            for_whom = "" if one else f"{rulings.chooser_words(choice[0].chosen_by)}: "
            yield wrapped(f"{number}. {for_whom}{said}{limit} ({laws})", "  ", wide)
    for remedy in ruling.remedies:
        if remedy.consult:
            yield "They may consult on it." if remedy.consult == "may" else "They may not consult on it."
            break


def _may(remedies: tuple[Remedy, ...]) -> str:
    """`The declarer may`, or with a limit `Either opponent of the offender, before the next player calls, may`."""
    who = _upper(rulings.who_words(remedies))
    return f"{who}, may" if remedies[0].demand else f"{who} may"


def _own(remedy: Remedy) -> str:
    return remedy.provision.partition(":")[2]


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _law_lines(addresses: Iterable[str], code: str, wide: int) -> Iterator[str]:
    for address in addresses:
        text = rulings.provision(address)
        own = address.partition(":")[2] if address.startswith(f"{code}:") else address
        yield wrapped(f"{own}: {text['text'] if text else ''}", "  ", wide)


def _short(addresses: Iterable[str], code: str) -> str:
    return ", ".join(a.partition(":")[2] if a.startswith(f"{code}:") else a for a in addresses)


ABOUT = {
    "consultation": "Partners",
    "time": "Time",
    "waiver": "The right is lost",
    "wrong-demand": "A wrong demand",
    "final": "The choice",
}


def _exacting_lines(found: Answer, wide: int) -> Iterator[str]:
    special = any(r.consult for r in found.ruling.remedies) if found.ruling else False
    told: set[str] = set()
    for rule in found.exacting:
        if rule.about == "where-none-named" or (rule.about == "consultation" and special):
            continue
        fresh = [a for a in rule.provisions if a not in told and a not in found.laws]
        told |= set(fresh)
        texts = [f"{p['text']} ({_short([p['address']], found.code)})" for p in (rulings.provision(a) for a in fresh) if p]
        if texts:
            yield wrapped(f"{ABOUT[rule.about]}: {' '.join(texts)}", "  ", wide)


def comparison_text(answers: list[Answer], wide: int, marks: tuple[str, str]) -> str:
    """One irregularity under several codes."""
    bold, plain = marks
    item = rulings.catalogue()[answers[0].irregularity]
    out = [f"{bold}{item['label']}{plain}", wrapped(item["meaning"], "", wide)]
    given = {f: v for a in answers for f, v in (*a.facts, *a.idle)}
    if given:
        out.append(wrapped("; ".join(rulings.fact_words(f, v) for f, v in given.items()) + ".", "", wide))
    for found in answers:
        out += ["", f"{bold}{lawcache.load(found.code)['short']}{plain}"]
        if found.kind == "absent":
            out.append(wrapped(f"does not arise: {found.reason}", "  ", wide))
        elif found.kind == "silent":
            out.append(wrapped(f"silent: {found.reason}", "  ", wide))
        elif found.kind == "open":
            out += [wrapped(f"{_upper(rulings.case_words(r))}: {rulings.ruling_words(r)}.", "  ", wide) for r in found.possible]
        elif found.ruling:
            said = f"{found.ruling.says} " if found.ruling.says else ""
            out.append(wrapped(f"{said}{_upper(rulings.ruling_words(found.ruling))}.", "  ", wide))
    return "\n".join(out) + "\n"
