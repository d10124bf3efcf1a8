"""A code as Akoma Ntoso 3.0, the XML of legal publishers, valid under the OASIS schema.

The work is the code of its year, by those who made it; the expression is our restatement, by us,
and not authoritative. What is not the law's (references as we resolved them, numbers of ours, words
on options) has the status `editorial`; notes and readings stand in the metadata, each with a mark
where it bears. Figures are left to the JSON.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from oddtrick import __version__
from oddtrick.book.write_citation import cite, date_words, page_words
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import Code, Law, Provision, Reading
from oddtrick.law.names import cited, law_words, path_of

NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
RESTATED = "2026"
"""When the restatement was made, as its licence says; as exact as `date` in a code."""

LEVELS = (("paragraph", "para"), ("subparagraph", "subpara"), ("point", "point"))
"""What a provision is by its depth below its law, and the beginning of its eId."""

NO_COPY = "No open copy of the book is known."
EXACTNESS = ("year", "month", "day")
MIXED = frozenset({"p", "heading", "num"})
"""Elements in which white space is text."""


def akoma(name: str, site: str = "") -> str:
    """A code as an Akoma Ntoso document; `site` is put before the address of its page.

    Raises `UnknownCode`.
    """
    code = book().code(name)
    root = ET.Element("akomaNtoso", {"xmlns": NAMESPACE})
    act = _add(root, "act", name="code", contains="singleVersion")
    meta = _add(act, "meta")
    notes = _Notes(code)
    _preface(_add(act, "preface"), code)
    _body(_add(act, "body"), code, notes)
    _identification(meta, code, site)
    _modifications(meta, code)
    _references(meta, code)
    notes.write(meta)
    _indent(root, 0)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def eid(address: str) -> str:
    """The eId of an address in the document of its code: `sec_84__para_b` of `auction-1912:84.b`.

    A law outside the numbered ones stands in a part: `part_etiquette__sec_3`,
    `part_option-canadian__sec_count-canadian`. A reading is a note: `note_reading-three-passes`.
    Raises `LookupError` where nothing stands.
    """
    own = Address(address)
    if own.is_reading:
        return f"note_{_slug(own.local)}"
    law = book().law(own)
    if law is None:
        raise LookupError(f"nothing stands at {address}")
    steps = [_section(law)]
    below = own.below(law.number)
    for (_, short), step in zip(LEVELS, below.split(".") if below else (), strict=False):
        steps.append(f"{short}_{step}")
    return "__".join(steps)


def iri(address: str) -> str:
    """The IRI of a code, or of an address in it, after the naming convention.

    `/akn/us/act/game-laws/1912/auction-1912`
    """
    own = Address(address)
    code = book().code(own.code)
    work = f"/akn/{code.book.country}/act/game-laws/{code.date[:4]}/{code.id}"
    return f"{work}/!main~{eid(own)}" if own.local else work


# --- the law --------------------------------------------------------------------------------------


def _part(law: Law) -> str:
    """The part in which a law stands: an option, a kind of passage; empty for the numbered laws."""
    if law.option:
        return f"option-{law.option}"
    return "" if law.number.isdigit() else law.number.partition(".")[0]


def _section(law: Law) -> str:
    part = _part(law)
    if not part:
        return f"sec_{law.number}"
    return f"part_{part}__sec_{_slug(law.number.removeprefix(part + '.'))}"


def _slug(words: str) -> str:
    return words.replace(".", "-")


def _body(body: ET.Element, code: Code, notes: _Notes) -> None:
    """The numbered laws, then the passages beside them, then the options, each in a part of its
    own.
    """
    parts: dict[str, ET.Element] = {"": body}
    for law in sorted(code.laws, key=lambda la: (la.option is not None, _part(la) != "")):
        name = _part(law)
        if name not in parts:
            parts[name] = _add(body, "part", eId=f"part_{name}")
            _part_head(parts[name], code, law, name)
        _law(parts[name], law, notes)


def _part_head(part: ET.Element, code: Code, law: Law, name: str) -> None:
    option = next((o for o in code.options if o.id == law.option), None)
    if option is None:
        _add(part, "heading", name.replace("-", " ").capitalize())
        return
    _add(part, "heading", option.label)
    pages = option.source.pages
    where = f"{option.source.passage}" + (f", {page_words(pages)}" if pages else "")
    intro = _add(part, "intro", eId=f"part_{name}__intro_1")
    said = (
        f"An option of the code, in force where it is agreed. {option.about or ''} "
        f"It stands in {where}."
    )
    _add(intro, "p", " ".join(said.split()), status="editorial")


def _law(parent: ET.Element, law: Law, notes: _Notes) -> None:
    """A law as a section: its provisions as paragraphs and below, or its content where it has only
    one.
    """
    own = {p.at: p for p in notes.code.provisions if p.law == law.address}
    section = _add(parent, "section", eId=_section(law))
    last = law.number.rpartition(".")[2]
    if last.isdigit():
        _add(section, "num", last)
    heading = _add(section, "heading", law.heading)
    if law.address not in (p.address for p in own.values()):
        section.set("GUID", law.address)
        notes.mark(heading, law.address)
    if law.note:
        notes.editorial(heading, law.address, "law", law.note)
    _provisions(section, law, "", own, notes)


def _provisions(
    node: ET.Element, law: Law, at: str, own: Mapping[str, Provision], notes: _Notes, depth: int = 0
) -> None:
    """The provision at a place, and below it those of the places that begin with it."""
    steps = dict.fromkeys(
        a.split(".")[depth] for a in own if a != at and (not at or a.startswith(at + "."))
    )
    if at in own:
        _provision(node, own[at], "intro" if steps else "content", notes)
    for step in steps:
        tag, short = LEVELS[depth]
        below = f"{at}.{step}" if at else step
        child = _add(node, tag, eId=f"{node.get('eId')}__{short}_{step}")
        ours = below in own and own[below].numbering == "ours"
        _add(child, "num", step, **_ours(ours))
        if below not in own:
            child.set("GUID", f"{law.address}.{below}")
        _provisions(child, law, below, own, notes, depth + 1)


def _provision(node: ET.Element, item: Provision, tag: str, notes: _Notes) -> None:
    """A provision's words in a box of their own, with its notes and connections."""
    node.set("GUID", item.address)
    node.set("refersTo", " ".join(f"#topic-{t}" for t in item.topics))
    box = _add(node, tag, eId=f"{node.get('eId')}__{tag}_1")
    words = _add(box, "p", item.text)
    notes.mark(words, item.address, item.readings)
    if item.note:
        notes.editorial(words, item.address, "note", item.note)
    for variant in item.variants:
        said = "not in it." if variant.absent else variant.text or ""
        label = next(e.label for e in notes.code.editions if e.id == variant.edition)
        told = f"{label}: {said} {variant.note or ''}".strip()
        notes.editorial(words, item.address, f"edition-{variant.edition}", told)
    _connections(box, item)


