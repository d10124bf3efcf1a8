"""States in a quotable sentence where a topic, a rule or a word first appears in the codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from oddtrick.book.compare import texts
from oddtrick.book.write_citation import date_words
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import NUMBERS
from oddtrick.law.model import Parallel, Provision
from oddtrick.law.names import and_words, law_words


def holding(rule: Parallel, code: str) -> list[Address]:
    """The provisions of a rule in force under a code: its own or, failing that, its base's."""
    found = [a for a in rule.addresses if book().relations.in_force(a, code)]
    return [a for a in found if a.code == code] or found


def rule_first(rule: Parallel) -> str:
    """A sentence on the first code that contains a rule, with the laws."""
    found = ((code, holding(rule, code)) for code in book().ids)
    code, laws = next((code, laws) for code, laws in found if laws)
    return _sentence(rule.label, code, laws)


def word_first(word: str) -> str | None:
    """Sentences on the first code whose laws contain a word, the others, and those that do not.

    `None` if no law contains the word.
    """
    pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
    found = {
        code: [a for a, p in texts(code).items() if pattern.search(p.text)] for code in book().ids
    }
    having, lacking = ([c for c in found if bool(found[c]) == has] for has in (True, False))
    if not having:
        return None
    parts = (("Then", having[1:]), ("Not", lacking))
    return _sentence(word, having[0], found[having[0]][:1]) + "".join(
        f" {how} in {and_words(book().names[c] for c in codes)}." for how, codes in parts if codes
    )


def asked_first(question: str) -> Iterator[str]:
    """Yield `word_first` for each term and denomination that a question names."""
    words = book().vocabulary
    names = [t.label for t in words.terms] + [d.one for d in words.denominations]
    for name in dict.fromkeys(names):
        if re.search(rf"\b{re.escape(name)}s?\b", question, re.IGNORECASE):
            yield from filter(None, [word_first(name)])


def topic_first(topic: str) -> str:
    """A sentence on the first code that treats a topic, with the laws."""
    code, laws = next((code, laws) for code, laws in _treated(topic) if laws)
    label = book().topics[topic].label
    return _sentence(label, code, list(dict.fromkeys(p.law for p in laws)))


def _treated(topic: str) -> list[tuple[str, list[Provision]]]:
    """Each code with its own provisions on a topic, without those of options, by date."""
    return [
        (code.id, [p for p in code.provisions if topic in p.topics and not p.option])
        for code in book().codes
    ]


def rules_on(topic: str) -> list[Parallel]:
    """The rules with a provision whose first topic is this one, in the order of the provisions."""
    found: dict[str, Parallel] = {}
    for _, provisions in _treated(topic):
        first = (p.address for p in provisions if p.topics[0] == topic)
        for address in sorted(first, key=lambda a: a.order):
            for rule in book().relations.of.get(address, ()):
                found.setdefault(rule.id, rule)
    return list(found.values())


def _sentence(label: str, code: str, laws: Sequence[Address]) -> str:
    own = book().code(code)
    date = "" if own.date[:4] in own.short else f" ({date_words(own.date)})"
    words = [law_words(a) for a in laws]
    if all(w.startswith("law ") for w in words) and len(words) > 1:
        words = [f"laws {words[0][4:]}", *(w[4:] for w in words[1:])]
    number = NUMBERS[len(book().codes)] if len(book().codes) < len(NUMBERS) else ""
    first = f"first in these {number} codes".replace("  ", " ")
    return f"\u201c{label}\u201d: {first} in {own.short}{date} ({and_words(words)})."
