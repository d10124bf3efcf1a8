"""The score of a deal under a code, entry by entry, each with its laws.

`account` is a pure function of facts. Every number in it is a figure of the code; every entry names
the laws of its figures and procedures, and the readings they rest on. If a fact is not known, the
entries that need it are omitted and the fact is listed in `missing`.
"""

from __future__ import annotations

from typing import Any

from oddtrick.cards import EW, NS, SIDES, Side
from oddtrick.judge.effects import EFFECTS
from oddtrick.judge.finding import Entry, Message, Missing
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_parts import (
    GameScore,
    Lines,
    TrickScore,
    game_score,
    honour_score,
    reaches_game,
    trick_score,
    worth,
)
from oddtrick.judge.score_procedures import (
    AS_WRITTEN,
    HONOURS,
    SCORING,
    Account,
    Facts,
    Standing,
    counted_tricks,
)
from oddtrick.law.rules import Rules


class Counter(Lines):
    """Assembles an account: entries for tricks and honours, changes by penalties, a game bonus."""

    def __init__(self, facts: Facts, law: Rules, side: Side, tricks: TrickScore) -> None:
        super().__init__(law)
        self.facts, self.final, self.side, self.trick_score = facts, facts.final, side, tricks
        self.take(tricks)
        known = facts.honours, facts.voids
        by_side = [None if of is None else tuple(of.items()) for of in known]
        final, doubled = self.final, self.final.doubled > 0
        self.take(honour_score(law, final.denomination, doubled, *by_side))

    def trick_points(self, side: Side) -> int:
        """The trick points that a side scores in this deal."""
        return sum([e.points for e in self.entries if e.side is side and e.column == "trick"])

    def change(self, entry: Entry, points: int, *why: Message, **more: tuple[str, ...]) -> None:
        """Change the points of an entry, and add the laws, readings and irregularities for it."""
        rests_on: dict[str, Any] = {
            name: tuple(dict.fromkeys((*getattr(entry, name), *of))) for name, of in more.items()
        }
        changed = entry._replace(points=points, reason=(*entry.reason, *why), **rests_on)
        self.entries[self.entries.index(entry)] = changed

    def limited_loss(self) -> None:
        """Cut what the adversaries score above the most that the declaration may lose.

        This limit is on all their points; a limit on undertricks is applied where those are scored.
        """
        most, how = self.trick_score.most, self.law.procedure("limited-loss", SCORING)
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
        """Add an entry for the points in a closed column that are written beyond the law."""
        for closed in self.facts.closed:
            its = (e.points for e in self.entries if (e.side, e.column) == (closed.side, column))
            beyond = closed.points - sum(its)
            if closed.column == column and beyond:
                reason, laws = (Message("as-written", points=closed.points),), (closed.by,)
                entry = Entry(closed.side, column, beyond, AS_WRITTEN, reason, laws)
                self.entries.append(entry)

    def game(self) -> GameScore:
        """The game and the rubber won by the trick points of the deal."""
        facts, law = self.facts, self.law
        if law.has("rubber-end"):
            barring = [p for p in facts.penalties if p.effect == "no-game"]
            barred = {s for p in barring for s in (SIDES if p.of == "both" else (p.offenders,))}
            gained = (self.trick_points(NS), self.trick_points(EW))
            return game_score(law, facts.standing, gained, frozenset(barred))
        # In a code without rubbers the state does not change, and a doubled contract wins the game
        # only by the tricks that count for a game.
        score, doubled, won = self.trick_score, self.final.doubled, GameScore(law, facts.standing)
        points = self.trick_points(score.scorer)
        if doubled and score.counted and score.counted.game != score.counted.contract:
            points = min(points, self._points_of(score.counted.game))
        if reaches_game(facts.standing.trick_of(score.scorer), points, law):
            moved = doubled and self._points_of(facts.tricks or 0) < (law.value("game") or 0)
            won.win(self.side, ["game-score", *(["revoke-tricks.game"] if moved else [])])
        return won

    def _points_of(self, tricks: int) -> int:
        """The trick points for this number of tricks; 0 if the contract fails."""
        odd = counted_tricks(tricks, self.final, self.law) - self.law.value("book")
        return odd * worth(self.final, self.law) if odd >= self.final.odd_tricks else 0


def account(facts: Facts, law: Rules) -> Account:
    """The score of one deal under a code: a pure function of the facts.

    Entries come in the order a scorer writes them: tricks, bonuses, undertricks, slam, honours,
    chicane, game, rubber. Points are in the units of the code's columns (`trick`, `honour`; `total`
    for what is added when the rubber is over).
    """
    final = facts.final
    vulnerable: bool | None = False
    side = final.declarer.side if final.declarer else NS
    if law.has("vulnerability"):
        games = facts.standing.games_of(side)
        vulnerable = None if games is None else games > 0  # a side that has won a game
    call = Final(
        final.odd_tricks, final.denomination, final.doubled, None, None, final.dealers_first
    )
    moved = tuple([p for p in facts.penalties if p.effect == "move-tricks" and p.number])
    tricks = trick_score(law, call, side, vulnerable, facts.tricks, moved)
    if final.declarer is None:
        lacking = (Missing("declarer"),)
        return Account((), lacking, Standing(), None, None, tricks.made, open=lacking)
    counter = Counter(facts, law, side, tricks)
    if facts.penalties:
        order = [effect for effect, _ in EFFECTS]
        for penalty in sorted(facts.penalties, key=lambda p: order.index(p.effect)):
            if on_score := EFFECTS[penalty.effect, penalty.of].on_score:
                on_score(counter, penalty)
    counter.limited_loss()
    counter.as_written("trick")
    won = GameScore(law, Standing()) if tricks.made is None else counter.game()
    counter.take(won)
    counter.as_written("honour")
    return Account(
        tuple(counter.entries),
        tuple(counter.missing),
        won.after,
        won.game,
        won.rubber,
        tricks.made,
        tuple([fact for fact, honour in counter.missing.items() if honour]),
        facts,
    )
