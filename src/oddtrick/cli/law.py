"""`oddtrick law`: shows a law, a provision, a reading or a code with everything attached to it."""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

from oddtrick.book.own_copies import printed
from oddtrick.book.silences import absent_clauses, silences_beside, silences_near
from oddtrick.book.write_citation import dated
from oddtrick.cli.common import Command, UsageError, citations, write_json
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import (
    KINDS,
    STATES,
    Code,
    Figure,
    Law,
    Provision,
    Reading,
    Reference,
    Variant,
)
from oddtrick.law.names import is_our_numbering, law_name, of_edition, open_copies, silence_text
from oddtrick.terminal import Style, in_a_line, style


class Passage(NamedTuple):
    """A law or a part of it; `printed` pairs an attached book's file name with its text."""

    address: Address
    law: Law
    provisions: tuple[Provision, ...]
    readings: tuple[Reading, ...]
    printed: tuple[tuple[str, str], ...]


Found = Code | Passage | Reading


def law(options: argparse.Namespace) -> int:
    """`oddtrick law`."""
    if not options.addresses:
        raise UsageError(
            "which law? Give an address, such as `contract-1927:10`; see `oddtrick law --help`"
        )
    addresses, status = citations(options.addresses)
    found = [find(address) for address in addresses]
    if options.format == "json":
        bodies = [as_json(item) for item in found]
        write_json(bodies if len(bodies) > 1 else bodies[0])
    else:
        shape = style(most=100, piped=80)
        sys.stdout.write("\n".join(text(item, shape) for item in found))
    return status


def find(address: Address) -> Found:
    """The code, reading, law or part of a law at an address that exists."""
    code = book().code(address.code)
    if not address.local:
        return code
    if address.is_reading:
        return next(r for r in code.readings if r.address == address)
    own = tuple(p for p in code.provisions if p.address.within(address) or p.law == address)
    law = next(w for w in code.laws if w.address == own[0].law)
    places = {address, *(p.address for p in own)}
    named = {r for p in own for r in p.readings}
    readings = tuple(
        r for r in code.readings if r.address in named or not places.isdisjoint(r.places)
    )
    return Passage(address, law, own, readings, tuple(printed(code.id, law.number)))


def as_json(found: Found) -> dict[str, object]:
    """The result of `find` as a value for `write_json`."""
    address = Address(found.id) if isinstance(found, Code) else found.address
    code = book().code(address.code)
    head = {"code": code.id, "short": code.short, "title": code.title, "body": code.body}
    if isinstance(found, Code):
        laws = [{"address": w.address, "number": w.number, "heading": w.heading} for w in code.laws]
        copies = [copy._asdict() | {"edition": edition} for copy, edition in open_copies(code)]
        more = {"date": code.date, "extends": code.extends, "about": code.about}
        beside = {"copies": copies, "laws": laws, "topics": code.topics, "absent": code.absent}
        descent = [{"code": d.of, "text": d.text} for d in code.descent]
        readings = [{"address": r.address, "question": r.question} for r in code.readings]
        beside |= {"descent": descent, "readings": readings}
        return {"kind": "code", "address": code.id, **head, **more, **beside}
    if isinstance(found, Reading):
        return {"kind": "reading", **head, **_filled(found)}
    return {
        "kind": "law",
        "address": found.address,
        **head,
        "law": found.law,
        "provisions": [_provision_json(p) for p in found.provisions],
        "readings": [_filled(r) for r in found.readings],
        "silences": silences_near(p.address for p in found.provisions),
        "printed": [{"file": file, "words": words} for file, words in found.printed],
    }


def _provision_json(provision: Provision) -> dict[str, object]:
    return provision._asdict() | {
        "refs": [_filled(r) for r in provision.refs],
        "variants": [_filled(v) for v in provision.variants],
        "counterparts": book().counterparts(provision.address),
        "silences": silences_beside(provision.address),
    }


def _filled(entry: Reading | Reference | Variant) -> dict[str, object]:
    return {key: value for key, value in entry._asdict().items() if value}


def text(found: Found, shape: Style) -> str:
    """The result of `find` as text."""
    if isinstance(found, Code):
        return _code_text(found, shape)
    if isinstance(found, Reading):
        return _reading_text(found, "", shape)
    law, code = found.law, book().code(found.address.code)
    page = f", {'pp' if '-' in law.page else 'p'}. {law.page}" if law.page else ""
    out = [
        shape.bold(f"{code.short}, {law_name(law.number)}: {law.heading}"),
        f"{code.title} ({code.body}){page}",
        "",
    ]
    for item in found.provisions:
        out += _provision_lines(item, shape)
    for file, words in found.printed:
        out += [shape.wrap(f"As printed ({in_a_line(file)}): {words}", "  "), ""]
    if law.note:
        out += [shape.wrap("Note: " + law.note, "  "), ""]
    near = silences_near(p.address for p in found.provisions)
    out += [shape.wrap(silence_text(s), "  ") for s in near]
    out += [""] if near else []
    out += [_reading_text(reading, "  ", shape) for reading in found.readings]
    return "\n".join(out).rstrip() + "\n"


