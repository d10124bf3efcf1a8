"""The score: what a deal counts under a code, entry by entry, each with its laws.

`account` is a pure function of facts. Every number in it is a figure of the code; every entry names the
laws of its figures and procedures, and the readings they rest on. Facts that are not known leave their
entries out and are named in `missing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oddtrick.cards import Card, Seat, Side, Suit
from oddtrick.declaring import Final
from oddtrick.findings import Entry
from oddtrick.lawbook import Rule, Rules
from oddtrick.words import DOUBLED, bid_words, number_words

DOUBLING_KEYS = ("undoubled", "doubled", "redoubled")


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a rubber: games won and points towards the next game by side; `None` is not known."""

    games: tuple[int | None, int | None] = (None, None)
    trick: tuple[int | None, int | None] = (None, None)

    def games_of(self, side: Side) -> int | None:
        """Games won by a side."""
        return self.games[side is Side.EW]

    def trick_of(self, side: Side) -> int | None:
        """Points of a side towards the game being played."""
        return self.trick[side is Side.EW]


LOVE = Standing((0, 0), (0, 0))
"""The state at the beginning of a rubber."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Honours of a side: how many in the two hands, the larger first. `more` is `None` where it is not known."""

    total: int
    more: int | None = None

    @property
    def split(self) -> str | None:
        """As the figures key it: `4-1`."""
        return None if self.more is None else f"{self.more}-{self.total - self.more}"


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the score of a deal depends on. What is not known is `None`.

    `honours` and `voids` (hands without a trump) are by side; `standing` is the state before the deal;
    `in_rubber` says that the deal belongs to a rubber at all.
    """

    final: Final
    tricks: int | None
    honours: Mapping[Side, Holding] | None = None
    voids: Mapping[Side, int] | None = None
    standing: Standing = Standing()


@dataclass(frozen=True, slots=True)
class Account:
    """The entries of a deal, what could not be told and why, and the state of the rubber after it.

    `missing` names every fact that was not known, `open` those on which the honour score depends.
    """

    entries: tuple[Entry, ...]
    missing: tuple[str, ...]
    standing: Standing
    game: Side | None = None
    rubber: Side | None = None
    made: bool | None = None
    played: Standing = Standing()
    open: tuple[str, ...] = ()

    def points(self, side: Side, column: str) -> int:
        """The sum of one side's entries in a column."""
        return sum(e.points for e in self.entries if e.side is side and e.column == column)


# --- procedures -----------------------------------------------------------------------------------


def all_odd_tricks(contract: int, won: int) -> int:
    """Odd tricks that count towards the game when a contract is made: all that were won."""
    del contract
    return won


def contracted_only(contract: int, won: int) -> int:
    """Odd tricks that count towards the game when a contract is made: those contracted for."""
    del won
    return contract


TRICKS_SCORED: Mapping[str, Callable[[int, int], int]] = {
    "all-odd-tricks": all_odd_tricks,
    "contracted-only": contracted_only,
}


def as_dealt(holdings: Mapping[Side, Holding]) -> Mapping[Side, Holding]:
    """Which honours each side scores: those dealt to it."""
    return holdings


HONOURS: Mapping[str, Callable[[Mapping[Side, Holding]], Mapping[Side, Holding]]] = {"as-dealt": as_dealt}


def tricks_taken(odd_tricks: int, declaring: int, tricks: int, total: int) -> tuple[bool, str] | None:
    """The slam of a deal when either side scores the tricks it takes: (declaring side's, `little` or `grand`)."""
    del odd_tricks, declaring
    for mine, taken in ((True, tricks), (False, total - tricks)):
        if taken >= total - 1:
            return mine, "grand" if taken == total else "little"
    return None


def bid_and_made(odd_tricks: int, declaring: int, tricks: int, total: int) -> tuple[bool, str] | None:
    """The slam of a deal when only a slam bid and made counts."""
    if tricks < declaring + odd_tricks or declaring + odd_tricks < total - 1:
        return None
    return True, "grand" if declaring + odd_tricks == total else "little"


