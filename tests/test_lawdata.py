"""Each invariant of the law data, with law data that breaks it (`lawdata/broken.yaml`): file, line
and next step.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lawbook
from files import table
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.law import compile as compile_module
from oddtrick.law.compile import compile_laws
from oddtrick.law.invariants import INVARIANTS, Invariant
from oddtrick.law.lawbook import Book
from oddtrick.law.problems import Problem
from oddtrick.law.yaml import read as read_yaml
from test_cli import clear, run

HERE = Path(__file__).resolve().parent / "lawdata"
BROKEN = table("lawdata/broken")
LAWS = (HERE / "laws" / "tiny-1900" / "laws.yaml").read_text("utf-8")
IRREGULARITIES = "tiny-1900/irregularities.yaml"

KEPT = {
    "topics": ("packs", "game", "rubber", "revoke", "slams"),
    "findings": ("record.no-code", "declaring.insufficient-bid", "play.revoke", "score.odd-tricks"),
}
"""The topics and findings in the vocabulary of the small code, which every code must treat one by
one.
"""


@pytest.fixture
def tiny(tmp_path: Path, root: Path) -> Path:
    """A folder of law data with one small code that is valid and declares everything absent."""
    laws = tmp_path / "laws"
    shutil.copytree(HERE / "laws", laws)
    vocabulary = read_yaml((root / "laws" / "vocabulary.yaml").read_text("utf-8"))
    for (
        kind,
        kept,
    ) in KEPT.items():  # a few out of some hundred are enough, since many tests use them
        vocabulary[kind] = [item for item in vocabulary[kind] if item["id"] in kept]
    (laws / "vocabulary.yaml").write_text(json.dumps(vocabulary), "utf-8")  # JSON is YAML
    rules = [
        r["id"] for r in [*vocabulary["procedures"], *vocabulary["figures"]] if not r.get("many")
    ]
    absent = [f"  {rule}: Not in this code.\n" for rule in rules if rule != "game"]
    silent = [
        f"  {t['id']}: {{state: silent, reason: Nothing is said.}}\n"
        for t in vocabulary["topics"]
        if t["id"] not in ("game", "rubber")
    ]
    with (laws / "tiny-1900" / "code.yaml").open("a", encoding="utf-8") as code:
        code.writelines(["absent:\n", *absent, "topics:\n", *silent])
    findings = "".join(f'  {f["id"]}: ["1"]\n' for f in vocabulary["findings"])
    (laws / "tiny-1900" / "findings.yaml").write_text(f"findings:\n{findings}", "utf-8")
    return laws


def problems(laws: Path) -> list[str]:
    return [str(p) for p in compile_laws(laws).problems]


def write(laws: Path, name: str, text: str) -> None:
    (laws / "tiny-1900" / name).write_text(text, "utf-8")


def change(path: Path, was: str, now: str) -> None:
    """Replace something in a file."""
    text = path.read_text("utf-8")
    assert was in text
    path.write_text(text.replace(was, now, 1), "utf-8")


def test_lint_tells_the_problems_of_a_lawbook_that_cannot_be_used(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(tiny) == []
    change(tiny / "tiny-1900" / "laws.yaml", "topics: [game]", "topics: [gmae]")
    here = {"ODDTRICK_LAWS": str(tiny), "ODDTRICK_CACHE": str(tmp_path / "cache")}
    at = f"{tiny / 'tiny-1900' / 'laws.yaml'}:7: "
    found = clear(run("lint", **here), 1)
    assert found.startswith(at)
    assert "Did you mean `game`?" in found
    monkeypatch.chdir(tiny / "tiny-1900")
    assert clear(run("lint", "..", **here), 1) == found.replace(at, "laws.yaml:7: ")
    assert "oddtrick lint" in clear(run("law", "tiny-1900:1", **here))
    here["ODDTRICK_LAWS"] = str(tmp_path / "none")
    for words in (
        "lint",
        "law 1912:1",
        "ruling revoke --offender declarer",
        "score 1nt --code 1926",
    ):
        said = clear(run(*words.split(), **here), 2)
        assert "ODDTRICK_LAWS" in said, words
        assert "vocabulary.yaml" in said, words


def test_the_shipped_law_data_is_in_order(root: Path) -> None:
    assert problems(root / "laws") == []


def test_the_laws_of_a_story_stand_in_the_order_of_the_codes(tiny: Path) -> None:
    later = tiny / "tiny-1902"
    shutil.copytree(tiny / "tiny-1900", later)
    for path in later.iterdir():
        path.write_text(path.read_text("utf-8").replace("1900", "1902"), "utf-8")
    shutil.copy(HERE / "added" / "stories.yaml", tiny)
    change(tiny / "stories.yaml", '["tiny-1900:1"]', '["tiny-1902:1", "tiny-1900:1"]')
    told = "laws/stories.yaml:2: the laws of the story of `game` are not in the order of the codes."
    assert told in problems(tiny)


def amend(laws: Path, *names: str) -> Path:
    """Add a code that extends the small one and replaces its first law."""
    home = laws / "tiny-1901"
    home.mkdir(exist_ok=True)
    (laws / "parallels.yaml").write_text("parallels: []\n", "utf-8")
    for name in ("code", "laws", *names):
        shutil.copy(HERE / "amending" / f"{name}.yaml", home)
    return home


def test_what_an_amending_code_keeps_rests_on_laws_in_force(tiny: Path) -> None:
    home = amend(tiny)
    told = problems(tiny)
    assert told
    assert all("inherits the finding `" in t and "a displaced law: " in t for t in told)
    shutil.copy(tiny / "tiny-1900" / "findings.yaml", home)
    assert problems(tiny) == []
    change(home / "laws.yaml", "        figures:\n          game: 40\n", "")
    told = "laws/tiny-1901/code.yaml:1: does not cover `game`"
    assert [p.partition(": state it")[0] for p in problems(tiny)] == [told]


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("displaces", "amends", []),
        (
            '        displaces: ["tiny-1900:1"]\n',
            "",
            ["laws/tiny-1901/laws.yaml:5: `game` differs"],
        ),
        (
            'game: 40\n        displaces: ["tiny-1900:1"]',
            "game: 30",
            ["laws/tiny-1901/laws.yaml:5: `game` has 30, but the text has 40 instead."],
        ),
    ],
    ids=["amended", "neither", "same"],
)
def test_a_code_that_gives_another_figure_than_its_base_names_the_law(
    tiny: Path, was: str, now: str, told: list[str]
) -> None:
    change(amend(tiny) / "laws.yaml", was, now)
    assert [p.partition(" from")[0] for p in problems(tiny)] == told


@pytest.mark.parametrize(
    ("base", "own"),
    [
        ("vulnerable: {undoubled: [40]}", "undoubled: [40]"),
        ("undoubled: [40]", "invulnerable: {undoubled: [40]}"),
    ],
)
@pytest.mark.parametrize("amends", ["2.a", "2.b"])
def test_a_cell_that_includes_one_of_the_base_overrides_it(
    tiny: Path, base: str, own: str, amends: str
) -> None:
    """The base states its cell in 2.b; its figure has 30 there, the amending code 40."""
    stated = f"add 30 points.\n        figures: {{undertrick: {{{base.replace('40', '30')}}}}}"
    change(tiny / "tiny-1900" / "laws.yaml", "add 100 points.", stated)
    change(amend(tiny) / "laws.yaml", "game: 40", f"game: 40\n          undertrick: {{{own}}}")
    named = f'displaces: ["tiny-1900:1"]\n        amends: ["tiny-1900:{amends}"]'
    change(tiny / "tiny-1901" / "laws.yaml", 'displaces: ["tiny-1900:1"]', named)
    differs = [p for p in problems(tiny) if "differs from `tiny-1900:2.b`" in p]
    assert len(differs) == (amends == "2.a")


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("", "", ""),
        ("    anew: true\n", "", "both apply"),
        ("how-many", "how-meny", "the reading does not exist: `tiny-1900:how-meny`"),
    ],
)
def test_an_amending_code_may_answer_anew_and_under_a_reading_of_its_base(
    tiny: Path, was: str, now: str, told: str
) -> None:
    shutil.copy(HERE / "added" / IRREGULARITIES, tiny / "tiny-1900")
    home = amend(tiny, "irregularities")
    shutil.copy(tiny / "tiny-1900" / "findings.yaml", home)
    change(home / "irregularities.yaml", was, now)
    found = problems(tiny)
    assert bool(found) == bool(told)
    assert all(told in f for f in found)


@pytest.mark.parametrize(
    ("code", "due"), [("tiny-1900", "100 points (2.b)"), ("tiny-1901", "150 points (1)")]
)
def test_an_inherited_ruling_takes_an_amended_amount(
    tiny: Path, tmp_path: Path, code: str, due: str
) -> None:
    base, own = tiny / "tiny-1900", amend(tiny) / "laws.yaml"
    shutil.copy(HERE / "added" / IRREGULARITIES, base)
    stands = '{remedy: stands, provision: "2.b"}'
    change(base / "irregularities.yaml", stands, stands.replace("stands", "points, figure: points"))
    points = "100 points.\n        figures: {penalty-points: 100}"
    change(base / "laws.yaml", "100 points.", points)
    change(own, "40 points.", "40 points. They add 150 points.")
    change(own, "game: 40", "game: 40\n          penalty-points: 150")
    change(own, 'displaces: ["tiny-1900:1"]', 'amends: ["tiny-1900:1", "tiny-1900:2.b"]')
    assert problems(tiny) == []
    here = {"ODDTRICK_LAWS": str(tiny), "ODDTRICK_CACHE": str(tmp_path / "cache")}
    asked = ("insufficient-bid", "--next-called", "next-called", "--code", code)
    found, is_amended = clear(run("ruling", *asked, **here), 0), code == "tiny-1901"
    assert due in found
    assert (" Amended (1)" in found) is is_amended, found
    other = "tiny-1900" if is_amended else "tiny-1901"
    lines = clear(run("concordance", code, other, **here), 0).splitlines()
    (line,) = (line for line in lines if line.split(" ")[0] in ("2.b", "tiny-1900:2.b"))
    assert line.endswith(
        "  2.b (amended by 1)" if is_amended else "tiny-1900:2.b (amended by 1), 1"
    )


AMENDED = """\
  - irregularity: insufficient-bid
    option: fancy
    rulings:
      - id: called
        when: {slip: change}
      - id: slip
        when: {slip: slip}
        except: [accepted]
        provisions: ["1"]
        remedies: [{remedy: void, provision: "1"}]
