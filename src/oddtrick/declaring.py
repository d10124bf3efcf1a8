"""The declaration: whether the calls are in order, where they end, and who plays the hand.

One pure function for each procedure that a code can choose (the tables at the end of each part); the
values and the laws come from `Rules`. Void calls are found and then passed over, so that one fault is
one finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from oddtrick.cards import Seat, Side
from oddtrick.findings import Finding, Severity
from oddtrick.lawbook import Rules
from oddtrick.record import Call, Declaration, Place, Record
from oddtrick.words import call_words, declaration_words, number_words


@dataclass(frozen=True, slots=True)
class Made:
    """A call with the seat that made it and whether it took effect."""

    seat: Seat
    call: Call
    void: bool = False


@dataclass(frozen=True, slots=True)
class Final:
    """The final declaration. `declarer` is `None` where the record does not let it be known.

    `doubled` is 0, 1 or 2. `laws` are those that make it final and name the declarer, `readings` those they rest on.
    """

    odd_tricks: int
    denomination: str
    doubled: int
    declarer: Seat | None
    bidder: Seat | None = None
    dealers_first: bool | None = None
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def dummy(self) -> Seat | None:
        """The declarer's partner."""
        return self.declarer.partner if self.declarer else None


@dataclass(frozen=True, slots=True)
class Declared:
    """What the declaration came to: calls with their callers, the final declaration, findings.

    `relative` is true where the dealer is not known, so that the seats of `calls` are only relative.
    `passed_out` says that all four passed.
    """

    calls: tuple[Made, ...]
    final: Final | None
    passed_out: bool
    findings: tuple[Finding, ...]
    relative: bool = False


# --- which bid is higher -------------------------------------------------------------------------


def higher_by_points(bid: Call, last: Call, rules: Rules) -> bool:
    """Whether a bid outranks another by points and, of equal points, by tricks."""
    values: Mapping[str, int] = rules.value("bid-value") or rules.value("odd-trick")
    new, old = (_odd(c) * values[str(c.denomination)] for c in (bid, last))
    return (new, _odd(bid)) > (old, _odd(last))


def higher_by_tricks(bid: Call, last: Call, rules: Rules) -> bool:
    """Whether a bid outranks another by tricks and, of equal tricks, by the rank of the denominations."""
    rank: list[str] = rules.value("bid-rank") or list(rules.order())
    new, old = ((_odd(c), rank.index(str(c.denomination))) for c in (bid, last))
    return new > old


SUFFICIENCY: Mapping[str, Callable[[Call, Call, Rules], bool]] = {
    "points-then-tricks": higher_by_points,
    "tricks-then-rank": higher_by_tricks,
}


def _odd(call: Call) -> int:
    return call.odd_tricks or 0


# --- the first declaration ------------------------------------------------------------------------


def dealer_must_bid(call: Call) -> bool:
    """Whether a dealer's first call satisfies a code in which he must bid."""
    return call.kind == "bid"


def dealer_may_pass(call: Call) -> bool:
    """Whether a dealer's first call satisfies a code in which he may bid or pass."""
    return call.kind in ("bid", "pass")


FIRST_DECLARATION: Mapping[str, Callable[[Call], bool]] = {
    "dealer-must-bid": dealer_must_bid,
    "dealer-may-pass": dealer_may_pass,
}

# --- the turn, the end, the limit of doubling ------------------------------------------------------


def dealer_then_left(dealer: Seat, callers: int) -> Seat:
    """Whose turn it is after so many calls in turn."""
    return dealer.after(callers)


TURN: Mapping[str, Callable[[Seat, int], Seat]] = {"dealer-then-left": dealer_then_left}


def three_passes(bid_made: bool, passes: int, needed: int) -> bool:
    """Whether the declaration is over: a bid passed by the needed number in succession, or all four passed."""
    return passes >= needed if bid_made else passes > needed


AUCTION_END: Mapping[str, Callable[[bool, int, int], bool]] = {"three-passes": three_passes}


