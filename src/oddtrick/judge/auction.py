"""The auction: whether each call is in order, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from oddtrick.cards import SEATS, Seat
from oddtrick.judge.events import Call, Events
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import (
    FIRST_DECLARATION,
    Declared,
    Final,
    Made,
    auction_over,
    bid_range,
    declarer_of,
    first_to_name,
    may_double,
    odd_tricks,
    partner_must_act,
    plain,
    sufficient,
)
from oddtrick.judge.table import Table
from oddtrick.judge.walk import Walk
from oddtrick.law.book import MOST_CACHED
from oddtrick.law.rules import Clause, Rules
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


class Stage:
    """How far an auction in order has come: all on which the next call turns.

    `last` is the last bid, of the side in turn or of the `other`; `opened` says that the dealer has
    called. `after` is the auction after each call that is in order, as far as one was asked for.
    """

    __slots__ = ("after", "doubled", "last", "opened", "other", "over", "passes")

    def __init__(
        self, law: Rules, last: int | None, other: bool, doubled: int, passes: int, opened: bool
    ) -> None:
        self.last, self.other, self.doubled = last, other, doubled
        self.passes, self.opened = passes, opened
        self.over = auction_over(last is not None, passes, law)
        self.after: dict[int, Stage] = {}


class Auction(Walk):
    """One walk through an auction under the law of a code."""

    def __init__(self, events: Events, law: Rules, first: Seat) -> None:
        """Begin with the seat that calls first.

        `rests_on` are the readings by which a bar was not kept.
        """
        self.dealer_called = False
        self.rests_on: tuple[str, ...] = ()
        super().__init__(events, law, first, Table(first))

    def _over(self) -> bool:
        """Whether the declaration is final, or all four have passed."""
        table = self.table
        return table.final or auction_over(table.last is not None, table.passes, self.law)

    def _all_pass(self, call: Call) -> None:
        """Pass until the auction is over."""
        while not self._over():
            self._call(replace(call, kind="pass"), self.table.turn)

    # --- whether a call is in order -------------------------------------------------------------

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on one call; the result is whether it is void."""
        table, law = self.table, self.law
        if self._over() or (table.to_be_played and not self._may_follow(call, seat)):
            if call.kind == "pass" and table.void:
                return False  # the end came by a void call, which the players took for a bid
            message = Message("called-after-the-end", player=seat, call=call.name)
            ended = (table.ended_by,) if table.ended_by else None
            self.finding("declaring.after-the-end", call, message, ended)
            return True
        if seat is not table.turn:
            message = Message("called-out-of-turn", player=seat, call=call.name, turn=table.turn)
            # Of a Challenge out of turn no law speaks but that which gives it to a player in turn.
            challenges = call.kind == "challenge" and law.has("challenge")
            laws = law.laws("challenge") if challenges else None
            self.finding("declaring.out-of-turn", call, message, laws)
            if challenges:
                return True
        bar = next((b for b in table.bars if b.seat is seat and b.against(call)), None)
        # Whether a bar is against the first declaration, which the dealer must make, is a doubt.
        doubt = law.readings("first-declaration") if bar and self._opens(seat) else ()
        if bar and self._obliged(call, seat):
            bar, self.rests_on = None, doubt
        if bar:
            message = Message("called-when-barred", player=seat, call=call.name)
            self.finding("declaring.barred", call, message, self._barring_laws(bar), doubt)
        if table.challenged_by and seat is table.challenged_by.partner:
            if law.has("challenge") and not partner_must_act(call, table.challenge_bid_between):
                message = Message("challenge-not-answered", player=seat, call=call.name)
                self.finding("declaring.challenge-passed", call, message)
            self.table = table._replace(challenged_by=None)
        barred = any(b.seat is seat and not b.lifted for b in table.bars)
        if self._dealer_must(call, seat, barred):
            message = Message("dealer-passes", player=seat)
            doubt = law.readings("first-declaration") if barred else ()
            self.finding("declaring.dealer-must-bid", call, message, None, doubt)
            return False
        if call.kind == "pass":
            return False
        # What is barred does not count, unless the law or a choice lets it stand.
        if call.kind == "bid":
            return self._judge_bid(call, seat) or bar is not None
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat) or bar is not None
        if call.kind == "challenge" and law.has("challenge"):
            return self._judge_challenge(call, seat) or bar is not None
        named = "no-challenge" if call.kind == "challenge" else "no-such-call"
        self.finding("declaring.not-a-call", call, Message(named, call=call.name))
        return True

    def _may_follow(self, call: Call, seat: Seat) -> bool:
        """Whether a call may follow a bid that must be played: a pass, or its first double."""
        table = self.table
        theirs = table.last is not None and table.last.seat.side is not seat.side
        return call.kind == "pass" or (call.kind == "double" and not table.doubled and theirs)

    def _opens(self, seat: Seat) -> bool:
        """Whether the next call of a player is the dealer's first."""
        return seat is self.dealer and not self.dealer_called

    def _obliged(self, call: Call, seat: Seat) -> bool:
        """Whether the dealer must declare with this call, his first, though he is barred."""
        first = self.law.procedure("first-declaration", FIRST_DECLARATION)
        if first is None or not self._opens(seat):
            return False
        return not first(replace(call, kind="pass"), True)

    def _dealer_must(self, call: Call, seat: Seat, barred: bool) -> bool:
        """Whether the dealer's first call is not one with which he may begin."""
        if not self._opens(seat):
            return False
        self.dealer_called = True
        first = self.law.procedure("first-declaration", FIRST_DECLARATION)
        if self.table.last or call.kind not in ("bid", "pass") or not first:
            return False
        return call.kind == "pass" and not first(call, barred)

    def _judge_challenge(self, call: Call, seat: Seat) -> bool:
        last = self.table.last
        if last and last.seat.side is not seat.side:
            return False
        laws = self.law.laws("challenge")
        message = Message("nothing-to-challenge", player=seat)
        self.finding("declaring.double-of-nothing", call, message, laws)
        return True

    def _judge_bid(self, call: Call, seat: Seat) -> bool:
        law, last = self.law, self.table.last
        if law.denomination(str(call.denomination)) is None:
            message = Message("bid-of-no-denomination", player=seat, call=call.name)
            self.finding("declaring.unknown-denomination", call, message)
            return True
        limits = bid_range(law)
        if limits and odd_tricks(call) not in limits:
            least, most = limits
            message = Message("impossible-bid", player=seat, call=call.name, least=least, most=most)
            self.finding("declaring.impossible-bid", call, message)
            return True
        if last and not sufficient(call, last.bid, law):
            self.finding("declaring.insufficient-bid", call, _not_higher(seat, call, last.bid, law))
        return False

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        state = self.table
        if state.last is None:
            message = Message("doubled-before-a-bid", player=seat, call=call.name)
            self.finding("declaring.double-of-nothing", call, message)
            return True
        if not may_double(state.doubled, state.last.bid.denomination, self.law):
            message = Message("doubled-when-redoubled", player=seat, call=call.name)
            self.finding("declaring.redouble-twice", call, message)
            return True
        bid = state.last.bid
        last_to_raise = state.last.seat.side if state.doubled == 0 else state.last.seat.side.other
        if last_to_raise is seat.side:
            message = Message("own-double-doubled", player=seat, call=call.name)
            if state.doubled == 0:
                message = Message("own-bid-doubled", player=seat, call=call.name, bid=bid.name)
            self.finding("declaring.double-of-partner", call, message)
            return True
        if call.kind == "redouble" and state.doubled == 0 and not self.law.has("doubling-by-name"):
            message = Message("redoubled-undoubled", player=seat, bid=bid.name)
            self.finding("declaring.double-of-nothing", call, message)
            return True
        return False

    def result(self, relative: bool) -> Declared:
        """What the calls came to."""
        self._close(None)
        found, made = [*self.found, *self.found_by_last], tuple(self.made)
        last_call = made[-1].call if made else None
        if self.table.last is None and self._over():
            if not self.law.has("passed-out") and not found:
                message = Message("all-four-pass")
                found.append(self.finder.find("declaring.passed-out", message, last_call, laws=()))
            return self._declared(None, True, found, relative)
        if not self._over() and not self.table.to_be_played:
            passes = self.law.value("passes-to-end")
            why = Message("more-was-called") if self.open else Message("no-end", passes=passes)
            messages = (why, *self._stands_at())
            found.append(self.finder.lacks("declaring.unfinished", messages, last_call))
        over = self._over() or self.table.to_be_played
        stands = self._final(relative) if self.table.last else None
        final, turn = stands if over else None, self.table.turn
        return self._declared(final, False, found, relative, turn, stands)

    def _stands_at(self) -> tuple[Message, ...]:
        """The last bid that counts in an auction that is not finished."""
        last = self.table.last
        if last is None:
            return ()
        return (Message("stands-at", bid=last.bid.name, doubled=self.table.doubled),)

    def _final(self, relative: bool) -> Final:
        """The last bid as the final declaration, and who plays it."""
        last, made = self.table.last, tuple(self.made)
        assert last is not None
        opens = last.seat is self.dealer and _first_of(made, self.dealer) is last.call
        final = _final(last, made, self.table.doubled, opens, self.law)
        if relative:
            final = final._replace(declarer=None, bidder=None)
        return final._replace(readings=self.rests_on + final.readings) if self.rests_on else final


