"""Addresses of laws, provisions and readings: `CODE:LAW[.PARAGRAPH[.ITEM]]`.

An address is a string in canonical spelling, and never changes once it is published.
`book.read_citation` parses the citations that people write into addresses; `law.names` provides
the words and the URL for an address.
"""

from __future__ import annotations

PREAMBLE = "preamble"  # the last step in the address of the words that introduce passages of a kind


class Address(str):
    """The address of a law, a provision, a reading or (without a colon) a code."""

    __slots__ = ()

    @property
    def code(self) -> str:
        """The id of the code: `auction-1912`."""
        return self.partition(":")[0]

    @property
    def local(self) -> str:
        """The address within its code: `84.b`; empty for a code."""
        return self.partition(":")[2]

    @property
    def beginnings(self) -> list[str]:
        """The address within its code and its prefixes, longest first: `84.b`, `84`."""
        steps = self.local.split(".")
        return [".".join(steps[:end]) for end in range(len(steps), 0, -1)]

    @property
    def is_reading(self) -> bool:
        """Whether this is the address of a reading, not of a law."""
        return self.local.startswith("reading.")

    def within(self, other: str) -> bool:
        """Whether this is the address `other` or lies below it: `84.b` is within `84`."""
        return self == other or self.startswith(f"{other}.")

    def below(self, number: str) -> str:
        """The part after the number of the law: `b` in `84.b`; empty for the law itself."""
        return self.local[len(number) + 1 :]

    def short(self, code: str) -> str:
        """The address as written in the context of a code: without that code."""
        return self.local if self.code == code else str(self)

    @property
    def order(self) -> tuple[tuple[int, int, str], ...]:
        """The sort key for addresses of one code; see the function `order`."""
        return order(self.local)


def order(number: str) -> tuple[tuple[int, int, str], ...]:
    """The sort key of a law's number: a preamble first, `9` before `10`, words last."""
    return tuple(
        (0, int(p), "") if p.isdigit() else (-1 if p == PREAMBLE else 1, 0, p)
        for p in number.split(".")
    )
