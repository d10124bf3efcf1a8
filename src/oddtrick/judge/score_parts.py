"""The parts of an account for tricks and for honours, which recur from deal to deal.

Each depends on few facts, so its results are cached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any

from oddtrick.cards import CARDS, NS, Side, Suit, bits
from oddtrick.judge.finding import Entry, Message, Missing
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, at_nullo, is_royal, odd_trick_worth
from oddtrick.judge.score_procedures import (
    SCORING,
    Counted,
    Holding,
    Penalty,
    Standing,
    counted_tricks,
    tricks_after,
    trump_suit,
)
from oddtrick.law.book import MOST_CACHED
from oddtrick.law.figures import flat
from oddtrick.law.rules import Rules

VULNERABLE_STATES = ("vulnerable", "invulnerable")
"""The prefixes of a figure's cells for a vulnerable and an invulnerable side."""


def each_once(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses in their order, without duplicates."""
    return tuple(dict.fromkeys(addresses)) if len(addresses) > 1 else addresses


class Lines:
    """The entries of an account under construction, and the facts missing for them.

    For each missing fact, `missing` records whether the honour score depends on that fact.
    """

    def __init__(self, law: Rules) -> None:
        self.law = law
        self.entries: list[Entry] = []
        self.missing: dict[Missing, bool] = {}
        self.moving = ["revoke-tricks"]

    def add(
        self,
        side: Side,
        item: str,
        points: int,
        reason: Iterable[Message],
        names: Sequence[str],
        moved: tuple[Penalty, ...] = (),
        column: str = "honour",
    ) -> None:
        """Add an entry with the laws of the named clauses and of penalties that moved its tricks.

        Nothing is added for 0 points.
        """
        if points == 0:
            return
        names = [*names, *(self.moving if moved else ())]
        laws, readings = self.law.laws(*names), self.law.readings(*names)
        for penalty in moved:
            laws, readings = laws + penalty.laws, readings + penalty.readings
        of = each_once(tuple(p.irregularity for p in moved))
        rests_on = each_once(laws), each_once(readings), of
        self.entries.append(Entry(side, column, points, item, tuple(reason), *rests_on))

    def miss(self, what: str | Missing, honour: bool = True) -> None:
        """Record that a fact is missing, and whether the honour score depends on it."""
        missing = Missing(what) if isinstance(what, str) else what
        self.missing[missing] = self.missing.get(missing, False) or honour

    def take(self, part: Lines) -> None:
        """Add the entries of a part, and the facts missing for it."""
        self.entries += part.entries
        for what, honour in part.missing.items():
            self.miss(what, honour)


# --- tricks ---------------------------------------------------------------------------------------

PARTS: Mapping[str, tuple[str, Callable[[int], Message]]] = {
    "contract-bonus": ("contract-bonus", lambda _: Message("contract-made")),
    "overtricks": ("overtrick", lambda tricks: Message("overtricks", tricks=tricks)),
    "undertricks": ("undertrick", lambda tricks: Message("undertricks", tricks=tricks)),
}
"""The parts that depend on the doubling: the figure of each, and its reason by number of tricks."""


class TrickScore(Lines):
    """The entries of a contract for its tricks: odd tricks, bonuses, undertricks, a slam.

    `scorer` is the side that scores odd tricks or, if neither does, the declaring side; `made` and
    `counted` are `None` if the tricks are not known. `vulnerable` is `None` if it matters and is
    not known.
    """

    def __init__(
        self,
        law: Rules,
        final: Final,
        side: Side,
        vulnerable: bool | None,
        tricks: int | None,
        moved: tuple[Penalty, ...],
    ) -> None:
        super().__init__(law)
        self.final, self.side, self.vulnerable, self.moved = final, side, vulnerable, moved
        self.scorer, (self.most, self.lifted) = side, limit(final, law)
        self.made: bool | None = None
        self.counted: Counted | None = None
        state = Message("vulnerable" if vulnerable else "invulnerable")
        self.state = [state] if law.has("vulnerability") else []
        self.by_state = ["vulnerability"] if vulnerable else []
        self.doubled = Message("doubled", times=final.doubled)
        transferred = Counter[tuple[Side, str]]()
        for p in moved:
            transferred[p.offenders, p.irregularity] += p.number or 0
        self.moves = [
            Message("tricks-moved", tricks=number, irregularity=irregularity)
            for (_, irregularity), number in transferred.items()
        ]
        if tricks is None:
            self.miss("tricks")
        else:
            self._count(tricks)

    def _count(self, played: int) -> None:
        """Add the entries for the declaring side's tricks, and for those that penalties move."""
        final, law, side = self.final, self.law, self.side
        moved, lacking = tricks_after(played, self.moved, side, final.denomination, law)
        self.moving += lacking
        counts = law.procedure("revoke-tricks", SCORING)
        counted = Counted(*[played] * len(Counted._fields))
        if counts and moved != played:
            counted = counts(played, moved)
        self.counted = counted
        taken, book = counted_tricks(counted.contract, final, law), law.value("book")
        over = counted_tricks(counted.bonuses, final, law) - book - final.odd_tricks
        won, lost = taken - book, law.value("hand-size") - taken - book
        self.made = won >= final.odd_tricks
        scored = SCORING["tricks-scored"][law.value("tricks-scored")](final.odd_tricks, won, lost)
        for scorer, odd in zip((side, side.other), scored, strict=True):
            if odd:
                self._odd_tricks(scorer, odd)
        if not self.made:
            self._by_doubling("undertricks", side.other, final.odd_tricks - won, self.moved)
        elif over >= 0:  # not if it is made only by tricks that earn no bonus
            of = self.moved if counted.bonuses != played else ()
            self._by_doubling("contract-bonus", side, 1, of)
            if over:
                self._by_doubling("overtricks", side, over, of)
        self._slam(played, counted)

    def _odd_tricks(self, side: Side, counted: int) -> None:
        """Add the odd tricks of a side at their value after any doubling."""
        final, law = self.final, self.law
        value, each = law.value("odd-trick")[final.denomination], worth(final, law)
        self.scorer = side
        first, *doubling = worth_clauses(final.doubled)
        names = [first, "tricks-scored", *doubling]
        names += ["nullo"] if at_nullo(final.denomination, law) else []
        ceiling = law.value("doubling-ceiling")
        if ceiling is not None and each >= ceiling:
            names.append("doubling.past-the-limit")
        reason = [Message("odd-tricks", tricks=counted, value=value)]
        reason += [*([self.doubled] if final.doubled else []), *self.moves]
        self.add(side, "odd-tricks", counted * each, reason, names, self.moved, "trick")

    def _cell(self, name: str, key: str) -> tuple[Any, str] | None:
        """The value of a figure at a key and the name of its cell, for the side's vulnerability.

        If the figure depends on vulnerability and that is not known, it is recorded as missing.
        """
        cells = figure_cells(self.law, name)
        if key in cells:
            return cells[key], f"{name}.{key}"
        of_states = [cells.get(f"{state}.{key}") for state in VULNERABLE_STATES]
        if self.vulnerable is not None:
            key = f"{VULNERABLE_STATES[not self.vulnerable]}.{key}"
        elif of_states[0] != of_states[1]:
            self.miss("vulnerable")
            return None
        amount = of_states[not self.vulnerable]
        return None if amount is None else (amount, f"{name}.{key}")

    def _by_doubling(self, item: str, side: Side, number: int, moved: tuple[Penalty, ...]) -> None:
        """Add a part of `PARTS`, at the cell for the doubling or for a royal so doubled."""
        (figure, what), denomination = PARTS[item], self.final.denomination
        key, cells = doubling_key(self.final.doubled), figure_cells(self.law, figure)
        if f"royal-{key}" in cells and is_royal(denomination, self.law):
            key = f"royal-{key}"
        found = self._cell(figure, key)
        if found is None:
            return
        row, cell = found
        points, names = progressive(row, number), [cell, *self.by_state]
        reason = [what(number), self.doubled, *self.state]
        if item == "undertricks":
            reason += self.moves
            if self.most is not None and points > self.most:
                points = self.most
                reason.append(Message("limited", most=self.most))
                names.append(f"undertrick-limit.{key}")
            elif self.lifted is not None and points > self.lifted:
                reason.append(Message("limit-lifted", most=self.lifted))
                names.append(f"undertrick-limit.{key}")
        self.add(side, item, points, reason, names, moved)

    def _slam(self, played: int, counted: Counted) -> None:
        """Add a slam, by the code's own rule."""
        found = self._slam_of(counted.slam, counted.adverse_slam)
        if found is None:
            return
        law, (mine, size) = self.law, found
        names = [f"slam-tricks.{size}", "slam-when"]
        with_moved = self._slam_of(counted.contract, counted.contract)
        if self.moved and with_moved != self._slam_of(played, played):
            names.append("revoke-tricks.slam")
        if mine and not self.made and self.final.odd_tricks:  # a contract that fails
            if not law.has("slam-on-lost-contract"):
                return
            names.append("slam-on-lost-contract")
        figure = self._cell("slam", size)
        if figure is None:
            return
        points, cell = figure
        bid = law.value("slam-when") == "bid-and-made"
        reason = [Message("slam-bid-and-made" if bid else "slam", size=size)]
        if cell != f"slam.{size}":
            names += self.by_state
            reason += self.state
        names = [cell, *names, *(["slam-doubled"] if self.final.doubled else [])]
        side, moved = self.side if mine else self.side.other, counted.slam != played
        self.add(side, "slam", points, reason, names, self.moved if moved else ())

    def _slam_of(self, tricks: int, adverse: int) -> tuple[bool, str] | None:
        """The slam for these tricks of the declaring side: whether that side makes it, and its
        size.

        `adverse` are the declaring side's tricks as counted for a slam of the adversaries.
        """
        law = self.law
        slam = law.procedure("slam-when", SCORING)
        if slam is None or not law.has("slam"):
            return None
        if law.value("slam-when") == "bid-and-made-or-given":
            tricks = counted_tricks(tricks, self.final, law)
        most, odd = law.value("hand-size"), self.final.odd_tricks
        found: tuple[bool, str] | None = slam(odd, law.value("book"), tricks, most - adverse, most)
        return found


trick_score = lru_cache(MOST_CACHED)(TrickScore)
"""Cached `TrickScore`, which uses only the call of the final declaration."""


def worth(final: Final, law: Rules) -> int:
    """The value of an odd trick of a declaration after any doubling."""
    return odd_trick_worth(final.denomination, final.doubled, law)


def worth_clauses(doubled: int) -> list[str]:
    """The names of the clauses that give the value of an odd trick doubled this many times."""
    of_doubling = [f"trick-multiplier.{doubling_key(doubled)}"] if doubled else []
    return ["odd-trick", *of_doubling]


def doubling_key(doubled: int) -> str:
    """The key of figures for a declaration doubled this many times."""
    return DOUBLING_KEYS[min(doubled, len(DOUBLING_KEYS) - 1)]


def limit(final: Final, law: Rules) -> tuple[int | None, int | None]:
    """The limit on what a declaration can lose, and the limit that its doubling lifts; each may be
    `None`.

    Some limits apply only to the dealer's first declaration.
    """
    for row in law.value("undertrick-limit") or ():
        if (row["odd_tricks"], row["denomination"]) == (final.odd_tricks, final.denomination) and (
            row["call"] != "dealers-first" or final.dealers_first is not False
        ):
            most, lifted_by = int(row["most"]), row.get("lifted_by")
            is_lifted = lifted_by and final.doubled >= DOUBLING_KEYS.index(lifted_by)
            return (None, most) if is_lifted else (most, None)
    return None, None


def progressive(cells: int | Sequence[int], count: int) -> int:
    """The sum of the first `count` values of a progressive figure, whose last value repeats."""
    if isinstance(cells, int):
        return cells * count
    return sum(cells[:count]) + cells[-1] * max(0, count - len(cells))


@cache
def figure_cells(law: Rules, name: str) -> Mapping[str, Any]:
    """The cells of a figure by name (`doubled`, `vulnerable.doubled`, `royal-doubled`).

    Empty if the code does not have the figure.
    """
    return flat(law.value(name) or {})


# --- honours --------------------------------------------------------------------------------------


@cache
def honour_cards(law: Rules) -> Mapping[Suit | None, int]:
    """The honours as bits, by trump suit, `None` for no-trumps; 0 if the code has no honours."""
    ranks = law.value("honour-cards") or {"trump": (), "no-trump": ()}
    found: dict[Suit | None, int] = {s: bits(CARDS[s][r] for r in ranks["trump"]) for s in Suit}
    return found | {None: bits(CARDS[s][r] for s in Suit for r in ranks["no-trump"])}


def kind_of(denomination: str, law: Rules) -> str:
    """The key of the figures on honours for a denomination: `trump` or `no-trump`."""
    return "trump" if trump_suit(denomination, law) else "no-trump"


def honour_values(denomination: str, law: Rules) -> Mapping[str, int | None]:
    """The values of honours in a denomination, by how they are split; `None` if not known.

    Empty if the code has no honours.
    """
    table = law.value("honour-values")
    return table[kind_of(denomination, law)]["values"] if table else {}


def honours_counted(split: str) -> int:
    """The number of honours in a split (`4-1`)."""
    return sum(map(int, split.split("-")))


def honour_value(holding: Holding, values: Mapping[str, int | None]) -> int | None:
    """The value of a holding of honours; `None` if the split is needed and not known."""
    if holding.split is not None:
        return values.get(holding.split, 0)
    listed = [v for split, v in values.items() if honours_counted(split) == holding.total]
    possible = {*listed, *([0] if len(listed) <= holding.total // 2 else [])}
    return possible.pop() if len(possible) == 1 else None


def has_chicane(denomination: str, law: Rules) -> bool:
    """Whether the code scores chicane in a denomination."""
    return (
        law.has("chicane")
        and law.has("chicane-value")
        and trump_suit(denomination, law) is not None
    )


BySide = tuple[tuple[Side, Any], ...]
"""A value for each side."""


EITHER = tuple(product((True, False), repeat=2))
"""Whether each of the two sides scores honours, if that is not known."""


@lru_cache(MOST_CACHED)
def honour_score(
    law: Rules, denomination: str, doubled: bool, holdings: BySide | None, voids: BySide | None
) -> Lines:
    """The entries for honours and chicane in a denomination; `voids` are hands without a trump.

    `doubled` only adds the laws under which doubling leaves their value unchanged.
    """
    lines = Lines(law)
    if not (law.has("honours") and law.has("honour-values")):
        return lines
    if holdings is None:
        lines.miss("honours")
        if voids is None:
            return lines
    kind, values = kind_of(denomination, law), honour_values(denomination, law)
    odd_trick = (law.value("odd-trick") or {}).get(denomination, 0)
    in_tricks = law.value("honour-values")[kind]["count"] == "odd-trick-values"
    unit, what = odd_trick if in_tricks else 1, "aces" if kind == "no-trump" else "honours"
    for side, holding in holdings or ():
        value = honour_value(holding, values)
        if value is None:
            missing = Missing("honours-split", side, holding.total)
            if holding.split in values:  # stated, but its value cannot be read
                cell = f"honour-values.{kind}.{holding.split}"
                rests_on = law.laws(cell), law.readings(cell)
                missing = Missing("honours-value", side, holding.total, *rests_on)
            lines.miss(missing)
            continue
        reason = Message(what, number=holding.total, in_one_hand=holding.more)
        split = f".{holding.split}" if holding.split else ""
        names = [f"honour-values.{kind}{split}", "honours", "honour-cards"]
        names += ["odd-trick"] if in_tricks else []
        names += ["honours-doubled"] if doubled else []
        lines.add(side, "honours", value * unit, (reason,), names)
    if not has_chicane(denomination, law):
        return lines
    if voids is None:
        lines.miss("chicane")
        return lines
    counts, hands = law.procedure("chicane", SCORING), dict(voids)
    scoring = {entry.side for entry in lines.entries}
    for side, ours in voids:
        theirs = hands.get(side.other, 0)
        # Without the honours chicane counts only if it does not matter which side scores them.
        known = [(side in scoring, side.other in scoring)]
        signs = {counts(ours, *each, theirs) for each in (known if holdings else EITHER)}
        sign = signs.pop()
        if signs or not sign:
            continue
        which, value_of = "double" if ours == 2 else "single", "odd-trick"
        value = law.value("chicane-value")[which]
        if isinstance(value, int):  # worth this many odd tricks
            points = value * odd_trick
        else:  # worth the honours in this split
            points, value_of = (values.get(value) or 0) * unit, f"honour-values.trump.{value}"
        rest_on = "chicane.both-sides" if theirs else "chicane"
        names = [f"chicane-value.{which}", rest_on, value_of]
        names += ["chicane-doubled"] if doubled else []
        to, reason = side, Message("chicane-added", hands=ours)
        if sign < 0:
            to, reason = side.other, Message("chicane-deducted", hands=ours, side=side)
        lines.add(to, "chicane", sign * points, (reason,), names)
    return lines


# --- the game and the rubber ----------------------------------------------------------------------


def reaches_game(before: int | None, points: int, law: Rules) -> bool:
    """Whether points, with the trick score of a side before the deal, make a game."""
    how, needed = law.procedure("game-score", SCORING), law.value("game")
    return bool(how and needed and how[0](before or 0, points) >= needed)


class GameScore(Lines):
    """The entries for a game and a rubber, who wins them, and the state of the rubber afterwards.

    `gained` are the trick points of a deal of a rubber, by side; a side that is `barred` wins no
    game by them. Without `gained`, nothing is won until `win` is called, and the state is the one
    before the deal.
    """

    def __init__(
        self,
        law: Rules,
        before: Standing,
        gained: tuple[int, int] | None = None,
        barred: Collection[Side] = (),
    ) -> None:
        super().__init__(law)
        self.before = self.after = before
        self.game: Side | None = None
        self.rubber: Side | None = None
        if gained:
            self._play(gained, barred)

    def win(self, side: Side, names: Sequence[str] = ()) -> None:
        """Add a game for a side; the named clauses justify it."""
        self.game, bonus = side, self.law.value("game-bonus") or 0
        names = ["game-bonus", "game", *names]
        self.add(side, "game-bonus", bonus, (Message("game-won"),), names)

    def _play(self, gained: tuple[int, int], barred: Collection[Side]) -> None:
        """Add the trick points of a deal of a rubber."""
        law, games, trick = self.law, self.before.games, self.before.trick
        place = law.procedure("rubber-bonus-place", SCORING)
        in_honours = law.has("game-bonus") or place == "honour"
        deal = [*zip(Side, trick, gained, strict=True)]
        won = (s for s, had, more in deal if s not in barred and reaches_game(had, more, law))
        if (side := next(won, None)) is None:
            ours, theirs = (None if had is None else had + more for _, had, more in deal)
            self.after = Standing(games, (ours, theirs))
            if any(had is None and more for _, had, more in deal):
                self.miss("trick-score", in_honours)
                self.after = Standing(games)
            return
        self.win(side)
        _, left = SCORING["game-score"][law.value("game-score")]
        points = of_both(side, 0, left(self.before.trick_of(side.other)))
        count, bonus = self.before.games_of(side), law.value("rubber-bonus")
        if count is None:
            self.after = Standing((None, None), points)
            if bonus:
                self.miss("games", in_honours)
            return
        self.after = Standing(of_both(side, count + 1, self.before.games_of(side.other)), points)
        needed = law.value("games-in-rubber") or 0
        if count + 1 >= needed:
            self.rubber = side
            if bonus and place and needed:
                reason = (Message("games-won", games=needed),)
                names = ("rubber-bonus", "rubber-bonus-place", "rubber-end")
                self.add(side, "rubber-bonus", bonus, reason, names, column=place)


game_score = lru_cache(MOST_CACHED)(GameScore)
"""Cached `GameScore`."""


def of_both(side: Side, own: int | None, other: int | None) -> tuple[int | None, int | None]:
    """The numbers of a side and of the other side, ordered North-South, East-West."""
    return (own, other) if side is NS else (other, own)
