"""Random legal games of Contract as plain files in PBN and in LIN, the same games in both.

A third of them break off during the play, with the result of the complete play, as after a claim.
They name no code and state the vulnerability, as duplicate boards do.
"""

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from random import Random

from lawbook import in_force
from made_deals import with_tricks
from oddtrick.cards import PRINTED_SUITS, SEATS, Side
from oddtrick.judge.events import Call, Trick, events_of
from oddtrick.judge.random_deals import legal_game
from oddtrick.record.deal import Deal, held
from oddtrick.record.lin import KINDS, ORDER
from oddtrick.record.sources import write

CODE = "contract-1927"
NUMBER = 24
VULNERABLE = tuple(map(frozenset, ((), (Side.NS,), (Side.EW,), tuple(Side))))


@cache
def games() -> Sequence[Deal]:
    """The games as deals."""
    made = []
    for number, vulnerable in zip(range(1, NUMBER + 1), cycle(VULNERABLE), strict=False):
        random = Random(number)
        game = legal_game(random, in_force(CODE), number)
        tricks = events_of(game).tricks
        if tricks and number % 3 == 0:
            game = with_tricks(game, tricks[: random.randint(1, 12)])
        made.append(
            game._replace(
                id=f"board {number}",
                code=None,
                tags=(("event", "Club night"),),
                vulnerable=vulnerable,
            )
        )
    return made


@cache
def pbn() -> str:
    """The games in PBN."""
    return write(map(_in_columns, games()), "pbn").replace("\r\n", "\n")


def _in_columns(game: Deal) -> Deal:
    """A game with its tricks in columns, the player who led the first trick first."""
    tricks = events_of(game).tricks
    if not tricks:
        return game
    first = tricks[0].leader
    made = []
    for trick in tricks:
        turn = (SEATS.index(trick.leader) - SEATS.index(first)) % 4
        made.append(Trick((*trick.cards[4 - turn :], *trick.cards[: 4 - turn])))
    return with_tricks(game, made, first)


@cache
def lin() -> str:
    """The games in LIN, one to a line."""
    return "".join(map(_board, games()))


def _board(game: Deal) -> str:
    hands = []
    for seat in ORDER[:3]:
        cards = held(game, seat)
        ranks = {s: "".join(c.rank for c in cards if c.suit is s) for s in PRINTED_SUITS}
        hands.append("".join(suit.value + of_suit for suit, of_suit in ranks.items()))
    dealer, events = ORDER.index(game.dealer) + 1, events_of(game)
    said = [
        f"pn|,,,|st||md|{dealer}{','.join(hands)},|rh||ah|Board {game.id.removeprefix('board ')}|",
        f"sv|{dict(zip(VULNERABLE, 'oneb', strict=True))[game.vulnerable]}|",
        *(f"mb|{_call(c)}|" for c in events.calls or ()),
        "pg||",
    ]
    for trick in events.tricks or ():
        said += [f"pc|{p.card.code}|" for p in trick.cards if p.card]
        said.append("pg||")
    if game.result:
        said.append(f"mc|{game.result.number}|")
    return "".join(said) + "\n"


def _call(call: Call) -> str:
    if call.kind == "bid":
        return f"{call.odd_tricks}{str(call.denomination)[0].upper()}"
    return next(sign for sign, kind in KINDS.items() if kind == call.kind)
