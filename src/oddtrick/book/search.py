"""Searching the lawbook: ranked, tolerant of inflection, spelling, small slips, and of players' own words.

An index in SQLite's FTS5 is made once for each state of the law data and kept beside the compiled lawbook. A hit
is a rule: the provisions of several codes that are one rule are one hit, the best of them first.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oddtrick.book import citation as citing
from oddtrick.law import store
from oddtrick.law.book import book
from oddtrick.law.parallels import load as load_relations

Json = Any

INDEX = "search-3.sqlite"
STOP = frozenset(
    (
        "a an and are as at be been but by can could did do does doing for from get gets had has have "
        "having he her his how i if in into is it its just let many may me might much must my of on one or our "
        "out's she should so some than that the their them then there they this to up us was we were what "
        "when where which while who whom why will with would you your am any someone somebody anyone "
        "anybody happen happens happened thing mean means allowed under code law laws rule rules"
    ).split()
)
"""Words of a question that say nothing of what is asked."""

WEIGHTS = (6.0, 5.0, 2.5, 2.0, 1.0)
"""How much a word counts: in the rule's label, the heading, the topic's label, the topic's question, the text."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit: the best provision, how well it answers (greater is better), and the rule's other provisions."""

    address: str
    score: float
    heading: str
    text: str
    also: tuple[str, ...]


def search(
    question: str, code: str | None = None, topic: str | None = None, limit: int = 10
) -> list[Hit]:
    """The hits for a question, best first; none for a question without a word that any law has.

    `code` and `topic` restrict the provisions. A citation (`1912 law 84`) finds what it cites before all else.
    """
    hits: list[Hit] = []
    with contextlib.suppress(citing.Unread):
        hits = _cited(citing.read(question, code), topic)
    with contextlib.closing(_index()) as index:
        terms = _terms(question, index)
        found = _ranked(index, [*terms, *_phrases(question)] if terms else [], code, topic)
    cited = {h.address for h in hits}
    return (hits + [h for h in _grouped(found) if h.address not in cited])[:limit]


DISPUTE_WEIGHTS = (6.0, 5.0, 3.0, 1.0)
"""How much a word counts for an irregularity: in its label, in what players say, in its meaning, in its facts."""


NAMES = frozenset(
    (
        "north east south west heart hearts spade spades diamond diamonds club clubs ace aces king kings queen queens "
        "jack knave ten nine eight seven six five four three two deuce trey one first second third fourth last "
        "say says said saying want wants wanted now then still only anything something nobody man player opponent"
    ).split()
)
"""Words that tell one dispute from another only by who sat where and what he held."""


def irregularities(question: str, limit: int = 5) -> list[tuple[str, float]]:
    """The irregularities that a dispute in a player's words may be about, best first, each with its score."""
    with contextlib.closing(_index()) as index:
        scores: dict[str, float] = {}
        asked = [*((t, o, 1.0 if t not in NAMES else 0.25) for t, o in _terms(question, index))]
        asked += [(p, o, 1.0) for p, o in _phrases(question, 2)]
        for term, others, weight in asked:
            best: dict[str, float] = {}
            for words, share in (([term], weight), (others, 0.7 * weight)):
                match = " OR ".join(f'"{w}"' for w in words if w)
                if not match:
                    continue
                weights = ", ".join(str(w) for w in DISPUTE_WEIGHTS)
                for name, rank in index.execute(
                    f"SELECT d.id, -bm25(disputes, {weights}) FROM disputes JOIN dispute_ids d ON d.rowid = disputes.rowid "
                    "WHERE disputes MATCH ?",
                    (match,),
                ):
                    best[name] = max(best.get(name, 0.0), share * rank)
            for name, rank in best.items():
                scores[name] = scores.get(name, 0.0) + rank
    return sorted(scores.items(), key=lambda s: (-s[1], s[0]))[:limit]


def _cited(address: str, topic: str | None) -> list[Hit]:
    """The provisions at a cited address, as hits."""
    code, _, rest = address.partition(":")
    if not rest:
        return []
    relations = load_relations()
    found = []
    for provision in store.load(code)["provisions"]:
        own = provision["address"]
        if (own == address or own.startswith(address + ".")) and (
            topic is None or topic in provision["topics"]
        ):
            others = [
                a
                for rule in relations.of.get(own, [])
                for members in rule["members"].values()
                for a in members
                if a != own
            ]
            found.append(
                Hit(
                    own,
                    1000.0,
                    provision["heading"],
                    provision["text"],
                    tuple(dict.fromkeys(others)),
                )
            )
    return found


