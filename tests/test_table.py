"""In random deals with a random irregularity and a random choice from its ruling, the final
declaration and the account agree with an independent, slow, literal interpretation of the laws.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import tried
from lawbook import Rules, every_game, in_force
from literal_table import ACTS, Contract, LiteralAuction, Said, had, opponents
from made_deals import BLANK, WRITTEN, with_calls, without_auction
from oddtrick.cards import RANKS, SEATS, Seat, Side, cards_in
from oddtrick.judge.check import Check, check
from oddtrick.judge.events import Call
from oddtrick.judge.random_deals import Hands, deal_hands
from oddtrick.law.model import Remedy
from oddtrick.record.deal import Declaration, Incident, Result
from oddtrick.record.sources import write
from oddtrick.rulings.engine import Answer, Ruling, answer, catalogue

Item = tuple[str | int, ...]
Group = tuple[Remedy, ...]
"""Remedies that are chosen together."""

GAMES = [(code, options) for code, options in every_game() if in_force(code).get("making") is None]


@dataclass
class Story:
    """A deal under construction: its record, call by call, and its literal interpretation."""

    law: Rules
    random: Random
    dealer: Seat
    literal: LiteralAuction
    hands: Hands
    calls: list[Call] = field(default_factory=list)
    given: tuple[Remedy, ...] = ()
    offender: Seat | None = None
    named: bool = False
    finds: set[tuple[str, Item]] = field(default_factory=set)

    def finds_here(self, rule: str) -> None:
        """A finding on the last call."""
        self.finds.add((rule, ("bidding", len(self.calls) - 1)))

    def say(self, kind: str, bid: Said | None = None) -> None:
        """A call in turn, in the record and in the interpretation; after a call out of turn, the
        caller is named.
        """
        seat = self.literal.turn if self.named else None
        self.literal.say(bid or Said(self.literal.turn, kind))
        self.calls.append(_call(bid, kind, seat))
        self.named = False

    def dealer_must_bid(self) -> bool:
        """Whether the dealer has not yet made his first declaration, which must be a bid."""
        must = self.law.value("first-declaration") == "dealer-must-bid"
        return must and not any(s.counts for s in self.literal.said)

    def anything(self, may_be_barred: bool, against: tuple[Remedy, ...] = ()) -> None:
        """The next player passes, bids or doubles. If he is barred he may bid too, provided that
        the law makes that void; `against` is what it orders in addition, and applies when the next
        player calls.
        """
        table, turn = self.literal, self.literal.turn
        dealers_first = self.dealer_must_bid()
        bids = [
            b for b in table.every_bid() if not table.bids() or table.higher(b, table.bids()[-1])
        ]
        bids = [b for b in bids if may_be_barred or not table.barred(turn, "bid")]
        if bids and (dealers_first or self.random.random() < 0.35):
            barred = table.barred(turn, "bid")
            self.say("bid", self.random.choice(bids[:6]))
            if barred:
                self.finds_here("declaring.barred")
            if barred and not table.over():
                self.say("pass")
                bars = [r for r in against if any(e.id == "bar" for e in r.effects)]
                table.carry_out(bars, Said(turn, "nothing"))
            return None
        adverse = table.bids() and table.bids()[-1].seat.side is not turn.side
        double = bool(adverse) and not table.doubled() and not table.barred(turn, "double")
        return self.say("double" if double and self.random.random() < 0.15 else "pass")


def _call(bid: Said | None, kind: str, seat: Seat | None) -> Call:
    if bid is None or bid.kind != "bid":
        return Call(kind, seat=seat)
    return Call("bid", bid.odd_tricks, bid.denomination, seat)


# --- irregularities -------------------------------------------------------------------------------


def insufficient_bid(story: Story) -> Said | None:
    """A bid in turn that is not higher than the last."""
    table = story.literal
    low = [b for b in table.every_bid() if table.bids() and not table.higher(b, table.bids()[-1])]
    return story.random.choice(low) if low and not table.barred(table.turn, "bid") else None


def impossible_bid(story: Story) -> Said | None:
    """A bid in turn of more tricks than there are."""
    most = story.law.value("bid-range")["most"] + story.random.randint(1, 3)
    return Said(story.literal.turn, "bid", most, story.random.choice(story.law.order()))


def bid_out_of_turn(story: Story) -> Said | None:
    """A bid by another than the player whose turn it is."""
    table = story.literal
    high = [b for b in table.every_bid() if not table.bids() or table.higher(b, table.bids()[-1])]
    seat = story.random.choice([s for s in SEATS if s is not table.turn])
    return replace(story.random.choice(high[:6]), seat=seat) if high else None


def pass_out_of_turn(story: Story) -> Said | None:
    """A pass by another than the player whose turn it is."""
    return Said(story.random.choice([s for s in SEATS if s is not story.literal.turn]), "pass")


def double_out_of_turn(story: Story) -> Said | None:
    """A double of an adverse bid by another than the player whose turn it is."""
    table = story.literal
    if not table.bids() or table.doubled():
        return None
    bidder = table.bids()[-1].seat
    others = [s for s in opponents(bidder) if s is not table.turn]
    return Said(story.random.choice(others), "double")


def double_of_partner(story: Story) -> Said | None:
    """A double of the partner's bid."""
    table = story.literal
    if not table.bids() or table.doubled() or table.bids()[-1].seat is not table.turn.partner:
        return None
    return Said(table.turn, "double")


