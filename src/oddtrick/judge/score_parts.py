"""What the tricks of a contract score, and what the honours: the parts of an account that come
again from deal to deal.

Each depends on few facts, so its results are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from oddtrick.cards import Side
from oddtrick.judge.finding import Entry, Missing
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import DOUBLING_KEYS, Final, at_nullo, odd_trick_worth, plain
from oddtrick.judge.score_figures import (
    VULNERABLE_STATES,
    by_doubling,
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
from oddtrick.law.figures import flat
from oddtrick.law.rules import Rules


class Contract(NamedTuple):
    """What of a final declaration its score depends on, and the side that plays it.

    `vulnerable` is `None` where that matters and is not known.
    """

    odd_tricks: int
    denomination: str
    doubled: int
    dealers_first: bool | None
    side: Side
    vulnerable: bool | None


class Part(NamedTuple):
    """Entries of an account, and every fact that was not known for them, with whether the honour
    score depends on it."""

    entries: tuple[Entry, ...] = ()
    missing: tuple[tuple[Missing, bool], ...] = ()


class TrickScore(NamedTuple):
    """What the tricks of a contract come to.

    `scorer` is the side that scores odd tricks, or else plays the contract; `made` and `counted`
    are `None` where the tricks are not known.
    """

    part: Part
    scorer: Side
    made: bool | None
    counted: Counted | None


Holdings = tuple[tuple[Side, Holding], ...]
Voids = tuple[tuple[Side, int], ...]


class Lines:
    """The entries of an account while they are made, and what is not known for them."""

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
        penalties: Iterable[Penalty] = (),
    ) -> None:
        """Keep an entry with the laws of the named clauses and cells, and of penalties that move
        tricks for it; none of no points."""
        if points == 0:
            return
        laws, readings = self.law.laws(*names), self.law.readings(*names)
        moving = tuple(penalties)
        for penalty in moving:
            laws = each_once(laws + self.law.laws(*self.moving) + penalty.laws)
            readings += self.law.readings(*self.moving) + penalty.readings
        of = each_once(tuple(p.irregularity for p in moving))
        self.entries.append(
            Entry(side, column, points, item, tuple(reason), laws, each_once(readings), of)
        )

    def miss(self, fact: str, honour: bool = True) -> None:
        """Note a fact that is not known, and whether the honour score depends on it."""
        self.lack(Missing(fact), honour)

    def lack(self, what: Missing, honour: bool = True) -> None:
        """Note the same of a fact with its data."""
        self.missing[what] = self.missing.get(what, False) or honour

    @property
    def part(self) -> Part:
        """The entries and the missing facts."""
        return Part(tuple(self.entries), tuple(self.missing.items()))


def each_once(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses in their order, each once."""
    return tuple(dict.fromkeys(addresses)) if len(addresses) > 1 else addresses


# --- tricks ---------------------------------------------------------------------------------------


@lru_cache(MOST_CACHED)
def trick_score(
    law: Rules, contract: Contract, tricks: int | None, moved: tuple[Penalty, ...]
) -> TrickScore:
    """What the tricks of a contract come to: odd tricks, bonuses, undertricks, a slam."""
    score = _Tricks(law, contract, moved)
    if tricks is None:
        score.miss("tricks")
        return TrickScore(score.part, contract.side, None, None)
    score.count(tricks)
    return TrickScore(score.part, score.scorer, score.made, score.counted)


