"""An attached book against the lawbook: laws, figures and references that one has and the other has not.

What differs for a good reason is listed in `laws/collation.yaml`, which is meant to shrink.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oddtrick.book.own_copies import Attached
from oddtrick.law import store
from oddtrick.law.book import book
from oddtrick.law.model import PassageKind

Json = Any

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
    r"\b(?:laws?|rules?|paragraphs|\(see law)\s+((?:\d+\s*(?:\(?[a-z]\)?(?![a-z]))?(?:\s*\(\d\))?(?:\s*(?:,|and|or|&)\s*)*)+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: the law, what kind (`law`, `figure`, `reference`), what each side has alone, why it may."""

    law: str
    kind: str
    printed: tuple[int, ...]
    restated: tuple[int, ...]
    why: str | None


@dataclass(frozen=True, slots=True)
class Collation:
    """A source against its code: how many laws, figures and references agree, what does not, and what the copy lacks.

    `lacks` are the laws after the last that the copy has, and sections that it does not have at all.
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


def collate(source: Attached, exceptions: list[Json]) -> Collation:
    """Compare every law of a source with its restatement; `exceptions` as in `laws/collation.yaml`."""
    data = store.load(source.code)
    by_law: dict[str, list[Json]] = {}
    for p in data["provisions"]:
        if p["option"] is None:
            by_law.setdefault(p["law"].partition(":")[2], []).append(p)
    kinds = [k for k in book().code(source.code).passages if k.section]
    names = "|".join(rf"{k.id}\." for k in kinds)
    wanted = [n for n in by_law if re.fullmatch(rf"({names})?\d+", n)]
    lacks = _lacks(source, wanted, kinds)
    differences: list[Difference] = []
    laws = figures = refs = 0
    for number in wanted:
        address = f"{source.code}:{number}"
        words = source.laws.get(number)
        if number in lacks:
            continue
        if words is None:
            differences.append(
                Difference(address, "law", (), (), _why(exceptions, source, address, "law", (), ()))
            )
            continue
        laws += 1
        restated = by_law[number]
        mine, theirs = _numbers_of(restated), numbers(without_references(words))
        figures += len(mine & theirs)
        differences += _difference(
            source, address, "figure", theirs - mine, mine - theirs, exceptions
        )
        cited = {
            n for p in restated for r in p["refs"] for n in _cited(r.get("printed") or "", kinds)
        }
        printed = references(words)
        refs += len(cited & printed)
        differences += _difference(
            source,
            address,
            "reference",
            printed - cited - {_own(number)},
            cited - printed - {_own(number)},
            exceptions,
        )
    for number in source.laws:
        if number not in by_law:
            differences.append(Difference(f"{source.code}:{number}", "law", (), (), None))
    return Collation(source, laws, figures, refs, tuple(differences), tuple(lacks))


def _lacks(source: Attached, wanted: list[str], kinds: Sequence[PassageKind]) -> list[str]:
    """What a copy does not reach: laws after its last, and whole sections."""
    lacks: list[str] = []
    for kind in ("", *(k.id for k in kinds)):
        section = [n for n in wanted if n.rpartition(".")[0] == kind]
        have = [i for i, n in enumerate(section) if n in source.laws]
        lacks += section[max(have, default=-1) + 1 :]
    return lacks


def _own(number: str) -> int:
    return int(number) if number.isdigit() else -1


def _cited(printed: str, kinds: Sequence[PassageKind]) -> set[int]:
    """The numbers of laws in a reference as printed; a footnote's own number and those of other passages left out."""
    if any(word in printed.lower() for kind in kinds for word in kind.said):
        return set()
    return {
        int(n)
        for n in re.findall(r"\d+", re.sub(r"footnote \d+|\[\d+\]", "", printed))
        if int(n) < 200
    }


def _difference(
    source: Attached,
    address: str,
    kind: str,
    printed: set[int],
    restated: set[int],
    exceptions: list[Json],
) -> list[Difference]:
    if not printed and not restated:
        return []
    a, b = tuple(sorted(printed)), tuple(sorted(restated))
    return [Difference(address, kind, a, b, _why(exceptions, source, address, kind, a, b))]


def _why(
    exceptions: list[Json],
    source: Attached,
    address: str,
    kind: str,
    printed: tuple[int, ...],
    restated: tuple[int, ...],
) -> str | None:
    """The reason an exception gives for a difference; it must name exactly what differs."""
    for entry in exceptions:
        if entry["law"] != address or entry["kind"] != kind:
            continue
        if "source" in entry and entry["source"] != source.id:
            continue
        if set(entry.get("printed", [])) == set(printed) and set(entry.get("restated", [])) == set(
            restated
        ):
            return str(entry["why"])
    return None


def _numbers_of(provisions: list[Json]) -> set[int]:
    """Every number of a law's restatement: in its words, its variants and its figures, honours worked out in points."""
    found: set[int] = set()
    for p in provisions:
        texts = [p["text"], *(v.get("text", "") for v in p["variants"])]
        found |= {n for t in texts for n in numbers(without_references(t))}
        for value in p["figures"].values():
            found |= _leaves(value)
        found |= _honour_points(p)
    return found


def _leaves(value: Json) -> set[int]:
    if isinstance(value, bool) or value is None:
        return set()
    if isinstance(value, int):
        return {value} if value > 1 else set()
    if isinstance(value, dict):
        return {n for v in value.values() for n in _leaves(v)}
    if isinstance(value, list):
        return {n for v in value for n in _leaves(v)}
    return {10} if value == "T" else set()


def _honour_points(p: Json) -> set[int]:
    """The points of an honour table that is printed in points and kept in multiples of the odd trick."""
    table = p["figures"].get("honour-values", {}).get("trump", {})
    if table.get("count") != "odd-trick-values":
        return set()
    code = p["address"].partition(":")[0]
    tricks = next(
        q["figures"]["odd-trick"]
        for q in store.load(code)["provisions"]
        if "odd-trick" in q["figures"]
    )
    worths = [v for d, v in tricks.items() if d != "no-trump"]
    return {times * worth for times in (*table["values"].values(), 2) for worth in worths} | set(
        tricks.values()
    )
