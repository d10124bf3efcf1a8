"""The answer of a check as a whole: how far it went, scores carried through rubbers, claims
compared, no fault reported twice.
"""

import re
from importlib import import_module

import pytest

from lawbook import in_force
from oddtrick.cards import Side
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity, Verdict
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record.hand.read import read_text
from oddtrick.report.answers import as_json
from oddtrick.report.check import Style, after_words, group_text, totals_words


def results(text: str, **more: object) -> list[Check | GroupCheck | Finding]:
    document = read_text(text)
    assert document.unreadable == ()
    return list(check_document(document.items, **more))  # type: ignore[arg-type]


def one(text: str, **more: object) -> Check:
    (check,) = (r for r in results(text, **more) if isinstance(r, Check))
    return check


@pytest.mark.parametrize("phases", [("score",), ("declaring", "score"), PHASES])
def test_a_deal_without_a_judged_declaration_or_an_account_is_never_in_order(
    phases: tuple[str, ...],
) -> None:
    check = one("code elwell\ndeal 1\ndeclaration 3 no-trumps by south\n", only=phases)
    assert (check.final, check.account) == (None, None)
    assert Severity.INCOMPLETE in {f.severity for f in check.findings}
    assert check.verdict is not Verdict.LEGAL


@pytest.mark.parametrize("sides", ["both", "none"])
def test_a_duplicate_board_is_paid_no_bonus_for_a_game_or_a_rubber(sides: str) -> None:
    # 4 spades makes a game at any score; that of a vulnerable side would be its second.
    text = (
        f"code contract-1927\ndeal 1\nvulnerable {sides}\n"
        "declaration 4 spades by south\nresult 12 tricks\n"
    )
    board = one(text)
    assert board.account is None
    assert [(n.kind, n.reason) for n in board.not_used if n.kind == "vulnerable"] == [
        ("vulnerable", "of-a-board")
    ]
    assert one(text, only=["score"]).verdict is Verdict.INCOMPLETE
    # Duplicate 1912, laws 7 and 9: no score depends on another deal; six odd tricks at 2.
    other = one(text.replace("contract-1927", "duplicate-1912")).account
    assert other.points(Side.NS, "trick") == 12


@pytest.mark.parametrize(
    ("calls", "idle"),
    [
        ("1 heart, pass, pass, pass, ...", 1),
        ("1 heart, pass, pass, pass, all pass", 1),
        ("1 heart, pass, pass, pass", 0),
        ("1 heart, all pass", 0),
        ("pass, 1 heart, double, all pass", 0),
    ],
)
def test_what_is_written_after_the_end_of_an_auction_is_not_used(calls: str, idle: int) -> None:
    check = one(f"code auction-1926\ndeal 1\ndealer south\nbidding\n  {calls}\n")
    unused = [(n.kind, n.reason) for n in check.not_used]
    assert unused == [("call", "auction-over")] * idle


@pytest.mark.parametrize(("code", "used"), [("auction-1912", False), ("bridge-1904", True)])
def test_a_declaration_without_a_number_is_used_only_without_bids(code: str, used: bool) -> None:
    check = one(f"code {code}\ndeal 1\ndeclaration hearts by south\nresult 8 tricks\n")
    assert ("declaration" in {n.kind for n in check.not_used}) is not used


@pytest.mark.parametrize(
    ("section", "what"),
    [
        ("bidding\n  make hearts double " + "redouble " * 1000, "1002 calls"),
        ("play\n" + "  ♠A ♥A ♦A ♣A\n" * 251, "1004 calls, cards"),
        ("hands\n  north ♠ A" + "x" * 1000, "1001 calls, cards"),
        (
            "bidding\n  make hearts\n" + "  irregularity revoke\n" * 1001,
            "1001 calls, cards, claims or irr",
        ),
        ("irregularity revoke\n" * 1001, "1001 calls, cards, claims or irregularities"),
    ],
)
def test_a_deal_longer_than_any_deal_is_not_judged(section: str, what: str) -> None:
    # In Bridge each of the redoubles doubles the points: they would have more digits than can be written.
    check = one(f"code bridge-elwell\ndeal 1\ndealer south\n{section}\n")
    (finding,) = check.findings
    assert (finding.rule, finding.severity) == ("notation.too-many", Severity.UNREADABLE)
    assert what in as_json(finding)["message"]


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
"""North and South win two games, East and West have more points; written for a code with bids and
for one in which the trump is made.
"""

