"""Each invariant of the law data, with a fixture that breaks it: file, line and next step."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lawbook
from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.law import compile as compile_module
from oddtrick.law.compile import compile_laws
from oddtrick.law.draft import Draft
from oddtrick.law.invariants import INVARIANTS, Invariant
from oddtrick.law.problems import Problem
from oddtrick.law.schema import schemas
from oddtrick.law.yaml import read as read_yaml
from test_cli import clear, run

CODE = """\
id: tiny-1900
short: Tiny
title: The Laws of Tiny Bridge
body: Nobody's Club
date: "1900"
numbered_laws: 2
extends: null
source: {book: A book}
aliases: [tiny]
book: {authors: [{family: Nobody, given: A.}], title: A Book, place: Nowhere, \
publisher: None, year: 1900, copies: []}
about: A code for tests.
absent:
ABSENT
topics:
TOPICS
"""

LAWS = """\
laws:
  - number: "1"
    heading: Game
    provisions:
      - at: ""
        text: A game is 30 points.
        topics: [game]
        figures:
          game: 30
        refs:
          - {to: "2.a", how: see}
  - number: "2"
    heading: Rubber
    provisions:
      - at: a
        text: The winners of two games win the rubber.
        topics: [rubber]
        readings: [how-many]
      - at: b
        text: They add 100 points.
        topics: [rubber]
"""

CATALOGUE = """\
groups:
  - {id: declaring, label: Declaring}
facts:
  - {id: next-called, question: What was done?, values: {nothing: nothing since, \
next-called: and the next has called, attention: and it is noticed}}
  - {id: slip, question: Was it a slip?, values: {slip: a slip, change: a change}}
  - {id: turn, question: Whose turn was it?, values: {partner: his partner's, other: another's}}
irregularities:
  - {id: insufficient-bid, group: declaring, label: Insufficient bid, \
meaning: "A bid is not higher.", \
facts: {slip: [slip, change], next-called: [nothing, next-called, attention]}}
  - {id: bid-out-of-turn, group: declaring, label: Bid out of turn, \
meaning: "A bid is not in turn.", facts: {turn: [partner, other]}}
remedies:
  - {id: stands, label: it stands, effects: [{effect: stand}]}
  - {id: made-sufficient, label: it is made sufficient, effects: []}
  - {id: void, label: it is void, effects: [{effect: bar, of: partner}]}
  - {id: points, label: "{number} points", effects: []}
effects:
  - {id: stand, label: the call counts}
  - {id: bar, label: a player is barred, of: [partner, side]}
choosers:
  - {id: nobody, label: by itself, who: nobody}
limits:
  - {id: at-once, label: at once}
"""

ANOTHER = """\
  - {id: revoke, group: declaring, label: Revoke, meaning: "A suit is not followed.", facts: {}}
"""

READINGS = """\
readings:
  - id: how-many
    question: Two games of how many?
    places: ["2.a"]
    choices:
      - {id: three, text: Of three.}
      - {id: any, text: Of any number.}
    applied: three
    why: There is no more.
"""


@pytest.fixture
def tiny(tmp_path: Path, root: Path) -> Path:
    """A folder of law data with one small code that is in order."""
    laws = tmp_path / "laws"
    (laws / "tiny-1900").mkdir(parents=True)
    shutil.copy(root / "laws" / "vocabulary.yaml", laws)
    (laws / "irregularities.yaml").write_text(CATALOGUE, "utf-8")
    shutil.copytree(root / "laws" / "schema", laws / "schema")
    vocabulary = read_yaml((laws / "vocabulary.yaml").read_text("utf-8"))
    rules = [
        r["id"]
        for r in [*vocabulary["procedures"], *vocabulary["figures"]]
        if not r.get("many") and r["id"] != "game"
    ]
    absent = "\n".join(f"  {r}: Not in this code." for r in rules)
    silent = "\n".join(
        f"  {t['id']}: {{state: silent, reason: Nothing is said.}}"
        for t in vocabulary["topics"]
        if t["id"] not in ("game", "rubber")
    )
    write(laws, "code.yaml", CODE.replace("ABSENT", absent).replace("TOPICS", silent))
    write(laws, "laws.yaml", LAWS)
    write(laws, "readings.yaml", READINGS)
    findings = "\n".join(f'  {f["id"]}: ["1"]' for f in vocabulary["findings"])
    write(laws, "findings.yaml", f"findings:\n{findings}\n")
    return laws


def write(laws: Path, name: str, text: str) -> None:
    (laws / "tiny-1900" / name).write_text(text, "utf-8")


def problems(laws: Path) -> list[str]:
    return [str(p) for p in compile_laws(laws).problems]


def test_the_small_code_is_in_order(tiny: Path) -> None:
    assert problems(tiny) == []


def test_lint_tells_the_problems_of_a_lawbook_that_cannot_be_used(
    tiny: Path, tmp_path: Path
) -> None:
    path = tiny / "tiny-1900" / "laws.yaml"
    path.write_text(path.read_text("utf-8").replace("topics: [game]", "topics: [gmae]", 1), "utf-8")
    here = {"ODDTRICK_LAWS": str(tiny), "ODDTRICK_CACHE": str(tmp_path / "cache")}
    assert "Did you mean `game`?" in clear(run("lint", **here), 1)
    assert "oddtrick lint" in clear(run("law", "tiny-1900:1", **here))


def test_a_code_that_is_not_judged_need_not_have_what_only_the_checker_uses(tiny: Path) -> None:
    (tiny / "tiny-1900" / "findings.yaml").unlink()
    code = (tiny / "tiny-1900" / "code.yaml").read_text("utf-8")
    assert problems(tiny)
    write(tiny, "code.yaml", code.replace("extends: null", "extends: null\njudged: false"))
    assert problems(tiny) == []


def test_the_shipped_law_data_is_in_order(root: Path) -> None:
    assert problems(root / "laws") == []


STORIES = """\
stories:
  - topic: game
    text: A game is 30 points. It was so in 1900.
    laws: ["tiny-1900:1"]
