"""The data of the page that compares any two provisions, so that its script neither parses nor
compares text itself.

`compare/provisions.json` has the provisions with their texts and the ways in which codes and
provisions are written (those of `book.write_citation`); `compare/ONE--OTHER.json` the words that
differ between provisions of two codes that a rule joins. The page looks all of it up.
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
"""The highest number that is written as a roman numeral."""


def provisions_files() -> dict[str, str]:
    """`compare/provisions.json`, and `compare/ONE--OTHER.json` for every two codes, the earlier
    first.
    """
    made = {"compare/provisions.json": json_file(provisions())}
    found = addresses()
    for one, other in combinations(book().by_date, 2):
        made[f"compare/{one}--{other}.json"] = json_file(dict(joined(found, one, other)))
    return made


def provisions() -> dict[str, object]:
    """The data with which the page reads two citations and shows their provisions.

    `codes` has the names of the codes by id, in the order of their dates; `names` every name of a
    code, the longest first and years last: the name, the codes that it may mean, whether it is a
    year. `fillers` are words that carry nothing, `romans` numerals with their figures, `spellings`
    of each code what a citation may say instead of the steps of an address. `laws` are the headings
    of the laws by address, `provisions` the texts.
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
    """Every address that is or contains provisions, with these: `26.g` has 26.g.1 to 26.g.3."""
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
    """Each pair of addresses of two codes that a rule joins (`A~B`), with the positions of the
    differing words.
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
    """Every name of a code, the longest first and years last: the name, the codes that it may mean,
    whether a year.
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
    """The words by which a citation may name each address of a code, if other than its steps."""
    made = {f"{READING} {name}": place.local for name, place in code.settled.items()}
    for words, local in spoken(code.id).items():
        if not local.startswith(f"{READING}."):
            made[_unnamed(words)] = local
    for address in (a for a in addresses() if a.startswith(f"{code.id}:")):
        local = address.partition(":")[2]
        steps = local.split(".")
        if any(len(step) > 1 and step in FILLERS - set(attached()) for step in steps):
            continue  # its words would be taken for some that carry nothing
        for way in _ways(steps, code):
            key = _telling(way)
            if key and key != local.replace(".", " "):
                made[key] = local
    return made


def _ways(steps: list[str], code: Code) -> Iterator[list[str]]:
    """Alternative words for the steps of an address."""
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
    """The words for passages attached to a law, such as a footnote, before or after its number,
    with their step.
    """
    return book().passage_words[1]


def _unnamed(words: str) -> str:
    """Words as the page has them after removing the names of codes."""
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
    """A number as a small roman numeral."""
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    tens = ("", "x", "xx", "xxx", "xl", "l")
    return tens[number // 10] + ones[number % 10]
