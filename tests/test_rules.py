"""The parallels across the codes: their quotations, their invariants, and each pair in both
directions.
"""

import itertools
import shutil
from pathlib import Path

import pytest

import lawbook
from files import table
from oddtrick.book.compare import Line, compare_topic, concordance, texts
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.relations import Relations
from oddtrick.site.topic import fact_rows
from test_lawdata import HERE, problems, problems_with, tiny  # noqa: F401

PAIRS = list(itertools.permutations(lawbook.codes(), 2))

PARALLELS = (HERE / "parallels.yaml").read_text("utf-8")
BROKEN = table("lawdata/broken_parallels")
KNOWN = table("relations")
FILE = "laws/parallels.yaml"


@pytest.fixture
def two(tiny: Path) -> Path:  # noqa: F811
    """A valid folder of law data with two small codes and the parallels between them."""
    laws = tiny / "tiny-1900" / "laws.yaml"
    text = laws.read_text("utf-8")
    text = text.replace("topics: [game]", "topics: [game]\n        parallel: game")
    text = text.replace(
        "topics: [rubber]\n        readings",
        "topics: [rubber]\n        parallel: rubber\n"
        "        figures: {games-in-rubber: 2}\n        readings",
    )
    laws.write_text(text + "        figures: {penalty-points: 100}\n", "utf-8")
    other = tiny / "tiny-1901"
    shutil.copytree(tiny / "tiny-1900", other)
    for path in other.glob("*.yaml"):
        text = path.read_text("utf-8").replace("tiny-1900", "tiny-1901")
        text = text.replace("win the rubber", "lose the rubber").replace("100", "200")
        path.write_text(text, "utf-8")
    (tiny / "parallels.yaml").write_text(PARALLELS, "utf-8")
    return tiny


def test_a_parallel_of_one_code_needs_a_general_law_of_another(two: Path) -> None:
    for code, named in (("tiny-1900", "        parallel: one\n"), ("tiny-1901", "")):
        path = two / code / "laws.yaml"
        old = path.read_text("utf-8")
        path.write_text(old.replace("        parallel: game\n", named), "utf-8")
    text = PARALLELS.replace("  - id: game\n    label: Game\n", "  - id: one\n    label: One\n")
    (two / "parallels.yaml").write_text(text, "utf-8")
    needs = f"{FILE}:2: the parallel `one` needs provisions of two codes that name it."
    assert needs in problems(two)
    general = text.replace("label: One\n", 'label: One\n    general: ["tiny-1901:2.b"]\n')
    (two / "parallels.yaml").write_text(general, "utf-8")
    assert needs not in problems(two)


def test_parallels_that_are_not_in_order_are_refused_at_their_line(two: Path) -> None:
    found = {case["name"]: (case["problem"], problems_with(two, case)) for case in BROKEN}
    assert {name: told for name, (wanted, told) in found.items() if wanted not in told} == {}


def test_several_codes_need_their_parallels(two: Path) -> None:
    (two / "parallels.yaml").unlink()
    assert problems(two) == [
        "laws/parallels.yaml:1: is missing: several codes need it to relate their rules."
    ]


def test_a_provision_of_an_option_is_no_member(two: Path) -> None:
    code = (two / "tiny-1901" / "code.yaml").read_text("utf-8")
    option = """options:
  - id: other
    label: Another way
    source: {passage: a page}
    laws:
      - number: other
        heading: Other
        provisions: [{at: "", text: Nothing counts., topics: [game]}]
"""
    (two / "tiny-1901" / "code.yaml").write_text(code + option, "utf-8")
    assert problems(two) == []
    named = option.replace("topics: [game]}", "topics: [game], parallel: game}")
    (two / "tiny-1901" / "code.yaml").write_text(code + named, "utf-8")
    assert any("belongs to an option" in p for p in problems(two))


# --- concordances ---------------------------------------------------------------------------------

INVERSE = {"split": "merged", "merged": "split", "": ""}


def faults(
    there: list[Line], back: list[Line], ours: str, theirs: str, relations: Relations
) -> list[str]:
    """The faults of two tables that should be inverse: entries that are missing, duplicated or in
    one direction only.
    """
    found = []
    for code, lines in ((ours, there), (theirs, back)):
        listed = [line.address for line in lines]
        own = [a for a in relations.sides[code] if not book().restates(a)]
        found += [f"{a} is missing" for a in own if a not in listed]
        found += [f"{a} stands twice" for a in listed if listed.count(a) > 1]
    forth = {(line.address, other) for line in there for other in _pairs(line)}
    again = {(other, line.address) for line in back for other in _pairs(line)}
    found += [f"{a} to {b} one way only" for a, b in forth ^ again]
    found += [
        f"{line.address} is {line.kind}"
        for line in [*there, *back]
        if (line.kind == "none") != (not line.counterparts)
    ]
    return found


def _pairs(line: Line) -> tuple[Address, ...]:
    """The counterparts of a provision; a general law covers it but is not a counterpart."""
    return () if line.kind == "general" else line.counterparts


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_concordances_are_complete_and_inverse(pair: tuple[str, str]) -> None:
    ours, theirs = pair
    assert (
        faults(concordance(ours, theirs), concordance(theirs, ours), ours, theirs, book().relations)
        == []
    )


