"""What the page that compares any two provisions is given, so that it reads and compares nothing of its own making.

`compare/provisions.json` has the provisions with their texts, the ways in which codes and provisions are written
(those of `book.citation`), and the words that differ between provisions of one rule. The page looks all of it up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from oddtrick.book.citation import FILLERS, KINDS, bare, path_of, spoken
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.site.marks import Places, marks

NOTES = ("note", "footnote")
"""How a footnote is asked for, before or after the number of its law."""

MOST = 50
"""The highest number that is written as a roman numeral."""


def provisions_json() -> str:
    """`compare/provisions.json`.

    `codes` has the names of the codes by id, in order; `names` every name of a code, the longest first and years last:
    the name, the codes that it may mean, whether it is a year. `fillers` are words that carry nothing, `romans` numerals
    with their figures, `spellings` of each code what a citation may say instead of the steps of an address. `places` has
    for every address, beginnings too, the URL below the root, the heading of the law and, where it is no provision
    itself, the provisions below it; `provisions` the texts. `marks` has for two addresses that a rule joins (`A~B`) the
    places of the words that differ, in each.
    """
    found = addresses()
    laws = {law.address: law.heading for code in book().codes for law in code.laws}
    owners = {p.address: p.law for code in book().codes for p in code.provisions}
    data = {
        "codes": {code.id: code.short for code in book().codes},
        "names": list(names()),
        "fillers": sorted(FILLERS - set(NOTES)),
        "romans": {numeral(n): str(n) for n in range(1, MOST + 1)},
        "spellings": {code.id: spellings(code) for code in book().codes},
        "places": {
            address: [path_of(address if address in laws else below[0]), laws[owners[below[0]]]]
            + ([] if below == [address] else [below])
            for address, below in found.items()
        },
        "provisions": {p.address: p.text for code in book().codes for p in code.provisions},
        "marks": dict(joined(found)),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- what there is to compare -----------------------------------------------------------------------


def addresses() -> dict[str, list[str]]:
    """Every address at or below which provisions stand, with them: `auction-1926:26.g` has 26.g.1 to 26.g.3."""
    found: dict[str, list[str]] = {}
    for provision in chain.from_iterable(code.provisions for code in book().codes):
        address = provision.address
        steps = address.local.split(".")
        for end in range(1, len(steps) + 1):
            found.setdefault(f"{address.code}:{'.'.join(steps[:end])}", []).append(address)
    return found


def joined(found: dict[str, list[str]]) -> Iterator[tuple[str, tuple[Places, Places]]]:
    """Every two addresses of different codes that a rule joins, with the places of the words that differ."""
    texts = {p.address: p.text for code in book().codes for p in code.provisions}
    whole = {a: " ".join(texts[p] for p in below) for a, below in found.items()}
    above: dict[str, list[str]] = {}
    for address, below in found.items():
        for provision in below:
            above.setdefault(provision, []).append(address)
    pairs: dict[tuple[str, str], None] = {}
    for rule in book().parallels.rules:
        for ours, theirs in combinations(rule.members.values(), 2):
            for one in chain.from_iterable(above[a] for a in ours):
                for other in chain.from_iterable(above[a] for a in theirs):
                    pairs[one, other] = None
    for one, other in pairs:
        if whole[one] != whole[other]:
            yield f"{one}~{other}", marks(whole[one], whole[other])


# --- how they are written ---------------------------------------------------------------------------


def names() -> Iterator[tuple[str, list[str], bool]]:
    """Every name of a code, the longest first and years last: the name, the codes that it may mean, whether a year."""
    meant: dict[str, list[str]] = {}
    for code in book().codes:
        for name in dict.fromkeys(_plain(n) for n in (code.id, *code.aliases)):
            meant.setdefault(name, []).append(code.id)
    for name in sorted(meant, key=lambda n: (n.isdigit(), -len(n))):
        yield name, meant[name], name.isdigit()


def _plain(words: str) -> str:
    return bare(words.replace("'s", ""))


def spellings(code: Code) -> dict[str, str]:
    """What the words of a citation may be for each address of a code, where they are not its steps."""
    made: dict[str, str] = {}
    for words, local in spoken(code.id).items():
        if not local.startswith("reading."):
            made[_unnamed(words)] = local
    for address in (a for a in addresses() if a.startswith(f"{code.id}:")):
        local = address.partition(":")[2]
        for words in _ways(local.split("."), code):
            key = _telling(words)
            if key and key != local.replace(".", " "):
                made[key] = local
    return made


def _ways(steps: list[str], code: Code) -> Iterator[list[str]]:
    """The words by which the steps of an address may be asked for besides."""
    first, *rest = steps
    for word in (w for w, kind in KINDS.items() if kind == first):
        yield [word, *rest]
        yield [*rest, word]
    if steps[-1] == "note":
        for word in NOTES:
            yield [word, *steps[:-1]]
            yield [*steps[:-1], word]
    if rest and rest[0] in (numeral(n) for n in (1, 2, 3)):
        yield [first, str(len(rest[0])), *rest[1:]]
    for words, passage in code.called.items():
        named = passage.split(".")
        if steps[: len(named)] == named:
            yield [*words.split(), *steps[len(named) :]]
            yield [*steps[len(named) :], *words.split()]
    if any("-" in step for step in steps):
        yield steps


def _unnamed(words: str) -> str:
    """Words as the page has them when it has taken out the names of codes."""
    left = f" {words} "
    for name, _, _ in names():
        left = left.replace(f" {name} ", " ")
    return _telling(left.split()) or left.strip()


def _telling(words: Iterable[str]) -> str:
    """The words without those that carry nothing; a letter is one of them only before the first that does."""
    kept: list[str] = []
    for word in words:
        if word not in FILLERS or word in NOTES or (len(word) == 1 and kept):
            kept.append(word)
    return " ".join(kept)


def numeral(number: int) -> str:
    """A number as a small roman numeral."""
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    tens = ("", "x", "xx", "xxx", "xl", "l")
    return tens[number // 10] + ones[number % 10]
