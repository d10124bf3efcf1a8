"""Making the trump, and the dialogue of doubling that follows: declaring in a code in which nothing
is bid.

The dealer makes the trump or passes it to his partner. Then the adversaries may double, the eldest
hand first; who does not wish to asks his partner "May I lead?". Whoever may go on doubling does so
or is satisfied, and the first right on each side belongs to the player who last doubled for it.
"""

from __future__ import annotations

from dataclasses import replace

from oddtrick.cards import Seat
from oddtrick.judge.finding import Finder, Finding
from oddtrick.judge.incidents import mattering, stated_facts
from oddtrick.judge.procedures import Declared, Final, Made
from oddtrick.judge.remedies import effects_of, ruled
from oddtrick.judge.table_law import TableLaw
from oddtrick.judge.words import and_words, call_words, denomination_words
from oddtrick.record.model import Call, Incident, Record
from oddtrick.rulings.engine import catalogue


class Making:
    """One walk through the calls of a record; `take` each, then `result`."""

    def __init__(self, record: Record, law: TableLaw, dealer: Seat) -> None:
        """Begin with the dealer."""
        self.record, self.law, self.dealer = record, law, dealer
        self.finder = Finder(law, record)
        self.eldest = dealer.left
        self.made: list[Made] = []
        self.found: list[Finding] = []
        self.passed = False
        self.maker: Seat | None = None
        self.trump: str | None = None
        self.doubled = 0
        self.last_doubler: Seat | None = None
        self.asked = False
        self.declined: list[Seat] = []
        self.over = False
        self.open = False

    # --- who may speak ---------------------------------------------------------------------------

    def _first_right(self) -> Seat:
        """Whose right it is now to double or to go on doubling, the first of his side that has not
        declined."""
        if self.doubled == 0:
            first = self.eldest
        elif self.doubled == 1 and self.maker:
            first = self.maker
        else:
            first = next(
                m.seat
                for m in reversed(self.made)
                if not m.void
                and m.call.kind in ("double", "redouble")
                and self.last_doubler
                and m.seat.side is not self.last_doubler.side
            )
        return first if first not in self.declined else first.partner

    def _side_to_speak(self) -> tuple[Seat, Seat]:
        first = self._first_right()
        return first, first.partner

    def finding(self, rule: str, call: Call, message: str) -> None:
        """Keep a finding about a call."""
        # An option may have put another limit on the doubling than the law behind the rule.
        laws = self.law.laws("doubling") if rule == "declaring.redouble-twice" else None
        self.found.append(self.finder.find(rule, message, call, laws=laws))

    # --- one call --------------------------------------------------------------------------------

    def take(self, call: Call) -> None:
        """Take one call."""
        if call.kind == "unrecorded":
            self.open = True
            return
        if call.kind == "all-pass":
            self.finding(
                "declaring.not-a-call",
                call,
                f"{self.law.short} has no passes that end the declaration.",
            )
            return
        mends = call.corrects and self.made
        seat = call.seat or (self.made[-1].seat if mends else self._expected())
        before = (self.doubled, self.last_doubler, self.asked, self.declined)
        void = self._judge(call, seat)
        for incident in call.incidents:
            effects = self._effects(incident, seat, call)
            if "void" in effects and call.kind in ("double", "redouble"):
                self.doubled, self.last_doubler, self.asked, self.declined = before
                void = True
            self.over = self.over or "end-doubling" in effects
        self.made.append(Made(seat, call, void))

    def _effects(self, incident: Incident, seat: Seat, call: Call) -> set[str]:
        """What the remedies do that are had for an irregularity told of at a call."""
        if incident.name not in catalogue():
            return set()
        chosen = {e.id for e in effects_of(incident.remedy or "")}
        told = {
            "accepted": "no" if "void" in chosen else "yes",
            "doubled-which": call.kind,
            "spade-make": "yes" if self.trump == "spades" else "no",
        }
        facts = mattering(incident.name, told | stated_facts(incident)[0])
        remedies = ruled(incident.name, facts, incident, seat, self.law, self.dealer)
        return {e.id for r in remedies for e in r.effects}

    def _expected(self) -> Seat:
        """Who speaks next when the record does not say: the one whose right or duty it is."""
        if self.maker is None:
            return self._maker()
        if self.asked and self.doubled == 0:
            return self.eldest.partner
        return self._first_right()

    def _maker(self) -> Seat:
        """Who makes the trump, or passes it to his partner."""
        assert self.law.making is not None
        return self.law.making(self.dealer, self.passed)

    def _judge(self, call: Call, seat: Seat) -> bool:
        words = call_words(call, self.law)
        if call.corrects:
            last = self.made[-1] if self.made else None
            may = self.law.may_change
            if (
                last
                and last.seat is seat
                and last.call.kind == "make"
                and may
                and may(last.call, call, True)
            ):
                self.made[-1] = replace(last, void=True)
                self.maker = None
                return self._judge_make(call, seat, words)
            self.finding(
                "declaring.changed", call, f"{seat.title} changes what he declared to {words}."
            )
            return True
        if self.maker is None:
            return self._judge_make(call, seat, words)
        if self.over:
            self.finding(
                "declaring.after-the-end",
                call,
                f"{seat.title} says {words} after the doubling is over.",
            )
            return True
        if call.kind in ("make", "pass-to-partner", "bid"):
            self.finding(
                "declaring.changed", call, f"{seat.title} says {words}, but the trump is made."
            )
            return True
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat, words)
        if call.kind in ("may-i-lead", "yes", "satisfied", "pass"):
            return self._judge_answer(call, seat, words)
        self.finding(
            "declaring.not-a-call", call, f"{self.law.short} knows no such call as “{words}”."
        )
        return True

    def _judge_make(self, call: Call, seat: Seat, words: str) -> bool:
        right = self._maker()
        if call.kind == "pass-to-partner" or (call.kind == "pass" and seat is self.dealer):
            if seat is not right or self.passed:
                who = (
                    "the dealer's partner must make the trump"
                    if self.passed
                    else f"it is for {right.title} to make it"
                )
                self.finding(
                    self._wrong(seat, "passed-back"),
                    call,
                    f"{seat.title} passes the declaration, but {who}.",
                )
                return True
            self.passed = True
            return False
        if call.kind != "make":
            rule = (
                "declaring.double-of-nothing"
                if call.kind in ("double", "redouble")
                else "declaring.not-a-call"
            )
            self.finding(rule, call, f"{seat.title} says {words} before the trump is made.")
            return True
        if self.law.denomination(str(call.denomination)) is None:
            self.finding(
                "declaring.unknown-denomination",
                call,
                f"{seat.title} makes {denomination_words(call.denomination, None)}, "
                f"but {self.law.short} has no such trump.",
            )
            return True
        if seat is not right:
            passed = "passed it to his partner" if self.passed else "not passed it to him"
            message = f"{seat.title} makes the trump, but the dealer has {passed}."
            if seat.side is not self.dealer.side:
                message = f"{seat.title} makes the trump, which is for the dealer's side to make."
            self.finding(self._wrong(seat, "made-without-leave"), call, message)
            if seat.side is not self.dealer.side:
                return True  # the dealer goes on as if nothing had been declared
        self.maker, self.trump = seat, str(call.denomination)
        return False

    def _wrong(self, seat: Seat, of_partner: str) -> str:
        """The finding for a make or a pass by the wrong player.

        An adversary's, or one of the dealer's side.
        """
        return (
            "declaring.made-by-adversary"
            if seat.side is not self.dealer.side
            else f"declaring.{of_partner}"
        )

    def _judge_double(self, call: Call, seat: Seat, words: str) -> bool:
        side = self._first_right().side
        if seat.side is not side:
            what = "his own side's make" if self.doubled == 0 else "his own side's double"
            self.finding(
                "declaring.double-of-partner", call, f"{seat.title} says {words}, doubling {what}."
            )
            return True
        if call.kind == "redouble" and self.doubled == 0:
            self.finding(
                "declaring.double-of-nothing",
                call,
                f"{seat.title} redoubles, but nothing is doubled.",
            )
            return True
        if not self.law.may_double(self.doubled, self.trump):
            self.finding(
                "declaring.redouble-twice",
                call,
                f"{seat.title} says {words}; the doubling is at its limit.",
            )
            return True
        right = self._expected()
        if seat is not right:
            self.finding(
                "declaring.out-of-turn",
                call,
                f"{seat.title} says {words}, but the right is first {right.title}'s.",
            )
        self.doubled += 1
        self.last_doubler, self.asked, self.declined = seat, False, []
        return False

    def _judge_answer(self, call: Call, seat: Seat, words: str) -> bool:
        right = self._expected()
        fits = {
            "may-i-lead": self.doubled == 0 and not self.asked,
            "yes": self.doubled == 0 and self.asked,
            "satisfied": self.doubled > 0,
            "pass": self.doubled > 0,
        }[call.kind]
        if not fits:
            self.finding(
                "declaring.not-a-call",
                call,
                f"{seat.title} says {words}, which nobody asked or may say now.",
            )
            return True
        if seat is not right:
            self.finding(
                "declaring.out-of-turn",
                call,
                f"{seat.title} says {words}, but it is for {right.title} to speak.",
            )
            return True
        if call.kind == "may-i-lead":
            self.asked = True
        elif call.kind == "yes":
            self.over = True
        else:
            self.declined.append(seat)
            self.over = len(self.declined) > 1
        return False

    # --- the end ---------------------------------------------------------------------------------

    def result(self, relative: bool) -> Declared:
        """What the calls came to: the trump, how often it is doubled, the dealer as declarer."""
        made = tuple(self.made)
        if self.maker is None or self.trump is None:
            found = [*self.found, self._unfinished("the trump is not made")]
            return Declared(made, None, False, tuple(found), relative)
        limit = not self.law.may_double(self.doubled, self.trump)
        if not self.over and not limit:
            self.found.append(self._unfinished(self._what_lacks()))
        declarer = self.law.declarer(made, self.trump, self.dealer)
        final = Final(
            0,
            self.trump,
            self.doubled,
            None if relative else declarer,
            None if relative else self.maker,
            None,
            self.law.laws("making", "doubling", "declarer"),
        )
        return Declared(
            made, final if self.over or limit else None, False, tuple(self.found), relative
        )

    def _what_lacks(self) -> str:
        if self.open:
            return "the record says that more was said"
        if self.doubled == 0:
            return "“May I lead?” has not been asked and answered"
        still = [s.title for s in self._side_to_speak() if s not in self.declined]
        return f"{and_words(still)} may still go on"

    def _unfinished(self, why: str) -> Finding:
        message = f"The declaration is not finished: {why}."
        last = self.made[-1].call if self.made else None
        return self.finder.lacks("declaring.unfinished", message, last)


def make(record: Record, law: TableLaw, dealer: Seat | None) -> Declared:
    """Judge the making and doubling of a record.

    The calls need the dealer; where he is not known they are told relative to North.
    """
    walk = Making(record, law, dealer or Seat.NORTH)
    for call in record.bidding or ():
        walk.take(call)
    declared = walk.result(dealer is None)
    if dealer is None:
        message = "The record does not say who dealt, so the calls have no callers."
        lacks = walk.finder.lacks("record.no-dealer", message)
        declared = replace(declared, findings=(lacks, *declared.findings))
    return declared
