"""The score of a deal under a code, entry by entry, each with its laws.

`account` is a pure function of facts. Every number in it is a figure of the code; every entry names
the laws of its figures and procedures, and the readings they rest on. Facts that are not known
leave their entries out and are named in `missing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.finding import Entry
from oddtrick.judge.procedures import DOUBLING_KEYS, at_nullo, multiplier, plain
from oddtrick.judge.score_procedures import (
    AFTER_A_GAME,
    CANNOT_SCORE,
    CEILING,
    CHICANE,
    FAILED_DECLARER,
    GAME_SCORE,
    HONOURS,
    LIMITED_LOSS,
    REVOKE_TRICKS,
    RUBBER_BONUS_PLACE,
    RUBBER_END,
    SLAM,
    SLAM_BY_COUNT,
    SLAM_ON_LOST_CONTRACT,
    TRICKS_LACKING,
    TRICKS_SCORED,
    VULNERABILITY,
    Account,
    Counted,
    Facts,
    Holding,
    Penalty,
    Standing,
    Unknown,
    cell,
    counted_tricks,
    doubling_key,
    gains_tricks,
    honour_points,
    progressive,
    trump_suit,
)
from oddtrick.judge.words import doubled_words, number_words
from oddtrick.law.in_force import Clause, InForce


class _Counter:
    """Makes the entries of one deal."""

    def __init__(self, facts: Facts, rules: InForce) -> None:
        self.facts, self.rules = facts, rules
        self.final = facts.final
        self.side = facts.final.declarer.side if facts.final.declarer else Side.NS
        self.entries: list[Entry] = []
        self.missing: dict[str, bool] = {}
        self.moved = [p for p in facts.penalties if p.effect == "move-tricks" and p.number]
        self.book = rules.value("book")
        self.total = rules.value("hand-size")
        self.trick_points = 0
        self.scorer = self.side
        odd = facts.final.odd_tricks
        self.taken = self.for_bonuses = None
        self.counted: Counted | None = None
        self.moved_for_bonuses: list[Penalty] = []
        self.moved_for_slam: list[Penalty] = []
        self.lacking = False
        if facts.tricks is not None:
            self.counted = counted = self._moved(facts.tricks)
            self.moved_for_bonuses, self.moved_for_slam = (
                self.moved if n != facts.tricks else [] for n in (counted.bonuses, counted.slam)
            )
            self.taken, self.for_bonuses = (
                counted_tricks(n, facts.final, rules) for n in counted[:2]
            )
        self.made = None if self.taken is None else self.taken >= self.book + odd

    def _moved(self, played: int) -> Counted:
        """What the declaring side's tricks come to, with those moved."""
        how, lacking = self.rules.value("revoke-tricks"), self.rules.value("tricks-lacking")
        moved = played
        for penalty in self.moved:
            tricks = penalty.number or 0
            gains = gains_tricks(penalty, self.side, self.final.denomination, self.rules)
            moved += tricks if gains else -tricks
            if lacking and not 0 <= moved <= self.total:
                self.lacking = True
                moved = TRICKS_LACKING[lacking](moved, self.total)
        if how and moved != played:
            return REVOKE_TRICKS[how](played, moved)
        return Counted(played, played, played, played, played)

    def _moved_words(self) -> str:
        """`, 3 tricks moved for an established revoke`, where tricks were moved."""
        return "".join(
            f", {number_words(p.number or 0, 'trick')} moved for {p.reason}" for p in self.moved
        )

    def vulnerable(self) -> bool | None:
        """Whether the declaring side is vulnerable; `None` where it matters and is not known."""
        how = self.rules.value("vulnerability")
        if how is None:
            return False
        games = self.facts.standing.games_of(self.side)
        return None if games is None else VULNERABILITY[how](games)

    def add(
        self,
        side: Side,
        column: str,
        points: int,
        item: str,
        reason: str,
        *names: str,
        penalties: Iterable[Penalty] = (),
    ) -> None:
        """Keep an entry with the laws of the named clauses and cells, and of penalties."""
        if points == 0:
            return
        laws, readings = self.rules.laws(*names), self.rules.readings(*names)
        moving = ("revoke-tricks", *(["tricks-lacking"] if self.lacking else []))
        for penalty in penalties:
            laws += self.rules.laws(*moving) + penalty.laws
            readings += self.rules.readings(*moving) + penalty.readings
        self.entries.append(
            Entry(side, column, points, item, reason, _each_once(laws), _each_once(readings))
        )

    def miss(self, what: str, honour: bool = True) -> None:
        """Note a fact that is not known, and whether the honour score depends on it."""
        self.missing[what] = self.missing.get(what, False) or honour

    def figure(self, name: str) -> tuple[Any, str]:
        """The cell of a `by-doubling` figure for this declaration, and its name.

        Notes what is missing.
        """
        value = self.rules.value(name)
        if value is None:
            return None, name
        royal = plain(self.final.denomination, self.rules) != self.final.denomination
        found, place = cell(value, self.final.doubled, self.vulnerable(), royal)
        if found is Unknown:
            self.miss("whether the declaring side is vulnerable")
            return None, name
        return found, f"{name}.{place}"

    def state_words(self) -> str:
        """` vulnerable`, or nothing where the code has no vulnerability."""
        if self.rules.value("vulnerability") is None:
            return ""
        return ", vulnerable" if self.vulnerable() else ", invulnerable"

    def tricks(self) -> None:
        """Odd tricks, contract bonus and overtricks, or undertricks."""
        final, rules = self.final, self.rules
        if self.taken is None:
            self.miss("the number of tricks taken")
            return
        won = self.taken - self.book
        lost = self.total - self.taken - self.book
        counted = TRICKS_SCORED[rules.value("tricks-scored")](final.odd_tricks, won, lost)
        for side, odd in zip((self.side, self.side.other), counted, strict=True):
            if odd:
                self.odd_tricks(side, odd)
        if (
            self.made
            and self.for_bonuses is not None
            and self.for_bonuses - self.book >= final.odd_tricks
        ):
            self.bonuses(self.for_bonuses - self.book - final.odd_tricks)
        elif self.made:
            return  # made only by tricks that earn no bonus
        elif rules.get("undertrick"):
            self.under(final.odd_tricks - won)

    def odd_tricks(self, side: Side, counted: int) -> None:
        """The odd tricks that count for a side, at their value as doubled."""
        final, rules = self.final, self.rules
        value = rules.value("odd-trick")[final.denomination]
        self.scorer, self.trick_points = side, counted * value * multiplier(final.doubled, rules)
        names = ["odd-trick", "tricks-scored"] + (
            [f"trick-multiplier.{doubling_key(final.doubled)}"] if final.doubled else []
        )
        names += ["nullo"] if at_nullo(final.denomination, rules) else []
        how = f",{doubled_words(final.doubled)}" if final.doubled else ""
        said = f"{number_words(counted, 'odd trick')} at {value}{how}{self._moved_words()}"
        self.add(side, "trick", self.trick_points, "odd-tricks", said, *names, penalties=self.moved)

    def bonuses(self, over: int) -> None:
        """What a contract that is made earns above the line."""
        bonus, place = self.figure("contract-bonus")
        how = doubled_words(self.final.doubled) or " undoubled"
        if bonus:
            self.add(
                self.side,
                "honour",
                bonus,
                "contract-bonus",
                f"contract made,{how}{self.state_words()}",
                place,
                *self._vulnerable(),
                penalties=self.moved_for_bonuses,
            )
        each, place = self.figure("overtrick") if over else (None, "")
        if each:
            said = f"{number_words(over, 'overtrick')} at {each},{how}{self.state_words()}"
            names = (place, *self._vulnerable())
            self.add(
                self.side,
                "honour",
                over * each,
                "overtricks",
                said,
                *names,
                penalties=self.moved_for_bonuses,
            )

    def _vulnerable(self) -> tuple[str, ...]:
        return ("vulnerability",) if self.vulnerable() else ()

    def under(self, short: int) -> None:
        """What a contract that fails costs."""
        row, place = self.figure("undertrick")
        if row is None:
            return
        points = progressive(row, short)
        how = doubled_words(self.final.doubled) or " undoubled"
        said = f"{number_words(short, 'undertrick')},{how}{self.state_words()}{self._moved_words()}"
        names = [place, *self._vulnerable()]
        limit = self.limit()
        if limit is not None and points > limit:
            points, said = limit, f"{said}, limited to {limit}"
            names.append("undertrick-limit")
        self.add(
            self.side.other, "honour", points, "undertricks", said, *names, penalties=self.moved
        )

    def limit(self) -> int | None:
        """The most that this declaration can lose, where the code limits it."""
        final = self.final
        for row in self.rules.value("undertrick-limit") or ():
            if (row["odd_tricks"], row["denomination"]) != (final.odd_tricks, final.denomination):
                continue
            if row["call"] == "dealers-first" and final.dealers_first is False:
                continue
            lifted = row.get("lifted_by")
            if lifted and final.doubled >= DOUBLING_KEYS.index(lifted):
                continue
            return int(row["most"])
        return None

    def slam(self) -> None:
        """A slam, by the code's own rule."""
        rule = self.rules.get("slam-when")
        figure = self.rules.value("slam")
        counted = self.counted
        if rule is None or figure is None or counted is None:
            return
        found = self._slam_of(counted.slam, counted.adverse_slam)
        if found is None:
            return
        mine, size = found
        names = ["slam-when"]
        if self._slam_of(counted.contract, counted.contract) != self._slam_as_played():
            names.append("revoke-tricks.slam")
        if mine and not self.made:
            lost = self.rules.get("slam-on-lost-contract")
            if lost is None or not SLAM_ON_LOST_CONTRACT[lost.value](False):
                return
            names.append("slam-on-lost-contract")
        row, place = figure, f"slam.{size}"
        if "vulnerable" in figure:
            vulnerable = self.vulnerable()
            if vulnerable is None:
                self.miss("whether the declaring side is vulnerable")
                return
            state = "vulnerable" if vulnerable else "invulnerable"
            row, place = figure[state], f"slam.{state}.{size}"
            names += self._vulnerable()
        side = self.side if mine else self.side.other
        bid = " bid and made" if rule.value == "bid-and-made" else ""
        self.add(
            side,
            "honour",
            row[size],
            "slam",
            f"{size} slam{bid}{self.state_words() if 'vulnerable' in figure else ''}",
            place,
            f"slam-tricks.{size}",
            *names,
            penalties=self.moved_for_slam,
        )

    def _slam_of(self, tricks: int, adverse: int) -> tuple[bool, str] | None:
        """The slam of so many tricks of the declaring side, and for one of the adversaries."""
        how = self.rules.value("slam-when")
        final, total = self.final, self.total
        if how in SLAM_BY_COUNT:
            tricks = counted_tricks(tricks, final, self.rules)
        return SLAM[how](final.odd_tricks, self.book, tricks, total - adverse, total)

    def _slam_as_played(self) -> tuple[bool, str] | None:
        played = self.facts.tricks or 0
        return self._slam_of(played, played)

    def offences(self) -> None:
        """What a side may not score because it offended: entries that stay, with nothing.

        They name the law that takes their points.
        """
        for penalty in self.facts.penalties:
            lost = CANNOT_SCORE.get((penalty.effect, penalty.of))
            if lost:
                trumps = trump_suit(self.final.denomination, self.rules) is not None
                gone = [e for e in self.entries if e.points and lost(e, penalty.offenders, trumps)]
                said = f"not scored for {penalty.reason}"
                self.entries = [_cut(e, 0, said, penalty) if e in gone else e for e in self.entries]
                if any(e.item == "odd-tricks" for e in gone):
                    self.trick_points = 0
            elif penalty.effect == "limit" and self.scorer is penalty.offenders:
                self._limit(penalty)

    def _limit(self, penalty: Penalty) -> None:
        """Trick points that would pass a ceiling on the score towards the game, cut to it."""
        had = self.facts.standing.trick_of(self.scorer)
        if had is None:
            self.miss("the trick score before the deal", honour=False)
            return
        assert penalty.number is not None
        room = max(0, penalty.number - had)
        if self.trick_points <= room:
            return
        final, rules = self.final, self.rules
        each = rules.value("odd-trick")[final.denomination] * multiplier(final.doubled, rules)
        kept = CEILING[rules.value("ceiling")](self.trick_points, room, each)
        if room % each:
            more = rules.readings("ceiling")
            penalty = replace(penalty, readings=_each_once(penalty.readings + more))
        self.trick_points = kept
        said = f"limited to {penalty.number} in all"
        self.entries = [
            _cut(e, kept, said, penalty) if e.item == "odd-tricks" else e for e in self.entries
        ]

    def penalties(self) -> None:
        """Points that one side has because the other offended."""
        for penalty in self.facts.penalties:
            if penalty.effect == "give-points" and penalty.number:
                side, readings, points = penalty.offenders.other, penalty.readings, penalty.number
                how = self.rules.value("failed-declarer")
                if how and side is self.side and self.made is False:
                    points = FAILED_DECLARER[how](points)
                    readings += self.rules.readings("failed-declarer.penalties")
                said, column = f"penalty for {penalty.reason}", penalty.column or "honour"
                entry = Entry(
                    side, column, points, "penalty", said, penalty.laws, _each_once(readings)
                )
                self.entries.append(entry)
                if column == "trick" and side is self.side:
                    self.trick_points += points

    def limited_loss(self) -> None:
        """What the adversaries score beyond the most that the declaration may lose, taken off.

        A limit on the undertricks is kept where they are scored; here it is that on all.
        """
        most, how = self.limit(), self.rules.value("limited-loss")
        if most is None or how is None or self.made is not False:
            return
        theirs = [e for e in self.entries if e.side is self.side.other and e.points > 0]
        loss = [e for e in theirs if LIMITED_LOSS[how](e)]
        over = sum(e.points for e in loss) - most
        doubtful = sum(e.points for e in theirs if e.item not in ("honours", "chicane")) > most
        if not doubtful or len(theirs) < 2:
            return
        readings = self.rules.readings("limited-loss")
        for entry in reversed(theirs):
            cut = min(max(over, 0), entry.points) if entry in loss else 0
            over -= cut
            said = f"{entry.reason}, limited to {most} in all" if cut else entry.reason
            if entry.item not in ("honours", "chicane"):
                changed = replace(
                    entry,
                    points=entry.points - cut,
                    reason=said,
                    laws=_each_once(entry.laws + self.rules.laws("limited-loss")),
                    readings=_each_once(entry.readings + readings),
                )
                self.entries[self.entries.index(entry)] = changed

    def honours(self) -> None:
        """Honours and chicane."""
        rule, how = self.rules.get("honour-values"), self.rules.value("honours")
        if rule is None or how is None:
            return
        kind = "trump" if trump_suit(self.final.denomination, self.rules) else "no-trump"
        if self.facts.honours is None:
            self.miss("the honours held")
            return
        scored: dict[Side, int] = {}
        for side, holding in HONOURS[how](self.facts.honours).items():
            scored[side] = self._honours_of(side, holding, rule, kind)
        if kind == "trump":
            self._chicane(rule, scored)

    def _honours_of(self, side: Side, holding: Holding, rule: Clause, kind: str) -> int:
        points = honour_points(holding, rule, kind, self.final.denomination, self.rules)
        if points is None:
            self.miss(f"how {side.title} held their {holding.total} honours")
            return 0
        what = "aces" if kind == "no-trump" else "honours"
        said = f"{holding.total} {what}" + _in_hands(holding)
        names = [f"honour-values.{kind}.{holding.split}", "honours", "honour-cards"] + (
            ["odd-trick"] if rule.value[kind]["count"] == "odd-trick-values" else []
        )
        self.add(side, "honour", points, "honours", said, *names)
        return points

    def _chicane(self, honours: Clause, scored: Mapping[Side, int]) -> None:
        rule, how = self.rules.get("chicane-value"), self.rules.value("chicane")
        if rule is None or how is None:
            return
        if self.facts.voids is None:
            self.miss("whether a hand held no trump")
            return
        for side, voids in self.facts.voids.items():
            theirs = self.facts.voids.get(side.other, 0)
            scores = (scored.get(side, 0) > 0, scored.get(side.other, 0) > 0)
            sign = CHICANE[how](voids, *scores, theirs)
            if not sign:
                continue
            which = "double" if voids == 2 else "single"
            split = rule.value[which]
            more, fewer = (int(n) for n in split.split("-"))
            points = (
                honour_points(
                    Holding(more + fewer, more),
                    honours,
                    "trump",
                    self.final.denomination,
                    self.rules,
                )
                or 0
            )
            what = "double chicane" if voids == 2 else "chicane"
            rest_on = "chicane.both-sides" if theirs else "chicane"
            names = (f"chicane-value.{which}", rest_on, f"honour-values.trump.{split}")
            if sign > 0:
                self.add(side, "honour", points, "chicane", f"{what}, added", *names)
            else:
                self.add(
                    side.other,
                    "honour",
                    -points,
                    "chicane",
                    f"{what} of {side.title}, deducted",
                    *names,
                )

    def _game_in_honour_score(self) -> bool:
        """Whether winning a game or the rubber would add to the honour score of the deal."""
        place = self.rules.value("rubber-bonus-place")
        return bool(self.rules.value("game-bonus")) or (
            place is not None and RUBBER_BONUS_PLACE[place]() == "honour"
        )

    def _points_of(self, tricks: int) -> int:
        """The trick points of a declaration made with so many tricks."""
        final, rules = self.final, self.rules
        odd = counted_tricks(tricks, final, rules) - self.book
        each = rules.value("odd-trick")[final.denomination] * multiplier(final.doubled, rules)
        return int(odd * each) if odd >= final.odd_tricks else 0

    def _points_for_a_game(self) -> int:
        """The trick points that may win a game; of a doubled contract by the tricks for it."""
        counted = self.counted
        if self.final.doubled and counted and counted.game != counted.contract:
            return min(self.trick_points, self._points_of(counted.game))
        return self.trick_points

    def _game_by_itself(
        self, needed: int, how: str, had: int
    ) -> tuple[Standing, Side | None, Side | None]:
        """The game where there is no rubber: the state is what it was before."""
        points = self._points_for_a_game()
        if GAME_SCORE[how](had, points) < needed:
            return self.facts.standing, None, None
        bonus = self.rules.value("game-bonus")
        if bonus:
            names = ["game-bonus", "game", "game-score"]
            if self.final.doubled and self._points_of(self.facts.tricks or 0) < needed:
                names.append("revoke-tricks.game")
            self.add(self.side, "honour", bonus, "game-bonus", "game won", *names)
        return self.facts.standing, self.side, None

    def standing(self) -> tuple[Standing, Side | None, Side | None]:
        """The state after the deal, who won a game by it, who won the rubber."""
        rules, before, side = self.rules, self.facts.standing, self.scorer
        games, trick = list(before.games), list(before.trick)
        mine = side is Side.EW
        if self.made is None or self.final.declarer is None:
            return Standing(), None, None
        had = trick[mine]
        needed = rules.value("game")
        how = rules.value("game-score")
        if rules.get("rubber-end") is None:
            return self._game_by_itself(needed, how, had or 0)
        reached = (
            GAME_SCORE[how](had or 0, self.trick_points) >= needed if how and needed else False
        )
        if had is None and not reached and self.trick_points:
            self.miss("the trick score before the deal", self._game_in_honour_score())
            return Standing(before.games, (None, None)), None, None
        if not reached:
            if had is not None:
                trick[mine] = had + self.trick_points
            return Standing((games[0], games[1]), (trick[0], trick[1])), None, None
        bonus = rules.value("game-bonus")
        if bonus:
            self.add(side, "honour", bonus, "game-bonus", "game won", "game-bonus", "game")
        trick = [0 if s is side else AFTER_A_GAME[how](trick[s is Side.EW]) for s in Side]
        count = games[mine]
        if count is None:
            if rules.value("rubber-bonus"):
                self.miss("the games won before the deal", self._game_in_honour_score())
            return Standing((None, None), (trick[0], trick[1])), side, None
        games[mine] = count + 1
        after = Standing((games[0], games[1]), (trick[0], trick[1]))
        if not RUBBER_END[rules.value("rubber-end")](count + 1, rules.value("games-in-rubber")):
            return after, side, None
        column = RUBBER_BONUS_PLACE[rules.value("rubber-bonus-place")]()
        self.add(
            side,
            column,
            rules.value("rubber-bonus"),
            "rubber-bonus",
            f"{number_words(rules.value('games-in-rubber'), 'game')} won",
            "rubber-bonus",
            "rubber-bonus-place",
            "rubber-end",
        )
        return after, side, side