SLAM: Mapping[str, Callable[[int, int, int, int], tuple[bool, str] | None]] = {
    "tricks-taken": tricks_taken,
    "bid-and-made": bid_and_made,
}


def scored_though_lost(made: bool) -> bool:
    """Whether twelve tricks on a lost contract of seven are a little slam: they are."""
    del made
    return True


SLAM_ON_LOST_CONTRACT: Mapping[str, Callable[[bool], bool]] = {"scored": scored_though_lost}


def after_a_game(games: int) -> bool:
    """Whether a side that has won so many games of the rubber is vulnerable."""
    return games > 0


VULNERABILITY: Mapping[str, Callable[[int], bool]] = {"after-a-game": after_a_game}


def across_deals(before: int, now: int) -> int:
    """The trick score that may reach a game: that of earlier deals of the game and this one's."""
    return before + now


GAME_SCORE: Mapping[str, Callable[[int, int], int]] = {"across-deals": across_deals}


def two_games(games: int, needed: int) -> bool:
    """Whether a side that has won so many games has won the rubber."""
    return games >= needed


RUBBER_END: Mapping[str, Callable[[int, int], bool]] = {"two-games": two_games}


def honour_score() -> str:
    """The column of the rubber bonus: the honour score."""
    return "honour"


def total() -> str:
    """The column of the rubber bonus: the total at the end of the rubber."""
    return "total"


RUBBER_BONUS_PLACE: Mapping[str, Callable[[], str]] = {"honour-score": honour_score, "total": total}


def add_or_deduct(voids: int, side_scores: bool, other_scores: bool) -> int:
    """How chicane counts: 1 added to the side's own honours, -1 deducted from the adversaries', 0 neither.

    Double chicane (two hands void) can only be deducted.
    """
    if voids == 1 and side_scores:
        return 1
    return -1 if voids and other_scores else 0


CHICANE: Mapping[str, Callable[[int, bool, bool], int]] = {"add-or-deduct": add_or_deduct}


# --- figures --------------------------------------------------------------------------------------


def cell(value: Any, doubled: int, vulnerable: bool | None) -> Any:
    """A cell of a `by-doubling` figure, or `None` where it has none. `vulnerable` is `None` when not known."""
    if "vulnerable" in value:
        if vulnerable is None:
            cells = {repr(cell(value[k], doubled, False)) for k in ("vulnerable", "invulnerable")}
            return cell(value["vulnerable"], doubled, False) if len(cells) == 1 else Unknown
        value = value["vulnerable" if vulnerable else "invulnerable"]
    return value.get(DOUBLING_KEYS[doubled])


class Unknown:
    """Stands for a figure that depends on a fact that is not known."""


def progressive(cells: int | Sequence[int], count: int) -> int:
    """The sum of the first so many of a progressive figure, whose last cell repeats."""
    row = [cells] if isinstance(cells, int) else list(cells)
    return sum(row[min(i, len(row) - 1)] for i in range(count))


def honours_of(
    denomination: str, hands: Mapping[Seat, Sequence[Card]], rules: Rules
) -> Mapping[Side, Holding] | None:
    """The honours of each side from the hands; `None` where a hand is not known that may hold one."""
    cards = honour_cards(denomination, rules)
    per = {s: [c for c in hands[s] if c in cards] for s in Seat if s in hands}
    if sum(len(v) for v in per.values()) < len(cards) and len(per) < 4:
        return None
    found = {}
    for side in Side:
        counts = sorted((len(per.get(s, [])) for s in Seat if s.side is side), reverse=True)
        found[side] = Holding(sum(counts), counts[0])
    return found


