"""States in a quotable sentence where a topic, a rule or a word first appears in the codes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from oddtrick.book.compare import texts
from oddtrick.book.write_citation import date_words
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import NUMBERS
from oddtrick.law.model import Parallel, Version
from oddtrick.law.names import and_words, cited, law_words
from oddtrick.law.relations import descent


def rule_first(rule: Parallel, numbers: Collection[str] = (), changes: bool = False) -> str:
    """Sentences on the first code that contains a rule, the later ones, and those that do not.

    The result is empty if `numbers` are asked for and no code has any of them. If the figures
    differ and one number is asked for, the sentences concern the codes with that number; otherwise
    the figure of each code follows, if each has a single one. If `changes` are asked for, what the
    rule is in each code follows instead, unless it is the same in all.
    """
    relations = book().relations
    found = {code: relations.holding(rule, code) for code in book().ids}
    versions = {code: relations.version(rule, code) for code in found}
    excluded = {c: found[c] for c, version in versions.items() if version and version.excludes}
    found |= {code: [] for code in excluded}
    figures = {code: _figures(laws) for code, laws in found.items() if laws}
    if numbers and not any(own & {*numbers} for own in figures.values()):
        return ""
    differ = len({frozenset(own) for own in figures.values()}) > 1
    if differ and len(numbers) == 1:
        with_it = {c: laws for c, laws in found.items() if figures.get(c, set()) & {*numbers}}
        label = f"{rule.label} ({and_words(numbers)})"
        return _history(label, {c: with_it.get(c, []) for c in found})
    general = [c for c in book().ids if any(relations.in_force(a, c) for a in rule.general)]
    history = _history(rule.label, found, general, excluded)
    if not differ or any(len(own) != 1 for own in figures.values()):
        return f"{history} {_versions(rule, versions)}".strip() if changes else history
    units = {kind.id: kind.unit for kind in book().vocabulary.figures}
    codes: dict[str, list[str]] = {}
    for code, (number,) in figures.items():
        named = {units[name] for law in found[code] for name in texts(law.code)[law].figures}
        unit = named.pop() if len(named) == 1 else None
        codes.setdefault(f"{number} {unit or ''}".strip(), []).append(book().names[code])
    stated = "; ".join(f"{number} in {and_words(of)}" for number, of in codes.items())
    return f"{history} Its figure is {stated}."


def _versions(rule: Parallel, versions: Mapping[str, Version | None]) -> str:
    """A sentence for each version of a rule, with its codes; empty if there is only one.

    Versions that differ only in wording or in a figure are one.
    """
    codes: dict[str, list[str]] = {}
    for code, version in versions.items():
        if version and not version.excludes:
            text = descent(rule, version)[-1].text
            codes.setdefault(text, []).append(book().names[code])
    if len(codes) < 2:
        return ""
    return " ".join(f"{and_words(of)}: {text.rstrip('.')}." for text, of in codes.items())


def _figures(laws: Sequence[Address]) -> set[str]:
    stated = (texts(a.code)[a].figures.values() for a in laws)
    return {n for values in stated for v in values for n in re.findall(r"\d+", str(v))}


def word_first(word: str) -> str:
    """Sentences on the first code whose laws contain a word; empty if no law does.

    A code that prints another word for a term does not count.
    """
    term = next((t.id for t in book().vocabulary.terms if t.label == word), "")
    named = {code.id: code.terms.get(term, word) for code in book().codes}
    prints = {code: other for code, other in named.items() if word not in other.lower()}
    laws = {code: laws[:1] for code, laws in laws_with(word).items()}
    return _history(word, laws | {code: [] for code in prints}, prints=prints)


def laws_with(word: str) -> dict[str, list[Address]]:
    """The provisions in force under each code that contain a word."""
    longer = "|".join(
        re.escape(d.one.removeprefix(word))
        for d in book().vocabulary.denominations
        if d.one.startswith(f"{word} ")
    )
    other = f"(?!{longer})" if longer else ""  # `royal spades` is a suit, not a royal bid
    pattern = re.compile(rf"\b{re.escape(word)}s?\b{other}", re.IGNORECASE)
    return {c: [a for a, p in texts(c).items() if pattern.search(p.text)] for c in book().ids}


def topic_first(topic: str) -> str:
    """Sentences on the first code with a law on a topic, the later ones, and those without."""
    laws, excluded = dict[str, list[Address]](), dict[str, list[Address]]()
    for code in book().ids:
        own = {a: p.law for a, p in texts(code).items() if topic in p.topics}
        without = [a for a in own if book().relations.excluded_by(a, code)]
        laws[code] = [law for a, law in own.items() if a not in without]
        if without and not laws[code]:
            excluded[code] = [own[a] for a in without]
    return _history(book().topics[topic].label, laws, excluded=excluded)


def _history(
    label: str,
    found: Mapping[str, Sequence[Address]],
    general: Sequence[str] = (),
    excluded: Mapping[str, Sequence[Address]] = {},
    prints: Mapping[str, str] = {},
) -> str:
    """Sentences that name the first code with its laws, the later codes, and those without any.

    `found` lists the laws by code, and `excluded` those that say that there is no such thing;
    `general` are codes that have only a general law, and `prints` those that print another word.
    The result is empty if no code has a law.
    """
    having = [code for code in found if found[code]]
    if not having:
        return ""
    later = [*found][[*found].index(having[0]) + 1 :]
    without = [c for c in later if c not in (*having, *general, *excluded, *prints)]
    parts = (
        ("It also appears in", "and", having[1:]),
        ("Only a general law covers it in", "and", [c for c in general if c not in having]),
        ("It does not appear in", "or", without),
    )
    own = book().code(having[0])
    date = "" if own.date[:4] in own.short else f" ({date_words(own.date)})"
    number = f" {NUMBERS[len(found)]}" if len(found) < len(NUMBERS) else ""
    where = f"{own.short}{date} ({_laws_words(found[own.id], own.id)})"
    sentences = [f"Among these{number} codes, \u201c{label}\u201d first appears in {where}."]
    if having[1:] == later and len(later) > 1:
        sentences.append("It also appears in all later codes.")
    else:
        sentences += [
            f"{how} {and_words((book().names[c] for c in codes), word)}."
            for how, word, codes in parts
            if codes
        ]
    if excluded:
        named = (f"{book().names[c]} ({_laws_words(laws, c)})" for c, laws in excluded.items())
        sentences.append(f"It is excluded in {and_words(named)}.")
    if prints:
        named = (f"{book().names[code]} prints \u201c{own}\u201d" for code, own in prints.items())
        sentences.append(f"{'; '.join(named)}.")
    return " ".join(sentences)


def rules_on(topic: str) -> list[Parallel]:
    """The rules with a provision whose first topic is this one, in the order of the provisions.

    A rule of a code in which the topic does not arise belongs to another topic.
    """
    found: dict[str, Parallel] = {}
    for code in book().codes:
        own = [p.address for p in code.provisions if p.topics[0] == topic and not p.option]
        for address in sorted(own, key=lambda a: a.order):
            found |= {r.id: r for r in book().relations.of.get(address, ()) if r.id not in found}
    states = {code.id: code.topics.get(topic) for code in book().codes}
    without = [c for c, state in states.items() if state and state.state == "does-not-arise"]
    holding = book().relations.holding
    return [rule for rule in found.values() if not any(holding(rule, c) for c in without)]


def _laws_words(laws: Sequence[Address], code: str) -> str:
    words = [law_words(a) if a.code == code else cited(a) for a in dict.fromkeys(laws)]
    if all(w.startswith("law ") for w in words) and len(words) > 1:
        words = [f"laws {words[0][4:]}", *(w[4:] for w in words[1:])]
    return and_words(words)