def _each_once(addresses: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(addresses)) if len(addresses) > 1 else addresses


def _cut(entry: Entry, points: int, said: str, penalty: Penalty) -> Entry:
    """An entry with the points that a penalty leaves of it, and the laws of the penalty."""
    laws, readings = (
        _each_once(entry.laws + penalty.laws),
        _each_once(entry.readings + penalty.readings),
    )
    return replace(
        entry, points=points, reason=f"{entry.reason}, {said}", laws=laws, readings=readings
    )


def _in_hands(holding: Holding) -> str:
    if holding.more is None:
        return ""
    if holding.more == holding.total:
        return " in one hand"
    return " in two hands" if holding.more < 4 else f", {holding.more} in one hand"


def account(facts: Facts, rules: InForce) -> Account:
    """The score of one deal under a code: a pure function of the facts.

    Entries come in the order a scorer writes them: tricks, bonuses, undertricks, slam, honours,
    chicane, game, rubber. Points are in the units of the code's columns (`trick`, `honour`; `total`
    for what is added when the rubber is over).
    """
    counter = _Counter(facts, rules)
    if facts.final.declarer is None:
        return Account(
            (),
            ("who the declarer is",),
            Standing(),
            None,
            None,
            counter.made,
            open=("who the declarer is",),
        )
    counter.tricks()
    counter.slam()
    counter.honours()
    counter.offences()
    counter.penalties()
    counter.limited_loss()
    after, game, rubber = counter.standing()
    return Account(
        tuple(counter.entries),
        tuple(counter.missing),
        after,
        game,
        rubber,
        counter.made,
        facts.standing,
        open=tuple(what for what, honour in counter.missing.items() if honour),
    )
