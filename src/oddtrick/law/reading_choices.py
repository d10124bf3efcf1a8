"""Chosen readings: doubtful passages that the players decided for themselves.

A choice, `CODE:ID=CHOICE`, is written among the options of a code and recognised by its `=`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from oddtrick.law.address import Address
from oddtrick.law.cases import Clash
from oddtrick.law.model import ChosenReading, Code, Reading, UnknownCode, written

if TYPE_CHECKING:
    from oddtrick.law.lawbook import Book


def computes(book: Book, one: ChosenReading) -> bool:
    """Whether the checker takes a choice into account; always true for the default choice."""
    if not one.differs:
        return True
    choice, reading = one.choice, one.reading
    supplies = choice.procedures or choice.figures or choice.absent
    if supplies or reading.procedures or reading.figures:
        return True
    entries = book.code(reading.address.code).entries
    return any(e.reading.get(reading.id) == choice.id for e in entries)


def computed_choices(book: Book, reading: Reading) -> list[ChosenReading]:
    """The choices of a reading, other than the one applied, that the checker takes into account."""
    others = (ChosenReading(reading, c) for c in reading.choices if c.id != reading.applied)
    return [one for one in others if computes(book, one)]


def is_choice(option: str) -> bool:
    """Whether an item among the options of a code is a choice of a reading."""
    return "=" in option


def options_of(options: Iterable[str]) -> tuple[str, ...]:
    """The items that are options of a code."""
    return tuple(o for o in options if not is_choice(o))


def choices_of(options: Iterable[str]) -> tuple[str, ...]:
    """The items that are choices of readings."""
    return tuple(o for o in options if is_choice(o))


def parsed(option: str) -> tuple[str, str, str]:
    """The code (or nothing), the reading and the choice that an item names."""
    head, _, choice = (part.strip() for part in option.partition("="))
    code, _, name = head.rpartition(":")
    return code, name.removeprefix("reading."), choice


def bearing(options: Iterable[str], chain: Sequence[Code]) -> tuple[str, ...]:
    """The choices for readings of these codes, including those that name no code."""
    codes = ("", *(c.id for c in chain))
    return tuple(o for o in choices_of(options) if parsed(o)[0] in codes)


def read_choice(book: Book, option: str, chain: Sequence[Code]) -> ChosenReading:
    """Parse a choice for a reading of one of these codes. Raises `UnknownCode`."""
    code, name, choice = parsed(option)
    if code and code not in (c.id for c in chain):
        there = code in book.ids
        why = f"a reading of {code} does not apply here" if there else f"there is no code `{code}`"
        raise _unknown(
            option,
            f"{why}; the readings that apply are those of {' and '.join(c.id for c in chain)}",
        )
    owners = [c for c in chain if code in ("", c.id)]
    known = {r.id: r for c in reversed(owners) for r in c.readings}
    if name not in known:
        of = code or chain[0].id
        have = f"reading `{name}`; its readings are {', '.join(known)}" if known else "readings"
        raise _unknown(option, f"`{of}` has no {have}")
    reading = known[name]
    for one in reading.choices:
        if one.id == choice:
            return ChosenReading(reading, one)
    listed = " and ".join(c.id for c in reading.choices)
    raise _unknown(
        option, f"`{choice}` is not a choice of {reading.address}; its choices are {listed}"
    )


def read_choices(
    book: Book, options: Iterable[str], chain: Sequence[Code]
) -> tuple[ChosenReading, ...]:
    """Parse the choices among the options of a code, one for each reading.

    Raises `UnknownCode` for an unknown choice, or for choices that exclude each other.
    """
    found: dict[Address, ChosenReading] = {}
    for option in choices_of(options):
        one = read_choice(book, option, chain)
        first = found.setdefault(one.reading.address, one)
        if first.choice != one.choice:
            both = f"`{first.choice.id}` and `{one.choice.id}`"
            message = f"two choices of {one.reading.address} exclude each other: {both}"
            raise _unknown(option, message)
    differing = [c for c in found.values() if c.differs]
    at_a_time = "; the checker can apply only one of them at a time"
    changed: dict[str, ChosenReading] = {}
    for one in differing:
        for name in one.choice.procedures:
            other = changed.setdefault(name, one)
            if other is not one:
                both = f"`{other.written}` and `{one.written}`"
                raise _unknown(one.written, f"{both} both change `{name}`{at_a_time}")
    written = [one.written for one in differing] if len(found) > 1 else []
    conditional = (e.irregularity for c in chain for e in c.entries if e.reading and written)
    for name in dict.fromkeys(conditional):
        try:
            book.entry(name, chain[0].id, written)
        except Clash:
            both = " and ".join(f"`{choice}`" for choice in written)
            message = f"{both} change the same ruling on `{name}`{at_a_time}"
            raise _unknown(written[-1], message) from None
    return tuple(found.values())


def go_together(book: Book, options: Iterable[str], chain: Sequence[Code]) -> bool:
    """Whether the choices among some options are valid and can be combined."""
    try:
        read_choices(book, options, chain)
    except UnknownCode:
        return False
    return True


def others(
    book: Book, address: str, options: Sequence[str], chain: Sequence[Code]
) -> Iterator[ChosenReading]:
    """Yield the other choices of a reading that go together with some options.

    There are none if the options choose already.
    """
    reading = book.reading(address)
    if any(o.startswith(written(reading.address, "")) for o in options):
        return
    for choice in reading.choices:
        one = ChosenReading(reading, choice)
        if one.differs and go_together(book, (*options, one.written), chain):
            yield one


def combined(book: Book, code: str, asked: Iterable[str], stated: Sequence[str]) -> tuple[str, ...]:
    """The options in force: those asked for or, without any, those that a record states.

    For each reading, a choice asked for takes precedence over one that the record states; a choice
    for another code has no effect.
    """
    asked = tuple(asked)
    if not (asked or stated):
        return ()
    chain = book.chain(code)

    def reading(option: str) -> Address:
        return read_choice(book, option, chain).reading.address

    own = bearing(asked, chain)
    chosen = set(map(reading, own))
    more = [o for o in choices_of(stated) if reading(o) not in chosen]
    return (*(options_of(asked) or options_of(stated)), *own, *more)


def _unknown(option: str, message: str) -> UnknownCode:
    return UnknownCode(option, message, "reading")
