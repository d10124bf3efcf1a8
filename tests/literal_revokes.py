"""A slow, literal interpretation of the cost of established revokes, one function for each code.

It is written from the laws on the penalty in the printed codes (with the project's readings where
the print is doubtful), and not from the judge: nothing of `oddtrick.judge` is imported. The figures
are those of the print. The caller supplies the score of a deal without a revoke.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oddtrick.cards import Card, Seat, Suit

MINE, THEIRS = "declaring side", "adversaries"
Points = dict[tuple[str, str, str], int]
"""Points by side, column and reason."""


@dataclass(frozen=True)
class Revoke:
    """An established revoke: the side, whether it was claimed, and whether for tricks or points.
    `neither` says that the declarer, who had the choice of these, demanded something else; `spoilt`
    says that it was claimed and the right to the penalty lost.
    """

    side: str
    claimed: bool
    tricks: bool = False
    neither: bool = False
    spoilt: bool = False


@dataclass(frozen=True)
class Dealt:
    """A deal: `items` returns its points for so many tricks of the declaring side. `standing` is
    each side's score towards the game; `trumps` says whether there are any.
    """

    played: int
    items: Callable[[int], Points]
    standing: dict[str, int]
    trumps: bool


Totals = dict[tuple[str, str], int]
"""Points by side and column."""


def other(side: str) -> str:
    """The other side."""
    return THEIRS if side == MINE else MINE


def of(points: Points, *wanted: str) -> Points:
    """The points for certain reasons."""
    return {where: n for where, n in points.items() if where[2] in wanted}


def without(points: Points, side: str, *but: str) -> Points:
    """The points without those of a side, except what it may score anyway."""
    return {w: n for w, n in points.items() if w[0] != side or w[2] in but}


def made_by(revokes: Sequence[Revoke], side: str) -> list[Revoke]:
    """The revokes of a side, in order."""
    return [r for r in revokes if r.side == side]


def claimed(revokes: Sequence[Revoke], side: str) -> list[Revoke]:
    """The claimed revokes of a side."""
    return [r for r in made_by(revokes, side) if r.claimed]


def later(revokes: Sequence[Revoke], side: str) -> int:
    """The number of claimed revokes of a side after its first."""
    return sum(r.claimed for r in made_by(revokes, side)[1:])


def moved(tricks: int, *moves: int) -> int:
    """The declaring side's tricks after it gains some and gives some; a side gives only what it
    has.
    """
    for gained in moves:
        tricks += min(gained, 13 - tricks) if gained > 0 else max(gained, -tricks)
    return tricks


def summed(*parts: Points, more: Totals | None = None) -> Totals:
    """The totals of each side and column."""
    totals: Totals = {}
    for part in parts:
        for (side, column, _), points in part.items():
            totals[side, column] = totals.get((side, column), 0) + points
    for where, points in (more or {}).items():
        totals[where] = totals.get(where, 0) + points
    return {w: n for w, n in totals.items() if n}


HONOURS = ("honours", "chicane")
BONUSES = ("contract-bonus", "overtricks")


def bridge(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Laws 87 to 89, 95, 96: three tricks for each, thirteen at most, and the revoking side cannot
    reach 30. The slam depends on the tricks played (laws 7, 8). The side cannot reach 30 even if no
    penalty can be enforced.
    """
    moves = (3 * r.claimed * (1 if r.side == THEIRS else -1) for r in revokes)
    after, before = deal.items(moved(deal.played, *moves)), deal.items(deal.played)
    odd = of(after, "odd-tricks")
    for where in odd:
        if any(r.claimed or r.spoilt for r in made_by(revokes, where[0])):
            odd[where] = min(odd[where], max(0, 28 - deal.standing[where[0]]))
    return summed(odd, of(before, "slam", *HONOURS))


