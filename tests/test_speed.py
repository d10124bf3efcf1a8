"""The judge does no unnecessary work: nothing twice, nothing unused, and no more than in proportion
to the record. Work is counted in calls of functions, which are the same on any machine.
"""

import gc
import sys
from collections.abc import Callable

import pytest

import plain_games
from oddtrick.judge.check import check
from oddtrick.judge.rubber import check_document
from oddtrick.record.deal import Deal
from oddtrick.record.sources import read
from oddtrick.report.answers import as_json

CODE, PLAY = "contract-1927", ("declaring", "play")

HEAD = "# oddtrick 1\n\ncode contract-1927\n"


def calls(do: Callable[[], object]) -> int:
    """The number of functions called while something is done, ours and Python's own."""
    number = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(before)
    return number


def games(number: int) -> bytes:
    """So many games of an archive."""
    return "\n\n".join(plain_games.pbn().split("\n\n")[:number]).encode() + b"\n"


def of_calls(number: int) -> bytes:
    """An auction of so many calls: one pass after another; it is over at the fourth."""
    return "\n".join((HEAD, "deal 1", "dealer N", "bidding", "  P" * number, "")).encode()


def of_irregularities(number: int) -> bytes:
    """A deal with so many recorded irregularities."""
    told = "irregularity card-exposed by north\n" * number
    return f"{HEAD}\ndeal 1\ndealer N\nbidding\n  1S P P P\n{told}".encode()


def of_a_rubber(number: int) -> bytes:
    """A rubber of so many deals."""
    deal = "deal {}\ndealer N\nbidding\n  1S P P P\nresult 7 tricks\n\n"
    return f"{HEAD}\nrubber\n\n{''.join(map(deal.format, range(number)))}end\n".encode()


KINDS = {
    "records of an archive": (games, 15),
    "calls": (of_calls, 40),
    "irregularities": (of_irregularities, 10),
    "deals of a rubber": (of_a_rubber, 6),
}


@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_long_takes_twice_as_many_steps(kind: str) -> None:
    made, first = KINDS[kind]

    def steps(number: int) -> int:
        data = made(number)
        return calls(lambda: list(check_document(read(data), CODE, None, PLAY)))

    steps(4 * first)  # values computed once for each law
    one, two, four = (steps(first * n) for n in (1, 2, 4))
    assert two < 2.4 * one, (one, two, four)
    assert four < 2.4 * two, (one, two, four)


def test_the_json_of_twice_as_many_irregularities_takes_twice_as_many_steps() -> None:
    def steps(number: int) -> int:
        results = list(check_document(read(of_irregularities(number)), CODE, None, PLAY))
        return calls(lambda: [*map(as_json, results)])

    steps(50)
    one, two, four = map(steps, (50, 100, 200))
    assert two < 2.4 * one, (one, two, four)
    assert four < 2.4 * two, (one, two, four)


def test_a_record_that_is_judged_leaves_nothing_for_the_collector_of_garbage() -> None:
    data = games(40)

    def judge() -> None:
        for item in read(data):
            if isinstance(item, Deal):
                check(item, CODE, None, PLAY)

    judge()
    gc.collect()
    gc.disable()
    try:
        judge()
        assert gc.collect() < 40
    finally:
        gc.enable()
