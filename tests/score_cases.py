"""The cases of tests/scores: facts in, expected points out.

A case has a name (a sentence), code, options, state, declaration, doubled, tricks, honours, voids,
expect and working.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawbook import in_force
from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import Final
from oddtrick.judge.remedies import penalties_of
from oddtrick.judge.score_procedures import Account, Facts, Holding, Penalty, Standing
from oddtrick.law.yaml import read as read_yaml
from oddtrick.rulings import engine as rulings

FOLDER = Path(__file__).resolve().parent / "scores"


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every case with the name of its file."""
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in read_yaml(path.read_text("utf-8")):
            yield path.name, case


def facts(case: dict[str, Any]) -> Facts:
    """The facts of a case; South declares, so the declaring side is N-S."""
    state = case.get("state", {})
    games = state.get("games")
    if games is None:
        vulnerable = state.get("vulnerable", False)
        games = [1, 1] if vulnerable else [0, 0]
    declaration = case["declaration"]
    final = Final(
        declaration["odd_tricks"],
        declaration["denomination"],
        case.get("doubled", 0),
        Seat.SOUTH,
        Seat.SOUTH,
        case.get(
            "dealers_first",
            declaration["denomination"] == "spades" and declaration["odd_tricks"] == 1,
        ),
    )
    honours = {Side.NS: Holding(0, 0), Side.EW: Holding(0, 0)}
    for who, (more, fewer) in case.get("honours", {}).items():
        honours[Side.NS if who == "declarer" else Side.EW] = Holding(more + fewer, more)
    voids = {Side.NS: 0, Side.EW: 0}
    for who, number in case.get("voids", {}).items():
        voids[Side.NS if who == "declarer" else Side.EW] = number
    trick = state.get("trick", [0, 0])
    return Facts(
        final, case["tricks"], honours, voids, Standing(tuple(games), tuple(trick)), penalties(case)
    )


def penalties(case: dict[str, Any]) -> tuple[Penalty, ...]:
    """The rulings on the irregularities of a case: the engine's ruling on their facts, with the
    remedy chosen.
    """
    found: list[Penalty] = []
    for offence in case.get("offences", ()):
        told = {k: str(v) for k, v in offence.get("facts", {}).items()}
        ruled = rulings.answer(
            offence["irregularity"], case["code"], case.get("options", ()), told
        ).ruling
        assert ruled is not None, offence
        side = Side.NS if offence["by"] == "declarer" else Side.EW
        found += penalties_of(offence["irregularity"], ruled, side, offence.get("chosen"))
    return tuple(found)


def difference(case: dict[str, Any]) -> str | None:
    """The difference between the case and the account, or `None`."""
    rules = in_force(case["code"], tuple(case.get("options", ())))
    told = account(facts(case), rules)
    if told.missing:
        return f"the account misses {told.missing}"
    expected = case["expect"] if isinstance(case["expect"], list) else [case["expect"]]
    for wanted in expected:
        wrong = _differs(wanted, told)
        if wrong:
            return wrong
    if "game" in case and told.game is not (Side.NS if case["game"] == "declarer" else Side.EW):
        return f"the game is won by {told.game}"
    if "total" in case:
        ours = sum(e.points for e in told.entries if e.side is Side.NS)
        if ours != case["total"]:
            return f"the declaring side's total is {ours}, not {case['total']}"
    if case.get("whole"):
        items = sum(w["points"] for w in expected)
        ours = sum(e.points for e in told.entries)
        if ours != items:
            return f"the whole account is {ours}, not {items}: {[(e.item, e.points) for e in told.entries]}"
    return None


def _differs(wanted: dict[str, Any], told: Account) -> str | None:
    side = Side.NS if wanted["side"] == "declarer" else Side.EW
    only = wanted.get("only")
    entries = [
        e
        for e in told.entries
        if e.side is side and e.column == wanted["column"] and (not only or e.item in only)
    ]
    points = sum(e.points for e in entries)
    if points != wanted["points"]:
        return f"{wanted['side']} {wanted['column']} {only or ''}: {points}, not {wanted['points']}"
    wrong = [law for law in wanted.get("laws", []) if not any(law in e.laws for e in entries)]
    return f"no entry cites {', '.join(wrong)}" if wrong else None
