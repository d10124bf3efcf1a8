"""What the tests of a new code do with its laws, in a process that uses these laws: `python
new_code.py EVERY CODE ...` prints a JSON object with the results. The ruling on one irregularity in
EVERY is requested.
"""

import json
import sys
from random import Random
from typing import Any

from command import commanded
from faults import FAULTS
from lawbook import in_force
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book
from oddtrick.record import write
from oddtrick.rulings.engine import catalogue
from oddtrick.site.code import code_page, whole_page
from oddtrick.site.compare import pair_page
from oddtrick.site.concordance import concordance_page
from oddtrick.site.dispute import dispute_page
from oddtrick.site.docs import home_page
from oddtrick.site.finding import rule_page
from oddtrick.site.law import law_page
from oddtrick.site.plugin import code_entries
from oddtrick.site.topic import topic_page


def asked(code: str) -> list[tuple[int, str, str, list[str]]]:
    """The exit status and output of commands that name a code, with the command."""
    name, found = book().code(code).short, []
    for words in (
        ("ruling", "revoke", "--code", code),
        ("cite", f"{name} law 1"),
        ("law", code),
        ("search", "revoke", "--code", code),
        ("compare", "revoke-penalty", code, "auction-1912"),
        ("concordance", code, "auction-1912"),
        ("export",),
        ("export", "--scores", code),
        ("topics", "revoke-penalty"),
    ):
        done = commanded(*words)
        found.append((done.returncode, done.stdout, done.stderr, [*words]))
    return found


def ruled(code: str, every: int) -> list[Any]:
    """What goes wrong: deals are made, judged and scored under a code with each of its options, each
    fault is put into a deal, and rulings are requested.
    """
    wrong = list[Any]()

    def said(*arguments: str, given: str = "") -> str:
        done = commanded(*arguments, given=given.encode())
        if done.returncode > 1:
            wrong.append((arguments, done.stderr))
        return done.stdout

    for option in (None, *(o.id for o in book().code(code).options)):
        under = ("--code", code, *(("--option", option) if option else ()))
        deals = said("deal", *under, "--count", "4", "--seed", "1")
        told = json.loads(said("check", "--format", "json", "-", given=deals))["records"]
        final = (r["declaration"] or {"laws": ()} for r in told)
        laws = {a.partition(":")[0] for one in final for a in one["laws"]}
        if {r["code"] for r in told} != {code} or laws - {c.id for c in book().chain(code)}:
            wrong.append(("laws", under, deals))
        if {r["verdict"] for r in told} - {"legal", "incomplete"}:
            wrong.append(("verdict", under, deals))
        said("score", "-", given=deals)
    rules, random = in_force(code), Random(1)
    games = [legal_game(random, rules) for _ in range(20)]
    for fault, put in FAULTS.items():
        made = next((f.deal for g in games if (f := put(g, random, rules))), None)
        text = made and write([made], "hand")
        if text and "Verdict: in order" in said("check", "-", given=text):
            wrong.append((fault, text))
    for name in list(catalogue())[::every]:
        said("ruling", name, "--code", code)
    return wrong


def pages(code: str) -> dict[str, str]:
    """A page of each kind that tells of a code."""
    own, words = book().code(code), book().vocabulary
    return {
        "home": home_page(),
        "code": code_page(own),
        "whole": whole_page(own),
        "law": law_page(own, own.laws[0], None, own.laws[1]),
        "topic": topic_page(words.topics[0], None, words.topics[1]),
        "compared": pair_page("auction-1912", code),
        "concordance": concordance_page(code, "auction-1912"),
        "dispute": dispute_page(catalogue()["revoke"]),
        "rule": rule_page(next(f for f in words.findings if f.id == "play.revoke"), None, None),
        "navigation": json.dumps(code_entries(book())),
    }


if __name__ == "__main__":
    every, *codes = sys.argv[1:]
    told = {
        "asked": {code: asked(code) for code in codes},
        "wrong": [wrong for code in codes for wrong in ruled(code, int(every))],
        "pages": {code: pages(code) for code in codes},
    }
    print(json.dumps(told))
