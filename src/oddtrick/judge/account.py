"""The score of a deal under a code, entry by entry, each with its laws.

`account` is a pure function of facts. Every number in it is a figure of the code; every entry names
the laws of its figures and procedures, and the readings they rest on. If a fact is not known, the
entries that need it are left out and the fact is listed in `missing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.effects import EFFECTS
from oddtrick.judge.finding import Entry, Missing
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_parts import Lines, TrickScore, honour_score, limit, trick_score, worth
from oddtrick.judge.score_procedures import (
    AFTER_A_GAME,
    AS_WRITTEN,
    GAME_SCORE,
    HONOURS,
    LIMITED_LOSS,
    RUBBER_BONUS_PLACE,
    Account,
    Facts,
    Standing,
    after_a_game,
    counted_tricks,
)
from oddtrick.law.rules import Rules

GameAfter = tuple[Standing, Side | None, Side | None]
"""The state after a deal, the side that won a game by it, and the side that won the rubber."""


class Counter(Lines):
    """Assembles an account: entries for tricks and honours, changes by penalties, a game bonus."""

    def __init__(self, facts: Facts, law: Rules, side: Side, tricks: TrickScore) -> None:
        super().__init__(law)
        self.facts, self.final, self.side, self.trick_score = facts, facts.final, side, tricks
        known = (of and tuple(of.items()) for of in (facts.honours, facts.voids))
        honours = honour_score(law, facts.final.denomination, *known)
        for part in (tricks, honours):
            self.entries += part.entries
            for what, honour in part.missing.items():
                self.miss(what, honour)

    def trick_points(self, side: Side) -> int:
        """The trick points that a side scores in this deal."""
        return sum([e.points for e in self.entries if e.side is side and e.column == "trick"])

    def change(self, entry: Entry, points: int, *why: Message, **more: tuple[str, ...]) -> None:
        """Change the points of an entry, and add the laws, readings and irregularities that justify
        it.
        """
        rests_on: dict[str, Any] = {
            name: tuple(dict.fromkeys((*getattr(entry, name), *of))) for name, of in more.items()
        }
        changed = entry._replace(points=points, reason=(*entry.reason, *why), **rests_on)
        self.entries[self.entries.index(entry)] = changed

    def limited_loss(self) -> None:
        """Cut what the adversaries score above the most that the declaration may lose.

        This limit is on all their points; a limit on undertricks is applied where those are scored.
        """
        most, how = limit(self.final, self.law), self.law.procedure("limited-loss", LIMITED_LOSS)
        if most is None or how is None or self.trick_score.made is not False:
            return
        theirs = [e for e in self.entries if e.side is self.side.other and e.points > 0]
        over = sum(e.points for e in theirs if how(e)) - most
        doubtful = sum(e.points for e in theirs if e.item not in HONOURS) > most
        if not doubtful or len(theirs) < 2:
            return
        laws, readings = self.law.laws("limited-loss"), self.law.readings("limited-loss")
        for entry in reversed(theirs):
            cut = min(max(over, 0), entry.points) if how(entry) else 0
            over -= cut
            if entry.item not in HONOURS:
                why = (Message("limited-in-all", most=most),) if cut else ()
                self.change(entry, entry.points - cut, *why, laws=laws, readings=readings)

    def as_written(self, column: str) -> None:
        """Add an entry for the difference between a closed column as written and its lawful
        points.
        """
        for closed in self.facts.closed:
            its = (e.points for e in self.entries if (e.side, e.column) == (closed.side, column))
            beyond = closed.points - sum(its)
            if closed.column == column and beyond:
                reason, laws = (Message("as-written", points=closed.points),), (closed.by,)
                entry = Entry(closed.side, column, beyond, AS_WRITTEN, reason, laws)
                self.entries.append(entry)

    def _points_of(self, tricks: int) -> int:
        """The trick points for this number of tricks; 0 if the declaration is not made."""
        odd = counted_tricks(tricks, self.final, self.law) - self.law.value("book")
        return odd * worth(self.final, self.law) if odd >= self.final.odd_tricks else 0

    def _reaches_game(self, side: Side, points: int) -> bool:
        """Whether these points, with the trick score of the side before the deal, make a game."""
        how, needed = self.law.procedure("game-score", GAME_SCORE), self.law.value("game")
        had = self.facts.standing.trick_of(side) or 0
        return bool(how and needed and how(had, points) >= needed)

    def _add_game(self, side: Side, names: Sequence[str]) -> None:
        bonus = self.law.value("game-bonus") or 0
        reason = (Message("game-won"),)
        self.add(side, "honour", bonus, "game-bonus", reason, ["game-bonus", "game", *names])

    def _game_by_itself(self) -> GameAfter:
        """The game in a code without rubbers: the state does not change.

        A doubled contract wins it by the tricks that count for it.
        """
        counted, scorer = self.trick_score.counted, self.trick_score.scorer
        points, doubled = self.trick_points(scorer), self.final.doubled
        if doubled and counted and counted.game != counted.contract:
            points = min(points, self._points_of(counted.game))
        if not self._reaches_game(scorer, points):
            return self.facts.standing, None, None
        moved = doubled and self._points_of(self.facts.tricks or 0) < (self.law.value("game") or 0)
        self._add_game(self.side, ["game-score", *(["revoke-tricks.game"] if moved else [])])
        return self.facts.standing, self.side, None

    def standing(self) -> GameAfter:
        """The state after the deal, and the sides that won a game and the rubber by it."""
        law, before = self.law, self.facts.standing
        if self.trick_score.made is None:
            return Standing(), None, None
        if not law.has("rubber-end"):
            return self._game_by_itself()
        place = law.procedure("rubber-bonus-place", RUBBER_BONUS_PLACE)
        in_honours = law.has("game-bonus") or place == "honour"
        barring = [p for p in self.facts.penalties if p.effect == "no-game"]
        barred = {s for p in barring for s in (Side if p.of == "both" else (p.offenders,))}
        gained = {side: self.trick_points(side) for side in Side}
        won = (s for s in Side if s not in barred and self._reaches_game(s, gained[s]))
        if (side := next(won, None)) is None:
            if any(before.trick_of(s) is None and gained[s] for s in Side):
                self.miss("trick-score", in_honours)
                return Standing(before.games), None, None
            had = [(before.trick_of(s), gained[s]) for s in Side]
            ours, theirs = (None if its is None else its + more for its, more in had)
            return Standing(before.games, (ours, theirs)), None, None
        self._add_game(side, ())
        left = law.procedure("game-score", AFTER_A_GAME)
        trick = _of_both(side, 0, left(before.trick_of(side.other)) if left else 0)
        count, rubber = before.games_of(side), law.value("rubber-bonus")
        if count is None:
            if rubber:
                self.miss("games", in_honours)
            return Standing((None, None), trick), side, None
        now = Standing(_of_both(side, count + 1, before.games_of(side.other)), trick)
        needed = law.value("games-in-rubber") or 0
        if count + 1 < needed:
            return now, side, None
        if rubber and place and needed:
            reason = (Message("games-won", games=needed),)
            names = ("rubber-bonus", "rubber-bonus-place", "rubber-end")
            self.add(side, place, rubber, "rubber-bonus", reason, names)
        return now, side, side


def _of_both(side: Side, own: int | None, other: int | None) -> tuple[int | None, int | None]:
    """The numbers of a side and of the other side, ordered North-South, East-West."""
    return (own, other) if side is Side.NS else (other, own)


def account(facts: Facts, law: Rules) -> Account:
    """The score of one deal under a code: a pure function of the facts.

    Entries come in the order a scorer writes them: tricks, bonuses, undertricks, slam, honours,
    chicane, game, rubber. Points are in the units of the code's columns (`trick`, `honour`; `total`
    for what is added when the rubber is over).
    """
    final, vulnerable = facts.final, None if law.has("vulnerability") else False
    side = final.declarer.side if final.declarer else Side.NS
    games = facts.standing.games_of(side)
    if law.has("vulnerability") and games is not None:
        vulnerable = after_a_game(games)
    call = Final(
        final.odd_tricks, final.denomination, final.doubled, None, None, final.dealers_first
    )
    moved = tuple(p for p in facts.penalties if p.effect == "move-tricks" and p.number)
    tricks = trick_score(law, call, side, vulnerable, facts.tricks, moved)
    if final.declarer is None:
        lacking = (Missing("declarer"),)
        return Account((), lacking, Standing(), None, None, tricks.made, open=lacking)
    counter = Counter(facts, law, side, tricks)
    for effect, of in EFFECTS.items() if facts.penalties else ():
        for penalty in facts.penalties:
            if penalty.effect == effect and of.on_score:
                of.on_score(counter, penalty)
    counter.limited_loss()
    counter.as_written("trick")
    after, game, rubber = counter.standing()
    counter.as_written("honour")
    return Account(
        tuple(counter.entries),
        tuple(counter.missing),
        after,
        game,
        rubber,
        tricks.made,
        facts.standing,
        tuple(fact for fact, honour in counter.missing.items() if honour),
    )
