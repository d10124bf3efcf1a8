"""Finds the laws in a user's own copy of a book, by number, order and content.

The shipped lawbook contains no printed text. `add` stores the laws that it finds in the user's data
folder; `printed` yields the printed text of a law.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import lru_cache
from itertools import chain, groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from oddtrick.law.address import PREAMBLE
from oddtrick.law.book import book
from oddtrick.law.figures import ROMAN
from oddtrick.law.names import and_words, law_words
from oddtrick.limits import COPY
from oddtrick.paths import data_folder

MOST_HEADS = 100  # the most running heads removed from a book
LEAST_SHARE = 0.5  # a book contains a code if this share of the numbered laws is found
LEAST_SCORE = 0.3  # and the score is at least this
FOOTNOTE_REACH = 10_000  # how far before a footnote the reference to it is searched for
MOST_MISSING = 5  # the most laws listed that were not found

_CONFUSED = {"0": "[0OoQ]", "1": "[1Il|]", "5": "[5S]", "8": "[8B]", "2": "[2zZ]", "6": "[6b]"}
"""Digits, each with a pattern for its misreadings in scanned text."""

_SENTENCE_END = r"(?<=[.!?\"”)] )|(?<=[A-Z]{3} )|\n\s*\n\s*"
_HEADING_BEFORE = re.compile(r"[A-Z][A-Z ]{3,}[^A-Za-z]{0,6}$")
_LAST_LAW_END = re.compile(  # a heading in capitals, or a wide gap
    r"\n\s*\n\s*(?!DECISION\s*\n)(?:[A-Z][A-Z' ,.&-]{5,}|\*{3})\s*\n|\n{6,}"
    r"|(?<=[.!?\"]) (?=[A-Z]{4,} [A-Z]{2,})"
)


_FOOTNOTE = re.compile(r"\n[ \t]*\n[ \t]*\[(\w{1,3}|\*)\][ \t]+\S[^\n]*(?:\n[ \t]*\S[^\n]*)*")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


class NotASource(Exception):
    """Raised for a file that cannot be read or in which no code is found, with the reason."""


class Found(NamedTuple):
    """A code found in a text: the text of each law by number, the range, and a score (0 to 1)."""

    code: str
    laws: dict[str, str]
    extent: tuple[int, int]
    score: float


class Attached(NamedTuple):
    """A stored copy: its id, its code, the name of its file, and its laws by number."""

    id: str
    code: str
    file: str
    laws: dict[str, str]


def clean(text: str) -> str:
    """A text with page numbers and running heads removed and hyphenated words joined.

    Paragraphs are preserved.
    """
    lines = re.sub(r"\r\n?|\f", "\n", text).replace("\u00ad", "").split("\n")
    counts = Counter(line.strip() for line in lines if 0 < len(line.strip()) < 60)
    lines_left = []
    for line in lines:
        stripped = line.strip()
        if re.fullmatch(r"[-\s]*\d{1,3}[-\s]*", stripped):
            continue
        head = re.sub(r"\d+", "", stripped).strip()
        if len(stripped) < 60 and counts[stripped] > 3 and head and head.upper() == head:
            continue
        lines_left.append(line.rstrip())
    joined = "\n".join(lines_left)
    phrases = Counter(re.findall(r"(?<![A-Z] )\b[A-Z]{3,}(?: [A-Z]{2,})+\b", joined))
    # running heads in a text without lines
    for phrase in [p for p, n in phrases.items() if n > 6][:MOST_HEADS]:
        joined = re.sub(rf"(?:\b\d{{1,3}} )?{phrase}(?: \d{{1,3}}\b)?", " ", joined)
    joined = re.sub(r"\n{8,}", "\n" * 8, joined)  # wider gaps cost quadratic time and mean the same
    joined = _with_footnotes(joined)
    return re.sub(r"(?<=[a-z])-\n\s*(?=[a-z])", "", joined)


def _with_footnotes(text: str) -> str:
    """A text with each footnote moved to the end of the paragraph that refers to it."""
    moved: dict[int, str] = {}
    gone: list[tuple[int, int]] = []
    for note in _FOOTNOTE.finditer(text):
        at = text.rfind(f"[{note[1]}]", max(0, note.start() - FOOTNOTE_REACH), note.start())
        if at >= 0 and (end := _PARAGRAPH_END.search(text, at)):
            moved[end.start()] = moved.get(end.start(), "") + "\n" + note[0].strip()
            gone.append(note.span())
    cuts = sorted([*((at, at) for at in moved), *gone])
    ends = [0, *(end for _, end in cuts)]
    kept = [text[a:b] for a, (b, _) in zip(ends, [*cuts, (len(text), 0)], strict=True)]
    notes = [moved[a] if a == b else "" for a, b in cuts]
    return "".join(chain(*zip_longest(kept, notes, fillvalue="")))


def find(text: str, code: str) -> Found:
    """Search a cleaned text for the laws of a code; laws that are not found are omitted."""
    own, words = book().code(code), dict[str, list[str]]()
    sections = {k.id for k in own.passages if k.section}
    for provision in own.provisions:
        if provision.option and provision.law.local.partition(".")[0] not in sections:
            continue  # an option that is not printed in a section of its own
        stems = _stems(f"{provision.heading} {provision.text}")
        words.setdefault(provision.law.local, []).extend(stems)
    numbered = {n: w for n, w in words.items() if n.isdigit()}
    spans = _Search(text, numbered).spans()
    after = max((end for _, end in spans.values()), default=0)
    for kind in (k for k in own.passages if k.section):
        more = {n: w for n, w in words.items() if re.fullmatch(rf"{kind.id}\.\d+", n)}
        if more:
            # The section begins at its own heading after the laws or, without one, at their end.
            heading = "|".join([*kind.section, *([rf"{kind.mark}\s+1\b"] if kind.mark else [])])
            begins = (m.start() for m in re.finditer(heading, text) if m.start() >= after - 3000)
            found = _Search(text, more, next(begins, after), kind.mark).spans()
            first = min((a for a, _ in found.values()), default=len(text))
            spans = {n: (a, min(b, first)) if a < first else (a, b) for n, (a, b) in spans.items()}
            spans |= found
    laws = {n: tidy(text[a:b]) for n, (a, b) in spans.items()}
    weights = _weights(words)
    sure = [_likeness(words[n], set(_stems(t)), weights) for n, t in laws.items() if n.isdigit()]
    score = sum(sure) / max(1, len(numbered))
    ends = [end for span in spans.values() for end in span] or [0]
    return Found(code, {n: laws[n] for n in words if n in laws}, (min(ends), max(ends)), score)


def _stems(text: str) -> list[str]:
    return [w[:6] for w in re.findall(r"[a-z]{4,}", text.lower().replace("-", ""))]


def _weights(words: Mapping[str, list[str]]) -> dict[str, float]:
    counts = Counter(w for found in words.values() for w in set(found))
    return {w: math.log(1 + len(words) / n) for w, n in counts.items()}


def _likeness(law: list[str], window: Set[str], weights: dict[str, float]) -> float:
    """The share of a law's words that occur in a piece of text (0 to 1), weighted by rarity."""
    own = set(law)
    total = sum(weights[w] for w in own)
    return sum(weights[w] for w in own & window) / total if total else 0.0


