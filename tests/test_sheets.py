"""The sheet of a rubber and the card of a match if something is missing, late or not a deal. The
cases are in `sheets.yaml`.
"""

from typing import Any
from xml.etree import ElementTree

import pytest

from files import table
from lawbook import judged_codes
from oddtrick.judge import Json
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.record.hand.read import read_text
from oddtrick.report.answers import as_json
from oddtrick.report.sheet import (
    THICK,
    THIN,
    Deals,
    Undrawable,
    groups,
    match_card,
    rubber_sheet,
    sheet,
)

CASES = table("sheets")


def group(text: str) -> tuple[Json, Deals]:
    return list(groups(map(as_json, check_document(read_text(text).items))))[-1]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_the_sheet_has_what_is_known_and_marks_what_is_not(case: Any) -> None:
    whole = group(case["record"])
    if "card" in case:
        drawn = match_card(*whole)
        assert [list(row) for row in drawn.rows] == case["card"]
        assert bool(drawn.result) == ("?" not in case["totals"])
        assert list(drawn.result) == case.get("result", list(drawn.result))
    else:
        drawn = rubber_sheet(*whole)
        line = drawn.rows.index(THICK)
        above, below = drawn.rows[:line][::-1], [r for r in drawn.rows[line + 1 :] if r != THIN]
        added = below.pop() if below and len(below[-1]) == 3 else (None, None)
        assert [figure or 0 for figure in added[:2]] == case.get("added", [0, 0])
        for name, rows in (("above", above), ("below", below)):
            columns = [[r[i] for r in rows if r[i] is not None] for i in (0, 1)]
            assert columns == case.get(name, columns)
        assert list(drawn.sums) == case["totals"]
    assert list(drawn.notes) == case["notes"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_text_and_drawing_say_what_is_missing(case: Any) -> None:
    whole = group(case["record"])
    text, drawing = sheet(*whole), sheet(*whole, "svg")
    words = " ".join(" ".join(ElementTree.fromstring(drawing).itertext()).split())
    for note in case["notes"]:
        assert note in " ".join(text.split())
        assert note in words
    assert ("?" in case["totals"]) == (" ?" in text)


TWICE = """\
code {code}
{kind}
deal 1
{deal}

deal {second}
{deal}
end {kind}
"""
MADE = "dealer south\ndeclaration hearts by south\nresult 8 tricks\nhonours north-south 0"
DEALS = {
    "bridge-elwell": MADE,
    "bridge-1904": MADE,
    "royalton-1915": "declaration 1 heart by south\nresult made 0",
}
DEAL = "declaration 1 heart by south\nresult made 0\nhonours north-south 0"


@pytest.mark.parametrize("code", judged_codes())
def test_two_deals_of_one_number_are_found_in_every_code(code: str) -> None:
    kind = "match" if code.startswith("duplicate") else "rubber"
    for second, due in ((1, ["record.deal-twice"]), (2, [])):
        deal = DEALS.get(code, DEAL)
        text = TWICE.format(code=code, kind=kind, second=second, deal=deal)
        checks = [c for c in check_document(read_text(text).items) if isinstance(c, Check)]
        found = [f for f in checks[1].findings if f.rule == "record.deal-twice"]
        assert [f.rule for f in found] == due
        assert not any(f.rule == "record.deal-twice" for f in checks[0].findings)
        if found:
            line = text.splitlines().index("deal 1", 3) + 1
            assert found[0].place.line == line
            assert dict(found[0].messages[0].data)["line"] == 3


def test_a_deal_of_a_match_may_have_the_number_of_one_at_another_table() -> None:
    text = TWICE.format(code="duplicate-1912", kind="match", second=1, deal=DEAL)
    text = text.replace("deal 1\n", "deal 1\ntable 1\n", 1)
    checks = [c for c in check_document(read_text(text).items) if isinstance(c, Check)]
    assert not any(f.rule == "record.deal-twice" for c in checks for f in c.findings)


def test_a_card_that_stands_twice_leaves_no_account_and_what_is_claimed_is_named() -> None:
    held = (
        "hands\nnorth ♠ A K 3 2 ♥ Q J 4 ♦ A 5 4 ♣ K 7 6\neast ♠ {} J 4 ♥ A K 3 2 ♦ K 7 6 ♣ A 5 4\n"
    )
    for code in judged_codes():
        deal = DEALS.get(code, DEAL)
        for card, scored in (("A", False), ("Q", True)):
            score = "score north-south trick 99\n"
            text = f"code {code}\ndeal 1\n{held.format(card)}{deal}\n{score}"
            (check,) = check_document(read_text(text).items)
            rules = [f.rule for f in check.findings]
            assert (check.account is not None) is scored, code
            assert ("deal.card-twice" in rules) is not scored
            assert ("record.no-result" in rules) is not scored


def test_no_sheet_is_drawn_where_nothing_was_judged() -> None:
    for text, why in (
        (f"rubber\ndeal 1\n{DEAL}\nend rubber\n", "the record names no code"),
        (f"code duplicate-1912\nrubber\ndeal 1\n{DEAL}\nend rubber\n", "has no rubbers"),
        (f"code auction-1912\nmatch\ndeal 1\n{DEAL}\nend match\n", "has no matches"),
        (
            TWICE.format(code="duplicate-1912", kind="match", second=2, deal=DEAL).replace(
                "deal 1\n", 'deal 1\nsides north-south "Blues" east-west "Reds"\n'
            ),
            "name Blues, Reds, North and South and East and West. Write `sides` in every deal",
        ),
    ):
        with pytest.raises(Undrawable, match=why):
            sheet(*group(text))
