"""What a check answers as a whole: how far it went, rubbers carried, claims compared, faults not told twice."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module

import pytest

from lawbook import in_force
from made_deals import BLANK
from oddtrick.cards import Seat, Side
from oddtrick.judge.answers import EntryJson
from oddtrick.judge.check import Check
from oddtrick.judge.check import check as check_deal
from oddtrick.judge.finding import Entry, Finding, Severity, Verdict, spot_of
from oddtrick.judge.rubber import GroupCheck, check_document, exit_status
from oddtrick.judge.words import verdict_words
from oddtrick.record.deal import deals_in
from oddtrick.record.hand.read import read_text
from oddtrick.report.check import (
    Style,
    after_words,
    by_words,
    declared_words,
    group_text,
    painted_verdict,
    title_line,
    totals_lines,
    totals_words,
)


def results(text: str, **more: object) -> list[Check | GroupCheck | Finding]:
    document = read_text(text)
    assert document.unreadable == ()
    return list(check_document(document.items, **more))  # type: ignore[arg-type]


def one(text: str, **more: object) -> Check:
    (check,) = (r for r in results(text, **more) if isinstance(r, Check))
    return check


def rules_of(check: Check | GroupCheck) -> list[str]:
    return [f.rule for f in check.findings if f.severity is not Severity.INCOMPLETE]


def test_a_record_that_names_no_code_is_incomplete_and_says_what_to_do() -> None:
    check = one("deal 1\ndealer south\nbidding\n  1 heart, pass, pass, pass\n")
    assert check.verdict is Verdict.INCOMPLETE
    assert [f.rule for f in check.findings] == ["record.no-code"]
    assert "--code" in check.findings[0].message


def test_a_code_that_does_not_exist_is_unreadable_at_its_place() -> None:
    check = one("code auction-1913\ndeal 1\n")
    (finding,) = check.findings
    assert (finding.rule, finding.severity, finding.place.line) == (
        "record.unknown-code",
        Severity.UNREADABLE,
        1,
    )
    assert "auction-1912" in finding.message


def test_an_option_of_another_code_is_refused() -> None:
    check = one("code auction-1912\noption canadian\ndeal 1\n")
    assert [(f.rule, f.place.line) for f in check.findings] == [("record.unknown-code", 2)]


@pytest.mark.parametrize(
    ("section", "what"),
    [
        ("bidding\n  make hearts double " + "redouble " * 1000, "1002 calls"),
        ("play\n" + "  ♠A ♥A ♦A ♣A\n" * 251, "1004 calls, cards"),
        ("hands\n  north ♠ A" + "x" * 1000, "1001 calls, cards"),
        (
            "bidding\n  make hearts\n" + "  irregularity revoke\n" * 1001,
            "1001 calls, cards or irregularities",
        ),
        ("irregularity revoke\n" * 1001, "1001 calls, cards or irregularities"),
    ],
)
def test_a_deal_longer_than_any_deal_is_not_judged(section: str, what: str) -> None:
    # In Bridge each of the redoubles doubles the points: they would have more digits than can be written.
    check = one(f"code bridge-elwell\ndeal 1\ndealer south\n{section}\n")
    (finding,) = check.findings
    assert (finding.rule, finding.severity) == ("notation.too-many", Severity.UNREADABLE)
    assert what in finding.message


def test_a_bid_may_be_redoubled_as_often_as_players_would() -> None:
    calls = "make hearts double " + "redouble " * 900 + "satisfied satisfied"
    check = one(
        f"code bridge-elwell\ndeal 1\ndealer south\nbidding\n  south: {calls}\nresult 10 tricks\n"
    )
    assert "notation.too-many" not in [f.rule for f in check.findings]


def test_the_code_asked_for_overrides_the_record() -> None:
    text = "code auction-1926\ndeal 1\ndealer south\nbidding\n  pass, pass, pass, pass\n"
    assert rules_of(one(text)) == []
    assert rules_of(one(text, code="auction-1912"))[0] == "declaring.dealer-must-bid"


BARE = "code contract-1927\ndeal 1\ndeclaration 4 spades redoubled by south\nresult down 3\n"


def test_without_the_state_of_the_rubber_the_loss_is_not_guessed() -> None:
    check = one(BARE, only=("score",))
    assert check.account is not None
    assert check.account.entries == ()
    assert check.verdict is Verdict.INCOMPLETE
    assert any("vulnerable" in f.message for f in check.findings)


def test_odd_tricks_that_are_told_as_overtricks_are_said_to_be() -> None:
    told = one(BARE.replace("down 3", "made 4"), only=("score",)).findings
    assert [f.message for f in told if f.rule == "score.tricks"] == [
        "The result would be 14 tricks; there are 13: `made 4` is 4 more than declared."
    ]
    told = one(BARE.replace("down 3", "down 11"), only=("score",)).findings
    assert [f.message for f in told if f.rule == "score.tricks"] == [
        "The result would be less than no trick: `down 11` is 11 fewer than declared."
    ]


def test_vulnerability_as_recorded_is_enough_for_the_loss() -> None:
    check = one(BARE + "vulnerable both\n", only=("score",))
    assert check.account is not None
    assert check.account.points(Side.EW, "honour") == 1200


def test_a_declarer_who_is_not_recorded_stays_unknown() -> None:
    check = one("code auction-1926\ndeal 1\ndeclaration 2 hearts\nresult made 0\n")
    assert check.final is not None
    assert check.final.declarer is None
    assert check.account is not None
    assert check.account.entries == ()
    assert "record.no-declarer" in [f.rule for f in check.findings]


def test_calls_without_a_dealer_are_judged_for_their_height_but_have_no_callers() -> None:
    check = one(
        "code auction-1926\ndeal 1\nbidding\n  2 hearts, 1 spade, pass, pass, pass\n",
        only=("declaring",),
    )
    assert rules_of(check) == ["declaring.insufficient-bid"]
    assert check.declared is not None
    assert check.declared.relative


def test_a_caller_named_later_lets_the_first_caller_be_counted_back() -> None:
    check = one(
        "code auction-1926\ndeal 1\nbidding\n  1 heart, pass, north: 2 hearts, pass, pass, pass\n",
        only=("declaring",),
    )
    assert rules_of(check) == []
    assert check.final is not None
    assert check.final.declarer is Seat.SOUTH


def test_options_that_exclude_each_other_are_refused() -> None:
    check = one("code contract-1927\noption vanderbilt\noption canadian\ndeal 1\n")
    assert [f.message for f in check.findings] == [
        "The options `vanderbilt` and `canadian` exclude each other."
    ]


def test_the_caller_named_in_a_bid_lets_seats_be_known() -> None:
    check = one(
        "code auction-1926\ndeal 1\nbidding from west\n  2 hearts, pass, pass, pass\n",
        only=("declaring",),
    )
    assert check.final is not None
    assert check.final.declarer is Seat.WEST


RUBBER = """\
code auction-1926
rubber
deal 1
dealer south
honours north-south 0
declaration 4 hearts by south
result made 0
score north-south trick 32
game north-south
deal 2
honours north-south 0
declaration 3 no-trump by east
result made 1
score east-west trick 40
deal 3
honours north-south 0
declaration 2 spades by north
result made 0
score north-south trick 18
deal 4
honours north-south 0
declaration 2 diamonds by south
result made 0
score north-south trick 14 honour 250
total north-south 314 east-west 40
won by north-south 274
end rubber
"""


def test_a_rubber_is_carried_from_deal_to_deal_and_added_up() -> None:
    found = results(RUBBER, only=("score",))
    group = found[-1]
    assert isinstance(group, GroupCheck)
    assert (group.totals, group.winner, group.points) == ((314, 40), Side.NS, 274)
    assert group.findings == ()
    assert [rules_of(c) for c in found if isinstance(c, Check)] == [[], [], [], []]


def test_a_total_that_repeats_a_wrong_deal_is_told_with_what_the_deals_come_to() -> None:
    text = RUBBER.replace("score east-west trick 40", "score east-west trick 30")
    text = text.replace("east-west 40\n", "east-west 30\n").replace("274", "284")
    found = results(text, only=("score",))
    assert [rules_of(c) for c in found if isinstance(c, Check | GroupCheck)] == [
        [],
        ["score.odd-tricks"],
        [],
        [],
        ["score.total", "score.rubber"],
    ]
    assert [f.message for f in found[-1].findings] == [
        "The total of East and West is given as 30; the law gives 40, and the deals as written 30.",
        "The rubber is given as 284; the law gives 274, and the deals as written 284.",
    ]


def test_a_total_that_is_wrong_by_itself_is_told() -> None:
    found = results(
        RUBBER.replace("total north-south 314", "total north-south 304"), only=("score",)
    )
    assert [f.rule for f in found[-1].findings] == ["score.total"]  # type: ignore[union-attr]


def test_a_rubber_given_to_the_wrong_side_is_told() -> None:
    found = results(RUBBER.replace("won by north-south", "won by east-west"), only=("score",))
    assert [f.rule for f in found[-1].findings] == ["score.rubber"]  # type: ignore[union-attr]


TWO_GAMES = """\
rubber "Of two games and fewer points"
deal 1
honours north-south 0
declaration {game} by south
result {made}
deal 2
honours east-west 5 in one hand
declaration {lost} doubled by south
result {down}
deal 3
honours north-south 0
declaration {game} by south
result {made}
end rubber
"""
"""North and South win two games, East and West have more points; in the words of a code that bids and of one that makes the trump."""

BID = {"game": "5 no-trumps", "made": "made 0", "lost": "4 hearts", "down": "down 5"}
MADE = {"game": "no-trumps", "made": "3 odd", "lost": "hearts", "down": "0 tricks"}
TOTALS = {
    "bridge-elwell": (172, 232),
    "auction-1912": (350, 580),
    "royalton-1915": (350, 500),
    "auction-1926": (350, 600),
    "contract-1927": (800, 1950),
}


WINNER = dict.fromkeys(("bridge-elwell", "auction-1912", "royalton-1915"), Side.NS) | dict.fromkeys(
    ("auction-1926", "contract-1927"), Side.EW
)
LAWS = {
    "bridge-elwell": ("bridge-elwell:1.1", "bridge-elwell:11.2"),
    "auction-1912": ("auction-1912:1.1", "auction-1912:11.2"),
    "royalton-1915": ("royalton-1915:93.1", "royalton-1915:89.2"),
    "auction-1926": ("auction-1926:51.a.5", "auction-1926:52.b"),
    "contract-1927": ("auction-1926:51.a.5", "auction-1926:52.b"),
}


@pytest.mark.parametrize("code", TOTALS)
def test_a_rubber_is_said_to_be_over_and_who_wins_it_is_left_to_the_code(code: str) -> None:
    words, winner = MADE if in_force(code).get("making") else BID, WINNER[code]
    *checks, group = results(f"code {code}\n" + TWO_GAMES.format(**words), only=("score",))
    assert isinstance(group, GroupCheck)
    told = [after_words(c.brief()) for c in checks if isinstance(c, Check)]
    assert [told[0], told[2]] == [
        ["North and South win a game."],
        ["North and South have won 2 games; the rubber is over."],
    ]
    ours, theirs = TOTALS[code]
    assert totals_words(group.as_json()) == [
        f"North and South {ours}, East and West {theirs}",
        f"East and West have the greater total, by {theirs - ours} points",
        f"{winner.title} win the rubber",
    ]
    assert group.winner is winner
    assert group_text(group.as_json(), Style()).splitlines()[:3] == [
        "The rubber “Of two games and fewer points”: 3 deals",
        f"  North and South {ours}, East and West {theirs}",
        f"  East and West have the greater total, by {theirs - ours} points",
    ]
    assert (
        f"  {winner.title} win the rubber   {', '.join((*group.laws, *group.readings))}"
        in group_text(group.as_json(), Style()).splitlines()
    )
    assert group.laws == LAWS[code]


@pytest.mark.parametrize("code", TOTALS)
def test_a_rubber_given_to_the_side_that_the_code_does_not_give_it_to_is_found(code: str) -> None:
    words = MADE if in_force(code).get("making") else BID
    winner = WINNER[code]
    for side in Side:
        text = f"code {code}\n" + TWO_GAMES.format(**words).replace(
            "end rubber", f"won by {side.word}\nend rubber"
        )
        if in_force(code).get("honours") is None:
            text = re.sub(
                r"^honours .*\n|^score .*honour.*\n", "", text, flags=re.M
            )  # a fault by itself, from which the rest would follow
        group = results(text, only=("score",))[-1]
        assert isinstance(group, GroupCheck)
        wrong = [] if side is winner else [("score.rubber", LAWS[code][0])]
        assert [(f.rule, f.laws[0]) for f in group.findings] == wrong


def test_a_deal_after_the_end_of_a_rubber_counts_for_nothing() -> None:
    words = "deal 4\nhonours north-south 0\ndeclaration 1 club by south\nresult made 0\nend rubber"
    text = "code auction-1912\n" + TWO_GAMES.format(**BID).replace("end rubber", words)
    *checks, group = results(text, only=("score",))
    assert isinstance(group, GroupCheck)
    assert group.totals == TOTALS["auction-1912"]
    late = checks[-1]
    assert isinstance(late, Check)
    assert late.account is not None
    assert [e.item for e in late.account.entries] == ["odd-tricks"]
    assert [f.rule for f in late.findings] == ["score.after-the-rubber"]


def test_two_totals_that_are_equal_are_said_to_be() -> None:
    deal = "deal {}\nhonours north-south 0\ndeclaration 1 club by {}\nresult made 0\n"
    group = results(
        "code auction-1926\nrubber\n"
        + deal.format(1, "south")
        + deal.format(2, "east")
        + "end rubber\n",
        only=("score",),
    )[-1]
    assert isinstance(group, GroupCheck)
    assert totals_words(group.as_json()) == [
        "North and South 6, East and West 6",
        "the totals are equal",
    ]


UNTOLD = "deal 1\nhonours north-south 0\ndeclaration 1 club by south\nresult made 0\n"


@pytest.mark.parametrize(
    ("text", "only", "due"),
    [
        (
            f"code auction-1926\nmatch\n{UNTOLD}end match\n",
            ("score",),
            ["the totals are not told: Auction 1926 has no matches"],
        ),
        (
            f"code duplicate-1912\nrubber\n{UNTOLD}end rubber\n",
            ("score",),
            ["the totals are not told: Duplicate 1912 has no rubbers"],
        ),
        (
            f"code auction-1926\nrubber\n{UNTOLD}end rubber\n".replace("result made 0\n", ""),
            ("score",),
            ["the totals are not told: deal 1 does not say the number of tricks taken (`result`)"],
        ),
        (f"code auction-1926\nrubber\n{UNTOLD}end rubber\n", ("declaring",), []),
    ],
)
def test_why_the_totals_are_not_told_is_said_and_nothing_where_they_were_not_asked(
    text: str, only: tuple[str, ...], due: list[str]
) -> None:
    group = results(text, only=only)[-1]
    assert isinstance(group, GroupCheck)
    assert totals_words(group.as_json()) == due


def test_what_is_added_in_the_total_has_a_line_of_its_own_below_the_sums() -> None:
    def entry(side: Side, column: str, points: int) -> EntryJson:
        return Entry(side, column, points, "an-item", "a reason", ()).as_json()

    deal = [entry(Side.NS, "trick", 36), entry(Side.NS, "honour", 36), entry(Side.EW, "honour", 30)]
    sums = "                             36      36       0      30"
    assert totals_lines(deal) == [sums]
    assert totals_lines([*deal, entry(Side.NS, "total", 250)]) == [
        sums,
        "  in the total              250               0",
    ]


BRIDGED = "code royalton-1915\ndeal 1\ndealer west\nbidding\n  2 nullo royal, pass, pass, pass\ndeclaration 2 nullo royal by west bridged\nresult 5 tricks\n"


def test_a_bridged_nullo_is_told_by_the_player_who_declared_it() -> None:
    record = one(BRIDGED).as_json()
    assert record["declaration"]
    assert by_words(record["declaration"]) == " by West, the play passed to his partner"
    assert (
        title_line(record, Style())
        == "deal 1; 2 nullo royal by West, the play passed to his partner; 5 tricks"
    )
    assert (
        declared_words(record)[0]
        == "Final declaration: 2 nullo royal by West, the play passed to his partner; East plays, West is dummy and South leads."
    )
    plain = one(BRIDGED.replace(" bridged", "")).as_json()["declaration"]
    assert plain is not None
    assert by_words(plain) == " by West"
    assert by_words({**plain, "declarer": None}) == ""


def test_each_verdict_has_one_word() -> None:
    assert [verdict_words(v.value) for v in Verdict] == [
        "in order",
        "settled",
        "irregular",
        "disputed",
        "incomplete",
        "not readable",
    ]
    assert painted_verdict("legal", Style()) == "in order"


def test_a_deal_after_the_end_of_the_rubber_is_told() -> None:
    text = RUBBER.replace(
        "total north",
        "deal 5\nhonours north-south 0\ndeclaration 1 club by south\nresult made 0\ntotal north",
    )
    found = results(text, only=("score",))
    assert rules_of(found[4]) == ["score.after-the-rubber"]  # type: ignore[arg-type]


def test_a_state_that_contradicts_the_deals_before_is_told_at_its_place() -> None:
    text = RUBBER.replace("deal 3\n", "deal 3\nstanding games north-south 2 east-west 1\n")
    found = results(text, only=("score",))
    assert rules_of(found[2]) == ["score.standing"]  # type: ignore[arg-type]


def test_a_game_said_to_be_won_that_is_not_is_told() -> None:
    text = RUBBER.replace(
        "score north-south trick 18\n", "score north-south trick 18\ngame north-south\n"
    )
    found = results(text, only=("score",))
    assert rules_of(found[2]) == ["score.game"]  # type: ignore[arg-type]


def test_honours_claimed_count_where_the_cards_are_not_known() -> None:
    check = one(
        "code auction-1912\ndeal 1\ndeclaration 2 hearts by south\nresult made 0\nhonours north-south 4, 4 in one hand\nscore north-south honour 64\n",
        only=("score",),
    )
    assert rules_of(check) == []
    assert check.account is not None
    assert check.account.points(Side.NS, "honour") == 64


def test_honours_whose_split_is_not_told_and_matters_leave_the_score_open() -> None:
    check = one(
        "code auction-1912\ndeal 1\ndeclaration 2 hearts by south\nresult made 0\nhonours north-south 4\n",
        only=("score",),
    )
    assert any("how North and South held" in f.message for f in check.findings)


def test_the_worst_verdict_gives_the_exit_status() -> None:
    def found(severity: Severity) -> Finding:
        return Finding("x.y", severity, "", (), spot_of(BLANK))

    legal = Check(BLANK, None, ())
    assert exit_status([legal.as_json()]) == 0
    irregular = replace(legal, findings=(found(Severity.IRREGULAR),)).as_json()
    assert exit_status([legal.as_json(), irregular]) == 1
    assert exit_status([irregular, found(Severity.UNREADABLE).as_json()]) == 2
    silent = replace(legal, findings=(found(Severity.SILENT),))
    assert silent.verdict is Verdict.INCOMPLETE
    assert exit_status([silent.as_json()]) == 0


def test_a_check_is_a_pure_function_of_the_record_and_the_law() -> None:
    document = read_text(RUBBER)
    deal = next(deals_in(document.items))
    assert check_deal(deal).as_json() == check_deal(deal).as_json()


def remedies(calls: str) -> tuple[str, ...]:
    check = one(
        f"code auction-1926\ndeal 1\ndealer south\nbidding\n  {calls}\n", only=("declaring",)
    )
    (found,) = (f for f in check.findings if f.remedies)
    return found.remedies


def test_the_remedies_told_are_those_of_the_kind_of_call() -> None:
    assert [r.partition(":")[0] for r in remedies("1 heart, pass, pass, pass, pass")] == [
        "Pass after the end"
    ]
    assert all(
        r.startswith("Bid or double after the end")
        for r in remedies("1 heart, pass, pass, pass, 2 clubs")
    )
    (double,) = remedies(
        "1 heart, east: double"
    )  # in the partner's turn, before anybody has called
    assert "auction-1926:26.g.3" in double
    (double,) = remedies("1 heart, pass, east: double")  # in the turn of the player on the right
    assert "the partner is barred" in double


def test_what_the_other_side_let_stand_by_acting_is_a_note_and_no_fault() -> None:
    check = one(
        "code auction-1926\ndeal 1\ndealer south\nbidding\n  1 heart, north: 2 clubs, pass, pass, pass\n",
        only=("declaring",),
    )
    assert [(f.rule, f.severity) for f in check.findings] == [
        ("declaring.out-of-turn", Severity.NOTE)
    ]
    assert check.verdict is Verdict.SETTLED
    assert exit_status([check.as_json()]) == 0


def test_a_rubber_broken_off_under_contract_rests_on_the_reading_of_its_bonus() -> None:
    reading = "contract-1927:reading.unfinished-rubber"
    text = "code {}\nrubber\ndeal 1\nhonours north-south 0\ndeclaration 4 hearts by south\nresult made 0\nunfinished\nend rubber\n"
    for code, readings in (("contract-1927", (reading,)), ("auction-1926", ())):
        group = results(text.format(code), only=("score",))[-1]
        assert isinstance(group, GroupCheck)
        assert [(e.points, e.laws, e.readings) for e in group.entries] == [
            (125, ("auction-1926:51.b.1",), readings)
        ]


def test_a_code_that_is_not_judged_yet_can_be_read_but_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = import_module("oddtrick.judge.check")
    monkeypatch.setattr(module, "judged_codes", lambda: ("auction-1926",))
    monkeypatch.setattr(module, "_at_the_table", lambda _law: None)  # asked once for each law
    check = one("code auction-1912\ndeal 1\ndeclaration 2 hearts by south\n")
    assert [f.rule for f in check.findings] == ["record.unknown-code"]
    assert "can be read (`oddtrick law auction-1912`)" in check.findings[0].message
    assert "It judges auction-1926." in check.findings[0].message


def test_every_wrong_state_of_the_rubber_is_told_as_the_deals_before_have_it() -> None:
    deal = "deal {}\nhonours north-south 0\ndeclaration 1 club by west\nresult 1 odd\n{}"
    text = (
        "code auction-1912\nrubber\ndeal 1\nhonours north-south 0\ndeclaration 2 hearts by south\nresult 2 odd\n"
        + deal.format(2, "standing trick north-south 24\n")
        + deal.format(3, "standing trick north-south 24 east-west 6\n")
        + deal.format(4, "standing trick north-south 24 east-west 14\n")
        + "end rubber\n"
    )
    found = [r for r in results(text, only=("score",)) if isinstance(r, Check)]
    said = [re.findall(r"\d+ to \d+", f.message) for c in found for f in c.findings]
    assert said == [["24 to 0", "16 to 0"], ["24 to 6", "16 to 6"], ["24 to 14", "16 to 12"]]


def test_no_total_is_held_against_a_rubber_with_a_deal_that_cannot_be_read() -> None:
    text = """code auction-1912
