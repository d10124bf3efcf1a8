"""Which irregularity a player's own words mean, and what they say of its facts.

One table of weights, made from the tellings of `laws/tellings.yaml`: what a word, or two near each
other, say for each irregularity. The command sums it here, a page sums the same table in
`assets/finder.js`, and both rank alike. Seats, suits, cards and bids are each one word to it, and
pronouns none. A question of score, rank or procedure is told where it is answered.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from oddtrick.law import store
from oddtrick.law.book import book

if TYPE_CHECKING:  # in the page there is no YAML
    from oddtrick.law.yaml import Json

TABLE = "finder"
"""The name of the finder's table beside the compiled lawbook."""

Table = Mapping[str, "Json"]
"""What a page needs to find: how words are made plain, and their weights. As JSON."""

# --- the words of a telling -----------------------------------------------------------------------

SUIT = r"(?:clubs?|diamonds?|hearts?|spades?|royals?|lil(?:y|ies))"
NUMBER = r"(?:one|two|three|four|five|six|seven|[1-7])"
HIGH = r"(?:eight|nine|ten|eleven|8|9|10|11)"
RANK = (
    r"(?:ace|king|queen|jack|knave|ten|nine|eight|seven|six|five|four|three|two|deuce|trey|"
    r"10|[2-9])"
)
NO_TRUMP = r"(?:no[ -]?trumps?|nt|sans)"

PLAIN: tuple[tuple[str, str], ...] = (
    ("[’`]", "'"),
    (r"n't\b", " not"),
    (r"'(?:s|d|ll|ve|re|m)?(?![a-z])", " "),
    ("[♣♦♥♠]", " spades "),
    (rf"\b{RANK}s? of (?:{SUIT}|trumps?)\b", " acard "),
    (rf"\b{HIGH} ?(?:in |of )?(?:{SUIT}|{NO_TRUMP})\b", " ahighbid "),
    (rf"\b{NUMBER} ?(?:in )?(?:{SUIT}|{NO_TRUMP})\b", " abid "),
    (r"\b[1-7](?:c|d|h|s|n)\b", " abid "),
    (r"\b(?:ace|king|queen|jack|knave|deuce|trey)s?\b", " acard "),
    (rf"\b(?:{SUIT}|{NO_TRUMP})\b", " asuit "),
    (r"\b(?:north|south|east|west)\b", " aseat "),
    (r"[^a-z0-9.;!?\n]+", " "),
)
"""What is put for what, in turn, in a telling in small letters: patterns that Python and JavaScript
read alike.
"""

SENTENCE = r"[.;!?\n]+"
"""What ends a sentence."""

OF = (r" of (?:the )?(?=declarer |dummy |dealer )", " of-")
"""Where a player is named only to say whose somebody is, the two words become one: an adversary of
the declarer led, and not the declarer."""

ENDINGS: tuple[tuple[str, str], ...] = (
    ("ies", "y"),
    ("ied", "y"),
    ("ings", ""),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("ly", ""),
    ("e", ""),
)
"""The endings of a word, and what stands for them: the first that it has."""

STEM = 3
"""Letters that stay of a word."""

NEAR = 4
"""How far kinds of words stand from each other at most, to be a pair."""

PAIR = 0.5
"""How much two words near each other count: each counts alone already."""

MANY = 4
"""In how many tellings two words near each other are no chance, whatever is told."""

SPREAD = 0.4
"""How fast what is said of many irregularities alike loses weight."""

DOUBT = 0.3
"""In so many tellings what is in none yet could have been: what is in one weighs that much less."""

PRIOR = 100
"""How long a telling is before a word is said: what is told of often stands first then."""

SMOOTH = 0.02
"""How often what was never said of an irregularity is taken to be said."""

FINE = 100
"""How much finer the table tells what a telling loses than what it wins."""

STRANGE = 4
"""Besides one, one word in so many may be unknown where something fits."""

OTHER = "other"
"""What stands for every matter but the game, behind all irregularities and topics."""

TOPICS = 4
"""The topics that are named at most."""

AMONG = 3
"""A topic is named where it is among so many that answer best, or before every dispute."""

WHY = 4
"""The words that are named at most as speaking for an irregularity."""

PART = 4
"""A word is named that speaks at least this part as much as the one that speaks most."""