def _ranked(
    index: sqlite3.Connection,
    terms: list[tuple[str, list[str]]],
    code: str | None,
    topic: str | None,
) -> list[tuple[float, Json]]:
    """Rows by score: for each word of the question the best of itself (whole) and of what it may mean (less)."""
    scores: dict[int, float] = {}
    for term, others in terms:
        best: dict[int, float] = {}
        for words, share in (([term], 1.0), (others, 0.7)):
            match = " OR ".join(f'"{w}"' for w in words if w)
            if not match:
                continue
            weights = ", ".join(str(w) for w in WEIGHTS)
            for row, rank in index.execute(
                f"SELECT rowid, -bm25(docs, {weights}) FROM docs WHERE docs MATCH ?", (match,)
            ):
                best[row] = max(best.get(row, 0.0), share * rank)
        for row, rank in best.items():
            scores[row] = scores.get(row, 0.0) + rank
    rows = []
    for row, total in scores.items():
        entry = index.execute(
            "SELECT address, code, topics, heading, text, rules, weight FROM entries WHERE rowid = ?",
            (row,),
        ).fetchone()
        if (code is None or entry[1] == code) and (topic is None or topic in entry[2].split()):
            rows.append((total * entry[6], entry))
    return sorted(rows, key=lambda r: (-r[0], citing.natural(r[1][0])))


def _grouped(rows: Iterable[tuple[float, Json]]) -> list[Hit]:
    """Rows of one rule as one hit, the best provision first."""
    relations = load_relations()
    hits: list[Hit] = []
    taken: set[str] = set()
    for score, (address, _, _, heading, text, rules, _) in rows:
        group = rules.split()
        if address in taken:
            continue
        mates = [
            a
            for rule in relations.of.get(address, [])
            if rule["id"] in group
            for members in rule["members"].values()
            for a in members
        ]
        taken.update(mates)
        hits.append(
            Hit(
                address,
                score,
                heading,
                text,
                tuple(dict.fromkeys(a for a in mates if a != address)),
            )
        )
    return hits


def _terms(question: str, index: sqlite3.Connection) -> list[tuple[str, list[str]]]:
    """The words of a question to look for, each with the words of the laws that it may stand for."""
    text = (
        " "
        + re.sub(r"[^a-z0-9' ]+", " ", question.lower().replace("’", "'").replace("-", " "))
        + " "
    )
    text = re.sub(r"\s+", " ", text)
    terms: list[tuple[str, list[str]]] = []
    said: dict[str, list[str]] = {}
    for words, say in index.execute("SELECT words, say FROM players ORDER BY length(words) DESC"):
        said[words] = say.split()
    for words in [w for w in said if " " in w]:
        if f" {words} " in text:
            text = text.replace(f" {words} ", " ")
            terms += [(w, []) for w in said[words]]
    for word in text.split():
        if word in STOP:
            continue
        bare = word.strip("'").removesuffix("'s")
        if bare in said:
            terms.append((bare, said[bare]))
        elif _known(bare, index):
            terms.append((bare, []))
        else:
            terms += [(near, said.get(near, [])) for near in _nearest(bare, index, said)]
    seen: set[str] = set()
    return [t for t in terms if not (t[0] in seen or seen.add(t[0]))]  # type: ignore[func-returns-value]


def _phrases(question: str, length: int = 3) -> list[tuple[str, list[str]]]:
    """Words of a question in a row: a law that has them so is near, whatever the single words weigh."""
    words = re.findall(r"[a-z0-9]+", question.lower())
    rows = [words[i : i + length] for i in range(len(words) - length + 1)]
    return [(" ".join(row), []) for row in rows if length > 2 or not STOP & set(row)]


def _known(word: str, index: sqlite3.Connection) -> bool:
    """Whether a word stands in the laws or in the catalogue of irregularities."""
    return any(
        index.execute(
            f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1", (f'"{word}"',)
        ).fetchone()
        is not None
        for table in ("docs", "disputes")
    )


def _nearest(word: str, index: sqlite3.Connection, said: dict[str, list[str]]) -> list[str]:
    """The word of the laws, or of players, that a misspelt one is nearest to; none if nothing is near."""
    import difflib

    if len(word) < 4:
        return []
    known = [w for (w,) in index.execute("SELECT word FROM words")] + [
        w for w in said if " " not in w
    ]
    return difflib.get_close_matches(word, known, n=1, cutoff=0.75)