rubber
deal 1
dealer south
honours north-south 0
declaration 3 no-trumps by south
result made 0
deal 2
dealer west
honours north-south 0
declaration 3 no-trumps by {}
result made 0
total north-south 999
end rubber
"""
    whole, damaged = (
        [f.rule for g in found if isinstance(g, GroupCheck) for f in g.findings]
        for found in (check_document(read_text(text.format(by)).items) for by in ("west", "wst"))
    )
    assert "score.total" in whole
    assert damaged == []


UNREAD_BETWEEN = """
code auction-1912
rubber "a"
deal 1
dealer south
declaration 2 hearts by south
result made 0
deal 2
dealer west
declaration {}
result made 0
deal 3
dealer north
declaration 1 heart by north
result made 0
end rubber
"""


@pytest.mark.parametrize(
    ("second", "points"), [("1 heart by west", (16, 8)), ("4 bananas by west", (None, None))]
)
def test_behind_a_deal_that_cannot_be_read_the_state_of_the_rubber_is_not_known(
    second: str, points: tuple[int | None, int | None]
) -> None:
    document = read_text(UNREAD_BETWEEN.format(second))
    *_, third = (r for r in check_document(document.items) if isinstance(r, Check) and r.law)
    assert third.source.id == "deal 3"
    assert third.standing.trick == points
