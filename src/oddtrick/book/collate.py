"""An attached book against the lawbook: laws, figures and references that one has and the other has
not.

What differs for a good reason is listed in `laws/collation.yaml`, which is meant to shrink.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oddtrick.book.own_copies import Attached
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import CollationException, Figure, PassageKind, Provision

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
VALUES = (
    {w: i for i, w in enumerate(_UNITS)}
    | {w: 10 * (i + 2) for i, w in enumerate(_TENS)}
    | {"hundred": 100}
)
_NUMBER = re.compile(
    rf"(?<!\w)(?<!\d\.)(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?![\w])|\b(?:{'|'.join(VALUES)})\b",
    re.IGNORECASE,
)
_LAWS = re.compile(
    r"\b(?:laws?|rules?|paragraphs|\(see law)\s+"
    r"((?:\d+\s*(?:\(?[a-z]\)?(?![a-z]))?(?:\s*\(\d\))?(?:\s*(?:,|and|or|&)\s*)*)+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: the law, the kind (`law`, `figure`, `reference`), what each side has
    alone, why.
    """

    law: Address
    kind: str
    printed: tuple[int, ...]
    restated: tuple[int, ...]
    why: str | None

    @property
    def words(self) -> str:
        """What differs, behind its kind: `: 3 only in print; 2 only in the restatement`."""
        if self.kind == "law":
            return " missing on one side"
        sides = [(self.printed, "only in print"), (self.restated, "only in the restatement")]
        return ": " + "; ".join(f"{', '.join(map(str, n))} {words}" for n, words in sides if n)


@dataclass(frozen=True, slots=True)
class Collation:
    """A source against its code: how many laws, figures and references agree, what does not.

    `lacks` are the laws after the last that the copy has, and sections that it does not have at
    all.
    """

    source: Attached
    laws: int
    figures: int
    references: int
    differences: tuple[Difference, ...]
    lacks: tuple[str, ...]

    @property
    def open(self) -> tuple[Difference, ...]:
        """The differences that no exception explains."""
        return tuple(d for d in self.differences if d.why is None)


def numbers(text: str) -> set[int]:
    """The numbers of a text, in figures or words, `one` left out: it is an article too often."""
    found: set[int] = set()
    text = re.sub(r"\(\d\)", " ", text)  # paragraphs
    words = [m.group().lower() for m in _NUMBER.finditer(text)]
    flat = text.lower()
    for first in (*_TENS,):
        for unit in _UNITS[1:10]:
            if f"{first}-{unit}" in flat or f"{first} {unit}" in flat:
                found.add(VALUES[first] + VALUES[unit])
                for w in (first, unit):
                    if w in words:
                        words.remove(w)
    for match in re.finditer(r"\b(\w+) hundred(?: and (\w+))?", flat):
        if match[1] in VALUES and VALUES[match[1]] < 10:
            total = 100 * VALUES[match[1]] + (VALUES.get(match[2] or "", 0) if match[2] else 0)
            found.add(total)
            for w in (match[1], "hundred", match[2]):
                if w in words:
                    words.remove(w)
    for word in words:
        value = VALUES[word] if word in VALUES else int(word.replace(",", ""))
        if value > 1:
            found.add(value)
    return found


def references(text: str) -> set[int]:
    """The numbers of the laws that a text refers to: `Laws 82, 91, 92 and 100`, `Law 38 b`."""
    return {
        int(n) for m in _LAWS.finditer(text) for n in re.findall(r"(?<![(\d])\d+(?![\d)])", m[1])
    }


def without_references(text: str) -> str:
    """A text without its references, so that their numbers are not taken for figures."""
    return _LAWS.sub(" ", text)


