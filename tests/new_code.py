"""What the tests of a new code do with its laws, in a process that uses these laws: `python
new_code.py EVERY PART CODE ...` prints a JSON object with the results.

EVERY: the ruling on one irregularity in so many is requested. PART: of what concerns other codes or
is made of all codes alike, one page in so many is made.
"""

import json
import sys
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from command import commanded
from faults import FAULTS
from lawbook import in_force
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book
from oddtrick.record import write
from oddtrick.rulings.engine import catalogue
from oddtrick.site import (
    calculator,
    compare,
    concordance,
    data,
    dispute,
    docs,
    finding,
    law,
    plugin,
    provisions,
    score_table,
    topic,
)


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
    """What goes wrong: a process deals, judges and scores under a code with each of its options,
    puts a fault into a deal, and requests rulings.
    """
    wrong = list[Any]()

    def status(*arguments: str, given: str = "") -> Any:
        done = commanded(*arguments, given=given.encode())
        if done.returncode > 1 or done.stderr.startswith("Traceback"):
            wrong.append((arguments, done.stderr))
        return done

    for option in (None, *(o.id for o in book().code(code).options)):
        under = ("--code", code, *(("--option", option) if option else ()))
        deals = commanded("deal", *under, "--count", "8", "--seed", "1").stdout
        told = json.loads(status("check", "--format", "json", "-", given=deals).stdout)["records"]
        laws = {
            a.partition(":")[0] for r in told for a in (r["declaration"] or {"laws": ()})["laws"]
        }
        if {r["code"] for r in told} != {code} or laws - {c.id for c in book().chain(code)}:
            wrong.append(("laws", under, deals))
        for command in ("check", "score"):
            done = status(command, "-", given=deals)
            if done.returncode:
                wrong.append((command, under, done.stdout))
        for fault, put in FAULTS.items() if every == 1 or option is None else ():
            rules, random = in_force(code, (option,) if option else ()), Random(1)
            games = (legal_game(random, rules) for _ in range(40))
            deal = next(
                (write([f.deal], "hand") for g in games if (f := put(g, random, rules))), ""
            )
            if deal and "Verdict: in order" in status("check", "-", given=deal).stdout:
                wrong.append((fault, under, deal))
        for name in list(catalogue())[::every]:
            status("ruling", name, *under)
    return wrong


def made(codes: list[str], part: int) -> list[Any]:
    """The pages of the site, and the entries of the navigation. Pages that compare other codes or
    explain a finding are left empty, and so are the comparisons of a new code and all that is made
    alike for every code, except one in `part`.
    """

    def name(given: Any) -> Any:
        return given if isinstance(given, str) else getattr(given, "id", getattr(given, "code", ""))

    def of_theirs(room: Any, maker: str, empty: Any, own: int = 1, others: int = 0) -> None:
        make: Callable[..., Any] = getattr(room, maker)
        of_codes, of_others = count(), count()

        def kept(*given: Any) -> Any:
            theirs = not {name(one) for one in given[:3]}.isdisjoint(codes)
            number, part = (of_codes, own) if theirs else (of_others, others)
            return make(*given) if part and next(number) % part == 0 else empty

        setattr(room, maker, kept)

    of_theirs(compare, "pair_page", "", part)
    of_theirs(concordance, "concordance_page", "", part)
    of_theirs(provisions, "joined", {}, part)
    of_theirs(finding, "rule_page", "")
    of_theirs(law, "law_page", "", 1, part)
    of_theirs(data, "law_json", {}, 1, part)
    of_theirs(dispute, "_start", {}, 1, part)
    of_theirs(dispute, "dispute_page", "", 1, part)
    of_theirs(topic, "topic_page", "", 1, part)
    of_theirs(calculator, "denominations_json", {}, part)
    score_table.as_csv = lambda _: ""  # as the command exports it
    docs.search_pages = lambda: {"subjects.md": ""}  # as the command searches
    docs.record_pages = lambda _: {}  # no new code has one
    pages = docs.law_pages() | docs.compared_pages()
    text = {path: page for path, page in pages.items() if isinstance(page, str)}
    return [text, plugin.code_entries(book())]


if __name__ == "__main__":
    every, part, *codes = sys.argv[1:]
    told = {
        "asked": {code: asked(code) for code in codes},
        "wrong": [wrong for code in codes for wrong in ruled(code, int(every))],
        "site": made(codes, int(part)) if int(part) else None,
    }
    print(json.dumps(told))
