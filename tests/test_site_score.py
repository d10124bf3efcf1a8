"""The table of the page "What does it score?": its entries agree with the judge's account."""

import json
from functools import cache
from random import Random
from typing import Any

from lawbook import in_force, judged_codes
from oddtrick.cards import Side
from oddtrick.judge.account import account
from oddtrick.judge.score_procedures import Facts, Holding, Standing
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from oddtrick.report.score_table import MOST_DOUBLED, declarations, states
from oddtrick.site.calculator import WORDING, declared, denominations_json, honours, score_json
from score_cases import cases, facts

Row = tuple[int, str, int, str, tuple[str, ...]]


@cache
def tables(code: str, *options: str) -> dict[str, Any]:
    """The accounts of a code, with an option or as printed, by denomination, as the page reads
    them.
    """
    made: dict[str, Any] = json.loads(json.dumps(denominations_json(in_force(code, options))))
    return made


@cache
def head(code: str, *options: str) -> dict[str, Any]:
    """What can be chosen under a code."""
    made: dict[str, Any] = json.loads(json.dumps(score_json(in_force(code, options))))
    return made


def table(denomination: str, code: str, *options: str) -> dict[str, Any]:
    """The page's table of a denomination."""
    return head(code, *options) | tables(code, *options)[denomination]


def looked_up(known: Facts, code: str, *options: str) -> list[Row] | None:
    """The entries that the page shows for facts, as `score.js` finds them; `None` if there are
    none.
    """
    final = known.final
    of = table(final.denomination, code, *options)
    rows = of["grid"][declared(final)]
    own, theirs = known.standing.games if len(of["offers"]["games"]) > 1 else (0, 0)
    base, scorer, reached = of["cells"][rows[min(own or 0, len(rows) - 1)][known.tricks]]
    assert known.honours is not None
    assert known.voids is not None
    side, held = next(
        (
            (s, h)
            for s, h in known.honours.items()
            if h.total and h.split in of["offers"]["held"][final.denomination]
        ),
        (Side.NS, Holding(0, 0)),
    )
    voids = f"{known.voids[Side.NS]}-{known.voids[Side.EW]}"
    voids = voids if voids in of["offers"]["chicane"][final.denomination] else "0-0"
    honour = of["honours"].get(f"{int(side is Side.EW)} {held.split} {voids}")
    if honour is None:
        return None
    had = known.standing.trick[scorer] if of["below"] else 0
    won = of["won"][f"{scorer} {own}-{theirs}"][0] if reached is not None and had >= reached else []
    found = [of["entries"][n] for n in (*base, *honour[final.doubled > 0], *won)]
    return [(s, c, p, r, tuple(of["laws"][n][1] for n in laws)) for s, c, p, r, laws in found]


def judged(known: Facts, code: str, *options: str) -> list[Row]:
    """The same from the judge's account."""
    made = []
    for e in account(known, in_force(code, options)).entries:
        reason = ", ".join(map(WORDING.say, e.reason))
        laws = tuple(path_of(a) for a in dict.fromkeys((*e.laws, *e.readings)))
        made.append((int(e.side is Side.EW), e.column, e.points, reason, laws))
    return made


def test_the_table_has_the_accounts_of_the_cases() -> None:
    listed = [c for _, c in cases() if not c.get("offences") and len(c.get("options", ())) < 2]
    wrong, seen = [], 0
    for case in listed:
        known, under = facts(case), (case["code"], *case.get("options", ()))
        if known.final.doubled > MOST_DOUBLED:
            continue
        if declared(known.final) not in table(known.final.denomination, *under)["grid"]:
            known = known._replace(final=known.final._replace(dealers_first=False))
        if sum(h.total > 2 for h in (known.honours or {}).values()) > 1:
            continue
        below = head(*under)["below"]
        if max(n or 0 for n in known.standing.trick) > below:
            continue  # more below the line than there can be
        found = looked_up(known, *under)
        seen += 1
        if found is None or sorted(found) != sorted(judged(known, *under)):
            wrong.append(f"{under}: {case['name']}: {found}")
    assert not wrong, "\n".join(wrong)
    assert seen > 350


def test_the_table_has_the_accounts_of_a_sample() -> None:
    wrong, random = [], Random(1927)
    laws = [in_force(code) for code in judged_codes()]
    laws += [in_force(law.code, [o.id]) for law in laws for o in book().code(law.code).options]
    for law in laws:
        under = (law.code, *law.options)
        finals = list(declarations(law))
        held = {d: list(honours(law, d, 0)) for d in law.order()}
        for _ in range(40 if law.options else 150):
            final = random.choice(finals)
            who, voids, _entries = random.choice(held[final.denomination])
            below = head(*under)["below"]
            holding = {s: Holding(0, 0) for s in Side} | ({who[0]: who[1]} if who else {})
            known = Facts(
                final,
                random.randrange(law.value("hand-size") + 1),
                holding,
                dict(zip(Side, voids, strict=True)),
                Standing(
                    random.choice(states(law)), (random.randint(0, below), random.randint(0, below))
                ),
            )
            if looked_up(known, *under) != judged(known, *under):
                wrong.append(f"{under}: {known}: {looked_up(known, *under)}")
    assert not wrong, "\n".join(wrong[:5])


def test_what_a_code_cannot_express_has_its_reason() -> None:
    assert head("auction-1926")["why"]["nullo"] == "it has no nullo"
    assert head("contract-1927")["why"]["doubled 3"] == "no bid can be doubled 3 times"
    assert "doubled 4" not in head("bridge-elwell")["why"]


def test_what_the_calculator_fetches_is_small() -> None:
    for code in judged_codes():
        parts = [head(code), *tables(code).values()]
        assert max(len(json.dumps(p, separators=(",", ":"))) for p in parts) < 30_000