def _final(last: Made, made: tuple[Made, ...], doubled: int, opens: bool, law: Rules) -> Final:
    """The last bid as the final declaration, and who plays it; `opens` says that it was the
    dealer's first call.
    """
    name = str(last.bid.denomination)
    declarer = declarer_of(made, name, last.seat, law)
    first = declarer is last.seat and first_to_name(made, name, last.seat, law)
    turned = first is not declarer
    told = (odd_tricks(last.bid), name, doubled, declarer, last.seat, opens)
    return _known_final(law, turned, *told)


@cache
def _known_final(law: Rules, turned: bool, *told: Any) -> Final:
    """A final declaration: there are as many as contracts, dealers and players."""
    rule = law.get("declarer")
    assert rule is not None
    readings = _declarer_readings(rule, told[1], law) if turned else ()
    laws = law.laws("auction-end", "passes-to-end", "declarer")
    return Final(*told)._replace(laws=laws, readings=readings)


def _declarer_readings(rule: Clause, name: str, law: Rules) -> tuple[str, ...]:
    """The readings that the law on the declarer rests on for a denomination.

    Its kind, and `royal` for a royal.
    """
    found = law.denomination(name)
    base = plain(name, law)
    kind = base if found is None or found.suit is None else "trump"
    readings = rule.readings_of(kind)
    return readings + (rule.readings_of("royal")[len(rule.readings) :] if base != name else ())