def _ours(ours: bool) -> dict[str, str]:
    return {"status": "editorial"} if ours else {}


def _connections(box: ET.Element, item: Provision) -> None:
    """What a provision refers to, displaces and amends: a paragraph of ours, a `ref` for each."""
    labels = {r.id: r.label for r in book().vocabulary.relations}
    grouped: dict[tuple[str, str], list[Address]] = {}
    for ref in item.refs:
        grouped.setdefault((labels[ref.how], ref.printed or ""), []).append(ref.to)
    for kind, addresses in (("displaces", item.displaces), ("amends", item.amends)):
        if addresses:
            grouped[kind, ""] = list(addresses)
    if not grouped:
        return
    p = _add(box, "p", status="editorial", **{"class": "references"})
    for (label, printed), found in grouped.items():
        _text(p, (" " if len(p) else "") + label[:1].upper() + label[1:] + " ")
        _refs(p, found, item.address.code)
        _text(p, f" (printed: {printed})." if printed else ".")


def _refs(p: ET.Element, addresses: Iterable[Address], code: str) -> None:
    """References in a row: within the code by eId, to another by its IRI."""
    for index, address in enumerate(addresses):
        if index:
            _text(p, ", ")
        own = address.code == code
        words = law_words(address) if own else cited(address)
        _add(p, "ref", words, href=f"#{eid(address)}" if own else iri(address))


