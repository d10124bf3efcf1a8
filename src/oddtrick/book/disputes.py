"""Finds the irregularity that a player describes in his own words, and the facts that he states.

`assets/search.js` does the same in a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from oddtrick.book.index import (
    Index,
    content_words,
    features_of,
    index,
    looked_up,
    posted,
    rewrite,
    scores,
    sentences,
)
from oddtrick.law.book import book

TOPICS = 4  # the most topics returned
DEFINITION = "adefinition"  # the word that stands for "what is a" (`index.toml`)
AMONG = 3  # a topic is returned if it is among this many best results, or precedes all disputes
WHY = 4  # the most words returned as evidence for a dispute
TYPICAL = 20  # the best dispute must stand out from the one at this rank
SECOND = 12  # an act of its own is sought among this many best disputes
PART = 4  # a word is returned if its evidence is at least 1/PART of the strongest word's


@dataclass(frozen=True, slots=True)
class Found:
    """An irregularity that a description may mean.

    `why` holds the words that indicate it, and `facts` the facts stated: fact, answer and words.
    `second` means that part of the description fits this better than the best match.
    `absent` means that it cannot arise under the code.
    """

    irregularity: str
    why: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    second: bool
    absent: bool


@dataclass(frozen=True, slots=True)
class Sought:
    """What a description may mean.

    `asked` means that it is more likely a question about the rules than a dispute. `fits` means
    that the best result is reliable.
    """

    found: tuple[Found, ...]
    topics: tuple[str, ...]
    asked: bool
    fits: bool


def find(
    words: str, code: str | None = None, limit: int = 5, options: Sequence[str] = ()
) -> Sought:
    """The irregularities and topics that a player's words may mean, under one code or any.

    Irregularities on which the code is silent give way to those that fit about as well, and those
    that cannot arise under the code with its options come last.
    """
    data = index()
    docs = data["docs"]
    # Where the dealer is the declarer, what is said of either counts.
    as_declarer = re.sub(r"\bdealer\b", "declarer", words.lower())
    texts = [words, as_declarer] if code in data["dealer"] else [words]
    said = ((f, by) for text in reversed(texts) for f, by in features_of(text, data).items())
    features = {f: by for f, by in said if f in data["postings"]}
    sums = scores(features, data)[0][: len(data["norm"])]
    less = {n: int(data["close"]) for n in data["silent"].get(code, ())}
    places = range(len(sums) - 1) if features else ()
    order = sorted(places, key=lambda n: (less.get(n, 0) - sums[n], n))
    without = {*data["stop"], *data["faint"]}
    every = [pair for x in rewrite(words, data) for pair in content_words(x, data, without)]
    unknown = sum(short not in features for _, short in every)
    strange = sum(looked_up(word, data) not in features for word, _ in every)  # or misspelt
    known = bool(every) and 2 * unknown <= len(every)  # otherwise nothing fits
    absent = _absent(code, options, data) if code else ()
    ranked = [n for n in order if docs[n][0] == "dispute"] if known else []
    can = [n for n in ranked if n not in absent]
    until = next((at for at, n in enumerate(order) if docs[n][0] == "dispute"), 0)
    topics = [docs[n][1] for n in order[: max(until, AMONG)] if docs[n][0] == "asked"]
    matters = [word for word, _ in every if word != DEFINITION]
    asked = until > 0 or (len(matters) == 1 and bool(topics))  # one word names no event
    if asked:  # it may be a dispute that fits about as well
        can = [n for n in can if sums[n] + data["close"] > sums[order[0]]]
        ranked = can
    second = _second(texts[-1], can[:SECOND], data)
    first = list(dict.fromkeys([*can[:1], *second, *can]))[:limit]
    never = [n for n in ranked[:limit] if n in absent]
    stated = [sentence for text in texts for sentence in sentences(text, data)]
    cues = [
        cue
        for cue in data["cues"]
        if any(
            all(any(_affirms(s, by, data) for s in stated) for by in said) for said in cue["said"]
        )
    ]
    evidence = [(by, dict(posted(data, feature))) for feature, by in features.items()]
    found = list[Found]()
    for n in (*first, *never):
        why, facts = _why(n, evidence, data), tuple(_facts(cues, n, data))
        found.append(Found(docs[n][1], why, facts, n in second, n in absent))
    fits = known and data["strange"] * (strange - 1) <= len(every)
    fits = fits and max(sums[:-1]) > sums[-1] and _stands_out(features, data)
    return Sought(tuple(found), tuple(topics[:TOPICS]), asked, fits)


def _absent(code: str, options: Sequence[str], data: Index) -> Sequence[int]:
    """The irregularities that cannot arise under a code with its options, by number."""
    absent: Sequence[int] = data["absent"][code]
    if not options:
        return absent
    names = ((n, doc[1]) for n, doc in enumerate(data["docs"]) if doc[0] == "dispute")
    entries = ((n, book().entry(name, code, options)) for n, name in names)
    return [n for n, entry in entries if entry and entry[0].absent]


def _second(words: str, ranked: Sequence[int], data: Index) -> list[int]:
    """The disputes that fit a part of a description better than the first, which fits another."""
    parts = (features_of(part, data) for part in re.split(data["part"], words.lower()))
    each = [scores(part, data)[0] for part in parts]
    best = [max(ranked, key=lambda n: score[n], default=None) for score in each]

    def tells(n: int, rather: int) -> bool:
        return any(
            b == n and s[n] - s[rather] >= data["apart"] for b, s in zip(best, each, strict=True)
        )

    return [n for n in ranked[1:] if tells(n, ranked[0]) and tells(ranked[0], n)]


def _stands_out(features: Mapping[str, tuple[str, ...]], data: Index) -> bool:
    """Whether the words single out a few disputes, disregarding numbers by themselves."""
    numbers = set(data["numbers"])
    distinct = [f for f, by in features.items() if not all(w in numbers or w.isdigit() for w in by)]
    sums = scores(distinct, data)[0]
    best = sorted(
        (s for s, doc in zip(sums, data["docs"], strict=True) if doc[0] == "dispute"), reverse=True
    )
    return best[0] - best[min(TYPICAL, len(best) - 1)] >= float(data["floor"])


def _why(
    place: int, evidence: Iterable[tuple[tuple[str, ...], Mapping[int, int]]], data: Index
) -> tuple[str, ...]:
    """The words that are the strongest evidence for an irregularity, in the order of the text.

    `evidence` holds the words of each feature and its weight in each document.
    """
    without = {*data["put"], *data["faint"]}
    share: dict[str, int] = {}
    for by, weights in evidence:
        says = weights.get(place, 0)
        for word in by if says else ():
            if word not in without:
                share[word] = share.get(word, 0) + says
    best = sorted(share, key=lambda word: -share[word])[:WHY]
    return tuple(w for w in share if w in best and PART * share[w] >= share[best[0]])


def _facts(
    cues: Sequence[Mapping[str, Any]], place: int, data: Index
) -> Iterator[tuple[str, str, str]]:
    """Yield the facts that `cues` state about an irregularity, unless they contradict each other.

    Of two times that follow each other in the fact's answers the later is taken.
    """
    _, name, _, _, facts = data["docs"][place]
    for fact, values in facts.items():
        answers: dict[str, str] = {}
        for cue in cues:
            mine = name in cue.get("of", [name]) and cue["value"] in values
            if cue["fact"] == fact and mine:
                answers.setdefault(cue["value"], cue["words"])
        pairs = pairwise(values) if fact in data["times"] else ()
        for early, late in pairs:
            if answers.keys() == {early, late}:
                del answers[early]
        if len(answers) == 1:
            yield (fact, *next(iter(answers.items())))


def _affirms(sentence: str, cue: str, data: Index) -> bool:
    """Whether a sentence contains the words of a cue without denying them."""
    before, found, after = sentence.partition(cue)
    return bool(found) and not re.search(data["denied"], f"{before}| {after}")
