"""A match: the aggregate of each team, its odd pair, its result, and the trays played again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oddtrick.cards import SEATS, Side
from oddtrick.judge.answers import Json, of_fields
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finder, Finding
from oddtrick.judge.message import Message, Say
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

    def as_json(self, say: Say) -> Json:
        """The team in the JSON of a check."""
        return of_fields(self, say, "name", "total", "odd_pair", "against_average", "against")


@dataclass(slots=True)
class Tally:
    """The points of a match.

    They are added up by team, by side, by tray and play, and by pair with the sides on which it
    sat.
    """

    teams: dict[str, int]
    sides: dict[Side, int]
    trays: dict[int, list[dict[str, int]]]
    pairs: dict[tuple[str, frozenset[str]], dict[Side, int]] | None


def tallied(checks: Iterable[Check]) -> Tally:
    """The points of every deal added up.

    `pairs` is `None` if a deal does not name its players.
    """
    tally = Tally({}, dict.fromkeys(Side, 0), {}, {})
    for check in checks:
        names, players = dict(check.source.sides), dict(check.source.players)
        made = {}
        for side in Side:
            points = check.account.points(side) if check.account else 0
            team = names.get(side, side.title)
            made[team] = points
            tally.teams[team] = tally.teams.get(team, 0) + points
            tally.sides[side] += points
            pair = frozenset(name for seat, name in players.items() if seat.side is side)
            if len(pair) < 2:
                tally.pairs = None
            elif tally.pairs is not None:
                own = tally.pairs.setdefault((team, pair), {})
                own[side] = own.get(side, 0) + points
        if check.source.tray is not None:
            tally.trays.setdefault(check.source.tray, []).append(made)
    return tally


def teams_of(tally: Tally, law: Rules) -> tuple[Team, ...]:
    """Every team with its aggregate and its result; fractions are used only as the code allows."""
    result, avoids = law.value("match-result"), law.procedure("fraction", SCORING)
    if not tally.teams or not law.has("average") or not result:
        return ()
    added = odd_pairs(tally, law)
    rounded, exact = (_teams(tally.teams, added, result, to) for to in (half_up, Fraction))
    results = [[t.against_average for t in teams] for teams in (rounded, exact)]
    return exact if avoids and avoids(*results) else rounded


def _teams(
    scores: Mapping[str, int],
    added: Mapping[str, Fraction],
    result: str,
    rounded: Callable[[Fraction], Fraction],
) -> tuple[Team, ...]:
    odd = {team: rounded(added.get(team, Fraction(0))) for team in scores}
    totals = {team: points + odd[team] for team, points in scores.items()}
    teams = []
    for team, total in totals.items():
        others = [n for t, n in totals.items() if t != team]
        beside = rounded(SCORING["match-result"][result](total, others))
        teams.append(Team(team, total, total - beside, odd[team], result))
    return tuple(teams)


def odd_pairs(tally: Tally, law: Rules) -> dict[str, Fraction]:
    """The points that each team adds for its odd pair.

    Empty if the pairs are not known or sit on both sides.
    """
    how = law.value("odd-pairs")
    if how is None or tally.pairs is None:
        return {}
    added = {}
    for team, seats in _seated(tally).items():
        if len(seats) == 1 and not SCORING["odd-pairs"][how]:
            continue  # the only pair of a team is not an odd pair
        odd = [s for s in Side if seats.count(s) == seats.count(s.other) + 1]
        if odd:
            opposite = [
                points[odd[0].other] for points in tally.pairs.values() if odd[0].other in points
            ]
            added[team] = Fraction(sum(opposite), len(opposite))
    return added


def _seated(tally: Tally) -> dict[str, list[Side]]:
    """The sides on which the pairs of each team sit.

    Empty if the pairs are not known or one sits on both sides.
    """
    seated: dict[str, list[Side]] = {}
    for (team, _), points in (tally.pairs or {}).items():
        if len(points) > 1:
            return {}
        seated.setdefault(team, []).extend(points)
    return seated


def readings_of(tally: Tally, teams: Iterable[Team], law: Rules) -> tuple[str, ...]:
    """The readings on which the result of a match rests.

    They concern fractions that were not rounded, and teams with only one pair.
    """
    names = (
        ["fraction"]
        if any(n.denominator > 1 for t in teams for n in (t.total, t.against_average))
        else []
    )
    names += ["odd-pairs"] if any(len(seats) == 1 for seats in _seated(tally).values()) else []
    return law.readings(*names)


def trays_of(tally: Tally) -> tuple[Json, ...]:
    """The trays that were played more than once, with the points of each team."""
    return tuple(
        {
            "tray": tray,
            "plays": len(plays),
            "points": {team: sum(p.get(team, 0) for p in plays) for team in tally.teams},
        }
        for tray, plays in sorted(tally.trays.items())
        if len(plays) > 1
    )


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
