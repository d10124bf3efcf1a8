"""The auction: whether each call is in order, and where the auction ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from oddtrick.cards import SEATS, Seat
from oddtrick.judge.events import Call, Events
from oddtrick.judge.finding import Message
from oddtrick.judge.procedures import (
    DECLARING,
    Declared,
    Final,
    Made,
    auction_over,
    bid_range,
    declarer_of,
    first_to_name,
    may_double,
    odd_tricks,
    sufficient,
    without_royal,
    without_suit,
)
from oddtrick.judge.table import Table
from oddtrick.judge.walk import Walk
from oddtrick.law.book import MOST_CACHED
from oddtrick.law.rules import Rules
from oddtrick.record.deal import (
    ALL_PASS,
    NOWHERE,
    PASS,
    Deal,
    Source,
    denomination_of,
    is_bid,
    kind_of,
    odd_tricks_of,
)

OF_NOTHING = "declaring.double-of-nothing"


class Stage(NamedTuple):
    """The state of an auction without irregularities: all that the next call depends on.

    `last` is the last bid; `other` is true if it was made by the side that is not in turn. `opened`
    is true if the dealer has called.
    """

    last: int | None = None
    other: bool = False
    doubled: int = 0
    passes: int = 0
    opened: bool = False


class Auction(Walk):
    """One walk through an auction under the law of a code."""

    def __init__(self, events: Events, law: Rules, first: Seat) -> None:
        """Start with the seat that calls first.

        `rests_on` collects the readings by which a bar was not applied.
        """
        self.dealer_called = False
        self.rests_on: tuple[str, ...] = ()
        super().__init__(events, law, first, Table(first))

    def _over(self) -> bool:
        """Whether the declaration is final, or all four players have passed."""
        table = self.table
        return table.final or auction_over(table.last is not None, table.passes, self.law)

    def _all_pass(self, call: Call) -> None:
        """Pass until the auction is over."""
        while not self._over():
            self._call(replace(call, kind="pass"), self.table.turn)

    # --- whether a call is in order -------------------------------------------------------------

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Record the findings on one call; return whether it is void."""
        table, law = self.table, self.law
        # A bid that must be played may be followed by passes and by its first double.
        theirs = table.last is not None and table.last.seat.side is not seat.side
        may_follow = call.kind == "pass" or (call.kind == "double" and not table.doubled and theirs)
        if self._over() or (table.to_be_played and not may_follow):
            if call.kind == "pass" and table.void:
                return False  # a void call ended the auction; the players took it for a bid
            ended = (table.ended_by,) if table.ended_by else None
            rule = "declaring.after-the-end"
            return self.finding(rule, call, seat, "called-after-the-end", ended)
        if seat is not table.turn:
            # The only law on a Challenge out of turn is the one that grants a Challenge to a player
            # in turn.
            challenges = call.kind == "challenge" and law.has("challenge")
            rule, laws = "declaring.out-of-turn", law.laws("challenge") if challenges else None
            again = bool(self.made) and self.made[-1].seat is seat and not call.corrects
            what = "called-again" if again else "called-out-of-turn"
            self.finding(rule, call, seat, what, laws, turn=table.turn)
            if challenges:
                return True
        bar = next((b for b in table.bars if b.seat is seat and b.against(call)), None)
        opens = seat is self.dealer and not self.dealer_called
        first = law.procedure("first-declaration", DECLARING) if opens else None
        # It is doubtful whether a bar applies to the first declaration, which the dealer must make.
        doubt = law.readings("first-declaration") if bar and opens else ()
        if bar and first and not first(replace(call, kind="pass"), True):
            bar, self.rests_on = None, doubt
        if bar:
            laws = self._barring_laws(bar)
            self.finding("declaring.barred", call, seat, "called-when-barred", laws, doubt)
        if table.challenged_by and seat is table.challenged_by.partner:
            # The player must bid or double, unless a bid in between relieves him.
            answers = table.challenge_bid_between or call.kind in ("bid", "double")
            if law.has("challenge") and not answers:
                self.finding("declaring.challenge-passed", call, seat, "challenge-not-answered")
            self.table = table._replace(challenged_by=None)
        barred = any(b.seat is seat and not b.lifted for b in table.bars)
        self.dealer_called = self.dealer_called or opens
        if call.kind == "pass" and not table.last and first and not first(call, barred):
            doubt = law.readings("first-declaration") if barred else ()
            self.finding("declaring.dealer-must-bid", call, seat, "dealer-passes", None, doubt)
            return False
        if call.kind == "pass":
            return False
        # A barred call does not count unless the law or a choice lets it stand.
        if call.kind == "bid":
            return self._judge_bid(call, seat) or bar is not None
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat) or bar is not None
        if call.kind == "challenge" and law.has("challenge"):
            last = self.table.last
            if last is None or last.seat.side is seat.side:
                laws = self.law.laws("challenge")
                return self.finding(OF_NOTHING, call, seat, "nothing-to-challenge", laws)
            return bar is not None
        named = "no-challenge" if call.kind == "challenge" else "no-such-call"
        return self.finding("declaring.not-a-call", call, seat, named)

    def _judge_bid(self, call: Call, seat: Seat) -> bool:
        law, last, limits = self.law, self.table.last, bid_range(self.law)
        if law.denomination(str(call.denomination)) is None:
            rule = "declaring.unknown-denomination"
            return self.finding(rule, call, seat, "bid-of-no-denomination")
        if limits and odd_tricks(call) not in limits:
            least, most = limits[0], limits[-1]
            rule = "declaring.impossible-bid"
            return self.finding(rule, call, seat, "impossible-bid", least=least, most=most)
        if last and not sufficient(call, last.bid, law):
            what, new, old = "bid-not-higher", 0, 0
            if law.value("sufficiency") == "points-then-tricks":
                values = law.value("bid-value") or law.value("odd-trick")
                new, old = (odd_tricks(c) * values[str(c.denomination)] for c in (call, last.bid))
                what = "bid-of-equal-points" if new == old else "bid-of-fewer-points"
            rule, bid, over = "declaring.insufficient-bid", call.name, last.bid.name
            self.finding(rule, call, seat, what, bid=bid, last=over, points=new, due=old)
        return False

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        last, doubled = self.table.last, self.table.doubled
        if last is None:
            return self.finding(OF_NOTHING, call, seat, "doubled-before-a-bid")
        if not may_double(doubled, last.bid.denomination, self.law):
            return self.finding("declaring.redouble-twice", call, seat, "doubled-when-redoubled")
        bid, last_to_raise = last.bid.name, last.seat.side.other if doubled else last.seat.side
        if last_to_raise is seat.side:
            what = "own-double-doubled" if doubled else "own-bid-doubled"
            return self.finding("declaring.double-of-partner", call, seat, what, bid=bid)
        if call.kind == "redouble" and not doubled and not self.law.has("doubling-by-name"):
            return self.finding(OF_NOTHING, call, seat, "redoubled-undoubled", bid=bid)
        return False

    def _end(self) -> tuple[Final | None, tuple[Message, ...] | None]:
        table, made, why = self.table, tuple(self.made), tuple[Message, ...]()
        last, over = table.last, self._over()
        if last is None and over:
            return None, None
        if not over and not table.to_be_played:
            passes = self.law.value("passes-to-end")
            why = (Message("more-was-called") if self.open else Message("no-end", passes=passes),)
            at = last and Message("stands-at", bid=last.bid.name, doubled=table.doubled)
            why += (at,) if at else ()
        if last is None:
            return None, why
        own = (m.call for m in made if m.seat is self.dealer and not m.void)
        opens = last.seat is self.dealer and next(own, None) is last.call
        final = _final(last, made, table.doubled, opens, self.law)
        return final._replace(readings=self.rests_on + final.readings), why


