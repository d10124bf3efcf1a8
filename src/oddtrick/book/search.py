"""Searches the laws: ranked, tolerant of inflection and misspelling, and in players' own words.

Provisions of several codes in one parallel form a single hit. `assets/search.js` ranks in the same
way.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from oddtrick.book.first import rule_first, topic_first, word_first
from oddtrick.book.index import Index, Law, index, law_features, looked_up, posted, scores, words_of
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.silences import silences
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Silence

OPTIONAL = 0.6  # the weight of a law under an option
BASE = 0.75  # the weight of a law of a code's base
ANCESTOR = 0.7  # the weight of a law of an ancestor if neither a code nor its year is given
ELSEWHERE = 0.3  # the weight of a law of another code if a year names a code

YEAR = re.compile(r"(?<!\d)1\d{3}(?!\d)")

AMOUNT = 1.3  # the weight of a law with a figure if the question asks for an amount

AMOUNTS = re.compile(
    r"\b(how (much|many)|worth|value|points?|bonus|cost|"
    r"what (do|does|did|will) (i|we|it|they) (get|score))\b"
)
"""Words that ask for an amount."""

FITS = 0.5  # a hit fits if it covers more than this share of the question
GUESSED = 0.6  # how far a corrected word counts as known
SHORT = 5  # letters up to which a corrected word does not count as known
SLIPS = 2  # the greatest edit distance of a misspelt word
AS_WELL = 0.6  # the least score of a silence shown, as a share of the best
CITED = 1000.0  # the score of a law that the question cites
RULES = 3  # the most rules of the first hit of which the history is told


class Hit(NamedTuple):
    """The best provision of a rule.

    `also` are the other provisions of its parallels; `part` is the share of the question that it
    covers, from 0 to 1.
    """

    address: Address
    score: float
    heading: str
    text: str
    also: tuple[Address, ...]
    part: float


class Question(NamedTuple):
    """A question as features and words of the index; `known` is its share of known words, 0-1."""

    features: list[str]
    words: list[str]
    known: float


def search(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 10
) -> list[Hit]:
    """The hits for a question, best first; laws that the question cites precede all others."""
    hits: list[Hit] = []
    with contextlib.suppress(Unread):
        hits = _cited(read_citation(question, code), topic)
    data = index()
    question, code, alone = _only(without_time(question), code)
    asked = read_question(question, data)
    ranks, parts = scores(asked.features, data)
    every = alone and not asked.features
    ranked = sorted(
        (-(1.0 if every else ranks[n]) * share, n)
        for n, share in _shares(question, asked.words, code, data)
        if (every or ranks[n] > 0) and (topic is None or topic in data["docs"][n][-1])
    )
    taken: set[str] = {a for h in hits for a in (h.address, *h.also)}
    for rank, n in ranked:
        _, name, heading, text, *_ = data["docs"][n]
        own, also = Address(name), _others(Address(name))
        shared = code not in (None, own.code) or any(a.code != own.code for a in also)
        if name in taken or (alone and shared):
            continue
        taken.update((name, *also))
        part = 1.0 if every else parts[n] * asked.known
        hits.append(Hit(own, -rank, heading, text, also, part))
    return hits[:limit]


def _only(question: str, code: str | None) -> tuple[str, str | None, bool]:
    """A question without the words that ask for what only one code has, the code, and whether it
    asks for that.
    """
    found = re.search(index()["only"], question, re.IGNORECASE)
    named = None
    if found and found[1]:
        with contextlib.suppress(Unread):
            named = read_citation(found[1].strip(" ?."))
        if named is None or named.local:
            return question, code, False
    if not found:
        return question, code, False
    return question[: found.start()] + question[found.end() :], named or code, True


def without_time(question: str) -> str:
    """A question without the words that ask when something came or went."""
    return re.sub(index()["since"], " ", question, flags=re.IGNORECASE)


def histories(question: str, hits: Sequence[Hit]) -> list[str]:
    """Sentences on the codes that have what a question names, if it asks when that came or went.

    They are about the rule, topic, term or denomination of this name or, failing that, about the
    rules of the first hit.
    """
    if without_time(question) == question:
        return []
    words, relations = book().vocabulary, book().relations
    names: dict[str, Callable[[], str]] = {}
    for label in (*(t.label for t in words.terms), *(d.one for d in words.denominations)):
        names[label] = partial(word_first, label)
    names |= {t.label: partial(topic_first, t.id) for t in words.topics}
    names |= {r.label: partial(rule_first, r) for r in relations.all}
    asked = _content(without_time(question))
    found = [sentences for label, sentences in names.items() if asked and _content(label) == asked]
    if found and (history := found[-1]()):
        return [history]
    rules = relations.of.get(hits[0].address, []) if fits(hits) else []
    return [rule_first(rule) for rule in rules[:RULES]]


def topics_called(question: str) -> list[str]:
    """The topics whose label has the same content words as a question."""
    asked = _content(without_time(question))
    return [t.id for t in book().vocabulary.topics if asked and _content(t.label) == asked]


def _content(text: str) -> set[str]:
    """The content words of a text in index form."""
    data = index()
    return {looked_up(w, data) for w in words_of(text) if w not in data["passed"]}


def fits(hits: Iterable[Hit]) -> bool:
    """Whether any hit covers more than `FITS` of the question."""
    return any(hit.part > FITS for hit in hits)


def read_question(question: str, data: Index) -> Question:
    """Parse a question, correcting misspelt words and replacing players' phrases by law terms."""
    text = question.lower().replace("’", "'")
    for compound in re.findall(r"(?<![a-z])[a-z]+-[a-z]+", text):
        joined = compound.replace("-", "")
        text = text.replace(compound, joined if _is_known(joined, data) else compound)
    text = f" {' '.join(words_of(text))} "
    features: dict[str, None] = {}
    for phrase, say in data["say"].items():
        padded = f" {' '.join(words_of(phrase))} "
        if " " in phrase and padded in text:
            text = text.replace(padded, " a ")
            features |= {f"={looked_up(w, data)}": None for w in say}
    known: list[float] = []
    words: list[str] = []
    for word in text.split():
        passed = word in data["passed"]
        understood = word if passed or _is_known(word, data) else nearest(word, data)
        if not passed and len(word) > 1:
            guessed = GUESSED if understood and len(word) > SHORT else 0.0
            known.append(1.0 if understood == word else guessed)
        words += [understood] if understood else []
    features |= dict.fromkeys(law_features(words, data))
    terms = [f[1:] for f in features if f[0] == "="]
    return Question(list(features), terms, sum(known) / len(known) if known else 1.0)


