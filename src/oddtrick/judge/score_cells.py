"""Every account of a code as one small table: which entries a contract with its result has, which
the honours, and which are added where the score below the line makes a game of it.

A reader of the table looks up three places and adds figures that `account` made; no rule of a code
is known to it. South declares, so the declaring side is N-S.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from oddtrick.cards import Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.finding import Entry
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_law import ScoreLaw, score_law
from oddtrick.judge.score_procedures import Facts, Holding, Standing, trump_suit
from oddtrick.judge.score_table import NO_VOIDS, NOTHING, declarations, states
from oddtrick.law.rules import Rules

AFTER = ("game-bonus", "rubber-bonus")
"""The items of an account that come of a game, which the score before the deal may make."""

Games = tuple[int, int]
"""The games that the declaring side and its adversaries have won."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The account of a declaration with a result, without honours and without what a game adds.

    Where `scorer` had `reached` points or more below the line before the deal, he wins a game by
    it; `reached` is `None` where nobody does, whatever he had.
    """

    entries: tuple[Entry, ...]
    scorer: Side | None = None
    reached: int | None = None


@dataclass(frozen=True, slots=True)
class GameWon:
    """What a game adds to an account, and whether it ends the rubber."""

    entries: tuple[Entry, ...]
    over: bool


def cells(law: Rules) -> Iterator[tuple[Final, int, int, Cell]]:
    """Every declaration with the games of the declaring side (its adversaries' change nothing) and
    every number of tricks, and its cell.
    """
    score = score_law(law)
    least = _least(score)
    own = sorted({games[0] for games in states(law)}) if score.vulnerable else [0]
    for final in declarations(law):
        for games, tricks in product(own, range(score.hand_size + 1)):
            facts = Facts(final, tricks, NOTHING, NO_VOIDS, Standing((games, 0), (0, 0)))
            told = account(facts, score)
            entries = tuple(e for e in told.entries if e.item not in AFTER)
            scorer = next((s for s in Side if told.points(s, "trick")), None)
            reached = least(told.points(scorer, "trick")) if scorer else None
            yield final, games, tricks, Cell(entries, scorer, reached)


def _least(law: ScoreLaw) -> Callable[[int], int | None]:
    """The fewest points below the line with which so many more are a game."""

    @cache
    def least(points: int) -> int | None:
        most, how = law.game or 0, law.game_score
        before = range(most) if law.rubber_end else range(1)
        return next((n for n in before if how and how(n, points) >= most), None)

    return least


def games_won(
    law: Rules, listed: Iterable[tuple[Final, int, int, Cell]]
) -> dict[tuple[Side, Games], GameWon]:
    """What a game adds, by the side that wins it and the games before it: of each side that can
    win one, by the first of the listed `cells` in which it does.
    """
    score, found = score_law(law), {}
    first: dict[Side, tuple[Final, int, int]] = {}
    for final, _, tricks, cell in listed:
        if cell.scorer and cell.reached is not None:
            first.setdefault(cell.scorer, (final, tricks, cell.reached))
    for (side, (final, tricks, had)), games in product(first.items(), states(law)):
        stood = (had, 0) if side is Side.NS else (0, had)
        told = account(Facts(final, tricks, NOTHING, NO_VOIDS, Standing(games, stood)), score)
        added = tuple(e for e in told.entries if e.item in AFTER)
        found[side, games] = GameWon(added, told.rubber is not None)
    return found


# --- honours --------------------------------------------------------------------------------------

Held = tuple[Side, Holding]
"""The side that held honours which may count, and how."""


def holdings(law: Rules, denomination: str) -> tuple[Holding, ...]:
    """The holdings of one side that count in a denomination, as the figures of a code key them."""
    kind = "trump" if trump_suit(denomination, law) else "no-trump"
    values = score_law(law).honour_values.get(kind)
    pairs = (tuple(map(int, split.split("-"))) for split in (values.values if values else ()))
    return tuple(Holding(a + b, a) for a, b in sorted(pairs, key=lambda p: (sum(p), p[0])))


def chicanes(law: Rules, denomination: str) -> tuple[tuple[int, int], ...]:
    """The hands without a trump, those of the declaring side first, where the code has chicane."""
    if score_law(law).chicane is None or not trump_suit(denomination, law):
        return ((0, 0),)
    return ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))


def honours(
    law: Rules, denomination: str
) -> Iterator[tuple[Held | None, tuple[int, int], tuple[Entry, ...]]]:
    """What honours and chicane give in a denomination: who held which, hands without a trump, the
    entries. What cannot be (a side of which a hand has no trump holds honours in both) is left out.
    """
    odd = (law.value("bid-range") or {"least": 0})["least"]
    final = Final(odd, denomination, 0, Seat.SOUTH, Seat.SOUTH, False)
    held: list[Held | None] = [None, *product(Side, holdings(law, denomination))]
    score = score_law(law)
    for who, (ours, theirs) in product(held, chicanes(law, denomination)):
        holding = dict(NOTHING) | ({who[0]: who[1]} if who else {})
        voids = {Side.NS: ours, Side.EW: theirs}
        if any(voids[s] and h.total and not _in_one(h, voids[s]) for s, h in holding.items()):
            continue
        told = account(Facts(final, None, holding, voids, Standing((0, 0), (0, 0))), score)
        yield who, (ours, theirs), told.entries


def _in_one(holding: Holding, voids: int) -> bool:
    return voids == 1 and holding.more == holding.total
