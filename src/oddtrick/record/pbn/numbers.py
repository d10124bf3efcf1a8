"""A plain game of PBN in numbers, as far as numbers tell it and nothing is to be said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from oddtrick.cards import Seat
from oddtrick.record.model import Declaration, Result
from oddtrick.record.numbers import Numbers
from oddtrick.record.pbn.cut import SECTIONS
from oddtrick.record.pbn.plain import Layout, Plain
from oddtrick.record.pbn.sections import calls_of, rows_of
from oddtrick.record.pbn.values import (
    UNKNOWN,
    contract_of,
    plain_deal,
    result_of,
    seat_of,
    vulnerable_of,
)


@lru_cache(1000)
def _is_told(layout: Layout) -> bool:
    """Whether numbers tell all that tags with these names say of the calls, cards and score."""
    named = zip(layout.names, layout.lined, strict=True)
    return not any(
        ((lined or name.endswith("Table")) and name not in SECTIONS and name != "Table")
        or name.startswith("ScoreRubber")
        for name, lined in named
    )


PASSED = Declaration(passed_out=True)
Made = TypeVar("Made")
Known = tuple[Made | None] | None
"""What a value is read as, `None` in it where it says nothing; `None` of one that is no value."""


@lru_cache(1000)
def _known(read: Callable[[str], Made | None], value: str | None) -> Known[Made]:
    """The value of a tag that may not be there."""
    made = None if value is None or value in UNKNOWN else read(value)
    return None if made is None and value not in (None, *UNKNOWN) else (made,)


@lru_cache(1000)
def _declared(contract: str | None, declarer: str | None) -> Known[Declaration]:
    """The declaration that contract and declarer state, but for its place."""
    found = _known(_whole_contract, contract)
    if found is None or found[0] == PASSED:
        return found
    seat = _known(seat_of, declarer)
    if seat is None:
        return None
    one, player = found[0], seat[0]
    if one is None:
        return (Declaration(declarer=player) if player else None,)
    return (replace(one, declarer=player or one.declarer),)


def _whole_contract(text: str) -> Declaration | None:
    """The declaration of a contract that nothing had to be taken for granted to read."""
    declaration, assumed = contract_of(text)
    return None if assumed else declaration


@lru_cache(1000)
def _taken(result: str | None, declarer: Seat | None) -> Known[Result]:
    """The result of a tag, but for its place."""
    if result is None or result in UNKNOWN:
        return (None,)
    made = result_of(result, declarer)
    return (made,) if made else None


def game_in_numbers(game: Plain) -> Numbers | None:
    """The numbers of a plain game; `None` where they do not tell it, or it says what is no value.

    Its hands are whole, its calls begin with the dealer's, its cards stand in rows.
    """
    said, layout = game.said, game.layout
    hands = plain_deal(said("Deal") or "")
    dealer = _known(seat_of, said("Dealer"))
    vulnerable = _known(vulnerable_of, said("Vulnerable"))
    declared = _declared(said("Contract"), said("Declarer"))
    if not (hands and dealer and vulnerable and declared and _is_told(layout)):
        return None
    result = _taken(said("Result"), declared[0].declarer if declared[0] else None)
    if result is None:
        return None
    opened, calls, rows = None, None, None
    if "Auction" in layout.index:
        first = seat_of(said("Auction") or "")
        plain = calls_of(first, game.words("Auction")) if first else None
        if plain is None or dealer[0] not in (None, plain[0]):
            return None
        opened, calls = plain
    if "Play" in layout.index:
        first = seat_of(said("Play") or "")
        rows = rows_of(first, game.words("Play")) if first else None
        if not rows:
            return None
    most = max(len(calls or ()), 4 * len(rows or ()), sum(map(int.bit_count, hands)))
    stated = (dealer[0], opened, declared[0], result[0], vulnerable[0], said("Scoring") or "")
    return Numbers(calls, rows, hands, most, False, *stated)
