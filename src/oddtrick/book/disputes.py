"""Which irregularity a player's own words mean, and what they say of its facts.

Seats, suits, cards and bids are each one word to it, and pronouns none. A question of score, rank
or procedure is sent to the topic that answers it. `assets/search.js` finds the same in a page.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from oddtrick.book.index import Index, Json, index, plain, scores, sentences, tale, told

TOPICS = 4
"""The topics that are named at most."""

AMONG = 3
"""A topic is named if it is among so many that answer best, or before every dispute."""

WHY = 4
"""The words that are named at most as speaking for an irregularity."""

PART = 4
"""A word is named that speaks at least this part as much as the one that speaks most."""


@dataclass(frozen=True, slots=True)
class Found:
    """An irregularity that words may mean; `why`: the words that speak for it.

    `facts`: what they tell of its facts: the fact, the answer, and the answer in words.
    `absent`: it cannot arise under the code.
    """

    irregularity: str
    why: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    absent: bool


@dataclass(frozen=True, slots=True)
class Sought:
    """What words may mean: irregularities, best first, those that cannot arise last; the topics
    that may answer it; whether it is `asked` rather than told, a question and no dispute; whether
    anything fits.
    """

    found: tuple[Found, ...]
    topics: tuple[str, ...]
    asked: bool
    fits: bool


def find(words: str, code: str | None = None, limit: int = 5) -> Sought:
    """What a player's words may mean, under a code or under any.

    Five irregularities that can arise, and those that stand among the first five but cannot.
    """
    data = index()
    docs = data["docs"]
    said = {f: by for f, by in tale(words, data).items() if f in data["postings"]}
    sums = scores(said, data)[0][: len(data["norm"])]
    order = sorted(range(len(sums) - 1), key=lambda n: (-sums[n], n)) if said else []
    every = _every(words, data)
    absent = set(data["absent"][code]) if code else set()
    known = _known(every, said)
    ranked = [n for n in order if docs[n][0] == "dispute"] if known else []
    first = [n for n in ranked if n not in absent][:limit]
    never = [n for n in ranked[:limit] if n in absent]
    text = sentences(words, data)
    until = next((at for at, n in enumerate(order) if docs[n][0] == "dispute"), 0)
    topics = [docs[n][1] for n in order[: max(until, AMONG)] if docs[n][0] == "asked"]
    return Sought(
        tuple(
            Found(docs[n][1], _why(n, said, data), tuple(_facts(text, n, data)), n in absent)
            for n in [*first, *never]
        ),
        tuple(topics[:TOPICS]),
        until > 0,
        known and _few_strange(every, said, data) and max(sums[:-1]) > sums[-1],
    )


def _why(place: int, said: Mapping[str, tuple[str, ...]], data: Index) -> tuple[str, ...]:
    """The words that speak most for an irregularity, in the order in which they are said."""
    without = {*data["put"], *data["faint"]}
    share: dict[str, int] = {}
    for feature, by in said.items():
        _, *on = data["postings"][feature]
        at = 0
        for step, says in zip(on[::2], on[1::2], strict=True):
            at += step
            if at == place:
                for word in (w for w in by if w not in without):
                    share[word] = share.get(word, 0) + says
    best = sorted(share, key=lambda word: -share[word])[:WHY]
    return tuple(w for w in share if w in best and PART * share[w] >= share[best[0]])


def _facts(text: Sequence[str], place: int, data: Index) -> Iterator[tuple[str, str, str]]:
    """What words tell of the facts of an irregularity: nothing if they tell two answers."""
    _, name, _, _, facts = data["docs"][place]
    for fact, values in facts.items():
        told_of: dict[str, str] = {}
        for cue in data["cues"]:
            mine = name in cue.get("of", [name]) and cue["value"] in values
            if cue["fact"] == fact and mine and _says(text, cue["said"]):
                told_of.setdefault(cue["value"], cue["words"])
        if len(told_of) == 1:
            yield (fact, *next(iter(told_of.items())))


def _says(text: Sequence[str], cues: Iterable[Iterable[str]]) -> bool:
    """Whether all words of any cue stand somewhere."""
    return any(all(any(by in s for s in text) for by in cue) for cue in cues)


def _every(words: str, data: Index) -> list[str]:
    """The words of a telling that say more than little, as they are looked up."""
    without = {*data["stop"], *data["faint"]}
    return [s for x in plain(words, data) for _, s in told(x, data, without)]


def _known(every: Sequence[str], said: Container[str]) -> bool:
    """Whether half of the words that say more than little are known."""
    return bool(every) and 2 * sum(short in said for short in every) >= len(every)


def _few_strange(every: Sequence[str], said: Container[str], data: Mapping[str, Json]) -> bool:
    """Whether few words are unknown."""
    strange = sum(short not in said for short in every)
    return bool(data["strange"] * (strange - 1) <= len(every))
