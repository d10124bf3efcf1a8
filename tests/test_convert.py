"""Conversion both ways: what PBN can say comes back as it was, and what it cannot say is named."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from oddtrick.judge.check import Check, check_record
from oddtrick.judge.finding import Finding
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.in_force import in_force, judged_codes
from oddtrick.record.convert import converted
from oddtrick.record.hand.read import read_bytes, read_hand
from oddtrick.record.model import Group, Record
from oddtrick.record.pbn.read import read_pbn

ROOT = Path(__file__).resolve().parent.parent


def there_and_back(record: Record) -> Record:
    """The record through PBN, and through our own notation again."""
    there = converted([record], "pbn", "x")
    assert there.text is not None
    items = list(read_pbn(there.text.encode().splitlines(keepends=True)))
    assert not [i for i in items if isinstance(i, Finding)], items
    back = converted(items, "hand", "x")
    assert back.text is not None
    (found,) = read_hand(back.text).items
    assert isinstance(found, Record)
    return found


def answer(record: Record) -> dict[str, Any]:
    """What the checker says of a record, without places."""
    check: Check = check_record(record)
    told = check.as_json()
    for finding in told["findings"]:
        for key in ("file", "line", "column", "end_line", "end_column"):
            del finding[key]
    return {k: v for k, v in told.items() if k not in ("file", "line", "id")}


@pytest.mark.parametrize("code", judged_codes())
@pytest.mark.parametrize("seed", range(8))
def test_a_game_comes_back_through_pbn_and_is_judged_the_same(code: str, seed: int) -> None:
    record = legal_game(Random(seed), in_force(code))
    back = there_and_back(record)
    assert dict(back.hands)[record.hands[0][0]].cards == record.hands[0][1].cards
    assert answer(back) == answer(record)


RECORDS = [
    (path.name, record)
    for path in sorted((ROOT / "laws" / "records").glob("*.hand"))
    for item in read_bytes(path.read_bytes(), path.name).items
    for record in (item.records if isinstance(item, Group) else (item,))
]


@pytest.mark.parametrize(("name", "record"), RECORDS, ids=[f"{n}: {r.id}" for n, r in RECORDS])
def test_a_shipped_record_comes_back_through_pbn_and_is_judged_the_same(
    name: str, record: Record
) -> None:
    assert answer(there_and_back(record)) == answer(record)


def test_a_file_without_a_record_gives_no_text() -> None:
    result = converted([], "pbn", "nothing.hand")
    assert result.text is None
    assert result.said == ("nothing.hand: there is no record in it.",)
