"""The state of the table, by which later events of a record are judged.

It is immutable: a call or an effect of a remedy returns a new one. It is a tuple because one is
created for every call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from oddtrick.cards import Seat
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import Made, sufficient
from oddtrick.law.book import book
from oddtrick.law.model import Limit
from oddtrick.law.rules import Rules


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar on a player: how long it lasts, by which law, and what has lifted it.

    `lasts` is the id of a limit in the catalogue. `bid` is true if there was a bid that can be
    overbid or doubled, `lifted` if the bar is over, `doubles_alone` if it forbids only doubling.
    `by_leave` is true if he may double with the consent of another player, because his partner has
    led, and `consent` if that player has consented.
    """

    seat: Seat
    lasts: str
    law: str
    bid: bool = False
    lifted: bool = False
    doubles_alone: bool = False
    by_leave: bool = False
    consent: bool = False

    def against(self, call: Call) -> bool:
        """Whether the bar forbids a call; a pass is never forbidden."""
        if self.lifted or call.kind not in ("bid", "double", "redouble", "challenge"):
            return False
        if self.doubles_alone:
            return call.kind in ("double", "redouble") and not self.consent
        return call.kind in (limit(self.lasts).bars or (call.kind,))

    def after(self, call: Call, seat: Seat) -> Bar:
        """The bar after a call by a player, which may lift it."""
        if self.lifted or call.kind not in ("bid", "double", "redouble"):
            return self
        by = {"adversary": self.seat.side is not seat.side, "overbid": self.bid, None: False}
        lifted = by[limit(self.lasts).lifted_by]
        return replace(self, bid=self.bid or call.kind == "bid", lifted=lifted)


@cache
def limit(name: str) -> Limit:
    """The limit with this id in the catalogue."""
    return next(limit for limit in book().vocabulary.limits if limit.id == name)


class Dialogue(NamedTuple):
    """The making of the trump and the doubling after it, in a code without bids.

    `makers` are the player who makes the trump and the one to whom he may pass it; `eldest` is the
    first who may double. `passed` is true if the make was passed on, `back` if it was passed back
    without a penalty; `bound` is the player who was compelled to make the trump. `asked` is true if
    a player asked leave to lead; `declined` are those who have declined to double since the last
    double, `doublers` those who have doubled.
    """

    makers: tuple[Seat, Seat]
    eldest: Seat
    passed: bool = False
    back: bool = False
    bound: Seat | None = None
    asked: bool = False
    declined: tuple[Seat, ...] = ()
    doublers: tuple[Seat, ...] = ()

    def turn(self, maker: Seat | None) -> Seat:
        """The player who must or may speak next."""
        if maker is None:
            return self.bound or self.makers[self.passed]
        if not self.doublers and self.asked:
            return self.eldest.partner
        rights = (self.eldest, maker, *self.doublers)
        first = rights[len(self.doublers)]
        return first.partner if first in self.declined else first

    def after(self, made: Made, of_trump: bool) -> Dialogue:
        """The dialogue after a player has spoken; `of_trump` is true until the trump is made."""
        kind = made.call.kind
        if kind == "pass-to-partner" or (kind == "pass" and of_trump):
            return self._replace(passed=True)
        if kind == "may-i-lead":
            return self._replace(asked=True)
        if kind in ("satisfied", "pass"):
            return self._replace(declined=(*self.declined, made.seat))
        if kind in ("double", "redouble"):
            return self._replace(asked=False, declined=(), doublers=(*self.doublers, made.seat))
        return self


class Table(NamedTuple):
    """The current state of a declaration: an auction, or the dialogue of making and doubling.

    `last` is the last bid that counts and `doubled` how often it is doubled; `bids` are all that
    count; `passes` are those in succession. `early` is a call out of turn that was accepted; it
    counts when its player's turn comes, a double only if nothing came between. `final` is true if
    the law has made the declaration final, and `ended_by` is that law. `to_be_played` is true if
    the last bid must be played, though it may still be doubled. `void` counts the void calls among
    the passes; `skipped` is a player whose turn the law has passed on, though he may pass.
    `challenged_by` is the player whose Challenge is not yet answered. `dialogue` is set in a code
    without bids; then `last` is the make.
    """

    turn: Seat
    last: Made | None = None
    doubled: int = 0
    passes: int = 0
    void: int = 0
    early: Made | None = None
    skipped: Seat | None = None
    final: bool = False
    ended_by: str | None = None
    to_be_played: bool = False
    bids: tuple[Made, ...] = ()
    challenged_by: Seat | None = None
    challenge_bid_between: bool = False
    bars: tuple[Bar, ...] = ()
    dialogue: Dialogue | None = None

    def called(self, made: Made) -> Table:
        """The table after a call, with the turn passed to the next player."""
        call, seat = made.call, made.seat
        if self.dialogue:
            return self._spoken(made, self.dialogue)
        if made.void or call.kind not in ("bid", "double", "redouble", "challenge"):
            void = self.void + made.void
            return self._replace(turn=seat.left, passes=self.passes + 1, void=void, skipped=None)
        bars = tuple(b.after(call, seat) for b in self.bars) if self.bars else ()
        early = self.early if self.early and self.early.call.kind == "bid" else None
        after = self._replace(
            turn=seat.left, passes=0, void=0, bars=bars, skipped=None, early=early
        )
        if call.kind == "bid":
            between = self.challenged_by is not None
            bids = (*self.bids, made)
            return after._replace(last=made, bids=bids, doubled=0, challenge_bid_between=between)
        if call.kind == "challenge":
            return after._replace(challenged_by=seat, challenge_bid_between=False)
        return after._replace(doubled=self.doubled + 1)

    def _spoken(self, made: Made, dialogue: Dialogue) -> Table:
        """The table after something was said in the dialogue; a void call changes nothing."""
        if made.void:
            return self
        kind, last = made.call.kind, made if made.call.kind == "make" else self.last
        dialogue = dialogue.after(made, self.last is None)
        return self._replace(
            turn=dialogue.turn(last.seat if last else None),
            last=last,
            doubled=len(dialogue.doublers),
            final=self.final or kind == "yes" or len(dialogue.declined) > 1,
            dialogue=dialogue,
        )

    def bar(self, bar: Bar) -> Table:
        """The table with one more bar."""
        return self._replace(bars=(*self.bars, replace(bar, bid=self.last is not None)))

    def with_early_call(self, rules: Rules) -> Table:
        """The table after an early call, if its turn has come.

        A bid that has been overbid in the meantime no longer counts.
        """
        made = self.early
        if made is None or self.turn is not made.seat:
            return self
        table = self._replace(early=None)
        bid = made.call.kind == "bid" and table.last
        return table if bid and not sufficient(made.bid, bid.bid, rules) else table.called(made)
