"""The final declaration of a record, from its auction or as stated, and a comparison of the two."""

from __future__ import annotations

from oddtrick.cards import Seat
from oddtrick.judge.auction import Auction, in_order
from oddtrick.judge.events import Call, Events
from oddtrick.judge.finding import Finder, Finding, Message, Severity
from oddtrick.judge.making import Making
from oddtrick.judge.procedures import Declared, Final, bid_range, may_bridge, may_double, sufficient
from oddtrick.law.rules import Rules
from oddtrick.record.deal import UNRECORDED, Deal, Declaration
from oddtrick.rulings import engine as rulings

STATED = ("declaration",)
"""The item of the stated final declaration."""


def declare(events: Events, law: Rules) -> Declared:
    """Judge the declaration of a deal under the rules of a code.

    If no auction is recorded, the final declaration is the one that the record states, and no calls
    are judged. If both are recorded, the statement is compared with the result of the auction.
    """
    deal = events.deal
    if deal.calls is None:
        return _bridged(stated_only(deal, law), events, law)
    declared = _compare(_walked(events, law), deal, law)
    return declared if law.has("making") else _bridged(declared, events, law)


def declared_in_order(deal: Deal, law: Rules) -> Declared | None:
    """The declaration of a deal if every call is in order, without its calls; otherwise `None`."""
    calls, stated = deal.calls, deal.declaration
    if deal.callers or deal.corrections or law.has("making") or (stated and stated.bridged):
        return None
    if calls is None:
        return stated_only(deal, law)
    first = deal.first_caller or deal.dealer
    if not calls or first is None or calls[-1] == UNRECORDED:
        return None
    declared = in_order(calls, first, deal.dealer or first, law)
    found: tuple[Finding, ...] = ()
    if declared is None or (stated and not declared.final and not stated.passed_out):
        return None
    if deal.dealer not in (None, first):
        found = (_calls_missing(deal, first, law),)
    if stated and declared.final:
        found += differences(stated, declared.final, deal, law)
    return declared._replace(findings=found) if found else declared


def _calls_missing(deal: Deal, caller: Seat, law: Rules) -> Finding:
    """The finding that the calls before that of the first caller are missing."""
    message = Message("calls-missing", dealer=deal.dealer, caller=caller)
    return Finder(law, deal).lacks("record.calls-missing", message, ("bidding",))


def _walked(events: Events, law: Rules) -> Declared:
    """The outcome of the calls, walked one by one from the first caller, if known."""
    deal, calls, making = events.deal, events.calls or (), law.has("making")
    # If no dealer is recorded, count back from the first call that names its caller.
    by_caller = (c.seat.after(-index) for index, c in enumerate(calls) if c.seat and not making)
    first = deal.dealer if making else deal.first_caller or deal.dealer
    first = first or next(by_caller, None)
    walk = (Making if making else Auction)(events, law, first or Seat.NORTH)
    if first is None:
        walk.found.append(walk.finder.lacks("record.no-dealer", "no-dealer"))
    elif isinstance(walk, Auction) and deal.dealer and first is not deal.dealer:
        walk.dealer, walk.dealer_called = deal.dealer, True
        walk.found.append(_calls_missing(deal, first, law))
    for call in calls:
        walk.take(call)
    return walk.result(first is None)


def _bridged(declared: Declared, events: Events, law: Rules) -> Declared:
    """The declaration with the partner as declarer, if the record states that the play was passed.

    If passing it was not lawful, a finding is added instead.
    """
    stated, final = events.deal.declaration, declared.final
    if stated is None or not stated.bridged or final is None:
        return declared
    name, message, laws = rulings.call_name("declaring.bridged"), Message("bridged-too-late"), None
    incidents = (i for trick in events.tricks or () for p in trick.cards for i in p.incidents)
    if not may_bridge(final.denomination, law):
        message = Message("bridged-wrongly", final=final)
    elif name and any(i.name == name and i.by in (None, final.declarer) for i in incidents):
        ruling = rulings.answer(name, law.code, law.options, {}).ruling
        laws = ruling.laws if ruling else None
    else:
        rests_on = final.laws + law.laws("bridging"), final.readings + law.readings("bridging")
        dummy = final._replace(declarer=final.dummy, bridged=True)
        return declared._replace(final=dummy._replace(laws=rests_on[0], readings=rests_on[1]))
    found = Finder(law, events.deal).find("declaring.bridged", message, STATED, laws=laws)
    return declared._replace(findings=(*declared.findings, found))