"""

EVENINGS = """\
evenings:
  - id: game
    heading: Game
    sentences:
      - text: A game is 30 points by tricks.
        laws: {tiny-1900: ["tiny-1900:1"]}
"""

OF_EVENING = "laws/evenings.yaml:2: "
OF_GAME = "laws/stories.yaml:2: "
SHARED_FILES: dict[str, tuple[str, str, str]] = {
    "a file under a name that nobody reads": (
        "storys.yaml",
        STORIES,
        "laws/storys.yaml:1: no file of this name is read. Did you mean `stories`?",
    ),
    "a folder without a code": (
        "tiny-1901/laws.yaml",
        "laws: []\n",
        "laws/tiny-1901/laws.yaml:1: its folder has no code.yaml, and is not read.",
    ),
    "an empty file": ("stories.yaml", "# nothing\n", "laws/stories.yaml:1: is empty."),
    "a story of a topic that does not exist": (
        "stories.yaml",
        STORIES.replace("game", "gaem", 1),
        f"{OF_GAME}`gaem` is not in the vocabulary in stories.0.topic. Did you mean `game`?",
    ),
    "a story that rests on nothing": (
        "stories.yaml",
        STORIES.replace('["tiny-1900:1"]', "[]"),
        "laws/stories.yaml:4: [] should be non-empty in stories.0.laws.",
    ),
    "a story of a law that does not exist": (
        "stories.yaml",
        STORIES.replace("tiny-1900:1", "tiny-1900:9"),
        f"{OF_GAME}the law of the story `tiny-1900:9` does not exist. Did you mean `tiny-1900:2`?",
    ),
    "a story of a code that does not exist": (
        "stories.yaml",
        STORIES.replace("tiny-1900:1", "tony-1900:1"),
        f"{OF_GAME}the law of the story `tony-1900:1` does not exist. Did you mean `tiny-1900:1`?",
    ),
    "a story of laws on other topics": (
        "stories.yaml",
        STORIES.replace("tiny-1900:1", "tiny-1900:2.b").replace("30", "100"),
        f"{OF_GAME}no law that the story of `game` names is on that topic.",
    ),
    "a number that none of its laws has": (
        "stories.yaml",
        STORIES.replace("30", "40"),
        f"{OF_GAME}no law that the story of `game` names has the number 40.",
    ),
    "a year of no code": (
        "stories.yaml",
        STORIES.replace("in 1900", "in 1901"),
        f"{OF_GAME}no law that the story of `game` names has the number 1901.",
    ),
    "a topic that has two stories": (
        "stories.yaml",
        STORIES + STORIES.partition("\n")[2],
        "laws/stories.yaml:5: the topic `game` has a story already.",
    ),
    "stories out of order": (
        "stories.yaml",
        STORIES.replace("topic: game", "topic: rubber")
        + STORIES.partition("\n")[2].replace("topic: game", "topic: packs"),
        "laws/stories.yaml:5: the story of `packs` stands after that of `rubber`.",
    ),
    "a topic without a story where others have one": (
        "stories.yaml",
        STORIES,
        "laws/stories.yaml:1: the topic `packs` has no story.",
    ),
    "a sentence of an evening of no code": (
        "evenings.yaml",
        EVENINGS.replace("{tiny-1900:", "{tony-1900:"),
        f"{OF_EVENING}the code of an evening `tony-1900` does not exist. Did you mean `tiny-1900`?",
    ),
    "a sentence of an evening of a law that does not exist": (
        "evenings.yaml",
        EVENINGS.replace('"tiny-1900:1"', '"tiny-1900:9"').replace("30 points", "points"),
        f"{OF_EVENING}the law of an evening `tiny-1900:9` does not exist."
        " Did you mean `tiny-1900:1`?",
    ),
    "a number in a sentence of an evening that none of its laws has": (
        "evenings.yaml",
        EVENINGS.replace("30", "40"),
        f"{OF_EVENING}no law of tiny-1900 behind `A game is 40 points by …` has the number 40.",
    ),
    "a word that stands in two entries": (
        "words.yaml",
        "words:\n  - {for: [renege], say: [revoke]}\n  - {for: [renege], say: [game]}\n",
        "laws/words.yaml:3: `renege` stands twice; first at line 2.",
    ),
    "a cue for an answer that a fact has not": (
        "tellings.yaml",
        "cues:\n  - {fact: slip, value: chance, said: [he meant hearts]}\n"
        "tellings:\n  - {irregularity: insufficient-bid, said: [too low]}\n",
        "laws/tellings.yaml:2: the answer to `slip`, `chance` does not exist. Did you mean `change`?",
    ),
}


def test_the_schemas_of_another_version_are_named_and_nothing_is_read(tiny: Path) -> None:
    (tiny / "schema" / "catalogue.schema.json").write_text("{", "utf-8")
    (tiny / "schema" / "figures.schema.json").unlink()
    named = [f"laws/schema/{n}.schema.json:1: is not the " for n in ("catalogue", "figures")]
    told = compile_laws(tiny)
    assert [str(p).partition("schema of")[0] for p in told.problems] == named
    assert told.codes == ()


def test_the_laws_of_a_story_stand_in_the_order_of_the_codes(tiny: Path) -> None:
    later = tiny / "tiny-1902"
    shutil.copytree(tiny / "tiny-1900", later)
    for path in later.iterdir():
        path.write_text(path.read_text("utf-8").replace("1900", "1902"), "utf-8")
    laws = '["tiny-1902:1", "tiny-1900:1"]'
    (tiny / "stories.yaml").write_text(STORIES.replace('["tiny-1900:1"]', laws), "utf-8")
    told = f"{OF_GAME}the laws of the story of `game` are not in the order of the codes."
    assert told in problems(tiny)


AMENDING_LAWS = """\
laws:
  - number: "1"
    heading: Game
    provisions:
      - at: ""
        text: A game is 40 points.
        topics: [game]
        figures:
          game: 40
        displaces: ["tiny-1900:1"]