@pytest.mark.shipped
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_every_pair_has_its_kind_both_ways_and_every_difference_is_told(
    pair: tuple[str, str],
) -> None:
    ours, theirs = pair
    relations = book().relations
    words = texts(ours) | texts(theirs)
    for address in relations.sides[ours]:
        for other in relations.counterparts(address, ours, theirs):
            kind = relations.kind(address, other, ours, theirs)
            assert relations.kind(other, address, theirs, ours) == kind
            shape = relations.shape(address, other, ours, theirs)
            assert relations.shape(other, address, theirs, ours) == INVERSE[shape]
            told = relations.differences(address, other, ours, theirs)
            again = relations.differences(other, address, theirs, ours)
            assert [(d.rule, d.difference, d.ours, d.theirs) for d in told] == [
                (d.rule, d.difference, d.theirs, d.ours) for d in again
            ]
            assert all(d.ours != d.theirs for d in told)
            assert (kind == "reworded") <= all(d.difference == "wording" for d in told)
            assert (kind == "same") == (words[address].text == words[other].text)
            if kind == "different":
                assert told, (address, other)


def test_the_law_in_force_under_contract_is_its_own_and_what_it_keeps() -> None:
    side = book().relations.sides["contract-1927"]
    assert side[0] == "contract-1927:1.1"
    assert "auction-1926:39" in side
    assert "auction-1926:37.1" not in side  # displaced by contract law 1
    assert not [a for a in side if "auction-1926:41" in a]  # a law displaced whole
    assert not [a for a in side if "count." in a or "challenge" in a]  # options


@pytest.mark.parametrize("row", KNOWN["pairs"])
def test_known_pairs(row: str) -> None:
    one, other, kind, *difference = row.split()
    relations = book().relations
    ours, theirs = one.partition(":")[0], other.partition(":")[0]
    assert other in relations.counterparts(one, ours, theirs)
    assert relations.kind(one, other, ours, theirs) == kind
    changes = relations.differences(one, other, ours, theirs)
    assert [d.difference for d in changes][:1] == difference


@pytest.mark.shipped
def test_tables_concordances_and_comparisons_say_the_same_of_a_rule() -> None:
    """A code that amends another has its own version of a rule, or else that of its base."""
    wanted = {}
    for rule, code in itertools.product(book().relations.all, book().ids):
        side = book().relations.sides[code]
        for owner in book().chain(code):
            if any(a in side for a in rule.members.get(owner.id, ())):
                versions = (v.text for v in rule.versions if owner.id in v.codes)
                wanted[rule.id, code] = next(versions, "")
                break
    for cell, words in KNOWN["cells"].items():
        assert wanted[tuple(cell.split())] == words
    found = set()
    for ours, theirs in PAIRS:
        changes = [d for line in concordance(ours, theirs) for d in line.differences]
        found |= {(d.rule, theirs, d.theirs) for d in changes}
        found |= {(d.rule, ours, d.ours) for d in changes}
    for topic in book().topics:
        compared = compare_topic(topic, book().ids)
        for fact in (row for row in fact_rows(topic, compared) if row.anchor):
            spans = itertools.chain(*([cell] * cell.span for cell in fact.cells))
            rule = fact.anchor.removeprefix("rule-")
            cells = zip(book().ids, spans, strict=True)
            found |= {(rule, code, x.fact.words) for code, x in cells if not x.fact.weak}
        for row in (row for row in compared.rows if row.says):
            said = row.says.items()
            assert any(all(wanted.get((r.id, c)) == t for c, t in said) for r in row.rules), row
    assert {x for x in found if wanted[x[0], x[1]] != x[2]} == set()


@pytest.mark.parametrize("address", ["62.c", "62.d", "62.e", "62.f", "62.g"])
@pytest.mark.parametrize("theirs", ["auction-1926", "contract-1927"])
def test_a_general_law_answers_what_dummy_may_do(address: str, theirs: str) -> None:
    own = f"bridge-elwell:{address}"
    found = book().relations.detailed_counterparts(own, "bridge-elwell", theirs)
    assert [(c.address, c.kind) for c in found] == [("auction-1926:30.c", "general")]
    assert book().relations.counterparts(own, "bridge-elwell", theirs) == ()


def test_a_general_law_is_named_where_no_provision_answers() -> None:
    for own, theirs, *general in map(str.split, KNOWN["general"]):
        found = book().relations.detailed_counterparts(own, own.partition(":")[0], theirs)
        assert [(c.address, c.kind) for c in found] == [(law, "general") for law in general], own


@pytest.mark.parametrize("row", KNOWN["apart"])
def test_provisions_about_different_things_are_no_pair(row: str) -> None:
    one, other = row.split()
    ours, theirs = one.partition(":")[0], other.partition(":")[0]
    assert other not in book().relations.counterparts(one, ours, theirs)


@pytest.mark.parametrize("row", KNOWN["alone"])
def test_a_rule_that_only_one_code_has_answers_nothing(row: str) -> None:
    address, *codes = row.split()
    for code in codes:
        assert book().relations.counterparts(address, address.partition(":")[0], code) == ()
