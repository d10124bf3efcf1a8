"""Searching the lawbook: ranked, tolerant of inflection, spelling, small slips, and of players' own
words.

One index in SQLite's FTS5 answers for the laws; the catalogue of disputes lends it its words (which
dispute a player means is found by `rulings.finder`). It is made once for each state of the law data
and kept beside the compiled lawbook. A hit among the laws is a parallel: the provisions of several
codes that are one rule are one hit, the best of them first.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.book.silences import ruled, silences
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Provision, Silence, Topic

INDEX = "search-8.sqlite"
STOP = frozenset(
    (
        "a an and are as at be been but by can could did do does doing for from get gets had "
        "has have having he her his how i if in into is it its just let many may me might "
        "much must my of on one or our out's she should so some than that the their them then "
        "there they this to up us was we were what when where which while who whom why will "
        "with would you your am any someone somebody anyone anybody happen happens happened "
        "thing mean means allowed under code law laws rule rules"
    ).split()
)
"""Words of a question that say nothing of what is asked."""

NAMES = frozenset(
    (
        "north east south west heart hearts spade spades diamond diamonds club clubs ace aces king "
        "kings queen queens jack knave ten nine eight seven six five four three two deuce trey one "
        "first second third fourth last say says said saying want wants wanted now then still only "
        "anything something nobody man player opponent"
    ).split()
)
"""Words that tell one dispute from another only by who sat where and what he held."""

Term = tuple[str, list[str]]
"""A word of a question, and words of the laws that it may stand for."""

OPTIONAL = 0.6
"""How much a law under an option counts beside the code's own."""

LIKE = 0.7
"""How much a word counts that a player's word may stand for, beside the word itself."""

SAID_SHARE = 0.35
"""How much the words of an irregularity count for a law that rules it, beside the law's own."""

FITS = 0.5
"""A law that answers to no more of a question than this does not fit it well."""

GUESSED = 0.6
"""How far a misspelt word is understood."""

LONGEST = 2000
"""A question of more letters is not searched for: every word of it is looked for among all that
there are, and those that begin alike.
"""

MISSPELT = 2
"""Letters by which a misspelt word is longer or shorter at most."""

SHORT = 5
"""Letters of a word that is near many others."""

WHOLE_CASE = 3
"""Words that it takes to tell what happened: fewer ask rather for a rule."""

WHOLE_LAW = 0.3
"""How much the whole law counts beside the provision, among those that the question finds."""

COVER = 0.5
"""How much it counts that a law has all the words of a question, and not one of them often."""

PAIR = 0.3
"""How much two words in a row count beside three."""

BASE = 0.75
"""How much a law that a code takes from its base counts beside the code's own."""
ELSEWHERE = 0.3
"""How much a law of another code counts where the question names a code by its year."""
YEAR = re.compile(r"(?<!\d)1\d{3}(?!\d)")

AMOUNT = 1.3
"""How much more a law with a figure counts where an amount is asked."""

AMOUNTS = re.compile(
    r"\b(how (much|many)|worth|value|points?|bonus|cost|"
    r"what (do|does|did|will) (i|we|it|they) (get|score))\b"
)
"""How an amount is asked."""

CITED = 1000.0
"""The score of what a question cites."""


class Table(NamedTuple):
    """A table of the index, and how much a word counts in each of its columns."""

    name: str
    columns: tuple[str, ...]
    weights: tuple[float, ...]


LAWS = Table("docs", ("label", "heading", "topic", "question", "text"), (6.0, 5.0, 2.5, 2.0, 1.0))
"""Provisions: the parallel's label, the heading, the topic's label and question, the text."""

WHOLE = Table("whole_laws", ("text",), (1.0,))
"""Provisions again, in the same rows: all the words of the law that each belongs to."""

SPOKEN = Table("spoken", ("label", "said"), (4.0, 3.0))
"""Provisions again: the labels of the irregularities that they rule, and what players say of
them.
"""

DISPUTES = Table("disputes", ("label", "said", "meaning", "facts"), (6.0, 5.0, 3.0, 1.0))
"""Irregularities: the label, what players say, the meaning, the answers to its facts."""


SILENCES = Table("silences", ("label", "question", "reason"), (6.0, 2.0, 1.0))
"""What the codes have not: the topic or the clause, the questions of its topics, the reason."""

FAINT = 0.15
"""A law that answers a word no better than this, beside the best, is not told to the page."""

