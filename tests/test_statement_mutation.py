"""Nothing that is written is without effect: a sample of the mutation run over statements, and the
statements that are for readers alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import WHOLE
from statement_mutation import (
    FILES,
    FOR_READERS,
    QUOTED,
    ROOT,
    Statement,
    answers,
    bare,
    caught,
    statements,
)

EVERY, STEP = (1, 61) if WHOLE else (31, 25)
"""Of so many records one is drawn, and of their statements the first of each kind and one in so
many; the program tries all.
"""

RUBBER = ROOT / "tests" / "findings" / "auction-1912-rubber.hand"


def sample() -> list[Statement]:
    """Statements of all kinds, and of each kind one at least."""
    kinds: set[str] = set()
    chosen = []
    every = (s for s in (*statements(every=EVERY), *statements([RUBBER])) if not s.wrong)
    for number, statement in enumerate(every):
        if number % STEP == 0 or statement.kind not in kinds:
            kinds.add(statement.kind)
            chosen.append(statement)
    return chosen


@pytest.mark.slow
def test_what_is_dropped_or_changed_changes_the_answer_or_is_named_as_not_used() -> None:
    tried = {s: caught(s) for s in sample()}
    assert sum(how is True for how in tried.values()) > 100
    assert [str(s) for s, how in tried.items() if how is False] == []


WITHOUT_MATCH = [p for p in FILES if not re.search(r"^match|^# ===", p.read_text("utf-8"), re.M)]
"""Files of records in which `players` and `sides` are for readers, and which are one file each."""


@pytest.mark.parametrize("path", WITHOUT_MATCH, ids=lambda p: p.name)
def test_what_is_for_readers_bears_on_nothing(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = (re.sub(rf"({QUOTED})|[ \t]*#.*", lambda m: m[1] or "", n) for n in text.splitlines())
    told = [n for n in lines if n.split(maxsplit=1)[:1] not in ([w] for w in FOR_READERS)]
    less = re.sub(rf" note {QUOTED}|(?<=\w)[!?]+", "", "\n".join(told))
    assert bare(answers(less, "play")) == bare(answers(text, "play"))


def test_the_statements_for_readers_are_documented(root: Path) -> None:
    text = (root / "docs" / "notation.md").read_text("utf-8")
    table = text.partition("statements are for readers; they affect nothing")[2].partition("\n\n#")[
        0
    ]
    assert set(re.findall(r"`(\w+)`", table)) == FOR_READERS


def test_the_dealer_of_a_tray_is_used() -> None:
    (path,) = (p for p in FILES if p.name.startswith("12-"))
    dealers = [s for s in statements([path]) if s.kind == "dealer" and not s.wrong]
    assert [str(s) for s in dealers if caught(s) is False] == []


def test_a_record_without_end_is_not_tried() -> None:
    calls = "bidding\n" + "pass\n" * 100
    told = "irregularity revoke by east\n" * 500
    text = f"code auction-1912\ndeal 1\ndealer south\n{told}{calls}"
    (answer,) = answers(text, "whole")
    assert [n["statement"] for n in answer["not_used"]] == ["500 statements"]


def test_a_claim_to_half_of_the_rest_is_used() -> None:
    text = (
        "code auction-1912\ndeal 1\ndeclaration 1 hearts by south\nplay\n"
        "  west: ♠5 ♠4 ♠6 ♠K\n  south claims 6\n"
    )
    (answer,) = answers(text, "whole")
    assert [n for n in answer["not_used"] if "claims" in n["statement"]] == []