def auction_1912(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Laws 84 and 89, with 7 and 8 on the slam."""
    before = deal.items(deal.played)
    extra = {(other(side), "honour"): 100 * later(revokes, side) for side in (MINE, THEIRS)}
    own, theirs = made_by(revokes, MINE), made_by(revokes, THEIRS)
    if own and theirs:  # 89: only honours in trumps or chicane; 100 for each extra revoke
        if not any(r.claimed for r in revokes):
            return summed(before)
        return summed(of(before, *HONOURS) if deal.trumps else {}, more=extra)
    if not any(r.claimed for r in revokes):
        return summed(before)
    first = (own or theirs)[0]
    if own:  # (a); a revoking side cannot score, except for honours or chicane
        if first.claimed:
            extra[THEIRS, "honour"] = extra.get((THEIRS, "honour"), 0) + 150
        return summed(without(before, MINE, *HONOURS), more=extra)
    tricks = 3 if first.claimed and first.tricks else 0
    if first.claimed and not first.tricks and not first.neither:
        extra[MINE, "honour"] = extra.get((MINE, "honour"), 0) + 150
    after = deal.items(moved(deal.played, tricks))
    parts = (of(after, "odd-tricks"), of(before, "slam", *BONUSES, *HONOURS))
    return summed(*(without(p, THEIRS, *HONOURS) for p in parts), more=extra)


def duplicate_1912(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Law 101, with 14 and 15 on the slam: the revokes of each side are counted separately."""
    extra = {(other(side), "honour"): 100 * later(revokes, side) for side in (MINE, THEIRS)}
    tricks, trick_points = 0, True
    for side in (MINE, THEIRS):
        first = made_by(revokes, side)[:1]
        if not first or not first[0].claimed:
            continue
        if side == MINE:
            trick_points = False  # A
        if side == THEIRS and first[0].tricks:
            tricks = 3  # B
        else:
            extra[other(side), "honour"] += 150
    after, before = deal.items(moved(deal.played, tricks)), deal.items(deal.played)
    won = of(after, "odd-tricks", "game-bonus") if trick_points else {}
    return summed(won, of(after, "undertricks"), of(before, "slam", *BONUSES, *HONOURS), more=extra)


def royalton_1915(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Laws 77 and 81: if the sides revoke equally often nothing is scored, otherwise 100 for each
    revoke in excess. If only one side revokes, more than once, each counts 100; if once, the
    declarer may have tricks.
    """
    own, theirs = made_by(revokes, MINE), made_by(revokes, THEIRS)
    if own and len(own) == len(theirs):
        return None  # 81: there must be a new deal, and nobody has to claim it
    before = deal.items(deal.played)
    if own and theirs:
        many = own if len(own) > len(theirs) else theirs
        beyond = [r for r in many[min(len(own), len(theirs)) :] if r.claimed]
        extra = {(other(many[0].side), "honour"): 100 * len(beyond)}
        lost = any(r.claimed for r in own)
    else:
        side = MINE if own else THEIRS
        tricks = len(revokes) == 1 and revokes[0].claimed and revokes[0].tricks and side == THEIRS
        if tricks:
            return summed(deal.items(moved(deal.played, 3)))
        each = [r for r in claimed(revokes, side) if not r.neither]
        extra = {(other(side), "honour"): 100 * len(each)}
        lost = bool(claimed(revokes, MINE))
    gone = {w for w in before if w[:2] == (MINE, "trick")} if lost else set()
    return summed({w: n for w, n in before.items() if w not in gone}, more=extra)


def auction_1926(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Law 46: two tricks for the first revoke of a side, one for each later one, as if won in play."""
    moves = []
    for n, revoke in enumerate(revokes):
        tricks = 1 if made_by(revokes[:n], revoke.side) else 2
        moves.append(tricks * revoke.claimed * (1 if revoke.side == THEIRS else -1))
    return summed(deal.items(moved(deal.played, *moves)))


def contract_1927(deal: Dealt, revokes: Sequence[Revoke]) -> Totals | None:
    """Law 12: two tricks for the first revoke of a side, as in Auction; 100 points for each later
    one.
    """
    extra = {(other(side), "honour"): 100 * later(revokes, side) for side in (MINE, THEIRS)}
    firsts = [r for n, r in enumerate(revokes) if not made_by(revokes[:n], r.side)]
    moves = (2 * r.claimed * (1 if r.side == THEIRS else -1) for r in firsts)
    return summed(deal.items(moved(deal.played, *moves)), more=extra)


SCORED: dict[str, Callable[[Dealt, Sequence[Revoke]], Totals | None]] = {
    "bridge-elwell": bridge,
    "auction-1912": auction_1912,
    "duplicate-1912": duplicate_1912,
    "royalton-1915": royalton_1915,
    "auction-1926": auction_1926,
    "contract-1927": contract_1927,
}
"""The totals of a deal with its revokes; `None` if there is a new deal."""


# --- in the cards -------------------------------------------------------------------------------


def winner(cards: Sequence[tuple[Seat, Card]], trump: Suit | None) -> Seat:
    """The winner of a trick: the highest trump, otherwise the highest card of the suit led."""
    led = cards[0][1].suit
    best = [c for c in cards if c[1].suit is trump] or [c for c in cards if c[1].suit is led]
    return max(best, key=lambda c: c[1].height)[0]


def revoked(hand: Sequence[Card], led: Card, card: Card) -> bool:
    """Whether a player who holds cards of the suit led plays another suit."""
    return card.suit is not led.suit and any(c.suit is led.suit for c in hand)