def _final(last: Made, made: tuple[Made, ...], doubled: int, opens: bool, law: Rules) -> Final:
    """The last bid as the final declaration, with its declarer.

    `opens` is true if that bid was the dealer's first call.
    """
    name = str(last.bid.denomination)
    declarer = declarer_of(made, name, last.seat, law)
    readings = _declarer_readings(name, law)
    if readings and declarer is last.seat is first_to_name(made, (name,), last.seat):
        readings = ()
    laws, number = law.laws("auction-end", "passes-to-end", "declarer"), odd_tricks(last.bid)
    return Final(number, name, doubled, declarer, last.seat, opens, laws, readings)


@cache
def _declarer_readings(name: str, law: Rules) -> tuple[str, ...]:
    """The readings that the law on the declarer rests on for a denomination.

    They are the readings of the denomination's kind and, for a royal denomination, also those of
    `royal`.
    """
    base = without_royal(name, law)
    kind = base if without_suit(name, law) else "trump"
    return law.readings(f"declarer.{kind}", *(["declarer.royal"] if base != name else []))


# --- auctions without irregularities --------------------------------------------------------------


def in_order(calls: Sequence[int], first: Seat, dealer: Seat, law: Rules) -> Declared | None:
    """The outcome of the calls if all are in order and the last ends the auction; otherwise `None`.

    The calls are integers as in `Deal`, each made in turn, beginning with `first`. If that is not
    the dealer, the calls before are missing.
    """
    stage = START if first is dealer else Stage(opened=True)
    for one in calls:
        after = _after(stage, one, law)
        if after is None:
            return None
        stage = after
    if not _is_over(stage, law):
        return None
    if stage.last is None:
        return Declared((), None, True, ()) if law.has("passed-out") else None
    seats, last = TURNS[first], len(calls) - 1
    while not is_bid(calls[last]):
        last -= 1
    turns = range(last & 1, last + 1, 2)  # those of the side that made the last bid
    bids = tuple([_made(seats[at & 3], calls[at]) for at in turns if is_bid(calls[at])])
    opens = last < len(SEATS) and first.after(last) is dealer
    return Declared((), _final(bids[-1], bids, stage.doubled, opens, law), False, ())


