"""Words and site URLs for laws; the only module that names passages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from oddtrick.law.address import PREAMBLE, Address
from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.model import SILENT, Code, OpenCopy, Silence

READING = "reading"  # the first step in the address of a reading, and the word for one


def addresses(code: Code) -> tuple[Address, ...]:
    """The addresses of a code's laws, provisions and readings, without repetition."""
    found = [law.address for law in code.laws] + [p.address for p in code.provisions]
    return tuple(dict.fromkeys(found + [r.address for r in code.readings]))


@cache
def known(code_id: str) -> frozenset[str]:
    """The valid addresses within a code, including prefixes (`26.g`)."""
    code = book().code(code_id)
    found: set[str] = set()
    for address in addresses(code):
        found.update(address.beginnings)
    found.update(f"{READING}.{name}" for name in code.settled)
    heads = {READING, *(k.id for k in code.passages if not k.attached)}
    return frozenset(found - heads)  # such a word by itself is not an address


def exists(address: str) -> bool:
    """Whether an address is that of a law, a provision or a reading, or a prefix of one."""
    own = Address(address)
    return own.code in book().ids and own.local in known(own.code)


def law_name(number: str) -> str:
    """`law 10`, `decision 6`, or the name of a passage without a number: `etiquette preamble`."""
    kind, _, rest = number.partition(".")
    return f"law {number}" if kind[0].isdigit() else f"{kind} {rest}".strip().replace("-", " ")


@lru_cache(MOST_CACHED)
def law_words(address: str) -> str:
    """An address within its code as read aloud: `law 84 (b)`, `footnote to law 55`."""
    own = Address(address)
    parts = own.local.split(".")
    kind = book().passage(own)
    if kind and kind.attached:
        return f"{kind.one} to {law_words(own.rpartition('.')[0])}"
    one = READING if parts[0] == READING else kind.one if kind else ""
    if kind and one and parts[-1] == PREAMBLE:
        return f"the words before the {kind.many}"
    if one:
        return " ".join([one, parts[1], *(f"({p})" for p in parts[2:])])
    if parts[0].isdigit():
        return " ".join([f"law {parts[0]}", *(f"({p})" for p in parts[1:])])
    law = book().law(own)
    if law is None:
        return " ".join(p.replace("-", " ") for p in parts)
    words = book().code(own.code).cited.get(law.number) or law_name(law.number)
    return " ".join([words, *(f"({p})" for p in own.below(law.number).split(".") if p)])


def is_our_numbering(address: str) -> bool:
    """Whether the last number or letter of an address is ours: the print has none there."""
    own = Address(address)
    kind, item = book().passage(own), book().provision(own)
    if kind and kind.numbering == "ours":
        return not own.local.endswith(PREAMBLE)
    return item is not None and bool(item.at) and item.numbering == "ours"


def cited(address: str) -> str:
    """The short citation of an address: `Auction 1912, law 84 (b)`; for a code, its short name."""
    own = Address(address)
    short = book().code(own.code).short
    return f"{short}, {law_words(own)}" if own.local else short


@lru_cache(MOST_CACHED)
def path_of(address: str) -> str:
    """The URL of an address on the site: `codes/auction-1912/84/#b`."""
    own = Address(address)
    if not own.local:
        return f"codes/{own.code}/"
    if own.is_reading:
        return f"codes/{own.code}/readings/#{own.below('reading')}"
    law = book().law(own)
    number = law.number if law else own.local
    below = own.below(number)
    return f"codes/{own.code}/{number}/" + (f"#{below}" if below else "")


def open_copies(code: Code) -> list[tuple[OpenCopy, str | None]]:
    """The open copies of a code's book, then those of its other editions, with their labels."""
    printed = [(None, code.book.copies), *((e.label, e.copies) for e in code.editions)]
    return [(copy, edition) for edition, copies in printed for copy in copies]


def of_edition(edition: str | None) -> str:
    """The edition of an open copy in brackets, after a space; empty for the code's own book."""
    return f" ({edition[:1].lower()}{edition[1:]})" if edition else ""


def silence_text(found: Silence) -> str:
    """A silence as a sentence or two: `Auction 1926, Bystanders: silent. ...`."""
    return f"{book().names[found.code]}, {found.label}: {SILENT[found.state]}. {found.reason}"


def and_words(parts: Iterable[str], last: str = "and") -> str:
    """A list in words: `a`, `a and b`, `a, b and c`; empty without parts."""
    *first, end = [*parts] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end
