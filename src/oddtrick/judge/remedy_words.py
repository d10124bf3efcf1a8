"""Parse the words by which a record names a remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from oddtrick.cards import SUIT_OF, Card, Suit, card_in
from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.model import Effect
from oddtrick.record.hand.words import NUMBERS as SPELLED

NUMBERS = ["none", *SPELLED[1:]]
"""Number words, indexed by their value."""

AMOUNT = re.compile(r"[0-9]{1,6}")

SUIT = "(?:spades?|hearts?|diamonds?|clubs?|[♠♥♦♣])(?! [0-9akqjt])"
"""A pattern for a suit in words, not followed by the rank of a card."""

OTHER_FORMS = {f"{w}s": w for w in "call forbid prohibit deduct add treat reopen".split()}
OTHER_FORMS["called"] = "call"
"""Inflected forms and their base words: `calls a heart`."""

BEFORE = frozenset("a an the takes took claims claimed demands demanded exacts".split())
"""Words skipped before the name of a remedy: `takes three tricks`."""

OPTIONS = ("highest", "lowest", "win", "lose", "trump", "play", "call")
"""What may be demanded of a card, in order of precedence."""

NEGATED = {"win": "lose", "lose": "win", "trump": "not trump", "play": "not play", None: "not play"}
"""The opposite of each option, used after `not`."""

LEADERS = ("north", "east", "south", "west", "declarer", "dummy")
"""The words that name a hand to lead."""


@dataclass(frozen=True, slots=True)
class NamedRemedy:
    """The remedy that the words of a record name.

    `ids` are the remedies that the words can mean; the one that the law provides is meant. `amount`
    is the number in them; `alone` is true if there is only a number, without a remedy. `option` is
    one of `OPTIONS` or its opposite. `doubled` is whether a bid is treated as doubled, if the words
    state it.
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
        """The effects of the first remedy named."""
        kinds = (k for k in book().vocabulary.remedies if k.id in self.ids[:1])
        return next((k.effects for k in kinds), ())


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], tuple[str, ...], bool], ...]:
    """Patterns for the names of remedies, the longest first, each with its ids and a flag.

    The flag is true if the words are the id of the remedy or its printed name.
    """
    phrases: dict[str, tuple[tuple[str, ...], bool]] = {}
    subjects = dict.fromkeys(["it", *(i.it for i in book().irregularities.values() if i.it)])
    for kind in book().vocabulary.remedies:
        labels = (kind.label, kind.may, kind.plural, kind.plural_may)
        printed = (t.replace("{it}", it) for t in labels if t for it in subjects)
        for words in (*dict.fromkeys(printed), kind.id.replace("-", " "), *kind.said):
            spoken = re.sub(r"\{(?:whose|chooser|right)\}", "WHOSE", words)
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
    """Parse the words for a remedy: `call-a-suit hearts`, `3 tricks`, `the bid is void`.

    A remedy may be named by its id, by alternative words or by its printed name, together with a
    suit, a card or a number. The meaning of a number by itself depends on the law that provides it.
    """
    words = re.sub(r"[^a-z0-9♠♥♦♣ ]+", " ", text.lower()).split()
    while words and words[0] in BEFORE:
        words = words[1:]
    words = [OTHER_FORMS.get(words[0], words[0]), *words[1:]] if words else words
    spoken = " ".join(words)
    spelled = NUMBERS[1:2] if words[:1] == NUMBERS[1:2] else []  # `one of the tricks` has no amount
    words = [str(NUMBERS.index(w)) if w in (*spelled, *NUMBERS[2:]) else w for w in words]
    amounts = [int(w) for w in words if AMOUNT.fullmatch(w)]
    ids, rest = _remedies(spoken, " ".join(w for w in words if not AMOUNT.fullmatch(w)))
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
    """The remedies that the words mean, and the words that follow.

    The second value is `None` if the remedy is not named by its id or printed name.
    """
    for words in spoken:
        for pattern, ids, own in _phrases():
            if match := pattern.match(words):
                return ids, words[match.end() :].split() if own else None
    return (), None


def further(text: str) -> tuple[tuple[str, NamedRemedy], ...]:
    """The phrases after the first remedy, each with the remedy that it names.

    Whether a bid is doubled belongs to the first: `seven, doubled`.
    """
    parts = (part.strip() for part in re.split(r"[,;]| and ", text)[1:])
    doubling = ("doubled", "undoubled")
    return tuple((p, read_remedy(p)) for p in parts if p.lower() not in doubling)