class _Tricks(Lines):
    """Makes the entries of a contract for its tricks."""

    def __init__(self, law: Rules, contract: Contract, moved: tuple[Penalty, ...]) -> None:
        super().__init__(law)
        odd, denomination, doubled, first, self.side, self.vulnerable = contract
        self.final = Final(odd, denomination, doubled, None, None, first)
        self.scorer, self.moved, self.made = self.side, moved, False

    def count(self, played: int) -> None:
        """The entries for so many tricks of the declaring side, with those moved."""
        final, law = self.final, self.law
        self.counted = counted = self._counted(played)
        self.moved_for_bonuses = self.moved if counted.bonuses != played else ()
        self.moved_for_slam = self.moved if counted.slam != played else ()
        taken = counted_tricks(counted.contract, final, law)
        bonuses = counted_tricks(counted.bonuses, final, law) - law.value("book") - final.odd_tricks
        book = law.value("book")
        won, lost = taken - book, law.value("hand-size") - taken - book
        self.made = won >= final.odd_tricks
        scored = TRICKS_SCORED[law.value("tricks-scored")](final.odd_tricks, won, lost)
        for side, odd in zip((self.side, self.side.other), scored, strict=True):
            if odd:
                self.odd_tricks(side, odd)
        if not self.made:
            self.under(final.odd_tricks - won)
        elif bonuses >= 0:  # not made by tricks without a bonus
            self.bonuses(bonuses)
        self.slam(played)

    def _counted(self, played: int) -> Counted:
        law, same = self.law, Counted(played, played, played, played, played)
        if not self.moved:
            return same
        moved, lacking = tricks_after(played, self.moved, self.side, self.final.denomination, law)
        self.moving += lacking
        counts = law.procedure("revoke-tricks", REVOKE_TRICKS)
        if counts and moved != played:
            return counts(played, moved)
        return same

    def _tricks_moved(self) -> list[Message]:
        """The tricks that were moved, and for what."""
        return [
            Message("tricks-moved", tricks=p.number or 0, irregularity=p.irregularity)
            for p in self.moved
        ]

    def odd_tricks(self, side: Side, counted: int) -> None:
        """The odd tricks that count for a side, at their value as doubled."""
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

    def figure(self, name: str) -> tuple[Any, str] | None:
        """What a figure has for this declaration, and the name of its cell.

        Notes what is missing.
        """
        value = by_doubling(self.law, name)
        if value is None:
            return None
        royal = plain(self.final.denomination, self.law) != self.final.denomination
        found = value.cell(self.final.doubled, self.vulnerable, royal)
        if found is None:
            self.miss("vulnerable")
            return None
        amount, cell = found
        return None if amount is None else (amount, f"{value.name}.{cell}")

    def _state(self) -> list[Message]:
        """Whether the side is vulnerable; nothing where the code has no vulnerability."""
        if not self.law.has("vulnerability"):
            return []
        return [Message("vulnerable" if self.vulnerable else "invulnerable")]

    def _doubled_and_state(self) -> list[Message]:
        """How far the declaration is doubled, and the state of the side."""
        return [Message("doubled", times=self.final.doubled), *self._state()]

    def _by_state(self) -> tuple[str, ...]:
        """The clause that makes the side vulnerable, where it is."""
        return ("vulnerability",) if self.vulnerable else ()

    def bonuses(self, over: int) -> None:
        """What a contract that is made earns above the line."""
        bonus = self.figure("contract-bonus")
        if bonus:
            self.bonus(bonus, "contract-bonus", Message("contract-made"), 1)
        each = self.figure("overtrick") if over else None
        if each:
            self.bonus(each, "overtricks", Message("overtricks", tricks=over, value=each[0]), over)

    def bonus(self, cell: tuple[int, str], item: str, made: Message, times: int) -> None:
        """So many times the points of a cell, for a contract that is made."""
        names, reason = (cell[1], *self._by_state()), (made, *self._doubled_and_state())
        self.add(self.side, "honour", times * cell[0], item, reason, names, self.moved_for_bonuses)

    def under(self, short: int) -> None:
        """What a contract that fails costs."""
        found = self.figure("undertrick")
        if found is None:
            return
        row, place = found
        points = progressive(row, short)
        reason = [Message("undertricks", tricks=short), *self._doubled_and_state()]
        reason += self._tricks_moved()
        names = [place, *self._by_state()]
        most = limit(self.final, self.law)
        if most is not None and points > most:
            points = most
            reason.append(Message("limited", most=most))
            names.append("undertrick-limit")
        self.add(self.side.other, "honour", points, "undertricks", reason, names, self.moved)

    def slam(self, played: int) -> None:
        """A slam, by the code's own rule."""
        law, counted = self.law, self.counted
        found = self._slam_of(counted.slam, counted.adverse_slam)
        if found is None:
            return
        mine, size = found
        names = ["slam-when"]
        with_moved = self._slam_of(counted.contract, counted.contract)
        if self.moved and with_moved != self._slam_of(played, played):
            names.append("revoke-tricks.slam")
        if mine and not self.made and self.final.odd_tricks:  # a contract that fails
            if not law.has("slam-on-lost-contract"):
                return
            names.append("slam-on-lost-contract")
        cell = size
        slam_points: Mapping[str, Any] = flat(law.value("slam"))
        if size not in slam_points:
            if self.vulnerable is None:
                self.miss("vulnerable")
                return
            cell = f"{VULNERABLE_STATES[not self.vulnerable]}.{size}"
            names += self._by_state()
        bid = law.value("slam-when") == "bid-and-made"
        reason = [Message("slam-bid-and-made" if bid else "slam", size=size)]
        reason += self._state() if cell != size else []
        side, names = self.side if mine else self.side.other, [f"slam-tricks.{size}", *names]
        points, moved = slam_points[cell], self.moved_for_slam
        self.add(side, "honour", points, "slam", reason, [f"slam.{cell}", *names], moved)

    def _slam_of(self, tricks: int, adverse: int) -> tuple[bool, str] | None:
        """The slam of so many tricks of the declaring side, and for one of the adversaries."""
        law = self.law
        slam = law.procedure("slam-when", SLAM) if law.has("slam") else None
        if slam is None:
            return None
        if law.value("slam-when") in SLAM_BY_COUNT:
            tricks = counted_tricks(tricks, self.final, law)
        most = law.value("hand-size")
        return slam(self.final.odd_tricks, law.value("book"), tricks, most - adverse, most)


