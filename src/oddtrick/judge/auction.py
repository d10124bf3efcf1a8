"""One walk through the calls of a record: whether each is in order, and where the auction ends.

Void calls are found and then passed over, so that one fault is one finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oddtrick.cards import Seat
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.incidents import call_name, called_facts, exposed_facts, mattering
from oddtrick.judge.procedures import (
    AUCTION_END,
    BAR,
    CHALLENGE,
    CHANGING_A_CALL,
    DECLARER,
    FIRST_DECLARATION,
    SUFFICIENCY,
    TURN,
    Declared,
    Final,
    Made,
    first_to_name,
    may_double,
    odd_tricks,
    plain,
)
from oddtrick.judge.remedies import barred, barring
from oddtrick.judge.words import call_words, number_words
from oddtrick.law.in_force import Rule, Rules
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
    """One walk through the calls of a record under the rules of a code."""

    def __init__(self, record: Record, rules: Rules, first: Seat) -> None:
        """Begin with the seat that calls first."""
        self.record, self.rules = record, rules
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
        """Keep a finding about a call; where the code has no law behind it, it says that it is silent."""
        laws = self.rules.behind.get(rule, ()) if laws is None else laws
        if laws:
            severity = Severity.IRREGULAR
        else:
            severity = Severity.SILENT
            message += f" {self.rules.silent.get(rule, f'{self.rules.short} has no law on it.')}"
        file = self.record.file
        self.found_by_last.append(
            Finding(rule, severity, message, laws, file, call.place, item=call.id)
        )

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
        end = AUCTION_END[self.rules.value("auction-end")]
        return end(
            self.state.last is not None, self.state.passes, self.rules.value("passes-to-end")
        )

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
        """Bar the players whom the law bars for what is written at a call: an irregularity that was found, or is only told of."""
        names = [call_name(found.rule, call.kind) for found in self.found_by_last]
        for incident in call.incidents:
            if incident.name in names:
                facts = called_facts(self.made[-1], self.made[:-1], None, attention=True)
                self._keep_bars(incident, seat, facts)
            else:
                self._bar_by(incident, incident.by or seat)

    def _bar_by(self, incident: Incident, seat: Seat) -> None:
        """Bar those whom the law bars for an irregularity that no call shows, a card exposed or the score mentioned."""
        item = catalogue().get(incident.name)
        if item is not None and "finding" not in item:
            self._keep_bars(incident, seat, exposed_facts(incident, self.rules))

    def _keep_bars(self, incident: Incident, seat: Seat, facts: Mapping[str, str]) -> None:
        known = mattering(incident.name, facts)
        self.bars += [
            _Bar(*bar) for bar in barred(incident, incident.name, seat, known, self.rules)
        ]

    def _correct(self, call: Call) -> None:
        """Replace the last caller's call, if the law lets him."""
        if not self.made or self.before is None:
            self.finding("declaring.changed", call, "There is no call to correct.")
            return
        last = self.made[-1]
        seat = call.seat or last.seat
        insufficient = any(f.rule == "declaring.insufficient-bid" for f in self.found_by_last)
        noticed = bool(last.call.incidents)
        allowed = self.rules.value("changing-a-call")
        lawful = (
            noticed
            or allowed is None
            or CHANGING_A_CALL[allowed](last.call, call, not insufficient)
        )
        if seat is not last.seat or not lawful:
            own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
            was = (
                f"{seat.title} called {call_words(own, self.rules)}"
                if own
                else f"{seat.title} has not called"
            )
            now = call_words(call, self.rules)
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
        state, rules, words = self.state, self.rules, call_words(call, self.rules)
        if self._over():
            self.finding(
                "declaring.after-the-end",
                call,
                f"{seat.title} calls {words} after the declaration is final.",
            )
            return True
        if seat is not state.turn:
            self.offence = replace(state)
            self.finding(
                "declaring.out-of-turn",
                call,
                f"{seat.title} calls {words}, but it is {state.turn.title}'s turn.",
            )
        for bar in self.bars:
            if bar.seat is seat and BAR[bar.lasts](call, bar.acted):
                self.finding(
                    "declaring.barred",
                    call,
                    f"{seat.title} calls {words}, but is barred by the law for what went before.",
                    self._barring_laws(bar),
                )
                break
        if state.challenged_by and seat is state.challenged_by.partner:
            if not CHALLENGE[rules.value("challenge")](call, state.challenge_bid_between):
                self.finding(
                    "declaring.challenge-passed",
                    call,
                    f"{seat.title} calls {words}, but his partner's Challenge obliges him to bid or double.",
                )
            state.challenged_by = None
        first = rules.value("first-declaration")
        if seat is self.dealer and not self.dealer_called and self.before is not None:
            self.dealer_called = True
            if (
                state.last is None
                and call.kind in ("bid", "pass")
                and first
                and not FIRST_DECLARATION[first](call)
            ):
                self.finding(
                    "declaring.dealer-must-bid",
                    call,
                    f"{seat.title} deals and passes; the dealer must declare.",
                )
                return False
        if call.kind == "bid":
            return self._judge_bid(call, seat)
        if call.kind in ("double", "redouble"):
            return self._judge_double(call, seat)
        if call.kind == "challenge":
            if rules.get("challenge") is None:
                self.finding("declaring.not-a-call", call, f"{rules.short} knows no Challenge.")
                return True
            if state.last is None or state.last.seat.side is seat.side:
                self.finding(
                    "declaring.double-of-nothing",
                    call,
                    f"{seat.title} challenges, but there is no adverse bid to challenge.",
                )
                return True
            return False
        if call.kind != "pass":
            self.finding(
                "declaring.not-a-call", call, f"{rules.short} knows no such call as “{words}”."
            )
            return True
        return False

    def _judge_bid(self, call: Call, seat: Seat) -> bool:
        rules, words = self.rules, call_words(call, self.rules)
        if rules.denomination(str(call.denomination)) is None:
            self.finding(
                "declaring.unknown-denomination",
                call,
                f"{seat.title} bids {words}, but {rules.short} has no such denomination.",
            )
            return True
        limits = rules.value("bid-range")
        if limits and not limits["least"] <= odd_tricks(call) <= limits["most"]:
            self.finding(
                "declaring.impossible-bid",
                call,
                f"{seat.title} bids {words}; a bid is of {limits['least']} to {limits['most']} odd tricks.",
            )
            return True
        last = self.state.last
        if last and not SUFFICIENCY[rules.value("sufficiency")](call, last.call, rules):
            over = call_words(last.call, rules)
            self.finding(
                "declaring.insufficient-bid",
                call,
                f"{seat.title} bids {words} over {over}, which is not higher{_by_points(call, last.call, rules)}.",
            )
        return False

    def _judge_double(self, call: Call, seat: Seat) -> bool:
        state, redouble = self.state, call.kind == "redouble"
        who = seat.title
        if state.last is None:
            self.finding(
                "declaring.double-of-nothing", call, f"{who} {call.kind}s before there is a bid."
            )
            return True
        if not may_double(state.doubled, state.last.call.denomination, self.rules):
            self.finding(
                "declaring.redouble-twice",
                call,
                f"{who} {call.kind}s a bid that is already redoubled.",
            )
            return True
        last_to_raise = state.last.seat.side if state.doubled == 0 else state.last.seat.side.other
        if last_to_raise is seat.side:
            what = (
                f"his own side's {call_words(state.last.call, self.rules)}"
                if state.doubled == 0
                else "his own side's double"
            )
            self.finding("declaring.double-of-partner", call, f"{who} {call.kind}s {what}.")
            return True
        if redouble and state.doubled == 0 and not self.rules.value("doubling-by-name"):
            self.finding(
                "declaring.double-of-nothing",
                call,
                f"{who} redoubles, but {call_words(state.last.call, self.rules)} is not doubled.",
            )
            return True
        return False

    def _barring_laws(self, bar: _Bar) -> tuple[str, ...]:
        """The law by which a player is barred, and those on barred players in general."""
        others = barring(self.rules.code, self.rules.options)
        general = [
            law for law in self.rules.behind.get("declaring.barred", ()) if law not in others
        ]
        return tuple(dict.fromkeys((bar.law, *general)))

    def _move(self, call: Call, seat: Seat, void: bool) -> None:
        """The auction after a call."""
        state = self.state
        state.turn = TURN[self.rules.value("turn") or "dealer-then-left"](seat, 1)
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
        found, state = [*self.found, *self.found_by_last], self.state
        made = tuple(self.made)
        passed_out = state.last is None and self._over()
        if passed_out:
            if self.rules.get("passed-out") is None and not found:
                found.append(self._all_passed())
            return Declared(made, None, True, tuple(found), relative)
        if not self._over():
            found.append(self._unfinished())
        if state.last is None:
            return Declared(made, None, False, tuple(found), relative)
        bid, bidder = state.last.call, state.last.seat
        rule = self.rules.get("declarer")
        assert rule is not None
        name = str(bid.denomination)
        declarer = DECLARER[rule.value](made, name, bidder, self.rules)
        turned = (
            declarer is not bidder or first_to_name(made, name, bidder, self.rules) is not declarer
        )
        final = Final(
            odd_tricks(bid),
            name,
            state.doubled,
            None if relative else declarer,
            None if relative else bidder,
            bidder is self.dealer and _first_of(made, self.dealer) is bid,
            self.rules.laws("auction-end", "declarer"),
            _declarer_readings(rule, name, self.rules) if turned else (),
        )
        return Declared(made, final if self._over() else None, False, tuple(found), relative)

    def _all_passed(self) -> Finding:
        why = self.rules.silent.get("declaring.passed-out", f"{self.rules.short} has no law on it.")
        return self._of_last(
            "declaring.passed-out", Severity.SILENT, f"All four players pass. {why}"
        )

    def _of_last(
        self, rule: str, severity: Severity, message: str, laws: tuple[str, ...] = ()
    ) -> Finding:
        """A finding about where the calls end."""
        last = self.made[-1].call if self.made else None
        place = last.place if last else self.record.place
        item = last.id if last else None
        return Finding(rule, severity, message, laws, self.record.file, place, item=item)

    def _unfinished(self) -> Finding:
        laws = self.rules.behind.get("declaring.unfinished", ())
        said = (
            "the record says that more was called"
            if self.open
            else "three passes have not followed the last call"
        )
        message = f"The auction is not finished: {said}."
        return self._of_last("declaring.unfinished", Severity.INCOMPLETE, message, laws)


def _declarer_readings(rule: Rule, name: str, rules: Rules) -> tuple[str, ...]:
    """The readings that the law on the declarer rests on for a denomination: its kind, and `royal` for a royal."""
    found = rules.denomination(name)
    base = plain(name, rules)
    kind = base if found is None or found.suit is None else "trump"
    readings = rule.readings_of(kind)
    return readings + (rule.readings_of("royal")[len(rule.readings) :] if base != name else ())


def _first_of(made: tuple[Made, ...], seat: Seat) -> Call | None:
    return next((m.call for m in made if m.seat is seat and not m.void), None)


def _by_points(bid: Call, last: Call, rules: Rules) -> str:
    if rules.value("sufficiency") != "points-then-tricks":
        return ""
    values = rules.value("bid-value") or rules.value("odd-trick")
    new, old = (odd_tricks(c) * values[str(c.denomination)] for c in (bid, last))
    return f": {number_words(new, 'point')} against {old}" + (
        " and no more tricks" if new == old else ""
    )
