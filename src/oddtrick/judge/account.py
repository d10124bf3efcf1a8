"""The score of a deal under a code, entry by entry, each with its laws.

`account` is a pure function of facts. Every number in it is a figure of the code; every entry names
the laws of its figures and procedures, and the readings they rest on. Facts that are not known
leave their entries out and are named in `missing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from oddtrick.cards import Side
from oddtrick.judge.finding import Entry
from oddtrick.judge.procedures import at_nullo, odd_trick_worth, plain
from oddtrick.judge.score_law import ScoreLaw, score_law
from oddtrick.judge.score_procedures import (
    CANNOT_SCORE,
    VULNERABLE_STATES,
    Account,
    Amount,
    ByDoubling,
    Counted,
    Facts,
    Holding,
    Penalty,
    Standing,
    counted_tricks,
    doubling_key,
    honour_points,
    owed_tricks,
    progressive,
    tricks_after,
    trump_suit,
)
from oddtrick.judge.words import doubled_words, number_words
from oddtrick.law.in_force import InForce


class _Counter:
    """Makes the entries of one deal."""

    def __init__(self, facts: Facts, law: ScoreLaw) -> None:
        self.facts, self.law = facts, law
        self.final = facts.final
        self.side = facts.final.declarer.side if facts.final.declarer else Side.NS
        self.entries: list[Entry] = []
        self.missing: dict[str, bool] = {}
        self.moved = [p for p in facts.penalties if p.effect == "move-tricks" and p.number]
        self.scorer = self.side
        self.vulnerable = self._vulnerable()
        self.taken: int | None = None
        self.for_bonuses: int | None = None
        self.counted: Counted | None = None
        self.moved_for_bonuses = self.moved_for_slam = self.moved
        self.lacking = False
        self.made: bool | None = None
        if facts.tricks is not None:
            self._count(facts.tricks)

    def _count(self, played: int) -> None:
        """What the declaring side's tricks come to, with those moved."""
        self.counted = counted = self._moved(played)
        self.moved_for_bonuses = self.moved if counted.bonuses != played else []
        self.moved_for_slam = self.moved if counted.slam != played else []
        self.taken = counted_tricks(counted.contract, self.final, self.law)
        self.for_bonuses = counted_tricks(counted.bonuses, self.final, self.law)
        self.made = self.taken >= self.law.book + self.final.odd_tricks

    def _moved(self, played: int) -> Counted:
        law = self.law
        gained, given = owed_tricks(self.moved, self.side, self.final.denomination, law)
        moved = tricks_after(played, gained, given, law)
        self.lacking = bool(law.tricks_lacking) and (
            played + gained > law.hand_size or given > played
        )
        if law.revoke_tricks and moved != played:
            return law.revoke_tricks(played, moved)
        return Counted(played, played, played, played, played)

    def _moved_words(self) -> str:
        """`, 3 tricks moved for an established revoke`, where tricks were moved."""
        return "".join(
            f", {number_words(p.number or 0, 'trick')} moved for {p.reason}" for p in self.moved
        )

    def _vulnerable(self) -> bool | None:
        """Whether the declaring side is vulnerable; `None` where it matters and is not known."""
        if self.law.vulnerable is None:
            return False
        games = self.facts.standing.games_of(self.side)
        return None if games is None else self.law.vulnerable(games)

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
        laws, readings = self.law.laws(*names), self.law.readings(*names)
        moving = ("revoke-tricks", *(["tricks-lacking"] if self.lacking else []))
        for penalty in penalties:
            laws = _each_once(laws + self.law.laws(*moving) + penalty.laws)
            readings += self.law.readings(*moving) + penalty.readings
        self.entries.append(Entry(side, column, points, item, reason, laws, _each_once(readings)))

    def miss(self, what: str, honour: bool = True) -> None:
        """Note a fact that is not known, and whether the honour score depends on it."""
        self.missing[what] = self.missing.get(what, False) or honour

    def figure(self, value: ByDoubling[Amount] | None) -> tuple[Amount, str] | None:
        """What a figure has for this declaration, and the name of its cell.

        Notes what is missing.
        """
        if value is None:
            return None
        royal = plain(self.final.denomination, self.law) != self.final.denomination
        found = value.cell(self.final.doubled, self.vulnerable, royal)
        if found is None:
            self.miss("whether the declaring side is vulnerable")
            return None
        amount, cell = found
        return None if amount is None else (amount, f"{value.name}.{cell}")

    def state_words(self) -> str:
        """`, vulnerable`, or nothing where the code has no vulnerability."""
        if self.law.vulnerable is None:
            return ""
        return ", vulnerable" if self.vulnerable else ", invulnerable"

    def how_words(self) -> str:
        """How far the declaration is doubled, and the state of the side: ` doubled, vulnerable`."""
        return (doubled_words(self.final.doubled) or " undoubled") + self.state_words()

    def _by_state(self) -> tuple[str, ...]:
        """The clause that makes the side vulnerable, where it is."""
        return ("vulnerability",) if self.vulnerable else ()

    def tricks(self) -> None:
        """Odd tricks, contract bonus and overtricks, or undertricks."""
        final, law = self.final, self.law
        if self.taken is None or self.for_bonuses is None:
            self.miss("the number of tricks taken")
            return
        won = self.taken - law.book
        lost = law.hand_size - self.taken - law.book
        counted = law.tricks_scored(final.odd_tricks, won, lost)
        for side, odd in zip((self.side, self.side.other), counted, strict=True):
            if odd:
                self.odd_tricks(side, odd)
        if not self.made:
            self.under(final.odd_tricks - won)
        elif self.for_bonuses - law.book >= final.odd_tricks:  # not made by tricks without a bonus
            self.bonuses(self.for_bonuses - law.book - final.odd_tricks)

    def odd_tricks(self, side: Side, counted: int) -> None:
        """The odd tricks that count for a side, at their value as doubled."""
        final, law = self.final, self.law
        value = law.odd_trick[final.denomination]
        self.scorer, points = side, counted * self._odd_trick()
        worth, *doubling = self._worth_clauses()
        names = [worth, "tricks-scored", *doubling]
        names += ["nullo"] if at_nullo(final.denomination, law) else []
        ceiling = law.value("doubling-ceiling")
        if ceiling is not None and self._odd_trick() >= ceiling:
            names.append("doubling.past-the-limit")
        how = f",{doubled_words(final.doubled)}" if final.doubled else ""
        said = f"{number_words(counted, 'odd trick')} at {value}{how}{self._moved_words()}"
        self.add(side, "trick", points, "odd-tricks", said, *names, penalties=self.moved)

    def _worth_clauses(self) -> list[str]:
        """The clauses by which an odd trick has its worth."""
        doubled = self.final.doubled
        return ["odd-trick", *([f"trick-multiplier.{doubling_key(doubled)}"] if doubled else [])]

    def trick_points(self, side: Side) -> int:
        """The points of a side towards the game so far."""
        return sum(e.points for e in self.entries if e.side is side and e.column == "trick")

    def values(self) -> None:
        """The value of tricks that is added to a score towards the game, or taken from it."""
        value = self.law.revoke_value
        for penalty in self.facts.penalties:
            if penalty.effect != "value-of-tricks" or not penalty.number or value is None:
                continue
            first = self.law.odd_trick[self.final.denomination]
            points = penalty.number * value(self._odd_trick(), first)
            names, side, how = self._worth_clauses(), penalty.offenders.other, "added"
            rest_on = ["revoke-value"] if self.final.doubled else []
            if penalty.of == "deducted":
                side, how = penalty.offenders, "taken off"
                rest_on.append("revoke-deduction")
                had = self.facts.standing.trick_of(side)
                if had is None or self.law.revoke_deduction is None:
                    self.miss("the trick score before the deal", honour=False)
                    continue
                there = self.law.revoke_deduction(had, self.trick_points(side))
                points = -min(points, max(there, 0))
            tricks = number_words(penalty.number, "trick")
            said = f"the value of {tricks} {how} for {penalty.reason}"
            laws = _each_once(penalty.laws + self.law.laws(*names))
            readings = _each_once(penalty.readings + self.law.readings(*names, *rest_on))
            self.entries.append(Entry(side, "trick", points, "penalty", said, laws, readings))

    def bonuses(self, over: int) -> None:
        """What a contract that is made earns above the line."""
        bonus = self.figure(self.law.contract_bonus)
        if bonus:
            self.bonus(bonus, "contract-bonus", "contract made", 1)
        each = self.figure(self.law.overtrick) if over else None
        if each:
            said = f"{number_words(over, 'overtrick')} at {each[0]}"
            self.bonus(each, "overtricks", said, over)

    def bonus(self, cell: tuple[int, str], item: str, said: str, times: int) -> None:
        """So many times the points of a cell, for a contract that is made."""
        self.add(
            self.side,
            "honour",
            times * cell[0],
            item,
            f"{said},{self.how_words()}",
            cell[1],
            *self._by_state(),
            penalties=self.moved_for_bonuses,
        )

    def under(self, short: int) -> None:
        """What a contract that fails costs."""
        found = self.figure(self.law.undertrick)
        if found is None:
            return
        row, place = found
        points = progressive(row, short)
        said = f"{number_words(short, 'undertrick')},{self.how_words()}{self._moved_words()}"
        names = [place, *self._by_state()]
        limit = self.limit()
        if limit is not None and points > limit:
            points, said = limit, f"{said}, limited to {limit}"
            names.append("undertrick-limit")
        self.add(
            self.side.other, "honour", points, "undertricks", said, *names, penalties=self.moved
        )

    def limit(self) -> int | None:
        """The most that this declaration can lose, where the code limits it."""
        return next((lim.most for lim in self.law.loss_limits if lim.holds(self.final)), None)

    def slam(self) -> None:
        """A slam, by the code's own rule."""
        law, counted, played = self.law, self.counted, self.facts.tricks
        if counted is None or played is None:
            return
        found = self._slam_of(counted.slam, counted.adverse_slam)
        if found is None:
            return
        mine, size = found
        names = ["slam-when"]
        with_moved = self._slam_of(counted.contract, counted.contract)
        if self.moved and with_moved != self._slam_of(played, played):
            names.append("revoke-tricks.slam")
        if mine and not self.made and self.final.odd_tricks:  # a contract that fails
            if law.slam_on_lost_contract is None or not law.slam_on_lost_contract(False):
                return
            names.append("slam-on-lost-contract")
        cell = size
        if size not in law.slam_points:
            if self.vulnerable is None:
                self.miss("whether the declaring side is vulnerable")
                return
            cell = f"{VULNERABLE_STATES[not self.vulnerable]}.{size}"
            names += self._by_state()
        bid = " bid and made" if law.value("slam-when") == "bid-and-made" else ""
        self.add(
            self.side if mine else self.side.other,
            "honour",
            law.slam_points[cell],
            "slam",
            f"{size} slam{bid}{self.state_words() if cell != size else ''}",
            f"slam.{cell}",
            f"slam-tricks.{size}",
            *names,
            penalties=self.moved_for_slam,
        )

    def _slam_of(self, tricks: int, adverse: int) -> tuple[bool, str] | None:
        """The slam of so many tricks of the declaring side, and for one of the adversaries."""
        law = self.law
        if law.slam is None:
            return None
        if law.slam_by_count:
            tricks = counted_tricks(tricks, self.final, law)
        most = law.hand_size
        return law.slam(self.final.odd_tricks, law.book, tricks, most - adverse, most)

    def offences(self) -> None:
        """What a side may not score because it offended: entries that stay, with nothing.

        They name the law that takes their points.
        """
        for penalty in self.facts.penalties:
            lost = CANNOT_SCORE.get((penalty.effect, penalty.of))
            if lost:
                trumps = trump_suit(self.final.denomination, self.law) is not None
                gone = [e for e in self.entries if e.points and lost(e, penalty.offenders, trumps)]
                said = f"not scored for {penalty.reason}"
                self.entries = [_cut(e, 0, said, penalty) if e in gone else e for e in self.entries]
            elif penalty.effect == "limit":
                self._limit(penalty)

    def _limit(self, penalty: Penalty) -> None:
        """Points towards the game that would pass a ceiling on the score of a side, cut to it."""
        side, most = penalty.offenders, penalty.number
        gained = [e for e in self.entries if e.side is side and e.column == "trick" if e.points > 0]
        had = self.facts.standing.trick_of(side)
        if not gained:
            return
        if had is None:
            self.miss("the trick score before the deal", honour=False)
            return
        assert most is not None
        assert self.law.ceiling is not None
        over = self.trick_points(side) - max(0, most - had)
        for entry in gained:
            if over <= 0:
                return
            room, each, of = max(0, entry.points - over), self._odd_trick(), penalty
            kept = room
            if entry.item == "odd-tricks":
                kept = self.law.ceiling(entry.points, room, each)
                if room % each:
                    more = self.law.readings("ceiling")
                    of = replace(penalty, readings=_each_once(penalty.readings + more))
            over -= entry.points - kept
            cut = _cut(entry, kept, f"limited to {most} in all", of)
            self.entries[self.entries.index(entry)] = cut

    def penalties(self) -> None:
        """Points that one side has because the other offended."""
        for penalty in self.facts.penalties:
            if penalty.effect == "give-points" and penalty.number:
                side, readings, points = penalty.offenders.other, penalty.readings, penalty.number
                how = self.law.failed_declarer
                if how and side is self.side and self.made is False:
                    points = how(points)
                    readings += self.law.readings("failed-declarer.penalties")
                said, column = f"penalty for {penalty.reason}", penalty.column or "honour"
                entry = Entry(
                    side, column, points, "penalty", said, penalty.laws, _each_once(readings)
                )
                self.entries.append(entry)

    def limited_loss(self) -> None:
        """What the adversaries score beyond the most that the declaration may lose, taken off.

        A limit on the undertricks is kept where they are scored; here it is that on all.
        """
        most, how = self.limit(), self.law.limited_loss
        if most is None or how is None or self.made is not False:
            return
        theirs = [e for e in self.entries if e.side is self.side.other and e.points > 0]
        loss = [e for e in theirs if how(e)]
        over = sum(e.points for e in loss) - most
        doubtful = sum(e.points for e in theirs if e.item not in ("honours", "chicane")) > most
        if not doubtful or len(theirs) < 2:
            return
        readings = self.law.readings("limited-loss")
        for entry in reversed(theirs):
            cut = min(max(over, 0), entry.points) if entry in loss else 0
            over -= cut
            said = f"{entry.reason}, limited to {most} in all" if cut else entry.reason
            if entry.item not in ("honours", "chicane"):
                changed = replace(
                    entry,
                    points=entry.points - cut,
                    reason=said,
                    laws=_each_once(entry.laws + self.law.laws("limited-loss")),
                    readings=_each_once(entry.readings + readings),
                )
                self.entries[self.entries.index(entry)] = changed

    def honours(self) -> None:
        """Honours and chicane."""
        if self.law.honours is None:
            return
        kind = "trump" if trump_suit(self.final.denomination, self.law) else "no-trump"
        if self.facts.honours is None:
            self.miss("the honours held")
            return
        scored = {
            side: self._honours_of(side, holding, kind)
            for side, holding in self.law.honours(self.facts.honours).items()
        }
        if kind == "trump":
            self._chicane(scored)

    def _honours_of(self, side: Side, holding: Holding, kind: str) -> int:
        points = self._honour_points(holding, kind)
        if points is None:
            self.miss(f"how {side.title} held their {holding.total} honours")
            return 0
        if points == 0:
            return 0
        what = "aces" if kind == "no-trump" else "honours"
        said = f"{holding.total} {what}" + in_hands(holding)
        names = [f"honour-values.{kind}.{holding.split}", "honours", "honour-cards"] + (
            ["odd-trick"] if self.law.honour_values[kind].in_odd_tricks else []
        )
        self.add(side, "honour", points, "honours", said, *names)
        return points

    def _honour_points(self, holding: Holding, kind: str) -> int | None:
        odd_trick = self.law.odd_trick.get(self.final.denomination, 0)
        return honour_points(holding, self.law.honour_values[kind], odd_trick)

    def _chicane(self, scored: Mapping[Side, int]) -> None:
        """Chicane, by what each side scored for honours."""
        law = self.law
        if law.chicane is None:
            return
        if self.facts.voids is None:
            self.miss("whether a hand held no trump")
            return
        for side, voids in self.facts.voids.items():
            theirs = self.facts.voids.get(side.other, 0)
            scores = (scored.get(side, 0) > 0, scored.get(side.other, 0) > 0)
            sign = law.chicane(voids, *scores, theirs)
            if not sign:
                continue
            which = "double" if voids == 2 else "single"
            points, value_of = self._chicane_points(law.chicane_value[which])
            what = "double chicane" if voids == 2 else "chicane"
            rest_on = "chicane.both-sides" if theirs else "chicane"
            names = (f"chicane-value.{which}", rest_on, value_of)
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

    def _chicane_points(self, value: str | int) -> tuple[int, str]:
        """What chicane is worth, as so many honours or so many tricks, and the clause of that."""
        odd_trick = self.law.odd_trick.get(self.final.denomination, 0)
        if isinstance(value, int):
            return value * odd_trick, "odd-trick"
        more, fewer = (int(n) for n in value.split("-"))
        holding = Holding(more + fewer, more)
        points = honour_points(holding, self.law.honour_values["trump"], odd_trick) or 0
        return points, f"honour-values.trump.{value}"

    def _game_in_honour_score(self) -> bool:
        """Whether winning a game or the rubber would add to the honour score of the deal."""
        place = self.law.rubber_bonus_place
        return bool(self.law.game_bonus) or (place is not None and place() == "honour")

    def _odd_trick(self) -> int:
        """The value of an odd trick of the declaration, as doubled."""
        return odd_trick_worth(self.final.denomination, self.final.doubled, self.law)

    def _points_of(self, tricks: int) -> int:
        """The trick points of a declaration made with so many tricks."""
        odd = counted_tricks(tricks, self.final, self.law) - self.law.book
        return odd * self._odd_trick() if odd >= self.final.odd_tricks else 0

    def _points_for_a_game(self) -> int:
        """The trick points that may win a game; of a doubled contract by the tricks for it."""
        counted, points = self.counted, self.trick_points(self.scorer)
        if self.final.doubled and counted and counted.game != counted.contract:
            return min(points, self._points_of(counted.game))
        return points

    def _reaches_game(self, had: int, points: int) -> bool:
        """Whether a trick score before the deal, and points of the deal, are a game."""
        how, needed = self.law.game_score, self.law.game
        return bool(how and needed and how(had, points) >= needed)

    def _game_by_itself(self, had: int) -> tuple[Standing, Side | None, Side | None]:
        """The game where there is no rubber: the state is what it was before."""
        if not self._reaches_game(had, self._points_for_a_game()):
            return self.facts.standing, None, None
        bonus = self.law.game_bonus
        if bonus:
            names = ["game-bonus", "game", "game-score"]
            played = self._points_of(self.facts.tricks or 0)
            if self.final.doubled and played < (self.law.game or 0):
                names.append("revoke-tricks.game")
            self.add(self.side, "honour", bonus, "game-bonus", "game won", *names)
        return self.facts.standing, self.side, None

    def standing(self) -> tuple[Standing, Side | None, Side | None]:
        """The state after the deal, who won a game by it, who won the rubber."""
        law, before = self.law, self.facts.standing
        if self.made is None or self.final.declarer is None:
            return Standing(), None, None
        if law.rubber_end is None:
            return self._game_by_itself(before.trick_of(self.scorer) or 0)
        had = {side: before.trick_of(side) for side in Side}
        gained = {side: self.trick_points(side) for side in Side}
        barred = {s for p in self.facts.penalties if p.effect == "no-game" for s in _of(p)}
        reached = [
            s for s in Side if s not in barred and self._reaches_game(had[s] or 0, gained[s])
        ]
        if not reached:
            if any(had[s] is None and gained[s] for s in Side):
                self.miss("the trick score before the deal", self._game_in_honour_score())
                return Standing(before.games, (None, None)), None, None
            after = [None if (h := had[s]) is None else h + gained[s] for s in Side]
            return Standing(before.games, (after[0], after[1])), None, None
        side = reached[0]
        mine = side is Side.EW
        count = before.games[mine]
        if law.game_bonus:
            names = ("game-bonus", "game")
            self.add(side, "honour", law.game_bonus, "game-bonus", "game won", *names)
        lost = before.trick[not mine]
        trick = _with((0, 0), side.other, law.after_a_game(lost) if law.after_a_game else 0)
        if count is None:
            if law.rubber_bonus:
                self.miss("the games won before the deal", self._game_in_honour_score())
            return Standing((None, None), trick), side, None
        now = Standing(_with(before.games, side, count + 1), trick)
        if not law.rubber_end(count + 1, law.games_in_rubber or 0):
            return now, side, None
        if law.rubber_bonus and law.rubber_bonus_place and law.games_in_rubber:
            self.add(
                side,
                law.rubber_bonus_place(),
                law.rubber_bonus,
                "rubber-bonus",
                f"{number_words(law.games_in_rubber, 'game')} won",
                "rubber-bonus",
                "rubber-bonus-place",
                "rubber-end",
            )
        return now, side, side


