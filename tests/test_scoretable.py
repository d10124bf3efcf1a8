"""The scoring function of every code, enumerated: one account for every case, no gap, and nothing
that belongs to another code.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawbook import Rules, every_game, in_force, judged_codes, vocabulary
from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_procedures import (
    Account,
    Facts,
    Holding,
    Standing,
    counted_tricks,
    trump_suit,
)
from oddtrick.law.yaml import read as read_yaml
from oddtrick.report.score_table import NO_VOIDS, NOTHING, as_csv, declarations, states

GAMES = every_game()


def accounts(law: Rules) -> Iterator[tuple[Final, int, tuple[int, int], Account]]:
    """Every declaration with every number of tricks and state of the rubber, and its account."""
    standings = [(games, Standing(games, (0, 0))) for games in states(law)]
    for final in declarations(law):
        for tricks in range(law.value("hand-size") + 1):
            for games, standing in standings:
                facts = Facts(final, tricks, NOTHING, NO_VOIDS, standing)
                yield final, tricks, games, account(facts, law)


ids = [f"{c}+{'+'.join(o)}" if o else c for c, o in GAMES]


@pytest.mark.parametrize(("code", "options"), GAMES, ids=ids)
def test_every_case_has_exactly_one_account(code: str, options: tuple[str, ...]) -> None:
    rules = in_force(code, options)
    size, book = rules.value("hand-size"), rules.value("book")
    seen = set()
    listed = csv.DictReader(io.StringIO(as_csv(rules)))
    for row, (final, tricks, games, told) in zip(listed, accounts(rules), strict=True):
        key = (
            final.odd_tricks,
            final.denomination,
            final.doubled,
            final.dealers_first,
            tricks,
            games,
        )
        assert key not in seen
        seen.add(key)
        assert told.missing == (), key
        assert all(e.laws for e in told.entries), key
        assert all(e.points > 0 for e in told.entries), key
        items = [e.item for e in told.entries]
        assert row["items"] == " ".join(items), key
        assert (row["tricks"], row["games"]) == (str(tricks), f"{games[0]}-{games[1]}"), key
        for side, named in ((Side.NS, "declarer"), (Side.EW, "adversaries")):
            for column in ("trick", "honour"):
                assert row[f"{named}_{column}"] == str(told.points(side, column)), key
        assert len(set(items)) == len(items), key
        won = counted_tricks(tricks, final, rules) - book
        if rules.get("making"):
            assert items.count("odd-tricks") == 1, key  # one side or the other has the odd trick
        else:
            assert ("odd-tricks" in items) == (won >= final.odd_tricks), key
            assert ("undertricks" in items) == (won < final.odd_tricks), key
    assert len(seen) == len(list(declarations(rules))) * (size + 1) * len(states(rules))


def of_honours(law: Rules) -> Iterator[tuple[str, str, Account]]:
    """For each denomination and each holding of its honours by the declaring side, the account of a
    deal without a slam.
    """
    cards = law.value("honour-cards")
    if cards is None:
        return
    for denomination in law.order():
        suit = trump_suit(denomination, law)
        total = len(cards["trump"]) if suit else len(cards["no-trump"]) * 4
        for held in range(total + 1):
            for more in range((held + 1) // 2, held + 1):
                rest = total - held
                honours = {Side.NS: Holding(held, more), Side.EW: Holding(rest, rest)}
                limits = law.value("bid-range")
                final = Final(
                    limits["least"] if limits else 0, denomination, 0, Seat.SOUTH, Seat.SOUTH, False
                )
                facts = Facts(
                    final, law.value("book") + 1, honours, NO_VOIDS, Standing((0, 0), (0, 0))
                )
                yield denomination, f"{more}-{held - more}", account(facts, law)


@pytest.mark.parametrize(("code", "options"), GAMES, ids=ids)
def test_every_holding_of_honours_has_its_points_and_no_more(
    code: str, options: tuple[str, ...]
) -> None:
    rules = in_force(code, options)
    values = rules.value("honour-values")
    for denomination, split, told in of_honours(rules):
        assert told.missing == ()
        found = rules.denomination(denomination)
        table = values["trump" if found and found.suit else "no-trump"]
        times = (
            rules.value("odd-trick")[denomination] if table["count"] == "odd-trick-values" else 1
        )
        ours = [e.points for e in told.entries if e.item == "honours" and e.side is Side.NS]
        theirs = [e for e in told.entries if e.item == "honours" and e.side is Side.EW]
        wanted = table["values"].get(split, 0) * times
        assert ours == ([wanted] if wanted else []), (denomination, split)
        assert len(theirs) <= 1


ALL = set(judged_codes())
MAKING = {"bridge-1904", "bridge-elwell"}
GROUPS = {"all": ALL, "making": MAKING, "bidding": ALL - MAKING, "none": set[str]()}
TABLES = read_yaml((Path(__file__).parent / "peculiar.yaml").read_text("utf-8"))


def having(words: str) -> set[str]:
    """The codes named in a row of the table."""
    plus = [w for w in words.split() if w[0] != "-"]
    minus = {w[1:] for w in words.split() if w[0] == "-"}
    return set().union(*(GROUPS.get(w, {w}) for w in plus)) - minus


PECULIAR = {name: having(row) for name, row in TABLES["figures and procedures"].items()}
"""Every figure and procedure that not all codes have, with the codes that have it."""


@pytest.mark.shipped
@pytest.mark.parametrize("name", PECULIAR)
def test_what_is_peculiar_to_some_codes_is_not_in_the_others(name: str) -> None:
    assert {c for c in ALL if in_force(c).get(name)} == PECULIAR[name]
    for code in ALL - PECULIAR[name]:
        assert in_force(code).absent.get(name), f"{code} does not say why it has no {name}"


def test_every_rule_that_not_all_codes_have_is_in_the_list() -> None:
    words = vocabulary()
    names = [r["id"] for r in (*words["procedures"], *words["figures"]) if not r.get("many")]
    partial = {n for n in names if {c for c in ALL if in_force(c).get(n)} != ALL}
    assert partial == set(PECULIAR)


DENOMINATIONS = {code: row.split() for code, row in TABLES["denominations"].items()}


@pytest.mark.parametrize("code", DENOMINATIONS)
def test_no_code_has_anothers_denominations(code: str) -> None:
    assert list(in_force(code).order()) == DENOMINATIONS[code]
