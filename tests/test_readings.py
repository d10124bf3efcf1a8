"""Readings with another choice: the result of a deal, the report on the other choice, and what is
rejected. The cases are in `readings.yaml`; rulings under a choice in `rulings/`.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from files import table
from lawbook import in_force, judged_codes
from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.match import Score, teams_of
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.law.book import book
from oddtrick.law.cases import applying, combinations, facts_of
from oddtrick.law.model import ChosenReading, UnknownCode
from oddtrick.law.reading_choices import computes
from oddtrick.record import deals_in, read, write, write_document
from oddtrick.record.hand.read import read_text
from oddtrick.report.answers import as_json
from oddtrick.report.check import check_text, group_text, what_if_lines
from oddtrick.rulings import answer
from oddtrick.terminal import Style

CASES = table("readings")
COLUMNS = ("trick", "honour", "total")

Result = Check | GroupCheck | Finding


def judged(case: Any, reading: str = "", options: tuple[str, ...] = ()) -> list[Result]:
    """The findings in the record of a case; the reading is stated in the record or given as an
    option.
    """
    option = f"option {case['option']}\n" if "option" in case else ""
    stated = f"reading {reading}\n" if reading else ""
    text = f"code {case['code']}\n{option}{stated}{case['record']}"
    return list(check_document(read_once(text).items, None, options or None))


read_once = cache(read_text)


def hold(results: list[Result], due: Any) -> None:
    """The results are the expected ones."""
    checks = [r for r in results if isinstance(r, Check)]
    last = checks[-1]
    if "declarer" in due:
        declarer = last.final.declarer if last.final else None
        assert (declarer.value if declarer else None) == due["declarer"]
    for side in Side:
        if "score" in due:
            points = due["score"][side.value]
            assert [last.account.points(side, c) for c in COLUMNS[: len(points)]] == points
    if "missing" in due:
        assert [m.fact for m in last.account.missing] == due["missing"]
    group = next((r for r in results if isinstance(r, GroupCheck)), None)
    found: dict[str, Any] = {}
    if group:
        found["rubber"] = list(group.totals or ())
        found["winner"] = group.winner.value if group.winner else "nobody"
        found["readings"] = list(group.readings)
        found["teams"] = [t.total for t in group.teams]
        found["against"] = [t.against_average for t in group.teams]
    told_of = ("rubber", "winner", "readings", "teams", "against")
    assert {k: found.get(k) for k in told_of if k in due} == {
        k: due[k] for k in told_of if k in due
    }
    if "findings" in due:
        faults = [f"{f.rule}/{f.severity.value}" for f in last.findings if told(f)]
        assert faults == due["findings"]


def told(finding: Finding) -> bool:
    return finding.severity is not Severity.INCOMPLETE


def what_if(results: list[Result]) -> list[str]:
    """The results of other readings, each with its condition, as the report has them."""
    out = []
    for result in results:
        assert not isinstance(result, Finding)
        text = check_text if isinstance(result, Check) else group_text
        answer, style = as_json(result), Style(width=10_000)
        said = text(answer, style)  # type: ignore[operator]
        for other in answer["what_if"]:
            lines = [*what_if_lines([other], style)]
            assert "\n".join(lines) in said
            out += [" ".join(lines)] if choices(lines[0]) else []
    return out


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_a_choice_comes_to_what_the_place_gives_when_it_is_read_so(case: Any) -> None:
    hold(judged(case), case["applied"])
    hold(judged(case, case["choice"]), case["chosen"])
    hold(judged(case, "", (case["choice"],)), case["chosen"])


def choices(line: str) -> list[str]:
    """The choices of readings to which a line refers, as written in a record."""
    return re.findall(r"\(([\w-]+:[\w-]+=[\w-]+)\)", line)


@pytest.mark.parametrize("case", [c for c in CASES if "what_if" in c], ids=lambda c: c["name"])
def test_the_other_choice_is_told_in_a_line_where_it_differs(case: Any) -> None:
    lines = [line for line in what_if(judged(case)) if choices(line) == [case["choice"]]]
    assert len(lines) == (case["what_if"] != "none"), lines
    if lines:
        assert case["what_if"] in lines[0]
    chosen = what_if(judged(case, case["choice"]))
    assert not any(choices(line) == [case["choice"]] for line in chosen)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_a_stated_choice_is_kept_by_every_notation(case: Any) -> None:
    option = f"option {case['option']}\n" if "option" in case else ""
    text = f"code {case['code']}\n{option}reading {case['choice']}\n{case['record']}"
    document = read_text(text)
    written = write_document(document)
    assert write_document(read_text(written)) == written
    assert f"reading {case['choice']}" in written
    if "rubber" not in case["record"]:
        through = read(write(document.items, "pbn").encode(), "-", "pbn")
        assert any(case["choice"] in deal.options for deal in deals_in(through))


def alternatives() -> list[ChosenReading]:
    """Every other choice of every reading of the judged codes."""
    readings = [r for code in judged_codes() for r in book().code(code).readings]
    return [c for r in readings for one in r.choices if (c := ChosenReading(r, one)).differs]


def test_a_choice_that_computes_nothing_is_named_so() -> None:
    idle = [one for one in alternatives() if not computes(book(), one)]
    assert [one.written for one in idle if not one.reading.not_computed] == []
    said = {one.reading.address for one in alternatives() if one.reading.not_computed}
    assert said == {one.reading.address for one in idle}


def test_a_fraction_is_dropped_between_teams_a_point_apart_where_only_ties_keep_it() -> None:
    # Law 6: the mean of 9 and 8 is 8 1/2. Rounded to 9 nobody is above it; nobody is equal either.
    scores = [Score("Blues", Side.NS, 8), Score("Reds", Side.EW, 9)]
    reading = "duplicate-1912:fraction-and-tie=equal"
    results = [
        [t.against_average for t in teams_of(scores, in_force("duplicate-1912", chosen))]
        for chosen in ((), (reading,))
    ]
    assert results == [[Fraction(-1, 2), Fraction(1, 2)], [-1, 0]]


WRONG = {
    "auction-1912:nope=x": "`auction-1912` has no reading `nope`; its readings are declarer-at-no-trump, ",
    "auction-1912:three-passes=nope": "`nope` is not a choice of auction-1912:reading.three-passes; its choices are "
    "three-passes and open",
    "auction-1926:damaged-honour-table=illegible": "a reading of auction-1926 does not apply here",
    "nope:three-passes=open": "there is no code `nope`",
}


@pytest.mark.parametrize(("choice", "why"), WRONG.items(), ids=list(WRONG))
def test_a_choice_that_there_is_not_is_found_at_its_place(choice: str, why: str) -> None:
    with pytest.raises(UnknownCode, match=re.escape(why)):
        in_force("auction-1912", [choice])
    text = f"code auction-1912\nreading {choice}\ndeal 1\ndeclaration 2 hearts by south\nresult made 0\n"
    check = next(iter(check_document(read_text(text).items)))
    (found,) = check.findings
    assert (found.rule, found.place.line, found.place.column) == ("record.unknown-code", 2, 9)
    assert why.lower() in as_json(found)["message"].lower()


def test_a_reading_of_the_base_can_be_chosen_under_a_code_that_extends_it() -> None:
    law = in_force("contract-1927", ["auction-1926:either-or=either"])
    assert law.options == ("auction-1926:either-or=either",)


REFUSED = {
    # Law 6 of the contract code has its own honour table in place of the damaged one.
    "contract-1927 auction-1926:damaged-honour-table=illegible": "bears on displaced laws",
    "contract-1927 contract-1927:canadian-honours=as-auction": "an option that is not chosen",
    "auction-1912 auction-1912:three-passes=open auction-1912:three-passes=three-passes": "",
    "royalton-1915 royalton-1915:slam-at-nullo=reversed royalton-1915:slam-bid-higher=exact": "",
}
"""Choices under a code that are impossible, alone or together, and why."""


@pytest.mark.parametrize(("taken", "why"), REFUSED.items())
def test_a_choice_that_cannot_be_taken_is_refused(taken: str, why: str) -> None:
    code, *choices = taken.split()
    with pytest.raises(UnknownCode, match=why or None):
        in_force(code, choices)


def test_a_choice_that_changes_nothing_is_named_as_not_used() -> None:
    for choice, rules in (
        ("auction-1912:three-passes=open", ["record.not-used"]),
        ("auction-1912:three-passes=three-passes", []),
        ("auction-1912:slam-on-lost-contract=not-counted", []),
    ):
        text = f"code auction-1912\ndeal 1\nreading {choice}\ndeclaration 2 hearts by south\nresult made 0\n"
        check = next(iter(check_document(read_text(text).items)))
        found = [f for f in check.findings if f.rule == "record.not-used"]
        assert [f.rule for f in found] == rules
        assert all(f.place.line == 3 for f in found)


def test_a_finding_that_rests_on_a_choice_says_so() -> None:
    case = next(c for c in CASES if c["choice"].endswith("first-to-name"))
    (check,) = judged(case, case["choice"])
    (finding,) = [f for f in check.findings if told(f)]
    assert finding.chosen == (case["choice"],)
    assert f"as chosen: {case['choice']}" in check_text(as_json(check), Style(width=10_000))


# --- readings chosen together ---------------------------------------------------------------------


def bears(choice: str, code: str) -> bool:
    """Whether a choice can be made under a code by itself."""
    try:
        in_force(code, [choice])
    except UnknownCode:
        return False
    return True


def combined_readings() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every combination of two or more other choices that affect the rulings on the same
    irregularity.
    """
    for code in book().codes:
        choices: dict[str, dict[str, list[str]]] = {}
        for owner in book().chain(code.id):
            for e in (e for e in owner.entries if e.reading):
                for reading, choice in e.reading.items():
                    address = reading if ":" in reading else f"{owner.id}:{reading}"
                    of = choices.setdefault(e.irregularity, {}).setdefault(address, [""])
                    of += [] if choice in of else [choice]
        for irregularity, of in choices.items():
            for taken in product(*of.values()):
                written = tuple(f"{r}={c}" for r, c in zip(of, taken, strict=True) if c)
                if len(written) > 1 and all(bears(one, code.id) for one in written):
                    yield code.id, irregularity, written


