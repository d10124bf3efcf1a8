"""Random legal games of Contract as plain files in PBN and in LIN, the same games in both.

A third of them break off during the play, with the result that the whole play gave, as after a
claim. They name no code and say who is vulnerable, as boards of duplicate do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle
from random import Random

from lawbook import in_force
from oddtrick.cards import PRINTED_SUITS, SEATS, Side
from oddtrick.judge.random_deals import legal_game
from oddtrick.record.lin import KINDS, ORDER
from oddtrick.record.model import Call, Record, Stated, Trick
from oddtrick.record.pbn.texts import PBN_DENOMINATION, hand_text, vulnerable_text
from oddtrick.record.sources import write

CODE = "contract-1927"
NUMBER = 24
VULNERABLE = tuple(map(frozenset, ((), (Side.NS,), (Side.EW,), tuple(Side))))


@cache
def games() -> Sequence[Record]:
    """The games as records."""
    made = []
    for number, vulnerable in zip(range(1, NUMBER + 1), cycle(VULNERABLE), strict=False):
        random = Random(number)
        game = legal_game(random, in_force(CODE), number)
        play = game.play
        if play and number % 3 == 0:
            play = play[: random.randint(1, 12)]
        changed = {"id": f"board {number}", "code": None, "tags": (("event", "Club night"),)}
        made.append(replace(game, **changed, play=play, vulnerable=Stated(vulnerable)))
    return made


@cache
def pbn() -> str:
    """The games in PBN."""
    made = [replace(g, play=_columns(g.play) if g.play else None) for g in games()]
    return write(made, "pbn").replace("\r\n", "\n")


def _columns(play: Sequence[Trick]) -> tuple[Trick, ...]:
    """Tricks in the columns of the player who led the first."""
    first = play[0].leader
    assert first is not None
    made = []
    for trick in play:
        assert trick.leader is not None
        turn = (SEATS.index(trick.leader) - SEATS.index(first)) % 4
        made.append(Trick((*trick.cards[4 - turn :], *trick.cards[: 4 - turn]), None, first))
    return tuple(made)


@cache
def lin() -> str:
    """The games in LIN, each on a line."""
    return "".join(map(_board, games()))


def _board(game: Record) -> str:
    assert game.dealer is not None
    assert game.vulnerable is not None
    hands = []
    for seat in ORDER[:3]:
        held = hand_text(dict(game.hands)[seat].cards).split(".")
        hands.append("".join(s.value + r for s, r in zip(PRINTED_SUITS, held, strict=True)))
    dealer, vulnerable = ORDER.index(game.dealer.value) + 1, vulnerable_text(game.vulnerable.value)
    said = [
        f"pn|,,,|st||md|{dealer}{','.join(hands)},|rh||ah|Board {game.id.removeprefix('board ')}|",
        f"sv|{ {'None': 'o', 'NS': 'n', 'EW': 'e', 'All': 'b'}[vulnerable] }|",
        *(f"mb|{_call(c)}|" for c in game.bidding or ()),
        "pg||",
    ]
    for trick in game.play or ():
        said += [f"pc|{p.card.code}|" for p in trick.cards if p.card]
        said.append("pg||")
    if game.result:
        said.append(f"mc|{game.result.number}|")
    return "".join(said) + "\n"


def _call(call: Call) -> str:
    if call.kind == "bid":
        return f"{call.odd_tricks}{PBN_DENOMINATION[call.denomination or ''][0]}"
    return next(sign for sign, kind in KINDS.items() if kind == call.kind)
