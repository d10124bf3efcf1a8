"""The parallels through the codes: what they quote, what must hold, each pair both ways."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import lawbook
from oddtrick.book.compare import Line, concordance, texts
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.compile import compile_laws
from oddtrick.law.relations import Relations
from test_lawdata import problems, tiny, write  # noqa: F401

PAIRS = list(itertools.permutations(lawbook.codes(), 2))

PARALLELS = """\
parallels:
  - id: game
    label: Game
  - id: rubber
    label: Rubber
    versions:
      - codes: [tiny-1900]
        text: "{games-in-rubber:word} games win, for {penalty-points@2.b} points"
      - {codes: [tiny-1901], text: "{games-in-rubber:word} games lose"}
"""


@pytest.fixture
def two(tiny: Path) -> Path:  # noqa: F811
    """A folder of law data with two small codes and the parallels through them, in order."""
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
        text = text.replace("win the rubber", "lose the rubber").replace("100 points", "200 points")
        path.write_text(text, "utf-8")
    (tiny / "parallels.yaml").write_text(PARALLELS, "utf-8")
    return tiny


def test_two_small_codes_and_their_parallels_are_in_order(two: Path) -> None:
    assert problems(two) == []
    parallels = compile_laws(two).book["parallels"]
    assert [r["members"] for r in parallels["all"]] == [
        {"tiny-1900": ["tiny-1900:1"], "tiny-1901": ["tiny-1901:1"]},
        {"tiny-1900": ["tiny-1900:2.a"], "tiny-1901": ["tiny-1901:2.a"]},
    ]
    assert [v["text"] for v in parallels["all"][1]["says"]] == [
        "two games win, for 100 points",
        "two games lose",
    ]
    assert parallels["alone"] == {"tiny-1900": ["tiny-1900:2.b"], "tiny-1901": ["tiny-1901:2.b"]}


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


FILE = "laws/parallels.yaml"
LOSE = '"{games-in-rubber:word} games lose"'
BROKEN: dict[str, tuple[Callable[[str], str], str]] = {
    "a code that does not exist": (
        lambda t: t.replace("codes: [tiny-1901]", "codes: [tiny-1902]"),
        f"{FILE}:4: `versions` of `rubber` must name each of its codes once; they lack tiny-1901;"
        " have no provision of tiny-1902.",
    ),
    "a code without a version": (
        lambda t: t.replace("codes: [tiny-1901]", "codes: [tiny-1900]"),
        f"{FILE}:4: `versions` of `rubber` must name each of its codes once; they lack tiny-1901;"
        " name twice tiny-1900.",
    ),
    "a parallel that stands twice": (
        lambda t: t.replace("id: rubber", "id: game"),
        f"{FILE}:4: the parallel `game` stands twice.",
    ),
    "a parallel that no provision names": (
        lambda t: t + "  - {id: slams, label: Slams}\n",
        f"{FILE}:10: the parallel `slams` needs provisions of two codes that name it.",
    ),
    "different words marked as the same rule": (
        lambda t: t[: t.index("    versions:")],
        f"{FILE}:4: `rubber` is marked as the same rule in tiny-1900 and tiny-1901,"
        " but their words differ.",
    ),
    "the same words told as two versions": (
        lambda t: t.replace(
            "    label: Game\n",
            "    label: Game\n    versions:\n"
            "      - {codes: [tiny-1900], text: a}\n      - {codes: [tiny-1901], text: b}\n",
        ),
        f"{FILE}:2: `game` has the same words in tiny-1900 and tiny-1901: they are one version.",
    ),
    "versions that all differ from nothing": (
        lambda t: t.replace(LOSE, f"{LOSE}, differs: wording").replace(
            'points"\n', 'points"\n        differs: figure\n'
        ),
        f"{FILE}:4: every version of `rubber` differs: one must be the one they differ from.",
    ),
    "a kind of difference that there is not": (
        lambda t: t.replace(LOSE, f"{LOSE}, differs: spelling"),
        "`spelling` is not in the vocabulary",
    ),
    "a general law that there is not": (
        lambda t: t.replace("label: Game", "label: Game\n    general: ['tiny-1901:9']"),
        f"{FILE}:2: `game` is answered by `tiny-1901:9`, which is no provision.",
    ),
    "a general law of a code that has the rule": (
        lambda t: t.replace("label: Game", "label: Game\n    general: ['tiny-1901:2.a']"),
        f"{FILE}:2: `tiny-1901:2.a` of `game` must be a law in force of a code without a member.",
    ),
    "two versions told alike": (
        lambda t: t.replace(LOSE, '"two games win, for 100 points"'),
        f"{FILE}:4: two versions of `rubber` are told in the same words; say what differs.",
    ),
    "a version like one that there is not": (
        lambda t: t.replace(LOSE, f"{LOSE}, differs: wording, like: tiny-1901"),
        f"{FILE}:4: `tiny-1901` is no other version of `rubber` to be like.",
    ),
    "a figure that the provisions do not have": (
        lambda t: t.replace(LOSE, '"{game} points lose"'),
        f"{FILE}:4: in `rubber`: `{{game}}` is no figure of tiny-1901, 2.a.",
    ),
    "a provision that does not exist": (
        lambda t: t.replace("@2.b", "@2.c"),
        f"{FILE}:4: in `rubber`: `{{penalty-points@2.c}}` is no figure of tiny-1900, 2.c.",
    ),
    "a form that there is not": (
        lambda t: t.replace("rubber:word} games lose", "rubber:roman} games lose"),
        f"{FILE}:4: in `rubber`: `{{games-in-rubber:roman}}` is no figure of tiny-1901, 2.a.",
    ),
    "a figure that is written again": (
        lambda t: t.replace(LOSE, '"2 games lose"'),
        f"{FILE}:4: `rubber` writes 2, a figure of tiny-1901:2.a:"
        " quote it as `{games-in-rubber}`.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_parallels_that_are_not_in_order_are_refused_at_their_line(two: Path, name: str) -> None:
    change, expected = BROKEN[name]
    path = two / "parallels.yaml"
    before = path.read_text("utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, "utf-8")
    assert any(expected in p for p in problems(two)), problems(two)


AT = "laws/tiny-1901/laws.yaml"
BROKEN_PROVISIONS: dict[str, tuple[str, str, str]] = {
    "a parallel that does not exist": (
        "parallel: rubber",
        "parallel: ruber",
        f"{AT}:16: there is no parallel `ruber`. Did you mean `rubber`?",
    ),
    "the same words without a parallel": (
        "        parallel: game\n",
        "",
        f"{AT}:5: `tiny-1900:1` and `tiny-1901:1` have the same words, but no parallel holds both.",
    ),
    "a version of several codes whose figures differ": (
        "game: 30",
        "game: 31",
        f"{FILE}:2: a version of `game` is `30` in tiny-1900 and `31` in tiny-1901: they are two.",
    ),
}


@pytest.mark.parametrize("name", BROKEN_PROVISIONS)
def test_provisions_that_name_no_right_parallel_are_refused(two: Path, name: str) -> None:
    old, new, expected = BROKEN_PROVISIONS[name]
    path = two / "tiny-1901" / "laws.yaml"
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    text = (two / "parallels.yaml").read_text("utf-8")
    versions = 'versions: [{codes: [tiny-1900, tiny-1901], text: "{game}"}, {codes: [x], text: y}]'
    if "figures differ" in name:
        text = text.replace("label: Game", f"label: Game\n    {versions}")
    (two / "parallels.yaml").write_text(text, "utf-8")
    assert expected in problems(two)


def test_several_codes_need_their_parallels(two: Path) -> None:
    (two / "parallels.yaml").unlink()
    assert problems(two) == [
        "laws/parallels.yaml:1: is missing: several codes need their rules told together."
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
    there: list[Line], back: list[Line], ours: str, theirs: str, book: Relations
) -> list[str]:
    """What is wrong with two tables that should be inverse: missing, twice, one way alone."""
    found = []
    for code, table in ((ours, there), (theirs, back)):
        listed = [line.address for line in table]
        found += [f"{a} is missing" for a in book.sides[code] if a not in listed]
        found += [f"{a} stands twice" for a in listed if listed.count(a) > 1]
    forth = {(line.address, other) for line in there for other in _pairs(line)}
    again = {(other, line.address) for line in back for other in _pairs(line)}
    found += [f"{a} to {b} one way only" for a, b in forth ^ again]
    found += [
        f"{line.address} is {line.kind}"
        for line in [*there, *back]
        if (line.kind == "none") != (not line.theirs)
    ]
    return found


def _pairs(line: Line) -> tuple[Address, ...]:
    """What a provision is paired with; a general law answers and is no counterpart."""
    return () if line.kind == "general" else line.theirs


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_concordances_are_complete_and_inverse(pair: tuple[str, str]) -> None:
    ours, theirs = pair
    assert (
        faults(concordance(ours, theirs), concordance(theirs, ours), ours, theirs, book().relations)
        == []
    )


def test_a_broken_concordance_is_noticed() -> None:
    ours, theirs = "auction-1912", "auction-1926"
    there, back = concordance(ours, theirs), concordance(theirs, ours)
    relations = book().relations
    assert faults(there[1:], back, ours, theirs, relations)
    assert faults([*there, there[0]], back, ours, theirs, relations)
    paired = next(i for i, line in enumerate(there) if len(line.theirs) == 1)
    wrong = Line(
        there[paired].address,
        "different",
        "",
        (there[paired + 40].theirs or ("auction-1926:1",))[:1],
        (),
    )
    assert faults([*there[:paired], wrong, *there[paired + 1 :]], back, ours, theirs, relations)
    assert faults(
        [*there[:paired], Line(wrong.address, "none", "", wrong.theirs, ()), *there[paired + 1 :]],
        back,
        ours,
        theirs,
        relations,
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
            kind = relations.kind(address, other)
            assert relations.kind(other, address) == kind
            shape = relations.shape(address, other, ours, theirs)
            assert relations.shape(other, address, theirs, ours) == INVERSE[shape]
            told = relations.differences(address, other)
            again = relations.differences(other, address)
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


@pytest.mark.parametrize(
    ("one", "other", "kind", "difference"),
    [
        ("auction-1912:88", "bridge-elwell:94", "same", None),
        ("auction-1912:11.1", "bridge-elwell:11.1", "different", "figure"),
        ("auction-1912:2", "bridge-elwell:2", "reworded", "wording"),
        ("auction-1912:44", "auction-1926:19", "different", "substance"),
        ("bridge-elwell:87", "auction-1912:84.a", "different", "substance"),
        ("duplicate-1912:44", "auction-1912:35.2", "same", None),
        ("duplicate-1912:48.1", "bridge-elwell:40.1", "different", "substance"),
        ("auction-1912:57", "duplicate-1912:57.1", "different", "substance"),
        ("auction-1926:41.2", "contract-1927:11.5", "different", "substance"),
        ("auction-1926:18", "auction-1912:42", "different", "substance"),
        ("royalton-1915:53.a", "duplicate-1912:74.c", "different", "substance"),
        ("duplicate-1912:20.1", "royalton-1915:12", "reworded", "wording"),
        ("duplicate-1912:20.1", "auction-1926:4", "different", "substance"),
        ("duplicate-1912:81.c", "auction-1926:32.a", "different", "substance"),
        ("duplicate-1912:113.2", "bridge-elwell:106.2", "reworded", "wording"),
        ("auction-1926:39", "auction-1912:5", "same", None),
        ("royalton-1915:89.1", "auction-1912:11.1", "reworded", "wording"),
        ("royalton-1915:89.1", "bridge-elwell:11.1", "different", "figure"),
        ("duplicate-1912:93.1", "auction-1912:90", "reworded", "wording"),
        ("duplicate-1912:93.1", "bridge-elwell:98", "reworded", "wording"),
        ("bridge-elwell:11.2", "royalton-1915:89.3", "reworded", "wording"),
        ("duplicate-1912:16.2", "auction-1912:9.2", "reworded", "wording"),
        ("duplicate-1912:108.3", "auction-1926:33.c", "reworded", "wording"),
        ("royalton-1915:42.2", "auction-1912:51.1", "reworded", "wording"),
        ("auction-1912:23", "royalton-1915:7", "same", None),
        ("duplicate-1912:81.a", "auction-1926:32.b", "same", None),
        ("duplicate-1912:51.a", "auction-1912:38.1", "different", "substance"),
        ("bridge-elwell:19", "auction-1912:14", "different", "substance"),
        ("bridge-elwell:48", "auction-1912:49", "different", "substance"),
    ],
)
def test_known_pairs(one: str, other: str, kind: str, difference: str | None) -> None:
    relations = book().relations
    ours, theirs = one.partition(":")[0], other.partition(":")[0]
    assert other in relations.counterparts(one, ours, theirs)
    assert relations.kind(one, other) == kind
    assert [d.difference for d in relations.differences(one, other)][:1] == (
        [difference] if difference else []
    )


def test_a_label_tells_the_rule_and_the_split_apart() -> None:
    relations = book().relations
    stands = {
        c.address: (c.kind, c.shape)
        for c in relations.stands("auction-1912:31", "auction-1912", "duplicate-1912")
    }
    assert stands == {
        "duplicate-1912:46": ("same", ""),
        "duplicate-1912:technique.next-deal.1": ("reworded", "split"),
    }
    split = relations.stands("bridge-elwell:87", "bridge-elwell", "auction-1912")
    assert {(c.kind, c.shape) for c in split if c.address == "auction-1912:84.a"} == {
        ("different", "split")
    }
    line = next(
        x for x in concordance("auction-1912", "duplicate-1912") if x.address == "auction-1912:31"
    )
    assert line.kind == "partly"


@pytest.mark.parametrize("address", ["62.c", "62.d", "62.e", "62.f", "62.g"])
@pytest.mark.parametrize("theirs", ["auction-1926", "contract-1927"])
def test_a_general_law_answers_what_dummy_may_do(address: str, theirs: str) -> None:
    own = f"bridge-elwell:{address}"
    found = book().relations.stands(own, "bridge-elwell", theirs)
    assert [(c.address, c.kind) for c in found] == [("auction-1926:30.c", "general")]
    assert book().relations.counterparts(own, "bridge-elwell", theirs) == []


def test_a_general_law_is_named_where_no_provision_answers() -> None:
    expected = {
        ("bridge-elwell:62.b", "auction-1926"): ["auction-1926:30.c"],
        ("bridge-elwell:62.b", "royalton-1915"): ["royalton-1915:53.1"],
        ("auction-1912:60.a", "royalton-1915"): ["royalton-1915:53.1"],
        ("auction-1912:55", "contract-1927"): ["auction-1926:17.a.2", "auction-1926:17.a.5"],
        ("auction-1926:35.a.2", "auction-1912"): ["auction-1912:83.1"],
        ("auction-1926:34.a.2", "bridge-elwell"): ["bridge-elwell:62.1"],
    }
    found = {
        (own, theirs): book().relations.stands(own, own.partition(":")[0], theirs)
        for own, theirs in expected
    }
    assert {k: [c.address for c in v] for k, v in found.items()} == expected
    assert {c.kind for v in found.values() for c in v} == {"general"}


def test_provisions_about_different_things_are_no_pair() -> None:
    """Each beside the print: a card faced and one exposed, slams and honours, an incorrect pack and
    an imperfect one, when the deal is complete and how it goes, a pass and a bid.
    """
    pairs = (
        ("duplicate-1912:47.b", "bridge-elwell:39.a"),
        ("royalton-1915:88", "contract-1927:6.2"),
        ("royalton-1915:24.b", "auction-1926:16.b"),
        ("duplicate-1912:43", "auction-1912:35.2"),
        ("royalton-1915:37.2", "auction-1926:22.1"),
        ("bridge-elwell:92.1", "duplicate-1912:103.4"),
    )
    codes = [tuple(a.partition(":")[0] for a in pair) for pair in pairs]
    together = [
        (a, b)
        for (a, b), (ours, theirs) in zip(pairs, codes, strict=True)
        if b in book().relations.counterparts(a, ours, theirs)
    ]
    assert together == []


def test_rules_that_only_one_code_has_answer_nothing() -> None:
    relations = book().relations
    for address, codes in {
        "royalton-1915:34.2": ["auction-1912", "bridge-elwell"],
        "auction-1912:9.1": ["auction-1926", "royalton-1915"],
        "bridge-elwell:51.2": ["auction-1912", "auction-1926"],
        "duplicate-1912:5": ["auction-1912", "contract-1927"],
        "contract-1927:7.1": ["auction-1926", "royalton-1915"],
    }.items():
        for code in codes:
            assert relations.counterparts(address, address.partition(":")[0], code) == [], (
                address,
                code,
            )