CALLS: dict[str, Callable[[Story], Said | None]] = {
    f.__name__.replace("_", "-"): f
    for f in (
        insufficient_bid,
        impossible_bid,
        bid_out_of_turn,
        pass_out_of_turn,
        double_out_of_turn,
        double_of_partner,
    )
}
FOUND = {
    "insufficient-bid": "declaring.insufficient-bid",
    "impossible-bid": "declaring.impossible-bid",
    "double-of-partner": "declaring.double-of-partner",
}
"""The finding on each call; on the others, that it is out of turn."""
BARRED = "barred-player-declares"
EXPOSED = "card-exposed-before-declaration"


def facts(story: Story, name: str, said: Said) -> dict[str, str]:
    """The answers to the facts on which the law depends, read from the story: the irregularity is
    noticed at once.
    """
    table, known = story.literal, catalogue()[name].facts
    told = {
        "called": "attention" if "attention" in known.get("called", ()) else "nothing",
        "next-called": "attention" if "attention" in known.get("next-called", ()) else "nothing",
        "adversary-acted": "no",
        "bid-made": "yes" if table.bids() else "no",
        "doubled-which": said.kind,
        "turn": {said.seat.partner: "partner", said.seat.left: "left-opponent"}.get(
            table.turn, "right-opponent"
        ),
    }
    if said.seat is table.turn:
        del told["turn"]
    return {f: v for f, v in told.items() if f in known and v in known[f]}


def choice_of(story: Story, ruling: Ruling, said: Said) -> tuple[Group, Remedy, Seat] | None:
    """A random choice from a ruling, its remedy by name, and the chooser."""
    numbers = sorted({r.choice for r in ruling.remedies if r.choice is not None})
    groups = [tuple(r for r in ruling.remedies if r.choice == n) for n in numbers]
    groups += [(r,) for r in ruling.remedies if r.choice is None and r.chosen_by != "nobody"]
    choices = []
    for group in groups:
        effects = {(e.id, e.of) for r in group for e in r.effects}
        lacks = ("final", "earlier") in effects and story.literal.earlier(said) is None
        if not lacks and not (("suffice", None) in effects and story.literal.enough(said) is None):
            choices.append((group, group[0]))
    if not choices:
        return None
    group, remedy = story.random.choice(choices)
    whose = {"either-opponent": opponents(said.seat), "other-side": opponents(said.seat)}
    seats = whose.get(remedy.chosen_by)
    return (group, remedy, story.random.choice(seats)) if seats else None