AS_WELL = 0.6
"""How well a silence must answer beside the best of them to be told."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit: the best provision, how well it answers (greater is better), the rule's other
    provisions; how much of the question it answers to, 0 to 1.
    """

    address: Address
    score: float
    heading: str
    text: str
    also: tuple[Address, ...]
    part: float


def search(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 10
) -> list[Hit]:
    """The hits for a question, best first; none for a question without a word that any law has.

    `code` and `topic` restrict the provisions. A citation (`1912 law 84`) finds what it cites
    first.
    """
    hits: list[Hit] = []
    with contextlib.suppress(Unread):
        hits = _cited(read_citation(question, code), topic)
    with contextlib.closing(_index()) as index:
        players = _players(index)
        terms = _terms(question, index, players)
        scores, parts = _law_scores(index, terms, _in_law_words(question, index, players))
        known = _known_part(question, index, players)
        parts = {row: part * known for row, part in parts.items()}
        found = _hits(index, _weighted(index, scores, question, terms, code), parts, topic)
    cited = {h.address for h in hits}
    return (hits + [h for h in found if h.address not in cited])[:limit]


def fits(hits: Iterable[Hit]) -> bool:
    """Whether any hit answers to more than `FITS` of the question, so that it is answered."""
    return any(hit.part > FITS for hit in hits)


def unsaid(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 6
) -> list[Silence]:
    """What a code (none: any but an ancestor) has not of what a question asks, in the order of the
    codes.

    Those with a word of the question in their name and every word somewhere, and of one code the
    topics named by a word that none of its laws has; of each what answers nearly as well as the
    best.
    """
    with contextlib.closing(_index()) as index:
        terms = _terms(question, index, _players(index))
        asked = [(t, o, 1.0) for t, o in terms]
        each = list(_each(index, SILENCES, asked))
        name = SILENCES._replace(weights=(1.0, 0.0, 0.0))
        named = [
            {row for row, rank in best.items() if rank > 0.0} for best in _each(index, name, asked)
        ]
        has = _owners(index, terms) if code else []
    every = [s for s, _ in _silences()]
    whole, unheard = dict[int, float](), dict[int, float]()
    for row, silence in enumerate(every, 1):
        if silence.code not in ((code,) if code else book().principal):
            continue
        if topic is not None and topic not in silence.topics:
            continue
        if any(row in names for names in named) and all(row in best for best in each):
            whole[row] = sum(best[row] for best in each)
        chain = {c.id for c in book().chain(silence.code)}
        if silence.topics and silence.state != "absent":
            by_name = zip(each, named, has, strict=False)
            unheard[row] = sum(
                b[row] for b, names, by in by_name if row in names and not by & chain
            )
    found = {**_best(unheard), **_best(whole)}
    rows = sorted(found, key=lambda row: -found[row])[:limit]
    return [every[row - 1] for row in sorted(rows)]


def _best(found: Mapping[int, float]) -> dict[int, float]:
    """Of some rows those that answer nearly as well as the best, and at all."""
    least = AS_WELL * max(found.values(), default=0.0)
    return {row: score for row, score in found.items() if score >= least > 0.0}


def _owners(index: sqlite3.Connection, terms: list[Term]) -> list[set[str]]:
    """For each word the codes in whose laws it stands, or what it may stand for; for the name of a
    game all of them.
    """
    query = (
        "SELECT address FROM entries WHERE rowid IN "
        f"(SELECT rowid FROM {LAWS.name} WHERE {LAWS.name} MATCH ?)"
    )
    found, every = [], {c.id for c in book().codes}
    games = {word for c in book().codes for word in c.short.lower().split()}
    for term, others in terms:
        match = " OR ".join(f'"{word}"' for word in (term, *others) if word)
        by = {a.partition(":")[0] for (a,) in index.execute(query, (match,))}
        found.append(every if term in games else by)
    return found


