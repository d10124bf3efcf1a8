"""Random legal games are found legal; a single fault is found at its position."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import WHOLE, tried
from faults import FAULTS
from lawbook import Rules, in_force, judged_codes
from oddtrick.judge.check import check as check_deal
from oddtrick.judge.finding import Finding, Severity, Verdict
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book
from oddtrick.record.deal import Deal, span_of
from oddtrick.record.hand.read import read_text
from oddtrick.record.hand.write import write_hand

GAMES = [(c, ()) for c in judged_codes()] + [
    ("bridge-elwell", ("doubling-limit-100",)),
    ("bridge-elwell", ("doubling-limit-200",)),
    ("bridge-elwell", ("spade-convention",)),
    ("royalton-1915", ("no-open-hand",)),
    ("contract-1927", ("no-vulnerability",)),
    ("contract-1927", ("vanderbilt",)),
    ("contract-1927", ("canadian",)),
    ("contract-1927", ("challenge",)),
]
named = pytest.mark.parametrize(
    ("code", "options"), GAMES, ids=lambda v: v if isinstance(v, str) else "+".join(v) or "plain"
)


def as_read(deal: Deal) -> Deal:
    """The deal written out and read again, so that every item has its position."""
    document = read_text(write_hand([deal]))
    assert document.unreadable == ()
    (found,) = document.items
    return found


@named
@tried(0.3)
@given(seed=st.integers(0, 2**32))
def test_a_random_legal_game_is_found_legal_and_has_one_account(
    code: str, options: tuple[str, ...], seed: int
) -> None:
    deal = as_read(legal_game(Random(seed), in_force(code, options)))
    check = check_deal(deal, only=("declaring", "play"))
    assert check.findings == ()
    assert check.verdict is Verdict.LEGAL
    if not deal.cards:
        return
    assert check.outcome.complete
    assert deal.standing_games is None
    check = check_deal(deal, only=("score",))
    assert not [f for f in check.findings if f.severity is not Severity.INCOMPLETE]
    assert all(entry.laws for entry in check.account.entries)


def without_room(rules: Rules) -> set[str]:
    """The faults that cannot occur under a code: in bidding if the trump is made, in making if it
    is bid.
    """
    found = set()
    if rules.value("first-declaration") != "dealer-must-bid":
        found.add("dealer-passes")
    if rules.get("bridging") is None:
        found.add("wrongly-bridged")
    if rules.get("making"):
        found |= {"insufficient-bid", "impossible-bid", "call-out-of-turn", "double-of-partner"}
    else:
        found |= {"wrong-maker", "question-unasked"}
    return found


def letting_stand(found: Finding, rules: Rules) -> list[set[str]]:
    """The additional laws that let what was found stand, for each ruling whose remedies follow
    automatically and condone it.
    """
    condoning = {r.id for r in book().vocabulary.remedies if r.condones}
    names = {given.irregularity for given in found.gives}
    entries = (book().entry(name, rules.code, rules.options) for name in names)
    cases = [case for found in entries if found for case in found[0].rulings]
    letting = []
    for case in cases:
        given = {r.provision for r in case.remedies}
        if any(r.id in condoning for r in case.remedies) and not any(
            r.choice or r.chosen_by != "nobody" for r in case.remedies
        ):
            every = given | set(case.provisions) | set(case.decisions)
            letting += [laws - set(rules.finding_laws[found.rule]) for laws in (given, every)]
    return letting


POSSIBLE = [
    (code, options, fault)
    for code, options in GAMES
    for number, fault in enumerate(FAULTS)
    if fault not in without_room(in_force(code, options))
    and (WHOLE or not options or number % 3 == GAMES.index((code, options)) % 3)
]
"""Every fault under every code, and one in three with each of its options."""


@pytest.mark.parametrize(
    ("code", "options", "fault"), POSSIBLE, ids=["-".join((c, *o, f)) for c, o, f in POSSIBLE]
)
@tried(0.15)
@given(seed=st.integers(0, 2**32))
def test_a_single_fault_is_found_at_its_place(
    code: str, options: tuple[str, ...], fault: str, seed: int
) -> None:
    rules = in_force(code, options)
    random = Random(seed)
    made = next(
        (f for _ in range(100) if (f := FAULTS[fault](legal_game(random, rules), random, rules))),
        None,
    )
    assert made is not None, f"{fault} found no room in a hundred games of {code}"
    deal = as_read(made.deal._replace(scores=()))
    check = check_deal(deal)
    wrong = [f for f in check.findings if f.severity is not Severity.INCOMPLETE]
    assert [f.rule for f in wrong] == [made.rule]
    assert wrong[0].place == deal.source.place(span_of(deal, made.at))
    assert wrong[0].at.item == made.at
    if wrong[0].severity is Severity.SILENT:
        assert made.rule in rules.silent
        return
    # the laws behind the rule that concern this irregularity, and those that let it stand
    assert wrong[0].laws
    more = set(wrong[0].laws) - set(rules.finding_laws[made.rule])
    if wrong[0].severity is Severity.NOTE:
        assert more in letting_stand(wrong[0], rules)
    else:
        doubt = Severity.DISPUTED if wrong[0].readings else Severity.IRREGULAR
        assert wrong[0].severity in (Severity.IRREGULAR, doubt)
        assert more == set()
