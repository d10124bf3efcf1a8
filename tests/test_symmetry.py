"""The seat of a player, the name of a suit and the file of a deal do not affect any judgment.

Each pair is a record and the same record rotated by one to three seats, or with other names for
suits that neither the calls nor the declaration name, or written in one file with other records in
another order. Both must have the same answer after the change is undone. `ODDTRICK_PAIRS` is the
number of pairs of answers, `ODDTRICK_SEED` selects them.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from conftest import WHOLE
from faults import FAULTS
from files import ROOT
from lawbook import in_force, judged_codes
from made_deals import without_auction
from oddtrick.cards import PACK, SEATS, Card, Seat, Side, Suit, bits, cards_in
from oddtrick.judge.check import Check
from oddtrick.judge.message import silent
from oddtrick.judge.random_deals import legal_game
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record.deal import Deal, Figures, Group, Unreadable, deals_in, denomination_of
from oddtrick.record.hand.read import read_hand
from oddtrick.record.hand.write import write_hand

FILES = sorted(
    path
    for folder in ("laws/examples", "laws/records", "tests/classes", "tests/findings")
    for path in (ROOT / folder).glob("*.hand")
)
PAIRS = int(os.environ.get("ODDTRICK_PAIRS", "20000" if WHOLE else "180"))
SEED = int(os.environ.get("ODDTRICK_SEED", "1927"))
GAMES = 40
"""The random games of each code, with and without a fault."""

WORDED = ("message", "if", "then", "reason", "statement", "why", "remedies")
PLACED = ("file", "line", "column", "end_line", "end_column", "quoted")
UNORDERED = ("entries", "findings", "lacks", "open", "what_if", "teams", "not_used")

Record = Deal | Group
Namer = Callable[[Any], Any]


# --- the records ----------------------------------------------------------------------------------


@cache
def written() -> tuple[Record, ...]:
    """Every readable deal and group of the records of the tests."""
    items = (item for path in FILES for item in read_hand([path.read_bytes()]))
    return tuple(item for item in items if not isinstance(item, Unreadable))


@cache
def random_games(code: str) -> tuple[Deal, ...]:
    """Random games of a code, legal or with a fault, some without their auction."""
    rules, random = in_force(code), Random(SEED)
    games = []
    for number in range(GAMES):
        game = legal_game(random, rules)
        fault = random.choice([*FAULTS.values()])(game, random, rules) if number % 4 else None
        deal = fault.deal if fault else game._replace(scores=())
        games.append(without_auction(deal) if number % 5 == 0 else deal)
    return tuple(games)


def some(code: str, random: Random) -> Record:
    """A written record or a random game."""
    return random.choice(written() if random.random() < 0.7 else random_games(code))


# --- answers --------------------------------------------------------------------------------------


def answers(items: list[Record], code: str) -> list[Any]:
    """The answers to each deal and group under a code, without words and positions."""
    results = check_document(items, code)
    return [
        compared(r.answer() if isinstance(r, Check) else r.as_json(silent))
        for r in results
        if isinstance(r, Check | GroupCheck)
    ]


def compared(value: Any, names: Mapping[str, str] | None = None) -> Any:
    """An answer in the form for comparison, with other names of seats and sides."""
    named = names or {}
    if isinstance(value, dict):
        left = {k: v for k, v in value.items() if k not in (*WORDED, *PLACED)}
        left = {named.get(k, k): compared(v, names) for k, v in left.items()}
        for key in left.keys() & set(UNORDERED):
            if isinstance(left[key], list):
                left[key] = sorted(left[key], key=partial(json.dumps, sort_keys=True))
        return left
    if isinstance(value, list | tuple):
        return [compared(v, names) for v in value]
    return named.get(value, value) if isinstance(value, str) else value


# --- what is the same -----------------------------------------------------------------------------


def changed(value: Any, of: Namer) -> Any:
    """A record with each seat, side, suit and card changed."""
    if isinstance(value, Seat | Side | Suit | Card):
        return of(value)
    if isinstance(value, Figures):
        return value if of(Side.NS) is Side.NS else Figures(value.ew, value.ns)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(changed(v, of) for v in value))
    if isinstance(value, tuple | frozenset | list):
        return type(value)(changed(v, of) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        every = {f.name: getattr(value, f.name) for f in fields(value) if f.name != "source"}
        return replace(value, **{name: changed(v, of) for name, v in every.items()})
    return value


def with_words(item: Record, of: Callable[[str], str]) -> Record:
    """The record with other words for the cards and remedies of its irregularities."""
    if isinstance(item, Group):
        return replace(item, deals=tuple(with_words(deal, of) for deal in item.deals))
    return item._replace(
        incidents=tuple(
            replace(i, of=i.of and of(i.of), remedy=i.remedy and of(i.remedy))
            for i in item.incidents
        )
    )


def each_deal(item: Record, of: Callable[[Deal], Deal]) -> Record:
    return replace(item, deals=tuple(map(of, item.deals))) if isinstance(item, Group) else of(item)


def turned(item: Record, steps: int) -> Record:
    """The record with every player moved by some seats to the left."""

    def moved(value: Any) -> Any:
        if isinstance(value, Side):
            return value.other if steps % 2 else value
        return value.after(steps) if isinstance(value, Seat) else value

    def places(deal: Deal) -> Deal:
        n = steps % 4
        hands, spans = deal.hands, deal.hand_spans
        return deal._replace(
            hands=hands[4 - n :] + hands[: 4 - n], hand_spans=spans[4 - n :] + spans[: 4 - n]
        )

    def worded(words: str) -> str:
        return re.sub(
            r"\b(north|east|south|west)\b(?!-)",
            lambda m: next(s for s in SEATS if s.word == m[1].lower()).after(steps).word,
            words,
            flags=re.I,
        )

    return with_words(each_deal(changed(item, moved), places), worded)


SUIT_WORDS = re.compile(r"[♠♥♦♣]|\b(?:spade|heart|diamond|club)(?=s?\b)", re.IGNORECASE)
LETTERS = re.compile(r"\b(?:[SHDC](?:10|[2-9TJQKA])|(?:10|[2-9TJQKA])[SHDC])\b", re.IGNORECASE)


def renamed(item: Record, random: Random) -> Record | None:
    """The record with other names for suits that neither calls nor declarations name; `None` if
    there are fewer than two.
    """
    deals = [*deals_in([item])]
    stated = {d.declaration.denomination for d in deals if d.declaration}
    names = {denomination_of(c) for d in deals for c in d.calls or ()} | stated
    free = [s for s in Suit if not any(s.word in (name or "") for name in names)]
    words = " ".join(f"{i.of} {i.remedy} {i.when}" for d in deals for i in d.incidents)
    if len(free) < 2 or LETTERS.search(words):
        return None
    other = dict(zip(free, random.sample(free, len(free)), strict=True))

    def again(value: Any) -> Any:
        if isinstance(value, Suit):
            return other.get(value, value)
        same = isinstance(value, Card) and value.suit in other
        return Card(other[value.suit], "23456789TJQKA"[value.height]) if same else value

    def cards(deal: Deal) -> Deal:
        north, east, south, west = (bits(map(again, cards_in(hand))) for hand in deal.hands)
        played = deal.cards and tuple(OF_NUMBER.get(c, c) for c in deal.cards)
        return deal._replace(hands=(north, east, south, west), cards=played)

    def word(found: re.Match[str]) -> str:
        suit = next(s for s in Suit if found[0].lower() in (s.symbol, s.word.removesuffix("s")))
        new = again(suit)
        return str(new.symbol) if found[0] == suit.symbol else str(new.word).removesuffix("s")

    def worded(words: str) -> str:
        return SUIT_WORDS.sub(word, words)

    return with_words(changed(each_deal(item, cards), again), worded)


OF_NUMBER = {int(card): card for card in PACK}


# --- the pairs ------------------------------------------------------------------------------------


def of_turns(code: str, random: Random) -> Iterator[tuple[object, Any, Any]]:
    """Pairs of answers to a record and to the same record rotated, the former rotated too."""
    while True:
        item, steps = some(code, random), random.randrange(1, 4)
        names = {s.value: s.after(steps).value for s in SEATS}
        for side in Side:
            other = side.other if steps % 2 else side
            names |= {side.value: other.value, side.title: other.title, side.word: other.word}
        own = [compared(a, names) for a in answers([item], code)]
        yield (item.span, item.source.name, steps), own, answers([turned(item, steps)], code)


def of_suits(code: str, random: Random) -> Iterator[tuple[object, Any, Any]]:
    """Pairs of answers to a record and to the same record with suits renamed."""
    while True:
        item = some(code, random)
        if other := renamed(item, random):
            yield (item.span, item.source.name), answers([item], code), answers([other], code)


def of_files(code: str, random: Random) -> Iterator[tuple[object, Any, Any]]:
    """Pairs of answers to a deal in its own file and among others in any order."""
    while True:
        items = [some(code, random) for _ in range(4)]
        texts = [write_hand([item]) for item in items]
        alone = [answers(items_of(text), code) for text in texts]
        order = random.sample(range(4), 4)
        together = answers(items_of("\n".join(texts[n] for n in order)), code)
        for n in order:
            own, together = together[: len(alone[n])], together[len(alone[n]) :]
            yield texts[n], alone[n], own


def items_of(text: str) -> list[Record]:
    found = read_hand([text.encode()])
    return [item for item in found if not isinstance(item, Unreadable)]


WAYS = {"turned": of_turns, "suits": of_suits, "files": of_files}
EACH = max(4, PAIRS // (len(WAYS) * len(judged_codes())))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", judged_codes())
def test_the_same_record_has_the_same_answer(code: str, way: str) -> None:
    number, differ = 0, list[object]()
    for record, own, other in WAYS[way](code, Random(f"{SEED} {code} {way}")):
        differ += [record] if own != other else []
        number += len(own)
        if number >= EACH:
            break
    assert differ == []
