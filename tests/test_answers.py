"""Small records with the answers that the check must give, in `answers/*.yaml`."""

from typing import Any

import pytest

from files import ROOT, table
from oddtrick.judge.rubber import check_document
from oddtrick.record.hand.read import read_hand
from oddtrick.report.answers import as_json
from oddtrick.report.check import group_text, totals_words
from oddtrick.terminal import Style

HERE = ROOT / "tests" / "answers"
CASES = [*table("answers/check"), *table("answers/match")]


def differs(wanted: Any, found: Any, at: str = "") -> list[str]:
    """The places where an answer is not as wanted; in a mapping, only the named keys matter."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [d for k in wanted for d in differs(wanted[k], found.get(k), f"{at}.{k}")]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [d for n, w in enumerate(wanted) for d in differs(w, found[n], f"{at}[{n}]")]
    same = wanted == found or (wanted is None and found in ([], ""))
    return [] if same else [f"{at}: {wanted}, not {found}"]


def answer(result: Any) -> dict[str, Any]:
    """The JSON of a result, with the rules that it finds and its totals in words."""
    found: dict[str, Any] = as_json(result)
    faults = [f["rule"] for f in found["findings"] if f["severity"] != "incomplete"]
    told = {"totals_words": totals_words(found)} if "totals" in found else {}  # type: ignore[arg-type]
    return found | {"finds": faults} | told


def wrong(case: dict[str, Any]) -> list[str]:
    """The ways in which the answer to a record differs from its case."""
    text = case["hand"] if "hand" in case else (HERE / f"{case['of']}.txt").read_text("utf-8")
    for was, now in case.get("change", {}).items():
        assert was in text
        text = text.replace(was, now)
    items = read_hand([text.encode()])
    only = tuple(case.get("only", ("declaring", "play", "score")))
    found = [answer(r) for r in check_document(items, case.get("code"), None, only)]
    wanted = case["results"]
    if len(found) != len(wanted):
        return [f"{len(found)} results, not {len(wanted)}"]
    out = []
    for number, (expected, given) in enumerate(zip(wanted, found, strict=True), 1):
        told = {
            "says": " ".join(f["message"] for f in given["findings"]),
            "tells": group_text(given, Style(1000)) if "totals" in given else "",  # type: ignore
            "rests_on": given.get("laws", ()),
            "rests_not_on": given.get("laws", ()),
        }
        out += [
            f"{number}: {key}: {one}: {told[key]}"
            for key in told
            for one in expected.get(key, ())
            if (one in told[key]) is (key == "rests_not_on")
        ]
        out += differs({k: v for k, v in expected.items() if k not in told}, given, str(number))
    return out


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_a_record_answers_what_its_case_says(case: dict[str, Any]) -> None:
    assert wrong(case) == []
