"""One walk through the calls of a record: whether each is in order, and where the auction ends.

Void calls are found and then passed over, so that one fault is one finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oddtrick.cards import Seat
from oddtrick.judge.finding import Finder, Finding
from oddtrick.judge.incidents import call_name, called_facts, exposed_facts, mattering
from oddtrick.judge.procedures import BAR, Declared, Final, Made, first_to_name, odd_tricks, plain
from oddtrick.judge.remedies import barred, barring
from oddtrick.judge.table_law import TableLaw
from oddtrick.judge.words import call_words, number_words
from oddtrick.law.in_force import Clause
from oddtrick.record.model import Call, Incident, Record
from oddtrick.rulings.engine import catalogue


@dataclass(slots=True)
class _State:
    """The auction so far; only `Auction` changes it."""

    turn: Seat
    last: Made | None = None
    doubled: int = 0
    passes: int = 0
    challenged_by: Seat | None = None
    challenge_bid_between: bool = False


@dataclass(slots=True)
class _Bar:
    """A player who is barred, how long and by which law, and whether an adversary has acted since."""

    seat: Seat
    lasts: str
    law: str
    acted: bool = False


class Auction:
    """One walk through the calls of a record under the law of a code."""

    def __init__(self, record: Record, law: TableLaw, first: Seat) -> None:
        """Begin with the seat that calls first."""
        self.record, self.law = record, law
        self.finder = Finder(law, record)
        self.state = _State(first)
        self.before: _State | None = None
        self.made: list[Made] = []
        self.found: list[Finding] = []
        self.found_by_last: list[Finding] = []
        self.bars: list[_Bar] = []
        self.open = False
        self.dealer = first
        self.dealer_called = False
        self.offence: _State | None = None
        for incident in record.incidents:
            if incident.by and incident.after is None:
                self._bar_by(incident, incident.by)

    def finding(
        self, rule: str, call: Call, message: str, laws: tuple[str, ...] | None = None
    ) -> None:
        """Keep a finding about a call."""
        self.found_by_last.append(self.finder.find(rule, message, call, laws=laws))

    def take(self, call: Call) -> None:
        """Take one call."""
        if call.kind == "unrecorded":
            self.open = True
            return
        if call.kind == "all-pass":
            while not self._over():
                self._call(replace(call, kind="pass"), self.state.turn)
            return
        if call.corrects:
            self._correct(call)
            return
        self._call(call, call.seat or self.state.turn)

    def _over(self) -> bool:
        """Whether the declaration is final, or all four have passed."""
        return self.law.over(self.state.last is not None, self.state.passes)

    def _call(self, call: Call, seat: Seat) -> None:
        self.found += self.found_by_last
        self.found_by_last = []
        if self.offence and seat is self.offence.turn and seat is not self.state.turn:
            # The player whose turn it was calls after all: the call out of turn was not let stand.
            self.state, self.made = (
                self.offence,
                [*self.made[:-1], replace(self.made[-1], void=True)],
            )
        self.offence = None
        self.before = replace(self.state)
        void = self._judge(call, seat)
        self.made.append(Made(seat, call, void, self.before.turn))
        self._move(call, seat, void)
        self._bar(call, seat)

    def _bar(self, call: Call, seat: Seat) -> None:
        """Bar the players whom the law bars for what is written at a call.

        An irregularity that was found, or is only told of.
        """
        names = [call_name(found.rule, call.kind) for found in self.found_by_last]
        for incident in call.incidents:
            if incident.name in names:
                facts = called_facts(self.made[-1], self.made[:-1], None, attention=True)
                self._keep_bars(incident, seat, facts)
            else:
                self._bar_by(incident, incident.by or seat)

    def _bar_by(self, incident: Incident, seat: Seat) -> None:
        """Bar those whom the law bars for an irregularity that no call shows, a card exposed or the
        score mentioned."""
        item = catalogue().get(incident.name)
        if item is not None and item.finding is None:
            self._keep_bars(incident, seat, exposed_facts(incident, self.law))

    def _keep_bars(self, incident: Incident, seat: Seat, facts: Mapping[str, str]) -> None:
        known = mattering(incident.name, facts)
        self.bars += [_Bar(*bar) for bar in barred(incident, incident.name, seat, known, self.law)]

    def _correct(self, call: Call) -> None:
        """Replace the last caller's call, if the law lets him."""
        if not self.made or self.before is None:
            self.finding("declaring.changed", call, "There is no call to correct.")
            return
        last = self.made[-1]
        seat = call.seat or last.seat
        insufficient = any(f.rule == "declaring.insufficient-bid" for f in self.found_by_last)
        noticed = bool(last.call.incidents)
        allowed = self.law.may_change
        lawful = noticed or allowed is None or allowed(last.call, call, not insufficient)
        if seat is not last.seat or not lawful:
            own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
            was = (
                f"{seat.title} called {call_words(own, self.law)}"
                if own
                else f"{seat.title} has not called"
            )
            now = call_words(call, self.law)
            self.finding(
                "declaring.changed",
                call,
                f"{was} and changes to {now}, which the law does not allow here.",
            )
            self.made.append(Made(seat, call, True, self.state.turn))
            return
        self.found += self.found_by_last if noticed else []
        self.found_by_last = []
        self.state, self.made = self.before, [*self.made[:-1], replace(last, void=True)]
        self._call(call, seat)

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on one call; the result is whether it is void."""
        state, law, words = self.state, self.law, call_words(call, self.law)
        if self._over():
            said = f"{seat.title} calls {words} after the declaration is final."
            self.finding("declaring.after-the-end", call, said)
            return True
        if seat is not state.turn:
            self.offence = replace(state)
            said = f"{seat.title} calls {words}, but it is {state.turn.title}'s turn."
            self.finding("declaring.out-of-turn", call, said)
        bar = next((b for b in self.bars if b.seat is seat and BAR[b.lasts](call, b.acted)), None)
        if bar:
            said = f"{seat.title} calls {words}, but is barred by the law for what went before."
            self.finding("declaring.barred", call, said, self._barring_laws(bar))
        if state.challenged_by and seat is state.challenged_by.partner:
            if law.challenge and not law.challenge(call, state.challenge_bid_between):
                said = (
                    f"{seat.title} calls {words}, but his partner's Challenge obliges him "
                    "to bid or double."
                )
                self.finding("declaring.challenge-passed", call, said)
            state.challenged_by = None
        if self._dealer_must(call, seat):
            said = f"{seat.title} deals and passes; the dealer must declare."
            self.finding("declaring.dealer-must-bid", call, said)
            return False
        if call.kind == "pass":
            return False
        if call.kind == "bid":
            return self._judge_bid(call, seat)
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat)
        if call.kind == "challenge" and law.challenge:
            return self._judge_challenge(call, seat)
        if call.kind == "challenge":
            said = f"{law.short} knows no Challenge."
        else:
            said = f"{law.short} knows no such call as “{words}”."
        self.finding("declaring.not-a-call", call, said)
        return True

    def _dealer_must(self, call: Call, seat: Seat) -> bool:
        """Whether the dealer's first call is not one with which he may begin."""
        if seat is not self.dealer or self.dealer_called:
            return False
        self.dealer_called = True
        first = self.law.first_declaration
        if self.state.last or call.kind not in ("bid", "pass") or not first:
            return False
        return not first(call)

    def _judge_challenge(self, call: Call, seat: Seat) -> bool:
        last = self.state.last
        if last and last.seat.side is not seat.side:
            return False
        said = f"{seat.title} challenges, but there is no adverse bid to challenge."
        self.finding("declaring.double-of-nothing", call, said)
        return True

    def _judge_bid(self, call: Call, seat: Seat) -> bool:
        law, last = self.law, self.state.last
        bids = f"{seat.title} bids {call_words(call, law)}"
        if law.denomination(str(call.denomination)) is None:
            said = f"{bids}, but {law.short} has no such denomination."
            self.finding("declaring.unknown-denomination", call, said)
            return True
        if law.bid_range and odd_tricks(call) not in law.bid_range:
            least, most = law.bid_range
            said = f"{bids}; a bid is of {least} to {most} odd tricks."
            self.finding("declaring.impossible-bid", call, said)
            return True
        if last and not law.sufficient(call, last.call):
            over = call_words(last.call, law)
            said = f"{bids} over {over}, which is not higher{_by_points(call, last.call, law)}."
            self.finding("declaring.insufficient-bid", call, said)
        return False

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        state, doubles = self.state, f"{seat.title} {call.kind}s"
        if state.last is None:
            said = f"{doubles} before there is a bid."
            self.finding("declaring.double-of-nothing", call, said)
            return True
        if not self.law.may_double(state.doubled, state.last.call.denomination):
            said = f"{doubles} a bid that is already redoubled."
            self.finding("declaring.redouble-twice", call, said)
            return True
        bid = call_words(state.last.call, self.law)
        last_to_raise = state.last.seat.side if state.doubled == 0 else state.last.seat.side.other
        if last_to_raise is seat.side:
            what = bid if state.doubled == 0 else "double"
            said = f"{doubles} his own side's {what}."
            self.finding("declaring.double-of-partner", call, said)
            return True
        if call.kind == "redouble" and state.doubled == 0 and not self.law.either_word:
            said = f"{doubles}, but {bid} is not doubled."
            self.finding("declaring.double-of-nothing", call, said)
            return True
        return False

    def _barring_laws(self, bar: _Bar) -> tuple[str, ...]:
        """The law by which a player is barred, and those on barred players in general."""
        others = barring(self.law.code, self.law.options)
        general = [law for law in self.law.behind.get("declaring.barred", ()) if law not in others]
        return tuple(dict.fromkeys((bar.law, *general)))

    def _move(self, call: Call, seat: Seat, void: bool) -> None:
        """The auction after a call."""
        state = self.state
        state.turn = self.law.next_caller(seat)
        acts = not void and call.kind in ("bid", "double", "redouble")
        if acts:
            for bar in self.bars:
                bar.acted = bar.acted or bar.seat.side is not seat.side
        if void or call.kind == "pass":
            state.passes += 1
        elif call.kind == "bid":
            state.last, state.doubled, state.passes = Made(seat, call), 0, 0
            state.challenge_bid_between = state.challenged_by is not None
        elif call.kind in ("double", "redouble"):
            state.doubled, state.passes = state.doubled + 1, 0
        elif call.kind == "challenge":
            state.challenged_by, state.challenge_bid_between, state.passes = seat, False, 0

    def result(self, relative: bool) -> Declared:
        """What the calls came to."""
        found, made = [*self.found, *self.found_by_last], tuple(self.made)
        last_call = made[-1].call if made else None
        if self.state.last is None and self._over():
            if not self.law.passed_out and not found:
                said = "All four players pass."
                found.append(self.finder.find("declaring.passed-out", said, last_call, laws=()))
            return Declared(made, None, True, tuple(found), relative)
        if not self._over():
            said = (
                "the record says that more was called"
                if self.open
                else "three passes have not followed the last call"
            )
            message = f"The auction is not finished: {said}."
            found.append(self.finder.lacks("declaring.unfinished", message, last_call))
        final = self._final(relative) if self._over() else None
        return Declared(made, final, False, tuple(found), relative)

    def _final(self, relative: bool) -> Final:
        """The last bid as the final declaration, and who plays it."""
        law, last, made = self.law, self.state.last, tuple(self.made)
        rule = law.get("declarer")
        assert last is not None
        assert rule is not None
        name = str(last.call.denomination)
        declarer = law.declarer(made, name, last.seat)
        first = first_to_name(made, name, last.seat, law)
        turned = declarer is not last.seat or first is not declarer
        return Final(
            odd_tricks(last.call),
            name,
            self.state.doubled,
            None if relative else declarer,
            None if relative else last.seat,
            last.seat is self.dealer and _first_of(made, self.dealer) is last.call,
            law.laws("auction-end", "declarer"),
            _declarer_readings(rule, name, law) if turned else (),
        )


def _declarer_readings(rule: Clause, name: str, law: TableLaw) -> tuple[str, ...]:
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


def _by_points(bid: Call, last: Call, law: TableLaw) -> str:
    if law.value("sufficiency") != "points-then-tricks":
        return ""
    values = law.value("bid-value") or law.value("odd-trick")
    new, old = (odd_tricks(c) * values[str(c.denomination)] for c in (bid, last))
    return f": {number_words(new, 'point')} against {old}" + (
        " and no more tricks" if new == old else ""
    )
