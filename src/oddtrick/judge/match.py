"""A match: the aggregate of each team, its odd pair, its result, and the trays played again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from oddtrick.cards import SEATS, Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finder, Finding, Json, Message
from oddtrick.judge.score_procedures import SCORING, half_up
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal


@dataclass(frozen=True, slots=True)
class Team:
    """A team of a match: its aggregate and its result.

    `against_average` is the aggregate minus the standard that `against` names: the average of all
    teams or the best other team, depending on how the code decides a match. `odd_pair` are the
    points that its odd pair adds to the aggregate. Points are whole numbers unless fractions decide
    the match.
    """

    name: str
    total: Fraction
    against_average: Fraction
    odd_pair: Fraction = Fraction(0)
    against: str = "from-the-average"


class Score(NamedTuple):
    """The points of a side on one deal of a match; `pair` are its players, if they are named."""

    team: str
    side: Side
    points: int
    pair: frozenset[str] = frozenset()
    tray: int | None = None


def scores_of(checks: Iterable[Check]) -> list[Score]:
    """The points of each side on each deal of a match."""
    found = []
    for check in checks:
        deal, account = check.source, check.account
        for side in Side:
            team = dict(deal.sides).get(side, side.title)
            points = account.points(side) if account else 0
            pair = frozenset(name for seat, name in deal.players if seat.side is side)
            found.append(Score(team, side, points, pair, deal.tray))
    return found


def teams_of(scores: Sequence[Score], law: Rules) -> tuple[Team, ...]:
    """Every team with its aggregate and its result; fractions are used only as the code allows."""
    result, avoids = law.value("match-result"), law.procedure("fraction", SCORING)
    if not scores or not law.has("average") or not result:
        return ()

    def teams(rounded: Callable[[Fraction], Fraction]) -> tuple[Team, ...]:
        odd = {team: rounded(points) for team, points in odd_pairs(scores, law).items()}
        totals = {s.team: odd.get(s.team, Fraction(0)) for s in scores}
        for score in scores:
            totals[score.team] += score.points
        found = []
        for team, total in totals.items():
            others = [n for t, n in totals.items() if t != team]
            beside = rounded(SCORING["match-result"][result](total, others))
            found.append(Team(team, total, total - beside, odd.get(team, Fraction(0)), result))
        return tuple(found)

    rounded, exact = teams(half_up), teams(Fraction)
    results = [[t.against_average for t in of] for of in (rounded, exact)]
    return exact if avoids and avoids(*results) else rounded


def odd_pairs(scores: Sequence[Score], law: Rules) -> dict[str, Fraction]:
    """The points that each team adds for its odd pair.

    Empty if the pairs are not known or sit on both sides.
    """
    how, added = law.value("odd-pairs"), dict[str, Fraction]()
    for team, seats in _seated(scores).items() if how else ():
        if len(seats) == 1 and not SCORING["odd-pairs"][how]:
            continue  # the only pair of a team is not an odd pair
        odd = [s for s in Side if seats.count(s) == seats.count(s.other) + 1]
        if odd:
            opposite = [s for s in scores if s.side is odd[0].other]
            pairs = len({(s.team, s.pair) for s in opposite})
            added[team] = Fraction(sum(s.points for s in opposite), pairs)
    return added


def _seated(scores: Iterable[Score]) -> dict[str, list[Side]]:
    """The sides on which the pairs of each team sit.

    Empty if the pairs are not known or one sits on both sides.
    """
    seated: dict[str, dict[frozenset[str], Side]] = {}
    for team, side, _, pair, _ in scores:
        if len(pair) < 2 or seated.setdefault(team, {}).setdefault(pair, side) is not side:
            return {}
    return {team: [*sides.values()] for team, sides in seated.items()}


def readings_of(scores: Iterable[Score], teams: Iterable[Team], law: Rules) -> tuple[str, ...]:
    """The readings on which the result of a match rests.

    They concern fractions that were not rounded, and teams with only one pair.
    """
    figures = [n for t in teams for n in (t.total, t.against_average)]
    names = ["fraction"] if any(n.denominator > 1 for n in figures) else []
    names += ["odd-pairs"] if any(len(seats) == 1 for seats in _seated(scores).values()) else []
    return law.readings(*names)


def trays_of(scores: Sequence[Score]) -> Iterator[Json]:
    """The trays that were played more than once, with the points of each team."""
    for tray in sorted({s.tray for s in scores if s.tray is not None}):
        played = [s for s in scores if s.tray == tray]
        if len(played) > len(Side):
            points = dict.fromkeys((s.team for s in scores), 0)
            for score in played:
                points[score.team] += score.points
            yield {"tray": tray, "plays": len(played) // len(Side), "points": points}


def tray_findings(deals: Sequence[Deal], law: Rules) -> tuple[Finding, ...]:
    """A finding for each tray that was later played with a different deal."""
    found = []
    before: dict[int, Deal] = {}
    for deal in deals:
        if deal.tray is None:
            continue
        first = before.setdefault(deal.tray, deal)
        # At a single table the tray is turned, so that North's hand lies at East.
        as_laid, turned = (_other_deal(first, deal, n) for n in (0, 1))
        if as_laid and turned:
            both = tuple(part for part in as_laid if part in turned) or ("cards", "dealer")
            message = Message("other-tray", tray=deal.tray, deal=first.id, differs=both)
            found.append(Finder(law, deal).find("score.tray", message, ("tray",)))
    return tuple(found)


def _other_deal(first: Deal, second: Deal, turned: int) -> tuple[str, ...]:
    """What two records of one tray state differently.

    `turned` is the number of places to the left by which the second is turned.
    """
    cards = any(
        mine & yours
        for seat, yours in zip(SEATS, first.hands, strict=True)
        for other, mine in zip(SEATS, second.hands, strict=True)
        if other is not seat.after(turned)
    )
    one, two = first.dealer, second.dealer
    dealer = one and two and one.after(turned) is not two
    return (*(("cards",) if cards else ()), *(("dealer",) if dealer else ()))
