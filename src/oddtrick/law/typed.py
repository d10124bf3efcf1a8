"""The compiled JSON of the lawbook made into typed objects: the only module that knows its keys,
beside the compiler.
"""

from __future__ import annotations

from oddtrick.law.address import Address
from oddtrick.law.model import (
    Author,
    Case,
    Change,
    Choice,
    Chooser,
    Code,
    Counterpart,
    Denomination,
    Descent,
    Edition,
    Effect,
    EffectKind,
    Entry,
    EveningSentence,
    EveningStep,
    Exaction,
    Fact,
    FigureKind,
    Irregularity,
    Label,
    Law,
    OpenCopy,
    Option,
    Parallel,
    Parallels,
    Part,
    PassageKind,
    Peculiarity,
    Procedure,
    Provision,
    Reading,
    Reference,
    Remedy,
    RemedyKind,
    Source,
    Story,
    Synonym,
    Topic,
    Treatment,
    Variant,
    Version,
    Vocabulary,
    Volume,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oddtrick.law.yaml import Json


def _addresses(raw: Json) -> tuple[Address, ...]:
    return tuple(Address(a) for a in raw)


def _tuples(raw: Json) -> dict[str, tuple[str, ...]]:
    return {k: tuple(v) for k, v in raw.items()}


def _source(raw: Json) -> Source:
    return Source(raw.get("book"), raw.get("pages") or raw.get("page"), raw.get("passage"))


def _copies(raw: Json) -> tuple[OpenCopy, ...]:
    return tuple(OpenCopy(c["label"], c["url"]) for c in raw)


def code(raw: Json) -> Code:
    """A code."""
    return Code(
        id=raw["id"],
        short=raw["short"],
        title=raw["title"],
        body=raw["body"],
        date=raw["date"],
        numbered_laws=raw["numbered_laws"],
        extends=raw["extends"],
        keeps_numbers=raw.get("keeps_numbers", False),
        judged=raw["judged"],
        ancestor=raw["ancestor"],
        about=raw["about"],
        source=_source(raw["source"]),
        book=_volume(raw["book"]),
        aliases=tuple(raw["aliases"]),
        called=raw.get("called", {}),
        editions=tuple(
            Edition(e["id"], e["label"], e["book"], _copies(e["copies"])) for e in raw["editions"]
        ),
        descent=tuple(
            Descent(d["from"], d.get("through"), d["text"], _source(d["source"]))
            for d in raw["descent"]
        ),
        passages=tuple(_passage(p) for p in raw["passages"]),
        parts=tuple(Part(p["from"], p["label"]) for p in raw["parts"]),
        peculiarities=tuple(
            Peculiarity(p["text"], _addresses(p["laws"])) for p in raw["peculiarities"]
        ),
        terms=raw["terms"],
        absent=raw["absent"],
        topics={t: Treatment(v["state"], v["reason"]) for t, v in raw["topics"].items()},
        options=tuple(_option(o) for o in raw["options"]),
        laws=tuple(_law(la) for la in raw["laws"]),
        provisions=tuple(_provision(p) for p in raw["provisions"]),
        readings=tuple(_reading(r) for r in raw["readings"]),
        settled={k: Address(a) for k, a in raw["settled"].items()},
        findings={k: _addresses(v) for k, v in raw["findings"].items() if isinstance(v, list)},
        silences={k: v["silent"] for k, v in raw["findings"].items() if isinstance(v, dict)},
        entries=tuple(_entry(e) for e in raw["irregularities"]),
        exactions=tuple(_exaction(e) for e in raw["penalties"]),
    )


def _volume(raw: Json) -> Volume:
    return Volume(
        tuple(Author(a["family"], a["given"]) for a in raw["authors"]),
        raw["title"],
        raw["place"],
        raw["publisher"],
        raw["year"],
        _copies(raw["copies"]),
        raw.get("code", False),
        raw.get("country", "us"),
    )


def _exaction(raw: Json) -> Exaction:
    return Exaction(
        raw["about"],
        raw.get("answer"),
        tuple(raw.get("groups", ())),
        tuple(raw.get("choosers", ())),
        _addresses(raw["provisions"]),
    )


def _passage(raw: Json) -> PassageKind:
    return PassageKind(
        raw["id"],
        raw.get("one", ""),
        raw.get("many", ""),
        tuple(raw["said"]),
        raw.get("role", "rule"),
        raw.get("weight", 100),
        raw.get("attached", False),
        tuple(raw.get("section", ())),
        raw.get("mark", ""),
    )


def _option(raw: Json) -> Option:
    return Option(
        raw["id"],
        raw["label"],
        raw.get("about"),
        _source(raw["source"]),
        tuple(raw.get("excludes", ())),
        raw["absent"],
    )


def _law(raw: Json) -> Law:
    return Law(
        Address(raw["address"]),
        raw["number"],
        raw["heading"],
        raw["page"],
        raw["numbering"],
        raw["note"],
        raw["option"],
        raw["file"],
        raw["line"],
    )


def _provision(raw: Json) -> Provision:
    return Provision(
        address=Address(raw["address"]),
        law=Address(raw["law"]),
        at=raw["at"],
        heading=raw["heading"],
        text=raw["text"],
        topics=tuple(raw["topics"]),
        procedures=raw["procedures"],
        figures=raw["figures"],
        refs=tuple(
            Reference(Address(r["to"]), r["how"], r.get("printed"), r.get("note"))
            for r in raw["refs"]
        ),
        cited_by=_addresses(raw["cited_by"]),
        displaces=_addresses(raw["displaces"]),
        amends=_addresses(raw["amends"]),
        displaced_by=_addresses(raw["displaced_by"]),
        terms=tuple(raw["terms"]),
        readings=_addresses(raw["readings"]),
        page=raw["page"],
        numbering=raw["numbering"],
        note=raw["note"],
        variants=tuple(
            Variant(v["edition"], v.get("text"), v.get("note"), v.get("absent", False))
            for v in raw["variants"]
        ),
        option=raw["option"],
        file=raw["file"],
        line=raw["line"],
    )


def _reading(raw: Json) -> Reading:
    return Reading(
        address=Address(raw["address"]),
        id=raw["id"],
        question=raw["question"],
        places=_addresses(raw["places"]),
        choices=tuple(_choice(c) for c in raw["choices"]),
        applied=raw["applied"],
        why=raw["why"],
        not_computed=raw.get("not_computed"),
        touches=_tuples(raw.get("touches", {})),
        procedures=raw.get("procedures", {}),
        figures=raw.get("figures", {}),
        file=raw["file"],
        line=raw["line"],
    )


def _choice(raw: Json) -> Choice:
    return Choice(
        raw["id"],
        raw["text"],
        raw.get("procedures", {}),
        raw.get("figures", {}),
        tuple(raw.get("absent", ())),
    )


def _entry(raw: Json) -> Entry:
    return Entry(
        raw["irregularity"],
        raw["option"],
        raw.get("reading", {}),
        raw.get("formerly", {}),
        tuple(case(r) for r in raw["rulings"]),
        raw.get("silent"),
        raw.get("absent"),
        _addresses(raw["provisions"]),
        raw["file"],
        raw["line"],
    )


def case(raw: Json) -> Case:
    """A row of a code's table of rulings from its compiled JSON; the compiler tries the table with
    it too.
    """
    return Case(
        raw["id"],
        _tuples(raw["when"]),
        _addresses(raw["provisions"]),
        tuple(_remedy(r) for r in raw.get("remedies", ())),
        raw.get("silent"),
        raw.get("says"),
        _addresses(raw["decisions"]),
        _addresses(raw["readings"]),
        tuple(raw.get("except", ())),
        raw["line"],
    )


def irregularity(raw: Json) -> Irregularity:
    """An irregularity of the catalogue; the compiler tries tables of rulings with it too."""
    return Irregularity(
        raw["id"],
        raw["group"],
        raw["label"],
        raw["meaning"],
        tuple(raw.get("said", ())),
        _tuples(raw["facts"]),
        raw.get("finding"),
        tuple(raw.get("calls", ())),
        tuple(raw.get("see", ())),
        raw.get("first_of"),
    )


def _remedy(raw: Json) -> Remedy:
    return Remedy(
        raw["remedy"],
        raw["chosen_by"],
        Address(raw["provision"]),
        raw.get("choice"),
        raw.get("whose"),
        raw.get("demand"),
        raw.get("lasts"),
        raw.get("unless"),
        raw.get("figure"),
        raw.get("column"),
        raw.get("consult"),
    )


def _labels(raw: Json) -> tuple[Label, ...]:
    return tuple(Label(i["id"], i["label"], i.get("meaning", "")) for i in raw)


def _remedy_kind(raw: Json) -> RemedyKind:
    effects = tuple(Effect(e["effect"], e.get("of")) for e in raw["effects"])
    said = tuple(raw.get("said", ()))
    flags = raw.get("condones", False), raw.get("closes", False)
    return RemedyKind(raw["id"], raw["label"], effects, said, *flags)


def vocabulary(raw: Json) -> Vocabulary:
    """The vocabulary."""
    # `oddtrick law` shows none of it, and the cards take a seventh of the bare interpreter's start.
    from oddtrick.cards import Suit

    return Vocabulary(
        restatement=raw["restatement"],
        families=_labels(raw["families"]),
        topics=tuple(Topic(t["id"], t["family"], t["label"], t["question"]) for t in raw["topics"]),
        relations=_labels(raw["relations"]),
        kinds=_labels(raw["kinds"]),
        differences=_labels(raw["differences"]),
        denominations=tuple(
            Denomination(
                d["id"],
                d["label"],
                d["one"],
                d["short"],
                Suit(d["suit"]) if d["suit"] else None,
                d.get("royal_of"),
            )
            for d in raw["denominations"]
        ),
        procedures=tuple(
            Procedure(p["id"], p["label"], p["values"], p.get("absent")) for p in raw["procedures"]
        ),
        figures=tuple(_figure_kind(f, raw["cells"]) for f in raw["figures"]),
        findings=_labels(raw["findings"]),
        terms=_labels(raw["terms"]),
        synonyms=tuple(Synonym(tuple(w["for"]), tuple(w["say"])) for w in raw["words"]),
        groups=_labels(raw["groups"]),
        facts=tuple(
            Fact(f["id"], f["question"], f["values"], f.get("presumed")) for f in raw["facts"]
        ),
        irregularities=tuple(irregularity(i) for i in raw["irregularities"]),
        remedies=tuple(_remedy_kind(r) for r in raw["remedies"]),
        effects=tuple(
            EffectKind(e["id"], e["label"], tuple(e.get("of", ()))) for e in raw["effects"]
        ),
        choosers=tuple(Chooser(c["id"], c["label"], c["who"]) for c in raw["choosers"]),
        limits=_labels(raw["limits"]),
    )


def _figure_kind(raw: Json, cells: Json) -> FigureKind:
    shape = raw["shape"]
    many = raw.get("many", False)
    return FigureKind(
        raw["id"], raw["label"], shape, raw["unit"], many, tuple(cells.get(shape, ()))
    )


def counterpart(raw: Json) -> Counterpart:
    """A counterpart, from the list of its fields."""
    address, kind, shape, changes = raw
    return Counterpart(Address(address), kind, shape, tuple(Change(*c) for c in changes))


def stories(raw: Json) -> tuple[Story, ...]:
    """The stories of the topics from their compiled JSON."""
    return tuple(Story(s["topic"], s["text"], _addresses(s["laws"])) for s in raw)


def evenings(raw: Json) -> tuple[EveningStep, ...]:
    """The steps of an evening from their compiled JSON."""
    return tuple(
        EveningStep(
            step["id"],
            step["heading"],
            tuple(
                EveningSentence(s["text"], {c: _addresses(a) for c, a in s["laws"].items()})
                for s in step["sentences"]
            ),
        )
        for step in raw
    )


def parallels(raw: Json) -> Parallels:
    """The parallels."""
    return Parallels(
        tuple(
            Parallel(
                r["id"],
                r["label"],
                {c: _addresses(a) for c, a in r["members"].items()},
                tuple(
                    Version(tuple(s["codes"]), s["text"], s.get("differs"), s.get("like"))
                    for s in r.get("says", ())
                ),
                tuple(_addresses(group) for group in r.get("alike", ())),
                _addresses(r.get("general", ())),
            )
            for r in raw["all"]
        ),
        {c: _addresses(a) for c, a in raw["alone"].items()},
        {c: _addresses(a) for c, a in raw["sides"].items()},
        raw["names"],
        _labels(raw["kinds"]),
    )