"""


def test_an_option_writes_the_rulings_that_it_changes_and_keeps_the_others(tiny: Path) -> None:
    text = (HERE / "added" / IRREGULARITIES).read_text("utf-8")
    (tiny / IRREGULARITIES).write_text(text + AMENDED, "utf-8")
    fancy = "options:\n  - {id: fancy, label: Fancy, source: {book: A book}}\nabsent:\n"
    change(tiny / "tiny-1900" / "code.yaml", "absent:\n", fancy)
    done = compile_laws(tiny)
    assert [str(p) for p in done.problems] == []
    rulings = done.book["codes"]["tiny-1900"]["irregularities"][2]["rulings"]
    assert [(r["id"], r["when"], r["provisions"]) for r in rulings] == [
        ("called", {"slip": ["change"]}, ["tiny-1900:2.a"]),
        ("slip", {"slip": ["slip"]}, ["tiny-1900:1"]),
        ("accepted", {"next-called": ["next-called"]}, ["tiny-1900:2.b"]),
    ]
    assert rulings[0]["remedies"] == [
        {"remedy": "made-sufficient", "chosen_by": "nobody", "provision": "tiny-1900:2.a"}
    ]


def problems_with(laws: Path, case: dict[str, str]) -> list[str]:
    """The problems of law data after the change of a case, which is then undone."""
    path, added = laws / case["file"], HERE / "added" / case["file"]
    before = path.read_text("utf-8") if path.exists() else ""
    text = added.read_text("utf-8") if added.exists() else before
    was, now = case.get("was", ""), case.get("now", "")
    assert text.count(was) == 1 or not was, case["name"]
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace(was, now) if was else text + now, "utf-8")
    told = problems(laws)
    path.write_text(before, "utf-8") if before else path.unlink()
    return told


@pytest.mark.slow
def test_what_is_broken_is_refused_at_its_line_and_breaks_every_invariant(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each case leads to the expected message; together they use every one of `INVARIANTS`."""
    found: set[str] = set()
    otherwise: dict[str, list[str]] = {}

    def noting(holds: Invariant) -> Invariant:
        def noted(book: Book) -> Iterator[Problem]:
            told = list(holds(book))
            found.update([holds.__name__] if told else [])
            return iter(told)

        return noted

    monkeypatch.setattr(compile_module, "INVARIANTS", tuple(map(noting, INVARIANTS)))
    for case in BROKEN:
        told = problems_with(tiny, case)
        wanted = case.get("problem")
        if wanted not in told if wanted else told:
            otherwise[case["name"]] = told
    assert otherwise == {}
    home = amend(tiny)
    problems(tiny)
    change(home / "laws.yaml", '        displaces: ["tiny-1900:1"]\n', "")
    problems(tiny)
    assert {i.__name__ for i in INVARIANTS} == found
    for invariant in INVARIANTS:
        assert invariant.__doc__
        assert invariant.__doc__.partition("\n")[0].endswith(".")