# --- the index -------------------------------------------------------------------------------------


def _index() -> sqlite3.Connection:
    """The index of the present lawbook; made first, in a file of its own or in memory, where there is none."""
    home = ""
    for home in store.homes():
        path = os.path.join(home, INDEX)  # noqa: PTH118
        if os.path.exists(path):  # noqa: PTH110
            found = sqlite3.connect(
                f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1", uri=True
            )
            with contextlib.suppress(sqlite3.DatabaseError):  # half-written: made anew
                if found.execute("SELECT 1 FROM players").fetchone() and found.execute(
                    "PRAGMA quick_check(1)"
                ).fetchone() == ("ok",):
                    return found
            found.close()
    made = sqlite3.connect(":memory:")
    fill(made)
    with contextlib.suppress(OSError, sqlite3.Error):
        keep(made, home)
    return made


def keep(made: sqlite3.Connection, home: str) -> None:
    """Write the index into a folder of compiled law data: to another name first, then renamed."""
    os.makedirs(home, exist_ok=True)  # noqa: PTH103
    path = os.path.join(home, INDEX)  # noqa: PTH118
    temporary = f"{path}.{os.getpid()}"
    with contextlib.closing(sqlite3.connect(temporary)) as file:
        made.backup(file)
    os.replace(temporary, path)  # noqa: PTH105


def fill(index: sqlite3.Connection) -> None:
    """Make the tables of the index from the present lawbook."""
    vocabulary = store.load("vocabulary")
    topics = {t["id"]: t for t in vocabulary["topics"]}
    relations = load_relations()
    index.execute(
        "CREATE VIRTUAL TABLE docs USING fts5(label, heading, topic, question, text, tokenize='porter unicode61 remove_diacritics 2')"
    )
    index.execute(
        "CREATE TABLE entries (address TEXT, code TEXT, topics TEXT, heading TEXT, text TEXT, rules TEXT, weight REAL)"
    )
    index.execute("CREATE TABLE words (word TEXT PRIMARY KEY)")
    index.execute("CREATE TABLE players (words TEXT PRIMARY KEY, say TEXT)")
    words: set[str] = set()
    for code in store.load("index"):
        data = store.load(code)
        for provision in data["provisions"]:
            rules = relations.of.get(provision["address"], [])
            fields = (
                " ".join(r["label"] for r in rules),
                provision["heading"],
                " ".join(topics[t]["label"] for t in provision["topics"]),
                " ".join(topics[t]["question"] for t in provision["topics"]),
                provision["text"],
            )
            index.execute("INSERT INTO docs VALUES (?, ?, ?, ?, ?)", fields)
            kind = book().passage(provision["address"])
            weight = kind.weight / 100 if kind else 1.0
            index.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    provision["address"],
                    code,
                    " ".join(provision["topics"]),
                    provision["heading"],
                    provision["text"],
                    " ".join(r["id"] for r in rules),
                    weight,
                ),
            )
            words |= set(re.findall(r"[a-z]{3,}", " ".join(fields).lower()))
    words |= _fill_disputes(index, vocabulary)
    index.executemany("INSERT INTO words VALUES (?)", [(w,) for w in sorted(words)])
    for entry in vocabulary["words"]:
        for said in entry["for"]:
            index.execute(
                "INSERT OR REPLACE INTO players VALUES (?, ?)", (said, " ".join(entry["say"]))
            )
    index.commit()


def _fill_disputes(index: sqlite3.Connection, vocabulary: Json) -> set[str]:
    """The tables of irregularities; the result is their words."""
    index.execute(
        "CREATE VIRTUAL TABLE disputes USING fts5(label, said, meaning, facts, tokenize='porter unicode61 remove_diacritics 2')"
    )
    index.execute("CREATE TABLE dispute_ids (id TEXT)")
    facts = {f["id"]: f["values"] for f in vocabulary["facts"]}
    words: set[str] = set()
    for item in vocabulary["irregularities"]:
        told = " ".join(facts[f][v] for f, values in item["facts"].items() for v in values)
        fields = (item["label"], " / ".join(item.get("said", [])), item["meaning"], told)
        index.execute("INSERT INTO disputes VALUES (?, ?, ?, ?)", fields)
        index.execute("INSERT INTO dispute_ids VALUES (?)", (item["id"],))
        words |= set(re.findall(r"[a-z]{3,}", " ".join(fields).lower()))
    return words
