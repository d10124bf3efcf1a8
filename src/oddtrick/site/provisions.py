"""The data of the page that compares any two provisions, so that its script only has to look up
citations and differences.

`compare/provisions.json` has the texts of the provisions, and the names and spellings by which
citations refer to codes and provisions (`book.read_citation`). `compare/ONE--OTHER.json` has the
words that differ between provisions of two codes that belong to the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, product

from oddtrick.book.read_citation import FILLERS, spoken, without_punctuation
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.law.names import READING
from oddtrick.site.marks import Places, marks
from oddtrick.site.template import json_file

MOST = 50
"""The highest number with a roman numeral."""


def provisions_files() -> dict[str, str]:
    """`compare/provisions.json`, and `compare/ONE--OTHER.json` for every pair of codes, the earlier
    first.
    """
    made = {"compare/provisions.json": json_file(provisions())}
    found = addresses()
    for one, other in combinations(book().by_date, 2):
        made[f"compare/{one}--{other}.json"] = json_file(dict(joined(found, one, other)))
    return made


def provisions() -> dict[str, object]:
    """The data with which the page reads two citations and shows their provisions.

    - `codes`: the short names of the codes by id, in order of date.
    - `names`: every name of a code, from `names`.
    - `fillers`: words that a citation may contain without effect.
    - `romans`: roman numerals with their numbers.
    - `spellings`: for each code, from `spellings`.
    - `laws`: the headings of the laws by address.
    - `provisions`: the texts of the provisions by address.
    """
    return {
        "codes": {code: book().code(code).short for code in book().by_date},
        "names": list(names()),
        "fillers": sorted(FILLERS - set(attached())),
        "romans": {numeral(n): str(n) for n in range(1, MOST + 1)},
        "spellings": {code.id: spellings(code) for code in book().codes},
        "laws": {law.address: law.heading for code in book().codes for law in code.laws},
        "provisions": {p.address: p.text for code in book().codes for p in code.provisions},
    }


# --- what there is to compare ---------------------------------------------------------------------


def addresses() -> dict[str, list[str]]:
    """Every address of a provision, or of a law or paragraph that contains provisions, with these
    provisions: `26.g` has 26.g.1 to 26.g.3.
    """
    found: dict[str, list[str]] = {}
    for provision in chain.from_iterable(code.provisions for code in book().codes):
        address = provision.address
        steps = address.local.split(".")
        for end in range(1, len(steps) + 1):
            found.setdefault(f"{address.code}:{'.'.join(steps[:end])}", []).append(address)
    return found


def joined(
    found: Mapping[str, list[str]], one: str, other: str
) -> Iterator[tuple[str, tuple[Places, Places]]]:
    """Pairs of addresses in two codes that belong to the same rule and differ in text: `A~B` and
    the positions of the differing words.
    """
    texts: dict[str, str] = {
        p.address: p.text for code in (one, other) for p in book().code(code).provisions
    }
    joined_text: dict[str, str] = {}
    above: dict[str, list[str]] = {}
    for address, below in found.items():
        if below[0] in texts:
            joined_text[address] = " ".join(texts[p] for p in below)
            for provision in below:
                above.setdefault(provision, []).append(address)
    sides = (
        [[a for m in rule.members.get(code, ()) for a in above[m]] for code in (one, other)]
        for rule in book().relations.all
    )
    for left, right in dict.fromkeys(chain.from_iterable(product(*side) for side in sides)):
        if joined_text[left] != joined_text[right]:
            yield f"{left}~{right}", marks(joined_text[left], joined_text[right])


# --- how they are written -------------------------------------------------------------------------


def names() -> Iterator[tuple[str, list[str], bool]]:
    """Every name of a code, the longest first and years last: the name, the ids of the codes that
    it may mean, and whether it is a year.
    """
    codes_of: dict[str, list[str]] = {}
    for code in book().codes:
        for name in dict.fromkeys(_without_possessive(n) for n in (code.id, *code.aliases)):
            codes_of.setdefault(name, []).append(code.id)
    for name in sorted(codes_of, key=lambda n: (n.isdigit(), -len(n))):
        yield name, codes_of[name], name.isdigit()


def _without_possessive(words: str) -> str:
    return without_punctuation(words.replace("'s", ""))


def spellings(code: Code) -> dict[str, str]:
    """The words by which a citation may name an address of a code, with the local part of the
    address; the steps of the address themselves are left out.
    """
    made = {f"{READING} {name}": place.local for name, place in code.settled.items()}
    for words, local in spoken(code.id).items():
        if not local.startswith(f"{READING}."):
            made[_unnamed(words)] = local
    for address in (a for a in addresses() if a.startswith(f"{code.id}:")):
        local = address.partition(":")[2]
        steps = local.split(".")
        if any(len(step) > 1 and step in FILLERS - set(attached()) for step in steps):
            continue  # one of its steps would be read as a filler
        for way in _ways(steps, code):
            key = _telling(way)
            if key and key != local.replace(".", " "):
                made[key] = local
    return made


def _ways(steps: list[str], code: Code) -> Iterator[list[str]]:
    """Alternative wordings of the steps of an address."""
    first, *rest = steps
    for word in (w for w, kind in book().passage_words[0].items() if kind == first):
        yield [word, *rest]
        yield [*rest, word]
    for word in (w for w, step in attached().items() if step == steps[-1]):
        yield [word, *steps[:-1]]
        yield [*steps[:-1], word]
    if rest and rest[0] in (numeral(n) for n in (1, 2, 3)):
        yield [first, str(len(rest[0])), *rest[1:]]
    for called, passage in code.called.items():
        named = passage.split(".")
        if steps[: len(named)] == named:
            yield [*called.split(), *steps[len(named) :]]
            yield [*steps[len(named) :], *called.split()]
    if any("-" in step for step in steps):
        yield steps


def attached() -> Mapping[str, str]:
    """The words for passages attached to a law, such as a footnote, with their steps; in a citation
    they come before or after the number of the law.
    """
    return book().passage_words[1]


def _unnamed(words: str) -> str:
    """Words without the names of codes and fillers, as the page reduces them."""
    left = f" {words} "
    for name, _, _ in names():
        left = left.replace(f" {name} ", " ")
    return _telling(left.split()) or left.strip()


def _telling(words: Iterable[str]) -> str:
    """The words without fillers; a letter is a filler only before the first other word."""
    words_left: list[str] = []
    for word in words:
        if word not in FILLERS or word in attached() or (len(word) == 1 and words_left):
            words_left.append(word)
    return " ".join(words_left)


def numeral(number: int) -> str:
    """A number up to `MOST` as a roman numeral in lower case."""
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    tens = ("", "x", "xx", "xxx", "xl", "l")
    return tens[number // 10] + ones[number % 10]