def _is_known(word: str, data: Index) -> bool:
    short = looked_up(word, data)
    return f"={short}" in data["postings"] or short in data["postings"]


def nearest(word: str, data: Index) -> str | None:
    """The shortest known word that begins with `word` or, failing that, the most similar.

    `None` if there is neither, or if `word` has fewer than four letters.
    """
    if len(word) < 4:
        return None
    own = looked_up(word, data)
    alike = [f[1:] for f in data["postings"] if f[0] == "=" and f[1] == word[0]]
    begun = [w for w in alike if w.startswith(word)]
    found = [(0, len(w), w) for w in begun] or [
        (slips, len(w), w)
        for w in alike
        if abs(len(w) - len(own)) <= SLIPS and (slips := distance(own, w)) <= SLIPS
    ]
    return min(found)[2] if found else None


def distance(one: str, other: str) -> int:
    """The edit distance of two words, counting a swap of neighbouring letters as one edit."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]


def _shares(
    question: str, words: list[str], code: str | None, data: Index
) -> Iterator[tuple[int, float]]:
    """Yield the provisions to search, as pairs of the index in `docs` and a weight.

    These are the provisions in force under a code or, without one, under any code. Laws of the
    base, of an ancestor, of a code not of the year in the question, or of an option not named in it
    weigh less. Laws with a figure weigh more if the question asks for an amount.
    """
    codes = data["codes"]
    bases = {c[0]: c[2] for c in codes}
    years = YEAR.findall(question)
    dated = [] if code else [c[0] for c in codes if c[4] in years]
    chain = [code, bases[code]] if code else [c[0] for c in codes]
    amount = AMOUNTS.search(question.lower()) is not None
    for n, (kind, _, _, _, *rest) in enumerate(data["docs"]):
        if kind != "law":
            continue
        law = Law(*rest)
        owner = codes[law.code][0]
        if owner not in chain or (code and code in (codes[c][0] for c in law.displaced)):
            continue
        share = law.weight / 100
        if law.option and not any(looked_up(w, data) in words for w in law.option.split("-")):
            share *= OPTIONAL
        if code and owner != code:
            share *= BASE
        if not (code or dated) and codes[law.code][3]:
            share *= ANCESTOR
        if dated and owner not in dated:
            share *= BASE if owner in (bases[d] for d in dated) else ELSEWHERE
        yield n, share * AMOUNT if amount and law.figures else share


def _cited(address: Address, topic: str | None) -> list[Hit]:
    """The provisions at a cited address as hits; none if the address is that of a code."""
    return [
        Hit(p.address, CITED, p.heading, p.text, _others(p.address), 1.0)
        for p in (book().code(address.code).provisions if address.local else ())
        if p.address.within(address) and (topic is None or topic in p.topics)
    ]


def _others(address: Address) -> tuple[Address, ...]:
    """The other provisions of the parallels of an address."""
    rules = book().relations.of.get(address, [])
    return tuple(dict.fromkeys(a for rule in rules for a in rule.addresses if a != address))


def find_silences(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 6
) -> list[Silence]:
    """The silences that answer a question, under a code or, without one, under any code."""
    data, codes = index(), (code,) if code else book().ids
    asked = read_question(without_time(question), data)
    say = {looked_up(w, data): s for w, s in data["say"].items() if " " not in w}
    likely = {w: {w, *(looked_up(x, data) for x in say.get(w, ()))} for w in asked.words}
    chain = {c.id for c in book().chain(code)} if code else set()
    games = {looked_up(w, data) for c in book().codes for w in words_of(c.short)}
    docs = {w: [data["docs"][n] for n, _ in posted(data, f"={w}")] for w in asked.words}
    own = {w for w, found in docs.items() for d in found if str(d[1]).partition(":")[0] in chain}
    foreign = {w for w in asked.words if code and w not in games | own}
    found: list[tuple[Silence, float]] = []
    for silence, name, asking in _silences():
        if silence.code not in codes or (topic is not None and topic not in silence.topics):
            continue
        named = [w for w in asked.words if likely[w] & name]
        if not all(likely[w] & (name | asking) for w in asked.words):
            of_topic = silence.topics and silence.state != "absent"
            named = [w for w in named if of_topic and w in foreign]
        if named:
            found.append((silence, len(named) / len(name)))
    best = sorted(range(len(found)), key=lambda n: -found[n][1])[:limit]
    return [found[n][0] for n in sorted(best) if found[n][1] >= AS_WELL * found[best[0]][1]]


def _silences() -> list[tuple[Silence, set[str], set[str]]]:
    """All silences, each with the words of its label and other words that may ask for it."""
    topics = book().topics
    found = []
    for code in book().codes:
        for silence in silences(code.id):
            # A clause that a code lacks is not the answer to the whole topic.
            of = () if silence.state == "absent" else silence.topics
            asked = " ".join(f"{topics[t].label} {topics[t].question}" for t in of)
            found.append((silence, _content(silence.label), _content(f"{asked} {silence.reason}")))
        for entry in (e for e in code.entries if e.silent and not e.option):
            item = book().irregularities[entry.irregularity]
            silence = Silence(code.id, item.label, "silent", str(entry.silent), ())
            others = _content(f"{' '.join(item.said)} {silence.reason}")
            found.append((silence, _content(item.label), others))
    return found