def next_dealer(dealer: Seat | None) -> Seat | None:
    """Who deals after a hand that all four passed."""
    return dealer.left if dealer else None


PASSED_OUT: Mapping[str, Callable[[Seat | None], Seat | None]] = {"next-dealer": next_dealer}


def double_and_redouble(doubled: int) -> bool:
    """Whether a bid doubled so far may be doubled once more: undoubled or doubled, but not redoubled."""
    return doubled < 2


DOUBLING: Mapping[str, Callable[[int], bool]] = {"double-and-redouble": double_and_redouble}


def slip_before_next_call(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a player may replace his last call: any slip, before the next player has called."""
    del first, second, sufficient
    return True


def slip_of_denomination(first: Call, second: Call, sufficient: bool) -> bool:
    """Whether a player may replace his last call: a slip between denominations, or to make a bid sufficient."""
    if first.kind == "bid" and second.kind == "bid":
        return first.odd_tricks == second.odd_tricks or (
            not sufficient and first.denomination == second.denomination
        )
    kinds = {first.kind: first, second.kind: second}
    return set(kinds) == {"bid", "pass"} and kinds["bid"].denomination == "no-trump"


CHANGING_A_CALL: Mapping[str, Callable[[Call, Call, bool], bool]] = {
    "slip-before-next-call": slip_before_next_call,
    "slip-of-denomination": slip_of_denomination,
}


def until_adversary_acts(adversary_acted: bool) -> bool:
    """Whether a bar still holds, where an adversary's bid or double lifts it."""
    return not adversary_acted


def to_the_end(adversary_acted: bool) -> bool:
    """Whether a bar still holds, where nothing lifts it."""
    del adversary_acted
    return True


BAR: Mapping[str, Callable[[bool], bool]] = {
    "until-adversary-acts": until_adversary_acts,
    "to-the-end": to_the_end,
}


def partner_must_act(call: Call, bid_between: bool) -> bool:
    """Whether the challenger's partner does what the Challenge asks: a bid or a double, unless relieved."""
    return bid_between or call.kind in ("bid", "double")


CHALLENGE: Mapping[str, Callable[[Call, bool], bool]] = {"partner-must-act": partner_must_act}

# --- who plays the hand ---------------------------------------------------------------------------


def first_to_name(calls: tuple[Made, ...], denomination: str, bidder: Seat) -> Seat:
    """Of the side of the last bid, the partner who first named its denomination."""
    return next(
        made.seat
        for made in calls
        if not made.void
        and made.call.kind == "bid"
        and made.call.denomination == denomination
        and made.seat.side is bidder.side
    )


DECLARER: Mapping[str, Callable[[tuple[Made, ...], str, Seat], Seat]] = {"first-to-name": first_to_name}


def left_of_declarer(declarer: Seat) -> Seat:
    """Who leads first: the player on the declarer's left."""
    return declarer.left


OPENING_LEAD: Mapping[str, Callable[[Seat], Seat]] = {"left-of-declarer": left_of_declarer}


# --- the auction ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _State:
    """The auction so far; only `_Auction` changes it."""

    turn: Seat
    last: Made | None = None
    doubled: int = 0
    passes: int = 0
    ended: bool = False
    challenged_by: Seat | None = None
    challenge_bid_between: bool = False


@dataclass(slots=True)
class _Bar:
    seat: Seat
    acted: bool = False


class _Auction:
    """One walk through the calls of a record under the rules of a code."""

    def __init__(self, record: Record, rules: Rules, first: Seat) -> None:
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

    def finding(self, rule: str, call: Call, message: str) -> None:
        """Keep a finding about a call; where the code has no law behind it, it says that it is silent."""
        laws = self.rules.behind.get(rule, ())
        if laws:
            found = Finding(rule, Severity.IRREGULAR, message, laws, self.record.file, call.place)
        else:
            why = self.rules.silent.get(rule, f"{self.rules.short} has no law on it.")
            found = Finding(rule, Severity.SILENT, f"{message} {why}", (), self.record.file, call.place)
        self.found_by_last.append(found)

    def take(self, call: Call) -> None:
        """Take one call."""
        if call.kind == "unrecorded":
            self.open = True
            return
        if call.kind == "all-pass":
            while not self.state.ended and not (self.state.last is None and self.state.passes >= 4):
                self._call(replace(call, kind="pass"), self.state.turn)
            return
        if call.corrects:
            self._correct(call)
            return
        self._call(call, call.seat or self.state.turn)

    def _call(self, call: Call, seat: Seat) -> None:
        self.found += self.found_by_last
        self.found_by_last = []
        self.before = replace(self.state)
        void = self._judge(call, seat)
        self.made.append(Made(seat, call, void))
        self._move(call, seat, void)
        for incident in call.incidents:
            if incident.remedy and "sufficient" in incident.remedy and not incident.waived_by:
                self.bars.append(_Bar(seat.partner))

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
        lawful = noticed or allowed is None or CHANGING_A_CALL[allowed](last.call, call, not insufficient)
        if seat is not last.seat or not lawful:
            own = next((m.call for m in reversed(self.made) if m.seat is seat), None)
            was = (
                f"{seat.title} called {call_words(own, self.rules)}"
                if own
                else f"{seat.title} has not called"
            )
            now = call_words(call, self.rules)
            self.finding(
                "declaring.changed", call, f"{was} and changes to {now}, which the law does not allow here."
            )
            self.made.append(Made(seat, call, void=True))
            return
        self.found += self.found_by_last if noticed else []
        self.found_by_last = []
        self.state, self.made = self.before, self.made[:-1]
        self._call(call, seat)

    def _judge(self, call: Call, seat: Seat) -> bool:
        """Findings on one call; the result is whether it is void."""
        state, rules, words = self.state, self.rules, call_words(call, self.rules)
        if state.ended or (state.last is None and state.passes >= 4):
            self.finding(
                "declaring.after-the-end", call, f"{seat.title} calls {words} after the declaration is final."
            )
            return True
        if seat is not state.turn:
            self.finding(
                "declaring.out-of-turn",
                call,
                f"{seat.title} calls {words}, but it is {state.turn.title}'s turn.",
            )
        for bar in self.bars:
            if (
                bar.seat is seat
                and call.kind != "pass"
                and BAR[rules.value("bar") or "to-the-end"](bar.acted)
            ):
                self.finding(
                    "declaring.barred",
                    call,
                    f"{seat.title} calls {words}, but is barred since his partner's bid was made sufficient.",
                )
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
            self.finding("declaring.not-a-call", call, f"{rules.short} knows no such call as “{words}”.")
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
        if limits and not limits["least"] <= _odd(call) <= limits["most"]:
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
            self.finding("declaring.double-of-nothing", call, f"{who} {call.kind}s before there is a bid.")
            return True
        if not DOUBLING[self.rules.value("doubling")](state.doubled):
            self.finding(
                "declaring.redouble-twice", call, f"{who} {call.kind}s a bid that is already redoubled."
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
        if state.last is not None:
            end = self.rules.value("auction-end") or "three-passes"
            state.ended = AUCTION_END[end](True, state.passes, self.rules.value("passes-to-end"))

    def result(self, relative: bool) -> Declared:
        """What the calls came to."""
        found, state = [*self.found, *self.found_by_last], self.state
        made = tuple(self.made)
        passed_out = state.last is None and AUCTION_END[self.rules.value("auction-end") or "three-passes"](
            False, state.passes, self.rules.value("passes-to-end")
        )
        if passed_out:
            return Declared(made, None, True, tuple(found), relative)
        if state.last is None or not state.ended:
            place = made[-1].call.place if made else self.record.place
            found.append(self._unfinished(place))
        if state.last is None:
            return Declared(made, None, False, tuple(found), relative)
        bid, bidder = state.last.call, state.last.seat
        rule = self.rules.get("declarer")
        assert rule is not None
        declarer = DECLARER[rule.value](made, str(bid.denomination), bidder)
        kind = (
            "no-trump"
            if (d := self.rules.denomination(str(bid.denomination))) and d.suit is None
            else "trump"
        )
        turned = declarer is not bidder
        final = Final(
            _odd(bid),
            str(bid.denomination),
            state.doubled,
            None if relative else declarer,
            None if relative else bidder,
            bidder is self.dealer and _first_of(made, self.dealer) is bid,
            self.rules.laws("auction-end", "declarer"),
            rule.readings_of(kind) if turned else (),
        )
        return Declared(made, final if state.ended else None, False, tuple(found), relative)

    def _unfinished(self, place: Place) -> Finding:
        laws = self.rules.behind.get("declaring.unfinished", ())
        said = (
            "the record says that more was called"
            if self.open
            else "three passes have not followed the last call"
        )
        return Finding(
            "declaring.unfinished",
            Severity.INCOMPLETE,
            f"The auction is not finished: {said}.",
            laws,
            self.record.file,
            place,
        )


def _first_of(made: tuple[Made, ...], seat: Seat) -> Call | None:
    return next((m.call for m in made if m.seat is seat and not m.void), None)


def _by_points(bid: Call, last: Call, rules: Rules) -> str:
    if rules.value("sufficiency") != "points-then-tricks":
        return ""
    values = rules.value("bid-value") or rules.value("odd-trick")
    new, old = (_odd(c) * values[str(c.denomination)] for c in (bid, last))
    return f": {number_words(new, 'point')} against {old}" + (" and no more tricks" if new == old else "")


def declare(record: Record, rules: Rules) -> Declared:
    """Judge the declaration of a record under the rules of a code.

    Where no auction is recorded the final declaration comes from what the record states; then nothing about
    the calls is judged. Where both are recorded, the statement is compared with what the auction gives.
    """
    if record.bidding is None:
        return _stated_only(record, rules)
    dealer = record.dealer.value if record.dealer else None
    first = record.bidding_from.value if record.bidding_from else dealer
    walk = _Auction(record, rules, first or Seat.NORTH)
    relative = first is None and not any(c.seat for c in record.bidding)
    if relative:
        walk.found.append(
            Finding(
                "record.no-dealer",
                Severity.INCOMPLETE,
                "The record does not say who dealt, so the calls have no callers.",
                rules.behind.get("record.no-dealer", ()),
                record.file,
                record.place,
            )
        )
    elif dealer and first and first is not dealer:
        walk.dealer, walk.dealer_called = dealer, True
        walk.found.append(
            Finding(
                "record.calls-missing",
                Severity.INCOMPLETE,
                f"{dealer.title} dealt, but the calls begin with {first.title}'s; those before it are not recorded.",
                rules.behind.get("record.calls-missing", ()),
                record.file,
                record.bidding_from.place if record.bidding_from else record.place,
            )
        )
    for call in record.bidding:
        walk.take(call)
    return _compare(walk.result(relative), record, rules)


def _stated_only(record: Record, rules: Rules) -> Declared:
    stated = record.declaration
    if stated and stated.passed_out:
        return Declared((), None, True, ())
    if stated is None or stated.odd_tricks is None or stated.denomination is None:
        message = "Neither an auction nor a whole final declaration is recorded."
        found = Finding(
            "record.no-declaration",
            Severity.INCOMPLETE,
            message,
            rules.behind.get("record.no-declaration", ()),
            record.file,
            record.place,
        )
        return Declared((), None, False, (found,))
    problems = _stated_problems(stated, record, rules)
    if problems:
        return Declared((), None, False, problems)
    dealers_first = None
    if record.dealer and stated.declarer:
        dealers_first = record.dealer.value is stated.declarer
    final = Final(
        stated.odd_tricks,
        stated.denomination,
        stated.doubled or 0,
        stated.declarer,
        stated.declarer,
        dealers_first,
        rules.laws("auction-end", "declarer"),
    )
    return Declared((), final, False, ())


def _stated_problems(stated: Declaration, record: Record, rules: Rules) -> tuple[Finding, ...]:
    limits = rules.value("bid-range")
    words = declaration_words(stated.odd_tricks, stated.denomination, stated.doubled or 0, rules)
    found = []

    def add(rule: str, message: str) -> None:
        laws = rules.behind.get(rule, ())
        found.append(
            Finding(
                rule,
                Severity.IRREGULAR if laws else Severity.SILENT,
                message,
                laws,
                record.file,
                stated.place,
            )
        )

    if rules.denomination(str(stated.denomination)) is None:
        add(
            "declaring.unknown-denomination",
            f"The final declaration is {words}, but {rules.short} has no such denomination.",
        )
    elif limits and not limits["least"] <= (stated.odd_tricks or 0) <= limits["most"]:
        add(
            "declaring.impossible-bid",
            f"The final declaration is {words}; a bid is of {limits['least']} to {limits['most']} odd tricks.",
        )
    elif (stated.doubled or 0) > 2:
        add(
            "declaring.redouble-twice",
            f"The final declaration is {words}, doubled further than {rules.short} allows.",
        )
    return tuple(found)


def _compare(declared: Declared, record: Record, rules: Rules) -> Declared:
    """Compare what the record states of the final declaration with what the auction gives."""
    stated, final = record.declaration, declared.final
    if stated is None:
        return declared
    found = list(declared.findings)

    def add(rule: str, message: str, readings: tuple[str, ...] = ()) -> None:
        laws = rules.behind.get(rule, ()) or rules.laws("declarer")
        severity = Severity.DISPUTED if readings else Severity.IRREGULAR
        found.append(Finding(rule, severity, message, laws, record.file, stated.place, (), readings))

    if final is None:
        if declared.passed_out and not stated.passed_out:
            add(
                "declaring.wrong-declaration",
                "The record names a final declaration, but all four players passed.",
            )
        elif (
            not declared.passed_out
            and stated.odd_tricks
            and stated.denomination
            and not _stated_problems(stated, record, rules)
        ):
            stood = Final(
                stated.odd_tricks,
                stated.denomination,
                stated.doubled or 0,
                stated.declarer,
                stated.declarer,
                None,
                rules.laws("declarer"),
            )
            return replace(declared, final=stood)
        return replace(declared, findings=tuple(found))
    if stated.passed_out:
        add(
            "declaring.wrong-declaration",
            f"The record says that all four passed, but the auction ends at {final_words(final, rules)}.",
        )
        return replace(declared, findings=tuple(found))
    differs = [
        given is not None and given != derived
        for given, derived in (
            (stated.odd_tricks, final.odd_tricks),
            (stated.denomination, final.denomination),
            (stated.doubled, final.doubled),
        )
    ]
    if any(differs):
        said = declaration_words(stated.odd_tricks, stated.denomination, stated.doubled or 0, rules)
        add(
            "declaring.wrong-declaration",
            f"The record gives the final declaration as {said}; the auction ends at {final_words(final, rules)}.",
        )
    if stated.declarer and final.declarer and stated.declarer is not final.declarer:
        denomination = rules.denomination(final.denomination)
        name = denomination.label if denomination else final.denomination
        add(
            "declaring.wrong-declarer",
            f"{stated.declarer.title} is recorded as declarer, but {final.declarer.title} first named {name} for that side and plays the hand.",
            final.readings,
        )
    elif stated.declarer and final.declarer is None:
        return replace(declared, final=replace(final, declarer=stated.declarer), findings=tuple(found))
    return replace(declared, findings=tuple(found))


def final_words(final: Final, rules: Rules) -> str:
    """The final declaration in words: `4 spades redoubled`."""
    return declaration_words(final.odd_tricks, final.denomination, final.doubled, rules)


def side_of(final: Final) -> Side | None:
    """The declaring side, where the declarer is known."""
    return final.declarer.side if final.declarer else None