def plain(text: str) -> list[str]:
    """The sentences of a telling in small letters, one word for every card, bid, suit and seat."""
    text = text.lower()
    for pattern, word in PLAIN:
        text = re.sub(pattern, word, text)
    return [s for s in re.split(SENTENCE, text) if s.strip()]


def stem(word: str) -> str:
    """A word without its ending."""
    for ending, put in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM:
            word = word[: len(word) - len(ending)] + put
            break
    return word[:-1] if len(word) > STEM and word[-1] == word[-2] else word


Told = tuple[str, str]
"""A word of a sentence that says something: as the player has it, and as it is looked up."""


def told(sentence: str, stop: Container[str], forms: Mapping[str, str]) -> list[Told]:
    """The words of a plain sentence that say something."""
    found = []
    for word in sentence.split():
        short = _looked_up(word, forms)
        if word not in stop and (len(short) > 1 or short.isdigit()):
            found.append((word, short))
    return found


def _looked_up(word: str, forms: Mapping[str, str]) -> str:
    return forms.get(word) or forms.get(short := stem(word), short)


def features(
    sentence: Sequence[Told], kinds: Mapping[str, Sequence[str]], faint: Container[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a sentence says, each with the words that say it: its words, their kinds, and of the
    words that are not faint every kind with those near it.
    """
    for word, short in sentence:
        for feature in dict.fromkeys((short, *kinds.get(short, ()))):
            yield feature, (word,)
    firm = [(word, kinds.get(short, (short,))) for word, short in sentence if word not in faint]
    for i, (word, each) in enumerate(firm):
        for other, near in firm[i + 1 : i + NEAR]:
            for a in each:
                for b in near:
                    yield " ".join(sorted((a, b))), (word, other)


# --- the table ------------------------------------------------------------------------------------


@cache
def table() -> Table:
    """What finding needs: as it stands beside the compiled lawbook, made first where it does not.

    `plain`, `sentence`, `endings`, `stop`, `faint`, `forms`, `kinds`: how words are looked up;
    `disputes`: the irregularities, with the answers that their facts can have; `topics`: those of
    questions that are no disputes; `norm`: what each of both, and last any other matter, loses for
    each unit of a telling; `weights`: what a feature weighs and, by turns, the place of one of them
    and what it says for it; `absent`: what cannot arise under a code; `cues`: what follows for a
    fact from words.
    """
    found: Table = store.read_or_make(book().home, TABLE, made)
    return found


def made() -> Table:
    """The table, made from the tellings."""
    return _made(book().data["tellings"])


def _made(raw: Json) -> Table:
    forms = {w: stem(like.split()[0]) for like in raw["forms"] for w in like.split()}
    kinds: dict[str, list[str]] = {}
    for like in raw["alike"]:
        first = like.split()[0]
        for word in like.split():
            own = kinds.setdefault(_looked_up(word, forms), [])
            own += [] if f"{first}*" in own else [f"{first}*"]
    words = {"stop": raw["stop"].split(), "faint": raw["faint"].split()}
    how = {**words, "forms": forms, "kinds": kinds}
    disputes, topics = book().irregularities, book().topics
    asked = dict.fromkeys(t["topic"] for t in raw["tellings"] if "topic" in t)
    names = [*disputes, *(f"topic:{t}" for t in asked)]
    norm, weights = _weighed(
        [
            *_documents(raw["tellings"], how),
            *((OTHER, list(_features(x, how))) for x in raw["other"]),
        ],
        [*names, OTHER],
    )
    return {
        "plain": PLAIN,
        "put": [put.strip() for _, put in PLAIN if put.strip().isalpha() and put != " not "],
        "sentence": SENTENCE,
        "of": OF,
        "endings": ENDINGS,
        "stem": STEM,
        "near": NEAR,
        "fine": FINE,
        "prior": PRIOR,
        "strange": STRANGE,
        **how,
        "disputes": [
            {"id": i.id, "label": i.label, "meaning": i.meaning, "facts": i.facts}
            for i in disputes.values()
        ],
        "topics": [{"id": t, "label": topics[t].label} for t in asked],
        "norm": norm,
        "weights": weights,
        "absent": {code.id: _absent(code.id) for code in book().codes},
        "cues": _cues(raw["cues"], how),
    }


def _absent(code: str) -> list[int]:
    """The places of the irregularities that cannot arise under a code."""
    entries = [book().entry(name, code) for name in book().irregularities]
    return [n for n, entry in enumerate(entries) if entry and entry[0].absent]


def _cues(raw: Json, how: Mapping[str, Json]) -> list[Json]:
    """For each fact and answer the words from which it follows, as they are looked up."""
    found = []
    for cue in raw:
        said = [[_for_cues(w, how)[0] for w in each.split(" + ")] for each in cue["said"]]
        words = book().facts[cue["fact"]].values[cue["value"]].removeprefix("and ")
        of = {"of": cue["of"]} if "of" in cue else {}
        told_by = {"fact": cue["fact"], "value": cue["value"], "words": words, "said": said}
        found.append(told_by | of)
    return found


def _for_cues(text: str, how: Mapping[str, Json]) -> list[str]:
    """Sentences with every word as it is looked up, those too that say little."""
    said = (f" {' '.join(s for _, s in told(x, (), how['forms']))} " for x in plain(text))
    return [re.sub(*OF, sentence) for sentence in said]


def _features(text: str, how: Mapping[str, Json]) -> dict[str, tuple[str, ...]]:
    """Everything that a telling says, once, with the words that say it."""
    found: dict[str, tuple[str, ...]] = {}
    for sentence in plain(text):
        words = told(sentence, how["stop"], how["forms"])
        for feature, said in features(words, how["kinds"], how["faint"]):
            found.setdefault(feature, said)
    return found


def _documents(tellings: Json, how: Mapping[str, Json]) -> list[tuple[str, list[str]]]:
    """What every telling says: of the irregularity, or `topic:` and the topic, that it tells of.

    The catalogue's own words are tellings too.
    """
    said = [
        (i.id, text)
        for i in book().irregularities.values()
        for text in (i.label, i.meaning, *i.said)
    ]
    for item in tellings:
        name = item["irregularity"] if "irregularity" in item else f"topic:{item['topic']}"
        said += [(name, text) for text in item["said"]]
    return [(name, list(_features(text, how))) for name, text in said]


def _weighed(
    documents: Sequence[tuple[str, list[str]]], names: Sequence[str]
) -> tuple[list[int], dict[str, list[int]]]:
    """For each name what a telling of it loses for each unit; for each feature its weight, then by
    turns the place of a name and what it says for it. In whole numbers.

    Naive Bayes on tellings of equal length, in which a feature weighs the less the more evenly it
    is spread over the names. So what players chat about beside the matter decides little.
    """
    length = _lengths(documents)
    says: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    total: dict[str, float] = defaultdict(float)
    for name, found in documents:
        known = [f for f in found if f in length]
        whole = sqrt(sum(length[f] ** 2 for f in known)) or 1.0
        for f in known:
            says[f][name] += length[f] / whole
            total[name] += length[f] / whole
    often = Counter(f for _, found in documents for f in found)
    weigh = {
        f: length[f] * exp(-SPREAD * _spread(on.values())) * often[f] / (often[f] + DOUBT)
        for f, on in says.items()
        if set(on) != {OTHER}
    }
    place = {name: n for n, name in enumerate(names)}
    weights = {
        f: [
            round(100 * weight),
            *(x for name, k in says[f].items() for x in (place[name], _level(1 + k / SMOOTH))),
        ]
        for f, weight in weigh.items()
    }
    return [_level(total[name] + SMOOTH * len(length), FINE) for name in names], weights


def _lengths(documents: Sequence[tuple[str, list[str]]]) -> dict[str, float]:
    """How long each feature is, of those that are kept: of two words near each other those that two
    tellings of one thing have in common, or many of any.
    """
    often = Counter(f for _, found in documents for f in found)
    here = Counter((f, name) for name, found in documents for f in found)
    common = {f for (f, _), n in here.items() if n > 1} | {f for f, n in often.items() if n >= MANY}
    return {f: PAIR if " " in f else 1.0 for f in often if " " not in f or f in common}


def _level(often: float, fine: int = 1) -> int:
    """How often something is said, on a scale on which e times as often is three more."""
    return round(3 * fine * log(often))


def _spread(shares: Collection[float]) -> float:
    """How evenly something is spread over many: the entropy of its shares."""
    whole = sum(shares)
    return -sum(share / whole * log(share / whole) for share in shares)


# --- finding --------------------------------------------------------------------------------------


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
    data = table()
    said = {f: by for f, by in _features(words, data).items() if f in data["weights"]}
    sums = _sums(said, data)
    count = len(data["disputes"])
    order = sorted(range(len(sums) - 1), key=lambda n: (-sums[n], n))
    every = _every(words, data)
    absent = set(data["absent"][code]) if code else set()
    ranked = [n for n in order if n < count] if _known(every, said) else []
    first = [n for n in ranked if n not in absent][:limit]
    never = [n for n in ranked[:limit] if n in absent]
    sentences = _for_cues(words, data)
    until = next((at for at, n in enumerate(order) if n < count), 0) if said else 0
    topics = [data["topics"][n - count]["id"] for n in order[: max(until, AMONG)] if n >= count]
    return Sought(
        tuple(_found(n, sentences, said, data, n in absent) for n in [*first, *never]),
        tuple(topics[:TOPICS]) if said else (),
        until > 0,
        _fits(every, said, sums, data),
    )


def _sums(said: Iterable[str], data: Table) -> list[int]:
    """How well each irregularity and topic answers to what is said."""
    length = 0
    sums = [0] * len(data["norm"])
    for feature in said:
        weight, *on = data["weights"][feature]
        length += weight
        for place, says in zip(on[::2], on[1::2], strict=True):
            sums[place] += weight * says * data["fine"]
    return [
        sum_ - (length - data["prior"]) * norm
        for sum_, norm in zip(sums, data["norm"], strict=True)
    ]


def _found(
    place: int,
    sentences: Sequence[str],
    said: Mapping[str, tuple[str, ...]],
    data: Table,
    absent: bool,
) -> Found:
    item = data["disputes"][place]
    return Found(item["id"], _why(place, said, data), tuple(_facts(sentences, item, data)), absent)


def _why(place: int, said: Mapping[str, tuple[str, ...]], data: Table) -> tuple[str, ...]:
    """The words that speak most for an irregularity, in the order in which they are said; not faint
    ones, nor those that are put for a card, a bid, a suit or a seat.
    """
    without = {*data["put"], *data["faint"]}
    share: dict[str, int] = {}
    for feature, by in said.items():
        weight, *on = data["weights"][feature]
        for n, says in zip(on[::2], on[1::2], strict=True):
            if n == place:
                for word in (w for w in by if w not in without):
                    share[word] = share.get(word, 0) + weight * says
    best = sorted(share, key=lambda word: -share[word])[:WHY]
    return tuple(w for w in share if w in best and PART * share[w] >= share[best[0]])


def _facts(sentences: Sequence[str], item: Json, data: Table) -> Iterator[tuple[str, str, str]]:
    """What words tell of the facts of an irregularity: nothing where they tell two answers."""
    for fact, values in item["facts"].items():
        told_of: dict[str, str] = {}
        for cue in data["cues"]:
            mine = item["id"] in cue.get("of", [item["id"]]) and cue["value"] in values
            if cue["fact"] == fact and mine and _says(sentences, cue["said"]):
                told_of.setdefault(cue["value"], cue["words"])
        if len(told_of) == 1:
            yield (fact, *next(iter(told_of.items())))


def _says(sentences: Sequence[str], cues: Iterable[Iterable[str]]) -> bool:
    """Whether all words of any cue stand somewhere."""
    return any(all(any(by in s for s in sentences) for by in cue) for cue in cues)


def _every(words: str, data: Table) -> list[str]:
    """The words of a telling that say more than little, as they are looked up."""
    without = {*data["stop"], *data["faint"]}
    return [s for x in plain(words) for _, s in told(x, without, data["forms"])]


def _known(every: Sequence[str], said: Container[str]) -> bool:
    """Whether of the words that say more than little half are known."""
    return bool(every) and 2 * sum(short in said for short in every) >= len(every)


def _fits(every: Sequence[str], said: Container[str], sums: Sequence[int], data: Table) -> bool:
    """Whether what answers best is of the game, and few words are strange to it."""
    strange = sum(short not in said for short in every)
    few = data["strange"] * (strange - 1) <= len(every)
    return few and _known(every, said) and max(sums[:-1]) > sums[-1]