BID = {"game": "5 no-trumps", "made": "made 0", "lost": "4 hearts", "down": "down 5"}
MADE = {"game": "no-trumps", "made": "3 odd", "lost": "hearts", "down": "0 tricks"}
TOTALS = {
    "bridge-elwell": (172, 232),
    "auction-1912": (350, 580),
    "royalton-1915": (350, 500),
    "auction-1926": (350, 600),
    "contract-1927": (800, 1950),
}
LAWS = {
    "bridge-elwell": ("bridge-elwell:1.1", "bridge-elwell:11.2"),
    "auction-1912": ("auction-1912:1.1", "auction-1912:11.2"),
    "royalton-1915": ("royalton-1915:93.1", "royalton-1915:89.2"),
    **dict.fromkeys(
        ("auction-1926", "contract-1927"), ("auction-1926:51.a.5", "auction-1926:52.b")
    ),
}
WINNER = {c: Side.EW if c in ("auction-1926", "contract-1927") else Side.NS for c in TOTALS}


@pytest.mark.parametrize("code", TOTALS)
def test_a_rubber_is_said_to_be_over_and_who_wins_it_is_left_to_the_code(code: str) -> None:
    words, winner = MADE if in_force(code).get("making") else BID, WINNER[code]
    *checks, group = results(f"code {code}\n" + TWO_GAMES.format(**words), only=("score",))
    told = [after_words(as_json(c, "brief")) for c in checks if isinstance(c, Check)]
    assert [told[0], told[2]] == [
        ["North and South win a game."],
        ["North and South have won 2 games, and the rubber is over."],
    ]
    ours, theirs = TOTALS[code]
    assert totals_words(as_json(group)) == [
        f"North and South {ours}, East and West {theirs}",
        f"East and West have the greater total, by {theirs - ours} points",
        f"{winner.title} win the rubber",
    ]
    assert group.winner is winner
    assert group_text(as_json(group), Style()).splitlines()[:3] == [
        "The rubber “Of two games and fewer points”: 3 deals",
        f"  North and South {ours}, East and West {theirs}",
        f"  East and West have the greater total, by {theirs - ours} points",
    ]
    assert (
        f"  {winner.title} win the rubber   {', '.join((*group.laws, *group.readings))}"
        in group_text(as_json(group), Style()).splitlines()
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
        wrong = [] if side is winner else [("score.rubber", LAWS[code][0])]
        assert [(f.rule, f.laws[0]) for f in group.findings] == wrong


def test_a_deal_after_the_end_of_a_rubber_counts_for_nothing() -> None:
    words = "deal 4\nhonours north-south 0\ndeclaration 1 club by south\nresult made 0\nend rubber"
    text = "code auction-1912\n" + TWO_GAMES.format(**BID).replace("end rubber", words)
    *checks, group = results(text, only=("score",))
    assert group.totals == TOTALS["auction-1912"]
    late = checks[-1]
    assert [e.item for e in late.account.entries] == ["odd-tricks"]
    assert [f.rule for f in late.findings] == ["score.after-the-rubber"]


def remedies(calls: str) -> list[str]:
    check = one(
        f"code auction-1926\ndeal 1\ndealer south\nbidding\n  {calls}\n", only=("declaring",)
    )
    (found,) = (f for f in as_json(check)["findings"] if f["remedies"])
    return found["remedies"]


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ("1 heart, pass, pass, pass, pass", r"the pass is void.*auction-1926:26\.d.*"),
        ("1 heart, pass, pass, pass, 2 clubs", r"the call is void.*auction-1926:26\.c.*"),
        # in the partner's turn, before anybody has called, and in the turn of the player on the right
        ("1 heart, east: double", r".*auction-1926:26\.g\.3.*"),
        ("1 heart, pass, east: double", r".*partner is barred.*"),
    ],
)
def test_the_remedies_told_are_those_of_the_kind_of_call(calls: str, told: str) -> None:
    found = remedies(calls)
    assert all(re.fullmatch(told, remedy) for remedy in found)
    assert len(found) == 1 or "2 clubs" in calls


def test_a_code_that_is_not_judged_yet_can_be_read_but_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = import_module("oddtrick.judge.check")
    monkeypatch.setattr(module, "judged_codes", lambda: ("auction-1926",))
    check = one("code auction-1912\ndeal 1\ndeclaration 2 hearts by south\n")
    assert [f.rule for f in check.findings] == ["record.unknown-code"]
    message = as_json(check)["findings"][0]["message"]
    assert "can be read (`oddtrick law auction-1912`)" in message
    assert "It judges auction-1926." in message