def irregular(story: Story, name: str) -> bool:
    """Put an irregular call into a story with a choice from its ruling; false if it is impossible."""
    said = CALLS[name](story)
    if said is None:
        return False
    found = answer(name, story.law.code, story.law.options, facts(story, name, said))
    if found.ruling is None or found.ruling.silent or not found.ruling.remedies:
        return False
    chosen = choice_of(story, found.ruling, said)
    if chosen is None and any(r.chosen_by != "nobody" for r in found.ruling.remedies):
        return False
    group, remedy, seat = chosen or ((), None, said.seat.left)
    incident = Incident(
        name,
        noticed_by=seat,
        remedy=remedy.id if remedy else None,
        chosen_by=seat if remedy else None,
    )
    given = had([found.ruling], group)
    enough = story.literal.enough(said) if name == "insufficient-bid" else None
    if name == "insufficient-bid" and enough is None:
        return False
    seat_said = said.seat if said.seat is not story.literal.turn else None
    story.calls.append(replace(_call(said, said.kind, seat_said), incidents=(incident,)))
    story.finds_here(FOUND.get(name, "declaring.out-of-turn"))
    story.literal.carry_out(given, said)
    if any(e.id == "suffice" for r in given for e in r.effects) and enough:
        story.calls.append(replace(_call(enough, "bid", None), corrects=True))
    story.given, story.offender = given, said.seat
    settled = {e.id for r in given for e in r.effects} - {"bar", "give-points"}
    story.named = seat_said is not None and not settled
    return True


def exposed(story: Story) -> bool:
    """A card exposed by anybody at the last call, if the code has a law on it."""
    if not story.calls:
        return False
    seat, hand = story.random.choice([*zip(SEATS, story.hands, strict=True)])
    held, least = story.random.choice([*cards_in(hand)]), story.law.value("exposed-ten")
    told = {}
    if least:
        told = {"card-rank": "ten-or-higher" if held.height >= RANKS.index(least) else "lower"}
    found = answer(EXPOSED, story.law.code, story.law.options, told)
    rulings = (found.ruling,) if found.ruling else found.possible
    if not rulings or any(r.silent for r in rulings):
        return False
    incident = Incident(EXPOSED, by=seat, of=str(held))
    story.calls[-1] = replace(story.calls[-1], incidents=(incident,))
    story.finds.add(("remedy.irregularity", ("bidding", len(story.calls) - 1, "irregularity", 0)))
    story.given, story.offender = had(rulings), seat
    story.literal.carry_out(story.given, Said(seat, "nothing"))
    return True


# --- the story ------------------------------------------------------------------------------------


def _given(found: Answer) -> tuple[Remedy, ...]:
    return found.ruling.remedies if found.ruling else ()


def told(law: Rules, random: Random) -> Story | None:
    """A complete random auction in which something goes wrong and is dealt with."""
    dealer = random.choice(SEATS)
    story = Story(law, random, dealer, LiteralAuction(law, dealer), deal_hands(random))
    for _ in range(random.randint(0, 5)):
        if not story.literal.over():
            story.anything(False)
    if story.literal.over():
        return None
    name = random.choice([*CALLS, EXPOSED])
    done = exposed(story) if name == EXPOSED else irregular(story, name)
    if not done:
        return None
    barred = answer(BARRED, law.code, law.options, {"adversary-acted": "yes"})
    forfeit = any(e.id == "forfeit" for r in _given(barred) for e in r.effects)
    played = any(e.id == "all-tricks" for r in story.given for e in r.effects)
    barred_for_good = {b.seat for b in story.literal.bars if b.lasts == "to-the-end"}
    # A bid that must be played as it is ends the bidding (1926, law 21 (b)).
    bound = played and {*opponents(story.literal.said[-1].seat.left)} <= barred_for_good
    for _ in range(0 if bound else random.randint(0, 8)):
        if not story.literal.over() and not story.literal.nothing:
            story.anything(
                not forfeit and random.random() < 0.5, had([barred.ruling]) if barred.ruling else ()
            )
    # A declaration that must be played needs no passes; after a call out of turn, it is open who calls next.
    breaks_off = random.random() < 0.2 and not (played or story.named)
    while not (story.literal.over() or story.literal.nothing or breaks_off):
        if story.dealer_must_bid():
            story.anything(False)
        else:
            story.say("pass")
    return story