def _with(
    both: tuple[int | None, int | None], side: Side, number: int | None
) -> tuple[int | None, int | None]:
    """The numbers of the two sides, with another for one of them."""
    return (number, both[1]) if side is Side.NS else (both[0], number)


def _of(penalty: Penalty) -> tuple[Side, ...]:
    """The sides on which a penalty falls: that which offended, or both."""
    return tuple(Side) if penalty.of == "both" else (penalty.offenders,)


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


def in_hands(holding: Holding) -> str:
    """How a side held its honours, as it is said after their number: `, 4 in one hand`."""
    if holding.more is None:
        return ""
    if holding.more == holding.total:
        return " in one hand"
    return " in two hands" if holding.more < 4 else f", {holding.more} in one hand"


def account(facts: Facts, law: InForce) -> Account:
    """The score of one deal under a code: a pure function of the facts.

    Entries come in the order a scorer writes them: tricks, bonuses, undertricks, slam, honours,
    chicane, game, rubber. Points are in the units of the code's columns (`trick`, `honour`; `total`
    for what is added when the rubber is over).
    """
    counter = _Counter(facts, score_law(law))
    if facts.final.declarer is None:
        lacking = ("who the declarer is",)
        return Account((), lacking, Standing(), None, None, counter.made, open=lacking)
    counter.tricks()
    counter.slam()
    counter.honours()
    counter.values()
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
        tuple(fact for fact, honour in counter.missing.items() if honour),
    )