def _first_of(made: tuple[Made, ...], seat: Seat) -> Call | None:
    return next((m.call for m in made if m.seat is seat and not m.void), None)


def _not_higher(seat: Seat, bid: Call, last: Call, law: Rules) -> Message:
    """That a bid is not higher than the last, and where points decide what both count."""
    if law.value("sufficiency") != "points-then-tricks":
        return Message("bid-not-higher", player=seat, bid=bid.name, last=last.name)
    values = law.value("bid-value") or law.value("odd-trick")
    new, old = (odd_tricks(c) * values[str(c.denomination)] for c in (bid, last))
    bids = {"player": seat, "bid": bid.name, "last": last.name}
    if new == old:
        return Message("bid-of-equal-points", **bids, points=new)
    return Message("bid-of-fewer-points", **bids, points=new, due=old)


# --- auctions in order ----------------------------------------------------------------------------


def in_order(calls: Sequence[int], first: Seat, law: Rules) -> Declared | None:
    """What calls came to if all are in order and the last ends the auction, otherwise `None`.

    The calls are integers of `Deal`, each made in turn from `first` on; `calls_made` gives them
    with their players.
    """
    stage, seats = _opening(law), TURNS[first]
    for one in calls:
        after = stage.after.get(one) or _step(stage, one, law)
        if after is None:
            return None
        stage = after
    if not stage.over:
        return None
    if stage.last is None:
        return Declared((), None, True, ()) if law.has("passed-out") else None
    bids = tuple([_made(seats[at & 3], one) for at, one in enumerate(calls) if is_bid(one)])
    opens = len(bids) == 1 and is_bid(calls[0])
    return Declared((), _final(bids[-1], bids, stage.doubled, opens, law), False, ())


def calls_made(calls: Sequence[int], first: Seat, law: Rules) -> tuple[Made, ...]:
    """The calls of an auction that is in order, with the passes that `all pass` stands for."""
    seats, end = TURNS[first], len(calls) - 1
    written = calls if calls[-1] != ALL_PASS else _with_passes(calls, law)
    made = [_made(seats[at & 3], one) for at, one in enumerate(written)]
    return tuple(
        replace(m, call=replace(m.call, item=("bidding", min(at, end))))
        for at, m in enumerate(made)
    )


TURNS = {seat: (seat, seat.left, seat.partner, seat.left.partner) for seat in SEATS}
"""The four seats in the order in which they call, by the seat that calls first."""

NO_EVENTS = Events(Deal(Source(), NOWHERE, ""))


@lru_cache(MOST_CACHED)
def _made(seat: Seat, one: int) -> Made:
    return Made(seat, Call(kind_of(one), odd_tricks_of(one), denomination_of(one)), False, seat)


def _with_passes(calls: Sequence[int], law: Rules) -> Sequence[int]:
    """Calls with each of the passes that end the auction, which are written as one."""
    written = [*calls[:-1]]
    bid, passes = any(map(is_bid, written)), 0
    while passes < len(written) and written[-1 - passes] == PASS:
        passes += 1
    while not auction_over(bid, passes, law):
        written.append(PASS)
        passes += 1
    return written


@cache
def _stage(law: Rules, *how: Any) -> Stage:
    """The stage of an auction, one object each: there are some thousands at most."""
    return Stage(law, *how)


@cache
def _opening(law: Rules) -> Stage:
    """The stage before the first call."""
    return _stage(law, None, False, 0, 0, False)


def _step(stage: Stage, one: int, law: Rules) -> Stage | None:
    """The auction after a call of the player in turn, as the walk judges it; `None` where anything
    is irregular, or where more is to be remembered of the call than an auction in order has.
    """
    if one == ALL_PASS:
        end: Stage | None = stage
        while end and not end.over:
            end = end.after.get(PASS) or _step(end, PASS, law)
        if end:
            stage.after[ALL_PASS] = end
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
    after = _stage(law, named, other, table.doubled, table.passes, walk.dealer_called)
    stage.after[one] = after
    return after
