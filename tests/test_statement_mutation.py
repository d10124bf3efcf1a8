"""Nothing that is written is without effect: a sample of the mutation run over statements, and the
statements that are for readers alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import WHOLE
from oddtrick.cards import Seat
from oddtrick.judge.check import check
from oddtrick.judge.not_used import MOST
from oddtrick.record.documents import read_text
from oddtrick.record.model import FOR_READERS, Incident, Record
from statement_mutation import FILES, ROOT, Statement, caught, judgeable, judged, statements

EVERY, STEP = (1, 61) if WHOLE else (17, 9)
"""Of so many records one is drawn, and of so many of their statements one is tried here; the
program tries all.
"""

OF_EACH_KIND = [
    ROOT / "tests" / "findings" / "auction-1912-rubber.hand",
    ROOT / "tests" / "notation" / "everything.hand",
]
"""Files that have every kind of statement among them."""


def sample() -> list[Statement]:
    """Statements of all kinds, and of each kind one at least."""
    kinds: set[str] = set()
    chosen = []
    for number, statement in enumerate(statements(every=EVERY)):
        if number % STEP == 0 or statement.kind not in kinds:
            kinds.add(statement.kind)
            chosen.append(statement)
    for statement in statements(OF_EACH_KIND):
        if statement.kind not in kinds:
            kinds.add(statement.kind)
            chosen.append(statement)
    return chosen


@pytest.mark.slow
def test_what_is_dropped_or_changed_changes_the_answer_or_is_named_as_not_used() -> None:
    chosen = sample()
    assert len(chosen) > 100
    assert [str(s) for s in chosen if not caught(s)] == []


def for_readers(record: Record) -> Record:
    """A record without the statements that are for readers."""

    def bare(incidents: tuple[Incident, ...]) -> tuple[Incident, ...]:
        return tuple(replace(i, note=None) for i in incidents)

    return replace(
        record,
        tags=(),
        players=(),
        sides=(),
        comments=(),
        own=None,
        incidents=bare(record.incidents),
        bidding=record.bidding
        and tuple(
            replace(c, mark=None, note=None, incidents=bare(c.incidents)) for c in record.bidding
        ),
        play=record.play
        and tuple(
            replace(
                t,
                cards=tuple(
                    replace(p, mark=None, note=None, incidents=bare(p.incidents)) for p in t.cards
                ),
            )
            for t in record.play
        ),
    )


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_what_is_for_readers_bears_on_nothing(path: Path) -> None:
    for item in read_text(path.read_text("utf-8"), str(path)).items:
        if isinstance(item, Record):
            whole = judgeable(item)
            assert isinstance(whole, Record)
            assert judged(for_readers(whole), False) == judged(whole, False)


def test_the_statements_for_readers_are_documented(root: Path) -> None:
    rows = [f"| {statement} | {tells} |" for statement, tells in FOR_READERS.items()]
    text = (root / "docs" / "notation.md").read_text("utf-8")
    assert [row for row in rows if row not in text] == []


def test_a_record_without_end_is_not_tried() -> None:
    told = tuple(Incident("revoke", Seat.EAST) for _ in range(500))
    calls = "bidding\n" + "pass\n" * 100
    (record,) = read_text(f"code auction-1912\ndeal 1\ndealer south\n{calls}").items
    assert isinstance(record, Record)
    assert MOST < 500 * 100
    named = check(replace(record, incidents=told)).not_used
    assert [n.statement for n in named] == ["500 statements"]


def test_a_claim_to_half_of_the_rest_is_used() -> None:
    text = (
        "code auction-1912\ndeal 1\ndeclaration 1 hearts by south\nplay\n"
        "  west: ♠5 ♠4 ♠6 ♠K\n  south claims 6\n"
    )
    (record,) = read_text(text).items
    assert isinstance(record, Record)
    assert [n for n in check(record).not_used if "claims" in n.statement] == []
