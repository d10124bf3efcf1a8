"""The facts of an irregularity: answers to the catalogue's questions, found in the record.

They concern what happened next, whose turn it was, the card, and what the record states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from oddtrick.cards import RANKS, Seat, card_in
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import Made, enough, odd_tricks
from oddtrick.judge.roles import Roles
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Incident
from oddtrick.rulings import engine as rulings


def pointed_at(recorded: Iterable[Incident], *own: Seat) -> bool:
    """Whether anybody but the players `own` noticed a reported irregularity, or chose a remedy.

    A report whose name is not in the catalogue is not judged, so it shows nothing.
    """
    known = (i for i in recorded if i.name in rulings.catalogue())
    return any(i.remedy or i.noticed_by not in (None, *own) for i in known)


def recorded_facts(incident: Incident | None, law: Rules) -> dict[str, str]:
    """The facts that a recorded irregularity itself states, by its card and its words."""
    if incident is None:
        return {}
    card, least = card_in(incident.of or ""), law.value("exposed-ten")
    stated = stated_facts(incident)[0]
    if card is None or least is None:
        return stated
    # The rank decides whether the partner is barred, if the code sets a limit.
    return {"card-rank": "ten-or-higher" if card.height >= RANKS.index(least) else "lower"} | stated


def stated_facts(incident: Incident) -> tuple[dict[str, str], list[str]]:
    """The facts that a record states of an irregularity, and the words that state no known fact.

    Each consists of a fact of the catalogue and its answer, separated by commas: `dummy-gone away`.
    """
    known = rulings.catalogue().get(incident.name)
    facts: dict[str, str] = {}
    unknown = []
    for words in re.split(r"[,;]", incident.when or ""):
        fact, _, answer = words.strip().lower().replace(":", " ").partition(" ")
        if known and answer.strip() in known.facts.get(fact, ()):
            facts[fact] = answer.strip()
        elif fact:
            unknown.append(words.strip())
    return facts, unknown


CHANGED = "declaring.changed"
"""The finding on replacing a call; it is reported at the first call or at the second."""

ON_DOUBLING = ("double", "redouble", "may-i-lead", "yes", "satisfied")
"""The calls of the doubling after the trump is made."""


def trump_facts(trump: str | None, law: Rules) -> dict[str, str]:
    """Whether spades were made trumps; empty if no trump is made."""
    made = trump and law.has("making")
    return {"spade-make": "yes" if trump == "spades" else "no"} if made else {}


def call_facts(
    name: str,
    calls: Sequence[Made],
    index: int,
    following: Made | None,
    attention: bool,
    deal: Deal,
    law: Rules,
) -> dict[str, str]:
    """The facts of an irregular call: the bids before it, whose turn it was, what happened next.

    What happened next is that attention was called to it or that somebody called. A double is
    accepted if the other side goes on with the doubling; it is not accepted if nobody does so
    before the play.
    """
    made, earlier = calls[index], calls[:index]
    answers = {
        "bid-made": "yes" if any(m.call.kind == "bid" and not m.void for m in earlier) else "no",
        "doubling-said": "no",
        "option-taken": "pass",  # else the Challenge need not have been answered
    }
    if made.call.kind in ("double", "redouble"):
        answers["doubled-which"] = made.call.kind
    if attention:
        answers |= {"called": "attention", "next-called": "attention"}
    elif following:
        by = {made.seat.left: "left-called", made.turn: "proper-called"}
        answers |= {"called": by.get(following.seat, "nothing"), "next-called": "next-called"}
        if following.call.kind in ON_DOUBLING:
            answers["doubling-said"] = "yes"
    else:
        answers |= {"called": "nothing", "next-called": "nothing"}
    if following and following.seat is made.seat.right:  # whether attention was called or not
        answers["right-opponent"] = "passes" if following.call.kind == "pass" else "acts"
    acted = following and not attention and following.seat.side is not made.seat.side
    if following is None and (deal.declaration or deal.cards or deal.result):
        answers["accepted"] = "no"
    elif acted and answers["doubling-said"] == "yes":
        answers["accepted"] = "yes"
    answers |= {"adversary-acted": "yes" if acted else "no"}
    answers |= turn_facts(made.seat, made.turn or made.seat)
    answers |= _raised_facts(made, earlier, law)
    return answers | change_facts(calls, index) if name == rulings.named_by(CHANGED) else answers


def turn_facts(seat: Seat | None, turn: Seat | None) -> dict[str, str]:
    """Whose turn it was when a player called or dealt, if both players are known."""
    if seat is None or turn is None:
        return {}
    places = {seat: "own", seat.partner: "partner", seat.left: "left-opponent"}
    return {"turn": places.get(turn, "right-opponent")}


def _raised_facts(made: Made, earlier: Sequence[Made], law: Rules) -> dict[str, str]:
    """Whether more tricks would make a bid sufficient, and whether any higher bid exists."""
    over = next((m.bid for m in reversed(earlier) if m.call.kind == "bid" and not m.void), None)
    if made.call.kind != "bid" or over is None:
        return {}
    if not {str(made.call.denomination), str(over.denomination)} <= {*law.order()}:
        return {}  # a bid that the code lacks is judged as impossible
    others = (replace(made.call, denomination=name) for name in law.order())
    return {
        "raisable": "yes" if enough(made.call, over, law) else "no",
        "higher-bid": "yes" if any(enough(other, over, law) for other in others) else "no",
    }


def change_facts(calls: Sequence[Made], index: int) -> dict[str, str]:
    """The facts of a call that replaces an earlier one of the same player."""
    new = calls[index]
    at = next((i for i in reversed(range(index)) if calls[i].seat is new.seat), None)
    if at is None:
        return {"next-called": "nothing"}
    between = calls[at + 1 : index]
    answers = {"next-called": "next-called" if between else "nothing"}
    answers["changed-what"] = changed_what(calls[at].call, new.call)
    acted = any(
        m.call.kind in ("bid", "double", "redouble") and m.seat.side is not new.seat.side
        for m in between
    )
    answers["since-passed"] = "yes" if acted else "no"
    return answers


def changed_what(old: Call, new: Call) -> str:
    """What the second of two calls by a player changes, as an answer of the catalogue."""
    no_trump = "no-trump" in (old.denomination, new.denomination)
    if old.kind == "make":
        return "denomination"
    if old.kind == new.kind == "bid":
        if odd_tricks(old) != odd_tricks(new):
            return "number"
        return "no-trump" if no_trump else "denomination"
    if old.kind in ("double", "redouble"):
        return "double"
    if {old.kind, new.kind} == {"bid", "pass"} and no_trump:
        return "denomination"
    return "pass" if old.kind in ("pass", "pass-to-partner") else "bid"


def revoke_facts(place: int, own: int, others: int) -> dict[str, str]:
    """Whether a revoke is the first of its side, and whether both sides revoked.

    `place` is its index among the revokes of its side; `own` and `others` are the numbers of
    revokes of the two sides. If they differ, the first revokes of each side are matched one to one.
    """
    other = "no" if not others else "equal" if others == own else "fewer"
    return {
        "which-revoke": "later" if place else "first",
        "revokes-of-side": "one" if own == 1 else "several",
        "other-side": "matched" if other == "fewer" and place < others else other,
    }


def offender_facts(name: str, seat: Seat | None, roles: Roles) -> dict[str, str]:
    """The role of the offender, as one of the answers that the irregularity knows."""
    known = rulings.catalogue()[name].facts.get("offender", ())
    role = next((r for r in roles.of(seat) if r in known), None) if seat else None
    return {"offender": role} if role else {}