def judged(story: Story, tricks: int) -> Check:
    """The check of a story as a record, with random cards and so many tricks."""
    deal = BLANK._replace(
        code=story.law.code,
        options=story.law.options,
        dealer=story.dealer,
        hands=story.hands,
        hand_spans=WRITTEN,
        result=None if story.literal.nothing else Result("tricks", tricks),
    )
    return check(with_calls(deal, story.calls))


def clean(story: Story, of: Check, contract: Contract, tricks: int) -> Check:
    """The check of a deal without incident in which this was declared and made."""
    stated = Declaration(
        contract.odd_tricks, contract.denomination, contract.doubled, contract.declarer
    )
    declared = without_auction(of.source)._replace(declaration=stated)
    return check(declared._replace(result=Result("tricks", tricks)))


def points(story: Story, of: Check, contract: Contract, tricks: int) -> dict[str, dict[str, int]]:
    """The totals of the clean deal with the points awarded for the irregularity."""
    account = clean(story, of, contract, tricks).account
    totals = {s.value: {c: account.points(s, c) for c in ("trick", "honour")} for s in Side}
    for remedy in story.given:
        if any(e.id == "give-points" for e in remedy.effects) and story.offender:
            side = story.offender.side.other.value
            totals[side][remedy.column or "honour"] += remedy.number or 0
    return totals


def differs(story: Story, found: Check, tricks: int) -> list[object]:
    """How the check of a story differs from the literal interpretation."""
    literal = story.literal
    over = literal.over() or literal.nothing
    contract = literal.contract() if over else None
    final, got, different = found.final, None, list[object]()
    if final and found.account is not None and final.declarer:
        got = Contract(final.odd_tricks, final.denomination, final.doubled, final.declarer)
    if got != contract:
        different.append((got, contract))
    rules = {
        (f.rule, f.item) for f in found.findings if f.rule.startswith(("declaring.", "remedy."))
    }
    rules = {r for r in rules if r[0] not in ("declaring.unfinished", "declaring.passed-out")}
    if rules != story.finds:
        different.append((rules - story.finds, story.finds - rules))
    if not over and found.next_to_call is not literal.turn:
        different.append((found.next_to_call, literal.turn))
    if contract and found.account is not None:
        account = found.account
        totals = {s.value: {c: account.points(s, c) for c in ("trick", "honour")} for s in Side}
        expected = points(story, found, contract, tricks)
        different += [(totals, expected)] if totals != expected else []
    return different


@pytest.mark.parametrize(("code", "options"), GAMES)
@tried(1.0)
@given(seed=st.integers(0, 2**32), tricks=st.integers(0, 13))
def test_the_walk_ends_as_the_literal_reading_of_the_effects(
    code: str, options: tuple[str, ...], seed: int, tricks: int
) -> None:
    random = Random(seed)
    story = next(s for s in (told(in_force(code, options), random) for _ in range(2000)) if s)
    found = judged(story, tricks)
    assert differs(story, found, tricks) == [], write([found.source], "hand")


def test_the_stories_have_every_irregularity() -> None:
    random, seen = Random(1), set()
    for code, options in GAMES * 40:
        story = told(in_force(code, options), random)
        if story:
            seen |= {(code, i.name) for c in story.calls for i in c.incidents}
    codes = {code for code, _ in GAMES}
    assert {code for code, _ in seen} == codes
    assert {name for _, name in seen} == {*CALLS, EXPOSED}
    assert ACTS