def law_table() -> dict[str, dict[Address, float]]:
    """What a word adds to the score of each law: by its provision that answers it best.

    Of the words of the laws and of players, for the page that searches without SQLite. What is
    less than a share of the word's best (`FAINT`) is left out.
    """
    with contextlib.closing(_index()) as index:
        players = _players(index)
        query = "SELECT label || ' ' || heading || ' ' || topic || ' ' || text FROM docs"
        said = [
            text for table in (query, "SELECT said FROM spoken") for (text,) in index.execute(table)
        ]
        said += [w for w in players if " " not in w]
        words = {w for text in said for w in re.findall(r"[a-z0-9]+", text.lower())} - STOP
        rows = index.execute("SELECT rowid, address, weight, option FROM entries").fetchall()
        own = {p.address: p.law for code in book().codes for p in code.provisions}
        weighed = {row: (own[a], w * (OPTIONAL if option else 1.0)) for row, a, w, option in rows}
        found: dict[str, dict[Address, float]] = {}
        for word in sorted(words):
            scores, _ = _law_scores(index, [(word, players.get(word, []))], "")
            best: dict[Address, float] = {}
            for row, score in scores.items():
                law, weight = weighed[row]
                best[law] = max(best.get(law, 0.0), score * weight)
            least = FAINT * max(best.values(), default=0.0)
            found[word] = {law: score for law, score in best.items() if score > least}
    return {word: scores for word, scores in found.items() if scores}


def _law_scores(
    index: sqlite3.Connection, terms: list[Term], question: str
) -> tuple[dict[int, float], dict[int, float]]:
    """Rows of provisions with their scores: by their own words, and by the irregularities that
    they rule; more where they answer to more of the question. Then how much of it, 0 to 1.
    """
    if not terms:
        return {}, {}
    own = [(t, o, 1.0) for t, o in terms]
    share = SAID_SHARE * min(1.0, len(terms) / WHOLE_CASE)
    said = []
    for term, others in terms:
        word = "" if others and not _known(term, index, (LAWS,)) else term
        said.append((word, others, share * (0.25 if term in NAMES else 1.0)))
    of_laws, of_cases = _each(index, LAWS, own), _each(index, SPOKEN, said)
    scores, parts = _covering(
        {row: laws.get(row, 0.0) + cases.get(row, 0.0) for row in {*laws, *cases}}
        for laws, cases in zip(of_laws, of_cases, strict=True)
    )
    rows = [(LAWS, 3, 1.0), (LAWS, 2, PAIR), (SPOKEN, 2, share)]
    for table, length, weight in rows:
        phrases = [(p, o, weight) for p, o in _phrases(question, length)]
        for row, rank in _scores(index, table, phrases).items():
            scores[row] = scores.get(row, 0.0) + rank
    for row, rank in _covering(_each(index, WHOLE, own))[0].items():
        if row in scores:
            scores[row] += WHOLE_LAW * rank
    return scores, parts


def _covering(each: Iterable[Mapping[int, float]]) -> tuple[dict[int, float], dict[int, float]]:
    """Rows with their scores for all the words of a question, given those for each word; then how
    much of the question they have, 0 to 1, by which the scores are lowered.
    """
    scores: dict[int, float] = {}
    parts: dict[int, float] = {}
    full = 0.0
    for ranks in each:
        best = max(ranks.values(), default=0.0)
        full += best
        for row, rank in ranks.items():
            scores[row] = scores.get(row, 0.0) + rank
            parts[row] = parts.get(row, 0.0) + best
    parts = {row: part / full if full else 1.0 for row, part in parts.items()}
    return {row: score * parts[row] ** COVER for row, score in scores.items()}, parts


def _scores(
    index: sqlite3.Connection, table: Table, asked: Iterable[tuple[str, list[str], float]]
) -> dict[int, float]:
    """Rows of a table with their scores, for all that is asked together."""
    scores: dict[int, float] = {}
    for best in _each(index, table, asked):
        for row, rank in best.items():
            scores[row] = scores.get(row, 0.0) + rank
    return scores


def _each(
    index: sqlite3.Connection, table: Table, asked: Iterable[tuple[str, list[str], float]]
) -> Iterator[dict[int, float]]:
    """For each word that is asked, with its weight, the rows of a table with the better score of
    the word itself and of what it may stand for.
    """
    weights = ", ".join(map(str, table.weights))
    query = (
        f"SELECT rowid, -bm25({table.name}, {weights}) FROM {table.name} WHERE {table.name} MATCH ?"
    )
    for term, others, weight in asked:
        best: dict[int, float] = {}
        for words, share in (([term], weight), (others, LIKE * weight)):
            match = " OR ".join(f'"{w}"' for w in words if w)
            for row, rank in index.execute(query, (match,)) if match and share else ():
                best[row] = max(best.get(row, 0.0), share * rank)
        yield best