def stated_only(deal: Deal, law: Rules) -> Declared:
    """The declaration of a deal without an auction, as the record states it."""
    stated, making = deal.declaration, law.has("making")
    if stated and stated.passed_out:
        return Declared((), None, True, ())
    if stated is None or stated.denomination is None or (stated.odd_tricks is None and not making):
        lacks = Finder(law, deal).lacks("record.no-declaration", "no-declaration")
        return Declared((), None, False, (lacks,))
    if problems := _stated_problems(stated, deal, law):
        return Declared((), None, False, problems)
    final, found = _declared_as_stated(stated, deal, law, "auction-end", "making", "declarer")
    first = deal.dealer is stated.declarer if deal.dealer and stated.declarer else None
    # The record does not state who made the trump.
    bidder = None if making else final.declarer
    return Declared((), final._replace(bidder=bidder, dealers_first=first), False, found)


def _declared_as_stated(
    stated: Declaration, deal: Deal, law: Rules, *clauses: str
) -> tuple[Final, tuple[Finding, ...]]:
    """The stated declaration as final, and a finding if its declarer should be the dealer."""
    dealer = deal.dealer if law.has("making") else None
    declarer = stated.declarer or dealer
    final = _as_stated(stated)._replace(declarer=declarer, bidder=declarer, bridged=False)
    final = final._replace(laws=law.laws(*clauses))
    if dealer is None or declarer is dealer:
        return final, ()
    message = Message("declarer-is-dealer", player=declarer, declarer=dealer)
    return final, (_wrong("declaring.wrong-declarer", message, deal, law),)


def _stated_problems(stated: Declaration, deal: Deal, law: Rules) -> tuple[Finding, ...]:
    """A finding if the code does not allow the stated declaration."""
    limits = bid_range(law)
    if law.denomination(str(stated.denomination)) is None:
        rule, why = "declaring.unknown-denomination", Message("no-such-denomination")
    elif law.has("making") and stated.odd_tricks is not None:
        rule, why = "declaring.not-a-call", Message("no-number-declarable")
    elif limits and (stated.odd_tricks or 0) not in limits:
        least, most = limits[0], limits[-1]
        rule, why = "declaring.impossible-bid", Message("out-of-range", least=least, most=most)
    elif stated.doubled and not may_double(stated.doubled - 1, stated.denomination, law):
        rule, why = "declaring.redouble-twice", Message("doubled-too-often")
    else:
        return ()
    message = Message("stated-wrongly", final=_as_stated(stated), why=why)
    return (Finder(law, deal).find(rule, message, STATED),)


def _as_stated(stated: Declaration) -> Final:
    """The stated declaration as a final declaration."""
    odd, name, doubled = stated.odd_tricks or 0, stated.denomination or "", stated.doubled or 0
    return Final(odd, name, doubled, stated.declarer, bridged=stated.bridged)


def _compare(declared: Declared, deal: Deal, law: Rules) -> Declared:
    """Compare the final declaration that the record states with the result of the auction."""
    stated, final = deal.declaration, declared.final
    if stated is None:
        # Where the trump is made, a lead to which others have played shows that the doubling ended.
        ended = (
            law.has("making") and len(deal.cards or ()) > 1 and UNRECORDED not in (deal.calls or ())
        )
        return declared._replace(final=declared.stands) if ended else declared
    if final is None:
        final, found = _compare_without(declared, stated, deal, law)
    elif stated.passed_out and law.has("convention"):
        # The players agreed not to play such a make; `check` knows the score and judges it.
        if (law.value("score-floor") or {}).get(final.denomination) is None:
            return declared
        return declared._replace(final=None, passed_out=True, unplayed=final)
    else:
        found = differences(stated, final, deal, law)
        if final.declarer is None and not stated.passed_out:
            final = final._replace(declarer=stated.declarer)
    return declared._replace(final=final, findings=(*declared.findings, *found))