class _Search:
    """Searches a text, from the offset `begin`, for laws in order by their numbers and words.

    `mark` is the word that precedes each number, if any.
    """

    def __init__(
        self, text: str, words: Mapping[str, list[str]], begin: int = 0, mark: str = ""
    ) -> None:
        self.text, self.words, self.begin = text, words, begin
        self.numbers, self.weights = list(words), _weights(words)
        self.marked = {n: [p for p in _marks(n, text, mark) if p >= begin] for n in words}

    def spans(self) -> dict[str, tuple[int, int]]:
        numbered = sum(map(bool, self.marked.values())) > 0.6 * len(self.numbers)
        starts = [] if numbered else self._paragraphs()
        candidates: list[tuple[int, int, float]] = []
        for index, number in enumerate(self.numbers):
            alike = ((p, self._likeness(number, p)) for p in self.marked[number])
            candidates += [(index, p, like + 0.25) for p, like in alike if like > 0.1]
            alike = ((p, self._likeness(number, p, narrow=True)) for p in starts)
            candidates += [(index, p, like - 0.15) for p, like in alike if like > 0.2]
        chosen = _chain(candidates)
        chosen = self._between(dict(chosen)) if numbered else chosen
        last = chosen[-1][1] if chosen else 0
        ending = _LAST_LAW_END.search(self.text, last + 20, last + 3500)
        end = min(ending.start() if ending else len(self.text), last + 3000)
        ends = [*(place for _, place in chosen[1:]), end]
        placed = zip(chosen, ends, strict=False)
        return {self.numbers[i]: (place, end) for (i, place), end in placed if end > place}

    def _paragraphs(self) -> list[int]:
        breaks = re.finditer(r"(?:^|\n)[\s*_>]*\n+\s*", self.text[self.begin :])
        starts = (self.begin, *(self.begin + m.end() for m in breaks))
        first_line = re.compile(r"[^\n]*")
        lines = ((p, first_line.match(self.text, p)) for p in starts)
        return [p for p, line in lines if line and not _is_heading(line[0].strip())]

    def _likeness(self, number: str, place: int, narrow: bool = False) -> float:
        length = len(self.words[number])
        size = 100 + 9 * length if narrow else 200 + 12 * length
        return _likeness(self.words[number], _window(self.text, place, size), self.weights)

    def _between(self, have: dict[int, int]) -> list[tuple[int, int]]:
        """Add laws with a damaged number, searching for their words between their neighbours."""
        for index, number in enumerate(self.numbers):
            if index in have or index > max(have, default=-1):
                continue
            before = max((p for i, p in have.items() if i < index), default=0)
            after = min(p for i, p in have.items() if i > index)
            own = [place for place in self.marked[number] if before < place < after]
            if len(own) == 1:  # a law that is mostly a table cannot be found by its words
                have[index] = own[0]
                continue
            ends = re.finditer(_SENTENCE_END, self.text[before + 1 : after])
            starts = [before + 1 + m.end() for m in ends]
            weighed = [(self._likeness(number, s), s) for s in starts]
            best = max(weighed, default=(0.0, 0))
            if best[0] > 0.3:
                near = [p for like, p in weighed if like > 0.85 * best[0]]
                headed = [p for p in near if _HEADING_BEFORE.search(self.text[max(0, p - 40) : p])]
                have[index] = headed[-1] if headed else best[1]
        return sorted(have.items(), key=lambda pair: pair[1])


