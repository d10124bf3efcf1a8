"""Searches the laws: ranked, tolerant of inflection and misspelling, and in players' own words.

Provisions of several codes in one parallel form a single hit. `assets/search.js` ranks in the same
way.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from oddtrick.book.compare import law_of_rule
from oddtrick.book.first import rule_first, topic_first, word_first
from oddtrick.book.index import (
    Index,
    Json,
    Law,
    index,
    law_features,
    looked_up,
    posted,
    scores,
    title_of,
    url_of,
    words_of,
)
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.silences import silences
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.figures import NUMBERS
from oddtrick.law.model import Silence
from oddtrick.law.names import and_words
from oddtrick.limits import WORDS

OPTIONAL = 0.6  # the weight of a law under an option
BASE = 0.75  # the weight of a law of a code's base
ANCESTOR = 0.7  # the weight of a law of an ancestor if neither a code nor its year is given
ELSEWHERE = 0.3  # the weight of a law of another code if a year names a code

LAWS = 1.1  # how much the best law of a rule adds to it if the question asks when it came or went
WITHOUT = 0.5  # the weight of a rule that lacks a number of the question
AMOUNT = 1.3  # the weight of a law with a figure if the question asks for an amount

AMOUNTS = re.compile(
    r"\b(how (much|many)|worth|value|points?|bonus|cost|"
    r"what (do|does|did|will) (i|we|it|they) (get|score))\b"
)
"""Words that ask for an amount."""

QUOTED = '["“]([^"”]+)["”]'
"""A phrase in quotation marks, which a hit must contain."""

FITS = 0.5  # a hit fits if it covers more than this share of the question
AS_WELL = 0.6  # the least score of a silence shown, as a share of the best
CITED = 1000.0  # the score of a law that the question cites


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


class Other(NamedTuple):
    """A document other than a law: a topic, rule, term, reading, code, finding or page of the site.

    It is `named` if the question contains its title.
    """

    kind: str
    url: str
    title: str
    text: str
    named: bool


class Found(list[Hit]):
    """The hits for a question, best first; laws that the question cites precede all others.

    `sure` is whether any hit fits, `first` the sentences on the codes that have the rule or term if
    the question asks when it came or went. `others` are the other documents that precede the first
    hit, and `silences` what the codes lack; if the question asks about one code, `lacking` are
    those of them that it names.
    """

    def __init__(
        self,
        hits: list[Hit],
        others: list[Other],
        first: list[str],
        silences: list[Silence],
        lacking: list[Silence],
    ) -> None:
        super().__init__(hits)
        self.sure, self.first, self.others = fits(hits), first, others
        self.silences, self.lacking = silences, lacking


def search(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 10
) -> Found:
    """What answers a question, under a code or, without one, under any code."""
    hits, documents = _ranked(question, code, topic)
    others = [Other(d[0], url_of(d), title_of(d), d[3], named) for d, named in documents]
    first = histories(question, [d for d, _ in documents])
    silent, asked = find_silences(question, code, topic), _content(question)
    dated, _ = _dated(without_time(question), code, index())
    lacking = [s for s in silent if len(dated) == 1 and _content(s.label) <= asked]
    return Found(hits[:limit], others, first, silent, lacking)


def _ranked(
    question: str, code: str | None, topic: str | None
) -> tuple[list[Hit], list[tuple[Sequence[Json], bool]]]:
    """The hits for a question, and the other documents that precede the first of them, each with
    whether the question names it.

    Documents that the question names come before those that are ranked by score.
    """
    hits: list[Hit] = []
    with contextlib.suppress(Unread):
        hits = _cited(read_citation(question, code), topic)
    data = index()
    asked_of = without_time(question)
    timed = asked_of != question
    only, code, alone = _only(asked_of, code, data)
    dated, undated = _dated(only, code, data)
    features, known = read_question(undated, data)
    if not features:
        features, known = read_question(only, data)
    ranks, parts = scores(features, data)
    quoted = [f" {' '.join(words_of(phrase))} " for phrase in re.findall(QUOTED, question)]
    every = alone and not features
    worth = {
        n: (1.0 if every else ranks[n]) * share
        for n, share in _shares(only, features, code, dated, timed, data)
        if not quoted or _contains(data["docs"][n], quoted)
    }
    if timed:
        _add_laws(worth, data)
        numbers = {w for w in words_of(question) if w.isdigit()} - {c[4] for c in data["codes"]}
        for n in worth:
            kind, _, _, text, *_ = data["docs"][n]
            worth[n] *= 1 if kind != "rule" or numbers <= {*words_of(text)} else WITHOUT
    ranked = sorted((-rank, n) for n, rank in worth.items() if rank > 0)
    named = (
        []
        if hits or alone or topic
        else _named(question, undated, dated, [n for _, n in ranked], data)
    )
    before: list[int] = []
    taken: set[str] = {a for h in hits for a in (h.address, *h.also)}
    for rank, n in ranked:
        kind, name, heading, text, *rest = data["docs"][n]
        if kind != "law":
            before += [] if hits or alone or topic else [n]
            continue
        own, also, law = Address(name), _others(Address(name)), Law(*rest)
        if name in taken or (alone and not (law.alone and code in (None, own.code))):
            continue
        if topic is None or topic in law.topics:
            taken.update((name, *also))
            part = 1.0 if every else parts[n] * known
            hits.append(Hit(own, -rank, heading, text, also, part))
    places = dict.fromkeys([*named, *before])
    return hits, [(data["docs"][n], n in named) for n in places]


def _contains(document: Sequence[Json], phrases: Iterable[str]) -> bool:
    """Whether the title and text of a document contain all of these phrases."""
    words = f" {' '.join(words_of(f'{document[2]} . {document[3]}'))} "
    return all(phrase in words for phrase in phrases)


def _add_laws(worth: dict[int, float], data: Index) -> None:
    """Add to the rank of each rule that of its best law, and to that of each topic the rank of its
    best law without a rule.
    """
    places = {kind: n for n, (kind, *_) in reversed([*enumerate(data["docs"])])}
    topics = {t: places["topic"] + n for n, t in enumerate(book().topics)}
    best: dict[int, float] = {}
    for n in (n for n in worth if data["docs"][n][0] == "law"):
        law = Law(*data["docs"][n][4:])
        for place in [places["rule"] + rule for rule in law.rules] or [topics[law.topics[0]]]:
            best[place] = max(best.get(place, 0.0), worth[n])
    for n, rank in best.items():
        worth[n] = worth.get(n, 0.0) + LAWS * rank


def _only(question: str, code: str | None, data: Index) -> tuple[str, str | None, bool]:
    """Whether a question asks for what only one code has.

    Returns the question without the words that ask for it, the code, and whether it does.
    """
    found = re.search(data["only"], question, re.IGNORECASE)
    named = code_named(found[1], data) if found and found[1] else None
    if not found or (found[1] and named is None):
        return question, code, False
    return question[: found.start()] + question[found.end() :], named or code, True


def code_named(text: str, data: Index) -> str | None:
    """The code that a text names, if it consists of nothing else."""
    words = [w for w in words_of(text) if w not in data["passed"]]
    counts = {c[0]: sum(c[5].get(w, -9) for w in words) for c in data["codes"]}
    best = [name for name, count in counts.items() if count == max(counts.values()) > 0]
    return best[0] if len(best) == 1 else None


def _named(
    question: str, undated: str, dated: Sequence[str], ranked: Iterable[int], data: Index
) -> list[int]:
    """The documents that a question names: those whose title contains all of its words, or a code
    if it asks who made it. Those whose title has no other words come first.

    A single word does not name a topic whose title has others. A term is named only if the question
    asks when it came or went or what it means, or consists of a word that stands for it.
    """
    if re.search(data["made"], question, re.IGNORECASE):
        pages = {f"codes/{c[0]}/" for c in data["codes"] if not dated or c[0] in dated}
        return [n for n in ranked if data["docs"][n][1] in pages]
    asked = _content_words(without_time(question), data)
    years = {c[4] for c in data["codes"]}
    term = [w for w in _content_words(undated, data) if w not in years]
    meant = data["say"].get(" ".join(term))
    of_word = without_time(question) != question or re.search(
        data["means"], question, re.IGNORECASE
    )
    kinds = ["topic", "code", "page", *(["term"] if of_word else [])]
    titled: list[int] = []
    whole: list[int] = []
    for n in ranked:
        kind, _, title, *_ = data["docs"][n]
        words = _content_words(title, data)
        fits = kind in kinds and asked and (kind != "topic" or len(asked) > 1 or len(words) == 1)
        said = term if kind == "term" else asked
        contained = fits and said and all(any(w.startswith(a) for w in words) for a in said)
        if contained or (kind == "term" and words == meant):
            (whole if {*words} <= {*asked} else titled).append(n)
    return whole + titled


def _content_words(text: str, data: Index) -> list[str]:
    return [w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in data["passed"]]


def without_time(question: str) -> str:
    """A question without the words that ask when something in a code came or went."""
    data = index()
    if re.search(data["made"], question, re.IGNORECASE):
        return question
    if not re.search(data["timed"], question, re.IGNORECASE):
        return question
    return re.sub(data["time_words"], " ", question, flags=re.IGNORECASE)


def histories(question: str, documents: Iterable[Sequence[Json]]) -> list[str]:
    """A sentence on the codes that have a rule or a term, if a question asks when it came or went.

    It is about the rule, topic, term or denomination that the question names or, failing that,
    about the best rule if its label, headings and versions have most of the words asked for and all
    of its number words.
    """
    asked_of = without_time(question)
    asked = _content(asked_of)
    if asked_of == question or not asked:
        return []
    words, relations = book().vocabulary, book().relations
    named: list[tuple[str, Callable[[], str]]] = [
        *((r.label, partial(rule_first, r, changes=True)) for r in relations.all),
        *((t.label, partial(topic_first, t.id)) for t in words.topics),
        *((d.one, partial(word_first, d.one)) for d in words.denominations),
        *((t.label, partial(word_first, t.label)) for t in words.terms),
    ]
    found = [first() for label, first in named if _content(label) == asked]
    numbers = set(re.findall(r"\b\d+\b", question)) - {c[4] for c in index()["codes"]}
    best = next((d[1] for d in documents if d[0] == "rule"), None)
    for rule in (rule for rule in relations.all if rule.id == best):
        laws = [p.heading for a in rule.addresses if (p := book().provision(a))]
        texts = [rule.label, *laws, *(version.text for version in rule.versions)]
        matter = asked - numbers
        missing = matter - _content(" ".join(texts))
        near = 2 * len(missing) <= len(matter) and not missing & _content(" ".join(NUMBERS))
        found += [rule_first(rule, numbers, changes=True)] if near else []
    return [said for said in found if said][:1]


def _content(text: str) -> set[str]:
    data = index()
    return {looked_up(w, data) for w in words_of(text) if w not in data["passed"]}


def fits(hits: Iterable[Hit]) -> bool:
    """Whether any hit covers more than `FITS` of the question."""
    return any(hit.part > FITS for hit in hits)


def read_question(question: str, data: Index) -> tuple[list[str], float]:
    """The features of a question, with players' phrases replaced by law terms, and the share of its
    words that are known, from 0 to 1.
    """
    text = f" {' '.join(words_of(question))} "
    features: dict[str, None] = {}
    for phrase, say in data["say"].items():
        padded = f" {' '.join(words_of(phrase))} "
        if " " in phrase and padded in text:
            text = text.replace(padded, " a ")
            features |= {f"={looked_up(w, data)}": None for w in say}
    features |= dict.fromkeys(law_features(text.split(), data))
    words = terms_of(features)
    known = sum(f"={word}" in data["postings"] for word in words)
    return list(features), known / len(words) if words else 1.0


def terms_of(features: Iterable[str]) -> list[str]:
    """The words among the features of a question, in index form."""
    return [feature[1:] for feature in features if feature[0] == "="]


def _dated(question: str, code: str | None, data: Index) -> tuple[list[str], str]:
    """The codes that a question is about, and the question without their names.

    These are the code given or, without one, the codes that the question names and those of its
    years. If it names any of these codes, they are only those. A name that the laws use for
    something else counts only beside its year. A question who made a code keeps the name.
    """
    words = words_of(question)
    meant = [c for c in data["codes"] if c[4] in words or any(c[5].get(w) == 3 for w in words)]
    named = [c for c in meant if any(w in c[5] for w in words if w.isalpha())]
    kept = code or re.search(data["made"], question, re.IGNORECASE)
    for _, _, _, _, year, names in () if kept else named:
        name = "|".join(names)
        alone = [rf"\b{w}\b" for w, sure in names.items() if sure == 3]
        beside = [rf"\b({name}) ((of|in) )?{year}\b", rf"\b{year} ({name})\b", *alone]
        question = re.sub("|".join(beside), " ", question, flags=re.IGNORECASE)
    return [code] if code else [c[0] for c in named or meant], question


def _shares(
    question: str, features: list[str], code: str | None, dated: list[str], timed: bool, data: Index
) -> Iterator[tuple[int, float]]:
    """Yield the documents to search, as pairs of the index in `docs` and a weight.

    The provisions are those in force under a code or, without one, under any code. Laws of the
    base, of an ancestor, of a code that is not among those `dated`, or of an option that the
    question does not name weigh less. Laws with a figure weigh more if the question asks for an
    amount. Rules are searched only if the question is `timed`: it asks when something came or went.
    """
    codes = data["codes"]
    bases = {c[0]: c[2] for c in codes}
    chain = [code, bases[code]] if code else [c[0] for c in codes]
    words = terms_of(features)
    amount = AMOUNTS.search(question.lower()) is not None
    for n, (kind, where, _, _, *rest) in enumerate(data["docs"]):
        if kind != "law":
            foreign = kind == "reading" and where.partition(":")[0] not in chain
            if kind in data["weights"] and not foreign and (timed or kind != "rule"):
                yield n, data["weights"][kind]
            continue
        law = Law(*rest)
        owner = codes[law.code][0]
        if owner not in chain or (code and code in (codes[c][0] for c in law.displaced)):
            continue
        share = law.weight / 100
        if law.option and not any(looked_up(w, data) in words for w in law.option.split("-")):
            share *= OPTIONAL
        if not dated:
            share *= ANCESTOR if codes[law.code][3] else 1
        elif owner not in dated:
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
    rules = book().relations.of.get(address, [])
    return tuple(dict.fromkeys(a for rule in rules for a in rule.addresses if a != address))


def find_silences(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 6
) -> list[Silence]:
    """The silences that answer a question, under a code or, without one, under those that the
    question names or, if it names none, under any code.
    """
    data = index()
    if re.search(data["made"], question, re.IGNORECASE):
        return []
    dated, undated = _dated(without_time(question), code, data)
    codes = dated or book().ids
    years = {c[4] for c in data["codes"]}
    asked = [w for w in terms_of(read_question(undated, data)[0]) if w not in years]
    say = {looked_up(w, data): s for w, s in data["say"].items() if " " not in w}
    likely = {w: {w, *(looked_up(x, data) for x in say.get(w, ()))} for w in asked}
    chain = {c.id for c in book().chain(code)} if code else set()
    games = {looked_up(w, data) for c in book().codes for w in words_of(c.short)}
    docs = {w: [data["docs"][n] for n, _ in posted(data, f"={w}")] for w in asked}
    own = {w for w, found in docs.items() for d in found if str(d[1]).partition(":")[0] in chain}
    foreign = {w for w in asked if code and w not in games | own}
    found: list[tuple[Silence, float]] = []
    for silence, name, asking in _silences():
        if silence.code not in codes or (topic is not None and topic not in silence.topics):
            continue
        named = [w for w in asked if likely[w] & name]
        if not all(likely[w] & (name | asking) for w in asked):
            of_topic = silence.topics and silence.state != "absent"
            named = [w for w in named if of_topic and w in foreign]
        if named:
            found.append((silence, len(named) / len(name)))
    best = sorted(range(len(found)), key=lambda n: -found[n][1])[:limit]
    return [found[n][0] for n in sorted(best) if found[n][1] >= AS_WELL * found[best[0]][1]]


@cache
def _silences() -> Sequence[tuple[Silence, set[str], set[str]]]:
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


# --- a law to compare -----------------------------------------------------------------------------


def law_to_compare(subject: str, code: str | None = None) -> Address:
    """The law that a citation or the name of a rule names; `code` is used if it names none.

    Raises `Unread` if it is not a law, with the topics or commands to try instead.
    """
    if law := law_of_rule(subject, code):
        return law
    try:
        address = read_citation(subject, code)
    except Unread as error:
        if re.search(r"\d", subject) or len(subject) > WORDS.most:
            raise
        for family in book().vocabulary.families:
            if family.label.lower() == subject.lower():
                topics = ", ".join(t.id for t in book().topics.values() if t.family == family.id)
                message = f"`{subject}` is a group of topics; compare one of {topics}"
                raise Unread(message) from error
        near = [f"compare {topic}" for topic in _topics_near(subject)]
        tries = and_words((f"`oddtrick {words}`" for words in (*near, f"search {subject}")), "or")
        raise Unread(f"`{subject}` is neither a topic nor a citation; try {tries}") from error
    if not address.local:
        message = f"`{subject}` is a whole code; use `oddtrick concordance` to compare whole codes"
        raise Unread(message)
    if address.is_reading:
        raise Unread(f"`{address}` is a reading; compare a law on which it bears")
    return address


def _topics_near(words: str) -> list[str]:
    laws = [book().provision(hit.address) for hit in search(words, limit=3)]
    lacks = [topic for silence in find_silences(words) for topic in silence.topics[:1]]
    return list(dict.fromkeys([*lacks, *(t for p in laws if p for t in p.topics[:1])]))[:3]