TURNS = {seat: (seat, seat.left, seat.partner, seat.left.partner) for seat in SEATS}
"""The four seats in the order in which they call, by the seat that calls first."""

NO_EVENTS, START = Events(Deal(Source(), NOWHERE, "")), Stage()


@lru_cache(MOST_CACHED)
def _made(seat: Seat, one: int) -> Made:
    return Made(seat, Call(kind_of(one), odd_tricks_of(one), denomination_of(one)), False, seat)


def _is_over(stage: Stage, law: Rules) -> bool:
    return auction_over(stage.last is not None, stage.passes, law)


@cache
def _after(stage: Stage, one: int, law: Rules) -> Stage | None:
    """The state after a call of the player in turn, judged as `Auction` judges it.

    `None` if anything is irregular, or if a later call depends on more than a `Stage` records.
    """
    if one == ALL_PASS:
        end: Stage | None = stage
        while end and not _is_over(end, law):
            end = _after(end, PASS, law)
        return end
    seat = SEATS[0]
    made = _made(seat, one)
    walk = Auction(NO_EVENTS, law, seat)
    walk.dealer_called = stage.opened
    last = _made(seat.left if stage.other else seat, stage.last) if stage.last else None
    walk.table = walk.table._replace(last=last, doubled=stage.doubled, passes=stage.passes)
    void = walk._judge(made.call, seat)
    if void or walk.found_by_last or walk.rests_on:
        return None
    table = walk.table.called(made).with_early_call(law)
    if table._replace(bids=()) != Table(table.turn, table.last, table.doubled, table.passes):
        return None
    bid, turn = table.last, table.turn
    other = bid is not None and bid.seat.side is not turn.side
    named = one if bid and bid.call is made.call else stage.last
    return Stage(named, other, table.doubled, table.passes, walk.dealer_called)