@lru_cache(maxsize=100_000)
def _window(text: str, place: int, size: int) -> frozenset[str]:
    return frozenset(_stems(text[place : place + size]))


@lru_cache(maxsize=500)  # all codes are searched for in the same text, mostly with equal numbers
def _marks(number: str, text: str, mark: str) -> tuple[int, ...]:
    """The offsets of a law's number, printed as `84.`; for a passage, as `IX.` or after a mark."""
    kind, _, figure = number.rpartition(".")
    figures = "".join(_CONFUSED.get(c, c) for c in figure)
    if mark:
        marked = rf"(?<!\w)(?:{mark}|{mark.capitalize()})\s+{figures}(?!\w)"
        return tuple(m.start() for m in re.finditer(marked, text))
    roman = [r.upper() for r, value in ROMAN.items() if kind and value == int(figure)]
    shape = f"(?:{'|'.join([figures, *roman])})"
    alone = rf"(?:(?<=^)|(?<=[\s*_>(]))[*_]{{0,2}}{shape}\s?[.:][*_]{{0,2}}(?=\s|--|\u2014)"
    return tuple(m.start() for m in re.finditer(alone, text, re.MULTILINE))


def _chain(candidates: list[tuple[int, int, float]]) -> list[tuple[int, int]]:
    """The heaviest sequence of (law, place) pairs that increases in both.

    `candidates` are (law, place, weight), sorted by law.
    """
    # `best` holds sequences by the place of their last element, with weights that never decrease.
    # A sequence is its last law and place, and the sequence before them.
    best: list[tuple[int, float, Any]] = [(-1, 0.0, None)]
    for _, of_one_law in groupby(candidates, key=itemgetter(0)):
        longer = []
        for law, place, weight in of_one_law:
            _, total, before = best[bisect_left(best, place, key=itemgetter(0)) - 1]
            longer.append((place, total + weight, (law, place, before)))
        ends = sorted([*best, *longer], key=itemgetter(0))
        best = []
        for end in ends:
            if not best or end[1] >= best[-1][1]:
                best.append(end)
    chain, sequence = [], best[-1][2]
    while sequence:
        law, place, sequence = sequence
        chain.append((law, place))
    return chain[::-1]


def tidy(piece: str) -> str:
    """The text of one law on one line, without its number and without a heading that follows."""
    lines = [line.strip() for line in piece.strip().split("\n")]
    while len(lines) > 1 and (
        not lines[-1].strip("* ")
        or _is_heading(lines[-1])
        or (not lines[-2] and re.fullmatch(r"[A-Z].{,48}(?<=[^\W\d_])", lines[-1]))
    ):
        lines.pop()  # a heading, or the name of a section after a gap
    words = " ".join(" ".join(lines).split())
    number = r"^[*_]{0,2}(?:CASE\s+\d+|[\dIlOVXQSB|zZ]{1,5}\s?[.:,])[*_]{0,2}(?:\s+|--|\u2014)"
    words = re.sub(number, "", words)
    if re.search(r"[.!?)\"”] [A-Z' ,&-]{4,}\.?$", words):
        words = re.sub(r"(?:\s[A-Z][A-Z'’,&-]*){1,8}\.?$", "", words)
    return words


def _is_heading(line: str) -> bool:
    stripped = line.strip("*_ .")
    named = stripped.upper() == stripped or (line[-1:].isalpha() and stripped.istitle())
    return named and len(stripped) < 60 and any(c.isalpha() for c in stripped)


