"""The inputs of `golden.py`: files to read, and `commands.jsonl`, every command to run, by kind.

Made once, with the cut that others are compared to (`golden.py inputs FOLDER`): it uses modules of
oddtrick, and may go once the inputs are made.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("laws", "tests", "docs")
COMMANDS = "check score deal sheet law lint format convert cite search compare concordance topics "
MORE = (*"export sources ruling site".split(), "sources add", "sources list", "sources collate")
STYLES = ("short", "full", "markdown", "bibtex", "csl-json", "link")
LEGAL, FAULTY, RUBBERS, MUTANTS, BROKEN = 66, 66, 4, 300, 8
"""Random deals and rubbers for each code with options; mutants of each notation; broken laws."""
QUESTIONS = ("zebra", "xyzzy plugh", "?", "REVOKE", "revok", "score 500", "what", "♠")
WRONG = """|
frobnicate|check|check nowhere.hand|check --code|check --code auction-1913 RECORDS
check --only bidding RECORDS|check --code contract-1927 --option nothing RECORDS
check --option canadian RECORDS|check --full --statistics laws
check --code contract-1927 --option canadian --option vanderbilt RECORDS|check --format xml RECORDS
check README|check --only , RECORDS|score --under nowhere RECORDS
score --under auction-1912,royalton-1915 RECORDS|score -|sheet laws/examples|sheet
sheet --svg out.svg RECORDS|sheet --svg no/where.svg FILE|law|law nowhere|law auction-1912:999
law --format xml auction-1912:1|law --wide|law auction-1912:1 auction-1926:1
law --format json auction-1912:1 auction-1926:1|law --format=json auction-1912:84.b
law auction-1912:1 nowhere:1|law law 30|lint nowhere|lint laws|format nowhere.hand
format --check RECORDS/README.md|convert|convert nowhere.hand x.pbn|convert FILE|convert - --to pbn
convert FILE x.txt|convert FILE no/where.pbn|cite|cite foo|cite auction-1912:84 --style loud|search
search --topic nothing revoke|search --code nothing revoke|search --limit 0 revoke
search --limit x revoke|topics revok|search --limit 30 revoke
search --topic revoke-claim --code auction-1912 when|compare nothing|compare auction-1912
compare auction-1912:reading.declarer-at-no-trump|compare revoke-claim nowhere
compare revoke-claim 1912 1912 Royalton|concordance auction-1912
concordance auction-1912 auction-1912|concordance auction-1912 nowhere|concordance 1912 Royalton
export --option canadian|export --scores nowhere|export --scores contract-1927 --option x
export --out no/where.json|sources|sources list|sources list --format json|sources add nowhere.txt
sources add README|sources remove x|sources collate|ruling|ruling --option canadian revoke
ruling revoke --code nowhere|ruling revoke --fact x|ruling revoke --fact x=y|ruling zebra
ruling revoke --offender nobody --code auction-1912|ruling nothing --list
ruling revoke --code contract-1927 --option x|ruling revoke --code all|ruling --list
ruling --list --format json|deal|deal --code x|deal --code auction-1912 --count 0
deal --code auction-1912 --fault x --seed 1|deal --code auction-1912 --seed x|site|site demolish
--version|check laws tests|check --statistics laws tests|check --statistics --format json laws tests
check --format json laws tests|score RECORDS
"""
"""Calls that are wrong, or like no others; lines and `|` part them."""


class Inputs:
    """The folder of inputs while it is made, and the commands by their keys."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.commands = folder, {}

    def file(self, name: str, content: str | bytes) -> str:
        """Write an input."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def add(self, kind: str, *steps: Sequence[str], stdin: str = "", writes: str = "") -> None:
        """One command, or several of which each reads what the one before it wrote."""
        key = " | ".join(shlex.join(s) for s in steps) + (f" < {stdin}" if stdin else "")
        files = {"stdin": stdin, "writes": writes}
        self.commands[key] = {"kind": kind, "key": key, "steps": steps} | files

    def both(self, kind: str, *words: str) -> None:
        """One command as text and as JSON."""
        self.add(kind, words)
        self.add(kind, [*words, "--format", "json"])

    def record(self, kind: str, name: str, grouped: bool) -> None:
        """All that is done with a file of records."""
        for how in ([], ["--full"], ["--statistics"], ["--format", "json"]):
            self.add(kind, ["check", *how, name])
        for phase in ("declaring", "play", "score"):
            self.add(kind, ["check", "--format", "json", "--only", phase, name])
        self.both(kind, "score", name)
        self.both(kind, "score", "--under", "all", name)
        own, other = ("hand", "pbn") if name.endswith(".hand") else ("pbn", "hand")
        to, back = ["convert", name, "--to", other], ["convert", "-", "--from", other, "--to", own]
        self.add(kind, to, back, ["check", "--from", own, "--format", "json"])
        self.add(kind, to, ["check", "--from", other, "--full"])
        self.add(kind, ["convert", name, f"out.{other}"], writes=f"out.{other}")
        if grouped:
            self.add(kind, ["sheet", name])
            self.add(kind, ["sheet", "--svg", "out.svg", name], writes="out.svg")
        if own == "hand":
            self.add(kind, ["format"], stdin=name)
            self.add(kind, ["format", "--check", name])


def make_inputs(folder: Path) -> None:
    """Write every input and `commands.jsonl`."""
    from oddtrick.lawbook import UnknownCode, code_data, codes, rules_for
    from oddtrick.lawyaml import read as read_yaml

    import fuzz
    from oddtrick import lawcache, rulings
    from test_sources import printed

    def table(name: str) -> Any:
        return read_yaml((ROOT / "tests" / name).read_text("utf-8"))

    def flags(code: str, options: Iterable[str]) -> list[str]:
        return ["--code", code, *(w for o in options for w in ("--option", o))]

    it, played = Inputs(folder), []
    for code in codes():
        offered = [o["id"] for o in code_data(code)["options"]]
        for options in (c for n in range(len(offered) + 1) for c in combinations(offered, n)):
            try:
                played.append((code, options, rules_for(code, options)))
            except UnknownCode:  # two options that exclude each other
                continue
    kept = [
        p
        for f in FOLDERS
        for n in ("hand", "pbn")
        for p in sorted((ROOT / f).rglob(f"*.{n}"))
        if p.parent.name != "standard"
    ]
    names = [it.file(p.relative_to(ROOT).as_posix(), p.read_bytes()) for p in kept]
    it.file("laws/records/README.md", (ROOT / "laws" / "records" / "README.md").read_bytes())
    it.file("README", (ROOT / "README.md").read_bytes())
    for number, case in enumerate(table("notation/malformed.yaml")):
        names.append(it.file(f"malformed/{number:03}.hand", case["text"]))
    for name in names:
        it.record("records", name, True)
        for code, options, _ in played:
            under = [*flags(code, options), name]
            it.add("under-codes", ["check", "--full", "--format", "json", *under])
            it.add("under-codes", ["score", *under])
    for number, (code, options, rules) in enumerate(played):
        under, called = flags(code, options), "+".join((code, *options))
        for what, text in random_files(number, rules).items():
            it.record("deals", it.file(f"deals/{called}-{what}.hand", text), what == "rubbers")
        for words in ([], *(["--fault", f] for f in fuzz.FAULTS)):
            it.add("deal", ["deal", *under, "--seed", str(number), "--count", "2", *words])
        it.add("export", ["export", "--scores", *under[1:]])
        for name, item in rulings.catalogue().items():
            for facts in product(*([(f, v) for v in vs] for f, vs in item["facts"].items())):
                given = [f"--{f}={v}" for f, v in facts]
                it.add("ruling", ["ruling", name, *under, *given, "--format", "json"])
    for notation, number in product(fuzz.NOTATIONS, range(MUTANTS)):
        name = it.file(f"mutants/{number:03}.{notation}", fuzz.mutant(notation, 13, number).data)
        it.both("mutants", "check", name)
        it.add("mutants", ["convert", name, "--to", "pbn" if notation == "hand" else "hand"])
        it.add("mutants", ["format"], stdin=name)
    it.file("answers", "1\n" * 12)
    for name, item in rulings.catalogue().items():
        it.both("ruling-text", "ruling", name, "--list")
        partly = product(*([None, *((f, v) for v in vs)] for f, vs in item["facts"].items()))
        for number, some in enumerate(partly):
            given = [f"--{f}={v}" for f, v in filter(None, some)]
            it.add("ruling-text", ["ruling", name, *given, *(["--format", "json"] * (number % 2))])
            for at, code in enumerate(codes()):
                words = ["ruling", name, "--code", code, *given]
                if None in some:
                    it.add("ruling", [*words, "--format", "json"])
                if number == 0 or (number + at) % 6 == 0:
                    it.add("ruling-text", words)
        for words in (["ruling", name, "--code", code] for code in codes()):
            it.add("ruling-text", [*words, "--list"])
            it.add("ruling-text", [*words, "--ask"], stdin="answers")
    asked = table("search_questions.yaml")["questions"]
    said = [case["said"] for case in table("rulings/disputes.yaml")]
    for text in (*said, *(q["ask"] for q in asked), *QUESTIONS):
        it.both("search", "search", *text.split())
        it.both("search", "ruling", *text.split())
    for q in asked:
        limits = [f"--{n}={q[n]}" for n in ("code", "topic") if n in q]
        it.both("search", "search", *(limits or ["--code=auction-1926"]), q["ask"])
    addresses: list[str] = []
    for code in codes():
        data = code_data(code)
        parts = [*data["laws"], *data["provisions"], *data["readings"]]
        addresses += [code, *(part["address"] for part in parts)]
        book = it.file(f"books/{code}.txt", printed(code, head="THE LAWS"))
        law = next(la["address"] for la in data["laws"] if la["number"].isdigit())
        ask = ["sources list", "sources collate", "sources collate --all --format json"]
        ask += [f"law {law}", f"law {law} --format json", f"sources remove {code}.txt"]
        it.add("sources", ["sources", "add", book, "--code", code], *map(str.split, ask))
    for number, address in enumerate(dict.fromkeys(addresses)):
        it.both("law", "law", address)
        if number % 6 == 0:
            for style in STYLES:
                it.both(
                    "cite", "cite", address, "--style", style, "--site", "https://example.org/x"
                )
            it.both("compare", "compare", address)
    for spelling in (row[0] for rows in table("citations.yaml").values() for row in rows):
        it.both("cite", "cite", spelling)
        it.add("cite", ["cite", "--code", "auction-1926", "--style", "full", spelling])
        it.add("cite", ["law", spelling])
    it.both("compare", "topics")
    for topic in (t["id"] for t in lawcache.load("vocabulary")["topics"]):
        it.both("compare", "topics", topic)
        it.both("compare", "compare", topic)
        for pair in combinations(codes(), 2):
            it.add("compare", ["compare", topic, *pair])
    for ours, theirs in product(codes(), codes()):
        it.both("compare", "concordance", ours, theirs)
        it.add("compare", ["concordance", ours, theirs, "--format", "csv"])
    for how in ([], ["--format", "csv"], ["--schema"]):
        it.add("export", ["export", *how])
        it.add("export", ["export", *how, "--out", "out.txt"], writes="out.txt")
    it.both("lint", "lint")
    for number in range(BROKEN):
        home = f"broken-{number}/laws"
        shutil.copytree(ROOT / "laws", folder / home, dirs_exist_ok=True)
        path = Random(number).choice(sorted((folder / home).glob("*/*.yaml")))
        lines = path.read_text("utf-8").splitlines(keepends=True)
        del lines[Random(number).randrange(len(lines))]
        path.write_text("".join(lines), "utf-8")
        it.both("lint", "lint", home)
    for words in ("", *COMMANDS.split(), *MORE, "sources remove"):
        it.add("help", [*words.split(), "--help"])
    for words in re.split(r"[|\n]", WRONG[:-1].replace("RECORDS", "laws/records")):
        it.add("wrong", words.replace("FILE", "laws/records/made-up-rubber-1912.hand").split())
    it.file("commands.jsonl", "".join(json.dumps(c) + "\n" for c in it.commands.values()))


def random_files(number: int, rules: Any) -> dict[str, str]:
    """Random deals: legal, some with their score; with a fault each; in rubbers or matches."""
    from oddtrick.games import FAULTS, faulty_game, legal_game
    from oddtrick.notation_write import write_items
    from oddtrick.site_check import _begun, _scored

    from oddtrick.record import Group, Stated

    def deal(at: int) -> Any:
        made = legal_game(random, rules, at)
        begun = _begun(made, "Scored", "By chance.", rules)
        return (at % 2 and _scored(begun, random.choice((0, 0, 10)))) or made

    random, faults = Random(number), list(FAULTS)
    legal = [deal(n + 1) for n in range(LEGAL)]
    faulty = [faulty_game(faults[n % len(faults)], random, rules, n + 1) for n in range(2 * FAULTY)]
    head = {"code": Stated(rules.code), "options": tuple(Stated(o) for o in rules.options)}
    kind = "rubber" if rules.get("rubber-end") else "match"
    counts = (range(1, 4 + 2 * n) for n in range(RUBBERS))
    several = [tuple(legal_game(random, rules, n) for n in count) for count in counts]
    groups = [Group(kind, f"{kind} {n}", deals, **head) for n, deals in enumerate(several)]
    files = {"legal": legal, "faulty": [f for f in faulty if f][:FAULTY], "rubbers": groups}
    return {name: write_items(items) for name, items in files.items()}
