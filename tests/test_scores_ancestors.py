"""Random deals of Bridge 1904 and Auction 1908 with a revoke, compared with a slow count by the
printed laws: laws 4, 9, 53 and 90 of 1904; laws 4, 9, 50, 51, 58 and 90 of 1908.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from lawbook import in_force
from oddtrick.cards import Side
from oddtrick.judge.account import account
from score_cases import facts

WORTH = {"spades": 2, "clubs": 4, "diamonds": 6, "hearts": 8, "no-trump": 12}
SIDES = ("declarer", "adversaries")
SLAM = {13: 40, 12: 20}

Points = tuple[list[int], list[int], int | None]
"""Trick points and honour points of the two sides, and the side that wins a game."""


def case_of(code: str, random: Random) -> dict[str, Any]:
    """A deal in which one side has revoked once."""
    trump = random.choice(list(WORTH))
    odd = 0 if code == "bridge-1904" else random.randint(1, 7)
    most = 2 if odd else 3 if WORTH[trump] >= 8 else 4
    by = random.choice(SIDES)
    offender = "declarer" if by == "declarer" else "adversary"
    told = {"offender": offender, "which-revoke": "first", "other-side": "no"}
    offence: dict[str, Any] = {"irregularity": "revoke", "by": by, "facts": told}
    if not odd:
        offence["chosen"] = random.choice(("tricks", "tricks-added", "tricks-deducted"))
    elif by == "adversaries":
        offence["chosen"] = random.choice(("tricks", "points"))
    before = [random.choice((0, 6, 12, 20, 24, 28)) for _ in SIDES]
    return {
        "code": code,
        "declaration": {"odd_tricks": odd, "denomination": trump},
        "doubled": random.randint(0, most),
        "tricks": random.randint(0, 13),
        "state": {"games": [0, 0], "trick": before},
        "offences": [offence],
        "dealers_first": False,
    }


def bridge_1904(case: dict[str, Any]) -> Points:
    """Three tricks, or their value added or deducted; no more than twenty-eight points, no slam, no
    game.
    """
    (offence,) = case["offences"]
    off = SIDES.index(offence["by"])
    had, other, played = case["state"]["trick"], 1 - off, [case["tricks"], 13 - case["tricks"]]
    value, tricks = WORTH[case["declaration"]["denomination"]] * 2 ** case["doubled"], list(played)
    if offence["chosen"] == "tricks":
        moved = min(3, tricks[off])
        tricks[off] -= moved
        tricks[other] += moved
    gained = [max(0, t - 6) * value for t in tricks]
    if offence["chosen"] == "tricks-added":
        gained[other] += 3 * value
    if offence["chosen"] == "tricks-deducted":
        gained[off] -= min(3 * value, had[off] + gained[off])
    gained[off] = min(gained[off], 28 - had[off])
    honour = [0, 0]
    honour[other] = SLAM.get(played[other], 0)
    return gained, honour, other if had[other] + gained[other] >= 30 else None


def auction_1908(case: dict[str, Any]) -> Points:
    """150 points, or three tricks that earn no bonus; the side that revoked scores only honours."""
    (offence,) = case["offences"]
    off, odd = SIDES.index(offence["by"]), case["declaration"]["odd_tricks"]
    trump, doubled = case["declaration"]["denomination"], case["doubled"]
    played = [case["tricks"], 13 - case["tricks"]]
    moved = min(3, played[1]) if offence.get("chosen") == "tricks" else 0
    won, trick, honour = played[0] + moved - 6, [0, 0], [0, 0]
    honour[1 - off] = SLAM.get(played[1 - off], 0) + (
        0 if offence.get("chosen") == "tricks" else 150
    )
    if won >= odd and off == 1:
        trick[0] = won * WORTH[trump] * 2**doubled
        over = played[0] - 6 - odd
        honour[0] += 50 * doubled * (1 + over) if over >= 0 else 0
    if won < odd and off == 0:
        loss = (50, 100, 200)[doubled] * (odd - won)
        honour[1] += min(100, loss) if (odd, trump) == (1, "spades") else loss
    return trick, honour, 0 if trick[0] and case["state"]["trick"][0] + trick[0] >= 30 else None


@pytest.mark.parametrize("count", [bridge_1904, auction_1908], ids=lambda c: c.__name__)
def test_a_deal_with_a_revoke_scores_what_the_printed_laws_give(
    count: Callable[[dict[str, Any]], Points],
) -> None:
    code, random, wrong = count.__name__.replace("_", "-"), Random(16), []
    for _ in range(400):
        case = case_of(code, random)
        told = account(facts(case), in_force(code))
        trick, honour = (
            [sum(e.points for e in told.entries if (e.side, e.column) == (s, c)) for s in Side]
            for c in ("trick", "honour")
        )
        got = trick, honour, None if told.game is None else list(Side).index(told.game)
        if got != count(case):
            wrong.append((case, got, count(case)))
    assert wrong == []
