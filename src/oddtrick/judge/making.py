"""Making the trump, and the dialogue of doubling that follows: declaring in a code in which nothing
is bid.

The dealer makes the trump or passes it to his partner. Then the adversaries may double, the eldest
hand first; who does not wish to asks his partner "May I lead?". Whoever may go on doubling does so
or is satisfied, and the first right on each side belongs to the player who last doubled for it.
"""

from __future__ import annotations

from oddtrick.cards import Seat
from oddtrick.judge.events import Call, Events
from oddtrick.judge.finding import Finding
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import Declared, Final, declarer_of, may_double
from oddtrick.judge.table import Dialogue, Table
from oddtrick.judge.walk import Walk
from oddtrick.law.rules import Rules


class Making(Walk):
    """One walk through the making of a trump and the dialogue of doubling."""

    def __init__(self, events: Events, law: Rules, dealer: Seat) -> None:
        """Begin with the dealer."""
        assert law.has("making")
        makers = (dealer, dealer.partner)
        dialogue = Dialogue(makers, dealer.left)
        super().__init__(events, law, dealer, Table(makers[0], dialogue=dialogue))

    @property
    def dialogue(self) -> Dialogue:
        """The dialogue as it stands."""
        assert self.table.dialogue is not None
        return self.table.dialogue

    def _all_pass(self, call: Call) -> None:
        self.finding("declaring.not-a-call", call, Message("no-passes-that-end"))

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on what was said; the result is whether it is void."""
        if self.table.last is None:
            return self._judge_make(call, seat)
        if self.table.final:
            laws = (self.table.ended_by,) if self.table.ended_by else None
            message = Message("said-after-the-doubling", player=seat, call=call.name)
            self.finding("declaring.after-the-end", call, message, laws)
        elif call.kind in ("make", "pass-to-partner", "bid"):
            message = Message("said-after-the-make", player=seat, call=call.name)
            self.finding("declaring.changed", call, message)
        elif call.kind in ("double", "redouble"):
            return self._judge_double(call, seat)
        elif call.kind in ("may-i-lead", "yes", "satisfied", "pass"):
            return self._judge_answer(call, seat)
        else:
            self.finding("declaring.not-a-call", call, Message("no-such-call", call=call.name))
        return True

    # --- the trump -------------------------------------------------------------------------------

    def _judge_make(self, call: Call, seat: Seat) -> bool:
        if call.kind in ("pass-to-partner", "pass"):
            return self._judge_pass(call, seat)
        if call.kind != "make":
            doubles = call.kind in ("double", "redouble")
            rule = "declaring.double-of-nothing" if doubles else "declaring.not-a-call"
            self.finding(rule, call, Message("said-before-the-make", player=seat, call=call.name))
            return True
        if self.law.denomination(str(call.denomination)) is None:
            message = Message("no-such-trump", player=seat, denomination=call.denomination)
            self.finding("declaring.unknown-denomination", call, message)
            return True
        own = seat.side is self.dealer.side
        if seat is self.table.turn or (own and self.dialogue.back):
            return False
        if own and self.dialogue.bound:
            return True  # what was ordered and not done is told with the remedy
        of_side = "made-after-passing" if self.dialogue.passed else "made-without-leave"
        message = Message(of_side if own else "made-by-adversary", player=seat)
        self.finding(self._wrong(seat, "made-without-leave"), call, message)
        return not own  # the dealer goes on as if an adversary had declared nothing

    def _judge_pass(self, call: Call, seat: Seat) -> bool:
        right, passed = self.table.turn, self.dialogue.passed
        if seat is right and not passed:
            return False
        message = Message("passed-for-another", player=seat, turn=right)
        if passed:
            message = Message("passed-back", player=seat)
        self.finding(self._wrong(seat, "passed-back"), call, message)
        if seat.side is self.dealer.side:
            back = self.dialogue._replace(back=True)
            self.table = self.table._replace(dialogue=back)
        return True

    def _wrong(self, seat: Seat, of_partner: str) -> str:
        """The finding for a make or a pass by the wrong player.

        An adversary's, or one of the dealer's side.
        """
        adversary = seat.side is not self.dealer.side
        return "declaring.made-by-adversary" if adversary else f"declaring.{of_partner}"

    # --- doubling --------------------------------------------------------------------------------

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        table = self.table
        if seat.side is not table.turn.side:
            what = "own-double-doubled" if table.doubled else "own-make-doubled"
            message = Message(what, player=seat, call=call.name)
            self.finding("declaring.double-of-partner", call, message)
            return True
        if call.kind == "redouble" and table.doubled == 0:
            message = Message("nothing-to-redouble", player=seat)
            self.finding("declaring.double-of-nothing", call, message)
            return True
        if not may_double(table.doubled, self.trump, self.law):
            # An option may have put another limit on the doubling than the law behind the rule.
            laws = self.law.laws("doubling")
            message = Message("doubled-past-the-limit", player=seat, call=call.name)
            self.finding("declaring.redouble-twice", call, message, laws)
            return True
        bars = [b for b in table.bars if b.seat is seat]
        if bar := next((b for b in bars if b.against(call)), None):
            message = Message("called-when-barred", player=seat, call=call.name)
            self.finding("declaring.barred", call, message, self._barring_laws(bar))
            return True
        right = seat is table.turn or any(b.consent for b in bars)
        if not right and (table.doubled == 0 or table.turn in self._who_may_go_on()):
            message = Message(
                "doubled-before-another", player=seat, call=call.name, turn=table.turn
            )
            self.finding("declaring.out-of-turn", call, message)
        return False

    def _judge_answer(self, call: Call, seat: Seat) -> bool:
        asked, doubled = self.dialogue.asked, self.table.doubled > 0
        fits = {
            "may-i-lead": not doubled and not asked,
            "yes": not doubled and asked,
            "satisfied": doubled,
            "pass": doubled,
        }
        right = self.table.turn
        if not fits[call.kind]:
            message = Message("said-unasked", player=seat, call=call.name)
            self.finding("declaring.not-a-call", call, message)
        elif seat is not right:
            message = Message("spoken-out-of-turn", player=seat, call=call.name, turn=right)
            self.finding("declaring.out-of-turn", call, message)
        return not fits[call.kind] or seat is not right

    # --- the end ---------------------------------------------------------------------------------

    @property
    def trump(self) -> str | None:
        """The denomination of the make."""
        return self.table.last.bid.denomination if self.table.last else None

    def result(self, relative: bool) -> Declared:
        """What the calls came to: the trump, how often it is doubled, the dealer as declarer."""
        self._close(None)
        found, made = [*self.found, *self.found_by_last], tuple(self.made)
        table, trump = self.table, self.trump
        if table.last is None or trump is None:
            found.append(self._unfinished(Message("trump-not-made")))
            return self._declared(None, False, found, relative, self._next())
        over = table.final or not may_double(table.doubled, trump, self.law)
        over = over or (not self.open and self._nobody_may_go_on())
        if not over:
            found.append(self._unfinished(self._what_lacks()))
        stands = Final(
            0,
            trump,
            table.doubled,
            None if relative else declarer_of(made, trump, self.dealer, self.law),
            None if relative else table.last.seat,
            None,
            self.law.laws("making", "doubling", "declarer"),
        )
        turn, final = (None, stands) if over else (self._next(), None)
        return self._declared(final, False, found, relative, turn, stands)

    def _next(self) -> Seat | None:
        """Who has to speak, where the record does not say that more was said."""
        return None if self.open else self.table.turn

    def _what_lacks(self) -> Message:
        if self.open:
            return Message("more-was-said")
        if self.table.doubled == 0:
            return Message("leave-not-asked")
        return Message("doubling-goes-on", players=tuple(self._who_may_go_on()))

    def _who_may_go_on(self) -> list[Seat]:
        """Who may double next: those who are neither satisfied nor barred."""
        first = self.table.turn
        barred = (b.seat for b in self.table.bars if not (b.lifted or b.consent))
        done = {*self.dialogue.declined, *barred}
        return [s for s in (first, first.partner) if s not in done]

    def _nobody_may_go_on(self) -> bool:
        """Whether nobody may double any more.

        Before a double: the eldest hand has led unasked, and his partner has no leave to double.
        """
        if self.table.doubled > 0:
            return not self._who_may_go_on()
        partner, bars = self.dialogue.eldest.partner, self.table.bars
        led = any(b.by_leave and not b.consent and b.seat is partner for b in bars)
        return led and not self.dialogue.asked

    def _unfinished(self, why: Message) -> Finding:
        last = self.made[-1].call if self.made else None
        return self.finder.lacks("declaring.unfinished", why, last)


def make(events: Events, law: Rules, dealer: Seat | None) -> Declared:
    """Judge the making and doubling of a record.

    The calls need the dealer; where he is not known they are told relative to North.
    """
    walk = Making(events, law, dealer or Seat.NORTH)
    if dealer is None:
        walk.found.append(walk.finder.lacks("record.no-dealer", Message("no-dealer")))
    for call in events.calls or ():
        walk.take(call)
    return walk.result(dealer is None)
