"""The commands that make, draw and compare: deal, sheet, score --under. What a stranger types, and
what he sees.
"""

from __future__ import annotations

import csv
import json
import subprocess
from itertools import zip_longest
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command import commanded
from lawbook import code_data, in_force, judged_codes
from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Severity
from oddtrick.judge.match import Tally, readings_of, teams_of
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record.hand.read import read_text
from oddtrick.report.answers import as_json
from oddtrick.report.check import group_text
from oddtrick.report.sheet import groups, rubber_sheet
from oddtrick.terminal import Style

ROOT = Path(__file__).resolve().parent.parent
CARD = ROOT / "laws" / "records" / "goodfellow-1912-sample-card.hand"
RUBBER = ROOT / "laws" / "records" / "made-up-rubber-1927.hand"

GAMES = [(c, "") for c in judged_codes()] + [
    (c, o["id"]) for c in judged_codes() for o in code_data(c)["options"]
]


def run(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return commanded(*arguments, given=(given or "").encode(), cwd=ROOT)


# --- deal
# ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "option"), GAMES)
def test_the_deals_of_every_code_and_option_are_in_order(code: str, option: str) -> None:
    done = run(
        "deal",
        "--code",
        code,
        "--seed",
        "11",
        "--count",
        "5",
        *(("--option", option) if option else ()),
    )
    assert (done.returncode, done.stderr) == (0, "")
    checks = list(check_document(read_text(done.stdout).items))
    assert len(checks) == 5
    for check in checks:
        assert [f.rule for f in check.findings if f.severity is not Severity.INCOMPLETE] == []
        assert (check.law.code, check.law.options) == (code, (option,) if option else ())


def test_the_same_seed_makes_the_same_deals_and_another_makes_others() -> None:
    first, again, other = (
        run("deal", "--code", "auction-1926", "--seed", s).stdout for s in ("4", "4", "5")
    )
    assert first == again != other


# --- sheet
# -----------------------------------------------------------------------------------------


def test_the_card_of_goodfellow_is_drawn_with_his_totals_and_margin() -> None:
    done = run("sheet", str(CARD))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    totals = next(line for line in lines if "222" in line and "998" in line)
    for figure in ("222", "950", "1090", "252", "828", "998"):
        assert figure in totals.split()


def test_the_card_of_goodfellow_differs_from_his_laws_in_one_cell() -> None:
    found = list(check_document(read_text(CARD.read_text("utf-8"), str(CARD)).items))
    irregular = [
        (c.source.id, f.rule)
        for c in found
        if isinstance(c, Check)
        for f in c.findings
        if f.severity is Severity.IRREGULAR
    ]
    assert [deal for deal, _ in irregular] == ["deal 10"]
    group = found[-1]
    assert group.points == 92
    # 222 and 950 to 252 and 828: 1172 to 1080, which is 46 above and below the average of 1126
    assert [(t.total, t.against_average) for t in group.teams] == [(1172, 46), (1080, -46)]


def test_the_sheet_of_a_rubber_has_honours_above_the_line_and_tricks_below() -> None:
    done = run("sheet", str(RUBBER))
    assert done.returncode == 0
    above, line, below = done.stdout.partition("=" * 10)
    assert line
    checks = [
        c
        for c in check_document(read_text(RUBBER.read_text("utf-8")).items)
        if isinstance(c, Check)
    ]
    for check in checks:
        for side in Side:
            for column, part in (("honour", above), ("trick", below)):
                points = check.account.points(side, column)
                assert not points or str(points) in part.split()


@pytest.mark.parametrize("path", [CARD, RUBBER], ids=["match", "rubber"])
def test_a_drawing_is_well_formed_and_stands_alone(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "drawn.svg"
    done = run("sheet", str(path), "--svg", str(target))
    assert (done.returncode, done.stdout) == (0, f"{target} drawn.\n")
    root = ElementTree.parse(target).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"viewBox"} <= set(root.attrib)
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "href" not in target.read_text("utf-8")


# --- score --under
# ---------------------------------------------------------------------------------

DEAL = """\
code auction-1926
deal 1
hands
  north ♠ A K 7 6 ♥ Q J 4 ♦ 8 5 2 ♣ 9 7 3
  east ♠ 5 4 ♥ T 8 6 ♦ K Q 9 7 ♣ K J 8 4
  south ♠ Q J T 9 8 ♥ A K 2 ♦ A 4 ♣ A 5 2
  west ♠ 3 2 ♥ 9 7 5 3 ♦ J T 6 3 ♣ Q T 6
declaration {declaration} by south
result 10 tricks
"""


def under(
    declaration: str, codes: str = "all", code: str = "auction-1926"
) -> dict[str, dict[str, object]]:
    text = DEAL.replace("auction-1926", code).format(declaration=declaration)
    done = run("score", "--under", codes, "--format", "json", "-", given=text)
    assert done.returncode == 0, done.stderr
    return {row["code"]: row for row in json.loads(done.stdout)[0]["under"]}


def points(row: dict[str, object], side: str, column: str) -> int:
    score = row["score"]
    return int(score[side][column])


@pytest.mark.shipped
def test_a_deal_is_scored_under_every_code_by_its_own_figures() -> None:
    rows = under("4 spades")
    assert set(rows) == set(judged_codes())
    # Spades: two a trick in Bridge, 1908, 1912 and duplicate, ten in Royalton, nine in 1926 and 1927;
    # four odd tricks.
    got = {code: points(row, "NS", "trick") for code, row in rows.items()}
    assert got == {
        "bridge-elwell": 8,
        "duplicate-1912": 8,
        "auction-1912": 8,
        "royalton-1915": 40,
        "auction-1926": 36,
        "contract-1927": 36,
        "bridge-1904": 8,
        "auction-1908": 8,
    }
    # Five honours, three in one hand: five times the trick, by the table, or nothing; contract:
    # game 200 at once.
    got = {code: points(row, "NS", "honour") for code, row in rows.items()}
    assert got == {
        "bridge-elwell": 10,
        "duplicate-1912": 10,
        "auction-1912": 10,
        "royalton-1915": 0,
        "auction-1926": 50,
        "contract-1927": 200,
        "bridge-1904": 10,
        "auction-1908": 10,
    }


def test_a_code_that_cannot_express_a_deal_says_why() -> None:
    rows = under("4 royals", code="auction-1912")
    assert {c for c, r in rows.items() if r["score"] is None} == set(judged_codes()) - {
        "auction-1912"
    }
    assert all(r["why"] for r in rows.values() if r["score"] is None)
    rows = under("4 spades redoubled", "auction-1926,bridge-elwell")
    assert list(rows) == ["auction-1926", "bridge-elwell"]
    assert points(rows["bridge-elwell"], "NS", "trick") == 32


def test_the_text_has_a_line_for_each_code_and_where_they_part() -> None:
    done = run("score", "--under", "all", "-", given=DEAL.format(declaration="4 spades"))
    assert done.returncode == 0
    for code in judged_codes():
        assert code_data(code)["short"] in done.stdout
    assert "The codes first part at odd tricks" in done.stdout


# --- a match
# ---------------------------------------------------------------------------------------

MATCH = """\
code duplicate-1912
match "Two teams"

deal 1
original play
sides north-south "Blues" east-west "Reds"
honours none
declaration 2 diamonds by south
result made 0

deal 2
overplay
sides north-south "Reds" east-west "Blues"
honours none
declaration 2 diamonds by south
result made 1

end match
"""


def test_the_aggregate_goes_with_the_team_and_not_with_the_seat() -> None:
    text = MATCH.replace("honours none\n", "honours north-south 0\nhonours east-west 0\n")
    group = list(check_document(read_text(text).items))[-1]
    assert {t.name: t.total for t in group.teams} == {"Blues": 12, "Reds": 18}
    assert {t.name: t.against_average for t in group.teams} == {"Blues": -3, "Reds": 3}
    assert group.totals is None


PAIRS = {
    "1": (
        'north-south "Blues" east-west "Reds"',
        'north "Ames" south "Bell" east "Rowe" west "Rice"',
        0,
    ),
    "2": (
        'north-south "Blues" east-west "Reds"',
        'north "Cole" south "Dale" east "Reid" west "Ross"',
        1,
    ),
    "3": (
        'north-south "Reds" east-west "Blues"',
        'north "Rudd" south "Ryan" east "Earl" west "Ford"',
        2,
    ),
}
"""Of each table the teams, the players, and the tricks made beyond a contract of two diamonds: 12,
18 and 24 points.
"""


def three_tables(players: bool = True) -> GroupCheck:
    deals = [
        f'deal "{table}"\ntray 1\nsides {sides}\n{f"players {names}" if players else ""}\nhonours north-south 0\nhonours east-west 0\n'
        f"declaration 2 diamonds by south\nresult made {over}\n"
        for table, (sides, names, over) in PAIRS.items()
    ]
    text = "\n".join(['code duplicate-1912\nmatch "Three pairs to a team"', *deals, "end match\n"])
    group = list(check_document(read_text(text).items))[-1]
    return group


def test_a_team_adds_the_average_of_the_pairs_seated_opposite_to_its_odd_pair() -> None:
    group = three_tables()
    # The Blues have two pairs north and south: their odd one adds what east and west scored,
    # nothing. The Reds have two pairs east and west and add the average of 12, 18 and 24.
    assert {t.name: (t.total, t.odd_pair, t.against_average) for t in group.teams} == {
        "Blues": (30, 0, -6),
        "Reds": (42, 18, 6),
    }
    assert "duplicate-1912:3.2" in group.laws
    assert group.readings == ("duplicate-1912:reading.by-how-much-a-team-wins",)
    assert "Reds 42 with 18 for its odd pair, +6 against the average of the teams" in group_text(
        as_json(group), Style(False)
    )


def test_that_a_team_of_one_pair_adds_nothing_rests_on_a_reading() -> None:
    said = 'sides north-south "Blues" east-west "Reds"\nplayers north "Ames" south "Bell" east "Rowe" west "Rice"\n'
    text = f'code duplicate-1912\nmatch "One table"\ndeal 1\n{said}honours north-south 0\nhonours east-west 0\ndeclaration 2 diamonds by south\nresult made 0\nend match\n'
    group = list(check_document(read_text(text).items))[-1]
    assert {t.name: (t.total, t.odd_pair) for t in group.teams} == {
        "Blues": (12, 0),
        "Reds": (0, 0),
    }
    alone, how_much = (
        f"duplicate-1912:reading.{r}" for r in ("team-of-one-pair", "by-how-much-a-team-wins")
    )
    assert group.readings == (alone, how_much)
    assert as_json(group)["readings"] == [alone, how_much]
    assert "duplicate-1912:6, duplicate-1912:reading.team-of-one-pair" in group_text(
        as_json(group), Style(False)
    )


def test_without_the_players_no_odd_pair_is_told() -> None:
    group = three_tables(players=False)
    assert {t.name: t.total for t in group.teams} == {"Blues": 30, "Reds": 24}
    assert "duplicate-1912:3.2" not in group.laws


@pytest.mark.parametrize(
    ("aggregates", "pairs", "results"),
    [
        pytest.param(
            {"Blues": 100, "Reds": 103},
            None,
            {"Blues": "-2", "Reds": "1"},
            id="an average of 101 1/2 is 102, and the fraction is not kept",
        ),
        pytest.param(
            {"Blues": 100, "Reds": 101},
            None,
            {"Blues": "-1/2", "Reds": "1/2"},
            id="a point apart the match is won by the half",
        ),
        pytest.param(
            {"Blues": 100, "Reds": 100},
            None,
            {"Blues": "0", "Reds": "0"},
            id="what is even without fractions stays a tie",
        ),
        pytest.param(
            {"Blues": 30, "Reds": 30},
            {
                "Blues": ((10, "NS"), (10, "NS"), (10, "EW")),
                "Reds": ((11, "NS"), (9, "EW"), (10, "EW")),
            },
            {"Blues": "-1/3", "Reds": "1/3"},
            id="of two averages that round alike the greater wins by the fraction",
        ),
    ],
)
def test_a_fraction_is_kept_only_to_avoid_a_tie(
    aggregates: dict[str, int],
    pairs: dict[str, tuple[tuple[int, str], ...]] | None,
    results: dict[str, str],
) -> None:
    seated = {
        (t, frozenset((t, str(i)))): {Side(side): points}
        for t, own in (pairs or {}).items()
        for i, (points, side) in enumerate(own)
    }
    tally, rules = Tally(aggregates, {}, {}, seated or None), in_force("duplicate-1912")
    teams = teams_of(tally, rules)
    assert {t.name: str(t.against_average) for t in teams} == results
    kept = any("/" in result for result in results.values())
    assert readings_of(tally, teams, rules) == (
        ("duplicate-1912:reading.fraction-and-tie",) if kept else ()
    )


# --- the scoring function as CSV
# -------------------------------------------------------------------


def test_the_scoring_function_is_written_out_whole(tmp_path: Path) -> None:
    target = tmp_path / "canadian.csv"
    done = run("export", "--scores", "contract-1927", "--option", "canadian", "--out", str(target))
    assert (done.returncode, done.stderr) == (0, "")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {r["options"] for r in rows} == {"canadian"}
    down_three = [
        r
        for r in rows
        if (r["denomination"], r["odd_tricks"], r["doubled"], r["tricks"])
        == ("clubs", "1", "0", "4")
    ]
    assert {r["adversaries_honour"] for r in down_three} == {"300"}  # 50, 100 and 150
    assert {r["laws"] for r in down_three} == {"contract-1927:count.canadian.6"}


def test_a_wrong_code_or_option_of_the_score_tables_is_told() -> None:
    for arguments, said in (
        (("--scores", "whist"), "there is no code `whist`"),
        (
            ("--scores", "auction-1912", "--option", "canadian"),
            "auction-1912 has no option `canadian`",
        ),
        (("--option", "canadian"), "--option needs --scores"),
    ):
        done = run("export", *arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


# --- the sheet in the book of 1912
# -----------------------------------------------------------------

DIGITS = "3656363264100302002165260181003032721618602027482124366212501033621412"
"""What the copy of the 1912 book has of its score sheet, behind the words WE and THEY."""


def test_the_restored_sheet_of_1912_read_row_by_row_is_the_digits_of_the_copy() -> None:
    path = ROOT / "laws" / "records" / "we-and-they-1912-score-sheet.hand"
    results = list(check_document(read_text(path.read_text("utf-8"), str(path)).items))
    ((group, deals),) = groups(map(as_json, results))
    for deal in deals:
        assert [f for f in deal["findings"] if f["severity"] != "incomplete"] == []
    sheet = rubber_sheet(group, deals)
    rows: list[tuple[int | None, int | None]] = list(zip_longest(*sheet.above))[::-1]
    rows += [row for row in sheet.below if row]
    assert sheet.totals == (1033, 621)
    # The loser's sum stands under his last trick points, beside the winner's; below, the winner's
    # 250 and sum, less the loser's.
    *rest, last = rows
    assert last[1] is None
    below = [*rest, (last[0], sheet.totals[1]), (sheet.added[0], None)]
    below += [(figure, None) for figure in (*sheet.totals, group["points"])]
    assert "".join(str(cell) for row in below for cell in row if cell is not None) == DIGITS
