"""`oddtrick law ADDRESS`: one law or provision with all that belongs to it.

It answers within a quarter of a second (benchmarks/cold_start.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict

from oddtrick.book.silences import silences_beside, silences_near
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import (
    KINDS,
    STATES,
    Code,
    Counterpart,
    Figure,
    Law,
    Provision,
    Reading,
    Silence,
)
from oddtrick.law.names import law_name, of_edition, open_copies, silence_text
from oddtrick.law.store import data_folder
from oddtrick.terminal import Style, give, in_a_line, style, visible_json
from oddtrick.tuples import NamedTuple

HELP = """usage: oddtrick law CITATION... [--format text|json]

Show a law, a provision of it, or a reading: the restatement, figures, references, what cites it, \
what
answers it in the other codes, the readings that bear on it, and the printed words of an \
attached book.

A citation is an address, CODE:LAW[.PARAGRAPH[.ITEM]], or what people write (see `oddtrick cite`):

  oddtrick law contract-1927:10
  oddtrick law auction-1912:50 auction-1926:26.g.2
  oddtrick law "1912 Law 84 (b)" "Royalton L. 77c"
  oddtrick law auction-1912:reading.declarer-at-no-trump
  oddtrick law contract-1927              (the code itself, with its contents)
"""


class Passage(NamedTuple):
    """A law or a part of it: its provisions, the readings that bear on it, the words of attached
    books.

    `printed` has the name of the file and the words.
    """

    address: Address
    law: Law
    provisions: tuple[Provision, ...]
    readings: tuple[Reading, ...]
    printed: tuple[tuple[str, str], ...]


Found = Code | Passage | Reading


def main(arguments: list[str]) -> int:
    """Run the command; the exit status is 0, or 2 for an address that does not exist."""
    form, addresses, rest = "text", [], iter(arguments)
    for word in rest:
        if word in ("-h", "--help"):
            sys.stdout.write(HELP)
            return 0
        if word == "--format" or word.startswith("--format="):
            form = word[9:] if "=" in word else next(rest, "")
            if form not in ("text", "json"):
                return fail(f"--format takes `text` or `json`, not `{form}`.")
        elif word.startswith("-"):
            return fail(f"there is no option `{word}`; see `oddtrick law --help`.")
        else:
            addresses.append(word)
    if not addresses:
        return fail(
            "which law? Give an address, such as `contract-1927:10`; see `oddtrick law --help`."
        )
    shown = all_led(addresses)
    if isinstance(shown, str):
        return fail(shown)
    if form == "json":
        told = [as_json(item) for item in shown]
        body = json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False, indent=2)
        give(visible_json(body + "\n"))
    else:
        sys.stdout.write("\n".join(text(item, style(most=100, piped=80)) for item in shown))
    return 0


def fail(message: str) -> int:
    """Say what is wrong with the call; exit status 2."""
    sys.stderr.write(f"oddtrick law: {message}\n")
    return 2


def all_led(addresses: list[str]) -> list[Found] | str:
    """What stands where addresses and citations lead, or why the first of them leads nowhere.

    One citation without its quotation marks comes as several: `1912 law 84b`, `1926 26g2`.
    """
    apart, wrong = list[Found](), ""
    for address in addresses:
        found = led(address)
        if isinstance(found, str):
            wrong = wrong or found
        else:
            apart.append(found)
    first = apart[0] if apart else None
    if len(addresses) > 1 and (wrong or isinstance(first, Code)):
        together = led(" ".join(addresses))
        if not isinstance(together, str) and (wrong or code_of(together) == code_of(first)):
            return [together]
    return wrong or apart


def code_of(found: Found | None) -> str:
    """The id of the code that something stands in, or that it is; empty for nothing."""
    if found is None or isinstance(found, Code):
        return found.id if found else ""
    return found.address.code


def led(words: str) -> Found | str:
    """What stands where an address or a citation leads, or why it leads nowhere."""
    return find(Address(words.strip().lower())) or cited(words)


def cited(words: str) -> Found | str:
    """What stands where a citation leads that is no address, or why it leads nowhere."""
    # What reads citations, and with it the room, costs as much as the whole answer to an address.
    from oddtrick.book.read_citation import Unread, read_citation

    try:
        return find(read_citation(words)) or f"nothing stands at `{words}`."
    except Unread as error:
        return f"{error}."


def find(address: Address) -> Found | None:
    """What stands at an address: a code, a law or a part of it with its provisions, a reading."""
    if address.code not in book().ids:
        return None
    code = book().code(address.code)
    if not address.local:
        return code
    if address.is_reading:
        return next((r for r in code.readings if r.address == address), None)
    own = tuple(p for p in code.provisions if p.address.within(address) or p.law == address)
    law = book().law(own[0].address if own else address)
    if not own or law is None:
        return None
    places = {address, *(p.address for p in own)}
    named = {r for p in own for r in p.readings}
    readings = tuple(
        r for r in code.readings if r.address in named or not places.isdisjoint(r.places)
    )
    return Passage(address, law, own, readings, printed(code.id, law.number))


def printed(code: str, number: str) -> tuple[tuple[str, str], ...]:
    """The words of a law in each attached book of its code, with the name of the file."""
    if not (data_folder() / "sources" / code).is_dir():
        return ()
    # Only who has attached a book waits for what reads it.
    from oddtrick.book.own_copies import printed as words

    return tuple(words(code, number))


# --- as JSON --------------------------------------------------------------------------------------


def as_json(found: Found) -> dict[str, object]:
    """What was found, as JSON."""
    address = Address(found.id) if isinstance(found, Code) else found.address
    code = book().code(address.code)
    head = {"code": code.id, "short": code.short, "title": code.title, "body": code.body}
    if isinstance(found, Code):
        laws = [{"address": w.address, "number": w.number, "heading": w.heading} for w in code.laws]
        copies = [asdict(copy) | {"edition": edition} for copy, edition in open_copies(code)]
        more = {"date": code.date, "extends": code.extends, "about": code.about}
        lacks = {
            "topics": {t: asdict(state) for t, state in code.topics.items()},
            "absent": code.absent,
        }
        beside = {"copies": copies, "laws": laws, **lacks}
        return {"kind": "code", "address": code.id, **head, **more, **beside}
    if isinstance(found, Reading):
        return {"kind": "reading", **head, **_reading_json(found)}
    return {
        "kind": "law",
        "address": found.address,
        **head,
        "law": asdict(found.law),
        "provisions": [_provision_json(p) for p in found.provisions],
        "readings": [_reading_json(r) for r in found.readings],
        "silences": [asdict(s) for s in _near(found.provisions)],
        "printed": [{"file": file, "words": words} for file, words in found.printed],
    }


def _provision_json(provision: Provision) -> dict[str, object]:
    told = asdict(provision)
    told["refs"] = [_told(asdict(r)) for r in provision.refs]
    told["variants"] = [_told(asdict(v)) for v in provision.variants]
    return told | {
        "counterparts": {
            code: [counterpart_json(c) for c in found]
            for code, found in _counterparts(provision).items()
        },
        "silences": [asdict(s) for s in _silences(provision)[0]],
    }


def counterpart_json(found: Counterpart) -> dict[str, object]:
    """What answers a provision: its address, its kind, what changed."""
    return asdict(found) | {"differences": [asdict(d) for d in found.differences]}


def _reading_json(reading: Reading) -> dict[str, object]:
    body = {
        "id": reading.id,
        "question": reading.question,
        "places": reading.places,
        "choices": [asdict(c) for c in reading.choices],
        "applied": reading.applied,
        "why": reading.why,
    }
    more = {
        "not_computed": reading.not_computed,
        "touches": reading.touches,
        "procedures": reading.procedures,
        "figures": reading.figures,
    }
    place = {"address": reading.address, "file": reading.file, "line": reading.line}
    return body | _told(more) | place


def _told(entries: Mapping[str, object]) -> dict[str, object]:
    """The entries that say something."""
    return {key: value for key, value in entries.items() if value}


def _counterparts(provision: Provision) -> Mapping[str, tuple[Counterpart, ...]]:
    """What answers a provision in the other codes; nothing for one of an option."""
    return {} if provision.option else book().counterparts(provision.address)


# --- as text --------------------------------------------------------------------------------------


def text(found: Found, shape: Style) -> str:
    """What was found, as text to read."""
    if isinstance(found, Code):
        return _code_text(found, shape)
    if isinstance(found, Reading):
        return _reading_text(found, "", shape)
    law, code = found.law, book().code(found.address.code)
    page = f", p. {law.page}" if law.page else ""
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
    near = _near(found.provisions)
    out += [shape.wrap(silence_text(s), "  ") for s in near]
    out += [""] if near else []
    out += [_reading_text(reading, "  ", shape) for reading in found.readings]
    return "\n".join(out).rstrip() + "\n"


def _code_text(code: Code, shape: Style) -> str:
    out = [
        f"{shape.bold(code.short)}  {code.title} ({code.body}, {code.date})",
        "",
        shape.wrap(code.about),
        "",
    ]
    copies = open_copies(code)
    for copy, edition in copies:
        out.append(shape.wrap(f"Open copy{of_edition(edition)}: {copy.label}, {copy.url}"))
    out += [] if copies else ["No open copy of the book is known."]
    out.append("")
    out += [f"  {law.address.local:<14} {law.heading}" for law in code.laws]
    out += ["", *(shape.wrap(line) for line in _without(code))]
    return "\n".join(out) + "\n"


def _without(code: Code) -> list[str]:
    """What a code says that it has not: topics that it is silent on or that do not arise, then the
    clauses, those with the same reason as one.
    """
    words = book().vocabulary
    topics = {t.id: t.label for t in words.topics}
    labels = {p.id: p.label for p in words.procedures} | {f.id: f.label for f in words.figures}
    reasons: dict[str, list[str]] = {}
    for name, reason in code.absent.items():
        reasons.setdefault(reason, []).append(labels[name])
    return [
        *(f"{topics[t]}: {STATES[s.state]}. {s.reason}" for t, s in code.topics.items()),
        *(f"{', '.join(names)}: not in the code. {reason}" for reason, names in reasons.items()),
    ]


def _provision_lines(item: Provision, shape: Style) -> list[str]:
    code = item.address.code
    ours = " (our numbering)" if item.numbering == "ours" and item.at else ""
    out = [shape.bold(item.address) + ours, shape.wrap(item.text, "  ")]
    for name, figure in item.figures.items():
        out.append(shape.wrap(f"{name}: {figure_text(figure)}", "    "))
    out += [f"    {name}: {value}" for name, value in item.procedures.items()]
    for ref in item.refs:
        as_printed = f" (printed: {ref.printed})" if ref.printed else ""
        out.append(f"    {ref.how.replace('-', ' ')} {ref.to.short(code)}{as_printed}")
    for label, addresses in (
        ("cited by", item.cited_by),
        ("displaces", item.displaces),
        ("amends", item.amends),
        ("displaced by", item.displaced_by),
    ):
        if addresses:
            names = ", ".join(a.short(code) for a in addresses)
            out.append(shape.wrap(f"{label} {names}", "    "))
    if item.option:
        out.append(f"    in force with the option {item.option}")
    for variant in item.variants:
        said = "does not have it" if variant.absent else variant.text
        words = " ".join(w for w in (said, variant.note) if w)
        out.append(shape.wrap(f"edition {variant.edition}: {words}", "    "))
    if item.note:
        out.append(shape.wrap("Note: " + item.note, "    "))
    return [*out, *_counterpart_lines(item, shape), ""]


def _counterpart_lines(item: Provision, shape: Style) -> list[str]:
    """What answers a provision in the other codes, a line each; codes without a counterpart in one.

    What a code has from its base is told with the base.
    """
    names, kinds = book().names, book().kinds
    out, without = [], []
    for code, answers in _counterparts(item).items():
        if [a.address for a in answers] == [item.address]:
            out.append(f"    in force under {names[code]}")
        elif not answers:
            without.append(names[code])
        own = [a for a in answers if a.address.code == code]
        for kind, form in sorted({(a.kind, a.shape) for a in own}, key=_order):
            group = [a for a in own if (a.kind, a.shape) == (kind, form)]
            all_of = (d for a in group for d in a.differences)
            changed = dict.fromkeys(f"{d.ours} | {d.theirs}" for d in all_of)
            said = f" ({'; '.join(changed)})" if changed and kind != "same" else ""
            found = ", ".join(a.address for a in group)
            label = f"{kinds[kind]}; {form}" if form else kinds[kind]
            out.append(shape.wrap(f"{label}: {found}{said}", "    "))
    if without:
        out.append(shape.wrap(f"no counterpart in {', '.join(without)}", "    "))
    return [*out, *(shape.wrap(silence_text(s), "    ") for s in _silences(item)[0])]


def _silences(provision: Provision) -> tuple[tuple[Silence, ...], tuple[Silence, ...]]:
    """What the other codes have not of a provision; then what its own has not beside it."""
    return silences_beside(provision.address), silences_near([provision.address])


def _near(provisions: tuple[Provision, ...]) -> list[Silence]:
    """What a code has not beside some of its provisions, each once."""
    return list(dict.fromkeys(s for p in provisions for s in _silences(p)[1]))


def _order(stands: tuple[str, str]) -> tuple[int, str]:
    """Kinds in their order, and of one kind the shapes."""
    return KINDS.index(stands[0]), stands[1]


def _reading_text(reading: Reading, indent: str, shape: Style) -> str:
    out = [shape.wrap(f"Reading {reading.address}: {reading.question}", indent)]
    for choice in reading.choices:
        mark = "applied" if choice.id == reading.applied else "or"
        out.append(shape.wrap(f"{mark}: {choice.text}", indent + "  "))
    out.append(shape.wrap(f"Why: {reading.why}", indent + "  "))
    if reading.not_computed:
        out.append(shape.wrap(f"Not judged otherwise: {reading.not_computed}", indent + "  "))
    out.append(shape.wrap(f"Bears on {', '.join(reading.places)}", indent + "  "))
    return "\n".join(out) + "\n"


def figure_text(value: Figure) -> str:
    """A figure in one line: `clubs 6, diamonds 7`; successive numbers with arrows."""
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