def honour_cards(denomination: str, rules: Rules) -> frozenset[Card]:
    """The honours of a denomination under a code; none where the code has no honours."""
    table = rules.value("honour-cards")
    if table is None:
        return frozenset()
    suit = _suit(denomination, rules)
    if suit:
        return frozenset(Card(suit, r) for r in table["trump"])
    return frozenset(Card(s, r) for s in Suit for r in table["no-trump"])


def _suit(denomination: str, rules: Rules) -> Suit | None:
    found = rules.denomination(denomination)
    return found.suit if found else None


# --- the account ----------------------------------------------------------------------------------


class _Counter:
    """Makes the entries of one deal."""

    def __init__(self, facts: Facts, rules: Rules) -> None:
        self.facts, self.rules = facts, rules
        self.final = facts.final
        self.side = facts.final.declarer.side if facts.final.declarer else Side.NS
        self.entries: list[Entry] = []
        self.missing: dict[str, bool] = {}
        self.book = rules.value("book")
        self.total = rules.value("hand-size")
        self.trick_points = 0
        odd = facts.final.odd_tricks
        self.made = None if facts.tricks is None else facts.tricks >= self.book + odd

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
        cells: Mapping[str, str] | None = None,
    ) -> None:
        """Keep an entry; its laws are those of the named rules, in that order."""
        if points == 0:
            return
        readings = dict.fromkeys(self.rules.readings(*names))
        for name, key in (cells or {}).items():
            rule = self.rules.get(name)
            readings |= dict.fromkeys(rule.readings_of(key) if rule else ())
        self.entries.append(
            Entry(side, column, points, item, reason, self.rules.laws(*names), tuple(readings))
        )

    def miss(self, what: str, honour: bool = True) -> None:
        """Note a fact that is not known, and whether the honour score depends on it."""
        self.missing[what] = self.missing.get(what, False) or honour

    def figure(self, name: str) -> Any:
        """The cell of a `by-doubling` figure for this declaration; notes what is missing."""
        value = self.rules.value(name)
        if value is None:
            return None
        found = cell(value, self.final.doubled, self.vulnerable())
        if found is Unknown:
            self.miss("whether the declaring side is vulnerable")
            return None
        return found

    def state_words(self) -> str:
        """` vulnerable`, or nothing where the code has no vulnerability."""
        if self.rules.value("vulnerability") is None:
            return ""
        return ", vulnerable" if self.vulnerable() else ", invulnerable"

    def tricks(self) -> None:
        """Odd tricks, contract bonus and overtricks, or undertricks."""
        facts, final, rules = self.facts, self.final, self.rules
        if facts.tricks is None:
            self.miss("the number of tricks taken")
            return
        won = facts.tricks - self.book
        if self.made:
            counted = TRICKS_SCORED[rules.value("tricks-scored")](final.odd_tricks, won)
            value = rules.value("odd-trick")[final.denomination]
            times = rules.value("trick-multiplier").get(DOUBLING_KEYS[final.doubled], 1)
            self.trick_points = counted * value * times
            names = ["odd-trick", "tricks-scored"] + (["trick-multiplier"] if final.doubled else [])
            said = f"{number_words(counted, 'odd trick')} at {value}{',' + DOUBLED[final.doubled] if final.doubled else ''}"
            self.add(self.side, "trick", self.trick_points, "odd-tricks", said, *names)
            self.bonuses(won - final.odd_tricks)
        else:
            self.under(final.odd_tricks - won)

    def bonuses(self, over: int) -> None:
        """What a contract that is made earns above the line."""
        bonus = self.figure("contract-bonus")
        how = DOUBLED[self.final.doubled] or " undoubled"
        if bonus:
            self.add(
                self.side,
                "honour",
                bonus,
                "contract-bonus",
                f"contract made,{how}{self.state_words()}",
                "contract-bonus",
                *self._vulnerable(),
            )
        each = self.figure("overtrick") if over else None
        if each:
            said = f"{number_words(over, 'overtrick')} at {each},{how}{self.state_words()}"
            self.add(self.side, "honour", over * each, "overtricks", said, "overtrick", *self._vulnerable())

    def _vulnerable(self) -> tuple[str, ...]:
        return ("vulnerability",) if self.vulnerable() else ()

    def under(self, short: int) -> None:
        """What a contract that fails costs."""
        row = self.figure("undertrick")
        if row is None:
            return
        points = progressive(row, short)
        how = DOUBLED[self.final.doubled] or " undoubled"
        said = f"{number_words(short, 'undertrick')},{how}{self.state_words()}"
        names = ["undertrick", *self._vulnerable()]
        limit = self.limit()
        if limit is not None and points > limit:
            points, said = limit, f"{said}, limited to {limit}"
            names.append("undertrick-limit")
        self.add(self.side.other, "honour", points, "undertricks", said, *names)

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
        rule, facts, final = self.rules.get("slam-when"), self.facts, self.final
        figure = self.rules.value("slam")
        if rule is None or figure is None or facts.tricks is None:
            return
        found = SLAM[rule.value](final.odd_tricks, self.book, facts.tricks, self.total)
        if found is None:
            return
        mine, size = found
        names = ["slam", "slam-when"]
        if mine and not self.made:
            lost = self.rules.get("slam-on-lost-contract")
            if lost is None or not SLAM_ON_LOST_CONTRACT[lost.value](False):
                return
            names.append("slam-on-lost-contract")
        row = figure
        if "vulnerable" in figure:
            vulnerable = self.vulnerable()
            if vulnerable is None:
                self.miss("whether the declaring side is vulnerable")
                return
            row = figure["vulnerable" if vulnerable else "invulnerable"]
            names += self._vulnerable()
        side = self.side if mine else self.side.other
        bid = " bid and made" if rule.value == "bid-and-made" else ""
        self.add(
            side,
            "honour",
            row[size],
            "slam",
            f"{size} slam{bid}{self.state_words() if 'vulnerable' in figure else ''}",
            *names,
        )

    def honours(self) -> None:
        """Honours and chicane."""
        rule, how = self.rules.get("honour-values"), self.rules.value("honours")
        if rule is None or how is None:
            return
        kind = "trump" if _suit(self.final.denomination, self.rules) else "no-trump"
        if self.facts.honours is None:
            self.miss("the honours held")
            return
        scored: dict[Side, int] = {}
        for side, holding in HONOURS[how](self.facts.honours).items():
            scored[side] = self._honours_of(side, holding, rule, kind)
        if kind == "trump":
            self._chicane(rule, scored)

    def _honours_of(self, side: Side, holding: Holding, rule: Rule, kind: str) -> int:
        points = honour_points(holding, rule, kind, self.final.denomination, self.rules)
        if points is None:
            self.miss(f"how {side.title} held their {holding.total} honours")
            return 0
        what = "aces" if kind == "no-trump" else "honours"
        said = f"{holding.total} {what}" + _in_hands(holding)
        names = ["honour-values", "honours", "honour-cards"] + (
            ["odd-trick"] if rule.value[kind]["count"] == "odd-trick-values" else []
        )
        self.add(
            side,
            "honour",
            points,
            "honours",
            said,
            *names,
            cells={"honour-values": f"{kind}.{holding.split}"},
        )
        return points

    def _chicane(self, honours: Rule, scored: Mapping[Side, int]) -> None:
        rule, how = self.rules.get("chicane-value"), self.rules.value("chicane")
        if rule is None or how is None:
            return
        if self.facts.voids is None:
            self.miss("whether a hand held no trump")
            return
        for side, voids in self.facts.voids.items():
            sign = CHICANE[how](voids, scored.get(side, 0) > 0, scored.get(side.other, 0) > 0)
            if not sign:
                continue
            split = rule.value["double" if voids == 2 else "single"]
            more, fewer = (int(n) for n in split.split("-"))
            points = (
                honour_points(
                    Holding(more + fewer, more), honours, "trump", self.final.denomination, self.rules
                )
                or 0
            )
            what = "double chicane" if voids == 2 else "chicane"
            names = ("chicane-value", "chicane", "honour-values")
            if sign > 0:
                self.add(side, "honour", points, "chicane", f"{what}, added", *names)
            else:
                self.add(
                    side.other, "honour", -points, "chicane", f"{what} of {side.title}, deducted", *names
                )

    def _game_in_honour_score(self) -> bool:
        """Whether winning a game or the rubber would add to the honour score of the deal."""
        place = self.rules.value("rubber-bonus-place")
        return bool(self.rules.value("game-bonus")) or (
            place is not None and RUBBER_BONUS_PLACE[place]() == "honour"
        )

    def standing(self) -> tuple[Standing, Side | None, Side | None]:
        """The state after the deal, the side that won a game by it, the side that won the rubber."""
        rules, before, side = self.rules, self.facts.standing, self.side
        games, trick = list(before.games), list(before.trick)
        mine = side is Side.EW
        if self.made is None or self.final.declarer is None:
            return Standing(), None, None
        had = trick[mine]
        needed = rules.value("game")
        how = rules.value("game-score")
        reached = GAME_SCORE[how](had or 0, self.trick_points) >= needed if how and needed else False
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
        count = games[mine]
        if count is None:
            if rules.value("rubber-bonus"):
                self.miss("the games won before the deal", self._game_in_honour_score())
            return Standing((None, None), (0, 0)), side, None
        games[mine] = count + 1
        after = Standing((games[0], games[1]), (0, 0))
        if not RUBBER_END[rules.value("rubber-end")](count + 1, rules.value("games-in-rubber")):
            return after, side, None
        column = RUBBER_BONUS_PLACE[rules.value("rubber-bonus-place")]()
        self.add(
            side,
            column,
            rules.value("rubber-bonus"),
            "rubber-bonus",
            "rubber won",
            "rubber-bonus",
            "rubber-bonus-place",
            "rubber-end",
        )
        return after, side, side


