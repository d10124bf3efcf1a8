"""The parts of an account for tricks and for honours, which recur from deal to deal.

Each depends on few facts, so its results are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.finding import Entry, Missing
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, at_nullo, odd_trick_worth, plain
from oddtrick.judge.score_figures import (
    figure_cells,
    has_chicane,
    honour_points,
    honour_values,
    loss_limits,
    progressive,
)
from oddtrick.judge.score_procedures import (
    CHICANE,
    REVOKE_TRICKS,
    SLAM,
    SLAM_BY_COUNT,
    TRICKS_SCORED,
    Counted,
    Holding,
    Penalty,
    counted_tricks,
    tricks_after,
    trump_suit,
)
from oddtrick.law.book import MOST_CACHED
from oddtrick.law.rules import Rules

VULNERABLE_STATES = ("vulnerable", "invulnerable")
"""The prefixes of a figure's cells for a vulnerable and an invulnerable side."""


def each_once(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses in their order, without duplicates."""
    return tuple(dict.fromkeys(addresses)) if len(addresses) > 1 else addresses


class Lines:
    """The entries of an account under construction, and the facts missing for them.

    For each missing fact it records whether the honour score depends on it.
    """

    def __init__(self, law: Rules) -> None:
        self.law = law
        self.entries: list[Entry] = []
        self.missing: dict[Missing, bool] = {}
        self.moving = ["revoke-tricks"]

    def add(
        self,
        side: Side,
        column: str,
        points: int,
        item: str,
        reason: Iterable[Message],
        names: Sequence[str],
        moved: tuple[Penalty, ...] = (),
    ) -> None:
        """Add an entry with the laws of the named clauses and of penalties that moved its tricks.

        Nothing is added for 0 points.
        """
        if points == 0:
            return
        laws, readings = self.law.laws(*names), self.law.readings(*names)
        if moved:
            laws += self.law.laws(*self.moving)
            readings += self.law.readings(*self.moving)
        for penalty in moved:
            laws, readings = laws + penalty.laws, readings + penalty.readings
        of = each_once(tuple(p.irregularity for p in moved))
        rests_on = each_once(laws), each_once(readings), of
        self.entries.append(Entry(side, column, points, item, tuple(reason), *rests_on))

    def miss(self, what: str | Missing, honour: bool = True) -> None:
        """Record that a fact is missing, and whether the honour score depends on it."""
        missing = Missing(what) if isinstance(what, str) else what
        self.missing[missing] = self.missing.get(missing, False) or honour


# --- tricks ---------------------------------------------------------------------------------------


class TrickScore(Lines):
    """The entries of a contract for its tricks: odd tricks, bonuses, undertricks, a slam.

    `scorer` is the side that scores odd tricks, or otherwise the declaring side; `made` and
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
        self.scorer, self.made = side, None if tricks is None else False
        self.counted: Counted | None = None
        if tricks is None:
            self.miss("tricks")
        else:
            self._count(tricks)

    def _count(self, played: int) -> None:
        """Add the entries for this many tricks of the declaring side and those moved by
        penalties.
        """
        final, law = self.final, self.law
        self.counted = counted = self._with_moved(played)
        taken, book = counted_tricks(counted.contract, final, law), law.value("book")
        over = counted_tricks(counted.bonuses, final, law) - book - final.odd_tricks
        won, lost = taken - book, law.value("hand-size") - taken - book
        self.made = won >= final.odd_tricks
        scored = TRICKS_SCORED[law.value("tricks-scored")](final.odd_tricks, won, lost)
        for side, odd in zip((self.side, self.side.other), scored, strict=True):
            if odd:
                self._odd_tricks(side, odd)
        if not self.made:
            self._under(final.odd_tricks - won)
        elif over >= 0:  # not if it is made only by tricks that earn no bonus
            moved = self.moved if counted.bonuses != played else ()
            self._bonus("contract-bonus", "contract-bonus", 1, moved)
            if over:
                self._bonus("overtrick", "overtricks", over, moved)
        self._slam(played, counted)

    def _with_moved(self, played: int) -> Counted:
        """The tricks that count for each purpose after some were moved."""
        law, side, name = self.law, self.side, self.final.denomination
        moved, lacking = tricks_after(played, self.moved, side, name, law)
        self.moving += lacking
        counts = law.procedure("revoke-tricks", REVOKE_TRICKS)
        if counts and moved != played:
            return counts(played, moved)
        return Counted(played, played, played, played, played)

    def _tricks_moved(self) -> list[Message]:
        """The messages on the tricks that were moved, with the reason."""
        return [
            Message("tricks-moved", tricks=p.number or 0, irregularity=p.irregularity)
            for p in self.moved
        ]

    def _odd_tricks(self, side: Side, counted: int) -> None:
        """Add the odd tricks of a side at their value as doubled."""
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
        reason += [Message("doubled", times=final.doubled)] if final.doubled else []
        reason += self._tricks_moved()
        self.add(side, "trick", counted * each, "odd-tricks", reason, names, self.moved)

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

    def _by_doubling(self, name: str) -> tuple[Any, str] | None:
        """The value of a figure and its cell for the degree of doubling, or for a royal so
        doubled.
        """
        cells = figure_cells(self.law, name)
        if not cells:
            return None
        key, denomination = DOUBLING_KEYS[self.final.doubled], self.final.denomination
        royal = plain(denomination, self.law) != denomination and f"royal-{key}" in cells
        return self._cell(name, f"royal-{key}" if royal else key)

    def _state(self) -> list[Message]:
        """Whether the side is vulnerable, as a message; empty if the code has no vulnerability."""
        if not self.law.has("vulnerability"):
            return []
        return [Message("vulnerable" if self.vulnerable else "invulnerable")]

    def _doubled_and_state(self) -> list[Message]:
        """The messages on the degree of doubling and on vulnerability."""
        return [Message("doubled", times=self.final.doubled), *self._state()]

    def _by_state(self) -> tuple[str, ...]:
        """The clause that makes the side vulnerable, if it is."""
        return ("vulnerability",) if self.vulnerable else ()

    def _bonus(self, figure: str, item: str, times: int, moved: tuple[Penalty, ...]) -> None:
        """Add `times` the points of a figure for a contract that is made."""
        found = self._by_doubling(figure)
        if found is None:
            return
        (each, cell), made = found, Message("contract-made")
        if item == "overtricks":
            made = Message("overtricks", tricks=times, value=each)
        names, reason = (cell, *self._by_state()), (made, *self._doubled_and_state())
        self.add(self.side, "honour", times * each, item, reason, names, moved)

    def _under(self, short: int) -> None:
        """Add the undertricks of a contract that fails."""
        found = self._by_doubling("undertrick")
        if found is None:
            return
        row, cell = found
        points, most = progressive(row, short), limit(self.final, self.law)
        reason = [Message("undertricks", tricks=short), *self._doubled_and_state()]
        reason += self._tricks_moved()
        names = [cell, *self._by_state()]
        if most is not None and points > most:
            points = most
            reason.append(Message("limited", most=most))
            names.append("undertrick-limit")
        self.add(self.side.other, "honour", points, "undertricks", reason, names, self.moved)

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
        by_state = cell != f"slam.{size}"
        names += self._by_state() if by_state else ()
        bid = law.value("slam-when") == "bid-and-made"
        reason = [Message("slam-bid-and-made" if bid else "slam", size=size)]
        reason += self._state() if by_state else []
        side, moved = self.side if mine else self.side.other, counted.slam != played
        names = [cell, *names]
        self.add(side, "honour", points, "slam", reason, names, self.moved if moved else ())

    def _slam_of(self, tricks: int, adverse: int) -> tuple[bool, str] | None:
        """The slam for these tricks of the declaring side: whether it is theirs, and its size.

        `adverse` are the declaring side's tricks as counted for a slam of the adversaries.
        """
        law = self.law
        slam = law.procedure("slam-when", SLAM) if law.has("slam") else None
        if slam is None:
            return None
        if law.value("slam-when") in SLAM_BY_COUNT:
            tricks = counted_tricks(tricks, self.final, law)
        most = law.value("hand-size")
        return slam(self.final.odd_tricks, law.value("book"), tricks, most - adverse, most)


trick_score = lru_cache(MOST_CACHED)(TrickScore)
"""Cached `TrickScore`. Only the call of the final declaration matters."""


def worth(final: Final, law: Rules) -> int:
    """The value of an odd trick of a declaration, as doubled."""
    return odd_trick_worth(final.denomination, final.doubled, law)


def worth_clauses(doubled: int) -> list[str]:
    """The clauses that fix the value of an odd trick doubled this often.

    A further redouble uses the cell of the last one.
    """
    key = DOUBLING_KEYS[min(doubled, len(DOUBLING_KEYS) - 1)]
    return ["odd-trick", *([f"trick-multiplier.{key}"] if doubled else [])]


def limit(final: Final, law: Rules) -> int | None:
    """The most that a declaration can lose, if the code limits it."""
    return next((one.most for one in loss_limits(law) if one.holds(final)), None)


# --- honours --------------------------------------------------------------------------------------

BySide = tuple[tuple[Side, Any], ...]
"""A value for each side."""


class HonourScore(Lines):
    """The entries for honours and chicane in a denomination; `voids` are hands without a trump."""

    def __init__(
        self, law: Rules, denomination: str, holdings: BySide | None, voids: BySide | None
    ) -> None:
        super().__init__(law)
        self.kind = "trump" if trump_suit(denomination, law) else "no-trump"
        self.odd_trick = (law.value("odd-trick") or {}).get(denomination, 0)
        if not (law.has("honours") and law.has("honour-values")):
            return
        if holdings is None:
            self.miss("honours")
            return
        scored = {side: self._honours(side, one) for side, one in holdings}
        if has_chicane(law) and self.kind == "trump":
            if voids is None:
                self.miss("chicane")
            else:
                self._chicane(scored, dict(voids))

    def _honours(self, side: Side, holding: Holding) -> int:
        """Add the honours of a side and return their points."""
        values = honour_values(self.law)[self.kind]
        points = honour_points(holding, values, self.odd_trick)
        if points is None:
            self.miss(Missing("honours-split", side, holding.total))
            return 0
        what = "aces" if self.kind == "no-trump" else "honours"
        reason = Message(what, number=holding.total, in_one_hand=holding.more)
        names = [f"honour-values.{self.kind}.{holding.split}", "honours", "honour-cards"]
        names += ["odd-trick"] if values.in_odd_tricks else []
        self.add(side, "honour", points, "honours", (reason,), names)
        return points

    def _chicane(self, scored: Mapping[Side, int], hands: Mapping[Side, int]) -> None:
        """Add chicane, given the honour points of each side and its hands without a trump."""
        counts = CHICANE[self.law.value("chicane")]
        for side, voids in hands.items():
            theirs = hands.get(side.other, 0)
            scores = (scored.get(side, 0) > 0, scored.get(side.other, 0) > 0)
            sign = counts(voids, *scores, theirs)
            if not sign:
                continue
            which = "double" if voids == 2 else "single"
            points, value_of = self._chicane_points(self.law.value("chicane-value")[which])
            rest_on = "chicane.both-sides" if theirs else "chicane"
            names = (f"chicane-value.{which}", rest_on, value_of)
            to, reason = side, Message("chicane-added", hands=voids)
            if sign < 0:
                to, reason = side.other, Message("chicane-deducted", hands=voids, side=side)
            self.add(to, "honour", sign * points, "chicane", (reason,), names)

    def _chicane_points(self, value: str | int) -> tuple[int, str]:
        """The points for chicane, as this many honours or tricks, and the clause that says so."""
        if isinstance(value, int):
            return value * self.odd_trick, "odd-trick"
        more, fewer = (int(n) for n in value.split("-"))
        holding = Holding(more + fewer, more)
        points = honour_points(holding, honour_values(self.law)["trump"], self.odd_trick) or 0
        return points, f"honour-values.trump.{value}"


honour_score = lru_cache(MOST_CACHED)(HonourScore)
"""Cached `HonourScore`."""