def _cited(address: Address, topic: str | None) -> list[Hit]:
    """The provisions at a cited address, as hits; none for a code as a whole."""
    if not address.local:
        return []
    found = []
    for provision in book().code(address.code).provisions:
        own = provision.address
        if own.within(address) and (topic is None or topic in provision.topics):
            others = dict.fromkeys(a for a in _mates(own) if a != own)
            found.append(Hit(own, CITED, provision.heading, provision.text, tuple(others), 1.0))
    return found


def _mates(address: Address) -> list[Address]:
    """The provisions of the parallels that hold one."""
    rules = book().relations.of.get(address, [])
    return [a for rule in rules for members in rule.members.values() for a in members]


def _weighted(
    index: sqlite3.Connection,
    scores: Mapping[int, float],
    question: str,
    terms: list[Term],
    code: str | None,
) -> dict[int, float]:
    """The rows of provisions in force under a code (none: under any but an ancestor that the
    question does not name by its year), their scores weighted.

    Less counts a law of the code's base, a law of a code that is not of the year in the question,
    and a law under an option that the question does not name; more a law with a figure where an
    amount is asked.
    """
    dated = [] if code else [c.id for c in book().codes if c.date[:4] in YEAR.findall(question)]
    chain = [c.id for c in book().chain(code)] if code else [*book().principal, *dated]
    bases = {c.id for one in dated for c in book().chain(one)}
    named = {w for term, others in terms for w in (term, *others)}
    amount = AMOUNTS.search(question.lower()) is not None
    found: dict[int, float] = {}
    for row, total in scores.items():
        query = "SELECT address, weight, option, figures, displaced FROM entries WHERE rowid = ?"
        name, weight, option, figures, displaced = index.execute(query, (row,)).fetchone()
        owner = name.partition(":")[0]
        if owner in chain and not (code and code in displaced.split()):
            weight *= OPTIONAL if option and not named & set(option.split("-")) else 1.0
            weight *= BASE if code not in (None, owner) else 1.0
            if dated and owner not in dated:
                weight *= BASE if owner in bases else ELSEWHERE
            found[row] = total * weight * (AMOUNT if amount and figures else 1.0)
    return found


def _hits(
    index: sqlite3.Connection,
    scores: Mapping[int, float],
    parts: Mapping[int, float],
    topic: str | None,
) -> list[Hit]:
    """The rows of provisions as hits, those of one parallel as one, the best provision first."""
    rows = []
    for row, score in scores.items():
        query = "SELECT address, heading, text, topics FROM entries WHERE rowid = ?"
        name, heading, text, topics = index.execute(query, (row,)).fetchone()
        if topic is None or topic in topics.split():
            rows.append((score, Address(name), heading, text, parts.get(row, 0.0)))
    hits: list[Hit] = []
    taken: set[str] = set()
    for score, address, heading, text, part in sorted(
        rows, key=lambda r: (-r[0], r[1].code, r[1].order)
    ):
        if address not in taken:
            mates = _mates(address)
            taken.update(mates)
            also = tuple(dict.fromkeys(a for a in mates if a != address))
            hits.append(Hit(address, score, heading, text, also, part))
    return hits


# --- the words of a question ----------------------------------------------------------------------


def _players(index: sqlite3.Connection) -> dict[str, list[str]]:
    """The words of players, the longest first, each with words of the laws that it stands for."""
    rows = index.execute("SELECT words, say FROM players ORDER BY length(words) DESC")
    return {words: say.split() for words, say in rows}


def _terms(question: str, index: sqlite3.Connection, said: dict[str, list[str]]) -> list[Term]:
    """The words of a question to look for, each with words of the laws that it may stand for.

    `said` are the words of players.
    """
    plain = question.lower().replace("’", "'")
    for compound in re.findall(r"[a-z]+-[a-z]+", plain):
        joined = compound.replace("-", "")
        whole = joined in said or _known(joined, index)
        plain = plain.replace(compound, joined if whole else compound.replace("-", " "))
    text = re.sub(r"\s+", " ", " " + re.sub(r"[^a-z0-9' ]+", " ", plain) + " ")
    terms: list[Term] = []
    for words in [w for w in said if " " in w]:
        if f" {words} " in text:
            text = text.replace(f" {words} ", " ")
            terms += [(w, []) for w in said[words]]
    for word in text.split():
        bare = word.strip("'").removesuffix("'s")
        if word in STOP:
            continue
        if bare in said:
            terms.append((bare, said[bare]))
        elif _known(bare, index):
            terms.append((bare, []))
        else:
            terms += [(near, said.get(near, [])) for near in _nearest(bare, index, said)]
    first: dict[str, list[str]] = {}
    for term, others in terms:
        first.setdefault(term, others)
    return list(first.items())