def _compare_without(
    declared: Declared, stated: Declaration, deal: Deal, law: Rules
) -> tuple[Final | None, tuple[Finding, ...]]:
    """The stated final declaration, with findings, if the auction did not produce one.

    Either all four passed, or the last call does not end the auction. In the second case,
    unrecorded calls may have raised or doubled the last bid. A void call is recorded but does not
    count.
    """

    def wrong(message: Message) -> tuple[Finding, ...]:
        return (_wrong("declaring.wrong-declaration", message, deal, law),)

    if declared.passed_out:
        return None, () if stated.passed_out else wrong(Message("declared-when-passed-out"))
    making, stands = law.has("making"), declared.stands
    is_complete = stated.denomination and (stated.odd_tricks or making)
    if not is_complete or (problems := _stated_problems(stated, deal, law)):
        return None, problems if is_complete else ()
    open_ = UNRECORDED in (deal.calls or ())
    void = [m.call for m in declared.calls if m.void and not open_]
    bid = Call("bid", stated.odd_tricks, stated.denomination)
    of_void = bid.name in [c.name for c in void]
    last = Call("bid", stands.odd_tricks or None, stands.denomination) if stands else None
    same = last is not None and last.name == bid.name
    if stands and (same or of_void or making):
        counted = (n for n, m in enumerate(declared.calls) if not m.void)
        bids = (n for n in counted if declared.calls[n].call.kind in ("bid", "make"))
        since = declared.calls[max(bids, default=-1) + 1 :]
        doubled = any(m.call in void and m.call.kind in ("double", "redouble") for m in since)
        if same and not doubled and (stated.doubled or 0) > stands.doubled:
            stands = stands._replace(doubled=stated.doubled or 0)
        final = stands._replace(declarer=stands.declarer or stated.declarer)
        return final, differences(stated, stands, deal, law)
    if of_void:
        return None, wrong(Message("declared-by-a-void-bid"))
    final, found = _declared_as_stated(stated, deal, law, "declarer")
    if last and not sufficient(bid, last, law):
        return None, found + wrong(Message("declared-below-a-bid", final=final, bid=last.name))
    return final, found


def differences(stated: Declaration, final: Final, deal: Deal, law: Rules) -> tuple[Finding, ...]:
    """Findings where the stated declaration differs from the one that the auction gives."""
    if stated.passed_out:
        message = Message("not-passed-out", final=final)
        return (_wrong("declaring.wrong-declaration", message, deal, law),)
    found = []
    if (
        stated.odd_tricks not in (None, final.odd_tricks or None)
        or stated.denomination not in (None, final.denomination)
        or stated.doubled not in (None, final.doubled)
    ):
        message = Message("doubled-otherwise", times=stated.doubled or 0, final=final)
        if stated.denomination:
            message = Message("declared-otherwise", stated=_as_stated(stated), final=final)
        found.append(_wrong("declaring.wrong-declaration", message, deal, law))
    if final.declarer is not None and stated.declarer not in (None, final.declarer):
        of = {"player": stated.declarer, "declarer": final.declarer}
        bidder = final.bidder is final.declarer and law.has("nullo")
        why = "declarer-is-bidder" if bidder else "declarer-named-it-first"
        message = Message(why, **of, denomination=final.denomination)
        if law.has("making"):
            message = Message("declarer-is-dealer", **of)
        found.append(_wrong("declaring.wrong-declarer", message, deal, law, final.readings))
    return tuple(found)


def _wrong(
    rule: str, message: Message, deal: Deal, law: Rules, readings: tuple[str, ...] = ()
) -> Finding:
    """A finding on the stated final declaration; disputed if it rests on a reading."""
    laws = law.finding_laws.get(rule, ()) or law.laws("declarer")
    severity = Severity.DISPUTED if readings else Severity.IRREGULAR
    return Finder(law, deal).find(rule, message, STATED, severity, laws=laws, readings=readings)