"""


def write_amending(laws: Path, **files: str) -> None:
    """A code that extends the small one and takes the place of its first law, with more files."""
    home = laws / "tiny-1901"
    home.mkdir(exist_ok=True)
    (laws / "parallels.yaml").write_text("parallels: []\n", "utf-8")
    head = CODE.partition("absent:")[0].replace("1900", "1901").replace("[tiny]", "[tiny-1901]")
    code = head.replace("extends: null", "extends: tiny-1900").replace("laws: 2", "laws: 1")
    for stem, text in {"code": code, "laws": AMENDING_LAWS, **files}.items():
        (home / f"{stem}.yaml").write_text(text, "utf-8")


def test_what_an_amending_code_keeps_rests_on_laws_in_force(tiny: Path) -> None:
    write_amending(tiny)
    told = problems(tiny)
    assert told
    assert all("keeps the finding `" in t and "a displaced law." in t for t in told)
    own = (tiny / "tiny-1900" / "findings.yaml").read_text("utf-8")
    write_amending(tiny, findings=own)
    assert problems(tiny) == []


def test_an_amending_code_may_answer_anew_and_under_a_reading_of_its_base(tiny: Path) -> None:
    write(tiny, "irregularities.yaml", IRREGULARITIES)
    own = (tiny / "tiny-1900" / "findings.yaml").read_text("utf-8")
    entry = """\
irregularities:
  - irregularity: insufficient-bid
    anew: true
    rulings:
      - {id: whatever, provisions: ["1"], remedies: [{remedy: stands, provision: "1"}]}
  - irregularity: insufficient-bid
    reading: {"tiny-1900:how-many": any}
    rulings:
      - id: whatever
        provisions: ["1"]
        readings: ["tiny-1900:how-many"]
        remedies: [{remedy: void, provision: "1"}]
  - {irregularity: bid-out-of-turn, provisions: ["1"], absent: Nothing is bid.}
