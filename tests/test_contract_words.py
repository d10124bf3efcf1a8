"""A contract in words: the accounts of the score cases, ways of wording it, unclear input."""

import json
from typing import Any

import pytest

from command import commanded
from files import table
from lawbook import in_force
from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.score_procedures import Holding
from oddtrick.report.contract_words import Unclear, facts_under, read_contract
from oddtrick.report.messages import Wording
from oddtrick.report.under_codes import contract_json
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


TABLES = table("contracts")


def test_a_contract_is_read_as_people_say_it() -> None:
    wrong = []
    for words, row in TABLES["sayings"].items():
        code, odd, denomination, doubled, tricks, *by = row.split()
        law, told = in_force(code), read_contract(words)
        known = facts_under(told, law)
        final = known.final
        found = (final.odd_tricks, final.denomination, final.doubled, known.tricks)
        named = [told.declarer.value] if told.declarer else []
        if (by and named != by) or found != (int(odd), denomination, int(doubled), int(tricks)):
            wrong.append(f"{words}: {found}")
    assert not wrong, "\n".join(wrong)


def test_a_first_name_names_the_declarer_if_only_one_player_has_it() -> None:
    players = {Seat.NORTH: "Dot O'Hara", Seat.SOUTH: "Ann Lee", Seat.EAST: "Ann Bow"}
    for words, seat in (
        ("6S by Dot making 7", Seat.NORTH),
        ("6S by Dot O'Hara making 7", Seat.NORTH),
        ("4H by Ann Bow, 10 tricks", Seat.EAST),
    ):
        assert read_contract(words, players).declarer is seat
    with pytest.raises(Unclear):
        read_contract("4H by Ann, 10 tricks", players)


def test_honours_and_chicane_are_of_the_side_of_the_player_who_is_named() -> None:
    """The honours of a player, and not of a side, are all in his hand."""
    players = {Seat.NORTH: "Ann", Seat.SOUTH: "Ben", Seat.EAST: "Dan"}
    for held, declaring in (
        ("for the adversaries", False),
        ("to the adversaries", False),
        ("adversaries", False),
        ("Dan", False),
        ("for Dan", False),
        ("with Dan", False),
        ("West", False),
        *((of_side, False) for of_side in ("E-W", ", EW", "for East and West", ", e/w")),
        *((of_side, True) for of_side in ("NS", ", north/south", "N & S")),
        ("Ann", True),
    ):
        side, other = (Side.NS, Side.EW) if declaring else (Side.EW, Side.NS)
        more = 3 if held.split()[-1] in ("Dan", "Ann") or held == "West" else None
        told = read_contract(f"hearts by Ben, 9 tricks, honours 3 {held}", players)
        assert told.honours == {side: Holding(3, more), other: Holding(0, 0)}, held
        told = read_contract(f"no-trumps by Ben, 9 tricks, 3 aces {held}", players)
        assert told.honours == {side: Holding(3, more), other: Holding(0, 0)}, held
        told = read_contract(f"hearts by Ben, 9 tricks, chicane {held}", players)
        assert (told.seat, told.voids) == (Seat.SOUTH, {side: 1, other: 0}), held
    told = read_contract("4 hearts by Ben made 4 honours EW 5", players)
    assert told.honours == {Side.NS: Holding(0, 0), Side.EW: Holding(5, None)}
    for who, by_side in (
        ("EW", {Side.NS: 0, Side.EW: 1}),
        ("north-south", {Side.NS: 1, Side.EW: 0}),
        ("Dan", {Side.NS: 0, Side.EW: 1}),
        ("the adversaries", {Side.NS: 0, Side.EW: 1}),
    ):
        held = {side: Holding(5 * hands, 4 if hands else 0) for side, hands in by_side.items()}
        told = read_contract(f"hearts by Ben, 9 tricks, honours {who} 5, 4 in one hand", players)
        assert told.honours == held, who
        for has in (f"{who} chicane", f"{who} had chicane", f"chicane: {who}"):
            told = read_contract(f"hearts by Ben, 9 tricks, {has}", players)
            assert (told.seat, told.voids) == (Seat.SOUTH, by_side), has


def test_a_loss_is_limited_if_the_dealer_declares_one_spade() -> None:
    """Auction 1912, law 48: three down doubled costs 100 at the dealer's first one spade. No other
    bid can come before his own bid of one spade.
    """
    law = in_force("auction-1912")
    for words, points in (
        ("1 spade by dealer, doubled, 3 down", 100),
        ("1 spade by the dealer, doubled, 3 down", 100),
        ("dealer's 1 spade doubled, 3 down", 100),
        ("1 spade by South, dealer, doubled, 3 down", 100),
        ("1 spade doubled, 3 down, dealer's first declaration", 100),
        ("1 spade doubled, later declaration, 3 down", 300),
        ("1 spade doubled, 3 down", 300),
    ):
        told = account(facts_under(read_contract(words), law), law)
        assert told.points(Side.EW) == points, words
    of_hearts = contract_json("4 hearts by the dealer, made", [law])["understood"]
    assert of_hearts == "4 hearts, 10 tricks"


def test_what_is_unclear_has_its_place() -> None:
    law, wrong = in_force("auction-1926"), []
    for words, part in TABLES["unclear"].items():
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
    assert every["understood"] == (
        "4 hearts, 10 tricks; the number 4 has no effect in Bridge 1904 and Elwell 1905, where the "
        "trump is made, not bid"
    )


def test_every_holding_that_a_page_offers_is_read() -> None:
    for total in range(1, 6):
        for more in range((total + 1) // 2, total + 1):
            words = f"4 hearts made, {honour_words(Holding(total, more))} against"
            held = read_contract(words).honours
            assert held[Side.EW] == Holding(total, more), words
    for words, who in TABLES["holdings"].items():
        side, *counts = who.split()
        held = read_contract(f"4 hearts, 11 tricks, {words}").honours
        found = held[Side(side)]
        assert [found.total, found.more][: len(counts)] == [*map(int, counts)], words


def test_a_revoke_is_scored_with_its_penalty_where_the_law_gives_it() -> None:
    """Auction 1912 counts 8 a trick at hearts (4.2), and 150 points by 84 (b); Auction 1926 gives
    tricks instead of points (46).
    """
    made = contract_json(
        "4 hearts by East, 10 tricks, South revoked, 150 points", [in_force("auction-1912")]
    )
    assert "South revoked, 150 points" in made["understood"]
    assert [(e["side"], e["points"]) for e in made["under"][0]["score"]["entries"]] == [
        ("EW", 32),
        ("EW", 150),
    ]
    made = contract_json("4 hearts, 10 tricks, South revoked, 150", [in_force("auction-1926")])
    assert "another penalty" in made["under"][0]["why"]
    made = contract_json("4 hearts, 10 tricks, South revoked", [in_force("auction-1926")])
    assert "add the one that was taken: `2 tricks`" in made["under"][0]["why"]
    assert "points" not in made["under"][0]["why"]


def test_a_penalty_of_bridge_may_be_the_value_of_tricks() -> None:
    """Bridge 1904, law 90: one of the choices adds the value of three tricks to the score of the
    side that did not revoke. At clubs a trick counts 4 (law 4).
    """
    law = in_force("bridge-1904")
    made = contract_json("clubs by South, 7 tricks, West revoked, 3 tricks added", [law])
    entries = made["under"][0]["score"]["entries"]
    assert [(e["side"], e["points"]) for e in entries] == [("NS", 4), ("NS", 12)]