def _in_law_words(question: str, index: sqlite3.Connection, said: dict[str, list[str]]) -> str:
    """A question with each word that only players say put into the one word that the laws say."""

    def put(found: re.Match[str]) -> str:
        say = said.get(found[0], [])
        return say[0] if len(say) == 1 and not _known(found[0], index, (LAWS,)) else found[0]

    return re.sub(r"[a-z0-9]+", put, question.lower())


def _known_part(question: str, index: sqlite3.Connection, said: dict[str, list[str]]) -> float:
    """How much of a question is of words that the laws or the players have, 0 to 1.

    A word that is only near one of theirs counts less; a short one, as likely another, not.
    """
    text = f" {' '.join(re.findall(r'[a-z0-9]+', question.lower()))} "
    for phrase in (w for w in said if " " in w):
        text = text.replace(f" {phrase} ", " a ")
    words = [w for w in text.split() if w not in STOP and len(w) > 1]
    known = []
    for word in words:
        near = len(word) > SHORT and bool(_nearest(word, index, said))
        known.append(1.0 if word in said or _known(word, index) else GUESSED if near else 0.0)
    return sum(known) / len(known) if known else 1.0


def _phrases(question: str, length: int = 3) -> list[Term]:
    """Words of a question in a row that end in one that says something: a law that has them so is
    near, whatever the single words weigh.
    """
    words = re.findall(r"[a-z0-9]+", question.lower())
    rows = [words[i : i + length] for i in range(len(words) - length + 1)]
    return [
        (" ".join(row), [])
        for row in rows
        if row[-1] not in STOP and (length > 2 or row[0] not in STOP)
    ]


def _known(
    word: str, index: sqlite3.Connection, tables: tuple[Table, ...] = (LAWS, DISPUTES)
) -> bool:
    """Whether a word stands in the laws or in the catalogue of irregularities."""
    for table in tables:
        query = f"SELECT 1 FROM {table.name} WHERE {table.name} MATCH ? LIMIT 1"
        if index.execute(query, (f'"{word}"',)).fetchone():
            return True
    return False


def _nearest(word: str, index: sqlite3.Connection, said: Iterable[str]) -> list[str]:
    """The word of the laws, or of players, that a misspelt one is nearest to: one that begins alike
    and is about as long. None if nothing is near.
    """
    if len(word) < 4:
        return []
    query = "SELECT word FROM words WHERE substr(word, 1, 1) = ?"
    alike = [w for (w,) in index.execute(query, (word[0],))]
    alike += [w for w in said if w[0] == word[0] and " " not in w]
    near = [w for w in alike if abs(len(w) - len(word)) <= MISSPELT]
    return difflib.get_close_matches(word, near, n=1, cutoff=0.75)


# --- the index ------------------------------------------------------------------------------------


def _index() -> sqlite3.Connection:
    """The index of the present lawbook; made first, in a file of its own or in memory, where there
    is none.
    """
    home = book().home
    path = home / INDEX if home else None
    if path and path.exists():
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.suppress(sqlite3.DatabaseError):  # damaged: made anew
            found = sqlite3.connect(uri, uri=True)
            if _whole(found):
                return found
            found.close()
    made = sqlite3.connect(":memory:")
    fill(made)
    if home:
        with contextlib.suppress(OSError, sqlite3.Error):
            keep(made, home)
    return made


def _whole(found: sqlite3.Connection) -> bool:
    """Whether an index is undamaged."""
    with contextlib.suppress(sqlite3.DatabaseError):
        filled = found.execute("SELECT 1 FROM players").fetchone()
        return bool(filled) and found.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    return False