"""
    for text, told in (
        (entry, []),
        (entry.replace("    anew: true\n", ""), ["both apply"]),
        (
            entry.replace("how-many", "how-meny"),
            ["the reading `tiny-1900:how-meny` does not exist"],
        ),
    ):
        write_amending(tiny, findings=own, irregularities=text)
        found = problems(tiny)
        assert bool(found) == bool(told)
        assert all(any(t in f for f in found) for t in told)


BROKEN: dict[str, tuple[str, Callable[[str], str], str]] = {
    "an unknown key is refused with the nearest spelling": (
        "laws.yaml",
        lambda t: t.replace("heading: Game", "heeding: Game"),
        "laws/tiny-1900/laws.yaml:3: unknown key `heeding` in laws.0. Did you mean `heading`?",
    ),
    "a missing key is told": (
        "laws.yaml",
        lambda t: t.replace("    heading: Game\n", ""),
        "laws/tiny-1900/laws.yaml:2: 'heading' is a required property in laws.0.",
    ),
    "a topic outside the vocabulary is refused with the nearest": (
        "laws.yaml",
        lambda t: t.replace("[game]", "[gaem]"),
        "laws/tiny-1900/laws.yaml:7: `gaem` is not in the vocabulary in "
        "laws.0.provisions.0.topics.0. Did you mean `game`?",
    ),
    "a figure of the wrong shape is refused": (
        "laws.yaml",
        lambda t: t.replace("game: 30", "game: thirty"),
        "laws/tiny-1900/laws.yaml:9: 'thirty' is not of type 'integer' in "
        "laws.0.provisions.0.figures.game.",
    ),
    "a provision without a topic is refused": (
        "laws.yaml",
        lambda t: t.replace("[game]", "[]"),
        "laws/tiny-1900/laws.yaml:7: [] should be non-empty in laws.0.provisions.0.topics.",
    ),
    "an address that stands twice is refused with both places": (
        "laws.yaml",
        lambda t: t.replace("at: b", "at: a"),
        "laws/tiny-1900/laws.yaml:19: `tiny-1900:2.a` stands twice; first at "
        "laws/tiny-1900/laws.yaml:15.",
    ),
    "a law number that stands twice is refused": (
        "laws.yaml",
        lambda t: t.replace('number: "2"', 'number: "1"'),
        "laws/tiny-1900/laws.yaml:12: `tiny-1900:1` stands twice; first at "
        "laws/tiny-1900/laws.yaml:2.",
    ),
    "a reference that leads nowhere is refused with the nearest": (
        "laws.yaml",
        lambda t: t.replace('to: "2.a"', 'to: "2.c"'),
        "laws/tiny-1900/laws.yaml:5: the reference `tiny-1900:2.c` does not exist. Did you mean "
        "`tiny-1900:2.b`?",
    ),
    "a displaced law that does not exist is refused": (
        "laws.yaml",
        lambda t: t.replace("        refs:\n", '        displaces: ["9"]\n        refs:\n'),
        "laws/tiny-1900/laws.yaml:5: the displaced law `tiny-1900:9` does not exist. Did you "
        "mean `tiny-1900:2`?",
    ),
    "a figure that stands twice in a code is refused with both places": (
        "laws.yaml",
        lambda t: t + "        figures: {game: 30}\n",
        "laws/tiny-1900/laws.yaml:19: `game` stands twice in tiny-1900; first at "
        "laws/tiny-1900/laws.yaml:5.",
    ),
    "a part that begins with no law is refused": (
        "code.yaml",
        lambda t: t.replace("about:", "parts: [{from: '3', label: Play}]\nabout:"),
        "laws/tiny-1900/code.yaml:1: the first law of the part `Play`, `3` does not exist.",
    ),
    "a kind of passage without a passage is refused": (
        "code.yaml",
        lambda t: t.replace("about:", "passages: [{id: opinion, said: [opinion]}]\nabout:"),
        "laws/tiny-1900/code.yaml:1: has no passage of the kind `opinion`.",
    ),
    "a word for two kinds of passages is refused": (
        "code.yaml",
        lambda t: t.replace("about:", "passages: [{id: a, said: [x]}, {id: b, said: [x]}]\nabout:"),
        "laws/tiny-1900/code.yaml:1: `x` is said of `b`, and of `a` in another kind.",
    ),
    "a kind of passage in the singular alone is refused": (
        "code.yaml",
        lambda t: t.replace("about:", "passages: [{id: a, one: case, said: [x]}]\nabout:"),
        "laws/tiny-1900/code.yaml:11: 'many' is a dependency of 'one' in passages.0.",
    ),
    "an ancestor that does not exist is refused": (
        "code.yaml",
        lambda t: t.replace(
            "about:", "descent: [{from: tiny-1899, text: It grew., source: {page: '1'}}]\nabout:"
        ),
        "laws/tiny-1900/code.yaml:1: the ancestor `tiny-1899` does not exist. Did you mean "
        "`tiny-1900`?",
    ),
    "a variant of an edition that does not exist is refused": (
        "laws.yaml",
        lambda t: t.replace(
            "        refs:\n",
            '        variants: [{edition: "1901", absent: true}]\n        refs:\n',
        ),
        "laws/tiny-1900/laws.yaml:5: the edition `1901` does not exist.",
    ),
    "a cell of a figure that stands twice is refused": (
        "laws.yaml",
        lambda t: (
            t.replace("game: 30", "game: 30\n          slam: {little: 20, grand: 40}")
            + "        figures: {slam: {grand: 50}}\n"
        ),
        "laws/tiny-1900/laws.yaml:20: `slam.grand` stands twice in tiny-1900; first at "
        "laws/tiny-1900/laws.yaml:5.",
    ),
    "a figure that lacks a cell is refused": (
        "laws.yaml",
        lambda t: t.replace("game: 30", "game: 30\n          slam: {little: 20}"),
        "laws/tiny-1900/code.yaml:1: `slam` has no cell `grand`: give it in a provision.",
    ),
    "a procedure that two provisions say otherwise is refused": (
        "laws.yaml",
        lambda t: (
            t.replace("figures:", "procedures: {slam-when: tricks-taken}\n        figures:")
            + "        procedures: {slam-when: bid-and-made}\n"
        ),
        "laws/tiny-1900/laws.yaml:20: `slam-when` stands twice in tiny-1900; first at "
        "laws/tiny-1900/laws.yaml:5.",
    ),
    "a reading that does not exist is refused": (
        "laws.yaml",
        lambda t: t.replace("[how-many]", "[how-much]"),
        "laws/tiny-1900/laws.yaml:15: the reading `tiny-1900:reading.how-much` does not exist. "
        "Did you mean `tiny-1900:reading.how-many`?",
    ),
    "a reading that applies none of its choices is refused": (
        "readings.yaml",
        lambda t: t.replace("applied: three", "applied: four"),
        "laws/tiny-1900/readings.yaml:2: the applied choice `four` does not exist.",
    ),
    "a choice that takes away a rule that there is not is refused": (
        "readings.yaml",
        lambda t: t.replace("text: Of any number.", "text: Of any number., absent: [gamez]"),
        "laws/tiny-1900/readings.yaml:2: the rule that a choice takes away, `gamez` does not exist. Did you mean `game`?",
    ),
    "a choice that is applied and has what follows of its own is refused": (
        "readings.yaml",
        lambda t: t.replace("text: Of three.", "text: Of three., absent: [game]"),
        "laws/tiny-1900/readings.yaml:2: `three` is applied: give what follows at the reading.",
    ),
    "a reading of a place that does not exist is refused": (
        "readings.yaml",
        lambda t: t.replace('["2.a"]', '["3"]'),
        "laws/tiny-1900/readings.yaml:2: the place `tiny-1900:3` does not exist. Did you mean "
        "`tiny-1900:2`?",
    ),
    "a settled reading whose place does not exist is refused": (
        "readings.yaml",
        lambda t: t + 'settled: {how-much: "3"}\n',
        "laws/tiny-1900/readings.yaml:10: the place of the settled reading `tiny-1900:3` does "
        "not exist. Did you mean `tiny-1900:2`?",
    ),
    "two readings of one id are refused": (
        "readings.yaml",
        lambda t: t + t.removeprefix("readings:\n"),
        "laws/tiny-1900/readings.yaml:10: `how-many` is a reading already, at "
        "laws/tiny-1900/readings.yaml:2.",
    ),
    "a settled reading that is applied all the same is refused": (
        "readings.yaml",
        lambda t: t + 'settled:\n  how-many: "2.a"\n',
        "laws/tiny-1900/readings.yaml:11: `how-many` is settled, but stands among the readings.",
    ),
    "a base that does not exist is refused": (
        "code.yaml",
        lambda t: t.replace("extends: null", "extends: tiny-1899"),
        "laws/tiny-1900/code.yaml:1: the base `tiny-1899` does not exist. Did you mean "
        "`tiny-1900`?",
    ),
    "a figure of the checker that is neither given nor absent is refused": (
        "laws.yaml",
        lambda t: t.replace("        figures:\n          game: 30\n", ""),
        "laws/tiny-1900/code.yaml:1: says nothing of `game`: give it in a provision, or under "
        "`absent` with the reason.",
    ),
    "a topic that is neither treated nor silent is refused": (
        "code.yaml",
        lambda t: t.replace("  revoke: {state: silent, reason: Nothing is said.}\n", ""),
        "laws/tiny-1900/code.yaml:1: no provision treats the topic `revoke`: say under `topics` "
        "whether the code is silent or it does not arise.",
    ),
    "a topic that is called silent and is treated is refused": (
        "code.yaml",
        lambda t: t + "  game: {state: silent, reason: Nothing is said.}\n",
        "laws/tiny-1900/code.yaml:1: `game` is under `topics`, but a provision treats it.",
    ),
    "a finding without law is refused": (
        "findings.yaml",
        lambda t: t.replace('  play.revoke: ["1"]\n', ""),
        "laws/tiny-1900/code.yaml:1: names no law behind the finding `play.revoke` "
        "(findings.yaml).",
    ),
    "a law behind a finding that does not exist is refused": (
        "findings.yaml",
        lambda t: t.replace('  record.no-code: ["1"]', '  record.no-code: ["7"]'),
        "laws/tiny-1900/findings.yaml:2: the law behind the finding `tiny-1900:7` does not "
        "exist. Did you mean `tiny-1900:2`?",
    ),
    "an id that is not the folder's name is refused": (
        "code.yaml",
        lambda t: t.replace("id: tiny-1900", "id: tiny-1901"),
        "laws/tiny-1900/code.yaml:1: the id `tiny-1901` is not the folder's name, `tiny-1900`.",
    ),
    "a key that stands twice is refused": (
        "laws.yaml",
        lambda t: t.replace("    heading: Game\n", "    heading: Game\n    heading: Play\n"),
        "laws/tiny-1900/laws.yaml:4: not YAML: the key `heading` stands twice; first at line 3 "
        "(column 5).",
    ),
    "a tab where YAML allows none is told": (
        "laws.yaml",
        lambda t: t.replace("    heading: Game\n", "\theading: Game\n"),
        "laws/tiny-1900/laws.yaml:3: not YAML: '\\t' cannot begin a value; indent with spaces, "
        "quote such a value (column 1).",
    ),
}


CATALOGUE_FILE = "laws/irregularities.yaml"
FILE = "laws/tiny-1900/irregularities.yaml"
IRREGULARITIES = """\
irregularities:
  - irregularity: bid-out-of-turn
    provisions: ["1"]
    absent: Nothing is bid.
  - irregularity: insufficient-bid
    rulings:
      - id: called
        provisions: ["2.a"]
        except: [accepted]
        remedies: [{remedy: made-sufficient, provision: "2.a"}]
      - id: accepted
        when: {next-called: next-called}
        provisions: ["2.b"]
        remedies: [{remedy: stands, provision: "2.b"}]
