"""Where a record begins: after an empty line, says the standard, and real files say otherwise.

Two questions are asked of the tags seen so far: does a tag begin another record though no empty line stands
before it, and does it go on with the record before an empty line?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

MANDATORY = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
"""The fifteen tags of every exported record, in their order."""

IDENTITY = frozenset(MANDATORY[: MANDATORY.index("Scoring")])
SECTIONS = frozenset(("Auction", "Play"))
MAX_NAMES = 1000


@dataclass(slots=True)
class Seen:
    """The names of the tags seen, and the first of them."""

    first: str = ""
    names: set[str] = field(default_factory=set)

    def add(self, names: Iterable[str]) -> None:
        """Take more names; a bound keeps noise from filling the memory."""
        for name in names:
            if not self.names:
                self.first = name
            if len(self.names) < MAX_NAMES:
                self.names.add(name)


def begins(name: str, seen: Seen) -> bool:
    """Whether a tag begins another record though no empty line stands before it.

    A repeated tag is ignored by the standard. It begins a record where it names or opens one, and the record
    so far already has cards, calls or a contract.
    """
    whole = not seen.names.isdisjoint(("Deal", "Auction", "Play", "Contract"))
    if name == "Event" or (name in seen.names and (name == "Board" or name == seen.first)):
        return whole
    return name in seen.names and name in IDENTITY and not seen.names.isdisjoint(SECTIONS)


def joins(more: Seen, seen: Seen, spaced: bool) -> bool:
    """Whether tags behind an empty line still belong to the record before it, against the standard.

    A section or a table without any tag of its own does. So do mandatory tags that go on in their order
    from an `Event` or `Board` tag before any section, and, where every tag stands in a paragraph by itself
    (`spaced`), any tag not seen yet.
    """
    names = more.names
    if "" in names or not names.isdisjoint(seen.names - {"Note"}):
        return False
    if is_section(more.first):
        return True
    if seen.first not in ("Event", "Board") or not SECTIONS.isdisjoint(seen.names):
        return False
    mine = [MANDATORY.index(n) for n in names if n in MANDATORY]
    before = max(MANDATORY.index(n) for n in seen.names if n in MANDATORY)
    return min(mine) > before if mine else spaced and len(names) == 1


def is_section(name: str) -> bool:
    """Whether a tag stands before lines of its own."""
    return name in SECTIONS or name == "Note" or name.endswith("Table")