COUNTS = {
    "bridge-elwell": (106, 15, 0),
    "auction-1912": (97, 12, 12),
    "duplicate-1912": (117, 20, 0),
    "royalton-1915": (102, 15, 0),
    "auction-1926": (54, 10, 0),
    "contract-1927": (12, 0, 0),
}
"""The numbers of numbered laws, rules of etiquette and decisions, as the books number or order
them.
"""

OTHERS = {
    "bridge-elwell": 0,
    "auction-1912": 30 + 1,
    "duplicate-1912": 5 + 6 + 1,
    "royalton-1915": 1 + 1,
    "auction-1926": 1 + 1,
    "contract-1927": 0,
}
"""Passages without a number: summarised penalties, chapters, a foreword, the words before the
etiquette."""


def test_auction_1908_has_the_laws_that_it_prints_and_keeps_the_others_by_their_number() -> None:
    own = [2, 4, 11, *range(47, 63), 70, 71, 90]
    data = lawbook.code_data("auction-1908")
    assert [law["number"] for law in data["laws"]] == [str(n) for n in own]
    assert data["numbered_laws"] == len(own)
    for number in range(1, 109):
        code = "auction-1908" if number in own else "bridge-1904"
        assert read_citation(f"law {number} of 1908") == f"{code}:{number}"
    with pytest.raises(Unread):
        read_citation(
            "auction-1908:49.3"
        )  # the eldest hand of Bridge 1904, whose law has given way