def worth(final: Final, law: Rules) -> int:
    """The value of an odd trick of a declaration, as doubled."""
    return odd_trick_worth(final.denomination, final.doubled, law)


def worth_clauses(doubled: int) -> list[str]:
    """The clauses by which an odd trick that is doubled so often has its worth.

    A further redouble has the cell of the last.
    """
    key = DOUBLING_KEYS[min(doubled, len(DOUBLING_KEYS) - 1)]
    return ["odd-trick", *([f"trick-multiplier.{key}"] if doubled else [])]


def limit(final: Final, law: Rules) -> int | None:
    """The most that a declaration can lose, where the code limits it."""
    return next((one.most for one in loss_limits(law) if one.holds(final)), None)


# --- honours --------------------------------------------------------------------------------------


@lru_cache(MOST_CACHED)
def honour_score(
    law: Rules, denomination: str, holdings: Holdings | None, voids: Voids | None
) -> Part:
    """What honours and chicane score in a denomination."""
    if not (law.has("honours") and law.has("honour-values")):
        return Part()
    score = _Honours(law, denomination)
    if holdings is None:
        score.miss("honours")
        return score.part
    scored = {side: score.honours(side, one) for side, one in holdings}
    if has_chicane(law) and score.kind == "trump":
        if voids is None:
            score.miss("chicane")
        else:
            score.chicane(scored, dict(voids))
    return score.part


class _Honours(Lines):
    """Makes the entries for honours and chicane in a denomination."""

    def __init__(self, law: Rules, denomination: str) -> None:
        super().__init__(law)
        self.kind = "trump" if trump_suit(denomination, law) else "no-trump"
        self.odd_trick = (law.value("odd-trick") or {}).get(denomination, 0)

    def honours(self, side: Side, holding: Holding) -> int:
        """Add the honours of a side, and return their points."""
        values = honour_values(self.law)[self.kind]
        points = honour_points(holding, values, self.odd_trick)
        if points is None:
            self.lack(Missing("honours-split", side, holding.total))
            return 0
        what = "aces" if self.kind == "no-trump" else "honours"
        reason = Message(what, number=holding.total, in_one_hand=holding.more)
        names = [f"honour-values.{self.kind}.{holding.split}", "honours", "honour-cards"]
        names += ["odd-trick"] if values.in_odd_tricks else []
        self.add(side, "honour", points, "honours", (reason,), names)
        return points

    def chicane(self, scored: Mapping[Side, int], hands: Mapping[Side, int]) -> None:
        """Chicane, by what each side scored for honours and its hands without a trump."""
        law = self.law
        counts = CHICANE[law.value("chicane")]
        for side, voids in hands.items():
            theirs = hands.get(side.other, 0)
            scores = (scored.get(side, 0) > 0, scored.get(side.other, 0) > 0)
            sign = counts(voids, *scores, theirs)
            if not sign:
                continue
            which = "double" if voids == 2 else "single"
            points, value_of = self._chicane_points(law.value("chicane-value")[which])
            rest_on = "chicane.both-sides" if theirs else "chicane"
            names = (f"chicane-value.{which}", rest_on, value_of)
            if sign > 0:
                reason = Message("chicane-added", hands=voids)
                self.add(side, "honour", points, "chicane", (reason,), names)
            else:
                reason = Message("chicane-deducted", hands=voids, side=side)
                self.add(side.other, "honour", -points, "chicane", (reason,), names)

    def _chicane_points(self, value: str | int) -> tuple[int, str]:
        """What chicane is worth, as so many honours or so many tricks, and the clause of that."""
        if isinstance(value, int):
            return value * self.odd_trick, "odd-trick"
        more, fewer = (int(n) for n in value.split("-"))
        holding = Holding(more + fewer, more)
        points = honour_points(holding, honour_values(self.law)["trump"], self.odd_trick) or 0
        return points, f"honour-values.trump.{value}"