def detect(text: str) -> list[Found]:
    """The codes found in a text, by descending score; their ranges may overlap only slightly."""
    found = [find(text, code) for code in book().ids]
    chosen: list[Found] = []
    for one in sorted(found, key=lambda f: -f.score):
        numbered = book().code(one.code).numbered_laws
        if sum(n.isdigit() for n in one.laws) < LEAST_SHARE * numbered or one.score < LEAST_SCORE:
            continue
        extents = ((one.extent, other.extent) for other in chosen)
        if all(
            min(a[1], b[1]) - max(a[0], b[0]) <= 0.2 * min(a[1] - a[0], b[1] - b[0])
            for a, b in extents
        ):
            chosen.append(one)
    return chosen


def read_text(path: Path) -> str:
    """The text of a file in UTF-8 or, if that is invalid, Latin-1. Raises `NotASource`."""
    try:
        with path.open("rb") as file:
            data = file.read(COPY.most + 1)
    except OSError as error:
        raise NotASource(f"{path}: {error.strerror or error}") from error
    if len(data) > COPY.most:
        raise NotASource(COPY.message(name=path).rstrip("."))
    if b"\0" in data[:10000]:
        raise NotASource(f"{path} is not plain text; save the book as .txt first")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def copies(raw: str, file: str, code: str | None = None) -> list[Attached]:
    """The copies found in a text, one for each code with laws in it, or only for `code`."""
    text = clean(raw)
    found = [find(text, code)] if code else detect(text)
    name = re.sub(r"[^a-z0-9]+", "-", Path(file).stem.lower()).strip("-") or "book"
    return [Attached(name, f.code, file, f.laws) for f in found if any(n.isdigit() for n in f.laws)]


def count_words(source: Attached) -> str:
    """The extent of a copy, and what is missing: `Auction 1926, 54 of 54 laws, 9 of 10 rules of
    etiquette; not found: rule of etiquette 4`.
    """
    code = book().code(source.code)
    wanted = [law.number for law in code.laws if not law.number.endswith(PREAMBLE)]
    parts, missing = [], []
    kinds = [("laws", [n for n in wanted if n.isdigit()])]
    kinds += [(k.many, [n for n in wanted if n.startswith(f"{k.id}.")]) for k in code.passages]
    for many, numbers in kinds:
        if many and any(n in source.laws for n in numbers):
            parts.append(f"{sum(n in source.laws for n in numbers)} of {len(numbers)} {many}")
            missing += [law_words(f"{code.id}:{n}") for n in numbers if n not in source.laws]
    listed = [*missing[:MOST_MISSING], *(["others"] if len(missing) > MOST_MISSING else [])]
    lacking = f"; not found: {and_words(listed)}" if listed else ""
    return f"{code.short}, {', '.join(parts)}{lacking}"


def add(path: Path, code: str | None = None) -> list[Attached]:
    """Find the laws in a book and store them, replacing a copy of the same name and code.

    Raises `NotASource`, or `OSError` if they cannot be stored.
    """
    found = copies(read_text(path), path.name, code)
    if not found:
        which = f"the laws of {book().code(code).short}" if code else "the laws of any code"
        raise NotASource(f"{path} does not seem to contain {which}; is it the book, as plain text?")
    from oddtrick.law.files import write_atomic

    for one in found:
        home = folder() / one.code
        home.mkdir(parents=True, exist_ok=True)
        text = json.dumps(one._asdict(), ensure_ascii=False, indent=1) + "\n"
        write_atomic(home / f"{one.id}.json", text)
    return found


def folder() -> Path:
    """The folder of attached books, with a folder for each code and a JSON file for each book."""
    return data_folder() / "sources"


def attached(code: str | None = None) -> list[Attached]:
    """The stored books of one code or of all, by code and name; damaged files are ignored."""
    found = []
    for path in sorted(folder().glob("*/*.json")):
        if path.parent.name not in book().ids or code not in (None, path.parent.name):
            continue
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
            one = Attached(**json.loads(path.read_text("utf-8")))
            texts = all(isinstance(t, str) for t in (one.file, *one.laws, *one.laws.values()))
            if texts and (one.id, one.code) == (path.stem, path.parent.name):
                found.append(one)
    return found


def printed(code: str, number: str) -> Iterator[tuple[str, str]]:
    """Yield the file name and the printed text of a law for each attached book of its code."""
    for source in attached(code):
        if words := source.laws.get(number):
            yield str(source.file), str(words)


def remove(name: str, code: str | None = None) -> list[Attached]:
    """Remove the stored books with a name or file name, for one code or all; returns them."""
    removed = [a for a in attached(code) if name in (a.id, a.file)]
    for one in removed:
        path = folder() / one.code / f"{one.id}.json"
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
    return removed
