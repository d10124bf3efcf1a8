"""An answer told as a director gives it: what happened, what the law gives, who may choose.

An answer is told in parts of lines, a line in pieces of words with the laws they rest on. The
command writes them in a terminal, the site as links; neither has words of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.law.names import cited
from oddtrick.law.reading_choices import reading_at
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Piece, Ruling


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the addresses at its head, then its pieces; `number` counts what somebody chooses
    among.
    """

    pieces: tuple[Piece, ...]
    head: tuple[str, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer; its id, of `HEADINGS`, says what it tells."""

    id: str
    lines: tuple[Line, ...]

    @property
    def heading(self) -> str:
        """What stands above it; nothing above what is given."""
        return HEADINGS[self.id]


HEADINGS = {
    "given": "",
    "may": "What it may come to:",
    "law": "The law",
    "considered": "Also considered",
    "exacting": "Exacting it",
    "readings": "Readings relied on",
    "see": "See too",
    "cite": "To cite",
}

ABOUT = {
    "consultation": "Partners",
    "time": "Time",
    "waiver": "The right is lost",
    "wrong-demand": "A wrong demand",
    "final": "The choice",
}
"""How the general rules on exacting a penalty are called."""


def title(found: Answer) -> str:
    """What an answer is about: the irregularity and the code."""
    return f"{rulings.catalogue()[found.irregularity].label}, {book().code(found.code).short}"


def told(found: Answer) -> list[Part]:
    """The parts of an answer after its title and the finding, without empty ones."""
    parts = [
        Part("given", tuple(_given(found))),
        Part(
            "may",
            tuple(
                _line(f"{_upper(rulings.case_words(r))}: ", *rulings.ruling_pieces(r), ".")
                for r in found.possible
            ),
        ),
        Part("law", tuple(Line((Piece(_restated(a)),), (a,)) for a in _whole(found.laws))),
        Part(
            "considered",
            tuple(Line((Piece(f"{c.why}."),), c.ruling.provisions) for c in found.considered),
        ),
        Part("exacting", tuple(_exacting(found))),
        Part("readings", (*_relied(found), *_otherwise(found))),
        Part("see", tuple(_seen(found))),
        Part("cite", (_line("; ".join(cited(a) for a in found.laws)),) if found.laws else ()),
    ]
    return [p for p in parts if p.lines]


def _seen(found: Answer) -> Iterator[Line]:
    """Other irregularities to whose rulings this one leads, where the code gives something."""
    if found.kind in ("ruling", "open"):
        for name in rulings.catalogue()[found.irregularity].see:
            yield _line(f"{rulings.catalogue()[name].label} ({name})")


def plain(line: Line, code: str) -> str:
    """A line in plain text; the laws of the code that is asked by their numbers alone."""
    head = f"{', '.join(own(a, code) for a in line.head)}: " if line.head else ""
    number = f"{line.number}. " if line.number else ""
    return (
        number
        + head
        + "".join(
            p.words + (f" ({', '.join(own(a, code) for a in p.laws)})" if p.laws else "")
            for p in line.pieces
        )
    )


def own(address: str, code: str) -> str:
    """An address as it is written where a code is spoken of: without that code."""
    return Address(address).short(code)


def _line(*pieces: str | Piece, number: int | None = None) -> Line:
    return Line(tuple(Piece(p) if isinstance(p, str) else p for p in pieces), (), number)


def _relied(found: Answer) -> Iterator[Line]:
    """The readings that a ruling rests on, each with the choice where it is chosen."""
    chosen = book().rules(found.code, found.options).chosen
    for address in found.ruling.readings if found.ruling else ():
        how = f" Read as {chosen[address].choice.id}." if address in chosen else ""
        yield Line((Piece(reading_at(book(), address).question + how),), (address,))


def _otherwise(found: Answer) -> Iterator[Line]:
    """What the other choices of these readings give."""
    for one, other in rulings.otherwise(found):
        given = rulings.ruling_pieces(other.ruling) if other.ruling else ()
        pieces = given or ("the code is silent",)
        yield _line(f"If {one.reading.address} is read as {one.choice.id}: ", *pieces, ".")


def _restated(address: str) -> str:
    found = book().provision(address)
    return found.text if found else ""


def _whole(laws: tuple[str, ...]) -> tuple[str, ...]:
    """The laws without passages that say them again in less words, where there are others."""
    kinds = {a: book().passage(a) for a in laws}
    return tuple(a for a, k in kinds.items() if not k or k.role != "restatement") or laws


def _given(found: Answer) -> Iterator[Line]:
    """What the code gives, or why it gives nothing."""
    for fact, value in found.idle:
        yield _line(f"({rulings.fact_words(fact, value)}: this does not matter here.)")
    short = book().code(found.code).short
    if found.kind == "absent":
        yield _line(f"It cannot arise under {short}: {found.reason}")
    elif found.kind == "silent":
        yield _line(f"{short} is silent: {found.reason}")
    elif found.kind == "open":
        yield _line("It turns on more facts:")
    elif found.ruling:
        yield from _ruling(found.ruling)


def _ruling(ruling: Ruling) -> Iterator[Line]:
    """What follows, then who may choose among what, until when."""
    if ruling.says:
        yield _line(ruling.says)
    for remedy in ruling.always:
        yield _line(_had((remedy,), "", f"{rulings.asked_words((remedy,))}."))
    yield from _choices(ruling.choices)
    for remedy in ruling.remedies:
        if remedy.consult:
            yield _line(
                "They may consult on it."
                if remedy.consult == "may"
                else "They may not consult on it."
            )
            break


def _choices(choices: tuple[tuple[Remedy, ...], ...]) -> Iterator[Line]:
    if len(choices) == 1:
        yield _line(_had(choices[0], "", f"{rulings.asked_words(choices[0])}."))
        return
    if not choices:
        return
    one = len({c[0].chosen_by for c in choices}) == 1
    same = len({rulings.who_words(c) for c in choices}) == 1
    who = (
        _may(choices[0])
        if same
        else f"{_upper(rulings.chooser_words(choices[0][0].chosen_by))} may"
    )
    yield _line(f"{who} choose:" if one else "There is a choice:")
    for number, choice in enumerate(choices, 1):
        limit = (
            f", {rulings.limit_words(choice[0].demand)}" if choice[0].demand and not same else ""
        )
        for_whom = "" if one else f"{rulings.chooser_words(choice[0].chosen_by)}: "
        yield _line(_had(choice, for_whom, limit, first=False), number=number)


def _had(remedies: tuple[Remedy, ...], before: str, after: str, first: bool = True) -> Piece:
    said = " and ".join(rulings.remedy_words(r) for r in remedies)
    return Piece(
        f"{before}{_upper(said) if first else said}{after}",
        tuple(dict.fromkeys(r.provision for r in remedies)),
    )


def _may(remedies: tuple[Remedy, ...]) -> str:
    """`The declarer may`, or with a limit `Either opponent, before the next player calls, may`."""
    who = _upper(rulings.who_words(remedies))
    return f"{who}, may" if remedies[0].demand else f"{who} may"


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _exacting(found: Answer) -> Iterator[Line]:
    """The general rules on exacting, as far as the ruling has none of its own; each law once."""
    special = any(r.consult for r in found.ruling.remedies) if found.ruling else False
    told_of = set(found.laws)
    for rule in found.exacting:
        if rule.about == "where-none-named" or (rule.about == "consultation" and special):
            continue
        fresh = [a for a in rule.provisions if a not in told_of and book().provision(a)]
        told_of |= set(rule.provisions)
        if fresh:
            texts = (Piece((" " if n else "") + _restated(a), (a,)) for n, a in enumerate(fresh))
            yield _line(f"{ABOUT[rule.about]}: ", *texts)


def comparison(answers: Iterable[Answer]) -> Iterator[tuple[str, list[str]]]:
    """One irregularity under several codes: of each its name and what it gives, in lines."""
    for found in answers:
        data = book().code(found.code)
        if found.kind == "absent":
            lines = [f"does not arise: {found.reason}"]
        elif found.kind == "silent":
            lines = [f"silent: {found.reason}"]
        elif found.ruling:
            said = f"{found.ruling.says} " if found.ruling.says else ""
            lines = [f"{said}{_upper(rulings.ruling_words(found.ruling))}."]
        else:
            lines = [
                f"{_upper(rulings.case_words(r))}: {rulings.ruling_words(r)}."
                for r in found.possible
            ]
        yield data.short, lines