def collate(source: Attached, exceptions: Sequence[CollationException]) -> Collation:
    """Compare every law of a source with its restatement; for `exceptions` see `collation.yaml`."""
    by_law: dict[str, list[Provision]] = {}
    for p in book().code(source.code).provisions:
        if p.option is None:
            by_law.setdefault(p.law.local, []).append(p)
    kinds = [k for k in book().code(source.code).passages if k.section]
    names = "|".join(rf"{k.id}\." for k in kinds)
    wanted = [n for n in by_law if re.fullmatch(rf"({names})?\d+", n)]
    lacks = _lacks(source, wanted, kinds)
    own = [e for e in exceptions if e.source in (None, source.id)]
    differences: list[Difference] = []
    laws = figures = refs = 0
    for number in (n for n in wanted if n not in lacks):
        address = Address(f"{source.code}:{number}")
        words = source.laws.get(number)
        if words is None:
            differences.append(_difference(own, address, "law"))
            continue
        laws += 1
        mine, theirs = _numbers_of(by_law[number]), numbers(without_references(words))
        figures += len(mine & theirs)
        if mine != theirs:
            differences.append(_difference(own, address, "figure", theirs - mine, mine - theirs))
        told = {n for p in by_law[number] for r in p.refs for n in _cited(r.printed or "", kinds)}
        printed = references(words)
        refs += len(told & printed)
        here = {int(number)} if number.isdigit() else set()
        more, less = printed - told - here, told - printed - here
        if more or less:
            differences.append(_difference(own, address, "reference", more, less))
    alone = [Address(f"{source.code}:{n}") for n in source.laws if n not in by_law]
    differences += [Difference(a, "law", (), (), None) for a in alone]
    return Collation(source, laws, figures, refs, tuple(differences), tuple(lacks))


def _lacks(source: Attached, wanted: list[str], kinds: Sequence[PassageKind]) -> list[str]:
    """What a copy does not reach: laws after its last, and whole sections."""
    lacks: list[str] = []
    for kind in ("", *(k.id for k in kinds)):
        section = [n for n in wanted if n.rpartition(".")[0] == kind]
        have = [i for i, n in enumerate(section) if n in source.laws]
        lacks += section[max(have, default=-1) + 1 :]
    return lacks


def _cited(printed: str, kinds: Sequence[PassageKind]) -> set[int]:
    """The numbers of laws in a reference as printed; those of footnotes and other passages left
    out.
    """
    if any(word in printed.lower() for kind in kinds for word in kind.said):
        return set()
    return {
        int(n)
        for n in re.findall(r"\d+", re.sub(r"footnote \d+|\[\d+\]", "", printed))
        if int(n) < 200
    }


def _difference(
    exceptions: Iterable[CollationException],
    law: Address,
    kind: str,
    printed: Iterable[int] = (),
    restated: Iterable[int] = (),
) -> Difference:
    """A difference, with the reason of the exception that names exactly what differs, if there is
    one.
    """
    a, b = tuple(sorted(printed)), tuple(sorted(restated))
    why = next(
        (
            e.why
            for e in exceptions
            if (e.law, e.kind) == (law, kind)
            and (set(e.printed), set(e.restated)) == (set(a), set(b))
        ),
        None,
    )
    return Difference(law, kind, a, b, why)


def _numbers_of(provisions: Iterable[Provision]) -> set[int]:
    """Every number of a law's restatement: in its words, its variants and its figures, honours in
    points.
    """
    found: set[int] = set()
    for p in provisions:
        texts = [p.text, *(v.text or "" for v in p.variants)]
        found |= {n for t in texts for n in numbers(without_references(t))}
        for figure in p.figures.values():
            found |= _leaves(figure)
        found |= _honour_points(p)
    return found


def _leaves(value: Figure | None) -> set[int]:
    """The numbers of a figure from two on; the ten of a list of honours is one."""
    if isinstance(value, dict):
        return {n for v in value.values() for n in _leaves(v)}
    if isinstance(value, list):
        return {n for v in value for n in _leaves(v)}
    if isinstance(value, int):
        return {value} if value > 1 else set()
    return {10} if value == "T" else set()


def _honour_points(p: Provision) -> set[int]:
    """The points of an honour table that is printed in points and kept in multiples of the odd
    trick.
    """
    table = p.figures.get("honour-values")
    trump = table.get("trump") if isinstance(table, dict) else None
    if not isinstance(trump, dict) or trump.get("count") != "odd-trick-values":
        return set()
    provisions = book().code(p.address.code).provisions
    tricks = next(q.figures["odd-trick"] for q in provisions if "odd-trick" in q.figures)
    values = trump["values"]
    assert isinstance(tricks, dict)
    assert isinstance(values, dict)
    of_suits = {d: v for d, v in tricks.items() if isinstance(v, int)}
    worths = {v for d, v in of_suits.items() if d != "no-trump"}
    times = {v for v in values.values() if isinstance(v, int)} | {2}
    return {t * w for t in times for w in worths} | set(of_suits.values())
