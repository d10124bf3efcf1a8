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
from oddtrick.judge.procedures import Declared, Final, declarer_of, may_double
from oddtrick.judge.table import Dialogue, Table
from oddtrick.judge.walk import Walk
from oddtrick.judge.words import and_words, call_words, denomination_words
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
        said = f"{self.law.short} has no passes that end the declaration."
        self.finding("declaring.not-a-call", call, said)

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on what was said; the result is whether it is void."""
        said = f"{seat.title} says {call_words(call, self.law)}"
        if self.table.last is None:
            return self._judge_make(call, seat, said)
        if self.table.final:
            laws = (self.table.ended_by,) if self.table.ended_by else None
            message = f"{said} after the doubling is over."
            self.finding("declaring.after-the-end", call, message, laws)
        elif call.kind in ("make", "pass-to-partner", "bid"):
            self.finding("declaring.changed", call, f"{said}, but the trump is made.")
        elif call.kind in ("double", "redouble"):
            return self._judge_double(call, seat, said)
        elif call.kind in ("may-i-lead", "yes", "satisfied", "pass"):
            return self._judge_answer(call, seat, said)
        else:
            what = f"{self.law.short} knows no such call as “{call_words(call, self.law)}”."
            self.finding("declaring.not-a-call", call, what)
        return True

    # --- the trump -------------------------------------------------------------------------------

    def _judge_make(self, call: Call, seat: Seat, said: str) -> bool:
        if call.kind in ("pass-to-partner", "pass"):
            return self._judge_pass(call, seat)
        if call.kind != "make":
            doubles = call.kind in ("double", "redouble")
            rule = "declaring.double-of-nothing" if doubles else "declaring.not-a-call"
            self.finding(rule, call, f"{said} before the trump is made.")
            return True
        if self.law.denomination(str(call.denomination)) is None:
            what = denomination_words(call.denomination, None)
            message = f"{seat.title} makes {what}, but {self.law.short} has no such trump."
            self.finding("declaring.unknown-denomination", call, message)
            return True
        own = seat.side is self.dealer.side
        if seat is self.table.turn or (own and self.dialogue.back):
            return False
        if own and self.dialogue.bound:
            return True  # what was ordered and not done is told with the remedy
        passed = "passed it to his partner" if self.dialogue.passed else "not passed it to him"
        message = f"{seat.title} makes the trump, but the dealer has {passed}."
        if not own:
            message = f"{seat.title} makes the trump, which is for the dealer's side to make."
        self.finding(self._wrong(seat, "made-without-leave"), call, message)
        return not own  # the dealer goes on as if an adversary had declared nothing

    def _judge_pass(self, call: Call, seat: Seat) -> bool:
        right, passed = self.table.turn, self.dialogue.passed
        if seat is right and not passed:
            return False
        who = f"it is for {right.title} to make it"
        if passed:
            who = "the dealer's partner must make the trump"
        message = f"{seat.title} passes the declaration, but {who}."
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

    def _judge_double(self, call: Call, seat: Seat, said: str) -> bool:
        table = self.table
        if seat.side is not table.turn.side:
            what = "his own side's make" if table.doubled == 0 else "his own side's double"
            self.finding("declaring.double-of-partner", call, f"{said}, doubling {what}.")
            return True
        if call.kind == "redouble" and table.doubled == 0:
            message = f"{seat.title} redoubles, but nothing is doubled."
            self.finding("declaring.double-of-nothing", call, message)
            return True
        if not may_double(table.doubled, self.trump, self.law):
            # An option may have put another limit on the doubling than the law behind the rule.
            message, laws = f"{said}; the doubling is at its limit.", self.law.laws("doubling")
            self.finding("declaring.redouble-twice", call, message, laws)
            return True
        bars = [b for b in table.bars if b.seat is seat]
        if bar := next((b for b in bars if b.against(call)), None):
            message = f"{said}, but is barred by the law for what went before."
            self.finding("declaring.barred", call, message, self._barring_laws(bar))
            return True
        right = seat is table.turn or any(b.consent for b in bars)
        if not right and (table.doubled == 0 or table.turn in self._who_may_go_on()):
            message = f"{said}, but the right is first {table.turn.title}'s."
            self.finding("declaring.out-of-turn", call, message)
        return False

    def _judge_answer(self, call: Call, seat: Seat, said: str) -> bool:
        asked, doubled = self.dialogue.asked, self.table.doubled > 0
        fits = {
            "may-i-lead": not doubled and not asked,
            "yes": not doubled and asked,
            "satisfied": doubled,
            "pass": doubled,
        }
        right = self.table.turn
        if not fits[call.kind]:
            message = f"{said}, which nobody asked or may say now."
            self.finding("declaring.not-a-call", call, message)
        elif seat is not right:
            message = f"{said}, but it is for {right.title} to speak."
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
            found.append(self._unfinished("the trump is not made"))
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

    def _what_lacks(self) -> str:
        if self.open:
            return "the record says that more was said"
        if self.table.doubled == 0:
            return "“May I lead?” has not been asked and answered"
        return f"{and_words(s.title for s in self._who_may_go_on())} may still go on"

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

    def _unfinished(self, why: str) -> Finding:
        message = f"The declaration is not finished: {why}."
        return self.finder.lacks(
            "declaring.unfinished", message, self.made[-1].call if self.made else None
        )


def make(events: Events, law: Rules, dealer: Seat | None) -> Declared:
    """Judge the making and doubling of a record.

    The calls need the dealer; where he is not known they are told relative to North.
    """
    walk = Making(events, law, dealer or Seat.NORTH)
    if dealer is None:
        message = "The record does not say who dealt, so the calls have no callers."
        walk.found.append(walk.finder.lacks("record.no-dealer", message))
    for call in events.calls or ():
        walk.take(call)
    return walk.result(dealer is None)
