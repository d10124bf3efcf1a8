"""The table: all that the later events of a record are judged by, carried from event to event.

It is never changed: a call, or the effect of a remedy, makes another of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from oddtrick.cards import Seat, Side
from oddtrick.judge.procedures import BAR_LIFTED, Made, barred_from
from oddtrick.record.model import Call


@dataclass(frozen=True, slots=True)
class Bar:
    """A player who may not declare: how long, by which law, and what has lifted it.

    `lasts` is a limit of the catalogue. `bid` says that there was a bid that can be overbid or
    doubled, `lifted` that the bar is over; `doubles_alone` that it is against doubling only.
    """

    seat: Seat
    lasts: str
    law: str
    bid: bool = False
    lifted: bool = False
    doubles_alone: bool = False

    def against(self, call: Call) -> bool:
        """Whether it is against a call; nobody is barred from passing."""
        if self.lifted or call.kind not in ("bid", "double", "redouble", "challenge"):
            return False
        if self.doubles_alone:
            return call.kind in ("double", "redouble")
        return barred_from(self.lasts, call)

    def after(self, call: Call, seat: Seat) -> Bar:
        """The bar when somebody has called."""
        if self.lifted or call.kind not in ("bid", "double", "redouble"):
            return self
        lifted = BAR_LIFTED[self.lasts](self.seat.side is not seat.side, self.bid)
        return replace(self, bid=self.bid or call.kind == "bid", lifted=lifted)


@dataclass(frozen=True, slots=True)
class Table:
    """An auction as it stands.

    `last` is the last bid that counts and `doubled` how far it is doubled, `bids` are all that
    count; `passes` are those in succession. `waiting` is a call out of turn that stands and counts
    when its player's turn has come. `final` says that the law has made the declaration final,
    `to_be_played` that the last bid must be played, though it may still be doubled. `void` counts
    the void calls among the passes; `skipped` is a player whose turn the law has passed on, though
    he may pass. `challenged_by` is the player whose Challenge is not yet answered.
    """

    turn: Seat
    last: Made | None = None
    doubled: int = 0
    passes: int = 0
    void: int = 0
    waiting: Made | None = None
    skipped: Seat | None = None
    final: bool = False
    to_be_played: bool = False
    bids: tuple[Made, ...] = ()
    challenged_by: Seat | None = None
    challenge_bid_between: bool = False
    bars: tuple[Bar, ...] = ()

    def called(self, made: Made) -> Table:
        """The table when a call was made, and the turn has gone on to the player on the left."""
        call, seat = made.call, made.seat
        if made.void or call.kind not in ("bid", "double", "redouble", "challenge"):
            void = self.void + made.void
            return replace(self, turn=seat.left, passes=self.passes + 1, void=void, skipped=None)
        bars = tuple(b.after(call, seat) for b in self.bars) if self.bars else ()
        after = replace(self, turn=seat.left, passes=0, void=0, bars=bars, skipped=None)
        if call.kind == "bid":
            between = self.challenged_by is not None
            bids = (*self.bids, made)
            return replace(after, last=made, bids=bids, doubled=0, challenge_bid_between=between)
        if call.kind == "challenge":
            return replace(after, challenged_by=seat, challenge_bid_between=False)
        return replace(after, doubled=self.doubled + 1)

    def bid_of(self, side: Side) -> Made | None:
        """The last bid of a side that counts."""
        return next((m for m in reversed(self.bids) if m.seat.side is side), None)

    def bar(self, bar: Bar) -> Table:
        """The table with one player more who is barred."""
        return replace(self, bars=(*self.bars, replace(bar, bid=self.last is not None)))

    def settled(self) -> Table:
        """The table when a call that waited for its turn has come to it."""
        if self.waiting and self.turn is self.waiting.seat:
            return replace(self, waiting=None).called(self.waiting)
        return self