def keep(made: sqlite3.Connection, home: Path) -> None:
    """Write the index into a folder of compiled law data: to another name first, then renamed."""
    home.mkdir(parents=True, exist_ok=True)
    temporary = home / f"{INDEX}.{os.getpid()}"
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as file:
            made.backup(file)
        temporary.replace(home / INDEX)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def fill(index: sqlite3.Connection) -> None:
    """Make the tables of the index from the present lawbook."""
    for table in (LAWS, WHOLE, SPOKEN, DISPUTES, SILENCES):
        index.execute(
            f"CREATE VIRTUAL TABLE {table.name} USING fts5({', '.join(table.columns)}, "
            "tokenize='porter unicode61 remove_diacritics 2')"
        )
    index.execute(
        "CREATE TABLE entries (address TEXT, heading TEXT, text TEXT, topics TEXT, weight REAL, "
        "option TEXT, figures INTEGER, displaced TEXT)"
    )
    index.execute("CREATE TABLE words (word TEXT PRIMARY KEY)")
    index.execute("CREATE TABLE players (words TEXT PRIMARY KEY, say TEXT)")
    words = sorted(_fill_laws(index) | _fill_disputes(index))
    _fill_silences(index)
    index.executemany("INSERT INTO words VALUES (?)", [(w,) for w in words])
    for synonym in book().vocabulary.synonyms:
        said = [(w, " ".join(synonym.say)) for w in synonym.words]
        index.executemany("INSERT INTO players VALUES (?, ?)", said)
    index.commit()


def _fill_laws(index: sqlite3.Connection) -> set[str]:
    """The tables of provisions; the result is their words."""
    topics = {t.id: t for t in book().vocabulary.topics}
    irregularities = ruled()
    words: set[str] = set()
    for code in book().codes:
        whole = _whole_laws(code)
        for provision in code.provisions:
            address, rules = provision.address, book().relations.of.get(provision.address, [])
            on: list[Topic] = [topics[t] for t in provision.topics]
            fields = (
                " ".join(r.label for r in rules),
                provision.heading,
                " ".join(t.label for t in on),
                " ".join(t.question for t in on),
                provision.text,
            )
            index.execute("INSERT INTO docs VALUES (?, ?, ?, ?, ?)", fields)
            index.execute("INSERT INTO whole_laws VALUES (?)", (whole[provision.law],))
            found = [book().irregularities[i] for i in irregularities.get(address, ())]
            told = (
                " / ".join(i.label for i in found),
                " / ".join(s for i in found for s in i.said),
            )
            index.execute("INSERT INTO spoken VALUES (?, ?)", told)
            row = (address, provision.heading, provision.text, " ".join(provision.topics))
            how = (
                _weight(address),
                provision.option,
                bool(provision.figures),
                _displaced(provision),
            )
            index.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, *how))
            words |= set(re.findall(r"[a-z]{3,}", " ".join(fields).lower()))
    return words


def _whole_laws(code: Code) -> dict[Address, str]:
    """For each law of a code its heading and the texts of its provisions."""
    texts: dict[Address, list[str]] = {law.address: [law.heading] for law in code.laws}
    for provision in code.provisions:
        texts[provision.law].append(provision.text)
    return {law: " ".join(found) for law, found in texts.items()}


def _weight(address: Address) -> float:
    """How much a provision counts as an answer: less in passages that say again or bind less."""
    kind = book().passage(address)
    return kind.weight / 100 if kind else 1.0


def _displaced(provision: Provision) -> str:
    """The codes under which a provision of their base gives way to one of their own."""
    later = [book().provision(a) for a in provision.displaced_by]
    own = provision.address.code
    return " ".join(
        p.address.code for p in later if p and p.option is None and p.address.code != own
    )


def _fill_disputes(index: sqlite3.Connection) -> set[str]:
    """The tables of irregularities; the result is their words."""
    words: set[str] = set()
    for item in book().irregularities.values():
        told = " ".join(book().facts[f].values[v] for f, found in item.facts.items() for v in found)
        fields = (item.label, " / ".join(item.said), item.meaning, told)
        index.execute("INSERT INTO disputes VALUES (?, ?, ?, ?)", fields)
        words |= set(re.findall(r"[a-z]{3,}", " ".join(fields).lower()))
    return words


def _fill_silences(index: sqlite3.Connection) -> None:
    """The table of what the codes have not, in their order."""
    for silence, asked in _silences():
        row = (silence.label, asked, silence.reason)
        index.execute("INSERT INTO silences VALUES (?, ?, ?)", row)


def _silences() -> list[tuple[Silence, str]]:
    """What the codes have not, in their order, each with the words in which one asks for it."""
    topics, found = book().topics, []
    for code in book().codes:
        for silence in silences(code.id):
            asked = " ".join(f"{topics[t].label} {topics[t].question}" for t in silence.topics)
            found.append((silence, asked))
        for entry in (e for e in code.entries if e.silent and not e.option):
            item = book().irregularities[entry.irregularity]
            silence = Silence(code.id, item.label, "silent", str(entry.silent), ())
            found.append((silence, " / ".join(item.said)))
    return found