# --- notes ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Notes:
    """The notes of a document as they are met in it, by their eIds."""

    code: Code
    found: dict[str, ET.Element] = field(default_factory=dict)

    def mark(self, place: ET.Element, address: Address, named: Iterable[str] = ()) -> None:
        """A mark for each reading that bears on an address, as it or the provision says."""
        for reading in self.code.readings:
            if address in reading.places or reading.address in named:
                if eid(reading.address) not in self.found:
                    self._reading(reading)
                self._put(place, eid(reading.address))

    def editorial(self, place: ET.Element, address: Address, kind: str, words: str) -> None:
        """A note of ours on one place."""
        name = f"note_{_slug(address.local)}-{kind}"
        self.found[name] = note = ET.Element("note", {"eId": name, "class": "editorial"})
        _add(note, "p", words)
        self._put(place, name)

    def _reading(self, reading: Reading) -> None:
        name = eid(reading.address)
        self.found[name] = note = ET.Element(
            "note", {"eId": name, "GUID": reading.address, "class": "reading"}
        )
        _add(note, "p", reading.question)
        for choice in sorted(reading.choices, key=lambda c: c.id != reading.applied):
            which = "Applied" if choice.id == reading.applied else "Or"
            _add(note, "p", f"{which}: {choice.text}")
        _add(note, "p", f"Why: {reading.why}")
        if reading.not_computed:
            _add(note, "p", f"Not judged otherwise: {reading.not_computed}")
        places = _add(note, "p", "Bears on ")
        _refs(places, reading.places, reading.address.code)
        _text(places, ".")

    def _put(self, place: ET.Element, name: str) -> None:
        marker = str(list(self.found).index(name) + 1)
        _add(place, "noteRef", href=f"#{name}", marker=marker)

    def write(self, meta: ET.Element) -> None:
        """The notes, in the order of their first marks."""
        if self.found:
            notes = _add(meta, "notes", source="#oddtrick")
            for index, note in enumerate(self.found.values()):
                note.set("marker", str(index + 1))
                notes.append(note)


# --- about the document ---------------------------------------------------------------------------


def _dated(date: str) -> dict[str, str]:
    """A date for the schema, which wants a day: the first of what is known, and how exactly as its
    name.
    """
    return {
        "date": "-".join([*date.split("-"), "01", "01"][:3]),
        "name": f"known-to-the-{EXACTNESS[date.count('-')]}",
    }


def _makers(code: Code) -> list[tuple[str, str, str]]:
    """Who made a code: the kind of its entry, its id, its name.

    The body of a code that a book reprints, else the book's authors.
    """
    if code.book.reprint:
        return [("TLCOrganization", _id(code.body), code.body)]
    names = [f"{a.given} {a.family}" for a in code.book.authors]
    return [("TLCPerson", _id(name), name) for name in names]


