"""The commands that make, draw and compare: deal, sheet, score --under; what a new user types, and
what he sees.
"""

import json
import subprocess
from typing import Any

import pytest

from command import commanded
from files import ROOT
from lawbook import code_data, every_game, in_force, judged_codes
from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Severity
from oddtrick.judge.match import Score, readings_of, teams_of
from oddtrick.judge.rubber import check_document
from oddtrick.record.hand.read import read_text
from oddtrick.report.answers import as_json
from oddtrick.report.sheet import groups, rubber_sheet

CARD = ROOT / "laws" / "records" / "goodfellow-1912-sample-card.hand"


def run(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return commanded(*arguments, given=(given or "").encode(), cwd=ROOT)


# --- deal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "options"), every_game())
def test_the_deals_of_every_code_and_option_are_in_order(
    code: str, options: tuple[str, ...]
) -> None:
    under = [f"--option={option}" for option in options]
    done = run(*f"deal --code {code} --seed 11 --count 5".split(), *under)
    assert (done.returncode, done.stderr) == (0, "")
    checks = list(check_document(read_text(done.stdout).items))
    assert len(checks) == 5
    for check in checks:
        assert [f.rule for f in check.findings if f.severity is not Severity.INCOMPLETE] == []
        assert (check.law.code, check.law.options) == (code, options)


# --- sheet ----------------------------------------------------------------------------------------


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


# --- score --under --------------------------------------------------------------------------------

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


def test_the_text_has_a_line_for_each_code_and_where_they_part() -> None:
    done = run("score", "--under", "all", "-", given=DEAL.format(declaration="4 spades"))
    assert done.returncode == 0
    for code in judged_codes():
        assert code_data(code)["short"] in done.stdout
    assert "The codes first differ in the odd tricks" in done.stdout


# --- a match --------------------------------------------------------------------------------------

NS, EW = Side.NS, Side.EW
TEAMS: dict[str, tuple[Any, ...]] = {
    "an average of 101 1/2 is 102, and the fraction is not kept": ((100, 103), (), ("-2", "1")),
    "a point apart the match is won by the half": ((100, 101), (), ("-1/2", "1/2")),
    "what is even without fractions stays a tie": ((100, 100), (), ("0", "0")),
    "of two averages that round alike the greater wins by the fraction": (
        (30, 30), (((10, NS), (10, NS), (10, EW)), ((11, NS), (9, EW), (10, EW))), ("-1/3", "1/3"),
    ),
}  # fmt: skip
"""The totals of two teams, the points of their pairs, and the results."""


@pytest.mark.parametrize("case", TEAMS)
def test_a_fraction_is_kept_only_to_avoid_a_tie(case: str) -> None:
    totals, pairs, results = TEAMS[case]
    names = ("Blues", "Reds")
    scores = [
        Score(team, side, points, frozenset((team, str(i))))
        for team, own in zip(names, pairs, strict=False)
        for i, (points, side) in enumerate(own)
    ] or [Score(team, NS, total) for team, total in zip(names, totals, strict=True)]
    rules = in_force("duplicate-1912")
    teams = teams_of(scores, rules)
    assert [(t.name, str(t.against_average)) for t in teams] == [*zip(names, results, strict=True)]
    kept = any("/" in result for result in results)
    assert readings_of(scores, teams, rules) == (
        ("duplicate-1912:reading.fraction-and-tie",) if kept else ()
    )


# --- the sheet in the book of 1912 ----------------------------------------------------------------

DIGITS = "3656363264100302002165260181003032721618602027482124366212501033621412"
"""The text of the score sheet in the copy of the 1912 book, after the words WE and THEY."""


def test_the_restored_sheet_of_1912_read_row_by_row_is_the_digits_of_the_copy() -> None:
    path = ROOT / "laws" / "records" / "we-and-they-1912-score-sheet.hand"
    results = list(check_document(read_text(path.read_text("utf-8"), str(path)).items))
    ((group, deals),) = groups(map(as_json, results))
    for deal in deals:
        assert [f for f in deal["findings"] if f["severity"] != "incomplete"] == []
    sheet = rubber_sheet(group, deals)
    *rows, (bonus, *_) = [row[:2] for row in sheet.rows if not isinstance(row, str)]
    assert sheet.sums == (1033, 621)
    # The loser's sum stands under his last trick points, beside the winner's; below, the winner's
    # 250 and sum, less the loser's.
    *rest, last = rows
    assert last[1] is None
    below = [*rest, (last[0], sheet.sums[1]), (bonus, None)]
    below += [(figure, None) for figure in (*sheet.sums, group["points"])]
    assert "".join(str(cell) for row in below for cell in row if cell is not None) == DIGITS
