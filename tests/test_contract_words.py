"""A contract told in words: the accounts of the score cases, ways of saying it, what is unclear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command import commanded
from lawbook import in_force
from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.contract_words import Unclear, facts_under, presumed, read_contract
from oddtrick.judge.score_procedures import Holding
from oddtrick.report.messages import Wording
from oddtrick.report.under_codes import understood
from oddtrick.report.words import doubled_words
from oddtrick.site.calculator import honour_words
from score_cases import cases, facts

SIDES = {"declarer": "", "adversaries": " against"}
HANDS = ("", "", "double ")


def long(case: dict[str, Any]) -> str:
    """The facts of a case as somebody would write them out."""
    said = case["declaration"]
    known = facts(case)
    number = f"{said['odd_tricks']} " if said["odd_tricks"] else ""
    words = [
        f"{number}{said['denomination'].replace('-', ' ')}" + doubled_words(known.final.doubled)
    ]
    words += ["dealer's first declaration"] if known.final.dealers_first else []
    words.append(f"{case['tricks']} tricks")
    for who, (more, fewer) in case.get("honours", {}).items():
        words.append(f"{more + fewer} honours {more}-{fewer}{SIDES[who]}")
    for who, hands in case.get("voids", {}).items():
        words.append(f"{HANDS[hands]}chicane{SIDES[who]}")
    games = {
        (0, 0): "new rubber",
        (1, 0): "we have a game in",
        (0, 1): "they have a game",
        (1, 1): "a game each",
    }
    words.append(games[known.standing.games])
    words.append("{} to {} on the score".format(*known.standing.trick))
    return ", ".join(words)


def test_the_account_of_a_case_is_that_of_its_words() -> None:
    listed = [c for _, c in cases() if not c.get("offences")]
    assert len(listed) > 400
    wrong = []
    for case in listed:
        law = in_force(case["code"], tuple(case.get("options", ())))
        told = account(facts_under(read_contract(long(case)), law), law)
        if told != account(facts(case), law):
            wrong.append(f"{case['code']}: {long(case)}")
    assert not wrong, "\n".join(wrong)


# Written down before they were read: words, code, what the account must rest on.
SAYINGS = (
    ("4 hearts doubled, 11 tricks", "royalton-1915", 4, "hearts", 1, 11),
    ("4Hx +1", "contract-1927", 4, "hearts", 1, 11),
    ("3NT-2 vul", "contract-1927", 3, "no-trump", 0, 7),
    ("four spades redoubled made", "auction-1926", 4, "spades", 2, 10),
    ("4♠ =", "auction-1926", 4, "spades", 0, 10),
    ("4S made 5", "auction-1926", 4, "spades", 0, 11),
    ("4 spades, made 10", "auction-1926", 4, "spades", 0, 10),
    ("3 N.T. just made", "auction-1926", 3, "no-trump", 0, 9),
    ("One no-trump, one down", "auction-1926", 1, "no-trump", 0, 6),
    ("2D** two light", "duplicate-1912", 2, "diamonds", 2, 6),
    ("4 hearts by S, 10 tricks", "auction-1926", 4, "hearts", 0, 10),
    ("2 royals, made it", "auction-1912", 2, "royal-spades", 0, 8),
    ("4 lilies set 3", "auction-1912", 4, "royal-spades", 0, 7),
    ("2 royal spades made 3", "royalton-1915", 2, "spades-royal", 0, 9),
    ("3 hearts royal - 1", "royalton-1915", 3, "hearts-royal", 0, 8),
    ("1 nullo, 4 tricks", "royalton-1915", 1, "nullo", 0, 4),
    ("hearts doubled three times, 4 by cards", "bridge-elwell", 0, "hearts", 3, 10),
    ("hearts, lost the odd trick", "bridge-1904", 0, "hearts", 0, 6),
    ("no trumps, the odd", "bridge-1904", 0, "no-trump", 0, 7),
    ("6 clubs by West, little slam", "contract-1927", 6, "clubs", 0, 12),
    ("7c grand slam", "contract-1927", 7, "clubs", 0, 13),
    ("5♦X −3", "contract-1927", 5, "diamonds", 1, 8),
    (
        "They bid five diamonds and the adversaries took 3 tricks",
        "contract-1927",
        5,
        "diamonds",
        0,
        10,
    ),
)


def test_a_contract_is_read_as_people_say_it() -> None:
    wrong = []
    for words, code, odd, denomination, doubled, tricks in SAYINGS:
        law = in_force(code)
        known = facts_under(read_contract(words), law)
        final = known.final
        found = (final.odd_tricks, final.denomination, final.doubled, known.tricks)
        if found != (odd, denomination, doubled, tricks):
            wrong.append(f"{words}: {found}")
    assert not wrong, "\n".join(wrong)


def test_honours_chicane_and_the_state_are_of_the_side_that_is_named() -> None:
    law = in_force("auction-1912")
    told = read_contract(
        "2 hearts by East, 8 tricks, 4 honours in one hand, chicane against, a game in"
    )
    known = facts_under(told, law)
    assert known.honours == {Side.EW: Holding(4, 4), Side.NS: Holding(0, 0)}
    assert known.voids == {Side.EW: 0, Side.NS: 1}
    assert known.standing.games == (0, 1)
    assert known.final.declarer is Seat.EAST
    assert [m.id for m in presumed(told, law)] == ["nothing-below-the-line"]
    assert "4 honours in one hand" in understood(told, law)


UNCLEAR = (
    ("4 hrts doubled, 11 tricks", "hrts"),
    ("4 hearts doubled, made eleventy", "eleventy"),
    ("4 hearts 3 spades, 11 tricks", "3 spades"),
    ("4 hearts, 11 tricks, 2 down", "2 down"),
    ("4 hearts made 2", "made 2"),
    ("hearts just made", "just made"),
    ("4 hearts, 15 tricks", "15 tricks"),
    ("4 hearts, 11 tricks, 100 honours", "100"),
    ("4 hearts, 11 tricks, 4 honours 5-1", "4 honours 5-1"),
    ("4 hearts, 11 tricks, 6 honours", ""),
    ("4 hearts", ""),
    ("11 tricks", ""),
    ("", ""),
    ("\x00\u202e4h\x1b", ""),
)


def test_what_is_unclear_has_its_place() -> None:
    law, wrong = in_force("auction-1926"), []
    for words, part in UNCLEAR:
        with pytest.raises(Unclear) as told:
            facts_under(read_contract(words), law)
        at = words[told.value.start : told.value.end].strip()
        if at != part or not Wording(law).say(told.value.message):
            wrong.append(f"{words}: {at}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.shipped
def test_the_command_tells_every_code() -> None:
    every = json.loads(commanded("score", "4", "hearts", "made", "--format", "json").stdout)
    assert len(every["under"]) == 8
    assert every["understood"] == "4 hearts, 10 tricks"


def test_every_holding_that_a_page_offers_is_read() -> None:
    for total in range(1, 6):
        for more in range((total + 1) // 2, total + 1):
            words = f"4 hearts made, {honour_words(Holding(total, more))} against"
            held = read_contract(words).honours
            assert held[Side.EW] == Holding(total, more), words