def _id(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _preface(preface: ET.Element, code: Code) -> None:
    title = _add(_add(preface, "longTitle"), "p")
    _add(title, "docTitle", code.title)
    made = _add(preface, "p")
    _add(made, "docAuthority", code.body)
    _text(made, ", ")
    _add(made, "docDate", date_words(code.date), date=_dated(code.date)["date"])
    _text(made, ".")
    printed = code.source.book or cite(code.id, "full").rstrip(".")
    honest = (
        "The text is a restatement by Oddtrick in words of its own, law by law and rule by rule; "
        f"it is not the printed text, and has no authority. The code is printed in {printed}. "
        "The restatement may be used under CC BY 4.0."
    )
    _add(preface, "p", honest, status="editorial")
    copies = code.book.copies
    seen = _add(preface, "p", "Open copy: " if copies else NO_COPY, status="editorial")
    for copy in copies:
        _add(seen, "ref", copy.label, href=copy.url)
    _add(preface, "p", code.about, status="editorial")


def _identification(meta: ET.Element, code: Code, site: str) -> None:
    """The code as the work, our restatement as its expression, this file as the manifestation."""
    found = _add(meta, "identification", source="#oddtrick")
    work = iri(code.id)
    ours = f"{work}/eng@{RESTATED}"
    made = {}
    for tag, this, uri, date in (
        ("FRBRWork", f"{work}/!main", work, code.date),
        ("FRBRExpression", f"{ours}/!main", ours, RESTATED),
        ("FRBRManifestation", f"{ours}/!main.akn", f"{ours}.akn", RESTATED),
    ):
        makers = _makers(code) if tag == "FRBRWork" else []
        made[tag] = level = _add(found, tag)
        _add(level, "FRBRthis", value=this)
        _add(level, "FRBRuri", value=uri)
        if makers:
            _add(level, "FRBRalias", value=code.id, name="oddtrick")
            _add(level, "FRBRalias", value=site + path_of(code.id), name="page")
        _add(level, "FRBRdate", **_dated(date))
        for _, name, _said in makers or [("", "oddtrick", "")]:
            _add(level, "FRBRauthor", href=f"#{name}", **{"as": "#author" if makers else "#editor"})
    _add(made["FRBRWork"], "FRBRcountry", value=code.book.country)
    _add(made["FRBRWork"], "FRBRsubtype", value="game-laws")
    _add(made["FRBRWork"], "FRBRname", value=code.short)
    _add(made["FRBRExpression"], "FRBRversionNumber", value=__version__)
    _add(made["FRBRExpression"], "FRBRauthoritative", value="false")
    _add(made["FRBRExpression"], "FRBRlanguage", language="eng")
    _add(made["FRBRManifestation"], "FRBRformat", value="application/akn+xml")


def _modifications(meta: ET.Element, code: Code) -> None:
    """What the code changes in the one that it extends.

    What an option changes holds by agreement only, and stays out.
    """
    changed = [
        (p, change, address)
        for p in code.provisions
        if not p.option
        for change, addresses in (
            (("textualMod", "substitution"), p.displaces),
            (("meaningMod", "variation"), p.amends),
        )
        for address in addresses
    ]
    if not changed:
        return
    active = _add(_add(meta, "analysis", source="#oddtrick"), "activeModifications")
    for index, (item, (tag, how), address) in enumerate(changed, 1):
        change = _add(active, tag, type=how, eId=f"{tag}_{index}")
        _add(change, "source", href=f"#{eid(item.address)}")
        _add(change, "destination", href=iri(address))


def _references(meta: ET.Element, code: Code) -> None:
    found = _add(meta, "references", source="#oddtrick")
    if code.extends:
        base = book().code(code.extends)
        names = {"showAs": base.title, "shortForm": base.short}
        _add(found, "activeRef", eId="base", href=iri(base.id), **names)
    _entry(found, "TLCOrganization", "organization", "oddtrick", "The Oddtrick authors")
    for kind, name, said in _makers(code):
        _entry(found, kind, kind.removeprefix("TLC").lower(), name, said)
    used = {t for p in code.provisions for t in p.topics}
    for topic in (t for t in book().vocabulary.topics if t.id in used):
        _add(
            found,
            "TLCConcept",
            eId=f"topic-{topic.id}",
            href=f"/akn/ontology/concept/{topic.id}",
            showAs=topic.label,
        )
    for role in ("author", "editor"):
        _entry(found, "TLCRole", "role", role, role.capitalize())


def _entry(found: ET.Element, tag: str, kind: str, name: str, said: str) -> None:
    _add(found, tag, eId=name, href=f"/akn/ontology/{kind}/{name}", showAs=said)


# --- writing --------------------------------------------------------------------------------------


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, tag, attributes)
    child.text = text
    return child


def _text(element: ET.Element, words: str) -> None:
    """More text at the end of an element, after its last child."""
    if len(element):
        element[-1].tail = (element[-1].tail or "") + words
    else:
        element.text = (element.text or "") + words


def _indent(element: ET.Element, depth: int) -> None:
    """Indent by a space a level, and leave alone what is text."""
    if not len(element) or element.tag in MIXED:
        return
    element.text = "\n" + " " * (depth + 1)
    for child in element:
        _indent(child, depth + 1)
        child.tail = "\n" + " " * (depth + 1)
    element[-1].tail = "\n" + " " * depth