@pytest.mark.parametrize("code", COUNTS)
def test_every_numbered_law_rule_and_decision_is_there(code: str) -> None:
    data = lawbook.code_data(code)
    found = [law["number"] for law in data["laws"] if law["option"] is None]
    numbers = [n for n in found if re.fullmatch(r"(etiquette\.|decision\.)?\d+", n)]
    assert len(found) - len(numbers) == OTHERS[code]
    laws, etiquette, decisions = COUNTS[code]
    wanted = [str(n) for n in range(1, laws + 1)]
    wanted += [f"decision.{n}" for n in range(1, decisions + 1)] + [
        f"etiquette.{n}" for n in range(1, etiquette + 1)
    ]
    assert sorted(numbers) == sorted(wanted)
    assert data["numbered_laws"] == laws


def walk(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(x for v in value.values() for x in walk(v))]
    if isinstance(value, list):
        return [x for v in value for x in walk(v)]
    return []


def test_every_object_of_the_schemas_refuses_unknown_keys(root: Path) -> None:
    for path in (root / "laws" / "schema").glob("*.json"):
        for node in walk(json.loads(path.read_text("utf-8"))):
            if node.get("type") == "object":
                assert "additionalProperties" in node or "propertyNames" in node, (path.name, node)


def inverse_faults(book: dict[str, Any]) -> list[str]:
    """Where `cited_by` and `refs` of a set of provisions are not inverses: who should cite whom."""

    def under(target: str) -> list[Any]:
        return [
            p
            for p in book.values()
            if p["address"] == target or p["law"] == target or p["address"].startswith(target + ".")
        ]

    forth = {
        (p["address"], q["address"])
        for p in book.values()
        for r in p["refs"]
        for q in under(r["to"])
    }
    back = {(a, p["address"]) for p in book.values() for a in p["cited_by"]}
    return [f"{a} and {b}" for a, b in sorted(forth ^ back)]


def test_cited_by_is_the_inverse_of_refs() -> None:
    book = {p["address"]: p for c in lawbook.codes() for p in lawbook.code_data(c)["provisions"]}
    assert inverse_faults(book) == []
    broken = json.loads(json.dumps(book))
    broken["auction-1912:84.b"]["cited_by"].remove("auction-1912:decision.12")
    broken["auction-1912:1.1"]["cited_by"].append("auction-1912:97.2")
    assert inverse_faults(broken) == [
        "auction-1912:97.2 and auction-1912:1.1",
        "auction-1912:decision.12 and auction-1912:84.b",
    ]
