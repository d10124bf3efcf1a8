"""Addresses: where a law, a provision or a reading stands, `CODE:LAW[.PARAGRAPH[.ITEM]]`.

An address is a string in its one canonical spelling, and never changes once it is published.
`book.read_citation` turns what people write into one; `law.names` has its words and its URL.
"""

from __future__ import annotations

PREAMBLE = "preamble"  # the last step of the words before the passages of a kind


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
        """The address within its code and what it stands below: `84.b`, `84`."""
        steps = self.local.split(".")
        return [".".join(steps[:end]) for end in range(len(steps), 0, -1)]

    @property
    def is_reading(self) -> bool:
        """Whether it is the address of a reading, not of the law itself."""
        return self.local.startswith("reading.")

    def within(self, other: str) -> bool:
        """Whether it is another address or below it: `84.b` within `84`."""
        return self == other or self.startswith(f"{other}.")

    def below(self, number: str) -> str:
        """The part after the number of a law: `b` for `84`; empty for the law itself."""
        return self.local[len(number) + 1 :]

    def short(self, code: str) -> str:
        """The address as written in the context of a code: without that code."""
        return self.local if self.code == code else str(self)

    @property
    def order(self) -> tuple[tuple[int, int, str], ...]:
        """A sort key for addresses of one code as a reader counts: see `order`."""
        return order(self.local)


def order(number: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key for numbers as a reader counts: `9` before `10`, words after, a preamble first."""
    return tuple(
        (0, int(p), "") if p.isdigit() else (-1 if p == PREAMBLE else 1, 0, p)
        for p in number.split(".")
    )