def _code_text(code: Code, shape: Style) -> str:
    out = [
        f"{shape.bold(code.short)}  {code.title} ({code.body}, {dated(code)})",
        "",
        shape.wrap(code.about),
        "",
    ]
    out += [shape.wrap(f"From {book().names[d.of]}: {d.text}") for d in code.descent]
    out += [""] if code.descent else []
    copies = [
        shape.wrap(f"Open copy{of_edition(edition)}: {copy.label}, {copy.url}")
        for copy, edition in open_copies(code)
    ]
    out += [*(copies or ["No open copy of the book is known."]), ""]
    out += [f"  {law.address.local:<14} {law.heading}" for law in code.laws] + [""]
    for topic, state in code.topics.items():
        label = book().topics[topic].label
        out.append(shape.wrap(f"{label}: {STATES[state.state]}. {state.reason}"))
    for reason, names in absent_clauses(code).items():
        out.append(shape.wrap(f"{', '.join(names)}: not in the code. {reason}"))
    out += ["", shape.bold("Readings of doubtful passages")] if code.readings else []
    out += [shape.wrap(f"{r.address.local}  {r.question}", "  ") for r in code.readings]
    return "\n".join(out) + "\n"


def _provision_lines(item: Provision, shape: Style) -> list[str]:
    code = item.address.code
    ours = " (our numbering)" if is_our_numbering(item.address) else ""
    out = [shape.bold(item.address) + ours, shape.wrap(item.text, "  ")]
    for name, figure in item.figures.items():
        out.append(shape.wrap(f"{name}: {figure_text(figure)}", "    "))
        doubts = book().doubts(item, name)
        for reading in dict.fromkeys(doubts.values()):
            cells = [c.replace(".", " ") or name for c, by in doubts.items() if by == reading]
            words = f"by {reading.short(code)}: {', '.join(cells)}"
            out.append(shape.wrap(words, "      "))
    out += [f"    {name}: {value}" for name, value in item.procedures.items()]
    for ref in item.refs:
        as_printed = f" (printed: {ref.printed})" if ref.printed else ""
        out.append(f"    {ref.how.replace('-', ' ')} {ref.to.short(code)}{as_printed}")
    for label, addresses in (
        ("cited by", item.cited_by),
        ("displaces", item.displaces),
        ("amends", item.amends),
        ("displaced by", item.displaced_by),
        ("amended by", item.amended_by),
    ):
        if addresses:
            names = ", ".join(a.short(code) for a in addresses)
            out.append(shape.wrap(f"{label} {names}", "    "))
    if item.option:
        out.append(f"    in force with the option {item.option}")
    for variant in item.variants:
        text = "does not have it" if variant.absent else variant.text
        words = " ".join(w for w in (text, variant.note) if w)
        out.append(shape.wrap(f"edition {variant.edition}: {words}", "    "))
    if item.note:
        out.append(shape.wrap("Note: " + item.note, "    "))
    return [*out, *_counterpart_lines(item, shape), ""]


def _counterpart_lines(item: Provision, shape: Style) -> list[str]:
    """Lines for the counterparts of a provision in each other code, and for the silences there.

    The first says in brief what the provision has where the others differ. The codes without a
    counterpart share one line.
    """
    names, others = book().names, book().counterparts(item.address)
    every = (a for answers in others.values() for a in answers)
    own_side = dict.fromkeys(d.ours for a in every if a.kind != "same" for d in a.differences)
    out = [shape.wrap(f"in brief: {'; '.join(own_side)}", "    ")] if own_side else []
    without = []
    for code, answers in others.items():
        if [a.address for a in answers] == [item.address]:
            out.append(f"    in force under {names[code]}")
        elif not answers:
            without.append(names[code])
        own = [a for a in answers if a.address.code == code]
        for kind, form in sorted(
            {(a.kind, a.shape) for a in own}, key=lambda s: (KINDS.index(s[0]), s[1])
        ):
            group = [a for a in own if (a.kind, a.shape) == (kind, form)]
            changed = dict.fromkeys(d.theirs for a in group for d in a.differences)
            changes = f" ({'; '.join(changed)})" if changed and kind != "same" else ""
            found = ", ".join(a.address for a in group)
            label = book().kind_words(kind, form)
            out.append(shape.wrap(f"{label}: {found}{changes}", "    "))
    if without:
        out.append(shape.wrap(f"no counterpart in {', '.join(without)}", "    "))
    return [*out, *(shape.wrap(silence_text(s), "    ") for s in silences_beside(item.address))]


def _reading_text(reading: Reading, indent: str, shape: Style) -> str:
    out = [shape.wrap(f"Reading {reading.address}: {reading.question}", indent)]
    for choice in reading.choices:
        mark = "applied" if choice.id == reading.applied else "alternative"
        out.append(shape.wrap(f"{mark} ({choice.id}): {choice.text}", indent + "  "))
    out.append(shape.wrap(f"Why: {reading.why}", indent + "  "))
    if reading.not_computed:
        out.append(
            shape.wrap(f"The other choices are not computed: {reading.not_computed}", indent + "  ")
        )
    out.append(shape.wrap(f"Bears on {', '.join(reading.places)}", indent + "  "))
    return "\n".join(out) + "\n"


def figure_text(value: Figure) -> str:
    """A figure in one line: `clubs 6, diamonds 7`; a series of numbers as `50, then 100 each`."""
    if isinstance(value, dict):
        return ", ".join(
            f"{k} ({figure_text(v)})" if isinstance(v, dict) else f"{k} {figure_text(v)}"
            for k, v in value.items()
        )
    if not isinstance(value, list):
        return str(value)
    if value and all(isinstance(v, int) for v in value):
        before = ", ".join(map(str, value[:-1])) + ", then " if len(value) > 1 else ""
        return f"{before}{value[-1]} each"
    if any(isinstance(v, dict) for v in value):
        return "; ".join(map(figure_text, value))
    return ", ".join(map(str, value))


COMMANDS: dict[str, Command] = {"law": law}