def test_readings_chosen_together_give_one_ruling_for_all_facts() -> None:
    wrong = []
    for code, irregularity, written in combined_readings():
        in_force(code, written)  # refuses none of them
        entry = book().entry(irregularity, code, written)
        facts = facts_of(entry[0].rulings, book().irregularities[irregularity])
        for answers in combinations(facts):
            if len(applying(entry[0].rulings, answers)) != 1:
                wrong.append((code, irregularity, written, answers))
    assert wrong == []


def test_readings_chosen_together_all_hold() -> None:
    own = (
        "duplicate-1912:barred-from-declaring=may-double",
        "duplicate-1912:insufficient-passed=always",
    )
    both = book().entry("insufficient-bid", "duplicate-1912", own)
    ones = [book().entry("insufficient-bid", "duplicate-1912", [one]) for one in own]
    table = {c.id: c.remedies for c in both[0].rulings}
    first, second = ({c.id: c.remedies for c in e[0].rulings} for e in ones if e)
    assert table["not-acted-on"] == first["not-acted-on"] != second["not-acted-on"]
    assert table["acted-on"] == second["acted-on"] != first["acted-on"]


def test_two_readings_that_bear_on_one_thing_are_told_together_where_neither_tells_it() -> None:
    text = (Path(__file__).parent / "findings/auction-1912-at-the-table.hand").read_text("utf-8")
    (deal,) = (d for d in deals_in(read_text(text).items) if d.id == "deal 73")
    (check,) = check_document([deal])
    lines = {w.get("choice"): w["then"] for w in as_json(check)["what_if"]}
    pair = (
        "auction-1912:exposed-by-the-declaring-side=not-called "
        "auction-1912:bid-or-double=redouble-open"
    )
    assert "doubling, but not from redoubling" in lines[pair]


def test_a_reading_that_excludes_a_chosen_one_is_no_what_if() -> None:
    text = (
        "code royalton-1915\nreading royalton-1915:slam-at-nullo=reversed\ndeal 1\n"
        "declaration 6 nullo by south\nresult made 0\nhonours north-south 0\n"
    )
    (found,) = check_document(read_text(text).items)
    assert not any("slam-bid-higher" in repr(w.condition) for w in found.what_if)


def test_what_cannot_arise_under_an_option_cannot_under_any_reading() -> None:
    name, code = "dummy-calls-attention", "royalton-1915"
    option, reading = "no-open-hand", "royalton-1915:dummy-and-the-score=never"
    assert answer(name, code, [reading]).kind == "open"
    for options in ([option], [option, reading]):
        assert answer(name, code, options).kind == "absent"
