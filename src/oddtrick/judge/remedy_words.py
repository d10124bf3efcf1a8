"""The words by which a record names a remedy, read once into data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from oddtrick.cards import SUIT_OF, Card, Suit, card_in
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

OPTIONS = ("highest", "lowest", "win", "lose", "trump", "play", "call")
"""What may be demanded of a card, in the order in which one of them is looked for."""

NEGATED = {"win": "lose", "lose": "win", "trump": "not trump", "play": "not play", None: "not play"}
"""What an option becomes by `not`."""

LEADERS = ("north", "east", "south", "west", "declarer", "dummy")
"""The words that name a hand to lead."""


@dataclass(frozen=True, slots=True)
class NamedRemedy:
    """What the words of a record name.

    `ids` are the remedies that they can mean, of which that is meant which the law gives; `amount`
    is the number in them, which `alone` names none, and `option` one of `OPTIONS` or its opposite.
    `doubled` says whether a bid is held to be doubled, where they say it.
    """

    ids: tuple[str, ...] = ()
    amount: int | None = None
    alone: bool = False
    suit: Suit | None = None
    card: Card | None = None
    option: str | None = None
    leader: str | None = None
    doubled: bool | None = None

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the remedy does that is named first."""
        kinds = (k for k in book().vocabulary.remedies if k.id in self.ids[:1])
        return next((k.effects for k in kinds), ())


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], tuple[str, ...], bool], ...]:
    """What remedies may be called, the longest first, with their ids, and whether the words are
    those of the remedy as such: its id, or what is printed for it.
    """
    phrases: dict[str, tuple[tuple[str, ...], bool]] = {}
    for kind in book().vocabulary.remedies:
        for words in (kind.label, kind.id.replace("-", " "), *kind.said):
            spoken = re.sub(r"\{(?:whose|chooser)\}", "WHOSE", words)
            spoken = spoken.replace("{number}", "NUMBER").replace("{suit}", "SUIT")
            spoken = " ".join(re.sub(r"[^A-Za-z0-9 ]+", " ", spoken).split())
            spoken = re.sub(r"^(?:a|an|the) ", "", spoken)
            pattern = re.sub("^WHOSE ", "(?:[a-z ]+? )?", spoken)
            pattern = pattern.replace("WHOSE", "[a-z ]+?").replace("NUMBER ", "(?:the )?")
            pattern = pattern.replace("SUIT", SUIT)
            ids, own = phrases.get(pattern, ((), words not in kind.said))
            phrases[pattern] = ((*ids, kind.id), own)
    ordered = sorted(phrases, key=len, reverse=True)
    return tuple((re.compile(rf"{p}(?: |$)"), *phrases[p]) for p in ordered)


@lru_cache(MOST_CACHED)
def read_remedy(text: str) -> NamedRemedy:
    """What a record's words name: `call-a-suit hearts`, `3 tricks`, `the bid is void`.

    A remedy may be named by its id, by its other words or by those in which the program prints it;
    a suit, a card or a number may stand with it. Of what a number alone is, the law says that gives
    it.
    """
    words = re.sub(r"[^a-z0-9♠♥♦♣ ]+", " ", text.lower()).split()
    while words and words[0] in BEFORE:
        words = words[1:]
    words = [OTHER_FORMS.get(words[0], words[0]), *words[1:]] if words else words
    spoken = " ".join(words)
    spelled = NUMBERS[1:2] if words[:1] == NUMBERS[1:2] else []  # `one of the tricks` is no amount
    words = [str(NUMBERS.index(w)) if w in (*spelled, *NUMBERS[2:]) else w for w in words]
    amounts = [int(w) for w in words if AMOUNT.fullmatch(w)]
    ids, rest = _remedies(" ".join(w for w in words if not AMOUNT.fullmatch(w)), spoken)
    options = rest if rest is not None else words
    option = next((o for o in OPTIONS if o in options), None)
    return NamedRemedy(
        ids,
        amounts[0] if amounts else None,
        not ids and len(words) == len(amounts) == 1,
        next((SUIT_OF[n] for w in words for n in (w, f"{w}s", w.upper()) if n in SUIT_OF), None),
        card_in(" ".join(words)),
        NEGATED.get(option, option) if "not" in options else option,
        next((w for w in words if w in LEADERS), None),
        "doubled" in words if len({"doubled", "undoubled"} & {*words}) == 1 else None,
    )


def _remedies(*spoken: str) -> tuple[tuple[str, ...], list[str] | None]:
    """The remedies that words mean; the words after those of the remedy as such."""
    for words in spoken:
        for pattern, ids, own in _phrases():
            if match := pattern.match(words):
                return ids, words[match.end() :].split() if own else None
    return (), None


def further(text: str) -> tuple[tuple[str, NamedRemedy], ...]:
    """The words that follow the first remedy of some, and what they name."""
    parts = (part.strip() for part in re.split(r"[,;]| and ", text)[1:])
    return tuple((part, read_remedy(part)) for part in parts)