"""

UNDER_A_CHOICE = """\
  - irregularity: insufficient-bid
    reading: {how-many: any}
    rulings:
      - id: called
        provisions: ["1"]
        except: [accepted]
        remedies: [{remedy: made-sufficient, provision: "1"}]
"""

BROKEN_IRREGULARITIES = {
    "as it is": (lambda t: t, None),
    "with rulings under another choice of a reading": (lambda t: t + UNDER_A_CHOICE, None),
    "rulings under a reading that there is not": (
        lambda t: t + UNDER_A_CHOICE.replace("how-many", "how-meny"),
        f"{FILE}:15: the reading `how-meny` does not exist. Did you mean `how-many`?",
    ),
    "rulings under the choice that is applied": (
        lambda t: t + UNDER_A_CHOICE.replace("any}", "three}"),
        f"{FILE}:15: the other choice of `how-many`, `three` does not exist.",
    ),
    "an exception that is none of its rulings": (
        lambda t: t.replace("[accepted]", "[acepted]"),
        f"{FILE}:7: the exception `acepted` of `insufficient-bid` is none of its rulings. Did "
        "you mean `accepted`?",
    ),
    "exceptions in a circle": (
        lambda t: t.replace('provisions: ["2.b"]', 'provisions: ["2.b"]\n        except: [called]'),
        f"{FILE}:7: the exceptions of `insufficient-bid` go in a circle through `called`.",
    ),
    "rulings and silence at once": (
        lambda t: t.replace("    rulings:\n", "    silent: Nothing is said.\n    rulings:\n"),
        f"{FILE}:5: `insufficient-bid` needs rulings, or `silent` or `absent` with the reason, "
        "and only one of them.",
    ),
    "neither rulings nor silence": (
        lambda t: t[: t.index("    rulings:\n")],
        f"{FILE}:5: `insufficient-bid` needs rulings, or `silent` or `absent` with the reason, "
        "and only one of them.",
    ),
    "a ruling that gives nothing and is not silent": (
        lambda t: t.replace('        remedies: [{remedy: stands, provision: "2.b"}]\n', ""),
        f"{FILE}:11: the ruling `accepted` of `insufficient-bid` needs remedies, or `silent` "
        "with the reason, and not both.",
    ),
    "a remedy outside the vocabulary": (
        lambda t: t.replace("made-sufficient", "made-suficient"),
        f"{FILE}:10: `made-suficient` is not in the vocabulary in "
        "irregularities.1.rulings.0.remedies.0.remedy. Did you mean `made-sufficient`?",
    ),
    "a law that does not exist": (
        lambda t: t.replace('provisions: ["2.b"]', 'provisions: ["2.c"]'),
        f"{FILE}:11: the law of the irregularity `tiny-1900:2.c` does not exist. Did you mean "
        "`tiny-1900:2.b`?",
    ),
    "two rulings of equal rank that disagree, with both places": (
        lambda t: t.replace("        except: [accepted]\n", ""),
        f"{FILE}:10: `called` (line 7) and `accepted` of `insufficient-bid` both apply for "
        "next-called: next-called: one must give way to the other (`except`).",
    ),
    "a gap": (
        lambda t: t.replace(
            '        provisions: ["2.a"]',
            '        when: {next-called: attention}\n        provisions: ["2.a"]',
        ),
        f"{FILE}:5: no ruling of `insufficient-bid` applies for next-called: nothing.",
    ),
    "a ruling that can never apply": (
        lambda t: (
            t.replace("        when: {next-called: next-called}\n", "")
            + "      - id: never\n        when: {next-called: nothing}\n"
            + '        except: [accepted]\n        provisions: ["1"]\n'
            + '        remedies: [{remedy: void, provision: "1"}]\n'
        ),
        f"{FILE}:14: the ruling `never` of `insufficient-bid` can never apply.",
    ),
    "a fact that decides nothing": (
        lambda t: t.replace(
            "when: {next-called: next-called}",
            "when: {next-called: next-called, slip: [slip, change]}",
        ),
        f"{FILE}:5: the fact `slip` decides nothing in `insufficient-bid`.",
    ),
    "a fact that the catalogue does not have for it": (
        lambda t: t.replace("next-called: next-called", "turn: partner"),
        f"{FILE}:11: `insufficient-bid` does not turn on `turn` in the catalogue.",
    ),
    "an answer that the catalogue does not have": (
        lambda t: t.replace("next-called: next-called", "next-called: next-caled"),
        f"{FILE}:11: `next-caled` is no answer to `next-called` for `insufficient-bid`. Did you "
        "mean `next-called`?",
    ),
    "two rulings that say the same": (
        lambda t: t.replace('provisions: ["2.b"]', 'provisions: ["2.a"]').replace(
            '{remedy: stands, provision: "2.b"}', '{remedy: made-sufficient, provision: "2.a"}'
        ),
        f"{FILE}:11: the rulings `called` and `accepted` of `insufficient-bid` are the same: "
        "make them one.",
    ),
    "choices that are not numbered from one": (
        lambda t: t.replace("remedy: stands,", "remedy: stands, choice: 2,"),
        f"{FILE}:11: the choices of the ruling `accepted` of `insufficient-bid` are not numbered "
        "from 1.",
    ),
    "an amount that the provision does not have": (
        lambda t: t.replace("remedy: stands,", "remedy: points, figure: points,"),
        f"{FILE}:11: `tiny-1900:2.b` has no figure for the points of the ruling `accepted`.",
    ),
    "an entry that stands twice": (
        lambda t: t + t.partition("\n")[2],
        f"{FILE}:18: `insufficient-bid` stands twice in tiny-1900; first at {FILE}:5.",
    ),
    "two rulings with one id": (
        lambda t: t.replace("      - id: accepted", "      - id: called"),
        f"{FILE}:5: two rulings of `insufficient-bid` have the same id.",
    ),
    "a ruling without provisions that changes no other": (
        lambda t: t.replace('        provisions: ["2.a"]\n', ""),
        f"{FILE}:7: the ruling `called` of `insufficient-bid` needs provisions.",
    ),
    "a chooser for what simply follows": (
        lambda t: t.replace("remedy: stands,", "remedy: stands, chosen_by: nobody,"),
        f"{FILE}:14: `nobody` is not in the vocabulary in "
        "irregularities.1.rulings.1.remedies.0.chosen_by.",
    ),
    "an empty list of rulings": (
        lambda t: t.replace("    absent: Nothing is bid.\n", "    rulings: []\n"),
        f"{FILE}:4: [] should be non-empty in irregularities.0.rulings.",
    ),
    "an entry for an option that the code does not have": (
        lambda t: t.replace("    rulings:\n", "    option: fancy\n    rulings:\n"),
        f"{FILE}:5: tiny-1900 has no option `fancy`.",
    ),
    "a law on penalties that does not exist": (
        lambda t: 'penalties:\n  - {about: time, provisions: ["9"]}\n' + t,
        f"{FILE}:2: the law on penalties `tiny-1900:9` does not exist.",
    ),
}


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
    write(tiny, "irregularities.yaml", IRREGULARITIES + AMENDED)
    code = (tiny / "tiny-1900" / "code.yaml").read_text("utf-8")
    fancy = "options:\n  - {id: fancy, label: Fancy, source: {book: A book}}\n"
    write(tiny, "code.yaml", code + fancy)
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


def test_a_code_that_speaks_of_irregularities_speaks_of_all(tiny: Path) -> None:
    write(tiny, "irregularities.yaml", IRREGULARITIES)
    catalogue = tiny / "irregularities.yaml"
    catalogue.write_text(
        CATALOGUE.replace("irregularities:\n", "irregularities:\n" + ANOTHER), "utf-8"
    )
    assert problems(tiny) == [
        f"{FILE}:1: tiny-1900 says nothing of `revoke`: give rulings, or say `silent` or `absent` "
        "with the reason."
    ]


BROKEN_CATALOGUES = {
    "a group that does not exist": (
        ("group: declaring,", "group: declarin,"),
        f"{CATALOGUE_FILE}:8: the group `declarin` does not exist. Did you mean `declaring`?",
    ),
    "a fact that does not exist": (
        ("{slip: [slip", "{slips: [slip"),
        f"{CATALOGUE_FILE}:8: the fact `slips` does not exist. Did you mean `slip`?",
    ),
    "an answer that does not exist": (
        ("[slip, change]", "[slip, chance]"),
        f"{CATALOGUE_FILE}:8: the answer to `slip`, `chance` does not exist. Did you mean `change`?",
    ),
    "a fact on which nothing turns": (
        ("slip: [slip, change], ", ""),
        f"{CATALOGUE_FILE}:5: no irregularity turns on the fact `slip`.",
    ),
    "an effect that does not exist": (
        ("[{effect: stand}]", "[{effect: stands}]"),
        f"{CATALOGUE_FILE}:11: the effect `stands` does not exist. Did you mean `stand`?",
    ),
    "an effect of something that it cannot be of": (
        ("of: partner}]", "of: partners}]"),
        f"{CATALOGUE_FILE}:13: the effect `bar` of `void` is of `partners`; it can be of: partner, "
        "side.",
    ),
    "an effect that does not say of what it is": (
        ("{effect: bar, of: partner}", "{effect: bar}"),
        f"{CATALOGUE_FILE}:13: the effect `bar` of `void` does not say of what it is; it can be of: "
        "partner, side.",
    ),
    "an effect of something that is of nothing": (
        ("[{effect: stand}]", "[{effect: stand, of: partner}]"),
        f"{CATALOGUE_FILE}:11: the effect `stand` of `stands` is of `partner`; it is of nothing.",
    ),
    "an effect that no remedy has": (
        ("[{effect: bar, of: partner}]", "[]"),
        f"{CATALOGUE_FILE}:17: no remedy has the effect `bar`.",
    ),
    "an answer presumed that does not exist": (
        ("change: a change}}", "change: a change}, presumed: chance}"),
        f"{CATALOGUE_FILE}:5: the presumed answer to `slip`, `chance` does not exist. Did you "
        "mean `change`?",
    ),
    "an id that stands twice": (
        ("  - {id: void,", "  - {id: stands,"),
        f"{CATALOGUE_FILE}:13: `stands` stands twice under `remedies`.",
    ),
}


@pytest.mark.slow
def test_what_is_broken_is_refused_at_its_line_and_breaks_every_invariant(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every broken fixture of this file tells what it ought to; and which of `INVARIANTS` find
    something over all of them.
    """
    found: set[str] = set()
    otherwise: dict[str, list[str]] = {}

    def noting(holds: Invariant) -> Invariant:
        def noted(draft: Draft) -> Iterator[Problem]:
            told = list(holds(draft))
            found.update([holds.__name__] if told else [])
            return iter(told)

        return noted

    monkeypatch.setattr(compile_module, "INVARIANTS", tuple(map(noting, INVARIANTS)))
    for name, (file, text, expected) in SHARED_FILES.items():
        (tiny / file).parent.mkdir(exist_ok=True)
        (tiny / file).write_text(text, "utf-8")
        if expected not in (told := problems(tiny)):
            otherwise[name] = told
        (tiny / file).unlink()
    for name, (file, change, expected) in BROKEN.items():
        path = tiny / "tiny-1900" / file
        before = path.read_text("utf-8")
        after = change(before)
        assert after != before, name
        path.write_text(after, "utf-8")
        if expected not in (told := problems(tiny)):
            otherwise[name] = told
        path.write_text(before, "utf-8")
    catalogue = tiny / "irregularities.yaml"
    for name, ((old, new), expected) in BROKEN_CATALOGUES.items():
        assert old in CATALOGUE, name
        catalogue.write_text(CATALOGUE.replace(old, new), "utf-8")
        if expected not in (told := problems(tiny)):
            otherwise[name] = told
    catalogue.write_text(CATALOGUE, "utf-8")
    for name, (change, begins) in BROKEN_IRREGULARITIES.items():
        write(tiny, "irregularities.yaml", change(IRREGULARITIES))
        told = problems(tiny)
        if told if begins is None else not any(p.startswith(begins) for p in told):
            otherwise[name] = told
    assert otherwise == {}
    write_amending(tiny)
    problems(tiny)
    assert {i.__name__ for i in INVARIANTS} == found
    for invariant in INVARIANTS:
        assert invariant.__doc__
        assert invariant.__doc__.partition("\n")[0].endswith(".")


