"""The files of the search index, and an A to Z of subjects for readers without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddtrick.book.index import Index, Json, Law, made, title_of, url_of
from oddtrick.law.book import book
from oddtrick.site.template import gzipped, json_file, page

OF_LAWS = ("timed", "time_words", "only", "made", "means", "weights", "passed", "codes")
"""The keys of the index that only the search of the laws uses."""


def search_pages() -> dict[str, str | bytes]:
    """`subjects.md`, and the search index in two files: one that finds disputes, and the rest."""
    data = made()
    first = len(data["norm"])
    of_laws = {f: on for f, on in data["postings"].items() if f[0] == "=" or "+" in f}
    rows = {"law": law_row, "reading": short_row, "rule": short_row}
    docs = [rows[d[0]](d) if d[0] in rows else d for d in data["docs"]]
    tellings = {
        **{k: v for k, v in data.items() if k not in (*OF_LAWS, "put")},
        "docs": docs[:first],
        "postings": {f: on for f, on in data["postings"].items() if f not in of_laws},
    }
    return {
        "assets/search.json.gz": gzipped(json_file(tellings)),
        "assets/search-laws.json.gz": gzipped(
            json_file({**{k: data[k] for k in OF_LAWS}, "docs": docs[first:], "postings": of_laws})
        ),
        "subjects.md": page("subjects", "subjects.md", letters=list(letters(data))),
    }


def law_row(document: Sequence[Json]) -> list[Json]:
    """The entry of a provision in the index: kind, address, title, text, the fields of `Law` that
    affect ranking, URL, and the place of its first topic.
    """
    kind, address, _, text, *rest = document
    law = Law(*rest)
    ranked = (law.code, law.weight, law.option, law.figures, law.alone, law.rules)
    topic = [*book().topics].index(law.topics[0])
    return [kind, address, title_of(document), text, *ranked, url_of(document), topic]


def short_row(document: Sequence[Json]) -> list[Json]:
    """The entry of a reading or a rule in the index: kind, URL, title, text."""
    kind, _, _, text, *_ = document
    return [kind, url_of(document), title_of(document), text]


def letters(data: Index) -> Iterable[tuple[str, list[tuple[str, str]]]]:
    """The subjects by first letter, without articles, each with its URL; players' synonyms for a
    term refer to its entry in the glossary.
    """
    kinds = {"dispute": "", "topic": "", "term": " (term)"}
    found = {
        (re.sub("^(an?|the) ", "", d[2], flags=re.IGNORECASE) + kinds[d[0]], url_of(d))
        for d in data["docs"]
        if d[0] in kinds
    }
    terms = {t.label.lower(): t for t in book().vocabulary.terms}
    for synonym in book().vocabulary.synonyms:
        for word in synonym.words:
            if (term := terms.get(" ".join(synonym.say))) and word not in terms:
                found.add((f"{word}: see {term.label}", f"glossary/#{term.id}"))
    for letter in sorted({label[0].upper() for label, _ in found}):
        own = (item for item in found if item[0][0].upper() == letter)
        yield letter, sorted(own, key=lambda item: (item[0].lower(), item))
