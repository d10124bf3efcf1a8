"""Making the trump and the dialogue of doubling: declaring in a code without bids.

The dealer makes the trump or passes it to his partner. Then the adversaries may double, the eldest
hand first; if he does not wish to, he asks his partner "May I lead?". A player who may go on
doubling does so or is satisfied; on each side the first right belongs to the player who last
doubled for it.
"""

from __future__ import annotations

from oddtrick.cards import Seat
from oddtrick.judge.events import Call, Events
from oddtrick.judge.finding import Message
from oddtrick.judge.procedures import Final, declarer_of, may_double
from oddtrick.judge.table import Dialogue, Table
from oddtrick.judge.walk import Walk
from oddtrick.law.rules import Rules

NOT_A_CALL, AFTER_DOUBLING = "declaring.not-a-call", "said-after-the-doubling"


class Making(Walk):
    """One walk through the making of a trump and the dialogue of doubling."""

    def __init__(self, events: Events, law: Rules, dealer: Seat) -> None:
        assert law.has("making")
        makers = (dealer, dealer.partner)
        dialogue = Dialogue(makers, dealer.left)
        super().__init__(events, law, dealer, Table(makers[0], dialogue=dialogue))

    @property
    def dialogue(self) -> Dialogue:
        """The current state of the dialogue."""
        assert self.table.dialogue is not None
        return self.table.dialogue

    def _all_pass(self, call: Call) -> None:
        self.finding(NOT_A_CALL, call, self.table.turn, "no-passes-that-end")

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Record the findings on one declaration; return whether it is void."""
        if self.table.last is None:
            return self._judge_make(call, seat)
        if self.table.ended_by and call.kind in ("satisfied", "pass"):
            return False  # no law forbids saying so when the doubling is over
        if self.table.final:
            laws, what = (self.table.ended_by,) if self.table.ended_by else None, AFTER_DOUBLING
            return self.finding("declaring.after-the-end", call, seat, what, laws)
        if call.kind in ("make", "pass-to-partner", "bid"):
            return self.finding("declaring.changed", call, seat, "said-after-the-make")
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat)
        if call.kind in ("may-i-lead", "yes", "satisfied", "pass"):
            return self._judge_answer(call, seat)
        return self.finding(NOT_A_CALL, call, seat, "no-such-call")

    # --- the trump -------------------------------------------------------------------------------

    def _judge_make(self, call: Call, seat: Seat) -> bool:
        if call.kind in ("pass-to-partner", "pass"):
            return self._judge_pass(call, seat)
        if call.kind != "make":
            doubles = call.kind in ("double", "redouble")
            rule = "declaring.double-of-nothing" if doubles else NOT_A_CALL
            return self.finding(rule, call, seat, "said-before-the-make")
        if self.law.denomination(str(call.denomination)) is None:
            rule, name = "declaring.unknown-denomination", call.denomination
            return self.finding(rule, call, seat, "no-such-trump", denomination=name)
        own = seat.side is self.dealer.side
        if seat is self.table.turn or (own and self.dialogue.back):
            return False
        if own and self.dialogue.bound:
            return True  # `effects.made_by_another` reports that the order was not followed
        of_side = "made-after-passing" if self.dialogue.passed else "made-without-leave"
        rule = "declaring.made-without-leave" if own else "declaring.made-by-adversary"
        self.finding(rule, call, seat, of_side if own else "made-by-adversary")
        return not own  # after an adversary has declared, the dealer goes on regardless

    def _judge_pass(self, call: Call, seat: Seat) -> bool:
        right, passed = self.table.turn, self.dialogue.passed
        if seat is right and not passed:
            return False
        own, what = seat.side is self.dealer.side, "passed-back" if passed else "passed-for-another"
        rule = "declaring.passed-back" if own else "declaring.made-by-adversary"
        self.finding(rule, call, seat, what, turn=right)
        if own:
            back = self.dialogue._replace(back=True)
            self.table = self.table._replace(dialogue=back)
        return True

    # --- doubling --------------------------------------------------------------------------------

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        table, doubled = self.table, self.table.doubled
        if seat.side is not table.turn.side:
            what = "own-double-doubled" if doubled else "own-make-doubled"
            return self.finding("declaring.double-of-partner", call, seat, what)
        if call.kind == "redouble" and not doubled:
            return self.finding("declaring.double-of-nothing", call, seat, "nothing-to-redouble")
        if not may_double(doubled, self.trump, self.law):
            # An option may limit doubling differently from the law on which the rule rests.
            rule, laws = "declaring.redouble-twice", self.law.laws("doubling")
            return self.finding(rule, call, seat, "doubled-past-the-limit", laws)
        bars = [b for b in table.bars if b.seat is seat]
        if bar := next((b for b in bars if b.against(call)), None):
            laws = self._barring_laws(bar)
            return self.finding("declaring.barred", call, seat, "called-when-barred", laws)
        right = seat is table.turn or any(b.consent for b in bars)
        if not right and (not doubled or table.turn in self._who_may_go_on()):
            rule = "declaring.out-of-turn"
            self.finding(rule, call, seat, "doubled-before-another", turn=table.turn)
        return False

    def _judge_answer(self, call: Call, seat: Seat) -> bool:
        asked, doubled, right = self.dialogue.asked, self.table.doubled > 0, self.table.turn
        doubles = (m for m in reversed(self.made) if m.call.kind in ("double", "redouble"))
        void = next((m.void for m in doubles), False)  # he answers a double that does not count
        fits = {
            "may-i-lead": not doubled and not asked,
            "yes": not doubled and asked,
            "satisfied": doubled or void,
            "pass": doubled or void,
        }
        if not fits[call.kind]:
            return self.finding(NOT_A_CALL, call, seat, "said-unasked")
        if void or seat is right or (doubled and self._who_may_go_on()[:1] == [seat]):
            return False
        return self.finding("declaring.out-of-turn", call, seat, "spoken-out-of-turn", turn=right)

    # --- the end ---------------------------------------------------------------------------------

    @property
    def trump(self) -> str | None:
        """The denomination that was made, if any."""
        return self.table.last.bid.denomination if self.table.last else None

    def _end(self) -> tuple[Final | None, tuple[Message, ...] | None]:
        table, trump, why = self.table, self.trump, tuple[Message, ...]()
        if table.last is None or trump is None:
            return None, (Message("trump-not-made"),)
        if not (table.final or not may_double(table.doubled, trump, self.law)):
            if self.open:
                why = (Message("more-was-said"),)
            elif not self._nobody_may_go_on():
                players = tuple(self._who_may_go_on())
                goes_on = Message("doubling-goes-on", players=players)
                why = (goes_on if table.doubled else Message("leave-not-asked"),)
        declarer = declarer_of(self.made, trump, self.dealer, self.law)
        laws = self.law.laws("making", "doubling", "declarer")
        return Final(0, trump, table.doubled, declarer, table.last.seat, None, laws), why

    def _who_may_go_on(self) -> list[Seat]:
        """Who may double next: those who are neither satisfied nor barred."""
        first = self.table.turn
        barred = (b.seat for b in self.table.bars if not (b.lifted or b.consent))
        done = {*self.dialogue.declined, *barred}
        return [s for s in (first, first.partner) if s not in done]

    def _nobody_may_go_on(self) -> bool:
        """Whether nobody may double any more.

        Before any double, this is so if the eldest hand has led without asking and his partner has
        no leave to double.
        """
        if self.table.doubled > 0:
            return not self._who_may_go_on()
        partner, bars = self.dialogue.eldest.partner, self.table.bars
        led = any(b.by_leave and not b.consent and b.seat is partner for b in bars)
        return led and not self.dialogue.asked
