"""The codes as Akoma Ntoso: valid under the OASIS schema, every reference in place, every word of
the law there once.

`akoma/akomantoso30.xsd` is the schema of the standard, (c) OASIS Open 2018, CC BY 4.0, as its head
says; `akoma/xml.xsd` is ours.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from lawbook import code_data, codes
from oddtrick.book.akoma import NAMESPACE, akoma, eid, iri

AKN = f"{{{NAMESPACE}}}"


def tree(code: str) -> ET.Element:
    return ET.fromstring(akoma(code))


def by(root: ET.Element, key: str, value: str) -> ET.Element:
    found = [e for e in root.iter() if e.get(key) == value]
    assert len(found) == 1, value
    return found[0]


@pytest.fixture(scope="module")
def schema() -> Any:
    etree = pytest.importorskip("lxml.etree", reason="lxml, of the extra `test`, is not installed")
    return etree.XMLSchema(
        etree.parse(str(Path(__file__).resolve().parent / "akoma" / "akomantoso30.xsd"))
    )


@pytest.mark.parametrize("code", codes())
def test_a_code_is_valid_under_the_schema_of_the_standard(code: str, schema: Any) -> None:
    from lxml import etree

    schema.validate(etree.fromstring(akoma(code).encode()))
    assert [e.message for e in schema.error_log] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<heading>", "<title>"),
        (' date="1912-11-01"', ' date="1912-11"'),
        ('eId="sec_2"', 'eId="sec_1"'),
        ("<FRBRcountry", "<FRBRregion"),
        ('status="editorial"', 'status="ours"'),
    ],
)
def test_the_schema_refuses_what_is_wrong(old: str, new: str, schema: Any) -> None:
    from lxml import etree

    text = (
        akoma("auction-1912")
        .replace(old, new)
        .replace("</heading>", "</title>" if old == "<heading>" else "</heading>")
    )
    assert not schema.validate(etree.fromstring(text.encode()))


@pytest.mark.parametrize("code", codes())
def test_every_provision_stands_at_its_eid_with_its_words_and_topics(code: str) -> None:
    root = tree(code)
    for item in code_data(code)["provisions"]:
        place = by(root, "GUID", item["address"])
        assert place.get("eId") == eid(item["address"])
        assert place.get("refersTo", "").split() == [f"#topic-{t}" for t in item["topics"]]
        words = place.find(f"{AKN}content/{AKN}p")
        words = words if words is not None else place.find(f"{AKN}intro/{AKN}p")
        assert words is not None
        assert words.text == item["text"]


@pytest.mark.parametrize("code", codes())
def test_every_law_has_its_section_and_every_option_its_part(code: str) -> None:
    root, data = tree(code), code_data(code)
    sections = {e.get("eId"): e for e in root.iter(f"{AKN}section")}
    assert len(sections) == len(data["laws"])
    for law in data["laws"]:
        section = sections[eid(law["address"])]
        assert section.findtext(f"{AKN}heading") == law["heading"]
    parts = {e.get("eId") for e in root.iter(f"{AKN}part")}
    assert {f"part_option-{o['id']}" for o in data["options"]} <= parts
    numbered = [e.get("eId") for e in root.iterfind(f"{AKN}act/{AKN}body/{AKN}section")]
    assert numbered == [f"sec_{law['number']}" for law in data["laws"] if law["number"].isdigit()]


def test_every_reference_leads_to_an_element_of_its_document() -> None:
    trees = {code: tree(code) for code in codes()}
    ids = {
        code: {e.get("eId") for e in root.iter() if e.get("eId")} for code, root in trees.items()
    }
    works = {iri(code): code for code in codes()}
    for code, root in trees.items():
        for element in root.iter():
            for href in [
                element.get("href", ""),
                element.get("as", ""),
                *element.get("refersTo", "").split(),
            ]:
                work, _, place = href.partition("/!main~")
                if href.startswith("#"):
                    assert href[1:] in ids[code]
                elif place:
                    assert place in ids[works[work]]


@pytest.mark.parametrize("code", codes())
def test_every_reference_of_the_data_is_a_ref(code: str) -> None:
    root = tree(code)
    for item in code_data(code)["provisions"]:
        place = by(root, "GUID", item["address"])
        own = [
            p
            for box in ("content", "intro")
            for p in place.iterfind(f"{AKN}{box}/{AKN}p[@class='references']")
        ]
        found = {r.get("href") for p in own for r in p}
        wanted = [*(r["to"] for r in item["refs"]), *item["displaces"], *item["amends"]]
        assert found == {f"#{eid(a)}" if a.startswith(code + ":") else iri(a) for a in wanted}


@pytest.mark.parametrize("code", codes())
def test_every_reading_and_note_is_a_note_with_a_mark_at_its_place(code: str) -> None:
    root, data = tree(code), code_data(code)
    notes = {e.get("eId"): e for e in root.iter(f"{AKN}note")}
    marks = [(e.get("href", "")[1:], e.get("marker")) for e in root.iter(f"{AKN}noteRef")]
    assert {name for name, _ in marks} == set(notes)
    assert all(notes[name].get("marker") == marker for name, marker in marks)
    for reading in data["readings"]:
        note = notes[eid(reading["address"])]
        assert note.get("GUID") == reading["address"]
        assert note.findtext(f"{AKN}p") == reading["question"]
        chosen = next(c["text"] for c in reading["choices"] if c["id"] == reading["applied"])
        assert note[1].text == f"Applied: {chosen}"
    told = [p for note in notes.values() for p in note.itertext()]
    for item in [*data["provisions"], *data["laws"]]:
        assert not item["note"] or item["note"] in told


def test_the_work_is_the_code_and_the_expression_is_ours_and_not_authoritative() -> None:
    root = tree("auction-1912")
    head = root.find(f"{AKN}act/{AKN}meta/{AKN}identification")
    assert head is not None
    work, expression = head.find(f"{AKN}FRBRWork"), head.find(f"{AKN}FRBRExpression")
    assert work is not None
    assert expression is not None
    date, author = work.find(f"{AKN}FRBRdate"), work.find(f"{AKN}FRBRauthor")
    assert date is not None
    assert date.attrib == {"date": "1912-11-01", "name": "known-to-the-month"}
    assert author is not None
    maker = by(root, "eId", author.get("href", "")[1:])
    assert (maker.tag, maker.get("showAs")) == (f"{AKN}TLCOrganization", "Whist Club of New York")
    assert [e.get("value") for e in expression.iter(f"{AKN}FRBRauthoritative")] == ["false"]
    assert [e.get("href") for e in expression.iter(f"{AKN}FRBRauthor")] == ["#oddtrick"]
    preface = root.find(f"{AKN}act/{AKN}preface")
    assert preface is not None
    assert "it is not the printed text" in "".join(preface.itertext())
    assert [e.tag for e in tree("royalton-1915").iter(f"{AKN}TLCPerson")] == [f"{AKN}TLCPerson"]


def test_what_a_code_changes_in_its_base_is_told_and_what_an_option_changes_is_not() -> None:
    root = tree("contract-1927")
    told = {
        (e.tag.removeprefix(AKN), s.get("href", "")[1:], d.get("href"))
        for e in root.iterfind(f".//{AKN}activeModifications/*")
        for s in e.iterfind(f"{AKN}source")
        for d in e.iterfind(f"{AKN}destination")
    }
    kinds = {"displaces": "textualMod", "amends": "meaningMod"}
    own = [p for p in code_data("contract-1927")["provisions"] if not p["option"]]
    assert told == {(kinds[k], eid(p["address"]), iri(a)) for p in own for k in kinds for a in p[k]}
    assert len(told) > 10
    assert list(tree("auction-1926").iter(f"{AKN}analysis")) == []


def test_the_eids_of_the_page() -> None:
    assert eid("auction-1912:84.b") == "sec_84__para_b"
    assert eid("auction-1926:26.g.2") == "sec_26__para_g__subpara_2"
    assert eid("auction-1912:etiquette.3") == "part_etiquette__sec_3"
    assert (
        eid("contract-1927:count.canadian.4") == "part_option-canadian__sec_count-canadian__para_4"
    )
    with pytest.raises(LookupError):
        eid("auction-1912:999")


def test_white_space_is_only_between_elements() -> None:
    for line in akoma("bridge-elwell").splitlines()[1:]:
        assert line.strip() == line.lstrip(" ")
        assert line.lstrip().startswith("<")
        assert line.endswith(">")
