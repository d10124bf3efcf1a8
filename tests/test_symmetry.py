"""Neither the seat of a player, the name of a suit nor what else a file holds affects any judgment.

A record and the same record rotated by one to three seats have the same answer after the rotation is
undone; so has a record with other names for suits that nobody declares, and a record in a file with
others. `ODDTRICK_PAIRS` is the number of pairs of answers, `ODDTRICK_SEED` selects them.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from conftest import WHOLE
from faults import FAULTS
from files import ROOT
from lawbook import in_force, judged_codes
from made_deals import unworded, without_auction
from oddtrick.cards import SEATS, Side, Suit
from oddtrick.judge.check import Check
from oddtrick.judge.random_deals import legal_game
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record.deal import Unreadable, deals_in, denomination_of
from oddtrick.record.hand.read import read_hand
from oddtrick.record.hand.write import write_hand
from oddtrick.report.answers import as_json

FILES = sorted(
    path
    for folder in ("laws/examples", "laws/records", "tests/classes", "tests/findings")
    for path in (ROOT / folder).glob("*.hand")
)
PAIRS = int(os.environ.get("ODDTRICK_PAIRS", "20000" if WHOLE else "180"))
SEED = int(os.environ.get("ODDTRICK_SEED", "1927"))
EACH = max(4, PAIRS // (3 * len(judged_codes())))

LEFT_OUT = (
    "message if then reason statement why remedies file line column end_line end_column quoted"
).split()
"""Words and positions."""
UNORDERED = ("entries", "findings", "lacks", "open", "what_if", "teams", "not_used")


@cache
def items_of(text: str) -> tuple[Any, ...]:
    """The readable deals and groups of a text."""
    return tuple(i for i in read_hand([text.encode()]) if not isinstance(i, Unreadable))


def some(code: str, random: Random) -> str:
    """A written record, or a random game, often with a fault, sometimes without its auction."""
    if random.random() < 0.7:
        return write_hand([random.choice(items_of(random.choice(FILES).read_text("utf-8")))])
    rules = in_force(code)
    game = legal_game(random, rules)
    fault = random.choice([*FAULTS.values()])(game, random, rules)
    deal = fault.deal if fault else game._replace(scores=())
    return write_hand([without_auction(deal) if random.random() < 0.2 else deal])


def answers(text: str, code: str, names: Mapping[str, str] | None = None) -> list[Any]:
    """The answers to each deal and group under a code, with other names of seats and sides."""
    results = check_document(items_of(text), code)
    return [
        compared(unworded(r), names or {}) for r in results if isinstance(r, Check | GroupCheck)
    ]


def compared(value: Any, names: Mapping[str, str]) -> Any:
    """An answer without words and positions, and with other names of seats and sides."""
    if isinstance(value, dict):
        left = {k: v for k, v in value.items() if k not in LEFT_OUT}
        left = {names.get(k, k): compared(v, names) for k, v in left.items()}
        for key in left.keys() & set(UNORDERED):
            if isinstance(left[key], list):
                left[key] = sorted(left[key], key=partial(json.dumps, sort_keys=True))
        return left
    if isinstance(value, list | tuple):
        return [compared(v, names) for v in value]
    return names.get(value, value) if isinstance(value, str) else value


def turn(steps: int) -> dict[str, str]:
    """The names of all seats and sides after a rotation."""
    names = {}
    for seat in SEATS:
        for name in ("value", "word", "title"):
            names[getattr(seat, name)] = getattr(seat.after(steps), name)
    for side in Side:
        for name in ("value", "word", "title"):
            names[getattr(side, name)] = getattr(side.other if steps % 2 else side, name)
    return names


PLACE = re.compile(r"\b(?:north-south|east-west|north|east|south|west)\b", re.IGNORECASE)


@pytest.mark.parametrize("code", judged_codes())
def test_a_record_turned_has_the_answer_turned(code: str) -> None:
    random, number, differ = Random(f"{SEED} {code}"), 0, list[str]()
    while number < EACH:
        text, names = some(code, random), turn(random.randrange(1, 4))
        turned = PLACE.sub(lambda m, of=names: of[m[0].lower()], text)
        own = answers(text, code, names)
        differ += [text] if own != answers(turned, code) else []
        number += len(own)
    assert differ == []


SUIT = re.compile(r"[♠♥♦♣]|\b(?:spade|heart|diamond|club)(?=s?\b)", re.IGNORECASE)
LETTERS = re.compile(r"\b(?:[SHDC](?:10|[2-9TJQKA])|(?:10|[2-9TJQKA])[SHDC])\b", re.IGNORECASE)


def renamed(text: str, random: Random) -> str:
    """The text with other names for the suits that neither calls nor declarations name."""
    deals = [*deals_in(items_of(text))]
    named = {denomination_of(c) or "" for d in deals for c in d.calls or ()}
    named |= {d.declaration.denomination or "" for d in deals if d.declaration}
    free = [s for s in Suit if not any(s.word in name for name in named)]
    other = dict(zip(free, random.sample(free, len(free)), strict=True))

    def new(found: re.Match[str]) -> str:
        suit = next(s for s in Suit if found[0].lower() in (s.symbol, s.word.removesuffix("s")))
        to = other.get(suit, suit)
        return to.symbol if found[0] == suit.symbol else to.word.removesuffix("s")

    return text if LETTERS.search(text) else SUIT.sub(new, text)


@pytest.mark.parametrize("code", judged_codes())
def test_a_record_with_its_suits_renamed_has_the_same_answer(code: str) -> None:
    random, number, differ = Random(f"{SEED} {code} suits"), 0, list[str]()
    while number < EACH:
        text = some(code, random)
        if (other := renamed(text, random)) == text:
            continue
        own = answers(text, code)
        differ += [text] if own != answers(other, code) else []
        number += len(own)
    assert differ == []


@pytest.mark.parametrize("code", judged_codes())
def test_a_record_has_the_same_answer_among_others(code: str) -> None:
    random, number = Random(f"{SEED} {code} files"), 0
    while number < EACH:
        texts = [some(code, random) for _ in range(4)]
        alone = [answer for text in texts for answer in answers(text, code)]
        assert answers("\n".join(texts), code) == alone
        number += len(alone)


def test_callers_have_no_seats_if_nobody_is_named() -> None:
    text = (
        (ROOT / "laws/examples/record.no-dealer.hand").read_text("utf-8").partition("\ndeal 2")[0]
    )
    (check,) = check_document(items_of(text), "bridge-1904")
    assert isinstance(check, Check)
    found = unworded(check)["findings"]
    calls = [f for f in as_json(check)["findings"] if f["rule"] == "declaring.passed-back"]
    assert calls
    assert not any(PLACE.search(f["message"]) for f in calls)
    assert {g["offender"] for f in found for g in f.get("gives", ())} == {None}
