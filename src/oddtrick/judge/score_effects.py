"""The effects of penalties on an account: one function for each effect on the score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from oddtrick.judge.finding import Entry
from oddtrick.judge.message import Message
from oddtrick.judge.score_parts import each_once, worth, worth_clauses
from oddtrick.judge.score_procedures import HONOURS, SCORING, Penalty, trump_suit

if TYPE_CHECKING:
    from oddtrick.judge.account import Counter


def value_of_tricks(counter: Counter, penalty: Penalty) -> None:
    """Add the value of tricks to a score towards the game, or deduct it."""
    final, law = counter.final, counter.law
    value = law.procedure("revoke-value", SCORING)
    if not penalty.number or value is None:
        return
    points = penalty.number * value(worth(final, law), law.value("odd-trick")[final.denomination])
    names, side, how = worth_clauses(final.doubled), penalty.offenders.other, "value-added"
    rest_on = ["revoke-value"] if final.doubled else []
    if penalty.of == "deducted":
        side, how = penalty.offenders, "value-taken-off"
        rest_on.append("revoke-deduction")
        before = counter.facts.standing.trick_of(side)
        deduction = law.procedure("revoke-deduction", SCORING)
        if before is None or deduction is None:
            counter.miss("trick-score", honour=False)
            return
        points = -min(points, max(deduction(before, counter.trick_points(side)), 0))
    reason = (Message(how, tricks=penalty.number, irregularity=penalty.irregularity),)
    laws = each_once(penalty.laws + law.laws(*names))
    readings = each_once(penalty.readings + law.readings(*names, *rest_on))
    of = (penalty.irregularity,)
    counter.entries.append(Entry(side, "trick", points, "penalty", reason, laws, readings, of))


FOR_TRICKS = ("odd-tricks", "contract-bonus", "overtricks")
"""The items of an account for odd tricks or for making the contract."""


def losing(
    *items: str, both: bool = False, honours: Callable[[bool], bool] = lambda _trumps: False
) -> Callable[[Counter, Penalty], None]:
    """An effect that cuts the lost entries to 0 points and adds the law that takes them.

    Lost are some items or, if none is named, all but those on honours; `honours` says whether they
    are lost too, given whether there are trumps. They are those of the offenders or of `both`
    sides. The offenders' remaining entries for tricks get the readings of the penalty.
    """

    def lose(counter: Counter, penalty: Penalty) -> None:
        every = honours(trump_suit(counter.final.denomination, counter.law) is not None)
        for entry in tuple(counter.entries):
            own = entry.side is penalty.offenders
            lost = entry.item in items if items else every or entry.item not in HONOURS
            if entry.points and (own or both) and lost:
                why = Message("not-scored", irregularity=penalty.irregularity)
                _cut(counter, entry, 0, why, penalty)
            elif own and entry.item in FOR_TRICKS:
                counter.change(entry, entry.points, readings=penalty.readings)

    return lose


def _cut(counter: Counter, entry: Entry, points: int, why: Message, penalty: Penalty) -> None:
    """Cut an entry to a number of points, and add the laws of the penalty."""
    laws, readings, of = penalty.laws, penalty.readings, (penalty.irregularity,)
    counter.change(entry, points, why, laws=laws, readings=readings, irregularities=of)


def limit(counter: Counter, penalty: Penalty) -> None:
    """Cut points towards the game that would take the score of a side above a limit."""
    side, most, law = penalty.offenders, penalty.number, counter.law
    own = [e for e in counter.entries if e.side is side and e.column == "trick" and e.points > 0]
    before = counter.facts.standing.trick_of(side)
    if not own:
        return
    if before is None:
        counter.miss("trick-score", honour=False)
        return
    assert most is not None
    over = counter.trick_points(side) - max(0, most - before)
    for entry in own:
        if over <= 0:
            return
        room, each, of = max(0, entry.points - over), worth(counter.final, law), penalty
        left = room
        if entry.item == "odd-tricks":
            left = SCORING["ceiling"][law.value("ceiling")](entry.points, room, each)
            if room % each:
                of = replace(penalty, readings=penalty.readings + law.readings("ceiling"))
        over -= entry.points - left
        _cut(counter, entry, left, Message("limited-in-all", most=most), of)


def give_points(counter: Counter, penalty: Penalty) -> None:
    """Give points to one side because the other offended."""
    if not penalty.number:
        return
    readings, points = penalty.readings, penalty.number
    how = counter.law.procedure("failed-declarer", SCORING)
    if how and penalty.offenders is not counter.side and counter.trick_score.made is False:
        points = how(points)
        readings += counter.law.readings("failed-declarer.penalties")
    counter.entries.append(penalty.entry(points, each_once(readings)))


def elsewhere(counter: Counter, penalty: Penalty) -> None:
    """Do nothing here: `score_parts` moves tricks, and `account` bars a game."""
    del counter, penalty
