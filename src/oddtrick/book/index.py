"""The search index, and the function that scores documents with it.

Disputes are scored by naive Bayes trained on descriptions of them; provisions, topics, terms,
findings, codes and pages by BM25. Both use integer weights. `assets/search.js` uses the same index.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import accumulate, chain, pairwise, product
from math import exp, log, sqrt
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from oddtrick.book.first import laws_with, rule_first, rules_on, word_first
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.silences import ruled
from oddtrick.book.write_citation import date_words
from oddtrick.cards import Suit
from oddtrick.law import store
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.law.names import law_words, path_of
from oddtrick.paths import folder

Json = Any
Index = Mapping[str, Json]

NAME = "search"  # the name of the index in the folder of the compiled lawbook

# --- the words of a text --------------------------------------------------------------------------

Words = Mapping[str, Json]  # how to normalise words: the entries `plain` to `kinds` of the index


def rewrite(text: str, how: Words) -> list[str]:
    """The sentences of a description, in lower case and rewritten by the patterns of `plain`."""
    text = text.lower()
    for pattern, word in how["plain"]:
        text = re.sub(pattern, word, text)
    return [s for s in re.split(how["sentence"], text) if s.strip()]


def words_of(text: str) -> list[str]:
    """The words of a question or a law, in lower case."""
    return re.findall(r"[a-z0-9]+", re.sub(r"['’]s\b|['’]", "", text.lower()))


def stem(word: str, how: Words) -> str:
    """The stem of a word: without its ending and a doubled final letter."""
    for ending, put in how["endings"]:
        if word.endswith(ending) and len(word) - len(ending) >= how["stem"]:
            word = word[: len(word) - len(ending)] + put
            break
    return word[:-1] if len(word) > how["stem"] and word[-1] == word[-2] else word


def looked_up(word: str, how: Words) -> str:
    """The index form of a word: from the table of forms or, if it has none, the stem."""
    forms = how["forms"]
    return str(forms.get(word) or forms.get(short := stem(word, how), short))


def content_words(sentence: str, how: Words, without: Collection[str]) -> list[tuple[str, str]]:
    """The words of a rewritten sentence except those in `without`, each with its index form."""
    found = ((word, spelt(word, how)) for word in sentence.split() if word not in without)
    return [(word, short) for word, short in found if len(short) > 1 or short.isdigit()]


def spelt(word: str, how: Words, mark: str = "") -> str:
    """The index form of a word or, if the index lacks it, the commonest word that begins with it or
    that is one edit away and begins alike. A short word stays as it is, and none becomes a short
    and rare one, since it may be a name. While the index is made, no word is corrected.

    For a question on the laws, `mark` is `=`, with which the words of the laws begin in the index.
    """
    short, known = looked_up(word, how), how.get("postings", {})
    if not known or len(short) < SPELT or mark + short in known or word in how["stop"]:
        return short
    alike = (w for w in _common(mark, short[0]) if one_edit(short, w) or w.startswith(short))
    return next(alike, short)


@cache
def _common(mark: str, letter: str) -> tuple[str, ...]:
    """The words of the index that begin with a letter and may be meant, the commonest first.

    They stand in the index with `mark` before them.
    """
    known = index()["postings"]
    alike = (w for w in known if w.startswith(mark + letter) and w[len(mark) :].isalpha())
    common = (w for w in alike if len(known[w]) * len(w) > LEAST_LIKELY)
    return tuple(w[len(mark) :] for w in sorted(common, key=lambda w: (-len(known[w]), w)))


def one_edit(one: str, other: str) -> bool:
    """Whether two words differ by one letter added, left out or replaced, or two swapped."""
    if len(one) > len(other):
        one, other = other, one
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    rest, longer = one[at:], other[at:]
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return longer[1:] in (rest, rest[1:]) or longer == swapped


def features_of(text: str, how: Words) -> dict[str, tuple[str, ...]]:
    """The features of a description, each with its words.

    A feature is a word, its kind, or two kinds near each other.
    """
    found: dict[str, tuple[str, ...]] = {}
    for sentence in rewrite(text, how):
        words = content_words(sentence, how, how["stop"])
        for word, short in words:
            for feature in (short, *how["kinds"].get(short, ())):
                found.setdefault(feature, (word,))
        firm = [
            (w, how["kinds"].get(short, (short,))) for w, short in words if w not in how["faint"]
        ]
        for i, (word, each) in enumerate(firm):
            for other, near in firm[i + 1 : i + how["near"]]:
                for pair in product(each, near):
                    found.setdefault(" ".join(sorted(pair)), (word, other))
    return found


def law_features(words: Sequence[str], how: Words) -> Iterator[str]:
    """Yield the features of a question or a law: `=a` for each of its content words, and `a+b` for
    two in succession.
    """
    short = [spelt(w, how, "=") for w in words if w not in how["passed"]]
    yield from (f"={word}" for word in short)
    yield from map("+".join, pairwise(short))


# --- scoring --------------------------------------------------------------------------------------


def posted(data: Index, feature: str) -> Iterator[tuple[int, int]]:
    """The documents in which a feature occurs, as pairs of the index in `docs` and the weight."""
    weight, *on = data["postings"].get(feature, (0,))
    return zip(accumulate(on[::2]), (says * (weight or 1) for says in on[1::2]), strict=True)


def scores(features: Iterable[str], data: Index) -> tuple[list[float], list[float]]:
    """The score of each document for these features, and the share of the question it covers.

    The share is between 0 and 1. The score of a dispute is reduced by its `norm` for each unit of
    length of the description.
    """
    norm = data["norm"]
    first, size = len(norm), len(data["docs"])
    sums, covered = [0] * size, [0] * size
    length = full = 0
    for feature in features:
        length += data["postings"].get(feature, (0,))[0]
        found = list(posted(data, feature))
        best = max((says for _, says in found), default=0) if feature[0] == "=" else 0
        full += best
        for place, says in found:
            sums[place] += says
            covered[place] += best
    parts = [has / full if full else 0.0 for has in covered]
    disputes = [data["fine"] * sums[n] - (length - data["prior"]) * norm[n] for n in range(first)]
    return [*disputes, *(sums[n] * sqrt(parts[n]) for n in range(first, size))], parts


# --- the index ------------------------------------------------------------------------------------


@cache
def index() -> Index:
    """The index of the lawbook in use, read from the cache or built.

    `docs` holds the documents as `[kind, where, title, text]`, followed for a provision by the
    fields of `Law`. `postings` maps each feature to a list: its weight, then alternately the
    distance to the next document and the weight there. The other keys are used for normalising
    words and by `book.disputes`.
    """
    found: Index = store.read_or_make(book().home, NAME, made)
    return found


def made() -> Index:
    """Build the index from the lawbook and the documentation."""
    raw, words = book().data["tellings"], _words()
    how: dict[str, Json] = {
        **{k: words[k] for k in ("plain", "sentence", "part", "endings", "stem", "near", "told")},
        "denied": words["denied"],
        **{k: words[k] for k in ("timed", "time_words", "only", "made", "means", "weights")},
        "times": raw["times"],
        "same": [f"{first}*" for first in words["same"].split()],
        **{k: words[k].split() for k in ("passed", "put")},
        **{k: raw[k].split() for k in ("stop", "faint", "numbers")},
        "forms": {},
        "kinds": {},
    }
    how["forms"] = {w: stem(like.split()[0], how) for like in raw["forms"] for w in like.split()}
    for like in raw["alike"]:
        first = like.split()[0]
        for word in like.split():
            own = how["kinds"].setdefault(looked_up(word, how), [])
            own += [] if f"{first}*" in own else [f"{first}*"]
    asked = tuple(dict.fromkeys(t["topic"] for t in raw["tellings"] if "topic" in t))
    names = [*book().irregularities, *(f"topic:{t}" for t in asked), OTHER]
    postings: dict[str, list[int]] = {}
    norm = _tellings(raw, how, names, postings)
    documents = list(_documents())
    _laws([d.fields for d in documents], len(names), how, postings)
    entries = [[book().entry(i, c) for i in book().irregularities] for c in book().ids]
    return {
        **how,
        "say": _players_words(),
        "fine": FINE,
        "prior": PRIOR,
        "strange": STRANGE,
        "floor": UNIT * raw["floor"],
        "apart": UNIT * APART,
        "close": UNIT * CLOSE,
        "docs": [
            *(
                ["dispute", i.id, i.label, i.meaning, i.facts]
                for i in book().irregularities.values()
            ),
            *(["asked", t, book().topics[t].label, ""] for t in asked),
            [OTHER, "", "", ""],
            *(d.shown for d in documents),
        ],
        "norm": norm,
        "postings": postings,
        "absent": {
            code: [n for n, entry in enumerate(found) if entry and entry[0].absent]
            for code, found in zip(book().ids, entries, strict=True)
        },
        "silent": {
            code: [n for n, e in enumerate(found) if e and e[0].silent and not e[0].provisions]
            for code, found in zip(book().ids, entries, strict=True)
        },
        "cues": [
            cue
            | {
                "words": book().facts[cue["fact"]].values[cue["value"]],
                "said": [[sentences(w, how)[0] for w in s.split(" + ")] for s in cue["said"]],
            }
            for cue in raw["cues"]
        ],
        "dealer": [c for c in book().ids if book().rules(c).value("declarer") == "dealer"],
        "codes": [
            [c.id, int(c.keeps_numbers), c.extends or "", int(c.ancestor), c.date[:4], _called(c)]
            for c in book().codes
        ],
    }


@cache
def _words() -> dict[str, Json]:
    """The data of `index.toml`, with the named parts substituted in the patterns."""
    import tomllib  # needed only to build the index

    words = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for name, part in words["parts"].items():
        for rules in ("plain", "told"):
            words[rules] = [[pattern.replace(name, part), put] for pattern, put in words[rules]]
    return words


def _called(code: Code) -> dict[str, int]:
    """Map each word of a code's names to 2 if it identifies the code in a citation, to 3 if it does
    so in any text because no other code's laws use it, otherwise to 1.
    """
    others = " ".join(p.text for c in book().codes for p in c.provisions if c.id != code.id)
    used = {*words_of(others)}
    found = {}
    for word in (*code.id.split("-"), *(a for a in code.aliases if " " not in a)):
        found[word] = 1
        with suppress(Unread):
            read = read_citation(f"{word} law {code.laws[0].number}")
            alone = word in code.id.split("-") and word.isalpha() and word not in used
            found[word] = (3 if alone else 2) if read.code == code.id else 1
    return found


def _players_words() -> dict[str, list[str]]:
    """Players' words and phrases, longest first, each with the corresponding words of the laws.

    A phrase that the laws print with a hyphen, such as `no trump`, needs no translation.
    """
    said = ((w, words_of(" ".join(s.say))) for s in book().vocabulary.synonyms for w in s.words)
    phrases = {w: say for w, say in said if " " not in w or not " ".join(say).startswith(w)}
    return dict(sorted(phrases.items(), key=lambda item: (-len(item[0]), item[0])))


# --- disputes: naive Bayes ------------------------------------------------------------------------

PAIR = 0.5  # the weight of two words near each other, since each also counts by itself
SPELT = 5  # the fewest letters of a word that may be misspelt
LEAST_LIKELY = 50  # length times length of its postings; below this no spelling is corrected to it
MANY = 5  # the number of descriptions in which a pair of words must occur to be used
SPREAD = 0.4  # how fast a feature loses weight if many irregularities share it evenly
RARE = 0.3  # added to the number of descriptions with a feature, to damp rare features
PRIOR = 100  # subtracted from a text's length: without words, frequent irregularities rank first
SMOOTH = 0.02  # the count of a feature that occurs in no description of an irregularity
UNIT = 1000  # the unit of `floor`, `APART` and `CLOSE` in scores
FINE = 100  # the resolution of norms relative to weights
STRANGE = 4  # beyond the first, one word in this many may be unknown if the result is to fit
APART = 160  # by how much a part of a text must tell of one dispute rather than another
CLOSE = 40  # disputes whose scores differ by less fit about as well
OTHER = "other"  # the class of texts that are not about the game


def sentences(text: str, how: Words) -> list[str]:
    """The sentences of a text, rewritten for its facts, with all words in index form."""
    found = []
    for sentence in rewrite(text, how):
        for pattern, word in how["told"]:
            sentence = re.sub(pattern, word, sentence)
        words = (_same(short, how) for _, short in content_words(sentence, how, ()))
        found.append(f" {' '.join(words)} ")
    return found


def _same(short: str, how: Words) -> str:
    """The class that a word stands for in a fact, if it has one of those, otherwise the word."""
    return next((kind for kind in how["kinds"].get(short, ()) if kind in how["same"]), short)


def _tellings(
    raw: Json, how: Words, names: Sequence[str], postings: dict[str, list[int]]
) -> list[int]:
    """Train naive Bayes on the descriptions, scaled to equal length, and return the norms.

    A feature spread evenly over many classes weighs less. Adds the weights to `postings`.
    """
    texts = [(i.id, text) for i in book().irregularities.values() for text in (i.label, i.meaning)]
    texts += [(i.id, text) for i in book().irregularities.values() for text in i.said]
    texts += [
        (item["irregularity"] if "irregularity" in item else f"topic:{item['topic']}", text)
        for item in raw["tellings"]
        for text in item["said"]
    ]
    texts += [(OTHER, text) for text in raw["other"]]
    documents = [(name, features_of(text, how)) for name, text in texts]
    often = Counter(f for _, found in documents for f in found)
    here = Counter((f, name) for name, found in documents for f in found)
    common = {f for (f, _), n in here.items() if n > 1} | {f for f, n in often.items() if n >= MANY}
    length = {f: PAIR if " " in f else 1.0 for f in often if " " not in f or f in common}
    says: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    total: dict[str, float] = defaultdict(float)
    for name, found in documents:
        known = [f for f in found if f in length]
        scale = sqrt(sum(length[f] ** 2 for f in known)) or 1.0
        for f in known:
            says[f][name] += length[f] / scale
            total[name] += length[f] / scale
    place = {name: n for n, name in enumerate(names)}
    for f, on in says.items():
        if set(on) != {OTHER}:
            damped = often[f] / (often[f] + RARE)
            shares = [says_of / sum(on.values()) for says_of in on.values()]
            entropy = -sum(share * log(share) for share in shares)
            weight = round(100 * length[f] * exp(-SPREAD * entropy) * damped)
            each = {place[name]: _level(1 + k / SMOOTH) for name, k in on.items()}
            postings[f] = _posting(weight, each)
    return [_level(total[name] + SMOOTH * len(length), FINE) for name in names]


def _level(often: float, fine: int = 1) -> int:
    """A count on a logarithmic scale, rounded: multiplying it by e adds `3 * fine`."""
    return round(3 * fine * log(often))


# --- other documents: BM25 ------------------------------------------------------------------------

FIELDS = {"label": 6.0, "heading": 5.0, "topic": 2.0, "question": 1.0, "text": 1.5, "year": 1.5}
"""The fields of a document, with the weight of a word in each."""

SPOKEN = {"disputes": 4.0, "said": 3.0}
"""The fields of a provision with the words for the irregularities on which it rules."""

RULED_WEIGHT = 0.25  # the weight, for a law, of the words for an irregularity on which it rules
LIKE = 0.7  # the weight of a law's word that a player's word may mean
PHRASE = 0.4  # the weight of two words in succession
SATURATION, LENGTH = 1.2, 0.6  # the parameters of BM25
MANUAL = 2000  # the characters of a section of the manual that are indexed
FAINT = 0.06  # postings up to this share of a feature's best are dropped

TENTHS = 10


class Document(NamedTuple):
    """A document: its entry in `docs`, and the texts of its fields."""

    shown: list[Json]
    fields: Mapping[str, str]


def _page(kind: str, where: str, title: str, text: str, /, **fields: str) -> Document:
    """A document other than a provision, indexed by its title and text unless `fields` differ."""
    return Document([kind, where, title, text], {"label": title, "text": text} | fields)


class Law(NamedTuple):
    """The further fields of a provision in `docs`, after kind, address, heading and text.

    It is `alone` if no other code has its rule.
    """

    code: int
    weight: int
    option: str
    figures: int
    alone: int
    displaced: list[int]
    rules: list[int]
    topics: list[str]


LISTS = (
    ("readings/", "doubts, misprints and doubtful readings", "Each doubt, and how it is resolved."),
    ("#silent", "silences: what the code leaves silent", "Each silence, and its reason."),
)
"""The lists that a code's pages contain: URL below the code's, words that ask for it, contents."""


def _documents() -> Iterator[Document]:
    yield from _provisions()
    words = book().vocabulary
    for t in words.topics:
        story = book().stories.get(t.id)
        fields = {"question": t.question, "text": story.text if story else ""}
        yield _page("topic", f"topics/{t.id}/", t.label, t.question, **fields)
    holding = {t.id: {r.id for r in rules_on(t.id)} for t in words.topics}
    for rule in book().relations.all:  # in the order of `Law.rules`
        laws = [p for a in rule.addresses if (p := book().provision(a))]
        often = Counter(p.topics[0] for p in laws)
        topic = max((t for t in holding if rule.id in holding[t]), key=lambda t: often[t])
        shown = ["rule", rule.id, rule.label, rule_first(rule, changes=True), topic]
        headings = " / ".join(dict.fromkeys(p.heading for p in laws))
        yield Document(shown, {"label": rule.label, "question": headings})
    firsts = {r.label.lower(): partial(rule_first, r) for r in book().relations.all}
    for term in words.terms:
        first_in = firsts.get(term.label.lower(), partial(word_first, term.label))
        own = ((c, p) for c in book().codes for p in c.provisions if term.id in p.terms)
        defined = (f"{c.short}: {p.text} {p.note or ''}".strip() for c, p in own)
        text = " ".join(filter(None, (first_in(), next(defined, ""))))
        yield _page("term", f"glossary/#{term.id}", term.label, text)
    named = {*(t.label for t in words.terms), *(suit.word for suit in Suit)}
    for d in (d for d in words.denominations if d.label not in named and not d.royal_of):
        first = next(chain.from_iterable(laws_with(d.one).values()), None)
        where = path_of(first) if first else "figures/#denominations"
        yield _page("term", where, d.label, word_first(d.one))
    for f in words.findings:
        label = f"{f.label} {f.id}"
        yield _page("finding", f"rules/{f.id}/", f.label, f.meaning, label=label)
    for code in book().codes:
        label = f"{code.short} {' '.join(code.aliases)}"
        text = f"{code.title}. {code.body}, {date_words(code.date)}. From {code.source.book}."
        yield _page("code", f"codes/{code.id}/", code.short, text, label=label)
        title = f"An evening of {code.short}"
        text = f"How an evening of {code.short} goes, from the cut to the settling of the score."
        label = f"{title} {code.title} {' '.join(code.aliases)}"
        yield _page("code", f"codes/{code.id}/evening/", title, text, label=label)
        silent = any(t.state == "silent" for t in code.topics.values())
        silent = silent or any(e.silent and not e.option for e in code.entries)
        for where, contents, text in LISTS if silent else LISTS[:1]:
            title, label = f"{code.short}: {contents}", f"{contents} {' '.join(code.aliases)}"
            yield _page("code", f"codes/{code.id}/{where}", title, text, label=label)
        for before in (d.of for d in code.descent):
            short, where = book().names[before], f"concordance/{before}--{code.id}/"
            title = f"{code.short}: what is dropped, new or changed since {short}"
            text = f"Every law of {short} with its counterpart in {code.short}."
            label = f"{title} added {' '.join(code.aliases)}"
            yield _page("code", where, title, text, label=label)
    yield from _readings()
    yield from (_page("page", *page) for page in _words()["pages"])
    yield from _manual()


def _readings() -> Iterator[Document]:
    topics = book().topics
    for code in book().codes:
        for reading in code.readings:
            labels = [topics[t].label for t in book().topics_of_readings[reading.address]]
            label = f"doubtful reading {reading.question}"
            choice = next(c for c in reading.choices if c.id == reading.applied)
            fields = {"label": label, "topic": " ".join(labels), "text": ""}
            yield _page("reading", reading.address, reading.question, choice.text, **fields)


def _provisions() -> Iterator[Document]:
    topics, irregularities = book().topics, ruled()
    ids = book().ids
    places = {rule.id: n for n, rule in enumerate(book().relations.all)}
    for code in book().codes:
        for p in code.provisions:
            rules = book().relations.of.get(p.address, [])
            kind = book().passage(p.address)
            weight = kind.weight if kind else 100
            others = [o for a in p.displaced_by if (o := book().provision(a)) and not o.option]
            gone = dict.fromkeys(o.address.code for o in others if o.address.code != code.id)
            displaced = [ids.index(c) for c in gone]
            shared = any(a.code != code.id for rule in rules for a in rule.addresses)
            alone = int(not shared and not book().restates(p.address))
            own = (ids.index(code.id), weight, p.option or "", int(bool(p.figures)), alone)
            law = Law(*own, displaced, [places[rule.id] for rule in rules], list(p.topics))
            found = [book().irregularities[i] for i in irregularities.get(p.address, ())]
            labels = [rule.label for rule in rules]
            labels += [option.label for option in code.options if option.id == p.option]
            labels += [t.label for t in book().vocabulary.terms if t.id in p.terms]
            labels += [law_words(p.address)] if kind and kind.role == "gloss" else []
            fields = {
                "label": " ".join(labels),
                "heading": p.heading,
                "topic": " ".join(topics[t].label for t in p.topics),
                "question": " ".join(topics[t].question for t in p.topics),
                "text": p.text,
                "year": code.date[:4],
                "disputes": " / ".join(i.label for i in found),
                "said": " / ".join(s for i in found for s in i.said),
            }
            yield Document(["law", p.address, p.heading, p.text, *law], fields)


_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\|.*$", re.MULTILINE)
_MARKUP = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[([^\]]+)\]\([^)]*\)|<[^>]+>|[`*|]")


def _without_markup(text: str) -> str:
    return " ".join(_MARKUP.sub(r"\1", text).split())


def _manual() -> Iterator[Document]:
    for path in sorted(folder("docs").glob("*.md")):
        title = ""
        written = _CODE.sub("", path.read_text("utf-8"))
        for part in re.split(r"^(?=#+ )", written, flags=re.MULTILINE):
            heading, _, text = part.partition("\n")
            found = re.match(r"(#+) (.*?)(?:\s*\{ ?#([\w-]+) ?\})?$", heading.strip())
            if not found or len(found[1]) > 2:
                continue
            name = re.sub(r"[`*]", "", found[2])
            title = title or name
            slug = re.sub(r"[^\w\s-]", "", name.lower()).strip()
            anchor = found[3] or re.sub(r"[-\s]+", "-", slug)
            where = f"{path.stem}/" if len(found[1]) == 1 else f"{path.stem}/#{anchor}"
            prose = _without_markup(_TABLE.sub("", text))
            shown = name if name == title else f"{title}: {name}"
            shortened = shorten(prose, 160, placeholder=" \u2026")
            yield _page("page", where, shown, shortened, text=_without_markup(text)[:MANUAL])


def _laws(
    documents: Sequence[Mapping[str, str]], first: int, how: Words, postings: dict[str, list[int]]
) -> None:
    """Add the weights of all features to `postings`; the first document has the index `first`."""
    texts = [{k: words_of(v) for k, v in fields.items()} for fields in documents]
    own, spoken = (_ranks(texts, fields, how) for fields in (FIELDS, SPOKEN))
    like: dict[str, list[str]] = {}
    for words, say in _players_words().items():
        if " " not in words:
            like.setdefault(f"={looked_up(words, how)}", [f"={looked_up(w, how)}" for w in say])
    for feature in sorted({*own, *spoken, *like}):
        phrase = "+" in feature
        weight, share = (PHRASE, PHRASE) if phrase else (1.0, RULED_WEIGHT)
        ways = [(feature, 1.0), *((other, LIKE) for other in like.get(feature, ()))]
        found = {d: weight * rank for d, rank in _best(ways, own).items()}
        ways = ways[1:] if feature not in own and feature in like else ways
        for d, rank in _best(ways, spoken).items():
            found[d] = found.get(d, 0.0) + share * rank
        least = FAINT * max(found.values(), default=0.0)
        each = {first + d: round(TENTHS * rank) for d, rank in found.items() if rank > least}
        if len(each) > phrase and not (phrase and feature.replace("+", "").isdigit()):
            postings[feature] = _posting(0, each)


def _best(
    ways: Iterable[tuple[str, float]], ranks: Mapping[str, Mapping[int, float]]
) -> dict[int, float]:
    """The documents with any of these features, each with its highest weighted rank."""
    found: dict[int, float] = {}
    for feature, share in ways:
        for d, rank in ranks.get(feature, {}).items():
            found[d] = max(found.get(d, 0.0), share * rank)
    return found


def _posting(weight: int, says: Mapping[int, int]) -> list[int]:
    """A feature's posting list: its weight, then alternately the distance to a document and the
    weight there, which for a dispute is a multiple of the feature's.
    """
    steps, last = [weight], 0
    for place in sorted(says):
        steps += (place - last, says[place])
        last = place
    return steps


def _ranks(
    texts: Sequence[Mapping[str, list[str]]], weights: Mapping[str, float], how: Words
) -> dict[str, dict[int, float]]:
    """The BM25 rank of each document for each feature; frequencies are those in provisions."""
    counts: list[tuple[dict[str, float], int]] = []
    for fields in texts:
        weighed: dict[str, float] = defaultdict(float)
        for field in weights.keys() & fields.keys():
            for feature in law_features(fields[field], how):
                weighed[feature] += weights[field]
        counts.append((weighed, sum(len(fields.get(field, ())) for field in weights)))
    laws = [one for one, fields in zip(counts, texts, strict=True) if "heading" in fields]
    spread = Counter(feature for weighed, _ in laws for feature in weighed)
    mean = max(sum(length for _, length in laws), 1) / max(len(laws), 1)
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for d, (weighed, length) in enumerate(counts):
        damp = SATURATION * (1 - LENGTH + LENGTH * length / mean)
        for feature, often in weighed.items():
            rare = log((len(laws) - spread[feature] + 0.5) / (spread[feature] + 0.5))
            found[feature][d] = max(rare, 0.1) * often * (SATURATION + 1) / (often + damp)
    return found


def url_of(document: Sequence[Json]) -> str:
    """The URL of a document, relative to the root of the site."""
    kind, where = document[0], str(document[1])
    if kind in ("law", "reading"):
        return path_of(where)
    if kind == "rule":
        return f"topics/{document[4]}/#first"
    return f"disputes/{where}/" if kind == "dispute" else where


def title_of(document: Sequence[Json]) -> str:
    """The title of a document among the hits: `Auction 1912, law 4 (2): Odd trick values`."""
    kind, where, title = document[:3]
    if kind not in ("law", "reading"):
        return str(title)
    code = book().code(Address(where).code)
    words = "reading" if kind == "reading" else law_words(where)
    named = code.short if code.date[:4] in code.short else f"{code.short} {code.date[:4]}"
    return f"{named}, {words}: {title}"