def test_the_schemas_are_draft_2020_12_and_sound(root: Path) -> None:
    from jsonschema import Draft202012Validator

    vocabulary = read_yaml((root / "laws" / "vocabulary.yaml").read_text("utf-8"))
    catalogue = read_yaml((root / "laws" / "irregularities.yaml").read_text("utf-8"))
    found = schemas(root / "laws", vocabulary | catalogue)
    assert set(found) == {p.name for p in (root / "laws" / "schema").glob("*.json")}
    for schema in found.values():
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Draft202012Validator.check_schema(schema)


COUNTS = {
    "bridge-elwell": (106, 15, 0),
    "auction-1912": (97, 12, 12),
    "duplicate-1912": (117, 20, 0),
    "royalton-1915": (102, 15, 0),
    "auction-1926": (54, 10, 0),
    "contract-1927": (12, 0, 0),
}
"""Numbered laws, rules of etiquette, decisions, as the books number or order them."""

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


@pytest.mark.parametrize("code", lawbook.codes())
def test_every_law_behind_a_finding_is_a_provision_in_force(code: str) -> None:
    rules = lawbook.in_force(code)
    chain = [code]
    while (base := lawbook.code_data(chain[-1])["extends"]) is not None:
        chain.append(base)
    gone = {
        d
        for c in chain
        for p in lawbook.code_data(c)["provisions"]
        if p["option"] is None
        for d in p["displaces"]
    }
    for finding, laws in rules.finding_laws.items():
        for address in laws:
            assert not any(address == d or address.startswith(d + ".") for d in gone), (
                f"{finding} rests on {address}, which is displaced"
            )
