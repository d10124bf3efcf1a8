"""The words by which a record names a remedy: read, and what it does."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.model import Effect
from oddtrick.record.hand.words import NUMBERS as SPELLED

NUMBERS = ["none", *SPELLED[1:]]
"""Numbers as words, by their place."""

AMOUNT = re.compile(r"[0-9]{1,6}")

SUIT = "(?:spades?|hearts?|diamonds?|clubs?|[♠♥♦♣])(?! [0-9akqjt])"
"""A suit as words name it, and not a card of it."""

OTHER_FORMS = {"calls": "call", "called": "call", "forbids": "forbid", "prohibits": "prohibit"}
"""Words that stand for others: `calls a heart`."""

BEFORE = frozenset("a an the takes took claims claimed demands demanded exacts".split())
"""Words that may stand before those that name a remedy, and name none: `takes three tricks`."""


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What a remedy may be called, the longest first: its id, its other words, what is printed."""
    phrases: dict[str, str] = {}
    for kind in book().vocabulary.remedies:
        for words in (kind.label, kind.id.replace("-", " "), *kind.said):
            spoken = re.sub(r"\{(?:whose|chooser)\}", "WHOSE", words)
            spoken = spoken.replace("{number}", "NUMBER").replace("{suit}", "SUIT")
            plain = " ".join(re.sub(r"[^A-Za-z0-9 ]+", " ", spoken).split())
            plain = re.sub(r"^(?:a|an|the) ", "", plain)
            pattern = re.sub("^WHOSE ", "(?:[a-z ]+? )?", plain)
            pattern = pattern.replace("WHOSE", "[a-z ]+?").replace("NUMBER ", "(?:the )?")
            pattern = pattern.replace("SUIT", SUIT)
            phrases.setdefault(pattern, kind.id)
    ordered = sorted(phrases, key=len, reverse=True)
    return tuple((re.compile(rf"{p}(?: |$)"), phrases[p]) for p in ordered)


@lru_cache(MOST_CACHED)
def remedy_of(text: str) -> tuple[str | None, str]:
    """The remedy that a record's words name, and the words: `call-a-suit hearts`, `3 tricks`.

    It may be named by its id, by its other words or by those in which the program prints it; a
    suit, a card or a number may stand with it. A number alone names none: of what it is, the law
    says that gives it.
    """
    words = re.sub(r"[^a-z0-9♠♥♦♣ ]+", " ", text.lower()).split()
    while words and words[0] in BEFORE:
        words = words[1:]
    words = [OTHER_FORMS.get(words[0], words[0]), *words[1:]] if words else words
    said = " ".join(words)
    spelled = NUMBERS[1:2] if words[:1] == NUMBERS[1:2] else []  # `one of the tricks` is no amount
    words = [str(NUMBERS.index(w)) if w in (*spelled, *NUMBERS[2:]) else w for w in words]
    bare = " ".join(w for w in words if not AMOUNT.fullmatch(w))
    for spoken in dict.fromkeys((bare, said)):
        for pattern, name in _phrases():
            if pattern.match(spoken):
                return name, " ".join(words)
    return None, " ".join(words)


def amount_of(text: str) -> int | None:
    """The number that a record's words for a remedy give, the first of them."""
    amounts = (int(w) for w in remedy_of(text)[1].split() if AMOUNT.fullmatch(w))
    return next(amounts, None)


def effects_of(words: str) -> tuple[Effect, ...]:
    """What the remedy does that a record's words name."""
    name = remedy_of(words)[0]
    return next((k.effects for k in book().vocabulary.remedies if k.id == name), ())