def _in_hands(holding: Holding) -> str:
    if holding.more is None:
        return ""
    if holding.more == holding.total:
        return " in one hand"
    return " in two hands" if holding.more < 4 else f", {holding.more} in one hand"


def honour_points(holding: Holding, rule: Rule, kind: str, denomination: str, rules: Rules) -> int | None:
    """What a holding of honours counts, in points; `None` where it depends on a split that is not known."""
    table = rule.value[kind]
    unit = rules.value("odd-trick")[denomination] if table["count"] == "odd-trick-values" else 1
    if holding.split is not None:
        return int(table["values"].get(holding.split, 0) * unit)
    total = holding.total
    possible = {
        table["values"].get(f"{more}-{total - more}", 0) for more in range((total + 1) // 2, total + 1)
    }
    return int(possible.pop() * unit) if len(possible) == 1 else None


def account(facts: Facts, rules: Rules) -> Account:
    """The score of one deal under a code: a pure function of the facts.

    Entries come in the order a scorer writes them: tricks, bonuses, undertricks, slam, honours, chicane, game,
    rubber. Points are in the units of the code's columns (`trick`, `honour`; `total` for what is added when
    the rubber is over).
    """
    counter = _Counter(facts, rules)
    if facts.final.declarer is None:
        return Account(
            (), ("who the declarer is",), Standing(), None, None, counter.made, open=("who the declarer is",)
        )
    counter.tricks()
    counter.slam()
    counter.honours()
    after, game, rubber = counter.standing()
    return Account(
        tuple(counter.entries),
        tuple(counter.missing),
        after,
        game,
        rubber,
        counter.made,
        facts.standing,
    )


def contract_words(final: Final, rules: Rules) -> str:
    """`4 spades redoubled by South`."""
    who = f" by {final.declarer.title}" if final.declarer else ""
    return bid_words(final.odd_tricks, final.denomination, rules) + DOUBLED[final.doubled] + who
